-- broadside.walker: properties of all walkers, in scenes that are rotated to all four sides.

local broadside = require("broadside")
local garbageOf = require("spec.support.garbage")
local ground = require("spec.support.ground")
local random = require("spec.support.random")
local walker = require("broadside.walker")

local DT = 1 / 60
local STATIC = { static = true }
local KINDS = { "box", "circle", "polygon" }

-- Runs case(scene, kind, quarter) for each kind of body, rotated to another side each time.
local function eachBody(case, opts)
  for i, kind in ipairs(KINDS) do
    for quarter = i, i + 1 do
      case(ground.newScene(quarter, opts), kind, quarter)
    end
  end
end

local function eachSide(case, opts)
  for quarter = 0, 3 do
    case(ground.newScene(quarter, opts), quarter)
  end
end

local function distance(x1, y1, x2, y2)
  return math.sqrt((x2 - x1) ^ 2 + (y2 - y1) ^ 2)
end

-- Adds a floor, and a hero who stands on it at 0.
local function standing(s, kind, opts)
  s:box(-1000, 0, 5000, 50)
  s:walker(ground.bodies[kind or "box"](s, 0, -1, 20, 32), opts)
  s:land()
  return s.hero
end

-- Adds ground that rises to the right from x on, by that many degrees.
local function slope(s, x, degrees)
  s:polygon({ x, 0, x + 1000, -1000 * math.tan(math.rad(degrees)), x + 1000, 0 })
end

describe("a walker on the ground", function()
  -- Walks back and forth over random ground of boxes and polygons.
  local function walkOver(origin, seed, tolerance)
    local rng = random.new(seed)
    local s = ground.newScene(seed)
    local outline = ground.random(rng, origin, 400)
    ground.insert(s, outline, rng)
    local w, speed = rng:pick({ 20, rng:real(3, 30) }), rng:real(100, 300)
    local level = ground.levelUnder(outline, origin + 10, w)
    s:walker(ground.bodies.box(s, origin + 10 + w / 2, level - 1, w, 32))
    s:land()
    local direction = 1
    for frame = 1, 150 do
      local x1 = s:place()
      s:run(1, direction * speed)
      local x2, y2, _, h = s:place()
      local where = ("seed %d, frame %d, at %.17g"):format(seed, frame, x1)
      local length = ground.lengthBetween(outline, x1, x2, w)
      local off = length / DT - speed
      assert.is_true(math.abs(off) <= tolerance * speed, where .. ": " .. off)
      assert.is_true(s.hero.onFloor and s:wall() == 0 and not s.hero.onCeiling, where)
      assert.is_true(math.abs(y2 + h - ground.levelUnder(outline, x2, w)) <= tolerance, where)
      if x2 + w > origin + 390 or x2 < origin + 10 or rng:chance(0.02) then
        direction = -direction
      end
    end
  end

  it("goes at its speed over any of it, and never leaves it", function()
    for _, seed in ipairs(random.seeds(24)) do
      walkOver(0, seed, 1e-6)
    end
  end)

  it("does so far from the origin", function()
    for _, seed in ipairs(random.seeds(8)) do
      walkOver(1e6, seed, 1e-5)
    end
  end)

  it("goes at its speed on each face, whatever its body", function()
    for _, seed in ipairs(random.seeds(12)) do
      local rng = random.new(seed)
      local s, kind = ground.newScene(seed), KINDS[1 + seed % 3]
      local outline = ground.random(rng, 0, 400)
      ground.insert(s, outline, rng)
      s:walker(ground.bodies[kind](s, 30, -80, 20, 32))
      s:land()
      for frame = 1, 90 do
        local where = ("seed %d, frame %d"):format(seed, frame)
        local x1, y1 = s:place()
        local floor, nx = s.hero.floor, s.hero.floorNx
        s:run(1, 180)
        local gone = distance(x1, y1, s:place()) / DT
        assert.is_true(s.hero.onFloor, where)
        local tolerance = 180 * (kind == "circle" and 1e-5 or 1e-6) -- a circle rolls around corners
        assert.is_true(gone <= 180 + tolerance, where .. ": " .. gone)
        if floor == s.hero.floor and math.abs(nx - s.hero.floorNx) < 1e-12 then
          assert.is_true(math.abs(gone - 180) <= tolerance, where .. ": " .. gone)
        end
      end
    end
  end)
end)

