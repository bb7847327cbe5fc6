-- Where the ground bends down before a walker.
--
-- The box stands at a place, with a normal, and has found the ground farther on, at another place
-- and with another normal. What is between is nearly always one corner: two lines that meet, or
-- that an arc joins, whose radius is that of a round box or follows from the two places. So the way
-- is known without walking it, and one look in the middle tells whether it is so. If it is not, the
-- ground in the middle takes the place of the one or the other.
--
-- w is the state of a walker, as in ground.lua.

local root = ((...) or ""):match("^(.+)[./\\]%w+[./\\]") or "broadside"
local ground = require(root .. ".walker.ground")

local bends = {}

local abs, min, sqrt = math.abs, math.min, math.sqrt
local isFloor, put, look, GAP = ground.isFloor, ground.put, ground.look, ground.GAP

local SMALL = 1e-7 -- of a way: places that differ by less are the same
local FLAT = 1e-9 -- the sine between normals that are the same
local MOST_LOOKS = 16 -- for one bend

-- The angle of a tangent, and the sine and the cosine of an angle, by arithmetic that is the same
-- on every system: the series after three halvings.
local function angleOf(tangent)
  for _ = 1, 3 do
    tangent = tangent / (1 + sqrt(1 + tangent * tangent))
  end
  local square, sum = tangent * tangent, 0
  for k = 21, 1, -2 do
    sum = 1 / k - square * sum
  end
  return 8 * tangent * sum
end

local function sineAndCosine(angle)
  local square, sine, cosine = angle * angle / 64, 1, 1
  for k = 14, 2, -2 do
    sine, cosine = 1 - square * sine / (k * (k + 1)), 1 - square * cosine / (k * (k - 1))
  end
  sine = sine * angle / 8
  for _ = 1, 3 do
    sine, cosine = 2 * sine * cosine, 1 - 2 * sine * sine
  end
  return sine, cosine
end

-- Joins the line of the bend to that of a row. cornerX, cornerY: where they meet; half: the tangent
-- of half the angle there; before, after: their lengths up to it and from it; toX, toY: the
-- direction of the second one; middleX, middleY: the normal in the middle. False if they do not
-- meet like that.
local function join(bend, row)
  local nx, ny, tx, ty = bend.nx, bend.ny, bend.tx, bend.ty
  local sine, cosine = tx * row.nx + ty * row.ny, nx * row.nx + ny * row.ny
  if sine <= FLAT then return false end
  local turn = nx * ty - ny * tx > 0 and 1 or -1
  bend.before = ((row.x - bend.x) * row.nx + (row.y - bend.y) * row.ny) / sine
  bend.cornerX, bend.cornerY = bend.x + bend.before * tx, bend.y + bend.before * ty
  bend.toX, bend.toY = -turn * row.ny, turn * row.nx
  bend.after = (row.x - bend.cornerX) * bend.toX + (row.y - bend.cornerY) * bend.toY
  bend.half = sine / (1 + cosine)
  local length = sqrt(2 + 2 * cosine)
  bend.middleX, bend.middleY = (nx + row.nx) / length, (ny + row.ny) / length
  return true
end

-- Rounds the corner by an arc. False if the lines are too short for that.
local function round(bend, radius, tiny)
  local cut = radius * bend.half
  bend.radius, bend.cut, bend.arc = radius, cut, 2 * radius * angleOf(bend.half)
  bend.total = bend.before + bend.after - 2 * cut + bend.arc
  return cut <= min(bend.before, bend.after) + tiny
end

-- How far a row is from the circle of which the arc is a part.
local function distanceFromArc(bend, row)
  local depth = bend.radius * sqrt(1 + bend.half * bend.half)
  local dx = row.x - bend.cornerX + depth * bend.middleX
  local dy = row.y - bend.cornerY + depth * bend.middleY
  return abs(sqrt(dx * dx + dy * dy) - bend.radius)
end

-- The place after a way of that length.
local function placeAt(bend, length)
  local line, rest = bend.before - bend.cut, length - bend.before + bend.cut - bend.arc + bend.cut
  if rest >= bend.cut then
    return bend.cornerX + rest * bend.toX, bend.cornerY + rest * bend.toY
  end
  local sine, cosine, arc = 0, 1, length - line
  if arc > 0 then sine, cosine = sineAndCosine(arc / bend.radius) end
  local along = arc > 0 and line + bend.radius * sine or length
  local across = bend.radius * (1 - cosine)
  return bend.x + along * bend.tx - across * bend.nx, bend.y + along * bend.ty - across * bend.ny
end

-- How far along the first line the box is just above a place.
local function lengthAbove(w, bend, x, y)
  return ((x - bend.x) * w.ax + (y - bend.y) * w.ay) / (bend.tx * w.ax + bend.ty * w.ay)
end

