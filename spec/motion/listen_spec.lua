-- Listeners: newContacts and box:contacts, against plain loops over the rects of all boxes.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local random = require("spec.support.random")

local shareBit, unpack = compat.shareBit, compat.unpack

-- Plain loops ------------------------------------------------------------------------------------

-- A box of the oracle: { name =, static =, layer =, mask =, sensor =, up = whether it is one-way,
-- low = {x, y, ...}, high = {x + w, ...} }.

local NEAR = 1e-9 -- places that are not round are flush up to rounding

local function overlap(a, b)
  for k = 1, #a.low do
    if not (a.low[k] < b.high[k] and b.low[k] < a.high[k]) then
      return false
    end
  end
  return true
end

-- Whether they are side by side on axis k, a below b, with a common border.
local function isFlushBelow(a, b, k)
  for i = 1, #a.low do
    if i ~= k and not (a.low[i] < b.high[i] and b.low[i] < a.high[i]) then
      return false
    end
  end
  return math.abs(b.low[k] - a.high[k]) <= NEAR
end

-- Whether a or b, if it is dynamic, would be stopped by the other one. The solid side of a one-way
-- box is its near one along y.
local function isSolidBelow(a, b, k)
  local aStops = not a.static and (not b.up or k == 2)
  local bStops = not b.static and not a.up
  return aStops or bStops
end

local function areFlush(a, b)
  if a.sensor or b.sensor then
    return false
  end
  for k = 1, #a.low do
    if (isFlushBelow(a, b, k) and isSolidBelow(a, b, k)) or
      (isFlushBelow(b, a, k) and isSolidBelow(b, a, k)) then
      return true
    end
  end
  return false
end

local function inContact(a, b)
  return not (a.static and b.static) and shareBit(a.mask, b.layer) and shareBit(b.mask, a.layer) and
    (overlap(a, b) or areFlush(a, b))
end

