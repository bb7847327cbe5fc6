-- The response "push" of world:move and world:moveMany, which moves crates ahead.

local broadside = require("broadside")
local scene = require("spec.support.scene")

local ALL = { push = -1 }

local function placeOf(box)
  local x, y = box:getRect()
  return { x, y }
end

local function near(a, b)
  assert(math.abs(a - b) <= 1e-9, a .. " instead of " .. b)
end

describe("a move that pushes", function()
  it("moves a crate ahead by as much as is left, and ends at its goal", function()
    scene.each(function(s)
      local floor = s:insert({ -50, -2, 200, 2 }, { static = true })
      local box, crate = s:insert({ 0, 0, 2, 2 }), s:insert({ 4, 0, 2, 2 })
      local place, rows = s:move(box, { 7, 0 }, ALL)
      assert.same({ 7, 0 }, place)
      assert.same({ 9, 0, 2, 2 }, s:getRect(crate))
      assert.equal(1, #rows)
      assert.equal(crate, rows[1].other)
      assert.equal("push", rows[1].response)
      assert.same({ -1, 0 }, rows[1].normal)
      place, rows = s:move(box, { 8, -1 }, ALL)
      assert.same({ 8, 0 }, place)
      assert.same({ 10, 0, 2, 2 }, s:getRect(crate))
      local told = {}
      for _, row in ipairs(rows) do
        told[row.other] = row.response
      end
      assert.same({ [floor] = "slide", [crate] = "push" }, told)
    end)
  end)

  it("slides where a crate is stopped, and crates push no crates", function()
    scene.each(function(s)
      local box = s:insert({ 0, 0, 2, 2 })
      local a, b = s:insert({ 4, 0, 2, 2 }), s:insert({ 7, 0, 2, 2 })
      local place, rows = s:move(box, { 9, 3 }, ALL)
      assert.same({ 3, 3 }, place)
      assert.same({ 5, 0, 2, 2 }, s:getRect(a))
      assert.same({ 7, 0, 2, 2 }, s:getRect(b))
      assert.equal(1, #rows)
      assert.equal("push", rows[1].response)
    end)
  end)

  it("moves two crates that are side by side", function()
    scene.each(function(s)
      local box = s:insert({ 0, 0, 4, 4 })
      local a, b = s:insert({ 5, -1, 2, 2 }), s:insert({ 6, 2, 2, 2 })
      assert.same({ 6, 0 }, (s:move(box, { 6, 0 }, ALL)))
      assert.same({ 10, -1, 2, 2 }, s:getRect(a))
      assert.same({ 10, 2, 2, 2 }, s:getRect(b))
    end)
  end)

  it("slides along what is static, one-way from its side, or overlapped", function()
    scene.each(function(s)
      local box, wall = s:insert({ 0, 0, 2, 2 }), s:insert({ 4, 0, 2, 2 }, { static = true })
      local inside = s:insert({ 0, 1, 2, 3 })
      local place, rows = s:move(box, { 5, 1 }, ALL)
      assert.same({ 2, 0 }, place)
      assert.same({ 0, 1, 2, 3 }, s:getRect(inside))
      for _, row in ipairs(rows) do
        assert.equal("slide", row.response)
      end
      assert.equal(wall, rows[2].other)
    end)
  end)

  it("moves nothing in check, and is a slide there", function()
    scene.each(function(s)
      local box, crate = s:insert({ 0, 0, 2, 2 }), s:insert({ 4, 0, 2, 2 })
      for _, filter in ipairs({ ALL, function() return "push" end }) do
        local place, rows = s:check(box, { 7, 0 }, filter)
        assert.same({ 2, 0 }, place)
        assert.same({ 4, 0, 2, 2 }, s:getRect(crate))
        assert.equal("slide", rows[1].response)
      end
    end)
  end)

  it("comes after bounce and before slide in a table of masks", function()
    scene.eachBackend(function(s)
      local box, crate = s:insert({ 0, 0, 2, 2 }), s:insert({ 4, 0, 2, 2 })
      for _, case in ipairs({
        { { push = 1, slide = 1, cross = 1 }, "push" }, { { push = 1, bounce = 1 }, "bounce" },
        { { touch = 1, push = 1 }, "touch" }, { { push = 2, slide = 1 }, "slide" },
      }) do
        s:update(box, { 0, 0 })
        s:update(crate, { 4, 0 })
        local _, rows = s:move(box, { 5, 0 }, case[1])
        assert.equal(case[2], rows[1].response)
        assert.equal(case[2] == "push" and 7 or 4, s:getRect(crate)[1])
      end
    end)
  end)

  it("counts as solid elsewhere", function()
    local world = broadside.newWorld()
    local box, crate = world:insert(0, 0, 2, 2), world:insert(2, 0, 2, 2)
    assert.equal(crate, world:touching(box, 1, 0, ALL))
    assert.equal(crate, world:touching(box, 1, 0, function() return "push" end))
    assert.is_false((world:canFit(box, 1, 0, nil, nil, ALL)))
    world:push(box, 1, 0, ALL)
    assert.same({ 3, 0 }, placeOf(crate))
  end)

  it("leaves crates flush, wherever they are", function()
    local world = broadside.newWorld()
    local box, crate = world:insert(0.1, 0.3, 0.7, 0.7), world:insert(1.3, 0.3, 0.9, 0.7)
    for i = 1, 200 do
      local goal = 0.1 + i * 0.37
      assert.equal(goal, (world:move(box, goal, 0.3, ALL)))
      assert.equal(0, world:countPairs())
      assert(i < 2 or crate:getRect() == goal + 0.7)
    end
  end)

  -- The box bounces off the floor at {4, -4} and off the wall at {10, 2}, and meets the crate at
  -- {6, 6}. Of its 20, 6 are left, and take the crate over the place where the box set out.
  it("moves a crate through the place where it was itself", function()
    scene.each(function(s)
      s:insert({ -20, -6, 60, 2 }, { static = true })
      s:insert({ 12, -4, 2, 60 }, { static = true })
      local box = s:insert({ 0, 0, 2, 2 })
      local crate = s:insert({ 4, 1, 2, 20 }, { layer = 2 })
      local place, rows = s:move(box, { 20, -20 }, { bounce = 1, push = 2 })
      assert.same({ { 0, 12 }, 3 }, { place, #rows })
      assert.same({ -2, 1, 2, 20 }, s:getRect(crate))
    end)
  end)

  it("goes up a slope", function()
    local world = broadside.newWorld()
    world:insertPolygon({ 20, 0, 120, 0, 120, -50 }, { static = true })
    local box = world:insert(0, -10, 10, 10)
    local crate = world:insert(10, -10, 10, 10)
    local x, y = world:move(box, 8, -10, ALL)
    local cx, cy = crate:getRect()
    -- A motion of 8 to the right becomes this motion along the slope.
    near(10 + 8 * 0.8, cx)
    near(-10 - 8 * 0.4, cy)
    near(8 * 0.8, x)
    near(-10, y)
    assert.equal(0, world:countPairs())
  end)

  it("pushes circles and polygons, along their normals", function()
    for _, O in ipairs({ 0, 1e5 }) do
      local world = broadside.newWorld()
      local box, ball = world:insertCircle(O, O, 5), world:insertCircle(O + 14, O, 5)
      local x, y, rows, n = world:move(box, O + 9 - 5, O - 5, ALL)
      assert(math.abs(x - O - 4) <= 1e-12 * (O + 100), x)
      assert(math.abs(y - O + 5) <= 1e-12 * (O + 100), y)
      assert.same({ 1, "push" }, { n, rows[1].response })
      assert(math.abs(ball:getRect() - O - 14) <= 1e-9)
      assert.equal(0, world:countPairs())
    end
  end)

  it("works in 3D", function()
    local world = broadside.newWorld({ dim = 3 })
    local box, ball = world:insert(0, 0, 0, 2, 2, 2), world:insertCircle(5, 1, 1, 1)
    local x, y, z = world:move(box, 6, 0, 0.5, ALL)
    near(6, x)
    assert.same({ 0, 0.5 }, { y, z })
    near(8, (ball:getRect()))
    assert.equal(0, world:countPairs())
  end)
end)

describe("moveMany that pushes", function()
  it("counts who was stopped", function()
    local world = broadside.newWorld()
    local a, b = world:insert(0, 0, 2, 2), world:insert(0, 10, 2, 2)
    local crate, other = world:insert(3, 0, 2, 2), world:insert(3, 10, 2, 2)
    world:insert(6, 10, 2, 2, { static = true })
    local out, n = world:moveMany({ a, b }, { 4, 0, 4, 10 }, ALL)
    assert.same({ 4, 0, 2, 10 }, out)
    assert.equal(1, n)
    assert.same({ 6, 4 }, { (crate:getRect()), (other:getRect()) })
  end)

  it("puts crates back where it raises, also those that it moves itself", function()
    local world = broadside.newWorld()
    local a, b = world:insert(0, 0, 2, 2), world:insert(0, 10, 2, 2)
    local crate = world:insert(3, 0, 2, 2)
    local wall = world:insert(3, 10, 2, 2)
    for _, list in ipairs({ { a, crate, b }, { crate, a, crate, b } }) do
      local goals = {}
      for _, box in ipairs(list) do
        local x, y = box:getRect()
        goals[#goals + 1], goals[#goals + 2] = x + 5, y
      end
      local ok, message = pcall(world.moveMany, world, list, goals, function(_, other)
        return other == wall and error("no") or "push"
      end)
      assert.is_false(ok)
      assert.matches("no", message)
      assert.same({ { 0, 0 }, { 0, 10 }, { 3, 0 }, { 3, 10 } },
        { placeOf(a), placeOf(b), placeOf(crate), placeOf(wall) })
    end
  end)
end)

describe("a call that pushes", function()
  it("has moved nothing if its filter raises, or says what is none", function()
    local world = broadside.newWorld()
    local box = world:insert(0, 0, 2, 2)
    local crate, last = world:insert(3, 0, 2, 2), world:insert(3, 8, 2, 2)
    for _, answer in ipairs({ function() error("no") end, function() return "kick" end }) do
      local asked = 0
      assert.is_false((pcall(world.move, world, box, 5, 9, function(_, other)
        asked = asked + 1
        return other == last and answer() or "push"
      end)))
      assert.same({ { 0, 0 }, { 3, 0 }, 2 }, { placeOf(box), placeOf(crate), asked })
    end
  end)

  it("is refused as a box's own response, by its name", function()
    local world = broadside.newWorld()
    local box = world:insert(0, 0, 1, 1)
    for _, call in ipairs({
      function() box:setResponse("push") end,
      function() world:insert(0, 0, 1, 1, { response = "push" }) end,
    }) do
      local ok, message = pcall(call)
      assert.is_false(ok)
      assert.matches("got 'push'", message)
    end
  end)
end)
