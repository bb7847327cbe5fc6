-- The digging game without its window: all the rules, and no drawing.
--
-- A miner walks through a hill, digs for gold, and builds walls. Bats fly after the miner by the
-- shortest way through the tunnels and around each other; walls keep them out. The ground is a Map
-- of broadside.tiles, whose boxes follow each cell that changes. Lengths are pixels, times are
-- seconds, and y points down.

local broadside = require("broadside")
local tiles = require("broadside.tiles")

local dig = {
  TILE = 24,
  COLUMNS = 40,
  ROWS = 24,
  REACH = 110, -- how far from its middle the miner can dig and build
  WALK = 150,
  JUMP = 390,
  GRAVITY = 1100,
  BAT_SPEED = 75,
  STEP = 1 / 60,
  REWIND = 3, -- seconds
}
dig.WIDTH, dig.HEIGHT = dig.COLUMNS * dig.TILE, dig.ROWS * dig.TILE

local GROUND, MINER, BAT = 1, 2, 4

-- What each symbol of the map stands for. Rock cannot be dug.
local LEGEND = {
  [" "] = false,
  d = { layer = GROUND }, -- earth
  w = { layer = GROUND }, -- what the miner builds
  o = { layer = GROUND, merge = false, data = "gold" },
  R = { layer = GROUND, data = "rock" },
}

local Game = {}
Game.__index = Game

-- Returns a function random(low, high) of whole numbers, which only depend on the seed.
local function newRandom(seed)
  local state = seed % 2147483646 + 1
  return function(low, high)
    state = state * 48271 % 2147483647
    return low + math.floor(state / 2147483647 * (high - low + 1))
  end
end

-- The rows of the ground: a hill with caves and gold, and rock around it.
local function newGround(random)
  local rows, top = {}, 9
  for row = 1, dig.ROWS do
    rows[row] = {}
  end
  for column = 1, dig.COLUMNS do
    top = math.max(7, math.min(11, top + random(-1, 1)))
    for row = 1, dig.ROWS do
      local symbol = row < top and " " or random(1, 14) == 1 and "o" or "d"
      local isEdge = column == 1 or column == dig.COLUMNS or row == dig.ROWS
      rows[row][column] = isEdge and "R" or symbol
    end
  end
  for _ = 1, 9 do -- caves
    local column, row, w = random(3, dig.COLUMNS - 9), random(13, dig.ROWS - 4), random(3, 7)
    for i = row, row + random(1, 2) do
      for j = column, column + w do
        rows[i][j] = " "
      end
    end
  end
  return rows
end

-- Bats come from the sky, high above the hill.
local function sendHome(bat, number)
  bat:setRect((10 * number - 2) * dig.TILE, dig.TILE)
end

-- The same seed gives the same hill. The back end only changes the speed.
function dig.newGame(seed, backend)
  local random = newRandom(seed)
  local game = setmetatable({
    world = broadside.newWorld({ backend = backend or "auto" }),
    bats = {},
    path = {}, -- how many steps each cell is from the miner, row by row
    cells = {}, -- the cells of a line of sight
    past = {}, -- the states of past seconds, for the rewind
    walkX = 0,
    vy = 0,
    grounded = false,
    gold = 0,
    dug = 0,
    built = 0,
    caught = 0, -- how many times a bat has caught the miner
    steps = 0,
    time = 0, -- what update() has not played yet
  }, Game)
  game.map = tiles.newMap(game.world, newGround(random), LEGEND, { w = dig.TILE })
  game.passable = game:newPassable()
  game.miner = game.world:insert(dig.WIDTH / 2, 2 * dig.TILE, 16, 20, { layer = MINER })
  for i = 1, 3 do
    game.bats[i] = game.world:insert(0, 0, 14, 10, { layer = BAT })
    sendHome(game.bats[i], i)
  end
  return game
end

-- What bats can fly through: cells without ground, in which the world has no other bat.
function Game:newPassable()
  local found = {}
  return { [" "] = function(column, row)
    local x, y, w, h = self.map:toWorld(column, row)
    local _, n = self.world:queryRect(x, y, w, h, BAT, found)
    return n == 0
  end }
end

function Game:walk(direction)
  self.walkX = direction
end

function Game:jump()
  if self.grounded then
    self.vy = -dig.JUMP
  end
end

-- Cells -------------------------------------------------------------------------------------------

-- The cell that the miner would dig: the first solid one on the line from its middle to a point.
function Game:findDig(x, y)
  local fromX, fromY = self.miner:getCenter()
  local dx, dy = x - fromX, y - fromY
  local far = math.max(1, math.sqrt(dx * dx + dy * dy) / dig.REACH)
  local cells, n = self.map:rayCells(fromX, fromY, fromX + dx / far, fromY + dy / far, self.cells)
  for i = 1, 2 * n, 2 do
    local symbol = self.map:get(cells[i], cells[i + 1])
    if LEGEND[symbol] then
      return cells[i], cells[i + 1], symbol ~= "R"
    end
  end
  return nil
