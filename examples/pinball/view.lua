-- Pinball in LÖVE: the arrow keys flip, space pulls the spring. Or press the left or the right half
-- of the table; at the bottom that pulls the spring. The robot plays until somebody does.

local layout = require("pinball.table")
local look = require("support.look")
local pinball = require("pinball.simulation")
local robot = require("pinball.robot")

local R = pinball.RADIUS
local SPRING_Y = 600 -- who presses below pulls the spring
local PATIENCE = 15 -- seconds after which the robot plays on
local GLOW, FLASH = 0.4, 0.3 -- seconds for which parts and hits shine

local BALL_COLORS = { "text", "pair", "normal", "dynamic", "other", "hit" }
local COLORS = {
  wall = { 0.330, 0.270, 0.520 }, gate = "normal", bumper = "hit", sling = "other",
  light = "pair", target = "dynamic", belt = { 0.240, 0.190, 0.400 },
}

local view = { title = "pinball", width = pinball.WIDTH, height = pinball.HEIGHT }

local idle -- seconds since somebody has played; nil: nobody has
local pressed -- what the pointer holds: 1, 2 (a flipper), "spring" or nil
local play -- the robot
local flashes -- {{x =, y =, age =, size =}, ...}

local function restart()
  flashes, pressed, play = {}, nil, robot.new()
  view.game = pinball.newGame()
  view.game.onHit = function(part, x, y, speed)
    flashes[#flashes + 1] = { x = x, y = y, age = 0, isPart = part,
      size = 8 + math.min(34, speed / 20) }
  end
end

function view.load()
  idle = nil
  restart()
end

local function isHeld(what, first, second)
  return pressed == what or love.keyboard.isDown(first, second)
end

-- Whether somebody plays.
local function readHands()
  local game = view.game
  local isLeft, isRight = isHeld(1, "left", "a"), isHeld(2, "right", "d")
  local isSpring = isHeld("spring", "space", "down")
  if isLeft or isRight or isSpring then
    idle = 0
  end
  if idle then
    game:flip(1, isLeft)
    game:flip(2, isRight)
    game:pullSpring(isSpring)
  end
end

function view.update(dt)
  local game = view.game
  readHands()
  idle = idle and idle < PATIENCE and idle + dt or nil
  if not idle then
    if game:isOver() then
      restart()
      game = view.game
    end
    play(game)
  end
  game:update(dt)
  look.age(flashes, dt, FLASH)
end

function view.mousepressed(x, y, button)
  if button == 1 then
    pressed = y > SPRING_Y and "spring" or x < view.width / 2 and 1 or 2
  end
end

function view.mousereleased(_, _, button)
  if button == 1 then
    pressed = nil
  end
end

function view.keypressed(key)
  if key == "r" then
    restart()
  elseif key == "p" then
    idle = nil
  end
end

local function fill(part)
  if part.rect then
    love.graphics.rectangle("fill", part.rect[1], part.rect[2], part.rect[3], part.rect[4])
  elseif part.corners then
    love.graphics.polygon("fill", part.corners)
  end
end

-- A belt moves: its stripes go by as fast.
local function drawBelt(part, time)
  fill(part)
  local x, y, w, h = part.rect[1], part.rect[2], part.rect[3], part.rect[4]
  look.setColor("pair", 0.7)
  for i = 0, w / 16 - 1 do
    local left = x + (16 * i + part.opts.vx * time) % w
    love.graphics.rectangle("fill", left, y, math.min(7, x + w - left), 3)
  end
  look.setColor("text", 0.2)
  love.graphics.circle("fill", x + h / 2, y + h / 2, h / 3)
  love.graphics.circle("fill", x + w - h / 2, y + h / 2, h / 3)
end

local function drawBumper(circle, shine)
  local x, y, r = circle[1], circle[2], circle[3]
  look.glow("hit", x, y, (2 + shine) * r, 0.35 + 0.6 * shine)
  look.setColor("hit")
  love.graphics.circle("fill", x, y, r)
  look.setColor("text", 0.85)
  love.graphics.circle("fill", x, y, 0.68 * r)
  look.setColor("hit")
  love.graphics.circle("fill", x, y, (0.5 - 0.2 * shine) * r)
end

