-- tiles.newMap: a map whose cells change while the game runs. After any edits, its boxes must cover
-- what single tiles would cover, boxes must move as among single tiles, and snapshots must restore
-- the map together with the world.

local broadside = require("broadside")
local collect = require("spec.support.collect")
local compat = require("spec.support.compat")
local garbageOf = require("spec.support.garbage")
local effort = require("spec.support.effort")
local expect = require("spec.support.expect")
local maps = require("spec.support.tile_maps")
local random = require("spec.support.random")
local tiles = require("broadside.tiles")

local SIZE = { w = 10 }
local UP = { 0, -1 }

-- The rects and layers of all boxes in a world as texts, and the Box for each.
local function listBoxes(world)
  local texts, boxes = {}, {}
  for box in world:boxes() do
    local x, y, w, h = box:getRect()
    local text = ("%.17g %.17g %.17g %.17g %d"):format(x, y, w, h, (box:getFilter()))
    table.insert(texts, text)
    assert(not boxes[text], "two boxes in the same place")
    boxes[text] = box
  end
  table.sort(texts)
  return texts, boxes
end

local function firstBox(world)
  local next, state = world:boxes()
  return next(state)
end

describe("A Map", function()
  local world

  before_each(function()
    world = broadside.newWorld()
  end)

  it("tells its cells, and how many there are", function()
    local map = tiles.newMap(world, "#o\n\n#.#", { ["#"] = true, o = { layer = 2 } }, SIZE)
    assert.same({ 3, 3 }, { map:size() })
    assert.same({ "#", "o", false, "." }, { map:get(1, 1), map:get(2, 1), map:get(3, 1),
      map:get(2, 3) })
    for _, cell in ipairs({ { 0, 1 }, { 4, 1 }, { 1, 0 }, { 1, 4 }, { 1.5, 1 }, { 1, 1.5 },
      { compat.nan, 1 }, { 1, compat.huge } }) do
      assert.is_nil(map:get(cell[1], cell[2]))
    end
    map = tiles.newMap(world, {}, nil, SIZE)
    assert.same({ 0, 0 }, { map:size() })
    assert.is_nil(map:get(1, 1))
  end)

  it("takes what tiles.insert takes: names, numbers, NaN, rows without an end", function()
    local map = tiles.newMap(world, { { "wall", 0, compat.nan }, "##",
      setmetatable({ 1 }, { __index = function() return 1 end }) }, nil, SIZE)
    assert.equal(3, world:count())
    assert.equal("wall", map:get(1, 1))
    assert.is_true(map:get(3, 1) ~= map:get(3, 1))
    assert.is_false(map:get(2, 3))
    map:set(2, 1, compat.nan)
    map:set(3, 1, 0)
    assert.is_true(map:get(2, 1) ~= map:get(2, 1))
    assert.equal(0, map:get(3, 1))
  end)

  it("has the kinds of tiles.insert: rect, one-way, circle, polygon, merge, functions", function()
    local calls = {}
    local function note(...)
      table.insert(calls, { world:count(), ... })
    end
    local legend = { ["="] = { oneWay = UP, rect = { 0, 0, 10, 3 } }, m = { merge = false },
      o = { circle = { 5, 5, 4 }, layer = 2 }, ["/"] = { polygon = { 0, 10, 10, 0, 10, 10 } },
      P = note }
    local map = tiles.newMap(world, "==P\nmm \no/P", legend, SIZE)
    assert.equal(5, world:count())
    assert.same({ { 5, 20, 0, 10, 10, "P" }, { 5, 20, 20, 10, 10, "P" } }, calls)
    local ledge = world:queryRect(5, 1, 1, 1)[1]
    assert.same({ 0, 0, 20, 3 }, { ledge:getRect() })
    assert.same({ 0, -1 }, { ledge:getOneWay() })
    map:set(3, 1, "=")
    map:set(3, 2, "o")
    map:set(1, 3, "/")
    map:set(2, 2, "P")
    assert.same({ 5, 10, 10, 10, 10, "P" }, calls[3])
    assert.same({ 0, 0, 30, 3 }, { world:queryRect(5, 1, 1, 1)[1]:getRect() })
    assert.same({ "circle", 25, 15, 4 }, { world:queryRect(25, 15, 1, 1)[1]:getShape() })
    assert.same({ "polygon", { 0, 30, 10, 20, 10, 30 } },
      { world:queryRect(8, 28, 1, 1)[1]:getShape() })
    for column = 1, 3 do
      for row = 1, 3 do
        map:set(column, row, ".")
      end
    end
    assert.equal(0, world:count())
  end)

  it("merges ledges along, and not down, as tiles.insert", function()
    local map = tiles.newMap(world, "===\n===", { ["="] = { oneWay = UP }, [" "] = false }, SIZE)
    assert.same({ "0 0 30 10 1", "0 10 30 10 1" }, (listBoxes(world)))
    map:set(2, 1, " ")
    assert.same({ "0 0 10 10 1", "0 10 30 10 1", "20 0 10 10 1" }, (listBoxes(world)))
  end)

  it("merges cells within chunks of 32 x 32", function()
    local map = tiles.newMap(world, maps.random(random.new(1), 40, 70, { 1 }), nil, SIZE)
    assert.same({ "0 0 320 320 1", "0 320 320 80 1", "320 0 320 320 1", "320 320 320 80 1",
      "640 0 60 320 1", "640 320 60 80 1" }, (listBoxes(world)))
    map:set(33, 1, 0)
    assert.same({ "0 0 320 320 1", "0 320 320 80 1", "320 10 10 310 1", "320 320 320 80 1",
      "330 0 310 320 1", "640 0 60 320 1", "640 320 60 80 1" }, (listBoxes(world)))
  end)

  -- Asserts, by queries, that each cell is in as many boxes of its layer as it should.
  local function checkCover(rows, layers, opts)
    local h = opts.h or opts.w
    local wrong = 0
    for row, line in ipairs(rows) do
      for column, symbol in ipairs(line) do
        local x, y = (column - 0.5) * opts.w, (row - 0.5) * h
        local found, n = world:queryPoint(x + (opts.x or 0), y + (opts.y or 0))
        local layer = layers[symbol]
        local isRight = n == (layer and 1 or 0) and (n == 0 or found[1]:getFilter() == layer)
        wrong = wrong + (isRight and 0 or 1)
      end
    end
    assert.equal(0, wrong)
  end

  it("covers each cell once after any edits, as a new map does", function()
    local rng = random.new(2)
    local legend, layers = { {}, { layer = 2 }, { layer = 2 } }, { 1, 2, 2 }
    for _ = 1, compat.rounds(6) do
      local rows = maps.random(rng, rng:int(1, 50), rng:int(1, 50), { 0, 1, 1, 1, 2, 3 })
      local map = tiles.newMap(world, rows, legend, SIZE)
      for _ = 1, 60 do
        local column, row = rng:int(1, #rows[1]), rng:int(1, #rows)
        rows[row][column] = rng:pick({ 0, 0, 1, 1, 2, 3 })
        map:set(column, row, rows[row][column])
        assert.equal(rows[row][column], map:get(column, row))
      end
      checkCover(rows, layers, SIZE)
      local edited = listBoxes(world)
      map:remove()
      assert.equal(0, world:count())
      map = tiles.newMap(world, rows, legend, SIZE)
      assert.same((listBoxes(world)), edited)
      map:remove()
    end
  end)

  it("keeps the boxes that an edit does not change, and those of other chunks", function()
    local rng = random.new(3)
    local map = tiles.newMap(world, maps.random(rng, 36, 40, { 0, 0, 0, 1 }), nil, SIZE)
    for _ = 1, compat.rounds(20) do
      local column, row = rng:int(1, 40), rng:int(1, 36)
      local left, top = math.floor((column - 1) / 32) * 320, math.floor((row - 1) / 32) * 320
      local _, before = listBoxes(world)
      map:set(column, row, 1 - map:get(column, row))
      local _, after = listBoxes(world)
      local changed = 0
      for text, box in pairs(before) do
        if after[text] then
          assert(box == after[text], "another Box")
        else
          assert(box:isRemoved())
          changed = changed + 1
        end
      end
      for text, box in pairs(after) do
        local x, y = box:getRect()
        local isThere = x >= left and x < left + 320 and y >= top and y < top + 320
        assert(before[text] == box or isThere, "a box of another chunk")
      end
      assert.is_true(changed < 40)
    end
  end)

  it("lets contacts go on with boxes that stay", function()
    local map = tiles.newMap(world, "##  ##\n##  ##", nil, SIZE)
    local left, right = world:insert(15, 5, 10, 10), world:insert(35, 5, 10, 10)
    assert.equal(2, #collect.contacts(world))
    local kept, cut = world:queryBox(left)[1], world:queryBox(right)[1]
    map:set(6, 2, " ")
    local contacts, new = collect.contacts(world), world:queryBox(right)
    assert.same({ { "stay", kept, left }, { "end", cut, right }, { "begin", right, new[1] },
      { "begin", right, new[2] } }, contacts)
  end)

  it("overlaps what stands in a cell that becomes solid, which may leave", function()
    local map = tiles.newMap(world, "    \n    ", nil, SIZE)
    local box = world:insert(15, 1, 8, 8)
    map:set(2, 1, "#")
    assert.equal(1, select(2, world:queryBox(box)))
    assert.same({ 15, 1, 8, 8 }, { box:getRect() })
    local x, y, hits = world:move(box, 13, 1) -- deeper
    assert.same({ 15, 1 }, { x, y })
    assert.is_true(hits[1].overlap)
    assert.equal(22, (world:move(box, 22, 1)))
    assert.equal(20, (world:move(box, 13, 1)))
  end)

  it("changes nothing where the boxes stay the same", function()
    local map = tiles.newMap(world, "##", { ["#"] = true, ["%"] = {} }, SIZE)
    local box = firstBox(world)
    map:set(1, 1, "%")
    map:set(2, 1, "#")
    assert.equal("%", map:get(1, 1))
    assert.is_false(box:isRemoved())
    assert.equal(1, world:count())
  end)

  it("costs an edit what a chunk costs, however large the map is", function()
    for _, columns in ipairs({ 40, 1500 }) do
      local row = {}
      for column = 1, columns do
        row[column] = column % 3 == 0 and 1 or 0
      end
      local map = tiles.newMap(world, { row, row, row, row }, nil, SIZE)
      effort.limit(60000, function() map:set(20, 2, 1) end)
      map:snapshot()
      effort.limit(70000, function() map:set(20, 2, 0) end)
      map:remove()
    end
  end)

  it("gives the same answers where results are ids or data", function()
    for _, results in ipairs({ "id", "data" }) do
      world = broadside.newWorld({ results = results })
      local map = tiles.newMap(world, "###\n# #", nil, SIZE)
      map:set(2, 2, "#")
      assert.equal(1, world:count())
      map:set(1, 1, " ")
      assert.equal(2, world:count())
      map:remove()
      assert.equal(0, world:count())
    end
  end)

  it("leaves out boxes that the game has removed", function()
    local map = tiles.newMap(world, "# #", nil, SIZE)
    firstBox(world):remove()
    map:set(1, 1, " ")
    assert.equal(1, world:count())
    world:clear()
    map:set(1, 1, "#")
    map:remove()
    assert.equal(0, world:count())
  end)
end)

-- Moves ------------------------------------------------------------------------------------------

describe("Boxes move on a Map as among single tiles", function()
  -- A world of single tiles, with the box of each cell by its row and column.
  local function newSingles(rows, legend, opts)
    local singles = { world = broadside.newWorld() }
    function singles.set(column, row, symbol)
      local key = row * 1000 + column
      if singles[key] then
        singles[key]:remove()
      end
      local kind = legend[symbol]
      singles[key] = kind and singles.world:insert(opts.x + (column - 1) * opts.w,
        opts.y + (row - 1) * opts.w, opts.w, opts.w, { static = true, oneWay = kind.oneWay }) or nil
    end
    for row, line in ipairs(rows) do
      for column, symbol in ipairs(line) do
        singles.set(column, row, symbol)
      end
    end
    return singles
  end

  local ACTOR = 8

  -- Changes a cell near the corner where four chunks meet, in both worlds, unless the box is in it.
  local function edit(rng, map, singles)
    local column, row = rng:int(26, 39), rng:int(26, 39)
    local symbol = rng:pick({ 0, 0, 1, 2 })
    local x, y, w, h = map:toWorld(column, row)
    if select(2, map.world:queryRect(x, y, w, h, ACTOR)) == 0 then
      map:set(column, row, symbol)
      singles.set(column, row, symbol)
    end
  end

  -- Walks near the corner where four chunks meet. Returns how often the box was stopped.
  local function walk(rng, legend, opts, filters, number)
    local rows = maps.random(rng, 42, 42, { 0, 0, 0, 1, 1, 2 })
    local world = broadside.newWorld()
    local map, singles = tiles.newMap(world, rows, legend, opts), newSingles(rows, legend, opts)
    local size, x, y = opts.w
    repeat
      x, y = opts.x + size * number(27, 37), opts.y + size * number(27, 37)
    until select(2, world:queryRect(x, y, 0.7 * size, 0.9 * size)) == 0
    local box = world:insert(x, y, 0.7 * size, 0.9 * size, { layer = ACTOR })
    local single = singles.world:insert(x, y, 0.7 * size, 0.9 * size)
    local stops = 0
    for _ = 1, 40 do
      edit(rng, map, singles)
      local goalX, goalY = x + size * number(-3, 3), y + size * number(-3, 3)
      local filter = rng:pick(filters) or nil
      x, y = world:move(box, goalX, goalY, filter)
      local singleX, singleY = singles.world:move(single, goalX, goalY, filter)
      assert.is_true(singleX == x and singleY == y)
      assert.equal(singles.world:touching(single, 0, 1) ~= nil, world:touching(box, 0, 1) ~= nil)
      stops = stops + ((x ~= goalX or y ~= goalY) and 1 or 0)
      if x < opts.x + 26 * size or x > opts.x + 38 * size or y < opts.y + 26 * size
        or y > opts.y + 38 * size then
        break
      end
    end
    return stops
  end

  local SIZES, PLACES = { 0.1, 0.3, 1 / 3, 7.7, 10, 16 }, { 0, 0.7, -0.55, 1e3, -1e6, 12345678.9 }
  local SLIDES = { false, { touch = 1 } }

  -- Places in tenths of cells, and any places.
  local function numbers(rng, round)
    return round % 2 == 0 and function(lo, hi)
      return rng:int(10 * lo, 10 * hi) / 10
    end or function(lo, hi) return rng:real(lo, hi) end
  end

  it("over the borders of chunks, with edits between moves", function()
    local rng, stops = random.new(4), 0
    for round = 1, compat.rounds(16) do
      local isOneWay = rng:chance(0.3) -- a bounce may begin inside a one-way box
      local opts = { w = rng:pick(SIZES), x = rng:pick(PLACES), y = rng:pick(PLACES) }
      stops = stops + walk(rng, { {}, isOneWay and { oneWay = UP } or {} }, opts,
        isOneWay and SLIDES or { false, { touch = 1 }, { bounce = 1 } }, numbers(rng, round))
    end
    assert.is_true(stops > 4 * compat.rounds(16), stops .. " stops")
  end)

  it("as its boxes end where their last cells do, to the last bit", function()
    local rng = random.new(5)
    for _ = 1, compat.rounds(8) do
      local opts = { w = rng:pick({ 0.1, 0.3, 1 / 3, 7.7 }), h = rng:pick({ 0.1, 1 / 7, 3 }),
        x = rng:pick({ 0, 0.7, -3.3, 1e6 + 0.1 }), y = rng:pick({ 0, -1.1, -1e7 }) }
      local rows = maps.random(rng, 40, 40, { 0, 1, 1, 1, 1, 1 })
      local world = broadside.newWorld()
      local map = tiles.newMap(world, rows, nil, opts)
      for _ = 1, 30 do
        local column, row = rng:int(1, 40), rng:int(1, 40)
        rows[row][column] = 1 - rows[row][column]
        map:set(column, row, rows[row][column])
      end
      local rects = {}
      for box in world:boxes() do
        table.insert(rects, { box:getRect() })
      end
      maps.expectCovered(rows, opts, rects)
    end
  end)
end)

-- Snapshots --------------------------------------------------------------------------------------

describe("A Map goes back with its world", function()
  local LEGEND = { ["#"] = true, o = { layer = 2, circle = { 5, 5, 4 } }, m = { merge = false } }

  -- A game in which a player digs, builds and walks. Each frame only depends on its number.
  local function newGame(results)
    local game = { world = broadside.newWorld({ results = results, gravity = { 0, 30 } }) }
    game.map = tiles.newMap(game.world, maps.random(random.new(6), 40, 36, { " ", "#", "#", "o" }),
      LEGEND, SIZE)
    game.walker = game.world:insert(301, 301, 7, 9, { response = "slide" })
    return game
  end

  local function step(game, frame)
    local rng = random.new(frame)
    game.map:set(rng:int(1, 36), rng:int(1, 40), rng:pick({ " ", "#", "o", "m" }))
    game.world:step(0.1)
    game.world:countPairs()
  end

  -- The whole state of a game as a text.
  local function tell(game)
    local parts, columns, rows = {}, game.map:size()
    for row = 1, rows do
      for column = 1, columns do
        table.insert(parts, game.map:get(column, row))
      end
    end
    return game.world:snapshot():getHash() .. table.concat(parts)
  end

  for _, results in ipairs({ "box", "id" }) do
    it("in every frame, and is played on as if nothing had been: " .. results, function()
      local straight, back = newGame(results), newGame(results)
      local snapshot, state
      for frame = 1, 40 do
        snapshot, state = back.world:snapshot(snapshot), back.map:snapshot(state)
        for ahead = frame, frame + frame % 4 do
          step(back, ahead + 1000)
        end
        back.world:restore(snapshot)
        back.map:restore(state)
        step(straight, frame)
        step(back, frame)
        if frame % 8 == 0 then
          assert.equal(tell(straight), tell(back))
        end
      end
    end)
  end

  it("to any of several snapshots, forth and back", function()
    local game, kept = newGame("box"), {}
    for frame = 1, 12 do
      kept[frame] = { game.world:snapshot(), game.map:snapshot(), tell(game) }
      step(game, frame)
    end
    for _, frame in ipairs({ 12, 3, 9, 1, 7 }) do
      game.world:restore(kept[frame][1])
      game.map:restore(kept[frame][2])
      assert.equal(kept[frame][3], tell(game))
      step(game, frame)
      assert.equal((kept[frame + 1] or { 0, 0, tell(game) })[3], tell(game))
    end
  end)

  -- Copies plain tables, as any serialiser does.
  local function copy(value)
    if type(value) ~= "table" then
      assert(type(value) == "number" or type(value) == "string" or type(value) == "boolean")
      return value
    end
    local out = {}
    for key, item in pairs(value) do
      out[copy(key)] = copy(item)
    end
    return out
  end

  local function refuses(map, state, text)
    local before = {}
    for row = 1, 40 do
      before[row] = map:get(1, row)
    end
    local done, message = pcall(function() map:restore(state) end)
    assert.is_false(done, text)
    assert.truthy(message:find("map_spec.lua:%d+: bad argument #1 to 'restore' %("), message)
    assert.truthy(message:find(text, 1, true), message)
    for row = 1, 40 do
      assert.equal(before[row], map:get(1, row))
    end
  end

  it("with new symbols and the same boxes, and knows the cells of hits", function()
    local world = broadside.newWorld()
    local map = tiles.newMap(world, " #\n  ", { ["#"] = true, ["%"] = {}, [" "] = false }, SIZE)
    local snapshot, state = world:snapshot(), map:snapshot()
    local id = firstBox(world):getId()
    map:set(2, 1, "%")
    map:set(1, 1, "#")
    assert.is_nil(map:cellAt(id, 15, 5)) -- it no longer exists
    local merged = firstBox(world):getId()
    assert.same({ 1, 1 }, { map:cellAt(merged, 5, 5) })
    world:restore(snapshot)
    map:restore(state)
    assert.equal("#", map:get(2, 1))
    assert.same({ 2, 1 }, { map:cellAt(id, 15, 5) })
    assert.is_nil(map:cellAt(merged, 5, 5))
  end)

  it("without garbage where nothing has changed", function()
    local map = tiles.newMap(broadside.newWorld(), "# ", nil, SIZE)
    local state = map:snapshot()
    assert.equal(0, garbageOf(function()
      state = map:snapshot(state)
      map:restore(state)
    end, 100))
  end)

  it("with a table that another map's snapshot has used", function()
    local world = broadside.newWorld()
    local large = tiles.newMap(world, maps.random(random.new(1), 40, 40, { 0, 1 }), nil, SIZE)
    local small = tiles.newMap(world, "# ", nil, SIZE)
    local state = small:snapshot(large:snapshot())
    small:restore(state)
    assert.equal("#", small:get(1, 1))
    assert.equal(1, #state.chunks)
    refuses(large, state, "snapshot of another map")
  end)

  it("from a string, with a stored state, in a new world", function()
    local game = newGame("box")
    for frame = 1, 20 do
      step(game, frame)
    end
    local text, state = game.world:snapshot():getString(), copy(game.map:snapshot())
    local other = { world = broadside.newWorld() }
    other.map = tiles.newMap(other.world, ((" "):rep(36) .. "\n"):rep(39) .. "m", LEGEND, SIZE)
    other.world:restore(text)
    other.map:restore(state)
    assert.equal(tell(game), tell(other))
    for frame = 21, 40 do
      step(game, frame)
      step(other, frame)
    end
    assert.equal(tell(game), tell(other))
    other.map:remove()
    assert.equal(1, other.world:count())
  end)

  it("and not without it, nor to what is no state of this map", function()
    local game = newGame("box")
    game.map:set(1, 1, "#")
    local state = game.map:snapshot()
    local other = tiles.newMap(broadside.newWorld(), "##", LEGEND, SIZE)
    refuses(game.map, 7, "snapshot of a map expected, got 7")
    refuses(game.map, {}, "snapshot of a map expected, got another table")
    refuses(game.map, other:snapshot(), "snapshot of another map: 2 x 1 cells, not 36 x 40)")
    for _, change in ipairs({
      function(t) t.symbols[1] = "?" return "no kind for '?'" end,
      function(t) t.chunks[2] = nil return "chunk 2 is damaged" end,
      function(t) t.chunks[1].cells[7] = 99 return "chunk 1 is damaged" end,
      function(t) t.chunks[1].cells[7] = nil return "chunk 1 is damaged" end,
      function(t) t.chunks[1].cells[7] = 0 return "chunk 1 is damaged" end,
      function(t) t.chunks[2].cells[5] = 1 return "chunk 2 is damaged" end,
      function(t) t.chunks[1].ids = 7 return "chunk 1 is damaged" end,
      function(t) t.chunks[1].ids[1] = 1.5 return "does not have the boxes" end,
      function(t) t.chunks[1].ids[1] = 0 / 0 return "does not have the boxes" end,
      function(t) table.remove(t.chunks[1].ids) return "does not have the boxes" end,
      function(t) t.chunks[1].ids[1] = t.chunks[2].ids[1] return "does not have the boxes" end,
      function(t) t.chunks[1].ids[1] = "x" return "does not have the boxes" end,
      function(t) t.chunks[1].ids[1] = 2 ^ 60 return "does not have the boxes" end,
    }) do
      local damaged = copy(state)
      local text = change(damaged)
      refuses(game.map, damaged, text)
    end
    local x, y, w, h = game.world:getBox(state.chunks[1].ids[1]):getRect()
    for _, rect in ipairs({ { x + 1, y, w, h }, { x, y + 1, w, h }, { x, y, w + 1, h },
      { x, y, w, h + 1 } }) do
      game.world:update(state.chunks[1].ids[1], compat.unpack(rect))
      refuses(game.map, copy(state), "does not have the boxes")
    end
    for row = 1, 40 do
      game.map:set(1, row, " ")
    end
    refuses(game.map, state, "restore it first")
  end)
end)

-- Errors -----------------------------------------------------------------------------------------

describe("A Map says what is wrong, and changes nothing:", function()
  local world, map
  local LEGEND = { ["#"] = true, o = { circle = { 1e308, 0, 1 } } }

  before_each(function()
    world = broadside.newWorld()
    map = tiles.newMap(world, "# #\n###", LEGEND, SIZE)
  end)

  local function refuses(message, call, ...)
    local before, hash = listBoxes(world), world:snapshot():getHash()
    expect.messageWithPlace(message, map[call], map, ...)
    assert.equal(hash, world:snapshot():getHash())
    assert.same(before, (listBoxes(world)))
    assert.equal(" ", map:get(2, 1))
  end

  it("cells and symbols", function()
    refuses("bad argument #1 to 'get' (number expected, got nil)", "get")
    refuses("bad argument #2 to 'get' (number expected, got 'x')", "get", 1, "x")
    refuses("bad argument #1 to 'set' (column from 1 to 3 expected, got 4)", "set", 4, 1, "#")
    refuses("bad argument #1 to 'set' (column from 1 to 3 expected, got nil)", "set")
    refuses("bad argument #1 to 'set' (column from 1 to 3 expected, got nan)", "set", compat.nan, 1)
    refuses("bad argument #2 to 'set' (row from 1 to 2 expected, got 1.5)", "set", 1, 1.5, "#")
    refuses("bad argument #3 to 'set' (no kind for 'x')", "set", 2, 1, "x")
    refuses("bad argument #3 to 'set' (no kind for nil)", "set", 2, 1)
    refuses("bad argument #3 to 'set' (no kind for the byte 9 (a symbol is one byte))", "set", 2, 1,
      "\t")
    refuses("bad argument #1 to 'snapshot' (table expected, got 7)", "snapshot", 7)
  end)

  it("what is no Map, as in a call with a dot", function()
    local arguments = { cellAt = 1, flood = 1, get = 1, rayCells = 1, remove = 1, restore = {},
      set = 1, size = 1, snapshot = {}, toCell = 1, toWorld = 1 }
    for call, argument in pairs(arguments) do
      for _, case in ipairs({ { argument, type(argument) }, { nil, "nil" }, { "x", "string" },
        { setmetatable({}, { __index = map }), "table" }, { world, "userdata" } }) do
        local done, got = pcall(function() map[call](case[1], 1, 1, 1) end)
        assert.is_false(done)
        assert.truthy(got:find("map_spec.lua:%d+: "), got)
        assert.equal(("bad self to '%s' (Map expected, got %s; call it with ':')"):format(call,
          case[2]), (got:gsub("^.-%d: ", "")))
      end
    end
  end)

  it("boxes that cannot be there", function()
    map = tiles.newMap(world, "#  ", LEGEND, { w = 1e308 })
    local wrong = "bad argument #3 to 'set' (kind '%s' in row 1, column %d: finite %s expected, "
      .. "got inf)"
    refuses(wrong:format("o", 2, "number"), "set", 2, 1, "o")
    refuses(wrong:format("#", 3, "sides"), "set", 3, 1, "#")
    -- The wall would become two boxes before the polygon.
    local tiny = { polygon = { 0, 1e-3, 1e-3, 0, 1e-3, 1e-3 } }
    map = tiles.newMap(world, "# ###", { ["#"] = true, o = tiny, [" "] = false },
      { w = 16, x = 1e15 })
    refuses("bad argument #3 to 'set' (kind 'o' in row 1, column 4: distinct corners expected, "
      .. "corner 3 repeats 1e+15, 0.001)", "set", 4, 1, "o")
  end)

  it("a world that is busy", function()
    local busy = "world is busy: a function that it has called must not change it"
    world:queryRect(0, 0, 50, 50, function()
      refuses(busy, "set", 2, 1, "#")
      refuses(busy, "set", 1, 1, " ")
      refuses(busy, "remove")
      local done, got = pcall(tiles.newMap, world, "#", nil, SIZE)
      assert.is_false(done)
      assert.truthy(got:find("world is busy"), got)
    end)
    map:set(2, 1, "#")
    assert.equal(1, world:count())
  end)

  it("a map that was removed", function()
    local get = map.get
    assert.equal(" ", get(map, 2, 1))
    map:remove()
    local done, got = pcall(function() get(map, 2, 1) end)
    assert.is_false(done)
    assert.truthy(got:find("map_spec.lua:%d+: map was removed"), got)
    for _, call in ipairs({ "get", "set", "size", "remove", "flood", "snapshot" }) do
      done, got = pcall(function() map[call](map, 1, 1) end)
      assert.is_false(done)
      assert.truthy(got:find("map_spec.lua:%d+: map was removed"), got)
    end
  end)
end)
