-- Flipped and turned tiles of broadside.ldtk and broadside.tiled. The image of a tile is drawn
-- point by point. Where the map shows a solid point of it the world must have a box, and nowhere
-- else.

local broadside = require("broadside")
local ldtk = require("broadside.ldtk")
local tiled = require("broadside.tiled")

local SIZE = 16
local FLIP_X, FLIP_Y, FLIP_DIAGONAL = 2 ^ 31, 2 ^ 30, 2 ^ 29

-- Shapes within the tile. None looks the same after any flip.
local SHAPES = {
  { rect = { 1, 2, 9, 5 } },
  { circle = { 6, 5, 4 } },
  { polygon = { 0, 16, 16, 4, 16, 16 } },
  { polygon = { 2, 3, 13, 5, 11, 14, 4, 12 } },
}

-- Whether a point of the tile is in a shape. Corners turn from x towards y.
local function isSolid(shape, x, y)
  local rect, circle, polygon = shape.rect, shape.circle, shape.polygon
  if rect then
    return x > rect[1] and x < rect[1] + rect[3] and y > rect[2] and y < rect[2] + rect[4]
  elseif circle then
    return (x - circle[1]) ^ 2 + (y - circle[2]) ^ 2 < circle[3] ^ 2
  end
  for i = 1, #polygon, 2 do
    local x1, y1 = polygon[i], polygon[i + 1]
    local x2, y2 = polygon[i + 2] or polygon[1], polygon[i + 3] or polygon[2]
    if (x2 - x1) * (y - y1) <= (y2 - y1) * (x - x1) then
      return false
    end
  end
  return true
end

-- draw(x, y): where the map shows that point of the tile.
local function expectDrawn(world, shape, draw)
  local solid, wrong = 0, {}
  for i = 0, SIZE - 1 do
    for j = 0, SIZE - 1 do
      local x, y = i + 0.53, j + 0.47
      local expected, _, n = isSolid(shape, x, y) and 1 or 0, world:queryPoint(draw(x, y))
      solid = solid + expected
      if n ~= expected then
        table.insert(wrong, { x, y })
      end
    end
  end
  assert.same({}, wrong)
  assert.is_true(solid > 20)
end

-- The side that is solid where the map shows the tile's `nx, ny`: the nearest of the four.
local function drawnSide(nx, ny, draw)
  local x1, y1 = draw(0, 0)
  local x2, y2 = draw(nx, ny)
  local dx, dy = x2 - x1, y2 - y1
  if math.abs(dx) > math.abs(dy) then
    return { dx > 0 and 1 or -1, 0 }
  end
  return { 0, dy > 0 and 1 or -1 }
end

local SIDES = { up = { 0, -1 }, down = { 0, 1 }, left = { -1, 0 }, right = { 1, 0 } }

describe("a flipped tile of LDtk", function()
  -- A level with tiles in a row, from x = 16 on, which all have the same flips.
  local function insert(world, meaning, f, n)
    local gridTiles = {}
    for i = 1, n or 1 do
      gridTiles[i] = { px = { SIZE * i, 0 }, src = { 0, 0 }, f = f, t = 3 }
    end
    local project = { worldLayout = "Free",
      defs = { layers = {}, tilesets = { { uid = 9, tileGridSize = SIZE, enumTags = {
        { enumValueId = "Tag", tileIds = { 3 } } } } } },
      levels = { { identifier = "A", worldX = 0, worldY = 0, layerInstances = { {
        __identifier = "T", __type = "Tiles", __tilesetDefUid = 9, __gridSize = SIZE,
        __pxTotalOffsetX = 0, __pxTotalOffsetY = 0, intGridCsv = {}, autoLayerTiles = {},
        entityInstances = {}, gridTiles = gridTiles } } } } }
    return ldtk.insert(world, project, { legend = { Tag = meaning } })
  end

  local function newDraw(f)
    return function(x, y)
      x = f % 2 == 1 and SIZE - x or x
      y = f >= 2 and SIZE - y or y
      return SIZE + x, y
    end
  end

  it("flips its shapes", function()
    for f = 0, 3 do
      for _, shape in ipairs(SHAPES) do
        local world = broadside.newWorld()
        insert(world, shape, f)
        expectDrawn(world, shape, newDraw(f))
      end
    end
  end)

  it("flips the side of one-way boxes", function()
    for f = 0, 3 do
      for _, side in pairs(SIDES) do
        local boxes = insert(broadside.newWorld(), { oneWay = side }, f)
        assert.same(drawnSide(side[1], side[2], newDraw(f)), { boxes[1]:getOneWay() })
      end
    end
  end)

  it("leaves the legend as it is, and merges as others do", function()
    local plank = { oneWay = { 0, -1 }, rect = { 0, 0, SIZE, 4 } }
    for f, y in pairs({ [0] = 0, 0, 12, 12 }) do
      local boxes, n = insert(broadside.newWorld(), plank, f, 5)
      assert.equal(1, n)
      assert.same({ SIZE, y, 5 * SIZE, 4 }, { boxes[1]:getRect() })
    end
    assert.same({ oneWay = { 0, -1 }, rect = { 0, 0, SIZE, 4 } }, plank)
  end)

  it("has no flips where it says none, and raises if it is no number", function()
    local boxes = insert(broadside.newWorld(), { rect = { 0, 0, 4, 4 } }, nil)
    assert.same({ SIZE, 0, 4, 4 }, { boxes[1]:getRect() })
    assert.has_error(function()
      insert(broadside.newWorld(), true, "x")
    end, "bad argument #2 to 'insert' (layer 'T' of level 'A': whole number from 0 to "
      .. "2147483647 expected as 'f', got 'x')")
  end)
end)

