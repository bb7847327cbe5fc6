-- Loops over pairs and boxes see the world as it was at the call, and may change it.

local broadside = require("broadside")
local scene = require("spec.support.scene")

-- A scene with `count` boxes of 10 at x = 0, 6, 12 ..., so each overlaps the next one.
local function chain(s, count)
  local boxes, names = {}, {}
  for i = 1, count do
    boxes[i] = s:insert({ 6 * (i - 1), 0, 10, 10 })
    names[boxes[i]] = string.char(96 + i)
  end
  return boxes, names
end

-- Run f(a, b) for each pair, with the iterator and with eachPair.
local WAYS = {
  pairs = function(world, f)
    for a, b in world:pairs() do
      f(a, b)
    end
  end,
  eachPair = function(world, f) world:eachPair(f) end,
}

for way, each in pairs(WAYS) do
  describe("a loop over pairs by " .. way, function()
    it("gives each pair once, the box inserted first in front", function()
      scene.each(function(s)
        local _, names = chain(s, 5)
        local found = {}
        each(s.world, function(a, b) found[#found + 1] = names[a] .. names[b] end)
        table.sort(found)
        assert.same({ "ab", "bc", "cd", "de" }, found)
      end)
    end)

    it("may be nested over the same world", function()
      scene.eachBackend(function(s)
        chain(s, 5)
        local seen = 0
        each(s.world, function()
          each(s.world, function()
            assert.equal(4, s.world:countPairs())
            seen = seen + 1
          end)
        end)
        assert.equal(16, seen)
      end)
    end)

    it("may be nested deeper than is made ready for", function()
      scene.eachBackend(function(s)
        chain(s, 2)
        local seen = 0
        local function nest(depth)
          each(s.world, function()
            seen = seen + 1
            if depth > 1 then
              nest(depth - 1)
            end
          end)
        end
        nest(7)
        nest(7)
        assert.equal(14, seen)
      end)
    end)

    it("may be left by an error, again and again", function()
      scene.eachBackend(function(s)
        chain(s, 5)
        for _ = 1, 300 do
          local thrown = {}
          local ok, caught = pcall(each, s.world, function() error(thrown) end)
          assert(not ok and caught == thrown)
        end
        s.world:clear()
        assert.equal(0, s.world:count())
      end)
    end)

    it("does nothing in a world without pairs", function()
      scene.eachBackend(function(s)
        s:insert({ 0, 0, 1, 1 })
        s:insert({ 1, 0, 1, 1 })
        each(s.world, function() error("there are no pairs") end)
      end)
    end)
  end)
end

describe("a loop over pairs", function()
  it("may be left before its end, again and again", function()
    scene.eachBackend(function(s)
      chain(s, 5)
      for _ = 1, 300 do
        local f, state, first = s.world:pairs()
        assert(f(state, first))
      end
      s.world:clear()
    end)
  end)

  it("may run beside another one, each at its own pace", function()
    local world = broadside.newWorld()
    for i = 0, 9 do
      world:insert(6 * i, 0, 10, 10)
    end
    local f, fs, fv = world:pairs()
    local g, gs, gv = world:pairs()
    local seen = 0
    repeat
      fv = f(fs, fv)
      if fv and seen % 2 == 0 then
        gv = g(gs, gv)
        assert.is_truthy(gv)
      end
      seen = seen + (fv and 1 or 0)
    until not fv
    assert.equal(9, seen)
  end)
end)

describe("eachPair", function()

  it("calls with the two boxes and nothing else", function()
    local world = broadside.newWorld()
    local a, b = world:insert(0, 0, 2, 2), world:insert(1, 0, 2, 2)
    world:eachPair(function(...)
      assert.equal(2, select("#", ...))
      assert.same({ a, b }, { ... })
    end)
  end)
end)

describe("a loop over boxes", function()
  it("may be nested, and broken off", function()
    local world, seen = broadside.newWorld(), 0
    for i = 1, 20 do
      world:insert(i, 0, 1, 1)
    end
    for _ in world:boxes() do
      for _ in world:boxes() do
        seen = seen + 1
        if seen % 20 == 10 then
          break
        end
      end
    end
    assert.is_true(seen > 20)
  end)
end)

describe("a loop over hits", function()
  -- Three boxes fly into a wall. The last one bounces between two walls.
  local function newWorld(results)
    local world, boxes = broadside.newWorld({ results = results }), {}
    local wall = world:insert(10, 0, 5, 99, { static = true })
    for i, response in ipairs({ "slide", "touch", "bounce" }) do
      boxes[i] = world:insert(5, 10 * i, 1, 1, { response = response, vx = 8 })
    end
    return world, boxes, wall
  end

  local function rowsOf(world)
    local rows = {}
    for box, other, response, t, nx, ny in world:hits() do
      rows[#rows + 1] = { box, other, response, t, nx, ny }
    end
    return rows
  end

  it("gives which boxes hit which, in the order of insertion", function()
    for _, results in ipairs({ "box", "id", "data" }) do
      local world, boxes, wall = newWorld(results)
      assert.same({}, rowsOf(world))
      world:step(1)
      local expected = { { boxes[1], wall, "slide", 0.5, -1, 0 },
        { boxes[2], wall, "touch", 0.5, -1, 0 }, { boxes[3], wall, "bounce", 0.5, -1, 0 } }
      assert.same(expected, rowsOf(world))
      assert.same(expected, rowsOf(world))
      world:step(0)
      assert.same({}, rowsOf(world))
    end
  end)

  it("may be nested deeper than is made ready for, and left", function()
    local world, _, wall = newWorld("box")
    world:step(1)
    local function count(depth)
      local n = 0
      for _, other in world:hits() do
        assert.equal(wall, other)
        n = n + 1 + (depth > 0 and count(depth - 1) or 0)
      end
      return n
    end
    assert.equal(3 + 9 + 27 + 81 + 243 + 729, count(5))
    for _ = 1, 50 do
      for _ in world:hits() do -- luacheck: ignore
        break
      end
    end
    assert.equal(3, count(0))
  end)
end)

describe("a list from a query", function()
  it("may be walked while its boxes are removed", function()
    scene.eachBackend(function(s)
      chain(s, 20)
      for _, box in ipairs(s:queryRect({ -1, -1, 500, 500 })) do
        box:remove()
      end
      assert.equal(0, s.world:count())
    end)
  end)
end)

describe("iterators of a world", function()
  local world, a

  before_each(function()
    world = broadside.newWorld({ results = "data" })
    a = world:insert(0, 0, 10, 10, { data = "a" })
    world:insert(5, 0, 10, 10, { data = "b" })
    for _ in world:contacts() do -- luacheck: ignore
    end
    a:setResponse("cross")
    world:step(0)
  end)

  local ALL = { "pairs", "boxes", "contacts", "hits" }

  it("go on with the loop that they were made for, whatever they are passed", function()
    for _, one in ipairs(ALL) do
      for _, other in ipairs(ALL) do
        local next = world[one](world)
        local state = world[other](world)
        local second = world[one](world)
        for _ = 1, 5 do
          assert.same({ second() }, { next(state) })
        end
      end
    end
    assert.equal(2, world:count())
    assert.equal("a", world:queryPoint(1, 1)[1])
  end)

  it("give nothing at the end, however often they are asked", function()
    for _, name in ipairs(ALL) do
      local next, state = world[name](world)
      repeat until next(state) == nil
      assert.is_nil((next(state)))
      assert.is_nil((next(state)))
    end
  end)

  it("over contacts find what was removed, though others have begun since", function()
    a:remove()
    local first, firstState = world:contacts()
    for i = 1, 3 do
      world:insert(20, 20 * i, 10, 10, { data = "c" .. i })
      local box = world:insert(25, 20 * i, 10, 10, { data = "d" .. i })
      for _ in world:contacts() do -- luacheck: ignore
      end
      box:remove()
      collectgarbage()
    end
    assert.same({ "end", "a", "b" }, { first(firstState) })
    local last, lastState = world:contacts()
    assert.same({ "end", "c3", "d3" }, { last(lastState) })
  end)
end)

describe("an iterator", function()
  it("may be called without a loop, beside others of its world, and after its end", function()
    scene.each(function(s)
      local boxes = chain(s, 3)
      local first, second = s.world:boxes(), (s.world:boxes())
      assert.equal(boxes[1], first())
      assert.equal(boxes[2], first())
      assert.equal(boxes[1], second())
      assert.equal(boxes[3], first())
      assert.is_nil(first())
      assert.is_nil(first())
      assert.equal(boxes[2], second())
      local found = {}
      for box in (s.world:boxes()) do
        found[#found + 1] = box
      end
      assert.same(boxes, found)
    end)
  end)
end)
