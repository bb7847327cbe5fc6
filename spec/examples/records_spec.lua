-- Replays records of the examples, which have been played once. Their hashes are those of every
-- Lua and back end. Where a change of the rules, or of the library, is meant to change a game, make
-- them anew, from the project's folder:
--
--     lua5.4 examples/platformer/run.lua auto spec/examples/records/platformer.txt
--     lua5.4 examples/rollback/run.lua 1800 120 10 auto spec/examples/records/duel.txt
--     lua5.4 examples/billiards/run.lua auto 1 spec/examples/records/billiards.txt

local play = require("broadside.play")

package.path = "examples/?.lua;" .. package.path

local function read(name)
  local file = assert(io.open("spec/examples/records/" .. name .. ".txt", "rb"))
  local text = file:read("*a")
  file:close()
  return text
end

describe("The record of", function()
  for _, backend in ipairs({ "auto", "brute", "sweep", "grid", "tree" }) do
    it("the platformer ends at the flag: " .. backend, function()
      local game = require("platformer.simulation").newGame(backend)
      local p = play.replay(game, read("platformer"))
      assert.is_true(game.isWon)
      assert.equal(0, game.deaths)
      assert.equal(read("platformer"), p:record())
    end)
  end

  it("the platformer is the same if the robot goes back in every step", function()
    local platformer = require("platformer.simulation")
    local game, pilot = platformer.newGame(), require("platformer.robot").new()
    local p = play.new(game, { dt = platformer.STEP, inputs = platformer.INPUTS, history = 1,
      before = function(p)
        local direction, jump = pilot(game)
        p:set("direction", direction)
        p:set("jump", jump)
      end })
    repeat
      p:run(1)
      p:rewind(1)
      p:run(1)
    until game.isWon
    assert.equal(read("platformer"), p:record())
  end)

  it("a break of billiards leaves the balls where they were", function()
    for _, backend in ipairs({ "auto", "brute", "grid" }) do
      local game = require("billiards.simulation").newGame(backend)
      local p = play.replay(game, read("billiards"))
      assert.is_false(game.isMoving)
      assert.equal(read("billiards"), p:record())
    end
  end)

  it("the duel ends with its score, and tells a change of the rules", function()
    local recorder, duel = require("rollback.recorder"), require("rollback.simulation")
    local game = recorder.newGame("tree")
    play.replay(game, read("duel"))
    local players = game.duel.players
    assert.same({ 4, 3 }, { players[1].score, players[2].score })
    local newGame = duel.newGame
    duel.newGame = function(...)
      local own = newGame(...)
      local fire, calls = own.fire, 0
      function own.fire(...)
        calls = calls + 1
        if calls < 1000 then fire(...) end
      end
      return own
    end
    local done, message = pcall(play.replay, recorder.newGame(), read("duel"))
    duel.newGame = newGame
    assert.is_false(done)
    -- Nobody fires from step 500 on; hashes are stored every 60 steps.
    local step, inputs = message:match("the hash after step (%d+) is not that of the record; "
      .. "inputs: seed 7, (.-)\n#+\n")
    assert.is_true(tonumber(step) >= 500 and tonumber(step) % 60 == 0, message)
    assert.truthy(inputs)
  end)
end)
