-- Every call with every kind of bad argument. The message must name the function, the argument and
-- the value. The world must not change, and must go on working.

local broadside = require("broadside")
local buffer = require("spec.support.buffer")
local calls = require("spec.support.calls")
local compat = require("spec.support.compat")
local expect = require("spec.support.expect")
local fixture = require("spec.support.fixture")

local nan, huge, unpack = compat.nan, compat.huge, compat.unpack

-- The classes that have a number of axes.
local CLASSES = { "World", "Box", "Pool", "Model", "Emitter", "Snapshot", "PoolSnapshot" }

local function newFixture(dim)
  return fixture.new(dim, "box", "tree", 14)
end

-- Asserts that a message begins with `start`, and has one of the texts followed by the value.
local function assertMessage(message, start, texts, value)
  message = tostring(message)
  assert.is_truthy(message:find(start, 1, true), ("%s\nlacks: %s"):format(message, start))
  for _, text in ipairs(texts) do
    if message:find(text .. value, 1, true) then
      return
    end
  end
  error(("%s\nlacks: %s%s"):format(message, table.concat(texts, " | "), value), 2)
end

for dim = 2, 3 do
  describe(("bad arguments in %dD"):format(dim), function()
    local f, before

    before_each(function()
      f = newFixture(dim)
      before = f:state()
    end)

    teardown(buffer.close)

    local function unchanged(what)
      assert.is_true(before == f:state(), what)
      assert.same({ "old", "older" }, f.out, what)
    end

    for _, row in ipairs(calls.rowsOf(dim)) do
      local name = calls.nameOf(row, dim)
      it(("are refused by %s.%s"):format(row.class, name), function()
        local whole = f:describe()
        calls.eachBad(row, f, function(args, place, bad)
          local what = ("%s with bad argument %d, %s"):format(name, place, tostring(bad[2]))
          before = f:state() -- good arguments may have changed something
          local ok, message = calls.try(row, f, args)
          assert.is_false(ok, what)
          assertMessage(message, ("bad argument #%d to '%s' ("):format(place, name), bad[3], bad[2])
          unchanged(what)
        end)
        local other, good, turn = newFixture(5 - dim), calls.arguments(row, f), 0
        for place, word in ipairs(calls.parameters(row, dim)) do
          turn = turn % #CLASSES + 1
          if word ~= "value" and word ~= "flag?" then
            local args = { n = good.n, unpack(good, 1, good.n) }
            args[place] = other[CLASSES[turn]]
            local ok, message = calls.try(row, f, args)
            assert.is_false(ok, name)
            assertMessage(message, ("bad argument #%d to '%s' ("):format(place, name),
              { row.class == "module" and "expected, got " or "expected, got 2D ",
                "expected, got 3D " }, CLASSES[turn])
          end
        end
        assert.is_true(row.words[1] == "pile" or row.words[1] == "piles" or whole == f:describe())
        f:works()
      end)
    end

    it("are refused by has, which takes any Box or integer", function()
      for _, good in ipairs({ 0, -1, 1e15, 2 ^ 53, -2 ^ 60 }) do
        assert.is_false(f.world:has(good))
      end
    end)

    it("are refused where sizes in lists are not above 0", function()
      for _, bad in ipairs({ 0, -1 }) do
        local flat = f:rects(2)
        flat[#flat] = bad
        local ok, message = pcall(f.world.insertMany, f.world, flat, nil, f.out)
        assert.is_false(ok)
        assertMessage(message, "bad argument #1 to 'insertMany' (",
          { "size > 0 expected, got " }, bad)
        unchanged("insertMany")
      end
    end)

    it("are named in long lists, wherever they stand", function()
      local world, boxes, flat = f.world, {}, {}
      local unit = dim == 2 and { 1, 1 } or { 1, 1, 1 }
      for i = 1, 18 do
        local place = { unpack({ i, 2 * i, 3 * i }, 1, dim) }
        local box = world:insert(unpack(compat.concat(place, unit)))
        boxes[i] = i % 3 == 0 and box or box:getId()
        for k = 1, dim do
          flat[#flat + 1] = place[k] + 0.5
        end
      end
      local all = compat.copy(boxes)
      local was = world:getRects(all)
      local function refuses(name, list, at, ...)
        local good = list[at]
        for _, bad in ipairs({ "x", nan, true, {} }) do
          list[at] = bad
          expect.refused({ ("to '%s' (item %d: "):format(name, at), "expected, got " }, world[name],
            world, ...)
          assert.same(was, world:getRects(all))
        end
        list[at] = good
      end
      for at = 1, #boxes do
        refuses("updateMany", boxes, at, boxes, flat)
        refuses("getRects", boxes, at, boxes)
        refuses("moveMany", boxes, at, boxes, flat)
        refuses("pushMany", boxes, at, boxes, unpack({ 1, 2, 3 }, 1, dim))
      end
      for at = 1, #flat do
        refuses("updateMany", flat, at, boxes, flat)
        refuses("moveMany", flat, at, boxes, flat)
      end
      local rects = compat.copy(was)
      for at = 1, #rects do
        refuses("insertMany", rects, at, rects)
      end
      world:updateMany(boxes, flat)
      local after = world:getRects(boxes)
      for i, x in ipairs(was) do
        assert.equal((i - 1) % (2 * dim) < dim and x + 0.5 or x, after[i])
      end
    end)

    it("are refused by touching, which takes one number that is not 0", function()
      local zeros = { unpack({ 0, 0, 0 }, 1, dim) }
      local function refused(args, number, text)
        expect.message(("bad argument #%d to 'touching' (%s)"):format(number, text),
          f.world.touching, f.world, f.box, unpack(args))
        unchanged("touching")
      end
      refused(zeros, dim + 1, "number other than 0 expected, got 0")
      for axis = 1, dim do
        for _, bad in ipairs({ { nan, "nan" }, { huge, "inf" }, { "1", "string" } }) do
          local args = compat.copy(zeros)
          args[axis] = bad[1]
          refused(args, axis + 1, "finite number expected, got " .. bad[2])
        end
        refused({ unpack(zeros, 1, axis - 1) }, axis + 1, "finite number expected, got no value")
        for other = axis + 1, dim do
          local args = compat.copy(zeros)
          args[axis], args[other] = -1, 0.25
          refused(args, other + 1, "0 expected, as the side is named before, got 0.25")
        end
      end
    end)

    it("by a distance are refused where they would end beyond all numbers", function()
      for axis = 1, dim do
        local near, way, size = {}, {}, {}
        for i = 1, dim do
          near[i], way[i], size[i] = i == axis and 1e308 or 0, i == axis and 1e308 or 0, 1
        end
        local box = f.world:insert(unpack(compat.concat(near, size)))
        before = f:state()
        expect.message(("bad argument #%d to 'moveBy' (finite far side %s + %s expected, got inf)")
          :format(axis + 1, ("xyz"):sub(axis, axis), ("whd"):sub(axis, axis)),
          f.world.moveBy, f.world, box, unpack(way))
        unchanged("moveBy")
        f.world:remove(box)
      end
    end)

    it("are refused where a way, or a side at its end, would not be finite", function()
      for axis = 1, dim do
        local near, goal, size = {}, {}, {}
        for i = 1, dim do
          near[i], goal[i] = i == axis and -1.7e308 or 0, i == axis and 1e308 or 0
          size[i] = i == axis and 1e308 or 1
        end
        local box = f.world:insert(unpack(compat.concat(near, size)))
        before = f:state()
        for _, name in ipairs({ "move", "check", "push", "moveMany" }) do
          local function refused(to, text)
            local args, number = compat.concat({ box }, to), axis + 1
            if name == "moveMany" then
              args, number = { { box }, to }, 2
              text = ("item %d: %s"):format(axis, text)
            end
            expect.message(("bad argument #%d to '%s' (%s)"):format(number, name, text),
              f.world[name], f.world, unpack(args))
            unchanged(name)
          end
          refused(goal, ("finite far side %s + %s expected, got inf"):format(
            ("xyz"):sub(axis, axis), ("whd"):sub(axis, axis)))
          goal[axis] = 0.5e308
          refused(goal, "finite motion expected, got one from -1.7e+308 to 5e+307")
          goal[axis] = 1e308
        end
        f.world:remove(box)
      end
    end)

    it("are refused where a far side would not be finite", function()
      for axis = 1, dim do
        local near, size = {}, {}
        for i = 1, dim do
          near[i], size[i] = i == axis and 1.7e308 or 0, i == axis and 1e308 or 1
        end
        local rect, still = compat.concat(near, size), {}
        for i = 1, dim do
          still[i] = 0
        end
        local world, box = f.world, f.boxes[1]
        for name, args in pairs({
          insert = rect,
          insertMany = { rect },
          update = compat.concat({ box }, rect),
          queryRect = rect,
          sweepRect = compat.concat(rect, still),
        }) do
          expect.refused({ "bad argument #", ("to '%s' ("):format(name), "far side" }, world[name],
            world, unpack(args))
          unchanged(name)
        end
        expect.refused({ "to 'setRect' (", "far side" }, box.setRect, box, unpack(rect))
        unchanged("setRect")
        expect.refused({ "bad argument #", "far side" },
          broadside["overlap" .. (dim == 3 and "3" or "")], unpack(compat.concat(rect, rect)))
      end
    end)

    it("are refused where a moved box's far side would not be finite", function()
      local rect = dim == 2 and { 0, 0, 1e308, 1 } or { 0, 0, 0, 1e308, 1, 1 }
      local far = dim == 2 and { 1.7e308, 0 } or { 1.7e308, 0, 0 }
      local box = f.world:insert(unpack(rect))
      before = f:state()
      for text, call in pairs({
        ["'update' ("] = function() f.world:update(box, unpack(far)) end,
        ["'updateMany' (item"] = function()
          f.world:updateMany({ f.boxes[1], box }, compat.concat(far, far))
        end,
        ["'setRect' ("] = function() box:setRect(unpack(far)) end,
        ["'setCenter' ("] = function() box:setCenter(unpack(far)) end,
      }) do
        expect.refused({ text, "finite" }, call)
        unchanged(text)
      end
    end)
  end)
end

-- Options --------------------------------------------------------------------------------------

describe("bad options", function()
  local f

  before_each(function()
    f = newFixture(2)
  end)

  -- Makes a call with these options as argument `number`, and checks the message about `key =
  -- value`.
  local function refused(name, call, number, opts, ...)
    expect.refused({ ("bad argument #%d to '%s' ("):format(number, name), ... }, call, opts)
  end

  local function insert(opts)
    f.world:insert(0, 0, 1, 1, opts)
  end

  local function insertMany(opts)
    f.world:insertMany({ 0, 0, 1, 1 }, opts)
  end

  it("of insert and insertMany are refused", function()
    local before = f:state()
    for _, case in ipairs({
      { { foo = 1 }, "unknown option 'foo'" }, { { Static = true }, "unknown option 'Static'" },
      { { vz = 1 }, "unknown option 'vz'" }, { { [1] = 1 }, "option" },
      { { ["vx\0"] = 1 }, "unknown option 'vx" },
      { { static = "yes" }, "option 'static'", "string" },
      { { static = 1 }, "option 'static'", "1" },
      { { layer = "1" }, "option 'layer'", "string" }, { { layer = 1.5 }, "option 'layer'", "1.5" },
      { { layer = 4294967296 }, "option 'layer'", "4294967296" },
      { { layer = 2 ^ 53 }, "option 'layer'", "9007199254740992" },
      { { mask = -2147483649 }, "option 'mask'", "-2147483649" },
      { { mask = nan }, "option 'mask'", "nan" }, { { mask = {} }, "option 'mask'", "table" },
      { { vx = nan }, "option 'vx'", "nan" }, { { vy = huge }, "option 'vy'", "inf" },
      { { ax = "1" }, "option 'ax'", "string" }, { { ay = -huge }, "option 'ay'", "-inf" },
      { { response = "slide\0" }, "option 'response'", "got 'slide'" },
      { { key = 1 }, "option 'key'", "name expected, got 1" },
      { { key = "box" }, "option 'data'", "table for the key expected, got nil" },
    }) do
      refused("insert", insert, 5, unpack(case))
      refused("insertMany", insertMany, 2, unpack(case))
      assert.is_true(before == f:state())
    end
    f:works()
  end)

  it("of newWorld are refused", function()
    for _, case in ipairs({
      { { foo = 1 }, "unknown option 'foo'" }, { { [1] = "tree" }, "option" },
      { { backend = "foo" }, "unknown back end 'foo'" }, { { backend = 5 }, "option 'backend'" },
      { { backend = {} }, "option 'backend'" }, { { backend = f.world }, "option 'backend'" },
      { { dim = 1 }, "option 'dim'", "1" }, { { dim = 4 }, "option 'dim'", "4" },
      { { dim = 2.5 }, "option 'dim'", "2.5" }, { { dim = "2" }, "option 'dim'", "string" },
      { { dim = nan }, "option 'dim'", "nan" },
      { { results = "boxes" }, "option 'results'", [["data" expected, got 'boxes')]] },
      { { results = "" }, "option 'results'", [["data" expected, got '')]] },
      { { results = ("x"):rep(999) }, "option 'results'", "got '" .. ("x"):rep(60) .. "')" },
      { { results = {} }, "option 'results'", [["data" expected, got table)]] },
      { { results = "id\0" }, "option 'results'", "got 'id'" }, -- names contain no zero bytes
      { { backend = "tree\0x" }, "unknown back end 'tree'" },
      { { results = 1 }, "option 'results'" }, { { gravity = 10 }, "option 'gravity'" },
      { { gravity = { 1 } }, "option 'gravity'" }, { { gravity = {} }, "option 'gravity'" },
      { { gravity = { 0, nan } }, "option 'gravity'", "as item 2 expected, got nan" },
      { { gravity = { 0, "1" } }, "option 'gravity'" },
      { { gravity = { 1, 2 }, dim = 3 }, "option 'gravity'" },
    }) do
      refused("newWorld", broadside.newWorld, 1, unpack(case))
    end
  end)

  it("of back ends are refused", function()
    for name, cases in pairs({
      newSweep = {
        { { axis = 0 }, "option 'axis'", "0" }, { { axis = 4 }, "option 'axis'", "4" },
        { { axis = 1.5 }, "option 'axis'", "1.5" }, { { axis = "w" }, "option 'axis'", "got 'w'" },
        { { axis = {} }, "option 'axis'", "got table" },
        { { cellSize = 5 }, "unknown option 'cellSize'" },
      },
      newGrid = {
        { { cellSize = 0 }, "option 'cellSize'", "0" },
        { { cellSize = -1 }, "option 'cellSize'", "-1" },
        { { cellSize = nan }, "option 'cellSize'", "nan" },
        { { cellSize = huge }, "option 'cellSize'", "inf" },
        { { cellSize = "5" }, "option 'cellSize'", "string" },
        { { margin = 5 }, "unknown option 'margin'" },
      },
      newTree = {
        { { margin = -1 }, "option 'margin'", "-1" },
        { { margin = nan }, "option 'margin'", "nan" },
        { { margin = huge }, "option 'margin'", "inf" },
        { { margin = "5" }, "option 'margin'", "string" },
        { { axis = 1 }, "unknown option 'axis'" },
      },
    }) do
      for _, case in ipairs(cases) do
        refused(name, broadside[name], 1, unpack(case))
      end
    end
  end)

  it("of setBackend end with the first: what follows does not matter", function()
    f.world:setBackend("tree", "grid", {}, nil)
    assert.equal("tree", f.world:getBackend():getName())
    local grid = broadside.newGrid()
    f.world:setBackend(grid, f.foreign:getWorld():getBackend())
    assert.is_true(rawequal(grid, f.world:getBackend()))
    f:works()
  end)

  it("of a sweep on an axis that the world does not have harm nothing", function()
    local ok, world = pcall(broadside.newWorld, { backend = broadside.newSweep({ axis = 3 }) })
    if ok then
      world:insert(0, 0, 2, 2)
      world:insert(1, 0, 2, 2)
      assert.equal(1, world:countPairs())
    end
  end)
