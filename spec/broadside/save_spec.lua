-- broadside.save: tables as strings, and whole games as slots, strings and hashes.

local broadside = require("broadside")
local expect = require("spec.support.expect")
local play = require("broadside.play")
local random = require("spec.support.random")
local record = require("broadside.support.record")
local save = require("broadside.save")
local tiles = require("broadside.tiles")
local walker = require("broadside.walker")

local HEAD = "broadside.save 1\n"

-- A string with a body and the right checksum.
local function withSum(body)
  return HEAD .. body .. record.digest(HEAD .. body)
end

local function nest(depth)
  local t = {}
  for _ = 1, depth do
    t = { t }
  end
  return t
end

local function readFile(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("*a")
  file:close()
  return text
end

-- Whether two values are the same bit for bit: also NaN, and the sign of 0.
local function isSame(a, b)
  return a == b and (a ~= 0 or 1 / a == 1 / b) or a ~= a and b ~= b
end

local MIXED = { 1, "two", { 3, { four = 4 } }, isOn = true, isOff = false, [""] = "", [-2] = 0.5,
  [1.5] = "\0\r\n\255", [true] = 1e300, [10] = "far" }

describe("pack and unpack", function()
  it("give back tables of numbers, booleans, strings and tables", function()
    for _, t in ipairs({ {}, { {} }, { a = {} }, MIXED, { 1, nil, 3 }, { false } }) do
      assert.same(t, save.unpack(save.pack(t)))
    end
  end)

  it("give back each number to the last bit", function()
    local numbers = { 0, -1 / math.huge, math.huge, -math.huge, 0 / 0, 0.1, -0.1, 1 / 3, 2 ^ 53,
      -2 ^ 53, 2 ^ 53 + 2, 2 ^ -1022, 2 ^ -1074, 2 ^ -1022 - 2 ^ -1074, 3 * 2 ^ -1074,
      1.7976931348623157e308, -1.7976931348623157e308, 1, 255, 256, -1, 4294967296.5 }
    local rng = random.new(3)
    for i = 1, 500 do
      numbers[#numbers + 1] = rng:int(-2 ^ 30, 2 ^ 30) / (2 * i + 1) * 2.0 ^ rng:int(-900, 900)
    end
    local read = save.unpack(save.pack(numbers))
    assert.equal(#numbers, #read)
    for i, x in ipairs(numbers) do
      assert.is_true(isSame(x, read[i]), ("%.17g, got %.17g"):format(x, read[i]))
    end
  end)

  it("keep integers apart from other numbers, where Lua does", function()
    if not math.type then return end
    local read = save.unpack(save.pack({ 1, 1.0, math.mininteger, math.maxinteger, -0.0 }))
    for i, kind in ipairs({ "integer", "float", "integer", "integer", "float" }) do
      assert.equal(kind, math.type(read[i]))
    end
    assert.equal(math.mininteger, read[3])
    assert.equal(math.maxinteger, read[4])
  end)

  it("take a table as its fields: twice if it is there twice, and without metamethods", function()
    local shared = { 1 }
    local t = setmetatable({ a = shared, b = shared },
      { __index = error, __pairs = error, __len = error })
    local read = save.unpack(save.pack(t))
    assert.same({ a = { 1 }, b = { 1 } }, read)
    assert.is_nil(getmetatable(read))
  end)

  it("make one string of equal tables, however they were made", function()
    local rng = random.new(5)
    local names = {}
    for i = 1, 200 do names[i] = i % 3 == 0 and i * 7 or "name" .. i end
    local texts = {}
    for round = 1, 5 do
      local t = {}
      for i = #names, 2, -1 do
        local j = rng:int(1, i)
        names[i], names[j] = names[j], names[i]
      end
      for _, name in ipairs(names) do t[name] = tostring(name) end
      texts[round] = save.pack(t)
      assert.equal(texts[1], texts[round])
    end
  end)

  it("write these bytes", function()
    local t = { 7, "a", [0] = true, x = 0.5, f = false }
    assert.equal(withSum("t2:3:i7;s1:ai0;ys1:fns1:xd\0\0\0\0\0\0\224\63"), save.pack(t))
    assert.same(t, save.unpack(save.pack(t)))
  end)

  it("tell where something is that no string can have", function()
    local loop = {}
    loop.again = { loop }
    for _, case in ipairs({
      { "table expected, got nil", nil }, { "table expected, got 'x'", "x" },
      { "field 'a.b[2].c': number, boolean, string or table expected, got function",
        { a = { b = { 1, { c = print } } } } },
      { "field '[1]': number, boolean, string or table expected, got Box",
        { broadside.newWorld():insert(0, 0, 1, 1) } },
      { "field 'a': keys that are numbers, booleans or strings expected, got table",
        { a = { [{}] = 1 } } },
      { "tables nested more than 200 deep, or one that contains itself", loop },
      { "tables nested more than 200 deep", nest(201) },
      { "tables nested more than 200 deep", nest(1e5) },
    }) do
      expect.badArgument(1, "pack", case[1], save.pack, case[2])
    end
    assert.same(nest(200), save.unpack(save.pack(nest(200))))
  end)

  it("do not write without an end: a table that has itself again and again", function()
    local t = { ("x"):rep(2 ^ 20) }
    for _ = 1, 100 do t = { t, t } end
    expect.badArgument(1, "pack", "more than 67108864 bytes", save.pack, t)
  end)

  it("refuse each string that is cut off or changed by a byte or a bit", function()
    local text = save.pack(MIXED)
    for n = 0, #text - 1 do
      expect.refused("bad argument #1 to 'unpack' (", save.unpack, text:sub(1, n))
      expect.refused("bad argument #1 to 'unpack' (", save.unpack, text:sub(n + 2))
    end
    for i = 1, #text do
      for bit = 0, 7 do
        local byte = text:byte(i)
        local other = byte + (byte % 2 ^ (bit + 1) < 2 ^ bit and 2 ^ bit or -2 ^ bit)
        expect.refused("bad argument #1 to 'unpack' (", save.unpack,
          text:sub(1, i - 1) .. string.char(other) .. text:sub(i + 1))
      end
    end
    expect.refused("damaged save", save.unpack, text .. "x")
  end)

  it("read nothing wrong, also if its checksum is right", function()
    for _, case in ipairs({
      { "no value at byte 18", "" }, { "no table at byte 19", "y" }, { "no table", "i1;" },
      { "no value", "x" }, { "no count, or too large", "t" }, { "no count, or too large", "t1:" },
      { "no value at byte 23", "t1:0:" }, { "too large", "t0:999999999:y" },
      { "too large", "t999999999:0:" },
      { "too large", "t0:99999999999999999999:" }, { "too large", "t-1:0:" },
      { "no value", "t0:1:y" }, { "no value", "t1:0:x" }, { "too large", "t1:0:s9:short" },
      { "more after its end at byte 23", "t0:0:y" }, { "no value", "t1:0:d1234567" },
      { "no integer", "t1:0:i-0;" }, { "no integer", "t1:0:i01;" }, { "no integer", "t1:0:i0x10;" },
      { "no integer", "t1:0:i1" }, { "no integer", "t1:0:i;" }, { "no integer", "t1:0:i1e5;" },
      { "no integer", "t1:0:i1234567890123456789012;" },
      { "integer 9223372036854775808 cannot be exact", "t1:0:i9223372036854775808;" },
      { "no key", "t0:1:t0:0:y" }, { "there before", "t0:2:s1:ays1:ay" },
      { "there before", "t1:1:yi1;y" }, { "no key", "t0:1:d\0\0\0\0\0\0\248\127y" },
      { "nested more than 200 deep", ("t1:0:"):rep(1e5) .. "y" },
      { "nested more than 200 deep", ("t0:1:y"):rep(1e5) .. "y" },
    }) do
      expect.badArgument(1, "unpack", case[1], save.unpack, withSum(case[2]))
    end
  end)

  it("survive random strings", function()
    local rng, text = random.new(9), save.pack(MIXED)
    local body = text:sub(#HEAD + 1, -9)
    for _ = 1, 3000 do
      local i, j = rng:int(1, #body), rng:int(1, #body)
      local changed = body:sub(1, i) .. string.char(rng:int(0, 255)) .. body:sub(j)
      local done, result = pcall(save.unpack, withSum(changed))
      if done then
        save.pack(result)
      else
        assert.truthy(result:find("bad argument #1 to 'unpack' (", 1, true), result)
      end
    end
  end)

  it("tell what a string is, if it is none of theirs", function()
    for _, case in ipairs({
      { "string expected, got nil", nil }, { "string expected, got 5", 5 },
      { "no save of Broadside", "" }, { "no save of Broadside", "return {}" },
      { "save of version 2; this Broadside reads versions up to 1", "broadside.save 2\nt0:0:" },
      { "save of version 0", "broadside.save 0\nt0:0:" },
      { "save of version 1234567890;", "broadside.save 1234567890123\n" },
      { "at most 67108864 are read", HEAD .. (" "):rep(2 ^ 14):rep(2 ^ 12 + 1) },
    }) do
      expect.badArgument(1, "unpack", case[1], save.unpack, case[2])
    end
  end)

  it("name the line that called them", function()
    local _, message = pcall(function() save.pack({ print }) end)
    assert.truthy(message:find("^%S*save_spec%.lua:%d+: bad argument"), message)
  end)
end)

local LEGEND = { ["#"] = true, ["."] = false, o = { sensor = true, layer = 4, data = "coin" } }
local MAP = "........\n........\n..o..#..\n########"

-- A game with all that can be saved. isOther: it makes its world in the same way.
local function newGame()
  local game = { world = broadside.newWorld(), state = { vy = 0, coins = 0, bag = {} } }
  game.map = tiles.newMap(game.world, MAP, LEGEND, { w = 16 })
  game.hero = walker.new(game.world, game.world:insert(4, 20, 10, 20, { data = game, layer = 2 }))
  game.shots = broadside.newPool({ capacity = 20, w = 2, h = 2 })
  game.saver = save.new({ world = game.world, walkers = { game.hero }, maps = { game.map },
    pools = { game.shots }, fields = game.state })
  function game.step(self, dt, input)
    local state, _ = self.state, nil
    if input.jump and self.hero.onFloor then state.vy = -250 end
    _, state.vy = self.hero:walk(input.right and 60 or -40, state.vy + 600 * dt, dt)
    for i = 1, self.hero.n do
      local box = self.hero.hits[i].other
      if box:getData() == "coin" then
        state.coins, state.bag[#state.bag + 1] = state.coins + 1, "coin"
        self.map:set(3, 3, ".")
      end
    end
    if input.shoot then self.shots:spawn(20, 40, 200, 0) end
    self.shots:step(dt)
    for id in self.shots:hits(self.world, 1) do
      self.shots:free(id)
      self.map:set(6, 3, ".")
    end
  end
  function game.save(self, slot) return self.saver:save(slot) end
  function game.load(self, slot) self.saver:load(slot) end
  function game.hash(self) return self.saver:getHash() end
  return game
end

local INPUTS = { "right", "jump", "shoot" }

local function playRandomly(p, rng, steps, after)
  for _ = 1, steps do
    for _, name in ipairs(INPUTS) do
      p:set(name, rng:int(1, 3) > 1)
    end
    p:run(1)
    if after then after() end
  end
end

describe("A saved game", function()
  it("goes on from a slot and from a string as from then, in this process or another", function()
    for seed = 1, 5 do
      local game = newGame()
      local p = play.new(game, { inputs = INPUTS })
      playRandomly(p, random.new(seed), 40)
      local slot, text, hash = game.saver:save(), game.saver:getString(), game.saver:getHash()
      assert.truthy(hash:find("^%x+$") and #hash == 16)
      playRandomly(p, random.new(seed + 100), 60)
      local later = game.saver:getHash()
      assert.is_true(later ~= hash)
      local other = newGame()
      local third = newGame()
      for _, case in ipairs({ { game, slot }, { game, text }, { other, text }, { third, text } }) do
        local one = case[1]
        one.saver:load(case[2])
        assert.equal(hash, one.saver:getHash())
        playRandomly(play.new(one, { inputs = INPUTS }), random.new(seed + 100), 60)
        assert.equal(later, one.saver:getHash())
        assert.same(game.state, one.state)
      end
    end
  end)

  it("goes back in every step, and is the same", function()
    local straight, back = newGame(), newGame()
    local p = play.new(straight, { inputs = INPUTS, every = 1 })
    local q = play.new(back, { inputs = INPUTS, every = 1, history = 1 })
    playRandomly(p, random.new(1), 150)
    playRandomly(q, random.new(1), 150, function()
      q:rewind(1)
      q:run(1)
    end)
    assert.is_true(straight.state.coins > 0)
    assert.equal(p:record(), q:record())
  end)

  it("keeps the tables of its fields, and takes what is not in the save out of them", function()
    local state = { bag = { 1, 2 }, name = "a" }
    local bag = state.bag
    local g = save.new({ fields = state })
    local slot = g:save()
    bag[3], state.more, state.name = 3, { 1 }, nil
    state.bag = bag
    g:load(slot)
    assert.equal(bag, state.bag)
    assert.same({ bag = { 1, 2 }, name = "a" }, state)
    bag[1] = 9
    assert.equal(2, #save.unpack(slot.fields).bag) -- the slot has tables of its own
    g:load(slot)
    assert.same({ 1, 2 }, state.bag)
  end)

  it("has the data of boxes that is a number, a boolean or a string", function()
    for _, results in ipairs({ "box", "id", "data" }) do
      local function build(extra)
        local world = broadside.newWorld({ results = results })
        world:insert(0, 0, 1, 1, { data = "wall" })
        for i, data in ipairs(extra) do
          world:insert(2 * i, 0, 1, 1, { data = data })
        end
        return world, save.new({ world = world })
      end
      local _, g = build({ "coin", 7, false, { name = "door" } })
      local text = g:getString()
      local world, other = build({ { name = "mine" }, "old" })
      other:load(text)
      local list = {}
      for box in world:boxes() do
        list[#list + 1] = tostring(box:getData())
      end
      assert.same({ "wall", "coin", "7", "false", "nil" }, list)
      assert.equal(g:getHash(), other:getHash())
    end
  end)

  it("asks for the data of others, or leaves it as it is", function()
    local function build(data)
      local world = broadside.newWorld()
      world:insert(0, 0, 1, 1, { data = data })
      return world
    end
    local function dataOf(world)
      return (world:queryPoint(0, 0))[1]:getData()
    end
    local text = save.new({ world = build({}) }):getString()
    local own = {}
    local world = build(own)
    save.new({ world = world }):load(text)
    assert.equal(own, dataOf(world))
    local found = {}
    save.new({ world = world, data = function(box)
      found.x = box:getRect()
      return found
    end }):load(text)
    assert.equal(found, dataOf(world))
    assert.equal(0, found.x)
  end)

  it("reads its lists anew", function()
    local world, walkers = broadside.newWorld(), {}
    local g = save.new({ world = world, walkers = walkers })
    local empty = g:save()
    walkers[1] = walker.new(world, world:insert(0, 0, 10, 10))
    local slot = g:save()
    walkers[1]:walk(60, 0, 1)
    g:load(slot)
    assert.equal(0, (walkers[1].box:getRect()))
    expect.badArgument(1, "load", "save of a game expected with 1 walkers, got 0", g.load, g, empty)
    walkers[1] = "nobody"
    expect.refused("item 1 of 'walkers': walker expected, got 'nobody'", g.save, g)
  end)

  it("that cannot be loaded changes nothing", function()
    local game = newGame()
    playRandomly(play.new(game, { inputs = INPUTS }), random.new(3), 30)
    local text, hash = game.saver:getString(), game.saver:getHash()
    local t = save.unpack(text)
    local function with(change)
      local copy = save.unpack(text)
      change(copy)
      return save.pack(copy)
    end
    local foreign = broadside.newWorld()
    local cases = {
      { "string or slot expected, got 5", 5 },
      { "no save of Broadside", "" },
      { "damaged save", text:sub(1, -2) },
      { "got the string of save.pack", save.pack({ a = 1 }) },
      { "with a world expected", with(function(c) c.world = nil end) },
      { "with 1 walkers, got none", with(function(c) c.walkers = 5 end) },
      { "with 1 maps, got 0", with(function(c) c.maps = {} end) },
      { "with 1 pools, got 2", with(function(c) c.pools[2] = "x" end) },
      { "fields: no save", with(function(c) c.fields = nil end) },
      { "fields: damaged", with(function(c) c.fields = c.fields:sub(1, -2) end) },
      { "the data of its boxes", with(function(c) c.data = nil end) },
      { "the data of its boxes", with(function(c) c.data.ids[1] = nil end) },
      { "field 'maxSlope'", with(function(c) c.walkers[1].maxSlope = "x" end) },
      { "its box is not where it was", with(function(c) c.walkers[1].x = 1e6 end) },
      { "chunk 1 is damaged", with(function(c) c.maps[1].chunks[1].cells[1] = 99 end) },
      { "snapshot of another map", with(function(c) c.maps[1].rows = 9 end) },
      { "", with(function(c) c.world = c.world:sub(1, -2) end) },
      { "", with(function(c) c.world = foreign:snapshot():getString() end) },
      { "", with(function(c) c.pools[1] = t.world end) },
      { "", with(function(c) c.world = { c.world } end) },
      { "", { world = foreign:snapshot(), walkers = { {} }, maps = { {} }, pools = { {} },
        fields = save.pack({}) } },
    }
    game.state.vy = 7
    local now = game.saver:getHash()
    assert.is_true(now ~= hash)
    for _, case in ipairs(cases) do
      expect.badArgument(1, "load", case[1], game.saver.load, game.saver, case[2])
      assert.equal(now, game.saver:getHash())
    end
    game.saver:load(text)
    assert.equal(hash, game.saver:getHash())
  end)

  it("refuses wrong arguments", function()
    local world = broadside.newWorld()
    for _, case in ipairs({
      { "table with world, walkers, maps, pools, fields expected, got nil", nil },
      { "got table", save },
      { "unknown option 'wolrd'; known: data, fields, maps, pools, walkers, world", { wolrd = 1 } },
      { "option 'world': World expected, got table", { world = {} } },
      { "option 'walkers': table expected, got 5", { walkers = 5 } },
      { "item 1 of 'walkers': walker expected, got World", { walkers = { world } } },
      { "item 1 of 'maps': Map expected, got table", { maps = { {} } } },
      { "item 2 of 'pools': Pool expected, got 1",
        { pools = { broadside.newPool({ capacity = 1 }), 1 } } },
      { "option 'fields': table expected, got 'x'", { fields = "x" } },
      { "option 'data': function expected, got table", { data = {} } },
    }) do
      expect.badArgument(1, "new", case[1], save.new, case[2])
    end
    local g = save.new({ fields = { f = print } })
    expect.refused("cannot save 'fields': field 'f': number, boolean, string", g.save, g)
    expect.badArgument(1, "save", "table expected, got 5", g.save, g, 5)
    local other = save.new({ world = broadside.newWorld() }):save()
    g = save.new({ world = world })
    expect.refused("save_spec.lua:", function() g:save(other) end)
    expect.refused("Snapshot of another world", g.save, g, other)
    for _, name in ipairs({ "save", "load", "getString", "getHash" }) do
      expect.refused("bad self to '" .. name .. "'", g[name], 1)
    end
  end)

  it("takes worlds and pools in 3D", function()
    local world = broadside.newWorld({ dim = 3 })
    local box = world:insert(0, 0, 0, 1, 1, 1, { vx = 1 })
    local g = save.new({ world = world, pools = { broadside.newPool({ capacity = 3, dim = 3 }) } })
    local text, hash = g:getString(), g:getHash()
    world:step(1)
    g:load(text)
    assert.equal(0, (box:getRect()))
    assert.equal(hash, g:getHash())
  end)

  it("has one hash in each Lua", function()
    local fields = { x = 0.1, zero = -1 / math.huge, one = 2 / 2, name = "a", list = { 1, 2.5 } }
    local hash = save.new({ fields = fields }):getHash()
    assert.equal(hash, save.new({ fields = { x = 0.1, zero = 0, one = 1, name = "a",
      list = { 1, 2.5 } } }):getHash())
    assert.equal("9fc7f2dc8cbf32e9", hash)
    fields.x = 0.1 + 2 ^ -56
    assert.is_true(hash ~= save.new({ fields = fields }):getHash())
  end)
end)

-- Files that older versions have written. They are never written anew: a format that changes gets a
-- new version and new files, and these stay readable.
describe("Files of older versions", function()
  it("are read: a table of version 1", function()
    local read = save.unpack(readFile("spec/data/saves/table-1.sav"))
    assert.is_true(isSame(0 / 0, read.nan))
    assert.is_true(isSame(-1 / math.huge, read.zero))
    read.nan, read.zero = nil, nil
    assert.same({ MIXED, 0.1, -2 ^ 53, 2 ^ -1074, math.huge, -math.huge }, read)
  end)

  it("are read: a game of version 1", function()
    local game = newGame()
    game.saver:load(readFile("spec/data/saves/game-1.sav"))
    assert.equal(1, game.state.coins)
    assert.same({ "coin" }, game.state.bag)
    assert.equal(".", game.map:get(3, 3))
    assert.equal("#", game.map:get(6, 3))
    assert.equal(1, game.shots:count())
    local x = game.hero.box:getRect()
    assert.is_true(x > 20 and x < 70, x)
    playRandomly(play.new(game, { inputs = INPUTS }), random.new(8), 60)
  end)
end)

-- To write files for a new version: BROADSIDE_SAVES=folder.
if os.getenv("BROADSIDE_SAVES") then
  local function write(name, text)
    local file = assert(io.open(os.getenv("BROADSIDE_SAVES") .. "/" .. name, "wb"))
    file:write(text)
    file:close()
  end
  write("table-1.sav", save.pack({ MIXED, 0.1, -2 ^ 53, 2 ^ -1074, math.huge, -math.huge,
    nan = 0 / 0, zero = -1 / math.huge }))
  local game = newGame()
  local p = play.new(game, { inputs = INPUTS })
  p:set("right", true)
  p:runUntil(function() return game.state.coins == 1 end)
  p:press("shoot")
  p:run(1)
  write("game-1.sav", game.saver:getString())
end


