-- The fields of broadside.walker: names that do not exist, values that are wrong, and walkers that
-- go back with their world.

local broadside = require("broadside")
local garbageOf = require("spec.support.garbage")
local walker = require("broadside.walker")

local DT = 1 / 60

local function newHero(opts)
  local world = broadside.newWorld()
  world:insert(-1000, 100, 2000, 20, { static = true })
  return walker.new(world, world:insert(0, 80, 10, 20), opts), world
end

-- The message of the error that f raises at the line of its caller, which is in this file.
local function refusal(f)
  local ok, message = pcall(f)
  assert.is_false(ok)
  return (assert(message:match("^[^\n]*walker_fields_spec%.lua:%d+: (.*)$"), message))
end

describe("the fields of a walker", function()
  it("are no others than those it has", function()
    local hero = newHero()
    for name, hint in pairs({ planks = "it has", maxslope = "did you mean 'maxSlope'? It has",
      onFlor = "did you mean 'onFloor'? It has" }) do
      local message = refusal(function() hero[name] = 1 end)
      assert.is_truthy(message:find(("a walker has no field '%s'; %s: filter,"):format(name, hint),
        1, true), message)
      assert.equal(message, refusal(function() return hero[name] end))
    end
    for _, name in ipairs({ "onFloor", "onWall", "hits", "n", "platformVx" }) do
      local message = refusal(function() hero[name] = 1 end)
      assert.is_truthy(message:find("no field '" .. name .. "' that may be set; it has:", 1, true))
    end
    assert.is_nil(hero.filter)
    assert.is_nil(hero.floor)
    assert.same({ 0, 0, 0, 0, 0, 0 }, { hero.onWall, hero.floorNx, hero.floorNy,
      hero.platformVx, hero.platformVy, hero.n })
    hero.filter = 1
    assert.equal(1, hero.filter)
    hero.filter = nil
    assert.is_nil(hero.filter)
  end)

  it("are named where another name is asked for, and so is what its box has", function()
    local hero, world = newHero()
    for name, use in pairs({ onGround = "onFloor", isGrounded = "onFloor", coyoteTime = "airTime",
      x = "hero.box:getRect and hero.box:setRect", getRect = "hero.box:getRect",
      getPosition = "hero.box:getRect and hero.box:setRect", setData = "hero.box:setData",
      contacts = "hero.box:contacts", enter = "hero.box:contacts", collisions = "hits and n",
      jump = "hero:walk(vx, -400, dt): a jump is a velocity away from the floor",
      vy = "hero:walk(vx, vy, dt)", setVelocity = "hero:walk(vx, vy, dt)",
      move = "hero:walk(vx, vy, dt)", gravity = "hero:walk(vx, vy + gravity * dt, dt)",
      fallThrough = "drop" }) do
      local expected = ("a walker has no field '%s'; use %s"):format(name, use)
      assert.equal(expected, refusal(function() return hero[name](hero) end))
      assert.equal(expected, refusal(function() hero[name] = 1 end))
    end
    local above = walker.topDown(world, world:insert(0, 0, 9, 9))
    assert.equal("a walker has no field 'onGround'; it has: filter, nudge, world, box, onWallX, "
      .. "onWallY, hits, n", refusal(function() return above.onGround end))
    assert.is_truthy(refusal(function() return above[{}] end):find("field table; it has: filter"))
    assert.is_truthy(refusal(function() return above[2] end):find("field 2; it has: filter"))
  end)

  it("are checked when they are set, by an error that names the line", function()
    local wrong = {
      { "maxSlope", 45, "angle from 0 to less than pi / 2 expected, got 45" },
      { "maxSlope", -1, "angle from 0 to less than pi / 2 expected, got -1" },
      { "maxSlope", math.pi / 2, "angle from 0 to less than pi / 2 expected, got 1.57" },
      { "snap", 0 / 0, "finite number >= 0 expected, got nan" },
      { "stepHeight", "8", "finite number >= 0 expected, got '8'" },
      { "nudge", false, "finite number >= 0 expected, got boolean" },
      { "constantSpeed", 1, "boolean expected, got 1" },
      { "up", { 0, -2 }, "{0, -1}, {0, 1}, {-1, 0} or {1, 0} expected, got table" },
      { "up", 5, "{0, -1}, {0, 1}, {-1, 0} or {1, 0} expected, got 5" },
      { "airTime", "x", "number >= 0 expected, got 'x'" },
      { "airTime", 0 / 0, "number >= 0 expected, got nan" },
      { "filter", "x", nil },
      { "filter", {}, nil },
      { "filter", false, nil },
    }
    for _, case in ipairs(wrong) do
      local hero = newHero()
      local name = case[1]
      local before = hero[name]
      local message = refusal(function() hero[name] = case[2] end)
      assert.is_truthy(message:find("bad field '" .. name .. "' of a walker (", 1, true), message)
      assert.is_truthy(not case[3] or message:find(case[3], 1, true), message)
      assert.equal(before, hero[name])
    end
    local hero, world = newHero()
    local box, gone = hero.box, world:insert(0, 0, 9, 9)
    gone:remove()
    for _, value in ipairs({ "x", {}, 5, true, gone, broadside.newWorld():insert(0, 0, 9, 9) }) do
      local message = refusal(function() hero.box = value end)
      assert.is_truthy(message:find("bad field 'box' of a walker (", 1, true), message)
    end
    refusal(function() hero.box = nil end)
    for _, value in ipairs({ "x", 5, gone, broadside.newWorld({ dim = 3 }) }) do
      local message = refusal(function() hero.world = value end)
      assert.is_truthy(message:find("bad field 'world' of a walker (2D World", 1, true), message)
    end
    assert.equal(box, hero.box)
    local other = world:insert(100, 0, 9, 9)
    hero.box = other:getId() -- it moves another one from now on
    hero:walk(60, 0, 1)
    assert.same({ other, 160, 0 }, { hero.box, (other:getRect()), other:getGravityScale() })
    hero.box = box
    hero.up[2] = 3 -- in place
    assert.is_truthy(refusal(function() hero:walk(60, 0, DT) end):find("'up'", 1, true))
    hero.up[2] = -1
    hero:walk(60, 0, DT)
    hero.box:remove()
    for _, call in ipairs({ "walk", "drop" }) do
      assert.equal(("bad self to '%s' (its box was removed)"):format(call),
        refusal(function() hero[call](hero, 60, 0, DT) end))
    end
  end)

  it("make walk raise what is wrong with them, at the game's line, and go back", function()
    for _, new in ipairs({ walker.new, walker.topDown }) do
      local world, wrong = broadside.newWorld(), nil
      world:insert(-100, 0, 200, 10)
      world:insert(8, -30, 10, 30)
      local function filter(_, other)
        return wrong and wrong(other) or "slide"
      end
      local hero = new(world, world:insert(-30, -20, 16, 20))
      local function refuses(expected, vx, dt)
        local x, y = hero.box:getRect()
        local message = refusal(function() hero:walk(vx or 3000, 100, dt or DT) end)
        assert.is_truthy(message:find(expected, 1, true), message)
        assert.same({ x, y }, { (hero.box:getRect()), (select(2, hero.box:getRect())) })
        assert.is_true(hero.n == 0 and hero.hits[1] == nil)
      end
      local gone = world:insert(0, 500, 1, 1)
      hero.filter = gone
      gone:remove()
      refuses("bad field 'filter' of a walker (box was removed)")
      hero.filter = nil
      hero:walk(0, 100, DT)
      refuses("bad argument #1 to 'walk' (the way in dt is not finite)", 1e308, 1000)
      hero.filter = filter
      wrong = function() return 5 end
      refuses("the filter function returned '5'")
      local calls = 0
      wrong = function() -- later in the walk
        calls = calls + 1
        return calls > 1 and 5
      end
      refuses("the filter function returned '5'")
      wrong = function() error("of the game", 0) end
      local ok, message = pcall(hero.walk, hero, 3000, 100, DT)
      assert.is_true(not ok and message == "of the game")
      wrong = nil
      hero:walk(0, 100, DT)
      assert.is_true(new ~= walker.new or hero.onFloor)
    end
  end)

  it("do not share the table that was given as up", function()
    local up = { 0, -1 }
    local hero = newHero({ up = up })
    up[2] = 1
    hero:walk(0, 10, DT)
    assert.is_true(hero.onFloor)
  end)

  it("say that there is no floor, once it was removed", function()
    local hero, world = newHero()
    hero:walk(0, 10, DT)
    assert.equal(world:touching(hero.box, 0, 1), hero.floor)
    hero.floor:remove()
    assert.is_false(hero.onFloor)
    assert.is_nil(hero.floor)
  end)

  it("say what is in the place of a floor that was removed", function()
    for _, results in ipairs({ "box", "id", "data" }) do
      local world = broadside.newWorld({ results = results })
      local first = world:insert(-50, 100, 100, 20, { static = true, data = "first" })
      local hero = walker.new(world, world:insert(0, 80, 10, 20))
      hero:walk(0, 10, DT)
      local slot = hero:save()
      world:remove(first)
      local second = world:insert(-50, 100, 100, 20, { static = true, data = "second", vx = 60 })
      local name = results == "data" and "second" or second
      assert.same({ true, name }, { hero.onFloor, hero.floor })
      assert.equal(slot.onFloor, hero:save().onFloor)
      hero:walk(0, 0, DT)
      assert.same({ true, 1 }, { hero.onFloor, (hero.box:getRect()) })
      hero.box:setRect(5, 80)
      world:remove(second)
      world:insert(-50, 100, 100, 20, { static = true })
      assert.same({ false }, { hero.onFloor, hero.floor })
    end
  end)
end)

