-- The robot that plays billiards. For each ball and pocket it finds the way that the cue ball must
-- go, asks the world whether that way is free (world:sweep), and plays the best shots ahead
-- (game:foresee), as the same shot always ends in the same way.

local billiards = require("billiards.simulation")

local robot = {}

local R = billiards.RADIUS
local BALL_OR_CUSHION = billiards.BALL + billiards.CUSHION
local LEAST_CUT = 0.2 -- the cosine of the thinnest cut that it tries
local SPEEDS = { 420, 700, 1050 }
local MOST_WAYS = 5 -- how many ways it plays ahead, each at all speeds

-- The length of a vector, and its direction.
local function unit(dx, dy)
  local length = math.sqrt(dx * dx + dy * dy)
  return length, dx / length, dy / length
end

-- Whether a ball can roll from where it is by dx, dy. It may meet `target` at the end.
local function isFree(game, ball, dx, dy, target)
  local other = game.world:sweep(ball.box, dx, dy, BALL_OR_CUSHION)
  return not other or other == target.box
end

-- The way by which the cue ball puts a ball into a pocket, as { x =, y =, ease = }, or nil. x, y is
-- its direction; ease is greater for ways that are straight and short.
local function findWay(game, ball, pocket)
  local x, y = ball.box:getCenter()
  local cueX, cueY = game.cue.box:getCenter()
  local toPocket, px, py = unit(pocket[1] - x, pocket[2] - y)
  local toBall, dx, dy = unit(x - 2 * R * px - cueX, y - 2 * R * py - cueY)
  local cut = dx * px + dy * py
  if cut < LEAST_CUT or not isFree(game, game.cue, toBall * dx, toBall * dy, ball)
    or not isFree(game, ball, toPocket * px, toPocket * py, game.cue) then
    return nil
  end
  return { x = dx, y = dy, ease = cut / (200 + toPocket) / (200 + toBall) }
end

-- All ways of a table, the best first.
local function listWays(game)
  local ways = {}
  for _, ball in ipairs(game.onTable) do
    for _, pocket in ipairs(ball ~= game.cue and billiards.pockets or {}) do
      ways[#ways + 1] = findWay(game, ball, pocket)
    end
  end
  table.sort(ways, function(a, b)
    return a.ease > b.ease
  end)
  return ways
end

-- How good a table is for the next shot: 0..1.
local function rate(game)
  local best = listWays(game)[1]
  return best and math.min(1, best.ease * 90000) or 0
end

-- With few ways it also tries these directions.
local ROUND = {}
for i = -3, 3 do
  for _, way in ipairs({ { 4, i }, { -4, i }, { i, 4 }, { i, -4 } }) do
    local _, x, y = unit(way[1], way[2])
    ROUND[#ROUND + 1] = { x = x, y = y }
  end
end

-- It breaks a little off the middle, so that the balls do not go two and two.
local function breakRack()
  return billiards.FASTEST, 6
end

-- Returns a function that thinks of one shot at each call. When it has thought of all, it returns
-- the velocity of the best.
function robot.think(game)
  if game.shots == 0 then
    return breakRack
  end
  local shots, n, best, bestX, bestY = {}, 0, -math.huge, 0, 0
  local ways = listWays(game)
  local function add(way, speed)
    shots[#shots + 1] = { way.x * speed, way.y * speed }
  end
  for i = 1, math.min(#ways, MOST_WAYS) do
    for _, speed in ipairs(SPEEDS) do
      add(ways[i], speed)
    end
  end
  for i = 1, #ways < 3 and #ROUND or 0 do
    add(ROUND[i], SPEEDS[2])
  end
  return function()
    n = n + 1
    local shot = shots[n]
    if not shot then
      return bestX, bestY
    end
    local down, isFoul, rating = game:foresee(shot[1], shot[2], rate)
    local value = down + 0.8 * rating - (isFoul and 5 or 0)
    if value > best then
      best, bestX, bestY = value, shot[1], shot[2]
    end
  end
end

return robot
