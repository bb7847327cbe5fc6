-- A scene for each recipe of doc/walker-recipes.md: for its picture, the playground, and to try it.
--
-- A scene has: name, as in the page; x, y: where the hero begins, who is 16 wide and 32 high;
-- build(world), which inserts the boxes; moves: what the player does in the picture, each for a
-- number of frames: { frames, direction =, up =, down =, jump =, call = }; keys: { key, function }:
-- what else of the recipe the playground calls; top: the upper end of what is seen. What is crossed
-- is on the layers 4, 8 and 16.

local scenes = {}

local STATIC = { static = true }
local PLANK = { static = true, oneWay = { 0, -1 } }
local WIDTH, FLOOR = 300, 120

local function add(name, x, y, build, moves, more)
  more = more or {}
  scenes[#scenes + 1] = { name = name, x = x, y = y, build = build, moves = moves,
    keys = more.keys or {}, top = more.top or 0 }
end

local function addFloor(world)
  world:insert(0, FLOOR, WIDTH, 20, STATIC)
end

add("coyote", 10, 88, function(world)
  world:insert(0, FLOOR, 110, 20, STATIC)
  world:insert(190, FLOOR, 110, 20, STATIC)
end, { { 53, direction = 1 }, { 70, direction = 1, jump = true } })

add("wall jump", 30, 88, function(world)
  addFloor(world)
  world:insert(204, -60, 96, 180, STATIC)
  world:insert(130, -120, 20, 200, STATIC)
end, { { 79, direction = 1 }, { 10, direction = 1, jump = true },
  { 22, direction = -1, jump = true }, { 50, direction = 1, jump = true } }, { top = -130 })

add("ladder", 20, 88, function(world)
  addFloor(world)
  world:insert(130, 50, 40, 6, PLANK)
  world:insert(170, 50, 130, 10, STATIC)
  world:insert(142, 50, 16, 70, { static = true, layer = 4 })
end, { { 61, direction = 1 }, { 60, up = true }, { 20, down = true },
  { 50, direction = 1, jump = true } }, { top = -60 })

add("drop", 80, 28, function(world)
  addFloor(world)
  world:insert(60, 60, 180, 6, PLANK)
end, { { 24, direction = 1 }, { 60, direction = 1, down = true, jump = true } })

add("crouch", 10, 88, function(world)
  addFloor(world)
  world:insert(110, 0, 90, 100, STATIC)
end, { { 48, direction = 1 }, { 50, direction = 1, down = true }, { 30, direction = 1 } })

add("conveyor", 90, 80, function(world)
  addFloor(world)
  world:insert(80, 112, 140, 8, { static = true, data = { belt = 60 } })
end, { { 72 }, { 20, direction = 1 }, { 24, direction = -1 } })

add("crumbling", 34, 38, function(world)
  addFloor(world)
  for i = 0, 3 do
    world:insert(30 + 60 * i, 70, 60, 10, { static = true, data = "crumbles", vx = 20 * (i % 2) })
  end
end, { { 70, direction = 1 }, { 60 } })

add("gaps", 10, 88, function(world)
  world:insert(0, FLOOR, 60, 20, STATIC)
  for i = 0, 2 do
    world:insert(80 + 36 * i, FLOOR, 16, 20, STATIC)
  end
  world:insert(188, FLOOR, 112, 20, STATIC)
end, { { 80, direction = 1 }, { 14 } })

add("patrol", 60, 60, function(world)
  world:insert(40, 100, 80, 40, STATIC)
  world:insertPolygon({ 120, 100, 180, 70, 180, 140, 120, 140 }, STATIC)
  world:insert(180, 70, 50, 70, STATIC)
  world:insert(230, 20, 20, 120, STATIC)
end, { { 270 } })

add("knock-back", 60, 88, addFloor, { { 10 }, { 70, call = "hurt" } },
  { keys = { { "h", "hurt" } } })

add("crates", 20, 28, function(world)
  world:insert(0, 60, 150, 80, STATIC)
  world:insert(150, FLOOR, 150, 20, STATIC)
  world:insert(220, 30, 80, 90, STATIC)
end, { { 79, direction = 1 }, { 42, direction = 1, jump = true } }, { top = -30 })

add("crushing", 24, 88, function(world)
  addFloor(world)
  world:insert(0, 20, 20, 100, STATIC)
end, { { 60 } })

add("checkpoint", 10, 88, function(world)
  world:insert(0, FLOOR, 140, 20, STATIC)
end, { { 30, direction = 1 }, { 60, direction = 1, call = "saveCheckpoint" },
  { 12, direction = 1, call = "goBack" } },
  { keys = { { "s", "saveCheckpoint" }, { "b", "goBack" } } })

add("belts from above", 20, 20, function(world)
  local function addBelt(x, y, w, h, vx, vy)
    world:insert(x, y, w, h, { static = true, sensor = true, layer = 16, vx = vx, vy = vy })
  end
  addBelt(60, 0, 60, 140, 0, 60)
  addBelt(120, 50, 130, 90, 60, -10)
  world:insert(180, 20, 40, 20, STATIC)
end, { { 60, direction = 1 }, { 70 } })

add("sideways", 20, 10, function(world)
  world:insert(0, 0, 20, 140, STATIC)
  world:insertPolygon({ 20, 70, 50, 110, 50, 140, 20, 140 }, STATIC)
end, { { 14 }, { 32, direction = 1, jump = true }, { 30, direction = 1 } })

add("swimming", 10, 88, function(world)
  addFloor(world)
  world:insert(60, 40, 240, 80, { static = true, layer = 8 })
end, { { 50, direction = 1 }, { 50, direction = 1, up = true }, { 60, direction = 1 } })

return scenes
