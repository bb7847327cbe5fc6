-- Heaps of round things flow until they are dense and level, and then sleep. Funnels empty, gates
-- let out, crowds pass doors and pack. Nobody overlaps at any time.

local broadside = require("broadside")
local bodies = require("spec.support.bodies")
local compat = require("spec.support.compat")
local random = require("spec.support.random")

local near = bodies.near

-- Pours balls of radius 4.5 to 5.5 into a shaft of that width. Returns the world and the balls.
local function pour(n, width, opts, seed)
  local rng, list = random.new(seed or 1), {}
  local world = broadside.newWorld({ gravity = { 0, 600 } })
  bodies.shaft(world, width, { friction = opts.friction })
  bodies.stepsApart(world, 5 * n, function(frame)
    if frame % 5 == 0 then
      list[#list + 1] = world:insertCircle(width / 2 + rng:real(-8, 8), -1400, rng:real(4.5, 5.5), {
        response = opts.response or "slide", bounce = opts.bounce, friction = opts.friction,
        mass = opts.mass and rng:pick(opts.mass), vy = 300 })
    end
  end)
  return world, list
end

local function meanHeight(list)
  local sum = 0
  for _, ball in ipairs(list) do
    sum = sum - select(2, ball:getCenter())
  end
  return sum / #list
end

-- The mean height of balls of radius 5 that fill 0.8 of a level heap.
local function denseHeight(n, width)
  return n * math.pi * 25 / (0.8 * width) / 2
end

-- The highest ball of each of five columns of a shaft.
local function tops(list, width)
  local out = { 0, 0, 0, 0, 0 }
  for _, ball in ipairs(list) do
    local x, y = ball:getCenter()
    local k = math.min(5, 1 + math.floor(x / width * 5))
    out[k] = math.max(out[k], -y)
  end
  return out
end

describe("a heap of balls that were poured", function()
  it("is dense and level, and sleeps in the end, without friction", function()
    local world, list = pour(150, 120, {})
    bodies.stepsApart(world, 450)
    local dense = denseHeight(150, 120)
    assert.is_true(meanHeight(list) < 1.12 * dense, meanHeight(list) .. " is not " .. dense)
    local heights = tops(list, 120)
    local low, high = math.min(compat.unpack(heights)), math.max(compat.unpack(heights))
    assert.is_true(high - low < 25, ("level: %g to %g"):format(low, high))
    local frames = bodies.stepsApart(world, 1800, function() return bodies.allAtRest(list) end)
    assert.is_truthy(frames, "it does not come to rest")
    assert.equal(0, bodies.countAwake(list))
  end)

  it("comes to rest sooner with friction and a little bounce, nearly as dense", function()
    local world, list = pour(100, 120, { friction = 0.3, response = "bounce", bounce = 0.2,
      mass = { 0.5, 1, 2 } })
    local frames = bodies.stepsApart(world, 900, function() return bodies.allAtRest(list) end)
    assert.is_truthy(frames, "it does not come to rest")
    assert.is_true(meanHeight(list) < 1.25 * denseHeight(100, 120))
  end)

  it("fills a bowl: no column stands higher than its neighbours by more than two balls", function()
    local list, world = {}, broadside.newWorld({ gravity = { 0, 600 } })
    for i = 0, 23 do -- a half circle of radius 100 around (0, 0), of thin slabs
      local a, b = math.pi * i / 24, math.pi * (i + 1) / 24
      world:insertPolygon({ 100 * math.cos(a), 100 * math.sin(a), 100 * math.cos(b),
        100 * math.sin(b), 120 * math.cos(b), 120 * math.sin(b), 120 * math.cos(a),
        120 * math.sin(a) }, { static = true })
    end
    local rng = random.new(2)
    bodies.stepsApart(world, 700, function(frame)
      if frame % 4 == 0 and #list < 80 then
        list[#list + 1] = world:insertCircle(-60 + rng:real(-5, 5), -150, 5,
          { response = "slide", vy = 200 })
      end
    end)
    local left, right = -200, -200 -- the heights of the tops
    for _, ball in ipairs(list) do
      local x, y = ball:getCenter()
      left = x < 0 and math.max(left, -y) or left
      right = x >= 0 and math.max(right, -y) or right
    end
    assert.is_true(math.abs(left - right) < 20, ("%g and %g"):format(left, right))
  end)

  it("of boxes and balls lies flush: each touches what is below it", function()
    local list, world = {}, broadside.newWorld({ gravity = { 0, 600 } })
    local rng = random.new(5)
    bodies.shaft(world, 100, { friction = 0.4 })
    for i = 0, 39 do
      local x, y = 6 + i % 8 * 11 + rng:real(-1, 1), -12 - math.floor(i / 8) * 14
      local opts = { response = "slide", friction = 0.4 }
      list[i + 1] = rng:chance(0.5) and world:insert(x, y, rng:real(6, 9), rng:real(6, 9), opts)
        or world:insertCircle(x + 4, y + 4, rng:real(3, 5), opts)
    end
    local frames = bodies.stepsApart(world, 1200, function() return bodies.allAtRest(list) end)
    assert.is_truthy(frames, "it does not come to rest")
    for i, body in ipairs(list) do
      assert.is_truthy(world:touching(body, 0, 1) or world:touching(body, 1, 0)
        or world:touching(body, -1, 0), i .. " touches nothing")
    end
  end)

  -- In these, one ball leans on the others without touching them, or is left alone on the floor.
  it("sleeps, whatever its numbers", function()
    for _, seed in ipairs({ 704, 735, 1378, 2970, 4525 }) do
      local rng, list = random.new(seed), {}
      local world = broadside.newWorld({ gravity = { 0, rng:real(10, 120) } })
      local width = rng:real(8, 14)
      world:insert(-5, -400, 5, 405, { static = true })
      world:insert(width, -400, 5, 405, { static = true })
      world:insert(-5, 0, width + 10, 5, { static = true })
      for i = 1, rng:int(15, 40) do
        local r = rng:real(0.4, 0.8)
        list[i] = world:insertCircle(rng:real(r, width - r), -2 * i, r, { response = "slide",
          mass = r * r, friction = rng:pick({ 0, 0.2 }) })
      end
      assert.is_truthy(bodies.stepsApart(world, 1200, function() return bodies.allAtRest(list) end),
        ("heap %d does not come to rest"):format(seed))
    end
  end)
end)

