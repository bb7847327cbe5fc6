-- One oracle world, and a Broadside world on every back end, all of which get the same changes. A
-- check asks all worlds the same question, and compares each answer with the oracle's. The message
-- of a failure names the seed; BROADSIDE_SEED=<seed> repeats it first.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local oracle = require("spec.support.oracle")
local random = require("spec.support.random")

local unpack, values = compat.unpack, compat.values

local lockstep = {}

-- BROADSIDE_BACKENDS="tree grid" leaves out the other back ends.
lockstep.backends = {}
for name in (os.getenv("BROADSIDE_BACKENDS") or "brute sweep grid tree auto"):gmatch("%a+") do
  lockstep.backends[#lockstep.backends + 1] = name
end

-- One world ------------------------------------------------------------------------------------

local Side = {}
Side.__index = Side

-- A back end of that name, often with unusual options.
local function anyBackend(rng, name)
  if rng:chance(0.5) then
    return name
  elseif name == "sweep" then
    return broadside.newSweep({ axis = rng:pick({ 1, 2, "x", "y" }) })
  elseif name == "grid" then
    return broadside.newGrid({ cellSize = rng:pick({ 0.5, 5, 64, 1e6 }) })
  elseif name == "tree" then
    return broadside.newTree({ margin = rng:pick({ 0, 0.1, 8, 1000 }) })
  elseif name == "brute" then
    return broadside.newBrute()
  end
  return broadside.newAuto()
end

local function newSide(owner, name)
  return setmetatable({
    owner = owner,
    name = name,
    handles = {}, -- oracle box -> Box or id
    known = {}, -- Box or id -> oracle box
    out = {}, -- the list that queries write into
    world = broadside.newWorld({
      dim = owner.dim,
      backend = anyBackend(owner.choice, name),
      results = owner.results,
    }),
  }, Side)
end

function Side:learn(box, handle)
  self.handles[box], self.known[handle] = handle, box
end

-- The Box of an oracle box, whatever the results of the world are.
function Side:box(box)
  local handle = self.handles[box]
  return self.owner.results == "id" and self.world:getBox(handle) or handle
end

function Side:fail(what, expected, got)
  local owner = self.owner
  error(("%s differs from the oracle\n  back end %s, dim %d, kind '%s', seed %d, step %d, "
    .. "results %s\n  expected: %s\n  got:      %s"):format(what, self.name, owner.dim,
    owner.kind.name, owner.seed, owner.steps, owner.results, expected, got), 0)
end

local function describe(list)
  local names = {}
  for i, item in ipairs(list) do
    if type(item) == "table" then
      names[i] = item.order and "#" .. item.order or "(" .. describe(item) .. ")"
    else
      names[i] = type(item) == "number" and ("%.17g"):format(item) or tostring(item)
    end
  end
  return #names == 0 and "nothing" or table.concat(names, " ")
end

-- Compares two flat lists of oracle boxes, numbers and strings.
function Side:same(what, expected, got)
  local equal = #expected == #got
  for i = 1, #expected do
    equal = equal and expected[i] == got[i]
  end
  if not equal then
    self:fail(what, describe(expected), describe(got))
  end
end

-- The oracle's boxes for a list that a world has returned.
function Side:translate(what, n, out, length)
  if #out ~= length then
    self:fail("the length of " .. what, length, ("%d with n = %s"):format(#out, tostring(n)))
  end
  local boxes = {}
  for i = 1, length do
    boxes[i] = self.known[out[i]] or self:fail(what, "a box of this world", tostring(out[i]))
  end
  return boxes
end

-- The worlds -----------------------------------------------------------------------------------

local Lockstep = {}
Lockstep.__index = Lockstep

-- options: dim, seed, kind (of random.kinds), results ("box" or "id"; the seed chooses if it is
-- left out), exact (sums of coordinates never round)
function lockstep.new(options)
  local self = setmetatable({
    dim = options.dim,
    seed = options.seed,
    kind = options.kind,
    results = options.results or options.seed % 2 == 0 and "id" or "box",
    exact = options.exact,
    steps = 0,
    rng = random.new(options.seed * 1000 + options.dim),
    -- Choices that only concern back ends use a generator of their own, so that a run with fewer
    -- back ends does the same otherwise.
    choice = random.new(options.seed * 1000 + options.dim + 500),
    truth = oracle.newWorld(options.dim),
    sides = {},
  }, Lockstep)
  self.coord, self.size = options.kind.make(self.rng)
  for i, name in ipairs(lockstep.backends) do
    self.sides[i] = newSide(self, name)
  end
  return self
end

function Lockstep:count()
  return #self.truth.boxes
end

function Lockstep:anyBox()
  return self.rng:pick(self.truth.boxes)
end

-- Changes --------------------------------------------------------------------------------------

local AXES = { "x", "y", "z" }

-- Converts the options of the oracle to those of the API: v = {1, 2} becomes vx = 1, vy = 2.
local function apiOptions(opts)
  local out = {
    static = opts.static, layer = opts.layer, mask = opts.mask, data = opts.data,
    sensor = opts.sensor, gravityScale = opts.gravityScale,
  }
  for axis, name in ipairs(AXES) do
    out["v" .. name] = opts.v and opts.v[axis]
    out["a" .. name] = opts.a and opts.a[axis]
  end
  return out
end

function Lockstep:insert(lo, size, opts)
  local box = self.truth:insert(lo, size, opts)
  local args = compat.concat(lo, size)
  local api = opts and apiOptions(opts)
  for _, side in ipairs(self.sides) do
    side:learn(box, side.world:insert(values(args, api)))
  end
  return box
end

-- rects: a list of { lo, size }
function Lockstep:insertMany(rects, opts)
  local flat, boxes = {}, {}
  for i, rect in ipairs(rects) do
    boxes[i] = self.truth:insert(rect[1], rect[2], opts)
    for _, value in ipairs(oracle.toFlat(boxes[i])) do
      flat[#flat + 1] = value
    end
  end
  for _, side in ipairs(self.sides) do
    local out, n = side.world:insertMany(flat, opts and apiOptions(opts))
    if n ~= #rects then
      side:fail("the count of insertMany", #rects, n)
    end
    for i, box in ipairs(boxes) do
      side:learn(box, out[i])
    end
  end
end

function Lockstep:remove(box)
  self.truth:remove(box)
  for _, side in ipairs(self.sides) do
    side.world:remove(side.handles[box])
  end
end

function Lockstep:clear()
  self.truth:clear()
  for _, side in ipairs(self.sides) do
    side.world:clear()
  end
end

-- method: "update" (of the world) or "setRect" (of the Box)
function Lockstep:update(box, lo, size, method)
  self.truth:update(box, lo, size)
  local args = size and compat.concat(lo, size) or lo
  for _, side in ipairs(self.sides) do
    if method == "setRect" then
      side:box(box):setRect(unpack(args))
    else
      side.world:update(side.handles[box], unpack(args))
    end
  end
end

-- boxes: a list; places: a list with the place of each
function Lockstep:updateMany(boxes, places)
  local flat = {}
  for i, box in ipairs(boxes) do
    self.truth:update(box, places[i])
    for _, value in ipairs(places[i]) do
      flat[#flat + 1] = value
    end
  end
  for _, side in ipairs(self.sides) do
    local handles = {}
    for i, box in ipairs(boxes) do
      handles[i] = side.handles[box]
    end
    side.world:updateMany(handles, flat)
  end
end

-- The contract does not say how a corner is rounded, but the worlds have to agree on it.
function Lockstep:setCenter(box, centre)
  local corner
  for _, side in ipairs(self.sides) do
    local handle = side:box(box)
    handle:setCenter(unpack(centre))
    local rect = { handle:getRect() }
    corner = corner or { unpack(rect, 1, self.dim) }
    side:same("the corner after setCenter", compat.concat(corner, box.size), rect)
  end
  self.truth:update(box, corner)
end

function Lockstep:setStatic(box, static)
  box.static = static
  for _, side in ipairs(self.sides) do
    side:box(box):setStatic(static)
  end
end

function Lockstep:setFilter(box, layer, mask)
  box.layer, box.mask = layer % 4294967296, mask % 4294967296
  for _, side in ipairs(self.sides) do
    side:box(box):setFilter(layer, mask)
  end
end

function Lockstep:setVelocity(box, v)
  box.v = v
  for _, side in ipairs(self.sides) do
    side:box(box):setVelocity(unpack(v))
  end
end

function Lockstep:setAcceleration(box, a)
  box.a = a
  for _, side in ipairs(self.sides) do
    side:box(box):setAcceleration(unpack(a))
  end
end

function Lockstep:setGravity(gravity)
  self.truth.gravity = gravity
  for _, side in ipairs(self.sides) do
    side.world:setGravity(unpack(gravity))
  end
end

function Lockstep:step(dt)
  self.truth:step(dt)
  for _, side in ipairs(self.sides) do
    side.world:step(dt)
  end
end

-- The oracle has nothing to trim.
function Lockstep:trim()
  for _, side in ipairs(self.sides) do
    side.world:trim()
  end
end

-- Takes a snapshot of every world. Their hashes must be the same, whatever their back ends are.
function Lockstep:snapshot()
  self.saved = self.truth:snapshot()
  for _, side in ipairs(self.sides) do
    side.saved = side.world:snapshot(self.choice:chance(0.8) and side.saved or nil)
    side:same("getHash", { self.sides[1].saved:getHash() }, { side.saved:getHash() })
  end
end

-- Makes a new world from the string. If boxes are ids, they are valid there, too.
local function reload(side, bytes)
  side.world = broadside.newWorld({
    dim = side.owner.dim, backend = side.world:getBackend():getName(), results = "id",
  })
  side.world:restore(bytes)
end

-- Restores the last snapshot, if there is one. Boxes that were inserted since then may have had the
-- ids, and the Boxes, that restored boxes have.
function Lockstep:restore()
  if not self.saved then
    return
  end
  self.truth:restore(self.saved)
  for _, side in ipairs(self.sides) do
    local what = self.choice:int(1, 4)
    if what == 1 and self.results == "id" then
      reload(side, side.saved:getString())
      side.saved = side.world:snapshot()
    else
      side.world:restore(what == 2 and side.saved:getString() or side.saved)
      local hash = side.world:snapshot():getHash()
      side:same("getHash after restore", { side.saved:getHash() }, { hash })
    end
    for _, box in ipairs(self.truth.boxes) do
      side.known[side.handles[box]] = box
    end
  end
end

-- Gives every world another back end.
function Lockstep:setBackends()
  for _, side in ipairs(self.sides) do
    side.name = self.choice:pick(lockstep.backends)
    side.world:setBackend(anyBackend(self.choice, side.name))
  end
end

-- Filters --------------------------------------------------------------------------------------

-- A filter in the form for the oracle (a function of an oracle box) and in the form for each side.
local function noFilter()
  return nil, function()
    return nil
  end
end

function lockstep.maskFilter(mask)
  return function(box)
    return compat.shareBit(box.layer, mask)
  end, function()
    return mask
  end
end

function lockstep.ignoring(ignored)
  return function(box)
    return box ~= ignored
  end, function(side)
    return side:box(ignored)
  end
end

function lockstep.filterFunction(accept)
  return accept, function(side)
    return function(handle)
      return accept(side.known[handle])
    end
  end
end

function Lockstep:anyFilter()
  local rng = self.rng
  local what = rng:int(1, 8)
  if what == 1 then
    return lockstep.maskFilter(rng:pick({ 0, 1, 2, 3, 4294967295, -1, 2147483648 }))
  elseif what == 2 and self:count() > 0 then
    return lockstep.ignoring(self:anyBox())
  elseif what == 3 then
    local rest = rng:int(0, 2)
    return lockstep.filterFunction(function(box)
      return box.order % 3 ~= rest
    end)
  end
  return noFilter()
end

-- Checks ---------------------------------------------------------------------------------------

local function flatten(list)
  local flat = {}
  for _, pair in ipairs(list) do
    for _, item in ipairs(pair) do
      flat[#flat + 1] = item
    end
  end
  return flat
end

local function inOrder(found)
  table.sort(found, function(p, q)
    if p[1] ~= q[1] then
      return p[1].order < q[1].order
    end
    return p[2].order < q[2].order
  end)
  return found
end

-- The four ways to read pairs. Each returns them as { a, b } of handles.
local askPairs = {}

function askPairs.pairs(side)
  local found = {}
  for a, b in side.world:pairs() do
    found[#found + 1] = { a, b }
  end
  return found
end

function askPairs.eachPair(side)
  local found = {}
  side.world:eachPair(function(a, b)
    found[#found + 1] = { a, b }
  end)
  return found
end

function askPairs.collectPairs(side)
  local out, n = side.world:collectPairs(side.out)
  if #out ~= 2 * n then
    side:fail("the length of collectPairs", 2 * n, #out)
  end
  local found = {}
  for i = 1, n do
    found[i] = { out[2 * i - 1], out[2 * i] }
  end
  return found
end

local WAYS = { "pairs", "eachPair", "collectPairs" }

-- Checks that the pairs are those of the oracle, each once, with the box inserted first in front.
function Lockstep:checkPairs()
  local expected = flatten(self.truth:pairs())
  for _, side in ipairs(self.sides) do
    local way = self.choice:pick(WAYS)
    local found = askPairs[way](side)
    for i, pair in ipairs(found) do
      found[i] = side:translate(way, 1, pair, 2)
    end
    side:same(way, expected, flatten(inOrder(found)))
    side:same("countPairs", { #expected / 2 }, { side.world:countPairs() })
  end
end

-- Checks the contacts, in order, compared with the call before.
function Lockstep:checkContacts()
  local expected = flatten(self.truth:contacts())
  for _, side in ipairs(self.sides) do
    local got = {}
    for phase, a, b in side.world:contacts() do
      got[#got + 1] = phase
      got[#got + 1] = side.known[a]
      got[#got + 1] = side.known[b]
    end
    side:same("contacts", expected, got)
  end
end

-- Checks everything that can be read back: the boxes in order, their rectangles and motion.
function Lockstep:checkContents()
  local expected, rects = self.truth.boxes, {}
  for _, box in ipairs(expected) do
    for _, value in ipairs(oracle.toFlat(box)) do
      rects[#rects + 1] = value
    end
  end
  for _, side in ipairs(self.sides) do
    local handles, boxes = {}, {}
    for box in side.world:boxes() do
      handles[#handles + 1] = self.results == "id" and box:getId() or box
      boxes[#boxes + 1] = side.known[handles[#handles]]
    end
    side:same("boxes", expected, boxes)
    side:same("count", { #expected, #expected }, { side.world:count(), #side.world })
    local out, n = side.world:getRects(handles)
    side:same("getRects", rects, out)
    side:same("the count of getRects", { #expected }, { n })
    for _, box in ipairs(expected) do
      side:same("getVelocity", box.v, { side:box(box):getVelocity() })
    end
  end
end

-- Checks a list of boxes, in order: `method` with the arguments, the filter and a table that is
-- used again.
function Lockstep:checkList(method, expected, args, filterFor)
  for _, side in ipairs(self.sides) do
    local out, n = side.world[method](side.world, values(args(side), filterFor(side), side.out))
    if out ~= side.out then
      side:fail("the table of " .. method, tostring(side.out), tostring(out))
    end
    side:same(method, expected, side:translate(method, n, out, #out))
    side:same("the count of " .. method, { #expected }, { n })
  end
end

local function always(list)
  return function()
    return list
  end
end

function Lockstep:checkQueryRect(lo, size)
  local accept, filterFor = self:anyFilter()
  local expected = self.truth:queryShape(oracle.shape(lo, size), accept)
  self:checkList("queryRect", expected, always(compat.concat(lo, size)), filterFor)
end

function Lockstep:checkQueryPoint(p)
  local accept, filterFor = self:anyFilter()
  self:checkList("queryPoint", self.truth:queryPoint(p, accept), always(p), filterFor)
end

function Lockstep:checkQueryCircle(p, r)
  local accept, filterFor = self:anyFilter()
  local expected = self.truth:queryCircle(p, r, accept)
  self:checkList("queryCircle", expected, always(compat.concat(p, { r })), filterFor)
end

function Lockstep:checkQueryBox(box)
  local accept, filterFor = self:anyFilter()
  self:checkList("queryBox", self.truth:queryBox(box, accept), function(side)
    return { side.handles[box] }
  end, filterFor)
end

function Lockstep:checkNearest(p, k, maxDistance)
  local accept, filterFor = self:anyFilter()
  local expected = self.truth:nearest(p, k, accept, maxDistance)
  for _, side in ipairs(self.sides) do
    local out, n = side.world:nearest(values(p, k, filterFor(side), maxDistance, side.out))
    side:same("nearest", expected, side:translate("nearest", n, out, #out))
    side:same("the count of nearest", { #expected }, { n })
  end
end

function Lockstep:checkQuerySegment(from, to)
  local accept, filterFor = self:anyFilter()
  local expected = {}
  for i, hit in ipairs(self.truth:querySegment(from, to, accept)) do
    expected[i] = hit.box
  end
  self:checkList("querySegment", expected, always(compat.concat(from, to)), filterFor)
end

function Lockstep:checkQuerySweep(box, v)
  local accept, filterFor = self:anyFilter()
  local expected = {}
  for i, hit in ipairs(self.truth:querySweep(box, v, accept)) do
    expected[i] = hit.box
  end
  self:checkList("querySweep", expected, function(side)
    return compat.concat({ side.handles[box] }, v)
  end, filterFor)
end

-- box, place, normal and time of the first hit, in the order of segmentCast
function Lockstep:checkSegmentCast(from, to)
  local accept, filterFor = self:anyFilter()
  local hit, expected = self.truth:segmentCast(from, to, accept), {}
  if hit then
    expected = compat.concat(compat.concat({ hit.box }, hit.point), hit.normal)
    expected[#expected + 1] = hit.t
  end
  local args = compat.concat(from, to)
  for _, side in ipairs(self.sides) do
    local got = { side.world:segmentCast(values(args, filterFor(side))) }
    got[1] = side.known[got[1]]
    side:same("segmentCast", expected, got)
  end
end

-- other, t and normal, in the order of sweep and sweepRect
local function sweepAnswer(hit)
  return hit and compat.concat({ hit.box, hit.t }, hit.normal) or {}
end

function Lockstep:checkSweepRect(lo, size, v)
  local accept, filterFor = self:anyFilter()
  local expected = sweepAnswer(self.truth:sweepShape(oracle.shape(lo, size), v, accept))
  local args = compat.concat(compat.concat(lo, size), v)
  for _, side in ipairs(self.sides) do
    local got = { side.world:sweepRect(values(args, filterFor(side))) }
    got[1] = side.known[got[1]]
    side:same("sweepRect", expected, got)
  end
end

function Lockstep:checkSweep(box, v)
  local accept, filterFor = self:anyFilter()
  local expected = sweepAnswer(self.truth:sweep(box, v, accept))
  for _, side in ipairs(self.sides) do
    local got = { side.world:sweep(side.handles[box], values(v, filterFor(side))) }
    got[1] = side.known[got[1]]
    side:same("sweep", expected, got)
  end
end

-- Checks the pushes, their number and the new place, all exactly.
function Lockstep:checkResolve(box)
  local accept, filterFor = self:anyFilter()
  local push, n = self.truth:resolve(box, accept)
  local expected = compat.concat(compat.concat(push, { n }), oracle.toFlat(box))
  for _, side in ipairs(self.sides) do
    local got = { side.world:resolve(side.handles[box], filterFor(side)) }
    side:same("resolve", expected, compat.concat(got, { side:box(box):getRect() }))
  end
end

return lockstep
