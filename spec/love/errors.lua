-- Makes errors end LÖVE with a traceback, instead of a blue screen that waits for a key.
function love.errorhandler(message)
  io.stderr:write(debug.traceback(tostring(message), 3), "\n")
  return function() return 1 end
end
