-- broadside.walker where numbers are not round: steps, doors, edges and corners, at random places.

local broadside = require("broadside")
local ground = require("spec.support.ground")
local random = require("spec.support.random")
local walker = require("broadside.walker")

local BEVELLED = 1 -- the size of a bevel

-- Bodies of a kind whose feet are at x, y. Beside those of other specs, one that has bevels below.
local bodies = setmetatable({
  bevelled = function(s, x, y, w, h)
    local l, r, b = x - w / 2, x + w / 2, BEVELLED
    return s:polygon({ l, y - h, r, y - h, r, y - b, r - b, y, l + b, y, l, y - b }, {})
  end,
}, { __index = ground.bodies })

-- Runs case(s, rng, dir) in random scenes, on all sides and in both directions.
local function each(count, case)
  for i, seed in ipairs(random.seeds(count)) do
    case(ground.newScene(i), random.new(seed), i % 8 < 4 and 1 or -1, "seed " .. seed)
  end
end

-- Adds a box from one x to another in the direction dir.
local function span(s, dir, from, to, y, height)
  s:box(math.min(dir * from, dir * to), y, to - from, height)
end

describe("a walker in numbers that are not round", function()
  for _, kind in ipairs({ "box", "polygon", "bevelled", "circle" }) do
    it("climbs every step that is lower than stepHeight: " .. kind, function()
      each(100, function(s, rng, dir, where)
        local y, step, h = rng:real(0, 1000), rng:real(1.5, 8), rng:real(9, 24)
        local w = kind == "circle" and h or rng:real(6, 20)
        span(s, dir, -300, 0, y, 60)
        span(s, dir, 0, 300, y - step, 60 + step)
        s:walker(bodies[kind](s, dir * -60, y - 0.5, w, h), { stepHeight = step + 0.5 })
        s:run(200, dir * rng:real(60, 300))
        assert.is_true(dir * s:place() > 20, where)
      end)
    end)
  end

  it("climbs a step where a slope ends, and comes down over it, whatever its feet", function()
    each(120, function(s, rng, dir, where)
      local kind = rng:pick({ "box", "circle", "polygon", "bevelled" })
      local size, step = rng:real(10, 20), rng:real(1.5, 8)
      local y, rise = rng:real(0, 1000), 200 * math.tan(math.rad(rng:real(3, 42)))
      span(s, dir, -500, -200, y, 60)
      s:polygon({ dir * -200, y, 0, y - rise, 0, y + 60, dir * -200, y + 60 })
      span(s, dir, 0, 300, y - rise - step, 60 + rise + step)
      s:walker(bodies[kind](s, dir * -240, y - 0.5, size, size),
        { stepHeight = step + 0.5, snap = step + 4 })
      s:land()
      local speed = rng:real(60, 200)
      for towards = 1, -1, -2 do
        local goal = towards == 1 and 20 or 230
        for _ = 1, 700 / speed * 60 do
          if towards * dir * s:place() > goal then break end
          s:run(1, towards * dir * speed)
          assert.is_true(s.hero.onWall == 0 and s.hero.onFloor, where .. kind)
        end
        assert.is_true(towards * dir * s:place() > goal, where .. kind)
      end
    end)
  end)

  it("climbs a step with a slope behind it, whatever its feet", function()
    each(120, function(s, rng, dir, where)
      local kind = rng:pick({ "box", "circle", "polygon", "bevelled" })
      local size, step = rng:real(10, 20), rng:real(1.5, 8)
      local y, rise = rng:real(0, 1000), 200 * math.tan(math.rad(rng:real(3, 40)))
      span(s, dir, -300, 0, y, 60)
      s:polygon({ 0, y - step, dir * 200, y - step - rise, dir * 200, y + 60, 0, y + 60 })
      s:walker(bodies[kind](s, dir * -60, y - 0.5, size, size), { stepHeight = step + 0.5 })
      s:run(200, dir * rng:real(60, 300))
      assert.is_true(dir * s:place() > 20, where .. kind)
    end)
  end)

  it("enters a door that is as high as it, on a sill", function()
    each(100, function(s, rng, dir, where)
      local y, sill, h = rng:real(0, 1000), rng:real(0.5, 12), rng:real(9, 24)
      span(s, dir, -300, 0, y, 60)
      span(s, dir, 0, 300, y - sill, 60 + sill)
      local body = ground.bodies.box(s, dir * 60, y - sill - 1, rng:real(6, 20), h)
      s:walker(body, { stepHeight = sill + rng:real(0.1, 20) })
      s:land()
      -- The lintel comes down onto its head, so that there is room for it to the last bit.
      local lintel = s:box(math.min(0, dir * 120), y - sill - h - 100, 120, 50, {})
      local goalX, goalY = s:rect(math.min(0, dir * 120), y, 120, 50)
      s.world:move(lintel, goalX, goalY)
      lintel:setStatic(true)
      local x1, y1 = s:rect(dir * -60, y - h - 1, select(3, s:place()))
      body:setRect(x1, y1)
      s:run(200, dir * rng:real(60, 300))
      assert.is_true(dir * s:place() > 20, where)
    end)
  end)

  it("keeps its floor down a step of at most snap, whatever its feet", function()
    each(120, function(s, rng, dir, where)
      local kind = rng:pick({ "box", "circle", "polygon", "bevelled" })
      local y, step, size = rng:real(0, 1000), rng:real(1, 12), rng:real(10, 20)
      span(s, dir, -300, 0, y, 60)
      span(s, dir, 0, 300, y + step, 60)
      s:walker(bodies[kind](s, dir * -60, y - 0.01, size, size), { snap = 12 })
      s:land()
      local speed = rng:real(30, 250)
      for _ = 1, 140 / speed * 60 do
        s:run(1, dir * speed)
        assert.is_true(s.hero.onFloor and s.vy == 0, where .. kind)
      end
      local _, bottom, _, h = s:place()
      assert.is_true(math.abs(bottom + h - y - step) < 1e-9, where .. kind)
      s:run(1, 0)
      assert.is_true(s.hero.onFloor)
    end)
  end)

  it("stays where it stops on the edge of a step down, and goes on from there", function()
    each(40, function(s, rng, dir, where)
      local step, r = rng:real(4, 8), rng:real(7, 12)
      span(s, dir, -300, 0, 0, 60)
      span(s, dir, 0, 300, step, 60)
      s:walker(ground.bodies.circle(s, dir * -20, -0.01, 2 * r), { snap = 12 })
      s:land()
      while dir * (s:place() + r) < r * 0.8 do s:run(1, dir * 20) end
      local x, y = s:place()
      s:run(60, 0, function() assert.is_true(s.hero.onFloor, where) end)
      local x2, y2 = s:place()
      assert.is_true(math.abs(x2 - x) + math.abs(y2 - y) < 1e-9, where)
      s:run(60, dir * 60, function() assert.is_true(s.hero.onFloor, where) end)
      assert.is_true(math.abs(select(2, s:place()) + 2 * r - step) < 1e-9, where)
    end)
  end)

  it("moves no crate by a look for a step", function()
    each(40, function(s, rng, dir, where)
      local y, h = rng:real(0, 100), rng:real(10, 20)
      local shelf, options = h + rng:real(0.5, 4), { slide = 1, push = 2 }
      span(s, dir, -300, 0, y, 60)
      span(s, dir, 0, 300, y - shelf, 60 + shelf)
      -- The crate on the shelf reaches over the hero's head.
      local left = math.min(dir * -5, dir * 15)
      local crate = s:box(left, y - shelf - 10, 20, 10, { layer = 2 })
      local x1, y1 = s:place(crate)
      s:walker(ground.bodies.box(s, dir * -60, y - 0.1, rng:real(6, 20), h),
        { stepHeight = 8, filter = options })
      s:run(120, dir * 100)
      assert.equal(dir, s:wall(), where)
      local x2, y2 = s:place(crate)
      assert.is_true(x1 == x2 and y1 == y2, where)
    end)
  end)
end)

