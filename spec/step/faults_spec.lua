-- Scenes in which a step once went wrong. Each stands for a kind.

local broadside = require("broadside")
local bodies = require("spec.support.bodies")
local random = require("spec.support.random")

local DT, near = bodies.DT, bodies.near

local function expectApart(world, dt)
  assert.equal(0, world:countPairs())
  world:step(dt or DT)
  assert.equal(0, world:countPairs())
end

describe("nobody ends in another one", function()
  it("if friction turns one that has bounced often enough", function()
    for _, friction in ipairs({ 0, 0.01 }) do
      local world = broadside.newWorld()
      world:insert(-10, -1000, 10, 2000, { static = true, friction = friction })
      world:insert(12, -1000, 10, 2000, { static = true, friction = friction })
      world:insert(4, 0, 4, 4, { response = "bounce", vx = 20000, vy = 12000 })
      world:insert(1, 110, 10, 4, { response = "slide" })
      expectApart(world)
    end
  end)

  it("if a path is cut back to before where it began", function()
    local world = broadside.newWorld({ gravity = { 0, 5000 } })
    world:insert(-50, -50, 50, 400, { static = true })
    world:insert(-50, 300, 400, 50, { static = true })
    world:insert(8.4923796386868009, 281.78021152684641, 8.4306096684098186, 4.3788308418749562,
      { response = "touch" })
    world:insert(18.54662376704659, 278.11599764507702, 7.9650894739418554, 3.0612088215355397,
      { response = "touch", vx = -74.135038838611209 })
    world:insert(20.733281747107203, 281.18861614914647, 5.7784314938812367, 11.618075216882376,
      { response = "bounce", vx = -74.135038838611209 })
    world:insert(26.511713240988446, 279.40257067399881, 10.116032161448999, 6.0763569720857893,
      { friction = 0.20863072044628461, response = "bounce", vx = -74.135038838611209 })
    world:insert(2.5288977490589373, 286.15904236872137, 6.4404909548172569, 9.8984792294283945,
      { response = "slide" })
    world:insert(0, 277.53775291840753, 8.4923796386868009, 8.6212894503138493,
      { response = "slide" })
    world:insert(24.175162613840047, 292.80669136602887, 3.1129013204239326, 6.7130945268322719,
      { response = "slide" })
    expectApart(world, 0.1)
  end)

  it("if a slow polygon pushes a ball that lies at a long wall", function()
    local world = broadside.newWorld()
    world:insert(-50, -50, 50, 400, { static = true })
    world:insertCircle(2.7121094078907095, 1.2601347260928411, 1.2601347260928411,
      { response = "touch" })
    world:insertPolygon({ -4.9233009532447419e-12, 3.279969354151774, 1.0070283636180128,
      -2.7899955685941586e-18, 2.0140567272409493, 3.279969354151774 },
      { response = "slide", vx = -8.3839643048938188e-12 })
    local before = world:countPairs()
    world:step(0.1)
    assert.is_true(world:countPairs() <= before)
  end)

  it("if three fast ones meet among walls and pegs", function()
    local world = broadside.newWorld({ gravity = { 0, 500 } })
    world:insert(-50, -50, 50, 160, { static = true })
    world:insert(-50, -50, 160, 50, { bounce = 1, static = true })
    world:insert(-50, 60, 160, 50, { static = true })
    world:insert(4.7354013994468991, 18.579652547610273, 38.835978399473937, 31.510956729017849,
      { friction = 0.059229035650686823, static = true })
    world:insert(48.46661422569121, 19.126908559937096, 4.2974551403444874, 3.9140313261060022,
      { response = "slide", vx = -42117.667726614629, vy = -72721.159025339774 })
    world:insert(26.97396520337896, 8.4364926770959698, 5.9629323509353327, 4.5691209478753478,
      { response = "slide" })
    world:insert(1.8997976339354072, 16.548430749381552, 2.643440406040066, 5.5896358789404799,
      { response = "bounce", vx = -21216.540364874592, vy = 24257.762936726547 })
    expectApart(world)
  end)

  it("if a ball is wedged between a slope and a peg, and pushed", function()
    local world = broadside.newWorld()
    world:insertPolygon({ -7.74762213457835, -50.93373473954415, 25.356371861087446,
      -46.055197565919258, -6.3427021950243931, -29.990337702314193 }, { static = true })
    world:insertCircle(14.248495072943228, -7.3978265264422589, 16.700975000646409,
      { static = true })
    world:insertCircle(-4.5310600036179789, -22.692821645473281, 7.5190283966442841,
      { response = "slide", vx = 9.9965864121770194e-12, vy = -1.326943076011679e-11,
        friction = 0.1, bounce = 0.9 })
    world:insertPolygon({ -15.82952231328589, -20.237983003294943, -10.327946450559386,
      -15.677229719931526, -15.826677459239724, -11.186916093192263 },
      { response = "bounce", bounce = 0.1, vx = 64.86109722986987, vy = -11.476838777367831 })
    expectApart(world, 1 / 30)
  end)

  it("if two belts take one into a corner, and then another one", function()
    local world = broadside.newWorld()
    world:insert(41, -20, 10, 68, { static = true, vy = 11.8368 })
    world:insert(-20, 28, 81, 10, { static = true, vx = 60.4731 })
    world:insert(37, 25, 4, 3, { response = "touch", mass = 1000, vx = 60.4731 })
    world:insert(32.4367, 25, 2, 3, { response = "touch", mass = 0.01, vx = 60.4731 })
    bodies.stepsApart(world, 60)
  end)

  it("after ways of up to 1e308 in one step", function()
    for e = 0, 140, 20 do
      local world = broadside.newWorld({ gravity = { 0, 1000 } })
      world:insert(-500, 100, 1000, 50, { static = true })
      world:insert(-150, -500, 50, 1000, { static = true })
      world:insert(100, -500, 50, 1000, { static = true })
      world:insert(-2, 5, 2, 1, { bounce = 0.5, mass = 100, maxSpeed = 100, response = "bounce" })
      world:insertCircle(4, -4, 4, { damping = 1, mass = 0.5, response = "slide", vx = -5 })
      expectApart(world, 10 ^ e)
    end
    for _, response in ipairs({ "slide", "bounce", "touch" }) do
      for _, v in ipairs({ 1e100, 1e200, 1e300, 1.7e308 }) do
        for _, dt in ipairs({ 1e-300, 1 / 60, 1 }) do
          local world = broadside.newWorld()
          local a = world:insert(0, 0, 10, 10, { response = response, vx = v })
          local b = world:insert(20, 0, 10, 10, { response = response, mass = 3 })
          world:insert(40, -50, 10, 100, { static = true })
          expectApart(world, dt)
          assert.is_true(a:getRect() + 10 <= b:getRect() and b:getRect() <= 30)
        end
      end
    end
  end)

  it("beside a floor that is much wider than it", function()
    for _, wide in ipairs({ 1e3, 1e6, 1e9, 1e12 }) do
      local world = broadside.newWorld({ gravity = { 0, 600 } })
      world:insert(-wide, 0, 2 * wide, 10, { static = true })
      local ball = world:insertCircle(0, -6, 5, { response = "slide" })
      bodies.steps(world, 300)
      local _, y = ball:getRect()
      near(-10, y, 1e-9, wide .. " wide")
      assert.equal(0, world:countPairs())
    end
  end)

  it("of a crowd that begins in one place any deeper than before", function()
    for _, response in ipairs({ "slide", "bounce", "touch" }) do
      local rng, world = random.new(3), broadside.newWorld()
      for _ = 1, 30 do
        world:insert(rng:real(0, 5), rng:real(0, 5), 10, 10,
          { response = response, vx = rng:real(-50, 50), vy = rng:real(-50, 50) })
      end
      local before = world:countPairs()
      bodies.steps(world, 60, function()
        assert.is_true(world:countPairs() <= before)
        before = world:countPairs()
      end)
    end
  end)
end)

