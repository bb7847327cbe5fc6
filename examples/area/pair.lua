-- Both areas in one process, with a bad network between them: what the view plays when there are no
-- servers, and what can be killed by a key.

local border = require("area.border")
local network = require("rollback.network")
local town = require("area.town")

local pair = { RATE = 20, EVERY = 20, PEOPLE = 160 } -- ticks in a second, and between snapshots

local Pair = {}
Pair.__index = Pair

function pair.new(seed)
  local self = setmetatable({
    network = network.new({ latency = 0.01, jitter = 0.02, loss = 0.05, seed = seed }),
    time = 0, areas = {}, disks = {}, deaths = 0,
  }, Pair)
  self:start(1)
  self:start(2)
  return self
end

-- Lets an area begin, or go on from what it has saved.
function Pair:start(side)
  self.areas[side] = border.new(side, self.network.links[side], town.people(pair.PEOPLE),
    self.disks[side])
end

function Pair:kill(side)
  self.areas[side], self.deaths = nil, self.deaths + 1
end

function Pair:update(dt)
  self.time = self.time + dt
  self.network:advance(dt)
  for side = 1, 2 do
    local own = self.areas[side]
    if own and own:update(math.floor(self.time * pair.RATE)) and own.tick % pair.EVERY == 0 then
      self.disks[side] = own:save()
      own:hasSaved()
    end
  end
end

return pair
