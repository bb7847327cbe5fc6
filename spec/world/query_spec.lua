-- Rectangle, point, circle, polygon and box queries, and the nearest boxes, with expected results
-- found by hand or by plain loops, in every symmetry and on every back end.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local expect = require("spec.support.expect")
local random = require("spec.support.random")
local scene = require("spec.support.scene")
local shapes = require("spec.support.shape_oracle")

local unpack = compat.unpack

describe("queryRect", function()
  it("finds what the interior of the rectangle meets", function()
    scene.each(function(s)
      local a, b = s:insert({ 0, 0, 4, 4 }), s:insert({ 6, 0, 4, 4 })
      expect.boxes({ a }, s:queryRect({ 1, 1, 1, 1 }))
      expect.boxes({ a, b }, s:queryRect({ 3, 3, 4, 4 }))
      expect.boxes({ a, b }, s:queryRect({ -50, -50, 100, 100 }))
      expect.boxes({}, s:queryRect({ 4, 0, 2, 4 }))
      expect.boxes({}, s:queryRect({ 0, 4, 10, 4 }))
      expect.boxes({}, s:queryRect({ 10, 4, 5, 5 }))
      expect.boxes({ b }, s:queryRect({ 4, 0, 2.5, 4 }))
    end)
  end)

  it("may have no size on one axis, or on all", function()
    scene.each(function(s)
      local a = s:insert({ 0, 0, 4, 4 })
      expect.boxes({ a }, s:queryRect({ 2, 2, 0, 0 }))
      expect.boxes({ a }, s:queryRect({ 2, -9, 0, 20 }))
      expect.boxes({}, s:queryRect({ 0, 2, 0, 0 }))
      expect.boxes({}, s:queryRect({ 4, -9, 0, 20 }))
      expect.boxes({}, s:queryRect({ 4, 4, 0, 0 }))
    end)
  end)

  it("gives boxes in the order of insertion", function()
    scene.each(function(s)
      local list = {}
      for i = 1, 30 do
        list[i] = s:insert({ i * 7 % 30, i * 11 % 30, 3, 3 })
      end
      expect.boxes(list, s:queryRect({ -1, -1, 40, 40 }))
      list[3]:remove()
      s:update(list[9], { 1, 1 })
      table.remove(list, 3)
      list[#list + 1] = s:insert({ 0, 0, 1, 1 })
      expect.boxes(list, s:queryRect({ -1, -1, 40, 40 }))
    end)
  end)

  it("finds small boxes in large ones and large ones from within", function()
    scene.each(function(s)
      local large = s:insert({ -1000, -1000, 2000, 2000 })
      local small = s:insert({ 0.25, 0.25, 0.125, 0.125 })
      expect.boxes({ large, small }, s:queryRect({ 0, 0, 1, 1 }))
      expect.boxes({ large }, s:queryRect({ 500, 500, 1, 1 }))
    end)
  end)
end)

describe("queryPoint", function()
  it("finds what the point is strictly inside of", function()
    scene.each(function(s)
      local a, b = s:insert({ 0, 0, 4, 4 }), s:insert({ 2, 2, 4, 4 })
      expect.boxes({ a }, s:queryPoint({ 1, 1 }))
      expect.boxes({ a, b }, s:queryPoint({ 3, 3 }))
      expect.boxes({ b }, s:queryPoint({ 5, 3 }))
      expect.boxes({}, s:queryPoint({ 9, 1 }))
    end)
  end)

  it("counts near sides as in a box, and far sides as outside", function()
    scene.eachBackend(function(s)
      local a, b = s:insert({ 0, 0, 4, 4 }), s:insert({ 2, 2, 4, 4 })
      expect.boxes({ a }, s:queryPoint({ 0, 0 }))
      expect.boxes({ a }, s:queryPoint({ 0, 2 }))
      expect.boxes({ a, b }, s:queryPoint({ 2, 3 }))
      expect.boxes({ b }, s:queryPoint({ 4, 3 }))
      expect.boxes({}, s:queryPoint({ 6, 3 }))
      expect.boxes({}, s:queryPoint({ 3, 6 }))
      expect.boxes({}, s:queryPoint({ -5e-324, 0 }))
      expect.boxes({ a }, s:queryPoint({ 4 - 2 ^ -51, 0 }))
      expect.boxes({}, s:queryPoint({ 1.7976931348623157e308, 0 }))
    end)
  end)

  it("finds one tile at each point of a plane of tiles, also far away", function()
    for _, backend in ipairs(scene.backends) do
      for _, far in ipairs({ 0, -48, 1e6 + 0.3, -2 ^ 40 }) do
        local world = broadside.newWorld({ backend = backend })
        local size = 0.7
        local xs = {}
        for i = 0, 5 do
          xs[i] = far + size * i
        end
        for i = 0, 4 do
          for j = 0, 4 do
            world:insert(xs[i], xs[j], xs[i + 1] - xs[i], xs[j + 1] - xs[j],
              { data = i .. "-" .. j })
          end
        end
        for i = 0, 4 do
          for j = 0, 4 do
            local list, n = world:queryPoint(xs[i], xs[j])
            assert.equal(1, n)
            assert.equal(i .. "-" .. j, list[1]:getData())
            assert.equal(1, select(2, world:queryPoint((xs[i] + xs[i + 1]) / 2, xs[j])))
          end
        end
      end
    end
  end)

  it("finds circles and polygons by what is within them", function()
    local world = broadside.newWorld()
    local circle = world:insertCircle(0, 0, 5)
    local slope = world:insertPolygon({ 20, 0, 30, 0, 20, 10 })
    assert.same({ circle }, world:queryPoint(-4.5, 0))
    assert.same({}, world:queryPoint(-5, 0))
    assert.same({}, world:queryPoint(-4, -4))
    assert.same({ slope }, world:queryPoint(21, 1))
    assert.same({}, world:queryPoint(20, 1))
    assert.same({}, world:queryPoint(21, 0))
  end)
end)

describe("queryCircle", function()
  it("finds what is nearer than the radius", function()
    scene.each(function(s)
      local a = s:insert({ 0, 0, 4, 4 })
      expect.boxes({ a }, s:queryCircle({ 6, 2 }, 2.5))
      expect.boxes({}, s:queryCircle({ 6, 2 }, 2))
      expect.boxes({ a }, s:queryCircle({ 7, 8 }, 5.25))
      expect.boxes({}, s:queryCircle({ 7, 8 }, 5))
      -- The square around the circle overlaps the box, but the circle does not.
      expect.boxes({}, s:queryCircle({ 6, 6 }, 2.5))
      expect.boxes({ a }, s:queryCircle({ 2, 2 }, 0.5))
      expect.boxes({ a }, s:queryCircle({ 2, 2 }, 500))
    end)
  end)

  it("of radius 0 is a point", function()
    scene.each(function(s)
      local a = s:insert({ 0, 0, 4, 4 })
      expect.boxes({ a }, s:queryCircle({ 2, 2 }, 0))
      expect.boxes({}, s:queryCircle({ 0, 2 }, 0))
      expect.boxes({}, s:queryCircle({ 5, 2 }, 0))
    end)
  end)

  it("knows what is nearer where squares are no numbers", function()
    scene.each(function(s)
      local a = s:insert({ 3e200, 4e200, 1e200, 1e200 })
      expect.boxes({ a }, s:queryCircle({ 0, 0 }, 5.01e200))
      expect.boxes({}, s:queryCircle({ 0, 0 }, 4.99e200))
      expect.boxes({ a }, s:queryCircle({ 0, 0 }, compat.maxDouble))
      expect.boxes({ a }, s:queryCircle({ -compat.maxDouble / 2, 0 }, compat.maxDouble * 0.75))
      expect.boxes({}, s:queryCircle({ -compat.maxDouble, 0 }, compat.maxDouble * 0.75))
      local b = s:insert({ 3e-200, 4e-200, 1e-200, 1e-200 })
      expect.boxes({ b }, s:queryCircle({ 0, 0 }, 5.01e-200))
      expect.boxes({}, s:queryCircle({ 0, 0 }, 4.99e-200))
      expect.boxes({}, s:queryCircle({ 0, 0 }, 5e-324))
    end)
  end)

  it("touches an edge from outside with any radius above 0", function()
    scene.each(function(s)
      local a = s:insert({ 0, 0, 4, 4 })
      expect.boxes({ a }, s:queryCircle({ 4, 2 }, 1e-9))
      expect.boxes({ a }, s:queryCircle({ 4, 4 }, 1e-9))
    end)
  end)
end)

describe("queryPolygon", function()
  local TRIANGLE = { 0, 0, 8, 0, 0, 8 } -- its long side is x + y = 8

  it("finds what its interior meets, in either winding order", function()
    scene.eachOf(2, function(s)
      local inside, around = s:insert({ 1, 1, 1, 1 }), s:insert({ -2, -2, 20, 20 })
      s:insert({ 6, 6, 2, 2 }) -- in its bounds
      s:insert({ 4, 4, 2, 2 }) -- touches the long side
      s:insert({ 8, -1, 2, 2 }) -- touches a corner
      s:insert({ 1, -3, 5, 3 }) -- touches a side along an axis
      local over = s:insert({ 3.5, 4, 2, 2 })
      s:insertCircle({ 6, 6 }, 2.75) -- sqrt(8) away
      local near = s:insertCircle({ 6, 6 }, 2.875)
      s:insertPolygon({ 8, 8, 8, 1, 1, 8 })
      local cut = s:insertPolygon({ 7, 7, 7, 0.5, 0.5, 7 })
      local found = { inside, around, over, near, cut }
      expect.boxes(found, s:queryPolygon(TRIANGLE))
      expect.boxes(found, s:queryPolygon({ 0, 8, 8, 0, 0, 0 }))
      expect.boxes({ around, near, cut }, s:queryPolygon(TRIANGLE, function(box)
        return box ~= inside and box ~= over
      end))
      expect.boxes({ inside, over, near, cut }, s:queryPolygon(TRIANGLE, around))
      expect.boxes({}, s:queryPolygon({ 50, 50, 60, 50, 50, 60 }))
    end)
  end)

  it("finds by its sides where all are boxes", function()
    scene.eachOf(2, function(s)
      local expected = {}
      for x = 0, 8 do
        for y = 0, 8 do -- the corner of the box that is nearest to the long side is x, y
          local box = s:insert({ x, y, 0.5, 0.5 })
          expected[#expected + 1] = x + y < 8 and box or nil
        end
      end
      expect.boxes(expected, s:queryPolygon(TRIANGLE))
    end)
  end)

  it("finds what plain arithmetic over all edges and corners finds", function()
    for _, seed in ipairs(random.seeds(4)) do
      local rng = random.new(seed)
      local worlds, far, ids = {}, {}, {} -- far[i](query): the signed distance of box i
      for i, backend in ipairs(scene.backends) do
        worlds[i] = broadside.newWorld({ backend = backend, results = "id" })
      end
      local function put(distance, method, ...)
        for _, world in ipairs(worlds) do
          ids[#far + 1] = world[method](world, ...)
        end
        far[#far + 1] = distance
      end
      for _ = 1, 40 do
        local x, y, w, h = rng:real(-20, 20), rng:real(-20, 20), rng:real(0.5, 9), rng:real(0.5, 9)
        local box = shapes.box({ x, y }, { w, h })
        put(function(query) return shapes.gap(query, box) end, "insert", x, y, w, h)
        local centre, r = { rng:real(-20, 20), rng:real(-20, 20) }, rng:real(0.5, 5)
        put(function(query) return shapes.distance(centre, query) - r end, "insertCircle",
          centre[1], centre[2], r)
        local corners = random.polygon(rng, rng:real(-20, 20), rng:real(-20, 20), w, h)
        local polygon = shapes.polygon(corners)
        put(function(query) return shapes.gap(query, polygon) end, "insertPolygon", corners)
      end
      local found, missed = 0, 0
      for _ = 1, 40 do
        local corners = random.polygon(rng, rng:real(-20, 20), rng:real(-20, 20), rng:real(1, 20),
          rng:real(1, 20))
        local query, expected = shapes.polygon(corners), {}
        for i, id in ipairs(ids) do
          local d = far[i](query)
          assert(math.abs(d) > 1e-9) -- no seed has one so near that rounding would decide
          expected[#expected + 1] = d < 0 and id or nil
        end
        for _, world in ipairs(worlds) do
          assert.same({ expected, #expected }, { world:queryPolygon(corners) })
        end
        found, missed = found + #expected, missed + #ids - #expected
      end
      assert.is_true(found > 500 and missed > 500)
    end
  end)

  it("refuses what insertPolygon refuses", function()
    local world = broadside.newWorld()
    for problem, corners in pairs({
      ["3 to 16 corners expected, got 2"] = { 0, 0, 1, 0 },
      ["corners around an area expected, got no area"] = { 0, 0, 1, 1, 2, 2 },
      ["distinct corners expected, corner 3 repeats 0, 0"] = { 0, 0, 1, 0, 0, 0 },
      ["convex polygon expected, it is not convex at corner 3, 2, 2"] =
        { 0, 0, 9, 0, 2, 2, 0, 9 },
    }) do
      expect.message(("bad argument #1 to 'queryPolygon' (%s)"):format(problem),
        world.queryPolygon, world, corners)
    end
    local solid = broadside.newWorld({ dim = 3 })
    expect.message("bad self to 'queryPolygon' (2D World expected, got a 3D World)",
      solid.queryPolygon, solid, TRIANGLE)
  end)
end)

describe("queryBox", function()
  it("finds what overlaps the box, whatever the filters of both", function()
    scene.each(function(s)
      local a, b = s:insert({ 0, 0, 4, 4 }), s:insert({ 3, 3, 4, 4 }, { layer = 0, mask = 0 })
      s:insert({ 4, 0, 4, 3 })
      expect.boxes({ b }, s:queryBox(a))
      a:setStatic(true)
      b:setStatic(true)
      expect.boxes({ b }, s:queryBox(a))
    end)
  end)

  it("follows the box", function()
    scene.each(function(s)
      local a, b = s:insert({ 0, 0, 4, 4 }), s:insert({ 20, 20, 4, 4 })
      expect.boxes({}, s:queryBox(a))
      s:update(a, { 19, 21 })
      expect.boxes({ b }, s:queryBox(a))
      s:update(a, { 19, 21, 1, 1 })
      expect.boxes({}, s:queryBox(a))
    end)
  end)
end)

describe("nearest", function()
  it("gives one box by default, the nearest", function()
    scene.each(function(s)
      s:insert({ 20, 0, 4, 4 })
      local b = s:insert({ 10, 0, 4, 4 })
      s:insert({ 0, 30, 4, 4 })
      expect.boxes({ b }, s:nearest({ 0, 2 }))
      expect.boxes({ b }, s:nearest({ 11, 1 }))
      expect.boxes({ b }, s:nearest({ 14, 4 }))
    end)
  end)

  it("gives as many as asked for, by distance, ties by insertion", function()
    scene.each(function(s)
      local c = s:insert({ 20, 0, 4, 4 })
      local a1 = s:insert({ 10, -2, 4, 4 })
      local a2 = s:insert({ -14, -2, 4, 4 })
      local inside1 = s:insert({ -1, -1, 2, 2 })
      local inside2 = s:insert({ -2, -2, 4, 4 })
      expect.boxes({}, s:nearest({ 0, 0 }, 0))
      expect.boxes({ inside1 }, s:nearest({ 0, 0 }, 1))
      expect.boxes({ inside1, inside2, a1 }, s:nearest({ 0, 0 }, 3))
      expect.boxes({ inside1, inside2, a1, a2, c }, s:nearest({ 0, 0 }, 5))
      expect.boxes({ inside1, inside2, a1, a2, c }, s:nearest({ 0, 0 }, 1e6))
    end)
  end)

  it("measures to corners, by 3, 4, 5", function()
    scene.each(function(s)
      local straight = s:insert({ 5.125, -1, 2, 2 })
      local corner = s:insert({ 3, 4, 2, 2 })
      expect.boxes({ corner, straight }, s:nearest({ 0, 0 }, 2))
      s:update(straight, { 4.875, -1 })
      expect.boxes({ straight, corner }, s:nearest({ 0, 0 }, 2))
      s:update(straight, { 5, -1 })
      expect.boxes({ straight, corner }, s:nearest({ 0, 0 }, 2))
    end)
  end)

  it("goes up to a distance and no further", function()
    scene.each(function(s)
      local a, b = s:insert({ 3, 4, 2, 2 }), s:insert({ 20, 0, 4, 4 })
      expect.boxes({ a, b }, s:nearest({ 0, 0 }, 9, nil, 20))
      expect.boxes({ a }, s:nearest({ 0, 0 }, 9, nil, 19.5))
      expect.boxes({ a }, s:nearest({ 0, 0 }, 9, nil, 5))
      expect.boxes({}, s:nearest({ 0, 0 }, 9, nil, 4.875))
      expect.boxes({ a }, s:nearest({ 4, 5 }, 9, nil, 0))
      expect.boxes({ a }, s:nearest({ 3, 5 }, 9, nil, 0))
    end)
  end)

  it("finds what is very far away", function()
    scene.each(function(s)
      local a = s:insert({ 1e12, 1e12, 4, 4 })
      expect.boxes({ a }, s:nearest({ 0, 0 }))
      expect.boxes({ a }, s:nearest({ -1e200, 1e200 }))
      local b = s:insert({ -1e12, 0, 4, 4 })
      expect.boxes({ b }, s:nearest({ 0, 0 }))
      expect.boxes({ a, b }, s:nearest({ compat.maxDouble, -compat.maxDouble }, 2))
    end)
  end)

  local function eachWorld(check)
    for _, backend in ipairs(scene.backends) do
      check(broadside.newWorld({ backend = backend }))
    end
  end

  -- The distances are 1, 3, 5 ... times the unit. The nearest box is inserted last.
  it("compares distances at any scale", function()
    for exponent = -1060, 1000, 20 do
      local unit = 2 ^ exponent
      eachWorld(function(world)
        local circle = world:insertCircle(0, 8 * unit, unit)
        local polygon = world:insertPolygon({ -5 * unit, 0, -6 * unit, -unit, -6 * unit, unit })
        local box = world:insert(3 * unit, -unit, unit, 2 * unit)
        local near = world:insert(unit, -unit, unit, 2 * unit)
        local all = { near, box, polygon, circle }
        for k = 1, 4 do
          local nearest = { unpack(all, 1, k) }
          expect.boxes(nearest, (world:nearest(0, 0, k)))
          expect.boxes(nearest, (world:nearest(0, 0, 9, nil, 2 * k * unit)))
          expect.boxes(nearest, (world:nearest(0, 0, 9, nil, (2 * k - 1) * unit)))
        end
      end)
    end
  end)

  it("compares those of several scales with each other", function()
    scene.eachBackend(function(s)
      local list = {}
      for exponent = 1020, -1070, -30 do
        list[#list + 1] = s:insert({ 2 ^ exponent, 0, 2 ^ exponent, 1 })
      end
      local nearest = {}
      for i = #list, 1, -1 do
        nearest[#nearest + 1] = list[i]
        local x = list[i]:getRect()
        assert.equal(#nearest, #s:nearest({ 0, 0.5 }, 99, nil, x))
        assert.equal(#nearest - 1, #s:nearest({ 0, 0.5 }, 99, nil, x * 0.75))
      end
      expect.boxes(nearest, s:nearest({ 0, 0.5 }, 99))
    end)
  end)

  it("compares distances that are no doubles themselves", function()
    eachWorld(function(world)
      local most = compat.maxDouble
      local far = world:insert(0.75 * most, 0, 1, 1e300)
      local near = world:insert(0.5 * most, 0, 1, 1e300)
      local ball = world:insertCircle(0.25 * most, 0, 1e300)
      expect.boxes({ ball, near, far }, (world:nearest(-most, 0, 9)))
      expect.boxes({ ball, near, far }, (world:nearest(-most, 1e299, 9)))
      expect.boxes({}, (world:nearest(-most, 0, 9, nil, most)))
    end)
  end)

  -- The circle fills its square, so the square's corner is nearer than the circle.
  it("and queryCircle means shapes also where a circle is too large for doubles", function()
    eachWorld(function(world)
      local most = compat.maxDouble
      world:insertCircle(0, 0, most / 8)
      assert.equal(0, #world:queryCircle(0.75 * most, 0.75 * most, 0.9 * most))
      assert.equal(1, #world:queryCircle(0.75 * most, 0.75 * most, 0.95 * most))
    end)
  end)

  it("finds nothing in an empty world", function()
    scene.eachBackend(function(s)
      expect.boxes({}, s:nearest({ 0, 0 }, 5))
      expect.boxes({}, s:queryRect({ -1e300, -1e300, 1e301, 1e301 }))
      expect.boxes({}, s:queryPoint({ 0, 0 }))
      expect.boxes({}, s:queryCircle({ 0, 0 }, 1e300))
      expect.boxes({}, s:querySegment({ -1e300, 0 }, { 1e300, 0 }))
      assert.is_nil((s:segmentCast({ -1e300, 0 }, { 1e300, 0 })))
      assert.is_nil((s:sweepRect({ 0, 0, 1, 1 }, { 1e300, 0 })))
    end)
  end)
end)
