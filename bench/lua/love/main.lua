-- Runs the benchmark in LÖVE, where it finds love.physics.
function love.load(arguments)
  local folder = love.filesystem.getSource():gsub("[/\\]$", ""):match("^(.*[/\\])")
  arguments[0] = folder .. "main.lua"
  rawset(_G, "arg", arguments)
  local isFine, message = xpcall(dofile, debug.traceback, folder .. "main.lua")
  if not isFine then
    io.stderr:write(tostring(message), "\n")
  end
  love.event.quit(isFine and 0 or 1)
end
