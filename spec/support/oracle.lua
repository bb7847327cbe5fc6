-- The plain truth: what every answer has to be, in double precision, straight from the contract,
-- for any number of axes. A shape is { lo = {x, y}, size = {w, h}, hi = {x + w, y + h} }.

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

return oracle
