-- The methods that use LuaJIT's FFI must answer as the ordinary ones do. The spec makes the same
-- calls in two worlds with equal contents: with any arguments, with finalisers and hooks during the
-- calls, compiled and interpreted. Without LuaJIT the switch must stay off.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local random = require("spec.support.random")
local child = require("spec.support.child")
local ways = require("spec.support.ways")

local nan, huge, unpack, pack = compat.nan, compat.huge, compat.unpack, compat.pack
local NAMES, fast, ordinary = ways.NAMES, ways.fast, ways.ordinary
local plain, call, interpret = ways.plain, ways.call, ways.interpret
local before, hasFFI = ways.wasOn, ways.hasFFI
local jit = rawget(_G, "jit")
local newproxy = rawget(_G, "newproxy")

describe("broadside.useFFI", function()
  after_each(function()
    broadside.useFFI(before)
  end)

  it("tells and switches, where there is FFI", function()
    local isOn = compat.isLuaJIT and jit.status() and os.getenv("BROADSIDE_FFI") ~= "0"
    assert.equal(isOn, before)
    assert.is_false(broadside.useFFI(false))
    assert.is_false(broadside.useFFI())
    assert.equal(hasFFI, broadside.useFFI(true))
    assert.equal(hasFFI, broadside.useFFI(nil))
    for _, name in ipairs(NAMES) do
      assert.equal(hasFFI, fast[name] ~= ordinary[name], name)
    end
  end)

  it("refuses what is no boolean", function()
    for _, bad in ipairs({ 1, "on", {} }) do
      local ok, message = pcall(function() broadside.useFFI(bad) end)
      assert.is_false(ok)
      assert.is_truthy(message:find("^[^:]*ffi_spec.lua:%d+: bad argument #1 to 'useFFI' "
        .. "%(boolean expected, got " .. type(bad) .. "%)$"), message)
    end
  end)

  it("hides what only the module needs", function()
    assert.is_nil(require("broadside.d2").fast)
  end)
end)

if not hasFFI then
  return
end

-- Two worlds that begin alike --------------------------------------------------------------------

local function newScene(way, results, seed)
  local rng = random.new(seed)
  local s = { way = way, world = broadside.newWorld({ results = results }), boxes = {}, outs = {} }
  for i = 1, 40 do
    local opts = { static = rng:chance(0.5), layer = rng:int(1, 3), sensor = rng:chance(0.1),
      data = rng:chance(0.7) and { i } or nil }
    local x, y, w = rng:int(0, 60), rng:int(0, 60), rng:int(1, 8)
    local box
    if rng:chance(0.15) then
      box = s.world:insertCircle(x, y, w, opts)
    else
      box = s.world:insert(x, y, w, rng:int(1, 8), opts)
    end
    s.boxes[i] = results == "id" and s.world:getBox(box) or box
  end
  s.removed = s.world:getBox(s.boxes[40]:getId())
  s.removedId = s.removed:getId()
  s.removed:remove()
  s.boxes[40] = nil
  s.foreign = broadside.newWorld():insert(0, 0, 1, 1)
  s.solid = broadside.newWorld({ dim = 3 }):insert(0, 0, 0, 1, 1, 1)
  for i = 1, 3 do
    s.outs[i] = {}
  end
  s.outs.strange = setmetatable({ 1, 2, 3 }, { __index = function() return "?" end })
  s.outs.hidden = setmetatable({}, { __metatable = "hidden" })
  s.outs.long = { 1, 2, 3, 4, 5, 6 }
  s.outs.weak = setmetatable({}, { __mode = "v" })
  s.masks = { { slide = 1 }, { slide = true }, { cross = 2, slide = true }, { bounce = 3 },
    { touch = 1, bounce = 2 }, { push = 3 }, { push = true }, { cross = -1 }, {} }
  s.badMasks = { { slid = 1 }, { slide = "1" }, { slide = 2 ^ 32 }, { 1 }, { cross = false },
    { slide = 1, [print] = 2 }, { touch = 0.5 } }
  return s
