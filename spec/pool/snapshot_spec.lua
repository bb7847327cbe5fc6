-- Snapshots of pools. Everything in a pool is restored, from a Snapshot and from a string, in 2D
-- and 3D.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local expect = require("spec.support.expect")
local plane = require("spec.support.plane")
local random = require("spec.support.random")
local rollback = require("spec.support.rollback")

local unpack, values = compat.unpack, compat.values
local V, R = plane.vector, plane.rect
local refused = expect.refused

local function spawn(pool, dim, x, y, vx, opts)
  return pool:spawn(values(compat.concat(V(dim, x, y), V(dim, vx, 0)), opts))
end

-- A pool with some of everything: movers with and without options, some that have just ended, free
-- slots, emitters with and without Models, and movers that carry emitters.
local function newFull(dim, models)
  local p = rollback.new(dim, "auto", 3)
  if models then
    p.models = models
  end
  for number = 1, 25 do
    p:frame(number)
  end
  spawn(p.pool, dim, 0, 0, 30, { life = 1, tag = -5, w = 3, mask = 6 })
  spawn(p.pool, dim, 0, 0, 1, { model = p.models[2], ax = -0.5 })
  p.pool:newEmitter({ count = 3, delay = 2, model = p.models[3], speed = 2 })
  p.pool:step(0.5)
  spawn(p.pool, dim, 1, 1, 2)
  return p
end

local function hashOf(pool)
  return pool:snapshot():getHash()
end

-- Strings --------------------------------------------------------------------------------------

-- The last 8 bytes of a string are a checksum of all others. This function corrects it. It needs
-- integers of 64 bits; on other versions of Lua, no damaged string passes the check.
local seal = (rawget(_G, "loadstring") or load)([[
  return function(bytes)
    local at, n = bytes:sub(1, -9), #bytes - 8
    local m = 0xc6a4a7935bd1e995
    local h = n * m
    for i = 1, n, 8 do
      local k = ("<I8"):unpack((at:sub(i, i + 7) .. ("\0"):rep(8)):sub(1, 8)) * m
      h = (h ~ (k ~ k >> 47) * m) * m
    end
    h = (h ~ h >> 47) * m
    return at .. ("<I8"):pack(h ~ h >> 47)
  end
]])
seal = seal and seal() or function(bytes) return bytes end

-- Asserts that damaged bytes are either refused with a reason and without any change, or restored
-- to a pool that goes on, and whose own string can be restored.
local function isSafe(pool, before, bytes)
  local ok, message = pcall(pool.restore, pool, bytes)
  if not ok then
    assert.is_truthy(message:find("this string ", 1, true), message)
    assert.equal(before:getHash(), hashOf(pool))
    return false
  end
  local text = pool:snapshot():getString()
  pool:step(1)
  pool:step(0.5)
  pool:restore(text)
  assert.equal(text, pool:snapshot():getString())
  pool:restore(before)
  return true
end