describe("a walker on a slope", function()
  it("stands still for 10,000 frames", function()
    eachBody(function(s, kind)
      slope(s, -500, 44)
      s:walker(ground.bodies[kind](s, 0, -800, 20, 32))
      s:land()
      local x, y = s:place()
      s:run(10000 / 2, 0)
      for _ = 1, 10000 / 2 do
        s:walk(0, 0)
      end
      assert.is_true(s.hero.onFloor and s.vx == 0 and s.vy == 0)
      assert.same({ x, y }, { (s:place()), (select(2, s:place())) })
    end)
  end)

  it("climbs 46 degrees, and is stopped by 47 at once and for good", function()
    for degrees = 46, 47 do
      eachBody(function(s, kind)
        standing(s, kind)
        slope(s, 100, degrees)
        s:run(60, 200)
        local x, y = s:place()
        s:run(200, 200)
        local x2, y2 = s:place()
        if degrees == 46 then
          local gone = distance(x, y, x2, y2)
          assert.is_true(s.hero.onFloor and math.abs(gone - 200 * 200 / 60) < 1e-6)
        else
          assert.is_true(s.hero.onFloor and distance(x, y, x2, y2) <= 1e-6 and s.vx == 0)
          assert.equal(1, s:wall())
        end
      end)
    end
  end)

  it("is as fast across it where that is wanted", function()
    eachSide(function(s)
      standing(s, "box", { constantSpeed = false })
      slope(s, 100, 40)
      for _ = 1, 100 do
        local x = s:place()
        s:run(1, 200)
        assert.is_true(s.hero.onFloor and math.abs(s:place() - x - 200 / 60) < 1e-9)
      end
      assert.is_true(select(2, s:place()) < -100)
    end)
  end)

  it("slides down a steep one, and stands at its foot", function()
    eachBody(function(s, kind)
      standing(s, kind)
      slope(s, 100, 60)
      s.world:update(s.body, s:rect(300, -400, select(3, s:place())))
      s:run(20, 0)
      local x, y = s:place()
      for _ = 1, 200 do
        s:run(1, 200) -- the same holds if the hero keeps going
        local x2, y2 = s:place()
        assert.is_true(s.hero.onFloor or x2 <= x + 1e-6 and y2 >= y - 1e-6)
        x, y = x2, y2
      end
      assert.is_true(s.hero.onFloor)
    end)
  end)

  it("leaves it where it ends in a cliff, and not where it goes down by less than snap", function()
    for drop = 4, 12, 8 do
      eachSide(function(s)
        s:box(-100, 0, 200, 100)
        s:box(100, drop, 300, 100)
        s:walker(ground.bodies.box(s, 0, -1, 20, 32))
        s:land()
        local left = 0
        for _ = 1, 60 do
          s:run(1, 200)
          left = left + (s.hero.onFloor and 0 or 1)
        end
        assert.equal(drop > 8, left > 0)
        assert.equal(drop - 32, select(2, s:place()))
      end)
    end
  end)
end)

