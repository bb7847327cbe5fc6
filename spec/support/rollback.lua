-- A random program of a pool whose movers fly through a world, frame by frame; and the same program
-- with a rollback of some frames in each frame.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local random = require("spec.support.random")

local values, concat = compat.values, compat.concat

local rollback = {}

local Program = {}
Program.__index = Program

local function point(rng, dim, reach)
  local list = {}
  for axis = 1, dim do
    list[axis] = axis == 3 and rng:int(-2, 2) or rng:int(-reach, reach)
  end
  return list
end

local function newModels(dim)
  local plain = broadside.newModel({ dim = dim, speed = 3, life = 5, tag = 7, w = 1, ax = 0.25 })
  local carrier = broadside.newModel({ dim = dim, speed = 2, emitters = {
    { cycle = 2, count = 3, delay = 1, model = plain, nway = 2, nwayAngle = 0.5, relative = true },
    { cycle = 7, circle = 3, circleOdd = true, speed = 1 },
  } })
  local again = broadside.newModel({ dim = dim, life = 9, mask = 5, emitters = {
    { delay = 4, count = 1, model = "self", x = 1 },
    { cycle = 5, model = carrier },
  } })
  return { plain, carrier, again }
end

function rollback.new(dim, backend, seed)
  local rng = random.new(seed)
  local self = setmetatable({ dim = dim, seed = seed, models = newModels(dim) }, Program)
  self.world = broadside.newWorld({ dim = dim, backend = backend, results = "id" })
  for i = 1, 12 do
    local corner = point(rng, dim, 15)
    self.world:insert(values(concat(corner, dim == 2 and { 3, 2 } or { 3, 2, 4 }),
      { vx = i % 3 - 1, layer = i % 4 + 1 }))
  end
  self.pool = broadside.newPool({
    dim = dim,
    capacity = rng:pick({ 5, 40, 70 }),
    w = rng:int(0, 2),
    h = 1,
    bounds = rng:chance(0.7) and (dim == 2 and { -20, -20, 40, 40 }
      or { -20, -20, -9, 40, 40, 18 }) or nil,
  })
  self.emitters = {}
  self.made = 0
  return self
end

-- Operations ---------------------------------------------------------------------------------

local operations = {}

function operations.spawn(self, rng)
  local model = rng:pick({ false, self.models[1], self.models[2], self.models[3] })
  local opts = rng:chance(0.5) and {
    model = model or nil,
    life = rng:chance(0.3) and 1 + rng:int(0, 8) or nil,
    tag = rng:chance(0.5) and rng:int(-9, 9) or nil,
    w = rng:chance(0.2) and rng:int(0, 5) or nil,
    ay = rng:chance(0.2) and rng:unit() or nil,
  } or nil
  return self.pool:spawn(values(concat(point(rng, self.dim, 18), point(rng, self.dim, 4)), opts))
end

