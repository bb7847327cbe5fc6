-- Tests the picture of broadside.debug, with a scene that has everything that it draws. Enough
-- pixels must differ from the background, and the state of love.graphics must not change.
--
--     love spec/love/debug PICTURE

local folder = love.filesystem.getSource()
package.path = folder .. "/../?.lua;" .. package.path

require("errors")

local broadside = require("broadside")
local view = require("broadside.debug")

local W, H, SCALE = 640, 300, 2
local WALL, COIN, CRATE, HERO = 1, 2, 4, 8
local LABELS = {
  { "wall", 12, 121 }, { "one-way", 24, 48 }, { "coins: sensors", 88, 14 }, { "hero", 84, 68 },
  { "its floor", 92, 121 }, { "crate", 184, 98 }, { "ball", 272, 80 }, { "layer 0", 280, 14 },
  { "trigger", 180, 14 },
}

-- Returns the world, and the options for view.draw.
local function newScene()
  local world = broadside.newWorld({ gravity = { 0, 400 } })
  local wall = { static = true, layer = WALL }
  world:insert(0, 118, 196, 24, wall)
  world:insert(196, 118, 124, 24, wall)
  world:insertPolygon({ 84, 118, 132, 94, 132, 118 }, wall)
  world:insert(132, 94, 20, 24, wall)
  world:insert(20, 66, 48, 6, { static = true, layer = WALL, oneWay = { 0, -1 } })
  for i = 0, 2 do
    world:insertCircle(96 + 16 * i, 36, 6, { static = true, layer = COIN, sensor = true })
  end
  world:insert(176, 24, 36, 24, { static = true, layer = COIN, sensor = true })
  world:insert(284, 24, 20, 12, { layer = 0, static = true })
  world:insert(160, 90, 18, 18, { layer = CRATE, response = "slide", vy = 900 })
  world:insertCircle(280, 108, 9, { layer = CRATE, response = "bounce", vx = 60, vy = 200 })
  local hero = world:insert(100, 60, 12, 20, { layer = HERO })
  world:step(1 / 60)
  local _, _, hits = world:move(hero, 100, 130, { touch = WALL })
  return world, { hit = true, box = true, shape = true, walkers = { { box = hero, onFloor = true,
    floor = hits[1].other, floorNx = hits[1].nx, floorNy = hits[1].ny, hits = hits } } }
end

local function draw(world, opts)
  love.graphics.clear(0.09, 0.10, 0.13)
  love.graphics.push()
  love.graphics.scale(SCALE)
  love.graphics.setColor(0.2, 0.4, 0.6, 0.8)
  assert(view.draw(world, opts) == #world + 5) -- and the shapes in five boxes
  local r, g, b, a = love.graphics.getColor()
  assert(math.abs(r - 0.2) + math.abs(g - 0.4) + math.abs(b - 0.6) + math.abs(a - 0.8) < 1e-6)
  assert(love.graphics.getLineWidth() == 1 and love.graphics.getLineStyle() == "smooth")
  love.graphics.pop()
  love.graphics.setColor(0.75, 0.78, 0.84)
  for _, label in ipairs(LABELS) do
    love.graphics.print(label[1], SCALE * label[2], SCALE * label[3])
  end
end

function love.load(arguments)
  local canvas = love.graphics.newCanvas(W, H)
  local world, opts = newScene()
  canvas:renderTo(function() draw(world, opts) end)
  local image, drawn = canvas:newImageData(), 0
  image:mapPixel(function(_, _, r, g, b, a)
    drawn = drawn + (r + g + b > 0.4 and 1 or 0)
    return r, g, b, a
  end)
  assert(drawn > 5000, "hardly anything is drawn")
  local file = assert(io.open(arguments[1], "wb"))
  file:write(image:encode("png"):getString())
  file:close()
  print("broadside.debug: picture of all that it draws")
  love.event.quit(0)
end
