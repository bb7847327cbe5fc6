-- The cannon game without its window: all the rules, and no drawing.
--
-- The cannon stands at the origin and aims at the pointer. It fires a ball whose speed, per second,
-- is twice the pointer's distance; gravity does the rest. A target that a ball hits disappears, and
-- the ball flies on. Lengths are metres, times are seconds, and y points up.

local broadside = require("broadside")

local cannon = {
  WIDTH = 9.6,
  HEIGHT = 4.8,
  GRAVITY = -10,
  BALL_SIZE = 0.2,
  TARGET_SIZE = 0.5,
  TARGETS = 20,
  STEP = 1 / 60,
}

-- Every box is on a layer, a power of two, so a query can ask for targets only.
local TARGET = 1
local BALL = 2

local Game = {}
Game.__index = Game

-- Returns a function random(low, high) whose numbers only depend on the seed, so a game can be
-- repeated on any machine and any version of Lua.
function cannon.newRandom(seed)
  local state = seed % 2147483646 + 1
  local function random(low, high)
    state = state * 48271 % 2147483647
    return low + (high - low) * (state / 2147483647)
  end
  -- Neighbouring seeds begin with similar numbers, so the first ones are thrown away.
  for _ = 1, 5 do
    random(0, 1)
  end
  return random
end

-- The same seed gives the same targets. The back end only changes the speed.
function cannon.newGame(seed, backend)
  local game = setmetatable({
    world = broadside.newWorld({
      backend = backend or "auto",
      gravity = { 0, cannon.GRAVITY },
    }),
    balls = {}, -- the Boxes of the balls in flight
    places = {}, -- where the balls were before the step
    aimX = cannon.WIDTH / 2,
    aimY = cannon.HEIGHT / 2,
    shots = 0,
    score = 0,
    time = 0, -- what update() has not played yet
    onHit = nil, -- set it to a function(ball, target); target is the table of addTarget()
  }, Game)
  game:addRandomTargets(cannon.newRandom(seed))
  return game
end

-- x, y is the lower left corner.
function Game:addTarget(x, y, name)
  local size = cannon.TARGET_SIZE
  local target = { name = name, x = x, y = y }
  target.box = self.world:insert(x, y, size, size, { static = true, layer = TARGET, data = target })
  return target
end

function Game:addRandomTargets(random)
  local size = cannon.TARGET_SIZE
  for i = 1, cannon.TARGETS do
    local x, y, taken
    repeat
      x = random(0, cannon.WIDTH - size)
      y = random(0, cannon.HEIGHT - size)
      local _, n = self.world:queryRect(x, y, size, size)
      taken = n > 0
    until not taken
    self:addTarget(x, y, string.char(64 + i)) -- A, B, C ...
  end
end

function Game:aim(x, y)
  self.aimX, self.aimY = x, y
end

function Game:fire()
  local size = cannon.BALL_SIZE
  local ball = self.world:insert(-size / 2, -size / 2, size, size, {
    layer = BALL,
    vx = 2 * self.aimX,
    vy = 2 * self.aimY,
  })
  table.insert(self.balls, ball)
  self.shots = self.shots + 1
  return ball
end

function Game:isWon()
  return self.score == cannon.TARGETS
end

-- Plays dt seconds in steps of equal length, so the game does not depend on the frame rate.
function Game:update(dt)
  self.time = self.time + math.min(dt, 0.25)
  while self.time >= cannon.STEP do
    self.time = self.time - cannon.STEP
    self:step()
  end
end

-- Plays one step: the world moves the balls, then each ball removes the targets on its way.
function Game:step()
  local world, balls, places = self.world, self.balls, self.places
  world:getRects(balls, places)
  world:step(cannon.STEP)
  for i = #balls, 1, -1 do
    local ball = balls[i]
    self:hitTargets(ball, places[4 * i - 3], places[4 * i - 2])
    local x, y, w, h = ball:getRect()
    if y + h < 0 or x + w < 0 or x > cannon.WIDTH then
      world:remove(ball)
      table.remove(balls, i)
    end
  end
end

-- A fast ball goes far in one step, and may jump over a target. So it is not enough to look where
-- the ball is. The sweep finds what is between the old place and the new one.
function Game:hitTargets(ball, oldX, oldY)
  local world = self.world
  local x, y, w, h = ball:getRect()
  local dx, dy = x - oldX, y - oldY
  local box = world:sweepRect(oldX, oldY, w, h, dx, dy, TARGET)
  while box do
    local target = box:getData()
    world:remove(box)
    self.score = self.score + 1
    if self.onHit then
      self.onHit(ball, target)
    end
    box = world:sweepRect(oldX, oldY, w, h, dx, dy, TARGET)
  end
end

return cannon
