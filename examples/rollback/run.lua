-- The duel without a window: robots play it on two machines with a bad network between them. Both
-- must end in the same state, and so must a game that is played with the same inputs and never goes
-- back. From the project's folder:
--
--   lua5.4 examples/rollback/run.lua [frames] [latency in ms] [loss in %] [back end] [file]
--
-- file: where to write a record of the game.

local here = arg[0]:match("^(.*)[/\\]") or "."
package.path = here .. "/../?.lua;" .. package.path

local duel = require("rollback.simulation")
local match = require("rollback.match")
local recorder = require("rollback.recorder")

local frames, latency = tonumber(arg[1]) or 3600, tonumber(arg[2]) or 200
local loss, backend, path = tonumber(arg[3]) or 10, arg[4], arg[5]
local SEED = 7

local function printf(format, ...)
  print(format:format(...))
end

local function hashOf(game)
  return game.getHash(game:save())
end

-- Plays a match to its end. Returns it, the confirmed inputs, the number of updates, and a function
-- that returns the record.
local function play()
  local played = match.new({ latency = latency / 1000, jitter = 0.02, loss = loss / 100,
    seed = SEED, frames = frames, backend = backend })
  local inputs, updates = {}, 0
  local session = played.machines[1]
  local record = recorder.listen(session, SEED)
  local listen = session.onConfirmed
  session.onConfirmed = function(frame, first, second)
    inputs[frame] = { first, second }
    listen(frame, first, second)
  end
  while not played:isOver() and updates < 100 * frames do
    played:step()
    updates = updates + 1
  end
  return played, inputs, updates, record
end

local function playStraight(inputs)
  local game = duel.newGame(backend, SEED)
  for frame = 0, frames - 1 do
    game:step(inputs[frame][1], inputs[frame][2])
  end
  return game
end

local played, inputs, updates, record = play()
printf("%d frames in %d updates, %d ms one way", frames, updates, latency)
printf("%d of %d packets lost", played.network.lost, played.network.sent)
for player, machine in ipairs(played.machines) do
  printf("machine %d: %d rollbacks, %d frames played again, at most %d at once; waited %d frames",
    player, machine.rollbacks, machine.replayed, machine.deepest, machine.waits)
  printf("machine %d: score %d, hashes equal up to frame %d, %s", player,
    machine.game.players[player].score, machine.agreed,
    machine.desync and "but not at frame " .. machine.desync or "and no others")
end
local first, second = hashOf(played.machines[1].game), hashOf(played.machines[2].game)
local straight = hashOf(playStraight(inputs))
printf("hash of machine 1: %s", first)
printf("hash of machine 2: %s", second)
printf("hash without a rollback: %s", straight)
if path then
  local file = assert(io.open(path, "wb"))
  file:write(record())
  file:close()
end
os.exit(first == second and first == straight and 0 or 1)
