-- Calls of every function of the API. A case is a row
--
--     { function, arguments, note }
--
-- where the function is named by its class and its name, and `arguments(f)` returns the arguments
-- of a call with a fixture (fixture.lua). The note "loop" means that the call returns an iterator,
-- which runs to its end. "raises" means that the call raises an error although there is memory, and
-- "flat" that it does so in 3D.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local properties = require("spec.support.properties")

local values, concat, unpack = compat.values, compat.concat, compat.unpack

local cases = {}

local function case(name, arguments, note)
  cases[#cases + 1] = { name = name, arguments = arguments, note = note }
end

-- Adds cases for several methods of an object of the fixture, which have no arguments.
local function simple(class, field, names)
  for _, name in ipairs(names) do
    case(class .. "." .. name, function(f)
      return f[field]
    end)
  end
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

-- The world as a whole -------------------------------------------------------------------------

simple("World", "world", { "count", "stats", "getGravity", "getBackend", "clear", "trim",
  "countPairs", "__len", "__tostring" })

case("World.setGravity", function(f)
  return f.world, unpack(f:vector(1, 2))
end)
case("World.step", function(f)
  return f.world, 0.25
end)
for _, name in ipairs({ "brute", "sweep", "grid", "tree", "auto" }) do
  case("World.setBackend", function(f)
    return f.world, name
  end)
end
case("World.setBackend", function(f)
  return f.world, f.spare
end)
case("World.setBackend", function(f)
  return f.world, f.world:getBackend()
end)
case("World.setBackend", function(f)
  return f.world, "none"
end, "raises")
for _, name in ipairs({ "debugRects", "debugShapes" }) do
  case("World." .. name, function(f)
    return f.world
  end)
  case("World." .. name, function(f)
    return f.world, f.out
  end)
end

-- Snapshots ------------------------------------------------------------------------------------

-- Changes the world after a Snapshot: removes boxes, inserts others in their places, and moves
-- some.
local function goOn(f)
  f.snapshot = f.world:snapshot()
  f.boxes[2]:remove()
  f.boxes[7]:remove()
  for i = 1, 9 do
    f:insert(i == 1 and 2 or 200 + i, { data = "later" .. i, response = "slide", vx = i },
      f:rect(2 * i, i, 9, 8))
  end
  f.boxes[4]:setShape("circle", 5)
  f.world:step(1)
  for _ in f.world:contacts() do -- luacheck: ignore
  end
  return f.world
end

-- The bytes of a world with more boxes, which also has contacts of removed boxes.
local function stringOfAnother(f)
  local world = broadside.newWorld({ dim = f.dim })
  for i = 1, 30 do
    world:insert(values(f:rect(2 * i, i, 9, 8), { layer = i, response = "touch", vy = i }))
  end
  for _ in world:contacts() do -- luacheck: ignore
  end
  for box in world:boxes() do
    if box:getRect() % 3 == 0 then
      box:setShape("circle", 3)
    elseif box:getRect() % 5 == 0 then
      box:remove()
    end
  end
  world:step(1)
  return world:snapshot():getString()
end

simple("World", "world", { "snapshot" })
case("World.snapshot", function(f)
  return goOn(f), f.snapshot
end)
case("World.restore", function(f)
  return goOn(f), f.snapshot
end)
case("World.restore", function(f)
  f.snapshot = f.world:snapshot()
  f.world:clear()
  return f.world, f.snapshot
end)
-- the Boxes have to be made again
case("World.restore", function(f)
  goOn(f)
  f.boxes[2], f.boxes[7] = nil, nil
  collectgarbage()
  return f.world, f.snapshot
end)
case("World.restore", function(f)
  goOn(f)
  return f.world, f.snapshot:getString()
end)
case("World.restore", function(f)
  return f.world, stringOfAnother(f)
end)
case("World.restore", function(f)
  return f.world, stringOfAnother(f), function()
    return 5
  end
end)
case("World.restore", function(f)
  return f.world, f.world:snapshot():getString():sub(1, -2)
end, "raises")
for _, name in ipairs({ "getString", "getHash", "__tostring" }) do
  case("Snapshot." .. name, function(f)
    goOn(f)
    return f.snapshot
  end)
end

-- Boxes of a world -----------------------------------------------------------------------------

case("World.insert", function(f)
  return f.world, unpack(f:rect(1, 2, 3, 4))
end)
case("World.insert", function(f)
  return f.world, values(f:rect(10, 2, 30, 4), { data = "new", vx = 1, ay = 2, layer = 4 })
end)
case("World.insert", function(f)
  return f.world, values(f:rect(10, 2, 30, 4), { static = true })
end)
case("World.insert", function(f)
  return f.world, values(f:rect(10, 2, 30, 4), { colour = true })
end, "raises")
-- the indices of removed boxes are used up
case("World.insert", function(f)
  for i = 1, 4 do
    f.world:insert(unpack(f:rect(i, i, 1, 1)))
  end
  return f.world, values(f:rect(10, 2, 30, 4), { data = "new", vy = 3 })
end)
case("World.insertCircle", function(f)
  return f.world, values(f:vector(1, 2), 3, { data = "new", vx = 1 })
end)
case("World.insertPolygon", function(f)
  return f.world, { 1, 2, 9, 3, 4, 12 }, { data = "new", static = true }
end, "flat")
case("World.insertPolygon", function(f)
  return f.world, { 1, 2, 9, 3 }
end, "raises")
case("World.remove", function(f)
  return f.world, f.handles[2]
end)
case("World.remove", function(f)
  return f.world, f.boxes[3]
end, "raises")
case("World.update", function(f)
  return f.world, f.handles[4], unpack(f:vector(-3, 2))
end)
case("World.update", function(f)
  return f.world, f.handles[4], unpack(f:rect(3, 2, 11, 12))
end)
case("World.has", function(f)
  return f.world, f.handles[4]
end)
case("World.getBox", function(f)
  return f.world, f.boxes[4]:getId()
end)
-- in a world of ids, this one's Box has not been made yet
case("World.getBox", function(f)
  local box = f.world:insert(unpack(f:rect(1, 1, 2, 2)))
  return f.world, type(box) == "number" and box or box:getId()
end)

local function flatRects(f, n)
  local flat = {}
  for i = 1, n do
    flat = concat(flat, f:rect(3 * i, i, 4, 5))
  end
  return flat
end

for _, n in ipairs({ 2, 12 }) do
  case("World.insertMany", function(f)
    return f.world, flatRects(f, n)
  end)
  case("World.insertMany", function(f)
    return f.world, flatRects(f, n), { data = "many", vx = 2 }, f.out
  end)
end
case("World.insertMany", function(f)
  local flat = flatRects(f, 3)
  flat[#flat] = 0
  return f.world, flat
end, "raises")
case("World.updateMany", function(f)
  return f.world, { f.handles[1], f.handles[4], f.handles[7] },
    concat(f:vector(0, 5), concat(f:vector(3, 3), f:vector(20, 1)))
end)
case("World.getRects", function(f)
  return f.world, { f.handles[1], f.handles[4] }
end)
case("World.getRects", function(f)
  return f.world, { f.handles[1], f.handles[4] }, f.out
end)
case("World.writeRects", function(f)
  return f.world, rawget(_G, "memory").data(4096), { f.handles[1], f.handles[4] }
end)
case("World.boxes", function(f)
  return f.world
end, "loop")

-- Pairs ----------------------------------------------------------------------------------------

case("World.pairs", function(f)
  return f.world
end, "loop")
case("World.contacts", function(f)
  return f.world
end, "loop")
-- cursors have their memory already, but what was removed since must be remembered
case("World.contacts", function(f)
  for _ in f.world:contacts() do -- luacheck: ignore
  end
  f.boxes[2]:remove()
  f.boxes[8]:remove()
  return f.world
end, "loop")
case("World.contacts", function(f)
  f.world:step(1)
  return f.world, "changes"
end, "loop")
case("World.collectContacts", function(f)
  return f.world
end)
case("World.collectContacts", function(f)
  for _ in f.world:contacts() do -- luacheck: ignore
  end
  f.boxes[2]:remove()
  f.world:step(1)
  return f.world, "changes", f.out
end)
case("World.remove", function(f)
  for _ in f.world:contacts() do -- luacheck: ignore
  end
  return f.world, f.handles[2]
end)
case("World.clear", function(f)
  for _ in f.world:contacts() do -- luacheck: ignore
  end
  return f.world
end)
case("World.eachPair", function(f)
  return f.world, accept
end)
case("World.collectPairs", function(f)
  return f.world
end)
case("World.collectPairs", function(f)
  f.world:step(1)
  return f.world, f.out
end)

-- Queries and casts, each with and without a filter and a table for the results ----------------

local FILTERS = {
  function() return nil end,
  function() return 1 end,
  function(f) return f.boxes[1] end,
  function() return accept end,
  function() return refuse end,
  function(f) return picky(f) end,
}

local function query(name, arguments)
  for _, filter in ipairs(FILTERS) do
    case(name, function(f)
      return f.world, values(arguments(f), filter(f))
    end)
    case(name, function(f)
      return f.world, values(arguments(f), filter(f), f.out)
    end)
  end
end

query("World.queryRect", function(f)
  return f:rect(0, 0, 30, 30)
end)
query("World.queryPoint", function(f)
  return f:vector(9, 9)
end)
query("World.queryCircle", function(f)
  return concat(f:vector(9, 9), { 12 })
end)
query("World.queryBox", function(f)
  return { f.handles[7] }
end)
query("World.querySegment", function(f)
  return concat(f:vector(-5, 6), f:vector(50, 9))
end)
query("World.querySweep", function(f)
  return concat({ f.handles[7] }, f:vector(50, 9))
end)
for _, filter in ipairs(FILTERS) do
  case("World.nearest", function(f)
    return f.world, values(f:vector(3, 3), 5, filter(f))
  end)
  case("World.nearest", function(f)
    return f.world, values(f:vector(3, 3), 5, filter(f), 20, f.out)
  end)
  case("World.nearest", function(f)
    return f.world, values(f:vector(3, 3), 5, filter(f), 20, f.out, {})
  end)
  case("World.queryCircle", function(f)
    return f.world, values(f:vector(9, 9), 12, filter(f), f.out, { 1 })
  end)
  case("World.segmentCast", function(f)
    return f.world, values(concat(f:vector(-5, 6), f:vector(50, 9)), filter(f))
  end)
  case("World.sweep", function(f)
    return f.world, f.handles[1], values(f:vector(30, 12), filter(f))
  end)
  case("World.sweepRect", function(f)
    return f.world, values(concat(f:rect(-5, 6, 2, 2), f:vector(50, 9)), filter(f))
  end)
  case("World.resolve", function(f)
    return f.world, f.handles[7], filter(f)
  end)
end
case("World.segmentCast", function(f)
  return f.world, unpack(concat(f:vector(-5, 600), f:vector(50, 900)))
end)

-- Movement -------------------------------------------------------------------------------------

-- A response that depends on the box, in any kind of results. In its first call it calls a method
-- of the world.
local function pickyResponse(f)
  local responses, asked = { "slide", "touch", "bounce", "cross", false }, false
  return function(box, other)
    if not asked then
      asked = true
      f.world:canFit(f.handles[1], unpack(f:vector(0, 0)))
      f.world:check(f.handles[1], values(f:vector(9, 9), function() return "cross" end))
    end
    if type(other) == "userdata" then
      other = other:getId()
    end
    local number = type(other) == "number" and other or #other
    return box ~= nil and responses[1 + number % 5]
  end
end

local RULES = {
  function() return nil end,
  function() return 3 end,
  function(f) return f.boxes[1] end,
  function() return { cross = -1 } end,
  function() return { slide = 1, bounce = 2 } end,
  function() return { push = -1 } end,
  function() return function() return "cross" end end,
  function(f) return pickyResponse(f) end,
}

-- Makes `out` keep rows that it no longer lists.
local function used(f)
  f.world:check(f.handles[4], values(f:vector(60, 25), { cross = -1 }, f.out))
  f.world:check(f.handles[4], values(f:vector(60, 25), 0, f.out))
  return f.out
end

for _, rules in ipairs(RULES) do
  case("World.check", function(f)
    return f.world, f.handles[4], values(f:vector(60, 25), rules(f))
  end)
  case("World.move", function(f)
    return f.world, f.handles[4], values(f:vector(-60, 25), rules(f), f.out)
  end)
  case("World.move", function(f)
    return f.world, f.handles[7], values(f:vector(-60, 5), rules(f), used(f))
  end)
  case("World.moveMany", function(f)
    local goals = concat(concat(f:vector(60, 25), f:vector(0, 0)), f:vector(30, -9))
    return f.world, { f.handles[4], f.handles[7], f.handles[4] }, goals, rules(f)
  end)
  case("World.moveMany", function(f)
    return f.world, { f.handles[4], f.handles[7] }, concat(f:vector(60, 25), f:vector(0, 0)),
      rules(f), f.out
  end)
  case("World.push", function(f)
    return f.world, f:pile(), values(f:vector(20, 4), rules(f))
  end)
  case("World.push", function(f)
    return f.world, f:pile(), values(f:vector(-20, 9), rules(f), f.out)
  end)
  case("World.push", function(f)
    return f.world, f:pile(), values(f:vector(9, 30), rules(f), used(f))
  end)
  case("World.pushMany", function(f)
    return f.world, { f:pile(), f.handles[7] }, values(f:vector(20, 4), rules(f))
  end)
  case("World.pushMany", function(f)
    return f.world, { f:pile(), f.handles[7] }, values(f:vector(9, 30), rules(f), used(f))
  end)
  case("World.touching", function(f)
    return f.world, f:pile(), values(f:vector(0, 1), rules(f))
  end)
  case("World.canFit", function(f)
    return f.world, f.handles[4], values(f:vector(9, 9), nil, nil, unpack(f.dim == 2 and
      { rules(f) } or { nil, rules(f) }, 1, 2))
  end)
end
-- The list has such rows, but must grow to list them. If that fails, pushed boxes go back.
case("World.move", function(f)
  local kept = used(f)
  return f.world, f.handles[4], values(f:vector(60, 25), { push = -1 }, kept)
end)
-- boxes have responses, and are one-way
case("World.move", function(f)
  f:respond()
  return f.world, f.handles[4], values(f:vector(60, 25), { bounce = -1 }, f.out)
end)
case("World.move", function(f)
  return f.world, f.handles[4], values(f:vector(60, 25), function() return "bump" end)
end, "raises")
case("World.moveMany", function(f)
  return f.world, { f.handles[4], f.handles[7] }, concat(f:vector(60, 25), f:vector(0, 0)),
    { slide = "all" }, f.out
end, "raises")
case("World.step", function(f)
  f:respond()
  return f.world, 1
end)
case("World.step", function(f)
  f:respond()
  f.boxes[4]:setResponse("cross")
  f.boxes[4]:setStatic(false)
  f.boxes[4]:setVelocity(unpack(f:vector(60, 25)))
  return f.world, 1
end)
case("World.hits", function(f)
  f:respond()
  return f.world
end, "loop")
case("World.hits", function(f)
  f:respond()
  f.boxes[8]:remove()
  return f.world
end, "loop")

local CONDUCT = {
  { response = "slide" }, { bounce = 0.25, response = "bounce" },
  {},
}
for _, option in ipairs(properties.options) do
  CONDUCT[3][option.option] = option.kind ~= "SIDE" and option.good[1] or nil
end

for _, opts in ipairs(CONDUCT) do
  case("World.insert", function(f)
    return f.world, values(f:rect(10, 2, 30, 4), opts)
  end)
  case("World.insertMany", function(f)
    f:respond()
    return f.world, flatRects(f, 12), opts, f.out
  end)
end
case("World.insert", function(f)
  return f.world, values(f:rect(10, 2, 30, 4), { oneWay = f:vector(0, -1), static = true })
end)
case("World.insert", function(f)
  return f.world, values(f:rect(10, 2, 30, 4), { data = f.entity, key = "box" })
end)
case("World.insertCircle", function(f)
  return f.world, values(f:vector(10, 2), 3, { data = f.entity, key = "box" })
end)
case("World.insert", function(f)
  return f.world, values(f:rect(10, 2, 30, 4), { oneWay = f:vector(0, 0.5) })
end, "raises")

-- Box ------------------------------------------------------------------------------------------

local function box(name, arguments)
  case("Box." .. name, function(f)
    return f.boxes[4], unpack(arguments(f))
  end)
end

for _, name in ipairs({ "getRect", "getCenter", "getVelocity", "getAcceleration", "getData",
  "isStatic", "getFilter", "getId", "getWorld", "remove", "isRemoved", "__tostring" }) do
  box(name, function()
    return {}
  end)
end
for _, number in ipairs({ 2, 4, 7 }) do -- a box, a polygon and a circle
  for _, given in ipairs({ false, true }) do
    case("Box.getShape", function(f)
      return f.boxes[number], given and f.out or nil
    end)
  end
  case("Box.setShape", function(f)
    return f.boxes[number], "box"
  end)
  case("Box.setShape", function(f)
    return f.boxes[number], "circle", 5
  end)
  case("Box.setShape", function(f)
    return f.boxes[number], "polygon", { 1, 2, 9, 3, 4, 12 }
  end, "flat")
  case("Box.setTransform", function(f)
    return f.boxes[number], unpack(f:vector(3, 4))
  end)
end
box("setRect", function(f)
  return f:rect(1, 1, 5, 6)
end)
for _, name in ipairs({ "setCenter", "setVelocity", "setAcceleration", "setTransform" }) do
  box(name, function(f)
    return f:vector(12, 13)
  end)
end
box("setObjectRect", function(f)
  return f:rect(-1, -1, 2, 2)
end)
for _, value in ipairs({ "other", 5, true }) do
  box("setData", function()
    return { value }
  end)
end
-- the box has had no data before
case("Box.setData", function(f)
  return f.boxes[9], "first"
end)
for _, value in ipairs({ true, false }) do
  box("setStatic", function()
    return { value }
  end)
  box("setRotates", function()
    return { value }
  end)
end
for _, conduct in ipairs({ function() end, function(f) f:respond() end }) do
  for _, method in ipairs(properties.methods) do
    box(method.getter, function(f)
      conduct(f)
      return {}
    end)
    box(method.setter, function(f)
      conduct(f)
      return method.setter == "setOneWay" and f:vector(1, 0) or method.good[1]
    end)
  end
end
box("setResponse", function()
  return {}
end)
box("setOneWay", function()
  return {}
end)
box("setFilter", function()
  return { 4, 12 }
end)
case("Box.getRect", function(f)
  return f.boxes[3]
end, "raises")

-- Backend --------------------------------------------------------------------------------------

for _, name in ipairs({ "getName", "stats", "__tostring" }) do
  case("Backend." .. name, function(f)
    return f.world:getBackend()
  end)
  case("Backend." .. name, function(f)
    return f.spare
  end)
end

-- Pool -----------------------------------------------------------------------------------------

simple("Pool", "pool", { "count", "capacity", "clear", "trim", "stats", "collect", "newEmitter",
  "__len", "__tostring" })

local function spawnArgs(f)
  return concat(f:vector(1, 2), f:vector(3, 4))
end

case("Pool.spawn", function(f)
  return f.pool, unpack(spawnArgs(f))
end)
case("Pool.spawn", function(f)
  return f.pool, values(spawnArgs(f), { model = f.small, life = 3, w = 1, tag = 5, ax = 1 })
end)
case("Pool.spawn", function(f)
  f.pool:clear()
  f.emitter:stop()
  return f.pool, values(spawnArgs(f), {
    model = broadside.newModel({ dim = f.dim, emitters = { { circle = 3 } } }),
  })
end)
for _, name in ipairs({ "free", "isAlive", "get", "getTag" }) do
  case("Pool." .. name, function(f)
    return f.pool, f.movers[3]
  end)
end
case("Pool.get", function(f)
  return f.pool, f.movers[2]
end, "raises")
case("Pool.set", function(f)
  return f.pool, f.movers[3], unpack(spawnArgs(f))
end)
case("Pool.step", function(f)
  return f.pool, 1
end)
case("Pool.collect", function(f)
  return f.pool, f.out
end)
case("Pool.write", function(f)
  return f.pool, rawget(_G, "memory").data(4096)
end)
case("Pool.each", function(f)
  return f.pool
end, "loop")
for _, filter in ipairs(FILTERS) do
  case("Pool.hits", function(f)
    return f.pool, f.world, filter(f)
  end, "loop")
  case("Pool.hits", function(f)
    return f.pool, f.world, filter(f), true
  end, "loop")
end
case("Pool.hitsBox", function(f)
  return f.pool, f.boxes[7]
end, "loop")
case("Pool.hitsRect", function(f)
  return f.pool, values(f:rect(0, 0, 40, 40), unpack(f:vector(1, 1)))
end, "loop")
case("Pool.newEmitter", function(f)
  return f.pool, { cycle = 2, count = 5, nway = 3, angle = 1, model = f.model }
end)
-- the array of emitters is full
case("Pool.newEmitter", function(f)
  for _ = 1, 15 do
    f.pool:newEmitter({ count = 1, delay = 5 })
  end
  return f.pool, { circle = 4, model = f.model }
end)

-- Changes the pool after a Snapshot: frees and spawns movers, and emitters with Models fire.
local function flyOn(f)
  f.pool:newEmitter({ model = f.model })
  f.snapshot = f.pool:snapshot()
  for _ = 1, 20 do
    f.pool:newEmitter({ delay = 2, model = broadside.newModel({ dim = f.dim }) })
  end
  f.pool:spawn(values(spawnArgs(f), { model = f.model }))
  f.pool:free(f.movers[3])
  f.pool:step(1)
  return f.pool
end

-- The bytes of a pool with Models of its own.
local function stringOfAnotherPool(f)
  local pool = broadside.newPool({ dim = f.dim, capacity = f.pool:capacity() })
  local model = f.model
  for i = 1, 20 do
    model = broadside.newModel({ dim = f.dim, tag = i, emitters = { { model = model } } })
    pool:newEmitter({ model = model })
    pool:spawn(values(spawnArgs(f), { model = model, life = i, tag = i }))
  end
  pool:step(1)
  return pool:snapshot():getString()
end

simple("Pool", "pool", { "snapshot" })
case("Pool.snapshot", function(f)
  local pool = flyOn(f)
  for _ = 1, 30 do
    pool:spawn(unpack(spawnArgs(f)))
  end
  return pool, f.snapshot
end)
case("Pool.restore", function(f)
  return flyOn(f), f.snapshot
end)
case("Pool.restore", function(f)
  local snapshot = (flyOn(f) and f.pool):snapshot()
  f.pool:restore(f.snapshot)
  f.pool:trim()
  return f.pool, snapshot
end)
case("Pool.restore", function(f)
  return flyOn(f), f.snapshot:getString()
end)
case("Pool.restore", function(f)
  return f.pool, stringOfAnotherPool(f)
end)
case("Pool.restore", function(f)
  return f.pool, f.pool:snapshot():getString():sub(1, -2)
end, "raises")
-- a Snapshot has the table of Models
case("Pool.spawn", function(f)
  flyOn(f)
  f.pool:restore(f.snapshot)
  f.pool:clear()
  return f.pool, values(spawnArgs(f), { model = f.model })
end)
for _, name in ipairs({ "getString", "getHash" }) do
  case("PoolSnapshot." .. name, function(f)
    flyOn(f)
    return f.snapshot
  end)
end

simple("Emitter", "emitter", { "getCount", "isActive", "stop", "__tostring" })
case("Emitter.setPosition", function(f)
  return f.emitter, unpack(f:vector(5, 6))
end)
case("Emitter.setAngle", function(f)
  return f.emitter, 1
end)
case("Model.__tostring", function(f)
  return f.model
end)

-- The module -----------------------------------------------------------------------------------

case("module.newWorld", function(f)
  return { dim = f.dim }
end)
for _, name in ipairs({ "brute", "sweep", "grid", "tree", "auto" }) do
  case("module.newWorld", function(f)
    return { dim = f.dim, backend = name, gravity = f:vector(1, 2), results = "id" }
  end)
end
case("module.newWorld", function(f)
  return { dim = f.dim, backend = f.spare }
end)
case("module.newWorld", function(f)
  return { dim = f.dim, backend = f.world:getBackend() }
end, "raises")
case("module.newPool", function(f)
  return { dim = f.dim, capacity = 100, w = 1, h = 1, bounds = f:rect(0, 0, 9, 9) }
end)
case("module.newModel", function(f)
  return { dim = f.dim }
end)
case("module.newModel", function(f)
  return { dim = f.dim, life = 5, tag = 3, ax = 1, mask = 7, emitters = {
    { count = 3, circle = 2, relative = true, model = "self" }, { nway = 3, model = f.model },
  } }
end)
case("module.newModel", function(f)
  return { dim = f.dim, emitters = { { nway = 0 } } }
end, "raises")
case("module.newBrute", function() end)
case("module.newAuto", function() end)
case("module.newSweep", function()
  return { axis = "y" }
end)
case("module.newGrid", function()
  return { cellSize = 4 }
end)
case("module.newTree", function()
  return { margin = 4 }
end)

-- Adds a function with or without the 3 at the end of its name, as the fixture needs it.
local function geometry(name, arguments)
  for dim = 2, 3 do
    case("module." .. name .. (dim == 3 and "3" or ""), function(f)
      local other = setmetatable({ dim = dim }, getmetatable(f))
      return unpack(arguments(other))
    end)
  end
end

geometry("overlap", function(f)
  return concat(f:rect(0, 0, 2, 2), f:rect(1, 1, 2, 2))
end)
geometry("sweep", function(f)
  return concat(concat(f:rect(0, 0, 2, 2), f:vector(9, 9)),
    concat(f:rect(4, 3, 2, 2), f:vector(0, 1)))
end)
geometry("segment", function(f)
  return concat(concat(f:vector(0, 0), f:vector(9, 9)), f:rect(4, 3, 2, 2))
end)
geometry("separation", function(f)
  return concat(f:rect(0, 0, 2, 2), f:rect(1, 1.5, 2, 2))
end)
geometry("reflect", function(f)
  return concat(f:vector(1, 2), f:vector(-1, 0))
end)
geometry("bounds", function(f)
  return { concat(concat(f:vector(1, 2), f:vector(-1, 0)), f:vector(8, 5)) }
end)
geometry("transform", function(f)
  return concat(f:rect(0, 0, 2, 2), f:vector(1, 2))
end)

return cases