describe("a walker at a wall", function()
  it("stays where it presses on, between a slope and a wall, or two slopes", function()
    eachBody(function(s, kind)
      for _, degrees in ipairs({ { 30, 90 }, { -30, 90 }, { 20, 60 }, { -44, 70 }, { 0, 50 } }) do
        s.world:clear()
        local height = 500 * math.tan(math.rad(degrees[1]))
        s:polygon({ -500, height, 0, 0, 0, 600, -500, 600 })
        if degrees[2] == 90 then
          s:box(0, -500, 50, 1000)
        else
          s:polygon({ 0, 0, 300, -300 * math.tan(math.rad(degrees[2])), 300, 0 })
        end
        s:walker(ground.bodies[kind](s, -100, -200, 20, 32))
        s:land()
        s:run(120, 200)
        local x, y = s:place()
        for _ = 1, 100 do
          s:run(1, 200)
          assert.is_true(s.hero.onFloor and s:wall() == 1 and s.vx == 0)
          assert.is_true(distance(x, y, s:place()) <= 1e-6)
        end
        s:run(1, -200)
        assert.is_true(s:place() < x - 1)
      end
    end)
  end)

  it("goes on to the very foot of a steep side, from any slope", function()
    for _, seed in ipairs(random.seeds(20)) do
      local rng = random.new(seed)
      eachSide(function(s)
        local x, y = rng:real(-100, 100), rng:real(-100, 100)
        local low, steep = math.rad(rng:real(5, 45)), math.rad(rng:real(50, 89))
        s:polygon({ x - 300, y + 300 * math.tan(low), x, y, x, y + 400, x - 300, y + 400 })
        s:polygon({ x, y, x + 50, y - 50 * math.tan(steep), x + 50, y })
        s:walker(ground.bodies.box(s, x - 100, y - 80, 20, 32), { stepHeight = rng:int(0, 1) * 6 })
        s:land()
        s:run(90, rng:real(120, 240))
        for _ = 1, 10 do
          s:run(1, 120)
          assert.is_true(distance(x - 20, y - 32, s:place()) <= 1e-6, seed)
          assert.is_true(s.hero.onFloor and s:wall() == 1)
        end
      end)
    end
  end)

  it("is held by a steep side and an upright one, wherever it falls between them", function()
    for _, seed in ipairs(random.seeds(20)) do
      local rng = random.new(seed)
      eachSide(function(s)
        local x, gap = rng:real(-100, 100), rng:real(1, 19)
        local side, speed = math.tan(math.rad(rng:real(50, 85))), rng:pick({ -120, 0, 120 })
        s:polygon({ x, 0, x + 50, -50 * side, x + 50, 0 })
        s:box(x - gap - 40, -1000, 40, 1000)
        s:walker(ground.bodies.box(s, x - gap + 11, -20 * side - 1, 20, 32))
        s:run(120, speed)
        local _, y = s:place()
        for _ = 1, 20 do
          s:run(1, speed)
          assert.is_true(s.hero.onFloor and s.vx == 0 and s.vy == 0, seed)
          assert.is_true(math.abs(y - select(2, s:place())) <= 1e-6)
        end
      end)
    end
  end)

  it("is held by walls that lead nowhere, and can jump out", function()
    eachBody(function(s, kind)
      s:polygon({ 0, 0, 500, 1000, 0, 1000 })
      s:box(300, -1000, 50, 3000)
      s:walker(ground.bodies[kind](s, 200, 0, 20, 32))
      s:run(200, 100)
      local x, y = s:place()
      for _ = 1, 50 do
        s:run(1, 100)
        assert.is_true(s.hero.onFloor and s.vy == 0)
        assert.is_true(distance(x, y, s:place()) <= 1e-6)
      end
      s:walk(-100, -300)
      assert.is_true(not s.hero.onFloor and select(2, s:place()) < y - 4)
    end)
  end)

  it("is held by two sides that are too steep, however wide their notch", function()
    for _, sides in ipairs({ { 35, 35 }, { 50, 31 }, { 32, 57.9 }, { 60, 70 } }) do
      eachBody(function(s, kind)
        local left, right = math.tan(math.rad(sides[1])), math.tan(math.rad(sides[2]))
        s:polygon({ 0, 0, -100, -100 * left, -100, 0 })
        s:polygon({ 0, 0, 100, -100 * right, 100, 0 })
        s:walker(ground.bodies[kind](s, -7.3, -60, 20, 32), { maxSlope = math.rad(30) })
        for _, speed in ipairs({ 0, 130, -130 }) do
          s:run(120, speed)
          local x, y = s:place()
          s:run(1, speed)
          assert.is_true(s.hero.onFloor and s.vx == 0 and s.vy == 0, kind .. sides[1])
          assert.is_true(distance(x, y, s:place()) <= 1e-6)
        end
        local _, y = s:place()
        s:walk(0, -300)
        assert.is_true(not s.hero.onFloor and select(2, s:place()) < y - 4)
      end)
    end
  end)

  it("slides down it in the air, and knows its side", function()
    eachSide(function(s)
      s:box(100, -500, 50, 2000)
      s:box(-150, -500, 50, 2000)
      s:walker(ground.bodies.box(s, 0, 0, 20, 32))
      for side = -1, 1, 2 do
        s:run(40, 400 * side)
        assert.equal(side, s:wall())
        assert.equal(side < 0 and -100 or 80, (s:place()))
        s.vy = 0
        local _, y = s:place()
        s:run(6, 400 * side)
        assert.is_true(math.abs(select(2, s:place()) - y - 21 * 1000 / 3600) < 1e-9)
      end
    end)
  end)

  it("steps up on what is no higher than stepHeight, and down again", function()
    eachSide(function(s)
      standing(s, "box", { stepHeight = 8 })
      for i = 1, 8 do
        s:box(100 + 20 * i, -7 * i, 400, 7)
      end
      for _ = 1, 120 do
        local x = s:place()
        s:run(1, 200)
        assert.is_true(s.hero.onFloor and math.abs(s:place() - x - 200 / 60) < 1e-6)
      end
      assert.equal(-56 - 32, select(2, s:place()))
      for _ = 1, 120 do
        s:run(1, -200)
        assert.is_true(s.hero.onFloor)
      end
      assert.equal(-32, select(2, s:place()))
      s.hero.stepHeight = 6
      s:run(120, 200)
      assert.same({ 100, -32, 1 }, { (s:place()), select(2, s:place()), s:wall() })
    end)
  end)

  it("steps up with round and slanted feet", function()
    for _, kind in ipairs({ "circle", "polygon" }) do
      local s = ground.newScene(1)
      standing(s, kind, { stepHeight = 10 })
      for i = 1, 5 do
        s:box(60 + 40 * i, -6 * i, 600, 6)
      end
      for _ = 1, 200 do
        local x = s:place()
        s:run(1, 150)
        assert.is_true(s:place() - x <= 150 / 60 + 1)
      end
      assert.is_true(s.hero.onFloor and s:place() > 260)
    end
  end)

  it("steps where its floor ends onto a one-way box, which does not stop it", function()
    eachBody(function(s, kind)
      local function levelAfter(height, ceiling)
        s.world:clear()
        s:box(-1000, 0, 1050, 50)
        s:box(50, -height, 100, 10, { oneWay = { s.turn(0, -1) } })
        if ceiling then s:box(50, ceiling - 20, 100, 20) end
        s:walker(ground.bodies[kind](s, 0, -1, 20, 32), { stepHeight = 6, snap = 0 })
        s:land()
        s:run(24, 240)
        local _, y, _, h = s:place()
        return s.hero.onFloor and y + h
      end
      local _, _, _, tall = s:place(ground.bodies[kind](s, 0, 0, 20, 32))
      for _, height in ipairs({ 0.001, 0.5, 3, kind == "circle" and 2 or 6 }) do
        assert.is_true(math.abs(levelAfter(height) + height) < 1e-6, kind .. height)
      end
      assert.is_false(levelAfter(6.1))
      if kind ~= "circle" then -- no room for its head; a circle comes to stand on the near edge
        assert.is_false(levelAfter(3, -tall - 2))
      end
    end)
  end)

  it("does not step up where its head would not fit", function()
    eachSide(function(s)
      standing(s, "box", { stepHeight = 8 })
      s:box(100, -8, 400, 8)
      s:box(60, -80, 400, 44)
      s:run(60, 200)
      assert.same({ 80, -32, 1 }, { (s:place()), select(2, s:place()), s:wall() })
    end)
  end)
end)

