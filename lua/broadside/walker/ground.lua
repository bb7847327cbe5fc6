-- How a walker's box follows the ground: how far it gets, what is below it, how it steps up, how it
-- goes around a bend. w is the state of a walker, as in walker.lua. No place is a sum of places: a
-- level is one that the world has answered, so that the same holds in all numbers.

local root = ((...) or ""):match("^(.+)[./\\]%w+[./\\]") or "broadside"
local transform = require(root).transform

local ground = {}

local abs, max, min, sqrt = math.abs, math.max, math.min, math.sqrt

local MOST_HALVINGS = 6 -- of the way on which round feet come over the edge of a step
local MOST_LOOKS = 16 -- for one bend
local FLAT = 1e-9 -- lengths that differ by less than this part of them are equal; a sine that is 0
local SMALL = 1e-7 -- of a way: places on a bend that differ by less are the same
local STEEP = sqrt(0.5) + 1e-9 -- the least cosine between a way and a side that bars it
local GRAZE = 1e-4 -- the sine between a way and a side that does not stop it
local GAP = 8 -- times what rounding may leave to a slant: places that differ by less are the same

-- Copies a row of hits into another, and returns that.
local function copy(from, to)
  to.other, to.response, to.t, to.x, to.y = from.other, from.response, from.t, from.x, from.y
  to.nx, to.ny, to.overlap = from.nx, from.ny, from.overlap
  return to
end

-- The cosine of the angle between a row's normal and up.
local function rise(w, row)
  return row.nx * w.ux + row.ny * w.uy
end

local function isFloor(w, row)
  return row ~= nil and rise(w, row) >= w.least
end

-- How much a side with a normal rises on a way along.
local function slopeOf(w, nx, ny, along)
  return -along * (nx * w.ax + ny * w.ay) / (nx * w.ux + ny * w.uy)
end

-- Moves the box to a place that is free, or where it has been.
local function put(w, x, y)
  if x ~= w.x or y ~= w.y then
    w.world:update(w.box, x, y)
    w.x, w.y = x, y
  end
end

-- The first row that says what stops the box on a way of dx, dy. Crates move ahead, and so do not,
-- unless `held`; nor does what the way only grazes, such as the corner of a door that is as high as
-- the box. Returns the row, or nil, and whether the box has met crates before.
local function stopOf(w, rows, dx, dy, held)
  local crates, least = false, GRAZE * GRAZE * (dx * dx + dy * dy)
  for i = 1, #rows do
    local row = rows[i]
    if row.response == "push" and not held and abs(rise(w, row)) < 0.5 then
      crates = true
    elseif row.response ~= "cross" then
      local into = row.nx * dx + row.ny * dy
      if into < 0 and into * into > least then return row, crates end
    end
  end
  return nil, crates
end

-- Moves the box towards a place until something stops it. Crates are pushed ahead until they stop.
-- Returns the row of what stopped it, or nil, and the part of the way that it went, 0..1. If the
-- box presses on a slanted side, it stays exactly where it is.
local function goTo(w, goalX, goalY, rows)
  local x, y = w.x, w.y
  local dx, dy = goalX - x, goalY - y
  w.x, w.y = w.world:move(w.box, goalX, goalY, w.filter, rows)
  local hit, crates = stopOf(w, rows, dx, dy, false)
  local gone = (w.x - x) * dx + (w.y - y) * dy
  if crates and (hit or gone < (1 - FLAT) * (dx * dx + dy * dy)) then
    -- It has gone along a crate that was held: it goes again, up to where the crate is now.
    put(w, x, y)
    w.x, w.y = w.world:move(w.box, goalX, goalY, w.filter, rows)
    hit = stopOf(w, rows, dx, dy, true)
  end
  if not hit then return nil, 1 end
  local stays = hit.nx * hit.ny ~= 0 and hit.t * (abs(dx) + abs(dy)) <= w.near
  put(w, stays and x or hit.x, stays and y or hit.y)
  return hit, stays and 0 or hit.t
end

local function advance(w, dx, dy, rows)
  return goTo(w, w.x + dx, w.y + dy, rows)
end

-- What the box meets first when it goes down from x, y, at most `far` (snap): its row, or nil, and
-- the distance. If it meets several at once, the first that is not too steep to stand on.
local function look(w, x, y, far)
  local rows, best = w.below, nil
  far = far or w.snap + 4 * w.near
  put(w, x, y)
  w.world:check(w.box, x - far * w.ux, y - far * w.uy, w.filter, rows)
  for i = 1, #rows do
    local row = rows[i]
    if row.response ~= "cross" and not isFloor(w, best) then
      local isThere = best and abs(row.x - best.x) + abs(row.y - best.y) <= GAP * w.near
      if not best or isThere and isFloor(w, row) then best = row end
    end
  end
  return best, best and (x - best.x) * w.ux + (y - best.y) * w.uy
