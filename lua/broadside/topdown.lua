-- A walker of games that are seen from above: it has no floor, and slides along walls.
--
-- Past a corner it moves as a walker of a platformer steps up, whose up is to the side.

local folder = ((...) or ""):match("^(.+)[./\\]") or "broadside"
local arguments = require(folder .. ".arguments")
local gait = require(folder .. ".gait")
local ground = require(folder .. ".ground")
local knobs = require(folder .. ".knobs")
local saved = require(folder .. ".saved")

local topdown, methods = {}, {}

local KNOBS = { "filter", "nudge" }
local SETTABLE = { "filter", "nudge", "world", "box" }
local OUTPUTS = { "onWallX", "onWallY", "hits", "n" }
local PLAIN = { "x", "y", "nudge" }

local TopDown = knobs.newClass(SETTABLE, OUTPUTS, methods, {})

local abs = math.abs

local NEAR = 2 ^ -46 -- times the largest coordinate: rounding leaves no wider gap
local WALL = 0.5 -- a wall is on the side of an axis if its normal has that part along it

--- walker.topDown
function topdown.new(walker, world, box, opts)
  knobs.checkNew(walker, "topDown", KNOBS, world, box, opts)
  box = type(box) == "number" and world:getBox(box) or box
  return knobs.new(TopDown, { world = world, box = box, nudge = 0 }, opts, { onWallX = 0,
    onWallY = 0, hits = {}, n = 0, least = math.cos(math.rad(46)), rows = {}, way = {}, tried = {},
    below = {}, shape = {} })
end

-- Moves by dx, dy. Returns the row of the first wall, which has stopped some of that.
local function go(w, dx, dy)
  local x, y, wall = w.x, w.y, nil
  w.x, w.y = w.world:move(w.box, x + dx, y + dy, w.filter, w.way)
  gait.tell(w, w.way, 1)
  for i = #w.way, 1, -1 do
    local row = w.way[i]
    local wanted = dx * row.nx + dy * row.ny
    local gone = (w.x - x) * row.nx + (w.y - y) * row.ny
    if row.response ~= "cross" and wanted < 0 and gone > wanted + w.near then
      wall = row
    end
  end
  return wall
end

-- How far it has to move to a side, which is up, to get past the corner before it; nil if there is
-- none, or no room behind it.
local function distanceAside(w, dir)
  local along, level = ground.findStep(w, dir)
  if not level then return nil end
  local x, y = level, level
  if w.ax == 1 then x = w.x + dir * along else y = w.y + dir * along end
  if not w.world:canFit(w.box, x, y, nil, nil, w.filter) then return nil end
  return abs(level - (w.ax == 1 and w.y or w.x))
end

-- Goes to the side past a corner, and on, for a way of that length. False if it cannot. across: the
-- speed to the side, which forbids the other one.
local function slip(w, isX, dir, left, across)
  local best, to
  w.ax, w.ay = isX and 1 or 0, isX and 0 or 1
  for side = -1, 1, 2 do
    w.ux, w.uy = w.ay * side, w.ax * side
    local distance = side * across >= 0 and distanceAside(w, dir)
    if distance and (not best or distance < best) then
      best, to = distance, side
    end
  end
  if not best then return false end
  local step = math.min(best, left)
  ground.advance(w, w.ay * to * step, w.ax * to * step, w.tried)
  go(w, w.ax * dir * (left - step), w.ay * dir * (left - step))
  return true
end

-- What remains of a velocity beside the walls that were met: not those that were pushed ahead.
local function deflect(w, vx, vy, goneX, goneY)
  for i = 1, #w.way do
    local row = w.way[i]
    local into = vx * row.nx + vy * row.ny
    local isAhead = row.response == "push" and goneX * row.nx + goneY * row.ny <= into * 0.999
    if row.response ~= "cross" and into < 0 and not isAhead then
      vx, vy = vx - into * row.nx, vy - into * row.ny
      if abs(row.nx) >= WALL then w.onWallX = row.nx < 0 and 1 or -1 end
      if abs(row.ny) >= WALL then w.onWallY = row.ny < 0 and 1 or -1 end
    end
  end
  return vx, vy
end

--- Moves the box for dt, along walls where they are in its way. Returns the velocity that remains.
function methods:walk(vx, vy, dt)
  local w = knobs.begin(self, TopDown, "walk", "walker.topDown")
  knobs.checkWalk(vx, vy, dt)
  local x, y, width, height = w.box:getRect()
  w.x, w.y, w.width, w.height, w.stepHeight = x, y, width, height, w.nudge
  w.near = NEAR * math.max(abs(x) + width, abs(y) + height)
  w.n, w.onWallX, w.onWallY = 0, 0, 0
  local wall = go(w, vx * dt, vy * dt)
  local isX = wall and abs(wall.nx) > abs(wall.ny)
  local slips = wall and w.nudge > 0 and wall.response ~= "push"
  if slips then
    local speed, across = isX and vx or vy, isX and vy or vx
    local left = abs(speed) * dt - math.sqrt((w.x - x) ^ 2 + (w.y - y) ^ 2)
    slips = left > 0 and slip(w, isX, speed < 0 and -1 or 1, left, across)
  end
  if wall and not slips then
    vx, vy = deflect(w, vx, vy, (w.x - x) / dt, (w.y - y) / dt)
  end
  gait.forget(w)
  return vx, vy
end

--- All that the next walk depends on, besides the world and the filter, as a plain table of
-- numbers, which is `slot` if that is given.
function methods:save(slot)
  local w = knobs.stateOf(self, TopDown, "save", "walker.topDown")
  arguments.checkTable(slot, "save", 1)
  slot = slot or {}
  slot.x, slot.y = w.box:getRect()
  slot.nudge = w.set.nudge
  return slot
end

--- The walker is as it was when the slot was saved. The world has to be restored first.
function methods:restore(slot)
  local w = knobs.stateOf(self, TopDown, "restore", "walker.topDown")
  saved.checkTable(w, slot, PLAIN)
  self.nudge, w.n, w.onWallX, w.onWallY = slot.nudge, 0, 0, 0
  gait.forget(w)
end

return topdown
