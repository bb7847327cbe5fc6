-- The jar in LÖVE: move the mouse, and click to drop a ball. The robot plays until somebody clicks,
-- and again when nobody has for a while.

local jar = require("jar.simulation")
local look = require("support.look")
local play = require("broadside.play")
local robot = require("jar.robot")

local COLORS = { "hit", "pair", "normal", "dynamic", "other", { 0.980, 0.560, 0.640 },
  { 0.420, 0.860, 0.830 } }
local PATIENCE = 20 -- seconds after which the robot plays on
local END = 4 -- seconds after which it begins anew
local GLASS = 8 -- how thick the jar is
local FLASH = 0.4 -- seconds

local view = { title = "jar", width = jar.WIDTH, height = jar.HEIGHT }

local played -- what plays the game in steps, by broadside.play
local idle -- seconds since somebody has clicked; nil: the robot plays
local pointerX, ended, flashes

local function restart(seed)
  flashes, ended, pointerX = {}, 0, jar.WIDTH / 2
  view.game = jar.newGame(seed)
  played = play.new(view.game, { dt = jar.STEP, inputs = jar.INPUTS })
  view.game.onMerge = function(ball)
    local x, y = ball.box:getCenter()
    table.insert(flashes, { x = x, y = y, age = 0, size = ball.size })
  end
end

function view.load(seed)
  idle = nil
  restart(seed)
end

local function drop()
  played:set("x", pointerX)
  played:press("drop")
end

local function playRobot(dt)
  local game = view.game
  ended = game.isOver and ended + dt or 0
  if ended > END then
    restart(os.time())
  elseif game.wait == 0 then
    pointerX = robot.aim(game)
    drop()
  end
end

function view.update(dt)
  idle = idle and idle < PATIENCE and idle + dt or nil
  if not idle then
    playRobot(dt)
  end
  played:update(dt)
  look.age(flashes, dt, FLASH)
end

function view.mousemoved(x)
  if idle then
    pointerX, idle = x, 0
  end
end

function view.mousepressed(x, _, button)
  if button == 1 then
    idle, pointerX = 0, x
    drop()
  end
end

function view.keypressed(key)
  if key == "r" then
    restart(os.time())
  elseif key == "p" then
    idle = nil
  end
end

local function drawBall(x, y, r, size)
  look.setColor(COLORS[size])
  love.graphics.circle("fill", x, y, r)
  look.setColor("text", 0.35)
  love.graphics.circle("fill", x - 0.4 * r, y - 0.5 * r, 0.16 * r)
  look.eyes(x, y, 0.22 * r, 0, 1)
end

local function drawJar()
  local left, right, floor = jar.LEFT - GLASS / 2, jar.RIGHT + GLASS / 2, jar.FLOOR + GLASS / 2
  look.setColor("text", 0.06)
  love.graphics.rectangle("fill", left, jar.RIM, right - left, floor - jar.RIM)
  look.setColor("faint", 0.8)
  love.graphics.setLineWidth(GLASS)
  love.graphics.line(left, jar.RIM, left, floor, right, floor, right, jar.RIM)
end

-- Draws the next ball, and the place below it.
local function drawNext()
  local game = view.game
  local r = jar.RADII[game.next]
  local x = jar.clamp(pointerX, r)
  look.setColor("text", 0.2)
  love.graphics.setLineWidth(1)
  love.graphics.line(x, jar.DROP_Y, x, jar.FLOOR)
  if game.wait == 0 then
    drawBall(x, jar.DROP_Y, r, game.next)
  end
end

function view.draw()
  look.sky("evening", view.width, view.height)
  drawJar()
  drawNext()
  for _, ball in ipairs(view.game.balls) do
    local x, y = ball.box:getCenter()
    drawBall(x, y, ball.r, ball.size)
  end
  for _, flash in ipairs(flashes) do
    local s = flash.age / FLASH
    look.glow(COLORS[flash.size], flash.x, flash.y, jar.RADII[flash.size] * (1.4 + s), 1 - s)
  end
end

function view.display()
  local game = view.game
  look.display({ "points", game.score, "balls", #game.balls })
  if game.isOver then
    look.center("The jar is full", view.width / 2, 240, "text", "huge")
  end
end

function view.panel()
  local game = view.game
  look.panel(view.width, view.height, "jar",
    "Balls are bodies that world:step moves. Two of one size that touch become one.")
  look.row("points", game.score)
  look.row("balls", #game.balls)
  look.row("dropped", game.drops)
  look.row("merged", game.merges)
  look.row("plays", idle and "you" or "the robot")
  look.keys({ "click", "drop a ball", "P", "let the robot play", "R", "restart", "Esc",
    "leave" })
end

return view
