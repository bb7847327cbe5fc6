-- broadside.walker on floors that are pushed, set, turned, grown or run as belts, in scenes that
-- are rotated to all four sides; and where it has no floor: after drop, and when others have moved
-- it.

local ground = require("spec.support.ground")
local random = require("spec.support.random")
local tiles = require("broadside.tiles")

local DT = 1 / 60
local BODIES = { "box", "circle", "polygon" }

-- Runs case(scene, kind, mirror) for all bodies and sides; mirror is 1 or -1.
local function each(case, opts)
  for _, kind in ipairs(BODIES) do
    for quarter = 0, 3 do
      for mirror = -1, 1, 2 do
        case(ground.newScene(quarter, opts), kind, mirror)
      end
    end
  end
end

-- Adds a hero whose feet are at x, y, and lets it stand.
local function stand(s, kind, x, y, opts)
  s:walker(ground.bodies[kind](s, x, y - 1, 20, 32), opts)
  s:land()
end

-- The middle of the hero's lower side.
local function foot(s)
  local x, y, w, h = s:place()
  return x + w / 2, y + h
end

local function near(expected, got, tolerance, what)
  assert.is_true(math.abs(expected - got) <= (tolerance or 1e-9),
    ("%s: %.17g expected, got %.17g"):format(what or "", expected, got))
end

-- The ways to move a box by x, y.
local moveBy = {}

function moveBy.set(_, box, x, y)
  local left, top = box:getRect()
  box:setRect(left + x, top + y)
end

function moveBy.push(world, box, x, y)
  local left, top = box:getRect()
  world:push(box, left + x, top + y)
end

function moveBy.step(world, box, x, y)
  box:setVelocity(x / DT, y / DT)
  world:step(DT)
end

