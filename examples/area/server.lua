-- One area of two as a process. From the project's folder, in two terminals:
--
--   lua5.4 examples/area/server.lua 1
--   lua5.4 examples/area/server.lua 2
--
-- It stops by Ctrl-C or by any accident, and goes on from its last snapshot when it is started
-- again. Options, name=value: folder (of snapshots: .), rate (ticks in a second: 30; 0: as fast as
-- it can), people (160), every (ticks from snapshot to snapshot: 30), ticks (stay there at last),
-- port (47710: this and the next one for the neighbour, the two after them for who looks on).
--
-- The areas talk by UDP on the loopback address.

local here = arg[0]:match("^(.*)[/\\]") or "."
package.path = here .. "/../?.lua;" .. package.path

local border = require("area.border")
local eyes = require("area.eyes")
local protocol = require("area.protocol")
local town = require("area.town")
local udp = require("rollback.udp")

local WAIT = 0.005 -- seconds without a packet until the next update

local options = { folder = ".", rate = 30, people = 160, every = 30, ticks = math.huge,
  port = eyes.PORT }
for _, word in ipairs(arg) do
  local key, value = word:match("^(%w+)=(.*)$")
  if key then
    options[key] = tonumber(value) or value
  end
end

local side = tonumber(arg[1])
if side ~= 1 and side ~= 2 then
  io.stderr:write("usage: server.lua 1|2 [folder=. rate=30 people=160 every=30 port=47710]\n")
  os.exit(2)
end

local link = assert(udp.newLink(side, options.port))
local socket = require("socket")
local window = assert(socket.udp()) -- for who looks on
window:settimeout(0)
assert(window:setsockname(udp.ADDRESS, options.port + 1 + side))

-- snapshots ---------------------------------------------------------------------------------------

local path = ("%s/area%d.txt"):format(options.folder, side)

local function readFile()
  local file = io.open(path, "rb")
  local text = file and file:read("*a")
  return file and file:close() and text or nil
end

-- The new file takes the place of the old one when it is complete.
local function writeFile(text)
  local file = assert(io.open(path .. ".new", "wb"))
  assert(file:write(text))
  assert(file:close())
  assert(os.rename(path .. ".new", path))
end

-- the loop ----------------------------------------------------------------------------------------

local own = border.new(side, link, town.people(options.people), readFile())
print(("area %d goes on after tick %d"):format(side, own.tick))

-- Who asks is sent all that is here.
local function showWindow()
  local packet, address, port = window:receivefrom()
  while packet do
    local head = protocol.decode(packet)
    if head and head.kind == "ask" then
      local parts = protocol.pack(own:records())
      for part, records in ipairs(parts) do
        window:sendto(protocol.encode({ kind = "picture", number = own.tick, part = part,
          parts = #parts }, records), address, port)
      end
    end
    packet, address, port = window:receivefrom()
  end
end

local function tick()
  if not own:update(options.ticks) then
    return false
  end
  if own.tick % options.every == 0 or own.tick == options.ticks then
    writeFile(own:save())
    own:hasSaved()
  end
  return true
end

local due = socket.gettime()
while true do
  local now = socket.gettime()
  if now < due then
    own:receiveAll() -- a neighbour that is behind is answered
  elseif tick() then
    due = options.rate > 0 and math.max(due + 1 / options.rate, now - 0.25) or now
  end
  showWindow()
  local pause = math.min(WAIT, math.max(0, due - socket.gettime()))
  if now < due or own.idle > 0 then
    socket.select({ link.socket, window }, nil, pause > 0 and pause or WAIT)
  end
end
