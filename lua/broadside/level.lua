-- What broadside.tiles and broadside.tiled share: what a sign or a class stands for, cells that
-- become few rectangles, and boxes that come into a world all together or not at all.

local broadside = require(((...) or ""):match("^(.+)[./\\]") or "broadside")

local level = {}

local unpack = table.unpack or unpack

-- Arguments ---------------------------------------------------------------------------------------

-- Whether a value is a 2D World.
local function isWorld(value)
  local hasGravity, axes = pcall(function()
    return select("#", value:getGravity())
  end)
  return type(value) == "userdata" and hasGravity and axes == 2
end

--- Returns nil, or what is wrong with the first argument of a function of a module.
function level.complaintOfWorld(value, module)
  if value == module then
    return "this is the module itself; call it with '.', not ':'"
  end
  return not isWorld(value) and "2D World expected, got " .. level.describe(value) or nil
end

function level.isFinite(value)
  return type(value) == "number" and value - value == 0
end

--- What a message says of a value.
function level.describe(value)
  if type(value) == "number" then
    return value ~= value and "nan" or tostring(value)
  end
  if type(value) == "userdata" then
    return tostring(value)
  end
  return type(value) == "string" and "'" .. value .. "'" or type(value)
end

--- What a message says of an option that is not there. known: the names of those that are.
function level.describeUnknown(name, known)
  return ("unknown option %s; known: %s"):format(level.describe(name), known)
end

-- Kinds -------------------------------------------------------------------------------------------

-- What is no option of world:insert.
local OWN = { merge = true, rect = true, circle = true, polygon = true }

-- Options are checked by inserting a box of them here.
local trial

-- Returns nil, or what a call complains of, as the text in the brackets of its message.
local function complaintOf(method, ...)
  trial = trial or broadside.newWorld()
  local done, message = pcall(trial[method], trial, ...)
  trial:clear()
  if done then
    return nil
  end
  return message:match("^.-%((.*)%)$") or message
end

local SHAPES = {
  rect = { "insert", 4, "{x, y, w, h} with w, h > 0" },
  circle = { "insertCircle", 3, "{x, y, r} with r > 0" },
}

-- What is wrong with a rectangle or a circle: they are lists of numbers here.
local function complaintOfList(name, list)
  local method, n, expected = unpack(SHAPES[name])
  if type(list) ~= "table" or #list ~= n or complaintOf(method, unpack(list, 1, n)) then
    return ("option '%s': %s expected"):format(name, expected)
  end
  return nil
end

-- What is wrong with the values of a kind, if anything is. own: OWN names that it may have.
local function complaintOfKind(value, options, own)
  local complaint = complaintOf("insert", 0, 0, 1, 1, options)
  if complaint and complaint:find("^unknown option") then
    return complaint .. ", " .. own
  end
  return complaint
    or value.rect ~= nil and complaintOfList("rect", value.rect)
    or value.circle ~= nil and complaintOfList("circle", value.circle)
    or value.polygon ~= nil and complaintOf("insertPolygon", value.polygon)
end

-- Copies the options of world:insert among those of a kind: static, unless they say otherwise.
local function copyOptions(value)
  local options = { static = true }
  for name, option in pairs(value) do
    if not OWN[name] then
      options[name] = option
    end
  end
  return options
end

--- Makes a kind of what a legend says: true, options or a function. cell: { w =, h = }, the size of
-- the cells that it fills. own: the names of what is no option of world:insert, for messages.
-- Returns nil and what is wrong, if it is.
function level.newKind(value, cell, own)
  if type(value) == "function" then
    return { call = value, rect = { 0, 0, cell.w, cell.h } }
  elseif value ~= true and type(value) ~= "table" then
    return nil, "true, false, table of options or function expected, got " .. level.describe(value)
  end
  value = value == true and {} or value
  local kind = { options = copyOptions(value), circle = value.circle, polygon = value.polygon }
  local complaint = complaintOfKind(value, kind.options, own)
  if complaint then
    return nil, complaint
  end
  local rect, oneWay = value.rect or { 0, 0, cell.w, cell.h }, value.oneWay or { 0, 0 }
  local canMerge = value.merge ~= false and kind.options.static
    and not kind.circle and not kind.polygon
  kind.rect = rect
  kind.goesAlong = canMerge and rect[1] == 0 and rect[3] == cell.w and oneWay[1] == 0
  kind.goesDown = canMerge and rect[2] == 0 and rect[4] == cell.h and oneWay[2] == 0
  return kind
end

