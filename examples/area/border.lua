-- One of two areas that lie side by side: what it exchanges with its neighbour, so that together
-- they are the same world as one area would be.
--
-- Both go in step. In each tick an area moves its actors, sends its neighbour one message, waits
-- for the neighbour's message of the same tick, and then looks. A message has
--   take    actors that have walked over the edge, with all that they are
--   ghost   bodies in the strip along the edge, so that the neighbour's actors see them
--
-- A message has the number of its tick. It is kept until the neighbour has said that it has saved
-- this tick: an area that dies goes on from what it has saved last, plays the ticks after it again,
-- and is sent what it needs for that. What it sends meanwhile has come before, and is passed over:
-- so nobody is lost, and nobody is there twice.

local area = require("area.area")
local protocol = require("area.protocol")
local town = require("area.town")

local border = { PATIENCE = 4 } -- updates without news until a message is sent once more

local Border = {}
Border.__index = Border

-- side: 1 or 2. link: send(packet), receive() -> packet or nil. people: those of all areas.
-- store: what save has returned and the storage kept, or nil.
function border.new(side, link, people, store)
  local self = setmetatable({
    side = side, link = link,
    area = area.new(town.WALLS),
    actors = {}, ghosts = {}, -- by name
    tick = 0, saved = 0, -- the tick that was done, and that from which this area can go on
    outbox = {}, inbox = {}, -- by tick: lists of parts
    kept = 0, -- the neighbour has saved this tick, and needs no message up to it
    idle = 0, -- updates without news
    refused = 0, late = 0, -- packets
  }, Border)
  if store then
    self:load(store)
  else
    for _, actor in ipairs(people) do
      if town.sideOf(actor.x, actor.size) == side then
        self:take(actor)
      end
    end
  end
  return self
end

-- An actor of an area as a record: all that it is.
function border.write(here, what, actor)
  local record = { name = actor.name, size = actor.size }
  record.x, record.y = here:getPlace(actor)
  if what ~= "ghost" then
    record.sight, record.reach, record.data = actor.sight, actor.reach, actor.data
    record.vx, record.vy = here:getVelocity(actor)
    record.known = here:seen(actor)
  end
  return protocol.write(what, record)
end

-- people ------------------------------------------------------------------------------------------

-- Lets an actor live here, who may have been a ghost until now.
function Border:take(actor)
  assert(not self.actors[actor.name], "somebody is here twice")
  local ghost = self.ghosts[actor.name]
  if ghost then
    ghost.data, ghost.known = actor.data, actor.known
    self.area:place(ghost, actor.x, actor.y)
    self.area:open(ghost, actor.sight, actor.reach)
  else
    ghost = self.area:add(actor, actor.x, actor.y)
  end
  self.area:steer(ghost, actor.vx, actor.vy)
  self.actors[actor.name], self.ghosts[actor.name] = ghost, nil
end

function Border:haunt(actor, tick)
  local ghost = self.ghosts[actor.name]
  if ghost then
    self.area:place(ghost, actor.x, actor.y)
  else
    ghost = self.area:add({ name = actor.name, size = actor.size }, actor.x, actor.y)
    self.ghosts[actor.name] = ghost
  end
  ghost.tick = tick
end

local function newTeller(tick)
  return function(phase, actor, name)
    town.tell(phase, actor, name, tick)
  end
end

-- messages ----------------------------------------------------------------------------------------

local function newHead(self, kind, number, part, parts)
  return { kind = kind, number = number, part = part, parts = parts, has = self.tick,
    saved = self.saved }
end

