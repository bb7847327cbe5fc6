-- A node: starts the areas that this process is to have, and keeps what they save. Where area 1
-- is, it compares both areas with one that was never split, at the end.
--
--   AREA_SIDES="1 2"    both areas in this process; they are killed and moved on the way
--   AREA_SIDES=1 or 2   one of them; the other one is in another process

local places = require("area.skynet.places")
local skynet = require("skynet.manager")
local town = require("area.town")
local whole = require("area.whole")

local PEOPLE, TICKS, RATE = 160, 400, 100
local PATIENCE = 60 -- seconds until it gives up

local sides = skynet.getenv("areas")
local services = {} -- by side
local kept, asked = {}, 0 -- what areas have saved last, by side

-- Starts an area from what was saved, or anew.
local function start(side, store)
  local service = skynet.newservice("areaservice")
  local tick = skynet.call(service, "lua", "start",
    { side = side, people = PEOPLE, ticks = TICKS, rate = RATE, store = store })
  services[side] = service
  places.name("area" .. side, service)
  print(("area %d goes on after tick %d"):format(side, tick))
end

-- As if a service had died by an error: what it did after its last snapshot is done once more.
local function killAndRestart(side)
  skynet.kill(services[side])
  start(side, kept[side])
end

-- An area goes on in another service, which might be anywhere. What it goes on from must be kept:
-- its neighbour will forget what happened before.
local function move(side)
  kept[side] = skynet.call(services[side], "lua", "leave")
  skynet.kill(services[side])
  start(side, kept[side])
end

-- An answer of a service that may not be there yet.
local function ask(...)
  while true do
    local isThere, answer = pcall(places.call, ...)
    if isThere then
      return answer
    end
    skynet.sleep(10)
  end
end

-- Whether the areas are together what one is.
local function compare()
  local straight = whole.new(town.people(PEOPLE))
  for _ = 1, TICKS do
    straight:step()
  end
  local first, second = ask("area1", "await", TICKS), ask("area2", "await", TICKS)
  local isSame = whole.describe(first, second) == whole.describe(straight:records())
  print(("%d ticks %s: %s"):format(TICKS,
    sides == "1 2" and "of two services in one process" or "of two nodes",
    isSame and "the same as one world" or "NOT the same as one world"))
  return isSame
end

local commands = {}

-- Refuses every third snapshot, as a database may that is away now and then.
function commands.keep(side, text)
  asked = asked + 1
  assert(asked % 3 ~= 0, "the keeper has no time")
  if not kept[side] then
    print(("area %d has saved"):format(side))
  end
  kept[side] = text
end

function commands.kept(side)
  return kept[side]
end

skynet.start(function()
  skynet.dispatch("lua", function(_, _, command, ...)
    skynet.retpack(commands[command](...))
  end)
  skynet.timeout(PATIENCE * 100, function()
    print("the areas have not ended")
    os.exit(1)
  end)
  if sides:find("1") then
    places.name("keeper", skynet.self())
  end
  places.open()
  for side in sides:gmatch("%d") do
    start(tonumber(side), ask("keeper", "kept", tonumber(side)))
  end
  if sides == "1 2" then
    ask("area1", "await", 130)
    killAndRestart(2)
    ask("area1", "await", 270)
    move(1)
    skynet.sleep(4)
    killAndRestart(1)
  end
  if sides:find("1") then
    os.exit(compare() and 0 or 1)
  end
end)
