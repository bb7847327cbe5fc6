-- What holds for every call of the API, by the rows of spec/support/calls.lua.

local annotations = require("tools.annotations")
local broadside = require("broadside")
local buffer = require("spec.support.buffer")
local calls = require("spec.support.calls")
local compat = require("spec.support.compat")
local expect = require("spec.support.expect")
local fixture = require("spec.support.fixture")
local garbageOf = require("spec.support.garbage")
local kinds = require("spec.support.kinds")

local unpack = compat.unpack

local CLASSES = { "World", "Box", "Snapshot", "Backend", "Pool", "PoolSnapshot", "Emitter",
  "Model" }

local RESULTS = { "id", "box", "data" }
local BACKENDS = { "tree", "grid", "sweep", "brute", "auto" }

local function newFixture(dim, results)
  return fixture.new(dim, results or "box", "tree", 14)
end

-- Defines a test for each number of axes, and calls f(row, dim, name) in it for each row.
local function eachRow(what, f)
  for dim = 2, 3 do
    it(("%s in %dD"):format(what, dim), function()
      for _, row in ipairs(calls.rowsOf(dim)) do
        f(row, dim, ("%s.%s in %dD"):format(row.class, row.name, dim))
      end
    end)
  end
end

-- A Data needs a C compiler.
local function canTry(row)
  return row.words[1] ~= "data" or buffer.new(1) ~= nil
end

-- The place of the first word of such a kind, or nil.
local function placeOf(row, dim, ...)
  for place, word in ipairs(calls.parameters(row, dim)) do
    for i = 1, select("#", ...) do
      if word == select(i, ...) then
        return place, word
      end
    end
  end
end

-- What the annotations say of a call, by its class and name: blocks[dim][name].
local blocks = {}

for dim = 2, 3 do
  blocks[dim] = {}
  for _, path in ipairs({ "types/library/broadside.lua",
    ("types/library/broadside/%dd.lua"):format(dim) }) do
    for _, block in ipairs(annotations.read(path, {})) do
      local owner = block.owner and block.owner:match("^broadside%.(%a+)3?$") or "module"
      blocks[dim][owner .. "." .. tostring(block.name)] = block
    end
  end
end

local function blockOf(row, dim)
  local class = row.class == "geometry" and "module" or row.class
  return blocks[dim][class .. "." .. calls.nameOf(row, dim)] or { params = {}, returns = {} }
end

-- Whether the call makes a table for its results, as it is given none.
local function lacksTable(row, f, choices)
  for i, word in ipairs(row.words) do
    if word == "out?" or word == "hits?" or word == "distances?" or word == "corners?" then
      if kinds.good(word, f)[choices[i]][1] == nil then
        return true
      end
    end
  end
  return false
end

