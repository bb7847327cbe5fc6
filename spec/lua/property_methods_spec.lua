-- The properties of boxes, each by its row in include/broadside/conduct.h: as an option, by its
-- methods, in snapshots. What they do is in the specs of what uses them.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local dump = require("spec.support.dump")
local expect = require("spec.support.expect")
local properties = require("spec.support.properties")

local unpack, nan, huge = compat.unpack, compat.nan, compat.huge

-- What all getters of a box return, by their names.
local function read(box)
  local values = {}
  for _, method in ipairs(properties.methods) do
    values[method.getter] = { box[method.getter](box) }
  end
  return values
end

-- The options { name = value } that give a box what the method's setter is given by `list`.
local function optionsOf(method, list)
  local options = {}
  for i, option in ipairs(method.options) do
    options[option.option] = option.kind == "SIDE" and list or list[i]
  end
  return options
end

local function isSame(a, b)
  for i = 1, math.max(#a, #b) do
    if a[i] ~= b[i] then
      return false
    end
  end
  return true
end

-- Calls f(method, list, usual, changed) for each good list of values of each pair of methods, with
-- what the getters return of a new box and of one that has these values.
local function eachValue(f)
  local usual = read(broadside.newWorld():insert(0, 0, 1, 1))
  for _, method in ipairs(properties.methods) do
    for _, list in ipairs(method.good) do
      local changed = {}
      for name, values in pairs(usual) do
        changed[name] = name == method.getter and list or values
      end
      f(method, list, usual, changed)
    end
  end
end

describe("a property", function()
  local world

  before_each(function()
    world = broadside.newWorld()
  end)

  it("of a new box has its default", function()
    local box = world:insert(0, 0, 1, 1)
    for _, method in ipairs(properties.methods) do
      assert.same(method.usual, { box[method.getter](box) })
    end
  end)

  it("is given as an option or set, and is read back, and no other one with it", function()
    eachValue(function(method, list, usual, changed)
      local boxes = { world:insert(0, 0, 1, 1, optionsOf(method, list)),
        world:insertMany({ 0, 0, 1, 1 }, optionsOf(method, list))[1], world:insert(0, 0, 1, 1) }
      assert.same(usual, read(boxes[3]))
      assert.same({}, { boxes[3][method.setter](boxes[3], unpack(list)) })
      for _, box in ipairs(boxes) do
        assert.same(changed, read(box))
        box:remove() -- whose index another box gets
      end
      assert.same(usual, read(world:insert(0, 0, 1, 1)))
      world:clear()
    end)
  end)

  it("that may be nil is set back by it", function()
    for _, method in ipairs(properties.methods) do
      if #method.usual == 0 then
        local box = world:insert(0, 0, 1, 1, optionsOf(method, method.good[1]))
        box[method.setter](box, nil)
        assert.same({}, { box[method.getter](box) })
        box[method.setter](box, unpack(method.good[1]))
        box[method.setter](box)
        assert.same({}, { box[method.getter](box) })
      end
    end
  end)

  it("is in snapshots and in their bytes", function()
    local hashes = {}
    world:insert(0, 0, 1, 1)
    hashes[world:snapshot():getHash()] = true
    world = broadside.newWorld()
    eachValue(function(method, list, usual, changed)
      local box = world:insert(0, 0, 1, 1)
      local before = world:snapshot()
      box[method.setter](box, unpack(list))
      local after = world:snapshot()
      local bytes = after:getString()
      world:restore(before)
      assert.same(usual, read(box))
      world:restore(after)
      assert.same(changed, read(box))
      local other = broadside.newWorld()
      other:restore(bytes)
      for copy in other:boxes() do
        assert.same(changed, read(copy))
      end
      assert.equal(bytes, other:snapshot():getString())
      local isNew = not hashes[after:getHash()]
      hashes[after:getHash()] = true
      assert.equal(isNew, not isSame(list, method.usual), method.setter)
      world = broadside.newWorld()
    end)
  end)

  it("as it is in a new box takes no memory", function()
    local box = world:insert(0, 0, 1, 1)
    local before = world:stats().memory
    for _, method in ipairs(properties.methods) do
      box[method.setter](box, unpack(method.usual))
      assert.equal(before, world:stats().memory, method.setter)
    end
  end)

  it("that is wrong is refused as an option", function()
    local before = dump(world)
    for _, option in ipairs(properties.options) do
      for _, bad in ipairs(option.bad) do
        expect.message(("bad argument #5 to 'insert' (option '%s': %s expected, got %s)"):format(
          option.option, option.expected, properties.describe(bad, option.expected)),
          world.insert, world, 0, 0, 1, 1, { [option.option] = bad })
        assert.equal(before, dump(world))
      end
    end
  end)
end)

describe("the side of a one-way box", function()
  -- Calls f(world, box, rect, zeros) for each number of axes.
  local function eachDim(f)
    for dim = 2, 3 do
      local world = broadside.newWorld({ dim = dim })
      local rect = dim == 2 and { 0, 0, 1, 1 } or { 0, 0, 0, 1, 1, 1 }
      f(world, world:insert(unpack(rect)), rect, { unpack({ 0, 0, 0 }, 1, dim) })
    end
  end

  local function withOne(list, i, value)
    local changed = compat.copy(list)
    changed[i] = value
    return changed
  end

  it("is a normal along one axis", function()
    eachDim(function(world, box, rect, zeros)
      for axis = 1, #zeros do
        for _, sign in ipairs({ 1, -1 }) do
          local normal = withOne(zeros, axis, sign)
          box:setOneWay(unpack(normal))
          assert.same(normal, { box:getOneWay() })
          local other = world:insert(compat.values(rect, { oneWay = normal }))
          assert.same(normal, { other:getOneWay() })
        end
      end
    end)
  end)

  it("is nothing else", function()
    eachDim(function(world, box, rect, zeros)
      local before = withOne(zeros, 2, 1)
      box:setOneWay(unpack(before))
      -- A message says at which number the normal is wrong.
      local function refused(normal, at, expected, got)
        expect.message(("bad argument #%d to 'setOneWay' (%s expected, got %s)"):format(at,
          expected, got), box.setOneWay, box, unpack(normal))
        expect.message(("bad argument #%d to 'insert' (option 'oneWay': %s as item %d expected, "
          .. "got %s)"):format(#rect + 1, expected, at, got), world.insert, world,
          compat.values(rect, { oneWay = normal }))
        assert.same(before, { box:getOneWay() })
      end
      refused(zeros, #zeros, "-1 or 1", "0")
      for axis = 1, #zeros do
        for _, bad in ipairs({ { nan, "finite number", "nan" }, { huge, "finite number", "inf" },
          { "1", "finite number", "string" }, { 0.5, "-1, 0 or 1", "0.5" },
          { -2, "-1, 0 or 1", "-2" } }) do
          refused(withOne(zeros, axis, bad[1]), axis, bad[2], bad[3])
        end
        for other = axis + 1, #zeros do
          refused(withOne(withOne(zeros, axis, 1), other, -1), other,
            "0, as the normal is along another axis,", "-1")
        end
      end
    end)
  end)

  it("has as many numbers as there are axes", function()
    local world = broadside.newWorld()
    local LISTS = { { {}, 0 }, { { 1 }, 1 }, { { 0, 1, 0 }, 3 }, { { x = 0, y = 1 }, 0 } }
    for _, case in ipairs(LISTS) do
      expect.refused("2 numbers in the list expected, got " .. case[2], world.insert, world, 0, 0,
        1, 1, { oneWay = case[1] })
    end
  end)
end)

describe("the bounce", function()
  it("of a box that was given none is nil, and so is set back: setBounce(getBounce())", function()
    local world = broadside.newWorld()
    local box = world:insert(0, 0, 1, 1, { response = "bounce" })
    local before = world:snapshot():getHash()
    box:setBounce(box:getBounce())
    assert.equal(before, world:snapshot():getHash())
    box:setBounce(1)
    assert.equal(1, box:getBounce())
    assert.not_equal(before, world:snapshot():getHash())
    box:setBounce(nil)
    assert.is_nil(box:getBounce())
    assert.equal(before, world:snapshot():getHash())
  end)
end)

describe("drag and the highest speed by axis", function()
  it("are as many numbers as there are axes, each of them right", function()
    for dim = 2, 3 do
      local world = broadside.newWorld({ dim = dim })
      local rect = dim == 2 and { 0, 0, 1, 1 } or { 0, 0, 0, 1, 1, 1 }
      local box = world:insert(unpack(rect))
      local before = world:snapshot():getHash()
      local function refused(option, setter, list, expected)
        expect.message(("bad argument #1 to '%s' (%s)"):format(setter, expected),
          box[setter], box, list, 0)
        expect.message(("bad argument #%d to 'insert' (option '%s': %s)"):format(#rect + 1, option,
          expected), world.insert, world, compat.values(rect, { [option] = list }))
        assert.equal(before, world:snapshot():getHash())
      end
      local short = dim == 2 and { 1 } or { 1, 1 }
      refused("drag", "setDrag", short,
        ("%d numbers in the list expected, got %d"):format(dim, dim - 1))
      refused("maxSpeed", "setMaxSpeed", { 1, 1, 1, 1 },
        ("%d numbers in the list expected, got 4"):format(dim))
      for axis = 1, dim do
        local BAD = { { -1, "-1" }, { huge, "inf" }, { nan, "nan" }, { "1", "string" } }
        for _, bad in ipairs(BAD) do
          local list = { 1, 1, 1 }
          list[dim + 1], list[axis] = nil, bad[1]
          refused("drag", "setDrag", list,
            ("number >= 0 as item %d expected, got %s"):format(axis, bad[2]))
        end
        local list = { 1, 1, 1 }
        list[dim + 1], list[axis] = nil, 0
        refused("maxSpeed", "setMaxSpeed", list,
          ("number > 0 as item %d expected, got 0"):format(axis))
      end
    end
  end)
end)

describe("the names of sides", function()
  local SIDES = { up = { 0, -1, 0 }, down = { 0, 1, 0 }, left = { -1, 0, 0 }, right = { 1, 0, 0 } }

  it("stand for normals, as an option and for the setter", function()
    for dim = 2, 3 do
      for name, normal in pairs(SIDES) do
        local world = broadside.newWorld({ dim = dim })
        local rect = dim == 2 and { 0, 0, 1, 1 } or { 0, 0, 0, 1, 1, 1 }
        normal[3] = dim == 3 and 0 or nil
        local box = world:insert(compat.values(rect, { oneWay = name }))
        assert.same(normal, { box:getOneWay() })
        box:setOneWay(nil)
        assert.is_nil((box:getOneWay()))
        box:setOneWay(name)
        assert.same(normal, { box:getOneWay() })
        for _, bad in ipairs({ "Up", "", "upwards" }) do
          assert.is_false(pcall(box.setOneWay, box, bad))
        end
        assert.same(normal, { box:getOneWay() })
      end
    end
  end)

  it("are in messages about other ones", function()
    local world = broadside.newWorld()
    assert.has_error(function() world:insert(0, 0, 1, 1, { oneWay = "north" }) end,
      "bad argument #5 to 'insert' (option 'oneWay': \"up\", \"down\", \"left\" or \"right\", " ..
      "or table of 2 finite numbers, expected, got 'north')")
  end)
end)

describe("setLayer and setMask", function()
  it("set one of the two", function()
    local box = broadside.newWorld():insert(0, 0, 1, 1, { layer = 2, mask = 5 })
    box:setLayer(8)
    assert.same({ 8, 5 }, { box:getFilter() })
    box:setMask(0xffffffff)
    assert.same({ 8, 0xffffffff }, { box:getFilter() })
  end)
end)
