-- doc/tutorial.md, followed step by step: the game of each step is played with a stand-in for LÖVE.

local child = require("spec.support.child")
local compat = require("spec.support.compat")
local lfs = require("lfs")
local page = require("spec.support.page")
local standin = require("spec.love.standin")
local tutorial = require("spec.support.tutorial")

local TILE = 40
local W, H = 28, 36 -- of the player
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
    love.keyboard.isDown = function(key)
      return keys[key] or false
    end
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
    local x, y, w, h = game.player:getRect()
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
    local height = 640 * 640 / (2 * 1400) -- in small steps it is a little lower
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

  -- The player stands on the lift in each of the frames.
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
    jump() -- on the lower ledge
    goTo(100)
    goTo(250)
    assert.equal(3, game.coinsLeft)
    jump("right", 12) -- on the upper one
    goTo(326)
    jump()
    assert.equal(2, game.coinsLeft)
    local _, bottom = feet()
    assert.equal(7 * TILE, bottom)
    goTo(396)
    jump("right", 70) -- as far as it gets
    _, bottom = feet()
    assert.same({ 13 * TILE, 2 }, { bottom, game.coinsLeft })
  end)

  it("6: has a lift that carries the player to them", function()
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

  it("6: has a lift that takes the player through a coin above it", function()
    love = start(6)
    local x, y = game.lift:getRect()
    game.player:setRect(x + 20, y - H)
    game.world:insertCircle(x + 34, y - 100, 9, { static = true, layer = 2, data = "coin" })
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
  local love, world, keys

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
    love.keyboard.isDown = function(key)
      return keys[key] or false
    end
    local broadside = require("broadside")
    local modules = { broadside = setmetatable({ newWorld = function()
      world = broadside.newWorld()
      return world
    end }, { __index = broadside }) }
    local environment = { love = love, require = function(name)
      return modules[name] or require(name)
    end }
    local code = page.blocks("README.md")[1].code
    compat.loadIn(code, setmetatable(environment, { __index = _G }))()
  end)

  it("has a player that falls, runs, is stopped, and jumps", function()
    local player
    for box in world:boxes() do
      player = player or box
    end
    play(90)
    assert.same({ 100, 420, 40, 60 }, { player:getRect() }) -- on the floor
    play(60, "left")
    assert.equal(80, (player:getRect())) -- at the wall
    play(150, "right")
    assert.same({ 520, 420, 40, 60 }, { player:getRect() }) -- at the block in its way
    play(1, "space", "right")
    play(24, "right")
    play(60)
    assert.same({ 340, 40, 60 }, { select(2, player:getRect()) }, "on that block")
    love.draw()
    assert.equal(world:count(), love.drawn.rectangle)
  end)
end)
