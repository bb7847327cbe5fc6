-- The shapes of objects of Tiled's, of layers and of tiles.

local root = ((...) or ""):match("^(.+)[./\\]%w+[./\\]") or "broadside"
local arguments = require(root .. ".support.arguments")
local exports = require(root .. ".maps.exports")
local frames = require(root .. ".maps.frames")
local polyline = require(root .. ".support.polyline")
local reading = require(root .. ".maps.reading")

local describe, fail, checkNumber = arguments.describe, reading.fail, reading.number
local placeCorners, compose, turn = frames.corners, frames.compose, frames.turn

local objects = {}

local function readPoints(object, name, what)
  local corners = {}
  for i, point in reading.tables(object, name, what) do
    corners[2 * i - 1] = checkNumber(point, "x", what)
    corners[2 * i] = checkNumber(point, "y", what)
  end
  return corners
end

--- The frame and the size of an object.
function objects.place(m, object, what)
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

--- The shapes of an object in a frame; if there are none, also why. thickness: of a polyline.
function objects.shapes(m, object, thickness, what)
  local frame, w, h = objects.place(m, object, what)
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

--- The box around an object, with which the functions of the legend are called.
function objects.bounds(frame, object, w, h, what)
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

return objects
