-- Hand-made cases of push, in every symmetry and on every back end.

local scene = require("spec.support.scene")

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

  it("goes through static boxes, and crushes what they hold", function()
    scene.each(function(s)
      local plate = s:insert({ 0, 0, 2, 4 })
      s:insert({ 9, 0, 2, 4 }, { static = true })
      local box = s:insert({ 5, 1, 2, 2 })
      local rows = s:push(plate, { 6, 0 })
      assert.same({ 7, 1, 2, 2 }, s:getRect(box))
      assert.is_true(rows[1].crushed)
      -- It overlaps the plate now, and goes with it as far as it can.
      rows = s:push(plate, { 20, 0 })
      assert.same({ 7, 1, 2, 2 }, s:getRect(box))
      assert.is_true(rows[1].crushed)
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

  -- What lies in the way rests, against gravity, on something that is not to be carried.
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
      local rows = s:push(lift, { 1, 0 }, function(_, other)
        return other ~= passed and "slide"
      end)
      assert.equal(2, #rows)
      assert.is_true(rows[1].carried and rows[2].carried)
      assert.same({ 0, 2, 5, 2 }, s:getRect(passed))
      assert.same({ 6, 2, 5, 2 }, s:getRect(crate))
      assert.same({ 4, 4, 4, 2 }, s:getRect(top))
    end)
  end)

  -- The rider's far side is 0.29999999999999716, and is as near to 0.3 as it can be.
  it("carries what is much larger than the platform, and less exact", function()
    scene.eachBackend(function(s)
      s:setGravity({ 0, 1 })
      local lift = s:insert({ 0, 0.3, 10, 0.0625 }, { static = true })
      local rider = s:insert({ 0, -200, 10, 100 })
      s:move(rider, { 0, 100 })
      assert.equal(0.3 - 100, s:getRect(rider)[2])
      local rows = s:push(lift, { 1, 1 })
      assert.equal(1, #rows)
      assert.is_true(rows[1].carried)
      assert.same({ 1, 1 - 100, 10, 100 }, s:getRect(rider))
    end)
  end)

  it("tells what it has gone right through, too: it could not get out of the way", function()
    scene.each(function(s)
      s:insert({ 10, 0, 10, 2 }, { static = true })
      local plate = s:insert({ 0, 0, 2, 2 }, { static = true })
      local box = s:insert({ 5, 0, 3, 2 })
      local rows = s:push(plate, { 30, 0 })
      assert.same({ 7, 0, 3, 2 }, s:getRect(box))
      assert.equal(1, #rows)
      assert.is_true(rows[1].crushed)
    end)
  end)
end)

-- A lift of 20 x 2 with its top at y = 0, and gravity towards it.
local function newLift(s, opts)
  s:setGravity({ 0, -1 })
  return s:insert({ 0, -2, 20, 2 }, opts or { static = true })
end

describe("a stack on a lift", function()
  -- { x, y, w, h }: each rests on one before it; a plank lies on two of them.
  local STACK = { { 2, 0, 4, 2 }, { 2, 2, 3, 1 }, { 1, 3, 3, 4 }, { 1, 7, 1, 1 }, { 3, 7, 1, 1 },
    { 8, 0, 1, 1 }, { 0, 8, 5, 1 }, { 4, 9, 1, 3 } }

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
