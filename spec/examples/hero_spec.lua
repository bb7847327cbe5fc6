-- The hero to copy: examples/hero. Speeds and times are those at the head of hero.lua: it runs at
-- 120, jumps at 310 against a gravity of 900, and so flies 0.69 s, and 53 pixels high.

local broadside = require("broadside")
local play = require("broadside.play")

package.path = "examples/?.lua;" .. package.path
local course, robot = require("hero.course"), require("hero.robot")
local newHero = require("hero.hero").new

local FLOOR = 200

-- A hero on a floor from 0 to 200, and a play of it alone.
local function newGame(x, y)
  local world = broadside.newWorld()
  world:insert(0, FLOOR, 200, 20, { static = true })
  local game = { world = world, hero = newHero(world, world:insert(x, y or FLOOR - 24, 12, 24,
    { layer = 2 })) }
  function game.step(self, dt, input)
    self.hero:step(dt, { direction = input.direction or 0, up = input.up, down = input.down,
      jump = input.jump, dash = input.dash })
  end
  local p = play.new(game, { inputs = course.INPUTS })
  p:run(2)
  return p, game.hero, world
end

-- The greatest height of its feet above the floor in some steps.
local function highest(p, hero, steps)
  local best = -math.huge
  for _ = 1, steps do
    p:run(1)
    local _, y, _, h = hero.box:getRect()
    best = math.max(best, FLOOR - y - h)
  end
  return best
end

describe("The hero", function()
  it("jumps as long as the button is held, and once", function()
    local p, hero = newGame(100)
    p:set("jump", true)
    local high = highest(p, hero, 120)
    assert.is_true(high > 48 and high < 54, high)
    assert.is_true(hero.walker.onFloor)
    p:set("jump", false)
    p:run(1)
    p:press("jump")
    local low = highest(p, hero, 60)
    assert.is_true(low > 4 and low < high / 2, low)
  end)

  it("jumps a little after an edge, and no later", function()
    for _, case in ipairs({ { 0, true }, { 4, true }, { 8, false }, { 20, false } }) do
      local p, hero = newGame(150)
      p:set("direction", 1)
      p:runUntil(function() return not hero.walker.onFloor end)
      p:run(case[1])
      p:set("jump", true)
      p:run(2)
      assert.equal(case[2], hero.state.vy < 0, case[1])
    end
  end)

  it("jumps on landing if the button went down a little before, and no sooner", function()
    local function land(early)
      local p, hero = newGame(100, FLOOR - 24 - 50)
      local steps = 0
      while not hero.walker.onFloor do -- how long it falls, without the button
        p:run(1)
        steps = steps + 1
      end
      p, hero = newGame(100, FLOOR - 24 - 50)
      p:run(steps - early)
      p:set("jump", true)
      p:run(early + 2)
      return hero.state.vy < 0
    end
    assert.is_true(land(2))
    assert.is_true(land(4))
    assert.is_false(land(9))
    assert.is_false(land(15))
  end)

  it("jumps off a wall, also a little later, and goes away from it", function()
    for _, case in ipairs({ { 0, true }, { 3, true }, { 9, false } }) do
      local p, hero, world = newGame(150, 20)
      world:insert(200, -200, 20, 420, { static = true })
      p:set("direction", 1)
      p:runUntil(function() return hero.walker.onWall == 1 end)
      p:set("direction", case[1] == 0 and 1 or -1)
      p:run(case[1])
      p:set("direction", 1)
      local x = hero.box:getRect()
      p:set("jump", true)
      p:run(3)
      assert.equal(case[2], hero.state.vy < -200, case[1])
      assert.equal(case[2], (hero.box:getRect()) < x, case[1])
    end
  end)

  it("slides down a wall slower than it falls", function()
    local p, hero, world = newGame(186, -400)
    world:insert(200, -600, 20, 820, { static = true })
    p:set("direction", 1)
    p:run(60)
    assert.equal(1, hero.walker.onWall)
    assert.is_true(hero.state.vy <= 60 and hero.state.vy > 0)
  end)

  it("dashes level and fast, once until it stands", function()
    local p, hero = newGame(20, 40)
    local x, y = hero.box:getRect()
    p:press("dash")
    p:run(9) -- 0.15 s
    local dashX, dashY = hero.box:getRect()
    assert.is_true(math.abs(dashX - x - 54) <= 6, dashX - x)
    assert.is_true(math.abs(dashY - y) < 3)
    p:run(2)
    p:press("dash")
    p:run(1)
    assert.is_true(hero.state.dash == 0)
    p:runUntil(function() return hero.walker.onFloor end)
    p:press("dash")
    p:run(1)
    assert.is_true(hero.state.dash > 0)
  end)

  it("crouches below a low ceiling, and stands up behind it", function()
    local p, hero, world = newGame(60)
    world:insert(100, FLOOR - 60, 40, 45, { static = true }) -- 15 are free
    local function height() return select(4, hero.box:getRect()) end
    p:set("direction", 1)
    p:run(60)
    assert.equal(88, (hero.box:getRect()))
    p:set("down", true)
    p:run(20)
    p:set("down", false)
    p:run(1)
    assert.equal(12, height()) -- there is no room
    p:run(120)
    assert.equal(24, height())
    assert.is_true((hero.box:getRect()) > 128)
  end)

  it("climbs a ladder up and down, and jumps off it", function()
    local p, hero, world = newGame(100)
    world:insert(100, FLOOR - 100, 12, 100, { static = true, sensor = true, layer = 4 })
    world:insert(90, FLOOR - 100, 40, 4, { static = true, oneWay = { 0, -1 } })
    p:set("up", true)
    p:run(200)
    local _, y = hero.box:getRect()
    assert.equal(FLOOR - 100 - 24, y) -- on its top
    p:set("up", false)
    p:set("down", true)
    p:run(30)
    _, y = hero.box:getRect()
    assert.is_true(math.abs(y - (FLOOR - 124 + 40)) < 4, y) -- half a second at 80
    p:set("down", false)
    p:run(30)
    assert.equal(y, (select(2, hero.box:getRect()))) -- it holds on
    p:set("jump", true)
    p:run(1)
    assert.is_true(hero.state.vy < -200)
  end)

  it("drops through a one-way box by down and jump, and from no other floor", function()
    local p, hero, world = newGame(100, FLOOR - 24 - 70)
    world:insert(80, FLOOR - 60, 60, 4, { static = true, oneWay = { 0, -1 } })
    p:run(30)
    assert.is_true(hero.walker.onFloor)
    p:set("down", true)
    p:run(3)
    p:set("jump", true)
    p:run(60)
    p:set("down", false)
    p:run(2)
    assert.equal(FLOOR - 24, (select(2, hero.box:getRect())))
  end)

  it("is one file of at most 120 lines", function()
    local lines = 0
    for _ in io.lines("examples/hero/hero.lua") do lines = lines + 1 end
    assert.is_true(lines <= 120, lines)
  end)
end)

