-- Bodies: what steps make of masses, bounces, friction and drag. Answers by hand, and properties of
-- random scenes: shuffled, scaled, on each back end, with a bystander, back in time.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local random = require("spec.support.random")

local DT = 1 / 60

local function near(expected, got, tolerance)
  local isNear = math.abs(expected - got) <= (tolerance or 1e-9)
  assert.is_true(isNear, expected .. " expected, got " .. got)
end

local function steps(world, n)
  for _ = 1, n do
    world:step(DT)
  end
end

local KINDS = {
  box = function(world, x, y, r, opts) return world:insert(x - r, y - r, 2 * r, 2 * r, opts) end,
  circle = function(world, x, y, r, opts) return world:insertCircle(x, y, r, opts) end,
  polygon = function(world, x, y, r, opts)
    return world:insertPolygon({ x - r, y - r / 2, x, y - r, x + r, y - r / 2, x + r, y + r / 2,
      x, y + r, x - r, y + r / 2 }, opts)
  end,
}

describe("two bodies that meet head on", function()
  it("keep their momentum, and part at their bounce times the closing speed", function()
    for kind, insert in pairs(KINDS) do
      for _, c in ipairs({ { 1, 1, 60, -60, 1 }, { 1, 3, 60, -10, 0.5 }, { 0.1, 10, 60, 0, 1 },
        { 2, 1, 60, 20, 0 }, { 1, 1, 60, -60, 2 } }) do
        local m, n, v, u, e = compat.unpack(c)
        local world = broadside.newWorld()
        local opts = { response = "bounce", bounce = e, mass = m, vx = v }
        local a = insert(world, 0, 0, 5, opts)
        opts.mass, opts.vx = n, u
        local b = insert(world, 20, 0, 5, opts)
        steps(world, 60)
        local common = (m * v + n * u) / (m + n)
        near(common - e * n * (v - u) / (m + n), (a:getVelocity()), 1e-9)
        near(common + e * m * (v - u) / (m + n), (b:getVelocity()), 1e-9)
        assert.equal(0, world:countPairs(), kind)
      end
    end
  end)

  it("are told once, with the closing speed, the impulse, and the side of the first", function()
    local world = broadside.newWorld()
    local a = world:insert(0, 0, 10, 10, { response = "bounce", bounce = 1, vx = 60, mass = 2 })
    local b = world:insert(20, 0, 10, 10, { response = "bounce", vx = -60 })
    local n = 0
    for _ = 1, 30 do
      world:step(DT)
      for box, other, response, _, nx, ny, speed, impulse in world:hits() do
        n = n + 1
        assert.is_true(rawequal(a, box) and rawequal(b, other))
        assert.same({ "bounce", -1, 0 }, { response, nx, ny })
        near(120, speed)
        near(2 * 120 / (1 / 2 + 1), impulse)
      end
    end
    assert.equal(1, n)
  end)

  it("turn off at a right angle, if their masses are equal and one of them rested", function()
    local world = broadside.newWorld()
    local a = world:insertCircle(0, 0, 5, { response = "bounce", vx = 60 })
    local b = world:insertCircle(30, 4, 5, { response = "bounce" })
    steps(world, 60)
    local ax, ay = a:getVelocity()
    local bx, by = b:getVelocity()
    near(0, ax * bx + ay * by)
    assert.is_true(by > 1)
  end)
end)

