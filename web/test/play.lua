-- play.lua: plays an example by its script in spec/love/plays.lua, in a page: each call of `play`
-- goes on to the next picture, and gives an empty text, or at the end the state of the game.

package.path = "examples/?.lua;spec/love/?.lua;" .. package.path

-- The script's hands move other keys than the page's.
play = coroutine.wrap(function()
  local state = require("player").play("examples", EXAMPLE, function()
    web.handlers.draw()
    coroutine.yield("")
  end)
  web.handlers.draw()
  return state
end)