end)

-- Results that are not finite -------------------------------------------------------------------

describe("a plain function whose result is not finite", function()
  local MAX = compat.maxDouble

  for _, case in ipairs({
    { "reflect", { 1e308, 1e308, -1, -1 }, "dx would be -inf" },
    { "reflect", { 0, MAX, 0, 2 }, "dx would be nan" },
    { "reflect3", { 0, 0, MAX, 0, 0, 2 }, "dx would be nan" },
    { "transform", { 0, 0, 1, 1, MAX, 0, 0, MAX }, "w would be " },
    { "transform", { 1, 0, 1, 1, MAX, 0, 0, MAX, 1 }, "x would be inf" },
    { "transform", { -1e308, 0, 1, 1, 0, 0, 0, 10, 1 }, "x would be -inf" },
    { "transform", { 0, 0, 1, 1e308, 0, 0, 0, 1, 10 }, "h would be inf" },
    { "transform3", { 0, 0, 0, 1, 1, 1e308, 0, 0, 0, 0, 0, 0, 1, 1, 1, 10 }, "d would be inf" },
    { "bounds", { { -1.7e308, 0, 1.7e308, 0 } }, "w would be inf" },
    { "bounds3", { { 0, 0, -1.7e308, 0, 0, 1.7e308 } }, "d would be inf" },
  }) do
    local name, args, result = case[1], case[2], case[3]
    it(("says that %s: %s"):format(result, name), function()
      expect.refused(("'%s' has no finite result (%s"):format(name, result), broadside[name],
        unpack(args))
    end)
  end
end)

