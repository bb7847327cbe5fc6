-- Plays the course: what to press, by where the hero is and what it stands on. It keeps nothing
-- from step to step, so it may be asked twice.

local robot = {}

local TILE = 16
local GAP, BEYOND, PASSAGE, SHAFT = 6 * TILE, 13 * TILE, 14 * TILE, 20 * TILE
local WALL, PLANKS_END, LADDER = 23 * TILE, 28 * TILE, 30 * TILE
local TOP = 6 * TILE -- of the wall, the planks and the ladder

-- Over the gap: a jump at its edge, and a dash at the top of it.
local function leap(hero, x, _, keys)
  local isFlying = not hero.walker.onFloor
  keys.direction = 1
  keys.jump = isFlying and hero.state.vy < 0 or not isFlying and x + 12 >= GAP
  keys.dash = isFlying and hero.state.vy >= 0
end

local function creep(_, x, _, keys)
  keys.direction, keys.down = 1, x > PASSAGE
end

-- Up the shaft, from wall to wall.
local function climbWalls(hero, _, _, keys)
  local walker, state = hero.walker, hero.state
  local canJump = walker.onFloor or walker.onWall ~= 0
  keys.direction = walker.onFloor and 1 or state.facing
  keys.jump = canJump and not state.heldJump or not canJump and state.vy < 0
end

-- Down through the planks beside the wall.
local function drop(hero, _, _, keys)
  local floor = hero.walker.floor
  local isPlank = floor and floor:getOneWay()
  keys.direction = isPlank and 0 or 1
  keys.down, keys.jump = isPlank ~= nil and isPlank ~= false, isPlank and not hero.state.heldJump
end

local function climbLadder(hero, x, _, keys)
  keys.direction = x < LADDER + 2 and 1 or 0
  keys.up = x > LADDER - 4 or hero.state.isClimbing
end

local function walk(_, _, _, keys)
  keys.direction = 1
end

local function choose(hero, x, y, h)
  local isHigh = y + h <= TOP
  if x < BEYOND then return leap
  elseif x < SHAFT then return creep
  elseif x < WALL and not (isHigh and hero.walker.onFloor) then return climbWalls
  elseif x < PLANKS_END and isHigh then return drop
  elseif not isHigh then return climbLadder end
  return walk
end

--- For `before` of broadside.play.
function robot.before(p)
  local hero, keys = p.game.hero, {}
  local x, y, _, h = hero.box:getRect()
  choose(hero, x, y, h)(hero, x, y, keys)
  p:set("direction", keys.direction)
  for _, name in ipairs({ "up", "down", "jump", "dash" }) do
    p:set(name, keys[name] and true or false)
  end
end

return robot
