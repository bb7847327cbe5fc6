-- Pools: movers come and go, fly, end, and are counted; in 2D and 3D.

local broadside = require("broadside")
local child = require("spec.support.child")
local compat = require("spec.support.compat")
local expect = require("spec.support.expect")
local garbageOf = require("spec.support.garbage")
local plane = require("spec.support.plane")
local random = require("spec.support.random")

local nan, huge, unpack, values = compat.nan, compat.huge, compat.unpack, compat.values
local V = plane.vector

local function newPool(dim, opts)
  opts.dim = dim
  return broadside.newPool(opts)
end

local function spawn(pool, p, v, opts)
  return pool:spawn(values(compat.concat(p, v), opts))
end

local function list(pool)
  local ids = {}
  for id in pool:each() do
    ids[#ids + 1] = id
  end
  return ids
end

for dim = 2, 3 do
  describe(("a pool in %dD"):format(dim), function()
    local pool

    before_each(function()
      pool = newPool(dim, { capacity = 10 })
    end)

    -- From -1.5 * 2^971 a step with the largest double reaches (2^53 - 2) * 2^971, rounded. That is
    -- a finite place, but no double can hold the distance.
    it("frees a mover whose way is not finite", function()
      for axis = 1, dim do
        local p, v = V(dim, 0, 0), V(dim, 0, 0)
        p[axis], v[axis] = -1.5 * 2 ^ 971, compat.maxDouble
        spawn(pool, p, v)
        assert.equal(1, (pool:step(1)))
        p[axis] = 0
        spawn(pool, p, v)
        assert.equal(0, (pool:step(1)))
        pool:clear()
      end
    end)

    -- 128 movers, all at rest except one. After two steps all of them move in whole blocks, and
    -- then those from `n` on are freed. The one mover must move in the same way wherever it is in
    -- its block.
    local function blocks(n, one, v, opts)
      local some = newPool(dim, { capacity = 130,
        bounds = dim == 2 and { -100, -100, 200, 200 } or { -100, -100, -100, 200, 200, 200 } })
      local ids = {}
      for i = 1, 128 do
        local is = i == one
        ids[i] = spawn(some, V(dim, 0, 0), is and v or V(dim, 0, 0), is and opts or nil)
      end
      for _ = 1, 2 do
        assert.equal(0, (some:step(1)))
      end
      for i = 128, n + 1, -1 do
        some:free(ids[i])
      end
      return some, ids[one]
    end

    local PLACES = { { 128, 1 }, { 128, 128 }, { 127, 127 }, { 65, 65 }, { 64, 64 }, { 63, 63 },
      { 63, 62 }, { 1, 1 } }

    it("frees a mover that leaves, wherever it stands in a block", function()
      for _, place in ipairs(PLACES) do
        for axis = 1, dim do
          for sign = -1, 1, 2 do
            local v = V(dim, 0, 0)
            v[axis] = sign * 40
            local some, id = blocks(place[1], place[2], v)
            assert.is_true(some:isAlive(id))
            assert.equal(1, (some:step(1)))
            assert.is_false(some:isAlive(id))
          end
        end
      end
    end)

    it("frees a mover whose life ends, wherever it stands in a block", function()
      for _, place in ipairs(PLACES) do
        local some, id = blocks(place[1], place[2], V(dim, 1, 0), { life = 3 })
        assert.is_true(some:isAlive(id))
        assert.equal(1, (some:step(1)))
        assert.is_false(some:isAlive(id))
      end
    end)

    it("accelerates the only mover that has an acceleration", function()
      for _, place in ipairs(PLACES) do
        for axis = 1, dim do
          local a = V(dim, 0, 0)
          a[axis] = 2
          local opts = { ax = a[1], ay = a[2], az = a[3] }
          local some, id = blocks(place[1], place[2], V(dim, 0, 0), opts)
          some:step(1)
          local expected = V(dim, 0, 0) -- by 2, then 4, then 6
          expected[axis] = 12
          a[axis] = 6
          assert.same(compat.concat(expected, a), { some:get(id) })
        end
      end
    end)

    it("takes sizes of 0 from a model, not from the pool", function()
      local wide = newPool(dim, { capacity = 2, w = 4, h = 4, d = dim == 3 and 4 or nil })
      local point = broadside.newModel({ dim = dim, w = 0, h = 0, d = dim == 3 and 0 or nil })
      spawn(wide, V(dim, 0, 0), V(dim, 10, 0), { model = point })
      spawn(wide, V(dim, 0, 0), V(dim, 10, 0))
      wide:step(1)
      local times = {}
      local wall = dim == 2 and { 5, -9, 1, 18 } or { 5, -9, -9, 1, 18, 18 }
      for _, t in wide:hitsRect(unpack(wall)) do
        times[#times + 1] = t
      end
      assert.same({ 0.5, 0.3 }, times) -- after a distance of 5, and after 5 - 4 / 2
    end)

    -- The place is finite, but the far side of the box is not.
    it("frees a mover whose box reaches beyond the doubles, on each axis and side", function()
      for axis = 1, dim do
        for sign = -1, 1, 2 do
          local v = V(dim, 0, 0)
          v[axis] = sign * 1.7e308
          spawn(pool, V(dim, 0, 0), v, { w = 1e308, h = 1e308, d = dim == 3 and 1e308 or nil })
          v[axis] = sign * 1e308
          local stays = spawn(pool, V(dim, 0, 0), v,
            { w = 1e308, h = 1e308, d = dim == 3 and 1e308 or nil })
          assert.equal(1, (pool:step(1)))
          assert.is_true(pool:isAlive(stays))
          pool:clear()
        end
      end
    end)

    it("gives back what was spawned", function()
      local id = spawn(pool, V(dim, 0.1, -2), V(dim, 3, 4e100), { tag = -7 })
      assert.is_number(id)
      assert.same(compat.concat(V(dim, 0.1, -2), V(dim, 3, 4e100)), { pool:get(id) })
      assert.equal(-7, pool:getTag(id))
      assert.is_true(pool:isAlive(id))
      assert.equal(1, pool:count())
      assert.equal(10, pool:capacity())
      assert.equal(0, pool:getTag(spawn(pool, V(dim, 0, 0), V(dim, 0, 0))))
    end)

    it("gives nil when it is full, and counts that", function()
      for i = 1, 10 do
        assert.is_number(spawn(pool, V(dim, i, 0), V(dim, 0, 0)))
      end
      assert.is_nil(spawn(pool, V(dim, 11, 0), V(dim, 0, 0)))
      assert.equal(10, pool:count())
      assert.equal(1, pool:stats().dropped)
      assert.is_true(pool:free(list(pool)[3]))
      assert.is_number(spawn(pool, V(dim, 11, 0), V(dim, 0, 0)))
      assert.is_nil(spawn(pool, V(dim, 12, 0), V(dim, 0, 0)))
    end)

    it("refuses stale and doubled frees, also after the slot was used again", function()
      local id = spawn(pool, V(dim, 1, 1), V(dim, 0, 0))
      assert.is_true(pool:free(id))
      assert.is_false(pool:free(id))
      local other = spawn(pool, V(dim, 2, 2), V(dim, 0, 0))
      assert.is_not_equal(id, other)
      assert.is_false(pool:free(id))
      assert.is_false(pool:isAlive(id))
      assert.is_true(pool:isAlive(other))
      assert.equal(1, pool:count())
      for _, never in ipairs({ 0, -1, 5, 2 ^ 53, 2 ^ 60, -2 ^ 60 }) do
        assert.is_false(pool:free(never))
        assert.is_false(pool:isAlive(never))
      end
    end)

    it("never gives an id twice", function()
      local seen = {}
      for i = 1, 5000 do
        local id = spawn(pool, V(dim, i, 0), V(dim, 0, 0))
        assert.is_nil(seen[id])
        assert.equal(id, id + 1 - 1)
        assert.is_true(id > 0 and id < 2 ^ 53)
        seen[id] = true
        if i % 3 ~= 0 or pool:count() == 10 then
          pool:free(list(pool)[1 + i % pool:count()])
        end
      end
    end)

    it("adds acceleration to velocity, then velocity to place", function()
      local opts = { ax = 2, ay = -4 }
      local id = spawn(pool, V(dim, 1, 2, 3), V(dim, 10, 20, 30), opts)
      local still = spawn(pool, V(dim, 5, 5), V(dim, 0, 0))
      assert.same({ 0, 0 }, { pool:step(0.5) })
      assert.same(compat.concat(V(dim, 6.5, 11, 18), V(dim, 11, 18, 30)), { pool:get(id) })
      pool:step(0.25)
      assert.same(compat.concat(V(dim, 9.375, 15.25, 25.5), V(dim, 11.5, 17, 30)),
        { pool:get(id) })
      assert.same(compat.concat(V(dim, 5, 5), V(dim, 0, 0)), { pool:get(still) })
      pool:step(0)
      assert.same(compat.concat(V(dim, 9.375, 15.25, 25.5), V(dim, 11.5, 17, 30)),
        { pool:get(id) })
    end)

    it("adds up like plain doubles, step after step", function()
      local id = spawn(pool, V(dim, 0.1, 1e9), V(dim, 0.7, -0.3))
      local x, y = 0.1, 1e9
      for i = 1, 300 do
        local dt = i % 2 == 0 and 1 / 60 or 1 / 144
        pool:step(dt)
        x, y = x + 0.7 * dt, y + -0.3 * dt
        local gotX, gotY = pool:get(id)
        assert.equal(x, gotX)
        assert.equal(y, gotY)
      end
    end)

    it("puts a mover somewhere else", function()
      local id = spawn(pool, V(dim, 1, 1), V(dim, 2, 2))
      pool:step(1)
      pool:set(id, values(compat.concat(V(dim, 50, 60), V(dim, -1, -2))))
      assert.same(compat.concat(V(dim, 50, 60), V(dim, -1, -2)), { pool:get(id) })
      pool:step(1)
      assert.same(compat.concat(V(dim, 49, 58), V(dim, -1, -2)), { pool:get(id) })
    end)

    it("ends lives after as many steps", function()
      local ids = {}
      for life = 1, 4 do
        ids[life] = spawn(pool, V(dim, 0, 0), V(dim, 1, 0), { life = life })
      end
      local endless = spawn(pool, V(dim, 0, 0), V(dim, 1, 0))
      for step = 1, 6 do
        local freed = pool:step(1)
        assert.equal(step <= 4 and 1 or 0, freed)
        for life = 1, 4 do
          assert.equal(life > step, pool:isAlive(ids[life]))
        end
        assert.is_true(pool:isAlive(endless))
      end
    end)

    it("frees movers that are wholly out of the bounds", function()
      local bounds = dim == 2 and { 0, 0, 100, 50 } or { 0, 0, 0, 100, 50, 20 }
      pool = newPool(dim, { capacity = 200, w = 4, h = 4, d = dim == 3 and 4 or nil,
        bounds = bounds })
      local place = { [1] = 50, [2] = 25, [3] = 10 }
      for axis = 1, dim do
        for _, side in ipairs({ -1, 1 }) do
          local edge = side < 0 and 0 or bounds[dim + axis]
          for _, row in ipairs({ { 0, true }, { 1, true }, { 1.5, true }, { 2, false },
            { 3, false } }) do
            local p, v = {}, {}
            for i = 1, dim do
              p[i], v[i] = place[i], 0
            end
            v[axis] = edge + side * row[1] - p[axis]
            local id = spawn(pool, p, v)
            pool:step(1)
            assert.equal(row[2], pool:isAlive(id),
              ("axis %d, %g beyond %g"):format(axis, row[1], edge))
            pool:clear()
          end
        end
      end
    end)

    it("frees points that are not strictly within the bounds", function()
      local bounds = dim == 2 and { 0, 0, 10, 10 } or { 0, 0, 0, 10, 10, 10 }
      pool = newPool(dim, { capacity = 9, bounds = bounds })
      local inside = spawn(pool, V(dim, 5, 5, 5), V(dim, 4.75, 0))
      local edge = spawn(pool, V(dim, 5, 5, 5), V(dim, 5, 0))
      assert.equal(1, (pool:step(1)))
      assert.is_true(pool:isAlive(inside))
      assert.is_false(pool:isAlive(edge))
    end)

    it("frees movers that would leave the finite numbers", function()
      local ids = {
        spawn(pool, V(dim, 0, 0), V(dim, 1e308, 0)),
        spawn(pool, V(dim, 1.5e308, 0), V(dim, 1e308, 0)),
        spawn(pool, V(dim, 0, 0), V(dim, 1, 1e308), { ay = 1.7e308 }),
      }
      assert.equal(2, (pool:step(1)))
      assert.is_true(pool:isAlive(ids[1]))
      assert.equal(1, (pool:step(1)))
      assert.equal(0, pool:count())
    end)

    it("has its movers in a defined order: a freed one gives its place to the last", function()
      local ids = {}
      for i = 1, 6 do
        ids[i] = spawn(pool, V(dim, i, 10 * i), V(dim, 0, 0))
      end
      assert.same(ids, list(pool))
      pool:free(ids[2])
      assert.same({ ids[1], ids[6], ids[3], ids[4], ids[5] }, list(pool))
      local out, n = pool:collect()
      assert.equal(5, n)
      local expected = {}
      for _, i in ipairs({ 1, 6, 3, 4, 5 }) do
        expected = compat.concat(expected, V(dim, i, 10 * i))
      end
      assert.same(expected, out)
    end)

    it("collects into a table, and clears what stood behind", function()
      local out = { 9, 9, 9, 9, 9, 9, 9, 9 }
      spawn(pool, V(dim, 1, 2), V(dim, 0, 0))
      local got, n = pool:collect(out)
      assert.equal(out, got)
      assert.equal(1, n)
      assert.same(V(dim, 1, 2), out)
      pool:clear()
      assert.same({ {}, 0 }, { pool:collect(out) })
      for i = 1, 9 do
        spawn(pool, V(dim, i, i), V(dim, 0, 0))
      end
      assert.equal(9, (select(2, pool:collect(out))))
      assert.equal(9 * dim, #out)
    end)

    it("has loops that neither skip movers nor visit them twice, whatever they free", function()
      for seed = 1, 30 do
        local rng = random.new(seed)
        pool = newPool(dim, { capacity = 40 })
        local known = {}
        for i = 1, 30 do
          known[i] = spawn(pool, V(dim, i, 0), V(dim, 0, 0))
        end
        local seen, freed = {}, {}
        for id, x in pool:each() do
          assert.is_nil(seen[id])
          assert.is_nil(freed[id])
          assert.equal(x, (pool:get(id)))
          seen[id] = true
          for _ = 1, rng:int(0, 2) do
            local victim = rng:chance(0.5) and id or rng:pick(known)
            freed[victim] = pool:free(victim) or freed[victim]
            spawn(pool, V(dim, 99, 0), V(dim, 0, 0))
          end
        end
        for _, id in ipairs(known) do
          assert.is_true(seen[id] or freed[id])
        end
      end
    end)

    it("has loops that can be nested and broken off", function()
      for i = 1, 4 do
        spawn(pool, V(dim, i, 0), V(dim, 0, 0))
      end
      local n = 0
      for _ = 1, 20 do
        for id in pool:each() do
          for _ in pool:each() do
            n = n + 1
          end
          if id then
            break
          end
        end
      end
      assert.equal(80, n)
    end)

    it("tells its figures", function()
      spawn(pool, V(dim, 0, 0), V(dim, 0, 0), { life = 1 })
      pool:free(spawn(pool, V(dim, 0, 0), V(dim, 0, 0)))
      spawn(pool, V(dim, 0, 0), V(dim, 0, 0))
      pool:step(1)
      local stats = pool:stats()
      for name in pairs(stats) do
        assert.equal(tostring(math.floor(stats[name])), tostring(stats[name])) -- without ".0"
      end
      assert.is_true(stats.memory > 10 * 8 * 4 * dim)
      stats.memory = nil
      assert.same({ count = 1, capacity = 10, emitters = 0, spawned = 3, freed = 2, dropped = 0 },
        stats)
      assert.equal(("Pool (%dD, 1 of 10 movers)"):format(dim), tostring(pool))
    end)

    it("makes no garbage in a frame", function()
      local world = broadside.newWorld({ dim = dim, results = "id" })
      local flat = dim == 2 and { 4, -5, 2, 10 } or { 4, -5, -5, 2, 10, 10 }
      world:insert(unpack(flat))
      pool = newPool(dim, { capacity = 100 })
      pool:newEmitter({ nway = 3, nwayAngle = 0.1, speed = 1, cycle = 2,
        model = broadside.newModel({ dim = dim, life = 20 }) })
      local out = {}
      local function frame()
        pool:step(1)
        pool:collect(out)
        for id in pool:hits(world) do
          pool:free(id)
        end
        for id in pool:hitsRect(unpack(flat)) do
          pool:free(id)
        end
        for id, x in pool:each() do
          assert(pool:get(id) == x)
        end
      end
      assert.equal(0, garbageOf(frame, 200))
    end)
  end)

  describe(("errors of pools in %dD"):format(dim), function()
    local pool, id

    before_each(function()
      pool = newPool(dim, { capacity = 5 })
      id = spawn(pool, V(dim, 1, 2), V(dim, 3, 4))
    end)

    -- Asserts that f raises an error with both texts, and that the pool is unchanged.
    local function raises(first, second, f, ...)
      expect.refused({ first, second }, f, ...)
      assert.equal(1, pool:count())
      assert.same(compat.concat(V(dim, 1, 2), V(dim, 3, 4)), { pool:get(id) })
    end

    it("name each option of newPool", function()
      local sizes = dim == 2 and { "w", "h" } or { "w", "h", "d" }
      local bounds4 = "table of " .. 2 * dim .. " finite numbers expected, got "
      local items = 2 * dim .. " numbers in the list expected, got "
      local BAD = {
        capacity = { { 0, "got 0" }, { -1, "got -1" }, { 1.5, "got 1.5" }, { nan, "got nan" },
          { "10", "got string" }, { 2 ^ 26, "got 67108864" }, { true, "got boolean" } },
        bounds = { { 1, bounds4 }, { {}, items .. "0" }, { { 1, 2, 3 }, items .. "3" } },
        mask = { { 1.5, "32-bit integer expected, got 1.5" }, { "x", "got string" },
          { 2 ^ 32, "got 4294967296" } },
        dim = { { 4, "got 4" }, { "2", "got string" } },
      }
      for _, name in ipairs(sizes) do
        BAD[name] = { { -1, "size >= 0 expected, got -1" }, { nan, "got nan" },
          { huge, "finite number expected, got inf" }, { "4", "got string" } }
      end
      for name, rows in pairs(BAD) do
        for _, row in ipairs(rows) do
          local opts = { capacity = 5, dim = dim, [name] = row[1] }
          raises("bad argument #1 to 'newPool' (option '" .. name .. "': ", row[2],
            broadside.newPool, opts)
        end
      end
      local flat = dim == 2 and { 0, 0, 0, 1 } or { 0, 0, 0, 1, 0, 1 }
      raises("option 'bounds'", "sizes > 0 expected, got 0", broadside.newPool,
        { capacity = 5, dim = dim, bounds = flat })
      local wide = dim == 2 and { 1e308, 0, 1e308, 1 } or { 1e308, 0, 0, 1e308, 1, 1 }
      raises("option 'bounds'", "finite far sides expected, got inf", broadside.newPool,
        { capacity = 5, dim = dim, bounds = wide })
      flat[1] = "x"
      raises("option 'bounds'", "finite number as item 1 expected, got string", broadside.newPool,
        { capacity = 5, dim = dim, bounds = flat })
      raises("bad argument #1 to 'newPool'", "unknown option 'foo'", broadside.newPool,
        { capacity = 5, dim = dim, foo = 1 })
      raises("bad argument #1 to 'newPool'", "integer from 1 to 67108863 expected, got no value",
        broadside.newPool, { dim = dim })
      raises("bad argument #1 to 'newPool'", "table expected, got ", broadside.newPool)
    end)

    it("name each option of spawn", function()
      local numbers = compat.concat(V(dim, 1, 1), V(dim, 1, 1))
      local other = broadside.newModel({ dim = 5 - dim })
      local BAD = {
        life = { 0, -1, 1.5, nan, "1", 2 ^ 31 }, tag = { 1.5, nan, "x", {}, huge },
        mask = { 1.5, "x", 2 ^ 32 }, model = { 1, "self", {}, other, pool },
        ax = { nan, "x" }, ay = { huge, {} }, w = { -1, nan, "x" }, h = { -1, huge },
      }
      if dim == 3 then
        BAD.d, BAD.az = { -1, "x" }, { nan }
      end
      for name, bads in pairs(BAD) do
        for _, bad in ipairs(bads) do
          raises(("bad argument #%d to 'spawn' (option '%s': "):format(2 * dim + 1, name),
            " expected, got ", pool.spawn, pool, values(numbers, { [name] = bad }))
        end
      end
      raises(("bad argument #%d to 'spawn'"):format(2 * dim + 1), "unknown option 'vx'",
        pool.spawn, pool, values(numbers, { vx = 1 }))
      raises("bad argument #1 to 'spawn'", "sides are finite", pool.spawn, pool,
        values(compat.concat(V(dim, 1.7e308, 0), V(dim, 0, 0)), { w = 1.7e308 }))
    end)

    it("name the place from which a mover would reach beyond the doubles", function()
      local numbers = compat.concat(V(dim, 1, 1), V(dim, 1, 1))
      local wide = broadside.newPool({ dim = dim, capacity = 1, w = 1e308, h = 0 })
      local far = compat.concat(V(dim, 1.7e308, 1), V(dim, 1, 1))
      local inWide = wide:spawn(unpack(numbers))
      local finite = "a position where the mover's sides are finite expected, got 1.7e+308"
      raises("bad argument #2 to 'set'", finite, wide.set, wide, inWide, unpack(far))
      raises("bad argument #1 to 'spawn'", finite, wide.spawn, wide, unpack(far))
      far[1], far[2] = far[2], far[1]
      raises("bad argument #2 to 'spawn'", finite, wide.spawn, wide, values(far, { h = 1e308 }))
      assert.same(numbers, { wide:get(inWide) })
    end)
  end)
end

describe("memory of pools", function()
  it("is freed with them, in any order", function()
    local weak = setmetatable({}, { __mode = "v" })
    local function make()
      local pool = broadside.newPool({ capacity = 100 })
      local model = broadside.newModel({ emitters = { { model = "self" } } })
      local emitter = pool:newEmitter({ model = model })
      pool:step(1)
      local f, volley = pool:each()
      f(volley)
      weak[1], weak[2], weak[3] = pool, model, emitter
    end
    make()
    for _ = 1, 4 do
      collectgarbage()
    end
    assert.is_nil(next(weak))
  end)

  it("is kept by emitters and loops, and models by movers", function()
    local pool = broadside.newPool({ capacity = 100 })
    local emitter = pool:newEmitter({
      model = broadside.newModel({ tag = 5, emitters = { { model = broadside.newModel({
        tag = 6 }) } } }),
    })
    local f, volley = pool:each()
    pool = nil -- luacheck: no unused
    collectgarbage()
    collectgarbage()
    assert.equal(-1, emitter:getCount())
    assert.is_nil(f(volley))
    emitter:setPosition(1, 2)
  end)

  it("may run out when a pool is made", function()
    if not child.available or child.sanitized or compat.isLuaJIT then
      pending("memory cannot be limited here") -- LuaJIT may end the process when memory runs out
      return
    end
    local code, output = child.run([[
      local broadside = require("broadside")
      local keep = broadside.newPool({ capacity = 10 })
      local id = keep:spawn(1, 2, 3, 4)
      for dim = 2, 3 do
        local ok, message = pcall(broadside.newPool, { capacity = 60000000, dim = dim })
        assert(not ok and tostring(message):find("not enough memory", 1, true), message)
      end
      collectgarbage()
      local pool = broadside.newPool({ capacity = 10000 })
      for _ = 1, 10001 do
        pool:spawn(0, 0, 1, 1)
      end
      assert(pool:count() == 10000 and keep:isAlive(id))
      print("fine")
    ]], 300000)
    assert.equal(0, code, output)
    assert.is_truthy(output:find("fine", 1, true), output)
  end)
end)

-- Finalisers that run in the middle of a call may spawn movers with other models.
describe("models", function()
  local function spawnWhileFinalising(pool, skip, fire, call)
    local model = broadside.newModel({ life = 50, emitters = { { count = 1, circle = 2 } } })
    local other = broadside.newModel({ life = 50, emitters = { { count = 1, circle = 2 } } })
    local inside, calls = false, 0
    local options = { model = model }
    local function finaliser()
      calls = calls + (inside and 1 or 0)
      if inside and calls == skip then
        fire(other)
      end
    end
    local function garbage()
      if newproxy then
        getmetatable(newproxy(true)).__gc = finaliser
      else
        setmetatable({}, { __gc = finaliser })
      end
    end
    for _ = 1, 60 do
      garbage()
    end
    collectgarbage("setpause", 1)
    collectgarbage("setstepmul", 1000)
    inside = true
    call(options)
    inside = false
    collectgarbage("setpause", 200)
    collectgarbage("setstepmul", 200)
    return pool
  end

  it("live as long as their movers, whatever finalisers do meanwhile", function()
    for skip = 1, 40 do
      for _, fires in ipairs({ true, false }) do
        local pool = broadside.newPool({ capacity = 10 })
        spawnWhileFinalising(pool, skip, function(other)
          local id = pool:spawn(0, 0, 0, 0, { model = other })
          if fires then
            pool:free(id)
          end
        end, function(options)
          if fires then
            pool:newEmitter(options)
          else
            pool:spawn(0, 0, 0, 0, options)
          end
        end)
        collectgarbage()
        collectgarbage()
        pool:step(1)
        pool:step(1)
        assert.is_true(pool:count() <= 10)
      end
    end
  end)
end)
