-- An invisible window (SDL_VIDEODRIVER=offscreen), and no sound.
function love.conf(t)
  t.identity = "broadside-test"
  t.version = "11.0"
  t.window.msaa = 4
  t.modules.audio = false
  t.modules.joystick = false
  t.modules.physics = false
  t.modules.sound = false
end
