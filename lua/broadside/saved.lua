-- Saves the state of walkers as tables of numbers and booleans, and restores it.

local folder = ((...) or ""):match("^(.+)[./\\]") or "broadside"
local arguments = require(folder .. ".arguments")

local saved = {}

-- What a slot has: fields of the walker, where its floor and its feet were, and lists of numbers.
-- What there is not, and an infinite airTime, is false.
local KNOBS = { "maxSlope", "snap", "stepHeight", "nudge", "constantSpeed" }
local OUTPUTS = { "onWall", "onCeiling", "floorNx", "floorNy", "platformVx", "platformVy" }
local PLACES = { "floorX", "floorY", "floorW", "floorH", "footX", "footY", "slid" }
local PLAIN = { "x", "y", "upX", "upY", "onFloor" }
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

local function copy(names, from, to)
  for i = 1, #names do
    to[names[i]] = from[names[i]]
  end
end

--- Writes all that the next walk depends on, besides the world and the filter, into a slot.
function saved.write(self, w, slot)
  slot.x, slot.y = w.box:getRect()
  slot.upX, slot.upY, slot.onFloor = self.up[1], self.up[2], w.onFloor
  slot.airTime = self.airTime < math.huge and self.airTime
  copy(KNOBS, self, slot)
  copy(OUTPUTS, self, slot)
  slot.floor = w.floorBox and not w.floorBox:isRemoved() and w.floorId or false
  for i = 1, #PLACES do
    slot[PLACES[i]] = w[PLACES[i]] or false
  end
  for i = 1, #CORNERS do
    slot[CORNERS[i]] = slot.floor and w.corners[i] or nil
  end
  for i = 1, #PLANKS do
    local plank = w.planks[i]
    slot[PLANKS[i]] = plank and not plank:isRemoved() and plank:getId() or nil
  end
  return slot
end

local function checkField(slot, name, mayLack)
  local value = slot[name]
  local isBoolean = BOOLEANS[name] ~= nil
  local isRight = isBoolean and type(value) == "boolean"
    or not isBoolean and arguments.isFinite(value) or mayLack and not value
  arguments.check(isRight, "restore", 1, ("field '%s': %s"):format(name, isBoolean and "boolean"
    or "finite number"), value)
end

local function checkFields(slot, names, mayLack)
  for i = 1, #names do
    checkField(slot, names[i], mayLack)
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

-- Checks that the world has the boxes of a slot.
local function checkBoxes(w, slot)
  local hasAll = not slot.floor or w.world:has(slot.floor)
  for i = 1, #PLANKS do
    hasAll = hasAll and (not slot[PLANKS[i]] or w.world:has(slot[PLANKS[i]]))
  end
  if not hasAll then
    arguments.refuse("restore", 1, "its floor is not in the world; restore the world first")
  end
end

--- Checks a slot. An error changes nothing.
function saved.check(w, slot)
  saved.checkTable(w, slot, PLAIN)
  checkFields(slot, KNOBS)
  checkFields(slot, OUTPUTS)
  checkField(slot, "airTime", true)
  checkField(slot, "floor", true)
  checkFields(slot, PLACES, true)
  checkFields(slot, CORNERS, true)
  checkFields(slot, PLANKS, true)
  checkBoxes(w, slot)
end

--- Reads a slot that has been checked. Returns the Box of the floor.
function saved.read(self, w, slot)
  copy(KNOBS, slot, self)
  copy(OUTPUTS, slot, self)
  if self.up[1] ~= slot.upX or self.up[2] ~= slot.upY then
    self.up = { slot.upX, slot.upY }
  end
  self.airTime, w.onFloor = slot.airTime or math.huge, slot.onFloor
  w.floorNx, w.floorNy = slot.floorNx, slot.floorNy
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
