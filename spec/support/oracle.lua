-- The plain truth: what every answer has to be, in double precision, straight from the contract,
-- for any number of axes. A shape is { lo = {x, y}, size = {w, h}, hi = {x + w, y + h} }.
-- Everything loops over all boxes; nothing is fast or clever.

local compat = require("spec.support.compat")

local huge = math.huge

local oracle = {}

local function zeros(dim)
  local list = {}
  for i = 1, dim do
    list[i] = 0
  end
  return list
end

-- Geometry -----------------------------------------------------------------------------------

function oracle.shape(lo, size)
  local shape = { lo = {}, size = {}, hi = {} }
  for i = 1, #lo do
    shape.lo[i] = lo[i] + 0.0
    shape.size[i] = size[i] + 0.0
    shape.hi[i] = lo[i] + 0.0 + size[i]
  end
  return shape
end

-- Converts a flat list x, y, w, h (or x, y, z, w, h, d) to a shape, and back.
function oracle.fromFlat(flat)
  local dim = #flat / 2
  local lo, size = {}, {}
  for i = 1, dim do
    lo[i], size[i] = flat[i], flat[dim + i]
  end
  return oracle.shape(lo, size)
end

function oracle.toFlat(shape)
  return compat.concat(shape.lo, shape.size)
end

