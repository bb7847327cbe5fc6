-- A robot that plays the duel. It sees the game as its machine predicts it.

local arena = require("rollback.arena")
local duel = require("rollback.simulation")

local pilot = {}

local found = {}

-- The place of the nearest heart, if one is near.
local function findHeart(world, x, y)
  local _, n = world:nearest(x, y, 1, arena.THING, 250, found)
  if n > 0 then
    return found[1].box:getCenter()
  end
end

-- Returns a function(game) that returns an input.
function pilot.new(player, seed)
  local chance = (seed or 1) * 7919 % 2147483646 + player
  local goal, till, jumpTill, side = 0, 0, 0, 60

  local function random(n)
    chance = chance * 16807 % 2147483647
    return chance % n
  end

  -- Chooses a goal: a heart, the side of the other player, or away.
  local function choose(game, x, y, otherX)
    local heart = findHeart(game.world, x, y)
    local plan = random(10)
    side = (random(2) * 2 - 1) * (70 + random(120))
    goal = heart or (plan < 7 and otherX + side or arena.TILE + random(duel.WIDTH - 64))
    till = game.steps + 15 + random(40)
  end

  local function steer(game, me, x, otherY, y)
    local away = goal - x
    local direction = math.abs(away) < 8 and 0 or away < 0 and -1 or 1
    local isBlocked = direction ~= 0 and game.world:touching(me.box, direction, 0, arena.SOLID)
    if me.grounded and (isBlocked or otherY < y - 40 and random(30) == 0 or random(150) == 0) then
      jumpTill = game.steps + 8 + random(12)
    end
    return direction
  end

  return function(game)
    local me, other = game.players[player], game.players[3 - player]
    local x, y = me.box:getCenter()
    local otherX, otherY = other.box:getCenter()
    if game.steps >= till then
      choose(game, x, y, otherX)
    end
    local direction = steer(game, me, x, otherY, y)
    local isFacing = (otherX - x) * me.facing > 0
    if not isFacing and math.abs(otherY - y) < 30 and random(8) == 0 then
      direction = otherX < x and -1 or 1
    end
    local input = direction > 0 and duel.RIGHT or direction < 0 and duel.LEFT or 0
    if game.steps < jumpTill then
      input = input + duel.JUMP
    end
    if isFacing and math.abs(otherY - y) < 26 and random(3) > 0 then
      input = input + duel.SHOOT
    end
    if isFacing and math.abs(otherX - x) < 320 and random(70) == 0 then
      input = input + duel.THROW
    end
    return input
  end
end

return pilot
