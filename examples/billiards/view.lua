-- Billiards in LÖVE: pull back from the cue ball with the mouse or a finger, and let go. The robot
-- plays until somebody does, and again when nobody has for a while.

local billiards = require("billiards.simulation")
local look = require("support.look")
local play = require("broadside.play")
local robot = require("billiards.robot")

local R = billiards.RADIUS
local PULL_LEAST, PULL_MOST = 24, 250 -- from the cue ball, in pixels
local PATIENCE = 20 -- seconds after which the robot plays on
local AIM_TIME = 0.7 -- seconds for which the robot shows its shot
local FLASH, SINK = 0.35, 0.3 -- seconds

local COLORS = {
  { 0.980, 0.800, 0.250 }, { 0.250, 0.450, 0.900 }, { 0.920, 0.270, 0.250 },
  { 0.520, 0.320, 0.700 }, { 0.960, 0.540, 0.200 }, { 0.200, 0.620, 0.380 },
  { 0.600, 0.200, 0.220 }, { 0.130, 0.120, 0.180 },
}
local WOOD, WOOD_LIGHT = { 0.290, 0.170, 0.150 }, { 0.400, 0.245, 0.200 }
local CLOTH, NOSE = { 0.090, 0.330, 0.330 }, { 0.110, 0.420, 0.400 }
local WHITE = { 0.960, 0.945, 0.900 }

local view = { title = "billiards", width = billiards.WIDTH, height = billiards.HEIGHT }

local pointerX, pointerY, isPressed
local idle -- seconds since somebody has touched the mouse; nil: nobody has
local think -- what the robot thinks of
local aim -- what it will do: { vx =, vy =, age = }
local played -- what plays the game in steps, by broadside.play
local flashes, sinking -- lists of { x =, y =, age =, ... }

