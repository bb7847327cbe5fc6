-- What a tile or an object of a map of Tiled's becomes. A stamp is a list of kinds of boxes (see
-- rules.lua), each as { kind =, what = }: what is the name in messages. It also has calls, a list
-- of calls of functions of the legend, {f, x, y, w, h, thing}; and layout: see rules.cellsOf.

local root = ((...) or ""):match("^(.+)[./\\]%w+[./\\]") or "broadside"
local arguments = require(root .. ".support.arguments")
local exports = require(root .. ".maps.exports")
local fields = require(root .. ".support.fields")
local frames = require(root .. ".maps.frames")
local meanings = require(root .. ".maps.meanings")
local polyline = require(root .. ".support.polyline")
local reading = require(root .. ".maps.reading")
local tilesets = require(root .. ".maps.tilesets")

local stamps = {}

local describe, fail, checkNumber = arguments.describe, arguments.fail, reading.number
local placeCorners, compose, turn = frames.corners, frames.compose, frames.turn
local link, settle = meanings.link, meanings.settle

local NONE = {}

-- For objects the whole map is one cell, so their shapes have the map's coordinates.
local ORIGIN = { x = 0, y = 0, w = 1, h = 1 }

--- Stands for a stamp that is left out.
stamps.NOTHING = { calls = {} }

-- Shapes ------------------------------------------------------------------------------------------

local function readPoints(object, name, what)
  local corners = {}
  for i, point in reading.tables(object, name, what) do
    corners[2 * i - 1] = checkNumber(point, "x", what)
    corners[2 * i] = checkNumber(point, "y", what)
  end
  return corners
end

-- The frame and the size of an object.
local function placeOf(m, object, what)
  local degrees = object.rotation and checkNumber(object, "rotation", what) or 0
  if degrees ~= 0 and m.isGround then
    fail("%s: an object of an isometric map that is not turned expected: Tiled turns its picture",
      what)
  end
  local frame = turn(degrees, checkNumber(object, "x", what), checkNumber(object, "y", what))
  return compose(m, frame), checkNumber(object, "width", what), checkNumber(object, "height", what)
end

-- The polygons of a wall along a polyline.
local function wallOf(frame, object, thickness, what)
  if not thickness then
    return {}, "a polyline needs the option 'thickness'"
  elseif not arguments.isSize(thickness) then
    fail("%s: option 'thickness': size > 0 expected, got %s", what, describe(thickness))
  end
  local corners = placeCorners(frame, readPoints(object, "polyline", what))
  local shapes = {}
  for i, polygon in ipairs(polyline.thicken(corners, thickness)) do
    shapes[i] = { polygon = polygon }
  end
  return shapes, "it has no area"
end

-- The shapes of an object in a frame; if there are none, also why. thickness: of a polyline.
local function shapesOf(m, object, thickness, what)
  local frame, w, h = placeOf(m, object, what)
  local shape = exports.shape(object)
  if shape == "polygon" then
    return { { polygon = placeCorners(frame, readPoints(object, "polygon", what)) } }
  elseif shape == "polyline" then
    return wallOf(frame, object, thickness, what)
  elseif shape == "point" or shape == "text" then
    return {}, ("a %s has no area"):format(shape)
  elseif shape ~= "rectangle" and shape ~= "ellipse" then
    fail("%s: unknown shape %s", what, describe(shape))
  elseif w <= 0 or h <= 0 then
    return {}, "it has no area"
  end
  return { (shape == "rectangle" and frames.rect or frames.ellipse)(frame, w, h) }
end

-- The box around an object, with which the functions of the legend are called.
local function boundsOf(frame, object, w, h, what)
  local corners = { 0, 0, w, 0, w, h, 0, h }
  local shape = exports.shape(object)
  if shape == "polygon" or shape == "polyline" then
    corners = readPoints(object, shape, what)
  end
  corners = placeCorners(frame, corners)
  local x1, y1, x2, y2 = corners[1], corners[2], corners[1], corners[2]
  for i = 3, #corners, 2 do
    x1, x2 = math.min(x1, corners[i]), math.max(x2, corners[i])
    y1, y2 = math.min(y1, corners[i + 1]), math.max(y2, corners[i + 1])
  end
  return x1, y1, x2 - x1, y2 - y1
end

-- Stamps ------------------------------------------------------------------------------------------

-- Adds the kinds of a shape.
local function addShape(reader, stamp, shape, options, data, what)
  if options.data == nil then options.data = data end
  local kinds = reading.attempt(reader, what, meanings.newKinds, shape, options, stamp.layout, what)
  for _, kind in ipairs(kinds or NONE) do
    table.insert(stamp, { kind = kind, what = what })
  end
end

-- Tells onError why a thing makes no box. That is no error.
local function note(reader, what, why)
  if reader.told then reader.tell(("%s: no box: %s"):format(what, why)) end
end

-- What an object becomes: see meanings.settle. With the option `collidable` it must be solid by a
-- property or the legend.
local function settleObject(reader, at)
  local options, isWhole = settle(reader, at)
  if type(options) == "table" and reader.collidable and not isWhole then return nil end
  return options
end

