--- maps.lua: the time to make a Map of 1,000 x 1,000 cells (broadside.tiles), also of a layer of
--- Tiled's, to change a cell, and to find distances, cells and lines of sight.
---
---      lua maps.lua [quick]
---
--- Run it in the project's folder, with the paths set. The map is a landscape with caves and ores.

local folder = (arg and arg[0] or ""):match("^(.*[/\\])") or "./"
package.path = folder .. "?.lua;" .. package.path

local broadside = require("broadside")
local measure = require("measure")
local tiled = require("broadside.tiled")
local tiles = require("broadside.tiles")

local N = arg and arg[1] == "quick" and 200 or 1000
local ROUNDS = 5
local LEGEND = { [" "] = false, ["#"] = true, o = { data = "ore" }, d = { layer = 2 } }

local state = 1
local function random()
  state = state * 16807 % 2147483647
  return state / 2147483647
end

-- Numbers 0..1 that change smoothly from place to place, over some `cell` cells.
local function newNoise(cell)
  local grid = {}
  for i = 0, N / cell + 2 do
    grid[i] = {}
    for j = 0, N / cell + 2 do
      grid[i][j] = random()
    end
  end
  return function(x, y)
    local i, j = math.floor(x / cell), math.floor(y / cell)
    local u, v = x / cell - i, y / cell - j
    local a = grid[i][j] + (grid[i + 1][j] - grid[i][j]) * u
    local b = grid[i][j + 1] + (grid[i + 1][j + 1] - grid[i][j + 1]) * u
    return a + (b - a) * v
  end
end

local function newRows()
  local wide, near, fine = newNoise(24), newNoise(8), newNoise(3)
  local rows = {}
  for y = 1, N do
    rows[y] = {}
    for x = 1, N do
      local value = 0.6 * wide(x, y) + 0.3 * near(x, y) + 0.1 * fine(x, y)
      local isOre = near(x, N - y) > 0.8 and fine(x, y) > 0.6
      local symbol = y < 0.1 * N and (y > 0.09 * N + 8 * wide(x, 5) and "d" or " ")
        or value > 0.42 and (isOre and "o" or "#") or " "
      rows[y][x] = symbol
    end
  end
  return rows
end

-- The same map as Tiled exports it.
local function newExport(rows)
  local data, numbers = {}, { [" "] = 0, ["#"] = 1, o = 2, d = 3 }
  for y, row in ipairs(rows) do
    for x, symbol in ipairs(row) do
      data[(y - 1) * N + x] = numbers[symbol]
    end
  end
  return { orientation = "orthogonal", tilewidth = 16, tileheight = 16,
    tilesets = { { name = "ground", firstgid = 1, tilewidth = 16, tileheight = 16,
      tiles = { { id = 1, type = "ore" }, { id = 2, properties = { layer = 2 } } } } },
    layers = { { type = "tilelayer", name = "ground", width = N, height = N, data = data } } }
end

-- Milliseconds: the median of some calls. prepare, if given, is called before each of them.
local function time(f, rounds, prepare)
  local times = {}
  for i = 1, rounds or ROUNDS do
    local argument = prepare and prepare(i) or i
    local start = os.clock()
    f(argument)
    times[i] = (os.clock() - start) * 1000
  end
  return measure.median(times)
end

local rows, world, map = newRows(), nil, nil

local building = time(function()
  map = tiles.newMap(world, rows, LEGEND, { w = 16 })
end, ROUNDS, function()
  world, map = broadside.newWorld(), nil
  collectgarbage()
end)
local boxes = world:count()

local exported = newExport(rows)
local opening = time(function()
  tiled.newMap(broadside.newWorld(), exported, "ground", { legend = { ground = true } })
end, ROUNDS, function()
  collectgarbage()
end)

local setting = time(function(cell)
  map:set(cell[1], cell[2], map:get(cell[1], cell[2]) == " " and "#" or " ")
end, 2000, function()
  return { 1 + math.floor(random() * N), 1 + math.floor(random() * N) }
end)

local out = {}
local function flood(passable)
  map:flood(1, 1, passable, out)
  return time(function()
    map:flood(1, 1, passable, out)
  end)
end
local function canPass()
  return true
end
local flooding, all = flood(), flood(canPass)

local seeing = time(function()
  for i = 1, 1000 do
    map:rayCells(100, 100, 100 + i % 16 * 100, 1500, out)
  end
end)
local reading = time(function()
  for y = 1, N do
    for x = 1, N do
      map:get(x, y)
    end
  end
end) * 1e6 / N / N
local kept = map:snapshot()
local keeping = time(function()
  map:snapshot(kept)
end)

local row, number = measure.row, measure.number
local jit = rawget(_G, "jit")
print(("\n# A map of %d x %d cells, %d boxes, in %s\n"):format(N, N, boxes,
  jit and jit.version or _VERSION))
row({ "", "milliseconds" })
print("|---|--:|")
row({ "tiles.newMap (wanted: at most 1,000)", number(building) })
row({ "tiled.newMap (wanted: at most 1,000)", number(opening) })
row({ "map:set (wanted: at most 0.3)", number(setting) })
row({ "map:flood from the sky", number(flooding) })
row({ "map:flood through all cells" .. (jit and " (wanted: at most 30)" or ""), number(all) })
row({ "1,000 times map:rayCells, some 100 cells", number(seeing) })
row({ "map:snapshot, used again", number(keeping) })
print(("\nmap:get: %.0f ns"):format(reading))