describe("a funnel", function()
  local function funnel(half, radius, friction)
    local world, list, rng = broadside.newWorld({ gravity = { 0, 500 } }), {}, random.new(4)
    for side = -1, 1, 2 do
      world:insertPolygon({ side * (half + 150), -150, side * half, 0, side * (half + 150), 0 },
        { static = true, friction = friction })
    end
    for i = 0, 79 do
      list[i + 1] = world:insertCircle((i % 8 - 3.5) * 2.2 * radius + rng:real(0, radius / 10),
        -200 - math.floor(i / 8) * 2.2 * radius, radius,
        { response = "slide", friction = friction })
    end
    return world, list
  end

  it("of four to six balls' width empties", function()
    for _, half in ipairs({ 40, 50, 60 }) do
      local world, list = funnel(half, 10)
      local left
      bodies.stepsApart(world, 1800, function()
        left = 0
        for _, ball in ipairs(list) do
          left = left + (select(2, ball:getCenter()) < 0 and 1 or 0)
        end
        return left == 0
      end)
      assert.equal(0, left, half)
    end
  end)
end)

describe("a gate", function()
  it("that is opened lets all out that is behind it", function()
    local world, list = broadside.newWorld({ gravity = { 0, 600 } }), {}
    world:insertPolygon({ -400, -100, 1200, 300, 1200, 400, -400, 400 }, { static = true })
    local gate = world:insert(100, -600, 20, 800, { static = true })
    for i = 0, 59 do
      list[i + 1] = world:insertCircle(8 + i % 6 * 15 + math.floor(i / 6) % 2, -20 - 15 *
        math.floor(i / 6), 6, { response = "slide" })
    end
    bodies.stepsApart(world, 240)
    for _, ball in ipairs(list) do
      assert.is_true(ball:getCenter() < 100)
    end
    gate:remove()
    bodies.stepsApart(world, 240)
    for _, ball in ipairs(list) do
      assert.is_true(ball:getCenter() > 100)
    end
  end)

  -- Balls on a lift in a shaft, where they come to rest; then it goes up for a second.
  local function heapOnLift(width)
    local world, list = broadside.newWorld({ gravity = { 0, 600 } }), {}
    local lift = world:insert(0, 0, width, 10, { gravityScale = 0 })
    world:insert(-50, -900, 50, 1000, { static = true })
    world:insert(width, -900, 50, 1000, { static = true })
    for i = 0, 19 do
      list[i + 1] = world:insertCircle(5.5 + i % 5 * 11 + math.floor(i / 5) % 2 * 5, -6 - 11 *
        math.floor(i / 5), 5, { response = "slide" })
    end
    bodies.stepsApart(world, 900, function() return bodies.allAtRest(list) end)
    local before = meanHeight(list)
    lift:setVelocity(0, -60)
    return world, list, before
  end

  it("that moves up under a heap that sleeps wakes it, and takes it along", function()
    local world, list, before = heapOnLift(60.3)
    bodies.stepsApart(world, 60)
    near(before + 60, meanHeight(list), 2)
  end)

  it("takes along balls of which a row is as wide as the shaft", function()
    local world, list, before = heapOnLift(60)
    bodies.steps(world, 60)
    near(before + 60, meanHeight(list), 2)
  end)
end)

