-- broadside.tiled: maps in Tiled's format, made by hand, with expected results found by hand. `make
-- test-tiled` compares with pictures that Tiled draws.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local effort = require("spec.support.effort")
local expect = require("spec.support.expect")
local page = require("spec.support.page")
local tiled = require("broadside.tiled")
local asJson = require("spec.support.tiled_json")

local FLIP_X, FLIP_Y, FLIP_DIAGONAL = 2 ^ 31, 2 ^ 30, 2 ^ 29

local function newMap(layers, tiles)
  return {
    version = "1.10", luaversion = "5.1", tiledversion = "1.10.2", orientation = "orthogonal",
    width = 4, height = 3, tilewidth = 10, tileheight = 10, properties = {},
    tilesets = {
      { name = "tiles", firstgid = 1, tilewidth = 10, tileheight = 10, tiles = tiles or {} },
    },
    layers = layers,
  }
end

local function objects(...)
  return { type = "objectgroup", name = "things", offsetx = 0, offsety = 0, objects = { ... } }
end

local function object(shape, x, y, w, h, more)
  local thing = { id = 1, name = "", type = "", shape = shape, x = x, y = y, width = w, height = h,
    rotation = 0, visible = true, properties = {} }
  for name, value in pairs(more or {}) do
    thing[name] = value
  end
  return thing
end

local function polygon(x, y, corners, more)
  local points = {}
  for i = 1, #corners, 2 do
    table.insert(points, { x = corners[i], y = corners[i + 1] })
  end
  local thing = object("polygon", x, y, 0, 0, more)
  thing.polygon = points
  return thing
end

-- A tile of the tileset, with shapes as Tiled's collision editor writes them.
local function tile(id, more, ...)
  local result = { id = id, objectGroup = select("#", ...) > 0 and objects(...) or nil }
  for name, value in pairs(more) do
    result[name] = value
  end
  return result
end

-- A layer from rows of four tile numbers.
local function cells(...)
  return { type = "tilelayer", name = "ground", width = 4, height = select("#", ...) / 4,
    offsetx = 0, offsety = 0, properties = {}, encoding = "lua", data = { ... } }
end

-- The boxes of a map as lists of their shape and its numbers.
local function boxesOf(map, opts, world)
  local boxes, n = tiled.insert(world or broadside.newWorld(), map, opts)
  assert.equal(n, #boxes)
  local found = {}
  for i, box in ipairs(boxes) do
    local shape, a, b, c = box:getShape()
    if shape == "box" then
      found[i] = { shape, box:getRect() }
    elseif shape == "polygon" then
      found[i] = { shape, compat.unpack(a) }
    else
      found[i] = { shape, a, b, c }
    end
  end
  return found
end

-- Whether calls of a game's functions could tell how often a map is read.
local function hasFunctions(opts)
  local has = false
  for _, value in pairs(opts or {}) do
    has = has or type(value) == "function" or type(value) == "table" and hasFunctions(value)
  end
  return has
end

-- The same. The JSON of the map must have the same boxes.
local function list(map, opts, world)
  local found = boxesOf(map, opts, world)
  if not world and not hasFunctions(opts) then
    assert.same(found, boxesOf(asJson(map), opts))
  end
  return found
end

-- A polygon of n corners, of which every other one points inward.
local function round(n)
  local corners = {}
  for i = 1, n do
    local r, angle = i % 2 == 0 and 50 or 100, 2 * math.pi * i / n
    corners[2 * i - 1], corners[2 * i] = r * math.cos(angle), r * math.sin(angle)
  end
  return polygon(0, 0, corners)
end

local SOLID = { legend = { ground = true } }
local FULL = object("rectangle", 0, 0, 10, 10)

describe("broadside.tiled", function()
  describe("takes objects:", function()
    it("rectangles, circles and polygons where they are", function()
      assert.same({
        { "box", 1, 2, 3, 4 }, { "circle", 15, 25, 5 }, { "polygon", 5, 5, 9, 5, 5, 9 },
      }, list(newMap({ objects(object("rectangle", 1, 2, 3, 4), object("ellipse", 10, 20, 10, 10),
        polygon(5, 5, { 0, 0, 4, 0, 0, 4 })) })))
    end)

    it("none without an area", function()
      assert.same({}, list(newMap({ objects(object("point", 1, 2, 0, 0),
        object("rectangle", 1, 2, 0, 4), object("ellipse", 1, 2, 3, 0),
        object("text", 1, 2, 30, 9),
        object("polyline", 0, 0, 0, 0, { polyline = { { x = 0, y = 0 }, { x = 9, y = 9 } } })) })))
    end)

    local function path(x, y, corners, more)
      local thing = polygon(x, y, corners, more)
      thing.shape, thing.polyline, thing.polygon = "polyline", thing.polygon, nil
      return thing
    end

    it("polylines as walls of the option thickness, by the innermost that has it", function()
      local line = path(5, 10, { 0, 0, 30, 0, 30, 20 })
      local function wall(half)
        return {
          { "polygon", 5, 10 + half, 35 - half, 10 + half, 35 + half, 10 - half, 5, 10 - half },
          { "polygon", 35 - half, 10 + half, 35 - half, 30, 35 + half, 30, 35 + half, 10 - half } }
      end
      local layer = objects(line)
      local map = newMap({ layer })
      assert.same({}, list(map))
      assert.same(wall(2), list(map, { thickness = 4 }))
      line.type = "wall"
      assert.same(wall(1), list(map, { thickness = 4, legend = { wall = { thickness = 2 } } }))
      layer.properties = { thickness = 6 }
      assert.same(wall(3), list(map, { thickness = 4, legend = { wall = { thickness = 2 } } }))
      line.properties = { thickness = "8", layer = 4 }
      local world = broadside.newWorld()
      assert.same(wall(4), list(map, { thickness = 4 }, world))
      for box in world:boxes() do
        assert.same({ true, 4, line }, { box:isStatic(), (box:getFilter()), box:getData() })
      end
    end)

    it("polylines turned, moved, and of tiles", function()
      local line = path(20, 0, { 0, 0, 10, 0 }, { rotation = 90 })
      local layer = objects(line)
      layer.offsetx = 3
      local corners = list(newMap({ layer }), { thickness = 2, x = 100 })[1]
      for i, expected in ipairs({ 122, 0, 122, 10, 124, 10, 124, 0 }) do
        assert.near(expected, corners[i + 1], 1e-12)
      end
      assert.same({ { "polygon", 10, 6, 20, 6, 20, 4, 10, 4 } },
        list(newMap({ cells(0, 1, 0, 0) }, { tile(0, {}, path(0, 5, { 0, 0, 10, 0 })) }),
          { thickness = 2 }))
    end)

    it("turned about their own corner, by quarters exactly", function()
      local function turned(degrees)
        return list(newMap({ objects(object("rectangle", 10, 20, 3, 4,
          { rotation = degrees })) }))[1]
      end
      assert.same({ "box", 6, 20, 4, 3 }, turned(90))
      assert.same({ "box", 7, 16, 3, 4 }, turned(180))
      assert.same({ "box", 10, 17, 4, 3 }, turned(-90))
      assert.same({ "box", 10, 20, 3, 4 }, turned(360))
      local corners = turned(math.deg(math.atan(0.75))) -- a triangle with sides 3, 4 and 5
      for i, expected in ipairs({ 10, 20, 12.4, 21.8, 10, 25, 7.6, 23.2 }) do
        assert.near(expected, corners[i + 1], 1e-12)
      end
    end)

    it("ellipses as polygons of points on them", function()
      local corners = list(newMap({ objects(object("ellipse", 10, 20, 40, 20)) }))[1]
      assert.equal(33, #corners)
      for i = 2, 33, 2 do
        assert.near(1, ((corners[i] - 30) / 20) ^ 2 + ((corners[i + 1] - 30) / 10) ^ 2, 1e-12)
      end
    end)

    it("ellipses that are turned, too", function()
      local turned = object("ellipse", 10, 20, 40, 20, { rotation = math.deg(math.atan(0.75)) })
      local corners = list(newMap({ objects(turned) }))[1]
      -- By the sides 3, 4 and 5: the middle is 20 along and 10 down, which is at 16 - 6 and 12 + 8.
      for i = 2, 33, 2 do
        local x, y = corners[i] - 20, corners[i + 1] - 40
        assert.near(1, ((0.8 * x + 0.6 * y) / 20) ^ 2 + ((0.8 * y - 0.6 * x) / 10) ^ 2, 1e-12)
      end
    end)

    it("polygons that are not convex as several that are", function()
      local world = broadside.newWorld()
      local L = { 0, 0, 30, 0, 30, 10, 10, 10, 10, 30, 0, 30 }
      assert.equal(2, #list(newMap({ objects(polygon(5, 5, L)) }), nil, world))
      for x = 0, 40, 2 do
        for y = 0, 40, 2 do
          local isIn = x > 5 and y > 5 and (x < 35 and y < 15 or x < 15 and y < 35)
          -- Points on seams are strictly inside no piece.
          local isSeam = x == 15 or y == 15 or x == y
          if not isSeam then
            assert.equal(isIn, select(2, world:queryPoint(x, y)) > 0)
          end
        end
      end
    end)

    it("in groups and layers that are moved, and a map that is", function()
      local layer = objects(object("rectangle", 1, 2, 3, 4))
      layer.offsetx, layer.offsety = 100, -50
      local group = { type = "group", name = "g", offsetx = 1000, offsety = 0, layers = { layer } }
      assert.same({ { "box", 1108, -39, 3, 4 } }, list(newMap({ group }), { x = 7, y = 9 }))
      assert.same({}, list(newMap({ { type = "imagelayer", name = "sky" } })))
    end)

    it("as data of their boxes, static, unless a property says otherwise", function()
      local world = broadside.newWorld({ results = "box" })
      local a = object("rectangle", 0, 0, 5, 5)
      local b = object("rectangle", 9, 0, 5, 5, { properties = { data = "coin", static = false } })
      local boxes = tiled.insert(world, newMap({ objects(a, b) }))
      assert.equal(a, boxes[1]:getData())
      assert.equal("coin", boxes[2]:getData())
      assert.is_true(boxes[1]:isStatic())
      assert.is_false(boxes[2]:isStatic())
    end)
  end)

  describe("takes tiles:", function()
    it("whole ones where their layer, class or property says so, as few boxes", function()
      local ground = cells(1, 1, 2, 0, 1, 1, 1, 3)
      assert.same({}, list(newMap({ ground })))
      assert.same({ { "box", 0, 0, 30, 20 }, { "box", 30, 10, 10, 10 } },
        list(newMap({ ground }), SOLID))
      local tiles = { tile(1, { type = "rock" }), tile(2, { properties = { collidable = true } }) }
      assert.same({ { "box", 30, 10, 10, 10 } }, list(newMap({ ground }, tiles)))
      assert.same({ { "box", 20, 0, 10, 10 }, { "box", 30, 10, 10, 10 } },
        list(newMap({ ground }, tiles), { legend = { rock = true } }))
      tiles[1].type, tiles[1].class = nil, "rock" -- as Tiled 1.9 writes it
      assert.equal(2, #list(newMap({ ground }, tiles), { legend = { rock = true } }))
    end)

    it("with shapes of their own, which are merged where they fill the tile", function()
      local tiles = {
        tile(0, {}, FULL), tile(1, {}, object("rectangle", 0, 6, 10, 4)),
        tile(2, {}, polygon(0, 10, { 0, 0, 10, -10, 10, 0 })),
        tile(3, {}, object("ellipse", 2, 2, 6, 6), object("rectangle", 0, 9, 10, 1)),
      }
      assert.same({
        { "polygon", 0, 10, 10, 0, 10, 10 }, { "box", 10, 0, 20, 10 }, { "circle", 35, 5, 3 },
        { "box", 30, 9, 10, 1 }, { "box", 0, 16, 40, 4 },
      }, list(newMap({ cells(3, 1, 1, 4, 2, 2, 2, 2) }, tiles)))
    end)

    it("turned and mirrored", function()
      local tiles = { tile(0, {}, object("rectangle", 0, 0, 4, 3)) }
      local function flipped(flags)
        return list(newMap({ cells(1 + flags, 0, 0, 0) }, tiles))[1]
      end
      assert.same({ "box", 0, 0, 4, 3 }, flipped(0))
      assert.same({ "box", 6, 0, 4, 3 }, flipped(FLIP_X))
      assert.same({ "box", 0, 7, 4, 3 }, flipped(FLIP_Y))
      assert.same({ "box", 6, 7, 4, 3 }, flipped(FLIP_X + FLIP_Y))
      assert.same({ "box", 0, 0, 3, 4 }, flipped(FLIP_DIAGONAL))
      assert.same({ "box", 7, 0, 3, 4 }, flipped(FLIP_DIAGONAL + FLIP_X)) -- a quarter clockwise
      assert.same({ "box", 0, 6, 3, 4 }, flipped(FLIP_DIAGONAL + FLIP_Y)) -- counter-clockwise
      assert.same({ "box", 7, 6, 3, 4 }, flipped(FLIP_DIAGONAL + FLIP_X + FLIP_Y))
    end)

    -- The rectangle that a shape in an image of w by h becomes if the image is flipped (diagonally,
    -- left to right, top to bottom) and stands on the lower left corner of a cell. It is computed
    -- corner by corner.
    local function turnOver(x, y, w, h, isDiagonal, isFlippedX, isFlippedY, bottom)
      local corners = { { x, y }, { x + 5, y + 1 } }
      for _, corner in ipairs(corners) do
        if isDiagonal then
          corner[1], corner[2] = corner[2], corner[1]
        end
      end
      local wide, high = isDiagonal and h or w, isDiagonal and w or h
      for _, corner in ipairs(corners) do
        corner[1] = isFlippedX and wide - corner[1] or corner[1]
        corner[2] = (isFlippedY and high - corner[2] or corner[2]) + bottom - high
      end
      local a, b = corners[1], corners[2]
      return { "box", math.min(a[1], b[1]), math.min(a[2], b[2]), math.abs(a[1] - b[1]),
        math.abs(a[2] - b[2]) }
    end

    it("wider than high, turned and mirrored, with an offset", function()
      local map = newMap({ cells(0, 0, 0, 0, 0, 0, 0, 0) },
        { tile(0, {}, object("rectangle", 2, 3, 5, 1)) })
      map.tilesets[1].tilewidth, map.tilesets[1].tileheight = 16, 6
      map.tilesets[1].tileoffset = { x = 100, y = -30 }
      for flips = 0, 7 do
        local x, y, d = flips % 2 == 1, flips % 4 >= 2, flips >= 4
        map.layers[1].data[5] = 1 + (x and FLIP_X or 0) + (y and FLIP_Y or 0)
          + (d and FLIP_DIAGONAL or 0)
        local expected = turnOver(2, 3, 16, 6, d, x, y, 20)
        expected[2], expected[3] = expected[2] + 100, expected[3] - 30
        assert.same({ expected }, list(map))
      end
    end)

    it("drawn as large as the grid, stretched or as large as fits, with their offset", function()
      local map = newMap({ cells(1, 0, 0, 0) }, { tile(0, {}, object("rectangle", 1, 1, 2, 1)) })
      local tileset = map.tilesets[1]
      map.tilewidth, map.tileheight, tileset.tilerendersize = 20, 10, "grid"
      tileset.tileoffset = { x = 1, y = 3 }
      tileset.tilewidth, tileset.tileheight = 8, 5 -- 2.5 and 2 times as large
      assert.same({ { "box", 2.5 + 2.5, 2 + 6, 5, 2 } }, list(map))
      tileset.fillmode = "preserve-aspect-fit" -- twice: 16 by 10, in the middle
      assert.same({ { "box", 2 + 2 + 2, 2 + 6, 4, 2 } }, list(map))
      tileset.tilewidth, tileset.tileheight = 5, 1 -- four times: 20 by 4, in the middle
      assert.same({ { "box", 4 + 4, 4 + 3 + 12, 8, 4 } }, list(map))
    end)

    it("by the tileset with the highest first number, whatever their order", function()
      local map = newMap({ cells(1, 6, 0, 0) }, {})
      table.insert(map.tilesets, 1, { name = "more", firstgid = 5, tilewidth = 10,
        tileheight = 10, tiles = { tile(1, {}, FULL) } })
      assert.same({ { "box", 10, 0, 10, 10 } }, list(map))
    end)

    it("larger than the grid: they stand on the bottom of their cell", function()
      local map = newMap({ cells(0, 0, 0, 0, 1, 0, 0, 0) }, { tile(0, {},
        object("rectangle", 0, 0, 16, 24)) })
      map.tilesets[1].tilewidth, map.tilesets[1].tileheight = 16, 24
      assert.same({ { "box", 0, -4, 16, 24 } }, list(map))
      map.tilesets[1].tileoffset = { x = 3, y = -2 }
      assert.same({ { "box", 3, -6, 16, 24 } }, list(map))
      map.tilesets[1].tileoffset = nil
      map.tilesets[1].tilerendersize = "grid"
      assert.same({ { "box", 0, 10, 10, 10 } }, list(map))
    end)

    it("of the chunks of an infinite map, merged across their borders", function()
      local layer = { type = "tilelayer", name = "ground", encoding = "lua", chunks = {
        { x = -2, y = 0, width = 2, height = 1, data = { 1, 1 } },
        { x = 0, y = 0, width = 2, height = 1, data = { 1, 0 } },
      } }
      assert.same({ { "box", -20, 0, 30, 10 } }, list(newMap({ layer }), SOLID))
    end)

    it("of several tilesets", function()
      local map = newMap({ cells(1, 5, 6, 0) }, {})
      map.tilesets[2] = { name = "more", firstgid = 5, tilewidth = 10, tileheight = 10,
        tiles = { tile(1, {}, FULL) } }
      assert.same({ { "box", 20, 0, 10, 10 } }, list(map))
    end)

    it("as data of their boxes, if there is something to know of them", function()
      local known = tile(0, { properties = { damage = 3 } }, FULL)
      local tiles = { known, tile(1, { properties = { layer = 4 } }, FULL) }
      local boxes = tiled.insert(broadside.newWorld(), newMap({ cells(1, 1, 2, 2) }, tiles))
      assert.equal(2, #boxes)
      assert.equal(known, boxes[1]:getData())
      assert.is_nil(boxes[2]:getData())
      assert.equal(4, (boxes[2]:getFilter()))
      for _, name in ipairs({ "type", "class" }) do
        known = tile(0, { [name] = "rock" }, FULL)
        boxes = tiled.insert(broadside.newWorld(), newMap({ cells(1, 0, 0, 0) }, { known }))
        assert.equal(known, boxes[1]:getData())
      end
    end)

    it("shown by objects: at their lower left corner, scaled, turned, mirrored", function()
      local tiles = { tile(0, {}, object("rectangle", 0, 0, 4, 3)), tile(1, {}) }
      local function shown(gid, w, h, more)
        more = more or {}
        more.gid = gid
        return list(newMap({ objects(object("rectangle", 50, 40, w, h, more)) }, tiles))[1]
      end
      assert.same({ "box", 50, 30, 4, 3 }, shown(1, 10, 10))
      assert.same({ "box", 50, 20, 12, 6 }, shown(1, 30, 20))
      assert.same({ "box", 56, 30, 4, 3 }, shown(1 + FLIP_X, 10, 10))
      assert.same({ "box", 50 + 30 - 12, 20, 12, 6 }, shown(1 + FLIP_X, 30, 20))
      assert.same({ "box", 50, 40 - 6, 12, 6 }, shown(1 + FLIP_Y, 30, 20))
      -- A quarter turn clockwise about the lower left corner: what was above the corner is now to
      -- its right.
      assert.same({ "box", 57, 40, 3, 4 }, shown(1, 10, 10, { rotation = 90 }))
      assert.is_nil(shown(2, 10, 10))
      assert.same({ "box", 50, 30, 10, 10 },
        shown(2, 10, 10, { properties = { collidable = true } }))
    end)

    it("shown by objects, with an offset that is scaled as they are", function()
      local map = newMap({ objects(object("rectangle", 50, 40, 30, 20, { gid = 1 })) },
        { tile(0, {}, object("rectangle", 0, 0, 4, 3)) })
      map.tilesets[1].tileoffset = { x = 1, y = -4 }
      assert.same({ { "box", 50 + 3, 20 - 8, 12, 6 } }, list(map))
    end)

    it("shown by objects, aligned as the tileset says", function()
      local map = newMap({ objects(object("rectangle", 50, 40, 10, 10, { gid = 1 })) },
        { tile(0, {}, FULL) })
      for align, expected in pairs({
        topleft = { 50, 40 }, center = { 45, 35 }, bottomright = { 40, 30 }, top = { 45, 40 },
        unspecified = { 50, 30 },
      }) do
        map.tilesets[1].objectalignment = align
        assert.same({ { "box", expected[1], expected[2], 10, 10 } }, list(map))
      end
    end)
  end)

  describe("reads properties as options:", function()
    local function only(map, opts)
      local boxes, n = tiled.insert(broadside.newWorld(), map, opts)
      assert.equal(1, n)
      return boxes[1]
    end

    it("the innermost thing first, the legend last", function()
      local shape = object("rectangle", 0, 0, 10, 10, { properties = { layer = 2 } })
      local ground = cells(1, 0, 0, 0)
      ground.properties = { layer = 8, mask = 16, vx = 3 }
      local map = newMap({ ground }, {
        tile(0, { type = "rock", properties = { layer = 4, mask = 7 } }, shape),
      })
      local box = only(map, { legend = { rock = { mask = 1, bounce = 0.5, ax = 2 } } })
      assert.same({ 2, 7 }, { box:getFilter() })
      assert.equal(3, (box:getVelocity()))
      assert.equal(2, (box:getAcceleration()))
    end)

    it("of an object that shows a tile before those of the tile", function()
      local map = newMap({ objects(object("rectangle", 0, 10, 10, 10,
        { gid = 1, properties = { layer = 2 } })) },
        { tile(0, { properties = { layer = 4, mask = 8 } }, FULL) })
      assert.same({ 2, 8 }, { only(map):getFilter() })
    end)

    it("a string that reads as a number as that number", function()
      local thing = object("rectangle", 0, 0, 9, 9,
        { properties = { friction = "1.00", vx = "-2" } })
      local box = only(newMap({ objects(thing) }))
      assert.same({ 1, -2 }, { box:getFriction(), (box:getVelocity()) })
    end)

    it("oneWay as the side that is solid", function()
      for side, normal in pairs({ up = { 0, -1 }, down = { 0, 1 }, left = { -1, 0 },
        right = { 1, 0 }, [true] = { 0, -1 } }) do
        local thing = object("rectangle", 0, 0, 9, 9, { properties = { oneWay = side } })
        assert.same(normal, { only(newMap({ objects(thing) })):getOneWay() })
      end
      local thing = object("rectangle", 0, 0, 9, 9, { properties = { oneWay = false } })
      assert.is_nil(only(newMap({ objects(thing) })):getOneWay())
      assert.same({ 1, 0 }, { only(newMap({ objects(object("rectangle", 0, 0, 9, 9)) }),
        { legend = { things = { oneWay = { 1, 0 } } } }):getOneWay() })
    end)

    it("sensor and gravityScale, of the thing or of the legend", function()
      local properties = { sensor = true, gravityScale = 0.5 }
      for _, case in ipairs({ { { properties = properties } }, { {}, { things = properties } } }) do
        local thing = object("rectangle", 0, 0, 9, 9, case[1])
        local box = only(newMap({ objects(thing) }), { legend = case[2] })
        assert.is_true(box:isSensor())
        assert.equal(0.5, box:getGravityScale())
      end
    end)

    it("collidable = false: nothing comes of it, nor of what is in it", function()
      local off = { collidable = false }
      local thing = object("rectangle", 0, 0, 9, 9)
      local layer = objects(thing)
      layer.properties = off
      assert.same({}, list(newMap({ layer }), { legend = { things = true } }))
      layer.properties, thing.properties = {}, off
      assert.same({}, list(newMap({ layer })))
      assert.same({}, list(newMap({ cells(1, 1, 0, 0) }, { tile(0, { properties = off }) }), SOLID))
    end)

    -- As STI's bump_init: a layer, a tile, a shape of a tile or an object says so itself.
    it("collidable = true, with the option collidable: nothing comes of the others", function()
      local ONLY, on = { collidable = true }, { collidable = true }
      local thing, other = object("rectangle", 0, 0, 9, 9), object("rectangle", 20, 0, 9, 9)
      local layer = objects(thing, other)
      local map = newMap({ layer })
      assert.same({}, list(map, ONLY))
      assert.equal(2, #list(map))
      thing.properties = on
      assert.same({ { "box", 0, 0, 9, 9 } }, list(map, ONLY))
      layer.properties, other.properties = on, { collidable = false }
      assert.same({ { "box", 0, 0, 9, 9 } }, list(map, ONLY))
      local group = { type = "group", name = "all", layers = { objects(other) }, properties = on }
      other.properties = {}
      assert.same({ { "box", 20, 0, 9, 9 } }, list(newMap({ group }), ONLY))
      group.properties, other.properties = {}, { collidable = "true" }
      assert.same({ { "box", 20, 0, 9, 9 } }, list(newMap({ group }), ONLY))
      group.properties = { collidable = "false" }
      assert.same({}, list(newMap({ group }), ONLY))

      local function tiles(ofLayer, ofTile, ofShape)
        local ground = cells(1, 2, 0, 0)
        ground.properties = ofLayer
        return list(newMap({ ground }, { tile(0, { properties = ofTile }),
          tile(1, { properties = {} }, object("rectangle", 2, 0, 5, 5, { properties = ofShape }),
            object("rectangle", 8, 0, 1, 1)) }), ONLY)
      end
      assert.same({}, tiles({}, {}, {}))
      assert.same({ { "box", 0, 0, 10, 10 } }, tiles({}, on, {}))
      assert.same({ { "box", 12, 0, 5, 5 } }, tiles({}, {}, on))
      assert.same({ { "box", 0, 0, 10, 10 }, { "box", 12, 0, 5, 5 }, { "box", 18, 0, 1, 1 } },
        tiles(on, {}, {}))
    end)

    it("with the option collidable, the legend counts as well, and onError tells less", function()
      local shown = object("rectangle", 0, 10, 10, 10, { gid = 1 })
      local coin = object("rectangle", 20, 0, 9, 9, { type = "coin" })
      local start = object("point", 5, 5, 0, 0, { type = "start" })
      local map, told, x = newMap({ objects(shown, coin, start) }, { tile(0, {}) }), {}, nil
      local world = broadside.newWorld()
      local boxes = boxesOf(map, { collidable = true, onError = function(text)
        table.insert(told, text)
      end, legend = { coin = { layer = 2 }, start = function(atX) x = atX end } }, world)
      assert.same({ { "box", 20, 0, 9, 9 } }, boxes)
      assert.same({ {}, 5 }, { told, x })
    end)

    it("collidable = true, with that option, in a layer that can be changed", function()
      local map = newMap({ cells(1, 2, 0, 0) },
        { tile(0, { properties = { collidable = true } }), tile(1, {}, FULL) })
      local world = broadside.newWorld()
      local changing = tiled.newMap(world, map, "ground", { collidable = true })
      assert.equal(1, world:count())
      changing:set(3, 1, 2)
      assert.equal(1, world:count())
      changing:set(4, 1, 1)
      assert.equal(2, world:count())
    end)

    it("merge = false: each tile is a box", function()
      local map = newMap({ cells(1, 1, 1, 1) }, { tile(0, { properties = { merge = false } }) })
      assert.equal(4, #list(map, SOLID))
    end)

    it("and no others", function()
      local thing = object("rectangle", 0, 0, 9, 9, { properties = { rect = 5, colour = "red" } })
      assert.same({ { "box", 0, 0, 9, 9 } }, list(newMap({ objects(thing) })))
    end)
  end)

  describe("asks the legend", function()
    it("for classes before names, and for what is innermost", function()
      local coin = object("rectangle", 0, 0, 9, 9, { type = "coin", name = "first" })
      local boxes = tiled.insert(broadside.newWorld(), newMap({ objects(coin) }), { legend = {
        things = { layer = 1 }, coin = { layer = 2 }, first = { layer = 4 },
      } })
      assert.equal(2, (boxes[1]:getFilter()))
      boxes = tiled.insert(broadside.newWorld(), newMap({ objects(coin) }), { legend = {
        things = { layer = 1 }, first = { layer = 4 },
      } })
      assert.equal(4, (boxes[1]:getFilter()))
    end)

    it("what is false is nothing", function()
      local things = objects(object("rectangle", 0, 0, 9, 9, { name = "a" }),
        object("rectangle", 20, 0, 9, 9))
      assert.same({ { "box", 20, 0, 9, 9 } },
        list(newMap({ things }), { legend = { a = false } }))
      assert.same({}, list(newMap({ things }), { legend = { things = false } }))
    end)

    it("for functions, which are called with bounds, in order, when all boxes are there", function()
      local calls, world = {}, broadside.newWorld()
      local function note(...)
        table.insert(calls, { world:count(), ... })
      end
      local spawn = object("point", 5, 6, 0, 0, { type = "spawn" })
      local zone = object("rectangle", 10, 0, 10, 5, { type = "spawn", rotation = 90 })
      local way = object("polyline", 1, 1, 0, 0,
        { type = "spawn", polyline = { { x = 0, y = 5 }, { x = -2, y = 0 } } })
      local things, ground = objects(spawn, zone, way), cells(0, 2, 0, 0)
      things.offsetx = 100
      local enemy = tile(1, { type = "enemy" })
      local _, n = tiled.insert(world, newMap({ ground, things,
        objects(object("rectangle", 0, 0, 1, 1)) }, { enemy }),
        { x = 1000, legend = { spawn = note, enemy = note } })
      assert.equal(1, n)
      assert.same({
        { 1, 1010, 0, 10, 10, enemy, ground }, { 1, 1105, 6, 0, 0, spawn, things },
        { 1, 1105, 0, 5, 10, zone, things }, { 1, 1099, 1, 2, 5, way, things },
      }, calls)
    end)

    it("for functions of tiles in cells that are not square", function()
      local calls = {}
      local map = newMap({ cells(0, 0, 0, 0, 0, 0, 1, 0) }, { tile(0, { type = "enemy" }) })
      map.tileheight = 30
      tiled.insert(broadside.newWorld(), map, { legend = { enemy = function(x, y, w, h)
        table.insert(calls, { x, y, w, h })
      end } })
      assert.same({ { 20, 50, 10, 10 } }, calls) -- at the bottom of its cell
    end)

    it("passes on what a function raises", function()
      local world = broadside.newWorld()
      assert.has_error(function()
        tiled.insert(world, newMap({ cells(1, 0, 0, 0), objects(object("point", 0, 0, 0, 0)) }),
          { legend = { ground = true, things = function()
            error("no room", 0)
          end } })
      end, "no room")
      assert.equal(1, world:count())
    end)
  end)

  it("gives ids where results = 'id'", function()
    local world = broadside.newWorld({ results = "id" })
    local ids, n = tiled.insert(world, newMap({ cells(1, 0, 1, 0),
      objects(object("ellipse", 0, 0, 9, 9)) }), SOLID)
    assert.equal(3, n)
    for _, id in ipairs(ids) do
      assert.is_true(world:has(id))
    end
  end)

  describe("reads what Tiled exports as JSON:", function()
    -- The spec of a slope: a tile with a shape, as a JSON library decodes it.
    local function newJson(objectsOfLayer, more)
      local slope = { id = 1, x = 0, y = 10, width = 0, height = 0, rotation = 0, name = "",
        polygon = { { x = 0, y = 0 }, { x = 10, y = -10 }, { x = 10, y = 0 } } }
      local map = { type = "map", orientation = "orthogonal", tilewidth = 10, tileheight = 10,
        tilesets = { { name = "tiles", firstgid = 1, tilewidth = 10, tileheight = 10, tiles = {
          { id = 1, objectgroup = { type = "objectgroup", objects = { slope } } } } } },
        layers = { { type = "tilelayer", name = "ground", width = 2, height = 1, data = { 1, 2 } },
          { type = "objectgroup", name = "things", objects = objectsOfLayer } } }
      for name, value in pairs(more or {}) do
        map[name] = value
      end
      return map
    end
    local function thing(more)
      local result = { id = 7, name = "", type = "", rotation = 0, x = 1, y = 2, width = 3,
        height = 4 }
      for name, value in pairs(more) do
        result[name] = value
      end
      return result
    end

    it("a slope is a slope, and what is not named is a rectangle", function()
      assert.same({ { "box", 0, 0, 10, 10 }, { "polygon", 10, 10, 20, 0, 20, 10 },
        { "box", 1, 2, 3, 4 }, { "circle", 3, 4, 2 } },
        list(newJson({ thing({}), thing({ ellipse = true, width = 4 }), thing({ point = true }),
          thing({ text = { text = "hi" } }) }), SOLID))
    end)

    it("properties are options, and things stay what they are", function()
      local world, called = broadside.newWorld(), nil
      local crate = thing({ properties = { { name = "friction", type = "float", value = 0.5 },
        { name = "oneWay", type = "string", value = "up" } } })
      local door = thing({ type = "door" })
      local map = newJson({ crate, door })
      local boxes, n = tiled.insert(world, map, { legend = { door = function(...)
        called = { ... }
      end } })
      assert.equal(2, n) -- the slope, too
      assert.equal(crate, boxes[2]:getData())
      assert.equal(0.5, boxes[2]:getFriction())
      assert.same({ 0, -1 }, { boxes[2]:getOneWay() })
      assert.same({ 1, 2, 3, 4, door, map.layers[2] }, called)
    end)

    local function refuses(map, message)
      local world = broadside.newWorld()
      assert.has_error(function()
        tiled.insert(world, map)
      end, "bad argument #2 to 'insert' (" .. message .. ")")
      assert.equal(0, world:count())
    end

    it("but no templates, files that are not at hand, and maps of before 1.2", function()
      refuses(newJson({ { id = 7, name = "crate", template = "box.tx", x = 1, y = 2 } }),
        "object 7 'crate' of layer 'things': it is an instance of the template 'box.tx': export "
          .. "the map again with 'Detach templates' in Tiled's preferences for exports (command "
          .. "line: --detach-templates)")
      refuses(newJson({}, { tilesets = { { firstgid = 1, source = "../out.tsj" } } }),
        "layer 'ground': the tileset '../out.tsj' is in a file of its own: export it from Tiled "
          .. "as JSON, too, and hand it in: tilesets = { ['../out.tsj'] = what your JSON library "
          .. "makes of it }; or export the map again with 'Embed tilesets' in Tiled's preferences "
          .. "for exports (command line: --embed-tilesets); or make the layer false in the "
          .. "legend, if nothing of it is solid")
      refuses(newJson({}, { tilesets = { { name = "old", firstgid = 1, tilewidth = 10,
        tileheight = 10, tiles = { ["1"] = { objectgroup = {} } } } } }),
        "layer 'ground': list expected as 'tiles' of the tileset 'old': export the map with Tiled "
          .. "1.2 or later")
      refuses(newJson({ thing({ capsule = true }) }),
        "object 7 '' of layer 'things': unknown shape 'capsule'")
      refuses(newJson({ thing({ properties = { 7 } }) }),
        "'properties' of object 7 '' of layer 'things': table expected as '1', got 7")
    end)
  end)

  describe("takes tilesets in files of their own:", function()
    local function external(data, ...)
      local map = newMap({ cells(compat.unpack(data)), ... })
      map.tilesets = {
        { name = "plain", firstgid = 1, tilewidth = 10, tileheight = 10, tiles = {} },
        { name = "rocks", firstgid = 5, filename = "../art/rocks.tsx",
          exportfilename = "rocks.lua" },
      }
      return map
    end
    local function newRocks()
      return { version = "1.10", luaversion = "5.1", name = "rocks", tilewidth = 10,
        tileheight = 10, tiles = { tile(1, {}, object("rectangle", 0, 6, 10, 4)) } }
    end
    local LEDGE = { { "box", 10, 6, 10, 4 } }

    it("by the name in the map, that of the export, or that without folders", function()
      for _, name in ipairs({ "../art/rocks.tsx", "rocks.lua", "rocks.tsx" }) do
        assert.same(LEDGE, list(external({ 0, 6, 5, 1 }), { tilesets = { [name] = newRocks() } }))
      end
      assert.same({ { "box", 10, 6, 10, 4 }, { "box", 20, 0, 10, 10 } },
        list(external({ 0, 6, 5, 0 }), { tilesets = { ["rocks.tsx"] = newRocks() },
          legend = { ground = true } }))
    end)

    it("by a function, called once with both names", function()
      local calls, rocks = {}, newRocks()
      local map = external({ 0, 6, 5, 8 }, cells(6, 5, 5, 0))
      map.layers[2].properties = { collidable = false }
      assert.same(LEDGE, list(map, { tilesets = function(...)
        table.insert(calls, { ... })
        return rocks
      end }))
      assert.same({ { "../art/rocks.tsx", "rocks.lua" } }, calls)
    end)

    it("not at all where no layer needs them", function()
      local map = external({ 0, 1, 1, 0 }, cells(5, 6, 0, 0), { type = "imagelayer", name = "sky" },
        objects(object("rectangle", 0, 20, 5, 5)))
      map.layers[2].name = "plants"
      assert.same({ { "box", 10, 0, 20, 10 }, { "box", 0, 20, 5, 5 } },
        list(map, { legend = { ground = true, plants = false }, tilesets = error }))
    end)

    it("and ignores their firstgid, without changing it", function()
      local rocks = newRocks()
      rocks.firstgid = 77
      assert.same(LEDGE, list(external({ 0, 6, 0, 0 }), { tilesets = { ["rocks.tsx"] = rocks } }))
      assert.equal(77, rocks.firstgid)
    end)

    it("and passes on what the function raises, with nothing changed", function()
      local world, problem = broadside.newWorld(), {}
      local map = external({ 6, 0, 0, 0 })
      table.insert(map.layers, 1, objects(FULL))
      for _, onError in ipairs({ false, print }) do
        local done, got = pcall(tiled.insert, world, map, { tilesets = function()
          error(problem)
        end, onError = onError or nil })
        assert.is_false(done)
        assert.equal(problem, got)
        assert.equal(0, world:count())
      end
    end)
  end)

  describe("takes tiles in base64:", function()
    local DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

    -- Encodes four bytes for each tile, with the lowest first, and six bits for each digit.
    local function encode(gids)
      local bits = {}
      for _, gid in ipairs(gids) do
        for byte = 0, 3 do
          local value = math.floor(gid / 256 ^ byte) % 256
          for bit = 7, 0, -1 do
            table.insert(bits, math.floor(value / 2 ^ bit) % 2)
          end
        end
      end
      local text = {}
      for i = 1, #bits, 6 do
        local digit = 0
        for j = i, i + 5 do
          digit = 2 * digit + (bits[j] or 0)
        end
        table.insert(text, DIGITS:sub(digit + 1, digit + 1))
      end
      return table.concat(text) .. ("="):rep(-#text % 4)
    end

    it("as they are in a list, also turned ones, and in chunks", function()
      local tiles = { tile(0, {}, object("rectangle", 0, 0, 4, 3)), tile(1, {}, FULL) }
      for n = 1, 6 do
        local gids = {}
        for i = 1, 4 * n do
          gids[i] = i % 3 > 0 and i % 3 + i % 8 * FLIP_DIAGONAL or 0
        end
        local plain, coded = cells(compat.unpack(gids)), cells(compat.unpack(gids))
        coded.encoding, coded.data, coded.compression = "base64", encode(gids), n > 3 and "" or nil
        local expected = list(newMap({ plain }, tiles))
        assert.same(expected, list(newMap({ coded }, tiles)))
        assert.is_true(#expected > 0)
        coded.chunks = { { x = 0, y = 0, width = 4, height = n, data = " " .. coded.data .. "\n" } }
        assert.same(expected, list(newMap({ coded }, tiles)))
      end
    end)

    it("only where the layer is read", function()
      local sky = cells(1, 1, 1, 1)
      sky.name, sky.encoding, sky.compression, sky.data = "sky", "base64", "zstd", "KLUv"
      assert.same({ { "box", 0, 0, 5, 5 } }, list(newMap({ sky,
        objects(object("rectangle", 0, 0, 5, 5)) }), { legend = { sky = false } }))
    end)
  end)

  describe("with onError tells what cannot be a box, and leaves out that alone:", function()
    -- Checks the messages. The boxes that remain must be those of the same map without the bad
    -- parts.
    local function check(messages, remains, map, opts)
      local told, world = {}, broadside.newWorld()
      opts = opts or {}
      function opts.onError(message)
        assert.equal(#remains, world:count()) -- the boxes are still inserted
        table.insert(told, message)
      end
      assert.same(remains, list(map, opts, world))
      assert.same(messages, told)
      opts.onError = nil
      world:clear()
      local done, got = pcall(tiled.insert, world, map, opts)
      assert.is_false(done) -- without the function, the first message is raised as an error
      assert.truthy(got:find(messages[1], 1, true), got)
      assert.equal(0, world:count())
    end
    local BOX, KEPT = object("rectangle", 50, 50, 5, 5), { "box", 50, 50, 5, 5 }
    local TWICE = "polygon with an area that does not cross itself expected"

    it("objects: one traced twice, one with a bad option, one without a finite size", function()
      local triangle = { 0, 0, 9, 0, 9, 9, 0, 0, 9, 0, 9, 9 }
      check({
        "object 7 'door' of layer 'things': " .. TWICE,
        "object 8 '' of layer 'things': option 'layer': 32-bit integer expected, got string",
        "object 9 '' of layer 'things': finite sides expected, got inf",
      }, { KEPT, KEPT }, newMap({ objects(polygon(0, 0, triangle, { id = 7, name = "door" }), BOX,
        object("rectangle", 0, 0, 1, 1, { id = 8, properties = { layer = "front" } }),
        object("rectangle", 1e308, 0, 1e308, 1, { id = 9 }), BOX) }))
    end)

    it("shapes of tiles, once for all cells, and not the others of the tile", function()
      local bowtie = polygon(0, 0, { 0, 0, 9, 9, 9, 0, 0, 9 }, { id = 3 })
      check({ "shape 3 of tile 0 of 'tiles' in layer 'ground': " .. TWICE },
        { { "box", 0, 0, 2, 2 }, { "box", 10, 0, 2, 2 } },
        newMap({ cells(1, 1, 0, 0) }, { tile(0, {}, bowtie, object("rectangle", 0, 0, 2, 2)) }))
    end)

    it("tiles whose tileset is not at hand, once for each layer; others stay", function()
      local map = newMap({ cells(1, 5, 6, 7), cells(0, 0, 0, 1) }, { tile(0, {}, FULL) })
      map.tilesets[2] = { firstgid = 5, filename = "out.tsx" }
      local told = {}
      assert.same({ { "box", 0, 0, 10, 10 }, { "box", 30, 0, 10, 10 } }, list(map, {
        onError = function(message) table.insert(told, message) end,
      }))
      assert.equal(1, #told)
      assert.truthy(told[1]:find("^layer 'ground': the tileset 'out.tsx' is in a file"), told[1])
    end)

    it("numbers that are no tiles", function()
      check({ "layer 'ground': number of a tile expected, got -1",
        "layer 'ground': number of a tile expected, got nan" },
        { { "box", 0, 0, 10, 10 }, { "box", 30, 0, 10, 10 } },
        newMap({ cells(1, -1, compat.nan, 1) }, { tile(0, {}, FULL) }))
    end)

    it("layers whose tiles cannot be read, chunks, groups", function()
      local short, packed = cells(1, 1, 0, 0), cells(1, 1, 0, 0)
      short.name, short.width = "short", 5
      packed.name, packed.data, packed.encoding, packed.compression = "packed", "H", "base64",
        "gzip"
      local chunky = { type = "tilelayer", name = "chunky", chunks = {
        { x = 0, y = 0, width = 1, height = 1, data = {} },
        { x = 1, y = 0, width = 1, height = 1, data = { 1 } },
      } }
      local group = { type = "group", name = "g", layers = 7 }
      check({
        "layer 'short': 5 tiles expected, got 4",
        "layer 'packed': its tiles are compressed (gzip): set the 'Tile Layer Format' of the map "
          .. "to CSV or 'Base64 (uncompressed)' in Tiled, and export again",
        "layer 'chunky': 1 tiles expected, got 0",
        "layer 'g': table expected as 'layers', got 7",
      }, { { "box", 10, 0, 10, 10 }, KEPT },
        newMap({ short, packed, chunky, group, objects(BOX) }, { tile(0, {}, FULL) }))
    end)

    it("cells without a finite place", function()
      local map = newMap({ cells(1, 2, 1, 2) }, { tile(0, {}, FULL),
        tile(1, {}, object("ellipse", 0, 0, 5, 5)) })
      map.tilewidth = 1e308
      check({ "layer 'ground', row 1, column 3: finite sides expected, got inf",
        "layer 'ground', row 1, column 4: finite number expected, got inf" },
        { { "box", 0, 0, 10, 10 }, { "circle", 1e308, 2.5, 2.5 } }, map)
    end)

    it("objects that are none", function()
      check({ "'objects' of layer 'things': table expected as '1', got 7" }, { KEPT },
        newMap({ objects(7, BOX) }))
    end)

    it("objects of a shape that is not known", function()
      check({ "object 1 'pill' of layer 'things': unknown shape 'capsule'" }, { KEPT },
        newMap({ objects(object("capsule", 0, 0, 5, 9, { name = "pill" }), BOX) }))
    end)

    it("objects that make nothing, also where they are no error without onError", function()
      local line = object("polyline", 0, 0, 0, 0,
        { polyline = { { x = 0, y = 0 }, { x = 9, y = 9 } } })
      local dot = object("polyline", 0, 0, 0, 0, { id = 6, properties = { thickness = 2 },
        polyline = { { x = 3, y = 0 }, { x = 3, y = 0 } } })
      local told = {}
      local map = newMap({ objects(line, object("point", 1, 2, 0, 0, { id = 2, name = "start" }),
        object("text", 1, 2, 30, 9, { id = 3 }), object("rectangle", 1, 2, 0, 4, { id = 4 }),
        object("rectangle", 1, 20, 10, 10, { id = 5, gid = 2 }), dot, BOX), cells(1, 1, 0, 0) },
        { tile(0, {}, object("point", 1, 1, 0, 0, { id = 9 })), tile(1, {}) })
      local opts = { onError = function(message) table.insert(told, message) end }
      assert.same({ KEPT }, list(map, opts))
      assert.same({
        "object 1 '' of layer 'things': no box: a polyline needs the option 'thickness'",
        "object 2 'start' of layer 'things': no box: a point has no area",
        "object 3 '' of layer 'things': no box: a text has no area",
        "object 4 '' of layer 'things': no box: it has no area",
        "object 5 '' of layer 'things': no box: its tile has no shape, and is not collidable",
        "object 6 '' of layer 'things': no box: it has no area",
        "shape 9 of tile 0 of 'tiles' in layer 'ground': no box: a point has no area",
      }, told)
      assert.same({ KEPT }, list(map))
      told = {} -- what is meant to make nothing is not told
      opts.legend = { things = false, ground = type }
      assert.same({}, list(map, opts))
      line.properties.collidable = false
      map.layers[1].objects = { line, object("point", 0, 0, 0, 0, { type = "start" }) }
      opts.legend = { start = type, ground = false }
      assert.same({}, list(map, opts))
      assert.same({}, told)
    end)

    it("polylines whose thickness is no size", function()
      local line = object("polyline", 0, 0, 0, 0, { properties = { thickness = "thick" },
        polyline = { { x = 0, y = 0 }, { x = 9, y = 9 } } })
      check({ "object 1 '' of layer 'things': option 'thickness': size > 0 expected, got 'thick'" },
        { KEPT }, newMap({ objects(line, BOX) }))
      line.properties.thickness = -1
      check({ "object 1 '' of layer 'things': option 'thickness': size > 0 expected, got -1" },
        { KEPT }, newMap({ objects(line, BOX) }))
      for _, value in ipairs({ 0, -1, compat.huge, "4" }) do
        expect.badArgument(3, "insert", "option 'thickness': size > 0 expected", tiled.insert,
          broadside.newWorld(), newMap({}), { thickness = value })
      end
    end)

    it("classes that the legend spells in another way", function()
      local function things(...)
        local layer = objects(BOX)
        for i, class in ipairs({ ... }) do
          layer.objects[i + 1] = object("rectangle", 0, 0, 5, 5, { id = i, type = class })
        end
        return newMap({ layer })
      end
      local function message(i, class, name)
        return ("object %d '' of layer 'things': the legend has no class '%s'; is '%s' meant? If "
          .. "not, add it to the legend"):format(i, class, name)
      end
      local legend = { coin = true, spawnPoint = false, door1 = { layer = 2 } }
      check({ message(1, "cion", "coin"), message(2, "Coin", "coin"), message(3, "coim", "coin"),
        message(4, "coinn", "coin"), message(5, "spawn_point", "spawnPoint"),
        message(6, "spawnpoint", "spawnPoint"), message(7, "dor1", "door1") }, { KEPT },
        things("cion", "Coin", "coim", "coinn", "spawn_point", "spawnpoint", "dor1"),
        { legend = legend })
      local other = { "coins", "door2", "loin", "coi", "corner", "wall", "con1" }
      assert.equal(8, #list(things(compat.unpack(other)), { legend = legend }))
      legend.cion, legend.Coin = true, true
      assert.equal(3, #list(things("cion", "Coin"), { legend = legend }))
    end)

    it("layers in groups that go too deep", function()
      local inner = objects(BOX)
      for i = 1, 120 do
        inner = { type = "group", name = "g" .. i, layers = { objects(FULL), inner } }
      end
      local told = {}
      assert.equal(98, #list(newMap({ inner }), { onError = function(message)
        table.insert(told, message)
      end }))
      assert.same({ "object 1 '' of layer 'things': it is in more than 100 groups",
        "layer 'things': it is in more than 100 groups",
        "layer 'g20': it is in more than 100 groups" }, told)
    end)

    it("but raises what is wrong with the whole map, and tells nothing then", function()
      for _, change in ipairs({ { "tilewidth", 0 }, { "layers", 7 }, { "tilesets", { {} } } }) do
        local map, told = newMap({ objects(object("rectangle", 0, 0, 1, compat.nan)) }), 0
        map[change[1]] = change[2]
        assert.is_false(pcall(tiled.insert, broadside.newWorld(), map, { onError = function()
          told = told + 1
        end }))
        assert.equal(0, told)
      end
    end)

    it("and passes on what onError raises, when the boxes are there", function()
      local world, problem = broadside.newWorld(), {}
      local done, got = pcall(tiled.insert, world,
        newMap({ objects(object("rectangle", 0, 0, 1, compat.nan), FULL) }), { onError = function()
          error(problem)
        end })
      assert.is_false(done)
      assert.equal(problem, got)
      assert.equal(1, world:count())
    end)
  end)

  describe("says what is wrong and where, and changes nothing:", function()
    local world = broadside.newWorld()
    local function noMap(change, message)
      local map = newMap({ cells(1, 0, 0, 0), objects(object("rectangle", 0, 0, 5, 5)) },
        { tile(0, {}, object("rectangle", 0, 0, 5, 5)) })
      return { 2, change(map) or map, nil, message }
    end
    local function noOpts(value, message)
      return { 3, newMap({}), value, message }
    end
    local function noValue(value, message)
      return { 2, value, nil,
        "map that Tiled has exported as Lua or JSON expected, got " .. message }
    end
    local function noObject(thing, message)
      return { 2, newMap({ objects(thing) }), nil, "object 1 '' of layer 'things': " .. message }
    end
    -- Sets the value at the end of a path of keys. The last argument is the value.
    local function set(...)
      local path, n = { ... }, select("#", ...)
      return function(map)
        for i = 1, n - 2 do
          map = map[path[i]]
        end
        map[path[n - 1]] = path[n]
      end
    end
    local WHOLE = "layer 'ground': whole number from -2147483648 to 2147483647 expected as "
    local function noChunk(x, y, message)
      return noMap(set("layers", 1, { type = "tilelayer", name = "ground", chunks = {
        { x = x, y = y, width = 2, height = 1, data = { 1, 1 } },
      } }), message)
    end
    local function noBase64(text, message)
      return noMap(function(map)
        map.layers[1].encoding, map.layers[1].data = "base64", text
      end, "layer 'ground': " .. message)
    end
    local HAND_IN = "export it from Tiled as Lua, too, and hand it in: tilesets = { ['../out.tsx'] "
      .. "= require('out') }; or export the map again with 'Embed tilesets' in Tiled's preferences "
      .. "for exports (command line: --embed-tilesets); or make the layer false in the legend, if "
      .. "nothing of it is solid"
    local function noTileset(tilesets, message, isWhole)
      local map = newMap({ cells(1, 0, 0, 0) })
      map.tilesets[1] = { firstgid = 1, filename = "out.tsx" }
      return { 2, map, { tilesets = tilesets },
        isWhole and message or "layer 'ground': " .. message }
    end
    local CROSS = { 0, 0, 9, 9, 9, 0, 0, 9 }
    local CASES = {
      noValue(nil, "nil"), noValue(7, "7"), noValue("cave.tmx", "'cave.tmx'"),
      noMap(function() return {} end,
        "orthogonal, isometric, staggered or hexagonal map expected, got nil"),
      noMap(set("orientation", "hexagonal"),
        "map: finite number expected as 'hexsidelength', got nil"),
      noMap(set("layers", nil), "map: table expected as 'layers', got nil"),
      noMap(set("tilesets", 7), "map: table expected as 'tilesets', got 7"),
      noMap(set("tilewidth", "10"), "map: size > 0 expected as 'tilewidth', got '10'"),
      noMap(function(map)
        local layer = map.layers[1]
        layer.encoding, layer.compression, layer.data = "base64", "zlib", "eJxjYGBgAAAABAAB"
      end, "layer 'ground': its tiles are compressed (zlib): set the 'Tile Layer Format' of the "
        .. "map to CSV or 'Base64 (uncompressed)' in Tiled, and export again"),
      noMap(set("layers", 1, "data", "eJxjYGBgAAAABAAB"),
        "layer 'ground': list of tiles or encoding 'base64' expected, got encoding 'lua'"),
      noBase64("AQ*A", "character of base64 expected, got '*'"),
      noBase64("AQ=AAAA=", "character of base64 expected, got '='"),
      noBase64("AQAAAAA=", "four bytes for each tile expected, got 5"),
      noBase64("AQAAAA==", "4 tiles expected, got 1"),
      noMap(set("layers", 1, "data", { 1, 2 }), "layer 'ground': 4 tiles expected, got 2"),
      noMap(set("layers", 1, "data", 1, -1),
        "layer 'ground': number of a tile expected, got -1"),
      noMap(set("layers", 1, "data", 1, "x"),
        "layer 'ground': number of a tile expected, got 'x'"),
      noMap(set("tilesets", 1, "firstgid", 5), "layer 'ground': no tileset has the tile 1"),
      noMap(set("tilesets", 1, { name = "out", firstgid = 1, filename = "../out.tsx" }),
        "layer 'ground': the tileset '../out.tsx' is in a file of its own: " .. HAND_IN),
      noMap(function(map)
        map.tilesets[1] = { firstgid = 1, filename = "../out.tsx" }
        map.layers = { objects(object("rectangle", 0, 0, 5, 5, { gid = 1, name = "door" })) }
      end, "object 1 'door' of layer 'things': the tileset '../out.tsx' is in a file of its own: "
        .. HAND_IN),
      noMap(set("tilesets", 1, { firstgid = 1, filename = 7 }),
        "layer 'ground': string expected as 'filename' of a tileset, got 7"),
      noMap(set("tilesets", 1, "firstgid", "1"),
        "tileset: finite number expected as 'firstgid', got '1'"),
      noTileset({ ["out.tsx"] = 5 }, "table expected as the tileset 'out.tsx', got 5"),
      noTileset(function() return "out" end, "table expected as the tileset 'out.tsx', got 'out'"),
      noTileset({ ["out.tsx"] = {} },
        "tile 0 of 'nil' in layer 'ground': size > 0 expected as 'tilewidth', got nil", true),
      noMap(set("tilesets", 1, "tiles", 1, "objectGroup", "objects", 1, "width", {}),
        "shape 1 of tile 0 of 'tiles' in layer 'ground': "
        .. "finite number expected as 'width', got table"),
      noMap(set("layers", 2, "properties", 7),
        "layer 'things': table expected as 'properties', got 7"),
      noMap(set("layers", 2, "objects", nil),
        "layer 'things': table expected as 'objects', got nil"),
      noObject(object("rectangle", compat.nan, 0, 5, 5), "finite number expected as 'x', got nan"),
      noObject(object("rectangle", 0, 0, 5, 5, { properties = { layer = 1.5 } }),
        "option 'layer': 32-bit integer expected, got 1.5"),
      noObject(object("rectangle", 0, 0, 5, 5, { properties = { oneWay = "north" } }),
        "'up', 'down', 'left' or 'right' expected as option 'oneWay', got 'north'"),
      noObject(object("rectangle", 0, 0, 5, 5, { gid = 9e9 }),
        "number of a tile expected, got " .. tostring(9e9)),
      noObject(polygon(0, 0, CROSS),
        "polygon with an area that does not cross itself expected"),
      noObject(polygon(0, 0, { 0, 0, 9, 9 }), "3 to 16 corners expected, got 2"),
      noObject(object("polygon", 0, 0, 0, 0), "table expected as 'polygon', got nil"),
      noMap(set("tilewidth", 0), "map: size > 0 expected as 'tilewidth', got 0"),
      noMap(set("tilesets", 1, "tileheight", -1),
        "tile 0 of 'tiles' in layer 'ground': size > 0 expected as 'tileheight', got -1"),
      noMap(set("tilesets", 1, "tiles", 7),
        "layer 'ground': table expected as 'tiles', got 7"),
      noMap(set("tilesets", 1, "tileoffset", { x = "left" }),
        "tile 0 of 'tiles' in layer 'ground': finite number expected as 'x', got 'left'"),
      noMap(set("layers", 2, "offsetx", compat.huge),
        "layer 'things': finite number expected as 'offsetx', got inf"),
      noMap(set("layers", 1, "width", 0.5),
        "layer 'ground': whole number from 0 to 2147483647 expected as 'width', got 0.5"),
      noMap(set("layers", 1, "height", -1),
        "layer 'ground': whole number from 0 to 2147483647 expected as 'height', got -1"),
      noMap(set("layers", 1, "chunks", 7), "layer 'ground': table expected as 'chunks', got 7"),
      noChunk(2 ^ 53, 0, WHOLE .. "'x', got " .. tostring(2 ^ 53)),
      noChunk(0, -2 ^ 53, WHOLE .. "'y', got " .. tostring(-2 ^ 53)),
      noChunk(0, 2 ^ 31, WHOLE .. "'y', got " .. tostring(2 ^ 31)),
      noChunk(0.5, 0, WHOLE .. "'x', got 0.5"),
      noChunk(compat.nan, 0, "layer 'ground': whole number from "
        .. "-2147483648 to 2147483647 expected as 'x', got nan"),
      noObject(round(1001), "polygon of at most 1000 corners expected, got 1001"),
      noObject(object("rectangle", 1e308, 0, 1e308, 5), "finite sides expected, got inf"),
      noObject(object("ellipse", 0, 1.7e308, 2e307, 2e307), "finite sides expected, got inf"),
      noMap(function(map) -- after boxes with which nothing is wrong
        map.layers[3] = objects(polygon(1e15, 0, { 0, 1e-3, 1e-3, 0, 1e-3, 1e-3 }))
      end, "object 1 '' of layer 'things': polygon with an area that does not cross itself "
        .. "expected"),
      noMap(function(map)
        map.tilewidth, map.layers[1].data[3] = 1e308, 1
      end, "layer 'ground', row 1, column 3: finite sides expected, got inf"),
      noOpts(7, "table expected, got 7"),
      noOpts({ x = "1" }, "option 'x': finite number expected, got '1'"),
      noOpts({ y = compat.huge }, "option 'y': finite number expected, got inf"),
      noOpts({ scale = 2 },
        "unknown option 'scale'; known: x, y, legend, tilesets, onError, thickness, collidable"),
      noOpts({ tilesets = 5 }, "option 'tilesets': table or function expected, got 5"),
      noOpts({ onError = true }, "option 'onError': function expected, got boolean"),
      noOpts({ legend = 5 }, "option 'legend': table expected, got 5"),
      noOpts({ legend = { coin = 5 } },
        "option 'legend', 'coin': true, false, table of options or function expected, got 5"),
      noOpts({ legend = { coin = { colour = 1 } } },
        "option 'legend', 'coin': unknown option 'colour'; known: "
        .. expect.optionsOfInsert() .. ", merge, thickness"),
      noOpts({ legend = { coin = { rect = { 0, 0, 1, 1 } } } },
        "option 'legend', 'coin': shapes come from Tiled: no rect, circle or polygon expected"),
    }
    for i, case in ipairs(CASES) do
      it(i .. ": " .. case[4], function()
        local done, got = pcall(function() tiled.insert(world, case[2], case[3]) end)
        assert.is_false(done)
        assert.truthy(got:find("tiled_spec.lua:%d+: "), got)
        assert.equal(("bad argument #%d to 'insert' (%s)"):format(case[1], case[4]),
          (got:gsub("^.-%d: ", "", 1)))
        assert.equal(broadside.newWorld():snapshot():getHash(), world:snapshot():getHash())
      end)
    end

    it("a world that is none", function()
      for _, case in ipairs({
        { broadside.newWorld({ dim = 3 }), "2D World expected, got World (3D, 0 boxes)" },
        { broadside.newPool({ capacity = 1 }), "2D World expected, got Pool (2D, 0 of 1 movers)" },
        { tiled, "this is the module itself; call it with '.', not ':'" },
      }) do
        expect.refused("bad argument #1 to 'insert' (" .. case[2] .. ")", tiled.insert, case[1],
          newMap({}))
      end
    end)

    it("a group that is in itself", function()
      local group = { type = "group", name = "g" }
      group.layers = { group }
      assert.has_error(function()
        tiled.insert(world, newMap({ group }))
      end, "bad argument #2 to 'insert' (layer 'g': it is in more than 100 groups)")
    end)

    it("a map of anything else", function()
      for _, layers in ipairs({ { 7 }, { {} }, { objects(7) },
        { cells({}, print, 0, 0) } }) do
        local done, got = pcall(tiled.insert, world, newMap(layers), SOLID)
        if not done then
          assert.truthy(got:find("bad argument #2 to 'insert'", 1, true), got)
        end
        assert.equal(0, world:count())
      end
    end)
  end)

  describe("comes to an end:", function()
    -- A map of `depth` nested groups around a layer. Each group contains the next one twice.
    local function nest(inner, depth)
      for i = 1, depth do
        inner = { type = "group", name = "g" .. i, layers = { inner, inner } }
      end
      return newMap({ inner })
    end

    it("groups of the same groups", function()
      local world, things = broadside.newWorld(), objects(FULL)
      assert.equal(64, #effort.limit(1e6, list, nest(things, 6)))
      for depth = 7, 90, 83 do
        assert.has_error(function()
          effort.limit(1e7, tiled.insert, world, nest(things, depth))
        end, "bad argument #2 to 'insert' (layer 'things': it is in the map more than 100 times)")
      end
      assert.equal(0, world:count())
    end)

    it("a polygon of 500 corners", function()
      assert.is_true(#effort.limit(5e6, list, newMap({ objects(round(500)) })) > 30)
    end)

    it("whatever metamethods add to its lists", function()
      local function endless(own, value)
        return setmetatable(own, {
          __index = function(_, key) return type(key) == "number" and value or nil end,
          __len = function() return 2 ^ 53 end,
          __pairs = function()
            return function() return "layer", 1 end
          end,
        })
      end
      local ground, thing = cells(1, 1, 0, 0), polygon(50, 0, { 0, 0, 5, 0, 0, 5 })
      ground.data = endless(ground.data, 1)
      thing.polygon = endless(thing.polygon, { x = 1, y = 1 })
      thing.properties = endless({ layer = 4 }, 1)
      local things = objects(thing)
      things.objects = endless(things.objects, thing)
      local map = newMap({ ground, things }, endless({ tile(0, {}, FULL) }, {}))
      map.tilesets = endless(map.tilesets, {})
      map.layers = endless(map.layers, things)
      assert.same({ { "box", 0, 0, 20, 10 }, { "polygon", 50, 0, 55, 0, 50, 5 } },
        effort.limit(1e6, boxesOf, map))
      ground.data = endless({ 1, 1 }, 1)
      assert.has_error(function()
        effort.limit(1e6, tiled.insert, broadside.newWorld(), map)
      end, "bad argument #2 to 'insert' (layer 'ground': 4 tiles expected, got 2)")
    end)

    it("thousands of tiles that all differ, with work for each one", function()
      local tiles, data = {}, {}
      for i = 1, 2000 do
        tiles[i], data[i] = tile(i - 1, { class = "c" .. i }), i
      end
      local ground = cells()
      ground.width, ground.height, ground.data = 100, 20, data
      assert.equal(2000, #effort.limit(2e7, list, newMap({ ground }, tiles), SOLID))
    end)
  end)

  describe("does what its page says:", function()
    local PAGE = "doc/tiled.md"

    it("a call", function()
      local printed, expected = page.run(PAGE, 2)
      assert.equal(expected, printed)
      assert.truthy(expected:find("3 boxes", 1, true))
    end)

    it("a game, whose hero falls to the ground, goes right, and jumps", function()
      local map, drawn, seen = newMap({ cells(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1),
        objects(object("point", 10, 15, 0, 0, { type = "player" })) }), nil, 0
      local down, layer = {}, {}
      local love = {
        filesystem = { load = function() return function() return map end end },
        keyboard = { isDown = function(key) return down[key] or false end },
        graphics = { rectangle = function(_, ...) drawn = { ... } end },
      }
      local modules = {
        sti = function() return { draw = type, layers = { things = layer } } end,
        ["broadside.debug"] = { draw = function(world) seen = world:count() end },
      }
      page.run(PAGE, 1, { love = love, require = function(name)
        return modules[name] or require(name)
      end })
      local function play(frames, ...)
        down = {}
        for _, key in ipairs({ ... }) do
          down[key] = true
        end
        for _ = 1, frames do
          love.update(1 / 60)
        end
        love.draw()
      end
      love.load()
      play(0)
      assert.same({ 0, -13, 20, 28 }, drawn)
      assert.is_false(layer.visible)
      assert.equal(0, seen)
      play(6, "right")
      assert.near(22, drawn[1], 1e-9)
      play(10)
      assert.same({ -8, 20, 28 }, { drawn[2], drawn[3], drawn[4] })
      play(10, "up", "d")
      assert.is_true(drawn[2] < -80)
      assert.equal(2, seen)
    end)

    it("tilesets in files, and onError", function()
      local map, rocks = newMap({ cells(1, 0, 0, 0) }), { tilewidth = 10, tileheight = 10,
        tiles = { tile(0, {}, FULL) } }
      map.tilesets = { { firstgid = 1, filename = "../art/rocks.tsx" } }
      local world, told = broadside.newWorld(), 0
      local env = { world = world, cave = map, tiled = tiled, require = function(name)
        assert.equal("maps.rocks", name)
        return rocks
      end }
      page.run(PAGE, 4, env)
      assert.equal(2, world:count())
      page.run(PAGE, 5, { world = world, cave = map, tiled = { insert = function(a, b, opts)
        opts.onError = function() told = told + 1 end
        return tiled.insert(a, b, opts)
      end } })
      assert.equal(1, told)
    end)

    it("walls along polylines", function()
      local line = object("polyline", 0, 0, 0, 0, { type = "slope",
        polyline = { { x = 0, y = 0 }, { x = 9, y = 9 } } })
      local world = broadside.newWorld()
      page.run(PAGE, 6, { world = world, cave = newMap({ objects(line) }), tiled = tiled })
      assert.equal(2, world:count())
    end)

    -- An element as SLAXML represents it.
    local function element(name, attributes, ...)
      local result = { name = name, attr = {}, el = { ... } }
      for key, value in pairs(attributes) do
        result.attr[key] = value
        table.insert(result.attr, { name = key, value = value })
      end
      return result
    end

    it("a reader of .tsx", function()
      local set = element("tileset", { name = "rocks", tilewidth = "10", tileheight = "10" },
        element("tileoffset", { x = "1", y = "0" }), element("image", { width = "99" }),
        element("properties", {}, element("property", { name = "rock", value = "1" })),
        element("tile", { id = "0" }, element("objectgroup", {},
          element("object", { id = "1", x = "0", y = "0", width = "4", height = "3" }),
          element("object", { id = "2", x = "2", y = "2" },
            element("polygon", { points = "0,0 5,0 0,5" })))),
        element("tile", { id = "1" }, element("properties", {},
          element("property", { name = "collidable", type = "bool", value = "true" }),
          element("property", { name = "layer", type = "int", value = "4" })),
          element("image", { width = "6", height = "8" })))
      local file = assert(io.open("examples/support/tsx.lua"))
      local code = file:read("*a")
      file:close()
      local readTileset = compat.loadIn(code, setmetatable({ require = function()
        return { dom = function()
          return { root = set }
        end }
      end }, { __index = _G }))()
      local map, world = newMap({ cells(1, 2, 0, 0) }), broadside.newWorld()
      map.tilesets = { { firstgid = 1, filename = "rocks.tsx" } }
      assert.same({ { "box", 1, 0, 4, 3 }, { "polygon", 3, 2, 8, 2, 3, 7 },
        { "box", 11, 2, 6, 8 } },
        list(map, { tilesets = { ["rocks.tsx"] = readTileset("") } }, world))
      assert.equal(4, (world:queryPoint(12, 3)[1]:getFilter()))
    end)
  end)
end)
