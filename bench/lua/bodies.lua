--- bodies.lua: steps of worlds full of bodies, in LÖVE beside love.physics.
--
--      lua bodies.lua [quick] [only=crowd]                     make bench-bodies runs both
--      love bench/lua/love file=bodies.lua [quick] [only=crowd]
--
-- Both play the same scenes in the same run; love.physics has bodies that do not rotate and may
-- sleep. Two heaps are compared only if they end alike: the mean height of the bodies over the
-- floor (in a crowd, their mean distance from its goal) within a factor of 1.1.
-- Each plays a scene twice, and of the two times of a step the lesser one counts, so that what else
-- the machine does is left out. Run it in the project's folder, with the paths set.

local folder = (arg and arg[0] or ""):match("^(.*[/\\])") or "./"
package.path = folder .. "?.lua;" .. package.path

local broadside = require("broadside")
local measure = require("measure")

local love, jit = rawget(_G, "love"), rawget(_G, "jit")
local STEP = 1 / 60
local ALIKE = 1.1 -- how far apart the mean heights of two heaps that end alike may be
local WORST = 3 -- of the worst step of love.physics: so long may the worst step be
local PATIENCE = 30 -- seconds after which a scene is given up

local quick, only = false, ""
for _, word in ipairs(arg or {}) do
  quick = quick or word == "quick"
  only = word:match("^only=(.*)$") or only
end

-- scenes ------------------------------------------------------------------------------------------

-- A scene is { gravity =, bounce =, friction =, walls =, bodies =, height = f(x, y), steer = }.
-- A wall is { x, y, w, h }, or a polygon of more numbers. A body is { x, y, w, h } or a circle
-- { x, y, r }, with vx and vy if it moves; x, y is its centre. steer(x, y), if the scene has one,
-- returns the velocity that a body there wants. It is set before each step.

local function room(size, gravity, bounce, friction)
  return { gravity = gravity, bounce = bounce, friction = friction, bodies = {}, walls = {
    { -50, -50, size + 100, 50 }, { -50, size, size + 100, 50 }, { -50, 0, 50, size },
    { size, 0, 50, size } }, height = function(_, y) return size - y end }
end

-- Puts n circles of radius r on a grid around x, y, each a little off its place.
local function fill(scene, n, columns, x, y, spacing, r, random)
  for i = 0, n - 1 do
    scene.bodies[i + 1] = { x + (i % columns - (columns - 1) / 2) * spacing + random(-1, 1) * r / 8,
      y + (math.floor(i / columns) - (n / columns - 1) / 2) * spacing + random(-1, 1) * r / 8, r }
  end
  return scene
end

local function gas(n)
  local random, columns = measure.newRandom(), math.ceil(math.sqrt(n))
  local size = 30 * columns
  local scene = fill(room(size, 0, 1, 0), n, columns, size / 2, size / 2, 30, 4, random)
  for _, body in ipairs(scene.bodies) do
    body.vx, body.vy = random(-200, 200), random(-200, 200)
  end
  return scene
end

-- Circles that are poured into a bowl: half a circle of flat sides, with walls above its rim.
local function pour(n)
  local scene = fill(room(0, 500, 0, 0), n, 20, 0, -500, 17, 7, measure.newRandom())
  scene.walls = { { -456, -1000, 50, 1000 }, { 406, -1000, 50, 1000 } }
  for i = 0, 31 do
    local a, b = i * math.pi / 32, (i + 1) * math.pi / 32
    local ax, ay, bx, by = math.cos(a), math.sin(a), math.cos(b), math.sin(b)
    scene.walls[i + 3] = { 406 * ax, 406 * ay, 406 * bx, 406 * by, 456 * bx, 456 * by, 456 * ax,
      456 * ay }
  end
  scene.height = function(_, y) return 406 - y end
  return scene
end

-- Circles that all want to be where x and y are 0.
local function crowd(n)
  local columns = math.ceil(math.sqrt(n))
  local scene = fill(room(0, 0, 0, 0), n, columns, 0, 0, 18, 7, measure.newRandom())
  scene.walls = {}
  scene.height = function(x, y) return math.sqrt(x * x + y * y) end
  scene.steer = function(x, y)
    local k = -60 / math.max(scene.height(x, y), 1e-9)
    return k * x, k * y
  end
  return scene