describe("a body", function()
  local function lane(opts, wall)
    local world = broadside.newWorld()
    local other = world:insert(50, -50, 10, 100, wall)
    return world, world:insert(0, 0, 10, 10, opts), other
  end

  it("bounces off what flies as off a wall that moves", function()
    local world, body, wall = lane({ response = "bounce", bounce = 0.5, vx = 40 }, { vx = -20 })
    steps(world, 60)
    near(-20 + 0.5 * (-20 - 40), (body:getVelocity()))
    assert.equal(-20, (wall:getVelocity()))
  end)

  it("is hit by a bat of infinite mass, which notices nothing", function()
    local world, body, bat = lane({ response = "bounce", vx = 40 },
      { response = "slide", mass = math.huge, vx = -20 })
    steps(world, 60)
    near(-80, (body:getVelocity()))
    assert.equal(-20, (bat:getVelocity()))
  end)

  it("meets others whose masses are the least and the largest numbers", function()
    for _, masses in ipairs({ { 5e-324, 5e-324 }, { 5e-324, 1 }, { 1, 1.7e308 },
      { 1.7e308, 1.7e308 }, { 5e-324, 1.7e308 } }) do
      local world = broadside.newWorld()
      local a = world:insert(0, 0, 10, 10, { response = "slide", vx = 40, mass = masses[1] })
      local b = world:insert(20, 0, 10, 10, { response = "slide", vx = -40, mass = masses[2] })
      steps(world, 60)
      assert.is_true(a:getRect() + 10 <= b:getRect())
      near(masses[1] == masses[2] and 0 or -40, (a:getVelocity()))
      near(a:getVelocity(), (b:getVelocity()))
    end
  end)

  it("is sent off by a bumper faster than it came", function()
    local world, body = lane({ response = "slide", vx = 40 }, { static = true, bounce = 2 })
    steps(world, 120)
    near(-80, (body:getVelocity()))
  end)

  it("is stopped by what is behind it, after a wall or a belt has sent it back", function()
    local world = broadside.newWorld()
    world:insert(-10, 0, 10, 9, { static = true })
    world:insert(20, 0, 10, 9, { static = true, bounce = 1 })
    local body = world:insert(4, 0, 8, 4, { response = "slide", vx = 240 })
    world:step(0.1)
    assert.same({ 0, 0, 8, 4 }, { body:getRect() })
    world:insert(-10, 19, 40, 9, { static = true, vx = -8 })
    world:insert(-10, 9, 10, 10, { static = true })
    local carried = world:insert(0.25, 15, 8, 4,
      { response = "slide", vx = 10, vy = 100, friction = 1 })
    world:step(0.1)
    assert.same({ 0, 15, 8, 4 }, { carried:getRect() })
  end)

  it("never gets past another one, however fast both are", function()
    for k = 1, 200 do
      local world = broadside.newWorld()
      local a = world:insertCircle(-50 - k * 0.37, 0, 3, { response = "bounce", vx = 3000 + k * 7 })
      local b = world:insertCircle(50 + k * 0.11, 0, 3, { response = "bounce", vx = -150 * k })
      steps(world, 10)
      assert.is_true(a:getCenter() < b:getCenter())
    end
  end)

  it("loses speed by drag and damping, and has a top speed", function()
    local world = broadside.newWorld()
    local slow = world:insert(0, 0, 1, 1, { response = "slide", vx = 100, drag = 50 })
    local damped = world:insert(0, 9, 1, 1, { response = "slide", vx = 100, damping = 2 })
    local fast = world:insert(0, 99, 1, 1, { response = "slide", vx = 30, vy = 40, maxSpeed = 10 })
    steps(world, 60)
    near(50, (slow:getVelocity()))
    near(100 / (1 + 2 * DT) ^ 60, (damped:getVelocity()))
    near(6, (fast:getVelocity()))
    steps(world, 70)
    assert.equal(0, (slow:getVelocity()))
  end)

  it("loses speed and is cut along each axis by itself", function()
    for _, response in ipairs({ "slide", false }) do -- false: it flies
      for sx = -1, 1, 2 do
        for sy = -1, 1, 2 do
          local world = broadside.newWorld()
          local function fly(opts)
            opts.response, opts.vx, opts.vy = response or nil, 30 * sx, 40 * sy
            return world:insert(0, world:count() * 900, 1, 1, opts)
          end
          local function expectVelocity(x, y, box)
            local vx, vy = box:getVelocity()
            near(x * sx, vx)
            near(y * sy, vy)
          end
          local run = fly({ maxSpeed = { 10, math.huge } })
          local fall = fly({ maxSpeed = { 100, 35 } })
          local dragged = fly({ drag = { 20, 0 } })
          local both = fly({ drag = { 0, 100 }, maxSpeed = 15 }) -- (30, 15), then its length is cut
          local late = fly({ drag = 25, maxSpeed = { 5, 99 } }) -- half of its length, then cut
          world:step(0.25)
          expectVelocity(10, 40, run)
          expectVelocity(30, 35, fall)
          expectVelocity(25, 40, dragged)
          expectVelocity(15 * 2 / math.sqrt(5), 15 / math.sqrt(5), both)
          expectVelocity(5, 40 * 43.75 / 50, late)
          world:step(10)
          expectVelocity(10, 40, run)
          expectVelocity(0, 40, dragged)
        end
      end
    end
  end)

  it("falls at its top speed, and runs no slower for that", function()
    local world = broadside.newWorld({ gravity = { 0, 1000 } })
    local box = world:insert(0, 0, 1, 1,
      { response = "slide", ax = 600, maxSpeed = { 120, 300 } })
    steps(world, 60)
    assert.same({ 120, 300 }, { box:getVelocity() })
  end)

  it("has limits by axis in 3D", function()
    local world = broadside.newWorld({ dim = 3 })
    local box = world:insert(0, 0, 0, 1, 1, 1,
      { response = "slide", vx = 9, vy = -9, vz = 9, maxSpeed = { 1, 2, 100 }, drag = { 0, 0, 4 } })
    world:step(0.5)
    assert.same({ 1, -2, 7 }, { box:getVelocity() })
    assert.same({ { 1, 2, 100 } }, { box:getMaxSpeed() })
    assert.same({ { 0, 0, 4 }, 0 }, { box:getDrag() })
  end)
end)

