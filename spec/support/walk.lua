-- Random changes of a lockstep, and random questions to it. Many coordinates come from the boxes
-- themselves, so that edges tie, touch and graze.

local compat = require("spec.support.compat")
local random = require("spec.support.random")

local walk = {}

-- Numbers and shapes ---------------------------------------------------------------------------

-- A coordinate of the world's kind, or an edge or the middle of one of its boxes.
local function anyCoord(ls, axis)
  local rng = ls.rng
  if ls:count() == 0 or rng:chance(0.4) then
    return ls.coord(axis)
  end
  local box = ls:anyBox()
  local what = rng:int(1, 5)
  if what <= 2 then
    return box.lo[axis]
  elseif what <= 4 then
    return box.hi[axis]
  end
  return box.lo[axis] + box.size[axis] / 2
end

function walk.point(ls)
  local p = {}
  for axis = 1, ls.dim do
    p[axis] = anyCoord(ls, axis)
  end
  return p
end

-- A rectangle for a query: one like boxes, a copy of a box, one between two points, or a point.
function walk.rect(ls)
  local what = ls.rng:int(1, 8)
  if what <= 3 then
    return random.rect(ls.coord, ls.size, ls.dim)
  elseif what <= 5 and ls:count() > 0 then
    local box = ls:anyBox()
    return compat.copy(box.lo), compat.copy(box.size)
  end
  local a = walk.point(ls)
  local b = what == 8 and a or walk.point(ls)
  local lo, size = {}, {}
  for axis = 1, ls.dim do
    lo[axis] = math.min(a[axis], b[axis])
    size[axis] = math.max(a[axis], b[axis]) - lo[axis]
    if not compat.isFinite(lo[axis] + size[axis]) then
      size[axis] = 0
    end
  end
  return lo, size
end

-- A motion: often along one axis only, often exactly to another edge.
function walk.vector(ls)
  local rng, v = ls.rng, {}
  local still = rng:chance(0.4) and rng:int(1, ls.dim) or 0
  for axis = 1, ls.dim do
    v[axis] = anyCoord(ls, axis) - anyCoord(ls, axis)
    if axis == still or rng:chance(0.1) or not compat.isFinite(v[axis]) then
      v[axis] = 0.0
    end
  end
  return v
end

-- The ends of a segment whose length is finite on every axis.
function walk.segment(ls)
  local from, to = walk.point(ls), walk.point(ls)
  local still = ls.rng:chance(0.3) and ls.rng:int(1, ls.dim) or 0
  for axis = 1, ls.dim do
    if axis == still or not compat.isFinite(to[axis] - from[axis]) then
      to[axis] = from[axis]
    end
  end
  if ls.rng:chance(0.05) then
    to = compat.copy(from)
  end
  return from, to
end

function walk.radius(ls)
  local what = ls.rng:int(1, 4)
  if what == 1 then
    return 0.0
  elseif what == 2 then
    return math.min(math.abs(ls.coord(1)), 1e308)
  end
  return ls.size(1) * ls.rng:pick({ 0.5, 1, 2 })
end

-- Changes --------------------------------------------------------------------------------------

local LAYERS = { 1, 1, 1, 2, 3, 6, 2147483648, 4294967295 }
local MASKS = { 4294967295, 4294967295, 4294967295, -1, 0, 1, 2, 5, -2147483648 }

local function anyMotion(ls)
  local v = {}
  for axis = 1, ls.dim do
    v[axis] = ls.rng:int(-4, 4) / 2
  end
  return v
end

local function anyOptions(ls)
  local rng = ls.rng
  if rng:chance(0.4) then
    return nil
  end
  return {
    static = rng:chance(0.3),
    layer = rng:chance(0.3) and rng:pick(LAYERS) or nil,
    mask = rng:chance(0.3) and rng:pick(MASKS) or nil,
    v = rng:chance(0.3) and anyMotion(ls) or nil,
    a = rng:chance(0.1) and anyMotion(ls) or nil,
    sensor = rng:chance(0.1),
    gravityScale = rng:chance(0.1) and rng:pick({ 0, 0.5, -1 }) or nil,
  }
end

local change = {}

function change.insert(ls)
  local lo, size = random.rect(ls.coord, ls.size, ls.dim)
  ls:insert(lo, size, anyOptions(ls))
end

function change.insertMany(ls)
  local rects = {}
  for i = 1, ls.rng:int(0, 8) do
    local lo, size = random.rect(ls.coord, ls.size, ls.dim)
    rects[i] = { lo, size }
  end
  ls:insertMany(rects, anyOptions(ls))
end

function change.remove(ls)
  ls:remove(ls:anyBox())
end

-- A new place for a box with its old size, finite.
local function newPlace(ls, box)
  local lo = {}
  for axis = 1, ls.dim do
    lo[axis] = anyCoord(ls, axis)
    if not compat.isFinite(lo[axis] + box.size[axis]) then
      lo[axis] = box.lo[axis]
    end
  end
  return lo
end

function change.move(ls)
  local box = ls:anyBox()
  ls:update(box, newPlace(ls, box), nil, ls.rng:pick({ "update", "setRect" }))
