-- The duel without its window and without a network: all the rules, and no drawing. The arena is in
-- arena.lua.
--
-- Two players run, jump, shoot and throw grenades. Crates fall, can be pushed and shot, and leave
-- hearts. Cannons fire across the arena. A lift carries whatever stands on it. A step depends only
-- on the state and the players' inputs, and save() and load() cover all of that state: rollback
-- needs both. No step calls math.sin or similar functions, whose last bits differ between systems.
-- Lengths are pixels, a step is a 60th of a second, speeds are per step, and y points down.

local broadside = require("broadside")
local arena = require("rollback.arena")

local duel = { WIDTH = arena.WIDTH, HEIGHT = arena.HEIGHT, STEP = 1 / 60, HEALTH = 5,
  CAPACITY = 256, SHIELD = 90 }

-- An input is the sum of the buttons that are held.
duel.LEFT, duel.RIGHT, duel.JUMP, duel.SHOOT, duel.THROW = 1, 2, 4, 8, 16

local RUN, ACCELERATION = 3.5, 0.45
local GRAVITY, FASTEST_FALL = 0.47, 10
local JUMP, SHORT_JUMP = 9.6, 3.4 -- speeds: at the start, and when the button is let go
local COYOTE, PATIENCE = 6, 6 -- steps by which a jump may be late, or early
local RELOAD, RECHARGE = 14, 55 -- steps between shots, and between grenades
local LIFT_TIME = 360 -- steps, there and back
local CRATE_TIME, CRATES = 120, 7 -- steps between crates, and the most crates

-- Solid boxes stop what moves. A player passes through things, with a report.
local PLAYER_RULES = { slide = arena.SOLID, cross = arena.THING }
local BOTH = arena.PLAYERS[1] + arena.PLAYERS[2]
local CRATE_RULES = { slide = arena.SOLID + BOTH }
local RIDERS = BOTH + arena.CRATE

-- shots -------------------------------------------------------------------------------------------

-- Tags say what a mover of the pool is. Those of players' shots are different for each player.
duel.SHOT, duel.GRENADE, duel.FRAGMENT = { 1, 2 }, { 3, 4 }, { 5, 6 }
duel.BOLT, duel.SPARK, duel.SMOKE = 7, 8, 9

local OWNER = { 1, 2, 1, 2, 1, 2 } -- by tag
local isGrenade = { [3] = true, [4] = true }

local newModel = broadside.newModel
local SPARK = newModel({ tag = duel.SPARK, life = 16, ay = 0.12, mask = 0 })
local SMOKE = newModel({ tag = duel.SMOKE, life = 22, speed = 0, mask = 0, ay = -0.01 })
local BOLT = newModel({ tag = duel.BOLT, speed = 5, w = 14, h = 6, mask = arena.WALL
  + arena.CRATE + BOTH })

-- What a player fires hits walls, crates and the other player.
local MODELS = {}
for i = 1, 2 do
  local mask = arena.WALL + arena.CRATE + arena.PLAYERS[3 - i]
  MODELS[i] = {
    shot = { model = newModel({ tag = duel.SHOT[i], w = 10, h = 4, mask = mask }) },
    fragment = { model = newModel({ tag = duel.FRAGMENT[i], w = 5, h = 5, life = 18,
      mask = mask }) },
    grenade = { model = newModel({ tag = duel.GRENADE[i], w = 8, h = 8, ay = 0.25, mask = mask,
      emitters = { { delay = 3, cycle = 4, model = SMOKE } } }) },
  }
end
local SPARKS = { model = SPARK }

-- The velocities of fragments and sparks: in all directions, at about the same speed.
local AROUND = { 5, 0, 3.5, 3.5, 0, 5, -3.5, 3.5, -5, 0, -3.5, -3.5, 0, -5, 3.5, -3.5 }

-- the game ----------------------------------------------------------------------------------------

-- What save() copies besides world and pool. Velocities are in the boxes.
local GAME_STATE = { "steps", "chance", "crateCount" }
local PLAYER_STATE = { "score", "health", "facing", "grounded", "late", "wish", "isHeld", "isJump",
  "reload", "recharge", "hurt", "shield" }

local TIMERS = { "reload", "recharge", "hurt", "shield" } -- of a player: they count down to 0
local START = { score = 0, health = duel.HEALTH, facing = 1, grounded = false, late = 0, wish = 0,
  isHeld = false, isJump = false, reload = 0, recharge = 0, hurt = 0, shield = 0 }

local function copy(from, to, names)
  for i = 1, #names do
    to[names[i]] = from[names[i]]
  end
end

local Game = {}
Game.__index = Game

