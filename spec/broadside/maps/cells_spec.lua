-- Questions about the cells of a Map: which cell contains a place or a hit, which cells a segment
-- crosses, and how far cells are from a given one. The answers must be those of plain loops over
-- all cells.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local effort = require("spec.support.effort")
local garbageOf = require("spec.support.garbage")
local page = require("spec.support.page")
local maps = require("spec.support.tile_maps")
local random = require("spec.support.random")
local tiles = require("broadside.tiles")

local unpack = compat.unpack

local SIZES = { 1, 10, 16, 0.1, 1 / 3, 7.7 }
local PLACES = { 0, 0.7, -0.55, -160, 1e6 + 0.1, -12345678.9 }

local function randomLayout(rng)
  return { w = rng:pick(SIZES), h = rng:pick(SIZES), x = rng:pick(PLACES), y = rng:pick(PLACES) }
end

describe("The cell of a place", function()
  it("is the last one whose near sides are not beyond it, inside the map and outside", function()
    local rng = random.new(1)
    for _ = 1, compat.rounds(30) do
      local opts = randomLayout(rng)
      local map = tiles.newMap(broadside.newWorld(), maps.random(rng, 9, 12, { 0 }), nil, opts)
      for _ = 1, 20 do
        local column, row = rng:int(-3, 16), rng:int(-3, 13)
        local x, y, w, h = map:toWorld(column, row)
        assert.is_true(x == opts.x + (column - 1) * opts.w and w == opts.w and h == opts.h)
        assert.same({ column, row }, { map:toCell(x, y) })
        local _, before = map:toCell(x, compat.nextDown(y))
        assert.equal(row - 1, before)
        assert.same({ column, row }, { map:toCell(x + 0.5 * w, y + 0.9 * h) })
      end
    end
  end)

  it("is there for any place, and any size of a map", function()
    local map = tiles.newMap(broadside.newWorld(), "##\n##", nil, { w = 1e-300, h = 1e300 })
    local column, row = map:toCell(1e300, -1e308)
    assert.is_true(column > 2 and row < -1e7)
    map = tiles.newMap(broadside.newWorld(), "", nil, { w = 10 })
    assert.same({ 2, -1 }, { map:toCell(15, -15) })
  end)
end)

describe("The cell of a hit", function()
  -- A world of single tiles whose data are their columns and rows.
  local function newSingles(rows, opts)
    local world = broadside.newWorld()
    for row, line in ipairs(rows) do
      for column, symbol in ipairs(line) do
        if symbol == 1 then
          world:insert(opts.x + (column - 1) * opts.w, opts.y + (row - 1) * opts.h, opts.w, opts.h,
            { static = true, data = { column, row } })
        end
      end
    end
    return world
  end

  it("by a cast is that of the single tile that it would meet", function()
    local rng, met = random.new(2), 0
    for _ = 1, compat.rounds(20) do
      local opts = randomLayout(rng)
      local rows = maps.random(rng, 34, 36, { 0, 0, 1, 1, 1 })
      local world, singles = broadside.newWorld(), newSingles(rows, opts)
      local map = tiles.newMap(world, rows, nil, opts)
      for _ = 1, 20 do
        local x1, y1 = opts.x + rng:real(-2, 38) * opts.w, opts.y + rng:real(-2, 36) * opts.h
        local x2, y2 = opts.x + rng:real(-2, 38) * opts.w, opts.y + rng:real(-2, 36) * opts.h
        local tile = singles:segmentCast(x1, y1, x2, y2)
        local column, row = map:cellAt(world:segmentCast(x1, y1, x2, y2))
        assert.same(tile and tile:getData() or {}, { column, row })
        met = met + (tile and 1 or 0)
      end
    end
    assert.is_true(met > compat.rounds(20) * 10)
  end)

  it("by a move is beside the middle of what moves, on the side that is met", function()
    local world = broadside.newWorld()
    local map = tiles.newMap(world, "    \n####\n####", nil, { w = 10 })
    local box = world:insert(21, 0, 6, 6)
    local _, _, hits = world:move(box, 21, 50)
    local hit = hits[1]
    assert.same({ 3, 2 }, { map:cellAt(hit.other, hit.x + 3, hit.y + 3, hit.nx, hit.ny) })
    assert.same({ 4, 3 }, { map:cellAt(hit.other, 100, 100) }) -- the nearest cell
    assert.same({ 4, 2 }, { map:cellAt(hit.other, 100, 100, 0, -1) })
    assert.same({ 1, 2 }, { map:cellAt(hit.other:getId(), 100, 15, -1, 0) })
    assert.is_nil(map:cellAt(box, 0, 0, 0, 1))
    assert.is_nil(map:cellAt(nil))
  end)

  it("is found after edits, in each chunk, whatever its rect", function()
    local world = broadside.newWorld()
    local map = tiles.newMap(world, (("."):rep(70) .. "\n"):rep(40),
      { ["_"] = { rect = { 0, 8, 10, 4 } }, ["#"] = true }, { w = 10, x = -100, y = 50 })
    for column = 60, 70 do
      map:set(column, 35, "_")
    end
    assert.same({ 62, 35 }, { map:cellAt(world:segmentCast(515, 0, 515, 1000)) })
    assert.same({ 62, 35 }, { map:cellAt(world:segmentCast(515, 1000, 515, 0)) })
    map:set(62, 34, "#")
    assert.same({ 62, 34 }, { map:cellAt(world:segmentCast(515, 0, 515, 1000)) })
    map:set(62, 34, ".")
    map:set(62, 35, ".")
    assert.is_nil(map:cellAt(world:segmentCast(515, 0, 515, 1000)))
    assert.same({ 61, 35 }, { map:cellAt(world:segmentCast(505, 0, 505, 1000)) })
  end)
end)