describe("a box is awake", function()
  it("until it is at rest, and again when something comes", function()
    local world = broadside.newWorld({ gravity = { 0, 600 } })
    local floor = world:insert(-100, 0, 400, 10, { static = true })
    local crate = world:insert(0, -40, 10, 10, { response = "slide" })
    local other = world:insert(200, -40, 10, 10, { response = "slide" })
    assert.is_true(crate:isAwake())
    world:step(DT)
    assert.is_true(crate:isAwake())
    steps(world, 120)
    assert.same({ false, false, false }, { floor:isAwake(), crate:isAwake(), other:isAwake() })
    crate:setVelocity(0, -100)
    world:step(DT)
    assert.same({ true, false }, { crate:isAwake(), other:isAwake() })
    steps(world, 120)
    assert.is_false(crate:isAwake())
    world:restore(world:snapshot())
    steps(world, 2)
    assert.same({ false, false }, { crate:isAwake(), other:isAwake() })
    floor:remove()
    world:step(DT)
    assert.same({ true, true }, { crate:isAwake(), other:isAwake() })
  end)

  it("without a response while it flies, and never if it is static", function()
    local world = broadside.newWorld()
    local lift = world:insert(0, 0, 10, 10)
    local wall = world:insert(50, 0, 10, 10, { static = true, vx = 3 })
    for _ = 1, 2 do
      assert.same({ false, false }, { lift:isAwake(), wall:isAwake() })
      lift:setVelocity(0, 1)
      world:step(DT)
      assert.is_true(lift:isAwake())
      lift:setVelocity(0, 0)
      world:insert(500, 0, 10, 10, { response = "slide" }) -- in a world of bodies, too
    end
    world:setGravity(0, 10)
    assert.is_true(lift:isAwake())
    lift:setGravityScale(0)
    assert.is_false(lift:isAwake())
    lift:setStatic(true)
    lift:setVelocity(0, 1)
    assert.is_false(lift:isAwake())
  end)
end)

describe("a body that sleeps", function()
  it("falls if what it lies on is moved away, alone or with many others", function()
    for _, others in ipairs({ 0, 3, 300 }) do
      local world, list, places = broadside.newWorld({ gravity = { 0, 600 } }), {}, {}
      for i = 0, others do -- The first one is its floor.
        list[i + 1] = world:insert(200 * i, 0, 100, 10, { static = true })
        places[2 * i + 1], places[2 * i + 2] = 200 * i, 5000
      end
      local body = world:insert(40, -10, 10, 10, { response = "slide" })
      steps(world, 60)
      assert.is_false(body:isAwake())
      world:updateMany(list, places)
      steps(world, 30)
      assert.is_true(body:isAwake() and select(2, body:getRect()) > 50)
    end
  end)
end)

