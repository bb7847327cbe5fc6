--- Draws boxes and movers in LÖVE, tens of thousands of them by one call each. The world or the
-- pool writes rows of floats into a Data, which becomes the attributes of a mesh's instances. So
-- there is no loop in Lua and no garbage. doc/draw.md has an example.

local folder = ((...) or ""):match("^(.+)[./\\]") or "broadside"
local arguments = require(folder .. ".support.arguments")
local fields = require(folder .. ".support.fields")

local draw = {}

local check, isA, unpack = arguments.check, arguments.isA, table.unpack or unpack

local LENGTH = "finite number >= 0"

local HIGHEST = 15 -- the highest tag with a look of its own; 16 stands for all others
local FLOAT = 4 -- bytes
local ROUND = 24 -- corners of a circle

-- x, y, and the place in a texture.
local CORNERS = {
  rectangle = { { 0, 0, 0, 0 }, { 1, 0, 1, 0 }, { 1, 1, 1, 1 }, { 0, 1, 0, 1 } },
  circle = {},
}
for i = 1, ROUND do
  local x = 0.5 + 0.5 * math.cos(2 * math.pi * i / ROUND)
  local y = 0.5 + 0.5 * math.sin(2 * math.pi * i / ROUND)
  CORNERS.circle[i] = { x, y, x, y }
end

-- How rows of floats are drawn: their names in the shader, and the shader. The meshes, which have a
-- row for each instance, are made when they are first needed.
local boxes = {
  capacity = 0,
  floats = 4,
  format = { { "BoxPlace", "float", 2 }, { "BoxSize", "float", 2 } },
  source = [[
    attribute vec2 BoxPlace;
    attribute vec2 BoxSize;

    vec4 position(mat4 transform, vec4 vertex) {
      return transform * vec4(BoxPlace + vertex.xy * BoxSize, 0.0, 1.0);
    }
  ]],
}

local movers = {
  capacity = 0,
  floats = 5,
  format = {
    { "MoverPlace", "float", 2 }, { "MoverVelocity", "float", 2 }, { "MoverTag", "float", 1 },
  },
  source = [[
    attribute vec2 MoverPlace;
    attribute vec2 MoverVelocity;
    attribute float MoverTag;
    uniform vec2 Sizes[17];
    uniform vec4 Colors[17];
    uniform float Turned;

    vec4 position(mat4 transform, vec4 vertex) {
      int tag = MoverTag > -0.5 && MoverTag < 15.5 ? int(MoverTag + 0.5) : 16;
      float speed = length(MoverVelocity);
      vec2 along = Turned > 0.5 && speed > 0.0 ? MoverVelocity / speed : vec2(1.0, 0.0);
      vec2 corner = (vertex.xy - 0.5) * Sizes[tag];
      vec2 place = MoverPlace + vec2(corner.x * along.x - corner.y * along.y,
        corner.x * along.y + corner.y * along.x);
      VaryingColor *= Colors[tag];
      return transform * vec4(place, 0.0, 1.0);
    }
  ]],
}

local function newMesh(batch, rows, corners)
  local mesh = love.graphics.newMesh(corners, "fan", "static")
  for _, attribute in ipairs(batch.format) do
    mesh:attachAttribute(attribute[1], rows, "perinstance")
  end
  return mesh
end

local function reserve(batch, n)
  if n <= batch.capacity then return end
  local capacity = math.max(n, 2 * batch.capacity, 256)
  local data = love.data.newByteData(capacity * batch.floats * FLOAT)
  local rows = love.graphics.newMesh(batch.format, capacity, "points", "stream")
  for shape, corners in fields(CORNERS) do
    batch[shape] = newMesh(batch, rows, corners)
  end
  batch.shader = batch.shader or love.graphics.newShader(batch.source)
  batch.data, batch.rows, batch.capacity = data, rows, capacity
end

-- Draws the first n rows of a batch.
local function present(batch, n, shape, texture)
  if n == 0 then return end
  local mesh, before = batch[shape], love.graphics.getShader()
  batch.rows:setVertices(batch.data, 1, n)
  if texture then
    mesh:setTexture(texture)
  else
    mesh:setTexture()
  end
  love.graphics.setShader(batch.shader)
  love.graphics.drawInstanced(mesh, n)
  love.graphics.setShader(before)
