-- systems.lua: one row of figures, to compare libraries for different systems on one machine. It
-- prints, under the name in arg[1], the time of a frame in which half of 8,192 boxes move, of a
-- line of sight of 200 px among 5,000 boxes, and of a move of a box by up to 16 px among them.
--
-- Clocks differ (Windows' has a resolution of milliseconds), and other programs may use the
-- machine. So each call is repeated for long enough, and the shortest of several times counts.

local broadside = require("broadside")

local LEAST, TIMES = 0.02, 150 -- seconds for each time, and how many of them

local state = 1
local function random(lo, hi)
  state = state * 48271 % 2147483647
  return lo + state / 2147483647 * (hi - lo)
end

-- Boxes of the same density as in the other benchmarks.
local function crowd(n)
  local world, boxes = broadside.newWorld(), {}
  local side = math.sqrt(n * 600 * 400 / 1024)
  for i = 1, n do
    boxes[i] = world:insert(random(0, side), random(0, side), random(5, 30), random(5, 30))
  end
  return world, boxes, side
end

-- The microseconds of a call of f, at best.
local function shortest(f)
  local best = math.huge
  for _ = 1, TIMES do
    local calls, start = 0, os.clock()
    local spent
    repeat
      f()
      calls, spent = calls + 1, os.clock() - start
    until spent >= LEAST
    best = math.min(best, spent / calls)
  end
  return best * 1e6
end

local world, boxes = crowd(8192)
local frame = shortest(function()
  for i = 1, #boxes, 2 do
    local x, y = boxes[i]:getRect()
    world:update(boxes[i], x + random(-2, 2), y + random(-2, 2))
  end
  world:countPairs()
end)

local side
world, boxes, side = crowd(5000)
local CALLS = 1000
local cast = shortest(function()
  for _ = 1, CALLS do
    local x, y, angle = random(0, side), random(0, side), random(0, 2 * math.pi)
    world:segmentCast(x, y, x + 200 * math.cos(angle), y + 200 * math.sin(angle))
  end
end) / CALLS

local hits, next = {}, 0
local move = shortest(function()
  for _ = 1, CALLS do
    next = next % #boxes + 1
    local x, y = boxes[next]:getRect()
    world:move(boxes[next], x + random(-16, 16), y + random(-16, 16), nil, hits)
  end
end) / CALLS

print(("| %s | %.2f ms | %.2f us | %.2f us |"):format(arg[1], frame / 1000, cast, move))
