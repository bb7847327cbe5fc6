-- Scenes with n bodies in which a step has much to do.

local broadside = require("broadside")
local bodies = require("spec.support.bodies")
local random = require("spec.support.random")

local crowds = {}

local function room(world, side, opts)
  opts = opts or {}
  opts.static = true
  world:insert(-50, -50, side + 100, 50, opts)
  world:insert(-50, side, side + 100, 50, opts)
  world:insert(-50, -50, 50, side + 100, opts)
  world:insert(side, -50, 50, side + 100, opts)
end

-- n balls that fly about in a room.
function crowds.gas(n, speed, response)
  local rng, world, columns = random.new(7), broadside.newWorld(), math.ceil(math.sqrt(n))
  room(world, columns * 12 + 12)
  for i = 0, n - 1 do
    world:insertCircle(10 + i % columns * 12, 10 + math.floor(i / columns) * 12, 3, {
      response = response or "bounce",
      vx = rng:real(-speed, speed), vy = rng:real(-speed, speed) })
  end
  return world
end

-- n balls that lie on each other, nearly.
function crowds.heap(n)
  local rng, world = random.new(7), broadside.newWorld({ gravity = { 0, 1000 } })
  bodies.shaft(world, 200)
  for i = 0, n - 1 do
    world:insertCircle(10 + i % 18 * 10 + rng:real(0, 1), -10 - math.floor(i / 18) * 10.1, 5,
      { response = "bounce", bounce = 1 })
  end
  return world
end

-- n bodies in one place.
function crowds.crowdOf(response)
  return function(n)
    local rng, world = random.new(3), broadside.newWorld()
    for _ = 1, n do
      world:insert(rng:real(0, 1), rng:real(0, 1), 10, 10,
        { response = response, vx = rng:real(-50, 50), vy = rng:real(-50, 50) })
    end
    return world
  end
end

-- Frames of a crowd that walks to a point, after it has packed.
function crowds.packed(n)
  local rng, world, list = random.new(3), broadside.newWorld(), {}
  local columns = math.ceil(math.sqrt(n))
  for i = 0, n - 1 do
    list[i + 1] = world:insertCircle((i % columns - columns / 2) * 1.3 + rng:real(0, 0.1),
      (math.floor(i / columns) - columns / 2) * 1.3 + rng:real(0, 0.1), 0.5, { response = "slide" })
  end
  local function walk()
    for _, body in ipairs(list) do
      local x, y = body:getCenter()
      local d = math.sqrt(x * x + y * y) + 1e-9
      body:setVelocity(-4 * x / d, -4 * y / d)
    end
    world:step(bodies.DT)
  end
  for _ = 1, 60 do
    walk()
  end
  return function()
    for _ = 1, 5 do
      walk()
    end
  end
end

-- A row of n that a wall of infinite mass presses on another wall.
function crowds.squeezed(response)
  return function(n)
    local world = broadside.newWorld()
    world:insert(n * 1.5 + 20, -50, 10, 100, { static = true })
    world:insert(-20, -10, 10, 20, { response = response, mass = math.huge, vx = n * 1.2 * 60 })
    for i = 1, n do
      world:insert(i * 1.5, 0, 1, 1, { response = response })
    end
    return world
  end
end

-- A ball between two heavy ones that sweep up a row of n.
function crowds.swept(n)
  local world = broadside.newWorld()
  world:insert(0, 0, 10, 10, { response = "bounce", mass = 1000, vx = (n * 2 + 100) * 60 })
  world:insert(10.5, 4, 1, 1, { response = "bounce", mass = 0.001 })
  world:insert(12, 0, 10, 10, { response = "bounce", mass = 1000, vx = n * 2 * 60 })
  for i = 1, n do
    world:insert(30 + i * 2, 0, 1, 10, { response = "slide" })
  end
  return world
end

function crowds.cradle(n)
  local world = broadside.newWorld()
  for i = 0, n - 1 do
    world:insertCircle(i * 10, 0, 5, { response = "bounce", vx = i == 0 and 1e5 or 0 })
  end
  return world
end

function crowds.hammer(n)
  local world, side = broadside.newWorld(), math.floor(math.sqrt(n))
  for i = 1, side do
    for k = 1, side do
      world:insertCircle(i * 10, k * 10, 5, { response = "bounce" })
    end
  end
  world:insert(-1000, 0, 50, 5000, { vx = 1e5 })
  return world
end

-- A step of n bodies that press toward one place, where a part of them is in each other for good:
-- overlap = 0 is none of them, 1 is each second one.
function crowds.overlapping(n)
  return function(overlap)
    local world = broadside.newWorld()
    local side = math.ceil(math.sqrt(n))
    for i = 0, n - 1 do
      local x, y = i % side * 10.5, math.floor(i / side) * 10.5
      local off = i % 2 == 1 and overlap * 6 or 0
      local body = world:insertCircle(x - off, y, 5, { response = "slide", drag = 50 })
      local dx, dy = side * 5 - x, side * 5 - y
      body:setAcceleration(4 * dx, 4 * dy)
    end
    for _ = 1, 20 do
      world:step(1 / 60)
    end
    return function() world:step(1 / 60) end
  end
end

return crowds
