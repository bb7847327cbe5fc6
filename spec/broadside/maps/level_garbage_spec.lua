-- Valid maps between calls with bad ones: numbers such as NaN and 2^53, tables in wrong places,
-- metatables. LuaJIT compiles what it sees most, so the code that it has compiled for such calls
-- must also serve valid ones.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local effort = require("spec.support.effort")
local ldtk = require("broadside.ldtk")
local random = require("spec.support.random")
local tiled = require("broadside.tiled")
local tiles = require("broadside.tiles")

local NUMBERS = {
  compat.nan, compat.huge, -compat.huge, 2 ^ 53, -2 ^ 53, 1e308, compat.minDouble, 0, -1, 0.5,
}

local function newEndless()
  return setmetatable({}, { __index = function()
    return "#"
  end })
end

local STRANGE = {
  function(rng) return rng:pick(NUMBERS) end,
  newEndless,
  function(rng) return { rng:pick(NUMBERS), rng:pick(NUMBERS), [2 ^ 53] = 1, [0.5] = "#" } end,
  function() return print end,
  function() return "#" end,
}

-- The value, or, one time in eight, another one.
local function maybe(rng, value)
  if rng:chance(0.125) then
    return rng:pick(STRANGE)(rng)
  end
  return value
end

local function garbageRects(rng)
  local map = {}
  for row = 1, rng:int(0, 4) do
    map[row] = {}
    for column = 1, rng:int(0, 6) do
      map[row][column] = maybe(rng, rng:pick({ 1, 2, 0, "#", "o" }))
    end
    map[row] = maybe(rng, map[row])
  end
  local legend = { maybe(rng, true), maybe(rng, { merge = false }),
    ["#"] = maybe(rng, { rect = { 0, 0, maybe(rng, 1), maybe(rng, 1) } }), o = maybe(rng, {}) }
  return pcall(tiles.rects, maybe(rng, map), maybe(rng, legend),
    { w = maybe(rng, 1), x = maybe(rng, 0), y = maybe(rng, 0) })
end

local function newTiled(part, gid)
  return { orientation = "orthogonal", tilewidth = 10, tileheight = 10,
    tilesets = { { name = "t", firstgid = gid or 1, tilewidth = 10, tileheight = 10 } },
    layers = { { type = "tilelayer", name = "ground", chunks = { part } } } }
end

local GROUND = { legend = { ground = true } }

local function garbageTiled(rng, world)
  local part = { x = maybe(rng, rng:int(-3, 3)), y = maybe(rng, 0), width = maybe(rng, 3),
    height = maybe(rng, 1), data = maybe(rng, { 1, maybe(rng, 1), 1 }) }
  return pcall(tiled.insert, world, newTiled(part, maybe(rng, 1)), GROUND)
end

-- Valid calls, and their results.
local LEGAL = {
  { { "#o", { 1, "o" }, "" },
    { [1] = { response = "touch" }, [2] = true, ["#"] = { merge = true }, o = {} },
    { "#", 0, 0, 2, 1, "o", 1, 1, 1, 1, 1, 0, 1, 1, 1 } },
  { { { 1, 1, 1 }, { 1, 1, 1 } }, nil, { 1, 0, 0, 3, 2 } },
  { "# #\n###", nil, { "#", 0, 0, 1, 2, "#", 2, 0, 1, 2, "#", 1, 1, 1, 1 } },
  { "..\n", nil, {} },
}

