-- The platformer without its window: all the rules, and no drawing. The level is in level.lua.
--
-- Run and jump to the flag, collect coins, jump on enemies, ride the lifts, and keep out of the
-- crushers. What is stopped by others goes by world:move; lifts and crushers, which nothing stops,
-- go by world:push. Hills have slopes, which are polygons. Lengths are pixels, times are seconds,
-- and y points down.

local broadside = require("broadside")
local level = require("platformer.level")

local platformer = { WIDTH = 960, HEIGHT = 544, STEP = 1 / 60 }

local STEP = platformer.STEP
local RUN, ACCELERATION = 210, 1600
local GRAVITY, FASTEST_FALL = 1700, 640
local JUMP, SHORT_JUMP, HOP = 580, 200, 420 -- speeds: at the start, when let go, off an enemy
local COYOTE, PATIENCE = 6, 6 -- steps by which a jump may come late, or early
local PAUSE = 50 -- steps from death to a new start
local SNAP = 1 -- how far whoever walks is drawn to the ground

-- What stops a body, and what it goes through but is told about. It slides along what it meets, but
-- who stands on a slope does not slide down.
local MET = level.ENEMY + level.THING + level.SPIKES
local PLAYER_RULES = {
  move = { slide = level.SOLID, cross = MET }, stand = { touch = level.SOLID, cross = MET },
}
local ENEMY_RULES = { move = { slide = level.SOLID }, stand = { touch = level.SOLID } }
local GROUND = { touch = level.SOLID }

local Game = {}
Game.__index = Game

-- The back end changes the speed and nothing else.
function platformer.newGame(backend)
  local game = setmetatable({
    -- Gravity tells world:push what rests on a platform. Bodies fall by moveBody.
    world = broadside.newWorld({ backend = backend or "auto", results = "data",
      gravity = { 0, GRAVITY } }) --[[@as broadside.WorldOfData]],
    platforms = {},
    enemies = {},
    hits = {}, -- what the last move has met, used again and again
    pushed = {}, -- and the last push
    steps = 0,
    coins = 0,
    coinsInAll = 0,
    deaths = 0,
    pause = 0, -- steps until the player starts again
    late = 0, -- steps for which a jump is still possible
    wish = 0, -- steps for which a jump is still wanted
    direction = 0,
    time = 0, -- what update() has not yet played
    pilot = nil, -- set it to a function(game) that says what control() takes, at each step
    onEvent = function() end, -- set it to a function(name, x, y): see emit()
  }, Game)
  level.build(game)
  return game
end

-- direction: -1, 0 or 1. jump: whether the button is held. Whoever has won stands still.
function Game:control(direction, jump)
  if self.isWon then
    direction, jump = 0, false
  end
  if jump and not self.isHeld then
    self.wish = PATIENCE
  end
  self.direction, self.isHeld = direction, jump
end

-- Plays dt seconds in steps of equal length, so that the game does not depend on the frame rate.
function Game:update(dt)
  self.time = self.time + math.min(dt, 0.25)
  while self.time >= STEP do
    self.time = self.time - STEP
    self:step()
  end
end

function Game:step()
  self.steps = self.steps + 1
  if self.pilot then
    self:control(self.pilot(self))
  end
  for _, platform in ipairs(self.platforms) do
    self:movePlatform(platform)
  end
  for _, enemy in ipairs(self.enemies) do
    self:moveEnemy(enemy)
  end
  self.pause = math.max(0, self.pause - 1)
  if self.pause == 1 then
    self:startAgain()
  elseif self.pause == 0 then
    self:movePlayer()
  end
end

-- Something has happened to an entity: "jump", "land", "coin", "stomp", "die", "start" ...
function Game:emit(name, entity)
  self.onEvent(name, entity.box:getCenter())
end

-- bodies ------------------------------------------------------------------------------------------

-- Goes as far as it gets, and is told what it meets. A wall stops a body, a slope does not; a floor
-- carries it.
function Game:go(body, dx, dy, rules)
  local x, y = body.box:getRect()
  local _, _, hits, n = self.world:move(body.box, x + dx, y + dy, rules, self.hits)
  for i = 1, n do
    local hit = hits[i]
    if hit.response ~= "cross" then
      if math.abs(hit.nx) > 0.8 then body.vx = 0 end
      if math.abs(hit.ny) > 0.5 then body.vy = 0 end
      if hit.ny < -0.5 then body.grounded = true end
    end
  end
  for i = 1, n do
    if hits[i].response == "cross" then
      self:meet(hits[i].other, hits[i].ny)
    end
  end
