-- Billiards without its window: a table from above, fifteen balls, and a cue ball. Put all of them
-- into the pockets by as few shots as you can. world:step moves the balls: they are circles that
-- bounce off each other and lose speed on the cloth (drag).
--
-- Lengths are pixels, times are seconds, and y points down. There are no angles, as sines differ
-- from machine to machine: directions are vectors, and the same shots end in the same places, to
-- the last bit.

local broadside = require("broadside")

local billiards = {
  WIDTH = 960,
  HEIGHT = 560,
  LEFT = 80, -- the cloth, between the noses of the cushions
  TOP = 80,
  RIGHT = 880,
  BOTTOM = 480,
  RADIUS = 9,
  POCKET_RADIUS = 16, -- a ball falls when its middle is so near to that of a pocket
  BALLS = 15,
  FASTEST = 1800, -- the speed of a break
  STEP = 1 / 60,
  INPUTS = { "vx", "vy", "strike" }, -- of a step: whether the cue strikes, and with what velocity
}

local R = billiards.RADIUS
local BALL, CUSHION, POCKET = 1, 2, 4 -- layers
billiards.BALL, billiards.CUSHION = BALL, CUSHION

local DRAG, DAMPING = 55, 0.35 -- the cloth, and the air
local BALL_BOUNCE, CUSHION_BOUNCE = 0.96, 0.78

local MIDDLE = (billiards.LEFT + billiards.RIGHT) / 2
local CENTER = (billiards.TOP + billiards.BOTTOM) / 2
billiards.HEAD = { billiards.LEFT + 200, CENTER } -- where the cue ball begins
local FOOT = { billiards.RIGHT - 220, CENTER } -- where the first ball of the rack is

billiards.pockets = {
  { 70, 70 }, { MIDDLE, 62 }, { 890, 70 }, { 70, 490 }, { MIDDLE, 498 }, { 890, 490 },
}

-- How far the cushions end from the corners, and from the middle of the long sides; at their noses
-- and at their backs.
local CORNER, CORNER_BACK, SIDE, SIDE_BACK, DEEP = 27, 0, 21, 15, 30

