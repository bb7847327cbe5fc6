-- walker.topDown: properties of walkers in games that are seen from above, in scenes that are
-- rotated to all four sides.

local broadside = require("broadside")
local garbageOf = require("spec.support.garbage")
local ground = require("spec.support.ground")
local walker = require("broadside.walker")

local DT = 1 / 60

-- Runs case(scene, walk) for all sides. walk(vx, vy, frames) walks in the scene's directions, and
-- returns what is left of the velocity.
local function eachSide(kind, opts, case)
  for quarter = 0, 3 do
    local s = ground.newScene(quarter)
    s.body = ground.bodies[kind](s, 8, 16, 16, 16)
    s.hero = walker.topDown(s.world, s.body, opts)
    case(s, function(vx, vy, frames)
      local wx, wy = s.turn(vx, vy)
      local leftX, leftY
      for _ = 1, frames or 1 do
        leftX, leftY = s.back(s.hero:walk(wx, wy, DT))
      end
      return leftX, leftY
    end)
  end
end

-- The sides on which a hero has met walls, as seen in the scene.
local function walls(s)
  return s.back(s.hero.onWallX, s.hero.onWallY)
end

local function assertAt(s, x, y)
  local x2, y2 = s:place()
  assert.is_true(math.abs(x2 - x) < 1e-9 and math.abs(y2 - y) < 1e-9,
    ("%.17g, %.17g"):format(x2, y2))
end

