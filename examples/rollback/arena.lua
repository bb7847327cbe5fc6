-- The arena of the duel: a map of symbols, and the boxes that it becomes.

local TILE = 32
local arena = { TILE = TILE, PLAYER_W = 22, PLAYER_H = 30, CRATE_SIZE = 26, LIFT_W = 3 * TILE }

-- Every box is on a layer, a power of two. Each player has one, so that shots spare the player who
-- fired them.
local WALL, PLANK, CRATE, THING = 1, 2, 4, 8
local PLAYERS = { 16, 32 }
arena.WALL, arena.CRATE, arena.THING, arena.PLAYERS = WALL, CRATE, THING, PLAYERS
arena.SOLID = WALL + PLANK + CRATE

-- 1, 2: where the players start; L: the ends of the lift's way, at the left; <, >: walls with a
-- cannon.
local MAP = [[
#########################
#                       #
#                       #
#          L            #
#   ====         ====   #
#                       #
#       ==     ==       #
>                       <
# 1  ##    L      ##  2 #
#########################
]]

arena.rows = {} -- the lines of the map
for line in MAP:gmatch("[^\n]+") do
  table.insert(arena.rows, line)
end
arena.WIDTH, arena.HEIGHT = #arena.rows[1] * TILE, #arena.rows * TILE

-- Makes a new box and its entity, a table with all other data about it. The world was made with
-- results = "data", so whatever finds the box returns its entity. What can change is kept in the
-- box and not in the entity, so that a snapshot of the world has it. Only players differ: see
-- simulation.lua.
local function add(world, kind, x, y, w, h, options)
  local entity = { kind = kind }
  options.data, options.key = entity, "box" -- insert sets entity.box
  world:insert(x, y, w, h, options)
  return entity
end

function arena.addCrate(world, x, y)
  return add(world, "crate", x, y, arena.CRATE_SIZE, arena.CRATE_SIZE, { layer = CRATE })
end

function arena.addHeart(world, x, y)
  return add(world, "heart", x - 8, y - 8, 16, 16, { layer = THING, static = true })
end

local UP = { 0, -1 } -- solid only from above

local function addWall(game, x, y)
  add(game.world, "wall", x, y, TILE, TILE, { layer = WALL, static = true })
end

local function addPlayer(game, number, x, y)
  local player = add(game.world, "player", x, y, arena.PLAYER_W, arena.PLAYER_H,
    { layer = PLAYERS[number], mask = arena.SOLID })
  player.number, player.startX, player.startY = number, x, y
  game.players[number] = player
end

local BUILD = {
  ["#"] = addWall,
  ["="] = function(game, x, y)
    add(game.world, "plank", x, y, TILE, 10, { layer = PLANK, static = true, oneWay = UP })
  end,
  ["1"] = function(game, x, y)
    addPlayer(game, 1, x + 5, y + 2)
  end,
  ["2"] = function(game, x, y)
    addPlayer(game, 2, x + 5, y + 2)
  end,
  ["L"] = function(game, x, y)
    local lift = game.lift
    if not lift then
      lift = add(game.world, "lift", x, y, arena.LIFT_W, 12, { layer = PLANK, oneWay = UP })
      lift.x, lift.fromY, game.lift = x, y, lift
    end
    lift.toY = y
  end,
  [">"] = function(game, x, y)
    addWall(game, x, y)
    game:addCannon(x + TILE + 8, y + TILE / 2, 1)
  end,
  ["<"] = function(game, x, y)
    addWall(game, x, y)
    game:addCannon(x - 8, y + TILE / 2, -1)
  end,
}

-- Fills the game's world, and game.players and game.lift.
function arena.build(game)
  for row, line in ipairs(arena.rows) do
    for column = 1, #line do
      local build = BUILD[line:sub(column, column)]
      if build then
        build(game, (column - 1) * TILE, (row - 1) * TILE)
      end
    end
  end
end

return arena
