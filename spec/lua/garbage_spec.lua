-- Frames must make no garbage, and the collector must know of the library's memory.

local broadside = require("broadside")
local child = require("spec.support.child")
local compat = require("spec.support.compat")
local garbageOf = require("spec.support.garbage")
local scene = require("spec.support.scene")

local COUNTED = compat.rounds(100)

-- A world of ids with 200 boxes, and tables that are reused for all of its answers.
local function newScene()
  local world = broadside.newWorld({ results = "id" })
  local flat, places = {}, {}
  for i = 1, 200 do
    local x, y, size = i * 8 % 60, i * 9 % 60, 5 + i % 4
    for k, value in ipairs({ x, y, size, size }) do
      flat[4 * i - 4 + k] = value
    end
    places[2 * i - 1], places[2 * i] = x, y
  end
  return world, world:insertMany(flat, { vx = 1, vy = -1 }), places
end

local FRAMES = {
  ["updateMany, step and collectPairs"] = function(world, ids, places, out)
    return function()
      world:updateMany(ids, places)
      world:step(0.25)
      world:collectPairs(out)
      world:countPairs()
    end
  end,
  ["updateMany, step and contacts"] = function(world, ids, places, out)
    local odd = false
    return function()
      odd = not odd
      world:updateMany(ids, places)
      world:step(odd and 0.25 or 2)
      world:collectContacts("changes", out)
      for _ in world:contacts("changes") do -- luacheck: ignore
      end
      for _ in world:contacts() do -- luacheck: ignore
      end
      world:collectContacts(nil, out)
    end
  end,
  ["step, and what listeners are told"] = function(world, ids, places, out)
    local one, other = world:newContacts(), world:newContacts({ mask = 2 })
    local odd, box = false, world:getBox(ids[5])
    world:getBox(ids[3]):setFilter(2, 3)
    return function()
      odd = not odd
      world:updateMany(ids, places)
      world:step(odd and 0.25 or 2)
      one:collect("changes", out)
      for _ in one:each() do -- luacheck: ignore
      end
      for _ in other:each("changes") do -- luacheck: ignore
      end
      for _ in box:contacts() do -- luacheck: ignore
      end
      for _ in box:contacts("changes", 2) do -- luacheck: ignore
      end
    end
  end,
  ["update and queries"] = function(world, ids, _, out)
    local x, distances = 0, {}
    return function()
      for i = 1, #ids do
        x = (x + 1) % 60
        world:update(ids[i], x, x)
        world:queryBox(ids[i], nil, out)
      end
      world:queryRect(x, 0, 20, 20, nil, out)
      world:queryRect(x, 0, 20, 20, 1, out)
      world:queryPoint(x, 30, nil, out)
      world:queryCircle(x, 30, 10, nil, out, distances)
      world:nearest(x, 30, 5, nil, nil, out, distances)
      world:querySegment(0, x, 60, 30, nil, out)
      world:querySweep(ids[1], 60, 30, nil, out)
    end
  end,
  ["insert and remove"] = function(world)
    return function()
      for i = 1, 20 do
        world:remove(world:insert(i, i, 5, 5))
      end
    end
  end,
}

-- Each kind of filter for movement.
local function moveFilters(world, ids)
  return { [1] = 1, [2] = { slide = 1, cross = -1 }, [3] = { bounce = 2, push = -1 },
    [4] = function(id, other)
      return id ~= other and (other % 3 == 0 and "slide" or other % 3 == 1 and "cross" or nil)
    end, [5] = world:getBox(ids[1]) }
end

-- The boxes go back to their places, because otherwise they would be pushed farther and farther.
FRAMES["all that moves boxes, with each kind of filter"] = function(world, ids, places, out)
  local filters, turn, some, goals, many = moveFilters(world, ids), 0, {}, {}, {}
  world:setGravity(0, 1)
  return function()
    turn = (turn + 1) % 25 -- every turn comes once before garbage is counted
    local filter, x = filters[turn % 6], turn * 7 % 60
    for i = 1, 20 do
      some[i], goals[2 * i - 1], goals[2 * i] = ids[8 * turn % 160 + i], i, x
      world:move(some[i], x, 3 * i, filter, out)
      world:moveBy(some[i], i % 3 - 1, 1, filter, out)
      world:check(some[i], 0, x, filter, out)
      world:touching(some[i], 0, 1, filter)
      world:canFit(some[i], x, i, nil, nil, filter)
    end
    world:push(ids[8 * turn + 1], 2 * turn, x, filter, out)
    world:moveMany(some, goals, filter, many)
    world:pushMany(some, turn % 7, -turn % 5, filter, out)
    world:updateMany(ids, places)
  end
