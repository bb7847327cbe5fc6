-- The bounce game without its window: all the rules, and no drawing.
--
-- Two players walk in a room with walls. A thrown ball flies straight, bounces off the walls, and
-- scores when it meets the other player; it passes through the one who threw it. Lengths are
-- pixels, times are seconds, and y points down.

local broadside = require("broadside")

local bounce = {
  WIDTH = 960,
  HEIGHT = 544,
  PLAYER_SIZE = 48,
  PLAYER_SPEED = 240,
  BALL_SPEED = 720,
  BALL_LIFE = 3,
  STEP = 1 / 60,
}

-- Every box is on a layer, a power of two, so that a query can ask for walls alone.
local WALL = 1
local PLAYER = 2

local WALLS = {
  { 0, 0, 32, 544 }, -- the four sides of the room; they overlap, so that a corner has no seam
  { 928, 0, 32, 544 },
  { 0, 0, 960, 32 },
  { 0, 512, 960, 32 },
  { 256, 128, 64, 176 }, -- blocks inside
  { 416, 352, 192, 64 },
  { 704, 112, 64, 160 },
}

local Game = {}
Game.__index = Game

-- The back end changes the speed and nothing else.
function bounce.newGame(backend)
  local game = setmetatable({
    world = broadside.newWorld({ backend = backend or "auto" }),
    balls = {},
    found = {}, -- the result of the last query, used again and again
    throws = 0,
    score = 0,
    time = 0, -- what update() has not yet played
    onBounce = nil, -- set it to a function(ball, nx, ny)
    onScore = nil, -- set it to a function(ball)
  }, Game)
  for _, wall in ipairs(WALLS) do
    game.world:insert(wall[1], wall[2], wall[3], wall[4], { static = true, layer = WALL })
  end
  game.player = game:addPlayer(112, 400)
  game.opponent = game:addPlayer(832, 96)
  game.opponent:setVelocity(0, bounce.PLAYER_SPEED / 2)
  return game
end

function Game:addPlayer(x, y)
  local size = bounce.PLAYER_SIZE
  return self.world:insert(x, y, size, size, { layer = PLAYER })
end

-- The direction has a length of 1, or 0 to stand still.
function Game:walk(directionX, directionY)
  local speed = bounce.PLAYER_SPEED
  self.player:setVelocity(directionX * speed, directionY * speed)
end

-- Throws a ball from the middle of a player towards a point.
function Game:throw(thrower, toX, toY)
  local x, y = thrower:getCenter()
  local dx, dy = toX - x, toY - y
  local distance = math.sqrt(dx * dx + dy * dy)
  if distance == 0 then
    return nil
  end
  local ball = {
    thrower = thrower,
    x = x,
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

-- Plays dt seconds in steps of equal length, so that the game does not depend on the frame rate.
function Game:update(dt)
  self.time = self.time + math.min(dt, 0.25)
  while self.time >= bounce.STEP do
    self.time = self.time - bounce.STEP
    self:step()
  end
end

function Game:step()
  self:movePlayers()
  for i = #self.balls, 1, -1 do
    local ball = self.balls[i]
    ball.age = ball.age + bounce.STEP
    self:flyBall(ball)
    if ball.scored or ball.age > bounce.BALL_LIFE then
      table.remove(self.balls, i)
    end
  end
end

-- The world moves both players by their velocities, wherever that is; then each is pushed out of
-- the walls it is in. The opponent turns around when it was pushed.
function Game:movePlayers()
  local world, opponent = self.world, self.opponent
  world:step(bounce.STEP)
  world:resolve(self.player, WALL)
  local _, _, pushes = world:resolve(opponent, WALL)
  if pushes > 0 then
    local vx, vy = opponent:getVelocity()
    opponent:setVelocity(-vx, -vy)
  end
end

-- A ball is a point. The cast finds the first thing on its way of this step; after a bounce the
-- rest of the way is cast again. The thrower as the filter makes the cast pass through it.
function Game:flyBall(ball)
  local rest = bounce.STEP
  for _ = 1, 8 do
    local goalX, goalY = ball.x + ball.vx * rest, ball.y + ball.vy * rest
    local box, x, y, nx, ny, t =
      self.world:segmentCast(ball.x, ball.y, goalX, goalY, ball.thrower)
    if not box then
      self:placeBall(ball, goalX, goalY)
      return
    end
    if box == self.player or box == self.opponent then
      ball.x, ball.y = x, y
      self:scoreBall(ball)
      return
    end
    self:bounceBall(ball, x, y, nx, ny)
    rest = rest * (1 - t)
  end
end

function Game:bounceBall(ball, x, y, nx, ny)
  self:placeBall(ball, x, y)
  ball.vx, ball.vy = broadside.reflect(ball.vx, ball.vy, nx, ny)
  ball.bounces = ball.bounces + 1
  if self.onBounce then
    self.onBounce(ball, nx, ny)
  end
end

-- The place of a bounce is rounded, and could lie a hair inside of a wall. Then the ball stays
-- where it was: a ball that is never inside never gets stuck.
function Game:placeBall(ball, x, y)
  local _, n = self.world:queryPoint(x, y, WALL, self.found)
  if n == 0 then
    ball.x, ball.y = x, y
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
