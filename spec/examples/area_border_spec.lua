-- Two areas of the example area beside one that was never split: over a bad network, and when areas
-- die and come back. Here they are in one process, so that each can die in the midst of anything.

local compat = require("spec.support.compat")
local random = require("spec.support.random")

package.path = "examples/?.lua;" .. package.path
local border = require("area.border")
local network = require("rollback.network")
local protocol = require("area.protocol")
local town = require("area.town")
local whole = require("area.whole")

local PEOPLE = 60

describe("the example area, split", function()
  -- packets ---------------------------------------------------------------------------------------

  local function newPacket(rng)
    local records = {}
    for i = 1, rng:int(0, 4) do
      records[i] = protocol.write("actor", { name = "p" .. i, x = rng:real(-9, 9), y = 3, size = 2,
        vx = 0.1, vy = -1e-9, sight = 3, reach = 4, data = { met = rng:int(0, 99) },
        known = { p7 = true } })
    end
    local head = { kind = "tick", number = rng:int(1, 9), part = 1, parts = 1, has = 3, saved = 2 }
    return protocol.encode(head, records), head, records
  end

  local function flip(packet, at, bit)
    local byte = packet:byte(at)
    local isSet = math.floor(byte / 2 ^ bit) % 2 == 1
    return packet:sub(1, at - 1) .. string.char(byte + (isSet and -1 or 1) * 2 ^ bit)
      .. packet:sub(at + 1)
  end

  it("reads what it writes", function()
    for _, seed in ipairs(random.seeds(20)) do
      local packet, head, records = newPacket(random.new(seed))
      local readHead, readRecords = protocol.decode(packet)
      assert.same(head, readHead)
      assert.same(records, readRecords)
      for _, record in ipairs(records) do
        assert.equal(record, protocol.write(protocol.read(record)))
      end
    end
  end)

  it("refuses packets that are cut at any length, or longer", function()
    local packet = newPacket(random.new(5))
    for length = 0, #packet - 1 do
      assert.is_nil((protocol.decode(packet:sub(1, length))))
    end
    assert.is_nil((protocol.decode(packet .. "\n")))
  end)

  it("refuses packets of which any bit is flipped, and any two bytes", function()
    local rng = random.new(6)
    local packet = newPacket(rng)
    for at = 1, #packet do
      for bit = 0, 7 do
        assert.is_nil((protocol.decode(flip(packet, at, bit))))
      end
      local other = flip(flip(packet, at, rng:int(0, 7)), rng:int(1, #packet), rng:int(0, 7))
      assert.is_true(other == packet or protocol.decode(other) == nil)
    end
  end)

  it("refuses packets of any other version, and says why", function()
    local packet = newPacket(random.new(7))
    assert.same({ nil, "another version" }, { protocol.decode((packet:gsub("^BSA01", "BSA02"))) })
    assert.same({ nil, "cut" }, { protocol.decode(packet:sub(1, -2)) })
    assert.same({ nil, "damaged" }, { protocol.decode(flip(packet, #packet, 0)) })
    assert.same({ nil, "no header" }, { protocol.decode("hello") })
  end)

  it("has the checksum that others call Adler-32", function()
    assert.equal("BSA010000000911e60398\nWikipedia", protocol.seal("Wikipedia"))
    local bytes, a, b = {}, 1, 0
    for i = 1, 20000 do
      local byte = (i * i) % 256
      bytes[i] = string.char(byte)
      a = (a + byte) % 65521
      b = (b + a) % 65521
    end
    local sealed = protocol.seal(table.concat(bytes))
    assert.equal(b * 65536 + a, tonumber(sealed:sub(14, 21), 16))
  end)

  it("refuses a part that the head does not count, and numbers that are not whole", function()
    for _, words in ipairs({ "1 0 1 0 0", "1 2 1 0 0", "1 1 1 0", "1 1 1 0 -1", "1.5 1 1 0 0",
      "1 1 1 0 9e99", "x 1 1 0 0" }) do
      assert.same({ nil, "no head" }, { protocol.decode(protocol.seal("tick " .. words .. "\n")) })
    end
  end)

  it("refuses random bytes, also below a header that is right", function()
    for _, seed in ipairs(random.seeds(200)) do
      local rng, bytes = random.new(seed), {}
      for i = 1, rng:int(0, 80) do
        bytes[i] = string.char(rng:chance(0.5) and rng:int(0, 255) or rng:int(32, 57))
      end
      local text = table.concat(bytes)
      assert.is_nil((protocol.decode(text)))
      protocol.decode(protocol.seal(text)) -- no error
      protocol.read(text)
      protocol.read("actor p1 " .. text)
    end
  end)

  it("refuses numbers that are none, and names that are none", function()
    local right = "actor p1 1 2 3 4 5 6 7 met=1 +p2"
    assert.equal("actor", (protocol.read(right)))
    for _, wrong in ipairs({ "actor", "actor p1", right:gsub("6", "8"), right:gsub("3", "0"),
      right:gsub("2", "nan"), right:gsub("2", "inf"), right:gsub("2", "0x10"), right .. " =",
      right:gsub("met=1", "met=1e999"), right:gsub("p1", "p-1"), right .. " +", right .. " x" }) do
      assert.is_nil((protocol.read(wrong)))
    end
  end)

  it("packs records into packets that networks do not cut", function()
    local records = {}
    for i = 1, 300 do
      records[i] = ("x"):rep(i % 97)
    end
    local parts, all = protocol.pack(records), {}
    for _, part in ipairs(parts) do
      local head = { kind = "tick", number = 1e9, part = 99, parts = 99, has = 1e9, saved = 1e9 }
      assert.is_true(#protocol.encode(head, part) <= protocol.MOST)
      for _, record in ipairs(part) do
        table.insert(all, record)
      end
    end
    assert.same(records, all)
    assert.same({ {} }, protocol.pack({}))
  end)

  -- two areas -------------------------------------------------------------------------------------

  -- A link that dies now and then when it is used: what was to be done then is not done.
  local function newMortal(rng, link, danger)
    local function pass(name)
      return function(_, packet)
        if rng:chance(danger) then
          error("killed", 0)
        end
        return link[name](link, packet)
      end
    end
    return { send = pass("send"), receive = pass("receive") }
  end

  local function damage(rng, packet)
    local at = rng:int(1, #packet)
    return rng:pick({ packet:sub(1, at - 1), flip(packet, at, rng:int(0, 7)), packet .. "x" })
  end

  -- options: loss, latency, jitter (seconds), damage, danger (chances), repeats (chance).
  local function newPair(rng, options)
    local net = network.new({ latency = options.latency, jitter = options.jitter,
      loss = options.loss, seed = rng:int(1, 1e6) })
    local pair = { deaths = 0, disks = {}, areas = {}, old = { {}, {} } }
    local links = {}
    for side = 1, 2 do
      local link = net.links[side]
      links[side] = newMortal(rng, {
        send = function(_, packet)
          table.insert(pair.old[side], packet)
          link:send(rng:chance(options.damage) and damage(rng, packet) or packet)
          if rng:chance(options.repeats) then
            link:send(rng:pick(pair.old[side])) -- as old as it likes
          end
        end,
        receive = function() return link:receive() end,
      }, options.danger)
    end
    function pair.start(side)
      pair.areas[side] = border.new(side, links[side], town.people(PEOPLE),
        pair.disks[side])
    end
    function pair.update(side, limit)
      local area = pair.areas[side]
      local isDone = pcall(function()
        if area:update(limit) and rng:chance(0.15) then
          local text = area:save()
          local isEarly = rng:chance(options.danger * 10)
          pair.disks[side] = isEarly and pair.disks[side] or text -- dies before or after that
          assert(not rng:chance(options.danger * 10) and not isEarly)
          area:hasSaved()
        end
      end)
      net:advance(0.005)
      if not isDone then
        pair.deaths = pair.deaths + 1
        pair.start(side)
      end
    end
    pair.start(1)
    pair.start(2)
    return pair
  end

  -- Ghosts are where the other area's actors in the strip are, and nowhere else.
  local function checkGhosts(areas)
    for side = 1, 2 do
      local own, other, expected, ghosts = areas[side], areas[3 - side], {}, {}
      for name, actor in pairs(other.actors) do
        local x, y = other.area:getPlace(actor)
        local isInStrip = x < town.EDGE + town.STRIP and x + actor.size > town.EDGE - town.STRIP
        expected[name] = isInStrip and { x, y } or nil
      end
      for name, ghost in pairs(own.ghosts) do
        ghosts[name] = { own.area:getPlace(ghost) }
      end
      assert.same(expected, ghosts)
    end
  end

  local function play(seed, options, ticks)
    local rng = random.new(seed)
    local straight = whole.new(town.people(PEOPLE))
    local pair = newPair(rng, options)
    local updates = 0
    while pair.areas[1].tick < ticks or pair.areas[2].tick < ticks do
      pair.update(rng:int(1, 2), ticks)
      updates = updates + 1
      assert.is_true(updates < 1000 * ticks, "the areas wait for each other")
    end
    for _ = 1, ticks do
      straight:step()
    end
    local areas = pair.areas
    assert.equal(whole.describe(straight:records()),
      whole.describe(areas[1]:records(), areas[2]:records()))
    checkGhosts(areas)
    return pair
  end

  local CALM = { loss = 0, latency = 0, jitter = 0, damage = 0, danger = 0, repeats = 0 }

  it("is one world", function()
    local pair = play(1, CALM, compat.rounds(300))
    assert.same({ 0, 0 }, { pair.areas[1].refused, pair.areas[2].refused })
  end)

  it("is one world over a bad network", function()
    for _, seed in ipairs(random.seeds(2)) do
      local pair = play(seed, { loss = 0.2, latency = 0.02, jitter = 0.02, damage = 0.1, danger = 0,
        repeats = 0.1 }, 120)
      assert.is_true(pair.areas[1].refused > 0 and pair.areas[1].late > 0)
    end
  end)

  it("is one world when areas die at any time and come back from what they have saved", function()
    for _, seed in ipairs(random.seeds(3)) do
      protocol.MOST = seed % 2 == 0 and 1200 or 250 -- a message has several packets
      local pair = play(seed, { loss = 0.1, latency = 0.005, jitter = 0.01, damage = 0.05,
        danger = 0.005, repeats = 0.05 }, 120)
      assert.is_true(pair.deaths > 3)
    end
  end)

  after_each(function()
    protocol.MOST = 1200
  end)

  it("keeps no more than what the neighbour has not saved", function()
    local pair = newPair(random.new(3), CALM)
    for tick = 1, 60 do
      while pair.areas[1].tick < tick or pair.areas[2].tick < tick do
        pair.areas[1]:update(tick)
        pair.areas[2]:update(tick)
      end
      if tick % 10 == 0 then
        for side = 1, 2 do
          pair.areas[side]:save()
          pair.areas[side]:hasSaved()
        end
      end
      local kept = 0
      for _ in pairs(pair.areas[1].outbox) do
        kept = kept + 1
      end
      assert.is_true(kept <= 12)
    end
  end)

  -- Else parts of a message from before a death could come together with parts from after it.
  it("sends the same again, part by part, when it has come back", function()
    protocol.MOST = 170
    local pair, sent, saved = newPair(random.new(4), CALM), {}, nil
    for tick = 1, 80 do
      while pair.areas[1].tick < tick or pair.areas[2].tick < tick do
        pair.areas[1]:update(tick)
        pair.areas[2]:update(tick)
      end
      sent[tick] = { pair.areas[1].outbox[tick], pair.areas[2].outbox[tick] }
      saved = tick == 30 and pair.areas[1]:save() or saved
    end
    local packets, parts = {}, 0
    local again = border.new(1, { send = function() end, receive = function()
      return table.remove(packets)
    end }, {}, saved)
    for tick = 31, 80 do
      for part, records in ipairs(sent[tick][2]) do
        table.insert(packets, protocol.encode({ kind = "tick", number = tick, part = part,
          parts = #sent[tick][2], has = tick, saved = 0 }, records))
      end
      assert.is_true(again:update())
      assert.same(sent[tick][1], again.outbox[tick])
      parts = parts + #again.outbox[tick]
    end
    assert.is_true(parts > 100)
  end)

  it("refuses a packet with a record that is none", function()
    local refused = { "take p1 1 2 3", "ghost p1 1 2", "hello", "ghost p1 1 2 3 +" }
    for _, record in ipairs(refused) do
      local packets = { protocol.encode({ kind = "tick", number = 1, part = 1, parts = 1, has = 0,
        saved = 0 }, { "ghost p99 410 300 8", record }) }
      local own = border.new(1, { send = function() end, receive = function()
        return table.remove(packets)
      end }, town.people(PEOPLE))
      assert.is_false(own:update())
      assert.equal(1, own.refused)
    end
  end)

  it("refuses a snapshot that is damaged", function()
    local pair = newPair(random.new(3), CALM)
    local text = pair.areas[1]:save()
    assert.has_error(function()
      border.new(1, nil, {}, flip(text, #text / 2 - #text / 2 % 1, 3))
    end, "the snapshot is refused: damaged")
  end)
end)
