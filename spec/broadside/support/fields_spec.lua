-- broadside.support.fields: loops over the fields of a table that are right in LuaJIT, too.

local fields = require("broadside.support.fields")

local function count(t)
  local n = 0
  for name, value in fields(t) do
    assert.equal(t[name], value)
    n = n + 1
  end
  return n
end

describe("broadside.support.fields", function()
  it("goes through all fields, and calls no metamethods", function()
    assert.equal(0, count({}))
    assert.equal(5, count({ 1, 2, [8] = 3, a = 4, [count] = false }))
    local meta = { __index = { more = 1 }, __pairs = error, __len = error }
    assert.equal(1, count(setmetatable({ a = 1 }, meta)))
  end)

  it("lets the loop remove fields", function()
    local t = { 1, 2, 3, a = 4, b = 5 }
    for name in fields(t) do
      t[name] = nil
    end
    assert.is_nil((fields(t))(t))
  end)

  -- LuaJIT compiles the inner loop first, and the outer one later, or not at all. With `pairs`,
  -- LuaJIT 2.1.0-beta3 ends most of these outer loops too early.
  it("goes through all fields in loops that are hot", function()
    local list = { 1, 2, 3, 4, 5 }
    local lists = { a = list, b = list, c = list, d = list, e = list }
    local function toInterpreter()
      for _ = 1, 100 do end
    end
    for _ = 1, 20000 do
      local n = 0
      toInterpreter()
      for _, inner in fields(lists) do
        for _ in fields(inner) do
          n = n + 1
        end
      end
      if n ~= 25 then
        assert.equal(25, n)
      end
    end
  end)
end)
