-- Rollback netcode for any number of players, who may come late, and for spectators. Copy it: it
-- needs these functions of the game, and links as in rollback.lua. broadside.save has most of them.
--
--     game:step(inputs)             a list of integers from 0 to 63, one for each place
--     game:save(slot) -> slot       the state; slot is nil, or an old one to be overwritten
--     game:load(slot or string)
--     game:getString() -> string    the state, for a machine that comes late
--     game:getHash() -> string      without blanks; differs if the states differ
--
-- One machine is the host. It has a link to each other machine, hears their inputs, and decides on
-- the inputs of each frame: its row, a character for each place. All machines play ahead with rows
-- that they predict, and go back when the true row is another one. A machine that comes late gets
-- the state as a string, and the rows since then. A place that nobody plays has the input 0.

local party = { WINDOW = 30, DELAY = 2, CHECK = 30, PATIENCE = 120 }

local WINDOW, CHECK = party.WINDOW, party.CHECK -- as in rollback.lua
local PATIENCE = party.PATIENCE -- updates without a packet until a player has left
local SLOTS, KEPT, HASTE = WINDOW + 1, 256, 8 -- states and rows that are kept; frames in an update
local NONE = "0"

-- A timeline: what host and guests share ----------------------------------------------------------

local Timeline = {}

local function newTimeline(kind, game, places, place)
  return setmetatable({
    game = game, places = places, place = place, -- nil: a spectator
    limit = math.huge, -- the frame to stop at
    frame = 0, -- the next one to play
    confirmed = 0, -- the first frame whose true row is not known
    rows = {}, played = {}, -- the true rows, and those with which frames were played
    own = {}, ownKnown = -1, -- inputs of this machine, and the last frame that has one
    slots = {}, hashes = {}, -- the states before frames, and their hashes
    wrong = nil, desync = nil, -- the first frame that was played wrongly; whose hash differs
    rollbacks = 0,
  }, kind)
end

local function replace(row, place, char)
  return row:sub(1, place - 1) .. char .. row:sub(place + 1)
end

-- The row of a frame. Where it is not known, everybody goes on as before.
function Timeline:rowOf(frame)
  if frame < self.confirmed then return self.rows[frame] end
  local row = self.rows[self.confirmed - 1] or NONE:rep(self.places)
  local own = self.own[math.min(frame, self.ownKnown)]
  return own and replace(row, self.place, own) or row
end

function Timeline:play(frame)
  self.slots[frame % SLOTS] = self.game:save(self.slots[frame % SLOTS])
  if frame % CHECK == 0 then
    self.hashes[frame], self.hashes[frame - KEPT + KEPT % CHECK] = self.game:getHash(), nil
  end
  local row, inputs = self:rowOf(frame), {}
  for place = 1, self.places do
    inputs[place] = row:byte(place) - 48
  end
  self.played[frame], self.played[frame - KEPT] = row, nil
  self.game:step(inputs)
end

-- Takes the true row of the next frame.
function Timeline:confirm(row)
  local frame = self.confirmed
  self.rows[frame], self.rows[frame - KEPT] = row, nil
  self.own[frame - KEPT] = nil
  if frame < self.frame and self.played[frame] ~= row then
    self.wrong = math.min(self.wrong or frame, frame)
  end
  self.confirmed = frame + 1
end

-- Goes back, if rows were wrong, and plays on: as many frames as are asked for.
function Timeline:advance(count, input)
  if self.wrong then
    self.game:load(self.slots[self.wrong % SLOTS])
    for frame = self.wrong, self.frame - 1 do self:play(frame) end
    self.wrong, self.rollbacks = nil, self.rollbacks + 1
  end
  while count > 0 and self.frame - self.confirmed < WINDOW and self.frame < self.limit do
    while self.place and self.ownKnown < self.frame + party.DELAY do
      self.ownKnown = self.ownKnown + 1
      self.own[self.ownKnown] = string.char(48 + input)
    end
    self:play(self.frame)
    self.frame, count = self.frame + 1, count - 1
  end
end

-- The last frame whose hash is certain, and the hash.
function Timeline:checked()
  local frame = math.min(self.confirmed, self.frame - 1)
  frame = frame - frame % CHECK
  return frame, not self.wrong and self.hashes[frame] or "none"
end

function Timeline:compare(frame, hash)
  local isCertain = frame <= self.confirmed and frame < self.frame and not self.wrong
  if isCertain and hash ~= "none" and self.hashes[frame] and self.hashes[frame] ~= hash then
    self.desync = self.desync or frame
  end
end

local function join(list, first, last)
  return table.concat(list, "", first, last)
end

-- The host ----------------------------------------------------------------------------------------

local Host = setmetatable({}, { __index = Timeline })
Host.__index = Host

-- The host plays at place 1 of `places`.
function party.newHost(game, places)
  local host = newTimeline(Host, game, places, 1)
  host.guests, host.onConfirmed = {}, function() end -- function(frame, row), for a replay
  return host
end

-- Lets a machine in, at any time. place: 2 and more, or nil for a spectator.
function Host:add(link, place)
  table.insert(self.guests, { link = link, place = place, inputs = {}, ack = -1, silent = 0,
    since = nil, known = -1 }) -- its first and its last frame with an input
end

