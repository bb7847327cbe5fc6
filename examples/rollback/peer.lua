-- One of two machines that play the duel, each in its own process, over the loopback address. A
-- robot plays. From the project's folder, in two terminals:
--
--   lua5.4 examples/rollback/peer.lua 1 [frames] [port] [--fast]
--   lua5.4 examples/rollback/peer.lua 2 [frames] [port] [--fast]
--
-- Both print the same hash at the end. --fast plays as fast as both can, instead of 60 frames a
-- second.

local here = arg[0]:match("^(.*)[/\\]") or "."
package.path = here .. "/../?.lua;" .. package.path

local duel = require("rollback.simulation")
local pilot = require("rollback.pilot")
local rollback = require("rollback.rollback")
local udp = require("rollback.udp")

local PATIENCE = 20 -- seconds without a packet until it gives up
local LINGER = 0.5 -- seconds for which the last packets are sent again, in case they are lost

local player, frames, port = tonumber(arg[1]), tonumber(arg[2]) or 3600, tonumber(arg[3])
if player ~= 1 and player ~= 2 then
  io.stderr:write("usage: peer.lua 1|2 [frames] [port] [--fast]\n")
  os.exit(2)
end

local link, problem = udp.newLink(player, port)
if not link then
  io.stderr:write(problem, "\n")
  os.exit(1)
end

local session = rollback.newSession(duel.newGame(nil, 7), link, player, 2)
local robot = pilot.new(player, 7)
local pause = arg[#arg] == "--fast" and 0.001 or duel.STEP
session.limit = frames

local function isDone()
  return session.confirmed >= frames and session.acked >= frames - 1
end

local due, stop = link.time(), math.huge
while link.time() < stop do
  if link:silence() > PATIENCE then
    io.stderr:write("nothing is heard of the other machine\n")
    os.exit(1)
  end
  session:update(robot(session.game))
  if isDone() then
    stop = math.min(stop, link.time() + LINGER)
  end
  due = math.max(due + pause, link.time() - 0.25)
  link.sleep(math.max(0, due - link.time()))
end
link:close()

print(("%d frames, %d rollbacks, %d frames played again, at most %d at once"):format(frames,
  session.rollbacks, session.replayed, session.deepest))
print(("hashes equal up to frame %d%s"):format(session.agreed,
  session.desync and ", but not at frame " .. session.desync or ""))
print("hash " .. session.game.getHash(session.game:save()))
