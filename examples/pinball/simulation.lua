-- Pinball without its window. world:step moves the balls: bodies among bumpers, belts, a one-way
-- gate, sensors, and what flies: flippers and the lift, which push balls and notice nothing.
--
-- Lost balls fall onto a belt, which takes them to the lift, which is also the spring that launches
-- them. Lengths are pixels, times are seconds, and y points down.

local broadside = require("broadside")
local layout = require("pinball.table")

local pinball = {
  WIDTH = layout.WIDTH,
  HEIGHT = layout.HEIGHT,
  RADIUS = layout.RADIUS,
  LIVES = 6, -- balls that may be lost
  MOST_BALLS = 5, -- at a time
  STEP = 1 / 60,
}

local R = layout.RADIUS
local BALL, PART = 1, 2 -- layers

local GRAVITY, FASTEST = 600, 1300
local BALL_OPTS = { layer = BALL, response = "bounce", bounce = 0.4, maxSpeed = FASTEST }

-- What flies goes through all but balls. Down is positive.
local FLYING = { layer = PART, mask = BALL, gravityScale = 0 }
local FLIPPER_STROKE, FLIPPER_SPEED, FLIPPER_BACK = 45, 640, 300

-- The places of the lift's top, and its speeds.
local DOWN, READY, PULLED, SHOT = layout.LIFT[2], 600, 640, 545
local RISE, SINK, LEAST_SHOT, MOST_SHOT = 160, 260, 300, 800

local Game = {}
Game.__index = Game

local function insertPart(game, part)
  local world, opts = game.world, {}
  local box
  for name, value in pairs(part.opts) do
    opts[name] = value
  end
  opts.layer = PART
  opts.data = { kind = part.kind, points = part.points, part = part, age = math.huge }
  if part.rect then
    box = world:insert(part.rect[1], part.rect[2], part.rect[3], part.rect[4], opts)
  elseif part.circle then
    box = world:insertCircle(part.circle[1], part.circle[2], part.circle[3], opts)
  else
    box = world:insertPolygon(part.corners, opts)
  end
  opts.data.box = box
  table.insert(game.parts, opts.data)
end

