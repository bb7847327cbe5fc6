
-- Follows the main.lua of doc/tiled.md. The hero walks over the hill and jumps. Takes two pictures.
require("errors")

local pictures = require("pictures")

local load = love.load
function love.load(arguments)
  load()
  assert(world:count() < 30, "tiles are merged")
  pictures.play(40)
  assert(hero.onFloor, "it stands")
  pictures.play(88, "right")
  local x, y = hero.box:getRect()
  assert(x > 352 and hero.onFloor, "it has come over the hill")
  pictures.play(12, "right", "up")
  assert(select(2, hero.box:getRect()) < y - 60, "it jumps")
  pictures.save(arguments[1], 800, 600, love.draw)
  pictures.play(0, "d")
  pictures.save(arguments[2], 800, 600, love.draw)
  print("The game of doc/tiled.md works")
  love.event.quit(0)
end
