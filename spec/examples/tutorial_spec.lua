-- Follows doc/tutorial.md step by step, and plays the game of each step with a stand-in for LÖVE.

local child = require("spec.support.child")
local compat = require("spec.support.compat")
local lfs = require("lfs")
local page = require("spec.support.page")
local standin = require("spec.love.standin")
local tutorial = require("spec.support.tutorial")

local TILE = 40
local W, H = 28, 36 -- the hero's size
local RUN = 220

describe("the tutorial", function()
  local steps, game, keys, drawn

  setup(function()
    steps = tutorial.follow("doc/tutorial.md")
    assert.equal(7, #steps)
  end)

  -- Loads the files of a step, and starts the game as LÖVE does.
  local function start(step)
    local files, loaded = steps[step], {}
    local love = standin.new()
    keys, drawn = {}, love.drawn
    love.keyboard.isDown = function(key) return keys[key] or false end
    local environment = setmetatable({ love = love, require = function(name)
      if files[name .. ".lua"] and not loaded[name] then
        loaded[name] = compat.loadIn(files[name .. ".lua"], { require = require, math = math })()
      end
      return loaded[name] or require(name)
    end }, { __index = _G })
    compat.loadIn(files["main.lua"], environment)()
    love.load()
    game = loaded.game
    return love
  end

  local love

  local function play(frames, ...)
    keys = {}
    for _, key in ipairs({ ... }) do
      keys[key] = true
    end
    for _ = 1, frames do
      love.update(1 / 60)
    end
    love.draw()
  end

  local function feet()
    local x, y, w, h = game.box:getRect()
    assert.same({ W, H }, { w, h })
    return x, y + h
  end

  it("1: lets a box fall onto the ground", function()
    love = start(1)
    play(1)
    local x, bottom = feet()
    assert.same({ 100, 100 + H + 1400 / 3600 }, { x, bottom })
    play(120)
    assert.same({ 100, 560 }, { feet() })
    assert.equal(4, drawn.rectangle)
  end)

  it("2: lets it run and jump", function()
    love = start(2)
    play(60)
    play(60, "right")
    local x, bottom = feet()
    assert.near(100 + RUN, x, 1e-9)
    assert.equal(560, bottom)
    play(60, "left", "right")
    assert.near(100 + RUN, (feet()), 1e-9)
    local top = bottom
    for _ = 1, 60 do
      play(1, "space")
      local _, y = feet()
      top = math.min(top, y)
    end
    local height = 640 * 640 / (2 * 1400) -- steps make the jump a little lower
    assert.is_true(560 - top < height and 560 - top > height - 640 / 60)
  end)

  it("3: has walls, and no seams in the floor", function()
    love = start(3)
    play(30)
    assert.same({ 2 * TILE + 6, 13 * TILE }, { feet() })
    play(300, "right")
    assert.same({ 19 * TILE - W, 13 * TILE }, { feet() })
    play(300, "left")
    assert.same({ TILE, 13 * TILE }, { feet() })
  end)

  it("4: has ledges that are jumped on from below", function()
    for step, floor in pairs({ [3] = 13 * TILE, [4] = 10 * TILE }) do
      love = start(step)
      play(20, "right")
      play(1, "space")
      play(60)
      local _, bottom = feet()
      assert.equal(floor, bottom)
    end
  end)

  local function goTo(goal)
    for _ = 1, 300 do
      local x = feet()
      if math.abs(x - goal) < 2 then
        return
      end
      play(1, x < goal and "right" or "left")
    end
    error("cannot get to " .. goal)
  end

  local function jump(key, frames)
    play(1, "space", key)
    play(frames or 1, key)
    play(70)
  end

  -- Asserts that the hero stands on the lift in each of the frames.
  local function ride(frames)
    for _ = 1, frames do
      play(1)
      local _, bottom = feet()
      local _, top = game.lift:getRect()
      assert.near(top, bottom, 1e-9)
    end
  end

  it("5: has coins, of which two are out of reach", function()
    love = start(5)
    assert.equal(7, game.coinsLeft)
    play(120, "right")
    assert.equal(5, game.coinsLeft)
    assert.equal(5, drawn.circle)
    local x = feet()
    assert.near(2 * TILE + 6 + 2 * RUN, x, 1e-9) -- no coin stops it
    goTo(150)
    jump() -- onto the lower ledge
    goTo(100)
    goTo(250)
    assert.equal(3, game.coinsLeft)
    jump("right", 12) -- onto the upper one
    goTo(326)
    jump()
    assert.equal(2, game.coinsLeft)
    local _, bottom = feet()
    assert.equal(7 * TILE, bottom)
    goTo(396)
    jump("right", 70) -- as far as possible
    _, bottom = feet()
    assert.same({ 13 * TILE, 2 }, { bottom, game.coinsLeft })
  end)

  it("6: has a lift that carries the hero to them", function()
    love = start(6)
    goTo(480)
    repeat
      play(1)
    until game.time % (2 * math.pi) < 0.1 -- the lift is down again
    jump("right", 15)
    ride(85)
    goTo(720)
    local _, bottom = feet()
    assert.same({ 4 * TILE, 3 }, { bottom, game.coinsLeft })
  end)

  it("6: has a lift that takes the hero through a coin above it", function()
    love = start(6)
    local x, y = game.lift:getRect()
    game.box:setRect(x + 20, y - H)
    game.world:insertCircle(x + 34, y - 100, 9, { static = true, sensor = true, data = "coin" })
    ride(120)
    assert.equal(6, game.coinsLeft)
  end)

  it("7: is tested by its own spec", function()
    local folder = os.tmpname()
    os.remove(folder)
    assert(lfs.mkdir(folder) and lfs.mkdir(folder .. "/spec"))
    for name, text in pairs(steps[7]) do
      local file = assert(io.open(folder .. "/" .. name, "w"))
      file:write(text)
      file:close()
    end
    local command = "require('lfs').chdir(%q) arg = { [0] = 'busted' } dofile(%q)"
    local status, output = child.run(command:format(folder, lfs.currentdir() .. "/tools/specs.lua"))
    for name in pairs(steps[7]) do
      os.remove(folder .. "/" .. name)
    end
    os.remove(folder .. "/spec")
    os.remove(folder)
    assert.equal(0, status, output)
    assert.truthy(output:find("5 successes / 0 failures / 0 errors", 1, true), output)
  end)
end)

describe("the game of the README", function()
  local love, world, hero, keys

  local function play(frames, ...)
    for _, key in ipairs({ ... }) do
      keys[key] = true
    end
    for _ = 1, frames do
      love.update(1 / 60)
    end
    for key in pairs(keys) do
      keys[key] = nil
    end
  end

  before_each(function()
    love, keys = standin.new(), {}
    love.keyboard.isDown = function(key) return keys[key] or false end
    local broadside, walker = require("broadside"), require("broadside.walker")
    local modules = {
      broadside = setmetatable({ newWorld = function()
        world = broadside.newWorld()
        return world
      end }, { __index = broadside }),
      ["broadside.walker"] = { new = function(...)
        hero = walker.new(...)
        return hero
      end },
    }
    local environment = { love = love, require = function(name)
      return modules[name] or require(name)
    end }
    local code = page.blocks("README.md")[1].code
    compat.loadIn(code, setmetatable(environment, { __index = _G }))()
    rawset(_G, "love", love)
  end)

  after_each(function()
    rawset(_G, "love", nil)
  end)

  it("has 17 lines, as its heading says", function()
    local _, lines = page.blocks("README.md")[1].code:gsub("[^\n]+", "")
    assert.equal(17, lines)
    assert.is_true(page.hasLine("README.md", "## A game in 17 lines"))
  end)

  it("has a hero that falls, runs, and jumps", function()
    play(90)
    assert.same({ 100, 440, 40, 60 }, { hero.box:getRect() }) -- on the ground
    play(20, "left")
    assert.near(0, (hero.box:getRect()), 1e-9)
    play(20, "right", "left") -- the key that was pressed later counts
    assert.near(100, (hero.box:getRect()), 1e-9)
    local top = 440
    for _ = 1, 90 do
      play(1, "space")
      local _, y = hero.box:getRect()
      top = math.min(top, y)
    end
    local height = 800 * 800 / (2 * 1500)
    assert.is_true(math.abs(440 - height - top) < 800 / 60)
  end)

  it("has walls that the hero cannot leave", function()
    play(90)
    play(60, "left")
    assert.equal(0, (hero.box:getRect()))
    play(400, "right")
    assert.equal(760, (hero.box:getRect()))
  end)

  it("has a hill, on which the hero is as fast as on the ground", function()
    play(90)
    for frame = 1, 120 do
      local x, y = hero.box:getRect()
      play(1, "right")
      local toX, toY = hero.box:getRect()
      assert.is_true(hero.onFloor, "in the air in frame " .. frame)
      local bends = x < 210 and toX > 210 or x < 410 and toX > 410
      local way = math.sqrt((toX - x) ^ 2 + (toY - y) ^ 2)
      assert.near(5, way, bends and 1 or 1e-6)
    end
    local _, y, _, h = hero.box:getRect()
    assert.equal(380, y + h)
    local drawn = love.drawn
    love.draw()
    assert.is_true(drawn.rectangle > 1 and drawn.polygon > 0)
  end)
end)