end

-- Makers of arguments. A maker takes the rng and returns a function of the scene, so that both
-- scenes get the same argument.
local function constant(value)
  return function() return value end
end

local function anyBox(rng)
  local i, byId = rng:int(1, 39), rng:chance(0.4)
  return function(s) return byId and s.boxes[i]:getId() or s.boxes[i] end
end

local function coordinate(rng)
  return constant(rng:pick({ rng:int(-5, 70), rng:real(-5, 70), 30 }))
end

local function side(rng)
  return constant(rng:pick({ 0, 0, 0, 1, -1, 2.5 }))
end

local function size(rng)
  local given = rng:chance(0.4)
  local value = rng:int(1, 6)
  return constant(given and value or nil)
end

local function filter(rng)
  local kind, mask, i, box = rng:int(1, 8), rng:int(-4, 4), rng:int(1, 9), anyBox(rng)
  local response = rng:pick({ "slide", "touch", "cross", "bounce", "push", nil })
  return function(s)
    if kind <= 2 then
      return nil
    elseif kind <= 3 then
      return mask
    elseif kind <= 5 then
      return s.masks[i]
    elseif kind <= 6 then
      local found = box(s)
      return type(found) == "userdata" and found or nil
    elseif kind <= 7 then
      return function(_, other)
        return (other or s.boxes[1]) and response
      end
    end
    return mask == 0 and s.badMasks[i] or nil
  end
end

local function out(rng)
  local key = rng:pick({ 1, 2, 3, 1, 2, 3, "strange", "hidden", "long", "weak" })
  local given = rng:chance(0.6)
  return function(s) return given and s.outs[key] or nil end
end

local function asId(rng)
  return constant(rng:pick({ true, false, 1 }))
end

-- An object that looks like a Box, but whose memory is empty.
local impostor = newproxy and newproxy(true)
if impostor then
  local metatable = getmetatable(impostor)
  metatable.__metatable = "Box"
  metatable.__index = function() return 1 end
end

local BAD = {
  function() return setmetatable({}, { __metatable = "Box" }) end,
  function() return nan end, function() return huge end, function() return "5" end,
  function() return {} end, function() return true end, function() return print end,
  function() return 1e308 end, function() return -1e308 end, function() return 2 ^ 32 end,
  function() return 1.5 end, function() return -1 end, function() return 2 ^ 53 end,
  function() return 0 end, function() return nil end, function() return io.stdout end,
  function() return impostor end, function(s) return s.world end, function(s) return s.solid end,
  function(s) return s.foreign end, function(s) return s.removed end,
  function(s) return s.removedId end, function(s) return s.foreign:getId() + 2 ^ 30 end,
  function(s) return s.outs[1] end, function(s) return s.badMasks[1] end,
  function() return coroutine.create(print) end,
  function() return require("ffi").new("int64_t", 5) end,
}

local function world(s)
  return s.world
end

local CALLS = {
  move = { constant(world), anyBox, coordinate, coordinate, filter, out },
  check = { constant(world), anyBox, coordinate, coordinate, filter, out },
  touching = { constant(world), anyBox, side, side, filter, asId },
  segmentCast = { constant(world), coordinate, coordinate, coordinate, coordinate, filter },
  update = { constant(world), anyBox, coordinate, coordinate, size, size },
  getRect = { anyBox },
  setRect = { anyBox, coordinate, coordinate, size, size },
}

local function run(s, name, makers, n)
  local args = { n = n }
  for i = 1, n do
    args[i] = makers[i](s)
  end
  return ways.tell(s.way[name], args)
end

-- Draws a call with its makers of arguments. Some arguments are bad, missing, or too many.
local function draw(rng)
  local name = rng:pick(NAMES)
  local makers, n = {}, #CALLS[name]
  for i, kind in ipairs(CALLS[name]) do
    makers[i] = kind(rng)
  end
  if rng:chance(0.15) then
    makers[rng:int(1, n)] = rng:pick(BAD)
  end
  if rng:chance(0.1) then
    n = rng:int(0, n)
  elseif rng:chance(0.1) then
    n = n + 1
    makers[n] = constant(7)
  end
  return name, makers, n
