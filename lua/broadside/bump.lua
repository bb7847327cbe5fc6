--- bump.lua's API on a world of Broadside, for games that were written for bump.lua 3.1.7.
--
-- Names, arguments, results and the fields of collisions are those of bump.lua by Enrique García
-- Cota (MIT license, https://github.com/kikito/bump.lua), even where they are surprising. A world
-- in C finds what is near. Whether and when boxes collide is computed here, as bump.lua does it,
-- to the last digit. Where bump.lua leaves an order to the hashes of items, this module takes the
-- order in which they were added. A filter of `move`, `check` and `project` is asked only about
-- items that would be hit, not about all that are near. Numbers with which bump.lua never returns,
-- such as NaN and infinity, are errors. doc/from-bump.md says what to write without this module,
-- and what that gains.

-- The folder can have any name: "lib.broadside.bump" requires "lib.broadside".
local folder = ((...) or ""):match("^(.+)[./\\]") or "broadside"
local arguments = require(folder .. ".support.arguments")
local broadside = require(folder)
local fields = require(folder .. ".support.fields")

local check = arguments.check
local abs, ceil, floor, max, min = math.abs, math.ceil, math.floor, math.max, math.min
local HUGE = math.huge

local bump = {
  _VERSION = "bump v3.1.7",
  _URL = "doc/from-bump.md in Broadside's repository",
  _DESCRIPTION = "bump.lua's calls on a world of Broadside",
  _LICENSE = "MIT",
}

-- Overlaps no larger than this, or no longer than this part of a motion, count as touches.
local EPSILON = 1e-10

-- Coordinates and sizes must be below this, so that sums of a few of them stay finite.
local LIMIT = 1e300

-- The query for what is near is larger by this part of the numbers involved. That is some roundings
-- more than those by which bump.lua's arithmetic may take a gap for a touch.
local SLACK = 2 ^ -46

-- Arguments ---------------------------------------------------------------------------------------

-- All worlds. Each method looks up its self here, which is cheaper than calling a function.
local isWorld = setmetatable({}, { __mode = "k" })

-- For a self that is not in `isWorld` yet. Tables that inherit from a world have its fields.
local function checkSelf(self, call)
  local canBeRead, boxes, rects = pcall(function()
    return self.boxes, self.rects
  end)
  if not (canBeRead and type(boxes) == "userdata" and type(rects) == "table") then
    arguments.refuseSelf(self, call, "World")
  end
  isWorld[self] = true
end

local function isUsable(value)
  return type(value) == "number" and value > -LIMIT and value < LIMIT
end

-- Checks two coordinates, the first of which is argument `arg`.
local function checkPoint(call, arg, x, y)
  if not (isUsable(x) and isUsable(y)) then
    check(isUsable(x), call, arg, "finite number", x)
    check(false, call, arg + 1, "finite number", y)
  end
end

-- Checks a goal, whose coordinates may each be left out.
local function checkGoal(call, arg, goalX, goalY)
  if not (isUsable(goalX) and isUsable(goalY)) then
    check(goalX == nil or isUsable(goalX), call, arg, "finite number", goalX)
    check(goalY == nil or isUsable(goalY), call, arg + 1, "finite number", goalY)
  end
end

local function checkSize(call, arg, w, h)
  if not (isUsable(w) and w > 0 and isUsable(h) and h > 0) then
    check(isUsable(w) and w > 0, call, arg, "finite size > 0", w)
    check(false, call, arg + 1, "finite size > 0", h)
  end
end

-- Checks a filter: something that can be called, or false or nil for none.
local function checkFilter(call, arg, filter)
  if filter and type(filter) ~= "function" then
    local meta = arguments.metatableOf(filter)
    check(type(meta) == "table" and rawget(meta, "__call"), call, arg, "filter function", filter)
  end
end

-- For an item, argument 1, that is not in `rects`.
local function refuseItem(call, item)
  arguments.refuse(call, 1, ("%s is not in this world"):format(tostring(item)))
end

-- Rectangles --------------------------------------------------------------------------------------

local function nearer(p, a, b)
  return abs(a - p) < abs(b - p) and a or b
end

local function getNearestCorner(x, y, w, h, px, py)
  return nearer(px, x, x + w), nearer(py, y, y + h)
end

-- The Minkowski difference: the second rectangle, grown by the first and seen from its corner. The
-- two overlap if it contains the origin, and hit each other if a motion from the origin enters it.
local function getDiff(x1, y1, w1, h1, x2, y2, w2, h2)
  return x2 - x1 - w1, y2 - y1 - h1, w1 + w2, h1 + h2
end

local function containsPoint(x, y, w, h, px, py)
  return px - x > EPSILON and x + w - px > EPSILON
    and py - y > EPSILON and y + h - py > EPSILON
end

local function isIntersecting(x1, y1, w1, h1, x2, y2, w2, h2)
  return x2 < x1 + w1 and x1 < x2 + w2 and y2 < y1 + h1 and y1 < y2 + h2
end

local function getSquareDistance(x1, y1, w1, h1, x2, y2, w2, h2)
  local dx, dy = x1 - x2 + (w1 - w2) / 2, y1 - y2 + (h1 - h2) / 2
  return dx * dx + dy * dy
end

-- Reduces the times from t1 to t2 to those at which a point that moves from `from` by `by` is
-- between lo and hi. This is one axis of Liang and Barsky's algorithm. Also returns the side by
-- which the point enters and the one by which it leaves (-1: lo, 1: hi), or 0 for a time that was
-- not changed. Returns nil if no time is left.
local function clip(lo, hi, from, by, t1, t2)
  if by == 0 then
    if from - lo <= 0 or hi - from <= 0 then return nil end
    return t1, t2, 0, 0
  end
  local enter, leave, side = (from - lo) / -by, (hi - from) / by, -1
  if by < 0 then enter, leave, side = leave, enter, 1 end
  if enter > t2 or leave < t1 or leave < enter then return nil end
  local sideIn, sideOut = 0, 0
  if enter > t1 then t1, sideIn = enter, side end
  if leave < t2 then t2, sideOut = leave, -side end
  return t1, t2, sideIn, sideOut
end

-- The times at which a segment enters and leaves, and the normals there; or nil.
local function getSegmentIntersectionIndices(x, y, w, h, x1, y1, x2, y2, ti1, ti2)
  local nx1, nx2, ny1, ny2
  ti1, ti2, nx1, nx2 = clip(x, x + w, x1, x2 - x1, ti1 or 0, ti2 or 1)
  if not ti1 then return nil end
  ti1, ti2, ny1, ny2 = clip(y, y + h, y1, y2 - y1, ti1, ti2)
  if not ti1 then return nil end
  return ti1, ti2, ny1 == 0 and nx1 or 0, ny1, ny2 == 0 and nx2 or 0, ny2
end

-- The time at which a rectangle that moves by dx, dy hits another. If the two overlap already:
-- minus the size of the overlap, and true. Or nil. It has few branches, for LuaJIT's sake.
local function findTime(x1, y1, w1, h1, x2, y2, w2, h2, dx, dy)
  local x, y, w, h = getDiff(x1, y1, w1, h1, x2, y2, w2, h2)
  if containsPoint(x, y, w, h, 0, 0) then
    local px, py = getNearestCorner(x, y, w, h, 0, 0)
    return -min(w1, abs(px)) * min(h1, abs(py)), true
  end
  local enter, leave = -HUGE, HUGE
  if dx ~= 0 then
    local near, far = (0 - x) / -dx, (x + w) / dx
    enter, leave = min(near, far), max(near, far)
  elseif x >= 0 or x + w <= 0 then
    return nil
  end
  if dy ~= 0 then
    local near, far = (0 - y) / -dy, (y + h) / dy
    enter, leave = max(enter, min(near, far)), min(leave, max(near, far))
  elseif y >= 0 or y + h <= 0 then
    return nil
  end
  if enter < 1 and enter + EPSILON > 0 and leave - enter >= EPSILON then return enter, false end
  return nil
end

local function sign(v)
  return v > 0 and 1 or v < 0 and -1 or 0
end

-- Where one of two overlapping rectangles with this difference (getDiff) must go to touch the
-- other: back along its motion as far as needed, or, without a motion, out by the least push.
-- Returns a displacement and the normal.
local function findWayOut(dx, dy, x, y, w, h)
  if dx ~= 0 or dy ~= 0 then
    local ti, _, nx, ny = getSegmentIntersectionIndices(x, y, w, h, 0, 0, dx, dy, -HUGE, 1)
    if ti and ti > -HUGE then -- a motion that is too small to divide by counts as none
      return dx * ti, dy * ti, nx, ny
    end
  end
  local px, py = getNearestCorner(x, y, w, h, 0, 0)
  if abs(px) < abs(py) then
    py = 0
  else
    px = 0
  end
  return px, py, sign(px), sign(py)
end

-- The collision of a rectangle, which moves to a goal, with another one; or nil.
local function detectCollision(x1, y1, w1, h1, x2, y2, w2, h2, goalX, goalY)
  local dx, dy = (goalX or x1) - x1, (goalY or y1) - y1
  local ti, overlaps = findTime(x1, y1, w1, h1, x2, y2, w2, h2, dx, dy)
  if not ti then return nil end
  local x, y, w, h = getDiff(x1, y1, w1, h1, x2, y2, w2, h2)
  local outX, outY, nx, ny, _
  if overlaps then
    outX, outY, nx, ny = findWayOut(dx, dy, x, y, w, h)
  else
    _, _, nx, ny = getSegmentIntersectionIndices(x, y, w, h, 0, 0, dx, dy, -HUGE, HUGE)
    outX, outY = dx * ti, dy * ti
  end
  return {
    overlaps = overlaps,
    ti = ti,
    move = { x = dx, y = dy },
    normal = { x = nx, y = ny },
    touch = { x = x1 + outX, y = y1 + outY },
    itemRect = { x = x1, y = y1, w = w1, h = h1 },
    otherRect = { x = x2, y = y2, w = w2, h = h2 },
  }
end

--- The functions of rectangles that bump.lua has.
bump.rect = {
  getNearestCorner = getNearestCorner,
  getSegmentIntersectionIndices = getSegmentIntersectionIndices,
  getDiff = getDiff,
  containsPoint = containsPoint,
  isIntersecting = isIntersecting,
  getSquareDistance = getSquareDistance,
  detectCollision = detectCollision,
}

-- Cells -------------------------------------------------------------------------------------------

-- The cells that a rectangle covers, counted from 0: the first, and the one behind the last.
local function cellsOf(size, left, top, right, bottom)
  return floor(left / size), floor(top / size), ceil(right / size), ceil(bottom / size)
end

-- Whether both rectangles cover the same cell. If they do not, bump.lua does not compare them, even
-- if they overlap by a rounding error. Rectangles that overlap by more than the slack share cells.
local function shareCell(x, y, w, h, size, slack, left, top, right, bottom)
  if left + slack < x + w and x + slack < right and top + slack < y + h and y + slack < bottom then
    return true
  end
  local l1, t1, r1, b1 = cellsOf(size, left, top, right, bottom)
  local l2, t2, r2, b2 = cellsOf(size, x, y, x + w, y + h)
  return max(l1, l2) < min(r1, r2) and max(t1, t2) < min(b1, b2)
end

-- How many cells the union of these has. Between two edges all rows are alike, so the cost does not
-- depend on how many cells one of them covers.
local function countUnion(list)
  table.sort(list, function(a, b)
    return a.left < b.left
  end)
  local edges, count = {}, 0
  for i, cells in ipairs(list) do
    edges[2 * i - 1], edges[2 * i] = cells.top, cells.bottom
  end
  table.sort(edges)
  for i = 2, #edges do
    local row, rows, done = edges[i - 1], edges[i] - edges[i - 1] + 0.0, -HUGE
    for _, cells in ipairs(rows > 0 and list or {}) do
      if cells.top <= row and row < cells.bottom and cells.right > done then
        count = count + rows * (cells.right - max(done, cells.left))
        done = cells.right
      end
    end
  end
  return floor(count)
end

-- What is near -----------------------------------------------------------------------------------

-- How much farther to look than these sides, of which left and top may be negative.
local function slackOf(world, left, top, right, bottom)
  return SLACK * (world.largest + max(-left, right, -top, bottom))
end

-- The items that overlap or touch a rectangle, in the order in which they were added; their number;
-- and the slack. It takes the world's own list if that is not in use. The caller gives the list
-- back to `world.spare`. So callbacks can call any method.
local function findNear(world, left, top, right, bottom)
  local list, slack = world.spare or {}, slackOf(world, left, top, right, bottom)
  world.spare = nil
  local _, n = world.boxes:queryRect(left - slack, top - slack, right - left + 2 * slack,
    bottom - top + 2 * slack, nil, list)
  return list, n, slack
end

-- The items that a segment passes through or touches. The world's own casts do not report corners
-- that are only touched. So it sweeps a small square, with a filter that accepts no box but notes
-- them all.
local function findCrossed(world, x1, y1, x2, y2)
  local slack = slackOf(world, min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2))
  local list, n = {}, 0
  world.boxes:sweepRect(x1 - slack, y1 - slack, 2 * slack, 2 * slack, x2 - x1, y2 - y1,
    function(item)
      n = n + 1
      list[n] = item
    end)
  return list, n
