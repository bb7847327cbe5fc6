--- A character that walks: slopes, steps, ledges and lifts. It is in plain Lua, which you can read
-- and change. doc/walker.md has examples.
--
-- On the floor it goes along the side that it stands on, until the ground bends up or down, and
-- then along the next side. In the air it goes straight, and slides. It moves along with its floor
-- when that moves, even in a world without gravity, where `push` carries nobody.

local folder = ((...) or ""):match("^(.+)[./\\]") or "broadside"
local arguments = require(folder .. ".support.arguments")
local hints = require(folder .. ".support.hints")
local lists = require(folder .. ".support.lists")
local platforms = require(folder .. ".walker.platforms")
local walk = require(folder .. ".walker.walk")

local walker = {}

local abs, huge, isFinite = math.abs, math.huge, arguments.isFinite

-- The state ---------------------------------------------------------------------------------------
-- A walker is a table of one item: its state w, of which a game sees the fields alone.
--
--     filter, up, maxSlope, ...     the options: see OPTIONS
--     follow, fly, land      the parts of a walk, which a game may replace
--     onFloor, onWall, ...          what the next walk depends on besides these: see MEMORY
--     self, isWalking the walker; whether it is in its walk
--     world, box      the box that it moves
--     x, y, width, height    where that is, or where the last walk has left it
--     startX, startY         where it was before this walk; false as long as that is not known
--     near            the gap that rounding may leave to a slanted side there
--     ux, uy, ax, ay  up; the axis along which it walks
--     least           the cosine of the steepest floor that maxSlope allows
--     hits, n, rows   what this walk has met, each box once; rows that are used again
--     floor, floorBox, floorId      what it stands on: as results say, the Box, and its id; or nil
--     floorNear, corners, newCorners    the gap that rounding may leave to it; a polygon's corners,
--                     as the last walk has left them, and now
--     footing, isNew  the row of its floor; whether it came to that in this walk
--     planks          the one-way boxes that it falls through
--     kind, shape     of its box
--     fromX, fromY, onWallX, onWallY       seen from above: where its last way began; its walls
--     way, tried, below, kept, landed, found, bend, turned    rows and tables that are used again

local UP = "{0, -1}, {0, 1}, {-1, 0} or {1, 0}"
local ANGLE = "angle from 0 to less than pi / 2"
local WORLD = "2D World, or a table with its calls,"
local LENGTH, NUMBER, BOOLEAN = "finite number >= 0", "finite number", "boolean"

-- An option is a row of arguments.readOptions, with its default as `usual`, and what it is in a
-- slot of save. It is also a field, which may be set at any time.
local OPTIONS = {
  { "filter", "filter" },
  { "up", UP },
  { "maxSlope", ANGLE, usual = math.rad(46), saved = NUMBER },
  { "snap", LENGTH, saved = NUMBER },
  { "stepHeight", LENGTH, usual = 0, saved = NUMBER },
  { "nudge", LENGTH, usual = 0, saved = NUMBER },
  { "constantSpeed", BOOLEAN, usual = true, saved = BOOLEAN },
}
local OPTIONS_FROM_ABOVE = { OPTIONS[1], OPTIONS[6] }

-- The same of what a walk remembers. What may be lacking is false in a slot.
local OPTIONAL = "finite number or false"
local MEMORY = {
  { "onFloor", usual = false, saved = BOOLEAN }, { "onWall", usual = 0, saved = NUMBER },
  { "onCeiling", usual = false, saved = BOOLEAN },
  -- The normal of its floor, and how that has moved it.
  { "floorNx", usual = 0, saved = NUMBER }, { "floorNy", usual = 0, saved = NUMBER },
  { "platformVx", usual = 0, saved = NUMBER }, { "platformVy", usual = 0, saved = NUMBER },
  { "airTime", usual = huge, saved = OPTIONAL }, -- infinite, if it is lacking
  { "slid", usual = 0, saved = OPTIONAL }, -- the speed along with which it slid down a steep side
  -- Where its floor was.
  { "floorX", usual = false, saved = OPTIONAL }, { "floorY", usual = false, saved = OPTIONAL },
  { "floorW", usual = false, saved = OPTIONAL }, { "floorH", usual = false, saved = OPTIONAL },
}

