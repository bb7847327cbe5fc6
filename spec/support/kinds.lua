-- Kinds of arguments, by the words of calls.lua: which values are good, and which are bad. A `?`
-- at the end of a word means that the argument may be left out.

local compat = require("spec.support.compat")
local properties = require("spec.support.properties")

local nan, huge, unpack, concat = compat.nan, compat.huge, compat.unpack, compat.concat

local kinds = {}

-- Stands for a missing argument. All arguments after it are missing, too.
local ABSENT = {}
kinds.ABSENT = ABSENT

-- { good(f) = a list of values, bad(f) = a list of { value, how messages print it, texts of which
-- one comes before that } }, where f is a fixture (fixture.lua).
local KINDS = {}

-- A good value that is only made if it is used.
local Made = {}

local function made(f)
  return setmetatable({ f = f }, Made)
end

local function define(name, good, bad)
  KINDS[name] = { good = good, bad = bad }
end

local function always(...)
  local list = { ... }
  return function() return list end
end

-- Numbers --------------------------------------------------------------------------------------

local FINITE = "finite number expected, got "

local function numbers(texts, ...)
  return { { nan, "nan", texts }, { huge, "inf", texts }, { -huge, "-inf", texts },
    { "10", "string", texts }, { {}, "table", texts }, { true, "boolean", texts },
    { print, "function", texts }, ... }
end