end

-- Collisions --------------------------------------------------------------------------------------

local function slideAlways()
  return "slide"
end

-- Whether the rectangle that is hit at `ti` comes before a collision: because it is hit earlier, or
-- because its centre is nearer. (Times of overlaps are negative, so larger overlaps come first.)
local function comesBefore(ti, x, y, w, h, col)
  if ti ~= col.ti then return ti < col.ti end
  local mine, other = col.itemRect, col.otherRect
  return getSquareDistance(mine.x, mine.y, mine.w, mine.h, x, y, w, h)
    < getSquareDistance(mine.x, mine.y, mine.w, mine.h, other.x, other.y, other.w, other.h)
end

-- Finds the collisions on the way from x, y to a goal, among `near`, which findNear has found. It
-- calls no C functions, so LuaJIT compiles it.
local function collideWith(near, n, slack, world, item, x, y, w, h, goalX, goalY, filter, passed,
  cols)
  local left, top = min(x, goalX), min(y, goalY)
  local right, bottom = max(x, goalX) + w, max(y, goalY) + h
  local size, rects, mine = world.cellSize, world.rects, world.rects[item]
  local first, len = nil, 0
  for i = 1, n do
    local other = near[i]
    local rect = rects[other] -- nil if a filter has removed it meanwhile
    if rect and rect ~= mine and not (passed and passed[other]) then
      local ox, oy, ow, oh = rect.x, rect.y, rect.w, rect.h
      local ti = findTime(x, y, w, h, ox, oy, ow, oh, goalX - x, goalY - y)
      local response = ti and shareCell(ox, oy, ow, oh, size, slack, left, top, right, bottom)
        and filter(item, other)
      if response and (cols or not first or comesBefore(ti, ox, oy, ow, oh, first)) then
        first = detectCollision(x, y, w, h, ox, oy, ow, oh, goalX, goalY)
        first.item, first.other, first.type = item, other, response
        if cols then
          len = len + 1
          cols[len] = first
        end
      end
    end
  end
  return cols and len or first
