-- Sweeps and segment casts with expected results found by hand, in every symmetry and on every back
-- end.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local expect = require("spec.support.expect")
local scene = require("spec.support.scene")

local NO_NORMAL = { 0, 0 }

describe("sweep", function()
  local function row(s)
    return s:insert({ 0, 0, 2, 2 }), s:insert({ 5, 0, 2, 2 })
  end

  it("stops at what is in the way", function()
    scene.each(function(s)
      local mover, wall = row(s)
      expect.hit(wall, 0.75, { -1, 0 }, s:sweep(mover, { 4, 0 }))
      expect.hit(wall, 0.375, { -1, 0 }, s:sweep(mover, { 8, 2 }))
      expect.hit(wall, 3 / 1000, { -1, 0 }, s:sweep(mover, { 1000, 0 }))
      expect.hit(mover, 0.5, { 1, 0 }, s:sweep(wall, { -6, 0 }))
    end)
  end)

  it("misses what is too far, beside or behind", function()
    scene.each(function(s)
      local mover = row(s)
      expect.miss(s:sweep(mover, { 2.5, 0 }))
      expect.miss(s:sweep(mover, { -50, 0 }))
      expect.miss(s:sweep(mover, { 0, 50 }))
      expect.miss(s:sweep(mover, { 50, 50 }))
      expect.miss(s:sweep(mover, { 0, 0 }))
    end)
  end)

  it("does not count a contact at the very end", function()
    scene.each(function(s)
      local mover, wall = row(s)
      expect.miss(s:sweep(mover, { 3, 0 }))
      expect.hit(wall, 3 / (3 + 2 ^ -40), { -1, 0 }, s:sweep(mover, { 3 + 2 ^ -40, 0 }))
    end)
  end)

  it("starts inside at 0 with no normal, whichever way it goes", function()
    scene.each(function(s)
      local mover = s:insert({ 4, 1, 2, 2 })
      local wall = s:insert({ 5, 0, 2, 2 })
      for _, v in ipairs({ { 4, 0 }, { -4, 0 }, { 0, 4 }, { 0, 0 }, { 1e300, 1 }, { -0.5, -3 } }) do
        expect.hit(wall, 0, NO_NORMAL, s:sweep(mover, v))
      end
    end)
  end)

  it("hits what it touches only when it moves into it", function()
    scene.each(function(s)
      local mover, wall = s:insert({ 3, 0, 2, 2 }), s:insert({ 5, 0, 2, 2 })
      expect.hit(wall, 0, { -1, 0 }, s:sweep(mover, { 1, 0 }))
      expect.hit(wall, 0, { -1, 0 }, s:sweep(mover, { 1, 1 }))
      expect.hit(wall, 0, { -1, 0 }, s:sweep(mover, { compat.minDouble, 0 }))
      expect.miss(s:sweep(mover, { -1, 0 }))
      expect.miss(s:sweep(mover, { -1, 1 }))
      expect.miss(s:sweep(mover, { 0, 9 }))
      expect.miss(s:sweep(mover, { 0, -9 }))
      expect.miss(s:sweep(mover, { 0, 0 }))
    end)
  end)

  it("passes a corner that it only grazes", function()
    scene.each(function(s)
      local mover, wall = s:insert({ 0, 0, 1, 1 }), s:insert({ 2, 0, 1, 1 })
      -- It leaves along y at the same time at which it would enter along x.
      expect.miss(s:sweep(mover, { 2, 2 }))
      expect.miss(s:sweep(mover, { 4, 4 }))
      expect.hit(wall, 0.5, { -1, 0 }, s:sweep(mover, { 2, 1.5 }))
    end)
  end)

  it("meets a box corner to corner on the lower axis", function()
    scene.each(function(s)
      local mover, wall = s:insert({ 0, 0, 1, 1 }), s:insert({ 2, 2, 1, 1 })
      expect.hit(wall, 0.25, s:tie({ -1, 0 }, { 0, -1 }), s:sweep(mover, { 4, 4 }))
      expect.hit(wall, 0.5, { 0, -1 }, s:sweep(mover, { 3, 2 }))
    end)
  end)

  it("slides in a corridor exactly as wide as it is", function()
    scene.each(function(s)
      local mover = s:insert({ 0, 0, 2, 2 })
      s:insert({ -10, 2, 100, 2 })
      s:insert({ -10, -2, 100, 2 })
      expect.miss(s:sweep(mover, { 50, 0 }))
      expect.miss(s:sweep(mover, { -5, 0 }))
      local stop = s:insert({ 20, 0, 2, 2 })
      expect.hit(stop, 18 / 50, { -1, 0 }, s:sweep(mover, { 50, 0 }))
    end)
  end)

  it("takes the first of many, and the one inserted first among equals", function()
    scene.each(function(s)
      local mover = s:insert({ 0, 0, 2, 2 })
      s:insert({ 30, 0, 2, 2 })
      local b = s:insert({ 10, 1, 2, 2 })
      local a = s:insert({ 10, 0, 3, 3 })
      s:insert({ 11, 0, 2, 2 })
      expect.hit(b, 0.25, { -1, 0 }, s:sweep(mover, { 32, 0 }))
      s:update(b, { 10, 0 })
      expect.hit(b, 0.25, { -1, 0 }, s:sweep(mover, { 32, 0 }))
      b:remove()
      expect.hit(a, 0.25, { -1, 0 }, s:sweep(mover, { 32, 0 }))
      s:insert({ 10, 0, 2, 2 })
      expect.hit(a, 0.25, { -1, 0 }, s:sweep(mover, { 32, 0 }))
    end)
  end)

  it("does not tunnel, however fast it is and however thin the wall", function()
    scene.each(function(s)
      local mover, wall = s:insert({ 0, 0, 1, 1 }), s:insert({ 2, 0, 2 ^ -30, 1 })
      for _, speed in ipairs({ 1e3, 1e6, 1e12, 1e100, 1e300 }) do
        expect.hit(wall, 1 / speed, { -1, 0 }, s:sweep(mover, { speed, 0 }))
      end
    end)
  end)

  it("leaves the box where it is", function()
    scene.each(function(s)
      local mover = row(s)
      s:sweep(mover, { 4, 0 })
      assert.same({ 0, 0, 2, 2 }, s:getRect(mover))
    end)
  end)
end)

