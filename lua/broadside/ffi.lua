--- The calls that games make most, through LuaJIT's FFI. LuaJIT compiles them into the game's own
-- loop, whereas a call through Lua's C API would end the trace. In 2D only; init.lua loads this
-- file if there is FFI.
--
-- This file handles the plain cases: worlds that are open and not busy; Boxes and ids; as filter
-- nil, a mask, a Box or a table of masks; lists that keep their rows, and new lists. Everything
-- else, and everything wrong, goes to the ordinary method by a tail call. So its errors name the
-- caller's line, and it gets the same number of arguments.
--
-- Finalisers may run between any two steps here, and make calls that end up here. So the numbers
-- of an answer are read directly after the call, without a decision in between. Longer work is
-- done, or counts, only if the answer still holds at its end. See src/lua/ffi.c.

local type, next, rawequal, rawget, rawset = type, next, rawequal, rawget, rawset
local getmetatable, setmetatable = getmetatable, setmetatable

-- As in src/lua/ffi.c.
local FUNCTIONS = [[struct {
  int (*finish)(double *, void *, double);
  int (*update)(double *, void *, void *, double, double, double, int, double, double);
  int (*setRect)(double *, void *, double, double, int, double, double);
  int (*getRect)(double *, void *);
  int (*travel)(double *, void *, void *, double, double, double, int, int, void *,
    double, double, double, double, double);
  int (*touching)(double *, void *, void *, double, double, double, int, void *,
    double, double, double, double, double);
  int (*segmentCast)(double *, void *, double, double, double, double, int, void *, double);
} *]]

-- Where the parts of an answer begin, as in src/lua/ffi.c.
local RESULTS, SERIAL, DUE, INDEX, ID, NUMBERS, HITS, HIT_STEP = 0, 1, 2, 3, 4, 5, 10, 9
local RESULTS_BOX, RESULTS_ID = 0, 1
local BY_PAIRS, BY_MASKS, ALL_PAIRS = 0, 1, 2 ^ 32
local RESPONSES = { "touch", "bounce", "slide", "cross", "push" }

-- As in src/lua/results.h: the key of the list that rows belong to, and the distance of two rows.
local OWNER, ROW_STEP = 1, 4
local NO_ROWS = {}

-- Returns a Box as itself, and an id as a number. C finds out whether other userdata that have that
-- metatable are Boxes.
local function refer(box)
  if type(box) == "number" then
    return nil, box
  elseif type(box) == "userdata" and getmetatable(box) == "Box" then
    return box, 0
  end
  return nil, -1 -- this is no id
end

-- Reads the value of a response in a table of masks; nil if it is not plain.
local function readMask(mask)
  if mask == nil then
    return 0
  elseif mask == true then
    return ALL_PAIRS
  end
  return type(mask) == "number" and mask < ALL_PAIRS and mask or nil
end

local IS_RESPONSE = { slide = true, touch = true, bounce = true, push = true, cross = true }

-- The key after that one, as next gives it; false if that one was no response.
local function after(filter, key)
  if key == nil then
    return nil
  end
  if IS_RESPONSE[key] then
    return (next(filter, key))
  end
  return false
end

-- A table has at most five keys. Here and below there are no loops of a few turns, because the
-- compiler would begin its traces with them, and not with the game's own loop.
local function readMasks(filter)
  local key = after(filter, after(filter, next(filter)))
  if key ~= nil then
    key = after(filter, after(filter, after(filter, key)))
  end
  local slide, touch = readMask(rawget(filter, "slide")), readMask(rawget(filter, "touch"))
  local bounce, push = readMask(rawget(filter, "bounce")), readMask(rawget(filter, "push"))
  local cross = readMask(rawget(filter, "cross"))
  if key == nil and slide and touch and bounce and push and cross then
    return BY_MASKS, nil, slide, touch, bounce, push, cross
  end
  return nil
end

-- Returns a filter as the functions in C take it: kind, block of a Box, five masks; nil if it is
-- not plain.
local function readFilter(filter)
  local kind = type(filter)
  if kind == "nil" then
    return BY_PAIRS, nil, 0, 0, 0, 0, 0
  elseif kind == "number" and filter < ALL_PAIRS then
    return BY_MASKS, nil, filter, 0, 0, 0, 0
  elseif kind == "table" then
    return readMasks(filter)
  elseif kind == "userdata" and getmetatable(filter) == "Box" then
    return BY_PAIRS, filter, 0, 0, 0, 0, 0
  end
  return nil
end

-- The table that keeps a list's rows; nil if the list is not plain.
local function rowsOf(list)
  local rows = getmetatable(list)
  if rows == nil then
    return type(list) == "table" and NO_ROWS or nil
  elseif type(rows) == "table" and rawequal(rawget(rows, OWNER), list)
    and rawget(rows, "__mode") == nil then
    return rows
  end
  return nil
