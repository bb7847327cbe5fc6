-- Back ends: they are chosen by name or made with options, can be replaced at run time, and each
-- belongs to at most one world.

local broadside = require("broadside")
local collect = require("spec.support.collect")
local compat = require("spec.support.compat")
local random = require("spec.support.random")

local NAMES = { "brute", "sweep", "grid", "tree", "auto" }

local MAKERS = {
  brute = broadside.newBrute,
  sweep = broadside.newSweep,
  grid = broadside.newGrid,
  tree = broadside.newTree,
  auto = broadside.newAuto,
}

describe("a back end", function()
  for _, name in ipairs(NAMES) do
    it("is made by name: " .. name, function()
      for dim = 2, 3 do
        local world = broadside.newWorld({ backend = name, dim = dim })
        assert.equal(name, world:getBackend():getName())
        world:setBackend(name)
        assert.equal(name, world:getBackend():getName())
      end
    end)

    it("is made by its function: " .. name, function()
      for dim = 2, 3 do
        local backend = MAKERS[name]()
        assert.equal("userdata", type(backend))
        assert.equal(name, backend:getName())
        local world = broadside.newWorld({ backend = backend, dim = dim })
        assert.is_true(rawequal(backend, world:getBackend()))
        local other = broadside.newWorld({ dim = dim })
        local second = MAKERS[name]()
        other:setBackend(second)
        assert.is_true(rawequal(second, other:getBackend()))
      end
    end)

    it("returns its statistics as a table, without a world and in one: " .. name, function()
      local backend = MAKERS[name]()
      assert.equal("table", type(backend:stats()))
      local world = broadside.newWorld({ backend = backend })
      for i = 1, 100 do
        world:insert(i, i, 5, 5)
      end
      world:countPairs()
      assert.equal("table", type(backend:stats()))
      world:setBackend("brute")
      assert.equal("table", type(backend:stats()))
    end)
  end

  it("is the same userdata whenever it is asked for", function()
    local world = broadside.newWorld({ backend = "tree" })
    assert.is_true(rawequal(world:getBackend(), world:getBackend()))
  end)

  it("belongs to at most one world", function()
    for _, name in ipairs(NAMES) do
      local backend = MAKERS[name]()
      local world = broadside.newWorld({ backend = backend })
      local a = world:insert(0, 0, 1, 1)
      assert.is_false((pcall(broadside.newWorld, { backend = backend })))
      local other = broadside.newWorld({ backend = "grid" })
      local b = other:insert(5, 5, 1, 1)
      assert.is_false((pcall(other.setBackend, other, backend)))
      assert.equal("grid", other:getBackend():getName())
      assert.same({ a }, (world:queryRect(-9, -9, 99, 99)))
      assert.same({ b }, (other:queryRect(-9, -9, 99, 99)))
    end
  end)

  it("is free for another world once it has been replaced", function()
    for _, name in ipairs(NAMES) do
      local backend = MAKERS[name]()
      local world = broadside.newWorld({ backend = backend })
      local a = world:insert(0, 0, 1, 1)
      world:setBackend("brute")
      local other = broadside.newWorld({ dim = 3, backend = backend })
      local b = other:insert(5, 5, 5, 1, 1, 1)
      assert.same({ a }, (world:queryRect(-9, -9, 99, 99)))
      assert.same({ b }, (other:queryRect(-9, -9, -9, 99, 99, 99)))
    end
  end)

  it("is free for another world once its own has been collected", function()
    local backend = broadside.newTree()
    local function use(x)
      local world = broadside.newWorld({ backend = backend })
      local box = world:insert(x, 0, 1, 1)
      assert(rawequal(box, world:queryRect(-9, -9, 99, 99)[1]))
    end
    use(1)
    collectgarbage()
    collectgarbage()
    use(2)
  end)

  it("may be set again in its own world", function()
    for _, name in ipairs(NAMES) do
      local world = broadside.newWorld({ backend = name })
      local a, b = world:insert(0, 0, 2, 2), world:insert(1, 0, 2, 2)
      world:setBackend(world:getBackend())
      assert.equal(name, world:getBackend():getName())
      assert.same({ { a, b } }, collect.pairs(world))
    end
  end)
end)

