-- How a walker walks along its floor, flies, and lands; and how one walks that is seen from above.
-- w is the state of a walker, as in walker.lua.

local root = ((...) or ""):match("^(.+)[./\\]%w+[./\\]") or "broadside"
local arguments = require(root .. ".support.arguments")
local ground = require(root .. ".walker.ground")
local lists = require(root .. ".support.lists")
local platforms = require(root .. ".walker.platforms")

local walk = {}

local abs, max, min = math.abs, math.max, math.min
local describe, isFinite = arguments.describe, arguments.isFinite
local isFloor, rise, put = ground.isFloor, ground.rise, ground.put
local goTo, advance, look, GAP = ground.goTo, ground.advance, ground.look, ground.GAP

local SHARED = { "world", "box", "filter", "x", "y", "width", "height", "near" }
local MOST_PIECES = 24 -- pieces of ground in one walk, at most
local WALL = 0.5 -- seen from above, a wall is to the side along an axis if its normal has that

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
    platforms.take(w, row.other)
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

-- Moves onto what holds it where its floor has ended: the one-way box that it is in, if nothing has
-- stopped it, or an edge over which it comes down. Returns the row of that, or nil. row: what is
-- below it, or nil. x, y: where it still had its floor.
local function hold(w, row, hit, x, y)
  local edge, sunk = row and ground.copy(row, w.kept), (x - w.x) * w.ux + (y - w.y) * w.uy
  local on = not hit and ground.lookFromAbove(w, w.stepHeight + max(sunk, 0) + 64 * w.near)
    or edge and ground.isOverEdge(w, edge) and edge or nil
  if on then put(w, on.x, on.y) end
  return on
end

-- Follow, fly, land -------------------------------------------------------------------------------
-- The parts of a walk. A game can have functions of its own in their place.

local parts = {}

-- Does a part of a walk: the game's function, which has to return n finite numbers, or our own.
local function does(w, name, n, ...)
  local f = w[name]
  if f == walk[name] then return parts[name](w, ...) end
  local along, up = f(w.self, ...)
  if not (isFinite(along) and (n == 1 or isFinite(up))) then
    arguments.checkResult(false, name, n == 1 and "a finite number" or "two finite numbers",
      describe(along) .. (n == 1 and "" or " and " .. describe(up)))
  end
  return along, up
end

-- Goes along the floor for a time. Returns the speed that remains.
function parts.follow(w, along, time)
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
    local gone, row, isBent = ground.trace(w, x, y, tx, ty, t * length, hit)
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

-- Whether it is held between a side that it has hit and another one at the same place, with the
-- normal nx, ny: both bar its way, or it falls into a notch, from which no way leads down.
local function isBetween(w, hit, nx, ny, up)
  if hit.nx * nx + hit.ny * ny < 0 then return true end
  local side, other = hit.nx * w.ax + hit.ny * w.ay, nx * w.ax + ny * w.ay
  local facing, otherFacing = rise(w, hit), nx * w.ux + ny * w.uy
  return up < 0 and side * other < 0 and facing * abs(other) + otherFacing * abs(side) > 0
end

-- Stands on the floor that it has hit. Returns the speeds along and up that remain.
function parts.land(w, hit, along)
  stand(w, hit)
  return along, 0
end

-- Flies for a time, and may land. Returns the speeds along and up that remain.
function parts.fly(w, along, up, time)
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
      along, up = does(w, "land", 2, ground.copy(hit, w.landed), along, up)
      if w.onFloor then return (does(w, "follow", 1, along, time)), 0 end
    end
    if up > 0 and w.nudge > 0 and rise(w, hit) <= -w.least and slip(w, along, up * time) then
      return along, up
    end
    along, up = deflect(w, hit, along, up, isNear(w, x, y) and slid or 0)
    if isNear(w, hitX, hitY) and isBetween(w, hit, nx, ny, up) then
      if up < 0 then stand(w, hit) end
      w.slid = 0
      return 0, 0
    end
    hitX, hitY, nx, ny = w.x, w.y, hit.nx, hit.ny
  end
  local row = up <= 0 and not hit and look(w, w.x, w.y, 2 * w.near) or nil
  if isFloor(w, row) then
    put(w, row.x, row.y)
    along, up = does(w, "land", 2, ground.copy(row, w.landed), along, up)
  end
  return along, up
end

-- The state of a walker that is in its walk: a game has called a part of that.
local function within(self, call)
  local w = type(self) == "table" and rawget(self, 1)
  if type(w) ~= "table" or w.self ~= self then arguments.refuseSelf(self, call, "walker") end
  if not w.isWalking then
    arguments.raise(("bad self to '%s' (a walker in its walk expected)"):format(call))
  end
  return w
end

--- The parts as methods of a walker, which a game can call in its own: the defaults of the fields.
function walk.follow(self, along, time)
  local w = within(self, "follow")
  arguments.checkNumbers("follow", 1, along, time)
  arguments.check(time >= 0, "follow", 2, "finite number >= 0", time)
  return parts.follow(w, along, time)
end

