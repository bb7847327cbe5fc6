-- One area as a service. All its ticks are in one coroutine, which sleeps until a packet comes. So
-- an area never changes while it waits for the keeper, though packets come meanwhile.

local border = require("area.border")
local places = require("area.skynet.places")
local protocol = require("area.protocol")
local skynet = require("skynet")
local town = require("area.town")

protocol.MOST = 30000 -- bytes: cluster sends up to 32 KB in one piece

local WAIT = 5 -- hundredths of a second without a packet until the next update
local LATE = 25 -- that an area makes up for
local EVERY = 20 -- ticks from snapshot to snapshot

local own, due -- the area, and when its next tick is
local options
local packets, first, last = {}, 1, 0
local link, bell = {}, {} -- the bell wakes who sleeps
local isLeaving, text = false, nil -- what another service is to go on from

function link.send(_, packet)
  places.send("area" .. 3 - options.side, "packet", packet)
end

function link.receive()
  local packet = packets[first]
  if packet then
    packets[first], first = nil, first + 1
  end
  return packet
end

-- Whether what is here is kept now. If not, the neighbour goes on keeping what it has sent.
local function keep()
  if not pcall(places.call, "keeper", "keep", options.side, own:save()) then
    return false
  end
  own:hasSaved()
  return true
end

local function isToBeKept()
  return own.saved < own.tick and (own.tick % EVERY == 0 or own.tick == options.ticks)
end

-- Goes on if it can. Returns whether no tick has been begun.
local function goOn(now)
  if now < due then
    own:receiveAll() -- a neighbour that is behind is answered
    return true
  elseif own:update(options.ticks) then
    due = options.rate > 0 and math.max(due + 100 / options.rate, now - LATE) or now
    return true
  end
  return own.tick == options.ticks
end

local function play()
  due = skynet.now()
  while true do
    local now = skynet.now()
    local isBetween = goOn(now)
    if isBetween and isLeaving then
      text = own:save()
      return
    end
    local isKept = isBetween and isToBeKept() and keep()
    if not isKept and (now < due or own.idle > 0) then
      skynet.sleep(WAIT, bell)
    end
  end
end

local commands = {}

-- side; ticks, the last one; people; rate, of ticks in a second, 0: as fast as it can; store: what
-- this area has saved, or nil.
function commands.start(given)
  options = given
  own = border.new(options.side, link, town.people(options.people), options.store)
  skynet.fork(play)
  return own.tick
end

function commands.packet(packet)
  last = last + 1
  packets[last] = packet
  skynet.wakeup(bell)
end

-- Waits until a tick has been done; if it is the last one, until it has been saved, too. Returns
-- everyone who is here.
function commands.await(tick)
  while own.tick < tick or tick == options.ticks and own.saved < tick do
    skynet.sleep(1)
  end
  return own:records()
end

-- Ends between two ticks, and returns what another service goes on from.
function commands.leave()
  isLeaving = true
  while not text do
    skynet.sleep(1)
  end
  return text
end

skynet.start(function()
  skynet.dispatch("lua", function(session, _, command, ...)
    if session == 0 then
      commands[command](...) -- was sent, not called
    else
      skynet.retpack(commands[command](...))
    end
  end)
end)
