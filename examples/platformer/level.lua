-- The platformer's level: a map of signs, and the boxes that they become.

local TILE = 32
local level = { TILE = TILE, PLAYER_W = 22, PLAYER_H = 30, PATROL = 55 }

-- Every box is on a layer, a power of two.
local SOLID, PLAYER, ENEMY, THING, SPIKES = 1, 2, 4, 8, 16
level.SOLID, level.PLAYER, level.ENEMY, level.THING, level.SPIKES = 1, 2, 4, 8, 16

-- Two places with the same digit are the ends of a lift's way; the other signs are in BUILD below.
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

-- A new box, and its entity: a table with all else that there is to know of it. As the world was
-- made with results = "data", whatever finds the box tells of its entity.
local function add(game, kind, x, y, w, h, options)
  local entity = { kind = kind }
  options.data = entity
  entity.box = game.world:insert(x, y, w, h, options)
  return entity
end

-- What walks and falls. When a platform pushes it, it is stopped by what its mask lets it meet.
local function addBody(game, kind, layer, x, y, w, h)
  local body = add(game, kind, x, y, w, h, { layer = layer, mask = SOLID })
  body.vx, body.vy, body.grounded = 0, 0, false
  return body
end

-- What goes from one place to another and back, and is not stopped.
local function addPlatform(game, kind, x, y, w, h, oneWay)
  local platform = add(game, kind, x, y, w, h, { layer = SOLID, oneWay = oneWay })
  platform.fromX, platform.fromY, platform.toX, platform.toY = x, y, x, y
  platform.delay = 0.7 * #game.platforms
  platform.along = 0 -- how far along its way: 0..1
  table.insert(game.platforms, platform)
  return platform
end

local function addThing(game, kind, x, y, w, h)
  return add(game, kind, x, y, w, h, { layer = THING, static = true })
end

-- From one end to the other and back, slow near both: 0..1.
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

-- Where a platform is after so many seconds.
function level.follow(platform, time)
  local s = PATHS[platform.kind](time + platform.delay)
  platform.along = s
  return platform.fromX + s * (platform.toX - platform.fromX),
    platform.fromY + s * (platform.toY - platform.fromY)
end

local UP = { 0, -1 } -- solid from above alone

-- Half a tile of ground.
local function addSlope(game, corners)
  local entity = { kind = "slope" }
  entity.box = game.world:insertPolygon(corners, { layer = SOLID, static = true, data = entity })
end

local BUILD = {
  ["#"] = function(game, x, y)
    add(game, "ground", x, y, TILE, TILE, { layer = SOLID, static = true })
  end,
  ["/"] = function(game, x, y)
    addSlope(game, { x, y + TILE, x + TILE, y, x + TILE, y + TILE })
  end,
  ["\\"] = function(game, x, y)
    addSlope(game, { x, y, x + TILE, y + TILE, x, y + TILE })
  end,
  ["="] = function(game, x, y)
    add(game, "ledge", x, y, TILE, 10, { layer = SOLID, static = true, oneWay = UP })
  end,
  ["^"] = function(game, x, y)
    add(game, "spikes", x, y + 14, TILE, TILE - 14, { layer = SPIKES, static = true })
  end,
  ["o"] = function(game, x, y)
    addThing(game, "coin", x + 7, y + 7, 18, 18)
    game.coinsInAll = game.coinsInAll + 1
  end,
  ["K"] = function(game, x, y)
    addThing(game, "checkpoint", x + 8, y - 4 * TILE, 16, 5 * TILE)
  end,
  ["!"] = function(game, x, y)
    addThing(game, "goal", x + 8, y - 2 * TILE, 16, 3 * TILE)
  end,
  ["P"] = function(game, x, y)
    game.startX, game.startY = x + 5, y + 2
    game.player = addBody(game, "player", PLAYER, x + 5, y + 2, level.PLAYER_W, level.PLAYER_H)
  end,
  ["E"] = function(game, x, y)
    local enemy = addBody(game, "enemy", ENEMY, x + 3, y + 8, 26, 24)
    enemy.vx = -level.PATROL
    table.insert(game.enemies, enemy)
  end,
  ["C"] = function(game, x, y)
    addPlatform(game, "crusher", x, y, 2 * TILE, 2 * TILE)
  end,
}

local function buildLift(game, lifts, digit, x, y)
  local lift = lifts[digit]
  if lift then
    lift.toX, lift.toY = x, y
  else
    lifts[digit] = addPlatform(game, "lift", x, y, 3 * TILE, 12, UP)
  end
end

-- Fills the game's world, and game.player, enemies, platforms, startX, startY and coinsInAll.
function level.build(game)
  local lifts = {}
  for row, line in ipairs(level.rows) do
    for column = 1, #line do
      local sign, x, y = line:sub(column, column), (column - 1) * TILE, (row - 1) * TILE
      if BUILD[sign] then
        BUILD[sign](game, x, y)
      elseif sign:find("%d") then
        buildLift(game, lifts, sign, x, y)
      end
    end
  end
  for _, platform in ipairs(game.platforms) do
    if platform.kind == "crusher" then -- falls as far as it gets
      local x, top = platform.box:getRect()
      platform.toX, platform.toY = game.world:check(platform.box, x, top + level.HEIGHT,
        SOLID)
    end
  end
end

return level
