-- The numbers of tiles (gids) of a layer of Tiled's, or of a chunk of one.

local root = ((...) or ""):match("^(.+)[./\\]%w+[./\\]") or "broadside"
local arguments = require(root .. ".support.arguments")
local lists = require(root .. ".support.lists")
local reading = require(root .. ".maps.reading")

local describe, fail = arguments.describe, reading.fail
local checkList, checkWhole = reading.list, reading.whole

local gids = {}

local DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

-- What a digit of base64 adds to a number of four bytes, the lowest first, by the digit's byte.
-- Sixteen digits are three numbers. digit: which of the sixteen it is, from 0; number: 0 to 2.
local function weightsOf(digit, number)
  local weights = {}
  for value = 0, 63 do
    local sum = 0
    for bit = 6 * digit, 6 * digit + 5 do
      local byte = math.floor(bit / 8)
      if math.floor(byte / 4) == number then
        sum = sum + math.floor(value / 2 ^ (6 * digit + 5 - bit)) % 2
          * 2 ^ (8 * (byte % 4) + 7 - bit % 8)
      end
    end
    weights[DIGITS:byte(value + 1)] = math.floor(sum)
  end
  return weights
end

-- Each number has bits of six digits, and the next one may begin within the last of these.
local WEIGHTS = {}
for number = 0, 2 do
  WEIGHTS[number] = {}
  for i = 1, 6 do
    WEIGHTS[number][i] = weightsOf(5 * number + i - 1, number)
  end
end

-- The numbers of tiles that a text in base64 stands for: four bytes each. Blanks are ignored.
local function decodeTiles(text, what)
  text = text:gsub("%s+", ""):gsub("=?=?$", "")
  local wrong, bytes = text:match("[^A-Za-z0-9+/]"), math.floor(#text * 6 / 8)
  if wrong then
    fail("%s: character of base64 expected, got '%s'", what, wrong)
  elseif bytes % 4 ~= 0 then
    fail("%s: four bytes for each tile expected, got %d", what, bytes)
  end
  local numbers = {}
  for i = 1, bytes / 4 do
    local number = (i - 1) % 3
    local at, w = (i - 1 - number) / 3 * 16 + 5 * number + 1, WEIGHTS[number]
    local a, b, c, d, e, f = text:byte(at, at + 5)
    numbers[i] = w[1][a] + w[2][b] + w[3][c] + w[4][d] + w[5][e] + w[6][f]
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
