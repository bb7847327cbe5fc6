-- Compares boxes with pictures that Tiled has drawn, pixel by pixel:
--
--     lua spec/tiled/compare.lua FOLDER/map1 ...      map1.lua (exported) and map1.ppm (drawn)
--
-- Where there is a map1.json, exported as well, it must have the same boxes.

local broadside = require("broadside")
local tiled = require("broadside.tiled")

-- Reads a picture in the binary PPM format. Returns its size, and a function that says whether the
-- pixel at x, y, counted from 0, is red.
local function readPicture(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("*a")
  file:close()
  local w, h, at = text:match("^P6%s+(%d+)%s+(%d+)%s+255%s()")
  assert(w, path)
  return tonumber(w), tonumber(h), function(x, y) return text:byte(at + 3 * (y * w + x)) > 127 end
end

-- A chunk of an infinite map is 16 cells wide, of at most 16 pixels.
local MARGIN, CHUNK = 40, 16 * 16

-- Whether the middle of each pixel is in a box. Some pixels are outside the picture.
local function readCover(world, w, h)
  local cover = {}
  for y = -MARGIN, h + MARGIN do
    cover[y] = {}
    for x = -CHUNK - MARGIN, w + MARGIN do
      cover[y][x] = select(2, world:queryPoint(x + 0.5, y + 0.5)) > 0
    end
  end
  return cover
end

local function isSame(cover, red, dx, dy)
  for y, row in pairs(red) do
    for x, isRed in pairs(row) do
      if cover[y + dy][x + dx] ~= isRed then
        return false
      end
    end
  end
  return true
end

-- Tiled does not say where its picture begins: either a little outside the map, or at a chunk to
-- its left.
local function compare(name)
  local w, h, isRed = readPicture(name .. ".ppm")
  local map, world, red, n = dofile(name .. ".lua"), broadside.newWorld(), {}, 0
  local asked = 0
  local _, boxes = tiled.insert(world, map, { tilesets = function(file)
    asked = asked + 1
    return dofile(name:match("^(.*)/") .. "/" .. file:gsub("%.tsx$", ".lua"))
  end })
  for y = 0, h - 1 do
    red[y] = {}
    for x = 0, w - 1 do
      red[y][x] = isRed(x, y)
      n = n + (red[y][x] and 1 or 0)
    end
  end
  local cover, found = readCover(world, w, h), false
  for dy = -MARGIN, MARGIN do
    for dx = -MARGIN, MARGIN do
      found = found or isSame(cover, red, dx, dy) or isSame(cover, red, dx - 16 * map.tilewidth, dy)
    end
  end
  assert(found, name .. " is drawn otherwise")
  assert(n > 100 and n < w * h, name .. " shows nothing, or no gap: " .. n)
  return boxes, w * h, asked
end

-- The boxes of a map as a text. read: reads an export by its name.
local function listBoxes(name, read)
  local world, lines = broadside.newWorld(), {}
  tiled.insert(world, read(name), { tilesets = function(file)
    return read(name:match("^(.*)/") .. "/" .. file:match("([^/]*)%.%w+$"))
  end })
  for box in world:boxes() do
    local shape, points = box:getShape()
    local numbers = shape == "polygon" and points or { box:getRect() }
    table.insert(lines, shape .. " " .. table.concat(numbers, " "))
  end
  return table.concat(lines, "\n")
end

local function readLua(name)
  return dofile(name .. ".lua")
end

local function readJson(name)
  local file = assert(io.open(name .. ".json"))
  local text = file:read("*a")
  file:close()
  return assert(require("dkjson").decode(text))
end

-- Returns 1 if there is the map's JSON, or 0.
local function compareJson(name)
  local file = io.open(name .. ".json")
  if not file then
    return 0
  end
  file:close()
  local asLua = listBoxes(name, readLua)
  assert(#asLua > 0 and asLua == listBoxes(name, readJson), name .. " is other boxes as JSON")
  return 1
end

local boxes, pixels, files, jsons = 0, 0, 0, 0
for _, name in ipairs(arg) do
  jsons = jsons + compareJson(name)
  local n, m, asked = compare(name)
  boxes, pixels, files = boxes + n, pixels + m, files + asked
end
assert(files > 0 and jsons > 0)
print(("%d maps as Tiled draws them: %d boxes, %d pixels, %d tilesets in files; %d also as JSON")
  :format(#arg, boxes, pixels, files, jsons))
