-- How far polygons are apart, in plain Lua with arithmetic of its own: it goes through all edges
-- and corners of both. It has no tolerance of its own: a spec says how near to 0 answers do not
-- count.

local huge, sqrt, abs, max, min = math.huge, math.sqrt, math.abs, math.max, math.min

local shapes = {}

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
  return points
end

function shapes.box(lo, size)
  local x, y, right, top = lo[1], lo[2], lo[1] + size[1], lo[2] + size[2]
  return shapes.polygon({ x, y, right, y, right, top, x, top })
end

-- The least and the greatest coordinate on an axis.
function shapes.extent(points, axis)
  local lo, hi = huge, -huge
  for _, p in ipairs(points) do
    lo, hi = min(lo, p[axis]), max(hi, p[axis])
  end
  return lo, hi
end

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
  return ey / l, -ex / l
end

-- The largest gap before an edge: how far the other one is before it, or, if below 0, how far it
-- has to be pushed to be outside of that edge.
local function overEdges(points, other)
  local most = -huge
  for i, a in ipairs(points) do
    local nx, ny = outward(a, points[i % #points + 1])
    local least = huge
    for _, q in ipairs(other) do
      least = min(least, (q[1] - a[1]) * nx + (q[2] - a[2]) * ny)
    end
    most = max(most, least)
  end
  return most
end

local function cornersToEdges(corners, points)
  local least = huge
  for _, p in ipairs(corners) do
    for i, a in ipairs(points) do
      least = min(least, toSegment(p, a, points[i % #points + 1]))
    end
  end
  return least
end

-- The signed distance of two convex polygons. Below 0 it is minus the length of the least push that
-- separates them.
function shapes.gap(a, b)
  local inside = max(overEdges(a, b), overEdges(b, a))
  return inside > 0 and min(cornersToEdges(a, b), cornersToEdges(b, a)) or inside
end

-- The distance from a point {x, y} to a convex polygon, below 0 inside.
function shapes.distance(p, points)
  local inside = overEdges(points, { p })
  return inside > 0 and cornersToEdges({ p }, points) or inside
end

return shapes
