-- view.lua has the picture and the keys, simulation.lua the game, rollback.lua the netcode.

package.path = love.filesystem.getSource() .. "/../?.lua;" .. package.path
require("support.stage").alone("rollback.view")
