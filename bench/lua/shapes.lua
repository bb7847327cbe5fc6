--- shapes.lua: circles that slide among circles, polygons and boxes, beside other libraries.
--
--      HC=path/HC/init.lua SLICK=path/slick/init.lua lua shapes.lua [quick]
--
-- Every library moves its own circles from their places to goals a little further on. They go to
-- and fro, so they stay among the others. Run it in the project's folder, with the paths set.

local folder = (arg and arg[0] or ""):match("^(.*[/\\])") or "./"
package.path = folder .. "?.lua;" .. package.path

local broadside = require("broadside")
local measure = require("measure")
local scenes = require("scenes")

local quick = arg and arg[1] == "quick"
local seconds = quick and 0.05 or 0.5
local TURNS, MOVERS, REACH, TIMES = 2, 1000, 16, 10

-- worlds ------------------------------------------------------------------------------------------

-- A polygon of six corners around a point, turned by a different angle for each i.
local function corners(i, x, y, r)
  local flat = {}
  for k = 0, 5 do
    local angle = i * 2.4 + k * math.pi / 3
    flat[2 * k + 1], flat[2 * k + 2] = x + r * math.cos(angle), y + r * math.sin(angle)
  end
  return flat
end

-- Shapes {kind, x, y, r}, by their centres, a third of each kind. Every fifth one is a circle that
-- moves.
local function newWorld(name)
  local scene = scenes.new(name, 1)
  local kinds = { "polygon", "box", "circle" }
  local shapes = {}
  for i = 1, scene.n do
    local r = scene.w[i] / 2
    local kind = i % 5 == 0 and "circle" or kinds[i % 3 + 1]
    shapes[i] = { kind = kind, x = scene.x[i] + r, y = scene.y[i] + r, r = r }
  end
  local what = scene.what:gsub("boxes", "shapes")
  return { scene = scene, shapes = shapes,
    name = ("1,000 circles by up to %d px, among %s"):format(REACH, what) }
end

-- The goals of each turn: {dx, dy} for each mover. Every second turn goes back.
local function drawWays(scene)
  local ways = {}
  for turn = 0, TURNS do
    local list = {}
    for k = 1, MOVERS do
      local before = turn % 2 == 1 and ways[turn - 1][k]
      list[k] = before and { -before[1], -before[2] }
        or { scene:between(-REACH, REACH), scene:between(-REACH, REACH) }
    end
    ways[turn] = list
  end
  return ways
end

-- subjects ----------------------------------------------------------------------------------------

-- Each subject is { name, new(world) -> move(i, dx, dy) }.

local function ours()
  return { name = "move", new = function(world)
    local w = broadside.newWorld({ results = "id" })
    local ids, xs, ys, out = {}, {}, {}, {}
    for i, s in ipairs(world.shapes) do
      if s.kind == "circle" then
        ids[i] = w:insertCircle(s.x, s.y, s.r)
      elseif s.kind == "polygon" then
        ids[i] = w:insertPolygon(corners(i, s.x, s.y, s.r))
      else
        ids[i] = w:insert(s.x - s.r, s.y - s.r, 2 * s.r, 2 * s.r)
      end
      xs[i], ys[i] = s.x - s.r, s.y - s.r
    end
    return function(i, dx, dy)
      xs[i], ys[i] = w:move(ids[i], xs[i] + dx, ys[i] + dy, nil, out)
    end
  end }
end

-- HC moves a shape and returns what it overlaps. As its documentation shows, the shape is pushed
-- out of each of these.
local function hc(library)
  return { name = "HC", new = function(world)
    local w = library.new(32)
    local shapes = {}
    for i, s in ipairs(world.shapes) do
      if s.kind == "circle" then
        shapes[i] = w:circle(s.x, s.y, s.r)
      elseif s.kind == "polygon" then
        shapes[i] = w:polygon((table.unpack or unpack)(corners(i, s.x, s.y, s.r)))
      else
        shapes[i] = w:rectangle(s.x - s.r, s.y - s.r, 2 * s.r, 2 * s.r)
      end
    end
    return function(i, dx, dy)
      local shape = shapes[i]
      shape:move(dx, dy)
      for _, push in pairs(w:collisions(shape)) do
        shape:move(push.x, push.y)
      end
    end
  end }
