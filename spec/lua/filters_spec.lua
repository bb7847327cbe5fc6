-- Filters: layers and masks for pairs, and a mask, a Box or a function in every call that takes a
-- filter.

local broadside = require("broadside")
local collect = require("spec.support.collect")
local compat = require("spec.support.compat")
local random = require("spec.support.random")
local scene = require("spec.support.scene")

-- Every call with a filter, as a function of a scene, a box to call it for, and the filter. It
-- returns the list of the boxes found.
local CALLS = {
  queryRect = function(s, _, filter) return s:queryRect({ -50, -50, 300, 100 }, filter) end,
  queryPoint = function(s, _, filter) return s:queryPoint({ 15, 5 }, filter) end,
  queryCircle = function(s, _, filter) return s:queryCircle({ 15, 5 }, 200, filter) end,
  queryBox = function(s, box, filter) return s:queryBox(box, filter) end,
  querySegment = function(s, _, filter) return s:querySegment({ 5, 5 }, { 200, 5 }, filter) end,
  nearest = function(s, _, filter) return s:nearest({ 15, 5 }, 99, filter) end,
  segmentCast = function(s, _, filter) return { (s:segmentCast({ 5, 5 }, { 200, 5 }, filter)) } end,
  sweep = function(s, box, filter) return { (s:sweep(box, { 200, 0 }, filter)) } end,
  sweepRect = function(s, _, filter)
    return { (s:sweepRect({ 0, 0, 1, 1 }, { 200, 0 }, filter)) }
  end,
}

-- Three boxes in one place, on layers 1, 2 and 4, and a box that overlaps them.
local function stack(s)
  local boxes = {}
  for i = 1, 3 do
    boxes[i] = s:insert({ 10, 0, 10, 10 }, { layer = 2 ^ (i - 1) })
  end
  return boxes, s:insert({ 0, 0, 11, 10 }, { layer = 8 })
end

local FIRST_ONLY = { segmentCast = true, sweep = true, sweepRect = true }

