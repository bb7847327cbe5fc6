-- Contacts: which pairs have begun, stayed and ended since the call before.

local broadside = require("broadside")
local collect = require("spec.support.collect")
local compat = require("spec.support.compat")
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

  it("may be looped over while boxes are removed and inserted", function()
    scene.eachBackend(function(s)
      for i = 1, 6 do
        s:insert({ 6 * i, 0, 10, 10 })
      end
      local seen = 0
      for phase, a, b in s.world:contacts() do
        assert.equal("begin", phase)
        assert.is_false(a:isRemoved() or b:isRemoved())
        seen = seen + 1
        b:remove()
        s:insert({ 0, 0, 100, 10 })
      end
      -- a-b is seen and takes b with it; b-c is passed over; c-d ...
      assert.equal(3, seen)
      assert.equal(6, s.world:count())
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

  it("leave pairs and queries alone", function()
    local world = broadside.newWorld()
    local a, b = world:insert(0, 0, 2, 2), world:insert(1, 0, 2, 2)
    world:contacts()
    assert.same({ { a, b } }, collect.pairs(world))
    assert.equal(1, world:countPairs())
    assert.same({ b }, (world:queryBox(a)))
  end)
end)

describe("contacts with a sensor", function()
  it("begin and end when a lift carries somebody through it", function()
    for _, dim in ipairs({ 2, 3 }) do
      local d = dim - 1 -- axes across
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

  -- A trigger from x = 40 to 60, above the ground, by each way that there is to make one.
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
