-- How a walker's box follows the ground: how far it gets, what is below it, and how it steps up.
--
-- w is the state of a walker. This file uses its world, box, filter, snap and stepHeight, and these
-- fields: x, y, width, height: the box; ux, uy: up; ax, ay: the axis along which it walks; least:
-- the cosine of the steepest floor; near: the gap that rounding may leave to a slanted side; kind:
-- that of the box's shape; below, tried: rows that are used again.

local ground = {}

local abs, max = math.abs, math.max

local MOST_HALVINGS = 6 -- of the way on which round feet come over the edge of a step
local FLAT = 1e-9 -- lengths that differ by less than this part of them are equal
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

-- The Box that a value is, or whose id it is, in the world; nil if it is something else.
local function toBox(world, value)
  local isHandle = type(value) == "number" or type(value) == "userdata"
  local done, has = pcall(world.has, world, value)
  if not (isHandle and done and has) then return nil end
  return type(value) == "number" and world:getBox(value) or value
end

-- Moves the box to a place that is free, or where it has been.
local function put(w, x, y)
  if x ~= w.x or y ~= w.y then
    w.world:update(w.box, x, y)
    w.x, w.y = x, y
  end
end

-- The first row that says what stops the box. Crates move ahead, and so do not, unless `held`.
-- Returns the row, or nil, and whether the box has met crates before.
local function stopOf(w, rows, held)
  local crates = false
  for i = 1, #rows do
    local row = rows[i]
    if row.response == "push" and not held and abs(rise(w, row)) < 0.5 then
      crates = true
    elseif row.response ~= "cross" then
      return row, crates
    end
  end
  return nil, crates
end

-- Moves the box by dx, dy until something stops it. Crates are pushed ahead until they stop.
-- Returns the row of what stopped it, or nil, and the part of the way that it went, 0..1. If the
-- box presses on a slanted side, it stays exactly where it is.
local function advance(w, dx, dy, rows)
  local x, y = w.x, w.y
  w.x, w.y = w.world:move(w.box, x + dx, y + dy, w.filter, rows)
  local hit, crates = stopOf(w, rows, false)
  local gone = (w.x - x) * dx + (w.y - y) * dy
  if crates and (hit or gone < (1 - FLAT) * (dx * dx + dy * dy)) then
    -- It has gone along a crate that was held: it goes again, up to where the crate is now.
    put(w, x, y)
    w.x, w.y = w.world:move(w.box, x + dx, y + dy, w.filter, rows)
    hit = stopOf(w, rows, true)
  end
  if not hit then return nil, 1 end
  local stays = hit.nx * hit.ny ~= 0 and hit.t * (abs(dx) + abs(dy)) <= w.near
  put(w, stays and x or hit.x, stays and y or hit.y)
  return hit, stays and 0 or hit.t
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
      if not best or isThere and isFloor(w, row) then
        best = row
      end
    end
  end
  return best, best and (x - best.x) * w.ux + (y - best.y) * w.uy
end

-- Changes the height of the box, and leaves its lower side where it is.
local function resize(w, from, to)
  w.x = w.x + (w.ux < 0 and from - to or 0)
  w.y = w.y + (w.uy < 0 and from - to or 0)
  w.world:update(w.box, w.x, w.y, w.ax == 1 and w.width or to, w.ax == 1 and to or w.height)
end

-- Where the box would stand after it has gone up from x, y, along, and down again: its coordinate
-- along up; nil if it would not.
local function levelAt(w, x, y, height, along)
  put(w, x, y)
  advance(w, height * w.ux, height * w.uy, w.tried)
  local _, t = advance(w, along * w.ax, along * w.ay, w.tried)
  local row = look(w, w.x, w.y, height + 4 * w.near)
  if t < 0.99 or not isFloor(w, row) then return nil end
  return w.ax == 1 and row.y or row.x
end

-- The shortest way along, in a direction, after which the box stands on a step, and the step's
-- level. Round and slanted feet have to come over its edge.
local function findStep(w, height, dir, tiny)
  local x, y = w.x, w.y
  local level = levelAt(w, x, y, height, dir * tiny)
  if level or w.stepHeight == 0 or w.kind == "box" then return tiny, level end
  local short, long = tiny, (w.ax == 1 and w.width or w.height) / 2
  level = levelAt(w, x, y, height, dir * long)
  for _ = 1, level and MOST_HALVINGS or 0 do
    local middle = (short + long) / 2
    local found = levelAt(w, x, y, height, dir * middle)
    if found then
      long, level = middle, found
    else
      short = middle
    end
  end
  return long, level
end

-- The same for its feet alone: for those there is room even if there is none for its head.
local function findStepOfFeet(w, height, dir, tiny)
  local full = w.ax == 1 and w.height or w.width
  local low = full / 2
  resize(w, full, low)
  local x, y = w.x, w.y
  local done, along, level = pcall(findStep, w, height, dir, tiny)
  w.x, w.y = x, y
  resize(w, low, full)
  if not done then error(along, 0) end
  return along, level and level + (w.ux + w.uy < 0 and low - full or 0)
end

--- How far along, in a direction, a step is that the box can climb, and the box's coordinate along
-- up on it, if there is one. The box stays where it is.
function ground.findStep(w, dir)
  local x, y, seam = w.x, w.y, 64 * w.near
  w.kind = w.box:getShape(w.shape)
  local find = w.kind == "circle" and findStep or findStepOfFeet
  -- What rounding leaves of a wall is narrower than that.
  local tiny = max(2 * seam, (w.width + w.height) * 2 ^ -27)
  local along, level = find(w, w.stepHeight + seam, dir, tiny)
  put(w, x, y)
  return along, level
end

--- Steps up. Returns how far along it went, and the row that it stands on; or nil.
function ground.stepUp(w, dir)
  local x, y, seam = w.x, w.y, 64 * w.near
  local along, level = ground.findStep(w, dir)
  if not level then return nil end
  advance(w, (level - x) * w.ay, (level - y) * w.ax, w.tried)
  local _, t = advance(w, dir * along * w.ax, dir * along * w.ay, w.tried)
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

ground.copy, ground.rise, ground.isFloor, ground.GAP = copy, rise, isFloor, GAP
ground.put, ground.advance, ground.look = put, advance, look
ground.stopOf, ground.toBox = stopOf, toBox

return ground