describe("a quaternion of zeros", function()
  it("is refused by transform3 and setTransform", function()
    local problem = "unit quaternion expected, got 0, 0, 0, 0)"
    local f = newFixture(3)
    local before = f:state()
    expect.message("bad argument #10 to 'transform3' (" .. problem, broadside.transform3, 0, 0, 0,
      1, 1, 1, 0, 0, 0, 0, 0, 0, 0)
    expect.message("bad argument #4 to 'setTransform' (" .. problem, f.Box.setTransform, f.Box, 0,
      0, 0, 0, 0, 0, 0)
    assert.is_true(before == f:state())
  end)
end)

describe("no points", function()
  it("have no bounds", function()
    for _, name in ipairs({ "bounds", "bounds3" }) do
      expect.message(("bad argument #1 to '%s' (at least one point expected, got none)")
        :format(name), broadside[name], {})
    end
  end)
end)

-- The form of messages -------------------------------------------------------------------------

describe("a message", function()
  it("begins with the place of the call and counts arguments without self", function()
    local world = broadside.newWorld()
    local box = world:insert(0, 0, 1, 1)
    for _, case in ipairs({
      { function() world:insert(0, 0, nan, 1) end, "#3 to 'insert'" },
      { function() world.insert(world, 0, 0, nan, 1) end, "#3 to 'insert'" },
      { function() box:setRect(0, nan) end, "#2 to 'setRect'" },
      { function() broadside.overlap(0, 0, 1, 1, 0, nan, 1, 1) end, "#6 to 'overlap'" },
      { function() broadside.newWorld({ foo = 1 }) end, "#1 to 'newWorld'" },
    }) do
      local ok, message = pcall(case[1])
      assert.is_false(ok)
      assert.is_truthy(message:match("errors_spec%.lua:%d+: bad argument " .. case[2]), message)
    end
  end)

  it("has the form of Lua's own", function()
    local world = broadside.newWorld()
    for _, case in ipairs({
      { "#1 to 'insert' (finite number expected, got string)", world.insert, "0", 0, 1, 1 },
      { "#2 to 'insert' (finite number expected, got -inf)", world.insert, 0, 0.1 - huge, 1, 1 },
      { "#3 to 'insert' (finite number expected, got nan)", world.insert, 0, 0, nan, 1 },
      { "#4 to 'insert' (size > 0 expected, got -0.25)", world.insert, 0, 0, 1, -0.25 },
      { "#4 to 'queryRect' (size >= 0 expected, got -0.25)", world.queryRect, 0, 0, 1, -0.25 },
      { "#1 to 'remove' (no box has the id 77)", world.remove, 77 },
    }) do
      expect.message("bad argument " .. case[1], case[2], world, unpack(case, 3))
    end
    for _, x in ipairs({ nan, -nan, huge - huge, 0 / 0 * -1 }) do
      expect.message("bad argument #1 to 'insert' (finite number expected, got nan)", world.insert,
        world, x, 0, 1, 1)
    end
  end)
end)