describe("sweepRect", function()
  it("is sweep without a box", function()
    scene.each(function(s)
      local wall = s:insert({ 5, 0, 2, 2 })
      expect.hit(wall, 0.75, { -1, 0 }, s:sweepRect({ 0, 0, 2, 2 }, { 4, 0 }))
      expect.hit(wall, 0, NO_NORMAL, s:sweepRect({ 4, 1, 2, 2 }, { 4, 0 }))
      expect.hit(wall, 0, NO_NORMAL, s:sweepRect({ 5, 0, 2, 2 }, { 0, 0 }))
      expect.miss(s:sweepRect({ 0, 0, 2, 2 }, { 3, 0 }))
      expect.miss(s:sweepRect({ 0, 2, 2, 2 }, { 50, 0 }))
    end)
  end)

  it("of no size is a segment cast", function()
    scene.each(function(s)
      local wall = s:insert({ 4, 0, 2, 2 })
      for _, case in ipairs({ { 0, 1, 8, 0 }, { 0, 0, 8, 0 }, { 0, 0, 8, 1 }, { 5, 1, 0, 0 },
        { 4, 1, 1, 0 }, { 4, 1, 0, 1 }, { 8, 1, -4, 0 }, { 6, 1, -1, 0 }, { 2, 2, 4, -4 } }) do
        local x, y, dx, dy = compat.unpack(case)
        local hit, t, normal = s:segmentCast({ x, y }, { x + dx, y + dy })
        if hit then
          expect.hit(wall, t, normal, s:sweepRect({ x, y, 0, 0 }, { dx, dy }))
        else
          expect.miss(s:sweepRect({ x, y, 0, 0 }, { dx, dy }))
        end
      end
    end)
  end)
end)

