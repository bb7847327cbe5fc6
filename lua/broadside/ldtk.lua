--- Makes boxes from a project of LDtk (https://ldtk.io) that a JSON library has decoded: of values
-- of IntGrid layers, of tiles by their enum tags, and of entities. doc/ldtk.md has examples.

local folder = ((...) or ""):match("^(.+)[./\\]") or "broadside"
local arguments = require(folder .. ".support.arguments")
local fields = require(folder .. ".support.fields")
local frames = require(folder .. ".maps.frames")
local level = require(folder .. ".maps.level")
local lists = require(folder .. ".support.lists")
local reading = require(folder .. ".maps.reading")
local rules = require(folder .. ".maps.rules")

local fail, checkWhole, checkList = arguments.fail, reading.whole, reading.list

local ldtk = {}

local NONE, LEAST = {}, -reading.FARTHEST

-- What a rule of a legend can have besides the options of world:insert.
local OWN = "rect, circle, polygon, merge"

-- The legend --------------------------------------------------------------------------------------

-- The inner rule overrides the outer one, but if either is false the result is false.
local function combine(inner, outer)
  return inner ~= false and outer ~= false and (inner == nil and outer or inner)
end

-- The tilesets by number: the size of their tiles, and the rules of the legend for their tags.
local function readTilesets(legend, defs)
  local tilesets = {}
  for _, tileset in reading.tables(defs, "tilesets", "defs") do
    local byId = {}
    for _, tag in reading.tables(tileset, "enumTags", "tileset") do
      local rule = legend[tag.enumValueId]
      for _, id in lists.items(rule ~= nil and checkList(tag, "tileIds", "tileset") or NONE) do
        byId[id] = combine(byId[id], rule)
      end
    end
    tilesets[checkWhole(tileset, "uid", "tileset", LEAST)] = { rules = byId,
      size = checkWhole(tileset, "tileGridSize", "tileset", 1) }
  end
  return tilesets
end

-- The values of IntGrid layers, by the layer's number and their own.
local function readValues(defs)
  local values = {}
  for _, layer in reading.tables(defs, "layers", "defs") do
    local ofLayer = {}
    for _, value in reading.tables(layer, "intGridValues", "layer") do
      ofLayer[checkWhole(value, "value", "layer", LEAST)] = value
    end
    values[checkWhole(layer, "uid", "layer", LEAST)] = ofLayer
  end
  return values
end

local function newKind(rule, w, h, what)
  local kind, complaint = rules.newKind(rule, { w = w, h = h }, OWN)
  return kind or fail("%s: %s", what, complaint)
end

-- Layers ------------------------------------------------------------------------------------------
-- While a layer is read it is { layer =, level =, what =, x =, y =, rule =, cells =, found = }: its
-- corner, the rule of the legend for all of it, and its cells, by rule and in order.

-- The frames of flips: none, left to right, top to bottom, and both.
local FLIPS = { [0] = { 1, 1 }, { -1, 1 }, { 1, -1 }, { -1, -1 } }

local function mirror(kind, flips, size)
  local x, y = FLIPS[flips % 4][1], FLIPS[flips % 4][2]
  local m = { x, 0, 0, y, x < 0 and size or 0, y < 0 and size or 0 }
  local rect, circle, options = kind.rect, kind.circle, kind.options
  local corner = frames.compose(m, { 1, 0, 0, 1, rect[1], rect[2] })
  kind.rect = frames.rect(corner, rect[3], rect[4]).rect
  kind.polygon = kind.polygon and frames.corners(m, kind.polygon)
  if circle then circle[1], circle[2] = frames.place(m, circle[1], circle[2]) end
  options.oneWay = options.oneWay and frames.turnSide(m, options.oneWay)
  return kind
end

-- The cells of a rule in a grid that begins at left, top from the layer's corner.
local function cellsOf(at, rule, left, top, size, flips)
  local key = ("%.0f %.0f %.0f %.0f"):format(left, top, size, flips)
  local ofRule = at.cells[rule] or {}
  at.cells[rule] = ofRule
  if not ofRule[key] then
    local kind = mirror(newKind(rule, size, size, at.what), flips, size)
    ofRule[key] = rules.cellsOf(at.found, kind,
      { x = at.x + left, y = at.y + top, w = size, h = size })
  end
  return ofRule[key]
end

-- Adds a square. Squares of one size may be in several grids, because tiles need not be aligned to
-- the layer's grid.
local function addSquare(reader, at, rule, x, y, size, thing, flips)
  if type(rule) == "function" then
    table.insert(reader.later, { rule, at.x + x, at.y + y, size, size, thing, at.layer, at.level })
  elseif rule then
    local left, top = x % size, y % size
    local cells = cellsOf(at, rule, left, top, size, flips)
    table.insert(cells, (y - top) / size + 1)
    table.insert(cells, (x - left) / size + 1)
  end
end

local function readGrid(reader, at)
  local csv, size = checkList(at.layer, "intGridCsv", at.what), at.layer.__gridSize
  local columns = checkWhole(at.layer, "__cWid", at.what, 0)
  local rows = checkWhole(at.layer, "__cHei", at.what, 0)
  local values, n = reader.values[at.layer.layerDefUid] or NONE, lists.length(csv)
  if n ~= columns * rows then
    fail("%s: %.0f values expected, got %d", at.what, columns * rows, n)
  end
  for i = 1, n do
    local value = checkWhole(csv, i, at.what, LEAST)
    if value ~= 0 then
      local thing = values[value] or { value = value }
      local rule = combine(reader.legend[thing.identifier], reader.legend[value])
      addSquare(reader, at, combine(rule, at.rule), (i - 1) % columns * size,
        math.floor((i - 1) / columns) * size, size, thing, 0)
    end
  end
end

-- list: the name of the list of tiles. rule: the rule of the legend for tiles without tags.
local function readTiles(reader, at, list, rule)
  local tileset = reader.tilesets[at.layer.__tilesetDefUid] or { rules = NONE }
  for _, tile in reading.tables(at.layer, list, at.what) do
    local found = combine(tileset.rules[tile.t], rule)
    if found then
      local size, px = checkWhole(tileset, "size", at.what, 1), checkList(tile, "px", at.what)
      local flips = tile.f == nil and 0 or checkWhole(tile, "f", at.what, 0)
      addSquare(reader, at, found, checkWhole(px, 1, at.what, LEAST),
        checkWhole(px, 2, at.what, LEAST), size, tile, flips)
    end
  end
end

local function readEntity(reader, at, entity)
  local rule = combine(reader.legend[entity.__identifier], at.rule)
  if not rule then return end
  local what = ("entity '%s' (%s) of %s"):format(tostring(entity.__identifier),
    tostring(entity.iid), at.what)
  local px, pivot = checkList(entity, "px", what), checkList(entity, "__pivot", what)
  local w, h = checkWhole(entity, "width", what, 0), checkWhole(entity, "height", what, 0)
  local x = at.x + checkWhole(px, 1, what, LEAST) - w * reading.number(pivot, 1, what)
  local y = at.y + checkWhole(px, 2, what, LEAST) - h * reading.number(pivot, 2, what)
  if type(rule) == "function" then
    table.insert(reader.later, { rule, x, y, w, h, entity, at.layer, at.level })
  elseif w > 0 and h > 0 then
    local options = { data = entity }
    for name, value in fields(rule == true and NONE or rule) do
      options[name] = value
    end
    table.insert(at.found, { kind = newKind(options, w, h, what), 1, 1,
      layout = { x = x, y = y, w = w, h = h }, nameOf = function() return what end })
  end
end

local function readLayer(reader, layer, at)
  at.layer, at.rule = layer, reader.legend[layer.__identifier]
  at.cells, at.found = {}, rules.newCells(function(row, column)
    return ("%s, row %.0f, column %.0f"):format(at.what, row, column)
  end)
  checkWhole(layer, "__gridSize", at.what, 1)
  at.x = at.x + checkWhole(layer, "__pxTotalOffsetX", at.what, LEAST)
  at.y = at.y + checkWhole(layer, "__pxTotalOffsetY", at.what, LEAST)
  local rule = at.rule
  if layer.__type == "IntGrid" then
    readGrid(reader, at)
    rule = nil -- the values decide: only tiles with tags add to them
  end
  readTiles(reader, at, "gridTiles", rule)
  readTiles(reader, at, "autoLayerTiles", rule)
  for _, entity in reading.tables(layer, "entityInstances", at.what) do
    readEntity(reader, at, entity)
  end
  for _, cells in ipairs(at.found) do
    level.addCalls(reader.calls, cells, fail)
  end
end

-- Levels ------------------------------------------------------------------------------------------

-- A level with its layers, which may be in a file of its own.
local function contentOf(reader, entry, what)
  local path = entry.externalRelPath
  if type(entry.layerInstances) == "table" or type(path) ~= "string" then
    return entry
  elseif not reader.files then
    fail("%s is in the file '%s': write files = function(path) ... end, which returns it decoded",
      what, path)
  elseif reader.seen[path] then
    fail("%s is in the file '%s', as another one is", what, path)
  end
  reader.seen[path] = true
  return checkList({ [path] = reading.ask(reader.files, path) }, path, what)
end

-- Levels without places are in a row or a column. A single one is at the place of the first.
local STEPS = { LinearHorizontal = { 1, 0 }, LinearVertical = { 0, 1 } }

local function readLevels(reader, owner, options)
  local step, x, y = STEPS[owner.worldLayout], 0, 0
  for _, entry in reading.tables(owner, "levels", "project") do
    if not step then
      x = checkWhole(entry, "worldX", "level", LEAST)
      y = checkWhole(entry, "worldY", "level", LEAST)
    end
    if not options.level or entry.identifier == options.level or entry.iid == options.level then
      reader.n = reader.n + 1
      local what = ("level '%s'"):format(tostring(entry.identifier))
      local content = contentOf(reader, entry, what)
      for _, layer in reading.tables(content, "layerInstances", what) do
        readLayer(reader, layer, { level = content, x = options.x + x, y = options.y + y,
          what = ("layer '%s' of %s"):format(tostring(layer.__identifier), what) })
      end
    end
    if step and not options.level then
      x = x + step[1] * checkWhole(entry, "pxWid", "level", 0)
      y = y + step[2] * checkWhole(entry, "pxHei", "level", 0)
    end
  end
end

local function readProject(project, options)
  local defs, legend = checkList(project, "defs", "project"), options.legend
  local reader = { legend = legend, files = options.files, seen = {}, n = 0, calls = {}, later = {},
    tilesets = readTilesets(legend, defs), values = readValues(defs) }
  readLevels(reader, project, options)
  local worlds = { worlds = type(project.worlds) == "table" and project.worlds or NONE }
  for _, world in reading.tables(worlds, "worlds", "project") do
    readLevels(reader, world, options)
  end
  if options.level and reader.n == 0 then
    fail("project: no level is called %s", arguments.describe(options.level))
  end
  return reader
end

local FORMAT = { module = ldtk, call = "insert", arg = 3, read = readProject, own = OWN,
  what = "table that a JSON library makes of a project of LDtk",
  options = {
    { "level", "string", false }, { "x", "finite number", 0 }, { "y", "finite number", 0 },
    { "legend", "table", NONE }, { "files", "function", false },
  } }

--- Inserts the boxes of a project into a 2D World, then calls the functions of the legend.
-- opts: level, x, y, legend, files, as in types/library/broadside/ldtk.lua.
-- Returns the boxes (ids if results = "id") and their number, or raises an error that names what is
-- wrong and where, with nothing changed. O(n log n) for n cells, tiles and entities.
function ldtk.insert(world, project, opts)
  local boxes, n = reading.insert(world, project, opts, FORMAT)
  return boxes, n
end

return ldtk
