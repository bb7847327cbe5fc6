-- Plays random frames of a game for some time, and watches memory: what Lua counts, what the world
-- and the pool hold, and the resident size of the process must not grow. After the state is closed,
-- no memory may be left (the host counts every byte); see TESTING.md.
--     host spec/soak/run.lua SECONDS

local broadside = require("broadside")
local compat = require("spec.support.compat")
local memory = rawget(_G, "memory")
local random = require("spec.support.random")

local SECONDS = tonumber(arg[1]) or 3600
local LONG = SECONDS >= 120
-- A short run plays many frames of a game of a tenth, so that its quarters have samples enough.
local PART = LONG and 1 or 0.1
local BOXES, FLYING, WIDE = 4000 * PART, 3000 * PART, LONG and 2000 or 600
local LIMIT = SECONDS >= 600 and 0.01 or LONG and 0.1 or 0.3

local rng = random.new(os.time())
local unpack, values, concat = compat.unpack, compat.values, compat.concat

local RESPONSES = { "slide", "bounce", "touch", "cross" }

-- A game with boxes that come, go, move and push each other, bullets, lines of sight, and contacts.
local Game = {}
Game.__index = Game

local function newGame(dim, results)
  local self = setmetatable({ dim = dim, results = results, ids = {}, out = {}, flat = {} }, Game)
  self.world = broadside.newWorld({ dim = dim, results = results,
    gravity = dim == 2 and { 0, -1 } or { 0, -1, 0 } })
  self.pool = broadside.newPool({ dim = dim, capacity = FLYING, w = 2, h = 2,
    bounds = self:around() })
  self.up = dim == 2 and { 0, 1 } or { 0, 1, 0 }
  self.rows, self.pushed = {}, {}
  self.spark = broadside.newModel({ dim = dim, speed = 40, life = 20 })
  self.shell = broadside.newModel({ dim = dim, speed = 90, life = 40,
    emitters = { { delay = 20, count = 1, circle = 6, model = self.spark } } })
  for i = 1, BOXES do
    self.ids[i] = self:insert()
  end
  return self
end

function Game:around()
  return self.dim == 2 and { 0, 0, WIDE, WIDE } or { 0, 0, 0, WIDE, WIDE, 200 }
end

function Game:place()
  return self.dim == 2 and { rng:int(0, WIDE), rng:int(0, WIDE) }
    or { rng:int(0, WIDE), rng:int(0, WIDE), rng:int(0, 200) }
end

function Game:vector(most)
  local v = {}
  for axis = 1, self.dim do
    v[axis] = rng:int(-most, most)
  end
  return v
end

-- The goal is mostly near the box.
function Game:goal(box)
  local goal, at = self:place(), self.world:getRects({ box })
  for axis = 1, rng:chance(0.95) and self.dim or 0 do
    goal[axis] = at[axis] + rng:int(-60, 60)
  end
  return goal
end

function Game:size()
  local v = {}
  for axis = 1, self.dim do
    v[axis] = rng:int(4, 40)
  end
  return v
end

function Game:insert()
  local world, place = self.world, self:place()
  local opts = {
    static = rng:chance(0.3),
    layer = 2 ^ rng:int(0, 3),
    vx = rng:int(-9, 9),
    response = rng:chance(0.2) and rng:pick(RESPONSES) or nil,
    bounce = rng:chance(0.2) and rng:unit() or nil,
    oneWay = rng:chance(0.1) and self.up or nil,
    sensor = rng:chance(0.1),
    data = self.results ~= "id" and { rng:int(1, 1000) } or nil,
  }
  local box
  if rng:chance(0.1) then
    box = world:insertCircle(values(place, rng:int(2, 20), opts))
  elseif self.dim == 2 and rng:chance(0.1) then
    box = world:insertPolygon(random.polygon(rng, place[1], place[2], 20, 9), opts)
  else
    box = world:insert(values(concat(place, self:size()), opts))
  end
  return type(box) == "number" and box or box:getId()
end

local turn = {}

function turn.replace(self)
  for _ = 1, 40 * PART do
    local i = rng:int(1, BOXES)
    self.world:remove(self.ids[i])
    self.ids[i] = self:insert()
  end
end

function turn.move(self)
  for _ = 1, 400 * PART do
    self.world:update(self.ids[rng:int(1, BOXES)], unpack(self:place()))
  end
  self.world:step(1 / 60)
end

function turn.moveMany(self)
  for i = 1, BOXES do
    local place = self:place()
    for axis = 1, self.dim do
      self.flat[(i - 1) * self.dim + axis] = place[axis]
    end
  end
  self.world:updateMany(self.ids, self.flat)
end

function turn.pairs(self)
  local n = 0
  for a, b in self.world:pairs() do
    assert(a and b)
    n = n + 1
    if n > 200 then
      break
    end
  end
  self.world:collectPairs(self.out)
  for phase in self.world:contacts() do
    assert(phase)
  end
end

