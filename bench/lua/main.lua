--- main.lua: frames and queries through the public API, beside other libraries.
--
--      lua main.lua [quick] [name=value ...]
--
-- Values: only=S2,segments (workloads), subjects=... (parts of names, separated by commas),
-- backend=auto, seed=1, seconds=0.5 (for each subject and workload).

-- The folder of this file.
local folder = (arg and arg[0] or ""):match("^(.*[/\\])") or "./"
package.path = folder .. "?.lua;" .. package.path

local measure = require("measure")
local scenes = require("scenes")
local subjects = require("subjects")

local options = { seed = 1, seconds = 0.5, backend = "auto" }

local function readArguments(list)
  for _, text in ipairs(list) do
    local name, value = text:match("^(%w+)=(.*)$")
    if text == "quick" then
      options.quick, options.seconds = true, 0.05
    elseif name == "only" or name == "subjects" or name == "backend" then
      options[name] = value
    elseif (name == "seed" or name == "seconds") and tonumber(value) then
      options[name] = tonumber(value)
    else
      error("not understood: " .. text, 0)
    end
  end
end

local function isWanted(names, name)
  if not names then
    return true
  end
  for part in names:gmatch("[^,]+") do
    if name:find(part, 1, true) then
      return true
    end
  end
  return false
end

-- Raises an error if one of `names` is not a part of any known name.
local function checkNames(names, known)
  for part in (names or ""):gmatch("[^,]+") do
    if not known:find(part, 1, true) then
      error(("there is no '%s', but: %s"):format(part, known), 0)
    end
  end
end

-- printing ----------------------------------------------------------------------------------------

local function row(cells)
  print("| " .. table.concat(cells, " | ") .. " |")
end

