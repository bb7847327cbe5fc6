-- Functions of a game in place of follow, fly and land of its walker.

local broadside = require("broadside")
local garbageOf = require("spec.support.garbage")
local walker = require("broadside.walker")

local DT = 1 / 64

-- A hero whose feet are `height` above a floor at 0, and that floor.
local function newHero(height, opts)
  local world = broadside.newWorld()
  local floor = world:insert(-1000, 0, 2000, 20, { static = true })
  return walker.new(world, world:insert(0, -20 - height, 10, 20), opts), floor, world
end

-- The message of the error that f raises at a line of this file.
local function refusal(f)
  local ok, message = pcall(f)
  assert.is_false(ok)
  return (assert(message:match("^[^\n]*walk_spec%.lua:%d+: (.*)$"), message))
end

local function feet(hero)
  return select(2, hero.box:getRect()) + 20
end

describe("land of a game", function()
  it("is asked once for each fall, with the hit and the speeds", function()
    local hero, floor = newHero(1)
    local land, calls = hero.land, {}
    function hero:land(hit, along, up)
      calls[#calls + 1] = { hit.other, hit.nx, hit.ny, along, up, self == hero }
      return land(self, hit, along, up)
    end
    for _ = 1, 5 do
      hero:walk(64, 128, DT)
    end
    hero:walk(0, -64, DT) -- a jump
    hero:walk(0, 320, DT)
    assert.same({ { floor, 0, -1, 64, -128, true }, { floor, 0, -1, 0, -320, true } }, calls)
    assert.is_true(hero.onFloor)
    assert.equal(5, (hero.box:getRect()))
  end)

  it("can throw it back, whatever side is up", function()
    for _, up in ipairs({ { 0, -1 }, { 0, 1 }, { -1, 0 }, { 1, 0 } }) do
      local world, x, y = broadside.newWorld(), up[1], up[2]
      local hero = walker.new(world, world:insert(-5, -5, 10, 10), { up = up })
      -- Its near side is 13 from the middle of the hero, so 8 from its feet.
      world:insert(-33 * x - 20, -33 * y - 20, 40, 40, { static = true })
      hero.land = function(_, _, along, speed)
        return along, -0.5 * speed
      end
      -- It falls 8 of its 16, and then rises at half the speed for half of the time.
      local vx, vy = hero:walk(-1024 * x, -1024 * y, DT)
      local centerX, centerY = hero.box:getCenter()
      assert.same({ 512 * x + 0, 512 * y + 0, false, -4 * x + 0, -4 * y + 0 },
        { vx + 0, vy + 0, hero.onFloor, centerX + 0, centerY + 0 })
    end
  end)

  it("need not let it stand: then it slides on in the air", function()
    local hero = newHero(4)
    hero.land = function(_, hit, along, up)
      hit.nx, hit.ny, hit.other = nil, "x", nil -- its row is the game's
      return along, up
    end
    for i = 1, 8 do
      local vx, vy = hero:walk(64, 640, DT)
      assert.same({ 64, 0, false, i }, { vx, vy, hero.onFloor, (hero.box:getRect()) })
    end
    assert.equal(0, feet(hero))
    assert.is_true(hero.airTime > 8 * DT)
  end)

  it("keeps its row, whatever the walker meets meanwhile", function()
    for height, speed in pairs({ [0] = 0, [1] = 128 }) do
      local world, rows = broadside.newWorld(), {}
      local first = world:insert(-100, 0, 150, 20, { static = true })
      local second = world:insert(50, 0, 1000, 20, { static = true })
      local hero = walker.new(world, world:insert(0, -20 - height, 10, 20))
      local land = hero.land
      function hero:land(hit, along, up)
        along, up = land(self, hit, along, up)
        self:follow(6400, DT)
        rows[#rows + 1] = { hit.other, hit.nx, hit.ny }
        return along, up
      end
      hero:walk(64, speed, DT)
      assert.same({ { first, 0, -1 } }, rows)
      assert.equal(second, hero.floor)
    end
  end)
end)

describe("fly and follow of a game", function()
  it("change its speeds", function()
    local hero = newHero(100)
    local fly, follow = hero.fly, hero.follow
    function hero:fly(along, up, time)
      return fly(self, along, math.max(up, -32), time)
    end
    function hero:follow(along, time)
      return 2 * follow(self, along / 2, time)
    end
    for i = 1, 64 do
      local vx, vy = hero:walk(128, 1000, DT)
      assert.same({ 128, 32, 100 - i / 2 }, { vx, vy, -feet(hero) })
    end
    hero.box:setRect(0, -20)
    hero:walk(0, 64, DT)
    assert.is_true(hero.onFloor)
    for i = 1, 64 do
      assert.equal(128, (hero:walk(128, 0, DT)))
      assert.equal(i, (hero.box:getRect()))
    end
  end)

  it("are called with the walker, and make no garbage", function()
    local hero = newHero(0, { stepHeight = 4 })
    local fly, follow, land = hero.fly, hero.follow, hero.land
    function hero:fly(...)
      return fly(self, ...)
    end
    function hero:follow(...)
      return follow(self, ...)
    end
    function hero:land(...)
      return land(self, ...)
    end
    local plain = newHero(0, { stepHeight = 4 })
    local n = 0
    local function play()
      n = n + 1
      hero:walk(n % 64 < 32 and 64 or -64, n % 16 == 0 and -300 or 200, DT)
    end
    assert.equal(0, garbageOf(play, 50))
    for i = 1, n do
      plain:walk(i % 64 < 32 and 64 or -64, i % 16 == 0 and -300 or 200, DT)
    end
    assert.same({ plain.box:getRect() }, { hero.box:getRect() })
  end)

  it("are as they were when the functions are set back", function()
    local hero = newHero(50)
    local fly = hero.fly
    hero.fly = function() return 7, 8 end
    assert.same({ 7, -8 }, { hero:walk(0, 1, DT) })
    assert.equal(-50, feet(hero))
    hero.fly = fly
    hero:walk(0, 64, DT)
    assert.equal(-49, feet(hero))
    assert.equal(newHero(1).fly, fly)
  end)
end)

describe("errors of functions of a game", function()
  it("name what is wrong, and leave the walker where it was", function()
    local hero = newHero(0)
    hero:walk(0, 10, DT)
    local function refuses(expected, name, f)
      local before, x, y = hero[name], hero.box:getRect()
      hero[name] = f
      local message = refusal(function() hero:walk(64, name == "follow" and 10 or -10, DT) end)
      hero[name] = before
      assert.is_truthy(message:find(expected, 1, true), message)
      assert.same({ x, y, 0, false }, { x, select(2, hero.box:getRect()), hero.n, hero.onFloor })
      hero:walk(0, 10, DT)
      assert.is_true(hero.onFloor)
    end
    refuses("follow of the game must return a finite number, not nil", "follow", function() end)
    refuses("follow of the game must return a finite number, not nan", "follow",
      function() return 0 / 0 end)
    refuses("fly of the game must return two finite numbers, not 1 and nil", "fly",
      function() return 1 end)
    refuses("fly of the game must return two finite numbers, not 'x' and table", "fly",
      function() return "x", {} end)
    refuses("bad argument #2 to 'follow' (finite number >= 0 expected, got -1)", "follow",
      function(self, along) return newHero(1).follow(self, along, -1) end)
    local fly, land = hero.fly, hero.land
    refuses("bad argument #2 to 'fly' (finite number expected, got nil)", "fly",
      function(self, along) return fly(self, along) end)
    for _, hit in ipairs({ 5, {}, { nx = 0, ny = 0 / 0, x = 0, y = 0, t = 0 } }) do
      local got = type(hit) == "table" and "table" or "5"
      refuses("bad argument #1 to 'land' (hit of a walk expected, got " .. got, "fly",
        function(self, along, up) return land(self, hit, along, up) end)
    end
    refuses("bad self to 'fly' (walker expected, got table", "fly",
      function() return fly({ {} }, 1, 1, 1) end)
    refuses("bad self to 'fly' (a walker in its walk expected)", "fly", function()
      return newHero(1):fly(1, 1, 1)
    end)
    local slot = hero:save()
    for _, call in ipairs({ "walk", "drop", "restore" }) do
      refuses(("bad self to '%s' (a walker that is in no walk expected)"):format(call), "fly",
        function(self) return self[call](self, call == "restore" and slot or 1, 1, 1) end)
    end
    refuses("fly of the game must return", "fly", function(self) return self:save() end)
  end)

  it("are raised as they are", function()
    local hero = newHero(5)
    hero.fly = function(self)
      self.box:setRect(50, 50)
      error("of the game", 0)
    end
    local ok, message = pcall(hero.walk, hero, 1, 1, DT)
    assert.same({ false, "of the game" }, { ok, message })
    assert.same({ 0, -25, 10, 20 }, { hero.box:getRect() })
    hero.fly = function(self)
      self.box:remove()
      error("gone", 0)
    end
    assert.equal("gone", select(2, pcall(hero.walk, hero, 1, 1, DT)))
    assert.equal("bad self to 'walk' (its box was removed)",
      refusal(function() hero:walk(1, 1, DT) end))
  end)

  it("are about values that are no functions, when they are set", function()
    local hero, _, world = newHero(5)
    for _, name in ipairs({ "follow", "fly", "land" }) do
      assert.equal(("bad field '%s' of a walker (function expected, got 5)"):format(name),
        refusal(function() hero[name] = 5 end))
      assert.is_truthy(refusal(function() hero[name] = nil end):find("function expected, got nil"))
      assert.is_truthy(refusal(function()
        walker.topDown(world, hero.box)[name] = print
      end):find("a walker has no field '" .. name .. "'; it has: filter, nudge", 1, true))
    end
  end)
end)