-- The state before a frame that is certain, as a string. It is made anew when it gets too old.
function Host:stateForGuests()
  if not self.state or self.confirmed - self.stateFrame > KEPT / 4 then
    local now, frame = self.game:save(), math.min(self.confirmed, self.frame)
    if frame < self.frame then self.game:load(self.slots[frame % SLOTS]) end
    self.state, self.stateFrame = self.game:getString(), frame
    self.game:load(now)
  end
  return ("S %d %s"):format(self.stateFrame, self.state)
end

local GUEST = "^G (%-?%d+) (%d+) (%S+) (%d+) ([0-o]*)$"

-- A packet may come from anybody, so one that makes no sense is ignored.
function Host:hear(guest, packet)
  local ack, check, hash, first, inputs = packet:match(GUEST)
  ack, check, first = tonumber(ack), tonumber(check), tonumber(first)
  if not ack or ack >= self.confirmed or first > self.frame + KEPT then return end
  guest.ack, guest.silent = math.max(guest.ack, ack), 0
  self:compare(check, hash)
  local last = first + #inputs - 1
  if not guest.place or #inputs == 0 or #inputs > KEPT then return end
  if not guest.since and ack > self.confirmed - WINDOW then -- it is there: now wait for its inputs
    guest.since = math.max(self.confirmed, first)
    guest.known = guest.since - 1
  end
  if not guest.since or first > guest.known + 1 then return end
  for frame = guest.known + 1, last do
    local at = frame - first + 1
    guest.inputs[frame], guest.inputs[frame - KEPT] = inputs:sub(at, at), nil
    guest.known = frame
  end
end

-- The row of the next frame; nil while an input is missing.
function Host:nextRow()
  local frame = self.confirmed
  if frame > self.ownKnown then return nil end
  local row = replace(NONE:rep(self.places), 1, self.own[frame])
  for _, guest in ipairs(self.guests) do
    if guest.since and frame >= guest.since then
      if frame > guest.known then return nil end
      row = replace(row, guest.place, guest.inputs[frame])
    end
  end
  return row
end

function Host:tell(guest)
  local first = guest.ack + 1
  if guest.ack < 0 or first < self.confirmed - KEPT / 2 then
    guest.link:send(self:stateForGuests())
    first = self.stateFrame
  end
  local check, hash = self:checked()
  guest.link:send(("H %d %d %d %s %d %s"):format(self.frame, guest.since and guest.known or -1,
    check, hash, first, join(self.rows, first, self.confirmed - 1)))
end

-- Call this once in each frame, with the input of the player on this machine.
function Host:update(input)
  for _, guest in ipairs(self.guests) do
    guest.silent = guest.silent + 1
    for packet in guest.link.receive, guest.link do self:hear(guest, packet) end
    if guest.silent > PATIENCE then guest.since, guest.ack = nil, -1 end -- it may come back
  end
  local row = self:nextRow()
  while row do
    self.onConfirmed(self.confirmed, row)
    self:confirm(row)
    row = self:nextRow()
  end
  self:advance(1, input)
  for _, guest in ipairs(self.guests) do
    self:tell(guest)
  end
end

-- Guests ------------------------------------------------------------------------------------------

local Guest = setmetatable({}, { __index = Timeline })
Guest.__index = Guest

-- A machine that is not the host. place: as in Host:add.
function party.newGuest(game, link, places, place)
  local guest = newTimeline(Guest, game, places, place)
  guest.link, guest.isThere, guest.hostFrame, guest.acked = link, false, 0, -1
  return guest
end

-- Begins, or begins anew, with a state of the host.
function Guest:begin(frame, state)
  if self.isThere and frame <= self.confirmed or not pcall(self.game.load, self.game, state) then
    return
  end
  self.isThere, self.frame, self.confirmed, self.wrong = true, frame, frame, nil
  self.ownKnown, self.acked = frame - 1, frame - 1
  self.rows, self.own, self.slots, self.hashes = {}, {}, {}, {}
end

local HOST = "^H (%d+) (%-?%d+) (%d+) (%S+) (%d+) ([0-o]*)$"

function Guest:hear(packet)
  local start, state = packet:match("^S (%d+) (.*)$")
  if start then return self:begin(tonumber(start), state) end
  local frame, known, check, hash, first, rows = packet:match(HOST)
  first = tonumber(first)
  if not (self.isThere and first) or first > self.confirmed or #rows % self.places ~= 0 then
    return
  end
  self.hostFrame = math.max(self.hostFrame, tonumber(frame))
  self.acked = math.max(self.acked, math.min(tonumber(known), self.ownKnown))
  for at = (self.confirmed - first) * self.places + 1, #rows, self.places do
    self:confirm(rows:sub(at, at + self.places - 1))
  end
  self:compare(tonumber(check), hash)
end

-- Call this once in each frame, with the input of the player on this machine; none for a spectator.
function Guest:update(input)
  for packet in self.link.receive, self.link do self:hear(packet) end
  local check, hash = 0, "none"
  local first = math.max(self.acked + 1, self.confirmed - KEPT + 1)
  if self.isThere then
    self:advance(self.frame < self.hostFrame and HASTE or 1, input)
    check, hash = self:checked()
  end
  self.link:send(("G %d %d %s %d %s"):format(self.isThere and self.confirmed - 1 or -1,
    math.max(0, check), hash, first, join(self.own, first, self.ownKnown)))
end

return party