local function addGround(world)
  world:insert(-400, 200, 800, 20, { static = true, data = "ground" })
end

-- A game of a hero on lifts of all kinds, planks and slopes, which jumps and drops. Its ground is
-- replaced at times.
local function newGame(results)
  local world = broadside.newWorld({ results = results })
  local game = { world = world, results = results, frame = 0, vx = 0, vy = 0 }
  addGround(world)
  world:insertPolygon({ 100, 200, 200, 150, 200, 200 }, { static = true, data = "slope" })
  world:insertPolygon({ 220, 200, 300, 40, 300, 200 }, { static = true, data = "steep" })
  world:insert(-400, 190, 100, 10, { static = true, vx = 50, data = "belt" })
  game.lift = world:insert(0, 150, 60, 8, { oneWay = { 0, -1 }, data = "lift" })
  game.wheel = world:insertPolygon({ -150, -5, -50, -5, -50, 5, -150, 5 }, { data = "seesaw" })
  local id = world:insert(20, 120, 10, 20, { data = "hero" })
  game.hero = walker.new(world, id, { stepHeight = 6, nudge = 4 })
  return game
end

-- What a result of the world is called: Boxes of two worlds differ, so their data is taken.
local function nameOf(other, results)
  return other ~= nil and (results == "box" and other:getData() or other)