describe("a bumper", function()
  it("whose bounce is what getBounce says is as it was", function()
    local lowest = {}
    for set = 0, 1 do
      local world = broadside.newWorld({ gravity = { 0, 600 } })
      local floor = world:insert(0, 100, 100, 10, { static = true })
      if set == 1 and floor:getBounce() then
        floor:setBounce(floor:getBounce())
      end
      local body = world:insert(10, 0, 10, 10, { response = "slide" })
      bodies.steps(world, 120)
      lowest[set] = select(2, body:getRect())
    end
    assert.equal(90, lowest[0])
    assert.equal(90, lowest[1])
  end)

  it("of bounce 2 between a wall and a slow ball does not make speed without end", function()
    local world = broadside.newWorld()
    world:insert(-150, -150, 50, 300, { static = true, friction = 0.5 })
    world:insert(100, -150, 50, 300, { static = true, friction = 0.5 })
    local list = { world:insert(-100, 84.084928902424608, 12.441789433059945, 5.8187799085655358,
      { response = "bounce", bounce = 2 }),
      world:insertCircle(-80.331522833501481, 82.504828500871824, 7.393941983728868,
        { response = "bounce", vx = -2.2104428997247632, vy = -1.1601012981462213, mass = 10,
          friction = 0.1 }),
      world:insert(76.863773660442263, 66.727527012282295, 11.538015924264045, 7.8246944420732536,
        { response = "bounce", vx = -1.1227685400690122, bounce = 0.1 }) }
    expectApart(world, 0.1)
    local _, energy = bodies.sums(list)
    -- The ball needs 0.098 s to where the bumper lies. In what is left it meets it some times.
    assert.is_true(energy < 1e9, energy)
  end)
end)

