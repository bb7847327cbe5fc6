-- How a walker walks along its floor, flies, and lands.
--
-- w is the state of a walker, as in ground.lua. Its other fields here are hits, n and rows: what
-- this walk has met; footing: the row of its floor; onFloor, onWall, onCeiling, floor, floorNx,
-- floorNy: as those of walkers; isNew: whether it came to its floor in this walk; slid: the speed
-- along with which it has slid down a steep side, or 0.

local root = ((...) or ""):match("^(.+)[./\\]%w+[./\\]") or "broadside"
local bends = require(root .. ".walker.bends")
local carry = require(root .. ".walker.carry")
local ground = require(root .. ".walker.ground")

local gait = {}

local abs, max, min = math.abs, math.max, math.min
local isFloor, rise, put = ground.isFloor, ground.rise, ground.put
local goTo, advance, look, GAP = ground.goTo, ground.advance, ground.look, ground.GAP

local SHARED = { "world", "box", "filter", "x", "y", "width", "height", "near" }
local MOST_PIECES = 24 -- pieces of ground in one walk, at most

-- Adds the rows up to a time to the hits of this walk, each box once.
local function tell(w, rows, t)
  for i = 1, #rows do
    local row, k = rows[i], 1
    while k <= w.n and not rawequal(w.hits[k].other, row.other) do
      k = k + 1
    end
    if k > w.n and (row.t <= t or row.overlap) then
      w.rows[k] = ground.copy(row, w.rows[k] or {})
      w.hits[k], w.n = w.rows[k], k
    end
  end
end

-- Stands on what a row is about. What is too steep, but holds it, is as level ground.
local function stand(w, row)
  row = ground.copy(row, w.footing[1])
  tell(w, w.footing, 1)
  if not rawequal(row.other, w.floor) or not w.floorBox then
    carry.take(w, row.other)
    w.near = max(w.near, w.floorNear)
  end
  w.onFloor, w.floor, w.floorNx, w.floorNy = true, row.other, row.nx, row.ny
  w.isNew = true
  if not isFloor(w, row) then w.floorNx, w.floorNy = w.ux, w.uy end
end

-- Whether it still stands flat and flush on the same box. This is quicker than a look.
local function isStill(w)
  local footing, id = w.footing[1], w.floorId
  if w.isNew or not id then return false end
  if w.world:touching(w.box, -w.ux, -w.uy, w.filter, true) ~= id then return false end
  tell(w, w.way, 1)
  -- Nothing of this is from an earlier walk, as restore may have been in between.
  footing.other, footing.response, footing.t, footing.overlap = w.floor, "slide", 0, false
  footing.x, footing.y, footing.nx, footing.ny = w.x, w.y, w.floorNx, w.floorNy
  w.n = w.n + 1
  w.hits[w.n], w.onFloor = footing, true
  return true
end

-- Goes on after `hit` has stopped it: up a step, or a seam that rounding left. Returns how far it
-- went, or nil if that was a wall.
local function pass(w, hit, dir)
  local went, row
  if w.onFloor then went, row = ground.stepUp(w, dir) end
  if went then
    stand(w, row)
    return went
  end
  w.onCeiling = rise(w, hit) <= -w.least
  w.onWall = w.onCeiling and 0 or dir
  return nil
end

-- Steps from the end of its floor, which was `sunk` above it, onto the one-way box that it is in.
-- Returns the row of that.
local function stepOn(w, sunk)
  local row = ground.lookFromAbove(w, w.stepHeight + sunk + 64 * w.near)
  if row then put(w, row.x, row.y) end
  return row
end

-- What holds it where its floor has ended: a one-way box, if nothing has stopped it, or an edge
-- over which it comes down. Returns the row of that, or nil. row: what is below it, or nil. x, y:
-- where it still had its floor.
local function hold(w, row, hit, x, y)
  local edge, sunk = row and ground.copy(row, w.kept), (x - w.x) * w.ux + (y - w.y) * w.uy
  local on = not hit and stepOn(w, max(sunk, 0))
  if on then return on end
  edge = edge and ground.isOverEdge(w, edge) and edge or nil
  if edge then put(w, edge.x, edge.y) end
  return edge
end

