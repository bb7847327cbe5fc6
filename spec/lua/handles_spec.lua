-- Boxes and ids: there is one Box for each box, ids are exact as doubles, and both are stale when
-- the box has been removed.

local broadside = require("broadside")
local calls = require("spec.support.calls")
local collect = require("spec.support.collect")
local compat = require("spec.support.compat")
local fixture = require("spec.support.fixture")

local function assertRemoved(what, ok, message)
  assert.is_false(ok, what)
  message = tostring(message)
  assert.is_truthy(message:find("box was removed", 1, true), what .. ": " .. message)
end

describe("a Box", function()
  local world

  before_each(function()
    world = broadside.newWorld()
  end)

  it("is a userdata", function()
    assert.equal("userdata", type(world:insert(0, 0, 1, 1)))
  end)

  it("is always the same one, whoever hands it out", function()
    local a, b = world:insert(0, 0, 2, 2), world:insert(1, 1, 2, 2)
    local p, q = compat.unpack(collect.pairs(world)[1])
    local hit = world:segmentCast(-5, 0.5, 5, 0.5)
    local swept = world:sweepRect(-5, 0, 1, 1, 9, 0)
    for _, same in ipairs({ p, hit, swept, world:getBox(a:getId()), collect.boxes(world)[1],
      world:queryPoint(0.5, 0.5)[1], world:nearest(-1, -1)[1], world:queryBox(b)[1],
      world:collectPairs()[1] }) do
      assert.is_true(rawequal(a, same))
    end
    assert.is_true(rawequal(b, q))
  end)

  it("is the same one in a world of ids too", function()
    world = broadside.newWorld({ results = "id" })
    local id = world:insert(0, 0, 2, 2)
    local box = world:getBox(id)
    assert.equal("userdata", type(box))
    assert.is_true(rawequal(box, world:getBox(id)))
    assert.is_true(rawequal(box, collect.boxes(world)[1]))
    assert.equal(id, box:getId())
  end)

  it("stays the same one while nobody but the world holds it", function()
    local id = world:insert(0, 0, 2, 2):getId()
    local marks = setmetatable({}, { __mode = "k" })
    marks[world:getBox(id)] = "marked"
    for _ = 1, 3 do
      collectgarbage()
    end
    assert.equal("marked", marks[world:getBox(id)])
  end)

  it("works as the key of a table", function()
    local names = {}
    for i = 1, 100 do
      names[world:insert(i, 0, 1, 1)] = i
    end
    local i = 0
    for box in world:boxes() do
      i = i + 1
      assert.equal(i, names[box])
    end
    assert.equal(100, i)
  end)

  it("can be turned into a string, removed or not", function()
    local box = world:insert(0, 0, 1, 1)
    assert.is_string(tostring(box))
    box:remove()
    assert.is_string(tostring(box))
    assert.is_string(tostring(world))
    assert.is_string(tostring(world:getBackend()))
  end)
end)