-- The back end only changes the speed. seed: where crates fall.
function duel.newGame(backend, seed)
  local game = setmetatable({
    -- Gravity tells world:push what rests on the lift. moveBody makes bodies fall.
    world = broadside.newWorld({ backend = backend or "auto", results = "data",
      gravity = { 0, GRAVITY } }),
    bullets = broadside.newPool({ capacity = duel.CAPACITY,
      bounds = { 0, 0, duel.WIDTH, duel.HEIGHT } }),
    players = {},
    crates = {}, -- the first crateCount are in use
    crateCount = 0,
    steps = 0,
    chance = (seed or 1) % 2147483646 + 1, -- the state of random()
    hits = {}, -- what the last move has hit; the same table each time
    pushed = {}, -- what the last push has moved
  }, Game)
  arena.build(game)
  for _, player in ipairs(game.players) do
    copy(START, player, PLAYER_STATE)
    player.facing = 3 - 2 * player.number
  end
  return game
end

-- Returns a whole number below n, by Lehmer's generator, which is exact in doubles.
function Game:random(n)
  self.chance = self.chance * 16807 % 2147483647
  return self.chance % n
end

local function has(input, button)
  return input % (2 * button) >= button
end

-- Plays one step of the whole game with these inputs.
function Game:step(input1, input2)
  self.steps = self.steps + 1
  self:moveLift()
  self:dropCrate()
  for i = 1, self.crateCount do
    self:moveBody(self.crates[i], CRATE_RULES)
  end
  self:play(self.players[1], input1)
  self:play(self.players[2], input2)
  self:moveShots()
end

-- saving ------------------------------------------------------------------------------------------

-- Returns the state of the game. slot: an earlier result of save(), which is overwritten, so that
-- no garbage is made.
function Game:save(slot)
  slot = slot or { players = { {}, {} }, crates = {} }
  slot.world = self.world:snapshot(slot.world)
  slot.bullets = self.bullets:snapshot(slot.bullets)
  copy(self, slot, GAME_STATE)
  for i = 1, 2 do
    local player, saved = self.players[i], slot.players[i]
    copy(player, saved, PLAYER_STATE)
    saved.x, saved.y = player.box:getRect() -- to draw a saved state
  end
  for i = 1, self.crateCount do
    slot.crates[i] = self.crates[i]
  end
  return slot
end

function Game:load(slot)
  self.world:restore(slot.world)
  self.bullets:restore(slot.bullets)
  copy(slot, self, GAME_STATE)
  for i = 1, 2 do
    copy(slot.players[i], self.players[i], PLAYER_STATE)
  end
  for i = 1, self.crateCount do
    self.crates[i] = slot.crates[i]
  end
end

-- Eight hexadecimal digits that depend on everything that was saved.
function Game.getHash(slot)
  local texts = { slot.world:getHash(), slot.bullets:getHash() }
  for _, name in ipairs(GAME_STATE) do
    table.insert(texts, ("%.17g"):format(slot[name]))
  end
  for _, player in ipairs(slot.players) do
    for _, name in ipairs(PLAYER_STATE) do
      local value = player[name]
      table.insert(texts, type(value) == "number" and ("%.17g"):format(value) or tostring(value))
    end
  end
  local sum = 5381
  local text = table.concat(texts, " ")
  for i = 1, #text do
    sum = (sum * 33 + text:byte(i)) % 4294967296
  end
  return ("%08x"):format(sum)
end

-- bodies ------------------------------------------------------------------------------------------

-- Lets a body fall, and moves it as far as it gets. A wall stops it, a floor carries it, and it
-- pushes crates.
function Game:moveBody(body, rules)
  local x, y = body.box:getRect()
  local vx, vy = body.box:getVelocity()
  vy = math.min(vy + GRAVITY, FASTEST_FALL)
  local _, _, hits, n = self.world:move(body.box, x + vx, y + vy, rules, self.hits)
  body.grounded = false
  for i = 1, n do
    local hit = hits[i]
    if hit.response == "slide" then
      if hit.nx ~= 0 then
        if hit.other.kind == "crate" and body.kind == "player" then
          hit.other.box:setVelocity(vx / 2, 0)
        end
        vx = 0
      end
      if hit.ny ~= 0 then vy = 0 end
      if hit.ny < 0 then body.grounded = true end
    end
  end
  if body.kind == "crate" and body.grounded then
    vx = vx * 0.75
  end
  body.box:setVelocity(vx, vy)
  return hits, n
end

-- The lift goes from one end of its way to the other and back, slowly near both, and carries.
function Game:moveLift()
  local s = math.abs(self.steps % LIFT_TIME - LIFT_TIME / 2) / (LIFT_TIME / 2)
  s = math.max(0, math.min(1, s * 1.5 - 0.25))
  s = s * s * (3 - 2 * s)
  local lift = self.lift
  self.world:push(lift.box, lift.x, lift.fromY + s * (lift.toY - lift.fromY), RIDERS, self.pushed)
end

