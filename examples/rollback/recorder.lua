-- Records of duels, by broadside.play. Each player's buttons are an input, and so is the seed, by
-- which crates fall.

local play = require("broadside.play")
local duel = require("rollback.simulation")

local recorder = {}

local OPTIONS = { dt = duel.STEP, inputs = { "seed", "first", "second" } }

-- A duel that broadside.play plays.
function recorder.newGame(backend)
  local game = {}
  function game.step(self, _, input)
    self.duel = self.duel or duel.newGame(backend, input.seed)
    self.world = self.duel.world -- to see where things are if a replay fails
    self.duel:step(input.first or 0, input.second or 0)
  end
  function game.hash(self)
    self.slot = self.duel and self.duel:save(self.slot)
    return self.slot and self.duel.getHash(self.slot) or "not begun"
  end
  return game
end

-- Listens to the confirmed inputs of a machine. Returns a function that returns the record.
function recorder.listen(session, seed)
  local p = play.new({ step = function() end }, OPTIONS) -- inputs alone
  p:set("seed", seed)
  session.onConfirmed = function(_, first, second)
    p:set("first", first)
    p:set("second", second)
    p:run(1)
  end
  return function()
    return play.replay(recorder.newGame(), p:record()):record() -- with hashes
  end
end

return recorder
