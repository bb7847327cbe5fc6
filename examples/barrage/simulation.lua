-- The barrage game without its window: all the rules, and no drawing.
--
-- A boss fires patterns of bullets that fire bullets themselves. The player dodges between two
-- walls, and shoots back. Lengths are pixels, a step is a 60th of a second, speeds are per step.

local broadside = require("broadside")

local barrage = { WIDTH = 640, HEIGHT = 720, STEP = 1 / 60, CAPACITY = 20000, SPEED = 5 }
local WALL, BOSS, PLAYER = 1, 2, 4
barrage.SHARD, barrage.PETAL, barrage.SHELL, barrage.NEEDLE = 1, 2, 3, 4 -- tags: how bullets look

local newModel = broadside.newModel
local shard = newModel({ tag = barrage.SHARD, speed = 1.6, life = 400, w = 4, h = 4 })
local petal = newModel({ tag = barrage.PETAL, speed = 1.2, life = 90, w = 5, h = 5, emitters = {
  { delay = 60, count = 1, nway = 3, nwayAngle = 0.4, relative = true, model = shard },
} })
local shell = newModel({ tag = barrage.SHELL, speed = 2, life = 60, w = 10, h = 10, ay = 0.01,
  emitters = { { delay = 40, cycle = 10, count = 2, circle = 12, circleOdd = true, model = petal },
    { cycle = 5, angle = math.pi / 2, speed = 0.5, model = shard } } })
local needle = newModel({ tag = barrage.NEEDLE, speed = 14, w = 2, h = 16, mask = WALL + BOSS })

local Game = {}
Game.__index = Game

function barrage.newGame(backend)
  local game = setmetatable({
    world = broadside.newWorld({ backend = backend or "auto" }),
    bullets = broadside.newPool({ capacity = barrage.CAPACITY, mask = WALL + PLAYER,
      bounds = { 0, 0, barrage.WIDTH, barrage.HEIGHT } }),
    steps = 0,
    hits = 0, -- how many times the player was hit
    score = 0, -- how many times the boss was hit
    time = 0, -- what update() has not played yet
    walkX = 0,
    walkY = 0,
  }, Game)
  game.world:insert(150, 420, 80, 16, { static = true, layer = WALL })
  game.world:insert(410, 420, 80, 16, { static = true, layer = WALL })
  game.boss = game.world:insert(290, 90, 60, 40, { static = true, layer = BOSS })
  game.player = game.world:insert(317, 600, 6, 6, { layer = PLAYER })
  local bullets = game.bullets
  game.spiral = bullets:newEmitter({ cycle = 2, circle = 5, model = shard })
  game.burst = bullets:newEmitter({ delay = 60, cycle = 120, nway = 5, nwayAngle = 0.5,
    angle = math.pi / 2, model = shell })
  game.gun = bullets:newEmitter({ cycle = 6, angle = -math.pi / 2, model = needle })
  return game
end

-- Sets the player's direction: each of dx, dy is -1, 0 or 1.
function Game:walk(dx, dy)
  self.walkX, self.walkY = dx, dy
end

-- Plays dt seconds in steps of equal length.
function Game:update(dt)
  self.time = self.time + math.min(dt, 0.25)
  while self.time >= barrage.STEP do
    self.time = self.time - barrage.STEP
    self:step()
  end
end

function Game:step()
  local x, y = self.player:getCenter()
  local newX = math.max(3, math.min(barrage.WIDTH - 3, x + self.walkX * barrage.SPEED))
  local newY = math.max(3, math.min(barrage.HEIGHT - 3, y + self.walkY * barrage.SPEED))
  self.player:setCenter(newX, newY)
  -- This is rounded, because the last bits of a sine differ between systems.
  local sway = math.floor(1024 * 200 * math.sin(self.steps / 90) + 0.5) / 1024
  local bossX = barrage.WIDTH / 2 + sway
  self.boss:setCenter(bossX, 110)
  self.steps = self.steps + 1
  self.spiral:setPosition(bossX, 110)
  self.spiral:setAngle(self.steps * 0.07)
  self.burst:setPosition(bossX, 110)
  self.gun:setPosition(newX, newY - 12)
  self.bullets:step(1)
  for id in self.bullets:hitsBox(self.player, newX - x, newY - y) do
    self.hits = self.hits + 1
    self.bullets:free(id)
  end
  for id, box in self.bullets:hits(self.world, WALL + BOSS) do
    self.score = self.score + (box == self.boss and 1 or 0)
    self.bullets:free(id)
  end
end

return barrage
