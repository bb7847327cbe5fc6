-- Rollback netcode for two players. Copy it: it needs these four functions of the game, and two of
-- the network. doc/rollback.md says how to use it.
--
--     game:step(input1, input2)     the same inputs from the same state lead to the same state
--     game:save(slot) -> slot       the state; slot is nil, or an old one to be overwritten
--     game:load(slot)
--     game.getHash(slot) -> string  without blanks; differs if the states differ
--     link:send(packet)             a string; it may be lost, late, doubled, out of order
--     link:receive() -> packet      or nil if there are no more for now
--
-- A player's own input takes effect `delay` frames later. The other player's input is predicted to
-- stay the same. When it arrives and differs, the game goes back to the first frame that was played
-- wrongly, and plays the frames since then again, all within the present frame. So nobody waits.
-- Every packet has all inputs that the other machine has not confirmed, so lost ones are sent again
-- automatically. An input is an integer from 0 to 63.

local rollback = {
  WINDOW = 30, -- how many frames are played beyond the last known input of the other player
  MOST_DELAY = 8,
  CHECK = 30, -- every 30th frame both machines compare hashes
}
local WINDOW, CHECK = rollback.WINDOW, rollback.CHECK
local SLOTS = WINDOW + 1
local RING = 128 -- how many inputs are kept; 2 * (WINDOW + MOST_DELAY + 1) are needed
local PATTERN = "^(%d+) (%-?%d+) (%-?%d+) (%-?%d+) (%S+) (%d+) ([0-o]*)$"

local Session = {}
Session.__index = Session

-- Raises an error at the line that has called a function of this file.
local function demand(isRight, expected, value)
  if not isRight then
    error(("%s expected, got %s"):format(expected, tostring(value)), 3)
  end
end

local function isWhole(value, most)
  return type(value) == "number" and value >= 0 and value <= most and value % 1 == 0
end

-- player: 1 or 2, the player on this machine. `delay` may be changed at any time: 0 to MOST_DELAY.
function rollback.newSession(game, link, player, delay)
  demand(game and game.step and game.save and game.load and game.getHash,
    "a game with step, save, load and getHash", game)
  demand(link and link.send and link.receive, "a link with send and receive", link)
  demand(player == 1 or player == 2, "player 1 or 2", player)
  demand(isWhole(delay, rollback.MOST_DELAY), "a delay from 0 to MOST_DELAY", delay)
  return setmetatable({
    game = game, link = link, player = player, delay = delay,
    limit = math.huge, -- the frame to stop at
    frame = 0, -- the next one to play
    confirmed = 0, -- the first frame that may still change, or has not been played
    own = {}, other = {}, -- the input of frame f is at f % RING
    ownKnown = -1, otherKnown = -1, -- the last frames whose inputs are known
    acked = -1, -- the last frame whose input of ours the other machine is known to have
    guesses = {}, -- the other player's input with which a frame was last played
    wrong = nil, -- the first frame that was played with a wrong input
    slots = {}, -- the state before frame f is at f % SLOTS
    hashes = {}, checkFrame = -1, checkHash = "none",
    agreed = 0, -- the last frame for which both machines have the same hash
    desync = nil, -- the first frame for which the hashes differ
    lead = 0, theirLead = 0, patience = 0,
    depth = 0, -- how many frames this update has played again
    deepest = 0, rollbacks = 0, replayed = 0, waits = 0, -- figures for display
    onConfirmed = function() end, -- set it to a function(frame, input1, input2), for a replay
  }, Session)
end

-- Call this once in each frame, with the input of the player on this machine.
function Session:update(input)
  demand(isWhole(input, 63), "an input from 0 to 63", input)
  for packet in self.link.receive, self.link do
    self:receive(packet)
  end
  self:correct()
  self:confirm()
  if self:isReady() then
    -- Runs no times if the delay has become shorter.
    while self.ownKnown < self.frame + self.delay do
      self.ownKnown = self.ownKnown + 1
      self.own[self.ownKnown % RING] = input
    end
    self:play(self.frame)
    self.frame = self.frame + 1
  else
    self.waits = self.waits + 1
  end
  self:send()
