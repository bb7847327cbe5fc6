-- The swarm without its window: 10,000 boxes fly through each other and through blocks that do not
-- move, and turn around at the edge. Every step finds all pairs that overlap.
--
-- Lengths are pixels, a step is a frame, speeds are per step. Steps make no garbage.

local broadside = require("broadside")

local swarm = { WIDTH = 860, HEIGHT = 720, COUNT = 10000, BLOCKS = 14, SPEED = 1, REACH = 70 }

local BLOCK, MOVER = 1, 2 -- layers
swarm.MOVER = MOVER

-- The area beyond each edge, and the direction back inside.
local FAR = 1000
local EDGES = {
  { -FAR, -FAR, FAR, swarm.HEIGHT + 2 * FAR, 1, 0 },
  { swarm.WIDTH, -FAR, FAR, swarm.HEIGHT + 2 * FAR, -1, 0 },
  { -FAR, -FAR, swarm.WIDTH + 2 * FAR, FAR, 0, 1 },
  { -FAR, swarm.HEIGHT, swarm.WIDTH + 2 * FAR, FAR, 0, -1 },
}

-- random(low, high) gives the same numbers for the same seed on any machine.
local function newRandom(seed)
  local state = seed % 2147483646 + 1
  return function(low, high)
    state = state * 48271 % 2147483647
    return low + (high - low) * (state / 2147483647)
  end
end

-- A direction of length 1. It uses square roots, because sines differ between machines.
local function anyDirection(random)
  local x, y, length
  repeat
    x, y = random(-1, 1), random(-1, 1)
    length = math.sqrt(x * x + y * y)
  until length > 0.1 and length <= 1
  return x / length, y / length
end

local Game = {}
Game.__index = Game

function swarm.newGame(seed, backend, count)
  local game = setmetatable({
    world = broadside.newWorld({ backend = backend or "auto" }),
    movers = {}, -- Boxes
    blocks = {},
    pairs = {}, -- {a1, b1, a2, b2, ...} of the last step
    pairCount = 0,
    touched = {}, -- Boxes near the pointer in the last step
    touchedCount = 0,
    found = {}, -- the result of the last query; the same table each time
  }, Game)
  local random = newRandom(seed)
  for i = 1, swarm.BLOCKS do
    local w, h = random(30, 110), random(30, 110)
    game.blocks[i] = game.world:insert(random(0, swarm.WIDTH - w), random(0, swarm.HEIGHT - h),
      w, h, { static = true, layer = BLOCK })
  end
  local opts = { layer = MOVER }
  for i = 1, count or swarm.COUNT do
    local w, h = random(1.5, 4), random(1.5, 4)
    local x, y = anyDirection(random)
    local speed = random(0.2, 1) * swarm.SPEED
    opts.vx, opts.vy = speed * x, speed * y
    game.movers[i] = game.world:insert(random(0, swarm.WIDTH - w), random(0, swarm.HEIGHT - h),
      w, h, opts)
  end
  return game
end

function Game:setBackend(name)
  self.world:setBackend(name)
end

-- Sets where the pointer pushes; without arguments it does not push.
function Game:push(x, y)
  self.pushX, self.pushY = x, y
end

function Game:step()
  self.world:step(1)
  self:turnAtEdges()
  self:pushAway()
  local _, n = self.world:collectPairs(self.pairs)
  self.pairCount = n
end

-- A query beyond each edge finds the few boxes that have left.
function Game:turnAtEdges()
  for _, edge in ipairs(EDGES) do
    local left, n = self.world:queryRect(edge[1], edge[2], edge[3], edge[4], MOVER, self.found)
    for i = 1, n do
      local vx, vy = left[i]:getVelocity()
      if vx * edge[5] + vy * edge[6] < 0 then
        left[i]:setVelocity(broadside.reflect(vx, vy, edge[5], edge[6]))
      end
    end
  end
end

-- Boxes near the pointer fly away from it.
function Game:pushAway()
  self.touchedCount = 0
  if not self.pushX then
    return
  end
  local near, n = self.world:queryCircle(self.pushX, self.pushY, swarm.REACH, MOVER, self.touched)
  self.touchedCount = n
  for i = 1, n do
    local x, y = near[i]:getCenter()
    local dx, dy = x - self.pushX, y - self.pushY
    local distance = math.sqrt(dx * dx + dy * dy)
    if distance > 0 then
      near[i]:setVelocity(2 * swarm.SPEED * dx / distance, 2 * swarm.SPEED * dy / distance)
    end
  end
end

return swarm