function Border:send(number)
  local parts = self.outbox[number] or {}
  for part, records in ipairs(parts) do
    self.link:send(protocol.encode(newHead(self, "tick", number, part, #parts), records))
  end
end

-- The records of a tick, when all have moved: who has left is a ghost here from now on.
function Border:compose(tick)
  local records, edge, strip = {}, town.EDGE, town.STRIP
  for _, actor in ipairs(self.area:inside(edge - strip, -1e9, 2 * strip, 2e9)) do
    if actor.near and town.sideOf(self.area:getPlace(actor), actor.size) ~= self.side then
      table.insert(records, border.write(self.area, "take", actor))
      self.area:blind(actor)
      actor.data, actor.tick = nil, tick
      self.actors[actor.name], self.ghosts[actor.name] = nil, actor
    elseif actor.near then
      table.insert(records, border.write(self.area, "ghost", actor))
    end
  end
  table.sort(records) -- the same again, part by part, when the tick is played again
  return records
end

-- The actors and ghosts of records, or nil if any of these is wrong.
local function readAll(records)
  local list = {}
  for i, record in ipairs(records) do
    local what, actor = protocol.read(record)
    if what ~= "take" and what ~= "ghost" then
      return nil
    end
    list[i] = actor
  end
  return list
end

-- What a message says: a list of parts.
function Border:apply(message, tick)
  for _, part in ipairs(message) do
    for _, actor in ipairs(part) do
      if actor.sight then
        self:take(actor)
      else
        self:haunt(actor, tick)
      end
    end
  end
  local gone = {}
  for name, ghost in pairs(self.ghosts) do
    table.insert(gone, ghost.tick ~= tick and name or nil)
  end
  table.sort(gone) -- in the same order in every run
  for _, name in ipairs(gone) do
    self.area:remove(self.ghosts[name])
    self.ghosts[name] = nil
  end
end

-- What comes too late comes from a neighbour that is behind: it is sent what it waits for.
local function receive(self, packet)
  local head, records = protocol.decode(packet)
  local number, part = head and head.number, head and readAll(records)
  if not part or head.kind ~= "tick" or number > self.tick + 2 then
    self.refused = self.refused + 1
    return
  end
  for tick = self.kept + 1, math.min(head.saved, self.tick) do
    self.outbox[tick], self.kept = nil, tick
  end
  if number > self.tick then
    local message = self.inbox[number] or { count = 0 }
    message.count = message.count + (message[head.part] and 0 or 1)
    message[head.part], message.isThere = part, message.count == head.parts
    self.inbox[number] = message
  else
    self.late = self.late + 1
    if head.has < number then
      self:send(number)
    end
  end
end

-- ticks -------------------------------------------------------------------------------------------

function Border:begin(tick)
  for name, actor in pairs(self.actors) do
    local vx, vy = town.steer(name, tick)
    if vx then
      self.area:steer(actor, vx, vy)
    end
  end
  self.area:move()
  self.outbox[tick] = protocol.pack(self:compose(tick))
  self:send(tick)
end

function Border:finish(tick)
  self:apply(self.inbox[tick], tick)
  self.area:look(newTeller(tick))
  self.inbox[tick], self.tick, self.idle = nil, tick, 0
end

function Border:receiveAll()
  local packet = self.link:receive()
  while packet do
    receive(self, packet)
    packet = self.link:receive()
  end
end

-- Reads what has come, and goes on if that suffices. Returns whether a tick was done. It is to be
-- called when a packet comes, and now and then. limit: the last tick that is wanted.
function Border:update(limit)
  self:receiveAll()
  local tick = math.min(self.tick + 1, limit or math.huge)
  if tick > self.tick then
    if not self.outbox[tick] then
      self:begin(tick)
    end
    if self.inbox[tick] and self.inbox[tick].isThere then
      self:finish(tick)
      return true
    end
  end
  self.idle = self.idle + 1
  if self.idle % border.PATIENCE == 0 then
    self:send(tick)
  end
  return false
end

-- storage -----------------------------------------------------------------------------------------

-- Everyone here, as records.
function Border:records()
  local records = {}
  for _, actor in pairs(self.actors) do
    table.insert(records, border.write(self.area, "actor", actor))
  end
  for _, ghost in pairs(self.ghosts) do
    table.insert(records, border.write(self.area, "ghost", ghost))
  end
  table.sort(records) -- in the same order in every run
  return records
end

-- The area after a tick, for a file: to be called when update has done one. When the file is there,
-- call `hasSaved`: only then may the neighbour forget.
function Border:save()
  assert(not self.outbox[self.tick + 1], "in the midst of a tick")
  local records = self:records()
  table.insert(records, ("kept %d"):format(self.kept))
  for tick = self.kept + 1, self.tick do
    for part, lines in ipairs(self.outbox[tick]) do
      table.insert(records, ("out %d %d"):format(tick, part))
      for _, line in ipairs(lines) do
        table.insert(records, "> " .. line)
      end
    end
  end
  return protocol.encode(newHead(self, "saved", self.tick, 1, 1), records)
end

function Border:hasSaved()
  self.saved = self.tick
end

function Border:load(text)
  local head, records = protocol.decode(text)
  if not head then
    error("the snapshot is refused: " .. records)
  end
  self.tick, self.saved = head.number, head.number
  local part
  for _, record in ipairs(records) do
    local what, actor = protocol.read(record)
    local tick, number = record:match("^out (%d+) (%d+)$")
    if what == "actor" then
      self:take(actor)
    elseif what == "ghost" then
      self:haunt(actor, self.tick)
    elseif tick then
      part = {}
      self.outbox[tonumber(tick)] = self.outbox[tonumber(tick)] or {}
      self.outbox[tonumber(tick)][tonumber(number)] = part
    elseif record:find("^> ") then
      table.insert(part, record:sub(3))
    else
      self.kept = tonumber(record:match("^kept (%d+)$"))
    end
  end
  self.area:look(newTeller(self.tick)) -- tells nothing: everyone is known
end

return border