local function restart()
  flashes, sinking, think, aim, isPressed = {}, {}, nil, nil, false
  view.game = billiards.newGame()
  played = play.new(view.game, { dt = billiards.STEP, inputs = billiards.INPUTS })
  view.game.onHit = function(x, y, speed, _, isBall)
    if speed > 40 then
      flashes[#flashes + 1] = { x = x, y = y, age = 0, isBall = isBall,
        size = 8 + math.min(36, speed / 25) }
    end
  end
  view.game.onFall = function(ball, x, y)
    sinking[#sinking + 1] = { x = x, y = y, age = 0, number = ball.number }
  end
end

local function strike(vx, vy)
  played:set("vx", vx)
  played:set("vy", vy)
  played:press("strike")
  played:run(1)
end

-- What has been played since the game began, for a test.
function view.record()
  return played:record()
end

function view.load()
  pointerX, pointerY, idle = view.width / 4, view.height / 2, nil
  restart()
end

-- The velocity that the pointer gives the cue ball, or nil if it is too near.
local function pull()
  local x, y = view.game.cue.box:getCenter()
  local dx, dy = x - pointerX, y - pointerY
  local length = math.sqrt(dx * dx + dy * dy)
  local s = math.min(1, (length - PULL_LEAST) / (PULL_MOST - PULL_LEAST))
  if s <= 0 then
    return nil
  end
  local speed = billiards.FASTEST * s * (0.25 + 0.75 * s)
  return dx / length * speed, dy / length * speed
end

-- The robot thinks of one shot in a frame.
local function playRobot(dt)
  if aim then
    aim.age = aim.age + dt
    if aim.age > AIM_TIME then
      strike(aim.vx, aim.vy)
      aim = nil
    end
    return
  end
  think = think or robot.think(view.game)
  local vx, vy = think()
  if vx then
    aim, think = { vx = vx, vy = vy, age = 0 }, nil
  end
end

function view.update(dt)
  local game = view.game
  played:update(dt)
  look.age(flashes, dt, FLASH)
  look.age(sinking, dt, SINK)
  idle = idle and (isPressed and 0 or idle + dt)
  if idle and idle > PATIENCE then
    idle = nil
  end
  if not idle and not game.isMoving then
    if game:isWon() then
      restart()
    else
      playRobot(dt)
    end
  end
end

local function takeCue(x, y)
  pointerX, pointerY = x, y
  idle, think, aim = 0, nil, nil
end

function view.mousemoved(x, y)
  pointerX, pointerY = x, y
  if idle then
    idle = 0
  end
end

function view.mousepressed(x, y, button)
  if button == 1 then
    takeCue(x, y)
    isPressed = true
  end
end

function view.mousereleased(x, y, button)
  if button == 1 and isPressed then
    takeCue(x, y)
    isPressed = false
    local vx, vy = pull()
    if vx then
      strike(vx, vy)
    end
  end
end

function view.keypressed(key)
  if key == "r" then
    restart()
  elseif key == "p" then
    idle = nil
  end
end

local function drawTable()
  look.setColor(WOOD)
  love.graphics.rectangle("fill", 14, 14, view.width - 28, view.height - 28, 26, 26)
  look.setColor(WOOD_LIGHT)
  love.graphics.setLineWidth(3)
  love.graphics.rectangle("line", 18, 18, view.width - 36, view.height - 36, 22, 22)
  look.setColor(CLOTH)
  love.graphics.rectangle("fill", 50, 50, view.width - 100, view.height - 100)
  look.glow({ 0.4, 0.8, 0.6 }, view.width / 2, view.height / 2, 420, 0.22)
  look.setColor("text", 0.10)
  love.graphics.setLineWidth(1)
  local headX = billiards.HEAD[1]
  love.graphics.line(headX, billiards.TOP, headX, billiards.BOTTOM)
  love.graphics.circle("fill", headX, billiards.HEAD[2], 3)
  for _, place in ipairs(billiards.pockets) do
    look.setColor({ 0.02, 0.02, 0.04 })
    love.graphics.circle("fill", place[1], place[2], 22)
  end
  for _, corners in ipairs(billiards.cushions) do
    look.setColor(NOSE)
    love.graphics.polygon("fill", corners)
  end
  look.setColor("pair", 0.5)
  for i = 1, 7 do
    local x = billiards.LEFT + i * (billiards.RIGHT - billiards.LEFT) / 8
    love.graphics.circle("fill", x, 32, i == 4 and 0.1 or 2.5)
    love.graphics.circle("fill", x, view.height - 32, i == 4 and 0.1 or 2.5)
  end
end

-- Draws a ball: those from 9 on have a stripe.
local function drawBall(x, y, number, size)
  local r = R * size
  local color = number == 0 and WHITE or COLORS[(number - 1) % 8 + 1]
  look.setColor(number > 8 and WHITE or color)
  love.graphics.circle("fill", x, y, r)
  if number > 8 then
    look.setColor(color)
    love.graphics.rectangle("fill", x - 0.86 * r, y - 0.5 * r, 1.72 * r, r, 0.3 * r, 0.3 * r)
  end
  look.setColor("text", 0.55)
  love.graphics.circle("fill", x - 0.35 * r, y - 0.4 * r, 0.24 * r)
end

local function drawBalls()
  look.setColor("background", 0.4)
  for _, ball in ipairs(view.game.onTable) do
    local x, y = ball.box:getCenter()
    love.graphics.circle("fill", x + 3, y + 4, R)
  end
  for _, ball in ipairs(view.game.onTable) do
    if not ball.box:isSensor() then
      local x, y = ball.box:getCenter()
      drawBall(x, y, ball.number, 1)
    end
  end
  for _, ball in ipairs(sinking) do
    drawBall(ball.x, ball.y, ball.number, 1 - 0.8 * ball.age / SINK)
  end
end

-- Draws what a hit shows: the faster the two, the larger.
local function drawFlashes()
  for _, flash in ipairs(flashes) do
    local s = flash.age / FLASH
    look.glow(flash.isBall and "pair" or "normal", flash.x, flash.y, flash.size * (0.6 + s), 1 - s)
  end
end

-- Draws where the cue ball would meet something, and where a ball that it meets would go.
local function drawWay(vx, vy)
  local game = view.game
  local x, y = game.cue.box:getCenter()
  local length = math.sqrt(vx * vx + vy * vy)
  local dx, dy = vx / length * 1200, vy / length * 1200
  local other, t, nx, ny = game.world:sweep(game.cue.box, dx, dy,
    billiards.BALL + billiards.CUSHION)
  if not other then
    return
  end
  local toX, toY = x + dx * t, y + dy * t
  look.setColor("text", 0.45)
  love.graphics.setLineWidth(1)
  love.graphics.line(x, y, toX, toY)
  love.graphics.circle("line", toX, toY, R)
  if other:getFilter() == billiards.BALL then
    local ballX, ballY = other:getCenter()
    look.setColor("pair", 0.8)
    love.graphics.line(ballX, ballY, ballX - 70 * nx, ballY - 70 * ny)
  end
end

local function drawCue(vx, vy, back)
  local x, y = view.game.cue.box:getCenter()
  local length = math.sqrt(vx * vx + vy * vy)
  local dx, dy = vx / length, vy / length
  local from = R + 4 + back
  look.setColor("background", 0.35)
  love.graphics.setLineWidth(7)
  love.graphics.line(x - dx * from + 4, y - dy * from + 6, x - dx * (from + 260) + 4,
    y - dy * (from + 260) + 6)
  look.setColor({ 0.850, 0.660, 0.420 })
  love.graphics.setLineWidth(6)
  love.graphics.line(x - dx * from, y - dy * from, x - dx * (from + 260), y - dy * (from + 260))
  look.setColor({ 0.350, 0.160, 0.170 })
  love.graphics.line(x - dx * (from + 150), y - dy * (from + 150), x - dx * (from + 260),
    y - dy * (from + 260))
  look.setColor(WHITE)
  love.graphics.line(x - dx * from, y - dy * from, x - dx * (from + 5), y - dy * (from + 5))
end

local function drawAim()
  local game = view.game
  if game.isMoving then
    return
  end
  local vx, vy
  if aim then
    vx, vy = aim.vx, aim.vy
  elseif idle and not game:isWon() then
    vx, vy = pull()
  end
  if vx then
    local s = math.sqrt(vx * vx + vy * vy) / billiards.FASTEST
    local back = (aim and math.sin(math.pi * aim.age / AIM_TIME) or isPressed and 1 or 0) * 60 * s
    drawWay(vx, vy)
    drawCue(vx, vy, back)
  end
end

function view.draw()
  look.sky("room", view.width, view.height)
  drawTable()
  drawBalls()
  drawAim()
  drawFlashes()
  for i, ball in ipairs(view.game.fallen) do
    drawBall(view.width / 2 + (i - 8) * 26, view.height - 15, ball.number, 0.9)
  end
end

function view.display()
  local game = view.game
  look.display({ "left", billiards.BALLS - #game.fallen, "shots", game.shots })
  if game:isWon() then
    look.center(("All in %d shots"):format(game.shots + game.fouls), view.width / 2, 240, "text",
      "huge")
  end
end

function view.panel()
  local game = view.game
  look.panel(view.width, view.height, "billiards",
    "Bodies that bounce by world:step. The robot plays each shot ahead and takes it back.")
  look.row("balls left", billiards.BALLS - #game.fallen)
  look.row("shots", game.shots)
  look.row("fouls", game.fouls)
  look.row("plays", idle and "you" or think and "the robot, thinking" or "the robot")
  look.space()
  look.legend("pair", "a ball hits a ball", "dot")
  look.legend("normal", "a ball hits a cushion", "dot")
  look.keys({ "pull", "back from the white ball, let go", "P", "let the robot play", "R", "restart",
    "F5", "write a record", "Esc", "leave" })
end

return view
