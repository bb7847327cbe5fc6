-- Filters: layers and masks for pairs, and a mask, a Box or a function in every call that takes a
-- filter.

local broadside = require("broadside")
local calls = require("spec.support.calls")
local compat = require("spec.support.compat")
local fixture = require("spec.support.fixture")
local random = require("spec.support.random")
local scene = require("spec.support.scene")

-- Every call with a filter, as a function of a scene, a box to call it for, and the filter. It
-- returns the list of the boxes found.
local CALLS = {
  queryRect = function(s, _, filter) return s:queryRect({ -50, -50, 300, 100 }, filter) end,
  queryPoint = function(s, _, filter) return s:queryPoint({ 15, 5 }, filter) end,
  queryCircle = function(s, _, filter) return s:queryCircle({ 15, 5 }, 200, filter) end,
  queryPolygon = function(s, _, filter) -- in 3D there is none
    return s.dim == 2 and s:queryPolygon({ -50, -50, 250, 5, -50, 60 }, filter)
      or s:queryPoint({ 15, 5 }, filter)
  end,
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

  it("is one after setLayer and setMask", function()
    each(function(backend, others)
      local world, a, b = worldOf(backend, others, { layer = 1, mask = 2 })
      a:setLayer(2)
      assert.same({ 2, 2 }, { a:getFilter() })
      assert.equal(0, world:countPairs(), backend)
      a:setMask(5)
      assert.same({ 2, 5 }, { a:getFilter() })
      assert.same({ 1, 2 }, { b:getFilter() })
      assert.equal(1, world:countPairs(), backend)
    end)
  end)

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

    it("may be a mask and boxes that are left out", function()
      scene.eachBackend(function(s)
        local boxes, mover = stack(s)
        local a, b, c = boxes[1], boxes[2], boxes[3]
        assertFound(name, { a, b, c }, call(s, mover, { mask = 7 }))
        assertFound(name, { a, c }, call(s, mover, { mask = 7, except = b }))
        assertFound(name, { c }, call(s, mover, { mask = 6, except = { b, a, b } }))
        assertFound(name, { c }, call(s, mover, { mask = 7, except = { a:getId(), b } }))
        assertFound(name, { b, c }, call(s, mover, { except = { a, mover } }))
        assertFound(name, {}, call(s, mover, { mask = 7, except = boxes }))
        assertFound(name, { a }, call(s, mover, { mask = 1, except = {} }))
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
    local f = fixture.new(2, "box", "tree", 14)
    for _, row in ipairs(calls.rowsOf(2)) do
      local args = calls.arguments(row, f)
      for place, word in ipairs(row.class == "World" and calls.parameters(row, 2) or {}) do
        for i, case in ipairs(word == "rules?" and tables() or {}) do
          args[place], args.n = case[1], math.max(args.n, place)
          local ok, message = calls.try(row, f, args)
          assert.equal(case[2], ok, ("%s, table %d: %s"):format(row.name, i, tostring(message)))
          assert.is_true(ok or message:find("bad argument #%d to '" .. row.name .. "' %(") ~= nil)
        end
      end
    end
  end)
end)

describe("a table of masks with boxes that are left out", function()
  it("moves through them, and meets others by its masks", function()
    scene.eachBackend(function(s)
      local a = s:insert({ 20, 0, 10, 10 }, { layer = 1 })
      local b = s:insert({ 40, 0, 10, 10 }, { layer = 2 })
      local c = s:insert({ 60, 0, 10, 10 }, { layer = 4 })
      for _, case in ipairs({
        { { slide = 7, except = a }, 30 }, { { slide = 7, except = { a, b } }, 50 },
        { { slide = 7, except = { a, b, c } }, 90 }, { { touch = 6, except = b:getId() }, 50 },
        { { except = a }, 30 }, { { except = { b, a } }, 50 }, { { except = {} }, 10 },
        { { slide = true, except = { c } }, 10 },
      }) do
        local mover = s:insert({ 0, 0, 10, 10 })
        assert.same({ case[2], 0 }, (s:check(mover, { 90, 0 }, case[1])))
        assert.same({ case[2], 0 }, (s:move(mover, { 90, 0 }, case[1])))
        mover:remove()
      end
    end)
  end)

  it("is read by all calls that move or ask, pushes and resolve too", function()
    local world = broadside.newWorld()
    local lift = world:insert(0, 0, 10, 10, { static = true })
    local crate, other = world:insert(12, -5, 10, 10), world:insert(12, 5, 10, 10)
    assert.same({ false, other }, { world:canFit(lift, 9, 0, nil, nil, { except = crate }) })
    assert.is_true(world:canFit(lift, 9, 0, nil, nil, { except = { crate, other } }))
    assert.equal(1, (select(3, world:resolve(world:insert(14, 4, 2, 2), { except = crate }))))
    world:push(lift, 40, 0, { slide = true, except = crate })
    assert.same({ 12, -5, 10, 10 }, { crate:getRect() })
    assert.same({ 50, 5, 10, 10 }, { other:getRect() })
    local pool = broadside.newPool({ capacity = 1 })
    pool:spawn(-10, -2, 100, 0)
    pool:step(1)
    for _, box in pool:hits(world, { mask = 1, except = crate }) do
      assert.not_equal(crate, box)
    end
  end)

  it("refuses what is no box of the world, and names it", function()
    local world = broadside.newWorld()
    local box, gone = world:insert(0, 0, 4, 4), world:insert(0, 0, 4, 4)
    local foreign = broadside.newWorld():insert(0, 0, 4, 4)
    gone:remove()
    for _, case in ipairs({
      { gone, "box was removed" }, { { box, gone }, "item 2: box was removed" },
      { foreign, "box of another world" }, { "box", "Box or id expected, got string" },
      { { { box } }, "item 1: Box or id expected, got table" },
    }) do
      for _, call in ipairs({
        function() world:queryRect(0, 0, 9, 9, { mask = 1, except = case[1] }) end,
        function() world:move(box, 9, 9, { slide = 1, except = case[1] }) end,
      }) do
        local done, message = pcall(call)
        assert.is_false(done)
        assert.is_truthy(message:find(case[2], 1, true), message)
      end
    end
    for _, bad in ipairs({ { masks = 1 }, { mask = "1" }, { mask = 1, ignore = box } }) do
      assert.is_false((pcall(world.queryRect, world, 0, 0, 9, 9, bad)))
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
        local asked = {}
        local hit = cast(function(box)
          asked[#asked + 1] = box
          return box == c
        end)
        assert.is_true(rawequal(c, hit))
        assert.equal(4, #asked)
        for i, box in ipairs({ a2, a1, b, c }) do
          assert.is_true(rawequal(box, asked[i]))
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
      assert.same({}, s:queryBox(box, function() return true end))
      local push, n = s:resolve(box)
      assert.same({ 0, 0 }, push)
      assert.equal(0, n)
    end)
  end)
end)

describe("a filter function", function()
  it("may call the world with itself, but not without end", function()
    local world = broadside.newWorld()
    local box = world:insert(0, 0, 4, 4)
    world:insert(2, 2, 4, 4)
    local pool = broadside.newPool({ capacity = 1 })
    pool:spawn(3, 3, 0, 0)
    pool:step(1)
    for _, call in ipairs({
      function(f) world:queryRect(0, 0, 9, 9, f) end,
      function(f) world:segmentCast(-5, 3, 9, 3, f) end,
      function(f) world:check(box, 9, 9, f) end,
      function(f) pool:hits(world, f) end,
    }) do
      local depth, most = 0, 0
      local function filter()
        depth = depth + 1
        most = math.max(most, depth)
        call(filter)
        depth = depth - 1
      end
      local done, message = pcall(call, filter)
      assert.is_false(done)
      assert.is_truthy(message:find("more than 100 calls of filter functions within each other", 1,
        true) or message:find("C stack overflow", 1, true), message) -- Lua 5.4 has a limit, too
      assert.is_true(most <= 100)
      pool:step(1) -- is not busy any more
      world:update(box, 0, 0)
    end
  end)

  it("may be a callable of C", function()
    local world = broadside.newWorld()
    world:insert(0, 0, 4, 4)
    assert.equal(1, #world:queryRect(0, 0, 9, 9, type))
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
      queryPolygon = function(filter)
        return world:queryPolygon({ x, y, x + 9, y + 3, x, y + 7 }, filter)
      end,
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
