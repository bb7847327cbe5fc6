-- What went wrong in other libraries when boxes moved through levels. The comment above a case
-- names the thread where somebody reported it.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local random = require("spec.support.random")
local scene = require("spec.support.scene")

local FRAMES = compat.rounds(600)

-- Replaces luassert in the loops over frames, where it would be too slow.
local function check(truth, what)
  if not truth then
    error(what or "not so", 2)
  end
end

local function checkPlace(x, y, place)
  if place[1] ~= x or place[2] ~= y then
    error(("at %.17g, %.17g instead of %.17g, %.17g"):format(place[1], place[2], x, y), 2)
  end
end

-- The numbers 1 to n in any order.
local function shuffled(rng, n)
  local list = {}
  for i = 1, n do
    table.insert(list, rng:int(1, i), i)
  end
  return list
end

local ORDERS = {
  ["first to last"] = function(_, n)
    local list = {}
    for i = 1, n do
      list[i] = i
    end
    return list
  end,
  ["last to first"] = function(_, n)
    local list = {}
    for i = 1, n do
      list[i] = n + 1 - i
    end
    return list
  end,
  ["any"] = shuffled,
}

-- Inserts a row of tiles with their tops at y = 0, from x = 0 on. Returns the set of them.
local function row(s, order, n, size)
  local tiles = {}
  for _, i in ipairs(order) do
    tiles[s:insert({ (i - 1) * size, -size, size, size }, { static = true })] = true
  end
  assert(n == #order)
  return tiles
end

-- Walks along y = 0 by `step` a frame, and presses down by `press`. It must never get stuck.
local function walkAlong(s, mover, tiles, frames, step, press)
  for _ = 1, frames do
    local x, y = compat.unpack(s:getRect(mover))
    local place, rows = s:move(mover, { x + step, y - press })
    checkPlace(x + step, 0, place)
    check(#rows == 1, "one hit")
    checkPlace(0, 1, rows[1].normal)
    check(tiles[rows[1].other] and tiles[s:touching(mover, { 0, -1 })], "a tile below")
  end
end

describe("a row of tiles", function()
  -- kikito/bump.lua#39, #47; godotengine/godot#89458; erinmaus/slick#91, #104
  for name, order in pairs(ORDERS) do
    it("is walked along while pressed against it, inserted in this order: " .. name, function()
      scene.each(function(s)
        local rng = random.new(21)
        local tiles = row(s, order(rng, 12), 12, 16)
        local mover = s:insert({ 0, 0, 12, 20 })
        walkAlong(s, mover, tiles, 11, 16, 5)
        walkAlong(s, mover, tiles, 22, -8, 16)
      end)
    end)
  end

  it("is never in the way in any frame, at any speed and by any weight", function()
    scene.eachBackend(function(s)
      local rng = random.new(22)
      local tiles = row(s, shuffled(rng, 40), 40, 16)
      for _, size in ipairs({ 8, 16, 24.5 }) do
        local mover = s:insert({ 16 * 20, 0, size, size })
        for _ = 1, FRAMES do
          local step = rng:pick({ 0.25, 1, 3.5, 8, 16, 17 }) * rng:pick({ -1, 1 })
          local x = s:getRect(mover)[1]
          if x + step < 0 or x + step > 600 then
            step = -step
          end
          walkAlong(s, mover, tiles, 1, step, rng:pick({ 0.001, 1, 9.8, 16, 1000 }))
        end
        mover:remove()
      end
    end)
  end)

  it("of size 1 at tenths is walked along as well", function()
    scene.eachBackend(function(s)
      local rng = random.new(23)
      for _, i in ipairs(shuffled(rng, 60)) do
        s:insert({ 0.1 * i, -0.1, 0.1, 0.1 }, { static = true })
      end
      local mover = s:insert({ 0.1, 0.05, 0.25, 0.3 })
      for frame = 1, FRAMES do
        local x = 0.1 + 0.0091 * frame
        local place = s:move(mover, { x, s:getRect(mover)[2] - 0.07 })
        checkPlace(x, 0, place)
      end
    end)
  end)

  it("of one-way boxes is a bridge without seams", function()
    scene.each(function(s)
      local tiles = {}
      for _, i in ipairs(shuffled(random.new(24), 12)) do
        tiles[s:insert({ 16 * (i - 1), -4, 16, 4 }, { static = true, oneWay = { 0, 1 } })] = true
      end
      local mover = s:insert({ 0, 0, 12, 20 })
      walkAlong(s, mover, tiles, 22, 8, 5)
      walkAlong(s, mover, tiles, 22, -8, 16)
    end)
  end)
end)

describe("an L of a floor and a wall of tiles", function()
  -- vchelaru/FlatRedBall#1436
  it("is stood in: on the ground in every frame, without jitter", function()
    scene.each(function(s)
      local rng = random.new(26)
      local floor = {}
      for _, i in ipairs(shuffled(rng, 9)) do
        if i <= 5 then
          floor[s:insert({ 16 * (i - 1), 0, 16, 16 }, { static = true })] = true
        else
          s:insert({ 80, 16 * (i - 6), 16, 16 }, { static = true })
        end
      end
      local mover = s:insert({ 50, 40, 12, 20 })
      for frame = 1, 20 do
        local x, y = compat.unpack(s:getRect(mover))
        local place, rows = s:move(mover, { x + 2, y - 3 })
        if frame > 10 then
          checkPlace(68, 16, place)
          check(#rows == 2 and rows[1].t == 0, "floor and wall at once")
          check(floor[s:touching(mover, { 0, -1 })])
          check(not floor[s:touching(mover, { 1, 0 })])
        end
      end
      -- It gets out of the corner again, on both axes.
      assert.same({ 60, 16 }, (s:move(mover, { 60, 10 })))
      assert.same({ 68, 30 }, (s:move(mover, { 90, 30 })))
    end)
  end)
end)

describe("a lift", function()
  -- WohlSoft/Moondust-Project#123: the head stuck to a platform that fell on it, and was lifted
  it("that falls on a box pushes it, and does not take it up again", function()
    scene.each(function(s)
      s:setGravity({ 0, -10 })
      local lift = s:insert({ 0, 20, 30, 4 }, { static = true })
      local box = s:insert({ 5, 10, 6, 6 })
      local rows = s:push(lift, { 0, 12 })
      assert.same({ 5, 6, 6, 6 }, s:getRect(box))
      assert.is_false(rows[1].carried or rows[1].crushed)
      assert.equal(lift, s:touching(box, { 0, 1 }))
      rows = s:push(lift, { 0, 30 })
      assert.same({}, rows)
      assert.same({ 5, 6, 6, 6 }, s:getRect(box))
      rows = s:push(lift, { 9, 12 })
      assert.same({}, rows)
      assert.same({ 5, 6, 6, 6 }, s:getRect(box))
    end)
  end)

  it("carries nobody without gravity, and pushes all the same", function()
    scene.each(function(s)
      local lift = s:insert({ 0, 0, 30, 4 }, { static = true })
      local box = s:insert({ 5, 4, 6, 6 })
      assert.same({}, s:push(lift, { 3, 0 }))
      assert.same({}, s:push(lift, { 3, -2 }))
      assert.same({ 5, 4, 6, 6 }, s:getRect(box))
      local rows = s:push(lift, { 3, 5 })
      assert.is_false(rows[1].carried)
      assert.same({ 5, 9, 6, 6 }, s:getRect(box))
    end)
  end)
end)

describe("pushed boxes", function()
  it("in a heap are pushed for 300 frames to and fro: no overlap ever, back ends agree", function()
    local expected
    scene.eachBackend(function(s)
      local rng = random.new(27)
      for _, rect in ipairs({
        { -10, -10, 120, 10 }, { -10, 60, 120, 10 }, { -10, -10, 10, 80 }, { 100, -10, 10, 80 },
      }) do
        s:insert(rect, { static = true })
      end
      local plate = s:insert({ 0, 0, 4, 30 }, { static = true })
      local boxes = {}
      for i = 1, 40 do
        local rect = { rng:int(5, 90), rng:int(0, 50), rng:int(2, 8), rng:int(2, 8) }
        if #s:queryRect(rect) == 0 then
          boxes[#boxes + 1] = s:insert(rect)
        end
        assert(i > 0)
      end
      for _ = 1, 300 do
        local x, y = rng:int(0, 60), rng:int(0, 30)
        local rows = s:push(plate, { x, y })
        local crushed = {}
        for _, one in ipairs(rows) do
          crushed[one.other] = one.crushed
        end
        for _, box in ipairs(boxes) do
          check(#s:queryBox(box, plate) == 0, "no overlap")
          -- A crushed box may be in the platform, so it is moved out again.
          if crushed[box] then
            s:move(box, { rng:int(0, 90), rng:int(0, 50) }, plate)
          end
        end
      end
      local places = {}
      for i, box in ipairs(boxes) do
        places[i] = s:getRect(box)
      end
      expected = expected or places
      assert.same(expected, places)
    end)
  end)
end)

describe("bounces", function()
  local function drop(backend, bounce, height)
    local world = broadside.newWorld({ backend = backend, gravity = { 0, 600 } })
    world:insert(-100, 100, 200, 20, { static = true })
    local ball = world:insert(0, 92 - height, 8, 8, { response = "bounce", bounce = bounce })
    return world, ball
  end

  -- liabru/matter-js#730
  it("of 0.5 come to rest, and stay", function()
    for _, backend in ipairs(scene.backends) do
      for _, height in ipairs({ 0, 0.01, 1, 50, 92, 1000 }) do
        for _, dt in ipairs({ 1 / 60, 1 / 144, 1 / 30 }) do
          local world, ball = drop(backend, 0.5, height)
          for _ = 1, 10 / dt do
            world:step(dt)
            check(select(2, ball:getRect()) <= 92, "above the floor")
          end
          for _ = 1, 100 do
            world:step(dt)
            checkPlace(0, 92, { ball:getRect() })
            checkPlace(0, 0, { ball:getVelocity() })
          end
        end
      end
    end
  end)

  it("at low speed still bounce where nothing accelerates", function()
    scene.each(function(s)
      local left = s:insert({ -2, -50, 2, 100 }, { static = true })
      s:insert({ 10, -50, 2, 100 }, { static = true })
      local ball = s:insert({ 4, 0, 2, 2 }, { response = "bounce" })
      for _, speed in ipairs({ 2 ^ -40, 0.125, 1 }) do
        s:update(ball, { 0, 0 })
        s:setVelocity(ball, { -speed, 0 })
        s.world:step(1)
        assert.same({ speed, 0 }, s:getVelocity(ball))
        assert.same({ speed, 0 }, { s:getRect(ball)[1], 0 })
        assert.same({ ball, left, "bounce", 0, { 1, 0 } }, s:hits()[1])
      end
    end)
  end)

  it("at low speed against gravity, or across it, still bounce", function()
    scene.each(function(s)
      s:setGravity({ 0, -64 })
      local ceiling = s:insert({ -50, 10, 100, 2 }, { static = true })
      local wall = s:insert({ 10, -50, 2, 60 }, { static = true })
      local ball = s:insert({ 0, 8, 2, 2 }, { response = "bounce" })
      for speed, after in pairs({ [1.25] = -0.25, [2.75] = -1.75 }) do
        s:update(ball, { 0, 8 })
        s:setVelocity(ball, { 0, speed })
        s.world:step(1 / 64) -- gravity takes 1 before it meets the ceiling
        assert.same({ 0, after }, s:getVelocity(ball))
        assert.equal(ceiling, s:hits()[1][2])
      end
      s:update(ball, { 8, 0 })
      s:setVelocity(ball, { 0.25, 0 })
      s.world:step(1 / 64)
      assert.same({ -0.25, -1 }, s:getVelocity(ball))
      assert.equal(wall, s:hits()[1][2])
    end)
  end)
end)
