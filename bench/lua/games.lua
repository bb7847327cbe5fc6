--- games.lua: what a game feels of the library: microseconds of a step, and of the slowest one.
--
--     BUMP=path/bump.lua lua games.lua [quick]     prints lines of: what, tab, microseconds
--     lua games.lua FILE ...                       makes one table of the output of several runs
--
-- Run it in the project's folder, with the paths set. Each game is played for twenty seconds of its
-- time. The slowest of those steps is what a player sees: LuaJIT compiles then. After that come the
-- rounds whose median counts. The collector runs, as in a game.

local folder = (arg and arg[0] or ""):match("^(.*[/\\])") or "./"
package.path = folder .. "?.lua;examples/?.lua;" .. package.path

local measure = require("measure")
local unpack = table.unpack or unpack

local STEP = 1 / 60
local FIRST = 1200 -- steps in twenty seconds
local ROUNDS, STEPS = 9, 300
if arg and arg[1] == "quick" then
  ROUNDS, STEPS = 3, 100
end

local GRAVITY, SOLID = 1700, 1

-- a walk on flat ground ---------------------------------------------------------------------------

-- A hundred walks, or a hundred moves of the same box that press it onto the ground.
local function onFlatGround(broadside, isWalk)
  local world = broadside.newWorld()
  world:insert(-1000, 100, 2000, 20, { static = true })
  local box, rows = world:insert(0, 68, 16, 32), {}
  local hero = require("broadside.walker").new(world, box)
  return function(number)
    local speed, x, y = number % 2 == 0 and 60 or -60, 0, 68
    for _ = 1, 100 do
      if isWalk then
        hero:walk(speed, GRAVITY * STEP, STEP)
      else
        x, y = world:move(box, x + speed * STEP, y + GRAVITY * STEP * STEP, nil, rows)
      end
    end
  end
end

-- five walkers on hills ---------------------------------------------------------------------------

local function hill(x)
  return 300 + 60 * math.sin(x / 140) + 25 * math.sin(x / 47)
end

local function walkersOnHills(broadside)
  local walkers = require("broadside.walker")
  local world, list = broadside.newWorld(), {}
  for x = 0, 3168, 32 do
    world:insertPolygon({ x, hill(x), x + 32, hill(x + 32), x + 32, 460, x, 460 },
      { static = true, layer = SOLID })
  end
  for i = 1, 5 do
    local box = world:insert(600 * i - 300, 150, 22, 30)
    list[i] = { box = box, vx = 0, vy = 0, direction = 1, speed = 120 + 20 * i,
      walker = walkers.new(world, box, { filter = { slide = SOLID } }) }
  end
  return function(number)
    for i = 1, 5 do
      local body = list[i]
      local x = body.box:getRect()
      if x < 100 then
        body.direction = 1
      elseif x > 3000 then
        body.direction = -1
      end
      body.vy = math.min(body.vy + GRAVITY * STEP, 640)
      if body.walker.onFloor and (number + 37 * i) % 150 == 0 then
        body.vy = -500
      end
      body.vx, body.vy = body.walker:walk(body.direction * body.speed, body.vy, STEP)
    end
  end
end

-- the platformer ----------------------------------------------------------------------------------

local function platformer()
  local simulation, robot = require("platformer.simulation"), require("platformer.robot")
  local game, pilot = simulation.newGame(), robot.new()
  return function()
    if game.isWon then
      game, pilot = simulation.newGame(), robot.new()
    end
    game:control(pilot(game))
    game:step()
  end
end

-- thirty enemies ----------------------------------------------------------------------------------

local TILE = 32

