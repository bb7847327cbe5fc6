-- The bounce game in LÖVE: arrow keys or WASD walk, a click throws.

local bounce = require("bounce.simulation")
local look = require("support.look")

local TRAIL = 60 -- points
local MARK = 1.2 -- seconds that the place of a bounce is to be seen

local view = { title = "bounce", width = bounce.WIDTH, height = bounce.HEIGHT }

local trails -- of each ball: {x1, y1, x2, y2, ...}
local marks -- where balls bounced: {{x =, y =, nx =, ny =, age =}, ...}
local pointerX, pointerY

local function addPoint(ball)
  local trail = trails[ball] or {}
  trails[ball] = trail
  table.insert(trail, ball.x)
  table.insert(trail, ball.y)
  while #trail > 2 * TRAIL do
    table.remove(trail, 1)
  end
end

local function restart()
  trails, marks = {}, {}
  view.game = bounce.newGame()
  view.game.onBounce = function(ball, nx, ny)
    addPoint(ball)
    table.insert(marks, { x = ball.x, y = ball.y, nx = nx, ny = ny, age = 0 })
  end
  view.game.onScore = function(ball)
    table.insert(marks, { x = ball.x, y = ball.y, nx = 0, ny = 0, age = 0 })
  end
end

function view.load()
  pointerX, pointerY = view.width / 2, view.height / 2
  restart()
end

-- -1, 0 or 1, from two keys each.
local function axis(less, lessToo, more, moreToo)
  local value = 0
  if love.keyboard.isDown(less, lessToo) then value = value - 1 end
  if love.keyboard.isDown(more, moreToo) then value = value + 1 end
  return value
end

-- The direction of the keys that are down, with a length of 1 or 0.
local function readKeys()
  local dx, dy = axis("left", "a", "right", "d"), axis("up", "w", "down", "s")
  if dx ~= 0 and dy ~= 0 then
    dx, dy = dx * math.sqrt(0.5), dy * math.sqrt(0.5)
  end
  return dx, dy
end

-- Adds where the balls are now, and forgets the trails of balls that are gone.
local function updateTrails()
  local old = trails
  trails = {}
  for _, ball in ipairs(view.game.balls) do
    trails[ball] = old[ball]
    addPoint(ball)
  end
end

function view.update(dt)
  view.game:walk(readKeys())
  view.game:update(dt)
  updateTrails()
  for i = #marks, 1, -1 do
    marks[i].age = marks[i].age + dt
    if marks[i].age > MARK then
      table.remove(marks, i)
    end
  end
end

function view.mousemoved(x, y)
  pointerX, pointerY = x, y
end

function view.mousepressed(x, y, button)
  if button == 1 then
    view.mousemoved(x, y)
    view.game:throw(view.game.player, x, y)
  end
end

function view.keypressed(key)
  if key == "r" then
    restart()
  end
end

local function drawBoxes()
  local game = view.game
  look.setColor("static")
  for box in game.world:boxes() do
    if box:isStatic() then
      love.graphics.rectangle("fill", box:getRect())
    end
  end
  look.setColor("dynamic")
  love.graphics.rectangle("fill", game.player:getRect())
  look.setColor("other")
  love.graphics.rectangle("fill", game.opponent:getRect())
end

-- Where a throw would go, as far as the first wall: a line of sight, by a cast.
local function drawAim()
  local game = view.game
  local x, y = game.player:getCenter()
  local box, hitX, hitY = game.world:segmentCast(x, y, pointerX, pointerY, bounce.AIMED)
  look.setColor("text", 0.35)
  love.graphics.setLineWidth(1)
  love.graphics.line(x, y, box and hitX or pointerX, box and hitY or pointerY)
  love.graphics.circle("line", pointerX, pointerY, 6)
end

local function drawBalls()
  love.graphics.setLineWidth(2)
  for ball, trail in pairs(trails) do
    look.setColor("pair", 0.45)
    if #trail >= 4 then
      love.graphics.line(trail)
    end
    look.setColor("pair")
    love.graphics.circle("fill", ball.x, ball.y, bounce.BALL_SIZE / 2)
  end
end

local function drawMarks()
  love.graphics.setLineWidth(2)
  for _, mark in ipairs(marks) do
    look.setColor("hit", 1 - mark.age / MARK)
    love.graphics.circle("fill", mark.x, mark.y, 5)
    if mark.nx ~= 0 or mark.ny ~= 0 then
      look.arrow("normal", mark.x, mark.y, mark.x + 26 * mark.nx, mark.y + 26 * mark.ny, 9)
    else
      love.graphics.circle("line", mark.x, mark.y, 10 + 40 * mark.age)
    end
  end
end

function view.draw()
  look.grid(view.width, view.height, 32)
  drawBoxes()
  drawAim()
  drawBalls()
  drawMarks()
end

function view.panel()
  local game = view.game
  look.panel(view.width, view.height, "bounce",
    "Hit the opponent, off the walls if need be. Balls go by world:move, and bounce.")
  look.row("score", game.score)
  look.row("throws", game.throws)
  look.row("balls in the air", #game.balls)
  look.space()
  look.legend("static", "wall: static")
  look.legend("dynamic", "you: dynamic")
  look.legend("other", "the opponent")
  look.legend("pair", "ball, and its way", "dot")
  look.legend("hit", "hit", "dot")
  look.legend("normal", "normal of the wall there", "line")
  look.keys({ "arrows", "or WASD: walk", "click", "throw", "R", "restart", "Esc", "leave" })
end

return view
