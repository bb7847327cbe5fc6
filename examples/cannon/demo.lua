-- Shows what Broadside does, without a window. From the project's folder:
--
--   lua5.4 examples/cannon/demo.lua [--quick] [picture.svg]
--
-- It plays the cannon game, moves a crowd of boxes on every back end, and draws a picture of the
-- dynamic AABB tree. --quick makes the crowd small.

local here = arg[0]:match("^(.*)[/\\]") or "."
package.path = here .. "/?.lua;" .. here .. "/../?.lua;" .. package.path

local broadside = require("broadside")
local cannon = require("simulation")
local svg = require("support.svg")

local SEED = 7
local SHOTS = 8
local BACKENDS = { "brute", "sweep", "grid", "tree", "auto" }

local options = { boxes = 10000, frames = 300, seconds = 3, picture = "broadside-demo.svg" }
for _, value in ipairs(arg) do
  if value == "--quick" then
    options.boxes, options.frames = 500, 20
  else
    options.picture = value
  end
end

local function printf(format, ...)
  print(format:format(...))
end

-- 1. The cannon game ------------------------------------------------------------------------------

local COLUMNS, ROWS = 80, 20 -- a character is 0.12 x 0.24 m, so targets look square

local function cellAt(x, y)
  local column = math.floor(x / cannon.WIDTH * COLUMNS) + 1
  local row = ROWS - math.floor(y / cannon.HEIGHT * ROWS)
  return column, row
end

-- The field as rows of characters: the letter of the target there, or a space.
local function newField(game)
  local field = {}
  for row = 1, ROWS do
    field[row] = {}
    for column = 1, COLUMNS do
      local x = (column - 0.5) / COLUMNS * cannon.WIDTH
      local y = (ROWS - row + 0.5) / ROWS * cannon.HEIGHT
      local found, n = game.world:queryPoint(x, y)
      field[row][column] = n > 0 and found[1]:getData().name or " "
    end
  end
  return field
end

-- Marks every place of the ball with a dot, and the targets that it hit with small letters.
local function markShot(field, path, hits)
  for _, point in ipairs(path) do
    local column, row = cellAt(point.x, point.y)
    if field[row] and field[row][column] == " " then
      field[row][column] = "."
    end
  end
  for row = 1, ROWS do
    for column = 1, COLUMNS do
      if hits[field[row][column]] then
        field[row][column] = field[row][column]:lower()
      end
    end
  end
end

local function printField(field)
  local line = "+" .. ("-"):rep(COLUMNS) .. "+"
  print(line)
  for _, row in ipairs(field) do
    print("|" .. table.concat(row) .. "|")
  end
  print(line)
end