describe("a walker on a floor that changes", function()
  it("stays where it is if that grows or shrinks beside it", function()
    each(function(s, kind, mirror)
      local x = mirror * 60
      local floor = s:box(math.min(0, 2 * x), 0, 120, 20)
      stand(s, kind, x, 0)
      for _, ends in ipairs({ { -20, 120 }, { 40, 120 }, { 40, 80 }, { -200, 500 } }) do
        local left, right = ends[1], ends[2]
        if mirror < 0 then left, right = -right, -left end
        floor:setRect(s:rect(left, 0, right - left, 20))
        s:run(1, 0)
        near(x, (foot(s)))
        assert.same({ 0, 0 }, { s.hero.platformVx, s.hero.platformVy })
      end
      floor:setRect(s:rect(mirror * 60 - 20, -7, 40, 30)) -- its upper side comes up
      s:run(1, 0)
      local _, y = foot(s)
      near(-7, y)
      assert.is_true(s.hero.onFloor)
      local _, vy = s.back(s.hero.platformVx, s.hero.platformVy)
      near(-7 / DT, vy, 1e-6)
      floor:setRect(s:rect(mirror * 60 - 10, -7, 60, 30)) -- 10 to the right, and larger
      s:run(1, 0)
      near(x + 10, (foot(s)))
    end)
  end)

  it("stays where it is if that gets more corners, and more ground beside it", function()
    each(function(s, kind, mirror)
      local floor = s:polygon({ -60, 0, 60, 0, 60, 50, -60, 50 }, {})
      stand(s, kind, mirror * 20, 0)
      local far = -mirror * 60
      floor:setShape("polygon", s:points({ mirror * 60, 0, mirror * 60, 50, far, 50, 3 * far, 20,
        2 * far, 0 }))
      s:run(1, 0)
      near(mirror * 20, (foot(s)))
      assert.is_true(s.hero.onFloor and s.hero.platformVx == 0 and s.hero.platformVy == 0)
    end)
  end)

  it("goes on if that gets another shape in another place", function()
    each(function(s, kind, mirror)
      local floor = s:box(-60, 0, 120, 20)
      stand(s, kind, mirror * 20, 0)
      for _, top in ipairs({ -7, -3 }) do
        floor:setShape("polygon", s:points({ -60, top, 60, top, 60, 20, -60, 20 }))
        s:run(1, 0)
        near(top, select(2, foot(s)))
        floor:setShape("box")
        s:run(1, 0)
        near(top, select(2, foot(s)))
        assert.is_true(s.hero.onFloor)
      end
    end)
  end)

  it("turns with it, without jumps of its speed", function()
    for _, kind in ipairs(BODIES) do
      for quarter = 0, 3 do
        for at = -120, 120, 60 do
          local s = ground.newScene(quarter)
          local seesaw = s:polygon({ -200, 0, 200, 0, 200, 10, -200, 10 }, {})
          local function turn(angle)
            seesaw:setTransform(0, 0, angle)
          end
          turn(0)
          stand(s, kind, at, 0)
          local lastX, lastY = foot(s)
          local frames, most, last = 0, 0, 0
          for i = 1, 120 do
            local angle = 0.4 * math.sin(i / 40)
            turn(angle)
            s:run(1, 0)
            assert.is_true(s.hero.onFloor, kind)
            local x, y = foot(s)
            near(math.cos(angle - last) * lastX - math.sin(angle - last) * lastY, x, 1e-9, kind)
            last = angle
            local vx, vy = s.back(s.hero.platformVx, s.hero.platformVy)
            near((x - lastX) / DT, vx, 1e-3)
            near((y - lastY) / DT, vy, 1e-3)
            most, frames = math.max(most, math.abs(vx), math.abs(vy)), frames + 1
            lastX, lastY = x, y
          end
          assert.is_true(most < 0.01 * 60 * (math.abs(at) + 40) * 1.2, most)
          -- As far from the middle as before, but for its own size.
          assert.is_true(math.abs(math.sqrt(lastX ^ 2 + lastY ^ 2) - math.abs(at)) < 8)
        end
      end
    end
  end)

  it("is carried by a slope, whether that is pushed or set, with and without gravity", function()
    for _, way in ipairs({ "push", "set" }) do
      for _, gravity in ipairs({ 0, 1000 }) do
        each(function(s, kind, mirror)
          s.world:setGravity(s.turn(0, gravity))
          local slope = s:polygon({ mirror * -100, 50, mirror * 100, -50, mirror * 100, 90,
            mirror * -100, 90 }, {})
          slope:setGravityScale(0)
          stand(s, kind, 0, -20)
          local fx, fy = foot(s)
          local sx, sy = s:place(slope)
          for i = 1, 48 do
            local dx, dy = math.cos(i / 12 * math.pi), math.sin(i / 12 * math.pi)
            local wx, wy = s.turn(dx, dy)
            moveBy[way](s.world, slope, wx, wy)
            s:run(1, 0)
            local x2, y2 = foot(s)
            local px, py = s:place(slope)
            near(fx - sx, x2 - px, 1e-6, way)
            near(fy - sy, y2 - py, 1e-6, way)
            assert.is_true(s.hero.onFloor)
            local vx, vy = s.back(s.hero.platformVx, s.hero.platformVy)
            near(dx / DT, vx, 1e-6)
            near(dy / DT, vy, 1e-6)
          end
        end)
      end
    end
  end)

  it("stays where it is on a ball that goes to and fro, however that is moved", function()
    for _, way in ipairs({ "set", "push", "step" }) do
      local rng = random.new(7)
      each(function(s, kind, mirror)
        local ballX, ballY = s.turn(0, 30)
        local ball = s.world:insertCircle(ballX, ballY, 30, {})
        stand(s, kind, mirror * rng:int(0, 12), -20)
        local standsX, standsY = s:place()
        for _ = 1, 40 do
          local dx, dy = rng:real(-6, 6), rng:real(-6, 6)
          local wx, wy = s.turn(dx, dy)
          moveBy[way](s.world, ball, wx, wy)
          s:run(1, 0)
          standsX, standsY = standsX + dx, standsY + dy
          local what = way .. " " .. kind
          assert.is_true(s.hero.onFloor, what)
          near(standsX, (s:place()), 1e-6, what)
          near(standsY, select(2, s:place()), 1e-6, what)
        end
      end)
    end
  end)

  it("goes on up and down with it, where a wall stops it to the side", function()
    for _, way in ipairs({ "set", "push", "step" }) do
      for _, dy in ipairs({ -6, -1, 1, 6 }) do
        each(function(s, kind, mirror)
          s:box(mirror * 100 - 10, -1000, 20, 2000)
          local lift = s:box(-40, 0, 80, 10, { gravityScale = 0 })
          stand(s, kind, mirror * 38, 0, { snap = 0 })
          local x, level = foot(s), 0
          for i = 1, 24 do
            local dx = mirror * (i <= 18 and 4 or -2)
            level, x = level + dy, math.max(-80, math.min(x + dx, 80))
            local wx, wy = s.turn(dx, dy)
            moveBy[way](s.world, lift, wx, wy)
            s:run(1, 0)
            local what = way .. " " .. kind .. " " .. i
            local footX, footY = foot(s)
            assert.is_true(s.hero.onFloor, what)
            near(x, footX, 1e-6, what)
            near(level, footY, 1e-6, what)
          end
        end)
      end
    end
  end)

  it("is not moved into a slope that has crushed it", function()
    for _, seed in ipairs(random.seeds(40)) do
      for _, way in ipairs({ "set", "push" }) do
        local rng, s = random.new(seed), ground.newScene(seed)
        local slope = math.tan(math.rad(rng:real(-42, 42)))
        local high = 1000 * slope
        local lift = s:polygon({ -1000, high, 1000, -high, 1000, 2000, -1000, 2000 }, {})
        local restX, restY = s:place(lift)
        local kind = rng:pick({ "box", "circle" })
        stand(s, kind, 0, -20)
        local x, y, w, h = s:place()
        s:box(-300, y - rng:real(0.2, 6) - 50, 600, 50)
        if rng:chance(0.5) then s:box(x + w + rng:real(0.1, 5), -300, 50, 600) end
        -- How far the hero is in the slope.
        local function depth()
          local liftX, liftY = s:place(lift)
          local heroX, heroY = s:place()
          local x2, y2 = heroX - liftX + restX + w / 2, heroY - liftY + restY + h
          local reach = kind == "box" and math.abs(slope) * w / 2
            or w / 2 * (math.sqrt(1 + slope * slope) - 1)
          return (y2 + slope * x2 + reach) / math.sqrt(1 + slope * slope)
        end
        local dx, dy = rng:real(-2, 2), rng:real(-2, 1)
        for frame = 1, 30 do
          if rng:chance(0.3) then dx, dy = rng:real(-2, 2), rng:real(-2, 1) end
          local wx, wy = s.turn(dx, dy)
          moveBy[way](s.world, lift, wx, wy)
          local before = depth()
          s:run(1, rng:pick({ 0, 0, 60, -60 }))
          assert.is_true(depth() <= math.max(before, 0) + 1e-9,
            ("seed %d, %s, frame %d"):format(seed, way, frame))
        end
      end
    end
  end)

  it("comes up with a round floor that grows", function()
    for quarter = 0, 3 do
      local s = ground.newScene(quarter)
      local floor = s.world:insertCircle(0, 0, 50)
      stand(s, "circle", 0, -60)
      for i = 1, 20 do
        local r = 50 + 2 * i
        floor:setRect(-r, -r, 2 * r, 2 * r)
        s:run(1, 0)
        local x, y = foot(s)
        near(0, x)
        near(-r, y)
        near(-2 / DT, select(2, s.back(s.hero.platformVx, s.hero.platformVy)), 1e-6)
        assert.is_true(s.hero.onFloor)
      end
    end
  end)

  it("runs along a slope that is a belt, and not into it", function()
    for quarter = 0, 3 do
      local s = ground.newScene(quarter)
      local vx, vy = s.turn(100, 0)
      s:polygon({ -500, -250, 500, 250, -500, 250 }, { static = true, vx = vx, vy = vy })
      stand(s, "circle", 0, -40)
      local x, y = foot(s)
      s:run(1, 0)
      local x2, y2 = foot(s)
      near(x + 100 * DT * 0.8, x2, 1e-6) -- the part along the slope, and of that the part along x
      near(y + 100 * DT * 0.4, y2, 1e-6)
    end
  end)

  it("has moved with it at no speed in no time", function()
    local s = ground.newScene(0)
    local lift = s:box(-50, 0, 100, 10, {})
    stand(s, "box", 0, 0)
    lift:setRect(-45, -5)
    s.hero:walk(0, 0, 0)
    assert.same({ 5, -5, 0, 0 }, { foot(s), select(2, foot(s)), s.hero.platformVx,
      s.hero.platformVy })
  end)

  it("is moved by its own floor, whatever the world's results say", function()
    local s = ground.newScene(0, { results = "data" })
    local other = s.world:insert(500, 500, 10, 10)
    local lift = s.world:getBox(s.world:insert(-50, 0, 100, 10, { data = other }))
    s:walker(s.world:insert(-10, -33, 20, 32))
    s:land()
    for _ = 1, 5 do
      local x, y = lift:getRect()
      lift:setRect(x + 2, y - 1)
      s:run(1, 0)
      assert.equal(other, s.hero.floor)
      assert.same({ x + 42, y - 33 }, { (s:place()), (select(2, s:place())) })
    end
  end)

  it("says its own floor, also where that has come up around its feet, below a plank", function()
    for _, results in ipairs({ "box", "data" }) do
      local s = ground.newScene(0, { results = results })
      local lift = s.world:insert(-50, -2, 100, 10, { data = "lift" })
      s:box(-50, -30, 100, 4, { static = true, oneWay = { 0, -1 }, data = "plank" })
      s:walker(s.world:insert(-10, -20, 20, 20))
      s:walk(60, 10)
      assert.equal(results == "data" and "lift" or lift, s.hero.floor)
      assert.equal(s.hero.hits[1].other, s.hero.floor)
    end
  end)

  it("is the same over moving boxes of all kinds, whatever the world's results say", function()
    local function newGame(seed, results)
      local rng, s = random.new(seed), ground.newScene(seed, { results = results })
      s.rng, s.lifts = rng, {}
      local function add(box)
        box = type(box) == "number" and s.world:getBox(box) or box
        s.lifts[#s.lifts + 1] = { box, rng:real(-1, 1), rng:real(-1, 1) }
        return box
      end
      for i = -5, 4 do
        local x, y, kind = 24 * i + rng:real(-4, 4), rng:real(-5, 5), rng:int(1, 4)
        local opts = { static = rng:chance(0.5), data = "floor " .. i }
        if kind == 1 then
          local middleX, middleY = s.turn(x, y + 20)
          add(s.world:insertCircle(middleX, middleY, 20, opts))
        elseif kind == 2 then
          local rise = rng:real(-10, 10)
          add(s:polygon({ x, y, x + 24, y + rise, x + 24, y + 40, x, y + 40 }, opts))
        else
          add(s:box(x, y, rng:pick({ 24, rng:real(20, 50) }), 20, opts))
        end
      end
      local body = ground.bodies[rng:pick(BODIES)](s, rng:real(-80, 80), -40, 18, 24)
      s:walker(type(body) == "number" and s.world:getBox(body) or body, { stepHeight = 4 })
      return s
    end
    local function play(s, frame)
      for _, lift in ipairs(s.lifts) do
        local part = math.sin(frame / 20)
        moveBy.set(s.world, lift[1], lift[2] * part, lift[3] * part)
      end
      s:run(1, s.rng:pick({ 0, 0, 60, -60 }))
      if s.rng:chance(0.02) then s.vy = -300 end
    end
    for _, seed in ipairs(random.seeds(40)) do
      local boxes, data = newGame(seed, "box"), newGame(seed, "data")
      for frame = 1, 100 do
        play(boxes, frame)
        play(data, frame)
        local floor, where = boxes.hero.floor, ("seed %d, frame %d"):format(seed, frame)
        assert.same({ boxes:place() }, { data:place() }, where)
        assert.equal(floor and floor:getData(), data.hero.floor, where)
      end
    end
  end)

  it("carries those who stand on each other, whoever walks first", function()
    for _, way in ipairs({ "set", "push" }) do
      for _, order in ipairs({ { 1, 2, 3 }, { 3, 2, 1 }, { 2, 3, 1 } }) do
        for quarter = 0, 3 do
          local rng, s = random.new(quarter), ground.newScene(quarter)
          local lift, heroes, falls, level = s:box(-50, 0, 100, 10, {}), {}, { 0, 0, 0 }, 0
          for i = 1, 3 do
            local h = rng:real(8, 24)
            heroes[i] = s:walker(s:box(rng:real(-9, 0), level - h, rng:real(12, 20), h, {}))
            level = level - h - 0.1
          end
          local function walkAll()
            for _, i in ipairs(order) do
              s.hero, s.vy = heroes[i], falls[i]
              s:run(1, 0)
              falls[i] = s.vy
            end
          end
          for _ = 1, 5 do walkAll() end
          local lowest = select(2, s:place(lift))
          for _ = 1, 40 do
            local x, y = s.turn(0, -rng:real(0.5, 3))
            moveBy[way](s.world, lift, x, y)
            walkAll()
          end
          assert.is_true(select(2, s:place(lift)) < lowest - 20)
          local feet = select(2, s:place(lift))
          for i = 1, 3 do
            local _, y, _, h = s:place(heroes[i].box)
            near(feet, y + h, 1e-9, way .. i)
            assert.is_true(heroes[i].onFloor)
            feet = y
          end
        end
      end
    end
  end)

  it("is not moved by the velocity of a floor that does not move, unless that is static", function()
    local s = ground.newScene(0)
    s:box(-500, 0, 1000, 20, { vx = 60 })
    stand(s, "box", 0, 0)
    local x = foot(s)
    s:run(10, 0)
    near(x, (foot(s)))
    s.world:step(DT)
    s:run(1, 0)
    near(x + 1, (foot(s)))
  end)

  it("goes the same way whether others dig in the Map on which it walks or not", function()
    local places, rows = {}, {}
    for row = 1, 30 do
      rows[row] = string.rep(row < 12 and "." or "#", 64)
    end
    rows[11], rows[10] = "#........#" .. string.rep("..##", 13), "#" .. string.rep(".", 63)
    for _, sign in ipairs({ "#", "." }) do
      local s = ground.newScene(0)
      local map = tiles.newMap(s.world, rows, nil, { w = 16 })
      s:walker(s.world:insert(60, 80, 12, 30), { stepHeight = 16 })
      for i = 1, 600 do
        for column = 16, 48, 32 do
          map:set(column, 13, i % 2 == 0 and "#" or sign)
        end
        local stands = s.hero.onFloor
        s:run(1, 90)
        local x, y = s:place()
        places[i] = places[i] or { x, y, stands, s.hero.onFloor }
        assert.same(places[i], { x, y, stands, s.hero.onFloor })
      end
      assert.is_true(s:place() > 700)
    end
  end)

  it("runs on a belt, as long as it stands there, and takes its speed along", function()
    each(function(s, kind, mirror)
      local vx, vy = s.turn(mirror * 90, 0)
      s:box(-500, 0, 1000, 20, { static = true, vx = vx, vy = vy })
      stand(s, kind, 0, 0)
      local x = foot(s)
      for _ = 1, 30 do
        s:run(1, 0)
      end
      near(x + mirror * 45, (foot(s)))
      near(mirror * 90, (s.back(s.hero.platformVx, s.hero.platformVy)), 1e-6)
      s:run(30, -mirror * 90) -- it runs against it
      near(x + mirror * 45, (foot(s)))
      s:walk(0, -300)
      s:run(1, 0)
      near(0, (s.back(s.hero.platformVx, s.hero.platformVy)))
    end)
  end)
end)

describe("a walker that others have moved", function()
  it("has no floor", function()
    each(function(s, kind, mirror)
      local function first(onSlope)
        s.world:clear()
        if onSlope then
          s:polygon({ 0, 200, mirror * 200, 200, mirror * 200, 20 })
        end
        s:walker(ground.bodies[kind](s, mirror * 50, 100, 20, 32))
        s:run(30, mirror * 150)
        assert.equal(onSlope, s.hero.onFloor)
        s.world:update(s.body, s:rect(mirror * 1050, 100, select(3, s:place())))
        s.vy = 0
        s:run(1, mirror * 300)
        assert.same({ 0, 0 }, { s.hero.platformVx, s.hero.platformVy })
        return s:place()
      end
      local x, y = first(true)
      local x2, y2 = first(false)
      assert.same({ x, y }, { x2, y2 })
    end)
  end)

  it("keeps it if it has grown taller and thinner around its feet", function()
    each(function(s, _, mirror)
      s:polygon({ -200, 0, 200, mirror * 50, 200, 200, -200, 200 }, {})
      s:walker(ground.bodies.box(s, 0, -20, 20, 32))
      s:land()
      local x, y, w, h = s:place()
      s.body:setRect(s:rect(x + 3, y - 5, w - 6, h + 5))
      local before = x + w / 2
      s:run(1, mirror * -60)
      local along = before - foot(s)
      assert.is_true(s.hero.onFloor and mirror * along > 0.9)
    end)
  end)

  it("keeps it if only its height has changed", function()
    for quarter = 0, 3 do
      local s = ground.newScene(quarter)
      s:polygon({ -100, 100, 100, 0, 100, 100 })
      stand(s, "box", 0, 50)
      local x, y = s:place()
      s.body:setRect(s:rect(x, y + 16, 20, 16))
      s:run(1, 60)
      assert.is_true(s.hero.onFloor and math.abs(s:place() - x - math.sqrt(0.8)) < 1e-6)
    end
  end)

  it("walks the other way up at once", function()
    local s = ground.newScene(0)
    s:box(-100, 0, 400, 10)
    s:box(-100, -200, 400, 10)
    stand(s, "box", 0, 0)
    s:run(10, 120)
    local x = s:place()
    s.hero.up = { 0, 1 }
    s.hero:walk(120, -1000 * DT, DT)
    near(x + 2, (s:place()))
  end)
end)

describe("a walker's drop", function()
  -- Runs 40 frames and drops in the fifth one. Returns whether it stands in the end.
  local function dropFrom(s, kind, slant, speed, vx, pieces)
    local planks = {}
    for i = -pieces, pieces do
      local x = i * 50 - 25
      local y, y2 = slant * x, slant * (x + 50)
      planks[#planks + 1] = s:polygon({ x, y, x + 50, y2, x + 50, y2 + 8, x, y + 8 },
        { oneWay = { s.turn(0, -1) } })
    end
    stand(s, kind, 0, -10)
    for i = 1, 40 do
      for _, plank in ipairs(planks) do
        local x, y = plank:getRect()
        local dx, dy = s.turn(0, speed * DT)
        s.world:push(plank, x + dx, y + dy)
      end
      if i == 5 then
        s.hero:drop()
        assert.equal(math.huge, s.hero.airTime)
        assert.is_false(s.hero.onFloor)
        assert.is_nil(s.hero.floor)
      end
      s:run(1, vx)
      assert.equal(i < 5, s.hero.onFloor)
    end
    for _, plank in ipairs(planks) do
      local nx, ny = s.back(plank:getOneWay())
      assert.is_true(nx == 0 and ny == -1)
    end
  end

  it("falls through planks that lie, slant, sink and rise, also while it runs", function()
    each(function(s, kind, mirror)
      for _, slant in ipairs({ 0, 0.5 }) do
        for _, speed in ipairs({ 0, 60, -60, 200 }) do
          for _, vx in ipairs({ 0, 120 }) do
            s.world:clear()
            dropFrom(s, kind, mirror * slant, speed, mirror * vx, 0)
          end
        end
      end
    end)
  end)

  it("lands on the next plank, and on the same one after a jump", function()
    each(function(s, kind)
      local function plank(x, y, w)
        return s:box(x, y, w, 8, { static = true, oneWay = { s.turn(0, -1) } })
      end
      local upper, lower = plank(-50, 0, 52), plank(-50, 100, 100)
      plank(2, 0, 52) -- it stands on both
      stand(s, kind, 0, 0)
      s.hero:drop()
      s:run(60, 0)
      assert.equal(lower, s.hero.floor)
      s:walk(0, -500)
      s:run(60, 0)
      assert.equal(upper, s.hero.floor)
      s.hero:drop()
      s:run(1, 0)
      s:walk(0, -200)
      s:run(60, 0)
      assert.equal(upper, s.hero.floor)
    end)
  end)

  it("falls through a row of planks as through one, standing or running", function()
    each(function(s, kind, mirror)
      for at = 0, 15, 3 do
        s.world:clear()
        for column = -8, 8 do
          s:box(16 * column, 0, 16, 4, { static = true, oneWay = s.up })
        end
        stand(s, kind, at, 0)
        s.hero:drop()
        for i = 1, 20 do
          s:run(1, mirror * 10 * at)
          near(at + mirror * 10 * at * i * DT, (foot(s)), 1e-6, kind .. " " .. at)
          assert.is_false(s.hero.onFloor)
        end
        assert.is_true(select(2, foot(s)) > 40)
      end
    end)
  end)

  it("is over once it is below, and a lift may bring it back", function()
    for quarter = 0, 3 do
      for _, at in ipairs({ 0, 700, -900 }) do
        local s = ground.newScene(quarter)
        local sinks = s:box(at - 50, -at, 100, 8, { oneWay = { s.turn(0, -1) } })
        local lift = s:box(at - 20, 60 - at, 40, 8, {})
        stand(s, "box", at, -at)
        s.hero:drop()
        for i = 1, 30 do -- it sinks faster than the hero falls, at first
          sinks:setRect(s:rect(at - 50, math.min(12, i) - at, 100, 8))
          s:run(1, 0)
        end
        assert.equal(lift, s.hero.floor)
        for y = 60, -20, -4 do
          lift:setRect(s:rect(at - 20, y - at, 40, 8))
          s:run(1, 0)
        end
        s.world:remove(lift)
        s:run(60, 0)
        assert.equal(sinks, s.hero.floor)
      end
    end
  end)

  it("does nothing where it does not stand on a plank", function()
    local s = ground.newScene(0)
    s:box(-100, 0, 200, 10, { static = true, oneWay = { 0, -1 } })
    local slot = s.world:snapshot()
    s:walker(ground.bodies.box(s, 0, 0, 20, 32))
    s:run(2, 0)
    s:box(-100, 0, 95, 10) -- solid
    s.hero:drop()
    assert.is_true(s.hero.onFloor and s.hero.airTime == 0)
    s:run(10, 0)
    assert.is_true(s.hero.onFloor)
    assert.is_not_nil(slot)
  end)

  it("leaves what the last walk has met as it was", function()
    local s = ground.newScene(0)
    s:box(-100, 0, 200, 10, { static = true, oneWay = { 0, -1 } })
    local wall = s:box(15, -100, 10, 100)
    s:walker(ground.bodies.box(s, 0, 0, 20, 32))
    s:run(30, 600)
    local n = s.hero.n
    local function met(box)
      for i = 1, s.hero.n do
        if s.hero.hits[i].other == box then return true end
      end
      return false
    end
    assert.is_true(n > 0 and s.hero.onWall == 1 and met(wall))
    s.hero:drop()
    assert.is_false(s.hero.onFloor)
    assert.is_true(s.hero.n == n and s.hero.onWall == 1 and met(wall))
  end)

  it("starts where the box is", function()
    local s = ground.newScene(0)
    s:box(0, 100, 100, 10, { static = true, oneWay = { 0, -1 } })
    s:box(1000, 500, 100, 10, { static = true, oneWay = { 0, -1 } })
    s:walker(ground.bodies.box(s, 50, 100, 10, 20))
    local start = s.world:snapshot()
    s.body:setRect(1040, 480)
    s:walk(0, 0)
    assert.is_true(s.hero.onFloor)
    s.world:restore(start)
    s.hero:drop()
    assert.same({ 45, 80 }, { (s.body:getRect()), (select(2, s.body:getRect())) })
    assert.equal(0, s.hero.airTime) -- it had no floor from which to drop
  end)
end)
