-- The hero without a window: the robot plays the course, and prints a picture of its end. From the
-- project's folder:
--
--   lua5.4 examples/hero/run.lua

local here = arg[0]:match("^(.*)[/\\]") or "."
package.path = here .. "/../?.lua;" .. package.path

local course = require("hero.course")
local play = require("broadside.play")
local robot = require("hero.robot")

local game = course.newGame(arg[1])
local p = play.new(game, { dt = course.STEP, inputs = course.INPUTS, before = robot.before })
local steps = p:runUntil(function() return game.state.isWon end, 3600)
print(play.picture(game.world, { columns = 72, rows = 16 }))
print(steps and ("At the flag after %.2f s"):format(steps * course.STEP) or "The robot gave up")
print("hash " .. game:hash())
