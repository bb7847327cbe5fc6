-- The fields of walkers: which there are, and what their values may be.
--
-- A walker is a table of one item, its state, which is private: there it keeps what it knows between
-- walks, and the knobs. What a game sets is in the state's `set` until the next walk, which checks
-- it and takes it over.

local folder = ((...) or ""):match("^(.+)[./\\]") or "broadside"
local arguments = require(folder .. ".arguments")
local fields = require(folder .. ".fields")

local knobs = {}

local abs, isFinite = math.abs, arguments.isFinite

local function isLength(value)
  return isFinite(value) and value >= 0
end

local LENGTH = { "finite number >= 0", isLength }

local function isAnything()
  return true
end

-- What each knob has to be, and a test.
local KNOWN = {
  filter = { "what move takes", isAnything }, -- see complaintOf
  up = { "{0, -1}, {0, 1}, {-1, 0} or {1, 0}", function(value)
    local x, y = type(value) == "table" and value[1], type(value) == "table" and value[2]
    return isFinite(x) and isFinite(y) and abs(x) + abs(y) == 1 and x * y == 0
  end },
  maxSlope = { "angle from 0 to less than pi / 2", function(value)
    return isLength(value) and value < math.pi / 2
  end },
  snap = LENGTH, stepHeight = LENGTH, nudge = LENGTH,
  constantSpeed = { "boolean", function(value) return type(value) == "boolean" end },
  airTime = { "number >= 0", function(value) return type(value) == "number" and value >= 0 end },
}

-- What the world complains of the box or the filter, if it does.
local function complaintOf(world, box, filter)
  local mask = type(filter) ~= "function" and filter or nil
  local done, problem = pcall(world.touching, world, box, 0, 1, mask)
  return not done and tostring(problem):match("%((.*)%)$") or nil
end

--- Checks the arguments of a function of the module that makes a walker. known: the names of its
-- knobs, in the order in which messages list them.
function knobs.checkNew(module, call, known, world, box, opts)
  arguments.checkWorld(world, call, module)
  local complaint = complaintOf(world, box)
  if complaint then arguments.refuse(call, 2, complaint) end
  local rows = {}
  for i, name in ipairs(known) do
    rows[i] = { name, KNOWN[name][1], KNOWN[name][2] }
  end
  arguments.checkOptions(opts, call, 3, rows)
  complaint = opts and complaintOf(world, box, opts.filter)
  if complaint then arguments.refuse(call, 3, "option 'filter': " .. complaint) end
end

-- Raises an error if a field has a wrong value.
local function check(s, name, value)
  local knob, complaint = KNOWN[name], nil
  if name == "filter" then
    complaint = complaintOf(s.world, s.box, value)
  elseif not knob[2](value) then
    complaint = knob[1] .. " expected, got " .. arguments.describe(value)
  end
  if complaint then
    arguments.raise(("bad field '%s' of a walker (%s)"):format(name, complaint))
  end
end

local function setOf(names)
  local set = {}
  for _, name in ipairs(names) do
    set[name] = true
  end
  return set
end

--- Makes the metatable of a kind of walkers. settable: the names of the fields that a game may set.
-- outputs: the names of those that a walk sets. computed: functions of the state, by the fields
-- whose values they are. Fields that no walker has raise errors.
function knobs.newClass(settable, outputs, methods, computed)
  local class, known, isOutput = { settable = settable }, setOf(settable), setOf(outputs)
  local names = table.concat(settable, ", ") .. ", " .. table.concat(outputs, ", ")
  local function refuse(name)
    arguments.raise(("a walker has no field %s%s; it has: %s"):format(arguments.describe(name),
      isOutput[name] and " that may be set" or "", names))
  end
  function class.__index(w, name)
    local method, compute = methods[name], computed[name]
    if method then return method end
    if compute then return compute(w[1]) end
    if isOutput[name] then return w[1][name] end
    if not known[name] then refuse(name) end
    return w[1].set[name]
  end
  function class.__newindex(w, name, value)
    if not known[name] then refuse(name) end
    w[1].set[name], w[1].isSet = value, true
  end
  return class
end

--- Makes a walker of a class. set: its world, its box and its knobs, as a game may set them; opts
-- takes their place. state: the rest of its state.
function knobs.new(class, set, opts, state)
  for name, value in fields(opts or {}) do
    set[name] = value
  end
  state.set, state.world, state.box, state.isSet = set, set.world, set.box, true
  set.box:setGravityScale(0)
  return setmetatable({ state }, class)
end

-- Takes over what has been set. Raises an error, and takes nothing over, if some of it is wrong.
local function adopt(s, settable)
  local set = s.set
  for i = 1, #settable do
    if KNOWN[settable[i]] then check(set, settable[i], set[settable[i]]) end
  end
  for i = 1, #settable do
    s[settable[i]] = set[settable[i]]
  end
  s.isSet = false
end

--- Returns the state of a walker. Raises an error if self is none of that class.
function knobs.stateOf(self, class, call, kind)
  if getmetatable(self) ~= class then arguments.refuseSelf(self, call, kind) end
  return self[1]
end

--- Returns the state of a walker, with the knobs as they are now, and whether some have been set.
-- Raises an error if one of them is wrong, or if the box was removed.
function knobs.begin(self, class, call, kind)
  local s = knobs.stateOf(self, class, call, kind)
  local isSet = s.isSet
  if s.set.box:isRemoved() then
    arguments.raise(("bad self to '%s' (its box was removed)"):format(call))
  end
  if isSet then adopt(s, class.settable) end
  return s, isSet
end

--- Checks the arguments of walk.
function knobs.checkWalk(vx, vy, dt)
  local areNumbers = type(vx) == "number" and type(vy) == "number" and type(dt) == "number"
  if not (areNumbers and vx - vx == 0 and vy - vy == 0 and dt - dt == 0 and dt >= 0) then
    arguments.checkNumbers("walk", 1, vx, vy)
    arguments.check(false, "walk", 3, "finite number >= 0", dt)
  end
end

knobs.check = check

return knobs
