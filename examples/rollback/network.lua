-- A network between two machines that are in one process. Packets may be late, out of order, or
-- lost. With the same seed every run is the same.

local network = {}

local Network = {}
Network.__index = Network

local Link = {}
Link.__index = Link

function Network:random()
  self.chance = self.chance * 16807 % 2147483647
  return self.chance / 2147483647
end

-- latency: seconds from one machine to the other. jitter: seconds that may be added. loss: 0..1.
-- All three may be changed at any time.
function network.new(options)
  local self = setmetatable({
    latency = options.latency or 0, jitter = options.jitter or 0, loss = options.loss or 0,
    chance = (options.seed or 1) % 2147483646 + 1,
    now = 0,
    flying = {}, -- packets: {text =, to = 1 or 2, sent =, due =, isLost =}
    sent = 0, lost = 0,
  }, Network)
  self.links = {}
  for player = 1, 2 do
    self.links[player] = setmetatable({ network = self, player = player }, Link)
  end
  return self
end

-- Lets time pass. Lost packets stay in the list until they would have arrived, for the picture.
function Network:advance(dt)
  self.now = self.now + dt
  for i = #self.flying, 1, -1 do
    if self.flying[i].isLost and self.flying[i].due <= self.now then
      table.remove(self.flying, i)
    end
  end
end

function Link:send(text)
  local net = self.network
  local isLost = net:random() < net.loss
  net.sent, net.lost = net.sent + 1, net.lost + (isLost and 1 or 0)
  table.insert(net.flying, { text = text, to = 3 - self.player, sent = net.now, isLost = isLost,
    due = net.now + net.latency + net.jitter * net:random() })
end

-- Returns a packet that has arrived, or nil.
function Link:receive()
  local net = self.network
  for i, packet in ipairs(net.flying) do
    if packet.to == self.player and packet.due <= net.now and not packet.isLost then
      table.remove(net.flying, i)
      return packet.text
    end
  end
end

-- Changes the last input in every packet on its way to a player's machine, which no real network
-- does. From then on the machines play two different games.
function Network:forge(player)
  for _, packet in ipairs(self.flying) do
    if packet.to == player then
      packet.text = packet.text:gsub("[0-o]$", function(input)
        return string.char(48 + (input:byte() - 48 + 4) % 64)
      end)
    end
  end
end

return network
