-- Writes a page's game, which is its first block of Lua, into a folder, with a check that takes
-- pictures of it:
--
--     lua spec/love/page_game.lua PAGE CHECK FOLDER        from the project's folder

package.path = "./?.lua;" .. package.path

local page = require("spec.support.page")

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

local path, check, folder = ...
write(folder .. "/main.lua", page.blocks(path)[1].code .. read(check))
for _, name in ipairs({ "conf.lua", "errors.lua", "pictures.lua" }) do
  write(folder .. "/" .. name, read("spec/love/" .. name))
end
