-- A course that needs all that the hero can do: a gap that only a dash crosses, a low passage, a
-- shaft without a ladder, a floor to drop through, and a ladder to the flag.

local broadside = require("broadside")
local hero = require("hero.hero")
local save = require("broadside.save")
local tiles = require("broadside.tiles")

local TILE = 16
local MAP = [[
####################################
#...............####........#......#
#...............####........#......#
#...............####........#......#
#...............####........#......#
#...............####........#....F.#
#...............####...##===#.H#####
#...............####...##...#.h#####
#...............####...##...#.h#####
#...............####...##...#.h#####
#...............####...##...#.h#####
#...............####...##...#.h#####
#...............####...##.....h#####
#.s....................##.....h#####
######.......#######################
######.......#######################
]]

local course = { INPUTS = { "direction", "up", "down", "jump", "dash" }, STEP = 1 / 60 }

local Game = {}
Game.__index = Game

function Game:step(dt, input)
  self.hero:step(dt, { direction = input.direction or 0, up = input.up, down = input.down,
    jump = input.jump, dash = input.dash })
  local _, y = self.hero.box:getRect()
  if y > self.bottom then -- it fell: back to the start
    self.hero.box:setRect(self.startX, self.startY)
    self.state.falls = self.state.falls + 1
  end
  self.state.isWon = self.state.isWon or self.world:queryBox(self.hero.box, course.FLAG)[1] ~= nil
end

function Game:save(slot) return self.saver:save(slot) end
function Game:load(slot) self.saver:load(slot) end
function Game:hash() return self.saver:getHash() end

course.FLAG = 8

function course.newGame(backend)
  local world = broadside.newWorld({ backend = backend })
  local game = setmetatable({ world = world, state = { falls = 0, isWon = false } }, Game)
  local ladder = { sensor = true, layer = 4, data = "ladder" }
  game.map = tiles.newMap(world, MAP, {
    ["."] = false,
    ["#"] = { layer = 1, data = "wall" },
    ["="] = { layer = 1, oneWay = { 0, -1 }, data = "plank" },
    h = ladder,
    H = function(x, y, w, h)
      world:insert(x, y, w, h, { static = true, sensor = true, layer = 4, data = "ladder" })
      world:insert(x, y, w, 4, { static = true, oneWay = { 0, -1 }, data = "plank" })
    end,
    F = { sensor = true, layer = course.FLAG, data = "flag" },
    s = function(x, y) game.startX, game.startY = x, y + TILE - 24 end,
  }, { w = TILE })
  local _, rows = game.map:size()
  game.bottom = rows * TILE + 50
  game.hero = hero.new(world, world:insert(game.startX, game.startY, 12, 24,
    { layer = 2, data = "hero" }))
  game.saver = save.new({ world = world, walkers = { game.hero.walker }, maps = { game.map },
    fields = { game = game.state, hero = game.hero.state } })
  return game
end

return course
