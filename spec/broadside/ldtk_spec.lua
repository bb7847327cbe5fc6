-- broadside.ldtk: small projects in LDtk's format, made by hand and checked point by point.
-- LDTK_SAMPLES=folder also tests the samples that LDtk ships (app/extraFiles/samples). dkjson reads
-- them, which busted itself needs.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local effort = require("spec.support.effort")
local expect = require("spec.support.expect")
local ldtk = require("broadside.ldtk")
local page = require("spec.support.page")
local random = require("spec.support.random")

local SAMPLES = os.getenv("LDTK_SAMPLES")

local function layer(type, name, more)
  local result = { __identifier = name, __type = type, __cWid = 0, __cHei = 0, __gridSize = 10,
    __pxTotalOffsetX = 0, __pxTotalOffsetY = 0, layerDefUid = 1, intGridCsv = {}, gridTiles = {},
    autoLayerTiles = {}, entityInstances = {} }
  for key, value in pairs(more or {}) do
    result[key] = value
  end
  return result
end

local function grid(columns, csv, more)
  local result = layer("IntGrid", "Collisions", more)
  result.__cWid, result.__cHei, result.intGridCsv = columns, #csv / columns, csv
  return result
end

local function tile(id, x, y)
  return { t = id, px = { x, y }, src = { 0, 0 }, f = 0 }
end

local function tiles(name, list, more)
  local result = layer("Tiles", name, more)
  result.gridTiles, result.__tilesetDefUid = list, 7
  return result
end

local function entity(name, x, y, w, h, pivot)
  return { __identifier = name, iid = "e1", px = { x, y }, width = w, height = h,
    __pivot = pivot or { 0, 0 }, fieldInstances = {} }
end

local function entities(...)
  return layer("Entities", "Things", { entityInstances = { ... } })
end

local function newLevel(name, x, y, ...)
  return { identifier = name, iid = "iid of " .. name, worldX = x, worldY = y, pxWid = 100,
    pxHei = 50, layerInstances = { ... } }
end

local function newProject(...)
  return { worldLayout = "Free", levels = { ... }, defs = {
    layers = {
      { uid = 1, identifier = "Collisions", intGridValues = {
        { value = 1, identifier = "walls" }, { value = 2, identifier = "water" }, { value = 3 },
      } },
      { uid = 2, identifier = "Other", intGridValues = {} },
    },
    tilesets = { { uid = 7, identifier = "Cave", tileGridSize = 10, enumTags = {
      { enumValueId = "Stone", tileIds = { 0, 5 } }, { enumValueId = "Lava", tileIds = { 5, 6 } },
    } } },
  } }
end