-- The other fields, in the order in which messages list them; and what may be put into some.
local OUTPUTS = "world, box, onFloor, onWall, onCeiling, floor, floorNx, floorNy, platformVx, "
  .. "platformVy, airTime, hits, n, follow, fly, land"
local OUTPUTS_FROM_ABOVE = "world, box, onWallX, onWallY, hits, n"
local SETTABLE = { world = WORLD, box = "box", airTime = "number >= 0", follow = "function",
  fly = "function", land = "function" }

local tests = arguments.tests

function tests.filter() return true end -- but see complaintOf

tests["number >= 0"] = function(value) return type(value) == "number" and value >= 0 end
tests[WORLD] = function(value) return type(value) == "table" or arguments.isWorld(value) end
tests[ANGLE] = function(value) return isFinite(value) and value >= 0 and value < math.pi / 2 end
tests[UP] = function(value)
  local x, y = type(value) == "table" and value[1], type(value) == "table" and value[2]
  return isFinite(x) and isFinite(y) and abs(x) + abs(y) == 1 and x * y == 0
end

-- What the world complains of the box or the filter, if it does.
local function complaintOf(world, box, filter)
  if type(filter) == "function" then filter = nil end
  local done, problem = pcall(world.touching, world, box, 0, 1, filter)
  return not done and tostring(problem):match("%((.*)%)$") or nil
end

local function check(w, name, expected, value)
  local complaint
  if expected == "filter" then
    complaint = complaintOf(w.world, w.box, value)
  elseif expected == "box" then
    complaint = complaintOf(w.world, value)
  elseif not arguments.isA(value, expected) then
    complaint = expected .. " expected, got " .. arguments.describe(value)
  end
  if complaint then
    arguments.raise(("bad field '%s' of a walker (%s)"):format(name, complaint))
  end
end

-- Takes the box that it moves, from `step`, too.
local function takeBox(w, box)
  if type(box) == "number" then box = w.world:getBox(box) end
  local done, problem = pcall(box.setGravityScale, box, 0)
  if not done then arguments.raiseAgain(problem) end
  w.box = box
end

