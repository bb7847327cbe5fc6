-- doc/walker.md: plays each recipe, and compares each picture with what is drawn today.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local pictures = require("tools.walker_pictures")
local walker = require("broadside.walker")

local DT = 1 / 60

-- The code of all recipes, by their names.
local function readRecipes()
  local recipes, name, code = {}, nil, nil
  for line in io.lines("doc/walker.md") do
    local found = line:match("^<!%-%- recipe: (.-) %-%->$")
    name = found or name
    if name and line == "```lua" then
      code = {}
    elseif line == "```" and code then
      recipes[name], name, code = table.concat(code, "\n"), nil, nil
    elseif code then
      table.insert(code, line)
    end
  end
  return recipes
end

local recipes = readRecipes()
local played = { setting = true }

-- Puts a hero at x, y in a world that build(world) makes; play(frames, keys) plays the recipe.
local function start(name, x, y, build)
  played[name] = true
  local world = broadside.newWorld()
  build(world)
  local env = setmetatable({ world = world, walker = walker, broadside = broadside,
    box = world:insert(x, y, 16, 32), keys = { direction = 0 } }, { __index = _G })
  compat.loadIn(recipes.setting, env)()
  compat.loadIn(recipes[name], env)()
  function env.play(frames, keys)
    env.keys = keys or {}
    env.keys.direction = env.keys.direction or 0
    for _ = 1, frames do
      env.update(DT)
      env.keys.jump = false
    end
    return env.box:getRect()
  end
  return env
end

local function addFloor(world)
  world:insert(-200, 100, 600, 20, { static = true })
end

