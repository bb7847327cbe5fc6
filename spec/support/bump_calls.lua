-- Random calls of bump.lua's API in random worlds: the same calls for each library that gives the
-- same answers. bump_recorded_spec.lua compares the answers with recorded ones,
-- bump_oracle_spec.lua with those of bump.lua itself.
--
-- doc/from-bump.md says where broadside.bump differs on purpose. Such calls are not made here:
-- * all numbers are below 1e9, and no motion is so small that it cannot be divided by;
-- * a filter's answer depends on the items alone, and it is not recorded which items it gets;
-- * empty cells are collected before cells are counted;
-- * of an error it is only recorded that there is one;
-- * answers about a segment leave out items that it grazes where cells meet.

local answers = require("spec.support.bump_answers")
local compat = require("spec.support.compat")
local random = require("spec.support.random")

-- LuaJIT would compile these calls again and again, for seconds. It still compiles the library.
if compat.isLuaJIT then
  jit.off(true, true)
end

local bumpCalls = {}

-- Items ---------------------------------------------------------------------------------------

-- The number of each item in the order of adding, also of removed items.
local serials = {}

--- The number of an item of the present calls, or nil.
function bumpCalls.serialOf(item)
  return serials[item]
end

function bumpCalls.forgetItems()
  serials = {}
end

-- Numbers can be items. These numbers are no coordinates.
local FIRST_NUMBER = 7e7

-- Worlds --------------------------------------------------------------------------------------

-- Each makes a coordinate and a size for a world with cells of that size.
local kinds = {
  { name = "integers", make = function(rng)
    return rng:int(-8, 8), rng:int(1, 5)
  end },
  { name = "whole numbers", make = function(rng) -- integers, if this Lua has them
    return math.floor(rng:int(-30, 30)), math.floor(rng:int(1, 16))
  end },
  { name = "halves", make = function(rng)
    return rng:int(-40, 40) / 2, rng:int(1, 20) / 2
  end },
  { name = "tenths", make = function(rng)
    return rng:int(-60, 60) * 0.1, rng:int(1, 30) * 0.1
  end },
  { name = "thirds", make = function(rng)
    return rng:int(-60, 60) / 3, rng:int(1, 30) / 3
  end },
  { name = "tiles", make = function(rng)
    return rng:int(-3, 6) * 16, rng:pick({ 16, 16, 16, 12.3, 32 })
  end },
  { name = "doubles", make = function(rng)
    return rng:real(-60, 60), rng:real(0.5, 40)
  end },
  { name = "far away", make = function(rng)
    return 1e6 + rng:real(-60, 60), rng:real(0.5, 40)
  end },
  { name = "very far away", make = function(rng)
    return -1e8 + rng:int(-60, 60) * 0.37, rng:int(1, 40) * 0.37
  end },
  { name = "tenths of cells", make = function(rng, size) -- where they end, up to a rounding error
    return rng:int(-40, 40) * 0.1 * size, rng:int(1, 20) * 0.1 * size
  end },
}

local CELLS = { 64, 64, 16, 10, 1, 0.7, 3 }

local RESPONSES = {
  "slide", "slide", "touch", "bounce", "cross", "ledge", "twice", "back", "glide", false,
}

-- Responses of a game: one that uses others, one that looks at more than the first collision, one
-- that depends on where the motion began, and another name for a built-in one.
local function addResponses(library, world)
  world:addResponse("ledge", function(w, col, ...)
    local respond = library.responses[col.normal.y < 0 and "slide" or "cross"]
    return respond(w, col, ...)
  end)
  world:addResponse("twice", function(w, col, x, y, width, height, goalX, goalY, filter)
    local cols, len = w:project(col.item, x, y, width, height, goalX, goalY, filter)
    return goalX, goalY, { cols[2] or cols[1] }, math.min(len, 1)
  end)
  world:addResponse("back", function(_, _, x, y) return x, y, {}, 0 end)
  world:addResponse("glide", library.responses.slide)
end

-- Grazes --------------------------------------------------------------------------------------
-- bump.lua walks through the cells along a segment. By rounding it may miss a cell with an item
-- that the segment only grazes, which means that it would miss the item if that were smaller by
-- this on each side.

local GRAZE = 1e-6

-- The times between which a point that moves from `from` by `by` is between lo and hi.
local function timesBetween(lo, hi, from, by)
  if by == 0 then
    local isBetween = lo <= from and from <= hi
    return isBetween and -math.huge or 1, isBetween and math.huge or 0
  end
  local t1, t2 = (lo - from) / by, (hi - from) / by
  return math.min(t1, t2), math.max(t1, t2)
end

