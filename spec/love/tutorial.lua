-- Writes the game of doc/tutorial.md into a folder, with a check that LÖVE runs:
--
--     lua spec/love/tutorial.lua FOLDER        from the project's folder

package.path = "./?.lua;" .. package.path

local tutorial = require("spec.support.tutorial")

local function read(path)
  local file = assert(io.open(path))
  local text = file:read("*a")
  file:close()
  return text
end

local function write(path, text)
  local file = assert(io.open(path, "w"))
  file:write(text)
  file:close()
end

local folder = ...
local files = tutorial.follow("doc/tutorial.md")[6]
write(folder .. "/game.lua", files["game.lua"])
write(folder .. "/main.lua", files["main.lua"] .. read("spec/love/tutorial_check.lua"))
write(folder .. "/conf.lua", read("spec/love/conf.lua"))
write(folder .. "/errors.lua", read("spec/love/errors.lua"))
