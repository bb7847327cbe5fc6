-- Worlds of boxes, circles and polygons on every back end, with the same contents, beside a list of
-- the same shapes in the form of shape_oracle.lua. A check asks every world the same question. All
-- answers must be the same to the last bit, and must be those of the oracle, unless rounding could
-- decide whether shapes touch.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local oracle = require("spec.support.oracle")
local random = require("spec.support.random")
local shapes = require("spec.support.shape_oracle")

local values, unpack = compat.values, compat.unpack

local worlds = { backends = { "brute", "sweep", "grid", "tree", "auto" } }

-- How near to touching, relative to the greatest number around, both answers are allowed.
worlds.tolerance = 1e-11

-- Kinds of worlds ------------------------------------------------------------------------------
-- make(rng, dim) returns a function that makes one shape after another: { "box", lo, size }, {
-- "circle", centre, r }, { "polygon", corners }; and `reach`, about how far they are apart.

worlds.kinds = {}

local function kind(name, reach, make, scale)
  worlds.kinds[#worlds.kinds + 1] = { name = name, reach = reach, make = make, scale = scale or 1 }
end

local function vector(dim, f)
  local v = {}
  for axis = 1, dim do
    v[axis] = f(axis)
  end
  return v
end

-- Any shape around a place. Its size on each axis is `size()`.
local function anyShape(rng, dim, coord, size, corners)
  local what = rng:int(1, dim == 2 and 4 or 2)
  local at = vector(dim, coord)
  if what == 1 then
    return { "box", at, vector(dim, size) }
  elseif what == 2 then
    return { "circle", at, size() / 2 }
  end
  return { "polygon", random.polygon(rng, at[1], at[2], size() / 2, size() / 2, corners) }
end

local function around(base, far, least, most, corners)
  return function(rng, dim)
    local function coord()
      return base + rng:real(-far, far)
    end
    local function size()
      return least * math.exp(rng:real(0, math.log(most / least)))
    end
    return function()
      return anyShape(rng, dim, coord, size, corners)
    end
  end
end

-- Triangles and turned squares on whole numbers: many touch, and many hits tie.
local LATTICE = {
  { 0, 0, 1, 0, 0, 1 }, { 0, 0, 1, 0, 1, 1 }, { 0, 0, 2, 1, 0, 1 }, { 0, 1, 1, 0, 2, 1, 1, 2 },
  { 1, 0, 2, 0, 3, 1, 3, 2, 2, 3, 1, 3, 0, 2, 0, 1 }, { 0, 0, 0, 1, 1, 1, 1, 0 },
  { 0, 0, 4, 3, 0, 3 },
}

local function lattice(rng, dim)
  local function coord()
    return rng:int(-6, 6)
  end
  return function()
    local shape = anyShape(rng, dim, coord, function()
      return rng:int(1, 3)
    end)
    if shape[1] == "polygon" then
      local x, y, k, flat = coord(), coord(), rng:int(1, 3), {}
      for i, value in ipairs(rng:pick(LATTICE)) do
        flat[i] = (i % 2 == 1 and x or y) + k * value
      end
      shape[2] = flat
    end
    return shape
  end
end

-- Shapes that are long and thin, in any direction.
local function needles(rng, dim)
  local function coord()
    return rng:real(-20, 20)
  end
  return function()
    local shape = anyShape(rng, dim, coord, function()
      return rng:pick({ 0.001, 0.01, 10, 20 })
    end)
    if shape[1] == "polygon" then
      local angle, half = rng:real(0, 7), rng:pick({ 0.0005, 0.01, 0.1 })
      local x, y, l = coord(), coord(), rng:real(2, 20)
      local dx, dy = math.cos(angle), math.sin(angle)
      local flat = { x - dy * half, y + dx * half, x + dy * half, y - dx * half,
        x + dx * l, y + dy * l }
      shape[2] = flat
    end
    return shape
  end
end

-- One circle or polygon, among smaller boxes.
local function oneShape(rng, dim)
  local box, shaped = around(0, 20, 0.5, 8)(rng, dim), around(0, 5, 20, 30)(rng, dim)
  local left = rng:int(1, 20)
  return function()
    left = left - 1
    local shape
    repeat
      shape = (left == 0 and shaped or box)()
    until (shape[1] ~= "box") == (left == 0)
    return shape
  end
end

kind("a mixture", 20, around(0, 20, 0.5, 8))
kind("whole numbers that tie", 6, lattice)
kind("sizes over four orders of magnitude", 20, around(0, 20, 0.005, 50))
kind("one shape among boxes", 20, oneShape)
kind("16 corners", 20, around(0, 20, 3, 15, 16))
kind("needles", 20, needles)
kind("a million away", 20, around(1e6, 20, 0.5, 8), 1e6 / 20)
kind("thousand millions away", 20, around(-1e9, 20, 0.5, 8), 1e9 / 20)
kind("tiny", 20e-100, around(0, 20e-100, 1e-100, 8e-100))
kind("huge", 20e100, around(0, 20e100, 1e100, 8e100))

-- Worlds ---------------------------------------------------------------------------------------

local Worlds = {}
Worlds.__index = Worlds

function worlds.new(dim, kindOf, seed, count)
  local rng = random.new(seed * 100 + dim)
  local self = setmetatable({
    dim = dim, kind = kindOf, seed = seed, rng = rng, next = kindOf.make(rng, dim), list = {},
    sides = {},
  }, Worlds)
  for i, name in ipairs(worlds.backends) do
    self.sides[i] = {
      name = name, world = broadside.newWorld({ dim = dim, backend = name, results = "id" }),
      handles = {}, known = {},
    }
  end
  for _ = 1, count do
    self:insert(self.next(), { static = rng:chance(0.3) })
  end
  return self
end

function Worlds:fail(what, expected, got, side)
  error(("%s\n  dim %d, kind '%s', seed %d, back end %s\n  expected: %s\n  got:      %s"):format(
    what, self.dim, self.kind.name, self.seed, side and side.name or "of the oracle",
    tostring(expected), tostring(got)), 0)
end

local function show(list)
  local texts = {}
  for i, value in ipairs(list) do
    texts[i] = type(value) == "number" and ("%.17g"):format(value) or tostring(value)
  end
  return table.concat(texts, " ")
end

-- The oracle's shape for a shape of the generator.
local function toOracle(form)
  if form[1] == "polygon" then
    return shapes.polygon(form[2])
  end
  return shapes[form[1]](form[2], form[3])
end

local function insertInto(world, form, opts)
  if form[1] == "box" then
    return world:insert(values(compat.concat(form[2], form[3]), opts))
  elseif form[1] == "circle" then
    return world:insertCircle(values(form[2], form[3], opts))
  end
  return world:insertPolygon(form[2], opts)
end

-- An entry of the list: { order, form, shape, static, isBox }.
function Worlds:insert(form, opts)
  local entry = {
    order = #self.list + 1, form = form, shape = toOracle(form), static = opts.static,
    isBox = form[1] == "box",
  }
  self.list[entry.order] = entry
  for _, side in ipairs(self.sides) do
    local id = insertInto(side.world, form, opts)
    side.handles[entry], side.known[id] = id, entry
  end
end

-- Reads the present state from the first of the worlds.
function Worlds:refresh(entry)
  local side = self.sides[1]
  local box = side.world:getBox(side.handles[entry])
  local shape = { box:getShape() }
  if shape[1] == "circle" then
    entry.form = { "circle", { unpack(shape, 2, 1 + self.dim) }, shape[2 + self.dim] }
  elseif shape[1] == "polygon" then
    entry.form = { "polygon", shape[2] }
  else
    local rect = { box:getRect() }
    entry.form = { "box", { unpack(rect, 1, self.dim) }, { unpack(rect, 1 + self.dim) } }
  end
  entry.shape = toOracle(entry.form)
end

-- Asks each side; all must answer the same. `ask(side)` returns a flat list, in which boxes are
-- entries.
function Worlds:ask(what, ask)
  local first
  for _, side in ipairs(self.sides) do
    local got = ask(side)
    first = first or got
    local same = #got == #first
    for i = 1, #first do
      same = same and got[i] == first[i]
    end
    if not same then
      self:fail(what .. " differs between back ends", show(first), show(got), side)
    end
  end
  return first
end

-- The distance below which an answer is open, between these shapes and places up to a motion v
-- away.
function Worlds:slack(a, b, v)
  local scale = shapes.scale(a, b)
  for axis = 1, v and self.dim or 0 do
    scale = math.max(scale, math.abs(v[axis]))
  end
  return scale * worlds.tolerance
end

-- Whether they overlap: true, false, or nil if they may just touch. Boxes are exact.
function Worlds:overlap(a, b)
  if a.isBox and b.isBox then
    return oracle.overlap(oracle.shape(a.form[2], a.form[3]), oracle.shape(b.form[2], b.form[3]))
  end
  local gap, slack = shapes.gap(a.shape, b.shape), self:slack(a.shape, b.shape)
  if math.abs(gap) <= slack then
    return nil
  end
  return gap < 0
end

-- The entries for ids.
local function entries(side, ids)
  local list = {}
  for i, id in ipairs(ids) do
    list[i] = side.known[id]
  end
  return list
end

-- Checks that a list of entries has those for which `expected(entry)` is true, and none for which
-- it is false.
function Worlds:checkSet(what, got, expected)
  local has = {}
  for _, entry in ipairs(got) do
    if has[entry] then
      self:fail(what .. " tells twice", "once", show(entry.form))
    end
    has[entry] = true
  end
  for _, entry in ipairs(self.list) do
    local should = expected(entry)
    if should ~= nil and should ~= (has[entry] or false) then
      self:fail(what .. " of #" .. entry.order, should, has[entry])
    end
  end
end

-- Questions ------------------------------------------------------------------------------------

local function pairKey(a, b)
  return a.order * 1000 + b.order
end

function Worlds:checkPairs()
  local got = self:ask("pairs", function(side)
    local keys = {}
    for a, b in side.world:pairs() do
      keys[#keys + 1] = pairKey(side.known[a], side.known[b])
    end
    table.sort(keys)
    return keys
  end)
  local has = {}
  for _, key in ipairs(got) do
    has[key] = true
  end
  for i, a in ipairs(self.list) do
    for j = i + 1, #self.list do
      local b = self.list[j]
      local should = not (a.static and b.static) and self:overlap(a, b)
      if should ~= nil and should ~= (has[pairKey(a, b)] or false) then
        self:fail("pairs: " .. i .. " and " .. j .. " " .. shapes.gap(a.shape, b.shape), should,
          not should)
      end
    end
  end
end

-- Checks that overlaps are the same from both sides, even near touching.
function Worlds:checkSymmetry()
  local found = {}
  for _, entry in ipairs(self.list) do
    found[entry] = {}
    local got = self:ask("queryBox", function(side)
      return entries(side, (side.world:queryBox(side.handles[entry])))
    end)
    self:checkSet("queryBox", got, function(other)
      return other ~= entry and self:overlap(entry, other)
    end)
    for _, other in ipairs(got) do
      found[entry][other] = true
    end
  end
  for a, others in pairs(found) do
    for b in pairs(others) do
      if not found[b][a] then
        self:fail("queryBox", "#" .. a.order .. " meets #" .. b.order, "but not back")
      end
    end
  end
end

-- A place somewhere among the shapes.
function Worlds:point()
  local form = self.next()
  if form[1] == "polygon" then
    return { form[2][1], form[2][2] }
  end
  return form[2]
end

function Worlds:length()
  return self.kind.reach * self.rng:pick({ 0.02, 0.1, 0.5 }) * self.rng:real(0.5, 1)
end

-- A query by a shape: { method, arguments, shape }.
function Worlds:checkQuery(method, args, shape)
  local probe = { shape = shape, form = { "other" }, isBox = false }
  local got = self:ask(method, function(side)
    return entries(side, (side.world[method](side.world, unpack(args))))
  end)
  self:checkSet(method, got, function(entry)
    return self:overlap(probe, entry)
  end)
end

function Worlds:checkQueries()
  local p, r = self:point(), self:length()
  local size = vector(self.dim, function()
    return self:length()
  end)
  self:checkQuery("queryPoint", p, shapes.circle(p, 0))
  self:checkQuery("queryCircle", compat.concat(p, { r }), shapes.circle(p, r))
  self:checkQuery("queryRect", compat.concat(p, size), shapes.box(p, size))
end

function Worlds:checkNearest()
  local p, k = self:point(), self.rng:pick({ 1, 3, 100 })
  local most = self.rng:chance(0.5) and self:length() or math.huge
  local got = self:ask("nearest", function(side)
    return entries(side, (side.world:nearest(values(p, k, nil, most))))
  end)
  local distances, last = {}, 0
  for _, entry in ipairs(self.list) do
    distances[entry] = shapes.distance(p, entry.shape)
  end
  for _, entry in ipairs(got) do
    local slack = self:slack(entry.shape, entry.shape)
    if distances[entry] < last - slack or distances[entry] > most + slack then
      self:fail("nearest", "between " .. last .. " and " .. most, distances[entry])
    end
    last = distances[entry]
  end
  self:checkSet("nearest", got, function(entry)
    local slack = self:slack(entry.shape, entry.shape)
    if #got == k and distances[entry] > last - slack then
      return nil
    end
    return distances[entry] < most - slack or distances[entry] <= most + slack and nil
  end)
end

-- Casts ----------------------------------------------------------------------------------------

local function unitLength(n)
  local sum = 0
  for _, x in ipairs(n) do
    sum = sum + x * x
  end
  return math.abs(sum - 1) < 1e-12
end

local function dot(a, b)
  local sum = 0
  for axis = 1, #a do
    sum = sum + a[axis] * b[axis]
  end
  return sum
end

-- Checks a hit at time t with normal n: the shapes touch then, along that normal, and not before.
function Worlds:checkHit(what, probe, v, entry, t, n)
  local function where(time)
    return shapes.moved(probe.shape, vector(self.dim, function(axis)
      return v[axis] * time
    end))
  end
  local slack = self:slack(probe.shape, entry.shape, v)
  if not (t >= 0 and t < 1) then
    self:fail(what .. ": the time", "within [0, 1)", t)
  elseif n[1] == 0 and n[2] == 0 and (n[3] or 0) == 0 then
    if t ~= 0 or shapes.gap(probe.shape, entry.shape) > slack then
      self:fail(what .. ": a hit without a normal", "at time 0, within", t)
    end
    return
  end
  local gap, along = shapes.gap(where(t), entry.shape), shapes.gapAlong(where(t), entry.shape, n)
  if math.abs(gap) > slack then
    self:fail(what .. ": the gap at the contact, t " .. t, 0, gap)
  elseif not unitLength(n) then
    self:fail(what .. ": the normal", "of length 1", show(n))
  elseif along < -slack then
    self:fail(what .. ": how deep they are along the normal " .. show(n), 0, along)
  elseif dot(n, v) >= 0 then
    self:fail(what .. ": the normal", "against the motion " .. show(v), show(n))
  end
end

-- Checks each shape alone against a moving one. `probe` has a shape, and may be an entry.
-- `cast(side, filter)` returns id, t, normal.
function Worlds:checkCastOf(what, probe, v, entry, cast)
  local got = self:ask(what, function(side)
    local function only(id)
      return side.known[id] == entry
    end
    return { cast(side, only) }
  end)
  local slack = self:slack(probe.shape, entry.shape, v)
  local start = shapes.gap(probe.shape, entry.shape)
  local t, least = shapes.sweep(probe.shape, v, entry.shape)
  if start > slack and t and least < -slack then
    if got[1] == nil then
      self:fail(what .. " of #" .. entry.order .. " at " .. t .. " as deep as " .. least, "a hit",
        "none")
    elseif math.abs(got[1] - t) > 1e-9 and math.abs(shapes.gap(shapes.moved(probe.shape,
      vector(self.dim, function(axis)
        return v[axis] * got[1]
      end)), entry.shape)) > slack then
      self:fail(what .. " of #" .. entry.order .. ": the time", ("%.17g"):format(t),
        ("%.17g"):format(got[1]))
    end
  elseif least > slack and got[1] ~= nil then
    self:fail(what .. " of #" .. entry.order .. " at least " .. least .. " apart", "none", got[1])
  elseif start < -slack and not (got[1] == 0 and dot({ unpack(got, 2) }, { unpack(got, 2) }) == 0)
    then
    self:fail(what .. " of #" .. entry.order .. " that overlaps", "0 and no normal", show(got))
  end
  if got[1] ~= nil then
    self:checkHit(what .. " of #" .. entry.order, probe, v, entry, got[1], { unpack(got, 2) })
  end
  return got[1]
end

-- Checks all shapes: each alone, then all together: the first one, and all in the order of time.
function Worlds:checkCast(what, probe, v, cast, all)
  local times = {}
  for _, entry in ipairs(self.list) do
    if entry ~= probe then
      times[entry] = self:checkCastOf(what, probe, v, entry, function(side, only)
        return select(2, cast(side, only))
      end)
    end
  end
  local first = self:ask(what, function(side)
    local id, t = cast(side, nil)
    return { side.known[id], t }
  end)
  local least
  for entry, t in pairs(times) do
    least = least and math.min(least, t) or t
    if first[1] == nil or t < first[2] then
      self:fail(what .. " of #" .. entry.order, "no later than " .. t, first[2])
    end
  end
  if first[1] and (first[2] ~= least or times[first[1]] ~= least) then
    self:fail(what, least, first[2])
  end
  if all then
    local list, last = self:ask("all of " .. what, function(side)
      return entries(side, (all(side)))
    end), 0
    self:checkSet("all of " .. what, list, function(entry)
      return times[entry] ~= nil
    end)
    for _, entry in ipairs(list) do
      if times[entry] < last then
        self:fail("the order of " .. what, last, times[entry])
      end
      last = times[entry]
    end
  end
end

function Worlds:motion()
  local l = self.kind.reach * self.rng:pick({ 0.1, 1, 2 })
  local still = self.rng:chance(0.3) and self.rng:int(1, self.dim) or 0
  return vector(self.dim, function(axis)
    return axis == still and 0 or self.rng:real(-l, l)
  end)
end

function Worlds:checkCasts()
  local p, v = self:point(), self:motion()
  local q = vector(self.dim, function(axis)
    return p[axis] + v[axis]
  end)
  local real = vector(self.dim, function(axis)
    return q[axis] - p[axis]
  end)
  local ends = compat.concat(p, q)
  self:checkCast("segmentCast", { shape = shapes.circle(p, 0) }, real, function(side, filter)
    local got = { side.world:segmentCast(values(ends, filter)) }
    if got[1] then
      return got[1], got[2 + 2 * self.dim], unpack(got, 2 + self.dim, 1 + 2 * self.dim)
    end
  end, function(side)
    return side.world:querySegment(unpack(ends))
  end)
  local size = vector(self.dim, function()
    return self:length()
  end)
  local rect = compat.concat(compat.concat(p, size), v)
  self:checkCast("sweepRect", { shape = shapes.box(p, size) }, v, function(side, filter)
    return side.world:sweepRect(values(rect, filter))
  end)
  local entry = self.rng:pick(self.list)
  self:checkCast("sweep", entry, v, function(side, filter)
    return side.world:sweep(side.handles[entry], values(v, filter))
  end, function(side)
    return side.world:querySweep(side.handles[entry], unpack(v))
  end)
end

-- Casts one shape against another and back: the time must be the same, and the normal opposite.
function Worlds:checkOpposite()
  local a, b, v = self.rng:pick(self.list), self.rng:pick(self.list), self:motion()
  if a == b then
    return
  end
  local side = self.sides[1]
  local function sweep(mover, other, motion)
    return { select(2, side.world:sweep(side.handles[mover], values(motion, function(id)
      return side.known[id] == other
    end))) }
  end
  local there, back = sweep(a, b, v), sweep(b, a, vector(self.dim, function(axis)
    return -v[axis]
  end))
  for i = 2, #back do
    back[i] = -back[i]
  end
  local same = #there == #back
  for i = 1, #there do
    same = same and there[i] == back[i]
  end
  if not same then
    self:fail("sweep of #" .. a.order .. " to #" .. b.order .. " and back", show(there), show(back))
  end
end

-- Movement -------------------------------------------------------------------------------------

-- The set of boxes that a box overlaps, according to the world.
local function overlapped(side, entry)
  local set = {}
  for _, other in ipairs(entries(side, (side.world:queryBox(side.handles[entry])))) do
    set[other] = true
  end
  return set
end

-- Checks resolve for a box that overlaps only one other: it gets the least push, and no more.
function Worlds:checkResolve()
  local entry = self.rng:pick(self.list)
  local before = overlapped(self.sides[1], entry)
  local only = next(before)
  local more = only and next(before, only)
  local push, depth
  if only and not more then
    push, depth = shapes.separation(entry.shape, only.shape)
  end
  local got = self:ask("resolve", function(side)
    return { side.world:resolve(side.handles[entry]) }
  end)
  if only and push and depth > self:slack(entry.shape, only.shape) and got[self.dim + 1] == 1 then
    local l = 0
    for axis = 1, self.dim do
      l = math.max(l, math.abs(got[axis]))
    end
    local sum = 0
    for axis = 1, self.dim do
      sum = sum + (got[axis] / l) ^ 2
    end
    local slack = self:slack(entry.shape, only.shape)
    if math.abs(l * math.sqrt(sum) - depth) > slack then
      self:fail("resolve: how far it pushes", depth, l * math.sqrt(sum))
    end
  end
  if got[self.dim + 1] == 1 then
    for other in pairs(overlapped(self.sides[1], entry)) do
      if before[other] and not more then
        self:fail("resolve: what is overlapped after it", "nothing", "#" .. other.order)
      end
    end
  end
  self:refresh(entry)
end

-- The rows of a move as one flat list.
local function flatten(side, rows, dim)
  local flat = {}
  for _, row in ipairs(rows) do
    local list = { side.known[row.other], row.response, row.t, row.overlap, row.x, row.y, row.z }
    for i = 1, dim == 2 and 6 or 7 do
      flat[#flat + 1] = list[i]
    end
    flat[#flat + 1], flat[#flat + 2], flat[#flat + 3] = row.nx, row.ny, row.nz
  end
  return flat
end

-- The least corner of a shape's rectangle.
function Worlds:corner(entry)
  local side = self.sides[1]
  local rect = { side.world:getBox(side.handles[entry]):getRect() }
  return { unpack(rect, 1, self.dim) }, rect
end

-- Checks that every row touches its box with that normal, and that nothing is overlapped that was
-- not before.
function Worlds:checkRows(entry, before, corner, rows, side)
  local last = 0
  for _, row in ipairs(rows) do
    local other, at = side.known[row.other], { row.x, row.y, row.z }
    local moved = shapes.moved(entry.shape, vector(self.dim, function(axis)
      return at[axis] - corner[axis]
    end))
    local slack = self:slack(moved, other.shape, corner)
    local n = { row.nx, row.ny, row.nz }
    if row.t < last or row.t > 1 then
      self:fail("move: the time of a hit", "from " .. last .. " to 1", row.t)
    elseif row.overlap and not before[other]
      or before[other] and not row.overlap and row.t == 0 then -- it may be left, and hit again
      self:fail("move: overlap with #" .. other.order, before[other], row.overlap)
    elseif not row.overlap and math.abs(shapes.gap(moved, other.shape)) > slack then
      self:fail("move: the gap at #" .. other.order, 0, shapes.gap(moved, other.shape))
    elseif not unitLength(n) then
      self:fail("move: the normal", "of length 1", show(n))
    elseif not row.overlap and shapes.gapAlong(moved, other.shape, n) < -slack then
      self:fail("move: the normal of #" .. other.order, 0, shapes.gapAlong(moved, other.shape, n))
    end
    last = row.t
  end
end

-- The part of the motion into the face that each response removes.
local TAKEN = { slide = 1, bounce = 2, cross = 0 }

-- Checks where a move ends that has hit one thing with a straight side.
function Worlds:checkEnd(row, place, goal)
  local at, n, into = { row.x, row.y, row.z }, { row.nx, row.ny, row.nz }, 0
  for axis = 1, self.dim do
    into = into + (goal[axis] - at[axis]) * n[axis]
  end
  for axis = 1, self.dim do
    local expected = at[axis]
    if TAKEN[row.response] then
      expected = goal[axis] - TAKEN[row.response] * into * n[axis]
    end
    local scale = math.max(math.abs(goal[axis]), math.abs(at[axis]), self.kind.reach)
    if math.abs(place[axis] - expected) > scale * worlds.tolerance then
      self:fail("where a move ends after a " .. row.response, expected, place[axis])
    end
  end
end

function Worlds:checkMove()
  local entry, v = self.rng:pick(self.list), self:motion()
  local filter = self.rng:pick({ -1, { touch = -1 }, { bounce = -1 }, { cross = -1 } })
  local solid = type(filter) == "number" or not filter.cross
  local corner = self:corner(entry)
  local goal = vector(self.dim, function(axis)
    return corner[axis] + v[axis]
  end)
  local before = overlapped(self.sides[1], entry)
  local results = {}
  for _, method in ipairs({ "check", "move" }) do
    results[method] = self:ask(method, function(side)
      local got = { side.world[method](side.world, side.handles[entry], values(goal, filter)) }
      local rows = got[self.dim + 1]
      self:checkRows(entry, before, corner, rows, side)
      local place = { unpack(got, 1, self.dim) }
      local only = #rows == 1 and rows[1] or nil
      local met = only and side.known[only.other]
      if only and not only.overlap and entry.form[1] ~= "circle" and met.form[1] ~= "circle" then
        self:checkEnd(only, place, goal)
      end
      return compat.concat(place, flatten(side, rows, self.dim))
    end)
  end
  if show(results.check) ~= show(results.move) then
    self:fail("check beside move", show(results.check), show(results.move))
  end
  for _, side in ipairs(self.sides) do
    for other in pairs(overlapped(side, entry)) do
      if solid and not before[other] then
        self:fail("move of #" .. entry.order .. " into #" .. other.order, "no overlap", "one", side)
      end
    end
  end
  local place = self:corner(entry)
  for axis = 1, self.dim do
    if place[axis] ~= results.move[axis] then
      self:fail("where it is after a move", results.move[axis], place[axis])
    end
  end
  if #results.move == self.dim and show(place) ~= show(goal) then
    self:fail("a move that meets nothing", show(goal), show(place))
  end
  self:refresh(entry)
end

-- Steps all worlds, in which half of the boxes move. None may move into something that it did not
-- overlap before.
function Worlds:checkStep()
  local function keysOfPairs(side)
    local keys = {}
    for a, b in side.world:pairs() do
      keys[pairKey(side.known[a], side.known[b])] = true
    end
    return keys
  end
  local before = keysOfPairs(self.sides[1])
  for _, entry in ipairs(self.list) do
    if self.rng:chance(0.5) then
      local v, response = self:motion(), self.rng:pick({ "slide", "touch", "bounce" })
      for _, side in ipairs(self.sides) do
        local box = side.world:getBox(side.handles[entry])
        box:setVelocity(unpack(v))
        box:setResponse(response)
      end
    end
  end
  for _, side in ipairs(self.sides) do
    side.world:step(0.25)
  end
  self:ask("step", function(side)
    local flat = {}
    for _, entry in ipairs(self.list) do
      local box = side.world:getBox(side.handles[entry])
      flat = compat.concat(flat, { box:getRect() })
      flat = compat.concat(flat, { box:getVelocity() })
    end
    for box, other, response, t, nx, ny, nz in side.world:hits() do
      flat = compat.concat(flat, { side.known[box], side.known[other], response, t, nx, ny, nz })
    end
    return flat
  end)
  for key in pairs(keysOfPairs(self.sides[1])) do
    if not before[key] then
      self:fail("a step into something", "no pair that was not there", key)
    end
  end
  for _, entry in ipairs(self.list) do
    self:refresh(entry)
  end
end

return worlds
