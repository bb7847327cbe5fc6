--- Makes boxes of a map of Tiled's, as "Export As: Lua files" of that editor writes it.
--
--     local tiled = require("broadside.tiled")
--     tiled.insert(world, require("maps.cave"))
--
-- Shapes come from Tiled's collision editor (tiles) and from object layers; custom properties with
-- the names of world:insert's options are options. A legend says what classes and layers mean:
--
--     tiled.insert(world, require("maps.cave"), { legend = {
--       ground = true,                           -- a layer of that name: its tiles are solid
--       coin = { layer = COIN },                 -- a class of objects or tiles: options
--       player = function(x, y) spawn(x, y) end, -- another one: no box, but a call
--     } })
--
-- doc/tiled.md has all of it.

local folder = ((...) or ""):match("^(.+)[./\\]") or "broadside"
local arguments = require(folder .. ".arguments")
local convex = require(folder .. ".convex")
local fields = require(folder .. ".fields")
local level = require(folder .. ".level")
local newMap = require(folder .. ".map")
local polyline = require(folder .. ".polyline")
local reading = require(folder .. ".reading")

local describe, isFinite = arguments.describe, arguments.isFinite
local fail, checkNumber, checkSize = reading.fail, reading.number, reading.size
local checkWhole, checkList, listOrNone = reading.whole, reading.list, reading.listOrNone

local tiled = {}

-- Custom properties that are options of boxes, besides those of world:insert.
local OWN = { merge = true, collidable = true, thickness = true }

-- Those of them that a rule of the legend may have.
local OWN_OF_RULES = "merge, thickness"

-- The values of a property that say which side of a one-way box is solid.
local SIDES = {
  up = { 0, -1 }, down = { 0, 1 }, left = { -1, 0 }, right = { 1, 0 }, [true] = { 0, -1 },
}

-- An ellipse with two radii becomes a polygon with the largest allowed number of corners.
local CORNERS = 16

-- For objects the whole map is one cell, so their shapes have the map's coordinates.
local ORIGIN = { x = 0, y = 0, w = 1, h = 1 }

local NONE = {}

-- The greatest depth of groups in groups: a table that is in itself has no end.
local DEEPEST = 100

-- The most times that a layer may be in the map: groups of the same groups can have 2^n layers.
local MOST_OFTEN = 100

-- The most cells of a Map: a layer with two chunks far apart has any number.
local MOST_CELLS = 2 ^ 24

-- The most corners of a polygon: the time for cutting it grows with their square.
local MOST_CORNERS = 1000

-- Calls f(reader, ...), which reads a part of the map, and adds nothing if it fails. If the game
-- has given onError, a failure is reported, each text once, and that part is left out. what: where
-- the part is. Returns the result of f, or nil.
local function attempt(reader, what, f, ...)
  if not reader.told then
    return f(reader, ...)
  end
  local done, result = pcall(f, reader, ...)
  if done then
    return result
  end
  reader.tell(reading.complaintOf(result, what .. ": part of a map of Tiled's")
    or error(result, 0))
  return nil
end

local function readItem(reader, list, i, what, f, ...)
  return f(reader, checkList(list, i, what), ...)
end

-- Attempts f(reader, item, ...) for each item of a list, which must be a table.
local function attemptEach(reader, owner, name, what, f, ...)
  local list, whatItem = checkList(owner, name, what), ("'%s' of %s"):format(name, what)
  for i in level.items(list) do
    attempt(reader, what, readItem, list, i, whatItem, f, ...)
  end
end

-- A number that may be left out.
local function checkOffset(owner, name, what)
  return owner[name] and checkNumber(owner, name, what) or 0
end

-- Frames ------------------------------------------------------------------------------------------
-- A frame {a, b, c, d, e, f} maps the point x, y to a x + b y + e, c x + d y + f.

local function place(m, x, y)
  return m[1] * x + m[2] * y + m[5], m[3] * x + m[4] * y + m[6]
end

-- The frame that applies n, and then m.
local function compose(m, n)
  local x, y = place(m, n[5], n[6])
  return {
    m[1] * n[1] + m[2] * n[3], m[1] * n[2] + m[2] * n[4],
    m[3] * n[1] + m[4] * n[3], m[3] * n[2] + m[4] * n[4], x, y,
  }
end

-- Taylor's series of the cosine for first = 1, and of the sine divided by the angle for first = 2.
local function series(square, first)
  local sum = 1
  for k = first + 16, first, -2 do
    sum = 1 - square * sum / (k * (k + 1))
  end
  return sum
end

-- The cosine and sine of an angle. Quarters of a turn are exact. The others are the same on every
-- machine, unlike those of C libraries, which differ in the last bit.
local function direction(degrees)
  degrees = math.fmod(degrees, 360)
  local quarters = math.floor(degrees / 90 + 0.5)
  local radians = (degrees - 90 * quarters) * (math.pi / 180)
  local square = radians * radians
  local cosine, sine = series(square, 1), radians * series(square, 2)
  for _ = 1, quarters % 4 do
    cosine, sine = -sine, cosine
  end
  return cosine, sine
end

-- A frame that turns clockwise, as y points down, and then moves.
local function turn(degrees, x, y)
  local cosine, sine = direction(degrees)
  return { cosine, -sine, sine, cosine, x, y }
end

-- Shapes ------------------------------------------------------------------------------------------
-- A shape is { rect = {x, y, w, h} }, { circle = {x, y, r} } or { polygon = {x1, y1, ...} }.

local function placeCorners(m, corners)
  local placed = {}
  for i = 1, #corners, 2 do
    placed[i], placed[i + 1] = place(m, corners[i], corners[i + 1])
  end
  return placed