end

local function slick(library)
  return { name = "slick", new = function(world)
    local w = library.newWorld(world.scene.width, world.scene.height)
    local query = library.newWorldQuery(w)
    local xs, ys = {}, {}
    for i, s in ipairs(world.shapes) do
      local shape
      if s.kind == "circle" then
        shape = library.newCircleShape(0, 0, s.r)
      elseif s.kind == "polygon" then
        shape = library.newPolygonShape(corners(i, 0, 0, s.r))
      else
        shape = library.newRectangleShape(-s.r, -s.r, 2 * s.r, 2 * s.r)
      end
      w:add(i, s.x, s.y, shape)
      xs[i], ys[i] = s.x, s.y
    end
    return function(i, dx, dy)
      xs[i], ys[i] = w:move(i, xs[i] + dx, ys[i] + dy, nil, query)
    end
  end }
end

-- Loads the module in the folder of that file. Libraries for Lua 5.1 need some of its functions.
local function load(variable)
  local around, name = (os.getenv(variable) or ""):match("^(.-)([^/\\]+)[/\\]init%.lua$")
  if not name then
    return nil
  end
  around = around == "" and "./" or around
  package.path = ("%s?.lua;%s?/init.lua;"):format(around, around) .. package.path
  rawset(_G, "unpack", rawget(_G, "unpack") or table.unpack)
  rawset(_G, "setfenv", rawget(_G, "setfenv") or function() end)
  return require(name)
end

local subjects = { ours() }
for _, peer in ipairs({ { hc, "HC" }, { slick, "SLICK" } }) do
  local library = load(peer[2])
  subjects[#subjects + 1] = library and peer[1](library)
end

-- measuring ---------------------------------------------------------------------------------------

local function contestant(subject, world)
  local move = subject.new(world)
  local c = { name = subject.name }
  function c.play(turn)
    local ways = c.ways[turn]
    for k = 1, MOVERS do
      local way = ways[k]
      move(5 * k, way[1], way[2])
    end
  end
  return c
end

local function run(world)
  local contestants = {}
  for i, subject in ipairs(subjects) do
    contestants[i] = contestant(subject, world)
  end
  measure.run(contestants, TURNS, seconds, function()
    local ways = drawWays(world.scene)
    for _, c in ipairs(contestants) do
      c.ways = ways
    end
  end, function() end)
  return contestants
end

local function verdict(world, us, peer)
  local ratio = measure.ratio(peer.times, us.times)
  measure.row({ world.name .. ": times as fast as " .. peer.name, "at least " .. TIMES,
    measure.number(ratio), ratio >= TIMES and "yes" or "**no**" })
end

-- The dense scene is left out: most shapes overlap where they begin, and there some moves of slick
-- take half a second.
local world = newWorld("sparse5k")
local results = run(world)
local jit = rawget(_G, "jit")
print("\n# Shapes in " .. (jit and jit.version or _VERSION) .. ": nanoseconds for each move\n")
local head, cells = { "" }, { world.name }
for i, c in ipairs(results) do
  head[i + 1], cells[i + 1] = c.name, measure.number(measure.median(c.times) / MOVERS * 1e9)
end
measure.row(head)
print("|---|" .. ("--:|"):rep(#results))
measure.row(cells)
print()
measure.row({ "", "wanted", "measured", "reached" })
print("|---|--:|--:|---|")
for i = 2, #results do
  verdict(world, results[1], results[i])
end
local garbage = results[1].garbage
measure.row({ world.name .. ": bytes of garbage per frame", "0", measure.number(garbage),
  garbage == 0 and "yes" or "**no**" })
