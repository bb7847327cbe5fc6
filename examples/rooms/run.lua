-- The rooms without a window: the robot plays to the boots, saves, and goes on from the save in a
-- new game. From the project's folder:
--
--   lua5.4 examples/rooms/run.lua

local here = arg[0]:match("^(.*)[/\\]") or "."
package.path = here .. "/../?.lua;" .. package.path

local play = require("broadside.play")
local robot = require("rooms.robot")
local rooms = require("rooms.game")

-- Plays until an item is taken, and prints the game then.
local function seek(game, item)
  local p = play.new(game, { dt = rooms.STEP, inputs = rooms.INPUTS, before = robot.before })
  local steps = p:runUntil(function() return game.state.items[item] end, 1800)
  print(play.picture(game.world, { columns = 120, rows = 12 }))
  print(steps and ("The %s after %.2f s"):format(item, steps * rooms.STEP)
    or "The robot gave up")
end

local game = rooms.newGame(arg[1])
seek(game, "boots")
local text = game.saver:getString()
print(#text .. " bytes saved")
local later = rooms.newGame(arg[1])
later.saver:load(text)
seek(later, "flag")
print("hash " .. later:hash())
