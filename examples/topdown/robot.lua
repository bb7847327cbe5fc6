-- Plays the cellar when nobody else does: takes keys, opens doors, goes for the chest.
-- What it cannot reach may be behind a gate, so it also pushes a crate onto a plate. It keeps away
-- from ghosts, by a distance that is another one each time they have caught it.

local topdown = require("topdown.simulation")

local robot = {}

local THINK, NEAR = 6, 4 -- steps from one thought to the next; cells

-- Returns a function(game) that returns the input of the next step: x and y, each -1, 0 or 1.
function robot.new()
  local ways, toX, toY = {}, nil, nil

  -- The next place on the way to a point, and how many steps are left, or -1.
  local function wayTo(game, x, y, passable)
    local column, row = game.map:toCell(x, y)
    game.map:flood(column, row, passable, ways)
    local heroX, heroY = game.hero.box:getCenter()
    return game:nextPlace(heroX, heroY, ways)
  end

  -- To the crate, at the side that is away from the plate, and on.
  local function wayOfCrate(game, x, y, passable)
    local heroX, heroY = game.hero.box:getCenter()
    local side = game.plates[1]:getCenter() > x and 1 or -1
    if math.abs(heroY - y) < 6 and (x - heroX) * side > 0 and math.abs(x - heroX) < 40 then
      return x, y, 1
    end
    return wayTo(game, x - side * topdown.TILE, y, passable)
  end

  -- To the nearest thing that is of use.
  local function choose(game, margin)
    local passable, least = game:newPassable(topdown.shutFor(game.keys), margin), math.huge
    for box in game.world:boxes() do
      local kind, find = topdown.kinds[box:getFilter()], nil
      if kind == "key" or kind == "chest" or kind == "door" and game.keys > 0 then
        find = wayTo
      elseif kind == "crate" and topdown.kinds[game.gates[1]:getFilter()] == "gate" then
        find = wayOfCrate
      end
      if find then
        local x, y = box:getCenter()
        local nextX, nextY, steps = find(game, x, y, passable)
        if steps >= 0 and steps < least then
          least, toX, toY = steps, nextX, nextY
        end
      end
    end
    return least < math.huge
  end

  -- Away from the nearest ghost, unless it is far.
  local function flee(game)
    local x, y = game.hero.box:getCenter()
    local ghosts, n = game.world:nearest(x, y, 1, topdown.GHOST, NEAR * topdown.TILE)
    if n == 0 then
      return false
    end
    local ghostX, ghostY = ghosts[1]:getCenter()
    wayTo(game, ghostX, ghostY, game:newPassable(topdown.shutFor(0)))
    for i = 1, #ways do
      ways[i] = ways[i] >= 0 and #ways - ways[i] or -1
    end
    toX, toY = game:nextPlace(x, y, ways)
    return true
  end

  return function(game)
    if game.steps % THINK == 0 and not choose(game, 24 + 12 * (game.caught % 4))
      and not flee(game) then
      choose(game)
    end
    local x, y = game.hero.box:getCenter()
    local dx, dy = (toX or x) - x, (toY or y) - y
    return math.abs(dx) > 2 and (dx > 0 and 1 or -1) or 0,
      math.abs(dy) > 2 and (dy > 0 and 1 or -1) or 0
  end
end

return robot