describe("walker.topDown", function()
  it("slides along walls at its full speed along them", function()
    for _, kind in ipairs({ "box", "circle" }) do
      eachSide(kind, nil, function(s, walk)
        for i = 0, 9 do
          s:box(26, -160 + 32 * i, 32, 32)
        end
        local vx, vy = walk(120, -60)
        assertAt(s, 2, -1)
        assert.is_true(vx == 120 and vy == -60)
        vx, vy = walk(1200, -60, 30)
        assertAt(s, 10, -31)
        assert.is_true(vx == 0 and vy == -60)
        local wallX, wallY = walls(s)
        assert.is_true(wallX == 1 and wallY == 0)
        assert.is_true(s.hero.n >= 1 and s.hero.hits[s.hero.n] ~= nil)
        walk(-120, 0)
        assertAt(s, 8, -31)
        assert.equal(0, s.hero.n)
        assert.is_nil(s.hero.hits[1])
        assert.is_true(walls(s) == 0)
      end)
    end
  end)

  it("keeps of its velocity what leads along a slanted wall", function()
    eachSide("circle", nil, function(s, walk)
      s:polygon({ 40, -200, 440, 200, 440, -200 })
      local vx, vy = walk(120, 0, 150)
      assert.is_true(math.abs(vx - 60) < 1e-9 and math.abs(vy - 60) < 1e-9)
      local wallX, wallY = walls(s)
      assert.is_true(wallX == 1 and wallY == -1)
    end)
  end)

  it("goes past corners into a corridor of its own width, at its own speed", function()
    for _, kind in ipairs({ "box", "circle", "polygon" }) do
      for off = -8, 8 do
        eachSide(kind, { nudge = 6 }, function(s, walk)
          local corridor = 16
          s:box(40, off - 100, 200, 100)
          s:box(40, off + corridor, 200, 100)
          for _ = 1, 90 do
            local x, y = s:place()
            local vx, vy = walk(120, 0)
            local x2, y2 = s:place()
            assert.is_true((x2 - x) ^ 2 + (y2 - y) ^ 2 <= 4 + 1e-6)
            if kind == "box" and math.abs(off) <= 6 then -- the whole way, around the corner, too
              local gone = math.abs(x2 - x) + math.abs(y2 - y)
              assert.is_true(gone >= 2 - 1e-6 and vx == 120 and vy == 0)
            end
          end
          local x, y = s:place()
          if math.abs(off) <= 6 then
            assert.is_true(x > 100 and math.abs(y - off) < 1e-6, kind .. off)
            assert.is_true(walls(s) == 0)
          elseif kind == "box" then
            assertAt(s, 24, 0)
            assert.equal(1, (walls(s)))
          end
        end)
      end
    end
  end)

  it("does not go past a corner against its speed, nor where there is no room", function()
    eachSide("box", { nudge = 6 }, function(s, walk)
      s:box(40, -100, 200, 104) -- it would pass below
      walk(120, -3, 60)
      local x, y = s:place()
      assert.is_true(x == 24 and y < 0)
    end)
    eachSide("box", { nudge = 6 }, function(s, walk)
      s:box(40, -100, 200, 104)
      s:box(40, 19, 200, 104) -- a gap of 15
      walk(120, 0, 60)
      assertAt(s, 24, 0)
    end)
  end)

  it("pushes crates by the filter, and is stopped by those that stop", function()
    eachSide("box", { filter = { slide = 1, push = 2 }, nudge = 6 }, function(s, walk)
      local crate = s:box(30, 2, 10, 10, { layer = 2 })
      s:box(80, -50, 20, 100)
      local vx = walk(120, 0, 15)
      assertAt(s, 30, 0)
      assert.is_true(vx == 120 and walls(s) == 0)
      vx = walk(120, 0, 60)
      assertAt(s, 54, 0)
      assert.is_true(vx == 0 and walls(s) == 1)
      assert.is_true(math.abs(s:place(crate) - 70) < 1e-9)
    end)
  end)

  it("keeps the speed of a crate that it pushes along a wall", function()
    eachSide("box", { filter = { slide = 1, push = 2 } }, function(s, walk)
      s:box(30, 0, 10, 10, { layer = 2 })
      s:box(-100, 17, 400, 20)
      local vx, vy = walk(120, 120, 15)
      assertAt(s, 30, 1)
      assert.is_true(vx == 120 and vy == 0)
      local wallX, wallY = walls(s)
      assert.is_true(wallX == 0 and wallY == 1)
    end)
  end)

  it("walks on from where others have put it", function()
    eachSide("box", nil, function(s, walk)
      walk(120, 0)
      s.body:setRect(s:rect(100, 50, 8, 8))
      walk(120, 60)
      assertAt(s, 102, 51)
    end)
  end)

  it("tells what it crosses", function()
    eachSide("box", nil, function(s, walk)
      local belt = s:box(-50, -50, 100, 100, { static = true, sensor = true })
      walk(120, 0)
      assert.is_true(s.hero.n == 1 and s.hero.hits[1].other == belt)
      assertAt(s, 2, 0)
    end)
  end)

  it("goes back with its world", function()
    local world = broadside.newWorld()
    local hero = walker.topDown(world, world:insert(0, 0, 10, 10), { nudge = 3 })
    local snapshot, slot = world:snapshot(), hero:save()
    for name, value in pairs(slot) do
      assert.is_true(type(name) == "string" and type(value) == "number")
    end
    hero:walk(60, 0, DT)
    hero.nudge = 5
    local ok, message = pcall(hero.restore, hero, slot)
    assert.is_true(not ok and message:find("restore the world first", 1, true) ~= nil)
    world:restore(snapshot)
    hero:restore(slot)
    assert.equal(3, hero.nudge)
    assert.equal(slot, hero:save(slot))
    world:insert(10, -50, 10, 100)
    world:insert(-50, 10, 100, 10)
    hero:walk(60, 60, DT)
    assert.is_true(hero.onWallX == 1 and hero.onWallY == 1 and hero.n == 2)
    hero:restore(slot)
    assert.is_true(hero.onWallX == 0 and hero.onWallY == 0 and hero.n == 0)
    assert.is_nil(hero.hits[1])
  end)

  it("has a wall only on the sides to which that faces", function()
    eachSide("box", nil, function(s, walk)
      s:polygon({ -100, 30, 200, -50, 200, 100, -100, 100 }) -- by 15 degrees
      walk(0, 120, 60)
      local wallX, wallY = walls(s)
      assert.is_true(wallX == 0 and wallY == 1)
    end)
  end)

  it("does not go past a crate that is held, also behind a coin", function()
    eachSide("box", { nudge = 10, filter = { push = 2, cross = 4, slide = 1 } }, function(s, walk)
      s:box(39, 10, 20, 20, { layer = 2 })
      s:box(59, 10, 20, 20)
      s:box(38.5, 0, 5, 20, { static = true, layer = 4 })
      for i = 1, 60 do
        local vx, vy = walk(120, 0)
        assertAt(s, math.min(23, 2 * i), 0)
        assert.is_true(vx == (i < 12 and 120 or 0) and vy == 0)
      end
    end)
  end)

  it("slides alike by x and by y along a peg of 45 degrees", function()
    local function play(turned)
      local world = broadside.newWorld()
      local function point(x, y)
        if turned then return y, x end
        return x, y
      end
      local function points(list)
        local out = {}
        for i = 1, #list, 2 do
          out[i], out[i + 1] = point(list[i], list[i + 1])
        end
        return out
      end
      local x, y = point(0, 0)
      local hero = walker.topDown(world, world:insert(x, y, 20, 20), { nudge = 12 })
      world:insertPolygon(points({ 30, 18, 38, 26, 30, 34, 22, 26 }), { static = true })
      local out = {}
      for _ = 1, 40 do
        local vx, vy = point(120, 0)
        vx, vy = hero:walk(vx, vy, DT)
        local left, top = hero.box:getRect()
        for _, pair in ipairs({ { point(left, top) }, { point(vx, vy) } }) do
          out[#out + 1], out[#out + 2] = pair[1], pair[2]
        end
      end
      return out
    end
    local a, b = play(false), play(true)
    for i = 1, #a do
      assert.is_true(math.abs(a[i] - b[i]) < 1e-9, ("%d: %.17g, %.17g"):format(i, a[i], b[i]))
    end
    assert.is_true(a[#a - 3] > 40) -- It is past the peg.
  end)

  it("says what is wrong", function()
    local world = broadside.newWorld()
    local hero = walker.topDown(world, world:insert(0, 0, 10, 10))
    local function refuses(expected, f, ...)
      local ok, message = pcall(f, ...)
      assert.is_true(not ok and message:find(expected, 1, true) ~= nil, message)
    end
    refuses("bad argument #1 to 'topDown' (2D World expected, got nil)", walker.topDown)
    refuses("unknown option 'snap'; known: filter, nudge", walker.topDown, world, hero.box,
      { snap = 1 })
    refuses("no field 'onFloor'; it has: filter, nudge, world, box, onWallX, onWallY, hits, n",
      function() return hero.onFloor end)
    refuses("bad argument #1 to 'walk' (finite number expected, got 'a'",
      hero.walk, hero, "a", 1, 1)
    refuses("bad argument #2 to 'walk' (finite number expected, got nil", hero.walk, hero, 1)
    refuses("bad argument #3 to 'walk' (finite number >= 0 expected, got -1", hero.walk, hero, 1, 1,
      -1)
    refuses("bad argument #1 to 'save' (table expected, got 5", hero.save, hero, 5)
    refuses("bad self to 'walk' (walker.topDown expected, got nil", hero.walk)
    refuses("bad field 'nudge' of a walker (finite number >= 0 expected, got -1)",
      function() hero.nudge = -1 end)
  end)

  it("leaves nothing to the collector", function()
    local world = broadside.newWorld()
    for i = 0, 20 do
      world:insert(40 + 40 * (i % 5), 24 * i - 200, 20, 20, { static = true })
    end
    local hero, frame = walker.topDown(world, world:insert(0, 0, 10, 10), { nudge = 6 }), 0
    local function play()
      frame = frame + 1
      local vy = frame % 300 < 100 and 0 or 100 * math.sin(frame / 70)
      hero:walk(100 * math.cos(frame / 90), vy, DT)
    end
    for _ = 1, 1000 do
      play()
    end
    assert.equal(0, garbageOf(play, 600))
  end)
end)
