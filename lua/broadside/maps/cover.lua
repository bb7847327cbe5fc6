-- Covers cells with few rectangles, each of one kind. The algorithm is greedy: each rectangle
-- begins at the first free cell, becomes as long as possible, and then as deep as possible.
-- cover.merge covers cells of one kind, and cover.find a chunk of a Map. The latter only goes row
-- by row, so an edit changes few of the rectangles.
--
-- A rectangle of a chunk is a number, its key. It has the place of its first cell in the chunk
-- (0..1023), how many columns and rows it covers, and the number of its kind.

local cover = {}

local SIDE = 32
local CELLS = SIDE * SIDE
cover.SIDE, cover.CELLS = SIDE, CELLS

-- A key without its kind is below this.
local AREAS = CELLS * SIDE * SIDE
cover.AREAS = AREAS

local floor = math.floor

-- Grids -------------------------------------------------------------------------------------------
-- grid[line][place] is the number of a cell's kind; 0 or nil if it has no box, or is covered.

-- Whether all those places of a line, if there is one, are of a kind.
local function hasAll(line, place, length, number)
  for i = place, place + length - 1 do
    if not line or line[i] ~= number then return false end
  end
  return true
end

-- Takes all rectangles out of a grid, and calls add(line, place, length, depth, number) for each.
-- lines: the numbers of the grid's lines; places: by line, the places that may have a cell. kinds:
-- by number.
local function takeAll(grid, lines, places, kinds, add)
  for _, line in ipairs(lines) do
    local cells, list = grid[line], places[line]
    for i = 1, #list do
      local place = list[i]
      local number, length, depth = cells[place], 1, 1
      if number ~= 0 then
        local kind = kinds[number]
        while kind.goesAlong and cells[place + length] == number do
          length = length + 1
        end
        while kind.goesDown and hasAll(grid[line + depth], place, length, number) do
          depth = depth + 1
        end
        for row = line, line + depth - 1 do
          for column = place, place + length - 1 do
            grid[row][column] = 0
          end
        end
        add(line, place, length, depth, number)
      end
    end
  end
end

-- Cells of one kind -------------------------------------------------------------------------------

-- Most lists are sorted already, because editors write row by row.
local function sort(list)
  for i = 2, #list do
    if list[i] < list[i - 1] then
      table.sort(list)
      return
    end
  end
end

