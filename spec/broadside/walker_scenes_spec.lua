-- broadside.walker in random scenes of steps, doors, corners, lifts, planks and slopes. Each scene
-- is played as it is, and turned, mirrored, larger or smaller, and far away. Nobody is stuck or
-- overlaps anything, and the outcome is the same. BROADSIDE_ROUNDS=50 plays 20,000 scenes.

local random = require("spec.support.random")
local variants = require("spec.support.variants")
local walker = require("broadside.walker")

local DT = 1 / 60
local KINDS = { "box", "box", "circle", "bevelled" }

-- Plays scenes in variants. play(s, rng, where) returns numbers, which must be the same in all
-- variants of a scene, up to `tolerance`.
local function compare(count, tolerance, play)
  for _, seed in ipairs(random.seeds(count)) do
    local chooser, first = random.new(seed + 7919), nil
    for i = 1, 3 do
      local v = i == 1 and variants.plain() or variants.random(chooser)
      local where = ("seed %d, %s"):format(seed, variants.describe(v))
      local outcome = play(variants.new(v), random.new(seed), where)
      first = first or outcome
      for k = 1, #first do
        local off = math.abs(outcome[k] - first[k])
        assert.is_true(off <= tolerance, ("%s: off by %g"):format(where, off))
      end
    end
  end
end

-- Fails if the hero overlaps something.
local function checkFree(s, hero, where)
  local x, y = hero.box:getRect()
  assert.is_true(s.world:canFit(hero.box, x, y, nil, nil, hero.filter), where .. ": overlaps")
  local isBox = hero.box:getShape() == "box"
  assert.is_true(not isBox or s:overlapped(hero.box) == nil, where .. ": overlaps")
end

-- Courses ---------------------------------------------------------------------------------------

local DEPTH = 400

-- Adds a lintel from x on, which has come down onto the head of the body.
local function lintel(s, course, x, length)
  s:put(course.body, x + length / 2, course.level - 0.5)
  s:moveBy(course.body, 0, 1)
  local box = s:box(x, course.level - course.h - 40, length, 30, {})
  s:moveBy(box, 0, 30)
  box:setStatic(true)
end

-- Pieces of a course. They begin at course.x, course.level, and leave them at their ends.
local function flat(s, course, length, opts)
  s:box(course.x, course.level, length, opts and 4 or DEPTH - course.level, opts)
  course.x = course.x + length
end

local PIECES = {
  up = function(s, course, rng)
    course.level = course.level - rng:real(0.3, course.stepHeight - 0.1)
    flat(s, course, rng:real(30, 60))
  end,
  down = function(s, course, rng)
    course.level = course.level + rng:real(0.3, course.snap - 0.1)
    flat(s, course, rng:real(30, 60))
  end,
  slope = function(s, course, rng)
    local run = rng:real(10, 50)
    local level = course.level + run * math.tan(math.rad(rng:real(-44, 44)))
    local x, last = course.x, course.x + run
    s:polygon({ x, course.level, last, level, last, DEPTH, x, DEPTH })
    course.x, course.level = last, level
    flat(s, course, rng:real(30, 60))
  end,
  door = function(s, course, rng)
    local length, sill = rng:real(5, 30), rng:pick({ 0, rng:real(0.3, course.stepHeight - 0.1) })
    local x = course.x + (sill == 0 and 25 or 0)
    course.level = course.level - sill
    flat(s, course, x - course.x + length + 30)
    lintel(s, course, x, length)
  end,
  plank = function(s, course, rng)
    -- Feet that are not flat have come down a little before they leave the last piece.
    local highest = math.max(course.stepHeight - course.w / 5, 0.1)
    course.level = course.level + rng:real(-highest, course.snap - 0.1)
    flat(s, course, rng:real(30, 60), { static = true, oneWay = s.up })
  end,
}
local NAMES = { "up", "down", "slope", "door", "plank" }

