-- Plays the examples with a stand-in for LÖVE. `make test-love` plays them in the real one.

local buffer = require("spec.support.buffer")
local compat = require("spec.support.compat")
local ports = require("spec.support.ports")

local PLAYED = {
  "menu.icons", "menu.view", "player", "plays", "standin", "support.look", "support.stage",
  "broadside.draw",
}
local EXAMPLES = { "barrage", "platformer", "topdown", "cannon", "bounce", "rollback", "swarm",
  "marbles", "billiards", "pinball", "jar", "dig", "sandbox",
  "rooms" } -- of the menu
local SHOWN = compat.concat(EXAMPLES, { "area", "hero", "party" })

describe("in LÖVE", function()
  local path, love

  before_each(function()
    path = package.path
    package.path = "spec/love/?.lua;examples/?.lua;" .. path
    love = require("standin").new(buffer.new)
    rawset(_G, "love", love)
  end)

  after_each(function()
    package.path = path
    rawset(_G, "love", nil)
    for _, name in ipairs(PLAYED) do
      package.loaded[name] = nil
    end
    for _, name in ipairs(SHOWN) do
      package.loaded[name .. ".view"] = nil
      package.loaded[name .. ".simulation"] = nil
    end
    for _, name in ipairs({ "billiards.robot", "jar.robot", "pinball.robot",
      "pinball.table", "topdown.robot" }) do
      package.loaded[name] = nil
    end
    for _, part in ipairs({ "actors", "level", "palette", "particles", "robot", "scenery" }) do
      package.loaded["platformer." .. part] = nil
    end
    for _, part in ipairs({ "course", "hero", "robot" }) do
      package.loaded["hero." .. part] = nil
    end
    package.loaded["party.game"] = nil
    package.loaded["rollback.party"] = nil
    for _, part in ipairs({ "game", "robot" }) do
      package.loaded["rooms." .. part] = nil
    end
    for _, part in ipairs({ "area", "border", "eyes", "pair", "picture", "protocol", "town" }) do
      package.loaded["area." .. part] = nil
    end
    for _, part in ipairs({ "arena", "drawing", "match", "network", "pilot", "recorder",
      "rollback", "udp" }) do
      package.loaded["rollback." .. part] = nil
    end
  end)

  teardown(buffer.close)

  -- Plays the script of spec/love/plays.lua, or a part of it. Returns the view.
  local function play(name, frames)
    local plays = require("plays")
    plays[name].frames = frames or plays[name].frames
    local state = require("player").play("examples", name, function()
      for drawn in pairs(love.drawn) do
        love.drawn[drawn] = nil
      end
      love.draw()
    end)
    return require(name .. ".view"), state
  end

  it("every example opens a window of its size", function()
    for _, name in ipairs(SHOWN) do
      dofile("examples/" .. name .. "/conf.lua")
      local config = { window = {}, modules = {} }
      love.conf(config)
      local view = require(name .. ".view")
      local panel = view.hasControls and require("support.look").PANEL or 0
      assert.equal(view.width + panel, config.window.width)
      assert.equal(view.height, config.window.height)
    end
  end)

  for _, name in ipairs(SHOWN) do
    it(name .. " plays its script, twice the same, and draws all of it", function()
      if not buffer.isThere() then
        return
      end
      local frames = compat.rounds(90)
      local view, state = play(name, frames)
      assert.is_true(love.drawn.rectangle > 3 and love.drawn.print >= 4)
      local _, again = play(name, frames)
      assert.equal(state, again)
      assert.is_true(view.game.world:count() > 3)
    end)
  end

  it("cannon draws targets, balls and what the back end has built", function()
    local view = play("cannon", 1)
    local targets = view.game.world:count() - #view.game.balls
    assert.equal(20, targets)
    local plain = love.drawn.rectangle
    assert.is_true(plain >= 2 * targets)
    assert.equal(1, #view.game.balls)
    love.keypressed("d")
    love.draw()
    assert.is_true(love.drawn.rectangle >= 2 * plain + 21)
    love.keypressed("b")
    assert.equal("brute", view.game.world:getBackend():getName())
    love.keypressed("r")
    assert.equal(0, view.game.shots)
  end)

  it("bounce walks by the keys and throws by the mouse", function()
    local view = play("bounce", 60)
    local x = view.game.player:getRect()
    assert.is_true(x > 112) -- where the player began
    assert.equal(1, view.game.throws)
    assert.is_true(love.drawn.line > 0 and love.drawn.circle > 0)
  end)

  it("platformer is played by the robot until somebody takes the keys", function()
    local view = play("platformer", 160)
    assert.is_true(view.game.coins > 1)
    assert.is_true(love.drawn.polygon > 20 and love.drawn.ellipse > 10)
    local keys = { right = true }
    love.keyboard.isDown = function(first, second) return keys[first] or keys[second] or false end
    love.update(1 / 60)
    assert.equal(0, view.game.coins)
    local start = view.game.startX
    for _ = 1, 10 do
      love.update(1 / 60)
    end
    keys.right = nil
    assert.is_true(view.game.player.box:getRect() > start)
    for _ = 1, 21 do -- a frame plays a quarter of a second at most
      love.update(1)
    end
    assert.is_truthy(view.pilot)
    love.draw()
    local before = love.drawn.rectangle
    love.keypressed("tab")
    love.draw()
    assert.is_true(love.drawn.rectangle - before > view.game.world:count())
  end)

  it("platformer goes back in time while backspace is held", function()
    local view = play("platformer", 1)
    local key, wasThere, last = "right", {}, nil
    love.keyboard.isDown = function(first) return first == key end
    for _ = 1, 60 do
      love.update(1 / 60)
      last = view.game.player.box:getRect()
      wasThere[last] = true
    end
    key = "backspace"
    for _ = 1, 40 do
      love.update(1 / 60)
      love.draw()
      local x = view.game.player.box:getRect()
      assert.is_true(wasThere[x] and x <= last)
      last = x
    end
    assert.is_true(last < view.game.startX + 100)
  end)

  it("platformer shows what moves evenly on a screen of 144 Hz", function()
    play("platformer", 1)
    local actors, places = require("platformer.actors"), {}
    actors.drawPlayer = function(_, x) table.insert(places, x) end
    love.keyboard.isDown = function(first) return first == "right" end
    for _ = 1, 75 do
      love.update(1 / 144)
      love.draw()
    end
    for i = 60, 75 do -- it has its speed of 210 a second, and is on flat ground
      assert.near(210 / 144, places[i] - places[i - 1], 1e-6)
    end
  end)

  it("platformer writes a record with F5, which is replayed", function()
    local view = play("platformer", 200)
    love.keypressed("f5")
    love.draw()
    local game = require("platformer.simulation").newGame()
    require("broadside.play").replay(game, love.drawn.written)
    assert.equal(view.game:hash(), game:hash())
    assert.is_true(game.coins > 1)
  end)

  it("platformer is played by a gamepad, too", function()
    local view = play("platformer", 30)
    local lean, buttons = 0, {}
    local pad = {
      isGamepad = function() return true end,
      getGamepadAxis = function() return lean end,
      isGamepadDown = function(_, name) return buttons[name] or false end,
    }
    love.joystick = { getJoysticks = function() return { pad } end }
    lean = 0.8
    for _ = 1, 20 do
      love.update(1 / 60)
    end
    assert.is_nil(view.pilot)
    assert.is_true(view.game.player.vx > 0)
    buttons.a = true
    lean = 0
    for _ = 1, 10 do
      love.update(1 / 60)
    end
    assert.is_true(view.game.player.vy < 0)
    buttons = { dpleft = true }
    for _ = 1, 40 do
      love.update(1 / 60)
    end
    assert.is_true(view.game.player.vx < 0)
  end)

  it("topdown is played by the robot to its end and beyond", function()
    local view = play("topdown", 1)
    local game, steps = view.game, 0
    while not game.isWon and steps < 60 * 60 do
      love.update(1 / 60)
      steps = steps + 1
    end
    love.draw()
    assert.is_true(game.isWon)
    for _ = 1, 6 * 60 do
      love.update(1 / 60)
    end
    love.draw()
    assert.is_true(view.game ~= game and view.pilot ~= nil)
  end)

  it("topdown is saved with K, and loaded with L", function()
    local view = play("topdown", 1)
    love.keypressed("l") -- there is nothing yet
    love.keyboard.isDown = function(first) return first == "right" end
    for _ = 1, 40 do
      love.update(1 / 60)
    end
    assert.is_nil(view.pilot)
    local x = view.game.hero.box:getRect()
    love.keypressed("k")
    for _ = 1, 40 do
      love.update(1 / 60)
    end
    assert.is_true(view.game.hero.box:getRect() > x)
    love.keypressed("r")
    love.keypressed("l")
    assert.equal(x, (view.game.hero.box:getRect()))
    love.update(1 / 60)
    love.draw()
    assert.is_true(view.game.hero.box:getRect() > x)
    love.keypressed("tab")
    love.draw()
  end)

  it("the machines of the party agree, also the late ones", function()
    local view = play("party")
    for _, machine in ipairs(view.machines) do
      assert.is_nil(machine.desync)
      assert.is_true(machine.frame > 590 and machine.confirmed > 570)
      assert.is_true(machine.rollbacks > 0)
    end
    local kicks = view.game.state.kicks
    assert.is_true(kicks[1] > 0 and kicks[2] > 0 and kicks[3] > 0)
    love.keypressed("r")
    assert.is_true(view.game.state.kicks ~= kicks and view.machines[1].frame == 0)
  end)

  it("barrage draws all bullets by two calls", function()
    if buffer.isThere() then
      local view = play("barrage", 100)
      assert.is_true(view.game.bullets:count() > 150)
      assert.equal(2, love.drawn.drawInstanced)
    end
  end)

  -- Presses a list of keys, and lets time pass.
  local function holdKeys(keys, frames)
    love.keyboard.isDown = function(key) return keys[key] or false end
    for _ = 1, frames do
      love.update(1 / 60)
    end
  end

  it("rollback is played by two with the keys, and by robots when nobody does", function()
    local view = play("rollback", 30)
    local game = view.game
    holdKeys({ a = true, right = true }, 60)
    for number, facing in ipairs({ -1, 1 }) do
      assert.equal(facing, game.players[number].facing)
    end
    local shots = game.bullets:stats().spawned
    holdKeys({ f = true, l = true }, 30)
    assert.is_true(game.bullets:stats().spawned >= shots + 3)
    holdKeys({}, 60)
    local x = game.players[1].box:getRect()
    holdKeys({}, 60)
    assert.equal(x, (game.players[1].box:getRect()))
    holdKeys({}, 600)
    assert.is_true(x ~= game.players[1].box:getRect())
    love.draw()
    assert.is_true(love.drawn.rectangle > 100)
  end)

  it("rollback writes a record of the certain game with F5", function()
    local view = play("rollback", 200)
    local function replay()
      love.keypressed("f5")
      local game = require("rollback.recorder").newGame()
      return require("broadside.play").replay(game, love.drawn.written).steps
    end
    local steps = replay()
    assert.is_true(steps > 150 and steps <= view.game.steps)
    love.keypressed("r")
    holdKeys({}, 60)
    assert.is_true(replay() < 61)
  end)

  -- Returns the value that the panel shows beside a name, and its y.
  local function readRow(name)
    local value, place, isNext
    local print = love.graphics.print
    love.graphics.print = function(text, _, y)
      if isNext then
        value, place = text, y
      end
      isNext = text == name
    end
    love.draw()
    love.graphics.print = print
    return value, place
  end

  it("rollback's network gets worse by sliders and keys, and the game stays one", function()
    play("rollback", 1)
    assert.equal("100 ms", readRow("1  latency"))
    love.keypressed("1")
    love.keypressed("=")
    assert.equal("110 ms", readRow("1  latency"))
    love.keypressed("4")
    love.keypressed("kp-")
    assert.equal("1 frames", readRow("4  delay"))
    local _, y = readRow("3  loss")
    love.mousepressed(1046, y + 20, 1) -- the right end of the slider
    assert.equal("50 %", readRow("3  loss"))
    love.mousemoved(932, 500)
    assert.equal("25 %", readRow("3  loss"))
    love.mousemoved(0, 500)
    assert.equal("0 %", readRow("3  loss"))
    love.mousereleased(0, 500, 1)
    love.mousemoved(1046, 245)
    assert.equal("0 %", readRow("3  loss"))
    holdKeys({}, 200)
    assert.is_true(tonumber((readRow("rollbacks"))) > 20)
    assert.is_true(tonumber((readRow("hashes equal up to frame"))) > 100)
    love.keypressed("x") -- one machine gets another input than the other has sent
    holdKeys({}, 120)
    assert.is_true(tonumber((readRow("hashes differ at frame"))) > 100)
    love.keypressed("r")
    assert.is_nil(readRow("hashes differ at frame"))
  end)

  it("rollback plays against another process", function()
    if not pcall(require, "socket") then
      pending("LuaSocket is missing")
      return
    end
    local view, udp = play("rollback", 10), require("rollback.udp")
    udp.PORT = ports.pair()
    love.keypressed("n")
    local first = view.game
    local link = assert(udp.newLink(2))
    local other = require("rollback.match").join(2, link, { seed = 7 })
    for _ = 1, 100 do
      love.update(1 / 60)
      other:step()
      love.draw()
    end
    love.keypressed("r")
    link:close()
    assert.is_true(first.steps > 60 and other.machines[2].game.steps > 60)
    assert.is_true(other.machines[2].agreed >= 30)
    assert.is_nil(other.machines[2].desync)
    assert.are_not.equal(first, view.game)
  end)

  it("area kills an area, lets it come back, and looks at other processes", function()
    local view = play("area", 60)
    local areas, world = view.game.deaths, view.game.world
    love.keypressed("1")
    holdKeys({}, 10)
    assert.equal(areas + 1, view.game.deaths)
    local tick = readRow("tick of area 2")
    holdKeys({}, 30)
    assert.equal(tick, (readRow("tick of area 2"))) -- it waits for its neighbour
    love.keypressed("1")
    holdKeys({}, 120) -- it plays again what it had not saved
    assert.is_true(view.game.world ~= world)
    assert.is_true(tonumber((readRow("tick of area 2"))) > tonumber(tick))
    if pcall(require, "socket") then
      require("area.eyes").PORT = ports.row(4)
      love.keypressed("n")
      holdKeys({}, 10)
      assert.equal("other processes", (readRow("areas")))
    end
    love.keypressed("r")
    assert.equal("in this process", (readRow("areas")))
  end)

  it("swarm switches the back end and draws lists of boxes by one call each", function()
    if not buffer.isThere() then
      return
    end
    local view = play("swarm", 40)
    assert.equal("sweep", view.game.world:getBackend():getName())
    assert.is_true(love.drawn.drawInstanced >= 3)
    local rectangles = love.drawn.rectangle
    love.keypressed("5")
    love.keypressed("d")
    love.update(1 / 60)
    love.draw()
    assert.is_true(love.drawn.rectangle > 2 * rectangles + 100)
    love.keypressed("space")
    local x = view.game.movers[1]:getRect()
    love.update(1 / 60)
    assert.equal(x, (view.game.movers[1]:getRect()))
  end)

  it("marbles draws pegs and marbles by a call for each colour, and counts them", function()
    if not buffer.isThere() then
      return
    end
    local view = play("marbles", 60)
    local game = view.game
    assert.equal(6, love.drawn.drawInstanced) -- five colours, and the pegs
    assert.equal(360, #game.marbles)
    assert.equal(4, love.drawn.polygon) -- the two halves of the funnel, and their outlines
    love.keypressed("4")
    assert.equal("grid", game.world:getBackend():getName())
    love.keypressed("d")
    local rectangles = love.drawn.rectangle
    love.draw()
    assert.is_true(love.drawn.rectangle - rectangles > game.world:count())
    love.keypressed("space")
    love.update(1 / 60)
    assert.equal(360, #game.marbles)
  end)

  it("billiards is played by the robot until somebody pulls", function()
    if not buffer.isThere() then
      return
    end
    local view = play("billiards", 700)
    local shots = view.game.shots
    assert.is_true(shots > 1)
    while view.game.isMoving do
      love.update(1 / 60)
    end
    love.mousepressed(100, 100, 1)
    for _ = 1, 300 do
      love.update(1 / 60)
    end
    love.draw()
    assert.equal(shots, view.game.shots)
    love.mousereleased(100, 120, 1)
    assert.equal(shots + 1, view.game.shots)
    assert.is_true(view.game.isMoving)
    love.keypressed("r")
    assert.equal(0, view.game.shots)
    love.keypressed("p")
    for _ = 1, 60 do
      love.update(1 / 60)
    end
    assert.equal(1, view.game.shots)
  end)

  it("pinball is played by the robot until somebody takes the keys or the table", function()
    if not buffer.isThere() then
      return
    end
    local view = play("pinball", 600)
    assert.is_true(view.game.score > 0)
    love.keypressed("r")
    assert.equal(0, view.game.score)
    love.mousepressed(100, 300, 1)
    love.update(1 / 60)
    assert.is_true(view.game.flippers[1].isUp)
    assert.is_false(view.game.flippers[2].isUp)
    love.mousereleased(100, 300, 1)
    local keys = { right = true, space = true }
    love.keyboard.isDown = function(first, second) return keys[first] or keys[second] or false end
    for _ = 1, 240 do
      love.update(1 / 60)
    end
    assert.is_true(view.game.flippers[2].isUp and not view.game.flippers[1].isUp)
    assert.same({ "ready", 1 }, { view.game.state, view.game.pull })
    keys.space = nil
    love.update(1 / 60)
    assert.equal("shot", view.game.state)
    love.draw()
    keys.right = nil
    for _ = 1, 60 * 17 do
      love.update(1 / 60)
    end
    assert.is_nil(view.game.isPulled or nil)
    love.draw()
  end)

  it("the jar is played by the robot until somebody clicks, and begins anew at the end", function()
    if not buffer.isThere() then
      return
    end
    local view = play("jar", 300)
    local robots = view.game.drops
    assert.is_true(robots > 4)
    love.mousepressed(200, 300, 1)
    for _ = 1, 200 do
      love.update(1 / 60)
    end
    love.draw()
    assert.is_true(view.game.drops <= robots + 1)
    love.keypressed("r")
    assert.equal(0, view.game.drops)
    love.keypressed("p")
    local first = view.game
    for _ = 1, 60 * 60 * 5 do
      love.update(1 / 60)
      if view.game ~= first then
        break
      end
    end
    assert.is_true(first.isOver and view.game ~= first and not view.game.isOver)
    love.draw()
  end)

  it("sandbox draws, drags and removes boxes, casts and sweeps", function()
    local view = play("sandbox", 2)
    local before = view.game.world:count()
    love.mousemoved(780, 540)
    love.mousereleased(780, 540, 1)
    assert.equal(before + 1, view.game.world:count())
    love.mousepressed(740, 510, 2)
    assert.equal(before, view.game.world:count())
    view = play("sandbox", 90)
    assert.equal("segment", view.game.probe)
    assert.equal(4, #view.game.hits)
    love.keypressed("r")
    love.update(1 / 60)
    assert.equal(20, view.game.world:count())
  end)

  it("the menu opens every example and comes back", function()
    if not buffer.isThere() then
      return
    end
    play("menu", 1)
    for key, name in ipairs(EXAMPLES) do
      love.update(1 / 60)
      love.draw()
      love.keypressed(tostring(key))
      love.update(1 / 60)
      love.draw()
      assert.is_truthy(package.loaded[name .. ".view"].game)
      love.keypressed("escape")
    end
    assert.is_nil(love.drawn.quit)
    love.keypressed("down")
    love.keypressed("up")
    love.keypressed("escape")
    assert.is_true(love.drawn.quit)
    love.mousepressed(600, 600, 1)
    assert.equal("sandbox", package.loaded["sandbox.view"].title)
  end)
end)