describe("Levels between calls of garbage", function()
  it("give the same boxes as without the garbage", function()
    local rng, world, refused = random.new(31), broadside.newWorld(), 0
    local rounds = compat.rounds(200)
    for round = 1, rounds do
      for _, garbage in ipairs({ garbageRects, garbageTiled }) do
        local done = garbage(rng, world)
        refused = refused + (done and 0 or 1)
        world:clear()
      end
      local case = LEGAL[round % #LEGAL + 1]
      assert.same(case[3], (tiles.rects(case[1], case[2], { w = 1 })))
      local boxes = tiled.insert(world, newTiled({ x = -2, y = 1, width = 3, height = 1,
        data = { 1, 1, 1 } }), GROUND)
      assert.same({ -20, 10, 30, 10 }, { boxes[1]:getRect() })
      world:clear()
    end
    assert.is_true(refused > rounds / 2, refused .. " of " .. 2 * rounds)
  end)
end)

-- Maps of editors in which one thing is something else ------------------------------------------

local function newThing(id, more)
  local thing = { id = id, name = "", type = "", shape = "rectangle", x = 0, y = 0, width = 5,
    height = 5, rotation = 0, properties = { layer = 2 } }
  for name, value in pairs(more) do
    thing[name] = value
  end
  return thing
end

local function newTiledMap(orientation)
  return { orientation = orientation or "orthogonal", tilewidth = 10, tileheight = 10,
    staggeraxis = "y", staggerindex = "odd", hexsidelength = 4,
    tilesets = {
      { name = "t", firstgid = 1, tilewidth = 10, tileheight = 10, tileoffset = { x = 0, y = 0 },
        grid = { orientation = orientation and "isometric", width = 10, height = 10 },
        tiles = { { id = 0, objectGroup = { objects = { newThing(1, {}) } } } } },
      { firstgid = 9, filename = "out.tsx", exportfilename = "out.lua" },
    },
    layers = {
      { type = "tilelayer", name = "ground", width = 2, height = 2, data = { 1, 9, 0, 2 },
        offsetx = 0, offsety = 0, properties = {} },
      { type = "tilelayer", name = "coded", encoding = "base64", chunks = {
        { x = 0, y = 0, width = 1, height = 1, data = "AQAAAA==" } } },
      { type = "group", name = "g", layers = { { type = "objectgroup", name = "things", objects = {
        newThing(2, { gid = 1 }), newThing(3, { shape = "ellipse" }),
        newThing(4, { shape = "polygon", polygon = { { x = 0, y = 0 }, { x = 5, y = 0 },
          { x = 0, y = 5 } } }), newThing(5, { shape = "polyline", properties = { thickness = 2 },
          polyline = { { x = 0, y = 0 }, { x = 5, y = 0 }, { x = 5, y = 5 } } }) } } } },
    } }
end

local function newLdtkProject()
  local function newLayer(type, more)
    local layer = { __identifier = type, __type = type, __cWid = 2, __cHei = 1, __gridSize = 10,
      __pxTotalOffsetX = 0, __pxTotalOffsetY = 0, layerDefUid = 1, __tilesetDefUid = 7,
      intGridCsv = {}, gridTiles = {}, autoLayerTiles = {}, entityInstances = {} }
    for name, value in pairs(more) do
      layer[name] = value
    end
    return layer
  end
  return { worldLayout = "Free", worlds = {}, defs = {
    layers = { { uid = 1, intGridValues = { { value = 1, identifier = "walls" } } } },
    tilesets = { { uid = 7, tileGridSize = 10, enumTags = {
      { enumValueId = "Stone", tileIds = { 0 } } } } },
  }, levels = {
    { identifier = "A", iid = "a", worldX = 0, worldY = 0, pxWid = 20, pxHei = 10,
      layerInstances = { newLayer("IntGrid", { intGridCsv = { 1, 2 } }),
        newLayer("Tiles", { gridTiles = { { t = 0, px = { 0, 0 } } } }),
        newLayer("Entities", { entityInstances = { { __identifier = "Door", iid = "d",
          px = { 0, 0 }, __pivot = { 0, 0 }, width = 5, height = 5 } } }) } },
    { identifier = "B", iid = "b", worldX = 100, worldY = 0, externalRelPath = "B.ldtkl" },
  } }
end

-- All places in a tree, {table, key}, always in the same order.
local function placesOf(tree, places)
  local keys = {}
  for key in pairs(tree) do
    table.insert(keys, key)
  end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  for _, key in ipairs(keys) do
    table.insert(places, { tree, key })
    if type(tree[key]) == "table" then
      placesOf(tree[key], places)
    end
  end
  return places
end

local function insertTiled(world, map, opts)
  opts.legend = { ground = true, coded = true }
  opts.tilesets = { ["out.tsx"] = { tilewidth = 10, tileheight = 10 } }
  return tiled.insert(world, map, opts)
end

local function newMapOf(layer)
  return function(world, map, opts)
    opts.legend = { ground = true, coded = true }
    opts.tilesets = { ["out.tsx"] = { tilewidth = 10, tileheight = 10 } }
    local made = tiled.newMap(world, map, layer, opts)
    for _, symbol in ipairs({ 1, 0, 2, "ground", 1e6, "none" }) do
      pcall(made.set, made, 1, 1, symbol)
    end
    return made, world:count() - 1
  end
end

-- Functions that make a map, and functions that load it.
local LOADERS = {
  { newTiledMap, insertTiled },
  { newTiledMap, newMapOf("ground") },
  { newTiledMap, newMapOf("coded") },
  { function() return newTiledMap("isometric") end, insertTiled },
  { function() return newTiledMap("isometric") end, newMapOf("ground") },
  { function() return newTiledMap("hexagonal") end, insertTiled },
  { newLdtkProject, function(world, project, opts)
    opts.legend, opts.files = { walls = true, Stone = true, Door = true }, function()
      return { layerInstances = {} }
    end
    return ldtk.insert(world, project, opts)
  end },
}

local function check(rng, loader, opts)
  local map, world = loader[1](), broadside.newWorld()
  local before, hash = world:insert(0, 0, 1, 1), world:snapshot():getHash()
  local place = rng:pick(placesOf(map, {}))
  place[1][place[2]] = rng:pick(STRANGE)(rng)
  local done, boxes, n = pcall(effort.limit, 1e6, loader[2], world, map, opts)
  if done then
    assert.equal(1 + n, world:count())
  else
    assert.truthy(boxes:find("bad argument #2 to '%a+' %(")
      or boxes:find("bad argument #3 to 'newMap' (no tile layer", 1, true), boxes)
    assert.is_nil(boxes:find("attempt to", 1, true), boxes)
    assert.equal(hash, world:snapshot():getHash())
  end
  assert.is_true(world:has(before))
  return done
end

describe("Maps of editors in which one thing is something else", function()
  it("load, or are refused with nothing changed; with onError most load", function()
    local refused, left, told, seeds = 0, 0, 0, random.seeds(150)
    for _, seed in ipairs(seeds) do
      local rng = random.new(seed)
      for _, loader in ipairs({ rng:pick(LOADERS), LOADERS[#LOADERS] }) do
        refused = refused + (check(rng, loader, {}) and 0 or 1)
      end
      left = left + (check(rng, LOADERS[1], { onError = function(message)
        assert.is_string(message)
        told = told + 1
      end }) and 0 or 1)
    end
    assert.is_true(refused > #seeds / 4 and told > #seeds / 8 and left < #seeds / 3,
      ("%d refused, %d left out, %d refused with onError"):format(refused, told, left))
  end)
end)
