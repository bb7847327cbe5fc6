-- How a walker falls through one-way boxes.
--
-- w is the state of a walker. planks: the boxes that it has let go of. In each walk until it is
-- below them they look the other way, so that nothing about them stops it, however they move.

local root = ((...) or ""):match("^(.+)[./\\]%w+[./\\]") or "broadside"
local gait = require(root .. ".walker.gait")
local ground = require(root .. ".walker.ground")

local drop = {}

local abs = math.abs

local MOST_PLANKS = 16

local function turn(plank)
  if not plank:isRemoved() then
    local nx, ny = plank:getOneWay()
    if nx then plank:setOneWay(-nx, -ny) end
  end
end

local function turnAll(planks)
  for i = 1, #planks do
    turn(planks[i])
  end
end

local function clear(planks)
  for i = #planks, 1, -1 do
    planks[i] = nil
  end
end

-- The interval that a rectangle takes along an axis.
local function interval(x, y, w, h, ax, ay)
  local low = x * ax + y * ay
  local size = w * abs(ax) + h * abs(ay)
  if ax + ay < 0 then low = low - size end
  return low, low + size
end

-- Whether the walker may still come down on a plank.
local function isAbove(w, plank)
  if plank:isRemoved() or not plank:getOneWay() then return false end
  local x, y, width, height = plank:getRect()
  local low, high = interval(w.x, w.y, w.width, w.height, w.ax, w.ay)
  local first, last = interval(x, y, width, height, w.ax, w.ay)
  local _, top = interval(w.x, w.y, w.width, w.height, w.ux, w.uy)
  return low < last and first < high and top > interval(x, y, width, height, w.ux, w.uy)
end

-- How high the upper side of a plank is.
local function levelOf(w, plank)
  local x, y, width, height = plank:getRect()
  local _, level = interval(x, y, width, height, w.ux, w.uy)
  return level
end

-- The Box that a row is about, or nil: what the box touches there, or what the row calls it.
local function boxOf(w, row)
  local world, isBeside, x, y = w.world, abs(row.nx) > abs(row.ny), w.x, w.y
  ground.put(w, row.x, row.y)
  local id = world:touching(w.box, isBeside and -row.nx or 0, isBeside and 0 or -row.ny, w.filter,
    true)
  ground.put(w, x, y)
  if id then return world:getBox(id) end
  return ground.toBox(world, row.other)
end

-- Lets go of the planks beside those that it has let go of, whose corners would stop a round or
-- slanted walker. All of them have been turned. Then does gait.go.
local function fall(w, along, up, dt)
  local dx, dy = (along * w.ax + up * w.ux) * dt, (along * w.ay + up * w.uy) * dt
  local first = w.planks[1]
  while first and not first:isRemoved() and #w.planks < MOST_PLANKS do
    w.world:check(w.box, w.x + dx, w.y + dy, w.filter, w.tried)
    local row = ground.stopOf(w, w.tried, dx, dy, true)
    local plank = row and boxOf(w, row)
    local isBeside = plank and plank:getOneWay()
      and abs(levelOf(w, plank) - levelOf(w, first)) <= 64 * w.near
    if not isBeside then break end
    w.planks[#w.planks + 1] = plank
    turn(plank)
  end
  return gait.go(w, along, up, dt)
end

local function prune(w)
  for i = #w.planks, 1, -1 do
    if w.onFloor or not isAbove(w, w.planks[i]) then table.remove(w.planks, i) end
  end
end

--- Lets go of the one-way boxes that the walker stands on. False if it also stands on another box.
function drop.begin(w)
  local planks, box = w.planks, w.floorBox
  while box and box:getOneWay() and #planks < MOST_PLANKS do
    planks[#planks + 1] = box
    turn(box) -- so that it touches the next one
    local id = w.world:touching(w.box, -w.ux, -w.uy, w.filter, true)
    box = id and w.world:getBox(id)
  end
  turnAll(planks)
  if box then clear(planks) end
  return #planks > 0
end

--- Does gait.go, and falls through the planks that it has let go of.
function drop.go(w, along, up, dt)
  if up > 0 then clear(w.planks) end
  turnAll(w.planks)
  local done
  done, along, up = pcall(fall, w, along, up, dt)
  turnAll(w.planks)
  if not done then error(along, 0) end
  prune(w)
  return along, up
end

return drop
