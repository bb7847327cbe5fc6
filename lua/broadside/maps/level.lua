-- How the cells of a kind (rules.lua) become boxes, and how boxes are inserted into a world, either
-- all of them or none.

local root = ((...) or ""):match("^(.+)[./\\]%w+[./\\]") or "broadside"
local arguments = require(root .. ".support.arguments")
local cover = require(root .. ".maps.cover")
local frames = require(root .. ".maps.frames")
local rules = require(root .. ".maps.rules")

local level = {}

local describe, unpack = arguments.describe, table.unpack or unpack

--- Returns nil, or what is wrong with the sides of a box, or with other coordinates in a list.
function level.complaintOfSides(sides)
  for _, side in ipairs(sides) do
    if not arguments.isFinite(side) then
      return "finite sides expected, got " .. describe(side)
    end
  end
  return nil
end

--- What a message calls a cell of a symbol.
function level.describeCell(symbol, row, column)
  return ("kind %s in row %d, column %d"):format(describe(symbol), row, column)
end

--- Calls f(x, y, w, h, row, column) for each box of a kind, by row and column. It covers some of
-- its cells, or a part of one. The far sides are exactly those of the last cells. tell(text):
-- called with what is wrong with one of the boxes, which is left out if tell returns.
function level.eachBox(cells, f, tell)
  local kind, layout, boxes = cells.kind, cells.layout, {}
  local function add(row, column, _, _, w, h)
    boxes[#boxes + 1] = { row, column, w, h }
  end
  local areas, rect = cover.merge(cells, kind), kind.rect
  for _, area in ipairs(areas) do
    cover.cutUp(add, layout, rect, area[1], area[2], area[4], area[3])
  end
  if #boxes > #areas then table.sort(boxes, cover.isBefore) end
  for _, box in ipairs(boxes) do
    local row, column, w, h = box[1], box[2], box[3], box[4]
    local x = layout.x + (column - 1) * layout.w + rect[1]
    local y = layout.y + (row - 1) * layout.h + rect[2]
    local complaint = level.complaintOfSides({ x, y, x + w, y + h })
    if complaint then
      tell(cells.nameOf(row, column) .. ": " .. complaint)
    else
      f(x, y, w, h, row, column)
    end
  end
end

--- Adds the calls that insert the boxes of a kind, for level.insert. tell: as in eachBox.
function level.addCalls(calls, cells, tell)
  local kind, layout, flat, n = cells.kind, cells.layout, {}, 0
  local circle, polygon, options = kind.circle, kind.polygon, kind.options
  local function add(row, column, call)
    call.nameOf, call.row, call.column = cells.nameOf, row, column
    table.insert(calls, call)
  end
  if circle or polygon then -- which fill one cell each
    for i = 1, #cells, 2 do
      local row, column = cells[i], cells[i + 1]
      local x, y = layout.x + (column - 1) * layout.w, layout.y + (row - 1) * layout.h
      add(row, column, circle
        and { "insertCircle", circle[1] + x, circle[2] + y, circle[3], options }
        or { "insertPolygon", frames.corners({ 1, 0, 0, 1, x, y }, polygon), options })
    end
    return
  end
  level.eachBox(cells, function(x, y, w, h, row, column)
    if options.key ~= nil then -- one by one, because insertMany does not take a key
      add(row, column, { "insert", x, y, w, h, options })
    else
      flat[n + 1], flat[n + 2], flat[n + 3], flat[n + 4] = x, y, w, h
      n = n + 4
    end
  end, tell)
  if n > 0 then add(cells[1], cells[2], { "insertMany", flat, options }) end
end

-- Returns nil, or what is wrong with a call. has: the keys that are used, by data; a table has room
-- for one box under a key. The sides of boxes are finite, and options have been checked, so shapes
-- and keys remain.
local function complaintOfCall(call, has)
  local options = call[#call]
  local key, data = options.key, options.data
  if key ~= nil and type(data) ~= "table" then
    return "option 'data': table for the key expected, got " .. describe(data)
  elseif key ~= nil and has[data] and has[data][key] then
    return "option 'key': its table has room for one box, and has another one of this map"
  end
  return call[1] ~= "insertMany" and rules.complaintOf(call[1], unpack(call, 2, #call - 1)) or nil
end

-- Checks all calls before the first is made. Returns those with which nothing is wrong, and the
-- present values of the keys that they set: {{data, key, value}, ...}.
local function sortOut(calls, tell)
  local kept, before, has = {}, {}, {}
  for _, call in ipairs(calls) do
    local complaint = complaintOfCall(call, has)
    local data, key = call[#call].data, call[#call].key
    if complaint then
      tell(call.nameOf(call.row, call.column) .. ": " .. complaint)
    else
      table.insert(kept, call)
      if key ~= nil then
        has[data] = has[data] or {}
        has[data][key] = true
        table.insert(before, { data, key, rawget(data, key) })
      end
    end
  end
  return kept, before
end

-- Makes the calls. The list of results has room already, so it always shows what was inserted.
local function insertAll(world, calls, results)
  for i, call in ipairs(calls) do
    results[i] = world[call[1]](world, unpack(call, 2))
  end
  local boxes = {}
  for _, result in ipairs(results) do
    for _, box in ipairs(type(result) == "table" and result or { result }) do
      boxes[#boxes + 1] = box
    end
  end
  return boxes
end

--- Makes calls of a world, {{method, argument, ..., options}, ...}, all of which insert boxes.
-- tell(text): called with what is wrong with one, before the first is made; it is left out if tell
-- returns. Returns the boxes and their number, or raises the world's error with nothing changed.
function level.insert(world, calls, tell)
  local kept, before = sortOut(calls, tell)
  local results = {}
  for i = 1, #kept do
    results[i] = false
  end
  local done, boxes = pcall(insertAll, world, kept, results)
  if done then return boxes, #boxes end
  for _, result in ipairs(results) do -- there was no memory for all
    for _, box in ipairs(type(result) == "table" and result or { result or nil }) do
      world:remove(box)
    end
  end
  for _, field in ipairs(before) do
    rawset(field[1], field[2], field[3])
  end
  return arguments.raiseAgain(boxes)
end

return level
