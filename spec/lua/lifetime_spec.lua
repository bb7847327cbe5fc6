-- Which objects keep others alive, collection in any order, and closing the state at any point.

local broadside = require("broadside")
local calls = require("spec.support.calls")
local child = require("spec.support.child")
local collect = require("spec.support.collect")
local compat = require("spec.support.compat")
local fixture = require("spec.support.fixture")

local collectAll = compat.collectAll

-- finaliser(f): an object whose finaliser calls f. Also for the scripts of other processes.
local FINALISER = [[
  function finaliser(f)
    if newproxy then
      local proxy = newproxy(true)
      getmetatable(proxy).__gc = f
      return proxy
    end
    return setmetatable({}, { __gc = f })
  end
]]
local finaliser = compat.loadIn(FINALISER .. "return finaliser", { setmetatable = setmetatable,
  getmetatable = getmetatable, newproxy = rawget(_G, "newproxy") })()

local function isEmpty(weak)
  collectAll()
  return next(weak) == nil
end

describe("a world", function()
  it("is collected when nobody holds it", function()
    local weak = setmetatable({}, { __mode = "v" })
    for _, results in ipairs({ "box", "id", "data" }) do
      for dim = 2, 3 do
        local world = broadside.newWorld({ dim = dim, results = results })
        if dim == 2 then
          world:insert(0, 0, 1, 1, { data = {} })
        end
        weak[#weak + 1] = world
      end
    end
    assert.is_true(isEmpty(weak))
  end)

  it("is collected together with its boxes and data, also when these lead back to it", function()
    local weak = setmetatable({}, { __mode = "v" })
    local function make()
      local world = broadside.newWorld()
      local data = { world = world }
      data.box = world:insert(0, 0, 1, 1, { data = data })
      world:insert(0, 0, 1, 1):setData(world)
      data.backend = world:getBackend()
      data.filter = function() return world end
      weak[1], weak[2], weak[3] = world, data, data.box
    end
    make()
    assert.is_true(isEmpty(weak))
  end)

  it("lives as long as one of its Boxes", function()
    local box
    local weak = setmetatable({}, { __mode = "v" })
    local function make()
      local world = broadside.newWorld()
      box = world:insert(1, 2, 3, 4)
      world:insert(1, 2, 3, 4)
      weak[1] = world
    end
    make()
    collectAll()
    assert.same({ 1, 2, 3, 4 }, { box:getRect() })
    assert.equal(2, box:getWorld():count())
    assert.equal(1, box:getWorld():countPairs())
    box = nil -- luacheck: no unused
    assert.is_true(isEmpty(weak))
  end)

  it("lives as long as an iterator over it", function()
    for _, name in ipairs({ "pairs", "contacts", "boxes" }) do
      local world = broadside.newWorld()
      for i = 1, 10 do
        world:insert(i, 0, 5, 5)
      end
      local f, state, control = world[name](world)
      world = nil -- luacheck: no unused
      collectAll()
      local seen = 0
      while true do
        control = f(state, control)
        if control == nil then
          break
        end
        seen = seen + 1
        collectgarbage()
      end
      assert.is_true(seen >= 10)
    end
  end)

  it("keeps its Boxes and their data", function()
    local world = broadside.newWorld()
    for i = 1, 100 do
      world:insert(i, 0, 1, 1, { data = { number = i } })
    end
    collectAll()
    local i = 0
    for box in world:boxes() do
      i = i + 1
      assert.equal(i, box:getData().number)
    end
    assert.equal(100, i)
  end)

  it("does not keep its back end from being collected with it", function()
    local weak = setmetatable({}, { __mode = "v" })
    local function make()
      weak[1] = broadside.newTree()
      local world = broadside.newWorld({ backend = weak[1] })
      world:insert(0, 0, 1, 1)
      collectAll()
      assert.equal("tree", world:getBackend():getName())
    end
    make()
    assert.is_true(isEmpty(weak))
  end)
end)

describe("a back end", function()
  it("may outlive its world", function()
    local backend = broadside.newGrid({ cellSize = 5 })
    local function make()
      local world = broadside.newWorld({ backend = backend })
      for i = 1, 50 do
        world:insert(i, i, 9, 9)
      end
      world:countPairs()
    end
    make()
    collectAll()
    assert.equal("grid", backend:getName())
    backend:stats()
  end)
end)

describe("data", function()
  local weak, world

  before_each(function()
    weak = setmetatable({}, { __mode = "v" })
    world = broadside.newWorld()
  end)

  local function insert()
    weak[1] = {}
    return world:insert(0, 0, 1, 1, { data = weak[1] })
  end

  it("is kept by the world", function()
    local box = insert()
    collectAll()
    assert.is_table(weak[1])
    assert.equal(weak[1], box:getData())
  end)

  it("is held by the Box of a removed box, and let go with it", function()
    local function hold()
      local box = insert()
      box:remove()
      collectAll()
      assert.is_table(weak[1])
      assert.is_true(weak[1] == box:getData())
      weak[1].box = box -- so that they hold each other
    end
    hold()
    assert.is_true(isEmpty(weak))
  end)

  it("is let go at clear", function()
    insert()
    world:clear()
    assert.is_true(isEmpty(weak))
  end)

  it("is let go when other data is set", function()
    local box = insert()
    box:setData("other")
    assert.is_true(isEmpty(weak))
    assert.equal("other", box:getData())
  end)

  it("is let go in a world of ids too", function()
    world = broadside.newWorld({ results = "id" })
    local id = insert()
    collectAll()
    assert.is_table(weak[1])
    world:remove(id)
    assert.is_true(isEmpty(weak))
  end)
end)

describe("a removed Box", function()
  it("is let go by the world", function()
    local weak = setmetatable({}, { __mode = "v" })
    local world = broadside.newWorld()
    for i = 1, 10 do
      weak[i] = world:insert(i, 0, 1, 1)
    end
    collectAll()
    -- This runs in a coroutine, because old slots of this stack may hold the Box.
    coroutine.wrap(function()
      world:remove(weak[3])
    end)()
    collectAll()
    assert.is_nil(weak[3])
    world:clear()
    assert.is_true(isEmpty(weak))
  end)
end)

describe("collection in the middle of everything", function()
  it("harms nothing", function()
    for _, results in ipairs({ "box", "id", "data" }) do
      local world = broadside.newWorld({ results = results })
      for i = 1, 60 do
        world:insert(i * 7 % 50, i * 11 % 50, 9, 9, { data = { i } })
        if i % 5 == 0 then
          collectgarbage()
        end
      end
      for a, b in world:pairs() do
        assert(a and b)
        collectgarbage("step")
      end
      for _ = 1, 20 do
        local list = world:queryRect(0, 0, 30, 30, function(box)
          collectgarbage("step")
          return box
        end)
        assert(#list > 0)
        collectgarbage()
        collect.contacts(world)
      end
    end
  end)

  it("harms nothing with a collector that is always at work", function()
    local pause = collectgarbage("setpause", 100)
    local speed = collectgarbage("setstepmul", 1000)
    for _ = 1, 30 do
      local world = broadside.newWorld({ backend = broadside.newTree() })
      for i = 1, 50 do
        local box = world:insert(i, i, 3, 3, { data = { i } })
        if i % 3 == 0 then
          box:remove()
        end
      end
      assert(#collect.pairs(world) > 0)
    end
    collectgarbage("setpause", pause)
    collectgarbage("setstepmul", speed)
  end)
end)

-- Finalisers run wherever Lua collects garbage. A stack that grows also collects garbage.
describe("a finaliser in the middle of a call", function()
  local inside

  local function garbage(finalise)
    local function onlyInside()
      if inside then
        finalise()
      end
    end
    for _ = 1, 5 do
      finaliser(onlyInside)
    end
  end

  -- Calls f with the stack at different depths, while the collector runs all the time.
  local function atManyDepths(most, f)
    local function deeper(n, ...)
      if n == 0 then
        f()
      else
        deeper(n - 1, ...)
      end
      return n
    end
    local pause, speed = collectgarbage("setpause", 1), collectgarbage("setstepmul", 10000)
    for depth = 0, most do
      for width = 0, most do
        local co = coroutine.create(deeper)
        local ok, message = coroutine.resume(co, depth, compat.unpack({}, 1, width))
        if not ok then
          collectgarbage("setpause", pause)
          collectgarbage("setstepmul", speed)
          error(message)
        end
      end
    end
    collectgarbage("setpause", pause)
    collectgarbage("setstepmul", speed)
  end

  -- Makes tables grow without a step of the collector, so that it has work to do in the next call.
  local function owe(n)
    local pad = {}
    for i = 1, n or 3000 do
      pad[i] = i
    end
    return pad
  end

  it("does not mix its results into others'", function()
    local world = broadside.newWorld({ results = "id" })
    local ids = {}
    for i = 1, 10 do
      ids[i] = world:insert(i, 0, 1, 1)
    end
    atManyDepths(4, function()
      local out = {}
      garbage(function()
        world:queryRect(100, 100, 1, 1)
        world:insert(200, 200, 1, 1, { data = "other" })
      end)
      owe()
      inside = true
      world:queryRect(0, 0, 100, 100, nil, out)
      inside = false
      assert.same(ids, out)
      owe()
      inside = true
      local id = world:insert(300, 300, 1, 1, { data = "own" })
      inside = false
      assert.equal("own", world:getBox(id):getData())
    end)
  end)

  -- In LuaJIT also between two steps of a compiled loop.
  it("may move other boxes, and change nothing for those that are moved", function()
    local function play(disturb)
      local world, told, out, others = broadside.newWorld(), {}, {}, {}
      local mover = world:insert(0, 0, 2, 2)
      local far = world:insert(9000, 9000, 8, 8)
      for i = 0, 30 do
        world:insert(i * 7 % 31 * 4, i * 4, 3, 3, { static = true })
        world:insert(9020, 9000, 8, 20, { static = true })
      end
      for i = 1, 600 do
        if disturb and i % 3 == 0 then
          garbage(function()
            world:move(far, 9000, 9001)
            world:move(far, 9030, 9002, nil, others)
            world:segmentCast(0, 30, 70, 30)
            world:insert(20000, 0, 1, 1):remove()
          end)
          owe(300)
        end
        inside = true
        local x, y, hits, n = world:move(mover, i * 37 % 120, i * 53 % 120, nil,
          i % 2 == 0 and out or nil)
        inside = false
        told[i] = { x, y, n }
        for k = 1, n do
          told[i][k + 3] = hits[k].other:getId() + hits[k].t + hits[k].nx
        end
      end
      return told
    end
    assert.same(play(false), play(true))
  end)

  it("may clear a pool whose movers are about to be listed", function()
    local pool = broadside.newPool({ capacity = 10 })
    atManyDepths(4, function()
      for i = 1, 10 do
        pool:spawn(i, -i, 0, 0)
      end
      local out = {}
      garbage(function() pool:clear() end)
      owe()
      inside = true
      local _, n = pool:collect(out)
      inside = false
      assert.equal(2 * n, #out)
      for i = 1, n do
        assert.equal(i, out[2 * i - 1])
      end
      pool:clear()
    end)
  end)

  -- Calls f(garbage) so that a finaliser runs as soon as f has made its garbage and then allocates.
  -- The collectors of other versions than Lua 5.4 are slower: there the finaliser may run later, or
  -- not at all.
  local function atNextAllocation(f)
    local mode = _VERSION == "Lua 5.4" and collectgarbage("generational")
    for _ = 1, 20 do
      collectgarbage("stop")
      f(function(finalise)
        garbage(finalise)
        owe()
        inside = true
        collectgarbage("restart")
      end)
      inside = false
    end
    collectgarbage("restart")
    if mode == "incremental" then
      collectgarbage("incremental")
    end
  end

  local function accept()
    return true
  end

  it("may move boxes while the outlines of others are listed", function()
    atNextAllocation(function(makeGarbage)
      local world, expected, boxes, places = broadside.newWorld(), {}, {}, {}
      for i = 1, 200 do
        boxes[i] = world:insertCircle(i, 2 * i, 0.5)
        expected[#expected + 1], expected[#expected + 2] = "circle", i
        expected[#expected + 1], expected[#expected + 2] = 2 * i, 0.5
        places[2 * i - 1], places[2 * i] = 1000, 1000
      end
      local out = {}
      makeGarbage(function()
        world:updateMany(boxes, places)
      end)
      world:debugShapes(out)
      inside = false
      assert.same(expected, out)
    end)
  end)

  it("may remove the box that is being removed", function()
    atNextAllocation(function(makeGarbage)
      local world = broadside.newWorld()
      local box = world:insert(0, 0, 10, 10, { data = "data" })
      makeGarbage(function()
        if not box:isRemoved() then
          world:remove(box)
        end
      end)
      world:remove(box)
      inside = false
      assert.equal(0, world:count())
      assert.equal("data", box:getData())
    end)
  end)

  -- The new box has the index of the old one, but must not be mistaken for it. Calls that make no
  -- table collect no garbage before they call their filter function.
  it("may replace the box that a call is about", function()
    local queries = {
      queryBox = {}, ["queryBox "] = { accept }, move = { 100, 0 }, ["move "] = { 100, 0, accept },
      check = { 100, 0 }, push = { 100, 0 }, ["push "] = { 100, 0, accept },
    }
    for name, args in pairs(queries) do
      local refused = 0
      atNextAllocation(function(makeGarbage)
        local world = broadside.newWorld({ results = "id" })
        local box = world:insert(0, 0, 10, 10)
        local method, old = world[name:match("%a+")], box
        makeGarbage(function()
          if pcall(world.remove, world, old) then
            old = world:insert(5, 0, 10, 10)
          end
        end)
        local ok, message = pcall(method, world, box, compat.unpack(args))
        if not ok then
          assert.matches("box was removed", message)
          refused = refused + 1
        end
      end)
      assert.is_true(refused > 0 or _VERSION ~= "Lua 5.4", name)
    end
  end)
end)

-- Finalisers run in the reverse order of creation. In Lua 5.4 they collect no garbage.
describe("a finaliser that collects garbage in a filter function", function()
  -- The world and the pool are made before or after the finaliser.
  local function drop(row, place, results, isYounger, asked)
    local call, list
    local function use()
      pcall(call, compat.unpack(list, 1, list.n))
    end
    local first = not isYounger and finaliser(use)
    local f = fixture.new(2, results, "tree", 14)
    local args = calls.arguments(row, f)
    args[place], args.n = function()
      asked.n = asked.n + 1
      collectgarbage()
      collectgarbage()
      return "slide"
    end, math.max(args.n, place)
    call, list = calls.prepare(row, f, args)
    return first or finaliser(use)
  end

  for _, row in ipairs(calls.rowsOf(2)) do
    for place, word in ipairs(calls.parameters(row, 2)) do
      if word == "filter?" or word == "rules?" or word == "function" then
        it("leaves the World and Pool of " .. row.name .. " whole", function()
          for _, results in ipairs({ "box", "id" }) do
            local asked = { n = 0 }
            for i = 1, 4 do
              drop(row, place, results, i % 2 == 0, asked)
              collectAll()
            end
            collectAll()
            assert.is_true(asked.n > 0)
          end
        end)
      end
    end
  end
end)

describe("closing the state", function()
  -- Objects of every kind, referred to by globals.
  local MAKE = [[
    local broadside = require("broadside")
    keep = {}
    for dim = 2, 3 do
      for _, results in ipairs({ "box", "id", "data" }) do
        for _, backend in ipairs({ "brute", "sweep", "grid", "tree", "auto" }) do
          local world = broadside.newWorld({ dim = dim, results = results, backend = backend })
          for i = 1, 40 do
            local data = { world = world }
            if dim == 2 then
              data.box = world:insert(i, i, 5, 5, { data = data, response = "cross" })
            else
              data.box = world:insert(i, i, i, 5, 5, 5, { data = data, response = "cross" })
            end
            keep[#keep + 1] = data
          end
          world:countPairs()
          keep[#keep + 1] = { world:pairs() }
          keep[#keep + 1] = { world:boxes() }
          keep[#keep + 1] = { world:contacts() }
          world:step(0)
          keep[#keep + 1] = { world:hits() }
          keep[#keep + 1] = world:getBackend()
          keep[#keep + 1] = broadside.newTree()
          keep[#keep + 1] = world
        end
      end
    end
  ]]

  -- Ways to end a script: pieces of code, with the expected exit code.
  local ENDS = {
    ["at the end of the script"] = { "", 0 },
    ["by os.exit with closing"] = { "os.exit(0, true)", 0 },
    ["by os.exit without closing"] = { "os.exit(0)", 0 },
    ["by an error"] = { "error('the end')", 1 },
    ["in a coroutine that is halfway through its pairs"] = { [[
      local world = broadside.newWorld()
      world:insert(0, 0, 5, 5)
      world:insert(1, 0, 5, 5)
      keep.co = coroutine.wrap(function()
        for a, b in world:pairs() do coroutine.yield(a) end
      end)
      keep.co()
      os.exit(0, true)
    ]], 0 },
    ["after half of it has been dropped"] = { [[
      for i = 1, #keep, 2 do keep[i] = false end
      collectgarbage()
      os.exit(0, true)
    ]], 0 },
    ["with finalizers that use what is being closed"] = { [[
      local world = broadside.newWorld()
      local box = world:insert(0, 0, 5, 5)
      local backend = world:getBackend()
      local function use()
        pcall(function() world:insert(0, 0, 1, 1) end)
        pcall(function() world:queryRect(0, 0, 9, 9) end)
        pcall(function() for a, b in world:pairs() do end end)
        pcall(function() box:getRect() end)
        pcall(function() box:remove() end)
        pcall(function() backend:stats() end)
        pcall(function() world:setBackend("tree") end)
        pcall(function() world:move(box, 5, 5, function() return "slide" end) end)
        pcall(function() world:push(box, 5, 5) end)
        pcall(function() world:step(1) for a in world:hits() do end end)
        pcall(function() broadside.newWorld():insert(0, 0, 1, 1) end)
      end
      keep.early = finaliser(use)
      keep.world = world
    ]], 0 },
    ["with finalizers that use loops that have ended or were refused"] = { "", 0, [[
      local function use()
        for _, thing in ipairs(loops) do
          pcall(function() thing.f(thing.s) end)
          pcall(function() for _ in thing.pool:hits(thing.world) do end end)
          pcall(function() thing.pool:hits(thing.world, "x") end)
          pcall(function() thing.pool:hits(thing.world, error) end)
          pcall(function() thing.world:eachPair(error) end)
          pcall(function() thing.f(thing.s) end)
        end
      end
      oldest = finaliser(use)
      local broadside = require("broadside")
      loops = {}
      for i = 1, 20 do
        local pool, world = broadside.newPool({ capacity = 1 }), broadside.newWorld()
        world:insert(0, 0, 5, 5)
        world:insert(1, 0, 5, 5)
        pool:spawn(-5, 1, 9, 0)
        pool:step(1)
        local f, s = pool:hits(world)
        while f(s) do end
        loops[i] = { f = f, s = s, pool = pool, world = i % 2 == 0 and world or nil }
      end
    ]] },
    ["with finalizers older than the module"] = { "", 0, [[
      oldest = finaliser(function()
        for i = #keep - 20, #keep do
          local thing = keep[i]
          pcall(function() thing:insert(0, 0, 1, 1) end)
          pcall(function() thing:queryRect(0, 0, 9, 9) end)
          pcall(function() thing:countPairs() end)
          pcall(function() thing:step(1) end)
          pcall(function() thing:move(thing:boxes()(), 5, 5) end)
          pcall(function() thing:getRect() end)
          pcall(function() thing:stats() end)
          pcall(function() thing.box:getRect() end)
          pcall(function() thing.box:remove() end)
          pcall(function() thing[1](thing[2]) end)
        end
      end)
    ]] },
  }

  -- Calls that end the process from within.
  for _, call in ipairs({ "world:queryRect(0, 0, 9, 9, exit)", "world:move(box, 9, 0, exit)",
    "world:moveMany({ box, box }, { 1, 0, 9, 0 }, exit)", "world:push(box, 9, 0, exit)",
    "for _ in world:hits() do exit() end", "for _ in world:pairs() do exit() end",
    "world:eachPair(exit)" }) do
    ENDS["in " .. call] = { [[
      local world = broadside.newWorld()
      local box = world:insert(0, 0, 5, 5, { response = "cross" })
      world:insert(1, 0, 5, 5)
      world:step(0)
      local function exit() os.exit(0, true) end
    ]] .. call, 0 }
  end

  for name, ending in pairs(ENDS) do
    it("is safe " .. name, function()
      if not child.available then
        pending("no shell to run a process from")
        return
      end
      local code, output = child.run(FINALISER .. (ending[3] or "") .. MAKE .. ending[1])
      assert.equal(ending[2], code, output)
    end)
  end

  it("is safe after finalizers have been called by hand", function()
    if not child.available then
      pending("no shell to run a process from")
      return
    end
    local code, output = child.run(MAKE .. [[
      for i = #keep, 1, -1 do
        local thing = keep[i]
        local meta = getmetatable(thing)
        if type(meta) == "table" and type(thing) == "userdata" then
          for _, name in ipairs({ "__gc", "__gc", "__close", "__len", "__tostring" }) do
            if meta[name] then
              pcall(meta[name], thing)
              pcall(meta[name], io.stdout)
              pcall(meta[name], {})
              pcall(meta[name])
            end
          end
          pcall(function() thing:count() end)
          pcall(function() thing:insert(0, 0, 1, 1) end)
          pcall(function() thing:queryRect(0, 0, 9, 9) end)
          pcall(function() for a in thing:pairs() do end end)
          pcall(function() thing:getRect() end)
          pcall(function() thing:stats() end)
          pcall(tostring, thing)
        end
      end
      collectgarbage()
      os.exit(0, true)
    ]])
    assert.equal(0, code, output)
  end)
end)

describe("running out of memory", function()
  it("is a Lua error, after which the world works on", function()
    if not child.available or child.sanitized then
      pending("memory cannot be limited here")
      return
    end
    local code, output = child.run([[
      if jit then jit.off() end -- LuaJIT's compiler itself does not survive this
      local broadside = require("broadside")
      local world = broadside.newWorld({ results = "id" })
      local flat = {}
      for i = 1, 4 * 2000 do flat[i] = 1 + i % 4 end
      local first = world:insert(0, 0, 1, 1)
      local ids = world:insertMany(flat)
      local message
      for i = 1, 1e6 do
        local ok, problem = pcall(world.insertMany, world, flat)
        if not ok then
          message = problem
          break
        end
      end
      assert(tostring(message):find("not enough memory", 1, true), message)
      local count = world:count()
      assert(count % 2000 == 1, "all or none of a batch")
      assert(world:has(first))
      for i = 1, 1000 do world:remove(ids[i]) end
      assert(world:count() == count - 1000)
      flat = nil
      collectgarbage()
      world:clear()
      local a, b = world:insert(0, 0, 2, 2), world:insert(1, 0, 2, 2)
      assert(world:countPairs() == 1)
      assert(world:queryRect(0, 0, 9, 9)[2] == b)
      assert(not world:has(first))
      print("worked on")
      os.exit(0, true)
    ]], 80000)
    assert.equal(0, code, output)
    assert.is_truthy(output:find("worked on", 1, true))
  end)
end)
