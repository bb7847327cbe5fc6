-- A Map: the cells of tiles.newMap and their boxes, which follow when a cell is set. chunks.lua
-- says how they are stored.

local root = ((...) or ""):match("^(.+)[./\\]") or "broadside"
local cells = require(root .. ".cells")
local chunks = require(root .. ".chunks")
local cover = require(root .. ".cover")
local fields = require(root .. ".fields")
local history = require(root .. ".history")
local level = require(root .. ".level")

local Map = {}
local MapMeta = { __index = Map }

local SIDE, AREAS = cover.SIDE, cover.AREAS

local floor, refuse, isMap, refuseSelf = math.floor, cells.refuse, cells.isMap, cells.refuseSelf

-- Making ------------------------------------------------------------------------------------------

-- The code of each cell, row by row. Shorter rows are padded with false.
local function readCodes(map, lines)
  for row = 1, map.rows do
    local line = lines[row] or {}
    lines[row] = line
    for column = 1, #line do
      line[column] = map.codes[line[column]] or chunks.codeOf(map, line[column])
    end
    for column = #line + 1, map.columns do
      line[column] = map.codes[false] or chunks.codeOf(map, false) or 0
    end
  end
end

-- Calls the functions of the legend for their cells, row by row.
local function callFunctions(map, lines)
  for row = 1, map.rows do
    for column = 1, map.columns do
      local call = map.calls[lines[row][column]]
      if call then
        call(map.sides.x[column], map.sides.y[row], map.layout.w, map.layout.h,
          map.signs[lines[row][column]])
      end
    end
  end
end

local function newEmptyMap(world, layout, kindOf)
  local map = setmetatable({
    world = world,
    layout = layout,
    kindOf = kindOf, -- the kind of a sign, or false for nothing; or nil and a complaint
    signs = {}, -- by code
    codes = {}, -- by sign
    numberOf = { [0] = 0 }, -- of a code: the number of the kind whose boxes its cells get, or 0
    calls = { [0] = false }, -- of a code: the function that is called for its cells, or false
    kinds = {}, -- by number
    numbers = {}, -- by kind
    chunks = {}, -- row by row, `across` in each row
    areas = {}, -- by the id of a box: its chunk and its rectangle
    epoch = 0,
  }, MapMeta)
  isMap[map] = true
  return map
end

-- What a message calls a cell of a sign.
local function describeCell(sign, row, column)
  return ("kind %s in row %d, column %d"):format(level.describe(sign), row, column)
end

