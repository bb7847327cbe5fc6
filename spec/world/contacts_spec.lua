-- Contacts: which pairs have begun, stayed and ended since the previous call.

local broadside = require("broadside")
local collect = require("spec.support.collect")
local compat = require("spec.support.compat")
local random = require("spec.support.random")
local scene = require("spec.support.scene")
local tiled = require("broadside.tiled")
local tiles = require("broadside.tiles")

-- Contacts as words, in their order: "begin a-b, end b-c".
local function words(world, names)
  local list = {}
  for i, contact in ipairs(collect.contacts(world)) do
    list[i] = ("%s %s-%s"):format(contact[1], names[contact[2]], names[contact[3]])
  end
  return table.concat(list, ", ")
end

-- A scene with three boxes of 10 in a row that do not touch, and their names.
local function threeBoxes(s)
  local a, b = s:insert({ 0, 0, 10, 10 }), s:insert({ 20, 0, 10, 10 })
  local c = s:insert({ 40, 0, 10, 10 })
  return a, b, c, { [a] = "a", [b] = "b", [c] = "c" }
end

describe("contacts", function()
  it("begin, stay and end", function()
    scene.each(function(s)
      local a, _, _, names = threeBoxes(s)
      assert.equal("", words(s.world, names))
      s:update(a, { 15, 0 })
      assert.equal("begin a-b", words(s.world, names))
      assert.equal("stay a-b", words(s.world, names))
      s:update(a, { 14, 0 })
      assert.equal("stay a-b", words(s.world, names))
      s:update(a, { 35, 0 })
      assert.equal("end a-b, begin a-c", words(s.world, names))
      s:update(a, { 0, 0 })
      assert.equal("end a-c", words(s.world, names))
      assert.equal("", words(s.world, names))
    end)
  end)

  it("are those of the calls, not of what happened between them", function()
    scene.eachBackend(function(s)
      local a, _, _, names = threeBoxes(s)
      s:update(a, { 15, 0 })
      assert.equal(1, s.world:countPairs())
      s:update(a, { 0, 0 })
      assert.equal("", words(s.world, names))
      s:update(a, { 15, 0 })
      assert.equal("begin a-b", words(s.world, names))
      s:update(a, { 0, 0 })
      assert.equal(0, s.world:countPairs())
      s:update(a, { 15, 0 })
      assert.equal("stay a-b", words(s.world, names))
    end)
  end)

  it("come by the insertion of the first box and then of the second", function()
    scene.each(function(s)
      local a, b, c, names = threeBoxes(s)
      s:update(c, { 20, 0 })
      words(s.world, names)
      s:update(a, { 25, 0 })
      assert.equal("begin a-b, begin a-c, stay b-c", words(s.world, names))
      s:update(b, { 500, 0 })
      assert.equal("end a-b, stay a-c, end b-c", words(s.world, names))
    end)
  end)

  it("end when a box is removed, and hand out the removed Box", function()
    scene.eachBackend(function(s)
      local a, b, _, names = threeBoxes(s)
      s:update(a, { 15, 0 })
      words(s.world, names)
      b:remove()
      local list = collect.contacts(s.world)
      assert.equal(1, #list)
      assert.equal("end", list[1][1])
      assert.is_true(rawequal(a, list[1][2]))
      assert.is_true(rawequal(b, list[1][3]))
      assert.is_true(b:isRemoved())
      assert.equal("", words(s.world, names))
    end)
  end)

  it("end with the stale id in a world of ids", function()
    for _, backend in ipairs(scene.backends) do
      local world = broadside.newWorld({ backend = backend, results = "id" })
      local a, b = world:insert(0, 0, 2, 2), world:insert(1, 0, 2, 2)
      assert.same({ { "begin", a, b } }, collect.contacts(world))
      world:remove(a)
      local new = world:insert(0, 0, 2, 2)
      assert.same({ { "end", a, b }, { "begin", b, new } }, collect.contacts(world))
      assert.is_false(world:has(a))
    end
  end)

  it("are not mistaken when a slot is used again", function()
    scene.eachBackend(function(s)
      local a, b, _, names = threeBoxes(s)
      s:update(a, { 15, 0 })
      words(s.world, names)
      b:remove()
      local d = s:insert({ 20, 0, 10, 10 })
      names[d] = "d"
      assert.equal("end a-b, begin a-d", words(s.world, names))
      assert.equal("stay a-d", words(s.world, names))
    end)
  end)

  it("end when the world is cleared", function()
    scene.eachBackend(function(s)
      local a, _, _, names = threeBoxes(s)
      s:update(a, { 15, 0 })
      words(s.world, names)
      s.world:clear()
      assert.equal("end a-b", words(s.world, names))
      assert.equal("", words(s.world, names))
    end)
  end)

  it("end when filters no longer let the boxes meet", function()
    scene.eachBackend(function(s)
      local a, b, _, names = threeBoxes(s)
      s:update(a, { 15, 0 })
      assert.equal("begin a-b", words(s.world, names))
      a:setFilter(1, 2)
      assert.equal("end a-b", words(s.world, names))
      a:setFilter(1, 1)
      assert.equal("begin a-b", words(s.world, names))
      a:setStatic(true)
      b:setStatic(true)
      assert.equal("end a-b", words(s.world, names))
    end)
  end)

  it("stay when the back end is swapped", function()
    scene.eachBackend(function(s)
      local a, _, _, names = threeBoxes(s)
      s:update(a, { 15, 0 })
      assert.equal("begin a-b", words(s.world, names))
      for _, backend in ipairs(scene.backends) do
        s.world:setBackend(backend)
        assert.equal("stay a-b", words(s.world, names))
      end
    end)
  end)

  it("count as asked for when their loop is left early", function()
    scene.eachBackend(function(s)
      local a, _, c, names = threeBoxes(s)
      s:update(a, { 15, 0 })
      s:update(c, { 25, 0 })
      s.world:contacts()
      assert.equal("stay a-b, stay b-c", words(s.world, names))
    end)
  end)

  it("hand out a box that is removed after another call, which did not name it", function()
    for _, results in ipairs({ "box", "data" }) do
      local world = broadside.newWorld({ results = results })
      local boxes = {}
      for i = 1, 4 do
        boxes[i] = world:insert(20 * math.floor(i / 3) + i, 0, 5, 5, { data = "data " .. i })
      end
      collect.contacts(world)
      boxes[2]:setRect(100, 0)
      boxes[4]:setRect(200, 0)
      local ended = {}
      for phase, a, b in world:contacts() do
        if #ended == 0 then
          collect.contacts(world)
          boxes[3]:remove()
        end
        ended[#ended + 1] = { phase, a, b }
      end
      local function result(i)
        return results == "box" and boxes[i] or "data " .. i
      end
      assert.same({ { "end", result(1), result(2) }, { "end", result(3), result(4) } }, ended)
    end
  end)

  it("keep the index of a removed box from others until their ends have been told", function()
    local ids = { results = "id" }
    local world, other = broadside.newWorld(ids), broadside.newWorld(ids)
    local a, b, far = world:insert(0, 0, 2, 2), world:insert(1, 1, 2, 2), world:insert(9, 9, 2, 2)
    local function hasItsIndex(id, later)
      return id % 2 ^ 26 == later % 2 ^ 26
    end
    world:remove(far)
    assert.is_true(hasItsIndex(far, world:insert(9, 9, 2, 2))) -- nobody has asked yet
    local listener = world:newContacts()
    world:collectContacts()
    listener:collect()
    world:remove(a)
    for i = 1, 2 do
      other:restore(world:snapshot():getString())
      assert.is_false(hasItsIndex(a, other:insert(20 * i, 20, 2, 2)))
      assert.is_false(hasItsIndex(a, world:insert(20 * i, 20, 2, 2)))
      world:collectContacts()
    end
    assert.same({ "end", a, b }, (listener:collect()))
    assert.is_true(hasItsIndex(a, world:insert(30, 90, 2, 2)))
    assert.is_false(world:has(a))
  end)

  it("of a listening box let the other one go with it", function()
    local world = broadside.newWorld({ results = "data" })
    local a, b = world:insert(0, 0, 2, 2), world:insert(1, 1, 2, 2)
    local kept = setmetatable({ {}, b }, { __mode = "v" })
    b:setData(kept[1])
    a:contacts()
    b:remove()
    b = nil -- luacheck: ignore
    collectgarbage()
    collectgarbage()
    assert.equal("table", type(kept[1]))
    a:remove()
    collectgarbage()
    collectgarbage()
    assert.same({}, kept)
  end)

  it("keep no removed box that has had none, where an index is used again", function()
    local world = broadside.newWorld()
    local a, b = world:insert(0, 0, 2, 2), world:insert(1, 1, 2, 2)
    world:collectContacts()
    a:remove()
    world:collectContacts()
    local kept = setmetatable({ world:insert(9, 9, 2, 2) }, { __mode = "v" })
    kept[1]:remove()
    collectgarbage()
    collectgarbage()
    assert.is_nil(kept[1])
    assert.is_true(world:has(b))
  end)

  it("do not change pairs and queries", function()
    local world = broadside.newWorld()
    local a, b = world:insert(0, 0, 2, 2), world:insert(1, 0, 2, 2)
    world:contacts()
    assert.same({ { a, b } }, collect.pairs(world))
    assert.equal(1, world:countPairs())
    assert.same({ b }, (world:queryBox(a)))
  end)
end)

-- Worlds with the same changes, whose contacts are read in different ways ------------------------

local twins = {}
twins.__index = twins

-- Ways to ask a world for its contacts. Each returns rows of a phase and two results.
local WAYS = {
  function(world) return collect.contacts(world) end,
  function(world)
    local rows = {}
    for phase, a, b in world:contacts("changes") do
      rows[#rows + 1] = { phase, a, b }
    end
    return rows
  end,
  function(world, out)
    local list, n = world:collectContacts("changes", out)
    assert.equal(out, list)
    return collect.rows(list, n, 3)
  end,
  function(world, out)
    local list, n = world:collectContacts(nil, out)
    return collect.rows(list, n, 3)
  end,
}

local function newTwins(rng, backend, results)
  local self = setmetatable({ rng = rng, results = results, sides = {}, live = {}, n = 0 }, twins)
  for i, ask in ipairs(WAYS) do
    local world = broadside.newWorld({ backend = backend, results = results })
    self.sides[i] = { ask = ask, world = world, ids = {}, names = {}, out = {} }
  end
  return self
end

function twins:each(f)
  for _, side in ipairs(self.sides) do
    f(side.world, side)
  end
end

function twins:rect()
  local rng = self.rng
  return rng:int(0, 24), rng:int(0, 24), rng:int(1, 6), rng:int(1, 6)
end

function twins:insert()
  local x, y, w, h = self:rect()
  self.n = self.n + 1
  local name = "box " .. self.n
  local opts = { data = name, static = self.rng:chance(0.3), layer = self.rng:int(1, 3),
    mask = self.rng:chance(0.7) and 3 or 1 }
  self:each(function(world, side)
    local box = world:insert(x, y, w, h, opts)
    side.ids[name] = self.results == "id" and box or box:getId()
    side.names[self.results == "data" and name or box] = name
  end)
  self.live[#self.live + 1] = name
end

-- Calls `f(world, id, ...)` for one box in all worlds.
function twins:change(f, ...)
  local name = self.rng:pick(self.live)
  local args = { ... }
  self:each(function(world, side) f(world, side.ids[name], compat.unpack(args)) end)
  return name
end

local CHANGES = {
  { 6, twins.insert },
  { 30, function(self)
    self:change(function(world, id, x, y)
      world:update(id, x, y)
    end, self:rect())
  end },
  { 4, function(self)
    local gone = self:change(function(world, id) world:remove(id) end)
    for i, name in ipairs(self.live) do
      if name == gone then
        table.remove(self.live, i)
        break
      end
    end
  end },
  { 3, function(self)
    self:change(function(world, id, layer, mask)
      world:getBox(id):setFilter(layer, mask)
    end, self.rng:int(1, 3), self.rng:int(0, 3))
  end },
  { 2, function(self)
    self:change(function(world, id, static)
      world:getBox(id):setStatic(static)
    end, self.rng:chance(0.5))
  end },
  { 12, function(self)
    self:each(function(world) world:countPairs() end)
  end },
  { 1, function(self) -- nearly all boxes move
    for _ = 1, #self.live do
      self:change(function(world, id, x, y)
        world:update(id, x, y)
      end, self:rect())
    end
  end },
  { 1, function(self)
    self.saved = { live = { compat.unpack(self.live) } }
    self:each(function(world, side) side.saved = world:snapshot(side.saved) end)
  end },
  { 1, function(self)
    if self.saved then
      self.live = { compat.unpack(self.saved.live) }
      self:each(function(world, side) world:restore(side.saved) end)
    end
  end },
  { 0.2, function(self)
    self.live = {}
    self:each(function(world) world:clear() end)
  end },
}

-- The contacts of a side in words. `stays`: whether to include those that stay.
local function told(side, stays)
  local list = {}
  for _, row in ipairs(side.ask(side.world, side.out)) do
    if stays or row[1] ~= "stay" then
      list[#list + 1] = ("%s %s-%s"):format(row[1], side.names[row[2]], side.names[row[3]])
    end
  end
  return table.concat(list, ", ")
end

function twins:compare()
  local all, changes, listed, listedAll = compat.unpack(self.sides)
  local wanted = told(all, false)
  assert.equal(wanted, told(changes, true))
  assert.equal(wanted, told(listed, true))
  assert.equal(wanted, told(listedAll, false))
  return #wanted > 0
end

describe("changes of contacts", function()
  for _, results in ipairs({ "box", "id", "data" }) do
    it("are all but the stays, as " .. results, function()
      local changed, seeds = 0, random.seeds(16)
      for _, seed in ipairs(seeds) do
        local rng = random.new(seed)
        local t = newTwins(rng, rng:pick({ "brute", "sweep", "grid", "tree", "auto" }), results)
        local many = rng:chance(0.5)
        for _ = 1, many and 150 or 12 do
          t:insert()
        end
        for _ = 1, 60 do
          for _ = 1, rng:int(0, many and 5 or 8) do
            if #t.live == 0 then
              t:insert()
            end
            rng:weighted(CHANGES)(t)
          end
          changed = changed + (t:compare() and 1 or 0)
        end
      end
      assert.is_true(changed > 6 * #seeds)
    end)
  end

  -- The library keeps a list of recent changes, and discards it at times.
  it("are told however many questions about pairs came before", function()
    scene.eachBackend(function(s)
      local boxes = {}
      for i = 1, 100 do
        boxes[i] = s:insert({ 0, 0, 10, 10 })
      end
      s.world:collectContacts("changes")
      s:update(boxes[1], { 50, 0 })
      for i = 2, 60 do
        s:update(boxes[i], { 1, 0 })
        assert.equal(99 * 98 / 2, s.world:countPairs())
      end
      local list, n = s.world:collectContacts("changes")
      assert.equal(99, n)
      for i = 1, n do
        assert.same({ "end", boxes[1], boxes[i + 1] }, { list[3 * i - 2], list[3 * i - 1],
          list[3 * i] })
      end
    end)
  end)

  it("are told again after a world has gone back to before they were", function()
    local world = broadside.newWorld()
    local a, b = world:insert(0, 0, 2, 2), world:insert(1, 0, 2, 2)
    local saved = world:snapshot()
    for _ = 1, 3 do
      assert.same({ "begin", a, b }, (world:collectContacts("changes")))
      assert.same({}, (world:collectContacts("changes")))
      world:restore(saved)
    end
  end)

  it("are told by either call against the last one of both", function()
    local world = broadside.newWorld()
    local a, b = world:insert(0, 0, 2, 2), world:insert(1, 0, 2, 2)
    assert.same({ "begin", a, b }, (world:collectContacts("changes")))
    assert.same({ { "stay", a, b } }, collect.contacts(world))
    assert.same({}, (world:collectContacts("changes")))
    assert.same({ "stay", a, b }, (world:collectContacts("all")))
    a:remove()
    assert.same({ "end", a, b }, (world:collectContacts()))
    assert.same({}, (world:collectContacts()))
  end)

  it("are still to come after a call that raises", function()
    local world = broadside.newWorld()
    local a, b = world:insert(0, 0, 2, 2), world:insert(1, 0, 2, 2)
    assert.has_error(function()
      world:collectContacts("changes", 5)
    end, "bad argument #2 to 'collectContacts' (table expected, got 5)")
    assert.has_error(function()
      world:collectContacts({})
    end, "bad argument #1 to 'collectContacts' (\"all\" or \"changes\" expected, got table; " ..
      "out comes after which)")
    assert.same({ "begin", a, b }, (world:collectContacts("changes")))
  end)
end)

describe("contacts with a sensor", function()
  it("begin and end when a lift carries somebody through it", function()
    for _, dim in ipairs({ 2, 3 }) do
      local d = dim - 1 -- the axes across
      local function insert(world, y, h, opts)
        return world:insert(compat.values(
          d == 1 and { 0, y, 10, h } or { 0, y, 0, 10, h, 10 }, opts))
      end
      local world = broadside.newWorld({ dim = dim, gravity = { 0, -10, d == 2 and 0 or nil } })
      local trigger = insert(world, 10, 5, { static = true, sensor = true })
      local lift, player = insert(world, 0, 2), insert(world, 2, 2)
      local phases = {}
      for y = 1, 20 do
        world:push(lift, compat.unpack(d == 1 and { 0, y } or { 0, y, 0 }))
        assert.equal(y + 2, (select(2, player:getRect())))
        for phase, a, b in world:contacts() do
          assert.equal(trigger, a)
          if phase ~= "stay" then
            phases[#phases + 1] = phase .. (b == player and " player " or " lift ") .. y
          end
        end
      end
      assert.same({ "begin player 7", "begin lift 9", "end player 13", "end lift 15" }, phases)
    end
  end)

  -- Makes a trigger from x = 40 to 60 above the ground, in each possible way.
  local TRIGGERS = {
    option = function(world)
      return world:insert(40, 0, 20, 30, { static = true, sensor = true })
    end,
    setter = function(world)
      local box = world:insert(40, 0, 20, 30)
      box:setSensor(true)
      return box
    end,
    tiles = function(world)
      local rows = ".\n....TT\n....TT\n....TT"
      return tiles.insert(world, rows, { T = { sensor = true } }, { w = 10, y = -10 })[1]
    end,
    tiled = function(world)
      local zone = { id = 1, name = "zone", shape = "rectangle", x = 40, y = 0, width = 20,
        height = 30, rotation = 0, properties = { sensor = true } }
      local layer = { type = "objectgroup", name = "zones", objects = { zone }, properties = {} }
      return tiled.insert(world, { orientation = "orthogonal", tilewidth = 10, tileheight = 10,
        tilesets = {}, layers = { layer } })[1]
    end,
  }

  it("begin and end when a lift goes sideways, with any trigger, over snapshots", function()
    for name, newTrigger in pairs(TRIGGERS) do
      for _, backend in ipairs({ "brute", "sweep", "grid", "tree", "auto" }) do
        local world = broadside.newWorld({ backend = backend, gravity = { 0, 10 } })
        local trigger = newTrigger(world)
        local lift = world:insert(0, 20, 30, 2, { static = true })
        local player = world:insert(10, 16, 4, 4)
        local phases = {}
        for x = 1, 70 do
          local _, _, rows, n = world:push(lift, x, 20)
          assert.same({ 1, player, true, false },
            { n, rows[1].other, rows[1].carried, rows[1].crushed }, name)
          assert.equal(10 + x, (player:getRect()))
          world:restore(world:snapshot():getString())
          for phase, a, b in world:contacts() do
            if a == player or b == player then
              assert.is_true(a == trigger or b == trigger)
              phases[#phases + 1] = phase ~= "stay" and phase .. " " .. x or nil
            end
          end
        end
        assert.same({ "begin 27", "end 50" }, phases, name)
      end
    end
  end)
end)

-- Contacts of a crowd, with far more pairs than boxes.
describe("contacts of a crowd", function()
  -- All pairs that overlap of the boxes with these ids, and the same as a set.
  local function plainPairs(world, ids)
    local rects, order, set = world:getRects(ids), {}, {}
    for i = 1, #ids do
      local ax, ay, aw, ah = compat.unpack(rects, 4 * i - 3, 4 * i)
      for j = i + 1, #ids do
        local x, y, w, h = compat.unpack(rects, 4 * j - 3, 4 * j)
        if ax < x + w and x < ax + aw and ay < y + h and y < ay + ah then
          order[#order + 1] = ids[i] .. "-" .. ids[j]
          set[order[#order]] = true
        end
      end
    end
    return order, set
  end

  -- Removes n of the boxes, and inserts 15.
  local function change(world, ids, n, rng)
    for _ = 1, n do
      world:remove(table.remove(ids, rng:int(1, #ids)))
    end
    for _ = 1, 15 do
      ids[#ids + 1] = world:insert(rng:real(0, 12), rng:real(0, 12), 10, 10)
    end
  end

  it("are those of plain loops, in order, also where indices are used again", function()
    local rng = random.new(5)
    for _, backend in ipairs(scene.backends) do
      local world = broadside.newWorld({ backend = backend, results = "id" })
      local ids, before = {}, {}
      for _ = 1, 4 do
        change(world, ids, 0, rng)
      end
      for round = 1, 8 do
        change(world, ids, round % 3 == 0 and 1 or 15, rng)
        local order, set = plainPairs(world, ids)
        assert.is_true(#order > 4 * #ids)
        local live, ended = {}, {}
        for _, c in ipairs(collect.contacts(world)) do
          local name = c[2] .. "-" .. c[3]
          if c[1] == "end" then
            ended[name] = true
          else
            assert.equal(before[name] and "stay" or "begin", c[1])
            live[#live + 1] = name
          end
        end
        assert.same(order, live)
        for name in pairs(before) do
          assert.equal(not set[name], ended[name] or false)
          ended[name] = nil
        end
        assert.is_nil(next(ended))
        before = set
        world:restore(world:snapshot():getString())
      end
    end
  end)

  -- Between two turns of the one world, the other one plays turns that it then takes back. So the
  -- ends of removed boxes are still to come, have come, or belong to boxes of another future.
  it("go on where a world goes back to, also those of removed boxes and listeners", function()
    local function new(rng)
      local self = { rng = rng, world = broadside.newWorld({ results = "data" }), ids = {}, n = 0 }
      self.listeners = { self.world:newContacts(), self.world:newContacts({ mask = 2 }) }
      return self
    end

    -- One change, and all that one of those who remember contacts is told.
    local function turn(self, rng, say)
      local world, ids = self.world, self.ids
      if #ids < 6 or rng:chance(0.4) then
        self.n = self.n + 1
        ids[#ids + 1] = world:insert(rng:int(0, 30), rng:int(0, 30), 8, 8, { layer = rng:int(1, 3),
          data = "box " .. self.n, static = rng:chance(0.2) }):getId()
      elseif rng:chance(0.6) then
        world:remove(table.remove(ids, rng:int(1, #ids)))
      else
        world:update(rng:pick(ids), rng:int(0, 30), rng:int(0, 30))
      end
      local who = rng:int(1, 4)
      local list = (self.listeners[who] or world)[who < 3 and "collect" or "collectContacts"]
      if who < 4 then
        say(table.concat((list(self.listeners[who] or world, "changes")), ", "))
      else
        for phase, other in world:getBox(rng:pick(ids)):contacts(nil, rng:int(1, 2)) do
          say(phase .. " " .. other)
        end
      end
    end

    for seed = 1, 20 do
      local played = {}
      for k = 1, 2 do
        local one, astray, list = new(random.new(seed)), random.new(-seed), {}
        for _ = 1, 60 do
          if k == 2 then
            local ids, n, snapshot = { compat.unpack(one.ids) }, one.n, one.world:snapshot()
            for _ = 1, astray:int(1, 5) do
              turn(one, astray, function() end)
            end
            one.world:restore(snapshot)
            one.ids, one.n = ids, n
          end
          turn(one, one.rng, function(text) list[#list + 1] = text end)
        end
        played[k] = { list, one.world:snapshot():getHash() }
      end
      assert.same(played[1], played[2])
    end
  end)

  -- 8 bytes in the list of pairs, which grows by half, and 8 in each of two of contacts.
  it("take few bytes a pair, however many lie in one place", function()
    local n = 500
    local world = broadside.newWorld({ results = "id" })
    for _ = 1, n do
      world:insert(0, 0, 10, 10)
    end
    local empty = world:stats().memory
    local count = n * (n - 1) / 2
    assert.equal(count, select(2, world:collectContacts()))
    assert.equal(count, select(2, world:collectContacts()))
    local bytes = (world:stats().memory - empty) / count
    assert.is_true(bytes < 1.5 * 8 + 8 + 8 + 2, ("%g bytes a pair"):format(bytes))
  end)
end)
