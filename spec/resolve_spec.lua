-- Hand-made cases of `resolve`, in every symmetry and on every back end.

local broadside = require("broadside")
local scene = require("spec.support.scene")

-- Asserts the push, the number of pushes and where the box stands afterwards.
local function resolved(s, box, push, count, place)
  local got, n = s:resolve(box)
  assert.same(push, got)
  assert.equal(count, n)
  local rect = s:getRect(box)
  assert.same(place, { rect[1], rect[2] })
end

describe("resolve", function()
  it("leaves a box alone that overlaps nothing", function()
    scene.each(function(s)
      local box = s:insert({ 0, 0, 4, 4 })
      s:insert({ 4, 0, 4, 4 })
      s:insert({ 50, 0, 4, 4 })
      resolved(s, box, { 0, 0 }, 0, { 0, 0 })
    end)
  end)

  it("pushes out along the axis of least overlap", function()
    scene.each(function(s)
      local box = s:insert({ 0, 0, 4, 4 })
      local wall = s:insert({ 3, 1, 20, 20 })
      resolved(s, box, { -1, 0 }, 1, { -1, 0 })
      resolved(s, box, { 0, 0 }, 0, { -1, 0 })
      s:update(box, { 8, -2 })
      resolved(s, box, { 0, -1 }, 1, { 8, -3 })
      assert.same({ 3, 1, 20, 20 }, s:getRect(wall))
    end)
  end)

  it("comes to rest exactly where it touches", function()
    scene.each(function(s)
      local box = s:insert({ 0, 0, 4, 4 })
      s:insert({ 3.25, 0, 20, 20 })
      resolved(s, box, { -0.75, 0 }, 1, { -0.75, 0 })
      assert.same({}, s:queryBox(box))
    end)
  end)

  it("takes the least overlap first, so that a floor of tiles does not catch it", function()
    scene.each(function(s)
      for i = 0, 9 do
        s:insert({ 4 * i, 8, 4, 4 }, { static = true })
      end
      -- It reaches 0.5 into three tiles of the floor.
      local box = s:insert({ 9, 4.5, 8, 4 })
      resolved(s, box, { 0, -0.5 }, 1, { 9, 4 })
    end)
  end)

  it("pushes out of several boxes, one after the other", function()
    scene.each(function(s)
      local box = s:insert({ 0, 0, 4, 4 })
      s:insert({ 3.5, -50, 4, 100 })
      s:insert({ -50, 3, 100, 4 })
      resolved(s, box, { -0.5, -1 }, 2, { -0.5, -1 })
      assert.same({}, s:queryBox(box))
    end)
  end)

  it("breaks ties by insertion", function()
    scene.each(function(s)
      -- Each wall overlaps by 1 and pushes the box into the other: the last one wins.
      local box = s:insert({ 0, 0, 4, 4 })
      local right = s:insert({ 3, -50, 4, 100 })
      s:insert({ -3, -50, 4, 100 })
      resolved(s, box, { 1, 0 }, 2, { 1, 0 })
      right:remove()
      s:insert({ 3, -50, 4, 100 })
      s:update(box, { 0, 0 })
      resolved(s, box, { -1, 0 }, 2, { -1, 0 })
    end)
  end)

  it("pushes from each box at most once and always ends", function()
    scene.each(function(s)
      -- Between two walls with no room for it.
      local box = s:insert({ 0, 0, 4, 4 })
      s:insert({ 3, -50, 20, 100 })
      s:insert({ -19, -50, 20, 100 })
      local _, n = s:resolve(box)
      assert.equal(2, n)
      -- In a pile.
      for i = 1, 50 do
        s:insert({ i % 7 / 2, i % 5 / 2, 4, 4 })
      end
      _, n = s:resolve(box)
      assert.is_true(n <= 52)
    end)
  end)

  it("obeys its filter", function()
    scene.each(function(s)
      local box = s:insert({ 0, 0, 4, 4 })
      local wall = s:insert({ 3.5, -50, 4, 100 }, { layer = 2 })
      local floor = s:insert({ -50, 3, 100, 4 }, { layer = 4 })
      for _, filter in ipairs({ 4, wall, function(other)
        return other == floor
      end }) do
        s:update(box, { 0, 0 })
        local push, n = s:resolve(box, filter)
        assert.same({ 0, -1 }, push)
        assert.equal(1, n)
      end
    end)
  end)

  -- Each of the walls is a candidate until it has pushed.
  it("asks thousands of boxes in the way in about the time that finding them takes", function()
    local world = broadside.newWorld({ backend = "brute", results = "id" })
    local box = world:insert(0, 0, 4, 4)
    local count, asked, out = 3000, {}, {}
    for i = 1, count do
      world:insert(-1e6, -1e6, 1e6 + i / 1024, 2e6)
    end
    local began = os.clock()
    for _ = 1, count do
      world:queryRect(0, 0, 4, 4, nil, out)
    end
    local finding = os.clock() - began
    began = os.clock()
    local dx, dy, n = world:resolve(box, function(id)
      assert(not asked[id])
      asked[id] = true
      return true
    end)
    local resolving = os.clock() - began
    assert.same({ count / 1024, 0, count }, { dx, dy, n })
    assert.is_true(resolving < 8 * finding + 0.2, resolving .. " s against " .. finding)
  end)

  it("pushes a box out of one that surrounds it", function()
    scene.each(function(s)
      local box = s:insert({ 2, 4, 1, 1 })
      s:insert({ 0, 0, 9, 9 })
      resolved(s, box, { -3, 0 }, 1, { -1, 4 })
    end)
  end)

  it("pushes static and dynamic boxes alike", function()
    scene.each(function(s)
      local box = s:insert({ 0, 0, 4, 4 }, { static = true })
      s:insert({ 3, 1, 20, 20 }, { static = true })
      resolved(s, box, { -1, 0 }, 1, { -1, 0 })
    end)
  end)

  it("moves the box for pairs and queries too", function()
    scene.eachBackend(function(s)
      local box = s:insert({ 0, 0, 4, 4 })
      local other = s:insert({ 3, 1, 20, 20 })
      assert.equal(1, s.world:countPairs())
      s:resolve(box)
      assert.equal(0, s.world:countPairs())
      assert.same({ box }, s:queryPoint({ -0.5, 2 }))
      assert.same({ other }, s:queryPoint({ 3.5, 2 }))
    end)
  end)
end)
