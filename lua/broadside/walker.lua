--- A character that walks: slopes, steps, ledges and lifts. It is in plain Lua, which you can read
-- and change.
--
--     local hero = require("broadside.walker").new(world, box, { filter = { slide = WALL } })
--     function update(dt)
--       vy = vy + GRAVITY * dt
--       if wantsToJump and hero.onFloor then vy = hero.platformVy - JUMP end
--       vx, vy = hero:walk(direction * RUN, vy, dt)
--     end
--
-- On the floor it goes along the face that it stands on, until the ground bends up or down, and
-- then along the next face. In the air it goes straight, and slides. It moves along with its floor
-- when that moves, even in a world without gravity, where `push` carries nobody. doc/walker.md has
-- a picture of each knob, and recipes.

local folder = ((...) or ""):match("^(.+)[./\\]") or "broadside"
local arguments = require(folder .. ".arguments")
local fields = require(folder .. ".fields")
local ground = require(folder .. ".ground")
local knobs = require(folder .. ".knobs")

local walker, Walker = {}, {}
Walker.__index = Walker

local abs, max, unpack = math.abs, math.max, table.unpack or unpack
local isFloor, rise, put = ground.isFloor, ground.rise, ground.put
local advance, look = ground.advance, ground.look

local NEAR = 2 ^ -46 -- times the largest coordinate: rounding leaves no wider gap to the floor
local MOST_PIECES = 24 -- pieces of ground in one walk, at most

--- Makes a walker, which moves a box of a 2D World. opts become fields, which may be changed at any
-- time: filter (as that of world:move), up ({ 0, -1 }), maxSlope (46 degrees, in radians), snap
-- (how far below it the floor still holds it: a quarter of its height), stepHeight (0), nudge (0:
-- how far its head is moved past a corner), constantSpeed (true: along the ground; false: across
-- it). The box gets the gravityScale 0, as its fall is the velocity that the game passes to walk.
function walker.new(world, box, opts)
  knobs.checkNew(walker, world, box, opts)
  local w = { world = world, box = type(box) == "number" and world:getBox(box) or box,
    up = { 0, -1 }, maxSlope = math.rad(46), stepHeight = 0, nudge = 0, constantSpeed = true,
    onFloor = false, onWall = 0, onCeiling = false, floorNx = 0, floorNy = 0, platformVx = 0,
    platformVy = 0, airTime = math.huge, hits = {}, n = 0, -- the rest is private:
    -- Rows, which are used again.
    rows = {}, way = {}, tried = {}, below = {}, kept = {}, footing = { {} },
    platform = {}, place = {}, floorNear = 0 } -- the id of its floor, and the place of that
  w.box:setGravityScale(0)
  local _, _, width, height = w.box:getRect()
  for name, value in fields(opts or {}) do
    w[name] = value
  end
  w.snap = w.snap or (w.up[1] == 0 and height or width) / 4
  return setmetatable(w, Walker)
end

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

local function stand(w, row)
  ground.copy(row, w.footing[1])
  tell(w, w.footing, 1)
  w.onFloor, w.floor, w.floorNx, w.floorNy = true, row.other, row.nx, row.ny
  w.platform[1] = nil -- settle finds it at the end of the walk
end

-- Whether it still stands flat and flush on the same box. This is quicker than a look.
local function isStill(w)
  local footing, on = w.footing[1], w.platform[1]
  if not on or w.world:touching(w.box, -w.ux, -w.uy, w.filter, true) ~= on then return false end
  tell(w, w.way, 1)
  footing.x, footing.y, w.n = w.x, w.y, w.n + 1
  w.hits[w.n], w.onFloor = footing, true
  return true
end

-- Goes along the floor for a time. Returns the speed that remains.
local function follow(w, along, time)
  local dir, left, tiny = along < 0 and -1 or 1, abs(along) * time, 64 * w.near
  for _ = 1, MOST_PIECES do
    local nu, na = w.floorNx * w.ux + w.floorNy * w.uy, w.floorNx * w.ax + w.floorNy * w.ay
    local tx, ty = dir * (w.ax * nu - w.ux * na), dir * (w.ay * nu - w.uy * na)
    local used = w.constantSpeed and 1 or nu -- the part of the speed that a way of length 1 takes
    local x, y, length = w.x, w.y, left / used
    local hit, t = advance(w, length * tx, length * ty, w.way)
    if not hit and nu == 1 and isStill(w) then return along end
    local s, row, isBent = ground.trace(w, x, y, tx, ty, t * length, hit)
    tell(w, w.way, isBent and s / length or hit and hit.t or 1)
    w.onFloor, left = isFloor(w, row), left - s * used
    if w.onFloor then stand(w, row) end
    -- A seam that rounding left, a step or a wall.
    if hit and not isBent and not isFloor(w, hit) then
      local went, step = ground.stepUp(w, tiny, dir * tiny)
      local isStep = not went and w.stepHeight > 0
      if isStep then went, step = ground.stepUp(w, w.stepHeight, dir * left) end
      if not went or not w.onFloor then
        w.onCeiling = rise(w, hit) <= -w.least
        w.onWall = w.onCeiling and 0 or dir
        return 0
      end
      stand(w, step)
      left = left - went
    end
    if not w.onFloor or left <= w.near then break end
  end
  return along
end

