-- Runs a benchmark of the folder above in LÖVE. It is main.lua, which finds love.physics there, or
-- the file that the first argument names (file=costs.lua).
function love.load(arguments)
  local folder = love.filesystem.getSource():gsub("[/\\]$", ""):match("^(.*[/\\])")
  local file = (arguments[1] or ""):match("^file=(.*)$")
  if file then
    table.remove(arguments, 1)
  end
  arguments[0] = folder .. (file or "main.lua")
  rawset(_G, "arg", arguments)
  local isFine, message = xpcall(dofile, debug.traceback, arguments[0])
  if not isFine then
    io.stderr:write(tostring(message), "\n")
  end
  love.event.quit(isFine and 0 or 1)
end
