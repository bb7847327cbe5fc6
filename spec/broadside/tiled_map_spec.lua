-- tiled.newMap: a layer of tiles as an editable Map. What it makes is compared with what
-- tiled.insert makes of the same layer, after the same edits.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local effort = require("spec.support.effort")
local expect = require("spec.support.expect")
local page = require("spec.support.page")
local random = require("spec.support.random")
local tiled = require("broadside.tiled")

local FLIP_X, FLIP_Y, FLIP_DIAGONAL = 2 ^ 31, 2 ^ 30, 2 ^ 29

local function shape(id, kind, x, y, w, h, more)
  local thing = { id = id, name = "", type = "", shape = kind, x = x, y = y, width = w, height = h,
    rotation = 0, properties = {} }
  for name, value in pairs(more or {}) do
    thing[name] = value
  end
  return thing
end

local function group(...)
  return { type = "objectgroup", objects = { ... } }
end

-- Tiles of 10 x 10: 1 is solid, 2 a plank, 3 an L of two rectangles, 4 an L that is cut in two,
-- 5 a circle on a slope, 6 a plank from above, 7 solid and one by one, 8 two equal shapes, 9 a
-- class that the legend may have, 10 nothing.
local function newTiles()
  local corners = {}
  for i, at in ipairs({ 0, 0, 10, 0, 10, 4, 4, 4, 4, 10, 0, 10 }) do
    local n = math.floor((i + 1) / 2)
    corners[n] = corners[n] or {}
    corners[n][i % 2 == 1 and "x" or "y"] = at
  end
  return {
    { id = 0, properties = { collidable = true } },
    { id = 1, objectGroup = group(shape(1, "rectangle", 0, 0, 10, 3)) },
    { id = 2, objectGroup = group(shape(1, "rectangle", 0, 0, 4, 10),
      shape(2, "rectangle", 4, 6, 6, 4, { properties = { layer = 4 } })) },
    { id = 3, objectGroup = group(shape(1, "polygon", 0, 0, 0, 0, { polygon = corners })) },
    { id = 4, objectGroup = group(shape(1, "ellipse", 2, 0, 4, 4),
      shape(2, "polygon", 0, 10, 0, 0,
        { polygon = { { x = 0, y = 0 }, { x = 10, y = 0 }, { x = 10, y = -6 } } })) },
    { id = 5, properties = { oneWay = "up" },
      objectGroup = group(shape(1, "rectangle", 0, 2, 10, 3)) },
    { id = 6, properties = { collidable = true, merge = false } },
    { id = 7, objectGroup = group(shape(1, "rectangle", 1, 1, 5, 5),
      shape(2, "rectangle", 1, 1, 5, 5)) },
    { id = 8, type = "spring" },
  }
end