describe("segmentCast", function()
  it("gives box, place, normal and time", function()
    scene.each(function(s)
      local wall = s:insert({ 4, 0, 2, 2 })
      local box, t, normal, place = s:segmentCast({ 0, 1 }, { 16, 1 })
      assert.is_true(rawequal(wall, box))
      assert.equal(0.25, t)
      assert.same({ -1, 0 }, normal)
      assert.same({ 4, 1 }, place)
      box, t, normal, place = s:segmentCast({ 5, 10 }, { 5, -6 })
      assert.is_true(rawequal(wall, box))
      assert.equal(0.5, t)
      assert.same({ 0, 1 }, normal)
      assert.same({ 5, 2 }, place)
    end)
  end)

  it("starts strictly inside at 0, without a normal, where it starts", function()
    scene.each(function(s)
      local wall = s:insert({ 4, 0, 2, 2 })
      for _, to in ipairs({ { 50, 1 }, { 5, 1 }, { 5.5, 1.5 }, { -9, -9 } }) do
        local box, t, normal, place = s:segmentCast({ 5, 1 }, to)
        assert.is_true(rawequal(wall, box))
        assert.equal(0, t)
        assert.same(NO_NORMAL, normal)
        assert.same({ 5, 1 }, place)
      end
    end)
  end)

  it("starts on a face: a hit going in, none going out or along", function()
    scene.each(function(s)
      local wall = s:insert({ 4, 0, 2, 2 })
      expect.hit(wall, 0, { -1, 0 }, s:segmentCast({ 4, 1 }, { 5, 1 }))
      expect.hit(wall, 0, { -1, 0 }, s:segmentCast({ 4, 1 }, { 50, 1 }))
      expect.miss(s:segmentCast({ 4, 1 }, { 3, 1 }))
      expect.miss(s:segmentCast({ 4, 1 }, { 4, 9 }))
      expect.miss(s:segmentCast({ 6, 1 }, { 9, 1 }))
      expect.miss(s:segmentCast({ 4, 1 }, { 4, 1 }))
    end)
  end)

  it("does not hit what it grazes", function()
    scene.each(function(s)
      s:insert({ 4, 0, 2, 2 })
      expect.miss(s:segmentCast({ 0, 0 }, { 9, 0 }))
      expect.miss(s:segmentCast({ 0, 2 }, { 9, 2 }))
      expect.miss(s:segmentCast({ 4, -5 }, { 4, 9 }))
      -- Corners
      expect.miss(s:segmentCast({ 3, 1 }, { 5, 3 }))
      expect.miss(s:segmentCast({ 2, 0 }, { 6, 4 }))
      expect.miss(s:segmentCast({ 4, 2 }, { 3, 3 }))
    end)
  end)

  it("meets two boxes that touch as one where it runs between them", function()
    scene.each(function(s)
      local first = s:insert({ 4, 0, 2, 2 })
      s:insert({ 4, 2, 2, 2 })
      expect.hit(first, 0.5, { -1, 0 }, s:segmentCast({ 0, 2 }, { 8, 2 }))
      expect.hit(first, 0.25, { 1, 0 }, s:segmentCast({ 7, 2 }, { 3, 2 }))
      expect.hit(first, 0, { -1, 0 }, s:segmentCast({ 4, 2 }, { 8, 2 }))
      expect.hit(first, 0, NO_NORMAL, s:segmentCast({ 5, 2 }, { 8, 2 }))
      expect.miss(s:segmentCast({ 4, 2 }, { 0, 2 }))
      expect.miss(s:segmentCast({ 6, 2 }, { 9, 2 }))
      expect.miss(s:segmentCast({ 0, 2 }, { 4, 2 }))
      expect.miss(s:segmentCast({ 5, 2 }, { 5, 2 }))
    end)
  end)

  it("is stopped where both are beside it, at the side of the later one", function()
    scene.each(function(s)
      local first = s:insert({ 4, 0, 4, 2 })
      local second = s:insert({ 6, 2, 4, 2 })
      local behind = s:insert({ 20, 1, 2, 2 })
      expect.hit(first, 0.75, { -1, 0 }, s:segmentCast({ 0, 2 }, { 8, 2 }))
      expect.hit(first, 0.5, { 1, 0 }, s:segmentCast({ 16, 2 }, { 0, 2 }))
      assert.same({ first, behind }, (s:querySegment({ 0, 2 }, { 30, 2 })))
      second:remove()
      expect.hit(behind, 0.5, { -1, 0 }, s:segmentCast({ 0, 2 }, { 40, 2 }))
    end)
  end)

  it("does not pass a point at which the corners of two boxes touch", function()
    scene.each(function(s)
      local first = s:insert({ 0, 0, 4, 4 })
      s:insert({ 4, 4, 4, 4 })
      expect.hit(first, 0.5, { -1, 0 }, s:segmentCast({ 0, 4 }, { 8, 4 }))
      expect.hit(first, 0.5, s:tie({ -1, 0 }, { 0, 1 }), s:segmentCast({ 2, 6 }, { 6, 2 }))
      expect.miss(s:segmentCast({ 4, 4 }, { 2, 6 }))
      expect.miss(s:segmentCast({ 2, 6 }, { 4, 4 }))
    end)
  end)

  it("passes a box on one side alone, and boxes that its filter leaves out", function()
    scene.each(function(s)
      s:insert({ 0, 0, 4, 4 }, { layer = 2 })
      s:insert({ 4, 0, 4, 4 }, { layer = 2 })
      local other = s:insert({ 2, 4, 4, 4 }, { layer = 4 })
      expect.miss(s:segmentCast({ -4, 4 }, { 20, 4 }, 2))
      expect.miss(s:segmentCast({ -4, 4 }, { 20, 4 }, 4))
      expect.miss(s:segmentCast({ -4, 4 }, { 20, 4 }, function(box) return box ~= other end))
      assert.is_not_nil((s:segmentCast({ -4, 4 }, { 20, 4 }, 6)))
    end)
  end)

  it("that enters a box at a corner has the normal of the side that no other box covers", function()
    scene.each(function(s)
      s:insert({ -16, 0, 16, 16 })
      local met = s:insert({ 0, 0, 16, 16 })
      expect.hit(met, 0.5, { 0, -1 }, s:segmentCast({ -4, -8 }, { 4, 8 }))
    end)
  end)

  it("enters through a corner on the lower axis", function()
    scene.each(function(s)
      local wall = s:insert({ 4, 4, 2, 2 })
      expect.hit(wall, 0.5, s:tie({ -1, 0 }, { 0, -1 }), s:segmentCast({ 0, 0 }, { 8, 8 }))
      expect.hit(wall, 0, s:tie({ -1, 0 }, { 0, -1 }), s:segmentCast({ 4, 4 }, { 5, 5 }))
    end)
  end)

  it("that ends on a face has not hit it", function()
    scene.each(function(s)
      local wall = s:insert({ 4, 0, 2, 2 })
      expect.miss(s:segmentCast({ 0, 1 }, { 4, 1 }))
      expect.hit(wall, 4 / 4.5, { -1, 0 }, s:segmentCast({ 0, 1 }, { 4.5, 1 }))
    end)
  end)

  it("of no length hits only what it is strictly inside of", function()
    scene.each(function(s)
      local wall = s:insert({ 4, 0, 2, 2 })
      expect.hit(wall, 0, NO_NORMAL, s:segmentCast({ 5, 1 }, { 5, 1 }))
      expect.miss(s:segmentCast({ 4, 0 }, { 4, 0 }))
      expect.miss(s:segmentCast({ 4, 1 }, { 4, 1 }))
      expect.miss(s:segmentCast({ 6, 2 }, { 6, 2 }))
      expect.miss(s:segmentCast({ 9, 9 }, { 9, 9 }))
    end)
  end)

  it("takes the first of many, and the one inserted first among equals", function()
    scene.each(function(s)
      local list = {}
      for i = 1, 20 do
        list[i] = s:insert({ 100 - 4 * i, 0, 2, 2 })
      end
      expect.hit(list[20], 20 / 128, { -1, 0 }, s:segmentCast({ 0, 1 }, { 128, 1 }))
      expect.hit(list[1], (128 - 98) / 128, { 1, 0 }, s:segmentCast({ 128, 1 }, { 0, 1 }))
      s:insert({ 20, 0.5, 1, 1 })
      expect.hit(list[20], 20 / 128, { -1, 0 }, s:segmentCast({ 0, 1 }, { 128, 1 }))
      list[20]:remove()
      list[20] = s:insert({ 20, 0, 2, 2 })
      assert.is_false(rawequal(list[20], (s:segmentCast({ 0, 1 }, { 128, 1 }))))
    end)
  end)

  it("sees boxes of 1e-8 and smaller", function()
    scene.each(function(s)
      for _, w in ipairs({ 1e-8, 1e-15 }) do
        local wall = s:insert({ 0, 0, w, w })
        expect.hit(wall, 0.5, { -1, 0 }, s:segmentCast({ -1, w / 2 }, { 1, w / 2 }))
        wall:remove()
      end
      for _, w in ipairs({ 1e-8, 1e-30, 1e-300 }) do
        local wall = s:insert({ 0, 0, w, w })
        expect.hit(wall, 0.5, { -1, 0 }, s:segmentCast({ -w, w / 2 }, { w, w / 2 }))
        wall:remove()
      end
    end)
  end)

  it("crosses any distance", function()
    scene.each(function(s)
      local wall = s:insert({ 0, 0, 1024, 2 })
      expect.hit(wall, 0.5, { -1, 0 }, s:segmentCast({ -1e9, 1 }, { 1e9, 1 }))
      expect.hit(wall, 0.5, { -1, 0 }, s:segmentCast({ -1e18, 1 }, { 1e18, 1 }))
      expect.miss(s:segmentCast({ -1e9, 2 }, { 1e9, 2 }))
    end)
  end)
end)

