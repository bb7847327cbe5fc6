
-- Follows the main.lua of doc/ldtk.md. The hero climbs the ladder. Takes a picture of that, and one
-- of the values of the IntGrid layer beside the boxes that they become.
require("errors")

local pictures = require("pictures")

local W, H, GAP, SCALE = 800, 608, 16, 0.5

local function drawValues(project)
  local definition = project.defs.layers[4]
  local layers = project.levels[1].layerInstances
  local grid = layers[#layers]
  for i, value in ipairs(grid.intGridCsv) do
    if value > 0 then
      local x, y = (i - 1) % grid.__cWid * 32, math.floor((i - 1) / grid.__cWid) * 32
      local color = definition.intGridValues[value].color
      local function channel(at)
        return tonumber(color:sub(at, at + 1), 16) / 255
      end
      love.graphics.setColor(channel(2), channel(4), channel(6))
      love.graphics.rectangle("fill", x + 1, y + 1, 30, 30)
      love.graphics.setColor(1, 1, 1)
      love.graphics.print(value, x + 8, y + 2, 0, 2)
    end
  end
end

local function drawBoth(project)
  love.graphics.setColor(1, 1, 1)
  love.graphics.rectangle("fill", SCALE * W, 0, GAP, SCALE * H)
  love.graphics.scale(SCALE)
  drawValues(project)
  love.graphics.translate(W + GAP / SCALE, 0)
  hero.box:remove()
  debugView.draw(world)
end

local load = love.load
function love.load(arguments)
  load()
  pictures.play(40)
  assert(hero.onFloor, "it stands")
  while not isOnLadder() do
    pictures.play(1, "right")
  end
  pictures.play(5, "right")
  local _, y = hero.box:getRect()
  pictures.play(40, "up")
  assert(isOnLadder() and select(2, hero.box:getRect()) < y - 80, "it climbs")
  pictures.save(arguments[1], 800, 600, love.draw)
  pictures.save(arguments[2], 2 * SCALE * W + GAP, SCALE * H, function()
    drawBoth(json.decode(love.filesystem.read("cave.ldtk")))
  end)
  print("The game of doc/ldtk.md works")
  love.event.quit(0)
end
