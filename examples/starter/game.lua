-- The rules of the game, without drawing. So a test can play it, too: doc/testing-games.md.

local broadside = require("broadside")
local tiles = require("broadside.tiles")
local walker = require("broadside.walker")

local RUN, JUMP, GRAVITY, TILE = 260, 720, 1600, 50 -- pixels, and seconds
local MAP = [[
#              #
#  o o       o #
# =====     ===#
#              #
#       o      #
# o    ===     #
#===           #
#     o o     o#
#    /##\    ###
#  P/####\L o###
################
################]]

local Game = {}
Game.__index = Game

-- What the symbols of the map are. Ledges and the lift are solid only from above.
local function newLegend(game)
  local function insert(x, y, w, h, opts) -- a box that moves
    local box = game.world:insert(x, y, w, h, opts)
    table.insert(game.moving, box)
    game.before[box] = { x = x, y = y }
    return box
  end
  return {
    ["#"] = { data = "ground" }, -- data: any value of yours
    ["/"] = { data = "ground", polygon = { 0, TILE, TILE, 0, TILE, TILE } },
    ["\\"] = { data = "ground", polygon = { 0, 0, TILE, TILE, 0, TILE } },
    ["="] = { data = "ledge", oneWay = { 0, -1 }, rect = { 0, 0, TILE, 12 } },
    o = { data = "coin", sensor = true, circle = { 25, 25, 10 } },
    P = function(x, y)
      game.hero = walker.new(game.world, insert(x, y, 32, 40, { data = "hero" }))
    end,
    L = function(x, y)
      game.lift = insert(x, y, 76, 12, { data = "lift", oneWay = { 0, -1 } })
      game.liftX, game.liftY = x, y
    end,
  }
end

-- Plays one step. input: left, right and jump.
function Game:step(dt, input)
  for _, box in ipairs(self.moving) do -- for drawing between this place and the next
    self.before[box].x, self.before[box].y = box:getRect()
  end
  self.time = self.time + dt
  local s = 1 - math.abs(self.time % 6 - 3) / 3 -- to 1 in three seconds, and back
  self.world:push(self.lift, self.liftX, self.liftY - 350 * s * s * (3 - 2 * s)) -- carries
  local direction = (input.right and 1 or 0) - (input.left and 1 or 0)
  if input.jump and self.hero.onFloor then self.vy = self.hero.platformVy - JUMP end
  self.vx, self.vy = self.hero:walk(direction * RUN, self.vy + GRAVITY * dt, dt)
  self.facing = direction ~= 0 and direction or self.facing
  self.walked = self.walked + self.vx * dt
  for i = 1, self.hero.n do -- what it has met
    local other = self.hero.hits[i].other
    if other:getData() == "coin" then
      other:remove()
      self.score = self.score + 1
    end
  end
end

-- Differs if anything differs that later steps depend on.
function Game:hash()
  return ("%s %.17g %.17g"):format(self.world:snapshot():getHash(), self.vy + 0.0, self.time)
end

return function()
  local game = setmetatable({ world = broadside.newWorld(), moving = {}, before = {}, vx = 0,
    vy = 0, time = 0, facing = 1, walked = 0, score = 0 }, Game)
  tiles.insert(game.world, MAP, newLegend(game), { w = TILE })
  return game
end