local function newCourse(s, rng)
  local kind, w = rng:pick(KINDS), rng:real(8, 20)
  local course = { x = -40, level = 0, kind = kind, w = w, h = kind == "circle" and w
    or rng:real(10, 30), stepHeight = rng:real(2, 9), snap = rng:real(6, 12) }
  course.body = s:body(kind, 0, -60, w, course.h)
  flat(s, course, 80)
  course.names = {}
  for i = 1, 5 do
    local name = rng:pick(NAMES)
    PIECES[name](s, course, rng)
    course.names[i] = name
  end
  flat(s, course, 100)
  return course
end

describe("a walker in a random scene", function()
  it("runs over steps, slopes and planks, and through doors that are as high as it", function()
    compare(80, 1e-3, function(s, rng, where)
      local course = newCourse(s, rng)
      where = where .. " " .. course.kind .. " " .. table.concat(course.names, " ")
      local hero = s:walker(course.body, { stepHeight = course.stepHeight, snap = course.snap })
      s:put(course.body, 0, -0.01)
      s.vy = 0
      local speed = rng:real(60, 300)
      s:walk(hero, 0, 1, DT)
      local frames = 0
      while s:feet(course.body) < course.x - 40 do
        s:walk(hero, speed, s.vy + 1000 * DT, DT)
        frames = frames + 1
        assert.is_true(hero.onFloor, where .. ": has no floor")
        assert.is_true(frames < 3 * course.x / speed / DT, where .. ": is stuck")
        checkFree(s, hero, where)
      end
      local _, y = s:feet(course.body)
      assert.is_true(math.abs(y - course.level) < 1e-3, where .. ": is elsewhere")
      return { y, 3e-4 * frames } -- it may come some frames sooner or later
    end)
  end)

  it("rides on lifts of all shapes, however they move, with another one on it", function()
    compare(80, 1e-4, function(s, rng, where)
      local shape, kind = rng:pick({ "box", "slope", "circle" }), rng:pick(KINDS)
      local x, w = 0, rng:real(8, 20)
      local lift
      if shape == "box" then
        lift = s:box(-50, 0, 100, 10, {})
        x = rng:real(-40, 40)
      elseif shape == "slope" then
        local rise = rng:real(-40, 40)
        lift = s:polygon({ -50, rise, 50, -rise, 50, 60, -50, 60 }, {})
      else
        local middleX, middleY = s:point(0, 40)
        lift = s.world:insertCircle(middleX, middleY, 40 * s.scale)
      end
      lift:setGravityScale(0)
      local hero = s:walker(s:body(kind, x, -45, w, kind == "circle" and w or rng:real(10, 30)), {})
      local heroes, falls = { hero }, { 0, 0 }
      local way = rng:pick({ "set", "push", "step" })
      if shape == "box" and kind ~= "circle" and way ~= "step" then -- step takes walkers for walls
        heroes[2] = s:walker(s:body("box", x, -90, rng:real(8, 20), rng:real(10, 30)), {})
      end
      local function walkAll()
        for i, other in ipairs(heroes) do
          s:walk(other, 0, falls[i] + 1000 * DT, DT)
          falls[i] = s.vy
        end
      end
      for _ = 1, 60 do walkAll() end
      local liftX, liftY = s:place(lift)
      local places = {}
      for i, other in ipairs(heroes) do places[i] = { s:place(other.box) } end
      for _ = 1, 40 do
        local dx, dy = s:vector(rng:real(-4, 4), rng:real(-4, 4))
        local left, top = lift:getRect()
        if way == "set" then
          lift:setRect(left + dx, top + dy)
        elseif way == "push" then
          s.world:push(lift, left + dx, top + dy)
        else
          lift:setVelocity(dx / DT, dy / DT)
          s.world:step(DT)
          lift:setVelocity(0, 0)
        end
        walkAll()
        local toX, toY = s:place(lift)
        for i, other in ipairs(heroes) do
          local heroX, heroY = s:place(other.box)
          local off = math.abs(heroX - toX - places[i][1] + liftX)
            + math.abs(heroY - toY - places[i][2] + liftY)
          assert.is_true(other.onFloor, ("%s: %d on a %s has no floor"):format(where, i, shape))
          assert.is_true(off < 1e-4, ("%s: %d on a %s is off by %g"):format(where, i, shape, off))
        end
      end
      return { places[1][1], places[1][2] }
    end)
  end)

  it("moves past the corner of a ceiling, into a shaft that is as wide as it", function()
    compare(80, 1e-4, function(s, rng, where)
      local w, h, nudge = rng:real(8, 20), rng:real(10, 30), rng:real(1, 7)
      s:box(-200, 0, 400, 50)
      local body = s:body("box", 0, -0.01, w, h)
      local off, room = rng:real(-0.95, 0.95) * nudge, rng:pick({ 1e-7, rng:real(0.001, 10) })
      local left = off > 0 and off - w / 2 or off + w / 2 - (w + room)
      s:box(left - 100, -h - 40, 100, 30)
      s:box(left + w + room, -h - 40, 100, 30)
      local hero = s:walker(body, { nudge = nudge })
      s.vy = 0
      for _ = 1, 3 do s:walk(hero, 0, s.vy + 1000 * DT, DT) end
      s.vy = -rng:real(300, 500)
      local highest = 0
      for _ = 1, 30 do
        s:walk(hero, 0, s.vy + 1000 * DT, DT)
        checkFree(s, hero, where)
        highest = math.min(highest, select(2, s:feet(body)))
      end
      assert.is_true(highest < -15, where .. ": is stopped")
      return { highest }
    end)
  end)

  it("moves past corners, seen from above", function()
    compare(80, 1e-4, function(s, rng, where)
      local kind, size, nudge = rng:pick({ "box", "circle" }), rng:real(8, 18), rng:real(1, 7)
      local room = rng:pick({ kind == "box" and 1e-7 or 0.1, rng:real(0.1, 6) })
      s:box(40, -200, 60, 200)
      s:box(40, size + room, 60, 200)
      local y = rng:chance(0.5) and size + rng:real(-0.95, 0) * nudge
        or size + room + rng:real(0, 0.95) * nudge
      local body, speed = s:body(kind, 0, y, size, size), rng:real(40, 240)
      local hero = walker.topDown(s.world, body, { nudge = nudge * s.scale })
      for _ = 1, 150 / speed / DT do
        s:walk(hero, speed, 0, DT)
        checkFree(s, hero, where)
      end
      local x
      x, y = s:feet(body)
      assert.is_true(x > 100, where .. ": is stopped")
      assert.is_true(y - size > -1e-6 and y < size + room + 1e-6, where .. ": is elsewhere")
      return { x > 100 and 1 or 0 }
    end)
  end)

  it("comes up through planks, stands on them, and drops through", function()
    compare(80, 1e-4, function(s, rng, where)
      local kind, w = rng:pick(KINDS), rng:real(8, 20)
      s:box(-200, 0, 400, 50)
      local level, slope = -rng:real(32, 50), rng:pick({ 0, rng:real(-0.5, 0.5) })
      local plank = s:polygon({ -100, level - 100 * slope, 100, level + 100 * slope,
        100, level + 100 * slope + 5, -100, level - 100 * slope + 5 },
        { static = true, oneWay = s.up })
      if slope == 0 then plank:setShape("box") end
      local h = kind == "circle" and w or rng:real(10, 30)
      local body = s:body(kind, rng:real(-5, 5), -0.01, w, h)
      local hero = s:walker(body, {})
      local function run(frames, vx)
        for _ = 1, frames do s:walk(hero, vx, s.vy + 1000 * DT, DT) end
      end
      s.vy = 0
      run(3, 0)
      s.vy = -500
      local speed = rng:real(-20, 20)
      run(60, speed)
      assert.is_true(hero.onFloor and hero.floor == plank, where .. ": is not on the plank")
      checkFree(s, hero, where)
      local _, y = s:feet(body)
      hero:drop()
      run(60, -speed)
      assert.is_true(hero.onFloor and math.abs(select(2, s:feet(body))) < 1e-6,
        where .. ": is not on the ground")
      return { y }
    end)
  end)
end)
