-- The menu of all examples: `make love`, or `love examples`.

local stage = require("support.stage")

function love.load()
  stage.show(require("menu.view"), love.event.quit)
end
