--- A character that walks: slopes, steps, ledges and lifts. It is in plain Lua, which you can read
-- and change. doc/walker.md has examples.
--
-- On the floor it goes along the side that it stands on, until the ground bends up or down, and
-- then along the next side. In the air it goes straight, and slides. It moves along with its floor
-- when that moves, even in a world without gravity, where `push` carries nobody.

local folder = ((...) or ""):match("^(.+)[./\\]") or "broadside"
local arguments = require(folder .. ".support.arguments")
local carry = require(folder .. ".walker.carry")
local drop = require(folder .. ".walker.drop")
local gait = require(folder .. ".walker.gait")
local walkers = require(folder .. ".walker.walkers")
local saved = require(folder .. ".walker.saved")
local topdown = require(folder .. ".walker.topdown")

local walker, methods = {}, {}

local OPTIONS = { "filter", "up", "maxSlope", "snap", "stepHeight", "nudge", "constantSpeed" }
local OUTPUTS = { "world", "box", "onFloor", "onWall", "onCeiling", "floor", "floorNx", "floorNy",
  "platformVx", "platformVy", "airTime", "hits", "n" }

-- A floor that was removed since the last walk is none, but another one may be in its place.
local function onFloor(w)
  carry.renew(w)
  return w.onFloor
end

local Walker = walkers.newClass(OPTIONS, OUTPUTS, methods, {
  onFloor = onFloor,
  floor = function(w)
    return onFloor(w) and w.floor or nil
  end,
})

local abs, huge = math.abs, math.huge

--- Makes a walker, which moves a box of a 2D World. opts become fields, which may be changed at any
-- time: filter (as that of world:move), up ({ 0, -1 }), maxSlope (46 degrees, in radians), snap
-- (how far below it the floor still holds it: a quarter of its height), stepHeight (0), nudge (0:
-- how far its head is moved past a corner), constantSpeed (true: along the ground; false: across
-- it). The box gets the gravityScale 0, as its fall is the velocity that the game passes to walk.
function walker.new(world, box, opts)
  box, opts = walkers.checkNew(walker, "new", OPTIONS, world, box, opts)
  local _, _, width, height = box:getRect()
  local up = opts.up or { 0, -1 }
  local self = walkers.new(Walker, opts, { world = world, box = box, maxSlope = math.rad(46),
    snap = (up[1] == 0 and height or width) / 4, stepHeight = 0, nudge = 0, constantSpeed = true,
    airTime = huge, onFloor = false, onWall = 0, onCeiling = false, floorNx = 0, floorNy = 0,
    platformVx = 0, platformVy = 0, slid = 0, planks = {}, found = {}, kept = {}, footing = { {} },
    corners = {}, newCorners = {}, bend = {}, turned = { tried = {}, below = {}, shape = {} } })
  self.up = { up[1], up[2] }
  return self
end

--- Makes a walker for a game that is seen from above: it has no floor, and slides along walls. opts
-- become fields: filter, and nudge (0: how far it is moved past a corner to the side). Fields after
-- a walk: hits, n, and onWallX, onWallY (-1, 0, 1: on which sides it has met a wall).
function walker.topDown(world, box, opts)
  return topdown.new(walker, world, box, opts)
end

-- The walker's state. The table `up` may have been changed in place.
local function begin(self, call)
  local w = walkers.stateOf(self, Walker, call, "walker")
  local up = w.up
  if up[1] ~= w.ux or up[2] ~= w.uy then
    walkers.check(w, "up", up)
    w.ux, w.uy, w.ax, w.ay, w.onFloor = up[1], up[2], abs(up[2]), abs(up[1]), false
  end
  if w.maxSlope ~= w.steepest then
    w.steepest, w.least = w.maxSlope, math.cos(w.maxSlope) - 1e-9
  end
  return w
end

local function walk(w, vx, vy, dt)
  local along, up = vx * w.ax + vy * w.ay, vx * w.ux + vy * w.uy
  w.n, w.isNew = 0, false
  w.platformVx, w.platformVy = carry.ride(w, dt)
  local go = w.planks[1] and drop.go or gait.go
  along, up = go(w, along, up, dt)
  if not w.onFloor then
    carry.leave(w)
  elseif w.isNew then
    carry.take(w, w.floor)
  end
  w.airTime = w.onFloor and 0 or w.airTime + dt
  gait.forget(w)
  return along * w.ax + up * w.ux, along * w.ay + up * w.uy
end

--- Moves the box for dt. Velocities are in coordinates of the world, whatever direction is up.
-- Returns the velocity that remains. If the filter's function raises an error, the box is where it
-- was, and has no floor; what else has moved, such as crates, stays where it is.
function methods:walk(vx, vy, dt)
  local w = begin(self, "walk")
  walkers.checkWalk(vx, vy, dt)
  return walkers.run(walk, w, vx, vy, dt)
end

--- Lets go of the one-way boxes that it stands on, until it has fallen through.
function methods:drop()
  local w = begin(self, "drop")
  carry.ride(w, 0)
  if w.onFloor and drop.begin(w) then
    w.onFloor, w.airTime = false, huge
  end
end

--- All that the next walk depends on, besides the world and the filter, as a plain table of numbers
-- and booleans, which is `slot` if that is given. With a snapshot of the world, or its string, it
-- goes back with its world, and may be written to a file.
function methods:save(slot)
  local w = walkers.stateOf(self, Walker, "save", "walker")
  arguments.checkTable(slot, "save", 1)
  carry.renew(w)
  return saved.write(w, slot or {})
end

--- The walker is as it was when the slot was saved. The world has to be restored first.
function methods:restore(slot)
  local w = walkers.stateOf(self, Walker, "restore", "walker")
  saved.check(w, slot)
  saved.read(w, slot)
  carry.goBack(w, slot.floor)
  w.n = 0
  gait.forget(w)
end

return walker
