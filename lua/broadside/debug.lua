--- Draws a world in LÖVE as its rules see it; doc/draw.md has an example. A frame makes no garbage
-- (a world of ids makes its Boxes in the first one). Each box takes a few calls of love.graphics,
-- so this is for development, not for players.

local folder = ((...) or ""):match("^(.+)[./\\]") or "broadside"
local arguments = require(folder .. ".support.arguments")
local fields = require(folder .. ".support.fields")

local view = {}

--- The colours of layers, by the lowest bit of a box's layer. After the last one they begin again.
view.layers = {
  [0] = { 0.60, 0.60, 0.64 }, -- for layer 0, which makes no pairs
  { 0.98, 0.38, 0.36 }, { 1.00, 0.76, 0.30 }, { 0.42, 0.84, 0.46 }, { 0.36, 0.68, 1.00 },
  { 0.84, 0.52, 1.00 }, { 0.30, 0.86, 0.86 }, { 1.00, 0.56, 0.76 }, { 0.80, 0.84, 0.40 },
}

--- How everything else is drawn: red, green, blue, opacity of lines. Change them to your taste.
view.colors = {
  cell = { 0.36, 0.72, 0.80, 0.35 },
  node = { 0.70, 0.58, 1.00, 0.60 },
  fat = { 0.36, 0.82, 0.52, 0.65 },
  hit = { 1.00, 1.00, 1.00, 0.95 },
  floor = { 0.55, 1.00, 0.35, 1.00 },
}

-- The opacity of outlines, of fillings, and of the rectangle around a shape.
local OUTLINE, STATIC, DYNAMIC, SENSOR, AROUND = 0.95, 0.10, 0.30, 0.05, 0.25

-- Lengths in pixels.
local DASH, ARROW, HEAD, THICK = 5, 18, 5, 3
local MOST_DASHES = 40 -- on one side

local DEFAULT = { box = true, shape = true, hit = true }
local KINDS = { box = true, shape = true, hit = true, fat = true, node = true, cell = true }
local NONE = {}

-- The graphics to draw on; the width of a pixel in units of the world; tables that are used again.
local graphics, pixel
local rects, corners, known = {}, {}, {}
local unpack = table.unpack or unpack

-- Arguments ---------------------------------------------------------------------------------------

-- What is wrong with the option `walkers`, a list of walkers, or `hits`, rows by box; or nil.
local function complaintOf(name, value)
  local item = name == "walkers" and "walker" or "rows"
  if type(value) ~= "table" then
    return "table expected, got " .. type(value)
  elseif item == "walker" and value.box ~= nil then
    return "list expected, got one walker; write walkers = { walker }"
  end
  for _, found in fields(value) do
    if type(found) ~= "table" or item == "walker" and found.box == nil then
      return item .. " expected, got " .. type(found)
    elseif item == "rows" and found.other ~= nil then
      return "rows by box expected, got rows; write hits = { [box] = rows }"
    end
  end
  return nil
end

-- Returns the kinds to draw.
local function checkOptions(opts)
  arguments.check(type(opts) == "table", "draw", 2, "table", opts)
  local kinds, isEmpty = DEFAULT, true
  for name, value in fields(opts) do
    isEmpty = false
    if KINDS[name] then
      kinds = opts
    elseif name ~= "walkers" and name ~= "hits" then
      arguments.refuse("draw", 2, ("unknown kind '%s'; known: box, shape, hit, fat, node, cell, "
        .. "hits, walkers"):format(tostring(name)))
    else
      local complaint = complaintOf(name, value)
      if complaint then arguments.refuse("draw", 2, ("option '%s': %s"):format(name, complaint)) end
    end
  end
  return isEmpty and NONE or kinds
end

-- Lines -------------------------------------------------------------------------------------------

local function setColor(color, opacity)
  graphics.setColor(color[1], color[2], color[3], opacity or color[4])
end

local function drawDashes(x1, y1, x2, y2)
  local dx, dy = x2 - x1, y2 - y1
  local n = math.min(math.sqrt(dx * dx + dy * dy) / (2 * DASH * pixel), MOST_DASHES)
  n = math.max(math.floor(n + 0.5), 1)
  for i = 0, n - 1 do
    local from, to = (i + 0.25) / n, (i + 0.75) / n
    graphics.line(x1 + from * dx, y1 + from * dy, x1 + to * dx, y1 + to * dy)
  end
