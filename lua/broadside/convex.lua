-- Cuts a polygon into convex ones. It cuts off ears (Meisters 1975), and then joins the triangles
-- as long as the result is convex (Hertel and Mehlhorn 1983: at most four times the least number).

local convex = {}

-- The largest number of corners that a polygon of the world can have.
local MOST = 16

-- A polygon is { xs =, ys =, n = }: its corners, turning from x towards y. Its ring is what remains
-- of them while ears are cut off: its first corner and how many are left, the neighbours of each
-- corner, before and after; what is known about ears, isEar; and blunt, a list of those that can be
-- in the way of an ear because they are not convex, of which isBlunt says whether they still are.

-- Twice the area of the triangle with these corners: positive if they turn from x towards y.
local function areaOf(polygon, a, b, c)
  local xs, ys = polygon.xs, polygon.ys
  local x, y = xs[a], ys[a]
  return (xs[b] - x) * (ys[c] - y) - (ys[b] - y) * (xs[c] - x)
end

local function readPolygon(corners)
  local n, area = #corners / 2, 0
  local polygon = { xs = {}, ys = {}, n = n, before = {}, after = {}, first = 1, left = n,
    isEar = {}, blunt = {}, isBlunt = {} }
  for i = 1, n do
    local nextX, nextY = corners[2 * i % (2 * n) + 1], corners[2 * i % (2 * n) + 2]
    area = area + corners[2 * i - 1] * nextY - nextX * corners[2 * i]
    polygon.before[i], polygon.after[i] = (i - 2) % n + 1, i % n + 1
  end
  for i = 1, n do
    local k = area < 0 and n + 1 - i or i
    polygon.xs[i], polygon.ys[i] = corners[2 * k - 1], corners[2 * k]
  end
  return polygon
end

-- Ears --------------------------------------------------------------------------------------------

-- Notes how a corner turns after its neighbours have changed.
local function turn(polygon, at)
  local isBlunt = areaOf(polygon, polygon.before[at], at, polygon.after[at]) <= 0
  if isBlunt and polygon.isBlunt[at] == nil then table.insert(polygon.blunt, at) end
  polygon.isBlunt[at], polygon.isEar[at] = isBlunt, nil
end

local function drop(polygon, at)
  local before, after = polygon.before[at], polygon.after[at]
  polygon.after[before], polygon.before[after] = after, before
  polygon.first = at == polygon.first and after or polygon.first
  polygon.left, polygon.isBlunt[at] = polygon.left - 1, false
  turn(polygon, before)
  turn(polygon, after)
end

-- Whether the corner `at` can be cut off: no other corner is in its triangle. If there is one, a
-- corner that is not convex is one of them, provided that the polygon does not cross itself.
local function findIsEar(polygon, at)
  if polygon.isBlunt[at] then return false end
  local a, c = polygon.before[at], polygon.after[at]
  local xs, ys, isBlunt = polygon.xs, polygon.ys, polygon.isBlunt
  local left, right = math.min(xs[a], xs[at], xs[c]), math.max(xs[a], xs[at], xs[c])
  local top, bottom = math.min(ys[a], ys[at], ys[c]), math.max(ys[a], ys[at], ys[c])
  for _, p in ipairs(polygon.blunt) do
    local x, y = xs[p], ys[p]
    if x >= left and x <= right and y >= top and y <= bottom and isBlunt[p] and p ~= a and p ~= c
      and areaOf(polygon, a, at, p) >= 0 and areaOf(polygon, at, c, p) >= 0
      and areaOf(polygon, c, a, p) >= 0 then
      return false
    end
  end
  return true
end

-- Whether a corner is an ear is computed again only after its neighbours change.
local function isEar(polygon, at)
  if polygon.isEar[at] == nil then polygon.isEar[at] = findIsEar(polygon, at) end
  return polygon.isEar[at]
end

local function isStraight(polygon, at)
  return areaOf(polygon, polygon.before[at], at, polygon.after[at]) == 0
end

