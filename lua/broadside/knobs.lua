-- Checks the arguments and options of walkers.

local folder = ((...) or ""):match("^(.+)[./\\]") or "broadside"
local arguments = require(folder .. ".arguments")
local fields = require(folder .. ".fields")

local knobs = {}

local abs, isFinite = math.abs, arguments.isFinite

local function isLength(value)
  return isFinite(value) and value >= 0
end

local function isSide(value)
  return type(value) == "table" and (abs(value[1] or 0) == 1 and value[2] == 0
    or value[1] == 0 and abs(value[2] or 0) == 1)
end

-- {name, what it has to be, test}, in the order in which messages name them.
local KNOWN = {
  { "filter", "filter as that of world:move" },
  { "up", "{0, -1}, {0, 1}, {-1, 0} or {1, 0}", isSide },
  { "maxSlope", "angle from 0 to less than pi / 2", function(value)
    return isLength(value) and value < math.pi / 2
  end },
  { "snap", "finite number >= 0", isLength },
  { "stepHeight", "finite number >= 0", isLength },
  { "nudge", "finite number >= 0", isLength },
  { "constantSpeed", "boolean", function(value) return type(value) == "boolean" end },
}
local names, byName = {}, {}
for i, knob in ipairs(KNOWN) do
  names[i], byName[knob[1]] = knob[1], knob
end

-- What the world complains of the box or the filter, if it does.
local function complaintOf(world, box, filter)
  local mask = type(filter) ~= "function" and filter or nil
  local done, problem = pcall(world.touching, world, box, 0, 1, mask)
  return not done and tostring(problem):match("%((.*)%)$") or nil
end

-- Checks the arguments of walker.new.
function knobs.checkNew(walker, world, box, opts)
  arguments.checkWorld(world, "new", walker)
  local complaint = complaintOf(world, box)
  if complaint then arguments.refuse("new", 2, complaint) end
  arguments.checkTable(opts, "new", 3)
  for name, value in fields(opts or {}) do
    local knob = byName[name]
    if not knob then
      arguments.refuse("new", 3, arguments.unknown(name, table.concat(names, ", ")))
    end
    local isRight = not knob[3] or knob[3](value)
    arguments.check(isRight, "new", 3, ("option '%s': %s"):format(name, knob[2]), value)
  end
  complaint = opts and complaintOf(world, box, opts.filter)
  if complaint then arguments.refuse("new", 3, "option 'filter': " .. complaint) end
end

-- Checks the arguments of walker:walk.
function knobs.checkWalk(vx, vy, dt)
  if not (isFinite(vx) and isFinite(vy) and isLength(dt)) then
    arguments.checkNumbers("walk", 1, vx, vy)
    arguments.check(false, "walk", 3, "finite number >= 0", dt)
  end
end

return knobs
