-- Boxes with an object-space rectangle and a transform: scale, then rotation, then translation.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local expect = require("spec.support.expect")
local scene = require("spec.support.scene")

local function near(expected, ...)
  expect.allNear(expected, { ... })
end

local function refused(problem, box, ...)
  expect.message("'setTransform' would not give a box (" .. problem .. ")", box.setTransform, box,
    ...)
end

local quarter = math.pi / 2
local half = math.sqrt(0.5)

describe("setTransform", function()
  local world, box

  before_each(function()
    world = broadside.newWorld()
    box = world:insert(0, 0, 1, 1)
    box:setObjectRect(1, 2, 3, 4)
  end)

  it("places the object rectangle", function()
    assert.same({ 0, 0, 1, 1 }, { box:getRect() })
    box:setTransform(10, 20)
    assert.same({ 11, 22, 3, 4 }, { box:getRect() })
    box:setTransform(10, 20, 0, 2, 3)
    assert.same({ 12, 26, 6, 12 }, { box:getRect() })
    box:setTransform(0, 0)
    assert.same({ 1, 2, 3, 4 }, { box:getRect() })
  end)

  it("does what broadside.transform does", function()
    for _, args in ipairs({ { 5, 6 }, { 5, 6, 0.3 }, { 5, 6, -2, 2, 3 }, { 5, 6, 1, -1, 1 } }) do
      local x, y, angle, sx, sy = compat.unpack(args)
      box:setTransform(x, y, angle, sx, sy)
      assert.same({ broadside.transform(1, 2, 3, 4, x, y, angle, sx, sy) }, { box:getRect() })
    end
  end)

  it("turns, unless the box does not rotate", function()
    box:setTransform(10, 20, quarter)
    near({ 4, 21, 4, 3 }, box:getRect())
    box:setRotates(false)
    box:setTransform(10, 20, quarter, 2, 3)
    assert.same({ 12, 26, 6, 12 }, { box:getRect() })
    box:setRotates(true)
    box:setTransform(10, 20, quarter)
    near({ 4, 21, 4, 3 }, box:getRect())
  end)

  it("never wears the object rectangle out", function()
    for i = 1, 1000 do
      box:setTransform(i, -i, i, 1 + i % 3, 2)
    end
    box:setTransform(0, 0)
    assert.same({ 1, 2, 3, 4 }, { box:getRect() })
  end)

  it("takes the box's rectangle where none was set", function()
    local other = world:insert(1, 2, 3, 4)
    other:setTransform(10, 20)
    assert.same({ 11, 22, 3, 4 }, { other:getRect() })
    other:setTransform(0, 0, 0, 2, 2)
    assert.same({ 2, 4, 6, 8 }, { other:getRect() })
  end)

  it("takes nothing over from a removed box whose index it has", function()
    box:setRotates(false)
    box:remove()
    local other = world:insert(2, 3, 3, 4)
    other:setTransform(0, 0, 0, 2)
    assert.same({ 4, 6, 6, 8 }, { other:getRect() })
    other:setTransform(10, 20, quarter)
    near({ 3, 22, 4, 3 }, other:getRect())
  end)

  it("takes a new object rectangle at the next transform", function()
    box:setTransform(10, 20)
    box:setObjectRect(0, 0, 5, 5)
    assert.same({ 11, 22, 3, 4 }, { box:getRect() })
    box:setTransform(10, 20)
    assert.same({ 10, 20, 5, 5 }, { box:getRect() })
  end)

  it("moves the box for pairs, queries and casts", function()
    for _, backend in ipairs(scene.backends) do
      world:setBackend(backend)
      local other = world:insert(100, 100, 10, 10)
      assert.equal(0, world:countPairs())
      box:setTransform(100, 100)
      assert.same({ other }, (world:queryBox(box)))
      assert.equal(1, world:countPairs())
      box:setTransform(0, 0)
      assert.equal(0, world:countPairs())
      other:remove()
    end
  end)

  it("never makes a box without size", function()
    box:setTransform(10, 20)
    assert.is_false((pcall(box.setTransform, box, 10, 20, 1 / 0)))
    refused("w would be 0", box, 10, 20, 0, 0, 1)
    refused("h would be 0", box, 10, 20, 0, 1, 0)
    refused("w would be inf", box, 10, 20, 0, 1e308, 1e308)
    refused("x would be inf", box, 1.5e308, 20, 0, 5e307, 1)
    refused("x + w would be inf", box, 1.2e308, 20, 0, 4e307, 1)
    assert.same({ 11, 22, 3, 4 }, { box:getRect() })
    box:setTransform(10, 20, 1, 0, 1) -- it becomes a line, but not along an axis
    box:setRotates(false)
    refused("w would be 0", box, 10, 20, 1, 0, 1)
  end)

  it("tells what the present rect would become where there is no object rect", function()
    local plain = world:insert(0, 0, 2, 2)
    refused("h would be inf", plain, 0, 0, 0, 1, 1e308)
    assert.same({ 0, 0, 2, 2 }, { plain:getRect() })
    plain:setRect(5, 5)
    plain:setTransform(0, 0) -- the refused call has not set an object rect
    assert.same({ 5, 5, 2, 2 }, { plain:getRect() })
  end)
end)

describe("setTransform in 3D", function()
  local box

  before_each(function()
    box = broadside.newWorld({ dim = 3 }):insert(0, 0, 0, 1, 1, 1)
    box:setObjectRect(1, 2, 3, 4, 5, 6)
  end)

  it("places and scales the object rectangle", function()
    box:setTransform(10, 20, 30)
    assert.same({ 11, 22, 33, 4, 5, 6 }, { box:getRect() })
    box:setTransform(10, 20, 30, 0, 0, 0, 1, 2, 3, 4)
    assert.same({ 12, 26, 42, 8, 15, 24 }, { box:getRect() })
    box:setTransform(10, 20, 30, 0, 0, 0, 1, 2, 3)
    assert.same({ 12, 26, 36, 8, 15, 12 }, { box:getRect() })
    box:setTransform(10, 20, 30, nil, nil, nil, nil, 2)
    assert.same({ 12, 24, 36, 8, 10, 12 }, { box:getRect() })
  end)

  it("turns by a unit quaternion, unless the box does not rotate", function()
    box:setTransform(0, 0, 0, 0, 0, half, half)
    near({ -7, 1, 3, 5, 4, 6 }, box:getRect())
    box:setRotates(false)
    box:setTransform(0, 0, 0, 0, 0, half, half)
    assert.same({ 1, 2, 3, 4, 5, 6 }, { box:getRect() })
  end)

  it("never makes a box without size", function()
    refused("d would be 0", box, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0)
    refused("z would be -inf", box, 0, 0, -1.5e308, 0, 0, 0, 1, 1, 1, -5e307)
  end)

  it("does what broadside.transform3 does", function()
    box:setTransform(7, 8, 9, half, 0, 0, half, 2, 3, 4)
    assert.same({ broadside.transform3(1, 2, 3, 4, 5, 6, 7, 8, 9, half, 0, 0, half, 2, 3, 4) },
      { box:getRect() })
  end)
end)
