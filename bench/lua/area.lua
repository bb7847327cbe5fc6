--- area.lua: a server's tick: actors move, and each is told who enters and leaves its view. The
--- example area, a grid in plain Lua of which nine cells are searched, and all against all.
---
---      lua area.lua [quick]
--
-- From the project's folder, with the paths set. All three move the same actors by themselves, and
-- must tell the same in each tick. Somebody is seen from a distance of 40 on, and lost beyond 44.

local folder = (arg and arg[0] or ""):match("^(.*[/\\])") or "./"
package.path = folder .. "?.lua;" .. folder .. "../../examples/?.lua;" .. package.path

local area = require("area.area")
local measure = require("measure")

local IS_QUICK = arg and arg[1] == "quick"
local N = IS_QUICK and 1000 or 5000
local SIDE = 2500 * math.sqrt(N / 5000) -- so that five others are in sight
local SIZE, SIGHT, REACH = 4, 40, 44
local SPEED = 0.5 -- in a tick: 5 m/s with ten ticks in a second
local TURN = 64 -- ticks until somebody turns round
local TICKS, FEW = 150, 6 -- the latter of all against all
local WALLS = 300

local state = 1
local function random(most)
  state = state * 16807 % 2147483647
  return state / 2147483647 * most
end

-- The same lists for all: places {x1, y1, ...} of corners, and velocities.
local function newCrowd()
  local places, velocities = {}, {}
  state = 1
  for i = 1, N do
    local angle, speed = random(2 * math.pi), random(SPEED)
    places[2 * i - 1], places[2 * i] = random(SIDE), random(SIDE)
    velocities[2 * i - 1], velocities[2 * i] = speed * math.cos(angle), speed * math.sin(angle)
  end
  return places, velocities
end

local function turnSome(velocities, tick)
  for i = 1 + tick % TURN, N, TURN do
    velocities[2 * i - 1], velocities[2 * i] = -velocities[2 * i - 1], -velocities[2 * i]
  end
end

-- What was told in a tick: how much, and a sum to which the order does not matter.
local function newLog()
  local log = { enter = 0, leave = 0, sum = 0 }
  function log.tell(phase, i, j)
    log[phase] = log[phase] + 1
    log.sum = (log.sum + (phase == "enter" and 3 or 7) * (i * 8191 + j)) % 2147483647
  end
  function log.read()
    local text = ("%d enter, %d leave, sum %.0f"):format(log.enter, log.leave, log.sum)
    log.enter, log.leave, log.sum = 0, 0, 0
    return text
  end
  return log
end

-- the contestants: tick(number) -------------------------------------------------------------------

local function newArea(walls)
  local here, log = area.new(walls), newLog()
  local places, velocities = newCrowd()
  for i = 1, N do
    here:steer(here:add({ name = i, size = SIZE, sight = SIGHT, reach = REACH },
      places[2 * i - 1], places[2 * i]), velocities[2 * i - 1], velocities[2 * i])
  end
  local function tell(phase, actor, name)
    log.tell(phase, actor.name, name)
  end
  return { name = "broadside: the example area", log = log, area = here, tick = function(number)
    turnSome(here.velocities, number)
    here:move()
    here:look(tell)
  end }
end

local ENTER, LEAVE = (SIGHT + SIZE / 2) ^ 2, (REACH + SIZE / 2) ^ 2

local function move(places, velocities)
  for i = 1, 2 * N do
    places[i] = places[i] + velocities[i]
  end
end

local function leaveSome(seen, i, places, tell)
  local x, y = places[2 * i - 1], places[2 * i]
  for j in pairs(seen) do
    local dx, dy = places[2 * j - 1] - x, places[2 * j] - y
    if dx * dx + dy * dy >= LEAVE then
      seen[j] = nil
      tell("leave", i, j)
    end
  end
end

local function newSeen()
  local seen = {}
  for i = 1, N do
    seen[i] = {}
  end
  return seen
end

local CELL, COLUMNS = REACH + SIZE / 2, 4096