function turn.ask(self)
  local function some(box)
    return box ~= nil and rng:chance(0.5)
  end
  for _ = 1, 30 * PART do
    self.world:queryRect(values(concat(self:place(), self:size()), nil, self.out))
    self.world:queryCircle(values(self:place(), 50, some))
    self.world:nearest(values(self:place(), 5))
    self.world:segmentCast(values(concat(self:place(), self:place()), some))
    self.world:querySegment(unpack(concat(self:place(), self:place())))
    self.world:sweep(self.ids[rng:int(1, BOXES)], unpack(self:vector(300)))
    self.world:resolve(self.ids[rng:int(1, BOXES)])
  end
end

function turn.walk(self)
  local filters = { 3, { slide = 3, bounce = 4, cross = 8 }, function(box, other)
    return box ~= other and rng:pick({ "slide", "touch", "bounce", "cross", false })
  end }
  local world = self.world
  for _ = 1, 60 * PART do
    local box, filter = self.ids[rng:int(1, BOXES)], rng:pick(filters)
    local other = self.ids[rng:int(1, BOXES)]
    world:move(box, values(self:goal(box), filter, self.rows))
    world:moveBy(box, values(self:vector(30), filter, self.rows))
    world:check(box, values(self:goal(box), filter, rng:chance(0.1) and {} or self.rows))
    world:push(box, values(self:goal(box), rng:chance(0.5) and filter or nil, self.pushed))
    world:moveMany({ box, other }, concat(self:goal(box), self:goal(other)), filter, self.out)
    world:touching(box, values(self.up, filter))
    -- This raises an error for circles, unless the sizes are equal.
    pcall(world.canFit, world, box, values(concat(self:place(), self:size()), filter))
  end
  for box, other in world:hits() do
    assert(box and other)
  end
end

function turn.fire(self)
  for _ = 1, 60 * PART do
    self.pool:spawn(values(concat(self:place(), self:vector(300)), { model = self.shell }))
  end
  if rng:chance(0.2) then
    self.pool:newEmitter({ count = 5, cycle = 3, nway = 5, model = self.spark })
  end
  self.pool:step(1 / 60)
  for id in self.pool:hits(self.world) do
    self.pool:free(id)
  end
  self.pool:collect(self.out)
end

function turn.errors(self)
  pcall(self.world.insert, self.world, 0)
  pcall(self.world.remove, self.world, 5)
  pcall(self.world.queryRect, self.world, values(concat(self:place(), self:size()), function()
    error("no")
  end))
  pcall(self.world.insertMany, self.world, { 1 })
  for _, name in ipairs({ "move", "push" }) do
    pcall(self.world[name], self.world, self.ids[1], values(self:place(), function()
      error("no")
    end, self.rows))
  end
end

function turn.renew(self)
  if rng:chance(0.05) then
    self.world:setBackend(rng:pick({ "auto", "tree", "grid", "sweep" }))
  elseif rng:chance(0.01) then
    self.world:clear()
    for i = 1, BOXES do
      self.ids[i] = self:insert()
    end
    self.pool:clear()
  end
end

local ORDER = { "replace", "move", "moveMany", "pairs", "ask", "walk", "fire", "errors", "renew" }

function Game:frame()
  for _, name in ipairs(ORDER) do
    if name ~= "moveMany" or rng:chance(0.1) then
      turn[name](self)
    end
  end
end

-- Memory ---------------------------------------------------------------------------------------

-- First the C library returns its free memory to the system, because its fragmentation changes with
-- time.
local function resident()
  memory.trim()
  local file = assert(io.open("/proc/self/status"))
  local text = file:read("*a")
  file:close()
  return tonumber(text:match("VmRSS:%s*(%d+)")) * 1024
end

local function measure(games)
  for _ = 1, 2 do
    collectgarbage()
  end
  local held = 0
  for _, game in ipairs(games) do
    held = held + game.world:stats().memory + game.pool:stats().memory
  end
  return { lua = collectgarbage("count") * 1024, held = held, resident = resident() }
end

local games = {}
for dim = 2, 3 do
  for _, results in ipairs({ "box", "id", "data" }) do
    games[#games + 1] = newGame(dim, results)
  end
end

local frames, samples = 0, {}
local begin = os.time()
while os.time() - begin < SECONDS or frames < 400 do
  for _, game in ipairs(games) do
    game:frame()
  end
  frames = frames + 1
  if frames % 10 == 0 then
    samples[#samples + 1] = measure(games)
  end
end

-- The mean of what the samples of a quarter say. The first quarter is for warming up.
local function quarterMean(quarter, what)
  local from, to = math.floor((quarter - 1) * #samples / 4), math.floor(quarter * #samples / 4)
  local sum = 0
  for i = from + 1, to do
    sum = sum + samples[i][what]
  end
  return sum / (to - from)
end

local grown = false
for _, what in ipairs({ "lua", "held", "resident" }) do
  local mean, list = {}, {}
  for i = 1, 4 do
    mean[i] = quarterMean(i, what)
    list[i] = ("%.2f"):format(mean[i] / 2 ^ 20)
  end
  local growth = mean[4] / mean[2] - 1
  grown = grown or growth > LIMIT
  print(("%-9s %s MB in the quarters on average: %+.2f%% from the second to the last"):format(what,
    table.concat(list, ", "), 100 * growth))
end
print(("%d frames of %d games in %d s"):format(frames, #games, os.time() - begin))
assert(not grown, "memory has grown")
