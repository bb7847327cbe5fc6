-- What the rules of a legend stand for in tiles.lua, tiled.lua and ldtk.lua: kinds of boxes. And
-- the cells of each kind.

local root = ((...) or ""):match("^(.+)[./\\]%w+[./\\]") or "broadside"
local arguments = require(root .. ".support.arguments")
local broadside = require(root)
local fields = require(root .. ".support.fields")
local lists = require(root .. ".support.lists")

local rules = {}

local describe, unpack = arguments.describe, table.unpack or unpack

-- What a kind has besides options of world:insert.
local OWN = { merge = true, rect = true, circle = true, polygon = true }

-- Options and shapes are checked by inserting a box with them into this world.
local trial

--- Returns nil, or the complaint of a call that inserts a box.
function rules.complaintOf(method, ...)
  trial = trial or broadside.newWorld({ results = "id" })
  local complaint = arguments.complaintOf(trial[method], trial, ...)
  trial:clear()
  return complaint
end

local complaintOf = rules.complaintOf

-- Whether names are options of world:insert, by name.
local isOption = {}

--- Whether world:insert has an option of that name.
function rules.isOption(name)
  if isOption[name] == nil then
    local complaint = complaintOf("insert", 0, 0, 1, 1, { [name] = false })
    isOption[name] = not complaint or complaint:find("^option '") ~= nil
  end
  return isOption[name]
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
function rules.newKind(value, cell, own)
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

-- A key that two kinds share if and only if they make the same boxes. So their cells can become one
-- box. numbers: { n = 0, of = {} } for all kinds that are compared: a number for each value.
local function keyOf(kind, numbers)
  local parts = {}
  local function add(name, value)
    local number = value == value and numbers.of[value]
    if not number then
      number, numbers.n = numbers.n + 1, numbers.n + 1
      if value == value then numbers.of[value] = number end -- a NaN differs from everything
    end
    table.insert(parts, name .. " " .. number)
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
-- w =, h = }, the first cell of the grid. nameOf(row, column): what a message calls a cell. Those
-- that are in a list of cells have its number, too.

--- An empty list for the cells of each kind.
function rules.newCells(nameOf)
  return { byKey = {}, numbers = { n = 0, of = {} }, nameOf = nameOf }
end

--- Returns the cells of the same kind in the same grid that were found before; if there are none,
-- new ones, which are in `found`.
function rules.cellsOf(found, kind, layout)
  local key = ("%.17g %.17g %.17g %.17g\n"):format(layout.x, layout.y, layout.w, layout.h)
    .. keyOf(kind, found.numbers)
  local cells = found.byKey[key]
  if not cells then
    cells = { kind = kind, layout = layout, nameOf = found.nameOf, number = #found + 1 }
    found.byKey[key], found[cells.number] = cells, cells
  end
  return cells
end

return rules
