-- A game to start from: `make love-package` lays it out with Broadside beside it. Left and right
-- run, space jumps, D shows what the world sees. F5 writes what was played, for a test.

local debugView = require("broadside.debug")
local play = require("broadside.play")

local game = require("game")()
local p = play.new(game, { inputs = { "left", "right", "jump" } })
local world, hero, showDebug = game.world, game.hero, false

function love.update(dt)
  p:set("left", love.keyboard.isDown("left"))
  p:set("right", love.keyboard.isDown("right"))
  p:update(dt) -- steps of a 60th of a second, whatever dt is
end

function love.keypressed(key)
  if key == "space" then p:press("jump") end
  if key == "d" then showDebug = not showDebug end
  if key == "f5" then love.filesystem.write("record.txt", p:record()) end
end

-- Where a box is between the last two steps.
local function placeOf(box)
  local x, y, w, h = box:getRect()
  local last = game.before[box]
  if last then x, y = last.x + (x - last.x) * p.alpha, last.y + (y - last.y) * p.alpha end
  return x, y, w, h
end

local COLORS = { ground = { 0.27, 0.2, 0.3 }, ledge = { 0.75, 0.5, 0.35 }, lift = { 1, 0.8, 0.35 } }

local function fill(shape, r, g, b, a, ...) -- red, green, blue, opacity
  love.graphics.setColor(r, g, b, a)
  love.graphics[shape]("fill", ...)
end

local function drawCoin(x, y)
  for i = 1, 4 do fill("circle", 1, 0.8, 0.3, 0.12, x + 10, y + 10, 6 + 5 * i) end -- its glow
  local turn = math.abs(math.cos(2 * game.time + x))
  fill("ellipse", 1, 0.82, 0.35, 1, x + 10, y + 10, 8 * turn + 1, 9)
end

local function drawHero(x, y, w, h)
  local step = hero.onFloor and 8 * math.sin(game.walked / 12) or 5
  fill("rectangle", 0.3, 0.65, 0.98, 1, x, y, w, h - 6, 10)
  for side = -1, 1, 2 do -- a leg and an eye
    local eyeX = x + w / 2 + 4 * game.facing + 6 * side
    fill("rectangle", 0.15, 0.3, 0.6, 1, x + w / 2 - 4 + side * step, y + h - 8, 9, 8, 3)
    fill("ellipse", 1, 1, 1, 1, eyeX, y + 13, 5, 6)
    fill("circle", 0.1, 0.1, 0.2, 1, eyeX + 2 * game.facing, y + 13, 2.5)
  end
end

function love.draw()
  for i = 0, 29 do fill("rectangle", 0.2 + i / 40, 0.24 + i / 60, 0.5, 1, 0, 20 * i, 800, 20) end
  for i = 1, 9 do fill("circle", 1, 0.9, 0.6, 0.1, 480, 400, 13 * i) end -- the sun
  for i = 0, 4 do fill("circle", 0.4, 0.3, 0.5, 1, 200 * i, 620, 170 + 40 * (i % 2)) end -- hills
  for box in world:boxes() do
    local kind, shape, corners = box:getData(), box:getShape()
    love.graphics.setColor(COLORS[kind] or COLORS.ground)
    if kind == "coin" then drawCoin(box:getRect())
    elseif kind == "hero" then drawHero(placeOf(box))
    elseif shape == "polygon" then love.graphics.polygon("fill", corners)
    else love.graphics.rectangle("fill", placeOf(box)) end
  end
  if showDebug then debugView.draw(world, { walkers = { hero } }) end
  love.graphics.setColor(1, 1, 1)
  love.graphics.print("coins: " .. game.score .. "    left, right, space", 60, 12)
end
