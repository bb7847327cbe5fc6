-- The kinds of results of a world: Boxes, ids, or the boxes' data.

local broadside = require("broadside")
local collect = require("spec.support.collect")

-- Makes a world with two overlapping boxes `a` and `b` (data "A" and "B"), and a third without data
-- that overlaps b. Returns the world and the three Boxes.
local function newWorld(results)
  local world = broadside.newWorld({ results = results })
  local function insert(x, data)
    local box = world:insert(x, 0, 4, 4, { data = data })
    return results == "id" and world:getBox(box) or box
  end
  return world, insert(0, "A"), insert(3, "B"), insert(6, nil)
end

-- The results of each call that returns boxes, in one list, in a fixed order of calls.
local function answers(world, box)
  local list = {}
  local function add(...)
    for i = 1, select("#", ...) do
      list[#list + 1] = (select(i, ...))
    end
  end
  local function addAll(out, n)
    assert.equal(n, #out)
    for i = 1, n do
      add(out[i])
    end
  end
  for _, pair in ipairs(collect.pairs(world)) do
    add(pair[1], pair[2])
  end
  world:eachPair(add)
  addAll((world:collectPairs()), 2 * world:countPairs())
  for _, contact in ipairs(collect.contacts(world)) do
    add(contact[2], contact[3])
  end
  addAll(world:queryRect(-9, -9, 99, 99))
  addAll(world:queryPoint(3.5, 1))
  addAll(world:queryCircle(5, 2, 3))
  addAll(world:queryBox(box))
  addAll(world:querySegment(-1, 1, 99, 1))
  addAll(world:nearest(-1, 1, 3))
  add((world:segmentCast(-1, 1, 99, 1)))
  add((world:sweep(box, 5, 0)))
  add((world:sweepRect(-5, 0, 1, 1, 99, 0)))
  world:queryPoint(5, 1, add)
  local function addOthers(hits, n)
    assert.equal(n, #hits)
    for i = 1, n do
      add(hits[i].other)
    end
  end
  addOthers(select(3, world:check(box, 9, 0, { cross = 1 })))
  world:check(box, 9, 0, function(mover, other)
    add(mover, other)
    return "cross"
  end)
  add(world:touching(box, 0, 1, add))
  add(select(2, world:canFit(box, 1, 0)))
  world:canFit(box, 1, 0, nil, nil, add)
  box = type(box) == "number" and world:getBox(box) or box
  box:setResponse("cross")
  world:step(0)
  for mover, other in world:hits() do
    add(mover, other)
  end
  return list
end

-- The expected names of the boxes in the results of those calls.
local EXPECTED = "ab bc" .. " ab bc" .. " ab bc" .. " ab bc" .. " abc ab abc b abc abc a b a b"
  .. " bc ab ac b ab ab"

local function expected(names)
  local list = {}
  for name in EXPECTED:gmatch("%a") do
    list[#list + 1] = names[name]
  end
  return list
end

local function sameRaw(want, got)
  assert.equal(#want, #got)
  for i = 1, #want do
    assert.is_true(rawequal(want[i], got[i]), "answer " .. i)
  end
end

describe("results", function()
  it("are Boxes by default", function()
    local world, a, b, c = newWorld(nil)
    sameRaw(expected({ a = a, b = b, c = c }), answers(world, a))
  end)

  it('are Boxes for "box"', function()
    local world, a, b, c = newWorld("box")
    sameRaw(expected({ a = a, b = b, c = c }), answers(world, a))
  end)

  it('are ids for "id"', function()
    local world, a, b, c = newWorld("id")
    local ids = { a = a:getId(), b = b:getId(), c = c:getId() }
    assert.same(expected(ids), answers(world, a))
    assert.same(expected(ids), answers(world, ids.a))
  end)

  it('are the data for "data", and the Box where there is none', function()
    local world, a, _, c = newWorld("data")
    sameRaw(expected({ a = "A", b = "B", c = c }), answers(world, a))
    a:setData(nil)
    c:setData("C")
    world:update(a, 0, 0)
    assert.is_true(rawequal(a, world:queryPoint(1, 1)[1]))
    assert.equal("C", world:queryPoint(9, 1)[1])
  end)
end)

describe("what insert hands back", function()
  it("is a Box, or the id in a world of ids", function()
    for _, results in ipairs({ "box", "data" }) do
      local world = broadside.newWorld({ results = results })
      assert.equal("userdata", type(world:insert(0, 0, 1, 1, { data = "D" })))
      assert.equal("userdata", type(world:insertMany({ 0, 0, 1, 1 }, { data = "D" })[1]))
    end
    local world = broadside.newWorld({ results = "id" })
    assert.equal("number", type(world:insert(0, 0, 1, 1)))
    assert.equal("number", type(world:insertMany({ 0, 0, 1, 1 })[1]))
  end)
end)

describe("world:boxes", function()
  it("gives Boxes whatever the results are", function()
    for _, results in ipairs({ "box", "id", "data" }) do
      local world, a, b, c = newWorld(results)
      sameRaw({ a, b, c }, collect.boxes(world))
    end
  end)
end)

describe("an out table", function()
  local world

  before_each(function()
    world = newWorld("box")
  end)

  it("is a new one if none is given", function()
    local first, second = world:queryRect(-9, -9, 99, 99), world:queryRect(-9, -9, 99, 99)
    assert.is_false(rawequal(first, second))
    assert.same(first, second)
  end)

  it("becomes empty where nothing is found", function()
    local out = { 1, 2, 3 }
    local _, n = world:queryRect(500, 500, 1, 1, nil, out)
    assert.equal(0, n)
    assert.same({}, out)
  end)
end)

describe("a sparse table as out", function()
  it("costs no more than a list: it ends at the first nil", function()
    local world = broadside.newWorld()
    local box = world:insert(0, 0, 10, 10)
    local out = {}
    for k = 0, 27 do
      out[2 ^ k] = k -- Lua may take it for a list of 2^27 elements
    end
    out[3] = "old"
    local sameOut, n = world:queryRect(0, 0, 5, 5, nil, out)
    assert.is_true(rawequal(out, sameOut))
    assert.equal(1, n)
    assert.equal(box, out[1])
    assert.is_nil(out[2])
  end)
end)
