-- Every call of the API, one row each, over which specs run what must hold for all calls. A new
-- call is a row here; calls_spec.lua says which one is missing.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local kinds = require("spec.support.kinds")
local properties = require("spec.support.properties")

local calls = {}

-- { name, the kinds of its arguments (kinds.lua), notes }. Capital letters stand for several
-- numbers: one for each axis, or for a turn. The notes:
--
--     changes   changes the world or the pool, so it is refused in a filter function
--     remembers changes what snapshots hold, but no answer of another call
--     makes     makes something new each time, so there is garbage
--     loops     returns an iterator
--     flat      is refused in 3D
--     pieces    inserts several boxes, one after the other
--     stale     may be called on a removed Box
--     ends      ends its box or mover, so it cannot be called twice
local ROWS = {
  World = {
    { "insert", "P S opts?", "changes makes" },
    { "insertCircle", "P aboveZero opts?", "changes makes" },
    { "insertPolygon", "corners opts?", "changes makes flat" },
    { "insertConcave", "outline opts?", "changes makes flat pieces" },
    { "insertPolyline", "outline thickness opts?", "changes makes flat pieces" },
    { "insertMany", "rects opts? out?", "changes makes" },
    { "remove", "box", "changes ends" },
    { "clear", "", "changes" },
    { "trim", "", "changes" },
    { "update", "box P S?", "changes" },
    { "updateMany", "boxes goals", "changes" },
    { "has", "anyBox" },
    { "count", "" },
    { "getBox", "id" },
    { "getRects", "boxes out?" },
    { "writeRects", "data boxes?" },
    { "boxes", "", "loops" },
    { "getBackend", "" },
    { "setBackend", "backend", "changes makes" },
    { "pairs", "", "loops" },
    { "collectPairs", "out?" },
    { "countPairs", "" },
    { "eachPair", "function" },
    { "contacts", "which?", "changes loops" },
    { "collectContacts", "which? out?", "changes" },
    { "newContacts", "contactsOpts?", "makes" },
    { "queryRect", "P Q filter? out?" },
    { "queryPoint", "P filter? out?" },
    { "queryCircle", "P radius filter? out? distances?" },
    { "queryPolygon", "corners filter? out?", "flat" },
    { "queryBox", "box filter? out?" },
    { "querySegment", "F T filter? out?" },
    { "querySweep", "box D filter? out?" },
    { "nearest", "P count? filter? distance? out? distances?" },
    { "segmentCast", "F T filter?" },
    { "sweep", "box D filter?" },
    { "sweepRect", "F Q D filter?" },
    { "resolve", "box filter?", "changes" },
    { "move", "box T rules? hits?", "changes" },
    { "moveBy", "box D rules? hits?", "changes" },
    { "check", "box T rules? hits?" },
    { "moveMany", "boxes goals rules? out?", "changes" },
    { "push", "pile G rules? hits?", "changes" },
    { "pushMany", "piles D rules? hits?", "changes" },
    { "touching", "pile N rules? flag?" },
    { "canFit", "box P S? rules?" },
    { "hits", "", "loops" },
    { "step", "time", "changes" },
    { "setGravity", "P", "changes" },
    { "getGravity", "" },
    { "stats", "", "makes" },
    { "debugRects", "out?", "makes" },
    { "debugShapes", "out?", "makes" },
    { "snapshot", "reuse?", "makes" },
    { "restore", "bytes function? flag?", "changes makes" },
    { "__len", "" },
    { "__tostring", "", "makes" },
  },
  Box = {
    { "getRect", "" },
    { "setRect", "P S?", "changes" },
    { "getCenter", "" },
    { "setCenter", "P", "changes" },
    { "getVelocity", "" },
    { "setVelocity", "P", "changes" },
    { "getAcceleration", "" },
    { "setAcceleration", "P", "changes" },
    { "getData", "", "stale" },
    { "setData", "value", "changes" },
    { "isAwake", "" },
    { "isStatic", "" },
    { "setStatic", "boolean", "changes" },
    { "getFilter", "" },
    { "setFilter", "mask mask", "changes" },
    { "setLayer", "mask", "changes" },
    { "setMask", "mask", "changes" },
    { "getShape", "corners?" },
    { "setShape", "shape shapeValue", "changes" },
    { "setObjectRect", "P S", "changes" },
    { "setTransform", "P A? C?", "changes" },
    { "setRotates", "boolean", "changes" },
    { "contacts", "which? mask?", "changes loops" },
    { "getId", "" },
    { "getWorld", "" },
    { "remove", "", "changes ends" },
    { "isRemoved", "", "stale" },
    { "__tostring", "", "makes stale" },
  },
  Contacts = {
    { "each", "which?", "changes loops" },
    { "collect", "which? out?", "changes" },
    { "__tostring", "", "makes" },
  },
  Snapshot = { { "getString", "", "makes" }, { "getHash", "", "makes" },
    { "__tostring", "", "makes" } },
  Backend = { { "getName", "" }, { "stats", "", "makes" }, { "__tostring", "", "makes" } },
  Pool = {
    { "spawn", "P D spawnOpts?", "changes" },
    { "free", "anyMover", "changes" },
    { "isAlive", "anyMover" },
    { "get", "mover" },
    { "set", "mover P D", "changes" },
    { "getTag", "mover" },
    { "step", "time", "changes" },
    { "count", "" },
    { "capacity", "" },
    { "clear", "", "changes" },
    { "trim", "", "changes" },
    { "each", "", "loops" },
    { "hits", "world filter? flag?", "loops remembers" },
    { "hitsBox", "Box D?", "loops" },
    { "hitsRect", "P Q D?", "loops" },
    { "collect", "out?" },
    { "write", "data" },
    { "stats", "", "makes" },
    { "snapshot", "poolReuse?", "makes" },
    { "restore", "poolSnapshot", "changes makes" },
    { "newEmitter", "spec?", "changes makes" },
    { "__len", "" },
    { "__tostring", "", "makes" },
  },
  PoolSnapshot = {
    { "getString", "", "makes" }, { "getHash", "", "makes" }, { "__tostring", "", "makes" },
  },
  Emitter = {
    { "setPosition", "P", "changes" },
    { "setAngle", "number", "changes" },
    { "getCount", "" },
    { "isActive", "" },
    { "stop", "", "changes" },
    { "__tostring", "", "makes" },
  },
  Model = { { "__tostring", "", "makes" } },
  module = {
    { "newWorld", "worldOpts", "makes" },
    { "layers", "names", "makes" },
    { "newPool", "poolOpts", "makes" },
    { "newModel", "modelOpts", "makes" },
    { "newBrute", "noOpts?", "makes" },
    { "newSweep", "sweepOpts?", "makes" },
    { "newGrid", "gridOpts?", "makes" },
    { "newTree", "treeOpts?", "makes" },
    { "newAuto", "noOpts?", "makes" },
  },
  -- Functions of the module that have a 3 at the end of their names in 3D.
  geometry = {
    { "overlap", "P Z P Z" },
    { "sweep", "F Z D P Z D" },
    { "segment", "F T P Z" },
    { "separation", "P Z P Z" },
    { "reflect", "D N" },
    { "bounds", "points" },
    { "transform", "P Z D A? C?" },
  },
}

