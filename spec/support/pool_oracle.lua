-- A pool in plain Lua, straight from doc/api.md. It has the same movers in the same order.

local compat = require("spec.support.compat")
local flush = require("spec.support.flush")
local oracle = require("spec.support.oracle")

local pool_oracle = {}

local Pool = {}
Pool.__index = Pool

-- opts: capacity, size (a list), bounds (a shape of the oracle)
function pool_oracle.new(dim, opts)
  return setmetatable({
    dim = dim,
    capacity = opts.capacity,
    size = opts.size,
    bounds = opts.bounds,
    movers = {},
    ended = {}, -- those that ended in the last step, in their former order
    now = 0,
    dropped = 0,
  }, Pool)
end

-- A mover: { id, p, v, a, size, life, tag, mask }. The caller sets `id`.
function Pool:spawn(p, v, opts)
  if #self.movers == self.capacity then
    self.dropped = self.dropped + 1
    return nil
  end
  if #self.movers + #self.ended == self.capacity then
    self:forget(1)
  end
  local mover = {
    p = compat.copy(p),
    before = compat.copy(p),
    v = compat.copy(v),
    a = opts.a,
    size = opts.size or self.size,
    life = opts.life,
    tag = opts.tag or 0,
    mask = opts.mask or 4294967295,
    steps = 0,
  }
  self.movers[#self.movers + 1] = mover
  return mover
end

-- The last one takes its place.
function Pool:removeAt(i)
  local n = #self.movers
  self.movers[i].freed = true
  self.movers[i] = self.movers[n]
  self.movers[n] = nil
end

-- The first one that ended takes its place.
function Pool:forget(i)
  self.ended[i] = self.ended[1]
  table.remove(self.ended, 1)
end

local function indexOf(list, item)
  for i, other in ipairs(list) do
    if other == item then
      return i
    end
  end
  return nil
end

-- Returns whether it was alive. One that has ended is forgotten.
function Pool:free(mover)
  local live, ended = indexOf(self.movers, mover), indexOf(self.ended, mover)
  if live then
    self:removeAt(live)
  elseif ended then
    self:forget(ended)
  end
  return live ~= nil
end

function Pool:clear()
  self.movers, self.ended = {}, {}
end

function Pool:shape(p, size)
  local lo = {}
  for i = 1, self.dim do
    lo[i] = p[i] - size[i] / 2
  end
  return oracle.shape(lo, size)
end

local function isFinite(self, mover)
  local shape = self:shape(mover.p, mover.size)
  for i = 1, self.dim do
    if not (compat.isFinite(shape.lo[i]) and compat.isFinite(shape.hi[i])
      and compat.isFinite(mover.p[i] - mover.before[i])) then
      return false
    end
  end
  return true
end

local function isOver(self, mover)
  return mover.life == 0
    or self.bounds ~= nil and not oracle.overlap(self:shape(mover.p, mover.size), self.bounds)
end

-- Returns how many were freed. Those with a finite way are kept until the next step.
function Pool:step(dt)
  local n = #self.movers
  self.ended = {}
  for _, mover in ipairs(self.movers) do
    for i = 1, self.dim do
      mover.before[i] = mover.p[i]
      if mover.a then
        mover.v[i] = mover.v[i] + mover.a[i] * dt
      end
      mover.p[i] = mover.p[i] + mover.v[i] * dt
    end
    mover.steps = mover.steps + 1
    mover.life = mover.life and mover.life - 1
  end
  for i = n, 1, -1 do
    local mover = self.movers[i]
    local finite = isFinite(self, mover)
    if finite and isOver(self, mover) then
      table.insert(self.ended, 1, mover)
    end
    if not finite or isOver(self, mover) then
      self:removeAt(i)
    end
  end
  return n - #self.movers
end

-- The live movers, then those that ended in the last step.
function Pool:flown()
  return compat.concat(self.movers, self.ended)
end

-- By time; faces come before corners; then by the order of the list.
local function goesBefore(a, b)
  if a.t ~= b.t then
    return a.t < b.t
  end
  return a.corner < b.corner or (a.corner == b.corner and a.order < b.order)
end

-- Of the boxes that met[first] and those behind it are met at, the one whose face along an axis is
-- the nearest; nil if there is none.
local function nearestAhead(met, first, axis, sign)
  local nearest
  for i = first, #met do
    local box = met[i].box
    if met[i].normal[axis] ~= 0 and (not nearest or (sign < 0 and box.lo[axis] < nearest.lo[axis])
      or (sign > 0 and box.hi[axis] > nearest.hi[axis])) then
      nearest = box
    end
  end
  return nearest
end

-- Where the mover was at met[i]: in each direction a number, or a function that says whether one is
-- right. No rounding puts it into a box that it meets then or later.
local function placeOf(met, i, way)
  local hit = met[i]
  local place, axis = {}, flush.axisOf(hit.normal)
  for k, before in ipairs(hit.mover.before) do
    local size, at, sign = hit.mover.size[k], before + way[k] * hit.t, way[k] > 0 and -1 or 1
    local nearest = nearestAhead(met, i, k, sign)
    place[k] = axis and flush.beside(at, size, hit.box, k) or at
    if k == axis or nearest and not flush.isOutside(place[k], size, nearest, k, sign) then
      place[k] = function(x)
        return flush.isFlush(x, size, nearest, k, sign)
      end
    end
  end
  return place
end

-- { mover, box, t, point, normal } for each mover that hit one of the oracle's boxes. With `all`, a
-- box that it was already in before the step is left out, unless this was its first step. `asked`
-- is a filter function's answer.
function Pool:hits(boxes, accepts, all, asked)
  local found = {}
  for _, mover in ipairs(self:flown()) do
    local from, way, met = self:shape(mover.before, mover.size), {}, {}
    for i = 1, self.dim do
      way[i] = mover.p[i] - mover.before[i]
    end
    for order, box in ipairs(boxes) do
      local passes = compat.shareBit(mover.mask, box.layer) and (not accepts or accepts(box))
      local t, normal, entered = oracle.sweep(from, way, box)
      local known = all and entered == 0 and mover.steps > 1
      if passes and t and not known then
        met[#met + 1] = { mover = mover, box = box, t = t, normal = normal,
          corner = entered > 1 and 1 or 0, order = order }
      end
    end
    table.sort(met, goesBefore)
    local last = #found
    for i, hit in ipairs(met) do
      if (all or #found == last) and (not asked or asked(hit.box)) then
        hit.point = placeOf(met, i, way)
        found[#found + 1] = hit
      end
    end
  end
  return found
end

return pool_oracle
