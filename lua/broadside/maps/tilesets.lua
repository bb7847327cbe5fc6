-- Tilesets of Tiled's: tiles by their numbers, and where the image of a tile and its shapes are.

local root = ((...) or ""):match("^(.+)[./\\]%w+[./\\]") or "broadside"
local arguments = require(root .. ".support.arguments")
local exports = require(root .. ".maps.exports")
local frames = require(root .. ".maps.frames")
local reading = require(root .. ".maps.reading")

local describe, isFinite = arguments.describe, arguments.isFinite
local fail, checkNumber, checkSize = arguments.fail, reading.number, reading.size
local listOrNone, compose, turn = reading.listOrNone, frames.compose, frames.turn

local tilesets = {}

-- The tiles that a tileset describes, by id.
local function tilesOf(reader, tileset, what)
  local tiles = reader.tiles[tileset]
  if not tiles then
    tiles = {}
    local list = { tiles = exports.tiles(tileset, what) }
    for _, tile in reading.tables(list, "tiles", what) do
      if isFinite(tile.id) and not tiles[tile.id] then tiles[tile.id] = tile end
    end
    reader.tiles[tileset] = tiles
  end
  return tiles
end

--- The tilesets of a map: {first =, set =, ...}.
function tilesets.list(map)
  local list = {}
  for i, tileset in reading.tables(map, "tilesets", "map") do
    list[i] = { first = checkNumber(tileset, "firstgid", "tileset"), set = tileset }
  end
  return list
end

-- What the game has for a file: by its name in the map, in Tiled's export, or without folders.
local function lookUp(given, file, exported)
  if type(given) == "function" then return reading.ask(given, file, exported) end
  local found = given[file]
  if found == nil and exported ~= nil then found = given[exported] end
  if found == nil then found = given[file:match("[^/\\]*$")] end
  return found
end

local function failWithout(file, isJson, what)
  local value = isJson and "what your JSON library makes of it"
    or ("require('%s')"):format((file:match("([^/\\]*)$"):gsub("%.%w+$", "")))
  fail("%s: the tileset '%s' is in a file of its own: export it from Tiled as %s, too, and hand it "
    .. "in: tilesets = { ['%s'] = %s }; or export the map again with 'Embed tilesets' in Tiled's "
    .. "preferences for exports (command line: --embed-tilesets); or make the layer false in the "
    .. "legend, if nothing of it is solid", what, file, isJson and "JSON" or "Lua", file, value)
end

-- The description of a tileset's tiles: the tileset itself, or what the game has for its file.
local function contentOf(reader, entry, what)
  local tileset = entry.set
  local field = tileset.source and "source" or "filename" -- in JSON, or in Lua
  local file = tileset[field]
  if not file or tileset.tilewidth then
    return tileset
  elseif type(file) ~= "string" then
    fail("%s: string expected as '%s' of a tileset, got %s", what, field, describe(file))
  end
  if entry.content == nil then
    entry.content = lookUp(reader.tilesets, file, tileset.exportfilename) or false
  end
  if entry.content == false then
    failWithout(file, field == "source", what)
  elseif type(entry.content) ~= "table" then
    fail("%s: table expected as the tileset '%s', got %s", what, file,
      describe(entry.content))
  end
  return entry.content
end

--- Finds a tile by its number in the map. Returns it, its tileset, and the bits by which it is
-- flipped: 8 left to right, 4 top to bottom, 2 along the diagonal.
function tilesets.find(reader, gid, what)
  if not isFinite(gid) or gid < 0 or gid >= 2 ^ 32 or gid % 1 ~= 0 then
    fail("%s: number of a tile expected, got %s", what, describe(gid))
  end
  local flips, number, entry = math.floor(gid / 2 ^ 28), gid % 2 ^ 28, nil
  for _, other in ipairs(reader.list) do -- the last first tile up to that number
    if other.first <= number and not (entry and other.first < entry.first) then entry = other end
  end
  if not entry then fail("%s: no tileset has the tile %s", what, describe(gid)) end
  local tileset, id = contentOf(reader, entry, what), number - entry.first
  return tilesOf(reader, tileset, what)[id] or { id = math.floor(id) }, tileset, flips
