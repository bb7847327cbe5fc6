-- Writes a random map for Tiled. Its tiles are red where their shapes are, so boxes must be where
-- Tiled draws red pixels.
--
--     lua spec/tiled/random_map.lua SEED FOLDER      FOLDER/mapSEED.tmx, and its images
--
-- Maps are orthogonal, staggered or hexagonal. Tiles and objects are mirrored, rotated, scaled,
-- moved, aligned, larger than the grid, in groups of groups, with properties of a class, and in
-- chunks. All coordinates are whole numbers. Every other map has its tilesets in files of their
-- own, mapSEED_1.tsx and mapSEED_2.tsx, its tiles in base64, and objects from templates,
-- mapSEED_ID.tx. mapSEED_drawn.tmx is the same without these.

local random = require("spec.support.random")

local seed, folder = tonumber(arg[1]), arg[2]
local rng = random.new(seed)
local isSplit = seed % 2 == 0

local grid = rng:pick({ 'orthogonal"', 'orthogonal"', 'orthogonal"',
  'staggered" staggeraxis="x" staggerindex="odd"',
  'staggered" staggeraxis="y" staggerindex="even"',
  'hexagonal" staggeraxis="x" staggerindex="even" hexsidelength="4"',
  'hexagonal" staggeraxis="y" staggerindex="odd" hexsidelength="4"' })
local isHexagonal = grid:find("hexagonal") ~= nil

local function write(name, text)
  local file = assert(io.open(folder .. "/" .. name, "w"))
  file:write(text)
  file:close()
end

-- Writes rows of characters as a picture in the X PixMap format: "#" is red, "." is transparent.
local function writePicture(name, rows)
  local w, h = #rows[1], #rows
  local lines = {}
  for i, row in ipairs(rows) do
    lines[i] = '"' .. table.concat(row) .. '"'
  end
  write(name, ('/* XPM */\nstatic char *tiles[] = {\n"%d %d 2 1",\n"# c #FF0000",\n". c None",\n'
    .. '%s\n};\n'):format(w, h, table.concat(lines, ",\n")))
end

-- A shape of a tile of w by h. The tile begins at column `left` and row `top` of the picture, where
-- the shape is filled.
local function newShape(id, w, h, rows, left, top)
  local x1, y1 = rng:int(0, w - 2), rng:int(0, h - 2)
  local x2, y2 = rng:int(x1 + 1, w), rng:int(y1 + 1, h)
  if rng:unit() < 0.3 then
    x1, y1, x2, y2 = 0, 0, w, h
  end
  for y = y1 + 1, y2 do
    for x = x1 + 1, x2 do
      rows[top + y][left + x] = "#"
    end
  end
  return ('<object id="%d" x="%d" y="%d" width="%d" height="%d"/>'):format(id, x1, y1, x2 - x1,
    y2 - y1)
end

-- Makes a tileset of 2 by 2 tiles.
local function newTileset(number, first, w, h)
  local rows, tiles = {}, {}
  for y = 1, 2 * h do
    rows[y] = {}
    for x = 1, 2 * w do
      rows[y][x] = "."
    end
  end
  for id = 0, 3 do
    local shapes = {}
    for i = 1, rng:int(1, 2) do
      shapes[i] = newShape(i, w, h, rows, id % 2 * w, math.floor(id / 2) * h)
    end
    tiles[id + 1] = ('<tile id="%d"><objectgroup draworder="index">%s</objectgroup></tile>')
      :format(id, table.concat(shapes))
  end
  local picture = ("map%d_%d.xpm"):format(seed, number)
  writePicture(picture, rows)
  local align = rng:pick({ "unspecified", "topleft", "center", "bottomright", "top" })
  local content = (' name="s%d" tilewidth="%d" tileheight="%d" tilecount="4" columns="2" '
    .. 'objectalignment="%s">%s<image source="%s" width="%d" height="%d"/>%s</tileset>')
    :format(number, w, h, align, rng:pick({ "", "", '<tileoffset x="3" y="-2"/>' }), picture,
      2 * w, 2 * h, table.concat(tiles))
  if not isSplit then
    return ('<tileset firstgid="%d"'):format(first) .. content
  end
  local file = ("map%d_%d.tsx"):format(seed, number)
  write(file, '<?xml version="1.0" encoding="UTF-8"?>\n<tileset version="1.8"' .. content .. "\n")
  return ('<tileset firstgid="%d" source="%s"/>'):format(first, file)
end

-- The number of a tile, with random bits that mirror it.
local function turnOver(gid, most)
  return gid == 0 and 0 or gid + rng:int(0, most) * 2 ^ 29
end

-- The same in a hexagonal map. There two bits turn a tile by 60 and by 120 degrees; only both of
-- them keep coordinates whole.
local function turnInHexagon(gid)
  return gid == 0 and 0 or gid + rng:int(0, 3) * 2 ^ 30 + rng:int(0, 1) * 3 * 2 ^ 28
end

local DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

