-- Edits of a Map beside those who are in its boxes: who stays in the same kind keeps his contacts.

local broadside = require("broadside")
local collect = require("spec.support.collect")
local compat = require("spec.support.compat")
local expect = require("spec.support.expect")
local maps = require("spec.support.tile_maps")
local random = require("spec.support.random")
local tiles = require("broadside.tiles")

local SIZE = { w = 10 }
local LEGEND = { ["~"] = { sensor = true, data = "water" }, ["#"] = { layer = 2 },
  l = { sensor = true, layer = 4 }, f = { sensor = true, rect = { 0, 4, 10, 6 } }, [" "] = false }

-- Whether all cells that a rect reaches into have one symbol.
local function isWithin(map, x, y, w, h, symbol)
  local column, row = map:toCell(x, y)
  for i = row, math.ceil((y + h) / 10) do
    for j = column, math.ceil((x + w) / 10) do
      if map:get(j, i) ~= symbol then
        return false
      end
    end
  end
  return true
end

-- Asserts by queries that each cell is in the boxes that it should be in, and in no others.
local function expectCover(world, map)
  local columns, rows = map:size()
  local wrong = 0
  for row = 1, rows do
    for column = 1, columns do
      local x, y = map:toWorld(column, row)
      local symbol, n = map:get(column, row), 0
      for _, box in ipairs((world:queryPoint(x + 5, y + 5))) do
        n = n + (box:isStatic() and 1 or 0)
        local layer = box:getFilter()
        wrong = wrong + (box:isStatic() and layer ~= ({ ["#"] = 2, l = 4 })[symbol]
          and layer ~= 1 and 1 or 0)
      end
      wrong = wrong + (n == (symbol == " " and 0 or 1) and 0 or 1)
    end
  end
  assert.equal(0, wrong)
end

-- The sorted rects of all static boxes.
local function listBoxes(world)
  local texts = {}
  for box in world:boxes() do
    local x, y, w, h = box:getRect()
    if box:isStatic() then
      table.insert(texts, ("%g %g %g %g %d"):format(x, y, w, h, (box:getFilter())))
    end
  end
  table.sort(texts)
  return texts
end

