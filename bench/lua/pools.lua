-- The cost of pools in Lua. Run it in the project's folder, with the paths set:
--
--   lua5.4 bench/lua/pools.lua

local broadside = require("broadside")

local ROUNDS = 31
local seed = 1

local function random(lo, hi)
  seed = (seed * 48271) % 2147483647
  return lo + (hi - lo) * (seed / 2147483647)
end

-- The median of microseconds per call.
local function time(f)
  local times = {}
  for i = 1, ROUNDS do
    local start = os.clock()
    f()
    times[i] = (os.clock() - start) * 1e6
  end
  table.sort(times)
  return times[math.ceil(ROUNDS / 2)]
end

local function row(name, microseconds)
  print(("  %-52s %10.0f"):format(name, microseconds))
end

local function fill(pool, n, extent, speed)
  for _ = 1, n do
    pool:spawn(random(0, extent), random(0, extent), random(-speed, speed), random(-speed, speed))
  end
end

-- Kilobytes of garbage in 100 calls.
local function garbage(f)
  for _ = 1, 20 do
    f()
  end
  collectgarbage()
  collectgarbage("stop")
  local before = collectgarbage("count")
  for _ = 1, 100 do
    f()
  end
  local grown = collectgarbage("count") - before
  collectgarbage("restart")
  return grown
end

print("100,000 movers, microseconds")
local pool = broadside.newPool({ capacity = 100000 })
fill(pool, 100000, 4096, 1)
local out = {}
row("step", time(function()
  pool:step(0.5)
end))
row("collect into a table", time(function()
  pool:collect(out)
end))
row("each, reading x and y", time(function()
  local sum = 0
  for _, x, y in pool:each() do
    sum = sum + x + y
  end
end))
local love = rawget(_G, "love")
if love then
  local data = love.data.newByteData(100000 * 20)
  row("write into a Data", time(function()
    pool:write(data)
  end))
end
row("hitsRect of 32x32", time(function()
  for _ in pool:hitsRect(2000, 2000, 32, 32) do
    seed = seed + 0
  end
end))
print(("  garbage in 100 frames of step and collect: %.1f kB"):format(garbage(function()
  pool:step(0.5)
  pool:collect(out)
end)))

print("20,000 movers of 4x4, up to 16 a step, 2,000 static boxes of 32x32, microseconds")
for _, backend in ipairs({ "grid", "tree", "auto" }) do
  local world = broadside.newWorld({ backend = backend, results = "id" })
  for _ = 1, 2000 do
    world:insert(random(0, 4064), random(0, 4064), 32, 32, { static = true })
  end
  local shots = broadside.newPool({ capacity = 20000, w = 4, h = 4 })
  fill(shots, 20000, 4096, 16)
  shots:step(1)
  local n = 0
  row(backend .. ": hits", time(function()
    n = 0
    for _ in shots:hits(world) do
      n = n + 1
    end
  end))
  local m = 0
  row(backend .. ": one sweepRect a mover, in Lua", time(function()
    m = 0
    for _, x, y in shots:each() do
      if world:sweepRect(x - 2, y - 2, 4, 4, 3, 3) then
        m = m + 1
      end
    end
  end))
  row(backend .. ": one segmentCast a mover, in Lua", time(function()
    for _, x, y in shots:each() do
      if world:segmentCast(x - 3, y - 3, x, y) then
        m = m + 1
      end
    end
  end))
  print(("  %d hits"):format(n))
end
