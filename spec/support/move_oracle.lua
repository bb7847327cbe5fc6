-- Movement as it has to be, in plain Lua over the boxes of an oracle world: the way of a box to its
-- goal, steps of boxes with a response, what a box rests on, and whether a place is free.
--
-- The whole way takes one unit of time. Each axis goes at a steady speed of its own until a contact
-- stops or turns it; the times of contacts are distances divided by speeds. Where doubles leave the
-- box in a solid although no time says so, the library places it flush: such a way is marked as
-- `loose` here, and only what it must not do is known of it.

local compat = require("spec.support.compat")
local oracle = require("spec.support.oracle")

local huge = math.huge

local moves = {}

local MOST_BOUNCES = 16

-- Filters --------------------------------------------------------------------------------------

-- The first of these whose mask has a bit of the layer.
local BY_MASK = { "touch", "bounce", "push", "slide", "cross" }

local function layersMeet(a, b)
  return compat.shareBit(a.mask, b.layer) and compat.shareBit(b.mask, a.layer)
end

local function isSolid(response)
  return response == "slide" or response == "touch" or response == "bounce"
end

-- The same rule, where what a sensor has to do with is crossed.
local function withSensors(rule)
  return function(box, other)
    local response = rule(box, other) or nil
    return isSolid(response) and (box.sensor or other.sensor) and "cross" or response
  end
end

local function ruleOf(filter)
  if type(filter) == "function" then
    return filter
  elseif type(filter) == "number" then
    filter = { slide = filter }
  elseif filter == nil or filter.lo then
    return function(box, other)
      return other ~= filter and layersMeet(box, other) and "slide" or nil
    end
  end
  return function(box, other)
    for _, response in ipairs(BY_MASK) do
      local mask = filter[response]
      if mask == true and layersMeet(box, other)
        or mask and mask ~= true and compat.shareBit(mask, other.layer) then
        return response
      end
    end
  end
end

-- A filter as world:move takes it (nil, a mask, a table of masks, an oracle box, or a function of
-- oracle boxes) as a function of the mover and another box: the response, or nil for none.
function moves.rule(filter)
  return withSensors(ruleOf(filter))
end

moves.layersMeet, moves.isSolid = layersMeet, isSolid

-- Faces ----------------------------------------------------------------------------------------

-- Where a box of that size touches the face of another one, as exactly as doubles can: of the
-- places around the exact one, the nearest to it of those that come closest to the face.
function moves.flush(size, other, axis, sign)
  if sign > 0 then
    return other.hi[axis]
  end
  local side = other.lo[axis]
  local exact = side - size
  local place = compat.nextDown(compat.nextDown(exact))
  if not compat.isFinite(place) then
    place = exact
  end
  local candidate = place
  for _ = 1, 4 do
    candidate = compat.nextUp(candidate)
    local closer = candidate + size > place + size
      or candidate + size == place + size and math.abs(candidate - exact) < math.abs(place - exact)
    if candidate + size <= side and closer then
      place = candidate
    end
  end
  return place
end

-- Whether a box can be met at that face: one that is solid from one side alone has but one.
local function hasFace(box, axis, sign)
  return not box.oneWay or box.oneWay[axis] == sign
end

-- The axis and the direction of the least push that parts the two.
local function wayOut(a, b)
  local vector, _, axis = oracle.separation(a, b)
  return axis, vector[axis] > 0 and 1 or -1
end

-- One way --------------------------------------------------------------------------------------

local Way = {}
Way.__index = Way

-- Where the box is on an axis at time t.
function Way:coordinate(axis, t)
  if t >= 1 then
    return self.goal[axis]
  end
  return self.from[axis] + self.speed[axis] * (t - self.since[axis])
end

function Way:place(t)
  local lo = {}
  for axis = 1, self.dim do
    lo[axis] = self:coordinate(axis, t)
  end
  return lo
end

function Way:shape(t)
  return oracle.shape(self:place(t), self.box.size)
end

