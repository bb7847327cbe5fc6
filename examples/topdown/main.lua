-- view.lua has the picture and the keys; simulation.lua has the game.

package.path = love.filesystem.getSource() .. "/../?.lua;" .. package.path
require("support.stage").alone("topdown.view")
