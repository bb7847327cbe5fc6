-- Looks at both areas from outside: asks their processes for a picture, over UDP on the loopback
-- address.

local protocol = require("area.protocol")
local udp = require("rollback.udp")

local eyes = { PORT = 47710 } -- the first of four: see server.lua

local Eyes = {}
Eyes.__index = Eyes

-- port: the first one of the areas. Returns eyes, or nil and what is wrong.
function eyes.new(port)
  local isThere, socket = pcall(require, "socket")
  if not isThere then
    return nil, "LuaSocket is missing (Debian and Ubuntu: lua-socket)"
  end
  local self = setmetatable({ sockets = {}, parts = {}, pictures = {}, heard = {},
    time = socket.gettime, sleep = socket.sleep }, Eyes)
  for side = 1, 2 do
    self.sockets[side] = assert(socket.udp())
    self.sockets[side]:settimeout(0)
    self.sockets[side]:setpeername(udp.ADDRESS, (port or eyes.PORT) + 1 + side)
  end
  return self
end

local function read(self, side, packet)
  local head, records = protocol.decode(packet)
  if not head or head.kind ~= "picture" then
    return
  end
  local parts = self.parts[side]
  if not parts or parts.number ~= head.number then
    parts = { number = head.number, records = {}, count = 0 }
    self.parts[side] = parts
  end
  if not parts[head.part] then
    parts[head.part], parts.count = true, parts.count + 1
    for _, record in ipairs(records) do
      table.insert(parts.records, record)
    end
  end
  if parts.count == head.parts then
    self.pictures[side], self.heard[side] = eyes.picture(parts.number, parts.records), self.time()
  end
end

-- {tick =, actors =, ghosts =}: the two latter by name.
function eyes.picture(tick, records)
  local picture = { tick = tick, actors = {}, ghosts = {} }
  for _, record in ipairs(records) do
    local what, actor = protocol.read(record)
    if what then
      picture[what .. "s"][actor.name] = actor
    end
  end
  return picture
end

-- Reads what has come, and asks again. What is there is in pictures, by side.
function Eyes:update()
  for side = 1, 2 do
    local packet = self.sockets[side]:receive()
    while packet do
      read(self, side, packet)
      packet = self.sockets[side]:receive()
    end
    self.sockets[side]:send(protocol.encode({ kind = "ask", part = 1, parts = 1 }, {}))
  end
end

function Eyes:close()
  for side = 1, 2 do
    self.sockets[side]:close()
  end
end

return eyes