describe("ties", function()
  -- A row of five tiles along x, from 0 to 160, inserted in that order or in the reverse order.
  local function rowOfTiles(s, backwards)
    local tiles = {}
    for i = 0, 4 do
      local at = backwards and 4 - i or i
      tiles[at + 1] = s:insert({ 32 * at, 0, 32, 32 }, { static = true })
    end
    return tiles
  end

  it("go to the tile under a box, not to a seam that it meets at the same time", function()
    for _, backwards in ipairs({ false, true }) do
      scene.each(function(s)
        local tiles = rowOfTiles(s, backwards)
        local box = s:insert({ 16, -16, 16, 16 })
        -- It rests on the first tile, with its side above the seam.
        expect.hit(tiles[1], 0, { 0, -1 }, s:sweep(box, { 8, 2 }))
        expect.boxes({ tiles[1], tiles[2] }, s:querySweep(box, { 24, 2 }))
        -- It falls onto the corner between two tiles.
        s:update(box, { 8, -24 })
        expect.hit(tiles[1], 0.5, { 0, -1 }, s:sweep(box, { 16, 16 }))
      end)
    end
  end)

  it("let a box slide along tiles in whatever order they were inserted", function()
    for _, backwards in ipairs({ false, true }) do
      scene.eachBackend(function(s)
        rowOfTiles(s, backwards)
        local box, x, stuck = s:insert({ 4, -16, 16, 16 }), 4, 0
        for _ = 1, 60 do
          local other, t, normal = s:sweep(box, { 2, 0.5 })
          if other and normal[1] ~= 0 then
            stuck = stuck + 1
          elseif other then
            assert.equal(0, t)
            x = x + 2
            s:update(box, { x, -16 })
          end
        end
        assert.equal(0, stuck)
      end)
    end
  end)

  it("at two corners go to the box inserted first, also where its slot was used before", function()
    scene.each(function(s)
      local old = s:insert({ 500, 0, 1, 1 })
      local later = s:insert({ 4, 4, 2, 2 })
      old:remove()
      local latest = s:insert({ 4, 4, 2, 2 })
      local other = s:segmentCast({ 0, 0 }, { 8, 8 })
      assert.is_true(rawequal(later, other))
      -- A box that is hit at a face comes before them, although it was inserted last.
      local face = s:insert({ 4, 3, 2, 2 })
      expect.boxes({ face, later, latest }, s:querySegment({ 0, 0 }, { 8, 8 }))
      expect.hit(face, 0.5, { -1, 0 }, s:segmentCast({ 0, 0 }, { 8, 8 }))
    end)
  end)
end)

