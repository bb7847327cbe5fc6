-- The rollback example: its netcode with a game that only counts, the duel itself, and whole
-- matches. The oracle is the same game, played without rollback and without a network.

local compat = require("spec.support.compat")
local garbageOf = require("spec.support.garbage")
local random = require("spec.support.random")

package.path = "examples/?.lua;" .. package.path
local duel = require("rollback.simulation")
local match = require("rollback.match")
local network = require("rollback.network")
local rollback = require("rollback.rollback")

describe("the example rollback", function()
  -- A game whose state depends on all inputs and their order.
  local function newCounter()
    return {
      sum = 1,
      step = function(self, first, second)
        self.sum = (self.sum * 31 + first * 64 + second) % 1000003
      end,
      save = function(self, slot)
        slot = slot or {}
        slot.sum = self.sum
        return slot
      end,
      load = function(self, slot) self.sum = slot.sum end,
      getHash = function(slot) return ("%d"):format(slot.sum) end,
    }
  end

  -- A player who holds each input for some frames.
  local function newPlayer(rng)
    local held = 0
    return function()
      held = rng:chance(0.15) and rng:int(0, 63) or held
      return held
    end
  end

  -- Plays `frames` on two machines, with a link from each. before(number, sessions) is called in
  -- each frame. Returns the sessions, and the hash that the confirmed inputs give when they are
  -- played without rollback.
  local function playCounter(links, frames, delay, rng, before)
    local sessions, players, straight, confirmed = {}, {}, newCounter(), 0
    for player = 1, 2 do
      sessions[player] = rollback.newSession(newCounter(), links[player], player, delay)
      sessions[player].limit = frames
      players[player] = newPlayer(rng)
    end
    sessions[1].onConfirmed = function(frame, first, second)
      assert.equal(confirmed, frame) -- each once, in order
      straight:step(first, second)
      confirmed = confirmed + 1
    end
    for number = 1, 20 * frames do
      before(number, sessions)
      for player = 1, 2 do
        sessions[player]:update(players[player]())
      end
      if sessions[1].confirmed == frames and sessions[2].confirmed == frames then
        break
      end
    end
    return sessions, straight.sum
  end

  it("ends alike on both machines, whatever the network does", function()
    for seed = 1, compat.rounds(60) do
      local rng = random.new(seed)
      local net = network.new({ latency = rng:unit() * 0.4, jitter = rng:unit() * 0.2,
        loss = rng:unit() * 0.4, seed = seed })
      local sessions, straight = playCounter(net.links, 400, rng:int(0, rollback.MOST_DELAY), rng,
        function(_, playing)
          net:advance(duel.STEP)
          playing[rng:int(1, 2)].delay = rng:int(0, rollback.MOST_DELAY)
        end)
      for player = 1, 2 do
        local session = sessions[player]
        assert.equal(400, session.confirmed)
        assert.equal(straight, session.game.sum)
        assert.is_true(session.deepest <= rollback.WINDOW)
        assert.is_nil(session.desync)
        assert.is_true(session.agreed >= 300)
      end
    end
  end)

  it("plays nothing again when inputs come before they are needed", function()
    local net = network.new({ latency = 0.05 })
    local sessions = playCounter(net.links, 200, 5, random.new(1), function()
      net:advance(duel.STEP)
    end)
    assert.same({ 0, 0 }, { sessions[1].rollbacks, sessions[2].rollbacks })
  end)

  it("waits for a machine that is not there, and never goes beyond the window", function()
    local session = rollback.newSession(newCounter(), { send = function() end,
      receive = function() end }, 1, 2)
    for _ = 1, 100 do
      session:update(1)
    end
    assert.same({ rollback.WINDOW, 0 }, { session.frame, session.confirmed })
  end)

  it("lets the machine that is ahead wait for the other one", function()
    local net = network.new({ latency = 0.1 })
    local a = rollback.newSession(newCounter(), net.links[1], 1, 2)
    local b = rollback.newSession(newCounter(), net.links[2], 2, 2)
    for number = 1, 600 do
      net:advance(duel.STEP)
      a:update(0)
      if number > 20 then
        b:update(0)
      end
    end
    assert.is_true(math.abs(a.frame - b.frame) <= 3, a.frame .. " and " .. b.frame)
  end)

  it("says what is wrong with a game, a link, an input or a hash", function()
    local link = network.new({}).links[1]
    local game = newCounter()
    local function says(text, ...)
      local done, message = pcall(...)
      assert.is_false(done)
      assert.is_truthy(message:find(text, 1, true), message)
    end
    says("a game with step, save, load and getHash expected", rollback.newSession, {}, link, 1, 2)
    says("a link with send and receive expected, got nil", rollback.newSession, game, nil, 1, 2)
    says("player 1 or 2 expected, got 3", rollback.newSession, game, link, 3, 2)
    for _, delay in ipairs({ -1, 9, 1.5, "2" }) do
      says("a delay from 0 to MOST_DELAY expected", rollback.newSession, game, link, 1, delay)
    end
    local session = rollback.newSession(game, link, 1, 2)
    for _, input in ipairs({ -1, 64, 0.5, 0 / 0, "1", true }) do
      says("an input from 0 to 63 expected, got " .. tostring(input), session.update, session,
        input)
      assert.equal(0, session.frame)
    end
    for _, hash in ipairs({ "two words", "", 5 }) do
      game.getHash = function() return hash end
      says("a hash without blanks expected, got " .. hash, playCounter, network.new({}).links,
        300, 2, random.new(1), function(_, playing) playing[1].game.getHash = game.getHash end)
    end
  end)

  it("passes over packets that make no sense", function()
    local rng = random.new(5)
    local net = network.new({ latency = 0.05, seed = 5 })
    local taken = {}
    local sessions, straight = playCounter(net.links, 300, 2, rng, function(_, playing)
      net:advance(duel.STEP)
      for _, packet in ipairs(net.flying) do
        table.insert(taken, packet.text)
      end
      for _ = 1, 3 do
        local text = rng:pick(taken) or ""
        local at = rng:int(1, #text + 1)
        local wrong = rng:pick({
          text:sub(1, at - 1), -- cut off, but not within the inputs
          text:sub(1, at - 1) .. string.char(rng:int(0, 255)) .. text:sub(at + 1),
          "99999999999999999999 -1 99999999999999999999 5 x 0 000", "", "5 5 5 5 x 99999 0",
          "0 -99999999999999999999 -1 99999999999999999999 none 0 ",
        })
        -- A message that can be read is accepted. Damaged ones are for the network's own checksums
        -- to find.
        if not wrong:find("^%d+ %-?%d+ %-?%d+ %-?%d+ %S+ %d+ [0-o]*$") or wrong:find("9999") then
          playing[rng:int(1, 2)]:receive(wrong)
        end
      end
    end)
    for player = 1, 2 do
      assert.equal(straight, sessions[player].game.sum)
      assert.is_nil(sessions[player].desync)
    end
  end)

  it("tells both machines when their games differ", function()
    local played = match.new({ latency = 0.1, seed = 3 })
    for _ = 1, 100 do
      played:step()
    end
    assert.is_nil(played.machines[1].desync)
    played.network:forge(2)
    for _ = 1, 120 do
      played:step()
    end
    for player = 1, 2 do
      assert.is_true(played.machines[player].desync > 90)
      assert.is_true(played.machines[player].agreed < played.machines[player].desync)
    end
  end)

  -- the duel --------------------------------------------------------------------------------------

  local function hashOf(game)
    return game.getHash(game:save())
  end

  it("has all of the duel in what it saves", function()
    local rng = random.new(9)
    local game, other = duel.newGame("auto", 4), duel.newGame("tree", 4)
    local slots = {}
    for frame = 1, compat.rounds(600) do
      local first, second = rng:int(0, 31), rng:int(0, 31)
      slots[frame % 9] = game:save(slots[frame % 9])
      local hash = game.getHash(slots[frame % 9])
      for _ = 1, rng:int(1, 8) do -- a future that is given up
        game:step(rng:int(0, 31), rng:int(0, 31))
      end
      game:load(slots[frame % 9])
      assert.equal(hash, hashOf(game))
      assert.equal(hash, hashOf(other))
      game:step(first, second)
      other:step(first, second)
    end
    assert.equal(hashOf(other), hashOf(game))
  end)

  it("makes no garbage when the duel is saved and loaded", function()
    local game = duel.newGame("auto", 4)
    local slot = game:save()
    local bytes = garbageOf(function()
      slot = game:save(slot)
      game:load(slot)
    end, 50)
    assert.equal(0, bytes)
  end)

  it("has crates that break and leave hearts, which heal", function()
    local game = duel.newGame("auto", 4)
    local player = game.players[1]
    local x, y = player.box:getRect()
    require("rollback.arena").addCrate(game.world, x + 80, y + 4)
    for _ = 1, 30 do
      game:step(duel.SHOOT, 0)
    end
    local heart = game.world:queryRect(x + 60, y - 20, 60, 60, require("rollback.arena").THING)[1]
    assert.equal("heart", heart.kind)
    player.health = 2
    for _ = 1, 40 do
      game:step(duel.RIGHT, 0)
    end
    assert.equal(3, player.health)
    assert.is_true(heart.box:isRemoved())
  end)

  it("gives a point to the player who is left", function()
    local game = duel.newGame("auto", 4)
    local first, second = game.players[1], game.players[2]
    local x, y = first.box:getRect()
    second.box:setRect(x + 60, y)
    for _ = 1, 400 do
      game:step(duel.SHOOT, 0)
      if first.score > 0 then
        break
      end
      second.box:setRect(x + 60, y)
    end
    assert.same({ 1, 0 }, { first.score, second.score })
    assert.same({ duel.HEALTH, duel.SHIELD }, { second.health, second.shield })
    assert.equal(second.startX, (second.box:getRect()))
  end)
end)