-- When a segment is in a rectangle that is larger by `more` on each side; or nil.
local function timesIn(segment, more, x, y, w, h)
  local x1, y1, x2, y2 = compat.unpack(segment)
  local inX, outX = timesBetween(x - more, x + w + more, x1, x2 - x1)
  local inY, outY = timesBetween(y - more, y + h + more, y1, y2 - y1)
  local t1, t2 = math.max(inX, inY, 0), math.min(outX, outY, 1)
  if t1 <= t2 then
    return t1, t2
  end
end

-- Whether a coordinate is at the border of two cells.
local function isBetweenCells(size, at)
  local cell = math.floor(at / size + 0.5)
  return math.abs(at - cell * size) < 4 * GRAZE
end

local function grazesBetweenCells(segment, size, ...)
  local t1, t2 = timesIn(segment, GRAZE, ...)
  if not t1 or timesIn(segment, -GRAZE, ...) then
    return false
  end
  local x1, y1, x2, y2 = compat.unpack(segment)
  for _, t in ipairs({ t1, t2 }) do
    if isBetweenCells(size, x1 + (x2 - x1) * t) or isBetweenCells(size, y1 + (y2 - y1) * t) then
      return true
    end
  end
  return false
end

-- Calls ---------------------------------------------------------------------------------------

local Trial = {}
Trial.__index = Trial

