-- One world as a service, without actors and views: the least that a service of a game's own has.
-- It starts from a seed, and goes to another service as a string.

local broadside = require("broadside")
local skynet = require("skynet")

local COUNT, SIDE, SIZE, SPEED = 2000, 1000, 8, 60

local world = broadside.newWorld({ results = "id" })
local commands = {}

function commands.fill(seed)
  local state = seed
  local function random(most)
    state = state * 16807 % 2147483647
    return state / 2147483647 * most
  end
  for _ = 1, COUNT do
    world:insert(random(SIDE), random(SIDE), SIZE, SIZE, { response = "bounce",
      vx = random(SPEED) - SPEED / 2, vy = random(SPEED) - SPEED / 2 })
  end
end

function commands.step(ticks)
  for _ = 1, ticks do
    world:step(1 / 30)
  end
  return world:countPairs()
end

-- Returns the world as a string, and its hash.
function commands.save()
  local snapshot = world:snapshot()
  return snapshot:getString(), snapshot:getHash()
end

-- Raises an error when the string is damaged; then nothing has changed.
function commands.load(text)
  world:restore(text)
  return world:snapshot():getHash()
end

skynet.start(function()
  skynet.dispatch("lua", function(_, _, command, ...)
    skynet.retpack(commands[command](...))
  end)
end)
