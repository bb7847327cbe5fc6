-- Cuts a polygon into convex ones: by ears (Meisters 1975), which are then joined as long as what
-- comes out is convex (Hertel and Mehlhorn 1983: at most four times as many as the least number).

local convex = {}

-- Corners of a polygon of the world, at most.
local MOST = 16

-- Twice the area of the triangle of three corners: positive if they turn from x towards y.
local function areaOf(points, a, b, c)
  a, b, c = points[a], points[b], points[c]
  return (b[1] - a[1]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[1] - a[1])
end

-- The corners as points, turning from x towards y.
local function readPoints(corners)
  local points, area = {}, 0
  local n = #corners / 2
  for i = 1, n do
    local x, y = corners[2 * i - 1], corners[2 * i]
    local nextX, nextY = corners[2 * i % (2 * n) + 1], corners[2 * i % (2 * n) + 2]
    area = area + x * nextY - nextX * y
    points[i] = { x, y }
  end
  if area < 0 then
    for i = 1, math.floor(n / 2) do
      points[i], points[n + 1 - i] = points[n + 1 - i], points[i]
    end
  end
  return points
end

local function isInside(points, a, b, c, p)
  return areaOf(points, a, b, p) >= 0 and areaOf(points, b, c, p) >= 0
    and areaOf(points, c, a, p) >= 0
end

-- Whether the corner at `at` can be cut off: no other one is in its triangle.
local function isEar(points, ring, at)
  local n = #ring
  local a, b, c = ring[(at - 2) % n + 1], ring[at], ring[at % n + 1]
  if areaOf(points, a, b, c) <= 0 then
    return false
  end
  for _, p in ipairs(ring) do
    if p ~= a and p ~= b and p ~= c and isInside(points, a, b, c, p) then
      return false
    end
  end
  return true
end

-- A corner between two others on one line.
local function findStraight(points, ring)
  local n = #ring
  for at = 1, n do
    if areaOf(points, ring[(at - 2) % n + 1], ring[at], ring[at % n + 1]) == 0 then
      return at
    end
  end
  return nil
end

-- The triangles of a polygon, as lists of three numbers of points; nil if it crosses itself.
local function cutEars(points)
  local ring, triangles = {}, {}
  for i = 1, #points do
    ring[i] = i
  end
  while #ring > 2 do
    local found
    for at = 1, #ring do
      if isEar(points, ring, at) then
        found = at
        break
      end
    end
    if found then
      local n = #ring
      table.insert(triangles, { ring[(found - 2) % n + 1], ring[found], ring[found % n + 1] })
    end
    found = found or findStraight(points, ring)
    if not found then
      return nil
    end
    table.remove(ring, found)
  end
  return triangles
end

-- Two pieces with a side in common, as one; nil if they have none.
local function join(a, b)
  for i = 1, #a do
    for j = 1, #b do
      if a[i] == b[j % #b + 1] and a[i % #a + 1] == b[j] then
        local piece = {}
        for k = 1, #a do -- from the end of the side round to its beginning
          piece[k] = a[(i + k - 1) % #a + 1]
        end
        for k = 1, #b - 2 do
          piece[#a + k] = b[(j + k) % #b + 1]
        end
        return piece
      end
    end
  end
  return nil
end

local function isConvex(points, piece)
  local n = #piece
  for i = 1, n do
    if areaOf(points, piece[i], piece[i % n + 1], piece[(i + 1) % n + 1]) < 0 then
      return false
    end
  end
  return n <= MOST
end

-- Joins one piece with another one, if that can be done.
local function joinSome(points, pieces)
  for i = 1, #pieces do
    for j = i + 1, #pieces do
      local piece = join(pieces[i], pieces[j])
      if piece and isConvex(points, piece) then
        pieces[i] = piece
        table.remove(pieces, j)
        return true
      end
    end
  end
  return false
end

--- Cuts a polygon {x1, y1, ...}, of either winding, into convex ones of at most 16 corners, which
-- are corners of its own. Returns a list of them; nil if it crosses itself. O(n^3) for n corners.
function convex.cut(corners)
  local points = readPoints(corners)
  local pieces = cutEars(points)
  if not pieces or #pieces == 0 then
    return nil
  end
  repeat until not joinSome(points, pieces)
  local polygons = {}
  for i, piece in ipairs(pieces) do
    polygons[i] = {}
    for k, p in ipairs(piece) do
      polygons[i][2 * k - 1], polygons[i][2 * k] = points[p][1], points[p][2]
    end
  end
  return polygons
end

return convex
