--- Makes boxes from a map of tiles. It makes as few as possible, as cells of one kind that are side
-- by side become one box. doc/tiles.md has examples.

local root = ((...) or ""):match("^(.+)[./\\]") or "broadside"
local arguments = require(root .. ".support.arguments")
local fields = require(root .. ".support.fields")
local level = require(root .. ".maps.level")
local lists = require(root .. ".support.lists")
local newMap = require(root .. ".maps.map")
local rules = require(root .. ".maps.rules")

local describe = arguments.describe

local tiles = {}

-- Symbols that stand for nothing, unless the legend has them.
local EMPTY = { [" "] = true, ["."] = true, [0] = true, [false] = true }

local LAYOUT = {
  { "w", "size > 0" }, { "h", "size > 0", false },
  { "x", "finite number", 0 }, { "y", "finite number", 0 },
}

-- The arguments of tiles.rects. The other calls have a world before them.
local MAP, LEGEND, OPTS = 1, 2, 3

local function refuse(call, arg, text)
  arguments.refuse(call, call == "rects" and arg or arg + 1, text)
end

-- The kinds of the legend by symbol, false for nothing. Without a legend, all symbols except the
-- empty ones are solid.
local function readKinds(call, legend, layout)
  if legend == nil then
    local solid = rules.newKind(true, layout)
    return setmetatable({}, { __index = function(_, symbol)
      return not EMPTY[symbol] and solid
    end })
  elseif type(legend) ~= "table" then
    refuse(call, LEGEND, "table of kinds expected, got " .. describe(legend))
  end
  local kinds = {}
  for symbol, value in fields(legend) do
    local kind, complaint = false, nil
    if value then
      kind, complaint = rules.newKind(value, layout, "rect, circle, polygon, merge")
    end
    if complaint then
      refuse(call, LEGEND, ("kind %s: %s"):format(describe(symbol), complaint))
    end
    kinds[symbol] = kind
  end
  return kinds
end

