-- The rooms of a metroidvania: examples/rooms.

local child = require("spec.support.child")
local play = require("broadside.play")

package.path = "examples/?.lua;" .. package.path
local robot, rooms = require("rooms.robot"), require("rooms.game")

-- Lets the robot play a game, without an input if one is named. Returns the play, and the steps
-- that it takes to an item, or nil.
local function playRobot(game, item, without)
  local p
  p = play.new(game, { dt = rooms.STEP, inputs = rooms.INPUTS, before = function()
    robot.before(p)
    if without then p:set(without, false) end
  end })
  return p, p:runUntil(function() return game.state.items[item] end, 900)
end

-- The boxes of the world with this data.
local function find(game, data)
  local found = {}
  for box in game.world:boxes() do
    if box:getData() == data then found[#found + 1] = box end
  end
  return found
end

-- Plays with these inputs, all held.
local function hold(game, steps, inputs)
  local p = play.new(game, { dt = rooms.STEP, inputs = rooms.INPUTS })
  for name, value in pairs(inputs) do
    p:set(name, value)
  end
  p:run(steps)
  return p
end

describe("The rooms", function()
  it("are played by the robot without a fall, the same on every back end", function()
    local game = rooms.newGame("auto")
    local p, steps = playRobot(game, "flag")
    assert.is_truthy(steps)
    assert.same({ boots = 1, coin = 5, flag = 1 }, game.state.items)
    assert.same({ 0, -1 }, { game.state.falls, game.state.room })
    for _, backend in ipairs({ "brute", "grid" }) do
      assert.equal(p:record(), playRobot(rooms.newGame(backend), "flag"):record())
    end
    assert.equal(1, play.replay(rooms.newGame("tree"), p:record()).game.state.items.flag)
  end)

  it("need the jump, and the dash that the boots give", function()
    for _, name in ipairs({ "jump", "dash" }) do
      local _, steps = playRobot(rooms.newGame(), "flag", name)
      assert.is_nil(steps, name)
    end
  end)

  it("let nobody dash without the boots", function()
    local game, booted = rooms.newGame(), rooms.newGame()
    booted.state.items.boots = 1
    hold(game, 6, { dash = true, direction = 1 })
    hold(booted, 6, { dash = true, direction = 1 })
    assert.is_true(booted.hero.box:getRect() > game.hero.box:getRect() + 10)
  end)

  it("put a hero who falls back to the door, and nothing else", function()
    local game = rooms.newGame()
    local place = { game.hero.box:getRect() }
    local p = hold(game, 0, { direction = -1 })
    assert.is_truthy(p:runUntil(function() return game.state.falls == 1 end, 300))
    assert.same(place, { game.hero.box:getRect() })
    assert.equal(0, game.state.room)
  end)

  it("keep what was moved and taken while the hero is elsewhere, and in a save", function()
    local game = rooms.newGame()
    playRobot(game, "boots")
    local crate = { find(game, "crate")[1]:getRect() }
    assert.is_true(crate[1] > find(rooms.newGame(), "crate")[1]:getRect() + 100)
    playRobot(game, "flag")
    local later = rooms.newGame()
    later.saver:load(game.saver:getString())
    for _, one in ipairs({ game, later }) do
      assert.same({ { crate[1], crate[2], 16, 16 } }, { { find(one, "crate")[1]:getRect() } })
      assert.same({ 0, 0, 0 }, { #find(one, "coin"), #find(one, "boots"), #find(one, "flag") })
      assert.same({ boots = 1, coin = 5, flag = 1 }, one.state.items)
    end
  end)

  it("go on from a save, at any time, in another process", function()
    local straight = rooms.newGame()
    local p = playRobot(straight, "flag")
    for at = 25, p.steps - 1, 60 do
      local game, later = rooms.newGame(), rooms.newGame()
      play.new(game, { inputs = rooms.INPUTS, before = robot.before }):run(at)
      later.saver:load(game.saver:getString())
      local _, steps = playRobot(later, "flag")
      assert.equal(p.steps, at + (steps or 0))
      assert.equal(straight:hash(), later:hash())
    end
  end)

  it("are the same if the robot goes back in every step", function()
    local straight = playRobot(rooms.newGame(), "flag")
    local game = rooms.newGame()
    local p = play.new(game, { inputs = rooms.INPUTS, history = 1, before = robot.before })
    repeat
      p:run(1)
      p:rewind(1)
      p:run(1)
    until game.state.items.flag or p.steps > 900
    assert.equal(straight:record(), p:record())
  end)

  it("end alike in run.lua, which goes on from a string", function()
    local _, output = child.run("arg = { [0] = 'examples/rooms/run.lua' } dofile(arg[0])")
    local straight = rooms.newGame()
    playRobot(straight, "flag")
    assert.equal(straight:hash(), output:match("hash (%x+)\n$"), output)
  end)
end)
