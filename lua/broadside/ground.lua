-- How a walker's box follows the ground: how far it gets, what is below it, where it bends.
--
-- w is a walker. What is used of it here: its world, box, filter and snap; x, y, where the box is;
-- ux, uy: up; ax, ay: the axis along which it walks; least: the cosine of the steepest floor; near:
-- how far off a slanted side rounding may leave it; below, kept: rows that are used again.

local ground = {}

local abs, asin = math.abs, math.asin

local FLAT = 1e-9 -- what differs by less than this is as steep, or as long
local MOST_LOOKS = 16 -- for one bend of the ground

-- Fills a row of hits with what another one says. Returns it.
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

-- Puts the box to a place that is free, or where it has been.
local function put(w, x, y)
  if x ~= w.x or y ~= w.y then
    w.world:update(w.box, x, y)
    w.x, w.y = x, y
  end
end

-- Goes by dx, dy until something stops it; crates go ahead until they stop. Returns the row of what
-- has stopped it, or nil, and how much of the way it came, 0..1. Who presses on a slanted side
-- stays where it is, to the last bit.
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

-- What the box at x, y comes to first, no farther below than that (snap): its row, or nil, and how
-- far. Of what it comes to at once, the first that is not too steep to stand on.
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

-- The arc that leads from x, y, where its tangent is tx, ty, to a row: its radius and its length.
local function arc(x, y, tx, ty, row)
  local sine = tx * row.nx + ty * row.ny
  local radius = ((row.x - x) * tx + (row.y - y) * ty) / sine
  return radius, radius * asin(sine)
end

-- So much of a way from x, y along tx, ty has left the ground, which is a row below. Goes back to
-- where the ground bends: to a corner, where its two lines meet; to a step, between what is on the
-- ground and what is not; or on around an arc, as far as that is known to go. Returns how far that
-- is on the ground, and the row of what goes on from there, or nil: it is not to be followed.
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

-- It has come so far from x, y along tx, ty, the face that it stood on, until a row stopped it, or
-- nil. Puts it to the ground there, or to where that bends before. Returns how far that is, the row
-- of what it stands on now, or nil, and whether the ground has been lower.
function ground.trace(w, x, y, tx, ty, s, hit)
  local endX, endY, isUp = w.x, w.y, isFloor(w, hit)
  local seen = isUp and s * 0.999 or s -- just before it goes up, the ground may have been lower
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

-- Steps up by a height, and along. Returns how far along, and the row of what it stands on; or nil.
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