for _, method in ipairs(properties.methods) do
  local names = {}
  for i, option in ipairs(method.options) do
    names[i] = option.kind == "SIDE" and "N?" or "property " .. option.option
  end
  table.insert(ROWS.Box, { method.getter, "" })
  table.insert(ROWS.Box, { method.setter, table.concat(names, " "), "changes" })
end

-- "P S opts?" as a list of words: each a kind, a letter, or "property" with its option.
local function wordsOf(signature)
  local words = {}
  for word in signature:gsub("property ", "property:"):gmatch("%S+") do
    words[#words + 1] = word
  end
  return words
end

-- All rows, as { class =, name =, words =, and a field for each note }.
calls.rows = {}

for class, list in pairs(ROWS) do
  for _, row in ipairs(list) do
    local made = { class = class, name = row[1], words = wordsOf(row[2]) }
    for note in (row[3] or ""):gmatch("%S+") do
      made[note] = true
    end
    table.insert(calls.rows, made)
  end
end
table.sort(calls.rows, function(a, b)
  return a.class .. "." .. a.name < b.class .. "." .. b.name
end)

-- The rows that may be called with that number of axes.
function calls.rowsOf(dim)
  local list = {}
  for _, row in ipairs(calls.rows) do
    list[#list + 1] = not (row.flat and dim == 3) and row or nil
  end
  return list
end

-- Functions ------------------------------------------------------------------------------------

-- The name by which messages call it.
function calls.nameOf(row, dim)
  return row.name .. (row.class == "geometry" and dim == 3 and "3" or "")
end

-- The function of a row, and the object of a fixture that is its self, or nil.
function calls.functionOf(row, f)
  if row.class == "module" or row.class == "geometry" then
    return broadside[calls.nameOf(row, f.dim)]
  end
  local meta = debug.getmetatable(f[row.class])
  return rawget(row.name:find("^__") and meta or meta.__index, row.name), f[row.class]
end

-- Arguments ------------------------------------------------------------------------------------

-- The word that each argument of a row belongs to.
function calls.parameters(row, dim)
  local list = {}
  for _, word in ipairs(row.words) do
    for _ = 1, kinds.count(word, dim) do
      list[#list + 1] = word
    end
  end
  return list
end

-- Good arguments, of which each word takes a choice of those that its kind has, by default the
-- first. Returned as { n =, ... }.
function calls.arguments(row, f, choices)
  local args = { n = 0 }
  for i, word in ipairs(row.words) do
    local good = kinds.good(word, f)
    local choice = good[choices and choices[i] or 1]
    for item = 1, kinds.count(word, f.dim) do
      args.n = args.n + 1
      args[args.n] = choice[item]
    end
  end
  return args
end

-- Calls f(choices) for each combination of good arguments.
function calls.eachChoice(row, fixture, f)
  local counts, choices = {}, {}
  for i, word in ipairs(row.words) do
    counts[i], choices[i] = #kinds.good(word, fixture), 1
  end
  repeat
    f(compat.copy(choices))
    local i = 1
    while i <= #counts and choices[i] == counts[i] do
      choices[i] = 1
      i = i + 1
    end
    choices[i] = (choices[i] or 0) + 1
  until i > #counts
end

-- Calls f(args, place, bad) for each bad value (kinds.lua) in each place of good arguments. A list
-- of arguments { n =, ... } is good for one call.
function calls.eachBad(row, f, try)
  local good = calls.arguments(row, f)
  for place, word in ipairs(calls.parameters(row, f.dim)) do
    for _, bad in ipairs(kinds.bad(word, f)) do
      local args = { n = good.n, compat.unpack(good, 1, good.n) }
      args[place] = bad[1]
      if bad[1] == kinds.ABSENT then
        args[place], args.n = nil, place - 1
      end
      try(args, place, bad)
    end
  end
end

-- The function, and a list { n =, ... } of all that it is called with: its self, if it has one, and
-- the arguments.
function calls.prepare(row, f, args)
  local call, self = calls.functionOf(row, f)
  if self == nil then
    return call, args
  end
  return call, compat.pack(self, compat.unpack(args, 1, args.n))
end

-- Calls the function of a row. Returns the results of pcall.
function calls.try(row, f, args)
  local call, list = calls.prepare(row, f, args)
  return pcall(call, compat.unpack(list, 1, list.n))
end

return calls
