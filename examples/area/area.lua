-- One area of a server: actors, walls, and who sees whom. It knows no network and no window.
--
-- Each actor has a body, a circle that walls stop, and a view, a circle around it. Another one is
-- seen from when its body comes into the circle of the radius `sight`, and no wall hides its
-- centre, until it leaves the larger circle of the radius `reach`. So nobody flickers at the edge
-- of a view, or at a corner.
--
-- The world's contacts tell who comes into sight and who goes out of it. What they cannot tell is
-- checked in each tick: those who are hidden, and those who are between sight and reach. They are
-- few, in the list of doubts.
--
-- An actor is a table of the game's. The area reads these fields, and makes `slot` and `near`:
--   name            nobody else has it, in all areas
--   size            the diameter of its body
--   sight, reach    nil for a ghost, which is seen and sees nothing (see border.lua)
--   known           {[name] = true}: whom it has seen elsewhere until now; or nil
-- What changes in every tick is in lists, by slot: Lua reads these faster than fields of 5,000
-- tables.

local broadside = require("broadside")

local area = { BODY = 1, VIEW = 2, WALL = 4 }

local Area = {}
Area.__index = Area

-- walls: rectangles, {x, y, w, h, x, ...}, or nil.
function area.new(walls)
  local self = setmetatable({
    world = broadside.newWorld({ results = "id" }), -- all boxes
    walls = broadside.newWorld(), -- walls alone: lines of sight need not pass through views
    actors = {}, bodies = {}, views = {}, -- by slot; the two latter are ids
    places = {}, velocities = {}, -- x and y of each: the corner of its body, and its way in a tick
    radii = {}, reaches = {}, isHere = {},
    shifts = {}, -- x and y: from the corner of the body to that of the view
    slots = {}, named = {}, -- by id of a body or view, and by name
    free = {}, gone = {}, -- slots that nobody has, and those that are free after the next look
    arrived = {}, -- actors that know somebody from elsewhere
    doubts = 0, watching = {}, watched = {}, isSeen = {}, -- slots of pairs, and what was told
    goals = {}, contacts = {}, found = {}, -- used again
  }, Area)
  self.world:insertMany(walls or {}, { static = true, layer = area.WALL, mask = 0 })
  self.walls:insertMany(walls or {}, { static = true })
  return self
end

-- who is there ------------------------------------------------------------------------------------

-- Boxes of a slot stay, so that lists have no gaps. Layer 0 switches them off.
local function newSlot(self)
  local slot = table.remove(self.free)
  if not slot then
    slot = #self.bodies + 1
    local body = self.world:insertCircle(0, 0, 1, { layer = 0, mask = area.VIEW })
    self.bodies[slot], self.slots[body] = body, slot
  end
  return slot
end

-- Each time somebody begins to see or ceases, its view is another box: so nothing that it was near
-- to is forgotten, or taken for known.
local function setView(self, slot, sight, reach, layer)
  local old = self.views[slot]
  if old then
    self.world:remove(old)
    self.slots[old] = nil
  end
  local view = self.world:insertCircle(0, 0, sight, { layer = layer, mask = area.BODY })
  self.views[slot], self.slots[view] = view, slot
  local shift = self.radii[slot] - sight
  self.reaches[slot], self.shifts[2 * slot - 1], self.shifts[2 * slot] = reach, shift, shift
end

-- Teleports it. x, y: the corner of its body.
function Area:place(actor, x, y)
  local slot = actor.slot
  self.places[2 * slot - 1], self.places[2 * slot] = x, y
  self.world:update(self.bodies[slot], x, y)
end

function Area:getPlace(actor)
  return self.places[2 * actor.slot - 1], self.places[2 * actor.slot]
end

-- How far it wants to go in each tick from now on.
function Area:steer(actor, vx, vy)
  self.velocities[2 * actor.slot - 1], self.velocities[2 * actor.slot] = vx, vy
end

function Area:getVelocity(actor)
  return self.velocities[2 * actor.slot - 1], self.velocities[2 * actor.slot]
end

-- Lets an actor see that has been a ghost.
function Area:open(actor, sight, reach)
  actor.sight, actor.reach, actor.near = sight, reach, {}
  setView(self, actor.slot, sight, reach, area.VIEW)
  table.insert(self.arrived, actor.known and actor)
end

-- Puts an actor in at x, y, the corner of its body. Without sight it is a ghost.
function Area:add(actor, x, y)
  local slot, size = newSlot(self), actor.size
  local body = self.world:getBox(self.bodies[slot])
  actor.slot, self.actors[slot], self.named[actor.name] = slot, actor, slot
  self.radii[slot], self.isHere[slot] = size / 2, true
  body:setRect(x, y, size, size)
  body:setFilter(area.BODY, area.VIEW)
  self:place(actor, x, y)
  self:steer(actor, 0, 0)
  if actor.sight then
    self:open(actor, actor.sight, actor.reach)
  else
    setView(self, slot, 1, 1, 0)
  end
  return actor
end

-- `near` of an actor has the slots of those in reach whom the area must remember: true is seen and
-- in sight, a number a doubt. Of doubts the last one takes the place of one that is over.
local function doubt(self, slot, other, isSeen)
  local index = self.doubts + 1
  self.watching[index], self.watched[index], self.isSeen[index] = slot, other, isSeen
  self.actors[slot].near[other], self.doubts = index, index
end

local function decide(self, index, state)
  local watching, watched, isSeen, last = self.watching, self.watched, self.isSeen, self.doubts
  self.actors[watching[index]].near[watched[index]] = state
  if index < last then
    watching[index], watched[index], isSeen[index] = watching[last], watched[last], isSeen[last]
    self.actors[watching[index]].near[watched[index]] = index
  end
  watching[last], watched[last], isSeen[last] = nil, nil, nil
  self.doubts = last - 1