describe("an id", function()
  local world

  before_each(function()
    world = broadside.newWorld()
  end)

  it("is a whole number that a double holds exactly", function()
    local seen = {}
    for i = 1, 1000 do
      local box = world:insert(i, 0, 1, 1)
      local id = box:getId()
      assert.equal("number", type(id))
      assert.equal(id, math.floor(id))
      assert.is_true(id > 0 and id < 2 ^ 53)
      assert.is_nil(seen[id])
      seen[id] = true
      if math.type then
        assert.equal("integer", math.type(id))
      end
      if i % 3 == 0 then
        box:remove()
      end
    end
  end)

  -- Generations begin at 64, and have 25 bits: 64 * 2^26 is 2^32.
  it("is beyond all masks, counts and indices", function()
    local pool = broadside.newPool({ capacity = 3 })
    for i = 0, 2 do
      assert.equal(2 ^ 32 + i, world:insert(i, 0, 1, 1):getId())
      assert.equal(2 ^ 52 + 2 ^ 32 + i, pool:spawn(0, 0, 0, 0))
    end
    world:remove(2 ^ 32 + 1)
    assert.equal(65 * 2 ^ 26 + 1, world:insert(0, 0, 1, 1):getId())
    pool:free(2 ^ 52 + 2 ^ 32 + 1)
    assert.equal(2 ^ 52 + 65 * 2 ^ 26 + 1, pool:spawn(0, 0, 0, 0))
    for i = 0, 2 do -- of the other kind
      assert.is_false(world:has(2 ^ 52 + 2 ^ 32 + i))
      assert.is_false(pool:isAlive(2 ^ 32 + i))
    end
    for _, never in ipairs({ 0, 2 ^ 26, 63 * 2 ^ 26 + 1, 66 * 2 ^ 26 + 1, 2 ^ 32 + 3 }) do
      assert.is_false(world:has(never))
      assert.is_false(pool:isAlive(never))
      local what = ("no box has the id %d)"):format(never)
      assert.is_truthy(select(2, pcall(world.remove, world, never)):find(what, 1, true))
    end
    assert.equal(3, world:count())
  end)

  it("is refused wherever a mask is wanted, by name and value", function()
    local box = world:insert(0, 0, 2, 2)
    local id = box:getId()
    local pool = broadside.newPool({ capacity = 3 })
    local function refuses(name, place, object, ...)
      local ok, message = pcall(object[name], object, ...)
      assert.is_false(ok, name)
      assert.equal(("bad argument #%s this is an id; 32-bit integer expected, got %.0f)")
        :format(place:format(name), id):gsub("%( this", "(this"), message)
    end
    refuses("queryRect", "5 to '%s' (", world, 0, 0, 5, 5, id)
    refuses("nearest", "4 to '%s' (", world, 0, 0, 1, id)
    refuses("segmentCast", "5 to '%s' (", world, 0, 0, 5, 5, id)
    refuses("move", "4 to '%s' (", world, box, 0, 0, id)
    refuses("resolve", "2 to '%s' (", world, box, id)
    refuses("setFilter", "1 to '%s' (", box, id, 1)
    refuses("setLayer", "1 to '%s' (", box, id)
    refuses("setMask", "1 to '%s' (", box, id)
    refuses("insert", "5 to '%s' (option 'layer':", world, 0, 0, 1, 1, { layer = id })
    refuses("move", "4 to '%s' (option 'slide':", world, box, 0, 0, { slide = id })
    refuses("hits", "2 to '%s' (", pool, world, id)
    assert.same({ box }, (world:queryRect(0, 0, 5, 5)))
  end)

  it("leads back to its Box, also as a float", function()
    local box = world:insert(0, 0, 1, 1)
    assert.is_true(rawequal(box, world:getBox(box:getId())))
    assert.is_true(rawequal(box, world:getBox(box:getId() + 0.0)))
    assert.is_true(world:has(box:getId() + 0.0))
  end)

  it("is taken wherever a Box is", function()
    local a, b = world:insert(0, 0, 4, 4), world:insert(2, 0, 4, 4)
    local id = a:getId()
    assert.same({ b }, (world:queryBox(id)))
    world:update(id, 1, 0)
    assert.same({ 1, 0, 4, 4 }, (world:getRects({ id })))
    assert.same({ -3, 0, 1 }, { world:resolve(id) })
    assert.is_true(rawequal(b, (world:sweep(id, 5, 0))))
    world:updateMany({ id }, { 9, 9 })
    assert.same({ 9, 9, 4, 4 }, { a:getRect() })
    assert.same({ 6, 0, {}, 0 }, { world:check(id, 6, 0) })
    assert.same({ 6, 0, {}, 0 }, { world:move(id, 6, 0) })
    assert.is_true(rawequal(b, (world:touching(id, -1, 0))))
    assert.same({ false, b }, { world:canFit(id, 5, 0) })
    assert.same({ { 7, 1 }, 0 }, { world:moveMany({ id }, { 7, 1 }) })
    assert.same({ 20, 20, {}, 0 }, { world:push(id, 20, 20) })
    world:remove(id)
    assert.is_true(a:isRemoved())
  end)

  it("is never given twice, however often a slot is used", function()
    local seen = {}
    for _ = 1, 2000 do
      local box = world:insert(0, 0, 1, 1)
      assert.is_nil(seen[box:getId()])
      seen[box:getId()] = true
      box:remove()
    end
  end)

  it("stays stale after its slot has been used very often", function()
    world = broadside.newWorld({ results = "id" })
    local first = world:insert(0, 0, 1, 1)
    world:remove(first)
    for _ = 1, compat.rounds(150000) do
      local id = world:insert(0, 0, 1, 1)
      if id == first then
        error("an old id was given again")
      end
      world:remove(id)
    end
    assert.is_false(world:has(first))
    assertRemoved("remove", pcall(world.remove, world, first))
  end)
end)

