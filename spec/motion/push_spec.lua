-- Hand-made cases of push, in every symmetry and on every back end.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local random = require("spec.support.random")
local scene = require("spec.support.scene")

local values = compat.values

describe("push", function()
  it("goes all the way, and moves what is in the way ahead of it as far as it must", function()
    scene.each(function(s)
      local plate = s:insert({ 0, 0, 2, 4 })
      local near, far = s:insert({ 5, 1, 2, 2 }), s:insert({ 20, 1, 2, 2 })
      local rows = s:push(plate, { 8, 0 })
      assert.equal(1, #rows)
      assert.same({ near, { 10, 1 }, false, false },
        { rows[1].other, rows[1].place, rows[1].crushed, rows[1].carried })
      assert.same({ 20, 1, 2, 2 }, s:getRect(far))
      assert.same({}, s:push(plate, { 0, 0 }))
      assert.same({ 10, 1, 2, 2 }, s:getRect(near))
    end)
  end)

  it("takes along what it overlaps, as far as it goes against it, and not out of it", function()
    scene.each(function(s)
      local plate = s:insert({ 0, 0, 4, 4 })
      local box = s:insert({ 3, 1, 2, 2 })
      for x = 1, 2 do
        local rows = s:push(plate, { x, 2 * x - 2 })
        assert.same({ 1, box, false }, { #rows, rows[1].other, rows[1].crushed })
        assert.same({ 3 + x, 1, 2, 2 }, s:getRect(box))
        assert.equal(1, s.world:countPairs())
      end
      assert.same({}, s:push(plate, { 0, 4 }, function() -- it leaves it
        error("of what is not in the way nobody is asked")
      end))
    end)
  end)

  it("goes through static boxes, and crushes what they hold", function()
    scene.each(function(s)
      local plate = s:insert({ 0, 0, 2, 4 })
      s:insert({ 9, 0, 2, 4 }, { static = true })
      local box = s:insert({ 5, 1, 2, 2 })
      local rows = s:push(plate, { 6, 0 })
      assert.same({ 7, 1, 2, 2 }, s:getRect(box))
      assert.is_true(rows[1].crushed)
      -- It overlaps the plate now, and goes with it as far as it can.
      rows = s:push(plate, { 6.5, 0 })
      assert.same({ 7, 1, 2, 2 }, s:getRect(box))
      assert.is_true(rows[1].crushed)
      rows = s:push(plate, { 20, 0 }) -- It ends behind the wall.
      assert.same({ 7, 1, 2, 2 }, s:getRect(box))
      assert.same({ 1, box, false }, { #rows, rows[1].other, rows[1].crushed })
    end)
  end)

  it("takes filters as move does", function()
    scene.each(function(s)
      local plate = s:insert({ 0, 0, 2, 4 }, { mask = 1 })
      local a = s:insert({ 5, 0, 2, 2 })
      local b = s:insert({ 5, 2, 2, 2 }, { layer = 2 })
      local function pushed(filter)
        s:push(plate, { 8, 0 }, filter)
        local moved = { s:getRect(a)[1] == 10, s:getRect(b)[1] == 10 }
        s:update(plate, { 0, 0 })
        s:update(a, { 5, 0 })
        s:update(b, { 5, 2 })
        return moved
      end
      assert.same({ true, false }, pushed())
      assert.same({ false, false }, pushed(a))
      assert.same({ false, true }, pushed(2))
      assert.same({ true, true }, pushed(-1))
      assert.same({ true, false }, pushed({ touch = 1, cross = 2 }))
      assert.same({ false, true }, pushed(function(box, other)
        assert.equal(plate, box)
        return other == b and "bounce"
      end))
    end)
  end)

  -- The first box pushes the second one farther than the platform would, and it must stay there.
  it("does not pull back what another box has pushed ahead already", function()
    scene.each(function(s)
      local plate = s:insert({ 0, 0, 1, 10 }, { static = true })
      local first = s:insert({ 2, 0, 2, 2 })
      local second = s:insert({ 5, 0, 2, 5 })
      local rows = s:push(plate, { 10, 0 })
      assert.equal(2, #rows)
      assert.is_false(rows[1].crushed or rows[2].crushed)
      assert.same({ 11, 0, 2, 2 }, s:getRect(first))
      assert.same({ 13, 0, 2, 5 }, s:getRect(second))
    end)
  end)

  it("carries what rests on a platform whose coordinates have no sum", function()
    scene.each(function(s)
      s:setGravity({ 0, -1 })
      local lift = s:insert({ 0, 1.2e308, 10, 2e307 }, { static = true })
      local rider = s:insert({ 0, 1.2e308 + 2e307, 10, 1e307 })
      local rows = s:push(lift, { 5, 1.2e308 })
      assert.equal(1, #rows)
      assert.is_true(rows[1].carried)
      assert.same({ 5, 1.2e308 + 2e307, 10, 1e307 }, s:getRect(rider))
    end)
  end)

  -- The pushed box rests, by gravity, on the passed one, which is not carried.
  it("pushes what is in the way also if it rests on what is passed", function()
    scene.each(function(s)
      s:setGravity({ -1, 0 })
      local plate = s:insert({ 0, 0, 2, 10 }, { static = true })
      local passed = s:insert({ 2, 0, 2, 10 })
      local pushed = s:insert({ 4, 0, 2, 10 })
      local asked = {}
      local rows = s:push(plate, { 5, 0 }, function(_, other)
        asked[#asked + 1] = other
        return other == pushed and "slide"
      end)
      assert.same({ passed, pushed }, asked)
      assert.equal(1, #rows)
      assert.is_false(rows[1].carried or rows[1].crushed)
      assert.same({ 2, 0, 2, 10 }, s:getRect(passed))
      assert.same({ 7, 0, 2, 10 }, s:getRect(pushed))
    end)
  end)

  it("carries what rests both on what is passed and on what is carried", function()
    scene.each(function(s)
      s:setGravity({ 0, -1 })
      local lift = s:insert({ 0, 0, 20, 2 }, { static = true })
      local passed = s:insert({ 0, 2, 5, 2 })
      local crate = s:insert({ 5, 2, 5, 2 })
      local top = s:insert({ 3, 4, 4, 2 })
      local rows = s:push(lift, { 1, 0 }, function(_, other) return other ~= passed and "slide" end)
      assert.equal(2, #rows)
      assert.is_true(rows[1].carried and rows[2].carried)
      assert.same({ 0, 2, 5, 2 }, s:getRect(passed))
      assert.same({ 6, 2, 5, 2 }, s:getRect(crate))
      assert.same({ 4, 4, 4, 2 }, s:getRect(top))
    end)
  end)

  -- The rider's far side is 0.29999999999999716, or 0.29999995. No double brings it nearer to 0.3.
  it("carries what is much larger than the platform, and less exact", function()
    scene.eachBackend(function(s)
      s:setGravity({ 0, 1 })
      for _, height in ipairs({ 100, 1e9 }) do
        local lift = s:insert({ 0, 0.3, 10, 0.0625 }, { static = true })
        local rider = s:insert({ 0, -2 * height, 10, height })
        s:move(rider, { 0, 100 })
        assert.equal(0.3 - height, s:getRect(rider)[2])
        local rows = s:push(lift, { 1, 1 })
        assert.equal(1, #rows)
        assert.is_true(rows[1].carried)
        assert.same({ 1, 1 - height, 10, height }, s:getRect(rider))
        s.world:clear()
      end
    end)
  end)

  it("crushes nobody who gets out of the way, wherever places are rounded", function()
    scene.eachBackend(function(s)
      for i = 0, 80 do
        local plate = s:insert({ -0.1 * (1 + i % 9), 0, 0.7, 2 })
        local box = s:insert({ 0.9, -0.1, 0.3, 1 })
        local rows = s:push(plate, { 0.8 + 0.5 * math.floor(i / 9), 0 })
        assert.same({ 1, box, false }, { #rows, rows[1].other, rows[1].crushed })
        assert.equal(0, s.world:countPairs())
        s.world:clear()
      end
    end)
  end)

  -- Each far side is rounded, so a box may be flush with both at more than one double.
  it("crushes nobody of two that just fit between it and a wall", function()
    scene.eachBackend(function(s)
      local plate = s:insert({ 58.2, 0, 1, 3 })
      s:insert({ 60.400000000000006, 0, 1.6, 1 })
      s:insert({ 62.100000000000009, 0, 1.2, 1 })
      s:insert({ 64.100000000000009, 0, 1, 3 }, { static = true })
      for _, row in ipairs(s:push(plate, { 60.300000000000011, 0 })) do
        assert.is_false(row.crushed)
      end
      assert.equal(0, s.world:countPairs())
    end)
  end)

  it("crushes nobody of a row that fits between it and a wall, in tenths", function()
    local fits = 0
    for _, seed in ipairs(random.seeds(1000)) do
      local rng = random.new(seed)
      local world = broadside.newWorld()
      local x = rng:int(-1000, 1000) / 10
      local plate, wide = world:insert(x, 0, 1, 2), {}
      local at = x + 1
      for i = 1, rng:int(1, 4) do
        at, wide[i] = at + rng:int(0, 10) / 10, rng:int(1, 30) / 10
        if rng:chance(0.3) then
          world:insertCircle(at + wide[i] / 2, 1, wide[i] / 2)
        else
          world:insert(at, 0.5, wide[i], 1)
        end
        at = at + wide[i]
      end
      local wall = at + rng:int(0, 5) / 10
      world:insert(wall, 0, 1, 2, { static = true })
      local goal = wall - 1
      for _, by in ipairs(wide) do
        goal = goal - by
      end
      local far = goal + 1
      for _, by in ipairs(wide) do
        far = far + by
      end
      for _, share in ipairs({ rng:unit(), 1 }) do
        local from = plate:getRect()
        local to = share == 1 and goal or from + (goal - from) * share
        local _, _, rows, n = world:push(plate, to, 0)
        for i = 1, n do
          assert(far > wall or not rows[i].crushed, seed)
        end
      end
      fits = fits + (far <= wall and 1 or 0)
    end
    assert.is_true(fits > 0)
  end)

  -- The wall holds it, and the plate ends behind both.
  it("tells what it has gone right through, and does not call it crushed", function()
    scene.each(function(s)
      s:insert({ 10, 0, 10, 2 }, { static = true })
      local plate = s:insert({ 0, 0, 2, 2 }, { static = true })
      local box = s:insert({ 5, 0, 3, 2 })
      local rows = s:push(plate, { 30, 0 })
      assert.same({ 7, 0, 3, 2 }, s:getRect(box))
      assert.same({ 1, box, false }, { #rows, rows[1].other, rows[1].crushed })
    end)
  end)
end)

-- A lift of 20 x 2 with its top at y = 0, and gravity towards it.
local function newLift(s, opts)
  s:setGravity({ 0, -1 })
  return s:insert({ 0, -2, 20, 2 }, opts or { static = true })
end

describe("a stack on a lift", function()
  -- { x, y, w, h }: each rests on one before it. One of them is a plank that lies on two.
  local STACK = { { 2, 0, 4, 2 }, { 2, 2, 3, 1 }, { 1, 3, 3, 4 }, { 1, 7, 1, 1 }, { 3, 7, 1, 1 },
    { 8, 0, 1, 1 }, { 0, 8, 5, 1 }, { 4, 9, 1, 3 } }

  -- 4ian/GDevelop#2574, AdamAtomic/flixel#30, jimdroberts/FishMMO#228
  it("goes with it as a whole, each box as far as the lift and once, however high it is", function()
    scene.each(function(s)
      local lift, boxes = newLift(s), {}
      for i, rect in ipairs(STACK) do
        boxes[i] = s:insert(rect)
      end
      local beside = s:insert({ 30, 0, 4, 4 })
      local x, y = 0, 0
      for _, way in ipairs({ { 3, 0 }, { -1, 2 }, { 0, -4 } }) do
        x, y = x + way[1], y + way[2]
        local rows = s:push(lift, { x, y - 2 })
        assert.equal(#STACK, #rows)
        local told = {}
        for _, row in ipairs(rows) do
          assert.is_true(row.carried and not row.crushed and not told[row.other])
          told[row.other] = row.place
        end
        for i, rect in ipairs(STACK) do
          assert.same({ rect[1] + x, rect[2] + y, rect[3], rect[4] }, s:getRect(boxes[i]))
          assert.same({ rect[1] + x, rect[2] + y }, told[boxes[i]])
        end
      end
      assert.same({ 30, 0, 4, 4 }, s:getRect(beside))
      assert.equal(0, s.world:countPairs())
    end)
  end)

  it("rests on it in every frame, where places are rounded", function()
    scene.eachBackend(function(s)
      local lift = newLift(s)
      local low, top = s:insert({ 2, 0, 4, 0.7 }), s:insert({ 3, 0.7, 2, 0.1 })
      for frame = 1, 50 do
        local rows = s:push(lift, { 0.1 * frame, 3.3 * math.sin(frame) - 2 })
        assert.equal(2, #rows)
        assert.equal(lift, s:touching(low, { 0, -1 }))
        assert.equal(low, s:touching(top, { 0, -1 }))
        local x = s:getRect(low)[1]
        assert.is_true(math.abs(x - 2 - 0.1 * frame) < 1e-12)
        assert.is_true(math.abs(s:getRect(top)[1] - 1 - x) < 1e-12)
        assert.equal(0, s.world:countPairs())
      end
    end)
  end)

  -- The wall stops the lower box of the second stack after 2. By then a box of the first stack has
  -- pushed the upper box farther than that. It is not sent back.
  it("does not pull back what is carried less far than another rider has pushed it", function()
    scene.each(function(s)
      local lift = newLift(s)
      local under, over = s:insert({ 0, 0, 4, 2 }), s:insert({ 0, 2, 8, 2 })
      local held, top = s:insert({ 14, 0, 4, 2 }), s:insert({ 10, 2, 8, 2 })
      s:insert({ 20, 0, 2, 2 }, { static = true })
      local rows = s:push(lift, { 5, -2 })
      assert.equal(4, #rows)
      for _, row in ipairs(rows) do
        assert.is_true(row.carried and not row.crushed)
      end
      assert.same({ 5, 0, 4, 2 }, s:getRect(under))
      assert.same({ 5, 2, 8, 2 }, s:getRect(over))
      assert.same({ 16, 0, 4, 2 }, s:getRect(held))
      assert.same({ 13, 2, 8, 2 }, s:getRect(top))
    end)
  end)

  it("leaves out what is not there for the one that it rests on, and all above it", function()
    scene.each(function(s)
      local lift = newLift(s)
      local crate = s:insert({ 2, 0, 4, 2 }, { layer = 2, mask = 3 })
      local ghost = s:insert({ 2, 2, 4, 2 }, { layer = 4, mask = 5 }) -- it does not meet the crate
      local above = s:insert({ 2, 4, 4, 2 }, { layer = 4 })
      local rider = s:insert({ 5, 2, 1, 1 }) -- it overlaps the ghost, and rests on the crate
      rider:setFilter(1, 3)
      local rows = s:push(lift, { 3, -2 })
      assert.equal(2, #rows)
      assert.same({ 5, 0, 4, 2 }, s:getRect(crate))
      assert.same({ 8, 2, 1, 1 }, s:getRect(rider))
      assert.same({ 2, 2, 4, 2 }, s:getRect(ghost))
      assert.same({ 2, 4, 4, 2 }, s:getRect(above))
    end)
  end)

  it("is not crushed by a lift that goes into it by less than a place can tell", function()
    scene.each(function(s)
      s:setGravity({ 0, -1 })
      local lift = s:insert({ 0, -2, 3, 2 })
      s:insert({ 1, 0, 1, 1 })
      local rows = s:push(lift, { -12, -2 + 2^-52 })
      assert.equal(1, #rows)
      assert.is_true(rows[1].carried and not rows[1].crushed)
      s.world:clear()
      lift = s:insert({ 0, 0, 3, 2 })
      local rider = s:insert({ 1, 2, 1, 1 })
      rows = s:push(lift, { -12, 1e-31 })
      assert.equal(1, #rows)
      assert.is_true(rows[1].carried and not rows[1].crushed)
      assert.near(2, s:getRect(rider)[2], 2^-51)
    end)
  end)

  it("is crushed below alone where a ceiling holds its top, by more than the room there is",
    function()
      scene.each(function(s)
        for _, more in ipairs({ 0, 0.125, 1 }) do
          local lift = newLift(s)
          local low, top = s:insert({ 2, 0, 4, 2 }), s:insert({ 3, 2, 2, 2 })
          s:insert({ -50, 5, 100, 2 }, { static = true })
          local rows = s:push(lift, { 0, -1 + more }) -- there is room for one
          assert.equal(2, #rows)
          for _, row in ipairs(rows) do
            assert.is_true(row.carried)
            assert.equal(row.other == low and more > 0, row.crushed)
          end
          assert.same({ 2, 1, 4, 2 }, s:getRect(low))
          assert.same({ 3, 3, 2, 2 }, s:getRect(top))
          s.world:clear()
        end
      end)
    end)
end)

describe("what a plate crushes", function()
  -- kikito/bump.lua#49; phaserjs/phaser#1513, #4175, #3838, #5591
  it("is what it overlaps at the end: the one next to it of a row before a wall", function()
    scene.each(function(s)
      for _, more in ipairs({ -0.125, 0, 0.125 }) do
        local plate = s:insert({ 0, 0, 2, 4 })
        local near, far = s:insert({ 4, 1, 2, 2 }), s:insert({ 8, 0, 3, 3 })
        s:insert({ 12, -50, 2, 100 }, { static = true })
        local rows = s:push(plate, { 5 + more, 0 }) -- 12 - 2 - 2 - 3
        assert.equal(2, #rows)
        for _, row in ipairs(rows) do
          assert.is_false(row.carried)
          assert.equal(row.other == near and more > 0, row.crushed)
          assert.equal(row.crushed, #s:queryBox(row.other, plate) < #s:queryBox(row.other))
        end
        assert.same({ 7 + math.min(more, 0), 1, 2, 2 }, s:getRect(near))
        assert.same({ 9 + math.min(more, 0), 0, 3, 3 }, s:getRect(far))
        s.world:clear()
      end
    end)
  end)

  -- The second box of the platform does not meet the rider on its way, and ends in it.
  it("is a rider that a wall keeps back until another box of the platform is there", function()
    scene.each(function(s)
      for dx, crushed in pairs({ [2] = false, [3] = true }) do
        s:setGravity({ 0, -1 })
        local list = { s:insert({ 0, -2, 20, 2 }), s:insert({ 0, 0, 2, 2 }) }
        local rider = s:insert({ 4, 0, 2, 2 })
        s:insert({ 6, 0, 2, 20 }, { static = true })
        local hits, n = s.world:pushMany(list, values(s:vector({ dx, 6 })))
        assert.same({ 1, rider, true, crushed },
          { n, hits[1].other, hits[1].carried, hits[1].crushed })
        assert.same({ 4, 6, 2, 2 }, s:getRect(rider))
        s.world:clear()
      end
    end)
  end)

  -- The pushed box overlaps the other one, so it cannot go deeper into that.
  it("is what another box holds that it overlaps, on the far side of it", function()
    scene.each(function(s)
      local plate = s:insert({ 0, 0, 2, 2 })
      local box, other = s:insert({ 3, 0, 4, 6 }), s:insert({ 6, 3, 4, 2 })
      local rows = s:push(plate, { 2, 0 })
      assert.same({ 1, box, true }, { #rows, rows[1].other, rows[1].crushed })
      assert.same({ 3, 0, 4, 6 }, s:getRect(box))
      assert.same({ 6, 3, 4, 2 }, s:getRect(other))
    end)
  end)

  it("is not what only a crossed or a passed box seems to hold", function()
    scene.each(function(s)
      local plate = s:insert({ 0, 0, 2, 4 })
      local box = s:insert({ 4, 1, 2, 2 })
      local ghost = s:insert({ 7, 0, 2, 4 }, { static = true, mask = 2 })
      local rows = s:push(plate, { 6, 0 })
      assert.equal(1, #rows)
      assert.is_false(rows[1].crushed)
      assert.same({ 8, 1, 2, 2 }, s:getRect(box))
      assert.same({ 7, 0, 2, 4 }, s:getRect(ghost))
    end)
  end)
end)

describe("a push among random boxes", function()
  -- What overlapped the platform before is crushed only if it is left behind, so it is left out.
  it("crushes what it ends in, and nobody else", function()
    for _, seed in ipairs(random.seeds(300)) do
      local rng = random.new(seed)
      local world = broadside.newWorld({ gravity = { 0, rng:int(-1, 1) } })
      local function insert(i)
        local opts = { static = i > 3 and rng:chance(0.4) }
        local x, y, size = rng:int(-60, 60) / 2, rng:int(-60, 60) / 2, rng:int(1, 24) / 2
        local kind = i > 3 and rng:int(1, 3) or 1
        if kind == 1 then
          return world:insert(x, y, size, rng:int(1, 24) / 2, opts)
        elseif kind == 2 then
          return world:insertCircle(x, y, size / 2, opts)
        end
        return world:insertPolygon({ x, y, x + size, y, x + rng:int(0, 9), y - size }, opts)
      end
      local boxes, parts, was = {}, {}, {}
      for i = 1, 16 do
        boxes[i] = insert(i)
        parts[i] = i <= 3 and boxes[i] or nil
      end
      local function overlaps(box)
        for _, other in ipairs((world:queryBox(box))) do
          if other == parts[1] or other == parts[2] or other == parts[3] then
            return true
          end
        end
        return false
      end
      for i = 4, 16 do
        was[boxes[i]] = overlaps(boxes[i])
      end
      local rows, n = world:pushMany(parts, rng:int(-60, 60) / 2, rng:int(-60, 60) / 2)
      local crushed = {}
      for i = 1, n do
        crushed[rows[i].other] = rows[i].crushed
      end
      for i = 4, 16 do
        local box, told = boxes[i], crushed[boxes[i]]
        if was[box] then
          assert(not told or overlaps(box), seed)
        else
          assert(box:isStatic() or (told or false) == overlaps(box), seed)
        end
      end
    end
  end)
end)

describe("a one-way lift", function()
  -- Its top is at y = 0, and its face is there.
  local function newOneWay(s)
    return s:insert({ 0, -2, 20, 2 }, { static = true, oneWay = { 0, 1 } })
  end

  it("pushes with its face alone", function()
    scene.each(function(s)
      local lift = newOneWay(s)
      local above, beside = s:insert({ 2, 1, 2, 2 }), s:insert({ 22, -1.5, 1, 1 })
      local below = s:insert({ 2, -5, 2, 2 })
      assert.same({}, s:push(lift, { 10, -2 })) -- through what is beside it
      assert.same({}, s:push(lift, { 0, -2 }))
      assert.same({}, s:push(lift, { 0, -4 })) -- and through what is below
      local rows = s:push(lift, { 0, 0 })
      assert.equal(1, #rows)
      assert.is_true(rows[1].other == above and not rows[1].crushed and not rows[1].carried)
      assert.same({ 2, 2, 2, 2 }, s:getRect(above))
      assert.same({ 22, -1.5, 1, 1 }, s:getRect(beside))
      assert.same({ 2, -5, 2, 2 }, s:getRect(below))
    end)
  end)

  it("is not there for what it overlaps", function()
    scene.each(function(s)
      local lift = newOneWay(s)
      local within = s:insert({ 2, -1, 2, 2 })
      assert.same({}, s:push(lift, { 1, 0 }))
      assert.same({ 2, -1, 2, 2 }, s:getRect(within))
    end)
  end)

  it("carries what rests on its face, and nothing at a side that gravity presses on", function()
    scene.each(function(s)
      local lift = newOneWay(s)
      local rider, beside = s:insert({ 2, 0, 2, 2 }), s:insert({ 20, -2, 2, 2 })
      for gravity, carried in pairs({ [-1] = rider, [0] = beside }) do
        s:setGravity({ gravity == 0 and -1 or 0, gravity })
        local rows = s:push(lift, { 0, -3 })
        assert.equal(carried == rider and 1 or 0, #rows)
        s:push(lift, { 0, -2 })
        s:update(rider, { 2, 0 })
        assert.same({ 20, -2, 2, 2 }, s:getRect(beside))
      end
    end)
  end)
end)

describe("a push", function()
  -- A box as a polygon of four corners is the same box.
  local function asPolygon(box)
    local x, y, w, h = box:getRect()
    box:setShape("polygon", { x, y, x + w, y, x + w, y + h, x, y + h })
  end

  it("moves a box and a polygon with its corners to the same place", function()
    local rng = random.new(1)
    for _ = 1, compat.rounds(200) do
      local places, wx, wy = {}, rng:int(-60, 60), rng:int(-60, 60)
      local x, y = rng:int(-80, 80), rng:int(-80, 80)
      for turn = 1, 3 do
        local world = broadside.newWorld()
        local lift = world:insert(0, 0, 30, 20)
        local box = world:insert(x, y, 20, 10)
        if turn > 1 then
          asPolygon(turn == 2 and box or lift)
        end
        local _, n = world:queryBox(lift)
        world:push(lift, wx, wy)
        places[turn] = n == 0 and { box:getRect() } or {}
      end
      for turn = 2, 3 do
        for i = 1, #places[1] do
          assert.near(places[1][i], places[turn][i], 1e-9)
        end
      end
    end
  end)

  it("crushes nobody who can slide up a slope, and leaves everybody flush", function()
    for _, degrees in ipairs({ 5, 10, 20, 30, 40, 60, 80, 85 }) do
      for _, side in ipairs({ 1, -1 }) do
        local world = broadside.newWorld({ gravity = { 0, 10 } })
        local rise = 900 * math.tan(math.rad(degrees))
        world:insertPolygon({ 0, 0, side * 900, -rise, side * 900, 0 }, { static = true })
        local box = world:insert(side == 1 and -20 or 0, -20, 20, 20)
        local wall = world:insert(side == 1 and -60 or 20, -900, 40, 890)
        for i = 1, 20 do
          local x = wall:getRect()
          local _, _, rows, n = world:push(wall, x + side * 3, -900)
          assert.equal(1, n)
          assert.is_false(rows[1].crushed)
          local bx, by = box:getRect()
          assert.near(side == 1 and -20 + 3 * i or -3 * i, bx, 1e-9)
          assert.near(-20 - math.tan(math.rad(degrees)) * 3 * i, by, 1e-6)
        end
      end
    end
  end)

  -- In one push its corner goes 50 to the side on the first slope, and 10 on the second.
  it("moves out along one slope after the other", function()
    for side = -1, 1, 2 do
      local world = broadside.newWorld()
      world:insertPolygon({ 0, 0, side * 50, -25, side * 50, 0 }, { static = true })
      world:insertPolygon({ side * 50, -25, side * 90, -65, side * 90, -25 }, { static = true })
      local box = world:insert(side == 1 and -20 or 0, -20, 20, 20)
      local wall = world:insert(side == 1 and -60 or 20, -900, 40, 890)
      local _, _, rows, n = world:push(wall, side == 1 and 0 or -40, -900)
      assert.same({ 1, box, false }, { n, rows[1].other, rows[1].crushed })
      assert.near(side == 1 and 40 or -60, rows[1].x, 1e-9)
      assert.near(-55, rows[1].y, 1e-6)
    end
  end)

  -- At 45 degrees a box slides under the corner of the one before it.
  it("crushes nobody of a row that it pushes up a slope", function()
    for _, shape in ipairs({ "box", "polygon" }) do
      for angle = 5, 55, 5 do
        local w = broadside.newWorld()
        local high = 400 * math.tan(math.rad(angle))
        w:insertPolygon({ 0, 0, 400, -high, 400, 0 }, { static = true })
        w:insert(-400, 0, 400, 50, { static = true })
        local row = {}
        for i = 1, 3 do
          local x = -20 * i
          row[i] = w:insert(x, -20, 20, 20)
          if shape == "polygon" then
            row[i]:setShape("polygon", { x, -20, x + 20, -20, x + 20, 0, x, 0 })
          end
        end
        local wall = w:insert(-100, -600, 40, 600 - 2 ^ -10)
        for i = 1, 40 do
          local _, _, hits, n = w:push(wall, -100 + 3 * i, -600)
          for k = 1, n do
            assert(not hits[k].crushed, ("a %s is crushed at %g degrees"):format(shape, angle))
          end
        end
        for _, box in ipairs(row) do
          assert.equal(0, #w:queryBox(box))
        end
      end
    end
  end)

  it("moves what is in the way of what it moves along the normals of these", function()
    local world = broadside.newWorld()
    local ram = world:insert(0, 0, 10, 10)
    local first, second = world:insertCircle(15, 5, 5), world:insert(20, 0, 10, 10)
    local wall = world:insert(60, 0, 10, 10, { static = true })
    local _, _, rows, n = world:push(ram, 20, 0)
    assert.equal(2, n)
    assert.is_false(rows[1].crushed or rows[2].crushed)
    assert.same({ 30, 40 }, { (first:getRect()), (second:getRect()) })
    _, _, rows = world:push(ram, 35, 0)
    assert.is_true(rows[1].crushed)
    assert.near(50, (second:getRect()), 1e-9)
    assert.is_false(wall:isRemoved())
  end)
end)

describe("pushMany", function()
  local function newPlatform(world, flat)
    return world:insertMany(flat, { static = true })
  end

  it("moves boxes as one, and carries once what rests on several of them", function()
    for _, order in ipairs({ { 1, 2 }, { 2, 1 }, { 1, 2, 1 } }) do
      local world = broadside.newWorld({ gravity = { 0, 1 } })
      local parts = newPlatform(world, { 0, 100, 50, 10, 50, 100, 50, 10 })
      local rider, top = world:insert(40, 80, 20, 20), world:insert(45, 70, 5, 10)
      local list = {}
      for i, part in ipairs(order) do
        list[i] = parts[part]
      end
      for i = 1, 10 do
        local hits, n = world:pushMany(list, 3, -2)
        assert.equal(2, n)
        assert.same({ rider, true, false }, { hits[1].other, hits[1].carried, hits[1].crushed })
        assert.same({ top, true, false }, { hits[2].other, hits[2].carried, hits[2].crushed })
        assert.same({ 40 + 3 * i, 80 - 2 * i, 20, 20 }, { rider:getRect() })
        assert.same({ 45 + 3 * i, 70 - 2 * i, 5, 10 }, { top:getRect() })
        assert.same({ 3 * i, 100 - 2 * i, 50, 10 }, { parts[1]:getRect() })
        assert.same({ 50 + 3 * i, 100 - 2 * i, 50, 10 }, { parts[2]:getRect() })
      end
    end
  end)

  it("pushes by no inner corner: parts with one face do as one box does", function()
    for _, order in ipairs({ { 1, 2 }, { 2, 1 } }) do
      scene.each(function(s)
        local flat = { s:insert({ 0, 0, 16, 8 }), s:insert({ 16, 0, 16, 8 }) }
        local box = s:insert({ 18, 10, 20, 4 })
        local list = { flat[order[1]], flat[order[2]] }
        local _, n = s.world:pushMany(list, values(s:vector({ 12, 9 })))
        assert.equal(1, n)
        assert.same({ 18, 17, 20, 4 }, s:getRect(box))
      end)
    end
    for _, order in ipairs({ { 1, 2 }, { 2, 1 } }) do
      local world = broadside.newWorld()
      local parts = newPlatform(world, { 0, 0, 1.6875, 1.75, 1.6875, 0, 4, 1.75 })
      local ball = world:insertCircle(2.375, 3.25, 0.8125)
      world:pushMany({ parts[order[1]], parts[order[2]] }, 0, 1.125)
      assert.equal(2.375, (ball:getCenter()))
      assert.is_near(2.875 + 0.8125, select(2, ball:getCenter()), 1e-9)
    end
  end)

  it("pushes by each side of a bucket that a box comes to on its way along the other", function()
    for _, order in ipairs({ { 1, 2 }, { 2, 1 } }) do
      scene.each(function(s)
        local parts = { s:insert({ 0, 0, 20, 2 }), s:insert({ 0, 2, 2, 10 }) }
        local box = s:insert({ 6, 3, 4, 4 })
        s.world:pushMany({ parts[order[1]], parts[order[2]] }, values(s:vector({ 10, 5 })))
        assert.same({ 12, 7, 4, 4 }, s:getRect(box))
      end)
    end
  end)

  it("does not carry a box of its own that rests on what it carries", function()
    scene.each(function(s)
      s:setGravity({ 0, -1 })
      local parts = { s:insert({ 0, 0, 20, 2 }), s:insert({ 0, 4, 20, 2 }) }
      local rider = s:insert({ 2, 2, 2, 2 })
      local hits, n = s.world:pushMany(parts, values(s:vector({ 3, 5 })))
      assert.same({ 1, rider }, { n, hits[1].other })
      assert.same({ 5, 7, 2, 2 }, s:getRect(rider))
      assert.same({ 3, 9, 20, 2 }, s:getRect(parts[2]))
    end)
  end)

  it("is a push, if it is given one box", function()
    local rng = random.new(2)
    for _ = 1, compat.rounds(100) do
      local function build()
        local world = broadside.newWorld({ gravity = { 0, 1 } })
        return world, world:insert(0, 0, 30, 10)
      end
      local one, a = build()
      local many, b = build()
      for _ = 1, 12 do
        local x, y, w, h = rng:int(-60, 60), rng:int(-60, 60), rng:int(1, 20), rng:int(1, 20)
        local static = rng:chance(0.3)
        one:insert(x, y, w, h, { static = static })
        many:insert(x, y, w, h, { static = static })
      end
      local dx, dy = rng:int(-40, 40), rng:int(-40, 40)
      local _, _, rows, n = one:push(a, dx, dy)
      local others, m = many:pushMany({ b }, dx, dy)
      assert.equal(n, m)
      for i = 1, n do
        assert.same({ rows[i].x, rows[i].y, rows[i].crushed, rows[i].carried },
          { others[i].x, others[i].y, others[i].crushed, others[i].carried })
      end
      assert.equal(one:snapshot():getHash(), many:snapshot():getHash())
    end
  end)

  it("asks a filter function about the box that meets, and never about its own boxes", function()
    local world = broadside.newWorld({ gravity = { 0, 1 } })
    local parts = newPlatform(world, { 0, 100, 50, 10, 50, 80, 50, 30 })
    local rider, ahead = world:insert(10, 90, 10, 10), world:insert(105, 85, 10, 10)
    local asked = {}
    local _, n = world:pushMany(parts, 10, 0, function(box, other)
      asked[#asked + 1] = { box, other }
      return other ~= rider and "slide"
    end)
    assert.same({ { parts[1], rider }, { parts[2], ahead } }, asked)
    assert.equal(1, n)
    assert.same({ 110, 10 }, { (ahead:getRect()), (rider:getRect()) })
  end)

  it("of no boxes does nothing, and holds no memory that trim does not free", function()
    for boxes = 0, 1 do
      local world = broadside.newWorld({ gravity = { 0, 1 } })
      for _ = 1, boxes do
        world:insert(0, 0, 1, 1)
      end
      world:trim()
      local before = world:stats().memory
      assert.same({ 0 }, { select(2, world:pushMany({}, 3, -2)) })
      world:trim()
      assert.equal(before, world:stats().memory)
    end
  end)
end)

describe("a sensor", function()
  it("is neither pushed nor carried, and stops nobody who is", function()
    scene.each(function(s)
      s:setGravity({ 0, -10 })
      local lift, player = s:insert({ 0, 0, 10, 2 }), s:insert({ 0, 2, 2, 2 })
      local inTheWay = s:insert({ 0, 5, 10, 1 }, { sensor = true })
      local rider = s:insert({ 6, 2, 2, 2 }, { sensor = true })
      local function ask(_, other)
        assert.is_true(other == player, "of sensors nobody is asked")
        return "slide"
      end
      for i = 1, 3 do
        local rows = s:push(lift, { 0, 3 * i }, ({ [2] = ask, [3] = { slide = 1 } })[i])
        assert.equal(1, #rows)
        assert.same({ player, true, false }, { rows[1].other, rows[1].carried, rows[1].crushed })
        assert.same({ 0, 3 * i + 2, 2, 2 }, s:getRect(player))
      end
      assert.same({ 0, 5, 10, 1 }, s:getRect(inTheWay))
      assert.same({ 6, 2, 2, 2 }, s:getRect(rider))
    end)
  end)

  it("pushes and carries nobody itself", function()
    scene.each(function(s)
      s:setGravity({ 0, -10 })
      local cloud = s:insert({ 0, 0, 10, 2 }, { sensor = true })
      s:insert({ 0, 2, 2, 2 })
      s:insert({ 12, 0, 2, 2 })
      assert.same({}, s:push(cloud, { 9, 5 }))
    end)
  end)

  it("among the boxes of a platform goes along, and pushes and carries nobody", function()
    local world = broadside.newWorld({ gravity = { 0, 1 } })
    local parts = world:insertMany({ 0, 100, 50, 10, 50, 100, 50, 10 })
    parts[2]:setSensor(true)
    local rider, other = world:insert(10, 90, 10, 10), world:insert(60, 90, 10, 10)
    local ahead = world:insert(102, 100, 10, 10)
    local hits, n = world:pushMany(parts, 5, -2)
    assert.same({ 1, rider, true, false }, { n, hits[1].other, hits[1].carried, hits[1].crushed })
    assert.same({ 15, 88 }, { compat.unpack({ rider:getRect() }, 1, 2) })
    assert.same({ 60, 90 }, { compat.unpack({ other:getRect() }, 1, 2) })
    assert.same({ 102, 100 }, { compat.unpack({ ahead:getRect() }, 1, 2) })
    assert.same({ 55, 98 }, { compat.unpack({ parts[2]:getRect() }, 1, 2) })
  end)

  it("among the boxes of a platform crushes nobody who is held back in it", function()
    local world = broadside.newWorld({ gravity = { 0, 1 } })
    local parts = world:insertMany({ 0, 100, 50, 10, 0, 80, 10, 20 })
    local rider = world:insert(10, 90, 10, 10)
    world:insert(20, 80, 10, 20, { static = true })
    for _, sensor in ipairs({ true, false }) do
      parts[2]:setSensor(sensor)
      local hits, n = world:pushMany(parts, 5, 0)
      assert.same({ 1, rider, not sensor }, { n, hits[1].other, hits[1].crushed })
      assert.equal(10, (rider:getRect()))
      world:updateMany(parts, { 0, 100, 0, 80 })
    end
  end)

  it("over a row that is pushed, or a stack that is carried, changes no bit", function()
    local function ends(size, goal, sensor)
      local world = broadside.newWorld({ gravity = { 0, -10 } })
      local boxes = { world:insert(0, 0, size, size) }
      for i = 1, 4 do
        local last = boxes[i]
        local x, _, w = last:getRect()
        boxes[i + 1] = world:insert(x + w, 0, size, size)
      end
      for i = 1, 4 do
        local _, y, _, h = (i == 1 and boxes[1] or boxes[#boxes]):getRect()
        boxes[#boxes + 1] = world:insert(0, y + h, size, size)
      end
      if sensor then
        world:insert(-99, -99, 999, 999, { sensor = true })
      end
      world:push(boxes[1], goal, 2 * goal)
      return (world:getRects(boxes))
    end
    for _, seed in ipairs(random.seeds(100)) do
      local rng = random.new(seed)
      local size, goal = rng:int(1, 20) / 10, rng:int(1, 90) / 10
      assert.same(ends(size, goal, false), ends(size, goal, true))
    end
  end)

  it("changes nothing about where those that are pushed come to", function()
    local function ends(places, sensors)
      local world = broadside.newWorld({ gravity = { 0, 10 } })
      local boxes = {}
      for i, place in ipairs(places) do
        boxes[i] = world:insert(place[1], place[2], place[3], place[4], { static = place.static })
      end
      for _, place in ipairs(sensors) do
        world:insert(place[1], place[2], place[3], place[4], { sensor = true })
      end
      local hits = select(3, world:push(boxes[1], places.x, places.y))
      for _, hit in ipairs(hits) do
        assert.is_false(hit.other:isSensor())
      end
      return (world:getRects(boxes))
    end
    for _, seed in ipairs(random.seeds(100)) do
      local rng = random.new(seed)
      local places, sensors = { x = rng:int(-9, 9) / 10, y = rng:int(-9, 9) / 10 }, {}
      for i = 1, 12 do
        local list = i > 6 and sensors or places
        list[#list + 1] = { rng:int(-20, 20) / 10, rng:int(-20, 20) / 10, rng:int(1, 9) / 10,
          rng:int(1, 9) / 10, static = rng:chance(0.2) }
      end
      assert.same(ends(places, {}), ends(places, sensors))
    end
  end)
end)
