-- What broadside.tiles, broadside.tiled and broadside.ldtk share: what symbols and classes stand
-- for, how cells become boxes, and how these are inserted into a world, either all of them or none.

local root = ((...) or ""):match("^(.+)[./\\]%w+[./\\]") or "broadside"
local arguments = require(root .. ".support.arguments")
local broadside = require(root)
local cover = require(root .. ".maps.cover")
local fields = require(root .. ".support.fields")
local frames = require(root .. ".maps.frames")
local lists = require(root .. ".support.lists")

local level = {}

local describe, unpack = arguments.describe, table.unpack or unpack

-- Kinds -------------------------------------------------------------------------------------------

-- What a kind has besides options of world:insert.
local OWN = { merge = true, rect = true, circle = true, polygon = true }

-- Options and shapes are checked by inserting a box with them into this world.
local trial

-- Returns nil, or the complaint of a call.
local function complaintOf(method, ...)
  trial = trial or broadside.newWorld({ results = "id" })
  local complaint = arguments.complaintOf(trial[method], trial, ...)
  trial:clear()
  return complaint
end

-- The names of world:insert's options, as its message about an unknown one lists them.
local insertOptions

--- Whether world:insert has an option of that name.
function level.isOption(name)
  if not insertOptions then
    insertOptions = {}
    local complaint = complaintOf("insert", 0, 0, 1, 1, { [""] = true })
    for option in complaint:match("known: (.*)"):gmatch("%w+") do
      insertOptions[option] = true
    end
  end
  return insertOptions[name] == true
end

local SHAPES = {
  rect = { "insert", 4, "{x, y, w, h} with w, h > 0" },
  circle = { "insertCircle", 3, "{x, y, r} with r > 0" },
}

-- What is wrong with a rectangle or a circle, which must be a list of numbers.
local function complaintOfList(name, list)
  local method, n, expected = unpack(SHAPES[name])
  if type(list) ~= "table" or #list ~= n or complaintOf(method, unpack(list, 1, n)) then
    return ("option '%s': %s expected"):format(name, expected)
  end
  return nil
end

-- What is wrong with a kind, or nil. own: the OWN names that it may have.
local function complaintOfKind(kind, own)
  local options, data = kind.options, kind.options.data
  if options.key ~= nil then options.data = {} end -- trying it leaves no trace in the data
  local complaint = complaintOf("insert", 0, 0, 1, 1, options)
  options.data = data
  if complaint and complaint:find("^unknown option") then return complaint .. ", " .. own end
  return complaint
    or kind.rect ~= nil and complaintOfList("rect", kind.rect)
    or kind.circle ~= nil and complaintOfList("circle", kind.circle)
    or kind.polygon ~= nil and complaintOf("insertPolygon", kind.polygon)
end

-- Copies a list's own items, so that neither a later change nor a metatable can alter them.
local function copyList(list)
  if type(list) ~= "table" then return list end
  local copy = {}
  for i, item in lists.items(list) do
    copy[i] = item
  end
  return copy
end

-- Options that are lists of numbers are copied, and those with equal numbers count as the same.
local function isList(name, option)
  return type(option) == "table" and name ~= "data"
end

-- Copies the options of world:insert from those of a kind. They are static by default. own: the
-- names of others that may be there.
local function copyOptions(value, own)
  local options = { static = true }
  for name, option in fields(value) do
    local isOwn = OWN[name] or type(name) == "string"
      and (", " .. own .. ","):find(", " .. name .. ",", 1, true)
    if not isOwn then
      options[name] = isList(name, option) and copyList(option) or option
    end
  end
  return options
end

--- Makes a kind from a rule of a legend: true, options or a function.
-- cell: { w =, h = }, the size of the cells that it fills.
-- own: the names that are no options of world:insert, for messages. Returns nil and what is wrong
-- if it cannot.
function level.newKind(value, cell, own)
  if type(value) == "function" then
    return { call = value, rect = { 0, 0, cell.w, cell.h } }
  elseif value ~= true and type(value) ~= "table" then
    return nil, "true, false, table of options or function expected, got " .. describe(value)
  end
  value = value == true and {} or value
  local kind = { options = copyOptions(value, own), rect = copyList(value.rect),
    circle = copyList(value.circle), polygon = copyList(value.polygon) }
  local complaint = complaintOfKind(kind, own)
  if complaint then return nil, complaint end
  local rect, oneWay = kind.rect or { 0, 0, cell.w, cell.h }, kind.options.oneWay or { 0, 0 }
  local canMerge = value.merge ~= false and kind.options.static
    and not kind.circle and not kind.polygon
  kind.rect = rect
  kind.goesAlong = canMerge and rect[1] == 0 and rect[3] == cell.w and oneWay[1] == 0
  kind.goesDown = canMerge and rect[2] == 0 and rect[4] == cell.h and oneWay[2] == 0
  return kind
end

-- A number for a value, the same for the same value. A NaN differs from everything.
local function numberOf(numbers, value)
  local number = value == value and numbers.of[value]
  if not number then
    number, numbers.n = numbers.n + 1, numbers.n + 1
    if value == value then numbers.of[value] = number end
  end
  return number
end