describe("a heap that sleeps", function()
  -- Balls in a box, all asleep; and how they press on each other: that stays while they sleep.
  local function newHeap()
    local world, list = broadside.newWorld({ gravity = { 0, 600 } }), {}
    world:insert(-50, 0, 160, 10, { static = true })
    world:insert(-50, -900, 50, 1000, { static = true })
    world:insert(60, -900, 50, 1000, { static = true })
    for i = 0, 19 do
      list[i + 1] = world:insertCircle(5.5 + i % 5 * 11 + math.floor(i / 5) % 2 * 5, -6 - 11 *
        math.floor(i / 5), 5, { response = "slide" })
    end
    local function sumImpulses()
      local sum = 0
      for _, _, _, _, _, _, _, impulse in world:hits() do
        sum = sum + impulse
      end
      return sum
    end
    assert.is_truthy(bodies.stepsApart(world, 1500, function() return bodies.allAtRest(list) end))
    return world, sumImpulses
  end

  it("sleeps on in steps up to twice as long, or half as long, and wakes in others", function()
    local world, sumImpulses = newHeap()
    local start, asleep = world:snapshot(), sumImpulses()
    for factor, wakes in pairs({ [0.45] = true, [0.55] = false, [1.9] = false, [2.1] = true }) do
      world:restore(start)
      world:step(bodies.DT * factor)
      assert.equal(wakes, sumImpulses() ~= asleep)
    end
    world:restore(start)
    world:step(bodies.DT * 0.55)
    world:step(bodies.DT * 0.55 ^ 2)
    world:step(0)
    assert.equal(asleep, sumImpulses())
    world:step(bodies.DT * 0.55 ^ 2 * 0.45)
    assert.not_equal(asleep, sumImpulses())
  end)
end)

describe("a body that drag holds in one step", function()
  it("goes off in a shorter one, in which drag does not", function()
    for _, response in ipairs({ "slide", "none" }) do
      local world = broadside.newWorld()
      local body = world:insert(0, 0, 10, 10, { ax = 1, drag = 0.5, damping = 3,
        response = response ~= "none" and response or nil })
      for _ = 1, 3 do -- 0.5 / (1 + 1.5) is 0.2, and drag takes 0.25.
        world:step(0.5)
        assert.same({ 0, true }, { (body:getVelocity()), body:isAwake() })
      end
      world:step(0.25)
      near(0.25 / 1.75 - 0.125, (body:getVelocity()), 1e-12)
    end
  end)
end)

describe("a body that is too far out for its way in a step", function()
  it("stays awake, and goes on in a step in which it comes to the next double", function()
    local world = broadside.newWorld()
    local body = world:insert(2 ^ 53, 0, 10, 10, { response = "slide", vx = 50 })
    for _ = 1, 5 do
      world:step(1 / 60)
      assert.same({ 2 ^ 53, true }, { (body:getRect()), body:isAwake() })
    end
    world:step(1.9 / 60) -- by 1.58, where doubles are 2 apart
    assert.equal(2 ^ 53 + 2, (body:getRect()))
  end)
end)

-- Walks to a point at a speed; at rest where it is there.
local function walk(body, tx, ty, speed)
  local x, y = body:getCenter()
  local dx, dy = tx - x, ty - y
  local d = math.sqrt(dx * dx + dy * dy)
  body:setVelocity(d > 0.05 and speed * dx / d or 0, d > 0.05 and speed * dy / d or 0)
end

