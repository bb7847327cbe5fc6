-- Pinball without a window: the robot plays until all balls are lost. Prints what it has hit, and a
-- hash of its way. From the project's folder:
--
--   lua5.4 examples/pinball/run.lua [back end [seconds]]

local here = arg[0]:match("^(.*)[/\\]") or "."
package.path = here .. "/../?.lua;" .. package.path

local pinball = require("pinball.simulation")
local robot = require("pinball.robot")

local game = pinball.newGame(arg[1])
local play = robot.new()
local most = (tonumber(arg[2]) or 600) / pinball.STEP

local hits, names = {}, {}
function game.onHit(part)
  local kind = part and part.kind
  if kind and not hits[kind] then
    names[#names + 1] = kind
  end
  if kind then
    hits[kind] = (hits[kind] or 0) + 1
  end
end

-- A number below 2^32 that depends on every bit of where the balls are.
local sum = 5381
local function hash()
  for _, ball in ipairs(game.marbles) do
    local text = ("%.17g %.17g"):format(ball:getCenter())
    for k = 1, #text do
      sum = (sum * 33 + text:byte(k)) % 4294967296
    end
  end
end

local steps = 0
while not game:isOver() and steps < most do
  play(game)
  game:step()
  steps = steps + 1
  if steps % 20 == 0 then
    hash()
  end
end
table.sort(names)
for _, name in ipairs(names) do
  print(("%-7s %5d"):format(name, hits[name]))
end
print(("%d points in %.0f s, with %d balls, of which %d were lost"):format(game.score,
  steps * pinball.STEP, #game.marbles, game.lost))
print(("hash %.0f"):format(sum))
