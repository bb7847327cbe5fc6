-- Plays a game, and takes pictures of what it draws, or of a canvas.

local pictures = {}

local keys = {}
love.keyboard.isDown = function(key) return keys[key] or false end

-- Plays some frames with keys held down.
function pictures.play(frames, ...)
  keys = {}
  for _, key in ipairs({ ... }) do
    keys[key] = true
  end
  for _ = 1, frames do
    love.update(1 / 60)
  end
end

-- Draws with f into a picture of that size.
function pictures.save(path, w, h, f)
  local canvas = love.graphics.newCanvas(w, h)
  canvas:renderTo(function()
    love.graphics.clear(35 / 255, 33 / 255, 48 / 255)
    f()
  end)
  local file = assert(io.open(path, "wb"))
  file:write(canvas:newImageData():encode("png"):getString())
  file:close()
end

return pictures
