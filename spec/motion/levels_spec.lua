-- What went wrong elsewhere when boxes move through levels: each thread is a case of ours. The
-- comment above a case names the thread.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local expect = require("spec.support.expect")
local random = require("spec.support.random")
local scene = require("spec.support.scene")

local FRAMES = compat.rounds(600)

-- Asserts in the loops over frames, of which there are hundreds of thousands.
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

-- A row of tiles whose tops are at y = 0, from x = 0 on; a set.
local function row(s, order, n, size)
  local tiles = {}
  for _, i in ipairs(order) do
    tiles[s:insert({ (i - 1) * size, -size, size, size }, { static = true })] = true
  end
  assert(n == #order)
  return tiles
end

-- Walks along y = 0 by `step` a frame and presses down by `press`: never stuck, one normal.
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

  -- A column beside which the box falls, and is pressed against: the same, turned by a quarter.
  it("that stands upright is slid along, landing at its foot", function()
    scene.each(function(s)
      for _, i in ipairs(shuffled(random.new(25), 12)) do
        s:insert({ 0, 16 * (i - 1), 16, 16 }, { static = true })
      end
      local floor = s:insert({ -100, -16, 116, 16 }, { static = true })
      local mover = s:insert({ -12, 160, 12, 20 })
      for frame = 1, 25 do
        local place, rows = s:move(mover, { 5, 160 - 8 * frame })
        checkPlace(-12, math.max(0, 160 - 8 * frame), place)
        checkPlace(-1, 0, rows[1].normal)
        check(#rows == (160 - 8 * frame < 0 and 2 or 1), "the wall, and at last the floor")
        check(not rows[2] or rows[2].other == floor)
      end
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
      -- And out of it again, on both axes.
      assert.same({ 60, 16 }, (s:move(mover, { 60, 10 })))
      assert.same({ 68, 30 }, (s:move(mover, { 90, 30 })))
    end)
  end)
end)

describe("a lift", function()
  -- 4ian/GDevelop#2574, AdamAtomic/flixel#30, jimdroberts/FishMMO#228
  it("up, down, turning round: the rider is flush in every frame", function()
    scene.each(function(s)
      s:setGravity({ 0, -10 })
      local lift = s:insert({ 0, 0, 30, 4 }, { static = true })
      local rider = s:insert({ 5, 4, 6, 10 })
      local top = s:insert({ 6, 14, 4, 4 })
      for frame = 1, 24 do
        local phase = frame % 12
        local y = phase < 6 and phase * 1.5 or (12 - phase) * 1.5
        local x = 3 * (frame % 7)
        local before = s:getRect(rider)
        local was = s:getRect(lift)[1]
        local rows = s:push(lift, { x, y })
        local box = s:getRect(rider)
        checkPlace(before[1] + x - was, y + 4, box)
        checkPlace(box[1] + 1, y + 14, s:getRect(top))
        check(s:touching(rider, { 0, -1 }) == lift)
        check(rows[1].other == rider and rows[2].other == top)
        check(rows[1].carried and rows[2].carried, "carried")
        check(not rows[1].crushed and not rows[2].crushed, "not crushed")
        -- The rider falls by itself, too: it stays where it is.
        checkPlace(box[1], y + 4, s:move(rider, { box[1], y + 1 }))
      end
    end)
  end)

  it("by tenths keeps the rider flush, too, whichever way gravity points", function()
    for _, g in ipairs({ -1, 1 }) do
      scene.eachBackend(function(s)
        s:setGravity({ 0, g })
        local lift = s:insert({ 0, 0.1, 3, 0.3 }, { static = true })
        local rider = s:insert({ 0.1, g < 0 and 5 or -5, 0.7, 1.1 })
        s:move(rider, { 0.1, 0 })
        local side = { 0, g }
        assert.equal(lift, s:touching(rider, side))
        for frame = 1, FRAMES do
          local y = 0.1 + 0.1 * (frame % 60 < 30 and frame % 30 or 30 - frame % 30)
          local rows = s:push(lift, { 0.01 * frame, y })
          check(rows[1].carried and s:touching(rider, side) == lift)
          check(s.world:countPairs() == 0)
        end
      end)
    end
  end)

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
  -- kikito/bump.lua#49; phaserjs/phaser#1513, #4175, #3838, #5591
  it("never go through walls or each other, and what is crushed is told", function()
    scene.each(function(s)
      local wall = s:insert({ 40, -50, 4, 100 }, { static = true })
      local plate = s:insert({ 0, 0, 2, 10 }, { static = true })
      local boxes = {}
      for i = 1, 4 do
        boxes[i] = s:insert({ 4 + 4 * i, i, 3, 4 })
      end
      for frame = 5, 50, 5 do
        local rows = s:push(plate, { frame, 0 })
        for i, box in ipairs(boxes) do
          local x = s:getRect(box)[1]
          check(x <= 37 - 3 * (4 - i) and x >= 4 + 4 * i, "between the wall and its place")
          check(#s:queryBox(box, plate) == 0, "no overlap")
        end
        for _, one in ipairs(rows) do
          check(one.crushed == (s:getRect(one.other)[1] < frame + 2))
        end
        check(frame ~= 25 or #rows == 4 and not rows[1].crushed, "all of them ahead of it")
      end
      assert.same({ 28, 1, 3, 4 }, s:getRect(boxes[1]))
      assert.equal(wall, s:touching(boxes[4], { 1, 0 }))
    end)
  end)

  it("in a heap are pushed for 300 frames to and fro: no overlap ever", function()
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
          -- Out of the platform again, if it was crushed.
          if crushed[box] then
            s:move(box, { rng:int(0, 90), rng:int(0, 50) }, plate)
          end
        end
      end
    end)
  end)
end)

describe("one-way boxes", function()
  -- prime31/CharacterController2D#110, Jigoku/boxclip#8
  it("level with the body, from below, from the side", function()
    scene.each(function(s)
      local shelf = s:insert({ 0, 0, 30, 4 }, { static = true, oneWay = { 0, 1 } })
      local body = s:insert({ 10, -20, 6, 10 })
      -- A jump in frames: up through it, and down on it.
      local y = -20
      for frame = 1, 60 do
        y = y + (20 - frame)
        local place = s:move(body, { 10, y })
        if place[2] ~= y then
          assert.same({ 10, 4 }, place)
          assert.equal(shelf, s:touching(body, { 0, -1 }))
          y = 4
        end
      end
      assert.equal(4, y)
      -- Level with it, from the side, and falling within it.
      s:update(body, { -10, 0 })
      assert.same({ 40, 0 }, (s:move(body, { 40, 0 })))
      assert.same({ 10, 0 }, (s:move(body, { 10, 0 })))
      assert.same({ 12, -9 }, (s:move(body, { 12, -9 })))
      assert.is_nil((s:touching(body, { 0, -1 })))
    end)
  end)

  it("that move carry what rests on them, and push with their face alone", function()
    scene.each(function(s)
      s:setGravity({ 0, -10 })
      local shelf = s:insert({ 0, 0, 30, 4 }, { static = true, oneWay = { 0, 1 } })
      local rider = s:insert({ 5, 4, 6, 6 })
      local above = s:insert({ 20, 8, 6, 6 })
      local below = s:insert({ 5, -10, 6, 6 })
      local beside = s:insert({ 32, 0, 6, 3 })
      local rows = s:push(shelf, { 0, 6 })
      expect.boxes({ rider, above }, { rows[1].other, rows[2].other })
      assert.same({ 5, 10, 6, 6 }, s:getRect(rider))
      assert.same({ 20, 10, 6, 6 }, s:getRect(above))
      rows = s:push(shelf, { 6, -8 })
      assert.equal(2, #rows)
      assert.same({ 11, -4, 6, 6 }, s:getRect(rider))
      assert.same({ 5, -10, 6, 6 }, s:getRect(below))
      assert.same({ 32, 0, 6, 3 }, s:getRect(beside))
      -- On the way up it takes along what is above it now, and not what it overlaps.
      rows = s:push(shelf, { 6, 0 })
      expect.boxes({ rider, above, beside }, { rows[1].other, rows[2].other, rows[3].other })
      assert.same({ 32, 4, 6, 3 }, s:getRect(beside))
      assert.same({ 5, -10, 6, 6 }, s:getRect(below))
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
      s:setVelocity(ball, { 0, 1.25 })
      s.world:step(1 / 64) -- 0.25 are left when it meets the ceiling
      assert.same({ 0, -0.25 }, s:getVelocity(ball))
      assert.equal(ceiling, s:hits()[1][2])
      s:update(ball, { 8, 0 })
      s:setVelocity(ball, { 0.25, 0 })
      s.world:step(1 / 64)
      assert.same({ -0.25, -1 }, s:getVelocity(ball))
      assert.equal(wall, s:hits()[1][2])
    end)
  end)

  -- bump.lua: a bounce ends inside a wall in 16% of 100 px moves
  it("in a room never end in a wall", function()
    scene.eachBackend(function(s)
      for i = 0, 15 do
        for _, rect in ipairs({ { i, 0 }, { i, 15 }, { 0, i }, { 15, i } }) do
          s:insert({ rect[1] * 16, rect[2] * 16, 16, 16 }, { static = true })
        end
      end
      local rng = random.new(28)
      local ball = s:insert({ 100, 100, 8, 8 })
      for _ = 1, 500 do
        local x, y = compat.unpack(s:getRect(ball))
        s:move(ball, { x + rng:real(-400, 400), y + rng:real(-400, 400) }, { bounce = 1 })
        assert.same({}, s:queryBox(ball))
        x, y = compat.unpack(s:getRect(ball))
        assert.is_true(x >= 16 and x <= 232 and y >= 16 and y <= 232)
      end
    end)
  end)
end)