-- Defines a kind of numbers, and the same with a `?`. `least`: the text about numbers that are too
-- small; the rest are such numbers.
local function defineNumbers(name, good, least, ...)
  local texts = { FINITE, least }
  local bads = numbers(texts)
  for _, small in ipairs({ ... }) do
    bads[#bads + 1] = { small, ("%.14g"):format(small), { least } }
  end
  define(name .. "?", always(unpack(good)), always(unpack(bads)))
  bads[#bads + 1] = { ABSENT, "no value", texts }
  define(name, always(unpack(good)), always(unpack(bads)))
end

defineNumbers("number", { 0.5 })
defineNumbers("size", { 2 }, "size > 0 expected, got ", 0, -1, -1e-300)
defineNumbers("querySize", { 2 }, "size >= 0 expected, got ", -1, -1e-300)
defineNumbers("plainSize", { 2 }, "size >= 0 expected, got ", -1)
defineNumbers("radius", { 12 }, "radius >= 0 expected, got ", -1)
defineNumbers("aboveZero", { 3 }, "radius > 0 expected, got ", 0, -1, -1e-300)
defineNumbers("thickness", { 2 }, "thickness > 0 expected, got ", 0, -1, -1e-300)
defineNumbers("time", { 0.25 }, "time >= 0 expected, got ", -1, -1e-300)
-- After setShape's "circle".
defineNumbers("shapeValue", { 5 }, "radius > 0 expected, got ", 0, -1)

-- Which words stand for several numbers: their kind, the good ones for x, y and z, and in how many
-- arguments they come in 2D and in 3D.
local LETTERS = {
  P = { "number", { 9, 9, 1 } }, -- a place among the fixture's boxes
  F = { "number", { -5, 6, 0 } }, -- a way through them: from there
  T = { "number", { 60, 25, 0 } }, -- to there
  G = { "number", { 9, 30, 0 } },
  D = { "number", { 50, 9, 0 } }, -- by so much
  ["D?"] = { "number?", { 1, 1, 0 } },
  N = { "number", { 0, 1, 0 } }, -- a side
  ["N?"] = { "normal", { 0, 1, 0 } },
  S = { "size", { 4, 3, 5 } },
  ["S?"] = { "size?", { 11, 12, 5 } },
  Q = { "querySize", { 25, 25, 5 } },
  Z = { "plainSize", { 2, 2, 5 } },
  ["A?"] = { "number?", { 0.5, 0.5, 0.5, 0.5 }, { 1, 4 } }, -- an angle or a quaternion
  ["C?"] = { "number?", { 2, 2, 2 } }, -- scales
}

-- Several kinds have these.
local function words(texts, ...)
  local bads = { ... }
  for _, bad in ipairs({ { 5, "5" }, { "x", "" }, { true, "boolean" }, { print, "function" } }) do
    bads[#bads + 1] = { bad[1], bad[2], texts }
  end
  return bads
end

-- Boxes and movers -----------------------------------------------------------------------------

local BOX, NEVER = "Box or id expected, got ", "no box has the id "

local function badBoxes(f)
  return { { ABSENT, "no value", { BOX } }, { "x", "string", { BOX } }, { {}, "table", { BOX } },
    { true, "boolean", { BOX } }, { print, "function", { BOX } }, { 1.5, "1.5", { BOX } },
    { nan, "nan", { BOX } }, { f.removed, "", { "box was removed" } },
    { f.removedId, "", { "box was removed" } }, { f.foreign, "", { "another world" } },
    { f.World, f.dim == 2 and "World" or "3D World", { BOX } }, { io.stdout, "userdata", { BOX } },
    { 0, "0", { NEVER } }, { -1, "-1", { NEVER } }, { 123456789, "123456789", { NEVER } },
    { huge, "inf", { NEVER, BOX } }, { 2 ^ 60, "1", { NEVER, BOX } } }
end

define("box", function(f) return { f.box } end, badBoxes)
define("id", function(f) return { f.boxes[4]:getId() } end, badBoxes)
define("anyBox", function(f) return { f.box } end, always({ ABSENT, "no value", { BOX } },
  { "x", "string", { BOX } }, { {}, "table", { BOX } }, { true, "boolean", { BOX } },
  { print, "function", { BOX } }, { 1.5, "1.5", { BOX } }, { nan, "nan", { BOX } },
  { io.stdout, "userdata", { BOX } }))
-- What rests on it moves with it.
define("pile", function(f)
  return { made(function() return f:pile() end) }
end, badBoxes)
define("Box", function(f) return { f.boxes[7] } end, function(f)
  local texts = { f.dim .. "D Box expected, got " }
  return words(texts, { ABSENT, "no value", texts }, { {}, "table", texts },
    { f.removed, "", { "box was removed" } })
end)

-- Bad lists of boxes: those whose only item is no box, and what is no list.
local function badLists(f)
  local bads = words({ "table expected, got " })
  for _, bad in ipairs(badBoxes(f)) do
    local text = ("item 1: %s"):format(bad[3][1])
    bads[#bads + 1] = bad[1] ~= ABSENT and bad[1] ~= huge and bad[1] ~= 2 ^ 60 and
      { { bad[1] }, bad[2], { text, "item 1: box of another world" } } or nil
  end
  return bads
end

local function withAbsent(bad, text)
  return function(f) return concat(bad(f), { { ABSENT, "no value", { text } } }) end
end

define("boxes?", function(f) return { ABSENT, { f.box } } end, badLists)
define("boxes", function(f)
  return { { f.box, f.handles[7], f.box } }
end, withAbsent(badLists, "table expected, got "))
define("piles", function(f)
  return { made(function() return { f:pile(), f.handles[7] } end) }
end, KINDS.boxes.bad)

local ID = "id expected, got "

define("anyMover", function(f) return { f.movers[3] } end, always({ ABSENT, "no value", { ID } },
  { "x", "string", { ID } }, { {}, "table", { ID } }, { true, "boolean", { ID } },
  { 1.5, "1.5", { ID } }, { nan, "nan", { ID } }, { huge, "inf", { ID } }))
define("mover", KINDS.anyMover.good, function(f)
  return concat(KINDS.anyMover.bad(), { { f.movers[2], "", { "mover was freed" } },
    { 12345, "12345", { "no mover has the id " } } })
end)
define("world", function(f) return { f.World } end, function(f)
  local texts = { f.dim .. "D World expected, got " }
  return words(texts, { ABSENT, "no value", texts }, { {}, "table", texts },
    { f.boxes[1], f.dim == 2 and "Box" or "3D Box", texts })
end)

-- Masks, filters and functions ------------------------------------------------------------------

local INTEGER = "32-bit integer expected, got "

-- Ids begin with generation 64. Generations have 25 bits, so the last one is 2^25 - 2 later.
local function badMasks(...)
  local bads = { { 4294967296, "4294967296", { "this is an id; " .. INTEGER } },
    { (2 ^ 25 + 62) * 2 ^ 26 + 5, "2251803974434821", { "this is an id; " .. INTEGER } } }
  for _, bad in ipairs({ { 1.5, "1.5" }, { nan, "nan" }, { huge, "inf" },
    { (2 ^ 25 + 63) * 2 ^ 26, "2251804041543680" }, { -4294967296, "-4294967296" },
    { -2147483649, "-2147483649" }, { 1e300, "1e+300" } }) do
    bads[#bads + 1] = { bad[1], bad[2], { INTEGER } }
  end
  return concat(bads, { ... })
end

local function badFilters(f, text, ...)
  return badMasks({ "x", "string", { text } }, { true, "boolean", { text } },
    { io.stdout, "userdata", { text } }, { f.removed, "", { "box was removed" } },
    { f.foreign, "", { "another world" } },
    { f.World, f.dim == 2 and "World" or "3D World", { text } }, ...)
end

local function accept()
  return true
end

local function refuse(box)
  return box == nil
end

-- A filter function that excludes some boxes, in any kind of results, and calls a method of the
-- world.
local function picky(f)
  return function(box)
    f.world:countPairs()
    if type(box) == "number" then
      return box % 2 == 0
    end
    return type(box) == "userdata" and box:getId() % 2 == 0 or box == "box7" or box == "box1"
  end
end

-- A response that depends on the box, in any kind of results. In its first call it calls a method
-- of the world.
local function pickyResponse(f)
  local responses, asked = { "slide", "touch", "bounce", "cross", false }, false
  return function(box, other)
    if not asked then
      asked = true
      f.world:canFit(f.handles[1], unpack(f:vector(0, 0)))
      f.world:check(f.handles[1], compat.values(f:vector(9, 9), function() return "cross" end))
    end
    if type(other) == "userdata" then
      other = other:getId()
    end
    local number = type(other) == "number" and other or #other
    return box ~= nil and responses[1 + number % 5]
  end
end

define("mask", always(4), always(unpack(badMasks({ ABSENT, "no value", { INTEGER } },
  { "1", "string", { INTEGER } }, { {}, "table", { INTEGER } }))))
define("mask?", always(ABSENT, 4), always(unpack(badMasks({ "1", "string", { INTEGER } },
  { {}, "table", { INTEGER } }))))
define("filter?", function(f)
  return { ABSENT, 1, f.boxes[1], accept, refuse, picky(f), { mask = 5 },
    { mask = -1, except = f.boxes[1] }, { except = { f.boxes[2], f.boxes[1]:getId() } } }
end, function(f)
  return badFilters(f, "mask, Box or function expected, got ",
    { {}, "table", { "mask, Box or function expected, got " } },
    { { f.boxes[1] }, "table", { "mask, Box or function expected, got " } },
    { { mask = 1.5 }, "1.5", { "option 'mask': " .. INTEGER } },
    { { slide = 1 }, "'slide'", { "unknown option " } },
    { { except = f.removed }, "", { "box was removed" } })
end)
-- The filter of a call that moves boxes.
define("rules?", function(f)
  return { ABSENT, 3, f.boxes[1], { cross = -1 }, { slide = 1, bounce = 2 }, { push = -1 },
    { slide = true, except = f.boxes[1] }, { except = { f.boxes[1], f.boxes[2] } },
    function() return "cross" end, pickyResponse(f) }
end, function(f)
  return badFilters(f, "mask, table of masks, Box or function expected, got ",
    { {}, "", { "masks expected, got an empty table; is a mask nil?" } },
    { { bump = 1 }, "'bump'", { "unknown option " } },
    { { pass = 1 }, "'pass'", { "unknown option " } },
    { { 1 }, "a list", { "mask, table of masks, Box or function expected, got " } },
    { { slide = 1.5 }, "1.5", { "option 'slide': " .. INTEGER } },
    { { slide = 1, except = { 1.5 } }, "1.5", { "item 1: Box or id expected, got " } },
    { { touch = "1" }, "string", { "option 'touch': " .. INTEGER } },
    { { cross = nan }, "nan", { "option 'cross': " .. INTEGER } },
    { { slide = 1, bounce = {} }, "table", { "option 'bounce': " .. INTEGER } })
end)

local function badFunctions()
  local bads = words({ "function expected, got " }, { {}, "table", { "function expected, got " } })
  table.remove(bads) -- a function
  return bads
end

define("function", always(accept), withAbsent(badFunctions, "function expected, got "))
define("function?", always(ABSENT, function() return 5 end), badFunctions)

-- Tables ---------------------------------------------------------------------------------------

local function badTables(...)
  local more = { ... }
  return function() return concat(words({ "table expected, got " }), more) end
end

define("out?", function(f) return { f.out, ABSENT } end, badTables())
define("corners?", KINDS["out?"].good, KINDS["out?"].bad) -- only a polygon has corners
define("distances?", function() return { { 1 }, ABSENT } end, badTables())
-- The list of a call that moves boxes, which may have rows that it no longer lists.
define("hits?", function(f)
  return { f.out, ABSENT, made(function() return f:used() end) }
end, badTables())

-- Flat lists of numbers. group(f): of so many numbers, which come in groups of so many.
local function defineNumberList(name, good, problem, group)
  define(name, good, function(f)
    local first, n, size = "item 1: " .. FINITE, group(f)
    local function filled(count, value)
      local list = { value }
      for i = 2, count do
        list[i] = 1
      end
      return list
    end
    return badTables({ ABSENT, "no value", { "table expected, got " } },
      { filled(n, nan), "nan", { first } }, { filled(n, huge), "inf", { first } },
      { filled(n, "1"), "string", { first } },
      { filled(n + 1, 1), ("%d"):format(n + 1), { problem:format(size or n) } })()
  end)
end

defineNumberList("rects", function(f) return { f:rects(2), f:rects(12) } end,
  "a multiple of %d numbers expected, got ", function(f) return 2 * f.dim end)
-- For each of the boxes.
defineNumberList("goals", function(f)
  return { concat(concat(f:vector(60, 25), f:vector(0, 0)), f:vector(30, -9)) }
end, "%d numbers expected for 3 boxes, got ", function(f) return 3 * f.dim end)
defineNumberList("points", function(f)
  return { concat(concat(f:vector(1, 2), f:vector(-1, 0)), f:vector(8, 5)) }
end, "a multiple of %d numbers expected, got ", function(f) return f.dim end)
defineNumberList("corners", always({ 1, 2, 9, 3, 4, 12 }),
  "a multiple of %d numbers expected, got ", function() return 6, 2 end)
defineNumberList("outline", always({ 0, 0, 20, 0, 20, 20, 10, 5, 0, 20 }),
  "a multiple of %d numbers expected, got ", function() return 2 end)
define("data", function(f) return { f.data } end, function()
  return words({ "Data with getPointer and getSize expected, got " },
    { ABSENT, "no value", { "Data with getPointer and getSize expected, got " } })
end)

local function defineOptions(name, good)
  define(name, good, badTables({ { [""] = 1 }, "''", { "unknown option " } },
    { { 1 }, "number", { "names of options expected as keys, got " } }))
end

defineOptions("opts?", function(f)
  local all = {}
  for _, option in ipairs(properties.options) do
    all[option.option] = option.kind ~= "SIDE" and option.good[1] or nil
  end
  return { ABSENT, { data = "new", vx = 1, ay = 2, layer = 4 }, all,
    { oneWay = f:vector(0, -1), static = true } }
end)
defineOptions("spawnOpts?", function(f)
  return { ABSENT, { model = f.small, life = 3, w = 1, tag = 5, ax = 1 } }
end)
defineOptions("spec?", function(f)
  return { ABSENT, { cycle = 2, count = 5, nway = 3, angle = 1, model = f.model } }
end)
defineOptions("worldOpts", function(f)
  return { { dim = f.dim }, { dim = f.dim, backend = f.spare } }
end)
defineOptions("poolOpts", function(f)
  return { { dim = f.dim, capacity = 100, w = 1, h = 1, bounds = f:rect(0, 0, 9, 9) } }
end)
defineOptions("modelOpts", function(f)
  return { { dim = f.dim }, { dim = f.dim, life = 5, tag = 3, ax = 1, mask = 7, emitters = {
    { count = 3, circle = 2, relative = true, model = "self" }, { nway = 3, model = f.model },
  } } }
end)
defineOptions("noOpts?", always(ABSENT))
defineOptions("sweepOpts?", always(ABSENT, { axis = "y" }))
defineOptions("contactsOpts?", always(ABSENT, { mask = 3 }))
defineOptions("gridOpts?", always(ABSENT, { cellSize = 4 }))
defineOptions("treeOpts?", always(ABSENT, { margin = 4 }))

-- Others ---------------------------------------------------------------------------------------

define("names", always({ "wall", "hero" }), function()
  local text = { "list of names expected, got " }
  return { { 5, "5", text }, { true, "boolean", text }, { print, "function", text } }
end)
define("flag?", always(ABSENT, true), always())
define("boolean", always(true, false), function()
  local text = { "boolean expected, got " }
  return { { 1, "1", text }, { "true", "string", text }, { {}, "table", text },
    { ABSENT, "no value", text } }
end)
define("value", always("other", 5, true),
  always({ ABSENT, "no value", { "value expected, got " } }))
define("count?", always(5, 0), function()
  local text = { "integer >= 0 expected, got " }
  return { { -1, "-1", text }, { 1.5, "1.5", text }, { nan, "nan", text }, { "1", "string", text },
    { {}, "table", text }, { true, "boolean", text } }
end)
define("distance?", always(20, 0), function()
  local text = { "number >= 0 expected, got " }
  return { { -1, "-1", text }, { nan, "nan", text }, { "1", "string", text },
    { {}, "table", text } }
end)
define("which?", always(ABSENT, "changes"), function()
  local text = { [["all" or "changes" expected, got ]] }
  return { { "begin", "'begin'", text }, { "", "''", text }, { 1, "1", text },
    { {}, "table", text }, { true, "boolean", text } }
end)
define("normal", always(1), always(unpack(numbers({ FINITE }))))
define("shape", always("circle"), function(f)
  local text = { f.dim == 2 and "'box', 'circle' or 'polygon' expected, got "
    or "'box' or 'circle' expected, got " }
  return { { ABSENT, "no value", text }, { "x", "'x'", text }, { 5, "5", text },
    { {}, "table", text } }
end)
define("backend", function(f)
  return { "brute", "sweep", "grid", "tree", "auto", f.spare, f.world:getBackend() }
end, function(f)
  local text = { "name of a back end or Backend expected, got " }
  return { { ABSENT, "no value", text }, { 5, "5", text }, { {}, "table", text },
    { true, "boolean", text }, { f.World, f.dim == 2 and "World" or "3D World", text },
    { "foo", "'foo'", { "unknown back end " } }, { "", "''", { "unknown back end " } },
    { "Tree", "'Tree'", { "unknown back end " } },
    { f.foreign:getWorld():getBackend(), "", { "already belongs to a world" } } }
end)

local function defineSnapshots(class, field, what)
  local name = class == "World" and "" or " of a Pool"
  define(class == "World" and "reuse?" or "poolReuse?", function(f)
    return { ABSENT, f[field] }
  end, function()
    local text = { "Snapshot" .. name .. " expected, got " }
    return { { 5, "5", text }, { "x", "string", text }, { {}, "table", text } }
  end)
  define(class == "World" and "snapshot" or "poolSnapshot", function(f)
    return { f[field], f[field]:getString() }
  end, function()
    local text = { "Snapshot" .. name .. " or string expected, got " }
    return { { ABSENT, "no value", text }, { 5, "5", text }, { {}, "table", text },
      { "x", "", { "this string is no snapshot of a " .. what } } }
  end)
end

defineSnapshots("World", "Snapshot", "world")
-- Of a string alone, boxes can be given data.
define("bytes", function(f)
  return { f.Snapshot:getString() }
end, function()
  local text = { "Snapshot or string expected, got " }
  return { { ABSENT, "no value", text }, { 5, "5", text }, { {}, "table", text },
    { "x", "", { "this string is no snapshot of a world" } } }
end)
defineSnapshots("Pool", "PoolSnapshot", "pool")

for _, option in ipairs(properties.options) do
  local text = { option.expected .. " expected, got " }
  define("property:" .. option.option, always(option.good[1]), function()
    local bads = {}
    for i, bad in ipairs(option.bad) do
      bads[i] = { bad, properties.describe(bad, option.expected), text }
    end
    bads[#bads + 1] = option.usual ~= nil and { ABSENT, "no value", text } or nil
    return bads
  end)
end

-- Words ----------------------------------------------------------------------------------------

-- How many arguments a word stands for.
function kinds.count(word, dim)
  local letter = LETTERS[word]
  return letter and (letter[3] and letter[3][dim - 1] or dim) or 1
end

function kinds.bad(word, f)
  return KINDS[LETTERS[word] and LETTERS[word][1] or word].bad(f)
end

-- The good choices for a word: lists of its arguments. Others are tried together with the first.
function kinds.good(word, f)
  local letter, choices = LETTERS[word], {}
  if letter then
    return word:find("?", 1, true) and { letter[2], {} } or { letter[2] }
  end
  for i, value in ipairs(KINDS[word].good(f)) do
    if getmetatable(value) == Made then
      choices[i] = setmetatable({}, { __index = function(list, item)
        list[item] = value.f()
        return list[item]
      end })
    elseif value ~= ABSENT then
      choices[i] = { value }
    else
      choices[i] = {}
    end
  end
  return choices
end

return kinds
