-- The lists of rows for move, check and push, and the lists of places for moveMany. Whatever a
-- script passes, either the answer is right, or an error says what is wrong with the list.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local dump = require("spec.support.dump")
local expect = require("spec.support.expect")

local unpack = compat.unpack

-- A box without data, and three dynamic boxes with data in its way to the right.
local function newRow(results, dim)
  local world = broadside.newWorld({ results = results, dim = dim, gravity = dim == 3 and
    { 0, -1, 0 } or { 0, -1 } })
  local boxes = {}
  for i = 0, 3 do
    boxes[i] = world:insert(compat.values(dim == 3 and { 10 * i, 0, 0, 1, 1, 1 } or
      { 10 * i, 0, 1, 1 }, { data = i > 0 and i ~= 2 and "box" .. i or nil }))
  end
  return world, boxes
end

local CROSS = { cross = -1 }

local CALLS = {
  move = function(world, boxes, out, n)
    return select(3, world:move(boxes[0], n * 10, 0, CROSS, out))
  end,
  moveBy = function(world, boxes, out, n)
    return select(3, world:moveBy(boxes[0], n * 10, 0, CROSS, out))
  end,
  check = function(world, boxes, out, n)
    return select(3, world:check(boxes[0], n * 10, 0, CROSS, out))
  end,
  ["move with a function"] = function(world, boxes, out, n)
    return select(3, world:move(boxes[0], n * 10, 0, function() return "cross" end, out))
  end,
  push = function(world, boxes, out, n)
    return select(3, world:push(boxes[0], n * 10, 0, nil, out))
  end,
}

-- Calls `try(call)` for each kind of call.
local function eachCall(try)
  for name, call in pairs(CALLS) do
    local ok, message = pcall(try, call, name == "push")
    if not ok then
      error(name .. ": " .. tostring(message), 0)
    end
  end
end

local function others(list)
  local names = {}
  for i, row in ipairs(list) do
    names[i] = row.other
  end
  return names
end

