-- The cellar without its window: all the rules, and no drawing.
--
-- A hero seen from above looks for two keys and a chest. A key opens a door. A gate is open while
-- something lies on its plate, so there is a crate to push. Ghosts chase the hero around corners.
-- The layer of a box says what it is, so a saved game is the world's string and a few numbers.

local broadside = require("broadside")
local tiles = require("broadside.tiles")
local walker = require("broadside.walker")

local topdown = { TILE = 32, WIDTH = 960, HEIGHT = 544, INPUTS = { "x", "y" } }

local TILE, SPEED, CHASE, SIGHT = topdown.TILE, 150, 90, 8 -- pixels a second; cells
local WALL, DOOR, GATE, OPEN, CRATE, KEY, LAMP, PLATE, CHEST, GHOST, HERO =
  1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024
local SHUT = WALL + DOOR + GATE
local THINGS, ALL = KEY + LAMP + CHEST, 0xffffffff

topdown.GHOST = GHOST

-- The name of a layer.
topdown.kinds = { [DOOR] = "door", [GATE] = "gate", [OPEN] = "open", [CRATE] = "crate",
  [KEY] = "key", [LAMP] = "lamp", [PLATE] = "plate", [CHEST] = "chest", [GHOST] = "ghost",
  [HERO] = "hero" }

