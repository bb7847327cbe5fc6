--- Makes boxes of a map of Tiled's, as "Export As: Lua files" of that editor writes it, or as a
-- library decodes its JSON: of the shapes in tiles, of objects, and of whole tiles if the map or a
-- legend says so. doc/tiled.md has examples.

local folder = ((...) or ""):match("^(.+)[./\\]") or "broadside"
local arguments = require(folder .. ".support.arguments")
local gids = require(folder .. ".maps.gids")
local grids = require(folder .. ".maps.grids")
local level = require(folder .. ".maps.level")
local meanings = require(folder .. ".maps.meanings")
local newMap = require(folder .. ".maps.map")
local reading = require(folder .. ".maps.reading")
local rules = require(folder .. ".maps.rules")
local stamps = require(folder .. ".maps.stamps")
local tilesets = require(folder .. ".maps.tilesets")

local describe, fail, attemptEach = arguments.describe, arguments.fail, reading.attemptEach

local tiled = {}

local NONE = {}

-- The most times that a layer may be in the map: groups of the same groups can have 2^n layers.
local MOST_OFTEN = 100

-- The most cells of a Map: a layer with two chunks far apart has any number.
local MOST_CELLS = 2 ^ 24

local function addLater(reader, stamp, x, y, layer)
  for _, call in ipairs(stamp.calls) do
    table.insert(reader.later,
      { call[1], x + call[2], y + call[3], call[4], call[5], call[6], layer })
  end
end

-- Layers ------------------------------------------------------------------------------------------

-- The stamp of a tile in the cells of a layer, with the cells of each kind in place of the kind.
local function newStamp(reader, symbol, layerLink, found)
  local stamp = stamps.ofCell(reader, symbol, layerLink, found.layout)
  for i, item in ipairs(stamp) do
    stamp[i] = rules.cellsOf(found, item.kind, found.layout)
  end
  return stamp
end

-- Empty lists of cells for each part of the grid of a layer.
local function newParts(grid, what, x, y)
  local parts = {}
  for i, part in ipairs(grid.parts) do
    parts[i] = rules.newCells(function(row, column)
      row = grid.axis == "y" and 2 * row + i - 2 or row
      column = grid.axis == "x" and 2 * column + i - 2 or column
      return ("%s, row %d, column %d"):format(what, row, column)
    end)
    parts[i].stamps = {} -- by number of a tile
    parts[i].layout = { x = x + part.x, y = y + part.y, w = part.w, h = part.h }
  end
  return parts
end

-- Calls f(part) for each chunk of a tile layer, or for the layer itself: see gids.readPart.
local function eachPart(reader, layer, what, f)
  attemptEach(reader, layer.chunks and layer or { chunks = { layer } }, "chunks", what,
    function(_, part)
      f(gids.readPart(part, layer, what))
    end)
end

local function readTiles(reader, layer, layerLink, x, y)
  local founds = newParts(reader.grid, layerLink.what, x, y)
  local function addTile(gid, row, column)
    local part
    part, row, column = grids.locate(reader.grid, row, column)
    local found = founds[part]
    local stamp = found.stamps[gid]
      or reading.attempt(reader, layerLink.what, newStamp, gid, layerLink, found) or stamps.NOTHING
    if gid == gid then found.stamps[gid] = stamp end
    for i = 1, #stamp do
      local cells, n = stamp[i], #stamp[i]
      cells[n + 1], cells[n + 2] = row, column
    end
    if stamp.calls[1] then
      local layout = found.layout
      addLater(reader, stamp, layout.x + (column - 1) * layout.w,
        layout.y + (row - 1) * layout.h, layer)
    end
  end
  eachPart(reader, layer, layerLink.what, function(part)
    gids.each(part, addTile)
  end)
  for _, found in ipairs(founds) do
    for _, cells in ipairs(found) do
      level.addCalls(reader.calls, cells, reader.tell or fail)
    end
  end
end

local function readObject(reader, object, layer, layerLink, m)
  local what = ("object %s '%s' of %s"):format(tostring(object.id), tostring(object.name),
    layerLink.what)
  local stamp = stamps.ofObject(reader, object, layerLink, m, what)
  for _, item in ipairs(stamp) do
    level.addCalls(reader.calls, { kind = item.kind, layout = stamp.layout, 1, 1,
      nameOf = function() return item.what end }, reader.tell or fail)
  end
  addLater(reader, stamp, 0, 0, layer)
end

