-- Circles and polygons as boxes of a world: how they are inserted, read, changed, moved, scaled and
-- rotated, and which ones are refused.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local expect = require("spec.support.expect")
local scene = require("spec.support.scene")

local values, unpack = compat.values, compat.unpack
local nan, huge = compat.nan, compat.huge

local function near(expected, ...)
  expect.allNear(expected, { ... })
end

local function newWorld(dim, backend)
  return broadside.newWorld({ dim = dim, backend = backend })
end

-- Inserts a circle at 1, 2 (and 3) with that radius.
local function circleOf(world, dim, r, opts)
  return world:insertCircle(values({ unpack({ 1, 2, 3 }, 1, dim) }, r, opts))
end

local TRIANGLE = { 0, 0, 4, 0, 0, 4 }

describe("insertCircle", function()
  it("gives a Box with a circle as its shape, and the box around it as its rectangle", function()
    for dim = 2, 3 do
      local world = newWorld(dim)
      local box = circleOf(world, dim, 0.5, { data = "ball", layer = 4, vx = 1, static = true })
      local c = { unpack({ 1, 2, 3 }, 1, dim) }
      assert.same({ "circle", unpack(compat.concat(c, { 0.5 })) }, { box:getShape() })
      local rect = dim == 2 and { 0.5, 1.5, 1, 1 } or { 0.5, 1.5, 2.5, 1, 1, 1 }
      assert.same(rect, { box:getRect() })
      assert.same(c, { box:getCenter() })
      assert.equal("ball", box:getData())
      assert.equal(4, (box:getFilter()))
      assert.equal(1, (box:getVelocity()))
      assert.is_true(box:isStatic())
      assert.equal(1, world:count())
    end
  end)

  it("reads back exactly what it was given", function()
    local world = newWorld(2)
    for _, c in ipairs({ { 0.1, 0.2, 0.3 }, { 1e9 + 0.1, -1 / 3, 1e-3 }, { 5e-320, 0, 1e-310 },
      { 0.1, 1, 0.7 }, { 1, 0.1, 0.7 } }) do -- 0.1 - 0.7 + 0.7 is not 0.1
      local box = world:insertCircle(unpack(c))
      assert.same({ "circle", unpack(c) }, { box:getShape() })
    end
  end)

  it("gives the id where results = 'id', and the data where results = 'data'", function()
    local world = broadside.newWorld({ results = "id" })
    local id = world:insertCircle(1, 2, 3)
    assert.equal("number", type(id))
    assert.same({ "circle", 1, 2, 3 }, { world:getBox(id):getShape() })
    assert.same({ id }, (world:queryPoint(1, 2)))
    world = broadside.newWorld({ results = "data" })
    local box = world:insertCircle(1, 2, 3, { data = "ball" })
    assert.same({ "circle", 1, 2, 3 }, { box:getShape() })
    assert.same({ "ball" }, (world:queryPoint(1, 2)))
  end)

  it("refuses what is no circle, and changes nothing", function()
    for dim = 2, 3 do
      local world = newWorld(dim)
      local r = dim + 1
      local function refused(place, problem, ...)
        expect.badArgument(place, "insertCircle", problem, world.insertCircle, world, ...)
        assert.equal(0, world:count())
      end
      local c = { unpack({ 1, 2, 3 }, 1, dim) }
      refused(r, "radius with finite bounds expected, got 1.7e+308",
        values({ unpack({ 1.7e308, 0, 0 }, 1, dim) }, 1.7e308))
      refused(r, "finite bounds", values({ unpack({ 0, -1.7e308, 0 }, 1, dim) }, 1.7e308))
      -- Its width is not finite.
      refused(r, "finite", values({ unpack({ 0, 0, 0 }, 1, dim) }, 1.7e308))
      refused(r + 1, "unknown option 'radius'", values(c, 1, { radius = 1 }))
    end
  end)
end)

