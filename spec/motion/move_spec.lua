-- Hand-made cases of move, moveBy, check and moveMany, in every symmetry and on every back end.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local expect = require("spec.support.expect")
local random = require("spec.support.random")
local scene = require("spec.support.scene")

-- Compares only the fields that an expected row has.
local function expectRows(expected, rows)
  assert.equal(#expected, #rows)
  for i, row in ipairs(expected) do
    for key, value in pairs(row) do
      assert.same(value, rows[i][key], key)
    end
  end
end

-- A mover of 2 x 2 at 0, 0 and a wall 5 to the right of it that reaches far up and down.
local function moverAndWall(s, opts)
  return s:insert({ 0, 0, 2, 2 }, opts), s:insert({ 7, -50, 2, 100 }, { static = true })
end

describe("a response", function()
  it("slide: stops on the axis of the face and goes on along the other", function()
    scene.each(function(s)
      local mover, wall = moverAndWall(s)
      local place, rows = s:move(mover, { 10, 4 }, { slide = 1 })
      assert.same({ 5, 4 }, place)
      assert.same({ 5, 4, 2, 2 }, s:getRect(mover))
      expectRows({
        {
          other = wall, response = "slide", t = 0.5, place = { 5, 2 }, normal = { -1, 0 },
          overlap = false,
        },
      }, rows)
    end)
  end)

  it("touch: stops where it is", function()
    scene.each(function(s)
      local mover, wall = moverAndWall(s)
      local place, rows = s:move(mover, { 10, 4 }, { touch = 1 })
      assert.same({ 5, 2 }, place)
      expectRows({ { other = wall, response = "touch", t = 0.5, place = { 5, 2 } } }, rows)
    end)
  end)

  it("bounce: turns round what is left on the axis, times its bounce", function()
    scene.each(function(s)
      for bounce, x in pairs({ [0] = 5, [0.5] = 2.5, [1] = 0 }) do
        local mover, wall = moverAndWall(s, { bounce = bounce })
        assert.equal(bounce, mover:getBounce())
        local place, rows = s:move(mover, { 10, 4 }, { bounce = 1 })
        assert.same({ x, 4 }, place)
        expectRows({ { other = wall, response = "bounce", t = 0.5, normal = { -1, 0 } } }, rows)
        mover:remove()
        wall:remove()
      end
    end)
  end)

  it("cross: goes on, and is told once", function()
    scene.each(function(s)
      local mover, wall = moverAndWall(s)
      local place, rows = s:move(mover, { 20, 8 }, { cross = 1 })
      assert.same({ 20, 8 }, place)
      expectRows({
        {
          other = wall, response = "cross", t = 0.25, place = { 5, 2 }, normal = { -1, 0 },
          overlap = false,
        },
      }, rows)
    end)
  end)

  -- The wall turns it round at 5, and it goes through the zone again.
  it("cross: is told once also if a bounce leads back through the box", function()
    scene.each(function(s)
      local mover, wall = moverAndWall(s)
      local zone = s:insert({ 3, -50, 1, 100 }, { layer = 2, static = true })
      local place, rows = s:move(mover, { 10, 0 }, { bounce = 1, cross = 2 })
      assert.same({ 0, 0 }, place)
      expectRows({ { other = zone, t = 0.1 }, { other = wall, t = 0.5 } }, rows)
    end)
  end)

  it("is needed: what is met with none is not there", function()
    scene.each(function(s)
      local mover = moverAndWall(s)
      for _, filter in ipairs({ 0, 2, { slide = 0 }, { slide = 2, cross = 4 } }) do
        local place, rows = s:check(mover, { 20, 8 }, filter)
        assert.same({ 20, 8 }, place)
        assert.same({}, rows)
      end
    end)
  end)

  it("changes what is left, and only that: one wall after the other", function()
    scene.each(function(s)
      local mover, wall = moverAndWall(s)
      local floor = s:insert({ -50, 12, 100, 2 }, { static = true })
      local place, rows = s:move(mover, { 10, 20 })
      assert.same({ 5, 10 }, place)
      expectRows({
        { other = wall, t = 0.5, place = { 5, 10 }, normal = { -1, 0 } },
        { other = floor, t = 0.5, place = { 5, 10 }, normal = { 0, -1 } },
      }, rows)
    end)
  end)

  it("of two walls may make it bounce between them, each bounce a hit of its own", function()
    scene.each(function(s)
      local mover, right = moverAndWall(s)
      local left = s:insert({ -3, -50, 2, 100 }, { static = true })
      local place, rows = s:move(mover, { 16, 0 }, { bounce = 1 })
      assert.same({ 4, 0 }, place) -- 5 to the right, 6 back, 5 of 6 to the right again
      expectRows({
        { other = right, t = 5 / 16, normal = { -1, 0 } },
        { other = left, t = 11 / 16, normal = { 1, 0 }, place = { -1, 0 } },
      }, rows)
    end)
  end)

  -- There a double is a multiple of 0.25. Faces that are 6 apart must not count as one place.
  it("of two walls may do so far from the origin", function()
    scene.eachBackend(function(s)
      local far = 2 ^ 50
      s:insert({ far + 7, -50, 2, 100 }, { static = true })
      s:insert({ far - 3, -50, 2, 100 }, { static = true })
      local mover = s:insert({ far, 0, 2, 2 })
      local place, rows = s:move(mover, { far + 16, 0 }, { bounce = 1 })
      assert.same({ { far + 4, 0 }, 2 }, { place, #rows })
    end)
  end)

  -- The box meets the floor and the wall at once, after half of its way. Then { 5, -3 } is left.
  it("of a floor may be a bounce, and that of a wall beside it a slide", function()
    scene.each(function(s)
      for _, others in ipairs({ "boxes", "shapes" }) do
        for _, first in ipairs({ "floor", "wall" }) do
          s.world:clear()
          if first == "wall" then
            s:insert({ 7, -50, 2, 100 }, { layer = 2 })
          end
          s:insert({ -50, -5, 100, 2 })
          if first == "floor" then
            s:insert({ 7, -50, 2, 100 }, { layer = 2 })
          end
          if others == "shapes" then
            s:insertCircle({ 100, 100 }, 1)
          end
          local mover = s:insert({ 0, 0, 2, 2 })
          local place, rows = s:move(mover, { 10, -6 }, { bounce = 1, slide = 2 })
          assert.same({ { 5, 0 }, 2 }, { place, #rows })
        end
      end
    end)
  end)

  -- Each bounce halves what is left: the box goes 5 of 30, 6 of 12.5, and 3.25.
  it("bounce: keeps its share of the motion at each of them", function()
    scene.each(function(s)
      local mover, right = moverAndWall(s, { bounce = 0.5 })
      local left = s:insert({ -3, -50, 2, 100 }, { static = true })
      local place, rows = s:move(mover, { 30, 7 }, { bounce = 1 })
      assert.same({ -1 + 3.25, 7 }, place)
      assert.equal(2, #rows)
      assert.is_true(rows[1].other == right and rows[2].other == left)
      assert.is_true(math.abs(rows[1].t - 5 / 30) < 1e-12)
      assert.is_true(math.abs(rows[2].t - (5 / 30 + 6 / 15)) < 1e-12)
    end)
  end)

  it("ends after 16 bounces", function()
    scene.each(function(s)
      local mover = moverAndWall(s)
      s:insert({ -3, -50, 2, 100 }, { static = true })
      local place, rows = s:move(mover, { 1e6, 0 }, { bounce = 1 })
      assert.equal(16, #rows)
      assert.same({ -1, 0 }, place)
    end)
  end)
end)

describe("a filter", function()
  it("of nil slides along all that could make a pair with it, static or not", function()
    scene.each(function(s)
      local mover = s:insert({ 0, 0, 2, 2 }, { layer = 2, mask = 5 })
      local function meets(layer, mask, static)
        local other = s:insert({ 5, 0, 2, 2 }, { layer = layer, mask = mask, static = static })
        local place, rows = s:check(mover, { 10, 0 })
        other:remove()
        assert.equal(#rows == 1 and 3 or 10, place[1])
        return #rows == 1
      end
      assert.is_true(meets(1, 2))
      assert.is_true(meets(4, 2, true))
      assert.is_true(meets(7, -1))
      assert.is_false(meets(2, -1))
      assert.is_false(meets(1, 1))
      assert.is_false(meets(1, 0))
      mover:setStatic(true)
      assert.is_true(meets(1, 2))
      assert.is_true(meets(1, 2, true))
    end)
  end)

  it("of a mask slides along its layers, whatever the mover's are", function()
    scene.each(function(s)
      local mover = s:insert({ 0, 0, 2, 2 }, { layer = 2, mask = 0 })
      local near = s:insert({ 5, 0, 2, 2 }, { layer = 3, mask = 0 })
      local far = s:insert({ 9, 0, 2, 2 }, { layer = 4 })
      local function ends(filter)
        local place, rows = s:check(mover, { 20, 0 }, filter)
        return place[1], rows[1] and rows[1].other, rows[1] and rows[1].response
      end
      assert.same({ 3, near, "slide" }, { ends(1) })
      assert.same({ 3, near, "slide" }, { ends(2) })
      assert.same({ 7, far, "slide" }, { ends(4) })
      assert.same({ 3, near, "slide" }, { ends(-1) })
      assert.equal(20, (ends(8)))
      assert.equal(20, (ends()))
    end)
  end)

  it("of a Box is nil, but for that one", function()
    scene.each(function(s)
      local mover = s:insert({ 0, 0, 2, 2 }, { layer = 2, mask = 1 })
      local near = s:insert({ 5, 0, 2, 2 })
      local far = s:insert({ 9, 0, 2, 2 })
      s:insert({ 7, 0, 1, 1 }, { layer = 2 })
      assert.same({ 7, 0 }, (s:check(mover, { 20, 0 }, near)))
      assert.same({ 3, 0 }, (s:check(mover, { 20, 0 }, far)))
      assert.same({ 3, 0 }, (s:check(mover, { 20, 0 }, mover)))
    end)
  end)

  it("of a table takes the first of touch, bounce, slide, cross that has the layer", function()
    scene.each(function(s)
      local mover = moverAndWall(s)
      local order = { "touch", "bounce", "slide", "cross" }
      for first = 1, 4 do
        local masks = {}
        for i = first, 4 do
          masks[order[i]] = 1
        end
        local _, rows = s:check(mover, { 20, 0 }, masks)
        assert.equal(order[first], rows[1].response)
        masks[order[first]] = 2
        _, rows = s:check(mover, { 20, 0 }, masks)
        assert.equal(order[first + 1], rows[1] and rows[1].response)
      end
    end)
  end)

  it("of a table takes true for all that could make a pair with the box", function()
    scene.each(function(s)
      -- The mover makes pairs with layers 4 and 8 whose mask has 1 or 2, so not with the wall.
      local mover = moverAndWall(s, { layer = 3, mask = 12 })
      local crate = s:insert({ 9, 0, 1, 1 }, { layer = 4 })
      local other = s:insert({ 4, 0, 1, 1 }, { layer = 16 })
      s:insert({ 4, 0, 1, 1 }, { layer = 8, mask = 16 })
      local function met(filter)
        local place, rows = s:check(mover, { 20, 0 }, filter)
        local last = rows[#rows] or {}
        return { place[1], #rows, last.response, last.other }
      end
      assert.same({ 7, 1, "slide", crate }, met(nil))
      assert.same({ 7, 1, "slide", crate }, met({ slide = true }))
      assert.same({ 7, 1, "touch", crate }, met({ touch = true, slide = true }))
      assert.same({ 7, 1, "slide", crate }, met({ touch = true, slide = 4 })) -- masks come first
      assert.same({ 20, 1, "cross", crate }, met({ cross = 4, slide = true }))
      assert.same({ 7, 2, "slide", crate }, met({ cross = 16, slide = true }))
      assert.same({ 20, 1, "cross", crate }, met({ cross = true }))
      assert.same({ 2, 1, "slide", other }, met({ cross = true, slide = 16 }))
      crate:setSensor(true)
      assert.same({ 20, 1, "cross", crate }, met({ slide = true }))
      crate:setSensor(false)
      crate:setStatic(true)
      mover:setStatic(true) -- static boxes may be moved along each other
      assert.same({ 7, 1, "slide", crate }, met({ slide = true }))
    end)
  end)

  it("of a function says it for each box that would be met, and is asked once", function()
    scene.each(function(s)
      local mover, wall = moverAndWall(s, { layer = 0, mask = 0 })
      local trigger = s:insert({ 3, 0, 1, 1 }, { layer = 0 })
      local ghost = s:insert({ 4, 0, 1, 1 })
      s:insert({ 3, 30, 1, 1 }) -- not met
      s:insert({ 30, 0, 1, 1 }) -- behind the wall
      local asked = {}
      local answers = { [wall] = "slide", [trigger] = "cross", [ghost] = false }
      local place, rows = s:move(mover, { 20, 0 }, function(...)
        assert.equal(2, select("#", ...))
        local box, other = ...
        assert.equal(mover, box)
        asked[#asked + 1] = other
        return answers[other]
      end)
      assert.same({ 5, 0 }, place)
      expect.boxes({ trigger, ghost, wall }, asked)
      expectRows({
        { other = trigger, response = "cross" }, { other = wall, response = "slide" },
      }, rows)
    end)
  end)

  it("of a function is asked once about a box that is met twice", function()
    scene.each(function(s)
      local mover = moverAndWall(s)
      s:insert({ -3, -50, 2, 100 }, { static = true })
      local asked = 0
      local _, rows = s:move(mover, { 40, 0 }, function()
        asked = asked + 1
        return "bounce"
      end)
      assert.equal(2, asked)
      assert.equal(6, #rows)
    end)
  end)

  it("of a function may ask the world, and check where others would go", function()
    scene.each(function(s)
      local mover, wall = moverAndWall(s)
      local other = s:insert({ 0, 10, 2, 2 })
      local seen
      local place = s:move(mover, { 20, 0 }, function()
        local there, rows = s:check(other, { 20, 10 }, function()
          return s:touching(other, { 1, 0 }) == nil and "touch"
        end)
        seen = { there, rows[1].other }
        return "slide"
      end)
      assert.same({ 5, 0 }, place)
      assert.same({ { 5, 10 }, wall }, seen)
    end)
  end)
end)

describe("the way", function()
  it("meets the nearest first, then what is left of the way", function()
    scene.each(function(s)
      local far = s:insert({ 20, -50, 2, 100 })
      local near = s:insert({ 10, -2, 2, 4 })
      local mover = s:insert({ 0, 0, 2, 2 })
      local place, rows = s:move(mover, { 40, 8 })
      assert.same({ 8, 8 }, place)
      expectRows({ { other = near } }, rows)
      place, rows = s:move(mover, { 40, 10 })
      assert.same({ 18, 10 }, place)
      expectRows({ { other = far } }, rows)
    end)
  end)

  it("takes faces before corners, then the box inserted first", function()
    scene.each(function(s)
      local mover = s:insert({ 0, 0, 2, 2 })
      local corner = s:insert({ 4, 4, 2, 2 })
      local first = s:insert({ -4, 4, 7, 2 })
      local second = s:insert({ 0, 4, 4, 2 })
      -- It meets all three at the same time. As it slides, it does not meet the corner any more.
      local place, rows = s:move(mover, { 8, 8 })
      assert.same({ 8, 2 }, place)
      expectRows({ { other = first, normal = { 0, -1 }, t = 0.25 } }, rows)
      s:update(mover, { 0, 0 })
      rows = select(2, s:move(mover, { 8, 8 }, { cross = 1 }))
      expect.boxes({ first, second, corner }, { rows[1].other, rows[2].other, rows[3].other })
      assert.same(s:tie({ -1, 0 }, { 0, -1 }), rows[3].normal)
    end)
  end)

  it("meets a corner exactly on the lower axis", function()
    -- kikito/bump.lua#33, #48; cxong/cdogs-sdl#215
    scene.each(function(s)
      local mover = s:insert({ 0, 0, 1, 1 })
      local other = s:insert({ 2, 2, 1, 1 })
      local place, rows = s:move(mover, { 4, 4 })
      expectRows({ { other = other, t = 0.25, normal = s:tie({ -1, 0 }, { 0, -1 }) } }, rows)
      assert.same(s:tie({ 1, 4 }, { 4, 1 }), place)
      s:update(mover, { 1, 1 }) -- corner to corner at the start
      place, rows = s:move(mover, { 3, 3 })
      expectRows({ { other = other, t = 0, normal = s:tie({ -1, 0 }, { 0, -1 }) } }, rows)
      assert.same(s:tie({ 1, 3 }, { 3, 1 }), place)
      s:update(mover, { 1, 3 }) -- along the diagonal past the other corner
      place, rows = s:move(mover, { 3, 5 })
      assert.same({ 3, 5 }, place)
      assert.same({}, rows)
    end)
  end)

  it("of no length meets nothing, but what is crossed and overlaps", function()
    scene.each(function(s)
      local mover = s:insert({ 0, 0, 2, 2 })
      s:insert({ 2, 0, 2, 2 })
      local inside = s:insert({ 1, 1, 2, 2 })
      local _, rows = s:move(mover, { 0, 0 })
      assert.same({}, rows)
      _, rows = s:move(mover, { 0, 0 }, { cross = 1 })
      expectRows({ { other = inside, t = 0, overlap = true } }, rows)
    end)
  end)

  it("passes between what it only touches", function()
    scene.each(function(s)
      s:insert({ -50, -2, 100, 2 })
      s:insert({ -50, 2, 100, 2 })
      local mover = s:insert({ -50, 0, 2, 2 })
      local place, rows = s:move(mover, { 40, 0 })
      assert.same({ 40, 0 }, place)
      assert.same({}, rows)
    end)
  end)
end)

describe("flush", function()
  -- The next double towards the face overlaps. If doubles are finer at the box than at its far
  -- side, its far side may also be the face itself.
  local function checkFlush(x, w, wall, towards)
    if towards > 0 then
      assert.is_true(x + w <= wall)
      assert.is_true(compat.nextUp(x) + w > wall or x + w == wall)
    else
      assert.equal(wall, x)
    end
  end

  it("is the double nearest to the face, and the same motion again is none", function()
    scene.eachBackend(function(s)
      for _, base in ipairs({ 0, 0.1, 1e3 + 0.1, -1e6 - 0.7, 1e9 + 0.37, 1e15, -3e16, 1e19 }) do
        local unit = math.max(1, math.abs(base) * 2 ^ -40)
        local mover = s:insert({ base, 0, 0.3 * unit, 1 })
        local right = s:insert({ base + 1.7 * unit, -5, 0.1 * unit, 10 })
        local left = s:insert({ base - 1.1 * unit, -5, 0.7 * unit, 10 })
        for i = 1, 10 do
          for towards = -1, 1, 2 do
            local goal = { base + towards * (2 + 0.1 * i) * unit, 0 }
            local place, rows = s:move(mover, goal)
            assert.equal(1, #rows)
            assert.equal(towards > 0 and right or left, rows[1].other)
            local wall = s:getRect(rows[1].other)
            checkFlush(place[1], 0.3 * unit, towards > 0 and wall[1] or wall[1] + wall[3], towards)
            assert.equal(place[1], rows[1].place[1])
            assert.same({}, s:queryBox(mover))
            assert.equal(rows[1].other, s:touching(mover, { towards, 0 }))
            local again = s:move(mover, goal)
            assert.same(place, again)
          end
        end
        mover:remove()
        right:remove()
        left:remove()
      end
    end)
  end)

  -- The far side of a box of 1000 is at 1000.3 from several places. The move takes the box neither
  -- back to the nearest one, 1000.3 - 1000, nor beyond its goal to there.
  it("is neither behind the start nor beyond the goal, where the far side cannot tell", function()
    scene.eachBackend(function(s)
      s:insert({ 1000.3, -5, 1, 10 })
      local goal = 1000.3 - 1000 - 2e-14
      local late = s:insert({ -5 + 6e-14, 0, 1000, 1 }) -- its far side is rounded up
      assert.same({ goal, 3 }, (s:move(late, { goal, 3 })))
      late:remove()
      local start = 1000.3 - 1000 + 2e-14
      local mover = s:insert({ start, 0, 1000, 1 })
      assert.equal(1000.3, start + 1000)
      for _ = 1, 2 do
        local place, rows = s:move(mover, { 5, 3 })
        assert.same({ { start, 3 }, 1, 0 }, { place, #rows, rows[1].t })
      end
    end)
  end)

  it("holds for a box that is larger than its coordinates", function()
    scene.eachBackend(function(s)
      local wall = s:insert({ 0.3, -500, 1, 1000 })
      for _, w in ipairs({ 0.1, 1, 10, 100, 1e5, 1e10 }) do
        local mover = s:insert({ -2 * w - 1, 0, w, 1 })
        local place = s:move(mover, { 5, 0 })
        assert.is_true(place[1] + w <= 0.3)
        assert.is_true(compat.nextUp(place[1]) + w > 0.3 or place[1] + w == 0.3)
        assert.equal(wall, s:touching(mover, { 1, 0 }))
        assert.same(place, (s:move(mover, { 5, 0 })))
        mover:remove()
      end
    end)
  end)
end)

describe("what overlaps at the start", function()
  -- kikito/bump.lua#37, #28
  it("is no wall and no teleport: only deeper is not possible", function()
    scene.each(function(s)
      local box = s:insert({ 0, 0, 10, 10 }, { static = true })
      local mover = s:insert({ 8, 3, 4, 4 }) -- 2 deep; 2 to the right would part them
      for _, goal in ipairs({ { 9, 3 }, { 30, 3 }, { 8, 30 }, { 8, -30 }, { 9, 9 }, { 8, 3 } }) do
        local place, rows = s:check(mover, goal)
        assert.same(goal, place)
        assert.same({}, rows)
      end
      for _, response in ipairs({ "slide", "touch" }) do
        local place, rows = s:check(mover, { 4, 5 }, { [response] = 1 })
        assert.same({ 8, response == "slide" and 5 or 3 }, place)
        expectRows({
          {
            other = box, response = response, t = 0, place = { 8, 3 }, normal = { 1, 0 },
            overlap = true,
          },
        }, rows)
      end
      assert.same({ 12, 5 }, (s:check(mover, { 4, 5 }, { bounce = 1 })))
    end)
  end)

  it("has the normal of the least way out, a tie as the separation has it", function()
    for dim = 2, 3 do
      local world = broadside.newWorld({ dim = dim })
      local size = dim == 2 and { 4, 4 } or { 4, 4, 4 }
      local function insert(...)
        return world:insert(compat.values(compat.concat({ ... }, size)))
      end
      insert(compat.unpack({ 0, 0, 0 }, 1, dim))
      local mover = insert(compat.unpack({ 2, 2, 2 }, 1, dim))
      local goal = { 2, 2, 2 }
      local function row(filter)
        local got = { world:check(mover, compat.values({ compat.unpack(goal, 1, dim) }, filter)) }
        return got[dim + 1][1]
      end
      assert.equal(1, math.abs(row({ cross = 1 }).nx))
      assert.equal(0, row({ cross = 1 }).ny)
      goal[1] = 2 - row({ cross = 1 }).nx
      assert.is_true(row(nil).overlap)
      goal[1] = 2 + row({ cross = 1 }).nx
      assert.is_nil(row(nil))
    end
  end)

  it("is always told when it is crossed, once, whichever way the box goes", function()
    scene.each(function(s)
      local trigger = s:insert({ 0, 0, 10, 10 }, { static = true })
      local mover = s:insert({ 8, 3, 4, 4 })
      for _, goal in ipairs({ { 8, 3 }, { 50, 3 }, { 4, 3 }, { -50, 3 }, { 8, 4 } }) do
        local place, rows = s:check(mover, goal, { cross = 1 })
        assert.same(goal, place)
        expectRows({
          {
            other = trigger, response = "cross", t = 0, place = { 8, 3 }, normal = { 1, 0 },
            overlap = true,
          },
        }, rows)
      end
    end)
  end)

  it("still leaves other walls solid", function()
    scene.each(function(s)
      s:insert({ 0, 0, 10, 10 }, { static = true })
      local wall = s:insert({ 20, -50, 5, 100 }, { static = true })
      local mover = s:insert({ 8, 3, 4, 4 })
      local place, rows = s:move(mover, { 50, 3 })
      assert.same({ 16, 3 }, place)
      expectRows({ { other = wall, overlap = false } }, rows)
    end)
  end)
end)

describe("a one-way box", function()
  local UP = { static = true, oneWay = { 0, 1 } } -- what falls along -y lands on it

  -- prime31/CharacterController2D#110, Jigoku/boxclip#8
  it("is met by motion against its normal alone, at the face with that normal", function()
    scene.each(function(s)
      local shelf = s:insert({ 0, 0, 10, 2 }, UP)
      local mover = s:insert({ 3, 6, 2, 2 })
      local place, rows = s:check(mover, { 5, -6 })
      assert.same({ 5, 2 }, place)
      expectRows({ { other = shelf, normal = { 0, 1 }, t = 1 / 3, overlap = false } }, rows)
      for _, way in ipairs({
        { { 3, -6 }, { 3, 8 } }, -- from below
        { { -6, 0 }, { 20, 0 } }, -- from the side
        { { 20, 0 }, { -20, 0 } },
        { { -6, 1 }, { 20, -1 } }, -- from the side, falling
        { { 3, 2 }, { 9, 2 } }, -- along its top
        { { 3, 2 }, { 3, 9 } }, -- away from it
        { { 3, 1 }, { 3, -9 } }, -- out of it
        { { 3, 1.75 }, { 3, -9 } },
        { { -2, 2 }, { 12, -12 } }, -- exactly over its corner: met on the lower axis
      }) do
        s:update(mover, way[1])
        place, rows = s:check(mover, way[2])
        if way[1][1] ~= -2 or s:tie(true, false) then
          assert.same(way[2], place)
          assert.same({}, rows)
        end
      end
    end)
  end)

  it("says so with any response, and is not told where it is not met", function()
    scene.each(function(s)
      local shelf = s:insert({ 0, 0, 10, 2 }, UP)
      local mover = s:insert({ 3, 6, 2, 2 })
      for response, y in pairs({ slide = 2, touch = 2, bounce = 10, cross = -6 }) do
        local place, rows = s:check(mover, { 3, -6 }, { [response] = 1 })
        assert.same({ 3, y }, place)
        expectRows({ { other = shelf, response = response } }, rows)
      end
      s:update(mover, { 3, 1 })
      for _, goal in ipairs({ { 3, -6 }, { 3, 6 }, { 3, 1 } }) do
        local _, rows = s:check(mover, goal, { cross = 1 })
        assert.same({}, rows)
        s:check(mover, goal, function() error("nothing is met") end)
      end
    end)
  end)

  it("is not there in the whole move if it overlaps at the start", function()
    scene.each(function(s)
      s:insert({ 0, 0, 10, 2 }, UP)
      s:insert({ 0, 20, 10, 2 }, { static = true })
      local mover = s:insert({ 3, 1, 2, 2 })
      -- It goes 17 up to the ceiling, and then 33 down.
      local place, rows = s:check(mover, { 3, 51 }, { bounce = 1 })
      assert.same({ 3, -15 }, place)
      assert.equal(1, #rows)
      s:update(mover, { 3, 2 })
      place, rows = s:check(mover, { 3, 52 }, { bounce = 1 })
      assert.same({ 3, 16 }, place) -- from its top it is met: 16 up, 16 down, 16 up, 2 down
      assert.equal(3, #rows)
    end)
  end)

  it("can be asked for, set, and taken back", function()
    scene.each(function(s)
      local shelf = s:insert({ 0, 0, 10, 2 })
      local mover = s:insert({ 3, 6, 2, 2 })
      local below = s:insert({ 6, -6, 2, 2 })
      local function ends()
        return { (s:check(mover, { 3, -6 }))[2], (s:check(below, { 6, 6 }))[2] }
      end
      assert.is_nil((shelf:getOneWay()))
      assert.same({ 2, -2 }, ends())
      shelf:setOneWay(compat.unpack(s:vector({ 0, 1 })))
      assert.same({ 0, 1 }, s:vectorBack({ shelf:getOneWay() }))
      assert.same({ 2, 6 }, ends())
      shelf:setOneWay(compat.unpack(s:vector({ 0, -1 })))
      assert.same({ -6, -2 }, ends())
      shelf:setOneWay(nil)
      assert.is_nil((shelf:getOneWay()))
      assert.same({ 2, -2 }, ends())
    end)
  end)

  it("is a box like any other to pairs, queries and casts", function()
    scene.each(function(s)
      local shelf = s:insert({ 0, 0, 10, 2 }, UP)
      local mover = s:insert({ 3, 1, 2, 2 })
      assert.equal(1, s.world:countPairs())
      expect.boxes({ shelf }, s:queryBox(mover))
      assert.equal(shelf, (s:segmentCast({ 3, -5 }, { 3, 5 }, mover)))
      s:update(mover, { 3, -6 })
      assert.equal(shelf, (s:sweep(mover, { 0, 12 })))
    end)
  end)

  -- The box rises into the one-way box. Something stops or turns it while it is in there.
  it("that is entered from below is not met, whatever else is met within it", function()
    scene.each(function(s)
      s:insert({ 0, 10, 20, 4 }, { static = true, oneWay = { 0, -1 } })
      local wall = s:insert({ 20, -50, 5, 100 }, { static = true })
      local mover = s:insert({ 10, 15, 4, 4 })
      local place, rows = s:move(mover, { 18, 5 })
      assert.same({ 16, 5 }, place)
      expectRows({ { other = wall, t = 0.75, normal = { -1, 0 } } }, rows)
    end)
  end)

  it("that is entered from below lets what a ceiling turns round out again", function()
    scene.each(function(s)
      s:insert({ 0, 10, 20, 4 }, { static = true, oneWay = { 0, -1 } })
      local ceiling = s:insert({ 0, 0, 20, 7 }, { static = true })
      local mover = s:insert({ 5, 20, 4, 4 })
      local place, rows = s:move(mover, { 5, 0 }, { bounce = 1 })
      assert.same({ 5, 14 }, place)
      expectRows({ { other = ceiling, t = 0.65, place = { 5, 7 } } }, rows)
    end)
  end)
end)

describe("huge and tiny numbers", function()
  -- dimforge/rapier#77, #396
  it("of 1e19 and near the largest float end, and nothing goes through a wall", function()
    scene.eachBackend(function(s)
      for _, scale in ipairs({ 1e19, 1e38, 3.4e38, 1e150, 1e300, 2e307 }) do
        local mover = s:insert({ -2 * scale, 0, scale, 1 })
        local wall = s:insert({ scale, -1, scale, 3 }, { static = true })
        for _, filter in ipairs({ { slide = 1 }, { touch = 1 } }) do
          local place, rows = s:move(mover, { 4 * scale, 0 }, filter)
          assert.same({ 0, 0 }, place)
          expectRows({ { other = wall, normal = { -1, 0 } } }, rows)
          assert.same({ 0, 0 }, (s:move(mover, { 4 * scale, 0 }, filter)))
          s:update(mover, { -2 * scale, 0 })
        end
        s.world:clear()
      end
    end)
  end)

  it("of one unit in the last place are a way like any other", function()
    scene.eachBackend(function(s)
      for _, unit in ipairs({ compat.minDouble, 2 ^ -1030, 2 ^ -900, 2 ^ -52 }) do
        local mover = s:insert({ 0, 0, unit, unit })
        local wall = s:insert({ 3 * unit, -unit, unit, 3 * unit })
        local place, rows = s:move(mover, { 9 * unit, 0 })
        assert.same({ 2 * unit, 0 }, place)
        assert.equal(wall, rows[1].other)
        assert.same({ 2 * unit, unit }, (s:move(mover, { 3 * unit, unit })))
        assert.same({ -9e300, unit }, (s:move(mover, { -9e300, unit })))
        s.world:clear()
      end
    end)
  end)

  it("make every way end, in worlds in which all overlap all", function()
    local FILTERS = {
      -1, { touch = -1 }, { bounce = -1 }, { cross = -1 }, { bounce = 1, slide = 2 },
    }
    scene.eachBackend(function(s)
      local rng = random.new(11)
      local boxes = {}
      for i = 1, 40 do
        boxes[i] = s:insert({ rng:int(-3, 3), rng:int(-3, 3), 10, 10 },
          { layer = rng:int(1, 2), bounce = rng:unit() })
      end
      for i = 1, 40 do
        boxes[40 + i] = s:insert({ rng:int(-30, 30), rng:int(-30, 30), 1, 1 })
      end
      for i = 1, 80 do
        local size = 10 ^ rng:int(-323, 300)
        local before = s:getRect(boxes[i])
        for _, filter in ipairs(FILTERS) do
          local goal = { before[1] + rng:int(-9, 9) * size, before[2] + rng:int(-9, 9) * size }
          local place, rows = s:move(boxes[i], goal, filter)
          assert.is_true(compat.isFinite(place[1]) and compat.isFinite(place[2]))
          assert.is_true(#rows <= 100)
          s:update(boxes[i], { before[1], before[2] })
        end
        local way = { rng:int(-9, 9) * size, rng:int(-9, 9) * size }
        s:push(boxes[i], { before[1] + way[1], before[2] + way[2] })
        s:update(boxes[i], { before[1], before[2] })
      end
    end)
  end)

  it("beyond which no double is are no place to bounce to", function()
    scene.each(function(s)
      local mover = s:insert({ -1.7e308, 0, 1, 1 })
      local wall = s:insert({ -1e308, 0, 1e307, 1 }, { static = true })
      local place, rows = s:move(mover, { -5e306, 0 }, { bounce = 1 })
      assert.same({ -1e308, 0 }, place)
      expectRows({ { other = wall, response = "bounce", normal = { -1, 0 } } }, rows)
    end)
  end)

  -- The bounce leads to 2 * 0.1e308 + 1.55e308. There the far side would be at 1.85e308.
  it("beyond which no double is are no place to bounce to for a far side", function()
    scene.each(function(s)
      local mover = s:insert({ 0.2e308, 0, 1e307, 1 })
      s:insert({ -0.1e308, 0, 0.2e308, 1 }, { static = true })
      assert.same({ 0.1e308, 0 }, (s:move(mover, { -1.55e308, 0 }, { bounce = 1 })))
    end)
  end)

  -- The contact is so late that its time is rounded to 1, which is the end of the way.
  it("that leave no time for a contact send the box back on its way, nowhere else", function()
    scene.each(function(s)
      s:insert({ -6, -5, 16, 4.75 }, { static = true }) -- not level with it
      local met = s:insert({ 0, 0.75, 10, 10 }, { static = true })
      local mover = s:insert({ 2 ^ 80, 0, 1, 1 })
      local place, rows = s:move(mover, { 3, 0 })
      assert.same({ 10, 0 }, place)
      expectRows({ { other = met, t = 1, normal = { 1, 0 }, place = { 10, 0 } } }, rows)
      s:update(mover, { -2 ^ 80, 0 })
      assert.same({ -1, 0 }, (s:move(mover, { 3, 0 })))
    end)
  end)
end)

describe("check", function()
  it("says what move would, and moves nothing", function()
    scene.each(function(s)
      local mover, wall = moverAndWall(s, { bounce = 0.5 })
      for _, filter in ipairs({ 1, { bounce = 1 }, { touch = 1 }, { cross = 1 } }) do
        local place, rows = s:check(mover, { 10, 4 }, filter)
        assert.same({ 0, 0, 2, 2 }, s:getRect(mover))
        local there, hits = s:move(mover, { 10, 4 }, filter)
        assert.same({ place, rows }, { there, hits })
        assert.same({ place[1], place[2], 2, 2 }, s:getRect(mover))
        s:update(mover, { 0, 0 })
      end
      assert.same({ 7, -50, 2, 100 }, s:getRect(wall))
    end)
  end)
end)

describe("moveBy", function()
  it("goes that far from where the box is, until something stops it", function()
    scene.each(function(s)
      local mover, wall = moverAndWall(s)
      local function by(d, filter)
        local got = { s.world:moveBy(mover, compat.values(s:vector(d), filter)) }
        return s:placeBack(mover, got), s:rowsBack(got[s.dim + 1], mover), got[s.dim + 2]
      end
      local place, rows, n = by({ 3, 4 })
      assert.same({ 3, 4 }, place)
      assert.same({ {}, 0 }, { rows, n })
      place, rows, n = by({ 8, 3 })
      assert.same({ 5, 7 }, place)
      assert.same({ 5, 7, 2, 2 }, s:getRect(mover))
      assert.equal(1, n)
      expectRows({ { other = wall, response = "slide", t = 0.25, normal = { -1, 0 },
        place = { 5, 4.75 } } }, rows)
      assert.same({ 5, 7 }, (by({ 0, 0 })))
      assert.same({ 8, 5 }, (by({ 3, -2 }, wall)))
    end)
  end)

  -- Two worlds of the same boxes: one of them moves them by distances, the other one to goals.
  it("does all that move does, with each kind of filter and of shape", function()
    local rng = random.new(70)
    local filters = { { slide = 1, push = 2, cross = 4 }, { bounce = 3, touch = 4 }, 3,
      function(_, other) return ({ "slide", "cross", "push", false })[other % 4 + 1] end }
    scene.eachBackend(function(s)
      local twin = broadside.newWorld({ dim = s.dim, backend = s.backend, results = "id" })
      local ids = { {}, {} }
      local function place(n, lo, hi)
        local list = {}
        for i = 1, n do
          list[i] = rng:real(lo, hi)
        end
        return list
      end
      for i = 1, 40 do
        local at, size = place(s.dim, 0, 60), place(s.dim, 1, 9)
        local opts = { layer = 2 ^ rng:int(0, 2), static = i % 5 == 0 }
        for k, world in ipairs({ s.world, twin }) do
          ids[k][i] = i % 3 == 0 and world:insertCircle(compat.values(at, size[1] / 2, opts))
            or world:insert(compat.values(compat.concat(at, size), opts))
        end
      end
      for turn = 1, 200 do
        local i, way, filter = rng:int(1, 40), place(s.dim, -20, 20), filters[turn % 5]
        local goal = { twin:getBox(ids[2][i]):getRect() }
        for axis = 1, s.dim do
          goal[axis] = goal[axis] + way[axis]
        end
        goal = { compat.unpack(goal, 1, s.dim) }
        assert.same({ twin:move(ids[2][i], compat.values(goal, filter)) },
          { s.world:moveBy(ids[1][i], compat.values(way, filter)) })
      end
      assert.equal(twin:snapshot():getHash(), s.world:snapshot():getHash())
    end, { results = "id" })
  end)
end)

describe("moveMany", function()
  it("moves one after the other, and counts those that were stopped or turned", function()
    scene.each(function(s)
      local wall = s:insert({ 20, -50, 2, 100 }, { static = true })
      local a, b, c = s:insert({ 0, 0, 2, 2 }), s:insert({ 5, 0, 2, 2 }), s:insert({ 0, 9, 2, 2 })
      local function many(boxes, goals, filter, out)
        local flat = {}
        for i, goal in ipairs(goals) do
          flat = compat.concat(flat, s:goal(boxes[i], goal))
        end
        local list, n = s.world:moveMany(boxes, flat, filter, out)
        local places = {}
        for i = 1, #list / s.dim do
          places[i] = s:placeBack(boxes[i],
            { compat.unpack(list, (i - 1) * s.dim + 1, i * s.dim) })
        end
        return places, n, list
      end
      local places, n = many({ b, a, c }, { { 30, 0 }, { 30, 0 }, { 9, 9 } })
      assert.same({ { 18, 0 }, { 16, 0 }, { 9, 9 } }, places)
      assert.equal(2, n)
      assert.same({ 16, 0, 2, 2 }, s:getRect(a))
      -- In the other order the second box still stands in the way of the first one.
      places, n = many({ a, b }, { { 0, 0 }, { 5, 0 } })
      assert.same({ { 0, 0 }, { 5, 0 } }, places)
      assert.equal(0, n)
      local out = {}
      for i = 1, 12 do
        out[i] = i
      end
      local list
      places, n, list = many({ a, b, a }, { { 30, 0 }, { 30, 0 }, { 30, 0 } }, nil, out)
      assert.same({ { 3, 0 }, { 18, 0 }, { 16, 0 } }, places)
      assert.equal(3, n)
      assert.equal(out, list)
      assert.equal(3 * s.dim, #out)
      many({ a }, { { 0, 0 } })
      places, n = many({ a }, { { 30, 0 } }, { cross = -1 })
      assert.same({ { 30, 0 } }, places)
      assert.equal(0, n)
      places, n = many({ a }, { { 0, 0 } }, wall)
      assert.same({ { 20, 0 } }, places)
      assert.equal(1, n)
      assert.same({}, (many({}, {})))
    end)
  end)

  -- The second way of `a` begins where its first one ended.
  it("that fails has a box that is there twice back where it was at first", function()
    local w = broadside.newWorld()
    local a, b = w:insert(0, 0, 2, 2), w:insert(0, 20, 2, 2)
    w:insert(9, 20, 2, 2)
    assert.is_false(pcall(w.moveMany, w, { a, a, b }, { 3, 0, 6, 1, 20, 20 }, function()
      error("no")
    end))
    assert.same({ 0, 0, 2, 2 }, { a:getRect() })
    assert.same({ 0, 20, 2, 2 }, { b:getRect() })
  end)

  it("refuses a way that is too long only from where the box has come to", function()
    scene.eachBackend(function(s)
      local mover = s:insert({ 0, 0, 1, 1 })
      local other = s:insert({ 9, 9, 1, 1 })
      local goals = {}
      for i, goal in ipairs({ { 5, 5 }, { 1.7e308, 0 }, { -1.7e308, 0 } }) do
        goals = compat.concat(goals, s:goal(i == 1 and other or mover, goal))
      end
      local ok, message = pcall(s.world.moveMany, s.world, { other, mover, mover }, goals)
      assert.is_false(ok)
      assert.matches("bad argument #2 to 'moveMany' %(item " .. 2 * s.dim + 1
        .. ": finite motion expected, got one from 1.7e%+308 to %-1.7e%+308%)", message)
      assert.same({ 0, 0, 1, 1 }, s:getRect(mover))
      assert.same({ 9, 9, 1, 1 }, s:getRect(other))
    end)
  end)
end)

describe("a sensor", function()
  local FILTERS = { -1, { slide = 1 }, { touch = 1 }, { bounce = 1 }, { cross = 1 },
    function() return "slide" end, function() return "bounce" end, function() return "cross" end }

  it("counts as crossed, whatever response is asked for, whichever of the two it is", function()
    scene.each(function(s)
      for _, which in ipairs({ 1, 2 }) do
        s.world:clear()
        local mover, wall = moverAndWall(s, { sensor = which == 1 })
        wall:setSensor(which == 2)
        for i = 0, #FILTERS do
          local place, rows = s:check(mover, { 20, 8 }, FILTERS[i])
          assert.same({ 20, 8 }, place)
          expectRows({ { other = wall, response = "cross", t = 0.25, place = { 5, 2 },
            normal = { -1, 0 }, overlap = false } }, rows)
        end
        assert.same({ 20, 8 }, (s:move(mover, { 20, 8 })))
      end
    end)
  end)

  it("is not there where no response is asked for", function()
    scene.each(function(s)
      local mover, wall = moverAndWall(s)
      wall:setSensor(true)
      for _, filter in ipairs({ 2, { slide = 2 }, wall, function() return nil end,
        function() return false end }) do
        local place, rows = s:check(mover, { 20, 8 }, filter)
        assert.same({ 20, 8 }, place)
        assert.same({}, rows)
      end
      wall:setFilter(1, 0) -- the two could make no pair
      assert.same({}, select(2, s:check(mover, { 20, 8 })))
    end)
  end)

  it("is asked about once, and tells that the box was in it at the start", function()
    scene.each(function(s)
      local mover, asked = s:insert({ 0, 0, 2, 2 }), 0
      local trigger = s:insert({ -5, -5, 20, 20 }, { sensor = true })
      local place, rows = s:move(mover, { 9, 3 }, function(box, other)
        assert.is_true(box == mover and other == trigger)
        asked = asked + 1
        return "touch"
      end)
      assert.equal(1, asked)
      assert.same({ 9, 3 }, place)
      expectRows({ { other = trigger, response = "cross", t = 0, overlap = true } }, rows)
    end)
  end)

  it("hinders none of many, and is solid again once it is no sensor", function()
    scene.each(function(s)
      local mover, wall = moverAndWall(s)
      assert.is_false(wall:isSensor())
      for _, sensor in ipairs({ true, false }) do
        wall:setSensor(sensor)
        assert.equal(sensor, wall:isSensor())
        s:update(mover, { 0, 0 })
        local out, n = s.world:moveMany({ mover }, s:goal(mover, { 10, 0 }))
        assert.same({ sensor and 10 or 5, 0 }, s:placeBack(mover, out))
        assert.equal(sensor and 0 or 1, n)
      end
    end)
  end)
end)
