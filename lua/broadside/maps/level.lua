-- What broadside.tiles, broadside.tiled and broadside.ldtk share: what symbols and classes stand
-- for, how cells become few rectangles, and how boxes are inserted into a world, either all of them
-- or none.

local root = ((...) or ""):match("^(.+)[./\\]%w+[./\\]") or "broadside"
local arguments = require(root .. ".support.arguments")
local broadside = require(root)
local fields = require(root .. ".support.fields")

local level = {}

local describe, unpack = arguments.describe, table.unpack or unpack

local function nextItem(list, i)
  local value = rawget(list, i + 1)
  if value ~= nil then
    return i + 1, value
  end
  return nil
end

--- ipairs for tables from elsewhere, without metamethods: those may add items without an end.
function level.items(list)
  return nextItem, list, 0
end

-- Kinds -------------------------------------------------------------------------------------------

-- What a kind has besides options of world:insert.
local OWN = { merge = true, rect = true, circle = true, polygon = true }

-- Options and shapes are checked by inserting a box with them into this world.
local trial

-- Returns nil, or the complaint of a call: the text in the brackets of its message.
local function complaintOf(method, ...)
  trial = trial or broadside.newWorld({ results = "id" })
  local done, message = pcall(trial[method], trial, ...)
  trial:clear()
  return not done and (tostring(message):match("^.-%((.*)%)$") or error(message, 0)) or nil
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

-- Options without `key`, so that trying them leaves no trace in the data. The data are not known
-- before a thing of the map is read.
local function withoutTrace(options)
  if options.key == nil then
    return options
  end
  local copy = {}
  for name, option in fields(options) do
    copy[name] = option
  end
  copy.data = {}
  return copy
end

-- What is wrong with a kind, or nil. own: the OWN names that it may have.
local function complaintOfKind(kind, own)
  local complaint = complaintOf("insert", 0, 0, 1, 1, withoutTrace(kind.options))
  if complaint and complaint:find("^unknown option") then
    return complaint .. ", " .. own
  end
  return complaint
    or kind.rect ~= nil and complaintOfList("rect", kind.rect)
    or kind.circle ~= nil and complaintOfList("circle", kind.circle)
    or kind.polygon ~= nil and complaintOf("insertPolygon", kind.polygon)
end

-- Copies a list's own items, so that neither a later change nor a metatable can alter them.
local function copyList(list)
  if type(list) ~= "table" then
    return list
  end
  local copy = {}
  for i, item in level.items(list) do
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
    local isOwn = OWN[name] or own and type(name) == "string"
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
  if complaint then
    return nil, complaint
  end
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
    if value == value then
      numbers.of[value] = number
    end
  end
  return number
end

--- A key that two kinds share if and only if they make the same boxes. So their cells can become
-- one box. numbers: { n = 0, of = {} } for all kinds that are compared.
function level.keyOf(kind, numbers)
  if kind.call then
    return kind
  end
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
    if isList(name, value) then
      addList(name, value)
    else
      add(name, value)
    end
  end
  for _, name in ipairs({ "rect", "circle", "polygon" }) do
    addList(name, kind[name])
  end
  add("goesAlong", kind.goesAlong)
  add("goesDown", kind.goesDown)
  table.sort(parts)
  return table.concat(parts, "\n")
end