end

-- A rectangle from 0, 0 to w, h. It becomes a polygon if it is turned by other than quarters.
local function placeRect(m, w, h)
  if m[2] ~= 0 and m[1] ~= 0 then
    return { polygon = placeCorners(m, { 0, 0, w, 0, w, h, 0, h }) }
  end
  local x1, y1 = place(m, 0, 0)
  local x2, y2 = place(m, w, h)
  if m[1] == 0 then
    w, h = h, w
  end
  return { rect = { math.min(x1, x2), math.min(y1, y2), w * math.abs(m[1] + m[2]),
    h * math.abs(m[3] + m[4]) } }
end

-- An ellipse within 0, 0 and w, h. Turned and scaled, it has a centre and two half diameters.
local function placeEllipse(m, w, h)
  local x, y = place(m, w / 2, h / 2)
  local ux, uy, vx, vy = m[1] * w / 2, m[3] * w / 2, m[2] * h / 2, m[4] * h / 2
  local uu, vv, uv = ux * ux + uy * uy, vx * vx + vy * vy, ux * vx + uy * vy
  if math.abs(uu - vv) <= 1e-9 * uu and math.abs(uv) <= 1e-9 * uu then
    return { circle = { x, y, math.sqrt(uu) } }
  end
  local corners = {}
  for i = 0, CORNERS - 1 do
    local cosine, sine = direction(360 * i / CORNERS)
    corners[2 * i + 1] = x + ux * cosine + vx * sine
    corners[2 * i + 2] = y + uy * cosine + vy * sine
  end
  return { polygon = corners }
end

local function readPoints(object, name, what)
  local corners = {}
  for i, point in reading.tables(object, name, what) do
    corners[2 * i - 1] = checkNumber(point, "x", what)
    corners[2 * i] = checkNumber(point, "y", what)
  end
  return corners
end

-- The frame and the size of an object.
local function readPlace(m, object, what)
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
  elseif not reading.isSize(thickness) then
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
  local frame, w, h = readPlace(m, object, what)
  local shape = object.shape
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
  return { (shape == "rectangle" and placeRect or placeEllipse)(frame, w, h) }
end

-- The box around an object, with which the functions of the legend are called.
local function boundsOf(frame, object, w, h, what)
  local corners = { 0, 0, w, 0, w, h, 0, h }
  if object.shape == "polygon" or object.shape == "polyline" then
    corners = readPoints(object, object.shape, what)
  end
  corners = placeCorners(frame, corners)
  local x1, y1, x2, y2 = corners[1], corners[2], corners[1], corners[2]
  for i = 3, #corners, 2 do
    x1, x2 = math.min(x1, corners[i]), math.max(x2, corners[i])
    y1, y2 = math.min(y1, corners[i + 1]), math.max(y2, corners[i + 1])
  end
  return x1, y1, x2 - x1, y2 - y1
end

-- What things mean --------------------------------------------------------------------------------
-- A link is a thing of the map (an object, a tile, a layer); `outer` is the link of what contains
-- it. The link of a tile, and those of its shapes, have the frame of its image, too.

local function link(outer, thing, class, what)
  local properties = listOrNone(thing, "properties", what)
  local depth = outer and outer.depth + 1 or 1
  if depth > DEEPEST then
    fail("%s: it is in more than %d groups", what, DEEPEST)
  end
  return { outer = outer, depth = depth, class = class, name = thing.name, properties = properties,
    what = what }
end

-- Whether two names are one by mistake: they differ by capitals, or by one letter that is wrong,
-- left out, added, or swapped with the next one. The first letter, numbers and a plural are meant.
local function isSlip(a, b)
  a, b = a:lower(), b:lower()
  local stemA, stemB = a:gsub("%d", ""):gsub("s$", ""), b:gsub("%d", ""):gsub("s$", "")
  if stemA == stemB or #a < 4 or #b < 4 then
    return a == b
  end
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
  if type(class) ~= "string" or reader.isChecked[class] then
    return
  end
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
  if at.class and at.class ~= "" then
    rule = legend[at.class]
  end
  if rule == nil and at.name and at.name ~= "" then
    rule = legend[at.name]
  end
  if rule == nil then
    checkClass(reader, at)
  end
  return rule
end

-- `key` is an option only in a legend, as a map may have a property of that name for a door.
local function isOption(name)
  return OWN[name] or (name ~= "key" and level.isOption(name))
end

local function addMissing(options, more)
  for name, value in fields(more) do
    if isOption(name) and options[name] == nil then
      options[name] = value
    end
  end
end

-- Adds custom properties. Tiled makes them strings unless another type is chosen, so a string that
-- reads as a number is one.
local function addProperties(options, properties)
  local values = {}
  for name, value in fields(properties) do
    values[name] = type(value) == "string" and name ~= "data" and tonumber(value) or value
  end
  addMissing(options, values)
end

-- Adds the options of a rule of the legend.
local function addRule(options, rule)
  addMissing(options, rule)
  options.key = rawget(rule, "key")
end

-- The side that a property `oneWay` names; false or nil for none.
local function readSide(property, what)
  return property and (SIDES[property]
    or fail("%s: 'up', 'down', 'left' or 'right' expected as option 'oneWay', got %s", what,
      describe(property)))
end

-- The side, one of four, where a frame turns it to.
local function turnSide(m, side)
  local sign = m[1] * m[4] < m[2] * m[3] and -1 or 1
  local nx = sign * (m[4] * side[1] - m[3] * side[2])
  local ny = sign * (m[1] * side[2] - m[2] * side[1])
  if math.abs(nx) > math.abs(ny) then
    return { nx > 0 and 1 or -1, 0 }
  end
  return { 0, ny > 0 and 1 or -1 }
