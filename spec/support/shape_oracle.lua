-- What shapes have to answer, in plain Lua with arithmetic of its own. It finds distances by going
-- through all features of both shapes, and first contacts by a search for the root of the distance.
--
-- A shape is everything within `r` of its core: { dim, r, points } with the corners of a convex
-- core in order (one corner: a circle; two: a segment); or, in 3D, { dim, r, lo, hi } with a core
-- that is a box (of size 0 for a sphere). Everything is measured by `gap`, the signed distance of
-- two shapes. Above 0 it is their distance; below 0 it is minus the length of the least push that
-- separates them. The oracle has no tolerance of its own: a spec says how near to 0 answers do not
-- count.

local compat = require("spec.support.compat")

local huge, sqrt, abs, max, min = math.huge, math.sqrt, math.abs, math.max, math.min

local shapes = {}

-- Shapes ---------------------------------------------------------------------------------------

-- Twice the area within the corners. It is above 0 if they turn from x to y.
local function area2(points)
  local sum, o = 0, points[1]
  for i = 2, #points - 1 do
    local a, b = points[i], points[i + 1]
    sum = sum + (a[1] - o[1]) * (b[2] - o[2]) - (a[2] - o[2]) * (b[1] - o[1])
  end
  return sum
end

-- A convex polygon {x1, y1, ...}, in either winding order.
function shapes.polygon(flat)
  local points = {}
  for i = 1, #flat, 2 do
    points[#points + 1] = { flat[i], flat[i + 1] }
  end
  if area2(points) < 0 then
    local turned = {}
    for i = 1, #points do
      turned[i] = points[#points + 1 - i]
    end
    points = turned
  end
  return { dim = 2, r = 0, points = points }
end

-- A box of two or three axes; sizes may be 0.
function shapes.box(lo, size)
  local hi = {}
  for axis = 1, #lo do
    hi[axis] = lo[axis] + size[axis]
  end
  if #lo == 3 then
    return { dim = 3, r = 0, lo = compat.copy(lo), hi = hi }
  end
  local points = { { lo[1], lo[2] }, { hi[1], lo[2] }, { hi[1], hi[2] }, { lo[1], hi[2] } }
  return { dim = 2, r = 0, points = size[1] == 0 and size[2] == 0 and { points[1] } or points }
end

-- A circle or a sphere; r = 0 is a point.
function shapes.circle(centre, r)
  if #centre == 3 then
    return { dim = 3, r = r, lo = compat.copy(centre), hi = compat.copy(centre) }
  end
  return { dim = 2, r = r, points = { compat.copy(centre) } }
end

-- The shape after a motion v.
function shapes.moved(shape, v)
  local function add(p)
    local q = {}
    for axis = 1, shape.dim do
      q[axis] = p[axis] + v[axis]
    end
    return q
  end
  if shape.dim == 3 then
    return { dim = 3, r = shape.r, lo = add(shape.lo), hi = add(shape.hi) }
  end
  local points = {}
  for i, p in ipairs(shape.points) do
    points[i] = add(p)
  end
  return { dim = 2, r = shape.r, points = points }
end

-- The least and the greatest coordinate of the shape on an axis.
function shapes.extent(shape, axis)
  if shape.dim == 3 then
    return shape.lo[axis] - shape.r, shape.hi[axis] + shape.r
  end
  local lo, hi = huge, -huge
  for _, p in ipairs(shape.points) do
    lo, hi = min(lo, p[axis]), max(hi, p[axis])
  end
  return lo - shape.r, hi + shape.r
end

-- The greatest number in a shape, to which rounding is relative.
function shapes.scale(...)
  local most = 0
  for i = 1, select("#", ...) do
    local shape = select(i, ...)
    for axis = 1, shape.dim do
      local lo, hi = shapes.extent(shape, axis)
      most = max(most, abs(lo), abs(hi), hi - lo)
    end
  end
  return most
end

-- Distances ------------------------------------------------------------------------------------

local function length(x, y)
  local m = max(abs(x), abs(y))
  return m == 0 and 0 or m * sqrt((x / m) * (x / m) + (y / m) * (y / m))
end

-- The distance from a point to the segment between two others.
local function toSegment(p, a, b)
  local ex, ey, px, py = b[1] - a[1], b[2] - a[2], p[1] - a[1], p[2] - a[2]
  local m = max(abs(ex), abs(ey))
  if m == 0 then
    return length(px, py)
  end
  ex, ey = ex / m, ey / m
  local along = (px / m * ex + py / m * ey) / (ex * ex + ey * ey)
  if along <= 0 then
    return length(px, py)
  elseif along >= 1 then
    return length(p[1] - b[1], p[2] - b[2])
  end
  return abs(ex * py - ey * px) / sqrt(ex * ex + ey * ey)
end

-- The unit vector from the edge from a to b to its outer side.
local function outward(a, b)
  local ex, ey = b[1] - a[1], b[2] - a[2]
  local l = length(ex, ey)
  if l == 0 then
    return nil
  end
  return ey / l, -ex / l
end

-- The largest gap before an edge of `core`: how far the other core is before it, or, if below 0,
-- how far it has to be pushed to be outside of that edge. -huge without edges.
local function overEdges(core, other)
  local most = -huge
  for i, a in ipairs(core) do
    local b = core[i % #core + 1]
    local nx, ny = outward(a, b)
    if nx then
      local least = huge
      for _, q in ipairs(other) do
        least = min(least, (q[1] - a[1]) * nx + (q[2] - a[2]) * ny)
      end
      most = max(most, least)
      if #core == 2 then -- a segment has two sides
        least = huge
        for _, q in ipairs(other) do
          least = min(least, -(q[1] - a[1]) * nx - (q[2] - a[2]) * ny)
        end
        most = max(most, least)
      end
    end
  end
  return most
end

local function cornersToEdges(corners, core)
  local least = huge
  for _, p in ipairs(corners) do
    for i, a in ipairs(core) do
      least = min(least, toSegment(p, a, core[i % #core + 1]))
    end
  end
  return least
end

local function gap2(a, b)
  local inside = max(overEdges(a.points, b.points), overEdges(b.points, a.points))
  local apart = inside > 0 or inside == -huge
  local core = apart
    and min(cornersToEdges(a.points, b.points), cornersToEdges(b.points, a.points)) or inside
  return core - a.r - b.r
end

local function gap3(a, b)
  local most, x, y, z = -huge, 0, 0, 0
  for axis = 1, 3 do
    local d = max(b.lo[axis] - a.hi[axis], a.lo[axis] - b.hi[axis])
    most = max(most, d)
    x, y, z = y, z, max(d, 0)
  end
  return (most > 0 and length(length(x, y), z) or most) - a.r - b.r
end

function shapes.gap(a, b)
  return (a.dim == 3 and gap3 or gap2)(a, b)
end

-- How far `a` is before `b` in the direction of the unit vector n. If it is 0 or more, a line (in
-- 3D a plane) with that normal separates the two.
function shapes.gapAlong(a, b, n)
  local function least(shape, sign)
    local value = 0
    if shape.dim == 3 then
      for axis = 1, 3 do
        value = value + min(sign * n[axis] * shape.lo[axis], sign * n[axis] * shape.hi[axis])
      end
      return value - shape.r
    end
    value = huge
    for _, p in ipairs(shape.points) do
      value = min(value, sign * (n[1] * p[1] + n[2] * p[2]))
    end
    return value - shape.r
  end
  return least(a, 1) + least(b, -1)
end

-- The distance from a point to a shape, 0 inside.
function shapes.distance(p, shape)
  return max(0, shapes.gap(shapes.circle(p, 0), shape))
end

-- Motion ---------------------------------------------------------------------------------------

-- Under a motion the signed distance of two convex shapes is a convex function of time. So the
-- golden section finds its least value, and before that the function falls.
local GOLDEN = (sqrt(5) - 1) / 2

local function leastOf(f)
  local from, to = 0, 1
  local a, b = 1 - GOLDEN, GOLDEN
  local fa, fb = f(a), f(b)
  for _ = 1, 90 do
    if fa < fb then
      to, b, fb = b, a, fa
      a = to - GOLDEN * (to - from)
      fa = f(a)
    else
      from, a, fa = a, b, fb
      b = from + GOLDEN * (to - from)
      fb = f(b)
    end
  end
  local t = (from + to) / 2
  for _, other in ipairs({ 0, 1 }) do
    t = f(other) <= f(t) and other or t
  end
  return t, f(t)
end

-- `a` moves by v. Returns the time at which it enters b, and the least gap on its whole way.
-- Without a time if that gap is not below 0. Time 0: they overlap at the start.
function shapes.sweep(a, v, b)
  local function at(t)
    local w = {}
    for axis = 1, a.dim do
      w[axis] = v[axis] * t
    end
    return shapes.gap(shapes.moved(a, w), b)
  end
  local to, least = leastOf(at)
  if least >= 0 then
    return nil, least
  end
  local from = 0
  if at(0) < 0 then
    return 0, least
  end
  for _ = 1, 100 do
    local mid = (from + to) / 2
    if at(mid) < 0 then
      to = mid
    else
      from = mid
    end
  end
  return to, least
end

-- The least push that separates `a` from b: the vector and its length; nil if they are apart. It is
-- along the normal of an edge (or face), or along the line through two corners.
function shapes.separation(a, b)
  if shapes.gap(a, b) >= 0 then
    return nil
  end
  local best, most = nil, -huge
  local function try(n)
    local along = shapes.gapAlong(a, b, n)
    if along > most then
      best, most = n, along
    end
  end
  for _, n in ipairs(shapes.directions(a, b)) do
    try(n)
  end
  local push = {}
  for axis = 1, a.dim do
    push[axis] = -most * best[axis]
  end
  return push, -most
end

local function unit(v)
  local l = 0
  for _, x in ipairs(v) do
    l = length(l, x)
  end
  local n = {}
  for axis, x in ipairs(v) do
    n[axis] = x / l
  end
  return l > 0 and n or nil
end

-- The possible directions of the least push, as unit vectors.
function shapes.directions(a, b)
  local list = {}
  local function add(v)
    local n = unit(v)
    if n then
      list[#list + 1] = n
      list[#list + 1] = {}
      for axis, x in ipairs(n) do
        list[#list][axis] = -x
      end
    end
  end
  for axis = 1, a.dim do
    local n = {}
    for k = 1, a.dim do
      n[k] = k == axis and 1 or 0
    end
    add(n)
  end
  if a.dim == 3 then
    local d = {}
    for axis = 1, 3 do
      -- The vector from the nearest point of one core to the other one.
      d[axis] = max(0, a.lo[axis] - b.hi[axis]) - max(0, b.lo[axis] - a.hi[axis])
    end
    add(d)
    return list
  end
  for _, shape in ipairs({ a, b }) do
    for i, p in ipairs(shape.points) do
      local q = shape.points[i % #shape.points + 1]
      add({ q[2] - p[2], p[1] - q[1] })
    end
  end
  for _, p in ipairs(a.points) do
    for _, q in ipairs(b.points) do
      add({ p[1] - q[1], p[2] - q[2] })
    end
  end
  return list
end

return shapes