local function newTrial(library, seed, opts)
  local rng = random.new(seed)
  local kind = kinds[1 + seed % #kinds]
  local size = rng:pick(CELLS)
  local world = library.newWorld(size, opts)
  addResponses(library, world)
  bumpCalls.forgetItems()
  return setmetatable({
    rng = rng, kind = kind.make, size = size, library = library, world = world, items = {},
    rows = {}, made = 0, name = ("seed %d, %s, cells of %g"):format(seed, kind.name, size),
  }, Trial)
end

-- Notes the results of a call, or that it has raised an error. `change` may alter them before.
function Trial:note(change, name, isFine, ...)
  local answer = compat.pack(...)
  if isFine and change then
    change(answer)
  end
  self.rows[#self.rows + 1] = {
    call = name,
    full = isFine and answers.full(answer, bumpCalls.serialOf) or "error",
  }
  return compat.unpack(answer, 1, isFine and answer.n or 0)
end

local function describe(name, ...)
  return ("%s(%s)"):format(name, answers.full(compat.pack(...), bumpCalls.serialOf))
end

-- Calls a method of the world.
function Trial:ask(name, ...)
  return self:note(nil, describe(name, ...), pcall(self.world[name], self.world, ...))
end

function Trial:askFunction(name, f, ...)
  return self:note(nil, describe(name, ...), pcall(f, ...))
end

function Trial:coord()
  -- In a third of cases it is the side of an item, so that things touch.
  if #self.items > 0 and self.rng:chance(0.3) then
    local x, y, w, h = self.world:getRect(self.rng:pick(self.items))
    return self.rng:pick({ x, y, x + w, y + h, x - w, y - h })
  end
  return (self.kind(self.rng, self.size))
end

function Trial:extent()
  return (select(2, self.kind(self.rng, self.size)))
end

-- A place, or a place and a size, followed by any other values.
function Trial:place(...)
  return self:coord(), self:coord(), ...
end

function Trial:rect(...)
  return compat.values({ self:coord(), self:coord(), self:extent(), self:extent() }, ...)
end

function Trial:newItem()
  self.made = self.made + 1
  local name, number = "item " .. self.made, FIRST_NUMBER + self.made
  local item = self.rng:pick({
    name, number, number + 0.5, { name }, function() return name end,
  })
  serials[item] = self.made
  return item
end

function Trial:pickItem()
  return self.rng:pick(self.items)
end

-- A filter for `item`: none, one with a constant answer, or one with an answer for each other item.
function Trial:filter(item)
  local offset = self.rng:int(0, 1000)
  if self.rng:chance(0.4) then
    return nil
  end
  local only = self.rng:chance(0.5) and { self.rng:pick(RESPONSES) }
  return function(mover, other)
    assert(rawequal(mover, item), "the item is another one")
    if only then
      return only[1]
    end
    return RESPONSES[1 + math.floor((serials[other] * 7 + offset) % #RESPONSES)]
  end
end

function Trial:itemFilter()
  if self.rng:chance(0.6) then
    return nil
  end
  return function(item) return serials[item] % 3 ~= 0 end
end

-- A goal for x, y: sometimes along one axis, or at the same place, or without a coordinate.
function Trial:goal(x, y)
  local goalX, goalY = self:place()
  if self.rng:chance(0.2) then
    goalX = x
  elseif self.rng:chance(0.2) then
    goalY = y
  end
  if self.rng:chance(0.1) then
    goalX = nil
  end
  if self.rng:chance(0.1) then
    goalY = nil
  end
  if self.rng:chance(0.1) then
    return x, y
  elseif self.rng:chance(0.1) then
    return nil
  end
  return goalX, goalY
end

-- Operations ----------------------------------------------------------------------------------

local ops = {}

function ops:add()
  local x, y, w, h = self:rect()
  local item = self:newItem()
  self:ask("add", item, x, y, w, h)
  table.insert(self.items, item)
end

function ops:remove()
  self:ask("remove", table.remove(self.items, math.floor(self.rng:int(1, #self.items))))
end

function ops:update()
  local x, y, w, h = self:rect()
  local form = self.rng:int(1, 4)
  self:ask("update", self:pickItem(), x, y, form < 3 and w or nil, form % 2 == 1 and h or nil)
end

function ops:move()
  local item = self:pickItem()
  local x, y = self.world:getRect(item)
  local goalX, goalY = self:goal(x, y)
  if self.rng:chance(0.8) then -- without a goal most moves are errors
    goalX, goalY = goalX or x, goalY or y
  end
  self:ask("move", item, goalX, goalY, self:filter(item))
  self:ask("getRect", item)
end

function ops:check()
  local item = self:pickItem()
  local goalX, goalY = self:goal(self.world:getRect(item))
  self:ask("check", item, goalX, goalY, self:filter(item))
end

-- A rectangle on a way of its own: of an item, of a stranger, or of nobody.
function Trial:way()
  local item = self.rng:pick({ self:pickItem(), "nobody", false })
  if item == false then
    item = nil
  end
  local x, y, w, h = self:rect()
  local goalX, goalY = self:goal(x, y)
  return item, x, y, w, h, goalX, goalY, self:filter(item)
end

function ops:project()
  self:ask("project", self:way())
end

-- Calls the responses with a collision, as responses of a game do.
function ops:respond()
  local item, x, y, w, h, goalX, goalY, filter = self:way()
  local cols = self:ask("project", item, x, y, w, h, goalX, goalY, filter)
  if cols and cols[1] then
    local name = self.rng:pick({ "slide", "touch", "bounce", "cross" })
    self:askFunction("responses." .. name, self.library.responses[name], self.world, cols[1], x,
      y, w, h, goalX, goalY, filter)
    self:note(nil, "the collision after that", true, cols[1])
  end
end

function ops:queryRect()
  self:ask("queryRect", self:rect(self:itemFilter()))
end

-- A point in or at an item.
function ops:queryPoint()
  local x, y, w, h = self.world:getRect(self:pickItem())
  local px, py = self.rng:pick({ x, x + w, x + w / 2 }), self.rng:pick({ y, y + h, y + h / 2 })
  if self.rng:chance(0.3) then
    px = self:coord()
  end
  px, py = px + self.rng:int(-1, 1) * 5e-11, py + self.rng:int(-1, 1) * 5e-11
  self:ask("queryPoint", px, py, self:itemFilter())
end

-- Removes items that a segment grazes where cells meet from its answer: a list and its length.
function Trial:leaveOutGrazed(segment, answer)
  local kept = {}
  for _, row in ipairs(answer[1]) do
    local item = row
    if type(row) == "table" and row.ti1 then
      item = row.item
    end
    if not grazesBetweenCells(segment, self.size, self.world:getRect(item)) then
      kept[#kept + 1] = row
    end
  end
  assert(#answer[1] == answer[2], "the length of the list is another one")
  answer[1], answer[2] = kept, #kept
end

function ops:querySegment()
  local segment = { self:coord(), self:coord(), self:coord(), self:coord() }
  if self.rng:chance(0.2) then
    local axis = math.floor(self.rng:int(1, 2))
    segment[axis + 2] = segment[axis]
  end
  if self.rng:chance(0.3) then -- from inside an item
    local x, y, w, h = self.world:getRect(self:pickItem())
    segment[1], segment[2] = x + w / 2, y + h / 2
  end
  local filter = self:itemFilter()
  local name = self.rng:pick({ "querySegment", "querySegmentWithCoords" })
  self:note(function(answer)
    self:leaveOutGrazed(segment, answer)
  end, describe(name, compat.unpack(segment)),
    pcall(self.world[name], self.world, compat.values(segment, filter)))
end

function ops:count()
  self:ask("getItems")
  self:ask("countItems")
  self:ask("hasItem", self:pickItem())
  self:ask("hasItem", "nobody")
  self:ask("toCell", self:place())
  self:ask("toWorld", self.rng:int(-5, 5), self.rng:int(-5, 5))
end

function ops:countCells()
  collectgarbage()
  collectgarbage()
  self:ask("countCells")
end

-- Calls of the functions of rectangles, by name.
local rects = {}

function rects:getNearestCorner()
  return self:rect(self:place())
end

function rects:getSegmentIntersectionIndices()
  local x1, y1, x2, y2 = compat.unpack({ self:coord(), self:coord(), self:coord(), self:coord() })
  local limits = self.rng:pick({ {}, { -math.huge, math.huge }, { 0, 1 }, { 0.25, 0.5 } })
  if self.rng:chance(0.2) then
    y1 = y2
  end
  return self:rect(x1, y1, x2, y2, limits[1], limits[2])
end

-- Two rectangles, which touch in some cases.
function rects:getDiff()
  local x1, y1, w1, h1 = self:rect()
  local x2, y2, w2, h2 = self:rect()
  x2 = self.rng:pick({ x2, x1, x1 + w1, x1 - w2 })
  y2 = self.rng:pick({ y2, y1, y1 + h1, y1 - h2 })
  return x1, y1, w1, h1, x2, y2, w2, h2
end

rects.isIntersecting, rects.getSquareDistance = rects.getDiff, rects.getDiff

function rects:containsPoint()
  return self:rect(self:place())
end

function rects:detectCollision()
  local other = { self:rect() }
  local x, y, w, h = self:rect()
  local goalX, goalY = self:goal(x, y)
  return compat.values({ x, y, w, h }, compat.values(other, goalX, goalY))
end

local RECTS = {
  { 1, "getNearestCorner" }, { 4, "getSegmentIntersectionIndices" }, { 0.5, "getDiff" },
  { 1, "containsPoint" }, { 2, "isIntersecting" }, { 0.5, "getSquareDistance" },
  { 3, "detectCollision" },
}

function ops:rect()
  local name = self.rng:weighted(RECTS)
  self:askFunction("rect." .. name, self.library.rect[name], rects[name](self))
end

-- Calls that bump.lua refuses.
local refusals = {
  function(self) self:ask("add", self:pickItem(), self:rect()) end,
  function(self) self:ask("add", "nobody", self:place(0, 1)) end,
  function(self) self:ask("add", "nobody", self:place(1, -1)) end,
  function(self) self:ask("add", "nobody", self:place()) end,
  function(self) self:ask("add", "nobody", "1", 1, 1, 1) end,
  function(self) self:ask("remove", "nobody") end,
  function(self) self:ask("update", "nobody", self:rect()) end,
  function(self) self:ask("update", self:pickItem()) end,
  function(self) self:ask("update", self:pickItem(), self:place(0)) end,
  function(self) self:ask("move", "nobody", self:place()) end,
  function(self) self:ask("check", "nobody", self:place()) end,
  function(self) self:ask("check", nil, self:place()) end,
  function(self) self:ask("project", self:pickItem()) end,
  function(self) self:ask("project", self:pickItem(), self:place(-1, 1)) end,
  function(self) self:ask("queryRect", self:place(1, 0)) end,
  function(self) self:ask("queryPoint", 0) end,
  function(self) self:ask("querySegment", 0, 0, 1) end,
  function(self) self:ask("getRect", "nobody") end,
  function(self) self:ask("getRect") end,
  function(self) self:askFunction("newWorld", self.library.newWorld, 0) end,
  function(self) self:askFunction("newWorld", self.library.newWorld, "64") end,
  -- This one only fails if something is hit.
  function(self)
    self:ask("move", self:pickItem(), compat.values({ self:coord(), self:coord() }, function()
      return "swim"
    end))
  end,
}

function ops:refusal()
  self.rng:pick(refusals)(self)
end

local WEIGHTS = {
  { 3, "add" }, { 1, "remove" }, { 2, "update" }, { 12, "move" }, { 5, "check" }, { 4, "project" },
  { 2, "respond" }, { 3, "queryRect" }, { 2, "queryPoint" }, { 4, "querySegment" },
  { 0.5, "count" }, { 0.05, "countCells" }, { 6, "rect" }, { 1, "refusal" },
}

--- Makes the calls of a seed, in a world with these options. Returns a row of texts for each call:
-- `call`, and the answer in `full`; and a description of the world.
function bumpCalls.run(library, seed, opts)
  local trial = newTrial(library, seed, opts)
  for _ = 1, 3 + seed % 20 do
    ops.add(trial)
  end
  for _ = 1, 60 do
    local name = trial.rng:weighted(WEIGHTS)
    if #trial.items > 1 or name == "add" then
      ops[name](trial)
    end
  end
  return trial.rows, trial.name
end

return bumpCalls
