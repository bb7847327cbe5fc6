-- Makes a wall along a polyline: convex polygons, one for each segment, with the line in their
-- middle.
--
-- At a gentle bend, neighbours share the two corners of a mitre, so that there is no seam. At a
-- sharp bend, or beside a segment that is too short for that, both end square, and a wedge fills
-- the gap between them:
--
--      --------\            -----+.
--      --------\\           -----+ \
--         mitre \\          square |\ wedge

local polyline = {}

--- The points that differ from the one before: {x1, y1, ...}; how many; and whether the last one,
-- which does not count, is the first.
function polyline.points(corners)
  local points, n = {}, 0
  for i = 1, #corners, 2 do
    local x, y = corners[i], corners[i + 1]
    if x ~= points[n - 1] or y ~= points[n] then
      points[n + 1], points[n + 2], n = x, y, n + 2
    end
  end
  local isClosed = n > 4 and points[1] == points[n - 1] and points[2] == points[n]
  return points, isClosed and n / 2 - 1 or n / 2, isClosed
end

-- The segments with their directions, and corners for square ends: from the beginning to the end on
-- one side, and back on the other.
local function newSegments(points, n, isClosed, half)
  local segments = {}
  for i = 1, isClosed and n or n - 1 do
    local x1, y1, j = points[2 * i - 1], points[2 * i], i % n
    local x2, y2 = points[2 * j + 1], points[2 * j + 2]
    local dx, dy = x2 - x1, y2 - y1
    local length = math.sqrt(dx * dx + dy * dy)
    dx, dy = dx / length, dy / length
    local nx, ny = -dy * half, dx * half
    segments[i] = { dx = dx, dy = dy, length = length, x = x2, y = y2,
      x1 + nx, y1 + ny, x2 + nx, y2 + ny, x2 - nx, y2 - ny, x1 - nx, y1 - ny }
  end
  return segments
end

-- Joins two segments where the first one ends. Returns a wedge, if there has to be one.
local function join(a, b, half)
  local cosine, sine = a.dx * b.dx + a.dy * b.dy, a.dx * b.dy - a.dy * b.dx
  local x, y = a.x, a.y
  local most = 0.45 * math.min(a.length, b.length) -- so that both ends of a segment have room
  if cosine >= 0 and half * math.abs(sine) <= most * (1 + cosine) then
    local scale = half / (1 + cosine)
    local mx, my = -(a.dy + b.dy) * scale, (a.dx + b.dx) * scale
    a[3], a[4], a[5], a[6] = x + mx, y + my, x - mx, y - my
    b[1], b[2], b[7], b[8] = x + mx, y + my, x - mx, y - my
  elseif sine > 1e-6 then
    return { x, y, a[5], a[6], b[7], b[8] }
  elseif sine < -1e-6 then
    return { x, y, a[3], a[4], b[1], b[2] }
  end
  return nil
end

--- Lists convex polygons, {x1, y1, ...} each, for a wall along a polyline {x1, y1, ...}, which is
-- closed if the last point is the first; none if all points are the same. O(n) for n points.
function polyline.thicken(corners, thickness)
  local points, n, isClosed = polyline.points(corners)
  local segments, wedges = newSegments(points, n, isClosed, thickness / 2), {}
  for i = 1, isClosed and #segments or #segments - 1 do
    table.insert(wedges, (join(segments[i], segments[i % #segments + 1], thickness / 2)))
  end
  local polygons = {}
  for i, segment in ipairs(segments) do
    polygons[i] = { (table.unpack or unpack)(segment, 1, 8) }
  end
  for _, wedge in ipairs(wedges) do
    table.insert(polygons, wedge)
  end
  return polygons
end

return polyline
