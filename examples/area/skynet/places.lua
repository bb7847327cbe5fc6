-- Where the services of this example are: in this process, where they have local names, or in a
-- process of their own, a node, to which skynet's cluster sends. Whoever sends need not know.

local cluster = require("skynet.cluster")
local skynet = require("skynet.manager")

local places = {}

local SIDES = { area1 = 1, area2 = 2, keeper = 1 } -- the keeper is where area 1 is
local here = skynet.getenv("areas") -- "1 2", "1" or "2"

local function isHere(side)
  return here:find(side, 1, true) ~= nil
end

-- Opens this node to the other one, if there is one. On the loopback address: cluster asks nobody
-- who they are.
function places.open()
  local port = tonumber(skynet.getenv("port"))
  if not (isHere(1) and isHere(2)) then
    cluster.reload({ node1 = "127.0.0.1:" .. port, node2 = "127.0.0.1:" .. port + 1 })
    cluster.open(isHere(1) and "node1" or "node2")
  end
end

-- Gives a service of this process its name; the one that had it before is gone.
function places.name(name, service)
  skynet.name("." .. name, service)
  cluster.unregister(name)
  cluster.register(name, service)
end

-- A message may be lost: when nobody has this name yet, or when the connection breaks.
function places.send(name, ...)
  if isHere(SIDES[name]) then
    skynet.send("." .. name, "lua", ...)
  else
    cluster.send("node" .. SIDES[name], "@" .. name, ...)
  end
end

-- Raises an error when it cannot be done. Other messages are handled while this one waits.
function places.call(name, ...)
  if isHere(SIDES[name]) then
    return skynet.call("." .. name, "lua", ...)
  end
  return cluster.call("node" .. SIDES[name], "@" .. name, ...)
end

return places