end

local function pyramid(rows)
  local scene = room(600, 500, 0, 0.5)
  for row = 0, rows - 1 do
    for i = 1, rows - row do
      table.insert(scene.bodies,
        { 300 + (i - (rows - row + 1) / 2) * 16, 600 - 7 - 14 * row, 14, 14 })
    end
  end
  return scene
end

-- With more friction, circles that do not rotate may stand on each other in columns.
local function heap(n)
  local random, columns = measure.newRandom(), math.floor(math.sqrt(n))
  local size = 26 * columns
  return fill(room(size, 500, 0, 0.1), n, columns, size / 2, size / 2, 26, 7,
    function(low, high) return random(4 * low, 4 * high) end)
end

-- Each row: its name, its scene, the steps before those that count, and these; then what they must
-- show: how many times as fast as love.physics, or `most`: milliseconds.
local ROWS = {
  { "a gas of 500 circles", gas, 500, 20, 200, times = 2.5 },
  { "a gas of 5,000 circles", gas, 5000, 10, 50, times = 6 },
  { "a pour of 1,000 circles", pour, 1000, 0, 600, times = 0.7 },
  { "a crowd of 400", crowd, 400, 0, 400, times = 0.8 },
  { "a crowd of 1,000", crowd, 1000, 0, 400, times = 0.8 },
  { "a crowd of 1,600", crowd, 1600, 0, 400, times = 0.8 },
  { "a pyramid of 210 boxes, after 10 s", pyramid, 20, 600, 60, most = 0.02 },
  { "a heap of 400 circles, after 20 s", heap, 400, 1200, 60, most = 0.02 },
}

-- subjects ----------------------------------------------------------------------------------------

-- Each makes a scene, and returns functions: step(), get(i) -> x, y of the centre, set(i, vx, vy).

local function ours(scene)
  local world = broadside.newWorld({ gravity = { 0, scene.gravity } })
  local boxes = {}
  for _, wall in ipairs(scene.walls) do
    if wall[5] then
      world:insertPolygon(wall, { static = true })
    else
      world:insert(wall[1], wall[2], wall[3], wall[4], { static = true })
    end
  end
  for i, body in ipairs(scene.bodies) do
    local x, y, w, h = body[1], body[2], body[3], body[4]
    local opts = { response = "bounce", bounce = scene.bounce, friction = scene.friction,
      vx = body.vx, vy = body.vy }
    boxes[i] = h and world:insert(x - w / 2, y - h / 2, w, h, opts)
      or world:insertCircle(x, y, w, opts)
  end
  return function() world:step(STEP) end, function(i) return boxes[i]:getCenter() end,
    function(i, vx, vy) boxes[i]:setVelocity(vx, vy) end
end

local function loves(scene)
  local physics = love.physics
  local world = physics.newWorld(0, scene.gravity, true)
  local bodies = {}
  local function add(kind, x, y, shape, bounce)
    local body = physics.newBody(world, x, y, kind)
    local fixture = physics.newFixture(body, shape)
    fixture:setFriction(scene.friction)
    fixture:setRestitution(bounce)
    body:setFixedRotation(true)
    return body
  end
  for _, wall in ipairs(scene.walls) do
    if wall[5] then
      add("static", 0, 0, physics.newPolygonShape(wall), 0)
    else
      add("static", wall[1] + wall[3] / 2, wall[2] + wall[4] / 2,
        physics.newRectangleShape(wall[3], wall[4]), 0)
    end
  end
  for i, body in ipairs(scene.bodies) do
    local shape = body[4] and physics.newRectangleShape(body[3], body[4])
      or physics.newCircleShape(body[3])
    bodies[i] = add("dynamic", body[1], body[2], shape, scene.bounce)
    bodies[i]:setLinearVelocity(body.vx or 0, body.vy or 0)
  end
  return function() world:update(STEP) end, function(i) return bodies[i]:getPosition() end,
    function(i, vx, vy) bodies[i]:setLinearVelocity(vx, vy) end
end

-- running -----------------------------------------------------------------------------------------

