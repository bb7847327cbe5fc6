--- movement.lua: boxes that move among others and slide along them, beside other libraries.
--
--      BUMP=path/bump.lua NIJI=path/bump-niji.lua lua movement.lua [quick]
--
-- Every library moves its own boxes from their places to goals a little further on. They go to and
-- fro, so they stay among the others. Run it in the project's folder, with the paths set.

local folder = (arg and arg[0] or ""):match("^(.*[/\\])") or "./"
package.path = folder .. "?.lua;" .. package.path

local broadside = require("broadside")
local measure = require("measure")
local scenes = require("scenes")

local quick = arg and arg[1] == "quick"
local seconds = quick and 0.05 or 0.5

-- subjects ----------------------------------------------------------------------------------------

-- Each subject is { name, isPeer, new(boxes) -> move(i, goalX, goalY) -> x, y }.

local function ours(name, filter)
  return {
    name = name,
    new = function(boxes)
      local world = broadside.newWorld({ results = "id" })
      local ids, out = {}, {}
      for i, b in ipairs(boxes) do
        ids[i] = world:insert(b[1], b[2], b[3], b[4], { static = b.static })
      end
      return function(i, x, y)
        return world:move(ids[i], x, y, filter, out)
      end
    end,
  }
end

-- What scripts did before world:move existed: cast, go there, and slide once along what was hit.
local function bySweeps()
  return {
    name = "sweep, slide",
    new = function(boxes)
      local world = broadside.newWorld({ results = "id" })
      local ids, xs, ys = {}, {}, {}
      for i, b in ipairs(boxes) do
        ids[i] = world:insert(b[1], b[2], b[3], b[4], { static = b.static })
        xs[i], ys[i] = b[1], b[2]
      end
      return function(i, goalX, goalY)
        local id, x, y = ids[i], xs[i], ys[i]
        local dx, dy = goalX - x, goalY - y
        for _ = 1, 2 do
          local other, t, nx, ny = world:sweep(id, dx, dy)
          if not other or nx == 0 and ny == 0 then
            x, y = x + dx, y + dy
            break
          end
          x, y = x + dx * t, y + dy * t
          dx, dy = nx == 0 and dx * (1 - t) or 0, ny == 0 and dy * (1 - t) or 0
          world:update(id, x, y)
        end
        world:update(id, x, y)
        xs[i], ys[i] = x, y
        return x, y
      end
    end,
  }
end

local function bump(name, library)
  return {
    name = name,
    isPeer = true,
    new = function(boxes)
      local world = library.newWorld(32)
      for i, b in ipairs(boxes) do
        world:add(i, b[1], b[2], b[3], b[4])
      end
      local free = world.freeCollisions
      return function(i, goalX, goalY)
        local x, y, hits = world:move(i, goalX, goalY)
        if free then
          free(hits)
        end
        return x, y
      end
    end,
  }
end

local function load(variable)
  local path = os.getenv(variable)
  return path and path ~= "" and dofile(path) or nil
end