describe("in a step of no length, nearly,", function()
  -- Rounding of places must not become velocity: a gap of 1e-12 in 1e-9 s is a speed of 1e-3.
  it("momentum and energy are kept", function()
    for _, dt in ipairs({ 1e-12, 1e-9, 1e-6, 1e-3, DT }) do
      for _, m in ipairs({ 0.01, 1, 10, 100, 1e4, 1e12 }) do
        local world = broadside.newWorld()
        local v = { vx = -3.83e-12, vy = -28.878745848184 }
        local function opts(response, friction)
          return { response = response, friction = friction, vx = v.vx, vy = v.vy }
        end
        local r = 10.676696543673009
        local list = {
          world:insert(81.722753990468, -327.06942863997, 18.226565770565, 20.046957632545,
            opts("slide")),
          world:insert(93.415749191146, -335.86759187546, 19.08370143976, 8.7981632354865,
            opts("touch")),
          world:insertCircle(78.595926673687 + r, -356.38432684645 + r, r, opts("slide", 0.1)),
          world:insert(84.732479994621, -363.29865671921, 15.267520005352, 6.9143298727611,
            { response = "slide", mass = m, vx = -3 }),
        }
        local p, e = bodies.sums(list)
        local before = world:countPairs()
        world:step(dt)
        local q, f = bodies.sums(list)
        local name = ("dt %g, mass %g"):format(dt, m)
        near(p[1], q[1], 1e-12 * (3 * m + 90), name)
        near(p[2], q[2], 1e-12 * (3 * m + 90), name)
        assert.is_true(f <= e * (1 + 1e-12), name .. ": energy")
        assert.is_true(world:countPairs() <= before, name .. ": pairs")
      end
    end
  end)
end)

describe("what falls at once on what has landed in the same step", function()
  it("lies on it in the end, and does not hover", function()
    for _, c in ipairs({ { 1000, 1 / 60, 0.25 }, { 1000, 1 / 60, 0.3 }, { 1000, 1 / 30, 1 },
      { 1000, 1 / 20, 2.4 }, { 1000, 1 / 10, 9 }, { 100, 0.25, 6 }, { 10, 1, 9 },
      { 1000, 1, 500 } }) do
      for _, response in ipairs({ "slide", "bounce", "touch" }) do
        local world = broadside.newWorld({ gravity = { 0, c[1] } })
        world:insert(0, 100, 100, 20, { static = true })
        local low = world:insert(10, 90, 10, 10, { response = response, bounce = 0 })
        local high = world:insert(10, 80 - c[3], 10, 10, { response = response, bounce = 0 })
        bodies.steps(world, 100, nil, c[2])
        assert.equal(90, (select(2, low:getRect())))
        assert.equal(80, (select(2, high:getRect())),
          ("%s, dt %g, gap %g"):format(response, c[2], c[3]))
      end
    end
  end)

  it("also two above a floor, in long steps", function()
    local world = broadside.newWorld({ gravity = { 0, 1000 } })
    world:insert(0, 100, 100, 20, { static = true })
    local a = world:insert(10, 60, 10, 10, { response = "slide" })
    local b = world:insert(10, 30, 10, 10, { response = "slide" })
    bodies.steps(world, 100, nil, 0.5)
    assert.equal(90, (select(2, a:getRect())))
    assert.equal(80, (select(2, b:getRect())))
  end)
end)
