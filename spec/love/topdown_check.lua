
-- Follows the main.lua of doc/topdown.md. The hero takes a coin. Takes a picture.
require("errors")

local pictures = require("pictures")

function love.load(arguments)
  pictures.play(12, "right")
  pictures.play(20, "up")
  assert(coins == 1, "it takes a coin")
  pictures.save(arguments[#arguments], 800, 400, love.draw)
  print("The game of doc/topdown.md works")
  love.event.quit(0)
end
