-- A Map: the cells of tiles.newMap and their boxes, which follow when a cell is set. chunks.lua
-- says how they are stored.

local root = ((...) or ""):match("^(.+)[./\\]%w+[./\\]") or "broadside"
local arguments = require(root .. ".support.arguments")
local cells = require(root .. ".maps.cells")
local chunks = require(root .. ".maps.chunks")
local cover = require(root .. ".maps.cover")
local fields = require(root .. ".support.fields")
local history = require(root .. ".maps.history")
local level = require(root .. ".maps.level")
local rules = require(root .. ".maps.rules")

local Map = {}
local MapMeta = { __index = Map }

local SIDE, AREAS = cover.SIDE, cover.AREAS
local unpack = table.unpack or unpack

local checkMap, floor, isMap = cells.checkMap, math.floor, cells.isMap

-- Making ------------------------------------------------------------------------------------------

-- The code of each cell, row by row. Shorter rows are padded with false.
local function readCodes(map, lines, tell)
  for row = 1, map.rows do
    local line = lines[row] or {}
    lines[row] = line
    for column = 1, map.columns do
      local symbol = line[column]
      if symbol == nil then symbol = false end
      line[column] = map.codes[symbol] or chunks.codeOf(map, symbol, tell)
    end
  end
end

-- The codes of a chunk's cells, row by row, from those of the map; 0 beyond the end of that.
local function codesOf(map, lines, index)
  local codes, left, top = {}, chunks.cornerOf(map, index)
  for row = top + 1, top + SIDE do
    for column = left + 1, left + SIDE do
      codes[#codes + 1] = lines[row] and lines[row][column] or 0
    end
  end
  return codes
end

local function newEmptyMap(world, layout, kindsOf)
  local map = setmetatable({
    world = world,
    layout = layout,
    kindsOf = kindsOf, -- a function of a symbol
    symbols = {}, -- by code
    codes = {}, -- by symbol
    layers = { { [0] = 0 } }, -- of a code: the numbers of its kinds (chunks.lua)
    calls = { [0] = false }, -- of a code: the function that is called for its cells, or false
    found = rules.newCells(), -- a kind for all that make the same boxes
    kinds = {}, -- by number
    chunks = {}, -- row by row, `across` in each row
    areas = {}, -- by the id of a box: its chunk and its rectangle
  }, MapMeta)
  isMap[map] = true
  return map
end

-- lines: the symbols, row by row; this function overwrites them. kindsOf(symbol, tell): a list of
-- its kinds, with a field `call` if it has a function. tell(text) raises an error about a cell.
-- Returns the Map, and a function that calls those of its cells, row by row.
local function newMap(world, lines, rows, layout, kindsOf, tell)
  local map, columns = newEmptyMap(world, layout, kindsOf), 0
  for row = 1, rows do
    columns = math.max(columns, lines[row] and #lines[row] or 0)
  end
  map.columns, map.rows = columns, rows
  map.across = math.ceil(columns / SIDE)
  readCodes(map, lines, tell)
  local calls = chunks.newCalls(map, function(row, column)
    return level.describeCell(map:get(column, row), row, column)
  end, tell)
  for index = 1, map.across * math.ceil(rows / SIDE) do
    local chunk = chunks.newChunk(map, index, codesOf(map, lines, index))
    map.chunks[index] = chunk
    for i, key in ipairs(chunk.keys) do
      chunks.addBox(calls, index, key, chunk.ids, i)
    end
  end
  chunks.insertAll(calls)
  return map, function()
    for row = 1, rows do
      for column, code in ipairs(lines[row]) do
        local call = map.calls[code]
        if call then
          local x, y, w, h = map:toWorld(column, row)
          call(x, y, w, h, map.symbols[code])
        end
      end
    end
  end
end

-- Cells -------------------------------------------------------------------------------------------

--- Returns the symbol of a cell; nil outside of the map.
function Map:get(column, row)
  if not isMap[self] then checkMap(self, "get") end -- this is called for many cells
  if type(column) ~= "number" or type(row) ~= "number" then
    arguments.check(type(column) == "number", "get", 1, "number", column)
    arguments.check(false, "get", 2, "number", row)
  end
  if column >= 1 and column <= self.columns and row >= 1 and row <= self.rows
    and column % 1 == 0 and row % 1 == 0 then
    local index, at = chunks.locate(self, column, row)
    return self.symbols[self.chunks[index].cells[at]]
  end
  return nil
end

--- Returns the number of columns and of rows.
function Map:size()
  checkMap(self, "size")
  return self.columns, self.rows
end

--- Returns the cell at a place, also outside of the map. Only its near sides belong to a cell.
function Map:toCell(x, y)
  checkMap(self, "toCell")
  arguments.checkNumbers("toCell", 1, x, y)
  local layout = self.layout
  return cells.at(layout.x, layout.w, x), cells.at(layout.y, layout.h, y)
end

--- Returns the rectangle of a cell, which may be outside of the map.
function Map:toWorld(column, row)
  checkMap(self, "toWorld")
  arguments.checkNumbers("toWorld", 1, column, row)
  local layout = self.layout
  return layout.x + (column - 1) * layout.w, layout.y + (row - 1) * layout.h, layout.w, layout.h
end

-- Which of some cells in a line a hit is on: the last, the first, or the one at its place.
local function met(place, normal, isAcross, first, count)
  if isAcross then return normal > 0 and first + count - 1 or first end
  return math.max(first, math.min(first + count - 1, place))
end

--- Returns the cell of a box that was hit at x, y, on the side with that normal; nil if the box is
-- not the map's. The arguments are what a cast returns: map:cellAt(world:segmentCast(...)).
function Map:cellAt(box, x, y, nx, ny)
  checkMap(self, "cellAt")
  if box == nil then return nil end
  arguments.check(type(box) == "number" or type(box) == "userdata" and getmetatable(box) == "Box",
    "cellAt", 1, "Box or id", box)
  arguments.checkNumbers("cellAt", 2, x, y, nx or 0, ny or 0)
  local area = self.areas[chunks.idOf(box)]
  if not area then return nil end
  local column, row, columns, rows = chunks.areaOf(self, floor(area / AREAS) + 1, area % AREAS)
  local atColumn, atRow = self:toCell(x, y)
  nx, ny = nx or 0, ny or 0
  local along, down = math.abs(nx), math.abs(ny)
  return met(atColumn, nx, along > down, column, columns), met(atRow, ny, down > along, row, rows)
end

-- Changes -----------------------------------------------------------------------------------------

--- Changes a cell. Boxes that are not affected stay. Others of the same chunk are removed, and new
-- ones inserted. The function of a symbol is called, as by tiles.insert. O(1).
function Map:set(column, row, symbol)
  checkMap(self, "set")
  cells.checkCell(self, "set", column, row)
  local function tell(text)
    arguments.refuse("set", 3, text)
  end
  local code = chunks.codeOf(self, symbol, tell)
  local index, at = chunks.locate(self, column, row)
  index = floor(index) -- as an integer, so that the values in map.areas are integers
  local before = self.chunks[index].cells
  if code ~= before[at] then
    local calls = chunks.newCalls(self, function(i, j)
      local isNew = i == row and j == column
      return level.describeCell(isNew and symbol or self:get(j, i), i, j)
    end, tell)
    local codes = { unpack(before, 1, cover.CELLS) }
    codes[at] = code
    chunks.replace(calls, index, chunks.newChunk(self, index, codes))
  end
  local call = self.calls[code]
  if call then
    local x, y, w, h = self:toWorld(column, row)
    call(x, y, w, h, symbol)
  end
end

--- Removes the boxes of the map. It cannot be used any more.
function Map:remove()
  checkMap(self, "remove")
  for _, chunk in ipairs(self.chunks) do
    chunks.removeBoxes(self, chunk.ids)
  end
  for name in fields(self) do
    self[name] = nil
  end
  isMap[self] = false
  setmetatable(self, { __index = function() arguments.raise("map was removed") end })
end

Map.rayCells = require(root .. ".maps.sight")
Map.flood = require(root .. ".maps.flood")
Map.snapshot, Map.restore = history.snapshot, history.restore

return newMap