describe("a flipped or turned tile of Tiled", function()
  local function newObject(shape)
    local object = { id = 1, name = "", type = "", x = 0, y = 0, width = 0, height = 0,
      rotation = 0 }
    local rect, circle = shape.rect, shape.circle
    if rect then
      object.shape = "rectangle"
      object.x, object.y, object.width, object.height = rect[1], rect[2], rect[3], rect[4]
    elseif circle then
      object.shape, object.x, object.y = "ellipse", circle[1] - circle[3], circle[2] - circle[3]
      object.width, object.height = 2 * circle[3], 2 * circle[3]
    else
      object.shape, object.polygon = "polygon", {}
      for i = 1, #shape.polygon, 2 do
        table.insert(object.polygon, { x = shape.polygon[i], y = shape.polygon[i + 1] })
      end
    end
    return object
  end

  local function newMap(tile, layer)
    return { orientation = "orthogonal", tilewidth = SIZE, tileheight = SIZE, layers = { layer },
      tilesets = { { name = "t", firstgid = 1, tilewidth = SIZE, tileheight = SIZE,
        tiles = { tile } } } }
  end

  local function newTile(shape, more)
    local tile = { id = 0, objectGroup = { objects = { newObject(shape) } } }
    for name, value in pairs(more or {}) do
      tile[name] = value
    end
    return tile
  end

  local function newCell(flags)
    return { type = "tilelayer", name = "g", width = 1, height = 1, data = { 1 + flags } }
  end

  local function newShown(flags, rotation, size)
    return { type = "objectgroup", name = "g", objects = { { id = 1, name = "", type = "", x = 40,
      y = 60, width = size, height = size, rotation = rotation, gid = 1 + flags } } }
  end

  -- As Tiled does it: first along the diagonal, then left to right, then top to bottom.
  local function flip(flags, x, y)
    if flags % FLIP_Y >= FLIP_DIAGONAL then
      x, y = y, x
    end
    x = flags >= FLIP_X and SIZE - x or x
    return x, flags % FLIP_X >= FLIP_Y and SIZE - y or y
  end

  -- An object stands with its lower left corner at 40, 60, and is turned about that.
  local function newDraw(flags, rotation, size)
    if not rotation then
      return function(x, y) return flip(flags, x, y) end
    end
    local cosine, sine = math.cos(math.rad(rotation)), math.sin(math.rad(rotation))
    return function(x, y)
      x, y = flip(flags, x, y)
      x, y = x * size / SIZE, (y - SIZE) * size / SIZE
      return 40 + cosine * x - sine * y, 60 + sine * x + cosine * y
    end
  end

  -- Calls f with a layer, and how it draws the tile: a cell, and objects that are turned.
  local function eachWay(f)
    for flags = 0, 7 do
      flags = flags * FLIP_DIAGONAL
      f(newCell(flags), newDraw(flags))
      for _, rotation in ipairs({ 0, 90, 180, -90, 30, 140 }) do
        f(newShown(flags, rotation, 24), newDraw(flags, rotation, 24))
      end
    end
  end

  it("flips and turns its shapes", function()
    eachWay(function(layer, draw)
      for _, shape in ipairs(SHAPES) do
        local world = broadside.newWorld()
        tiled.insert(world, newMap(newTile(shape), layer))
        expectDrawn(world, shape, draw)
      end
    end)
  end)

  local function sideOf(tile, layer, legend)
    local boxes, n = tiled.insert(broadside.newWorld(), newMap(tile, layer), { legend = legend })
    assert.equal(1, n)
    return { boxes[1]:getOneWay() }
  end

  it("flips and turns the side of one-way boxes: of the tile, its shape, its class", function()
    eachWay(function(layer, draw)
      for name, side in pairs(SIDES) do
        local expected, properties = drawnSide(side[1], side[2], draw), { oneWay = name }
        local ofTile = newTile(SHAPES[1], { properties = properties })
        assert.same(expected, sideOf(ofTile, layer))
        local ofShape = newTile(SHAPES[1], { properties = { oneWay = "left" } })
        ofShape.objectGroup.objects[1].properties = properties
        assert.same(expected, sideOf(ofShape, layer))
        local ofClass = newTile(SHAPES[1], { type = "plank" })
        assert.same(expected, sideOf(ofClass, layer, { plank = { oneWay = side } }))
        assert.same(expected, sideOf({ id = 0, type = "plank" }, layer,
          { plank = { oneWay = side } }))
      end
    end)
  end)

  it("but not what the layer or the object says", function()
    eachWay(function(layer)
      for name, side in pairs(SIDES) do
        local plain = newTile(SHAPES[1])
        layer.properties = nil
        assert.same(side, sideOf(plain, layer, { g = { oneWay = side } }))
        layer.properties = { oneWay = name }
        assert.same(side, sideOf(plain, layer))
        if layer.objects then
          layer.properties, layer.objects[1].properties = nil, { oneWay = name }
          assert.same(side, sideOf(newTile(SHAPES[1], { properties = { oneWay = "up" } }), layer))
          layer.objects[1].properties = nil
        end
      end
    end)
  end)

  it("has no side where it says false, whatever the legend says of it", function()
    local tile = newTile(SHAPES[1], { type = "plank", properties = { oneWay = false } })
    assert.same({}, sideOf(tile, newCell(0), { plank = { oneWay = { 0, -1 } } }))
  end)
end)
