-- Plays a recipe of doc/walker-recipes.md in its scene. The text of this program begins with the
-- name of the recipe, as RECIPE. Its code is in a file of that name, and may be changed.

local broadside = require("broadside")
local scenes = require("web.programs.recipes.scenes")
local walker = require("broadside.walker")

local WIDTH, HEIGHT, SCALE = 300, 140, 3

-- These colours are those of what has a layer.
local COLORS = { [4] = { 0.6, 0.5, 0.25 }, [8] = { 0.2, 0.4, 0.75 }, [16] = { 0.45, 0.4, 0.6 } }

local scene, help
local game -- what the recipe knows, and has set

local function run(name)
  local path = "recipes/" .. name:gsub("%W", "-") .. ".lua"
  assert(load(web.files[path], "@" .. path, "t", game))()
end

local function start()
  local world = broadside.newWorld()
  scene.build(world)
  game = setmetatable({ world = world, box = world:insert(scene.x, scene.y, 16, 32),
    broadside = broadside, walker = walker, keys = { direction = 0 } }, { __index = _G })
  run("setting")
  run(RECIPE)
end

function love.load()
  love.graphics.setBackgroundColor(0.08, 0.09, 0.13)
  for _, each in ipairs(scenes) do
    if each.name == RECIPE then scene = each end
  end
  love.window.setMode(WIDTH * SCALE, (HEIGHT - scene.top) * SCALE)
  help = RECIPE .. ": arrows, space, r"
  for _, key in ipairs(scene.keys) do
    help = ("%s, %s: %s"):format(help, key[1], key[2])
  end
  start()
end

function love.keypressed(key)
  game.keys.jump = game.keys.jump or key == "space"
  if key == "r" then start() end
  for _, call in ipairs(scene.keys) do
    if key == call[1] then game[call[2]](1) end
  end
end

function love.update(dt)
  local isDown, keys = love.keyboard.isDown, game.keys
  keys.direction = (isDown("right") and 1 or 0) - (isDown("left") and 1 or 0)
  keys.up, keys.down = isDown("up"), isDown("down")
  game.update(dt)
  keys.jump = false
end

local function drawBox(each, mode)
  local kind, corners = each:getShape()
  if kind == "polygon" then
    love.graphics.polygon(mode, corners)
  else
    love.graphics.rectangle(mode, each:getRect())
  end
end

local function drawAll(isCrossed)
  for each in game.world:boxes() do
    local color, isHero = COLORS[(each:getFilter())], each == game.box
    if (color ~= nil) == isCrossed then
      love.graphics.setColor(color or isHero and { 0.3, 0.7, 1 } or { 0.35, 0.4, 0.5 })
      drawBox(each, isHero and not game.hero.onFloor and "line" or "fill")
    end
  end
end

function love.draw()
  love.graphics.push()
  love.graphics.scale(SCALE)
  love.graphics.translate(0, -scene.top)
  drawAll(true)
  drawAll(false)
  love.graphics.pop()
  love.graphics.setColor(0.75, 0.8, 0.9)
  love.graphics.print(game.isDead and "crushed: r" or help, 12, 10)
end