end

FRAMES["shapes: reading, changing, asking and moving"] = function(world, ids, places, out)
  local boxes, corners, list, x = {}, { 0, 0, 9, 2, 3, 8 }, {}, 0
  for i = 1, 60 do
    boxes[i] = world:getBox(ids[i])
    boxes[i]:setShape(i % 2 == 0 and "circle" or "polygon", i % 2 == 0 and 4 or corners)
  end
  return function()
    x = (x + 7) % 60
    for i = 1, 20 do
      boxes[i]:getShape(list)
      boxes[i]:setTransform(x, i, x)
      world:move(ids[i], x, 30, -1, out)
      world:queryBox(ids[i], nil, out)
      world:queryPolygon(corners, nil, out)
      world:sweep(ids[i], x, 5)
      world:resolve(ids[i])
      world:touching(ids[i], 0, 1)
      boxes[i]:setShape("circle", 3)
      boxes[i]:setShape("polygon", corners)
    end
    world:debugShapes(list)
    world:segmentCast(0, x, 60, 30)
    world:remove(world:insertCircle(x, x, 5))
    world:remove(world:insertPolygon(corners))
    world:updateMany(ids, places)
    world:countPairs()
  end
end

-- Boxes and data come and go, and are restored without new memory.
FRAMES["snapshots that are used again"] = function(world, ids, places)
  local near, far = world:snapshot(), world:snapshot()
  for i = 1, 9 do
    world:getBox(ids[i]):setData("before")
  end
  return function()
    world:snapshot(far)
    world:getBox(ids[1]):setData("first")
    world:snapshot(near)
    world:updateMany(ids, places)
    world:remove(ids[2])
    world:remove(world:insert(1, 2, 3, 4))
    world:insert(1, 2, 3, 4)
    world:step(1)
    world:restore(near)
    world:restore(far)
    world:countPairs()
  end
end

FRAMES["a step with responses, and its hits"] = function(world, ids, places)
  for i, response in ipairs({ "slide", "touch", "bounce", "cross" }) do
    for k = i, 200, 5 do
      local box = world:getBox(ids[k])
      box:setResponse(response)
      box:setBounce(0.5)
      box:setOneWay(k % 7 == 0 and 1 or nil, 0)
      box:setSensor(k % 11 == 0)
      box:setGravityScale(k % 3)
    end
  end
  local count = 0
  return function()
    world:step(0.25)
    for box, other, response in world:hits() do
      count = count + (box ~= other and response and 1 or 0)
    end
    world:updateMany(ids, places)
  end
end

describe("a steady frame in a world of ids makes no garbage:", function()
  for name, newFrame in pairs(FRAMES) do
    it(name, function()
      local world, ids, places = newScene()
      local bytes = garbageOf(newFrame(world, ids, places, {}), COUNTED)
      assert.is_true(bytes <= 0, bytes .. " bytes too many")
    end)
  end
end)

describe("a steady frame with Boxes makes no garbage", function()
  it("once they have been made", function()
    local world = broadside.newWorld()
    local boxes, out = {}, {}
    for i = 1, 200 do
      boxes[i] = world:insert(i * 7 % 60, i * 11 % 60, 8, 8, { vx = 0.5 })
    end
    local bytes = garbageOf(function()
      for i = 1, #boxes do
        local box = boxes[i]
        local x, y = box:getRect()
        box:setRect(59 - x, y)
        box:setVelocity(box:getVelocity())
        world:queryBox(box, nil, out)
      end
      world:collectPairs(out)
      world:segmentCast(0, 0, 60, 60)
    end, COUNTED)
    assert.is_true(bytes <= 0, bytes .. " bytes too many")
  end)

  it("when they move, with lists in turn that have metatables of the game's", function()
    local world, lists = broadside.newWorld({ results = "id" }), {}
    local mover = world:insert(0, 0, 4, 4)
    for i = 1, 3 do
      world:insert(10 * i, 0, 4, 4)
      lists[i] = setmetatable({}, { name = i })
    end
    local turn = 0
    local bytes = garbageOf(function()
      turn = turn % 3 + 1
      world:check(mover, 40, 0, -1, lists[turn])
      world:check(mover, 40, 0, -1, lists[turn])
    end, COUNTED)
    assert.is_true(bytes <= 0, bytes .. " bytes too many")
    local kept = setmetatable({ lists[1], lists[2], lists[3] }, { __mode = "v" })
    lists = nil
    collectgarbage()
    collectgarbage()
    assert.is_nil(kept[1] or kept[2] or kept[3]) -- the world does not keep them
    assert.equal(4, world:count())
  end)

  it("when they move, with data or without", function()
    for _, results in ipairs({ "box", "data" }) do
      local world = broadside.newWorld({ results = results, gravity = { 0, 1 } })
      local boxes, out, pushed, masks, turn = {}, {}, {}, { slide = 1, cross = 2 }, 0
      for i = 1, 100 do
        boxes[i] = world:insert(i * 7 % 60, i * 11 % 60, 8, 8, { layer = i % 2 + 1,
          data = i % 3 == 0 and {} or nil, response = i % 2 == 0 and "slide" or nil })
      end
      local function filter(_, other)
        return other and turn % 2 == 0 and "slide" or "cross"
      end
      local bytes = garbageOf(function()
        turn = (turn + 1) % 50
        local box = boxes[2 * turn + 1]
        world:move(box, turn * 7 % 60, turn * 11 % 60, filter, out)
        world:check(box, 0, 0, masks, out)
        world:push(boxes[1], turn % 30, 0, nil, pushed)
        world:touching(box, 0, 1)
        world:step(0.01)
        for mover, other, response in world:hits() do
          turn = turn + (mover == other and response and 1 or 0)
        end
        for i = 1, 100 do
          world:update(boxes[i], i * 7 % 60, i * 11 % 60)
          boxes[i]:setVelocity(100, 0)
        end
      end, COUNTED)
      assert.is_true(bytes <= 0, bytes .. " bytes too many")
    end
  end)
end)