describe("a removed box", function()
  local f

  before_each(function()
    f = fixture.new(2, "box", "tree", 14)
  end)

  -- Each method of a Box, and each call in each place where it takes one.
  local function assertAllCallsRefuse()
    assert.is_true(f.removed:isRemoved())
    assert.is_false(f.world:has(f.removed))
    assert.is_false(f.world:has(f.removedId))
    local refused = 0
    local function refuses(row, args, self)
      local call, list = calls.prepare(row, f, args)
      list[1] = self or list[1]
      local before = f:state()
      assertRemoved(row.name, pcall(call, compat.unpack(list, 1, list.n)))
      assert.is_true(before == f:state(), row.name)
      refused = refused + 1
    end
    for _, row in ipairs(calls.rowsOf(2)) do
      if row.class == "Box" and not row.stale then
        refuses(row, calls.arguments(row, f), f.removed)
      end
      calls.eachBad(row, f, function(args, _, bad)
        if bad[3][1]:find("box was removed", 1, true) then
          refuses(row, args)
        end
      end)
    end
    assert.is_true(refused > 90, refused)
  end

  it("answers with the data that it had, also after its slot has been used again", function()
    for _, results in ipairs({ "box", "id", "data" }) do
      local world = broadside.newWorld({ results = results })
      local function insert(data)
        return world:getBox(world:insert(0, 0, 4, 4, { data = data }))
      end
      local sand, bare = insert("sand"), insert(nil)
      local before = world:snapshot()
      sand:remove()
      world:remove(bare)
      insert("other")
      assert.equal("sand", sand:getData())
      assert.is_nil(bare:getData())
      world:restore(before)
      assert.equal("sand", sand:getData())
      sand:setData("mud")
      local x, y, w, h = sand:getRect()
      assert.same({ 0, 0, 4, 4, world }, { x, y, w, h, sand:getWorld() })
      world:clear()
      assert.equal("mud", sand:getData())
      assert.is_true(sand:isRemoved())
    end
  end)

  it("says so and raises at any other use", function()
    assertAllCallsRefuse()
  end)

  it("stays removed after its slot has been used again", function()
    for i = 0, 3 do
      local new = f.world:insert(5 * i, 5, 1, 1)
      assert.is_false(new:isRemoved())
      assert.are_not.equal(f.removedId, new:getId())
      assert.is_false(rawequal(f.removed, new))
    end
    assertAllCallsRefuse()
  end)

  it("is what clear leaves behind", function()
    local old = f.boxes
    f.removed, f.removedId, f.boxes = f.box, f.box:getId(), {}
    f.world:clear()
    for i = 1, 14 do
      f:insert(i)
    end
    f.box, f.Box = f.boxes[4], f.boxes[4]
    assertAllCallsRefuse()
    for _, box in pairs(old) do
      assert.is_true(box:isRemoved())
    end
  end)
end)
