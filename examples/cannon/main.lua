-- The cannon game for LÖVE 11: move the mouse to aim, click to fire, R restarts.
-- B changes the back end while the game runs, D shows what it has built.

local cannon = require("simulation")

local SCALE = 100 -- pixels per metre
local BACKENDS = { "auto", "brute", "sweep", "grid", "tree" }
local COLORS = {
  box = { 0.9, 0.3, 0.3 },
  fat = { 0.2, 0.7, 0.4 },
  node = { 0.5, 0.6, 0.7 },
  cell = { 0.3, 0.4, 0.5 },
}

local game
local backend = 1
local showDebug = false
local debugRects = {}

local function restart()
  game = cannon.newGame(os.time(), BACKENDS[backend])
end

function love.load()
  love.graphics.setBackgroundColor(0.09, 0.11, 0.15)
  restart()
end

function love.update(dt)
  local x, y = love.mouse.getPosition()
  game:aim(x / SCALE, cannon.HEIGHT - y / SCALE)
  game:update(dt)
end

function love.mousepressed(_, _, button)
  if button == 1 then
    game:fire()
  end
end

function love.keypressed(key)
  if key == "r" then
    restart()
  elseif key == "b" then
    backend = backend % #BACKENDS + 1
    game.world:setBackend(BACKENDS[backend])
  elseif key == "d" then
    showDebug = not showDebug
  elseif key == "escape" then
    love.event.quit()
  end
end

local function drawBoxes()
  for box in game.world:boxes() do
    local x, y, w, h = box:getRect()
    if box:isStatic() then
      love.graphics.setColor(0.93, 0.62, 0.25)
      love.graphics.rectangle("fill", x, y, w, h)
    else
      love.graphics.setColor(0.95, 0.95, 0.95)
      love.graphics.circle("fill", x + w / 2, y + h / 2, w / 2)
    end
  end
end

local function drawCannon()
  local distance = math.sqrt(game.aimX ^ 2 + game.aimY ^ 2)
  if distance > 0 then
    love.graphics.setColor(0.6, 0.65, 0.75)
    love.graphics.setLineWidth(0.25)
    love.graphics.line(0, 0, 0.6 * game.aimX / distance, 0.6 * game.aimY / distance)
  end
  love.graphics.setColor(0.45, 0.5, 0.6)
  love.graphics.circle("fill", 0, 0, 0.3)
end

local function drawDebug()
  love.graphics.setLineWidth(1 / SCALE)
  local rects, n = game.world:debugRects(debugRects)
  for i = 1, 5 * n, 5 do
    love.graphics.setColor(COLORS[rects[i]])
    love.graphics.rectangle("line", rects[i + 1], rects[i + 2], rects[i + 3], rects[i + 4])
  end
end

function love.draw()
  love.graphics.push()
  love.graphics.translate(0, cannon.HEIGHT * SCALE)
  love.graphics.scale(SCALE, -SCALE) -- metres, and y up
  drawBoxes()
  drawCannon()
  if showDebug then
    drawDebug()
  end
  love.graphics.pop()

  love.graphics.setColor(1, 1, 1)
  love.graphics.print(("score %d of %d    shots %d    back end %s"):format(
    game.score, cannon.TARGETS, game.shots, game.world:getBackend():getName()), 10, 10)
  local help = game:isWon() and "All targets hit: R plays again" or
    "click: fire    R: restart    B: back end    D: debug view"
  love.graphics.print(help, 10, 28)
end