function Game:addBall(x, y)
  local ball = self.world:insertCircle(x, y, R, BALL_OPTS)
  self.marbles[#self.marbles + 1] = ball
  return ball
end

-- The back end only changes the speed.
function pinball.newGame(backend)
  local game = setmetatable({
    world = broadside.newWorld({ backend = backend or "auto", gravity = { 0, GRAVITY } }),
    parts = {}, -- {{kind =, points =, part =, box =, age = seconds since it was hit}, ...}
    marbles = {}, -- balls
    isOut = {}, -- by ball: it is not in play
    isOwed = false, -- lights have won a ball, which comes as soon as there is room
    flippers = {}, -- {{box =, y = its place at rest, isUp =}, ...}: left and right
    state = "down", -- of the lift: "down", "rising", "ready", "shot", "sinking"
    isPulled = false,
    pull = 0, -- 0..1
    score = 0,
    lost = 0,
    steps = 0,
    time = 0, -- what update() has not played yet
    onHit = nil, -- set it to a function(part, x, y, speed)
  }, Game)
  for _, part in ipairs(layout.parts) do
    insertPart(game, part)
  end
  for i, corners in ipairs(layout.flippers) do
    local box = game.world:insertPolygon(corners, FLYING)
    game.flippers[i] = { box = box, y = select(2, box:getRect()), isUp = false }
  end
  game.lift = game.world:insert(layout.LIFT[1], DOWN, layout.LIFT[3], 200, FLYING)
  game.isOut[game:addBall(layout.LIFT[1] - 60, DOWN - R)] = true
  return game
end

function Game:isOver()
  return self.lost >= pinball.LIVES
end

-- Lets what flies go towards a place, and stop there exactly.
local function steer(box, toY, speed)
  local _, y = box:getRect()
  local vy = (toY - y) / pinball.STEP
  box:setVelocity(0, math.max(-speed, math.min(vy, speed)))
  return y == toY
end

-- side: 1 (left) or 2 (right).
function Game:flip(side, isUp)
  self.flippers[side].isUp = isUp
end

-- Pulls the spring while it is held, and lets it go.
function Game:pullSpring(isPulled)
  if self.isPulled and not isPulled and self.state == "ready" then
    self.state = "shot"
  end
  self.isPulled = isPulled
end

-- Whether a ball lies on the lift, and not below the wall beside the lane.
function Game:hasLoad()
  local ball = self.world:touching(self.lift, 0, -1, BALL)
  return ball and ball:getCenter() > layout.LANE + R
end

local LIFT = {}

function LIFT.down(game)
  steer(game.lift, DOWN, SINK)
  if not game:isOver() and game:hasLoad() then
    game.state = "rising"
  end
end

function LIFT.rising(game)
  if steer(game.lift, READY, RISE) then
    game.state, game.pull = "ready", 0
  end
end

function LIFT.ready(game)
  game.pull = game.isPulled and math.min(1, game.pull + pinball.STEP) or 0
  steer(game.lift, READY + (PULLED - READY) * game.pull, RISE)
end

function LIFT.shot(game)
  if steer(game.lift, SHOT, LEAST_SHOT + (MOST_SHOT - LEAST_SHOT) * game.pull) then
    game.state, game.pull = "sinking", 0
  end
end

function LIFT.sinking(game)
  if steer(game.lift, DOWN, SINK) then
    game.state = "down"
  end
end

-- All parts of a kind, if all of them are set; else nil.
local function allSet(game, kind)
  local list = {}
  for _, part in ipairs(game.parts) do
    if part.kind == kind then
      if not part.isSet then
        return nil
      end
      list[#list + 1] = part
    end
  end
  return list
end

local function reset(list)
  for _, part in ipairs(list) do
    part.isSet = false
  end
end

-- Targets that are not set come up again, as soon as no ball is on them.
function Game:raiseTargets()
  for _, part in ipairs(self.parts) do
    if part.kind == "target" and not part.isSet and part.box:isSensor() then
      local _, n = self.world:queryBox(part.box, BALL)
      part.box:setSensor(n > 0)
    end
  end
end

-- What a hit of a part counts, and what happens then.
function Game:hitPart(part)
  part.age = 0
  self.score = self.score + part.points
  if part.kind ~= "light" and part.kind ~= "target" then
    return
  end
  part.isSet = true
  if part.kind == "target" then
    part.box:setSensor(true)
  end
  local all = allSet(self, part.kind)
  if all then
    reset(all)
    self.score = self.score + 1000
    if part.kind == "light" and #self.marbles < pinball.MOST_BALLS then
      self.isOwed = true
    end
  end
end

-- The hits of the last step. Who lies on something is told in every step: slow hits do not count.
function Game:readHits()
  for ball, other, _, _, nx, ny, speed in self.world:hits() do
    local part = other:getData()
    local counts = part and part.points and not part.isSet
      and (part.kind == "light" or speed > 60 and not part.box:isSensor())
    if counts then
      self:hitPart(part)
    end
    if self.onHit and speed > 60 then
      local x, y = ball:getCenter()
      self.onHit(counts and part, x - R * nx, y - R * ny, speed)
    end
  end
end

function Game:step()
  self.steps = self.steps + 1
  for _, flipper in ipairs(self.flippers) do
    steer(flipper.box, flipper.y - (flipper.isUp and FLIPPER_STROKE or 0),
      flipper.isUp and FLIPPER_SPEED or FLIPPER_BACK)
  end
  LIFT[self.state](self)
  self.world:step(pinball.STEP)
  for _, part in ipairs(self.parts) do
    part.age = part.age + pinball.STEP
  end
  self:readHits()
  self:launch()
  self:raiseTargets()
  self:countLost()
end

-- The ball that lights have won, from above.
function Game:launch()
  local x, y = 258, 60
  local _, n = self.world:queryCircle(x, y, R, BALL)
  if self.isOwed and n == 0 then
    self:addBall(x, y)
    self.isOwed = false
  end
end

-- A ball is out of play from the belt until it comes out of the lane.
function Game:countLost()
  for _, ball in ipairs(self.marbles) do
    local x, y = ball:getCenter()
    if y > layout.LOST_Y and not self.isOut[ball] then
      self.isOut[ball] = true
      self.lost = self.lost + 1
    elseif y < layout.LOST_Y and x < layout.LANE - R then
      self.isOut[ball] = nil
    end
  end
end

-- Plays dt seconds in steps of equal length, so the game does not depend on the frame rate.
function Game:update(dt)
  self.time = self.time + math.min(dt, 0.25)
  while self.time >= pinball.STEP do
    self.time = self.time - pinball.STEP
    self:step()
  end
end

return pinball
