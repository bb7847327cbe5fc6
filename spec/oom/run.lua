-- Makes memory run out in every call, at each place where it asks for memory; see TESTING.md.
--     host spec/oom/run.lua [all | pattern]
-- Runs each case in 2D and 3D, or those whose names match. `all`: with each back end and each kind
-- of results. OOM_PLACES=3 in the environment: only at each third place, at other places in each
-- case.

-- LuaJIT's compiler asks for memory at any time, and ends the process if it gets none. The code
-- that it has compiled does not survive a refusal, either.
local jit = rawget(_G, "jit")
if jit then
  jit.off()
end

local compat = require("spec.support.compat")
local calls = require("spec.oom.calls")
local cases = require("spec.oom.cases")
local fixture = require("spec.support.fixture")

local memory = rawget(_G, "memory")
local unpack = compat.unpack
local functions, inWords, drain = calls.functions, calls.inWords, calls.drain
local prepare = calls.prepare

local MODES = { "once", "twice", "on" }
local PLACES = tonumber(os.getenv("OOM_PLACES") or 1)

local totals = { calls = 0, refused = 0, series = 0 }

-- Finalisers have a part of their own at the end.
local function checkThatAllHaveCases()
  local has = { ["World.__gc"] = true, ["Pool.__gc"] = true, ["Snapshot.__gc"] = true,
    ["PoolSnapshot.__gc"] = true }
  for _, case in ipairs(cases) do
    has[case.name] = true
    assert(functions[2][case.name], "there is no " .. case.name)
  end
  for name in pairs(functions[2]) do
    local raises = name:find("%.__newindex$") -- these only raise an error
    assert(raises or has[name], "no case for " .. name)
  end
end

-- Makes the call. Returns how many requests were refused, whether it succeeded, and its results.
local function call(case, combo, args, mode, n)
  local results = compat.pack(memory.call(mode, n, functions[combo[1]][case.name],
    unpack(args, 1, args.n)))
  local refused, ok = results[1], results[2]
  return refused, ok, compat.pack(unpack(results, 3, results.n))
end