describe("setBackend", function()
  it("keeps Boxes, ids, data, motion and gravity", function()
    local world = broadside.newWorld({ gravity = { 1, 2 } })
    local data = {}
    local box = world:insert(1, 2, 3, 4, { data = data, vx = 5, vy = 6, layer = 7, mask = 9 })
    local id = box:getId()
    for _, from in ipairs(NAMES) do
      for _, to in ipairs(NAMES) do
        world:setBackend(from)
        world:setBackend(to)
        assert.is_true(rawequal(box, world:getBox(id)))
        assert.equal(id, box:getId())
        assert.same({ 1, 2, 3, 4 }, { box:getRect() })
        assert.same({ 5, 6 }, { box:getVelocity() })
        assert.same({ 7, 9 }, { box:getFilter() })
        assert.same({ 1, 2 }, { world:getGravity() })
        assert.equal(data, box:getData())
        assert.same({ box }, collect.boxes(world))
      end
    end
  end)

  it("works again and again without growing", function()
    local world = broadside.newWorld()
    for i = 1, 300 do
      world:insert(i * 3, i % 7, 5, 5)
    end
    local count = world:countPairs()
    for i = 1, 300 do
      world:setBackend(NAMES[i % 5 + 1])
      assert(world:countPairs() == count)
    end
  end)
end)

