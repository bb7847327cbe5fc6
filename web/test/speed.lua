-- speed.lua: measures the CPU time in milliseconds for a step of the swarm of 10,000 boxes. It
-- takes the best of forty runs of five steps, because other processes may use the machine. In node,
-- speed.mjs takes the times.

package.path = "examples/?.lua;" .. package.path

local game = require("swarm.simulation").newGame(7)

function play()
  for _ = 1, 5 do
    game:step()
  end
end

if not web then
  local best = math.huge
  for _ = 1, 40 do
    local start = os.clock()
    play()
    best = math.min(best, (os.clock() - start) / 5)
  end
  print(("%.2f ms"):format(1000 * best))
end
