-- Shows one example at a time in LÖVE: the game on the left, its panel on the right.
--
-- An example is a table with title, width and height (of the game, in pixels) and the functions
-- load(seed), update(dt), draw() and panel(); and those of LÖVE's callbacks that it wants.

local look = require("support.look")

local stage = {}

local CALLBACKS = { "mousepressed", "mousereleased", "mousemoved", "wheelmoved" }

-- Draws the game, and what would leave its place not at all.
local function draw(example)
  love.graphics.setLineStyle("smooth")
  love.graphics.setScissor(0, 0, example.width, example.height)
  love.graphics.push("all")
  example.draw()
  love.graphics.pop()
  love.graphics.setScissor()
  example.panel()
end

-- Makes the window show an example. Escape calls leave.
function stage.show(example, leave, seed)
  love.window.setMode(example.width + look.PANEL, example.height, { msaa = 4 })
  love.window.setTitle("Broadside: " .. example.title)
  love.graphics.setBackgroundColor(look.colors.background)
  love.update = example.update
  love.draw = function()
    draw(example)
  end
  love.keypressed = function(key)
    if key == "escape" then
      leave()
    elseif example.keypressed then
      example.keypressed(key)
    end
  end
  for _, name in ipairs(CALLBACKS) do
    love[name] = example[name]
  end
  example.load(seed or os.time())
end

-- The whole of an example's main.lua: `love examples/NAME [SEED]` shows it alone.
function stage.alone(name)
  function love.load(arguments)
    stage.show(require(name), love.event.quit, tonumber(arguments[1]))
  end
end

return stage