end

-- What a thing becomes: a function; or options, and whether it is solid without a shape; or nil for
-- nothing. Its own properties come first, then those of what contains it, then the rule of the
-- legend for the innermost class or name that it has. What a tile says turns with it.
local function settle(reader, innermost)
  local options, rule, isWhole, frame, frameOfRule = {}, nil, false, nil, nil
  local at = innermost
  while at do
    local found = ruleOf(reader, at)
    if found == false or at.properties.collidable == false then
      return nil
    end
    if rule == nil then
      rule, frameOfRule = found, at.frame
    end
    isWhole = isWhole or found ~= nil or at.properties.collidable == true
    if options.oneWay == nil then
      frame = at.frame
    end
    addProperties(options, at.properties)
    at = at.outer
  end
  if type(rule) == "function" then
    return rule
  end
  rule = type(rule) == "table" and rule or NONE
  local side = readSide(options.oneWay, innermost.what)
  if side == nil then
    side, frame = rawget(rule, "oneWay"), frameOfRule
  end
  addRule(options, rule)
  options.oneWay = side and frame and turnSide(frame, side) or side or nil
  return options, isWhole
end

-- Reports sums that are too large for doubles here, because no option of the map is to blame.
local function checkFinite(shape, what)
  local rect = shape.rect or NONE
  local far = { rect[1] and rect[1] + rect[3], rect[2] and rect[2] + rect[4] }
  for _, list in ipairs({ rect, shape.circle or NONE, shape.polygon or NONE, far }) do
    for _, number in ipairs(list) do
      if not isFinite(number) then
        fail("%s: finite sides expected, got %s", what, describe(number))
      end
    end
  end
end