-- Plays a scene once. `times` has the least milliseconds of each step until now. Returns the mean
-- height at the end; nothing if it takes too long.
local function play(subject, scene, steps, times)
  local step, get, set = subject(scene)
  local spent = 0
  collectgarbage()
  for k = 1, steps do
    for i = 1, scene.steer and #scene.bodies or 0 do
      set(i, scene.steer(get(i)))
    end
    local start = os.clock()
    step()
    local time = os.clock() - start
    spent = spent + time
    times[k] = math.min(times[k] or math.huge, time * 1000)
    if spent > PATIENCE then
      return nil
    end
  end
  local height = 0
  for i = 1, #scene.bodies do
    height = height + scene.height(get(i)) / #scene.bodies
  end
  return height
end

-- The mean of the times after the first `before` ones, and the longest of all.
local function summary(times, before)
  local sum, worst = 0, 0
  for k, time in ipairs(times) do
    sum = sum + (k > before and time or 0)
    worst = math.max(worst, time)
  end
  return sum / (#times - before), worst
end

local verdicts, means = {}, {}

local function judge(what, wanted, measured, reached)
  table.insert(verdicts, { what, wanted, measured, reached })
end

local function isAlike(height, other)
  return height <= ALIKE * other and other <= ALIKE * height
end

-- What the last cell of a row says of two that both ended.
local function compare(row, us, peer)
  local name, ratio = row[1], us.height / peer.height
  judge(name .. ": mean height, of that of love.physics", "1 / 1.1 to 1.1", ratio,
    isAlike(us.height, peer.height))
  if not isAlike(us.height, peer.height) then
    return ("ends otherwise: height %.2f of it"):format(ratio)
  end
  local times = peer.mean / us.mean
  if row.times then
    judge(name .. ": times as fast as love.physics", "at least " .. row.times, times,
      times >= row.times)
  end
  return measure.number(times)
end

local function run(row)
  local name, before = row[1], row[4]
  local scene = row[2](row[3])
  local subjects = love and love.physics and { ours, loves } or { ours }
  local results, cells = {}, { name }
  for round = 1, quick and 1 or 2 do
    for i, subject in ipairs(subjects) do
      local result = results[i] or { times = {} }
      results[i] = result
      if round == 1 or result.height then
        result.height = play(subject, scene, before + row[5], result.times)
      end
    end
  end
  for _, result in ipairs(results) do
    if result.height then
      result.mean, result.worst = summary(result.times, before)
    end
    table.insert(cells, result.mean and ("%.3f"):format(result.mean) or "too long")
    table.insert(cells, result.mean and ("%.2f"):format(result.worst) or "")
  end
  local us, peer = results[1], results[2]
  if peer then
    table.insert(cells, us.mean and peer.mean and compare(row, us, peer) or "")
  end
  measure.row(cells)
  means[name] = us.mean
  if us.mean and peer and peer.mean then
    judge(name .. ": worst step, of that of love.physics", "at most " .. WORST,
      us.worst / peer.worst, us.worst <= WORST * peer.worst)
  end
  if row.most then
    judge(name .. ": milliseconds", "at most " .. row.most, us.mean,
      us.mean ~= nil and us.mean <= row.most)
  end
end

print("\n# Bodies in " .. (love and "LÖVE" or jit and jit.version or _VERSION) .. "\n")
measure.row(love and { "milliseconds for a step", "Broadside", "worst", "love.physics", "worst",
  "times as fast" } or { "milliseconds for a step", "Broadside", "worst" })
print(love and "|---|--:|--:|--:|--:|--:|" or "|---|--:|--:|")
for _, row in ipairs(ROWS) do
  if row[1]:find(only, 1, true) then
    run(row)
  end
end
local few, many = means["a crowd of 400"], means["a crowd of 1,600"]
if few and many then
  local exponent = math.log(many / few) / math.log(4)
  judge("growth of a crowd from 400 to 1,600: exponent", "at most 1.25", exponent, exponent <= 1.25)
end
print("\n## What bodies have to show\n")
measure.row({ "", "wanted", "measured", "reached" })
print("|---|--:|--:|---|")
for _, v in ipairs(verdicts) do
  measure.row({ v[1], v[2], measure.number(v[3]), v[4] and "yes" or "**no**" })
end