describe("The course", function()
  -- Lets the robot play, without an input if one is named. Returns the play, and the steps or nil.
  local function playRobot(backend, without, history)
    local game = course.newGame(backend)
    local p
    p = play.new(game, { dt = course.STEP, inputs = course.INPUTS, history = history,
      before = function()
        robot.before(p)
        if without then p:set(without, false) end
      end })
    return p, p:runUntil(function() return game.state.isWon end, 900)
  end

  it("is won by the robot without a fall, the same on every back end", function()
    local p, steps = playRobot("auto")
    assert.is_truthy(steps)
    assert.equal(0, p.game.state.falls)
    for _, backend in ipairs({ "brute", "grid" }) do
      assert.equal(p:record(), playRobot(backend):record())
    end
    assert.is_true(play.replay(course.newGame("tree"), p:record()).game.state.isWon)
  end)

  it("needs all that the hero can do", function()
    for _, name in ipairs({ "up", "down", "jump", "dash" }) do
      local _, steps = playRobot("auto", name)
      assert.is_nil(steps, name)
    end
  end)

  it("goes on from a save, at any time, in another process", function()
    local straight = playRobot("auto")
    for _, at in ipairs({ 40, 75, 150, 250, 330, 420 }) do
      local game = course.newGame()
      play.new(game, { inputs = course.INPUTS, before = robot.before }):run(at)
      local other = course.newGame()
      other.saver:load(game.saver:getString())
      local p = play.new(other, { inputs = course.INPUTS, before = robot.before })
      local steps = p:runUntil(function() return other.state.isWon end, 900)
      assert.equal(straight.steps, at + (steps or 0))
      assert.equal(straight.game:hash(), other:hash())
    end
  end)

  it("is the same if the robot goes back in every step", function()
    local straight, back = playRobot("auto"), course.newGame()
    local p = play.new(back, { inputs = course.INPUTS, history = 1, before = robot.before })
    repeat
      p:run(1)
      p:rewind(1)
      p:run(1)
    until back.state.isWon or p.steps > 900
    assert.equal(straight:record(), p:record())
  end)
end)
