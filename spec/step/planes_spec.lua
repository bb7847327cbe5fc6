-- Who presses on whom, who meets, and who only passes by: by hand.

local broadside = require("broadside")

local function near(expected, got)
  assert.is_true(math.abs(expected - got) <= 1e-9, expected .. " expected, got " .. got)
end

describe("a body that falls beside another one", function()
  it("is not held by it if it has passed it before it comes so low", function()
    for _, mass in ipairs({ 1, math.huge }) do
      local world = broadside.newWorld({ gravity = { 0, 10 } })
      local a = world:insert(0, 0, 10, 10, { response = "slide", vx = 100 })
      world:insert(0, 12, 10, 10, { response = "slide", mass = mass, gravityScale = 0 })
      world:step(1) -- It is 2 lower after a fifth of that, and 20 farther.
      local x, y = a:getRect()
      near(100, x)
      near(10, y)
    end
  end)
end)

describe("a one-way box that flies", function()
  it("lets through who meets another side of it, from wherever", function()
    for _, sign in ipairs({ -1, 1 }) do
      for _, flies in ipairs({ false, true }) do
        local world = broadside.newWorld()
        local body = world:insert(0, 0, 10, 10,
          { response = "slide", vx = flies and 0 or 60 * sign })
        world:insert(30 * sign, -5, 10, 20, { oneWay = { 0, -1 }, vx = flies and -60 * sign or 0 })
        world:step(1)
        near(flies and 0 or 60 * sign, (body:getRect()))
        near(flies and 0 or 60 * sign, (body:getVelocity()))
        local n = 0
        for _ in world:hits() do n = n + 1 end
        assert.equal(0, n)
      end
    end
  end)
end)

describe("one body among many boxes that fly", function()
  it("meets them, whether they were inserted before it or after", function()
    for _, before in ipairs({ true, false }) do
      local world = broadside.newWorld()
      local function fly(i)
        world:insert(1000 * i, 0, 10, 10, { vx = 1 })
      end
      if before then
        for i = 0, 40 do fly(i) end
      end
      local body = world:insert(-30, 0, 10, 10, { response = "slide", vx = 60 })
      if not before then
        for i = 0, 40 do fly(i) end
      end
      world:step(1)
      near(-9, (body:getRect()))
      near(1, (body:getVelocity()))
    end
  end)
end)