-- The first corner of the ring that passes a test, or nil.
local function find(polygon, test)
  local at = polygon.first
  for _ = 1, polygon.left do
    if test(polygon, at) then return at end
    at = polygon.after[at]
  end
  return nil
end

-- The triangles of a polygon, as lists of three corner numbers; nil if it crosses itself.
local function cutEars(polygon)
  local triangles = {}
  for at = 1, polygon.n do
    turn(polygon, at)
  end
  local isStale = false -- true after a straight corner has gone: others may be ears now
  while polygon.left > 2 do
    local ear = find(polygon, isEar)
    local straight = not ear and find(polygon, isStraight)
    if ear then
      table.insert(triangles, { polygon.before[ear], ear, polygon.after[ear] })
      drop(polygon, ear)
    elseif straight then
      drop(polygon, straight)
      isStale = true
    elseif isStale then
      polygon.isEar, isStale = {}, false
    else
      return nil
    end
  end
  return triangles
end

-- Joins -------------------------------------------------------------------------------------------

-- Joins piece a with piece b along a's side i, which is b's side j; nil if the result is not
-- convex. Only the corners at the ends of the side change, so only these are checked.
local function join(polygon, a, i, b, j)
  local m, n = #a, #b
  local p, q = a[i], a[i % m + 1]
  if m + n - 2 > MOST or areaOf(polygon, a[(i - 2) % m + 1], p, b[(j + 1) % n + 1]) < 0
    or areaOf(polygon, b[(j - 2) % n + 1], q, a[(i + 1) % m + 1]) < 0 then
    return nil
  end
  local piece = {}
  for k = 1, m do -- all corners, from the end of the side to its beginning
    piece[k] = a[(i + k - 1) % m + 1]
  end
  for k = 1, n - 2 do
    piece[m + k] = b[(j + k) % n + 1]
  end
  return piece
end

-- Notes of which piece a side is, and which one of that, by the numbers of its ends.
local function own(polygon, sides, piece, number)
  local n = #piece
  for i = 1, n do
    local side = piece[i] * (polygon.n + 1) + piece[i % n + 1]
    sides.owners[side], sides.places[side] = number, i
  end
end

-- Joins a piece with the first of the later neighbours for which the result is convex. Returns that
-- one's number, and the joined piece.
local function joinOne(polygon, pieces, sides, number)
  local a, best, joined = pieces[number], nil, nil
  for i = 1, #a do
    local side = a[i % #a + 1] * (polygon.n + 1) + a[i] -- the other way round
    local other = sides.owners[side]
    if other and other > number and pieces[other] and not (best and best < other) then
      local piece = join(polygon, a, i, pieces[other], sides.places[side])
      if piece then best, joined = other, piece end
    end
  end
  return best, joined
end

-- Joins each piece with its neighbours as long as possible. Pieces that went into others are false.
local function joinAll(polygon, pieces)
  local sides = { owners = {}, places = {} }
  for number, piece in ipairs(pieces) do
    own(polygon, sides, piece, number)
  end
  for number = 1, #pieces do
    while pieces[number] do
      local other, joined = joinOne(polygon, pieces, sides, number)
      if not other then break end
      pieces[number], pieces[other] = joined, false
      own(polygon, sides, joined, number)
    end
  end
end

--- Cuts a polygon {x1, y1, ...}, in either winding order, into convex ones of at most 16 corners,
-- all of which are corners of the polygon. Returns a list of them, or nil if it crosses itself.
-- O(n^2) for n corners.
function convex.cut(corners)
  local polygon = readPolygon(corners)
  local pieces = cutEars(polygon)
  if not pieces or #pieces == 0 then return nil end
  joinAll(polygon, pieces)
  local polygons = {}
  for _, piece in ipairs(pieces) do
    if piece then
      local flat = {}
      for k, p in ipairs(piece) do
        flat[2 * k - 1], flat[2 * k] = polygon.xs[p], polygon.ys[p]
      end
      table.insert(polygons, flat)
    end
  end
  return polygons
end

return convex
