-- Free ports on the loopback address, as specs run side by side.

local ports = {}

-- Returns the first of two free neighbours; the system chooses it at random.
function ports.pair()
  local socket = require("socket")
  while true do
    local first, second = assert(socket.udp()), assert(socket.udp())
    assert(first:setsockname("127.0.0.1", 0))
    local _, port = first:getsockname()
    port = tonumber(port)
    local isFree = second:setsockname("127.0.0.1", port + 1)
    first:close()
    second:close()
    if isFree then
      return port
    end
  end
end

return ports