local function tilesOf(rows)
  local data = {}
  for _, row in ipairs(rows) do
    for _, gid in ipairs(row) do
      data[#data + 1] = gid
    end
  end
  return { type = "tilelayer", name = "ground", width = #rows[1], height = #rows, offsetx = 0,
    offsety = 0, properties = {}, encoding = "lua", data = data }
end

local function newMap(...)
  return { orientation = "orthogonal", tilewidth = 10, tileheight = 10, properties = {},
    tilesets = { { name = "tiles", firstgid = 1, tilewidth = 10, tileheight = 10,
      tiles = newTiles() } },
    layers = { ... } }
end

-- What all boxes over a place are, as a sorted list of texts. Equal boxes are told once: a tile may
-- have a shape twice.
local function tell(world, x, y)
  local found, isThere = {}, {}
  for _, box in ipairs((world:queryPoint(x, y))) do
    local nx, ny = box:getOneWay()
    local data = box:getData()
    local text = ("%s %d %s %s %s"):format(box:getShape(), (box:getFilter()), tostring(nx),
      tostring(ny), tostring(data and data.id))
    if not isThere[text] then
      isThere[text] = true
      table.insert(found, text)
    end
  end
  table.sort(found)
  return table.concat(found, ", ")
end

-- Asserts that two worlds are the same at places all over some cells of 10 x 10.
local function expectSame(one, other, x, y, columns, rows)
  local wrong = 0
  for at = x - 4.7, x + 10 * columns + 5, 2.3 do
    for down = y - 4.6, y + 10 * rows + 5, 2.3 do
      wrong = wrong + (tell(one, at, down) == tell(other, at, down) and 0 or 1)
    end
  end
  assert.equal(0, wrong)
end

local function randomGid(rng)
  local gid = rng:int(0, 10)
  if gid > 0 and rng:int(1, 3) == 1 then
    gid = gid + rng:pick({ FLIP_X, FLIP_Y, FLIP_DIAGONAL, FLIP_X + FLIP_DIAGONAL })
  end
  return gid
end

describe("tiled.newMap", function()
  local world

  before_each(function()
    world = broadside.newWorld()
  end)

  it("makes what tiled.insert makes, before and after edits, with flips", function()
    local rng = random.new(70)
    for _ = 1, compat.rounds(8) do
      world = broadside.newWorld()
      local rows = {}
      for row = 1, rng:int(1, 12) do
        rows[row] = {}
        for column = 1, 40 do
          rows[row][column] = randomGid(rng)
        end
      end
      local opts = { x = 30, y = -7, legend = { spring = { layer = 8 } } }
      local exported = newMap(tilesOf(rows))
      local map = tiled.newMap(world, exported, "ground", opts)
      assert.same({ 40, #rows }, { map:size() })
      for edits = 0, 40, 20 do
        for _ = 1, edits do
          local column, row, gid = rng:int(1, 40), rng:int(1, #rows), randomGid(rng)
          rows[row][column] = gid
          map:set(column, row, gid)
          assert.equal(gid, map:get(column, row))
        end
        exported.layers[1] = tilesOf(rows)
        local other = broadside.newWorld()
        tiled.insert(other, exported, opts)
        expectSame(other, world, 30, -7, 40, #rows)
      end
      map:remove()
      assert.equal(0, world:count())
    end
  end)

  it("merges tiles, and cuts what is edited", function()
    local map = tiled.newMap(world, newMap(tilesOf({ { 1, 1, 1 }, { 1, 1, 1 } })), "ground")
    assert.equal(1, world:count())
    map:set(2, 1, 0)
    assert.equal(0, map:get(2, 1))
    assert.equal(3, world:count())
    map:set(2, 1, 1)
    assert.equal(1, world:count())
  end)

  it("sets names of the legend, also functions", function()
    local calls = {}
    local exported = newMap(tilesOf({ { 0, 9, 0 } }))
    local map = tiled.newMap(world, exported, "ground", { x = 5, legend = {
      water = { sensor = true, layer = 2, data = "water" }, rock = true, none = false,
      spring = function(...) table.insert(calls, { ... }) end } })
    assert.same({ 15, 0, 10, 10 }, { compat.unpack(calls[1], 1, 4) })
    assert.equal(8, calls[1][5].id)
    assert.equal(exported.layers[1], calls[1][6])
    assert.equal(0, world:count())
    map:set(1, 1, "water")
    map:set(2, 1, "water")
    assert.equal("water", map:get(1, 1))
    assert.equal(1, world:count())
    local box = world:queryPoint(6, 1)[1]
    assert.same({ 5, 0, 20, 10 }, { box:getRect() })
    assert.same({ true, 2, "water" }, { box:isSensor(), (box:getFilter()), box:getData() })
    map:set(3, 1, "rock")
    assert.same({ "rock", 25 }, { world:queryPoint(26, 1)[1]:getData().class,
      (world:queryPoint(26, 1)[1]:getRect()) })
    map:set(3, 1, "none")
    map:set(1, 1, "spring")
    assert.equal(1, world:count())
    assert.same({ 5, 0, 10, 10 }, { compat.unpack(calls[2], 1, 4) })
    assert.equal("spring", calls[2][5].class)
  end)

  it("finds the layer by its name or itself, in groups, with their offsets", function()
    local first, second = tilesOf({ { 1 } }), tilesOf({ { 0, 1 } })
    second.name, second.offsetx = "deep", 3
    local exported = newMap({ type = "group", name = "g", offsetx = 100, offsety = 40,
      layers = { second } }, { type = "objectgroup", name = "deep", objects = {} }, first)
    for _, layer in ipairs({ "deep", second }) do
      local map = tiled.newMap(world, exported, layer)
      assert.same({ 103, 40, 10, 10 }, { map:toWorld(1, 1) })
      assert.same({ 113, 40, 10, 10 }, { world:queryRect(0, 0, 500, 500)[1]:getRect() })
      map:remove()
    end
    assert.equal(1, tiled.newMap(world, exported, first):get(1, 1))
  end)

  it("takes the chunks of infinite maps; columns count from the first of them", function()
    local layer = { type = "tilelayer", name = "ground", encoding = "lua", chunks = {
      { x = -16, y = 0, width = 2, height = 2, data = { 1, 1, 0, 1 } },
      { x = 2, y = -2, width = 2, height = 2, data = { 0, 2, 3, 0 } } } }
    local exported = newMap(layer)
    local map = tiled.newMap(world, exported, "ground", { x = 1 })
    assert.same({ 20, 4 }, { map:size() })
    assert.equal("4", tostring(select(2, map:size())))
    assert.same({ -159, -20, 10, 10 }, { map:toWorld(1, 1) })
    assert.same({ 1, 3 }, { map:toCell(-159, 0) })
    assert.same({ 1, 1, 0, 1, 2, 3, 0 }, { map:get(1, 3), map:get(2, 3), map:get(1, 4),
      map:get(2, 4), map:get(20, 1), map:get(19, 2), map:get(5, 2) })
    local other = broadside.newWorld()
    tiled.insert(other, exported, { x = 1 })
    expectSame(other, world, -159, -20, 20, 4)
    layer.chunks[2].x = 2 ^ 30
    expect.badArgument(2, "newMap", "at most 16777216 cells", tiled.newMap, world, exported,
      "ground")
    layer.chunks = {}
    assert.same({ 0, 0 }, { tiled.newMap(world, exported, "ground"):size() })
  end)

  it("can be searched, and its hits have cells", function()
    local map = tiled.newMap(world, newMap(tilesOf({ { 0, 1, 10 }, { 0, 2, 0 }, { 0, 0, 0 } })),
      "ground")
    assert.same({ 0, -1, 6, 1, -1, 5, 2, 3, 4 }, (map:flood(1, 1)))
    assert.same({ 0, -1, 4, 1, 2, 3, 2, 3, 4 },
      (map:flood(1, 1, function(gid) return gid ~= 1 end)))
    assert.same({ 1, 1, 2, 1, 3, 1 }, (map:rayCells(1, 5, 25, 5)))
    assert.same({ 2, 1 }, { map:cellAt(world:segmentCast(1, 5, 25, 5)) })
  end)

  it("goes back with its world, also by a stored state", function()
    local exported = newMap(tilesOf({ { 0, 1, 3 + FLIP_X }, { 4, 5, 1 } }))
    local map = tiled.newMap(world, exported, "ground", { legend = { rock = true } })
    map:set(1, 1, "rock")
    local before, state = world:snapshot(), map:snapshot()
    map:set(1, 1, 3)
    map:set(3, 1, 0)
    world:restore(before)
    map:restore(state)
    assert.same({ "rock", 3 + FLIP_X }, { map:get(1, 1), map:get(3, 1) })
    local other = broadside.newWorld()
    local again = tiled.newMap(other, exported, "ground", { legend = { rock = true } })
    other:restore(before:getString())
    again:restore({ columns = state.columns, rows = state.rows, symbols = state.symbols,
      chunks = state.chunks })
    assert.equal("rock", again:get(1, 1))
    again:remove()
    assert.equal(0, other:count())
  end)

  it("with onError tells which tiles cannot be boxes, once, and they are nothing", function()
    local exported, told = newMap(tilesOf({ { 2, 1, 2 } })), {}
    exported.tilesets[1].tiles[2].properties = { mass = "heavy" }
    expect.badArgument(2, "newMap", "option 'mass'", tiled.newMap, world, exported, "ground")
    assert.equal(0, world:count())
    local map = tiled.newMap(world, exported, "ground", { onError = function(text)
      table.insert(told, { text, world:count() })
    end })
    assert.equal(1, #told)
    assert.equal(1, told[1][2])
    assert.is_truthy(told[1][1]:find("option 'mass'", 1, true))
    assert.equal(2, map:get(1, 1))
    assert.equal(1, world:count())
  end)

  it("says what is wrong, and changes nothing", function()
    local exported = newMap(tilesOf({ { 0, 1, 0 } }), { type = "objectgroup", name = "things",
      objects = {} })
    local function refuses(position, text, ...)
      expect.badArgument(position, "newMap", text, tiled.newMap, ...)
      assert.equal(0, world:count())
    end
    refuses(1, "2D World expected, got nil", nil, exported, "ground")
    refuses(1, "call it with '.'", tiled, world, exported, "ground")
    refuses(2, "map that Tiled has exported as Lua or JSON expected, got nil", world)
    refuses(3, "name of a tile layer, or the layer, expected, got nil", world, exported)
    refuses(3, "no tile layer 'things'; there is 'ground'", world, exported, "things")
    refuses(3, "no such tile layer", world, exported, tilesOf({ { 1 } }))
    refuses(4, "unknown option 'legends'", world, exported, "ground", { legends = {} })
    refuses(4, "option 'x': finite number expected, got 'a'", world, exported, "ground",
      { x = "a" })
    refuses(4, "option 'legend', 'a'", world, exported, "ground", { legend = { a = 7 } })
    exported.layers[1].data, exported.tilewidth = { 0, 0, 1 }, 1e308
    refuses(2, "in row 1, column 3: finite sides expected, got inf", world, exported, "ground")
    exported.layers[1].data = "x"
    refuses(2, "encoding 'base64' expected", world, exported, "ground")
  end)

  it("says what cannot be set, and changes nothing", function()
    local exported = newMap(tilesOf({ { 0, 1, 0 } }))
    exported.tilesets[1].tiles[2].properties = { mass = "heavy" }
    local map = tiled.newMap(world, exported, "ground", { legend = { rock = true } })
    for symbol, text in pairs({ stone = "legend has no 'stone'", [-1] = "number of a tile",
      [2 ^ 32] = "number of a tile", [0.5] = "number of a tile", [2] = "option 'mass'",
      [true] = "number of a tile expected, got boolean" }) do
      expect.badArgument(3, "set", text, map.set, map, 1, 1, symbol)
    end
    expect.badArgument(3, "set", "nil", map.set, map, 1, 1)
    assert.equal(1, world:count())
    assert.equal(0, map:get(1, 1))
    exported.tilesets = {}
    expect.badArgument(2, "newMap", "no tileset has the tile 1", tiled.newMap, world, exported,
      "ground")
  end)

  it("costs the same for each cell, and nothing for tiles that are there again", function()
    for _, side in ipairs({ 100, 200 }) do
      local rows = {}
      for row = 1, side do
        rows[row] = {}
        for column = 1, side do
          rows[row][column] = (row * column) % 7 == 0 and 3 or (row + column) % 11
        end
      end
      local exported = newMap(tilesOf(rows))
      effort.limit(1000 * side * side, tiled.newMap, world, exported, "ground")
    end
  end)

  it("does what its page says", function()
    local cave = newMap(tilesOf({ { 1, 0, 0, 0 }, { 1, 1, 1, 1 } }))
    cave.tilewidth, cave.tileheight = 16, 16
    cave.tilesets[1] = { name = "rocks", firstgid = 1, tilewidth = 16, tileheight = 16, tiles = {} }
    local env = { world = world, tiled = tiled, cave = cave }
    assert.equal("1 0", (page.run("doc/tiled.md", 3, env)))
    for place, n in pairs({ [8] = 1, [24] = 0, [40] = 1 }) do
      assert.equal(n, select(2, world:queryPoint(place, 24)))
    end
    assert.equal(1, select(2, world:queryPoint(24, 8)))
  end)
end)
