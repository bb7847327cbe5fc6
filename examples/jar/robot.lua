-- The robot that plays the jar. It looks down from many places, and drops the ball onto one of its
-- size, else where it falls deepest.

local jar = require("jar.simulation")

local robot = {}

local PLACES = 24
local FAR = 1000 -- how much better a ball of the same size is than a deep place

-- How good it is to drop the next ball at x: the world tells what it would meet first.
local function rate(game, x, r)
  local other, t = game.world:sweepRect(x - r, jar.DROP_Y - r, 2 * r, 2 * r, 0, jar.HEIGHT)
  local ball = other:getData()
  return t + (ball and ball.size == game.next and FAR or 0)
end

-- Where the next ball should be dropped.
function robot.aim(game)
  local r = jar.RADII[game.next]
  local best, bestX = -1, jar.WIDTH / 2
  for i = 0, PLACES do
    local x = jar.clamp(jar.LEFT + (jar.RIGHT - jar.LEFT) * i / PLACES, r)
    local value = rate(game, x, r)
    if value > best then
      best, bestX = value, x
    end
  end
  return bestX
end

return robot