-- The ways to move a lift by dx, dy in a scene.
local DRIVES = {
  push = function(s, lift, dx, dy)
    local x, y = lift:getRect()
    dx, dy = s.turn(dx, dy)
    s.world:push(lift, x + dx, y + dy)
  end,
  setRect = function(s, lift, dx, dy)
    local x, y = lift:getRect()
    dx, dy = s.turn(dx, dy)
    lift:setRect(x + dx, y + dy)
  end,
  step = function(s, lift, dx, dy)
    lift:setVelocity(s.turn(dx / DT, dy / DT))
    s.world:step(DT)
    lift:setVelocity(0, 0)
  end,
}

describe("a walker on a lift", function()
  it("is not drawn by the gravity of its world", function()
    local s = ground.newScene(0, { gravity = { 0, 1000 } })
    s:box(-50, 0, 100, 10, { static = true })
    s:walker(ground.bodies.box(s, 0, 0, 20, 32))
    s:land()
    for _ = 1, 60 do
      s.world:step(DT)
      s:run(1, 0)
    end
    assert.equal(-32, select(2, s:place()))
    assert.is_true(s.hero.onFloor)
  end)

  for name, drive in pairs(DRIVES) do
    it("is carried in all directions, moved by " .. name, function()
      for quarter = 0, 3 do
        for gravity = 0, 1 do
          local s = ground.newScene(quarter)
          s.world:setGravity(s.turn(0, 1000 * gravity))
          local lift = s:box(-50, 0, 100, 10, { gravityScale = 0 })
          s:walker(ground.bodies.box(s, 0, 0, 20, 32))
          s:land()
          for i = 0, 7 do
            local dx, dy = 2 * math.cos(i * math.pi / 4), 2 * math.sin(i * math.pi / 4)
            for _ = 1, 8 do
              drive(s, lift, dx, dy)
              s:run(1, 0)
              local x, y = s:place()
              local liftX, liftY = s:place(lift)
              local vx, vy = s.back(s.hero.platformVx, s.hero.platformVy)
              assert.is_true(s.hero.onFloor and rawequal(lift, s.hero.floor))
              assert.is_true(math.abs(x - liftX - 40) < 1e-9 and math.abs(y + 32 - liftY) < 1e-9)
              assert.equal(lift, s.world:touching(s.body, s.turn(0, 1)))
              assert.is_true(math.abs(vx - dx / DT) < 1e-6 and math.abs(vy - dy / DT) < 1e-6)
            end
          end
          s:run(1, 0)
          assert.is_true(s.hero.platformVx == 0 and s.hero.platformVy == 0)
        end
      end
    end)
  end

  -- Rounding leaves some of the way into the floor, where push has already moved it up.
  it("is carried to the side by one that is pushed up, whatever the numbers", function()
    for _, seed in ipairs(random.seeds(20)) do
      local rng = random.new(seed)
      eachSide(function(s)
        local x, y = rng:real(-100, 100), rng:real(-100, 100)
        local lift = s:box(x - 50, y, 100, 10, {})
        s:walker(ground.bodies.box(s, x, y, 20, 32))
        s:land()
        local liftX = s:place(lift)
        local away = s:place() - liftX
        for _ = 1, 20 do
          DRIVES.push(s, lift, rng:real(-1, 1), rng:real(-2, 1))
          s:run(1, 0)
          liftX = s:place(lift)
          assert.is_true(math.abs(s:place() - liftX - away) < 1e-9, seed)
        end
      end)
    end
  end)

  it("stays on one that is one-way, however rounding falls", function()
    for _, seed in ipairs(random.seeds(20)) do
      local rng, kind = random.new(seed), KINDS[1 + seed % 3]
      eachSide(function(s)
        local x, y = rng:real(-100, 100), rng:real(-100, 100)
        local oneWay = { s.turn(0, -1) }
        local lift = s:box(x - 50, y, 100, 10, { oneWay = oneWay })
        s:walker(ground.bodies[kind](s, x, y - 1, 20, 32), { snap = rng:int(0, 1) * 8 })
        s:land()
        for _ = 1, 40 do
          DRIVES.setRect(s, lift, rng:real(-1, 1), rng:real(-2, 2))
          s:run(1, rng:int(-1, 1) * 30)
          local _, top = s:place(lift)
          local _, at, _, h = s:place()
          assert.is_true(s.hero.onFloor and math.abs(at + h - top) < 1e-9, seed)
        end
      end)
    end
  end)

  it("is stopped by walls, and walks on it as on any floor", function()
    local s = ground.newScene(0, { gravity = { 0, 1000 } })
    local lift = s:box(-50, 0, 100, 10, { gravityScale = 0 })
    s:box(60, -100, 10, 90)
    s:walker(ground.bodies.box(s, 0, 0, 20, 32))
    s:land()
    for _ = 1, 10 do
      local x = s:place()
      DRIVES.push(s, lift, 2, 0)
      s:run(1, 60)
      assert.is_true(math.abs(s:place() - x - 3) < 1e-9)
    end
    for _ = 1, 30 do
      DRIVES.push(s, lift, 2, 0)
      s:run(1, 0)
    end
    assert.equal(40, (s:place()))
    assert.is_true(s.hero.onFloor and s.hero.platformVx == 0)
  end)

  it("jumps off with the lift's speed, and lands on it again", function()
    eachSide(function(s)
      s.world:setGravity(s.turn(0, 1000))
      local lift = s:box(-50, 0, 100, 10, { gravityScale = 0 })
      s:walker(ground.bodies.box(s, 0, 0, 20, 32))
      s:land()
      DRIVES.push(s, lift, 1, -1)
      s:run(1, 0)
      local vx, vy = s.back(s.hero.platformVx, s.hero.platformVy)
      s.vx, s.vy = vx, vy - 200
      for frame = 1, 40 do
        DRIVES.push(s, lift, 1, -1)
        s:walk(s.vx, s.vy + (frame > 1 and 1000 * DT or 0))
        assert.is_true(math.abs(s:place() - s:place(lift) - 41) < 1e-9)
        assert.equal(frame > 25, s.hero.onFloor)
        s.vx = s.hero.onFloor and 0 or s.vx
      end
    end)
  end)

  it("falls, where its floor is taken away", function()
    eachSide(function(s)
      local lift = s:box(-50, 0, 100, 10)
      s:walker(ground.bodies.box(s, 0, 0, 20, 32))
      s:land()
      lift:remove()
      s:run(6, 0)
      assert.is_false(s.hero.onFloor)
      assert.is_nil(s.hero.floor)
      assert.is_true(math.abs(s.hero.airTime - 6 * DT) < 1e-9 and math.abs(s.vy - 100) < 1e-9)
    end)
  end)

  it("does not stick below one that falls", function()
    local s = ground.newScene(0)
    local lift = s:box(-50, -100, 100, 10, {})
    s:walker(ground.bodies.box(s, 0, -50, 20, 32))
    for frame = 1, 20 do
      DRIVES.push(s, lift, 0, 8)
      s:run(1, 0)
      assert.is_true(frame < 8 or select(2, s:place()) >= select(2, s:place(lift)) + 10)
    end
  end)
end)

