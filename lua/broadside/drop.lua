-- How a walker falls through one-way boxes.
--
-- w is the state of a walker. planks: the boxes that it has let go of. In each walk until it is
-- below them they look the other way, so that nothing about them stops it, however they move.

local folder = ((...) or ""):match("^(.+)[./\\]") or "broadside"
local gait = require(folder .. ".gait")

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
  done, along, up = pcall(gait.go, w, along, up, dt)
  turnAll(w.planks)
  if not done then error(along, 0) end
  prune(w)
  return along, up
end

return drop
