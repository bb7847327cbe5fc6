-- Plays the platformer when nobody else does. It only sees what the world tells it. It runs to the
-- right, jumps over obstacles, and waits for what it cannot reach.

local level = require("platformer.level")

local robot = {}

local REACH_X, REACH_UP = 118, 84 -- how far and how high it dares to jump
local BODY_W, BODY_H = level.PLAYER_W, level.PLAYER_H

local found = {}

local function isMoving(entity)
  return entity.kind == "lift" and entity.along > 0 and entity.along < 1
end

-- Whether a rectangle overlaps anything on these layers.
local function isAny(game, layers, x, y, w, h)
  local _, n = game.world:queryRect(x, y, w, h, layers, found)
  return n > 0
end

-- Whether there is a floor or a wall; a lift counts only while it does not move.
local function isFloor(game, x, y, w, h)
  return isAny(game, level.SOLID, x, y, w, h) and not isMoving(found[1])
end

-- Whether it could land beyond the gap ahead, on a floor with room above.
local function canLand(game, x, y)
  for dx = 50, REACH_X, 8 do
    for dy = 80, -REACH_UP, -8 do
      local landX, landY = x + dx, y + dy
      if isFloor(game, landX, landY + BODY_H, BODY_W, 12)
        and not isAny(game, level.SPIKES, landX, landY, BODY_W, BODY_H)
        and not isAny(game, level.ENEMY, landX - 50, landY - 10, 120, 50)
        and game.world:canFit(game.player.box, landX, landY - 4, nil, nil, level.SOLID) then
        return true
      end
    end
  end
  return false
end

-- Whether there is a crusher ahead and no time to run through below it.
local function isCrusherAhead(game, x)
  for _, platform in ipairs(game.platforms) do
    if platform.kind == "crusher" then
      local left, _, w = platform.box:getRect()
      local isNear = x + BODY_W > left - 26 and x + BODY_W < left + 8
      local time = ((game.steps + 1) / 60 + platform.delay) % 3 -- in the next step
      if isNear and x < left + w and not (time > 2.4 or time < 0.8) then
        return true
      end
    end
  end
  return false
end

-- In the air it does not go beyond the floor onto which it falls.
local function steer(game, x, y)
  local isAboveFloor = isFloor(game, x, y + BODY_H, BODY_W, 110)
  local isFloorAhead = isFloor(game, x + BODY_W, y + BODY_H, 30, 130)
  return game.player.vy > -100 and isAboveFloor and not isFloorAhead and 0 or 1
end

-- Returns a function(game) that returns the input of the next step: a direction, and whether the
-- jump button is held.
function robot.new()
  local isFar = false -- it jumps over a gap or an enemy, not onto a step

  return function(game)
    local player = game.player
    local x, y, w, h = player.box:getRect()
    local isBlocked = isFloor(game, x + w, y, 12, h - 14) -- a slope does not count
    if not player.walker.onFloor then
      return steer(game, x, y), player.vy < 0 and (isFar or isBlocked)
    end
    local on = game.world:touching(player.box, 0, 1, level.SOLID)
    if on and isMoving(on) or isCrusherAhead(game, x) then
      return 0, false
    end
    local ahead = game.world:segmentCast(x + w + 7, y + h - 1, x + w + 7, y + h + 200,
      level.SOLID + level.SPIKES)
    local isGap = not ahead or ahead.kind == "spikes"
    if isGap and not canLand(game, x, y) then
      return 0, false
    end
    local isFree = on and on.kind == "ground" and not isAny(game, level.SOLID, x, y - 90, w, 60)
    isFar = isGap or isAny(game, level.ENEMY, x + w, y - 4, 52, h)
      or isFree and isAny(game, level.THING, x + w, y - 70, 40, 60)
    return 1, not game.isHeld and (isFar or isBlocked)
  end
end

return robot