end

-- Finds the collisions on the way from x, y to a goal. Skips items that the filter refuses, and
-- those in `passed`. With `cols`, adds all collisions to it, in the order in which the items were
-- added, and returns their number. Without, returns the first collision or nil.
local function collide(world, item, x, y, w, h, goalX, goalY, filter, passed, cols)
  goalX, goalY = goalX or x, goalY or y
  local near, n, slack = findNear(world, min(x, goalX), min(y, goalY), max(x, goalX) + w,
    max(y, goalY) + h)
  local found = collideWith(near, n, slack, world, item, x, y, w, h, goalX, goalY,
    filter or slideAlways, passed, cols)
  world.spare = near
  return found
end

-- Whether a rect overlaps one of `near` by more than EPSILON, except itself.
local function overlapsOne(near, n, rects, mine)
  for i = 1, n do
    local rect = rects[near[i]]
    if rect ~= mine then
      local x, y, w, h = getDiff(mine.x, mine.y, mine.w, mine.h, rect.x, rect.y, rect.w, rect.h)
      if containsPoint(x, y, w, h, 0, 0) then return true end
    end
  end
  return false
end

-- Whether a motion that goes nowhere hits nothing. Only what overlaps could be hit. The answer is
-- kept until something in the world changes.
local function standsFree(world, rect)
  if rect.freeAt ~= world.changes then
    local near, n = findNear(world, rect.x, rect.y, rect.x + rect.w, rect.y + rect.h)
    if n == 1 or not overlapsOne(near, n, world.rects, rect) then
      rect.freeAt = world.changes
    end
    world.spare = near
  end
  return rect.freeAt == world.changes
