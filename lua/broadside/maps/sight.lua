-- map:rayCells: the cells of a Map that a segment meets. It uses the arithmetic of segment casts:
-- the time at which the segment is at a side is a distance divided by a velocity.

local root = ((...) or ""):match("^(.+)[./\\]%w+[./\\]") or "broadside"
local arguments = require(root .. ".support.arguments")
local cells = require(root .. ".maps.cells")
local lists = require(root .. ".support.lists")

local huge, max, min = math.huge, math.max, math.min

-- How a cell is met. What only touches a segment at a corner is on one side of it or on the other.
local SIDE, CORNER, BESIDE, ACROSS = 0, 1, 2, 3

-- A ray has n cells, and for each of them its column and row, the time at which it is met, and how.
-- The next call uses it again. This is nil during a call, because a finaliser or a metamethod of
-- out may make another one.
local spare

-- The times between which a point that moves along an axis by `speed` is between two sides. If it
-- does not move: always, or never; NaN on a side. The near one of two cells is held to contain the
-- seam between them.
local function between(near, far, from, speed, seam)
  if far == seam then return -huge, huge end
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

-- Where a segment runs between cells: it keeps its place on an axis, and there a cell begins and
-- another one ends. Else nil.
local function seamOf(near, origin, size, place, speed, across)
  local i = speed == 0 and across ~= 0 and cells.at(near, origin, size, place)
  if i and i < #near and near[i] == place then
    repeat
      i = i - 1
    until i < 1 or near[i] + size <= place
    return i >= 1 and near[i] + size == place and place or nil
  end
end

-- Whether the cell i of the ray comes after another one.
local function isAfter(ray, i, t, how, column, row)
  if ray.times[i] ~= t then
    return ray.times[i] > t
  elseif (ray.hows[i] == SIDE) ~= (how == SIDE) then
    return how == SIDE
  elseif ray.rows[i] ~= row then
    return ray.rows[i] > row
  end
  return ray.columns[i] > column
end

-- Inserts a cell by its time, which is usually at the end.
local function add(ray, t, how, column, row)
  local times, hows, columns, rows, n = ray.times, ray.hows, ray.columns, ray.rows, ray.n
  ray.n = n + 1
  while n > 0 and isAfter(ray, n, t, how, column, row) do
    times[n + 1], hows[n + 1] = times[n], hows[n]
    columns[n + 1], rows[n + 1] = columns[n], rows[n]
    n = n - 1
  end
  times[n + 1], hows[n + 1], columns[n + 1], rows[n + 1] = t, how, column, row
end

-- Adds a cell that is only touched, at a corner: it is entered on one axis when it is left on the
-- other.
local function addTouched(ray, t, inX, inY, column, row)
  if (inX == t) ~= (inY == t) then
    ray.touches = true
    add(ray, t, inX == t and BESIDE or ACROSS, column, row)
  end
end

-- Adds the cells of a column. row: the first row that may count in it. Returns the first row that
-- may count in the next column.
local function addColumn(ray, column, row)
  local w, h, x, y = ray.w, ray.h, ray.sides.x, ray.sides.y
  local near = x[column]
  local inX, outX = between(near, near + w, ray.x, ray.dx, ray.seamX)
  local isIn = near < ray.x and ray.x < near + w
  local from = row
  for at = row, ray.last, ray.step do
    local top = y[at]
    local inY, outY = between(top, top + h, ray.y, ray.dy, ray.seamY)
    if inY > outX then break end
    from = outY < inX and at + ray.step or from
    local t, leave = max(inX, inY, 0), min(outX, outY)
    if isIn and top < ray.y and ray.y < top + h then
      add(ray, 0, SIDE, column, at)
    elseif inX <= outX and inY <= outY and t < leave and t < 1 then
      add(ray, t, inX == inY and CORNER or SIDE, column, at)
    elseif t == leave and 0 < t and t < 1 then
      addTouched(ray, t, inX, inY, column, at)
    end
  end
  return from