end

-- The frame of an image of size w, h that is drawn in a rectangle, and its scales.
local function fit(w, h, intoW, intoH, mode)
  local scaleX, scaleY = intoW / w, intoH / h
  if mode == "preserve-aspect-fit" then
    local scale = math.min(scaleX, scaleY)
    return { scale, 0, 0, scale, (intoW - scale * w) / 2, (intoH - scale * h) / 2 }, scale, scale
  end
  return { scaleX, 0, 0, scaleY, 0, 0 }, scaleX, scaleY
end

--- The image of a tile, drawn w by h (by default in its own size): the frame and the size of its
-- contents, and the height at which it is drawn. If it is flipped, its lower left corner stays. In
-- the cells of a hexagonal map the last two bits turn it about its middle.
function tilesets.imageOf(tile, tileset, flips, w, h, what, isHexagonal)
  local own, ownW, ownH = exports.sizeOf(tile, tileset)
  local imageW, imageH = checkSize(own, ownW, what), checkSize(own, ownH, what)
  w, h = w or imageW, h or imageH
  local frame, scaleX, scaleY = fit(imageW, imageH, w, h, tileset.fillmode)
  local wide, high, degrees = w, h, 0
  if isHexagonal then
    degrees, flips = flips % 2 * 120 + math.floor(flips / 2) % 2 * 60, flips - flips % 4
  end
  if flips % 4 >= 2 then
    frame, wide, high = compose({ 0, 1, 1, 0, 0, 0 }, frame), h, w
  end
  if flips % 16 >= 8 then frame = compose({ -1, 0, 0, 1, wide, 0 }, frame) end
  if flips % 8 >= 4 then frame = compose({ 1, 0, 0, -1, 0, high }, frame) end
  if degrees > 0 then
    frame = compose(turn(degrees, w / 2, h / 2), compose({ 1, 0, 0, 1, -w / 2, -h / 2 }, frame))
  end
  local offset = listOrNone(tileset, "tileoffset", what)
  local x = reading.offset(offset, "x", what) * scaleX
  local y = reading.offset(offset, "y", what) * scaleY
  frame = compose({ 1, 0, 0, 1, x, y + h - high }, frame)
  return { frame = frame, w = imageW, h = imageH, drawn = h }
end

--- The cell of a tile on the ground of an isometric map. A picture that is flipped left to right
-- has its axes on the ground swapped.
function tilesets.groundOf(grid, flips, what)
  local frame, side = { 1, 0, 0, 1, 0, 0 }, grid.h
  if flips % 4 >= 2 then
    fail("%s: a tile of an isometric map that is not turned expected", what)
  end
  if flips % 16 >= 8 then frame = compose({ 0, 1, 1, 0, 0, 0 }, frame) end
  if flips % 8 >= 4 then frame = compose({ 0, -1, -1, 0, side, side }, frame) end
  return { frame = frame, w = side, h = side, drawn = side, isGround = true }
end

--- The frame of a tile's shapes, which are on the ground if its tileset has an isometric grid, or
-- else on the picture.
function tilesets.frameOfShapes(tileset, image, what)
  local grid = listOrNone(tileset, "grid", what)
  if grid.orientation ~= "isometric" then
    return not image.isGround and image.frame
      or fail("%s: shapes on the ground expected: set the orientation of the tileset to isometric, "
        .. "and draw them there", what)
  end
  local w, h = checkSize(grid, "width", what), checkSize(grid, "height", what)
  local frame = compose(image.frame, image.isGround
    and { image.h / h, 0, 0, image.h / h, 0, 0 }
    or { w / h / 2, -w / h / 2, 0.5, 0.5, w / 2, image.h - h })
  frame.isGround = true
  return frame
end

return tilesets
