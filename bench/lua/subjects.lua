--- subjects.lua: the subjects: each style of this module's API, and other libraries.
--
-- A subject is a table
--   name
--   isPeer    true: not ours; isC: not written in Lua
--   new(scene) -> instance
-- and an instance has
--   move(flat)            moves the scene's movers to {x1, y1, x2, y2, ...}
--   pairs() -> n          finds every overlapping pair once: their number
--   eachPair(f)           the same, not timed: f(a, b) with indices
--   cast(ways) -> n       nearest hits of segments: how many hit
--   hits(ways, out)       the same, not timed: the index of each hit, or false; nil: not compared
--   sweep(ways) -> n      nearest hits of boxes of 16 x 16
--   query(rects) -> n     boxes that overlap rectangles: {x1, y1, w1, h1, ...}
-- All but move, pairs and eachPair may be missing.

local broadside = require("broadside")

local SWEPT = 16 -- side of the boxes that are swept

local subjects = {}

-- ours --------------------------------------------------------------------------------------------

-- Makes a world with the scene's boxes. If some are static, movers only meet these.
local function fill(scene, results, backend)
  local world = broadside.newWorld({ results = results, backend = backend })
  local still = { static = true }
  local moving = scene.fixed > 0 and { layer = 2, mask = 1 } or nil
  local handles, indices = {}, {}
  for i = 1, scene.n do
    local opts = moving
    if i <= scene.fixed then
      opts = still
    end
    handles[i] = world:insert(scene.x[i], scene.y[i], scene.w[i], scene.h[i], opts)
    indices[handles[i]] = i
  end
  local movers = {}
  for k, i in ipairs(scene.movers) do
    movers[k] = handles[i]
  end
  return { world = world, indices = indices, movers = movers, out = {}, rects = {} }
end

local move, count = {}, {}

function move.methods(it)
  local movers = it.movers
  return function(flat)
    for k = 1, #movers do
      movers[k]:setRect(flat[2 * k - 1], flat[2 * k])
    end
  end
end

function move.ids(it)
  local world, movers = it.world, it.movers
  return function(flat)
    for k = 1, #movers do
      world:update(movers[k], flat[2 * k - 1], flat[2 * k])
    end
  end
end

function move.batch(it)
  local world, movers = it.world, it.movers
  return function(flat)
    world:updateMany(movers, flat)
  end
end

function count.loop(it)
  local world = it.world
  return function()
    local n = 0
    for a, b in world:pairs() do
      n = a ~= b and n + 1 or n
    end
    return n
  end
end

function count.list(it)
  local world, out = it.world, it.out
  return function()
    local _, found = world:collectPairs(out)
    local n = 0
    for k = 1, 2 * found, 2 do
      n = out[k] ~= out[k + 1] and n + 1 or n
    end
    return n
  end
end

local function addQueries(it)
  local world, rects = it.world, it.rects
  function it.cast(ways)
    local n = 0
    for k = 1, #ways, 4 do
      if world:segmentCast(ways[k], ways[k + 1], ways[k + 2], ways[k + 3]) then
        n = n + 1
      end
    end
    return n
  end
  function it.hits(ways, out)
    for k = 1, #ways, 4 do
      local box, _, _, _, _, t = world:segmentCast(ways[k], ways[k + 1], ways[k + 2], ways[k + 3])
      if t ~= 0 then -- libraries differ if a segment begins inside several boxes
        out[(k + 3) / 4] = box and it.indices[box] or false
      end
    end
  end
  function it.sweep(ways)
    local n = 0
    for k = 1, #ways, 4 do
      local x, y = ways[k], ways[k + 1]
      if world:sweepRect(x, y, SWEPT, SWEPT, ways[k + 2] - x, ways[k + 3] - y) then
        n = n + 1
      end
    end
    return n
  end
  function it.query(list)
    local n = 0
    for k = 1, #list, 4 do
      local _, found = world:queryRect(list[k], list[k + 1], list[k + 2], list[k + 3], nil, rects)
      n = n + found
    end
    return n
  end
