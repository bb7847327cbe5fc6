-- Free ports on the loopback address, as specs run side by side.

local ports = {}

-- Returns the first of `count` free ports in a row; the system chooses it at random.
function ports.row(count)
  local socket = require("socket")
  while true do
    local sockets, port, isFree = {}, 0, true
    for i = 1, count do
      sockets[i] = assert(socket.udp())
      isFree = isFree and sockets[i]:setsockname("127.0.0.1", i == 1 and 0 or port + i - 1)
      if i == 1 then
        port = tonumber((select(2, sockets[1]:getsockname())))
      end
    end
    for _, one in ipairs(sockets) do
      one:close()
    end
    if isFree then
      return port
    end
  end
end

function ports.pair()
  return ports.row(2)
end

return ports