end

local function rects(s)
  local list = {}
  for i, box in ipairs(s.boxes) do
    list[i] = { ordinary.getRect(box) }
  end
  return list
end

local function compare(results, seed, turns, between)
  local a, b = newScene(fast, results, seed), newScene(ordinary, results, seed)
  local rng = random.new(seed + 1000)
  for turn = 1, turns do
    local name, makers, n = draw(rng)
    between()
    local x, y = run(a, name, makers, n), run(b, name, makers, n)
    assert.same(y, x, ("seed %d, turn %d: %s"):format(seed, turn, name))
  end
  assert.same(rects(b), rects(a))
  assert.same(plain(b.outs), plain(a.outs))
end

local function nothing()
end

describe("answers by FFI", function()
  for _, results in ipairs({ "box", "id", "data" }) do
    it("are those of the ordinary methods, with results = " .. results, function()
      for seed = 1, compat.rounds(4) do
        compare(results, seed, 300, nothing)
      end
    end)
  end

  it("are so with the compiler off, too", function()
    interpret()
    finally(function() jit.on() end)
    for seed = 1, compat.rounds(2) do
      compare("box", seed, 300, nothing)
    end
  end)

  it("are so in coroutines, and with the collector at work", function()
    local inner = coroutine.wrap(function()
      while true do
        coroutine.yield(compare("box", 5, 200, function() collectgarbage("step", 5) end))
      end
    end)
    inner()
    inner()
  end)

  it("are so in the loops that the compiler takes to", function()
    local a, b = newScene(fast, "box", 9), newScene(ordinary, "box", 9)
    local places = {}
    for k, s in ipairs({ a, b }) do
      local rng, list, way = random.new(3), {}, s.way
      for i = 1, 4000 do
        local box = s.boxes[i % 39 + 1]
        local x, y, hits, n = way.move(s.world, box, rng:int(0, 60), rng:int(0, 60), nil, s.outs[1])
        list[#list + 1] = x + 64 * y + 4096 * n + (n > 0 and hits[n].other:getId() % 97 or 0)
        local _, _, fresh, m = way.check(s.world, box, 30, 30, i % 3 + 1)
        list[#list + 1] = m > 0 and fresh[1].t or #fresh
        local other, _, _, nx = way.segmentCast(s.world, 0, 0, rng:int(0, 60), 60, box)
        list[#list + 1] = other and other:getId() + nx or 0
        list[#list + 1] = way.touching(s.world, box, 0, 1, nil, true) or 0
        way.update(s.world, box, x, y)
        way.setRect(box, y, x)
        local left, top, w, h = way.getRect(box)
        list[#list + 1] = left + top * 64 + w * 4096 + h
      end
      places[k] = list
    end
    assert.same(places[2], places[1])
  end)
end)

describe("a filter", function()
  local all = { slide = 1, touch = 2, bounce = 4, push = 8, cross = 16 }
  local names = { "slide", "touch", "bounce", "push", "cross" }

  -- All tables with these names as keys, some with one more key, or with a bad value.
  local function tables()
    local list = {}
    for bits = 0, 31 do
      for _, extra in ipairs({ "", "slid", "other", 1, 2.5, false, true, print, {} }) do
        local masks, bit = {}, bits
        for _, name in ipairs(names) do
          masks[name] = bit % 2 == 1 and all[name] or nil
          bit = math.floor(bit / 2)
        end
        masks[extra ~= "" and extra or "slide"] = extra ~= "" and 1 or masks.slide
        list[#list + 1] = masks
      end
    end
    for _, name in ipairs(names) do
      for _, value in ipairs({ true, false, 0, -1, 1.5, 2 ^ 32, 2 ^ 32 - 1, -2 ^ 31, -2 ^ 31 - 1,
        nan, huge, "1", {}, print }) do
        list[#list + 1] = { [name] = value }
      end
    end
    return list
  end

  it("that is a table is taken and refused alike, whatever its keys and values", function()
    local a, b = newScene(fast, "box", 4), newScene(ordinary, "box", 4)
    local refused, list = 0, tables()
    for i = 1, #list do
      for _, name in ipairs({ "move", "check", "touching", "segmentCast" }) do
        local x, y = 30, i % 60
        local makers = { function(s) return s.world end, function(s) return s.boxes[i % 39 + 1] end,
          function() return x end, function() return y end, function() return list[i] end }
        if name == "segmentCast" then
          makers[2] = makers[4]
          table.insert(makers, 5, makers[3])
        elseif name == "touching" then
          x, y = 1, 0
        end
        local told = run(b, name, makers, #makers)
        assert.same(told, run(a, name, makers, #makers), ("table %d: %s"):format(i, name))
        refused = refused + (told[1] == "error" and 1 or 0)
      end
    end
    assert.is_true(refused > #list and refused < 4 * #list)
  end)
end)

describe("a list for results", function()
  -- Compares both versions by f(way, world, mover, list), with a list that has had rows before.
  local function both(f)
    local told = {}
    for k, way in ipairs({ fast, ordinary }) do
      local s = { world = broadside.newWorld(), boxes = {} }
      local mover, list = s.world:insert(0, 0, 4, 4), {}
      s.world:insert(10, -10, 4, 40)
      s.world:insert(0, 10, 40, 4)
      for _ = 1, 2 do
        way.check(s.world, mover, 20, 20, nil, list)
      end
      local ok, results = pcall(f, way, s.world, mover, list)
      told[k] = plain({ ok, results, list })
    end
    assert.same(told[2], told[1])
    return told[1]
  end

  it("that is weak is refused, also where that comes late", function()
    local told = both(function(way, w, mover, list)
      getmetatable(list).__mode = "k"
      return call(way.move, pack(w, mover, 20, 0, nil, list))
    end)
    assert.is_truthy(told[2]:find("must not be weak", 1, true))
  end)

  it("is not the filter", function()
    local told = both(function(way, w, mover)
      local masks = { slide = 1 }
      return call(way.move, pack(w, mover, -20, 0, masks, masks))
    end)
    assert.is_truthy(told[2]:find("another table than the filter", 1, true))
  end)

  it("that has another list's metatable does not change that list's rows", function()
    both(function(way, w, mover, list)
      local copy = setmetatable({}, getmetatable(list))
      return call(way.move, pack(w, mover, 20, 0, nil, copy))
    end)
  end)

  it("gets its rows back that the game has put elsewhere, or spoiled", function()
    both(function(way, w, mover, list)
      list[1], list[2], list[3], list[4] = list[2], "mine", "too", "long"
      list[1].t = nil
      setmetatable(list[1], { __newindex = error })
      return call(way.check, pack(w, mover, 20, 20, nil, list))
    end)
    both(function(way, w, mover, list)
      list[1].overlap = nil
      return call(way.check, pack(w, mover, 20, 20, nil, list))
    end)
  end)

  it("of rows of another kind, or longer than before, is taken", function()
    both(function(way, w, mover, list)
      w:push(mover, 20, 0, nil, list)
      w:insert(12, -10, 40, 10)
      way.check(w, mover, 20, -20, nil, list)
      return call(way.check, pack(w, mover, 0, 0, nil, list))
    end)
  end)

  it("is taken by both ways in turn", function()
    local w = broadside.newWorld()
    local mover, wall = w:insert(0, 0, 4, 4), w:insert(10, 0, 4, 4)
    local _, _, list = fast.check(w, mover, 20, 0)
    local row = list[1]
    for _, way in ipairs({ ordinary, fast, ordinary }) do
      way.check(w, mover, 20, 0, nil, list)
      assert.equal(row, list[1])
      assert.equal(wall, row.other)
    end
    assert.is_false(pcall(function() return row.normalX end))
  end)
end)

-- What comes in between --------------------------------------------------------------------------

describe("a finaliser that makes calls", function()
  -- Changes boxes far away, and queries near ones, with lists of its own.
  local function disturb(s, far, list)
    fast.check(s.world, s.boxes[7], 20, 20, nil, list)
    fast.segmentCast(s.world, 0, 30, 70, 30)
    fast.move(s.world, far, 9000, 10001)
    fast.move(s.world, far, 9030, 10002, nil, list)
    s.world:insert(20000, 0, 1, 1):remove()
  end

  it("does not show in the answers", function()
    local a, b = newScene(fast, "box", 21), newScene(ordinary, "box", 21)
    for _, s in ipairs({ a, b }) do
      s.far = s.world:insert(9000, 10001, 8, 8)
      s.world:insert(9020, 10000, 8, 20, { static = true })
    end
    local runs, list = 0, {}
    local function litter()
      local proxy = newproxy(true)
      getmetatable(proxy).__gc = function()
        runs = runs + 1
        disturb(a, a.far, list)
      end
    end
    local rng = random.new(8)
    local x1, y1, hits1, n1
    local goals = {}
    for i = 1, 6000 do
      goals[i] = { rng:int(1, 39), rng:int(0, 60), rng:int(0, 60) }
    end
    for _, s in ipairs({ a, b }) do
      s.told = {}
      for i = 1, #goals do
        local goal = goals[i]
        if s == a and i % 3 == 0 then
          litter()
        end
        x1, y1, hits1, n1 = s.way.move(s.world, s.boxes[goal[1]], goal[2], goal[3], nil,
          i % 2 == 0 and s.outs[1] or nil)
        local sum = x1 + y1 * 64
        for k = 1, n1 do
          local hit = hits1[k]
          sum = sum + hit.other:getId() % 1009 + hit.t + hit.nx + hit.x
        end
        s.told[i] = sum
      end
    end
    collectgarbage()
    assert.is_true(runs > 1000)
    assert.same(b.told, a.told)
    assert.same(rects(b), rects(a))
  end)
end)

describe("a change in the middle of a call", function()
  -- Makes two boxes. After `at` instructions a hook removes the wall, and inserts another box in
  -- its slot. Returns the results of the call, and whether the hook has run.
  local function disturb(at, f)
    local w = broadside.newWorld()
    local mover, wall = w:insert(0, 0, 4, 4), w:insert(10, 0, 4, 4, { static = true })
    local list, done = {}, false
    ordinary.check(w, mover, 20, 0, nil, list)
    debug.sethook(function()
      if not done then
        done = true
        debug.sethook()
        wall:remove()
        w:insert(500, 500, 1, 1, { static = true })
      end
    end, "", at)
    local results = pack(f(w, mover, list))
    debug.sethook()
    return results, wall, mover, done
  end

  local function tryTravel(name, at, fresh)
    local results, wall, mover, done = disturb(at, function(w, box, list)
      return fast[name](w, box, 20, 0, nil, not fresh and list or nil)
    end)
    local x, y, hits, n = unpack(results, 1, 4)
    assert.same({ 0, #hits }, { y, n })
    if n == 1 then
      assert.same({ 6, 0.3 }, { x, hits[1].t })
      assert.equal(wall, hits[1].other)
    else
      assert.is_true(done)
      assert.same({ 0, 20 }, { n, x })
    end
    assert.equal(name == "move" and x or 0, (ordinary.getRect(mover)))
    return done
  end

  local function tryQuestion(name, at)
    local results, wall, _, done = disturb(at, function(w, box)
      if name == "touching" then
        ordinary.update(w, box, 6, 0)
        return fast.touching(w, box, 1, 0)
      end
      return fast.segmentCast(w, 6, 1, 20, 1)
    end)
    if results[1] ~= nil then
      assert.equal(wall, results[1])
    else
      assert.is_true(done)
    end
    return done
  end

  it("comes before it or behind it", function()
    interpret()
    finally(function()
      jit.on()
      debug.sethook()
    end)
    for name, try in pairs({
      move = tryTravel, check = tryTravel, touching = tryQuestion, segmentCast = tryQuestion,
    }) do
      for _, fresh in ipairs({ false, true }) do
        local at = 1
        while try(name, at, fresh) do
          at = at + 1
        end
        assert.is_true(at > 50)
      end
    end
  end)
end)

describe("a world that is busy", function()
  it("answers and refuses as the ordinary methods do", function()
    local told = {}
    for k, way in ipairs({ fast, ordinary }) do
      local w = broadside.newWorld()
      local mover, wall = w:insert(0, 0, 4, 4), w:insert(10, 0, 4, 4)
      local list = {}
      way.move(w, mover, 20, 0, function(_, other)
        local function try(f, ...)
          local ok, message = pcall(f, ...)
          list[#list + 1] = tostring(ok) .. (ok and "" or message)
        end
        try(way.move, w, wall, 11, 0)
        try(way.update, w, wall, 11, 0)
        try(way.setRect, wall, 11, 0)
        list[#list + 1] = way.check(w, wall, 30, 0)
        list[#list + 1] = way.getRect(other)
        list[#list + 1] = way.segmentCast(w, 0, 2, 40, 2, mover) == wall
        list[#list + 1] = way.touching(w, mover, 0, 1) or "none"
        way.check(w, wall, -20, 0, function()
          list[#list + 1] = select(4, way.check(w, mover, 20, 0, 1))
          return "slide"
        end)
        return "slide"
      end)
      told[k] = list
    end
    assert.same(told[2], told[1])
    assert.equal(8, #told[1])
    assert.is_truthy(told[1][1]:find("world is busy", 1, true))
  end)
end)

describe("a world that FFI has seen", function()
  it("is collected", function()
    local seen = setmetatable({}, { __mode = "k" })
    for _ = 1, 20 do
      local w = broadside.newWorld()
      local box = w:insert(0, 0, 1, 1)
      fast.move(w, box, 5, 5)
      fast.move(w, box, 5, 5, box)
      seen[w] = true
    end
    collectgarbage()
    collectgarbage()
    assert.is_nil(next(seen))
  end)
end)

describe("the collector", function()
  -- After some casts the world makes a grid for them. No call here makes garbage.
  it("is told of memory that a call takes", function()
    local w = broadside.newWorld()
    for i = 0, 9999 do
      w:insert(i % 100 * 10, math.floor(i / 100) * 10, 9, 9)
    end
    local seen, held = setmetatable({}, { __mode = "v" }), w:stats().memory
    collectgarbage()
    seen[1] = {}
    for i = 1, 30000 do
      fast.segmentCast(w, 0, i % 1000 + 0.5, 5, i % 1000)
    end
    assert.is_true(w:stats().memory > held + 100000)
    assert.is_nil(seen[1])
  end)
end)

describe("a state that is being closed", function()
  it("lets finalisers call, as without FFI", function()
    local told = {}
    for k, on in ipairs({ "true", "false" }) do
      local code, output = child.run(([[
        local broadside = require("broadside")
        broadside.useFFI(%s)
        local function report(what)
          getmetatable(what).__gc = function()
            print(pcall(WORLD.move, WORLD, BOX, 5, 5))
            print(pcall(BOX.getRect, BOX))
            print((select(2, pcall(WORLD.segmentCast, WORLD, 0, 0, 5, 5))))
          end
          return what
        end
        EARLY = report(newproxy(true))
        WORLD = broadside.newWorld()
        BOX = WORLD:insert(0, 0, 1, 1)
        WORLD:insert(3, 0, 1, 9)
        WORLD:move(BOX, 1, 1)
        LATE = report(newproxy(true))
      ]]):format(on))
      assert.equal(0, code, output)
      told[k] = output:gsub("0x%x+", "address")
    end
    assert.equal(told[2], told[1])
    assert.is_truthy(told[1]:find("world is closed", 1, true), told[1])
    assert.is_truthy(told[1]:find("true\t", 1, true), told[1])
  end)
end)
