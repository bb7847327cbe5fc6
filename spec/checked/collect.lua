-- Makes every call of spec/oom/cases.lua in a Lua that collects garbage at every place where it
-- may. Waiting finalisers use the same world and pool. Each call must give what it gives without
-- them. Then a finaliser clears the world and the pool, at the first collection, at the second, and
-- so on.
--     host_gc spec/checked/collect.lua [all]
-- `all`: with all back ends and kinds of results, not one of each in turn. The collector only runs
-- during the call, because elsewhere this would take forever.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local calls = require("spec.oom.calls")
local cases = require("spec.oom.cases")

local unpack = compat.unpack

-- A pause of this length leaves all collections to those that this Lua is built for. In Lua 5.4
-- these do not work together with ordinary ones, because both could move the stack in one
-- instruction.
collectgarbage("incremental", 1000)
collectgarbage("stop")

local finalised = 0

-- Uses the world and the pool, and leaves them as they were.
local function use(f)
  finalised = finalised + 1
  f.world:collectPairs()
  f.pool:collect()
  f.pool:hits(f.world)
  pcall(function() -- in a filter function this raises "world is busy"
    f.world:remove(f.world:insert(compat.values(f:rect(-400, 0, 1, 1), { data = "finaliser" })))
  end)
  f.world:queryRect(unpack(f:rect(-500, 0, 1, 1))) -- leaves an empty list behind
end

-- Each finaliser leaves another one for the next collection, until the call ends.
local lasts -- the fixture of the running call

local function leaveGarbage(f)
  setmetatable({}, { __gc = function()
    if lasts == f then
      leaveGarbage(f)
      use(f)
    end
  end })
end

-- Returns the results of the call and of its loop in words. prepared(f) runs before the call.
local function run(case, combo, prepared, collects)
  local f, args = calls.prepare(case, combo)
  prepared(f)
  local rows = {}
  lasts = f
  if collects then
    collectgarbage("restart")
    collectgarbage()
  end
  local results = compat.pack(pcall(calls.functions[combo[1]][case.name], unpack(args, 1, args.n)))
  local ok = table.remove(results, 1)
  results.n = results.n - 1
  if ok and case.note == "loop" then
    calls.drain(rows, results[1], results[2])
  end
  collectgarbage("stop")
  lasts = false
  -- A Snapshot's hash depends on the next ids, and finalisers have used some.
  return (calls.inWords(f, case, ok, results, rows):gsub("Snapshot %x+", "Snapshot"))
end

local function nothing() end

-- A finaliser may do this once, at one of the collections. Then the call may fail, but not crash.
local function blow(f)
  f.world:clear()
  f.pool:clear()
end

local EXPECTED = { "was removed", "is busy", "was freed" }

local function isExpected(message)
  for _, text in ipairs(EXPECTED) do
    if tostring(message):find(text, 1, true) then
      return true
    end
  end
  return false
end

-- Makes the call with blow() at collection number `at`. Returns false if there were fewer.
local function survive(case, combo, at)
  local f, args = calls.prepare(case, combo)
  local seen = 0
  local function leave()
    setmetatable({}, { __gc = function()
      if lasts == f then
        seen = seen + 1
        leave()
        if seen == at then
          pcall(blow, f)
        end
      end
    end })
  end
  leave()
  lasts = f
  collectgarbage("restart")
  collectgarbage()
  seen = 0
  local ok, next, state = pcall(calls.functions[combo[1]][case.name], unpack(args, 1, args.n))
  if ok and case.note == "loop" then
    ok, next = pcall(calls.drain, {}, next, state)
  end
  collectgarbage("stop")
  lasts = false
  if not ok and not calls.raises(case, combo[1]) and not isExpected(next) then
    error(("%s, %dD, %s, %s, collection %d: %s"):format(case.name, combo[1], combo[2], combo[3],
      at, tostring(next)), 0)
  end
  return seen >= at
end

local total, blows = 0, 0
for number, case in ipairs(cases) do
  for _, combo in ipairs(calls.combinations(number, arg[1] == "all")) do
    local expected = run(case, combo, nothing, false)
    for _, prepared in ipairs({ nothing, leaveGarbage }) do
      total = total + 1
      local got = run(case, combo, prepared, true)
      if expected ~= got then
        error(("%s, %dD, %s, %s: expected\n%s\n\ngot\n%s\n"):format(case.name, combo[1], combo[2],
          combo[3], expected, got), 0)
      end
    end
    local wanted = combo[1] == 2 or arg[1] == "all"
    local at = 0
    while wanted and survive(case, combo, at + 1) do
      at, blows = at + 1, blows + 1
    end
    collectgarbage()
  end
end
print(("%s: %d calls with collections at every place, %d finalisers within: the same answers;")
  :format(broadside._VERSION, total, finalised))
print(("%d calls in whose middle world and pool were cleared: no harm"):format(blows))