function operations.free(self, rng)
  local ids = {}
  for id in self.pool:each() do
    ids[#ids + 1] = id
  end
  return #ids > 0 and self.pool:free(rng:pick(ids))
end

function operations.set(self, rng)
  local n = 0
  for id in self.pool:each() do
    n = n + 1
    if rng:chance(0.2) then
      self.pool:set(id, values(concat(point(rng, self.dim, 18), point(rng, self.dim, 3))))
    end
  end
  return n
end

-- The hits may include ended movers, so these may be freed, too.
function operations.hits(self, rng)
  local n = 0
  for id in self.pool:hits(self.world) do
    n = n + (rng:chance(0.4) and self.pool:free(id) and 1 or 0)
  end
  return n
end

function operations.emitter(self, rng)
  self.made = self.made + 1
  self.emitters[self.made] = self.pool:newEmitter({
    x = rng:int(-9, 9),
    speed = rng:chance(0.5) and rng:int(1, 4) or nil,
    delay = rng:int(0, 3),
    cycle = rng:int(1, 6),
    count = rng:int(-1, 4),
    nway = rng:int(1, 3),
    nwayAngle = 0.25,
    model = rng:chance(0.6) and rng:pick(self.models) or nil,
  })
  return self.made
end

function operations.move(self, rng)
  local emitter = self.emitters[self.made]
  if emitter then
    emitter:setPosition(values(point(rng, self.dim, 9)))
    emitter:setAngle(rng:int(-3, 3))
  end
  return emitter and emitter:getCount()
end

function operations.stop(self, rng)
  local emitter = self.emitters[rng:int(1, math.max(1, self.made))]
  if emitter then
    emitter:stop()
  end
end

function operations.clear(self)
  self.pool:clear()
end

local CHOICES = { { 8, "spawn" }, { 3, "free" }, { 2, "set" }, { 2, "hits" }, { 2, "emitter" },
  { 2, "move" }, { 1, "stop" }, { 0.2, "clear" } }

-- What can be seen -----------------------------------------------------------------------------

-- Everything that a script can find out, as lines.
function Program:describe()
  local pool, lines = self.pool, {}
  local function add(...)
    local list = { ... }
    for i = 1, #list do
      list[i] = type(list[i]) == "number" and ("%.17g"):format(list[i]) or tostring(list[i])
    end
    lines[#lines + 1] = table.concat(list, " ")
  end
  local stats = pool:stats()
  add(pool:count(), stats.emitters, stats.spawned, stats.freed, stats.dropped)
  for id in pool:each() do
    add("mover", id, pool:getTag(id), pool:get(id))
  end
  for id, box, t, x, y in pool:hits(self.world) do
    add("hit", id, box, t, x, y, pool:isAlive(id), pool:get(id))
  end
  for id, t in pool:hitsRect(values(self.dim == 2 and { -4, -4, 8, 8 }
    or { -4, -4, -4, 8, 8, 8 })) do
    add("in", id, t, pool:getTag(id))
  end
  for i = 1, self.made do
    add("emitter", i, self.emitters[i]:getCount(), self.emitters[i]:isActive())
  end
  return table.concat(lines, "\n")
end

-- Frames ---------------------------------------------------------------------------------------

-- Plays a frame, which depends only on its number, the seed and the state. Returns everything that
-- it saw.
function Program:frame(number, seed)
  local rng = random.new((seed or self.seed) * 1000 + number)
  local lines = {}
  for _ = 1, rng:int(1, 6) do
    local name = rng:weighted(CHOICES)
    lines[#lines + 1] = name .. " " .. tostring((operations[name](self, rng)))
  end
  local dt = rng:pick({ 1, 1, 1, 0.5, 0 })
  self.world:step(dt)
  lines[#lines + 1] = ("%d %d"):format(self.pool:step(dt))
  lines[#lines + 1] = self:describe()
  return table.concat(lines, "\n")
end

-- Plays the frames 1 to n, one after the other.
function Program:run(n)
  local log = {}
  for number = 1, n do
    log[number] = self:frame(number)
  end
  return log, self.pool:snapshot():getHash()
end

-- The same, but each frame first goes back by 1 to 8 frames, from another future. Raises an error
-- if it then sees anything else than before.
function Program:runWithRollback(n)
  local rng = random.new(self.seed + 77)
  local log, saved = {}, {}
  local function goBackTo(number)
    local s = saved[number]
    self.world:restore(s.world)
    self.pool:restore(rng:chance(0.3) and s.pool:getString() or s.pool)
    self.made = s.made
    assert(self.pool:snapshot():getHash() == s.hash, "another hash")
  end
  for number = 1, n do
    local s = saved[number - 9] or {}
    s.world, s.pool = self.world:snapshot(s.world), self.pool:snapshot(s.pool)
    s.hash, s.made = s.pool:getHash(), self.made
    saved[number], saved[number - 9] = s, nil
    log[number] = self:frame(number)
    local first = math.max(1, number - rng:int(0, 7))
    goBackTo(first)
    for wrong = first, first + rng:int(0, 4) do
      self:frame(wrong, self.seed + 555)
    end
    goBackTo(first)
    for again = first, number do
      local seen = self:frame(again)
      assert(seen == log[again], ("frame %d, back in %d: %s\nis not\n%s"):format(again, number,
        seen, log[again]))
    end
  end
  return log, self.pool:snapshot():getHash()
end

return rollback
