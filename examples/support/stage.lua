-- Shows one example at a time in LÖVE: the game, and over it, by F1, a panel that explains it.
--
-- An example is a table with title, width and height (of the game, in pixels) and the functions
-- load(seed), update(dt), draw(), panel() and, for a few words at the top, display(). It may also
-- have functions for LÖVE's callbacks, and record(), whose text F5 writes into a file. With
-- hasControls its panel is always shown, beside the game.

require("support.build")

local look = require("support.look")

local stage = {}

local isPanelShown = false
local written -- where the last record is

local CALLBACKS = { "mousepressed", "mousereleased", "mousemoved", "wheelmoved" }

-- Draws the game, and clips what would be outside of its area.
local function draw(example)
  love.graphics.setLineStyle("smooth")
  love.graphics.setScissor(0, 0, example.width, example.height)
  love.graphics.push("all")
  example.draw()
  love.graphics.pop()
  love.graphics.setScissor()
  if example.display then
    example.display()
  end
  if written then
    look.label("record: " .. written, 16, example.height - 24)
  end
  if isPanelShown or example.hasControls then
    example.panel()
  else
    look.hint("F1", "keys", example.width, example.height)
  end
end

-- Returns the whole path.
local function writeRecord(name, text)
  assert(love.filesystem.write(name, text))
  return love.filesystem.getSaveDirectory() .. "/" .. name
end

-- Makes the window show an example. Escape calls leave.
function stage.show(example, leave, seed)
  local width = example.width + (example.hasControls and look.PANEL or 0)
  love.window.setMode(width, example.height, { msaa = 4 })
  love.window.setTitle("Broadside: " .. example.title)
  love.graphics.setBackgroundColor(look.colors.background)
  love.update = example.update
  love.draw = function()
    draw(example)
  end
  love.keypressed = function(key)
    if key == "escape" then
      leave()
    elseif key == "f1" then
      isPanelShown = not isPanelShown
    elseif key == "f5" and example.record then
      written = writeRecord(example.title .. ".txt", example.record())
    elseif example.keypressed then
      example.keypressed(key)
    end
  end
  written = nil
  for _, name in ipairs(CALLBACKS) do
    love[name] = example[name]
  end
  example.load(seed or os.time())
end

-- This is all that an example's main.lua needs: `love examples/NAME [SEED]` shows only that
-- example.
function stage.alone(name)
  function love.load(arguments)
    stage.show(require(name), love.event.quit, tonumber(arguments[1]))
  end
end

return stage
