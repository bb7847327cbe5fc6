-- world:insertConcave and world:insertPolyline: shapes of several boxes.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local polygons = require("spec.support.polygons")
local random = require("spec.support.random")

local function cornersOf(box)
  local _, corners = box:getShape()
  return corners
end

-- A star of n points around a place: it never crosses itself.
local function star(rng, n, x, y)
  local corners = {}
  for i = 1, n do
    local angle, r = 2 * math.pi * i / n, rng:real(5, 60)
    corners[2 * i - 1], corners[2 * i] = x + r * math.cos(angle), y + r * math.sin(angle)
  end
  return corners
end

local function reversed(corners)
  local list = {}
  for i = #corners - 1, 1, -2 do
    list[#list + 1], list[#list + 2] = corners[i], corners[i + 1]
  end
  return list
end

-- The distance of a point from a segment.
local function distance(x, y, x1, y1, x2, y2)
  local dx, dy = x2 - x1, y2 - y1
  local t = ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy)
  t = math.max(0, math.min(1, t))
  return math.sqrt((x - x1 - t * dx) ^ 2 + (y - y1 - t * dy) ^ 2)
end

describe("insertConcave", function()
  it("inserts an L of two boxes, with the options", function()
    local world = broadside.newWorld()
    local boxes = world:insertConcave({ 0, 0, 20, 0, 20, 10, 10, 10, 10, 30, 0, 30 },
      { static = true, layer = 4, data = "L" })
    assert.equal(#boxes, world:count())
    assert.is_true(#boxes >= 2)
    for _, box in ipairs(boxes) do
      assert.is_true(box:isStatic())
      assert.same({ 4, 0xffffffff }, { box:getFilter() })
      assert.equal("L", box:getData())
    end
    assert.equal(1, #world:queryPoint(5, 25))
    assert.equal(1, #world:queryPoint(15, 5))
    assert.equal(0, #world:queryPoint(15, 15))
  end)

  it("covers what the polygon covers, in either winding order", function()
    for _, seed in ipairs(random.seeds(40)) do
      local rng = random.new(seed)
      local x, y = rng:real(-1e3, 1e3), rng:real(-1e3, 1e3)
      local corners = star(rng, rng:int(3, 40), x, y)
      for _, list in ipairs({ corners, reversed(corners) }) do
        local world, area = broadside.newWorld(), 0
        for _, box in ipairs(world:insertConcave(list, { static = true })) do
          area = area + polygons.areaOf(cornersOf(box))
        end
        assert.is_true(math.abs(area - polygons.areaOf(corners)) < 1e-6 * area)
        for _ = 1, 30 do
          local px, py = x + rng:real(-60, 60), y + rng:real(-60, 60)
          assert.equal(polygons.isInside(corners, px, py), #world:queryPoint(px, py) > 0)
        end
      end
    end
  end)

  it("returns ids in a world of ids", function()
    local world = broadside.newWorld({ results = "id" })
    for _, id in ipairs(world:insertConcave({ 0, 0, 20, 0, 20, 20, 10, 5, 0, 20 })) do
      assert.is_true(world:has(id))
      assert.equal("number", type(id))
    end
  end)

  it("refuses what is no such polygon, and then has inserted nothing", function()
    local world = broadside.newWorld()
    local before = world:snapshot():getString()
    local L = { 0, 0, 20, 0, 20, 10, 10, 10, 10, 30, 0, 30 }
    for _, case in ipairs({
      { { { 0, 0, 10, 10, 10, 0, 0, 10 } },
        "#1 to 'insertConcave' (polygon that has an area and does not cross itself expected)" },
      { { { 0, 0, 10, 0, 20, 0 } },
        "#1 to 'insertConcave' (polygon that has an area and does not cross itself expected)" },
      { { { 0, 0, 10, 0 } }, "#1 to 'insertConcave' (at least 3 points expected, got 2)" },
      { { {} }, "'insertConcave'" },
      { { { 0, 0, 10, 0, 5 } }, "#1 to 'insertConcave'" },
      { { { 0, 0, 10, 0, 5, compat.nan } }, "#1 to 'insertConcave'" },
      { { "L" }, "#1 to 'insertConcave' (table expected" },
      { { L, { static = 1 } }, "#2 to 'insertConcave' (option 'static'" },
      { { L, { statik = true } }, "#2 to 'insertConcave' (unknown option 'statik'" },
      { { L, 5 }, "#2 to 'insertConcave'" },
      { { L, { data = {}, key = "box" } }, "#2 to 'insertConcave' (option 'key'" },
    }) do
      local ok, problem = pcall(world.insertConcave, world, compat.unpack(case[1]))
      assert.is_false(ok)
      assert.truthy(problem:find(case[2], 1, true), problem)
      assert.equal(before, world:snapshot():getString())
    end
    assert.has_error(function() broadside.newWorld({ dim = 3 }):insertConcave(L) end,
      "bad self to 'insertConcave' (2D World expected, got a 3D World)")
    local ok, problem = pcall(world.insertConcave, L)
    assert.is_false(ok)
    assert.truthy(problem:find("bad self to 'insertConcave'", 1, true), problem)
    world:insert(0, 0, 1, 1)
    assert.has_error(function()
      world:queryRect(0, 0, 9, 9, function() return world:insertConcave(L) end)
    end, "world is busy: a function that it has called must not change it")
  end)
end)

describe("insertPolyline", function()
  it("makes a wall that is as thick, with the line in its middle", function()
    for _, seed in ipairs(random.seeds(20)) do
      local rng = random.new(seed)
      local points, thickness = { 0, 0 }, rng:real(1, 8)
      for i = 1, rng:int(1, 8) do
        points[2 * i + 1] = points[2 * i - 1] + rng:real(20, 40)
        points[2 * i + 2] = points[2 * i] + rng:real(-20, 20)
      end
      local world = broadside.newWorld()
      world:insertPolyline(points, thickness, { static = true })
      for _ = 1, 60 do
        local x, y = rng:real(0, points[#points - 1]), rng:real(-90, 90)
        local least = math.huge
        for i = 1, #points - 3, 2 do
          least = math.min(least, distance(x, y, compat.unpack(points, i, i + 3)))
        end
        if least < 0.49 * thickness then
          assert.is_true(#world:queryPoint(x, y) > 0)
        elseif least > 0.8 * thickness then -- the corner of a bend is farther from the line
          assert.equal(0, #world:queryPoint(x, y))
        end
      end
    end
  end)

  it("is closed where the last point is the first", function()
    local world = broadside.newWorld()
    local boxes = world:insertPolyline({ 0, 0, 100, 0, 100, 50, 0, 50, 0, 0 }, 2)
    assert.equal(4, #boxes)
    for _, place in ipairs({ { 50, 0 }, { 100, 25 }, { 50, 50 }, { 0, 25 } }) do
      assert.equal(1, #world:queryPoint(compat.unpack(place)))
    end
    assert.equal(0, #world:queryPoint(50, 25))
  end)

  it("lets a ball roll along it without a jolt at gentle bends", function()
    local world = broadside.newWorld({ gravity = { 0, 600 } })
    world:insertPolyline({ 0, 0, 100, 20, 200, 30, 300, 30 }, 4, { static = true })
    local ball = world:insertCircle(10, -12, 5, { response = "slide" })
    local last = 0
    for _ = 1, 90 do
      world:step(1 / 60)
      local vx = ball:getVelocity()
      assert.is_true(vx >= last - 1e-6)
      last = math.max(last, vx)
    end
    assert.is_true(last > 20)
  end)

  it("refuses what makes no wall, and then has inserted nothing", function()
    local world = broadside.newWorld()
    local before = world:snapshot():getString()
    for _, case in ipairs({
      { { { 0, 0, 10, 0 } }, "#2 to 'insertPolyline' (finite number expected, got no value)" },
      { { { 0, 0, 10, 0 }, 0 }, "#2 to 'insertPolyline' (thickness > 0 expected, got 0)" },
      { { { 0, 0 }, 2 }, "#1 to 'insertPolyline' (at least 2 points expected, got 1)" },
      { { { 5, 5, 5, 5 }, 2 }, "#1 to 'insertPolyline' (points that are apart" },
      { { { 1e300, 0, 1e300, 1 }, 1e-9 }, "#1 to 'insertPolyline' (points that are apart" },
      { { { 0, 0, 10, 0 }, 2, { layer = "x" } }, "#3 to 'insertPolyline' (option 'layer'" },
    }) do
      local ok, problem = pcall(world.insertPolyline, world, compat.unpack(case[1]))
      assert.is_false(ok)
      assert.truthy(problem:find(case[2], 1, true), problem)
      assert.equal(before, world:snapshot():getString())
    end
  end)
end)
