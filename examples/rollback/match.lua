-- The machines that play the duel in this process: two with a network between them, or one whose
-- peer is in another process.

local duel = require("rollback.simulation")
local network = require("rollback.network")
local pilot = require("rollback.pilot")
local rollback = require("rollback.rollback")

local match = {}

local Match = {}
Match.__index = Match

function Match:add(player, link, options)
  local session = rollback.newSession(duel.newGame(options.backend, options.seed), link, player,
    options.delay or 2)
  session.limit = options.frames or math.huge
  self.machines[player] = session
  self.pilots[player] = pilot.new(player, options.seed)
end

local function newMatch()
  return setmetatable({
    time = 0, -- seconds that have not been played yet
    machines = {}, -- sessions, by player
    pilots = {}, -- functions(game) -> input; robots at first
  }, Match)
end

-- options: latency, jitter (seconds), loss (0..1), delay (frames), seed, backend, frames (to play).
function match.new(options)
  local self = newMatch()
  self.network = network.new(options)
  for player = 1, 2 do
    self:add(player, self.network.links[player], options)
  end
  return self
end

-- link: the link to the other player's machine.
function match.join(player, link, options)
  local self = newMatch()
  self:add(player, link, options)
  return self
end

-- Plays one frame on each machine.
function Match:step()
  if self.network then
    self.network:advance(duel.STEP)
  end
  for player = 1, 2 do
    local session = self.machines[player]
    if session then
      session:update(self.pilots[player](session.game))
    end
  end
end

-- Plays as many frames as fit into dt seconds, but not more than a quarter of a second of them.
-- Calls onFrame after each of them.
function Match:update(dt, onFrame)
  self.time = self.time + math.min(dt, 0.25)
  while self.time >= duel.STEP do
    self.time = self.time - duel.STEP
    self:step()
    onFrame()
  end
end

-- Whether all machines have played all frames, and will not play any of them again.
function Match:isOver()
  for _, session in pairs(self.machines) do
    if session.confirmed < session.limit then
      return false
    end
  end
  return true
end

return match
