-- What Tiled exports as JSON, once decoded, where it exports a given table as Lua.
-- `make test-tiled` compares Tiled's own exports.

local asJson

local function listOf(properties)
  local list = {}
  for name, value in pairs(properties) do
    table.insert(list, { name = name, type = type(value), value = value })
  end
  return list
end

local function tilesOf(tiles)
  local list = {}
  for i, tile in ipairs(tiles) do
    list[i] = asJson(tile)
    list[i].imagewidth, list[i].imageheight = tile.width, tile.height
    list[i].width, list[i].height = nil, nil
  end
  return list
end

local RENAMED = { objectGroup = "objectgroup", filename = "source" }
local GONE = { offsetx = 0, offsety = 0, encoding = "lua", luaversion = "5.1" }

function asJson(thing)
  if type(thing) ~= "table" then
    return thing
  end
  local copy = {}
  for name, value in pairs(thing) do
    if name == "properties" and type(value) == "table" then
      copy.properties = listOf(value)
    elseif name == "tiles" and type(value) == "table" then
      copy.tiles = tilesOf(value)
    elseif name == "shape" and value ~= "rectangle" then
      copy[value] = asJson(thing[value]) or true
    elseif name ~= "shape" and GONE[name] ~= value then
      copy[RENAMED[name] or name] = name == "data" and value or asJson(value)
    end
  end
  return copy
end

return asJson
