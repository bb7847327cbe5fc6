-- The game that the areas play: a town with walls, and people who walk about. It is the same game
-- in one area or in two.
--
-- Where somebody goes is a function of who it is and of the tick. In a game with players these are
-- their inputs: who wants to play them again after a crash writes them into a file as they come.

local broadside = require("broadside")

local town = {
  WIDTH = 800, HEIGHT = 560,
  EDGE = 400, -- to the left of it is area 1
  STRIP = 64, -- so far over the edge an area sees the other one's people: at least any reach
  SIZE = 8, SIGHT = 48, REACH = 56,
}

-- The frame, then houses; some of them stand on the edge.
town.WALLS = {
  -8, -8, 816, 8, -8, 560, 816, 8, -8, 0, 8, 560, 800, 0, 8, 560,
  60, 60, 80, 16, 60, 76, 16, 90, 210, 40, 24, 120, 300, 90, 60, 24, 90, 230, 110, 20,
  270, 190, 20, 150, 60, 330, 90, 60, 200, 400, 120, 20, 100, 470, 20, 60, 250, 470, 60, 40,
  370, 30, 60, 20, 392, 130, 16, 90, 350, 280, 110, 16, 392, 350, 16, 70, 380, 480, 60, 24,
  500, 60, 20, 110, 570, 50, 110, 24, 720, 90, 24, 90, 480, 220, 90, 24, 620, 170, 40, 60,
  540, 310, 24, 110, 640, 290, 100, 20, 480, 450, 100, 20, 640, 380, 24, 110, 720, 420, 40, 80,
}

-- A number below 2^31 that two numbers give.
local function mix(a, b)
  local x = (a * 7919 + b * 104729 + 12345) % 2147483647
  for _ = 1, 3 do
    x = x * 16807 % 2147483647
  end
  return x
end

local function isFree(x, y, size)
  local walls = town.WALLS
  for i = 1, #walls, 4 do
    if broadside.overlap(x, y, size, size, walls[i], walls[i + 1], walls[i + 2], walls[i + 3]) then
      return false
    end
  end
  return true
end

-- 1 or 2: whose area a body's centre is in.
function town.sideOf(x, size)
  return x + size / 2 < town.EDGE and 1 or 2
end

-- Where somebody begins: not in a wall.
local function findPlace(number)
  for try = 0, math.huge do
    local x, y = mix(number, 2 * try) % town.WIDTH, mix(number, 2 * try + 1) % town.HEIGHT
    if isFree(x, y, town.SIZE) then
      return x, y
    end
  end
end

-- Everyone when the game begins: new actors, with x, y, vx, vy.
function town.people(count)
  local list = {}
  for i = 1, count do
    local x, y = findPlace(i)
    list[i] = { name = "p" .. i, x = x, y = y, size = town.SIZE, sight = town.SIGHT,
      reach = town.REACH, vx = 0, vy = 0,
      data = { home = town.sideOf(x, town.SIZE), met = 0, sum = 0 } }
  end
  return list
end

local function numberOf(name)
  return tonumber((name:match("%d+")))
end

-- The way of somebody from this tick on, or nil: as before.
function town.steer(name, tick)
  local number = numberOf(name)
  if tick ~= 1 and (tick + number * 7) % 40 ~= 0 then
    return nil
  end
  return (mix(number, tick) % 33 - 16) / 8, (mix(tick, number) % 33 - 16) / 8
end

-- Somebody has come into sight, or has gone out of it. The sum is another one if anybody was ever
-- told another thing, or at another tick; in which order does not matter.
function town.tell(phase, actor, name, tick)
  local data = actor.data
  data.met = data.met + (phase == "enter" and 1 or 0)
  data.sum = (data.sum + mix(mix(numberOf(name), tick), phase == "enter" and 1 or 2)) % 2147483647
end

return town
