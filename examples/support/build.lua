-- Lets an example find Broadside in LÖVE if nobody has said where it is. So after `make LUA=luajit`
-- in the project's folder, `love examples/NAME` works. A game of your own does not need this file,
-- because it has Broadside in its folder.

-- The project's folder, which contains the folder of all examples.
local function findProject()
  local folder = love.filesystem.getSource()
  for _, path in ipairs({ folder .. "/..", folder .. "/../.." }) do
    local file = io.open(path .. "/lua/broadside/init.lua")
    if file then
      file:close()
      return path
    end
  end
  return nil
end

local project = not pcall(require, "broadside") and findProject()
if project then
  package.path = package.path .. (";%s/lua/?.lua;%s/lua/?/init.lua"):format(project, project)
  package.cpath = package.cpath .. (";%s/build/luajit/?.so;%s/build/luajit/?.dll"):format(project,
    project)
  local isFound, problem = pcall(require, "broadside")
  if not isFound then
    error("to build Broadside, type in its folder: make LUA=luajit\n" .. problem, 0)
  end
end
