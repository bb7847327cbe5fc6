-- Velocity, acceleration, gravity and `step`.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local scene = require("spec.support.scene")

describe("step", function()
  it("adds the acceleration to the velocity, then the velocity to the place", function()
    for _, backend in ipairs(scene.backends) do
      local world = broadside.newWorld({ backend = backend, gravity = { 0, -10 } })
      local box = world:insert(1, 2, 3, 4, { vx = 5, vy = 6, ax = 2, ay = 0 })
      world:step(0.5)
      assert.same({ 6, 1 }, { box:getVelocity() })
      assert.same({ 4, 2.5, 3, 4 }, { box:getRect() })
      world:step(0.5)
      assert.same({ 7, -4 }, { box:getVelocity() })
      assert.same({ 7.5, 0.5, 3, 4 }, { box:getRect() })
      assert.same({ 2, 0 }, { box:getAcceleration() })
    end
  end)

  it("rounds as doubles do, operation by operation", function()
    local world = broadside.newWorld({ gravity = { 0.1, -9.81 } })
    local x, y, vx, vy = 0.1, 0.2, 0.3, 0.7
    local box = world:insert(x, y, 1, 1, { vx = vx, vy = vy, ax = 0.01, ay = 0.02 })
    local dt = 1 / 60
    for _ = 1, 500 do
      world:step(dt)
      vx, vy = vx + (0.1 + 0.01) * dt, vy + (-9.81 + 0.02) * dt
      x, y = x + vx * dt, y + vy * dt
    end
    assert.same({ x, y, 1, 1 }, { box:getRect() })
    assert.same({ vx, vy }, { box:getVelocity() })
  end)

  it("works along three axes", function()
    local world = broadside.newWorld({ dim = 3, gravity = { 0, 0, -10 } })
    local box = world:insert(0, 0, 0, 1, 1, 1, { vx = 1, vy = 2, vz = 3, az = 2 })
    world:step(0.5)
    assert.same({ 1, 2, -1 }, { box:getVelocity() })
    assert.same({ 0.5, 1, -0.5, 1, 1, 1 }, { box:getRect() })
  end)

  it("leaves static boxes where they are, and their velocity alone", function()
    local world = broadside.newWorld({ gravity = { 0, -10 } })
    local box = world:insert(0, 0, 1, 1, { static = true, vx = 5, vy = 5 })
    world:step(1)
    assert.same({ 0, 0, 1, 1 }, { box:getRect() })
    assert.same({ 5, 5 }, { box:getVelocity() })
    box:setStatic(false)
    world:step(1)
    assert.same({ 5, -5, 1, 1 }, { box:getRect() })
    box:setStatic(true)
    world:step(1)
    assert.same({ 5, -5, 1, 1 }, { box:getRect() })
    assert.same({ 5, -5 }, { box:getVelocity() })
  end)

  -- 1 / 0 and 1 / -0 differ, though 0 and -0 do not.
  it("leaves a box at rest bit for bit where it is, whoever else moves", function()
    for _, backend in ipairs(scene.backends) do
      local world = broadside.newWorld({ backend = backend })
      local box = world:insert(0, 5, 1, 1)
      world:insert(50, 50, 1, 1, { vx = 1 })
      world:step(1)
      assert.same(compat.huge, 1 / (box:getRect()))
    end
  end)

  it("of no time adds nothing", function()
    local world = broadside.newWorld({ gravity = { 3, 4 } })
    local box = world:insert(1, 2, 3, 4, { vx = 5, vy = 6 })
    world:step(0)
    assert.same({ 1, 2, 3, 4 }, { box:getRect() })
    assert.same({ 5, 6 }, { box:getVelocity() })
  end)

  it("uses what has been set", function()
    local world = broadside.newWorld()
    local box = world:insert(0, 0, 1, 1)
    box:setVelocity(1, 2)
    box:setAcceleration(4, 8)
    world:setGravity(-4, -4)
    assert.same({ 1, 2 }, { box:getVelocity() })
    assert.same({ 4, 8 }, { box:getAcceleration() })
    assert.same({ -4, -4 }, { world:getGravity() })
    world:step(0.5)
    assert.same({ 1, 4 }, { box:getVelocity() })
    assert.same({ 0.5, 2, 1, 1 }, { box:getRect() })
  end)

  it("keeps a box where it is when its place would not be finite", function()
    for dim = 2, 3 do
      local gravity = dim == 3 and { 0, 0, 1 } or { 0, 1 }
      local world = broadside.newWorld({ dim = dim, gravity = gravity })
      local function insert(x, w, opts)
        local flat = dim == 2 and { x, 0, w, 1 } or { x, 0, 0, w, 1, 1 }
        return world:insert(compat.values(flat, opts))
      end
      local most = compat.maxDouble
      local stuck = {
        insert(1.7e308, 1, { vx = most }), -- the place overflows
        insert(-1.7e308, 1, { vx = -most }),
        insert(0, 1.7e308, { vx = 1.5e308 }), -- the far side overflows
        insert(0, 1, { vx = most, ax = most }), -- the velocity overflows
      }
      local before = {}
      for i, box in ipairs(stuck) do
        before[i] = compat.concat({ box:getRect() }, { box:getVelocity() })
      end
      local free = insert(5, 1, { vx = 1 })
      world:step(1)
      for i, box in ipairs(stuck) do
        assert.same(before[i], compat.concat({ box:getRect() }, { box:getVelocity() }))
      end
      assert.equal(6, (free:getRect()))
      world:step(1e308)
      assert.is_true(compat.isFinite((free:getRect())))
    end
  end)

  it("is seen by pairs, queries and casts at once", function()
    scene.each(function(s)
      local mover = s:insert({ 0, 0, 2, 2 })
      local wall = s:insert({ 10, 0, 2, 2 }, { static = true })
      s:setVelocity(mover, { 9, 0 })
      assert.equal(0, s.world:countPairs())
      s.world:step(1)
      assert.equal(1, s.world:countPairs())
      assert.same({ wall }, s:queryBox(mover))
      assert.same({ mover }, s:queryPoint({ 9.5, 1 }))
      assert.same({}, s:queryPoint({ 1, 1 }))
      assert.is_true(rawequal(mover, (s:segmentCast({ 0, 1 }, { 20, 1 }))))
      s.world:step(1)
      assert.equal(0, s.world:countPairs())
      assert.is_true(rawequal(wall, (s:segmentCast({ 0, 1 }, { 20, 1 }))))
    end)
  end)

  it("moves many boxes as it moves one", function()
    for _, backend in ipairs(scene.backends) do
      local world = broadside.newWorld({ backend = backend, gravity = { 0, 1 } })
      local boxes = {}
      for i = 1, 1000 do
        boxes[i] = world:insert(i, 0, 1, 1, { vx = i, static = i % 3 == 0 })
      end
      world:step(0.5)
      world:step(0.5)
      for i, box in ipairs(boxes) do
        local still, x, y = i % 3 == 0, box:getRect()
        assert.equal(still and i or 2 * i, x)
        assert.equal(still and 0 or 0.75, y)
      end
    end
  end)
end)

describe("gravity", function()
  it("moves boxes that never had a velocity, on each axis alone", function()
    for dim = 2, 3 do
      for axis = 1, dim do
        local gravity, rect = {}, {}
        for k = 1, dim do
          gravity[k], rect[k], rect[dim + k] = k == axis and 2 or 0, 10, 1
        end
        local world = broadside.newWorld({ dim = dim, gravity = gravity })
        local box = world:insert(compat.values(rect))
        world:step(0.5)
        rect[axis] = 10.5
        assert.same(rect, { box:getRect() })
      end
    end
  end)
end)

describe("a velocity", function()
  it("is read back exactly", function()
    local box = broadside.newWorld():insert(0, 0, 1, 1)
    for _, v in ipairs({ 0, 1e-300, compat.minDouble, -1e300, compat.maxDouble, 0.1 }) do
      box:setVelocity(v, -v)
      assert.same({ v, -v }, { box:getVelocity() })
      box:setAcceleration(-v, v)
      assert.same({ -v, v }, { box:getAcceleration() })
    end
  end)
end)