end

-- Makes a ghost of an actor. It is told nothing of that.
function Area:blind(actor)
  local slot = actor.slot
  for _, state in pairs(actor.near) do
    if state ~= true then
      decide(self, state, false)
    end
  end
  self:steer(actor, 0, 0)
  actor.near, actor.known, actor.sight, actor.reach = nil, nil, nil, nil
  setView(self, slot, 1, 1, 0)
end

-- Those who see it are told at the next look.
function Area:remove(actor)
  if actor.near then
    self:blind(actor)
  end
  self:steer(actor, 0, 0)
  self.world:getBox(self.bodies[actor.slot]):setFilter(0, 0)
  table.insert(self.gone, actor.slot)
  self.named[actor.name], self.isHere[actor.slot], actor.slot = nil, false, nil
end

-- a tick ------------------------------------------------------------------------------------------

-- Everyone goes on by its velocity, along the walls.
function Area:move()
  local places, velocities, goals = self.places, self.velocities, self.goals
  for i = 1, #places do
    goals[i] = places[i] + velocities[i]
  end
  if self.walls:count() > 0 then
    self.world:moveMany(self.bodies, goals, area.WALL, places)
  else
    self.world:updateMany(self.bodies, goals)
    self.places, self.goals = goals, places
  end
end

-- Views follow their bodies.
function Area:follow()
  local places, shifts, goals = self.places, self.shifts, self.goals
  for i = 1, #places do
    goals[i] = places[i] + shifts[i]
  end
  self.world:updateMany(self.views, goals)
end

-- Somebody has come into sight: it is hidden until it turns out that it is not.
local function begin(self, slot, other)
  local actor, name = self.actors[slot], self.actors[other].name
  local state = actor.near[other]
  if state then -- it was about to leave
    decide(self, state, true)
  elseif actor.known and actor.known[name] then
    actor.near[other], actor.known[name] = true, nil
  else
    doubt(self, slot, other, false)
  end
end

-- Somebody has gone out of sight: whom one sees, one sees up to the reach.
local function finish(self, slot, other)
  local state = self.actors[slot].near[other]
  if state == true then
    doubt(self, slot, other, true)
  elseif state then
    decide(self, state, nil)
  end
end

local function readContacts(self)
  local contacts, slots, views = self.contacts, self.slots, self.views
  local _, count = self.world:collectContacts("changes", contacts)
  for i = 2, 3 * count, 3 do
    local slot, other = slots[contacts[i]], slots[contacts[i + 1]]
    if slot and views[slot] ~= contacts[i] then
      slot, other = other, slot
    end
    if slot and slot ~= other and other then -- no view that was removed, and not its own body
      if contacts[i - 1] == "begin" then
        begin(self, slot, other)
      else
        finish(self, slot, other)
      end
    end
  end
end

-- Whom they have seen elsewhere, and who is not in sight here.
local function readArrived(self, tell)
  for i, actor in ipairs(self.arrived) do
    for name in pairs(actor.near and actor.known or {}) do
      if self.named[name] then
        doubt(self, actor.slot, self.named[name], true)
      else
        tell("leave", actor, name)
      end
    end
    actor.known, self.arrived[i] = nil, nil
  end
end

local function readDoubts(self, tell)
  local watching, watched, isSeen, actors = self.watching, self.watched, self.isSeen, self.actors
  local places, reaches, radii, isHere = self.places, self.reaches, self.radii, self.isHere
  for i = self.doubts, 1, -1 do
    local slot, other = watching[i], watched[i]
    local r, s = radii[slot], radii[other]
    local x, y = places[2 * slot - 1] + r, places[2 * slot] + r
    local toX, toY = places[2 * other - 1] + s, places[2 * other] + s
    if isSeen[i] then
      local dx, dy, distance = toX - x, toY - y, reaches[slot] + s
      if dx * dx + dy * dy >= distance * distance or not isHere[other] then
        decide(self, i, nil)
        tell("leave", actors[slot], actors[other].name)
      end
    elseif not self.walls:segmentCast(x, y, toX, toY) then
      decide(self, i, true)
      tell("enter", actors[slot], actors[other].name)
    end
  end
end

-- Tells what has changed since the last look: tell("enter" or "leave", actor, name of the other),
-- in any order. tell must not change the area.
function Area:look(tell)
  self:follow()
  readContacts(self)
  readArrived(self, tell)
  readDoubts(self, tell)
  for i, slot in ipairs(self.gone) do
    self.actors[slot], self.gone[i] = nil, nil
    table.insert(self.free, slot)
  end
end

-- questions ---------------------------------------------------------------------------------------

-- The slots of boxes of a layer that overlap a rectangle become actors.
local function query(self, layer, x, y, w, h, out)
  out = out or {}
  local ids, count = self.world:queryRect(x, y, w, h, layer, self.found)
  for i = 1, math.max(count, #out) do
    out[i] = ids[i] and self.actors[self.slots[ids[i]]]
  end
  return out, count
end

-- Whom an actor sees: {[name] = true}.
function Area:seen(actor)
  local names = {}
  for slot, state in pairs(actor.near) do
    if state == true or self.isSeen[state] then
      names[self.actors[slot].name] = true
    end
  end
  return names
end

-- Everyone whose sight a rectangle overlaps: who is to be told what happens there.
function Area:watchers(x, y, w, h, out)
  return query(self, area.VIEW, x, y, w, h, out)
end

-- Everyone whose body a rectangle overlaps, ghosts, too.
function Area:inside(x, y, w, h, out)
  return query(self, area.BODY, x, y, w, h, out)
end

return area