local subjects = {
  ours("move"),
  ours("move, masks", { slide = 1, cross = 2 }),
  ours("move, function", function()
    return "slide"
  end),
  bySweeps(),
}
for _, peer in ipairs({ { "bump.lua", "BUMP" }, { "bump-niji", "NIJI" } }) do
  local library = load(peer[2])
  if library then
    subjects[#subjects + 1] = bump(peer[1], library)
  end
end

-- worlds ------------------------------------------------------------------------------------------

local function fromScene(name)
  local scene = scenes.new(name, 1)
  local boxes, movers = {}, {}
  for i = 1, scene.n do
    boxes[i] = { scene.x[i], scene.y[i], scene.w[i], scene.h[i] }
  end
  for k = 1, 1000 do
    movers[k] = k * 5
  end
  return { name = "1,000 boxes by up to 16 px, among " .. scene.what, boxes = boxes,
    movers = movers, reach = 16, scene = scene }
end

-- A player between walls on a floor of tiles, pressed down by gravity; or one that flies above it.
local function room(n, height)
  local boxes = {}
  for i = 1, n - 1 do
    local x, y = (i - 1) % 100 * 32, 300 + math.floor((i - 1) / 100) * 200
    boxes[i] = { x, y, 32, 32, static = true }
  end
  boxes[n] = { 20, 284 - height, 16, 16 }
  local what = height > 0 and "flies above" or "walks on"
  return { name = ("a player that %s tiles, a world of %d boxes"):format(what, n), boxes = boxes,
    movers = { n }, fall = height > 0 and 0 or 0.5, scene = scenes.new("S2", 1) }
end

-- The goals of `turns` frames: {dx, dy} for each mover. Every second frame goes back.
local function drawWays(world, turns)
  local ways = {}
  for turn = 0, turns do
    local list = {}
    for k = 1, #world.movers do
      local before = turn % 2 == 1 and ways[turn - 1][k]
      if world.fall then
        list[k] = { turn % 40 < 20 and 2 or -2, world.fall }
      elseif before then
        list[k] = { -before[1], -before[2] }
      else
        list[k] = { world.scene:between(-world.reach, world.reach),
          world.scene:between(-world.reach, world.reach) }
      end
    end
    ways[turn] = list
  end
  return ways
end

local function contestant(subject, world)
  local move = subject.new(world.boxes)
  local x, y = {}, {}
  for k, i in ipairs(world.movers) do
    x[k], y[k] = world.boxes[i][1], world.boxes[i][2]
  end
  local c = { name = subject.name }
  function c.play(turn)
    local ways, movers = c.ways[turn], world.movers
    for k = 1, #movers do
      local way = ways[k]
      x[k], y[k] = move(movers[k], x[k] + way[1], y[k] + way[2])
    end
  end
  return c
end

local function run(world)
  local contestants, result = {}, { name = world.name, n = #world.movers }
  local turns = #world.movers > 1 and 16 or 4000
  for i, subject in ipairs(subjects) do
    contestants[i] = contestant(subject, world)
    result[subject.name] = contestants[i]
  end
  measure.run(contestants, turns, seconds, function()
    local ways = drawWays(world, turns)
    for _, c in ipairs(contestants) do
      c.ways = ways
    end
  end, function() end)
  return result
end

-- a step with responses ---------------------------------------------------------------------------

local function newCrowd()
  local world = broadside.newWorld({ results = "id", gravity = { 0, 1000 } })
  for i = 0, 9999 do
    local column, row = i % 1000, math.floor(i / 1000)
    world:insert(column * 16, row * 400 + 300, 16, 16, { static = true })
    world:insert(column * 16 + i * 7 % 13 / 4, row * 400 + 200 - i % 5 * 3, 10, 10,
      { response = "slide", vx = (i % 7 - 3) * 20 })
  end
  return world
end

-- Milliseconds: while they fall, and when they rest.
local function timeSteps()
  local world, falling, resting = newCrowd(), {}, {}
  for frame = 1, 240 do
    local start = os.clock()
    world:step(1 / 60)
    local spent = (os.clock() - start) * 1000
    if frame > 1 and frame <= 25 then
      falling[#falling + 1] = spent
    elseif frame > 120 then
      resting[#resting + 1] = spent
    end
  end
  assert(world:countPairs() == 0, "what falls onto a floor is not in it")
  return measure.median(falling), measure.median(resting)
end

-- printing ----------------------------------------------------------------------------------------

local number, row = measure.number, measure.row

local function printTable(title, results, figure)
  print("\n## " .. title .. "\n")
  local cells = { "" }
  for _, subject in ipairs(subjects) do
    cells[#cells + 1] = subject.name
  end
  row(cells)
  print("|---|" .. ("--:|"):rep(#subjects))
  for _, result in ipairs(results) do
    cells = { result.name }
    for _, subject in ipairs(subjects) do
      cells[#cells + 1] = number(figure(result[subject.name], result))
    end
    row(cells)
  end
end

local function verdict(what, wanted, measured, isReached)
  row({ what, wanted, number(measured), isReached and "yes" or "**no**" })
end

local function verdicts(results, resting)
  local jit = rawget(_G, "jit")
  print("\n## What movement has to show in " .. (jit and jit.version or _VERSION) .. "\n")
  row({ "", "wanted", "measured", "reached" })
  print("|---|--:|--:|---|")
  for _, result in ipairs(results) do
    local peer = result["bump.lua"]
    if peer then
      local ratio = measure.ratio(peer.times, result.move.times)
      local least = result.n == 1 and 1 or jit and 25 or 45
      verdict(result.name .. ": times as fast as bump.lua", "at least " .. least, ratio,
        ratio >= least)
    end
    verdict(result.name .. ": bytes of garbage per frame", "0", result.move.garbage,
      result.move.garbage == 0)
  end
  verdict("a step of 10,000 boxes that rest on 10,000 tiles, milliseconds", "at most 3", resting,
    resting <= 3)
end

local results = {}
for _, name in ipairs({ "sparse5k", "dense5k" }) do
  results[#results + 1] = run(fromScene(name))
end
for _, n in ipairs({ 10, 50, 1000 }) do
  results[#results + 1] = run(room(n, 0))
end
results[#results + 1] = run(room(50, 100))
print("\n# Movement")
printTable("Nanoseconds for each move", results, function(c, result)
  return measure.median(c.times) / result.n * 1e9
end)
printTable("Bytes of garbage for each frame", results, function(c)
  return c.garbage
end)
local falling, resting = timeSteps()
print(("\nA step of 10,000 boxes with a response above 10,000 tiles: %.2f ms while they fall, "
  .. "%.2f ms when they rest"):format(falling, resting))
verdicts(results, resting)
