function love.conf(t)
  t.identity = "my-game" -- the name of the save directory
  t.version = "11.4"
  t.window.title = "My game"
end
