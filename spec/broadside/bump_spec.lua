-- The calls of broadside.bump, without bump.lua. bump_oracle_spec.lua compares the two.

local bump = require("broadside.bump")
local compat = require("spec.support.compat")

local nan, huge = compat.nan, compat.huge

local function answer(response)
  return function() return response end
end

-- Compares the first two results of a call.
local function assertPlace(x, y, gotX, gotY)
  assert.same({ x, y }, { gotX, gotY })
end

-- Returns one field of each row.
local function pluck(rows, field)
  local list = {}
  for i, row in ipairs(rows) do
    list[i] = row[field]
  end
  return list
end

-- Asserts that the call raises this error, and that the message names the line of the call.
local function assertRefused(message, f)
  local ok, got = pcall(f)
  assert.is_false(ok)
  assert.is_truthy(got:match("bump_spec%.lua:%d+: "), got)
  assert.is_truthy(got:find(message, 1, true), got)
end

describe("broadside.bump", function()
  local world

  before_each(function()
    world = bump.newWorld()
  end)

  it("names the version of bump.lua whose answers it gives", function()
    assert.equal("bump v3.1.7", bump._VERSION)
    assert.equal("MIT", bump._LICENSE)
    assert.is_string(bump._URL)
    assert.is_string(bump._DESCRIPTION)
  end)

  it("says so where a method is called with '.' in place of ':'", function()
    for name in pairs(getmetatable(world).__index) do
      for _, first in ipairs({ "ball", 1, true, print, { x = 1 }, bump, { rects = {} } }) do
        assertRefused(("bad self to '%s' (World expected, got %s; call it with ':')"):format(name,
          type(first)), function()
          world[name](first, 1, 2, 3, 4)
        end)
      end
      assertRefused(("bad self to '%s' (World expected, got nil; call it with ':')"):format(name),
        function() world[name]() end)
    end
  end)

  it("says so where newWorld is called with ':' in place of '.'", function()
    assertRefused("bad argument #1 to 'newWorld' (this is the module itself; call it with '.', " ..
      "not ':')", function()
      bump:newWorld(64)
    end)
  end)

  it("lets tables that inherit from a world be worlds", function()
    local level = setmetatable({}, { __index = world })
    assert.equal("ball", level:add("ball", 0, 0, 10, 10))
    world:add("wall", 20, 0, 10, 10)
    assert.equal(10, (level:move("ball", 40, 0)))
    assert.equal(2, level:countItems())
  end)

  -- bump_recorded_spec.lua compares many answers with both slides.
  describe("the option slide", function()
    local older

    before_each(function()
      older = bump.newWorld(64, { slide = "3.1.7" })
      for _, w in ipairs({ world, older }) do
        w:add("wall", 0, 0, 10, 10)
        w:add("ball", 8, 3, 10, 10)
      end
    end)

    it("pushes out what overlaps and does not move, as bump.lua did up to that version", function()
      assertPlace(8, 3, world:move("ball", 8, 3))
      local x, y, cols = older:move("ball", 8, 3)
      assertPlace(10, 3, x, y)
      assert.same({ x = 10, y = 3 }, cols[1].slide)
      assert.same({ true, -2 * 7 }, { cols[1].overlaps, cols[1].ti })
    end)

    it("counts in responses of a game that slide, too", function()
      for _, w in ipairs({ world, older }) do
        w:addResponse("ice", function(...) return bump.responses.slide(...) end)
      end
      assertPlace(8, 3, world:move("ball", 8, 3, answer("ice")))
      assertPlace(10, 3, older:move("ball", 8, 3, answer("ice")))
    end)

    it("must be that version, and no other option is known", function()
      assertRefused("bad argument #2 to 'newWorld' (option 'slide': '3.1.7' expected, got '3.1.6')",
        function() bump.newWorld(64, { slide = "3.1.6" }) end)
      assertRefused("bad argument #2 to 'newWorld' (unknown option 'slides'; known: slide, rows)",
        function() bump.newWorld(64, { slides = "3.1.7" }) end)
      assertRefused("bad argument #2 to 'newWorld' (table expected, got 5)", function()
        bump.newWorld(64, 5)
      end)
    end)
  end)

  describe("what games add to a world", function()
    it("are methods, by the metatable that all worlds share", function()
      local later = bump.newWorld(32, { rows = true })
      local methods = getmetatable(world).__index
      assert.equal(methods, getmetatable(later).__index)
      function methods:countTwice() return 2 * self:countItems() end
      local original = methods.move
      function methods:move(item, x, y, ...) return original(self, item, 2 * x, y, ...) end
      for _, w in ipairs({ world, later }) do
        w:add("ball", 0, 0, 10, 10)
        assert.equal(2, w:countTwice())
        assertPlace(14, 1, w:move("ball", 7, 1))
      end
      methods.countTwice, methods.move = nil, original
    end)

    it("are fields", function()
      world.name, world.rows, world.update = "level", 5, answer("mine")
      assert.same({ "level", 5, "mine" }, { world.name, world.rows, world:update() })
    end)
  end)

  it("has the world of Broadside as world.boxes, which answers with items", function()
    local items = { { "a" }, { "b" } }
    for i, item in ipairs(items) do
      world:add(item, 20 * i, 0, 10, 10)
    end
    assert.same({ { items[2] }, 1 }, { world.boxes:nearest(45, 5) })
    assert.equal(items[1], (world.boxes:segmentCast(0, 5, 100, 5)))
    assert.equal(2, world.boxes:count())
  end)

  describe("the option rows", function()
    it("gives world.rows: the cells with the items that cover them", function()
      local w = bump.newWorld(10, { rows = true })
      w:add("a", 5, -5, 10, 5)
      w:add("b", 12, -20, 8, 20)
      w:add("gone", 12, -20, 8, 20)
      w:remove("gone")
      local function cell(x, y, ...)
        local items = {}
        for _, item in ipairs({ ... }) do
          items[item] = true
        end
        return { x = x, y = y, itemCount = #{ ... }, items = items }
      end
      assert.same({
        [-1] = { [2] = cell(2, -1, "b") },
        [0] = { cell(1, 0, "a"), cell(2, 0, "a", "b") },
      }, w.rows)
      w:update("b", 0, 0, 1, 1)
      assert.same({
        [0] = { cell(1, 0, "a"), cell(2, 0, "a") },
        [1] = { cell(1, 1, "b") },
      }, w.rows)
      assert.is_nil(w.colums)
      assert.is_nil(world.rows)
    end)
  end)

  describe("items", function()
    it("are any values but nil and NaN", function()
      local items = { "name", 1, 2.5, -huge, {}, print, true, false, world }
      for i, item in ipairs(items) do
        assert.equal(item, world:add(item, 10 * i, 0, 5, 5))
        assert.is_true(world:hasItem(item))
        assert.same({ 10 * i, 0, 5, 5 }, { world:getRect(item) })
      end
      assert.equal(#items, world:countItems())
      assert.same({ items, #items }, { world:getItems() })
      assert.same({ items, #items }, { world:queryRect(0, 0, 200, 10) })
      for i, item in ipairs(items) do
        assert.same({ { item }, 1 }, { world:queryPoint(10 * i + 1, 1) })
        assert.equal(10 * i + 1, (world:move(item, 10 * i + 1, 0)))
        world:remove(item)
        assert.is_false(world:hasItem(item))
      end
      assert.equal(0, world:countItems())
      assertRefused("bad argument #1 to 'add' (item expected, got nil)", function()
        world:add(nil, 0, 0, 1, 1)
      end)
      assertRefused("bad argument #1 to 'add' (item expected, got nan)", function()
        world:add(nan, 0, 0, 1, 1)
      end)
      assert.is_false(world:hasItem())
    end)

    it("are compared by identity, not by __eq", function()
      local meta = { __eq = answer(true) }
      local a, b = setmetatable({}, meta), setmetatable({}, meta)
      world:add(a, 0, 0, 10, 10)
      world:add(b, 20, 0, 10, 10)
      local x, _, cols = world:move(a, 30, 0)
      assert.equal(10, x)
      assert.is_true(rawequal(b, cols[1].other))
    end)

    it("that were removed are let go of", function()
      local held = setmetatable({}, { __mode = "k" })
      for i = 1, 10 do
        local item = world:add({}, i, 0, 5, 5)
        held[item] = true
        world:check(item, 20, 0)
        world:remove(item)
      end
      collectgarbage()
      collectgarbage()
      assert.is_nil(next(held))
    end)

    it("keep the numbers that they were given, integers too", function()
      world:add("a", 1, 2, 3, 4)
      assert.equal("1 2 3 4", table.concat({ world:getRect("a") }, " "))
      world:update("a", 1e15 + 0.125, -0.1)
      assert.same({ 1e15 + 0.125, -0.1, 3, 4 }, { world:getRect("a") })
    end)
  end)

  describe("add, update and remove", function()
    it("change what is found", function()
      world:add("a", 0, 0, 10, 10)
      world:update("a", 100, 0)
      assert.same({}, (world:queryRect(0, 0, 10, 10)))
      assert.same({ "a" }, (world:queryRect(100, 0, 10, 10)))
      world:update("a", 100, 0, 1)
      assert.same({ 100, 0, 1, 10 }, { world:getRect("a") })
      world:update("a", 100, 0, nil, 2)
      assert.same({}, (world:queryRect(101, 0, 10, 10)))
      assert.equal(0, select("#", world:remove("a")))
      assert.same({}, (world:queryRect(-1000, -1000, 2000, 2000)))
      assert.equal("a", world:add("a", 0, 0, 1, 1))
    end)

    it("refuse what bump.lua hangs on or is broken by, and change nothing", function()
      world:add("a", 0, 0, 10, 10)
      for _, bad in ipairs({ nan, huge, -huge, "1", {}, 1e301 }) do
        for i = 1, 4 do
          local rect = { 1, 1, 1, 1 }
          rect[i] = bad
          local place = ("bad argument #%d to"):format(i + 1)
          assertRefused(place .. " 'add'", function() world:add("b", compat.unpack(rect)) end)
          assertRefused(place .. " 'update'", function() world:update("a", compat.unpack(rect)) end)
        end
      end
      for _, bad in ipairs({ 0, -1 }) do
        local problem = "(finite size > 0 expected, got " .. bad .. ")"
        assertRefused("bad argument #4 to 'add' " .. problem, function()
          world:add("b", 0, 0, bad, 1)
        end)
        assertRefused("bad argument #5 to 'update' " .. problem, function()
          world:update("a", 0, 0, 1, bad)
        end)
      end
      assertRefused("bad argument #2 to 'add' (finite number expected, got nil)", function()
        world:add("b")
      end)
      assertRefused("bad argument #3 to 'update' (finite number expected, got nil)", function()
        world:update("a", 5)
      end)
      assert.equal(1, world:countItems())
      assert.same({ 0, 0, 10, 10 }, { world:getRect("a") })
    end)

    it("name items that are not there, or there already", function()
      world:add("a", 0, 0, 1, 1)
      assertRefused("bad argument #1 to 'add' (a is in this world already)", function()
        world:add("a", 0, 0, 1, 1)
      end)
      for _, name in ipairs({ "update", "remove", "getRect", "move", "check" }) do
        local message = ("bad argument #1 to '%s' (b is not in this world)"):format(name)
        assertRefused(message, function() local _ = world[name](world, "b", 0, 0) end)
      end
    end)
  end)

  it("names what is no number of a cell, and no name of a response", function()
    for _, name in ipairs({ "toCell", "toWorld" }) do
      local message = "bad argument #%d to '%s' (number expected, got %s)"
      assertRefused(message:format(1, name, "table"), function()
        local _ = world[name](world, {}, 1)
      end)
      assertRefused(message:format(2, name, "nil"), function() local _ = world[name](world, 1) end)
    end
    assertRefused("bad argument #1 to 'addResponse' (name expected, got nil)", function()
      world:addResponse(nil, print)
    end)
  end)

  it("names a filter that cannot be called, in every call that takes one", function()
    world:add("a", 0, 0, 10, 10)
    world:add("b", 20, 0, 10, 10)
    local calls = {
      move = { "a", 50, 0 }, check = { "a", 50, 0 }, project = { "a", 0, 0, 10, 10, 50, 0 },
      queryRect = { 0, 0, 50, 50 }, queryPoint = { 5, 5 }, querySegment = { -5, 5, 50, 5 },
      querySegmentWithCoords = { -5, 5, 50, 5 },
    }
    for name, args in pairs(calls) do
      for bad, got in pairs({ slide = "'slide'", [5] = "5", [true] = "boolean" }) do
        assertRefused(("bad argument #%d to '%s' (filter function expected, got %s)")
          :format(#args + 1, name, got), function()
          world[name](world, compat.values(args, bad))
        end)
      end
      for _, bad in ipairs({ {}, setmetatable({}, {}), io.stdout, world.boxes }) do
        assertRefused(("bad argument #%d to '%s' (filter function expected, got %s")
          :format(#args + 1, name, type(bad) == "table" and "table" or ""), function()
          world[name](world, compat.values(args, bad))
        end)
      end
      local callable = setmetatable({}, { __call = function() return "slide" end })
      world[name](world, compat.values(args, callable))
      world[name](world, compat.values(args, false))
      world:update("a", 0, 0)
    end
  end)

  describe("move", function()
    before_each(function()
      world:add("ball", 0, 0, 10, 10)
    end)

    it("tells all of a collision", function()
      world:add("wall", 30, -5, 10, 50)
      local x, y, cols, len = world:move("ball", 40, 10)
      assert.same({ 20, 10, 1 }, { x, y, len })
      assert.same({
        item = "ball", other = "wall", type = "slide", overlaps = false, ti = 0.5,
        move = { x = 40, y = 10 }, normal = { x = -1, y = 0 }, touch = { x = 20, y = 5 },
        slide = { x = 20, y = 10 },
        itemRect = { x = 0, y = 0, w = 10, h = 10 }, otherRect = { x = 30, y = -5, w = 10, h = 50 },
      }, cols[1])
    end)

    it("asks the filter about what is in the way, with item and other", function()
      world:add("far", 0, 40, 10, 10)
      world:add("wall", 20, 0, 10, 10)
      local asked = {}
      world:move("ball", 15, 0, function(item, other)
        table.insert(asked, item .. " " .. other)
        return "slide"
      end)
      assert.same({ "ball wall" }, asked)
    end)

    -- So a filter that counts or removes what it is asked about does so as often as bump.lua's.
    it("asks the filter again after each response, about what was not met yet", function()
      world:add("coin", 12, 0, 4, 4)
      world:add("wall", 20, 0, 10, 10)
      world:add("ladder", 14, 0, 4, 10)
      local asked = {}
      local _, _, cols = world:move("ball", 15, 0, function(_, other)
        table.insert(asked, other)
        return other == "wall" and "slide" or other == "coin" and "cross"
      end)
      assert.same({ "coin", "wall" }, pluck(cols, "other"))
      assert.same({ "coin", "wall", "ladder", "wall", "ladder", "ladder" }, asked)
    end)

    -- What is found out for such a move is kept until something changes.
    it("to where the item is hits what has come there since the last one", function()
      local calls = { "move", "check" }
      world:add("floor", -50, 10, 200, 10)
      local function hits(name)
        local x, y, cols, len = world[name](world, "ball", 0, 0, answer("cross"))
        assert.same({ 0, 0, #cols }, { x, y, len })
        return pluck(cols, "other")
      end
      for _, name in ipairs(calls) do
        assert.same({}, hits(name))
        world:add("coin", 5, 5, 2, 2)
        assert.same({ "coin" }, hits(name))
        world:update("coin", 10, 5)
        assert.same({}, hits(name))
        world:update("floor", -50, 9)
        assert.same({ "floor" }, hits(name))
        world:move("coin", 0, 5, answer("cross"))
        assert.equal(2, #hits(name))
        world:remove("coin")
        world:update("floor", -50, 10 - 1e-11) -- this counts as touching
        assert.same({}, hits(name))
        world:update("floor", -50, 10)
      end
    end)

    it("takes a motion too small to divide by for none", function()
      world:update("ball", 0, 0, 1, 1)
      world:add("wall", -0.5, -5, 10, 10)
      local x, y, cols = world:move("ball", compat.minDouble, 0)
      assert.same({ -1.5, 0 }, { cols[1].touch.x, cols[1].touch.y })
      assert.same({ -1.5, 0 }, { x, y })
    end)

    it("may leave goals out", function()
      assert.same({ nil, nil, {}, 0 }, { world:check("ball") })
      world:add("wall", 5, 0, 20, 10)
      local x, y, cols = world:check("ball")
      assert.same({ 0, 0 }, { x, y })
      assert.same({ x = -5, y = 0 }, cols[1].touch)
      assertRefused("bad argument #2 to 'move' (finite number expected, got nil)", function()
        world:remove("wall")
        world:move("ball")
      end)
    end)

    it("refuses goals that bump.lua never gets to", function()
      for _, bad in ipairs({ nan, huge, -huge, "1" }) do
        assertRefused("bad argument #2 to 'move'", function() world:move("ball", bad, 0) end)
        for _, name in ipairs({ "move", "check" }) do
          assertRefused(("bad argument #3 to '%s'"):format(name), function()
            world[name](world, "ball", 0, bad)
          end)
        end
      end
      assert.same({ 0, 0, 10, 10 }, { world:getRect("ball") })
    end)

    it("refuses responses that it does not know", function()
      world:add("wall", 20, 0, 10, 10)
      assertRefused("unknown response 'swim' (a string)", function()
        world:move("ball", 40, 0, answer("swim"))
      end)
      assertRefused("unknown response 'true' (a boolean)", function()
        world:move("ball", 40, 0, answer(true))
      end)
      assert.same({ 0, 0, 10, 10 }, { world:getRect("ball") })
    end)
  end)

  describe("addResponse", function()
    it("adds to one world", function()
      local seen
      world:addResponse("stick", function(w, col, x, y, width, height, goalX, goalY, filter)
        seen = { w, col.other, x, y, width, height, goalX, goalY, type(filter) }
        return col.touch.x, col.touch.y, {}, 0
      end)
      world:add("ball", 0, 0, 10, 10)
      world:add("wall", 20, 0, 10, 10)
      local x, y, cols, len = world:move("ball", 40, 4, answer("stick"))
      assert.same({ 10, 1, 1, "stick" }, { x, y, len, cols[1].type })
      assert.same({ world, "wall", 0, 0, 10, 10, 40, 4, "function" }, seen)
      local other = bump.newWorld()
      other:add("ball", 0, 0, 10, 10)
      other:add("wall", 20, 0, 10, 10)
      assert.is_false(pcall(other.move, other, "ball", 40, 0, answer("stick")))
    end)

    it("lets responses use others, with a filter that knows what was met", function()
      world:addResponse("ledge", function(w, col, ...)
        local respond = bump.responses[col.normal.y < 0 and "slide" or "cross"]
        return respond(w, col, ...)
      end)
      world:add("ball", 0, 0, 10, 10)
      world:add("ledge", -10, 20, 100, 5)
      assertPlace(5, 10, world:move("ball", 5, 30, answer("ledge")))
      world:update("ball", 0, 50)
      local x, y, cols, len = world:move("ball", 0, 0, answer("ledge"))
      assert.same({ 0, 0, 1, "ledge" }, { x, y, len, cols[1].other })
    end)

    it("may take the place of a response that is there", function()
      world:addResponse("slide", function() return 1, 2, {}, 0 end)
      world:add("ball", 0, 0, 10, 10)
      world:add("wall", 20, 0, 10, 10)
      assertPlace(1, 2, world:move("ball", 40, 0))
    end)
  end)

  describe("filters and responses", function()
    it("may change the world and ask it", function()
      world:add("ball", 0, 0, 10, 10)
      for i = 1, 5 do
        world:add(i, 20 * i, 0, 5, 10)
      end
      local x, _, cols = world:move("ball", 200, 0, function(_, other)
        if world:hasItem(other + 1) then
          world:remove(other + 1)
        end
        world:add({ other }, 20 * other, 50, 1, 1)
        world:queryRect(0, 0, 300, 100)
        world:check("ball", 10, 60)
        return "cross"
      end)
      assert.equal(200, x)
      assert.same({ 1, 3, 5 }, pluck(cols, "other"))
    end)

    it("may remove the item that moves: an error, as it cannot be put anywhere", function()
      world:add("ball", 0, 0, 10, 10)
      world:add("wall", 20, 0, 10, 10)
      assertRefused("bad argument #1 to 'move' (ball is not in this world)", function()
        world:move("ball", 40, 0, function()
          world:remove("ball")
          return "cross"
        end)
      end)
    end)

    it("may raise errors", function()
      world:add("ball", 0, 0, 10, 10)
      world:add("wall", 20, 0, 10, 10)
      for _ = 1, 3 do
        local ok, message = pcall(world.move, world, "ball", 40, 0, function() error("no!", 0) end)
        assert.same({ false, "no!" }, { ok, message })
      end
      assert.equal(10, (world:move("ball", 40, 0)))
    end)
  end)

  describe("project", function()
    it("keeps what ties in the order of adding", function()
      for i = 1, 40 do
        world:add(i, 20, 0, 10, 10)
      end
      local cols, len = world:project(nil, 0, 0, 10, 10, 30, 0)
      assert.equal(40, len)
      for i, col in ipairs(cols) do
        assert.equal(i, col.other)
      end
    end)


    it("starts at any place, and leaves the item itself out", function()
      world:add("ball", 100, 100, 10, 10)
      world:add("wall", 20, 0, 10, 10)
      world:add("coin", 80, 0, 2, 2)
      local cols, len = world:project("ball", 0, 0, 4, 6, 200, 0)
      assert.same({ { "wall", "coin" }, 2 }, { pluck(cols, "other"), len })
      assert.same({ { x = 16, y = 0 }, 16 / 200 }, { cols[1].touch, cols[1].ti })
      assert.same({ x = 0, y = 0, w = 4, h = 6 }, cols[1].itemRect)
      assert.same({ 100, 100, 10, 10 }, { world:getRect("ball") })
      assert.same({ {}, 0 }, { world:project("ball", 99, 99, 20, 20) })
      assert.same({ "ball" }, pluck(world:project(nil, 99, 99, 20, 20), "other"))
    end)

    it("refuses bad arguments", function()
      assertRefused("bad argument #2 to 'project' (finite number expected, got nil)", function()
        world:project()
      end)
      assertRefused("bad argument #5 to 'project' (finite size > 0 expected, got nan)", function()
        world:project(nil, 0, 0, 1, nan)
      end)
      assertRefused("bad argument #7 to 'project' (finite number expected, got inf)", function()
        world:project(nil, 0, 0, 1, 1, nil, huge)
      end)
    end)
  end)

  describe("queries", function()
    before_each(function()
      for i = 1, 3 do
        world:add(i, 20 * i, 0, 10, 10)
      end
    end)

    it("refuse bad arguments", function()
      assertRefused("bad argument #3 to 'queryRect' (finite size > 0 expected, got 0)", function()
        world:queryRect(0, 0, 0, 1)
      end)
      assertRefused("bad argument #1 to 'queryRect' (finite number expected, got nan)", function()
        world:queryRect(nan, 0, 1, 1)
      end)
      assertRefused("bad argument #2 to 'queryPoint' (finite number expected, got inf)", function()
        world:queryPoint(0, huge)
      end)
      for _, name in ipairs({ "querySegment", "querySegmentWithCoords" }) do
        assertRefused(("bad argument #3 to '%s' (finite number"):format(name), function()
          world[name](world, 0, 0)
        end)
        assertRefused(("bad argument #4 to '%s' (finite number"):format(name), function()
          world[name](world, 0, 0, 1)
        end)
      end
    end)

    it("give lists of the caller's own", function()
      local first = world:queryRect(0, 0, 100, 10)
      world:queryRect(0, 0, 1, 1)
      world:check(1, 100, 0)
      assert.same({ 1, 2, 3 }, first)
    end)
  end)

  describe("cells", function()
    it("are 64 wide, or as wide as they are wanted", function()
      assert.equal(64, world.cellSize)
      assert.equal(0.5, bump.newWorld(0.5).cellSize)
      for _, bad in ipairs({ 0, -1, nan, huge, "64", {} }) do
        assertRefused("bad argument #1 to 'newWorld' (finite size > 0 expected, got", function()
          bump.newWorld(bad)
        end)
      end
    end)

    it("are numbered from 1", function()
      assert.same({ 1, 1 }, { world:toCell(0, 63.9) })
      assert.same({ 2, 0 }, { world:toCell(64, -1) })
      assert.same({ 64, -128 }, { world:toWorld(2, -1) })
      if math.type then
        assert.equal("integer", math.type((world:toCell(1.5, 0))))
      end
    end)

    it("count until the garbage is collected, once they are empty", function()
      world:add("a", 0, 0, 10, 10)
      world:add("b", 200, 0, 10, 10)
      assert.equal(2, world:countCells())
      world:update("b", 400, 0)
      collectgarbage()
      assert.equal(2, world:countCells())
      world:remove("b")
      collectgarbage()
      assert.equal(1, world:countCells())
    end)
  end)

  -- 11 and the next number are both 10 cells of 1.1.
  it("compares nothing that overlaps by a rounding error where no cell is shared", function()
    for _, axes in ipairs({ { 1, 2, 3, 4 }, { 2, 1, 4, 3 } }) do
      local function rect(...)
        local list = { ... }
        return list[axes[1]], list[axes[2]], list[axes[3]], list[axes[4]]
      end
      local w = bump.newWorld(1.1)
      w:add("first", rect(8, 0, 3 + 2 ^ -49, 20))
      w:add("second", rect(11, 0, 3, 20))
      for name, items in pairs({ first = { rect(8, 0, 3 + 2 ^ -49, 20) },
        second = { rect(11, 0, 3, 20) } }) do
        assert.same({ name }, (w:queryRect(compat.unpack(items))))
        assert.equal(0, select(4, w:check(name, items[1], items[2])))
      end
    end
  end)

  -- bump.lua makes every cell that an item reaches into, and visits every cell on a path.
  describe("what bump.lua never returns from", function()
    it("ends: items 1e9 wide", function()
      world:add("ground", -1e9, 0, 2e9, 1e9)
      world:add("ball", 0, -50, 10, 10)
      assertPlace(5, -10, world:move("ball", 5, 100))
      local x, y, cols = world:move("ball", 8, 100)
      assert.same({ 8, -10, "ground" }, { x, y, cols[1].other })
      assert.equal(31250000 * 15625000 + 1, world:countCells())
      world:update("ground", 0, 0, 1, 1)
      world:remove("ground")
    end)

    it("ends: ways and segments 1e9 long, and longer", function()
      world:add("ball", 0, 0, 10, 10)
      world:add("wall", 5e8, -10, 10, 100)
      assert.equal(5e8 - 10, (world:check("ball", 1e9, 0)))
      assert.same({ "ball", "wall" }, (world:querySegment(-1e9, 5, 1e9, 5)))
      assert.same({ "ball", "wall" }, (world:querySegment(-1e300 + 1e299, 5, 9e299, 5)))
      assert.same({ "ball", "wall" }, (world:queryRect(-1e9, -1e9, 2e9, 2e9)))
      assert.equal(2, #world:project(nil, -1e9, 0, 10, 10, 1e9, 0))
    end)
  end)
end)