describe("rayCells", function()
  -- All cells as boxes, row by row. The answers are what querySegment finds in them, in its order.
  local function newOracle(columns, rows, opts)
    local world, cells = broadside.newWorld({ backend = "brute" }), {}
    for row = 1, rows do
      for column = 1, columns do
        cells[world:insert(opts.x + (column - 1) * opts.w, opts.y + (row - 1) * opts.h, opts.w,
          opts.h, { static = true })] = { column, row }
      end
    end
    return function(x1, y1, x2, y2)
      local flat = {}
      for _, box in ipairs((world:querySegment(x1, y1, x2, y2))) do
        table.insert(flat, cells[box][1])
        table.insert(flat, cells[box][2])
      end
      return flat
    end
  end

  -- Places in units of cells: any, corners and middles of cells, places next to these, and far
  -- away.
  local function newNumbers(rng)
    return function(most)
      local value = rng:int(-4, 2 * most + 4) / 2
      local kind = rng:int(1, 6)
      if kind == 1 then
        return rng:real(-2, most + 2)
      elseif kind == 2 then
        return compat.nextUp(value)
      elseif kind == 3 then
        return compat.nextDown(value)
      elseif kind == 4 and rng:chance(0.2) then
        return rng:pick({ -1e6, 1e6, 1e300, -1e300, 1e306 })
      end
      return value
    end
  end

  it("lists what segment casts would meet, each cell a box, in their order", function()
    local rng, out, met = random.new(3), {}, 0
    local number = newNumbers(rng)
    for round = 1, compat.rounds(40) do
      local opts = randomLayout(rng)
      if round % 4 == 0 then
        opts = { w = 1, h = 1, x = 0, y = 0 }
      elseif round % 11 == 0 then -- here cells are about as small as the distance between doubles
        opts.x, opts.w = rng:pick({ 2 ^ 52, -2 ^ 53 }), rng:pick({ 1, 1.5, 3 })
      end
      local columns, rows = rng:int(1, 12), rng:int(1, 9)
      local map = tiles.newMap(broadside.newWorld(), maps.random(rng, rows, columns, { 0, 1 }), nil,
        opts)
      local oracle = newOracle(columns, rows, opts)
      for _ = 1, 25 do
        local x1, y1 = opts.x + number(columns) * opts.w, opts.y + number(rows) * opts.h
        local x2, y2 = opts.x + number(columns) * opts.w, opts.y + number(rows) * opts.h
        local form = rng:int(1, 8)
        if form == 1 then
          x2 = x1
        elseif form == 2 then
          y2 = y1
        elseif form <= 4 then -- through corners, or as close as doubles get
          y2 = y1 + rng:pick({ -1, 1 }) * (x2 - x1) / opts.w * opts.h
        end
        local n
        out, n = map:rayCells(x1, y1, x2, y2, out)
        local expected = oracle(x1, y1, x2, y2)
        if #expected ~= #out or table.concat(expected, " ") ~= table.concat(out, " ") then
          assert.same(expected, out, ("%.17g %.17g %.17g %.17g"):format(x1, y1, x2, y2))
        end
        assert.equal(n, #out / 2)
        met = met + n
      end
    end
    assert.is_true(met > 1000 * compat.rounds(40) / 40)
  end)

  -- Sides of 0.1 are rounded, so cells overlap by a unit in the last place, or leave a gap. So a
  -- segment enters several cells at the same time, at corners and at faces.
  it("orders what is met at the same time as casts do", function()
    local rng, out = random.new(5), {}
    local opts = { x = 0.7, y = 0, w = 0.1, h = 0.1 }
    local map = tiles.newMap(broadside.newWorld(), maps.random(rng, 12, 12, { 0 }), nil, opts)
    local oracle = newOracle(12, 12, opts)
    for _ = 1, compat.rounds(400) do
      local x1, y1, n = rng:int(-1, 13), rng:int(-1, 13), rng:int(1, 14)
      local x2, y2 = x1 + n * rng:pick({ -1, 1 }), y1 + n * rng:pick({ -1, 1 })
      x1, y1, x2, y2 = 0.7 + x1 * 0.1, y1 * 0.1, 0.7 + x2 * 0.1, y2 * 0.1
      map:rayCells(x1, y1, x2, y2, out)
      assert.equal(table.concat(oracle(x1, y1, x2, y2), " "), table.concat(out, " "))
    end
  end)

  it("meets the cell that it begins in, however fast it leaves", function()
    local opts = { x = 0, y = 0, w = 1e-20, h = 1 }
    local map = tiles.newMap(broadside.newWorld(), "...", nil, opts)
    assert.same(newOracle(3, 1, opts)(5e-21, 0.5, 1e308, 0.5),
      (map:rayCells(5e-21, 0.5, 1e308, 0.5)))
    assert.same({ 1, 1 }, (map:rayCells(5e-21, 0.5, 1e308, 0.5)))
  end)

  it("is a line of sight, and needs no map below it", function()
    local map = tiles.newMap(broadside.newWorld(), "....\n....", nil, { w = 10 })
    assert.same({ 1, 1, 2, 1, 2, 2, 3, 2, 4, 2 }, (map:rayCells(5, 5, 35, 16)))
    assert.same({ 1, 1, 2, 1, 2, 2 }, (map:rayCells(0, 0, 20, 20))) -- through a corner
    assert.same({ 2, 1, 1, 1, 1, 2 }, (map:rayCells(19, 1, 1, 19)))
    assert.same({ 1, 1, 2, 1, 3, 1, 4, 1 }, (map:rayCells(0, 10, 40, 10))) -- along a seam
    assert.same({ 2, 1, 3, 1, 2, 2 }, (map:rayCells(20, 0, 20, 20)))
    assert.same({}, (map:rayCells(0, 20, 40, 20))) -- along the outer side
    assert.same({}, (map:rayCells(0, 0, 0, 20)))
    assert.same({}, (map:rayCells(20, 10, 20, 10)))
    assert.same({ 2, 1 }, (map:rayCells(15, 5, 15, 5)))
    assert.same({}, (map:rayCells(10, 5, 10, 5)))
    assert.same({ {}, 0 }, { map:rayCells(50, 0, 60, 10, { 1, 2, 3 }) })
    assert.same({}, (tiles.newMap(broadside.newWorld(), "", nil, { w = 1 }):rayCells(0, 0, 1, 1)))
  end)
end)

describe("flood", function()
  -- Lowers distances until none gets lower, by repeated loops over all cells.
  local function relax(rows, column, row, passable)
    local h, w = #rows, #rows[1]
    local far = {}
    for i = 1, w * h do
      far[i] = math.huge
    end
    far[(row - 1) * w + column] = 0
    local isLower = true
    local function lower(i, j, from)
      if i >= 1 and i <= h and j >= 1 and j <= w and passable[rows[i][j]]
        and far[(i - 1) * w + j] > from + 1 then
        far[(i - 1) * w + j], isLower = from + 1, true
      end
    end
    while isLower do
      isLower = false
      for i = 1, h do
        for j = 1, w do
          local from = far[(i - 1) * w + j]
          lower(i - 1, j, from)
          lower(i + 1, j, from)
          lower(i, j - 1, from)
          lower(i, j + 1, from)
        end
      end
    end
    for i = 1, w * h do
      far[i] = far[i] == math.huge and -1 or far[i]
    end
    return far
  end

  it("tells how far each cell is", function()
    local rng, out = random.new(4), {}
    for round = 1, compat.rounds(12) do
      local rows = maps.random(rng, rng:int(1, 40), rng:int(1, 40), { 0, 0, 0, 1, 2 })
      local map = tiles.newMap(broadside.newWorld(), rows, { true, false }, { w = 10 })
      local column, row = rng:int(1, #rows[1]), rng:int(1, #rows)
      map:set(1, 1, rng:pick({ 0, 1, 2 }))
      rows[1][1] = map:get(1, 1)
      local passable = rng:pick({ { [0] = true, [2] = true }, { [0] = true }, { [0] = 1, true } })
      local asked, n = {}
      out, n = map:flood(column, row, round % 2 == 0 and passable or function(symbol)
        assert.is_nil(asked[symbol])
        asked[symbol] = true
        return passable[symbol]
      end, out)
      assert.equal(#rows * #rows[1], n)
      local expected = relax(rows, column, row, passable)
      for i = 1, n do
        assert(expected[i] == out[i], "another distance")
      end
    end
  end)

  it("takes out what is left of a longer list", function()
    local map = tiles.newMap(broadside.newWorld(), "..\n..", nil, { w = 10 })
    assert.same({ { 0, 1, 1, 2 }, 4 }, { map:flood(1, 1, nil, { 9, 9, 9, 9, 9, 9, 9 }) })
  end)

  it("goes through what has no boxes, unless told otherwise", function()
    local map = tiles.newMap(broadside.newWorld(), ".#.\n.P.\n#..",
      { ["#"] = true, P = function() end }, { w = 10 })
    assert.same({ 0, -1, 4, 1, 2, 3, -1, 3, 4 }, (map:flood(1, 1)))
    assert.same({ 1, 0, 1, 2, 1, 2, -1, 2, 3 }, (map:flood(2, 1))) -- from inside a wall
    assert.same({ -1, -1, -1, -1, 0, -1, -1, -1, -1 }, (map:flood(2, 2, {})))
  end)

  it("asks for each cell of a symbol, where passable says so by a function", function()
    local rng = random.new(70)
    for round = 1, compat.rounds(6) do
      local rows = maps.random(rng, rng:int(1, 40), rng:int(1, 40), { 0, 0, 0, 1, "door" })
      local map = tiles.newMap(broadside.newWorld(), rows, { true, door = true }, { w = 10 })
      local closed, asked, expected = {}, {}, {}
      local function isOpen(column, row)
        local cell = row * 100 + column
        assert.is_nil(asked[cell])
        asked[cell] = true
        return not closed[cell]
      end
      for row, line in ipairs(rows) do
        expected[row] = {}
        for column, symbol in ipairs(line) do
          closed[row * 100 + column] = rng:int(1, 3) == 1
          expected[row][column] = symbol ~= 1 and not closed[row * 100 + column]
        end
      end
      local passable = { [0] = isOpen, door = isOpen }
      local out = map:flood(1, 1, round % 2 == 0 and passable or function(symbol)
        return passable[symbol]
      end)
      assert.same(relax(expected, 1, 1, { [true] = true }), out)
      for row, line in ipairs(rows) do
        for column, symbol in ipairs(line) do
          assert.equal(symbol ~= 1 or nil, asked[row * 100 + column])
        end
      end
    end
  end)

  it("may be asked for, or the map be changed, while it asks for cells", function()
    local map = tiles.newMap(broadside.newWorld(), "...", nil, { w = 10 })
    local n = 0
    local out = map:flood(1, 1, { ["."] = function(column)
      n = n + 1
      map:set(4 - column, 1, "new" .. column)
      return #map:flood(1, 1) == 3
    end })
    assert.same({ 0, 1, 2 }, out)
    assert.equal(3, n)
    map:set(1, 1, ".")
    assert.has_error(function()
      map:flood(1, 1, { ["."] = function() map:remove() end })
    end, "map was removed")
  end)

  it("may be asked for while another one asks for symbols", function()
    local map = tiles.newMap(broadside.newWorld(), "..~#", nil, { w = 10 })
    local function canPass(symbol)
      assert.same({ -1, -1, 0, 1 }, (map:flood(3, 1, { ["~"] = true, ["#"] = true })))
      return symbol == "."
    end
    map:flood(1, 1)
    assert.same({ 0, 1, -1, -1 }, (map:flood(1, 1, canPass)))
  end)

  it("may be asked for while its map is removed, which is an error", function()
    local map = tiles.newMap(broadside.newWorld(), "..#", nil, { w = 10 })
    assert.has_error(function()
      map:flood(1, 1, function() map:remove() end)
    end, "map was removed")
  end)

  it("and rayCells may be asked for while one is written to a list, or by a finaliser", function()
    local map = tiles.newMap(broadside.newWorld(), "....\n.##.\n....", nil, { w = 10 })
    local function ask(n)
      map:flood(n, 3, function() return true end)
      map:rayCells(10 * n - 5, 25, 5, 5)
    end
    local function newList(n)
      return setmetatable({}, { __newindex = function(list, key, value)
        ask(n)
        rawset(list, key, value)
      end, __len = function()
        return 2 ^ 40
      end })
    end
    local distances = { 0, 1, 2, 3, 1, -1, -1, 4, 2, 3, 4, 5 }
    local _, n = map:flood(1, 1, nil, newList(4))
    assert.equal(12, n)
    assert.same(distances, (map:flood(1, 1, nil, newList(4))))
    local cells = { 1, 1, 1, 2, 2, 2, 3, 2, 3, 3 }
    assert.same(cells, (effort.limit(1e5, map.rayCells, map, 1, 4, 29, 24, newList(4))))
    -- A finaliser runs inside the search.
    local newproxy, asked = rawget(_G, "newproxy"), 0
    local function makeGarbage()
      local meta = newproxy and getmetatable(newproxy(true)) or {}
      meta.__gc = function()
        ask(4)
        asked = asked + 1
      end
      return not newproxy and setmetatable({}, meta)
    end
    assert.same(distances, (map:flood(1, 1, function(symbol)
      makeGarbage()
      collectgarbage()
      collectgarbage()
      return symbol == "."
    end)))
    assert.equal(2, asked)
  end)

  it("makes no garbage, nor does rayCells, once there are lists", function()
    local map = tiles.newMap(broadside.newWorld(), (("."):rep(20) .. "\n"):rep(10), nil, { w = 10 })
    local distances, cells, open = {}, {}, { ["."] = true }
    assert.equal(0, garbageOf(function()
      map:rayCells(3, 4, 190, 70, cells)
      map:rayCells(5, 5, 95, 95, cells) -- through corners
    end, 50))
    assert.is_true(garbageOf(function()
      map:flood(3, 4, open, distances)
    end, 50) <= 0)
  end)
end)

describe("The page about maps", function()
  local blocks = page.blocks("doc/tiles.md")

  -- Loads a block, and returns the local function `name` that it defines.
  local function load(name, env)
    for _, block in ipairs(blocks) do
      if block.code:find("local function " .. name, 1, true) then
        local code = ("%sreturn { %s = %s, out = out, load = load }"):format(block.code, name, name)
        return compat.loadIn(code, setmetatable(env or {}, { __index = _G }))()
      end
    end
    error("there is no " .. name)
  end

  local function newMap(world)
    return tiles.newMap(world or broadside.newWorld(), "..#..\n..#..\n.....", nil, { w = 10 })
  end

  it("keeps a line of sight", function()
    local canSee = load("canSee").canSee
    assert.same({ false, 3, 1 }, { canSee(newMap(), 5, 5, 45, 5) })
    assert.is_true(canSee(newMap(), 5, 5, 5, 25))
    assert.is_true(canSee(newMap(), 5, 25, 45, 25))
  end)

  it("leads a crowd to its goal", function()
    local map, crowd = newMap(), load("nextCell")
    map:flood(5, 1, nil, crowd.out)
    local column, row, steps = 1, 1, 0
    repeat
      column, row = crowd.nextCell(map, column, row)
      steps = steps + 1
    until column == 5 and row == 1 or steps > 8
    assert.equal(8, steps)
    assert.same({ 5, 1 }, { crowd.nextCell(map, 5, 1) })
  end)

  it("saves and loads world and map", function()
    local world = broadside.newWorld()
    local map, slot = newMap(world), {}
    local game = load("save", { world = world, map = map })
    for _ = 1, 2 do
      game.save(slot)
      map:set(3, 1, ".")
      game.load(slot)
      assert.equal("#", map:get(3, 1))
      map:set(1, 1, "#")
    end
    assert.equal(2, world:count())
  end)
end)

describe("A list for rayCells", function()
  it("is made shorter, whatever its length says it is", function()
    local map = tiles.newMap(broadside.newWorld(), "....", nil, { w = 10 })
    local meta = { __len = function()
      return 2 ^ 40
    end }
    local list = setmetatable({ 7, 7, 7, 7, 7, 7, 7 }, meta)
    assert.same({ 1, 1, 2, 1 }, (effort.limit(1e5, map.rayCells, map, 2, 5, 18, 5, list)))
    assert.same({ 3, 1 }, (effort.limit(1e5, map.rayCells, map, 22, 5, 23, 5, list)))
  end)
end)

describe("Questions about cells say what is wrong:", function()
  local map = tiles.newMap(broadside.newWorld(), "##", nil, { w = 10 })
  local CASES = {
    { "toCell", { compat.nan, 1 }, "#1 to 'toCell' (finite number expected, got nan)" },
    { "toCell", { 1 }, "#2 to 'toCell' (finite number expected, got nil)" },
    { "toWorld", { 1, compat.huge }, "#2 to 'toWorld' (finite number expected, got inf)" },
    { "cellAt", { "x", 1, 1 }, "#1 to 'cellAt' (Box or id expected, got 'x')" },
    { "cellAt", { io.stdout, 1, 1 }, "#1 to 'cellAt' (Box or id expected, got file (" },
    { "cellAt", { 7, 1 }, "#3 to 'cellAt' (finite number expected, got nil)" },
    { "cellAt", { 7, 1, 1, {} }, "#4 to 'cellAt' (finite number expected, got table)" },
    { "rayCells", { 1, 1, 1 }, "#4 to 'rayCells' (finite number expected, got nil)" },
    { "rayCells", { 1, 1, 1, 1, 7 }, "#5 to 'rayCells' (table expected, got 7)" },
    { "rayCells", { -1e308, 1, 1e308, 1 },
      "#3 to 'rayCells' (finite difference x2 - x1 expected, got inf)" },
    { "rayCells", { 1, 1e308, 1, -1e308 },
      "#4 to 'rayCells' (finite difference y2 - y1 expected, got -inf)" },
    { "flood", { 3, 1 }, "#1 to 'flood' (column from 1 to 2 expected, got 3)" },
    { "flood", { 1, 0 }, "#2 to 'flood' (row from 1 to 1 expected, got 0)" },
    { "flood", { 1, 1, "#" }, "#3 to 'flood' (table, function or nil expected, got '#')" },
    { "flood", { 1, 1, nil, 7 }, "#4 to 'flood' (table expected, got 7)" },
  }
  for _, case in ipairs(CASES) do
    it(case[3], function()
      local done, got = pcall(function() map[case[1]](map, unpack(case[2], 1, 5)) end)
      assert.is_false(done)
      assert.truthy(got:find("cells_spec.lua:%d+: bad argument "), got)
      assert.truthy(got:find(case[3], 1, true), got)
    end)
  end
end)