-- Adds an object of a layer or of a tile, in a frame. data: the data of its box.
local function addObject(reader, stamp, at, object, m, data)
  local options = settleObject(reader, at)
  if type(options) == "function" then
    local frame, w, h = placeOf(m, object, at.what)
    local x, y
    x, y, w, h = boundsOf(frame, object, w, h, at.what)
    table.insert(stamp.calls, { options, x, y, w, h, object })
  elseif options then
    local shapes, why = shapesOf(m, object, options.thickness or reader.thickness, at.what)
    for _, shape in ipairs(shapes) do
      addShape(reader, stamp, shape, options, data, at.what)
    end
    if #shapes == 0 then note(reader, at.what, why) end
  end
end

-- The data for the boxes of a tile: the tile, if it has properties or a class; others may merge.
local function dataOf(tile, properties)
  for name in fields(properties) do
    if not meanings.isOption(name) then return tile end
  end
  local class = tile.class or tile.type
  return class and class ~= "" and tile or nil
end

-- Adds a tile whose image has a frame and a size to a stamp, and returns that. thing: the tile; or
-- the object that shows it, and then seen(link) is that object's link as if it were in the tile.
local function stampTile(reader, stamp, at, tile, tileset, image, thing, seen)
  local m, w, h = image.frame, image.w, image.h
  at.frame = m
  local options, isWhole = settle(reader, seen and seen(at) or at)
  local data = thing ~= tile and thing or dataOf(tile, at.properties)
  if type(options) == "function" then
    local x, y
    x, y, w, h = boundsOf(m, NONE, w, h)
    table.insert(stamp.calls, { options, x, y, w, h, thing })
  elseif options and exports.shapesOf(tile) then
    m = tilesets.frameOfShapes(tileset, image, at.what)
    local group = reading.list(tile, exports.shapesOf(tile), at.what)
    reading.attemptEach(reader, group, "objects", at.what, function(_, object)
      local inner = link(at, object, object.class or object.type,
        ("shape %s of %s"):format(tostring(object.id), at.what))
      inner.frame = m
      addObject(reader, stamp, seen and seen(inner) or inner, object, m, data)
    end)
  elseif options and isWhole then
    addShape(reader, stamp, image.outline or frames.rect(m, w, h), options, data, at.what)
  elseif options and thing ~= tile and not reader.collidable then
    note(reader, at.what, "its tile has no shape, and is not collidable")
  end
  return stamp
end

--- The stamp of a tile in the cells of a layer.
function stamps.ofCell(reader, symbol, layerLink, layout)
  local tile, tileset, flips = reader.find(reader, symbol, layerLink.what)
  local what = ("tile %s of '%s' in %s"):format(tostring(tile.id), tostring(tileset.name),
    layerLink.what)
  local grid, isGrid = reader.grid, tileset.tilerendersize == "grid"
  local image = grid.isGround and tilesets.groundOf(grid, flips, what)
  if not image then
    image = tilesets.imageOf(tile, tileset, flips, isGrid and grid.w, isGrid and grid.h, what,
      grid.isHexagonal)
    image.frame = compose({ 1, 0, 0, 1, 0, grid.h - image.drawn }, image.frame)
    image.outline = grid.outline and { polygon = grid.outline }
  end
  local at = link(layerLink, tile, tile.class or tile.type, what)
  return stampTile(reader, { calls = {}, layout = layout }, at, tile, tileset, image, tile)
end

-- Where the point at an object's coordinates is in its image, as parts of width and height.
local ALIGNMENTS = {
  topleft = { 0, 0 }, top = { 0.5, 0 }, topright = { 1, 0 }, left = { 0, 0.5 },
  center = { 0.5, 0.5 }, right = { 1, 0.5 }, bottomleft = { 0, 1 }, bottom = { 0.5, 1 },
  bottomright = { 1, 1 },
}

-- Adds an object that shows a tile and stands on the ground of an isometric map.
local function addStanding(reader, stamp, at, object, frame)
  local options = settleObject(reader, at)
  if type(options) == "function" then
    table.insert(stamp.calls, { options, frame[5], frame[6], 0, 0, object })
  elseif options then
    note(reader, at.what, "in an isometric map its picture has no place on the ground")
  end
end

-- Adds an object that shows a tile.
local function addTileObject(reader, stamp, object, layerLink, m, what)
  local tile, tileset, flips = tilesets.find(reader, object.gid, what)
  local frame, w, h = placeOf(m, object, what)
  if w <= 0 or h <= 0 then
    return note(reader, what, "it has no area")
  end
  local at = link(layerLink, tile, tile.class or tile.type, what)
  local function seen(outer)
    return link(outer, object, object.class or object.type, what)
  end
  if m.isGround then return addStanding(reader, stamp, seen(at), object, frame) end
  local image = tilesets.imageOf(tile, tileset, flips, w, h, what)
  local align = ALIGNMENTS[tileset.objectalignment] or ALIGNMENTS.bottomleft
  frame = compose(frame, { 1, 0, 0, 1, -align[1] * w, -align[2] * h })
  image.frame = compose(frame, image.frame)
  stampTile(reader, stamp, at, tile, tileset, image, object, seen)
end

--- The stamp of an object of a layer. what: what messages call it.
function stamps.ofObject(reader, object, layerLink, m, what)
  exports.checkObject(object, what)
  local stamp = { calls = {}, layout = ORIGIN }
  if object.gid then
    addTileObject(reader, stamp, object, layerLink, m, what)
  else
    local at = link(layerLink, object, object.class or object.type, what)
    addObject(reader, stamp, at, object, m, object)
  end
  return stamp
end

return stamps