-- Now and then a crate falls from the ceiling, if there is room.
function Game:dropCrate()
  if self.steps % CRATE_TIME == 0 and self.crateCount < CRATES then
    local x, y = arena.TILE * (2 + self:random(21)), arena.TILE + 2
    local _, n = self.world:queryRect(x, y, arena.CRATE_SIZE, arena.CRATE_SIZE, nil,
      self.pushed)
    if n == 0 then
      self.crateCount = self.crateCount + 1
      self.crates[self.crateCount] = arena.addCrate(self.world, x, y)
    end
  end
end

function Game:breakCrate(crate)
  local x, y = crate.box:getCenter()
  for i = 1, self.crateCount do
    if self.crates[i] == crate then
      table.remove(self.crates, i)
      self.crateCount = self.crateCount - 1
      break
    end
  end
  crate.box:remove()
  arena.addHeart(self.world, x, y)
  self:burst(SPARKS, x, y, 0.5)
end

-- players -----------------------------------------------------------------------------------------

function Game:play(player, input)
  local direction = (has(input, duel.RIGHT) and 1 or 0) - (has(input, duel.LEFT) and 1 or 0)
  local vx, vy = player.box:getVelocity()
  if player.hurt == 0 then
    vx = vx + math.max(-ACCELERATION, math.min(ACCELERATION, direction * RUN - vx))
    player.facing = direction ~= 0 and direction or player.facing
  end
  player.box:setVelocity(vx, self:jump(player, has(input, duel.JUMP), vy))
  for i = 1, #TIMERS do
    player[TIMERS[i]] = math.max(0, player[TIMERS[i]] - 1)
  end
  local hits, n = self:moveBody(player, PLAYER_RULES)
  for i = 1, n do
    if hits[i].response == "cross" then -- the only things are hearts
      player.health = math.min(duel.HEALTH, player.health + 1)
      hits[i].other.box:remove()
    end
  end
  self:fire(player, input)
end

-- The longer the button is held, the higher is the jump. It may be a little late, after an edge,
-- and a little early, before a landing. Returns the new vy.
function Game.jump(_, player, isHeld, vy)
  player.wish = isHeld and not player.isHeld and PATIENCE or player.wish - 1
  player.late = player.grounded and COYOTE or player.late - 1
  player.isHeld = isHeld
  if player.wish >= 0 and player.late > 0 then
    player.wish, player.late, player.isJump = 0, 0, true
    vy = -JUMP
  elseif player.isJump and not isHeld then
    player.isJump = false
    vy = math.max(vy, -SHORT_JUMP)
  end
  return vy
end

function Game:fire(player, input)
  local x, y = player.box:getCenter()
  local models, facing = MODELS[player.number], player.facing
  if has(input, duel.SHOOT) and player.reload == 0 then
    player.reload = RELOAD
    self.bullets:spawn(x + 6 * facing, y, 9 * facing, 0, models.shot)
  end
  if has(input, duel.THROW) and player.recharge == 0 then
    player.recharge = RECHARGE
    local vx = player.box:getVelocity()
    self.bullets:spawn(x, y - 8, 4.5 * facing + vx / 2, -5, models.grenade)
  end
end

-- Throws a player back. Without health it starts again, and the other player gets a point.
function Game:hit(player, direction)
  if player.shield > 0 then
    return
  end
  player.health, player.hurt = player.health - 1, 10
  player.box:setVelocity(3.5 * direction, -3)
  if player.health <= 0 then
    local x, y = player.box:getCenter()
    self:burst(SPARKS, x, y, 1)
    self.players[3 - player.number].score = self.players[3 - player.number].score + 1
    player.health, player.shield, player.hurt = duel.HEALTH, duel.SHIELD, 0
    player.box:setRect(player.startX, player.startY)
    player.box:setVelocity(0, 0)
  end
end

-- shots -------------------------------------------------------------------------------------------

function Game:burst(options, x, y, speed)
  for i = 1, #AROUND, 2 do
    self.bullets:spawn(x, y, AROUND[i] * speed, AROUND[i + 1] * speed, options)
  end
end

function Game:moveShots()
  local bullets = self.bullets
  bullets:step(1)
  for id, other, _, x, y in bullets:hits(self.world) do
    local tag = bullets:getTag(id)
    local _, _, vx = bullets:get(id)
    bullets:free(id)
    self:burst(SPARKS, x, y, 0.3)
    if isGrenade[tag] then
      self:burst(MODELS[OWNER[tag]].fragment, x, y, 1)
    end
    if other.kind == "player" then
      self:hit(other, vx < 0 and -1 or 1)
    elseif other.kind == "crate" then
      self:breakCrate(other)
    end
  end
end

-- direction: 1 or -1.
function Game:addCannon(x, y, direction)
  self.bullets:newEmitter({ x = x, y = y, speed = 5 * direction, delay = 120 + 60 * direction,
    cycle = 240, model = BOLT })
end

return duel