-- The ids of all boxes, and of the next one: a call that fails uses up none.
local function idsOf(f)
  local ids = {}
  f.world:insert(unpack(f:rect(9000, 0, 1, 1)))
  for box in f.world:boxes() do
    ids[#ids + 1] = ("%.0f"):format(type(box) == "number" and box or box:getId())
  end
  return "\nids " .. table.concat(ids, " ")
end

-- Runs the loop with enough memory, and describes all results in words.
local function finish(f, case, ok, results)
  local rows = {}
  if ok and case.note == "loop" then
    drain(rows, results[1], results[2])
  end
  return inWords(f, case, ok, results, rows), f:probe() .. idsOf(f)
end

local function same(expected, got, what)
  if expected ~= got then
    error(("%s:\nexpected:\n%s\n\ngot:\n%s\n"):format(what, expected, got), 0)
  end
end

local function checkAfterRefusal(f, case, combo, args, expected, message)
  same("not enough memory", message, "message")
  if case.note == "takes back" then
    return
  end
  same(expected.before, f:describe(), "contents after the error")
  local _, ok, results = call(case, combo, args, "once", 0)
  local words, probe = finish(f, case, ok, results)
  same(expected.words, words, "results of the call that follows")
  same(expected.probe, probe, "contents after the call that follows")
end

-- Returns true if nothing was refused.
local function try(case, combo, expected, mode, n)
  local f, args = prepare(case, combo)
  local refused, ok, results = call(case, combo, args, mode, n)
  totals.calls, totals.refused = totals.calls + 1, totals.refused + refused
  local raises = calls.raises(case, combo[1])
  if ok and not raises or (not ok and raises and results[1] == expected.message) then
    local words, probe = finish(f, case, ok, results)
    same(expected.words, words, "results in spite of " .. refused .. " refusals")
    same(expected.probe, probe, "contents in spite of " .. refused .. " refusals")
  else
    checkAfterRefusal(f, case, combo, args, expected, results[1])
  end
  return refused == 0
end

-- Does the same for the steps of a loop. A row that a failed step has consumed is not given back,
-- so the rows are only compared if no step has failed.
local function tryLoop(case, combo, expected, mode, n)
  local f, args = prepare(case, combo)
  local _, ok, results = call(case, combo, args, "once", 0)
  assert(ok)
  local rows = {}
  local refused, done, message = memory.call(mode, n, drain, rows, results[1], results[2])
  totals.calls, totals.refused = totals.calls + 1, totals.refused + refused
  if done then
    same(expected.words, inWords(f, case, ok, results, rows), "rows in spite of refusals")
  else
    same("not enough memory", message, "message in the loop")
    drain(rows, results[1], results[2])
  end
  same(expected.described, f:describe(), "contents after the loop")
  return refused == 0
end

-- Cases ----------------------------------------------------------------------------------------

local function reference(case, combo)
  local expected = {}
  expected.before = prepare(case, combo):describe()
  local f, args = prepare(case, combo)
  local _, ok, results = call(case, combo, args, "once", 0)
  assert(ok ~= calls.raises(case, combo[1]), results[1])
  expected.message = results[1]
  expected.words, expected.probe = finish(f, case, ok, results)
  if case.note == "loop" then
    f, args = prepare(case, combo)
    _, _, results = call(case, combo, args, "once", 0)
    drain({}, results[1], results[2])
    expected.described = f:describe()
  end
  return expected
end

-- After the objects are gone, no memory may be left except Lua's own.
local function checkThatNothingIsHeld()
  for _ = 1, 3 do
    collectgarbage()
  end
  local bytes, lost = memory.used()
  local held = bytes + lost - collectgarbage("count") * 1024
  if held ~= 0 then
    error(("%d bytes are held by nobody"):format(held), 0)
  end
end

local function repeatUntilNothingIsRefused(attempt, case, combo, expected, mode)
  local n = totals.series % PLACES + 1 - PLACES
  totals.series = totals.series + 1
  repeat
    n = n + PLACES
    local ok, done = xpcall(function()
      return attempt(case, combo, expected, mode, n)
    end, debug.traceback)
    if not ok then
      error(("%s, %dD, %s, %s, %d boxes, request %d refused (%s):\n%s"):format(case.name,
        combo[1], combo[2], combo[3], combo[4], n, mode, tostring(done)), 0)
    end
  until done
end

local function tryAll(case, combo)
  local expected = reference(case, combo)
  for _, mode in ipairs(MODES) do
    repeatUntilNothingIsRefused(try, case, combo, expected, mode)
    if case.note == "loop" then
      repeatUntilNothingIsRefused(tryLoop, case, combo, expected, mode)
    end
  end
end

-- Runs in a coroutine, because its stack is freed with it: unused slots of a stack may refer to
-- anything.
local function runCase(case, combo)
  local ok, message = coroutine.resume(coroutine.create(tryAll), case, combo)
  if ok then
    ok, message = pcall(checkThatNothingIsHeld)
    message = not ok and case.name .. ": " .. message
  end
  if not ok then
    error(message, 0)
  end
end

-- What has no call of its own ------------------------------------------------------------------

local REQUIRE = [[
  if jit then jit.off() end
  require("broadside")
]]

-- Lua 5.1 remembers modules that have failed.
local USE = [[
  for name, loaded in pairs(package.loaded) do
    if name:find("^broadside") and type(loaded) ~= "table" then
      package.loaded[name] = nil
    end
  end
  local broadside = require("broadside")
  local world, space = broadside.newWorld(), broadside.newWorld({ dim = 3 })
  world:insert(0, 0, 2, 2)
  world:insert(1, 1, 2, 2)
  space:insert(0, 0, 0, 2, 2, 2)
  space:insert(1, 1, 1, 2, 2, 2)
  assert(world:countPairs() == 1 and space:countPairs() == 1)
  for a, b in space:pairs() do
    assert(a:getRect() == 0 and b:getRect() == 1)
  end
  for dim = 2, 3 do
    local model = broadside.newModel({ dim = dim })
    local pool = broadside.newPool({ dim = dim, capacity = 3 })
    pool:newEmitter({ model = model }):setAngle(1)
    pool:step(1)
    pool:step(1)
    local n = 0
    for id in pool:each() do
      n = n + 1
      assert(pool:isAlive(id))
    end
    assert(n == 2 and pool:collect()[1])
  end
  assert(broadside.overlap3(0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1))
]]

-- Loads the module, in a new state each time.
local function tryLoading(mode)
  local n = 0
  repeat
    n = n + 1
    local refused, ok, message, works, problem, left = memory.state(mode, n, REQUIRE, USE)
    totals.calls, totals.refused = totals.calls + 1, totals.refused + refused
    local where = ("require, request %d refused (%s): "):format(n, mode)
    assert(ok or message:find("not enough memory", 1, true), where .. message)
    assert(works, where .. "then " .. problem)
    assert(left == 0, where .. left .. " bytes are left")
  until refused == 0
end

-- Runs the collector when finalisers are waiting.
local function tryCollecting(mode)
  local n = 0
  repeat
    n = n + 1
    for dim = 2, 3 do
      local f = fixture.new(dim, "box", "auto", 14)
      f.world:pairs()
      f.pool:each()
    end
    local refused = memory.call(mode, n, collectgarbage)
    totals.calls, totals.refused = totals.calls + 1, totals.refused + refused
    local ok, message = pcall(checkThatNothingIsHeld)
    assert(ok, ("collection, request %d refused (%s): %s"):format(n, mode, tostring(message)))
  until refused == 0
end

-- Lets go of a World, a Snapshot, a Pool and a cursor.
local function dropAll()
  local f = fixture.new(2, "box", "auto", 14)
  f.world:pairs()
  f.world:snapshot()
  f.pool:each()
end

local function collectWithin(depth)
  if depth > 0 then return collectWithin(depth - 1), depth end
  collectgarbage()
end

-- Lua forgets an object if there is no memory to call its finaliser. Here the collector calls them
-- where nothing was called before. The host looks whether closing the state frees what they held.
local function tryForgetting(mode, n)
  for depth = 0, 5 do
    for _ = 1, 4 do
      collectgarbage() -- It also gives back the room for calls.
    end
    dropAll()
    local refused = memory.call(mode, n, collectWithin, depth)
    totals.calls, totals.refused = totals.calls + 1, totals.refused + refused
  end
end

-- A call that fails had reused the memory of a loop that has ended. A program that still holds that
-- loop must get nothing from it, and above all no World that only the failed call knew.
local function tryEndedLoop(mode, dim)
  local n, done = 0, false
  repeat
    n = n + 1
    local f = fixture.new(dim, "box", "auto", 14)
    local next, state = f.pool:hits(f.world)
    drain({}, next, state)
    coroutine.wrap(function()
      local other = fixture.new(dim, "box", "auto", 14)
      local refused, ok = memory.call(mode, n, f.pool.hits, f.pool, other.world)
      totals.calls, totals.refused = totals.calls + 1, totals.refused + refused
      done = ok
    end)()
    collectgarbage()
    collectgarbage()
    assert(done or next(state) == nil, "a loop that has ended goes on")
  until done
end

checkThatAllHaveCases()
for _, mode in ipairs(MODES) do
  tryLoading(mode)
  tryCollecting(mode)
  tryEndedLoop(mode, 2)
  tryEndedLoop(mode, 3)
end
for number, case in ipairs(cases) do
  local wanted = not arg[1] or arg[1] == "all" or case.name:find(arg[1])
  for _, combo in ipairs(wanted and calls.combinations(number, arg[1] == "all") or {}) do
    runCase(case, combo)
  end
end
for _, mode in ipairs(MODES) do
  for n = 1, 6 do
    tryForgetting(mode, n)
  end
end
print(("%s: %d cases, %d calls, %d requests refused: all as before"):format(
  jit and jit.version or _VERSION, #cases, totals.calls, totals.refused))
