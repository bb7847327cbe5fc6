-- Draws many boxes of a world by one call: the world writes their rectangles as floats into a Data,
-- which becomes the attributes of a mesh's instances. No Lua loop, and no garbage.

local rects = {}

local ROW = 4 * 4 -- bytes: x, y, w, h as floats

local SHADER = [[
  attribute vec2 RectPlace;
  attribute vec2 RectSize;

  vec4 position(mat4 transform, vec4 vertex) {
    return transform * vec4(RectPlace + vertex.xy * RectSize, 0.0, 1.0);
  }
]]

local data, rows, quad, shader
local capacity = 0

local function reserve(n)
  if n <= capacity then
    return
  end
  capacity = math.max(n, 2 * capacity, 1024)
  data = love.data.newByteData(capacity * ROW)
  rows = love.graphics.newMesh({ { "RectPlace", "float", 2 }, { "RectSize", "float", 2 } },
    capacity, "points", "stream")
  quad = love.graphics.newMesh({ { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 } }, "fan", "static")
  quad:attachAttribute("RectPlace", rows, "perinstance")
  quad:attachAttribute("RectSize", rows, "perinstance")
  shader = shader or love.graphics.newShader(SHADER)
end

-- boxes: a list of Boxes or ids, such as the answer of a query. Filled with the current colour.
function rects.draw(world, boxes)
  reserve(#boxes)
  local n = world:writeRects(data, boxes)
  if n > 0 then
    rows:setVertices(data, 1, n)
    love.graphics.setShader(shader)
    love.graphics.drawInstanced(quad, n)
    love.graphics.setShader()
  end
end

return rects