describe("querySweep", function()
  it("gives all that a box meets on its way, by time, and not itself", function()
    scene.each(function(s)
      local coins = {}
      for i = 1, 4 do
        coins[i] = s:insert({ 60 - 10 * i, 1, 2, 2 })
      end
      local player = s:insert({ 0, 0, 4, 4 })
      s:insert({ 20, 4, 4, 4 }) -- it only touches the path
      expect.boxes({ coins[4], coins[3], coins[2], coins[1] }, s:querySweep(player, { 100, 0 }))
      expect.boxes({ coins[4], coins[3] }, s:querySweep(player, { 36, 0 }))
      expect.boxes({ coins[4], coins[2] }, s:querySweep(player, { 46, 0 }, function(box)
        return not rawequal(box, coins[3])
      end))
      expect.boxes({ coins[4] }, s:querySweep(player, { 30, 0 }, coins[3]))
      expect.boxes({}, s:querySweep(player, { -9, 0 }))
      local inside = s:insert({ 2, 2, 9, 1 })
      expect.boxes({ inside, coins[4] }, s:querySweep(player, { 20, 0 }))
    end)
  end)
end)

describe("querySegment", function()
  it("gives every hit once, by time, ties by insertion", function()
    scene.each(function(s)
      local c = s:insert({ 30, 0, 2, 2 })
      local a1 = s:insert({ 10, 0, 2, 2 })
      local wide = s:insert({ 8, -50, 200, 100 })
      local a2 = s:insert({ 10, -5, 20, 20 })
      s:insert({ 10, 1, 2, 2 })
      expect.boxes({ wide, a1, a2, c }, s:querySegment({ 0, 0.5 }, { 64, 0.5 }))
      expect.boxes({ wide, c, a2, a1 }, s:querySegment({ 64, 0.5 }, { 0, 0.5 }))
      expect.boxes({ wide, a1, a2 }, s:querySegment({ 0, 0.5 }, { 30, 0.5 }))
      expect.boxes({ wide }, s:querySegment({ 9, 0.5 }, { 9, 0.5 }))
      expect.boxes({}, s:querySegment({ 0, 0.5 }, { 8, 0.5 }))
    end)
  end)

  it("begins with what segmentCast gives", function()
    scene.each(function(s)
      for i = 1, 20 do
        s:insert({ i * 7 % 20 * 3, i % 3 - 1, 4, 2 })
      end
      for _, y in ipairs({ -0.5, 0.5, 1.5, 2.5 }) do
        local first = s:segmentCast({ -1, y }, { 100, -y })
        assert.is_true(rawequal(first, s:querySegment({ -1, y }, { 100, -y })[1]))
      end
    end)
  end)
end)

