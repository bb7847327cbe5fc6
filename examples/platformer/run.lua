-- The platformer without a window: the robot plays it to the end, and prints what happens. From the
-- project's folder:
--
--   lua5.4 examples/platformer/run.lua [back end] [file to write a record into]

local here = arg[0]:match("^(.*)[/\\]") or "."
package.path = here .. "/../?.lua;" .. package.path

local play = require("broadside.play")
local platformer = require("platformer.simulation")
local robot = require("platformer.robot")

local LIMIT = 60 * 120 -- steps

local function printf(format, ...)
  print(format:format(...))
end

-- A number below 2^32 that depends on every bit of its input. Two games that print the same number
-- went the same way.
local function newHash()
  local sum = 5381
  return function(...)
    for i = 1, select("#", ...) do
      local text = ("%.17g"):format((select(i, ...)))
      for k = 1, #text do
        sum = (sum * 33 + text:byte(k)) % 4294967296
      end
    end
    return sum
  end
end

local game = platformer.newGame(arg[1])
local pilot, counts = robot.new(), {}
local p = play.new(game, { dt = platformer.STEP, inputs = platformer.INPUTS, before = function(p)
  local direction, jump = pilot(game)
  p:set("direction", direction)
  p:set("jump", jump)
end })
game.onEvent = function(name, x, y)
  counts[name] = (counts[name] or 0) + 1
  if name ~= "land" and name ~= "thud" then
    printf("%6.2f s  %-10s at %4.0f,%3.0f", game.steps * platformer.STEP, name, x, y)
  end
end

local hash = newHash()
local ride = 0 -- seconds
while not game.isWon and game.steps < LIMIT do
  p:run(1)
  local floor = game.world:touching(game.player.box, 0, 1)
  if floor and floor.kind == "lift" then
    ride = ride + platformer.STEP
  end
  for box in game.world:boxes() do
    if not box:isStatic() then
      hash(box:getRect())
    end
  end
end
printf("%s after %.2f s with %d of %d coins, %d enemies beaten, %d deaths and %.1f s on lifts",
  game.isWon and "The goal is reached" or "The robot gave up", game.steps * platformer.STEP,
  game.coins, game.coinsInAll, counts.stomp or 0, game.deaths, ride)
printf("hash %.0f", hash())
if arg[2] then
  local file = assert(io.open(arg[2], "wb"))
  file:write(p:record())
  file:close()
end
