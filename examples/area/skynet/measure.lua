-- Measures areas as services, as fast as the machine can: some large ones, and many small ones.

local skynet = require("skynet.manager")

local ROWS = { { 1, 5000 }, { 2, 5000 }, { 4, 5000 }, { 500, 50 } } -- services, and actors of each
local TICKS, CHUNK = 200, 50 -- a message is to be done within seconds

-- Calls all services at once. Returns the sums of the two numbers that each answers.
local function callAll(services, ...)
  local main, left, first, second = {}, #services, 0, 0
  for _, service in ipairs(services) do
    skynet.fork(function(...)
      local a, b = skynet.call(service, "lua", ...)
      first, second, left = first + a, second + b, left - 1
      skynet.wakeup(main)
    end, ...)
  end
  while left > 0 do
    skynet.wait(main)
  end
  return first, second
end

local function measure(count, actors)
  local services, time, told = {}, 0, 0
  for i = 1, count do
    services[i] = skynet.newservice("crowd", i, actors)
  end
  callAll(services, "play", 1) -- everyone is told of everyone in sight
  local start = skynet.now()
  for _ = 1, TICKS / CHUNK do
    local chunkTime, chunkTold = callAll(services, "play", CHUNK)
    time, told = time + chunkTime * CHUNK / TICKS, told + chunkTold * CHUNK / TICKS
  end
  local seconds = (skynet.now() - start) / 100
  local lua, worlds = callAll(services, "memory")
  print(("| %d | %d | %.3f | %.0f | %.1f | %.0f | %.0f |"):format(count, actors, time / count,
    count * TICKS / seconds, told / count, lua / count / 1024, worlds / count / 1024))
  for i = 1, count do
    skynet.kill(services[i])
  end
end

skynet.start(function()
  print("| areas | actors of each | ms of a processor in a tick | ticks a second of all "
    .. "| told in a tick | KB of Lua in an area | KB of its worlds |")
  print("|--:|--:|--:|--:|--:|--:|--:|")
  for _, row in ipairs(ROWS) do
    measure(row[1], row[2])
  end
  os.exit(0)
end)
