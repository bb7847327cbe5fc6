-- world:trim and pool:trim free memory, and change nothing else. The fuzz target also trims its
-- worlds at times (do_inspect in spec/fuzz/questions.c).

local broadside = require("broadside")
local compat = require("spec.support.compat")
local dump = require("spec.support.dump")
local expect = require("spec.support.expect")
local random = require("spec.support.random")
local scene = require("spec.support.scene")

local values = compat.values

local function rect(dim, x, size)
  return dim == 2 and { x, 0, size, size } or { x, 0, 0, size, size, size }
end

-- A world of n boxes, each of which overlaps the next `reach` boxes.
local function crowd(backend, dim, n, reach, opts)
  local world = broadside.newWorld({ backend = backend, dim = dim, results = "id" })
  local ids = {}
  for i = 1, n do
    ids[i] = world:insert(values(rect(dim, i, reach + 0.5), opts))
  end
  return world, ids
end

local function memory(world)
  return world:stats().memory
end

-- Makes all calls of a frame, so that all lists are in use. Returns the numbers of pairs and
-- contacts.
local function frame(world, dim)
  world:step(0)
  world:collectPairs()
  local contacts, pairs = 0, 0
  for _ in world:pairs() do
    pairs = pairs + 1
  end
  for _ in world:contacts() do
    contacts = contacts + 1
  end
  world:queryRect(values(dim == 2 and { -9, -9, 1e6, 99 } or { -9, -9, -9, 1e6, 99, 99 }))
  return pairs, contacts
end

-- The bytes that an index always takes, and those that it takes in 3D while its box or a later one
-- exists; and those that it takes while there are contacts.
local FOR_GOOD, ROW, TOLD = 9, 48 + 8 + 8 + 48 + 48, 16
local LITTLE = 16 * 1024 -- bytes for the world itself, and for the first blocks of arrays

local function isAboutThatOf(fresh, world, indices, rows)
  local told = rows > 0 and TOLD or 0
  local most = memory(fresh) + indices * (FOR_GOOD + told) + rows * ROW + LITTLE
  assert.is_true(memory(world) <= most,
    ("%d bytes, at most %d expected"):format(memory(world), most))
end

