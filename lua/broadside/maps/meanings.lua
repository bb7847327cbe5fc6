-- What things of a map of Tiled's mean: by their properties, and by the legend.
--
-- A link is a thing of the map (an object, a tile, a layer); `outer` is the link of what contains
-- it. The link of a tile, and those of its shapes, have the frame of its image, too.

local root = ((...) or ""):match("^(.+)[./\\]%w+[./\\]") or "broadside"
local arguments = require(root .. ".support.arguments")
local convex = require(root .. ".convex")
local exports = require(root .. ".maps.exports")
local fields = require(root .. ".support.fields")
local frames = require(root .. ".maps.frames")
local level = require(root .. ".maps.level")
local rules = require(root .. ".maps.rules")

local describe, fail = arguments.describe, arguments.fail

local meanings = {}

-- Custom properties that are options of boxes, besides those of world:insert.
local OWN = { merge = true, collidable = true, thickness = true }

--- Those of them that a rule of the legend may have.
meanings.OWN_OF_RULES = "merge, thickness"

-- The values of a property that say which side of a one-way box is solid.
local SIDES = {
  up = { 0, -1 }, down = { 0, 1 }, left = { -1, 0 }, right = { 1, 0 }, [true] = { 0, -1 },
}

-- The greatest depth of groups in groups: a table that is in itself has no end.
local DEEPEST = 100

-- The most corners of a polygon: the time for cutting it grows with their square.
local MOST_CORNERS = 1000

local NONE = {}

--- Makes the link of a thing. class: its class in this version of Tiled.
function meanings.link(outer, thing, class, what)
  local properties = exports.properties(thing, what)
  local depth = outer and outer.depth + 1 or 1
  if depth > DEEPEST then fail("%s: it is in more than %d groups", what, DEEPEST) end
  return { outer = outer, depth = depth, class = class, name = thing.name, properties = properties,
    what = what }
end

-- Whether two names are one by mistake: they differ by capitals, or by one letter that is wrong,
-- left out, added, or swapped with the next one. The first letter, numbers and a plural are meant.
local function isSlip(a, b)
  a, b = a:lower(), b:lower()
  local stemA, stemB = a:gsub("%d", ""):gsub("s$", ""), b:gsub("%d", ""):gsub("s$", "")
  if stemA == stemB or #a < 4 or #b < 4 then return a == b end
  local i = 1
  while a:byte(i) == b:byte(i) do
    i = i + 1
  end
  a, b = a:sub(i), b:sub(i)
  return i > 1 and (a:sub(2) == b:sub(2) or a:sub(2) == b or a == b:sub(2)
    or a:sub(1, 2) == b:sub(1, 2):reverse() and a:sub(3) == b:sub(3))
end

-- A class that is not in the legend may be there by another spelling.
local function checkClass(reader, at)
  local class = at.class
  if type(class) ~= "string" or reader.isChecked[class] then return end
  for name in fields(reader.legend) do
    if type(name) == "string" and isSlip(name, class) then
      fail("%s: the legend has no class '%s'; is '%s' meant? If not, add it to the legend",
        at.what, class, name)
    end
  end
  reader.isChecked[class] = true
end

local function ruleOf(reader, at)
  local legend, rule = reader.legend, nil
  if at.class and at.class ~= "" then rule = legend[at.class] end
  if rule == nil and at.name and at.name ~= "" then rule = legend[at.name] end
  if rule == nil then checkClass(reader, at) end
  return rule
end

--- `key` is an option only in a legend, as a map may have a property of that name for a door.
function meanings.isOption(name)
  return OWN[name] or (name ~= "key" and rules.isOption(name))
end

-- Adds options that are not there yet. Tiled makes custom properties strings unless another type is
-- chosen, so among these a string that reads as a number is one.
local function addMissing(options, more, areProperties)
  for name, value in fields(more) do
    local isText = areProperties and type(value) == "string" and name ~= "data"
    if meanings.isOption(name) and options[name] == nil then
      options[name] = isText and tonumber(value) or value
    end
  end
end

-- Adds the options of a rule of the legend.
local function addRule(options, rule)
  addMissing(options, rule)
  options.key = rawget(rule, "key")
end

-- Whether a property is so; maps of the first versions of Tiled have texts alone.
local function isSo(property, value)
  return property == value or property == tostring(value)
end

--- What a thing becomes: a function; or options, and whether it is solid without a shape; or nil
-- for nothing. Its own properties come first, then those of what contains it, then the rule of the
-- legend for the innermost class or name that it has. What a tile says turns with it.
function meanings.settle(reader, innermost)
  local options, rule, isWhole, frame, frameOfRule = {}, nil, false, nil, nil
  local at = innermost
  while at do
    local found = ruleOf(reader, at)
    if found == false or isSo(at.properties.collidable, false) then return nil end
    if rule == nil then rule, frameOfRule = found, at.frame end
    isWhole = isWhole or found ~= nil or isSo(at.properties.collidable, true)
    if options.oneWay == nil then frame = at.frame end
    addMissing(options, at.properties, true)
    at = at.outer
  end
  if type(rule) == "function" then return rule end
  rule = type(rule) == "table" and rule or NONE
  local side = options.oneWay
  side = side and (SIDES[side] or fail("%s: 'up', 'down', 'left' or 'right' expected as option "
    .. "'oneWay', got %s", innermost.what, describe(side)))
  if side == nil then side, frame = rawget(rule, "oneWay"), frameOfRule end
  addRule(options, rule)
  options.oneWay = side and frame and frames.turnSide(frame, side) or side or nil
  return options, isWhole
end

--- The kinds of boxes with this shape and these options: several if a polygon is not convex. what:
-- what messages call them.
function meanings.newKinds(_, shape, options, cell, what)
  local rect = shape.rect
  -- Sums that are too large for doubles come first, because no option of the map is to blame.
  local complaint = level.complaintOfSides(shape.circle or shape.polygon
    or { rect[1], rect[2], rect[1] + rect[3], rect[2] + rect[4] })
  if complaint then fail("%s: %s", what, complaint) end
  local value = { rect = rect, circle = shape.circle, polygon = shape.polygon }
  addRule(value, options)
  value.collidable = nil
  local kind
  kind, complaint = rules.newKind(value, cell, meanings.OWN_OF_RULES)
  if kind then return { kind } end
  if not shape.polygon or #shape.polygon < 6 then fail("%s: %s", what, complaint) end
  if #shape.polygon > 2 * MOST_CORNERS then
    fail("%s: polygon of at most %d corners expected, got %d", what, MOST_CORNERS,
      #shape.polygon / 2)
  end
  local polygons = convex.cut(shape.polygon)
    or fail("%s: polygon with an area that does not cross itself expected", what)
  local kinds = {}
  for i, polygon in ipairs(polygons) do
    value.polygon = polygon
    kinds[i], complaint = rules.newKind(value, cell, meanings.OWN_OF_RULES)
    if not kinds[i] then fail("%s: %s", what, complaint) end
  end
  return kinds
end

return meanings