-- Moves the head past a corner above, and then the box by `up`. False if there is no such corner.
local function slip(w, along, up)
  local x, y = w.x, w.y
  for side = 1, -1, -2 do
    if side * along >= 0 then
      advance(w, side * w.nudge * w.ax, side * w.nudge * w.ay, w.tried)
      if not advance(w, up * w.ux, up * w.uy, w.tried) then
        -- Back, as far as the corner lets it.
        advance(w, (x - w.x) * w.ax, (y - w.y) * w.ay, w.tried)
        return true
      end
      put(w, x, y)
    end
  end
  return false
end

-- The speeds along and up that remain after it has been stopped in the air.
local function deflect(w, hit, along, up)
  local facing, side = rise(w, hit), hit.nx * w.ax + hit.ny * w.ay
  if facing <= -w.least and up > 0 then
    w.onCeiling = true
    return along, 0
  end
  if abs(facing) >= w.least then -- a slope that it flies up, or a ceiling that slants
    local into = along * side + up * facing
    return along - into * side, up - into * facing
  end
  w.onWall = side < 0 and 1 or -1
  along = side * along < 0 and 0 or along
  if along * side + up * facing < 0 then -- on a steep side it goes up or down as at a wall
    along = -up * facing / side
  end
  return along, up
end

-- Flies for a time, and may land. Returns the speeds along and up that remain.
local function fly(w, along, up, time)
  local x, y, hit = w.x, w.y, nil
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
    along, up = deflect(w, hit, along, up)
  end
  if hit and up < 0 and w.x == x and w.y == y then -- it is held between slanted walls
    stand(w, hit)
    w.floorNx, w.floorNy = w.ux, w.uy
    return 0, 0
  end
  local row = up <= 0 and not hit and look(w, w.x, w.y, 2 * w.near) or nil
  if isFloor(w, row) then stand(w, row) end
  return along, w.onFloor and 0 or up
end

-- Moves with the box that it stands on, on each axis on which that box has not carried it.
local function ride(w, dt)
  local on, place, lastX, lastY = w.platform, w.place, w.x, w.y
  local x, y, width, height = w.box:getRect()
  w.x, w.y, w.platformVx, w.platformVy = x, y, 0, 0
  w.near = max(NEAR * (abs(x) + width), NEAR * (abs(y) + height), w.floorNear)
  if not (w.onFloor and on[1] and w.world:has(on[1])) then return end
  local dx, dy = place[1], place[2]
  w.world:getRects(on, place)
  dx, dy = place[1] - dx, place[2] - dy
  if dx == 0 and dy == 0 then return end
  -- A little above it, so that it comes down flush.
  local up = w.floorNx * w.floorNy == 0 and w.near or 0
  advance(w, x == lastX and dx + up * w.ux or 0, y == lastY and dy + up * w.uy or 0, w.way)
  tell(w, w.way, 1)
  if dt > 0 then
    w.platformVx = dx ~= 0 and (w.x - lastX) / dt or 0
    w.platformVy = dy ~= 0 and (w.y - lastY) / dt or 0
  end
end

-- Sets what is known at the end of a walk.
local function settle(w, dt)
  local on, hits = w.platform, w.hits
  if not w.onFloor then
    w.airTime, w.floor, w.floorNear, on[1] = w.airTime + dt, nil, 0, nil
  elseif not on[1] then
    on[1] = w.world:touching(w.box, -w.ux, -w.uy, w.filter, true)
    local x, y, width, height = unpack(w.world:getRects(on, w.place), 1, 4)
    w.floorNear = on[1] and NEAR * max(abs(x) + width, abs(y) + height) or 0
  end
  w.airTime = w.onFloor and 0 or w.airTime
  for i = w.n + 1, #hits do
    hits[i] = nil
  end
end

--- Moves the box for dt. Velocities are in coordinates of the world, whatever direction is up.
-- Returns the velocity that remains.
function Walker:walk(vx, vy, dt)
  if getmetatable(self) ~= Walker then arguments.refuseSelf(self, "walk", "walker") end
  knobs.checkWalk(vx, vy, dt)
  local ux, uy = self.up[1], self.up[2]
  local ax, ay = abs(uy), abs(ux)
  local along, up = vx * ax + vy * ay, vx * ux + vy * uy
  self.ux, self.uy, self.ax, self.ay, self.n = ux, uy, ax, ay, 0
  if self.maxSlope ~= self.steepest then
    self.steepest, self.least = self.maxSlope, math.cos(self.maxSlope) - 1e-9
  end
  ride(self, dt)
  local walks = self.onFloor and up <= 0
  self.onFloor, self.onWall, self.onCeiling = false, 0, false
  if not walks then
    along, up = fly(self, along, up, dt)
  else
    along = follow(self, along, dt)
    up = self.onFloor and 0 or select(2, fly(self, 0, up, dt))
  end
  settle(self, dt)
  return along * ax + up * ux, along * ay + up * uy
end

--- Lets go of the one-way box that it stands on, so that it falls through.
function Walker:drop()
  if getmetatable(self) ~= Walker then arguments.refuseSelf(self, "drop", "walker") end
  if self.onFloor then
    local x, y = self.x - 4 * self.near * self.ux, self.y - 4 * self.near * self.uy
    if self.world:canFit(self.box, x, y, nil, nil, self.filter) then
      self.world:update(self.box, x, y) -- a one-way box does not stop what overlaps it
      self.onFloor = false
    end
  end
end

return walker
