-- Every call with every kind of bad argument. The message must name the function, the argument and
-- the value. The world must not change, and must go on working.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local dump = require("spec.support.dump")
local properties = require("spec.support.properties")

local nan, huge, unpack = compat.nan, compat.huge, compat.unpack

local BOTH_SIZES = {
  "size > 0 expected, got ", "size >= 0 expected, got ", "finite number expected, got ",
}

-- Kinds of arguments ---------------------------------------------------------------------------
-- Each kind has a good value, and bad ones with what the message may say: any one of a list of
-- texts, each followed by the value as it prints.

-- Stands for a missing argument. All arguments after it are missing, too.
local ABSENT = {}

local function numberBads(...)
  local texts = { ... }
  return {
    { nan, "nan", texts }, { huge, "inf", texts }, { -huge, "-inf", texts },
    { "10", "string", texts }, { {}, "table", texts }, { true, "boolean", texts },
    { print, "function", texts },
  }
end

local function with(list, ...)
  local out = {}
  for i, row in ipairs(list) do
    out[i] = row
  end
  for i = 1, select("#", ...) do
    out[#out + 1] = (select(i, ...))
  end
  return out
end

local FINITE = { "finite number expected, got " }
local INTEGER = { "32-bit integer expected, got " }
local BOX = { "Box or id expected, got " }
local ANY = { "got " }

local ID = { "this is an id; 32-bit integer expected, got " }

-- Ids begin with generation 64. Generations have 26 bits, so the last one is 2^26 - 2 later.
local maskBads = {
  { 1.5, "1.5", INTEGER }, { nan, "nan", INTEGER }, { huge, "inf", INTEGER },
  { 4294967296, "4294967296", ID }, { (2 ^ 26 + 62) * 2 ^ 26 + 5, "4503603788120069", ID },
  { (2 ^ 26 + 63) * 2 ^ 26, "4503603855228928", INTEGER }, { -4294967296, "-4294967296", INTEGER },
  { -2147483649, "-2147483649", INTEGER }, { 1e300, "1e+300", INTEGER },
}

-- Each kind's good value and bad values, as functions of the fixture (see newFixture).
local KINDS = {}

function KINDS.coord()
  return 3, with(numberBads(unpack(FINITE)), { ABSENT, "no value", FINITE })
end

function KINDS.size()
  local texts = { "size > 0 expected, got ", FINITE[1] }
  return 2, with(numberBads(unpack(texts)), { 0, "0", { texts[1] } }, { -1, "-1", { texts[1] } },
    { -1e-300, "-1e-300", { texts[1] } }, { ABSENT, "no value", texts })
end

KINDS["size?"] = function()
  local texts = { "size > 0 expected, got ", FINITE[1] }
  return 2, with(numberBads(unpack(texts)), { 0, "0", { texts[1] } }, { -1, "-1", { texts[1] } })
end

-- The size of a query's rectangle may be 0.
function KINDS.querySize()
  local texts = { "size >= 0 expected, got ", FINITE[1] }
  return 2, with(numberBads(unpack(texts)), { -1, "-1", { texts[1] } },
    { -1e-300, "-1e-300", { texts[1] } }, { ABSENT, "no value", texts })
end

-- A size for the plain functions, which must never be negative.
function KINDS.plainSize()
  return 2, with(numberBads(unpack(BOTH_SIZES)), { -1, "-1", BOTH_SIZES },
    { ABSENT, "no value", BOTH_SIZES })
end

function KINDS.radius()
  return 2, with(numberBads("got "), { -1, "-1", ANY }, { ABSENT, "no value", ANY })
end

function KINDS.time()
  local texts = { "time >= 0 expected, got ", FINITE[1] }
  return 2, with(numberBads(unpack(texts)), { -1, "-1", { texts[1] } },
    { -1e-300, "-1e-300", { texts[1] } }, { ABSENT, "no value", texts })
end

-- The radius of a circle that is inserted in a world.
function KINDS.positive()
  local texts = { "radius > 0 expected, got ", FINITE[1] }
  return 2, with(numberBads(unpack(texts)), { 0, "0", { texts[1] } }, { -1, "-1", { texts[1] } },
    { -1e-300, "-1e-300", { texts[1] } }, { ABSENT, "no value", texts })
end

function KINDS.box(f)
  return f.box, {
    { ABSENT, "no value", BOX }, { "x", "string", BOX }, { {}, "table", BOX },
    { true, "boolean", BOX }, { print, "function", BOX }, { 1.5, "1.5", BOX }, { nan, "nan", BOX },
    { f.removed, "", { "box was removed" } }, { f.removedId, "", { "box was removed" } },
    { f.foreign, "", { "another world" } }, { f.world, f.name, BOX },
    { io.stdout, "userdata", BOX }, { 0, "0", { "no box has the id " } },
    { -1, "-1", { "no box has the id " } }, { 123456789, "123456789", { "no box has the id " } },
    { huge, "inf", { "no box has the id ", BOX[1] } },
    { 2 ^ 60, "1", { "no box has the id ", BOX[1] } },
  }
end

KINDS["filter?"] = function(f)
  return nil, with(maskBads, { "x", "string", ANY }, { true, "boolean", ANY }, { {}, "table", ANY },
    { f.removed, "", { "box was removed" } }, { f.foreign, "", { "another world" } },
    { f.world, f.name, ANY })
end

-- The filter of a call that moves boxes.
KINDS["rules?"] = function(f)
  return nil, with(maskBads,
    { "x", "string", { "mask, table of masks, Box or function expected, got " } },
    { true, "boolean", ANY }, { f.world, f.name, ANY }, { io.stdout, "userdata", ANY },
    { f.removed, "", { "box was removed" } }, { f.foreign, "", { "another world" } },
    { {}, "", { "masks expected, got an empty table; is a mask nil?" } },
    { { bump = 1 }, "'bump'", { "unknown option " } },
    { { pass = 1 }, "'pass'", { "unknown option " } },
    { { 1 }, "number", { "names of options expected as keys, got " } },
    { { slide = 1.5 }, "1.5", { "option 'slide': 32-bit integer expected, got " } },
    { { touch = "1" }, "string", { "option 'touch': 32-bit integer expected, got " } },
    { { cross = nan }, "nan", { "option 'cross': 32-bit integer expected, got " } },
    { { slide = 1, bounce = {} }, "table", { "option 'bounce': 32-bit integer expected, got " } })
end

KINDS["out?"] = function(f)
  return f.out, {
    { 5, "", { "table expected, got 5", "table expected, got number" } },
    { "x", "string", { "table expected, got " } }, { true, "boolean", { "table expected, got " } },
  }
end

KINDS["distances?"] = function()
  return {}, {
    { 5, "", { "table expected, got 5", "table expected, got number" } },
    { "x", "string", { "table expected, got " } }, { true, "boolean", { "table expected, got " } },
  }
end

KINDS["opts?"] = function()
  return nil, {
    { 5, "", { "table expected, got 5", "table expected, got number" } },
    { "x", "string", { "table expected, got " } }, { true, "boolean", { "table expected, got " } },
  }
end

KINDS["count?"] = function()
  return 1, {
    { -1, "-1", ANY }, { 1.5, "1.5", ANY }, { nan, "nan", ANY }, { "1", "string", ANY },
    { {}, "table", ANY }, { true, "boolean", ANY },
  }
end

KINDS["which?"] = function()
  return nil, {
    { "begin", "'begin'", ANY }, { "", "''", ANY }, { 1, "1", ANY }, { {}, "table", ANY },
    { true, "boolean", ANY },
  }
end

KINDS["distance?"] = function()
  return nil, {
    { -1, "-1", ANY }, { nan, "nan", ANY }, { "1", "string", ANY }, { {}, "table", ANY },
  }
end

function KINDS.mask()
  return 1, with(maskBads, { "1", "string", ANY }, { {}, "table", ANY })
end

KINDS["function"] = function()
  return function() end, {
    { ABSENT, "no value", ANY }, { "x", "string", ANY }, { {}, "table", ANY },
    { true, "boolean", ANY },
  }
end

function KINDS.id(f)
  return f.box:getId(), {
    { ABSENT, "no value", ANY }, { "x", "string", ANY }, { {}, "table", ANY }, { 1.5, "1.5", ANY },
    { nan, "nan", ANY }, { f.removedId, "", { "box was removed" } },
    { 0, "0", { "no box has the id " } }, { -1, "-1", { "no box has the id " } },
    { 123456789, "123456789", { "no box has the id " } },
  }
end

-- (Four of them are a unit quaternion.)
KINDS["coord?"] = function()
  return 0.5, numberBads(unpack(FINITE))
end

-- The calls ------------------------------------------------------------------------------------
-- "P" is a coordinate for each axis, "S", "S?", "Q" and "Z" a size for each axis.

local PER_AXIS = { P = "coord", S = "size", ["S?"] = "size?", Q = "querySize", Z = "plainSize" }

local WORLD_CALLS = {
  insert = "P S opts?",
  remove = "box",
  update = "box P S?",
  getBox = "id",
  eachPair = "function",
  queryRect = "P Q filter? out?",
  queryPoint = "P filter? out?",
  queryCircle = "P radius filter? out? distances?",
  queryBox = "box filter? out?",
  querySegment = "P P filter? out?",
  querySweep = "box P filter? out?",
  nearest = "P count? filter? distance? out? distances?",
  segmentCast = "P P filter?",
  sweep = "box P filter?",
  sweepRect = "P Q P filter?",
  resolve = "box filter?",
  step = "time",
  setGravity = "P",
  debugRects = "out?",
  debugShapes = "out?",
  insertCircle = "P positive opts?",
  collectPairs = "out?",
  contacts = "which?",
  collectContacts = "which? out?",
  move = "box P rules? out?",
  check = "box P rules? out?",
  push = "box P rules? out?",
  canFit = "box P S? rules?",
}

local BOX_CALLS = {
  setRect = "P S?",
  setCenter = "P",
  setVelocity = "P",
  setAcceleration = "P",
  setFilter = "mask mask",
  setObjectRect = "P Z",
  setTransform = "P",
}

local PLAIN_CALLS = {
  overlap = "P Z P Z",
  sweep = "P Z P P Z P",
  segment = "P P P Z",
  separation = "P Z P Z",
  reflect = "P P",
  transform = "P Z P",
}

local function kindsOf(signature, dim)
  local list = {}
  for word in signature:gmatch("%S+") do
    for _ = 1, PER_AXIS[word] and dim or 1 do
      list[#list + 1] = PER_AXIS[word] or word
    end
  end
  return list
end

-- A world with some of everything, and boxes that are not valid arguments.
local function newFixture(dim)
  local function flat(x, w)
    return dim == 2 and { x, x, w, w } or { x, x, x, w, w, w }
  end
  local f = { dim = dim, name = dim == 2 and "World" or "3D World", out = { "kept" } }
  local gravity = dim == 2 and { 1, 2 } or { 1, 2, 3 }
  f.world = broadside.newWorld({ dim = dim, backend = "tree", gravity = gravity })
  function f.insert(x, w, opts)
    return f.world:insert(compat.values(flat(x, w), opts))
  end
  f.box = f.insert(0, 4, { vx = 1, ay = 2, layer = 3, data = "data" })
  f.insert(2, 4)
  f.insert(3, 4, { static = true })
  f.removed = f.insert(0, 1)
  f.removedId = f.removed:getId()
  f.removed:remove()
  f.other = broadside.newWorld({ dim = dim })
  f.foreign = f.other:insert(unpack(flat(0, 1)))
  return f
end

local function worksOn(f)
  local box = f.insert(50, 1)
  assert.equal(4, f.world:count())
  assert.same({}, (f.world:queryBox(box)))
  f.world:update(box, unpack({ 1, 1, 1 }, 1, f.dim))
  assert.same({ f.box }, (f.world:queryBox(box)))
  box:remove()
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

-- Tries every bad value in every place. `call(args, n)` makes the call and returns the results of
-- pcall; `check(what)` checks the world afterwards.
local function tryAllBads(f, name, signature, call, check)
  local kinds = kindsOf(signature, f.dim)
  local good = {}
  for i, kind in ipairs(kinds) do
    good[i] = KINDS[kind](f)
  end
  for i, kind in ipairs(kinds) do
    local _, bads = KINDS[kind](f)
    for _, bad in ipairs(bads) do
      local value, printed, texts = bad[1], bad[2], bad[3]
      local args, n = {}, #kinds
      for j = 1, n do
        args[j] = good[j]
      end
      args[i] = value
      if value == ABSENT then
        args[i], n = nil, i - 1
      end
      local ok, message = call(args, n)
      local what = ("%s with bad argument %d, %s"):format(name, i, tostring(printed))
      assert.is_false(ok, what)
      assertMessage(message, ("bad argument #%d to '%s' ("):format(i, name), texts, printed)
      check(what)
    end
  end
end

for dim = 2, 3 do
  describe(("bad arguments in %dD"):format(dim), function()
    local f, before

    before_each(function()
      f = newFixture(dim)
      before = dump(f.world)
    end)

    local function unchanged(what)
      assert.equal(before, dump(f.world), what)
      assert.same({ "kept" }, f.out, what)
    end

    for name, signature in pairs(WORLD_CALLS) do
      it("are refused by world:" .. name, function()
        tryAllBads(f, name, signature, function(args, n)
          return pcall(f.world[name], f.world, unpack(args, 1, n))
        end, unchanged)
        worksOn(f)
      end)
    end

    for name, signature in pairs(BOX_CALLS) do
      it("are refused by box:" .. name, function()
        tryAllBads(f, name, signature, function(args, n)
          return pcall(f.box[name], f.box, unpack(args, 1, n))
        end, unchanged)
        worksOn(f)
      end)
    end

    for plain, signature in pairs(PLAIN_CALLS) do
      local name = plain .. (dim == 3 and "3" or "")
      it("are refused by broadside." .. name, function()
        tryAllBads(f, name, signature, function(args, n)
          return pcall(broadside[name], unpack(args, 1, n))
        end, function() end)
      end)
    end

    it("are refused in the rest of setTransform", function()
      local kinds = dim == 2 and "P coord? coord? coord?" or
        "P coord? coord? coord? coord? coord? coord? coord?"
      tryAllBads(f, "setTransform", kinds, function(args, n)
        return pcall(f.box.setTransform, f.box, unpack(args, 1, n))
      end, unchanged)
    end)

    it("are refused by has, which takes any Box or integer", function()
      for _, bad in ipairs({ "x", {}, true, print, 1.5, nan, io.stdout }) do
        local ok, message = pcall(f.world.has, f.world, bad)
        assert.is_false(ok, tostring(bad))
        assertMessage(message, "bad argument #1 to 'has' (", { "Box or id expected, got " }, "")
      end
      assert.is_false((pcall(f.world.has, f.world)))
      for _, good in ipairs({ 0, -1, 1e15, 2 ^ 53, -2 ^ 60 }) do
        assert.is_false(f.world:has(good))
      end
    end)

    it("are refused by debug and list calls that take no such thing", function()
      for _, bad in ipairs({ 5, "x", true }) do
        for _, name in ipairs({ "insertMany", "getRects", "updateMany" }) do
          local ok, message = pcall(f.world[name], f.world, bad, {})
          assert.is_false(ok)
          assertMessage(message, ("bad argument #1 to '%s' ("):format(name),
            { "table expected, got " }, "")
          unchanged(name)
        end
        local ok, message = pcall(f.world.updateMany, f.world, {}, bad)
        assert.is_false(ok)
        assertMessage(message, "bad argument #2 to 'updateMany' (", { "table expected, got " }, "")
        ok, message = pcall(f.world.getRects, f.world, {}, bad)
        assert.is_false(ok)
        assertMessage(message, "bad argument #2 to 'getRects' (", { "table expected, got " }, "")
        ok, message = pcall(f.world.insertMany, f.world, {}, nil, bad)
        assert.is_false(ok)
        assertMessage(message, "bad argument #3 to 'insertMany' (", { "table expected, got " }, "")
      end
      for _, name in ipairs({ "insertMany", "getRects", "updateMany" }) do
        local ok, message = pcall(f.world[name], f.world)
        assert.is_false(ok)
        assertMessage(message, ("bad argument #1 to '%s' ("):format(name), { "got no value" }, "")
      end
    end)

    it("are refused inside of lists", function()
      local rects = dim == 2 and { 0, 0, 1, 1, 5, 5, 1, 1 }
        or { 0, 0, 0, 1, 1, 1, 5, 5, 5, 1, 1, 1 }
      local places = { unpack({ 9, 9, 9 }, 1, dim) }
      for i = 1, #rects do
        for _, bad in ipairs({ { nan, "nan" }, { huge, "inf" }, { "1", "string" },
          { {}, "table" } }) do
          local flat = compat.copy(rects)
          flat[i] = bad[1]
          local ok, message = pcall(f.world.insertMany, f.world, flat, nil, f.out)
          assert.is_false(ok)
          assertMessage(message, "bad argument #1 to 'insertMany' (", { "got " }, bad[2])
          unchanged("insertMany")
        end
      end
      for _, bad in ipairs({ 0, -1 }) do
        local flat = compat.copy(rects)
        flat[#flat] = bad
        local ok, message = pcall(f.world.insertMany, f.world, flat, nil, f.out)
        assert.is_false(ok)
        assertMessage(message, "bad argument #1 to 'insertMany' (",
          { "size > 0 expected, got " }, bad)
        unchanged("insertMany")
      end
      for _, bad in ipairs({ "x", true, 1.5, nan, 0, f.removed, f.removedId, f.foreign,
        f.world }) do
        local ok, message = pcall(f.world.getRects, f.world, { f.box, bad }, f.out)
        assert.is_false(ok)
        assertMessage(message, "bad argument #1 to 'getRects' (", { "" }, "")
        ok, message = pcall(f.world.updateMany, f.world, { f.box, bad },
          compat.concat(places, places))
        assert.is_false(ok)
        assertMessage(message, "to 'updateMany' (", { "" }, "")
        unchanged("updateMany")
      end
      for i = 1, dim do
        for _, bad in ipairs({ { nan, "nan" }, { huge, "inf" }, { "1", "string" } }) do
          local flat = compat.copy(places)
          flat[i] = bad[1]
          local ok, message = pcall(f.world.updateMany, f.world, { f.box }, flat)
          assert.is_false(ok)
          assertMessage(message, "bad argument #2 to 'updateMany' (", { "got " }, bad[2])
          unchanged("updateMany")
        end
      end
      for _, count in ipairs({ 0, 1, dim + 1, 2 * dim }) do
        local flat = {}
        for i = 1, count do
          flat[i] = 1
        end
        assert.is_false((pcall(f.world.updateMany, f.world, { f.box }, flat)), count)
        unchanged("updateMany")
        if count > 0 and count < 2 * dim then
          assert.is_false((pcall(f.world.insertMany, f.world, flat, nil, f.out)), count)
          unchanged("insertMany")
        end
      end
      worksOn(f)
    end)

    it("are named in long lists, wherever they stand", function()
      local world, boxes, flat = f.world, {}, {}
      local unit = dim == 2 and { 1, 1 } or { 1, 1, 1 }
      for i = 1, 40 do
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
        for _, bad in ipairs({ "x", nan, true }) do
          list[at] = bad
          local ok, message = pcall(world[name], world, ...)
          assert.is_false(ok)
          assertMessage(message, ("to '%s' (item %d: "):format(name, at), { "expected, got " }, "")
          assert.same(was, world:getRects(all))
        end
        list[at] = good
      end
      for at = 1, #boxes do
        refuses("updateMany", boxes, at, boxes, flat)
        refuses("getRects", boxes, at, boxes)
      end
      for at = 1, #flat do
        refuses("updateMany", flat, at, boxes, flat)
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
        local ok, message = pcall(f.world.touching, f.world, f.box, unpack(args))
        assert.is_false(ok)
        assert.equal(("bad argument #%d to 'touching' (%s)"):format(number, text), message)
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
      local one = compat.copy(zeros)
      one[dim] = -1
      for kind, start in pairs({ box = 1, ["rules?"] = dim + 2 }) do
        local _, bads = KINDS[kind](f)
        for _, bad in ipairs(bads) do
          if bad[1] ~= ABSENT then
            local args = compat.concat({ f.box }, one)
            args[start] = bad[1]
            local ok, message = pcall(f.world.touching, f.world, unpack(args))
            assert.is_false(ok)
            assertMessage(message, ("bad argument #%d to 'touching' ("):format(start), bad[3],
              bad[2])
          end
        end
      end
      assert.is_nil(f.world:touching(f.box, unpack(one)))
    end)

    it("are refused by moveMany, and named in its lists", function()
      local goals = { unpack({ 1, 2, 3 }, 1, dim) }
      local function refused(number, texts, value, ...)
        local ok, message = pcall(f.world.moveMany, f.world, ...)
        assert.is_false(ok)
        assertMessage(message, ("bad argument #%d to 'moveMany' ("):format(number), texts, value)
        unchanged("moveMany")
      end
      refused(1, { "table expected, got no value" }, "")
      refused(2, { "table expected, got no value" }, "", { f.box })
      refused(1, { "item 1: Box or id expected, got nan" }, "", { nan })
      for _, bad in ipairs({ 5, "x", true }) do
        refused(1, { "table expected, got " }, "", bad, {})
        refused(2, { "table expected, got " }, "", {}, bad)
      end
      local texts = { "item 2: Box or id expected, got ", "item 2: box was removed",
        "item 2: box of another world", "item 2: no box has the id " }
      for _, bad in ipairs({ "x", true, 1.5, nan, 0, f.removed, f.removedId, f.foreign,
        f.world }) do
        refused(1, texts, "", { f.box, bad }, compat.concat(goals, goals), nil, f.out)
      end
      for _, kind in ipairs({ "rules?", "out?" }) do
        local _, bads = KINDS[kind](f)
        for _, bad in ipairs(bads) do
          local number = kind == "rules?" and 3 or 4
          refused(number, bad[3], bad[2], { f.box }, goals, unpack(
            number == 3 and { bad[1], f.out } or { nil, bad[1] }, 1, 2))
        end
      end
      for i = 1, dim do
        for _, bad in ipairs({ { nan, "nan" }, { huge, "inf" }, { "1", "string" } }) do
          local flat = compat.concat(goals, goals)
          flat[dim + i] = bad[1]
          refused(2, { ("item %d: finite number expected, got "):format(dim + i) }, bad[2],
            { f.box, f.box }, flat)
        end
      end
      for _, count in ipairs({ 0, 1, dim + 1, 2 * dim }) do
        local flat = {}
        for i = 1, count do
          flat[i] = 1
        end
        refused(2, { ("%d numbers expected for 1 boxes, got "):format(dim) }, count, { f.box },
          flat)
      end
      worksOn(f)
    end)

    it("are refused where a way, or a side at its end, would not be finite", function()
      for axis = 1, dim do
        local near, goal, size = {}, {}, {}
        for i = 1, dim do
          near[i], goal[i] = i == axis and -1.7e308 or 0, i == axis and 1e308 or 0
          size[i] = i == axis and 1e308 or 1
        end
        local box = f.world:insert(unpack(compat.concat(near, size)))
        before = dump(f.world)
        for _, name in ipairs({ "move", "check", "push", "moveMany" }) do
          local function refused(to, text)
            local args, number = compat.concat({ box }, to), axis + 1
            if name == "moveMany" then
              args, number = { { box }, to }, 2
              text = ("item %d: %s"):format(axis, text)
            end
            local ok, message = pcall(f.world[name], f.world, unpack(args))
            assert.is_false(ok, name)
            assert.equal(("bad argument #%d to '%s' (%s)"):format(number, name, text), message)
            unchanged(name)
          end
          refused(goal, ("finite far side %s + %s expected, got inf"):format(
            ("xyz"):sub(axis, axis), ("whd"):sub(axis, axis)))
          goal[axis] = 0.5e308
          refused(goal, "finite way expected, got one from -1.7e+308 to 5e+307")
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
        local world, box = f.world, f.box
        for name, args in pairs({
          insert = rect,
          insertMany = { rect },
          update = compat.concat({ box }, rect),
          queryRect = rect,
          sweepRect = compat.concat(rect, still),
        }) do
          local ok, message = pcall(world[name], world, unpack(args))
          assert.is_false(ok, name)
          assertMessage(message, "bad argument #", { "far side" }, "")
          assertMessage(message, ("to '%s' ("):format(name), { "" }, "")
          unchanged(name)
        end
        local ok, message = pcall(box.setRect, box, unpack(rect))
        assert.is_false(ok)
        assertMessage(message, "to 'setRect' (", { "far side" }, "")
        unchanged("setRect")
        ok, message = pcall(broadside["overlap" .. (dim == 3 and "3" or "")],
          unpack(compat.concat(rect, rect)))
        assert.is_false(ok)
        assertMessage(message, "bad argument #", { "far side" }, "")
      end
    end)

    it("are refused where a moved box's far side would not be finite", function()
      local rect = dim == 2 and { 0, 0, 1e308, 1 } or { 0, 0, 0, 1e308, 1, 1 }
      local far = dim == 2 and { 1.7e308, 0 } or { 1.7e308, 0, 0 }
      local box = f.world:insert(unpack(rect))
      before = dump(f.world)
      for name, call in pairs({
        update = function()
          f.world:update(box, unpack(far))
        end,
        updateMany = function()
          f.world:updateMany({ f.box, box }, compat.concat(far, far))
        end,
        setRect = function()
          box:setRect(unpack(far))
        end,
        setCenter = function()
          box:setCenter(unpack(far))
        end,
      }) do
        local ok, message = pcall(call)
        assert.is_false(ok, name)
        assertMessage(message, ("to '%s' ("):format(name), { "far side", "finite sides" }, "")
        unchanged(name)
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
    local ok, message = pcall(call, opts)
    assert.is_false(ok, name)
    for _, text in ipairs({ ("bad argument #%d to '%s' ("):format(number, name), ... }) do
      assertMessage(message, text, { "" }, "")
    end
  end

  local function insert(opts)
    f.world:insert(0, 0, 1, 1, opts)
  end

  local function insertMany(opts)
    f.world:insertMany({ 0, 0, 1, 1 }, opts)
  end

  it("of insert and insertMany are refused", function()
    local before = dump(f.world)
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
      assert.equal(before, dump(f.world))
    end
    worksOn(f)
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
    for _, bad in ipairs({ 5, "tree", true }) do
      refused("newWorld", broadside.newWorld, 1, bad, "table expected, got ")
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
      for _, bad in ipairs({ 5, "x", true }) do
        refused(name, broadside[name], 1, bad, "table expected, got ")
      end
    end
  end)

  it("of setBackend are refused, and the old back end stays", function()
    local before = dump(f.world)
    local function setBackend(what)
      f.world:setBackend(what)
    end
    refused("setBackend", setBackend, 1, "foo", "unknown back end 'foo'")
    refused("setBackend", setBackend, 1, "", "unknown back end ''")
    refused("setBackend", setBackend, 1, "Tree", "unknown back end 'Tree'")
    for _, bad in ipairs({ 5, {}, true, f.world, f.box, print }) do
      refused("setBackend", setBackend, 1, bad)
    end
    refused("setBackend", setBackend, 1, nil)
    refused("setBackend", setBackend, 1, f.other:getBackend())
    assert.equal(before, dump(f.world))
    worksOn(f)
  end)

  it("of setBackend end with the first: what follows does not matter", function()
    f.world:setBackend("tree", "grid", {}, nil)
    assert.equal("tree", f.world:getBackend():getName())
    local grid = broadside.newGrid()
    f.world:setBackend(grid, f.other:getBackend())
    assert.is_true(rawequal(grid, f.world:getBackend()))
    worksOn(f)
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

-- The plain functions on lists -----------------------------------------------------------------

describe("bad lists of points", function()
  it("are refused by bounds", function()
    for name, dim in pairs({ bounds = 2, bounds3 = 3 }) do
      for _, bad in ipairs({ { { 1 }, "" }, { { 1, 2, 3, 4, 5 }, "" },
        { { 1, 2, nan, 4, 5, 6 }, "nan" },
        { { 1, huge, 3, 4, 5, 6 }, "inf" }, { { 1, 2, "3", 4, 5, 6 }, "string" } }) do
        local ok, message = pcall(broadside[name], bad[1])
        assert.is_false(ok, dim)
        assertMessage(message, ("bad argument #1 to '%s' ("):format(name), { "" }, bad[2])
      end
      for _, bad in ipairs({ 5, "x", true }) do
        local ok, message = pcall(broadside[name], bad)
        assert.is_false(ok)
        assertMessage(message, ("bad argument #1 to '%s' ("):format(name), { "table expected" }, "")
      end
      assert.is_false((pcall(broadside[name])))
      -- An empty list has no bounds, so it must give an error or nil, but no numbers.
      local ok, x = pcall(broadside[name], {})
      assert.is_true(not ok or x == nil)
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
      local ok, message = pcall(broadside[name], unpack(args))
      assert.is_false(ok)
      assertMessage(message, ("'%s' has no finite result (%s"):format(name, result), { "" }, "")
    end)
  end
end)

describe("a quaternion of zeros", function()
  it("is refused by transform3 and setTransform", function()
    local problem = "unit quaternion expected, got 0, 0, 0, 0)"
    local f = newFixture(3)
    local before = dump(f.world)
    local ok, message = pcall(broadside.transform3, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0)
    assert.is_false(ok)
    assert.equal("bad argument #10 to 'transform3' (" .. problem, message)
    ok, message = pcall(f.box.setTransform, f.box, 0, 0, 0, 0, 0, 0, 0)
    assert.is_false(ok)
    assert.equal("bad argument #4 to 'setTransform' (" .. problem, message)
    assert.equal(before, dump(f.world))
  end)
end)

-- Values of the wrong kind ----------------------------------------------------------------------

describe("a box", function()
  it("refuses what is no boolean, and data that are not there", function()
    for dim = 2, 3 do
      local f = newFixture(dim)
      local before = dump(f.world)
      for _, name in ipairs({ "setStatic", "setRotates" }) do
        for _, case in ipairs({ { 1, "1" }, { "true", "string" }, { {}, "table" } }) do
          local ok, message = pcall(f.box[name], f.box, case[1])
          assert.is_false(ok)
          assert.equal(("bad argument #1 to '%s' (boolean expected, got %s)"):format(name, case[2]),
            message)
        end
        local _, message = pcall(f.box[name], f.box)
        assert.equal(("bad argument #1 to '%s' (boolean expected, got no value)"):format(name),
          message)
      end
      local ok, message = pcall(f.box.setData, f.box)
      assert.is_false(ok)
      assert.equal("bad argument #1 to 'setData' (value expected, got no value)", message)
      assert.equal(before, dump(f.world))
    end
  end)
end)

-- Calls without self ---------------------------------------------------------------------------

describe("a method called with '.' or on something else", function()
  local WORLD = {
    "insert", "insertMany", "insertCircle", "insertPolygon", "remove", "clear", "trim", "update",
    "updateMany", "has", "count", "getBox", "getRects", "boxes", "getBackend", "setBackend",
    "pairs", "collectPairs", "countPairs", "eachPair", "contacts", "collectContacts",
    "queryRect", "queryPoint", "queryCircle", "queryBox", "querySegment", "querySweep", "nearest",
    "segmentCast", "sweep", "sweepRect", "resolve", "step", "setGravity", "getGravity", "stats",
    "debugRects", "debugShapes", "move", "check", "moveMany", "push", "pushMany", "touching",
    "canFit", "hits",
    "snapshot", "restore",
  }
  local BOX_METHODS = {
    "getRect", "setRect", "getCenter", "setCenter", "getVelocity", "setVelocity",
    "getAcceleration", "setAcceleration", "getData", "setData", "isStatic", "setStatic",
    "getFilter", "setFilter", "setObjectRect", "setTransform", "setRotates", "getWorld", "remove",
    "isRemoved", "getId", "getShape", "setShape",
  }
  for _, method in ipairs(properties.methods) do
    table.insert(BOX_METHODS, method.getter)
    table.insert(BOX_METHODS, method.setter)
  end
  local BACKEND = { "getName", "stats" }
  local SNAPSHOT = { "getString", "getHash" }

  local function refused(object, names, selves)
    for _, name in ipairs(names) do
      assert.equal("function", type(object[name]), name)
      local function check(...)
        local ok, message = pcall(object[name], ...)
        assert.is_false(ok, name)
        assertMessage(message, ("bad self to '%s'"):format(name), { "':'" }, "")
      end
      check()
      check(0, 0, 1, 1)
      for i = 1, selves.n do
        check(selves[i])
        check(selves[i], 0, 0, 1, 1)
      end
    end
  end

  for dim = 2, 3 do
    it(("says so in %dD"):format(dim), function()
      local f = newFixture(dim)
      local before = dump(f.world)
      local backend = f.world:getBackend()
      refused(f.world, WORLD, compat.pack(nil, "x", {}, print, io.stdout, f.box, backend, true))
      refused(f.box, BOX_METHODS, compat.pack(nil, "x", {}, print, io.stdout, f.world, backend, 1))
      refused(backend, BACKEND, compat.pack(nil, "x", {}, print, io.stdout, f.world, f.box, 1))
      refused(f.world:snapshot(), SNAPSHOT, compat.pack(nil, "x", {}, print, f.world, backend, 1))
      assert.equal(before, dump(f.world))
      worksOn(f)
    end)
  end
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
    local _, message = pcall(world.insert, world, 0, 0, nan, 1)
    assert.is_truthy(
      message == "bad argument #3 to 'insert' (finite number expected, got nan)"
      or message == "bad argument #3 to 'insert' (size > 0 expected, got nan)", message)
    _, message = pcall(world.insert, world, "0", 0, 1, 1)
    assert.equal("bad argument #1 to 'insert' (finite number expected, got string)", message)
    _, message = pcall(world.insert, world, 0, 0.1 - huge, 1, 1)
    assert.equal("bad argument #2 to 'insert' (finite number expected, got -inf)", message)
    _, message = pcall(world.insert, world, 0, 0, 1, -0.25)
    assert.equal("bad argument #4 to 'insert' (size > 0 expected, got -0.25)", message)
    _, message = pcall(world.queryRect, world, 0, 0, 1, -0.25)
    assert.equal("bad argument #4 to 'queryRect' (size >= 0 expected, got -0.25)", message)
    _, message = pcall(world.remove, world, 77)
    assert.equal("bad argument #1 to 'remove' (no box has the id 77)", message)
  end)

  it("prints -nan as nan", function()
    local world = broadside.newWorld()
    for _, x in ipairs({ nan, -nan, huge - huge, 0 / 0 * -1 }) do
      local _, message = pcall(world.insert, world, x, 0, 1, 1)
      assert.equal("bad argument #1 to 'insert' (finite number expected, got nan)", message)
    end
  end)

  it("of a removed box names the call", function()
    local world = broadside.newWorld()
    local box = world:insert(0, 0, 1, 1)
    box:remove()
    local _, message = pcall(world.remove, world, box)
    assert.is_truthy(message:find("'remove'", 1, true) and message:find("box was removed", 1, true),
      message)
    _, message = pcall(box.getRect, box)
    assert.is_truthy(message:find("box was removed", 1, true), message)
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

  local BAD_CALLBACKS = {
    ["raises a string"] = function() error("thrown") end,
    ["raises nothing"] = function() error() end,
    ["raises a table"] = function() error({}) end,
    ["calls with bad arguments"] = function(box) box:setRect(nan, nan) end,
    ["yields"] = function() coroutine.yield() end,
    ["overflows the stack"] = function()
      local function deeper(n)
        return 1 + deeper(n + 1)
      end
      deeper(1)
    end,
  }

  for what, callback in pairs(BAD_CALLBACKS) do
    it("leaves all as it was when it " .. what, function()
      local f = newFixture(2)
      local before, world = dump(f.world), f.world
      for _, run in ipairs({
        function() world:queryRect(0, 0, 9, 9, callback) end,
        function() world:nearest(0, 0, 2, callback) end,
        function() world:segmentCast(-1, 1, 9, 1, callback) end,
        function() world:sweep(f.box, 5, 5, callback) end,
        function() world:resolve(f.box, callback) end,
        function() world:eachPair(callback) end,
      }) do
        local co = coroutine.create(run)
        local finished = coroutine.resume(co)
        assert.is_true(not finished or what == "yields")
        assert.equal(before, dump(world))
        worksOn(f)
      end
    end)
  end

  -- A box that rests on the first box, another one on that, and a wall beside them. Every call asks
  -- about some of these.
  local function newPile(results)
    local world = broadside.newWorld({ gravity = { 0, -1 }, results = results })
    local boxes = {}
    for i, rect in ipairs({ { 0, 0, 9, 1 }, { 0, 1, 1, 1 }, { 2, 1, 1, 1 }, { 0, 2, 1, 1 } }) do
      boxes[i] = world:insert(unpack(rect))
    end
    world:insert(20, -9, 1, 99, { static = true })
    return world, boxes
  end

  local ASKING = {
    move = function(world, boxes, f, out) world:move(boxes[2], 30, 0.5, f, out) end,
    check = function(world, boxes, f, out) world:check(boxes[2], 30, 0.5, f, out) end,
    moveMany = function(world, boxes, f, out)
      world:moveMany({ boxes[4], boxes[3], boxes[3] }, { 30, 9, 30, 9, 0, 1 }, f, out)
    end,
    push = function(world, boxes, f, out) world:push(boxes[1], 5, 3, f, out) end,
    touching = function(world, boxes, f) world:touching(boxes[2], 0, -1, f) end,
    canFit = function(world, boxes, f) world:canFit(boxes[2], 1.5, 1, nil, nil, f) end,
  }

  for name, ask in pairs(ASKING) do
    for what, callback in pairs(BAD_CALLBACKS) do
      it(("leaves all as it was when it %s in %s"):format(what, name), function()
        for turn = 1, name == "moveMany" and 3 or 1 do
          local world, boxes = newPile()
          local before, out, asked = dump(world), { "kept" }, 0
          local co = coroutine.create(function()
            ask(world, boxes, function(box, other)
              asked = asked + 1
              return asked == turn and callback(box, other) or "slide"
            end, out)
          end)
          assert.is_false((coroutine.resume(co)))
          assert.is_true(asked >= turn)
          assert.equal(before, dump(world))
          assert.same({ "kept" }, out)
          world:move(boxes[4], 30, 9)
          assert.same({ 19, 9, 1, 1 }, { boxes[4]:getRect() })
        end
      end)
    end

    it("is told what it may return to " .. name, function()
      for _, results in ipairs({ "box", "id", "data" }) do
        local world, boxes = newPile(results)
        local before, out = dump(world), { "kept" }
        for printed, bad in pairs({ ["'bump'"] = "bump", ["'pass'"] = "pass", ["'5'"] = 5,
          ["true"] = true, ["table"] = {}, ["function"] = print, ["userdata"] = world,
          ["'" .. ("x"):rep(60) .. "'"] = ("x"):rep(99), ["''"] = "" }) do
          local ok, message = pcall(function()
            ask(world, boxes, function() return bad end, out)
          end)
          assert.is_false(ok)
          assert.is_truthy(message:match("errors_spec%.lua:%d+: the filter function returned "),
            message)
          assertMessage(message, ("returned %s ("):format(printed),
            { [["slide", "touch", "bounce", "push", "cross", nil or false expected)]] }, "")
          assert.equal(before, dump(world))
          assert.same({ "kept" }, out)
        end
      end
    end)

    it("may recurse through " .. name .. " until the stack ends", function()
      local world, boxes = newPile()
      local before, depth = dump(world), 0
      local function f()
        depth = depth + 1
        ask(world, boxes, f)
      end
      assert.is_false((pcall(f)))
      assert.is_true(depth > 0)
      assert.equal(before, dump(world))
      assert.is_false(world:canFit(boxes[2], 1.5, 1))
    end)
  end

  it("may recurse through the world until the stack ends", function()
    local world = broadside.newWorld()
    local box = world:insert(0, 0, 5, 5)
    local function filter()
      world:queryRect(0, 0, 9, 9, filter)
      return true
    end
    assert.is_false((pcall(filter)))
    box:setRect(1, 1)
    local function each()
      world:eachPair(each)
    end
    world:insert(0, 0, 5, 5)
    assert.is_false((pcall(each)))
    world:clear()
  end)
end)

-- Metamethods ----------------------------------------------------------------------------------

describe("rubbish given to metamethods", function()
  it("harms nothing", function()
    local f = newFixture(2)
    for _, object in ipairs({ f.world, f.box, f.world:getBackend() }) do
      local meta = getmetatable(object)
      for name, method in pairs(type(meta) == "table" and meta or {}) do
        if type(method) == "function" and name ~= "__gc" and name ~= "__close" then
          for _, rubbish in ipairs({ 1, "x", {}, print, io.stdout, f.box, f.world, true }) do
            pcall(method, rubbish)
            pcall(method, rubbish, rubbish)
          end
          pcall(method)
        end
      end
    end
    worksOn(newFixture(2))
  end)

  it("is told by tostring, and by the numbers of axes that do not match", function()
    for dim = 2, 3 do
      local function objects(n)
        local world = broadside.newWorld({ dim = n })
        local pool = broadside.newPool({ dim = n, capacity = 1 })
        return { World = world, Pool = pool, Emitter = pool:newEmitter(),
          Model = broadside.newModel({ dim = n }), Backend = world:getBackend(),
          Snapshot = world:snapshot() }
      end
      local others = objects(5 - dim)
      for name, object in pairs(objects(dim)) do
        local toString = debug.getmetatable(object).__tostring
        local function refuse(printed, ...)
          local ok, message = pcall(toString, ...)
          assert.is_false(ok, name)
          assert.equal(("bad self to '__tostring' (%s expected, got %s; call it with ':')")
            :format(name, printed), message)
        end
        refuse("no value")
        refuse("number", 5)
        refuse("userdata", io.stdout)
        if name ~= "Backend" then
          refuse(("%dD %s"):format(5 - dim, name), others[name])
        end
        assert.is_truthy(toString(object):find("^" .. name .. " %("))
      end
    end
  end)

  it("that are called by hand leave a world and a pool closed", function()
    local world, pool = broadside.newWorld(), broadside.newPool({ capacity = 1 })
    for object, name in pairs({ [world] = "World", [pool] = "Pool" }) do
      debug.getmetatable(object).__gc(object)
      debug.getmetatable(object).__gc(object)
      assert.equal(name .. " (closed)", tostring(object))
      local ok, message = pcall(object.count, object)
      assert.is_false(ok)
      assert.equal(name:lower() .. " is closed", message)
    end
  end)

  it("finds no field that is not there, and sets none", function()
    local f = newFixture(2)
    for _, object in ipairs({ f.world, f.box, f.world:getBackend() }) do
      assert.is_nil((function()
        local ok, value = pcall(function()
          return object.noSuchMethod
        end)
        return ok and value or nil
      end)())
      assert.is_false((pcall(function()
        object.newField = 1
      end)))
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
end)
