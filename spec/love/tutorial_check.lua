
-- Follows the main.lua of the tutorial's game. Plays it for a second, and draws it.
require("errors")

local keys = {}
love.keyboard.isDown = function(key) return keys[key] or false end

local function play(frames, key)
  keys = { [key] = true }
  for _ = 1, frames do
    love.update(1 / 60)
  end
end

local function save(image)
  local file = assert(io.open(arg[#arg], "wb"))
  file:write(image:encode("png"):getString())
  file:close()
end

local load = love.load
function love.load()
  load()
  play(30, "right")
  play(8, "space")
  play(20, "right")
  local x, y = game.box:getRect()
  assert(x > 240 and y < 400 and game.coinsLeft == 6, "it jumps through the ledge, and gets a coin")
  love.graphics.captureScreenshot(save)
  love.graphics.clear(love.graphics.getBackgroundColor())
  love.draw()
  love.graphics.present()
  print("The tutorial's game works")
  love.event.quit(0)
end
