
-- What follows the game to start from: it is played for two seconds, and drawn.
require("errors")

local function play(frames, ...)
  local keys = {}
  for _, key in ipairs({ ... }) do
    keys[key] = true
  end
  love.keyboard.isDown = function(key)
    return keys[key] or false
  end
  for _ = 1, frames do
    love.update(1 / 60)
  end
end

local function check()
  play(60, "right")
  local x, y, w, h = player:getRect()
  assert(x + w == 250 and y + h == 580, "the floor and the wall at 250 stop the player")
  love.keypressed("space")
  play(60, "right")
  x, y = player:getRect()
  assert(x > 250 and y + h <= 580, "it jumps over that wall")
  assert(score > 0, "there are coins on the way")
  love.keypressed("d")
  love.graphics.origin()
  love.draw()
  print(("Broadside works: score %d, player at %g, %g"):format(score, x, y))
  love.event.quit(0)
end

local load = love.load
function love.load()
  load()
  check()
end