-- Trapezoids with their longer side at the back. Mirrored, they make all cushions.
local function cushions()
  local list = {}
  local left, top = billiards.LEFT, billiards.TOP
  local function add(corners)
    list[#list + 1] = corners
  end
  local long = { left + CORNER, top, MIDDLE - SIDE, top, MIDDLE - SIDE_BACK, top - DEEP,
    left + CORNER_BACK, top - DEEP }
  local short = { left, top + CORNER, left - DEEP, top + CORNER_BACK, left - DEEP,
    2 * CENTER - top - CORNER_BACK, left, 2 * CENTER - top - CORNER }
  for turn = 0, 3 do
    local corners = {}
    for i = 1, #long, 2 do
      corners[i] = turn % 2 == 0 and long[i] or 2 * MIDDLE - long[i]
      corners[i + 1] = turn < 2 and long[i + 1] or 2 * CENTER - long[i + 1]
    end
    add(corners)
  end
  local mirrored = {}
  for i = 1, #short, 2 do
    mirrored[i], mirrored[i + 1] = 2 * MIDDLE - short[i], short[i + 1]
  end
  add(short)
  add(mirrored)
  return list
end
billiards.cushions = cushions()

-- The frame behind the pockets, so that no ball leaves the table.
local FRAME = { { 0, 0, 960, 44 }, { 0, 516, 960, 44 }, { 0, 44, 44, 472 }, { 916, 44, 44, 472 } }

local Game = {}
Game.__index = Game

local function insertTable(world)
  local opts = { static = true, layer = CUSHION }
  for _, corners in ipairs(billiards.cushions) do
    world:insertPolygon(corners, opts)
  end
  for _, r in ipairs(FRAME) do
    world:insert(r[1], r[2], r[3], r[4], opts)
  end
  -- Two circles touch when their middles are as near as both radii together.
  for _, place in ipairs(billiards.pockets) do
    world:insertCircle(place[1], place[2], billiards.POCKET_RADIUS - R,
      { static = true, sensor = true, layer = POCKET })
  end
end

function Game:addBall(x, y, number)
  local ball = { number = number }
  ball.box = self.world:insertCircle(x, y, R, {
    layer = BALL, response = "bounce", bounce = BALL_BOUNCE, drag = DRAG, damping = DAMPING,
    data = ball,
  })
  self.onTable[#self.onTable + 1] = ball
  return ball
end

-- Fifteen balls in a triangle, so near that they nearly touch.
function Game:rack()
  local apart, number = R + 0.02, 0
  for row = 0, 4 do
    for i = 0, row do
      number = number + 1
      self:addBall(FOOT[1] + row * apart * math.sqrt(3), FOOT[2] + (2 * i - row) * apart, number)
    end
  end
end

-- The back end only changes the speed.
function billiards.newGame(backend)
  local game = setmetatable({
    world = broadside.newWorld({ backend = backend or "auto" }),
    onTable = {}, -- {{box =, number =}, ...}; the cue ball has the number 0
    fallen = {}, -- in the order in which they fell
    falling = {}, -- those of the last step; the same table each time
    shots = 0,
    fouls = 0, -- how often the cue ball fell
    isMoving = false,
    onHit = nil, -- set it to a function(x, y, speed, impulse, isBall)
    onFall = nil, -- set it to a function(ball, x, y)
  }, Game)
  insertTable(game.world)
  game.cue = game:addBall(billiards.HEAD[1], billiards.HEAD[2], 0)
  game:rack()
  return game
end

-- What a cushion takes. Of two bounces the greater one counts, and that is the balls'.
local function slowDown(box, nx, ny)
  local vx, vy = box:getVelocity()
  local off = vx * nx + vy * ny
  if off > 0 then
    local lost = off * (1 - CUSHION_BOUNCE / BALL_BOUNCE)
    box:setVelocity(vx - lost * nx, vy - lost * ny)
  end
end

-- Plays one step of the table alone, without the rules, and returns the number of balls that have
-- fallen in it: self.falling[1], ... These lie in their pockets as sensors. If there is an onHit,
-- each hit calls onHit(x, y, speed, impulse, isBall).
function Game:roll(onHit)
  local world, n = self.world, 0
  world:step(billiards.STEP)
  for box, other, _, _, nx, ny, speed, impulse in world:hits() do
    local layer = other:getFilter()
    if layer == POCKET and not box:isSensor() then
      n = n + 1
      self.falling[n] = box:getData()
      box:setSensor(true)
      box:setVelocity(0, 0)
    elseif layer == CUSHION then
      slowDown(box, nx, ny)
    end
    if onHit and impulse > 0 then
      local x, y = box:getCenter()
      onHit(x - R * nx, y - R * ny, speed, impulse, layer == BALL)
    end
  end
  return n
end

-- Whether a ball rolls.
function Game:rolls()
  for _, ball in ipairs(self.onTable) do
    local vx, vy = ball.box:getVelocity()
    if vx ~= 0 or vy ~= 0 then
      return true
    end
  end
  return false
end

-- Strikes the cue ball. Its speed is at most FASTEST.
function Game:strike(vx, vy)
  local length = math.sqrt(vx * vx + vy * vy)
  if self.isMoving or length == 0 or self:isWon() then
    return
  end
  local scale = math.min(1, billiards.FASTEST / length)
  self.cue.box:setVelocity(vx * scale, vy * scale)
  self.shots = self.shots + 1
  self.isMoving = true
end

function Game:isWon()
  return #self.fallen == billiards.BALLS
end

-- Puts the cue ball back after it has fallen: to the first free place from the head on.
local function placeCue(game)
  local x, y = billiards.HEAD[1], billiards.HEAD[2]
  while select(2, game.world:queryCircle(x, y, R, BALL)) > 0 do
    x = x - 1
  end
  game.cue.box:setCenter(x, y)
  game.cue.box:setSensor(false)
end

-- The cue ball stays in its pocket until all others rest.
local function fall(game, ball)
  if game.onFall then
    game.onFall(ball, ball.box:getCenter())
  end
  if ball == game.cue then
    game.fouls = game.fouls + 1
    return
  end
  ball.box:remove()
  game.fallen[#game.fallen + 1] = ball
  for i, other in ipairs(game.onTable) do
    if other == ball then
      table.remove(game.onTable, i)
    end
  end
end

-- The time of a step is STEP. For `input` see billiards.INPUTS.
function Game:step(_, input)
  if input and input.strike then
    self:strike(input.vx or 0, input.vy or 0)
  end
  if not self.isMoving then
    return
  end
  for i = 1, self:roll(self.onHit) do
    fall(self, self.falling[i])
  end
  self.isMoving = self:rolls()
  if not self.isMoving and self.cue.box:isSensor() then
    placeCue(self)
  end
end

-- Of all that later steps depend on.
function Game:hash()
  self.slot = self.world:snapshot(self.slot)
  return self.slot:getHash()
end

-- Plays a shot to its end, and takes it back: the world goes on from where it was. Returns how many
-- balls fall, and whether the cue ball does. f(game), if it is given, is called at the end of the
-- shot, and its result returned.
function Game:foresee(vx, vy, f)
  local down, isFoul = 0, false
  self.before = self.world:snapshot(self.before)
  self.cue.box:setVelocity(vx, vy)
  repeat
    for i = 1, self:roll() do
      local isCue = self.falling[i] == self.cue
      down, isFoul = down + (isCue and 0 or 1), isFoul or isCue
    end
  until not self:rolls()
  local result = f and f(self)
  self.world:restore(self.before)
  return down, isFoul, result
end

return billiards
