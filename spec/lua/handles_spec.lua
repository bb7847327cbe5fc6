-- Boxes and ids: there is one Box for each box, ids are exact as doubles, and both are stale when
-- the box has been removed.

local broadside = require("broadside")
local collect = require("spec.support.collect")
local compat = require("spec.support.compat")
local properties = require("spec.support.properties")

-- Every call with a box as an argument, as a function of the world and the Box or id.
local TAKE_A_BOX = {
  remove = function(world, box) world:remove(box) end,
  update = function(world, box) world:update(box, 1, 1) end,
  updateMany = function(world, box) world:updateMany({ box }, { 1, 1 }) end,
  getRects = function(world, box) world:getRects({ box }) end,
  queryBox = function(world, box) world:queryBox(box) end,
  sweep = function(world, box) world:sweep(box, 1, 1) end,
  resolve = function(world, box) world:resolve(box) end,
  move = function(world, box) world:move(box, 1, 1) end,
  check = function(world, box) world:check(box, 1, 1) end,
  moveMany = function(world, box) world:moveMany({ box }, { 1, 1 }) end,
  push = function(world, box) world:push(box, 1, 1) end,
  touching = function(world, box) world:touching(box, 0, 1) end,
  canFit = function(world, box) world:canFit(box, 1, 1) end,
}

-- Every method of a Box except isRemoved.
local METHODS = {
  getRect = {}, setRect = { 1, 2 }, getCenter = {}, setCenter = { 1, 2 }, getVelocity = {},
  setVelocity = { 1, 2 }, getAcceleration = {}, setAcceleration = { 1, 2 }, getData = {},
  setData = { 1 }, isStatic = {}, setStatic = { true }, getFilter = {}, setFilter = { 1, 1 },
  setObjectRect = { 0, 0, 1, 1 }, setTransform = { 1, 2 }, setRotates = { true }, getWorld = {},
  remove = {}, getId = {},
}
for _, method in ipairs(properties.methods) do
  METHODS[method.getter], METHODS[method.setter] = {}, method.good[1]
end

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

  -- Generations begin at 64, and 26 bits of an id follow them: 64 * 2^26 is 2^32.
  it("is beyond all masks, counts and indices", function()
    local pool = broadside.newPool({ capacity = 3 })
    for i = 0, 2 do
      assert.equal(2 ^ 32 + i, world:insert(i, 0, 1, 1):getId())
      assert.equal(2 ^ 32 + i, pool:spawn(0, 0, 0, 0))
    end
    world:remove(2 ^ 32 + 1)
    assert.equal(65 * 2 ^ 26 + 1, world:insert(0, 0, 1, 1):getId())
    pool:free(2 ^ 32 + 1)
    assert.equal(65 * 2 ^ 26 + 1, pool:spawn(0, 0, 0, 0))
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
  local world, box, id

  before_each(function()
    world = broadside.newWorld()
    box = world:insert(0, 0, 1, 1)
    id = box:getId()
  end)

  local function assertAllCallsRefuse()
    for name, call in pairs(TAKE_A_BOX) do
      assertRemoved("Box given to " .. name, pcall(call, world, box))
      assertRemoved("id given to " .. name, pcall(call, world, id))
    end
    for name, args in pairs(METHODS) do
      assertRemoved(name, pcall(box[name], box, compat.unpack(args)))
    end
    assertRemoved("getBox", pcall(world.getBox, world, id))
    assertRemoved("as a filter", pcall(world.queryRect, world, 0, 0, 1, 1, box))
    local other = world:insert(99, 99, 1, 1)
    for _, name in ipairs({ "move", "check", "push", "touching" }) do
      assertRemoved("as a filter of " .. name, pcall(world[name], world, other, 0, 99, box))
    end
    assertRemoved("as a filter", pcall(world.canFit, world, other, 1, 1, 1, 1, box))
    assertRemoved("as a filter", pcall(world.moveMany, world, { other }, { 1, 1 }, box))
    assert.same({ 99, 99, 1, 1 }, { other:getRect() })
    other:remove()
  end

  it("says so and raises at any other use", function()
    box:remove()
    assert.is_true(box:isRemoved())
    assertAllCallsRefuse()
    assert.equal(0, world:count())
  end)

  it("stays removed after its slot has been used again", function()
    world:remove(id)
    local new = world:insert(5, 5, 1, 1)
    assert.is_true(box:isRemoved())
    assert.is_false(new:isRemoved())
    assert.are_not.equal(id, new:getId())
    assert.is_false(rawequal(box, new))
    assertAllCallsRefuse()
    assert.same({ 5, 5, 1, 1 }, { new:getRect() })
    assert.equal(1, world:count())
  end)

  it("is what clear leaves behind", function()
    local ids, boxes = {}, {}
    for i = 1, 20 do
      boxes[i] = world:insert(i, 0, 1, 1)
      ids[i] = boxes[i]:getId()
    end
    world:clear()
    assertAllCallsRefuse()
    for i = 1, 20 do
      world:insert(i, 0, 1, 1)
    end
    assertAllCallsRefuse()
    for i = 1, 20 do
      assert.is_true(boxes[i]:isRemoved())
      assert.is_false(world:has(ids[i]))
    end
  end)

  it("cannot be removed twice", function()
    box:remove()
    world:insert(0, 0, 1, 1)
    assertRemoved("box:remove", pcall(box.remove, box))
    assertRemoved("world:remove", pcall(world.remove, world, box))
    assert.equal(1, world:count())
  end)
end)

describe("a box of another world", function()
  it("is refused wherever a box is taken", function()
    local world, other = broadside.newWorld(), broadside.newWorld()
    local foreign = other:insert(0, 0, 1, 1)
    world:insert(0, 0, 1, 1)
    for name, call in pairs(TAKE_A_BOX) do
      local ok, message = pcall(call, world, foreign)
      assert.is_false(ok, name)
      assert.is_truthy(message:find("another world", 1, true), name .. ": " .. message)
    end
    local ok, message = pcall(world.queryRect, world, 0, 0, 1, 1, foreign)
    assert.is_false(ok)
    assert.is_truthy(message:find("another world", 1, true), message)
    assert.is_false(world:has(foreign))
    assert.same({ 0, 0, 1, 1 }, { foreign:getRect() })
  end)

  it("is refused when that world has another number of axes", function()
    local flat, deep = broadside.newWorld(), broadside.newWorld({ dim = 3 })
    local a, b = flat:insert(0, 0, 1, 1), deep:insert(0, 0, 0, 1, 1, 1)
    assert.is_false((pcall(flat.remove, flat, b)))
    assert.is_false((pcall(deep.remove, deep, a)))
    assert.is_false((pcall(flat.remove, deep, a)))
    pcall(a.getRect, b)
    pcall(a.setRect, b, 5, 5)
    pcall(flat.count, deep)
    pcall(flat.insert, deep, 0, 0, 1, 1)
    assert.equal(1, flat:count())
    assert.same({ 0, 0, 1, 1 }, { a:getRect() })
    assert.same({ 1, 1, 1 }, { compat.unpack({ b:getRect() }, 4) })
  end)
end)
