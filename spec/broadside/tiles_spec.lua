-- broadside.tiles: turns maps of tiles into few boxes, which must act as single tiles do.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local effort = require("spec.support.effort")
local expect = require("spec.support.expect")
local page = require("spec.support.page")
local maps = require("spec.support.tile_maps")
local random = require("spec.support.random")
local tiles = require("broadside.tiles")

local SIZE = { w = 10 }
local UP = { 0, -1 }

-- The rows of tiles.rects as lists.
local function listRects(map, legend, opts)
  local flat, n = tiles.rects(map, legend, opts or SIZE)
  assert.equal(5 * n, #flat)
  local rows = {}
  for i = 1, 5 * n, 5 do
    table.insert(rows, { flat[i], flat[i + 1], flat[i + 2], flat[i + 3], flat[i + 4] })
  end
  return rows
end

describe("broadside.tiles", function()
  it("takes a newline at the end of a text for no row", function()
    local TEXTS = { ["..\n##"] = 2, ["..\n##\n"] = 2, ["..\r\n##\r\n"] = 2, ["..\n##\n\n"] = 3 }
    for text, rows in pairs(TEXTS) do
      local map = tiles.newMap(broadside.newWorld(), text, nil, { w = 16 })
      assert.equal(rows, (select(2, map:size())))
    end
  end)

  describe("rects", function()
    it("makes one box of a row, a column and a block", function()
      assert.same({ { "#", 0, 0, 30, 10 } }, listRects("###"))
      assert.same({ { "#", 0, 0, 10, 30 } }, listRects("#\n#\n#\n"))
      assert.same({ { "#", 10, 10, 20, 20 } }, listRects("\n ##\n ##"))
      assert.same({ { 1, 0, 0, 20, 10 }, { 1, 0, 10, 10, 10 } }, listRects({ { 1, 1 }, { 1, 0 } }))
      assert.same({}, listRects(""))
      assert.same({}, listRects({}))
      assert.same({}, listRects({ {}, " .", { 0, false } }))
    end)

    it("goes down the columns where that takes fewer", function()
      local map = [[
# #
# #
###
# #
# #]]
      assert.same({ { "#", 0, 0, 10, 50 }, { "#", 20, 0, 10, 50 }, { "#", 10, 20, 10, 10 } },
        listRects(map))
    end)

    it("lists kind by kind, as they come first, by upper left cells; functions last", function()
      local legend = { a = true, b = { layer = 2 }, f = print, g = print }
      assert.same({
        { "b", 10, 0, 10, 20 }, { "b", 20, 10, 10, 10 }, { "a", 20, 0, 20, 10 },
        { "a", 0, 10, 10, 20 }, { "g", 0, 0, 10, 10 }, { "f", 10, 20, 10, 10 },
        { "f", 20, 20, 10, 10 }, { "g", 30, 20, 10, 10 },
      }, listRects("gbaa\nabb\naffg", legend))
    end)

    it("takes lines of any length, their ends as on Windows, and rows of names", function()
      assert.same({ { "#", 0, 0, 10, 20 }, { "#", 10, 10, 20, 10 } }, listRects("#\r\n###\r\n"))
      assert.same({ { "wall", 0, 0, 20, 10 } },
        listRects({ { "wall", "wall", "void" } }, { wall = true, void = false }))
      assert.same({ { "x", 0, 0, 20, 10 } }, listRects({ "xx" }))
    end)

    it("places cells of any size", function()
      assert.same({ { "#", 5, -3, 8, 6 } },
        listRects("##\n##", nil, { x = 5, y = -3, w = 4, h = 3 }))
      assert.same({ { "#", 0.5, 0, 3, 2 } }, listRects("##", nil, { x = 0.5, w = 1.5, h = 2 }))
    end)

    it("merges symbols whose options are equal, and no others", function()
      local function count(a, b)
        return #listRects("ab", { a = a, b = b })
      end
      local data = {}
      assert.equal(1, count(true, {}))
      assert.equal(1, count({ static = true, layer = 4 }, { layer = 4 }))
      assert.equal(1, count({ oneWay = { 0, -1 } }, { oneWay = UP }))
      assert.equal(1, count({ data = data }, { data = data }))
      assert.equal(1, count({ rect = { 0, 2, 10, 8 } }, { rect = { 0, 2, 10, 8 } }))
      assert.equal(2, count({ data = {} }, { data = {} }))
      assert.equal(2, count({ layer = 4 }, { layer = 4, mask = 1 }))
      assert.equal(2, count({ layer = 4, mask = 1 }, { layer = 4 }))
      assert.equal(2, count({ oneWay = UP }, true))
      assert.equal(2, count({ rect = { 0, 2, 10, 8 } }, { rect = { 0, 0, 10, 8 } }))
      assert.equal(2, count(true, { merge = false }))
      for name, value in pairs({ mask = 3, bounce = 0.5, vx = 1, ay = 1, response = "touch",
        sensor = true, gravityScale = 0 }) do
        assert.equal(2, count({ [name] = value }, true))
        assert.equal(1, count({ [name] = value }, { [name] = value }))
      end
    end)

    it("does not merge boxes that move, have merge = false, a shape or a function", function()
      for _, kind in ipairs({
        { static = false }, { merge = false }, { circle = { 5, 5, 5 } },
        { polygon = { 0, 10, 10, 0, 10, 10 } }, print,
      }) do
        assert.equal(4, #listRects("aa\naa", { a = kind }))
      end
    end)

    it("merges parts of cells along the axes on which they fill the cell", function()
      assert.same({ { "-", 0, 0, 20, 3 }, { "-", 0, 10, 20, 3 } },
        listRects("--\n--", { ["-"] = { rect = { 0, 0, 10, 3 } } }))
      assert.same({ { "|", 4, 0, 2, 20 }, { "|", 14, 0, 2, 20 } },
        listRects("||\n||", { ["|"] = { rect = { 4, 0, 2, 10 } } }))
      assert.equal(4, #listRects("oo\noo", { o = { rect = { 1, 1, 8, 8 } } }))
    end)

    it("merges one-way cells only across their normal", function()
      assert.same({ { "^", 0, 0, 20, 10 }, { "^", 0, 10, 20, 10 } },
        listRects("^^\n^^", { ["^"] = { oneWay = UP } }))
      assert.same({ { "<", 0, 0, 10, 20 }, { "<", 10, 0, 10, 20 } },
        listRects("<<\n<<", { ["<"] = { oneWay = { -1, 0 } } }))
    end)
  end)

  -- Checks, cell by cell, which rectangle covers it, and that it has the cell's symbol.
  local function checkCover(map, rects)
    local cover = {}
    for i, rect in ipairs(rects) do
      for row = rect[3] / 10 + 1, (rect[3] + rect[5]) / 10 do
        for column = rect[2] / 10 + 1, (rect[2] + rect[4]) / 10 do
          assert.equal(rect[1], map[row][column])
          local key = row * 1000 + column
          assert.is_nil(cover[key])
          cover[key] = i
        end
      end
    end
    for row, line in ipairs(map) do
      for column, symbol in ipairs(line) do
        assert.equal(symbol ~= 0, cover[row * 1000 + column] ~= nil)
      end
    end
  end

  it("covers each cell of random maps once, with its kind", function()
    local rng = random.new(7)
    local legend = {
      [0] = false, true, { layer = 2 }, { layer = 2, oneWay = UP }, { merge = false },
    }
    for _ = 1, compat.rounds(60) do
      local map = maps.random(rng, rng:int(1, 12), rng:int(1, 12), { 0, 1, 1, 1, 2, 3, 4 })
      checkCover(map, listRects(map, legend))
    end
  end)

  -- The least number of rectangles that cover a map of cells with side 1. It tries all rectangles
  -- that begin at the first uncovered cell.
  local function leastOf(map, limit)
    local row, column
    for i = 1, #map do
      for j = #map[i], 1, -1 do
        if map[i][j] == 1 and not (row and row < i) then
          row, column = i, j
        end
      end
    end
    if not row or limit == 0 then
      return row and math.huge or 0
    end
    local least = math.huge
    local w = #map[1]
    for bottom = row, #map do
      for right = column, w do
        if map[bottom][right] ~= 1 then
          w = right - 1
          break
        end
        for i = row, bottom do
          for j = column, right do
            map[i][j] = 2
          end
        end
        least = math.min(least, 1 + leastOf(map, math.min(limit, least) - 1))
        for i = row, bottom do
          for j = column, right do
            map[i][j] = 1
          end
        end
      end
    end
    return least
  end

  it("takes as few boxes as there can be for nearly all small maps", function()
    local more, tried = 0, 0
    for bits = 0, 511 do
      local map = {}
      for i = 0, 8 do
        local row = math.floor(i / 3) + 1
        map[row] = map[row] or {}
        table.insert(map[row], math.floor(bits / 2 ^ i) % 2)
      end
      local _, n = tiles.rects(map, nil, SIZE)
      assert.equal(leastOf(map, math.huge), n)
    end
    local rng = random.new(11)
    for _ = 1, compat.rounds(300) do
      local map = maps.random(rng, 4, 5, { 0, 1, 1 })
      local _, n = tiles.rects(map, nil, SIZE)
      local least = leastOf(map, n + 1)
      assert.is_true(n >= least and n <= least + 1)
      more, tried = more + n - least, tried + 1
    end
    assert.is_true(more <= 0.05 * tried, more .. " of " .. tried)
  end)

  describe("insert", function()
    local world

    before_each(function()
      world = broadside.newWorld()
    end)

    it("inserts the boxes of rects in their order, with their options, and tells them", function()
      local legend = {
        ["#"] = true, o = { layer = 2, merge = false, data = "coin" },
        ["="] = { oneWay = UP, rect = { 0, 0, 10, 3 } }, m = { static = false, response = "slide" },
      }
      local map = "#o=o#\n#==m#\n#####"
      local boxes, n = tiles.insert(world, map, legend, SIZE)
      local rows = listRects(map, legend)
      assert.equal(#rows, n)
      assert.equal(n, #boxes)
      local i = 0
      for box in world:boxes() do
        i = i + 1
        assert.equal(boxes[i], box)
        local _, x, y, w, h = compat.unpack(rows[i])
        assert.same({ x, y, w, h }, { box:getRect() })
        assert.equal(rows[i][1] ~= "m", box:isStatic())
        assert.equal(rows[i][1] == "o" and 2 or 1, (box:getFilter()))
        assert.equal(rows[i][1] == "o" and "coin" or nil, box:getData())
        assert.equal(rows[i][1] == "=" and -1 or nil, (select(2, box:getOneWay())))
        assert.equal(rows[i][1] == "m" and "slide" or nil, box:getResponse())
      end
      assert.equal(n, i)
    end)

    it("inserts circles within their cells", function()
      local boxes = tiles.insert(world, " o\no", { o = { circle = { 5, 6, 4 } } }, SIZE)
      assert.same({ "circle", 15, 6, 4 }, { boxes[1]:getShape() })
      assert.same({ "circle", 5, 16, 4 }, { boxes[2]:getShape() })
      assert.is_true(boxes[1]:isStatic())
    end)

    it("keeps kinds apart that only differ in their shapes", function()
      local boxes = tiles.insert(world, "abcd", {
        a = { circle = { 5, 5, 4 } }, b = { circle = { 5, 5, 3 } },
        c = { polygon = { 0, 0, 9, 0, 9, 9 } }, d = { polygon = { 0, 0, 9, 0, 9, 8 } },
      }, SIZE)
      assert.same({ "circle", 5, 5, 4 }, { boxes[1]:getShape() })
      assert.same({ "circle", 15, 5, 3 }, { boxes[2]:getShape() })
      assert.same({ "polygon", { 20, 0, 29, 0, 29, 9 } }, { boxes[3]:getShape() })
      assert.same({ "polygon", { 30, 0, 39, 0, 39, 8 } }, { boxes[4]:getShape() })
    end)

    it("inserts polygons of their corners within the cell", function()
      local legend = { ["/"] = { polygon = { 0, 10, 10, 0, 10, 10 }, layer = 4 } }
      local boxes = tiles.insert(world, " /\n/", legend, { w = 10, x = 100 })
      assert.same({ "polygon", { 110, 10, 120, 0, 120, 10 } }, { boxes[1]:getShape() })
      assert.same({ "polygon", { 100, 20, 110, 10, 110, 20 } }, { boxes[2]:getShape() })
      assert.equal(4, (boxes[1]:getFilter()))
    end)

    it("gives ids where results = 'id'", function()
      world = broadside.newWorld({ results = "id" })
      local boxes, n = tiles.insert(world, "#/\n##", {
        ["#"] = true, ["/"] = { polygon = { 0, 10, 10, 0, 10, 10 } },
      }, SIZE)
      assert.equal(3, n)
      for _, id in ipairs(boxes) do
        assert.equal("number", type(id))
        assert.is_true(world:has(id))
      end
    end)

    it("calls functions when all boxes are there, row by row, with their cells", function()
      local calls = {}
      local function note(...)
        table.insert(calls, { world:count(), ... })
      end
      local legend = { P = note, E = note, ["#"] = true }
      local _, n = tiles.insert(world, "P E\nE#E", legend, { w = 5, h = 8 })
      assert.equal(1, n)
      assert.same({ { 1, 0, 0, 5, 8, "P" }, { 1, 10, 0, 5, 8, "E" }, { 1, 0, 8, 5, 8, "E" },
        { 1, 10, 8, 5, 8, "E" } }, calls)
    end)

    it("passes on what a function raises", function()
      assert.has_error(function()
        tiles.insert(world, "#!", { ["#"] = true, ["!"] = function()
          error("no room", 0)
        end }, SIZE)
      end, "no room")
      assert.equal(1, world:count())
    end)

    -- Whether a rectangle overlaps a cell of the map, by a loop over the cells.
    local function overlapsCell(map, x, y, w, h)
      for row, line in ipairs(map) do
        for column, symbol in ipairs(line) do
          local cellX, cellY = 10 * column - 10, 10 * row - 10
          if symbol ~= 0 and broadside.overlap(x, y, w, h, cellX, cellY, 10, 10) then
            return true
          end
        end
      end
      return false
    end

    it("is overlapped where a cell is, and nowhere else", function()
      local rng = random.new(3)
      for _ = 1, compat.rounds(20) do
        local map = maps.random(rng, 9, 12, { 0, 0, 1 })
        world:clear()
        tiles.insert(world, map, nil, SIZE)
        for _ = 1, 50 do
          local x, y, w, h = rng:int(-5, 115), rng:int(-5, 85), rng:int(1, 25), rng:int(1, 25)
          local _, n = world:queryRect(x, y, w, h)
          assert.equal(overlapsCell(map, x, y, w, h), n > 0)
        end
      end
    end)

    local FILTERS = { false, { touch = 1 }, { bounce = 1 } }

    -- Moves the same box in a world of merged cells and in one of single cells. number(lo, hi)
    -- returns a place in units of cells; tries: how many places to try as the start. Returns
    -- whether a start was found.
    local function walk(rng, map, legend, opts, number, tries, filters)
      local worlds = { broadside.newWorld(), broadside.newWorld() }
      local boxes, single, size = {}, {}, opts.w
      for symbol, kind in pairs(legend) do
        single[symbol] = { merge = false, oneWay = kind.oneWay }
      end
      tiles.insert(worlds[1], map, legend, opts)
      tiles.insert(worlds[2], map, single, opts)
      assert.is_true(worlds[1]:count() < worlds[2]:count())
      local x, y
      for try = 1, tries do
        x, y = (opts.x or 0) + size * number(0, 11), (opts.y or 0) + size * number(0, 8)
        if select(2, worlds[1]:queryRect(x, y, 0.7 * size, 0.9 * size)) == 0 then
          break
        elseif try == tries then
          return false
        end
      end
      for i = 1, 2 do
        boxes[i] = worlds[i]:insert(x, y, 0.7 * size, 0.9 * size)
      end
      for _ = 1, 30 do
        local goalX, goalY = x + size * number(-3, 3), y + size * number(-3, 3)
        local filter = rng:pick(filters) or nil
        x, y = worlds[1]:move(boxes[1], goalX, goalY, filter)
        local singleX, singleY = worlds[2]:move(boxes[2], goalX, goalY, filter)
        assert.equal(singleX, x)
        assert.equal(singleY, y)
        assert.equal(worlds[2]:touching(boxes[2], 0, 1) ~= nil,
          worlds[1]:touching(boxes[1], 0, 1) ~= nil)
      end
      return true
    end

    -- Places in tenths of cells, and any places.
    local function numbers(rng, round)
      return round % 2 == 0 and function(lo, hi)
        return rng:int(10 * lo, 10 * hi) / 10
      end or function(lo, hi) return rng:real(lo, hi) end
    end

    it("lets boxes move as among single tiles", function()
      local rng = random.new(5)
      for round = 1, compat.rounds(60) do
        local map = maps.random(rng, 9, 12, { 0, 0, 0, 1, 1, 2 })
        walk(rng, map, { {}, { layer = 1 } }, SIZE, numbers(rng, round), 50, FILTERS)
      end
    end)

    it("lets boxes move as among single tiles that are one-way", function()
      local rng = random.new(6)
      for _ = 1, compat.rounds(60) do
        local map = maps.random(rng, 9, 12, { 0, 0, 0, 1, 2, 2 })
        walk(rng, map, { {}, { oneWay = UP } }, SIZE, numbers(rng, 2), 1, FILTERS)
      end
    end)

    local SIZES, PLACES = { 0.1, 0.3, 1 / 3, 7.7, 16 }, { 0, 0.7, -0.55, 1e3, -1e6, 12345678.9 }

    it("lets boxes move as among single tiles of any size, anywhere", function()
      local rng, walks, rounds = random.new(8), 0, compat.rounds(50)
      for round = 1, rounds do
        local map = maps.random(rng, 9, 12, { 0, 0, 0, 1, 1, 2 })
        local opts = { w = rng:pick(SIZES), x = rng:pick(PLACES), y = rng:pick(PLACES) }
        local isOneWay = rng:chance(0.5) -- a bounce may begin inside a one-way box
        local legend = { {}, isOneWay and { oneWay = UP } or {} }
        local filters = isOneWay and { false, { touch = 1 } } or FILTERS
        if walk(rng, map, legend, opts, numbers(rng, round), 50, filters) then
          walks = walks + 1
        end
      end
      assert.is_true(walks >= math.floor(rounds * 0.9))
    end)
  end)

  it("ends boxes where their last cells do, to the last bit", function()
    local rng = random.new(9)
    local boxes, cells = 0, 0
    for _ = 1, compat.rounds(60) do
      local opts = { w = rng:pick({ 0.1, 0.3, 1 / 3, 7.7 }), h = rng:pick({ 0.1, 1 / 7, 3 }),
        x = rng:pick({ 0, 0.7, -0.55, -3.3, 1e6 + 0.1 }), y = rng:pick({ 0, -1.1, -1e7 }) }
      local map = maps.random(rng, rng:int(1, 20), rng:int(1, 40), { 0, 1, 1, 1, 1, 1 })
      local rects = listRects(map, nil, opts)
      for _, rect in ipairs(rects) do
        table.remove(rect, 1)
      end
      boxes, cells = boxes + #rects, cells + maps.expectCovered(map, opts, rects)
    end
    assert.is_true(boxes < cells / 2, boxes .. " boxes of " .. cells .. " cells")
  end)

  it("lists the boxes of a kind by their upper left cells, row by row", function()
    local rng = random.new(12)
    for _ = 1, compat.rounds(60) do
      local opts = { w = rng:pick({ 10, 0.1 }), x = rng:pick({ 0, -0.55 }) }
      local rects = listRects(maps.random(rng, 12, 12, { 0, 1, 1 }), nil, opts)
      for i = 2, #rects do
        local a, b = rects[i - 1], rects[i]
        assert.is_true(a[3] < b[3] or a[3] == b[3] and a[2] < b[2])
      end
    end
  end)

  it("cuts a row where no width ends a box as its last cell, once or so", function()
    local row = ("#"):rep(1000)
    local _, n = tiles.rects(row, nil, { w = 0.1, x = -50.05 })
    assert.is_true(n > 1 and n <= 20, n .. " boxes")
    _, n = tiles.rects(row, nil, { w = 0.1 })
    assert.equal(1, n)
  end)

  it("has seams for a box that rounding has put into the floor, until resolve moves it", function()
    local world = broadside.newWorld()
    tiles.insert(world, "##", { ["#"] = { merge = false } }, { w = 16, y = 48.1 })
    local box = world:insert(2, 48.1 - 12.7, 5, 12.7)
    assert.equal(11, (world:check(box, 24, 48.1 - 12.7)))
    world:resolve(box)
    local _, y = box:getRect()
    assert.equal(24, (world:check(box, 24, y)))
    assert.is_true(y + 12.7 <= 48.1)
  end)

  describe("says what is wrong, and changes nothing:", function()
    local world = broadside.newWorld()
    local map = "##\n# o"
    local function noMap(value, message)
      return { "1", { value, nil, SIZE }, message }
    end
    local function noLegend(value, message)
      return { "2", { map, value, SIZE }, message }
    end
    local function noOpts(value, message)
      return { "3", { map, nil, value }, message }
    end
    local function noKind(value, message)
      return noLegend({ ["#"] = true, o = value }, "kind 'o': " .. message)
    end
    local function noSymbol(value, legend, message)
      return { "1", { value, legend, SIZE }, message }
    end
    local CASES = {
      noMap(nil, "string or table of rows expected, got nil"),
      noMap(7, "string or table of rows expected, got 7"),
      noMap({ "#", 5 }, "row 2: string or table expected, got 5"),
      noSymbol({ { 1, {} } }, { true }, "no kind for table in row 1, column 2"),
      noSymbol(map, { ["#"] = true }, "no kind for 'o' in row 2, column 3"),
      noSymbol("#\195\169", { ["#"] = true },
        "no kind for the byte 195 (a symbol is one byte) in row 1, column 2"),
      noSymbol("#\t#", { ["#"] = true },
        "no kind for the byte 9 (a symbol is one byte) in row 1, column 2"),
      noLegend(7, "table of kinds expected, got 7"),
      noKind(7, "true, false, table of options or function expected, got 7"),
      noKind("solid", "true, false, table of options or function expected, got 'solid'"),
      noKind({ layer = 1.5 }, "option 'layer': 32-bit integer expected, got 1.5"),
      noKind({ colour = 1 }, "unknown option 'colour'; known: " .. expect.optionsOfInsert()
        .. ", rect, circle, polygon, merge"),
      noKind({ oneWay = { 1, 1 } }, "option 'oneWay': 0, as the normal is along another axis, "
        .. "as item 2 expected, got 1"),
      noKind({ rect = { 0, 0, 0, 5 } }, "option 'rect': {x, y, w, h} with w, h > 0 expected"),
      noKind({ rect = 5 }, "option 'rect': {x, y, w, h} with w, h > 0 expected"),
      noKind({ rect = { compat.nan, 0, 1, 5 } },
        "option 'rect': {x, y, w, h} with w, h > 0 expected"),
      noKind({ circle = { 5, 5 } }, "option 'circle': {x, y, r} with r > 0 expected"),
      noKind({ circle = { 5, 5, 0 } }, "option 'circle': {x, y, r} with r > 0 expected"),
      noKind({ polygon = { 0, 0, 5, 0 } }, "3 to 16 corners expected, got 2"),
      noKind({ polygon = 7 }, "table expected, got 7"),
      noOpts(nil, "table with w, the size of a cell, expected, got nil"),
      noOpts({}, "option 'w': size > 0 expected, got nil"),
      noOpts({ w = -1 }, "option 'w': size > 0 expected, got -1"),
      noOpts({ w = compat.nan }, "option 'w': size > 0 expected, got nan"),
      noOpts({ w = 1, h = "x" }, "option 'h': size > 0 expected, got 'x'"),
      noOpts({ w = 1, x = {} }, "option 'x': finite number expected, got table"),
      noOpts({ w = 1, y = compat.huge }, "option 'y': finite number expected, got inf"),
      noOpts({ w = 1, size = 1 }, "unknown option 'size'; known: w, h, x, y"),
    }
    for i, case in ipairs(CASES) do
      it(i .. ": " .. case[3], function()
        local arg, args, message = case[1], case[2], case[3]
        local done, got = pcall(function() tiles.rects(args[1], args[2], args[3]) end)
        assert.is_false(done)
        assert.truthy(got:find("tiles_spec.lua:%d+: "), got)
        assert.equal(("bad argument #%s to 'rects' (%s)"):format(arg, message),
          (got:gsub("^.-%d: ", "")))
        done, got = pcall(function() tiles.insert(world, args[1], args[2], args[3]) end)
        assert.is_false(done)
        assert.equal(("bad argument #%d to 'insert' (%s)"):format(arg + 1, message),
          (got:gsub("^.-%d: ", "")))
        assert.equal(0, world:count())
      end)
    end

    it("a shape that cannot be there, before anything is inserted", function()
      local tiny, key = { polygon = { 0, 1e-3, 1e-3, 0, 1e-3, 1e-3 } }, { key = "box" }
      local before, legend = world:snapshot():getHash(), { ["#"] = true, ["/"] = tiny, k = key }
      for _, call in ipairs({ "insert", "newMap" }) do
        for _, case in ipairs({
          { "##/", "kind '/' in row 1, column 3: distinct corners expected, corner 3 repeats "
            .. "1e+15, 0.001" },
          { "##k", "kind 'k' in row 1, column 3: option 'data': table for the key expected, got "
            .. "nil" },
        }) do
          expect.message(("bad argument #4 to '%s' (%s)"):format(call, case[2]), tiles[call], world,
            case[1], legend, { w = 16, x = 1e15 })
          assert.equal(before, world:snapshot():getHash())
        end
      end
    end)

    it("a world in the place of the map, first of all", function()
      local done, got = pcall(function() tiles.rects(world, map, nil, SIZE) end)
      assert.is_false(done)
      assert.truthy(got:find("bad argument #1 to 'rects' (string or table of rows expected, got " ..
        "World (2D, 0 boxes))", 1, true), got)
    end)

    it("a world that is none", function()
      for _, value in ipairs({ 7, "x", { insertMany = print }, io.stdout,
        broadside.newWorld({ dim = 3 }), broadside.newTree() }) do
        expect.refused("bad argument #1 to 'insert' (2D World expected, got", tiles.insert, value,
          map, nil, SIZE)
      end
      local done, got = pcall(tiles.insert, tiles, world, map, nil)
      assert.is_false(done)
      local text = "#1 to 'insert' (this is the module itself; call it with '.', not ':')"
      assert.truthy(got:find(text, 1, true), got)
    end)

    -- Asserts that both calls raise the same error about their own argument.
    local function refusesPlaces(where, legend, opts)
      local args = { where[1], legend, opts }
      for call, arg in pairs({ rects = 3, insert = 4 }) do
        local done, got = pcall(function()
          if call == "rects" then
            tiles.rects(compat.unpack(args))
          else
            tiles.insert(world, compat.unpack(args))
          end
        end)
        if call == "insert" or where[3] then
          assert.is_false(done)
          assert.truthy(got:find("tiles_spec.lua:%d+: "), got)
          assert.equal(("bad argument #%d to '%s' (kind %s)"):format(arg, call, where[2]),
            (got:gsub("^.-%d: ", "")))
          assert.equal(0, world:count())
        end
      end
    end

    it("places that are not finite, after other boxes: the cell", function()
      local legend, opts = { ["#"] = true, o = { layer = 2 }, f = print }, { w = 1e308, h = 1 }
      local wrong = " in row 2, column 2: finite sides expected, got inf"
      refusesPlaces({ "# \n #o", "'#'" .. wrong, true }, legend, opts)
      refusesPlaces({ "# \n.oo", "'o'" .. wrong, true }, legend, opts)
      refusesPlaces({ "o\n o", "'o'" .. wrong, true },
        { o = { rect = { 0, 0, 1, 7e307 }, merge = false } }, { w = 1, y = 1e308, h = 7e307 })
      refusesPlaces({ { { 1 }, { 0, 0, "f" } }, "'f' in row 2, column 3: finite sides expected, "
        .. "got inf", true }, { true, f = print }, opts)
    end)

    it("shapes that are none where they are: the cell", function()
      refusesPlaces({ "#\n.o", "'o' in row 2, column 2: finite number expected, got inf" },
        { ["#"] = true, o = { circle = { 1e308, 0, 1 } } }, { w = 1e308, h = 1 })
      refusesPlaces({ "o#\n./", "'/' in row 2, column 2: distinct corners expected, corner 3 "
        .. "repeats 1e+300, 2" }, { ["#"] = true, o = { circle = { 0, 0, 1 } },
        ["/"] = { polygon = { 0, 1, 1, 0, 1, 1 } } }, { w = 1, x = 1e300 })
      refusesPlaces({ "#\n./", "'/' in row 2, column 2: distinct corners expected, corner 3 "
        .. "repeats 1e+300, 2" },
        { ["#"] = true, ["/"] = { polygon = { 0, 1, 1, 0, 1, 1 } } }, { w = 1, x = 1e300 })
    end)

    it("a world that is busy", function()
      world:insert(0, 0, 1, 1)
      world:queryRect(0, 0, 5, 5, function()
        local done, got = pcall(tiles.insert, world, map, nil, SIZE)
        assert.is_false(done)
        assert.truthy(got:find("world is busy"), got)
      end)
      assert.equal(1, world:count())
      world:clear()
    end)
  end)

  -- Tables whose metamethods pretend that they have no end.
  local function endless(value, own)
    return setmetatable(own or {}, {
      __index = function() return value end,
      __len = function() return 2 ^ 53 end,
      __pairs = function()
        return function() return "layer", 1 end
      end,
      __ipairs = function(list)
        return function(_, i)
          return i + 1, value
        end, list, 0
      end,
    })
  end

  it("takes what tables have of their own, whatever their metamethods add", function()
    local function rects(map, legend, opts)
      local out, n = effort.limit(1e6, tiles.rects, map, legend, opts or SIZE)
      assert.equal(5 * n, #out)
      return out
    end
    assert.same({ "#", 0, 0, 20, 10 }, rects({ endless("#", { "#", "#" }) }))
    assert.same({ "#", 0, 0, 20, 10 }, rects(endless("##", { "##" })))
    assert.same({}, rects({ endless("#") }))
    assert.same({ "#", 0, 0, 20, 10 }, rects("##", endless(nil, { ["#"] = true })))
    assert.same({ "#", 0, 0, 20, 10 }, rects("##", { ["#"] = endless(nil, { layer = 2 }) }))
    assert.same({ "#", 0, 0, 20, 10 }, rects("##", nil, endless(nil, { w = 10 })))
    local ledge = { rect = endless(nil, { 0, 0, 10, 3 }), oneWay = endless(nil, { 0, -1 }) }
    assert.same({ "#", 0, 0, 20, 3 },
      rects("#o", { ["#"] = ledge, o = { rect = { 0, 0, 10, 3 }, oneWay = { 0, -1 } } }))
  end)

  it("finds the kinds of thousands of symbols with work for each one", function()
    local legend, row = {}, {}
    for i = 1, 2000 do
      legend[i], row[i] = { data = i % 1000 }, i
    end
    local _, n = effort.limit(6e6, tiles.rects, { row, row }, legend, SIZE)
    assert.equal(2000, n)
  end)

  it("does what its page says", function()
    local printed, expected = page.run("doc/tiles.md")
    assert.equal(expected, printed)
    assert.truthy(expected:find("2 coins", 1, true))
  end)

  it("takes a map of 1000 by 200 cells", function()
    local map = {}
    for row = 1, 200 do
      map[row] = ("#"):rep(row % 10 == 0 and 1000 or 1)
    end
    local _, n = tiles.rects(map, nil, SIZE)
    assert.equal(21, n)
  end)
end)