describe("friction", function()
  local function onFloor(opts, friction, vx)
    local world = broadside.newWorld({ gravity = { 0, 1000 } })
    world:insert(-1000, 100, 4000, 10, { static = true, vx = vx, friction = friction })
    opts.response = "slide"
    return world, world:insert(0, 90, 10, 10, opts)
  end

  it("stops what slides on a floor, by the greater of the two", function()
    local world, body = onFloor({ vx = 300, friction = 0.5 }, 0.1)
    steps(world, 120)
    assert.equal(0, (body:getVelocity()))
    near(300 ^ 2 / (2 * 0.5 * 1000), body:getRect(), 300 * DT)
  end)

  it("takes what lies on a belt, or on a lift, to its speed", function()
    local world, body = onFloor({}, 0.5, 50)
    local lift = world:insert(0, 0, 100, 10, { vx = 60, gravityScale = 0, friction = 1 })
    local rider = world:insert(20, -10, 10, 10, { response = "slide" })
    steps(world, 120)
    near(50, (body:getVelocity()))
    near(60, (rider:getVelocity()))
    near(20, rider:getRect() - lift:getRect(), 4 * 60 * DT) -- that it takes to come to its speed
  end)

  it("gives what touches a belt or a lift the velocity of that at once, and for good", function()
    for _, floor in ipairs({ { static = true }, { gravityScale = 0 } }) do
      for _, friction in ipairs({ 0, 0.3, 9 }) do
        local world = broadside.newWorld({ gravity = { 0, 1000 } })
        floor.vx, floor.friction = 33, friction
        world:insert(-1000, 100, 4000, 10, floor)
        local body = world:insert(0, 79.1, 10, 10, { response = "touch" })
        for _ = 1, 60 do
          world:step(DT)
          local _, y = body:getRect()
          if y == 90 then assert.same({ 33, 0 }, { body:getVelocity() }) end
        end
        near(90, select(2, body:getRect()))
      end
    end
  end)

  -- A world with a slope, which goes down to the right, and a tower of crates with these masses.
  local function onSlope(slope, masses, ofSlope, ofCrates)
    local world, tower = broadside.newWorld({ gravity = { 0, 600 } }), {}
    world:insertPolygon({ -3000, -3000 * slope, 3000, 3000 * slope, 3000, 9000, -3000, 9000 },
      { static = true, friction = ofSlope })
    for i, mass in ipairs(masses) do
      tower[i] = world:insert(0, -20 * i - 5, 20, 20,
        { response = "slide", friction = ofCrates, mass = mass })
    end
    return world, tower
  end

  it("holds a tower on a slope that holds one crate, whatever its masses are", function()
    for _, slope in ipairs({ 0.05, 0.25, 0.5 }) do
      for _, masses in ipairs({ { 1 }, { 1, 1 }, { 1, 5 }, { 5, 1 }, { 1, 2, 1, 9 } }) do
        local world, tower = onSlope(slope, masses, 1, 1)
        steps(world, 100)
        for _, crate in ipairs(tower) do
          local vx, vy = crate:getVelocity()
          assert.is_true(vx == 0 and vy == 0)
          assert.is_true(math.abs(crate:getRect()) < 20)
        end
      end
    end
  end)

  it("slows a tower on a steep slope as it slows one crate", function()
    local expected = 600 * (1 - 0.2) / math.sqrt(2) -- in a second: g (sin - friction cos)
    for _, masses in ipairs({ { 1 }, { 1, 1 }, { 1, 5 }, { 1, 1, 1, 1 } }) do
      local world, tower = onSlope(1, masses, 0.2, 0)
      steps(world, 30)
      local before = tower[1]:getVelocity()
      steps(world, 60)
      near(expected, (tower[1]:getVelocity() - before) * math.sqrt(2), expected / 50)
    end
  end)

  it("lets heaps on a slope come to rest", function()
    for _, kind in ipairs({ "box", "circle" }) do
      local world, heap = onSlope(1 / 6, {}, 0.5, 0)
      for i = 1, 40 do
        heap[i] = KINDS[kind](world, i % 5 * 25, -20 - math.floor(i / 5) * 25, 9,
          { response = "slide", friction = 0.5 })
      end
      steps(world, 400)
      for _, body in ipairs(heap) do
        local vx, vy = body:getVelocity()
        assert.is_true(vx == 0 and vy == 0)
      end
    end
  end)

  it("takes a tower on a belt to its speed", function()
    local world, body = onFloor({}, 0.5, 50)
    local top = { world:insert(0, 80, 10, 10, { response = "slide", friction = 0.5 }),
      world:insert(0, 70, 10, 10, { response = "slide", friction = 0.5 }) }
    steps(world, 200)
    near(50, (body:getVelocity()))
    near(50, (top[1]:getVelocity()))
    near(50, (top[2]:getVelocity()))
  end)
end)

