-- Hooks of the debug library run around every call, also around those that the library makes to
-- itself. They may use the world that the call is about.

local broadside = require("broadside")

-- What f returns, with a hook of calls and returns that runs `inside` in each of them.
local function hooked(inside, f)
  local busy = true
  debug.sethook(function()
    if not busy then
      busy = true
      inside()
      busy = false
    end
  end, "cr")
  busy = false
  local a, b = f()
  busy = true
  debug.sethook()
  return a, b
end

local function row(n)
  local world, ids = broadside.newWorld({ results = "id" }), {}
  for i = 1, n do
    ids[i] = world:insert(10 * i, 0, 5, 5)
  end
  return world, ids
end

describe("A hook of calls", function()
  it("does not mix its results into others'", function()
    local world, ids = row(40)
    local function ask()
      world:queryRect(1000, 0, 1, 1)
      world:queryRect(395, -1, 100, 100)
      world:queryRect(11, 1, 1, 1, function() return true end)
    end
    assert.same(ids, (hooked(ask, function() return world:queryRect(0, 0, 500, 5, nil, {}) end)))
    assert.same(ids, (hooked(ask, function()
      return world:queryRect(0, 0, 500, 5, function() return true end)
    end)))
    local rects, n = hooked(ask, function() return world:getRects(ids, {}) end)
    assert.same({ 40, 160 }, { n, #rects })
    for i = 1, 40 do
      assert.equal(10 * i, rects[4 * i - 3])
    end
    local _, rows = hooked(ask, function() return world:debugRects({}) end)
    assert.equal(select(2, world:debugRects()), rows)
  end)

  it("may insert while a box is inserted", function()
    local world = broadside.newWorld()
    local others = 0
    local box = hooked(function()
      others = others + 1
      world:insert(500, 500, 1, 1, { data = "other" })
    end, function() return world:insert(0, 0, 1, 1, { data = "own" }) end)
    assert.equal("own", box:getData())
    assert.equal(others + 1, #world:queryRect(-1, -1, 1000, 1000))
    local many = hooked(function()
      world:insertMany({ 500, 500, 1, 1 }, { data = "other" })
    end, function() return world:insertMany({ 0, 0, 1, 1, 2, 0, 1, 1 }, { data = "own" }) end)
    assert.same({ "own", "own" }, { many[1]:getData(), many[2]:getData() })
  end)

  it("may change a world that a box moves in, unless a filter function is asked", function()
    local filters = { false, 1, { cross = -1 }, function() return "cross" end }
    for _, filter in ipairs(filters) do
      for _, name in ipairs({ "move", "check", "push" }) do
        local world, ids = row(6)
        local x, rows = hooked(function()
          pcall(world.insert, world, 500, 500, 1, 1)
          pcall(world.update, world, ids[6], 57, 0)
          pcall(world.setBackend, world, "tree")
        end, function()
          local x, _, hits, n = world[name](world, ids[1], 57, 0, filter or nil, {})
          assert.equal(n, #hits)
          return x, hits
        end)
        assert.is_true(x == 57 or name ~= "push")
        for i, hit in ipairs(rows) do
          assert.is_true(world:has(hit.other) and i < 6)
        end
      end
    end
  end)

  it("may change a pool that is collected", function()
    local pool = broadside.newPool({ capacity = 1000 })
    local places, n = hooked(function()
      pool:spawn(1, 2, 0, 0)
    end, function() return pool:collect({}) end)
    assert.equal(2 * n, #places)
  end)

  it("cannot begin what a call has prepared", function()
    local world, ids = row(40)
    local busy, begun = false, 0
    debug.sethook(function()
      local inner = not busy and debug.getinfo(2, "fS")
      if inner and inner.what == "C" then
        busy = true
        begun = begun + (pcall(inner.func, world) and 1 or 0)
        busy = false
      end
    end, "cr")
    local found = world:queryRect(0, 0, 500, 5, function() return true end)
    local hit = world:segmentCast(0, 2, 500, 2, function(id) return id == ids[20] end)
    local x, _, _, met = world:move(ids[1], 500, 0, function(_, other)
      return other == ids[20] and "slide" or "cross"
    end)
    local places = world:moveMany({ ids[1], ids[2] }, { 10, 0, 100, 0 }, 0)
    local _, _, _, pushed = world:push(ids[40], 500, 0, function() return "slide" end)
    debug.sethook()
    assert.same({ 195, 19 }, { x, met })
    assert.same({ { 10, 0, 100, 0 }, 0 }, { places, pushed })
    assert.same(ids, found)
    assert.equal(ids[20], hit)
    assert.is_true(begun > 0)
  end)

  it("stays set", function()
    local world = row(3)
    local counted = 0
    debug.sethook(function() counted = counted + 1 end, "cr", 1000)
    local set = { debug.gethook() }
    world:queryRect(0, 0, 500, 5, nil, {})
    local before = counted
    world:insert(0, 0, 1, 1, { data = 1 })
    local now = { debug.gethook() }
    debug.sethook()
    assert.same(set, now)
    assert.is_true(counted > before)
  end)
end)
