-- The jar without its window: drop balls into it. Two of one size that touch become one of the next
-- size, and the game ends when balls stay above the rim. world:step moves the balls: they are
-- bodies, circles that bounce a little, and never overlap, even when one grows.
--
-- Lengths are pixels, times are seconds, and y points down.

local broadside = require("broadside")

local jar = {
  WIDTH = 480,
  HEIGHT = 640,
  LEFT = 60, -- the inside of the jar
  RIGHT = 420,
  RIM = 150,
  FLOOR = 600,
  DROP_Y = 75, -- where balls begin to fall
  RADII = { 12, 17, 24, 34, 48, 68, 96 }, -- of each size; two of one size have the next one's area
  STEP = 1 / 60,
  INPUTS = { "x", "drop" }, -- of a step: whether a ball is dropped, and where
}

local BALL = 2 -- the layer of balls
local GROWTH = 1 -- how much a radius grows in a step
local PUSH = 180 -- the speed at which a ball that grows pushes others away
local RISE = 120 -- and its own: up, and slower, so that it is not stuck between the others
local NEAR = 0.5 -- two that are as near as this touch
local PAUSE, PATIENCE = 36, 120 -- steps between two drops; steps above the rim that end the game

local Game = {}
Game.__index = Game

-- The back end only changes the speed. The same seed gives the same balls.
function jar.newGame(seed, backend)
  local game = setmetatable({
    world = broadside.newWorld({ backend = backend or "auto", gravity = { 0, 900 } }),
    random = seed or 1,
    balls = {}, -- {{box =, size =, r =}, ...}; r is less than that of its size while it grows
    drops = 0,
    merges = 0,
    score = 0,
    wait = 0, -- steps until the next drop
    above = 0, -- steps for which something has been above the rim
    isOver = false,
    onMerge = nil, -- set it to a function(ball)
  }, Game)
  game.world:insert(jar.LEFT - 40, -400, 40, jar.FLOOR + 400, { static = true })
  game.world:insert(jar.RIGHT, -400, 40, jar.FLOOR + 400, { static = true })
  game.world:insert(0, jar.FLOOR, jar.WIDTH, 40, { static = true })
  game:pickNext()
  return game
end

-- Makes one of the three smallest sizes the next one.
function Game:pickNext()
  self.random = (self.random * 48271 + 1) % 2147483647
  self.next = self.random % 3 + 1
end

-- The place nearest to x where a ball of radius r is in the jar.
function jar.clamp(x, r)
  return math.max(jar.LEFT + r, math.min(x, jar.RIGHT - r))
end

function Game:drop(x)
  local ball = { size = self.next, r = jar.RADII[self.next] }
  ball.box = self.world:insertCircle(jar.clamp(x, ball.r), jar.DROP_Y, ball.r, {
    layer = BALL, response = "bounce", bounce = 0.2, friction = 0.1, mass = ball.r ^ 2,
    data = ball,
  })
  table.insert(self.balls, ball)
  self.drops, self.wait = self.drops + 1, PAUSE
  self:pickNext()
end

-- `ball` takes in the other one. It grows in the next steps.
function Game:merge(ball, other)
  ball.size = ball.size + 1
  ball.box:setMass(jar.RADII[ball.size] ^ 2)
  other.box:remove()
  for i, each in ipairs(self.balls) do
    if each == other then
      table.remove(self.balls, i)
      break
    end
  end
  self.merges, self.score = self.merges + 1, self.score + 2 ^ ball.size
  if self.onMerge then
    self.onMerge(ball)
  end
end

-- Grows a ball by that much, if it has the room. Returns whether it has.
function Game:grow(ball, x, y, by)
  local r = math.min(ball.r + by, jar.RADII[ball.size])
  x, y = jar.clamp(x, r), math.min(y, jar.FLOOR - r)
  if self.world:canFit(ball.box, x - r, y - r, 2 * r, 2 * r) then
    ball.box:setRect(x - r, y - r, 2 * r, 2 * r)
    ball.r = r
    return true
  end
  return false
end

-- Merges a ball with one of its size that it touches, or lets it grow, and push what it touches.
function Game:tend(ball)
  local x, y = ball.box:getCenter()
  local isGrowing = ball.r < jar.RADII[ball.size]
  local touched, n = self.world:queryCircle(x, y, ball.r + NEAR, BALL)
  for i = 1, n do
    local other = touched[i]:getData()
    if other ~= ball and other.size == ball.size and ball.size < #jar.RADII then
      return self:merge(ball, other)
    elseif other ~= ball and isGrowing then
      local otherX, otherY = other.box:getCenter()
      local dx, dy = otherX - x, otherY - y
      local k = PUSH / math.sqrt(dx * dx + dy * dy)
      other.box:setVelocity(k * dx, k * dy)
      ball.box:setVelocity(0, -RISE)
    end
  end
  if isGrowing and not self:grow(ball, x, y, GROWTH) then
    self:grow(ball, x, y, GROWTH / 8) -- so that it does not wait for a wide gap
  end
end

-- The time of a step is STEP. For `input` see jar.INPUTS.
function Game:step(_, input)
  if self.isOver then
    return
  end
  if input and input.drop and self.wait == 0 then
    self:drop(input.x or jar.WIDTH / 2)
  end
  self.wait = math.max(0, self.wait - 1)
  self.world:step(jar.STEP)
  local top = jar.HEIGHT
  for i = #self.balls, 1, -1 do -- backwards, as balls go
    local ball = self.balls[i]
    if ball then
      self:tend(ball)
      top = math.min(top, select(2, ball.box:getCenter()) - ball.r)
    end
  end
  self.above = top < jar.RIM and self.above + 1 or 0
  self.isOver = self.above > PATIENCE
end

return jar
