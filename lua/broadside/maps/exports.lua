-- Where the maps that Tiled exports as JSON differ from those that it exports as Lua: the following
-- functions read both.

local root = ((...) or ""):match("^(.+)[./\\]%w+[./\\]") or "broadside"
local arguments = require(root .. ".support.arguments")
local fields = require(root .. ".support.fields")
local reading = require(root .. ".maps.reading")

local describe, fail = arguments.describe, arguments.fail

local exports, NONE = {}, {}

-- Names of fields of objects in JSON. One without any of them is a rectangle, as it is in Lua
-- exports of versions that had no `shape`.
local SHAPES = { "polygon", "polyline", "ellipse", "point", "text", "capsule" }

--- Refuses an instance of a template, of which JSON only says how it differs from that.
function exports.checkObject(object, what)
  if object.template and object.shape == nil then
    fail("%s: it is an instance of the template %s: export the map again with 'Detach templates' "
      .. "in Tiled's preferences for exports (command line: --detach-templates)", what,
      describe(object.template))
  end
end

--- The name of an object's shape.
function exports.shape(object)
  local shape = object.shape
  for i = 1, shape == nil and #SHAPES or 0 do
    shape = shape or object[SHAPES[i]] and SHAPES[i]
  end
  return shape == nil and "rectangle" or shape
end

--- The custom properties of a thing by name. JSON has a list of them: {{name =, value =}, ...}.
function exports.properties(thing, what)
  local properties = reading.listOrNone(thing, "properties", what)
  if rawget(properties, 1) == nil then return properties end
  local values = {}
  for _, property in reading.tables(thing, "properties", what) do
    if type(property.name) == "string" then values[property.name] = property.value end
  end
  return values
end

--- The name of the field with the shapes of a tile, or nil.
function exports.shapesOf(tile)
  return tile.objectGroup and "objectGroup" or tile.objectgroup and "objectgroup" or nil
end

--- What has the size of a tile's image, the tile or its tileset, and the names of the two fields.
function exports.sizeOf(tile, tileset)
  if tile.width then
    return tile, "width", "height"
  elseif tile.imagewidth then
    return tile, "imagewidth", "imageheight"
  end
  return tileset, "tilewidth", "tileheight"
end

--- The list of tiles of a tileset, which may be missing.
function exports.tiles(tileset, what)
  local tiles = reading.listOrNone(tileset, "tiles", what)
  for _ in fields(rawget(tiles, 1) == nil and tiles or NONE) do
    fail("%s: list expected as 'tiles' of the tileset '%s': export the map with Tiled 1.2 or later",
      what, tostring(tileset.name))
  end
  return tiles
end

return exports
