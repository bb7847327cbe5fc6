-- The chunks of a Map, and their boxes.
--
-- A chunk has 32 x 32 cells, and its own boxes:
--
--     chunk.cells   a code for each cell, row by row; 0 beyond the end of the map
--     chunk.keys    the rectangles that cover them: see cover.lua
--     chunk.ids     the ids of their boxes, in the same order
--
-- A code stands for a symbol. A chunk never changes, so that snapshots can refer to it. An edit
-- puts another one in its place.
--
-- A symbol has any number of kinds of boxes. map.layers[i] has the number of each code's i-th kind,
-- or 0, so that each layer is covered like a map that has one kind in a cell.

local root = ((...) or ""):match("^(.+)[./\\]%w+[./\\]") or "broadside"
local arguments = require(root .. ".support.arguments")
local cover = require(root .. ".maps.cover")
local level = require(root .. ".maps.level")
local rules = require(root .. ".maps.rules")

local chunks = {}

local SIDE, AREAS = cover.SIDE, cover.AREAS

local floor = math.floor

-- Stands for a NaN, which cannot be the key of a table.
local NAN = {}

-- Codes -------------------------------------------------------------------------------------------

-- Notes the kinds of a new code, each once.
local function addKinds(map, code, kinds)
  local numbers, isThere = {}, {}
  for _, kind in ipairs(kinds) do
    local cells = rules.cellsOf(map.found, kind, map.layout)
    local number = cells.number
    if not isThere[number] then numbers[#numbers + 1], isThere[number] = number, true end
    map.kinds[number] = cells.kind
  end
  for i = #map.layers + 1, #numbers do
    map.layers[i] = {}
    for other = 0, code - 1 do
      map.layers[i][other] = 0
    end
  end
  for i, numberOf in ipairs(map.layers) do
    numberOf[code] = numbers[i] or 0
  end
  map.calls[code] = kinds.call or false
end

--- The code of a symbol. tell(text) raises an error if the legend does not have the symbol.
function chunks.codeOf(map, symbol, tell)
  if symbol == nil then tell("no kind for nil") end
  local key = symbol
  if symbol ~= symbol then key = NAN end
  local code = map.codes[key]
  if code then return code end
  local kinds = map.kindsOf(symbol, tell)
  code = #map.symbols + 1
  map.symbols[code], map.codes[key] = symbol, code
  addKinds(map, code, kinds)
  return code
end

-- Boxes -------------------------------------------------------------------------------------------

--- How many columns and rows of the map come before a chunk.
function chunks.cornerOf(map, index)
  return (index - 1) % map.across * SIDE, floor((index - 1) / map.across) * SIDE
end

--- The first column and row of a rectangle, in the map, and what else is in its key.
function chunks.areaOf(map, index, key)
  return cover.read(key, chunks.cornerOf(map, index))
end

--- The rect of the box for some cells of a kind.
function chunks.rectOf(map, kind, column, row, columns, rows)
  local rect, layout = kind.rect, map.layout
  local _, w = cover.partOf(layout.x, layout.w, rect[1], rect[3], column, columns)
  local _, h = cover.partOf(layout.y, layout.h, rect[2], rect[4], row, rows)
  return layout.x + (column - 1) * layout.w + rect[1],
    layout.y + (row - 1) * layout.h + rect[2], w, h
end

--- A list of calls that insert boxes: one call for each kind. nameOf(row, column): what a message
-- calls a cell. tell(text) raises an error about one.
function chunks.newCalls(map, nameOf, tell)
  return { map = map, nameOf = nameOf, tell = tell, ofKind = {} }
end

--- Adds the box of a chunk's rectangle to the calls; its id will be ids[i].
function chunks.addBox(calls, index, key, ids, i)
  local map = calls.map
  local column, row, columns, rows, number = chunks.areaOf(map, index, key)
  local kind, call = map.kinds[number], calls.ofKind[number]
  if kind.circle or kind.polygon then
    level.addCalls(calls, { kind = kind, layout = map.layout, nameOf = calls.nameOf, row, column })
    call = calls[#calls]
    call.owners = {}
  else
    local x, y, w, h = chunks.rectOf(map, kind, column, row, columns, rows)
    local complaint = level.complaintOfSides({ x, y, x + w, y + h })
    if complaint then calls.tell(calls.nameOf(row, column) .. ": " .. complaint) end
    if not call then
      call = { "insertMany", {}, kind.options, nameOf = calls.nameOf, row = row, column = column,
        owners = {} }
      calls[#calls + 1], calls.ofKind[number] = call, call
    end
    local flat, n = call[2], #call[2]
    flat[n + 1], flat[n + 2], flat[n + 3], flat[n + 4] = x, y, w, h
  end
  local owners, n = call.owners, #call.owners
  owners[n + 1], owners[n + 2], owners[n + 3] = ids, i, (index - 1) * AREAS + key % AREAS
end

--- The id of a Box, or the argument if that is an id already.
function chunks.idOf(box)
  return type(box) == "number" and box or box:getId()
end

--- Inserts the boxes, and writes their ids to their places.
function chunks.insertAll(calls)
  local map, n = calls.map, 0
  local boxes = level.insert(map.world, calls, calls.tell)
  for _, call in ipairs(calls) do
    local owners = call.owners
    for i = 1, #owners, 3 do
      n = n + 1
      local id = chunks.idOf(boxes[n])
      owners[i][owners[i + 1]] = id
      map.areas[id] = owners[i + 2]
    end
  end
end

local function removeAll(map, ids)
  for _, id in ipairs(ids) do
    if map.world:has(id) then map.world:remove(id) end
    map.areas[id] = nil
  end
end

--- Removes boxes of a map that are still there. Needs no memory.
function chunks.removeBoxes(map, ids)
  local done, problem = pcall(removeAll, map, ids)
  if not done then arguments.raiseAgain(problem) end
end

-- Chunks ------------------------------------------------------------------------------------------

--- The chunk of a cell, and the cell's place within it.
function chunks.locate(map, column, row)
  local right, down = (column - 1) % SIDE, (row - 1) % SIDE
  return (row - 1 - down) / SIDE * map.across + (column - 1 - right) / SIDE + 1,
    down * SIDE + right + 1
end

--- Makes a chunk without boxes. codes: of its cells, row by row.
function chunks.newChunk(map, index, codes)
  local keys = cover.find(codes, map.layers, map.kinds, map.layout, chunks.cornerOf(map, index))
  return { cells = codes, keys = keys, ids = {} }
end

--- Puts a new chunk in the place of one. Boxes that both have stay; others are inserted, and then
-- removed. calls: an empty list of newCalls.
function chunks.replace(calls, index, chunk)
  local map, idOf, gone = calls.map, {}, {}
  local before = map.chunks[index]
  for i, key in ipairs(before.keys) do
    idOf[key] = before.ids[i]
  end
  for i, key in ipairs(chunk.keys) do
    chunk.ids[i], idOf[key] = idOf[key] or false, nil
    if not chunk.ids[i] then chunks.addBox(calls, index, key, chunk.ids, i) end
  end
  for i, key in ipairs(before.keys) do
    if idOf[key] then gone[#gone + 1] = before.ids[i] end
  end
  chunks.insertAll(calls)
  chunks.removeBoxes(map, gone)
  map.chunks[index] = chunk
end

return chunks