for dim = 2, 3 do
  describe(("a snapshot of a pool in %dD"):format(dim), function()
    it("brings back all that can be seen, and what comes after it", function()
      for _, how in ipairs({ "snapshot", "string", "string into another pool" }) do
        local p = newFull(dim)
        local snapshot, made = p.pool:snapshot(), p.made
        local boxes = p.world:snapshot()
        local hash, seen = snapshot:getHash(), p:describe()
        local later = { p:frame(100), p:frame(101), p:frame(102) }
        local last = hashOf(p.pool)
        assert.is_not_equal(hash, last)
        if how == "string into another pool" then
          local other = rollback.new(dim, "brute", 3)
          other.world = p.world
          for i = 1, made do
            other.emitters[i] = other.pool:newEmitter()
          end
          p = other
        end
        p.world:restore(boxes)
        p.pool:restore(how == "snapshot" and snapshot or snapshot:getString())
        p.made = made
        assert.equal(hash, hashOf(p.pool))
        assert.equal(seen, p:describe())
        assert.same(later, { p:frame(100), p:frame(101), p:frame(102) })
        assert.equal(last, hashOf(p.pool))
      end
    end)

    it("brings back ids, their order, life, tags and velocities", function()
      local pool = broadside.newPool({ dim = dim, capacity = 4 })
      local a = spawn(pool, dim, 0, 0, 1, { life = 2, tag = 7 })
      local b = spawn(pool, dim, 5, 0, 0, { tag = -3, ax = 1 })
      local c = spawn(pool, dim, 9, 0, 0)
      pool:free(b)
      local snapshot = pool:snapshot()
      local d = spawn(pool, dim, 1, 1, 1)
      pool:clear()
      pool:restore(snapshot)
      local ids = {}
      for id in pool:each() do
        ids[#ids + 1] = id
      end
      assert.same({ a, c }, ids)
      assert.equal(7, pool:getTag(a))
      assert.is_false(pool:isAlive(b))
      assert.is_false(pool:isAlive(d))
      refused("no mover has the id", pool.get, pool, d)
      assert.equal(d, spawn(pool, dim, 1, 1, 1)) -- its id is given out again
      assert.same({ 0, 0 }, { pool:step(1) })
      assert.same({ 1, 0 }, { pool:step(1) })
      assert.is_false(pool:isAlive(a))
    end)

    it("brings back movers that ended in the last step, with what they have hit", function()
      local world = broadside.newWorld({ dim = dim })
      local wall = world:insert(unpack(R(dim, 10, -5, 2, 10)))
      local pool = broadside.newPool({ dim = dim, capacity = 3,
        bounds = R(dim, -50, -50, 100, 100) })
      local gone = spawn(pool, dim, 0, 0, 200, { tag = 4 })
      local old = spawn(pool, dim, 0, 1, 20, { life = 1 })
      local live = spawn(pool, dim, 0, 2, 20)
      pool:step(1)
      local text = pool:snapshot():getString()
      local snapshot = pool:snapshot()
      for _, from in ipairs({ snapshot, text }) do
        pool:step(1)
        pool:clear()
        pool:restore(from)
        local rows = {}
        for id, box, t in pool:hits(world) do
          rows[#rows + 1] = { id, box, t }
        end
        assert.same({ { live, wall, 0.5 }, { gone, wall, 0.05 }, { old, wall, 0.5 } }, rows)
        assert.same({ false, 4, 1 }, { pool:isAlive(gone), pool:getTag(gone), pool:count() })
        assert.same(compat.concat(V(dim, 200, 0), V(dim, 200, 0)), { pool:get(gone) })
      end
    end)

    it("brings back emitters with what is left of their counts", function()
      local pool = broadside.newPool({ dim = dim, capacity = 50 })
      local emitter = pool:newEmitter({ count = 3, cycle = 2, x = 5 })
      pool:step(1)
      local snapshot = pool:snapshot()
      local later = pool:newEmitter({ count = 9 })
      pool:step(1)
      pool:step(1)
      emitter:setPosition(unpack(V(dim, 70, 70)))
      emitter:stop()
      pool:restore(snapshot)
      assert.equal(2, emitter:getCount())
      assert.is_false(later:isActive())
      local spawned = {}
      for i = 1, 5 do
        spawned[i] = select(2, pool:step(1))
      end
      assert.same({ 0, 1, 0, 1, 0 }, spawned)
      pool:restore(snapshot)
      local again = pool:newEmitter({ count = 5 })
      assert.equal(5, later:getCount()) -- it has the same place in the order of emitters
      again:stop()
      assert.is_false(later:isActive())
    end)

    it("keeps the Models that it refers to, and no others", function()
      local weak = setmetatable({}, { __mode = "k" })
      local pool = broadside.newPool({ dim = dim, capacity = 50 })
      local function newCarrier(speed)
        local shot = broadside.newModel({ dim = dim, speed = speed })
        local model = broadside.newModel({ dim = dim, emitters = { { model = shot } } })
        weak[shot], weak[model] = true, true
        return model
      end
      spawn(pool, dim, 0, 0, 0, { model = newCarrier(2) })
      local first = pool:snapshot()
      pool:clear()
      for i = 1, 20 do
        spawn(pool, dim, 0, 0, 0, { model = newCarrier(i) })
        pool:step(1)
        pool:clear()
      end
      compat.collectAll()
      local n = 0
      for _ in pairs(weak) do
        n = n + 1
      end
      assert.is_true(n <= 4, n .. " Models") -- the Snapshot's, and the last ones of the pool
      pool:restore(first)
      compat.collectAll()
      assert.same({ 0, 1 }, { pool:step(1) })
      pool:step(1)
      local speeds = {}
      for id in pool:each() do
        speeds[#speeds + 1] = (select(dim + 1, pool:get(id)))
      end
      assert.same({ 0, 2, 2 }, speeds)
      pool:clear()
      first = nil -- luacheck: no unused
      spawn(pool, dim, 0, 0, 0, { model = newCarrier(1) })
      pool:clear()
      spawn(pool, dim, 0, 0, 0, { model = newCarrier(1) })
      compat.collectAll()
      n = 0
      for _ in pairs(weak) do
        n = n + 1
      end
      assert.equal(2, n)
    end)

    it("brings Models along in a string, also where the pool has none of them", function()
      local p = newFull(dim)
      local text, hash = p.pool:snapshot():getString(), hashOf(p.pool)
      local other = broadside.newPool({ dim = dim, capacity = p.pool:capacity() })
      other:restore(text)
      compat.collectAll()
      assert.equal(hash, hashOf(other))
      for _ = 1, 30 do
        assert.same({ p.pool:step(1) }, { other:step(1) })
        collectgarbage()
        assert.equal(hashOf(p.pool), hashOf(other))
      end
      local snapshot = other:snapshot()
      other:clear()
      compat.collectAll()
      other:restore(snapshot)
      assert.equal(hashOf(p.pool), hashOf(other))
    end)

    it("does not tell Models apart that hold the same", function()
      local hashes = {}
      for i, make in ipairs({ true, false }) do
        local pool = broadside.newPool({ dim = dim, capacity = 9 })
        local model
        for _ = 1, 3 do
          if make or not model then
            local shot = broadside.newModel({ dim = dim, speed = 3 })
            model = broadside.newModel({ dim = dim, emitters = { { model = shot },
              { model = "self" } } })
          end
          pool:newEmitter({ model = model })
        end
        hashes[i] = hashOf(pool)
      end
      assert.equal(hashes[1], hashes[2])
    end)

    it("tells Models apart that differ in anything", function()
      local shot = broadside.newModel({ dim = dim })
      local other = broadside.newModel({ dim = dim, tag = 1 })
      -- How many bytes a pool with two Models takes; copies of the first one that a change makes.
      local function sizeOf(change)
        local pool = broadside.newPool({ dim = dim, capacity = 9 })
        for i = 1, 2 do
          local pattern = { delay = 5, model = shot }
          local options = { dim = dim, emitters = { pattern, { model = "self" } } }
          if i == 2 then
            change(options, pattern)
          end
          pool:newEmitter({ model = broadside.newModel(options) })
        end
        return #pool:snapshot():getString()
      end
      local same = sizeOf(function() end)
      for name, value in pairs({ speed = 2, w = 3, h = 3, ax = 4, ay = 4, life = 5, tag = 6,
        mask = 7 }) do
        assert.is_true(same < sizeOf(function(options)
          options[name] = value
        end), name)
      end
      for name, value in pairs({ x = 1, y = 1, angle = 2, speed = 0, delay = 6, cycle = 4,
        count = 5, nway = 6, nwayAngle = 7, circle = 8, circleOdd = true, relative = true,
        model = other }) do
        assert.is_true(same < sizeOf(function(_, pattern)
          pattern[name] = value
        end), name)
      end
      assert.is_true(same < sizeOf(function(_, pattern) pattern.model = nil end))
      assert.is_true(same < sizeOf(function(options)
        options.emitters[2].model = options.emitters[1].model
      end))
    end)

    it("takes a chain of very many Models", function()
      local model = broadside.newModel({ dim = dim })
      for i = 1, compat.rounds(20000) do
        model = broadside.newModel({ dim = dim, tag = i, emitters = { { model = model },
          { model = model, delay = 1 } } })
      end
      local pool = broadside.newPool({ dim = dim, capacity = 9 })
      spawn(pool, dim, 0, 0, 0, { model = model })
      local text = pool:snapshot():getString()
      pool:restore(text)
      assert.equal(text, pool:snapshot():getString())
    end)

    it("has a hash that says nothing of how the pool came to its state", function()
      local function newPool()
        return broadside.newPool({ dim = dim, capacity = 9 })
      end
      local plain, busy = newPool(), newPool()
      for _ = 1, 70 do
        busy:step(0.5)
      end
      assert.equal(hashOf(plain), hashOf(busy))
      for _, pool in ipairs({ plain, busy }) do
        local id = spawn(pool, dim, 0, 0, 0, { life = 9 })
        pool:newEmitter({ delay = 3, count = 2 })
        if pool == busy then
          pool:set(id, values(compat.concat(V(dim, 8, 8), V(dim, 0, 0))))
        end
        pool:set(id, values(compat.concat(V(dim, 1, 2), V(dim, 3, 4))))
      end
      assert.equal(hashOf(plain), hashOf(busy))
      plain:step(1)
      busy:step(1)
      assert.equal(hashOf(plain), hashOf(busy))
      busy:step(1)
      assert.is_not_equal(hashOf(plain), hashOf(busy))
      assert.is_truthy(hashOf(plain):match("^%x+$"))
      assert.equal(16, #hashOf(plain))
    end)

    it("is written over and returned if it is given", function()
      local pool = broadside.newPool({ dim = dim, capacity = 30 })
      local snapshot = pool:snapshot()
      local empty = snapshot:getHash()
      for i = 1, 30 do
        spawn(pool, dim, i, 0, 1)
        assert.equal(snapshot, pool:snapshot(snapshot))
        assert.equal(hashOf(pool), snapshot:getHash())
      end
      pool:clear()
      pool:restore(snapshot)
      assert.equal(30, pool:count())
      assert.is_not_equal(empty, snapshot:getHash())
    end)

    it("of another pool is refused", function()
      local a = broadside.newPool({ dim = dim, capacity = 3 })
      local b = broadside.newPool({ dim = dim, capacity = 3 })
      local snapshot = b:snapshot()
      local name = "bad argument #1 to '%s' (Snapshot of another pool"
      refused(name:format("restore"), a.restore, a, snapshot)
      refused(name:format("snapshot"), a.snapshot, a, snapshot)
    end)

    it("takes nothing else for a Snapshot", function()
      local pool = broadside.newPool({ dim = dim, capacity = 3 })
      local world = broadside.newWorld({ dim = dim })
      refused("bad argument #1 to 'snapshot'", pool.snapshot, pool, "text")
      refused("is no snapshot of a world", world.restore, world, pool:snapshot():getString())
    end)

    it("that has been finalised is closed, and so is what a pool had", function()
      local pool = broadside.newPool({ dim = dim, capacity = 3 })
      local snapshot = pool:snapshot()
      local other = pool:snapshot()
      local text = other:getString()
      debug.getmetatable(snapshot).__gc(snapshot)
      debug.getmetatable(snapshot).__gc(snapshot)
      refused("snapshot is closed", snapshot.getString, snapshot)
      refused("snapshot is closed", snapshot.getHash, snapshot)
      refused("Snapshot of a Pool or string expected, got", pool.restore, pool, snapshot)
      refused("Snapshot of a Pool expected, got", pool.snapshot, pool, snapshot)
      debug.getmetatable(pool).__gc(pool)
      for _, value in ipairs({ other, text }) do
        refused("pool is closed", pool.restore, pool, value)
      end
      refused("pool is closed", pool.snapshot, pool)
      refused("pool is closed", pool.snapshot, pool, other)
      assert.equal(text, other:getString())
    end)

    it("can be taken, but not gone back to, within a filter function", function()
      local world = broadside.newWorld({ dim = dim })
      world:insert(unpack(R(dim, 5, -5, 2, 10)))
      local pool = broadside.newPool({ dim = dim, capacity = 3 })
      spawn(pool, dim, 0, 0, 20)
      pool:step(1)
      local snapshot, called = pool:snapshot(), 0
      local text, hash = snapshot:getString(), snapshot:getHash()
      for id in pool:hits(world, function()
        called = called + 1
        refused("pool is busy", pool.restore, pool, snapshot)
        refused("pool is busy", pool.restore, pool, text)
        assert.equal(hash, pool:snapshot(snapshot):getHash())
        return true
      end) do
        pool:restore(snapshot) -- this is allowed in a loop's body
        assert.is_true(pool:isAlive(id))
      end
      assert.equal(1, called)
    end)

    it("lets Emitters that another process has made in that order go on", function()
      local function newGuns()
        local pool = broadside.newPool({ dim = dim, capacity = 100 })
        return pool, pool:newEmitter({ cycle = 3, speed = 1 }), pool:newEmitter({ cycle = 4 })
      end
      local pool, first, second = newGuns()
      first:setAngle(1)
      pool:newEmitter({ count = 2 })
      pool:step(1)
      local other, otherFirst, otherSecond = newGuns()
      other:restore(pool:snapshot():getString())
      for step = 1, 12 do
        for _, guns in ipairs({ { pool, first, second }, { other, otherFirst, otherSecond } }) do
          guns[2]:setPosition(unpack(V(dim, step, 0)))
          if step == 5 then guns[3]:stop() end
          guns[1]:step(1)
        end
        assert.equal(hashOf(pool), hashOf(other))
      end
    end)

    it("keeps what a mover carries within reach of another process, by the mover's id", function()
      local gun = broadside.newModel({ dim = dim, emitters = { { cycle = 3, speed = 1 } } })
      local pool = broadside.newPool({ dim = dim, capacity = 100 })
      local id = spawn(pool, dim, 0, 0, 0, { model = gun, mask = 0 })
      pool:step(1)
      local other = broadside.newPool({ dim = dim, capacity = 100 })
      other:restore(pool:snapshot():getString())
      for step = 1, 12 do
        for _, each in ipairs({ pool, other }) do
          if step < 9 then each:set(id, unpack(compat.concat(V(dim, step, 5), V(dim, 0, 0)))) end
          if step == 9 then assert.is_true(each:free(id)) end
          each:step(1)
        end
        assert.equal(hashOf(pool), hashOf(other))
      end
    end)

    describe("as a string", function()
      local p, before, text

      setup(function()
        p = newFull(dim)
        before = p.pool:snapshot()
        text = before:getString()
      end)

      it("is refused wherever it is cut off", function()
        for n = 0, #text - 1, math.max(1, math.floor(#text / 150)) do
          assert.is_false(isSafe(p.pool, before, text:sub(1, n)))
          assert.is_false(isSafe(p.pool, before, seal(text:sub(1, n) .. ("\0"):rep(8))))
        end
        assert.is_false(isSafe(p.pool, before, text .. "\0"))
        assert.is_false(isSafe(p.pool, before, seal(text .. "\0")))
      end)

      it("is refused wherever a bit is flipped", function()
        local rng = random.new(dim)
        for _ = 1, compat.rounds(300) do
          local at = rng:int(1, #text)
          local byte = text:byte(at)
          local bit = 2 ^ rng:int(0, 7)
          local other = byte % (2 * bit) >= bit and byte - bit or byte + bit
          local bytes = text:sub(1, at - 1) .. string.char(other) .. text:sub(at + 1)
          assert.is_false(isSafe(p.pool, before, bytes))
        end
      end)

      it("is refused with a number that no call takes", function()
        local pool = broadside.newPool({ dim = dim, capacity = 3, w = 3.25, h = 1,
          d = dim == 3 and 1 or nil })
        pool:newEmitter({ circle = 0x0101, nway = 0x0102, cycle = 0x0103 })
        local snapshot = pool:snapshot()
        for number, others in pairs({
          ["\0\0\0\0\0\0\10\64"] = { "\0\0\0\0\0\0\10\192" }, -- -3.25
          ["\1\1\0\0"] = { "\0\0\0\0", "\0\0\1\0" },
          ["\2\1\0\0"] = { "\0\0\0\0", "\0\0\1\0" },
          ["\3\1\0\0"] = { "\0\0\0\0", "\0\0\0\128" },
        }) do
          for _, other in ipairs(others) do
            local bytes = snapshot:getString()
            local first, last = bytes:find(number, 1, true)
            bytes = seal(bytes:sub(1, first - 1) .. other .. bytes:sub(last + 1))
            assert.is_false(isSafe(pool, snapshot, bytes))
          end
        end
      end)

      it("does no harm with other numbers in it", function()
        local rng, taken, numbers = random.new(dim + 5), 0,
          { "\0\0\0\0", "\1\0\0\0", "\255\255\255\255", "\255\255\255\127", "\0\0\0\128",
            "\0\0\240\127", "\0\0\248\255", "\255\255\239\127", "\0\0\0\4", "\2\0\0\0" }
        for round = 1, compat.rounds(800) do
          local at = round <= 60 and 9 + 4 * round - 4 or rng:int(9, #text - 12)
          local bytes = text:sub(1, at - 1) .. rng:pick(numbers) .. text:sub(at + 4)
          taken = taken + (isSafe(p.pool, before, seal(bytes)) and 1 or 0)
        end
        assert.is_true(taken > 0 or seal(text:sub(1, -2) .. "\0") ~= text)
      end)

      it("does no harm where it is put together from two", function()
        local rng = random.new(dim + 9)
        p:frame(50)
        p:frame(51)
        local other = p.pool:snapshot():getString()
        p.pool:restore(before)
        for _ = 1, compat.rounds(250) do
          local at = rng:int(1, math.min(#text, #other) - 9)
          isSafe(p.pool, before, seal(text:sub(1, at) .. other:sub(at + 1)))
          isSafe(p.pool, before, seal(other:sub(1, at) .. text:sub(at + 1)))
        end
      end)

      it("tells what it is instead", function()
        local pool = p.pool
        local function is(what, bytes)
          refused("bad argument #1 to 'restore' (this string " .. what, pool.restore, pool, bytes)
          assert.equal(before:getHash(), hashOf(pool))
        end
        is("is no snapshot of a pool", "")
        is("is no snapshot of a pool", "BSP")
        is("is no snapshot of a pool", broadside.newWorld({ dim = dim }):snapshot():getString())
        is("is cut off", "BSPS\1")
        is("is of another version", text:sub(1, 4) .. "\99" .. text:sub(6))
        is(("is of a %dD pool"):format(5 - dim),
          broadside.newPool({ dim = 5 - dim, capacity = 3 }):snapshot():getString())
        local most = pool:capacity()
        is(("is of a pool for %d movers, not for %d"):format(most + 1, most),
          broadside.newPool({ dim = dim, capacity = most + 1 }):snapshot():getString())
        is("is cut off or damaged", text:sub(1, -2))
      end)

      it("brings settings along", function()
        local pool = broadside.newPool({ dim = dim, capacity = 5, w = 3, h = 3, mask = 2,
          bounds = R(dim, -5, -5, 10, 10) })
        local bytes = pool:snapshot():getString()
        local other = broadside.newPool({ dim = dim, capacity = 5 })
        other:restore(bytes)
        for _, each in ipairs({ pool, other }) do
          spawn(each, dim, 0, 0, 100)
          assert.same({ 1, 0 }, { each:step(1) })
        end
        assert.equal(hashOf(pool), hashOf(other))
      end)
    end)
  end)
end

describe("a program with going back by 1 to 8 frames in each of its frames", function()
  for _, backend in ipairs({ "brute", "sweep", "grid", "tree", "auto" }) do
    it("ends as it does without, on " .. backend, function()
      for seed = 1, compat.rounds(12) do
        local dim = 2 + seed % 2
        local log, hash = rollback.new(dim, backend, seed):run(40)
        local other, otherHash = rollback.new(dim, backend, seed):runWithRollback(40)
        assert.same(log, other)
        assert.equal(hash, otherHash)
      end
    end)
  end

  it("has the same hash on all back ends", function()
    local hashes = {}
    for _, backend in ipairs({ "brute", "tree", "grid" }) do
      hashes[select(2, rollback.new(2, backend, 5):run(60))] = true
    end
    local hash = next(hashes)
    assert.is_nil(next(hashes, hash))
  end)
end)
