--- Draws a world in LÖVE: its boxes, the circles and polygons within them, and what its back end
-- has built around them.
--
--     local view = require("broadside.debug")
--     function love.draw()
--       camera:attach()          -- lines stay one pixel wide, if it scales both axes alike
--       view.draw(world)
--       camera:detach()
--     end
--
-- A frame makes no garbage: what `world:debugRects` and `world:debugShapes` tell goes into tables
-- that are kept. Each rectangle is a call of love.graphics: it is for looking, not for shipping.

local view = {}

--- How each kind is drawn: red, green, blue, the opacity of its lines, and that of its inside.
-- Change them to your taste.
view.colors = {
  cell = { 0.36, 0.72, 0.80, 0.35, 0 },
  node = { 0.70, 0.58, 1.00, 0.60, 0 },
  fat = { 0.36, 0.82, 0.52, 0.65, 0 },
  box = { 0.98, 0.38, 0.36, 0.95, 0.12 },
  shape = { 1.00, 0.76, 0.30, 0.95, 0.16 },
}

local rects, shapes = {}, {}
local unpack = table.unpack or unpack

-- The number of pixels that a unit is wide on the screen.
local function scaleOf(graphics)
  local x1, y1 = graphics.transformPoint(0, 0)
  local x2, y2 = graphics.transformPoint(1, 0)
  local dx, dy = x2 - x1, y2 - y1
  return math.sqrt(dx * dx + dy * dy)
end

local function drawRow(graphics, i, color)
  local x, y, w, h = rects[i + 1], rects[i + 2], rects[i + 3], rects[i + 4]
  if color[5] > 0 then
    graphics.setColor(color[1], color[2], color[3], color[5])
    graphics.rectangle("fill", x, y, w, h)
  end
  graphics.setColor(color[1], color[2], color[3], color[4])
  graphics.rectangle("line", x, y, w, h)
end

-- Calls draw(mode, ...) with what follows, filled and as an outline.
local function drawOutline(graphics, draw, ...)
  local color = view.colors.shape
  graphics.setColor(color[1], color[2], color[3], color[5])
  draw("fill", ...)
  graphics.setColor(color[1], color[2], color[3], color[4])
  draw("line", ...)
end

-- Returns how many shapes there are that are no boxes.
local function drawShapes(graphics, world)
  local _, n = world:debugShapes(shapes)
  local at = 1
  for _ = 1, n do
    if shapes[at] == "circle" then
      drawOutline(graphics, graphics.circle, shapes[at + 1], shapes[at + 2], shapes[at + 3])
      at = at + 4
    else
      local last = at + 1 + 2 * shapes[at + 1]
      drawOutline(graphics, graphics.polygon, unpack(shapes, at + 2, last))
      at = last + 1
    end
  end
  return n
end

-- Fills `rects` and returns how many there are.
local function readRects(world)
  local class = type(world) == "userdata" and getmetatable(world)
  if class ~= "World" then
    local got = type(class) == "string" and class or type(world)
    error("bad argument #1 to 'draw' (2D World expected, got " .. got .. ")", 3)
  end
  local _, n = world:debugRects(rects)
  if #rects ~= 5 * n then
    error("bad argument #1 to 'draw' (2D World expected, got a 3D World)", 3)
  end
  return n
end

-- Returns what draws.
local function checkLove()
  local love = rawget(_G, "love")
  if not (love and love.graphics) then
    error("'draw' needs LÖVE: there is no love.graphics here", 3)
  end
  return love.graphics
end

local function checkKinds(kinds)
  if kinds == nil then
    return
  end
  if type(kinds) ~= "table" then
    error("bad argument #2 to 'draw' (table expected, got " .. type(kinds) .. ")", 3)
  end
  for kind in pairs(kinds) do
    if not view.colors[kind] then
      error("bad argument #2 to 'draw' (unknown kind '" .. tostring(kind)
        .. "'; known: box, shape, fat, node, cell)", 3)
    end
  end
end

--- Draws a 2D world with the transform that is set. Color, line width and style stay as they were.
-- kinds: which kinds to draw, of { box = true, shape = true, fat = true, node = true,
-- cell = true }; all, if it is left out. Returns the number of rectangles and shapes drawn.
function view.draw(world, kinds)
  local n = readRects(world)
  checkKinds(kinds)
  local graphics = checkLove()
  local red, green, blue, alpha = graphics.getColor()
  local width, style = graphics.getLineWidth(), graphics.getLineStyle()
  graphics.setLineStyle("rough")
  graphics.setLineWidth(1 / scaleOf(graphics))
  local drawn = 0
  for i = 1, 5 * n, 5 do
    local kind = rects[i]
    if not kinds or kinds[kind] then
      drawRow(graphics, i, view.colors[kind])
      drawn = drawn + 1
    end
  end
  if not kinds or kinds.shape then
    drawn = drawn + drawShapes(graphics, world)
  end
  graphics.setColor(red, green, blue, alpha)
  graphics.setLineWidth(width)
  graphics.setLineStyle(style)
  return drawn
end

return view