describe("Who stays in a kind of a Map that is edited", function()
  it("keeps his contacts, wherever he is and whatever is edited", function()
    local rng, kept = random.new(70), 0
    for round = 1, compat.rounds(30) do
      local world = broadside.newWorld({ results = rng:pick({ "box", "data" }) })
      local rows = maps.random(rng, rng:int(20, 40), rng:int(20, 40),
        round % 2 == 0 and { "~" } or { "~", "~", "~", "~", "~", "~", "#", "l", "f", " " })
      local map = tiles.newMap(world, rows, LEGEND, SIZE)
      local x, y, w, h
      repeat
        w, h = rng:int(1, 35), rng:int(1, 35)
        x, y = rng:int(0, 190 - w), rng:int(0, 190 - h)
      until isWithin(map, x, y, w, h, "~") or round % 2 == 1
      world:insert(x, y, w, h, { data = { "swimmer" } })
      collect.contacts(world)
      for _ = 1, 60 do
        local column, row = rng:int(1, #rows[1]), rng:int(1, #rows)
        local symbol = rng:pick({ "~", "~", "#", "l", "f", " " })
        local cellX, cellY = map:toWorld(column, row)
        local overlaps = broadside.overlap(cellX, cellY, 10, 10, x, y, w, h)
        map:set(column, row, symbol)
        for phase, a, b in world:contacts("changes") do
          assert(overlaps, ("%s of %s and %s"):format(phase, tostring(a), tostring(b)))
        end
        kept = kept + (overlaps and 0 or 1)
      end
    end
    assert.is_true(kept > compat.rounds(30) * 20)
  end)

  it("is covered as each other cell is, and once he has left, as if he had never been", function()
    local rng = random.new(71)
    for _ = 1, compat.rounds(8) do
      local world = broadside.newWorld()
      local rows = maps.random(rng, rng:int(1, 40), rng:int(1, 40),
        { "~", "~", "~", "l", "#", " " })
      local map = tiles.newMap(world, rows, LEGEND, SIZE)
      local columns, lines = map:size()
      local swimmers = {}
      for i = 1, 6 do
        swimmers[i] = world:insert(rng:int(0, 10 * columns), rng:int(0, 10 * lines), rng:int(1, 30),
          rng:int(1, 30))
      end
      local function edit()
        local column, row = rng:int(1, columns), rng:int(1, lines)
        rows[row][column] = rng:pick({ "~", "~", "l", "#", " " })
        map:set(column, row, rows[row][column])
      end
      for _ = 1, 40 do
        edit()
        local swimmer = rng:pick(swimmers)
        swimmer:setRect(rng:int(0, 10 * columns), rng:int(0, 10 * lines))
      end
      for row, line in ipairs(rows) do
        for column, symbol in ipairs(line) do
          assert.equal(symbol, map:get(column, row))
        end
      end
      expectCover(world, map)
      for _, swimmer in ipairs(swimmers) do
        swimmer:remove()
      end
      for row = 1, lines, 32 do -- one edit in each chunk
        for column = 1, columns, 32 do
          map:set(column, row, rows[row][column] == "#" and " " or "#")
          map:set(column, row, rows[row][column])
        end
      end
      local edited = listBoxes(world)
      map:remove()
      tiles.newMap(world, rows, LEGEND, SIZE)
      assert.same(listBoxes(world), edited)
    end
  end)

  it("keeps them for all on the side of the cell on which most are", function()
    local world = broadside.newWorld()
    local map = tiles.newMap(world, ("~"):rep(9), LEGEND, SIZE)
    for i = 1, 3 do
      world:insert(60 + i, 2, 4, 4)
    end
    local left = world:insert(12, 2, 4, 4)
    collect.contacts(world)
    local box = world:queryPoint(1, 1)[1]
    map:set(4, 1, " ")
    assert.same({ 40, 0, 50, 10 }, { box:getRect() })
    local changed = {}
    for phase, a, b in world:contacts("changes") do
      changed[phase] = (changed[phase] or 0) + 1
      assert.is_true(a == left or b == left)
    end
    assert.same({ begin = 1, ["end"] = 1 }, changed)
  end)

  it("goes back with the world, also by a string and a stored state", function()
    local function newGame()
      local world = broadside.newWorld()
      local map = tiles.newMap(world, (("~"):rep(20) .. "\n"):rep(20), LEGEND, SIZE)
      return world, map
    end
    local world, map = newGame()
    world:insert(95, 95, 30, 30)
    collect.contacts(world)
    for _, cell in ipairs({ { 3, 3 }, { 14, 12 }, { 10, 4 }, { 5, 10 } }) do
      map:set(cell[1], cell[2], " ")
    end
    local before, state = world:snapshot(), map:snapshot()
    local expected = listBoxes(world)
    map:set(3, 3, "~")
    map:set(10, 4, "#")
    world:restore(before)
    map:restore(state)
    assert.same(expected, listBoxes(world))
    local other, again = newGame()
    other:restore(before:getString())
    local stored = { columns = state.columns, rows = state.rows, symbols = state.symbols,
      chunks = {} }
    for i, chunk in ipairs(state.chunks) do
      stored.chunks[i] = { cells = chunk.cells, keys = chunk.keys, ids = chunk.ids }
    end
    again:restore(stored)
    for _, cell in ipairs({ { 3, 3 }, { 1, 1 }, { 14, 12 } }) do
      for _, each in ipairs({ map, again }) do
        each:set(cell[1], cell[2], "~")
      end
    end
    assert.same(listBoxes(world), listBoxes(other))
    assert.equal(world:snapshot():getString(), other:snapshot():getString())
    again:remove()
    assert.equal(1, other:count())
    for _, change in ipairs({
      function(keys) keys[1] = nil end,
      function(keys) keys[1] = keys[2] end,
      function(keys) keys[1] = keys[1] + 1 end,
      function(keys) keys[1] = keys[1] + 1024 end,
      function(keys) keys[1] = 0.5 end,
      function(keys) keys[1] = "x" end,
      function(keys) keys[1] = -1 end,
      function(keys) keys[1] = 2 ^ 1023 * 2 end,
      function(keys) keys[#keys + 1] = keys[1] end,
    }) do
      local damaged = { columns = state.columns, rows = state.rows, symbols = state.symbols,
        chunks = { { cells = state.chunks[1].cells, ids = state.chunks[1].ids, keys = {} } } }
      for i, key in ipairs(state.chunks[1].keys) do
        damaged.chunks[1].keys[i] = key
      end
      change(damaged.chunks[1].keys)
      expect.badArgument(1, "restore", "chunk 1 is damaged", map.restore, map, damaged)
    end
  end)

  it("is left where he was by an edit that fails", function()
    local world = broadside.newWorld()
    local tiny = { polygon = { 0, 1e-3, 1e-3, 0, 1e-3, 1e-3 } }
    local map = tiles.newMap(world, "~~~~~~~~~", { ["~"] = true, o = tiny, [" "] = false },
      { w = 16, x = 1e15 })
    local swimmer = world:insert(1e15 + 100, 2, 4, 4)
    collect.contacts(world)
    local before = world:snapshot():getString()
    expect.badArgument(3, "set", "distinct corners expected", map.set, map, 4, 1, "o")
    world:queryPoint(1e15 + 1, 1, function()
      expect.refused("world is busy", map.set, map, 4, 1, " ")
      return true
    end)
    assert.equal(before, world:snapshot():getString())
    assert.same({ 7, 1 }, { map:cellAt(world:queryBox(swimmer)[1], 1e15 + 101, 4) })
    map:set(4, 1, " ")
    assert.same({}, { world:collectContacts("changes")[1] })
    assert.same({ 1e15 + 64, 0, 80, 16 }, { world:queryBox(swimmer)[1]:getRect() })
  end)
end)