describe("casts", function()
  it("never answer with a minus zero", function()
    local function plus(x)
      return x ~= 0 or 1 / x > 0
    end
    scene.each(function(s)
      local wall = s:insert({ 0, 0, 2, 2 })
      -- Casts that enter each face from outside, that start at it, and that start inside.
      for _, from in ipairs({ { -2, 1 }, { 0, 1 }, { 4, 1 }, { 2, 1 }, { 1, -2 }, { 1, 0 },
        { 1, 4 }, { 1, 2 }, { 1, 0.5 } }) do
        local args = compat.concat(s:vector(from), s:vector({ 1, 1 }))
        local got = { s.world:segmentCast(compat.unpack(args)) }
        assert.is_true(rawequal(wall, got[1]))
        for i = 2 + s.dim, #got do
          assert.is_true(plus(got[i]), "segmentCast, answer " .. i)
        end
        args = compat.concat(s:rect({ from[1], from[2], 0, 0 }),
          s:vector({ 1 - from[1], 1 - from[2] }))
        got = { s.world:sweepRect(compat.unpack(args)) }
        assert.is_true(rawequal(wall, got[1]))
        for i = 2, #got do
          assert.is_true(plus(got[i]), "sweepRect, answer " .. i)
        end
      end
    end)
  end)

  it("find all that is small on a way as long as numbers go", function()
    local most = compat.maxDouble
    local from = { { -most, -most, most, most }, { -most, -most, -most, most, most, most } }
    local motion = { { most, 1e307 }, { most, 1e307, most } }
    local size = 1 / 2048
    for _, backend in ipairs(scene.backends) do
      for dim = 2, 3 do
        local world = broadside.newWorld({ backend = backend, dim = dim, results = "id" })
        local first
        for x = -6, 6 do
          for y = -6, 6 do
            local flat = { 2 * size * x, 2 * size * y, size, size }
            local id = world:insert(compat.unpack(dim == 2 and flat
              or { flat[1], flat[2], -size, size, size, size }))
            first = first or id
          end
        end
        local met, t = world:sweepRect(compat.unpack(compat.concat(from[dim - 1], motion[dim - 1])))
        assert.same({ first, 0 }, { met, t })
      end
    end
  end)

  it("find their way through the static and the dynamic alike", function()
    scene.each(function(s)
      local dynamic = s:insert({ 10, 0, 2, 2 })
      local static = s:insert({ 20, 0, 2, 2 }, { static = true })
      expect.hit(dynamic, 0.3125, { -1, 0 }, s:segmentCast({ 0, 1 }, { 32, 1 }))
      dynamic:setStatic(true)
      static:setStatic(false)
      expect.hit(dynamic, 0.3125, { -1, 0 }, s:segmentCast({ 0, 1 }, { 32, 1 }))
      s:update(dynamic, { 25, 0 })
      expect.hit(static, 0.625, { -1, 0 }, s:segmentCast({ 0, 1 }, { 32, 1 }))
    end)
  end)

  it("keep what they begin in when what is static is only just met, too", function()
    for dim = 2, 3 do
      local world = broadside.newWorld({ dim = dim, results = "id" })
      local function rect(x, y, size)
        return dim == 2 and { x, y, size, size } or { x, y, 0, size, size, size }
      end
      local function insert(x, y, size, static)
        local flat = compat.concat(rect(x, y, size), { { static = static } })
        return world:insert(compat.unpack(flat))
      end
      local function sweep(x, y)
        local flat = compat.concat(rect(x, y, 4), dim == 2 and { 200, 0 } or { 200, 0, 0 })
        return world:sweepRect(compat.unpack(flat))
      end
      for i = 0, 99 do -- so that most casts start in boxes of both kinds
        insert(i % 10 * 40, math.floor(i / 10) * 40, 16, false)
        insert(i % 10 * 40, math.floor(i / 10) * 40, 16, true)
      end
      local dynamic, static = insert(0, 24, 8, false), insert(8, 24, 8, true)
      for i = 1, 400 do
        for j = 0, 3 do
          sweep((i + j) % 10 * 40 + 4, 4)
        end
        local x, y = 20 + i * 0.83, 24
        world:updateMany({ dynamic, static }, dim == 2 and { x - 6.5, y - 2, x + 3.99, y }
          or { x - 6.5, y - 2, -2, x + 3.99, y, 0 })
        local met, t = sweep(x, y)
        assert.same({ dynamic, 0 }, { met, t })
      end
    end
  end)
end)
