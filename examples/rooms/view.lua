-- The rooms in LÖVE: the arrows run, climb and crouch, space jumps, shift dashes, K saves into a
-- file, L loads it. While nobody plays, the robot does.

local look = require("support.look")
local play = require("broadside.play")
local robot = require("rooms.robot")
local rooms = require("rooms.game")

local SCALE, FILE, IDLE = 3, "rooms-save", 20 -- seconds until the robot plays, and until a new game
local COLORS = { wall = { 0.24, 0.32, 0.40 }, lift = { 0.62, 0.42, 0.28 },
  crate = { 0.72, 0.52, 0.32 }, coin = { 0.98, 0.84, 0.36 }, boots = { 0.94, 0.45, 0.35 },
  flag = { 0.45, 0.85, 0.5 }, hero = { 0.3, 0.65, 0.98 } }
local ROUND = { coin = 5, boots = 2, hero = 3 } -- the radius of corners

local view = { title = "rooms", width = SCALE * rooms.WIDTH, height = SCALE * rooms.HEIGHT }

local played, idle, found = nil, 0, {}

local function restart(isRobot)
  view.game, view.isRobot, idle = rooms.newGame(), isRobot, 0
  played = play.new(view.game, { dt = rooms.STEP, inputs = rooms.INPUTS,
    before = isRobot and robot.before or nil })
end

function view.load()
  restart(true)
end

-- The first key that is pressed begins a new game for the player.
function view.update(dt)
  local isDown = love.keyboard.isDown
  local keys = { direction = (isDown("right", "d") and 1 or 0) - (isDown("left", "a") and 1 or 0),
    up = isDown("up", "w"), down = isDown("down", "s"), jump = isDown("space"),
    dash = isDown("lshift", "rshift") }
  local isTouched = keys.direction ~= 0 or keys.up or keys.down or keys.jump or keys.dash
  idle = isTouched and 0 or idle + dt
  if view.isRobot and (isTouched or view.game.state.items.flag and idle > IDLE)
    or not view.isRobot and idle > IDLE then
    restart(not isTouched)
  end
  for _, name in ipairs(view.isRobot and {} or rooms.INPUTS) do
    played:set(name, keys[name])
  end
  played:update(dt)
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
  local left = view.game.state.room * rooms.WIDTH
  look.sky("evening", view.width, view.height)
  love.graphics.scale(SCALE)
  love.graphics.translate(-left, 0)
  local _, n = view.game.world:queryRect(left, 0, rooms.WIDTH, rooms.HEIGHT, nil, found)
  for i = 1, n do
    local kind, x, y, w, h = found[i]:getData(), found[i]:getRect()
    look.setColor(COLORS[kind])
    love.graphics.rectangle("fill", x, y, w, h, ROUND[kind] or 0)
    if kind == "hero" then
      look.eyes(x + w / 2, y + 7, 2.5, view.game.hero.state.facing, 0)
    end
  end
end

function view.display()
  local items = view.game.state.items
  look.display({ "coins", items.coin or 0, "boots", items.boots and "yes" or "no" })
  if view.isRobot then
    look.label("the robot plays; press a key", 16, 48)
  end
end

function view.panel()
  look.panel(view.width, view.height, "rooms", "Three rooms in one world. One save holds them all.")
  look.row("room", view.game.state.room)
  look.row("falls", view.game.state.falls)
  look.keys({ "arrows", "run, climb, crouch", "space", "jump, also off walls", "shift",
    "dash, with boots", "K", "save", "L", "load", "R", "restart", "P", "the robot plays", "Esc",
    "leave" })
end

return view