-- The boxes as lists of their shape and its numbers.
local function list(project, opts, world)
  local boxes, n = ldtk.insert(world or broadside.newWorld(), project, opts)
  assert.equal(n, #boxes)
  local found = {}
  for i, box in ipairs(boxes) do
    found[i] = box:getShape() == "box" and { box:getRect() } or { box:getShape() }
  end
  return found
end

local function only(...)
  return newProject(newLevel("First", 0, 0, ...))
end

-- A layer from rows of symbols, in which digits are values.
local function rows(...)
  local csv = {}
  for _, row in ipairs({ ... }) do
    for symbol in row:gmatch(".") do
      table.insert(csv, tonumber(symbol))
    end
  end
  return grid(#(...), csv)
end

-- How many boxes are at the middle of a cell of ten pixels.
local function count(world, x, y)
  return select(2, world:queryPoint(x + 5, y + 5))
end

-- A random project of levels side by side, and its points {x, y, isSolid}, one for each cell.
local function newRandom(rng)
  local levels, points = {}, {}
  for n = 1, rng:int(1, 3) do
    local columns, height = rng:int(1, 6), rng:int(1, 5)
    local left, top = 200 * n + rng:int(-7, 7), rng:int(-50, 50)
    local dx, dy, csv = rng:int(-3, 3), rng:int(-3, 3), {}
    for i = 0, columns * height - 1 do
      local value = rng:int(0, 3)
      csv[i + 1] = value
      table.insert(points, { left + dx + i % columns * 10, top + dy + math.floor(i / columns) * 10,
        value == 1 or value == 3 })
    end
    levels[n] = newLevel("L" .. n, left, top,
      grid(columns, csv, { __pxTotalOffsetX = dx, __pxTotalOffsetY = dy }))
  end
  return newProject(compat.unpack(levels)), points
end

describe("broadside.ldtk", function()
  describe("takes values of IntGrid layers:", function()
    it("by name, by number, and by the name of the layer", function()
      local project = only(rows("1102", "1130"))
      assert.same({}, list(project))
      assert.same({ { 0, 0, 20, 20 } }, list(project, { legend = { walls = true } }))
      assert.same({ { 30, 0, 10, 10 } }, list(project, { legend = { [2] = true } }))
      assert.same({ { 20, 10, 10, 10 } }, list(project, { legend = { [3] = true } }))
      assert.same({ { 0, 0, 20, 20 }, { 20, 10, 10, 10 }, { 30, 0, 10, 10 } },
        list(project, { legend = { Collisions = { layer = 4 }, [2] = { layer = 2 } } }))
      assert.same({ { 30, 0, 10, 10 }, { 20, 10, 10, 10 } },
        list(project, { legend = { Collisions = true, walls = false } }))
      assert.same({}, list(project, { legend = { Collisions = false, walls = true } }))
    end)

    it("the name before the number, and both before the layer", function()
      local project = only(rows("123"))
      local boxes = ldtk.insert(broadside.newWorld(), project, { legend = {
        walls = { layer = 2 }, { layer = 4 }, { layer = 8 }, Collisions = { layer = 16 },
      } })
      for i, layers in ipairs({ 2, 8, 16 }) do
        assert.equal(layers, (boxes[i]:getFilter()))
        assert.is_true(boxes[i]:isStatic())
      end
    end)

    it("merged where they mean the same, and where the legend lets them", function()
      local project = only(rows("1231"))
      assert.same({ { 0, 0, 40, 10 } }, list(project, { legend = { true, true, true } }))
      assert.same({ { 0, 0, 40, 10 } }, list(project, { legend = { { layer = 2 },
        { layer = 2 }, { layer = 2 } } }))
      assert.equal(4, #list(project, { legend = { Collisions = { merge = false } } }))
    end)

    it("with shapes within the cell: ledges, slopes", function()
      assert.same({ { 0, 4, 20, 6 }, { 20, 0, 10, 10 } }, list(only(rows("112")),
        { legend = { { rect = { 0, 4, 10, 6 } }, true } }))
      local world = broadside.newWorld()
      ldtk.insert(world, only(rows("01")), { legend = { { polygon = { 0, 10, 10, 0, 10, 10 } } } })
      assert.equal(1, (select(2, world:queryPoint(17, 7))))
      assert.equal(0, (select(2, world:queryPoint(13, 3))))
    end)

    it("by a function for each cell, when the boxes are there", function()
      local calls, world, project = {}, broadside.newWorld(), only(rows("0102", "3300"))
      local first = project.levels[1]
      ldtk.insert(world, project, { x = 1000, legend = { true, Collisions = function(...)
        table.insert(calls, { world:count(), ... })
      end } })
      local walls, ground = project.defs.layers[1].intGridValues, first.layerInstances[1]
      assert.same({ { 1, 1030, 0, 10, 10, walls[2], ground, first },
        { 1, 1000, 10, 10, 10, walls[3], ground, first },
        { 1, 1010, 10, 10, 10, walls[3], ground, first } }, calls)
      assert.equal(walls[2], calls[1][6])
    end)

    it("as they stand, cell by cell, with levels and layers anywhere", function()
      for _, seed in ipairs(random.seeds(100)) do
        local rng = random.new(seed)
        local project, points = newRandom(rng)
        local world, x, y = broadside.newWorld(), rng:int(-9, 9), rng:int(-9, 9)
        ldtk.insert(world, project, { x = x, y = y, legend = { walls = true, [3] = true } })
        for _, point in ipairs(points) do
          assert.equal(point[3] and 1 or 0, count(world, x + point[1], y + point[2]), seed)
        end
      end
    end)
  end)

  describe("takes tiles:", function()
    it("by their tags, in the order of the tileset, and by their layer", function()
      local project = only(tiles("Ground", { tile(0, 0, 0), tile(5, 10, 0), tile(6, 20, 0),
        tile(9, 30, 0) }))
      assert.same({}, list(project))
      assert.same({ { 0, 0, 20, 10 } }, list(project, { legend = { Stone = true } }))
      assert.same({ { 0, 0, 10, 10 } }, list(project, { legend = { Stone = true, Lava = false } }))
      assert.same({ { 0, 0, 40, 10 } }, list(project, { legend = { Ground = true } }))
      assert.same({ { 0, 0, 10, 10 }, { 30, 0, 10, 10 } },
        list(project, { legend = { Ground = true, Lava = false } }))
      local boxes = ldtk.insert(broadside.newWorld(), project,
        { legend = { Stone = { layer = 2 }, Lava = { layer = 4 } } })
      assert.same({ 0, 0, 20, 10 }, { boxes[1]:getRect() })
      assert.same({ 2, 4 }, { (boxes[1]:getFilter()), (boxes[2]:getFilter()) })
    end)

    it("of rules, also beside the grid and over each other", function()
      local auto = { tile(0, 3, 0), tile(0, 13, 0), tile(0, 13, 0), tile(0, 23, 4), tile(1, 50, 0) }
      local ground = layer("AutoLayer", "Ground", { autoLayerTiles = auto, __tilesetDefUid = 7,
        __pxTotalOffsetX = 100 })
      assert.same({ { 103, 0, 20, 10 }, { 123, 4, 10, 10 } },
        list(only(ground), { legend = { Stone = true } }))
    end)

    it("in IntGrid layers only by their tags", function()
      local ground = rows("100")
      ground.autoLayerTiles, ground.__tilesetDefUid = { tile(0, 20, 0), tile(9, 10, 0) }, 7
      assert.same({ { 0, 0, 10, 10 } }, list(only(ground), { legend = { Collisions = true } }))
      assert.same({ { 20, 0, 10, 10 } }, list(only(ground), { legend = { Stone = true } }))
    end)

    it("of another size than the layer's cells", function()
      local ground = tiles("Ground", { tile(0, 0, 0), tile(0, 10, 0), tile(0, 0, 10) },
        { __gridSize = 4 })
      assert.same({ { 0, 0, 20, 10 }, { 0, 10, 10, 10 } },
        list(only(ground), { legend = { Stone = true } }))
    end)

    it("by a function for each", function()
      local calls, lava = {}, tile(6, 20, 30)
      local ground = tiles("Ground", { tile(0, 0, 0), lava })
      local project = only(ground)
      ldtk.insert(broadside.newWorld(), project, { legend = { Lava = function(...)
        table.insert(calls, { ... })
      end } })
      assert.same({ { 20, 30, 10, 10, lava, ground, project.levels[1] } }, calls)
    end)
  end)

  describe("takes entities:", function()
    it("by functions, with the rectangle that their pivot says", function()
      local calls, door = {}, entity("Door", 50, 40, 10, 20, { 0.5, 1 })
      local things = entities(entity("Player", 1, 2, 3, 4), door)
      things.__pxTotalOffsetY = 100
      local project = newProject(newLevel("First", 1000, 0, things))
      ldtk.insert(broadside.newWorld(), project, { legend = { Door = function(...)
        table.insert(calls, { ... })
      end } })
      assert.same({ { 1045, 120, 10, 20, door, things, project.levels[1] } }, calls)
    end)

    it("as boxes, with the entity as data, or what the legend says", function()
      local door = entity("Door", 50, 40, 10, 20)
      local project = only(entities(entity("Player", 1, 2, 3, 4), door))
      local boxes = ldtk.insert(broadside.newWorld(), project, { legend = { Door = true } })
      assert.same({ 50, 40, 10, 20 }, { boxes[1]:getRect() })
      assert.equal(door, boxes[1]:getData())
      boxes = ldtk.insert(broadside.newWorld(), project,
        { legend = { Door = { data = 7, sensor = true, static = false, rect = { 1, 2, 3, 4 } } } })
      assert.same({ 51, 42, 3, 4 }, { boxes[1]:getRect() })
      assert.same({ 7, true, false }, { boxes[1]:getData(), boxes[1]:isSensor(),
        boxes[1]:isStatic() })
      assert.equal(2, #list(project, { legend = { Things = true } }))
      door.height = 0 -- without an area
      assert.equal(1, #list(project, { legend = { Things = true } }))
      door.height = 20
      assert.equal(1, #list(project, { legend = { Things = true, Player = false } }))
    end)
  end)

  describe("takes levels:", function()
    local function three(layout)
      local project = newProject(newLevel("A", -100, 30, rows("1")), newLevel("B", 0, 0, rows("1")),
        newLevel("C", 500, 500, rows("1")))
      project.worldLayout = layout
      return project
    end
    local WALLS = { walls = true }

    it("at their places in the world, also a single level", function()
      for _, layout in ipairs({ "Free", "GridVania" }) do
        assert.same({ { -99, 32, 10, 10 }, { 1, 2, 10, 10 }, { 501, 502, 10, 10 } },
          list(three(layout), { x = 1, y = 2, legend = WALLS }))
        for _, name in ipairs({ "C", "iid of C" }) do
          assert.same({ { 501, 502, 10, 10 } },
            list(three(layout), { x = 1, y = 2, legend = WALLS, level = name }))
        end
      end
    end)

    it("without places in a row or a column, a single level at the world's place", function()
      assert.same({ { 1, 2, 10, 10 }, { 101, 2, 10, 10 }, { 201, 2, 10, 10 } },
        list(three("LinearHorizontal"), { x = 1, y = 2, legend = WALLS }))
      assert.same({ { 1, 2, 10, 10 }, { 1, 52, 10, 10 }, { 1, 102, 10, 10 } },
        list(three("LinearVertical"), { x = 1, y = 2, legend = WALLS }))
      assert.same({ { 1, 2, 10, 10 } },
        list(three("LinearVertical"), { x = 1, y = 2, legend = WALLS, level = "B" }))
      local project = three("LinearVertical")
      project.levels[1].pxHei = 0
      assert.same({ 0, 0, 10, 10 }, list(project, { legend = WALLS })[2])
    end)

    it("of several worlds", function()
      local project, other = three("Free"), three("LinearHorizontal")
      project.worlds = { { worldLayout = "Free", levels = project.levels },
        { worldLayout = "LinearHorizontal", levels = other.levels } }
      project.levels, project.worldLayout = {}, nil
      assert.equal(6, #list(project, { legend = WALLS }))
    end)

    it("in files of their own", function()
      local project, asked = three("Free"), {}
      for i, entry in ipairs(project.levels) do
        entry.externalRelPath = "world/" .. entry.identifier .. ".ldtkl"
        asked[i] = { identifier = entry.identifier, layerInstances = entry.layerInstances,
          worldX = 7, worldY = 7 }
        asked[entry.externalRelPath] = asked[i]
        entry.layerInstances = i == 1 and broadside.newWorld() or nil -- null may be a userdata
      end
      local paths = {}
      local function files(path)
        table.insert(paths, path)
        return asked[path]
      end
      assert.same({ { 0, 0, 10, 10 } },
        list(project, { level = "B", legend = WALLS, files = files }))
      assert.same({ "world/B.ldtkl" }, paths)
      assert.same({ { -100, 30, 10, 10 }, { 0, 0, 10, 10 }, { 500, 500, 10, 10 } },
        list(project, { legend = WALLS, files = files }))
    end)
  end)

  it("gives ids where results = 'id'", function()
    local world = broadside.newWorld({ results = "id" })
    local ids, n = ldtk.insert(world, only(rows("101")), { legend = { true } })
    assert.equal(2, n)
    assert.is_true(world:has(ids[1]) and world:has(ids[2]))
  end)

  describe("says what is wrong and where, and changes nothing:", function()
    -- Loads a project in which one value is changed, at the end of a path of keys.
    local function noProject(message, ...)
      local project = newProject(newLevel("First", 0, 0, rows("10", "01"),
        tiles("Ground", { tile(0, 0, 0) }), entities(entity("Door", 0, 0, 5, 5))))
      local path, n, at = { ... }, select("#", ...), project
      for i = 1, n - 2 do
        at = at[path[i]]
      end
      at[path[n - 1]] = path[n]
      return { 2, project, { legend = { true, Stone = true, Door = true } }, message }
    end
    local function noLayer(number, message, ...)
      return noProject(("layer '%s' of level 'First': %s"):format(
        ({ "Collisions", "Ground", "Things" })[number], message), "levels", 1, "layerInstances",
        number, ...)
    end
    local function noDoor(message, ...)
      return noProject("entity 'Door' (e1) of layer 'Things' of level 'First': " .. message,
        "levels", 1, "layerInstances", 3, "entityInstances", 1, ...)
    end
    local function noOpts(opts, message)
      return { 3, newProject(), opts, message }
    end
    local PROJECT = "table that a JSON library makes of a project of LDtk expected, got "
    local WHOLE = "whole number from -2147483648 to 2147483647 expected as "
    local CASES = {
      { 2, nil, nil, PROJECT .. "nil" },
      { 2, ("{}"):rep(100), nil, PROJECT .. "'" .. ("{}"):rep(30) .. "...'" },
      { 2, {}, nil, "project: table expected as 'defs', got nil" },
      noProject("project: table expected as 'levels', got nil", "levels", nil),
      noProject("defs: table expected as 'layers', got 7", "defs", "layers", 7),
      noProject("tileset: table expected as 'tileIds', got nil",
        "defs", "tilesets", 1, "enumTags", 1, "tileIds", nil),
      noProject("tileset: whole number from 1 to 2147483647 expected as 'tileGridSize', got nil",
        "defs", "tilesets", 1, "tileGridSize", nil),
      noProject("level: " .. WHOLE .. "'worldX', got nil", "levels", 1, "worldX", nil),
      noProject("level: " .. WHOLE .. "'worldY', got " .. tostring(2 ^ 53),
        "levels", 1, "worldY", 2 ^ 53),
      noProject("level 'First': table expected as 'layerInstances', got nil",
        "levels", 1, "layerInstances", nil),
      noLayer(1, "table expected as 'intGridCsv', got nil", "intGridCsv", nil),
      noLayer(1, "6 values expected, got 4", "__cWid", 3),
      noLayer(1, "0 values expected, got 4", "__cWid", 0),
      noLayer(1, WHOLE .. "'2', got 0.5", "intGridCsv", 2, 0.5),
      noLayer(1, "whole number from 1 to 2147483647 expected as '__gridSize', got 0",
        "__gridSize", 0),
      noLayer(1, WHOLE .. "'__pxTotalOffsetX', got nan",
        "__pxTotalOffsetX", compat.nan),
      noLayer(2, "table expected as 'px', got nil", "gridTiles", 1, "px", nil),
      noLayer(2, WHOLE .. "'2', got nil", "gridTiles", 1, "px", { 1 }),
      noLayer(3, "table expected as 'entityInstances', got 7", "entityInstances", 7),
      noDoor("table expected as '__pivot', got nil", "__pivot", nil),
      noDoor("whole number from 0 to 2147483647 expected as 'width', got -5", "width", -5),
      noOpts(7, "table expected, got 7"),
      noOpts({ scale = 1 }, "unknown option 'scale'; known: level, x, y, legend, files"),
      noOpts({ x = "1" }, "option 'x': finite number expected, got '1'"),
      noOpts({ files = 7 }, "option 'files': function expected, got 7"),
      noOpts({ level = 7 }, "option 'level': string expected, got 7"),
      noOpts({ legend = 7 }, "option 'legend': table expected, got 7"),
      noOpts({ legend = { walls = { colour = 7 } } }, "option 'legend', 'walls': unknown option "
        .. "'colour'; known: " .. expect.optionsOfInsert() .. ", rect, circle, polygon, merge"),
      { 2, only(rows("12")), { x = 1e15, legend = { true,
        { polygon = { 0, 1e-3, 1e-3, 0, 1e-3, 1e-3 } } } }, "layer 'Collisions' of level 'First', "
        .. "row 1, column 2: distinct corners expected, corner 3 repeats 1e+15, 0.001" },
      { 2, newProject(newLevel("First", 0, 0)), { level = "Last" },
        "project: no level is called 'Last'" },
    }
    local world = broadside.newWorld()
    for i, case in ipairs(CASES) do
      it(i .. ": " .. case[4], function()
        local done, got = pcall(function() ldtk.insert(world, case[2], case[3]) end)
        assert.is_false(done)
        assert.truthy(got:find("ldtk_spec.lua:%d+: "), got)
        assert.equal(("bad argument #%d to 'insert' (%s)"):format(case[1], case[4]),
          (got:gsub("^.-%d: ", "", 1)))
        assert.equal(broadside.newWorld():snapshot():getHash(), world:snapshot():getHash())
      end)
    end

    local function external(...)
      local levels = {}
      for i, path in ipairs({ ... }) do
        levels[i] = newLevel("L" .. i, 0, 0)
        levels[i].layerInstances, levels[i].externalRelPath = nil, path
      end
      return newProject(compat.unpack(levels))
    end

    it("levels in files", function()
      for _, case in ipairs({
        { nil, "level 'L1' is in the file 'a.ldtkl': write files = function(path) ... end, which "
          .. "returns it decoded" },
        { function() end, "level 'L1': table expected as 'a.ldtkl', got nil" },
        { function() return newLevel("L", 0, 0) end,
          "level 'L2' is in the file 'a.ldtkl', as another one is" },
      }) do
        expect.message("bad argument #2 to 'insert' (" .. case[2] .. ")", ldtk.insert, world,
          external("a.ldtkl", "a.ldtkl"), { files = case[1] })
      end
    end)

    it("and passes on what functions raise", function()
      local problem = {}
      local function raise()
        error(problem)
      end
      local _, got = pcall(ldtk.insert, world, external("a"), { files = raise })
      assert.equal(problem, got)
      _, got = pcall(ldtk.insert, world, only(rows("12")), { legend = { true, raise } })
      assert.equal(problem, got)
      assert.equal(1, world:count()) -- what was inserted before the functions are called stays
      world:clear()
    end)

    it("a world that is none", function()
      assert.has_error(function()
        ldtk.insert(broadside.newWorld({ dim = 3 }), only())
      end, "bad argument #1 to 'insert' (2D World expected, got World (3D, 0 boxes))")
    end)

    it("a project of anything else", function()
      for _, levels in ipairs({ { 7 }, { {} }, { newLevel("L", 0, 0, 7) },
        { newLevel("L", 0, 0, {}) }, { newLevel("L", 0, 0, entities(7)) } }) do
        expect.refused("bad argument #2 to 'insert'", ldtk.insert, world,
          newProject(compat.unpack(levels)), { legend = { Things = true } })
        assert.equal(0, world:count())
      end
    end)
  end)

  it("comes to an end: thousands of tags, of tiles beside all grids, of values without names",
    function()
      local project, list1, csv = newProject(newLevel("First", 0, 0)), {}, {}
      local tags = project.defs.tilesets[1].enumTags
      for i = 1, 500 do
        tags[i] = { enumValueId = "Tag", tileIds = { 0 } }
        list1[i] = tile(0, i % 10 + 20 * i, math.floor(i / 10) % 10)
        csv[i] = i
      end
      for i = 1, 10 do
        project.levels[1].layerInstances[i] = tiles("T" .. i, list1)
      end
      project.levels[1].layerInstances[11] = grid(50, csv)
      effort.limit(1e7, list, project, { legend = { Tag = true, Collisions = true } })
    end)

  it("does what its page says", function()
    local printed, expected = page.run("doc/ldtk.md", 2)
    assert.equal(expected, printed)
    assert.truthy(#expected > 20)
  end)

  it("makes a game of the page's first lines", function()
    local down, drawn, seen, drawnTiles = {}, nil, nil, {}
    local love = {
      filesystem = { read = function(path) return path end },
      keyboard = { isDown = function(key) return down[key] or false end },
      graphics = {
        newImage = function(path) return path end,
        newQuad = function(x, y) return x .. " " .. y end,
        newSpriteBatch = function()
          return { add = function(_, ...) table.insert(drawnTiles, { ... }) end }
        end,
        draw = function() end,
        rectangle = function(_, ...) drawn = { ... } end,
      },
    }
    local modules = { json = { decode = function(path)
      assert.equal("cave.ldtk", path)
      local ground = rows("000001", "000201", "000201", "111111")
      ground.gridTiles = { { px = { 10, 30 }, src = { 32, 0 } } }
      local definition = { uid = ground.layerDefUid, identifier = "Collisions", intGridValues = {
        { value = 1, identifier = "walls" }, { value = 2, identifier = "ladder" } } }
      local project = only(entities(entity("Player", 2, 20, 8, 8)), ground)
      project.defs.layers = { definition }
      return project
    end }, ["broadside.debug"] = { draw = function(world)
      seen = world:count()
    end } }
    page.run("doc/ldtk.md", 1, { love = love, require = function(name)
      return modules[name] or require(name)
    end })
    local function play(frames, key)
      down = { [key] = true }
      for _ = 1, frames do
        love.update(1 / 60)
      end
      love.draw()
    end
    love.load()
    play(10, "d")
    assert.same({ 2, 22, 8, 8 }, drawn) -- it has fallen
    assert.equal(4, seen)
    assert.same({ { "32 0", 10, 30 } }, drawnTiles)
    play(6, "right")
    play(3, "up") -- the hero climbs
    assert.near(14, drawn[2], 1e-9)
    play(10, "right")
    assert.equal(42, drawn[1]) -- as far as the wall
  end)

  -- Compares the values of a layer with a world in which all of them are solid.
  local function compare(world, ground)
    for i, value in ipairs(ground.intGridCsv) do
      local x = ground.__pxTotalOffsetX + ((i - 1) % ground.__cWid + 0.5) * ground.__gridSize
      local y = ground.__pxTotalOffsetY + (math.floor((i - 1) / ground.__cWid) + 0.5)
        * ground.__gridSize
      assert.equal(value == 0 and 0 or 1, (select(2, world:queryPoint(x, y))))
    end
    return #ground.intGridCsv
  end

  -- Compares all levels, layer by layer. Returns the number of cells.
  local function compareLevels(project, files)
    local cells = 0
    for _, entry in ipairs(project.levels) do
      local isLinear = project.worldLayout:find("^Linear")
      for _, ground in ipairs((entry.layerInstances and entry
        or files(entry.externalRelPath)).layerInstances) do
        local world = broadside.newWorld()
        ldtk.insert(world, project, { level = entry.identifier, files = files,
          x = isLinear and 0 or -entry.worldX, y = isLinear and 0 or -entry.worldY,
          legend = { [ground.__identifier] = ground.__type == "IntGrid" } })
        cells = cells + compare(world, ground)
      end
    end
    return cells
  end

  -- Inserts everything, with all values solid and a function for each entity. Returns the numbers
  -- of boxes and entities.
  local function insertAll(project, files)
    local legend, entitiesSeen = {}, 0
    for _, def in ipairs(project.defs.layers) do
      legend[def.identifier] = def.type == "IntGrid" or nil
    end
    for _, def in ipairs(project.defs.entities) do
      legend[def.identifier] = function() entitiesSeen = entitiesSeen + 1 end
    end
    local _, n = ldtk.insert(broadside.newWorld(), project, { legend = legend, files = files })
    return n, entitiesSeen
  end

  local sample = SAMPLES and it or function() end
  sample("loads the samples of LDtk, and makes boxes of their cells and no others", function()
    local json, lfs, lines = require("dkjson"), require("lfs"), {}
    local function read(path)
      local file = assert(io.open(SAMPLES .. "/" .. path))
      local text = file:read("*a")
      file:close()
      return assert(json.decode(text))
    end
    for name in lfs.dir(SAMPLES) do
      if name:find("%.ldtk$") then
        local project = read(name)
        local n, things = insertAll(project, read)
        table.insert(lines, ("%s: %d levels, %d cells, %d boxes, %d entities"):format(name,
          #project.levels, compareLevels(project, read), n, things))
      end
    end
    table.sort(lines)
    print("\n" .. table.concat(lines, "\n"))
    assert.is_true(#lines > 0)
  end)
end)