local function head(cells)
  row(cells)
  print("|---|" .. ("--:|"):rep(#cells - 1))
end

-- Three significant digits.
local function number(x)
  if x == 0 then
    return "0"
  end
  if not x or x ~= x or x == math.huge then
    return "-"
  end
  local decimals = x >= 100 and 0 or x >= 10 and 1 or x >= 1 and 2 or 3
  return ("%." .. decimals .. "f"):format(x)
end

local function names(list)
  local cells = { "" }
  for _, subject in ipairs(list) do
    cells[#cells + 1] = subject.name
  end
  return cells
end

-- results: { title, contestants by subject's name }.
local function printTable(title, list, results, figure)
  print("\n## " .. title .. "\n")
  head(names(list))
  for _, result in ipairs(results) do
    local cells = { result.title }
    for _, subject in ipairs(list) do
      local c = result[subject.name]
      cells[#cells + 1] = c and number(figure(c, result)) or "-"
    end
    row(cells)
  end
end

-- The peer with the least median, or nil. With inLua, only libraries in Lua count.
local function bestPeer(list, result, inLua)
  local best
  for _, subject in ipairs(list) do
    local c = result[subject.name]
    if subject.isPeer and c and not (inLua and subject.isC)
      and (not best or measure.median(c.times) < measure.median(best.times)) then
      best = c
    end
  end
  return best
end

local function ours(list)
  local mine = {}
  for _, subject in ipairs(list) do
    if not subject.isPeer then
      mine[#mine + 1] = subject
    end
  end
  return mine
end

-- Seconds times `scale` are in that unit. The row is for one of the `turns` things in a turn.
local function printResults(what, unit, scale, turns, list, results)
  if #results == 0 then
    return
  end
  printTable(("%s: %s"):format(what, unit), list, results, function(c)
    return measure.median(c.times) * turns * scale
  end)
  if #ours(list) < #list then
    printTable(what .. ": how many times as fast as the best other library", ours(list), results,
      function(c, result)
        local peer = bestPeer(list, result)
        return peer and measure.ratio(peer.times, c.times)
      end)
  end
  printTable(what .. ": bytes of garbage", list, results, function(c)
    return c.garbage * turns
  end)
end

-- frames ------------------------------------------------------------------------------------------

local wrong = false

local function digest(it)
  local sum, n = 0, 0
  it.eachPair(function(a, b)
    a, b = math.min(a, b), math.max(a, b)
    sum = (sum + a * 100003 + b * 7919 + a * b % 65537) % 1000000007
    n = n + 1
  end)
  return n .. " pairs, sum " .. sum
end

local function frames(list, name)
  local scene = scenes.new(name, options.seed)
  local turns = (options.quick or scene.n > 2000) and 4 or 16
  local result = { title = name .. ": " .. scene.what }
  local contestants, flats, expected = {}, {}, nil
  for i, subject in ipairs(list) do
    local it = subject.new(scene, options.backend)
    contestants[i] = {
      name = subject.name,
      it = it,
      play = function(k)
        it.move(flats[k])
        it.pairs()
      end,
    }
    result[subject.name] = contestants[i]
  end
  measure.run(contestants, turns, options.seconds, function()
    expected = nil
    for k = 0, turns do
      flats[k] = scene:advance(flats[k])
    end
  end, function(c)
    local found = digest(c.it)
    expected = expected or found
    if found ~= expected then
      wrong = true
      print(("WRONG: %s, %s: %s instead of %s"):format(name, c.name, found, expected))
    end
  end)
  return result
end

-- queries -----------------------------------------------------------------------------------------

local function isHitWrong(found, expected)
  return expected ~= nil and found ~= expected
end

-- How many of the hits differ. Ties and rounding may make some of them differ.
local function checkHits(contestants, ways)
  local expected
  local n = #ways / 4
  for _, c in ipairs(contestants) do
    if c.it.hits then
      local hits = {}
      c.it.hits(ways, hits)
      expected = expected or hits
      local differing = 0
      for i = 1, n do
        differing = differing + (isHitWrong(hits[i], expected[i]) and 1 or 0)
      end
      if differing > n / 100 then
        wrong = true
        print(("WRONG: %s: %d of %d hits differ"):format(c.name, differing, n))
      end
    end
  end
end

-- Times one kind of query for all instances that have it.
local function oneKind(kind, list, all, scene)
  local result = { title = kind.title .. ", " .. scene.what, kind = kind.name, name = scene.name }
  local contestants, batch, expected = {}, nil, nil
  for i, subject in ipairs(list) do
    local it = all[i]
    if it[kind.method] then
      local c = { name = subject.name, it = it }
      c.play = function()
        c.found = it[kind.method](batch)
      end
      contestants[#contestants + 1] = c
      result[subject.name] = c
    end
  end
  measure.run(contestants, options.quick and 2 or 5, options.seconds, function(chunk)
    local size = kind.method == "sweep" and 16 or 0
    batch = kind.method == "query" and scene:squares(1000, 64) or scene:ways(1000, 200, size)
    expected = nil
    if kind.method == "cast" and chunk == 0 then
      checkHits(contestants, batch)
    end
  end, function(c)
    if c.it.missesInside then
      return
    end
    expected = expected or c.found
    if math.abs(c.found - expected) > (kind.method == "query" and 0 or 10) then
      wrong = true
      print(("WRONG: %s, %s: %d instead of %d"):format(result.title, c.name, c.found, expected))
    end
  end)
  return result
end

local kinds = {
  { name = "segments", method = "cast", title = "10,000 segments of 200 px" },
  { name = "sweeps", method = "sweep", title = "10,000 sweeps of 16 x 16 by 200 px" },
  { name = "rectangles", method = "query", title = "10,000 rectangles of 64 x 64" },
}

-- Makes instances and plays some frames with moving boxes: queries are for a world in use.
local function instances(list, scene)
  local all = {}
  for i, subject in ipairs(list) do
    all[i] = subject.new(scene, options.backend)
  end
  for _ = 1, 5 do
    local flat = scene:advance()
    for _, it in ipairs(all) do
      it.move(flat)
    end
  end
  return all
end

local function queries(list, name, results)
  local scene = scenes.new(name, options.seed)
  local all
  for _, kind in ipairs(kinds) do
    if isWanted(options.only, kind.name) then
      all = all or instances(list, scene)
      results[#results + 1] = oneKind(kind, list, all, scene)
    end
  end
end

-- what it has to show -----------------------------------------------------------------------------

local function verdict(what, wanted, measured, isReached)
  row({ what, wanted, number(measured), isReached and "yes" or "**no**" })
end

-- Our best style, and how many times as fast as the best library in Lua it is.
local function bestOurs(list, result)
  local best
  for _, subject in ipairs(ours(list)) do
    local c = result[subject.name]
    if c and (not best or measure.median(c.times) < measure.median(best.times)) then
      best = c
    end
  end
  local peer = bestPeer(list, result, true)
  return best, best and peer and measure.ratio(peer.times, best.times)
end

local function frameVerdicts(list, results)
  for _, result in ipairs(results) do
    local best, ratio = bestOurs(list, result)
    if ratio and result.name == "S2" then
      verdict("S2's frame (" .. best.name .. "), times as fast as the best in Lua",
        "at least 20", ratio, ratio >= 20)
    end
    for _, subject in ipairs(ours(list)) do
      local c = result[subject.name]
      if subject.results == "id" then
        verdict(result.name .. ": bytes of garbage per frame, " .. subject.name, "0", c.garbage,
          c.garbage == 0)
      end
    end
  end
end

local function queryVerdicts(list, results)
  for _, result in ipairs(results) do
    local _, ratio = bestOurs(list, result)
    if ratio and result.kind == "segments" and result.name ~= "dense100k" then
      verdict(result.title .. ", times as fast as the best in Lua", "at least 30", ratio,
        ratio >= 30)
    end
  end
end

-- everything --------------------------------------------------------------------------------------

-- Two of our styles are enough for queries: Box and id.
local function forQueries(list)
  local some, seen = {}, {}
  for _, subject in ipairs(list) do
    local kind = subject.results or subject.name
    if not seen[kind] then
      seen[kind] = true
      some[#some + 1] = {
        name = subject.results and "results = " .. kind or kind,
        isPeer = subject.isPeer, isC = subject.isC, results = subject.results, new = subject.new,
      }
    end
  end
  return some
end

local allWorkloads = { "S2", "S3", "S10", "S13" }

local function main(list)
  local frameResults, queryResults = {}, {}
  local workloads = options.quick and not options.only and { "S2", "S10" } or allWorkloads
  local worlds = options.quick and { "dense5k" } or { "dense5k", "sparse5k", "dense100k" }
  local version = rawget(_G, "jit") and jit.version or _VERSION
  version = rawget(_G, "love") and "LÖVE, " .. version or version
  print("\n# Broadside in " .. version .. "\n")
  print("Processor time, medians; the collector stands still meanwhile. Back end: "
    .. options.backend .. ".")
  for _, name in ipairs(workloads) do
    if isWanted(options.only, name) then
      local result = frames(list, name)
      result.name = name
      frameResults[#frameResults + 1] = result
    end
  end
  printResults("Frames: moves, then every pair", "microseconds", 1e6, 1, list, frameResults)
  local some = forQueries(list)
  for _, name in ipairs(worlds) do
    queries(some, name, queryResults)
  end
  printResults("Queries: 10,000 of them", "milliseconds", 1e3, 10, some, queryResults)
  print("\n## What it has to show in " .. version .. "\n")
  head({ "", "wanted", "measured", "reached" })
  frameVerdicts(list, frameResults)
  queryVerdicts(some, queryResults)
end

readArguments(arg or {})
checkNames(options.only, table.concat(allWorkloads, "; ") .. "; segments; sweeps; rectangles")
local all = subjects.all()
checkNames(options.subjects, table.concat(names(all), "; ", 2) .. "; " .. subjects.others)
local list = {}
for _, subject in ipairs(all) do
  if isWanted(options.subjects, subject.name) then
    list[#list + 1] = subject
  end
end
main(list)
if wrong then
  error("some answers were wrong: see above", 0)
end
