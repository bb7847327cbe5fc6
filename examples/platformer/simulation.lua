-- The platformer without its window: all the rules, and no drawing. The level is in level.lua.
--
-- Run and jump to the flag, collect coins, jump on enemies, ride the lifts, and keep away from the
-- crushers. The player and the enemies are walkers (broadside.walker). Nothing stops lifts and
-- crushers, so world:push moves them. Lengths are pixels, times are seconds, and y points down.

local broadside = require("broadside")
local level = require("platformer.level")

local platformer = { WIDTH = 960, HEIGHT = 544, STEP = 1 / 60, INPUTS = { "direction", "jump" } }

local STEP = platformer.STEP
local RUN, ACCELERATION = 210, 1600
local GRAVITY, FASTEST_FALL = 1700, 640
local JUMP, SHORT_JUMP, HOP = 580, 200, 420 -- speeds: at the start, when let go, off an enemy
-- Seconds by which a jump may be late, steps by which it may be early.
local COYOTE, PATIENCE = 0.1, 6
local PAUSE = 50 -- steps from death to a new start

local Game = {}
Game.__index = Game

-- The back end only changes the speed.
function platformer.newGame(backend)
  local game = setmetatable({
    world = broadside.newWorld({ backend = backend or "auto",
      results = "data" }) --[[@as broadside.WorldOfData]],
    platforms = {}, enemies = {}, checkpoints = {},
    pushed = {}, -- what the last push has moved; the same table each time
    steps = 0, coins = 0, coinsInAll = 0, deaths = 0,
    pause = 0, wish = 0, -- steps until a new start; how long a jump is still wanted
    direction = 0,
    onEvent = function() end, -- set it to a function(name, x, y): see emit()
  }, Game)
  level.build(game)
  return game
end

-- For drawing between this place and the next.
local function remember(entity)
  entity.lastX, entity.lastY = entity.box:getRect()
end

-- A text that differs if anything differs that later steps depend on. A zero may be -0 in one Lua
-- and an integer in another; + 0.0 makes them equal.
function Game:hash()
  local player, texts = self.player, { self.world:snapshot():getHash() }
  local values = { self.coins, self.deaths, self.pause, self.wish, player.vx, player.vy,
    self.startX, self.startY }
  for _, enemy in ipairs(self.enemies) do
    table.insert(values, enemy.vx)
    table.insert(values, enemy.vy)
  end
  for i, value in ipairs(values) do
    texts[i + 1] = ("%.17g"):format(value + 0.0)
  end
  return table.concat(texts, " ")
end

-- saving ------------------------------------------------------------------------------------------

local GAME_STATE = { "steps", "coins", "deaths", "pause", "wish", "direction", "isHeld", "isJump",
  "isWon", "startX", "startY" }

local function copy(from, to, names)
  for _, name in ipairs(names) do
    to[name] = from[name]
  end
end

-- The player or an enemy. What its box has is in the world's snapshot.
local function saveBody(body, slot)
  slot = slot or {}
  slot.body, slot.vx, slot.vy = body, body.vx, body.vy
  slot.walker = body.walker:save(slot.walker)
  return slot
end

local function loadBody(slot)
  local body = slot.body
  body.lastX, body.lastY = nil, nil
  body.vx, body.vy = slot.vx, slot.vy
  body.walker:restore(slot.walker)
  return body
end

-- Returns the state of the game. slot: an earlier result, which is used again.
function Game:save(slot)
  slot = slot or { enemies = {}, along = {}, isReached = {} }
  slot.world = self.world:snapshot(slot.world)
  copy(self, slot, GAME_STATE)
  slot.player, slot.count = saveBody(self.player, slot.player), #self.enemies
  for i, enemy in ipairs(self.enemies) do
    slot.enemies[i] = saveBody(enemy, slot.enemies[i])
  end
  for i, platform in ipairs(self.platforms) do
    slot.along[i] = platform.along
  end
  for i, checkpoint in ipairs(self.checkpoints) do
    slot.isReached[i] = checkpoint.isReached or false
  end
  return slot
end

