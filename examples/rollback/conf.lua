function love.conf(t)
  t.version = "11.0"
  t.window.title = "Broadside: rollback"
  t.window.width = 1064
  t.window.height = 704
  t.window.msaa = 4
  t.modules.audio = false
  t.modules.physics = false
  t.modules.sound = false
end
