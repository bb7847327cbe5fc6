-- A world and a pool with some of everything, on which specs try the calls of calls.lua. They are
-- made in the same way each time, and described in words that do not depend on ids.

local broadside = require("broadside")
local buffer = require("spec.support.buffer")
local compat = require("spec.support.compat")
local properties = require("spec.support.properties")

local fixture = {}

-- Every id is larger than any coordinate, count or tag here.
local SMALLEST_ID = 2 ^ 26

local function rect(dim, x, y, w, h)
  return dim == 2 and { x, y, w, h } or { x, y, 0, w, h, 5 }
end

local function vector(dim, x, y)
  return dim == 2 and { x, y } or { x, y, 0 }
end

local Fixture = {}

-- What is only made when a call takes it.
local MADE = {
  Snapshot = function(self) return self.world:snapshot() end,
  PoolSnapshot = function(self) return self.pool:snapshot() end,
  foreign = function(self) -- a box of another world
    local world = broadside.newWorld({ dim = self.dim })
    return world:insert(compat.unpack(self:rect(0, 0, 1, 1)))
  end,
  data = function() -- as LÖVE's Data; nil without a C compiler
    local memory = rawget(_G, "memory")
    return memory and memory.data(4096) or buffer.new(4096)
  end,
}

function Fixture:__index(name)
  if MADE[name] then
    rawset(self, name, MADE[name](self))
    return rawget(self, name)
  end
  return Fixture[name]
end

function Fixture:rect(...)
  return rect(self.dim, ...)
end

function Fixture:vector(...)
  return vector(self.dim, ...)
end

function Fixture:insert(i, opts, place)
  place = place or rect(self.dim, 7 * i % 40, 5 * i % 30, 9, 8)
  local box = self.world:insert(compat.values(place, opts))
  self.boxes[i] = type(box) == "number" and self.world:getBox(box) or box
  self.handles[i] = box
end

-- Some boxes have data, velocities, filters, object rects or shapes, and some are static. Some were
-- removed, so their indices are free. The contacts of some have ended.
local function fill(self, count)
  for i = 1, count do
    self:insert(i, {
      data = i % 3 > 0 and "box" .. i or nil,
      static = i % 4 == 0,
      layer = i % 5 == 0 and 2 or nil,
      vx = i % 6 == 0 and 1 or nil,
    })
  end
  self.boxes[7]:setShape("circle", 4)
  if self.dim == 2 then
    self.boxes[4]:setShape("polygon", { 28, 20, 37, 20, 30, 28 })
  end
  self.boxes[6]:setTransform(compat.unpack(vector(self.dim, 30, 20)))
  self.contacts = self.world:newContacts()
  for _ in self.world:contacts() do -- luacheck: ignore
  end
  self.contacts:collect()
  self.boxes[6]:contacts()
  self.removed, self.removedId = self.boxes[3], self.boxes[3]:getId()
  for _, i in ipairs({ 3, 5, 10 }) do
    self.boxes[i]:remove()
  end
  self.boxes[2]:setRect(compat.unpack(vector(self.dim, 1, 1)))
end

-- Gives responses to some boxes, which then hit something in a step.
function Fixture:respond()
  for i, response in pairs({ [1] = "slide", [2] = "bounce", [6] = "cross", [7] = "touch" }) do
    self.boxes[i]:setResponse(response)
    self.boxes[i]:setVelocity(compat.unpack(vector(self.dim, 20 - 5 * i, 3)))
  end
  self.boxes[2]:setBounce(0.5)
  self.boxes[8]:setOneWay(compat.unpack(vector(self.dim, 0, 1)))
  self.world:step(1)
end

-- A flat list of n rects.
function Fixture:rects(n)
  local flat = {}
  for i = 1, n do
    flat = compat.concat(flat, self:rect(3 * i, i, 4, 5))
  end
  return flat
end

-- A list of hits with rows that it no longer lists.
function Fixture:used()
  local list = {}
  for _, filter in ipairs({ { cross = -1 }, 0 }) do
    self.world:check(self.handles[4], compat.values(self:vector(60, 25), filter, list))
  end
  return list
end

