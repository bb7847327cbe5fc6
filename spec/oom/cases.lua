-- Calls for which memory runs out: those of calls.lua with each choice of good arguments, and below
-- those that need more. A case is a row
--
--     { function, arguments, note }
--
-- where the function is named by its class and its name, and `arguments(f)` returns the arguments
-- of a call with a fixture (fixture.lua), its self first. The note "loop" means that the call
-- returns an iterator, which runs to its end. "raises" means that the call raises an error although
-- there is memory, and "flat" that it does so in 3D. "takes back" means the same, and that the call
-- inserts boxes one by one. Where it then finds no memory, it removes them again, as far as there
-- is memory for that, and later boxes have other ids.

local broadside = require("broadside")
local calls = require("spec.support.calls")
local compat = require("spec.support.compat")
local fixture = require("spec.support.fixture")
local kinds = require("spec.support.kinds")
local properties = require("spec.support.properties")

local values, concat, unpack = compat.values, compat.concat, compat.unpack

local cases = {}

local function case(name, arguments, note)
  cases[#cases + 1] = { name = name, arguments = arguments, note = note }
end

local sample = fixture.new(2, "box", "auto", 14)
for _, row in ipairs(calls.rows) do
  local class = row.class == "geometry" and "module" or row.class
  calls.eachChoice(row, sample, function(choices)
    for dim = 2, row.class == "geometry" and 3 or 2 do
      case(class .. "." .. calls.nameOf(row, dim), function(f)
        local other = row.class == "geometry" and setmetatable({ dim = dim }, getmetatable(f)) or f
        local _, list = calls.prepare(row, f, calls.arguments(row, other, choices))
        return unpack(list, 1, list.n)
      end, row.loops and "loop" or row.flat and (row.pieces and "takes back" or "flat"))
    end
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

case("World.snapshot", function(f) return goOn(f), f.snapshot end)
case("World.restore", function(f) return goOn(f), f.snapshot end)
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
case("World.restore", function(f) return f.world, stringOfAnother(f) end)
case("World.restore", function(f)
  return f.world, stringOfAnother(f), function() return 5 end
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

case("World.setBackend", function(f)
  return f.world, "none"
end, "raises")
case("World.insert", function(f)
  return f.world, values(f:rect(10, 2, 30, 4), { colour = true })
end, "raises")
case("World.insert", function(f)
  return f.world, values(f:rect(10, 2, 30, 4), { oneWay = f:vector(0, 0.5) })
end, "raises")
case("World.insert", function(f)
  return f.world, values(f:rect(10, 2, 30, 4), { data = f.entity, key = "box" })
end)
case("World.insertCircle", function(f)
  return f.world, values(f:vector(10, 2), 3, { data = f.entity, key = "box" })
end)
-- the indices of removed boxes are used up
case("World.insert", function(f)
  for i = 1, 4 do
    f.world:insert(unpack(f:rect(i, i, 1, 1)))
  end
  return f.world, values(f:rect(10, 2, 30, 4), { data = "new", vy = 3 })
end)
case("World.insertPolygon", function(f)
  return f.world, { 1, 2, 9, 3 }
end, "raises")
case("Contacts.each", function(f)
  f.contacts:collect()
  f.boxes[2]:remove()
  f.boxes[8]:remove()
  f.world:step(1)
  return f.contacts
end, "loop")
case("Contacts.collect", function(f)
  f.contacts:collect()
  f.boxes[2]:remove()
  f.world:step(1)
  return f.contacts, "changes", f.out
end)
case("Box.contacts", function(f)
  f.boxes[1]:contacts()
  f.boxes[2]:remove()
  f.world:step(1)
  return f.boxes[1], "changes"
end, "loop")
case("World.remove", function(f)
  return f.world, f.boxes[3]
end, "raises")
-- in a world of ids, this one's Box has not been made yet
case("World.getBox", function(f)
  local box = f.world:insert(unpack(f:rect(1, 1, 2, 2)))
  return f.world, type(box) == "number" and box or box:getId()
end)
-- boxes have properties
case("World.insertMany", function(f)
  f:respond()
  return f.world, f:rects(12), { bounce = 0.25, response = "bounce" }, f.out
end)
case("World.insertMany", function(f)
  local flat = f:rects(3)
  flat[#flat] = 0
  return f.world, flat
end, "raises")

-- Pairs ----------------------------------------------------------------------------------------

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
case("World.collectPairs", function(f)
  f.world:step(1)
  return f.world, f.out
end)

case("World.segmentCast", function(f)
  return f.world, unpack(concat(f:vector(-5, 600), f:vector(50, 900)))
end)

-- Movement -------------------------------------------------------------------------------------

for i = 1, #kinds.good("rules?", sample) do
  local function rules(f)
    return kinds.good("rules?", f)[i][1]
  end
  case("World.move", function(f)
    return f.world, f.handles[7], values(f:vector(-60, 5), rules(f), f:used())
  end)
  case("World.moveBy", function(f)
    return f.world, f.handles[7], values(f:vector(-60, 5), rules(f), f:used())
  end)
  case("World.moveMany", function(f)
    return f.world, { f.handles[4], f.handles[7] }, concat(f:vector(60, 25), f:vector(0, 0)),
      rules(f), f.out
  end)
  case("World.push", function(f)
    return f.world, f:pile(), values(f:vector(-20, 9), rules(f), f.out)
  end)
  case("World.pushMany", function(f)
    return f.world, { f:pile(), f.handles[7] }, values(f:vector(9, 30), rules(f), f:used())
  end)
end
-- On a platform a wide crate comes up against a wall. What is behind it and on it must be looked at
-- again, and that is more than the list has room for, which eight carried boxes fill. The crates on
-- it are too far apart to be looked at because of each other.
case("World.push", function(f)
  local wide = f:rect(1006, 1010, 150, 10)
  f:insert(100, { static = true }, f:rect(1000, 1000, 400, 10))
  f:insert(101, { static = true }, f:rect(1158, 1011, 10, 8))
  for i, place in ipairs({ f:rect(1000, 1010, 3, 5), f:rect(1003, 1010, 3, 5), wide }) do
    f:insert(101 + i, nil, place)
  end
  for i = 1, 5 do
    f:insert(104 + i, nil, f:rect(980 + 30 * i, 1020, 10, 5))
  end
  return f.world, f.handles[100], values(f:vector(1005, 1000), { push = -1 }, f.out)
end)
-- The list has such rows, but must grow to list them. If that fails, pushed boxes go back.
case("World.move", function(f)
  local kept = f:used()
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

-- Box ------------------------------------------------------------------------------------------

for _, number in ipairs({ 2, 4, 7 }) do -- a box, a polygon and a circle
  for _, given in ipairs({ false, true }) do
    case("Box.getShape", function(f) return f.boxes[number], given and f.out or nil end)
  end
  case("Box.setShape", function(f) return f.boxes[number], "box" end)
  case("Box.setShape", function(f) return f.boxes[number], "circle", 5 end)
  case("Box.setShape", function(f)
    return f.boxes[number], "polygon", { 1, 2, 9, 3, 4, 12 }
  end, "flat")
  case("Box.setTransform", function(f) return f.boxes[number], unpack(f:vector(3, 4)) end)
end
-- the box has had no data before
case("Box.setData", function(f) return f.boxes[9], "first" end)
for _, method in ipairs(properties.methods) do
  case("Box." .. method.getter, function(f)
    f:respond()
    return f.boxes[4]
  end)
  case("Box." .. method.setter, function(f)
    f:respond()
    return f.boxes[4], unpack(method.setter == "setOneWay" and f:vector(1, 0) or method.good[1])
  end)
end
for _, name in ipairs({ "setResponse", "setOneWay" }) do
  case("Box." .. name, function(f) return f.boxes[4] end)
end
case("Box.getRect", function(f)
  return f.boxes[3]
end, "raises")

-- Backend --------------------------------------------------------------------------------------

for _, name in ipairs({ "getName", "stats", "__tostring" }) do
  case("Backend." .. name, function(f) return f.world:getBackend() end)
end

-- Pool -----------------------------------------------------------------------------------------

local function spawnArgs(f)
  return concat(f:vector(1, 2), f:vector(3, 4))
end

case("Pool.spawn", function(f)
  f.pool:clear()
  f.emitter:stop()
  return f.pool, values(spawnArgs(f), {
    model = broadside.newModel({ dim = f.dim, emitters = { { circle = 3 } } }),
  })
end)
case("Pool.get", function(f)
  return f.pool, f.movers[2]
end, "raises")
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

case("Pool.snapshot", function(f)
  local pool = flyOn(f)
  for _ = 1, 30 do
    pool:spawn(unpack(spawnArgs(f)))
  end
  return pool, f.snapshot
end)
case("Pool.restore", function(f) return flyOn(f), f.snapshot end)
case("Pool.restore", function(f)
  local snapshot = (flyOn(f) and f.pool):snapshot()
  f.pool:restore(f.snapshot)
  f.pool:trim()
  return f.pool, snapshot
end)
case("Pool.restore", function(f) return flyOn(f), f.snapshot:getString() end)
case("Pool.restore", function(f) return f.pool, stringOfAnotherPool(f) end)
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

-- The module -----------------------------------------------------------------------------------

for _, name in ipairs({ "brute", "sweep", "grid", "tree", "auto" }) do
  case("module.newWorld", function(f)
    return { dim = f.dim, backend = name, gravity = f:vector(1, 2), results = "id" }
  end)
end
case("module.newWorld", function(f)
  return { dim = f.dim, backend = f.world:getBackend() }
end, "raises")
case("module.newModel", function(f)
  return { dim = f.dim, emitters = { { nway = 0 } } }
end, "raises")

return cases