end

local function drawArrow(x, y, nx, ny)
  local length, head = ARROW * pixel, HEAD * pixel
  local endX, endY = x + length * nx, y + length * ny
  local backX, backY = endX - head * nx, endY - head * ny
  graphics.line(x, y, endX, endY)
  graphics.line(backX - head * ny, backY + head * nx, endX, endY)
  graphics.line(backX + head * ny, backY - head * nx, endX, endY)
end

-- Boxes -------------------------------------------------------------------------------------------

-- The colour of the lowest bit of a layer.
local function colorOf(layer)
  local bit = 0
  while layer > 0 and layer % 2 == 0 do
    layer, bit = layer / 2, bit + 1
  end
  return view.layers[layer > 0 and bit % #view.layers + 1 or 0]
end

-- Draws a dashed outline. The corners of a polygon have been read already.
local function drawDashed(_, kind, x, y, w, h)
  local n = kind == "box" and 8 or kind == "circle" and 48 or #corners
  if kind == "box" then
    corners[1], corners[2], corners[3], corners[4] = x, y, x + w, y
    corners[5], corners[6], corners[7], corners[8] = x + w, y + h, x, y + h
  elseif kind == "circle" then
    for i = 1, 24 do
      corners[2 * i - 1] = x + w / 2 + w / 2 * math.cos(i * math.pi / 12)
      corners[2 * i] = y + h / 2 + h / 2 * math.sin(i * math.pi / 12)
    end
  end
  for i = 1, n, 2 do
    local next = i + 2 <= n and i + 2 or 1
    drawDashes(corners[i], corners[i + 1], corners[next], corners[next + 1])
  end
end

local function drawShape(mode, kind, x, y, w, h)
  if kind == "circle" then
    graphics.circle(mode, x + w / 2, y + h / 2, w / 2)
  elseif kind == "polygon" then
    graphics.polygon(mode, unpack(corners))
  else
    graphics.rectangle(mode, x, y, w, h)
  end
end

local function drawOneWay(x, y, w, h, nx, ny)
  local faceX, faceY = x + w / 2 + nx * w / 2, y + h / 2 + ny * h / 2
  local alongX, alongY = ny * w / 2, nx * h / 2
  graphics.setLineWidth(THICK * pixel)
  graphics.line(faceX - alongX, faceY - alongY, faceX + alongX, faceY + alongY)
  graphics.setLineWidth(pixel)
  drawArrow(faceX, faceY, nx, ny)
end

-- Draws a box. Returns how many rectangles and shapes it has drawn.
local function drawBox(box, kinds)
  local x, y, w, h = box:getRect()
  local kind, color, n = box:getShape(corners), colorOf((box:getFilter())), 0
  local isSensor, nx, ny = box:isSensor(), box:getOneWay()
  if kinds.box and kind ~= "box" then -- its rectangle around the shape
    setColor(color, AROUND)
    graphics.rectangle("line", x, y, w, h)
    n = 1
  end
  if kind == "box" and kinds.box or kind ~= "box" and kinds.shape then
    setColor(color, isSensor and SENSOR or box:isStatic() and STATIC or DYNAMIC)
    drawShape("fill", kind, x, y, w, h)
    setColor(color, OUTLINE)
    local draw = isSensor and drawDashed or drawShape
    draw("line", kind, x, y, w, h)
    n = n + 1
  end
  if n > 0 and nx then
    setColor(color, OUTLINE)
    drawOneWay(x, y, w, h, nx, ny)
  end
  return n
end

-- Hits and floors ---------------------------------------------------------------------------------

-- Finds the Box of each data, or false if several boxes have the same data.
local function readKnown(world)
  for data in fields(known) do
    known[data] = nil
  end
  for box in world:boxes() do
    local data = box:getData()
    if data ~= nil and data == data then known[data] = known[data] == nil and box end
  end
end

-- The Box of a result of the world; nil or false if it is not known.
local function boxOf(world, result)
  return arguments.toBox(world, result) or result ~= nil and known[result]
end

local function signOf(x)
  return x > 0 and 1 or x < 0 and -1 or 0
end

-- Where a box at x, y touches a side with that normal: the middle of a side, or a corner. For a
-- polygon it is approximate.
local function footOf(box, x, y, nx, ny)
  local _, _, w, h = box:getRect()
  if box:getShape(corners) == "box" then nx, ny = signOf(nx), signOf(ny) end
  return x + w / 2 - nx * w / 2, y + h / 2 - ny * h / 2
end

local function drawNormal(box, x, y, nx, ny)
  if nx ~= 0 or ny ~= 0 then
    local footX, footY = footOf(box, x, y, nx, ny)
    drawArrow(footX, footY, nx, ny)
  end
end

-- Draws the normals of the rows of a move, where the box hit the others.
local function drawRows(box, rows)
  for _, row in ipairs(rows) do
    if row.nx then drawNormal(box, row.x, row.y, row.nx, row.ny) end
  end
end

-- Draws what a walker has hit and, if it stands, the line of its floor and the normal of that.
local function drawWalker(world, walker)
  local box = boxOf(world, walker.box)
  if not box then return end
  setColor(view.colors.hit)
  drawRows(box, walker.hits or NONE)
  if walker.onFloor then
    local x, y, w, h = box:getRect()
    local nx, ny = walker.floorNx, walker.floorNy
    local footX, footY = footOf(box, x, y, nx, ny)
    local half = (math.abs(nx) * h + math.abs(ny) * w) / 2 + THICK * pixel
    local floor = boxOf(world, walker.floor)
    setColor(view.colors.floor)
    graphics.setLineWidth(THICK * pixel)
    graphics.line(footX - ny * half, footY + nx * half, footX + ny * half, footY - nx * half)
    graphics.setLineWidth(pixel)
    if floor then graphics.rectangle("line", floor:getRect()) end
    drawArrow(footX, footY, nx, ny)
  end
end

-- The world ---------------------------------------------------------------------------------------

local function drawAll(world, kinds, opts)
  local drawn, n = 0, 0
  if kinds.box or kinds.shape then
    for box in world:boxes() do
      drawn = drawn + drawBox(box, kinds)
    end
  end
  if kinds.fat or kinds.node or kinds.cell then n = select(2, world:debugRects(rects)) end
  for i = 1, 5 * n, 5 do
    local kind = rects[i]
    if kind ~= "box" and kinds[kind] then
      setColor(view.colors[kind])
      graphics.rectangle("line", rects[i + 1], rects[i + 2], rects[i + 3], rects[i + 4])
      drawn = drawn + 1
    end
  end
  if kinds.hit or opts.hits or opts.walkers then
    readKnown(world)
    setColor(view.colors.hit)
  end
  if kinds.hit then
    for result, _, _, _, nx, ny in world:hits() do
      local box = boxOf(world, result)
      if box then
        local x, y = box:getRect()
        drawNormal(box, x, y, nx, ny)
      end
    end
  end
  for result, rows in fields(opts.hits or NONE) do
    local box = boxOf(world, result)
    if box then drawRows(box, rows) end
  end
  for _, walker in ipairs(opts.walkers or NONE) do
    drawWalker(world, walker)
  end
  return drawn
end

--- Draws a 2D world with the current transform. Color, line width and style stay as they were.
-- opts: kinds to draw, hits and walkers, as in types/library/broadside/debug.lua. The default is
-- boxes and shapes, and the normals of the last step's hits.
-- Returns the number of rectangles and shapes drawn.
function view.draw(world, opts)
  arguments.checkWorld(world, "draw", view)
  local kinds = opts == nil and DEFAULT or checkOptions(opts)
  graphics = arguments.checkLove("draw")
  local red, green, blue, alpha = graphics.getColor()
  local width, style = graphics.getLineWidth(), graphics.getLineStyle()
  local x1, y1 = graphics.transformPoint(0, 0)
  local x2, y2 = graphics.transformPoint(1, 0)
  pixel = 1 / math.sqrt((x2 - x1) ^ 2 + (y2 - y1) ^ 2)
  graphics.setLineStyle("rough")
  graphics.setLineWidth(pixel)
  local drawn = drawAll(world, kinds, opts or NONE)
  graphics.setColor(red, green, blue, alpha)
  graphics.setLineWidth(width)
  graphics.setLineStyle(style)
  return drawn
end

return view