-- Makes two boxes that rest on box number 2, one on the other. Returns the handle of box number 2.
function Fixture:pile()
  local at, top = { self.boxes[2]:getRect() }, {}
  for i = 1, self.dim do
    top[i] = at[i]
  end
  for i, height in ipairs({ at[self.dim + 2], 3 }) do
    top[2] = top[2] + height
    self:insert(100 + i, nil, compat.concat(top, self.dim == 2 and { 4, 3 } or { 4, 3, 5 }))
  end
  return self.handles[2]
end

local function newPool(self)
  local dim = self.dim
  self.small = broadside.newModel({ dim = dim, speed = 3, life = 9, tag = 77 })
  self.model = broadside.newModel({ dim = dim, speed = 5, w = 2, h = 2,
    emitters = { { cycle = 2, nway = 2, nwayAngle = 1, model = self.small } } })
  local pool = broadside.newPool({ dim = dim, capacity = 16, w = 1, h = 1 })
  self.pool, self.movers = pool, {}
  for i = 1, 6 do
    self.movers[i] = pool:spawn(compat.values(
      compat.concat(dim == 2 and { 6 * i, 4 } or { 6 * i, 4, 1 }, vector(dim, i, 12)),
      { tag = i, model = i % 3 == 0 and self.model or nil }))
  end
  self.emitter = pool:newEmitter({ cycle = 3, model = self.small })
  pool:free(self.movers[2])
  pool:step(1)
end

local ENTITY = { __tostring = function() return "entity" end }

function fixture.new(dim, results, backend, count)
  local self = setmetatable({ dim = dim, results = results, boxes = {}, handles = {} }, Fixture)
  self.world = broadside.newWorld({ dim = dim, results = results, backend = backend,
    gravity = vector(dim, 0, -1) })
  fill(self, count)
  newPool(self)
  self.out = { "old", "older" }
  self.spare = broadside.newGrid({ cellSize = 6 })
  self.entity = setmetatable({}, ENTITY) -- data that can refer to its box
  -- by the classes of calls.lua
  self.Contacts = self.contacts
  self.World, self.Box, self.box = self.world, self.boxes[4], self.handles[4]
  self.Pool, self.Emitter, self.Model = self.pool, self.emitter, self.model
  self.Backend = self.spare
  return self
end

-- In words -------------------------------------------------------------------------------------

local function numbers(...)
  local list = {}
  for i = 1, select("#", ...) do
    list[i] = ("%.17g"):format((select(i, ...)))
  end
  return table.concat(list, " ")
end

-- Names a box by its data, or else by its place.
local function nameBox(box)
  if box:isRemoved() then
    return "removed box"
  end
  return tostring(box:getData() or "box at " .. numbers(box:getRect()))
end

function Fixture:nameNumber(x)
  if x ~= x or x < SMALLEST_ID or x > 2 ^ 53 then
    return ("%.17g"):format(x)
  elseif self.world:has(x) then
    return nameBox(self.world:getBox(x))
  elseif self.pool:isAlive(x) then
    return "mover " .. self.pool:getTag(x)
  end
  return "stale id"
end

-- The fields of statistics, and of the rows that describe hits.
local FIELDS = { "backend", "boxes", "dynamic", "count", "capacity", "emitters", "other",
  "response", "t", "x", "y", "z", "nx", "ny", "nz", "overlap", "crushed", "carried" }

