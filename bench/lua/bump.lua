--- bump.lua: calls of broadside.bump, beside bump.lua, whose calls they are.
--
--      BUMP=path/bump.lua lua bump.lua [quick]
--
-- Both get the same items and calls, in turns. The level is a floor with walls and ledges of tiles;
-- 100 items of different sizes are in it. The collector runs, as both make garbage. Run it in the
-- project's folder, with the paths set.

local folder = (arg and arg[0] or ""):match("^(.*[/\\])") or "./"
package.path = folder .. "?.lua;" .. package.path

local measure = require("measure")

local quick = arg and arg[1] == "quick"
local path = os.getenv("BUMP")
local ROUNDS, TURNS, COUNT = quick and 5 or 21, 40, 100
local jit = rawget(_G, "jit")

-- A level of tiles of 32 px, and items above its floor.
local function newLevel(library)
  local world, random, items = library.newWorld(64), measure.newRandom(), {}
  for i = 0, 399 do
    world:add({ isTile = true }, i % 100 * 32, 300 + math.floor(i / 100) * 200, 32, 32)
  end
  for i = 1, COUNT do
    local w, h = math.floor(random(8, 30)), math.floor(random(8, 30))
    items[i] = { x = i * 31, y = 300 - h, w = w, h = h }
    world:add(items[i], items[i].x, items[i].y, w, h)
  end
  return world, items
end

local function crossItems(_, other)
  return other.isTile and "slide" or "cross"
end

-- Moves all items as far as dx and dy say, to and fro.
local function move(dx, dy, filter)
  return function(world, items, turn)
    local by = turn % 20 < 10 and dx or -dx
    for i = 1, COUNT do
      local item = items[i]
      item.x, item.y = world:move(item, item.x + by, item.y + dy, filter)
    end
  end
end

-- Calls f(world, item, turn) for all items.
local function each(f)
  return function(world, items, turn)
    for i = 1, COUNT do
      f(world, items[i], turn)
    end
  end
end

local stand = move(0, 0)

local ROWS = {
  { "add, and remove", each(function(world, item)
    world:remove(item)
    world:add(item, item.x, item.y, item.w, item.h)
  end) },
  { "update, by 2 px", each(function(world, item, turn)
    world:update(item, item.x + 2 * (turn % 40), item.y)
  end) },
  { "update, by 200 px", each(function(world, item, turn)
    world:update(item, item.x + 200 * (turn % 4), item.y)
  end) },
  { "getRect", each(function(world, item) world:getRect(item) end) },
  { "move to where it is, nothing else moves", stand },
  { "move to where it is, others move", function(world, items, turn)
    stand(world, items, turn)
    world:update(items[1], items[1].x + turn % 2, items[1].y)
  end },
  { "move by 2 px, on the floor", move(2, 0, crossItems) },
  { "move by 2 px, and fall onto the floor", move(2, 1, crossItems) },
  { "move by 2 px in the air", function(world, items, turn)
    local by = turn % 20 < 10 and 2 or -2
    for i = 1, COUNT do
      local item = items[i]
      item.x, item.y = world:move(item, item.x + by, 100, crossItems)
    end
  end },
  { "check", each(function(world, item) world:check(item, item.x + 20, item.y + 5) end) },
  { "project", each(function(world, item)
    world:project(item, item.x, item.y, item.w, item.h, item.x + 20, item.y + 5)
  end) },
  { "queryRect, 64 x 64", each(function(world, item)
    world:queryRect(item.x - 20, item.y - 20, 64, 64)
  end) },
  { "queryPoint", each(function(world, item) world:queryPoint(item.x + 4, item.y + 4) end) },
  { "querySegment, 200 px", each(function(world, item)
    world:querySegment(item.x, item.y, item.x + 190, item.y + 60)
  end) },
}

-- Nanoseconds for each call: the medians of the rounds, by library.
local function time(libraries, play)
  local times, levels = {}, {}
  for k, library in ipairs(libraries) do
    times[k], levels[k] = {}, { newLevel(library) }
  end
  for round = 0, ROUNDS do
    for k = 1, #libraries do
      local world, items = levels[k][1], levels[k][2]
      local start = os.clock()
      for turn = 1, TURNS do
        play(world, items, round * TURNS + turn)
      end
      times[k][round] = (os.clock() - start) / TURNS / COUNT * 1e9 -- round 0 does not count
    end
  end
  return measure.median(times[1]), times[2] and measure.median(times[2])
end

print("\n# broadside.bump in " .. (jit and jit.version or _VERSION) .. "\n")
measure.row({ "nanoseconds for each call", "broadside.bump", "bump.lua", "times as fast" })
print("|---|--:|--:|--:|")
local libraries = { require("broadside.bump"), path and path ~= "" and dofile(path) or nil }
for _, row in ipairs(ROWS) do
  local ours, theirs = time(libraries, row[2])
  measure.row({ row[1], measure.number(ours), measure.number(theirs),
    measure.number(theirs and theirs / ours) })
end