end

-- Sorts by `comesBefore`; ties keep their order.
local function sortCollisions(cols)
  local place = {}
  for i, col in ipairs(cols) do
    place[col] = i
  end
  table.sort(cols, function(a, b)
    local ra, rb = a.otherRect, b.otherRect
    if comesBefore(a.ti, ra.x, ra.y, ra.w, ra.h, b) then return true end
    return not comesBefore(b.ti, rb.x, rb.y, rb.w, rb.h, a) and place[a] < place[b]
  end)
end

-- Responses ---------------------------------------------------------------------------------------
-- Each `way` returns the new goal of a motion, and the place from which it goes on, if it does.

-- What the option `slide` may be: the version with the older slide.
local OLDER = "3.1.7"

local function isMoving(col)
  return col.move.x ~= 0 or col.move.y ~= 0
end

local ways = {}

function ways.touch(_, col)
  return col.touch.x, col.touch.y
end

function ways.cross(_, _, x, y, goalX, goalY)
  return goalX, goalY, x, y
end

-- The older slide pushes an item that does not move out of what it overlaps.
function ways.slide(world, col, x, y, goalX, goalY)
  goalX, goalY = goalX or x, goalY or y
  if not isMoving(col) then
    if world.slides == OLDER then goalX, goalY = col.touch.x, col.touch.y end
  elseif col.normal.x == 0 then
    goalY = col.touch.y
  else
    goalX = col.touch.x
  end
  col.slide = { x = goalX, y = goalY }
  return goalX, goalY, col.touch.x, col.touch.y
