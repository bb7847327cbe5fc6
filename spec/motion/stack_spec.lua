-- Who goes first in steps of rows, stacks and trains; and what bounces leave of speed and energy.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local random = require("spec.support.random")

local ORDERS = { { 1, 2, 3 }, { 1, 3, 2 }, { 2, 1, 3 }, { 2, 3, 1 }, { 3, 1, 2 }, { 3, 2, 1 } }

-- Three in a row along an axis, each 20 long, inserted in this order.
local function newRow(case, order)
  local gravity, v, rest = {}, {}, {}
  for axis = 1, case.dim do
    gravity[axis] = axis == case.axis and case.g or 0
  end
  local world, row = broadside.newWorld({ dim = case.dim, gravity = gravity }), {}
  for _, i in ipairs(order) do
    for axis = 1, case.dim do
      v[axis] = axis == case.axis and case.v or 0
      rest[axis] = (axis == case.axis and 20 * (i - 1) or 0.3) + case.from
    end
    local opts = { response = case.response, vx = v[1], vy = v[2], vz = v[3] }
    if case.kind == "circle" then
      row[i] = world:insertCircle(compat.values(rest, 10, opts))
    else
      row[i] = world:insert(compat.values(compat.concat(rest,
        case.dim == 2 and { 20, 20 } or { 20, 20, 20 }), opts))
    end
  end
  return world, row
end

local function along(case, box)
  return (select(case.axis, box:getRect())), (select(case.axis, box:getVelocity()))
end

-- With dyadic numbers, boxes must stay together to the last bit.
local function checkTogether(case, order)
  local world, row = newRow(case, order)
  for _ = 1, 60 do
    world:step(case.dt)
    for _ in world:hits() do
      error("they meet")
    end
  end
  local place, speed = along(case, row[1])
  local allowed = case.dt == 1 / 64 and case.kind == "box" and 0 or 1e-12 * (case.from + 1000)
  for i = 2, 3 do
    local x, v = along(case, row[i])
    assert(v == speed, "the same velocity")
    assert(math.abs(x - place - 20 * (i - 1)) <= allowed, "the same distance")
  end
end

describe("a step", function()
  for _, kind in ipairs({ "box", "circle" }) do
    it("keeps rows and stacks of equal speed together, in any order: " .. kind, function()
      for dim = 2, 3 do
        for _, move in ipairs({ { 64, 0, 1 / 64 }, { -64, 0, 1 / 64 }, { 0, 64, 1 / 64 },
          { 17.77, 0, 1 / 60 }, { -0.37, 7.3, 1 / 60 }, { 60, -3, 1 / 60 } }) do
          for i, response in ipairs({ "slide", "touch", "bounce" }) do
            for k, order in ipairs(ORDERS) do
              checkTogether({
                dim = dim, axis = (i + k) % dim + 1, v = move[1], g = move[2], dt = move[3],
                kind = kind, response = response, from = k % 2 * 1e5,
              }, order)
            end
          end
        end
      end
    end)
  end

  it("makes a faster one and the slower one before it go on at one speed", function()
    for _, order in ipairs({ { 1, 2 }, { 2, 1 } }) do
      local world, row = broadside.newWorld(), {}
      for _, i in ipairs(order) do
        row[i] = world:insert(20 * i, 0, 20, 20, { response = "slide", vx = i == 1 and 10 or 4 })
      end
      world:step(1)
      assert.same({ 27, 47 }, { (row[1]:getRect()), (row[2]:getRect()) })
      assert.same({ 7, 7 }, { (row[1]:getVelocity()), (row[2]:getVelocity()) })
    end
  end)

  it("moves a long train, the last one inserted first", function()
    local world, train = broadside.newWorld(), {}
    for i = 1, 500 do
      train[i] = world:insert(i, 0, 1, 1, { response = "slide", vx = 2 })
    end
    for _ = 1, 16 do
      world:step(1 / 16)
    end
    for i = 1, 500 do
      assert(train[i]:getRect() == i + 2)
    end
  end)
end)

