-- Bodies that press on each other are solved as one. The answers are those of a plain projection
-- (spec/support/projection.lua), by hand, or conservation of momentum and energy.

local broadside = require("broadside")
local bodies = require("spec.support.bodies")
local compat = require("spec.support.compat")
local projection = require("spec.support.projection")
local random = require("spec.support.random")

local DT, near, steps = bodies.DT, bodies.near, bodies.steps

-- A row of boxes along an axis, flush, each with a mass, a velocity and an acceleration along it.
local function newRow(rows, dim, axis)
  local world, list = broadside.newWorld({ dim = dim }), {}
  for i, row in ipairs(rows) do
    local lo, size, opts = {}, {}, { response = "slide", mass = row.m }
    for k = 1, dim do
      lo[k], size[k] = k == axis and 8 * i or 0, 8
    end
    opts[({ "vx", "vy", "vz" })[axis]], opts[({ "ax", "ay", "az" })[axis]] = row.v or 0, row.a or 0
    list[i] = world:insert(compat.values(compat.concat(lo, size), opts))
  end
  return world, list
end

local function speedOf(body, axis)
  return (select(axis, body:getVelocity()))
end

describe("a row of crates", function()
  it("is pushed by a truck as one of their whole mass, in each step", function()
    for dim = 2, 3 do
      for axis = 1, dim do
        for _, m in ipairs({ 0.25, 1, 10, 100, 1e6 }) do
          for n = 1, 5 do
            local rows = { { m = m, a = 300 } }
            for i = 1, n do
              rows[i + 1] = { m = 1 }
            end
            local world, list = newRow(rows, dim, axis)
            steps(world, 30, function(frame)
              local expected = 300 * m / (m + n) * frame * DT
              for i, body in ipairs(list) do
                near(expected, speedOf(body, axis), 1e-9 * 300, ("%d crates, %g, body %d")
                  :format(n, m, i))
              end
            end)
            assert.equal(0, world:countPairs())
          end
        end
      end
    end
  end)

  it("takes the velocities of the projection, whatever the masses and the forces", function()
    for seed = 1, 40 do
      local rng, rows, given, contacts = random.new(seed), {}, {}, {}
      for i = 1, rng:int(2, 6) do
        rows[i] = { m = rng:pick({ 0.1, 1, 1, 2, 50 }), a = rng:real(-400, 400) }
        given[i] = { m = rows[i].m, v = { rows[i].a * DT } }
        contacts[i - 1] = i > 1 and { a = i - 1, b = i, n = { -1 } } or nil
      end
      local world, list = newRow(rows, 2, 1)
      world:step(DT)
      local expected = projection.solve(given, contacts)
      for i, body in ipairs(list) do
        near(expected[i][1], (body:getVelocity()), 1e-9 * 400, ("seed %d, body %d"):format(seed, i))
      end
    end
  end)

  it("is stopped by a wall, and taken along by a lift of infinite mass", function()
    local world, list = newRow({ { m = 1, a = 300 }, { m = 5 }, { m = 2 } }, 2, 1)
    world:insert(32, -50, 10, 100, { static = true })
    steps(world, 10)
    assert.is_true(bodies.allAtRest(list))
    world, list = newRow({ { m = math.huge, v = 60 }, { m = 1 }, { m = 3 }, { m = 1 } }, 2, 1)
    steps(world, 10)
    for _, body in ipairs(list) do
      near(60, (body:getVelocity()))
    end
    near(8 + 60 * 10 * DT, (list[1]:getRect()))
  end)

  it("keeps the momentum of a slow push on a floor", function()
    local world, list = broadside.newWorld({ gravity = { 0, 600 } }), {}
    bodies.floor(world)
    list[1] = world:insert(-12, -10, 10, 10, { response = "slide", mass = 100, vx = 4.9 })
    for i = 0, 1 do
      list[i + 2] = world:insert(10 * i, -10, 10, 10, { response = "slide" })
    end
    steps(world, 120)
    for _, body in ipairs(list) do
      near(490 / 102, (body:getVelocity()), 1e-6)
    end
  end)

  it("is pushed by a truck on a floor as in the air", function()
    for _, kind in ipairs({ "insert", "insertCircle" }) do
      local world = broadside.newWorld({ gravity = { 0, 600 } })
      bodies.floor(world)
      local truck = world:insert(-10, -10, 10, 10, { response = "slide", mass = 100, ax = 300 })
      for i = 0, 3 do
        if kind == "insert" then
          world:insert(10 * i, -10, 10, 10, { response = "slide" })
        else
          world:insertCircle(10 * i + 5, -5, 5, { response = "slide" })
        end
      end
      steps(world, 60)
      near(300 * 100 / 104, (truck:getVelocity()), 1e-6, kind)
    end
  end)
end)