local function newGrid()
  local places, velocities = newCrowd()
  local seen, log, cells, cellOf = newSeen(), newLog(), {}, {}
  local function put(i)
    local cell = math.floor(places[2 * i] / CELL) * COLUMNS + math.floor(places[2 * i - 1] / CELL)
    local old = cellOf[i]
    if cell ~= old then
      if old then
        cells[old][i] = nil
      end
      cells[cell] = cells[cell] or {}
      cells[cell][i], cellOf[i] = true, cell
    end
  end
  local function enterSome(i)
    local x, y, sees = places[2 * i - 1], places[2 * i], seen[i]
    for row = cellOf[i] - COLUMNS, cellOf[i] + COLUMNS, COLUMNS do
      for cell = row - 1, row + 1 do
        for j in pairs(cells[cell] or {}) do
          local dx, dy = places[2 * j - 1] - x, places[2 * j] - y
          if dx * dx + dy * dy < ENTER and j ~= i and not sees[j] then
            sees[j] = true
            log.tell("enter", i, j)
          end
        end
      end
    end
  end
  return { name = "nine cells of a grid in plain Lua", log = log, tick = function(number)
    turnSome(velocities, number)
    move(places, velocities)
    for i = 1, N do
      put(i)
    end
    for i = 1, N do
      leaveSome(seen[i], i, places, log.tell)
      enterSome(i)
    end
  end }
end

local function newAllPairs()
  local places, velocities = newCrowd()
  local seen, log = newSeen(), newLog()
  return { name = "all against all in plain Lua", log = log, ticks = FEW, tick = function(number)
    turnSome(velocities, number)
    move(places, velocities)
    for i = 1, N do
      leaveSome(seen[i], i, places, log.tell)
      local x, y, sees = places[2 * i - 1], places[2 * i], seen[i]
      for j = 1, N do
        local dx, dy = places[2 * j - 1] - x, places[2 * j] - y
        if dx * dx + dy * dy < ENTER and j ~= i and not sees[j] then
          sees[j] = true
          log.tell("enter", i, j)
        end
      end
    end
  end }
end

-- the race ----------------------------------------------------------------------------------------

-- All ticks of one after the other, as servers have them: their memory stays in the caches. In the
-- first one everyone is told of everyone in sight.
local told = {}
local function race(contestant)
  contestant.times = {}
  for tick = 0, contestant.ticks or TICKS do
    local start = os.clock()
    contestant.tick(tick)
    contestant.times[tick] = (os.clock() - start) * 1000
    local text = contestant.log.read()
    told[tick] = told[tick] or text
    assert(contestant.isAlone or text == told[tick], contestant.name .. " tells " .. text)
  end
end

local function newWalls()
  local walls = {}
  for _ = 1, WALLS do
    for axis = 1, 4 do
      walls[#walls + 1] = axis <= 2 and random(SIDE) or 10 + random(50)
    end
  end
  return walls
end

local function newWalled()
  local walled = newArea(newWalls())
  walled.name, walled.isAlone = ("the example area, with %d walls"):format(WALLS), true
  return walled
end

-- Each is made when its turn comes, so that it has the memory for itself.
local rows, number, near, ofWorld, ofLua = {}, measure.number, 0, 0, 0
for i, new in ipairs({ newArea, newGrid, newAllPairs, newWalled }) do
  collectgarbage()
  local before = collectgarbage("count")
  local contestant = new()
  race(contestant)
  table.sort(contestant.times)
  rows[i] = { contestant.name .. (i == 1 and " (wanted: at most 3)" or ""),
    number(measure.median(contestant.times)), number(contestant.times[#contestant.times]) }
  if i == 1 then
    near = contestant.area.world:countPairs() / N - 1 -- without the own body
    collectgarbage()
    ofWorld, ofLua = contestant.area.world:stats().memory, collectgarbage("count") - before
  end
end

local jit = rawget(_G, "jit")
print(("\n# A tick of %d actors, each with %.1f others in sight, in %s\n"):format(N, near,
  jit and jit.version or _VERSION))
measure.row({ "", "milliseconds", "the slowest tick" })
print("|---|--:|--:|")
for _, row in ipairs(rows) do
  measure.row(row)
end
print(("\nThe example area takes %.1f kB an actor: %.1f in its world, and %.1f in Lua."):format(
  (ofWorld / 1024 + ofLua) / N, ofWorld / 1024 / N, ofLua / N))
