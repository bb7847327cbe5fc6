-- No window; only physics and the clock.
function love.conf(t)
  t.version = "11.0"
  t.modules.audio = false
  t.modules.graphics = false
  t.modules.image = false
  t.modules.joystick = false
  t.modules.sound = false
  t.modules.video = false
  t.modules.window = false
end
