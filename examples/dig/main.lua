-- What is shown, and the keys, are in view.lua; the game is in simulation.lua.

package.path = love.filesystem.getSource() .. "/../?.lua;" .. package.path
require("support.stage").alone("dig.view")
