-- broadside.tiled: isometric, staggered and hexagonal maps. Where cells are is computed as Tiled's
-- manual draws them. `make test-tiled` compares with pictures that Tiled draws.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local expect = require("spec.support.expect")
local page = require("spec.support.page")
local random = require("spec.support.random")
local tiled = require("broadside.tiled")

local FLIP_X, FLIP_Y, FLIP_DIAGONAL = 2 ^ 31, 2 ^ 30, 2 ^ 29
local SOLID = { legend = { ground = true } }

local function newMap(orientation, w, h, layers, more, tiles)
  local map = { orientation = orientation, tilewidth = w, tileheight = h, properties = {},
    layers = layers, tilesets = { { name = "tiles", firstgid = 1, tilewidth = w, tileheight = h,
      tiles = tiles or {}, grid = { orientation = "orthogonal", width = w, height = h } } } }
  for name, value in pairs(more or {}) do
    map[name] = value
  end
  return map
end

local function cells(columns, data, more)
  local layer = { type = "tilelayer", name = "ground", width = columns, height = #data / columns,
    offsetx = 0, offsety = 0, properties = {}, encoding = "lua", data = data }
  for name, value in pairs(more or {}) do
    layer[name] = value
  end
  return layer
end

local function objects(...)
  return { type = "objectgroup", name = "things", offsetx = 7, offsety = -40, properties = {},
    objects = { ... } }
end

local function object(shape, x, y, w, h, more)
  local thing = { id = 1, name = "", type = "", shape = shape, x = x, y = y, width = w, height = h,
    rotation = 0, properties = {} }
  for name, value in pairs(more or {}) do
    thing[name] = value
  end
  return thing
end

local function list(map, opts)
  local found = {}
  for i, box in ipairs((tiled.insert(broadside.newWorld(), map, opts))) do
    local shape, a, b, c = box:getShape()
    found[i] = shape == "box" and { shape, box:getRect() }
      or shape == "polygon" and { shape, compat.unpack(a) } or { shape, a, b, c }
  end
  return found
end

