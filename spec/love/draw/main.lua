-- Tests broadside.draw in LÖVE. Compares its pictures with loops over rectangles, pixel by pixel.
--
--     love spec/love/draw

local folder = love.filesystem.getSource()
package.path = folder .. "/../?.lua;" .. folder .. "/../../../?.lua;" .. package.path

require("errors")

local broadside = require("broadside")
local draw = require("broadside.draw")
local random = require("spec.support.random")

local W, H = 200, 150
local rng = random.new(1)
local canvas

-- Draws with f, and compares each pixel with expected(x, y) -> red, green, blue, each 0 or 1.
local function compare(name, f, expected)
  love.graphics.setCanvas(canvas)
  love.graphics.clear(0, 0, 0)
  love.graphics.setColor(1, 1, 1)
  f()
  love.graphics.setCanvas()
  local image, red = canvas:newImageData(), 0
  for y = 0, H - 1 do
    for x = 0, W - 1 do
      local r, g, b = image:getPixel(x, y)
      local expectedR, expectedG, expectedB = expected(x, y)
      assert(r == expectedR and g == expectedG and b == expectedB,
        ("%s: %d %d %d at %d, %d"):format(name, r, g, b, x, y))
      red = red + r + g + b
    end
  end
  assert(red > 1000, name .. " shows nothing")
end

-- The last of the rectangles {x, y, w, h} that contains the middle of the pixel.
local function find(rects, x, y)
  local found
  for _, rect in ipairs(rects) do
    if x >= rect[1] and x < rect[1] + rect[3] and y >= rect[2] and y < rect[2] + rect[4] then
      found = rect
    end
  end
  return found
end

local function testBoxes()
  local world, rects, ids = broadside.newWorld({ results = "id" }), {}, {}
  for i = 1, 600 do -- more than fit at first
    local rect = { rng:int(-10, W), rng:int(-10, H), rng:int(1, 9), rng:int(1, 9) }
    rects[i], ids[i] = rect, world:insert(rect[1], rect[2], rect[3], rect[4])
  end
  local some = { rects[3], rects[500] }
  compare("some boxes", function()
    love.graphics.rectangle("fill", 0, 0, 50, 50) -- earlier drawings stay below
    love.graphics.setColor(1, 0, 0)
    assert(draw.boxes(world, { ids[3], ids[500] }) == 2)
    love.graphics.setColor(0, 1, 0)
    love.graphics.rectangle("fill", 60, 60, 40, 40)
  end, function(x, y)
    if x >= 60 and x < 100 and y >= 60 and y < 100 then
      return 0, 1, 0
    elseif find(some, x, y) then
      return 1, 0, 0
    end
    local white = x < 50 and y < 50 and 1 or 0
    return white, white, white
  end)
  compare("all boxes", function()
    love.graphics.setColor(0, 0, 1)
    assert(draw.boxes(world) == 600)
  end, function(x, y) return 0, 0, find(rects, x, y) and 1 or 0 end)
  compare("boxes, moved", function()
    love.graphics.translate(7, -5)
    draw.boxes(world)
    love.graphics.origin()
  end, function(x, y)
    local white = find(rects, x - 7, y + 5) and 1 or 0
    return white, white, white
  end)
end