end

-- Adds a cell that begins at a seam between columns: it is met with the cell before the seam in the
-- next row, where their corners touch.
local function addBehindSeam(ray, column, row)
  local h, y = ray.h, ray.sides.y
  local inY, outY = between(y[row], y[row] + h, ray.y, ray.dy)
  local inNext, outNext = between(y[row + 1], y[row + 1] + h, ray.y, ray.dy)
  local t, leave = max(inY, inNext, 0), min(outY, outNext)
  if row + 1 < #y and t < 1 and (t < leave or t == leave and t > 0) then
    add(ray, t, SIDE, column, row)
  end
end

-- Adds the cells on both sides of a seam between columns, row by row, as they are met.
local function traceSeam(ray, first, last, step, row)
  for at = row, ray.last, ray.step do
    ray.last = at
    for column = first, last, step do
      if ray.sides.x[column] == ray.seamX then
        addBehindSeam(ray, column, at)
      else
        addColumn(ray, column, at)
      end
    end
  end
end

local function trace(map, ray, x1, y1, x2, y2)
  local layout, sides = map.layout, map.sides
  local first, last, step = rangeOf(sides.x, layout.x, layout.w, x1, x2)
  local row
  row, ray.last, ray.step = rangeOf(sides.y, layout.y, layout.h, y1, y2)
  ray.w, ray.h, ray.sides = layout.w, layout.h, sides
  ray.x, ray.y, ray.dx, ray.dy = x1, y1, x2 - x1, y2 - y1
  ray.seamX = seamOf(sides.x, layout.x, layout.w, x1, ray.dx, ray.dy)
  ray.seamY = seamOf(sides.y, layout.y, layout.h, y1, ray.dy, ray.dx)
  if ray.seamX then
    traceSeam(ray, first, last, step, row)
  else
    for column = first, last, step do
      row = addColumn(ray, column, row)
    end
  end
  ray.sides = nil
end

-- Whether the ray enters a cell, or touches it and a later one that is on its other side.
local function isMet(ray, i)
  local times, hows, how = ray.times, ray.hows, ray.hows[i]
  local isBetween = how < BESIDE
  for j = i + 1, isBetween and i or ray.n do
    if times[j] ~= times[i] or isBetween then break end
    isBetween = hows[j] + how == BESIDE + ACROSS
  end
  return isBetween
end

-- Takes out of a ray what it does not meet.
local function sift(ray)
  local n = 0
  for i = 1, ray.n do
    if isMet(ray, i) then
      n = n + 1
      ray.columns[n], ray.rows[n] = ray.columns[i], ray.rows[i]
    end
  end
  ray.n = n
end

--- Lists the cells of the map that a segment meets, in that order: those whose interiors it passes
-- through, and where it runs along a side or through a corner between two cells, the first of them
-- by row and column. If each cell were a box, inserted row by row, segment casts would hit the same
-- boxes in the same order. Returns out, {column1, row1, column2, ...}, and the number of cells.
-- O(columns and rows that it passes). Makes no garbage.
return function(map, x1, y1, x2, y2, out)
  cells.checkMap(map, "rayCells")
  arguments.checkNumbers("rayCells", 1, x1, y1, x2, y2)
  arguments.checkTable(out, "rayCells", 5)
  local ray = spare or { columns = {}, rows = {}, times = {}, hows = {} }
  spare, ray.n, ray.touches = nil, 0, false
  if map.columns > 0 and map.rows > 0 then
    trace(map, ray, x1, y1, x2, y2)
    if ray.touches then sift(ray) end
  end
  out = out or {}
  local n = ray.n
  for i = 1, n do
    out[2 * i - 1], out[2 * i] = ray.columns[i], ray.rows[i]
  end
  spare = ray
  lists.cut(out, 2 * n)
  return out, n
end
