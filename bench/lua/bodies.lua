--- bodies.lua: steps of worlds full of bodies, in LÖVE beside love.physics.
--
--      lua bodies.lua [quick] [only=heap]                      make bench-bodies runs both
--      love bench/lua/love file=bodies.lua [quick] [only=heap]
--
-- Both play the same scenes in the same run, in turns of a few steps. love.physics has bodies that
-- do not rotate, with no friction, and may let them sleep. Run it in the project's folder, with the
-- paths set.

local folder = (arg and arg[0] or ""):match("^(.*[/\\])") or "./"
package.path = folder .. "?.lua;" .. package.path

local broadside = require("broadside")
local measure = require("measure")

local love, jit = rawget(_G, "love"), rawget(_G, "jit")
local STEP = 1 / 60
local TURN = 5 -- steps

local quick, only = false, ""
for _, word in ipairs(arg or {}) do
  quick = quick or word == "quick"
  only = word:match("^only=(.*)$") or only
end

-- scenes ------------------------------------------------------------------------------------------

-- A scene is { gravity =, bounce =, walls = {{x, y, w, h}, ...}, bodies = {{x, y, w, h, vx, vy},
-- ...} }; a body without h is a circle around x, y of radius w.

local function room(size, gravity, bounce)
  return { gravity = gravity, bounce = bounce, bodies = {}, walls = {
    { -50, -50, size + 100, 50 }, { -50, size, size + 100, 50 }, { -50, 0, 50, size },
    { size, 0, 50, size } } }
end

-- Circles that fly in all directions, so far from each other that none overlap.
local function gas(n)
  local random, columns = measure.newRandom(), math.ceil(math.sqrt(n))
  local scene = room(30 * columns, 0, 1)
  for i = 0, n - 1 do
    scene.bodies[i + 1] = { 15 + 30 * (i % columns) + random(-10, 10),
      15 + 30 * math.floor(i / columns) + random(-10, 10), 4, nil, random(-200, 200),
      random(-200, 200) }
  end
  return scene
end

local function boxHeap()
  local random, scene = measure.newRandom(), room(400, 500, 0)
  for i = 0, 399 do
    scene.bodies[i + 1] = { i % 20 * 18 + random(10, 14), math.floor(i / 20) * 18 + random(20, 23),
      12, 12, 0, 0 }
  end
  return scene
end

local function circleHeap(n, bounce)
  local random, columns = measure.newRandom(), math.floor(math.sqrt(n))
  local scene = room(math.sqrt(n) * 20, 500, bounce or 0)
  for i = 0, n - 1 do
    scene.bodies[i + 1] = { i % columns * 19 + random(10, 14),
      math.floor(i / columns) * 19 + random(10, 13), 7, nil, 0, 0 }
  end
  return scene
end

local function tiles()
  local scene = { gravity = 1000, bounce = 0, walls = {}, bodies = {} }
  for i = 0, 9999 do
    local x, y = i % 1000 * 16, math.floor(i / 1000) * 400
    scene.walls[i + 1] = { x, y + 300, 16, 16 }
    scene.bodies[i + 1] = { x + 1 + i * 7 % 13 / 4, y + 200 - i % 5 * 3, 10, 10, 0, 0 }
  end
  return scene
end

-- Each row: its name, its scene, then phases. A phase has a name, the steps before it, its own
-- steps, and how many times as fast as love.physics it is to be, or `most`: milliseconds.
local ROWS = {
  { "a gas of 500 circles", function() return gas(500) end, { "", 20, 200, 2.5 } },
  { "a gas of 5,000 circles", function() return gas(5000) end, { "", 10, 40, 2.5 } },
  { "a heap of 400 boxes", boxHeap, { "falling", 0, 60, 3 }, { "at rest", 540, 60, 1.5 } },
  { "a heap of 400 circles", function() return circleHeap(400) end, { "falling", 0, 60 },
    { "at rest", 1140, 60, most = 0.3 } },
  { "a heap of 400 circles of bounce 0.5", function() return circleHeap(400, 0.5) end,
    { "falling", 0, 120 }, { "after 10 s", 480, 60 } },
  { "a heap of 2,000 circles", function() return circleHeap(2000) end, { "falling", 0, 60, 1.5 },
    { "after 10 s", 540, 60, 3 } },
  { "10,000 boxes above 10,000 tiles", tiles, { "falling", 1, 24 },
    { "at rest", 100, 60, most = 0.5 } },
}

-- subjects ----------------------------------------------------------------------------------------