-- Callbacks ------------------------------------------------------------------------------------

describe("a callback that goes wrong", function()
  -- A finaliser that is called when the stack is almost full fails, and its results are lost. That
  -- is a limit of Lua itself, so the collector is stopped here.
  before_each(function()
    collectgarbage("stop")
  end)
  after_each(function()
    collectgarbage("restart")
  end)

  local THROWN = {}
  local BAD_CALLBACKS = {
    ["raises a string"] = function() error("thrown") end,
    ["raises nothing"] = function() error() end,
    ["raises a table"] = function() error(THROWN) end,
    ["calls with bad arguments"] = function(box) box:setRect(nan, nan) end,
    ["yields"] = function() coroutine.yield() end,
    ["overflows the stack"] = function()
      local function deeper(n)
        return 1 + deeper(n + 1)
      end
      deeper(1)
    end,
  }

  -- The calls that call a function: { row, the place of the function in the arguments, whether it
  -- answers with a response }.
  local callers = {}
  for _, row in ipairs(calls.rowsOf(2)) do
    for place, word in ipairs(calls.parameters(row, 2)) do
      if word == "filter?" or word == "rules?" or word == "function" then
        callers[#callers + 1] = { row = row, place = place, moves = word == "rules?" }
      end
    end
  end

  -- A function that makes the call with that function.
  local function prepare(f, caller, callback)
    local args = calls.arguments(caller.row, f)
    args[caller.place] = callback
    local inC, list = calls.prepare(caller.row, f, args)
    return function()
      local result = inC(unpack(list, 1, list.n))
      return result
    end
  end

  local function unchanged(f, before)
    assert.is_true(before == f:state())
    assert.same({ "old", "older" }, f.out)
  end

  for _, caller in ipairs(callers) do
    local name = caller.row.name
    for what, callback in pairs(BAD_CALLBACKS) do
      it(("leaves all as it was when it %s in %s"):format(what, name), function()
        local asked, turn = 1, 0
        while asked > turn and turn < 3 do
          asked, turn = 0, turn + 1
          local f = newFixture(2)
          local call = prepare(f, caller, function()
            asked = asked + 1
            if asked == turn then
              callback(f.boxes[1])
            end
            return caller.moves and "slide"
          end)
          local before = f:state()
          local ok, message = coroutine.resume(coroutine.create(call))
          assert.equal(asked < turn, ok)
          assert.is_true(ok or what ~= "raises a table" or rawequal(message, THROWN))
          assert.is_true(turn > 1 or asked > 0)
          if not ok then
            unchanged(f, before)
            f:works()
          end
        end
      end)
    end

    it("may recurse through " .. name .. " until the stack ends", function()
      local f, depth, call = newFixture(2), 0, nil
      call = prepare(f, caller, function()
        depth = depth + 1
        call()
      end)
      local before = f:state()
      assert.is_false((pcall(call)))
      assert.is_true(depth > (caller.row.changes and 0 or 10))
      unchanged(f, before)
      f:works()
    end)

    it("is told what it may return to " .. name, function()
      for _, results in ipairs(caller.moves and { "box", "id", "data" } or {}) do
        local f, bad = fixture.new(2, results, "tree", 14), nil
        local call = prepare(f, caller, function() return bad end)
        local before = f:state()
        for printed, value in pairs({ ["'bump'"] = "bump", ["'pass'"] = "pass", ["'5'"] = 5,
          ["true"] = true, ["table"] = {}, ["function"] = print, ["userdata"] = f.world,
          ["'" .. ("x"):rep(60) .. "'"] = ("x"):rep(99), ["''"] = "" }) do
          bad = value
          local message = expect.refused({ ("the filter function returned %s ("):format(printed),
            [["slide", "touch", "bounce", "push", "cross", nil or false expected)]] }, call)
          assert.is_truthy(message:match("errors_spec%.lua:%d+: the filter"), message)
          unchanged(f, before)
        end
      end
    end)
  end
end)

