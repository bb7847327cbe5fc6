-- What carries a walker: where its floor has moved what is under its feet, which are the middle of
-- its lower side; and how it falls through one-way boxes. w is the state of a walker, as in
-- walker.lua.

local root = ((...) or ""):match("^(.+)[./\\]%w+[./\\]") or "broadside"
local arguments = require(root .. ".support.arguments")
local ground = require(root .. ".walker.ground")
local lists = require(root .. ".support.lists")

local platforms = {}

local abs, max, isSaid = math.abs, math.max, arguments.isSaid

local NEAR = 2 ^ -46 -- times the largest coordinate: rounding leaves no wider gap to the floor
local MOST_ABOVE = 8 -- boxes that stand on each other on a walker's head, and that one box carries
local MOST_PLANKS = 16 -- that it falls through at once
local RIGID = 1e-9 -- corners that differ by less than this part of an edge are in the same place

-- How a box's sides, which have moved by `first` and `last`, have moved what is between them: not
-- at all if it has only grown or shrunk.
local function shared(first, last)
  if first * last <= 0 then return 0 end
  return abs(first) < abs(last) and first or last
end

-- How a rectangle has moved what stands on its upper side.
local function motionOfRect(w, x, y, width, height)
  local left, top = x - w.floorX, y - w.floorY
  local right = width == w.floorW and left or x + width - w.floorX - w.floorW
  local bottom = height == w.floorH and top or y + height - w.floorY - w.floorH
  local across, along = shared(left, right), shared(top, bottom)
  if w.ux == 0 then return across, w.uy < 0 and top or bottom, 0 end
  return w.ux < 0 and left or right, along, 0
end

local function motionOfCircle(w, x, y, width, height)
  local grown = (width - w.floorW) / 2
  local dx = width == w.floorW and x - w.floorX or x + width / 2 - w.floorX - w.floorW / 2
  local dy = height == w.floorH and y - w.floorY or y + height / 2 - w.floorY - w.floorH / 2
  return dx + grown * w.floorNx, dy + grown * w.floorNy, 0
end

