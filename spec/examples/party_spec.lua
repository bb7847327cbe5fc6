-- Rollback for many players: examples/rollback/party.lua. The oracle is the same game, played with
-- the true rows alone, without rollback and without a network.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local random = require("spec.support.random")
local save = require("broadside.save")
local walker = require("broadside.walker")

package.path = "examples/?.lua;" .. package.path
local network = require("rollback.network")
local party = require("rollback.party")

-- A game whose state depends on all inputs and their order.
local function newCounter()
  local game = { sum = 1 }
  function game.step(self, inputs)
    for place, input in ipairs(inputs) do
      self.sum = (self.sum * 31 + input * 64 + place) % 1000003
    end
  end
  function game.save(self, slot)
    slot = slot or {}
    slot.sum = self.sum
    return slot
  end
  function game.load(self, slot)
    self.sum = type(slot) == "table" and slot.sum or assert(tonumber(slot))
  end
  function game.getString(self) return ("%d"):format(self.sum) end
  function game.getHash(self) return ("%d"):format(self.sum) end
  return game
end

-- Three walkers on a floor, who meet.
local function newWalkers()
  local world = broadside.newWorld()
  world:insert(0, 100, 400, 20, { static = true })
  local game = { heroes = {}, state = { vy = {} } }
  for i = 1, 4 do
    game.heroes[i] = walker.new(world, world:insert(80 * i, 60, 20, 40))
    game.state.vy[i] = 0
  end
  local saver = save.new({ world = world, walkers = game.heroes, fields = game.state })
  function game.step(self, inputs)
    for i, input in ipairs(inputs) do
      local hero, vy = self.heroes[i], self.state.vy
      if input >= 32 and hero.onFloor then vy[i] = -8 end
      local _
      _, vy[i] = hero:walk(input % 4 - 1.5, vy[i] + 0.5, 1)
    end
  end
  function game.save(_, slot) return saver:save(slot) end
  function game.load(_, slot) saver:load(slot) end
  function game.getString() return saver:getString() end
  function game.getHash() return saver:getHash() end
  return game
end

local PLACES = 4

-- A host and guests that come at some updates: {place or nil, first update, last update or nil}.
local function newParty(newGame, rng, guests, limit)
  local host, straight = party.newHost(newGame(), PLACES), newGame()
  local machines, nets = { { machine = host, first = 0 } }, {}
  host.limit = limit
  function host.onConfirmed(frame, row)
    if frame < limit then
      local inputs = {}
      for place = 1, PLACES do inputs[place] = row:byte(place) - 48 end
      straight:step(inputs)
    end
  end
  for i, row in ipairs(guests) do
    nets[i] = network.new({ latency = rng:unit() * 0.2, jitter = rng:unit() * 0.1,
      loss = rng:unit() * 0.3, seed = rng:int(1, 1e6) })
    local guest = party.newGuest(newGame(), nets[i].links[2], PLACES, row[1])
    guest.limit = limit
    machines[i + 1] = { machine = guest, first = row[2], last = row[3], link = nets[i].links[1] }
  end
  return machines, nets, straight
end

-- Plays until all that stay have confirmed all frames.
local function playParty(machines, nets, rng, limit)
  local host, held = machines[1].machine, {}
  for update = 0, 20 * limit do
    local isOver = true
    for i, one in ipairs(machines) do
      if i > 1 and update == one.first then host:add(one.link, one.machine.place) end
      if update >= one.first and update <= (one.last or math.huge) then
        held[i] = rng:chance(0.15) and rng:int(0, 63) or held[i] or 0
        one.machine:update(one.machine.place and held[i] or nil)
      end
      isOver = isOver and (one.last ~= nil or one.machine.frame == limit
        and one.machine.confirmed >= limit and not one.machine.wrong)
    end
    if isOver then return update end
    for _, net in ipairs(nets) do net:advance(1 / 60) end
  end
  return nil
end

describe("A party", function()
  for name, newGame in pairs({ counter = newCounter, walkers = newWalkers }) do
    it("ends alike on all machines, whoever comes late, leaves or watches: " .. name, function()
      for seed = 1, compat.rounds(name == "counter" and 15 or 2) do
        local rng, limit = random.new(seed), 400
        local machines, nets, straight = newParty(newGame, rng, {
          { 2, 0 }, { 3, rng:int(50, 200) }, { 4, 0, rng:int(60, 150) }, { nil, 0 },
          { nil, rng:int(100, 300) } }, limit)
        assert.is_truthy(playParty(machines, nets, rng, limit), seed)
        for i, one in ipairs(machines) do
          assert.is_nil(one.machine.desync, seed)
          if not one.last then
            assert.equal(straight:getHash(), one.machine.game:getHash(), seed .. ", " .. i)
          end
        end
      end
    end)
  end

  it("takes the inputs of one who came late", function()
    local rng, rows = random.new(1), {}
    local machines, nets = newParty(newCounter, rng, { { 2, 100 } }, 300)
    local host = machines[1].machine
    function host.onConfirmed(frame, row) rows[frame] = row end
    assert.is_truthy(playParty(machines, nets, rng, 300))
    for frame = 0, 99 do assert.equal("0", rows[frame]:sub(2, 2)) end
    local count = 0
    for frame = 100, 299 do count = count + (rows[frame]:sub(2, 2) ~= "0" and 1 or 0) end
    assert.is_true(count > 100, count)
    assert.is_true(machines[2].machine.rollbacks + host.rollbacks > 0)
  end)

  it("finds a machine that plays another game", function()
    local rng = random.new(2)
    local machines, nets = newParty(newCounter, rng, { { 2, 0 } }, 200)
    local guest = machines[2].machine
    local step = guest.game.step
    function guest.game.step(self, inputs)
      step(self, inputs)
      if guest.frame == 100 then self.sum = self.sum + 1 end
    end
    playParty(machines, nets, rng, 200)
    assert.is_truthy(guest.desync or machines[1].machine.desync)
  end)

  it("ignores packets that make no sense", function()
    local rng = random.new(3)
    local machines, nets, straight = newParty(newWalkers, rng, { { 2, 0 }, { nil, 0 } }, 120)
    local noise = { "", "S", "S 5", "S 9 damaged", "G", "G 1e9 1 x 0 zzz", "H 1 1 1 x 99999 000",
      "H 5 5 0 none 0 0", "G 999999 0 none 0 ooo", "G -1 0 none 99999999 ooo", ("0"):rep(1000) }
    for _, net in ipairs(nets) do
      local advance = net.advance
      function net.advance(self, dt)
        advance(self, dt)
        self.links[rng:int(1, 2)]:send(noise[rng:int(1, #noise)])
      end
    end
    assert.is_truthy(playParty(machines, nets, rng, 120))
    for _, one in ipairs(machines) do
      assert.equal(straight:getHash(), one.machine.game:getHash())
    end
  end)
end)