describe("rows", function()
  it("have all fields of their kind, and no others", function()
    for dim = 2, 3 do
      local world, boxes = newRow("box", dim)
      local function keysOf(row)
        local keys = {}
        for key in pairs(row) do
          keys[#keys + 1] = key
        end
        table.sort(keys)
        return table.concat(keys, " ")
      end
      local goal = { 5, unpack({ 0, 0 }, 1, dim - 1) }
      goal[1] = 11
      local hits = select(dim + 1, world:check(boxes[0], unpack(goal)))
      assert.equal(dim == 2 and "nx ny other overlap response t x y"
        or "nx ny nz other overlap response t x y z", keysOf(hits[1]))
      hits = select(dim + 1, world:push(boxes[0], unpack(goal)))
      assert.equal(dim == 2 and "carried crushed other x y" or "carried crushed other x y z",
        keysOf(hits[1]))
    end
  end)

  it("name boxes as results says", function()
    for _, results in ipairs({ "box", "id", "data" }) do
      eachCall(function(call)
        local world, boxes = newRow(results)
        local expected = results == "data" and { "box1", boxes[2], "box3" }
          or { boxes[1], boxes[2], boxes[3] }
        assert.same(expected, others((call(world, boxes, nil, 3))))
        assert.equal(results == "id" and "number" or "userdata", type(expected[2]))
      end)
    end
  end)

  it("of push tell where boxes have come to that push each other", function()
    for n, places in pairs({ [1] = { 11 }, [2] = { 21, 22 }, [3] = { 31, 32, 33 } }) do
      local world, boxes = newRow("box")
      local rows = CALLS.push(world, boxes, nil, n)
      for i, x in ipairs(places) do
        assert.same({ boxes[i], x, 0, false, false }, { rows[i].other, rows[i].x, rows[i].y,
          rows[i].crushed, rows[i].carried })
        assert.equal(x, (boxes[i]:getRect()))
      end
    end
  end)

  it("are used again, also after a list was shorter", function()
    eachCall(function(call)
      local out, rows = {}, {}
      for turn, n in ipairs({ 1, 3, 0, 2, 3, 0, 1, 3 }) do
        local world, boxes = newRow("box")
        local list, count = call(world, boxes, out, n)
        assert.is_true(rawequal(out, list))
        assert.equal(n, count, turn)
        assert.equal(n, #out)
        for i = 1, n do
          rows[i] = rows[i] or out[i]
          assert.is_true(rawequal(rows[i], out[i]))
          assert.equal(boxes[i], out[i].other)
        end
        for i = n + 1, 5 do
          assert.is_nil(out[i])
        end
      end
    end)
  end)

  it("take the place of what stood in the list", function()
    eachCall(function(call)
      local world, boxes = newRow("box")
      local out = { "a", "b", "c", "d", "e", x = "kept" }
      call(world, boxes, out, 2)
      assert.equal(2, #out)
      assert.equal(boxes[2], out[2].other)
      assert.is_nil(out[3] or out[4] or out[5])
      assert.equal("kept", out.x)
    end)
  end)
end)

describe("a table for rows", function()
  it("may have been another call's, in 2D or 3D", function()
    local out = {}
    for _ = 1, 2 do
      for dim = 2, 3 do
        local goal = { 30, unpack({ 0, 0 }, 1, dim - 1) }
        for _ = 1, 2 do
          local world, boxes = newRow("box", dim)
          world:check(boxes[0], compat.values(goal, CROSS, out))
          assert.same({ boxes[1], boxes[2], boxes[3] }, others(out))
          assert.is_nil(out[1].crushed or out[1].carried)
          assert.equal(0, out[1].ny)
          assert.equal(dim == 3 and 0 or nil, out[1].nz)
          world:push(boxes[0], compat.values(goal, nil, out))
          assert.same({ boxes[1], boxes[2], boxes[3] }, others(out))
          assert.is_nil(out[1].response or out[1].overlap)
          assert.equal(dim == 3 and 0 or nil, out[1].z)
          world:queryPoint(compat.values({ unpack({ 999, 0, 0 }, 1, dim) }, nil, out))
          assert.equal(0, #out)
          world:moveMany({ boxes[0] }, { unpack({ 0, 0, 0 }, 1, dim) }, nil, out)
          assert.equal(dim, #out)
        end
      end
    end
  end)

  it("may have negative keys and rows of anybody's", function()
    for _, strange in ipairs({ 5, "x", true, print, {}, { overlap = true, nz = 1 },
      { carried = 1, crushed = 1, z = 1 }, setmetatable({ overlap = 1, ny = 1 }, {
        __newindex = error, __index = error, __mode = "kv" }) }) do
      eachCall(function(call)
        local world, boxes = newRow("box")
        local out = { strange, strange }
        for i = 1, 16 do
          out[-i] = strange
        end
        call(world, boxes, out, 3)
        assert.equal(3, #out)
        assert.equal(boxes[3], out[3].other)
        assert.equal("number", type(out[3].x))
      end)
    end
  end)

  it("has the places of its rows for keys, and no others", function()
    eachCall(function(call)
      for _, out in ipairs({ {}, setmetatable({}, {}), (broadside.newWorld():queryPoint(0, 0)) }) do
        for _, n in ipairs({ 3, 1, 0, 2, 3 }) do
          local world, boxes = newRow("box")
          call(world, boxes, out, n)
          local keys = {}
          for key in pairs(out) do
            keys[#keys + 1] = key
          end
          assert.same(({ [0] = {}, { 1 }, { 1, 2 }, { 1, 2, 3 } })[n], keys)
        end
      end
    end)
  end)

  it("does not share its rows with one that has the same metatable", function()
    eachCall(function(call)
      for _, metatable in ipairs({ {}, false }) do
        local world, boxes = newRow("box")
        local first = setmetatable({}, metatable or nil)
        call(world, boxes, first, 2)
        local second = setmetatable({}, getmetatable(first))
        world, boxes = newRow("box")
        call(world, boxes, second, 2)
        assert.equal(2, #first)
        assert.equal(2, #second)
        assert.is_false(rawequal(first[1], second[1]))
        assert.equal(boxes[1], second[1].other)
      end
    end)
  end)

  it("may be its own row", function()
    eachCall(function(call)
      local world, boxes = newRow("box")
      local out = { overlap = true, ny = 1, carried = true, crushed = true }
      call(world, boxes, out, 1)
      local rows = getmetatable(out) -- where the list keeps its rows
      for key in pairs(rows) do
        rows[key] = out
      end
      world, boxes = newRow("box")
      call(world, boxes, out, 1)
      assert.equal(boxes[1], out.other)
    end)
  end)

  it("may have lost, moved or spoiled its rows", function()
    eachCall(function(call)
      local out = {}
      local world, boxes = newRow("box")
      call(world, boxes, out, 3)
      out[1].x, out[2].other, out[2].overlap, out[2].carried = nil, nil, nil, nil
      setmetatable(out[3], { __newindex = error, __index = error })
      out[1], out[2], out[3], out[4] = out[2], "mine", out[1], "long"
      for _ = 1, 2 do
        world, boxes = newRow("box")
        call(world, boxes, out, 3)
        assert.same({ boxes[1], boxes[2], boxes[3] }, others(out))
        for i = 1, 3 do
          assert.equal("number", type(rawget(out[i], "x")), i)
        end
      end
    end)
  end)

  it("is not asked for metamethods", function()
    eachCall(function(call)
      local world, boxes = newRow("box")
      local out = setmetatable({}, { __index = error, __newindex = error, __len = error,
        __metatable = false, __gc = error, __call = error, __pairs = error })
      call(world, boxes, out, 3)
      assert.equal(boxes[3], rawget(out, 3).other)
      debug.setmetatable(out, nil)
    end)
  end)

  it("may be weak, or become so", function()
    eachCall(function(call)
      for _, mode in ipairs({ "k", "v", "kv" }) do
        local out = setmetatable({}, { __mode = mode })
        for _ = 1, 3 do
          local world, boxes = newRow("box")
          assert.equal(3, (select(2, call(world, boxes, out, 3))))
          collectgarbage()
        end
        setmetatable(out, nil)
        local world, boxes = newRow("box")
        assert.same({ boxes[1], boxes[2] }, others((call(world, boxes, out, 2))))
      end
    end)
  end)

  it("must not be the filter", function()
    local world, boxes = newRow("box")
    local before, masks = dump(world), { cross = -1 }
    for name, call in pairs({
      move = function() world:move(boxes[0], 30, 0, masks, masks) end,
      moveBy = function() world:moveBy(boxes[0], 30, 0, masks, masks) end,
      check = function() world:check(boxes[0], 30, 0, masks, masks) end,
      push = function() world:push(boxes[0], 30, 0, masks, masks) end,
    }) do
      local ok, message = pcall(call)
      assert.is_false(ok)
      assert.matches(("bad argument #5 to '%s' %%(another table than the filter"):format(name),
        message)
    end
    expect.message("bad argument #4 to 'moveMany' (another table than the filter expected)",
      world.moveMany, world, { boxes[0] }, { 30, 0 }, masks, masks)
    assert.equal(before, dump(world))
    assert.same({ cross = -1 }, masks)
  end)

  it("may be that of the boxes or of the goals of moveMany", function()
    for _, results in ipairs({ "box", "id" }) do
      local world, boxes = newRow(results)
      local list, goals = { boxes[1], boxes[2] }, { 5, 5, 7, 7 }
      local out, hindered = world:moveMany(list, goals, nil, goals)
      assert.is_true(rawequal(goals, out))
      assert.same({ { 5, 5, 7, 7 }, 0 }, { goals, hindered })
      goals = { 0.5, 0, 7, 9 }
      out, hindered = world:moveMany(list, goals, nil, list)
      assert.is_true(rawequal(list, out))
      assert.same({ { 1, 0, 7, 9 }, 1 }, { { unpack(out, 1, 4) }, hindered }) -- luacheck: ignore
    end
  end)
end)
