-- The bytes by which the Lua heap grows while `frame` runs `times` times, after it has run 50 times
-- and with the collector stopped. It is the least of three measurements: the collections before
-- each one shrink the stacks of Lua 5.2 and 5.3, which grow again once or twice. LuaJIT's compiled
-- traces are memory, too, so its compiler is off.
local function garbageOf(frame, times)
  local jit = rawget(_G, "jit")
  if jit then
    jit.off()
    jit.flush()
  end
  local function growth(count)
    local before = collectgarbage("count")
    for _ = 1, count do
      frame()
    end
    return (collectgarbage("count") - before) * 1024
  end
  growth(50)
  collectgarbage()
  collectgarbage()
  collectgarbage("stop")
  local bytes = math.huge
  for _ = 1, 3 do
    bytes = math.min(bytes, growth(times))
  end
  collectgarbage("restart")
  if jit then
    jit.on()
  end
  return bytes
end

return garbageOf
