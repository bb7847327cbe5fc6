-- What is shown, and the keys, are in view.lua; the areas are in area.lua and border.lua.

package.path = love.filesystem.getSource() .. "/../?.lua;" .. package.path
require("support.stage").alone("area.view")
