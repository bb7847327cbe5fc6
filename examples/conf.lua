function love.conf(t)
  t.version = "11.0"
  t.window.title = "Broadside: examples"
  t.window.width = 860
  t.window.height = 652
  t.window.msaa = 4
  t.modules.audio = false
  t.modules.physics = false
  t.modules.sound = false
end
