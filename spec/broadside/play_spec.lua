-- broadside.play: steps, inputs, going back, records and their replays.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local expect = require("spec.support.expect")
local garbageOf = require("spec.support.garbage")
local play = require("broadside.play")
local random = require("spec.support.random")
local walker = require("broadside.walker")

-- A game that only keeps what it is told: a line "left jump 0.5" of each step.
local function newLog()
  local game = { log = {} }
  function game.step(self, dt, input)
    self.dt = dt
    table.insert(self.log, ("%s %s %s"):format(tostring(input.left), tostring(input.jump),
      tostring(input.aim)))
  end
  return game
end

local INPUTS = { "left", "jump", "aim" }

-- A number that moves by its input: x grows by 1 to the right, and doubles with a press.
local function newCounter()
  local game = { x = 0, slots = 0 }
  function game.step(self, _, input)
    self.x = self.x + (input.right and 1 or 0) + (input.aim or 0)
    if input.double then self.x = 2 * self.x end
  end
  function game.hash(self) return ("%.17g"):format(self.x) end
  function game.save(self, slot)
    if not slot then self.slots = self.slots + 1 end
    slot = slot or {}
    slot.x = self.x
    return slot
  end
  function game.load(self, slot) self.x = slot.x end
  return game
end

local function newCounting(history, every)
  local game = newCounter()
  local opts = { inputs = { "right", "double", "aim" }, history = history, every = every }
  return play.new(game, opts), game
end

