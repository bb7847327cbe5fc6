-- The robot that plays pinball: it pulls the spring, and flips when a ball is near.

local robot = {}

local REACH = { { 150, 250 }, { 266, 366 } } -- of the flippers, in x
local NEAR_Y, SOON = 520, 0.05 -- where it looks for balls; seconds that it looks ahead

-- Returns a function that plays one step at each call.
function robot.new()
  local pulled = 0
  return function(game)
    pulled = game.state == "ready" and pulled + 1 or 0
    game:pullSpring(pulled > 30 and pulled < 30 + 55 + game.lost % 3 * 7)
    for side, reach in ipairs(REACH) do
      local isNear = false
      for _, ball in ipairs(game.marbles) do
        local x, y = ball:getCenter()
        local vx, vy = ball:getVelocity()
        x, y = x + vx * SOON, y + vy * SOON
        local surface = 535 + 0.5 * math.min(math.abs(x - 150), math.abs(366 - x))
        isNear = isNear or vy > -50 and x > reach[1] + 12 and x < reach[2] - 12 and y > NEAR_Y
          and y > surface - 14 and y < 600
      end
      game:flip(side, isNear)
    end
  end
end

return robot
