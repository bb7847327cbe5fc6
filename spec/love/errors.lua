-- Errors end LÖVE with a traceback: no blue screen that waits.
function love.errorhandler(message)
  io.stderr:write(debug.traceback(tostring(message), 3), "\n")
  return function()
    return 1
  end
end
