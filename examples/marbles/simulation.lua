-- The marbles without their window: 2,000 marbles fall through a board of pegs. At each peg they go
-- to the left or to the right; below the board they are counted. Many marbles that go either way at
-- random form Galton's bell curve. world:step does it all: each marble is a body, a circle that
-- bounces. Their masks leave each other out, so that they do not jam in the funnel.
--
-- Lengths are pixels, times are seconds, and y points down.

local broadside = require("broadside")

local marbles = {
  WIDTH = 860,
  HEIGHT = 720,
  COUNT = 2000,
  RADIUS = 3,
  PEG_RADIUS = 5,
  BINS = 43,
  FLOOR = 570, -- where marbles are counted
  GRAVITY = 500,
  BOUNCE = 0.45,
  STEP = 1 / 60,
}

local PEG, MARBLE = 1, 2 -- layers

local ROWS, ROW_STEP, PEG_STEP, FIRST_ROW = 16, 26, 30, 128
local PER_STEP = 6 -- how many marbles come in at a time

-- The funnel above the pegs, and the walls beside them.
local MIDDLE = marbles.WIDTH / 2
local POLYGONS = {
  { 0, 0, MIDDLE - 16, 100, MIDDLE - 16, 112, 0, 60 },
  { marbles.WIDTH, 0, marbles.WIDTH, 60, MIDDLE + 16, 112, MIDDLE + 16, 100 },
}
local WALLS = { { -20, 0, 20, marbles.HEIGHT }, { marbles.WIDTH, 0, 20, marbles.HEIGHT } }

-- random(low, high) gives the same numbers for the same seed on any machine.
local function newRandom(seed)
  local state = seed % 2147483646 + 1
  return function(low, high)
    state = state * 48271 % 2147483647
    return low + (high - low) * (state / 2147483647)
  end
end

local Game = {}
Game.__index = Game

local function insertBoard(game)
  local world, opts = game.world, { static = true, layer = PEG }
  for _, corners in ipairs(POLYGONS) do
    world:insertPolygon(corners, opts)
  end
  for _, wall in ipairs(WALLS) do
    world:insert(wall[1], wall[2], wall[3], wall[4], opts)
  end
  for row = 0, ROWS - 1 do
    local y = FIRST_ROW + row * ROW_STEP
    for x = row % 2 == 0 and MIDDLE % PEG_STEP or (MIDDLE + PEG_STEP / 2) % PEG_STEP,
      marbles.WIDTH, PEG_STEP do
      game.pegs[#game.pegs + 1] = world:insertCircle(x, y, marbles.PEG_RADIUS, opts)
    end
  end
end

-- The back end only changes the speed.
function marbles.newGame(seed, backend, count)
  local game = setmetatable({
    world = broadside.newWorld({
      backend = backend or "auto", results = "id", gravity = { 0, marbles.GRAVITY },
    }),
    random = newRandom(seed),
    count = count or marbles.COUNT,
    marbles = {}, -- ids
    pegs = {},
    bins = {}, -- how many have come to each bin
    counted = 0,
    bounces = 0, -- in the last step
    found = {}, -- the result of the last query; the same table each time
  }, Game)
  for i = 1, marbles.BINS do
    game.bins[i] = 0
  end
  insertBoard(game)
  return game
end

-- A random place above the funnel, where a marble comes in.
function Game:place()
  return MIDDLE + self.random(-150, 150), self.random(4, 24)
end

function Game:addMarble()
  local x, y = self:place()
  self.marbles[#self.marbles + 1] = self.world:insertCircle(x, y, marbles.RADIUS, {
    layer = MARBLE, mask = PEG, response = "bounce", bounce = marbles.BOUNCE,
    vx = self.random(-40, 40),
  })
end

-- Counts the marble in the bin below it, and puts it above the funnel again.
function Game:collect(id)
  local box = self.world:getBox(id)
  local x = box:getCenter()
  local bin = math.floor(x / marbles.WIDTH * marbles.BINS) + 1
  bin = math.max(1, math.min(bin, marbles.BINS))
  self.bins[bin] = self.bins[bin] + 1
  self.counted = self.counted + 1
  box:setCenter(self:place())
  box:setVelocity(self.random(-40, 40), 0)
end

function Game:step()
  for _ = #self.marbles + 1, math.min(self.count, #self.marbles + PER_STEP) do
    self:addMarble()
  end
  self.world:step(marbles.STEP)
  self.bounces = 0
  for _, _, response in self.world:hits() do -- what rolls down is told as a slide
    self.bounces = self.bounces + (response == "bounce" and 1 or 0)
  end
  local low, n = self.world:queryRect(-100, marbles.FLOOR, marbles.WIDTH + 200, 1000, MARBLE,
    self.found)
  for i = 1, n do
    self:collect(low[i])
  end
end

return marbles
