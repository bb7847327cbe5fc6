-- The convex polygons of a wall along a polyline. They must cover what is near the line and nothing
-- that is far from it, and have no gap or corner that stops anyone.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local polyline = require("broadside.support.polyline")
local random = require("spec.support.random")
local walker = require("broadside.walker")

local function insert(world, corners, thickness)
  for _, polygon in ipairs(polyline.thicken(corners, thickness)) do
    world:insertPolygon(polygon, { static = true })
  end
end

-- How far a place is from a polyline.
local function distance(corners, x, y)
  local least = math.huge
  for i = 1, #corners - 2, 2 do
    local ax, ay = corners[i], corners[i + 1]
    local dx, dy = corners[i + 2] - ax, corners[i + 3] - ay
    local length = dx * dx + dy * dy
    local t = length > 0 and ((x - ax) * dx + (y - ay) * dy) / length or 0
    t = math.max(0, math.min(1, t))
    least = math.min(least, math.sqrt((ax + t * dx - x) ^ 2 + (ay + t * dy - y) ^ 2))
  end
  return least
end

-- A line to the right, whose directions are within some angle of it.
local function hills(rng, n, steepest)
  local corners, x, y = { 0, 0 }, 0, 0
  for i = 1, n do
    local angle, length = (2 * rng:unit() - 1) * steepest, 4 + 40 * rng:unit()
    x, y = x + length * math.cos(angle), y + length * math.sin(angle)
    corners[2 * i + 1], corners[2 * i + 2] = x, y
  end
  return corners, x
end

describe("A wall along a polyline", function()
  it("is one rectangle for a straight line of two points, with the line in its middle", function()
    assert.same({ { 0, 12, 30, 12, 30, 8, 0, 8 } }, polyline.thicken({ 0, 10, 30, 10 }, 4))
  end)

  it("shares its corners at gentle bends, and has a wedge at sharp ones", function()
    local bend = polyline.thicken({ 0, 0, 30, 0, 30, 30 }, 4)
    assert.same({ { 0, 2, 28, 2, 32, -2, 0, -2 }, { 28, 2, 28, 30, 32, 30, 32, -2 } }, bend)
    assert.equal(3, #polyline.thicken({ 0, 0, 30, 0, 10, 20 }, 4))
    assert.equal(2, #polyline.thicken({ 0, 0, 30, 0, 10, 0 }, 4)) -- and back
  end)

  it("is closed where the line ends where it began", function()
    local ring = polyline.thicken({ 0, 0, 30, 0, 30, 30, 0, 30, 0, 0 }, 4)
    assert.equal(4, #ring)
    assert.same({ 2, 2, 28, 2, 32, -2, -2, -2 }, ring[1])
  end)

  it("leaves out points that are there twice, and is nothing without two", function()
    assert.same(polyline.thicken({ 0, 0, 9, 0, 9, 9 }, 2),
      polyline.thicken({ 0, 0, 0, 0, 9, 0, 9, 0, 9, 0, 9, 9, 9, 9 }, 2))
    for _, corners in ipairs({ {}, { 1, 2 }, { 1, 2, 1, 2 } }) do
      assert.same({}, polyline.thicken(corners, 2))
    end
  end)

  it("covers what is near any line, and nothing that is far from it", function()
    local rng = random.new(70)
    for _ = 1, compat.rounds(60) do
      local world, corners, wrong = broadside.newWorld(), {}, 0
      for i = 1, 2 * rng:int(2, 7) do
        corners[i] = rng:pick({ rng:int(0, 5) * 10, 60 * rng:unit() })
      end
      local thickness = rng:pick({ 0.5, 3, 12 })
      insert(world, corners, thickness)
      for _ = 1, 400 do
        local i = 2 * rng:int(1, #corners / 2 - 1) - 1 -- beside one of the segments
        local ax, ay, t = corners[i], corners[i + 1], rng:unit()
        local dx, dy = corners[i + 2] - ax, corners[i + 3] - ay
        local length = math.sqrt(dx * dx + dy * dy)
        local off = length > 0 and (2 * rng:unit() - 1) * 0.99 * thickness / 2 / length or 0
        local _, n = world:queryPoint(ax + t * dx - off * dy, ay + t * dy + off * dx)
        wrong = wrong + (n > 0 and 0 or length > 0 and 1 or 0)
        local x, y = 80 * rng:unit() - 10, 80 * rng:unit() - 10
        if distance(corners, x, y) > 0.708 * thickness then
          wrong = wrong + select(2, world:queryPoint(x, y))
        end
      end
      assert.equal(0, wrong)
    end
  end)

  it("lets a walker run along it at its speed, over all bends, both ways", function()
    local rng = random.new(71)
    for round = 1, compat.rounds(20) do
      local world = broadside.newWorld()
      local corners, far = hills(rng, 30, math.rad(40))
      insert(world, corners, rng:pick({ 2, 8, 20 }))
      local box = round % 2 == 0 and world:insertCircle(20, -200, 8)
        or world:insert(20, -200, 10, 20)
      local hero, vy, slowest = walker.new(world, box), 0, math.huge
      local side, direction = 1, 1
      for frame = 1, 900 do
        local before = box:getCenter()
        local _
        _, vy = hero:walk(150 * direction, vy + 900 / 60, 1 / 60)
        local after = box:getCenter()
        if hero.onFloor and frame > 60 then
          slowest = math.min(slowest, (after - before) * direction)
        end
        if direction > 0 and after > far - 40 or direction < 0 and after < 40 then
          direction, side = -direction, side + 1
          vy = 0
        end
      end
      assert.is_true(slowest > 150 / 60 * math.cos(math.rad(40)) * 0.999, "stopped: " .. slowest)
      assert.is_true(side > 1, "never got to the end")
    end
  end)

  it("lets a ball roll on: on many pieces as on one", function()
    for _, degrees in ipairs({ 0, 12, 33 }) do
      local ends = {}
      for _, n in ipairs({ 1, 23 }) do
        local world, corners = broadside.newWorld({ gravity = { 0, 500 } }), {}
        local cosine, sine = math.cos(math.rad(degrees)), math.sin(math.rad(degrees))
        for i = 0, n do
          corners[2 * i + 1], corners[2 * i + 2] = 2000 * i / n * cosine, 2000 * i / n * sine
        end
        insert(world, corners, 6)
        local ball = world:insertCircle(20 * cosine + 9 * sine + 1, 20 * sine - 9 * cosine - 1, 6,
          { response = "slide", vx = 100 * cosine, vy = 100 * sine })
        for _ = 1, 120 do
          world:step(1 / 60)
        end
        ends[#ends + 1] = { ball:getCenter() }
      end
      assert.near(ends[1][1], ends[2][1], 1e-6)
      assert.near(ends[1][2], ends[2][2], 1e-6)
      assert.is_true(ends[1][1] > 150)
    end
  end)
end)
