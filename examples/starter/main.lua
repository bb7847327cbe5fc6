-- A game to start from: `make love-package` lays it out with Broadside beside it. Arrow keys walk;
-- walls stop you; coins disappear when you touch them.

local broadside = require("broadside")
local debugView = require("broadside.debug")

local WALL, COIN = 1, 2 -- layers, powers of two
local SPEED = 240

local world = broadside.newWorld()
local player = world:insert(100, 100, 32, 32)
local coins = {} -- the result of a query, used again and again
local score, showDebug = 0, false

function love.load()
  world:insertMany({ 0, 0, 800, 20, 0, 580, 800, 20, 0, 0, 20, 600, 780, 0, 20, 600,
    250, 150, 40, 300, 500, 20, 40, 350 }, { static = true, layer = WALL })
  for i = 1, 12 do
    world:insert(90 * i % 700 + 40, 130 * i % 500 + 40, 12, 12, { static = true, layer = COIN })
  end
end

function love.update(dt)
  local dx, dy = 0, 0
  if love.keyboard.isDown("left") then dx = -1 end
  if love.keyboard.isDown("right") then dx = 1 end
  if love.keyboard.isDown("up") then dy = -1 end
  if love.keyboard.isDown("down") then dy = 1 end
  player:setVelocity(dx * SPEED, dy * SPEED)
  world:step(math.min(dt, 1 / 30))
  world:resolve(player, WALL)
  local _, n = world:queryBox(player, COIN, coins)
  for i = 1, n do
    coins[i]:remove()
    score = score + 1
  end
end

function love.keypressed(key)
  if key == "d" then showDebug = not showDebug end
  if key == "escape" then love.event.quit() end
end

function love.draw()
  for box in world:boxes() do
    if box == player then
      love.graphics.setColor(0.3, 0.65, 0.95)
    elseif box:getFilter() == COIN then
      love.graphics.setColor(1, 0.8, 0.35)
    else
      love.graphics.setColor(0.4, 0.45, 0.55)
    end
    love.graphics.rectangle("fill", box:getRect())
  end
  if showDebug then
    debugView.draw(world)
  end
  love.graphics.setColor(1, 1, 1)
  love.graphics.print("coins " .. score .. "   arrows: walk   D: debug view", 30, 30)
end