end

-- Whether nothing but crates is on the box's way from where it is to a place. Nothing moves.
local function isFree(w, x, y)
  w.world:check(w.box, x, y, w.filter, w.tried)
  return stopOf(w, w.tried, x - w.x, y - w.y, false) == nil
end

-- The place to which a way leads until something stops it: crates too, if they are `held`. Nothing
-- moves.
local function placeTowards(w, dx, dy, held)
  local x, y = w.x + dx, w.y + dy
  w.world:check(w.box, x, y, w.filter, w.tried)
  local row = stopOf(w, w.tried, dx, dy, held)
  return row and row.x or x, row and row.y or y
end

-- Where the box would stand at most `far` below a place that is x, y and a way along: its
-- coordinate along up; nil if it would not. It may be in a lintel there, which does not hold what
-- goes down beside it.
local function levelBelow(w, x, y, along, far)
  local row = look(w, x + along * w.ax, y + along * w.ay, far)
  if not isFloor(w, row) or row.overlap then return nil end
  return w.ax == 1 and row.y or row.x
end

-- The shortest way along, in a direction, after which the box stands on a step, and the step's
-- level, seen from x, y. Round and slanted feet have to come over its edge.
local function findLevel(w, x, y, dir, far, tiny)
  local level = levelBelow(w, x, y, dir * tiny, far)
  if level or w.stepHeight == 0 or w.kind == "box" then return tiny, level end
  local short, long = tiny, (w.ax == 1 and w.width or w.height) / 2
  level = levelBelow(w, x, y, dir * long, far)
  if not level then -- the ground may rise behind the edge
    put(w, x, y)
    local toX, toY = placeTowards(w, dir * long * w.ax, dir * long * w.ay, false)
    long = abs(toX - x) * w.ax + abs(toY - y) * w.ay - GAP * w.near
    level = long > short and levelBelow(w, x, y, dir * long, far) or nil
  end
  for _ = 1, level and MOST_HALVINGS or 0 do
    local middle = (short + long) / 2
    local found = levelBelow(w, x, y, dir * middle, far)
    if found then
      long, level = middle, found
    else
      short = middle
    end
  end
  return long, level
end

-- The place that has the level, and is as far along as another place.
local function onLevel(w, level, x, y)
  if w.ax == 1 then return x, level end
  return level, y
end

-- How far along, in a direction, a step is that the box can climb, and the box's coordinate along
-- up on it; nil if there is none. The box stays where it is, and so do crates. slope: how much the
-- floor rises along (0): a step is as high as it is above that, and round feet meet it before.
local function findStep(w, dir, slope)
  local x, y, seam = w.x, w.y, 64 * w.near
  w.kind = w.box:getShape(w.shape)
  -- What rounding leaves of a wall is narrower than that.
  local tiny = max(2 * seam, (w.width + w.height) * 2 ^ -27)
  local half = (w.ax == 1 and w.width or w.height) / 2
  local height = w.stepHeight + seam + (slope or 0) * half
  local topX, topY = placeTowards(w, height * w.ux, height * w.uy, true)
  local far = (topX - x) * w.ux + (topY - y) * w.uy
  local along, level = findLevel(w, topX, topY, dir, far + 4 * w.near, tiny)
  put(w, x, y)
  if not level then return nil end
  local upX, upY = onLevel(w, level, x, y)
  local climb = (upX - x) * w.ux + (upY - y) * w.uy
  if slope and climb > w.stepHeight + seam + slope * along then return nil end
  if not isFree(w, upX, upY) then return nil end
  put(w, upX, upY)
  local isOpen = isFree(w, upX + dir * along * w.ax, upY + dir * along * w.ay)
  put(w, x, y)
  if isOpen then return along, level end
end

--- The nearest place to a side from which the box gets past the corner that is before it, in a
-- direction along: how far that is, and its coordinate on the other axis; or nil. It is as a step,
-- with up to the side; stepHeight is how far it may go. across: a speed to one side, which forbids
-- the other one.
function ground.findPast(w, dir, across)
  local best, to
  for side = -1, 1, 2 do
    w.ux, w.uy = w.ay * side, w.ax * side
    local along, level
    if side * across >= 0 then along, level = findStep(w, dir) end
    local distance = along and abs(level - (w.ax == 1 and w.y or w.x))
    if distance and (not best or distance < best) then best, to = distance, level end
  end
  return best, to