describe("walker.topDown in numbers that are not round", function()
  -- Runs case(s, rng, walk), in which walk(vx, vy, frames) walks and returns what is left.
  local function eachSeenFromAbove(count, case)
    each(count, function(s, rng, dir, where)
      case(s, rng, function(vx, vy, frames)
        local x, y = s.turn(dir * vx, vy)
        for _ = 1, frames do
          s.vx, s.vy = s.back(s.hero:walk(x, y, 1 / 60))
        end
        return math.abs(s.vx), math.abs(s.vy)
      end, dir, where)
    end)
  end

  for _, kind in ipairs({ "box", "circle" }) do
    it("goes past corners that cover less than nudge: " .. kind, function()
      eachSeenFromAbove(200, function(s, rng, walk, dir, where)
        local size, nudge = rng:real(8, 18), rng:real(1, 7)
        local gap = size + rng:real(kind == "box" and 0.001 or 0.5, 6)
        span(s, dir, 0, 20, -200, 200 - gap / 2)
        span(s, dir, 0, 20, gap / 2, 200)
        local y = rng:real(-1, 1) * ((gap - size) / 2 + 0.95 * nudge)
        s.body = bodies[kind](s, dir * (-20 - size), y + size / 2, size, size)
        s.hero = walker.topDown(s.world, s.body, { nudge = nudge })
        walk(rng:real(40, 240), 0, 200)
        assert.is_true(dir * s:place() > 20, where)
      end)
    end)
  end

  it("enters a corridor that is as wide as it, as far as rounding", function()
    eachSeenFromAbove(100, function(s, rng, walk, dir, where)
      local y, size, nudge = rng:real(0, 1000), rng:real(8, 18), rng:real(1, 7)
      span(s, dir, 0, 60, y - 100, 100)
      span(s, dir, 0, 60, y + size + 1e-11, 100)
      local aside = rng:real(-1, 1) * 0.95 * nudge
      s.body = ground.bodies.box(s, dir * -40, y + size + aside, size, size)
      s.hero = walker.topDown(s.world, s.body, { nudge = nudge })
      walk(rng:real(40, 240), 0, 200)
      assert.is_true(dir * s:place() > 60, where)
    end)
  end)

  it("slides along a slanted wall alike, whatever the axis of its wish", function()
    for _, degrees in ipairs({ 20, 43, 44.5, 45, 45.5, 47, 70 }) do
      local left = {}
      for i, seed in ipairs(random.seeds(8)) do
        for turned = 0, 1 do
          local rng = random.new(seed)
          local world, a = broadside.newWorld(), math.rad(degrees)
          local dx, dy = 400 * math.sin(a), -400 * math.cos(a)
          local x, y = rng:real(-100, 100), rng:real(-100, 100)
          local function at(u, v)
            if turned == 1 then return v, u end
            return u, v
          end
          local x1, y1 = at(x - dx, y - dy)
          local x2, y2 = at(x + dx, y + dy)
          local x3, y3 = at(x + dx + 400, y + dy + 400)
          world:insertPolygon({ x1, y1, x2, y2, x3, y3 }, { static = true })
          local left1, top1 = at(x - 100, y - 8)
          local hero = walker.topDown(world, world:insert(left1, top1, 16, 16), { nudge = 6 })
          local vx, vy = at(80, 0)
          local leftX, leftY
          for _ = 1, 100 do leftX, leftY = at(hero:walk(vx, vy, 1 / 60)) end
          left[2 * i - 1 + turned] = math.sqrt(leftX * leftX + leftY * leftY)
        end
      end
      for i = 1, #left do
        assert.is_true(math.abs(left[i] - 80 * math.sin(math.rad(degrees))) < 1e-6,
          degrees .. ": " .. left[i])
      end
    end
  end)
end)