-- The turn from corners to others, as a cosine and a sine; nil if they are not the same polygon.
local function turnOf(before, now)
  local x, y, toX, toY = before[1], before[2], now[1], now[2]
  local ex, ey, fx, fy = before[3] - x, before[4] - y, now[3] - toX, now[4] - toY
  local square = ex * ex + ey * ey
  local cosine, sine = (ex * fx + ey * fy) / square, (ex * fy - ey * fx) / square
  for i = 3, max(#before, #now), 2 do
    local px, py = (before[i] or 0) - x, (before[i + 1] or 0) - y
    local qx, qy = (now[i] or 0) - toX, (now[i + 1] or 0) - toY
    local off = abs(cosine * px - sine * py - qx) + abs(sine * px + cosine * py - qy)
    if off * off > RIGID * RIGID * (square + px * px + py * py) then return nil end
  end
  return cosine, sine
end

local function footOf(w)
  return w.x + w.width * (1 - w.ux) / 2, w.y + w.height * (1 - w.uy) / 2
end

-- How a polygon has moved the foot, which was at footX, footY, and how far it may have come up
-- beside that.
local function motionOfPolygon(w, x, y, width, height, footX, footY)
  local before, now = w.corners, w.newCorners
  local cosine, sine
  if before[1] then cosine, sine = turnOf(before, now) end
  if not cosine then -- it has another shape
    local dx, dy = motionOfRect(w, x, y, width, height)
    return dx, dy, abs(x - w.floorX) + abs(y - w.floorY) + abs(width - w.floorW)
      + abs(height - w.floorH)
  elseif abs(sine) < RIGID and cosine > 0 then
    return x - w.floorX, y - w.floorY, 0
  end
  local px, py = footX - before[1], footY - before[2]
  local dx = now[1] + cosine * px - sine * py - footX
  local dy = now[2] + sine * px + cosine * py - footY
  return dx, dy, abs(sine) * (w.width + w.height)
end

local function keep(w, x, y, width, height)
  w.floorX, w.floorY, w.floorW, w.floorH = x, y, width, height
  w.floorNear = NEAR * max(abs(x) + width, abs(y) + height)
end

-- The kind of a shape. The list gets the corners of a polygon, else none.
local function readShape(box, corners)
  local kind = box:getShape(corners)
  if kind ~= "polygon" then lists.cut(corners, 0) end
  return kind
end

-- How the floor has moved what is under the feet since the last walk, and how far it may have come
-- up beside that. wasX, wasY: how far others have moved the feet.
local function motion(w, wasX, wasY)
  local x, y, width, height = w.floorBox:getRect()
  if x == w.floorX and y == w.floorY and width == w.floorW and height == w.floorH then
    return 0, 0, 0
  end
  local kind = readShape(w.floorBox, w.newCorners)
  local of = kind == "polygon" and motionOfPolygon or kind == "circle" and motionOfCircle
    or motionOfRect
  local footX, footY = footOf(w)
  local dx, dy, rise = of(w, x, y, width, height, footX - wasX, footY - wasY)
  w.corners, w.newCorners = w.newCorners, w.corners
  keep(w, x, y, width, height)
  return dx, dy, rise
end

-- Moves what stands on a box's head by dx, dy, which is up, with what stands on that, and so on,
-- for a number of boxes. Static ones stay.
local function raise(w, box, filter, dx, dy, most)
  local world, last = w.world, nil
  for _ = 1, most do
    local id = world:touching(box, w.ux, w.uy, filter, true)
    local above = id and id ~= last and world:getBox(id)
    if not above or above:isStatic() then return end
    local x, y = above:getRect()
    local goalX, goalY = x + dx, y + dy
    x, y = world:move(above, goalX, goalY, nil, w.tried)
    if x ~= goalX or y ~= goalY then
      raise(w, above, nil, goalX - x, goalY - y, most - 1)
      world:move(above, goalX, goalY, nil, w.tried)
    end
    last = id
  end
end

-- Moves the walker by dx, dy. Where something stops it, it goes on up or down, and then along. What
-- stands on its head comes along up. Returns the row of what has stopped it first, or nil.
local function squeeze(w, dx, dy)
  local hit, t = ground.advance(w, dx, dy, w.way)
  if hit then
    local along, up = (1 - t) * (dx * w.ax + dy * w.ay), (1 - t) * (dx * w.ux + dy * w.uy)
    if up > 0 and ground.rise(w, hit) < 0 then
      raise(w, w.box, w.filter, up * w.ux, up * w.uy, MOST_ABOVE)
    end
    ground.advance(w, up * w.ux, up * w.uy, w.tried)
    ground.advance(w, along * w.ax, along * w.ay, w.tried)
  end
  return hit
end

-- Does squeeze. The walker's floor has moved as far already, and so is not in the way: if it has
-- stopped the walker, it is a sensor for this once. If the walker is in something then, as it has
-- been crushed, it stays where it is.
local function moveAlong(w, dx, dy)
  local x, y = w.x, w.y
  local hit = squeeze(w, dx, dy)
  if not (hit and isSaid(w.floorBox, hit.other)) then return end
  ground.put(w, x, y)
  w.floorBox:setSensor(true)
  local done, problem = pcall(squeeze, w, dx, dy)
  w.floorBox:setSensor(false)
  if not done then error(problem, 0) end
  if not w.world:canFit(w.box, w.x, w.y, nil, nil, w.filter) then ground.put(w, x, y) end
end

-- Moves the walker by dx, dy with its floor, and onto that, which may have come up by `rise` beside
-- that. It goes a little above the floor, as rounding may put it into that, and a one-way floor
-- would not hold it. What rounding has left of the way does not count.
local function settle(w, dx, dy, rise)
  if abs(dx) <= w.near then dx = 0 end
  if abs(dy) <= w.near then dy = 0 end
  local isAlong = w.floorNx * w.floorNy == 0 and dx * w.ux + dy * w.uy == 0
  local up = isAlong and rise or rise + 2 * w.near
  moveAlong(w, dx + up * w.ux, dy + up * w.uy)
  if up == 0 then return end
  local row = ground.look(w, w.x, w.y, 2 * rise + (rise > 0 and w.snap or 0) + 4 * w.near)
  if ground.isFloor(w, row) then
    ground.put(w, row.x, row.y)
    w.floorNx, w.floorNy = row.nx, row.ny
  end
end

--- Reads where the walker's box is, and keeps that as startX, startY. Returns how far others have
-- moved its feet since the last walk.
function platforms.readBox(w)
  local x, y, width, height = w.box:getRect()
  local farX, farY = (x < 0 and -x or x) + width, (y < 0 and -y or y) + height
  local near = NEAR * (farX > farY and farX or farY)
  near = near > w.floorNear and near or w.floorNear
  w.near, w.startX, w.startY = near, x, y
  if x == w.x and y == w.y and width == w.width and height == w.height then return 0, 0 end
  local wasX, wasY = footOf(w)
  w.x, w.y, w.width, w.height = x, y, width, height
  local footX, footY = footOf(w)
  local dx, dy = footX - wasX, footY - wasY
  if dx * dx + dy * dy <= near * near then return 0, 0 end
  return dx, dy
end

-- The Box that is flush with the feet, or nil.
local function boxBelow(w)
  local id = w.world:touching(w.box, -w.ux, -w.uy, w.filter, true)
  return id and w.world:getBox(id)
end

-- The Box that the world's results call `other`, on which the walker stands. Where results are data
-- and the walker is in it, or on its edge, it is not flush with the feet.
local function boxOf(w, other)
  local box = boxBelow(w)
  if box and isSaid(box, other) then return box end
  box = arguments.toBox(w.world, other)
  if box then return box end
  box = w.floorBox
  if box and not box:isRemoved() and isSaid(box, other) then return box end
  local tiny = ground.GAP * w.near
  for each in w.world:boxes() do
    if isSaid(each, other) then
      local x, y, width, height = each:getRect()
      if x - w.x <= w.width + tiny and w.x - x <= width + tiny
        and y - w.y <= w.height + tiny and w.y - y <= height + tiny then
        return each
      end
    end
  end
end

--- Takes note of the floor that the walker has come to stand on.
function platforms.take(w, other)
  local box = boxOf(w, other)
  if not box then
    platforms.leave(w)
  elseif not rawequal(box, w.floorBox) then
    w.floorBox, w.floorId = box, box:getId()
    keep(w, box:getRect())
    readShape(box, w.corners)
  end
end

--- If its floor was removed, finds another one on which the walker stands, such as what a Map has
-- put in the place of that.
function platforms.renew(w)
  if not (w.floorBox and w.floorBox:isRemoved()) then return end
  local stood = w.onFloor and not w.box:isRemoved()
  if stood then
    local x, y, width, height = w.box:getRect()
    stood = x == w.x and y == w.y and width == w.width and height == w.height
  end
  platforms.leave(w)
  w.onFloor = false
  local row = stood and ground.look(w, w.x, w.y, 4 * w.near) or nil
  if ground.isFloor(w, row) then
    w.onFloor, w.floor, w.floorNx, w.floorNy = true, row.other, row.nx, row.ny
    platforms.take(w, row.other)
  end
end

--- Moves the walker with its floor, which may have moved it itself, as by world:push. If anything
-- else has moved it, it has no floor. Returns the velocity with which that has moved it.
function platforms.ride(w, dt)
  platforms.renew(w)
  local wasX, wasY = platforms.readBox(w)
  local floor, dx, dy, rise, vx, vy = w.floorBox, 0, 0, 0, 0, 0
  if not w.onFloor then return 0, 0 end
  if floor then
    dx, dy, rise = motion(w, wasX, wasY)
    vx, vy = floor:getVelocity()
  end
  if wasX ~= 0 or wasY ~= 0 then
    local farthest = abs(dx) + abs(dy) + rise + 4 * w.near
    if wasX * wasX + wasY * wasY > farthest * farthest then
      w.onFloor = false
      return 0, 0
    end
  end
  if (vx ~= 0 or vy ~= 0) and floor:isStatic() then -- a belt, which leads along the floor alone
    local into = vx * w.floorNx + vy * w.floorNy
    dx, dy = dx + (vx - into * w.floorNx) * dt, dy + (vy - into * w.floorNy) * dt
  end
  if dx == 0 and dy == 0 and rise == 0 then return 0, 0 end
  local x, y = w.x - wasX, w.y - wasY
  settle(w, dx - wasX, dy - wasY, rise)
  if dt <= 0 then return 0, 0 end
  vx = (dx ~= 0 or rise > 0) and (w.x - x) / dt or 0
  vy = (dy ~= 0 or rise > 0) and (w.y - y) / dt or 0
  return vx, vy
end

--- Goes back to the floor of that id, or to none. Where it was then is known.
function platforms.goBack(w, id)
  platforms.leave(w)
  w.floor = nil
  if not id then return end
  w.floorBox, w.floorId = w.world:getBox(id), id
  keep(w, w.floorX, w.floorY, w.floorW, w.floorH)
  local x, y, width, height = w.floorBox:getRect()
  local found, n = w.world:queryRect(x, y, width, height, nil, w.found)
  for i = 1, n do
    if isSaid(w.floorBox, found[i]) then w.floor = found[i] end
  end
end

--- Has no floor.
function platforms.leave(w)
  w.floorBox, w.floorId, w.floorNear = nil, nil, 0
end

platforms.MOST_PLANKS = MOST_PLANKS

-- Planks ------------------------------------------------------------------------------------------
-- w.planks are the one-way boxes that the walker has let go of. In each walk until it is below them
-- they look the other way, so that nothing about them stops it, however they move.

local function turn(plank)
  if not plank:isRemoved() then
    local nx, ny = plank:getOneWay()
    if nx then plank:setOneWay(-nx, -ny) end
  end
end

local function turnAll(planks)
  for i = 1, #planks do
    turn(planks[i])
  end
end

-- The interval that a rectangle takes along an axis.
local function interval(ax, ay, x, y, w, h)
  local low = x * ax + y * ay
  local size = w * abs(ax) + h * abs(ay)
  if ax + ay < 0 then low = low - size end
  return low, low + size
end

-- Whether the walker may still come down on a plank.
local function isAbove(w, plank)
  if plank:isRemoved() or not plank:getOneWay() then return false end
  local low, high = interval(w.ax, w.ay, w.x, w.y, w.width, w.height)
  local first, last = interval(w.ax, w.ay, plank:getRect())
  local _, top = interval(w.ux, w.uy, w.x, w.y, w.width, w.height)
  return low < last and first < high and top > interval(w.ux, w.uy, plank:getRect())
end

-- How high the upper side of a plank is.
local function levelOf(w, plank)
  local _, level = interval(w.ux, w.uy, plank:getRect())
  return level
end

-- The Box that a row is about, or nil: what the box touches there, or what the row calls it.
local function plankOf(w, row)
  local world, isBeside, x, y = w.world, abs(row.nx) > abs(row.ny), w.x, w.y
  ground.put(w, row.x, row.y)
  local id = world:touching(w.box, isBeside and -row.nx or 0, isBeside and 0 or -row.ny, w.filter,
    true)
  ground.put(w, x, y)
  if id then return world:getBox(id) end
  return arguments.toBox(world, row.other)
end

-- Lets go of the planks beside those that it has let go of, whose corners would stop a round or
-- slanted walker. All of them have been turned. Then does go.
local function fallThrough(w, go, along, up, dt)
  local dx, dy = (along * w.ax + up * w.ux) * dt, (along * w.ay + up * w.uy) * dt
  local first = w.planks[1]
  while first and not first:isRemoved() and #w.planks < MOST_PLANKS do
    w.world:check(w.box, w.x + dx, w.y + dy, w.filter, w.tried)
    local row = ground.stopOf(w, w.tried, dx, dy, true)
    local plank = row and plankOf(w, row)
    local isBeside = plank and plank:getOneWay()
      and abs(levelOf(w, plank) - levelOf(w, first)) <= 64 * w.near
    if not isBeside then break end
    w.planks[#w.planks + 1] = plank
    turn(plank)
  end
  return go(w, along, up, dt)
end

--- Lets go of the one-way boxes that the walker stands on. False if it also stands on another box.
function platforms.drop(w)
  local planks, box = w.planks, w.floorBox
  while box and box:getOneWay() and #planks < MOST_PLANKS do
    planks[#planks + 1] = box
    turn(box) -- so that it touches the next one
    box = boxBelow(w)
  end
  turnAll(planks)
  if box then lists.cut(planks, 0) end
  return #planks > 0
end

--- Does go(w, along, up, dt), and falls through the planks that it has let go of.
function platforms.fall(w, go, along, up, dt)
  if up > 0 then lists.cut(w.planks, 0) end
  turnAll(w.planks)
  local done
  done, along, up = pcall(fallThrough, w, go, along, up, dt)
  turnAll(w.planks)
  if not done then error(along, 0) end
  for i = #w.planks, 1, -1 do
    if w.onFloor or not isAbove(w, w.planks[i]) then table.remove(w.planks, i) end
  end
  return along, up
end

return platforms
