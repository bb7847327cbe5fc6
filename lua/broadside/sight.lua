-- map:rayCells: the cells of a Map that a segment passes through. It uses the arithmetic of segment
-- casts: the time at which the segment is at a side is a distance divided by a velocity.

local root = ((...) or ""):match("^(.+)[./\\]") or "broadside"
local cells = require(root .. ".cells")
local level = require(root .. ".level")

local max, min = math.max, math.min

-- The time at which the segment enters each cell of `out`, and whether that is at a corner.
local times, corners = {}, {}

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

local function isAfter(i, t, isCorner, column, row, out)
  if times[i] ~= t then
    return times[i] > t
  elseif corners[i] ~= isCorner then
    return corners[i]
  elseif out[2 * i] ~= row then
    return out[2 * i] > row
  end
  return out[2 * i - 1] > column
end

-- Inserts a cell by its time, which is usually at the end.
local function add(out, n, t, isCorner, column, row)
  while n > 0 and isAfter(n, t, isCorner, column, row, out) do
    times[n + 1], corners[n + 1] = times[n], corners[n]
    out[2 * n + 1], out[2 * n + 2] = out[2 * n - 1], out[2 * n]
    n = n - 1
  end
  times[n + 1], corners[n + 1], out[2 * n + 1], out[2 * n + 2] = t, isCorner, column, row
end

-- Adds the cells of a column. row: the first row that may count in it. Returns the number of cells,
-- and the first row that may count in the next column.
local function addColumn(ray, out, n, column, row)
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
      add(out, n, 0, false, column, at)
      n = n + 1
    elseif inX <= outX and inY <= outY and t < min(outX, outY, 1) then
      add(out, n, t, inX == inY, column, at)
      n = n + 1
    end
  end
  return n, from
end

local ray = {} -- of the current call

--- Lists the cells of the map whose interiors a segment passes through, in that order. If each cell
-- were a box, segment casts would hit the same boxes in the same order. Returns out, {column1,
-- row1, column2, ...}, and the number of cells. O(columns and rows that it passes). Makes no
-- garbage.
return function(map, x1, y1, x2, y2, out)
  local arg, complaint = cells.complaintOfNumbers(x1, y1, x2, y2)
  if arg then
    cells.refuse("rayCells", arg, complaint)
  elseif out ~= nil and type(out) ~= "table" then
    cells.refuse("rayCells", 5, "table expected, got " .. level.describe(out))
  end
  out = out or {}
  local layout, n = map.layout, 0
  if map.columns > 0 and map.rows > 0 then
    local first, last, step = rangeOf(map.sides.x, layout.x, layout.w, x1, x2)
    local row
    row, ray.last, ray.step = rangeOf(map.sides.y, layout.y, layout.h, y1, y2)
    ray.w, ray.h, ray.sides = layout.w, layout.h, map.sides
    ray.x, ray.y, ray.dx, ray.dy = x1, y1, x2 - x1, y2 - y1
    for column = first, last, step do
      n, row = addColumn(ray, out, n, column, row)
    end
    ray.sides = nil
  end
  for i = #out, 2 * n + 1, -1 do
    out[i] = nil
  end
  return out, n
end
