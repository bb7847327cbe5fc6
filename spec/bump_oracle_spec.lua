-- broadside.bump against bump.lua 3.1.7 itself, on random worlds: every answer must be the same, to
-- the last digit. BUMP_LUA names the file of bump.lua; without it there is nothing to compare with.
--
-- Where bump.lua leaves an order to the hashes of items, or to how table.sort treats ties, it is
-- made to go by the order of adding: it is loaded with a `pairs` and a `table.sort` of ours.

local bump = require("broadside.bump")
local compat = require("spec.support.compat")
local random = require("spec.support.random")

local source = os.getenv("BUMP_LUA")
if source == "" then
  source = nil
end

-- Items in the order of adding: the number of each one that is, or was, in the worlds.
local serials = {}

local function sortedKeys(t)
  local keys = {}
  for key in pairs(t) do
    keys[#keys + 1] = key
  end
  table.sort(keys, function(a, b)
    return (serials[a] or 0) < (serials[b] or 0)
  end)
  return keys
end

local function pairsBySerial(t)
  local keys, i = sortedKeys(t), 0
  return function()
    i = i + 1
    return keys[i], t[keys[i]]
  end
end

-- Of collisions and of what is on a segment: the item that they are about.
local function serialOf(row)
  local item = row.item
  if row.otherRect then
    item = row.other
  end
  return serials[item]
end

local function sortBySerial(list, isLess)
  table.sort(list, function(a, b)
    return isLess(a, b) or not isLess(b, a) and serialOf(a) < serialOf(b)
  end)
end

local function loadOriginal()
  local env = setmetatable({
    pairs = pairsBySerial,
    table = setmetatable({ sort = sortBySerial }, { __index = table }),
  }, { __index = _G })
  if setfenv then
    return setfenv(assert(loadfile(source)), env)()
  end
  return assert(loadfile(source, "t", env))()
end

-- Comparing -----------------------------------------------------------------------------------

-- nil, or where the two differ.
local function findDifference(a, b, where)
  if rawequal(a, b) or a ~= a and b ~= b then
    return nil
  elseif type(a) ~= "table" or type(b) ~= "table" then
    local isSame = type(a) == "number" and a == b
    return not isSame and ("%s: %s and %s"):format(where, tostring(a), tostring(b)) or nil
  end
  for key, value in pairs(a) do
    local difference = findDifference(value, b[key], where .. "." .. tostring(key))
    if difference then
      return difference
    end
  end
  for key in pairs(b) do
    if a[key] == nil then
      return where .. "." .. tostring(key) .. " is in the second one only"
    end
  end
  return nil
end

-- bump.lua walks through the cells along a segment, and may by rounding miss one with an item that
-- the segment grazes: one that it would not meet if it were smaller by this on each side.
local GRAZE = 1e-6

local function itemOf(row)
  if type(row) == "table" and row.ti1 then
    return row.item
  end
  return row
end

-- Takes such items out of our answer where theirs has not found them.
local function takeOutMissed(original, theirs, ours, rectOf, segment)
  local isTheirs, kept = {}, {}
  for _, row in ipairs(theirs[1]) do
    isTheirs[itemOf(row)] = true
  end
  for _, row in ipairs(ours[1]) do
    local x, y, w, h = rectOf(itemOf(row))
    if isTheirs[itemOf(row)] or original.rect.getSegmentIntersectionIndices(x + GRAZE, y + GRAZE,
      w - 2 * GRAZE, h - 2 * GRAZE, compat.unpack(segment)) then
      kept[#kept + 1] = row
    end
  end
  ours[1], ours[2] = kept, #kept
end

-- Worlds --------------------------------------------------------------------------------------

local kinds = {
  integers = function(rng)
    return rng:int(-8, 8), rng:int(1, 5)
  end,
  halves = function(rng)
    return rng:int(-40, 40) / 2, rng:int(1, 20) / 2
  end,
  tenths = function(rng)
    return rng:int(-60, 60) * 0.1, rng:int(1, 30) * 0.1
  end,
  thirds = function(rng)
    return rng:int(-60, 60) / 3, rng:int(1, 30) / 3
  end,
  tiles = function(rng)
    return rng:int(-3, 6) * 16, rng:pick({ 16, 16, 16, 12.3, 32 })
  end,
  doubles = function(rng)
    return rng:real(-60, 60), rng:real(0.5, 40)
  end,
  ["far away"] = function(rng)
    return 1e6 + rng:real(-60, 60), rng:real(0.5, 40)
  end,
  ["very far away"] = function(rng)
    return -1e8 + rng:int(-60, 60) * 0.37, rng:int(1, 40) * 0.37
  end,
}

local RESPONSES = { "slide", "slide", "touch", "bounce", "cross", "ledge", "twice", false }

-- Responses of a game: one that uses others, and one that looks at more than the first collision.
local function addResponses(library, world)
  world:addResponse("ledge", function(w, col, ...)
    local respond = library.responses[col.normal.y < 0 and "slide" or "cross"]
    return respond(w, col, ...)
  end)
  world:addResponse("twice", function(w, col, x, y, width, height, goalX, goalY, filter)
    local cols, len = w:project(col.item, x, y, width, height, goalX, goalY, filter)
    return goalX, goalY, { cols[2] or cols[1] }, math.min(len, 1)
  end)
end

local Trial = {}
Trial.__index = Trial

local function newTrial(original, seed)
  local rng = random.new(seed)
  local names = {}
  for name in pairs(kinds) do
    names[#names + 1] = name
  end
  table.sort(names)
  local kind = names[1 + seed % #names]
  local size = rng:pick({ 64, 64, 16, 10, 1, 0.7, 3 })
  local self = setmetatable({
    rng = rng, kind = kinds[kind], items = {}, original = original,
    name = ("seed %d, %s, cells of %g"):format(seed, kind, size),
    theirs = original.newWorld(size), ours = bump.newWorld(size),
  }, Trial)
  addResponses(original, self.theirs)
  addResponses(bump, self.ours)
  return self
end

-- Calls both; errors must come from both. Returns what they return, if they do.
function Trial:call(name, ...)
  local theirs = compat.pack(pcall(self.theirs[name], self.theirs, ...))
  local ours = compat.pack(pcall(self.ours[name], self.ours, ...))
  if theirs[1] ~= ours[1] then
    self:fail(tostring(theirs[2]) .. " and " .. tostring(ours[2]), name, ...)
  elseif theirs[1] then
    table.remove(theirs, 1)
    table.remove(ours, 1)
    return theirs, ours
  end
end

function Trial:fail(what, name, ...)
  local args = { ... }
  for i = 1, select("#", ...) do
    args[i] = type(args[i]) == "number" and ("%.17g"):format(args[i]) or tostring(args[i])
  end
  error(("%s: %s(%s): %s"):format(self.name, name, table.concat(args, ", "), what), 0)
end

function Trial:expectSame(theirs, ours, name, ...)
  local difference = findDifference(theirs, ours, "answer")
  if difference then
    self:fail(difference, name, ...)
  end
end

function Trial:compare(name, ...)
  local theirs, ours = self:call(name, ...)
  self:expectSame(theirs, ours, name, ...)
end

function Trial:coord()
  -- The side of an item, in a third of cases, for things to touch.
  if #self.items > 0 and self.rng:chance(0.3) then
    local x, y, w, h = self.ours:getRect(self.rng:pick(self.items))
    return self.rng:pick({ x, y, x + w, y + h, x - w, y - h })
  end
  return (self.kind(self.rng))
end

function Trial:size()
  return (select(2, self.kind(self.rng)))
end

local made = 0

function Trial:newItem()
  made = made + 1
  local name, number = "item " .. made, made
  return self.rng:pick({ name, number, number + 0.5, { name }, function() return name end })
end

function Trial:filter()
  local answers, offset = {}, self.rng:int(0, 1000)
  if self.rng:chance(0.4) then
    return nil
  elseif self.rng:chance(0.5) then
    local only = self.rng:pick(RESPONSES)
    return function()
      return only
    end
  end
  return function(_, other)
    answers[other] = answers[other]
      or RESPONSES[1 + (serials[other] * 7 + offset) % #RESPONSES]
    return answers[other]
  end
end

function Trial:itemFilter()
  if self.rng:chance(0.6) then
    return nil
  end
  return function(item)
    return serials[item] % 3 ~= 0
  end
end

local ops = {}

function ops:add()
  local item = self:newItem()
  serials[item] = made
  self:compare("add", item, self:coord(), self:coord(), self:size(), self:size())
  table.insert(self.items, item)
end

function ops:remove()
  local i = self.rng:int(1, #self.items)
  self:compare("remove", table.remove(self.items, math.floor(i)))
end

function ops:update()
  local item = self.rng:pick(self.items)
  if self.rng:chance(0.5) then
    self:compare("update", item, self:coord(), self:coord())
  else
    self:compare("update", item, self:coord(), self:coord(), self:size(), self:size())
  end
end

function Trial:goal(item)
  local x, y = self.ours:getRect(item)
  local goalX, goalY = self:coord(), self:coord()
  if self.rng:chance(0.2) then
    goalX = x
  elseif self.rng:chance(0.2) then
    goalY = y
  end
  return goalX, goalY
end

function ops:move()
  local item = self.rng:pick(self.items)
  local goalX, goalY = self:goal(item)
  self:compare("move", item, goalX, goalY, self:filter())
  self:compare("getRect", item)
end

function ops:check()
  local item = self.rng:pick(self.items)
  local goalX, goalY = self:goal(item)
  if self.rng:chance(0.2) then
    goalX, goalY = nil, nil
  end
  self:compare("check", item, goalX, goalY, self:filter())
end

function ops:project()
  local item = self.rng:pick({ self.rng:pick(self.items), "nobody", nil })
  self:compare("project", item, self:coord(), self:coord(), self:size(), self:size(),
    self:coord(), self:coord(), self:filter())
  self:compare("project", item, self:coord(), self:coord(), self:size(), self:size())
end

function ops:queryRect()
  self:compare("queryRect", self:coord(), self:coord(), self:size(), self:size(),
    self:itemFilter())
end

function ops:queryPoint()
  self:compare("queryPoint", self:coord(), self:coord(), self:itemFilter())
end

function ops:querySegment()
  local segment = { self:coord(), self:coord(), self:coord(), self:coord() }
  local filter = self:itemFilter()
  for _, name in ipairs({ "querySegment", "querySegmentWithCoords" }) do
    local theirs, ours = self:call(name, compat.values(segment, filter))
    takeOutMissed(self.original, theirs, ours, function(item)
      return self.ours:getRect(item)
    end, segment)
    self:expectSame(theirs, ours, name, compat.unpack(segment))
  end
end

function ops:count()
  self:compare("getItems")
  self:compare("countItems")
  self:compare("hasItem", self.rng:pick(self.items))
  self:compare("toCell", self:coord(), self:coord())
  self:compare("toWorld", self.rng:int(-5, 5), self.rng:int(-5, 5))
end

function ops:countCells()
  collectgarbage()
  collectgarbage()
  self:compare("countCells")
end

local WEIGHTS = {
  { 3, "add" }, { 1, "remove" }, { 2, "update" }, { 12, "move" }, { 4, "check" }, { 4, "project" },
  { 3, "queryRect" }, { 2, "queryPoint" }, { 4, "querySegment" }, { 0.5, "count" },
  { 0.05, "countCells" },
}

local function run(original, seed)
  local trial = newTrial(original, seed)
  for _ = 1, 3 + seed % 20 do
    ops.add(trial)
  end
  for _ = 1, 60 do
    local name = trial.rng:weighted(WEIGHTS)
    if #trial.items > 1 or name == "add" then
      ops[name](trial)
    end
  end
end

describe("broadside.bump answers as bump.lua does", function()
  it("to random calls in random worlds", function()
    if not source then
      pending("BUMP_LUA names no bump.lua")
      return
    end
    local original = loadOriginal()
    for _, seed in ipairs(random.seeds(400)) do
      run(original, seed)
    end
  end)
end)
