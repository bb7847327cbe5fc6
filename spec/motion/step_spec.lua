-- Steps of boxes with a response, and what they meet: world:step, world:hits, box:setResponse.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local random = require("spec.support.random")
local scene = require("spec.support.scene")

describe("a step of a box with a response", function()
  local function moverAndWall(s, opts)
    opts.v = opts.v or { 8, 4 }
    return s:insert({ 0, 0, 2, 2 }, opts), s:insert({ 6, -50, 2, 100 }, { static = true })
  end

  it("goes by the rules of move, and changes the velocity as it does", function()
    scene.each(function(s)
      for response, expected in pairs({
        slide = { { 4, 4 }, { 0, 4 } },
        touch = { { 4, 2 }, { 0, 0 } },
        bounce = { { 2, 4 }, { -4, 4 } },
        cross = { { 8, 4 }, { 8, 4 } },
      }) do
        local mover, wall = moverAndWall(s, { response = response, bounce = 0.5 })
        assert.equal(response, mover:getResponse())
        s.world:step(1)
        assert.same({ expected[1][1], expected[1][2], 2, 2 }, s:getRect(mover))
        assert.same(expected[2], s:getVelocity(mover))
        assert.same({ { mover, wall, response, 0.5, { -1, 0 } } }, s:hits())
        s.world:clear()
        assert.same({}, s:hits())
      end
    end)
  end)

  it("keeps its share of the speed at each bounce", function()
    scene.each(function(s)
      local mover, wall = moverAndWall(s, { response = "bounce", bounce = 0.5, v = { 28, 4 } })
      local other = s:insert({ -6, -50, 2, 100 }, { static = true })
      s.world:step(1)
      -- It goes 4 of 28 to the one wall, 8 of 12 to the other one, and 2 of 2 back.
      assert.same({ -2, 4, 2, 2 }, s:getRect(mover))
      assert.same({ 7, 4 }, s:getVelocity(mover))
      local hits = s:hits()
      assert.equal(2, #hits)
      assert.is_true(hits[1][2] == wall and hits[2][2] == other)
    end)
  end)

  it("falls by acceleration as by gravity, or a share of it, and comes to rest so", function()
    for dim = 2, 3 do
      for _, response in ipairs({ "bounce", "slide", "touch" }) do
        local places = {}
        for i, g in ipairs({ -10, 0, -20 }) do
          local gravity = { 0, g, dim == 3 and 0 or nil }
          local world, list = broadside.newWorld({ dim = dim, gravity = gravity }), {}
          world:insert(compat.values(dim == 2 and { -9, -5, 20, 5 } or { -9, -5, -9, 20, 5, 20 },
            { static = true }))
          local body = world:insert(compat.values(
            dim == 2 and { 0, 1, 1, 1 } or { 0, 1, 0, 1, 1, 1 },
            { response = response, bounce = 0.5, ay = i == 2 and -10 or nil,
              gravityScale = i == 3 and 0.5 or nil }))
          for _ = 1, 200 do
            world:step(1 / 60)
            list[#list + 1] = select(2, body:getRect())
          end
          assert.equal(0, list[#list])
          assert.equal(0, select(2, body:getVelocity()))
          places[i] = list
        end
        assert.same(places[1], places[2])
        assert.same(places[1], places[3])
      end
    end
  end)

  it("meets another one half-way, whatever index it has", function()
    scene.eachBackend(function(s)
      local gone = s:insert({ 90, 0, 1, 1 })
      local first = s:insert({ 0, 0, 1, 1 }, { response = "slide", v = { 6, 0 } })
      gone:remove()
      local second = s:insert({ 10, 0, 1, 1 }, { response = "slide", v = { -6, 0 } })
      s.world:step(1)
      assert.same({ 4.5, 0, 1, 1 }, s:getRect(first))
      assert.same({ 5.5, 0, 1, 1 }, s:getRect(second))
      assert.same({ { first, second, "slide", 0.75, { -1, 0 } } }, s:hits())
    end)
  end)

  -- It goes from -1.5 * 2^971 by the largest double, (2^53 - 1) * 2^971. The goal is rounded to
  -- (2^53 - 2) * 2^971, and the way to there is longer than the largest double.
  it("stays if it comes to a finite place by a way that is not finite", function()
    for axis = 1, 2 do
      local world = broadside.newWorld()
      local place, v = { 0, 0 }, { 0, 0 }
      place[axis], v[axis] = -1.5 * 2 ^ 971, compat.maxDouble
      local box = world:insert(place[1], place[2], 1, 1,
        { vx = v[1], vy = v[2], response = "slide" })
      world:step(1)
      assert.same({ place[1], place[2], 1, 1 }, { box:getRect() })
      assert.same(v, { box:getVelocity() })
    end
  end)

  it("without one flies through all, and meets nothing", function()
    scene.each(function(s)
      local mover = moverAndWall(s, {})
      assert.is_nil(mover:getResponse())
      s.world:step(1)
      assert.same({ 8, 4, 2, 2 }, s:getRect(mover))
      assert.same({}, s:hits())
      mover:setResponse("slide")
      s:update(mover, { 0, 0 })
      s.world:step(1)
      assert.same({ 4, 4, 2, 2 }, s:getRect(mover))
      assert.equal(1, #s:hits())
      mover:setResponse(nil)
      s:setVelocity(mover, { 8, 4 })
      s.world:step(1)
      assert.same({ 12, 8, 2, 2 }, s:getRect(mover))
      assert.same({}, s:hits())
    end)
  end)

  it("meets what it can make a pair with, and a static one does not move", function()
    scene.each(function(s)
      local mover, wall = moverAndWall(s, { response = "slide", layer = 2, mask = 1 })
      local function ends()
        s:update(mover, { 0, 0 })
        s:setVelocity(mover, { 8, 0 })
        s.world:step(1)
        return s:getRect(mover)[1]
      end
      assert.equal(4, ends())
      wall:setFilter(1, 1)
      assert.equal(8, ends())
      wall:setFilter(4, 2)
      assert.equal(8, ends())
      wall:setFilter(5, 2)
      assert.equal(4, ends())
      wall:setStatic(false)
      assert.equal(4, ends())
      mover:setStatic(true)
      assert.equal(0, ends())
    end)
  end)

  it("is pushed by what flies, and pushes what is in its way", function()
    scene.each(function(s)
      local a = s:insert({ 0, 0, 2, 2 }, { response = "slide", v = { 4, 0 } })
      local b = s:insert({ 2, 0, 2, 2 }, { response = "slide", v = { 4, 0 } })
      local wall = s:insert({ -8, 0, 2, 2 }, { v = { 14, 0 } })
      s.world:step(1)
      assert.same({ 6, 0, 2, 2 }, s:getRect(wall))
      assert.same({ 8, 0, 2, 2 }, s:getRect(a))
      assert.same({ 10, 0, 2, 2 }, s:getRect(b))
      assert.same({
        { a, wall, "slide", 0.6, { 1, 0 } }, { a, b, "slide", 0.6, { -1, 0 } },
      }, s:hits())
    end)
  end)

  -- At the floor it is faster than in the middle of the step, and it leaves the floor as fast.
  it("meets what a bounce leads to that is farther away than it wanted to go", function()
    scene.each(function(s)
      s:setGravity({ 0, 8 })
      local floor = s:insert({ 0, 0, 4, 4 }, { static = true })
      local top = s:insert({ 0, 8.75, 4, 4 }, { static = true })
      local body = s:insert({ 1, 4, 2, 2 }, { response = "bounce", v = { 0, -12 } })
      s.world:step(0.25)
      assert.same({
        { body, floor, "bounce", 0, { 0, 1 } }, { body, top, "bounce", 2.75 / 3, { 0, -1 } },
      }, s:hits())
      assert.is_true(s:getRect(body)[2] < 6.75)
    end)
  end)

  it("shares the room with one that comes as fast", function()
    scene.each(function(s)
      local first = s:insert({ 0, 0, 2, 2 }, { response = "slide", v = { 8, 0 } })
      local second = s:insert({ 6, 0, 2, 2 }, { response = "slide", v = { -8, 0 } })
      s.world:step(1)
      assert.same({ 2, 0, 2, 2 }, s:getRect(first))
      assert.same({ 4, 0, 2, 2 }, s:getRect(second))
      assert.same({ { first, second, "slide", 0.25, { -1, 0 } } }, s:hits())
    end)
  end)

  -- A step of 0.5 gains a speed of 4. A body that meets the floor at 8, with that, only slides.
  it("does not bounce at twice the speed that a step gains, but does at more", function()
    scene.each(function(s)
      s:setGravity({ 0, -8 })
      s:insert({ 0, 0, 20, 4 }, { static = true })
      for speed, response in pairs({ [4] = "slide", [4.25] = "bounce" }) do
        local body = s:insert({ 1, 4, 2, 2 }, { response = "bounce", v = { 0, -speed } })
        s.world:step(0.5)
        assert.equal(response, s:hits()[1][3])
        assert.equal(response == "bounce", s:getVelocity(body)[2] > 0)
        body:remove()
      end
    end)
  end)

  -- A static box may have a velocity, but it does not move ahead by that.
  it("is stopped also by a touch that is no deeper than rounding", function()
    scene.each(function(s)
      for _, opts in ipairs({ {}, { static = true, v = { 1, 0 } } }) do
        local body = s:insert({ 0, 0, 2, 2 }, { response = "slide", v = { 2 ^ -50, 0 } })
        local other = s:insert({ 2, 0, 2, 2 }, opts)
        s.world:step(1)
        assert.same({ { body, other, "slide", 0, { -1, 0 } } }, s:hits())
        assert.same({ 0, 0 }, s:getVelocity(body))
        s.world:clear()
      end
    end)
  end)

  it("waits for nothing that it leaves", function()
    scene.each(function(s)
      local a = s:insert({ 0, 0, 2, 2 }, { response = "cross", v = { -4, 0 } })
      local b = s:insert({ 1.5, 0, 2, 2 }, { response = "cross", v = { 4, 0 } })
      s.world:step(1)
      assert.same({ { a, b, "cross", 0, { -1, 0 } } }, s:hits())
    end)
  end)

  it("rests on the floor without speed, and falls off its edge", function()
    scene.each(function(s)
      s:setGravity({ 0, -8 })
      local floor = s:insert({ 0, -2, 20, 2 }, { static = true })
      local body = s:insert({ 2, 3, 2, 2 }, { response = "slide", v = { 1, 0 } })
      for frame = 1, 60 do
        s.world:step(0.25)
        local rect, v = s:getRect(body), s:getVelocity(body)
        assert(rect[1] == 2 + frame * 0.25 and v[1] == 1)
        if frame >= 5 and rect[1] < 20 then
          assert(rect[2] == 0 and v[2] == 0 and s:touching(body, { 0, -1 }) == floor)
        end
      end
      for _ = 1, 20 do
        s.world:step(0.25)
      end
      assert.is_true(s:getRect(body)[2] < -10)
      assert.is_true(s:getVelocity(body)[2] < -8)
    end)
  end)

  it("leaves it where it is when its place would not be finite", function()
    scene.each(function(s)
      local body = s:insert({ -1e308, 0, 2, 2 }, { response = "slide", v = { 1.7e308, 5 } })
      for _, v in ipairs({ { 1.7e308, 5 }, { -1.7e308, 5 } }) do
        s:setVelocity(body, v)
        s.world:step(2)
        assert.equal(-1e308, s:getRect(body)[1])
        assert.same(v, s:getVelocity(body))
      end
      s:setVelocity(body, { 1.7e308, 5 })
      s.world:step(1)
      assert.equal(1.7e308 - 1e308, s:getRect(body)[1])
    end)
  end)

  it("leaves it without speed when a bounce would make that infinite", function()
    scene.each(function(s)
      s:insert({ -1e300, 1.4e308, 2e300, 1e307 }, { static = true })
      local body = s:insert({ 0, 0, 1e290, 1e290 },
        { response = "bounce", bounce = 1, v = { 0, 0.8e308 } })
      s:setGravity({ 0, 0.7e308 })
      s.world:step(1)
      assert.same({ 0, 0 }, s:getVelocity(body))
      s.world:restore(s.world:snapshot():getString()) -- numbers that a world can hold
    end)
  end)
end)

describe("hits", function()
  it("are those of the last step, as they are when the loop begins", function()
    scene.eachBackend(function(s)
      s:insert({ 10, -50, 2, 100 }, { static = true })
      local boxes = {}
      for i = 1, 3 do
        boxes[i] = s:insert({ 0, 4 * i, 2, 2 }, { response = "bounce", v = { 9, 0 } })
      end
      s.world:step(1)
      local seen = {}
      for box in s.world:hits() do
        seen[#seen + 1] = box
        if box == boxes[1] then
          boxes[2]:remove() -- is passed over
          s.world:step(0)
        end
      end
      assert.same({ boxes[1], boxes[3] }, seen)
      assert.same({}, s:hits())
    end)
  end)
end)

-- A room with so many boxes, none of which overlaps another one.
local function newRoom(dim, backend, count, side, seed)
  local gravity = dim == 2 and { 0, 300 } or { 0, 300, 0 }
  local world = broadside.newWorld({ dim = dim, backend = backend, gravity = gravity })
  local rng, boxes = random.new(seed), {}
  local function insert(lo, size, opts)
    return world:insert(compat.values(compat.concat(lo, size), opts))
  end
  for axis = 1, dim do
    for _, at in ipairs({ -20, side }) do
      local lo, size = {}, {}
      for k = 1, dim do
        lo[k], size[k] = k == axis and at or -20, k == axis and 20 or side + 40
      end
      insert(lo, size, { static = true })
    end
  end
  while #boxes < count do
    local lo, size = {}, {}
    for k = 1, dim do
      lo[k], size[k] = rng:real(0, side - 10), rng:real(2, 9)
    end
    local _, n = world:queryRect(compat.unpack(compat.concat(lo, size)))
    if n == 0 then
      boxes[#boxes + 1] = insert(lo, size, {
        response = rng:pick({ "slide", "bounce", "bounce", "touch" }), bounce = rng:unit(),
        static = rng:chance(0.1), vx = rng:real(-900, 900), vy = rng:real(-900, 900),
      })
    end
  end
  return world, boxes
end

describe("hundreds of boxes with responses", function()
  for dim = 2, 3 do
    it(("never overlap in any frame, and all back ends agree, in %dD"):format(dim), function()
      local expected
      for _, backend in ipairs(scene.backends) do
        local world, boxes = newRoom(dim, backend, 200, dim == 2 and 300 or 100, 31)
        for _ = 1, compat.rounds(60) do
          world:step(1 / 60)
          assert(world:countPairs() == 0, "an overlap")
        end
        local told = {}
        for _, box in ipairs(boxes) do
          told[#told + 1] = table.concat({ box:getRect() }, " ")
          for k, value in ipairs({ box:getRect() }) do
            assert(value >= 0 and (k > dim or value <= 300), "outside")
          end
        end
        for box, other, response, t in world:hits() do
          told[#told + 1] = ("%s %s %s %.17g"):format(
            tostring(box), tostring(other), response, t)
        end
        told = table.concat(told, "\n")
        expected = expected or told
        assert.equal(expected, told)
      end
    end)
  end
end)

describe("a step with sensors", function()
  it("tells what is crossed, and stops at all else", function()
    scene.each(function(s)
      for _, response in ipairs({ "slide", "touch", "bounce", "cross" }) do
        s.world:clear()
        local mover = s:insert({ 0, 0, 2, 2 }, { response = response, bounce = 0.5, v = { 8, 4 } })
        local trigger = s:insert({ 4, -50, 1, 100 }, { static = true, sensor = true })
        s.world:step(1)
        assert.same({ 8, 4, 2, 2 }, s:getRect(mover))
        assert.same({ 8, 4 }, s:getVelocity(mover))
        assert.same({ { mover, trigger, "cross", 0.25, { -1, 0 } } }, s:hits())
      end
    end)
  end)

  it("lets a sensor through all that it meets", function()
    scene.each(function(s)
      local mover = s:insert({ 0, 0, 2, 2 }, { response = "slide", v = { 8, 4 }, sensor = true })
      local wall = s:insert({ 4, -50, 1, 100 }, { static = true })
      s.world:step(1)
      assert.same({ 8, 4, 2, 2 }, s:getRect(mover))
      assert.same({ { mover, wall, "cross", 0.25, { -1, 0 } } }, s:hits())
    end)
  end)
end)

describe("a gravity scale", function()
  it("is how many times gravity acts, and its own acceleration once", function()
    scene.each(function(s)
      s:setGravity({ 2, -8 })
      for scale, expected in pairs({ [0] = { 1, 3 }, [0.5] = { 2, -1 }, [1] = { 3, -5 },
        [-2] = { -3, 19 } }) do
        for _, response in ipairs({ false, "slide" }) do
          local a = s:vector({ 1, 3 })
          local box = s:insert({ 0, 0, 2, 2 }, { gravityScale = scale, response = response or nil,
            ax = a[1], ay = a[2], az = a[3] })
          assert.equal(scale, box:getGravityScale())
          s.world:step(1)
          assert.same(expected, s:getVelocity(box))
          assert.same({ expected[1], expected[2], 2, 2 }, s:getRect(box))
          box:setGravityScale(1)
          box:setAcceleration(compat.unpack(s:vector({ 0, 0 })))
          s.world:step(1)
          assert.same({ expected[1] + 2, expected[2] - 8 }, s:getVelocity(box))
          box:remove()
        end
      end
    end)
  end)

  it("scales what counts as too slow to bounce", function()
    -- Two steps of gravity gain 20. At a scale of 0.25 that is 5, so a ball of speed 6 bounces.
    scene.each(function(s)
      s:setGravity({ 0, -10 })
      s:insert({ -50, -10, 100, 10 }, { static = true })
      for scale, response in pairs({ [0] = "bounce", [0.25] = "bounce", [1] = "slide" }) do
        local ball = s:insert({ 0, 0, 2, 2 },
          { response = "bounce", gravityScale = scale, v = { 0, -6 } })
        s.world:step(1)
        assert.equal(response, s:hits()[1][3])
        ball:remove()
      end
    end)
  end)

  it("that takes gravity beyond the doubles leaves the box where it is", function()
    local world = broadside.newWorld({ gravity = { 0, 1e300 } })
    for _, response in ipairs({ false, "bounce" }) do
      local box = world:insert(1, 2, 3, 4,
        { gravityScale = 1e300, response = response or nil, vx = 1 })
      for _, dt in ipairs({ 1, 0 }) do
        world:step(dt)
        assert.same({ 1, 2, 3, 4 }, { box:getRect() })
        assert.same({ 1, 0 }, { box:getVelocity() })
      end
      box:remove()
    end
  end)

  it("of 0 still rides on what gravity would press it to", function()
    scene.each(function(s)
      s:setGravity({ 0, -10 })
      local lift = s:insert({ 0, 0, 10, 2 }, { gravityScale = 0 })
      local player = s:insert({ 0, 2, 2, 2 }, { gravityScale = 0 })
      s.world:step(1)
      assert.same({ 0, 2, 2, 2 }, s:getRect(player))
      s:push(lift, { 3, 4 })
      assert.same({ 3, 6, 2, 2 }, s:getRect(player))
    end)
  end)
end)
