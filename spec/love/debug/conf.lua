dofile(love.filesystem.getSource() .. "/../conf.lua")
