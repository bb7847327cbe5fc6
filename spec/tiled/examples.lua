-- Compares boxes with exported maps, cell by cell and object by object, in plain loops:
--
--     lua spec/tiled/examples.lua FOLDER/map1.lua ...

local broadside = require("broadside")
local tiled = require("broadside.tiled")

-- Calls f(layer, x, y) for all layers, except groups, with their offsets.
local function eachLayer(owner, f, x, y)
  for _, layer in ipairs(owner.layers) do
    local left, top = (x or 0) + layer.offsetx, (y or 0) + layer.offsety
    if layer.type == "group" then
      eachLayer(layer, f, left, top)
    else
      f(layer, left, top)
    end
  end
end

-- Numbers the names of layers, because layers of the same name would be solid together.
local function nameLayers(map)
  local n = 0
  eachLayer(map, function(layer)
    n = n + 1
    layer.name = n .. " " .. layer.name
  end)
end

-- A legend that makes everything solid, or only one layer.
local function newLegend(map, only)
  local legend = {}
  eachLayer(map, function(layer) legend[layer.name] = not only or layer == only end)
  return legend
end

-- Returns whether no tile has shapes, and all tiles are as large as the grid. Such tiles fill their
-- cells, and no others.
local function isPlain(map)
  for _, set in ipairs(map.tilesets) do
    for _, tile in ipairs(set.tiles) do
      if tile.objectGroup then
        return false
      end
    end
    if set.tilewidth ~= map.tilewidth or set.tileheight ~= map.tileheight then
      return false
    end
  end
  return true
end

local function compareCells(map, layer, left, top)
  local world = broadside.newWorld()
  tiled.insert(world, map, { legend = newLegend(map, layer) })
  local n = 0
  for i, gid in ipairs(layer.data or {}) do
    local x = left + ((i - 1) % layer.width + 0.5) * map.tilewidth
    local y = top + (math.floor((i - 1) / layer.width) + 0.5) * map.tileheight
    local _, count = world:queryPoint(x, y)
    assert(count == (gid == 0 and 0 or 1), layer.name .. " differs in cell " .. i)
    n = n + 1
  end
  assert(n > 0 or layer.chunks)
  return n
end

-- An object that is not rotated must have a box at its place.
local function compareObjects(map, layer, left, top)
  local world = broadside.newWorld()
  local boxes = tiled.insert(world, map, { legend = newLegend(map, layer) })
  local found, n = {}, 0
  for _, box in ipairs(boxes) do
    found[box:getData()] = box
  end
  for _, object in ipairs(layer.objects) do
    local box = found[object]
    local isArea = object.width > 0 and object.height > 0 or object.shape == "polygon"
    assert((box ~= nil) == isArea, "object " .. object.id)
    if isArea and object.rotation == 0 and object.shape ~= "polygon" then
      local x, y, w, h = box:getRect()
      local up = object.gid and object.height or 0
      assert(math.abs(x - left - object.x) + math.abs(y - top - object.y + up) < 1e-9)
      assert(math.abs(w - object.width) + math.abs(h - object.height) < 1e-9)
      n = n + 1
    end
  end
  return n
end

local function compare(map)
  local cells, objects = 0, 0
  eachLayer(map, function(layer, left, top)
    if layer.type == "tilelayer" and isPlain(map) then
      cells = cells + compareCells(map, layer, left, top)
    elseif layer.type == "objectgroup" then
      objects = objects + compareObjects(map, layer, left, top)
    end
  end)
  return cells, objects
end

local cells, objects, others = 0, 0, 0
for _, path in ipairs(arg) do
  local map = dofile(path)
  nameLayers(map)
  local done, problem = pcall(tiled.insert, broadside.newWorld(), map, { legend = newLegend(map) })
  assert(done, path .. ": " .. tostring(problem))
  if map.orientation ~= "orthogonal" then
    others = others + 1
  else
    local newCells, newObjects = compare(map)
    cells, objects = cells + newCells, objects + newObjects
  end
end
assert(cells > 0 and objects > 0)
print(("%d maps of Tiled's: %d cells, %d objects, %d maps that are not orthogonal"):format(#arg,
  cells, objects, others))