-- Sorts cells {row1, column1, row2, ...} into lines, which are rows, or columns if isTurned.
-- Returns the numbers of the lines, the places in each one, and a grid, whose kind is 1.
local function sortCells(cells, isTurned)
  local numbers, places, grid = {}, {}, {}
  local toLine = isTurned and 1 or 0
  for i = 1, #cells, 2 do
    local line, place = cells[i + toLine], cells[i + 1 - toLine]
    local list = places[line]
    if not list then
      list = {}
      numbers[#numbers + 1], places[line], grid[line] = line, list, {}
    end
    list[#list + 1] = place
    grid[line][place] = 1
  end
  sort(numbers)
  for _, line in ipairs(numbers) do
    sort(places[line])
  end
  return numbers, places, grid
end

-- Cuts cells into rectangles {row, column, columns, rows}.
local function cut(cells, kind, isTurned)
  local areas, lines, places, grid = {}, sortCells(cells, isTurned)
  kind = isTurned and { goesAlong = kind.goesDown, goesDown = kind.goesAlong } or kind
  takeAll(grid, lines, places, { kind }, function(line, place, length, depth)
    areas[#areas + 1] = isTurned and { place, line, depth, length }
      or { line, place, length, depth }
  end)
  return areas
end

--- Whether a rectangle {row, column, ...} comes before another one.
function cover.isBefore(a, b)
  return a[1] < b[1] or a[1] == b[1] and a[2] < b[2]
end

--- Covers cells {row1, column1, row2, ...} of a kind by rectangles, each cell by one: row by row or
-- column by column, whichever takes fewer. Returns {{row, column, columns, rows}, ...} by row and
-- column. O(n log n) for n cells.
function cover.merge(cells, kind)
  local areas = cut(cells, kind, false)
  if not (kind.goesAlong and kind.goesDown and #areas > 1) then return areas end
  local turned = cut(cells, kind, true)
  if #turned >= #areas then return areas end
  table.sort(turned, cover.isBefore)
  return turned
end

-- Exact boxes -------------------------------------------------------------------------------------

local function isSize(size, from, to)
  return size > 0 and from + size == to
end

-- The size of a box that begins and ends exactly at these numbers; nil if there is none.
local function sizeBetween(from, to)
  local size = to - from
  local step = size * 2 ^ -52 -- to one of the two neighbouring doubles
  return isSize(size, from, to) and size or isSize(size + step, from, to) and size + step
    or isSize(size - step, from, to) and size - step or nil
end

--- How many of `count` cells in a line one box can cover such that it ends exactly where the last
-- of them does; and its size. origin, step: where cells begin. offset, size: the box of one cell.
-- first: the first cell.
function cover.partOf(origin, step, offset, size, first, count)
  local from = origin + (first - 1) * step + offset
  while count > 1 do
    local all = sizeBetween(from, origin + (first + count - 2) * step + offset + size)
    if all then return count, all end
    count = math.ceil(count / 2)
  end
  return 1, size
end

--- Calls add(row, column, rows, columns, w, h, number) for each part of a rectangle of cells that
-- one box can cover exactly. layout: { x =, y =, w =, h = }, the first cell of the grid. rect: the
-- box of one cell. number: passed on.
function cover.cutUp(add, layout, rect, row, column, rows, columns, number)
  if rows * columns == 1 then return add(row, column, 1, 1, rect[3], rect[4], number) end
  local right, bottom = column + columns, row + rows
  while row < bottom do
    local deep, h = cover.partOf(layout.y, layout.h, rect[2], rect[4], row, bottom - row)
    local from = column
    while from < right do
      local long, w = cover.partOf(layout.x, layout.w, rect[1], rect[3], from, right - from)
      add(row, from, deep, long, w, h, number)
      from = from + long
    end
    row = row + deep
  end
end

-- Chunks ------------------------------------------------------------------------------------------

--- Returns the column and the row of the first cell, the number of columns and rows, and the number
-- of the kind. left, top: as in cover.find.
function cover.read(key, left, top)
  local area = key % AREAS
  local place = area % CELLS
  local size = floor(area / CELLS)
  return left + place % SIDE + 1, top + floor(place / SIDE) + 1, size % SIDE + 1,
    floor(size / SIDE) + 1, floor(key / AREAS)
end

-- All lines of a chunk, and the places of each.
local ALL, PLACES = {}, {}
for i = 1, SIDE do
  ALL[i], PLACES[i] = i, ALL
end

--- Covers the cells of a chunk. cells: a code for each cell, row by row. layers: lists of the
-- number of the kind of each code, or 0. kinds: by number. layout: of the map, in which `left`
-- columns and `top` rows come before the chunk. Returns a list of keys, all different, layer by
-- layer. O(cells).
function cover.find(cells, layers, kinds, layout, left, top)
  local keys = {}
  local function addKey(row, column, rows, columns, _, _, number)
    keys[#keys + 1] = (row - top - 1) * SIDE + column - left - 1
      + CELLS * (columns - 1 + SIDE * (rows - 1)) + AREAS * number
  end
  local function add(row, column, columns, rows, number)
    cover.cutUp(addKey, layout, kinds[number].rect, top + row, left + column, rows, columns, number)
  end
  for _, numberOf in ipairs(layers) do
    local grid = {}
    for row = 1, SIDE do
      local line, before = {}, (row - 1) * SIDE
      for column = 1, SIDE do
        line[column] = numberOf[cells[before + column]]
      end
      grid[row] = line
    end
    takeAll(grid, ALL, PLACES, kinds, add)
  end
  return keys
end

return cover
