-- The fields of walkers: which there are, and what their values may be.
--
-- A walker is a table with the fields that a game may read and set. Its first item, w[1], is its
-- state, which is private: there it keeps what it knows between walks, and the knobs as they were
-- checked last.

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

--- Makes the metatable of a kind of walkers. known: the names of its knobs. computed: functions of
-- the state, by the fields whose values they are. Fields that no walker has raise errors.
function knobs.newClass(known, outputs, methods, computed)
  local class, others = { known = known }, {}
  for name in fields(computed) do
    others[#others + 1] = name
  end
  table.sort(others)
  local names = table.concat(known, ", ") .. ", " .. table.concat(outputs, ", ")
  local function refuse(name)
    arguments.raise(("a walker has no field %s; it has: %s"):format(arguments.describe(name),
      names))
  end
  function class.__index(w, name)
    local method, compute = methods[name], computed[name]
    if method or name == "filter" then return method end
    if not compute then refuse(name) end
    return compute(w[1])
  end
  function class.__newindex(w, name, value)
    if name ~= "filter" then refuse(name) end
    rawset(w, name, value)
  end
  return class
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

--- Checks the arguments of walk.
function knobs.checkWalk(vx, vy, dt)
  local areNumbers = type(vx) == "number" and type(vy) == "number" and type(dt) == "number"
  if not (areNumbers and vx - vx == 0 and vy - vy == 0 and dt - dt == 0 and dt >= 0) then
    arguments.checkNumbers("walk", 1, vx, vy)
    arguments.check(false, "walk", 3, "finite number >= 0", dt)
  end
end

--- Takes over the knobs that have been changed since they were last looked at. Raises an error, and
-- takes none over, if one of them is wrong, or if the box was removed. Returns whether up changed.
function knobs.adopt(w, s, known, call)
  s.world, s.box = w.world, w.box
  if s.box:isRemoved() then
    arguments.raise(("bad self to '%s' (its box was removed)"):format(call))
  end
  local up, filter = rawget(w, "up"), rawget(w, "filter")
  local changed = filter ~= s.filter
  if changed then check(s, "filter", filter) end
  for i = 2, #known do -- all but the filter
    local name = known[i]
    if w[name] ~= s[name] then
      check(s, name, w[name])
      changed = true
    end
  end
  local isTurned = up and (up[1] ~= s.ux or up[2] ~= s.uy)
  if isTurned then check(s, "up", up) end
  for i = 1, changed and #known or 0 do
    s[known[i]] = rawget(w, known[i])
  end
  if isTurned then s.ux, s.uy = up[1], up[2] end
  return isTurned
end

knobs.check = check

return knobs