function oracle.point(p)
  return oracle.shape(p, zeros(#p))
end

-- Whether the interiors overlap; touching is not enough.
function oracle.overlap(a, b)
  for i = 1, #a.lo do
    if not (a.lo[i] < b.hi[i] and b.lo[i] < a.hi[i]) then
      return false
    end
  end
  return true
end

-- The open time interval in which a, moving at speed v, overlaps b on one axis; nil if it never
-- does.
local function overlapTimes(a, v, b, axis)
  local before = b.lo[axis] - a.hi[axis]
  local beyond = b.hi[axis] - a.lo[axis]
  if v > 0 then
    return before / v, beyond / v
  elseif v < 0 then
    return beyond / v, before / v
  elseif a.lo[axis] < b.hi[axis] and b.lo[axis] < a.hi[axis] then
    return -huge, huge
  end
  return nil
end

-- When a, moving by v, enters b: the time, the normal, and how many axes are entered then; or nil.
function oracle.sweep(a, v, b)
  local normal = zeros(#v)
  if oracle.overlap(a, b) then
    return 0, normal, 0
  end
  local enter, leave, last, times = -huge, huge, nil, {}
  for i = 1, #v do
    local from, to = overlapTimes(a, v[i], b, i)
    if not from then
      return nil
    end
    if from > enter then
      enter, last = from, i
    end
    leave = math.min(leave, to)
    times[i] = from
  end
  local entered = 0
  for i = 1, #v do
    entered = entered + (times[i] == enter and 1 or 0)
  end
  local t = enter > 0 and enter or 0
  if t >= math.min(1, leave) then
    return nil
  end
  normal[last] = v[last] > 0 and -1 or 1
  return t, normal, entered
end

-- A segment is a point that moves from its start to its end.
function oracle.segment(from, to, b)
  local v = {}
  for i = 1, #from do
    v[i] = to[i] - from[i]
  end
  return oracle.sweep(oracle.point(from), v, b)
end

-- The least push that separates a from b: the vector, its length and its axis; nil if they are
-- apart.
function oracle.separation(a, b)
  if not oracle.overlap(a, b) then
    return nil
  end
  local push, length, axis = nil, huge, nil
  for i = 1, #a.lo do
    local back, forth = b.lo[i] - a.hi[i], b.hi[i] - a.lo[i]
    local least = forth < -back and forth or back
    if math.abs(least) < length then
      push, length, axis = least, math.abs(least), i
    end
  end
  local vector = zeros(#a.lo)
  if axis then
    vector[axis] = push
  end
  return vector, length, axis
end

-- A quarter of the distance from a point to a box, 0 inside. Squares of tiny or huge numbers become
-- 0 or overflow, and so do the largest distances.
function oracle.quarterDistance(p, b)
  local function square(scale)
    local sum = 0
    for i = 1, #p do
      local d = math.max(b.lo[i] / 4 - p[i] / 4, 0, p[i] / 4 - b.hi[i] / 4) * scale
      sum = sum + d * d
    end
    return sum
  end
  local d2 = square(1)
  if d2 < 2 ^ -1000 then
    return math.sqrt(square(2 ^ 600)) / 2 ^ 600
  end
  return d2 < 2 ^ 1000 and math.sqrt(d2) or math.sqrt(square(2 ^ -600)) * 2 ^ 600
end

function oracle.reflect(v, normal)
  local dot = 0
  for i = 1, #v do
    dot = dot + v[i] * normal[i]
  end
  local out = {}
  for i = 1, #v do
    out[i] = v[i] - 2 * dot * normal[i]
  end
  return out
end

-- A world ------------------------------------------------------------------------------------

local World = {}
World.__index = World

function oracle.newWorld(dim)
  return setmetatable({
    dim = dim,
    boxes = {}, -- in insertion order
    gravity = zeros(dim),
    inserted = 0,
    touching = {}, -- the pairs of the last contacts(), in their order
  }, World)
end

-- opts: static, layer, mask, v, a (the last two as lists), sensor, gravityScale. The box that it
-- returns is a shape with more fields; `order` numbers all boxes ever inserted.
function World:insert(lo, size, opts)
  opts = opts or {}
  local box = oracle.shape(lo, size)
  self.inserted = self.inserted + 1
  box.order = self.inserted
  box.static = opts.static or false
  box.layer = opts.layer or 1
  box.mask = opts.mask or 4294967295
  box.v = opts.v or zeros(self.dim)
  box.a = opts.a or zeros(self.dim)
  box.sensor, box.gravityScale = opts.sensor or false, opts.gravityScale or 1
  self.boxes[#self.boxes + 1] = box
  return box
end

function World:remove(box)
  for i, other in ipairs(self.boxes) do
    if other == box then
      table.remove(self.boxes, i)
      box.removed = true
      return
    end
  end
end

function World:clear()
  for _, box in ipairs(self.boxes) do
    box.removed = true
  end
  self.boxes = {}
end

-- The fields of a box that may change.
local STATE = { "lo", "size", "hi", "static", "layer", "mask", "v", "a", "sensor", "gravityScale" }

-- A snapshot of the world. Boxes stay the same tables.
function World:snapshot()
  local saved = { gravity = self.gravity, inserted = self.inserted, touching = self.touching }
  for i, box in ipairs(self.boxes) do
    saved[i] = { box = box }
    for _, name in ipairs(STATE) do
      saved[i][name] = box[name]
    end
  end
  return saved
end

function World:restore(saved)
  self:clear()
  self.gravity, self.inserted, self.touching = saved.gravity, saved.inserted, saved.touching
  for i, row in ipairs(saved) do
    self.boxes[i] = row.box
    row.box.removed = nil
    for _, name in ipairs(STATE) do
      row.box[name] = row[name]
    end
  end
end

-- Sets a new place, and a new size if one is given.
function World:update(box, lo, size) -- luacheck: no self
  local shape = oracle.shape(lo, size or box.size)
  box.lo, box.size, box.hi = shape.lo, shape.size, shape.hi
end

function World:step(dt)
  for _, box in ipairs(self.boxes) do
    if not box.static then
      self:stepBox(box, dt)
    end
  end
end

function World:stepBox(box, dt)
  local v, lo = {}, {}
  for i = 1, self.dim do
    v[i] = box.v[i] + (self.gravity[i] * box.gravityScale + box.a[i]) * dt
    lo[i] = box.lo[i] + v[i] * dt
    if not (compat.isFinite(v[i]) and compat.isFinite(lo[i])
      and compat.isFinite(lo[i] + box.size[i])) then
      return
    end
  end
  box.v = v
  self:update(box, lo)
end

-- Whether the layers and masks of two boxes let them make a pair.
function oracle.mayMeet(a, b)
  return not (a.static and b.static)
    and compat.shareBit(a.mask, b.layer)
    and compat.shareBit(b.mask, a.layer)
end

-- All pairs, with the box inserted first in front, ordered by the first and then by the second box.
function World:pairs()
  local found = {}
  for i, a in ipairs(self.boxes) do
    for j = i + 1, #self.boxes do
      local b = self.boxes[j]
      if oracle.overlap(a, b) and oracle.mayMeet(a, b) then
        found[#found + 1] = { a, b }
      end
    end
  end
  return found
end

local function byInsertion(p, q)
  if p[1] ~= q[1] then
    return p[1].order < q[1].order
  end
  return p[2].order < q[2].order
end

local function pairKey(pair)
  return pair[1].order .. ":" .. pair[2].order
end

-- Compares the pairs with those of the previous call: a list of { phase, a, b }.
function World:contacts()
  local now, before, all = self:pairs(), {}, {}
  for _, pair in ipairs(self.touching) do
    before[pairKey(pair)] = pair
  end
  for _, pair in ipairs(now) do
    local known = before[pairKey(pair)]
    before[pairKey(pair)] = nil
    all[#all + 1] = { pair[1], pair[2], phase = known and "stay" or "begin" }
  end
  for _, pair in pairs(before) do
    all[#all + 1] = { pair[1], pair[2], phase = "end" }
  end
  table.sort(all, byInsertion)
  self.touching = now
  local found = {}
  for i, pair in ipairs(all) do
    found[i] = { pair.phase, pair[1], pair[2] }
  end
  return found
end

-- All boxes, in insertion order, that pass the test and the filter (a function of the box, or nil).
function World:select(accept, test)
  local found = {}
  for _, box in ipairs(self.boxes) do
    if test(box) and (not accept or accept(box)) then
      found[#found + 1] = box
    end
  end
  return found
end

function World:queryShape(shape, accept)
  return self:select(accept, function(box)
    return oracle.overlap(shape, box)
  end)
end

function World:queryPoint(p, accept)
  return self:queryShape(oracle.point(p), accept)
end

function World:queryCircle(p, r, accept)
  local centre = oracle.point(p)
  return self:select(accept, function(box)
    return oracle.quarterDistance(p, box) < r / 4 or oracle.overlap(centre, box)
  end)
end

-- Accepts every box except this one.
local function others(box, accept)
  return function(other)
    return other ~= box and (not accept or accept(other))
  end
end

function World:queryBox(box, accept)
  return self:queryShape(box, others(box, accept))
end

-- All hits of a moving shape as { box, t, normal, corner }: by time; at equal times those at a face
-- come before those at an edge or a corner; then by insertion.
function World:hits(shape, v, accept)
  local found = {}
  for _, box in ipairs(self.boxes) do
    local t, normal, entered = oracle.sweep(shape, v, box)
    if t and (not accept or accept(box)) then
      found[#found + 1] = { box = box, t = t, normal = normal, corner = entered > 1 }
    end
  end
  table.sort(found, function(p, q)
    if p.t ~= q.t then
      return p.t < q.t
    elseif p.corner ~= q.corner then
      return q.corner
    end
    return p.box.order < q.box.order
  end)
  return found
end

function World:sweepShape(shape, v, accept)
  return self:hits(shape, v, accept)[1]
end

function World:sweep(box, v, accept)
  return self:sweepShape(box, v, others(box, accept))
end

function World:querySweep(box, v, accept)
  return self:hits(box, v, others(box, accept))
end

function World:querySegment(from, to, accept)
  local v = {}
  for i = 1, self.dim do
    v[i] = to[i] - from[i]
  end
  return self:hits(oracle.point(from), v, accept)
end

-- The first hit of a segment, and where it is: on the face that it has met.
function World:segmentCast(from, to, accept)
  local hit = self:querySegment(from, to, accept)[1]
  if hit then
    hit.point = {}
    for i = 1, self.dim do
      local at, lo, hi = from[i] + (to[i] - from[i]) * hit.t, hit.box.lo[i], hit.box.hi[i]
      hit.point[i] = hit.normal[i] < 0 and lo or hit.normal[i] > 0 and hi
        or math.max(lo, math.min(at, hi))
    end
  end
  return hit
end

-- The k boxes nearest to a point, by distance and then by insertion.
function World:nearest(p, k, accept, maxDistance)
  local found = {}
  for _, box in ipairs(self.boxes) do
    local quarter = oracle.quarterDistance(p, box)
    if quarter <= (maxDistance or huge) / 4 and (not accept or accept(box)) then
      found[#found + 1] = { box = box, quarter = quarter }
    end
  end
  table.sort(found, function(a, b)
    return a.quarter < b.quarter or a.quarter == b.quarter and a.box.order < b.box.order
  end)
  local list = {}
  for i = 1, math.min(k or 1, #found) do
    list[i] = found[i].box
  end
  return list
end

-- The box that overlaps least (of equals the one inserted first) and has not pushed yet.
local function leastOverlap(found, box, done)
  local best, push, least = nil, nil, huge
  for _, other in ipairs(found) do
    local vector, length = oracle.separation(box, other)
    if length and not done[other] and length < least then
      best, push, least = other, vector, length
    end
  end
  return best, push
end

-- The shortest push along one axis out of all boxes of the list, and the box beside which it ends.
local function outOfAll(found, box)
  local best, push, least = nil, nil, huge
  for i = 1, #box.lo do
    for _, sign in ipairs({ -1, 1 }) do
      local deepest, depth = nil, 0
      for _, other in ipairs(found) do
        local one = sign < 0 and box.hi[i] - other.lo[i] or other.hi[i] - box.lo[i]
        if one > depth then
          deepest, depth = other, one
        end
      end
      if deepest and depth < least then
        best, push, least = deepest, zeros(#box.lo), depth
        push[i] = sign * depth
      end
    end
  end
  return best, push, least
end

-- Whether the box would leave each of them in the same direction if that were alone.
local function leavesAlike(found, box)
  local known
  for _, other in ipairs(found) do
    local vector, _, axis = oracle.separation(box, other)
    local way = axis * (vector[axis] < 0 and -1 or 1)
    known = known or way
    if way ~= known then
      return false
    end
  end
  return true
end

-- How far it goes if it leaves one after the other, the least overlap first: 16 of them at most,
-- and not so many that they take more than 4096 looks at a box.
local function lengthOneByOne(found, box)
  local at, sum, left = oracle.shape(box.lo, box.size), 0, {}
  for _ = 1, math.min(16, math.floor(4096 / #found)) do
    local other, push = leastOverlap(found, at, left)
    if not other then
      break
    end
    local lo = {}
    for i = 1, #push do
      lo[i] = at.lo[i] + push[i]
      sum = sum + math.abs(push[i])
    end
    at = oracle.shape(lo, box.size)
    left[other] = true
  end
  return sum
end

-- One push: out of everything that it overlaps, unless single pushes are shorter in all.
local function nextPush(found, box)
  local other, push, length = outOfAll(found, box)
  if other and not leavesAlike(found, box) and lengthOneByOne(found, box) < length then
    return leastOverlap(found, box, {})
  end
  return other, push
end

-- Pushes the box out of what it overlaps: the total push and the number of pushes.
function World:resolve(box, accept)
  local total, pushes, done = zeros(self.dim), 0, {}
  while true do
    local found = {}
    for _, other in ipairs(self:queryBox(box, accept)) do
      local may = not (done[other] or box.sensor or other.sensor)
      found[#found + 1] = may and other or nil
    end
    local other, push = nextPush(found, box)
    if not other then
      return total, pushes
    end
    local lo = {}
    for i = 1, self.dim do
      lo[i] = box.lo[i] + push[i]
      total[i] = total[i] + push[i]
    end
    self:update(box, lo)
    done[other] = true
    pushes = pushes + 1
  end
end

return oracle
