-- speed.lua: milliseconds for a step of the swarm: of 10,000 boxes, the best of five times forty.

package.path = "examples/?.lua;" .. package.path

local now = web and web.now or os.clock
local game = require("swarm.simulation").newGame(7)
local best = math.huge
for _ = 1, 5 do
  local start = now()
  for _ = 1, 40 do
    game:step()
  end
  best = math.min(best, (now() - start) / 40)
end
print(("%.2f ms"):format(1000 * best))
