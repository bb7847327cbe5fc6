-- The example area in two processes that are killed: `make test-area` does it for longer.

local kills = require("spec.area.kills")
local ports = require("spec.support.ports")

package.path = "examples/?.lua;" .. package.path
local isThere = pcall(require, "socket")

describe("two processes of the example area", function()
  it("are one world, though they are killed at any time", function()
    if not isThere then
      pending("LuaSocket is missing")
      return
    end
    assert(kills.run(1, os.time()))
  end)

  -- Asks both for pictures until they have come to the last tick.
  local function look(port, ticks)
    local own = require("area.eyes").new(port)
    local stop = own.time() + 20
    local first, second
    repeat
      own:update()
      own.sleep(0.01)
      first, second = own.pictures[1], own.pictures[2]
    until first and second and first.tick == ticks and second.tick == ticks or own.time() > stop
    own:close()
    return { first, second }
  end

  it("show who asks all that is in them", function()
    if not isThere then
      pending("LuaSocket is missing")
      return
    end
    local game = { folder = kills.newFolder(), port = ports.row(4), ticks = 25 }
    local running = { kills.start(game, 1), kills.start(game, 2) }
    local pictures = look(game.port, game.ticks)
    kills.kill(running[1])
    kills.kill(running[2])
    local names, circles = {}, 0
    for side = 1, 2 do
      for name in pairs(pictures[side].actors) do
        assert.is_nil(names[name])
        names[name], circles = true, circles + 1
      end
      for _ in pairs(pictures[side].ghosts) do
        circles = circles + 1
      end
    end
    assert.is_true(circles > kills.PEOPLE)
    for i = 1, kills.PEOPLE do
      assert.is_true(names["p" .. i])
    end
    local _, drawn = require("area.picture").svg(pictures):gsub("<circle", "")
    assert.equal(circles, drawn)
    os.execute("rm -r " .. game.folder)
  end)
end)
