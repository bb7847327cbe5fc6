-- Covers a chunk of a Map again when a cell has changed, such that few boxes change.
--
-- A box that is replaced ends its contacts. So if somebody is in a box, as in water, it stays: as
-- it is, or cut back to the side of the changed cell on which most of them are. The rest of the
-- chunk is covered around it. When nobody is there any more, the next edit covers all of the chunk
-- as if it were new.
--
-- An edit is { map =, index =, at = (in the chunk), column =, row = (in the map), code = (new),
-- pins =, idOf =, from = }: the keys of the boxes that stay, the ids of boxes by key, and for the
-- key of a box that is cut back the key that it had.

local root = ((...) or ""):match("^(.+)[./\\]%w+[./\\]") or "broadside"
local arguments = require(root .. ".support.arguments")
local chunks = require(root .. ".maps.chunks")
local cover = require(root .. ".maps.cover")

local edits = {}

local SIDE, AREAS = cover.SIDE, cover.AREAS

-- Whether the edit takes a cell away from a rectangle of a kind.
local function cuts(edit, column, row, columns, rows, number)
  for _, numberOf in ipairs(edit.map.layers) do
    if numberOf[edit.code] == number then return false end
  end
  return edit.column >= column and edit.column < column + columns and edit.row >= row
    and edit.row < row + rows
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
local function cutBack(edit, boxes, column, row, columns, rows, number)
  local map, isIn, most, best = edit.map, {}, 0, nil
  local kind, sides = map.kinds[number], chunks.sidesOf(map, edit.index)
  for _, box in ipairs(boxes) do
    isIn[box] = true
  end
  for _, part in ipairs(partsOf(edit, column, row, columns, rows)) do
    if isExact(map, kind.rect, part[1], part[2], part[3], part[4]) then
      local stay = #boxes
      local rest = map.world:queryRect(chunks.rectOf(map, kind, part[5], part[6], part[7], part[8]))
      for _, box in ipairs(rest) do
        stay = isIn[box] and stay - 1 or stay
      end
      if stay > most then
        most = stay
        best = cover.keyOf((part[2] - sides.top - 1) * SIDE + part[1] - sides.left - 1, part[3],
          part[4], number)
      end
    end
  end
  return best
end

-- Pins those boxes that would go, and in which somebody is. Returns whether there are any.
local function pin(edit, keys)
  local map, pins, idOf = edit.map, edit.pins, edit.idOf
  local before = #pins
  for _, key in ipairs(keys) do
    local id, boxes = idOf[key], {}
    if map.world:has(id) then boxes = map.world:queryBox(id) end
    if #boxes > 0 then
      local now, column, row, columns, rows, number = key, chunks.areaOf(map, edit.index, key)
      if cuts(edit, column, row, columns, rows, number) then
        now = cutBack(edit, boxes, column, row, columns, rows, number)
      end
      pins[#pins + 1] = now
      if now and now ~= key then idOf[key], idOf[now], edit.from[now] = nil, id, key end
    end
  end
  return #pins > before
end

-- Finds the new keys of the chunk, and those of boxes that have to go.
local function findKeys(edit, chunk)
  local map, gone = edit.map, {}
  local keys = cover.find(chunk.cells, map.layers, map.kinds, chunks.sidesOf(map, edit.index),
    edit.at, edit.code, edit.pins)
  local stays = {}
  for _, key in ipairs(keys) do
    stays[key] = true
  end
  for _, key in ipairs(chunk.keys) do
    if edit.idOf[key] and not stays[key] then gone[#gone + 1] = key end
  end
  return keys, gone
end

-- Gives the boxes that are cut back their new sides, or the old ones again.
local function resize(edit, isBack)
  local map, index = edit.map, edit.index
  for _, key in ipairs(edit.pins) do
    local now, id = isBack and edit.from[key] or key, edit.idOf[key]
    if edit.from[key] then
      local column, row, columns, rows, number = chunks.areaOf(map, index, now)
      map.world:update(id, chunks.rectOf(map, map.kinds[number], column, row, columns, rows))
      map.areas[id] = (index - 1) * AREAS + now % AREAS
    end
  end
end

--- Removes boxes of a map that are still there.
function edits.removeBoxes(map, ids)
  for _, id in ipairs(ids) do
    if map.world:has(id) then map.world:remove(id) end
    map.areas[id] = nil
  end
end

--- Covers a chunk again, of which a cell gets another code. Returns the keys and the ids of its
-- boxes. edit: its first six fields. nameOf, tell: as in chunks.newCalls.
function edits.coverAnew(edit, nameOf, tell)
  local chunk, ids, goneIds = edit.map.chunks[edit.index], {}, {}
  edit.pins, edit.idOf, edit.from = {}, {}, {}
  for i, key in ipairs(chunk.keys) do
    edit.idOf[key] = chunk.ids[i]
  end
  local keys, gone
  repeat
    keys, gone = findKeys(edit, chunk)
  until not pin(edit, gone)
  local calls = chunks.newCalls(edit.map, nameOf, tell)
  for i, key in ipairs(keys) do
    ids[i] = edit.idOf[key] or false
    if not ids[i] then chunks.addBox(calls, edit.index, key, ids, i) end
  end
  for i, key in ipairs(gone) do
    goneIds[i] = edit.idOf[key]
  end
  local done, problem = pcall(function()
    resize(edit)
    chunks.insertAll(calls)
    edits.removeBoxes(edit.map, goneIds)
  end)
  if not done then -- and nothing has been inserted, as removing needs no memory
    pcall(resize, edit, true)
    arguments.raiseAgain(problem)
  end
  return keys, ids
end

return edits