end

-- One of our styles: what the handles are, how boxes are moved, how pairs are read.
local function style(name, results, mover, counter)
  return {
    name = name,
    results = results,
    isBatch = mover == move.batch,
    new = function(scene, backend)
      local it = fill(scene, results, backend)
      it.move, it.pairs = mover(it), counter(it)
      function it.eachPair(f)
        for a, b in it.world:pairs() do
          f(it.indices[a], it.indices[b])
        end
      end
      addQueries(it)
      return it
    end,
  }
end

local function ours()
  return {
    style("Box methods, pairs()", "box", move.methods, count.loop),
    style("ids, pairs()", "id", move.ids, count.loop),
    style("ids, collectPairs", "id", move.ids, count.list),
    style("batch, pairs()", "id", move.batch, count.loop),
    style("batch, collectPairs", "id", move.batch, count.list),
  }
end

-- other libraries ---------------------------------------------------------------------------------

-- Runs a library's file unchanged. Raises an error if it fails.
local function load(path)
  return assert(loadfile(path))()
end

-- Adds what follows from queries. If there are static boxes, each mover asks for itself. Otherwise
-- each box does, and a pair counts for the lower one. `ask(i, f)` calls f(other) with indices.
local function countByQueries(it, scene, ask)
  local first = scene.fixed + 1
  local self, n, f
  local function found(other)
    if other < first or other > self and first == 1 then
      n = n + 1
      if f then
        f(self, other)
      end
    end
  end
  function it.pairs()
    n = 0
    for i = first, scene.n do
      self = i
      ask(i, found)
    end
    return n
  end
  function it.eachPair(g)
    f = g
    it.pairs()
    f = nil
  end
end

-- How many boxes of the scene the library holds (only static ones, if there are some), and all
-- places.
local function places(scene)
  local held = scene.fixed > 0 and scene.fixed or scene.n
  local x, y = {}, {}
  for i = 1, scene.n do
    x[i], y[i] = scene.x[i], scene.y[i]
  end
  return held, x, y
end

-- Moves the boxes that the library does not hold; `update(i, x, y)` moves the others.
local function mover(scene, held, x, y, update)
  local movers = scene.movers
  return function(flat)
    for k = 1, #movers do
      local i, toX, toY = movers[k], flat[2 * k - 1], flat[2 * k]
      x[i], y[i] = toX, toY
      if i <= held then
        update(i, toX, toY)
      end
    end
  end
end

local function bumpSubject(bump)
  local function new(scene)
    local world = bump.newWorld(scene.cells[1])
    local held, x, y = places(scene)
    local w, h = scene.w, scene.h
    for i = 1, held do
      world:add(i, x[i], y[i], w[i], h[i])
    end
    local it = { move = mover(scene, held, x, y, function(i, toX, toY)
      world:update(i, toX, toY)
    end) }
    countByQueries(it, scene, function(i, f)
      local items, n = world:queryRect(x[i], y[i], w[i], h[i])
      for k = 1, n do
        f(items[k])
      end
    end)
    function it.cast(ways)
      local n = 0
      for k = 1, #ways, 4 do
        local items = world:querySegment(ways[k], ways[k + 1], ways[k + 2], ways[k + 3])
        n = items[1] and n + 1 or n
      end
      return n
    end
    function it.hits(ways, out)
      for k = 1, #ways, 4 do
        local items = world:querySegment(ways[k], ways[k + 1], ways[k + 2], ways[k + 3])
        out[(k + 3) / 4] = items[1] or false
      end
    end
    function it.sweep(ways)
      local n = 0
      for k = 1, #ways, 4 do
        local list = world:project(nil, ways[k], ways[k + 1], SWEPT, SWEPT, ways[k + 2],
          ways[k + 3])
        n = list[1] and n + 1 or n
      end
      return n
    end
    function it.query(list)
      local n = 0
      for k = 1, #list, 4 do
        local _, found = world:queryRect(list[k], list[k + 1], list[k + 2], list[k + 3])
        n = n + found
      end
      return n
    end
    return it
  end
  return { name = "bump.lua", isPeer = true, new = new }
