-- Four worlds side by side, each in a service, must be what they are one after the other. Then a
-- world goes to another service: by a message in this process, and through skynet's cluster.

local cluster = require("skynet.cluster")
local skynet = require("skynet")

local TICKS, SERVICES = 200, 4

local function newWorld(seed)
  local service = skynet.newservice("world")
  skynet.call(service, "lua", "fill", seed)
  return service
end

local function sideBySide()
  local services, main, left, hashes = {}, {}, SERVICES, {}
  for i = 1, SERVICES do
    services[i] = newWorld(i)
  end
  for i = 1, SERVICES do
    skynet.fork(function()
      skynet.call(services[i], "lua", "step", TICKS)
      left = left - 1
      skynet.wakeup(main)
    end)
  end
  while left > 0 do
    skynet.wait(main)
  end
  for i = 1, SERVICES do
    hashes[i] = select(2, skynet.call(services[i], "lua", "save"))
  end
  return services, hashes
end

local function oneByOne()
  local hashes = {}
  for i = 1, SERVICES do
    local service = newWorld(i)
    skynet.call(service, "lua", "step", TICKS)
    hashes[i] = select(2, skynet.call(service, "lua", "save"))
  end
  return hashes
end

local function check(isRight, what)
  print(what .. (isRight and ": the same" or ": NOT the same"))
  if not isRight then
    os.exit(1)
  end
end

skynet.start(function()
  local services, hashes = sideBySide()
  check(table.concat(hashes) == table.concat(oneByOne()), SERVICES .. " worlds side by side")

  local text, hash = skynet.call(services[1], "lua", "save")
  check(skynet.call(services[2], "lua", "load", text) == hash, "a world sent by a message")

  cluster.reload({ here = "127.0.0.1:" .. skynet.getenv("port") }) -- this process as its own node
  cluster.register("world3", services[3])
  cluster.open("here")
  check(cluster.call("here", "@world3", "load", text) == hash,
    ("a world of %d bytes sent by cluster"):format(#text))

  local isLoaded = pcall(skynet.call, services[4], "lua", "load", text:sub(1, -2))
  local _, after = skynet.call(services[4], "lua", "save")
  check(not isLoaded and after == hashes[4], "a world that was sent a damaged one")
  os.exit(0)
end)
