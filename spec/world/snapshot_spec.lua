-- world:snapshot and world:restore, on all back ends. rollback_spec.lua has random programs that go
-- back, and spec/core/snapshot_test.c has damaged strings.

local broadside = require("broadside")
local collect = require("spec.support.collect")
local compat = require("spec.support.compat")
local dump = require("spec.support.dump")
local expect = require("spec.support.expect")
local plane = require("spec.support.plane")
local random = require("spec.support.random")
local scene = require("spec.support.scene")

local unpack, values, concat = compat.unpack, compat.values, compat.concat
local vector = plane.vector

local function rect(dim, x, size)
  return dim == 2 and { x, 0, size, size } or { x, 0, 0, size, size, size }
end

-- Asserts that the world has these contacts in this order, with the very same Boxes.
local function expectContacts(expected, world)
  local got = collect.contacts(world)
  assert.equal(#expected, #got)
  for i, row in ipairs(expected) do
    assert.equal(row[1], got[i][1])
    assert.is_true(rawequal(row[2], got[i][2]) and rawequal(row[3], got[i][3]), "contact " .. i)
  end
end

local function refusal(f, ...)
  local ok, message = pcall(f, ...)
  assert.is_false(ok)
  return message
end

-- A world with every property that boxes can have, in which some boxes were removed.
local function mixture(backend, dim, results)
  local world = broadside.newWorld({ backend = backend, dim = dim, results = results,
    gravity = vector(dim, 0, -1) })
  local boxes = {}
  for i = 1, 24 do
    local box = world:insert(values(rect(dim, 3 * i % 20, 4), {
      static = i % 5 == 0, layer = i % 4 == 0 and 6 or nil, mask = i % 7 == 0 and 3 or nil,
      vx = i % 3 == 0 and 1 or nil, ay = i % 6 == 0 and 2 or nil, data = i % 2 == 0 and i or nil,
      response = i % 8 == 0 and "slide" or nil, bounce = i % 9 == 0 and 0.5 or nil,
      oneWay = i % 10 == 0 and vector(dim, 0, 1) or nil, sensor = i % 11 == 0,
      gravityScale = i % 12 == 0 and 0.25 or nil,
    }))
    boxes[i] = type(box) == "number" and world:getBox(box) or box
  end
  boxes[3]:setShape("circle", 2)
  boxes[4]:setObjectRect(unpack(rect(dim, 1, 2)))
  boxes[6]:setShape("circle", 1)
  boxes[6]:setTransform(unpack(vector(dim, 30, 2)))
  boxes[11]:setRotates(false)
  if dim == 2 then
    boxes[7]:setShape("polygon", { 0, 0, 4, 0, 1, 3 })
    boxes[8]:setShape("polygon", { 0, 0, 4, 0, 4, 2, 0, 3 })
    boxes[8]:setTransform(3, 4, 0.5, 2)
  end
  collect.contacts(world)
  boxes[1]:remove()
  boxes[9]:remove()
  world:step(0.25)
  return world, boxes
end

-- Changes everything about the world.
local function upheaval(world, boxes, dim)
  for i = 2, 24 do
    if i ~= 9 then
      boxes[i]:setRect(unpack(rect(dim, i, i)))
      boxes[i]:setVelocity(unpack(vector(dim, -i, i)))
      boxes[i]:setAcceleration(unpack(vector(dim, -i, 2 * i)))
      boxes[i]:setFilter(1 + i % 3, 7)
      boxes[i]:setStatic(i % 2 == 0)
      boxes[i]:setData("changed")
      boxes[i]:setResponse(i % 2 == 0 and "touch" or nil)
      boxes[i]:setBounce(i / 24)
      boxes[i]:setOneWay(unpack(vector(dim, 1, 0)))
      boxes[i]:setSensor(i % 4 == 0)
      boxes[i]:setGravityScale(i)
      boxes[i]:setShape(i % 3 == 0 and "circle" or "box", i % 3 == 0 and i or nil)
      boxes[i]:setObjectRect(unpack(rect(dim, i, i)))
      boxes[i]:setRotates(i % 2 == 0)
    end
  end
  world:setGravity(unpack(vector(dim, 5, 5)))
  for i = 2, 24, 3 do
    boxes[i]:remove()
  end
  for i = 1, 40 do
    world:insert(values(rect(dim, i, 3), { data = "new", vx = i }))
  end
  collect.contacts(world)
  world:step(1)
end

local function transformed(box, dim)
  box:setTransform(unpack(dim == 2 and { 5, 6, 0.25, 2 } or { 5, 6, 7, 0.5, 0, 0, 1, 2 }))
  return { box:getRect() }
end

describe("a string", function()
  -- Of each box an index, a generation, and what it has; and the rect, of doubles.
  it("has the rect of each box, and else only what is unusual about it", function()
    for dim = 2, 3 do
      local function bytes(options)
        local world = broadside.newWorld({ dim = dim })
        world:insert(values(rect(dim, 1, 2), options))
        return #world:snapshot():getString()
      end
      local empty = #broadside.newWorld({ dim = dim }):snapshot():getString()
      assert.equal(4 + 4 + 1 + 2 * dim * 8, bytes() - empty)
      assert.equal(4 + 4, bytes({ layer = 2 }) - bytes())
      assert.equal(2 * dim * 8, bytes({ vx = 1 }) - bytes())
    end
  end)

  it("holds a polygon, too, whose corners have become one as it is far away", function()
    local world, copy = broadside.newWorld(), broadside.newWorld()
    local box = world:insertPolygon({ 0, 0, 4, 0, 5, 1, 2, 6 })
    box:setRect(1e300, 0)
    local snapshot = world:snapshot()
    copy:restore(snapshot:getString())
    assert.equal(snapshot:getHash(), copy:snapshot():getHash())
    box:setRect(8, 9)
    copy:getBox(box:getId()):setRect(8, 9)
    assert.same({ "polygon", { 8, 9, 12, 9, 13, 10, 10, 15 } }, { box:getShape() })
    assert.same({ box:getShape() }, { copy:getBox(box:getId()):getShape() })
  end)
end)

-- Single changes. In the world of `sceneOf` each of them changes the result of `tell`.
local ALONE = {
  { "place", function(a, dim) a:setRect(unpack(vector(dim, 11, 0))) end },
  { "size", function(a, dim) a:setRect(unpack(rect(dim, 0, 3))) end },
  { "layer", function(a) a:setFilter(2, -1) end },
  { "mask", function(a) a:setFilter(1, 2) end },
  { "static", function(a) a:setStatic(true) end },
  { "removal", function(a) a:remove() end },
  { "insertion", function(_, dim, world) world:insert(unpack(rect(dim, 1, 2))) end },
  { "another in its place", function(a, dim, world)
    a:remove()
    world:insert(unpack(rect(dim, 0, 4)))
  end },
  { "shape", function(a) a:setShape("circle", 2) end },
  { "turned shape", function(a, dim)
    a:setShape("circle", 2)
    a:setTransform(unpack(vector(dim, 1, 0)))
  end },
  { "velocity", function(a, dim) a:setVelocity(unpack(vector(dim, 3, 1))) end },
  { "acceleration", function(a, dim) a:setAcceleration(unpack(vector(dim, 3, 1))) end },
  { "response", function(a) a:setResponse("touch") end },
  { "bounce", function(a) a:setBounce(0.25) end },
  { "one way", function(a, dim) a:setOneWay(unpack(vector(dim, -1, 0))) end },
  { "sensor", function(a) a:setSensor(true) end },
  { "gravity scale", function(a) a:setGravityScale(2) end },
  { "object rect", function(a, dim) a:setObjectRect(unpack(rect(dim, 1, 2))) end },
  { "angle", function(a) a:setRotates(false) end },
  { "gravity", function(_, dim, world) world:setGravity(unpack(vector(dim, 1, 2))) end },
}

-- Two boxes that overlap in a corner, one beside them, and a wall. They are plain, or have every
-- property.
local function sceneOf(dim, backend, plain)
  local world = broadside.newWorld({ dim = dim, backend = backend })
  local a = world:insert(values(rect(dim, 0, 4), not plain and { response = "bounce", bounce = 0.5,
    vx = 1, ay = 0.5, oneWay = vector(dim, 1, 0) } or nil))
  local corner = dim == 2 and { 3.875, 3.875, 4, 4 } or { 3.875, 3.875, 3.875, 4, 4, 4 }
  world:insert(values(corner, { static = true, mask = 1 }))
  world:insert(values(rect(dim, 14, 2), not plain and { layer = 3, response = "slide" } or nil))
  world:insert(values(rect(dim, 40, 4), { static = true }))
  collect.contacts(world)
  return world, a
end

-- Describes the world and its further answers. This changes the world.
local function tell(world, dim)
  local lines = { dump(world):match("\n(.*)"), world:countPairs() } -- without the back end
  local function add(...)
    for i = 1, select("#", ...) do
      lines[#lines + 1] = tostring((select(i, ...)))
    end
  end
  local boxes = collect.boxes(world)
  local function step()
    world:step(0.5)
    for box, other, response, t in world:hits() do
      add(box, other, response, t)
    end
    for phase, box, other in world:contacts() do
      add(phase, box, other)
    end
    add(world:countPairs(), unpack(world:getRects(boxes)))
  end
  local reach = dim == 2 and { -50, -50, 99, 99 } or { -50, -50, -50, 99, 99, 99 }
  for mask = 1, 3 do
    add(#world:queryRect(values(reach, mask)))
  end
  step()
  add(#select(dim + 1, world:check(boxes[#boxes], values(vector(dim, -20, 0)))))
  add(unpack(transformed(boxes[1], dim)))
  for _, box in ipairs(boxes) do
    box:setVelocity(unpack(vector(dim, 60, 1)))
  end
  step()
  step()
  add(world:insert(unpack(rect(dim, 2, 4))))
  return table.concat(lines, "\n")
end

for dim = 2, 3 do
  describe(("going back in %dD"):format(dim), function()
    -- Compares with worlds that never went back.
    local function check(change, backend, plain)
      local world, a = sceneOf(dim, backend, plain)
      local other, b = sceneOf(dim, "brute", plain)
      local without = world:snapshot()
      change(b, dim, other)
      local expected = { tell(sceneOf(dim, "brute", plain), dim), tell(other, dim) }
      assert.not_equal(expected[1], expected[2])
      world:countPairs()
      change(a, dim, world)
      world:countPairs()
      local with = world:snapshot()
      world:restore(without)
      assert.equal(expected[1], tell(world, dim))
      world:restore(with:getString())
      assert.equal(expected[2], tell(world, dim))
      world:restore(without:getString())
      assert.equal(expected[1], tell(world, dim))
      world:restore(with)
      assert.equal(expected[2], tell(world, dim))
      local fresh = broadside.newWorld({ dim = dim, backend = backend })
      fresh:restore(with:getString())
      assert.equal(expected[2], tell(fresh, dim))
    end

    for i, alone in ipairs(ALONE) do
      it("undoes and does a change of " .. alone[1] .. " alone", function()
        for k = 0, 1 do
          check(alone[2], scene.backends[1 + (2 * i + k) % #scene.backends], k == 0)
        end
      end)
    end
  end)
end

for dim = 2, 3 do
  for _, backend in ipairs(scene.backends) do
    describe(("a snapshot of %s in %dD"):format(backend, dim), function()
      it("brings everything back", function()
        local world, boxes = mixture(backend, dim)
        local same = mixture(backend, dim)
        local before, snapshot = dump(world), world:snapshot()
        for round = 1, 3 do
          upheaval(world, boxes, dim)
          assert.not_equal(before, dump(world))
          world:restore(snapshot)
          assert.equal(before, dump(world), "round " .. round)
          assert.equal(snapshot:getHash(), world:snapshot():getHash())
        end
        for _, i in ipairs({ 4, 6, 11, 13 }) do
          local other
          for box in same:boxes() do
            other = box:getId() == boxes[i]:getId() and box or other
          end
          assert.same(transformed(other, dim), transformed(boxes[i], dim))
        end
      end)

      it("goes into another world as a string", function()
        local world = mixture(backend, dim)
        local text = world:snapshot():getString()
        for _, other in ipairs({ "brute", backend }) do
          local copy = broadside.newWorld({ backend = other, dim = dim })
          copy:restore(text)
          for box in world:boxes() do
            box:setData(nil)
          end
          copy:setBackend(backend)
          assert.equal(dump(world), dump(copy))
          assert.equal(text, copy:snapshot():getString())
          local boxes = {}
          for box in copy:boxes() do
            boxes[box:getId() % 2 ^ 26 + 1] = box
          end
          upheaval(copy, boxes, dim)
          copy:restore(text)
          assert.equal(text, copy:snapshot():getString())
        end
      end)

      it("makes the same Boxes good again, and removes what was inserted since", function()
        local world = broadside.newWorld({ backend = backend, dim = dim })
        local kept = world:insert(values(rect(dim, 0, 2), { data = "kept" }))
        local removed = world:insert(values(rect(dim, 1, 2), { data = "removed" }))
        local id = removed:getId()
        local snapshot = world:snapshot()
        removed:remove()
        local new = world:insert(unpack(rect(dim, 5, 1)))
        local newer = world:insert(unpack(rect(dim, 6, 1)))
        local newId = newer:getId()
        world:restore(snapshot)
        assert.is_false(removed:isRemoved())
        assert.is_true(world:has(removed) and world:has(id) and world:has(kept))
        assert.is_true(rawequal(removed, world:getBox(id)))
        assert.same({ "kept", "removed" }, { kept:getData(), removed:getData() })
        expect.boxes({ kept, removed }, (world:queryRect(unpack(rect(dim, 0, 9)))))
        assert.is_true(new:isRemoved() and newer:isRemoved())
        assert.is_false(world:has(new) or world:has(newId))
        assert.equal("box was removed", (refusal(newer.getRect, newer):match("box was removed")))
        assert.is_truthy(refusal(world.remove, world, newId):find("box was removed", 1, true))
        assert.equal(2, #world)
      end)

      it("gives the same ids again, and then the same Boxes", function()
        local world = broadside.newWorld({ backend = backend, dim = dim })
        local boxes = world:insertMany(concat(rect(dim, 0, 2), rect(dim, 1, 2)))
        boxes[1]:remove()
        local snapshot = world:snapshot()
        local function goOn()
          local list = { world:insert(values(rect(dim, 2, 2), { data = 1 })) }
          list[2] = world:insertCircle(values(vector(dim, 3, 3), 2))
          for i, box in ipairs((world:insertMany(concat(rect(dim, 4, 2), rect(dim, 5, 2))))) do
            list[2 + i] = box
          end
          return list
        end
        local first = goOn()
        local ids = {}
        for i, box in ipairs(first) do
          ids[i] = box:getId()
        end
        first[3]:remove()
        world:insert(unpack(rect(dim, 9, 1)))
        world:restore(snapshot)
        for _, box in ipairs(first) do
          assert.is_true(box:isRemoved())
        end
        local second = goOn()
        for i, box in ipairs(second) do
          assert.equal(ids[i], box:getId())
          assert.is_true(rawequal(first[i], box))
          assert.is_false(box:isRemoved())
        end
        assert.same({ 1 }, { second[1]:getData(), second[2]:getData() })
      end)

      it("keeps the order of insertion where indices were used again", function()
        local world = broadside.newWorld({ backend = backend, dim = dim })
        local a, b, c = unpack((world:insertMany(concat(concat(rect(dim, 0, 2), rect(dim, 0, 2)),
          rect(dim, 0, 2)))))
        a:remove()
        local d = world:insert(unpack(rect(dim, 0, 2)))
        local snapshot = world:snapshot()
        b:remove()
        c:remove()
        local e = world:insert(unpack(rect(dim, 0, 2)))
        expect.boxes({ d, e }, (world:queryRect(unpack(rect(dim, 0, 2)))))
        world:restore(snapshot)
        expect.boxes({ b, c, d }, (world:queryRect(unpack(rect(dim, 0, 2)))))
        expect.boxes({ b }, (world:nearest(unpack(vector(dim, 1, 1)))))
        local pairsOf = {}
        for p, q in world:pairs() do
          pairsOf[#pairsOf + 1] = (p == b and "b" or p == c and "c" or "d")
            .. (q == b and "b" or q == c and "c" or "d")
        end
        table.sort(pairsOf)
        assert.same({ "bc", "bd", "cd" }, pairsOf)
      end)

      it("lets contacts go on from there", function()
        local world = broadside.newWorld({ backend = backend, dim = dim })
        local a = world:insert(unpack(rect(dim, 0, 4)))
        local b = world:insert(unpack(rect(dim, 2, 4)))
        local c = world:insert(unpack(rect(dim, 20, 4)))
        expectContacts({ { "begin", a, b } }, world)
        b:remove() -- the end of its contact has not been reported yet
        c:setRect(unpack(rect(dim, 1, 4)))
        local snapshot = world:snapshot()
        local expected = { { "end", a, b }, { "begin", a, c } }
        expectContacts(expected, world)
        expectContacts({ { "stay", a, c } }, world)
        c:remove()
        expectContacts({ { "end", a, c } }, world)
        for _ = 1, 2 do
          world:restore(snapshot)
          expectContacts(expected, world)
        end
        world:restore(snapshot:getString())
        expectContacts(expected, world)
        expectContacts({ { "stay", a, c } }, world)
      end)

      it("has only those meet in a new world whose layers let them", function()
        local layers = { { 4, 8 }, { 8, 4 }, { 16, 32 }, { 32, 16 }, { 64, 16 } }
        -- One of the first two boxes or of the next two is static, or none.
        for _, case in ipairs({ { 1, 2, 1 }, { 1, 2, 2 }, { 3, 4, 3 }, { 3, 4, 0 } }) do
          local world = broadside.newWorld({ backend = backend, dim = dim })
          for i, layer in ipairs(layers) do
            if i == case[1] or i == case[2] or i == 5 then
              world:insert(values(rect(dim, 0, 4),
                { static = i == case[3], layer = layer[1], mask = layer[2] }))
            end
          end
          local copy = broadside.newWorld({ backend = backend, dim = dim })
          copy:restore(world:snapshot():getString())
          assert.equal(1, world:countPairs())
          local boxes = collect.boxes(copy)
          for round = 1, 4 do
            local found = collect.pairs(copy)
            assert.equal(1, #found)
            assert.is_true(rawequal(boxes[1], found[1][1]) and rawequal(boxes[2], found[1][2]))
            local box = boxes[1 + round % 2]
            box:setRect(unpack(vector(dim, 90, 0)))
            assert.equal(0, copy:countPairs())
            box:setRect(unpack(vector(dim, 1, 0)))
          end
        end
      end)

      it("knows whose contacts are still to end when a box goes that was there then", function()
        for _, how in ipairs({ "remove", "clear", "string" }) do
          local world = broadside.newWorld({ backend = backend, dim = dim })
          local boxes = {}
          for i = 1, 8 do -- in pairs: 1 and 2, 3 and 4, and so on
            boxes[i] = world:insert(unpack(rect(dim, 10 * math.floor((i - 1) / 2), 4)))
          end
          assert.equal(4, #collect.contacts(world))
          local snapshot = world:snapshot()
          for i = 1, 8, 2 do
            boxes[i]:setRect(unpack(vector(dim, -10 * i, 0)))
          end
          assert.equal(4, #collect.contacts(world)) -- all contacts have ended, and none is left
          world:restore(how == "string" and snapshot:getString() or snapshot)
          local expected = {}
          for i = 1, 8, 2 do
            expected[#expected + 1] = { "end", boxes[i], boxes[i + 1] }
            if how ~= "clear" then
              boxes[i]:remove()
              world:remove(boxes[i + 1])
              world:insert(unpack(rect(dim, -100 * i, 1)))
            end
          end
          if how == "clear" then
            world:clear()
          end
          expectContacts(expected, world)
          expectContacts({}, world)
        end
      end)

      it("knows what the end of a contact tells, whatever is done in another future", function()
        for _, between in ipairs({ "nothing", "snapshot", "remove other" }) do
          local world = broadside.newWorld({ backend = backend, dim = dim, results = "data" })
          local function insert(x, name)
            return world:insert(values(rect(dim, x, 4), { data = name }))
          end
          local box, second = insert(0, "then"), insert(1, "other")
          local third = insert(2, "third")
          assert.equal(3, #collect.contacts(world))
          local older = world:snapshot()
          box:remove()
          local newer = world:snapshot()
          for _ = 1, 2 do -- to the other future and back
            world:restore(older)
            box:setData("later")
            box:remove()
            if between == "snapshot" then
              world:snapshot()
            elseif between == "remove other" then
              third:remove()
            end
            world:restore(newer)
          end
          expectContacts({ { "end", "then", "other" }, { "end", "then", "third" },
            { "stay", "other", "third" } }, world)
          world:restore(older)
          second:setData("changed")
          second:remove()
          expectContacts({ { "end", "then", "changed" }, { "stay", "then", "third" },
            { "end", "changed", "third" } }, world)
        end
      end)

      it("brings back what the last step has hit", function()
        local world = broadside.newWorld({ backend = backend, dim = dim })
        local wall = world:insert(values(rect(dim, 5, 4), { static = true }))
        local body = world:insert(values(rect(dim, 0, 4), { response = "touch", vx = 8 }))
        local function hits()
          local list = {}
          for box, other, response, t in world:hits() do
            assert.is_true(rawequal(box, body) and rawequal(other, wall))
            list[#list + 1] = response .. " " .. t
          end
          return list
        end
        world:step(1)
        local snapshot = world:snapshot()
        assert.same({ "touch 0.125" }, hits())
        world:step(1)
        assert.same({}, hits())
        world:restore(snapshot)
        assert.same({ "touch 0.125" }, hits())
      end)

      it("is written over when it is given again", function()
        local world, boxes = mixture(backend, dim)
        local snapshot = world:snapshot()
        local first = snapshot:getString()
        upheaval(world, boxes, dim)
        local before = dump(world)
        assert.is_true(rawequal(snapshot, world:snapshot(snapshot)))
        assert.not_equal(first, snapshot:getString())
        world:clear()
        world:restore(snapshot)
        assert.equal(before, dump(world))
        world:restore(first)
        assert.equal(first, world:snapshot(snapshot):getString())
      end)

      it("has a world without boxes, too", function()
        local world = broadside.newWorld({ backend = backend, dim = dim })
        local empty = world:snapshot()
        local box = world:insert(unpack(rect(dim, 0, 1)))
        local id = box:getId()
        world:restore(empty)
        assert.equal(0, #world)
        assert.is_true(box:isRemoved())
        assert.same({}, (world:queryRect(unpack(rect(dim, -9, 99)))))
        assert.equal(id, world:insert(unpack(rect(dim, 3, 1))):getId())
        assert.equal(1, #world:queryRect(unpack(rect(dim, -9, 99))))
        world:restore(empty:getString())
        assert.equal(0, #world)
      end)
    end)
  end

  describe(("snapshots in %dD"):format(dim), function()
    local function newWorld(opts)
      opts = opts or {}
      opts.dim = dim
      return broadside.newWorld(opts)
    end

    it("bring data back, and hold on to it", function()
      local weak = setmetatable({}, { __mode = "v" })
      local world = newWorld()
      local box = world:insert(values(rect(dim, 0, 1), { data = {} }))
      local bare = world:insert(unpack(rect(dim, 0, 1)))
      weak.first, weak.second = box:getData(), {}
      local snapshot = world:snapshot()
      box:setData(weak.second)
      bare:setData("more")
      collectgarbage()
      assert.is_truthy(weak.first)
      world:restore(snapshot)
      collectgarbage()
      assert.is_true(rawequal(weak.first, box:getData()))
      assert.is_nil(bare:getData())
      box:setData("other")
      world:snapshot(snapshot)
      collectgarbage()
      collectgarbage()
      world:restore(snapshot)
      assert.same({ "other" }, { box:getData(), bare:getData() })
    end)

    it("let go of data with what is written over them, and with themselves", function()
      local weak = setmetatable({}, { __mode = "v" })
      local world = newWorld()
      local box = world:insert(unpack(rect(dim, 0, 1)))
      local snapshots = {}
      for i = 1, 3 do
        weak[i] = {}
        box:setData(weak[i])
        snapshots[i] = world:snapshot()
      end
      box:setData(nil)
      collectgarbage()
      assert.is_true(weak[1] and weak[2] and weak[3] and true)
      snapshots[1] = nil
      world:snapshot(snapshots[2]) -- once for the data, once for the table behind it
      world:snapshot(snapshots[2])
      world:restore(snapshots[3])
      box:setData(1)
      world:restore(snapshots[2])
      collectgarbage()
      collectgarbage()
      assert.is_nil(weak[1])
      assert.is_truthy(weak[3])
      world:snapshot(snapshots[3])
      box:setData(2)
      world:snapshot(snapshots[2])
      world:snapshot(snapshots[3])
      collectgarbage()
      collectgarbage()
      assert.same({}, { weak[1], weak[2], weak[3] })
    end)

    it("as strings leave data as they are, and bring none", function()
      local world = newWorld()
      local kept = world:insert(values(rect(dim, 0, 1), { data = "kept" }))
      local gone = world:insert(values(rect(dim, 1, 1), { data = "gone" }))
      local text = world:snapshot():getString()
      gone:remove()
      local new = world:insert(values(rect(dim, 2, 1), { data = "new" }))
      kept:setData("later")
      world:restore(text)
      assert.same({ "later" }, { kept:getData(), gone:getData() })
      assert.is_true(new:isRemoved())
      assert.equal(2, #world)
    end)

    -- A world from which two boxes were removed, and a string from before that; `ids` by name.
    local function lostBoxes(results)
      local world, ids = newWorld({ results = results }), {}
      for i, name in ipairs({ "kept", "first", "second", "third" }) do
        local box = world:insert(values(rect(dim, i, 2), { data = name, layer = i }))
        ids[name] = results == "id" and box or world:getBox(box):getId()
      end
      collect.contacts(world)
      local text = world:snapshot():getString()
      world:remove(ids.second)
      world:remove(ids.first)
      world:insert(values(rect(dim, 20, 1), { data = "new" }))
      world:getBox(ids.kept):setData("later")
      return world, ids, text
    end

    it("get data from a function where a string has none", function()
      for _, results in ipairs({ "box", "id", "data" }) do
        local world, ids, text = lostBoxes(results)
        local asked = {}
        world:restore(text, function(...)
          assert.equal(1, select("#", ...))
          local box = ...
          assert.equal(results == "id" and "number" or "userdata", type(box))
          box = world:getBox(box)
          assert.is_nil(box:getData())
          assert.equal(4, world:count())
          assert.equal(4, #world:queryRect(unpack(rect(dim, -9, 99))))
          assert.is_true(#collect.pairs(world) > 2)
          assert.is_true(#world:snapshot():getString() > 0 and #collect.boxes(world) == 4)
          asked[#asked + 1] = box:getId()
          if box:getId() == ids.first then
            return { (box:getRect()), (box:getFilter()) }
          end
        end)
        assert.same({ ids.first, ids.second }, asked)
        local function data(name)
          return world:getBox(ids[name]):getData()
        end
        assert.same({ 2, 2 }, data("first"))
        assert.is_nil(data("second"))
        assert.same({ "later", "third" }, { data("kept"), data("third") })
        assert.equal(text, world:snapshot():getString())
        local saved = world:snapshot()
        world:clear()
        world:restore(saved)
        assert.same({ 2, 2 }, data("first"))
      end
    end)

    it("get all data from a function where it is asked for all", function()
      for _, results in ipairs({ "box", "id", "data" }) do
        local world, ids, text = lostBoxes(results)
        local asked, entities = {}, {}
        local function load(...)
          assert.equal(1, select("#", ...))
          local box = ...
          assert.equal(results == "id" and "number" or "userdata", type(box))
          assert.is_nil(world:getBox(box):getData())
          asked[#asked + 1] = world:getBox(box):getId()
          local entity = { box = box }
          entities[world:getBox(box):getId()] = entity
          return entity
        end
        world:restore(text, load, true)
        assert.same({ ids.kept, ids.first, ids.second, ids.third }, asked)
        for id, entity in pairs(entities) do
          assert.equal(entity, world:getBox(id):getData())
          assert.equal(id, world:getBox(entity.box):getId())
        end
        assert.equal(text, world:snapshot():getString())
        local saved = world:snapshot()
        assert.is_false(pcall(world.restore, world, text, function(box)
          return world:getBox(box):getId() == ids.third and error("oops") or "lost"
        end, true))
        assert.equal(entities[ids.kept], world:getBox(ids.kept):getData())
        world:restore(text, nil, true)
        assert.is_nil(world:getBox(ids.kept):getData())
        world:restore(saved) -- a Snapshot has data
        assert.equal(entities[ids.kept], world:getBox(ids.kept):getData())
        world:restore(text, error, false)
        assert.equal(entities[ids.kept], world:getBox(ids.kept):getData())
        assert.is_truthy(refusal(world.restore, world, text, load, 1):find(
          "bad argument #3 to 'restore' (boolean expected, got 1)", 1, true))
      end
    end)

    it("leave all as it was where the function raises an error, or changes the world", function()
      for _, results in ipairs({ "box", "id", "data" }) do
        local world, ids, text = lostBoxes(results)
        local boxes, before = collect.boxes(world), world:snapshot()
        local state = { before:getString(), dump(world) }
        local other = newWorld()
        local kept
        for _, wrong in ipairs({
          function() error("oops") end,
          function(box) world:remove(box) end,
          function() world:restore(before) end,
          function() world:contacts() end,
          function() world:step(1) end,
          function(box)
            if world:getBox(box):getId() == ids.first then
              return "data"
            end
            collectgarbage()
            collectgarbage()
            before = world:snapshot(before)
            kept = other:insert(unpack(rect(dim, 1, 1)))
            error("the second one")
          end,
        }) do
          assert.is_false(pcall(world.restore, world, text, wrong))
          assert.same(state, { world:snapshot():getString(), dump(world) })
          for i, box in ipairs(collect.boxes(world)) do
            assert.is_true(rawequal(boxes[i], box))
          end
          assert.same({ "later", "third", "new" },
            { boxes[1]:getData(), boxes[2]:getData(), boxes[3]:getData() })
        end
        assert.equal(kept, collect.boxes(other)[1])
        world:restore(before) -- it was taken after the function had returned data for one box
        assert.equal(text, world:snapshot():getString())
        assert.equal("data", world:getBox(ids.first):getData())
      end
    end)

    it("ask no function for data that a Snapshot has", function()
      local world = newWorld()
      world:insert(values(rect(dim, 1, 2), { data = "there" }))
      local snapshot = world:snapshot()
      world:clear()
      assert.is_false(pcall(world.restore, world, snapshot, error))
      assert.is_false(pcall(world.restore, world, snapshot, nil, true))
      assert.equal(0, world:count())
      world:restore(snapshot)
      assert.equal("there", collect.boxes(world)[1]:getData())
      world:restore(snapshot:getString(), nil)
      assert.equal("there", collect.boxes(world)[1]:getData())
    end)

    it("hand out what `results` says", function()
      for _, results in ipairs({ "id", "data" }) do
        local world, boxes = mixture("tree", dim, results)
        local function answers()
          local list = {}
          for _, item in ipairs((world:queryRect(unpack(rect(dim, -99, 999))))) do
            list[#list + 1] = type(item) == "userdata" and item:getId() or item
          end
          for phase, a, b in world:contacts() do
            for _, item in ipairs({ phase, a, b }) do
              list[#list + 1] = type(item) == "userdata" and item:isRemoved() and "removed"
                or type(item) == "userdata" and item:getId() or item
            end
          end
          return list
        end
        local snapshot = world:snapshot()
        local expected = answers()
        assert.is_true(#expected > 40)
        for _ = 1, 2 do
          upheaval(world, boxes, dim)
          world:restore(snapshot)
          assert.same(expected, answers())
          assert.is_true(rawequal(boxes[5], world:getBox(boxes[5]:getId())))
        end
      end
    end)

    it("find the Box of an id again that is given once more in a world of ids", function()
      local world = newWorld({ results = "id" })
      local snapshot = world:snapshot()
      local id = world:insert(unpack(rect(dim, 0, 1)))
      local box = world:getBox(id)
      world:restore(snapshot)
      assert.is_true(box:isRemoved())
      assert.equal(id, world:insert(unpack(rect(dim, 5, 1))))
      assert.is_true(rawequal(box, world:getBox(id)))
      assert.equal(5, (box:getRect()))
    end)

    it("make Boxes anew that nobody held on to", function()
      local world = newWorld()
      local kept = world:insert(unpack(rect(dim, 0, 4)))
      local id = world:insert(values(rect(dim, 1, 4), { data = "there" })):getId()
      collect.contacts(world)
      local snapshot = world:snapshot()
      world:remove(id)
      collect.contacts(world)
      collectgarbage()
      collectgarbage()
      world:restore(snapshot)
      local box = world:getBox(id)
      assert.equal("there", box:getData())
      expectContacts({ { "stay", kept, box } }, world)
      world:remove(id)
      expectContacts({ { "end", kept, box } }, world)
    end)

    it("keep their world, and are good for it as long as that lives", function()
      local weak = setmetatable({}, { __mode = "v" })
      local snapshot
      do
        local world = newWorld()
        weak.world = world
        world:insert(unpack(rect(dim, 0, 1)))
        snapshot = world:snapshot()
      end
      collectgarbage()
      collectgarbage()
      assert.is_truthy(weak.world)
      weak.world:clear()
      weak.world:restore(snapshot)
      assert.equal(1, #weak.world)
      snapshot = nil -- luacheck: ignore
      collectgarbage()
      collectgarbage()
      assert.is_nil(weak.world)
    end)

    it("of another world are refused, but for their strings", function()
      local world, other = newWorld(), newWorld()
      world:insert(unpack(rect(dim, 0, 1)))
      other:insert(unpack(rect(dim, 7, 1)))
      local snapshot, before = other:snapshot(), dump(world)
      local hash = snapshot:getHash()
      expect.badArgument(1, "restore", "Snapshot of another world", world.restore, world, snapshot)
      expect.badArgument(1, "snapshot", "Snapshot of another world", world.snapshot, world,
        snapshot)
      assert.equal(before, dump(world))
      assert.equal(hash, snapshot:getHash())
      world:restore(snapshot:getString())
      assert.equal(dump(other):gsub("^%w+", ""), dump(world):gsub("^%w+", ""))
    end)

    it("are closed when their finaliser has been called by hand", function()
      local world = newWorld()
      local snapshot = world:snapshot()
      local finalise = debug.getmetatable(snapshot).__gc
      finalise(snapshot)
      finalise(snapshot)
      assert.equal("Snapshot (closed)", tostring(snapshot))
      for _, name in ipairs({ "getString", "getHash" }) do
        assert.equal("snapshot is closed", refusal(snapshot[name], snapshot))
      end
      expect.badArgument(1, "restore", "Snapshot or string", world.restore, world, snapshot)
      expect.badArgument(1, "snapshot", "Snapshot", world.snapshot, world, snapshot)
      local good = world:snapshot()
      debug.getmetatable(world).__gc(world)
      assert.equal("world is closed", refusal(world.restore, world, good))
      assert.equal("world is closed", refusal(world.snapshot, world))
      assert.equal(16, #good:getHash())
    end)

    it("say what they are", function()
      local world = newWorld()
      world:insertMany(concat(rect(dim, 0, 1), rect(dim, 0, 1)))
      assert.equal(("Snapshot (%dD, 2 boxes)"):format(dim), tostring(world:snapshot()))
    end)

    it("can be taken within a filter function, but not be restored", function()
      local world, boxes = mixture("auto", dim)
      local old, before = world:snapshot(), dump(world)
      local goal = vector(dim, 40, 3)
      for _, ask in ipairs({
        function(f) world:queryRect(values(rect(dim, -99, 999), f)) end,
        function(f) world:move(boxes[2], values(goal, f)) end,
        function(f) world:moveMany({ boxes[2], boxes[6], boxes[8] },
          concat(goal, concat(goal, goal)), f) end,
        function(f) world:push(boxes[5], values(goal, f)) end,
      }) do
        local taken, message
        ask(function()
          taken = world:snapshot(taken)
          message = refusal(world.restore, world, old)
          return "slide"
        end)
        assert.is_truthy(message:find("world is busy", 1, true))
        local text = taken:getString()
        world:restore(taken) -- the state in the middle of the call
        assert.equal(text, world:snapshot():getString())
        world:restore(old)
        assert.equal(before, dump(world))
      end
    end)

    it("may be gone back to by finalisers and by the body of any loop", function()
      local world = mixture("tree", dim)
      local snapshot, before = world:snapshot(), dump(world)
      local turns = 0
      for a in world:pairs() do
        turns = turns + 1
        a:remove()
        world:restore(snapshot)
      end
      assert.is_true(turns > 20)
      for phase, a in world:contacts() do
        if phase ~= "end" then
          a:remove()
        end
        world:restore(snapshot)
      end
      assert.equal(before, dump(world))
      local function finaliser(f)
        local proxy = rawget(_G, "newproxy") and rawget(_G, "newproxy")(true)
        if proxy then
          getmetatable(proxy).__gc = f
        else
          setmetatable({}, { __gc = f })
        end
      end
      local calls, text = 0, snapshot:getString()
      for i = 1, 200 do
        finaliser(function()
          calls = calls + 1
          world:restore(i % 2 == 0 and snapshot or text)
          world:insert(unpack(rect(dim, i, 1)))
        end)
        world:clear()
        world:restore(i % 3 == 0 and snapshot or text)
      end
      collectgarbage()
      assert.is_true(calls > 100)
      world:restore(snapshot)
      assert.equal(before, dump(world))
    end)
  end)

  describe(("the hash of a snapshot in %dD"):format(dim), function()
    local function hash(world)
      return world:snapshot():getHash()
    end

    it("is 16 hexadecimal digits, and the end of the string, from its last byte on", function()
      local snapshot = mixture("auto", dim):snapshot()
      local digits = snapshot:getHash()
      assert.is_truthy(digits:find("^%x+$"))
      assert.equal(16, #digits)
      local last = snapshot:getString():sub(-8):reverse():gsub(".", function(c)
        return ("%02x"):format(c:byte())
      end)
      assert.equal(last, digits)
    end)

    it("depends on the state alone, not on how the world came to it", function()
      local world, boxes = mixture("brute", dim)
      local expected = hash(world)
      for _, backend in ipairs(scene.backends) do
        assert.equal(expected, hash((mixture(backend, dim))))
        assert.equal(expected, hash((mixture(backend, dim, "id"))))
        world:setBackend(backend)
        assert.equal(expected, hash(world))
      end
      for number, doNothing in ipairs({
        function() world:countPairs() end,
        function() world:trim() end,
        function() world:queryRect(unpack(rect(dim, -9, 99))) end,
        function() world:check(boxes[4], unpack(vector(dim, 9, 9))) end,
        function() world:restore(world:snapshot()) end,
        function() world:restore(world:snapshot():getString()) end,
        function() boxes[2]:setRect(boxes[2]:getRect()) end,
        function()
          local old = { boxes[2]:getRect() }
          boxes[2]:setRect(unpack(rect(dim, 77, 3)))
          world:countPairs()
          boxes[2]:setRect(unpack(old))
        end,
        function()
          boxes[13]:setVelocity(unpack(vector(dim, 1, 2)))
          boxes[13]:setVelocity(unpack(vector(dim, 0, -0.25)))
        end,
        function()
          boxes[13]:setResponse("bounce")
          boxes[13]:setResponse(nil)
        end,
        function()
          boxes[13]:setStatic(true)
          world:countPairs()
          boxes[13]:setStatic(false)
        end,
        function() boxes[14]:setData({}) end,
        function()
          local snapshot = world:snapshot()
          for i = 1, 50 do
            world:insert(unpack(rect(dim, i, 5)))
          end
          collect.contacts(world)
          world:clear()
          world:trim()
          world:restore(snapshot)
        end,
      }) do
        doNothing()
        assert.equal(expected, hash(world), "number " .. number)
      end
    end)

    it("is another one for anything that differs", function()
      local seen = {}
      local function differs(what, change)
        local world, boxes = mixture("tree", dim)
        change(world, boxes)
        local digits = hash(world)
        assert.is_nil(seen[digits], what .. " looks as " .. tostring(seen[digits]))
        seen[digits] = what
      end
      differs("nothing", function() end)
      for _, alone in ipairs(ALONE) do
        differs(alone[1], function(world, boxes) alone[2](boxes[2], dim, world) end)
      end
      differs("no gravity", function(_, boxes) boxes[2]:setGravityScale(0) end)
      differs("no shape", function(_, boxes) boxes[3]:setShape("box") end)
      differs("removed, another", function(_, boxes) boxes[13]:remove() end)
      differs("contacts", function(world) collect.contacts(world) end)
      differs("hits", function(world) world:step(0) end)
      differs("which id comes next", function(world)
        world:insert(unpack(rect(dim, 0, 1))):remove()
      end)
    end)
  end)

  describe(("a string that is no snapshot in %dD"):format(dim), function()
    local world, before, good

    before_each(function()
      world = mixture("tree", dim)
      before, good = dump(world), world:snapshot():getString()
    end)

    local function refused(text, reason)
      expect.badArgument(1, "restore", "this string " .. reason, world.restore, world, text)
    end

    it("is refused with a reason, and nothing changes", function()
      refused("", "is no snapshot of a world")
      refused("hello", "is no snapshot of a world")
      refused(("x"):rep(1000), "is no snapshot of a world")
      refused("BSWS", "is cut off")
      refused(good:sub(1, 40), "is cut off or damaged")
      refused(good .. "x", "is cut off or damaged")
      expect.refused("a Snapshot has the data", world.restore, world, world:snapshot(), print)
      for _, version in ipairs({ "\4", "\6" }) do
        refused(good:sub(1, 4) .. version .. good:sub(6), "is of another version")
      end
      local flat = broadside.newWorld({ dim = 5 - dim })
      refused(flat:snapshot():getString(), dim == 2 and "is of a 3D world" or "is of a 2D world")
      assert.equal(before, dump(world))
    end)

    it("is found wherever it was cut or changed", function()
      local rng = random.new(dim)
      for n = 0, #good - 1 do
        assert.is_false((pcall(world.restore, world, good:sub(1, n))), "cut to " .. n)
      end
      for i = 1, #good do
        local byte = (good:byte(i) + rng:int(1, 255)) % 256
        local changed = good:sub(1, i - 1) .. string.char(byte) .. good:sub(i + 1)
        expect.refused("bad argument #1 to 'restore' (this string is ", world.restore, world,
          changed)
      end
      for _ = 1, 100 do
        local i, j = rng:int(1, #good), rng:int(1, #good)
        local spliced = good:sub(1, i) .. good:sub(j)
        if spliced ~= good then
          assert.is_false((pcall(world.restore, world, spliced)))
        end
      end
      assert.equal(before, dump(world))
      world:restore(good)
      assert.equal(before, dump(world))
    end)
  end)
end
