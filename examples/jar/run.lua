-- The jar without a window: the robot plays until it is full. Prints how many balls of each size
-- are in it, and a hash of where they lie. From the project's folder:
--
--   lua5.4 examples/jar/run.lua [back end [seed]]

local here = arg[0]:match("^(.*)[/\\]") or "."
package.path = here .. "/../?.lua;" .. package.path

local jar = require("jar.simulation")
local robot = require("jar.robot")

local game = jar.newGame(tonumber(arg[2]), arg[1])
local steps = 0
while not game.isOver do
  game:step(jar.STEP, { drop = game.wait == 0, x = robot.aim(game) })
  steps = steps + 1
end

local counts = {}
for _, ball in ipairs(game.balls) do
  counts[ball.size] = (counts[ball.size] or 0) + 1
end
for size, r in ipairs(jar.RADII) do
  print(("%3d px %3d %s"):format(r, counts[size] or 0, ("*"):rep(counts[size] or 0)))
end
print(("%d points: %d balls dropped and %d merged, in %.0f s"):format(game.score, game.drops,
  game.merges, steps * jar.STEP))
print("hash " .. game.world:snapshot():getHash())
