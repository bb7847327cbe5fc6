-- The bounce game in LÖVE: arrow keys or WASD walk, a click throws.

local bounce = require("bounce.simulation")
local look = require("support.look")

local TRAIL = 60 -- points
local MARK = 1.2 -- seconds for which the place of a bounce is shown

local atan2 = math.atan2 or math.atan -- math.atan of Lua 5.4 takes both arguments

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

-- Returns -1, 0 or 1, from two keys for each direction.
local function axis(less, lessToo, more, moreToo)
  local value = 0
  if love.keyboard.isDown(less, lessToo) then value = value - 1 end
  if love.keyboard.isDown(more, moreToo) then value = value + 1 end
  return value
end

-- The direction of the pressed keys, with a length of 1 or 0.
local function readKeys()
  local dx, dy = axis("left", "a", "right", "d"), axis("up", "w", "down", "s")
  if dx ~= 0 and dy ~= 0 then
    dx, dy = dx * math.sqrt(0.5), dy * math.sqrt(0.5)
  end
  return dx, dy
end

-- Adds the places of the balls, and forgets the trails of balls that are gone.
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
  look.age(marks, dt, MARK)
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

local STONE, JOINT = { 0.330, 0.270, 0.520 }, { 0.240, 0.190, 0.400 }

-- Draws a wall of stones, in which each row is shifted by half a stone.
local function drawWall(x, y, w, h)
  look.block(JOINT, x, y, w, h)
  look.setColor(STONE)
  for row = 0, math.ceil(h / 16) - 1 do
    for left = -16 * (row % 2), w - 1, 32 do
      local x1, x2 = math.max(0, left) + 1, math.min(w, left + 32) - 1
      love.graphics.rectangle("fill", x + x1, y + 16 * row + 1, x2 - x1, 14, 2, 2)
    end
  end
  look.setColor("text", 0.18)
  love.graphics.rectangle("fill", x, y, w, 3)
end

-- Draws a player, who looks at a point.
local function drawPlayer(color, box, toX, toY)
  local x, y, w, h = box:getRect()
  local middleX, middleY = x + w / 2, y + h / 2
  look.setColor("background", 0.45)
  love.graphics.ellipse("fill", middleX, y + h, 0.55 * w, 8)
  look.glow(color, middleX, middleY, 1.1 * w, 0.35)
  look.setColor(color)
  love.graphics.rectangle("fill", x, y, w, h, 12, 12)
  look.setColor("text", 0.25)
  love.graphics.rectangle("fill", x + 5, y + 4, w - 10, 8, 4, 4)
  look.eyes(middleX, middleY - 2, 8, toX - middleX, toY - middleY)
end

local function drawBoxes()
  local game = view.game
  for box in game.world:boxes() do
    if box:isStatic() then
      drawWall(box:getRect())
    end
  end
  local x, y = game.player:getCenter()
  drawPlayer("dynamic", game.player, pointerX, pointerY)
  drawPlayer("hit", game.opponent, x, y)
end

-- Draws where a throw would go, up to the first wall: a line of sight, by a cast.
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
  for ball, trail in pairs(trails) do
    love.graphics.setLineWidth(2)
    for i = 1, #trail - 3, 2 do
      look.setColor("pair", 0.7 * i / #trail)
      love.graphics.line(trail[i], trail[i + 1], trail[i + 2], trail[i + 3])
    end
    look.glow("pair", ball.x, ball.y, 4 * bounce.BALL_SIZE, 0.6)
    look.setColor("text")
    love.graphics.circle("fill", ball.x, ball.y, bounce.BALL_SIZE / 2)
  end
end

-- Draws marks: where a ball bounced, sparks that fly along the normal; where it hit, a burst.
local function drawMarks()
  for _, mark in ipairs(marks) do
    local s = mark.age / MARK
    local isBounce = mark.nx ~= 0 or mark.ny ~= 0
    look.glow(isBounce and "pair" or "hit", mark.x, mark.y, isBounce and 34 or 50 + 90 * s, 1 - s)
    look.setColor(isBounce and "normal" or "hit", 1 - s)
    for i = 1, isBounce and 5 or 12 do
      local angle = isBounce and atan2(mark.ny, mark.nx) + (i - 3) * 0.5 or i * math.pi / 6
      local far = (isBounce and 10 or 24) + 40 * s
      love.graphics.circle("fill", mark.x + far * math.cos(angle), mark.y + far * math.sin(angle),
        3 - 2 * s)
    end
  end
end

function view.draw()
  look.sky("room", view.width, view.height)
  look.grid(view.width, view.height, 32)
  drawAim()
  drawBalls()
  drawBoxes()
  drawMarks()
end

function view.display()
  local game = view.game
  look.display({ "hits", game.score, "throws", game.throws })
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
  look.legend("hit", "the opponent: it pushes you")
  look.legend("pair", "ball, and its way", "dot")
  look.legend("normal", "sparks along the normal", "dot")
  look.keys({ "arrows", "or WASD: walk", "click", "throw", "R", "restart", "Esc", "leave" })
end

return view
