-- Plays an example in LÖVE and takes a picture at the end:
--
--     love spec/love NAME PICTURE [FOLDER]
--
-- Prints the state of the game. Fails with a traceback if anything raises an error, or if the
-- picture is blank. If FOLDER is given, it also writes the frames of a film there, without the
-- panel: 001.png, ... Without FOLDER, it plays on for a minute with random input. With `-` instead
-- of FOLDER it does neither.

local folder = love.filesystem.getSource()
local examples = folder .. "/../../examples"
package.path = folder .. "/?.lua;" .. examples .. "/?.lua;" .. package.path

require("errors")

-- A picture that shows something has more colours than this, and more pixels that differ from the
-- background.
local LEAST_COLORS = 60
local LEAST_SHARE = 0.1

-- Counts the colours, and the share of pixels that differ from the most common colour.
local function measure(image)
  local counts, colors, most = {}, 0, 0
  image:mapPixel(function(_, _, r, g, b, a)
    local key = math.floor(r * 255 + 0.5) * 65536 + math.floor(g * 255 + 0.5) * 256
      + math.floor(b * 255 + 0.5)
    counts[key] = (counts[key] or 0) + 1
    return r, g, b, a
  end)
  for _, count in pairs(counts) do
    colors = colors + 1
    most = math.max(most, count)
  end
  return colors, 1 - most / (image:getWidth() * image:getHeight())
end

local function save(image, path)
  local file = assert(io.open(path, "wb"))
  file:write(image:encode("png"):getString())
  file:close()
end

local function check(image, name)
  local colors, share = measure(image)
  io.stderr:write(("%s: picture of %d x %d, %d colours, %.0f%% not background\n"):format(name,
    image:getWidth(), image:getHeight(), colors, 100 * share))
  assert(colors > LEAST_COLORS and share > LEAST_SHARE, "the picture is blank, or nearly so")
end

local function drawFrame()
  love.event.pump()
  love.graphics.origin()
  love.graphics.clear(love.graphics.getBackgroundColor())
  love.draw()
  love.graphics.present()
end

-- Draws a frame, then calls take(image) if there is such a function.
local function draw(take)
  if take then
    love.graphics.captureScreenshot(take)
  end
  drawFrame()
end

-- Saves the part of an image that shows the game.
local function saveFrame(image, name, path)
  local view = require(name .. ".view")
  local part = love.image.newImageData(view.width, view.height)
  part:paste(image, 0, 0, 0, 0, view.width, view.height)
  save(part, path)
end

local function play(name, path, option)
  local picture
  local film = option ~= "-" and option or nil
  local shots = 0
  local script = require("plays")[name]
  local state, goOn = require("player").play(examples, name, function(isLast, frame)
    local isFilmed = film and script.film[1] <= frame and frame <= script.film[2]
    draw((isLast or isFilmed) and function(image)
      picture = image
      if isFilmed then
        shots = shots + 1
        saveFrame(image, name, ("%s/%03d.png"):format(film, shots))
      end
    end)
  end, film)
  save(assert(picture, "no picture was taken"), path)
  check(picture, name)
  if not option then
    local begun = goOn()
    io.stderr:write(("%s: played for a minute, %d games begun\n"):format(name, begun))
    assert(begun > 0 or name == "menu", "no game was begun anew")
  end
  print(state)
end

function love.load(arguments)
  play(arguments[1], arguments[2], arguments[3])
  love.event.quit(0)
end
