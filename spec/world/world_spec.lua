-- The contents of a world: insert, remove, update, clear, count, and reading back.

local broadside = require("broadside")
local collect = require("spec.support.collect")
local compat = require("spec.support.compat")
local oracle = require("spec.support.oracle")
local random = require("spec.support.random")

local unpack, values = compat.unpack, compat.values

-- Returns the numbers for that many axes: take({1, 2, 3}) is 1, 2 in 2D and 1, 2, 3 in 3D.
local function taker(dim)
  return function(list) return unpack(list, 1, dim) end
end

for dim = 2, 3 do
  describe(("a world in %dD"):format(dim), function()
    local world
    local take = taker(dim)

    -- The rectangle as a flat list, with all coordinates x and all sizes w.
    local function cube(x, w)
      return dim == 2 and { x, x, w, w } or { x, x, x, w, w, w }
    end

    local function insert(x, w, opts)
      return world:insert(values(cube(x, w), opts))
    end

    before_each(function()
      world = broadside.newWorld({ dim = dim })
    end)

    it("is empty at first", function()
      assert.equal(0, world:count())
      assert.equal(0, #world)
      assert.equal(0, world:countPairs())
      assert.same({}, collect.boxes(world))
    end)

    it("counts its boxes", function()
      local a = insert(0, 1)
      insert(5, 1)
      assert.equal(2, world:count())
      assert.equal(2, #world)
      world:remove(a)
      assert.equal(1, world:count())
      assert.equal(1, #world)
    end)

    it("reads rectangles back exactly as they were given", function()
      for _, kind in ipairs(random.kinds) do
        local rng = random.new(7)
        local coord, size = kind.make(rng)
        for _ = 1, 40 do
          local lo, extent = random.rect(coord, size, dim)
          local flat = compat.concat(lo, extent)
          local box = world:insert(unpack(flat))
          assert.same(flat, { box:getRect() })
          assert.same(flat, (world:getRects({ box })))
        end
      end
    end)

    it("says where a box's centre is", function()
      local box = insert(1, 3)
      assert.same({ take({ 2.5, 2.5, 2.5 }) }, { box:getCenter() })
    end)

    it("moves a box and keeps its size", function()
      local box = insert(0, 2)
      local other = insert(10, 2)
      world:update(box, take({ 9, 9, 9 }))
      assert.same(compat.concat({ take({ 9, 9, 9 }) }, { take({ 2, 2, 2 }) }), { box:getRect() })
      assert.equal(1, world:countPairs())
      box:setRect(take({ -5, -5, -5 }))
      assert.same(compat.concat({ take({ -5, -5, -5 }) }, { take({ 2, 2, 2 }) }), { box:getRect() })
      assert.equal(0, world:countPairs())
      assert.same(cube(10, 2), { other:getRect() })
    end)

    it("moves and resizes a box", function()
      local box = insert(0, 2)
      insert(10, 2)
      world:update(box, unpack(cube(3, 8)))
      assert.same(cube(3, 8), { box:getRect() })
      assert.equal(1, world:countPairs())
      box:setRect(unpack(cube(3, 7)))
      assert.same(cube(3, 7), { box:getRect() })
      assert.equal(0, world:countPairs())
    end)

    it("moves a box by its centre", function()
      local box = insert(0, 3)
      box:setCenter(take({ 10, 20, 30 }))
      assert.same({ take({ 10, 20, 30 }) }, { box:getCenter() })
      assert.same(compat.concat({ take({ 8.5, 18.5, 28.5 }) }, { take({ 3, 3, 3 }) }),
        { box:getRect() })
    end)

    -- Each axis has its own place and size, so that no number can be mistaken for another.
    it("gives each axis its own numbers in all calls", function()
      local place, size = { take({ 100, 200, 300 }) }, { take({ 2, 6, 20 }) }
      local flat = compat.concat(place, size)
      local box = world:insert(unpack(flat))
      local many = world:insertMany(compat.concat(flat, flat))
      for _, b in ipairs({ box, many[1], many[2] }) do
        assert.same(flat, { b:getRect() })
        assert.same({ take({ 101, 203, 310 }) }, { b:getCenter() })
      end
      box:setCenter(take({ -1, -2, -3 }))
      assert.same(compat.concat({ take({ -2, -5, -13 }) }, size), { box:getRect() })
      assert.same({ take({ -1, -2, -3 }) }, { box:getCenter() })
      assert.same({ box }, (world:queryPoint(take({ -1.5, 0.5, 6.5 }))))
      box:setRect(unpack(place))
      assert.same(flat, { box:getRect() })
      size = { take({ 10, 4, 6 }) }
      world:update(box, values(place, unpack(size)))
      assert.same({ take({ 105, 202, 303 }) }, { box:getCenter() })
      world:updateMany(many, compat.concat({ take({ 1, 2, 3 }) }, { take({ 4, 5, 6 }) }))
      local expected = { take({ 1, 2, 3 }) }
      for _, list in ipairs({ { take({ 2, 6, 20 }) }, { take({ 4, 5, 6 }) },
        { take({ 2, 6, 20 }) } }) do
        expected = compat.concat(expected, list)
      end
      assert.same(expected, (world:getRects(many)))
      assert.same({ take({ 5, 8, 16 }) }, { many[2]:getCenter() })
    end)

    it("takes whole numbers and floats alike", function()
      local box = insert(3, 1)
      assert.equal(3.0, (box:getRect()))
      local got = world:queryRect(unpack(cube(2.0, 4)))
      assert.equal(box, got[1])
    end)

    it("gives boxes in the order of insertion", function()
      local list = {}
      for i = 1, 50 do
        list[i] = insert(i * 7 % 11, 1)
      end
      assert.same(list, collect.boxes(world))
      -- A slot that is used again does not bring the old place back.
      world:remove(table.remove(list, 10))
      world:remove(table.remove(list, 20))
      list[#list + 1] = insert(3, 1)
      list[#list + 1] = insert(4, 1)
      world:update(list[5], take({ 100, 100, 100 }))
      local got = collect.boxes(world)
      assert.equal(#list, #got)
      for i = 1, #list do
        assert.is_true(rawequal(list[i], got[i]))
      end
    end)

    it("keeps insertion order in pairs and queries through removals and updates", function()
      local a, b = insert(0, 4), insert(1, 4)
      world:remove(a)
      local c = insert(2, 4)
      world:update(b, take({ 3, 3, 3 }))
      assert.same({ b, c }, collect.pairs(world)[1])
      assert.same({ b, c }, (world:queryRect(unpack(cube(-50, 100)))))
    end)

    it("forgets everything at clear and goes on", function()
      local a = insert(0, 4)
      insert(1, 4)
      world:clear()
      assert.equal(0, world:count())
      assert.equal(0, world:countPairs())
      assert.same({}, collect.boxes(world))
      assert.same({}, (world:queryRect(unpack(cube(-50, 100)))))
      assert.is_false(world:has(a))
      assert.is_true(a:isRemoved())
      local b = insert(0, 4)
      assert.same({ b }, collect.boxes(world))
      world:clear()
      world:clear()
      assert.equal(0, #world)
    end)

    it("knows which boxes it has", function()
      local other = broadside.newWorld({ dim = dim })
      local a = insert(0, 1)
      local id = a:getId()
      local foreign = other:insert(unpack(cube(0, 1)))
      assert.is_true(world:has(a))
      assert.is_true(world:has(id))
      assert.is_false(world:has(foreign))
      assert.is_false(world:has(-1))
      assert.is_false(world:has(0))
      a:remove()
      assert.is_false(world:has(a))
      assert.is_false(world:has(id))
      insert(0, 1)
      assert.is_false(world:has(a))
      assert.is_false(world:has(id))
    end)

    it("removes through the Box as well", function()
      local a, b = insert(0, 4), insert(1, 4)
      assert.is_false(a:isRemoved())
      a:remove()
      assert.is_true(a:isRemoved())
      assert.is_false(b:isRemoved())
      assert.equal(1, world:count())
      assert.equal(0, world:countPairs())
    end)

    it("gives each box its world", function()
      assert.is_true(rawequal(world, insert(0, 1):getWorld()))
    end)

    it("keeps static and dynamic boxes apart", function()
      local a, b = insert(0, 4, { static = true }), insert(1, 4, { static = true })
      assert.is_true(a:isStatic())
      assert.equal(0, world:countPairs())
      b:setStatic(false)
      assert.is_false(b:isStatic())
      assert.equal(1, world:countPairs())
      a:setStatic(false)
      assert.equal(1, world:countPairs())
      a:setStatic(true)
      b:setStatic(true)
      assert.equal(0, world:countPairs())
      assert.is_false(insert(9, 1):isStatic())
    end)

    it("finds a box wherever it has been since its insertion", function()
      local box = insert(0, 0.5)
      for i = 1, 200 do
        world:update(box, take({ i * 37 % 101 - 50, -i * 17 % 97, i }))
      end
      local all = insert(-1000, 3000)
      assert.same({ box }, (world:queryBox(all)))
      world:remove(box)
      assert.equal(1, world:count())
      assert.same({}, (world:queryBox(all)))
    end)

    it("needs no limits: far, negative and tiny places are all the same to it", function()
      for _, x in ipairs({ 0, -1e3, 1e6, -1e9, 1e12, 1e-9 }) do
        local w = math.max(1, math.abs(x) / 1e6)
        local a, b = insert(x, w), insert(x + w / 2, w)
        assert.same({ b }, (world:queryBox(a)))
        assert.same({ a }, (world:queryBox(b)))
        world:clear()
      end
    end)
  end)

  describe(("many boxes at once in %dD"):format(dim), function()
    local world
    local rects = dim == 2 and { 0, 0, 1, 1, 5, 6, 2, 3 } or { 0, 0, 0, 1, 1, 1, 5, 6, 7, 2, 3, 4 }
    local moved = dim == 2 and { 10, 11, 12, 13 } or { 10, 11, 12, 13, 14, 15 }

    before_each(function()
      world = broadside.newWorld({ dim = dim })
    end)

    it("are inserted by one call, in order", function()
      local list, n = world:insertMany(rects)
      assert.equal(2, n)
      assert.equal(2, #list)
      assert.same(list, collect.boxes(world))
      assert.same(rects, (world:getRects(list)))
    end)

    it("share the options", function()
      local opts = { static = true, layer = 4, mask = 6, data = "wall", vx = 1, vy = 2 }
      for _, box in ipairs((world:insertMany(rects, opts))) do
        assert.is_true(box:isStatic())
        assert.same({ 4, 6 }, { box:getFilter() })
        assert.equal("wall", box:getData())
        assert.same(dim == 2 and { 1, 2 } or { 1, 2, 0 }, { box:getVelocity() })
      end
    end)

    it("may be none", function()
      local list, n = world:insertMany({})
      assert.same({}, list)
      assert.equal(0, n)
      world:updateMany({}, {})
      list, n = world:getRects({})
      assert.same({}, list)
      assert.equal(0, n)
    end)

    it("are moved by one call and keep their sizes", function()
      local list = world:insertMany(rects)
      world:updateMany(list, moved)
      for i, box in ipairs(list) do
        local expected = oracle.fromFlat({ box:getRect() })
        assert.same({ unpack(moved, (i - 1) * dim + 1, i * dim) }, expected.lo)
        assert.same({ unpack(rects, (i - 1) * 2 * dim + dim + 1, i * 2 * dim) }, expected.size)
      end
    end)

    it("are moved by Box and by id, mixed", function()
      local list = world:insertMany(rects)
      world:updateMany({ list[1]:getId(), list[2] }, moved)
      local got = world:getRects({ list[1], list[2]:getId() })
      assert.equal(moved[1], got[1])
      assert.equal(moved[dim + 1], got[2 * dim + 1])
    end)

    it("meet others where they are then, also when few of many are moved", function()
      local flat = {}
      for i = 1, 300 do
        local rest = dim == 2 and { 0, 5, 5 } or { 0, 0, 5, 5, 5 }
        flat = compat.concat(flat, { 10 * i, unpack(rest) })
      end
      local list = world:insertMany(flat)
      assert.equal(0, world:countPairs())
      for _, case in ipairs({ { -8, 3, 3 }, { -14, 3, 0 }, { -15, 0, 3 } }) do
        local boxes, places = {}, {}
        for i = 1, 3 do
          boxes[i] = list[100 * i]
          places = compat.concat(places, { 1000 * i + case[1], unpack({ 0, 0 }, 1, dim - 1) })
        end
        world:updateMany(boxes, places)
        assert.equal(case[2], world:countPairs())
        assert.equal(case[3], select(2, world:collectContacts("changes")))
      end
    end)

    it("take the last place of a box that is named twice", function()
      local list = world:insertMany(rects)
      world:updateMany({ list[1], list[1] }, moved)
      assert.same({ unpack(moved, dim + 1, 2 * dim) }, { unpack({ list[1]:getRect() }, 1, dim) })
      assert.equal(2, world:count())
    end)
  end)
end

describe("a world's options", function()
  it("default to two axes, `auto` and no gravity", function()
    local world = broadside.newWorld()
    assert.equal("auto", world:getBackend():getName())
    assert.same({ 0, 0 }, { world:getGravity() })
    assert.equal(4, select("#", world:insert(1, 2, 3, 4):getRect()))
    assert.same({ 0, 0, 0 }, { broadside.newWorld({ dim = 3 }):getGravity() })
  end)

  it("set gravity", function()
    local world = broadside.newWorld({ gravity = { 1, -10 } })
    assert.same({ 1, -10 }, { world:getGravity() })
    world:setGravity(2, 3)
    assert.same({ 2, 3 }, { world:getGravity() })
    world = broadside.newWorld({ dim = 3, gravity = { 1, 2, 3 } })
    assert.same({ 1, 2, 3 }, { world:getGravity() })
  end)

  it("take a back end by name", function()
    for _, name in ipairs({ "brute", "sweep", "grid", "tree", "auto" }) do
      assert.equal(name, broadside.newWorld({ backend = name }):getBackend():getName())
    end
  end)
end)

describe("a box's options", function()
  it("have defaults", function()
    local box = broadside.newWorld():insert(0, 0, 1, 1)
    assert.is_false(box:isStatic())
    assert.same({ 1, 4294967295 }, { box:getFilter() })
    assert.is_nil(box:getData())
    assert.same({ 0, 0 }, { box:getVelocity() })
    assert.same({ 0, 0 }, { box:getAcceleration() })
  end)

  it("are read back as given", function()
    local data = {}
    local box = broadside.newWorld():insert(0, 0, 1, 1, {
      static = true, layer = 2, mask = 3, data = data, vx = 1, vy = 2, ax = 3, ay = 4,
    })
    assert.is_true(box:isStatic())
    assert.same({ 2, 3 }, { box:getFilter() })
    assert.equal(data, box:getData())
    assert.same({ 1, 2 }, { box:getVelocity() })
    assert.same({ 3, 4 }, { box:getAcceleration() })
    box = broadside.newWorld({ dim = 3 }):insert(0, 0, 0, 1, 1, 1, { vz = 5, az = 6 })
    assert.same({ 0, 0, 5 }, { box:getVelocity() })
    assert.same({ 0, 0, 6 }, { box:getAcceleration() })
  end)

  it("take a negative mask as its 32 bits", function()
    local box = broadside.newWorld():insert(0, 0, 1, 1, { layer = -2147483648, mask = -1 })
    assert.same({ 2147483648, 4294967295 }, { box:getFilter() })
    box:setFilter(0, -2)
    assert.same({ 0, 4294967294 }, { box:getFilter() })
  end)

  it("carry any value as data", function()
    local world = broadside.newWorld()
    for _, data in ipairs({ 1, "text", {}, print, world, false }) do
      local box = world:insert(0, 0, 1, 1, { data = data })
      assert.equal(data, box:getData())
      box:setData(nil)
      assert.is_nil(box:getData())
      box:setData(data)
      assert.equal(data, box:getData())
    end
  end)
end)
