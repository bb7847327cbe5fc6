-- Hand-made cases of touching and canFit, in every symmetry and on every back end.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local random = require("spec.support.random")
local scene = require("spec.support.scene")

local SIDES = { { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 } }

describe("touching", function()
  it("is what rests flush against that side, and nothing else", function()
    scene.each(function(s)
      local box = s:insert({ 0, 0, 4, 4 })
      local right = s:insert({ 4, -3, 2, 4 })
      s:insert({ 4, 4, 2, 2 }) -- at the corner
      s:insert({ -2.5, 0, 2, 4 }) -- near
      s:insert({ 1, -3, 2, 4 }) -- within
      local top = s:insert({ 3, 4, 1, 2 }, { static = true })
      local expected = { right, nil, top, nil }
      for i, side in ipairs(SIDES) do
        assert.equal(expected[i], s:touching(box, side))
        assert.equal(expected[i], s:touching(box, { side[1] * 1e-300, side[2] * 1e300 }))
      end
      assert.equal(box, s:touching(right, { -1, 0 }))
      assert.equal(box, s:touching(top, { 0, -1 }))
    end)
  end)

  -- Far sides are rounded, so a crate may end one double short of the pusher's side.
  it("is told by both of two that have come to rest beside each other, in decimals, too", function()
    local rng = random.new(8)
    for _ = 1, compat.rounds(400) do
      local world = broadside.newWorld()
      local w, size = rng:int(1, 400) / 10, rng:int(1, 400) / 10
      local pusher, x = world:insert(100.1, 0, w, 10), 100.1
      local dx = rng:pick({ -1, 1 })
      local crate = world:insert(dx > 0 and x + w + 0.7 or x - size - 0.7, 2, size, 5)
      world:move(pusher, x + dx * (1 + rng:int(1, 300) / 10), 0, { push = 1 })
      assert.equal(crate, world:touching(pusher, dx, 0))
      assert.equal(pusher, world:touching(crate, -dx, 0))
    end
  end)

  it("is an id where that is asked for, whatever the results", function()
    for _, results in ipairs({ "box", "id", "data" }) do
      local world = broadside.newWorld({ results = results })
      local box = world:insert(0, 0, 4, 4)
      local floor = world:insert(0, 4, 4, 4, { data = "floor" })
      local id = results == "id" and floor or floor:getId()
      assert.equal(id, world:touching(box, 0, 1, nil, true))
      assert.equal(id, world:touching(box, 0, 1, function() return "slide" end, true))
      assert.equal(results == "data" and "floor" or floor, world:touching(box, 0, 1, nil, false))
      assert.is_nil(world:touching(box, 0, -1, nil, true))
    end
  end)

  it("is the box inserted first, of several", function()
    scene.each(function(s)
      local second = s:insert({ 50, 50, 2, 2 })
      local third = s:insert({ 4, 1, 2, 2 })
      local box = s:insert({ 0, 0, 4, 4 })
      local first = s:insert({ 4, 3, 2, 2 })
      assert.equal(third, s:touching(box, { 1, 0 }))
      s:update(second, { 4, -1 })
      assert.equal(second, s:touching(box, { 1, 0 }))
      second:remove()
      third:remove()
      s:insert({ 4, 0, 1, 1 }) -- in the place of a box that was inserted before
      assert.equal(first, s:touching(box, { 1, 0 }))
    end)
  end)

  it("takes filters as move does: what would stop the box", function()
    scene.each(function(s)
      local box = s:insert({ 0, 0, 4, 4 }, { layer = 2, mask = 5 })
      local a = s:insert({ 4, 0, 2, 2 }, { layer = 2 })
      local b = s:insert({ 4, 2, 2, 2 }, { layer = 4, static = true })
      local function found(filter)
        return s:touching(box, { 1, 0 }, filter)
      end
      assert.equal(b, found())
      assert.is_nil((found(b)))
      assert.equal(b, found(a))
      assert.equal(a, found(2))
      assert.equal(a, found(-1))
      assert.is_nil((found(8)))
      for _, response in ipairs({ "slide", "touch", "bounce" }) do
        assert.equal(b, found({ [response] = 4 }))
        assert.equal(a, found(function() return response end))
      end
      assert.is_nil((found({ cross = -1 })))
      assert.equal(b, found({ cross = 2, slide = 4 }))
      local asked = {}
      assert.equal(b, found(function(mover, other)
        assert.equal(box, mover)
        asked[#asked + 1] = other
        return other == a and "cross" or "slide"
      end))
      assert.same({ a, b }, asked)
      assert.has_error(function() found(function() return "stick" end) end)
    end)
  end)

  it("sees one-way boxes at their face alone", function()
    scene.each(function(s)
      for _, normal in ipairs(SIDES) do
        local shelf = s:insert({ 0, 0, 4, 4 }, { static = true, oneWay = normal })
        for _, side in ipairs(SIDES) do
          local box = s:insert({ side[1] * 4, side[2] * 4, 4, 4 })
          local faces = side[1] == normal[1] and side[2] == normal[2]
          assert.equal(faces and shelf or nil, s:touching(box, { -side[1], -side[2] }))
          box:remove()
        end
        shelf:remove()
      end
    end)
  end)

  it("needs one side", function()
    scene.eachBackend(function(s)
      local box = s:insert({ 0, 0, 4, 4 })
      for _, d in ipairs({ { 0, 0 }, { 1, 1 }, { 0 / 0, 0 }, { 1 / 0, 0 } }) do
        assert.is_false((pcall(s.touching, s, box, d)))
      end
    end)
  end)

  it("sees what has no width left in doubles", function()
    scene.eachBackend(function(s)
      local box = s:insert({ -3e307, 0, 1e38, 4 })
      local other = s:insert({ -3e307, 2, 3, 4 })
      assert.equal(other, s:touching(box, { 1, 0 }))
      assert.equal(other, s:touching(box, { -1, 0 }))
      assert.equal(box, s:touching(other, { 1, 0 }))
      assert.is_nil(s:touching(box, { 0, 1 }))
    end)
  end)

  it("is told where coordinates have no sum", function()
    scene.eachBackend(function(s)
      local largest = (2 - 2 ^ -52) * 2 ^ 1023
      local above = s:insert({ 0, largest, 4, 1 })
      -- By rounding, its position and its size add up to the double below `largest`.
      local size = 2 ^ 1021 + 2 ^ 970
      local below = s:insert({ 0, largest - size, 4, size })
      assert.equal(below, s:touching(above, { 0, -1 }))
      assert.equal(above, s:touching(below, { 0, 1 }))
    end)
  end)
end)

describe("canFit", function()
  it("says whether a place is free, and which box is in the way", function()
    scene.each(function(s)
      local box = s:insert({ 0, 0, 4, 2 })
      local ceiling = s:insert({ -10, 5, 20, 2 }, { static = true })
      local crate = s:insert({ 2, 5.5, 2, 2 })
      local function fits(...)
        local free, other = s:canFit(box, ...)
        assert.equal(free, other == nil)
        return other or free
      end
      assert.is_true(fits({ 0, 0, 4, 5 })) -- it touches the ceiling
      assert.equal(ceiling, fits({ 0, 0, 4, 5.5 }))
      assert.is_true(fits({ 0, 3 }))
      assert.equal(ceiling, fits({ 0, 3.5 }))
      assert.is_true(fits({ 1, 0 })) -- not in its own way
      assert.equal(ceiling, fits({ 1, 5 }))
      assert.equal(crate, fits({ 1, 5 }, ceiling))
      assert.is_true(fits({ 0, 7.5 }))
      assert.same({ 0, 0, 4, 2 }, s:getRect(box))
    end)
  end)

  it("takes filters as move does; one-way boxes are in nobody's way", function()
    scene.each(function(s)
      local box = s:insert({ 0, 0, 4, 2 }, { mask = 5 })
      s:insert({ 10, 0, 4, 2 }, { oneWay = { 0, 1 } })
      s:insert({ 10, 0, 4, 2 }, { layer = 2 })
      local wall = s:insert({ 10, 0, 4, 2 }, { layer = 4 })
      local function blocker(filter)
        return select(2, s:canFit(box, { 11, 1 }, filter))
      end
      assert.equal(wall, blocker())
      assert.is_nil((blocker(wall)))
      assert.equal(wall, blocker(4))
      assert.is_nil((blocker(1)))
      assert.is_nil((blocker({ cross = -1 })))
      assert.equal(wall, blocker({ cross = 2, bounce = 4 }))
      assert.equal(wall, blocker(function(mover, other)
        assert.equal(box, mover)
        return other == wall and "touch" or "cross"
      end))
    end)
  end)
end)

describe("a sensor", function()
  it("is passed over by touching and canFit, without a question, and passes over all", function()
    scene.each(function(s)
      local box, wall = s:insert({ 0, 0, 4, 4 }), s:insert({ 4, 0, 4, 4 }, { static = true })
      local function ask()
        error("a sensor is no question")
      end
      for _, filter in ipairs({ -1, { touch = -1 }, function() return "slide" end }) do
        assert.equal(wall, s:touching(box, { 1, 0 }, filter))
        assert.is_false((s:canFit(box, { 2, 0 }, filter)))
      end
      for _, sensor in ipairs({ wall, box }) do
        sensor:setSensor(true)
        for i, filter in ipairs({ false, -1, { touch = -1 }, ask }) do
          filter = i > 1 and filter or nil
          assert.is_nil((s:touching(box, { 1, 0 }, filter)))
          assert.is_nil((s:touching(wall, { -1, 0 }, filter)))
          assert.same({ true, nil }, { s:canFit(box, { 2, 0 }, filter) })
        end
        sensor:setSensor(false)
      end
      assert.equal(wall, s:touching(box, { 1, 0 }))
    end)
  end)
end)

describe("among shapes", function()
  it("boxes touch and are carried exactly, as without", function()
    for _, with in ipairs({ false, true }) do
      local world = broadside.newWorld({ gravity = { 1, 0 } })
      if with then
        world:insertCircle(50, 50, 1, { sensor = true })
      end
      local lift = world:insert(5 + 2 ^ -50, 0, 1, 1)
      local beside = world:insert(4, 0, 1, 1)
      assert.is_nil((world:touching(beside, 1, 0)))
      assert.equal(0, select(2, world:pushMany({ lift }, 1, 0)))
      beside:setRect(6, -1)
      assert.equal(lift, world:touching(beside, 0, 1))
    end
  end)

  it("what touches is found where another coordinate is far greater", function()
    local world = broadside.newWorld()
    local tip = world:insertPolygon({ 0, 1e6, -2, 1e6 - 1, -1, 1e6 - 3 })
    local wall = world:insert(1e-9, 1e6 - 3, 3, 3)
    assert.equal(wall, world:touching(tip, 1, 0))
    assert.equal(tip, world:touching(wall, -1, 0))
  end)
end)
