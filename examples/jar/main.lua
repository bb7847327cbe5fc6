-- view.lua has the picture, the mouse and the keys; simulation.lua has the game.

package.path = love.filesystem.getSource() .. "/../?.lua;" .. package.path
require("support.stage").alone("jar.view")
