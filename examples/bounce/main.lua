-- The bounce game for LÖVE 11: walk with the arrow keys or WASD, click to throw, R restarts.

local bounce = require("simulation")

local TRAIL = 40 -- points

local game
local trails = {} -- of each ball: {x1, y1, x2, y2, ...}

local function addPoint(ball)
  local trail = trails[ball] or {}
  trails[ball] = trail
  table.insert(trail, ball.x)
  table.insert(trail, ball.y)
  while #trail > 2 * TRAIL do
    table.remove(trail, 1)
  end
end

local function restart()
  game = bounce.newGame()
  game.onBounce = addPoint
  trails = {}
end

function love.load()
  love.graphics.setBackgroundColor(0.09, 0.11, 0.15)
  restart()
end

-- The direction of the keys that are down, with a length of 1 or 0.
local function readKeys()
  local dx, dy = 0, 0
  if love.keyboard.isDown("left", "a") then dx = dx - 1 end
  if love.keyboard.isDown("right", "d") then dx = dx + 1 end
  if love.keyboard.isDown("up", "w") then dy = dy - 1 end
  if love.keyboard.isDown("down", "s") then dy = dy + 1 end
  if dx ~= 0 and dy ~= 0 then
    dx, dy = dx * math.sqrt(0.5), dy * math.sqrt(0.5)
  end
  return dx, dy
end

-- Adds where the balls are now, and forgets the trails of balls that are gone.
local function updateTrails()
  local old = trails
  trails = {}
  for _, ball in ipairs(game.balls) do
    trails[ball] = old[ball]
    addPoint(ball)
  end
end

function love.update(dt)
  game:walk(readKeys())
  game:update(dt)
  updateTrails()
end

function love.mousepressed(x, y, button)
  if button == 1 then
    game:throw(game.player, x, y)
  end
end

function love.keypressed(key)
  if key == "r" then
    restart()
  elseif key == "escape" then
    love.event.quit()
  end
end

local function drawBoxes()
  for box in game.world:boxes() do
    if box == game.player then
      love.graphics.setColor(0.3, 0.6, 0.9)
    elseif box == game.opponent then
      love.graphics.setColor(0.93, 0.4, 0.35)
    else
      love.graphics.setColor(0.33, 0.37, 0.46)
    end
    love.graphics.rectangle("fill", box:getRect())
  end
end

local function drawBalls()
  for ball, trail in pairs(trails) do
    love.graphics.setColor(0.95, 0.85, 0.5, 0.4)
    if #trail >= 4 then
      love.graphics.line(trail)
    end
    love.graphics.setColor(0.98, 0.92, 0.7)
    love.graphics.circle("fill", ball.x, ball.y, 5)
  end
end

function love.draw()
  drawBoxes()
  drawBalls()
  love.graphics.setColor(1, 1, 1)
  love.graphics.print(("score %d    throws %d"):format(game.score, game.throws), 40, 8)
  love.graphics.print("arrows or WASD: walk    click: throw    R: restart", 40, 522)
end
