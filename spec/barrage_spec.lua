-- The barrage example: the same bullets on every back end, run after run, and its two front ends.

local buffer = require("spec.support.buffer")
local child = require("spec.support.child")

local BACKENDS = { "auto", "brute", "sweep", "grid", "tree" }

describe("the barrage example", function()
  local barrage

  setup(function()
    barrage = dofile("examples/barrage/simulation.lua")
  end)

  -- Places as numbers of tenths: the last bits of sines are the C library's.
  local function hash(game)
    local sum = 0
    for id, x, y in game.bullets:each() do
      local value = math.floor(x * 10 + 0.5) * 7919 + math.floor(y * 10 + 0.5)
        + game.bullets:getTag(id)
      sum = (sum * 31 + value) % 4294967291
    end
    return sum
  end

  local function play(backend, steps)
    local game = barrage.newGame(backend)
    for step = 1, steps do
      game:walk(math.floor(step / 50) % 3 - 1, 0)
      game:step()
    end
    return game
  end

  it("has a state that is known", function()
    local game = play("auto", 600)
    local stats = game.bullets:stats()
    assert.same({ 1203, 3941, 2738, 0, 7, 4 }, { stats.count, stats.spawned, stats.freed,
      stats.dropped, game.hits, game.score })
    assert.equal(3260382729, hash(game))
  end)

  it("plays the same on every back end", function()
    local expected
    for _, backend in ipairs(BACKENDS) do
      local game = play(backend, 300)
      local got = { hash(game), game.hits, game.score, game.bullets:count() }
      expected = expected or got
      assert.same(expected, got)
    end
  end)

  it("plays steps of equal length, whatever the frames are", function()
    local game = barrage.newGame()
    for _ = 1, 40 do
      game:update(1 / 40)
    end
    assert.is_true(math.abs(60 - game.steps) <= 1)
    game:update(1e9)
    assert.is_true(game.steps <= 76)
  end)

  it("runs without a window", function()
    if not child.available then
      pending("no processes here")
      return
    end
    local status, output = child.run([[
      arg = { [0] = "examples/barrage/demo.lua", "10" }
      dofile(arg[0])
    ]])
    assert.equal(0, status, output)
    assert.is_truthy(output:find("600 steps: 1203 bullets now", 1, true), output)
    assert.is_truthy(output:find("the player was hit 7 times, the boss 4 times", 1, true), output)
  end)

  -- LÖVE with just enough of everything.
  local function newLove(drawn, data)
    local object = setmetatable({}, { __index = function()
      return function() end
    end })
    local graphics = setmetatable({}, { __index = function(_, name)
      return function(_, n)
        drawn[name] = (drawn[name] or 0) + (name == "drawInstanced" and n or 1)
        return object
      end
    end })
    return {
      graphics = graphics,
      data = { newByteData = function()
        return data
      end },
      keyboard = { isDown = function()
        return false
      end },
      timer = { getFPS = function()
        return 60
      end },
      event = { quit = function()
        drawn.quit = true
      end },
    }
  end

  it("draws all bullets in LÖVE by one call", function()
    local data = buffer.new(4096 * 4)
    if not data then
      pending("no C compiler here")
      return
    end
    local drawn = {}
    local love = newLove(drawn, data)
    rawset(_G, "love", love)
    package.loaded.simulation = barrage
    local ok, message = pcall(function()
      dofile("examples/barrage/main.lua")
      love.load()
      for _ = 1, 70 do
        love.update(1 / 60)
      end
      love.draw()
      love.keypressed("r")
      love.keypressed("escape")
    end)
    rawset(_G, "love", nil)
    package.loaded.simulation = nil
    buffer.close()
    assert.is_true(ok, message)
    assert.equal(4, drawn.rectangle)
    assert.is_true(drawn.drawInstanced > 150, drawn.drawInstanced)
    assert.is_true(drawn.quit)
  end)
end)