describe("a crowd", function()
  -- 24 people of diameter 1 in a room, who walk at 3 through a door.
  local function passDoor(width, seed)
    local world, list, out, passed = broadside.newWorld(), {}, {}, 0
    local rng = random.new(seed)
    world:insert(-0.25, width / 2, 0.5, 40, { static = true })
    world:insert(-0.25, -40 - width / 2, 0.5, 40, { static = true })
    for i = 0, 23 do
      list[i + 1] = world:insertCircle(-3 - 1.2 * math.floor(i / 6) + rng:real(0, 0.1),
        (i % 6 - 2.5) * 1.2 + rng:real(0, 0.1), 0.5, { response = "slide" })
    end
    local frames = bodies.stepsApart(world, 1200, function()
      for i, body in ipairs(list) do
        if not out[i] and body:getCenter() > 0.8 then
          out[i], passed = true, passed + 1
        end
        walk(body, out[i] and 60 or 1.5, out[i] and (i - 13) * 4 or 0, 3)
      end
      return passed == 24
    end)
    return frames, passed
  end

  it("passes doors of 3, 4 and 5 diameters", function()
    for width = 3, 5 do
      for seed = 1, 3 do
        local frames, passed = passDoor(width, seed)
        assert.equal(24, passed, width)
        assert.is_true(frames < 10 * 60, frames)
      end
    end
  end)

  it("of six passes a door of four diameters, whoever comes first", function()
    for shift = 0, 2 do
      local world, list = broadside.newWorld(), {}
      world:insert(0, -400, 20, 368, { static = true })
      world:insert(0, 32, 20, 368, { static = true })
      for i = 1, 6 do
        list[i] = world:insertCircle(-40 - (i + shift) % 3, -77 + 22 * i, 8, { response = "slide" })
      end
      bodies.stepsApart(world, 600, function()
        for _, body in ipairs(list) do
          walk(body, body:getCenter() < 10 and 40 or 400, 0, 60)
        end
      end)
      for _, body in ipairs(list) do
        assert.is_true(body:getCenter() > 30)
      end
    end
  end)

  -- Round things that lie in rows fill 0.907 of a plane.
  it("that walks to one point packs round it", function()
    local world, list, rng = broadside.newWorld(), {}, random.new(3)
    for i = 0, 149 do
      list[i + 1] = world:insertCircle((i % 13 - 6.5) * 1.5 + rng:real(0, 0.1),
        (math.floor(i / 13) - 6) * 1.5 + rng:real(0, 0.1), 0.5, { response = "slide" })
    end
    bodies.stepsApart(world, 360, function()
      for _, body in ipairs(list) do
        walk(body, 0, 0, 4)
      end
    end)
    local radius, inside = 0.7 * 0.5 * math.sqrt(150 / 0.9), 0
    for _, body in ipairs(list) do
      local x, y = body:getCenter()
      inside = inside + (x * x + y * y < radius * radius and 1 or 0)
    end
    local density = inside * 0.25 / (radius * radius)
    assert.is_true(density > 0.83, density)
  end)
end)

describe("in 3D", function()
  it("spheres that are poured into a tray fill it and sleep", function()
    local list, rng = {}, random.new(6)
    local world = broadside.newWorld({ dim = 3, gravity = { 0, 600, 0 } })
    world:insert(-20, 0, -20, 80, 20, 80, { static = true })
    for side = 0, 1 do
      world:insert(side * 60 - 20, -900, -20, 20, 900, 80, { static = true })
      world:insert(-20, -900, side * 60 - 20, 80, 900, 20, { static = true })
    end
    bodies.stepsApart(world, 500, function(frame)
      if frame % 4 == 0 and #list < 80 then
        list[#list + 1] = world:insertCircle(20 + rng:real(-6, 6), -150, 20 + rng:real(-6, 6),
          rng:real(3.5, 4.5), { response = "slide", vy = 200 })
      end
    end)
    -- Spheres of radius 4 that fill 0.6 of a heap with the area of the tray, as loose ones do; at
    -- walls they fill less.
    local dense = 80 * 4 / 3 * math.pi * 64 / 0.6 / 1600 / 2
    assert.is_true(meanHeight(list) < 1.25 * dense, meanHeight(list) .. " is not " .. dense)
    local frames = bodies.stepsApart(world, 1500, function() return bodies.allAtRest(list) end)
    assert.is_truthy(frames, "it does not come to rest")
  end)
end)