-- Movers that fly along the axes. Tag 3 has a size of its own. Tags 0, 2 and 3 have colours, and
-- all others the style's colour.
local function testPool()
  local pool, rects = broadside.newPool({ capacity = 900 }), {}
  local STYLE = { w = 6, h = 2, color = { 1, 1, 0 }, turned = true,
    [0] = { color = { 0, 0, 1 } }, [2] = { color = { 1, 0, 0 } },
    [3] = { w = 8, h = 4, color = { 0, 1, 0 } } }
  for i = 1, 700 do
    local x, y, tag = rng:int(0, W), rng:int(0, H), rng:pick({ 0, 2, 3, 90, -1 })
    local direction = rng:pick({ { 0, 0 }, { 2, 0 }, { 0, 3 }, { 0, -1 }, { -1e-3, 0 } })
    pool:spawn(x, y, direction[1], direction[2], { tag = tag })
    local w, h = STYLE[tag] and STYLE[tag].w or 6, STYLE[tag] and STYLE[tag].h or 2
    if direction[2] ~= 0 then
      w, h = h, w
    end
    local color = STYLE[tag] and STYLE[tag].color or STYLE.color
    rects[i] = { x - w / 2, y - h / 2, w, h, color = color }
  end
  compare("movers", function()
    assert(draw.pool(pool, STYLE) == 700)
  end, function(x, y)
    local rect = find(rects, x, y)
    if rect then
      return rect.color[1], rect.color[2], rect.color[3]
    end
    return 0, 0, 0
  end)
  compare("movers, plain", function()
    love.graphics.setColor(0, 1, 1)
    draw.pool(pool)
  end, function(x, y)
    for _, rect in ipairs(rects) do
      local dx, dy = x - rect[1] - rect[3] / 2, y - rect[2] - rect[4] / 2
      if dx >= -2 and dx < 2 and dy >= -2 and dy < 2 then
        return 0, 1, 1
      end
    end
    return 0, 0, 0
  end)
end

local function testTexture()
  local pixels = love.image.newImageData(2, 1) -- red, green
  pixels:setPixel(0, 0, 1, 0, 0, 1)
  pixels:setPixel(1, 0, 0, 1, 0, 1)
  local image = love.graphics.newImage(pixels)
  image:setFilter("nearest")
  local pool = broadside.newPool({ capacity = 1 })
  pool:spawn(100, 70, 0, 5)
  compare("a texture, turned", function()
    draw.pool(pool, { w = 80, h = 40, texture = image, turned = true })
  end, function(x, y)
    local isIn = x >= 80 and x < 120 and y >= 30 and y < 110
    return isIn and y < 70 and 1 or 0, isIn and y >= 70 and 1 or 0, 0
  end)
end

-- Circles cover as much as their boxes say, except what a polygon of 24 corners leaves out.
local function testCircles()
  local world = broadside.newWorld()
  world:insertCircle(100, 75, 60)
  local image
  love.graphics.setCanvas(canvas)
  love.graphics.clear(0, 0, 0)
  draw.boxes(world, nil, "circle")
  love.graphics.setCanvas()
  image = canvas:newImageData()
  for y = 0, H - 1 do
    for x = 0, W - 1 do
      local distance = math.sqrt((x + 0.5 - 100) ^ 2 + (y + 0.5 - 75) ^ 2)
      local red = image:getPixel(x, y)
      assert(distance > 59 and distance < 61 or red == (distance < 60 and 1 or 0),
        ("a circle: %g at %d, %d"):format(red, x, y))
    end
  end
end

-- A shader that was set stays set, and drawing a frame makes no garbage.
local function testState()
  local world, pool = broadside.newWorld(), broadside.newPool({ capacity = 500 })
  for i = 1, 500 do
    world:insert(i, i, 1, 1)
    pool:spawn(i, i, 1, 1)
  end
  local shader = love.graphics.newShader([[
    vec4 effect(vec4 color, Image texture, vec2 at, vec2 pixel) { return color; }
  ]])
  love.graphics.setShader(shader)
  draw.boxes(world)
  draw.pool(pool)
  assert(love.graphics.getShader() == shader)
  love.graphics.setShader()
  draw.boxes(world)
  assert(love.graphics.getShader() == nil)
  jit.off()
  local function frames()
    for _ = 1, 100 do
      draw.boxes(world)
      draw.pool(pool, nil)
    end
  end
  frames()
  collectgarbage()
  collectgarbage("stop")
  local before = collectgarbage("count")
  frames()
  local garbage = collectgarbage("count") - before
  collectgarbage("restart")
  assert(garbage < 0.5, garbage .. " kilobytes of garbage")
end

function love.load()
  canvas = love.graphics.newCanvas(W, H, { msaa = 0 })
  testBoxes()
  testPool()
  testTexture()
  testCircles()
  testState()
  print("broadside.draw: every pixel is as expected")
  love.event.quit(0)
end
