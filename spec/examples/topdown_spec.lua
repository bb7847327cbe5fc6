-- The cellar: examples/topdown without its window.

local broadside = require("broadside")
local play = require("broadside.play")

package.path = "examples/?.lua;" .. package.path
local topdown, robot = require("topdown.simulation"), require("topdown.robot")

describe("the cellar", function()
  -- Lets the robot play until it has won.
  local function playRobot(backend)
    local game = topdown.newGame(backend)
    local pilot = robot.new()
    local p = play.new(game, { inputs = topdown.INPUTS, before = function(p)
      local x, y = pilot(game)
      p:set("x", x)
      p:set("y", y)
    end })
    p:runUntil(function() return game.isWon end, 3600)
    return game, p
  end

  -- Walks at random.
  local function stroll(game, steps, after)
    local p, state = play.new(game, { inputs = topdown.INPUTS }), 7
    for step = 1, steps do
      state = state * 16807 % 2147483647
      if step % 20 == 1 then
        p:set("x", state % 3 - 1)
        p:set("y", math.floor(state / 3) % 3 - 1)
      end
      p:run(1)
      after(step)
    end
  end

  it("is won by the robot, in the same way by plain loops and in a replay", function()
    local first, p = playRobot("auto")
    assert.is_true(first.isWon)
    assert.equal(0, first.keys)
    assert.equal(first:hash(), playRobot("brute"):hash())
    local again = topdown.newGame()
    play.replay(again, p:record())
    assert.equal(first:hash(), again:hash())
  end)

  -- Whether a box that is smaller than a cell is in a wall: so one of its corners is.
  local function isInWall(game, box)
    local x, y, w, h = box:getRect()
    for corner = 0, 3 do
      local cornerX, cornerY = x + corner % 2 * w, y + math.floor(corner / 2) * h
      local column, row = game.map:toCell(cornerX, cornerY)
      if game.map:get(column, row) == "#"
        and broadside.overlap(x, y, w, h, game.map:toWorld(column, row)) then
        return true
      end
    end
    return false
  end

  local function countDoors(game)
    local n = 0
    for box in game.world:boxes() do
      n = n + (topdown.kinds[box:getFilter()] == "door" and 1 or 0)
    end
    return n
  end

  it("keeps everybody out of walls, and opens no door without a key", function()
    local game = topdown.newGame()
    local doors, keys = countDoors(game), 0
    stroll(game, 2000, function(step)
      assert.is_false(isInWall(game, game.hero.box), step)
      for _, ghost in ipairs(game.ghosts) do
        assert.is_false(isInWall(game, ghost.box), step)
      end
      local left = countDoors(game)
      assert.is_true(left == doors or keys > 0 or left == 2) -- 2: it has been loaded
      doors, keys = left, game.keys
    end)
    assert.is_true(game.caught > 0)
  end)

  it("goes on from a string in another game, also when that has gone on", function()
    local game, other = topdown.newGame(), topdown.newGame()
    stroll(other, 100, function() end)
    stroll(game, 500, function(step)
      if step % 50 == 0 then
        other:load(game:save())
        assert.equal(game:hash(), other:hash())
        assert.equal(#game.ghosts, #other.ghosts)
        other:step(1 / 60, { x = 1, y = 0 })
      end
    end)
  end)
end)