describe("every call", function()
  teardown(buffer.close)

  it("has a row", function()
    for dim = 2, 3 do
      local f, has = newFixture(dim), {}
      for _, row in ipairs(calls.rows) do
        local call = calls.functionOf(row, f)
        assert.equal("function", type(call), row.name)
        has[call] = true
      end
      for _, class in ipairs(CLASSES) do
        local meta = debug.getmetatable(f[class])
        for _, list in ipairs({ meta, meta.__index }) do
          for name, value in pairs(list) do
            local isHidden = name == "__gc" or name == "__newindex"
            assert.is_true(isHidden or type(value) ~= "function" or has[value],
              ("no row for %s.%s in %dD"):format(class, name, dim))
          end
        end
      end
      for name, value in pairs(broadside) do
        local isOther = (name:sub(-1) == "3") ~= (dim == 3)
        assert.is_true(has[value] or isOther or type(value) ~= "function", name)
      end
    end
  end)

  eachRow("has as many arguments as in the annotations, and no more results",
    function(row, dim, name)
      local block = blockOf(row, dim)
      local optional = row.words[1] == "noOpts?" and 1 or 0
      assert.equal(#block.params, #calls.parameters(row, dim) - optional, name)
      calls.eachChoice(row, newFixture(dim), function(choices)
        local f = newFixture(dim)
        local results = compat.pack(calls.try(row, f, calls.arguments(row, f, choices)))
        local most = row.loops and 2 or row.name:find("^__") and 1 or #block.returns
        assert.is_true(results.n - 1 <= most or not canTry(row),
          ("%s: %d results"):format(name, results.n - 1))
      end)
    end)

  eachRow("takes good arguments, and changes something only where its row says so",
    function(row, dim, name)
      calls.eachChoice(row, newFixture(dim), function(choices)
        local f = newFixture(dim)
        local args, before = calls.arguments(row, f, choices), f:state()
        local ok, message = calls.try(row, f, args)
        assert.is_true(ok or not canTry(row), name .. ": " .. tostring(message))
        assert.is_true(row.changes or row.remembers or before == f:state(), name)
      end)
    end)

  eachRow("returns an iterator that needs no state, and takes no other one",
    function(row, dim, name)
      local f, other = newFixture(dim), newFixture(dim)
      local ok, next = calls.try(row, f, calls.arguments(row, f))
      if not row.loops or not ok then
        return
      end
      local wanted = {}
      for value in select(2, calls.try(row, other, calls.arguments(row, other))) do
        wanted[#wanted + 1] = tostring(value)
      end
      local before, told = f:state(), {}
      local rubbish = { 1, "x", {}, io.stdout, f.world, f.pool, f.box, print, false }
      for i = 1, #wanted + #rubbish do
        local value = next(rubbish[i], rubbish[i + 1])
        told[#told + 1] = value ~= nil and tostring(value) or nil
      end
      assert.is_nil(next())
      assert.same(wanted, told, name)
      assert.is_true(before == f:state(), name)
    end)

  -- Garbage shows from the second call on. (What hits are put into is full by then.) Each choice
  -- of arguments has another back end and another kind of results than the one before.
  eachRow("makes garbage only where its row says so", function(row, dim, name)
    local turn = 0
    calls.eachChoice(row, newFixture(dim), function(choices)
      turn = turn + 1
      local f = fixture.new(dim, RESULTS[1 + turn % 3], BACKENDS[1 + turn % 5], 14)
      local call, list = calls.prepare(row, f, calls.arguments(row, f, choices))
      if row.makes or row.ends or not canTry(row) or lacksTable(row, f, choices) then
        return
      end
      f.emitter:stop()
      local bytes = garbageOf(function()
        local next, state = call(unpack(list, 1, list.n))
        if row.loops then
          for _ in next, state do -- luacheck: ignore
          end
        end
      end, 10)
      assert.is_true(bytes <= 0, ("%s, choices %s: %d bytes"):format(name,
        table.concat(choices, " "), bytes))
    end)
  end)

  eachRow("of the module asks for a '.'", function(row, dim, name)
    local f = newFixture(dim)
    local call, self = calls.functionOf(row, f)
    local args = calls.arguments(row, f)
    for n = 0, self == nil and #row.words > 0 and row.words[1] ~= "noOpts?" and args.n or -1 do
      expect.message(("bad argument #1 to '%s' (this is the module itself; call it with '.', not "
        .. "':')"):format(calls.nameOf(row, dim)), call, broadside, unpack(args, 1, n))
    end
    assert.is_string(name)
  end)

  eachRow("refuses another self, and asks for a ':'", function(row, dim, name)
    local f = newFixture(dim)
    local call, self = calls.functionOf(row, f)
    if not self then
      return
    end
    local args, before = calls.arguments(row, f), f:state()
    local function refuses(...)
      local ok, message = pcall(call, ...)
      assert.is_false(ok, name)
      local start = ("bad self to '%s' ("):format(row.name:gsub("__len", "count"))
      assert.equal(start, message:sub(1, #start))
      assert.is_truthy(message:find("call it with ':')", 1, true), message)
    end
    refuses()
    for _, other in ipairs({ "x", {}, print, io.stdout, true, 1, false }) do
      refuses(other)
      refuses(other, unpack(args, 1, args.n))
    end
    for _, class in ipairs(CLASSES) do
      -- Snapshots of worlds and of pools have the same methods.
      if class:gsub("^Pool(Snapshot)", "%1") ~= row.class:gsub("^Pool(Snapshot)", "%1") then
        refuses(f[class])
        refuses(f[class], unpack(args, 1, args.n))
      end
    end
    if row.name == "__tostring" then
      assert.equal(row.class, call(self):match("^(%a+) ?%("), name)
    end
    if row.class ~= "Backend" then
      local ok, message = pcall(call, newFixture(5 - dim)[row.class], unpack(args, 1, args.n))
      assert.is_false(ok, name)
      assert.is_truthy(message:find("expected, got .*" .. row.class), message)
    end
    assert.equal(before, f:state())
  end)
end)

describe("a table for results", function()
  eachRow("is filled, returned, and cleared behind the end", function(row, dim, name)
    local place = placeOf(row, dim, "out?", "hits?")
    if not place then
      return
    end
    local f = newFixture(dim)
    local args, out = calls.arguments(row, f), {}
    for i = 1, 400 do
      out[i] = "old"
    end
    args[place] = out
    local results, isReturned = { calls.try(row, f, args) }, false
    assert.is_true(results[1], name)
    for i = 2, 9 do
      isReturned = isReturned or rawequal(results[i], out)
    end
    assert.is_true(isReturned, name)
    assert.is_true(#out < 400, name)
    for i = 1, 400 do
      assert.is_true((out[i] == nil) == (i > #out) and out[i] ~= "old", name)
    end
  end)

  -- The length is that of the first gap that a search by doubling finds.
  eachRow("of more items than can be counted is refused, and left as it is",
    function(row, dim, name)
      local place, out = placeOf(row, dim, "out?", "hits?"), { 1, 1, nil, 1, 1 }
      out[8], out[9] = 1, 1
      for i = 4, 40 do
        out[2 ^ i] = 1
      end
      if not place or #out < 2 ^ 32 then
        return -- this version searches tables in another way
      end
      local f = newFixture(dim)
      local args, before = calls.arguments(row, f), f:state()
      args[place] = out
      local ok, message = calls.try(row, f, args)
      assert.is_false(ok, name)
      assert.equal("not enough memory", message, name)
      assert.equal(1, out[1])
      assert.equal(before, f:state())
    end)
end)

describe("within a filter function", function()
  -- The calls with a filter function.
  local function askers(dim)
    local list = {}
    for _, row in ipairs(calls.rowsOf(dim)) do
      list[#list + 1] = placeOf(row, dim, "filter?", "rules?") and row or nil
    end
    return list
  end

  -- All calls with their arguments, which are made before: some of them change the fixture.
  local function prepare(f)
    local list = {}
    for _, row in ipairs(calls.rowsOf(f.dim)) do
      list[#list + 1] = canTry(row) and { row, calls.arguments(row, f) } or nil
    end
    return list
  end

  -- Whether the asker lets nobody change that.
  local function isLocked(asker, class)
    return asker.class == "Pool" and (class == "Pool" or class == "Emitter")
      or class == "World" or class == "Box"
  end

  for dim = 2, 3 do
    for _, asker in ipairs(askers(dim)) do
      it(("of %s:%s in %dD, calls that change something are busy, and all others work"):format(
        asker.class, asker.name, dim), function()
        local f = newFixture(dim)
        local asked, list, args = false, prepare(f), calls.arguments(asker, f)
        local before = f:state()
        args[placeOf(asker, dim, "filter?", "rules?")] = function()
          if asked then
            return false
          end
          asked = true
          for _, entry in ipairs(list) do
            local row = entry[1]
            local name = ("%s.%s"):format(row.class, row.name)
            if not row.changes then
              local ok, message = calls.try(row, f, entry[2])
              assert.is_true(ok, name .. ": " .. tostring(message))
            elseif isLocked(asker, row.class) then
              local ok, message = calls.try(row, f, entry[2])
              assert.is_false(ok, name)
              local owner = (row.class == "World" or row.class == "Box") and "world" or "pool"
              assert.equal(owner .. " is busy: a function that it has called must not change it",
                message, name)
            end
          end
          assert.equal(before, f:state())
          return false
        end
        local ok, message = calls.try(asker, f, args)
        assert.is_true(ok, message)
        assert.is_true(asked)
        f:works()
      end)
    end
  end
end)