-- Merging -----------------------------------------------------------------------------------------

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
-- Returns the numbers of the lines, the places in each one, and a set of these.
local function sortCells(cells, isTurned)
  local numbers, places, isThere = {}, {}, {}
  local toLine = isTurned and 1 or 0
  for i = 1, #cells, 2 do
    local line, place = cells[i + toLine], cells[i + 1 - toLine]
    local list = places[line]
    if not list then
      list = {}
      numbers[#numbers + 1], places[line], isThere[line] = line, list, {}
    end
    list[#list + 1] = place
    isThere[line][place] = true
  end
  sort(numbers)
  for _, line in ipairs(numbers) do
    sort(places[line])
  end
  return numbers, places, isThere
end

-- How many places of a line follow each other from one of them on.
local function lengthOf(line, place)
  local length = 1
  while line[place + length] do
    length = length + 1
  end
  return length
end

local function isAllThere(line, place, length)
  if not line then
    return false
  end
  for i = 0, length - 1 do
    if not line[place + i] then
      return false
    end
  end
  return true
end

-- How many lines, from one on, have all those places.
local function depthOf(isThere, line, place, length)
  local depth = 1
  while isAllThere(isThere[line + depth], place, length) do
    depth = depth + 1
  end
  return depth
end

local function remove(isThere, line, place, length, depth)
  for i = 0, depth - 1 do
    for j = 0, length - 1 do
      isThere[line + i][place + j] = nil
    end
  end
end

-- Cuts cells into rectangles. The algorithm is greedy: each rectangle begins at the first free
-- cell, becomes as long as possible, and then as deep as possible. Returns nil if there are not
-- fewer than `most`.
local function cut(cells, isTurned, canGrow, canStack, most)
  local numbers, places, isThere = sortCells(cells, isTurned)
  local areas = {}
  for _, line in ipairs(numbers) do
    for _, place in ipairs(places[line]) do
      if isThere[line][place] then
        local length = canGrow and lengthOf(isThere[line], place) or 1
        local depth = canStack and depthOf(isThere, line, place, length) or 1
        remove(isThere, line, place, length, depth)
        areas[#areas + 1] = isTurned and { place, line, depth, length }
          or { line, place, length, depth }
        if #areas == most then
          return nil
        end
      end
    end
  end
  return areas
end

local function isBefore(a, b)
  return a[1] < b[1] or a[1] == b[1] and a[2] < b[2]
end

--- Covers cells {row1, column1, row2, ...} by rectangles, each cell by one: row by row or column by
-- column, whichever takes fewer. Returns {{row, column, columns, rows}, ...} by row and column.
-- O(n log n) for n cells.
function level.merge(cells, goesAlong, goesDown)
  local areas = cut(cells, false, goesAlong, goesDown)
  local turned = goesAlong and goesDown and #areas > 1
    and cut(cells, true, goesDown, goesAlong, #areas)
  if turned then
    table.sort(turned, isBefore)
  end
  return turned or areas
end

-- Boxes -------------------------------------------------------------------------------------------

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
-- of them does; and its size. near: where the cells begin. offset, size: the box of one cell.
-- first: the first cell.
function level.partOf(near, offset, size, first, count)
  local from = near[first] + offset
  while count > 1 do
    local all = sizeBetween(from, near[first + count - 1] + offset + size)
    if all then
      return count, all
    end
    count = math.ceil(count / 2)
  end
  return 1, size
end

-- Cuts cells in a line into parts {first, how many, size of the box}.
local function cutLine(near, offset, size, first, count)
  local parts = {}
  while count > 0 do
    local n, part = level.partOf(near, offset, size, first, count)
    table.insert(parts, { first, n, part })
    first, count = first + n, count - n
  end
  return parts
end

-- Where cells begin along an axis, by number.
local function nearSides(origin, step)
  return setmetatable({}, { __index = function(_, i)
    return origin + (i - 1) * step
  end })
end

-- The boxes of a kind as {{row, column, w, h}, ...} by row and column.
local function listBoxes(cells, layout)
  local kind, boxes = cells.kind, {}
  local rect = kind.rect
  local x, y = nearSides(layout.x, layout.w), nearSides(layout.y, layout.h)
  local areas = level.merge(cells, kind.goesAlong, kind.goesDown)
  for _, area in ipairs(areas) do
    local columns = cutLine(x, rect[1], rect[3], area[2], area[3])
    for _, rows in ipairs(cutLine(y, rect[2], rect[4], area[1], area[4])) do
      for _, part in ipairs(columns) do
        table.insert(boxes, { rows[1], part[1], part[3], rows[3] })
      end
    end
  end
  if #boxes > #areas then
    table.sort(boxes, isBefore)
  end
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

--- Calls f(x, y, w, h, row, column) for each box of a kind, which covers some of its cells, or a
-- part of one.
-- cells: { kind =, row1, column1, row2, ...}.
-- layout: { x =, y =, w =, h = }, the first cell. The far sides are exactly those of the last
-- cells.
-- nameOf(row, column): what a message calls a cell. tell(text): called with what is wrong with one
-- of the boxes, which is left out if tell returns.
function level.eachBox(cells, layout, nameOf, f, tell)
  local rect = cells.kind.rect
  for _, box in ipairs(listBoxes(cells, layout)) do
    local row, column, w, h = box[1], box[2], box[3], box[4]
    local x = layout.x + (column - 1) * layout.w + rect[1]
    local y = layout.y + (row - 1) * layout.h + rect[2]
    local complaint = level.complaintOfSides({ x, y, x + w, y + h })
    if complaint then
      tell(nameOf(row, column) .. ": " .. complaint)
    else
      f(x, y, w, h, row, column)
    end
  end
end

local function shift(corners, dx, dy)
  local shifted = {}
  for i = 1, #corners, 2 do
    shifted[i], shifted[i + 1] = corners[i] + dx, corners[i + 1] + dy
  end
  return shifted
end

-- Adds the calls for circles or polygons, which fill one cell each.
local function addShapes(calls, cells, layout, nameOf)
  local circle, polygon, options = cells.kind.circle, cells.kind.polygon, cells.kind.options
  for i = 1, #cells, 2 do
    local row, column = cells[i], cells[i + 1]
    local x, y = layout.x + (column - 1) * layout.w, layout.y + (row - 1) * layout.h
    local call = { nameOf = nameOf, row = row, column = column }
    if circle then
      call[1], call[2], call[3], call[4], call[5] = "insertCircle", circle[1] + x, circle[2] + y,
        circle[3], options
    else
      call[1], call[2], call[3] = "insertPolygon", shift(polygon, x, y), options
    end
    table.insert(calls, call)
  end
end

--- Adds the calls that insert the boxes of a kind, for level.insert. nameOf, tell: as in eachBox.
function level.addCalls(calls, cells, layout, nameOf, tell)
  local kind = cells.kind
  if kind.circle or kind.polygon then
    addShapes(calls, cells, layout, nameOf)
    return
  end
  local flat, n = {}, 0
  level.eachBox(cells, layout, nameOf, function(x, y, w, h, row, column)
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
  if done then
    return boxes, #boxes
  end
  removeAll(world, results) -- for want of memory
  for _, field in ipairs(before) do
    rawset(field[1], field[2], field[3])
  end
  return arguments.raiseAgain(boxes)
end

return level
