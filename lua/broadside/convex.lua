-- Cuts a polygon into convex ones. It cuts off ears (Meisters 1975), and then joins the triangles
-- as long as the result is convex (Hertel and Mehlhorn 1983: at most four times the least number).

local convex = {}

-- The largest number of corners that a polygon of the world can have.
local MOST = 16

-- Twice the area of the triangle with these corners: positive if they turn from x towards y.
local function areaOf(polygon, a, b, c)
  local xs, ys = polygon.xs, polygon.ys
  local x, y = xs[a], ys[a]
  return (xs[b] - x) * (ys[c] - y) - (ys[b] - y) * (xs[c] - x)
end

-- The corners as { xs =, ys =, n = }, turning from x towards y.
local function readPolygon(corners)
  local n, area = #corners / 2, 0
  local xs, ys = {}, {}
  for i = 1, n do
    local x, y = corners[2 * i - 1], corners[2 * i]
    local nextX, nextY = corners[2 * i % (2 * n) + 1], corners[2 * i % (2 * n) + 2]
    area = area + x * nextY - nextX * y
    xs[i], ys[i] = x, y
  end
  if area < 0 then
    for i = 1, math.floor(n / 2) do
      xs[i], xs[n + 1 - i] = xs[n + 1 - i], xs[i]
      ys[i], ys[n + 1 - i] = ys[n + 1 - i], ys[i]
    end
  end
  return { xs = xs, ys = ys, n = n }
end

-- Ears --------------------------------------------------------------------------------------------
-- A ring is what remains of the corners: the neighbours of each corner; the corners that can be in
-- the way of an ear, which are those that are not convex; and what is known about ears.

local function newRing(polygon)
  local n = polygon.n
  local ring = { before = {}, after = {}, first = 1, left = n, isEar = {}, blunt = {},
    isBlunt = {} }
  for i = 1, n do
    ring.before[i], ring.after[i] = (i - 2) % n + 1, i % n + 1
  end
  return ring
end

-- Notes how a corner turns after its neighbours have changed.
local function turn(polygon, ring, at)
  local isBlunt = areaOf(polygon, ring.before[at], at, ring.after[at]) <= 0
  if isBlunt and ring.isBlunt[at] == nil then table.insert(ring.blunt, at) end
  ring.isBlunt[at], ring.isEar[at] = isBlunt, nil
end

local function drop(polygon, ring, at)
  local before, after = ring.before[at], ring.after[at]
  ring.after[before], ring.before[after] = after, before
  ring.first = at == ring.first and after or ring.first
  ring.left, ring.isBlunt[at] = ring.left - 1, false
  turn(polygon, ring, before)
  turn(polygon, ring, after)
end

-- Whether the corner `at` can be cut off: no other corner is in its triangle. If there is one, a
-- corner that is not convex is one of them, provided that the polygon does not cross itself.
local function findIsEar(polygon, ring, at)
  if ring.isBlunt[at] then return false end
  local a, c = ring.before[at], ring.after[at]
  local xs, ys, isBlunt = polygon.xs, polygon.ys, ring.isBlunt
  local left, right = math.min(xs[a], xs[at], xs[c]), math.max(xs[a], xs[at], xs[c])
  local top, bottom = math.min(ys[a], ys[at], ys[c]), math.max(ys[a], ys[at], ys[c])
  for _, p in ipairs(ring.blunt) do
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
local function isEar(polygon, ring, at)
  if ring.isEar[at] == nil then ring.isEar[at] = findIsEar(polygon, ring, at) end
  return ring.isEar[at]
end

local function isStraight(polygon, ring, at)
  return areaOf(polygon, ring.before[at], at, ring.after[at]) == 0
end

-- The first corner of the ring that passes a test, or nil.
local function find(polygon, ring, test)
  local at = ring.first
  for _ = 1, ring.left do
    if test(polygon, ring, at) then return at end
    at = ring.after[at]
  end
  return nil
end

-- The triangles of a polygon, as lists of three corner numbers; nil if it crosses itself.
local function cutEars(polygon)
  local ring, triangles = newRing(polygon), {}
  for at = 1, polygon.n do
    turn(polygon, ring, at)
  end
  local isStale = false -- true after a straight corner has gone: others may be ears now
  while ring.left > 2 do
    local ear = find(polygon, ring, isEar)
    local straight = not ear and find(polygon, ring, isStraight)
    if ear then
      table.insert(triangles, { ring.before[ear], ear, ring.after[ear] })
      drop(polygon, ring, ear)
    elseif straight then
      drop(polygon, ring, straight)
      isStale = true
    elseif isStale then
      ring.isEar, isStale = {}, false
    else
      return nil
    end
  end
  return triangles
end

-- Joins -------------------------------------------------------------------------------------------

-- The place of the side from p to q in a piece, or nil.
local function placeOf(piece, p, q)
  local n = #piece
  for i = 1, n do
    if piece[i] == p and piece[i % n + 1] == q then return i end
  end
  return nil
end

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

local function own(owners, polygon, piece, number)
  local n = #piece
  for i = 1, n do
    owners[piece[i] * (polygon.n + 1) + piece[i % n + 1]] = number
  end
end

-- Joins a piece with the first of the later neighbours for which the result is convex. Returns that
-- one's number, and the joined piece.
local function joinOne(polygon, pieces, owners, number)
  local a, best, joined = pieces[number], nil, nil
  for i = 1, #a do
    local p, q = a[i], a[i % #a + 1]
    local other = owners[q * (polygon.n + 1) + p]
    if other and other > number and pieces[other] and not (best and best < other) then
      local j = placeOf(pieces[other], q, p)
      local piece = j and join(polygon, a, i, pieces[other], j)
      if piece then best, joined = other, piece end
    end
  end
  return best, joined
end

-- Joins each piece with its neighbours as long as possible. Pieces that went into others are false.
local function joinAll(polygon, pieces)
  local owners = {}
  for number, piece in ipairs(pieces) do
    own(owners, polygon, piece, number)
  end
  for number = 1, #pieces do
    while pieces[number] do
      local other, joined = joinOne(polygon, pieces, owners, number)
      if not other then break end
      pieces[number], pieces[other] = joined, false
      own(owners, polygon, joined, number)
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
