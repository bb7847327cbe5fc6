-- Random movement on the worlds of a lockstep. All back ends must say the same, to the last bit;
-- what a box meets first must be what a sweep meets first; and it may end in nothing that is solid.

local compat = require("spec.support.compat")
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

local MASKED = { "touch", "bounce", "slide", "cross" } -- the first whose mask has a bit counts
local ANSWERS = { "slide", "touch", "bounce", "cross", "slide", false }

local function layersMeet(a, b)
  return compat.shareBit(a.mask, b.layer) and compat.shareBit(b.mask, a.layer)
end

local function byMasks(masks)
  return function(box, other)
    local toPairs
    for _, response in ipairs(MASKED) do
      local mask = masks[response]
      if mask == true then
        toPairs = toPairs or response
      elseif mask and compat.shareBit(mask, other.layer) then
        return response
      end
    end
    return layersMeet(box, other) and toPairs or nil
  end
end

local function anyMasks(ls)
  local masks = {}
  for _, response in ipairs(MASKED) do
    if ls.rng:chance(0.5) then
      masks[response] = ls.rng:pick({ 1, 2, 3, 4, 5, 4294967295, true })
    end
  end
  return masks
end

-- A rule, the response to an oracle box or nil, and a function that gives it as a filter for a
-- side; `asked[side]` is then what the side's function was asked about.
local function anyFilter(ls)
  local what, asked = ls.rng:int(1, 10), {}
  if what <= 4 then
    local ignored = what > 2 and ls:anyBox() or nil
    return function(box, other)
      return other ~= ignored and layersMeet(box, other) and "slide"
    end, function(side)
      return ignored and side:box(ignored)
    end, asked
  elseif what <= 8 then
    local masks = what <= 6 and { slide = ls.rng:pick({ 0, 1, 2, 3, -1 }) } or anyMasks(ls)
    return byMasks(masks), function()
      return what <= 6 and masks.slide or masks
    end, asked
  end
  local shift = ls.rng:int(0, 5)
  local function rule(_, other)
    return ANSWERS[(other.order + shift) % 6 + 1]
  end
  return rule, function(side)
    asked[side] = {}
    return function(mover, other)
      asked[side][#asked[side] + 1] = side.known[other]
      return rule(side.known[mover], side.known[other])
    end
  end, asked
end

local function isSolid(box, other, rule)
  local response = rule(box, other)
  return response and response ~= "cross" and not box.sensor and not other.sensor
end

-- Checks ---------------------------------------------------------------------------------------

local NAMES = { "other", "response", "t", "overlap", "x", "y", "z", "nx", "ny", "nz", "crushed",
  "carried" }

local function flatten(side, rows)
  local flat = {}
  for _, row in ipairs(rows) do
    for _, name in ipairs(NAMES) do
      flat[#flat + 1] = name == "other" and side.known[row.other] or row[name]
    end
  end
  return flat
end

-- Asks each side; all must say what the first one says. Returns that.
local function agree(ls, what, ask)
  local first
  for _, side in ipairs(ls.sides) do
    local got = ask(side)
    first = first or got
    side:same(what, first, got)
  end
  return first
end

-- The oracle takes over where boxes are, and how fast.
local function follow(ls)
  for _, box in ipairs(ls.truth.boxes) do
    local rect = agree(ls, "the place of #" .. box.order, function(side)
      return { side:box(box):getRect() }
    end)
    box.v = agree(ls, "the velocity of #" .. box.order, function(side)
      return { side:box(box):getVelocity() }
    end)
    ls.truth:update(box, { compat.unpack(rect, 1, ls.dim) })
  end
end

-- The first contact that a sweep has, and the first row, unless the box is in something before.
local function checkFirst(side, box, goal, rule, rows)
  local v, first = {}, {}
  for axis = 1, #goal do
    v[axis] = goal[axis] - box.lo[axis]
  end
  if rows[1] and (rows[1].overlap or rows[1].t == 1) then
    return
  end
  for _, hit in ipairs(side.owner.truth:querySweep(box, v)) do
    local other, sign, axis = hit.box, 0, 0
    for k, n in ipairs(hit.normal) do
      sign, axis = n ~= 0 and n or sign, n ~= 0 and k or axis
    end
    local hasFace = not other.oneWay or other.oneWay[axis] == sign
    if sign ~= 0 and hasFace and rule(box, other) then
      local crosses = not isSolid(box, other, rule)
      first = { other, crosses and "cross" or rule(box, other), hit.t, compat.unpack(hit.normal) }
      break
    end
  end
  local row = rows[1] or {}
  side:same("what is met first", first,
    { side.known[row.other], row.response, row.t, row.nx, row.ny, row.nz })
end

local function checkEnd(side, box, place, rule)
  local after = oracle.shape(place, box.size)
  for _, other in ipairs(side.owner.truth.boxes) do
    if other ~= box and isSolid(box, other, rule) and not other.oneWay
      and oracle.overlap(after, other) and not oracle.overlap(box, other) then
      side:fail("a move into a solid", "#" .. other.order .. " not overlapped", place[1])
    end
  end
end

-- `method`: check, or move.
function moveWalk.move(ls, box, goal, method)
  local rule, filterFor, asked = anyFilter(ls)
  local before
  agree(ls, method, function(side)
    side.rows = side.rows or {}
    local got = {
      side.world[method](side.world, side.handles[box], values(goal, filterFor(side), side.rows)),
    }
    local rows, n = got[ls.dim + 1], got[ls.dim + 2]
    if rows ~= side.rows or #rows ~= n then
      side:fail("the rows of " .. method, n, #rows)
    end
    checkFirst(side, box, goal, rule, rows)
    checkEnd(side, box, { compat.unpack(got, 1, ls.dim) }, rule)
    before = before or asked[side]
    side:same("the boxes that a filter was asked about", before or {}, asked[side] or {})
    return compat.concat({ compat.unpack(got, 1, ls.dim) }, flatten(side, rows))
  end)
  follow(ls)
end

-- One call for several boxes is as many calls for one each, which all sides but the first make.
function moveWalk.moveMany(ls)
  local _, filterFor = anyFilter(ls)
  local boxes, goals = {}, {}
  for i = 1, math.min(ls.rng:int(0, 6), ls:count()) do
    boxes[i] = ls.truth.boxes[i]
    goals[i] = moveWalk.goal(ls, boxes[i])
  end
  agree(ls, "moveMany", function(side)
    local handles, flat, ends, n = {}, {}, {}, 0
    for i, box in ipairs(boxes) do
      handles[i], flat = side.handles[box], compat.concat(flat, goals[i])
    end
    if side == ls.sides[1] then
      ends, n = side.world:moveMany(handles, flat, filterFor(side), side.out)
      return compat.concat(ends, { n })
    end
    for i, handle in ipairs(handles) do
      local got = { side.world:move(handle, values(goals[i], filterFor(side))) }
      local stopped = 0
      for _, row in ipairs(got[ls.dim + 1]) do
        stopped = row.response ~= "cross" and 1 or stopped
      end
      ends, n = compat.concat(ends, { compat.unpack(got, 1, ls.dim) }), n + stopped
    end
    return compat.concat(ends, { n })
  end)
  follow(ls)
end

function moveWalk.step(ls, dt)
  agree(ls, "hits", function(side)
    local got = {}
    side.world:step(dt)
    for box, other, response, t, nx, ny, nz in side.world:hits() do
      got = compat.concat(got, { side.known[box], side.known[other], response, t, nx, ny, nz })
    end
    return got
  end)
  follow(ls)
end

function moveWalk.touching(ls, box)
  local _, filterFor = anyFilter(ls)
  for axis = 1, 2 * ls.dim do
    local d = {}
    for k = 1, ls.dim do
      d[k] = k == math.ceil(axis / 2) and (-1) ^ axis * ls.rng:pick({ 1, 1e-300, 1e300 }) or 0
    end
    agree(ls, "touching", function(side)
      return { side.known[side.world:touching(side.handles[box], values(d, filterFor(side)))] }
    end)
  end
end

-- A place that is taken is told with the first box there.
function moveWalk.canFit(ls, box)
  local rule, filterFor = anyFilter(ls)
  local lo = moveWalk.goal(ls, box)
  local shape, blocking = oracle.shape(lo, box.size), nil
  for _, other in ipairs(ls.truth.boxes) do
    if not blocking and other ~= box and not other.oneWay and oracle.overlap(shape, other)
      and isSolid(box, other, rule) then
      blocking = other
    end
  end
  for _, side in ipairs(ls.sides) do
    local free, other = side.world:canFit(side.handles[box],
      values(compat.concat(lo, box.size), filterFor(side)))
    side:same("canFit", { blocking == nil, blocking }, { free, side.known[other] })
  end
end

function moveWalk.push(ls, platform, goal)
  local _, filterFor = anyFilter(ls)
  agree(ls, "push", function(side)
    local got = { side.world:push(side.handles[platform], values(goal, filterFor(side))) }
    side:same("the goal of push", goal, { compat.unpack(got, 1, ls.dim) })
    return flatten(side, got[ls.dim + 1])
  end)
  follow(ls)
end

return moveWalk
