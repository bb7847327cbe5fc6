-- A walker of games that are seen from above: it has no floor, and slides along walls. Past a
-- corner it moves as a walker of a platformer steps up, whose up is to the side.

local root = ((...) or ""):match("^(.+)[./\\]%w+[./\\]") or "broadside"
local arguments = require(root .. ".support.arguments")
local carry = require(root .. ".walker.carry")
local gait = require(root .. ".walker.gait")
local ground = require(root .. ".walker.ground")
local walkers = require(root .. ".walker.walkers")
local saved = require(root .. ".walker.saved")

local topdown, methods = {}, {}

local OPTIONS = { "filter", "nudge" }
local OUTPUTS = { "world", "box", "onWallX", "onWallY", "hits", "n" }
local TopDown = walkers.newClass(OPTIONS, OUTPUTS, methods, {})

local abs = math.abs
local SAVED = { "x", "y", "nudge" }
local WALL = 0.5 -- a wall is on the side of an axis if its normal has that part along it

--- walker.topDown
function topdown.new(walker, world, box, opts)
  box, opts = walkers.checkNew(walker, "topDown", OPTIONS, world, box, opts)
  return walkers.new(TopDown, opts, { world = world, box = box, nudge = 0, onWallX = 0, onWallY = 0,
    ux = 0, uy = 0, least = ground.STEEP })
end

-- Whether a row has stopped some of the way dx, dy.
local function stops(w, row, dx, dy)
  local wanted = dx * row.nx + dy * row.ny
  local gone = (w.x - w.fromX) * row.nx + (w.y - w.fromY) * row.ny
  return row.response ~= "cross" and wanted < 0 and gone > wanted + w.near
end

-- Moves by dx, dy. Returns the row of the first wall, or nil.
local function go(w, dx, dy)
  w.fromX, w.fromY = w.x, w.y
  w.x, w.y = w.world:move(w.box, w.x + dx, w.y + dy, w.filter, w.way)
  gait.tell(w, w.way, 1)
  for _, row in ipairs(w.way) do
    if stops(w, row, dx, dy) then return row end
  end
end

-- Goes to the side past the corner of a wall, and on, for the rest of the way. False if it cannot.
-- Its speed to one side forbids the other one. Along a wall of 45 degrees it slides.
local function slip(w, wall, vx, vy, dt)
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
  ground.goTo(w, isX and w.x or to, isX and to or w.y, w.tried)
  go(w, w.ax * dir * (left - step), w.ay * dir * (left - step))
  return true
end

-- What remains of a velocity beside the walls.
local function deflect(w, vx, vy, dt)
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

local function walk(w, vx, vy, dt)
  w.n, w.onWallX, w.onWallY, w.stepHeight = 0, 0, 0, w.nudge
  carry.readBox(w)
  local wall = go(w, vx * dt, vy * dt)
  if wall and not slip(w, wall, vx, vy, dt) then vx, vy = deflect(w, vx, vy, dt) end
  gait.forget(w)
  return vx, vy
end

--- Moves the box for dt, along walls where they are in its way. Returns the velocity that remains.
-- If the filter's function raises an error, the box is where it was; crates stay where they are.
function methods:walk(vx, vy, dt)
  local w = walkers.stateOf(self, TopDown, "walk", "walker.topDown")
  walkers.checkWalk(vx, vy, dt)
  return walkers.run(walk, w, vx, vy, dt)
end

--- All that the next walk depends on, besides the world and the filter, as a plain table of
-- numbers, which is `slot` if that is given.
function methods:save(slot)
  local w = walkers.stateOf(self, TopDown, "save", "walker.topDown")
  arguments.checkTable(slot, "save", 1)
  slot = slot or {}
  slot.nudge, slot.x, slot.y = w.nudge, w.box:getRect()
  return slot
end

--- The walker is as it was when the slot was saved. The world has to be restored first.
function methods:restore(slot)
  local w = walkers.stateOf(self, TopDown, "restore", "walker.topDown")
  saved.checkTable(w, slot, SAVED)
  w.nudge, w.n, w.onWallX, w.onWallY = slot.nudge, 0, 0, 0
  gait.forget(w)
end

return topdown