-- Balls in a room of 400 with round pegs; they do not meet each other.
local function newPegs(g, count)
  local world, balls, rng = broadside.newWorld({ gravity = { 0, g } }), {}, random.new(7)
  for _, r in ipairs({ { -50, -50, 50, 500 }, { 400, -50, 50, 500 }, { -50, -50, 500, 50 },
    { -50, 400, 500, 50 } }) do
    world:insert(r[1], r[2], r[3], r[4], { static = true })
  end
  for i = 0, 4 do
    for k = 0, 4 do
      world:insertCircle(40 + 80 * i + k % 2 * 20, 60 + 70 * k, 12, { static = true })
    end
  end
  while #balls < count do
    local x, y = rng:real(20, 380), rng:real(20, 380)
    if world:canFit(balls[1] or world:insert(-100, -100, 8, 8, { layer = 4 }), x, y, 8, 8) then
      balls[#balls + 1] = world:insertCircle(x + 4, y + 4, 4, {
        layer = 2, mask = 1, response = "bounce",
        vx = rng:real(-150, 150), vy = rng:real(-150, 150),
      })
    end
  end
  return world, balls
end

local function energy(balls, g)
  local sum = 0
  for _, ball in ipairs(balls) do
    local vx, vy = ball:getVelocity()
    local _, y = ball:getRect()
    sum = sum + (vx * vx + vy * vy) / 2 + g * (392 - y)
  end
  return sum
end

describe("bounces that keep all speed", function()
  it("keep it for each ball where nothing accelerates", function()
    local world, balls = newPegs(0, 4)
    local before = {}
    for i, ball in ipairs(balls) do
      before[i] = energy({ ball }, 0)
    end
    for _ = 1, compat.rounds(5000) do
      world:step(1 / 60)
    end
    for i, ball in ipairs(balls) do
      assert(math.abs(energy({ ball }, 0) / before[i] - 1) < 1e-9, "the same speed")
    end
  end)

  it("keep the energy under gravity", function()
    local world, balls = newPegs(300, 10)
    local before, worst = energy(balls, 300), 0
    for i = 1, compat.rounds(20000) do
      world:step(1 / 60)
      if i % 100 == 0 then
        worst = math.max(worst, math.abs(energy(balls, 300) / before - 1))
      end
    end
    assert(worst < 0.02, "the mean energy is off by " .. worst)
  end)

  it("turn round the velocity at the contact", function()
    local world = broadside.newWorld({ gravity = { 0, 8 } })
    world:insert(-50, 10, 100, 10, { static = true })
    local ball = world:insert(0, 0, 2, 2, { response = "bounce", vy = 24 })
    world:step(1) -- by 32: meets the floor after a quarter of the step
    -- Its speed is 32 - 8 / 4 at the contact. The step goes on by the speed of its middle, which is
    -- 8 / 4 less.
    assert.same({ 0, -28 }, { ball:getVelocity() })
    assert.equal(8 - 28 * 0.75, (select(2, ball:getRect())))
  end)

  it("leave the velocity after many bounces as after few", function()
    for _, from in ipairs({ 0, 1e5 }) do
      for _, kind in ipairs({ "box", "circle" }) do
        for _, speed in ipairs({ 100, 1000, 1700, 1e5 }) do
          local world = broadside.newWorld()
          world:insert(from - 50, -1000, 50, 2000, { static = true })
          world:insert(from + 11, -1000, 50, 2000, { static = true })
          local opts = { response = "bounce", vx = speed }
          local ball = kind == "box" and world:insert(from + 0.5, 0, 1, 1, opts)
            or world:insertCircle(from + 1, 0.5, 0.5, opts)
          for _ = 1, 5 do
            world:step(0.1)
            local v, across = ball:getVelocity()
            local x = ball:getRect()
            assert(math.abs(v) == speed and across == 0, "its speed")
            assert(x >= from and x <= from + 10, "between the walls")
          end
        end
      end
    end
  end)
end)
