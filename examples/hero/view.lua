-- The hero in LÖVE: the arrows run, climb and crouch, space jumps, shift dashes, K saves, L loads.
-- While nobody plays, the robot does.

local course = require("hero.course")
local look = require("support.look")
local play = require("broadside.play")
local robot = require("hero.robot")

local SCALE, FILE = 2, "hero-save"
local IDLE, APPLAUSE = 20, 3 -- seconds until the robot plays, and until a new game
local COLORS = { wall = { 0.30, 0.26, 0.42 }, plank = { 0.62, 0.42, 0.28 },
  ladder = { 0.85, 0.7, 0.4 }, flag = { 0.45, 0.85, 0.5 }, hero = { 0.3, 0.65, 0.98 } }

local view = { title = "hero", width = 1152, height = 512 }

local played, idle, applause

local function restart(isRobot)
  view.game, view.isRobot = course.newGame(), isRobot
  played = play.new(view.game, { dt = course.STEP, inputs = course.INPUTS,
    before = isRobot and robot.before or nil })
  idle, applause = 0, 0
end

function view.load()
  restart(true)
end

local function readKeys()
  local isDown = love.keyboard.isDown
  return { direction = (isDown("right", "d") and 1 or 0) - (isDown("left", "a") and 1 or 0),
    up = isDown("up", "w"), down = isDown("down", "s"), jump = isDown("space"),
    dash = isDown("lshift", "rshift") }
end

-- The first key that is pressed begins a new game for the player.
local function control(dt)
  local keys = readKeys()
  local isTouched = keys.direction ~= 0 or keys.up or keys.down or keys.jump or keys.dash
  idle = isTouched and 0 or idle + dt
  if view.isRobot and isTouched or not view.isRobot and idle > IDLE then
    restart(not isTouched)
  end
  if not view.isRobot then
    for _, name in ipairs(course.INPUTS) do
      played:set(name, keys[name] or false)
    end
  end
end

function view.update(dt)
  control(dt)
  played:update(dt)
  applause = view.game.state.isWon and applause + dt or 0
  if applause > APPLAUSE then
    restart(view.isRobot)
  end
end

function view.keypressed(key)
  if key == "r" or key == "p" then
    restart(key == "p" or view.isRobot)
  elseif key == "k" then
    love.filesystem.write(FILE, view.game.saver:getString())
  elseif key == "l" and love.filesystem.read(FILE) then
    restart(false)
    view.game.saver:load(love.filesystem.read(FILE))
  end
end

function view.record()
  return played:record()
end

function view.draw()
  look.sky("evening", view.width, view.height)
  love.graphics.scale(SCALE)
  for box in view.game.world:boxes() do
    local kind, x, y, w, h = box:getData(), box:getRect()
    look.setColor(COLORS[kind], kind == "ladder" and 0.5 or 1)
    love.graphics.rectangle("fill", x, y, w, h)
    if kind == "hero" then
      look.eyes(x + w / 2, y + 7, 2.5, view.game.hero.state.facing, 0)
    end
  end
end

function view.display()
  look.display({ "falls", view.game.state.falls })
  if view.isRobot then
    look.label("the robot plays; press a key", 16, 48)
  end
end

function view.panel()
  look.panel(view.width, view.height, "hero",
    "One file to copy: hero.lua. The course needs all that it can do.")
  look.row("falls", view.game.state.falls)
  look.keys({ "arrows", "run, climb, crouch", "space", "jump, also off walls", "shift", "dash",
    "down", "and space: drop", "K", "save", "L", "load", "R", "restart", "P", "the robot plays",
    "Esc", "leave" })
end

return view
