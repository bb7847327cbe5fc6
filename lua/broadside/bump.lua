--- bump.lua's calls on a world of Broadside, for games that were written for bump.lua 3.1.7.
--
--     local bump = require("broadside.bump")
--     local world = bump.newWorld()
--     world:add(player, 0, 0, 16, 16)
--     world:add(wall, 40, 0, 8, 100)
--     local x, y, cols, len = world:move(player, 100, 0) -- 24, 0, and the wall in cols[1].other
--
-- Names, arguments, answers and the fields of collisions are those of bump.lua by Enrique García
-- Cota (MIT license, https://github.com/kikito/bump.lua), also where they surprise. A world in C
-- finds what is near; whether and when something is met is worked out here as bump.lua does it,
-- to the last digit. Where bump.lua leaves an order to the hashes of items it is the order in which
-- they were added. A filter of `move`, `check` and `project` is asked only about what would be met,
-- not about all that is near. Numbers that bump.lua never returns from, such as NaN and infinity,
-- are errors. doc/from-bump.md tells what to write without this module, and what that gains.

-- The folder may have any name: "lib.broadside.bump" requires "lib.broadside".
local broadside = require(((...) or ""):match("^(.+)[./\\]") or "broadside")

local abs, ceil, floor, max, min = math.abs, math.ceil, math.floor, math.max, math.min
local HUGE = math.huge

local bump = {
  _VERSION = "bump v3.1.7",
  _URL = "doc/from-bump.md in Broadside's repository",
  _DESCRIPTION = "bump.lua's calls on a world of Broadside",
  _LICENSE = "MIT",
}

-- Overlaps this small are touches, and so are overlaps during this small a part of a motion.
local EPSILON = 1e-10

-- Coordinates and sizes are below this, so that no sum of some of them is infinite.
local LIMIT = 1e300

-- What is near is looked for in a rectangle that is larger by this part of the numbers involved:
-- some roundings more than those by which bump.lua's arithmetic may take a gap for a touch.
local SLACK = 2 ^ -46

-- Arguments ---------------------------------------------------------------------------------------

-- All worlds that there are. Every method looks its self up here, which takes less than a call of
-- a function does.
local isWorld = setmetatable({}, { __mode = "k" })

-- Whether a value has what a world has: tables that inherit from one have it.
local function isLikeWorld(value)
  local canBeRead, boxes, rects = pcall(function()
    return value.boxes, value.rects
  end)
  return type(value) == "table" and canBeRead and boxes ~= nil and rects ~= nil
end

-- What a method does where its self is not in `isWorld` yet.
local function checkSelf(self, call)
  if not isLikeWorld(self) then
    error(("bad self to '%s' (World expected, got %s; call it with ':')"):format(call,
      type(self)), 3)
  end
  isWorld[self] = true
end

local function isUsable(value)
  return type(value) == "number" and value > -LIMIT and value < LIMIT
end

-- Raises an error at the line that has called the method which calls what calls this.
local function refuse(call, arg, expected, value)
  local got = type(value)
  if got == "number" then
    got = value ~= value and "nan" or tostring(value)
  end
  error(("bad argument #%d to '%s' (%s expected, got %s)"):format(arg, call, expected, got), 4)
end

-- Two coordinates, the first of which is argument `arg`.
local function checkPoint(call, arg, x, y)
  if not (isUsable(x) and isUsable(y)) then
    local isFirst = not isUsable(x)
    refuse(call, isFirst and arg or arg + 1, "finite number", isFirst and x or y)
  end
end

-- A goal may be left out, on each axis.
local function checkGoal(call, arg, goalX, goalY)
  if goalX ~= nil and not isUsable(goalX) then
    refuse(call, arg, "finite number", goalX)
  end
  if goalY ~= nil and not isUsable(goalY) then
    refuse(call, arg + 1, "finite number", goalY)
  end
end

local function checkCellSize(cellSize)
  if cellSize == bump then
    error("bad argument #1 to 'newWorld' (this is the module itself; call it with '.', not ':')", 3)
  end
  if not (isUsable(cellSize) and cellSize > 0) then
    refuse("newWorld", 1, "finite size > 0", cellSize)
  end
end

local function checkSize(call, arg, w, h)
  if not (isUsable(w) and w > 0) then
    refuse(call, arg, "finite size > 0", w)
  end
  if not (isUsable(h) and h > 0) then
    refuse(call, arg + 1, "finite size > 0", h)
  end
end

-- A filter is whatever can be called, or false or nil for none.
local function checkFilter(call, arg, filter)
  local kind = type(filter)
  if filter and kind ~= "function" and kind ~= "table" and kind ~= "userdata" then
    refuse(call, arg, "filter function", filter)
  end
end

-- Whether a value can be added.
local function checkNewItem(world, item)
  if item == nil or item ~= item then
    refuse("add", 1, "item", item)
  elseif world.rects[item] then
    error(("bad argument #1 to 'add' (%s is in this world already)"):format(tostring(item)), 3)
  end
end

-- The rect of an item, which is argument 1.
local function checkItem(world, call, item)
  local rect = world.rects[item]
  if not rect then
    error(("bad argument #1 to '%s' (%s is not in this world)"):format(call, tostring(item)), 3)
  end
  return rect
end

-- Rectangles --------------------------------------------------------------------------------------

local function nearer(p, a, b)
  return abs(a - p) < abs(b - p) and a or b
end

local function getNearestCorner(x, y, w, h, px, py)
  return nearer(px, x, x + w), nearer(py, y, y + h)
end

-- The second rectangle, grown by the first and seen from its corner: where this contains the origin
-- the two overlap, and where a motion from the origin enters it the first one meets the second.
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

-- The square of the distance between the centres.
local function getSquareDistance(x1, y1, w1, h1, x2, y2, w2, h2)
  local dx, dy = x1 - x2 + (w1 - w2) / 2, y1 - y2 + (h1 - h2) / 2
  return dx * dx + dy * dy
end

-- Cuts the times from t1 to t2 down to those at which a point that moves from `from` by `by` is
-- between lo and hi: one axis of Liang and Barsky's algorithm. Tells also the side that it comes in
-- by and the one that it goes out by (-1: lo, 1: hi), 0 where these have cut nothing. Or nil.
local function clip(lo, hi, from, by, t1, t2)
  if by == 0 then
    if from - lo <= 0 or hi - from <= 0 then
      return nil
    end
    return t1, t2, 0, 0
  end
  local enter, leave, side = (from - lo) / -by, (hi - from) / by, -1
  if by < 0 then
    enter, leave, side = leave, enter, 1
  end
  if enter > t2 or leave < t1 or leave < enter then
    return nil
  end
  local sideIn, sideOut = 0, 0
  if enter > t1 then
    t1, sideIn = enter, side
  end
  if leave < t2 then
    t2, sideOut = leave, -side
  end
  return t1, t2, sideIn, sideOut
end

-- The times at which a segment comes in and goes out, and the normals there. Or nil.
local function getSegmentIntersectionIndices(x, y, w, h, x1, y1, x2, y2, ti1, ti2)
  local nx1, nx2, ny1, ny2
  ti1, ti2, nx1, nx2 = clip(x, x + w, x1, x2 - x1, ti1 or 0, ti2 or 1)
  if not ti1 then
    return nil
  end
  ti1, ti2, ny1, ny2 = clip(y, y + h, y1, y2 - y1, ti1, ti2)
  if not ti1 then
    return nil
  end
  return ti1, ti2, ny1 == 0 and nx1 or 0, ny1, ny2 == 0 and nx2 or 0, ny2
end

-- The time at which a rectangle on its way by dx, dy meets another. If the two overlap already:
-- minus the size of the overlap, and true. Or nil. This is asked about all that is near: it has few
-- branches, for LuaJIT's sake.
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
  if enter < 1 and enter + EPSILON > 0 and leave - enter >= EPSILON then
    return enter, false
  end
  return nil
end

local function sign(v)
  return v > 0 and 1 or v < 0 and -1 or 0
end

-- The least push that parts two rectangles, of which getDiff tells, and its direction.
local function findPush(x, y, w, h)
  local px, py = getNearestCorner(x, y, w, h, 0, 0)
  if abs(px) < abs(py) then
    py = 0
  else
    px = 0
  end
  return px, py, sign(px), sign(py)
end

-- Where one of two overlapping rectangles goes to touch the other: back along its motion as far as
-- needed, or, without a motion, out by the least push. As a displacement and the normal.
local function findWayOut(dx, dy, x, y, w, h)
  if dx ~= 0 or dy ~= 0 then
    local ti, _, nx, ny = getSegmentIntersectionIndices(x, y, w, h, 0, 0, dx, dy, -HUGE, 1)
    if ti and ti > -HUGE then -- a motion that is too small to divide by is none
      return dx * ti, dy * ti, nx, ny
    end
  end
  return findPush(x, y, w, h)
end

-- The collision of a rectangle, on its way to a goal, with another one. Or nil.
local function detectCollision(x1, y1, w1, h1, x2, y2, w2, h2, goalX, goalY)
  local dx, dy = (goalX or x1) - x1, (goalY or y1) - y1
  local ti, overlaps = findTime(x1, y1, w1, h1, x2, y2, w2, h2, dx, dy)
  if not ti then
    return nil
  end
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

--- bump.lua's functions of rectangles.
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

-- The cells that a rectangle reaches into, counted from 0: the first and the one behind the last.
local function cellsOf(size, left, top, right, bottom)
  return floor(left / size), floor(top / size), ceil(right / size), ceil(bottom / size)
end

-- Whether both reach into the same cell. Where they do not bump.lua does not look, even if they
-- overlap by a rounding error. What overlaps by more than the slack does share cells.
local function shareCell(size, slack, left, top, right, bottom, x, y, w, h)
  if left + slack < x + w and x + slack < right and top + slack < y + h and y + slack < bottom then
    return true
  end
  local l1, t1, r1, b1 = cellsOf(size, left, top, right, bottom)
  local l2, t2, r2, b2 = cellsOf(size, x, y, x + w, y + h)
  return max(l1, l2) < min(r1, r2) and max(t1, t2) < min(b1, b2)
end

local function newCells(size, rect)
  local left, top, right, bottom = cellsOf(size, rect.x, rect.y, rect.x + rect.w, rect.y + rect.h)
  return { left = left, top = top, right = right, bottom = bottom }
end

local function isFartherLeft(a, b)
  return a.left < b.left
end

-- How many cells in a row are covered by these, which are sorted from the left.
local function countRow(row)
  local count, done = 0, -HUGE
  for _, cells in ipairs(row) do
    if cells.right > done then
      count = count + cells.right - max(done, cells.left)
      done = cells.right
    end
  end
  return count
end

-- All the numbers at which some of these begin or end, ascending.
local function findEdges(list)
  local edges, isThere = {}, {}
  for _, cells in ipairs(list) do
    for _, y in ipairs({ cells.top, cells.bottom }) do
      if not isThere[y] then
        isThere[y] = true
        table.insert(edges, y)
      end
    end
  end
  table.sort(edges)
  return edges
end

-- How many cells there are in the union of these. Between two edges all rows are alike, so that
-- it does not matter how many cells one covers.
local function countUnion(list)
  table.sort(list, function(a, b)
    return a.top < b.top
  end)
  local edges, active, count, nextOne = findEdges(list), {}, 0, 1
  for i = 1, #edges - 1 do
    local stay = {}
    for _, cells in ipairs(active) do
      if cells.bottom > edges[i] then
        table.insert(stay, cells)
      end
    end
    while list[nextOne] and list[nextOne].top == edges[i] do
      table.insert(stay, list[nextOne])
      nextOne = nextOne + 1
    end
    table.sort(stay, isFartherLeft)
    active, count = stay, count + (edges[i + 1] - edges[i] + 0.0) * countRow(stay)
  end
  return floor(count)
end

-- What is near -----------------------------------------------------------------------------------

-- How much farther to look than between these, of which the first two may be negative.
local function slackOf(world, left, top, right, bottom)
  return SLACK * (world.largest + max(-left, right, -top, bottom))
end

-- The items in or at a rectangle, in the order in which they were added, how many, and the slack.
-- The list is the world's own if that is not in use, and goes back to `world.spare`: so callbacks
-- may call everything.
local function findNear(world, left, top, right, bottom)
  local list, slack = world.spare or {}, slackOf(world, left, top, right, bottom)
  world.spare = nil
  local _, n = world.boxes:queryRect(left - slack, top - slack, right - left + 2 * slack,
    bottom - top + 2 * slack, nil, list)
  return list, n, slack
end

-- The items that a segment passes through or touches. Casts of the world itself do not tell of
-- corners that are touched, so a small square is swept, and a filter that accepts none notes all.
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

-- Whether a rectangle that is met at `ti` comes before a collision: the earlier one, or the one
-- whose centre is nearer. (Times of overlaps are negative, the larger overlap first.)
local function comesBefore(ti, x, y, w, h, col)
  if ti ~= col.ti then
    return ti < col.ti
  end
  local mine, other = col.itemRect, col.otherRect
  return getSquareDistance(mine.x, mine.y, mine.w, mine.h, x, y, w, h)
    < getSquareDistance(mine.x, mine.y, mine.w, mine.h, other.x, other.y, other.w, other.h)
end

local function newCollision(item, other, response, ...)
  local col = detectCollision(...)
  col.item, col.other, col.type = item, other, response
  return col
end

-- Meets what is on the way from x, y to a goal, but for what the filter does not want, and for what
-- `passed` names. Puts all collisions into `cols`, in the order of adding, and returns how many;
-- or, without `cols`, returns the first collision or nil.
local function collide(world, item, x, y, w, h, goalX, goalY, filter, passed, cols)
  goalX, goalY, filter = goalX or x, goalY or y, filter or slideAlways
  local left, top = min(x, goalX), min(y, goalY)
  local right, bottom = max(x + w, goalX + w), max(y + h, goalY + h)
  local size, rects, mine = world.cellSize, world.rects, world.rects[item]
  local near, n, slack = findNear(world, left, top, right, bottom)
  local first, len = nil, 0
  for i = 1, n do
    local other = near[i]
    local rect = rects[other] -- nothing, if a filter has removed it meanwhile
    if rect and rect ~= mine and not (passed and passed[other]) then
      local ox, oy, ow, oh = rect.x, rect.y, rect.w, rect.h
      local ti = findTime(x, y, w, h, ox, oy, ow, oh, goalX - x, goalY - y)
      local response = ti and shareCell(size, slack, left, top, right, bottom, ox, oy, ow, oh)
        and filter(item, other)
      if response and (cols or not first or comesBefore(ti, ox, oy, ow, oh, first)) then
        first = newCollision(item, other, response, x, y, w, h, ox, oy, ow, oh, goalX, goalY)
        if cols then
          len = len + 1
          cols[len] = first
        end
      end
    end
  end
  world.spare = near
  return cols and len or first
end

-- Sorts by `comesBefore`; what ties stays in order.
local function sortCollisions(cols)
  local place = {}
  for i, col in ipairs(cols) do
    place[col] = i
  end
  table.sort(cols, function(a, b)
    local ra, rb = a.otherRect, b.otherRect
    if comesBefore(a.ti, ra.x, ra.y, ra.w, ra.h, b) then
      return true
    end
    return not comesBefore(b.ti, rb.x, rb.y, rb.w, rb.h, a) and place[a] < place[b]
  end)
end

-- Responses ---------------------------------------------------------------------------------------
-- Each `way` tells what becomes of a motion: its goal, and where it goes on from if it does.

local function isMoving(col)
  return col.move.x ~= 0 or col.move.y ~= 0
end

local ways = {}

function ways.touch(col)
  return col.touch.x, col.touch.y
end

function ways.cross(_, x, y, goalX, goalY)
  return goalX, goalY, x, y
end

function ways.slide(col, x, y, goalX, goalY)
  goalX, goalY = goalX or x, goalY or y
  if isMoving(col) then
    if col.normal.x == 0 then
      goalY = col.touch.y
    else
      goalX = col.touch.x
    end
  end
  col.slide = { x = goalX, y = goalY }
  return goalX, goalY, col.touch.x, col.touch.y
end

function ways.bounce(col, x, y, goalX, goalY)
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

-- The ways by the functions in bump.responses: a world takes the short cut where it finds these.
local wayOf, responses = {}, {}

--- The four responses as functions of (world, col, x, y, w, h, goalX, goalY, filter), for use in
-- others that are given to `world:addResponse`. They return goalX, goalY, cols, len.
bump.responses = {}

for name, way in pairs(ways) do
  local function respond(world, col, x, y, w, h, goalX, goalY, filter)
    local toX, toY, fromX, fromY = way(col, x, y, goalX, goalY)
    if not fromX then
      return toX, toY, {}, 0
    end
    local cols, len = world:project(col.item, fromX, fromY, w, h, toX, toY, filter)
    return toX, toY, cols, len
  end
  wayOf[respond], responses[name], bump.responses[name] = way, respond, respond
end

-- What a response of the game makes of a collision: the goal and the next collision, if any.
local function respondByGame(world, respond, col, x, y, w, h, goalX, goalY, filter, passed)
  local function unlessPassed(item, other)
    return not passed[other] and (filter or slideAlways)(item, other)
  end
  local toX, toY, cols, len = respond(world, col, x, y, w, h, goalX, goalY, unlessPassed)
  return toX, toY, len > 0 and cols[1] or nil
end

-- Moves a rect of an item towards a goal: where it gets, and its collisions. The item stays.
local function walk(world, item, rect, goalX, goalY, filter)
  local x, y, w, h = rect.x, rect.y, rect.w, rect.h
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
      goalX, goalY, fromX, fromY = way(col, x, y, goalX, goalY)
      col = fromX and collide(world, item, fromX, fromY, w, h, goalX, goalY, filter, passed)
    elseif respond then
      goalX, goalY, col = respondByGame(world, respond, col, x, y, w, h, goalX, goalY, filter,
        passed)
    else
      error(("unknown response '%s' (a %s)"):format(tostring(col.type), type(col.type)), 3)
    end
  end
  return goalX, goalY, cols, len
end

-- Puts an item elsewhere. Coordinates stay as they are given, integers too.
local function place(world, rect, x, y, w, h)
  if x ~= rect.x or y ~= rect.y or w ~= rect.w or h ~= rect.h then
    rect.box:setRect(x, y, w, h)
    rect.x, rect.y, rect.w, rect.h, rect.cells = x, y, w, h, nil
    world.largest = max(world.largest, w, h)
  end
end

-- World -------------------------------------------------------------------------------------------

local World = {}
local metatable = { __index = World }

--- Adds an item, which is any value but nil and NaN. Returns it.
function World:add(item, x, y, w, h)
  if not isWorld[self] then
    checkSelf(self, "add")
  end
  checkNewItem(self, item)
  checkPoint("add", 2, x, y)
  checkSize("add", 4, w, h)
  local box = self.boxes:insert(x, y, w, h, { data = item })
  self.added = self.added + 1
  self.rects[item] = { x = x, y = y, w = w, h = h, box = box, order = self.added }
  self.largest = max(self.largest, w, h)
  return item
end

--- Removes an item.
function World:remove(item)
  if not isWorld[self] then
    checkSelf(self, "remove")
  end
  local rect = checkItem(self, "remove", item)
  self.rects[item] = nil
  self.spare = nil -- which may hold on to the item
  rect.box:remove()
end

--- Puts an item elsewhere, whatever is there.
function World:update(item, x, y, w, h)
  if not isWorld[self] then
    checkSelf(self, "update")
  end
  local rect = checkItem(self, "update", item)
  w, h = w or rect.w, h or rect.h
  checkPoint("update", 2, x, y)
  checkSize("update", 4, w, h)
  place(self, rect, x, y, w, h)
end

--- Moves an item towards a goal as its collisions let it: where it gets, the collisions, how many.
function World:move(item, goalX, goalY, filter)
  if not isWorld[self] then
    checkSelf(self, "move")
  end
  local rect = checkItem(self, "move", item)
  checkGoal("move", 2, goalX, goalY)
  checkFilter("move", 4, filter)
  local x, y, cols, len = walk(self, item, rect, goalX, goalY, filter)
  checkPoint("move", 2, x, y)
  if self.rects[item] ~= rect then -- a filter or response has removed it meanwhile
    rect = checkItem(self, "move", item)
  end
  place(self, rect, x, y, rect.w, rect.h)
  return x, y, cols, len
end

--- Tells what `move` would, and moves nothing.
function World:check(item, goalX, goalY, filter)
  if not isWorld[self] then
    checkSelf(self, "check")
  end
  local rect = checkItem(self, "check", item)
  checkGoal("check", 2, goalX, goalY)
  checkFilter("check", 4, filter)
  local x, y, cols, len = walk(self, item, rect, goalX, goalY, filter)
  return x, y, cols, len
end

--- All collisions on the way of a rectangle, as if nothing stopped it: for responses. The item, if
-- it is in the world, is not met itself.
function World:project(item, x, y, w, h, goalX, goalY, filter)
  if not isWorld[self] then
    checkSelf(self, "project")
  end
  checkPoint("project", 2, x, y)
  checkSize("project", 4, w, h)
  checkGoal("project", 6, goalX, goalY)
  checkFilter("project", 8, filter)
  local cols = {}
  local len = collide(self, item, x, y, w, h, goalX, goalY, filter, nil, cols)
  if len > 1 then
    sortCollisions(cols)
  end
  return cols, len
end

--- Names a response, a function like those in bump.responses, for filters to return.
function World:addResponse(name, response)
  if not isWorld[self] then
    checkSelf(self, "addResponse")
  end
  self.responses[name] = response
end

function World:hasItem(item)
  if not isWorld[self] then
    checkSelf(self, "hasItem")
  end
  return self.rects[item] ~= nil
end

--- The items in the order in which they were added, and how many.
function World:getItems()
  if not isWorld[self] then
    checkSelf(self, "getItems")
  end
  local items, len = {}, 0
  for box in self.boxes:boxes() do
    len = len + 1
    items[len] = box:getData()
  end
  return items, len
end

function World:countItems()
  if not isWorld[self] then
    checkSelf(self, "countItems")
  end
  return self.boxes:count()
end

function World:getRect(item)
  if not isWorld[self] then
    checkSelf(self, "getRect")
  end
  local rect = checkItem(self, "getRect", item)
  return rect.x, rect.y, rect.w, rect.h
end

--- The corner of a cell.
function World:toWorld(cx, cy)
  if not isWorld[self] then
    checkSelf(self, "toWorld")
  end
  return self.cellSize * (cx - 1), self.cellSize * (cy - 1)
end

--- The cell that a point is in.
function World:toCell(x, y)
  if not isWorld[self] then
    checkSelf(self, "toCell")
  end
  return floor(x / self.cellSize) + 1, floor(y / self.cellSize) + 1
end

--- How many cells there are that items reach into. What was counted before and is empty by now
-- still counts until the garbage is collected.
function World:countCells()
  if not isWorld[self] then
    checkSelf(self, "countCells")
  end
  for _, rect in pairs(self.rects) do
    rect.cells = rect.cells or newCells(self.cellSize, rect)
    self.counted[rect.cells] = true
  end
  local list = {}
  for cells in pairs(self.counted) do
    if cells.left < cells.right and cells.top < cells.bottom then
      table.insert(list, cells)
    end
  end
  local count = countUnion(list)
  return count
end

-- Queries -----------------------------------------------------------------------------------------

-- Takes the items from behind `len` to n out of a list.
local function shorten(items, n, len)
  for i = len + 1, n do
    items[i] = nil
  end
end

--- The items that overlap a rectangle, in the order in which they were added, and how many.
function World:queryRect(x, y, w, h, filter)
  if not isWorld[self] then
    checkSelf(self, "queryRect")
  end
  checkPoint("queryRect", 1, x, y)
  checkSize("queryRect", 3, w, h)
  checkFilter("queryRect", 5, filter)
  local right, bottom = x + w, y + h
  local size, slack = self.cellSize, slackOf(self, x, y, right, bottom)
  local items, n = self.boxes:queryRect(x, y, w, h)
  local len = 0
  for i = 1, n do
    local item = items[i]
    local rect = self.rects[item] -- nothing, if a filter has removed it meanwhile
    if rect and shareCell(size, slack, x, y, right, bottom, rect.x, rect.y, rect.w, rect.h)
      and (not filter or filter(item)) then
      len = len + 1
      items[len] = item
    end
  end
  shorten(items, n, len)
  return items, len
end

-- Whether a point is inside of a rectangle, and rounding does not put it into a cell behind that.
local function isInside(size, rect, px, py)
  local x, y, w, h = rect.x, rect.y, rect.w, rect.h
  return containsPoint(x, y, w, h, px, py)
    and floor(px / size) < ceil((x + w) / size) and floor(py / size) < ceil((y + h) / size)
end

--- The items that a point is inside of, in the order in which they were added, and how many.
function World:queryPoint(x, y, filter)
  if not isWorld[self] then
    checkSelf(self, "queryPoint")
  end
  checkPoint("queryPoint", 1, x, y)
  checkFilter("queryPoint", 3, filter)
  local items, n = self.boxes:queryPoint(x, y)
  local len = 0
  for i = 1, n do
    local item = items[i]
    local rect = self.rects[item] -- nothing, if a filter has removed it meanwhile
    if rect and isInside(self.cellSize, rect, x, y) and (not filter or filter(item)) then
      len = len + 1
      items[len] = item
    end
  end
  shorten(items, n, len)
  return items, len
end

local function isCrossedBefore(a, b)
  if a.weight ~= b.weight then
    return a.weight < b.weight
  end
  return a.order < b.order
end

-- What a segment passes through: the item, and when it comes in and goes out. Sorted by the time
-- at which a line without ends comes in. Items that have the whole segment inside do not count.
local function findCrossings(world, x1, y1, x2, y2, filter)
  local found, n = findCrossed(world, x1, y1, x2, y2)
  local list, len = {}, 0
  for i = 1, n do
    local item = found[i]
    local rect = world.rects[item] -- nothing, if a filter has removed it meanwhile
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
  table.sort(list, isCrossedBefore)
  return list, len
end

--- The items that a segment passes through, in the order in which it does, and how many.
function World:querySegment(x1, y1, x2, y2, filter)
  if not isWorld[self] then
    checkSelf(self, "querySegment")
  end
  checkPoint("querySegment", 1, x1, y1)
  checkPoint("querySegment", 3, x2, y2)
  checkFilter("querySegment", 5, filter)
  local list, len = findCrossings(self, x1, y1, x2, y2, filter)
  for i = 1, len do
    list[i] = list[i].item
  end
  return list, len
end

--- The same as tables of item, ti1, ti2, and where that is: x1, y1, x2, y2.
function World:querySegmentWithCoords(x1, y1, x2, y2, filter)
  if not isWorld[self] then
    checkSelf(self, "querySegmentWithCoords")
  end
  checkPoint("querySegmentWithCoords", 1, x1, y1)
  checkPoint("querySegmentWithCoords", 3, x2, y2)
  checkFilter("querySegmentWithCoords", 5, filter)
  local list, len = findCrossings(self, x1, y1, x2, y2, filter)
  local dx, dy = x2 - x1, y2 - y1
  for _, row in ipairs(list) do
    row.x1, row.y1 = x1 + dx * row.ti1, y1 + dy * row.ti1
    row.x2, row.y2 = x1 + dx * row.ti2, y1 + dy * row.ti2
    row.weight, row.order = nil, nil
  end
  return list, len
end

-- Module ------------------------------------------------------------------------------------------

-- LuaJIT cannot compile calls of C: it would begin anew behind each, and compile each way to get
-- there, thousands of them. So what calls C is not compiled, and what these functions call is.
local jit = rawget(_G, "jit")
if jit then
  for _, f in ipairs({ collide, findNear, findCrossed, findCrossings }) do
    jit.off(f)
  end
end

--- Makes a world. The size of its cells (64) is what `toCell`, `toWorld` and `countCells` tell of;
-- it makes no difference to speed.
function bump.newWorld(cellSize)
  cellSize = cellSize or 64
  checkCellSize(cellSize)
  local world = setmetatable({
    cellSize = cellSize,
    responses = {}, -- functions by name
    rects = {}, -- by item: x, y, w, h, box, order; cells, if they have been counted since it moved
    boxes = broadside.newWorld({ results = "data" }), -- the data of a box is its item
    added = 0, -- how many items there have ever been
    largest = 0, -- the largest width or height there has ever been
    spare = nil, -- a list for findNear
    counted = setmetatable({}, { __mode = "k" }), -- all such cells that are not collected yet
  }, metatable)
  isWorld[world] = true
  for name, respond in pairs(responses) do
    world:addResponse(name, respond)
  end
  return world
end

return bump