local READ = { tilelayer = readTiles }

function READ.objectgroup(reader, layer, layerLink, x, y)
  local m = { 1, 0, 0, 1, x, y, isGround = reader.grid.isGround }
  attemptEach(reader, layer, "objects", layerLink.what, readObject, layer, layerLink, m)
end

local function readLayer(reader, layer, outer, x, y)
  local what = ("layer '%s'"):format(tostring(layer.name))
  local at, read = meanings.link(outer, layer, layer.class, what), reader.read[layer.type]
  reader.visits[layer] = (reader.visits[layer] or 0) + 1
  if reader.visits[layer] > MOST_OFTEN then
    fail("%s: it is in the map more than %d times", what, MOST_OFTEN)
  end
  local dx, dy = reading.offset(layer, "offsetx", what), reading.offset(layer, "offsety", what)
  if reader.grid.isGround then
    dx, dy = 0, 0 -- they move the picture
  end
  if read and (reader.read ~= READ or meanings.settle(reader, at)) then
    read(reader, layer, at, x + dx, y + dy)
  end
end

local function readLayers(reader, owner, outer, x, y)
  attemptEach(reader, owner, "layers", outer and outer.what or "map", readLayer, outer, x, y)
end

READ.group = readLayers

-- Layers as Maps ----------------------------------------------------------------------------------

