-- Sliders for the settings of the walker, and a level to try them in: slopes of 25, 40 and 60
-- degrees, stairs of 6 to 24 pixels, and a block with a corner to jump against. The walker leaves a
-- trail, green where it stood, red where it was in the air.

local broadside = require("broadside")
local walker = require("broadside.walker")

local FLOOR, WIDTH, HEIGHT = 240, 900, 300
local START = 40
local TRAIL = 240 -- in frames

local gravity, run, jump = 1000, 120, 470
local world, hero, shapes, trail
local vx, vy = 0, 0

local function reset()
  hero.box:setRect(START, FLOOR - 32)
  vx, vy, trail = 0, 0, {}
end

-- The page shows these sliders: name, from, to, step, value, and a function that applies a new
-- value.
web.sliders = {
  { "maxSlope", 0, 89, 1, 46, function(value) hero.maxSlope = math.rad(value) end },
  { "snap", 0, 32, 1, 8, function(value) hero.snap = value end },
  { "stepHeight", 0, 32, 1, 0, function(value) hero.stepHeight = value end },
  { "nudge", 0, 16, 1, 0, function(value) hero.nudge = value end },
  { "constantSpeed", 0, 1, 1, 1, function(value) hero.constantSpeed = value == 1 end },
  { "run", 20, 600, 10, run, function(value) run = value end },
  { "jump", 0, 900, 10, jump, function(value) jump = value end },
  { "gravity", 200, 3000, 50, gravity, function(value) gravity = value end },
}

local function addRect(x, y, w, h)
  world:insert(x, y, w, h, { static = true })
  shapes[#shapes + 1] = { x, y, x + w, y, x + w, y + h, x, y + h }
end

local function addHill(x, degrees, height)
  local half = height / math.tan(math.rad(degrees))
  local points = { x, FLOOR, x + half, FLOOR - height, x + 2 * half, FLOOR }
  world:insertPolygon(points, { static = true })
  shapes[#shapes + 1] = points
end

function love.load()
  love.window.setMode(WIDTH, HEIGHT)
  love.graphics.setBackgroundColor(0.08, 0.09, 0.13)
  world, shapes = broadside.newWorld(), {}
  addRect(0, FLOOR, WIDTH, HEIGHT - FLOOR)
  addRect(-20, 0, 20, FLOOR)
  addRect(WIDTH, 0, 20, FLOOR)
  addHill(90, 25, 40)
  addHill(280, 40, 55)
  addHill(430, 60, 50)
  for i, height in ipairs({ 6, 18, 36, 60, 36, 18, 6 }) do
    addRect(510 + 26 * i, FLOOR - height, 26, height)
  end
  addRect(790, FLOOR - 96, 50, 24)
  hero = walker.new(world, world:insert(START, FLOOR - 32, 16, 32))
  for _, slider in ipairs(web.sliders) do
    slider[6](slider[5])
  end
  reset()
end

function love.keypressed(key)
  if (key == "space" or key == "up") and hero.onFloor then
    vy = -jump
  elseif key == "r" then
    reset()
  end
end

function love.update(dt)
  local direction = 0
  if love.keyboard.isDown("left", "a") then
    direction = -1
  elseif love.keyboard.isDown("right", "d") then
    direction = 1
  end
  vx, vy = hero:walk(direction * run, vy + gravity * dt, dt)
  local x, y, w, h = hero.box:getRect()
  table.insert(trail, { x + w / 2, y + h, hero.onFloor })
  if #trail > TRAIL then
    table.remove(trail, 1)
  end
end

local function print(text, x, y)
  love.graphics.setColor(0.62, 0.68, 0.8)
  love.graphics.print(text, x, y)
end

function love.draw()
  love.graphics.setColor(0.27, 0.32, 0.43)
  for _, points in ipairs(shapes) do
    love.graphics.polygon("fill", points)
  end
  for _, place in ipairs(trail) do
    if place[3] then
      love.graphics.setColor(0.35, 0.85, 0.5)
    else
      love.graphics.setColor(1, 0.42, 0.4)
    end
    love.graphics.rectangle("fill", place[1] - 1.5, place[2] - 3, 3, 3)
  end
  local x, y, w, h = hero.box:getRect()
  love.graphics.setColor(0.3, 0.7, 1)
  love.graphics.rectangle(hero.onFloor and "fill" or "line", x, y, w, h)
  print("25 degrees", 140, FLOOR + 10)
  print("40", 338, FLOOR + 10)
  print("60", 451, FLOOR + 10)
  print("stairs: 6, 12, 18, 24", 565, FLOOR + 10)
  print("nudge", 798, FLOOR - 118)
  print(("speed %.0f, %.0f    %s%s"):format(vx, vy, hero.onFloor and "on the floor" or "in the air",
    hero.onWall ~= 0 and ", at a wall" or ""), 16, 14)
end
