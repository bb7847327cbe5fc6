-- The bounce game without its window: all the rules, and no drawing.
--
-- Two players walk in a room with walls. world:step moves them: bodies, each with a response to
-- what it hits, and one pushes the other. world:move moves a thrown ball: it bounces off the walls,
-- scores when it hits the other player, and passes through the one who threw it. Lengths are
-- pixels, times are seconds, and y points down.

local broadside = require("broadside")

local bounce = {
  WIDTH = 960,
  HEIGHT = 544,
  PLAYER_SIZE = 48,
  PLAYER_SPEED = 240,
  BALL_SIZE = 12,
  BALL_SPEED = 720,
  BALL_LIFE = 3,
  STEP = 1 / 60,
}

-- Every box is on a layer, a power of two, so that rules and queries can name it.
local WALL, PLAYER, OPPONENT, BALL = 1, 2, 4, 8
bounce.AIMED = WALL + OPPONENT -- where a line of sight of the player ends

local WALLS = {
  { 0, 0, 32, 544 }, -- the four sides of the room; they overlap, so that corners have no seams
  { 928, 0, 32, 544 },
  { 0, 0, 960, 32 },
  { 0, 512, 960, 32 },
  { 256, 128, 64, 176 }, -- blocks inside
  { 416, 352, 192, 64 },
  { 704, 112, 64, 160 },
}

local Game = {}
Game.__index = Game

-- The back end only changes the speed.
function bounce.newGame(backend)
  local game = setmetatable({
    world = broadside.newWorld({ backend = backend or "auto" }),
    balls = {},
    hits = {}, -- what the last ball has hit; the same table each time
    walkX = 0,
    walkY = 0,
    throws = 0,
    score = 0,
    time = 0, -- what update() has not played yet
    onBounce = nil, -- set it to a function(ball, nx, ny)
    onScore = nil, -- set it to a function(ball)
  }, Game)
  for _, wall in ipairs(WALLS) do
    game.world:insert(wall[1], wall[2], wall[3], wall[4], { static = true, layer = WALL })
  end
  game.player = game:addPlayer(112, 400, { layer = PLAYER, mask = WALL + OPPONENT,
    response = "slide" })
  game.opponent = game:addPlayer(832, 96, { layer = OPPONENT, mask = WALL + PLAYER,
    response = "bounce", -- turns round at walls
    mass = math.huge }) -- and pushes the player, who does not stop it
  game.opponent:setVelocity(0, bounce.PLAYER_SPEED / 2)
  return game
end

-- The masks say that players meet walls and each other, and no balls.
function Game:addPlayer(x, y, opts)
  return self.world:insert(x, y, bounce.PLAYER_SIZE, bounce.PLAYER_SIZE, opts)
end

-- Sets the player's direction. Its length is 1, or 0 to stand still.
function Game:walk(directionX, directionY)
  self.walkX, self.walkY = directionX, directionY
end

-- Throws a ball from the middle of a player towards a point.
function Game:throw(thrower, toX, toY)
  local x, y = thrower:getCenter()
  local dx, dy = toX - x, toY - y
  local distance = math.sqrt(dx * dx + dy * dy)
  if distance == 0 then
    return nil
  end
  local size = bounce.BALL_SIZE
  local target = thrower == self.player and OPPONENT or PLAYER
  local ball = {
    box = self.world:insert(x - size / 2, y - size / 2, size, size, { layer = BALL }),
    rules = { bounce = WALL, cross = target }, -- it passes through everything else
    x = x, -- its middle
    y = y,
    vx = dx / distance * bounce.BALL_SPEED,
    vy = dy / distance * bounce.BALL_SPEED,
    age = 0,
    bounces = 0,
  }
  table.insert(self.balls, ball)
  self.throws = self.throws + 1
  return ball
end

-- Plays dt seconds in steps of equal length, so the game does not depend on the frame rate.
function Game:update(dt)
  self.time = self.time + math.min(dt, 0.25)
  while self.time >= bounce.STEP do
    self.time = self.time - bounce.STEP
    self:step()
  end
end

function Game:step()
  local speed = bounce.PLAYER_SPEED
  self.player:setVelocity(self.walkX * speed, self.walkY * speed) -- a wall may have stopped it
  self.world:step(bounce.STEP)
  for i = #self.balls, 1, -1 do
    local ball = self.balls[i]
    ball.age = ball.age + bounce.STEP
    self:flyBall(ball)
    if ball.scored or ball.age > bounce.BALL_LIFE then
      ball.box:remove()
      table.remove(self.balls, i)
    end
  end
end

-- The box bounces on its way, off several walls if need be. The rows say where, and the velocity
-- follows them.
function Game:flyBall(ball)
  local x, y = ball.box:getRect()
  local goalX, goalY = x + ball.vx * bounce.STEP, y + ball.vy * bounce.STEP
  local _, _, hits, n = self.world:move(ball.box, goalX, goalY, ball.rules, self.hits)
  for i = 1, n do
    local hit = hits[i]
    ball.x, ball.y = hit.x + bounce.BALL_SIZE / 2, hit.y + bounce.BALL_SIZE / 2
    if hit.response == "cross" then
      return self:scoreBall(ball)
    end
    self:bounceBall(ball, hit.nx, hit.ny)
  end
  ball.x, ball.y = ball.box:getCenter()
end

function Game:bounceBall(ball, nx, ny)
  ball.vx, ball.vy = broadside.reflect(ball.vx, ball.vy, nx, ny)
  ball.bounces = ball.bounces + 1
  if self.onBounce then
    self.onBounce(ball, nx, ny)
  end
end

function Game:scoreBall(ball)
  ball.scored = true
  self.score = self.score + 1
  if self.onScore then
    self.onScore(ball)
  end
end

return bounce
