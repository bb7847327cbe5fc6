-- The marbles without a window: prints how many come to each bin in 20 seconds. From the project's
-- folder:
--
--   lua5.4 examples/marbles/run.lua [back end [marbles]]

local here = arg[0]:match("^(.*)[/\\]") or "."
package.path = here .. "/../?.lua;" .. package.path

local marbles = require("marbles.simulation")

local STEPS = 20 / marbles.STEP

-- A number below 2^32 that depends on every bit of its input. Two runs that print the same number
-- went the same way.
local function newHash()
  local sum = 5381
  return function(list)
    for _, value in ipairs(list) do
      local text = ("%.17g"):format(value)
      for k = 1, #text do
        sum = (sum * 33 + text:byte(k)) % 4294967296
      end
    end
    return sum
  end
end

local game = marbles.newGame(1, arg[1], tonumber(arg[2]))
local hash, rects, bounces = newHash(), {}, 0
for step = 1, STEPS do
  game:step()
  bounces = bounces + game.bounces
  if step % 20 == 0 then
    hash((game.world:getRects(game.marbles, rects)))
  end
end
local most = math.max((table.unpack or unpack)(game.bins))
for i, count in ipairs(game.bins) do
  print(("%2d %5d %s"):format(i, count, ("*"):rep(math.floor(50 * count / most + 0.5))))
end
print(("%d marbles have bounced %d times, and %d came through"):format(#game.marbles, bounces,
  game.counted))
print(("hash %.0f"):format(hash(game.bins)))