end

function ways.bounce(_, col, x, y, goalX, goalY)
  local touchX, touchY = col.touch.x, col.touch.y
  local dx, dy = 0, 0
  if isMoving(col) then
    dx, dy = (goalX or x) - touchX, (goalY or y) - touchY
    if col.normal.x == 0 then
      dy = -dy
    else
      dx = -dx
    end
  end
  col.bounce = { x = touchX + dx, y = touchY + dy }
  return touchX + dx, touchY + dy, touchX, touchY
end

-- The ways by the functions in bump.responses: a world calls the way directly.
local wayOf, responses = {}, {}

--- The four responses as functions of (world, col, x, y, w, h, goalX, goalY, filter). They return
-- goalX, goalY, cols, len, and can be used in responses for `world:addResponse`.
bump.responses = {}

for name, way in fields(ways) do
  local function respond(world, col, x, y, w, h, goalX, goalY, filter)
    local toX, toY, fromX, fromY = way(world, col, x, y, goalX, goalY)
    if not fromX then return toX, toY, {}, 0 end
    local cols, len = world:project(col.item, fromX, fromY, w, h, toX, toY, filter)
    return toX, toY, cols, len
  end
  wayOf[respond], responses[name], bump.responses[name] = way, respond, respond
end

-- Calls a response of the game on a collision. Returns the goal and the next collision, if any.
local function respondByGame(world, respond, col, x, y, w, h, goalX, goalY, filter, passed)
  local function unlessPassed(item, other)
    return not passed[other] and (filter or slideAlways)(item, other)
  end
  local toX, toY, cols, len = respond(world, col, x, y, w, h, goalX, goalY, unlessPassed)
  return toX, toY, len > 0 and cols[1] or nil
end

-- Checks the arguments of a call, and computes the way of an item towards a goal: its end, and the
-- collisions. Moves nothing.
local function walk(world, call, item, goalX, goalY, filter)
  if not isWorld[world] then checkSelf(world, call) end
  local rect = world.rects[item] or refuseItem(call, item)
  checkGoal(call, 2, goalX, goalY)
  checkFilter(call, 4, filter)
  local x, y, w, h = rect.x, rect.y, rect.w, rect.h
  if goalX == x and goalY == y and standsFree(world, rect) then return goalX, goalY, {}, 0 end
  local passed, cols, len = nil, {}, 0
  local col = collide(world, item, x, y, w, h, goalX, goalY, filter)
  while col do
    len = len + 1
    cols[len] = col
    passed = passed or { [item] = true }
    passed[col.other] = true
    local respond = world.responses[col.type]
    local way = wayOf[respond]
    if way then
      local fromX, fromY
      goalX, goalY, fromX, fromY = way(world, col, x, y, goalX, goalY)
      col = fromX and collide(world, item, fromX, fromY, w, h, goalX, goalY, filter, passed)
    elseif respond then
      goalX, goalY, col = respondByGame(world, respond, col, x, y, w, h, goalX, goalY, filter,
        passed)
    else
      arguments.raise(("unknown response '%s' (a %s)"):format(tostring(col.type), type(col.type)))
    end
  end
  return goalX, goalY, cols, len
end

-- Moves an item. Coordinates keep the type that they were given with; integers stay integers.
local function place(world, rect, x, y, w, h)
  if x ~= rect.x or y ~= rect.y or w ~= rect.w or h ~= rect.h then
    rect.box:setRect(x, y, w, h)
    rect.x, rect.y, rect.w, rect.h, rect.cells = x, y, w, h, nil
    world.largest = max(world.largest, w, h)
    world.changes = world.changes + 1
  end
