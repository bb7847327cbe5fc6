-- Saves the state of walkers as tables of numbers and booleans, and restores it.

local root = ((...) or ""):match("^(.+)[./\\]%w+[./\\]") or "broadside"
local arguments = require(root .. ".support.arguments")

local saved = {}

local abs = math.abs

-- What a slot has: fields of the walker, where the walker's box and its floor were, and
-- lists of numbers. What there is not, and an infinite airTime, is false.
local FIELDS = { "maxSlope", "snap", "stepHeight", "nudge", "constantSpeed", "onFloor", "onWall",
  "onCeiling", "floorNx", "floorNy", "platformVx", "platformVy" }
local FLOOR = { "floorX", "floorY", "floorW", "floorH" }
local PLACES = { "floorX", "floorY", "floorW", "floorH", "slid" }
local PLAIN = { "x", "y", "wasX", "wasY", "wasWidth", "wasHeight", "upX", "upY" }
local BOOLEANS = { onFloor = true, onCeiling = true, constantSpeed = true }

-- The names of the numbers of a list, so that no text is made for them.
local function numbered(name, n)
  local names = {}
  for i = 1, n do
    names[i] = name .. i
  end
  return names
end

local CORNERS, PLANKS = numbered("corner", 32), numbered("plank", 16)
local OPTIONAL = { "airTime", "floor" }

local function copy(names, from, to)
  for i = 1, #names do
    to[names[i]] = from[names[i]]
  end
end

-- Those that are still in the world, without holes.
local function writePlanks(w, slot)
  local n = 0
  for i = 1, #w.planks do
    if not w.planks[i]:isRemoved() then
      n = n + 1
      slot[PLANKS[n]] = w.planks[i]:getId()
    end
  end
  for i = n + 1, #PLANKS do
    slot[PLANKS[i]] = nil
  end
end

--- Writes all that the next walk depends on, besides the world and the filter, into a slot. Its
-- floor is in the world.
function saved.write(w, slot)
  copy(FIELDS, w, slot)
  slot.floor = w.floorId or false
  slot.x, slot.y = w.box:getRect()
  slot.wasX, slot.wasY, slot.wasWidth, slot.wasHeight = w.x, w.y, w.width, w.height
  slot.upX, slot.upY = w.up[1], w.up[2]
  slot.airTime = w.airTime < math.huge and w.airTime
  for i = 1, #PLACES do
    slot[PLACES[i]] = w[PLACES[i]] or false
  end
  for i = 1, #CORNERS do
    slot[CORNERS[i]] = slot.floor and w.corners[i] or nil
  end
  writePlanks(w, slot)
  return slot
end

-- It makes texts for errors alone: a rollback comes here in each frame.
local function checkFields(slot, names, mayLack)
  for i = 1, #names do
    local value, expected = slot[names[i]], BOOLEANS[names[i]] and "boolean" or "finite number"
    local isRight = expected == type(value) or expected ~= "boolean" and arguments.isFinite(value)
    if not (isRight or mayLack and not value) then
      arguments.check(false, "restore", 1, ("field '%s': %s"):format(names[i], expected), value)
    end
  end
end

--- Checks that a slot has numbers of these names, and that the box is where it was then: that is
-- all that tells whether the world was restored.
function saved.checkTable(w, slot, names)
  arguments.check(type(slot) == "table", "restore", 1, "table of walker:save", slot)
  checkFields(slot, names)
  local x, y = w.box:getRect()
  if x ~= slot.x or y ~= slot.y then
    arguments.refuse("restore", 1, "its box is not where it was; restore the world first")
  end
end

-- How many items of a list a slot has: those before the first that is missing. There must be none
-- after it.
local function countItems(slot, names)
  local n = 0
  while slot[names[n + 1]] do n = n + 1 end
  for i = n + 2, #names do
    if slot[names[i]] then
      arguments.refuse("restore", 1, ("field '%s' without '%s'"):format(names[i], names[n + 1]))
    end
  end
  return n
end

local function checkBox(w, id)
  if not arguments.isIdIn(w.world, id) then
    arguments.refuse("restore", 1, "its floor is not in the world; restore the world first")
  end
end

-- Checks the floor, where that was, and the planks.
local function checkFloor(w, slot)
  local corners, planks = countItems(slot, CORNERS), countItems(slot, PLANKS)
  if corners % 2 == 1 or corners == 2 or corners == 4 then
    arguments.refuse("restore", 1, "corners of a floor: 3 points or more expected")
  end
  if slot.floor then
    checkFields(slot, FLOOR)
    checkBox(w, slot.floor)
  end
  for i = 1, planks do
    checkBox(w, slot[PLANKS[i]])
  end
end

--- Checks a slot. An error changes nothing.
function saved.check(w, slot)
  saved.checkTable(w, slot, PLAIN)
  checkFields(slot, FIELDS)
  checkFields(slot, OPTIONAL, true)
  checkFields(slot, PLACES, true)
  checkFields(slot, CORNERS, true)
  checkFields(slot, PLANKS, true)
  if abs(slot.upX) + abs(slot.upY) ~= 1 or slot.upX * slot.upY ~= 0 then
    arguments.refuse("restore", 1, "fields 'upX' and 'upY' are no direction of an axis")
  end
  checkFloor(w, slot)
end

--- Reads a slot that has been checked.
function saved.read(w, slot)
  copy(FIELDS, slot, w)
  if w.up[1] ~= slot.upX or w.up[2] ~= slot.upY then
    w.up = { slot.upX, slot.upY }
  end
  w.airTime = slot.airTime or math.huge
  w.x, w.y, w.width, w.height = slot.wasX, slot.wasY, slot.wasWidth, slot.wasHeight
  w.ux, w.uy, w.ax, w.ay = slot.upX, slot.upY, abs(slot.upY), abs(slot.upX)
  for i = 1, #PLACES do
    w[PLACES[i]] = slot[PLACES[i]] or nil
  end
  for i = 1, #CORNERS do
    w.corners[i] = slot[CORNERS[i]]
  end
  for i = 1, #PLANKS do
    w.planks[i] = slot[PLANKS[i]] and w.world:getBox(slot[PLANKS[i]]) or nil
  end
end

return saved
