-- Rooms of a metroidvania, side by side in one world: an opening in a wall is the door to the next
-- room. So what the hero has moved and taken stays so, and one save holds all of it. The boots in
-- the room on the right let the hero dash, over the gap to the flag in the room on the left.

local broadside = require("broadside")
local hero = require("hero.hero")
local save = require("broadside.save")
local tiles = require("broadside.tiles")

local TILE, COLUMNS, ROWS = 16, 20, 12 -- of a room
local WIDTH, HEIGHT = COLUMNS * TILE, ROWS * TILE
local WALL, HERO, LADDER, ITEM, CRATE = 1, 2, 4, 8, 16 -- layers; the hero knows walls and ladders
local LIFT_TOP, LIFT_BOTTOM, LIFT_SPEED = 3 * TILE, 8 * TILE, 60

local ROOMS = { [-1] = [[
####################
#..................#
#..................#
#..................#
#..................#
#..................#
#..................#
#..................#
#.....o..o..o.......
#..F................
####################
####################]], [0] = [[
####################
#..................#
#..................#
#..................#
#..................#
#..................#
#..................#
#..................#
..............s..o..
....................
####........########
####........########]], [1] = [[
####################
#..................#
#..............o.B.#
#.............######
#..................#
#..................#
#..................#
######.............#
............L......#
...c...............#
####################
####################]] }

local rooms = { INPUTS = { "direction", "up", "down", "jump", "dash" }, STEP = 1 / 60,
  WIDTH = WIDTH, HEIGHT = HEIGHT }

local Game = {}
Game.__index = Game

local function runLift(lift)
  local _, y = lift:getRect()
  if y <= LIFT_TOP or y >= LIFT_BOTTOM then
    lift:setVelocity(0, y <= LIFT_TOP and LIFT_SPEED or -LIFT_SPEED)
  end
end

function Game:takeItems()
  local items = self.state.items
  for _, box in ipairs(self.world:queryBox(self.hero.box, ITEM)) do
    items[box:getData()] = (items[box:getData()] or 0) + 1
    box:remove()
  end
end

-- Who comes into a room, or falls out of it, is at its door.
function Game:findRoom()
  local state, x, y = self.state, self.hero.box:getRect()
  local room = math.floor((x + 6) / WIDTH)
  if room ~= state.room then
    state.room, state.doorX, state.doorY = room, x, y
  elseif y > HEIGHT then
    self.hero.box:setRect(state.doorX, state.doorY)
    state.falls = state.falls + 1
  end
end

function Game:step(dt, input)
  runLift(self.lift)
  self.world:step(dt) -- the lift flies, the crate falls
  self.hero:step(dt, { direction = input.direction or 0, up = input.up, down = input.down,
    jump = input.jump, dash = input.dash and self.state.items.boots ~= nil })
  self:takeItems()
  self:findRoom()
end

function Game:save(slot) return self.saver:save(slot) end
function Game:load(slot) self.saver:load(slot) end
function Game:hash() return self.saver:getHash() end

function rooms.newGame(backend)
  local world = broadside.newWorld({ backend = backend, gravity = { 0, 900 } })
  local game = setmetatable({ world = world, state = { items = {}, falls = 0, room = 0 } }, Game)
  local function newItem(name)
    return function(x, y)
      world:insert(x + 3, y + 3, 10, 10,
        { static = true, sensor = true, layer = ITEM, data = name })
    end
  end
  local legend = {
    ["#"] = { layer = WALL, data = "wall" },
    o = newItem("coin"), B = newItem("boots"), F = newItem("flag"),
    c = { layer = CRATE, static = false, response = "slide", friction = 1, data = "crate" },
    L = function(x, y)
      game.lift = world:insert(x, y, 2 * TILE, 8, { layer = WALL, oneWay = "up", gravityScale = 0,
        vy = LIFT_SPEED, data = "lift" })
    end,
    s = function(x, y)
      game.hero = hero.new(world, world:insert(x, y + TILE - 24, 12, 24,
        { layer = HERO, data = "hero" }))
    end,
  }
  for room = -1, 1 do
    tiles.insert(world, ROOMS[room], legend, { w = TILE, x = room * WIDTH })
  end
  game.hero.walker.filter = { slide = WALL, push = CRATE, cross = LADDER }
  game.state.doorX, game.state.doorY = game.hero.box:getRect()
  game.saver = save.new({ world = world, walkers = { game.hero.walker },
    fields = { game = game.state, hero = game.hero.state } })
  return game
end

return rooms