local function drawPart(state, time)
  local part, shine = state.part, math.max(0, 1 - state.age / GLOW)
  look.setColor(COLORS[part.kind])
  if part.kind == "belt" then
    drawBelt(part, time)
  elseif part.kind == "bumper" then
    drawBumper(part.circle, shine)
  elseif part.kind == "light" then
    local x, y, w = part.rect[1], part.rect[2], part.rect[3]
    look.setColor("pair", state.isSet and 1 or 0.25)
    love.graphics.circle("fill", x + w / 2, y + w / 2, w / 2)
    look.glow("pair", x + w / 2, y + w / 2, 2 * w, state.isSet and 0.8 or shine)
  elseif part.kind == "target" then
    look.setColor("dynamic", state.isSet and 0.2 or 1)
    fill(part)
  else
    fill(part)
    if shine > 0 then
      look.setColor("text", 0.7 * shine)
      fill(part)
    end
  end
end

local function drawFlipper(flipper, corners)
  local _, y = flipper.box:getRect()
  love.graphics.push()
  love.graphics.translate(0, y - flipper.y)
  look.setColor(flipper.isUp and "normal" or "dynamic")
  love.graphics.polygon("fill", corners)
  look.setColor("text", 0.4)
  love.graphics.setLineWidth(3)
  love.graphics.line(corners[1], corners[2], corners[3], corners[4], corners[5], corners[6])
  love.graphics.pop()
end

local function drawLift()
  local x, y, w = view.game.lift:getRect()
  look.setColor("static")
  love.graphics.rectangle("fill", x, y, w, view.height - y)
  look.setColor("pair")
  love.graphics.rectangle("fill", x, y, w, 5)
  look.setColor("background", 0.5)
  love.graphics.setLineWidth(2)
  for i = 1, 8 do
    local left = y + i * (view.height - y) / 8
    love.graphics.line(x, left - 6, x + w, left)
  end
end

local function drawBalls()
  for i, ball in ipairs(view.game.marbles) do
    local x, y = ball:getCenter()
    look.glow(BALL_COLORS[(i - 1) % #BALL_COLORS + 1], x, y, 30, 0.35)
    look.setColor(BALL_COLORS[(i - 1) % #BALL_COLORS + 1])
    love.graphics.circle("fill", x, y, R)
    look.setColor("background", 0.5)
    love.graphics.circle("fill", x + 2, y + 3, 0.55 * R)
    look.setColor("text", 0.9)
    love.graphics.circle("fill", x - 3, y - 3, 0.25 * R)
  end
end

function view.draw()
  local game = view.game
  look.sky("night", view.width, view.height)
  look.stars(view.width, view.height, 0)
  look.glow("other", 258, 250, 330, 0.30)
  for _, state in ipairs(game.parts) do
    drawPart(state, game.steps * pinball.STEP)
  end
  drawLift()
  for i, flipper in ipairs(game.flippers) do
    drawFlipper(flipper, layout.flippers[i])
  end
  drawBalls()
  for _, flash in ipairs(flashes) do
    local s = flash.age / FLASH
    look.glow(flash.isPart and "pair" or "normal", flash.x, flash.y, flash.size * (0.6 + s), 1 - s)
  end
end

function view.display()
  local game = view.game
  look.display({ "points", game.score, "left", math.max(0, pinball.LIVES - game.lost) })
  if game:isOver() then
    look.center("All balls are lost", 258, 380, "text", "title")
  end
end

function view.panel()
  local game = view.game
  look.panel(view.width, view.height, "pinball",
    "Balls are bodies. Flippers and the lift fly: they push balls, and notice nothing.")
  look.row("points", game.score)
  look.row("balls on the table", #game.marbles)
  look.row("balls lost", game.lost)
  look.row("the lift is", game.state)
  look.row("plays", idle and "you" or "the robot")
  look.space()
  look.legend("hit", "bumper: bounce 1.6")
  look.legend("other", "sling: bounce 1.25")
  look.legend("normal", "gate: oneWay")
  look.legend("pair", "light: sensor; belt: vx", "dot")
  look.keys({ "arrows", "or A, D: flip", "space", "pull the spring", "P", "let the robot play", "R",
    "restart", "Esc", "leave" })
end

return view