-- A floor of tiles with gaps, and walls on it. Enemies stand between them.
local function newLevel()
  local rects, enemies = {}, {}
  for column = 0, 139 do
    if column % 15 ~= 0 then
      rects[#rects + 1] = { column * TILE, 320, TILE, TILE }
    end
    if column % 23 == 0 then
      rects[#rects + 1] = { column * TILE, 256, TILE, 2 * TILE }
    elseif column % 4 == 3 and column % 15 ~= 0 then
      enemies[#enemies + 1] = { x = column * TILE + 4, y = 290, vx = column % 8 == 3 and 55 or -55,
        vy = 0, seen = 0 }
    end
  end
  return rects, enemies
end

-- Moves an enemy, which turns at walls and at gaps, and looks for the player. `calls` has what the
-- library does: `move` returns the sum of the normals met, `isFree` whether a segment meets
-- nothing solid, `read` a rect.
local function act(enemy, calls, playerX, playerY)
  enemy.vy = math.min(enemy.vy + GRAVITY * STEP, 640)
  local fromX, fromY = calls.read(enemy)
  local nx, ny = calls.move(enemy, fromX + enemy.vx * STEP, fromY + enemy.vy * STEP)
  if ny < 0 then
    enemy.vy = 0
  end
  local x, y, w, h = calls.read(enemy)
  local toeX = enemy.vx > 0 and x + w + 1 or x - 1
  if nx ~= 0 or ny < 0 and calls.isFree(toeX, y + h - 1, toeX, y + h + 20) then
    enemy.vx = -enemy.vx
  end
  if calls.isFree(x + w / 2, y + 6, playerX, playerY) then
    enemy.seen = enemy.seen + 1
  end
end

local function newGame(calls, enemies)
  return function(number)
    local playerX = 2240 + 2300 * math.sin(number / 300)
    for i = 1, #enemies do
      act(enemies[i], calls, playerX, 300)
    end
  end
end

local function enemiesHere(broadside)
  local world, rects, enemies = broadside.newWorld({ results = "data" }), newLevel()
  local rules, out = { slide = SOLID }, {}
  for _, rect in ipairs(rects) do
    world:insert(rect[1], rect[2], rect[3], rect[4], { static = true, layer = SOLID })
  end
  for _, enemy in ipairs(enemies) do
    world:insert(enemy.x, enemy.y, 24, 24, { layer = 2, data = enemy, key = "box" })
  end
  return newGame({
    move = function(enemy, goalX, goalY)
      local _, _, hits, n = world:move(enemy.box, goalX, goalY, rules, out)
      local nx, ny = 0, 0
      for i = 1, n do
        nx, ny = nx + hits[i].nx, ny + hits[i].ny
      end
      return nx, ny
    end,
    isFree = function(x1, y1, x2, y2)
      return not world:segmentCast(x1, y1, x2, y2, SOLID)
    end,
    read = function(enemy)
      return enemy.box:getRect()
    end,
  }, enemies), enemies
end

local function enemiesInBump(bump)
  local world, rects, enemies = bump.newWorld(64), newLevel()
  for _, rect in ipairs(rects) do
    world:add({ isSolid = true }, unpack(rect))
  end
  for _, enemy in ipairs(enemies) do
    world:add(enemy, enemy.x, enemy.y, 24, 24)
  end
  local function rules(_, other)
    return other.isSolid and "slide"
  end
  local function isSolid(item)
    return item.isSolid
  end
  return newGame({
    move = function(enemy, goalX, goalY)
      local _, _, hits, n = world:move(enemy, goalX, goalY, rules)
      local nx, ny = 0, 0
      for i = 1, n do
        nx, ny = nx + hits[i].normal.x, ny + hits[i].normal.y
      end
      return nx, ny
    end,
    isFree = function(x1, y1, x2, y2)
      local _, n = world:querySegment(x1, y1, x2, y2, isSolid)
      return n == 0
    end,
    read = function(enemy)
      return world:getRect(enemy)
    end,
  }, enemies), enemies
end

-- two hundred that chase --------------------------------------------------------------------------

local CHASERS, SPEED, ENEMY = 200, 80, 2

-- Enemies among pillars, seen from above, all run to a player, who runs in a circle. Their boxes
-- have these options. add(world, box) makes an enemy of a box, and moveAll(world, enemies, x, y)
-- moves all of them towards a place.
local function chase(broadside, opts, add, moveAll)
  local world, enemies, random = broadside.newWorld(), {}, measure.newRandom()
  for i = 0, 39 do
    world:insert(i % 8 * 200 + 90, math.floor(i / 8) * 200 + 90, 20, 20,
      { static = true, layer = SOLID })
  end
  for i = 1, CHASERS do
    local x, y = i % 20 * 80 + random(10, 70), math.floor((i - 1) / 20) * 100 + random(10, 70)
    enemies[i] = add(world, world:insertCircle(x, y, 7, opts))
  end
  return function(number)
    local angle = number / 120
    moveAll(world, enemies, 800 + 300 * math.cos(angle), 500 + 300 * math.sin(angle))
  end
end

-- The velocity that leads from a box to a place.
local function towards(box, x, y)
  local fromX, fromY = box:getCenter()
  local dx, dy = x - fromX, y - fromY
  local k = SPEED / math.max(1, math.sqrt(dx * dx + dy * dy))
  return k * dx, k * dy
end

local function chaseByWalkers(broadside)
  local walkers = require("broadside.walker")
  return chase(broadside, { layer = ENEMY }, function(world, box)
    return walkers.topDown(world, box)
  end, function(_, enemies, x, y)
    for i = 1, #enemies do
      local vx, vy = towards(enemies[i].box, x, y)
      enemies[i]:walk(vx, vy, STEP)
    end
  end)
end

local function chaseByStep(broadside, mask)
  return chase(broadside, { layer = ENEMY, mask = mask, response = "slide" }, function(_, box)
    return box
  end, function(world, enemies, x, y)
    for i = 1, #enemies do
      enemies[i]:setVelocity(towards(enemies[i], x, y))
    end
    world:step(STEP)
  end)
end

-- measuring ---------------------------------------------------------------------------------------

local function tell(what, seconds)
  print(("%s\t%s"):format(what, measure.number(seconds * 1e6)))
end

local function run(what, play)
  local worst, rounds = 0, {}
  for number = 1, FIRST do
    local start = os.clock()
    play(number)
    worst = math.max(worst, os.clock() - start)
  end
  for i = 1, ROUNDS do
    local start = os.clock()
    for number = 1, STEPS do
      play(FIRST + (i - 1) * STEPS + number)
    end
    rounds[i] = (os.clock() - start) / STEPS
  end
  tell(what, measure.median(rounds))
  tell(what .. ": the slowest step of the first 1,200", worst)
end

-- Both games must be the same game.
local function compare(mine, other)
  for i, enemy in ipairs(mine) do
    assert(enemy.seen > 0, "an enemy sees the player now and then")
    assert(enemy.seen == other[i].seen and enemy.vx == other[i].vx, "enemy " .. i)
  end
end

local function measureAll()
  local broadside = require("broadside")
  local path = os.getenv("BUMP")
  local bump = path and path ~= "" and dofile(path)
  run("five walkers on hills", walkersOnHills(broadside))
  run("100 walks on flat ground", onFlatGround(broadside, true))
  run("100 moves that press onto it", onFlatGround(broadside, false))
  run("the platformer's whole update", (platformer()))
  run("200 that chase, by walker.topDown", chaseByWalkers(broadside))
  run("200 that chase and push each other, by world:step", chaseByStep(broadside))
  run("200 that chase and pass each other, by world:step", chaseByStep(broadside, SOLID))
  local play, mine = enemiesHere(broadside)
  run("30 enemies that move, look and read", play)
  if bump then
    local other
    play, other = enemiesInBump(bump)
    run("the same 30 enemies with bump.lua", play)
    compare(mine, other)
  end
end

if arg and arg[1] and arg[1] ~= "quick" then
  measure.join("microseconds for each step", arg)
else
  measureAll()
end