for dim = 2, 3 do
  for _, backend in ipairs(scene.backends) do
    describe(("world:trim of %s in %dD"):format(backend, dim), function()
      it("gives back what most boxes and pairs took", function()
        local world, ids = crowd(backend, dim, 1500, 20, { vx = 1 })
        assert.equal(20 * 1480 + 190, (frame(world, dim)))
        for i = 11, #ids do
          world:remove(ids[i])
        end
        frame(world, dim)
        frame(world, dim)
        world:trim()
        local fresh = crowd(backend, dim, 10, 20, { vx = 1 })
        frame(fresh, dim)
        isAboutThatOf(fresh, world, 1500, 10)
        assert.equal(45, (frame(world, dim)))
      end)

      it("gives back what was cleared, and what is not used of what stays", function()
        local world = crowd(backend, dim, 1500, 3)
        frame(world, dim)
        world:trim()
        local trimmed = memory(world)
        frame(world, dim)
        world:trim()
        assert.equal(trimmed, memory(world)) -- trimming again frees nothing more
        world:clear()
        frame(world, dim)
        world:trim()
        isAboutThatOf(broadside.newWorld({ backend = backend, dim = dim }), world, 1500, 0)
        world:trim()
        assert.equal(0, world:count())
      end)

      it("leaves contacts that snapshots can keep, though most indices are free", function()
        local world, ids = crowd(backend, dim, 400, 3)
        for i = 4, #ids do
          world:remove(ids[i])
        end
        for i = 1, 3 do
          world:update(ids[i], compat.unpack({ 1000 * i, 0, 0 }, 1, dim))
        end
        world:collectContacts() -- none: so the trim frees what they were
        world:trim()
        world:update(ids[1], compat.unpack({ 2000, 0, 0 }, 1, dim))
        world:collectContacts()
        local snapshot = world:snapshot() -- a sanitizer tells if it reads too much
        world:update(ids[1], compat.unpack({ 0, 0, 0 }, 1, dim))
        assert.same({ "end", ids[1], ids[2] }, (world:collectContacts()))
        world:restore(snapshot)
        assert.same({ "stay", ids[1], ids[2] }, (world:collectContacts()))
      end)

      it("changes no box, no id and no answer", function()
        local rng = random.new(7)
        local worlds, live = {}, {}
        for i = 1, 2 do
          worlds[i] = broadside.newWorld({ backend = backend, dim = dim, results = "id" })
        end
        local function both(name, ...)
          local a = { worlds[1][name](worlds[1], ...) }
          assert.same(a, { worlds[2][name](worlds[2], ...) }, name)
          return a[1]
        end
        local responses = { "slide", "touch", "bounce", "cross" }
        for turn = 1, compat.rounds(400) do
          local x, what = rng:int(0, 40), rng:int(1, 10)
          local i = #live > 0 and rng:int(1, #live)
          if what <= 4 or not i then
            live[#live + 1] = both("insert", values(rect(dim, x, rng:int(1, 4)), {
              static = rng:chance(0.2), layer = rng:pick({ 1, 2 }), vx = rng:pick({ 0, 1, -0.5 }),
              response = rng:chance(0.2) and rng:pick(responses) or nil }))
          elseif what <= 6 then
            both("remove", table.remove(live, i))
          elseif what == 7 then
            both("update", live[i], values(dim == 2 and { x, 0 } or { x, 0, 0 }))
          elseif what == 8 then
            both("move", live[i], values(dim == 2 and { x, 1 } or { x, 1, 0 }))
          elseif what == 9 then
            both("push", live[i], values(dim == 2 and { x, 1 } or { x, 1, 0 }))
          else
            both("step", 0.25)
          end
          if turn % 97 == 0 then
            both("clear")
            live = {}
          end
          if rng:chance(0.2) then
            worlds[1]:trim()
          end
          both("queryRect", values(rect(dim, x, 9)))
          both("countPairs")
          assert.equal(dump(worlds[2]), dump(worlds[1]))
          if rng:chance(0.5) then
            local lists = { {}, {} }
            for k, world in ipairs(worlds) do
              for phase, a, b in world:contacts() do
                lists[k][#lists[k] + 1] = phase .. " " .. a .. " " .. b
              end
              for box, other, response, t in world:hits() do
                lists[k][#lists[k] + 1] = response .. " " .. box .. " " .. other .. " " .. t
              end
            end
            assert.same(lists[2], lists[1])
          end
        end
      end)
    end)
  end

  describe(("trim in %dD"):format(dim), function()
    it("keeps Boxes, ids, data, object rects and which boxes were removed", function()
      local world = broadside.newWorld({ dim = dim })
      local boxes = {}
      for i = 1, 300 do
        boxes[i] = world:insert(values(rect(dim, i, 1), { data = i }))
        boxes[i]:setObjectRect(values(rect(dim, 0, i)))
      end
      for i = 6, 300 do
        boxes[i]:remove()
      end
      local removed = boxes[200]:isRemoved()
      world:trim()
      assert.is_true(removed and boxes[200]:isRemoved())
      for i = 1, 5 do
        assert.equal(i, boxes[i]:getData())
        assert.is_true(rawequal(boxes[i], world:getBox(boxes[i]:getId())))
        boxes[i]:setTransform(values(dim == 2 and { 7, 0 } or { 7, 0, 0 }))
        assert.same(rect(dim, 7, i), { boxes[i]:getRect() })
      end
      -- The index that was freed last is reused first. Its second generation is 65.
      local id = world:insert(values(rect(dim, 0, 1))):getId()
      assert.equal(65 * 2 ^ 26 + 299, id)
      expect.refused("box was removed", world.remove, world, 2 ^ 32 + 299)
    end)

    -- A pair of boxes takes 8 bytes in the list of pairs, and 8 in each of two lists of contacts.
    it("is not needed for lists that have been far too large for long", function()
      local world, ids = crowd("tree", dim, 2000, 40)
      frame(world, dim)
      local many = memory(world)
      for i = 11, #ids do
        world:remove(ids[i])
      end
      local function frames(n)
        for _ = 1, n do
          world:update(ids[1], values(dim == 2 and { 0.5, 0 } or { 0.5, 0, 0 }))
          world:update(ids[1], values(dim == 2 and { 1, 0 } or { 1, 0, 0 }))
          for _ in world:contacts() do -- luacheck: ignore
          end
          world:step(0)
        end
      end
      frames(3)
      local before = memory(world)
      frames(256)
      local after = memory(world)
      assert.is_true(before > many - 1e6, "the lists went at once")
      assert.is_true(before - after > 2000 * 40 * (8 + 8 + 8),
        ("%d bytes have become %d"):format(before, after))
      frames(600)
      assert.is_true(memory(world) <= after)
    end)
  end)

  describe(("pool:trim in %dD"):format(dim), function()
    it("gives back what emitters took that have ended, and changes nothing", function()
      local pool = broadside.newPool({ dim = dim, capacity = 100 })
      local empty = pool:stats().memory
      local emitters = {}
      for i = 1, 500 do
        emitters[i] = pool:newEmitter({ count = i <= 2 and 5 or 0, cycle = 2, x = i, speed = 1 })
      end
      for _ = 3, 500 do
        pool:newEmitter({ count = 1, delay = 1000 }):stop()
      end
      local all = {}
      for i = 1, 400 do
        all[i] = pool:newEmitter({ count = 1, delay = 1000 })
      end
      pool:step(1)
      assert.is_true(pool:stats().memory > empty + 400 * 64)
      for i = 1, 400 do
        all[i]:stop()
      end
      local before = { pool:collect() }
      pool:trim()
      assert.is_true(pool:stats().memory < empty + 1024)
      assert.same(before, { pool:collect() })
      assert.same({ 4, 4, 2 }, { emitters[1]:getCount(), emitters[2]:getCount(), pool:count() })
      pool:step(1)
      pool:step(1)
      assert.equal(4, pool:count())
      assert.is_true(all[1]:isActive() == false and emitters[1]:isActive())
      pool:clear()
      emitters[1]:stop()
      emitters[2]:stop()
      pool:trim()
      assert.equal(empty, pool:stats().memory)
      assert.is_truthy(pool:newEmitter())
    end)
  end)
end
