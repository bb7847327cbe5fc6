-- The numbers of tiles (gids) of a layer of Tiled's, or of a chunk of one.

local root = ((...) or ""):match("^(.+)[./\\]%w+[./\\]") or "broadside"
local arguments = require(root .. ".support.arguments")
local lists = require(root .. ".support.lists")
local reading = require(root .. ".maps.reading")

local describe, fail = arguments.describe, arguments.fail
local checkList, checkWhole, floor = reading.list, reading.whole, math.floor

local gids = {}

-- The values of the digits of base64, by their bytes.
local VALUES = {}
for value = 0, 63 do
  local digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
  VALUES[digits:byte(value + 1)] = value
end

-- The numbers of tiles that a text in base64 stands for: four bytes each, the least significant
-- first. Blanks are ignored.
local function decodeTiles(text, what)
  text = text:gsub("%s+", ""):gsub("=?=?$", "")
  local wrong, n = text:match("[^A-Za-z0-9+/]"), floor(#text * 6 / 8)
  if wrong then
    fail("%s: character of base64 expected, got '%s'", what, wrong)
  elseif n % 4 ~= 0 then
    fail("%s: four bytes for each tile expected, got %d", what, n)
  end
  local bytes, numbers, k = {}, {}, 0
  text = text .. "AAA" -- so that the last digits are four, too
  for i = 1, #text - 3, 4 do
    local a, b, c, d = text:byte(i, i + 3)
    local three = 262144 * VALUES[a] + 4096 * VALUES[b] + 64 * VALUES[c] + VALUES[d]
    bytes[k + 1], bytes[k + 2], bytes[k + 3] = floor(three / 65536), floor(three / 256) % 256,
      three % 256
    k = k + 3
  end
  for i = 1, n / 4 do
    local at = 4 * i
    numbers[i] = bytes[at - 3] + 256 * bytes[at - 2] + 65536 * bytes[at - 1] + 16777216 * bytes[at]
  end
  return numbers
end

-- The numbers of the tiles of a layer, or of a chunk of it. A chunk has the encoding of its layer.
local function tilesOfPart(part, layer, what)
  if type(part.data) ~= "string" then return checkList(part, "data", what) end
  local packing, encoding = layer.compression, layer.encoding
  if packing and packing ~= "" then
    fail("%s: its tiles are compressed (%s): set the 'Tile Layer Format' of the map to CSV or "
      .. "'Base64 (uncompressed)' in Tiled, and export again", what, tostring(packing))
  elseif encoding ~= "base64" then
    fail("%s: list of tiles or encoding 'base64' expected, got encoding %s", what,
      describe(encoding))
  end
  return decodeTiles(part.data, what)
end

--- Returns the tiles of a layer or a chunk: { data =, n =, width =, height =, right =, down = }.
function gids.readPart(part, layer, what)
  local right, down, least = 0, 0, -reading.FARTHEST
  if part ~= layer then
    right, down = checkWhole(part, "x", what, least), checkWhole(part, "y", what, least)
  end
  local data = tilesOfPart(part, layer, what)
  local width, height = checkWhole(part, "width", what, 0), checkWhole(part, "height", what, 0)
  local n = lists.length(data)
  if n ~= width * height then
    fail("%s: %.0f tiles expected, got %d", what, width * height, n)
  end
  return { data = data, n = n, width = width, height = height, right = right, down = down }
end

--- Calls f(gid, row, column) for each cell of a part of a layer that has a tile.
function gids.each(part, f)
  local data, row, column = part.data, 1, 0
  for i = 1, part.n do
    if column == part.width then row, column = row + 1, 0 end
    column = column + 1
    local gid = data[i]
    if gid ~= 0 then f(gid, row + part.down, column + part.right) end
  end
end

return gids
