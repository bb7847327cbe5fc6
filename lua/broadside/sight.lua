-- map:rayCells: the cells of a Map that a segment passes through. It uses the arithmetic of segment
-- casts: the time at which the segment is at a side is a distance divided by a velocity.

local root = ((...) or ""):match("^(.+)[./\\]") or "broadside"
local arguments = require(root .. ".arguments")
local cells = require(root .. ".cells")

local max, min = math.max, math.min

-- A ray has n cells, and for each of them its column and row, the time at which the segment enters
-- it, and whether that is at a corner. The next call uses it again. This is nil during a call,
-- because a finaliser or a metamethod of out may make another one.
local spare

-- The times between which a point that moves along an axis by `speed` is between two sides. If it
-- does not move: always, or never; NaN on a side.
local function between(near, far, from, speed)
  local a, b = (near - from) / speed, (far - from) / speed
  return min(a, b), max(a, b)
end

-- The first and the last number of the cells that a segment may pass through, in its direction, and
-- 1 or -1. The sides of cells are rounded, so this allows for two more at both ends.
local function rangeOf(near, origin, size, from, to)
  local count, step = #near - 1, to < from and -1 or 1
  local first = cells.at(near, origin, size, from) - 2 * step
  local last = cells.at(near, origin, size, to) + 2 * step
  return max(1, min(count, first)), max(1, min(count, last)), step
end

-- Whether the cell i of the ray comes after another one.
local function isAfter(ray, i, t, isCorner, column, row)
  if ray.times[i] ~= t then
    return ray.times[i] > t
  elseif ray.corners[i] ~= isCorner then
    return ray.corners[i]
  elseif ray.rows[i] ~= row then
    return ray.rows[i] > row
  end
  return ray.columns[i] > column
end

-- Inserts a cell by its time, which is usually at the end.
local function add(ray, t, isCorner, column, row)
  local times, corners, columns, rows, n = ray.times, ray.corners, ray.columns, ray.rows, ray.n
  ray.n = n + 1
  while n > 0 and isAfter(ray, n, t, isCorner, column, row) do
    times[n + 1], corners[n + 1] = times[n], corners[n]
    columns[n + 1], rows[n + 1] = columns[n], rows[n]
    n = n - 1
  end
  times[n + 1], corners[n + 1], columns[n + 1], rows[n + 1] = t, isCorner, column, row
end

-- Adds the cells of a column. row: the first row that may count in it. Returns the first row that
-- may count in the next column.
local function addColumn(ray, column, row)
  local w, h, x, y = ray.w, ray.h, ray.sides.x, ray.sides.y
  local near = x[column]
  local inX, outX = between(near, near + w, ray.x, ray.dx)
  local isIn = near < ray.x and ray.x < near + w
  local from = row
  for at = row, ray.last, ray.step do
    local top = y[at]
    local inY, outY = between(top, top + h, ray.y, ray.dy)
    if inY > outX then
      break
    end
    from = outY < inX and at + ray.step or from
    local t = max(inX, inY, 0)
    if isIn and top < ray.y and ray.y < top + h then
      add(ray, 0, false, column, at)
    elseif inX <= outX and inY <= outY and t < min(outX, outY, 1) then
      add(ray, t, inX == inY, column, at)
    end
  end
  return from
end

-- Finds the cells of a map that a ray passes through.
local function trace(map, ray, x1, y1, x2, y2)
  local layout, sides = map.layout, map.sides
  local first, last, step = rangeOf(sides.x, layout.x, layout.w, x1, x2)
  local row
  row, ray.last, ray.step = rangeOf(sides.y, layout.y, layout.h, y1, y2)
  ray.w, ray.h, ray.sides = layout.w, layout.h, sides
  ray.x, ray.y, ray.dx, ray.dy = x1, y1, x2 - x1, y2 - y1
  for column = first, last, step do
    row = addColumn(ray, column, row)
  end
  ray.sides = nil
end

--- Lists the cells of the map whose interiors a segment passes through, in that order. If each cell
-- were a box, segment casts would hit the same boxes in the same order. Returns out, {column1,
-- row1, column2, ...}, and the number of cells. O(columns and rows that it passes). Makes no
-- garbage.
return function(map, x1, y1, x2, y2, out)
  cells.checkMap(map, "rayCells")
  arguments.checkNumbers("rayCells", 1, x1, y1, x2, y2)
  arguments.checkTable(out, "rayCells", 5)
  local ray = spare or { columns = {}, rows = {}, times = {}, corners = {} }
  spare, ray.n = nil, 0
  if map.columns > 0 and map.rows > 0 then
    trace(map, ray, x1, y1, x2, y2)
  end
  out = out or {}
  local n = ray.n
  for i = 1, n do
    out[2 * i - 1], out[2 * i] = ray.columns[i], ray.rows[i]
  end
  spare = ray
  local i = 2 * n + 1
  while rawget(out, i) ~= nil do
    out[i], i = nil, i + 1
  end
  return out, n
end
