-- Plays an example by its script in plays.lua, in the real LÖVE or with a stand-in for it. Then it
-- may go on with random input.

local plays = require("plays")

local player = {}

local SEED = "7"
local FRAME = 1 / 60
-- One frame in this many is drawn, because drawing is slow without a graphics card: for a film, and
-- otherwise.
local FILMED, DRAWN = 4, 12
local SELDOM = 120 -- the same for frames with random input
local MOST_NEW = 8 -- for this many new games, the first frame is drawn, too
local MINUTE = 60 * 60
local APPLAUSE = 6 * 60 -- frames from the end of a game until a new one is started

-- The mouse and the keyboard: both love's functions that ask for their state, and the events.
local function newHands()
  local x, y, keys, buttons = 0, 0, {}, {}
  local hands = {}
  local function call(name, ...)
    if love[name] then
      love[name](...)
    end
  end
  love.mouse.getPosition = function() return x, y end
  love.mouse.isDown = function(button) return buttons[button] or false end
  love.keyboard.isDown = function(first, second) return keys[first] or keys[second] or false end
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

-- Hashes numbers by their shortest exact text, texts by their bytes, into a number below 2^32.
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
  return add, function() return ("%.0f of %d numbers"):format(sum, count) end
end

-- Hashes the whole state of the game: its counters, its boxes, its balls, its bullets.
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
    if type(ball) == "table" and ball.x then -- else it is one of the boxes
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

-- Starts it as LÖVE does, by the main.lua of its folder. The menu is in the folder of all examples.
local function start(folder)
  love.filesystem.getSource = function() return folder end
  dofile(folder .. "/main.lua")
  love.load({ SEED })
end

-- Random numbers, the same in every run.
local function newChance()
  local state = 12345
  return function(most)
    state = state * 16807 % 2147483647
    return 1 + state % most
  end
end

-- Random input: one key or button at a time, for up to a second.
local function newPlayer(hands, view, keys)
  local chance, held, isPressed, left = newChance(), nil, false, 0
  return function()
    left = left - 1
    if left > 0 then
      return
    end
    left = chance(4) == 1 and chance(60) or chance(10)
    if held then
      hands.letGo(held)
    end
    held = nil
    if isPressed then
      hands.release(1)
    end
    hands.move(chance(view.width) - 1, chance(view.height) - 1)
    isPressed = chance(3) == 1
    if isPressed then
      hands.press(1)
    else
      held = keys[chance(#keys)]
      hands.hold(held)
    end
  end
end

-- Plays with random input until a minute of the game is over. Returns how many games have begun
-- meanwhile.
local function playOn(play, hands, view, present)
  local act = newPlayer(hands, view, play.keys)
  local game, begun, ended = view.game, 0, 0
  for frame = play.frames + 1, MINUTE do
    if begun > 0 or not play.isOver then
      act()
    else
      play.input(hands, frame)
      ended = play.isOver(game) and ended + 1 or 0
      if ended == APPLAUSE then
        hands.type("r")
      end
    end
    love.update(FRAME)
    local isNew = view.game ~= game
    if isNew then
      game, begun = view.game, begun + 1
    end
    if isNew and begun <= MOST_NEW or ended == 1 or frame % SELDOM == 0 then
      present(false, frame)
    end
  end
  return begun
end

-- Plays its script to the end. `present(isLast, frame)` draws a frame, and is called more often for
-- a film. Returns a text that describes the state, and a function that plays until the minute is
-- over.
function player.play(examples, name, present, isFilm)
  local play = assert(plays[name], "no such example: " .. tostring(name))
  local hands = newHands()
  rawset(os, "time", function() -- so that new games are the same in every run
    return tonumber(SEED)
  end)
  start(name == "menu" and examples or examples .. "/" .. name)
  local view = require(name .. ".view")
  for frame = 1, play.frames do
    play.input(hands, frame)
    love.update(FRAME)
    if frame % (isFilm and FILMED or DRAWN) == 0 or frame == play.frames then
      present(frame == play.frames, frame)
    end
  end
  return digest(view.game), function() return playOn(play, hands, view, present) end
end

return player