end

-- All that a walker has met.
local function rowsOf(hero, results)
  local list = {}
  for i = 1, hero.n do
    local row = hero.hits[i]
    list[i] = { nameOf(row.other, results), row.response, row.t, row.x, row.y, row.nx, row.ny,
      row.overlap }
  end
  return list
end

local function play(game)
  local frame, hero, world = game.frame + 1, game.hero, game.world
  local before = { hero.onFloor, nameOf(hero.floor, game.results) }
  game.frame = frame
  local function box(value)
    return type(value) == "number" and world:getBox(value) or value
  end
  world:push(game.lift, 20 * math.sin(frame / 20), 150 + 30 * math.sin(frame / 33))
  box(game.wheel):setTransform(100, 170, 0.3 * math.sin(frame / 25))
  if frame % 97 == 0 then hero:drop() end
  if frame % 71 == 0 and hero.airTime < 0.1 then game.vy = hero.platformVy - 300 end
  hero.stepHeight = frame % 40 < 20 and 6 or 0
  hero.up = frame % 600 > 580 and { 0, 1 } or { 0, -1 }
  local vx = frame % 300 < 60 and 0 or frame % 500 < 250 and 120 or -120
  game.vx, game.vy = hero:walk(vx, game.vy + 1000 * DT, DT)
  local after = { hero.onFloor, nameOf(hero.floor, game.results), rowsOf(hero, game.results) }
  if frame % 53 == 0 then
    for each in world:boxes() do
      each = box(each)
      if type(each) == "userdata" and each:getData() == "ground" then each:remove() end
    end
    addGround(world)
  end
  return { before, after, hero.onWall, hero.onCeiling, hero.floorNx, hero.floorNy,
    hero.platformVx, hero.platformVy, hero.airTime, game.vx, game.vy, hero.box:getRect() }
