-- Hand-made cases of `resolve`, in every symmetry and on every back end.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local random = require("spec.support.random")
local scene = require("spec.support.scene")

-- Asserts the push, the number of pushes and where the box stands afterwards.
local function resolved(s, box, push, count, place)
  local got, n = s:resolve(box)
  assert.same(push, got)
  assert.equal(count, n)
  local rect = s:getRect(box)
  assert.same(place, { rect[1], rect[2] })
end

-- Inserts a row of tiles from x = -160 to 160 with their tops at y = 0.
local function insertRow(s, backwards)
  for i = -5, 4 do
    local at = backwards and -1 - i or i
    s:insert({ 32 * at, 0, 32, 32 }, { static = true })
  end
end

describe("resolve", function()
  it("leaves a box alone that overlaps nothing", function()
    scene.each(function(s)
      local box = s:insert({ 0, 0, 4, 4 })
      s:insert({ 4, 0, 4, 4 })
      s:insert({ 50, 0, 4, 4 })
      resolved(s, box, { 0, 0 }, 0, { 0, 0 })
    end)
  end)

  it("pushes out along the axis of least overlap", function()
    scene.each(function(s)
      local box = s:insert({ 0, 0, 4, 4 })
      local wall = s:insert({ 3, 1, 20, 20 })
      resolved(s, box, { -1, 0 }, 1, { -1, 0 })
      resolved(s, box, { 0, 0 }, 0, { -1, 0 })
      s:update(box, { 8, -2 })
      resolved(s, box, { 0, -1 }, 1, { 8, -3 })
      assert.same({}, s:queryBox(box))
      assert.same({ 3, 1, 20, 20 }, s:getRect(wall))
    end)
  end)

  it("leaves a row of tiles by one push, wherever it overlaps their seams", function()
    scene.each(function(s)
      for _, backwards in ipairs({ false, true }) do
        s.world:clear()
        insertRow(s, backwards)
        for _, x in ipairs({ -16, -13, -3, 0, 3, 8, 19, 31 }) do
          local box = s:insert({ x, -9.5, 16, 16 })
          resolved(s, box, { 0, -6.5 }, 1, { x, -16 })
          box:remove()
        end
      end
    end)
  end)

  it("does so when a filter function chooses the tiles, too", function()
    scene.eachBackend(function(s)
      insertRow(s)
      local box = s:insert({ -3, -9.5, 16, 16 })
      local push, n = s:resolve(box, function() return true end)
      assert.same({ 0, -6.5 }, push)
      assert.equal(1, n)
      s:update(box, { -3, -9.5 })
      push, n = s:resolve(box, function(other) -- without the tile that is overlapped most
        return s:getRect(other)[1] ~= 0
      end)
      assert.same({ 3, 0 }, push)
      assert.equal(1, n)
    end)
  end)

  it("leaves a row and the one below it, and tiles of several sizes", function()
    scene.each(function(s)
      insertRow(s)
      for i = -20, 20 do
        s:insert({ 8 * i, 32, 8, 8 })
        s:insert({ 8 * i + 2, 4, 3, 5 })
      end
      local box = s:insert({ -3, -10, 40, 44.5 })
      resolved(s, box, { 0, -34.5 }, 1, { -3, -44.5 })
    end)
  end)

  it("takes one push out of all where that is no longer than several", function()
    scene.each(function(s)
      insertRow(s)
      local step = s:insert({ 13, -3, 32, 32 }) -- overlapped by 3, and by 9.5 from above
      local box = s:insert({ 2, -9.5, 14, 16 })
      resolved(s, box, { 0, -9.5 }, 1, { 2, -19 })
      s:update(step, { 13, -4 })
      s:update(box, { 2, -9.5 })
      resolved(s, box, { -3, -6.5 }, 2, { -1, -16 })
    end)
  end)

  it("leaves a corner of a floor and a wall made of tiles", function()
    scene.each(function(s)
      insertRow(s)
      for i = 1, 6 do
        s:insert({ 64, -32 * i, 32, 32 }, { static = true })
      end
      local box = s:insert({ 0, 0, 16, 16 })
      for _, x in ipairs({ 50, 51, 54 }) do
        for _, y in ipairs({ -14, -10, -9.5, -40 }) do
          s:update(box, { x, y })
          s:resolve(box)
          assert.same({ 48, math.min(y, -16), 16, 16 }, s:getRect(box))
        end
      end
    end)
  end)

  it("prefers the lower axis, and then the way down, where pushes are equal", function()
    for dim = 2, 3 do
      local world = broadside.newWorld({ dim = dim })
      local function both(list)
        return world:insert(compat.unpack(dim == 2 and { list[1], list[2], list[3], list[4] }
          or { list[1], list[2], 0, list[3], list[4], 99 }))
      end
      both({ 0, 0, 8, 8 })
      local other = both({ 8, 0, 8, 8 })
      local box = both({ -1, -1, 10, 10 })
      local function push()
        local got = { world:resolve(box) }
        return { got[1], got[2], got[dim + 1] }
      end
      assert.same({ -9, 0, 1 }, push()) -- up and down are as far
      other:setRect(0, 8, dim == 2 and 8 or 0)
      box:setRect(-1, -1, dim == 2 and 10 or 0)
      assert.same({ -9, 0, 1 }, push()) -- the other way along x, and up, too
    end
  end)

  it("leaves a row exactly, also far from the origin and between the doubles", function()
    for _, far in ipairs({ 0, 1e3, -1e9, 1e12, -1e12 }) do
      for _, axis in ipairs({ 1, 2 }) do
        for _, side in ipairs({ -1, 1 }) do
          local world = broadside.newWorld()
          local function insert(along, across, size)
            local x, y = axis == 1 and along or across, axis == 1 and across or along
            return world:insert(x, y, size, size)
          end
          local box = insert(far + 0.3, side < 0 and far - 0.5 or far + 31.2, 1.1)
          for i = -3, 3 do
            insert(far + 0.7 + 32.1 * i, far + 0.1, 32.1)
          end
          if world:queryBox(box)[1] then
            local dx, dy, n = world:resolve(box)
            assert.same({}, (world:queryBox(box)))
            assert.equal(0, axis == 1 and dx or dy)
            assert.is_true((axis == 1 and dy or dx) * side > 0)
            assert.equal(1, n)
          end
        end
      end
    end
  end)

  it("pushes out of several boxes, one after the other", function()
    scene.each(function(s)
      local box = s:insert({ 0, 0, 4, 4 })
      s:insert({ 3.5, -50, 4, 100 })
      s:insert({ -50, 3, 100, 4 })
      resolved(s, box, { -0.5, -1 }, 2, { -0.5, -1 })
      assert.same({}, s:queryBox(box))
    end)
  end)

  it("breaks ties by insertion", function()
    scene.each(function(s)
      -- Each wall overlaps by 1, and pushes the box into the other one. The last one wins.
      local box = s:insert({ 0, 0, 4, 4 })
      local right = s:insert({ 3, -50, 4, 100 })
      s:insert({ -3, -50, 4, 100 })
      resolved(s, box, { 1, 0 }, 2, { 1, 0 })
      right:remove()
      s:insert({ 3, -50, 4, 100 })
      s:update(box, { 0, 0 })
      resolved(s, box, { -1, 0 }, 2, { -1, 0 })
    end)
  end)

  it("pushes from each box at most once and always ends", function()
    scene.each(function(s)
      -- It stands between two walls that leave no room for it.
      local box = s:insert({ 0, 0, 4, 4 })
      s:insert({ 3, -50, 20, 100 })
      s:insert({ -19, -50, 20, 100 })
      local _, n = s:resolve(box)
      assert.equal(2, n)
      -- Now it also stands in a pile.
      for i = 1, 50 do
        s:insert({ i % 7 / 2, i % 5 / 2, 4, 4 })
      end
      _, n = s:resolve(box)
      assert.is_true(n <= 52)
    end)
  end)

  it("obeys its filter", function()
    scene.each(function(s)
      local box = s:insert({ 0, 0, 4, 4 })
      local wall = s:insert({ 3.5, -50, 4, 100 }, { layer = 2 })
      local floor = s:insert({ -50, 3, 100, 4 }, { layer = 4 })
      for _, filter in ipairs({ 4, wall, function(other)
        return other == floor
      end }) do
        s:update(box, { 0, 0 })
        local push, n = s:resolve(box, filter)
        assert.same({ 0, -1 }, push)
        assert.equal(1, n)
      end
    end)
  end)

  -- Each of the walls is a candidate until it has pushed.
  it("asks about each of thousands of boxes in the way once", function()
    local world = broadside.newWorld({ backend = "brute", results = "id" })
    local box = world:insert(0, 0, 4, 4)
    local count, asked, times = 3000, {}, 0
    for i = 1, count do
      local depth = 1e6 + i / 1024
      world:insert(-1e6, -1e6, i % 2 == 0 and depth or 2e6, i % 2 == 0 and 2e6 or depth)
    end
    local dx, dy, n = world:resolve(box, function(id)
      assert(not asked[id])
      asked[id], times = true, times + 1
      return true
    end)
    assert.same({ count / 1024, (count - 1) / 1024 }, { dx, dy })
    assert.equal(count, times)
    assert.is_true(n <= count)
  end)

  -- `steps` boxes reach 1, 2, 3, ... units into it from the left, and more boxes as far as the last
  -- of these. One reaches a quarter of a unit into it from above, too. So pushes out of one box
  -- after the other are longer than one common push, by that quarter.
  it("adds up 16 pushes, or 4096 looks at a box, before it gives up", function()
    local UNIT = 1 / 1024
    local function pushes(steps, count)
      local world = broadside.newWorld()
      local box = world:insert(0, 0, 4, 4)
      world:insert(-1, -1, 1 + steps * UNIT, 1 + UNIT / 4)
      for i = 1, count - 1 do
        world:insert(-9, -9, 9 + math.min(i, steps) * UNIT, 99)
      end
      local dx, dy, n = world:resolve(box)
      assert.same({ steps * UNIT, n == 1 and 0 or UNIT / 4 }, { dx, dy })
      return n
    end
    assert.equal(1, pushes(15, 20))
    assert.equal(2, pushes(16, 20))
    assert.equal(1, pushes(10, 372))
    assert.equal(2, pushes(10, 373))
  end)

  it("leaves thousands of boxes on one side by one push", function()
    local world = broadside.newWorld({ results = "id" })
    local box = world:insert(0, 0, 4, 4)
    for i = 1, 3000 do
      world:insert(-1e6, -1e6, 1e6 + i / 1024, 2e6)
    end
    assert.same({ 3000 / 1024, 0, 1 }, { world:resolve(box) })
  end)

  -- A box leaves boxes exactly, also if a circle is among them.
  it("leaves a box around a circle exactly, wherever places are rounded", function()
    local rng = random.new(1)
    for dim = 2, 3 do
      for _ = 1, 100 do
        local world, other, circle, box = broadside.newWorld({ dim = dim }), {}, {}, {}
        for k = 1, dim do
          other[k], other[dim + k] = rng:real(-9, 9), 3.1
          circle[k], circle[dim + 1] = other[k] + 1.5, 1
          box[k], box[dim + k] = other[k] + rng:real(-0.9, 2), 2.3
        end
        world:insert(compat.values(other))
        world:insertCircle(compat.values(circle))
        local handle = world:insert(compat.values(box))
        assert.equal(1, select(dim + 1, world:resolve(handle)))
        assert.same({}, (world:queryBox(handle)))
      end
    end
  end)

  -- The corner is 3 away from the middle of the circle, at 0, 0.
  it("pushes a circle out of a box's corner along the line between them", function()
    scene.each(function(s)
      local ball = s:insertCircle({ 0, 0 }, 5)
      s:insert({ 1.8, 2.4, 9, 9 })
      local push, n = s:resolve(ball)
      assert.near(-1.2, push[1], 1e-9)
      assert.near(-1.6, push[2], 1e-9)
      assert.equal(1, n)
    end)
  end)

  it("pushes a box out of one that surrounds it", function()
    scene.each(function(s)
      local box = s:insert({ 2, 4, 1, 1 })
      s:insert({ 0, 0, 9, 9 })
      resolved(s, box, { -3, 0 }, 1, { -1, 4 })
    end)
  end)

  it("pushes static and dynamic boxes alike", function()
    scene.each(function(s)
      local box = s:insert({ 0, 0, 4, 4 }, { static = true })
      s:insert({ 3, 1, 20, 20 }, { static = true })
      resolved(s, box, { -1, 0 }, 1, { -1, 0 })
    end)
  end)

  -- Outside it would reach beyond the largest double, 1.797e308, on either side.
  it("leaves the box where no finite place is outside", function()
    for dim = 2, 3 do
      local world = broadside.newWorld({ dim = dim })
      local box, other = {}, {}
      for k = 1, dim do
        box[k], box[dim + k] = -0.85e308, 1.7e308
        other[k], other[dim + k] = -0.89e308, 1.79e308
      end
      local handle = world:insert(compat.values(box))
      world:insert(compat.values(other))
      assert.same(dim == 2 and { 0, 0, 0 } or { 0, 0, 0, 0 }, { world:resolve(handle) })
      assert.same(box, { handle:getRect() })
    end
  end)

  it("moves the box for pairs and queries too", function()
    scene.eachBackend(function(s)
      local box = s:insert({ 0, 0, 4, 4 })
      local other = s:insert({ 3, 1, 20, 20 })
      assert.equal(1, s.world:countPairs())
      s:resolve(box)
      assert.equal(0, s.world:countPairs())
      assert.same({ box }, s:queryPoint({ -0.5, 2 }))
      assert.same({ other }, s:queryPoint({ 3.5, 2 }))
    end)
  end)
end)