end

--- Steps up. Returns how far along it went, and the row that it stands on; or nil.
function ground.stepUp(w, dir)
  local x, y, seam = w.x, w.y, 64 * w.near
  local along, level = findStep(w, dir)
  local slope = slopeOf(w, w.floorNx, w.floorNy, dir)
  if not along and slope > 0 and w.stepHeight > 0 and w.kind ~= "box" then
    along, level = findStep(w, dir, slope)
  end
  if not along then return nil end
  local upX, upY = onLevel(w, level, x, y)
  goTo(w, upX, upY, w.tried)
  local _, t = goTo(w, upX + dir * along * w.ax, upY + dir * along * w.ay, w.tried)
  local row = t > 0.99 and look(w, w.x, w.y, 2 * seam) or nil
  if not isFloor(w, row) then
    put(w, x, y)
    return nil
  end
  put(w, row.x, row.y)
  return along, row
end

--- What is below the box where it is, seen from `height` above or as far as there is room; nil if
-- that is no floor. The box stays where it is.
function ground.lookFromAbove(w, height)
  local x, y = w.x, w.y
  local topX, topY = w.world:check(w.box, x + height * w.ux, y + height * w.uy, w.filter, w.tried)
  local row = look(w, topX, topY, abs(topX - x) + abs(topY - y))
  put(w, x, y)
  return isFloor(w, row) and row or nil
end

--- Whether the box comes down over an edge. `row` is below it, too steep to stand on, but where
-- the box is past that, a floor is at most snap below it, or was so below the edge, if it slopes
-- down. The box stays where it is.
function ground.isOverEdge(w, row)
  local x, y, side = w.x, w.y, row.nx * w.ax + row.ny * w.ay
  local half = (w.ax == 1 and w.width or w.height) / (side < 0 and -2 or 2)
  if side == 0 then return false end
  local snap = w.snap + 4 * w.near
  local toX, toY = placeTowards(w, half * w.ax, half * w.ay, true)
  local floor, gap = look(w, toX, toY, snap + abs(half) * sqrt(1 / (w.least * w.least) - 1))
  put(w, x, y)
  if not isFloor(w, floor) then return false end
  return gap <= snap + max(0, -slopeOf(w, floor.nx, floor.ny, half))
end

-- Bends -------------------------------------------------------------------------------------------
-- The box stands at a place, with a normal, and has found the ground farther on, at another place
-- and with another normal. What is between is nearly always one corner: two lines that meet, or
-- that an arc joins, whose radius is that of a round box or follows from the two places. So the way
-- is known without walking it: a look in the middle tells whether it is so, and one behind that. If
-- it is not, what they have found takes the place of the one or the other.

-- The angle of a tangent, by arithmetic that is the same on every system: the series after three
-- halvings.
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

-- The place after a way of that length, which ends at a row.
local function placeAt(bend, row, length)
  local back = bend.total - length
  if length > bend.line and (back <= bend.rest or bend.radius == 0) then
    return row.x - back * bend.toX, row.y - back * bend.toY
  end
  local along, across = length, 0
  if length > bend.line then
    local cosine, sine = transform(1, 0, 0, 0, 0, 0, (length - bend.line) / bend.radius)
    along, across = bend.line + bend.radius * sine, bend.radius * (1 - cosine)
  end
  return bend.x + along * bend.tx - across * bend.nx, bend.y + along * bend.ty - across * bend.ny
end

-- Looks where the way to `last` should lead after that length. Returns whether it does, what is
-- there, the gap to that, and how far along the first line that is.
local function try(w, bend, last, length)
  local x, y = placeAt(bend, last, length)
  local at = lengthAbove(w, bend, x, y)
  local row, gap = lookFrom(w, bend, at)
  return isFloor(w, row) and abs(row.x - x) + abs(row.y - y) <= bend.tiny, row, gap, at
end

-- Whether a row is on the arc that joins two lines. line: the length of the first one.
local function isOnArc(bend, row, line, radius)
  local dx = row.x - bend.x - line * bend.tx + radius * bend.nx
  local dy = row.y - bend.y - line * bend.ty + radius * bend.ny
  return abs(sqrt(dx * dx + dy * dy) - radius) <= bend.tiny
end