local MAP = [[
##############################
#      #           #         #
# P        ####         G    #
#      #      #    #   ###   #
#      #   #    G  #    k#   #
#          #  #         ##   #
#   L  #   #       #         #
#############+################
#      #           #         #
#  k   #     L     #   G     #
#  ##  #           #    ##   #
#      | L   c   _ +    ##   #
#   #  #           #         #
#   #  #   ##  ##  #       X #
#G     |   #    #  #   ##    #
#      #           #         #
##############################]]

-- Where a thing is in its cell, and the options of its box.
local BOXES = {
  ["+"] = { 0, 0, TILE, TILE, { layer = DOOR, static = true } },
  ["|"] = { 8, 0, 16, TILE, { layer = GATE, static = true } },
  c = { 3, 3, 26, 26, { layer = CRATE, mask = SHUT + CRATE + GHOST + HERO } },
  k = { 8, 8, 16, 16, { layer = KEY, sensor = true } },
  L = { 4, 4, 24, 24, { layer = LAMP, sensor = true } },
  _ = { 6, 6, 20, 20, { layer = PLATE, sensor = true } },
  X = { 4, 6, 24, 20, { layer = CHEST, sensor = true } },
  G = { 5, 5, 22, 22, { layer = GHOST } },
  P = { 5, 5, 22, 22, { layer = HERO } },
}

-- What stops somebody with that many keys.
function topdown.shutFor(keys)
  return GATE + CRATE + (keys > 0 and 0 or DOOR)
end

local Game = {}
Game.__index = Game

-- The back end only changes the speed.
function topdown.newGame(backend)
  local game = setmetatable({ world = broadside.newWorld({ backend = backend or "auto" }), keys = 0,
    lit = 0, steps = 0, caught = 0, isWon = false, ways = {} }, Game)
  local legend = { ["#"] = { layer = WALL }, [" "] = false }
  for symbol, box in pairs(BOXES) do
    legend[symbol] = function(x, y)
      game.world:insert(x + box[1], y + box[2], box[3], box[4], box[5])
    end
  end
  game.map = tiles.newMap(game.world, MAP, legend, { w = TILE })
  game.passable = game:newPassable(topdown.shutFor(0))
  game:load(game:save())
  return game
end

-- Where ways may go: through cells without walls, without such boxes, and not near ghosts.
function Game:newPassable(layers, margin)
  local found = {}
  local function isFree(column, row)
    local x, y, w, h = self.map:toWorld(column, row)
    local _, n = self.world:queryRect(x, y, w, h, layers, found)
    if n == 0 and margin then
      _, n = self.world:queryRect(x - margin, y - margin, w + 2 * margin, h + 2 * margin, GHOST,
        found)
    end
    return n == 0
  end
  return function(symbol)
    return symbol ~= "#" and isFree
  end
end

function Game:save()
  return ("%d %d %d %s"):format(self.keys, self.lit, self.steps, self.world:snapshot():getString())
end

-- Loads what save has returned, also in another process. Walkers are made anew.
function Game:load(saved)
  local keys, lit, steps, bytes = saved:match("^(%d+) (%d+) (%d+) (.*)$")
  self.ghosts, self.gates, self.plates = {}, {}, {}
  self.world:restore(bytes)
  for box in self.world:boxes() do
    self:adopt(box)
  end
  self.keys, self.lit, self.steps = tonumber(keys), tonumber(lit), tonumber(steps)
  self.saved = saved
  self:search()
end

-- One search serves all ghosts: how far each cell is from the hero.
function Game:search()
  local column, row = self.map:toCell(self.hero.box:getCenter())
  self.map:flood(column, row, self.passable, self.ways)
end

-- Differs if anything differs that later steps depend on.
function Game:hash()
  return ("%s %d %d"):format(self.world:snapshot():getHash(), self.keys, self.lit)
end

function Game:adopt(box)
  local kind = topdown.kinds[box:getFilter()]
  if kind == "hero" then
    self.hero = walker.topDown(self.world, box, { nudge = 12,
      filter = { slide = SHUT, push = CRATE, cross = THINGS + GHOST } })
  elseif kind == "ghost" then
    table.insert(self.ghosts, walker.topDown(self.world, box, { nudge = 12,
      filter = { slide = SHUT + CRATE + GHOST, cross = HERO } }))
  elseif kind == "gate" or kind == "open" then
    table.insert(self.gates, box)
  elseif kind == "plate" then
    table.insert(self.plates, box)
  end
end

-- input: x and y, each -1, 0 or 1.
function Game:step(dt, input)
  self.steps = self.steps + 1
  if self.isWon then
    return
  end
  self:updateGates()
  local dx, dy = input.x or 0, input.y or 0
  local speed = dx ~= 0 and dy ~= 0 and SPEED * math.sqrt(0.5) or SPEED
  self.hero:walk(dx * speed, dy * speed, dt)
  self:meet()
  if self.steps % 10 == 1 then
    self:search()
  end
  for _, ghost in ipairs(self.ghosts) do
    if self:chase(ghost, dt) then
      self.caught = self.caught + 1
      return self:load(self.saved)
    end
  end
end

function Game:updateGates()
  local n = 0
  for _, plate in ipairs(self.plates) do
    n = n + select(2, self.world:queryBox(plate, CRATE + HERO))
  end
  for _, gate in ipairs(self.gates) do
    gate:setFilter(n > 0 and OPEN or GATE, ALL)
  end
end

-- What the hero has met on the way.
function Game:meet()
  for i = 1, self.hero.n do
    local other = self.hero.hits[i].other
    local kind = topdown.kinds[other:getFilter()]
    if kind == "key" or kind == "door" and self.keys > 0 then
      self.keys = self.keys + (kind == "key" and 1 or -1)
      other:remove()
    elseif kind == "lamp" and other:getId() ~= self.lit then
      self.lit = other:getId()
      self.saved = self:save()
    elseif kind == "chest" then
      self.isWon = true
    end
  end
end

-- The middle of the neighbour of the cell at x, y that is nearest by `ways`, which come from
-- map:flood; and how many steps are left.
function Game:nextPlace(x, y, ways)
  local columns = self.map:size()
  local column, row = self.map:toCell(x, y)
  local least, to = ways[(row - 1) * columns + column] or -1, (row - 1) * columns + column
  for _, step in ipairs({ 1, -1, columns, -columns }) do -- walls are all around
    local steps = ways[(row - 1) * columns + column + step] or -1
    if steps >= 0 and (least < 0 or steps < least) then
      least, to = steps, (row - 1) * columns + column + step
    end
  end
  local cellX, cellY, w, h = self.map:toWorld((to - 1) % columns + 1,
    math.floor((to - 1) / columns) + 1)
  return cellX + w / 2, cellY + h / 2, least
end

-- Moves a ghost. Returns whether it has caught the hero.
function Game:chase(ghost, dt)
  local x, y = ghost.box:getCenter()
  local toX, toY, steps = self:nextPlace(x, y, self.ways)
  if steps >= 0 and steps < SIGHT then
    local most = CHASE * dt
    ghost:walk(math.max(-most, math.min(most, toX - x)) / dt,
      math.max(-most, math.min(most, toY - y)) / dt, dt)
  end
  local _, n = self.world:queryBox(ghost.box, HERO)
  return n > 0
end

return topdown