-- lines: the signs, row by row; this function overwrites them. kindOf(sign): its kind, or false.
-- Returns nil, a message, and whether that is about a cell, if the boxes cannot be inserted.
local function newMap(world, lines, rows, layout, kindOf)
  local map, columns = newEmptyMap(world, layout, kindOf), 0
  for row = 1, rows do
    columns = math.max(columns, lines[row] and #lines[row] or 0)
  end
  map.columns, map.rows = columns, rows
  map.across = math.ceil(columns / SIDE)
  map.sides = { x = cells.nearSides(layout.x, layout.w, columns),
    y = cells.nearSides(layout.y, layout.h, rows) }
  readCodes(map, lines)
  local calls = chunks.newCalls(map, function(row, column)
    return describeCell(map:get(column, row), row, column)
  end)
  for index = 1, map.across * math.ceil(rows / SIDE) do
    local chunk = chunks.newChunk(map, lines, index)
    map.chunks[index] = chunk
    for i, key in ipairs(chunk.keys) do
      local complaint = chunks.addBox(calls, index, key, chunk.ids, i)
      if complaint then
        return nil, complaint, true
      end
    end
  end
  local done, message, isOfCell = chunks.insertAll(calls)
  if not done then
    return nil, message, isOfCell
  end
  callFunctions(map, lines)
  return map
end

-- Cells -------------------------------------------------------------------------------------------

--- Returns the sign of a cell; nil outside of the map.
function Map:get(column, row)
  if not isMap[self] then refuseSelf(self, "get") end
  if type(column) ~= "number" or type(row) ~= "number" then
    local arg = type(column) ~= "number" and 1 or 2
    refuse("get", arg, "number expected, got " .. level.describe(arg == 1 and column or row))
  end
  if column >= 1 and column <= self.columns and row >= 1 and row <= self.rows
    and column % 1 == 0 and row % 1 == 0 then
    local index, at = chunks.locate(self, column, row)
    return self.signs[self.chunks[index].cells[at]]
  end
  return nil
end

--- Returns the number of columns and of rows.
function Map:size()
  if not isMap[self] then refuseSelf(self, "size") end
  return self.columns, self.rows
end

--- Returns the cell at a place, which may be outside of the map. A cell contains its near sides,
-- but not its far sides.
function Map:toCell(x, y)
  if not isMap[self] then refuseSelf(self, "toCell") end
  local arg, complaint = cells.complaintOfNumbers(x, y)
  if arg then
    refuse("toCell", arg, complaint)
  end
  local layout, sides = self.layout, self.sides
  return cells.at(sides.x, layout.x, layout.w, x), cells.at(sides.y, layout.y, layout.h, y)
end

--- Returns the rectangle of a cell, which may be outside of the map.
function Map:toWorld(column, row)
  if not isMap[self] then refuseSelf(self, "toWorld") end
  local arg, complaint = cells.complaintOfNumbers(column, row)
  if arg then
    refuse("toWorld", arg, complaint)
  end
  local layout = self.layout
  return self.sides.x[column] or layout.x + (column - 1) * layout.w,
    self.sides.y[row] or layout.y + (row - 1) * layout.h, layout.w, layout.h
end

-- Which of some cells in a line a hit is on: the last or the first of them, or else the one at its
-- place.
local function met(place, normal, isAcross, first, count)
  if isAcross then
    return normal > 0 and first + count - 1 or first
  end
  return math.max(first, math.min(first + count - 1, place))
end

--- Returns the cell of a box that was hit at x, y, on the side with that normal; nil if the box is
-- not the map's. The arguments are what a cast returns: map:cellAt(world:segmentCast(...)).
function Map:cellAt(box, x, y, nx, ny)
  if not isMap[self] then refuseSelf(self, "cellAt") end
  if box == nil then
    return nil
  elseif type(box) ~= "number" and (type(box) ~= "userdata" or getmetatable(box) ~= "Box") then
    refuse("cellAt", 1, "Box or id expected, got " .. level.describe(box))
  end
  local arg, complaint = cells.complaintOfNumbers(x, y, nx or 0, ny or 0)
  if arg then
    refuse("cellAt", arg + 1, complaint)
  end
  local area = self.areas[chunks.idOf(box)]
  if not area then
    return nil
  end
  local column, row, columns, rows = chunks.areaOf(self, floor(area / AREAS) + 1, area % AREAS)
  local atColumn, atRow = self:toCell(x, y)
  nx, ny = nx or 0, ny or 0
  local along, down = math.abs(nx), math.abs(ny)
  return met(atColumn, nx, along > down, column, columns), met(atRow, ny, down > along, row, rows)
end

-- Changes -----------------------------------------------------------------------------------------

--- Changes a cell. Boxes that are not affected stay. Others of the same chunk are removed, and new
-- ones inserted. The function of a sign is called, as by tiles.insert. O(1).
function Map:set(column, row, sign)
  if not isMap[self] then refuseSelf(self, "set") end
  local arg, complaint = cells.complaintOfCell(self, column, row)
  if arg then
    refuse("set", arg, complaint)
  end
  local code
  code, complaint = chunks.codeOf(self, sign)
  if not code then
    refuse("set", 3, complaint)
  end
  local index, at = chunks.locate(self, column, row)
  index = floor(index) -- as an integer, so that the values in map.areas are integers
  local number, old = self.numberOf[code], self.chunks[index].cells[at]
  if number ~= self.numberOf[old] then
    local keys, ids, isOfCell = chunks.coverAnew(self, index, at, number, function(i, j)
      local isNew = i == row and j == column
      return describeCell(isNew and sign or self:get(j, i), i, j)
    end)
    if not keys and isOfCell then
      refuse("set", 3, ids)
    elseif not keys then
      error(ids, 2)
    end
    local chunk = chunks.ownChunk(self, index)
    chunk.keys, chunk.ids = keys, ids
  end
  if code ~= old then
    chunks.ownChunk(self, index).cells[at] = code
  end
  local call = self.calls[code]
  if call then
    local x, y, w, h = self:toWorld(column, row)
    call(x, y, w, h, sign)
  end
end

local Removed = {
  __index = function()
    error("map was removed", 2)
  end,
}

--- Removes the boxes of the map. It cannot be used any more.
function Map:remove()
  if not isMap[self] then refuseSelf(self, "remove") end
  for _, chunk in ipairs(self.chunks) do
    local done, message = pcall(chunks.removeBoxes, self, chunk.ids)
    if not done then
      error(level.messageOf(message), 2)
    end
  end
  for name in fields(self) do
    self[name] = nil
  end
  isMap[self] = false
  setmetatable(self, Removed)
end

Map.rayCells = require(root .. ".sight")
Map.flood = require(root .. ".flood")
Map.snapshot, Map.restore = history.snapshot, history.restore

return newMap
