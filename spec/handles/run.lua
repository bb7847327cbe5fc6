-- Uses stale handles: Boxes and ids of removed boxes, ids of freed movers, iterators, closed worlds
-- and pools, back ends of other worlds; see TESTING.md.
--     lua5.4 spec/handles/run.lua USES BITS
-- BITS: the number of bits for generations in this build. First the generations of some slots are
-- used up. An ordinary build has too many of them, so a build with few bits is tested, too.

local broadside = require("broadside")
local calls = require("spec.support.calls")
local compat = require("spec.support.compat")
local fixture = require("spec.support.fixture")
local random = require("spec.support.random")

local unpack, values, concat = compat.unpack, compat.values, compat.concat

local USES = tonumber(arg[1]) or 1e5
local BITS = tonumber(arg[2]) or 25
local INDICES = 2 ^ 26
local FIRST_GENERATION = 64

local rng = random.new(1)
local uses, kinds = 0, {}

local function rect(dim)
  local list = {}
  for i = 1, dim do
    list[i], list[dim + i] = rng:int(0, 60), rng:int(1, 9)
  end
  return list
end

local function vector(dim)
  local list = {}
  for i = 1, dim do
    list[i] = rng:int(-60, 60)
  end
  return list
end

local function expect(kind, message, f, ...)
  uses = uses + 1
  kinds[kind] = (kinds[kind] or 0) + 1
  local ok, problem = pcall(f, ...)
  if ok or not tostring(problem):find(message, 1, true) then
    error(("%s: %s expected, got %s"):format(kind, message, tostring(problem)), 2)
  end
end

local function expectValue(kind, expected, got)
  uses = uses + 1
  kinds[kind] = (kinds[kind] or 0) + 1
  if expected ~= got then
    error(("%s: %s expected, got %s"):format(kind, tostring(expected), tostring(got)), 2)
  end
end

-- Calls ----------------------------------------------------------------------------------------

-- The methods of calls.lua for each number of axes: those of a class (by its name), those with a
-- box as their first argument (take), and those with a filter: { row =, args = { n = }, place = }.
local METHODS = {}

local IS_BOX = { box = true, id = true, pile = true }
local IS_LIST = { boxes = true, ["boxes?"] = true, piles = true, goals = true }

for dim = 2, 3 do
  local f, methods = fixture.new(dim, "box", "tree", 14), { take = {}, filter = {} }
  METHODS[dim] = methods
  local function add(name, row, place)
    methods[name] = methods[name] or {}
    table.insert(methods[name], { row = row, args = calls.arguments(row, f), place = place })
  end
  for _, row in ipairs(calls.rowsOf(dim)) do
    if not row.name:find("^__") and not row.stale and row.words[1] ~= "data" then
      add(row.class, row)
      for place, word in ipairs(row.class == "World" and calls.parameters(row, dim) or {}) do
        if word == "filter?" or word == "rules?" then
          add("filter", row, place)
        elseif place == 1 and (IS_BOX[word] or IS_LIST[word]) then
          add("take", row, place)
        end
      end
    end
  end
end

-- Arguments of a method, with that one in its place.
local function argumentsOf(method, value)
  local args = compat.copy(method.args)
  args[method.place], args.n = value, math.max(method.args.n, method.place)
  return args
end

-- Calls a method of a World that takes a box with that one.
local function take(world, method, box)
  local args = argumentsOf(method, IS_LIST[method.row.words[1]] and { box } or box)
  return world[method.row.name](world, unpack(args, 1, args.n))
end

-- Calls a method of a World with a filter with that Box as the filter. Its boxes are one that is
-- inserted only for this call, or none.
local function ignore(world, method, box)
  local args, own = argumentsOf(method, box), nil
  for i, word in ipairs(calls.parameters(method.row, select("#", world:getGravity()))) do
    if IS_BOX[word] then
      own = own or world:insert(unpack(rect(select("#", world:getGravity()))))
      args[i] = own
    elseif IS_LIST[word] then
      args[i] = {}
    end
  end
  local ok, problem = pcall(world[method.row.name], world, unpack(args, 1, args.n))
  if own then
    world:remove(own)
  end
  if not ok then
    error(problem, 0)
  end
end

-- Places where things come and go --------------------------------------------------------------

local MOST = 200 -- handles of each kind that are kept, chosen at random

