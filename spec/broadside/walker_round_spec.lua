-- broadside.walker with round and slanted feet: its speed over bends, against lengths that are
-- summed up along a profile; steps, lintels and corridors; and walls of all angles.

local ground = require("spec.support.ground")
local random = require("spec.support.random")

local DT = 1 / 60

-- How high (as y, downwards) the middle of a circle is that rests on a line, with its middle at x.
local function levelOnLine(x1, y1, x2, y2, x, r)
  local level, length = math.huge, math.sqrt((x2 - x1) ^ 2 + (y2 - y1) ^ 2)
  for i = 1, 2 do
    local dx, y = x - (i == 1 and x1 or x2), i == 1 and y1 or y2
    if math.abs(dx) < r then
      level = math.min(level, y - math.sqrt(r * r - dx * dx))
    end
  end
  local part = (x - r * (y2 - y1) / length - x1) / (x2 - x1)
  if part >= 0 and part <= 1 then
    level = math.min(level, y1 + part * (y2 - y1) - r * (x2 - x1) / length)
  end
  return level
end

-- The same on an outline.
local function circleLevel(outline, x, r)
  local level = math.huge
  for i = 1, #outline - 3, 2 do
    if outline[i] < x + r and outline[i + 2] > x - r then
      level = math.min(level, levelOnLine(outline[i], outline[i + 1], outline[i + 2],
        outline[i + 3], x, r))
    end
  end
  return level
end

-- The length of a profile from x1, y1 to x2, y2, by chords, which are short where it bends.
local function lengthOf(levelAt, x1, y1, x2, y2, parts)
  local x, chord = (x1 + x2) / 2, math.sqrt((x2 - x1) ^ 2 + (y2 - y1) ^ 2)
  local y = levelAt(x)
  local before = math.sqrt((x - x1) ^ 2 + (y - y1) ^ 2)
  local after = math.sqrt((x2 - x) ^ 2 + (y2 - y) ^ 2)
  if parts <= 1 and before + after - chord < 1e-6 then return before + after end
  return lengthOf(levelAt, x1, y1, x, y, parts / 2) + lengthOf(levelAt, x, y, x2, y2, parts / 2)
end

