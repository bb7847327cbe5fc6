-- Where the cells of a map are: { w =, h =, parts = {{ x =, y =, w =, h = }, ...} }, the size of a
-- cell, and regular grids. In staggered and hexagonal maps every other row (or column) is a part;
-- `axis` is the one along which cells take turns, and `outline` the polygon that a cell fills. In
-- an isometric map cells are squares on the ground (`isGround`), where objects are measured, too.

local root = ((...) or ""):match("^(.+)[./\\]%w+[./\\]") or "broadside"
local arguments = require(root .. ".support.arguments")
local polyline = require(root .. ".support.polyline")
local reading = require(root .. ".maps.reading")

local describe, fail = arguments.describe, arguments.fail
local checkNumber, checkSize = reading.number, reading.size

local grids = {}

local function newStaggered(map, w, h)
  w, h = w - w % 2, h - h % 2
  local axis, isHexagonal = map.staggeraxis, map.orientation == "hexagonal"
  local side = isHexagonal and checkNumber(map, "hexsidelength", "map") or 0
  if axis ~= "x" and axis ~= "y" or side < 0 or side >= (axis == "x" and w or h) then
    fail("map: staggeraxis 'x' or 'y', and a shorter hexsidelength expected, got %s, %s",
      describe(axis), describe(side))
  end
  local isX = axis == "x"
  local left, top = (w - (isX and side or 0)) / 2, (h - (isX and 0 or side)) / 2
  local across, down = w - left, h - top
  local parts, first = {}, map.staggerindex == "even" and 1 or 0
  for i = 0, 1 do
    local shift = i == first and 0 or 1
    parts[i + 1] = isX and { x = i * across, y = shift * down, w = 2 * across, h = h }
      or { x = shift * across, y = i * down, w = w, h = 2 * down }
  end
  -- The corners of a cell whose sides at the top and on the left are cut off, or come to a point.
  local outline, n = polyline.points({ left, 0, across, 0, w, top, w, down, across, h, left, h, 0,
    down, 0, top })
  outline[2 * n + 1], outline[2 * n + 2] = nil, nil
  return { w = w, h = h, axis = axis, outline = outline, parts = parts, isHexagonal = isHexagonal }
end

local function newRegular(w, h, isGround)
  return { w = w, h = h, isGround = isGround, parts = { { x = 0, y = 0, w = w, h = h } } }
end

-- What makes the grid of a map of cells of w, h, by its orientation.
local NEW = {
  orthogonal = function(_, w, h) return newRegular(w, h, false) end,
  isometric = function(_, _, h) return newRegular(h, h, true) end,
  staggered = newStaggered,
  hexagonal = newStaggered,
}

--- Makes the grid of a map.
function grids.new(map)
  local new = NEW[map.orientation] or fail("orthogonal, isometric, staggered or hexagonal map "
    .. "expected, got %s", describe(map.orientation))
  return new(map, checkSize(map, "tilewidth", "map"), checkSize(map, "tileheight", "map"))
end

--- The part in which a cell is, and its row and column there.
function grids.locate(grid, row, column)
  if grid.axis == "x" then
    return (column - 1) % 2 + 1, row, math.floor((column - 1) / 2) + 1
  elseif grid.axis == "y" then
    return (row - 1) % 2 + 1, math.floor((row - 1) / 2) + 1, column
  end
  return 1, row, column
end

return grids