describe("what a body would have met later", function()
  it("is not told if another body turns it back before", function()
    for _, order in ipairs({ 1, 2 }) do
      local world, opts, ball = broadside.newWorld(), { response = "bounce", bounce = 1 }, {}
      local wall = world:insert(50, 0, 10, 10, { static = true })
      for i = 1, 2 do
        local isLeft = i == order
        opts.vx = isLeft and 60 or -60
        ball[isLeft and "left" or "right"] = world:insert(isLeft and 0 or 20, 0, 10, 10, opts)
      end
      world:step(1) -- They meet at a twelfth of it.
      local met = {}
      for box, other in world:hits() do
        met[#met + 1] = (box == ball.left or other == ball.left) and "left" or "right"
        assert.is_true(#met == 1 or other == wall)
      end
      assert.same({ "left", "right" }, met)
      near(-50, (ball.left:getRect()))
    end
  end)
end)

describe("a ball that rolls under another one", function()
  it("goes straight on, however near they are before it is past", function()
    for _, order in ipairs({ 1, 2 }) do
      local world, ball = broadside.newWorld({ gravity = { 0, 600 } }), nil
      world:insert(-100, 5, 1000, 10, { static = true })
      for i = 1, 2 do
        if i == order then
          ball = world:insertCircle(0, 0, 5, { response = "slide", vx = 600 })
        else
          world:insertCircle(97, -10.25, 5, { response = "slide", gravityScale = 0 })
        end
      end
      for i = 1, 30 do -- It is at 90, and a quarter below the other one it is past.
        world:step(1 / 60)
        near(10 * i, (ball:getCenter()))
        near(600, (ball:getVelocity()))
      end
    end
  end)
end)

describe("a body that comes down slowly on one that rests", function()
  it("does not bounce: forces of two steps press it as fast", function()
    for _, order in ipairs({ 1, 2 }) do
      for _, speed in ipairs({ 5, 15 }) do
        local world, lower, upper = broadside.newWorld({ gravity = { 0, 600 } }), nil, nil
        world:insert(-100, 10, 1000, 10, { static = true })
        for i = 1, 2 do
          if i == order then
            lower = world:insert(0, 0, 10, 10, { response = "bounce", bounce = 0.5 })
          else
            upper = world:insert(0, -200, 10, 10, { response = "bounce", bounce = 0.5,
              gravityScale = 0 })
          end
        end
        world:step(1 / 60)
        upper:setRect(0, -10)
        upper:setGravityScale(1)
        upper:setVelocity(0, speed)
        world:step(1 / 60) -- Gravity adds 10: 20 is the most that only presses.
        local _, vy = upper:getVelocity()
        assert.equal(speed == 15, vy < 0)
        near(0, (select(2, lower:getRect())))
      end
    end
  end)
end)

describe("a body of infinite mass that a slope stops on a floor", function()
  it("tells of the floor, which it has not come to, an impulse of 0", function()
    local world = broadside.newWorld()
    local slope = world:insertPolygon({ 25, 5, 35, 5, 35, 15 }, { static = true })
    world:insert(20, 10, 10, 10, { mass = math.huge, response = "touch", vx = 60 })
    local floor = world:insert(15, 20, 10, 10, { static = true })
    world:step(1 / 60)
    local impulses = {}
    for _, other, _, _, _, _, speed, impulse in world:hits() do
      impulses[other] = { speed > 0, impulse }
    end
    assert.same({ [slope] = { true, math.huge }, [floor] = { false, 0 } }, impulses)
  end)
end)

-- Forces press it onto the floor, in which the corner of the next tile is.
describe("a body that another one pushes along a floor of tiles", function()
  local KINDS = {
    box = function(world, opts) return world:insert(0, -1.25, 1.25, 1.25, opts) end,
    circle = function(world, opts) return world:insertCircle(0.625, -0.625, 0.625, opts) end,
    polygon = function(world, opts)
      return world:insertPolygon({ 0, -1, 1, -1.75, 2, -0.75, 1, 0 }, opts)
    end,
  }

  -- Where it is after each step.
  local function places(kind, speed, edges)
    local world, list = broadside.newWorld({ gravity = { 0, 300 } }), {}
    for i = 2, #edges do
      world:insert(edges[i - 1], 0, edges[i] - edges[i - 1], 4, { static = true })
    end
    world:insert(-5.5, -1.75, 0.5, 1.75, { response = "slide", vx = speed })
    local body = KINDS[kind](world, { response = "slide", vx = 5 })
    for _ = 1, 60 do
      world:step(1 / 30)
      local x, y = body:getRect()
      list[#list + 1] = x
      list[#list + 1] = y
    end
    return list
  end

  it("goes the way that it goes on one box", function()
    for kind in pairs(KINDS) do
      for _, speed in ipairs({ 79.75, 57.703125, 34.375 }) do
        local wanted = places(kind, speed, { -64, 128 })
        for _, edge in ipairs({ 8.421875, 10.03125, 5.5, 9.3 }) do
          local got = places(kind, speed, { -64, 1, edge, edge + 1.5, 40, 128 })
          for i = 1, #wanted do
            near(wanted[i], got[i])
          end
        end
      end
    end
  end)

  it("does so in 3D, over the corners of four tiles", function()
    for _, z in ipairs({ -2, -0.3, 0 }) do
      local ends = {}
      for _, edges in ipairs({ { -64, 128 }, { -64, 3.5, 9.3, 128 } }) do
        local world = broadside.newWorld({ dim = 3, gravity = { 0, 300, 0 } })
        for i = 2, #edges do
          for k = 2, #edges do
            world:insert(edges[i - 1], 0, edges[k - 1] - 9.3, edges[i] - edges[i - 1], 4,
              edges[k] - edges[k - 1], { static = true })
          end
        end
        world:insert(-5.5, -2, z - 1, 0.5, 2, 2, { response = "slide", vx = 50 })
        local ball = world:insertCircle(1, -1, z, 1, { response = "slide" })
        for _ = 1, 20 do
          world:step(1 / 30)
        end
        ends[#ends + 1] = { ball:getCenter() }
      end
      for k = 1, 3 do
        near(ends[1][k], ends[2][k])
      end
    end
  end)
end)

describe("a crate that lands on others", function()
  -- Drops it on a tower of so many, and returns its velocity after the step in which it lands, and
  -- the speed and the impulse of that.
  local function land(count, friction, kind)
    local world = broadside.newWorld({ gravity = { 0, 873.7 } })
    world:insert(-100, 0, 200, 10, { static = true, friction = friction })
    for i = 1, count do
      world:insert(-10.3, -20.9 * i, 20.7, 20.9, { response = "slide", mass = 1.3 })
    end
    local top = kind == "ball" and
      world:insertCircle(0.3, -20.9 * count - 63.7, 9.1, { response = "slide", mass = 2.1 }) or
      world:insert(-7.1, -20.9 * count - 73.7, 20.3, 20.1, { response = "slide", mass = 2.1 })
    for _ = 1, 60 do
      world:step(1 / 60)
      for box, other, _, _, _, _, speed, impulse in world:hits() do
        if (box == top or other == top) and speed > 100 then
          return select(2, top:getVelocity()), speed, impulse
        end
      end
    end
  end

  it("stops in that step, and its impulse is told whole", function()
    for count = 1, 4 do
      for _, kind in ipairs({ "box", "ball" }) do
        local vy, speed, impulse = land(count, count % 2 * 0.4, kind)
        near(0, vy)
        near(2.1 * (speed + 873.7 / 60), impulse)
      end
    end
  end)
end)