-- Ground of short faces along a smooth curve.
local function smooth(from, to, piece, height, wave)
  local outline = {}
  for x = from, to, piece do
    outline[#outline + 1], outline[#outline + 2] = x, -height * math.sin(x / wave)
  end
  return outline
end

-- Walks a circle over an outline. Checks its speed in each frame, which is that of the profile.
local function roll(seed, outline, r, speed, frames, what)
  local s = ground.newScene(seed)
  ground.insert(s, outline, random.new(seed))
  local last, direction = outline[#outline - 1], 1
  local start = outline[1] + 4 * r
  s:walker(ground.bodies.circle(s, start, circleLevel(outline, start, r) + r - 1, 2 * r))
  s:land()
  local function levelAt(x)
    return circleLevel(outline, x, r)
  end
  for frame = 1, frames do
    local x1, y1 = s:place()
    x1, y1 = x1 + r, y1 + r
    s:run(1, direction * speed)
    local x2, y2 = s:place()
    x2, y2 = x2 + r, y2 + r
    local where = ("%s, seed %d, frame %d, x %.17g: "):format(what, seed, frame, x1)
    assert.is_true(s.hero.onFloor, where)
    assert.is_true(math.abs(y2 - levelAt(x2)) < 1e-6, where .. y2 - levelAt(x2))
    local off = lengthOf(levelAt, x1, y1, x2, y2, 16) / (speed * DT) - 1
    assert.is_true(math.abs(off) <= 1e-3, where .. off)
    if x2 > last - 4 * r or x2 < start then direction = x2 < start and 1 or -1 end
  end
end

describe("a round walker", function()
  it("goes at its speed over hills of short faces", function()
    for seed = 1, 2 do
      roll(seed, smooth(0, 400, 4, 20, 40), 8, 60 * seed, 60, "hills")
      roll(seed, smooth(0, 400, 1.5, 5, 15), 4 * seed, 100, 60, "gravel")
    end
  end)

  it("goes at its speed over random ground", function()
    for _, seed in ipairs(random.seeds(8)) do
      local rng = random.new(seed)
      local outline = ground.random(rng, 0, 400)
      roll(seed, outline, rng:real(4, 16), rng:real(60, 240), 60, "random")
    end
  end)

  it("goes over a slope in the time that its way takes, wherever it begins", function()
    local angle = math.atan(0.5)
    local slope, cut = math.sqrt(32 * 32 + 16 * 16), 8 * math.tan(angle / 2)
    for quarter = 0, 3 do
      for i = 0, 3 do
        local start = -61 + i / 4
        local s = ground.newScene(quarter)
        s:polygon({ -200, 100, 0, 100, 0, 140, -200, 140 })
        s:polygon({ 0, 100, 32, 84, 32, 140, 0, 140 })
        s:polygon({ 32, 84, 600, 84, 600, 140, 32, 140 })
        s:walker(ground.bodies.circle(s, start, 100, 16))
        s:run(1, 0)
        s:run(100, 120)
        local expected = 32 + 200 - (-cut - start + slope - cut + 8 * angle)
        assert.is_true(math.abs(s:place() + 8 - expected) < 1e-3)
      end
    end
  end)
end)

describe("a walker on a round floor", function()
  it("goes at its speed around it, whatever its body", function()
    for _, kind in ipairs({ "box", "circle", "polygon" }) do
      for quarter = 0, 3 do
        for _, radius in ipairs({ 20, 60, 300 }) do
          local s = ground.newScene(quarter)
          s.world:insertCircle(0, 0, radius, { static = true })
          s:walker(ground.bodies[kind](s, -radius / 2, -radius, 12, 18))
          s:land()
          local reach = kind == "circle" and radius + 6 or radius -- of the arc
          local seen = 0
          for _ = 1, 60 do
            local floorNx, floorNy = s.hero.floorNx, s.hero.floorNy
            local x, y = s:place()
            s:run(1, 90)
            local x2, y2 = s:place()
            local turned = floorNx * s.hero.floorNx + floorNy * s.hero.floorNy
            local isOnArc = kind ~= "polygon" and s.hero.onFloor
              and floorNx * floorNy * s.hero.floorNx * s.hero.floorNy ~= 0 and turned < 1 - 1e-9
              and (kind == "circle" or x + 12 < 0)
            if isOnArc then
              seen = seen + 1
              local chord = 2 * reach * math.sin(1.5 / 2 / reach)
              local gone = math.sqrt((x2 - x) ^ 2 + (y2 - y) ^ 2)
              assert.is_true(math.abs(gone - chord) < 1.5e-5)
            end
            assert.is_true(not s.hero.onFloor or x2 > x + 0.5)
          end
          assert.is_true(kind == "polygon" or seen > 0)
        end
      end
    end
  end)
end)

describe("the feet of a walker", function()
  it("hold to the way down without snap, as far as rounding", function()
    for _, kind in ipairs({ "box", "circle", "polygon" }) do
      for quarter = 0, 3 do
        for degrees = 1, 45, 4 do
          local s = ground.newScene(quarter)
          s:polygon({ 0, 0, 1000, 1000 * math.tan(math.rad(degrees)), 0, 2000 })
          s:walker(ground.bodies[kind](s, 40, 0, 20, 32), { snap = 0 })
          s:land()
          for _ = 1, 100 do
            local x = s:place()
            s:run(1, 123)
            local gone = (s:place() - x) / math.cos(math.rad(degrees))
            assert.is_true(s.hero.onFloor and math.abs(gone - 123 * DT) < 1e-6)
          end
        end
      end
    end
  end)

  it("climb a step of any height up to stepHeight", function()
    for _, kind in ipairs({ "box", "circle", "polygon" }) do
      for quarter = 0, 3 do
        for height = 1, 10 do
          local s = ground.newScene(quarter)
          local dir = height % 2 == 0 and 1 or -1
          s:box(-200, 0, 400, 20)
          s:box(math.min(30 * dir, 200 * dir), -height, 170, height)
          s:walker(ground.bodies[kind](s, 0, 0, 20, 32), { stepHeight = 10 })
          s:run(2, 0)
          local x = s:place()
          s:run(90, 60 * dir, function() assert.is_true(s.hero.onFloor and s:wall() == 0) end)
          local gone = dir * (s:place() - x)
          assert.is_true(gone > 80 and gone < 95, gone)
          local _, y, _, h = s:place()
          assert.is_true(math.abs(y + h + height) < 1e-9)
        end
      end
    end
  end)

  it("take an edge as a slope: circles climb by it, also above a stair", function()
    for i, maxSlope in ipairs({ 20, 46, 60 }) do
      for _, stepHeight in ipairs({ 0, 3.7 }) do
        local r = 7.3 * i
        local limit = stepHeight + r * (1 - math.cos(math.rad(maxSlope)))
        for _, height in ipairs({ limit - 0.1, limit + 0.1 }) do
          local s = ground.newScene(i)
          s:box(-300, 0, 300, 60)
          s:box(0, -height, 300, 60 + height)
          s:walker(ground.bodies.circle(s, -60, -0.5, 2 * r),
            { stepHeight = stepHeight, maxSlope = math.rad(maxSlope) })
          s:run(150, 113.37)
          assert.equal(height < limit, s:place() > 20, ("%g %g"):format(maxSlope, height - limit))
        end
      end
    end
  end)

  it("climb a sill below a lintel that leaves room only for that", function()
    for _, scale in ipairs({ 1, 1 / 32, 8 }) do
      for _, case in ipairs({ { 0.01, 30 }, { 1, 28 }, { 8, 29 }, { 9.6, 28.1 }, { 9.5, 28 },
        { 3, 28.5 } }) do
        for quarter = 0, 3 do
          for dir = -1, 1, 2 do
            local s = ground.newScene(quarter)
            local sill, door = case[1] * scale, case[2] * scale
            local function box(x, y, w, h)
              s:box(x * scale, y, w * scale, h)
            end
            box(-200, 0, 400, 16 * scale)
            box(-8, -sill, 16, sill)
            box(-8, -120 * scale, 16, 120 * scale - door - sill)
            s:walker(ground.bodies.box(s, -dir * 60 * scale, 0, 10 * scale, 28 * scale),
              { stepHeight = 9.6 * scale })
            s:run(2, 0)
            s:run(120, 100 * scale * dir)
            assert.is_true(dir * s:place() > 20 * scale, ("%g: %g, %g"):format(scale, sill, door))
          end
        end
      end
    end
  end)

  it("find into a corridor of their own height behind a slope", function()
    for _, at in ipairs({ 0, 1000.3 }) do
      for quarter = 0, 3 do
        for dir = -1, 1, 2 do
          for _, degrees in ipairs({ 45, 30, 12 }) do
            local s = ground.newScene(quarter)
            local run = 16 / math.tan(math.rad(degrees))
            local function box(x, y, w, h)
              s:box(at + (dir < 0 and -x - w or x), y, w, h)
            end
            box(-300, 0, 300, 16)
            s:polygon({ at, 0, at + dir * run, -16, at + dir * run, 16, at, 16 })
            box(run, -16, 300, 32)
            box(run, -48, 300, 16)
            s:walker(ground.bodies.box(s, at - dir * 40, 0, 10, 16))
            s:run(2, 0)
            s:run(120, 120 * dir)
            assert.is_true(dir * (s:place() - at) > run + 10, ("%g %g"):format(degrees, s:place()))
          end
        end
      end
    end
  end)
end)

describe("a steep side", function()
  it("is a wall and told, up to 89.99 degrees", function()
    for i = 480, 900, 7 do
      local degrees = i < 900 and i / 10 or 89.99
      local kind = ({ "box", "circle", "polygon" })[i % 3 + 1]
      local dir = i % 2 == 0 and 1 or -1
      local s = ground.newScene(i)
      s:box(-500, 0, 1000, 50)
      s:polygon({ dir * 100, 0, dir * 300, -200 * math.tan(math.rad(degrees)), dir * 300, 0 })
      s:walker(ground.bodies[kind](s, 0, 0, 24, 24))
      s:run(60, dir * 240)
      assert.equal(dir, s:wall(), degrees)
      local x, y = s:place()
      s:run(30, dir * 240, function()
        assert.equal(dir, s:wall(), degrees)
        assert.equal(0, s.vx)
      end)
      local x2, y2 = s:place()
      assert.is_true(math.abs(x2 - x) + math.abs(y2 - y) < 1e-6)
    end
  end)

  it("leaves of a fall what goes along it, and no more", function()
    for quarter = 0, 3 do
      for dir = -1, 1, 2 do
        for degrees = 50, 85, 5 do
          local s = ground.newScene(quarter)
          local a = math.rad(degrees)
          s:polygon({ 0, 0, dir * 1000, -1000 * math.tan(a), dir * 1000, 0 })
          s:walker(ground.bodies.box(s, dir * 300, -300 * math.tan(a) - 60, 20, 20))
          s:walk(0, 600, 1)
          local along = 600 * math.sin(a)
          assert.is_true(math.abs(s.vx + dir * along * math.cos(a)) < 1e-6)
          assert.is_true(math.abs(s.vy - along * math.sin(a)) < 1e-6)
          assert.equal(dir, s:wall())
        end
      end
    end
  end)

  it("is slid down ever faster, also by a game that sets its speed along in each frame", function()
    for _, vx in ipairs({ 0, 200 }) do
      local s = ground.newScene(0)
      s:polygon({ 0, 0, 1000, -1000 * math.tan(math.rad(60)), 1000, 0 })
      s:walker(ground.bodies.box(s, 600, -900, 20, 20))
      s:run(30, vx)
      local vy = s.vy
      s:run(30, vx)
      assert.is_true(math.abs(s.vy - vy - 500 * math.sin(math.rad(60)) ^ 2) < 10, s.vy - vy)
    end
  end)
end)