describe("A play", function()
  it("passes dt and the inputs that hold", function()
    local game = newLog()
    local p = play.new(game, { dt = 0.25, inputs = INPUTS })
    p:run(1)
    p:set("left", true)
    p:set("aim", 0.5)
    p:run(2)
    p:set("left", false)
    p:run(1)
    assert.same({ "false false false", "true false 0.5", "true false 0.5", "false false 0.5" },
      game.log)
    assert.equal(0.25, game.dt)
    assert.equal(4, p.steps)
  end)

  it("plays steps of a 60th of a second if nothing is said", function()
    local game = newLog()
    play.new(game):run(1)
    assert.equal(1 / 60, game.dt)
  end)

  it("presses for one step, also what is held or let go meanwhile", function()
    local game = newLog()
    local p = play.new(game, { inputs = INPUTS })
    p:press("jump")
    p:run(2)
    p:set("jump", true)
    p:press("jump")
    p:set("jump", false) -- a key that was up again before the step
    p:run(2)
    p:set("jump", true)
    p:press("jump")
    p:run(2)
    assert.same({ "false true false", "false false false", "false true false",
      "false false false", "false true false", "false true false" }, game.log)
  end)

  it("runs until something is so, and not for ever", function()
    local p, game = newCounting()
    p:set("right", true)
    assert.equal(5, p:runUntil(function(g) return g.x == 5 end))
    assert.equal(1, p:runUntil(function() return true end))
    assert.equal(6, game.x)
    assert.is_nil(p:runUntil(function() return false end, 10))
    assert.equal(16, game.x)
    assert.is_nil(p:runUntil(function() return false end))
    assert.equal(616, game.x)
    assert.is_nil(p:runUntil(function() return true end, 0))
  end)

  it("plays as many steps as a frame holds, and tells what is left", function()
    local p, game = newCounting()
    p:set("right", true)
    local counts = {}
    for frame = 1, 5 do -- at 144 Hz a step takes 2.4 frames
      counts[frame] = p:update(1 / 144)
      expect.near(frame * 60 / 144 % 1, p.alpha)
    end
    assert.same({ 0, 0, 1, 0, 1 }, counts)
    assert.equal(2, game.x)
    for _ = 1, 100 do
      assert.equal(1, p:update(1 / 60))
    end
    p = newCounting()
    assert.equal(6, p:update(0.1))
    assert.is_true(p.alpha >= 0 and p.alpha < 1e-6)
    assert.equal(8, p:update(8 / 60))
    assert.equal(8, p:update(3)) -- the rest is dropped
    assert.equal(0, p.alpha)
    assert.equal(0, p:update(0.5 / 60))
    expect.near(0.5, p.alpha)
  end)

  it("keeps a press for the next step where a frame has none", function()
    local game = newLog()
    local p = play.new(game, { inputs = INPUTS })
    p:press("jump")
    p:update(0.001)
    p:update(2 / 60)
    assert.same({ "false true false", "false false false" }, game.log)
  end)

  it("refuses wrong arguments, and does nothing then", function()
    local p, game = newCounting()
    for _, case in ipairs({
      { 1, "set", "unknown input 'rihgt'; known: right, double, aim", p.set, p, "rihgt", true },
      { 1, "set", "unknown input nil", p.set, p },
      { 2, "set", "boolean or finite number expected, got nil", p.set, p, "aim" },
      { 2, "set", "got nan", p.set, p, "aim", 0 / 0 },
      { 2, "set", "got 'on'", p.set, p, "aim", "on" },
      { 1, "press", "unknown input 'x'", p.press, p, "x" },
      { 1, "run", "integer >= 0 expected, got -1", p.run, p, -1 },
      { 1, "run", "got 0.5", p.run, p, 0.5 },
      { 1, "run", "got nil", p.run, p },
      { 1, "runUntil", "function expected, got 5", p.runUntil, p, 5 },
      { 2, "runUntil", "got inf", p.runUntil, p, print, math.huge },
      { 1, "update", "finite number expected, got inf", p.update, p, math.huge },
      { 1, "rewind", "got 'x'", p.rewind, p, "x" },
    }) do
      expect.badArgument(compat.unpack(case, 1, 4 + 3))
    end
    for _, name in ipairs({ "set", "press", "run", "runUntil", "update", "rewind", "record" }) do
      expect.refused("bad self to '" .. name .. "' (play expected, got number", p[name], 1, 2)
    end
    assert.equal(0, p.steps)
    assert.equal(0, game.x)
  end)

  it("refuses wrong games and options", function()
    local game = newCounter()
    for _, case in ipairs({
      { 1, "new", "game with step(game, dt, input) expected, got nil", play.new },
      { 1, "new", "got table", play.new, {} },
      { 1, "new", "game with step", play.new, play, game },
      { 2, "new", "table expected, got 5", play.new, game, 5 },
      { 2, "new", "unknown option 'input'; known: before, dt, every, history, inputs", play.new,
        game, { input = {} } },
      { 2, "new", "option 'before': function expected, got 5", play.new, game, { before = 5 } },
      { 2, "new", "option 'dt': finite number > 0 expected, got 0", play.new, game, { dt = 0 } },
      { 2, "new", "option 'every': integer >= 1", play.new, game, { every = 0 } },
      { 2, "new", "option 'history': integer >= 0", play.new, game, { history = 1.5 } },
      { 2, "new", "option 'inputs': list of names without blanks", play.new, game,
        { inputs = "left" } },
      { 2, "new", "option 'inputs'", play.new, game, { inputs = { "a", "two words" } } },
      { 2, "new", "option 'inputs'", play.new, game, { inputs = { "" } } },
      { 2, "new", "option 'inputs'", play.new, game, { inputs = { 1 } } },
      { 2, "new", "option 'inputs'", play.new, game, { inputs = { 0 / 0 } } },
      { 2, "new", "option 'inputs': list of names without blanks, each once expected", play.new,
        game, { inputs = { "a", "b", "a" } } },
      { 2, "new", "option 'history' needs save and load of the game", play.new,
        { step = function() end }, { history = 1 } },
    }) do
      expect.badArgument(compat.unpack(case, 1, 6))
    end
  end)

  it("tells a game whose functions return nothing", function()
    local game = newCounter()
    function game.save() end
    local p = play.new(game, { history = 2 })
    expect.refused("save of the game must return a slot, not nil", p.run, p, 1)
    function game.hash() end
    expect.refused("hash of the game must return a string, not nil", play.new, game)
    function game.hash() return 5 end
    expect.refused("hash of the game must return a string, not 5", play.new, game)
  end)

  it("has any number of steps between hashes", function()
    local p = play.new(newCounter(), { every = 1e300 })
    p:run(3)
    assert.equal(3, play.replay(newCounter(), p:record()).steps)
  end)

  it("keeps the names that it was given", function()
    local names = { "left" }
    local p = play.new(newLog(), { inputs = names })
    names[2] = "aim"
    expect.refused("unknown input 'aim'; known: left", p.set, p, "aim", 1)
    p:run(1)
  end)

  it("names the line that called it", function()
    local p = newCounting()
    local done, message = pcall(function() p:set("lfet", true) end)
    assert.is_false(done)
    assert.truthy(message:find("^%S*play_spec%.lua:%d+: bad argument"), message)
  end)
end)