-- A key that two kinds share if and only if they make the same boxes. So their cells can become one
-- box. numbers: { n = 0, of = {} } for all kinds that are compared.
local function keyOf(kind, numbers)
  local parts = {}
  local function add(name, value)
    table.insert(parts, name .. " " .. numberOf(numbers, value))
  end
  local function addList(name, list)
    for i, value in ipairs(list or {}) do
      add(name .. i, value)
    end
  end
  for name, value in fields(kind.options) do
    (isList(name, value) and addList or add)(name, value)
  end
  for _, name in ipairs({ "rect", "circle", "polygon" }) do
    addList(name, kind[name])
  end
  add("goesAlong", kind.goesAlong)
  add("goesDown", kind.goesDown)
  table.sort(parts)
  return table.concat(parts, "\n")
end

-- Cells of a kind are { kind =, layout =, nameOf =, row1, column1, row2, ... }. layout: { x =, y =,
-- w =, h = }, the first cell of the grid. nameOf(row, column): what a message calls a cell.

--- An empty list for the cells of each kind.
function level.newCells(nameOf)
  return { byKey = {}, numbers = { n = 0, of = {} }, nameOf = nameOf }
end

--- Returns the cells of the same kind in the same grid that were found before; if there are none,
-- new ones, which are in `found`.
function level.cellsOf(found, kind, layout)
  local key = ("%.17g %.17g %.17g %.17g\n"):format(layout.x, layout.y, layout.w, layout.h)
    .. keyOf(kind, found.numbers)
  if not found.byKey[key] then
    found.byKey[key] = { kind = kind, layout = layout, nameOf = found.nameOf }
    table.insert(found, found.byKey[key])
  end
  return found.byKey[key]
end

-- Boxes -------------------------------------------------------------------------------------------

-- Where cells begin along an axis, by number.
local function nearSides(origin, step)
  return setmetatable({}, { __index = function(_, i)
    return origin + (i - 1) * step
  end })
end

local function addBox(boxes, row, column, _, _, w, h)
  boxes[#boxes + 1] = { row, column, w, h }
end

-- The boxes of a kind as {{row, column, w, h}, ...} by row and column.
local function listBoxes(cells)
  local kind, layout, boxes = cells.kind, cells.layout, {}
  local sides = { x = nearSides(layout.x, layout.w), y = nearSides(layout.y, layout.h), left = 0,
    top = 0 }
  local areas = cover.merge(cells, kind)
  for _, area in ipairs(areas) do
    cover.cutUp(addBox, boxes, sides, kind.rect, area[1], area[2], area[4], area[3])
  end
  if #boxes > #areas then table.sort(boxes, cover.isBefore) end
  return boxes
end

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

--- Calls f(x, y, w, h, row, column) for each box of a kind, which covers some of its cells, or a
-- part of one. The far sides are exactly those of the last cells. tell(text): called with what is
-- wrong with one of the boxes, which is left out if tell returns.
function level.eachBox(cells, f, tell)
  local rect, layout = cells.kind.rect, cells.layout
  for _, box in ipairs(listBoxes(cells)) do
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

-- Adds the calls for circles or polygons, which fill one cell each.
local function addShapes(calls, cells)
  local circle, polygon, options = cells.kind.circle, cells.kind.polygon, cells.kind.options
  local layout = cells.layout
  for i = 1, #cells, 2 do
    local row, column = cells[i], cells[i + 1]
    local x, y = layout.x + (column - 1) * layout.w, layout.y + (row - 1) * layout.h
    local call = circle and { "insertCircle", circle[1] + x, circle[2] + y, circle[3], options }
      or { "insertPolygon", frames.corners({ 1, 0, 0, 1, x, y }, polygon), options }
    call.nameOf, call.row, call.column = cells.nameOf, row, column
    table.insert(calls, call)
  end
end

--- Adds the calls that insert the boxes of a kind, for level.insert. tell: as in eachBox.
function level.addCalls(calls, cells, tell)
  local kind, nameOf = cells.kind, cells.nameOf
  if kind.circle or kind.polygon then return addShapes(calls, cells) end
  local flat, n = {}, 0
  level.eachBox(cells, function(x, y, w, h, row, column)
    if kind.options.key ~= nil then -- one by one, because insertMany does not take a key
      table.insert(calls, { "insert", x, y, w, h, kind.options, nameOf = nameOf, row = row,
        column = column })
    else
      flat[n + 1], flat[n + 2], flat[n + 3], flat[n + 4] = x, y, w, h
      n = n + 4
    end
  end, tell)
  if n > 0 then
    table.insert(calls, { "insertMany", flat, kind.options, nameOf = nameOf, row = cells[1],
      column = cells[2] })
  end
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
  return call[1] ~= "insertMany" and complaintOf(call[1], unpack(call, 2, #call - 1)) or nil
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

local function removeAll(world, results)
  for _, result in ipairs(results) do
    for _, box in ipairs(type(result) == "table" and result or { result or nil }) do
      world:remove(box)
    end
  end
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
  removeAll(world, results) -- for want of memory
  for _, field in ipairs(before) do
    rawset(field[1], field[2], field[3])
  end
  return arguments.raiseAgain(boxes)
end

return level