describe("doc/walker.md", function()
  it("jumps late and early, and once", function()
    local game = start("coyote", 0, 68, function(world)
      world:insert(-50, 100, 100, 20, { static = true })
    end)
    game.play(2)
    game.play(26, { direction = 1 }) -- beyond the edge
    assert.is_false(game.hero.onFloor)
    game.play(1, { direction = 1, jump = true })
    assert.is_true(game.vy < -300)
    game.play(2, { direction = 1, jump = true })
    assert.is_true(game.vy > -360)
    game = start("coyote", 0, 65, addFloor)
    game.play(1, { jump = true }) -- in the air
    game.play(8)
    assert.is_true(game.vy < -200)
  end)

  it("jumps off walls", function()
    local game = start("wall jump", 80, 68, function(world)
      addFloor(world)
      world:insert(100, -300, 20, 400, { static = true })
    end)
    game.play(1)
    game.play(12, { direction = 1, jump = true })
    assert.equal(1, game.hero.onWall)
    game.play(1, { direction = 1, jump = true })
    local x, y = game.play(8, { direction = 1 })
    assert.is_true(x < 70 and y < 0)
  end)

  it("climbs ladders", function()
    local game = start("ladder", 0, 68, function(world)
      addFloor(world)
      world:insert(0, -50, 16, 150, { static = true, layer = 4 })
    end)
    game.play(1)
    local _, y = game.play(30, { up = true })
    assert.is_true(math.abs(y - 28) < 2)
    assert.equal(y, (select(2, game.play(20)))) -- the hero hangs there
    game.play(1, { jump = true })
    game.play(60)
    assert.is_true(game.hero.onFloor)
  end)

  it("climbs a ladder to the plank on it, down through that, and jumps off", function()
    local game = start("ladder", 0, 68, function(world)
      addFloor(world)
      world:insert(0, 0, 16, 100, { static = true, layer = 4 })
      world:insert(-30, 0, 76, 6, { static = true, oneWay = { 0, -1 } })
    end)
    game.play(1)
    local _, y = game.play(90, { up = true })
    assert.equal(-32, y)
    assert.is_true(game.hero.onFloor)
    game.play(10)
    assert.is_true(game.hero.onFloor)
    _, y = game.play(30, { down = true })
    assert.is_true(y > 0 and y < 20, y)
    game.play(1, { jump = true })
    assert.is_true(game.vy < -300)
    _, y = game.play(60) -- through the plank, and back onto it
    assert.is_true(game.hero.onFloor and y == -32, y)
    _, y = game.play(120, { down = true })
    assert.equal(68, y)
  end)

  it("has no coyote time after a drop", function()
    local game = start("coyote", 0, -32, function(world)
      addFloor(world)
      world:insert(-50, 0, 100, 6, { static = true, oneWay = { 0, -1 } })
    end)
    game.play(3)
    assert.is_true(game.hero.onFloor)
    game.hero:drop()
    game.play(1, { jump = true })
    assert.is_true(game.vy > 0)
  end)

  it("runs on a belt that crumbles", function()
    local game = start("crumbling", 0, 38, function(world)
      addFloor(world)
      world:insert(-100, 70, 400, 8, { static = true, vx = 60, data = "crumbles" })
    end)
    game.play(1)
    local x = game.play(1)
    assert.is_true(math.abs(game.play(24) - x - 24) < 1e-6)
    local _, y = game.play(60)
    assert.equal(68, y)
    assert.is_true(game.hero.onFloor)
  end)

  it("patrols on slopes, between a wall and a ledge", function()
    local game = start("patrol", 0, 60, function(world)
      world:insert(-60, 100, 120, 20, { static = true })
      world:insertPolygon({ 60, 100, 120, 70, 120, 120, 60, 120 }, { static = true })
      world:insert(120, 70, 40, 50, { static = true })
      world:insert(160, 0, 20, 120, { static = true })
    end)
    game.play(10)
    local least, most = math.huge, -math.huge
    for _ = 1, 900 do
      local x = game.play(1)
      least, most = math.min(least, x), math.max(most, x)
      assert.is_true(game.hero.onFloor)
    end
    assert.is_true(least < -55 and least > -70 and most == 144, least .. " " .. most)
  end)

  it("is knocked back, less and less", function()
    local game = start("knock-back", 0, 68, addFloor)
    game.play(2)
    game.hurt(1)
    local x = game.play(10)
    assert.is_true(x > 30)
    x = game.play(120)
    assert.is_true(game.hero.onFloor and game.play(30) - x < 1)
  end)

  it("is crushed by spikes, and only where it cannot get away", function()
    for _, wall in ipairs({ false, true }) do
      local game = start("crushing", 20, 68, function(world)
        addFloor(world)
        if wall then world:insert(-20, 0, 20, 100, { static = true }) end
      end)
      game.play(100)
      assert.equal(wall, game.isDead)
    end
  end)

  it("goes back to a checkpoint", function()
    local game = start("checkpoint", 0, 30, addFloor)
    game.play(5, { direction = 1 })
    game.saveCheckpoint()
    local x, y = game.play(40, { direction = 1 })
    game.goBack()
    local x2, y2 = game.play(40, { direction = 1 })
    assert.is_true(x == x2 and y == y2 and game.hero.onFloor)
  end)

  it("is carried by belts, seen from above", function()
    local game = start("belts from above", 0, 0, function(world)
      local belt = { static = true, sensor = true, layer = 16, vx = 30, vy = 60 }
      world:insert(-10, -10, 200, 100, belt)
    end)
    local x, y = game.play(30)
    assert.is_true(math.abs(x - 15) < 1e-9 and math.abs(y - 30) < 1e-9)
  end)

  it("drops through ledges", function()
    local game = start("drop", 0, 18, function(world)
      addFloor(world)
      world:insert(-50, 50, 100, 8, { static = true, oneWay = { 0, -1 } })
    end)
    game.play(5)
    assert.is_true(game.hero.onFloor)
    game.play(1, { down = true, jump = true })
    local _, y = game.play(60)
    assert.equal(68, y)
  end)

  it("crouches under a low ceiling", function()
    local game = start("crouch", 0, 68, function(world)
      addFloor(world)
      world:insert(40, 0, 100, 80, { static = true })
    end)
    game.play(2)
    game.play(60, { direction = 1 })
    assert.equal(1, game.hero.onWall)
    assert.is_true(game.play(40, { direction = 1, down = true }) > 60)
    assert.equal(16, (select(4, game.play(1))))
    assert.equal(32, (select(4, game.play(60, { direction = 1 }))))
  end)

  it("runs on a conveyor belt", function()
    local game = start("conveyor", 0, 68, function(world)
      world:insert(-200, 100, 600, 20, { static = true, data = { belt = 60 } })
    end)
    game.play(1)
    local x = game.play(1)
    assert.is_true(math.abs(game.play(60) - x - 60) < 1e-6)
  end)

  it("walks on a wall", function()
    local game = start("sideways", 20, 0, function(world)
      world:insert(0, -200, 10, 400, { static = true })
    end)
    game.play(30)
    local x, y = game.play(30, { direction = 1 })
    assert.equal(10, x)
    assert.is_true(game.hero.onFloor and math.abs(y - 60) < 1e-6)
    game.play(1, { jump = true })
    assert.is_true(game.play(5) > 30)
  end)

  it("swims", function()
    local game = start("swimming", 0, 68, function(world)
      addFloor(world)
      world:insert(-200, 0, 600, 100, { static = true, layer = 8 })
    end)
    game.play(10)
    local _, y = game.play(40, { up = true })
    assert.is_true(y > 10 and y < 40)
    game.play(40)
    assert.is_true(game.vy > 0 and game.vy <= 20)
  end)

  it("has no recipe that is not played here", function()
    for name in pairs(recipes) do
      assert.is_true(played[name], name)
    end
  end)

  it("has a picture of each knob, as it is drawn today", function()
    local page = io.open("doc/walker.md"):read("*a")
    for _, name in ipairs(pictures.names) do
      local path = "doc/pictures/walker-" .. name .. ".svg"
      local file = assert(io.open(path, "rb"))
      assert.equal(pictures.draw(name), file:read("*a"), path .. ": make drawings")
      file:close()
      assert.is_truthy(page:find("pictures/walker-" .. name .. ".svg", 1, true))
    end
  end)
end)