local function assertFound(name, expected, got)
  assert.equal(FIRST_ONLY[name] and math.min(1, #expected) or #expected, #got, name)
  for i = 1, #got do
    assert.is_true(rawequal(expected[i], got[i]), name .. ", box " .. i)
  end
end

-- The world remembers which layers and masks its dynamic boxes have had, and does not search for
-- pairs if none is possible. Here none is possible until two boxes in one place change. The other
-- boxes, far away, decide whether all pairs are then found anew, or only those of changed boxes.
describe("a pair that could not be before", function()
  local function worldOf(backend, others, opts)
    local world = broadside.newWorld({ backend = backend })
    for i = 1, others do
      world:insert(100 * i, 0, 2, 2, { mask = 0 })
    end
    local a, b = world:insert(0, 0, 2, 2, opts), world:insert(1, 0, 2, 2, opts)
    assert.equal(0, world:countPairs())
    return world, a, b
  end

  local function each(check)
    for _, backend in ipairs(scene.backends) do
      for _, others in ipairs({ 0, 100 }) do
        check(backend, others)
      end
    end
  end

  it("is one after setFilter", function()
    each(function(backend, others)
      local world, a, b = worldOf(backend, others, { mask = 0 })
      a:setFilter(2, 4)
      assert.equal(0, world:countPairs(), backend)
      b:setFilter(4, 2)
      assert.equal(1, world:countPairs(), backend)
    end)
  end)

  it("is one after setStatic", function()
    each(function(backend, others)
      local world, a, b = worldOf(backend, others, { static = true, layer = 2, mask = 2 })
      a:setStatic(false)
      assert.equal(1, world:countPairs(), backend)
      b:setStatic(false)
      assert.equal(1, world:countPairs(), backend)
      a:setStatic(true)
      b:setStatic(true)
      assert.equal(0, world:countPairs(), backend)
      assert.equal(0, world:countPairs(), backend)
    end)
  end)

  it("is one after both become dynamic at once", function()
    each(function(backend, others)
      local world, a, b = worldOf(backend, others, { static = true, layer = 2, mask = 2 })
      a:setStatic(false)
      b:setStatic(false)
      assert.equal(1, world:countPairs(), backend)
    end)
  end)

  it("is one after a box is inserted that could meet", function()
    each(function(backend, others)
      local world = worldOf(backend, others, { mask = 0, layer = 2 })
      world:insert(0, 0, 3, 3, { layer = 2, mask = 2 })
      assert.equal(0, world:countPairs(), backend)
      world:insert(0, 0, 3, 3, { layer = 2, mask = 2 })
      assert.equal(1, world:countPairs(), backend)
    end)
  end)
end)

describe("a pair", function()
  local world, a, b

  before_each(function()
    world = broadside.newWorld()
    a, b = world:insert(0, 0, 2, 2), world:insert(1, 0, 2, 2)
  end)

  it("needs each mask to meet the other's layer", function()
    for _, case in ipairs({
      { 1, 1, 1, 1, 1 }, { 1, 2, 2, 1, 1 }, { 1, 2, 1, 2, 0 }, { 1, 1, 2, 1, 0 }, { 1, 3, 2, 1, 1 },
      { 0, -1, 1, -1, 0 }, { 1, 0, 1, -1, 0 }, { 6, 12, 4, 2, 1 }, { 6, 8, 4, 2, 0 },
      { 2147483648, 2147483648, 2147483648, 2147483648, 1 }, { -2147483648, -1, 1, 2147483648, 1 },
      { -1, -1, -1, -1, 1 },
    }) do
      a:setFilter(case[1], case[2])
      b:setFilter(case[3], case[4])
      assert.equal(case[5], world:countPairs(), table.concat(case, " "))
    end
  end)

  it("needs a box that is not static", function()
    a:setStatic(true)
    assert.equal(1, world:countPairs())
    b:setStatic(true)
    assert.equal(0, world:countPairs())
  end)

  it("follows its boxes' filters at once", function()
    assert.equal(1, world:countPairs())
    a:setFilter(1, 0)
    assert.equal(0, world:countPairs())
    a:setFilter(1, 1)
    assert.equal(1, world:countPairs())
  end)

  it("is found, too, when a few boxes change among many that do not meet each other", function()
    local bullets = {}
    for i = 1, 100 do
      bullets[i] = world:insert(10, 0, 2, 2, { layer = 2, mask = 4 })
    end
    assert.equal(1, world:countPairs())
    local wall = world:insert(10, 0, 2, 2, { layer = 4, mask = 2, static = true })
    assert.equal(101, world:countPairs())
    bullets[1]:setRect(20, 0)
    assert.equal(100, world:countPairs())
    wall:setFilter(4, 0)
    assert.equal(1, world:countPairs())
    bullets[2]:setFilter(4, 2)
    assert.equal(99, world:countPairs())
    bullets[2]:setFilter(4, 4)
    assert.equal(1, world:countPairs())
  end)
end)

describe("a query without a filter", function()
  it("finds every box, whatever its layer and mask", function()
    scene.eachBackend(function(s)
      local box = s:insert({ 10, 0, 10, 10 }, { layer = 0, mask = 0, static = true })
      local mover = s:insert({ 0, 0, 11, 10 }, { layer = 0, mask = 0, static = true })
      for name, call in pairs(CALLS) do
        local found = {}
        for _, each in ipairs(call(s, mover, nil)) do
          found[each] = true
        end
        assert.is_true(found[box] or found[mover] and FIRST_ONLY[name], name)
      end
    end)
  end)
end)

for name, call in pairs(CALLS) do
  describe("the filter of " .. name, function()
    it("may be a mask", function()
      scene.eachBackend(function(s)
        local boxes, mover = stack(s)
        assertFound(name, boxes, call(s, mover, 7))
        assertFound(name, { boxes[2] }, call(s, mover, 2))
        assertFound(name, { boxes[1], boxes[3] }, call(s, mover, 5))
        assertFound(name, { boxes[2], boxes[3] }, call(s, mover, 6.0))
        assertFound(name, boxes, call(s, mover, 4294967295 - 8))
        assertFound(name, boxes, call(s, mover, -9))
        assertFound(name, {}, call(s, mover, 0))
        assertFound(name, {}, call(s, mover, 2147483648))
        boxes[3]:setFilter(2147483648, 0)
        assertFound(name, { boxes[3] }, call(s, mover, 2147483648))
        assertFound(name, { boxes[3] }, call(s, mover, -2147483648))
      end)
    end)

    it("may be a Box to ignore", function()
      scene.eachBackend(function(s)
        local _, mover = stack(s)
        local all = call(s, mover, nil)
        local first = all[1]
        for _, each in ipairs(call(s, mover, first)) do
          assert.is_false(rawequal(first, each), name)
        end
        if not FIRST_ONLY[name] then
          assert.equal(#all - 1, #call(s, mover, first))
        end
      end)
    end)

    it("may be a function, called with hits alone", function()
      scene.eachBackend(function(s)
        local boxes, mover = stack(s)
        s:insert({ 15, 50, 1, 1 })
        s:insert({ -100, -100, 1, 1 })
        local known = { [mover] = true }
        for _, box in ipairs(boxes) do
          known[box] = true
        end
        local hitsAlone = true
        local function accept(wanted)
          return function(box, ...)
            hitsAlone = hitsAlone and select("#", ...) == 0
              and (known[box] or name == "nearest" or name == "queryCircle")
            return wanted[box]
          end
        end
        assertFound(name, { boxes[2] }, call(s, mover, accept({ [boxes[2]] = true })))
        assertFound(name, { boxes[2], boxes[3] },
          call(s, mover, accept({ [boxes[2]] = 0, [boxes[3]] = "" })))
        assertFound(name, {}, call(s, mover, accept({})))
        assert.is_true(hitsAlone)
      end)
    end)
  end)
end

describe("an integer filter", function()
  it("is always a mask, also where it is the id of a box", function()
    local world = broadside.newWorld({ results = "id" })
    local a = world:insert(0, 0, 4, 4, { layer = 4294967295 })
    if a < 4294967296 then
      assert.same({ a }, (world:queryRect(0, 0, 4, 4, a)))
    end
  end)
end)

describe("a table of masks", function()
  -- Adds up to five masks, each of them right, and one more key or value that may be wrong.
  local function tables()
    local names, list = { "slide", "touch", "bounce", "push", "cross" }, {}
    for bits = 1, 31 do
      for _, extra in ipairs({ false, "slid", "other", 1, 2.5, true, print, {} }) do
        local masks, rest = { [extra or "slide"] = extra and 1 or nil }, bits
        for i, name in ipairs(names) do
          masks[name] = rest % 2 == 1 and i or masks[name]
          rest = (rest - rest % 2) / 2
        end
        list[#list + 1] = { masks, not extra }
      end
    end
    for _, name in ipairs(names) do
      for _, value in ipairs({ true, 0, -1, 2 ^ 32 - 1, -2 ^ 31 }) do
        list[#list + 1] = { { [name] = value }, true }
      end
      for _, value in ipairs({ false, 1.5, 2 ^ 32, -2 ^ 31 - 1, compat.nan, compat.huge, "1", {},
        print }) do
        list[#list + 1] = { { [name] = value }, false }
      end
    end
    list[#list + 1] = { {}, false }
    return list
  end

  it("has names of responses and masks or true, and at least one of them", function()
    local world = broadside.newWorld()
    local box = world:insert(0, 0, 1, 1)
    local calls = {
      move = function(masks) world:move(box, 1, 0, masks) end,
      check = function(masks) world:check(box, 1, 0, masks) end,
      moveMany = function(masks) world:moveMany({ box }, { 1, 0 }, masks) end,
      push = function(masks) world:push(box, 1, 0, masks) end,
      pushMany = function(masks) world:pushMany({ box }, 1, 0, masks) end,
      touching = function(masks) world:touching(box, 1, 0, masks) end,
      canFit = function(masks) world:canFit(box, 1, 0, nil, nil, masks) end,
    }
    for name, call in pairs(calls) do
      for i, case in ipairs(tables()) do
        local ok, message = pcall(call, case[1])
        assert.equal(case[2], ok, ("%s, table %d: %s"):format(name, i, tostring(message)))
        assert.is_true(ok or message:find("filters_spec.lua:%d+: bad argument #%d to '" .. name
          .. "' %(") ~= nil, message)
      end
    end
  end)
end)

describe("a filter function of a cast", function()
  it("is called in order of time, and ties by insertion, until it accepts", function()
    scene.each(function(s)
      local c = s:insert({ 30, 0, 4, 4 })
      local a2 = s:insert({ 10, 0, 4, 4 })
      local a1 = s:insert({ 10, 0, 5, 4 })
      local b = s:insert({ 20, 0, 4, 4 })
      s:insert({ 10, 50, 4, 4 })
      s:insert({ 40, 0, 4, 4 })
      for _, cast in ipairs({
        function(f) return s:segmentCast({ 0, 2 }, { 100, 2 }, f) end,
        function(f) return s:sweepRect({ 0, 1, 1, 1 }, { 100, 0 }, f) end,
      }) do
        local calls = {}
        local hit = cast(function(box)
          calls[#calls + 1] = box
          return box == c
        end)
        assert.is_true(rawequal(c, hit))
        assert.equal(4, #calls)
        for i, box in ipairs({ a2, a1, b, c }) do
          assert.is_true(rawequal(box, calls[i]))
        end
      end
    end)
  end)
end)

describe("a query on behalf of a box", function()
  it("never returns that box itself", function()
    scene.eachBackend(function(s)
      local box = s:insert({ 0, 0, 4, 4 })
      assert.same({}, s:queryBox(box))
      assert.is_nil((s:sweep(box, { 5, 5 })))
      assert.same({}, s:queryBox(box, function()
        return true
      end))
      local push, n = s:resolve(box)
      assert.same({ 0, 0 }, push)
      assert.equal(0, n)
    end)
  end)
end)

describe("a filter function", function()
  local world, a

  before_each(function()
    world = broadside.newWorld()
    a = world:insert(0, 0, 4, 4)
    world:insert(2, 0, 4, 4)
  end)

  -- Every call that changes a world, as a function of the world and a box.
  local CHANGES = {
    insert = function(w) w:insert(0, 0, 1, 1) end,
    insertMany = function(w) w:insertMany({ 0, 0, 1, 1 }) end,
    remove = function(w, box) w:remove(box) end,
    clear = function(w) w:clear() end,
    trim = function(w) w:trim() end,
    restore = function(w) w:restore(w:snapshot()) end,
    update = function(w, box) w:update(box, 9, 9) end,
    updateMany = function(w, box) w:updateMany({ box }, { 9, 9 }) end,
    resolve = function(w, box) w:resolve(box) end,
    step = function(w) w:step(1) end,
    setBackend = function(w) w:setBackend("grid") end,
    setGravity = function(w) w:setGravity(1, 1) end,
    ["box:remove"] = function(_, box) box:remove() end,
    ["box:setRect"] = function(_, box) box:setRect(9, 9) end,
    ["box:setCenter"] = function(_, box) box:setCenter(9, 9) end,
    ["box:setStatic"] = function(_, box) box:setStatic(true) end,
    ["box:setFilter"] = function(_, box) box:setFilter(0, 0) end,
    ["box:setVelocity"] = function(_, box) box:setVelocity(1, 1) end,
    ["box:setTransform"] = function(_, box) box:setTransform(9, 9) end,
  }

  -- Every call that runs a filter function.
  local RUNS = {
    queryRect = function(f) return world:queryRect(0, 0, 1, 1, f) end,
    queryPoint = function(f) return world:queryPoint(1, 1, f) end,
    queryCircle = function(f) return world:queryCircle(1, 1, 1, f) end,
    queryBox = function(f) return world:queryBox(a, f) end,
    querySegment = function(f) return world:querySegment(-1, 1, 9, 1, f) end,
    nearest = function(f) return world:nearest(1, 1, 1, f) end,
    segmentCast = function(f) return world:segmentCast(-1, 1, 9, 1, f) end,
    sweep = function(f) return world:sweep(a, 9, 0, f) end,
    sweepRect = function(f) return world:sweepRect(-9, 0, 1, 1, 99, 0, f) end,
    resolve = function(f) return world:resolve(a, f) end,
  }

  for changeName, change in pairs(CHANGES) do
    it("must not " .. changeName, function()
      for runName, run in pairs(RUNS) do
        local refused
        local ok = pcall(run, function()
          local done, message = pcall(change, world, a)
          refused = not done and tostring(message):find("world is busy", 1, true) ~= nil
          return false
        end)
        assert.is_true(ok, runName)
        assert.is_true(refused, runName)
        assert.is_false((pcall(run, function()
          change(world, a)
        end)), runName)
        assert.equal(2, world:count())
        assert.same({ 0, 0, 4, 4 }, { a:getRect() })
        assert.equal(1, world:countPairs())
      end
      world:insert(50, 50, 1, 1)
      assert.equal(3, world:count())
    end)
  end

  it("may ask the world anything, also with filters of its own", function()
    for runName, run in pairs(RUNS) do
      local asked = 0
      world:update(a, 0, 0)
      run(function(box)
        local _, inner = world:queryRect(0, 0, 9, 9, function()
          return world:count() == 2 and world:queryPoint(1, 1)[1] == a
        end)
        asked = asked + 1
        assert.equal(2, inner)
        assert.equal(1, #collect.pairs(world))
        assert.is_truthy(world:segmentCast(-1, 1, 9, 1))
        box:getRect()
        return true
      end)
      assert.is_true(asked > 0, runName)
    end
    world:clear()
  end)

  it("leaves the world usable when it raises, and its error comes through", function()
    local thrown = { "an error of any type" }
    for runName, run in pairs(RUNS) do
      local ok, caught = pcall(run, function()
        error(thrown)
      end)
      assert.is_false(ok, runName)
      assert.is_true(rawequal(thrown, caught), runName)
      ok, caught = pcall(run, function()
        RUNS.segmentCast(function()
          error("inner", 0)
        end)
      end)
      assert.is_false(ok, runName)
      assert.equal("inner", caught)
      world:update(a, 0, 0)
    end
  end)

  it("may collect garbage and be a callable of C", function()
    for _, run in pairs(RUNS) do
      world:update(a, 0, 0)
      run(function()
        collectgarbage()
        return true
      end)
    end
    assert.equal(2, #world:queryRect(0, 0, 9, 9, type))
  end)

  it("that yields harms nothing", function()
    for runName, run in pairs(RUNS) do
      local co = coroutine.create(function()
        return run(function()
          coroutine.yield("from the filter")
          return true
        end)
      end)
      coroutine.resume(co)
      co = nil -- luacheck: no unused
      collectgarbage()
      world:update(a, 0, 0)
      assert.equal(2, world:count(), runName)
    end
  end)
end)

-- The function must be called exactly for the boxes that are found without it, and never for a box
-- of which only the rectangle is hit.
describe("a filter function among shapes", function()
  local WORLDS = 12

  local function anyShape(world, rng)
    local x, y, r = rng:real(0, 40), rng:real(0, 40), rng:real(2, 8)
    local kind = rng:int(1, 3)
    if kind == 1 then
      return world:insert(x, y, r, r)
    elseif kind == 2 then
      return world:insertCircle(x, y, r)
    end
    return world:insertPolygon(random.polygon(rng, x, y, r, r))
  end

  local function sorted(ids)
    table.sort(ids)
    return ids
  end

  -- The boxes for which call(filter) calls a function that excludes all.
  local function asked(call)
    local ids = {}
    call(function(first, second)
      ids[#ids + 1] = second or first
      return false
    end)
    return sorted(ids)
  end

  local function pointCalls(world, x, y)
    return {
      queryRect = function(filter) return world:queryRect(x, y, 5, 9, filter) end,
      queryPoint = function(filter) return world:queryPoint(x, y, filter) end,
      queryCircle = function(filter) return world:queryCircle(x, y, 6, filter) end,
      querySegment = function(filter) return world:querySegment(x, y, 40 - y, x, filter) end,
      nearest = function(filter) return world:nearest(x, y, 99, filter, 4) end,
    }
  end

  it("is asked in queries about what they find", function()
    for seed = 1, WORLDS do
      local rng, world = random.new(seed), broadside.newWorld({ results = "id" })
      for _ = 1, 20 do
        anyShape(world, rng)
      end
      for name, call in pairs(pointCalls(world, rng:real(0, 40), rng:real(0, 40))) do
        assert.same(sorted((call())), asked(call), name)
      end
    end
  end)

  it("is asked by resolve about what the box's shape overlaps", function()
    for seed = 1, WORLDS do
      local rng, world = random.new(seed), broadside.newWorld({ results = "id" })
      for _ = 1, 20 do
        anyShape(world, rng)
      end
      for id = 1, 20 do
        local box = anyShape(world, rng)
        assert.same(sorted(world:queryBox(box)), asked(function(filter)
          world:resolve(box, filter)
        end), id)
        world:remove(box)
      end
    end
  end)

  it("that accepts all makes resolve push as it does without one", function()
    for seed = 1, WORLDS do
      local ends = {}
      for turn = 1, 2 do
        local rng, world = random.new(seed), broadside.newWorld()
        for _ = 1, 20 do
          anyShape(world, rng)
        end
        local filter = turn == 2 and function() return true end or nil
        ends[turn] = {}
        for box in world:boxes() do
          for _, value in ipairs({ world:resolve(box, filter) }) do
            table.insert(ends[turn], value)
          end
        end
      end
      assert.same(ends[1], ends[2])
    end
  end)
end)

describe("a box of layer 0", function()
  it("makes no pair, and no mask finds it, but queries without a mask do", function()
    for _, backend in ipairs({ "brute", "sweep", "grid", "tree", "auto" }) do
      local world = broadside.newWorld({ backend = backend })
      local off = world:insert(5, 0, 2, 2)
      local other = world:insert(0, 0, 2, 2)
      off:setFilter(0, -1)
      assert.equal(9, (world:check(other, 9, 0)))
      assert.equal(9, (world:check(other, 9, 0, -1)))
      assert.same({}, world:queryRect(5, 0, 9, 9, -1, {}))
      assert.same({ off }, world:queryRect(5, 0, 9, 9, nil, {}))
      assert.same({ off }, world:queryRect(5, 0, 9, 9, function() return true end, {}))
      assert.same({ off }, world:queryRect(5, 0, 9, 9, other, {}))
      other:setRect(4, 0)
      assert.equal(0, world:countPairs())
      off:setFilter(1, -1)
      assert.equal(1, world:countPairs())
    end
  end)
end)
