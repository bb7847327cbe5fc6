-- Checks of movement on the worlds of a lockstep, against move_oracle.lua; and random motions.

local compat = require("spec.support.compat")
local moves = require("spec.support.move_oracle")
local oracle = require("spec.support.oracle")
local random = require("spec.support.random")
local walk = require("spec.support.walk")

local values = compat.values

local moveWalk = {}

-- Boxes ----------------------------------------------------------------------------------------

local LAYERS = { 1, 1, 1, 1, 2, 3, 6 }
local MASKS = { 4294967295, 4294967295, 4294967295, 1, 3, 5 }
local RESPONSES = { "slide", "slide", "touch", "bounce", "cross" }

local function anyMotion(ls)
  local v = {}
  for axis = 1, ls.dim do
    v[axis] = ls.rng:chance(0.3) and 0.0 or ls.coord(axis) - ls.coord(axis)
    if not compat.isFinite(v[axis]) then
      v[axis] = 0.0
    end
  end
  return v
end

local function anySide(ls)
  local normal = {}
  for axis = 1, ls.dim do
    normal[axis] = 0
  end
  normal[ls.rng:int(1, ls.dim)] = ls.rng:pick({ -1, 1 })
  return normal
end

local function anyOptions(ls)
  local rng = ls.rng
  return {
    static = rng:chance(0.4),
    layer = rng:chance(0.3) and rng:pick(LAYERS) or nil,
    mask = rng:chance(0.2) and rng:pick(MASKS) or nil,
    v = rng:chance(0.7) and anyMotion(ls) or nil,
    a = rng:chance(0.1) and anyMotion(ls) or nil,
    response = rng:chance(0.7) and rng:pick(RESPONSES) or nil,
    bounce = rng:chance(0.5) and rng:pick({ 0, 0.25, 0.5, 1 }) or nil,
    oneWay = rng:chance(0.15) and anySide(ls) or nil,
    sensor = rng:chance(0.1),
    gravityScale = rng:chance(0.2) and rng:pick({ 0, 0.5, -1 }) or nil,
  }
end

-- Boxes for movement: not too many in the place of another one, so that most have room to move.
function moveWalk.populate(ls, count)
  for _ = 1, count do
    local lo, size = random.rect(ls.coord, ls.size, ls.dim)
    local free = #ls.truth:queryShape(oracle.shape(lo, size)) == 0
    if free or ls.rng:chance(0.2) then
      ls:insert(lo, size, anyOptions(ls))
    end
  end
end

-- A goal that is finitely far away, often level with another box or right against it.
function moveWalk.goal(ls, box)
  local v, goal = walk.vector(ls), {}
  for axis = 1, ls.dim do
    local what = ls.rng:int(1, 6)
    local other = ls:anyBox()
    goal[axis] = what == 1 and other.hi[axis]
      or what == 2 and other.lo[axis] - box.size[axis]
      or what == 3 and ls.coord(axis)
      or box.lo[axis] + v[axis]
    if not (compat.isFinite(goal[axis]) and compat.isFinite(goal[axis] + box.size[axis])
      and compat.isFinite(goal[axis] - box.lo[axis])) then
      goal[axis] = box.lo[axis]
    end
  end
  return goal
end

-- Filters --------------------------------------------------------------------------------------

local function same(filter)
  return filter, function()
    return filter
  end
end

local function anyMasks(ls)
  local masks = {}
  for _, response in ipairs({ "slide", "touch", "bounce", "cross" }) do
    if ls.rng:chance(0.5) then
      masks[response] = ls.rng:pick({ 1, 2, 3, 4, 5, 4294967295, true })
    end
  end
  return masks
end

local ANSWERS = { "slide", "touch", "bounce", "cross", "slide", false }

