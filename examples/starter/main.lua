-- A game to start from: `make love-package` lays it out with Broadside beside it. Left and right
-- run, space jumps; coins disappear when you touch them.

local broadside = require("broadside")
local debugView = require("broadside.debug")

local WALL, COIN = 1, 2 -- layers, powers of two
local RULES = { slide = WALL, cross = COIN } -- what stops the player, and what it only meets
local RUN, JUMP, GRAVITY = 260, 640, 1500
local GREY, BLUE, GOLD = { 0.4, 0.45, 0.55 }, { 0.3, 0.65, 0.95 }, { 1, 0.8, 0.35 }

local world = broadside.newWorld()
local player = world:insert(100, 500, 32, 40, { data = BLUE }) -- data: any value of yours
local hits = {} -- what the player met in this frame, used again and again
local vy, onFloor, score, showDebug = 0, false, 0, false

function love.load()
  world:insertMany({ 0, 0, 800, 20, 0, 580, 800, 20, 0, 0, 20, 600, 780, 0, 20, 600,
    250, 460, 40, 120, 290, 500, 60, 80, 640, 480, 60, 100 },
    { static = true, layer = WALL, data = GREY })
  world:insertMany({ 360, 400, 200, 10, 120, 340, 160, 10, 420, 260, 240, 10 },
    { static = true, layer = WALL, data = GREY, oneWay = { 0, -1 } }) -- solid from above alone
  for i = 1, 12 do
    local x, y = 60 * i, 130 * i % 400 + 120
    world:insert(x, y, 14, 14, { static = true, layer = COIN, data = GOLD })
  end
end

function love.update(dt)
  dt = math.min(dt, 1 / 30)
  local x, y = player:getRect()
  if love.keyboard.isDown("left") then x = x - RUN * dt end
  if love.keyboard.isDown("right") then x = x + RUN * dt end
  vy = vy + GRAVITY * dt
  local _, _, _, n = world:move(player, x, y + vy * dt, RULES, hits)
  onFloor = false
  for i = 1, n do
    local hit = hits[i]
    if hit.response == "cross" then
      hit.other:remove()
      score = score + 1
    elseif hit.ny ~= 0 then -- a floor, or a ceiling
      vy, onFloor = 0, hit.ny < 0
    end
  end
end

function love.keypressed(key)
  if key == "space" and onFloor then vy = -JUMP end
  if key == "d" then showDebug = not showDebug end
  if key == "escape" then love.event.quit() end
end

function love.draw()
  for box in world:boxes() do
    love.graphics.setColor(box:getData())
    love.graphics.rectangle("fill", box:getRect())
  end
  if showDebug then debugView.draw(world) end
  love.graphics.setColor(1, 1, 1)
  love.graphics.print("coins " .. score .. "   left, right, space   D: debug view", 30, 30)
end