describe("The input of a game", function()
  it("is its own: what it writes there changes neither the inputs nor the record", function()
    local records = {}
    for _, writes in ipairs({ true, false }) do
      local game = { seen = 0 }
      function game.step(self, _, input)
        self.seen = self.seen + (input.jump and 1 or 0)
        if writes then input.jump = not input.jump end
      end
      local p = play.new(game, { inputs = { "jump" } })
      p:set("jump", true)
      p:run(100)
      assert.equal(100, game.seen)
      table.insert(records, p:record())
    end
    assert.equal(records[2], records[1])
  end)
end)

describe("before", function()
  -- Counts up to 10 and down again, by the state of the game alone.
  local function pilot(p)
    p:set("aim", p.game.x >= 10 and -10 or 1)
  end

  it("is called before each step, however many steps a frame has", function()
    local records, ends = {}, {}
    for i, times in ipairs({ { 1 / 60, 24 }, { 8 / 60, 3 }, { 2 / 60, 12 } }) do
      local game = newCounter()
      local p = play.new(game, { inputs = { "aim" }, every = 1, before = pilot })
      for _ = 1, times[2] do p:update(times[1]) end
      assert.equal(24, p.steps)
      records[i], ends[i] = p:record(), game.x
    end
    assert.same({ 2, 2, 2 }, ends) -- 24 steps, 11 a round
    assert.equal(records[1], records[2])
    assert.equal(records[1], records[3])
    assert.equal(2, play.replay(newCounter(), records[1]).game.x) -- without it
  end)

  it("is asked again after going back", function()
    local game, calls = newCounter(), 0
    local p = play.new(game, { inputs = { "aim" }, history = 5, before = function(own)
      calls = calls + 1
      pilot(own)
    end })
    p:run(5)
    p:rewind(3)
    assert.equal(5, calls)
    p:run(3)
    assert.equal(8, calls)
    assert.equal(5, game.x)
  end)

  it("that fails plays no step", function()
    local game = newCounter()
    local p = play.new(game, { inputs = { "aim" }, history = 5, before = function(p)
      if p.steps == 3 then error("no pilot") end
    end })
    expect.refused("no pilot", p.run, p, 5)
    assert.equal(3, p.steps)
    assert.equal(3, p:rewind(5))
  end)
end)

