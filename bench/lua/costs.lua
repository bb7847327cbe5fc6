--- costs.lua: the cost of each way of calling per box and per pair, in nanoseconds.
--
--     lua costs.lua           prints lines of: what, tab, nanoseconds
--     lua costs.lua FILE ...  makes one table of the output of several runs; FILE names the column
--
-- There are 10,000 boxes with 6,724 pairs. The work of the back end itself is not counted: pairs
-- are asked for again when nothing has changed, so this only costs the call and its results.

local folder = (arg and arg[0] or ""):match("^(.*[/\\])") or "./"
package.path = folder .. "?.lua;" .. package.path

local measure = require("measure")

local BOXES, WIDTH, HEIGHT = 10000, 800, 600
local ROUNDS = 41

-- Nanoseconds for each of n, in processor time: the median of some rounds.
local function time(f, n)
  local times = {}
  for i = 1, ROUNDS + 10 do
    local start = os.clock()
    f()
    times[i] = os.clock() - start
  end
  for _ = 1, 10 do -- LuaJIT compiles in these rounds
    table.remove(times, 1)
  end
  table.sort(times)
  return times[math.ceil(ROUNDS / 2)] / n * 1e9
end

local function newScene(broadside, results)
  local random = measure.newRandom()
  local world = broadside.newWorld({ results = results, backend = "tree" })
  local scene = { world = world, ids = {}, boxes = {}, places = {}, out = {}, rects = {} }
  for i = 1, BOXES do
    local x, y = random(0, WIDTH), random(0, HEIGHT)
    local data = results == "data" and {} or nil
    local box = world:insert(x, y, 4, 4, { vx = 1, vy = -1, data = data })
    scene.boxes[i] = results == "id" and world:getBox(box) or box
    scene.ids[i] = scene.boxes[i]:getId()
    scene.places[2 * i - 1], scene.places[2 * i] = x, y
  end
  scene.pairCount = world:countPairs()
  return scene
end

-- moving ------------------------------------------------------------------------------------------

local function addMoves(add, scene)
  local world, boxes, ids, places = scene.world, scene.boxes, scene.ids, scene.places
  add("move: box:setRect(x, y)", BOXES, function()
    for i = 1, BOXES do
      boxes[i]:setRect(places[2 * i - 1], places[2 * i])
    end
  end)
  add("move: world:update(id, x, y)", BOXES, function()
    for i = 1, BOXES do
      world:update(ids[i], places[2 * i - 1], places[2 * i])
    end
  end)
  add("move: world:updateMany(ids, flat), with a loop that fills flat", BOXES, function()
    for i = 1, 2 * BOXES do
      places[i] = places[i] + 0.001
    end
    world:updateMany(ids, places)
  end)
  add("move: world:step(dt)", BOXES, function()
    world:step(0.001)
  end)
end

-- reading -----------------------------------------------------------------------------------------

local function addReads(add, scene)
  local world, boxes, ids, rects = scene.world, scene.boxes, scene.ids, scene.rects
  add("read: box:getRect()", BOXES, function()
    local sum = 0
    for i = 1, BOXES do
      local x, y, w, h = boxes[i]:getRect()
      sum = sum + x + y + w + h
    end
    return sum
  end)
  add("read: world:getRects(ids, out), and a loop over out", BOXES, function()
    local sum = 0
    world:getRects(ids, rects)
    for i = 1, 4 * BOXES, 4 do
      sum = sum + rects[i] + rects[i + 1] + rects[i + 2] + rects[i + 3]
    end
    return sum
  end)
  local love = rawget(_G, "love")
  if not love then
    return
  end
  local data = love.data.newByteData(BOXES * 16)
  local floats = require("ffi").cast("float *", data:getFFIPointer())
  add("read: world:writeRects(data), and a loop over its floats by FFI", BOXES, function()
    local sum = 0
    local n = world:writeRects(data)
    for i = 0, 4 * n - 1, 4 do
      sum = sum + floats[i] + floats[i + 1] + floats[i + 2] + floats[i + 3]
    end
    return sum
  end)
  add("read: world:writeRects(data) alone, to draw by a mesh", BOXES, function()
    world:writeRects(data)
  end)
  add("read: world:writeRects(data, ids) alone", BOXES, function()
    world:writeRects(data, ids)
  end)
end

-- pairs -------------------------------------------------------------------------------------------

local function addPairs(add, scene, what)
  local world, out, n = scene.world, scene.out, scene.pairCount
  add("pair: for a, b in world:pairs(), " .. what, n, function()
    local count = 0
    for a, b in world:pairs() do
      count = a ~= b and count + 1 or count
    end
    return count
  end)
  add("pair: world:collectPairs(out), and a loop over out, " .. what, n, function()
    local count = 0
    world:collectPairs(out)
    for i = 1, 2 * n, 2 do
      count = out[i] ~= out[i + 1] and count + 1 or count
    end
    return count
  end)
end

local function addOthers(add, scene)
  local world, n = scene.world, scene.pairCount
  local count = 0
  local function each(a, b)
    count = a ~= b and count + 1 or count
  end
  add("pair: world:eachPair(f), ids", n, function()
    world:eachPair(each)
  end)
  add("pair: for phase, a, b in world:contacts(), ids", n, function()
    for _, a, b in world:contacts() do
      count = a ~= b and count + 1 or count
    end
  end)
  add("pair: for phase, a, b in world:contacts(\"changes\"), ids, none has changed", n, function()
    for _, a, b in world:contacts("changes") do
      count = a ~= b and count + 1 or count
    end
  end)
end

local function measureAll()
  local broadside = require("broadside")
  local function add(what, n, f)
    print(("%s\t%.1f"):format(what, time(f, n)))
  end
  local moving, still = newScene(broadside, "id"), newScene(broadside, "id")
  addMoves(add, moving)
  addReads(add, moving)
  addPairs(add, newScene(broadside, "box"), "Boxes")
  addPairs(add, newScene(broadside, "data"), "data")
  addPairs(add, still, "ids")
  addOthers(add, still)
end

if arg and arg[1] then
  measure.join("nanoseconds for each", arg)
else
  measureAll()
end
