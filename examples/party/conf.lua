function love.conf(t)
  t.version = "11.0"
  t.window.title = "Broadside: party"
  t.window.width = 900
  t.window.height = 620
  t.window.msaa = 4
  t.modules.audio = false
  t.modules.joystick = false
  t.modules.physics = false
  t.modules.sound = false
end
