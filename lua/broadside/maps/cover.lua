-- Covers the cells of a chunk of a map with few rectangles, each of one kind.
--
-- The algorithm is greedy: each rectangle begins at the first free cell, becomes as long as
-- possible, and then as deep as possible. Unlike level.merge it only goes row by row, so an edit
-- changes few of the rectangles.
--
-- A rectangle is a number, its key. It has the place of its first cell in the chunk (0..1023), how
-- many columns and rows it covers, and the number of its kind.

local root = ((...) or ""):match("^(.+)[./\\]%w+[./\\]") or "broadside"
local level = require(root .. ".maps.level")

local cover = {}

local SIDE = 32
local CELLS = SIDE * SIDE
cover.SIDE, cover.CELLS = SIDE, CELLS

-- A key without its kind is below this.
local AREAS = CELLS * SIDE * SIDE
cover.AREAS = AREAS

local floor = math.floor

local NONE = {}

--- The key of a rectangle. place: its first cell in the chunk, from 0. kind: its kind's number.
local function keyOf(place, columns, rows, kind)
  return place + CELLS * (columns - 1 + SIDE * (rows - 1)) + AREAS * kind
end

cover.keyOf = keyOf

--- Returns the column and the row of the first cell within the chunk (from 1), the number of
-- columns and rows, and the number of the kind.
function cover.read(key)
  local area = key % AREAS
  local place = area % CELLS
  local size = floor(area / CELLS)
  return place % SIDE + 1, floor(place / SIDE) + 1, size % SIDE + 1, floor(size / SIDE) + 1,
    floor(key / AREAS)
end

-- A grid has the number of each cell's kind; 0 if it has no box or is covered already.

-- How many cells of a kind follow each other from one of them on, up to `most`.
local function lengthOf(grid, at, kind, most)
  for length = 1, most - 1 do
    if grid[at + length] ~= kind then
      return length
    end
  end
  return most
end

-- How many rows have as many cells of a kind there. Rows below the chunk have none.
local function depthOf(grid, at, kind, length)
  local depth = 1
  while true do
    for i = at + depth * SIDE, at + depth * SIDE + length - 1 do
      if grid[i] ~= kind then
        return depth
      end
    end
    depth = depth + 1
  end
end

local function empty(grid, at, length, depth)
  for row = at, at + (depth - 1) * SIDE, SIDE do
    for i = row, row + length - 1 do
      grid[i] = 0
    end
  end
end

-- Adds the keys of a rectangle. There are several if no single box can cover it exactly.
local function addKeys(out, sides, kind, number, place, columns, rows)
  local rect, column, row = kind.rect, place % SIDE + 1, floor(place / SIDE) + 1
  local lastColumn, lastRow = column + columns - 1, row + rows - 1
  while row <= lastRow do
    local deep = level.partOf(sides.y, rect[2], rect[4], sides.top + row, lastRow - row + 1)
    local from = column
    while from <= lastColumn do
      local most = lastColumn - from + 1
      local long = level.partOf(sides.x, rect[1], rect[3], sides.left + from, most)
      out[#out + 1] = keyOf((row - 1) * SIDE + from - 1, long, deep, number)
      from = from + long
    end
    row = row + deep
  end
end

-- A grid for the next call; nil during one, because a finaliser may make another one.
local spare

-- Adds those of some keys that are of this grid, and empties their cells.
local function addPins(keys, grid, pins)
  for _, key in ipairs(pins) do
    local column, row, columns, rows, number = cover.read(key)
    local at = (row - 1) * SIDE + column
    if grid[at] == number then
      keys[#keys + 1] = key
      empty(grid, at, columns, rows)
    end
  end
end

-- Adds the keys of a grid, which is overwritten.
local function coverGrid(keys, grid, kinds, sides)
  for i = 1, CELLS do
    local of = grid[i]
    if of ~= 0 then
      local kind, length, depth = kinds[of], 1, 1
      if kind.goesAlong and grid[i + 1] == of then
        length = lengthOf(grid, i, of, SIDE - (i - 1) % SIDE)
      end
      if kind.goesDown and grid[i + SIDE] == of then
        depth = depthOf(grid, i, of, length)
      end
      if length * depth == 1 then
        keys[#keys + 1] = i - 1 + AREAS * of
      else
        empty(grid, i, length, depth)
        addKeys(keys, sides, kind, of, i - 1, length, depth)
      end
    end
  end
end

--- Covers the cells of a chunk. cells: a code for each cell, row by row. layers: lists of the
-- number of the kind of each code, or 0. kinds: by number. sides: { x =, y = }, where the map's
-- columns and rows begin, and { left =, top = }, how many come before the chunk. at, code: a cell
-- that gets another code. pins: keys of rectangles that have to be in the cover. Returns a list of
-- keys, all different, layer by layer. O(cells).
function cover.find(cells, layers, kinds, sides, at, code, pins)
  local grid, keys = spare or {}, {}
  spare = nil
  for _, numberOf in ipairs(layers) do
    for i = 1, CELLS do
      grid[i] = numberOf[cells[i]]
    end
    if at then
      grid[at] = numberOf[code]
    end
    addPins(keys, grid, pins or NONE)
    coverGrid(keys, grid, kinds, sides)
  end
  spare = grid
  return keys
end

-- The key of a stored rectangle with the number that the kind has in a grid, and how many cells it
-- has; nil if it is damaged. Empties its cells.
local function readKey(grid, stored)
  if type(stored) ~= "number" or not (stored >= 0 and stored < 2 ^ 53) or stored % 1 ~= 0 then
    return nil
  end
  local column, row, columns, rows = cover.read(stored)
  local at = (row - 1) * SIDE + column
  local number = grid[at]
  if number == 0 or column + columns - 1 > SIDE or row + rows - 1 > SIDE
    or lengthOf(grid, at, number, columns) < columns
    or rows > 1 and depthOf(grid, at, number, columns) < rows then
    return nil
  end
  empty(grid, at, columns, rows)
  return keyOf(at - 1, columns, rows, number), columns * rows
end

--- Reads the keys of a stored snapshot, in which kinds may have other numbers. Returns the keys;
-- nil if they do not cover the cells exactly. cells, layers: as in cover.find.
function cover.readKeys(stored, cells, layers)
  local grid, keys = {}, {}
  for _, numberOf in ipairs(layers) do
    local left = 0
    for i = 1, CELLS do
      grid[i] = numberOf[cells[i]]
      left = left + (grid[i] == 0 and 0 or 1)
    end
    while left > 0 do
      local key, count = readKey(grid, stored[#keys + 1])
      if not key then
        return nil
      end
      keys[#keys + 1], left = key, left - count
    end
  end
  return stored[#keys + 1] == nil and keys or nil
end

return cover