-- Metamethods ----------------------------------------------------------------------------------

describe("metamethods", function()

  it("that are called by hand leave a world and a pool closed", function()
    local world, pool = broadside.newWorld(), broadside.newPool({ capacity = 1 })
    for object, name in pairs({ [world] = "World", [pool] = "Pool" }) do
      debug.getmetatable(object).__gc(object)
      debug.getmetatable(object).__gc(object)
      assert.equal(name .. " (closed)", tostring(object))
      expect.message(name:lower() .. " is closed", object.count, object)
    end
  end)

  it("finds no field that is not there, and sets none", function()
    local f = newFixture(2)
    for _, object in ipairs({ f.world, f.Box, f.world:getBackend() }) do
      local ok, value = pcall(function() return object.noSuchMethod end)
      assert.is_true(not ok or value == nil)
      assert.is_false((pcall(function() object.newField = 1 end)))
    end
  end)
end)

-- `#` of a table with holes may be any index that is followed by nil.
describe("a table that seems to be much longer than it is", function()
  local function sparse(value)
    local t = {}
    for i = 1, 600 do
      t[i] = value
    end
    for k = 10, 29 do
      t[2 ^ k], t[2 ^ k + 1] = value, value
    end
    return t
  end

  it("is refused, and takes no memory", function()
    local world = broadside.newWorld({ results = "id" })
    local id = world:insert(0, 0, 1, 1)
    local boxes, numbers = sparse(id), sparse(1)
    while #numbers % 4 > 0 do
      numbers[#numbers + 1] = 1
    end
    local before = world:stats().memory
    for name, call in pairs({
      updateMany = function() world:updateMany(boxes, {}) end,
      getRects = function() world:getRects(boxes, {}) end,
      insertMany = function() world:insertMany(numbers, nil, {}) end,
      bounds = function() broadside.bounds(numbers) end,
    }) do
      local ok, message = pcall(call)
      assert.is_false(ok, name)
      assert.matches("bad argument #1 to '" .. name .. "' %(", message)
    end
    assert.is_true(world:stats().memory - before < 65536)
    assert.equal(1, world:count())
  end)

  it("is refused before anything is made for what it seems to have", function()
    local world = broadside.newWorld()
    local boxes, numbers = sparse(world:insert(0, 0, 1, 1)), sparse(1)
    for k = 20, 29 do -- 2^19 numbers are enough
      for _, list in ipairs({ boxes, numbers }) do
        list[2 ^ k], list[2 ^ k + 1] = nil, nil
      end
    end
    while #numbers % 4 > 0 do
      numbers[#numbers + 1] = 1
    end
    for name, args in pairs({ insertMany = { numbers }, getRects = { boxes },
      updateMany = { boxes, numbers }, moveMany = { boxes, numbers },
      pushMany = { boxes, numbers } }) do
      collectgarbage()
      collectgarbage("stop")
      local before = collectgarbage("count")
      local ok, message = pcall(world[name], world, compat.unpack(args))
      local kilobytes = collectgarbage("count") - before
      collectgarbage("restart")
      assert.is_false(ok, name)
      assert.matches("bad argument #1 to '" .. name .. "' %(item 601: ", message)
      assert.is_true(kilobytes < 64, name .. " " .. kilobytes)
    end
    assert.equal(1, world:count())
  end)
end)
