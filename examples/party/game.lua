-- A game for three over a network: each kick of the ball counts. rollback/party.lua plays it.

local broadside = require("broadside")
local save = require("broadside.save")
local walker = require("broadside.walker")

local LAYERS = broadside.layers({ "wall", "hero", "ball" })
local RUN, JUMP, KICK, GRAVITY, STEP = 150, 350, 300, 900, 1 / 60

local party = { WIDTH = 400, HEIGHT = 240, LEFT = 1, RIGHT = 2, JUMP = 4 } -- an input is a sum

local Game = {}
Game.__index = Game

function Game:stepHero(i, input)
  local hero, state = self.heroes[i], self.state
  local vx = (input % 4 >= party.RIGHT and RUN or 0) - input % 2 * RUN
  local vy = input >= party.JUMP and hero.onFloor and -JUMP or state.vy[i]
  vx, state.vy[i] = hero:walk(vx, vy + GRAVITY * STEP, STEP)
  for k = 1, hero.n do
    if hero.hits[k].other == self.ball and vx ~= 0 then
      self.ball:setVelocity(2 * vx, -KICK)
      state.kicks[i] = state.kicks[i] + 1
    end
  end
end

-- inputs: a number for each player.
function Game:step(inputs)
  for i, input in ipairs(inputs) do
    self:stepHero(i, input)
  end
  self.world:step(STEP)
end

function Game:save(slot) return self.saver:save(slot) end
function Game:load(slot) self.saver:load(slot) end
function Game:getString() return self.saver:getString() end
function Game:getHash() return self.saver:getHash() end

function party.newGame()
  local world = broadside.newWorld({ gravity = { 0, GRAVITY } })
  local game = setmetatable({ world = world, heroes = {},
    state = { vy = { 0, 0, 0 }, kicks = { 0, 0, 0 } } }, Game)
  world:insertPolyline({ 0, 0, 400, 0, 400, 240, 0, 240, 0, 0 }, 20,
    { static = true, layer = LAYERS.wall, data = "wall" })
  for i = 1, 3 do
    game.heroes[i] = walker.new(world, world:insert(100 * i, 190, 20, 32,
      { layer = LAYERS.hero, mask = LAYERS.wall, data = i }),
      { filter = { slide = LAYERS.wall, cross = LAYERS.ball } })
  end
  game.ball = world:insertCircle(260, 40, 12, { layer = LAYERS.ball, mask = LAYERS.wall,
    response = "bounce", bounce = 0.8, data = "ball" })
  game.saver = save.new({ world = world, walkers = game.heroes, fields = game.state })
  return game
end

return party
