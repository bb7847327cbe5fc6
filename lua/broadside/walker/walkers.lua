-- The fields of walkers: which there are, and what their values may be.
--
-- A walker is a table of one item: its state, which has the values of its fields, and what it knows
-- between walks. A game sees of it only the fields.

local root = ((...) or ""):match("^(.+)[./\\]%w+[./\\]") or "broadside"
local arguments = require(root .. ".support.arguments")
local fields = require(root .. ".support.fields")

local walkers = {}

local abs, isFinite = math.abs, arguments.isFinite

local function anything() return true end

-- What each field has to be, and a test if arguments.isA does not know that.
local KNOWN = {
  filter = { "anything", anything }, -- but see complaintOf
  up = { "{0, -1}, {0, 1}, {-1, 0} or {1, 0}", function(value)
    local x, y = type(value) == "table" and value[1], type(value) == "table" and value[2]
    return isFinite(x) and isFinite(y) and abs(x) + abs(y) == 1 and x * y == 0
  end },
  maxSlope = { "angle from 0 to less than pi / 2", function(value)
    return isFinite(value) and value >= 0 and value < math.pi / 2
  end },
  snap = { "finite number >= 0" },
  stepHeight = { "finite number >= 0" },
  nudge = { "finite number >= 0" },
  constantSpeed = { "boolean" },
  world = { "anything", anything },
  box = { "anything", anything },
  airTime = { "number >= 0", function(value) return type(value) == "number" and value >= 0 end },
}

-- What the world complains of the box or the filter, if it does.
local function complaintOf(world, box, filter)
  local mask = type(filter) ~= "function" and filter or nil
  local done, problem = pcall(world.touching, world, box, 0, 1, mask)
  return not done and tostring(problem):match("%((.*)%)$") or nil
end

--- Checks the arguments of a function of the module that makes a walker. known: the names of its
-- options, in the order in which messages list them. Returns the Box, and the options.
function walkers.checkNew(module, call, known, world, box, opts)
  arguments.checkWorld(world, call, module)
  local complaint = complaintOf(world, box)
  if complaint then arguments.refuse(call, 2, complaint) end
  local rows = {}
  for i, name in ipairs(known) do
    rows[i] = { name, KNOWN[name][1], nil, KNOWN[name][2] }
  end
  opts = arguments.readOptions(opts, call, 3, rows)
  complaint = complaintOf(world, box, opts.filter)
  if complaint then arguments.refuse(call, 3, "option 'filter': " .. complaint) end
  return type(box) == "number" and world:getBox(box) or box, opts
end

-- Raises an error if a field has a wrong value.
local function check(s, name, value)
  local field, complaint = KNOWN[name], nil
  if name == "filter" then
    complaint = complaintOf(s.world, s.box, value)
  elseif not (field[2] or arguments.isA)(value, field[1]) then
    complaint = field[1] .. " expected, got " .. arguments.describe(value)
  end
  if complaint then
    arguments.raise(("bad field '%s' of a walker (%s)"):format(name, complaint))
  end
end

--- Makes the metatable of a kind of walkers. options: the names of its options. outputs: those of
-- its other fields. computed: functions of the state, by the fields whose values they are. A name
-- or a value that is wrong raises an error.
function walkers.newClass(options, outputs, methods, computed)
  local class, known = {}, {}
  local names = table.concat(options, ", ") .. ", " .. table.concat(outputs, ", ")
  for name in names:gmatch("%a+") do
    known[name] = true
  end
  local function refuse(name)
    arguments.raise(("a walker has no field %s%s; it has: %s"):format(arguments.describe(name),
      known[name] and " that may be set" or "", names))
  end
  function class.__index(w, name)
    local method, compute = methods[name], computed[name]
    if method then return method end
    if compute then return compute(w[1]) end
    if not known[name] then refuse(name) end
    return w[1][name]
  end
  function class.__newindex(w, name, value)
    if not (known[name] and KNOWN[name]) then refuse(name) end
    check(w[1], name, value)
    w[1][name] = value
  end
  return class
end

--- Makes a walker of a class. state: its world, box, options (which opts replaces), and more.
function walkers.new(class, opts, state)
  for name, value in fields(opts) do
    state[name] = value
  end
  state.x, state.y, state.width, state.height = state.box:getRect()
  state.hits, state.n, state.floorNear = {}, 0, 0
  -- Rows and lists, which are used again.
  state.rows, state.way, state.tried, state.below, state.shape = {}, {}, {}, {}, {}
  local done, problem = pcall(state.box.setGravityScale, state.box, 0)
  if not done then arguments.raiseAgain(problem) end
  return setmetatable({ state }, class)
end

--- Returns the state of a walker. Raises an error if self is none, or if its box was removed.
function walkers.stateOf(self, class, call, kind)
  if getmetatable(self) ~= class then arguments.refuseSelf(self, call, kind) end
  local s = self[1]
  if s.box:isRemoved() then
    arguments.raise(("bad self to '%s' (its box was removed)"):format(call))
  end
  return s
end

--- Checks the arguments of walk.
function walkers.checkWalk(vx, vy, dt)
  local areNumbers = type(vx) == "number" and type(vy) == "number" and type(dt) == "number"
  if not (areNumbers and vx - vx == 0 and vy - vy == 0 and dt - dt == 0 and dt >= 0) then
    arguments.checkNumbers("walk", 1, vx, vy)
    arguments.check(false, "walk", 3, "finite number >= 0", dt)
  end
end

-- Raises, at the caller's line, what was wrong with the walk that has raised `problem`; an error of
-- the game's own filter as it is.
local function explain(s, problem, vx, vy, dt)
  local complaint = complaintOf(s.world, s.box, s.filter)
  if complaint then
    arguments.raise(("bad field 'filter' of a walker (%s)"):format(complaint))
  end
  for arg, speed in ipairs({ vx, vy }) do
    local isFar = not isFinite((arg == 1 and s.x or s.y) + speed * dt)
    if isFar then arguments.refuse("walk", arg, "the way in dt is not finite") end
  end
  if tostring(problem):find("the filter function returned ", 1, true) then
    arguments.raiseAgain(problem)
  end
  error(problem, 0)
end

--- Calls go(s, vx, vy, dt), which moves the box of a walker, and returns its two results. If that
-- raises an error, the box goes back to where carry.readBox has found it, without floor and hits.
function walkers.run(go, s, vx, vy, dt)
  s.startX = false
  local done, x, y = pcall(go, s, vx, vy, dt)
  if done then return x, y end
  if s.startX and not s.box:isRemoved() then
    s.x, s.y = s.startX, s.startY
    s.world:update(s.box, s.x, s.y)
  end
  s.onFloor, s.floorBox, s.floorId, s.floorNear, s.n = false, nil, nil, 0, 0
  for i = #s.hits, 1, -1 do
    s.hits[i] = nil
  end
  explain(s, x, vx, vy, dt)
end

walkers.check = check

return walkers