describe("a steady frame of shots that pierce makes no garbage", function()
  for dim = 2, 3 do
    it(("in %dD"):format(dim), function()
      local world = broadside.newWorld({ dim = dim })
      local pool = broadside.newPool({ dim = dim, capacity = 50 })
      for i = 1, 10 do
        world:insert(compat.unpack(dim == 2 and { 9 * i, 0, 3, 99 } or { 9 * i, 0, 0, 3, 99, 99 }))
      end
      local hits
      local function accept(box)
        return box ~= nil
      end
      local bytes = garbageOf(function()
        hits = 0
        pool:clear()
        for i = 1, 50 do
          if dim == 2 then
            pool:spawn(0, i, 200, 0)
          else
            pool:spawn(0, i, 1, 200, 0, 0)
          end
        end
        pool:step(1)
        for _ in pool:hits(world, nil, true) do
          hits = hits + 1
        end
        for _ in pool:hits(world, accept, true) do
          hits = hits + 1
        end
      end, COUNTED)
      assert.equal(1000, hits)
      assert.is_true(bytes <= 0, bytes .. " bytes too many")
    end)
  end
end)

describe("a steady frame that goes back makes no garbage", function()
  for dim = 2, 3 do
    it(("with a pool in %dD"):format(dim), function()
      local pool = broadside.newPool({ dim = dim, capacity = 200 })
      local shot = broadside.newModel({ dim = dim, speed = 1, life = 20 })
      local carrier = broadside.newModel({ dim = dim, life = 30, emitters = { { model = shot } } })
      pool:newEmitter({ cycle = 10, nway = 3, model = carrier, speed = 1 })
      local snapshots = {}
      local bytes = garbageOf(function()
        for i = 1, 4 do
          snapshots[i] = pool:snapshot(snapshots[i])
          pool:step(1)
        end
        pool:restore(snapshots[1])
        for i = 1, 4 do
          pool:step(1)
          snapshots[i] = pool:snapshot(snapshots[i])
        end
      end, COUNTED)
      assert.is_true(pool:count() > 20)
      assert.is_true(bytes <= 0, bytes .. " bytes in 200 frames")
    end)
  end
end)

-- The resident memory of this process in kilobytes, or nil if the system does not say.
local function resident()
  local file = io.open("/proc/self/status")
  if not file then
    return nil
  end
  local text = file:read("*a")
  file:close()
  return tonumber(text:match("VmRSS:%s*(%d+)"))
end

local function canMeasure()
  return resident() and not child.sanitized
end

