-- Plays an example by its script in plays.lua: in the real LÖVE, or with a stand-in for it.

local plays = require("plays")

local player = {}

local SEED = "7"
local FRAME = 1 / 60
local DRAWN = 4 -- of so many frames one is drawn: that is slow without a graphics card

-- The pointer and the keys: love's functions that ask for them, and the events, both.
local function newHands()
  local x, y, keys, buttons = 0, 0, {}, {}
  local hands = {}
  local function call(name, ...)
    if love[name] then
      love[name](...)
    end
  end
  love.mouse.getPosition = function()
    return x, y
  end
  love.mouse.isDown = function(button)
    return buttons[button] or false
  end
  love.keyboard.isDown = function(first, second)
    return keys[first] or keys[second] or false
  end
  function hands.move(toX, toY)
    local dx, dy = toX - x, toY - y
    x, y = toX, toY
    call("mousemoved", x, y, dx, dy, false)
  end
  function hands.press(button)
    buttons[button] = true
    call("mousepressed", x, y, button, false, 1)
  end
  function hands.release(button)
    buttons[button] = nil
    call("mousereleased", x, y, button, false, 1)
  end
  function hands.click()
    hands.press(1)
    hands.release(1)
  end
  function hands.hold(key)
    keys[key] = true
    call("keypressed", key, key, false)
  end
  function hands.letGo(key)
    keys[key] = nil
  end
  function hands.type(key)
    hands.hold(key)
    hands.letGo(key)
  end
  return hands
end

-- Numbers become their shortest exact text, texts their bytes, bytes one number below 2^32.
local function newDigest()
  local sum, count = 5381, 0
  local function add(...)
    for i = 1, select("#", ...) do
      local text = ("%.17g"):format((select(i, ...)))
      for k = 1, #text do
        sum = (sum * 33 + text:byte(k)) % 4294967296
      end
      count = count + 1
    end
  end
  return add, function()
    return ("%.0f of %d numbers"):format(sum, count)
  end
end

-- All that the game is: its counters, its boxes, its balls, its bullets.
local function digest(game)
  local add, result = newDigest()
  local names = {}
  for name, value in pairs(game) do
    if type(value) == "number" then
      table.insert(names, name)
    end
  end
  table.sort(names)
  for _, name in ipairs(names) do
    add(game[name])
  end
  for box in game.world:boxes() do
    add(box:getRect())
    add(box:getVelocity())
  end
  for _, ball in ipairs(game.balls or {}) do
    if type(ball) == "table" then
      add(ball.x, ball.y, ball.vx, ball.vy)
    end
  end
  if game.bullets then
    for id, x, y in game.bullets:each() do
      add(id, x, y)
    end
  end
  return result()
end

-- Starts it as LÖVE does: by the main.lua of its folder. The menu is the one of all examples.
local function start(folder)
  love.filesystem.getSource = function()
    return folder
  end
  dofile(folder .. "/main.lua")
  love.load({ SEED })
end

-- Plays it to the end. `present(isLast, frame)` draws a frame. Returns a text that tells the state.
function player.play(examples, name, present)
  local play = assert(plays[name], "no such example: " .. tostring(name))
  local hands = newHands()
  start(name == "menu" and examples or examples .. "/" .. name)
  local view = require(name .. ".view")
  for frame = 1, play.frames do
    play.input(hands, frame)
    love.update(FRAME)
    if frame % DRAWN == 0 or frame == play.frames then
      present(frame == play.frames, frame)
    end
  end
  return digest(view.game)
end

return player