end

-- World -------------------------------------------------------------------------------------------

local World = {}
local metatable = { __index = World }

--- Adds an item, which is any value except nil and NaN. Returns it.
function World:add(item, x, y, w, h)
  if not isWorld[self] then checkSelf(self, "add") end
  check(item ~= nil and item == item, "add", 1, "item", item)
  if self.rects[item] then
    arguments.refuse("add", 1, ("%s is in this world already"):format(tostring(item)))
  end
  checkPoint("add", 2, x, y)
  checkSize("add", 4, w, h)
  local options = self.options
  options.data = item
  local box = self.boxes:insert(x, y, w, h, options)
  options.data = nil
  self.added, self.changes = self.added + 1, self.changes + 1
  self.rects[item] = { x = x, y = y, w = w, h = h, box = box, order = self.added }
  self.largest = max(self.largest, w, h)
  return item
end

--- Removes an item.
function World:remove(item)
  if not isWorld[self] then checkSelf(self, "remove") end
  local rect = self.rects[item] or refuseItem("remove", item)
  self.rects[item] = nil
  self.spare = nil -- it may still refer to the item
  self.changes = self.changes + 1
  rect.box:remove()
end

--- Moves an item to a place, whatever is there.
function World:update(item, x, y, w, h)
  if not isWorld[self] then checkSelf(self, "update") end
  local rect = self.rects[item] or refuseItem("update", item)
  w, h = w or rect.w, h or rect.h
  checkPoint("update", 2, x, y)
  checkSize("update", 4, w, h)
  place(self, rect, x, y, w, h)
end

--- Moves an item as far as its collisions allow. Returns where it ends, these, and their number.
function World:move(item, goalX, goalY, filter)
  local x, y, cols, len = walk(self, "move", item, goalX, goalY, filter)
  checkPoint("move", 2, x, y)
  local rect = self.rects[item] or refuseItem("move", item) -- a filter may have removed it
  place(self, rect, x, y, rect.w, rect.h)
  return x, y, cols, len
end

--- Returns what `move` would, and moves nothing.
function World:check(item, goalX, goalY, filter)
  local x, y, cols, len = walk(self, "check", item, goalX, goalY, filter)
  return x, y, cols, len
end

--- All collisions on the way of a rectangle, as if nothing stopped it, for use in responses. If the
-- item is in the world, it does not collide with itself.
function World:project(item, x, y, w, h, goalX, goalY, filter)
  if not isWorld[self] then checkSelf(self, "project") end
  checkPoint("project", 2, x, y)
  checkSize("project", 4, w, h)
  checkGoal("project", 6, goalX, goalY)
  checkFilter("project", 8, filter)
  local cols = {}
  local len = collide(self, item, x, y, w, h, goalX, goalY, filter, nil, cols)
  if len > 1 then sortCollisions(cols) end
  return cols, len
end

--- Gives a name to a response, a function like those in bump.responses. Filters return that name.
function World:addResponse(name, response)
  if not isWorld[self] then checkSelf(self, "addResponse") end
  check(name ~= nil and name == name, "addResponse", 1, "name", name)
  self.responses[name] = response
end

function World:hasItem(item)
  if not isWorld[self] then checkSelf(self, "hasItem") end
  return self.rects[item] ~= nil
end

--- Returns the items in the order in which they were added, and their number.
function World:getItems()
  if not isWorld[self] then checkSelf(self, "getItems") end
  local items, len = {}, 0
  for box in self.boxes:boxes() do
    len = len + 1
    items[len] = box:getData()
  end
  return items, len
end

function World:countItems()
  if not isWorld[self] then checkSelf(self, "countItems") end
  return self.boxes:count()
end

function World:getRect(item)
  if not isWorld[self] then checkSelf(self, "getRect") end
  local rect = self.rects[item] or refuseItem("getRect", item)
  return rect.x, rect.y, rect.w, rect.h
end

--- Returns the corner of a cell.
function World:toWorld(cx, cy)
  if not isWorld[self] then checkSelf(self, "toWorld") end
  check(tonumber(cx), "toWorld", 1, "number", cx)
  check(tonumber(cy), "toWorld", 2, "number", cy)
  return self.cellSize * (cx - 1), self.cellSize * (cy - 1)
end