describe("a back end's options", function()
  -- Boxes of very different sizes, so that cells, margins and axes make a difference.
  local function answers(backend)
    local world = broadside.newWorld({ backend = backend, results = "id" })
    local rng, ids = random.new(3), {}
    for i = 1, 300 do
      local w = rng:chance(0.05) and rng:real(50, 5000) or rng:real(0.01, 10)
      ids[world:insert(rng:real(-300, 300), rng:real(-300, 300), w, w)] = i
    end
    local list = {}
    for _, pair in ipairs(collect.pairs(world)) do
      list[#list + 1] = ("%d-%d"):format(ids[pair[1]], ids[pair[2]])
    end
    table.sort(list)
    for _ = 1, 100 do
      local hit, x, y = world:segmentCast(rng:real(-400, 400), rng:real(-400, 400),
        rng:real(-400, 400), rng:real(-400, 400))
      list[#list + 1] = hit and ("%d %.17g %.17g"):format(ids[hit], x, y) or "none"
    end
    return table.concat(list, ",")
  end

  local expected = answers("brute")

  it("never change an answer", function()
    for _, cellSize in ipairs({ 1e-3, 0.5, 7, 64, 1e4, 1e30, 1e300, compat.minDouble }) do
      assert.equal(expected, answers(broadside.newGrid({ cellSize = cellSize })),
        "cell size " .. cellSize)
    end
    for _, margin in ipairs({ 0, 1e-9, 1, 100, 1e30, 1e300, compat.maxDouble }) do
      assert.equal(expected, answers(broadside.newTree({ margin = margin })), "margin " .. margin)
    end
    for _, axis in ipairs({ 1, 2, "x", "y", 2.0 }) do
      assert.equal(expected, answers(broadside.newSweep({ axis = axis })), "axis " .. axis)
    end
  end)

  it("may be left out", function()
    for _, name in ipairs(NAMES) do
      assert.equal(expected, answers(name))
      assert.equal(expected, answers(MAKERS[name]()))
    end
    assert.equal(expected, answers(broadside.newGrid({})))
    assert.equal(expected, answers(broadside.newTree({})))
    assert.equal(expected, answers(broadside.newSweep({})))
  end)

  it("take the third axis in 3D", function()
    for _, axis in ipairs({ 3, "z" }) do
      local world = broadside.newWorld({ dim = 3, backend = broadside.newSweep({ axis = axis }) })
      local a, b = world:insert(0, 0, 0, 2, 2, 2), world:insert(1, 1, 1, 2, 2, 2)
      world:insert(1, 1, 4, 2, 2, 2)
      assert.same({ { a, b } }, collect.pairs(world))
    end
  end)
end)

describe("auto", function()
  local world, ids

  before_each(function()
    world, ids = broadside.newWorld({ results = "id" }), {}
  end)

  local function add(count, x)
    for _ = 1, count do
      ids[#ids + 1] = world:insert(x or 10 * #ids, 0, 5, 5)
    end
  end

  local function using()
    return world:getBackend():stats().using
  end

  it("has a grid for many casts, as long as few boxes move", function()
    add(200)
    world:segmentCast(0, 0, 10, 10)
    assert.equal("tree", using())
    for _ = 1, 200 do
      assert.equal(ids[2], (world:segmentCast(6, 2, 30, 2)))
    end
    assert.equal("tree and grid", using())
    for round = 1, 100 do
      for i, id in ipairs(ids) do
        world:update(id, 10 * i - 10, round)
      end
      world:queryRect(0, 0, 1, 1)
    end
    assert.equal("tree", using())
  end)
end)

describe("auto with a grid", function()
  it("makes none where all moves between casts", function()
    local world, ids = broadside.newWorld({ results = "id" }), {}
    for i = 1, 200 do
      ids[i] = world:insert(10 * i, 0, 5, 5)
    end
    local made = 0
    for round = 1, 10 do
      for _ = 1, 20 do
        assert.equal(ids[1], (world:segmentCast(8, 4.5, 30, 4.5)))
      end
      made = made + (world:getBackend():stats().using == "tree" and 0 or 1)
      for i, id in ipairs(ids) do
        world:update(id, 10 * i, round % 5)
      end
    end
    assert.equal(0, made)
  end)

  -- Makes a world, the same world on brute, and a function that calls a method of both, which must
  -- give the same answer.
  local function worlds_beside_brute()
    local worlds = {
      broadside.newWorld({ results = "id" }),
      broadside.newWorld({ backend = "brute", results = "id" }),
    }
    return worlds, function(method, ...)
      local a = { worlds[1][method](worlds[1], ...) }
      local b = { worlds[2][method](worlds[2], ...) }
      assert.same(b, a)
      return a[1]
    end
  end

  -- The ground is far wider than the cells, and boxes move, come and go.
  it("answers casts as brute does, whatever moves", function()
    local rng = random.new(5)
    local worlds, both = worlds_beside_brute()
    local ids = {}

    local function place(i)
      if i <= 3 then
        return rng:int(-5000, -4000), rng:int(0, 900), 10000, rng:int(1, 20)
      end
      return rng:int(0, 900), rng:int(0, 900), rng:int(1, 20), rng:int(1, 20)
    end

    local function cast()
      local x, y, angle = rng:int(0, 900), rng:int(0, 900), rng:int(0, 628) / 100
      local dx, dy = rng:int(0, 300) * math.cos(angle), rng:int(0, 300) * math.sin(angle)
      both("segmentCast", x, y, x + dx, y + dy)
      both("sweepRect", x, y, rng:int(0, 80), rng:int(0, 80), dx, dy)
    end

    for i = 1, 400 do
      ids[i] = both("insert", place(i))
    end
    for _ = 1, 200 do
      cast()
    end
    for _ = 1, 60 do
      local i = rng:int(1, 400)
      if rng:int(1, 4) == 1 then
        both("remove", ids[i])
        ids[i] = both("insert", place(i))
      else
        both("update", ids[i], place(i))
      end
      both("update", ids[rng:int(1, 3)], place(1))
      for _ = 1, 8 do
        cast()
      end
      local x, y = rng:int(0, 900), rng:int(0, 900)
      local found = {}
      for k = 1, 2 do
        found[k] = worlds[k]:querySegment(x, y, x + 200, y + 100, nil, {})
      end
      assert.same(found[2], found[1])
      assert.equal("tree and grid", worlds[1]:getBackend():stats().using)
    end
  end)

  it("lets a box sweep that is wider than cells, with nothing but itself in them", function()
    local world = broadside.newWorld({ results = "id" })
    for i = 1, 600 do
      world:insert(1000 + i % 30 * 6, math.floor(i / 30) * 6, 4, 4)
    end
    local wide, wall = world:insert(0, 0, 24, 24), world:insert(40, 20, 4, 4)
    for _ = 1, 200 do
      assert.same({ wall, 0.5, -1, 0 }, { world:sweep(wide, 32, 0) })
    end
    assert.equal("tree and grid", world:getBackend():stats().using)
  end)

  -- This also tests cells whose number is 0.
  it("lets a box sweep over cells with nothing in them", function()
    local worlds, both = worlds_beside_brute()
    for x = -40, 40 do
      for y = -40, 40 do
        if math.max(math.abs(x), math.abs(y)) > 12 then
          both("insert", 6 * x, 6 * y, 4, 4)
        end
      end
    end
    local rng, met = random.new(13), 0
    for _ = 1, 2000 do
      local w, h, dx, dy = rng:int(0, 100), rng:int(0, 100), rng:int(-90, 90), rng:int(-90, 90)
      local x, y = rng:int(-70, 70 - w), rng:int(-70, 70 - h)
      met = met + (both("sweepRect", x, y, w, h, dx, dy) and 1 or 0)
    end
    assert.is_true(met > 500)
    assert.equal("tree and grid", worlds[1]:getBackend():stats().using)
  end)

  -- Tries many pairs of boxes. If their two numbers were combined into one, that could be the
  -- number of a third box.
  it("leaves out two boxes at a time, and no other", function()
    local worlds, both = worlds_beside_brute()
    local ids = {}
    for i = 1, 200 do
      ids[i] = both("insert", 10 * i, 0, 5, 5)
    end
    for i = 1, 20 do
      for ignored = 1, 20 do
        local next_one = ids[ignored == i + 1 and i + 2 or i + 1]
        for _, world in ipairs(worlds) do
          assert.equal(next_one, (world:sweep(ids[i], 100, 0, world:getBox(ids[ignored]))))
        end
      end
    end
    assert.equal("tree and grid", worlds[1]:getBackend():stats().using)
  end)

  it("finds a distant box that is hit so early that the time is 0", function()
    local worlds, both = worlds_beside_brute()
    local unit = 2 ^ -120
    local far = both("insert", -1100 * unit, 0, 1000 * unit, unit)
    for i = 0, 99 do
      both("insert", 10 * i * unit, 0, unit, unit)
    end
    local x, size = unit / 4, unit / 4
    for _ = 1, 300 do
      both("sweepRect", x, x, size, size, unit / 8, 0)
    end
    assert.equal("tree and grid", worlds[1]:getBackend():stats().using)
    assert.equal(far, both("sweepRect", x, x, size, size, -2 ^ 962, 0))
  end)

  it("bears many boxes that are far too large for the cells of the others", function()
    local worlds, both = worlds_beside_brute()
    for i = 1, 300 do
      local size = i % 4 == 0 and 10000 or 5
      both("insert", 30 * i, i, size, size)
    end
    for i = 1, 400 do
      both("segmentCast", 20 * i, -1, 20 * i, 400)
    end
    assert.equal("tree and grid", worlds[1]:getBackend():stats().using)
  end)

  -- Cells are in a hash table that has far fewer buckets than there can be cells, so some share a
  -- bucket.
  it("keeps apart what is far apart", function()
    local rng = random.new(9)
    local worlds, both = worlds_beside_brute()

    local function place(town)
      return town % 4 * 1e4 + rng:int(0, 400), math.floor(town / 4) * 1e4 + rng:int(0, 400)
    end

    for i = 1, 3200 do
      local x, y = place(i % 8)
      both("insert", x, y, rng:int(1, 15), rng:int(1, 15))
    end
    for i = 1, 2000 do
      local x, y = place(i % 8)
      local size = i % 2 * 10
      both("sweepRect", x, y, size, size, rng:int(-200, 200), rng:int(-200, 200))
    end
    assert.equal("tree and grid", worlds[1]:getBackend():stats().using)
  end)
end)

describe("tree", function()
  it("is not rebuilt all the time when all boxes are in one place as floats", function()
    local rng = random.new(6)
    local world = broadside.newWorld({ backend = "tree", results = "id" })
    local ids = {}
    for i = 1, 1004 do
      ids[i] = world:insert(1e9, 1e9, 1, 1)
    end
    world:queryPoint(0, 0)
    local before = world:getBackend():stats().rebuilds
    for _ = 1, 10 do
      for _, id in ipairs(ids) do
        world:update(id, 1e9 + rng:int(0, 20), 1e9 + rng:int(0, 20))
      end
      world:queryPoint(0, 0)
    end
    assert.equal(before, world:getBackend():stats().rebuilds)
  end)

  -- Makes boxes that jump about. Returns a function that lets them do so 50 times, calls `ask` each
  -- time, and returns how often the tree was rebuilt.
  local function jumping(world)
    local rng = random.new(8)
    local ids = {}
    for i = 1, 1004 do
      ids[i] = world:insert(rng:int(0, 1000), rng:int(0, 1000), 5, 5)
    end
    world:queryPoint(0, 0)
    return function(ask)
      local before = world:getBackend():stats().rebuilds
      for _ = 1, 50 do
        for _, id in ipairs(ids) do
          world:update(id, rng:int(0, 1000), rng:int(0, 1000))
        end
        ask()
      end
      return world:getBackend():stats().rebuilds - before
    end
  end

  it("is rebuilt for boxes that go far if queries are many, also if one is far from all", function()
    for _, place in ipairs({ 0, 1e6, 1e300 }) do
      local world = broadside.newWorld({ backend = "tree", results = "id" })
      world:insert(place, 0, 5, 5)
      local rebuilds = jumping(world)
      assert.is_true(rebuilds(function()
        world:queryPoint(500, 500)
        world:segmentCast(0, 0, 1000, 1000)
      end) < 10)
      assert.is_true(rebuilds(function()
        for x = 0, 900, 100 do
          for y = 0, 900, 25 do
            world:queryRect(x, y, 100, 25)
          end
        end
      end) > 20)
      assert.is_true(rebuilds(function() world:collectPairs() end) > 20)
    end
  end)
end)

describe("a grid", function()
  it("has the cells of a new one soon after its boxes have come together or gone apart", function()
    local world, ids = broadside.newWorld({ backend = "grid", results = "id" }), {}
    local function edge(of)
      of:segmentCast(-1, -1, 0, -1)
      return of:getBackend():stats().cellSize
    end
    for i = 1, 900 do
      ids[i] = world:insert(0, 0, 4, 4)
    end
    for _, apart in ipairs({ 100, 20, 100 }) do
      local other = broadside.newWorld({ backend = "grid" })
      for i, id in ipairs(ids) do
        local x, y = i % 30 * apart, math.floor(i / 30) * apart
        world:update(id, x, y)
        other:insert(x, y, 4, 4)
      end
      edge(world)
      world:update(ids[1], apart, 1) -- it looks at its cells when the next change comes
      assert.near(edge(other), edge(world), edge(other) / 2)
    end
  end)
end)

-- So a game can choose when in a frame that is.
describe("the work that changes leave to a tree", function()
  it("is done by the next question, also by one that finds nothing", function()
    local rng = random.new(9)
    local world = broadside.newWorld({ backend = "tree", results = "id" })
    local function rebuilds()
      return world:getBackend():stats().rebuilds
    end
    for _ = 1, 3 do
      local before = rebuilds()
      for i = 1, 4000 do
        world:insert(rng:int(0, 5000), rng:int(0, 5000), 9, 9, { static = i % 2 == 0 })
      end
      assert.equal(before, rebuilds())
      local _, n = world:queryPoint(-1e9, -1e9)
      local after = rebuilds()
      assert.is_true(n == 0 and after > before)
      world:queryRect(0, 0, 5000, 5000)
      world:collectPairs()
      assert.equal(after, rebuilds())
      world:clear()
    end
  end)
end)

describe("a back end of which little is left", function()
  for _, name in ipairs({ "tree", "grid" }) do
    it("is rebuilt once: " .. name, function()
      local rng = random.new(7)
      local world = broadside.newWorld({ backend = name, results = "id" })
      local ids = {}
      for i = 1, 5000 do
        ids[i] = world:insert(rng:int(0, 5000), rng:int(0, 5000), 9, 9)
      end
      world:collectPairs()
      local before = world:getBackend():stats().rebuilds
      for i = 1, 4990 do
        world:remove(ids[i])
      end
      for _ = 1, 5 do
        world:update(ids[5000], 7, 7)
        world:collectPairs()
        assert.equal(before + 1, world:getBackend():stats().rebuilds)
      end
      assert.equal(10, #world:queryRect(-1, -1, 6000, 6000))
    end)
  end
end)

describe("a back end with few boxes", function()
  -- Static and other boxes have different structures, but share their indices.
  it("takes in new ones whose indices are high", function()
    for _, name in ipairs(NAMES) do
      local rng = random.new(7)
      local worlds = {
        broadside.newWorld({ backend = name, results = "id" }),
        broadside.newWorld({ backend = "brute", results = "id" }),
      }

      local function insert(count, x, static)
        for _ = 1, count do
          local left, top = x + rng:int(0, 300), rng:int(0, 300)
          for _, world in ipairs(worlds) do
            world:insert(left, top, 9, 9, { static = static })
          end
        end
        local names = {}
        for k, world in ipairs(worlds) do
          names[k] = {}
          for _, pair in ipairs(collect.pairs(world)) do
            names[k][#names[k] + 1] = pair[1] .. " " .. pair[2]
          end
          table.sort(names[k])
        end
        assert.same(names[2], names[1], name)
      end

      insert(600, 0, false)
      for _ = 1, 2 do -- more than 16,384 boxes
        insert(140, 0, false)
        insert(9000, 1e6, true)
        insert(140, 0, false)
      end
    end
  end)
end)

describe("the same calls in the same order", function()
  -- The world's answers during a walk, as one string.
  local function transcript(backend)
    local world = broadside.newWorld({ backend = backend, results = "id" })
    local rng, ids, said = random.new(11), {}, {}
    local out = {}
    for i = 1, 400 do
      ids[i] = world:insert(rng:int(0, 100), rng:int(0, 100), rng:int(1, 9), rng:int(1, 9))
    end
    for _ = 1, 40 do
      for _ = 1, 10 do
        local i = rng:int(1, 400)
        world:remove(ids[i])
        ids[i] = world:insert(rng:int(0, 100), rng:int(0, 100), rng:int(1, 9), rng:int(1, 9))
        world:update(ids[rng:int(1, 400)], rng:int(0, 100), rng:int(0, 100))
      end
      world:collectPairs(out)
      said[#said + 1] = table.concat(out, " ")
      local x, y = rng:int(0, 100), rng:int(0, 100)
      world:querySegment(x, y, rng:int(0, 100), rng:int(0, 100), nil, out)
      said[#said + 1] = table.concat(out, " ")
    end
    return table.concat(said, "\n")
  end

  it("give the same results in the same order", function()
    for _, name in ipairs(NAMES) do
      assert.is_true(transcript(name) == transcript(name), name)
    end
  end)
end)