end

local function eraseMany(list, from)
  for i = #list, from, -1 do
    rawset(list, i, nil)
  end
end

-- Erases all items behind the first n.
local function erase(list, n)
  local length = #list
  if length == n + 1 then
    rawset(list, length, nil)
  elseif length > n then
    eraseMany(list, n + 1)
  end
end

-- parts: the result of `fast` in src/lua/ffi.c. Returns a function that turns all of this on or
-- off.
return function(ffi, parts)
  local answer = ffi.cast("double *", parts.answer)
  local functions = ffi.cast(FUNCTIONS, parts.functions)
  local finish, travel = functions.finish, functions.travel
  local storeOf, tell, Row = parts.store, parts.tell, parts.Row
  local BOXES, DATA = parts.boxes, parts.data

  -- The stores of worlds. A world keeps its store alive.
  local stores = setmetatable({}, { __mode = "kv" })

  local function learn(world)
    local store = storeOf(world)
    if store then
      stores[world] = store
    end
    return store
  end

  -- What the world returns for the box of that index and id.
  local function resultOf(store, results, index, id)
    if results == RESULTS_BOX then
      return store[BOXES + index]
    elseif results == RESULTS_ID then
      return id
    end
    local data = store[DATA][index + 1]
    if data == nil then
      return store[BOXES + index]
    end
    return data
  end

  local function fill(row, at, store, results)
    rawset(row, "other", resultOf(store, results, answer[at], answer[at + 1]))
    rawset(row, "response", RESPONSES[answer[at + 2]])
    rawset(row, "t", answer[at + 3])
    rawset(row, "x", answer[at + 4])
    rawset(row, "y", answer[at + 5])
    rawset(row, "nx", answer[at + 6])
    rawset(row, "ny", answer[at + 7])
    rawset(row, "overlap", answer[at + 8] ~= 0)
  end

  -- Fills row i that the list keeps, and puts it into the list. False if the list does not keep
  -- one.
  local function writeRow(list, rows, i, store, results)
    local row = rawget(rows, ROW_STEP * i)
    if type(row) ~= "table" or rawget(row, "overlap") == nil then
      return false
    end
    fill(row, HITS + HIT_STEP * (i - 1), store, results)
    rawset(list, i, row)
    return true
  end

  local function writeMany(list, rows, n, store, results)
    local done = true
    for i = 5, n do
      done = done and writeRow(list, rows, i, store, results)
    end
    return done
  end

  local function writeRows(list, rows, n, store, results)
    return writeRow(list, rows, 1, store, results)
      and (n < 2 or writeRow(list, rows, 2, store, results))
      and (n < 3 or writeRow(list, rows, 3, store, results))
      and (n < 4 or writeRow(list, rows, 4, store, results))
      and (n < 5 or writeMany(list, rows, n, store, results))
  end

  -- Makes row i for a new list, and does the same.
  local function makeRow(list, rows, i, store, results)
    local row = setmetatable({
      other = false, response = false, t = 0, x = 0, y = 0, nx = 0, ny = 0, overlap = false,
    }, Row)
    rows[ROW_STEP * i] = row
    fill(row, HITS + HIT_STEP * (i - 1), store, results)
    list[i] = row
  end

  local function makeMany(list, rows, n, store, results)
    for i = 3, n do
      makeRow(list, rows, i, store, results)
    end
  end

  local function makeRows(list, n, store, results)
    local rows = { list }
    makeRow(list, rows, 1, store, results)
    if n > 1 then
      makeRow(list, rows, 2, store, results)
    end
    if n > 2 then
      makeMany(list, rows, n, store, results)
    end
    setmetatable(list, rows)
    return true
  end

  -- Makes move (moves is 1) or check (0).
  local function newTravel(moves, ordinary)
    return function(...)
      local world, box, goalX, goalY, filter, out = ...
      local store = stores[world] or learn(world)
      local rows = out == nil and NO_ROWS or rowsOf(out)
      local kind, ignore, slide, touch, bounce, push, cross = readFilter(filter)
      if store and rows and kind and type(goalX) == "number" and type(goalY) == "number"
        and (out == nil or not rawequal(out, filter)) then
        local list = out or {}
        local block, id = refer(box)
        local n = travel(answer, world, block, id, goalX, goalY, moves, kind, ignore,
          slide, touch, bounce, push, cross)
        local x, y, serial = answer[NUMBERS], answer[NUMBERS + 1], answer[SERIAL]
        local results, due = answer[RESULTS], answer[DUE]
        if n == 0 then
          if out then
            erase(out, 0)
          end
          if due ~= 0 then
            tell(world)
          end
          return x, y, list, 0
        end
        if n > 0 and (out and writeRows(out, rows, n, store, results)
          or not out and makeRows(list, n, store, results))
          and finish(answer, world, serial) ~= 0 then
          if out then
            erase(out, n)
          end
          if answer[DUE] ~= 0 then
            tell(world)
          end
          return x, y, list, n
        end
      end
      return ordinary(...)
    end
  end

  local fastWorld, fastBox = {}, {}
  local ordinaryWorld, ordinaryBox = parts.ordinaryWorld, parts.ordinaryBox

  fastWorld.move = newTravel(1, ordinaryWorld.move)
  fastWorld.check = newTravel(0, ordinaryWorld.check)

  local ordinaryTouching, touching = ordinaryWorld.touching, functions.touching

  function fastWorld.touching(...)
    local world, box, dx, dy, filter, asId = ...
    local store = stores[world] or learn(world)
    local kind, ignore, slide, touch, bounce, push, cross = readFilter(filter)
    if store and kind and type(dx) == "number" and type(dy) == "number" then
      local block, id = refer(box)
      local n = touching(answer, world, block, id, dx, dy, kind, ignore,
        slide, touch, bounce, push, cross)
      local index, found, serial = answer[INDEX], answer[ID], answer[SERIAL]
      local results, due = answer[RESULTS], answer[DUE]
      local other = nil
      if n > 0 then
        other = asId and found or resultOf(store, results, index, found)
      end
      if n >= 0 and finish(answer, world, serial) ~= 0 then
        if due ~= 0 then
          tell(world)
        end
        return other
      end
    end
    return ordinaryTouching(...)
  end

  local ordinaryCast, segmentCast = ordinaryWorld.segmentCast, functions.segmentCast

  function fastWorld.segmentCast(...)
    local world, x1, y1, x2, y2, filter = ...
    local store = stores[world] or learn(world)
    local kind, ignore, mask = nil, nil, nil
    if type(filter) ~= "table" then
      kind, ignore, mask = readFilter(filter)
    end
    if store and kind and type(x1) == "number" and type(y1) == "number" and type(x2) == "number"
      and type(y2) == "number" then
      local n = segmentCast(answer, world, x1, y1, x2, y2, kind, ignore, mask)
      local index, id, serial = answer[INDEX], answer[ID], answer[SERIAL]
      local results, due = answer[RESULTS], answer[DUE]
      local x, y, nx = answer[NUMBERS], answer[NUMBERS + 1], answer[NUMBERS + 2]
      local ny, t = answer[NUMBERS + 3], answer[NUMBERS + 4]
      local other = nil
      if n > 0 then
        other = resultOf(store, results, index, id)
      end
      if n >= 0 and finish(answer, world, serial) ~= 0 then
        if due ~= 0 then
          tell(world)
        end
        if n == 0 then
          return nil
        end
        return other, x, y, nx, ny, t
      end
    end
    return ordinaryCast(...)
  end

  -- Returns 1 if these are sizes, 0 if they are absent, nil if they are not plain.
  local function readSizes(w, h)
    if w == nil and h == nil then
      return 0, 0, 0
    elseif type(w) == "number" and type(h) == "number" then
      return 1, w, h
    end
    return nil
  end

  local ordinaryUpdate, update = ordinaryWorld.update, functions.update

  function fastWorld.update(...)
    local world, box, x, y, w, h = ...
    local sized, width, height = readSizes(w, h)
    if sized and type(x) == "number" and type(y) == "number"
      and (stores[world] or learn(world)) then
      local block, id = refer(box)
      if update(answer, world, block, id, x, y, sized, width, height) == 0 then
        return
      end
    end
    return ordinaryUpdate(...)
  end

  local ordinarySetRect, setRect = ordinaryBox.setRect, functions.setRect

  function fastBox.setRect(...)
    local box, x, y, w, h = ...
    local sized, width, height = readSizes(w, h)
    local block = refer(box)
    if block and sized and type(x) == "number" and type(y) == "number"
      and setRect(answer, block, x, y, sized, width, height) == 0 then
      return
    end
    return ordinarySetRect(...)
  end

  local ordinaryGetRect, getRect = ordinaryBox.getRect, functions.getRect

  function fastBox.getRect(...)
    local block = refer((...))
    if block then
      local n = getRect(answer, block)
      local x, y = answer[NUMBERS], answer[NUMBERS + 1]
      local w, h = answer[NUMBERS + 2], answer[NUMBERS + 3]
      if n == 0 then
        return x, y, w, h
      end
    end
    return ordinaryGetRect(...)
  end

  return function(on)
    for name, fast in next, fastWorld do
      parts.World[name] = on and fast or ordinaryWorld[name]
    end
    for name, fast in next, fastBox do
      parts.Box[name] = on and fast or ordinaryBox[name]
    end
  end
end