end

-- Whether to play on. The game must not get too far beyond the known inputs. A machine that is more
-- than a frame ahead of the other waits for it now and then. Each lead includes the time of the
-- packets, which is about the same in both directions.
function Session:isReady()
  self.patience = self.patience - 1
  if self.lead - self.theirLead > 3 and self.patience < 0 then
    self.patience = 12
    return false
  end
  return self.frame - self.otherKnown <= WINDOW and self.frame < self.limit
end

function Session:inputs(frame)
  local own = self.own[frame % RING]
  local other = self.other[math.min(frame, self.otherKnown) % RING] or 0
  self.guesses[frame % RING] = other
  if self.player == 1 then
    return own, other
  end
  return other, own
end

function Session:play(frame)
  self.slots[frame % SLOTS] = self.game:save(self.slots[frame % SLOTS])
  self.game:step(self:inputs(frame))
end

-- Does the rollback.
function Session:correct()
  self.depth = self.wrong and self.frame - self.wrong or 0
  if self.wrong then
    self.game:load(self.slots[self.wrong % SLOTS])
    for frame = self.wrong, self.frame - 1 do
      self:play(frame)
    end
    self.wrong = nil
    self.rollbacks, self.replayed = self.rollbacks + 1, self.replayed + self.depth
    self.deepest = math.max(self.deepest, self.depth)
  end
end

-- Confirms frames that have been played with the true inputs. They will not be played again.
function Session:confirm()
  for frame = self.confirmed, math.min(self.otherKnown, self.frame - 1) do
    if frame % CHECK == 0 then
      local hash = self.game.getHash(self.slots[frame % SLOTS])
      demand(type(hash) == "string" and hash:find("^%S+$"), "a hash without blanks", hash)
      self.checkFrame, self.checkHash = frame, hash
      self.hashes[frame], self.hashes[frame - 8 * CHECK] = self.checkHash, nil
    end
    self.onConfirmed(frame, self:inputs(frame))
    self.confirmed = frame + 1
  end
end

-- The newest state that will not change: a slot of game:save(), or nil if it is the present state.
function Session:getConfirmed()
  return self.confirmed < self.frame and self.slots[self.confirmed % SLOTS] or nil
end

function Session:compare(frame, hash)
  if self.hashes[frame] == hash then
    self.agreed = math.max(self.agreed, frame)
  elseif self.hashes[frame] then
    self.desync = self.desync or frame
  end
end

-- packets -----------------------------------------------------------------------------------------

function Session:send()
  local inputs = {}
  for frame = self.acked + 1, self.ownKnown do
    table.insert(inputs, string.char(48 + self.own[frame % RING]))
  end
  self.link:send(("%d %d %d %d %s %d %s"):format(self.frame, self.lead, self.otherKnown,
    self.checkFrame, self.checkHash, self.acked + 1, table.concat(inputs)))
end

-- A packet may come from anybody, so one that makes no sense is ignored.
function Session:receive(packet)
  local frame, lead, ack, check, hash, first, inputs = packet:match(PATTERN)
  frame, lead, ack, first = tonumber(frame), tonumber(lead), tonumber(ack), tonumber(first)
  local last = first and first + #inputs - 1
  if not first or first > self.otherKnown + 1 or last >= self.frame + RING / 2
    or ack > self.ownKnown or frame > 2 ^ 31 then
    return
  end
  self.acked = math.max(self.acked, ack)
  self.lead, self.theirLead = self.frame - frame, lead
  self:compare(tonumber(check), hash)
  for known = self.otherKnown + 1, last do
    local input = inputs:byte(known - first + 1) - 48
    self.other[known % RING], self.otherKnown = input, known
    if known < self.frame and self.guesses[known % RING] ~= input then
      self.wrong = math.min(self.wrong or known, known)
    end
  end
end

return rollback