-- Six places of the path, including the first and the last.
local function pathText(path)
  local texts = {}
  for i = 0, 5 do
    local point = path[1 + math.floor(i / 5 * (#path - 1) + 0.5)]
    table.insert(texts, ("%.1f,%.1f"):format(point.x, point.y))
  end
  return table.concat(texts, "  ")
end

-- Fires once, and plays until the ball is gone. Returns its path and the targets it hit.
local function playShot(game)
  local path, hits, names = {}, {}, {}
  game.onHit = function(_, target)
    hits[target.name] = true
    table.insert(names, target.name)
  end
  local ball = game:fire()
  repeat
    local x, y = ball:getCenter()
    table.insert(path, { x = x, y = y })
    game:step()
  until ball:isRemoved()
  return path, hits, names
end

local function playCannon()
  local game = cannon.newGame(SEED)
  local random = cannon.newRandom(SEED)
  local field = newField(game)
  printf("The cannon game: %d shots at %d targets, gravity %g", SHOTS, cannon.TARGETS,
    cannon.GRAVITY)
  print("")
  print("shot  aims at    the ball's path in metres                                   result")
  for shot = 1, SHOTS do
    game:aim(random(2, 6), random(1, cannon.HEIGHT))
    local path, hits, names = playShot(game)
    local result = #names > 0 and "hits " .. table.concat(names, ", ") or "misses"
    printf("%4d  %.1f, %.1f   %-58s  %s", shot, game.aimX, game.aimY, pathText(path), result)
    markShot(field, path, hits)
  end
  print("")
  printField(field)
  printf("%d of %d targets are hit (small letters), %d are left. Dots: where the balls flew.",
    game.score, cannon.TARGETS, game.world:count())
end

-- 2. The crowd ------------------------------------------------------------------------------------

-- The density of 1024 boxes in 600 x 400.
local AREA_PER_BOX = 600 * 400 / 1024

-- The strips around the area, each with the direction back inside.
local function newWalls(width, height)
  local far = 1000
  return {
    { x = -far, y = -far, w = far, h = height + 2 * far, nx = 1, ny = 0 },
    { x = width, y = -far, w = far, h = height + 2 * far, nx = -1, ny = 0 },
    { x = -far, y = -far, w = width + 2 * far, h = far, nx = 0, ny = 1 },
    { x = -far, y = height, w = width + 2 * far, h = far, nx = 0, ny = -1 },
  }
end

-- Unlike Boxes, ids cost the garbage collector nothing.
local function newCrowd(count, backend)
  local random = cannon.newRandom(SEED)
  local height = math.sqrt(count * AREA_PER_BOX / 1.5)
  local width = 1.5 * height
  local world = broadside.newWorld({ backend = backend, results = "id" })
  local velocity = {}
  for _ = 1, count do
    local w, h = random(5, 30), random(5, 30)
    velocity.vx, velocity.vy = random(-2, 2), random(-2, 2)
    world:insert(random(0, width - w), random(0, height - h), w, h, velocity)
  end
  return { world = world, walls = newWalls(width, height), found = {} }
end

-- One call moves all boxes. Lua only touches the few that have left the area, which a query finds.
local function moveCrowd(crowd)
  local world, found = crowd.world, crowd.found
  world:step(1)
  for _, wall in ipairs(crowd.walls) do
    local _, n = world:queryRect(wall.x, wall.y, wall.w, wall.h, nil, found)
    for i = 1, n do
      local box = world:getBox(found[i])
      local vx, vy = box:getVelocity()
      if vx * wall.nx + vy * wall.ny < 0 then
        box:setVelocity(broadside.reflect(vx, vy, wall.nx, wall.ny))
      end
    end
  end
end

-- Plays until options.frames or options.seconds are over. Returns the number of pairs of each
-- frame, and the mean time of a frame in milliseconds.
local function runCrowd(backend)
  local crowd = newCrowd(options.boxes, backend)
  local counts = { crowd.world:countPairs() } -- this builds the back end, so it is not timed
  local start = os.clock()
  local seconds
  repeat
    moveCrowd(crowd)
    table.insert(counts, crowd.world:countPairs())
    seconds = os.clock() - start
  until #counts > options.frames or seconds > options.seconds
  return counts, 1000 * seconds / (#counts - 1)
end

-- Compares the frames that all back ends have played; slow ones have played fewer.
local function comparePairs(results)
  local frames = math.huge
  for _, result in ipairs(results) do
    frames = math.min(frames, #result.counts)
  end
  local sum = 0
  for frame = 1, frames do
    local count = results[1].counts[frame]
    sum = sum + count
    for _, result in ipairs(results) do
      assert(result.counts[frame] == count, "the back ends disagree: this is a bug")
    end
  end
  return frames, sum / frames
end

local function playCrowd()
  printf("A crowd: %d boxes of 5 to 30 fly through each other, all of them move in every frame",
    options.boxes)
  print("")
  local results = {}
  for i, backend in ipairs(BACKENDS) do
    local counts, ms = runCrowd(backend)
    results[i] = { backend = backend, counts = counts, ms = ms }
  end
  local frames, mean = comparePairs(results)
  print("back end   frames   pairs per frame   ms per frame   against brute")
  for _, result in ipairs(results) do
    printf("%-8s   %6d   %15.1f   %12.3f   %12.1fx", result.backend, #result.counts - 1, mean,
      result.ms, results[1].ms / result.ms)
  end
  printf("Move, bounce and count the pairs. All back ends agree in each of %d frames.", frames)
end

-- 3. The picture ----------------------------------------------------------------------------------

-- Boxes in loose groups. One in ten flies for some steps, so that its fat AABB grows.
local function newGroups()
  local random = cannon.newRandom(SEED)
  local world = broadside.newWorld({ backend = broadside.newTree({ margin = 6 }) })
  local flying = {}
  for i = 1, 480 do
    local group = i % 24
    local x = group % 6 * 160 + random(0, 110)
    local y = math.floor(group / 6) * 140 + random(0, 90)
    local box = world:insert(x, y, random(6, 20), random(6, 20))
    if i % 10 == 0 then
      table.insert(flying, { box = box, vx = random(-3, 3), vy = random(-3, 3) })
    end
  end
  for _ = 1, 10 do
    world:countPairs() -- the tree is only updated when it is queried
    for _, flight in ipairs(flying) do
      local x, y = flight.box:getRect()
      flight.box:setRect(x + flight.vx, y + flight.vy)
    end
  end
  return world
end

local function drawTree()
  local world = newGroups()
  svg.write(options.picture, world, "Broadside: a dynamic AABB tree after ten steps")
  printf("A picture of %d boxes in a dynamic AABB tree: %s", world:count(), options.picture)
end

playCannon()
print("")
playCrowd()
print("")
drawTree()