describe("An isometric map of Tiled's", function()
  it("has its objects on the ground, as Tiled measures them", function()
    local corners = { { x = 0, y = 0 }, { x = 16, y = 0 }, { x = 0, y = 16 } }
    assert.same({ { "box", 32, 64, 16, 48 }, { "circle", 8, 8, 8 },
      { "polygon", 64, 0, 80, 0, 64, 16 } },
      list(newMap("isometric", 64, 32, { objects(object("rectangle", 32, 64, 16, 48),
        object("ellipse", 0, 0, 16, 16), object("polygon", 64, 0, 0, 0, { polygon = corners })) })))
  end)

  it("has squares for cells, which are merged, or are a Map", function()
    local layer = cells(3, { 1, 1, 0, 0, 1, 1 }, { offsety = -16 })
    local map = newMap("isometric", 64, 32, { layer })
    assert.same({ { "box", 0, 0, 64, 32 }, { "box", 32, 32, 64, 32 } }, list(map, SOLID))
    local world = broadside.newWorld()
    local grid = tiled.newMap(world, map, "ground", SOLID)
    assert.same({ 32, 32, 32, 32 }, { grid:toWorld(2, 2) })
    assert.same({ -1, -1, 0, -1, -1, -1 }, (grid:flood(3, 1)))
    grid:set(1, 1, 0)
    assert.same({}, (world:queryPoint(10, 10)))
    assert.equal(1, #world:queryPoint(40, 40))
  end)

  it("has shapes of tiles that are drawn on the ground, flipped with their picture", function()
    local shape = object("rectangle", 4, 0, 8, 2, { properties = { oneWay = "up" } })
    local tile = { id = 0, objectGroup = { objects = { shape } } }
    local function of(gid)
      local map = newMap("isometric", 64, 32, { cells(1, { gid }) }, nil, { tile })
      map.tilesets[1].grid = { orientation = "isometric", width = 32, height = 16 }
      local box = tiled.insert(broadside.newWorld(), map)[1]
      return { box:getRect() }, { box:getOneWay() }
    end
    assert.same({ { 8, 0, 16, 4 }, { 0, -1 } }, { of(1) })
    assert.same({ { 0, 8, 4, 16 }, { -1, 0 } }, { of(1 + FLIP_X) })
    assert.same({ { 28, 8, 4, 16 }, { 1, 0 } }, { of(1 + FLIP_Y) })
    assert.same({ { 8, 28, 16, 4 }, { 0, 1 } }, { of(1 + FLIP_X + FLIP_Y) })
  end)

  it("is projected as its page says", function()
    local code = page.blocks("doc/tiled.md")[7].code .. "return toScreen, toGround\n"
    local toScreen, toGround = compat.loadIn(code, setmetatable({}, { __index = _G }))()
    local map = newMap("isometric", 64, 32, {}, { height = 5 })
    assert.same({ 160, 0 }, { toScreen(map, 0, 0) }) -- the top corner of a map with five rows
    assert.same({ 192, 16 }, { toScreen(map, 32, 0) }) -- and of the cell to its right
    assert.same({ 128, 16 }, { toScreen(map, 0, 32) })
    for _, place in ipairs({ { 0, 0 }, { 32, 0 }, { 48, 112 } }) do
      assert.same(place, { toGround(map, toScreen(map, place[1], place[2])) })
    end
  end)

  it("says what has no place on the ground", function()
    local shape = { id = 0, objectGroup = { objects = { object("rectangle", 4, 0, 8, 2) } } }
    local map = newMap("isometric", 64, 32, { cells(1, { 1 }) }, nil, { shape })
    local function refuses(text)
      expect.badArgument(2, "insert", text, tiled.insert, broadside.newWorld(), map)
    end
    refuses("tile 0 of 'tiles' in layer 'ground': shapes on the ground expected: set the "
      .. "orientation of the tileset to isometric")
    map.layers[1].data[1] = 1 + FLIP_DIAGONAL
    refuses("a tile of an isometric map that is not turned expected")
    map.layers = { objects(object("rectangle", 0, 0, 8, 8, { rotation = 30 })) }
    refuses("object 1 '' of layer 'things': an object of an isometric map that is not turned")
    local told, called = {}, {}
    map.layers = { objects(object("rectangle", 20, 30, 8, 8, { gid = 1, id = 5 }),
      object("rectangle", 40, 60, 64, 80, { gid = 1, type = "tree" })) }
    assert.same({}, list(map, { legend = { tree = function(...) called = { ... } end },
      onError = function(text) table.insert(told, text) end }))
    assert.same({ 40, 60, 0, 0, map.layers[1].objects[2] }, { compat.unpack(called, 1, 5) })
    assert.same({ "object 5 '' of layer 'things': no box: in an isometric map its picture has no "
      .. "place on the ground" }, told)
  end)
end)

-- The top left corner of a cell, both from 0.
local function corner(map, column, row)
  local w, h, side = map.tilewidth, map.tileheight, map.hexsidelength or 0
  local isEven = map.staggerindex == "even"
  if map.staggeraxis == "x" then
    local isDown = (column % 2 == 1) ~= isEven
    return column * (w + side) / 2, row * h + (isDown and h / 2 or 0)
  end
  local isRight = (row % 2 == 1) ~= isEven
  return column * w + (isRight and w / 2 or 0), row * (h + side) / 2
end

describe("A staggered or hexagonal map of Tiled's", function()
  local KINDS = {}
  for _, axis in ipairs({ "x", "y" }) do
    for _, index in ipairs({ "odd", "even" }) do
      table.insert(KINDS, { "staggered", 32, 16, { staggeraxis = axis, staggerindex = index } })
      table.insert(KINDS, { "hexagonal", 28, 24,
        { staggeraxis = axis, staggerindex = index, hexsidelength = 12 } })
    end
  end

  for _, kind in ipairs(KINDS) do
    local name = ("%s, %s, %s"):format(kind[1], kind[4].staggeraxis, kind[4].staggerindex)

    it("has a polygon for each cell, which leave no gap and do not overlap: " .. name, function()
      local data, rng = {}, random.new(70)
      for i = 1, 30 do
        data[i] = rng:int(0, 1)
      end
      local map = newMap(kind[1], kind[2], kind[3], { cells(6, data, { offsetx = 3 }) }, kind[4])
      local world, n = broadside.newWorld(), 0
      tiled.insert(world, map, SOLID)
      for i, gid in ipairs(data) do
        n = n + gid
        local x, y = corner(map, (i - 1) % 6, math.floor((i - 1) / 6))
        local _, count = world:queryPoint(x + 3 + kind[2] / 2, y + kind[3] / 2)
        assert.equal(gid, count)
      end
      assert.equal(n, world:count())
      assert.equal(0, world:countPairs())
      for i = 1, 30 do
        data[i] = 1
      end
      world = broadside.newWorld()
      tiled.insert(world, map, SOLID)
      local x1, y1 = corner(map, 1, 1)
      local x2, y2 = corner(map, 4, 3)
      for _ = 1, 400 do
        local _, count = world:queryPoint(rng:real(x1, x2) + 3, rng:real(y1 + 9, y2))
        assert.equal(1, count)
      end
    end)

    it("has shapes, functions and chunks where their cells are: " .. name, function()
      local tile = { id = 0, objectGroup = { objects = { object("rectangle", 2, 3, 5, 6) } } }
      local layer = { type = "tilelayer", name = "l", encoding = "lua", chunks = {
        { x = -3, y = -2, width = 2, height = 2, data = { 1, 2, 2, 1 } } } }
      local map, calls = newMap(kind[1], kind[2], kind[3], { layer }, kind[4],
        { tile, { id = 1, type = "spawn" } }), {}
      local found = list(map, { legend = { spawn = function(...)
        table.insert(calls, { compat.unpack({ ... }, 1, 4) })
      end } })
      local expected = {}
      for i, cell in ipairs({ { -3, -2 }, { -2, -1 }, { -2, -2 }, { -3, -1 } }) do
        local x, y = corner(map, cell[1], cell[2])
        expected[i] = i < 3 and { "box", x + 2, y + 3, 5, 6 } or { x, y, kind[2], kind[3] }
      end
      local function byPlace(a, b)
        return a[2] < b[2] or a[2] == b[2] and a[3] < b[3]
      end
      local boxes = { expected[1], expected[2] }
      table.sort(boxes, byPlace)
      table.sort(found, byPlace)
      assert.same(boxes, found)
      assert.same({ expected[3], expected[4] }, calls)
    end)
  end

  it("has objects where an orthogonal map has them", function()
    local thing = object("rectangle", 10, 20, 30, 40, { rotation = 90 })
    local map = newMap("orthogonal", 32, 16, { objects(thing) })
    local expected = list(map)
    map.orientation, map.staggeraxis, map.staggerindex = "staggered", "y", "odd"
    assert.same(expected, list(map))
  end)

  it("has shapes that are drawn on an isometric ground", function()
    local tile = { id = 0, objectGroup = { objects = { object("rectangle", 8, 0, 8, 16) } } }
    local map = newMap("staggered", 32, 16, { cells(1, { 1 }) }, { staggeraxis = "y",
      staggerindex = "odd" }, { tile })
    map.tilesets[1].grid.orientation, map.tilesets[1].tileheight = "isometric", 40
    assert.same({ { "polygon", 24, 4, 32, 8, 16, 16, 8, 12 } }, list(map))
  end)

  it("says what is wrong with it", function()
    local map = newMap("hexagonal", 32, 16, { cells(1, { 1 }) },
      { staggeraxis = "y", staggerindex = "odd", hexsidelength = 4 })
    expect.badArgument(2, "newMap", "orthogonal or isometric map expected, got 'hexagonal'",
      tiled.newMap, broadside.newWorld(), map, "ground")
    for _, wrong in ipairs({ { "hexsidelength", 16 }, { "hexsidelength", -1 },
      { "staggeraxis", "z" } }) do
      local value = map[wrong[1]]
      map[wrong[1]] = wrong[2]
      expect.badArgument(2, "insert", "staggeraxis 'x' or 'y', and a shorter hexsidelength",
        tiled.insert, broadside.newWorld(), map)
      map[wrong[1]] = value
    end
    map.hexsidelength = "x"
    expect.badArgument(2, "insert", "finite number expected as 'hexsidelength'", tiled.insert,
      broadside.newWorld(), map)
  end)
end)
