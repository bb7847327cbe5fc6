-- Makes every call of spec/oom/cases.lua in a Lua that collects all garbage wherever it might, with
-- finalisers waiting that use the same world and pool: it must give what it always gives. Then
-- with one that clears them at the first collection, at the second, and so on.
--     host_gc spec/checked/collect.lua [all]
-- `all`: with all back ends and kinds of results, not one of each in turn.
-- The collector runs during the call alone: elsewhere this would take forever.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local calls = require("spec.oom.calls")
local cases = require("spec.oom.cases")

local unpack = compat.unpack

-- A pause that long leaves all to the collections that this Lua is built for. In Lua 5.4 these do
-- not get on with the ordinary ones: both could move the stack in one instruction.
collectgarbage("incremental", 1000)
collectgarbage("stop")

local finalised = 0

-- What leaves everything as it was.
local function use(f)
  finalised = finalised + 1
  f.world:collectPairs()
  f.pool:collect()
  f.pool:hits(f.world)
  pcall(function() -- "world is busy" in a filter function
    f.world:remove(f.world:insert(compat.values(f:rect(-400, 0, 1, 1), { data = "finaliser" })))
  end)
  f.world:queryRect(unpack(f:rect(-500, 0, 1, 1))) -- leaves an empty list behind
end

-- Each finaliser leaves another one for the next collection, as long as the call lasts.
local lasts -- the fixture of the call that is going on

local function leaveGarbage(f)
  setmetatable({}, { __gc = function()
    if lasts == f then
      leaveGarbage(f)
      use(f)
    end
  end })
end

-- What the call and its loop give, in words; `prepared`: what is done before.
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
  -- A Snapshot's hash says, too, which ids come next: finalisers have used some.
  return (calls.inWords(f, case, ok, results, rows):gsub("Snapshot %x+", "Snapshot"))
end

local function nothing() end

-- What a finaliser may do once, at one of the collections: then the call may fail, but not crash.
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

-- Lets the blow fall at collection number `at`; false: there were not as many.
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