describe("bodies in a row", function()
  it("pass on a push, like Newton's cradle", function()
    for n = 1, 3 do
      local world, balls = broadside.newWorld(), {}
      for i = 1, 5 do
        balls[i] = world:insertCircle((i - 1) * 10 - (i <= n and 50 or 0), 0, 5,
          { response = "bounce", vx = i <= n and 60 or 0 })
      end
      steps(world, 120)
      for i = 1, 5 do
        near(i > 5 - n and 60 or 0, (balls[i]:getVelocity()))
      end
    end
  end)

  -- The bat gives way to nothing, so it goes into what has no room. A third catches up with it.
  it("that a bat crushes against a wall are told of, each in which it ends", function()
    local world, told = broadside.newWorld(), {}
    world:insert(-15, 0, 10, 10, { response = "slide", vx = 40 })
    local bat = world:insert(0, 0, 10, 10, { response = "slide", mass = math.huge, vx = 20 })
    for _, x in ipairs({ 10, 20 }) do
      world:insert(x, 0, 10, 10, { response = "slide" })
    end
    world:insert(35, 0, 10, 10, { static = true })
    world:step(1)
    for box, other in world:hits() do
      told[box] = told[box] or other == bat
      told[other] = told[other] or box == bat
    end
    local inside = world:queryBox(bat)
    assert.equal(2, #inside)
    for _, body in ipairs(inside) do
      assert.is_true(told[body])
    end
  end)

  it("are pushed by what accelerates, as one of their whole mass", function()
    local world = broadside.newWorld()
    local row = { world:insert(0, 0, 10, 10, { response = "slide", ax = 60 }),
      world:insert(10, 0, 10, 10, { response = "slide" }),
      world:insert(20, 0, 10, 10, { response = "slide", mass = 2 }) }
    steps(world, 60)
    for _, body in ipairs(row) do
      near(15, (body:getVelocity()), 1e-6)
    end
  end)

  it("stand as a tower on a floor and on a lift, each heavier than the one below", function()
    for _, v in ipairs({ 0, 60, -60 }) do
      local world, tower = broadside.newWorld({ gravity = { 0, 1000 } }), {}
      local floor = world:insert(-100, 100, 200, 10, { static = v == 0, vy = v, gravityScale = 0 })
      for i = 1, 8 do
        tower[i] = world:insert(0, 100 - 10 * i, 10, 10, { response = "slide", mass = 2 ^ i,
          vy = v })
      end
      for _ = 1, 120 do
        world:step(DT)
        local _, top = floor:getRect()
        for i, body in ipairs(tower) do
          near(top - 10 * i, select(2, body:getRect()), 1e-6)
        end
      end
      assert.equal(0, world:countPairs())
    end
  end)
end)

-- Scenes of random bodies of all kinds, in a room.
local function draw(seed, gravity)
  local rng, rows = random.new(seed), {}
  for i = 1, 24 do
    rows[i] = { kind = rng:pick({ "box", "circle", "polygon" }), x = i % 6 * 16 + rng:real(-3, 3),
      y = math.floor(i / 6) * 16 + rng:real(-3, 3), r = rng:real(2, 4.5), opts = {
        response = rng:pick({ "bounce", "bounce", "slide", "touch" }),
        bounce = rng:pick({ 0, 0.5, 1 }),
        mass = rng:pick({ 0.5, 1, 1, 8 }), friction = rng:pick({ 0, 0, 0.3 }),
        vx = rng:real(-200, 200), vy = rng:real(-200, 200) } }
  end
  return { rows = rows, gravity = gravity, walls = { { -20, -20, 136, 8 }, { -20, 84, 136, 8 },
    { -20, -12, 8, 96 }, { 108, -12, 8, 96 } } }
end

-- Plays a scene, and returns where its bodies are, each as { x, y, vx, vy } times 1 / scale.
local function play(scene, how)
  local s, places = how.scale or 1, {}
  local world = broadside.newWorld({ backend = how.backend,
    gravity = { scene.gravity[1] * s, scene.gravity[2] * s } })
  for _, wall in ipairs(scene.walls) do
    world:insert(wall[1] * s, wall[2] * s, wall[3] * s, wall[4] * s, { static = true })
  end
  for _, i in ipairs(how.order) do
    local row, opts = scene.rows[i], {}
    for name, value in pairs(row.opts) do
      opts[name] = value
    end
    opts.vx, opts.vy = opts.vx * s, opts.vy * s
    places[i] = KINDS[row.kind](world, row.x * s, row.y * s, row.r * s, opts)
  end
  if how.bystander then
    world:insertCircle(5000 * s, 5000 * s, s, { response = "slide", gravityScale = 0 })
  end
  local mid = world:snapshot()
  for turn = 1, how.again and 2 or 1 do
    if turn == 2 then
      world:restore(mid)
    end
    for _ = 1, 120 do
      if how.awake then -- A new gravity wakes all that rests, also if it is the old one.
        world:setGravity(world:getGravity())
      end
      world:step(DT)
    end
  end
  for i, body in ipairs(places) do
    local x, y = body:getRect()
    local vx, vy = body:getVelocity()
    places[i] = { x / s, y / s, vx / s, vy / s }
  end
  return places, world
end

describe("a room of bodies", function()
  local function forward()
    local order = {}
    for i = 1, 24 do
      order[i] = i
    end
    return order
  end

  it("goes the same way in any order, size, back end, again, and if nothing sleeps", function()
    for seed = 1, 6 do
      for _, gravity in ipairs({ { 0, 0 }, { 0, 400 } }) do
        local scene, rng = draw(seed, gravity), random.new(seed)
        local shuffled = forward()
        for i = #shuffled, 2, -1 do
          local k = rng:int(1, i)
          shuffled[i], shuffled[k] = shuffled[k], shuffled[i]
        end
        local expected = play(scene, { order = forward() })
        for _, how in ipairs({ { order = shuffled }, { scale = 32 }, { bystander = true },
          { again = true }, { awake = true },
          { backend = "brute" }, { backend = "grid" }, { backend = "sweep" } }) do
          how.order = how.order or forward()
          local got = play(scene, how)
          for i, row in ipairs(expected) do
            for k = 1, 4 do
              local name = how.backend or how.scale and "scaled" or how.again and "again"
                or how.bystander and "bystander" or how.awake and "awake" or "shuffled"
              assert.is_true(row[k] == got[i][k], ("seed %d, gravity %d, %s: body %d, %.17g, %.17g")
                :format(seed, gravity[2], name, i, row[k], got[i][k]))
            end
          end
        end
      end
    end
  end)

  it("keeps all bodies apart and inside, and gains no energy", function()
    for seed = 11, 16 do
      local scene = draw(seed, { 0, 0 })
      local function energyOf(row, vx, vy)
        return row.opts.mass * (vx * vx + vy * vy) / 2
      end
      local before, after = 0, 0
      local places, world = play(scene, { order = forward() })
      for i, row in ipairs(scene.rows) do
        before = before + energyOf(row, row.opts.vx, row.opts.vy)
        after = after + energyOf(row, places[i][3], places[i][4])
        assert.is_true(places[i][1] > -13 and places[i][1] < 109)
      end
      assert.is_true(after <= before * (1 + 1e-12))
      assert.equal(0, world:countPairs())
    end
  end)
end)

-- A crowd that flies to its middle, with masses of 1 to 100, alone.
local function crowd(seed, elastic)
  local rng, world, bodies = random.new(seed), broadside.newWorld(), {}
  local names = { "box", "circle", "polygon" }
  for i = 1, 30 do
    local x, y = i % 6 * 14 + rng:real(-2, 2), math.floor(i / 6) * 14 + rng:real(-2, 2)
    bodies[i] = KINDS[rng:pick(names)](world, x, y, rng:real(2, 5), {
      response = elastic and "bounce" or rng:pick({ "bounce", "slide", "touch" }),
      bounce = elastic and 1 or rng:pick({ 0, 0.5, 1 }), mass = rng:pick({ 0.1, 1, 10 }),
      friction = not elastic and rng:pick({ 0, 0.5 }) or 0,
      vx = (35 - x) * rng:real(0.5, 3), vy = (35 - y) * rng:real(0.5, 3) })
  end
  return world, bodies
end

-- Momentum in both directions, the energy, and the sums of places times masses.
local function sums(bodies)
  local px, py, energy, sx, sy = 0, 0, 0, 0, 0
  for _, body in ipairs(bodies) do
    local m, vx, vy = body:getMass(), body:getVelocity()
    local x, y = body:getCenter()
    px, py, energy = px + m * vx, py + m * vy, energy + m * (vx * vx + vy * vy) / 2
    sx, sy = sx + m * x, sy + m * y
  end
  return px, py, energy, sx, sy
end

describe("a crowd of bodies alone", function()
  it("keeps its momentum and the way of its centre, and its energy if all bounce", function()
    for seed = 1, 12 do
      local elastic = seed % 2 == 0
      local world, bodies = crowd(seed, elastic)
      local px, py, energy, sx, sy = sums(bodies)
      local before = energy
      for step = 1, 120 do
        world:step(DT)
        local qx, qy, now, tx, ty = sums(bodies)
        near(px, qx, 1e-7)
        near(py, qy, 1e-7)
        near(sx + px * step * DT, tx, 1e-6)
        near(sy + py * step * DT, ty, 1e-6)
        assert.is_true(now <= before * (1 + 1e-12))
        before = elastic and energy or now
        near(before, now, elastic and energy * 1e-9 or 1e-6)
        assert.equal(0, world:countPairs())
      end
    end
  end)

  it("goes back to where it began if all velocities are turned round", function()
    for seed = 1, 10 do
      local rng, world, bodies, starts = random.new(seed), broadside.newWorld(), {}, {}
      for i = 1, 12 do
        bodies[i] = KINDS[seed % 2 == 0 and "box" or "circle"](world, i % 4 * 20,
          math.floor(i / 4) * 20, rng:real(3, 6), { response = "bounce", mass = rng:real(0.5, 2),
            vx = rng:real(-60, 60), vy = rng:real(-60, 60) })
        starts[i] = { bodies[i]:getCenter() }
      end
      steps(world, 60)
      for _, body in ipairs(bodies) do
        local vx, vy = body:getVelocity()
        body:setVelocity(-vx, -vy)
      end
      steps(world, 60)
      for i, body in ipairs(bodies) do
        local x, y = body:getCenter()
        near(starts[i][1], x)
        near(starts[i][2], y)
      end
    end
  end)
end)

describe("bodies under gravity", function()
  it("stand on a lift that turns round, whatever their masses and responses", function()
    for seed = 1, 12 do
      for _, opts in ipairs({ {}, { response = "slide", mass = math.huge } }) do
        local rng, riders = random.new(seed), {}
        local world = broadside.newWorld({ gravity = { 0, 1000 } })
        opts.gravityScale, opts.vy = 0, -60
        local lift = world:insert(-50, 100, 100, 10, opts)
        for i = 1, 3 do
          riders[i] = world:insert(-5, 100 - 10 * i, 10, 10, { bounce = 0.5,
            response = rng:pick({ "slide", "bounce", "touch" }), mass = rng:pick({ 1, 5, 0.2 }) })
        end
        for step = 1, 400 do
          if step % 100 == 0 then
            lift:setVelocity(0, -select(2, lift:getVelocity()))
          end
          world:step(DT)
          local _, top = lift:getRect()
          for i = 1, step > 60 and step % 100 > 60 and 3 or 0 do
            near(top - 10 * i, select(2, riders[i]:getRect()), 1e-3)
          end
          assert.equal(0, world:countPairs())
        end
      end
    end
  end)

  it("come to rest in a heap, and overlap at no time", function()
    for kind, insert in pairs(KINDS) do
      local rng, world, bodies = random.new(3), broadside.newWorld({ gravity = { 0, 500 } }), {}
      for _, wall in ipairs({ { -20, 200, 240, 20 }, { -20, -800, 20, 1000 },
        { 200, -800, 20, 1000 } }) do
        world:insert(wall[1], wall[2], wall[3], wall[4], { static = true })
      end
      for i = 0, 79 do
        bodies[#bodies + 1] = insert(world, i % 10 * 19 + 14 + rng:real(0, 2),
          150 - math.floor(i / 10) * 20, rng:real(4, 7), { mass = rng:pick({ 0.1, 1, 100 }),
            response = rng:pick({ "slide", "bounce" }), bounce = 0.3, friction = 0.4 })
      end
      for _ = 1, 900 do
        world:step(DT)
        assert.equal(0, world:countPairs(), kind)
      end
      local _, _, energy = sums(bodies)
      assert.equal(0, energy, kind)
    end
  end)
end)

-- Bodies that fill a shaft from wall to wall, so that what rounding puts together has no way out.
local function shaft(rng, world)
  local x, edges, columns, y = -50.3, {}, rng:int(1, 3), rng:real(-99, 99)
  world:insert(x - 5, -1000, 5, 2000, { static = true })
  for i = 1, columns do
    edges[i], x = x, x + rng:real(0.1, 20)
  end
  edges[columns + 1] = x
  world:insert(x, -1000, 5, 2000, { static = true })
  for _ = 1, rng:int(1, 4) do
    local h = rng:real(0.1, 20)
    for i = 1, columns do
      world:insert(edges[i], y, edges[i + 1] - edges[i], h, { mass = 10 ^ rng:real(-2, 2),
        response = rng:pick({ "bounce", "slide", "touch" }), bounce = rng:real(0, 1),
        vx = rng:real(-50, 50), vy = rng:real(-300, 50) })
    end
    y = y + h
  end
end

-- Bodies beside each other, in a row, that begin in a wall.
local function wall(rng, world)
  local x = -2.3
  world:insert(-700, 150, 1000, 0.002, { static = true })
  for i = 1, rng:int(2, 5) do
    local body = world:insert(x, rng:real(-100, 149), rng:real(0.003, 3), rng:real(20, 300),
      { response = "bounce", bounce = rng:real(0, 1), vx = i == 1 and rng:real(0, 1) or 0 })
    local left, _, width = body:getRect()
    x = left + width
  end
end

describe("bodies that cannot give way to rounding", function()
  local function overlaps(world)
    local n = 0
    for a, b in world:pairs() do
      n = n + ((a:isStatic() or b:isStatic()) and 0 or 1)
    end
    return n
  end
  for name, fill in pairs({ shaft = shaft, wall = wall }) do
    it("end in no other one: " .. name, function()
      for _, seed in ipairs({ 1, 2, 3, 632, 1344, 1594, 1979 }) do
        local world = broadside.newWorld()
        fill(random.new(seed), world)
        assert.equal(0, overlaps(world), seed)
        for _ = 1, 6 do
          world:step(1 / 30)
          assert.equal(0, overlaps(world), seed)
        end
      end
    end)
  end
end)

-- Scenes in which one ended in another. The first two rows of each are static.
describe("no body ends in another one or in a wall", function()
  local function expectFree(world, dt)
    assert.equal(0, world:countPairs())
    world:step(dt)
    for a, b in world:pairs() do
      assert.is_true(a:isStatic() and b:isStatic())
    end
  end

  it("if a belt beside it and the floor turn it to and fro", function()
    local world = broadside.newWorld()
    world:insert(-10, -20, 10, 104, { static = true, vy = 23.5 })
    world:insert(0, 84, 95, 10, { static = true, vx = -47 })
    local crate = world:insert(0, 76, 8, 8, { response = "bounce", bounce = 0, friction = 0.3 })
    local slider = world:insert(0, 66, 4, 8, { response = "slide", vy = 107 })
    world:step(0.1)
    assert.same({ 0, 76, 8, 8 }, { crate:getRect() })
    assert.same({ 0, 68, 4, 8 }, { slider:getRect() })
  end)

  -- The ball is moved by less than what shakes a body that is at rest.
  it("if what moves a heavy ball a little stays beside it", function()
    local world = broadside.newWorld({ gravity = { -14.5, 47.5 } })
    world:insertPolygon({ 16.426117675673666, 7.9967981795387733, 14.621117675673666,
      8.176798179538773, 10.251117675673665, 6.7817981795387734, 16.426117675673666,
      3.8567981795387727 }, { static = true, vx = -7.5319814463185375e-09,
      vy = -5.3187376711845524e-09, friction = 0.1 })
    world:insertCircle(19.933268184366423, -1.6158515725810698, 6.5, { response = "touch",
      mass = 1e6, friction = 0.5 })
    world:insert(10.09375, -27.03125, 8.5, 8.5, { response = "bounce", vx = -3.625, vy = 11.875 })
    world:insert(15.424848733524367, -17.156861696473243, 8.5, 8.5, { response = "bounce",
      vx = 22.107573979763874, vy = 2.6949269986899083 })
    expectFree(world, 1)
  end)

  it("if it rattles between a wall and a peg until it is stuck", function()
    local world = broadside.newWorld()
    world:insert(-10, -10, 10, 189, { static = true })
    world:insertCircle(12.4487987268917, 118.322747171346, 4.40334510276924, { static = true })
    world:insertCircle(6.56073570295189, 106.823375255011, 4, { response = "bounce", bounce = 1,
      vx = -65.2711715645773, vy = 273.880503060136 })
    world:insertPolygon({ 3.2930708465879, 120.90230857878, 4.147555776141, 119.83304052864,
      5.2930708465879, 120.49874688406, 4.6418256880269, 121.83304052864 }, { response = "bounce",
      bounce = 0.5, friction = 0.3, vx = -65.230713649435, vy = 33.1813157773688 })
    expectFree(world, 0.1)
  end)

  it("if a circle passes a corner along whose side it slides", function()
    local world, r = broadside.newWorld(), 8.5835942377229859 / 2
    world:insert(42.371838353898916, 23.428758220418786, 16.306991060449992, 17.95,
      { static = true })
    local ball = world:insertCircle(58.678829414348229 + r, 22.590046463280849 + r, r,
      { response = "slide", vx = 5.9e-16, vy = -53.232 })
    world:step(0.1)
    near(58.678829414348229, (ball:getRect()), 1e-11)
  end)

  it("if a sphere slides along an edge, and a little into it", function()
    local world, r = broadside.newWorld({ dim = 3 }), 10.801133074435493 / 2
    world:insert(-10, 0, 0, 10, 178, 97, { static = true })
    world:insert(6.7024218350248894, 105.52526740496369, 35.245212043543212, 7.339634128299787,
      4.9485015652007451, 3.4323041521251083, { static = true, vx = -39.493326710943165 })
    world:insertCircle(r, 110.61228185338565 + r, 31.173063709300362 + r, r, { response = "slide",
      friction = 0.3, vy = -3.9280546860842005, vz = 4.8073988119589419 })
    expectFree(world, 0.1)
  end)
end)