describe("memory held in C", function()
  it("is reported to the collector: worlds dropped in a loop do not pile up", function()
    if not canMeasure() then
      pending("resident memory is not known here")
      return
    end
    local flat, out = {}, {}
    for i = 1, 4 * 20000, 4 do
      flat[i], flat[i + 1], flat[i + 2], flat[i + 3] = i % 9973, i % 7919, 5, 5
    end
    collectgarbage()
    local before, most = resident(), 0
    for i = 1, compat.rounds(150) do
      local world = broadside.newWorld({ results = "id", backend = i % 2 == 0 and "tree" or nil })
      world:insertMany(flat, nil, out)
      world:queryRect(0, 0, 10, 10)
      most = math.max(most, resident() - before)
    end
    -- If they were never freed, they would take more than 400,000 kB.
    assert.is_true(most < 200000, most .. " kB more than before")
  end)

  local function sparse(count)
    local flat = {}
    for i = 0, count - 1 do
      flat[4 * i + 1], flat[4 * i + 2] = i % 200 * 10, (i - i % 200) / 20
      flat[4 * i + 3], flat[4 * i + 4] = 5, 5
    end
    return flat
  end

  it("is used again after a world was cleared", function()
    for _, backend in ipairs(scene.backends) do
      local world = broadside.newWorld({ results = "id", backend = backend })
      local flat = sparse(5000)
      world:insertMany(flat)
      world:clear()
      local before = world:stats().memory
      world:insertMany(flat)
      world:clear()
      local after = world:stats().memory
      assert.is_true(after < before * 1.1, ("%s: %d bytes, then %d"):format(backend, before, after))
    end
  end)

  it("is little for the pairs of a world that has few", function()
    for _, backend in ipairs({ "sweep", "grid", "tree", "auto" }) do
      local world = broadside.newWorld({ results = "id", backend = backend })
      world:insertMany(sparse(50000))
      world:queryRect(0, 0, 1, 1)
      local before = world:stats().memory
      assert.equal(0, world:countPairs())
      local more = world:stats().memory - before
      assert.is_true(more < 10 * 50000, ("%s: %d bytes more"):format(backend, more))
    end
  end)

  it("is reported when the collector runs again, if it was stopped", function()
    if _VERSION ~= "Lua 5.4" and not compat.isLuaJIT then
      pending("other collectors take their time")
      return
    end
    local flat = {}
    for i = 1, 4 * 100000 do
      flat[i] = i
    end
    for name, make in pairs({
      pool = function()
        local pool = broadside.newPool({ capacity = 300000 })
        return function() pool:newEmitter() end
      end,
      world = function()
        local world = broadside.newWorld({ results = "id" })
        world:insertMany(flat)
        return function() world:insert(0, 0, 1, 1) end
      end,
    }) do
      local dropped = setmetatable({}, { __mode = "v" })
      collectgarbage()
      collectgarbage("stop")
      local tell = make()
      dropped[1] = {}
      collectgarbage("restart")
      tell()
      assert.is_nil(dropped[1], name)
    end
  end)

  -- After some casts the world makes a grid for them. No call here makes garbage.
  it("is reported where casts take it", function()
    if not compat.isLuaJIT then
      pending("other collectors take their time")
      return
    end
    local world = broadside.newWorld({ results = "id" })
    world:insertMany(sparse(10000))
    local seen, held = setmetatable({}, { __mode = "v" }), world:stats().memory
    collectgarbage()
    seen[1] = {}
    for i = 1, 30000 do
      world:segmentCast(0, i % 1000 + 0.5, 5, i % 1000)
    end
    assert.is_true(world:stats().memory > held + 100000)
    assert.is_nil(seen[1])
  end)

  it("does not grow over many frames", function()
    if not canMeasure() then
      pending("resident memory is not known here")
      return
    end
    local world, ids, places = newScene()
    local out = {}
    local function frames(count)
      for i = 1, count do
        world:updateMany(ids, places)
        world:collectPairs(out)
        world:remove(ids[i % #ids + 1])
        ids[i % #ids + 1] = world:insert(i % 50, i % 40, 5, 5)
        world:contacts()
        if i % 250 == 0 then
          world:setBackend(i % 500 == 0 and "tree" or "grid")
        end
      end
    end
    frames(3000) -- until the allocator has all its blocks
    collectgarbage()
    local before = resident()
    frames(compat.rounds(4000))
    collectgarbage()
    assert.is_true(resident() - before < 8000, resident() - before .. " kB more than before")
  end)

  it("is given back when errors interrupt calls", function()
    if not canMeasure() then
      pending("resident memory is not known here")
      return
    end
    local world = broadside.newWorld({ results = "id" })
    local flat = {}
    for i = 1, 4 * 5000 do
      flat[i] = 1 + i % 4
    end
    flat[#flat] = 0
    local function fail(count)
      for _ = 1, count do
        assert(not pcall(world.insertMany, world, flat))
        assert(not pcall(broadside.newWorld, { backend = "none" }))
        assert(not pcall(world.queryRect, world, 0, 0, 1, compat.nan))
      end
    end
    fail(100)
    collectgarbage()
    local before = resident()
    fail(compat.rounds(500))
    collectgarbage()
    assert.is_true(resident() - before < 8000, resident() - before .. " kB more than before")
    assert.equal(0, world:count())
  end)
end)