function walk.fly(self, along, up, time)
  local w = within(self, "fly")
  arguments.checkNumbers("fly", 1, along, up, time)
  arguments.check(time >= 0, "fly", 3, "finite number >= 0", time)
  return parts.fly(w, along, up, time)
end

function walk.land(self, hit, along, up)
  local w = within(self, "land")
  local isHit = type(hit) == "table" and isFinite(hit.nx) and isFinite(hit.ny) and isFinite(hit.x)
    and isFinite(hit.y) and isFinite(hit.t)
  arguments.check(isHit, "land", 1, "hit of a walk", hit)
  arguments.checkNumbers("land", 2, along, up)
  return parts.land(w, hit, along)
end

-- Moves the walker for dt by its speeds along the floor's axis and up. Returns those that remain.
local function go(w, along, up, dt)
  local walks = w.onFloor and up <= 0
  w.onFloor, w.onWall, w.onCeiling = false, 0, false
  if not walks then return does(w, "fly", 2, along, up, dt) end
  w.slid = 0
  along = does(w, "follow", 1, along, dt)
  return along, w.onFloor and 0 or select(2, does(w, "fly", 2, 0, up, dt))
end

--- A walk. Returns the velocity that remains.
function walk.walk(w, vx, vy, dt)
  local along, up = vx * w.ax + vy * w.ay, vx * w.ux + vy * w.uy
  w.n, w.isNew = 0, false
  w.platformVx, w.platformVy = platforms.ride(w, dt)
  if w.planks[1] then
    along, up = platforms.fall(w, go, along, up, dt)
  else
    along, up = go(w, along, up, dt)
  end
  if not w.onFloor then
    platforms.leave(w)
  elseif w.isNew then
    platforms.take(w, w.floor)
  end
  w.airTime = w.onFloor and 0 or w.airTime + dt
  lists.cut(w.hits, w.n)
  return along * w.ax + up * w.ux, along * w.ay + up * w.uy
end

-- Seen from above ---------------------------------------------------------------------------------
-- There is no floor. Past a corner a walker moves as one of a platformer steps up, whose up is to
-- the side.

-- Whether a row has stopped some of the way dx, dy.
local function stops(w, row, dx, dy)
  local wanted = dx * row.nx + dy * row.ny
  local gone = (w.x - w.fromX) * row.nx + (w.y - w.fromY) * row.ny
  return row.response ~= "cross" and wanted < 0 and gone > wanted + w.near
end

-- Moves by dx, dy. Returns the row of the first wall, or nil.
local function slide(w, dx, dy)
  w.fromX, w.fromY = w.x, w.y
  w.x, w.y = w.world:move(w.box, w.x + dx, w.y + dy, w.filter, w.way)
  tell(w, w.way, 1)
  for _, row in ipairs(w.way) do
    if stops(w, row, dx, dy) then return row end
  end
end

-- Goes to the side past the corner of a wall, and on, for the rest of the way. False if it cannot.
-- Its speed to one side forbids the other one. Along a wall of 45 degrees it slides.
local function goPast(w, wall, vx, vy, dt)
  local isX = abs(wall.nx) >= w.least
  local speed, across = isX and vx or vy, isX and vy or vx
  local left = abs(speed) * dt - math.sqrt((w.x - w.fromX) ^ 2 + (w.y - w.fromY) ^ 2)
  local isCorner = isX or abs(wall.ny) >= w.least
  if w.nudge == 0 or not isCorner or wall.response == "push" or left <= 0 then return false end
  local dir = speed < 0 and -1 or 1
  w.ax, w.ay = isX and 1 or 0, isX and 0 or 1
  local best, to = ground.findPast(w, dir, across)
  if not best then return false end
  local step = math.min(best, left)
  if step < best then
    to = isX and w.y + (to < w.y and -step or step) or w.x + (to < w.x and -step or step)
  end
  goTo(w, isX and w.x or to, isX and to or w.y, w.tried)
  slide(w, w.ax * dir * (left - step), w.ay * dir * (left - step))
  return true
end

-- What remains of a velocity beside the walls.
local function turnAside(w, vx, vy, dt)
  local dx, dy = vx * dt, vy * dt
  for _, row in ipairs(w.way) do
    local into = vx * row.nx + vy * row.ny
    if into < 0 and stops(w, row, dx, dy) then
      vx, vy = vx - into * row.nx, vy - into * row.ny
      if abs(row.nx) >= WALL then w.onWallX = row.nx < 0 and 1 or -1 end
      if abs(row.ny) >= WALL then w.onWallY = row.ny < 0 and 1 or -1 end
    end
  end
  return vx, vy
end

--- A walk that is seen from above. Returns the velocity that remains.
function walk.topDown(w, vx, vy, dt)
  w.n, w.onWallX, w.onWallY, w.stepHeight = 0, 0, 0, w.nudge
  platforms.readBox(w)
  local wall = slide(w, vx * dt, vy * dt)
  if wall and not goPast(w, wall, vx, vy, dt) then vx, vy = turnAside(w, vx, vy, dt) end
  lists.cut(w.hits, w.n)
  return vx, vy
end

walk.STEEP = ground.STEEP

return walk