end

-- Who stands goes along, and then down, so far that the ground is followed down a slope, if there
-- is any. Who flies goes both ways at once.
function Game:moveBody(body, rules)
  body.vy = math.min(body.vy + GRAVITY * STEP, FASTEST_FALL)
  local dx, dy, isWalking = body.vx * STEP, body.vy * STEP, body.grounded and body.vy > 0
  body.grounded = false
  if not isWalking then
    self:go(body, dx, dy, rules.move)
    return
  end
  self:go(body, dx, 0, rules.move)
  local x, y = body.box:getRect()
  local down = math.max(dy, math.abs(dx) + SNAP)
  local _, _, _, n = self.world:check(body.box, x, y + down, GROUND, self.hits)
  self:go(body, 0, n > 0 and down or dy, rules.stand)
end

-- Turns at walls, and where there is no floor ahead.
function Game:moveEnemy(enemy)
  local vx = enemy.vx
  self:moveBody(enemy, ENEMY_RULES)
  local x, y, w, h = enemy.box:getRect()
  local toeX = vx > 0 and x + w + 1 or x - 1
  local isFloorAhead = self.world:segmentCast(toeX, y + h - 1, toeX, y + h + w, level.SOLID)
  local turns = enemy.vx == 0 or enemy.grounded and not isFloorAhead
  enemy.vx = turns and -vx or vx
end

function Game:movePlayer()
  local player = self.player
  local most, change = ACCELERATION * STEP, self.direction * RUN - player.vx
  player.vx = player.vx + math.max(-most, math.min(most, change))
  self:jump()
  local wasGrounded = player.grounded
  self:moveBody(player, PLAYER_RULES)
  if player.grounded and not wasGrounded then
    self:emit("land", player)
  end
  local _, y = player.box:getRect()
  if y > level.HEIGHT then
    self:beat(player)
  end
end

-- A jump is as high as its button is held long. It may come a little late, after an edge, and a
-- little early, before a landing.
function Game:jump()
  local player = self.player
  self.late = player.grounded and COYOTE or self.late - 1
  self.wish = self.wish - 1
  if self.wish >= 0 and self.late > 0 then
    player.vy = -JUMP
    self.wish, self.late, self.isJump = 0, 0, true
    self:emit("jump", player)
  elseif self.isJump and not self.isHeld then
    player.vy = math.max(player.vy, -SHORT_JUMP)
    self.isJump = false
  end
end

-- What the player has come through. ny tells from where: -1 is from above.
function Game:meet(other, ny)
  local player = self.player
  if other.kind == "coin" then
    self.coins = self.coins + 1
    self:emit("coin", other)
    other.box:remove()
  elseif other.kind == "enemy" and ny < 0 then
    player.vy, player.grounded, self.isJump = -HOP, false, false
    self:beat(other)
  elseif other.kind == "enemy" or other.kind == "spikes" then
    self:beat(player)
  elseif other.kind == "checkpoint" and not other.isReached then
    other.isReached = true
    self.startX, self.startY = player.box:getRect()
    self:emit("checkpoint", other)
  elseif other.kind == "goal" and not self.isWon then
    self.isWon = true
    self:emit("goal", other)
  end
end

-- An enemy is gone; the player starts again, a little later.
function Game:beat(body)
  if body.kind == "enemy" then
    self:emit("stomp", body)
    body.box:remove()
    for i, enemy in ipairs(self.enemies) do
      if enemy == body then
        table.remove(self.enemies, i)
        break
      end
    end
  elseif self.pause == 0 and not self.isWon then
    self:emit("die", body)
    self.deaths = self.deaths + 1
    self.pause = PAUSE
  end
end

function Game:startAgain()
  local player = self.player
  player.box:setRect(self.startX, self.startY)
  player.vx, player.vy = 0, 0
  self:emit("start", player)
end

-- platforms ---------------------------------------------------------------------------------------

-- Nothing stops a platform. Who stands on it is carried, who is in its way is pushed; and if that
-- one cannot give way, the row says crushed.
function Game:movePlatform(platform)
  local before = platform.along
  local x, y = level.follow(platform, self.steps * STEP)
  local _, _, rows, n =
    self.world:push(platform.box, x, y, level.PLAYER + level.ENEMY, self.pushed)
  for i = 1, n do
    if rows[i].crushed then
      self:beat(rows[i].other)
    end
  end
  if platform.kind == "crusher" and platform.along == 1 and before < 1 then
    self:emit("thud", platform)
  end
end

return platformer