--- Returns the cell that contains a point.
function World:toCell(x, y)
  if not isWorld[self] then checkSelf(self, "toCell") end
  check(tonumber(x), "toCell", 1, "number", x)
  check(tonumber(y), "toCell", 2, "number", y)
  return floor(x / self.cellSize) + 1, floor(y / self.cellSize) + 1
end

--- Returns the number of cells that items cover. Cells that an earlier call has counted and that
-- are empty now still count until the garbage is collected.
function World:countCells()
  if not isWorld[self] then checkSelf(self, "countCells") end
  for _, rect in fields(self.rects) do
    if not rect.cells then
      local left, top, right, bottom = cellsOf(self.cellSize, rect.x, rect.y, rect.x + rect.w,
        rect.y + rect.h)
      rect.cells = { left = left, top = top, right = right, bottom = bottom }
    end
    self.counted[rect.cells] = true
  end
  local list = {}
  for cells in fields(self.counted) do
    if cells.left < cells.right and cells.top < cells.bottom then
      table.insert(list, cells)
    end
  end
  local count = countUnion(list)
  return count
end

-- The cells that items cover, by row and column, as bump.lua has them in world.rows.
local function makeRows(world)
  local rows = {}
  for item, rect in fields(world.rects) do
    local left, top, right, bottom = cellsOf(world.cellSize, rect.x, rect.y, rect.x + rect.w,
      rect.y + rect.h)
    for cy = top + 1, bottom do
      rows[cy] = rows[cy] or {}
      for cx = left + 1, right do
        local cell = rows[cy][cx] or { itemCount = 0, x = cx, y = cy, items = {} }
        rows[cy][cx], cell.items[item] = cell, true
        cell.itemCount = cell.itemCount + 1
      end
    end
  end
  return rows
end

-- Queries -----------------------------------------------------------------------------------------

-- Keeps those of n items whose rectangles pass a test and that the filter accepts. Returns the list
-- and how many these are. a to f: what the test gets besides; LuaJIT compiles no loop with `...`.
local function sift(items, n, rects, filter, test, a, b, c, d, e, f)
  local len = 0
  for i = 1, n do
    local item = items[i]
    local rect = rects[item] -- nil if a filter has removed it meanwhile
    items[i] = nil
    if rect and test(rect.x, rect.y, rect.w, rect.h, a, b, c, d, e, f)
      and (not filter or filter(item)) then
      len = len + 1
      items[len] = item
    end
  end
  return items, len
end

--- Returns the items that overlap a rectangle, in the order of adding, and their number.
function World:queryRect(x, y, w, h, filter)
  if not isWorld[self] then checkSelf(self, "queryRect") end
  checkPoint("queryRect", 1, x, y)
  checkSize("queryRect", 3, w, h)
  checkFilter("queryRect", 5, filter)
  local right, bottom = x + w, y + h
  local items, n = self.boxes:queryRect(x, y, w, h)
  return sift(items, n, self.rects, filter, shareCell, self.cellSize,
    slackOf(self, x, y, right, bottom), x, y, right, bottom)
end

-- Whether a point is inside a rectangle, and rounding does not put it into a cell behind that.
local function isInside(x, y, w, h, size, px, py)
  return containsPoint(x, y, w, h, px, py)
    and floor(px / size) < ceil((x + w) / size) and floor(py / size) < ceil((y + h) / size)
end

--- Returns the items that contain a point, in the order in which they were added, and their number.
function World:queryPoint(x, y, filter)
  if not isWorld[self] then checkSelf(self, "queryPoint") end
  checkPoint("queryPoint", 1, x, y)
  checkFilter("queryPoint", 3, filter)
  local items, n = self.boxes:queryPoint(x, y)
  return sift(items, n, self.rects, filter, isInside, self.cellSize, x, y)
end

-- Of the items that findCrossed has found, those that a segment passes through. It calls no C
-- functions, so LuaJIT compiles it.
local function listCrossings(found, n, rects, x1, y1, x2, y2, filter)
  local list, len = {}, 0
  for i = 1, n do
    local item = found[i]
    local rect = rects[item] -- nil if a filter has removed it meanwhile
    if rect then
      local x, y, w, h = rect.x, rect.y, rect.w, rect.h
      local ti1, ti2 = getSegmentIntersectionIndices(x, y, w, h, x1, y1, x2, y2)
      if ti1 and (0 < ti1 and ti1 < 1 or 0 < ti2 and ti2 < 1) and (not filter or filter(item)) then
        local enter = getSegmentIntersectionIndices(x, y, w, h, x1, y1, x2, y2, -HUGE, HUGE)
        len = len + 1
        list[len] = { item = item, ti1 = ti1, ti2 = ti2, weight = enter, order = rect.order }
      end
    end
  end
  return list, len
