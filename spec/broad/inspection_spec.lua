-- Functions that show the inside of a world: `stats` and `debugRects`.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local oracle = require("spec.support.oracle")
local random = require("spec.support.random")
local scene = require("spec.support.scene")

local KINDS = { box = true, fat = true, node = true, cell = true }

-- Sorts the rows of debugRects by their kind, and checks their form.
local function rows(world, dim, out)
  local list, n = world:debugRects(out)
  local width = 1 + 2 * dim
  assert.equal(n * width, #list)
  local byKind = { box = {}, fat = {}, node = {}, cell = {} }
  for i = 0, n - 1 do
    local kind, flat = list[i * width + 1], {}
    assert(KINDS[kind], tostring(kind))
    for j = 1, 2 * dim do
      flat[j] = list[i * width + 1 + j]
      assert(type(flat[j]) == "number" and flat[j] == flat[j])
      assert(j <= dim or flat[j] >= 0)
    end
    local shape = oracle.fromFlat(flat)
    table.insert(byKind[kind], shape)
  end
  return byKind
end

local function contains(outer, inner)
  for i = 1, #outer.lo do
    if outer.lo[i] > inner.lo[i] or outer.hi[i] < inner.hi[i] then
      return false
    end
  end
  return true
end

local function containedInSome(list, inner)
  for _, outer in ipairs(list) do
    if contains(outer, inner) then
      return true
    end
  end
  return false
end

describe("debugRects", function()
  for dim = 2, 3 do
    for _, backend in ipairs(scene.backends) do
      it(("lists every box exactly: %s, %dD"):format(backend, dim), function()
        local world = broadside.newWorld({ backend = backend, dim = dim })
        assert.same({}, rows(world, dim).box)
        local expected = {}
        local rng = random.new(1)
        for i = 1, 100 do
          local lo, size = random.rect(function()
            return rng:real(-50, 50)
          end, function()
            return rng:real(1, 9)
          end, dim)
          local flat = oracle.toFlat(oracle.shape(lo, size))
          flat[#flat + 1] = { static = i % 4 == 0 }
          world:insert(compat.unpack(flat))
          flat[#flat] = nil
          expected[i] = table.concat(flat, " ")
        end
        world:countPairs()
        local got = {}
        for i, shape in ipairs(rows(world, dim).box) do
          got[i] = table.concat(oracle.toFlat(shape), " ")
        end
        table.sort(expected)
        table.sort(got)
        assert.same(expected, got)
      end)
    end

    for _, kind in ipairs(random.kinds) do
      it(("shows fat boxes that contain their boxes: %s, %dD"):format(kind.name, dim), function()
        for _, backend in ipairs(scene.backends) do
          local world = broadside.newWorld({ backend = backend, dim = dim })
          local rng = random.new(2)
          local coord, size = kind.make(rng)
          local boxes = {}
          for i = 1, 30 do
            local lo, extent = random.rect(coord, size, dim)
            local flat = oracle.toFlat(oracle.shape(lo, extent))
            boxes[i] = world:insert(compat.unpack(flat))
          end
          for i = 1, 30, 2 do
            local flat = oracle.toFlat(oracle.shape(random.rect(coord, size, dim)))
            world:update(boxes[i], compat.unpack(flat))
          end
          world:countPairs()
          local found = rows(world, dim)
          for _, box in ipairs(found.box) do
            assert.is_true(#found.fat == 0 or containedInSome(found.fat, box), backend)
          end
        end
      end)
    end
  end

  it("shows the fat boxes of a tree, one around each box", function()
    local world = broadside.newWorld({ backend = broadside.newTree({ margin = 2 }) })
    local box = world:insert(10, 20, 5, 5)
    world:countPairs()
    local found = rows(world, 2)
    assert.equal(1, #found.fat)
    assert.is_true(contains(found.fat[1], found.box[1]))
    for i = 1, 50 do
      world:update(box, 10 + i * 0.75, 20)
      world:countPairs()
      found = rows(world, 2)
      assert.is_true(contains(found.fat[1], found.box[1]))
    end
  end)

  it("forgets removed boxes", function()
    for _, backend in ipairs(scene.backends) do
      local world = broadside.newWorld({ backend = backend })
      local box = world:insert(1, 2, 3, 4)
      world:insert(5, 6, 7, 8)
      world:countPairs()
      box:remove()
      assert.equal(1, #rows(world, 2).box)
      world:clear()
      assert.equal(0, #rows(world, 2).box)
    end
  end)
end)

describe("stats", function()
  -- Half of a box's surface; in 2D of its perimeter.
  local function surface(shape)
    local size, sum = {}, 0
    for i = 1, #shape.lo do
      size[i] = shape.hi[i] - shape.lo[i]
    end
    for i = 1, #size == 2 and 2 or 3 do
      sum = sum + size[i] * (#size == 2 and 1 or size[i % 3 + 1])
    end
    return sum
  end

  -- What they must be for a back end that shows these rects.
  local expected = {}

  function expected.brute() end

  function expected.sweep(stats, _, dim)
    assert.equal(dim, stats.axis)
    assert.equal(1, stats.rebuilds)
  end

  function expected.grid(stats, found)
    local size = found.cell[1].hi[1] - found.cell[1].lo[1]
    assert.near(size, stats.cellSize, 1e-6 * size)
    assert.equal(#found.cell, stats.cells)
    assert.is_true(stats.nodes >= stats.cells and stats.nodes <= stats.boxes)
    assert.equal(1, stats.resting)
    assert.equal(1, stats.rebuilds)
  end

  function expected.tree(stats, found)
    local sum, largest = 0, 0
    for _, shape in ipairs(compat.concat(found.fat, found.node)) do
      sum, largest = sum + surface(shape), math.max(largest, surface(shape))
    end
    assert.equal(#found.fat + #found.node, stats.nodes)
    assert.near(sum / largest, stats.areaRatio, 1e-6)
    assert.is_true(8 ^ stats.height >= stats.boxes and 2 ^ stats.height <= stats.boxes)
    assert.equal(1, stats.rebuilds)
  end

  function expected.auto(stats, found)
    expected.tree(stats, found)
    assert.equal("tree and grid", stats.using)
  end

  for dim = 2, 3 do
    for _, backend in ipairs(scene.backends) do
      it(("are figures of what debugRects shows: %s, %dD"):format(backend, dim), function()
        local world = broadside.newWorld({ backend = backend, dim = dim })
        -- Numbers of axes: 3D's, or all but the middle one.
        local function axes(x, y, z)
          if dim == 2 then
            return x, z
          end
          return x, y, z
        end
        local function insert(lo, size)
          world:insert(compat.values(compat.concat({ axes(compat.unpack(lo)) },
            { axes(compat.unpack(size)) })))
        end
        for i = 1, 300 do -- a column along the last axis
          insert({ i % 11 * 3, 5, 4 * i }, { 2, 1, 3 })
        end
        world:countPairs()
        insert({ -9, -9, -9 }, { 5000, 5000, 5000 })
        for _ = 1, 300 do
          world:segmentCast(compat.values({ axes(0, 0, 0) }, axes(9, 900, 900)))
        end
        local stats, found = world:stats(), rows(world, dim)
        assert.same({ backend, 301, 301, 0 },
          { stats.backend, stats.boxes, stats.dynamic, stats.static })
        expected[backend](stats, found, dim)
      end)
    end
  end

  it("add those of dynamic and of static boxes, or tell the worse", function()
    for _, backend in ipairs({ "tree", "grid" }) do
      -- Figures of a world with so many dynamic boxes in a row, and static ones.
      local function figures(dynamic, static)
        local world = broadside.newWorld({ backend = backend })
        for i = 1, dynamic + static do
          world:insert(7 * i, i % 5 * 9, 3, 4, { static = i > dynamic })
        end
        world:queryRect(-1e6, -1e6, 2e6, 2e6)
        return world:stats()
      end
      local few, many, both = figures(20, 0), figures(0, 300), figures(20, 300)
      assert.is_true(few.nodes > 0 and few.nodes < many.nodes,
        ("%s: %d, %d"):format(backend, few.nodes, many.nodes))
      assert.equal(few.nodes + many.nodes, both.nodes)
      if backend == "tree" then
        assert.is_true(few.height < many.height and few.areaRatio < many.areaRatio)
        assert.equal(many.height, both.height)
        assert.equal(many.areaRatio, both.areaRatio)
      else
        assert.equal(few.cells + many.cells, both.cells)
      end
    end
  end)

  it("tell how much memory the world has, in bytes", function()
    for _, backend in ipairs(scene.backends) do
      local world = broadside.newWorld({ backend = backend })
      local before = world:stats().memory
      assert.is_true(before > 0)
      local flat = {}
      for i = 1, 4 * 20000 do
        flat[i] = 1 + i % 1000
      end
      world:insertMany(flat)
      assert.is_true(world:stats().memory > before + 20000 * 16, backend)
    end
  end)
end)