-- The rows of a text; a newline at its end begins none.
local function split(text)
  local rows = {}
  for line in (text:gsub("\r?\n$", "") .. "\n"):gmatch("([^\n]-)\r?\n") do
    rows[#rows + 1] = line
  end
  return rows
end

local function readRow(row)
  if type(row) ~= "string" then return row end
  local symbols = {}
  for i = 1, #row do
    symbols[i] = row:sub(i, i)
  end
  return symbols
end

-- Each byte of a string is a symbol. A tab, or a byte of a longer one, is shown as its number.
local function describeSymbol(symbol)
  if type(symbol) == "string" and symbol:find("^[^\32-\126]$") then
    return ("the byte %d (a symbol is one byte)"):format(symbol:byte())
  end
  return describe(symbol)
end

-- Calls visit(row, column, symbol, kind) for each cell. Returns the number of rows.
local function eachCell(call, map, kinds, visit)
  local rows = 0
  for row, line in lists.items(type(map) == "string" and split(map) or map) do
    if type(line) ~= "string" and type(line) ~= "table" then
      refuse(call, MAP, ("row %d: string or table expected, got %s"):format(row, describe(line)))
    end
    for column, symbol in lists.items(readRow(line)) do
      local kind = kinds[symbol]
      if kind == nil and not EMPTY[symbol] then
        refuse(call, MAP, ("no kind for %s in row %d, column %d"):format(describeSymbol(symbol),
          row, column))
      end
      visit(row, column, symbol, kind or false)
    end
    rows = row
  end
  return rows
end

-- Returns the kinds, and the layout: where the map is, and the size of its cells.
local function readArguments(call, map, legend, opts)
  if type(map) ~= "string" and type(map) ~= "table" then
    refuse(call, MAP, "string or table of rows expected, got " .. describe(map))
  elseif type(opts) ~= "table" then
    refuse(call, OPTS, "table with w, the size of a cell, expected, got " .. describe(opts))
  end
  local layout = arguments.readOptions(opts, call, call == "rects" and OPTS or OPTS + 1, LAYOUT)
  if not layout.w then refuse(call, OPTS, "option 'w': size > 0 expected, got nil") end
  layout.h = layout.h or layout.w
  return readKinds(call, legend, layout), layout
end

-- Finds the cells of each kind, in the order in which they first appear, and those with functions,
-- each alone. Returns both lists, and the symbols by row and column.
local function readMap(call, map, legend, opts)
  local kinds, layout = readArguments(call, map, legend, opts)
  local symbols, ofKind, alone = {}, {}, {}
  local found = rules.newCells(function(row, column)
    return level.describeCell(symbols[row][column], row, column)
  end)
  eachCell(call, map, kinds, function(row, column, symbol, kind)
    if not kind then return end
    symbols[row] = symbols[row] or {}
    symbols[row][column] = symbol
    local cells = ofKind[kind]
    if kind.call then
      cells = { kind = kind, layout = layout, nameOf = found.nameOf }
      table.insert(alone, cells)
    elseif not cells then
      cells = rules.cellsOf(found, kind, layout)
      ofKind[kind] = cells
    end
    table.insert(cells, row)
    table.insert(cells, column)
  end)
  return found, alone, symbols
end

-- Adds {symbol, x, y, w, h, ...} to a list, for the boxes of a list of cells.
local function addRects(out, list, symbols, tell)
  local n = #out
  for _, cells in ipairs(list) do
    level.eachBox(cells, function(x, y, w, h, row, column)
      out[n + 1] = symbols[row][column]
      out[n + 2], out[n + 3], out[n + 4], out[n + 5] = x, y, w, h
      n = n + 5
    end, tell)
  end
end

-- A function that raises an error about the options of a call.
local function newTell(call)
  return function(text)
    refuse(call, OPTS, text)
  end
end

--- Lists the boxes that a map becomes, as rows of numbers: {symbol, x, y, w, h, ...}, and how many.
-- Kinds come in the order in which they first appear in the map, row by row; the boxes of a kind
-- come by their upper left cells, in the same order; last come the cells of functions, row by row.
-- The symbol is that of the upper left cell.
-- Raises an error that names what is wrong with an argument. O(n log n) for n cells.
function tiles.rects(map, legend, opts)
  local out, tell, found, alone, symbols = {}, newTell("rects"), readMap("rects", map, legend, opts)
  addRects(out, found, symbols, tell)
  addRects(out, alone, symbols, tell)
  return out, math.floor(#out / 5)
end

--- Inserts the boxes that a map becomes into a 2D World, in the order of tiles.rects. Then it calls
-- the functions of the legend, f(x, y, w, h, symbol), with the rectangles of their cells.
-- Returns the boxes (ids if results = "id"), without those that functions have inserted, and their
-- number.
-- Raises an error that names what is wrong, with nothing changed. If a function raises an error,
-- the boxes stay inserted. O(n log n) for n cells.
function tiles.insert(world, map, legend, opts)
  arguments.checkWorld(world, "insert", tiles)
  local found, alone, symbols = readMap("insert", map, legend, opts)
  local calls, rects, tell = {}, {}, newTell("insert")
  addRects(rects, alone, symbols, tell)
  for _, cells in ipairs(found) do
    level.addCalls(calls, cells, tell)
  end
  local boxes, n = level.insert(world, calls, tell)
  for i, cells in ipairs(alone) do
    local at = 5 * i - 5
    cells.kind.call(rects[at + 2], rects[at + 3], rects[at + 4], rects[at + 5], rects[at + 1])
  end
  return boxes, n
end

--- Inserts the boxes of a map, as tiles.insert does, and returns a Map, whose cells can be changed.
-- Cells are merged within chunks of 32 x 32. The arguments, the functions of the legend and the
-- errors are those of tiles.insert. O(n) for n cells. doc/tiles.md has the methods of a Map.
function tiles.newMap(world, rows, legend, opts)
  arguments.checkWorld(world, "newMap", tiles)
  local kinds, layout = readArguments("newMap", rows, legend, opts)
  local lines = {}
  local n = eachCell("newMap", rows, kinds, function(row, column, symbol)
    lines[row] = lines[row] or {}
    lines[row][column] = symbol
  end)
  local map, callFunctions = newMap(world, lines, n, layout, function(symbol, tell)
    local kind = kinds[symbol]
    if kind == nil and not EMPTY[symbol] then tell("no kind for " .. describeSymbol(symbol)) end
    return kind and { not kind.call and kind or nil, call = kind.call } or {}
  end, newTell("newMap"))
  callFunctions()
  return map
end

return tiles