end

function Game:dig(x, y)
  local column, row, isSoft = self:findDig(x, y)
  if isSoft then
    self.gold = self.gold + (self.map:get(column, row) == "o" and 1 or 0)
    self.dug = self.dug + 1
    self.map:set(column, row, " ")
  end
end

-- The cell in which the miner could build: it must be empty and near, and nobody may be in it.
function Game:findBuild(x, y)
  local fromX, fromY = self.miner:getCenter()
  local column, row = self.map:toCell(x, y)
  local isNear = (x - fromX) ^ 2 + (y - fromY) ^ 2 <= dig.REACH ^ 2
  if isNear and self.map:get(column, row) == " " then
    local cellX, cellY, w, h = self.map:toWorld(column, row)
    local _, n = self.world:queryRect(cellX, cellY, w, h)
    if n == 0 then
      return column, row
    end
  end
  return nil
end

function Game:build(x, y)
  local column, row = self:findBuild(x, y)
  if column then
    self.built = self.built + 1
    self.map:set(column, row, "w")
  end
end

-- Going back --------------------------------------------------------------------------------------

local NUMBERS = { "vy", "gold", "dug", "built", "caught", "steps" }

-- World and map are saved together, and restored one after the other, the world first.
function Game:save()
  local state = { world = self.world:snapshot(), map = self.map:snapshot() }
  for _, name in ipairs(NUMBERS) do
    state[name] = self[name]
  end
  table.insert(self.past, state)
  if #self.past > dig.REWIND then
    table.remove(self.past, 1)
  end
end

function Game:rewind()
  local state = table.remove(self.past, 1)
  if state then
    self.world:restore(state.world)
    self.map:restore(state.map)
    for _, name in ipairs(NUMBERS) do
      self[name] = state[name]
    end
    self.past = {}
  end
end

-- Steps -------------------------------------------------------------------------------------------

function Game:update(dt)
  self.time = self.time + math.min(dt, 0.25)
  while self.time >= dig.STEP do
    self.time = self.time - dig.STEP
    self:step()
  end
end

function Game:step()
  if self.steps % 60 == 0 then
    self:save()
  end
  self.steps = self.steps + 1
  self:moveMiner()
  if self.steps % 10 == 1 then -- one search serves all bats
    local column, row = self.map:toCell(self.miner:getCenter())
    self.map:flood(column, math.max(1, row), self.passable, self.path)
  end
  for i, bat in ipairs(self.bats) do
    self:moveBat(bat, i)
  end
end

function Game:moveMiner()
  local x, y = self.miner:getRect()
  self.vy = self.vy + dig.GRAVITY * dig.STEP
  local goalX, goalY = x + self.walkX * dig.WALK * dig.STEP, y + self.vy * dig.STEP
  local _, endY = self.world:move(self.miner, goalX, math.max(0, goalY), GROUND)
  if endY ~= goalY then
    self.vy = 0
  end
  self.grounded = self.world:touching(self.miner, 0, 1, GROUND) ~= nil
end

-- The distance of a cell from the miner; math.huge if there is no way.
function Game:distance(column, row)
  local columns, rows = self.map:size()
  if column < 1 or column > columns or row < 1 or row > rows then
    return math.huge
  end
  local steps = self.path[(row - 1) * columns + column]
  return steps >= 0 and steps or math.huge
end

local NEIGHBOURS = { { 0, 1 }, { 1, 0 }, { -1, 0 }, { 0, -1 } }

-- The middle of the next cell on a bat's way; its own place if there is none.
function Game:nextPlace(bat)
  local x, y = bat:getCenter()
  local column, row = self.map:toCell(x, y)
  local least, toColumn, toRow = self:distance(column, row), column, row
  for _, step in ipairs(NEIGHBOURS) do
    local steps = self:distance(column + step[1], row + step[2])
    if steps < least then
      least, toColumn, toRow = steps, column + step[1], row + step[2]
    end
  end
  local cellX, cellY, w, h = self.map:toWorld(toColumn, toRow)
  return cellX + w / 2, cellY + h / 2
end

function Game:moveBat(bat, number)
  local x, y = bat:getCenter()
  local toX, toY = self:nextPlace(bat)
  local most = dig.BAT_SPEED * dig.STEP
  local left, top = bat:getRect()
  self.world:move(bat, left + math.max(-most, math.min(most, toX - x)),
    top + math.max(-most, math.min(most, toY - y)), GROUND)
  local _, n = self.world:queryBox(bat, MINER)
  if n > 0 then
    self.caught = self.caught + 1
    sendHome(bat, number)
  end
end

return dig