describe("rewind", function()
  it("goes back to the state and the inputs of then", function()
    local p, game = newCounting(20)
    p:set("right", true)
    p:run(5)
    p:set("right", false)
    p:run(5)
    assert.equal(5, game.x)
    assert.equal(8, p:rewind(8))
    assert.equal(2, game.x)
    assert.equal(2, p.steps)
    p:run(2) -- right is held again
    assert.equal(4, game.x)
    p:set("right", false)
    p:run(10)
    assert.equal(4, game.x)
  end)

  it("takes back a press", function()
    local p, game = newCounting(5)
    p:set("right", true)
    p:run(3)
    p:press("double")
    p:run(1)
    assert.equal(8, game.x)
    p:rewind(1)
    assert.equal(3, game.x)
    p:run(2)
    assert.equal(9, game.x)
  end)

  it("goes as far as history reaches", function()
    local p, game = newCounting(3)
    p:set("right", true)
    assert.equal(0, p:rewind(1))
    p:run(2)
    assert.equal(2, p:rewind(5))
    assert.equal(0, game.x)
    p:run(10)
    assert.equal(1, p:rewind(1))
    assert.equal(2, p:rewind(7))
    assert.equal(7, game.x)
    assert.equal(0, p:rewind(1))
    assert.equal(0, p:rewind(0))
    assert.equal(3, game.slots) -- they are used again
  end)

  it("is an error without history", function()
    local p = newCounting()
    p:run(5)
    for _, call in ipairs({ function() p:rewind(5) end, function() p:update(-1 / 60) end }) do
      expect.refused("cannot go back: play.new was called without the option 'history'", call)
    end
    assert.equal(5, p.steps)
  end)

  it("that fails changes nothing", function()
    local p, game = newCounting(5)
    p:set("right", true)
    p:run(3)
    local load = game.load
    function game.load() error("no room") end
    expect.refused("no room", p.rewind, p, 2)
    game.load = load
    assert.equal(3, p.steps)
    assert.equal(3, p:rewind(5))
    assert.equal(0, game.x)
  end)

  it("needs a slot for each step: a game that returns the same one is told", function()
    for history = 1, 4 do
      local game, only = newCounter(), {}
      function game.save(self)
        only.x = self.x
        return only
      end
      local p = play.new(game, { history = history })
      p:run(1)
      if history == 1 then
        p:run(1) -- there is one slot
      else
        expect.refused("save of the game must return the slot that it is given, or a new one, not "
          .. "that of an earlier step", p.run, p, 1)
        assert.equal(1, p.steps)
      end
    end
  end)

  it("takes new slots, also those of a ring of the game's own", function()
    for size = 12, 14 do -- three states, and what was saved since and taken back
      local game, slots, n = newCounter(), {}, 0
      for i = 0, size - 1 do slots[i] = {} end
      function game.save(self)
        n = n + 1
        slots[n % size].x = self.x
        return slots[n % size]
      end
      local p = play.new(game, { history = 3, inputs = { "right" } })
      p:set("right", true)
      for _ = 1, 20 do
        p:run(3)
        assert.equal(2, p:rewind(2))
        assert.equal(p.steps, game.x)
      end
    end
  end)

  it("is what update does with a negative time, as fast as it goes ahead", function()
    for _, rate in ipairs({ 30, 60, 144 }) do
      local p, game = newCounting(300)
      p:set("right", true)
      local steps = 0
      for frame = 1, 3 * rate do -- two seconds ahead, one back
        steps = steps + p:update((frame <= 2 * rate and 1 or -1) / rate)
        assert.equal(steps, p.steps)
        assert.is_true(p.alpha >= 0 and p.alpha <= 1)
      end
      assert.is_true(math.abs(p.steps - 60) <= 1, p.steps)
      assert.equal(p.steps, game.x)
      assert.is_true(p:update(-100) == -8)
      p:rewind(300)
      assert.equal(0, p:update(-1))
    end
  end)

  it("in every step changes nothing, and the record neither", function()
    for _, history in ipairs({ 1, 2, 7 }) do
      local rng = random.new(history)
      local straight, first = newCounting(nil, 10)
      local p, game = newCounting(history, 10)
      for _ = 1, 200 do
        local isRight, aim = rng:int(0, 1) == 1, rng:int(-9, 9) / 4
        local isPress = rng:int(1, 30) == 1
        for _, one in ipairs({ straight, p }) do
          one:set("right", isRight)
          one:set("aim", aim)
          if isPress then one:press("double") end
          one:run(1)
        end
        assert.equal(1, p:rewind(1))
        p:run(1)
      end
      assert.equal(first.x, game.x)
      assert.equal(straight:record(), p:record())
    end
  end)

  it("makes no garbage once the ring is full", function()
    local world = broadside.newWorld()
    world:insert(0, 100, 1000, 20, { static = true })
    local game = { world = world, box = world:insert(0, 0, 10, 10, { ay = 900 }) }
    function game.step(self, dt) self.world:step(dt) end
    function game.save(self, slot)
      slot = slot or {}
      slot.world = self.world:snapshot(slot.world)
      return slot
    end
    function game.load(self, slot) self.world:restore(slot.world) end
    local p = play.new(game, { inputs = { "left" }, history = 30 })
    assert.equal(0, garbageOf(function()
      p:run(3)
      p:rewind(2)
      p:update(1 / 100)
    end, 200))
  end)
end)