end

-- The objects are tables, because `each` could take a number as its first argument for a
-- coordinate.
local function shashSubject(shash)
  local function new(scene)
    local hash = shash.new(scene.cells[2])
    local held, x, y = places(scene)
    local w, h = scene.w, scene.h
    local objects = {}
    for i = 1, held do
      objects[i] = { index = i }
      hash:add(objects[i], x[i], y[i], w[i], h[i])
    end
    local it = { move = mover(scene, held, x, y, function(i, toX, toY)
      hash:update(objects[i], toX, toY)
    end) }
    local function visit(other, f)
      f(other.index)
    end
    countByQueries(it, scene, function(i, f)
      if i <= held then
        hash:each(objects[i], visit, f)
      else
        hash:each(x[i], y[i], w[i], h[i], visit, f)
      end
    end)
    local n
    local function add()
      n = n + 1
    end
    function it.query(list)
      n = 0
      for k = 1, #list, 4 do
        hash:each(list[k], list[k + 1], list[k + 2], list[k + 3], add)
      end
      return n
    end
    return it
  end
  return { name = "shash", isPeer = true, new = new }
end

-- love.physics: sensors on bodies. Its queries return candidates, which are tested here.
local function loveSubject(physics)
  local function new(scene)
    local world = physics.newWorld(0, 0, true)
    local held, x, y = places(scene)
    local w, h = scene.w, scene.h
    local bodies, indices = {}, {}
    for i = 1, held do
      local kind = i <= scene.fixed and "static" or "dynamic"
      bodies[i] = physics.newBody(world, x[i], y[i], kind)
      local shape = physics.newRectangleShape(w[i] / 2, h[i] / 2, w[i], h[i])
      local fixture = physics.newFixture(bodies[i], shape)
      fixture:setSensor(true)
      indices[fixture] = i
    end
    local it = { move = mover(scene, held, x, y, function(i, toX, toY)
      bodies[i]:setPosition(toX, toY)
    end) }
    local self, report
    local function near(fixture)
      local i, j = self, indices[fixture]
      if i ~= j and x[i] < x[j] + w[j] and x[j] < x[i] + w[i] and y[i] < y[j] + h[j]
        and y[j] < y[i] + h[i] then
        report(j)
      end
      return true
    end
    countByQueries(it, scene, function(i, f)
      self, report = i, f
      world:queryBoundingBox(x[i], y[i], x[i] + w[i], y[i] + h[i], near)
    end)
    local hit
    local function first(fixture, _, _, _, _, fraction)
      hit = fixture
      return fraction
    end
    function it.cast(ways)
      local n = 0
      for k = 1, #ways, 4 do
        hit = nil
        world:rayCast(ways[k], ways[k + 1], ways[k + 2], ways[k + 3], first)
        n = hit and n + 1 or n
      end
      return n
    end
    -- Its rays do not find the shape in which they begin, so there are fewer hits.
    it.missesInside = true
    return it
  end
  return { name = "love.physics", isPeer = true, isC = true, new = new }
end

-- Names of those that some runs lack.
subjects.others = "bump.lua; shash; love.physics"

--- All subjects. BUMP and SHASH in the environment name the files of these libraries.
function subjects.all()
  local list = ours()
  local makers = { { "BUMP", bumpSubject }, { "SHASH", shashSubject } }
  for _, maker in ipairs(makers) do
    local path = os.getenv(maker[1])
    if path and path ~= "" then
      list[#list + 1] = maker[2](load(path))
    end
  end
  local love = rawget(_G, "love")
  if love and love.physics then
    list[#list + 1] = loveSubject(love.physics)
  end
  return list
end

return subjects
