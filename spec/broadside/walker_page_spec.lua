-- doc/walker-recipes.md: plays each recipe, and compares each picture, also those of doc/walker.md,
-- with the one that is drawn today.

local broadside = require("broadside")
local buffer = require("spec.support.buffer")
local compat = require("spec.support.compat")
local pictures = require("tools.walker_pictures")
local recipePictures = require("tools.recipe_pictures")
local recipes = require("tools.recipes")

local DT = 1 / 60

local codes, names = recipes.read()
local played = { setting = true }

-- Puts a hero at x, y in a world that build(world) makes; play(frames, keys) plays the recipe.
local function start(name, x, y, build)
  played[name] = true
  local world = broadside.newWorld()
  build(world)
  local env = recipes.start(codes, name, world, x, y)
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

describe("doc/walker-recipes.md", function()
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

  it("pushes a crate off a ledge, and stands on it", function()
    local game = start("crates", 0, 28, function(world)
      world:insert(-200, 60, 320, 10, { static = true })
      world:insert(120, 100, 200, 20, { static = true })
    end)
    game.play(58, { direction = 1 })
    local crate = game.world:queryRect(100, 0, 200, 99, 2)[1]
    local x = crate:getRect()
    assert.is_true(x > 110 and math.abs(x - game.box:getRect() - 16) < 1e-6)
    game.play(20, { direction = 1 })
    assert.equal(crate, game.hero.floor)
    assert.equal(80, (select(2, crate:getRect())))
    assert.equal(48, (select(2, game.box:getRect())))
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

  it("is carried by one of two belts side by side", function()
    local game = start("belts from above", 0, 0, function(world)
      local belt = { static = true, sensor = true, layer = 16, vy = 60 }
      world:insert(-100, -10, 108, 300, belt) -- they meet below its middle
      world:insert(8, -10, 100, 300, belt)
    end)
    local x, y = game.play(30)
    assert.is_true(x == 0 and math.abs(y - 30) < 1e-9)
  end)

  it("runs over gaps, and falls into them where it stops", function()
    local game = start("gaps", 0, 68, function(world)
      for i = -4, 20 do
        world:insert(36 * i, 100, 16, 300, { static = true })
      end
    end)
    game.play(1)
    for _ = 1, 153 do
      local _, y = game.play(1, { direction = 1 })
      assert.equal(68, y)
    end
    local x, y = game.play(30) -- at 306, over the gap from 304 to 324
    assert.equal(306, x)
    assert.is_true(y > 90)
  end)

  it("runs into the air as it was before: it jumps, and falls off cliffs", function()
    local game = start("gaps", 0, 68, addFloor)
    game.play(2)
    game.play(2, { direction = 1, jump = true })
    assert.is_true(game.vy < -300)
    game = start("gaps", 0, 68, function(world)
      world:insert(-100, 100, 130, 20, { static = true })
    end)
    local _, y = game.play(60, { direction = 1 })
    assert.is_true(y > 200)
    _, y = start("gaps", 0, 0, addFloor).play(4, { direction = 1 })
    assert.is_true(y > 0)
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

  it("has no recipe that is not played here, and has no scene", function()
    local expected = {}
    for i = 2, #names do
      assert.is_true(played[names[i]], names[i])
      expected[i - 1] = names[i]
    end
    local scenes = compat.concat(recipePictures.names, {})
    table.sort(expected)
    table.sort(scenes)
    assert.same(expected, scenes)
  end)

  local page = io.open("doc/walker.md"):read("*a") .. io.open("doc/walker-recipes.md"):read("*a")

  local function assertIsDrawn(name, text)
    local path = "pictures/" .. name .. ".svg"
    local file = assert(io.open("doc/" .. path, "rb"))
    assert.equal(text, file:read("*a"), path .. ": make drawings")
    file:close()
    assert.is_truthy(page:find(path, 1, true))
  end

  it("has a picture of each option and each recipe, as it is drawn today", function()
    for _, name in ipairs(pictures.names) do
      assertIsDrawn("walker-" .. name, pictures.draw(name))
    end
    for _, name in ipairs(recipePictures.names) do
      assertIsDrawn(recipePictures.fileOf(name), recipePictures.draw(name))
    end
  end)

  it("has recipes that the playground can play", function()
    local path = package.path
    package.path = "spec/love/?.lua;" .. path
    local love = require("standin").new(buffer.new)
    package.path, package.loaded.standin = path, nil
    local down = {}
    love.keyboard.isDown = function(key) return down[key] end
    local files = {}
    for name, code in pairs(codes) do
      files["recipes/" .. name:gsub("%W", "-") .. ".lua"] = code
    end
    local function load(text, _, _, env) return compat.loadIn(text, env) end
    local main = io.open("web/programs/recipes/main.lua"):read("*a")
    for _, name in ipairs(recipePictures.names) do
      local env = setmetatable({ RECIPE = name, love = love, web = { files = files },
        load = load }, { __index = _G })
      compat.loadIn(main, env)()
      love.load()
      for frame = 1, 240 do
        local key = ({ "space", "r", "s", "b", "h" })[frame % 37]
        if key then love.keypressed(key) end
        down.right, down.left = frame % 100 < 60, frame % 100 > 80
        down.up, down.down = frame % 90 < 30, frame % 90 > 60
        love.update(DT)
        love.draw()
      end
      assert.is_true((love.drawn.rectangle or 0) > 240)
    end
  end)
end)