describe("insertPolygon", function()
  it("gives a Box with a polygon as its shape, and the box around it as its rectangle", function()
    local world = newWorld(2)
    local box = world:insertPolygon({ 1, 2, 5, 2, 3, 8 }, { data = "sail", mask = 6, ay = 2 })
    assert.same({ "polygon", { 1, 2, 5, 2, 3, 8 } }, { box:getShape() })
    assert.same({ 1, 2, 4, 6 }, { box:getRect() })
    assert.equal("sail", box:getData())
    assert.equal(6, (select(2, box:getFilter())))
    assert.same({ 0, 2 }, { box:getAcceleration() })
  end)

  it("takes 3 to 16 corners in either winding, and reads them back as they were given", function()
    local world = newWorld(2)
    for n = 3, 16 do
      for turn = -1, 1, 2 do
        local flat = {}
        for i = 1, n do
          flat[2 * i - 1] = 10 * math.cos(turn * 2 * math.pi * i / n) + 0.1
          flat[2 * i] = 10 * math.sin(turn * 2 * math.pi * i / n) - 0.3
        end
        local box = world:insertPolygon(flat)
        assert.same({ "polygon", flat }, { box:getShape() })
        assert.same({ box }, (world:queryPoint(0.1, -0.3)))
        box:remove()
      end
    end
  end)

  it("does not keep the table", function()
    local flat = compat.copy(TRIANGLE)
    local box = newWorld(2):insertPolygon(flat)
    flat[1] = 100
    assert.same({ "polygon", TRIANGLE }, { box:getShape() })
  end)

  it("refuses what is no convex polygon, says which, and changes nothing", function()
    local world = newWorld(2)
    local function refused(problem, flat, ...)
      expect.badArgument(1, "insertPolygon", problem, world.insertPolygon, world, flat, ...)
      assert.equal(0, world:count())
    end
    refused("3 to 16 corners expected, got 0", {})
    refused("3 to 16 corners expected, got 2", { 0, 0, 1, 1 })
    local many = {}
    for i = 1, 17 do
      many[2 * i - 1], many[2 * i] = math.cos(2 * math.pi * i / 17), math.sin(2 * math.pi * i / 17)
    end
    refused("3 to 16 corners expected, got 17", many)
    refused("item 3: finite number expected, got nan", { 0, 0, nan, 0, 0, 4 })
    refused("item 6: finite number expected, got inf", { 0, 0, 4, 0, 0, huge })
    refused("item 2: finite number expected, got string", { 0, "0", 4, 0, 0, 4 })
    refused("corner 2 repeats 1, 2", { 1, 2, 1, 2, 4, 0, 0, 4 })
    refused("corner 4 repeats 0, 4", { 0, 0, 4, 0, 0, 4, 0, 4 })
    refused("corner 4 repeats 0, 0", { 0, 0, 4, 0, 0, 4, 0, 0 })
    refused("no area", { 0, 0, 1, 1, 2, 2 })
    refused("no area", { 0, 0, 1, 0, 2, 0, 3, 0 })
    refused("not convex at corner", { 0, 0, 4, 0, 1, 1, 0, 4 })
    refused("not convex", { 0, 0, 4, 4, 4, 0, 0, 4 }) -- it is a bow tie
    local star = {}
    for i = 1, 5 do
      star[2 * i - 1], star[2 * i] = math.cos(0.8 * math.pi * i), math.sin(0.8 * math.pi * i)
    end
    refused("not convex", star) -- it turns in the same direction at each corner, but twice around
    refused("finite", { -1.7e308, 0, 1.7e308, 0, 0, 1 }) -- its width is not finite
  end)

  it("only works in 2D", function()
    local world = newWorld(3)
    expect.refused("2D", world.insertPolygon, world, TRIANGLE)
    local box = world:insertCircle(1, 2, 3, 4)
    expect.badArgument(1, "setShape", "'box' or 'circle' expected, got 'polygon'", box.setShape,
      box, "polygon", TRIANGLE)
    assert.same({ "circle", 1, 2, 3, 4 }, { box:getShape() })
  end)
end)