-- The response to another box, asked for once.
function Way:responseTo(other)
  if self.said[other] == nil then
    self.said[other] = self.rule(self.box, other) or false
    self.asked[#self.asked + 1] = other
  end
  return self.said[other]
end

function Way:stop(axis, at)
  self.from[axis], self.since[axis], self.speed[axis], self.goal[axis] = at, self.now, 0, at
end

function Way:stopAll(place)
  for axis = 1, self.dim do
    self:stop(axis, place[axis])
  end
end

-- Contacts -------------------------------------------------------------------------------------

-- What the box was in at the start and still is: it matters where that keeps it from going deeper,
-- and if it is crossed. A function is asked about it in any case.
function Way:contactInside(other, out)
  local response = self.said[other]
  local deeper = self.speed[out.axis] * out.sign < 0
  if deeper or response == "cross" or response == nil then
    return { other = other, t = self.now, axis = out.axis, sign = out.sign, overlap = true }
  end
end

-- When the box is within the other one on all axes: from, to, the axis that is entered last, and
-- how many are entered then; nil for never.
function Way:times(other)
  local enter, leave, last, entries = -huge, 1, 1, 0
  for axis = 1, self.dim do
    local from, speed = self.from[axis], self.speed[axis]
    local before, beyond = other.lo[axis] - (from + self.box.size[axis]), other.hi[axis] - from
    if speed ~= 0 then
      local near, far = before / speed, beyond / speed
      if speed < 0 then
        near, far = far, near
      end
      near, far = self.since[axis] + near, self.since[axis] + far
      if near > enter then
        enter, last, entries = near, axis, 0
      end
      entries = entries + (near == enter and 1 or 0)
      leave = math.min(leave, far)
    elseif not (before < 0 and beyond > 0) then
      return nil
    end
  end
  return enter, leave, last, entries
end

-- Whether the box, by its place, is beside another one, and does not go into it.
function Way:leaves(other)
  local here = self:shape(self.now)
  for axis = 1, self.dim do
    local ahead, behind = other.lo[axis] >= here.hi[axis], here.lo[axis] >= other.hi[axis]
    if ahead and self.speed[axis] <= 0 or behind and self.speed[axis] >= 0 then
      return true
    end
  end
  return false
end

function Way:contactOutside(other)
  local enter, leave, axis, entries = self:times(other)
  if not enter or math.max(enter, self.now) >= leave then
    -- It may be in there by rounding.
    if oracle.overlap(self:shape(1), other) and self.said[other] ~= false then
      self.loose = true
    end
    return nil
  end
  if enter < self.now then
    -- From below or from the side it may be in a one-way box. In others it is by rounding, or not.
    self.loose = self.loose or not other.oneWay and not self:leaves(other)
    return nil
  end
  local sign = self.speed[axis] > 0 and -1 or 1
  if hasFace(other, axis, sign) then
    return {
      other = other, t = enter, axis = axis, sign = sign, corner = entries > 1,
    }
  end
end

local function comesFirst(a, b)
  if a.t ~= b.t then
    return a.t < b.t
  elseif not a.corner ~= not b.corner then
    return not a.corner
  end
  return a.other.order < b.other.order
end

function Way:nextContact()
  local first
  for _, other in ipairs(self.world.boxes) do
    local out, contact = self.inside[other], nil
    if other ~= self.box and self.said[other] ~= false and not self.crossed[other] then
      if out then
        contact = self:contactInside(other, out)
      elseif out == nil then
        contact = self:contactOutside(other)
      end
    end
    if contact and (not first or comesFirst(contact, first)) then
      first = contact
    end
  end
  return first
end

-- Responses ------------------------------------------------------------------------------------

-- What the box was in may be left by now, and be met again.
function Way:lookAround()
  local shape = self:shape(self.now)
  for other, out in pairs(self.inside) do
    if out and not oracle.overlap(shape, other) then
      self.inside[other] = nil
    elseif out then
      local axis, sign = wayOut(shape, other)
      self.inside[other] = { axis = axis, sign = sign }
    end
  end
end

-- A velocity that leads into a face, turned round together with `more` of it.
local function turned(v, more, sign, keeps)
  return v * sign < 0 and -keeps * (v * sign + more) * sign or v
end

-- In a step what is turned round is the velocity at the contact: acceleration has added to that of
-- the middle of the step, by which it goes, and takes away again up to the middle. What is slow
-- just turns round.
function Way:gain(axis, sign)
  local fall = self.fall[axis] * sign
  local isFast = math.abs(self.speed[axis]) > 2 * math.abs(fall * self.dt)
  return isFast and (2 * self.now - 1) * fall or 0
end

-- Between two faces that are as far apart as it is wide it stops. Returns whether it turns,
-- and its gain.
function Way:turn(axis, sign, at, place)
  local keeps, more = self.box.bounce, self:gain(axis, sign)
  local speed = turned(self.speed[axis], more * self.dt, sign, keeps)
  for i = 1, self.dim do
    if self.turned[-i] ~= place[i] then
      self.turned = { [-1] = place[1], [-2] = place[2], [-3] = place[3] }
    end
  end
  local jams = self.turned[axis] == -sign and speed ~= 0
  self.turned[axis] = sign
  self.bounces = self.bounces + 1
  local goal = at + turned(self.goal[axis] - at, more * self.dt * (1 - self.now), sign, keeps)
  self:stop(axis, at)
  if not jams and speed ~= 0 and compat.isFinite(goal + self.box.size[axis]) then
    self.speed[axis], self.goal[axis] = speed, goal
  end
  if self.bounces == MOST_BOUNCES then
    self:stopAll(place)
  end
  self:lookAround()
  return not jams, more
end

-- Where the box is on the axis of the contact: flush, but neither behind where it came from nor
-- beyond where it wants to.
function Way:flushAt(contact)
  local axis = contact.axis
  if contact.overlap then
    return self:coordinate(axis, contact.t)
  end
  local flush = moves.flush(self.box.size[axis], contact.other, axis, contact.sign)
  local from, goal = self.from[axis], self.goal[axis]
  return math.max(math.min(from, goal), math.min(flush, math.max(from, goal)))
end

function Way:meet(contact)
  local response, axis = self:responseTo(contact.other), contact.axis
  local leaves = contact.overlap and self.speed[axis] * contact.sign >= 0
  if not response or leaves and isSolid(response) then
    return
  end
  if self.goesFirst and not leaves and self.goesFirst(contact) then
    self.waitsFor = contact.other
    return
  end
  local speed, fall = self.speed[axis], 2 * self.fall[axis] * self.dt
  if response == "bounce" and speed * fall > 0 and math.abs(speed) <= math.abs(fall) then
    response = "slide"
  end
  self.now = contact.t
  local place = self:place(contact.t)
  place[axis] = self:flushAt(contact)
  local normal = {}
  for i = 1, self.dim do
    normal[i] = i == axis and contact.sign or 0
  end
  self.hits[#self.hits + 1] = {
    other = contact.other, response = response, t = contact.t, place = place, normal = normal,
    overlap = contact.overlap or false,
  }
  if response == "slide" then
    self:stop(axis, place[axis])
  elseif response == "touch" then
    self:stopAll(place)
  elseif response == "bounce" then
    local hit = self.hits[#self.hits]
    hit.turns, hit.gain = self:turn(axis, contact.sign, place[axis], place)
  else
    self.crossed[contact.other] = true
  end
end

function Way:begin(goal)
  local box = self.box
  for axis = 1, self.dim do
    self.from[axis], self.since[axis] = box.lo[axis], 0
    self.speed[axis], self.goal[axis] = goal[axis] - box.lo[axis], goal[axis]
  end
  for _, other in ipairs(self.world.boxes) do
    if other ~= box and oracle.overlap(box, other) then
      local axis, sign = wayOut(box, other)
      self.inside[other] = not other.oneWay and { axis = axis, sign = sign } or false
    end
  end
end

-- The way of a box to its goal, as a table: `place`, where it ends; `hits`, a list of { other,
-- response, t, place, normal, overlap }; `asked`, the boxes that the rule was asked about, in that
-- order; and `loose`. In a step `fall` is the velocity that its acceleration gives, and `dt` its
-- time: a bounce on an axis that is not twice as fast, in that direction, slides.
-- `goesFirst`: where that says yes to a contact the way ends, and `waitsFor` is what is met.
function moves.travel(world, box, goal, rule, fall, dt, goesFirst)
  local way = setmetatable({
    world = world, dim = world.dim, box = box, rule = rule,
    from = {}, since = {}, speed = {}, goal = {},
    fall = fall or {}, dt = dt or 0, goesFirst = goesFirst,
    inside = {}, -- other box -> the way out of it; false: it is not there; nil: it is outside
    turned = {}, -- where it has turned round last, on axis i at -i, and the normals there, at i
    said = {}, crossed = {}, asked = {}, hits = {}, now = 0, bounces = 0, loose = false,
  }, Way)
  for axis = 1, way.dim do
    way.fall[axis] = way.fall[axis] or 0
  end
  way:begin(goal)
  local contact = way:nextContact()
  while contact and not way.waitsFor do
    way:meet(contact)
    contact = way:nextContact()
  end
  return {
    place = way:place(1), hits = way.hits, asked = way.asked, loose = way.loose,
    waitsFor = way.waitsFor,
  }
end

-- Steps ----------------------------------------------------------------------------------------

-- The velocity after what was met.
local function velocityAfter(v, hits, keeps)
  for _, hit in ipairs(hits) do
    for axis = 1, #v do
      local n = hit.normal[axis]
      local stops = hit.response == "slide" or hit.response == "bounce" and not hit.turns
      if hit.response == "touch" or n ~= 0 and stops then
        v[axis] = 0
      elseif hit.response == "bounce" and n ~= 0 then
        v[axis] = turned(v[axis], hit.gain, n, keeps)
      end
    end
  end
  return v
end

local function isFinite(...)
  for i = 1, select("#", ...) do
    if not compat.isFinite((select(i, ...))) then
      return false
    end
  end
  return true
end

local Step = {}
Step.__index = Step

-- The velocity that the box has in this step, and whether it moves by it at all.
function Step:velocity(box)
  local v, isMoving = {}, true
  for axis = 1, self.world.dim do
    v[axis] = box.v[axis] + (self.world.gravity[axis] * box.gravityScale + box.a[axis]) * self.dt
    local goal = box.lo[axis] + v[axis] * self.dt
    isMoving = isMoving and isFinite(v[axis], goal, goal + box.size[axis], goal - box.lo[axis])
  end
  return v, isMoving
end

-- One that is met, is still to move in this step, and does so away from the face goes first.
function Step:goesFirst(contact)
  if not self.due[contact.other] then
    return false
  end
  local v = self:velocity(contact.other)
  return v[contact.axis] * self.dt * contact.sign < 0
end

local function largestCoordinate(box)
  local largest = 0
  for axis = 1, #box.lo do
    largest = math.max(largest, math.abs(box.lo[axis]), math.abs(box.hi[axis]))
  end
  return largest
end

-- Whether a box meets one that goes ahead of it, as fast as itself: then rounding alone brings the
-- two together, and it may stop there and keep its velocity.
function Step:meetsLevel(box, way, v)
  for _, hit in ipairs(way.hits) do
    for axis = 1, #v do
      local n, other, length = hit.normal[axis], hit.other, math.abs(v[axis] * self.dt)
      local largest = largestCoordinate(box) + largestCoordinate(other) + length
      if n ~= 0 and not other.static and not self.due[other]
        and other.v[axis] * n <= v[axis] * n and (1 - hit.t) * length <= 1e-12 * largest then
        return true
      end
    end
    v = velocityAfter(v, { hit }, box.bounce)
  end
  return false
end

-- Moves a box that has a response, after those that go before it.
function Step:go(box)
  self.due[box] = nil
  local v, isMoving = self:velocity(box)
  local goal, fall, way = {}, {}, nil
  for axis = 1, self.world.dim do
    fall[axis] = (self.world.gravity[axis] * box.gravityScale + box.a[axis]) * self.dt
    goal[axis] = box.lo[axis] + v[axis] * self.dt
  end
  while isMoving and not (way and not way.waitsFor) do
    way = moves.travel(self.world, box, goal, moves.rule(function(_, other)
      return layersMeet(box, other) and box.response or nil
    end), fall, self.dt, function(contact) return self:goesFirst(contact) end)
    self.loose = self.loose or way.loose
    if way.waitsFor then
      self:go(way.waitsFor)
    end
  end
  if way then
    self.loose = self.loose or self:meetsLevel(box, way, compat.concat(v, {}))
    way.loose, way.box, way.v = self.loose, box, velocityAfter(v, way.hits, box.bounce)
    self:settle(way)
  end
end

-- What the way has left of the box; `adjust` goes before.
function Step:settle(way)
  self.ways[#self.ways + 1] = way
  if self.adjust then
    self.adjust(way)
  end
  way.box.v = way.v
  self.world:update(way.box, way.place)
end

-- What goes through everything goes first; then those with a response, in the order of insertion,
-- each after those that move away from it. In the direction of gravity and acceleration a bounce at
-- no more than twice the speed that they give in one step is a slide. Returns the ways of all that
-- have a response, in the order in which they went; `adjust`, if given, is called with each way
-- before the box is moved. What comes after a loose way is loose.
function moves.step(world, dt, adjust)
  local step = setmetatable({
    world = world, dt = dt, adjust = adjust, due = {}, ways = {}, loose = false,
  }, Step)
  for _, box in ipairs(world.boxes) do
    if not box.static and not box.response then
      world:stepBox(box, dt)
    end
    step.due[box] = not box.static and box.response ~= nil or nil
  end
  for _, box in ipairs(world.boxes) do
    if step.due[box] then
      step:go(box)
    end
  end
  return step.ways
end

-- Places ---------------------------------------------------------------------------------------

-- Whether the box is flush against that face of another one.
function moves.restsOn(world, box, other, axis, sign)
  local beside = hasFace(other, axis, sign)
  for k = 1, world.dim do
    if k ~= axis then
      beside = beside and box.lo[k] < other.hi[k] and other.lo[k] < box.hi[k]
    end
  end
  if sign > 0 then
    return beside and box.lo[axis] == other.hi[axis]
  end
  return beside and box.hi[axis] <= other.lo[axis]
    and box.lo[axis] >= moves.flush(box.size[axis], other, axis, -1)
end

-- The first box that rests flush against the side of this one that faces up or down an axis.
function moves.touching(world, box, axis, direction, rule)
  for _, other in ipairs(world.boxes) do
    if other ~= box and moves.restsOn(world, box, other, axis, -direction)
      and isSolid(rule(box, other) or nil) then
      return other
    end
  end
end

-- Which boxes rest on the platform, against the faces to which gravity presses them, and are solid
-- to it, by the rule; and which rest on those. A set.
function moves.riders(world, platform, rule)
  local riders, pending = {}, { platform }
  local function add(box, on, axis, sign)
    local mayRest = box ~= platform and not box.static and not riders[box]
    local solid = on == platform and isSolid(rule(platform, box) or nil)
      or on ~= platform and layersMeet(on, box) and not box.sensor
    -- One that is huge beside its platform may be flush, to its last place, but far away.
    local near = on.lo[axis] - box.hi[axis] < on.size[axis]
    if mayRest and solid and near and moves.restsOn(world, box, on, axis, sign) then
      riders[box] = true
      pending[#pending + 1] = box
    end
  end
  while #pending > 0 do
    local on = table.remove(pending, 1)
    for axis = 1, world.dim do
      local g = world.gravity[axis]
      for _, box in ipairs(g ~= 0 and world.boxes or {}) do
        add(box, on, axis, g > 0 and -1 or 1)
      end
    end
  end
  return riders
end

-- The first box that is in the way of this one at that place; nil: it is free.
function moves.blocking(world, box, lo, size, rule)
  local shape = oracle.shape(lo, size)
  for _, other in ipairs(world.boxes) do
    if other ~= box and not other.oneWay and oracle.overlap(shape, other)
      and isSolid(rule(box, other) or nil) then
      return other
    end
  end
end

return moves
