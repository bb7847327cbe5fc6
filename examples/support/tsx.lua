-- Reads a tileset of Tiled's, a .tsx file, by the library SLAXML: https://github.com/Phrogz/SLAXML
-- Copy this file into your game, and write
--
--     tiled.insert(world, map, { tilesets = function(file)
--       return readTileset(love.filesystem.read("maps/" .. file))
--     end })

local slaxml = require("slaxdom")

local function read(node, into) -- an element: its attributes and contents
  for _, attribute in ipairs(node.attr) do
    into[attribute.name] = tonumber(attribute.value) or attribute.value
  end
  for _, child in ipairs(node.el) do
    local name, attr = child.name, child.attr
    if name == "tile" then
      table.insert(into.tiles, read(child, { properties = {} }))
    elseif name == "objectgroup" then
      into.objectGroup = read(child, { objects = {} })
    elseif name == "object" then
      table.insert(into.objects, read(child, { shape = "rectangle", width = 0, height = 0,
        properties = {} }))
    elseif name == "tileoffset" then
      into.tileoffset = read(child, {})
    elseif name == "image" and into.properties then -- of a tile that has its own
      into.width, into.height = tonumber(attr.width), tonumber(attr.height)
    elseif name == "properties" and into.properties then
      read(child, into)
    elseif name == "property" and attr.type == "bool" then
      into.properties[attr.name] = attr.value == "true"
    elseif name == "property" then
      into.properties[attr.name] = attr.type and tonumber(attr.value) or attr.value
    elseif into.shape then -- an ellipse, a point, a polygon ...
      into.shape, into[name] = name, {}
      for x, y in (attr.points or ""):gmatch("(%S+),(%S+)") do
        table.insert(into[name], { x = tonumber(x), y = tonumber(y) })
      end
    end
  end
  return into
end

local function readTileset(text) -- of a .tsx: as Tiled exports it, as far as it matters here
  return read(slaxml:dom(text).root, { tiles = {} })
end

return readTileset