-- Whether the ground bends once before `last`. Then bend has the lengths of the two lines, `line`
-- and `rest`, the radius of the arc, and the length of all. If not, also returns what is found
-- between, the gap to that, and how far along the first line that is.
local function isOneBend(w, bend, last, from, to)
  local nx, ny, tx, ty = bend.nx, bend.ny, bend.tx, bend.ty
  local sine, cosine, at = tx * last.nx + ty * last.ny, nx * last.nx + ny * last.ny, (from + to) / 2
  local dx, dy, turn = last.x - bend.x, last.y - bend.y, nx * ty - ny * tx > 0 and 1 or -1
  bend.toX, bend.toY = -turn * last.ny, turn * last.nx
  -- The lengths of the lines up to the corner where they meet.
  local before = (dx * last.nx + dy * last.ny) / sine
  local after = (dx - before * tx) * bend.toX + (dy - before * ty) * bend.toY
  local half, nearer = sine / (1 + cosine), min(before, after)
  local isCorner = sine > FLAT and nearer >= -bend.tiny
  local most = max(0, nearer / half) -- of the radius: then the arc begins or ends at a place
  local radius, row, gap = min(bend.round, most), nil, nil
  if isCorner and radius > 0 then
    at = lengthAbove(w, bend, bend.x + before * tx, bend.y + before * ty)
  end
  if not isCorner or radius > 0 then row, gap = lookFrom(w, bend, at) end
  for i = 1, isCorner and 2 or 0 do
    if i == 1 and radius == 0 or row and isOnArc(bend, row, before - radius * half, radius) then
      bend.line, bend.rest, bend.radius = before - radius * half, after - radius * half, radius
      bend.total = bend.line + bend.rest + 2 * radius * angleOf(half)
      if bend.rest <= bend.tiny then return true end
      local isSo
      isSo, row, gap, at = try(w, bend, last, bend.total - bend.rest * 1023 / 1024)
      if isSo then return true end
    end
    radius = most -- something else than the box is round
  end
  return false, row, gap, at
end

-- To be called if a way of that length, from the place and along the direction of the bend, has
-- left the ground, which is `row` below. Moves the box along the ground instead, as far as one bend
-- leads or that way is long. Returns the length of the way and the row that it stands on. Where the
-- ground goes down by a step, only the way across counts.
local function followBend(w, bend, length, row)
  local last, from, to = copy(row, w.kept), 0, length
  local kind, _, _, radius = w.box:getShape(w.shape)
  bend.round, bend.tiny = kind == "circle" and radius or 0, 4 * w.near + SMALL * length
  for _ = 1, MOST_LOOKS do
    local isSo, next, gap, at = isOneBend(w, bend, last, from, to)
    if isSo and bend.total > length then
      _, next = try(w, bend, last, length)
      if isFloor(w, next) then last = next end
    end
    if isSo then
      to = min(length, bend.total)
      break
    end
    if not isFloor(w, next) then break end
    if at <= from or at >= to then
      at = (from + to) / 2
      next, gap = lookFrom(w, bend, at)
      if not isFloor(w, next) then break end
    end
    if gap <= GAP * w.near then
      from = at
    else
      to, last = at, copy(next, last)
    end
  end
  put(w, last.x, last.y)
  return to, last
end

--- To be called when the box has gone a length from x, y along tx, ty, the direction of the side
-- that it stood on, until the row `hit`, or nil, stopped it. Moves it onto the ground there, or
-- around the first bend of the ground before. Returns the length of the way, the row that it now
-- stands on, or nil, and whether the ground has gone down.
function ground.trace(w, x, y, tx, ty, length, hit)
  local endX, endY, isUp = w.x, w.y, isFloor(w, hit)
  local seen = isUp and length * 0.999 or length -- the ground may have been lower just before it
  local row, gap = look(w, isUp and endX - (length - seen) * tx or endX,
    isUp and endY - (length - seen) * ty or endY)
  local isBent = isFloor(w, row) and gap > GAP * w.near
  if isBent and w.constantSpeed then
    local bend = w.bend
    bend.x, bend.y, bend.tx, bend.ty, bend.nx, bend.ny = x, y, tx, ty, w.floorNx, w.floorNy
    length, row = followBend(w, bend, seen, row)
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

ground.copy, ground.rise, ground.isFloor = copy, rise, isFloor
ground.GAP, ground.STEEP = GAP, STEEP
ground.put, ground.goTo, ground.advance, ground.look = put, goTo, advance, look
ground.stopOf = stopOf

return ground