describe("getShape", function()
  it("says 'box' of a box", function()
    for dim = 2, 3 do
      local box = newWorld(dim):insert(unpack({ 1, 2, 3, 4, 5, 6 }, 1, 2 * dim))
      assert.same({ "box" }, { box:getShape() })
    end
  end)

  it("writes the corners into a table that it is given", function()
    local world = newWorld(2)
    local box, out = world:insertPolygon(TRIANGLE), { 9, 9, 9, 9, 9, 9, 9, 9, kept = true }
    local shape, list = box:getShape(out)
    assert.equal("polygon", shape)
    assert.is_true(rawequal(out, list))
    assert.equal(#TRIANGLE, #out)
    for i = 1, #TRIANGLE do
      assert.equal(TRIANGLE[i], out[i])
    end
    assert.is_true(out.kept)
  end)
end)

describe("setShape", function()
  it("makes a circle of any box, around the middle that it has", function()
    for dim = 2, 3 do
      local world = newWorld(dim)
      local box = world:insert(unpack(dim == 2 and { 0, 0, 4, 2 } or { 0, 0, 0, 4, 2, 6 }))
      box:setShape("circle", 3)
      local c = dim == 2 and { 2, 1 } or { 2, 1, 3 }
      assert.same({ "circle", unpack(compat.concat(c, { 3 })) }, { box:getShape() })
      box:setShape("circle", 1.5)
      assert.same({ "circle", unpack(compat.concat(c, { 1.5 })) }, { box:getShape() })
      assert.same(c, { box:getCenter() })
      box:setShape("box")
      assert.same({ "box" }, { box:getShape() })
      assert.same(c, { box:getCenter() })
      assert.equal(3, (select(dim + 1, box:getRect())))
    end
  end)

  it("makes a polygon, where its corners are", function()
    local box = newWorld(2):insert(100, 100, 4, 2)
    box:setShape("polygon", TRIANGLE)
    assert.same({ "polygon", TRIANGLE }, { box:getShape() })
    assert.same({ 0, 0, 4, 4 }, { box:getRect() })
    box:setShape("circle", 1)
    assert.same({ "circle", 2, 2, 1 }, { box:getShape() })
    box:setShape("polygon", { 0, 4, 4, 4, 4, 0 })
    box:setShape("box")
    assert.same({ 0, 0, 4, 4 }, { box:getRect() })
  end)

  it("refuses what is no shape, and changes nothing", function()
    local world = newWorld(2)
    for _, box in ipairs({ world:insert(1, 2, 3, 4), world:insertCircle(1, 2, 3),
      world:insertPolygon(TRIANGLE) }) do
      local before, rect = { box:getShape() }, { box:getRect() }
      local function refused(place, problem, ...)
        expect.badArgument(place, "setShape", problem, box.setShape, box, ...)
        assert.same(before, { box:getShape() })
        assert.same(rect, { box:getRect() })
      end
      refused(1, "'box', 'circle' or 'polygon' expected, got 'ball'", "ball")
      refused(2, "finite", "circle", 1e308)
      refused(2, "table expected, got no value", "polygon")
      refused(2, "3 to 16 corners expected, got 2", "polygon", { 1, 2, 3, 4 })
      refused(2, "item 1: finite number expected, got nan", "polygon", { nan, 2, 3, 4, 5, 6 })
      refused(2, "no area", "polygon", { 0, 0, 1, 1, 2, 2 })
      refused(3, "no further argument expected, got 2", "circle", 1, 2, 3)
      refused(3, "no further argument expected, got 0", "circle", 0, 0, 5)
      refused(2, "no further argument expected, got 1", "box", 1)
      refused(3, "no further argument expected, got 7", "polygon", TRIANGLE, 7)
    end
  end)

  it("is taken over by nothing that comes into the place of a removed box", function()
    local world = newWorld(2)
    for _, insert in ipairs({
      function() return world:insertCircle(1, 2, 3) end,
      function() return world:insertPolygon(TRIANGLE) end,
    }) do
      insert():remove()
      local box = world:insert(0, 0, 4, 4)
      assert.same({ "box" }, { box:getShape() })
      assert.same({ box }, (world:queryPoint(3.9, 3.9)))
      box:remove()
    end
  end)
end)

describe("a shape that is moved", function()
  it("goes with update, setRect and setCenter", function()
    scene.eachBackend(function(s)
      local world, dim = s.world, s.dim
      local box = circleOf(world, dim, 1)
      world:update(box, unpack({ 10, 20, 30 }, 1, dim))
      assert.same({ "circle", unpack(compat.concat({ unpack({ 11, 21, 31 }, 1, dim) }, { 1 })) },
        { box:getShape() })
      box:setRect(unpack({ 0, 0, 0 }, 1, dim))
      assert.same({ "circle", unpack(compat.concat({ unpack({ 1, 1, 1 }, 1, dim) }, { 1 })) },
        { box:getShape() })
      box:setCenter(unpack({ 7, 8, 9 }, 1, dim))
      assert.same({ "circle", unpack(compat.concat({ unpack({ 7, 8, 9 }, 1, dim) }, { 1 })) },
        { box:getShape() })
      assert.same({ box }, (world:queryPoint(unpack({ 7.75, 8.5, 9 }, 1, dim))))
      assert.same({}, (world:queryPoint(unpack({ 7.75, 8.75, 9 }, 1, dim))))
    end)
  end)

  it("goes with them as a polygon, too", function()
    for _, backend in ipairs(scene.backends) do
      local world = newWorld(2, backend)
      local box = world:insertPolygon(TRIANGLE)
      world:update(box, 10, 20)
      assert.same({ "polygon", { 10, 20, 14, 20, 10, 24 } }, { box:getShape() })
      box:setRect(-1, -2)
      assert.same({ "polygon", { -1, -2, 3, -2, -1, 2 } }, { box:getShape() })
      box:setCenter(10, 10)
      assert.same({ "polygon", { 8, 8, 12, 8, 8, 12 } }, { box:getShape() })
      assert.same({ box }, (world:queryPoint(9, 9)))
      assert.same({}, (world:queryPoint(11, 11)))
      world:updateMany({ box }, { 0, 1 })
      assert.same({ "polygon", { 0, 1, 4, 1, 0, 5 } }, { box:getShape() })
    end
  end)

  it("lies in the middle of its rectangle, also if rounding had lost its radius", function()
    local world = newWorld(2)
    local ball = world:insertCircle(1e17, 1e17, 1)
    ball:setRect(10, 20)
    assert.same({ "circle", 11, 21, 1 }, { ball:getShape() })
    assert.same({ ball }, (world:queryPoint(11.9, 21)))
    assert.same({}, (world:queryPoint(10.1, 20.1)))
  end)

  it("goes with its velocity", function()
    local world = newWorld(2)
    local circle = world:insertCircle(0, 0, 1, { vx = 2, vy = 4 })
    local polygon = world:insertPolygon(TRIANGLE, { vx = -1 })
    world:step(0.5)
    assert.same({ "circle", 1, 2, 1 }, { circle:getShape() })
    assert.same({ "polygon", { -0.5, 0, 3.5, 0, -0.5, 4 } }, { polygon:getShape() })
  end)

  it("keeps its form however often it is moved", function()
    local world = newWorld(2)
    local box = world:insertPolygon({ 0.1, 0.2, 0.9, 0.3, 0.5, 1.1 })
    for i = 1, 10000 do
      world:update(box, math.sin(i) * 1e6, math.cos(i) * 1e6)
    end
    world:update(box, 0.1, 0.2)
    near({ 0.1, 0.2, 0.9, 0.3, 0.5, 1.1 }, unpack((select(2, box:getShape()))))
  end)
end)

describe("a shape that gets another size", function()
  it("as a circle needs equal ones", function()
    for dim = 2, 3 do
      local world = newWorld(dim)
      local box = circleOf(world, dim, 1)
      world:update(box, unpack(dim == 2 and { 0, 0, 6, 6 } or { 0, 0, 0, 6, 6, 6 }))
      assert.same({ "circle", 3, 3, 3, dim == 3 and 3 or nil }, { box:getShape() })
      box:setRect(unpack(dim == 2 and { 1, 1, 2, 2 } or { 1, 1, 1, 2, 2, 2 }))
      local before = { box:getShape() }
      assert.same({ "circle", 2, 2, dim == 3 and 2 or 1, dim == 3 and 1 or nil }, before)
      local uneven = dim == 2 and { 0, 0, 6, 5 } or { 0, 0, 0, 6, 5, 6 }
      expect.badArgument(2 + dim + 1, "update", "equal sizes", world.update, world, box,
        unpack(uneven))
      expect.badArgument(2 + dim, "setRect", "equal sizes", box.setRect, box, unpack(uneven))
      assert.same(before, { box:getShape() })
      -- Without a size, the box keeps its size.
      uneven = dim == 2 and { 0, 0, 6 } or { 0, 0, 0, 6 }
      expect.badArgument(1 + dim, "setRect", "equal sizes", box.setRect, box, unpack(uneven))
      assert.same(before, { box:getShape() })
    end
  end)

  it("as a polygon is scaled", function()
    local world = newWorld(2)
    local box = world:insertPolygon(TRIANGLE)
    world:update(box, 10, 10, 8, 2)
    assert.same({ 10, 10, 8, 2 }, { box:getRect() })
    assert.same({ "polygon", { 10, 10, 18, 10, 10, 12 } }, { box:getShape() })
    box:setRect(10, 10, 4, 4)
    assert.same({ "polygon", { 10, 10, 14, 10, 10, 14 } }, { box:getShape() })
  end)
end)

describe("setTransform of a shape", function()
  local quarter = math.pi / 2

  it("turns a polygon truly, by quarters", function()
    local world = newWorld(2)
    local box = world:insertPolygon({ 0, 0, 4, 0, 4, 2, 0, 2 })
    local turns = {
      { 10, 20, 14, 20, 14, 22, 10, 22 }, { 10, 20, 10, 24, 8, 24, 8, 20 },
      { 10, 20, 6, 20, 6, 18, 10, 18 }, { 10, 20, 10, 16, 12, 16, 12, 20 },
    }
    for i = -4, 8 do
      box:setTransform(10, 20, i * quarter)
      near(turns[i % 4 + 1], unpack((select(2, box:getShape()))))
    end
    near({ 10, 20, 4, 2 }, box:getRect())
  end)

  it("turns a polygon truly, by any angle", function()
    local world = newWorld(2)
    local crate = world:insertPolygon({ -1, -1, 1, -1, 1, 1, -1, 1 })
    crate:setTransform(0, 0, math.pi / 4)
    local r = math.sqrt(2)
    near({ 0, -r, r, 0, 0, r, -r, 0 }, unpack((select(2, crate:getShape()))))
    near({ -r, -r, 2 * r, 2 * r }, crate:getRect())
    assert.same({}, (world:queryPoint(0.9, 0.9)))
    assert.same({ crate }, (world:queryPoint(0, 1.4)))
    crate:setTransform(0, 0)
    assert.same({ "polygon", { -1, -1, 1, -1, 1, 1, -1, 1 } }, { crate:getShape() })
  end)

  it("scales and mirrors a polygon", function()
    local box = newWorld(2):insertPolygon(TRIANGLE)
    box:setTransform(1, 1, 0, 2, -3)
    assert.same({ "polygon", { 1, 1, 9, 1, 1, -11 } }, { box:getShape() })
    assert.same({ 1, -11, 8, 12 }, { box:getRect() })
    box:setTransform(0, 0, quarter, 2, 1) -- it is scaled before it is rotated
    near({ 0, 0, 0, 8, -4, 0 }, unpack((select(2, box:getShape()))))
  end)

  it("moves, turns around 0, 0 and scales a circle", function()
    local world = newWorld(2)
    local box = world:insertCircle(1, 0, 1)
    box:setTransform(10, 20)
    near({ 11, 20, 1 }, select(2, box:getShape()))
    box:setTransform(10, 20, quarter, 2)
    near({ 10, 22, 2 }, select(2, box:getShape()))
    box:setTransform(10, 20, 0, -3, 3)
    near({ 7, 20, 3 }, select(2, box:getShape()))
    box = world:insertCircle(0, 0, 0.7)
    box:setTransform(0.1, 0.2)
    assert.same({ "circle", 0.1, 0.2, 0.7 }, { box:getShape() }) -- 0.1 - 0.7 + 0.7 is not 0.1
    local before = { box:getShape() }
    expect.refused("setTransform", box.setTransform, box, 0, 0, 0, 2, 3)
    assert.same(before, { box:getShape() })
  end)

  it("moves, turns and scales a sphere", function()
    local box = newWorld(3):insertCircle(1, 0, 0, 1)
    local half = math.sqrt(0.5)
    box:setTransform(10, 20, 30, 0, 0, half, half, 2) -- a quarter turn about z
    near({ 10, 22, 30, 2 }, select(2, box:getShape()))
    box:setTransform(10, 20, 30)
    near({ 11, 20, 30, 1 }, select(2, box:getShape()))
    local ok = pcall(box.setTransform, box, 0, 0, 0, 0, 0, 0, 1, 1, 2, 1)
    assert.is_false(ok)
  end)

  it("does not turn what does not rotate", function()
    local box = newWorld(2):insertPolygon(TRIANGLE)
    box:setRotates(false)
    box:setTransform(5, 5, quarter, 2)
    assert.same({ "polygon", { 5, 5, 13, 5, 5, 13 } }, { box:getShape() })
  end)

  it("refuses what would be no shape, and changes nothing", function()
    local world = newWorld(2)
    for _, box in ipairs({ world:insertCircle(1, 2, 3), world:insertPolygon(TRIANGLE) }) do
      local before = { box:getShape() }
      for _, args in ipairs({ { 0, 0, 0, 0 }, { 0, 0, 0, 1e308 }, { 1.7e308, 0, 0, 1e308 } }) do
        expect.refused("'setTransform' would not give a box", box.setTransform, box, unpack(args))
        assert.same(before, { box:getShape() })
      end
    end
  end)
end)

describe("debugShapes", function()
  it("tells the outlines of all that is no plain box, in the order of insertion", function()
    local world = newWorld(2)
    assert.same({}, (world:debugShapes()))
    world:insert(0, 0, 1, 1)
    world:insertCircle(1, 2, 3)
    world:insertPolygon(TRIANGLE, { static = true })
    local third = world:insert(0, 0, 1, 1)
    world:insertCircle(4, 5, 6, { static = true })
    third:setShape("polygon", { 1, 1, 5, 1, 5, 5, 1, 5 })
    local out = {}
    local list, n = world:debugShapes(out)
    assert.is_true(rawequal(out, list))
    assert.equal(4, n)
    assert.same({
      "circle", 1, 2, 3, "polygon", 3, 0, 0, 4, 0, 0, 4,
      "polygon", 4, 1, 1, 5, 1, 5, 5, 1, 5, "circle", 4, 5, 6,
    }, list)
    world:clear()
    list, n = world:debugShapes(out)
    assert.same({}, list)
    assert.equal(0, n)
  end)

  it("tells spheres in 3D", function()
    local world = newWorld(3)
    world:insert(0, 0, 0, 1, 1, 1)
    world:insertCircle(1, 2, 3, 4)
    assert.same({ { "circle", 1, 2, 3, 4 }, 1 }, { world:debugShapes() })
  end)

  it("leaves the rows of debugRects as they are: a box around each", function()
    local world = broadside.newWorld({ backend = "brute" })
    world:insertCircle(1, 2, 3)
    local list = world:debugRects()
    assert.same({ "box", -2, -1, 6, 6 }, { unpack(list, 1, 5) })
  end)
end)

describe("The only shape among boxes", function()
  local function vector(dim, x)
    return { unpack({ x, x, x }, 1, dim) }
  end

  -- A ball within 0 and 20 on each axis, a box in a corner of its rect, one in the ball, and others
  -- far off.
  local function each(f)
    for dim = 2, 3 do
      for _, backend in ipairs(scene.backends) do
        local world = newWorld(dim, backend)
        local function insert(place)
          return world:insert(values(vector(dim, place), unpack(vector(dim, 2))))
        end
        for i = 1, 30 do
          insert(50 + 5 * i)
        end
        local corner, inner = insert(0), insert(9)
        f(world, world:insertCircle(values(vector(dim, 10), 10)), corner, inner, dim)
      end
    end
  end

  it("makes pairs with what it overlaps, at first and after changes", function()
    each(function(world, ball, corner, inner, dim)
      local function check(...)
        local expected, found = { ... }, {}
        for a, b in world:pairs() do
          assert.is_true(a == ball or b == ball)
          found[a == ball and b or a] = true
        end
        for _, box in ipairs(expected) do
          assert.is_true(found[box])
          found[box] = nil
        end
        assert.is_nil(next(found))
      end
      check(inner)
      for _, place in ipairs({ 0.25, 18, 0 }) do
        corner:setRect(unpack(vector(dim, place)))
        check(inner)
        corner:setRect(unpack(vector(dim, 8)))
        world:update(corner, unpack(vector(dim, 6)))
        check(inner, corner)
        corner:setRect(unpack(vector(dim, place)))
        check(inner)
      end
    end)
  end)

  it("is in queries and casts where it is round", function()
    each(function(world, ball, corner, inner, dim)
      local two = vector(dim, 2)
      assert.same({ corner }, (world:queryRect(values(vector(dim, 0), unpack(two)))))
      assert.same({}, (world:queryRect(values(vector(dim, 18), unpack(two)))))
      assert.same({ inner, ball }, (world:queryRect(values(vector(dim, 9), unpack(two)))))
      assert.same({}, (world:queryBox(corner)))
      local from, to = { unpack({ 17, 21, 19 }, 1, dim) }, { unpack({ 21, 17, 19 }, 1, dim) }
      assert.is_nil(world:segmentCast(values(from, unpack(to))))
      local rect = compat.concat({ unpack({ 30, 18, 18 }, 1, dim) }, two)
      assert.is_nil(world:sweepRect(values(rect, unpack({ -12, 0, 0 }, 1, dim))))
      assert.equal(ball, (world:segmentCast(values(vector(dim, 30), unpack(vector(dim, 12))))))
    end)
  end)

  it("stays a shape in a trim", function()
    each(function(world, ball, corner, inner)
      world:trim()
      assert.equal("circle", (ball:getShape()))
      assert.same({}, (world:queryBox(corner)))
      assert.same({ ball }, (world:queryBox(inner)))
    end)
  end)

  it("takes no more memory, however often the world goes back", function()
    each(function(world, ball, _, _, dim)
      local snapshot = world:snapshot()
      local before
      for i = 1, 40 do
        ball:setShape("circle", i % 7 + 1)
        snapshot = world:snapshot(snapshot)
        ball:setCenter(unpack(vector(dim, i)))
        world:restore(snapshot)
        before = i == 20 and world:stats().memory or before
      end
      assert.equal(before, world:stats().memory)
    end)
  end)
end)