local function isSameValue(a, b)
  if type(a) ~= "table" or type(b) ~= "table" then
    return a == b
  end
  for i = 1, math.max(#a, #b) do
    if a[i] ~= b[i] then
      return false
    end
  end
  return true
end

-- Lists of numbers are the same if their numbers are; data are the same if they are one value.
local LISTS = { oneWay = true }

local function hasAll(a, b)
  for name, value in pairs(a) do
    local isSame = LISTS[name] and isSameValue(value, b[name]) or rawequal(value, b[name])
    if not isSame then
      return false
    end
  end
  return true
end

--- Whether two kinds stand for the same boxes, so that their cells may become one.
function level.isSameKind(a, b)
  return not a.call and not b.call and isSameValue(a.rect, b.rect)
    and isSameValue(a.circle, b.circle) and isSameValue(a.polygon, b.polygon)
    and a.goesAlong == b.goesAlong and a.goesDown == b.goesDown
    and hasAll(a.options, b.options) and hasAll(b.options, a.options)
end

-- Merging -----------------------------------------------------------------------------------------

-- Sorts cells {row1, column1, row2, ...} into lines: rows, or columns if isTurned.
-- Returns the numbers of the lines, the places in each one, and which of them are there.
local function sortCells(cells, isTurned)
  local numbers, places, isThere = {}, {}, {}
  for i = 1, #cells, 2 do
    local line, place = cells[i], cells[i + 1]
    if isTurned then
      line, place = place, line
    end
    if not isThere[line] then
      numbers[#numbers + 1], places[line], isThere[line] = line, {}, {}
    end
    table.insert(places[line], place)
    isThere[line][place] = true
  end
  table.sort(numbers)
  for _, line in ipairs(numbers) do
    table.sort(places[line])
  end
  return numbers, places, isThere
end

local function isAllThere(line, place, length)
  for i = place, place + length - 1 do
    if not (line and line[i]) then
      return false
    end
  end
  return true
end

-- Takes the largest rectangle that begins at a place and is as long as its first line: returns its
-- length, and its number of lines.
local function take(isThere, line, place, canGrow, canStack)
  local length, depth = 1, 1
  while canGrow and isThere[line][place + length] do
    length = length + 1
  end
  while canStack and isAllThere(isThere[line + depth], place, length) do
    depth = depth + 1
  end
  for i = line, line + depth - 1 do
    for j = place, place + length - 1 do
      isThere[i][j] = nil
    end
  end
  return length, depth
end

-- Greedy: each rectangle begins at the first cell that is left, and is as long as it gets.
local function cut(cells, isTurned, canGrow, canStack)
  local numbers, places, isThere = sortCells(cells, isTurned)
  local areas = {}
  for _, line in ipairs(numbers) do
    for _, place in ipairs(places[line]) do
      if isThere[line][place] then
        local length, depth = take(isThere, line, place, canGrow, canStack)
        table.insert(areas, isTurned and { place, line, depth, length }
          or { line, place, length, depth })
      end
    end
  end
  return areas
end

local function isBefore(a, b)
  return a[1] < b[1] or a[1] == b[1] and a[2] < b[2]
end

--- Covers cells {row1, column1, row2, ...} with rectangles of them, each cell with one: row by row
-- or column by column, whichever takes fewer. Returns {{row, column, columns, rows}, ...} by row
-- and column. O(n log n) for n cells.
function level.merge(cells, goesAlong, goesDown)
  local areas = cut(cells, false, goesAlong, goesDown)
  if goesAlong and goesDown then
    local turned = cut(cells, true, goesDown, goesAlong)
    if #turned < #areas then
      table.sort(turned, isBefore)
      return turned
    end
  end
  return areas
end

-- Boxes -------------------------------------------------------------------------------------------

--- Calls f(x, y, w, h, row, column) for each box of a kind, which is some cells of it, or a part of
-- one. cells: { kind =, row1, column1, row2, ...}. layout: { x =, y =, w =, h = }, the first cell.
function level.eachBox(cells, layout, f)
  local kind = cells.kind
  local rect = kind.rect
  for _, area in ipairs(level.merge(cells, kind.goesAlong, kind.goesDown)) do
    local row, column, columns, rows = area[1], area[2], area[3], area[4]
    local x, y = layout.x + (column - 1) * layout.w, layout.y + (row - 1) * layout.h
    f(x + rect[1], y + rect[2], (columns - 1) * layout.w + rect[3],
      (rows - 1) * layout.h + rect[4], row, column)
  end
end

local function shift(corners, dx, dy)
  local shifted = {}
  for i = 1, #corners, 2 do
    shifted[i], shifted[i + 1] = corners[i] + dx, corners[i + 1] + dy
  end
  return shifted
end

-- Circles and polygons fill one cell each.
local function addShapes(calls, cells, layout)
  local circle, polygon, options = cells.kind.circle, cells.kind.polygon, cells.kind.options
  for i = 1, #cells, 2 do
    local x = layout.x + (cells[i + 1] - 1) * layout.w
    local y = layout.y + (cells[i] - 1) * layout.h
    if circle then
      table.insert(calls, { "insertCircle", circle[1] + x, circle[2] + y, circle[3], options })
    else
      table.insert(calls, { "insertPolygon", shift(polygon, x, y), options })
    end
  end
end

--- Adds the calls that insert the boxes of a kind to a list for level.insert.
function level.addCalls(calls, cells, layout)
  if cells.kind.circle or cells.kind.polygon then
    addShapes(calls, cells, layout)
    return
  end
  local flat, n = {}, 0
  level.eachBox(cells, layout, function(x, y, w, h)
    flat[n + 1], flat[n + 2], flat[n + 3], flat[n + 4] = x, y, w, h
    n = n + 4
  end)
  table.insert(calls, { "insertMany", flat, cells.kind.options })
end

-- Results are put where there is room for them already: whatever has been inserted is known.
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
    if type(result) == "table" then
      for _, box in ipairs(result) do
        world:remove(box)
      end
    elseif result then
      world:remove(result)
    end
  end
end

--- Makes calls of a world, {{method, argument, ...}, ...}, all of which insert. Returns the boxes
-- and how many, or nil and a message: then nothing has changed.
function level.insert(world, calls)
  local results = {}
  for i = 1, #calls do
    results[i] = false
  end
  local done, boxes = pcall(insertAll, world, calls, results)
  if not done then
    removeAll(world, results)
    return nil, (tostring(boxes):gsub("^[^\n:]+:%d+: ", "")) -- without the line of this file
  end
  return boxes, #boxes
end

return level
