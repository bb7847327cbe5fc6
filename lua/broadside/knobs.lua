-- Checks the arguments and options of walkers.

local folder = ((...) or ""):match("^(.+)[./\\]") or "broadside"
local fields = require(folder .. ".fields")
local level = require(folder .. ".level")

local knobs = {}

local abs = math.abs

local function isLength(value)
  return level.isFinite(value) and value >= 0
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

-- Raises an error at the line that called the walker's function, which called this file.
local function bad(name, argument, complaint)
  error(("bad argument #%d to '%s' (%s)"):format(argument, name, complaint), 4)
end

-- What the world complains of the box or the filter, if it does.
local function complaintOf(world, box, filter)
  local mask = type(filter) ~= "function" and filter or nil
  local done, problem = pcall(world.touching, world, box, 0, 1, mask)
  return not done and tostring(problem):match("%((.*)%)$") or nil
end

-- Checks the arguments of walker.new.
function knobs.checkNew(walker, world, box, opts)
  local complaint = level.complaintOfWorld(world, walker)
  if complaint then bad("new", 1, complaint) end
  complaint = complaintOf(world, box)
  if complaint then bad("new", 2, complaint) end
  if opts ~= nil and type(opts) ~= "table" then
    bad("new", 3, "table expected, got " .. level.describe(opts))
  end
  for name, value in fields(opts or {}) do
    local knob = byName[name]
    if not knob then
      bad("new", 3, level.describeUnknown(name, table.concat(names, ", ")))
    elseif knob[3] and not knob[3](value) then
      local expected = ("option '%s': %s expected, got "):format(name, knob[2])
      bad("new", 3, expected .. level.describe(value))
    end
  end
  complaint = opts and complaintOf(world, box, opts.filter)
  if complaint then bad("new", 3, "option 'filter': " .. complaint) end
end

-- Raises an error at the line that called the walker's method, which calls this.
function knobs.refuseSelf(self, name)
  error(("bad self to '%s' (walker expected, got %s; call it with ':')"):format(name, type(self)),
    3)
end

-- Checks the arguments of walker:walk.
function knobs.checkWalk(vx, vy, dt)
  if not (level.isFinite(vx) and level.isFinite(vy) and isLength(dt)) then
    local argument = not level.isFinite(vx) and 1 or not level.isFinite(vy) and 2 or 3
    local value = select(argument, vx, vy, dt)
    bad("walk", argument, (argument == 3 and "finite number >= 0" or "finite number")
      .. " expected, got " .. level.describe(value))
  end
end

return knobs
