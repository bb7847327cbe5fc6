-- play.lua: plays an example by its script in spec/love/plays.lua, in a page. Each call of `play`
-- plays until the next picture and returns an empty text. At the end it returns the state of the
-- game.

package.path = "examples/?.lua;spec/love/?.lua;" .. package.path

-- The script presses its own keys, not the page's.
play = coroutine.wrap(function()
  local state = require("player").play("examples", EXAMPLE, function()
    web.handlers.draw()
    coroutine.yield("")
  end)
  web.handlers.draw()
  return state
end)