-- The kinds of boxes with these options and this shape. There are several if a polygon is cut into
-- convex ones.
local function newKinds(_, item, cell)
  local options, shape, what = item.options, item.shape, item.what
  checkFinite(shape, what)
  local value = { rect = shape.rect, circle = shape.circle, polygon = shape.polygon }
  addRule(value, options)
  value.collidable = nil
  local kind, complaint = level.newKind(value, cell, OWN_OF_RULES)
  if kind then
    return { kind }
  end
  if not shape.polygon or #shape.polygon < 6 then
    fail("%s: %s", what, complaint)
  end
  if #shape.polygon > 2 * MOST_CORNERS then
    fail("%s: polygon of at most %d corners expected, got %d", what, MOST_CORNERS,
      #shape.polygon / 2)
  end
  local polygons = convex.cut(shape.polygon)
    or fail("%s: polygon with an area that does not cross itself expected", what)
  local kinds = {}
  for i, polygon in ipairs(polygons) do
    value.polygon = polygon
    kinds[i], complaint = level.newKind(value, cell, OWN_OF_RULES)
    if not kinds[i] then
      fail("%s: %s", what, complaint)
    end
  end
  return kinds
end

-- Grids -------------------------------------------------------------------------------------------
-- Where the cells of a map are: { w =, h =, parts = {{ x =, y =, w =, h = }, ...} }, the size of a
-- cell, and regular grids. In staggered and hexagonal maps every other row (or column) is a part;
-- `axis` is the one along which cells take turns, and `outline` the polygon that a cell fills. In
-- an isometric map cells are squares on the ground (`isGround`), where objects are measured, too.

-- The corners of a cell whose sides at the top and on the left are cut off, or come to a point.
local function outlineOf(w, h, x, y)
  local all = { x, 0, w - x, 0, w, y, w, h - y, w - x, h, x, h, 0, h - y, 0, y }
  local corners, n = {}, 0
  for i = 1, #all, 2 do
    if all[i] ~= corners[n - 1] or all[i + 1] ~= corners[n] then
      corners[n + 1], corners[n + 2], n = all[i], all[i + 1], n + 2
    end
  end
  if corners[1] == corners[n - 1] and corners[2] == corners[n] then
    corners[n - 1], corners[n] = nil, nil
  end
  return corners
end

local function newStaggered(map, w, h)
  w, h = w - w % 2, h - h % 2
  local axis = map.staggeraxis
  local side = map.orientation == "hexagonal" and checkNumber(map, "hexsidelength", "map") or 0
  if axis ~= "x" and axis ~= "y" or side < 0 or side >= (axis == "x" and w or h) then
    fail("map: staggeraxis 'x' or 'y', and a shorter hexsidelength expected, got %s, %s",
      describe(axis), describe(side))
  end
  local isX = axis == "x"
  local left, top = (w - (isX and side or 0)) / 2, (h - (isX and 0 or side)) / 2
  local across, down = w - left, h - top
  local parts, first = {}, map.staggerindex == "even" and 1 or 0
  for i = 0, 1 do
    local shift = i == first and 0 or 1
    parts[i + 1] = isX and { x = i * across, y = shift * down, w = 2 * across, h = h }
      or { x = shift * across, y = i * down, w = w, h = 2 * down }
  end
  return { w = w, h = h, axis = axis, outline = outlineOf(w, h, left, top), parts = parts,
    isHexagonal = map.orientation == "hexagonal" }
end

local function newGrid(map)
  local orientation = map.orientation
  local isGround = orientation == "isometric"
  if orientation ~= "orthogonal" and not isGround and orientation ~= "staggered"
    and orientation ~= "hexagonal" then
    fail("orthogonal, isometric, staggered or hexagonal map expected, got %s",
      describe(orientation))
  end
  local w, h = checkSize(map, "tilewidth", "map"), checkSize(map, "tileheight", "map")
  if orientation == "staggered" or orientation == "hexagonal" then
    return newStaggered(map, w, h)
  end
  w = isGround and h or w
  return { w = w, h = h, isGround = isGround, parts = { { x = 0, y = 0, w = w, h = h } } }
end

-- The part in which a cell is, and its row and column there.
local function locate(grid, row, column)
  if grid.axis == "x" then
    return (column - 1) % 2 + 1, row, math.floor((column - 1) / 2) + 1
  elseif grid.axis == "y" then
    return (row - 1) % 2 + 1, math.floor((row - 1) / 2) + 1, column
  end
  return 1, row, column
end

-- Tilesets ----------------------------------------------------------------------------------------

-- The tiles that a tileset describes, by id.
local function tilesOf(reader, tileset, what)
  local tiles = reader.tiles[tileset]
  if not tiles then
    tiles = {}
    local list = { tiles = listOrNone(tileset, "tiles", what) }
    for _, tile in reading.tables(list, "tiles", what) do
      if isFinite(tile.id) and not tiles[tile.id] then
        tiles[tile.id] = tile
      end
    end
    reader.tiles[tileset] = tiles
  end
  return tiles
end

-- The tilesets {first =, set =, ...} sorted by their first tiles. Of several with the same first
-- tile, the last counts.
local function sortTilesets(map)
  local sorted = {}
  for i, tileset in reading.tables(map, "tilesets", "map") do
    sorted[i] = { first = checkNumber(tileset, "firstgid", "tileset"), place = i, set = tileset }
  end
  table.sort(sorted, function(a, b)
    return a.first < b.first or a.first == b.first and a.place < b.place
  end)
  return sorted
end

-- The last tileset that begins at a number or before it, or nil. It is a binary search.
local function findTileset(sorted, number)
  local low, high = 0, #sorted
  while low < high do
    local middle = math.ceil((low + high) / 2)
    if sorted[middle].first <= number then
      low = middle
    else
      high = middle - 1
    end
  end
  return sorted[low]
end

-- What the game has for a file: by its name in the map, by that of Tiled's export, or without
-- folders.
local function lookUp(tilesets, file, exported)
  if type(tilesets) == "function" then
    return reading.ask(tilesets, file, exported)
  end
  local found = tilesets[file]
  if found == nil and exported ~= nil then
    found = tilesets[exported]
  end
  if found == nil then
    found = tilesets[file:match("[^/\\]*$")]
  end
  return found
end

-- The description of a tileset's tiles: the tileset itself, or what the game has for its file.
local function contentOf(reader, entry, what)
  local tileset = entry.set
  local file = tileset.filename
  if not file or tileset.tilewidth then
    return tileset
  end
  if type(file) ~= "string" then
    fail("%s: string expected as 'filename' of a tileset, got %s", what, describe(file))
  end
  if entry.content == nil then
    entry.content = lookUp(reader.tilesets, file, tileset.exportfilename) or false
  end
  if entry.content == false then
    fail("%s: the tileset '%s' is in a file of its own: export it from Tiled as Lua, too, and hand "
      .. "it in: tilesets = { ['%s'] = require('%s') }; or export the map again with 'Embed "
      .. "tilesets' in Tiled's preferences for exports (command line: --embed-tilesets); or make "
      .. "the layer false in the legend, if nothing of it is solid", what, file, file,
      file:match("([^/\\]*)$"):gsub("%.%w+$", ""))
  elseif type(entry.content) ~= "table" then
    fail("%s: table expected as the tileset '%s', got %s", what, file,
      describe(entry.content))
  end
  return entry.content
end

-- Finds a tile by its number in the map. Returns it, its tileset, and the bits by which it is
-- flipped: 8 left to right, 4 top to bottom, 2 along the diagonal.
local function findTile(reader, gid, what)
  if not isFinite(gid) or gid < 0 or gid >= 2 ^ 32 or gid % 1 ~= 0 then
    fail("%s: number of a tile expected, got %s", what, describe(gid))
  end
  local flips, number = math.floor(gid / 2 ^ 28), gid % 2 ^ 28
  local entry = findTileset(reader.sorted, number)
  if not entry then
    fail("%s: no tileset has the tile %s", what, describe(gid))
  end
  local tileset, id = contentOf(reader, entry, what), number - entry.first
  return tilesOf(reader, tileset, what)[id] or { id = math.floor(id) }, tileset, flips
end

-- The frame of an image of size w, h that is drawn in a rectangle, and its scales.
local function fit(w, h, intoW, intoH, mode)
  local scaleX, scaleY = intoW / w, intoH / h
  if mode == "preserve-aspect-fit" then
    local scale = math.min(scaleX, scaleY)
    return { scale, 0, 0, scale, (intoW - scale * w) / 2, (intoH - scale * h) / 2 }, scale, scale
  end
  return { scaleX, 0, 0, scaleY, 0, 0 }, scaleX, scaleY
end

-- The image of a tile, drawn w by h (by default in its own size): the frame and the size of its
-- contents, and the height at which it is drawn. If it is flipped, its lower left corner stays. In
-- the cells of a hexagonal map the last two bits turn it about its middle.
local function imageOf(tile, tileset, flips, w, h, what, isHexagonal)
  local own = tile.width and tile or tileset
  local imageW = checkSize(own, tile.width and "width" or "tilewidth", what)
  local imageH = checkSize(own, tile.width and "height" or "tileheight", what)
  w, h = w or imageW, h or imageH
  local frame, scaleX, scaleY = fit(imageW, imageH, w, h, tileset.fillmode)
  local wide, high, degrees = w, h, 0
  if isHexagonal then
    degrees, flips = flips % 2 * 120 + math.floor(flips / 2) % 2 * 60, flips - flips % 4
  end
  if flips % 4 >= 2 then
    frame, wide, high = compose({ 0, 1, 1, 0, 0, 0 }, frame), h, w
  end
  if flips % 16 >= 8 then
    frame = compose({ -1, 0, 0, 1, wide, 0 }, frame)
  end
  if flips % 8 >= 4 then
    frame = compose({ 1, 0, 0, -1, 0, high }, frame)
  end
  if degrees > 0 then
    frame = compose(turn(degrees, w / 2, h / 2), compose({ 1, 0, 0, 1, -w / 2, -h / 2 }, frame))
  end
  local offset = listOrNone(tileset, "tileoffset", what)
  local x = checkOffset(offset, "x", what) * scaleX
  local y = checkOffset(offset, "y", what) * scaleY
  frame = compose({ 1, 0, 0, 1, x, y + h - high }, frame)
  return { frame = frame, w = imageW, h = imageH, drawn = h }
end

-- The cell of a tile on the ground of an isometric map. A picture that is flipped left to right has
-- its axes on the ground swapped.
local function groundOf(grid, flips, what)
  local frame, side = { 1, 0, 0, 1, 0, 0 }, grid.h
  if flips % 4 >= 2 then
    fail("%s: a tile of an isometric map that is not turned expected", what)
  end
  if flips % 16 >= 8 then
    frame = compose({ 0, 1, 1, 0, 0, 0 }, frame)
  end
  if flips % 8 >= 4 then
    frame = compose({ 0, -1, -1, 0, side, side }, frame)
  end
  return { frame = frame, w = side, h = side, drawn = side, isGround = true }
end

-- The frame of the shapes of a tile. If its tileset has an isometric grid, they are drawn on the
-- ground, else on the picture.
local function frameOfShapes(tileset, image, what)
  local grid = listOrNone(tileset, "grid", what)
  if grid.orientation ~= "isometric" then
    return not image.isGround and image.frame
      or fail("%s: shapes on the ground expected: set the orientation of the tileset to isometric, "
        .. "and draw them there", what)
  end
  local w, h = checkSize(grid, "width", what), checkSize(grid, "height", what)
  local frame = compose(image.frame, image.isGround
    and { image.h / h, 0, 0, image.h / h, 0, 0 }
    or { w / h / 2, -w / h / 2, 0.5, 0.5, w / 2, image.h - h })
  frame.isGround = true
  return frame
end

-- Stamps ------------------------------------------------------------------------------------------
-- What a tile or an object becomes: shapes, {shape =, options =, what =}, and calls of functions of
-- the legend, {f, x, y, w, h, thing}.

local function addShape(stamp, shape, options, data, what)
  if options.data == nil then
    options.data = data
  end
  table.insert(stamp.shapes, { shape = shape, options = options, what = what })
end

-- Tells onError why a thing makes no box. That is no error.
local function note(reader, what, why)
  if reader.told then
    reader.tell(("%s: no box: %s"):format(what, why))
  end
end

-- Adds an object of a layer or of a tile, in a frame. data: the data of its box.
local function addObject(reader, stamp, at, object, m, data)
  local options = settle(reader, at)
  if type(options) == "function" then
    local frame, w, h = readPlace(m, object, at.what)
    local x, y
    x, y, w, h = boundsOf(frame, object, w, h, at.what)
    table.insert(stamp.calls, { options, x, y, w, h, object })
  elseif options then
    local shapes, why = shapesOf(m, object, options.thickness or reader.thickness, at.what)
    for _, shape in ipairs(shapes) do
      addShape(stamp, shape, options, data, at.what)
    end
    if #shapes == 0 then
      note(reader, at.what, why)
    end
  end
end

-- The data for the boxes of a tile: the tile, if it has properties or a class. Without data, boxes
-- can be merged.
local function dataOf(tile)
  for name in fields(tile.properties or NONE) do
    if not isOption(name) then
      return tile
    end
  end
  local class = tile.class or tile.type
  return class and class ~= "" and tile or nil
end

local function itself(at)
  return at
end

-- The stamp of a tile whose image has a frame and a size. thing: the object that shows it, or the
-- tile. seen(link) is the link of that object as if it were in the tile, or link itself.
local function stampTile(reader, at, tile, tileset, image, thing, seen)
  local stamp = { shapes = {}, calls = {} }
  local m, w, h = image.frame, image.w, image.h
  at.frame = m
  local options, isWhole = settle(reader, seen(at))
  local data = thing ~= tile and thing or dataOf(tile)
  if type(options) == "function" then
    local x, y
    x, y, w, h = boundsOf(m, NONE, w, h)
    table.insert(stamp.calls, { options, x, y, w, h, thing })
  elseif options and tile.objectGroup then
    m = frameOfShapes(tileset, image, at.what)
    attemptEach(reader, checkList(tile, "objectGroup", at.what), "objects", at.what,
      function(_, object)
        local inner = link(at, object, object.class or object.type,
          ("shape %s of %s"):format(tostring(object.id), at.what))
        inner.frame = m
        addObject(reader, stamp, seen(inner), object, m, data)
      end)
  elseif options and isWhole then
    addShape(stamp, image.outline or placeRect(m, w, h), options, data, at.what)
  elseif options and thing ~= tile then
    note(reader, at.what, "its tile has no shape, and is not collidable")
  end
  return stamp
end

local function addLater(reader, stamp, x, y, layer)
  for _, call in ipairs(stamp.calls) do
    table.insert(reader.later,
      { call[1], x + call[2], y + call[3], call[4], call[5], call[6], layer })
  end
end

-- Layers ------------------------------------------------------------------------------------------

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
  local gids = {}
  for i = 1, bytes / 4 do
    local number = (i - 1) % 3
    local at, w = (i - 1 - number) / 3 * 16 + 5 * number + 1, WEIGHTS[number]
    local a, b, c, d, e, f = text:byte(at, at + 5)
    gids[i] = w[1][a] + w[2][b] + w[3][c] + w[4][d] + w[5][e] + w[6][f]
  end
  return gids
end

-- The numbers of the tiles of a layer, or of a chunk of it. A chunk has the encoding of its layer.
local function tilesOfPart(part, layer, what)
  if type(part.data) ~= "string" then
    return checkList(part, "data", what)
  end
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

-- How many cells a layer, or a chunk of it, is to the right and down.
local function placeOfPart(part, layer, what)
  if part == layer then
    return 0, 0
  end
  local least = -reading.FARTHEST
  return checkWhole(part, "x", what, least), checkWhole(part, "y", what, least)
end

-- Returns the tiles of a layer, or of a chunk of it: { data =, n =, width =, right =, down = }.
local function readPart(part, layer, what)
  local right, down = placeOfPart(part, layer, what)
  local data = tilesOfPart(part, layer, what)
  local width, height = checkWhole(part, "width", what, 0), checkWhole(part, "height", what, 0)
  local n = 0
  while rawget(data, n + 1) ~= nil do
    n = n + 1
  end
  if n ~= width * height then
    fail("%s: %.0f tiles expected, got %d", what, width * height, n)
  end
  return { data = data, n = n, width = width, right = right, down = down }
end

local function addCalls(reader, cells, layout, nameOf)
  level.addCalls(reader.calls, cells, layout, nameOf, reader.tell or fail)
end

-- The stamp of a tile in the cells of a layer, with the cells of each kind of its shapes.
local function newStamp(reader, sign, layerLink, found)
  local tile, tileset, flips = reader.find(reader, sign, layerLink.what)
  local what = ("tile %s of '%s' in %s"):format(tostring(tile.id), tostring(tileset.name),
    layerLink.what)
  local grid, isGrid = reader.grid, tileset.tilerendersize == "grid"
  local image = grid.isGround and groundOf(grid, flips, what)
  if not image then
    image = imageOf(tile, tileset, flips, isGrid and grid.w, isGrid and grid.h, what,
      grid.isHexagonal)
    image.frame = compose({ 1, 0, 0, 1, 0, grid.h - image.drawn }, image.frame)
    image.outline = grid.outline and { polygon = grid.outline }
  end
  local at = link(layerLink, tile, tile.class or tile.type, what)
  local stamp = stampTile(reader, at, tile, tileset, image, tile, itself)
  for _, item in ipairs(stamp.shapes) do
    for _, kind in ipairs(attempt(reader, what, newKinds, item, found.layout) or NONE) do
      table.insert(stamp, reading.cellsOf(found, kind, found.layout))
    end
  end
  return stamp
end

-- Stands for a stamp that is left out.
local NOTHING = { shapes = {}, calls = {} }

-- Calls f(gid, row, column) for each cell of a part of a layer that has a tile.
local function eachTile(part, f)
  local data, row, column = part.data, 1, 0
  for i = 1, part.n do
    if column == part.width then
      row, column = row + 1, 0
    end
    column = column + 1
    local gid = data[i]
    if gid ~= 0 then
      f(gid, row + part.down, column + part.right)
    end
  end
end

-- Empty lists of cells for each part of the grid of a layer.
local function newParts(grid, x, y)
  local parts = {}
  for i, part in ipairs(grid.parts) do
    parts[i] = reading.newCells()
    parts[i].stamps = {} -- by number of a tile
    parts[i].layout = { x = x + part.x, y = y + part.y, w = part.w, h = part.h }
  end
  return parts
end

local function readTiles(reader, layer, layerLink, x, y)
  local founds = newParts(reader.grid, x, y)
  local function addTile(gid, row, column)
    local part
    part, row, column = locate(reader.grid, row, column)
    local found = founds[part]
    local stamp = found.stamps[gid]
      or attempt(reader, layerLink.what, newStamp, gid, layerLink, found) or NOTHING
    if gid == gid then
      found.stamps[gid] = stamp
    end
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
  local parts = layer.chunks and layer or { chunks = { layer } }
  attemptEach(reader, parts, "chunks", layerLink.what, function(_, part)
    eachTile(readPart(part, layer, layerLink.what), addTile)
  end)
  local axis = reader.grid.axis
  for i, found in ipairs(founds) do
    local function nameOf(row, column)
      row = axis == "y" and 2 * row + i - 2 or row
      column = axis == "x" and 2 * column + i - 2 or column
      return ("%s, row %d, column %d"):format(layerLink.what, row, column)
    end
    for _, cells in ipairs(found) do
      addCalls(reader, cells, found.layout, nameOf)
    end
  end
end

-- Where the point at an object's coordinates is in its image, as parts of width and height.
local ALIGNMENTS = {
  topleft = { 0, 0 }, top = { 0.5, 0 }, topright = { 1, 0 }, left = { 0, 0.5 },
  center = { 0.5, 0.5 }, right = { 1, 0.5 }, bottomleft = { 0, 1 }, bottom = { 0.5, 1 },
  bottomright = { 1, 1 },
}

-- The stamp of an object that shows a tile and stands on the ground of an isometric map.
local function stampStanding(reader, at, object, frame)
  local options = settle(reader, at)
  if type(options) == "function" then
    return { shapes = {}, calls = { { options, frame[5], frame[6], 0, 0, object } } }
  elseif options then
    note(reader, at.what, "in an isometric map its picture has no place on the ground")
  end
  return NOTHING
end

-- The stamp of an object that shows a tile.
local function stampTileObject(reader, object, layerLink, m, what)
  local tile, tileset, flips = findTile(reader, object.gid, what)
  local frame, w, h = readPlace(m, object, what)
  if w <= 0 or h <= 0 then
    note(reader, what, "it has no area")
    return NOTHING
  end
  local at = link(layerLink, tile, tile.class or tile.type, what)
  local function seen(outer)
    return link(outer, object, object.class or object.type, what)
  end
  if m.isGround then
    return stampStanding(reader, seen(at), object, frame)
  end
  local image = imageOf(tile, tileset, flips, w, h, what)
  local align = ALIGNMENTS[tileset.objectalignment] or ALIGNMENTS.bottomleft
  frame = compose(frame, { 1, 0, 0, 1, -align[1] * w, -align[2] * h })
  image.frame = compose(frame, image.frame)
  return stampTile(reader, at, tile, tileset, image, object, seen)
end

local function readObject(reader, object, layer, layerLink, m)
  local what = ("object %s '%s' of %s"):format(tostring(object.id), tostring(object.name),
    layerLink.what)
  local stamp = { shapes = {}, calls = {} }
  if object.gid then
    stamp = stampTileObject(reader, object, layerLink, m, what)
  else
    local at = link(layerLink, object, object.class or object.type, what)
    addObject(reader, stamp, at, object, m, object)
  end
  for _, item in ipairs(stamp.shapes) do
    local function nameOf()
      return item.what
    end
    for _, kind in ipairs(attempt(reader, what, newKinds, item, ORIGIN) or NONE) do
      addCalls(reader, { kind = kind, 1, 1 }, ORIGIN, nameOf)
    end
  end
  addLater(reader, stamp, 0, 0, layer)
end

local function readObjects(reader, layer, layerLink, x, y)
  local m = { 1, 0, 0, 1, x, y, isGround = reader.grid.isGround }
  attemptEach(reader, layer, "objects", layerLink.what, readObject, layer, layerLink, m)
end

local function countVisit(reader, layer, what)
  local visits = (reader.visits[layer] or 0) + 1
  if visits > MOST_OFTEN then
    fail("%s: it is in the map more than %d times", what, MOST_OFTEN)
  end
  reader.visits[layer] = visits
end

local readLayers

local READ = {
  tilelayer = readTiles,
  objectgroup = readObjects,
  group = function(reader, group, at, x, y)
    readLayers(reader, group, at, x, y)
  end,
}

local function readLayer(reader, layer, outer, x, y)
  local what = ("layer '%s'"):format(tostring(layer.name))
  local at, read = link(outer, layer, layer.class, what), reader.read[layer.type]
  countVisit(reader, layer, what)
  local dx, dy = checkOffset(layer, "offsetx", what), checkOffset(layer, "offsety", what)
  if reader.grid.isGround then
    dx, dy = 0, 0 -- they move the picture
  end
  if read and (reader.read ~= READ or settle(reader, at)) then
    read(reader, layer, at, x + dx, y + dy)
  end
end

function readLayers(reader, owner, outer, x, y)
  attemptEach(reader, owner, "layers", outer and outer.what or "map", readLayer, outer, x, y)
end

-- Layers as Maps ----------------------------------------------------------------------------------

-- The numbers of the tiles of a layer, row by row; the number of rows; and how many cells the first
-- one is to the right and down.
local function readRows(reader, layer, what)
  local parts, left, top, right, bottom = {}, math.huge, math.huge, -math.huge, -math.huge
  attemptEach(reader, layer.chunks and layer or { chunks = { layer } }, "chunks", what,
    function(_, part)
      part = readPart(part, layer, what)
      if part.n > 0 then
        parts[#parts + 1] = part
        left, right = math.min(left, part.right), math.max(right, part.right + part.width)
        top, bottom = math.min(top, part.down), math.max(bottom, part.down + part.n / part.width)
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
    for i = 1, part.n, part.width do
      local line = lines[part.down - top + (i - 1) / part.width + 1]
      for column = 1, part.width do
        line[part.right - left + column] = part.data[i + column - 1]
      end
    end
  end
  return lines, bottom - top, left, top
end

-- Finds the tile for the sign of a cell. A name of the legend stands for a tile of that class.
local function findSign(reader, sign, what)
  if type(sign) ~= "string" then
    return findTile(reader, sign, what)
  elseif reader.legend[sign] == nil then
    fail("%s: the legend has no '%s'", what, sign)
  end
  return { class = sign },
    { name = "legend", tilewidth = reader.grid.w, tileheight = reader.grid.h }, 0
end

-- The kinds of the boxes of a tile or a name of the legend, and the call of its functions.
local function kindsOf(reader, sign, layer, layerLink, found)
  local kinds, isThere = {}, {}
  local stamp = sign ~= 0 and newStamp(reader, sign, layerLink, found) or { calls = {} }
  for _, cells in ipairs(stamp) do
    if not isThere[cells] then
      isThere[cells] = true
      table.insert(kinds, cells.kind)
    end
  end
  kinds.call = stamp.calls[1] and function(x, y)
    for _, call in ipairs(stamp.calls) do
      call[1](x + call[2], y + call[3], call[4], call[5], call[6], layer)
    end
  end
  return kinds
end

-- A function that returns the kinds of a sign, or nil and what is wrong with it.
local function newKindsOf(reader, layer, layerLink, layout)
  local found = reading.newCells()
  found.layout = layout
  return function(sign)
    local done, kinds = pcall(attempt, reader, layerLink.what, kindsOf, sign, layer, layerLink,
      found)
    if done then
      return kinds or {}
    end
    return nil, reading.blame(kinds, layerLink.what .. ": part of a map of Tiled's")
  end
end

-- Arguments ---------------------------------------------------------------------------------------

local function complaintOfRule(rule)
  return (rule.rect or rule.circle or rule.polygon)
    and "shapes come from Tiled: no rect, circle or polygon expected"
end

-- A list of texts, each once, and a function that adds one.
local function newList()
  local list, isThere = {}, {}
  return list, function(text)
    if not isThere[text] then
      isThere[text] = true
      table.insert(list, text)
    end
  end
end

local function newReader(map, options, read, find)
  local grid = newGrid(map)
  local reader = {
    read = read, -- functions, by the type of a layer
    find = find, -- the function that finds a tile
    legend = options.legend,
    thickness = options.thickness,
    tilesets = options.tilesets, -- tilesets in files of their own, as the game gives them
    sorted = sortTilesets(map),
    tiles = {}, -- by tileset, then by id
    visits = {}, -- how often each layer has been read
    isChecked = {}, -- by class: the legend has no similar name
    grid = grid,
    calls = {}, -- calls that insert boxes
    later = {}, -- calls of functions of the legend, after the boxes have been inserted
  }
  if options.onError then
    reader.told, reader.tell = newList() -- messages for onError about what is left out
  end
  readLayers(reader, map, nil, options.x, options.y)
  return reader
end

local function readMap(map, options)
  return newReader(map, options, READ, findTile)
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
  local reader = newReader(map, options, { group = READ.group,
    tilelayer = function(_, ...)
      local candidate = ...
      table.insert(names, ("'%s'"):format(tostring(candidate.name)))
      if not layer and (candidate == wanted or candidate.name == wanted) then
        layer, at, x, y = ...
      end
    end }, findSign)
  if not layer then
    error({ arg = 3, text = ("no %stile layer%s; there is %s"):format(isName and "" or "such ",
      isName and " " .. describe(wanted) or "", table.concat(names, ", ")) }, 0)
  end
  local grid = reader.grid
  if grid.axis then
    fail("a Map needs a grid: orthogonal or isometric map expected, got %s",
      describe(map.orientation))
  end
  local found = { told = reader.told, reader = reader }
  local right, down
  found.lines, found.rows, right, down = readRows(reader, layer, at.what)
  found.layout = { x = x + right * grid.w, y = y + down * grid.h, w = grid.w, h = grid.h }
  found.kindsOf = newKindsOf(reader, layer, at, found.layout)
  return found
end

local function newFormat(call, arg, read)
  return {
    module = tiled, call = call, arg = arg, read = read, own = OWN_OF_RULES,
    what = "map that Tiled has exported as Lua", complaintOfRule = complaintOfRule,
    options = {
      { "x", 0, "finite number" }, { "y", 0, "finite number" }, { "legend", NONE, "table" },
      { "tilesets", NONE, "table", "function" }, { "onError", false, "function" },
      { "thickness", false, "size > 0" },
    },
  }
end

local INSERT, NEW_MAP = newFormat("insert", 3, readMap), newFormat("newMap", 4, readLayerOf)

--- Inserts the boxes of a map into a 2D World, then calls the functions of the legend.
-- map: the table that Tiled has exported, as require, dofile or love.filesystem.load returns it.
-- opts: x, y (0): the corner of the map;
-- legend: what a class of an object, a tile or a layer stands for, or a name whose class is not in
-- it: true (solid), false (nothing), options, or a function f(x, y, w, h, thing, layer) for the
-- object or tile and its layer, in the box around it;
-- tilesets: those in files of their own, by the names of the files, or a function f(file,
-- exported) that returns one;
-- thickness: of the walls that polylines become, unless properties or the legend say otherwise;
-- onError(message): called for each shape, object, tile or layer that cannot become boxes and is
-- left out, when the others have been inserted. Without onError, the first such thing raises an
-- error. Also called for each object that makes no box, which is no error.
--
-- Returns the boxes (ids if results = "id") in insertion order, without those that functions have
-- inserted, and their number.
-- Raises an error that names what is wrong and where, with nothing changed. O(n log n) for n tiles
-- and objects.
function tiled.insert(world, map, opts)
  local boxes, n = reading.insert(world, map, opts, INSERT)
  return boxes, n
end

--- Inserts the boxes of one tile layer into a 2D World, calls the functions of the legend for its
-- tiles, and returns a Map, whose cells can be changed: see tiles.newMap.
-- layer: its name, or the layer itself. map, opts: as in tiled.insert. The sign of a cell is the
-- number of its tile, with flips, or 0. A cell can also be set to a name of the legend, and then is
-- what a tile of that class would be. Cells count from the first one of the layer, or of its
-- chunks. What cannot be a box when a cell is set is always an error. O(n) for n cells.
function tiled.newMap(world, map, layer, opts)
  local found, options = reading.read(world, map, opts, NEW_MAP, layer)
  local made, callFunctions = newMap(world, found.lines, found.rows, found.layout, found.kindsOf,
    function(text)
      arguments.refuse("newMap", 2, text)
    end)
  found.reader.told = nil
  reading.report(found, options)
  callFunctions()
  return made
end

return tiled