describe("what is pressed", function()
  it("slides freely along both sides without friction", function()
    for dim = 2, 3 do
      for _, m in ipairs({ 1, 1000 }) do
        local world = broadside.newWorld({ dim = dim })
        local function insert(y, opts)
          opts.response = "slide"
          if dim == 3 then
            return world:insert(0, y, 0, 20, 20, 20, opts)
          end
          return world:insert(0, y, 20, 20, opts)
        end
        insert(-20, { mass = m, ay = 600 })
        local body = insert(0, { vx = 60 })
        insert(20, { mass = m, ay = -600 })
        steps(world, 10)
        near(60, (body:getVelocity()), 1e-9)
      end
    end
  end)

  it("between two trucks falls as fast as freely, without friction", function()
    local world = broadside.newWorld({ gravity = { 0, 600 } })
    bodies.floor(world)
    world:insert(-30, -400, 30, 400, { response = "slide", mass = 10, ax = 300 })
    world:insert(10, -400, 30, 400, { response = "slide", mass = 10, ax = -300 })
    local body = world:insert(0, -390, 10, 10, { response = "slide" })
    steps(world, 40)
    near(600 * 40 * DT, select(2, body:getVelocity()), 1e-6)
  end)

  it("takes the velocities of the projection among balls, whatever the masses are", function()
    for seed = 1, 30 do
      -- Balls in a triangular lattice, a little apart; each has an acceleration of its own.
      local rng, world, list, given, contacts = random.new(seed), broadside.newWorld(), {}, {}, {}
      for k = 1, rng:int(3, 8) do
        local row, column = math.floor((k - 1) / 3), (k - 1) % 3
        local x, y = (20 + 1e-9) * (column + row % 2 / 2), (20 + 1e-9) * row * math.sqrt(0.75)
        local ax, ay, m = rng:real(-300, 300), rng:real(-300, 300), rng:pick({ 0.5, 1, 1, 4 })
        list[k] = world:insertCircle(x, y, 10, { response = "slide", mass = m, ax = ax, ay = ay })
        given[k] = { m = m, v = { ax * DT, ay * DT } }
        for i = 1, k - 1 do
          if bodies.gap(list[i], list[k]) < 1e-6 then
            local px, py = list[i]:getCenter()
            local d = math.sqrt((x - px) ^ 2 + (y - py) ^ 2)
            contacts[#contacts + 1] = { a = k, b = i, n = { (x - px) / d, (y - py) / d } }
          end
        end
      end
      world:step(DT)
      local expected = projection.solve(given, contacts)
      for k, body in ipairs(list) do
        local vx, vy = body:getVelocity()
        near(expected[k][1], vx, 1e-5, ("seed %d, ball %d, vx"):format(seed, k))
        near(expected[k][2], vy, 1e-5, ("seed %d, ball %d, vy"):format(seed, k))
      end
      assert.equal(0, world:countPairs())
    end
  end)
end)

describe("balls that nothing holds", function()
  it("fall from a chain that leans", function()
    for _, degrees in ipairs({ 1, 5, 20, 60 }) do
      local world, list = broadside.newWorld({ gravity = { 0, 600 } }), {}
      bodies.floor(world)
      local a = math.rad(degrees)
      for i = 0, 2 do
        list[i + 1] = world:insertCircle(14.0001 * i * math.cos(a),
          -7 - 14.0001 * i * math.sin(a), 7, { response = "slide" })
      end
      bodies.stepsApart(world, 600)
      for _, ball in ipairs(list) do
        near(-7, select(2, ball:getCenter()), 1e-6, degrees .. " degrees")
      end
    end
  end)

  -- On n balls beside each other, which nothing holds together, another one. All end on the floor.
  it("fall through a row that gives way, and each ends on the floor", function()
    for n = 2, 5 do
      local world, list = broadside.newWorld({ gravity = { 0, 600 } }), {}
      bodies.floor(world)
      for i = 1, n do
        list[i] = world:insertCircle(20 * i, -10, 10, { response = "slide" })
      end
      list[n + 1] = world:insertCircle(20 * math.floor(n / 2) + 10, -30, 10, { response = "slide" })
      bodies.stepsApart(world, 400)
      for i, ball in ipairs(list) do
        near(-10, select(2, ball:getCenter()), 1e-6, ("%d of %d"):format(i, n))
      end
    end
  end)

  it("roll off a pillar in a column that leans by a thousandth", function()
    local world, list = broadside.newWorld({ gravity = { 0, 600 } }), {}
    bodies.floor(world)
    for i = 1, 4 do
      list[i] = world:insertCircle(0.02 * i, -20.001 * i + 10, 10, { response = "slide" })
    end
    bodies.stepsApart(world, 900)
    for _, ball in ipairs(list) do
      near(-10, select(2, ball:getCenter()), 1e-6)
    end
  end)
end)

describe("momentum", function()
  -- A light one before and behind a heavy one, at the lower and the upper place.
  it("is kept at e = 0 whatever the masses, whoever is first", function()
    for _, m in ipairs({ 1, 1e3, 1e6, 1e12 }) do
      for _, side in ipairs({ -1, 1 }) do
        for _, order in ipairs({ 1, 2 }) do
          local world, list = broadside.newWorld(), {}
          for k = 1, 2 do
            list[#list + 1] = (k == order)
              and world:insertCircle(-30 * side, 0, 5, { response = "slide", vx = 100 * side })
              or world:insertCircle(0, 0, 5, { response = "slide", mass = m })
          end
          steps(world, 60)
          local p = bodies.sums(list)[1]
          near(1, p / (100 * side), 1e-12, ("1 : %g"):format(m))
        end
      end
    end
  end)

  it("is kept head on and aslant, in one long step", function()
    for _, m in ipairs({ 1e3, 1e6, 1e9, 1e12, 1e15 }) do
      local world = broadside.newWorld()
      local heavy = world:insert(0, 0, 10, 10, { mass = m, response = "slide" })
      local light = world:insert(20, 0, 10, 10, { mass = 3, response = "slide", vx = -40.1 })
      world:step(1)
      near(1, (m * heavy:getVelocity() + 3 * light:getVelocity()) / (-40.1 * 3), 1e-12,
        ("%g : 3"):format(m))
    end
    local world = broadside.newWorld({ dim = 3 })
    local heavy = world:insert(-4, 4, -2, 2, 4, 2, { mass = 1e12, response = "touch" })
    local light = world:insertCircle(-3, 6, 2, 3,
      { friction = 0.5, mass = 3, response = "slide", vx = 4, vy = -5, vz = -4 })
    world:step(1)
    local p = bodies.sums({ heavy, light })
    for axis, expected in ipairs({ 12, -15, -12 }) do
      near(expected, p[axis], 1e-11 * 15)
    end
  end)

  it("of a body stopped by its many bounces is not lost when it is met", function()
    local world = broadside.newWorld()
    world:insert(-10, -1000, 10, 2000, { static = true })
    world:insert(12, -1000, 10, 2000, { static = true })
    local list = { world:insert(4, 0, 4, 4, { response = "bounce", vx = 20000, vy = 12000 }),
      world:insert(0.5, 180, 11, 4, { response = "slide", vy = -7000 }) }
    local before = bodies.sums(list)[2]
    world:step(DT)
    near(1, bodies.sums(list)[2] / before, 1e-12)
  end)
end)

describe("a support that a body has left", function()
  it("gives nothing, also within the same step", function()
    local world = broadside.newWorld({ gravity = { 0, 500 } })
    world:insert(-100, 0, 300, 10, { static = true })
    world:insertPolygon({ -100, 0, -100, -100, 0, 0 }, { static = true })
    local x = 5 * math.sqrt(2) - 5
    local list = { world:insertCircle(x + 2.5, -5, 5, { response = "bounce", vx = -300 }),
      world:insertCircle(x, -18.4, 5, { response = "bounce", vy = 200 }) }
    -- A step falls by its new velocity, so on the way that is half a step ahead of the place.
    local function energy()
      local sum = 0
      for _, ball in ipairs(list) do
        local vx, vy = ball:getVelocity()
        vy = vy + 500 * DT / 2
        sum = sum + (vx * vx + vy * vy) / 2 - 500 * select(2, ball:getCenter())
      end
      return sum
    end
    local before = energy()
    world:step(DT)
    assert.is_true(energy() <= before * 1.001)
  end)

  it("does not push as an infinite mass those on a body that was knocked away", function()
    local world = broadside.newWorld()
    world:insert(0, -10, 100, 10, { static = true }) -- up is +y
    local list = {
      world:insert(80, 5, 60, 5, { response = "slide", vy = -600 }),
      world:insert(85, 11, 3, 3, { response = "slide", mass = 0.001, vy = -1500 }),
      world:insert(120, -50, 4, 4, { response = "bounce", mass = 100, vy = 3450 }),
      world:insert(84, 15, 10, 10, { response = "slide", mass = 1000 }),
    }
    local _, before = bodies.sums(list)
    world:step(DT)
    local _, after = bodies.sums(list)
    assert.is_true(after <= before * (1 + 1e-12))
  end)
end)

describe("energy", function()
  -- Balls that bounce among slopes and pegs. Gravity only turns one kind into the other.
  it("never grows among slopes at e = 1", function()
    for _, gravity in ipairs({ 0, 500 }) do
      for seed = 1, 6 do
        local rng, list = random.new(seed), {}
        local world = broadside.newWorld({ gravity = { 0, gravity } })
        bodies.shaft(world, 200)
        world:insert(-50, -400, 300, 50, { static = true })
        world:insertPolygon({ 0, 0, 0, -90, 90, 0 }, { static = true })
        world:insertPolygon({ 200, 0, 200, -60, 110, 0 }, { static = true })
        world:insertPolygon({ 70, -190, 100, -220, 130, -190, 100, -160 }, { static = true })
        for i = 1, 10 do
          list[i] = world:insertCircle(20 * i - 8, -260 + rng:real(-9, 9), rng:real(4, 9), {
            response = "bounce", bounce = 1, mass = rng:pick({ 0.1, 1, 10 }),
            vx = rng:real(-200, 200), vy = rng:real(-200, 200) })
        end
        -- A step falls by its new velocity, so on the way that is half a step ahead of the place.
        local function total()
          local sum = 0
          for _, ball in ipairs(list) do
            local vx, vy = ball:getVelocity()
            local _, y = ball:getCenter()
            vy = vy + gravity * DT / 2
            sum = sum + ball:getMass() * ((vx * vx + vy * vy) / 2 - gravity * y)
          end
          return sum
        end
        local before = total()
        bodies.stepsApart(world, 240, function(frame)
          -- What one step leaves depends on the places of its contacts in it, by a few in 1000.
          local allowed = gravity == 0 and 1e-12 or 2e-3
          assert.is_true(total() <= before * (1 + allowed),
            ("seed %d, frame %d: %g times"):format(seed, frame, total() / before))
        end)
      end
    end
  end)

  it("does not grow in a clump with mixed responses", function()
    for seed = 1, 8 do
      local rng, world, list = random.new(seed), broadside.newWorld(), {}
      for i = 0, 35 do
        local x, y = i % 6 * 12 + rng:real(0, 1), math.floor(i / 6) * 12 + rng:real(0, 1)
        local opts = { mass = rng:pick({ 0.01, 1, 100 }), friction = rng:pick({ 0, 0.7 }),
          response = rng:pick({ "slide", "bounce", "touch" }), bounce = rng:pick({ 0, 0.5, 1 }),
          vx = (30 - x) * rng:real(1, 9), vy = (30 - y) * rng:real(1, 9) }
        list[i + 1] = rng:chance(0.5) and world:insert(x, y, 9, 9, opts)
          or world:insertCircle(x + 5, y + 5, 5, opts)
      end
      local start, last = bodies.sums(list)
      local scale = math.sqrt(2 * last * 1200)
      bodies.stepsApart(world, 90, function(frame)
        local p, energy = bodies.sums(list)
        near(start[1], p[1], 1e-11 * scale, ("seed %d, frame %d"):format(seed, frame))
        near(start[2], p[2], 1e-11 * scale, ("seed %d, frame %d"):format(seed, frame))
        assert.is_true(energy <= last * (1 + 1e-11), ("seed %d, frame %d"):format(seed, frame))
        last = energy
      end)
    end
  end)
end)
