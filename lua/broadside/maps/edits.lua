-- Covers a chunk of a Map again when a cell has changed, such that few boxes change.
--
-- A box that is replaced ends its contacts. So if somebody is in a box, as in water, it stays: as
-- it is, or cut back to the side of the changed cell on which most of them are. Such a rectangle is
-- a pin. The rest of the chunk is covered around the pins. When nobody is there any more, the next
-- edit covers all of it as if it were new.
--
-- Pins are { key1, key2, ..., oldKey = {}, idOf = {}, isCut = {} }: for the key of a box that is
-- cut back, its old key and its id; and whether an old key is one of these.

local root = ((...) or ""):match("^(.+)[./\\]%w+[./\\]") or "broadside"
local arguments = require(root .. ".support.arguments")
local chunks = require(root .. ".maps.chunks")
local cover = require(root .. ".maps.cover")

local edits = {}

local SIDE, AREAS = cover.SIDE, cover.AREAS

-- Finds the boxes for new keys among those of old keys. Returns their ids, with false for those
-- that must be inserted, and the keys and ids of boxes that are no longer needed.
local function keepBoxes(chunk, keys, pins)
  local ids, goneKeys, goneIds, idOf = {}, {}, {}, {}
  for i, key in ipairs(chunk.keys) do
    idOf[key] = not pins.isCut[key] and chunk.ids[i] or nil
  end
  for i, key in ipairs(keys) do
    ids[i] = idOf[key] or pins.idOf[key] or false
    idOf[key] = nil
  end
  for _, key in ipairs(chunk.keys) do
    if idOf[key] then
      goneKeys[#goneKeys + 1], goneIds[#goneIds + 1] = key, idOf[key]
    end
  end
  return ids, goneKeys, goneIds
end

-- Pins --------------------------------------------------------------------------------------------

-- An edit is { map =, index =, at = (in the chunk), column =, row = (in the map), code = (new) }.

-- Whether the edit takes a cell away from a rectangle of a kind.
local function cuts(edit, column, row, columns, rows, number)
  for _, numberOf in ipairs(edit.map.layers) do
    if numberOf[edit.code] == number then
      return false
    end
  end
  return edit.column >= column and edit.column < column + columns and edit.row >= row
    and edit.row < row + rows
end

-- How many of the boxes in a set are in some cells of a kind.
local function countIn(map, kind, isIn, ...)
  local n = 0
  for _, box in ipairs((map.world:queryRect(chunks.rectOf(map, kind, ...)))) do
    n = n + (isIn[box] and 1 or 0)
  end
  return n
end

-- The parts of a rectangle on the four sides of the changed cell, each followed by the rest:
-- {column, row, columns, rows, and the same of the rest}.
local function partsOf(edit, column, row, columns, rows)
  local left, above = edit.column - column, edit.row - row
  return {
    { column, row, columns, above, column, edit.row, columns, rows - above },
    { column, row, left, rows, edit.column, row, columns - left, rows },
    { column, edit.row + 1, columns, rows - above - 1, column, row, columns, above + 1 },
    { edit.column + 1, row, columns - left - 1, rows, column, row, left + 1, rows },
  }
end

-- Whether one box covers a part exactly, to the last bit.
local function isExact(map, rect, column, row, columns, rows)
  return columns > 0 and rows > 0
    and cover.partOf(map.sides.x, rect[1], rect[3], column, columns) == columns
    and cover.partOf(map.sides.y, rect[2], rect[4], row, rows) == rows
end

-- The key for the part of a rectangle in which most of some boxes are, and nowhere else in the
-- rectangle; nil if there is none.
local function cutBack(edit, boxes, n, column, row, columns, rows, number)
  local map, isIn, most, best = edit.map, {}, 0, nil
  local kind, sides = map.kinds[number], chunks.sidesOf(map, edit.index)
  for i = 1, n do
    isIn[boxes[i]] = true
  end
  for _, part in ipairs(partsOf(edit, column, row, columns, rows)) do
    if isExact(map, kind.rect, part[1], part[2], part[3], part[4]) then
      local stay = n - countIn(map, kind, isIn, part[5], part[6], part[7], part[8])
      if stay > most then
        most = stay
        best = cover.keyOf((part[2] - sides.top - 1) * SIDE + part[1] - sides.left - 1, part[3],
          part[4], number)
      end
    end
  end
  return best
end

-- Adds pins for boxes that would go, and in which somebody is. Returns whether there are any.
local function addPins(pins, edit, keys, ids)
  local world, before = edit.map.world, #pins
  for i, key in ipairs(keys) do
    local boxes, n = {}, 0
    if world:has(ids[i]) then
      boxes, n = world:queryBox(ids[i])
    end
    if n > 0 then
      local column, row, columns, rows, number = chunks.areaOf(edit.map, edit.index, key)
      local pin = key
      if cuts(edit, column, row, columns, rows, number) then
        pin = cutBack(edit, boxes, n, column, row, columns, rows, number)
      end
      pins[#pins + 1] = pin
      if pin and pin ~= key then
        pins.oldKey[pin], pins.idOf[pin], pins.isCut[key] = key, ids[i], true
      end
    end
  end
  return #pins > before
end

-- Gives the boxes that are cut back their new sides, or the old ones again.
local function resize(map, index, pins, isBack)
  for _, key in ipairs(pins) do
    local id = pins.idOf[key]
    if id then
      local now = isBack and pins.oldKey[key] or key
      local column, row, columns, rows, number = chunks.areaOf(map, index, now)
      map.world:update(id, chunks.rectOf(map, map.kinds[number], column, row, columns, rows))
      map.areas[id] = (index - 1) * AREAS + now % AREAS
    end
  end
end

-- Edits -------------------------------------------------------------------------------------------

--- Removes boxes of a map that are still there.
function edits.removeBoxes(map, ids)
  for _, id in ipairs(ids) do
    if map.world:has(id) then
      map.world:remove(id)
    end
    map.areas[id] = nil
  end
end

-- Nothing has been inserted if it raises an error, as removing needs no memory.
local function change(map, index, pins, calls, goneIds)
  resize(map, index, pins)
  chunks.insertAll(calls)
  edits.removeBoxes(map, goneIds)
end

--- Covers a chunk again, of which a cell gets another code. Returns the keys and the ids of its
-- boxes. nameOf, tell: as in chunks.newCalls.
function edits.coverAnew(edit, nameOf, tell)
  local map, index, pins = edit.map, edit.index, { oldKey = {}, idOf = {}, isCut = {} }
  local chunk, sides = map.chunks[index], chunks.sidesOf(map, index)
  local keys, ids, goneKeys, goneIds
  repeat
    keys = cover.find(chunk.cells, map.layers, map.kinds, sides, edit.at, edit.code, pins)
    ids, goneKeys, goneIds = keepBoxes(chunk, keys, pins)
  until not addPins(pins, edit, goneKeys, goneIds)
  local calls = chunks.newCalls(map, nameOf, tell)
  for i = 1, #keys do
    if not ids[i] then
      chunks.addBox(calls, index, keys[i], ids, i)
    end
  end
  local done, problem = pcall(change, map, index, pins, calls, goneIds)
  if not done then
    pcall(resize, map, index, pins, true)
    arguments.raiseAgain(problem)
  end
  return keys, ids
end

return edits