-- Goes along the floor for a time. Returns the speed that remains.
local function follow(w, along, time)
  local dir, left = along < 0 and -1 or 1, abs(along) * time
  for _ = 1, MOST_PIECES do
    local nu, na = w.floorNx * w.ux + w.floorNy * w.uy, w.floorNx * w.ax + w.floorNy * w.ay
    local tx, ty = dir * (w.ax * nu - w.ux * na), dir * (w.ay * nu - w.uy * na)
    local used = w.constantSpeed and 1 or nu -- the part of the speed that a way of length 1 takes
    local x, y, length = w.x, w.y, left / used
    -- A little above a slant, so that rounding does not stop it.
    local lift = (nu == 1 or left == 0) and 0 or 2 * w.near
    local hit, t = goTo(w, x + length * tx + lift * w.floorNx, y + length * ty + lift * w.floorNy,
      w.way)
    if not hit and nu == 1 and isStill(w) then return along end
    local gone, row, isBent = bends.trace(w, x, y, tx, ty, t * length, hit)
    tell(w, w.way, isBent and gone / length or hit and hit.t or 1)
    if not isFloor(w, row) then row = hold(w, row, hit, x, y) end
    w.onFloor, left = row ~= nil, left - gone * used
    if w.onFloor then stand(w, row) end
    if hit and not isBent and not isFloor(w, hit) then
      local went = pass(w, hit, dir)
      if not went then return 0 end
      left = left - went
    end
    if not w.onFloor or left <= w.near then break end
  end
  return along
end

-- The walker's box as one whose way along leads up, so that its head finds past a corner: a state
-- as in ground.lua, which is used again.
local function turned(w)
  local a = w.turned
  for i = 1, #SHARED do
    a[SHARED[i]] = w[SHARED[i]]
  end
  a.ax, a.ay, a.stepHeight, a.least = w.ay, w.ax, w.nudge, ground.STEEP
  return a
end

-- Moves the head past a corner above, and then the box by `up`, until something stops it. False if
-- there is no such corner.
local function slip(w, along, up)
  local x, y, isX = w.x, w.y, w.ax == 1
  local best, to = ground.findPast(turned(w), w.ux + w.uy, along)
  if not best then return false end
  goTo(w, isX and to or x, isX and y or to, w.tried)
  local _, t = advance(w, up * w.ux, up * w.uy, w.tried)
  if t == 0 then put(w, x, y) end
  return t > 0
end

-- The speeds along and up that remain after it has been stopped in the air. A steep side stops it
-- as a wall does, and turns its fall. slid: the speed along with which it slid down in the last
-- walk, if it still does; a game that steers sets another one.
local function deflect(w, hit, along, up, slid)
  local facing, side = rise(w, hit), hit.nx * w.ax + hit.ny * w.ay
  if facing <= -w.least and up > 0 then
    w.onCeiling = true
    return along, 0
  end
  if abs(facing) < w.least then
    w.onWall = side < 0 and 1 or -1
    along = -w.onWall * max(-w.onWall * along, -w.onWall * slid, 0)
  end
  local into = along * side + up * facing
  along, up = along - min(into, 0) * side, up - min(into, 0) * facing
  w.slid = facing > 0 and up < 0 and along or 0
  return along, up
end

-- Whether the box is at a place, as far as rounding tells.
local function isNear(w, x, y)
  return abs(w.x - x) + abs(w.y - y) <= 2 * GAP * w.near
end

-- Flies for a time, and may land. Returns the speeds along and up that remain.
local function fly(w, along, up, time)
  local x, y, slid, hit = w.x, w.y, w.slid, nil
  local hitX, hitY, nx, ny = x, y, 0, 0 -- where it was hit before, and that normal
  w.slid = 0
  for _ = 1, MOST_PIECES do
    local vx, vy = along * w.ax + up * w.ux, along * w.ay + up * w.uy
    local t
    hit, t = advance(w, vx * time, vy * time, w.way)
    tell(w, w.way, hit and hit.t or 1)
    if not hit then break end
    time = time * (1 - t)
    if up <= 0 and isFloor(w, hit) then
      stand(w, hit)
      return follow(w, along, time), 0
    end
    if up > 0 and w.nudge > 0 and rise(w, hit) <= -w.least and slip(w, along, up * time) then
      return along, up
    end
    along, up = deflect(w, hit, along, up, isNear(w, x, y) and slid or 0)
    if hit.nx * nx + hit.ny * ny < 0 and isNear(w, hitX, hitY) then -- it is held between walls
      if up < 0 then stand(w, hit) end
      w.slid = 0
      return 0, 0
    end
    hitX, hitY, nx, ny = w.x, w.y, hit.nx, hit.ny
  end
  local row = up <= 0 and not hit and look(w, w.x, w.y, 2 * w.near) or nil
  if isFloor(w, row) then
    put(w, row.x, row.y)
    stand(w, row)
  end
  return along, w.onFloor and 0 or up
end

--- Moves the walker for dt by its speeds along the floor's axis and up. Returns those that remain.
function gait.go(w, along, up, dt)
  local walks = w.onFloor and up <= 0
  w.onFloor, w.onWall, w.onCeiling = false, 0, false
  if not walks then return fly(w, along, up, dt) end
  w.slid = 0
  along = follow(w, along, dt)
  return along, w.onFloor and 0 or select(2, fly(w, 0, up, dt))
end

--- Forgets the hits of the walks before.
function gait.forget(w)
  local hits, i = w.hits, w.n + 1
  while hits[i] do
    hits[i], i = nil, i + 1
  end
end

gait.tell = tell

return gait