end

-- A copy as a file or the network would give it.
local function transmit(slot)
  local copy = {}
  for name, value in pairs(slot) do
    assert.is_true(type(name) == "string" and (type(value) == "boolean"
      or type(value) == "number" and value - value == 0), name)
    copy[name] = value
  end
  return copy
end

it("a walker moves alike whatever the world's results are", function()
  local games = { newGame("box"), newGame("id"), newGame("data") }
  for frame = 1, 620 do
    local x, y
    for i, game in ipairs(games) do
      play(game)
      local nowX, nowY = game.hero.box:getRect()
      assert.is_true(i == 1 or nowX == x and nowY == y, game.results .. frame)
      x, y = nowX, nowY
    end
  end
end)

describe("a walker's save and restore", function()
  for _, results in ipairs({ "box", "id", "data" }) do
    it("go back with the world at every frame, bit for bit, results = " .. results, function()
      local straight, back = newGame(results), newGame(results)
      local slot, snapshot = {}, nil
      for frame = 1, 620 do
        snapshot = back.world:snapshot(snapshot)
        slot = back.hero:save(slot)
        local kept = { back.frame, back.vx, back.vy }
        for _ = 1, frame % 7 do
          play(back)
        end
        back.world:restore(snapshot)
        back.hero:restore(transmit(slot))
        back.frame, back.vx, back.vy = kept[1], kept[2], kept[3]
        assert.same(play(straight), play(back), "frame " .. frame)
      end
    end)
  end

  it("are for walkers that were made before or after the world was restored", function()
    local _, world = newHero()
    for _, new in ipairs({ walker.new, walker.topDown }) do
      local message
      world:restore(world:snapshot():getString(), function(box)
        message = refusal(function() new(world, box) end)
      end, true)
      assert.equal("world is busy: a function that it has called must not change it", message)
    end
  end)

  it("give the fields back", function()
    local hero, world = newHero()
    hero:walk(0, 10, DT)
    local slot, snapshot = hero:save(), world:snapshot()
    hero.maxSlope, hero.up, hero.snap = 0.5, { 1, 0 }, 3
    hero:walk(50, 10, DT)
    world:restore(snapshot)
    hero:restore(slot)
    assert.is_nil(hero.hits[1])
    assert.same({ math.rad(46), 0, -1, 5, true, 0 },
      { hero.maxSlope, hero.up[1], hero.up[2], hero.snap, hero.onFloor, hero.n })
    assert.equal(world:touching(hero.box, 0, 1), hero.floor)
    local fresh = walker.new(world, hero.box)
    fresh:restore(slot)
    assert.is_true(fresh.onFloor)
    assert.equal(hero.floor, fresh.floor)
  end)

  it("go back to what it stands on, also in another walker", function()
    local hero, world = newHero()
    local ground = world:touching(hero.box, 0, 1)
    local ledge = world:insert(50, 100, 20, 6, { static = true })
    local function fall()
      for _ = 1, 3 do
        hero:walk(0, 10, DT)
      end
    end
    fall()
    local slot, snapshot = hero:save(), world:snapshot()
    hero.box:setRect(50, 70)
    ledge:setRect(50, 90)
    fall()
    assert.equal(ledge, hero.hits[1].other)
    world:restore(snapshot)
    for _, each in ipairs({ hero, walker.new(world, hero.box) }) do
      each:restore(slot)
      each:walk(0, 10, DT)
      local row = each.hits[1]
      assert.same({ 1, "slide", 0, 0, 80, 0, -1, false },
        { each.n, row.response, row.t, row.x, row.y, row.nx, row.ny, row.overlap })
      assert.equal(ground, row.other)
    end
  end)

  it("go back to a floor that is replaced before the next walk, also in another walker", function()
    local hero, world = newHero()
    hero:walk(0, 10, DT)
    local slot, snapshot = hero:save(), world:snapshot()
    for _, each in ipairs({ hero, walker.new(world, hero.box) }) do
      world:restore(snapshot)
      each:restore(slot)
      local x, y, w, h = hero.floor:getRect()
      hero.floor:remove()
      local other = world:insert(x, y, w, h, { static = true })
      assert.same({ true, true }, { each.onFloor, rawequal(each.floor, other) })
    end
  end)

  it("go on with a drop, also in another walker", function()
    local world = broadside.newWorld()
    for _, x in ipairs({ -20, 5 }) do
      world:insert(x, 100, 25, 6, { oneWay = { 0, -1 } })
    end
    world:insert(-100, 200, 200, 10, { static = true })
    local hero = walker.new(world, world:insert(0, 80, 10, 20))
    hero:walk(0, 10, DT)
    hero:drop()
    local slot = hero:save()
    assert.is_true(slot.plank1 ~= nil and slot.plank2 ~= nil)
    local fresh = walker.new(world, hero.box)
    fresh:restore(transmit(slot))
    for _ = 1, 60 do
      fresh:walk(0, 120, DT)
    end
    assert.equal(180, select(2, hero.box:getRect()))
  end)

  it("go on with a drop of which one plank is gone", function()
    local ends = {}
    for i = 1, 2 do
      local world = broadside.newWorld()
      local left = world:insert(-20, 100, 25, 6, { oneWay = { 0, -1 } })
      world:insert(5, 100, 25, 6, { oneWay = { 0, -1 } })
      local hero = walker.new(world, world:insert(0, 80, 10, 20))
      hero:walk(0, 10, DT)
      hero:drop()
      left:remove()
      if i == 2 then hero:restore(transmit(hero:save())) end
      hero:walk(0, 600, DT)
      ends[i] = { hero.onFloor, hero.box:getRect() }
    end
    assert.same({ false, 0, 90, 10, 20 }, ends[1])
    assert.same(ends[1], ends[2])
  end)

  it("have no corners of a floor on which it no longer stands", function()
    local hero, world = newHero()
    world:insertPolygon({ -5, 100, 5, 100, 5, 95 }, { static = true })
    hero.box:setRect(-40, 80)
    local hadCorners = false
    for _ = 1, 90 do
      hero:walk(60, 100, DT)
      hadCorners = hadCorners or hero:save().corner6 ~= nil
    end
    assert.is_true(hadCorners and hero.onFloor)
    assert.is_nil(hero:save().corner1)
  end)

  it("refuse a damaged slot, or walk on from it without an error", function()
    local world = broadside.newWorld()
    local floor = world:insertPolygon({ -50, 100, 50, 90, 50, 120, -50, 120 },
      { oneWay = { 0, -1 } })
    local hero = walker.new(world, world:insert(0, 60, 10, 20))
    for _ = 1, 30 do
      hero:walk(0, 100, DT)
    end
    local snapshot, whole = world:snapshot(), { hero:save() }
    hero:drop()
    whole[2] = hero:save()

    local function try(slot, what)
      world:restore(snapshot)
      local message = select(2, pcall(hero.restore, hero, slot)) or ""
      assert.is_truthy(message == "" or message:find("bad argument #1 to 'restore' (", 1, true),
        message)
      floor:setTransform(3, 4, 0.1)
      for _ = 1, 3 do
        local walks, why = pcall(hero.walk, hero, 10, 100, DT)
        assert.is_true(walks, ("%s: %s"):format(what, tostring(why)))
      end
    end

    for _, slot in ipairs(whole) do
      assert.is_truthy(slot.corner8 or slot.plank1)
      for name in pairs(slot) do
        for _, value in ipairs({ false, true, 0, -1, 1e300 }) do
          local damaged = transmit(slot)
          damaged[name] = value
          try(damaged, name .. " = " .. tostring(value))
        end
        local damaged = transmit(slot)
        damaged[name] = nil
        try(damaged, name)
      end
    end
  end)

  it("leave nothing to the collector", function()
    local hero = newHero()
    hero:walk(0, 10, DT)
    local slot = hero:save()
    local function goBack()
      hero:restore(hero:save(slot))
    end
    assert.equal(0, garbageOf(goBack, 100))
    local format, texts = string.format, 0
    rawset(string, "format", function(...)
      texts = texts + 1
      return format(...)
    end)
    local done = pcall(goBack)
    rawset(string, "format", format)
    assert.same({ true, 0 }, { done, texts })
  end)

  it("refuse what no walker has saved, and a world that was not restored", function()
    local hero, world = newHero()
    hero:walk(0, 10, DT)
    local slot = hero:save()
    local function refuses(expected, changed, name, value)
      local other = transmit(changed)
      if name then other[name] = value end
      local message = refusal(function() hero:restore(other) end)
      assert.is_truthy(message:find(expected, 1, true), message)
      assert.is_true(hero.onFloor and hero.airTime == 0)
    end
    refuses("field 'x': finite number expected, got nil", {})
    refuses("field 'snap': finite number expected, got 'a'", slot, "snap", "a")
    refuses("field 'onFloor': boolean expected, got 1", slot, "onFloor", 1)
    refuses("field 'airTime': finite number expected, got nan", slot, "airTime", 0 / 0)
    refuses("field 'floorX': finite number expected, got table", slot, "floorX", {})
    refuses("field 'corner1': finite number expected, got 'a'", slot, "corner1", "a")
    refuses("field 'plank2': finite number expected, got boolean", slot, "plank2", true)
    local noFloor = "bad argument #1 to 'restore' (its floor is not in the world; restore the world"
    refuses(noFloor, slot, "floor", 7)
    refuses(noFloor, slot, "plank1", 7)
    refuses("field 'plank16' without 'plank1'", slot, "plank16", 7)
    refuses("bad argument #1 to 'restore' (its box is not where it was; restore the world first",
      slot, "x", 1)
    refuses("field 'floor': finite number expected, got 'a'", slot, "floor", "a")
    assert.equal("bad argument #1 to 'restore' (table of walker:save expected, got nil)",
      refusal(function() hero:restore() end))
    assert.equal("bad argument #1 to 'save' (table expected, got 5)",
      refusal(function() hero:save(5) end))
    local message = refusal(function() hero.save({}) end)
    assert.is_truthy(message:find("walker expected, got table", 1, true))
    hero.floor:remove()
    hero:save(slot)
    assert.is_false(slot.floor)
    world:clear()
  end)
end)