-- What a listener of the oracle is told of boxes in the order of insertion: ends, then the rest.
local function told(listener, boxes)
  local now, list, rest = {}, {}, {}
  for i = 1, #boxes do
    for j = i + 1, #boxes do
      local a, b = boxes[i], boxes[j]
      local name = a.name .. "-" .. b.name
      local counts
      if listener.box then
        local isOfBox = a.name == listener.box or b.name == listener.box
        counts = isOfBox and shareBit(a.name == listener.box and b.layer or a.layer, listener.mask)
        name = a.name == listener.box and b.name or a.name
      else
        counts = shareBit(a.layer, listener.mask) or shareBit(b.layer, listener.mask)
      end
      if counts and inContact(a, b) then
        now[#now + 1] = name
        now[name] = true
        rest[#rest + 1] = (listener.known[name] and "stay " or "begin ") .. name
      end
    end
  end
  for _, name in ipairs(listener.known) do
    if not now[name] then
      list[#list + 1] = "end " .. name
    end
  end
  listener.known = now
  return compat.concat(list, rest)
end

-- Random worlds ----------------------------------------------------------------------------------

-- What a listener remembers: a list of names, which are also its keys.
local function copyKnown(known)
  local list = compat.copy(known)
  for _, name in ipairs(known) do
    list[name] = true
  end
  return list
end

local game = {}
game.__index = game

local function newGame(rng, dim, backend, results)
  local gravity = dim == 2 and { 0, 8 } or { 0, 8, 0 }
  local self = setmetatable({ rng = rng, dim = dim, results = results, ids = {}, live = {},
    born = 0, listeners = {} }, game)
  self.world = broadside.newWorld({ dim = dim, backend = backend, results = results,
    gravity = gravity })
  for i, mask in ipairs({ 0xffffffff, 1, 6 }) do
    self.listeners[i] = { contacts = self.world:newContacts({ mask = mask }), mask = mask,
      known = {} }
  end
  return self
end

function game:box(name)
  return self.world:getBox(self.ids[name])
end

function game:place()
  local rng, list = self.rng, {}
  for k = 1, self.dim do
    list[k] = rng:int(0, 12) * 4 + (rng:chance(0.3) and rng:real(0, 4) or 0)
  end
  return unpack(list)
end

function game:insert()
  local rng, sizes = self.rng, {}
  self.born = self.born + 1
  local name = "b" .. self.born
  for k = 1, self.dim do
    sizes[k] = rng:int(1, 3) * 4
  end
  local static = rng:chance(0.4)
  local opts = { data = name, static = static, layer = 2 ^ rng:int(0, 2),
    mask = rng:chance(0.7) and 7 or rng:int(0, 7), sensor = rng:chance(0.15),
    response = not static and rng:chance(0.6) and "slide" or nil }
  if rng:chance(0.15) then
    opts.oneWay = self.dim == 2 and { 0, -1 } or { 0, -1, 0 }
  end
  local values = { self:place() }
  local box = self.world:insert(compat.values(compat.concat(values, sizes), opts))
  self.ids[name] = self.results == "id" and box or box:getId()
  self.live[#self.live + 1] = name
end

-- All boxes as the oracle has them.
function game:boxes()
  local list = {}
  for i, name in ipairs(self.live) do
    local box = self:box(name)
    local rect = { box:getRect() }
    local layer, mask = box:getFilter()
    local b = { name = name, static = box:isStatic(), layer = layer, mask = mask,
      sensor = box:isSensor(), up = select(2, box:getOneWay()) == -1, low = {}, high = {} }
    for k = 1, self.dim do
      b.low[k], b.high[k] = rect[k], rect[k] + rect[self.dim + k]
    end
    list[i] = b
  end
  return list
end

function game:nameOf(result)
  if self.results == "data" then
    return result
  elseif self.results == "box" then
    return result:getData()
  end
  for name, id in pairs(self.ids) do
    if id == result then
      return name
    end
  end
end

local CHANGES = {
  { 4, game.insert },
  { 12, function(self)
    self.world:move(self.ids[self.rng:pick(self.live)], self:place())
  end },
  { 4, function(self)
    self.world:push(self.ids[self.rng:pick(self.live)], self:place())
  end },
  { 6, function(self)
    self.world:step(self.rng:pick({ 0.1, 0.25, 1 }))
  end },
  { 3, function(self)
    local name = table.remove(self.live, self.rng:int(1, #self.live))
    self.world:remove(self.ids[name])
  end },
  { 2, function(self)
    self:box(self.rng:pick(self.live)):setFilter(2 ^ self.rng:int(0, 2), self.rng:int(1, 7))
  end },
  { 1, function(self)
    self:box(self.rng:pick(self.live)):setStatic(self.rng:chance(0.5))
  end },
  { 1, function(self)
    self:box(self.rng:pick(self.live)):setSensor(self.rng:chance(0.3))
  end },
  { 2, function(self)
    self.world:collectContacts()
  end },
  { 0.3, function(self)
    self.world:clear()
    self.live = {}
  end },
  { 2, function(self) -- a listener of one box; some masks again and again
    local name = self.rng:pick(self.live)
    self.listeners[#self.listeners + 1] = { box = name, mask = self.rng:pick({ 7, 1, 4 }),
      known = {} }
    for i = 1, #self.listeners - 1 do
      local other, last = self.listeners[i], self.listeners[#self.listeners]
      if other.box == last.box and other.mask == last.mask then
        table.remove(self.listeners)
        break
      end
    end
  end },
  { 2, function(self)
    self.saved = { live = compat.copy(self.live), born = self.born, ids = {}, known = {} }
    for name, id in pairs(self.ids) do
      self.saved.ids[name] = id
    end
    for i, listener in ipairs(self.listeners) do
      self.saved.known[i] = copyKnown(listener.known)
    end
    self.saved.world = self.world:snapshot()
  end },
  { 2, function(self)
    local saved = self.saved
    if not saved then
      return
    end
    self.live, self.born, self.ids = compat.copy(saved.live), saved.born, {}
    for name, id in pairs(saved.ids) do
      self.ids[name] = id
    end
    if self.results ~= "data" and self.rng:chance(0.5) then
      -- a string has no data, so the boxes get them again
      self.world:restore(saved.world:getString(), function(box)
        local id = self.results == "id" and box or box:getId()
        for name, other in pairs(self.ids) do
          if other == id then
            return name
          end
        end
      end, true)
    else
      self.world:restore(saved.world)
    end
    for i, listener in ipairs(self.listeners) do
      listener.known = copyKnown(saved.known[i] or {})
    end
  end },
}

-- Asks a listener in one of the ways. Returns words.
function game:ask(listener)
  local list = {}
  local which = self.rng:pick({ "all", "changes" })
  if listener.box then
    for phase, other in self:box(listener.box):contacts(which, listener.mask) do
      list[#list + 1] = phase .. " " .. self:nameOf(other)
    end
  elseif self.rng:chance(0.5) then
    for phase, a, b in listener.contacts:each(which) do
      list[#list + 1] = phase .. " " .. self:nameOf(a) .. "-" .. self:nameOf(b)
    end
  else
    self.out = self.out or {}
    local out, n = listener.contacts:collect(which, self.out)
    for i = 1, 3 * n, 3 do
      list[#list + 1] = out[i] .. " " .. self:nameOf(out[i + 1]) .. "-" .. self:nameOf(out[i + 2])
    end
    assert.equal(3 * n, #out)
  end
  return list, which
end

local function withoutStays(list)
  local changes = {}
  for _, word in ipairs(list) do
    changes[#changes + 1] = not word:find("^stay") and word or nil
  end
  return changes
end

function game:isLive(name)
  for _, other in ipairs(self.live) do
    if other == name then
      return true
    end
  end
  return false
end

function game:check()
  local boxes, seen = self:boxes(), 0
  for _, listener in ipairs(self.listeners) do
    if self.rng:chance(0.6) and (not listener.box or self:isLive(listener.box)) then
      local got, which = self:ask(listener)
      local wanted = told(listener, boxes)
      assert.same(which == "all" and wanted or withoutStays(wanted), got)
      seen = seen + #got
    end
  end
  return seen
end

describe("listeners", function()
  for _, results in ipairs({ "box", "id", "data" }) do
    it("tell what overlaps or is flush, as plain loops do, as " .. results, function()
      local seen = 0
      for _, seed in ipairs(random.seeds(8)) do
        local rng = random.new(seed)
        local g = newGame(rng, rng:pick({ 2, 3 }), rng:pick({ "brute", "sweep", "grid", "tree",
          "auto" }), results)
        for _ = 1, 15 do
          g:insert()
        end
        for _ = 1, 60 do
          for _ = 1, rng:int(0, 5) do
            if #g.live == 0 then
              g:insert()
            end
            rng:weighted(CHANGES)(g)
          end
          seen = seen + g:check()
        end
      end
      assert.is_true(seen > 0)
    end)
  end
end)

-- One by one -------------------------------------------------------------------------------------

local function phases(iterator, state, first)
  local list = {}
  for phase, other in iterator, state, first do
    list[#list + 1] = phase .. " " .. other:getData()
  end
  return table.concat(list, ", ")
end

local FLOOR, COIN = 2, 4

local function hero()
  local world = broadside.newWorld({ gravity = { 0, 100 } })
  local floor = world:insert(0, 100, 200, 20, { static = true, layer = FLOOR, data = "floor" })
  local coin = world:insert(22, 55, 5, 5, { static = true, sensor = true, layer = COIN,
    data = "coin" })
  return world, world:insert(20, 50, 16, 32, { data = "hero" }), floor, coin
end

describe("contacts of a box", function()
  it("tell of a landing and of a coin, each mask by itself", function()
    local world, box, _, coin = hero()
    assert.equal("begin coin", phases(box:contacts("changes")))
    assert.equal("begin coin", phases(box:contacts("changes", COIN)))
    world:move(box, 20, 90)
    assert.equal("begin floor", phases(box:contacts("changes", FLOOR)))
    assert.equal("", phases(box:contacts("changes", FLOOR)))
    assert.equal("end coin", phases(box:contacts("changes", COIN)))
    assert.equal("end coin, begin floor", phases(box:contacts("all")))
    assert.equal("stay floor", phases(box:contacts()))
    world:move(box, 20, 50)
    assert.equal("end floor, begin coin", phases(box:contacts()))
    coin:remove()
    assert.equal("end coin", phases(box:contacts()))
    assert.equal("", phases(box:contacts()))
    assert.equal("end floor", phases(box:contacts(nil, FLOOR)))
  end)

  it("tell of a body that comes to rest, and of the crates below it", function()
    local world = broadside.newWorld({ gravity = { 0, 500 } })
    world:insert(-50, 100, 300, 10, { static = true, data = "floor" })
    local crates = {}
    for i = 1, 3 do
      crates[i] = world:insert(10, 100 - 20 * i, 12, 12, { response = "slide",
        data = "crate" .. i })
    end
    for _ = 1, 120 do
      world:step(1 / 60)
    end
    assert.equal("begin floor, begin crate2", phases(crates[1]:contacts()))
    assert.equal("begin crate1, begin crate3", phases(crates[2]:contacts()))
    crates[1]:remove()
    for _ = 1, 120 do
      world:step(1 / 60)
    end
    assert.equal("end crate1, begin floor, stay crate3", phases(crates[2]:contacts()))
  end)

  it("tell of circles and slopes on which something has come to rest", function()
    local world = broadside.newWorld({ gravity = { 0, 500 } })
    world:insertPolygon({ 0, 200, 200, 200, 200, 100 }, { static = true, data = "slope" })
    local wall = world:insert(-20, 0, 20, 200, { static = true, data = "wall" })
    local ball = world:insertCircle(150, 60, 10, { response = "slide", data = "ball" })
    world:move(ball, 140, 300)
    assert.equal("begin slope", phases(ball:contacts()))
    for _ = 1, 400 do
      world:step(1 / 60)
    end
    assert.equal("stay slope, begin wall", phases(ball:contacts()))
    assert.equal("begin ball", phases(wall:contacts()))
  end)

  it("are flush with the solid side of a one-way box alone", function()
    local world = broadside.newWorld()
    world:insert(0, 100, 50, 10, { static = true, oneWay = { 0, -1 }, data = "plank" })
    local box = world:insert(10, 80, 10, 10, { data = "box" })
    for _, case in ipairs({ { 10, 90, "begin" }, { 10, 110, "end" }, { 50, 95 }, { 10, 85 },
      { 45, 95, "begin" } }) do
      box:setRect(case[1], case[2])
      assert.equal(case[3] and case[3] .. " plank" or "", phases(box:contacts("changes")))
    end
  end)

  it("do not begin at a corner, nor between two static boxes", function()
    local world = broadside.newWorld()
    local a = world:insert(0, 0, 10, 10, { static = true, data = "a" })
    world:insert(10, 0, 10, 10, { static = true, data = "b" })
    world:insert(10, 10, 10, 10, { data = "c" })
    assert.equal("", phases(a:contacts()))
  end)

  it("end when their box is given another layer, or cannot meet it any more", function()
    local world, box, floor = hero()
    world:move(box, 20, 90)
    assert.equal("begin floor", phases(box:contacts(nil, FLOOR)))
    floor:setFilter(8, 0xffffffff)
    assert.equal("end floor", phases(box:contacts(nil, FLOOR)))
    assert.equal("begin floor", phases(box:contacts()))
    floor:setFilter(8, 0)
    assert.equal("end floor", phases(box:contacts()))
  end)

  it("are forgotten with their box, also where its index is used again", function()
    local world, box = hero()
    world:move(box, 20, 90)
    phases(box:contacts())
    local memory = world:snapshot():getString()
    box:remove()
    assert.is_true(#world:snapshot():getString() < #memory)
    assert.has_error(function() box:contacts() end, "bad self to 'contacts' (box was removed)")
    local new = world:insert(20, 68, 16, 32, { data = "new" })
    assert.equal("begin floor", phases(new:contacts()))
  end)
end)

describe("Contacts", function()
  it("remember each by itself, and leave world:contacts alone", function()
    local world, box, floor, coin = hero()
    local sound, score = world:newContacts(), world:newContacts({ mask = COIN })
    world:move(box, 20, 90)
    assert.same({ "begin", floor, box }, (sound:collect()))
    assert.same({}, (score:collect()))
    world:move(box, 20, 50)
    assert.same({ "begin", coin, box }, (score:collect("changes")))
    assert.same({ "end", floor, box, "begin", coin, box }, (sound:collect("changes")))
    assert.same({ "begin", coin, box }, (world:collectContacts()))
    assert.same({ "stay", coin, box }, (score:collect()))
  end)

  it("hand out removed boxes, and let them go when nobody needs them", function()
    local world, box, _, coin = hero()
    local sound, score = world:newContacts(), world:newContacts({ mask = COIN })
    world:move(box, 20, 40)
    sound:collect()
    score:collect()
    local kept = setmetatable({ coin }, { __mode = "v" })
    coin:remove()
    coin = nil -- luacheck: ignore
    collectgarbage()
    local list = sound:collect()
    assert.same({ "end", kept[1], box }, list)
    assert.equal("coin", list[2]:getData())
    list = nil -- luacheck: ignore
    collectgarbage()
    for phase, a in score:each() do
      assert.equal("end coin", phase .. " " .. a:getData())
    end
    score:collect()
    collectgarbage()
    collectgarbage()
    assert.is_nil(kept[1])
  end)

  it("hand out the same ends whatever the loop does", function()
    local world = broadside.newWorld({ results = "data" })
    local boxes = {}
    for i = 1, 4 do
      boxes[i] = world:insert(10 * i, 0, 10, 10, { data = "box " .. i })
    end
    local one, two = world:newContacts(), world:newContacts()
    one:collect()
    two:collect()
    boxes[2]:remove()
    local words = {}
    for phase, a, b in one:each("changes") do
      if #words == 0 then
        assert.equal(2, select(2, two:collect("changes")))
        world:clear()
      end
      words[#words + 1] = phase .. " " .. a .. " " .. b
    end
    assert.same({ "end box 1 box 2", "end box 2 box 3" }, words)
    assert.same({ "end", "box 3", "box 4" }, (one:collect()))
    assert.same({ "end", "box 3", "box 4" }, (two:collect()))
  end)

  it("go back with a snapshot, and come out of a string in another world", function()
    local world, box, _, coin = hero()
    local contacts = world:newContacts()
    world:move(box, 20, 50)
    contacts:collect()
    phases(box:contacts(nil, COIN))
    coin:remove()
    local snapshot = world:snapshot()
    local text = snapshot:getString()
    for _ = 1, 2 do
      local list = contacts:collect()
      assert.same({ "end", coin, box }, list)
      assert.equal("end coin", phases(box:contacts("changes", COIN)))
      assert.same({}, (contacts:collect()))
      world:restore(snapshot)
    end
    local other = broadside.newWorld()
    local theirs = other:newContacts()
    other:restore(text, function() return "hero" end)
    assert.equal(text, other:snapshot():getString())
    local list, n = theirs:collect()
    assert.same({ 1, "end" }, { n, list[1] })
    assert.is_true(list[2]:isRemoved())
    assert.equal(box:getId(), list[3]:getId())
  end)

  it("leave strings of worlds without listeners as they were", function()
    local world = hero()
    local before = world:snapshot():getString()
    local contacts = world:newContacts({ mask = 0 })
    contacts:collect()
    assert.equal(before, world:snapshot():getString())
  end)

  it("are told alike, whatever the mask makes them look around", function()
    local world = broadside.newWorld({ results = "id" })
    for i = 1, 40 do
      world:insert(10 * i, 100, 10, 10, { static = true, layer = 2 })
    end
    local list = {}
    for i = 1, 8 do
      list[i] = world:insert(40 * i, 90, 10, 10, { layer = i == 3 and 4 or 1 })
    end
    local floors, third = world:newContacts({ mask = 2 }), world:newContacts({ mask = 4 })
    assert.equal(8, select(2, floors:collect()))
    local found, n = third:collect()
    assert.same({ 1, "begin", list[3] }, { n, found[1], found[3] })
  end)

  it("are refused with other arguments, and remember nothing of such a call", function()
    local world, box = hero()
    local contacts = world:newContacts()
    for _, case in ipairs({
      { function() contacts:each("begin") end,
        "bad argument #1 to 'each' (\"all\" or \"changes\" expected, got 'begin')" },
      { function() contacts:collect({}) end, "bad argument #1 to 'collect' (\"all\" or " ..
        "\"changes\" expected, got table; out comes after which)" },
      { function() contacts:collect("all", 5) end,
        "bad argument #2 to 'collect' (table expected, got 5)" },
      { function() box:contacts("all", 1.5) end,
        "bad argument #2 to 'contacts' (32-bit integer expected, got 1.5)" },
      { function() world:newContacts({ mask = "x" }) end,
        "bad argument #1 to 'newContacts' (option 'mask': 32-bit integer expected, got string)" },
    }) do
      assert.has_error(case[1], case[2])
    end
    assert.has_error(function()
      world:queryRect(0, 0, 200, 200, function() return contacts:collect() end)
    end, "world is busy: a function that it has called must not change it")
    assert.equal(1, select(2, contacts:collect("changes")))
  end)
end)