-- A filter for the oracle, and a function that gives it for a side; `sides[side]` of the last one
-- is then what the side's function was asked about.
local function anyFilter(ls, box)
  local what = ls.rng:int(1, 10)
  if what <= 2 then
    return same(nil)
  elseif what <= 4 then
    return same(ls.rng:pick({ 0, 1, 2, 3, -1, 4294967295 }))
  elseif what == 5 then
    local ignored = ls:anyBox()
    return ignored, function(side)
      return side:box(ignored)
    end
  elseif what <= 8 then
    return same(anyMasks(ls))
  end
  local shift = ls.rng:int(0, 5)
  local function answer(mover, other)
    assert(mover == box, "the mover comes first")
    return ANSWERS[(other.order + shift) % 6 + 1]
  end
  local asked = {}
  return answer, function(side)
    asked[side] = {}
    return function(mover, other)
      asked[side][#asked[side] + 1] = side.known[other]
      return answer(side.known[mover], side.known[other])
    end
  end, asked
end

-- Checks ---------------------------------------------------------------------------------------

-- The rows as one flat list: numbers, strings, booleans and oracle boxes.
local FIELDS = {
  place = { "x", "y", "z" },
  normal = { "nx", "ny", "nz" },
}

local function flattenHits(hits)
  local flat = {}
  for _, hit in ipairs(hits) do
    flat[#flat + 1] = hit.other
    flat[#flat + 1] = hit.response
    flat[#flat + 1] = hit.t
    flat[#flat + 1] = hit.overlap
    for _, list in ipairs({ hit.place, hit.normal }) do
      for _, value in ipairs(list) do
        flat[#flat + 1] = value
      end
    end
  end
  return flat
end

local function flattenRows(side, rows, dim)
  local flat = {}
  for _, row in ipairs(rows) do
    flat[#flat + 1] = side.known[row.other]
    flat[#flat + 1] = row.response
    flat[#flat + 1] = row.t
    flat[#flat + 1] = row.overlap
    for _, names in ipairs({ FIELDS.place, FIELDS.normal }) do
      for axis = 1, dim do
        flat[#flat + 1] = row[names[axis]]
      end
    end
  end
  return flat
end

local function show(numbers)
  local texts = {}
  for i, x in ipairs(numbers) do
    texts[i] = ("%.17g"):format(x)
  end
  return table.concat(texts, " ")
end

-- What a way must not do, whatever rounding does: end in a solid that the box was not in before, or
-- tell of times that are none.
local function checkEnd(side, box, before, place, rule)
  local after = setmetatable({}, { __index = box })
  local shape = oracle.shape(place, box.size)
  after.lo, after.hi = shape.lo, shape.hi
  for _, other in ipairs(side.owner.truth.boxes) do
    local response = other ~= box and rule(box, other)
    if response and response ~= "cross" and not other.oneWay and oracle.overlap(after, other)
      and not oracle.overlap(before, other) then
      side:fail("a move into a solid", "#" .. other.order .. " not overlapped",
        show(place))
    end
  end
end

local function checkTimes(side, rows)
  local last = 0
  for _, row in ipairs(rows) do
    if not (row.t >= last and row.t <= 1) then
      side:fail("the times of hits", "between " .. last .. " and 1", row.t)
    end
    last = row.t
  end
end

-- How many ways were checked, and how many of them were loose.
moveWalk.count = { all = 0, loose = 0 }

local function note(way)
  moveWalk.count.all = moveWalk.count.all + 1
  moveWalk.count.loose = moveWalk.count.loose + (way.loose and 1 or 0)
end

-- What the first side has said of a loose way is what all others have to say.
local function expectedOf(way, first, got)
  if way.loose then
    return first or got
  end
  return compat.concat(compat.concat(way.place, { #way.hits }), flattenHits(way.hits))
end

-- Asks each side to move a box and compares; the oracle's box moves, too, unless it is `check`.
-- Returns the number of hits.
function moveWalk.move(ls, box, goal, method)
  local filter, filterFor, asked = anyFilter(ls, box)
  local rule = moves.rule(filter)
  local way = moves.travel(ls.truth, box, goal, rule)
  local before, place, expected = oracle.shape(box.lo, box.size), way.place, nil
  note(way)
  for _, side in ipairs(ls.sides) do
    side.rows = side.rows or {}
    local got = {
      side.world[method](side.world, side.handles[box], values(goal, filterFor(side), side.rows)),
    }
    local rows, n = got[ls.dim + 1], got[ls.dim + 2]
    if rows ~= side.rows or #rows ~= n then
      side:fail("the rows of " .. method, n, #rows)
    end
    place = { compat.unpack(got, 1, ls.dim) }
    local flat = compat.concat(compat.concat(place, { n }), flattenRows(side, rows, ls.dim))
    expected = expectedOf(way, expected, flat)
    side:same(method .. " of #" .. box.order, expected, flat)
    if asked and not way.loose then
      side:same("the boxes that a filter was asked about", way.asked, asked[side])
    end
    checkEnd(side, box, before, place, rule)
    checkTimes(side, rows)
    if method == "check" then
      place = box.lo
    end
    side:same("the place after " .. method, compat.concat(place, box.size),
      { side:box(box):getRect() })
  end
  ls.truth:update(box, place)
end

-- Along one axis the same motion again is none, whatever stopped the first one.
function moveWalk.again(ls, box)
  local goal, place = compat.copy(box.lo), nil
  local axis = ls.rng:int(1, ls.dim)
  goal[axis] = moveWalk.goal(ls, box)[axis]
  local filter = ls.rng:pick({ -1, { touch = -1 } })
  for _, side in ipairs(ls.sides) do
    for _ = 1, 3 do
      local got = { side.world:move(side.handles[box], values(goal, filter)) }
      got = { compat.unpack(got, 1, ls.dim) }
      place = place or got
      side:same("the same motion again", place, got)
    end
  end
  ls.truth:update(box, place)
end

-- One call for several boxes is as many calls for one each.
function moveWalk.moveMany(ls)
  local filter, filterFor = anyFilter(ls, nil)
  if type(filter) == "function" then
    filter, filterFor = same(nil)
  end
  local rule, boxes, goals, ends, n, loose = moves.rule(filter), {}, {}, {}, 0, false
  local before = {}
  for i = 1, ls.rng:int(0, 6) do
    boxes[i] = ls:anyBox()
    before[boxes[i]] = before[boxes[i]] or boxes[i].lo
    local goal = moveWalk.goal(ls, boxes[i])
    for axis = 1, ls.dim do
      -- A box that is there twice is not yet where its second way begins.
      if not compat.isFinite(goal[axis] - before[boxes[i]][axis]) then
        goal[axis] = boxes[i].lo[axis]
      end
    end
    local way = moves.travel(ls.truth, boxes[i], goal, rule)
    local hindered = 0
    for _, hit in ipairs(way.hits) do
      hindered = hit.response ~= "cross" and 1 or hindered
    end
    n = n + hindered
    loose = loose or way.loose
    goals, ends = compat.concat(goals, goal), compat.concat(ends, way.place)
    ls.truth:update(boxes[i], way.place)
  end
  local expected
  for _, side in ipairs(ls.sides) do
    local handles = {}
    for i, box in ipairs(boxes) do
      handles[i] = side.handles[box]
    end
    local out, stopped = side.world:moveMany(handles, goals, filterFor(side), side.out)
    expected = expected or (loose and compat.concat(out, { stopped }) or compat.concat(ends, { n }))
    side:same("moveMany", expected, compat.concat(out, { stopped }))
  end
  for i, box in ipairs(boxes) do
    local last = { ls.sides[1]:box(box):getRect() }
    ls.truth:update(boxes[i], { compat.unpack(last, 1, ls.dim) })
  end
end

-- A step: hits, places and velocities. Loose ways are taken over from the first side.
function moveWalk.step(ls, dt)
  local first, loose = ls.sides[1], false
  first.world:step(dt)
  local ways = moves.step(ls.truth, dt, function(way)
    note(way)
    if way.loose then
      loose = true
      local got = { first:box(way.box):getRect() }
      way.place = { compat.unpack(got, 1, ls.dim) }
      way.v = { first:box(way.box):getVelocity() }
    end
  end)
  local expected = {}
  for _, way in ipairs(ways) do
    for _, hit in ipairs(way.hits) do
      expected = compat.concat(expected, { way.box, hit.other, hit.response, hit.t })
      expected = compat.concat(expected, hit.normal)
    end
  end
  for i, side in ipairs(ls.sides) do
    if i > 1 then
      side.world:step(dt)
    end
    local got = {}
    for box, other, response, t, nx, ny, nz in side.world:hits() do
      got = compat.concat(got, { side.known[box], side.known[other], response, t, nx, ny, nz })
    end
    expected = loose and i == 1 and got or expected
    side:same("hits", expected, got)
    for _, box in ipairs(ls.truth.boxes) do
      side:same("the place of #" .. box.order, oracle.toFlat(box), { side:box(box):getRect() })
      side:same("the velocity of #" .. box.order, box.v, { side:box(box):getVelocity() })
    end
  end
end

function moveWalk.touching(ls, box)
  local filter, filterFor = anyFilter(ls, box)
  local rule = moves.rule(filter)
  for axis = 1, ls.dim do
    for direction = -1, 1, 2 do
      local expected = moves.touching(ls.truth, box, axis, direction, rule)
      local d = {}
      for k = 1, ls.dim do
        d[k] = k == axis and direction * ls.rng:pick({ 1, 1e-300, 1e300 }) or 0
      end
      for _, side in ipairs(ls.sides) do
        local got = side.world:touching(side.handles[box], values(d, filterFor(side)))
        side:same("touching", { expected }, { side.known[got] })
      end
    end
  end
end

function moveWalk.canFit(ls, box)
  local filter, filterFor = anyFilter(ls, box)
  local rule = moves.rule(filter)
  local lo, size = walk.rect(ls)
  for axis = 1, ls.dim do
    size[axis] = size[axis] > 0 and size[axis] or 1.0
    lo[axis] = compat.isFinite(lo[axis] + size[axis]) and lo[axis] or 0.0
    size[axis] = compat.isFinite(lo[axis] + size[axis]) and size[axis] or 1.0
  end
  if ls.rng:chance(0.5) then
    lo, size = moveWalk.goal(ls, box), box.size
  end
  local expected = moves.blocking(ls.truth, box, lo, size, rule)
  for _, side in ipairs(ls.sides) do
    local free, other = side.world:canFit(side.handles[box],
      values(compat.concat(lo, size), filterFor(side)))
    side:same("canFit", { expected == nil, expected }, { free, side.known[other] })
  end
end

-- Pushing ---------------------------------------------------------------------------------------

local function placesOf(side, boxes)
  local places = {}
  for _, box in ipairs(boxes) do
    places[box] = oracle.fromFlat({ side:box(box):getRect() })
  end
  return places
end

-- Each row is of a dynamic box, once, and says where it is; nothing else has moved.
local function checkRows(side, platform, rows, before, after)
  local dim, known = side.owner.dim, {}
  for _, row in ipairs(rows) do
    local box = side.known[row.other]
    if box.static or box.sensor or platform.sensor or box == platform or known[box] then
      side:fail("a row of push", "a dynamic box and no sensor, once", "#" .. box.order)
    end
    known[box] = row
    for axis = 1, dim do
      if row[FIELDS.place[axis]] ~= after[box].lo[axis] then
        side:fail("the place in a row of push", show(after[box].lo), row[FIELDS.place[axis]])
      end
    end
  end
  for box, place in pairs(after) do
    if not known[box] and box ~= platform then
      side:same("a box that push does not tell of", before[box].lo, place.lo)
    end
  end
  return known
end

-- Nothing has come to overlap what it could make a pair with, but the platform.
local function checkNoOverlap(side, platform, known, before, after)
  for _, a in ipairs(side.owner.truth.boxes) do
    for _, b in ipairs(side.owner.truth.boxes) do
      local may = known[a] and a ~= b and b ~= platform and moves.layersMeet(a, b)
        and not a.oneWay and not b.oneWay and not b.sensor
      local was = oracle.overlap(before[a], before[b])
      if may and not was and oracle.overlap(after[a], after[b]) then
        side:fail("boxes that are driven into each other", "none", a.order .. " and " .. b.order)
      end
    end
  end
end

-- What the platform meets on its way, by box: { axis, sign } of the normal; nil if times are loose.
local function metOnTheWay(ls, platform, goal, rule)
  local met = {}
  local way = moves.travel(ls.truth, platform, goal, function(_, other)
    return moves.isSolid(rule(platform, other) or nil) and "cross" or nil
  end)
  for _, hit in ipairs(way.hits) do
    for axis, sign in ipairs(hit.normal) do
      if sign ~= 0 and not hit.overlap then
        met[hit.other] = { axis = axis, sign = sign }
      end
    end
  end
  return not way.loose and met or nil
end

-- What the platform has come into, or has gone through, is crushed, and nothing else is.
local function checkCrushed(side, platform, known, before, after, met)
  for _, box in ipairs(side.owner.truth.boxes) do
    local row, place, face = known[box], after[box], met[box]
    local crushed = box ~= platform and row and oracle.overlap(place, after[platform]) or false
    local pushes = face and not box.static
      and (not platform.oneWay or platform.oneWay[face.axis] == -face.sign)
    local rounded = false -- whether it has gone through it
    if pushes and not crushed then
      local way, largest = {}, 0
      for axis = 1, #place.lo do
        way[axis] = after[platform].lo[axis] - before[platform].lo[axis]
        for _, shape in ipairs({ before[platform], after[platform], place }) do
          largest = math.max(largest, math.abs(shape.lo[axis]), math.abs(shape.hi[axis]))
        end
      end
      local t, normal = oracle.sweep(before[platform], way, place)
      crushed = t ~= nil and t < 1
      local depth = 0
      for axis = 1, crushed and #way or 0 do
        depth = depth - (1 - t) * way[axis] * normal[axis]
      end
      rounded = crushed and depth <= 1e-9 * largest
    end
    if not oracle.overlap(before[box], before[platform]) and not rounded
      and (row and row.crushed or false) ~= crushed then
      side:fail("crushed of #" .. box.order, crushed, row and row.crushed)
    end
  end
end

-- A push: what must hold whatever is pushed, and all sides agree. The oracle takes over the places.
function moveWalk.push(ls, platform, goal)
  local filter, filterFor = anyFilter(ls, platform)
  local rule, expected, places = moves.rule(filter), nil, nil
  local riders = moves.riders(ls.truth, platform, rule)
  local met = metOnTheWay(ls, platform, goal, rule)
  for _, side in ipairs(ls.sides) do
    local before = placesOf(side, ls.truth.boxes)
    side.rows = side.rows or {}
    local got = {
      side.world:push(side.handles[platform], values(goal, filterFor(side), side.rows)),
    }
    local rows, told = got[ls.dim + 1], {}
    side:same("the goal of push", compat.concat(goal, { #rows }),
      compat.concat({ compat.unpack(got, 1, ls.dim) }, { got[ls.dim + 2] }))
    places = placesOf(side, ls.truth.boxes)
    side:same("the platform", goal, places[platform].lo)
    local known = checkRows(side, platform, rows, before, places)
    for i, row in ipairs(rows) do
      told[i] = show(places[side.known[row.other]].lo) .. tostring(row.crushed)
        .. tostring(row.carried) .. side.known[row.other].order
    end
    expected = expected or told
    side:same("the rows of push", expected, told)
    for _, box in ipairs(ls.truth.boxes) do
      local carried = known[box] and known[box].carried or false
      side:same("whether #" .. box.order .. " is carried", { riders[box] or false }, { carried })
    end
    checkNoOverlap(side, platform, known, before, places)
    if met then
      checkCrushed(side, platform, known, before, places, met)
    end
  end
  for box, place in pairs(places) do
    ls.truth:update(box, place.lo)
  end
end

return moveWalk
