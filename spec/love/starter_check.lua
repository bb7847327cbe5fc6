
-- Follows the main.lua of the game to start from. Plays it for some seconds, and draws it.
require("errors")

local function frames(count, ...)
  local keys = {}
  for _, key in ipairs({ ... }) do
    keys[key] = true
  end
  love.keyboard.isDown = function(key) return keys[key] or false end
  for _ = 1, count do
    love.update(1 / 60)
  end
end

local function placeOfHero()
  local x, y, w, h = hero.box:getRect()
  return x + w / 2, y + h
end

local function check()
  frames(60, "left")
  local x, y = placeOfHero()
  assert(x == 66 and y == 500 and hero.onFloor, "the wall stops it, and it stands on the ground")
  frames(78, "right")
  x, y = placeOfHero()
  assert(x > 300 and x < 400 and y == 400 and hero.onFloor, "it walks up the hill")
  love.keypressed("space")
  frames(5, "right")
  frames(55)
  x, y = placeOfHero()
  assert(y == 250 and x > 350 and hero.onFloor, "it jumps on the ledge above")
  love.keypressed("f5")
  local record = assert(love.filesystem.read("record.txt"), "F5 writes a record")
  assert(play.replay(require("game")(), record).steps == p.steps, "it is replayed")
  local liftX, top = game.lift:getRect()
  hero.box:setRect(liftX + 20, top - 41)
  frames(700)
  liftX, top = game.lift:getRect()
  x, y = placeOfHero()
  assert(x > liftX and y == top, "the lift takes it along")
  assert(game.score > 0, "there is a coin on the way")
  love.keypressed("d")
  love.graphics.origin()
  love.draw()
  print(("Broadside works: score %d, player at %g, %g"):format(game.score, x, y))
  love.event.quit(0)
end

local load = love.load or function() end
function love.load()
  load()
  check()
end