describe("a sensor", function()
  it("pushes nothing out, and is pushed out of nothing", function()
    scene.each(function(s)
      local asked = 0
      local function ask()
        asked = asked + 1
        return true
      end
      local box = s:insert({ 0, 0, 4, 4 })
      local trigger = s:insert({ 3, -9, 20, 20 }, { sensor = true })
      for _, sensor in ipairs({ trigger, box }) do
        sensor:setSensor(true)
        for i = 0, 2 do
          assert.same({ { 0, 0 }, 0 }, { s:resolve(box, ({ [0] = nil, -1, ask })[i]) })
          assert.same({ { 0, 0 }, 0 }, { s:resolve(trigger, ({ [0] = nil, -1, ask })[i]) })
        end
        assert.equal(0, asked)
        sensor:setSensor(false)
      end
      trigger:setSensor(true)
      s:insert({ -8, 2, 9, 9 })
      for i = 1, 2 do -- out of the other one alone
        assert.same({ { 1, 0 }, 1 }, { s:resolve(box, i == 2 and ask or nil) })
        s:update(box, { 0, 0 })
      end
      assert.equal(1, asked)
    end)
  end)
end)

-- Pairs are counted where lists that have become too long are cut.
describe("the filter function of resolve", function()
  it("may count pairs, in a world whose lists were long before", function()
    local world, flat = broadside.newWorld(), {}
    for i = 0, 9999 do
      flat[4 * i + 1], flat[4 * i + 2], flat[4 * i + 3], flat[4 * i + 4] = i % 100, 0, 200, 9
    end
    world:insertMany(flat, { static = true })
    world:resolve(world:insert(100, 0, 9, 9))
    world:clear()
    local box, wall, asked = world:insert(0, 0, 4, 4), world:insert(0, 0, 9, 9), {}
    for i = 1, 300 do
      world:update(box, -2, 3)
      local dx, dy, n = world:resolve(box, function(other)
        asked[i] = other == wall and world:countPairs()
        return true
      end)
      assert.same({ -2, 0, 1, 1 }, { dx, dy, n, asked[i] })
    end
  end)
end)

describe("resolve of a circle", function()
  it("takes one push that leaves all before a shorter one that does not", function()
    for _, order in ipairs({ 1, 2 }) do
      local world = broadside.newWorld()
      for i = 1, 2 do
        if i == order then
          world:insert(4, 0.5, 16, 20, { static = true })
        else
          world:insert(-20, 2, 40, 20, { static = true })
        end
      end
      local ball = world:insertCircle(0, 0, 5)
      local dx, dy, n = world:resolve(ball)
      assert.is_true(dx == 0 and math.abs(dy + 3) < 1e-9 and n == 1,
        ("%.17g, %.17g, %d"):format(dx, dy, n))
    end
  end)

  it("goes to the lower axis, and there back, from the middle of a square", function()
    local world = broadside.newWorld()
    world:insert(-10, -10, 20, 20, { static = true })
    local dx, dy, n = world:resolve(world:insertCircle(0, 0, 5))
    assert.is_true(dx == -15 and dy == 0 and n == 1, ("%.17g, %.17g, %d"):format(dx, dy, n))
  end)
end)
