
-- What follows the game to start from: it is played for a second, and drawn.
require("errors")

local function play()
  love.keyboard.isDown = function(key)
    return key == "right" or key == "down"
  end
  for _ = 1, 60 do
    love.update(1 / 60)
  end
  love.keypressed("d")
  love.graphics.origin()
  love.draw()
  local x, y, w, h = player:getRect()
  assert(x + w == 250 and y > 200 and y + h <= 580, "the wall at 250 stops the player")
  assert(score > 0)
  print(("Broadside works: score %d, player at %g, %g"):format(score, x, y))
  love.event.quit(0)
end

local load = love.load
function love.load()
  load()
  play()
end
