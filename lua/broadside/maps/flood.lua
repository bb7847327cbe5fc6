-- map:flood: the distance of each cell of a Map from one of them, by a breadth-first search.

local root = ((...) or ""):match("^(.+)[./\\]%w+[./\\]") or "broadside"
local arguments = require(root .. ".support.arguments")
local cells = require(root .. ".maps.cells")
local cover = require(root .. ".maps.cover")
local lists = require(root .. ".support.lists")

local SIDE = cover.SIDE
local OPEN, CLOSED = -1, -2

-- Lists what each code is for the search: OPEN, CLOSED, or a function of a cell. passable: a table
-- by symbol, or a function that is called once for each symbol; nil: a cell without boxes is
-- passable. Returns whether there is a function.
local function readCodes(codes, map, passable)
  local numberOf, asks = map.layers[1], false
  codes[0] = CLOSED
  for code, symbol in ipairs(map.symbols) do
    local canPass
    if passable == nil then
      canPass = numberOf[code] == 0
    elseif type(passable) == "table" then
      canPass = passable[symbol]
    else
      canPass = passable(symbol)
    end
    local isAsked = type(canPass) == "function"
    codes[code], asks = isAsked and canPass or canPass and OPEN or CLOSED, asks or isAsked
  end
  return asks
end

-- Writes what each cell is. The field has one closed column, which is at the left of each row and
-- so also at the right of the row above it. It also has a closed row above and one below. It has no
-- holes, so that it is an array. asks: whether functions among the codes have to be asked.
local function fill(field, map, codes, asks)
  local wide, rows = map.columns + 1, map.rows
  for i = 1, wide do
    field[i] = CLOSED
  end
  for row = 1, rows do
    local at, line = row * wide + 1, (row - 1) % SIDE
    local index = (row - 1 - line) / SIDE * map.across
    field[at] = CLOSED
    for chunk = 1, map.across do
      local from, symbols = line * SIDE, map.chunks[index + chunk].cells
      local first = (chunk - 1) * SIDE
      for i = 1, math.min(SIDE, map.columns - first) do
        local code = codes[symbols[from + i]]
        if asks and type(code) == "function" then
          code = code(first + i, row) and OPEN or CLOSED
        end
        field[at + first + i] = code
      end
    end
  end
  for i = (rows + 1) * wide + 1, (rows + 2) * wide + 1 do
    field[i] = CLOSED
  end
end

-- Numbers the places of the field that can be reached from `start` by their distance.
local function search(field, queue, start, wide)
  field[start], queue[1] = 0, start
  local head, tail = 1, 1
  while head <= tail do
    local at = queue[head]
    local distance = field[at] + 1
    head = head + 1
    if field[at - 1] == OPEN then
      tail = tail + 1
      field[at - 1], queue[tail] = distance, at - 1
    end
    if field[at + 1] == OPEN then
      tail = tail + 1
      field[at + 1], queue[tail] = distance, at + 1
    end
    if field[at - wide] == OPEN then
      tail = tail + 1
      field[at - wide], queue[tail] = distance, at - wide
    end
    if field[at + wide] == OPEN then
      tail = tail + 1
      field[at + wide], queue[tail] = distance, at + wide
    end
  end
end

local function copy(field, out, columns, rows)
  local n = 0
  for row = 1, rows do
    for at = row * (columns + 1) + 2, (row + 1) * (columns + 1) do
      n = n + 1
      local distance = field[at]
      out[n] = distance < 0 and -1 or distance
    end
  end
  return n
end

--- Lists how many steps each cell is from one of them. A step goes across a side to a passable
-- cell; -1 is for cells that cannot be reached. passable: a table by symbol, or a function
-- f(symbol), which is called once for each symbol; without it, cells without boxes are passable. If
-- what either has for a symbol is a function g(column, row), that is called for each cell of the
-- symbol. The first cell need not be passable. Returns out, row by row: column, row is
-- out[(row - 1) * columns + column]; and the number of cells. O(cells). Makes no garbage after a
-- search of that size.
return function(map, column, row, passable, out)
  cells.checkMap(map, "flood")
  cells.checkCell(map, "flood", column, row)
  arguments.check(passable == nil or type(passable) == "table" or type(passable) == "function",
    "flood", 3, "table, function or nil", passable)
  arguments.checkTable(out, "flood", 4)
  -- The next search uses these lists again. The map has none while one runs, because passable, a
  -- finaliser or a metamethod of out may begin another one.
  local own = map.lists or { codes = {}, field = {}, queue = {} }
  map.lists = nil
  local asks = readCodes(own.codes, map, passable)
  cells.checkMap(map, "flood") -- passable may have removed it
  local columns, rows, field = map.columns, map.rows, own.field
  fill(field, map, own.codes, asks)
  cells.checkMap(map, "flood") -- a function of a cell, too
  search(field, own.queue, math.floor(row * (columns + 1) + column + 1), columns + 1)
  out = out or {}
  local n = copy(field, out, columns, rows)
  lists.cut(out, n)
  map.lists = own
  return out, n
end
