-- Packets between two processes of this computer, by LuaSocket, which LÖVE includes: UDP on the
-- loopback address, so nothing comes from outside and nothing leaves the computer.

local udp = { ADDRESS = "127.0.0.1", PORT = 47700 }

local Link = {}
Link.__index = Link

-- Makes a link for player 1 or 2, who has port or port + 1. Returns nil and what is wrong if it
-- cannot.
function udp.newLink(player, port)
  local isThere, socket = pcall(require, "socket")
  if not isThere then
    return nil, "LuaSocket is missing (Debian and Ubuntu: lua-socket)"
  end
  local own, problem = socket.udp()
  if not own then
    return nil, problem
  end
  port = port or udp.PORT
  own:settimeout(0)
  local isBound
  isBound, problem = own:setsockname(udp.ADDRESS, port + player - 1)
  if not isBound then
    own:close()
    return nil, problem
  end
  own:setpeername(udp.ADDRESS, port + 2 - player) -- packets from elsewhere are not received
  return setmetatable({ socket = own, sleep = socket.sleep, time = socket.gettime,
    heard = socket.gettime() }, Link)
end

-- Packets that are sent before the other process is there are lost.
function Link:send(packet)
  self.socket:send(packet)
end

function Link:receive()
  local packet = self.socket:receive()
  if packet then
    self.heard = self.time()
  end
  return packet
end

-- Seconds since the last packet.
function Link:silence()
  return self.time() - self.heard
end

function Link:close()
  self.socket:close()
end

return udp
