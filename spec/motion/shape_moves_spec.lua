-- How circles and polygons move, and how others meet them. The cases are worked out by hand, and
-- run in every symmetry and on every back end. In 3D circles are spheres among long columns. y
-- points up.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local expect = require("spec.support.expect")
local scene = require("spec.support.scene")

-- From 0, 0 it rises by 3 for each 4 to the right.
local SLOPE = { 0, 0, 40, 0, 40, 30 }

-- Contacts with slanted and round sides are rounded. In 3D the long columns make that larger.
local function near(expected, actual)
  assert.is_true(math.abs(expected - actual) < 1e-9,
    ("expected %.17g, got %.17g"):format(expected, actual))
end

local function nearPlace(expected, place)
  near(expected[1], place[1])
  near(expected[2], place[2])
end

-- Asserts that the row has these fields; numbers may be off by rounding.
local function expectRow(expected, row)
  for key, value in pairs(expected) do
    if type(value) == "table" then
      nearPlace(value, row[key])
    elseif type(value) == "number" then
      near(value, row[key])
    else
      assert.equal(value, row[key])
    end
  end
end

local function expectRows(expected, rows)
  assert.equal(#expected, #rows)
  for i, row in ipairs(expected) do
    expectRow(row, rows[i])
  end
end

describe("a circle that moves", function()
  -- A circle of 1 around 0, 0, and a wall that begins at x = 7.
  local function ballAndWall(s, opts)
    return s:insertCircle({ 0, 0 }, 1, opts), s:insert({ 7, -50, 2, 100 }, { static = true })
  end

  it("slides along a wall as a box does: what is not stopped ends at its goal", function()
    scene.each(function(s)
      local ball, wall = ballAndWall(s)
      local place, rows = s:move(ball, { 9, 3 })
      nearPlace({ 5, 3 }, place)
      assert.equal(3, place[2])
      expectRows({
        {
          other = wall, response = "slide", t = 0.6, place = { 5, 1.4 }, normal = { -1, 0 },
          overlap = false,
        },
      }, rows)
      assert.same({}, s:queryBox(ball))
      assert.same({ "circle", 1 }, { (s:getShape(ball)), select(3, s:getShape(ball)) })
      assert.equal(wall, s:touching(ball, { 1, 0 }))
      assert.is_nil(s:touching(ball, { -1, 0 }))
      assert.is_nil(s:touching(ball, { 0, -1 }))
    end)
  end)

  it("touches, bounces and crosses", function()
    scene.each(function(s)
      for response, x in pairs({ touch = 5, bounce = 1, cross = 9 }) do
        local ball, wall = ballAndWall(s)
        local place, rows = s:check(ball, { 9, 3 }, { [response] = 1 })
        nearPlace({ x, response == "touch" and 1.4 or 3 }, place)
        expectRows({ { other = wall, response = response, t = 0.6, normal = { -1, 0 } } }, rows)
        assert.same({ -1, -1, 2, 2 }, s:getRect(ball))
        assert.same({ place, rows }, { s:move(ball, { 9, 3 }, { [response] = 1 }) })
        ball:remove()
        wall:remove()
      end
    end)
  end)

  -- The centre goes to and fro between 0 and 6.
  local function corridor(s, opts)
    s:insert({ -3, -50, 2, 100 }, { static = true })
    return (ballAndWall(s, opts))
  end

  -- Rounding adds up, as the ball is put a little before each wall.
  it("ends after 16 bounces, as a box does", function()
    scene.each(function(s)
      local ball = corridor(s)
      for count, x in pairs({ [15] = 3, [16] = 0, [40] = 0 }) do
        local place, rows = s:check(ball, { -1 + 6 * count + 3, -1 }, { bounce = 1 })
        assert.equal(math.min(count, 16), #rows)
        assert.is_true(math.abs(-1 + x - place[1]) < 1e-7)
        assert.is_true(math.abs(6 / (6 * count + 3) * #rows - rows[#rows].t) < 1e-7)
      end
    end)
  end)

  it("goes through a one-way box that it overlaps, anywhere, and is not told", function()
    scene.each(function(s)
      local ball = s:insertCircle({ 0, 0 }, 1)
      s:insert({ -2, -9, 20, 8.5 }, { static = true, oneWay = { 0, 1 } })
      for _, goal in ipairs({ { -1, -5 }, { 3, -2 }, { -1, 4 } }) do
        for _, response in ipairs({ "slide", "touch", "bounce", "cross" }) do
          local place, rows = s:check(ball, goal, { [response] = 1 })
          assert.same({ goal, {} }, { place, rows })
        end
      end
    end)
  end)

  it("keeps its share of the motion at each bounce", function()
    scene.each(function(s)
      local ball = corridor(s, { bounce = 0.5 })
      local place, rows = s:check(ball, { 29, 7 }, { bounce = 1 })
      nearPlace({ 2, 7 }, place) -- 6 of 30, 6 of 12, and 3
      assert.equal(2, #rows)
      near(6 / 30, rows[1].t)
      near(6 / 30 + 6 / 15, rows[2].t)
      ball:setResponse("bounce")
      s:setVelocity(ball, { 30, 8 })
      s.world:step(1)
      nearPlace({ 2, 7 }, s:getRect(ball))
      nearPlace({ 7.5, 8 }, s:getVelocity(ball))
    end)
  end)

  it("meets a corner, and another circle, along the line to the centre", function()
    scene.each(function(s)
      local ball = s:insertCircle({ 0, 0 }, 5)
      local box = s:insert({ 9, 4, 9, 9 })
      local _, rows = s:check(ball, { 5, -5 }, { touch = 1 })
      expectRows({ { other = box, t = 0.6, place = { 1, -5 }, normal = { -0.6, -0.8 } } }, rows)
      box:remove()
      ball:setShape("circle", 2)
      local other = s:insertCircle({ 5, 4 }, 3)
      local place
      place, rows = s:check(ball, { 8, -2 }, { touch = 1 })
      nearPlace({ 0, -2 }, place)
      expectRows({ { other = other, t = 0.2, place = { 0, -2 }, normal = { -0.6, -0.8 } } }, rows)
      place = s:check(ball, { 8, -2 }, { bounce = 1 })
      nearPlace({ 0 + 2.24, -2 - 7.68 }, place) -- 8, 0 turned round along -0.6, -0.8
    end)
  end)

  it("slides around a circle and a corner, near to it all the way", function()
    scene.each(function(s)
      local ball, other = s:insertCircle({ 0, 0 }, 2), s:insertCircle({ 5, 4 }, 3)
      local corner = s:insert({ 105, 3, 9, 9 }) -- 105, 3 is as far from its way
      for _, case in ipairs({ { 0, 5, 4, 5 }, { 100, 105, 3, 2 } }) do
        local x, cx, cy, reach = case[1], case[2], case[3], case[4]
        for l = 1, 12 do
          s:update(ball, { x - 2, x == 0 and -2 or -0.5 })
          local place = s:move(ball, { x - 2 + l, x == 0 and -2 or -0.5 })
          local dx, dy = place[1] + 2 - cx, place[2] + 2 - cy
          local d = math.sqrt(dx * dx + dy * dy)
          assert.is_true(d >= reach - 1e-9, d)
          assert.is_true(d <= 1.02 * reach or dy < 0 and dx > 0 or dx < -1, d)
          assert.same({}, s:queryBox(ball))
        end
      end
      assert.is_true(s:getRect(ball)[1] > 105)
      assert.equal(3, s.world:count())
      assert.is_true(other ~= corner)
    end)
  end)

  it("takes a bounded number of steps around what is tiny beside its way", function()
    scene.each(function(s)
      s:insertCircle({ 0, 0 }, 1e-6)
      local plank = s:insert({ -10, 1e-6, 1e7, 4 })
      local place = s:move(plank, { 9e6, -3 }) -- pressed down on the pole all the way
      assert.equal(9e6, place[1])
      near(1e-6, place[2])
    end)
  end)

  it("may go anywhere but deeper where it overlaps at the start", function()
    scene.each(function(s)
      local ball, wall = s:insertCircle({ 0, 0 }, 5), s:insert({ 4, -50, 9, 100 })
      local place, rows = s:check(ball, { -3, -2 })
      nearPlace({ -5, -2 }, place)
      expectRows({ { other = wall, t = 0, normal = { -1, 0 }, overlap = true } }, rows)
      place, rows = s:check(ball, { -8, -2 })
      assert.same({ { -8, -2 }, {} }, { place, rows })
      wall:remove()
      ball:setShape("circle", 3)
      s:insertCircle({ 3, 4 }, 3)
      place, rows = s:check(ball, { 0, 1 }) -- by 3, 4: right into it
      nearPlace({ -3, -3 }, place)
      expectRows({ { t = 0, normal = { -0.6, -0.8 }, overlap = true } }, rows)
      nearPlace({ -4.28, -2.04 }, (s:check(ball, { -2, 1 }))) -- along it: 1, 4 without 3.8 into it
      place, rows = s:check(ball, { -6, -7 })
      assert.same({ { -6, -7 }, {} }, { place, rows })
    end)
  end)
end)

-- A box that the ball overlaps stops it against the shortest push out, as that was at the last
-- turn. At first that push leads to the left. Where the slanted ceiling turns the ball, its middle
-- is 0.5 from the left side and 0.2 from the upper one, so the push leads up, and the ball goes on.
describe("a ball pressed into a notch of two sides", function()
  it("rests to the last bit", function()
    for angle = 5, 85, 5 do
      local world, x, y = broadside.newWorld(), nil, nil
      for side = -1, 1, 2 do
        local a = math.rad(side < 0 and angle or 90 - angle)
        x, y = side * 100 * math.cos(a), -100 * math.sin(a)
        world:insertPolygon({ 0, 0, x, y, x + side, 30 }, { static = true })
      end
      local ball = world:insertCircle(0.3, -60, 4)
      local rest = {}
      for step = 1, 120 do
        x, y = ball:getRect()
        x, y = world:move(ball, x, y + 3)
        rest = step == 60 and { x, y } or rest
      end
      assert.same(rest, { x, y })
    end
  end)
end)

describe("a ball that overlaps a box", function()
  it("is kept from going deeper where it is now", function()
    scene.eachOf(2, function(s)
      s:insert({ 0, -20, 20, 20 }, { static = true })
      local edge = math.sqrt(2) - 0.7 -- on the line that the ball touches then
      s:insertPolygon({ -10, edge - 10, 10, edge + 10, -10, edge + 10 }, { static = true })
      local ball = s:insertCircle({ 0.5, -12 }, 1)
      nearPlace({ 0.5 + 2.1 - 1, -0.2 + 2.1 - 1 }, (s:move(ball, { -0.5, -13 + 16 })))
    end)
  end)
end)

-- From 1e300 rounding cannot put the ball beside the other one. It must not go back to its start.
describe("a way from where places are too coarse", function()
  it("ends where it has come to, in nothing", function()
    scene.eachOf(2, function(s)
      s:insertCircle({ 12, 2 }, 2)
      local box = s:insertCircle({ 14, 1e300 }, 2)
      local place = s:move(box, { 12, 0 })
      assert.is_true(place[2] < 0.5e300)
      assert.same({}, s:queryBox(box))
    end)
  end)
end)

describe("a long way through a zone", function()
  -- A move looks for others in parts of the way, and the zone reaches over several of them.
  it("tells once of it, also where others have shapes", function()
    scene.each(function(s)
      s:insertCircle({ 0, 50 }, 1)
      local zone = s:insert({ 10, -5, 200, 10 })
      local place, rows = s:move(s:insert({ 0, 0, 1, 1 }), { 150, 0 }, { cross = -1 })
      assert.same({ { 150, 0 }, 1, zone }, { place, #rows, rows[1].other })
    end)
  end)
end)

-- When the ball touches both balls below it, their middles are 5 away. So it goes around a circle
-- of radius 4 between them. If a wall stands in place of one of them, it goes the same way.
describe("a ball that comes down into the crease of two sides", function()
  for axis = 1, 3 do
    local function turned(v)
      return { v[axis], v[axis % 3 + 1], v[(axis + 1) % 3 + 1] }
    end
    local function insertBall(world, x, y, z, r)
      local v = turned({ x, y, z })
      return world:insertCircle(v[1], v[2], v[3], r)
    end

    it("goes on along it, turned to axis " .. axis, function()
      for _, side in ipairs({ "ball", "wall" }) do
        local world = broadside.newWorld({ dim = 3 })
        insertBall(world, -3, 0, 0, 3)
        if side == "ball" then
          insertBall(world, 3, 0, 0, 3)
        else
          local at, size = turned({ 2, -50, -50 }), turned({ 9, 100, 100 })
          world:insert(compat.values(compat.concat(at, size)))
        end
        local ball, goal = insertBall(world, 0, 0, 5, 2), turned({ -2, 1, -3 })
        local _, _, _, _, n = world:move(ball, goal[1], goal[2], goal[3])
        local at = { ball:getCenter() }
        local x, y, z = at[(4 - axis) % 3 + 1], at[(5 - axis) % 3 + 1], at[(6 - axis) % 3 + 1]
        assert.equal(2, n)
        near(0, x)
        assert.is_true(y > 3 and y * y + z * z >= 16 - 1e-9)
      end
    end)
  end
end)

describe("a box on a slope", function()
  local function boxAndSlope(s, opts)
    return s:insert({ -4, 3, 4, 4 }, opts), s:insertPolygon(SLOPE, { static = true })
  end

  -- It meets the slope with its corner at 4, 3, after 4 of 12.
  local function expectMet(s, response, place, opts)
    local box, slope = boxAndSlope(s, opts)
    local got, rows = s:move(box, { 8, 3 }, { [response] = 1 })
    nearPlace(place, got)
    expectRows({
      {
        other = slope, response = response, t = 1 / 3, place = { 0, 3 }, normal = { -0.6, 0.8 },
        overlap = false,
      },
    }, rows)
    if response ~= "cross" then
      assert.same({}, s:queryBox(box))
    end
    box:remove()
    slope:remove()
  end

  it("slides up along it, loses what goes into it, touches, bounces and crosses", function()
    scene.eachOf(2, function(s)
      expectMet(s, "slide", { 5.12, 6.84 }) -- 8 along it are 6.4
      expectMet(s, "touch", { 0, 3 })
      expectMet(s, "bounce", { 2.24, 10.68 }) -- 8, 0 turned round along -0.6, 0.8
      expectMet(s, "bounce", { 3.68, 8.76 }, { bounce = 0.5 })
      expectMet(s, "bounce", { 5.12, 6.84 }, { bounce = 0 })
      expectMet(s, "cross", { 8, 3 })
    end)
  end)

  it("climbs it from the floor, also when it is pressed down", function()
    scene.eachOf(2, function(s)
      for _, down in ipairs({ 0, 6 }) do
        s.world:clear()
        s:insert({ -50, -5, 50, 5 }, { static = true })
        local slope = s:insertPolygon(SLOPE, { static = true })
        local box = s:insert({ -8, 0, 4, 4 })
        local place, rows = s:move(box, { 4, -down })
        nearPlace({ 1.12, 3.84 }, place)
        assert.equal(slope, rows[#rows].other)
        expectRow({ t = 1 / 3, normal = { -0.6, 0.8 } }, rows[#rows])
      end
    end)
  end)

  it("stops in a corner of two slopes", function()
    scene.eachOf(2, function(s)
      s:insertPolygon({ -40, 30, 0, 0, -40, 0 }, { static = true })
      s:insertPolygon({ 40, 30, 0, 0, 40, 0 }, { static = true })
      local box = s:insert({ -2, 10, 4, 4 })
      local place, rows = s:move(box, { -2, -10 })
      nearPlace({ -2, 1.5 }, place)
      assert.equal(2, #rows)
      assert.same({}, s:queryBox(box))
      place = s:move(box, { 3, -10 })
      nearPlace({ -2, 1.5 }, place)
    end)
  end)

  it("rests on it, and touches it with its lower side", function()
    scene.eachOf(2, function(s)
      local box, slope = boxAndSlope(s)
      s:update(box, { 0, 20 })
      local place = s:move(box, { 0, -20 }, { touch = 1 })
      nearPlace({ 0, 3 }, place)
      assert.equal(slope, s:touching(box, { 0, -1 }))
      assert.is_nil(s:touching(box, { 0, 1 }))
      assert.is_nil(s:touching(box, { -1, 0 }))
      assert.is_nil(s:touching(box, { 0, -1 }, slope))
      for _ = 1, 100 do
        nearPlace(place, (s:move(box, { 0, -20 }, { touch = 1 })))
      end
      s:update(box, { 0, 3.001 })
      assert.is_nil(s:touching(box, { 0, -1 }))
    end)
  end)

  -- The unit normal is -0.96, 0.28. The cosine of 60 degrees, 0.5, is between the two.
  it("does not rest with its lower side on what is steeper than 60 degrees", function()
    scene.eachOf(2, function(s)
      local slope = s:insertPolygon({ 0, 0, 14, 0, 14, 48 }, { static = true })
      local box = s:insert({ 3, 100, 4, 4 })
      s:move(box, { 3, 0 }, { touch = 1 })
      near(24, s:getRect(box)[2])
      assert.is_nil(s:touching(box, { 0, -1 }))
      assert.equal(slope, s:touching(box, { 1, 0 }))
    end)
  end)

  -- The unit normal of the slope is -0.6, 0.8: it is solid from above, and from the left.
  it("touches a one-way slope with each side that it stops", function()
    scene.eachOf(2, function(s)
      for _, normal in ipairs({ { 0, 1 }, { -1, 0 }, { 0, -1 }, { 1, 0 } }) do
        local opts = { static = true, oneWay = normal }
        local slope = s:insertPolygon(SLOPE, opts)
        local box = s:insert({ -10, 4, 4, 4 })
        local place, rows = s:move(box, { 20, 4 }, { touch = 1 })
        local stops = normal[1] - normal[2] < 0
        assert.equal(stops and 1 or 0, #rows)
        near(stops and 4 / 3 or 20, place[1])
        assert.equal(stops and slope or nil, s:touching(box, { 1, 0 }))
        assert.equal(stops and slope or nil, s:touching(box, { 0, -1 }))
        slope:remove()
        box:remove()
      end
    end)
  end)

  it("moves itself: a polygon climbs a box's corner", function()
    scene.eachOf(2, function(s)
      local wedge = s:insertPolygon({ 0, 0, -40, 0, -40, 30 })
      local crate = s:insert({ 4, 3, 9, 9 }, { static = true })
      -- Its upper side falls by 3 for each 4 to the right. After 8 it goes through 4, 3.
      local _, rows = s:check(wedge, { -28, 0 }, { touch = 1 })
      expectRows({ { other = crate, t = 2 / 3, place = { -32, 0 }, normal = { -0.6, -0.8 } } },
        rows)
    end)
  end)

  it("passes a one-way slope from below, and lands on it from above", function()
    scene.eachOf(2, function(s)
      local slope = s:insertPolygon(SLOPE, { static = true, oneWay = { 0, 1 } })
      local box = s:insert({ 10, -20, 4, 4 })
      local place, rows = s:move(box, { 10, 40 })
      assert.same({ { 10, 40 }, {} }, { place, rows })
      place, rows = s:move(box, { 10, -20 }, { touch = 1 })
      nearPlace({ 10, 10.5 }, place)
      assert.equal(slope, rows[1].other)
    end)
  end)

  -- A move first looks at the next eight sizes of the box. That part ends within the slope.
  it("ends in a one-way slope that it comes into from below", function()
    scene.eachOf(2, function(s)
      s:insertPolygon(SLOPE, { static = true, oneWay = { 0, 1 } })
      local box = s:insert({ 30, -20, 4, 4 })
      local place, rows = s:move(box, { 30, 14 })
      assert.same({ { 30, 14 }, {} }, { place, rows })
    end)
  end)

  -- The cosines of the two are 0.6 and 0.28; that of 60 degrees is 0.5.
  it("lands on a one-way slope that is not too steep, and passes others", function()
    scene.eachOf(2, function(s)
      local box = s:insert({ 0, 0, 4, 4 })
      for rise, y in pairs({ [40] = 16, [24 / 7 * 30] = -90 }) do
        local slope = s:insertPolygon({ 0, 0, 30, 0, 30, rise }, { oneWay = { 0, 1 } })
        s:update(box, { 8, 200 })
        near(y, (s:move(box, { 8, -90 }, { touch = 1 }))[2])
        slope:remove()
      end
    end)
  end)
end)

describe("a long edge that leans by little", function()
  -- Its normal is that of an upright side, but for rounding.
  local HIGH, LEAN = 3e9, 1.2

  local function edgeAt(y) return 2 - LEAN * y / HIGH end

  it("stops what meets it where it is there", function()
    scene.eachOf(2, function(s)
      s:insertPolygon({ 0, 0, 2, 0, 2 - LEAN, HIGH, 0, HIGH }, { static = true })
      for _, y in ipairs({ 3e8, 1.5e9, 2.9e9 }) do
        local rounding = HIGH * 2 ^ -38 -- BS_AROUND
        local box = s:insert({ 30, y, 10, 10 })
        local ball = s:insertCircle({ 60, y }, 5)
        local diamond = s:insertPolygon({ 90, y, 95, y - 5, 100, y, 95, y + 5 })
        local function expectEdge(mover)
          local at = s:getRect(mover)
          local x = s:move(mover, { -30, at[2] })[1]
          assert.is_true(math.abs(x - edgeAt(y)) <= rounding, ("%g, %g"):format(x, edgeAt(y)))
          assert.same({}, s:queryBox(mover))
          mover:remove()
        end
        expectEdge(box)
        expectEdge(ball)
        expectEdge(diamond)
      end
    end)
  end)

  it("is upright where only the rounding of a quarter turn makes it lean", function()
    local world = broadside.newWorld()
    local tiny = 20 * math.cos(math.pi / 2) -- 1e-15
    world:insertPolygon({ 0, 0, tiny, -20, 20 + tiny, -20 + tiny, 20, tiny }, { static = true })
    assert.equal(-10, (world:move(world:insertCircle(-6, -10, 5), 6, -15)))
  end)
end)

describe("places", function()
  it("canFit sees the shape, of that size", function()
    scene.each(function(s)
      local ball = s:insertCircle({ 0, 0 }, 5)
      local box = s:insert({ 3.6, 3.6, 9, 9 })
      local function fits(r)
        local free, other = s:canFit(ball, r)
        assert.is_true(free or rawequal(other, box))
        return free
      end
      assert.is_true(fits({ -5, -5 })) -- 5.09 away
      assert.is_false(fits({ -4.8, -4.8 }))
      if s.dim == 2 then
        assert.is_true(fits({ -5, -5, 10, 10 }))
        assert.is_false(fits({ -5, -5, 11, 11 }))
        expect.badArgument(5, "canFit", "equal sizes", s.world.canFit, s.world, ball, 0, 0, 9, 8)
      end
    end)
    scene.eachOf(2, function(s)
      local slope, box = s:insertPolygon(SLOPE), s:insert({ 0, 9, 4, 4 })
      assert.is_true((s:canFit(box, { 0, 3.125 })))
      local free, other = s:canFit(box, { 0, 2.875 })
      assert.is_false(free)
      assert.is_true(rawequal(slope, other))
      assert.is_true((s:canFit(slope, { 0, 0, 40, 9 }))) -- it would be as flat
    end)
  end)

  -- Of equal pushes it takes that along the lower axis, and there the negative one, as boxes do.
  it("resolve parts a circle from where its centre is in the middle", function()
    for dim = 2, 3 do
      local world = broadside.newWorld({ dim = dim })
      local function resolved(centre)
        local ball = world:insertCircle(compat.values({ compat.unpack(centre, 1, dim) }, 1))
        local got = { world:resolve(ball) }
        ball:remove()
        return { got[1], got[2], got[dim + 1] }
      end
      local function insert(x, y, w, h)
        return world:insert(compat.unpack(dim == 2 and { x, y, w, h } or { x, y, -50, w, h, 100 }))
      end
      local box = insert(0, 0, 10, 10)
      assert.same({ -6, 0, 1 }, resolved({ 5, 5, 0 })) -- all four sides are as far
      assert.same({ 5.5, 0, 1 }, resolved({ 5.5, 5, 0 }))
      assert.same({ -5.5, 0, 1 }, resolved({ 4.5, 5, 0 }))
      assert.same({ 0, -5.5, 1 }, resolved({ 5, 4.5, 0 }))
      assert.same({ 0, 5.5, 1 }, resolved({ 5, 5.5, 0 }))
      assert.same({ -5.5, 0, 1 }, resolved({ 4.5, 4.5, 0 }))
      box:remove()
      box = insert(0, 2, 10, 6)
      assert.same({ 0, -4, 1 }, resolved({ 5, 5, 0 })) -- up and down are as far
      assert.same({ 0, 3.5, 1 }, resolved({ 5, 5.5, 0 }))
      box:remove()
      world:insertCircle(compat.values({ compat.unpack({ 5, 5, 0 }, 1, dim) }, 2))
      assert.same({ -3, 0, 1 }, resolved({ 5, 5, 0 })) -- any way is
    end
  end)

  it("resolve pushes out by the least push", function()
    scene.each(function(s)
      local ball, wall = s:insertCircle({ 0, 0 }, 5), s:insert({ 4, -10, 20, 20 })
      local push, n = s:resolve(ball)
      nearPlace({ -1, 0 }, push)
      assert.equal(1, n)
      assert.same({}, s:queryBox(ball))
      wall:remove()
      ball:setShape("circle", 3)
      s:update(ball, { -3, -3 })
      s:insertCircle({ 3, 4 }, 3)
      push = s:resolve(ball)
      nearPlace({ -0.6, -0.8 }, push)
      assert.same({}, s:queryBox(ball))
      s.world:clear()
      ball = s:insertCircle({ 4, 4 }, 5)
      s:insert({ -50, -50, 100, 50 })
      s:insert({ -50, -50, 50, 100 })
      push, n = s:resolve(ball)
      nearPlace({ 1, 1 }, push)
      assert.equal(2, n)
    end)
    scene.eachOf(2, function(s)
      local box = s:insert({ 1.5, 1.5, 3, 3 })
      s:insertPolygon({ 0, 0, 4, 0, 0, 4 })
      local push = s:resolve(box)
      nearPlace({ 0.5, 0.5 }, push)
      assert.same({}, s:queryBox(box))
      push = s:resolve(box)
      assert.same({ 0, 0 }, push)
    end)
  end)
end)

describe("step with shapes", function()
  local function stepped(s, response, velocity, opts)
    opts = opts or {}
    opts.response, opts.v = response, { 12, 0 }
    local box = s:insert({ -4, 3, 4, 4 }, opts)
    local slope = s:insertPolygon(SLOPE, { static = true })
    s.world:step(1)
    nearPlace(velocity, s:getVelocity(box))
    local hits = s:hits()
    assert.equal(1, #hits)
    assert.is_true(rawequal(box, hits[1][1]) and rawequal(slope, hits[1][2]))
    assert.equal(response, hits[1][3])
    near(1 / 3, hits[1][4])
    nearPlace({ -0.6, 0.8 }, hits[1][5])
    local rect = s:getRect(box)
    box:remove()
    slope:remove()
    return rect
  end

  it("changes velocities along the true normal", function()
    scene.eachOf(2, function(s)
      nearPlace({ 5.12, 6.84 }, stepped(s, "slide", { 7.68, 5.76 })) -- 12 along it are 9.6
      nearPlace({ 0, 3 }, stepped(s, "touch", { 0, 0 }))
      nearPlace({ 2.24, 10.68 }, stepped(s, "bounce", { 3.36, 11.52 }))
      nearPlace({ 3.68, 8.76 }, stepped(s, "bounce", { 5.52, 8.64 }, { bounce = 0.5 }))
      nearPlace({ 8, 3 }, stepped(s, "cross", { 12, 0 }))
    end)
  end)

  -- The first normal is -0.6, -0.8. Of the velocity 14, 0 the part across it is left: 8.96, -6.72.
  -- So it goes 2, and then 12/14 of that.
  it("sends a ball off another one straight on, as its velocity says", function()
    scene.each(function(s)
      s:insertCircle({ 5, 4 }, 3, { static = true })
      local ball = s:insertCircle({ 0, 0 }, 2, { response = "slide", v = { 14, 0 } })
      s.world:step(1)
      nearPlace({ 8.96, -6.72 }, s:getVelocity(ball))
      nearPlace({ 9.68 - 2, -5.76 - 2 }, s:getRect(ball))
    end)
  end)

  it("lets a ball come to rest on the floor, and roll off nothing", function()
    scene.each(function(s)
      s:setGravity({ 0, -10 })
      s:insert({ -50, -5, 100, 5 }, { static = true })
      local ball = s:insertCircle({ 0, 20 }, 1, { response = "bounce", bounce = 0.5 })
      for _ = 1, 600 do
        s.world:step(1 / 60)
      end
      nearPlace({ -1, 0 }, s:getRect(ball))
      nearPlace({ 0, 0 }, s:getVelocity(ball))
      local rest = s:getRect(ball)
      for _ = 1, 60 do
        s.world:step(1 / 60)
      end
      assert.same(rest, s:getRect(ball))
    end)
  end)

  it("lets a ball run down a slope and off its end", function()
    scene.eachOf(2, function(s)
      s:setGravity({ 0, -10 })
      s:insertPolygon(SLOPE, { static = true })
      s:insert({ -500, -5, 500, 5 }, { static = true })
      local ball = s:insertCircle({ 30, 30 }, 1, { response = "slide" })
      local last = 31
      for _ = 1, 600 do
        s.world:step(1 / 60)
        local x = s:getRect(ball)[1]
        assert.is_true(x <= last)
        assert.same({}, s:queryBox(ball))
        last = x
      end
      assert.is_true(last < -10)
      near(0, s:getRect(ball)[2])
    end)
  end)
end)

describe("a slide nearly straight into a side", function()
  it("goes along it by the little that is left", function()
    scene.eachOf(2, function(s)
      -- The right side of the first one leans by 9e-5. A corner of the other one meets it.
      local box = s:insertPolygon({
        -8.9660214979372164, -3.2641272762271756, -8.5601470884859587, -2.6534699414805711,
        -7.9683229784446539, -2.9091821844690662, -7.9683903264950837, -3.6416387947481774,
        -8.2362666395075035, -3.8823604123872917, -8.6596945180480276, -3.8533479738495897,
      })
      s:insertPolygon({
        -3.2437797810364173, -2.7252423589728116, -3.3343005614863914, -2.9278993612537603,
        -3.357927765563836, -3.0680986065105693, -3.325475520495357, -3.418997981984651,
      })
      local at = s:getRect(box)
      local place, rows = s:move(box, { 8.8488101237376391, at[2] })
      assert.equal(1, #rows)
      local n, left = rows[1].normal, 8.8488101237376391 - rows[1].place[1]
      assert.is_true(left > 13 and n[1] < -0.99 and n[2] > 9e-5)
      near(at[2] - left * n[1] * n[2], place[2]) -- by 0.0012
    end)
  end)
end)

describe("the only shape among boxes", function()
  -- A ball within 0 and 20 on both axes, a small box in a corner of its rect, and one in it.
  local function each(f)
    for _, backend in ipairs(scene.backends) do
      local world = broadside.newWorld({ backend = backend })
      for i = 1, 30 do
        world:insert(0, 50 + 5 * i, 2, 2)
      end
      local ball = world:insertCircle(10, 10, 10)
      f(world, ball, world:insert(0, 0, 2, 2), world:insert(9, 9, 2, 2))
    end
  end

  it("is met where it is round, and is in nobody's way in the corners of its rect", function()
    each(function(world, ball, corner)
      for _, goal in ipairs({ { 0.3, 0.3 }, { 0.5, -5 }, { -5, 0 }, { -10, 0 } }) do
        local x, y, rows = world:move(corner, goal[1], goal[2])
        assert.same({ goal, 0 }, { { x, y }, #rows })
      end
      local x, y, rows = world:move(corner, 10, 0, { touch = -1 })
      near(2, x) -- its upper right corner, at 4, 2, is 10 from the middle
      assert.equal(0, y)
      assert.equal(1, #rows)
      assert.equal(ball, rows[1].other)
      near(-0.6, rows[1].nx)
      near(-0.8, rows[1].ny)
    end)
  end)

  it("moves by its own shape", function()
    each(function(world, ball, corner, inner)
      inner:remove()
      local x, y = world:move(ball, 10, 9) -- its rect is, from here, at 0, -1
      assert.same({ 0, 0 }, { x - 10, y - 9 })
      assert.same({ 0, 0, 2, 2 }, { corner:getRect() })
    end)
  end)

  it("is in contact, and pushes out, where it is round", function()
    each(function(world, ball, corner, inner)
      local contacts = world:newContacts()
      assert.same({ "begin", ball, inner }, (contacts:collect()))
      local asked = {}
      local function ask(other)
        asked[#asked + 1] = other
        return true
      end
      assert.same({ 0, 0, 0 }, { world:resolve(corner, ask) })
      assert.same({}, asked)
      local _, _, n = world:resolve(inner, ask)
      assert.same({ 1, { ball } }, { n, asked })
    end)
  end)
end)
