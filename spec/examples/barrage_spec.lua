-- The barrage example: it must give the same bullets on every back end, in every run, without a
-- window.

local child = require("spec.support.child")

local BACKENDS = { "auto", "brute", "sweep", "grid", "tree" }

describe("the barrage example", function()
  local barrage = dofile("examples/barrage/simulation.lua")

  -- Hashes places in tenths, because the boss's path comes from math.sin, whose last bits differ
  -- between systems.
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
    assert.equal(2537847892, hash(game))
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
end)