-- The numbers of the tiles of a layer, row by row; the number of rows; and how many cells the first
-- one is to the right and down.
local function readRows(reader, layer, what)
  local parts, left, top, right, bottom = {}, math.huge, math.huge, -math.huge, -math.huge
  eachPart(reader, layer, what, function(part)
    if part.n > 0 then
      parts[#parts + 1] = part
      left, right = math.min(left, part.right), math.max(right, part.right + part.width)
      top, bottom = math.min(top, part.down), math.max(bottom, part.down + part.height)
    end
  end)
  if #parts == 0 then
    return {}, 0, 0, 0
  elseif (right - left) * (bottom - top) > MOST_CELLS then
    fail("%s: at most %d cells expected, got %.0f x %.0f", what, MOST_CELLS, right - left,
      bottom - top)
  end
  local lines = {}
  for row = 1, bottom - top do
    lines[row] = {}
    for column = 1, right - left do
      lines[row][column] = 0
    end
  end
  for _, part in ipairs(parts) do
    gids.each(part, function(gid, row, column)
      lines[row - top][column - left] = gid
    end)
  end
  return lines, bottom - top, left, top
end

-- Finds the tile for the symbol of a cell. A name of the legend stands for a tile of that class.
local function findSymbol(reader, symbol, what)
  if type(symbol) ~= "string" then
    return tilesets.find(reader, symbol, what)
  elseif reader.legend[symbol] == nil then
    fail("%s: the legend has no '%s'", what, symbol)
  end
  return { class = symbol },
    { name = "legend", tilewidth = reader.grid.w, tileheight = reader.grid.h }, 0
end

-- A function that returns the kinds of the boxes of a tile or a name of the legend, and the call of
-- its functions; or tells what is wrong with it.
local function newKindsOf(reader, layer, layerLink, layout)
  local function kindsOf(_, symbol)
    local kinds, stamp = {}, stamps.NOTHING
    if symbol ~= 0 then stamp = stamps.ofCell(reader, symbol, layerLink, layout) end
    for i, item in ipairs(stamp) do
      kinds[i] = item.kind
    end
    kinds.call = stamp.calls[1] and function(x, y)
      for _, call in ipairs(stamp.calls) do
        call[1](x + call[2], y + call[3], call[4], call[5], call[6], layer)
      end
    end
    return kinds
  end
  return function(symbol, tell)
    local done, kinds = pcall(reading.attempt, reader, layerLink.what, kindsOf, symbol)
    if done then return kinds or {} end
    tell(reading.blame(kinds, layerLink.what .. ": part of a map of Tiled's"))
  end
end

-- Arguments ---------------------------------------------------------------------------------------

local function complaintOfRule(rule)
  return (rule.rect or rule.circle or rule.polygon)
    and "shapes come from Tiled: no rect, circle or polygon expected"
end

local function newReader(map, options, read, find)
  local grid = grids.new(map)
  local reader = {
    read = read, -- functions, by the type of a layer
    find = find, -- the function that finds a tile
    legend = options.legend,
    thickness = options.thickness,
    collidable = options.collidable, -- whether only what is called so becomes boxes
    tilesets = options.tilesets, -- tilesets in files of their own, as the game gives them
    list = tilesets.list(map), -- all of them
    tiles = {}, -- by tileset, then by id
    visits = {}, -- how often each layer has been read
    isChecked = {}, -- by class: the legend has no similar name
    grid = grid,
    calls = {}, -- calls that insert boxes
    later = {}, -- calls of functions of the legend, after the boxes have been inserted
  }
  if options.onError then
    local told, isTold = {}, {} -- messages for onError about what is left out, each once
    reader.told = told
    function reader.tell(text)
      if not isTold[text] then told[#told + 1], isTold[text] = text, true end
    end
  end
  readLayers(reader, map, nil, options.x, options.y)
  return reader
end

-- Finds a tile layer by its name, or by the layer itself, and reads it for a Map.
local function readLayerOf(map, options, wanted)
  local layer, at, x, y
  local names = {}
  local isName = type(wanted) == "string"
  if not isName and type(wanted) ~= "table" then
    error({ arg = 3, text = "name of a tile layer, or the layer, expected, got "
      .. describe(wanted) }, 0)
  end
  local reader = newReader(map, options, { group = readLayers,
    tilelayer = function(_, ...)
      local candidate = ...
      table.insert(names, ("'%s'"):format(tostring(candidate.name)))
      if not layer and (candidate == wanted or candidate.name == wanted) then
        layer, at, x, y = ...
      end
    end }, findSymbol)
  if not layer then
    error({ arg = 3, text = ("no %stile layer%s; there is %s"):format(isName and "" or "such ",
      isName and " " .. describe(wanted) or "", table.concat(names, ", ")) }, 0)
  end
  local grid = reader.grid
  if grid.axis then
    fail("a Map needs a grid: orthogonal or isometric map expected, got %s",
      describe(map.orientation))
  end
  local right, down
  reader.lines, reader.rows, right, down = readRows(reader, layer, at.what)
  reader.layout = { x = x + right * grid.w, y = y + down * grid.h, w = grid.w, h = grid.h }
  reader.kindsOf = newKindsOf(reader, layer, at, reader.layout)
  return reader
end

local function newFormat(call, arg, read)
  return {
    module = tiled, call = call, arg = arg, read = read, own = meanings.OWN_OF_RULES,
    what = "map that Tiled has exported as Lua or JSON", complaintOfRule = complaintOfRule,
    options = {
      { "x", "finite number", 0 }, { "y", "finite number", 0 }, { "legend", "table", NONE },
      { "tilesets", "table or function", NONE }, { "onError", "function", false },
      { "thickness", "size > 0", false }, { "collidable", "boolean", false },
    },
  }
end

local INSERT = newFormat("insert", 3, function(map, options)
  return newReader(map, options, READ, tilesets.find)
end)
local NEW_MAP = newFormat("newMap", 4, readLayerOf)

--- Inserts the boxes of a map into a 2D World, then calls the functions of the legend.
-- opts: x, y, legend, tilesets, thickness, collidable, onError, as in
-- types/library/broadside/tiled.lua.
-- Returns the boxes (ids if results = "id") in insertion order, without those that functions have
-- inserted, and their number.
-- Raises an error that names what is wrong and where, with nothing changed; with onError, what
-- cannot become boxes is left out and reported instead. O(n log n) for n tiles and objects.
function tiled.insert(world, map, opts)
  local boxes, n = reading.insert(world, map, opts, INSERT)
  return boxes, n
end

--- Inserts the boxes of one tile layer into a 2D World, calls the functions of the legend for its
-- tiles, and returns a Map, whose cells can be changed: see tiles.newMap.
-- layer: its name, or the layer itself. map, opts: as in tiled.insert. The symbol of a cell is the
-- number of its tile, with flips, or 0. A cell can also be set to a name of the legend, and then is
-- what a tile of that class would be. Cells count from the first one of the layer, or of its
-- chunks. What cannot be a box when a cell is set is always an error. O(n) for n cells.
function tiled.newMap(world, map, layer, opts)
  local reader, options = reading.read(world, map, opts, NEW_MAP, layer)
  local made, callFunctions = newMap(world, reader.lines, reader.rows, reader.layout,
    reader.kindsOf, function(text)
      arguments.refuse("newMap", 2, text)
    end)
  reading.report(reader, options)
  reader.told = nil -- from now on it is an error
  callFunctions()
  return made
end

return tiled