function Game:load(slot)
  self.world:restore(slot.world) -- first: walkers look where their boxes are
  copy(slot, self, GAME_STATE)
  loadBody(slot.player)
  for i = math.max(slot.count, #self.enemies), 1, -1 do
    self.enemies[i] = i <= slot.count and loadBody(slot.enemies[i]) or nil
  end
  for i, platform in ipairs(self.platforms) do
    platform.along, platform.lastX, platform.lastY = slot.along[i], nil, nil
  end
  for i, checkpoint in ipairs(self.checkpoints) do
    checkpoint.isReached = slot.isReached[i]
  end
end

-- playing -----------------------------------------------------------------------------------------

-- direction: -1, 0 or 1. jump: whether the button is held. A player who has won stands still.
function Game:control(direction, jump)
  if self.isWon then direction, jump = 0, false end
  if jump and not self.isHeld then self.wish = PATIENCE end
  self.direction, self.isHeld = direction, jump
end

-- Plays a step. input: direction (-1, 0 or 1) and jump; without it those of the last step hold.
function Game:step(_, input)
  if input then self:control(input.direction or 0, input.jump) end
  self.steps = self.steps + 1
  remember(self.player)
  for _, platform in ipairs(self.platforms) do
    remember(platform)
    self:movePlatform(platform)
  end
  for _, enemy in ipairs(self.enemies) do
    remember(enemy)
    self:moveEnemy(enemy)
  end
  self.pause = math.max(0, self.pause - 1)
  if self.pause == 1 then
    self:startAgain()
  elseif self.pause == 0 then
    self:movePlayer()
  end
end

-- Reports an event of an entity: "jump", "land", "coin", "stomp", "die", "start" ...
function Game:emit(name, entity)
  self.onEvent(name, entity.box:getCenter())
end

-- Walks or falls for one step.
local function walk(body)
  body.vy = math.min(body.vy + GRAVITY * STEP, FASTEST_FALL)
  body.vx, body.vy = body.walker:walk(body.vx, body.vy, STEP)
end

-- Moves an enemy, which turns at walls, and where there is no floor ahead.
function Game:moveEnemy(enemy)
  local vx = enemy.vx
  walk(enemy)
  local x, y, w, h = enemy.box:getRect()
  local toeX = vx > 0 and x + w + 1 or x - 1
  local isFloorAhead = self.world:segmentCast(toeX, y + h - 1, toeX, y + h + w, level.SOLID)
  if enemy.vx == 0 or enemy.walker.onFloor and not isFloorAhead then enemy.vx = -vx end
end

function Game:movePlayer()
  local player, walker = self.player, self.player.walker
  local most, change = ACCELERATION * STEP, self.direction * RUN - player.vx
  player.vx = player.vx + math.max(-most, math.min(most, change))
  self:jump()
  local wasOnFloor = walker.onFloor
  walk(player)
  if walker.onFloor and not wasOnFloor then self:emit("land", player) end
  for i = 1, walker.n do
    self:meet(walker.hits[i].other, walker.hits[i].ny)
  end
  local _, y = player.box:getRect()
  if y > level.HEIGHT then self:beat(player) end
end

-- The longer the button is held, the higher is the jump. It may be a little late, after an edge,
-- and a little early, before a landing.
function Game:jump()
  local player, walker = self.player, self.player.walker
  self.wish = self.wish - 1
  if self.wish >= 0 and walker.airTime < COYOTE then
    player.vy = walker.platformVy - JUMP
    walker.airTime = math.huge -- prevents a second jump in the air
    self.wish, self.isJump = 0, true
    self:emit("jump", player)
  elseif self.isJump and not self.isHeld then
    player.vy, self.isJump = math.max(player.vy, -SHORT_JUMP), false
  end
end

-- Handles what the player touches. ny tells the side: -1 is from above.
function Game:meet(other, ny)
  if other.kind == "coin" then
    self.coins = self.coins + 1
    self:emit("coin", other)
    other.box:remove()
  elseif other.kind == "enemy" and ny < 0 then
    self.player.vy, self.isJump = -HOP, false
    self:beat(other)
  elseif other.kind == "enemy" or other.kind == "spikes" then
    self:beat(self.player)
  elseif other.kind == "checkpoint" and not other.isReached then
    other.isReached = true
    self.startX, self.startY = self.player.box:getRect()
    self:emit("checkpoint", other)
  elseif other.kind == "goal" and not self.isWon then
    self.isWon = true
    self:emit("goal", other)
  end
end

-- Removes an enemy. The player starts again a little later.
function Game:beat(body)
  if body ~= self.player then
    self:emit("stomp", body)
    body.box:remove()
    for i = #self.enemies, 1, -1 do
      if self.enemies[i] == body then table.remove(self.enemies, i) end
    end
  elseif self.pause == 0 and not self.isWon then
    self:emit("die", body)
    self.deaths, self.pause = self.deaths + 1, PAUSE
  end
end

function Game:startAgain()
  local player = self.player
  player.box:setRect(self.startX, self.startY)
  player.vx, player.vy = 0, 0
  remember(player)
  self:emit("start", player)
end

-- Nothing stops a platform, and walkers ride it by themselves. It pushes what is in its way. If
-- that cannot move away, its row says crushed.
function Game:movePlatform(platform)
  local before, x, y = platform.along, level.follow(platform, self.steps * STEP)
  local _, _, rows, n = self.world:push(platform.box, x, y, level.BODIES, self.pushed)
  for i = 1, n do
    if rows[i].crushed then self:beat(rows[i].other) end
  end
  if platform.kind == "crusher" and platform.along == 1 and before < 1 then
    self:emit("thud", platform)
  end
end

return platformer