-- Encodes numbers as four bytes each, the lowest byte first, and each three bytes as four digits of
-- six bits.
local function base64(list)
  local bytes, digits = {}, {}
  for _, number in ipairs(list) do
    for power = 0, 3 do
      bytes[#bytes + 1] = math.floor(number / 256 ^ power) % 256
    end
  end
  for i = 1, #bytes, 3 do
    local three = bytes[i] * 65536 + (bytes[i + 1] or 0) * 256 + (bytes[i + 2] or 0)
    for power = 3, 0, -1 do
      local digit = math.floor(three / 64 ^ power) % 64 + 1
      digits[#digits + 1] = DIGITS:sub(digit, digit)
    end
  end
  local padding = -#bytes % 3
  return table.concat(digits):sub(1, #digits - padding) .. ("="):rep(padding)
end

local function newTiles(n)
  local list = {}
  for i = 1, n do
    local gid = math.max(0, rng:int(-1, 8))
    list[i] = isHexagonal and turnInHexagon(gid) or turnOver(gid, 7)
  end
  if isSplit then
    return base64(list)
  end
  for i = 1, n do
    list[i] = ("%.0f"):format(list[i])
  end
  return table.concat(list, ",")
end

local function newLayer(id, w, h, isInfinite)
  local data = newTiles(w * h)
  if isInfinite then
    data = ""
    for _, corner in ipairs({ { -4, 0 }, { 0, 0 }, { 4, 0 }, { 0, 4 } }) do
      data = data .. ('<chunk x="%d" y="%d" width="4" height="4">%s</chunk>'):format(corner[1],
        corner[2], newTiles(16))
    end
  end
  return ('<layer id="%d" name="l%d" width="%d" height="%d"%s><data encoding="%s">%s</data>'
    .. '</layer>'):format(id, id, w, h, rng:pick({ "", ' offsetx="5" offsety="-3"' }),
      isSplit and "base64" or "csv", data)
end

-- Properties that are tables in Lua, and no options of boxes.
local PROPERTIES = '<properties><property name="stats" type="class" propertytype="Stats">'
  .. '<properties><property name="sensor" type="bool" value="true"/></properties></property>'
  .. '<property name="friend" type="object" value="1"/></properties>'

-- Returns an object, which may be from a template, and the same one in full. The program that draws
-- maps is wrong about objects from templates that are flipped.
local function newObject(id, sets)
  local number = rng:int(1, 2)
  local set, isTemplate = sets[number], isSplit and rng:unit() < 0.5
  local place = ('id="%d" x="%d" y="%d"'):format(id, rng:int(10, 60), rng:int(10, 60))
  local shown = rng:int(1, 4) -- in a hexagonal map the first bit turns it by 60 degrees
  shown = isHexagonal and shown + rng:int(0, 3) * 2 ^ 30 or turnOver(shown, 7)
  local rest = ('width="%d" height="%d" rotation="%d">%s</object>'):format(set[1] * rng:int(1, 3),
    set[2] * rng:int(1, 2), rng:pick({ 0, 0, 90, 180, 270, -90 }), rng:pick({ "", PROPERTIES }))
  local object = ('<object %s gid="%.0f" %s'):format(place, shown + 4 * number - 4, rest)
  if not isTemplate then
    return object, object
  end
  local file = ("map%d_%d.tx"):format(seed, id)
  write(file, ('<?xml version="1.0" encoding="UTF-8"?>\n<template><tileset firstgid="1" '
    .. 'source="map%d_%d.tsx"/><object gid="%.0f" %s</template>\n'):format(seed, number, shown,
    rest))
  return ('<object template="%s" %s/>'):format(file, place), object
end

local cell = rng:pick({ { 8, 8 }, { 8, 8 }, { 8, 12 }, { 16, 8 } })
local sets, parts = {}, {}
for number = 1, 2 do
  sets[number] = rng:pick({ cell, cell, { 8, 16 }, { 12, 8 } })
  parts[number] = newTileset(number, 4 * number - 3, sets[number][1], sets[number][2])
end
local isInfinite = grid == 'orthogonal"' and rng:unit() < 0.4
local objects, drawn = {}, {}
for i = 1, 6 do
  objects[i], drawn[i] = newObject(i, sets)
end
local layers = newLayer(1, 10, 8, isInfinite) .. '<group id="7" name="h" offsetx="-3">'
  .. newLayer(2, 10, 8, isInfinite) .. "</group>"
for name, list in pairs({ ["map%d.tmx"] = objects, ["map%d_drawn.tmx"] = drawn }) do
  write(name:format(seed), ('<?xml version="1.0" encoding="UTF-8"?>\n<map version="1.8" '
    .. 'orientation="%s renderorder="right-down" width="10" height="8" tilewidth="%d" '
    .. 'tileheight="%d" infinite="%d">%s<group id="8" name="g" offsetx="2" offsety="1">%s</group>'
    .. '<objectgroup id="9" name="things" offsetx="4">%s</objectgroup></map>\n')
    :format(grid, cell[1], cell[2], isInfinite and 1 or 0, table.concat(parts), layers,
      table.concat(list)))
end
