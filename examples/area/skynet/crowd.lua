-- An area with a crowd, as a service, to measure. The crowd is that of bench/lua/area.lua.

local area = require("area.area")
local skynet = require("skynet")

local seed, count = ... -- each service has another crowd
local state, N = tonumber(seed), tonumber(count)
local SIDE = 2500 * math.sqrt(N / 5000)
local SIZE, SIGHT, REACH, SPEED, TURN = 4, 40, 44, 0.5, 64

local here, actors = area.new(), {}

local function random(most)
  state = state * 16807 % 2147483647
  return state / 2147483647 * most
end

for i = 1, N do
  local angle, speed = random(2 * math.pi), random(SPEED)
  actors[i] = here:add({ name = i, size = SIZE, sight = SIGHT, reach = REACH }, random(SIDE),
    random(SIDE))
  here:steer(actors[i], speed * math.cos(angle), speed * math.sin(angle))
end

local news = 0

local function tell()
  news = news + 1
end

local function tick(number)
  for i = 1 + number % TURN, N, TURN do
    local vx, vy = here:getVelocity(actors[i])
    here:steer(actors[i], -vx, -vy)
  end
  here:move()
  here:look(tell)
end

-- Seconds of a processor that this service has used until now.
local function processor()
  return skynet.stat("cpu") + skynet.stat("time")
end

local commands = {}

-- Returns milliseconds of a processor in a tick, and how much was told in a tick.
function commands.play(ticks)
  local start, told = processor(), news
  for number = 1, ticks do
    tick(number)
  end
  return (processor() - start) / ticks * 1000, (news - told) / ticks
end

-- Returns bytes: of Lua's tables, and of the worlds.
function commands.memory()
  collectgarbage()
  return collectgarbage("count") * 1024, here.world:stats().memory + here.walls:stats().memory
end

skynet.start(function()
  skynet.dispatch("lua", function(_, _, command, ...)
    skynet.retpack(commands[command](...))
  end)
end)