-- What is below the first line after a way of that length.
local function lookFrom(w, bend, length)
  local lift = 2 * w.near
  return look(w, bend.x + length * bend.tx + lift * bend.nx,
    bend.y + length * bend.ty + lift * bend.ny)
end

-- Goes around the corner, for a way of that length at most.
local function turn(w, bend, length, last)
  if bend.total > length then
    local row = lookFrom(w, bend, lengthAbove(w, bend, placeAt(bend, length)))
    if isFloor(w, row) then
      put(w, row.x, row.y)
      return length, row
    end
  end
  put(w, last.x, last.y)
  return min(length, bend.total), last
end

-- Looks where the way around the corner should lead after that length. Returns whether it does,
-- what is there, the gap to that, and how far along the first line that is.
local function try(w, bend, length, tiny)
  local x, y = placeAt(bend, length)
  local at = lengthAbove(w, bend, x, y)
  local row, gap = lookFrom(w, bend, at)
  return isFloor(w, row) and abs(row.x - x) + abs(row.y - y) <= tiny, row, gap, at
end

-- Looks just behind the arc, where the second line should begin. Returns what try returns; true
-- alone if there is no such line.
local function tryBehind(w, bend, tiny)
  local behind = bend.before - bend.cut + bend.arc
  if bend.total - behind <= tiny then return true end
  return try(w, bend, behind + (bend.total - behind) / 1024, tiny)
end

-- Whether the ground that is known to begin with a line and to end with a row bends once in
-- between. If not, also returns what is found between, the gap to that, and how far along the line
-- that is.
local function isOneBend(w, bend, last, radius, from, to, tiny)
  local joins = join(bend, last)
  local isSo, row, gap, at = joins and round(bend, radius, tiny), nil, nil, nil
  if isSo and radius > 0 then
    isSo, row, gap, at = try(w, bend, bend.before - bend.cut + bend.arc / 2, tiny)
  end
  if isSo then
    isSo, row, gap, at = tryBehind(w, bend, tiny)
  elseif not row then
    at = (from + to) / 2
    row, gap = lookFrom(w, bend, at)
  end
  if joins and not isSo and isFloor(w, row) and gap > GAP * w.near then
    -- Something else than the box is round.
    isSo = round(bend, min(bend.before, bend.after) / bend.half, tiny)
      and distanceFromArc(bend, row) <= tiny and tryBehind(w, bend, tiny)
  end
  return isSo, row, gap, at
end

-- To be called if a way of that length, from the place and along the direction of the bend, has
-- left the ground, which is `row` below. Moves the box along the ground instead, as far as one bend
-- leads or that way is long. Returns the length of the way and the row that it stands on. Where the
-- ground goes down by a step, only the way across counts.
local function follow(w, bend, length, row)
  local last, from, to, tiny = ground.copy(row, w.kept), 0, length, 4 * w.near + SMALL * length
  local kind, _, _, radius = w.box:getShape(w.shape)
  radius = kind == "circle" and radius or 0
  for _ = 1, MOST_LOOKS do
    local isSo, next, gap, at = isOneBend(w, bend, last, radius, from, to, tiny)
    if isSo then return turn(w, bend, length, last) end
    if not isFloor(w, next) then break end
    if at <= from or at >= to then
      at = (from + to) / 2
      next, gap = lookFrom(w, bend, at)
      if not isFloor(w, next) then break end
    end
    if gap <= GAP * w.near then
      from = at
    else
      to, last = at, ground.copy(next, last)
    end
  end
  put(w, last.x, last.y)
  return to, last
end

--- To be called when the box has gone a length from x, y along tx, ty, the direction of the side
-- that it stood on, until the row `hit`, or nil, stopped it. Moves it onto the ground there, or
-- around the first bend of the ground before. Returns the length of the way, the row that it now
-- stands on, or nil, and whether the ground has gone down.
function bends.trace(w, x, y, tx, ty, length, hit)
  local endX, endY, isUp = w.x, w.y, isFloor(w, hit)
  local seen = isUp and length * 0.999 or length -- the ground may have been lower just before it
  local row, gap = look(w, isUp and endX - (length - seen) * tx or endX,
    isUp and endY - (length - seen) * ty or endY)
  local isBent = isFloor(w, row) and gap > GAP * w.near
  if isBent and w.constantSpeed then
    local bend = w.bend
    bend.x, bend.y, bend.tx, bend.ty, bend.nx, bend.ny = x, y, tx, ty, w.floorNx, w.floorNy
    length, row = follow(w, bend, seen, row)
  elseif isUp and not isBent then
    put(w, endX, endY)
    row = hit
  elseif isFloor(w, row) and (isBent or row.nx * row.ny == 0 or length > 0) then
    put(w, row.x, row.y)
  else
    put(w, endX, endY)
  end
  return length, row, isBent
end

return bends
