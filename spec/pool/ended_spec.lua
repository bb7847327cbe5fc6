-- Movers that end in a step still hit what they flew through in that step; in 2D and 3D.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local expect = require("spec.support.expect")
local plane = require("spec.support.plane")

local unpack, values = compat.unpack, compat.values
local V, R = plane.vector, plane.rect
local refused = expect.refused

local function spawn(pool, p, v, opts)
  return pool:spawn(values(compat.concat(p, v), opts))
end

-- The ids of an iterator, in order.
local function idsOf(f, state)
  local list = {}
  for id in f, state do
    list[#list + 1] = id
  end
  return list
end

local function firstRow(f, state)
  return { f(state) }
end

for dim = 2, 3 do
  describe(("movers that end in a step, in %dD,"):format(dim), function()
    local world, wall, pool

    local function newPool(opts)
      opts.dim, opts.w, opts.h = dim, 2, 2
      return broadside.newPool(opts)
    end

    before_each(function()
      world = broadside.newWorld({ dim = dim })
      wall = world:insert(unpack(R(dim, 10, -5, 2, 10)))
      pool = newPool({ capacity = 4, bounds = R(dim, -50, -50, 100, 100) })
    end)

    -- Asserts that each way to ask returns this mover's hit, and nothing else.
    local function hitsOnce(id, t)
      local row = { id, wall, t, values(V(dim, 9, 0), unpack(V(dim, -1, 0))) }
      assert.same(row, firstRow(pool:hits(world)))
      assert.same({ id }, idsOf(pool:hits(world)))
      assert.same({ id }, idsOf(pool:hits(world, wall:getFilter())))
      assert.same({ id }, idsOf(pool:hits(world, function(box, mover)
        assert.equal(wall, box)
        return mover == id
      end)))
      table.remove(row, 2)
      assert.same(row, firstRow(pool:hitsBox(wall)))
      assert.same({ id }, idsOf(pool:hitsBox(wall)))
      assert.same({ id }, idsOf(pool:hitsRect(unpack(R(dim, 10, -5, 2, 10)))))
      assert.same({}, idsOf(pool:hits(world, wall)))
    end

    local function isGone(id)
      assert.is_false(pool:isAlive(id))
      for _, name in ipairs({ "get", "getTag" }) do
        refused("mover was freed", pool[name], pool, id)
      end
      assert.same({}, idsOf(pool:hits(world)))
      assert.same({}, idsOf(pool:hitsRect(unpack(R(dim, -1e6, -1e6, 2e6, 2e6)))))
    end

    it("have hit what they passed through, in whatever way they end", function()
      for _, case in ipairs({ { 200 }, { 200, 1 }, { 20, 1 } }) do
        local id = spawn(pool, V(dim, 0, 0), V(dim, case[1], 0), { life = case[2], tag = 7 })
        assert.same({ 1, 0 }, { pool:step(1) })
        assert.equal(0, pool:count())
        hitsOnce(id, 9 / case[1])
        pool:step(1)
        isGone(id)
      end
    end)

    it("are not alive, and not counted, listed or drawn", function()
      local id = spawn(pool, V(dim, 0, 0), V(dim, 200, 3), { tag = 7 })
      pool:step(1)
      assert.is_false(pool:isAlive(id))
      assert.equal(0, #pool)
      assert.same({}, idsOf(pool:each()))
      assert.same({ {}, 0 }, { pool:collect() })
      local stats = pool:stats()
      assert.same({ 0, 1, 1 }, { stats.count, stats.spawned, stats.freed })
      pool:set(id, unpack(compat.concat(V(dim, 0, 0), V(dim, 0, 0)))) -- this must have no effect
      assert.is_false(pool:isAlive(id))
      assert.equal(0, #pool)
    end)

    it("tell their tag, and where they ended, until the next step", function()
      local id = spawn(pool, V(dim, 0, 0), V(dim, 200, 3), { tag = 7, ax = 10 })
      pool:step(0.5)
      assert.equal(7, pool:getTag(id))
      assert.same(compat.concat(V(dim, 102.5, 1.5), V(dim, 205, 3)), { pool:get(id) })
      pool:step(0)
      isGone(id)
    end)

    it("are not there at all where their way is not finite", function()
      local id = spawn(pool, V(dim, 0, 0), V(dim, 1e308, 0), { life = 1 })
      local other = spawn(pool, V(dim, 0, 0), V(dim, 1e308, 0))
      assert.equal(2, (pool:step(1e10)))
      isGone(id)
      isGone(other)
    end)

    it("come after those that fly on, in the order that they had", function()
      local ids = {}
      pool = newPool({ capacity = 9 })
      for i = 1, 9 do
        ids[i] = spawn(pool, V(dim, 0, 0), V(dim, 20, 0), { life = i % 3 == 2 and 5 or 1 })
      end
      assert.equal(6, (pool:step(1)))
      -- The movers ended from the last one to the first. Each time, the last mover took the free
      -- place.
      local order = { ids[5], ids[2], ids[8], ids[1], ids[3], ids[4], ids[6], ids[7], ids[9] }
      local live = idsOf(pool:each())
      for i = 1, 3 do
        order[i] = live[i]
      end
      assert.same(order, idsOf(pool:hits(world)))
      assert.same(order, idsOf(pool:hitsBox(wall)))
      assert.same(order, idsOf(pool:hits(world, function() return true end)))
    end)

    it("are passed over once they were freed or cleared within the loop", function()
      local ids = {}
      for i = 1, 4 do
        ids[i] = spawn(pool, V(dim, 0, 0), V(dim, 200, 0))
      end
      pool:step(1)
      local seen = {}
      for id in pool:hits(world) do
        seen[#seen + 1] = id
        assert.is_false(pool:free(id)) -- it has already ended, but now its hits are gone, too
        pool:free(ids[3])
      end
      assert.same({ ids[1], ids[2], ids[4] }, seen)
      assert.same({}, idsOf(pool:hitsBox(wall)))
      for _, id in ipairs(ids) do
        isGone(id)
      end
      for i = 1, 4 do
        ids[i] = spawn(pool, V(dim, 0, 0), V(dim, 200, 0))
      end
      pool:step(1)
      seen = {}
      for id in pool:hitsBox(wall) do
        seen[#seen + 1] = id
        pool:clear()
      end
      assert.same({ ids[1] }, seen)
      isGone(ids[2])
    end)

    it("hit one thing only where each loop frees what it has seen", function()
      local player = world:insert(unpack(R(dim, 20, -5, 2, 10)))
      local id = spawn(pool, V(dim, 0, 0), V(dim, 200, 0))
      pool:step(1)
      for mover in pool:hitsBox(player) do
        assert.equal(id, mover)
        pool:free(mover)
      end
      assert.same({}, idsOf(pool:hits(world)))
    end)

    it("are passed over once the loop has stepped the pool", function()
      spawn(pool, V(dim, 0, 0), V(dim, 200, 0))
      local second = spawn(pool, V(dim, 0, 0), V(dim, 200, 0))
      pool:step(1)
      local n = 0
      for _ in pool:hits(world) do
        n = n + 1
        pool:step(1)
      end
      assert.equal(1, n)
      isGone(second)
    end)

    it("leave their room to what is spawned, the first of them first", function()
      local ids = {}
      for i = 1, 4 do
        ids[i] = spawn(pool, V(dim, 0, 0), V(dim, i == 2 and 15 or 200, 0))
      end
      pool:step(1)
      assert.equal(1, pool:count())
      assert.same({ ids[2], ids[1], ids[3], ids[4] }, idsOf(pool:hits(world)))
      local seen = {}
      for i = 1, 3 do
        assert.is_number(spawn(pool, V(dim, 0, 0), V(dim, 1, 0)))
        assert.equal(1 + i, pool:count())
        seen[i] = idsOf(pool:hits(world))
      end
      assert.same({ { ids[2], ids[3], ids[4] }, { ids[2], ids[4] }, { ids[2] } }, seen)
      assert.is_nil(spawn(pool, V(dim, 0, 0), V(dim, 1, 0)))
      assert.equal(1, pool:stats().dropped)
      refused("mover was freed", pool.get, pool, ids[4])
    end)

    it("leave their room to the emitters of the next step", function()
      local spark = broadside.newModel({ dim = dim, life = 1 })
      pool:newEmitter({ circle = 4, speed = 0, model = spark })
      for step = 1, 5 do
        assert.same({ step % 2 == 0 and 4 or 0, step % 2 == 1 and 4 or 0 },
          { pool:step(1) })
      end
    end)

    it("may fire in the step in which they end", function()
      local spark = broadside.newModel({ dim = dim })
      local shell = broadside.newModel({ dim = dim, life = 1, emitters = { { model = spark } } })
      local id = spawn(pool, V(dim, 0, 0), V(dim, 20, 0), { model = shell })
      assert.same({ 1, 1 }, { pool:step(1) })
      hitsOnce(id, 0.45)
      assert.same({ 0, 0 }, { pool:step(1) })
    end)

    it("have hit nothing that they ended before", function()
      spawn(pool, V(dim, 0, 0), V(dim, 5, 0), { life = 1 })
      spawn(pool, V(dim, 60, 0), V(dim, 5, 0))
      pool:step(1)
      assert.same({}, idsOf(pool:hits(world)))
    end)

    it("have hit with their own size, when only small ones fly on", function()
      pool = broadside.newPool({ dim = dim, capacity = 4 })
      local id = spawn(pool, V(dim, 0, 0), V(dim, 1, 0), { w = 30, h = 2, life = 1 })
      pool:step(1)
      spawn(pool, V(dim, -90, 0), V(dim, 0, 0))
      assert.same({ id }, idsOf(pool:hitsBox(wall)))
    end)

    it("can be asked about, but not freed, by a filter function", function()
      local id = spawn(pool, V(dim, 0, 0), V(dim, 200, 0), { tag = 5 })
      pool:step(1)
      local asked = 0
      pool:hits(world, function(_, mover)
        asked = asked + 1
        assert.equal(5, pool:getTag(mover))
        refused("pool is busy", pool.free, pool, id)
      end)
      assert.equal(1, asked)
      hitsOnce(id, 0.045)
    end)
  end)
end
