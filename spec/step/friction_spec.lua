-- Friction feels the load, lifts and belts carry what is on them, and towers and pyramids stand to
-- the last bit, until they sleep.

local broadside = require("broadside")
local bodies = require("spec.support.bodies")
local random = require("spec.support.random")

local DT, near, steps = bodies.DT, bodies.near, bodies.steps

local function newWorld(g)
  return broadside.newWorld({ gravity = { 0, g or 1000 } })
end

-- n crates of 20 on top of each other, from y = 0 up.
local function newTower(world, n, opts, masses)
  local tower = {}
  opts.response = "slide"
  for i = 1, n do
    opts.mass = masses and masses[i] or 1
    tower[i] = world:insert(0, -20 * i, 20, 20, opts)
  end
  return tower
end

describe("a tower that slides", function()
  local function stopsAt(n, friction, masses)
    local world = newWorld()
    bodies.floor(world)
    local tower = newTower(world, n, { friction = friction, vx = 200 }, masses)
    bodies.stepsApart(world, 240)
    return tower
  end

  it("stops where one crate stops, all of it", function()
    for _, friction in ipairs({ 0.3, 0.5, 1 }) do
      local one = stopsAt(1, friction)[1]:getRect()
      near(200 ^ 2 / (2 * friction * 1000), one, 200 * DT)
      for _, n in ipairs({ 2, 5, 10 }) do
        for i, crate in ipairs(stopsAt(n, friction)) do
          near(one, (crate:getRect()), 0.02 * one, ("%d of %d at %g"):format(i, n, friction))
          assert.is_true(bodies.isAtRest(crate))
          assert.equal(-20 * i, (select(2, crate:getRect())))
        end
      end
    end
  end)

  it("stops there, whatever its masses are", function()
    local one = stopsAt(1, 0.5)[1]:getRect()
    for _, masses in ipairs({ { 1, 10 }, { 10, 1 }, { 1, 100, 1 }, { 5, 1, 5, 1 } }) do
      for _, crate in ipairs(stopsAt(#masses, 0.5, masses)) do
        near(one, (crate:getRect()), 0.02 * one)
      end
    end
  end)

  -- Only the floor has friction: the upper ones slide on without it.
  it("loses its lower crate, slowed by the load of all, where only the floor is rough", function()
    local world = newWorld()
    bodies.floor(world, { friction = 0.5 })
    local tower = newTower(world, 3, { vx = 200 })
    steps(world, 4)
    near(200 - 3 * 0.5 * 1000 * 4 * DT, (tower[1]:getVelocity()), 1e-6)
    near(200, (tower[2]:getVelocity()), 1e-6)
    near(200, (tower[3]:getVelocity()), 1e-6)
  end)

  it("is not moved by a push that is weaker than its friction, and by a stronger one is", function()
    for _, n in ipairs({ 1, 4 }) do
      for _, share in ipairs({ 0.9, 1.1 }) do
        local world = newWorld()
        bodies.floor(world, { friction = 0.5 })
        local tower = newTower(world, n, { friction = 0.5 })
        tower[1]:setAcceleration(share * 0.5 * 1000 * n, 0)
        steps(world, 60)
        local v = tower[1]:getVelocity()
        if share < 1 then
          near(0, v, 1e-9)
          near(0, (tower[1]:getRect()), 1e-9)
        else
          assert.is_true(v > 10, v)
        end
      end
    end
  end)

  it("is slowed by a wall that presses it to the floor as by its weight", function()
    local world = broadside.newWorld()
    bodies.floor(world, { friction = 0.25 })
    local body = world:insert(0, -10, 10, 10, { response = "slide", vx = 100, ay = 400 })
    steps(world, 30)
    near(100 - 0.25 * 400 * 30 * DT, (body:getVelocity()), 1e-9)
  end)
end)

describe("a lift", function()
  it("that flies carries a stack up, down and sideways", function()
    for _, kind in ipairs({ "flies", "infinite" }) do
      for _, n in ipairs({ 1, 5 }) do
        local world = newWorld()
        local opts = kind == "flies" and {} or { response = "slide", mass = math.huge }
        opts.gravityScale, opts.friction = 0, 0.5
        local lift = world:insert(-50, 0, 100, 10, opts)
        local tower = newTower(world, n, { friction = 0.5 })
        for _, v in ipairs({ { 0, -60 }, { 0, 0 }, { 0, 60 }, { 40, 0 }, { 40, -60 },
          { -40, -60 } }) do
          lift:setVelocity(v[1], v[2])
          bodies.stepsApart(world, 60)
          local _, y = lift:getRect()
          for i, crate in ipairs(tower) do
            local vx, vy = crate:getVelocity()
            near(v[1], vx, 1e-6, kind .. " vx")
            near(v[2], vy, 1e-6, kind .. " vy")
            near(y - 20 * i, select(2, crate:getRect()), 1e-6, kind .. " y")
          end
        end
      end
    end
  end)

  it("carries masses up to a million, and keeps its own speed", function()
    local world = newWorld()
    local lift = world:insert(-50, 0, 100, 10, { response = "slide", mass = math.huge, vy = -30,
      gravityScale = 0 })
    local tower = newTower(world, 3, {}, { 1, 1000, 1e6 })
    steps(world, 60)
    assert.same({ 0, -30 }, { lift:getVelocity() })
    for i, crate in ipairs(tower) do
      near(-30 - 20 * i, select(2, crate:getRect()), 1e-6)
    end
  end)
end)

describe("a belt", function()
  it("takes a stack to its speed, within the time that friction needs, and stays itself", function()
    for _, n in ipairs({ 1, 3, 6 }) do
      local world = newWorld()
      local belt = bodies.floor(world, { vx = 50, friction = 0.5 })
      local tower = newTower(world, n, { friction = 0.5 })
      steps(world, math.ceil(60 * 50 / 500) + 20 * n)
      for i, crate in ipairs(tower) do
        near(50, (crate:getVelocity()), 1e-6, ("%d of %d"):format(i, n))
        assert.equal(-20 * i, (select(2, crate:getRect())))
      end
      assert.equal(-5000, (belt:getRect()))
    end
  end)

  -- Friction is 0.5 of a gravity of 1000, away from the wall that the crate is pressed against.
  it("draws a crate off a wall if friction is more than the force, else lets it rest", function()
    for side = -1, 1, 2 do
      for _, force in ipairs({ 300, 490, 510, 731.3, 1500 }) do
        for _, own in ipairs({ 0, 0.3, 0.5 }) do
          local world = newWorld()
          world:insert(-40, 0, 90, 50, { static = true, vx = 61.7 * side, friction = 0.5 })
          world:insert(side == 1 and -50 or 13.37, -100, 50, 100, { static = true })
          local crate = world:insert(0, -7.3, 13.37, 7.3,
            { response = "slide", friction = own, ax = -force * side })
          steps(world, 6)
          local vx = crate:getVelocity()
          if force < 500 and own == 0 then
            near(math.min(61.7, (500 - force) * 6 * DT), vx * side, 1e-9, force)
          elseif force > 500 then
            steps(world, 20)
            assert.equal(0, (crate:getRect()), force)
            assert.is_false(crate:isAwake(), force)
          end
        end
      end
    end
  end)
end)

describe("between two sides with friction", function()
  it("what touches both belts of a wedge stays there, and sleeps", function()
    local world = newWorld(600)
    world:insertPolygon({ 0, 0, -100, -80, -100, 0 }, { static = true, vx = 50, vy = 40 })
    world:insertPolygon({ 0, 0, 70, -100, 70, 0 }, { static = true, vx = -35, vy = 50 })
    local ball = world:insertCircle(0, -60, 10, { response = "touch" })
    steps(world, 60)
    local place = { ball:getCenter() }
    steps(world, 60)
    assert.same(place, { ball:getCenter() })
    assert.is_true(bodies.isAtRest(ball))
    assert.is_false(ball:isAwake())
  end)

  it("a crate that slides down a wall onto a peg beside it stays there", function()
    local world = broadside.newWorld({ gravity = { 250, 500 } })
    world:insert(0, -100, 10, 200, { static = true, friction = 0.3 })
    world:insertCircle(-7, 5, 6, { static = true, friction = 0.3 })
    local crate = world:insert(-5, -20, 5, 5, { response = "slide", vy = 50 })
    local lowest = -20
    for _ = 1, 60 do
      world:step(1 / 240)
      local x, y = crate:getRect()
      assert.equal(-5, x)
      assert.is_true(y >= lowest, "it goes back up")
      lowest = y
    end
  end)

  -- In one of the two, rounding puts the sides apart by the last bit of a time.
  it("in a wedge of two belts the same happens in its mirror image", function()
    local function stopsAt(sign)
      local world = broadside.newWorld({ gravity = { -413.17579343380129 * sign,
        -799.55347771137156 } })
      local function insert(corners, opts)
        for i = 1, #corners, 2 do
          corners[i] = corners[i] * sign
        end
        opts.vx = opts.vx * sign
        return world:insertPolygon(corners, opts)
      end
      insert({ 10.3, 20.7, 41.781873280438468, 59.544454620375532, 45.666318742476022,
        56.396267292331686, 14.184445462037555, 17.551812671956153 },
        { static = true, friction = 0.9, vx = 59.672082756222565, vy = 73.627432843001955 })
      insert({ 10.3, 20.7, 23.77345546380619, 68.850451689104972, 18.958410294895693,
        70.197797235485595, 5.4849548310895049, 22.047345546380619 },
        { static = true, friction = 0.9, vx = 13.707170723823895, vy = 48.98568622613368 })
      local body = insert({ 21.594506942816064, 44.189163196193505, 19.541476598148829,
        41.482369023641382, 22.782610657611773, 40.743947607224058 },
        { response = "slide", vx = -100.99852728381811, vy = -195.44640566277971 })
      world:step(0.1)
      local x, y = body:getCenter()
      return x * sign, y
    end
    local x, y = stopsAt(1)
    local mirroredX, mirroredY = stopsAt(-1)
    near(x, mirroredX, 1e-9)
    near(y, mirroredY, 1e-9)
  end)

  -- On the belt it turns back, goes to the wall, and may not fall from there as it wished at first.
  it("no speed comes back that a belt has taken", function()
    local world = broadside.newWorld({ gravity = { 224.858, 900 } })
    world:insertCircle(16.64, 96.347, 1.54617, { static = true, vx = -87.272, vy = 39.948 })
    world:insert(-13.7, -13.7, 13.7, 175, { static = true, friction = 1 })
    local crate = world:insert(8.2742, 50.93, 6.6905, 5.93925,
      { response = "slide", friction = 1, vx = -4.787, vy = 26.48 })
    world:step(0.5)
    local vx, vy = crate:getVelocity()
    assert.is_true(vx ^ 2 + vy ^ 2 <= 87.272 ^ 2 + 39.948 ^ 2)
    near(0, (crate:getRect()), 1e-9)
  end)
end)

describe("a tray with marbles", function()
  it("that is pushed moves, however weak the push is", function()
    for _, n in ipairs({ 0, 5, 20 }) do
      local world, list = newWorld(600), {}
      bodies.floor(world)
      list[1] = world:insert(-5, -2, 90, 2, { response = "slide", mass = 5 })
      list[2] = world:insert(-5, -40, 2, 38, { response = "slide" })
      list[3] = world:insert(83, -40, 2, 38, { response = "slide" })
      for i = 1, n do
        list[#list + 1] = world:insertCircle(4.5 + i % 8 * 9.5, -40 - math.floor(i / 8) * 11, 4.5,
          { response = "slide" })
      end
      bodies.stepsApart(world, 240)
      local before = bodies.sums(list)[1]
      for _, body in ipairs(list) do
        body:setAcceleration(60, 0)
      end
      bodies.stepsApart(world, 60)
      -- All are pushed by 60 per mass, and nothing else acts along the floor.
      near(before + 60 * (n + 7), bodies.sums(list)[1], 1e-6 * 600 * (n + 7), n .. " marbles")
    end
  end)
end)

describe("what is flush and in balance", function()
  -- A pyramid of crates of width 22, a crate's width in the row above two of the row below.
  local function pyramid(world, rows, friction)
    local list = {}
    for row = 0, rows - 1 do
      for i = 0, rows - row - 1 do
        list[#list + 1] = world:insert(24 * i + 12 * row, -20 * (row + 1), 20, 20,
          { response = "slide", friction = friction })
      end
    end
    return list
  end

  local function wall(world, rows, friction)
    local list = {}
    for row = 0, rows - 1 do
      for i = 0, 5 do
        list[#list + 1] = world:insert(20 * i + row % 2 * 10, -20 * (row + 1), 20, 20,
          { response = "slide", friction = friction })
      end
    end
    return list
  end

  local function tower(world, rows, friction)
    return newTower(world, 2 * rows, { friction = friction })
  end

  for name, build in pairs({ pyramid = pyramid, wall = wall, tower = tower }) do
    it("stands to the last bit, and sleeps: " .. name, function()
      for _, friction in ipairs({ 0, 0.5 }) do
        local world = newWorld()
        bodies.floor(world)
        local list = build(world, 12, friction)
        local before = {}
        for i, body in ipairs(list) do
          before[i] = { body:getRect() }
        end
        bodies.stepsApart(world, 90, function(frame)
          for i, body in ipairs(list) do
            local x, y = body:getRect()
            if x ~= before[i][1] or y ~= before[i][2] then
              error(("%d of %d moves by %g, %g in step %d"):format(i, #list, x - before[i][1],
                y - before[i][2], frame), 0)
            end
          end
        end)
        assert.is_true(bodies.allAtRest(list))
        assert.equal(0, bodies.countAwake(list))
      end
    end)
  end

  it("stands, each heavier than the one below, and with all the mass on top", function()
    for _, masses in ipairs({ { 1, 2, 4, 8, 16, 32 }, { 1, 1, 1, 1, 1, 1000 }, { 1, 1e6 } }) do
      local world = newWorld()
      bodies.floor(world)
      local list = newTower(world, #masses, {}, masses)
      bodies.stepsApart(world, 120)
      for i, crate in ipairs(list) do
        assert.equal(-20 * i, (select(2, crate:getRect())))
        assert.is_true(bodies.isAtRest(crate))
      end
    end
  end)

  it("that has fallen together is flush at rest, to the last bit, whatever its numbers", function()
    for seed = 1, 12 do
      local rng, list = random.new(seed), {}
      local world = newWorld(rng:real(300, 1500))
      local ground = rng:real(-2000, 2000)
      world:insert(-500.3, ground, 1000.7, 33.1, { static = true })
      local y = ground
      for i = 1, 6 do
        local h = rng:real(3, 30)
        y = y - h - rng:real(0, 7)
        list[i] = world:insert(rng:real(-3, 3), y, rng:real(9, 30), h,
          { response = "slide", mass = rng:pick({ 0.3, 1, 7 }), friction = rng:pick({ 0, 0.4 }) })
      end
      bodies.stepsApart(world, 240)
      for i, body in ipairs(list) do
        assert.is_true(bodies.isAtRest(body), i .. " is not at rest")
        local below = world:touching(body, 0, 1)
        assert.equal(i > 1 and list[i - 1]:getId() or nil, i > 1 and below and below:getId() or nil,
          ("seed %d: what is under %d"):format(seed, i))
        assert.is_truthy(below)
      end
    end
  end)
end)