-- Makes the metatable of a kind of walkers. A name or a value that is wrong raises an error.
local function newClass(kind, options, outputs)
  local class, methods, names = { kind = kind, options = options }, {}, {}
  local expected = {} -- what a field may be set to, by its name; false if it may not
  for i, row in ipairs(options) do
    names[i], expected[row[1]] = row[1], row[2]
  end
  for name in outputs:gmatch("%a+") do
    names[#names + 1], expected[name] = name, SETTABLE[name] or false
  end
  local function refuse(self, name)
    local hint = expected[name] == false
      and " that may be set; it has: " .. table.concat(names, ", ")
      or hints.ofWalker(name, names, methods, self[1].box)
    arguments.raise(("a walker has no field %s%s"):format(arguments.describe(name), hint))
  end
  function class.__index(self, name)
    if methods[name] then return methods[name] end
    if expected[name] == nil then refuse(self, name) end
    local w = self[1]
    -- A floor that was removed since the last walk is none, but another one may be in its place.
    if name == "onFloor" or name == "floor" then platforms.renew(w) end
    if name == "floor" then return w.onFloor and w.floor or nil end
    return w[name]
  end
  function class.__newindex(self, name, value)
    local w = self[1]
    check(w, name, expected[name] or refuse(self, name), value)
    if name == "box" then return takeBox(w, value) end
    w[name] = value
  end
  return class, methods
end

local Walker, methods = newClass("walker", OPTIONS, OUTPUTS)
local TopDown, methodsFromAbove = newClass("walker.topDown", OPTIONS_FROM_ABOVE, OUTPUTS_FROM_ABOVE)

-- Making ------------------------------------------------------------------------------------------

-- Checks the arguments, and makes a walker of a class, with all that both classes have.
local function new(class, call, world, box, opts)
  arguments.checkWorld(world, call, walker)
  local complaint = complaintOf(world, box)
  if complaint then arguments.refuse(call, 2, complaint) end
  opts = arguments.readOptions(opts, call, 3, class.options)
  complaint = complaintOf(world, box, opts.filter)
  if complaint then arguments.refuse(call, 3, "option 'filter': " .. complaint) end
  local w = { world = world, floorNear = 0, hits = {}, n = 0, rows = {}, way = {},
    tried = {}, below = {}, shape = {} }
  for _, row in ipairs(class.options) do
    w[row[1]] = opts[row[1]]
    if w[row[1]] == nil then w[row[1]] = row.usual end
  end
  takeBox(w, box)
  w.x, w.y, w.width, w.height = w.box:getRect()
  w.self = setmetatable({ w }, class)
  return w.self, w
end

--- Makes a walker, which moves a box of a 2D World. opts become fields, which may be changed at any
-- time: see types/library/broadside/walker.lua. A game may put functions in place of the fields
-- follow, fly and land, the parts of a walk. The box gets the gravityScale 0, as its fall is the
-- velocity that the game passes to walk.
function walker.new(world, box, opts)
  local self, w = new(Walker, "new", world, box, opts)
  local up = w.up or { 0, -1 }
  w.up = { up[1], up[2] }
  w.snap = w.snap or (up[1] == 0 and w.height or w.width) / 4
  for _, row in ipairs(MEMORY) do
    w[row[1]] = row.usual
  end
  w.follow, w.fly, w.land = walk.follow, walk.fly, walk.land
  w.planks, w.footing, w.corners, w.newCorners = {}, { {} }, {}, {}
  w.kept, w.landed, w.found, w.bend = {}, {}, {}, {}
  w.turned = { tried = {}, below = {}, shape = {} }
  return self
end

--- Makes a walker for a game that is seen from above: it has no floor, and slides along walls. opts
-- become fields: filter, and nudge (0: how far it is moved past a corner to the side). Fields after
-- a walk: hits, n, and onWallX, onWallY (-1, 0, 1: on which sides it has met a wall).
function walker.topDown(world, box, opts)
  local self, w = new(TopDown, "topDown", world, box, opts)
  w.onWallX, w.onWallY, w.ux, w.uy, w.least = 0, 0, 0, 0, walk.STEEP
  return self
end

-- Walking -----------------------------------------------------------------------------------------

-- The state of a walker. Raises an error if self is none, or if its box was removed.
local function stateOf(self, class, call)
  if getmetatable(self) ~= class then arguments.refuseSelf(self, call, class.kind) end
  local w = self[1]
  if w.box:isRemoved() then
    arguments.raise(("bad self to '%s' (its box was removed)"):format(call))
  elseif w.isWalking and call ~= "save" then
    arguments.raise(("bad self to '%s' (a walker that is in no walk expected)"):format(call))
  end
  return w
end

-- Takes note of `up`, which may have been changed in place.
local function readOptions(w)
  local up = w.up
  if up[1] ~= w.ux or up[2] ~= w.uy then
    check(w, "up", UP, up)
    w.ux, w.uy, w.ax, w.ay, w.onFloor = up[1], up[2], abs(up[2]), abs(up[1]), false
  end
  w.least = math.cos(w.maxSlope) - 1e-9
end

-- Raises, at the caller's line, what was wrong with the walk that has raised `problem`; an error of
-- the game's own functions as it is.
local function explain(w, problem, vx, vy, dt)
  local complaint = not w.box:isRemoved() and complaintOf(w.world, w.box, w.filter)
  if complaint then
    arguments.raise(("bad field 'filter' of a walker (%s)"):format(complaint))
  end
  for arg, speed in ipairs({ vx, vy }) do
    local isFar = not isFinite((arg == 1 and w.x or w.y) + speed * dt)
    if isFar then arguments.refuse("walk", arg, "the way in dt is not finite") end
  end
  for _, ours in ipairs({ "the filter function returned", " of the game must return", "^bad " }) do
    if tostring(problem):find(ours) then arguments.raiseAgain(problem) end
  end
  error(problem, 0)
end

-- Calls go(w, vx, vy, dt), which moves the box, and returns its two results. If that raises an
-- error, the box goes back to where platforms.readBox has found it, without floor and hits.
local function run(go, w, vx, vy, dt)
  if not (isFinite(vx) and isFinite(vy) and isFinite(dt) and dt >= 0) then
    arguments.checkNumbers("walk", 1, vx, vy)
    arguments.check(false, "walk", 3, "finite number >= 0", dt)
  end
  w.startX, w.isWalking = false, true
  local done, x, y = pcall(go, w, vx, vy, dt)
  w.isWalking = false
  if done then return x, y end
  if w.startX and not w.box:isRemoved() then
    w.x, w.y = w.startX, w.startY
    w.world:update(w.box, w.x, w.y)
  end
  w.onFloor, w.n = false, 0
  platforms.leave(w)
  lists.cut(w.hits, w.n)
  explain(w, x, vx, vy, dt)
end

--- Moves the box for dt. Velocities are in coordinates of the world, whatever direction is up.
-- Returns the velocity that remains. If a function of the game raises an error, the box is where it
-- was, and has no floor; what else has moved, such as crates, stays where it is.
function methods:walk(vx, vy, dt)
  local w = stateOf(self, Walker, "walk")
  readOptions(w)
  return run(walk.walk, w, vx, vy, dt)
end

--- Moves the box for dt, along walls where they are in its way. Returns the velocity that remains.
-- If the filter's function raises an error, the box is where it was; crates stay where they are.
function methodsFromAbove:walk(vx, vy, dt)
  return run(walk.topDown, stateOf(self, TopDown, "walk"), vx, vy, dt)
end

--- Lets go of the one-way boxes that it stands on, until it has fallen through.
function methods:drop()
  local w = stateOf(self, Walker, "drop")
  readOptions(w)
  platforms.ride(w, 0)
  if w.onFloor and platforms.drop(w) then
    w.onFloor, w.airTime = false, huge
  end
end

-- Saving ------------------------------------------------------------------------------------------

-- The names of the numbers of a list, so that no text is made for them.
local function numbered(name, n)
  local names = {}
  for i = 1, n do
    names[i] = name .. i
  end
  return names
end

-- Rows of numbers that a slot has.
local function numbers(...)
  local rows = {}
  for i, name in ipairs({ ... }) do
    rows[i] = { name, saved = NUMBER }
  end
  return rows
end

local CORNERS, PLANKS = numbered("corner", 32), numbered("plank", platforms.MOST_PLANKS)
local PLACE, FLOOR = numbers("x", "y"), numbers("floor", "floorX", "floorY", "floorW", "floorH")
local WAS = numbers("upX", "upY", "wasX", "wasY", "wasWidth", "wasHeight")

-- Copies what a slot has of rows. What there is not is false.
local function copy(rows, from, to)
  for i = 1, #rows do
    local name = rows[i][1]
    if rows[i].saved then to[name] = from[name] or false end
  end
end

-- Checks what a slot has of rows. It makes texts for errors alone: a rollback comes here in each
-- frame.
local function checkSlot(slot, rows)
  for i = 1, #rows do
    local name, expected = rows[i][1], rows[i].saved
    local value = slot[name]
    local isRight = not expected or isFinite(value) and expected ~= BOOLEAN
      or type(value) == "boolean" and expected == BOOLEAN or not value and expected == OPTIONAL
    if not isRight then
      arguments.refuse("restore", 1, ("field '%s': %s expected, got %s"):format(name,
        expected == BOOLEAN and BOOLEAN or NUMBER, arguments.describe(value)))
    end
  end
end

-- Checks a list of numbers of a slot: there is none after the first that is missing. Returns how
-- many there are.
local function checkList(slot, names)
  local n = 0
  for i = 1, #names do
    local value = slot[names[i]]
    if value and not isFinite(value) then
      arguments.check(false, "restore", 1, ("field '%s': finite number"):format(names[i]), value)
    elseif value and n < i - 1 then
      arguments.refuse("restore", 1, ("field '%s' without '%s'"):format(names[i], names[n + 1]))
    end
    n = value and i or n
  end
  return n
end

-- Checks that a slot has the saved options, and that the box is where it was then: that is all that
-- tells whether the world was restored.
local function checkPlace(w, slot, class)
  arguments.check(type(slot) == "table", "restore", 1, "table of walker:save", slot)
  checkSlot(slot, PLACE)
  checkSlot(slot, class.options)
  local x, y = w.box:getRect()
  if x ~= slot.x or y ~= slot.y then
    arguments.refuse("restore", 1, "its box is not where it was; restore the world first")
  end
end

local function checkBox(w, id)
  if not arguments.isIdIn(w.world, id) then
    arguments.refuse("restore", 1, "its floor is not in the world; restore the world first")
  end
end

-- Checks what else a slot of a walker with a floor has.
local function checkMemory(w, slot)
  checkSlot(slot, WAS)
  checkSlot(slot, MEMORY)
  local corners, planks = checkList(slot, CORNERS), checkList(slot, PLANKS)
  if abs(slot.upX) + abs(slot.upY) ~= 1 or slot.upX * slot.upY ~= 0 then
    arguments.refuse("restore", 1, "fields 'upX' and 'upY' are no direction of an axis")
  elseif corners % 2 == 1 or corners == 2 or corners == 4 then
    arguments.refuse("restore", 1, "corners of a floor: 3 points or more expected")
  end
  if slot.floor then
    checkSlot(slot, FLOOR)
    checkBox(w, slot.floor)
  end
  for i = 1, planks do
    checkBox(w, slot[PLANKS[i]])
  end
end

-- Begins to write a slot: the box's place, and options.
local function begin(w, class, slot)
  arguments.checkTable(slot, "save", 1)
  slot = slot or {}
  slot.x, slot.y = w.box:getRect()
  copy(class.options, w, slot)
  return slot
end

--- All that the next walk depends on, besides the world, the filter and functions of the game, as a
-- plain table of numbers and booleans, which is `slot` if that is given. With a snapshot of the
-- world, or its string, it goes back with its world, and may be written to a file.
function methods:save(slot)
  local w = stateOf(self, Walker, "save")
  slot = begin(w, Walker, slot)
  platforms.renew(w)
  copy(MEMORY, w, slot)
  slot.airTime = slot.airTime < huge and slot.airTime
  slot.floor = w.floorId or false
  slot.wasX, slot.wasY, slot.wasWidth, slot.wasHeight = w.x, w.y, w.width, w.height
  slot.upX, slot.upY = w.up[1], w.up[2]
  for i = 1, #CORNERS do
    slot[CORNERS[i]] = slot.floor and w.corners[i] or nil
  end
  local n = 0
  for i = 1, #PLANKS do -- those that are still in the world, without holes
    local plank = w.planks[i]
    slot[PLANKS[i]] = nil
    if plank and not plank:isRemoved() then
      n = n + 1
      slot[PLANKS[n]] = plank:getId()
    end
  end
  return slot
end

--- The walker is as it was when the slot was saved. The world has to be restored first.
function methods:restore(slot)
  local w = stateOf(self, Walker, "restore")
  checkPlace(w, slot, Walker)
  checkMemory(w, slot)
  copy(OPTIONS, slot, w)
  if w.up[1] ~= slot.upX or w.up[2] ~= slot.upY then w.up = { slot.upX, slot.upY } end
  readOptions(w)
  copy(MEMORY, slot, w)
  w.airTime = slot.airTime or huge
  for i = 1, #CORNERS do
    w.corners[i] = slot[CORNERS[i]]
  end
  for i = 1, #PLANKS do
    w.planks[i] = slot[PLANKS[i]] and w.world:getBox(slot[PLANKS[i]]) or nil
  end
  platforms.goBack(w, slot.floor)
  platforms.readBox(w)
  w.x, w.y, w.width, w.height = slot.wasX, slot.wasY, slot.wasWidth, slot.wasHeight
  w.n = 0
  lists.cut(w.hits, w.n)
end

--- The same for a walker that is seen from above.
function methodsFromAbove:save(slot)
  return begin(stateOf(self, TopDown, "save"), TopDown, slot)
end

function methodsFromAbove:restore(slot)
  local w = stateOf(self, TopDown, "restore")
  checkPlace(w, slot, TopDown)
  copy(OPTIONS_FROM_ABOVE, slot, w)
  w.n, w.onWallX, w.onWallY = 0, 0, 0
  lists.cut(w.hits, w.n)
end

return walker
