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

  it("writes into the table it is given and clears the rest", function()
    local world = broadside.newWorld({ backend = "brute" })
    local out = {}
    for i = 1, 1000 do
      out[i] = "old"
    end
    world:insert(1, 2, 3, 4)
    local list, n = world:debugRects(out)
    assert.is_true(rawequal(out, list))
    assert.equal(5 * n, #out)
    for i = 1, 1000 do
      assert(out[i] ~= "old")
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
  -- Collects all numbers of a table of statistics, and of tables in it, by their paths.
  local function figures(stats, prefix, found)
    found = found or {}
    for key, value in pairs(stats) do
      local name = (prefix or "") .. tostring(key)
      if type(value) == "table" then
        figures(value, name .. ".", found)
      elseif type(value) == "number" then
        found[name] = value
      end
    end
    return found
  end

  -- The number that counts the world's memory.
  local function memory(world)
    for name, value in pairs(figures(world:stats())) do
      if name:lower():find("memory") or name:lower():find("bytes") then
        return value
      end
    end
  end

  it("are finite numbers, among them the count of boxes", function()
    for _, backend in ipairs(scene.backends) do
      for dim = 2, 3 do
        local world = broadside.newWorld({ backend = backend, dim = dim })
        for i = 1, 77 do
          if dim == 2 then
            world:insert(i, i, 5, 5, { static = i % 2 == 0 })
          else
            world:insert(i, i, i, 5, 5, 5)
          end
        end
        world:countPairs()
        local counted = false
        for name, value in pairs(figures(world:stats())) do
          assert.is_true(value - value == 0, name)
          counted = counted or value == 77
        end
        assert.is_true(counted, backend)
      end
    end
  end)

  it("tell how much memory the world has, in bytes", function()
    for _, backend in ipairs(scene.backends) do
      local world = broadside.newWorld({ backend = backend })
      local before = memory(world)
      assert.is_true(before > 0)
      local flat = {}
      for i = 1, 4 * 20000 do
        flat[i] = 1 + i % 1000
      end
      world:insertMany(flat)
      assert.is_true(memory(world) > before + 20000 * 16, backend)
    end
  end)
end)