-- Any value that a call of the library may return.
function Fixture:name(value)
  local kind = type(value)
  if kind == "number" then
    return self:nameNumber(value)
  elseif kind == "table" then
    local list = {} -- rows of hits, and names of layers, raise an error for what they do not have
    for i = 1, #value do
      list[i] = self:name(rawget(value, i))
    end
    for _, key in ipairs(FIELDS) do
      local field = rawget(value, key)
      list[#list + 1] = field ~= nil and key .. "=" .. self:name(field) or nil
    end
    return "{" .. table.concat(list, ", ") .. "}"
  elseif kind == "userdata" then
    local text = tostring(value)
    if getmetatable(value) == "Snapshot" then
      return "Snapshot " .. value:getHash()
    end
    return text:match("^Box") and nameBox(value) or text
  elseif kind == "function" then
    return kind
  end
  return tostring(value)
end

local function describeBoxes(self, lines)
  for box in self.world:boxes() do
    for _, part in ipairs({ box:getShape() }) do
      lines[#lines + 1] = self:name(part)
    end
    lines[#lines + 1] = table.concat({ nameBox(box), numbers(box:getRect()),
      numbers(box:getVelocity()), numbers(box:getAcceleration()), numbers(box:getFilter()),
      tostring(box:isStatic()) }, " | ")
    for _, method in ipairs(properties.methods) do
      for _, value in ipairs({ box[method.getter](box) }) do
        lines[#lines + 1] = type(value) == "number" and numbers(value) or tostring(value)
      end
    end
  end
end

local function describePairs(self, lines)
  local list = {}
  for a, b in self.world:pairs() do
    list[#list + 1] = self:name(a) .. " - " .. self:name(b)
  end
  table.sort(list) -- their order depends on the library
  lines[#lines + 1] = table.concat(list, "\n")
end

local function describeHits(self, lines)
  for box, other, response, t, nx, ny, nz in self.world:hits() do
    lines[#lines + 1] = table.concat({ self:name(box), self:name(other), response,
      numbers(t, nx, ny, nz or 0) }, " ")
  end
end

local function describePool(self, lines)
  for id in self.pool:each() do
    lines[#lines + 1] = self.pool:getTag(id) .. ": " .. numbers(self.pool:get(id))
  end
  local stats = self.pool:stats()
  lines[#lines + 1] = numbers(stats.count, stats.capacity, stats.emitters, stats.spawned,
    stats.freed, stats.dropped, self.emitter:getCount())
end

-- Describes everything that a call may have changed, without changing it.
function Fixture:describe()
  local lines = { self.world:getBackend():getName(), tostring(self.spare),
    numbers(self.world:getGravity()), numbers(#self.world),
    self:name(rawget(self.entity, "box")) }
  describeBoxes(self, lines)
  describePairs(self, lines)
  describeHits(self, lines)
  describePool(self, lines)
  lines[#lines + 1] = self.snapshot and self.snapshot:getHash()
  return table.concat(lines, "\n")
end

-- All that snapshots keep, and the back end, as one string.
function Fixture:state()
  return self.world:snapshot():getString() .. self.pool:snapshot():getString()
    .. self.world:getBackend():getName()
end

-- Asserts that the world and the pool still do what they are for.
function Fixture:works()
  local far = compat.unpack(self:rect(5000, 0, 2, 2))
  self:insert(200, nil, self:rect(5000, 0, 2, 2))
  self:insert(201, nil, self:rect(5001, 0, 2, 2))
  assert(far == 5000 and #self.world:queryBox(self.handles[200]) == 1)
  self.boxes[201]:setRect(compat.unpack(self:vector(6000, 0)))
  assert(#self.world:queryBox(self.handles[200]) == 0)
  self.boxes[200]:remove()
  self.boxes[201]:remove()
  self.pool:clear()
  local mover = compat.unpack(self:vector(1, 2))
  assert(mover == 1 and self.pool:spawn(compat.unpack(compat.concat(self:vector(1, 2),
    self:vector(3, 4)))) and self.pool:count() == 1)
end

-- Also describes what depends on hidden state: contacts, answers, and the next step.
function Fixture:probe()
  local lines = { self:describe() }
  for _, loop in ipairs({ { self.world:contacts() }, { self.contacts:each() } }) do
    for phase, a, b in loop[1], loop[2] do
      lines[#lines + 1] = phase .. " " .. self:name(a) .. " " .. self:name(b)
    end
  end
  local dim = self.dim
  local from, far = vector(dim, -5, 6), vector(dim, 60, 9)
  lines[#lines + 1] = self:name(self.world:queryRect(compat.unpack(rect(dim, 0, 0, 20, 20))))
  lines[#lines + 1] = self:name(self.world:querySegment(compat.unpack(compat.concat(from, far))))
  lines[#lines + 1] = self:name((self.world:segmentCast(compat.unpack(compat.concat(from, far)))))
  lines[#lines + 1] = self:name(self.world:nearest(compat.values(from, 4)))
  self.world:step(0.5)
  self.pool:step(0.5)
  for id, box, t in self.pool:hits(self.world) do
    lines[#lines + 1] = self:name(id) .. " hits " .. self:name(box) .. " at " .. numbers(t)
  end
  lines[#lines + 1] = self:describe()
  return table.concat(lines, "\n")
end

return fixture
