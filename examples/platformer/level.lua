-- The platformer's level: a map of symbols, and the boxes that it becomes.

local tiles = require("broadside.tiles")
local walker = require("broadside.walker")

local TILE = 32
local level = { TILE = TILE, PLAYER_W = 22, PLAYER_H = 30, PATROL = 55 }

-- Every box is on a layer, a power of two.
local SOLID, PLAYER, ENEMY, THING, SPIKES = 1, 2, 4, 8, 16
level.SOLID, level.ENEMY, level.THING, level.SPIKES = SOLID, ENEMY, THING, SPIKES
level.BODIES = PLAYER + ENEMY -- the layers that platforms push

-- What stops a body, and what it passes through with a report.
local PLAYER_RULES = { slide = SOLID, cross = ENEMY + THING + SPIKES }
local ENEMY_RULES = { slide = SOLID }

-- Two places with the same digit are the ends of a lift's way; newLegend has the other symbols.
local MAP = [[
#                                               #################                                #
#                                               #################                                #
#                                                   C     C                                      #
#                                                                                                #
#                                                              oo                                #
#                                                   oo    oo                                     #
#                                  ooo          K o    oo    o                                   #
#                                   E      1   ####################   oo  oo       ooo           #
#                 o               =====        ####################                ===           #
#                o o                        o  ####################2       2                     #
#             oo                oo             ####################            ####\             #
#                              ====            ####################            #####\   oo       #
#      ooo  /####      ooo                 1   ####################            #######           #
#  P      /######   #     E  ##     E #        ####################            #######  E  E   ! #
#################   #####################      ####################            ###################
#################   #####################^^^^^^####################^^^^^^^^^^^^###################
#################   ##############################################################################
]]

level.rows = {} -- the lines of the map
for line in MAP:gmatch("[^\n]+") do
  table.insert(level.rows, line)
end
level.WIDTH, level.HEIGHT = #level.rows[1] * TILE, #level.rows * TILE

-- Makes a new box and its entity, a table with all other data about it. The world was made with
-- results = "data", so whatever finds the box returns its entity.
local function add(game, kind, x, y, w, h, options)
  options.data, options.key = { kind = kind }, "box"
  game.world:insert(x, y, w, h, options)
  return options.data
end

-- Adds something that walks and falls by its rules. When a platform pushes it, its mask says what
-- stops it.
local function addBody(game, kind, layer, rules, x, y, w, h)
  local body = add(game, kind, x, y, w, h, { layer = layer, mask = SOLID })
  body.walker = walker.new(game.world, body.box, { filter = rules })
  body.vx, body.vy = 0, 0
  return body
end

-- Adds something that goes from one place to another and back, and that nothing stops.
local function addPlatform(game, kind, x, y, w, h, oneWay)
  local platform = add(game, kind, x, y, w, h, { layer = SOLID, oneWay = oneWay })
  platform.fromX, platform.fromY, platform.toX, platform.toY = x, y, x, y
  platform.delay = 0.7 * #game.platforms
  platform.along = 0 -- how far it is along its way: 0..1
  table.insert(game.platforms, platform)
  return platform
end

local function addThing(game, kind, x, y, w, h)
  return add(game, kind, x, y, w, h, { layer = THING, static = true })
end

-- Goes from one end to the other and back, slowly near both: 0..1.
local function glide(time)
  local s = math.max(0, math.min(1, math.abs(time % 6 - 3) / 2 - 0.25))
  return s * s * (3 - 2 * s)
end

-- Waits, falls, stays, and is drawn up: 0..1.
local function drop(time)
  time = time % 3
  local fallen = math.max(0, math.min(1, (time - 1.3) / 0.3))
  return math.min(fallen * fallen, 3 - time, 1)
end

local PATHS = { lift = glide, crusher = drop }

-- The place of a platform after `time` seconds.
function level.follow(platform, time)
  local s = PATHS[platform.kind](time + platform.delay)
  platform.along = s
  return platform.fromX + s * (platform.toX - platform.fromX),
    platform.fromY + s * (platform.toY - platform.fromY)
end

local UP = { 0, -1 } -- solid only from above
local SLOPE = { kind = "slope" }

-- What does not move needs no entity of its own: one box covers many tiles. For everything else a
-- function is called once for each symbol, when those boxes have been inserted.
local function newLegend(game)
  local legend, lifts = {
    ["#"] = { layer = SOLID, data = { kind = "ground" } },
    ["/"] = { layer = SOLID, data = SLOPE, polygon = { 0, TILE, TILE, 0, TILE, TILE } },
    ["\\"] = { layer = SOLID, data = SLOPE, polygon = { 0, 0, TILE, TILE, 0, TILE } },
    ["="] = { layer = SOLID, oneWay = UP, rect = { 0, 0, TILE, 10 }, data = { kind = "ledge" } },
    ["^"] = { layer = SPIKES, rect = { 0, 14, TILE, TILE - 14 }, data = { kind = "spikes" } },
  }, {}

  function legend.o(x, y)
    addThing(game, "coin", x + 7, y + 7, 18, 18)
    game.coinsInAll = game.coinsInAll + 1
  end

  function legend.K(x, y)
    table.insert(game.checkpoints, addThing(game, "checkpoint", x + 8, y - 4 * TILE, 16, 5 * TILE))
  end

  legend["!"] = function(x, y)
    addThing(game, "goal", x + 8, y - 2 * TILE, 16, 3 * TILE)
  end

  function legend.P(x, y)
    game.startX, game.startY = x + 5, y + 2
    game.player = addBody(game, "player", PLAYER, PLAYER_RULES, x + 5, y + 2, level.PLAYER_W,
      level.PLAYER_H)
  end

  function legend.E(x, y)
    local enemy = addBody(game, "enemy", ENEMY, ENEMY_RULES, x + 3, y + 8, 26, 24)
    enemy.vx = -level.PATROL
    table.insert(game.enemies, enemy)
  end

  function legend.C(x, y) -- falls as far as it can
    local crusher = addPlatform(game, "crusher", x, y, 2 * TILE, 2 * TILE)
    crusher.toX, crusher.toY = game.world:check(crusher.box, x, y + level.HEIGHT, SOLID)
  end

  for digit = 1, 2 do
    legend[tostring(digit)] = function(x, y)
      if lifts[digit] then
        lifts[digit].toX, lifts[digit].toY = x, y
      else
        lifts[digit] = addPlatform(game, "lift", x, y, 3 * TILE, 12, UP)
      end
    end
  end
  return legend
end

-- Fills the game's world, and game.player, enemies, platforms, checkpoints, startX, startY and
-- coinsInAll.
function level.build(game)
  tiles.insert(game.world, level.rows, newLegend(game), { w = TILE })
end

return level