describe("A record", function()
  it("has a line for each change and for each hash", function()
    local opts = { inputs = { "right", "double", "aim" }, dt = 0.25, every = 4 }
    local p = play.new(newCounter(), opts)
    p:run(1)
    p:set("right", true)
    p:set("right", false)
    p:run(1)
    p:set("right", true)
    p:set("aim", 0.25)
    p:press("double")
    p:run(3)
    -- x: 0 0 2.5 3.75 5
    local lines = {}
    for line in p:record():gmatch("[^\n]+") do
      table.insert(lines, (line:gsub("%x%x%x%x%x%x%x%x$", "HASH")))
    end
    assert.same({ "broadside.play 1", "dt 0.25", "every 4",
      "inputs right double aim", "0 # HASH", "3 right on", "3 double on", "3 aim 0.25",
      "4 double off", "4 # HASH", "5 # HASH", "end 5 HASH" }, lines)
  end)

  it("has these bytes in every version", function()
    local p = play.new(newCounter(), { inputs = { "right" }, dt = 0.25, every = 2 })
    p:run(1)
    p:set("right", true)
    p:run(2)
    assert.equal("broadside.play 1\ndt 0.25\nevery 2\ninputs right\n"
      .. "0 # 150a2c6b\n2 right on\n2 # 150a2c6c\n3 # 150a2c6d\nend 3 e77ee57b\n", p:record())
  end)

  it("is replayed, and goes on", function()
    local p, game = newCounting(nil, 7)
    local rng = random.new(3)
    for _ = 1, 300 do
      p:set("right", rng:int(0, 3) > 0)
      p:set("aim", rng:int(-20, 20) / 7)
      if rng:int(1, 40) == 1 then p:press("double") end
      p:run(rng:int(0, 3))
    end
    p:run(1)
    local again, steps = newCounter(), 0
    local q = play.replay(again, p:record(), function(g, step)
      steps = steps + 1
      assert.equal(again, g)
      assert.equal(steps, step)
    end)
    assert.equal(p.steps, steps)
    assert.equal(game.x, again.x)
    assert.equal(p:record(), q:record())
    p:run(5)
    q:run(5)
    assert.equal(p:record(), q:record())
  end)

  it("forgets what was taken back", function()
    local p = newCounting(100, 5)
    local q = newCounting(nil, 5)
    p:set("right", true)
    p:run(12)
    p:set("right", false)
    p:press("double")
    p:run(20)
    p:rewind(25)
    p:run(3)
    q:set("right", true)
    q:run(10)
    assert.equal(q:record(), p:record())
  end)

  it("is small", function()
    local p = newCounting()
    local rng = random.new(9)
    for _ = 1, 10000 do
      if rng:int(1, 60) == 1 then p:set("right", rng:int(0, 1) == 1) end
      p:run(1)
    end
    assert.is_true(#p:record() < 5000, #p:record())
  end)

  it("without a hash has inputs alone, and is replayed on a game without one", function()
    local game = newLog()
    local p = play.new(game, { inputs = INPUTS })
    p:press("left")
    p:run(70)
    local text = p:record()
    assert.equal("broadside.play 1\ndt 0.016666666666666666\nevery 60\ninputs left jump aim\n"
      .. "1 left on\n2 left off\nend 70 ", text:sub(1, -10))
    local again = newLog()
    play.replay(again, text)
    assert.same(game.log, again.log)
    expect.refused("the hash after step 0 is unknown: the game has no hash(game)", play.replay,
      newLog(), (newCounting():record()))
  end)

  it("of a game that fails has the step in which it does", function()
    local function newFailing()
      local game = newCounter()
      local step = game.step
      function game.step(self, dt, input)
        step(self, dt, input)
        if self.x == 3 then error("three") end
      end
      return game
    end
    local p = play.new(newFailing(), { inputs = { "right" } })
    p:set("right", true)
    expect.refused("three", p.run, p, 10)
    expect.refused("three", play.replay, newFailing(), p:record())
  end)

  it("keeps numbers to the last bit, and as floats", function()
    for _, number in ipairs({ 0.1, 1 / 3, -1e-300, 123456789012345, 2 ^ 53, -0.0, 7 }) do
      local seen = {}
      local game = { step = function(_, _, input) table.insert(seen, input.aim) end }
      local p = play.new(game, { inputs = { "aim" } })
      p:set("aim", number)
      p:run(1)
      play.replay(game, p:record())
      assert.equal(number, seen[1])
      assert.equal(seen[1], seen[2])
      assert.equal(1 / seen[1], 1 / seen[2])
      assert.equal(tostring(seen[1]), tostring(seen[2]))
    end
  end)

  it("is read with other ends of lines", function()
    local p = newCounting()
    p:press("right")
    p:run(3)
    play.replay(newCounter(), (p:record():gsub("\n", "\r\n")))
    play.replay(newCounter(), p:record():sub(1, -2))
  end)

  it("names the first hash that differs, the inputs, and where things are", function()
    local p = newCounting(nil, 10)
    p:set("right", true)
    p:set("aim", 0.5)
    p:run(35)
    local game = newCounter()
    local step = game.step
    function game.step(self, dt, input)
      step(self, dt, input)
      self.count = (self.count or 0) + 1
      if self.count == 17 then self.x = self.x + 1 end
    end
    game.world = broadside.newWorld()
    game.world:insert(0, 0, 10, 10, { static = true })
    local message = expect.refused("the hash after step 20 is not that of the record; inputs: "
      .. "right on, aim 0.5\n" .. ("#"):rep(80) .. "\n", play.replay, game, p:record())
    assert.truthy(message:find("^%S*expect.lua:%d+: ") or message:find("^the hash"), message)
  end)

  it("that is damaged anywhere is refused", function()
    local p = newCounting(nil, 4)
    p:set("right", true)
    p:run(10)
    local text = p:record()
    for at = 0, #text - 2 do
      expect.refused("bad argument #2 to 'replay' (", play.replay, newCounter(), text:sub(1, at))
    end
    for at = 1, #text - 1 do
      local other = text:byte(at) == 120 and "y" or "x"
      expect.refused("bad argument #2 to 'replay' (", play.replay, newCounter(),
        text:sub(1, at - 1) .. other .. text:sub(at + 1))
    end
    expect.badArgument(2, "replay", "string expected, got nil", play.replay, newCounter())
    expect.badArgument(1, "replay", "game with step", play.replay, {}, text)
    expect.badArgument(3, "replay", "function expected, got 5", play.replay, newCounter(), text, 5)
  end)

  it("that was edited by hand is obeyed, or its line is named", function()
    local head = "broadside.play 1\ndt 0.5\nevery 10\ninputs right aim\n"
    local game = newCounter()
    play.replay(game, head .. "2 right on\n4 right off\n4 aim 10\n5 aim off\nend 8 -\n")
    assert.equal(12, game.x)
    for _, line in ipairs({ "2 left on", "2 aim inf", "2 aim nan", "2 aim -inf", "2 right", "x",
      "2 right up", "-1 right on", "0 right on",
      "2.5 right on", "7 right on\n6 right off", "9 right on", "end 8 -" }) do
      local last = line:match("[^\n]*$")
      expect.badArgument(2, "replay", "damaged record: line '" .. last .. "'", play.replay,
        newCounter(), head .. line .. "\nend 8 -\n")
    end
  end)

  it("names replay where its head is wrong, and does not run for ever", function()
    local text = "broadside.play 1\ndt 0.5\nevery 10\ninputs right aim\nend %s -\n"
    local function refuses(from, to, message)
      expect.badArgument(2, "replay", message, play.replay, newCounter(),
        (text:format("8"):gsub(from, to)))
    end
    refuses("every 10", "every 0", "option 'every': integer >= 1 expected, got 0")
    refuses("dt 0.5", "dt 0", "option 'dt': finite number > 0 expected, got 0")
    refuses("right aim", "aim aim", "option 'inputs': list of names without blanks, each once")
    refuses("end 8", "end 999999999999999",
      "record of at most 100000000 steps expected, got 999999999999999")
  end)

  it("has the same text for every back end and every Lua", function()
    local function newWalk(backend)
      local world = broadside.newWorld({ backend = backend })
      world:insert(0, 300, 400, 20, { static = true })
      world:insertPolygon({ 200, 300, 300, 250, 400, 300 }, { static = true })
      local game = { world = world, vy = 0 }
      game.hero = walker.new(world, world:insert(20, 100, 16, 30))
      function game.step(self, dt, input)
        if input.jump and self.hero.onFloor then self.vy = -300 end
        local vx = (input.right and 150 or 0) - (input.left and 150 or 0)
        local _
        _, self.vy = self.hero:walk(vx, self.vy + 900 * dt, dt)
      end
      function game.hash(self) return self.world:snapshot():getHash() end
      return game
    end
    local function record(backend)
      local rng = random.new(5)
      local p = play.new(newWalk(backend), { inputs = { "left", "right", "jump" } })
      for _ = 1, 60 do
        p:set(rng:pick({ "left", "right" }), rng:int(0, 1) == 1)
        if rng:int(1, 4) == 1 then p:press("jump") end
        p:run(rng:int(1, 20))
      end
      return p:record()
    end
    local text = record("auto")
    for _, backend in ipairs({ "brute", "sweep", "grid", "tree" }) do
      assert.equal(text, record(backend))
      play.replay(newWalk(backend), text)
    end
  end)
end)