local function ours(scene)
  local world = broadside.newWorld({ gravity = { 0, scene.gravity } })
  local boxes = {}
  for _, wall in ipairs(scene.walls) do
    world:insert(wall[1], wall[2], wall[3], wall[4], { static = true })
  end
  for i, body in ipairs(scene.bodies) do
    local opts = { response = "bounce", bounce = scene.bounce, vx = body[5], vy = body[6] }
    boxes[i] = body[4] and world:insert(body[1], body[2], body[3], body[4], opts)
      or world:insertCircle(body[1], body[2], body[3], opts)
  end
  return function()
    world:step(STEP)
  end, function(i)
    return boxes[i]:getVelocity()
  end
end

local function addBody(physics, world, kind, box, bounce)
  local x, y, w, h = box[1], box[2], box[3], box[4]
  local body = physics.newBody(world, h and x + w / 2 or x, h and y + h / 2 or y, kind)
  local shape = h and physics.newRectangleShape(w, h) or physics.newCircleShape(w)
  local fixture = physics.newFixture(body, shape)
  fixture:setFriction(0)
  fixture:setRestitution(bounce)
  body:setFixedRotation(true)
  body:setLinearVelocity(box[5] or 0, box[6] or 0)
  return body
end

local function loves(scene)
  local physics = love.physics
  local world = physics.newWorld(0, scene.gravity, true)
  local bodies = {}
  for _, wall in ipairs(scene.walls) do
    addBody(physics, world, "static", wall, 0)
  end
  for i, body in ipairs(scene.bodies) do
    bodies[i] = addBody(physics, world, "dynamic", body, scene.bounce)
  end
  return function()
    world:update(STEP)
  end, function(i)
    return bodies[i]:getLinearVelocity()
  end
end

-- running -----------------------------------------------------------------------------------------

local function energyOf(scene, velocityOf)
  local sum = 0
  for i = 1, #scene.bodies do
    local vx, vy = velocityOf(i)
    sum = sum + vx * vx + vy * vy
  end
  return sum
end

local function play(step, n)
  local start = os.clock()
  for _ = 1, n do
    step()
  end
  return os.clock() - start
end

-- Plays a phase in turns. Sets each contestant's milliseconds per step.
local function playPhase(contestants, before, steps)
  for _, c in ipairs(contestants) do
    play(c.step, before)
    c.spent = 0
  end
  for turn = 0, steps / TURN - 1 do
    for k = 0, #contestants - 1 do
      local c = contestants[(k + turn) % #contestants + 1]
      c.spent = c.spent + play(c.step, TURN)
    end
  end
  for _, c in ipairs(contestants) do
    c.milliseconds = c.spent / (math.floor(steps / TURN) * TURN) * 1000
  end
end

local verdicts = {}

local function judge(what, phase, us, peer)
  if phase.most then
    table.insert(verdicts, { what .. ", milliseconds", "at most " .. phase.most, us,
      us <= phase.most })
  elseif phase[4] and peer then
    table.insert(verdicts, { what .. ": times as fast as love.physics", "at least " .. phase[4],
      peer / us, peer / us >= phase[4] })
  end
end

local function run(row)
  local scene = row[2]()
  local contestants = {}
  for i, new in ipairs(love and love.physics and { ours, loves } or { ours }) do
    contestants[i] = {}
    contestants[i].step, contestants[i].velocityOf = new(scene)
    contestants[i].energy = energyOf(scene, contestants[i].velocityOf)
  end
  for i = 3, #row do
    local phase = row[i]
    playPhase(contestants, phase[2], quick and math.min(phase[3], 20) or phase[3])
    local us, peer = contestants[1], contestants[2]
    local what = row[1] .. (phase[1] ~= "" and ", " .. phase[1] or "")
    local cells = { what, ("%.3f"):format(us.milliseconds) }
    if peer then
      table.insert(cells, ("%.3f"):format(peer.milliseconds))
      table.insert(cells, measure.number(peer.milliseconds / us.milliseconds))
    end
    for _, c in ipairs(contestants) do
      table.insert(cells, scene.bounce == 1
        and ("%.4f"):format(energyOf(scene, c.velocityOf) / c.energy) or "")
    end
    measure.row(cells)
    judge(what, phase, us.milliseconds, peer and peer.milliseconds)
  end
end

print("\n# Bodies in " .. (love and "LÖVE" or jit and jit.version or _VERSION) .. "\n")
measure.row(love and { "milliseconds for a step", "Broadside", "love.physics", "times as fast",
  "energy kept", "of love.physics" } or { "milliseconds for a step", "Broadside", "energy kept" })
print(love and "|---|--:|--:|--:|--:|--:|" or "|---|--:|--:|")
for _, row in ipairs(ROWS) do
  if row[1]:find(only, 1, true) then
    run(row)
  end
end
print("\n## What bodies have to show\n")
measure.row({ "", "wanted", "measured", "reached" })
print("|---|--:|--:|---|")
for _, v in ipairs(verdicts) do
  measure.row({ v[1], v[2], measure.number(v[3]), v[4] and "yes" or "**no**" })
end