end

-- What a segment passes through: the item, and the times of entering and leaving. Sorted by the
-- time at which the infinite line enters. Items that contain the whole segment do not count.
local function findCrossings(world, call, x1, y1, x2, y2, filter)
  checkPoint(call, 1, x1, y1)
  checkPoint(call, 3, x2, y2)
  checkFilter(call, 5, filter)
  local found, n = findCrossed(world, x1, y1, x2, y2)
  local list, len = listCrossings(found, n, world.rects, x1, y1, x2, y2, filter)
  table.sort(list, function(a, b)
    if a.weight ~= b.weight then return a.weight < b.weight end
    return a.order < b.order
  end)
  return list, len
end

--- Returns the items that a segment passes through, in that order, and their number.
function World:querySegment(x1, y1, x2, y2, filter)
  if not isWorld[self] then checkSelf(self, "querySegment") end
  local list, len = findCrossings(self, "querySegment", x1, y1, x2, y2, filter)
  for i = 1, len do
    list[i] = list[i].item
  end
  return list, len
end

--- Returns the same as tables of item, ti1, ti2, and the points at these times: x1, y1, x2, y2.
function World:querySegmentWithCoords(x1, y1, x2, y2, filter)
  if not isWorld[self] then checkSelf(self, "querySegmentWithCoords") end
  local list, len = findCrossings(self, "querySegmentWithCoords", x1, y1, x2, y2, filter)
  local dx, dy = x2 - x1, y2 - y1
  for _, row in ipairs(list) do
    row.x1, row.y1 = x1 + dx * row.ti1, y1 + dy * row.ti1
    row.x2, row.y2 = x1 + dx * row.ti2, y1 + dy * row.ti2
    row.weight, row.order = nil, nil
  end
  return list, len
end

-- Module ------------------------------------------------------------------------------------------

-- LuaJIT cannot compile calls of C functions. It would begin a new trace behind each of them, and
-- one for each path that leads there: thousands. So functions that call C are not compiled, and the
-- functions that they call are.
local jit = rawget(_G, "jit")
if jit then
  for _, f in ipairs({ collide, findNear, standsFree, findCrossed, findCrossings }) do
    jit.off(f)
  end
end

-- A metatable for worlds with the option `rows`: reading world.rows makes rows of cells as
-- bump.lua has them, for debug drawers. Others see the metatable that all worlds have.
local withRows = {
  __index = function(world, name)
    return name == "rows" and makeRows(world) or World[name]
  end,
  __metatable = metatable,
}

local OPTIONS = {
  { "slide", "'" .. OLDER .. "'", nil, function(value) return value == OLDER end },
  { "rows", "boolean", false },
}

--- Makes a world. Only `toCell`, `toWorld`, `countCells` and `rows` depend on cellSize (64), not
-- speed. opts: slide = "3.1.7" for the slide of bump.lua's releases up to that one, which push out
-- what overlaps and does not move; rows = true for `world.rows`, which is made whenever it is read.
function bump.newWorld(cellSize, opts)
  cellSize = cellSize or 64
  if cellSize == bump then
    arguments.refuse("newWorld", 1, "this is the module itself; call it with '.', not ':'")
  end
  check(isUsable(cellSize) and cellSize > 0, "newWorld", 1, "finite size > 0", cellSize)
  local options = arguments.readOptions(opts, "newWorld", 2, OPTIONS)
  local world = setmetatable({
    cellSize = cellSize,
    slides = options.slide,
    responses = {}, -- functions by name
    rects = {}, -- by item: x, y, w, h, box, order; cells, once they have been counted
    boxes = broadside.newWorld({ results = "data" }), -- the data of a box is its item
    options = {}, -- for inserting an item
    added = 0, -- how many items were ever added
    changes = 0, -- how often something was added, moved or removed
    largest = 0, -- the largest width or height so far
    spare = nil, -- a list for findNear
    counted = setmetatable({}, { __mode = "k" }), -- all such cells that have not been collected
  }, options.rows and withRows or metatable)
  isWorld[world] = true
  for name, respond in fields(responses) do
    world:addResponse(name, respond)
  end
  return world
end

return bump
