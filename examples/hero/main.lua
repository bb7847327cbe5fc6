-- view.lua has the picture and the keys; hero.lua has the hero, and course.lua the game around it.

package.path = love.filesystem.getSource() .. "/../?.lua;" .. package.path
require("support.stage").alone("hero.view")
