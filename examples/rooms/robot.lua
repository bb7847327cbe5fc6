-- Plays the rooms: right to the boots, then left to the flag. It keeps nothing from step to step.

local rooms = require("rooms.game")

local robot = {}

local TILE = 16
local LIFT, SHELF = 12 * TILE + 10, 3 * TILE -- where to wait for the lift, and where to leave it
local GAP, BEYOND = 12 * TILE - 8, 4 * TILE

-- Up to the shelf by the lift, which it enters from below.
local function seekBoots(game, x, feet, keys)
  local walker, isHigh = game.hero.walker, feet <= SHELF + 4
  local isOnLift, _, liftY = walker.floor == game.lift, game.lift:getRect()
  local isBelow = not isOnLift and game.state.room == 1 and math.abs(x - LIFT) <= 2
  if isHigh or not isOnLift and not isBelow then
    keys.direction = (isHigh or game.state.room < 1 or x < LIFT) and 1 or -1
  end
  keys.jump = isBelow and (walker.onFloor and liftY > 7.5 * TILE or game.hero.state.vy < 0)
end

-- Over the gap: a jump at its edge, and a dash at the top of it.
local function seekFlag(game, x, _, keys)
  local walker, vy = game.hero.walker, game.hero.state.vy
  local isAtGap = game.state.room == 0 and x < GAP and x > BEYOND
  keys.direction = -1
  keys.jump = isAtGap and (walker.onFloor or vy < 0)
  keys.dash = isAtGap and not walker.onFloor and vy >= 0
end

--- For `before` of broadside.play.
function robot.before(p)
  local game, keys = p.game, { direction = 0 }
  local x, y, _, h = game.hero.box:getRect()
  local seek = game.state.items.boots and seekFlag or seekBoots
  seek(game, x - game.state.room * rooms.WIDTH, y + h, keys)
  for _, name in ipairs(rooms.INPUTS) do
    p:set(name, keys[name] or false)
  end
end

return robot