end

local function isPool(value)
  local meta = type(value) == "userdata" and arguments.metatableOf(value)
  return meta and rawget(meta, "__name") == "broadside.Pool"
end

--- Draws boxes of a 2D World, filled with the current color, with the current transform.
-- list: Boxes or ids, such as the result of a query; nil for all boxes, in insertion order.
-- shape: "rectangle" (the default), or "circle": an ellipse as wide and as high as the box.
-- Returns their number. O(n)
function draw.boxes(world, list, shape)
  arguments.checkWorld(world, "boxes", draw)
  check(list == nil or type(list) == "table", "boxes", 2, "table of boxes", list)
  check(shape == nil or CORNERS[shape], "boxes", 3, "'rectangle' or 'circle'", shape)
  arguments.checkLove("boxes")
  reserve(boxes, list and #list or world:count())
  local n = 0
  if boxes.capacity > 0 then n = world:writeRects(boxes.data, list) end
  present(boxes, n, shape or "rectangle")
  return n
end

-- What the shader gets for each tag. The same tables are used at each call.
local sizes, colors = {}, {}
for i = 1, HIGHEST + 2 do
  sizes[i], colors[i] = { 0, 0 }, { 1, 1, 1, 1 }
end

local WHITE = { 1, 1, 1, 1 }
local PLAIN = {}

-- The fields of the look of a tag, and those of a style. A style also has the tags.
local LOOK = { w = true, h = true, color = true }
local STYLE = { w = true, h = true, color = true, shape = true, turned = true, texture = true }
for tag = 0, HIGHEST do
  STYLE[tag] = true
end

local function unknownField(t, known)
  for name in fields(t) do
    if not known[name] then return name end
  end
end

-- Returns nothing; or what was expected, and what was found.
local function readLook(i, look, style)
  if type(look) ~= "table" then return "table as the look of tag " .. i - 1, look end
  local unknown = unknownField(look, LOOK)
  if unknown ~= nil then return "w, h and color in the look of tag " .. i - 1, unknown end
  local w = look.w or style.w or 4
  local h = look.h or look.w or style.h or w
  local color = look.color or style.color or WHITE
  if not (isA(w, LENGTH) and isA(h, LENGTH)) then
    return "sizes >= 0 as w and h", isA(w, LENGTH) and h or w
  elseif type(color) ~= "table" then
    return "{red, green, blue, alpha} as color", color
  end
  sizes[i][1], sizes[i][2] = w, h
  for k = 1, 4 do
    colors[i][k] = color[k] or 1
  end
end

--- Draws the movers of a 2D Pool, with the current transform.
-- style: a table that is read at each call, as in types/library/broadside/draw.lua.
-- Returns their number. O(n)
function draw.pool(pool, style)
  check(isPool(pool), "pool", 1, "2D Pool", pool)
  arguments.checkTable(style, "pool", 2)
  style = style or PLAIN
  local unknown = unknownField(style, STYLE)
  check(unknown == nil, "pool", 2,
    "w, h, color, shape, turned, texture or a tag from 0 to 15 as field", unknown)
  local shape = style.shape or "rectangle"
  check(CORNERS[shape], "pool", 2, "'rectangle' or 'circle' as shape", shape)
  for tag = 0, HIGHEST + 1 do
    local look = tag <= HIGHEST and style[tag] or PLAIN
    local expected, value = readLook(tag + 1, look, style)
    check(not expected, "pool", 2, expected, value)
  end
  arguments.checkLove("pool")
  reserve(movers, pool:count())
  local n = 0
  if movers.capacity > 0 then
    n = pool:write(movers.data)
    movers.shader:send("Sizes", unpack(sizes))
    movers.shader:sendColor("Colors", unpack(colors))
    movers.shader:send("Turned", style.turned and 1 or 0)
  end
  present(movers, n, shape, style.texture)
  return n
end

return draw
