-- game.lua has the game of three, view.lua the machines that play it.

package.path = love.filesystem.getSource() .. "/../?.lua;" .. package.path
require("support.stage").alone("party.view")
