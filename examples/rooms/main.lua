-- game.lua has the rooms and the rules, view.lua the picture, the keys and the file of the save.

package.path = love.filesystem.getSource() .. "/../?.lua;" .. package.path
require("support.stage").alone("rooms.view")