describe("a walker in the air", function()
  it("jumps as high as its speed says, lands, and reports both", function()
    eachBody(function(s, kind)
      standing(s, kind)
      assert.equal(0, s.hero.airTime)
      local _, floor = s:place()
      s:walk(0, -300)
      local top, frames = floor, 1
      while not s.hero.onFloor do
        assert.is_true(math.abs(s.hero.airTime - frames * DT) < 1e-9)
        s:run(1, 0)
        top, frames = math.min(top, select(2, s:place())), frames + 1
      end
      assert.is_true(math.abs(floor - top - 47.5) < 1e-9)
      assert.equal(0, s.vy)
      assert.is_true(math.abs(select(2, s:place()) - floor) < 1e-9)
    end)
  end)

  it("goes on below the corner of a ceiling, also far from the origin", function()
    for off = -9, 9 do
      local places = {}
      for i, origin in ipairs({ 0, 2 ^ 20 }) do
        local s = ground.newScene(0)
        s:box(origin, origin - 50, 100, 20)
        s:walker(ground.bodies.circle(s, origin + off, origin, 20))
        s.vy = -400
        s:run(20, 120)
        local x, y = s:place()
        places[i] = { x - origin, y - origin }
      end
      local a, b = places[1], places[2]
      assert.is_true(distance(a[1], a[2], b[1], b[2]) < 1e-6, off)
    end
  end)

  it("is stopped by a ceiling, and moved past its corner by no more than nudge", function()
    local cases = { { 6, -4, true }, { 6, -6, true }, { 6, -7, false }, { 0, -1, false } }
    for _, case in ipairs(cases) do
      for side = -1, 1, 2 do
        eachSide(function(s)
          standing(s, "box", { nudge = case[1] })
          s:box(side > 0 and 10 + case[2] or -110 - case[2], -100, 100, 20)
          s:walk(0, -500)
          local met = false
          for _ = 1, 15 do
            s:run(1, 0)
            met = met or s.hero.onCeiling
          end
          assert.equal(not case[3], met)
          assert.equal(case[3] and -10 + side * case[2] or -10, (s:place()))
          assert.equal(case[3], select(2, s:place()) < -100)
        end)
      end
    end
  end)

  it("comes through a one-way box from below, stands on it, and lets go of it", function()
    eachSide(function(s)
      standing(s)
      local oneWay = { static = true, oneWay = { s.turn(0, -1) } }
      local left, right = s:box(-50, -60, 50, 8, oneWay), s:box(0, -60, 50, 8, oneWay)
      s:walk(0, -500)
      s:run(80, 0)
      assert.equal(-92, select(2, s:place()))
      assert.is_true(s.hero.onFloor and (s.hero.floor == left or s.hero.floor == right))
      s.hero:drop()
      assert.is_false(s.hero.onFloor)
      s:run(1, 0)
      assert.is_false(s.hero.onFloor)
      s:run(60, 30)
      assert.equal(-32, select(2, s:place()))
      local x, y = s:place()
      s.hero:drop() -- this must not go through the ground
      s:run(5, 0)
      assert.same({ x, y }, { (s:place()), (select(2, s:place())) })
    end)
  end)

  it("does not drop where something else holds it, too", function()
    local s = ground.newScene(0)
    s:box(-50, 0, 50, 8, { static = true, oneWay = { 0, -1 } })
    s:box(0, 0, 50, 8)
    s:walker(ground.bodies.box(s, 0, 0, 20, 32))
    s:land()
    s.hero:drop()
    s:run(5, 0)
    assert.is_true(s.hero.onFloor and select(2, s:place()) == -32)
  end)

  it("rides one that is one-way, and drops from it", function()
    local s = ground.newScene(0, { gravity = { 0, 1000 } })
    local lift = s:box(-50, 0, 100, 8, { oneWay = { 0, -1 }, gravityScale = 0 })
    s:walker(ground.bodies.box(s, 0, 0, 20, 32))
    s:land()
    for _ = 1, 20 do
      DRIVES.push(s, lift, 0, -1)
      s:run(1, 0)
      assert.is_true(s.hero.onFloor and select(2, s:place()) + 32 == select(2, s:place(lift)))
    end
    s.hero:drop()
    for _ = 1, 30 do
      DRIVES.push(s, lift, 0, -1)
      s:run(1, 0)
    end
    assert.is_false(s.hero.onFloor)
    assert.is_true(select(2, s:place()) > 20)
  end)
end)

