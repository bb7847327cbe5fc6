-- game.lua: plays the README's game, in a page or without LÖVE, and prints the hash of its world:
--
--     lua5.4 web/test/game.lua FILE

local broadside = require("broadside")

local FRAMES = 300

local world
local newWorld = broadside.newWorld
function broadside.newWorld(...)
  world = newWorld(...)
  return world
end

local frame = 0
-- First and last frame.
local HELD = { right = { 20, 90 }, left = { 120, 280 }, space = { 40, 200 } }

local function isDown(key)
  return HELD[key] ~= nil and frame >= HELD[key][1] and frame <= HELD[key][2]
end

love = love or {}
love.keyboard = { isDown = isDown }
dofile(arg and arg[1] or "readme/main.lua")

function play()
  for _ = 1, FRAMES do
    frame = frame + 1
    love.update(1 / 60)
  end
  if web then
    web.handlers.draw()
  end
  return world:snapshot():getHash()
end

if not web then
  print(play())
end
