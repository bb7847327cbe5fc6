-- How a walker's box follows the ground: how far it gets, what is below it, and where the ground
-- bends.
--
-- w is a walker. This file uses its world, box, filter and snap, and these fields: x, y: the place
-- of the box; ux, uy: up; ax, ay: the axis along which it walks; least: the cosine of the steepest
-- floor; near: the gap that rounding may leave to a slanted side; below, kept: rows that are used
-- again.

local ground = {}

local abs, asin = math.abs, math.asin

local FLAT = 1e-9 -- slopes and lengths that differ by less than this are equal
local MOST_LOOKS = 16 -- the most looks for one bend of the ground

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

-- Moves the box to a place that is free, or where it has been.
local function put(w, x, y)
  if x ~= w.x or y ~= w.y then
    w.world:update(w.box, x, y)
    w.x, w.y = x, y
  end
end

-- Moves the box by dx, dy until something stops it. Crates are pushed ahead until they stop.
-- Returns the row of what stopped it, or nil, and the part of the way that it went, 0..1. If the
-- box presses on a slanted side, it stays exactly where it is.
local function advance(w, dx, dy, rows)
  local x, y, crate = w.x, w.y, nil
  w.x, w.y = w.world:move(w.box, x + dx, y + dy, w.filter, rows)
  for i = 1, #rows do
    local row = rows[i]
    if row.response == "push" and abs(rise(w, row)) < 0.5 then
      crate = row
    elseif row.response ~= "cross" then
      local stays = row.nx * row.ny ~= 0 and row.t * (abs(dx) + abs(dy)) <= w.near
      put(w, stays and x or row.x, stays and y or row.y)
      return row, stays and 0 or row.t
    end
  end
  if crate then
    local t = ((w.x - x) * dx + (w.y - y) * dy) / (dx * dx + dy * dy)
    return t < 1 - FLAT and crate or nil, t
  end
  return nil, 1
end

-- What the box meets first when it goes down from x, y, at most `far` (snap): its row, or nil, and
-- the distance. If it meets several at once, the first that is not too steep to stand on.
local function look(w, x, y, far)
  local rows, best = w.below, nil
  far = far or w.snap + 2 * w.near
  put(w, x, y)
  w.world:check(w.box, x - far * w.ux, y - far * w.uy, w.filter, rows)
  for i = 1, #rows do
    local row = rows[i]
    if row.response ~= "cross" and not isFloor(w, best) then
      local isThere = best and abs(row.x - best.x) + abs(row.y - best.y) <= w.near
      if not best or isThere and isFloor(w, row) then
        best = row
      end
    end
  end
  return best, best and (x - best.x) * w.ux + (y - best.y) * w.uy
end

-- The arc from x, y, where its tangent is tx, ty, to the place of a row: its radius and length.
local function arc(x, y, tx, ty, row)
  local sine = tx * row.nx + ty * row.ny
  local radius = ((row.x - x) * tx + (row.y - y) * ty) / sine
  return radius, radius * asin(sine)
end

-- To be called if a way of length `so`, from x, y along tx, ty, has left the ground, which is `row`
-- below. Moves the box back to where the ground bends: to a corner, where its two lines meet; to a
-- step, between a place on the ground and one that is not; or on around an arc, as far as that is
-- known to reach. Returns the length of the way that is on the ground, and the row of the ground
-- that goes on from there, or nil if it is not to be followed.
local function bend(w, x, y, tx, ty, so, row)
  local from, past, kept = 0, 4 * w.near, copy(row, w.kept)
  for _ = 1, MOST_LOOKS do
    local away = tx * kept.nx + ty * kept.ny -- the sine of the bend
    local corner = ((kept.x - x) * kept.nx + (kept.y - y) * kept.ny) / away + past
    local isAhead = away > FLAT and corner > from and corner < so
    local s = isAhead and corner + (so - corner) / 1024 or (from + so) / 2
    local next, gap = look(w, x + s * tx, y + s * ty)
    local isSame = next and abs(next.nx * kept.ny - next.ny * kept.nx) <= FLAT
    if isAhead and isSame and gap > 2 * past then
      s, next, gap = corner, look(w, x + corner * tx, y + corner * ty)
      if next and gap <= 2 * past then
        put(w, next.x, next.y)
        return s + past * ((tx * w.ax + ty * w.ay) / rise(w, kept) - 1), kept
      end
    end
    if not isFloor(w, next) then
      return s, nil
    end
    if gap <= 2 * past then
      from = s
    else
      local ratio = arc(x, y, tx, ty, next) / arc(x, y, tx, ty, kept)
      so, kept = s, copy(next, kept)
      if not isSame and abs(ratio - 1) < 1e-7 then
        put(w, kept.x, kept.y)
        return select(2, arc(x, y, tx, ty, kept)), kept
      end
    end
  end
  put(w, kept.x, kept.y)
  return so, kept
end

-- To be called when the box has gone s from x, y along tx, ty, the direction of the face that it
-- stood on, until the row `hit`, or nil, stopped it. Moves it onto the ground there, or to where
-- the ground bends before. Returns the length of the way, the row that it now stands on, or nil,
-- and whether the ground has gone down.
function ground.trace(w, x, y, tx, ty, s, hit)
  local endX, endY, isUp = w.x, w.y, isFloor(w, hit)
  local seen = isUp and s * 0.999 or s -- the ground may have been lower just before it goes up
  local row, gap = look(w, isUp and x + seen * tx or endX, isUp and y + seen * ty or endY)
  local isBent = isFloor(w, row) and gap > 2 * w.near
  if isBent and w.constantSpeed then
    s, row = bend(w, x, y, tx, ty, seen, row)
  elseif isUp and not isBent then
    put(w, endX, endY)
    row = hit
  elseif row and (isBent or row.nx * row.ny == 0) then
    put(w, row.x, row.y)
  end
  return s, row, isBent
end

-- Steps up by a height, and then along. Returns how far along, and the row that it stands on; or
-- nil.
function ground.stepUp(w, height, along)
  local x, y = w.x, w.y
  advance(w, height * w.ux, height * w.uy, w.tried)
  local _, t = advance(w, along * w.ax, along * w.ay, w.tried)
  local row = look(w, w.x, w.y, height + 2 * w.near)
  if t * abs(along) <= w.near or not isFloor(w, row) then
    put(w, x, y)
    return nil
  end
  put(w, row.x, row.y)
  return t * abs(along), row
end

ground.copy, ground.rise, ground.isFloor = copy, rise, isFloor
ground.put, ground.advance, ground.look = put, advance, look

return ground