local function keep(list, item)
  if #list < MOST then
    list[#list + 1] = item
  else
    list[rng:int(1, MOST)] = item
  end
end

local function newPool(dim)
  return broadside.newPool({ dim = dim, capacity = 40 })
end

local function newPlace(dim, results)
  local place = { dim = dim, results = results, live = {}, stale = {}, freed = {}, flying = {},
    ended = {} }
  place.world = broadside.newWorld({ dim = dim, results = results })
  place.pool = newPool(dim)
  return place
end

local function bury(place, item)
  keep(place.stale, item)
end

local change = {}

function change.insert(place)
  local handle = place.world:insert(values(rect(place.dim), { vx = rng:int(-20, 20),
    response = rng:pick({ "slide", "cross", "bounce" }) }))
  local id = type(handle) == "number" and handle or handle:getId()
  local item = { id = id, box = rng:chance(0.5) and place.world:getBox(id) or nil }
  place.live[#place.live + 1] = item
end

function change.remove(place)
  if #place.live > 0 then
    local item = table.remove(place.live, rng:int(1, #place.live))
    place.world:remove(item.id)
    bury(place, item)
  end
end

function change.clear(place)
  place.world:clear()
  for _, item in ipairs(place.live) do
    bury(place, item)
  end
  place.live = {}
end

function change.spawn(place)
  local id = place.pool:spawn(unpack(concat(vector(place.dim), vector(place.dim))))
  place.flying[#place.flying + 1] = id
  if not id and #place.flying < place.pool:capacity() then -- its slots are used up
    place.pool, place.flying, place.freed, place.ended = newPool(place.dim), {}, {}, {}
  end
  while #place.ended > 0 and not pcall(place.pool.getTag, place.pool, place.ended[1]) do
    keep(place.freed, table.remove(place.ended, 1)) -- the oldest ones make room
  end
end

-- Some movers end in a step, and are kept until the next one.
function change.finish(place)
  change.step(place)
  local numbers = concat(vector(place.dim), vector(place.dim))
  for _ = 1, rng:int(1, 9) do
    local id = place.pool:spawn(values(numbers, { life = 1 }))
    place.ended[#place.ended + 1] = id
  end
  assert(place.pool:step(1) == #place.ended)
end

function change.step(place)
  assert(place.pool:step(1) == 0)
  for _, id in ipairs(place.ended) do
    keep(place.freed, id)
  end
  place.ended = {}
end

function change.free(place)
  if #place.flying > 0 then
    local id = table.remove(place.flying, rng:int(1, #place.flying))
    assert(place.pool:free(id))
    keep(place.freed, id)
  end
end

function change.empty(place)
  place.pool:clear()
  for _, list in ipairs({ place.flying, place.ended }) do
    for _, id in ipairs(list) do
      keep(place.freed, id)
    end
  end
  place.flying, place.ended = {}, {}
end

function change.stepWorld(place)
  place.world:step(0.25)
end

function change.setBackend(place)
  place.backend = place.world:getBackend()
  place.world:setBackend(rng:pick({ "brute", "sweep", "grid", "tree", "auto" }))
end

local WEIGHTS = { { 30, "insert" }, { 28, "remove" }, { 1, "clear" }, { 30, "spawn" },
  { 28, "free" }, { 1, "empty" }, { 2, "finish" }, { 1, "step" }, { 1, "setBackend" },
  { 5, "stepWorld" } }

-- Uses -----------------------------------------------------------------------------------------

local use = {}

function use.boxes(place)
  local item = rng:pick(place.stale)
  if not item or not item.box then
    return
  end
  local methods = METHODS[place.dim]
  local method = rng:pick(methods.Box)
  local name, args = method.row.name, method.args
  expect("method of a removed Box", ("bad self to '%s' (box was removed)"):format(name),
    item.box[name], item.box, unpack(args, 1, args.n))
  expect("removed Box given to a method", "box was removed", take, place.world,
    rng:pick(methods.take), item.box)
  expect("removed Box as a filter", "box was removed", ignore, place.world,
    rng:pick(methods.filter), item.box)
  expect("removed Box given to hitsBox", "box was removed", place.pool.hitsBox, place.pool,
    item.box)
  expectValue("isRemoved", true, item.box:isRemoved())
  expectValue("has", false, place.world:has(item.box))
end

function use.ids(place)
  local item = rng:pick(place.stale)
  if item then
    expect("id of a removed box", "box was removed", take, place.world,
      rng:pick(METHODS[place.dim].take), item.id)
    expectValue("has", false, place.world:has(item.id))
  end
end

-- Ids that were never given out: with a later generation, without an index, without a generation.
function use.strangers(place)
  local item = rng:pick(place.live)
  local id = rng:pick({ 0, -1, 5, INDICES - 1, 2 ^ 53, -(2 ^ 53), 2 ^ 52 + 3 })
  if item and rng:chance(0.7) then
    id = item.id + INDICES * rng:int(1, 3)
  end
  expect("id that was never given", "no box has the id", take, place.world,
    rng:pick(METHODS[place.dim].take), id)
  expectValue("has", false, place.world:has(id))
  id = rng:pick({ 0, -1, 5, INDICES - 1, INDICES, FIRST_GENERATION * INDICES - 1,
    INDICES * (FIRST_GENERATION + 2 ^ BITS), FIRST_GENERATION * INDICES + 50 })
  expectValue("isAlive", false, place.pool:isAlive(id))
  expect("mover's id that was never given", "no mover has the id", place.pool.get, place.pool, id)
end

function use.movers(place)
  local id = rng:pick(place.freed)
  if id then
    local zeros = concat(vector(place.dim), vector(place.dim))
    local pool = place.pool
    expect("id of a freed mover", "mover was freed", pool.get, pool, id)
    expect("id of a freed mover", "mover was freed", pool.set, pool, id, unpack(zeros))
    expect("id of a freed mover", "mover was freed", pool.getTag, pool, id)
    expectValue("isAlive", false, pool:isAlive(id))
    expectValue("free", false, pool:free(id))
  end
end

function use.ended(place)
  local id = rng:pick(place.ended)
  if id then
    -- This must have no effect.
    place.pool:set(id, unpack(concat(vector(place.dim), vector(place.dim))))
    expectValue("isAlive", false, place.pool:isAlive(id))
    expectValue("getTag", 0, place.pool:getTag(id))
    expectValue("get", 2 * place.dim, select("#", place.pool:get(id)))
  end
end

-- Boxes that took part in a hit in the last step may have been removed since.
function use.hits(place)
  for box, other in place.world:hits() do
    expectValue("boxes of hits", true, place.world:has(box) and place.world:has(other))
  end
end

function use.foreign(place, other)
  local item = rng:pick(other.live)
  if item and item.box and other.dim == place.dim and other ~= place then
    expect("Box of another world", "box of another world", take, place.world,
      rng:pick(METHODS[place.dim].take), item.box)
    expectValue("has", false, place.world:has(item.box))
  end
end

function use.backends(place, other)
  if other ~= place then
    expect("Backend of another world", "already belongs to a world", place.world.setBackend,
      place.world, other.world:getBackend())
    expect("Backend of another world", "already belongs to a world", broadside.newWorld,
      { backend = other.world:getBackend() })
  end
  if place.backend then -- it has been replaced, so it belongs to no world
    expectValue("boxes of a free Backend", 0, place.backend:stats().boxes)
  end
end

-- Closes a world that is still referred to. This is only possible with the debug library.
function use.closed(place)
  if not rng:chance(0.05) then
    return
  end
  local dim = place.dim
  local other = newPlace(dim, place.results)
  for _ = 1, 5 do
    change.insert(other)
    change.spawn(other)
  end
  local emitter = other.pool:newEmitter()
  local next, state = other.world:boxes()
  local nextHit, hits = other.world:hits()
  local each, flying = other.pool:each()
  debug.getmetatable(other.world).__gc(other.world)
  debug.getmetatable(other.pool).__gc(other.pool)
  local function isClosed(kind, message, object, method)
    local args = method.args
    expect(kind, message, object[method.row.name], object, unpack(args, 1, args.n))
  end
  for _, method in ipairs(METHODS[dim].World) do
    isClosed("closed world", "world is closed", other.world, method)
  end
  for _, item in ipairs(other.live) do
    if item.box then
      isClosed("Box of a closed world", "world is closed", item.box, rng:pick(METHODS[dim].Box))
    end
  end
  for _, method in ipairs(METHODS[dim].Pool) do
    isClosed("closed pool", "pool is closed", other.pool, method)
  end
  for _, method in ipairs(METHODS[dim].Emitter) do
    isClosed("Emitter of a closed pool", "pool is closed", emitter, method)
  end
  expect("iterator over a closed world", "world is closed", next, state)
  expect("iterator over a closed world", "world is closed", nextHit, hits)
  expect("iterator over a closed pool", "pool is closed", each, flying)
  expect("closed world given to hits", "world is closed", place.pool.hits, place.pool,
    other.world)
end

-- A back end is free again after its world has been collected.
function use.collected(place)
  if not rng:chance(0.002) then
    return
  end
  local backend = broadside.newTree()
  broadside.newWorld({ dim = place.dim, backend = backend }):insert(unpack(rect(place.dim)))
  local box = broadside.newWorld({ dim = place.dim }):insert(unpack(rect(place.dim)))
  collectgarbage()
  collectgarbage()
  expectValue("boxes of a collected world's Backend", 0, backend:stats().boxes)
  broadside.newWorld({ dim = place.dim, backend = backend })
  expectValue("Box whose world nobody else holds", 1, box:getWorld():count())
  box:remove()
  expect("method of a removed Box", "box was removed", box.getRect, box)
end

local USE_NAMES = { "boxes", "boxes", "ids", "ids", "ids", "strangers", "movers", "movers", "ended",
  "foreign", "backends", "closed", "collected", "hits" }

-- Wearing slots out ----------------------------------------------------------------------------

-- Uses one slot until its generations are used up, and beyond that point: then ids have another
-- index.
local function wearWorldOut()
  local world = broadside.newWorld({ results = "id" })
  local some, seen = {}, 0
  local last = 2 ^ BITS - 1
  for i = 1, last + 3 do
    local id = world:insert(0, 0, 1, 1)
    assert(id % INDICES == (i <= last and 0 or 1), "another index was expected")
    assert(id > seen or i > last, "an id came twice")
    seen = id
    world:remove(id)
    if i <= 8 or i > last - 8 or i % 65536 == 0 then
      some[#some + 1] = id
    end
  end
  for _, id in ipairs(some) do
    expect("id of a worn out slot", "box was removed", world.remove, world, id)
    expectValue("has", false, world:has(id))
  end
  expect("id after the last generation", "no box has the id", world.remove, world,
    (FIRST_GENERATION + last) * INDICES)
end

local function wearPoolOut()
  local pool = broadside.newPool({ capacity = 2 })
  local last, some = 2 ^ BITS - 1, {}
  for i = 1, 2 * last do
    local id = pool:spawn(0, 0, 0, 0)
    assert(id and pool:free(id))
    if i <= 8 or i > 2 * last - 8 or i % 65536 == 0 then
      some[#some + 1] = id
    end
  end
  assert(pool:spawn(0, 0, 0, 0) == nil, "there is no slot left")
  for _, id in ipairs(some) do
    expect("id of a worn out slot", "mover was freed", pool.get, pool, id)
    expectValue("isAlive", false, pool:isAlive(id))
    expectValue("free", false, pool:free(id))
  end
end

-- A Box stays removed after its slot is used up.
local function wearBoxesOut(boxes)
  local world, list = broadside.newWorld(), {}
  for i = 1, boxes do
    local box = world:insert(i, 0, 1, 1)
    list[i] = box
    box:remove()
  end
  for _, box in ipairs(list) do
    expect("Box of a worn out slot", "box was removed", box.getRect, box)
    expectValue("isRemoved", true, box:isRemoved())
  end
end

-- Running --------------------------------------------------------------------------------------

wearWorldOut()
wearPoolOut()
wearBoxesOut(1000)

local places = {}
for dim = 2, 3 do
  for _, results in ipairs({ "box", "id", "data" }) do
    places[#places + 1] = newPlace(dim, results)
  end
end
while uses < USES do
  local place, other = rng:pick(places), rng:pick(places)
  local name = rng:weighted(WEIGHTS)
  if #place.live < 60 or name ~= "insert" then
    change[name](place)
  end
  for _ = 1, 3 do
    use[rng:pick(USE_NAMES)](place, other)
  end
end

local lines = {}
for kind, n in pairs(kinds) do
  lines[#lines + 1] = ("  %-40s %9d"):format(kind, n)
end
table.sort(lines)
print(("%d uses of stale handles, generations of %d bits: always the right answer"):format(uses,
  BITS))
print(table.concat(lines, "\n"))
