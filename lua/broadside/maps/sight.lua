-- map:rayCells: the cells of a Map that a segment meets. It uses the arithmetic of segment casts:
-- the time at which the segment is at a side is a distance divided by a velocity. Where a segment
-- touches a corner, or runs along a side, these casts decide.

local root = ((...) or ""):match("^(.+)[./\\]%w+[./\\]") or "broadside"
local arguments = require(root .. ".support.arguments")
local broadside = require(root)
local cells = require(root .. ".maps.cells")
local lists = require(root .. ".support.lists")

local check, isFinite = arguments.check, arguments.isFinite
local huge, max, min = math.huge, math.max, math.min

-- Rounding moves a place on a segment by no more than this part of its coordinates.
local SLACK = 2 ^ -50

-- A world for casts, and lists of rects and ids that the next call uses again. This is nil during a
-- call, because a finaliser may make another one.
local spare

-- The first and the last number of the cells that a segment may pass through, in its direction, and
-- 1 or -1. The sides of cells are rounded, so this allows for two more at both ends.
local function rangeOf(count, origin, size, from, to)
  local step = to < from and -1 or 1
  local first = cells.at(origin, size, from) - 2 * step
  local last = cells.at(origin, size, to) + 2 * step
  return max(1, min(count, first)), max(1, min(count, last)), step
end

-- The times between which a point that moves along an axis by `speed` is in a cell. If it does not
-- move: always, or never; NaN on a side.
local function between(near, size, from, speed)
  local a, b = (near - from) / speed, (near + size - from) / speed
  if a > b then return b, a end
  return a, b
end

-- Writes the cells that a segment meets, column by column. Returns their number; nil if it touches
-- a corner or a side, or enters several cells at once.
local function trace(map, out, x1, y1, x2, y2)
  local layout, n, last = map.layout, 0, -1
  local x, y, w, h = layout.x, layout.y, layout.w, layout.h
  local row, lastRow, down = rangeOf(map.rows, y, h, y1, y2)
  local column, lastColumn, right = rangeOf(map.columns, x, w, x1, x2)
  for i = column, lastColumn, right do
    local inX, outX = between(x + (i - 1) * w, w, x1, x2 - x1)
    for j = row, lastRow, down do
      local inY, outY = between(y + (j - 1) * h, h, y1, y2 - y1)
      if inY > outX then break end
      if outY < inX then row = j + down end
      local t, leave = max(inX, inY, 0), min(outX, outY)
      if inX ~= inX or outX ~= outX or inY ~= inY or outY ~= outY then return nil end
      if t < 1 and t <= leave then
        if t == leave or t <= last or t == inX and t == inY then return nil end
        n, last = n + 1, t
        out[2 * n - 1], out[2 * n] = i, j
      end
    end
  end
  return n
end

-- Lists the rects of all cells that a segment may meet, row by row. Returns how many numbers.
local function listRects(rects, map, x1, y1, x2, y2)
  local layout, n, slack = map.layout, 0, SLACK * max(x1, x2, -x1, -x2)
  local w, h = layout.w, layout.h
  local row, lastRow = rangeOf(map.rows, layout.y, h, min(y1, y2), max(y1, y2))
  for j = row, lastRow do
    local y, from, to = layout.y + (j - 1) * h, 0, 1
    if y1 ~= y2 then from, to = between(y, h, y1, y2 - y1) end
    from, to = x1 + max(0, min(1, from)) * (x2 - x1), x1 + max(0, min(1, to)) * (x2 - x1)
    local left, right = min(from, to) - slack, max(from, to) + slack
    local column, lastColumn = rangeOf(map.columns, layout.x, w, left, right)
    for i = column, lastColumn do
      local x = layout.x + (i - 1) * w
      if x <= right and x + w >= left and x + w < huge and y + h < huge then
        rects[n + 1], rects[n + 2], rects[n + 3], rects[n + 4] = x, y, w, h
        n = n + 4
      end
    end
  end
  return n
end

-- Writes the cells that casts meet, if each cell is a box. Returns their number.
local function cast(map, out, x1, y1, x2, y2)
  local own = spare or { rects = {}, ids = {}, found = {},
    world = broadside.newWorld({ backend = "brute", results = "id" }) }
  spare = nil
  local world, rects, layout = own.world, own.rects, map.layout
  lists.cut(rects, listRects(rects, map, x1, y1, x2, y2))
  world:insertMany(rects, nil, own.ids)
  local _, n = world:querySegment(x1, y1, x2, y2, nil, own.found)
  world:getRects(own.found, rects)
  world:clear()
  spare = own
  for i = 1, n do
    out[2 * i - 1] = cells.at(layout.x, layout.w, rects[4 * i - 3])
    out[2 * i] = cells.at(layout.y, layout.h, rects[4 * i - 2])
  end
  return n
end

--- Lists the cells of the map that a segment meets, in that order: those whose interiors it passes
-- through, and where it runs along a side or through a corner between two cells, the first of them
-- by row and column. If each cell were a box, inserted row by row, segment casts would hit the same
-- boxes in the same order. Returns out, {column1, row1, column2, ...}, and the number of cells.
-- O(columns and rows that it passes). Makes no garbage.
return function(map, x1, y1, x2, y2, out)
  cells.checkMap(map, "rayCells")
  arguments.checkNumbers("rayCells", 1, x1, y1, x2, y2)
  check(isFinite(x2 - x1), "rayCells", 3, "finite difference x2 - x1", x2 - x1)
  check(isFinite(y2 - y1), "rayCells", 4, "finite difference y2 - y1", y2 - y1)
  arguments.checkTable(out, "rayCells", 5)
  out = out or {}
  local n = 0
  if map.columns > 0 and map.rows > 0 then
    n = trace(map, out, x1, y1, x2, y2) or cast(map, out, x1, y1, x2, y2)
  end
  lists.cut(out, 2 * n)
  return out, n
end
