--- snapshots.lua: the time to take a snapshot of a world of 10,000 boxes, and to restore it; then
--- the time to go back by 8 frames in the example rollback, a whole game with a pool.
---
---      lua snapshots.lua [quick]
---
--- Run it in the project's folder, with the paths set. Under LuaJIT, which can call memcpy, it also
--- times a copy of as many bytes.

local folder = (arg and arg[0] or ""):match("^(.*[/\\])") or "./"
package.path = folder .. "?.lua;" .. folder .. "../../examples/?.lua;" .. package.path

local broadside = require("broadside")
local measure = require("measure")

local N = 10000
local rounds = arg and arg[1] == "quick" and 21 or 201
local hasFfi, ffi = pcall(require, "ffi")

local function between(lo, hi)
  return lo + math.random() * (hi - lo)
end

local world = broadside.newWorld({ results = "id" })
math.randomseed(7)
local flat = {}
for i = 1, N do
  flat[4 * i - 3], flat[4 * i - 2] = between(0, 4000), between(0, 4000)
  flat[4 * i - 1], flat[4 * i] = between(4, 20), between(4, 20)
end
local ids = world:insertMany(flat)
local before = world:countPairs()
local snapshot = world:snapshot()

-- The microseconds that f takes, and the bytes of garbage that it makes: medians.
local function time(f, prepare)
  local times, garbage = {}, {}
  for i = 1, rounds do
    prepare(i)
    collectgarbage()
    collectgarbage("stop")
    local bytes, start = collectgarbage("count"), os.clock()
    f()
    times[i] = (os.clock() - start) * 1e6
    garbage[i] = (collectgarbage("count") - bytes) * 1024
    collectgarbage("restart")
  end
  return measure.median(times), measure.median(garbage)
end

-- Moves each step-th box by up to 16 on each axis, and finds the pairs after that.
local function moveEach(step)
  return function(round)
    for i = round % step + 1, N, step do
      local id = ids[i]
      local x, y = flat[4 * i - 3], flat[4 * i - 2]
      world:update(id, x + between(-16, 16), y + between(-16, 16))
    end
    world:countPairs()
  end
end

local function nothing() end

local function take()
  world:snapshot(snapshot)
end

local function restore()
  world:restore(snapshot)
end

-- Moves the boxes of moveEach(step) back by single calls.
local function updateEach(step, round)
  for i = round % step + 1, N, step do
    world:update(ids[i], flat[4 * i - 3], flat[4 * i - 2])
  end
end

-- Returns two functions. The first goes back by 8 frames of the example's game and plays them
-- again, with a snapshot of each, as a machine does when an input comes late. The second plays 8
-- frames on.
local function newRollback()
  local game = require("rollback.simulation").newGame(nil, 7)
  local pilot = require("rollback.pilot")
  local robots, slots, inputs = { pilot.new(1, 7), pilot.new(2, 7) }, {}, {}
  local function step(i)
    slots[i] = game:save(slots[i])
    game:step(inputs[2 * i - 1], inputs[2 * i])
  end
  return function()
    game:load(slots[1])
    for i = 1, 8 do
      step(i)
    end
  end, function()
    for i = 1, 8 do
      inputs[2 * i - 1], inputs[2 * i] = robots[1](game), robots[2](game)
      step(i)
    end
  end
end

local function number(x)
  return (x >= 100 and "%.0f" or "%.1f"):format(x)
end

local function row(what, wanted, measured)
  print(("| %s | %s | %s | %s |"):format(what, number(measured), number(wanted),
    measured <= wanted and "yes" or "**no**"))
end

local jit = rawget(_G, "jit")
print("\n# Snapshots in " .. (jit and jit.version or _VERSION) .. "\n")
print("| " .. N .. " boxes | measured | at most | reached |\n|---|--:|--:|---|")
local taking, garbage = time(take, nothing)
row("take, microseconds", 100, taking)
local few, garbageOfFew = time(restore, moveEach(50))
row("restore after 200 moved, microseconds", 60, few)
local all, garbageOfAll = time(restore, moveEach(1))
row("restore after all moved, microseconds", 300, all)
row("garbage of the three, bytes", 0, garbage + garbageOfFew + garbageOfAll)
row("a plain box as bytes, bytes", 64, #snapshot:getString() / N)
row("8 frames of the example rollback again, microseconds", 2000, (time(newRollback())))
if hasFfi then
  local bytes = 53 * N -- the bytes of such boxes in a world
  local from, to = ffi.new("char[?]", bytes), ffi.new("char[?]", bytes)
  local copying = time(function()
    ffi.copy(to, from, bytes)
  end, nothing)
  row("take, in times of memcpy", 4, taking / copying)
  row("restore after 200 moved, in times of memcpy", 4, few / copying)
end
assert(world:countPairs() == before, "a world that went back has the pairs of then")

local asked = time(function()
  world:countPairs()
end, function(round)
  moveEach(50)(round)
  restore()
end)
local updated = time(function()
  world:countPairs()
end, function(round)
  moveEach(50)(round)
  updateEach(50, round)
end)
local string = snapshot:getString()
print(("\nPairs after 200 went back, microseconds: %s by restore, %s by 200 calls of update.")
  :format(number(asked), number(updated)))
print(("getString %s, getHash %s, restore of a string %s microseconds."):format(
  number(time(function()
    snapshot:getString()
  end, nothing)), number(time(function()
    snapshot:getHash()
  end, nothing)), number(time(function()
    world:restore(string)
  end, nothing))))