describe("what a walker meets", function()
  it("is reported once in a walk, with what it crosses on its way", function()
    local COIN, GATE = 2, 4
    eachSide(function(s)
      standing(s, "box", { filter = { slide = 1, cross = COIN + GATE } })
      local body, told = s.body, {}
      local options = { static = true, layer = COIN }
      for i = 1, 6 do
        s:box(17 * i, -20, 5, 5, options)
      end
      local wall = s:box(120, -200, 10, 200)
      s:box(121, -20, 5, 5, options) -- inside the wall
      s:box(-300, -200, 600, 190, { static = true, layer = GATE, sensor = true })
      s:run(60, 200, function()
        local seen = {}
        assert.equal(s.hero.n, #s.hero.hits)
        for i = 1, s.hero.n do
          local hit = s.hero.hits[i]
          assert.is_nil(seen[hit.other])
          seen[hit.other], told[hit.other] = hit, true
        end
        assert.is_truthy(seen[s.hero.floor])
        assert.equal("slide", seen[s.hero.floor].response)
      end)
      local count = 0
      for other in pairs(told) do
        local layer = other:getFilter()
        count = count + (layer == COIN and 1 or 0)
        assert.is_false(rawequal(other, body))
      end
      assert.equal(6, count)
      assert.is_true(told[wall])
      s:walk(200, -100) -- in the air, too
      told[wall] = false
      for i = 1, s.hero.n do
        told[wall] = told[wall] or s.hero.hits[i].other == wall
      end
      assert.is_true(told[wall])
      s:land()
      s:run(1, 0)
      assert.equal(3, s.hero.n) -- the floor, the gate, and the coin at the hero's place
    end)
  end)

  it("is no coin beyond the edge that it follows down", function()
    local s = ground.newScene(0)
    s:box(-100, 0, 100, 10)
    slope(s, 0, -45)
    -- Where the hero would be if the flight had continued.
    s:box(2, -33, 3, 1, { static = true, layer = 2 })
    local options = { filter = { slide = 1, cross = 2 }, snap = 20 }
    s:walker(ground.bodies.box(s, -20, -1, 20, 32), options)
    s:land()
    s:run(20, 600, function()
      for i = 1, s.hero.n do
        assert.equal("slide", s.hero.hits[i].response)
      end
    end)
    assert.is_true(s:place() > 60 and s.hero.onFloor)
  end)

  it("is pushed where the filter says so", function()
    eachSide(function(s)
      standing(s, "box", { filter = { slide = 1, push = 2 } })
      local crate = s:box(50, -30, 30, 30, { layer = 2 })
      s:box(200, -100, 50, 100)
      for _ = 1, 30 do
        local x = s:place()
        s:run(1, 120)
        assert.is_true(s.hero.onFloor and math.abs(s:place() - x - 2) < 1e-9)
      end
      assert.is_true(math.abs(s:place(crate) - 70) < 1e-9)
      s:run(90, 120)
      assert.same({ 150, 170, 1, 0 }, { (s:place()), (s:place(crate)), s:wall(), s.vx })
      s.world:update(s.body, s:rect(175, -200, 20, 32))
      s:land()
      assert.is_true(rawequal(crate, s.hero.floor) and select(2, s:place()) == -62)
    end)
  end)

  it("is a wall, if it cannot be pushed, on any slope", function()
    eachBody(function(s, kind)
      for _, degrees in ipairs({ -40, -12, 3, 25, 44 }) do
        for _, crate in ipairs({ "box", "ball", "steep" }) do
          s.world:clear()
          local height = 500 * math.tan(math.rad(degrees))
          s:polygon({ -500, height, 500, -height, 500, 600, -500, 600 })
          if crate == "box" then
            s:box(30, -75, 20, 40, { layer = 2 })
          elseif crate == "ball" then
            local x, y = s.turn(40, -35)
            s.world:insertCircle(x, y, 10, { layer = 2 })
          else
            s:polygon({ 30, -35, 45, -75, 50, -75, 50, -35 }, { layer = 2 })
          end
          s:box(52, -500, 10, 1000)
          s:walker(ground.bodies[kind](s, -100, -200, 20, 32), { filter = { slide = 1, push = 2 } })
          s:run(200, 130)
          local x, y = s:place()
          local stands = s.hero.onFloor
          for _ = 1, 30 do
            s:run(1, 130)
            assert.is_true(s.hero.onFloor == stands and s:wall() == 1)
            assert.is_true(distance(x, y, s:place()) <= 1e-6)
          end
        end
      end
    end)
  end)

  it("is the same, and so is its path, for all kinds of results", function()
    local ends = {}
    for _, results in ipairs({ "box", "id", "data" }) do
      local s = ground.newScene(0, { results = results, gravity = { 0, 1000 } })
      s.world:insert(-100, 0, 80, 10, { static = true, data = "ground" })
      s.world:insert(120, -40, 80, 60, { static = true, data = "ground" })
      local lift = s.world:insert(-20, 0, 100, 10, { data = "lift", gravityScale = 0 })
      s:walker(s.world:insert(-60, -40, 20, 32))
      for frame = 1, 90 do
        local x, y = s.world:getRects({ lift })[1], frame
        s.world:push(lift, x + 0.5, y / 10)
        s:run(1, 80)
      end
      ends[results] = { (s:place()), (select(2, s:place())), s.hero.platformVx, s.hero.onWall }
      assert.equal(results == "data" and "lift" or lift, s.hero.floor)
    end
    assert.same(ends.box, ends.id)
    assert.same(ends.box, ends.data)
  end)

  it("may be said by a function, or be all but one", function()
    for _, filter in ipairs({ function() return "slide" end, 1 }) do
      local s = ground.newScene(0)
      standing(s, "box", { filter = filter })
      s:run(30, 100)
      assert.is_true(s.hero.onFloor and math.abs(s:place() - 40) < 1e-9)
    end
    local s = ground.newScene(0)
    standing(s)
    s.hero.filter = s.hero.floor
    s:run(30, 100)
    assert.is_false(s.hero.onFloor)
  end)
end)

describe("the work of a walker", function()
  -- A world that counts its calls.
  local function counting(world)
    local count = { n = 0 }
    local proxy = setmetatable({}, {
      __index = function(_, name)
        return function(_, ...)
          count.n = count.n + 1
          return world[name](world, ...)
        end
      end,
    })
    return proxy, count
  end

  it("is a few calls on flat ground, and bounded elsewhere", function()
    for _, seed in ipairs(random.seeds(4)) do
      local rng = random.new(seed)
      local s, kind = ground.newScene(seed), KINDS[1 + seed % 3]
      local outline = ground.random(rng, 0, 600)
      ground.insert(s, outline, rng)
      s:walker(ground.bodies[kind](s, 30, -80, 20, 32), { stepHeight = 4, nudge = 3 })
      local count
      s.hero.world, count = counting(s.world)
      s:run(150, 250, function()
        assert.is_true(count.n <= 600, count.n)
        count.n = 0
      end)
    end
    local s = ground.newScene(0)
    standing(s)
    local count
    s.hero.world, count = counting(s.world)
    s:run(10, 250, function()
      assert.is_true(count.n <= 4, count.n)
      count.n = 0
    end)
  end)

  it("is a few calls for each bend of a smooth hill", function()
    local outline = {}
    for x = 0, 800, 4 do
      outline[#outline + 1], outline[#outline + 2] = x, -20 * math.sin(x / 40)
    end
    for _, kind in ipairs(KINDS) do
      local s = ground.newScene(0)
      ground.insert(s, outline, random.new(1))
      s:walker(ground.bodies[kind](s, 30, -60, 16, 32))
      s:land()
      local count, all = nil, 0
      s.hero.world, count = counting(s.world)
      s:run(150, 240, function()
        assert.is_true(count.n <= 24, count.n)
        all, count.n = all + count.n, 0
      end)
      assert.is_true(all <= 150 * 13.5, kind .. all / 150)
    end
  end)

  for _, results in ipairs({ "box", "id", "data" }) do
    it("leaves nothing to the collector: results = " .. results, function()
      local s = ground.newScene(0, { results = results, gravity = { 0, 1000 } })
      local rng = random.new(7)
      local outline = ground.random(rng, 0, 300)
      ground.insert(s, outline, rng)
      s.world:insert(-1000, -2000, 1000, 4000, STATIC)
      local lift = s.world:insert(20, -200, 60, 10, { gravityScale = 0 })
      s.world:insert(150, -400, 100, 500, { static = true, sensor = true })
      local body = s.world:insert(30, -232, 20, 32)
      local hero = walker.new(s.world, body, { stepHeight = 3, nudge = 3 })
      local vy, frame, pushed = 0, 0, {}
      local function play()
        frame = frame + 1
        if frame % 200 == 0 then
          s.world:update(body, 30, -232)
        end
        s.world:push(lift, 20 + frame % 20, -200, nil, pushed)
        local _
        _, vy = hero:walk(frame % 200 < 40 and 0 or frame % 120 < 80 and 200 or -200, vy + 16, DT)
        if frame % 150 == 100 then
          vy = -300
        end
      end
      for _ = 1, 1000 do
        play()
      end
      assert.equal(0, garbageOf(play, 600))
    end)
  end
end)

describe("walker.new", function()
  it("has the contract's defaults", function()
    local world = broadside.newWorld()
    local w = walker.new(world, world:insert(0, 0, 20, 32))
    assert.same({ { 0, -1 }, math.rad(46), 8, 0, 0, true },
      { w.up, w.maxSlope, w.snap, w.stepHeight, w.nudge, w.constantSpeed })
    assert.is_nil(w.filter)
    assert.equal(5, walker.new(world, world:insert(0, 0, 20, 32), { up = { 1, 0 } }).snap)
    assert.is_false(w.airTime < 1)
  end)

  it("says what is wrong with what it is given", function()
    local world = broadside.newWorld()
    local box, other = world:insert(0, 0, 1, 1), broadside.newWorld():insert(0, 0, 1, 1)
    local hero = walker.new(world, box)
    local function refuses(expected, f, ...)
      local ok, message = pcall(f, ...)
      assert.is_false(ok)
      assert.equal(expected, message:match("%(.*"))
    end
    refuses("(2D World expected, got nil)", walker.new)
    refuses("(Box or id expected, got nil)", walker.new, world)
    refuses("(box of another world)", walker.new, world, other)
    refuses("(table expected, got 5)", walker.new, world, box, 5)
    refuses("(unknown option 'step'; known: filter, up, maxSlope, snap, stepHeight, nudge, "
      .. "constantSpeed)", walker.new, world, box, { step = 3 })
    refuses("(option 'up': {0, -1}, {0, 1}, {-1, 0} or {1, 0} expected, got table)",
      walker.new, world, box, { up = { 1, 1 } })
    refuses("(option 'maxSlope': angle from 0 to less than pi / 2 expected, got 46)",
      walker.new, world, box, { maxSlope = 46 })
    refuses("(option 'snap': finite number >= 0 expected, got -1)",
      walker.new, world, box, { snap = -1 })
    refuses("(option 'constantSpeed': boolean expected, got 1)",
      walker.new, world, box, { constantSpeed = 1 })
    local function message(...)
      return select(2, pcall(walker.new, ...))
    end
    assert.is_truthy(message(world):find("bad argument #2 to 'new' (", 1, true))
    assert.is_truthy(message(world, box, { filter = "walls" }):find(
      "bad argument #3 to 'new' (option 'filter': ", 1, true))
    assert.equal(1.5, walker.new(world, box, { maxSlope = 1.5 }).maxSlope)
    for arg = 1, 2 do
      local ok, text = pcall(hero.walk, hero, arg == 1 and "x" or 1, arg == 2 and "x" or 1, 1)
      assert.is_false(ok)
      assert.is_truthy(text:find(("bad argument #%d to 'walk'"):format(arg), 1, true))
    end
    refuses("(finite number expected, got nan)", hero.walk, hero, 0 / 0, 1, 1)
    refuses("(finite number expected, got nil)", hero.walk, hero, 1, nil, 1)
    refuses("(finite number >= 0 expected, got nil)", hero.walk, hero, 1, 1)
    refuses("(finite number >= 0 expected, got -1)", hero.walk, hero, 1, 1, -1)
    refuses("(walker expected, got number; call it with ':')", hero.walk, 1, 0, 1)
    refuses("(walker expected, got table; call it with ':')", hero.walk, {}, 1, 0, 1)
    refuses("(walker expected, got nil; call it with ':')", hero.drop)
    box:remove()
    assert.is_false((pcall(hero.walk, hero, 1, 1, 1)))
  end)

  it("stands flush on a floor, also if its fall ends a rounding above that", function()
    for quarter = 0, 3 do
      local s = ground.newScene(quarter)
      local floor = s:box(-100, 26, 200, 10)
      s:walker(s:box(0, 3 - 2 ^ -48, 16, 23, {}))
      s:walk(0, 0)
      assert.is_true(s.hero.onFloor)
      assert.equal(3, (select(2, s:place())))
      assert.equal(floor, (s.world:touching(s.body, s.turn(0, 1))))
    end
  end)

  it("stands at once where it is put flush on a floor, also without a fall", function()
    local s = ground.newScene(0)
    s:box(-100, 0, 200, 10)
    s:walker(ground.bodies.box(s, 0, 0, 20, 32))
    s:walk(0, 0)
    assert.is_true(s.hero.onFloor)
    assert.equal(0, s.hero.airTime)
  end)
end)
