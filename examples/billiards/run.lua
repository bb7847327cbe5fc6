-- Billiards without a window: the robot plays until the table is empty. Prints each shot, and a
-- hash of where the balls lie after the break, which is the same on every machine. From the
-- project's folder:
--
--   lua5.4 examples/billiards/run.lua [back end [shots [file to write a record into]]]

local here = arg[0]:match("^(.*)[/\\]") or "."
package.path = here .. "/../?.lua;" .. package.path

local play = require("broadside.play")
local billiards = require("billiards.simulation")
local robot = require("billiards.robot")

local game = billiards.newGame(arg[1])
local most = tonumber(arg[2]) or 100
local p = play.new(game, { dt = billiards.STEP, inputs = billiards.INPUTS })

-- A number below 2^32 that depends on every bit of where the balls are.
local function hash()
  local sum = 5381
  for _, ball in ipairs(game.onTable) do
    local text = ("%.17g %.17g"):format(ball.box:getCenter())
    for k = 1, #text do
      sum = (sum * 33 + text:byte(k)) % 4294967296
    end
  end
  return sum
end

local function playShot(vx, vy)
  local fallen, fouls, steps = #game.fallen, game.fouls, 0
  p:set("vx", vx)
  p:set("vy", vy)
  p:press("strike")
  repeat
    p:run(1)
    steps = steps + 1
  until not game.isMoving
  local names = {}
  for i = fallen + 1, #game.fallen do
    names[#names + 1] = game.fallen[i].number
  end
  print(("%2d  %5.1f s  %s%s"):format(game.shots, steps * billiards.STEP,
    #names > 0 and table.concat(names, ", ") or "-", game.fouls > fouls and "  foul" or ""))
end

while not game:isWon() and game.shots < most do
  local think = robot.think(game)
  local vx, vy
  repeat
    vx, vy = think()
  until vx
  playShot(vx, vy)
  if game.shots == 1 then
    print(("hash %.0f"):format(hash()))
  end
end
print(("%d balls in %d shots, %d fouls"):format(#game.fallen, game.shots, game.fouls))
if arg[3] then
  local file = assert(io.open(arg[3], "wb"))
  file:write(p:record())
  file:close()
end
