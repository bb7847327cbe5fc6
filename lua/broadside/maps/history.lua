-- Snapshots of a Map: map:snapshot and map:restore.
--
-- A snapshot refers to the chunks that the map has, which never change, so it costs as much as a
-- list of them.

local root = ((...) or ""):match("^(.+)[./\\]%w+[./\\]") or "broadside"
local arguments = require(root .. ".support.arguments")
local cells = require(root .. ".maps.cells")
local chunks = require(root .. ".maps.chunks")
local cover = require(root .. ".maps.cover")
local lists = require(root .. ".support.lists")

local history = {}

local CELLS, AREAS = cover.CELLS, cover.AREAS

local describe, NONE = arguments.describe, {}

local function refuse(text)
  arguments.refuse("restore", 1, text)
end

-- The map of each snapshot that is still as it was made. Others are checked completely.
local makers = setmetatable({}, { __mode = "k" })

--- Keeps the cells and their boxes. Take a snapshot of the world at the same time, and restore that
-- first.
-- reuse: a snapshot whose table is used again. A snapshot is a table of plain values, which must
-- not be changed. So it can be stored if all symbols are plain values. O(chunks).
function history.snapshot(self, reuse)
  cells.checkMap(self, "snapshot")
  arguments.checkTable(reuse, "snapshot", 1)
  local state = reuse or {}
  local list = type(state.chunks) == "table" and state.chunks or {}
  for i = 1, math.max(#self.chunks, #list) do
    list[i] = self.chunks[i]
  end
  state.columns, state.rows = self.columns, self.rows
  state.symbols, state.chunks = self.symbols, list
  makers[state] = self
  return state
end

-- Whether the world has the boxes of a chunk: if they move or have a shape, at least their ids.
local function hasBoxes(map, index, chunk)
  if #chunk.ids ~= #chunk.keys then return false end
  for i, id in ipairs(chunk.ids) do
    if not arguments.isIdIn(map.world, id) then return false end
    local column, row, columns, rows, number = chunks.areaOf(map, index, chunk.keys[i])
    local kind = map.kinds[number]
    if kind.options.static and not kind.circle and not kind.polygon then
      local x, y, w, h = chunks.rectOf(map, kind, column, row, columns, rows)
      local rect = map.world:getRects({ id })
      if x ~= rect[1] or y ~= rect[2] or w ~= rect[3] or h ~= rect[4] then return false end
    end
  end
  return true
end

-- Makes a chunk of this map from a chunk of a stored snapshot; nil if that is damaged. Cells beyond
-- the end of the map have the code 0, and no others.
local function readChunk(map, index, stored, codes)
  if type(stored) ~= "table" or type(stored.cells) ~= "table" or type(stored.ids) ~= "table" then
    return nil
  end
  local cellCodes = {}
  for at = 1, CELLS do
    local code = stored.cells[at]
    if codes[code] == nil or (code == 0) ~= (map.chunks[index].cells[at] == 0) then
      return nil
    end
    cellCodes[at] = codes[code]
  end
  local chunk = chunks.newChunk(map, index, cellCodes)
  for i, id in lists.items(stored.ids) do
    chunk.ids[i] = id
  end
  return chunk
end

local function readState(map, state)
  if type(state.symbols) ~= "table" or type(state.chunks) ~= "table" then
    refuse("snapshot of a map expected, got another table")
  elseif state.columns ~= map.columns or state.rows ~= map.rows then
    refuse(("snapshot of another map: %s x %s cells, not %d x %d"):format(
      describe(state.columns), describe(state.rows), map.columns, map.rows))
  end
  local list, codes = {}, { [0] = 0 } -- the codes of this map by those of the snapshot
  for i, symbol in lists.items(state.symbols) do
    codes[i] = chunks.codeOf(map, symbol, refuse)
  end
  for index = 1, #map.chunks do
    list[index] = readChunk(map, index, state.chunks[index], codes)
      or refuse(("no snapshot of a map: chunk %d is damaged"):format(index))
  end
  return list
end

--- Restores the cells, and finds their boxes, which the world must have restored before.
-- state: the result of snapshot, for this map or, if it was stored and read again, for a map of
-- the same size and legend. Raises an error, with nothing changed, if the world does not have its
-- boxes. O(changes since then); O(cells) for a stored one.
function history.restore(self, state)
  cells.checkMap(self, "restore")
  arguments.check(type(state) == "table", "restore", 1, "snapshot of a map", state)
  local list = makers[state] == self and state.chunks or readState(self, state)
  for index, chunk in ipairs(list) do
    if chunk ~= self.chunks[index] and not hasBoxes(self, index, chunk) then
      refuse("the world does not have the boxes of this snapshot: restore it first")
    end
  end
  for index, chunk in ipairs(self.chunks) do
    for _, id in ipairs(chunk ~= list[index] and chunk.ids or NONE) do
      self.areas[id] = nil
    end
  end
  for index, chunk in ipairs(list) do
    for i, id in ipairs(chunk ~= self.chunks[index] and chunk.ids or NONE) do
      self.areas[id] = (index - 1) * AREAS + chunk.keys[i] % AREAS
    end
    self.chunks[index] = chunk
  end
end

return history