end

function change.resize(ls)
  local lo, size = random.rect(ls.coord, ls.size, ls.dim)
  ls:update(ls:anyBox(), lo, size, ls.rng:pick({ "update", "setRect" }))
end

function change.updateMany(ls)
  local boxes, places, share = {}, {}, ls.rng:pick({ 0.01, 0.4 })
  for _, box in ipairs(ls.truth.boxes) do
    if ls.rng:chance(share) then
      boxes[#boxes + 1] = box
      places[#places + 1] = newPlace(ls, box)
    end
  end
  ls:updateMany(boxes, places)
end

function change.setCenter(ls)
  local box, centre = ls:anyBox(), {}
  for axis = 1, ls.dim do
    centre[axis] = box.lo[axis] + box.size[axis] / 2 + ls.rng:int(-2, 2)
    if not compat.isFinite(centre[axis] + box.size[axis]) then
      return
    end
  end
  ls:setCenter(box, centre)
end

function change.setStatic(ls)
  ls:setStatic(ls:anyBox(), ls.rng:chance(0.5))
end

function change.setFilter(ls)
  ls:setFilter(ls:anyBox(), ls.rng:pick(LAYERS), ls.rng:pick(MASKS))
end

function change.setVelocity(ls)
  ls:setVelocity(ls:anyBox(), anyMotion(ls))
end

function change.setAcceleration(ls)
  ls:setAcceleration(ls:anyBox(), anyMotion(ls))
end

function change.setGravity(ls)
  ls:setGravity(anyMotion(ls))
end

function change.step(ls)
  ls:step(ls.rng:pick(ls.exact and { 0, 0.5, 1 } or { 0, 0.5, 1, 1 / 60 }))
end

function change.clear(ls)
  ls:clear()
end

function change.trim(ls)
  ls:trim()
end

function change.snapshot(ls)
  ls:snapshot()
end

function change.restore(ls)
  ls:restore()
end

function change.setBackend(ls)
  ls:setBackends()
end

-- The weights of the changes. In an empty world, those that need a box are left out.
local WEIGHTS = {
  { 8, "insert" }, { 2, "insertMany" }, { 8, "remove" }, { 14, "move" }, { 6, "resize" },
  { 4, "updateMany" }, { 2, "setCenter" }, { 4, "setStatic" }, { 4, "setFilter" },
  { 2, "setVelocity" }, { 1, "setAcceleration" }, { 1, "setGravity" }, { 4, "step" },
  { 0.3, "clear" }, { 1, "setBackend" }, { 1, "trim" },
  { 3, "snapshot" }, { 3, "restore" },
}
local WITHOUT_BOXES = { insert = true, insertMany = true, clear = true, setBackend = true,
  trim = true, snapshot = true, restore = true }

-- Makes one random change. Every other seed keeps its back ends, so that they grow old.
function walk.change(ls)
  ls.steps = ls.steps + 1
  local name = ls.rng:weighted(WEIGHTS)
  if ls:count() == 0 and not WITHOUT_BOXES[name]
    or ls:count() > 70 and (name == "insert" or name == "insertMany")
    or ls.seed % 2 == 1 and name == "setBackend" then
    name = "insert"
  end
  if name == "insert" and ls:count() > 70 then
    name = "remove"
  end
  change[name](ls)
end

-- A world with some boxes in it.
function walk.populate(ls, most)
  for _ = 1, ls.rng:int(0, most) do
    change.insert(ls)
  end
end

-- Questions ------------------------------------------------------------------------------------

local query = {}

function query.rect(ls)
  ls:checkQueryRect(walk.rect(ls))
end

function query.point(ls)
  ls:checkQueryPoint(walk.point(ls))
end

function query.circle(ls)
  ls:checkQueryCircle(walk.point(ls), walk.radius(ls))
end

function query.nearest(ls)
  local rng = ls.rng
  ls:checkNearest(walk.point(ls), rng:pick({ 0, 1, 2, 5, 100 }),
    rng:chance(0.5) and walk.radius(ls) or nil)
end

function query.box(ls)
  if ls:count() > 0 then
    ls:checkQueryBox(ls:anyBox())
  end
end

local cast = {}

function cast.segment(ls)
  ls:checkSegmentCast(walk.segment(ls))
end

function cast.querySegment(ls)
  ls:checkQuerySegment(walk.segment(ls))
end

function cast.sweepRect(ls)
  local lo, size = walk.rect(ls)
  ls:checkSweepRect(lo, size, walk.vector(ls))
end

function cast.sweep(ls)
  if ls:count() > 0 then
    ls:checkSweep(ls:anyBox(), walk.vector(ls))
    ls:checkQuerySweep(ls:anyBox(), walk.vector(ls))
  end
end

-- Asks each question of a group ("query" or "cast") that many times.
local function ask(group, names)
  return function(ls, times)
    for _ = 1, times or 1 do
      for _, name in ipairs(names) do
        group[name](ls)
      end
    end
  end
end

walk.query = ask(query, { "rect", "point", "circle", "nearest", "box" })
walk.cast = ask(cast, { "segment", "querySegment", "sweepRect", "sweep" })

return walk
