-- What broadside.debug draws, with a stand-in for LÖVE's graphics.

local broadside = require("broadside")
local garbageOf = require("spec.support.garbage")

describe("broadside.debug", function()
  local view, state, rects, outlines, lines, scale

  -- These functions are made only once, so all garbage comes from the view.
  local function newGraphics()
    state = { color = { 0.1, 0.2, 0.3, 0.4 }, width = 3, style = "smooth" }
    rects, outlines, lines = {}, {}, {}
    scale = 1
    local function outline(name)
      return function(...)
        if rects then
          table.insert(outlines, { name, ... })
        end
      end
    end
    return {
      getColor = function()
        return state.color[1], state.color[2], state.color[3], state.color[4]
      end,
      setColor = function(r, g, b, a)
        state.color[1], state.color[2], state.color[3], state.color[4] = r, g, b, a
      end,
      getLineWidth = function() return state.width end,
      setLineWidth = function(width) state.width = width end,
      getLineStyle = function() return state.style end,
      setLineStyle = function(style) state.style = style end,
      transformPoint = function(x, y)
        return 5 - scale * y, 7 + scale * x -- rotated, too
      end,
      rectangle = function(mode, x, y, w, h)
        if rects then
          table.insert(rects, { mode, x, y, w, h, width = state.width, color = state.color[1] })
        end
      end,
      line = function(...)
        if rects then
          table.insert(lines, { ... })
        end
      end,
      circle = outline("circle"),
      polygon = outline("polygon"),
    }
  end

  before_each(function()
    rawset(_G, "love", { graphics = newGraphics() })
    view = dofile("lua/broadside/debug.lua")
  end)

  after_each(function()
    rawset(_G, "love", nil)
  end)

  local function newWorld(n)
    local world = broadside.newWorld({ backend = broadside.newTree({ margin = 1 }) })
    for i = 1, n do
      world:insert(10 * i, 20, 5, 6)
    end
    world:countPairs()
    return world
  end

  local function count(mode)
    local n = 0
    for _, rect in ipairs(rects) do
      n = n + (rect[1] == mode and 1 or 0)
    end
    return n
  end

  it("draws every box, and tells how many", function()
    assert.equal(100, view.draw(newWorld(100)))
    assert.equal(100, count("line"))
    assert.equal(100, count("fill"))
    assert.same({ 10, 20, 5, 6 }, { rects[1][2], rects[1][3], rects[1][4], rects[1][5] })
  end)

  it("draws every row of debugRects where all kinds are asked for", function()
    local world = newWorld(100)
    local _, n = world:debugRects()
    assert.is_true(n > 110) -- boxes, and the nodes of the tree
    assert.equal(n, view.draw(world, { box = true, fat = true, node = true, cell = true }))
    assert.equal(n, count("line"))
  end)

  it("has a colour for each layer, by its lowest bit", function()
    local world = broadside.newWorld()
    for i, case in ipairs({ { 1, 1 }, { 2, 2 }, { 6, 2 }, { 128, 8 }, { 256, 1 }, { 0, 0 },
      { 2 ^ 31, 8 }, { 0xffffffff, 1 } }) do
      world:insert(10 * i, 0, 1, 1, { layer = case[1] })
      rects = {}
      view.draw(world)
      assert.equal(view.layers[case[2]][1], rects[#rects].color)
    end
  end)

  it("draws sensors dashed, whatever their shape", function()
    local world = broadside.newWorld({ backend = "brute" })
    world:insert(10, 30, 100, 60, { sensor = true })
    assert.equal(1, view.draw(world))
    assert.same({ 1, 0 }, { count("fill"), count("line") })
    assert.equal(32, #lines) -- 10 dashes for 100 units, 6 for 60
    for _, line in ipairs(lines) do
      assert.is_true(line[1] == line[3] and (line[1] == 10 or line[1] == 110)
        or line[2] == line[4] and (line[2] == 30 or line[2] == 90))
    end
    world:clear()
    world:insertCircle(0, 0, 50, { sensor = true })
    world:insertPolygon({ 0, 0, 40, 0, 0, 30 }, { sensor = true })
    lines, outlines = {}, {}
    assert.equal(4, view.draw(world))
    assert.same({ { "circle", "fill", 0, 0, 50 }, { "polygon", "fill", 0, 0, 40, 0, 0, 30 } },
      outlines)
    assert.equal(24 + 12, #lines)
    world:insert(0, 0, 1e9, 1e9, { sensor = true })
    lines = {}
    view.draw(world)
    assert.is_true(#lines < 300)
  end)

  it("draws the solid side of one-way boxes", function()
    local world = broadside.newWorld()
    world:insert(10, 20, 30, 4, { oneWay = { 0, -1 } })
    view.draw(world)
    assert.same({ 40, 20, 10, 20 }, lines[1])
    assert.same({ 25, 20, 25, 2 }, lines[2]) -- the arrow
  end)

  it("draws the normals of the last step's hits, and of rows of moves", function()
    for _, results in ipairs({ "box", "id", "data" }) do
      local world = broadside.newWorld({ results = results, gravity = { 0, 10 } })
      local mover = world:insert(0, 0, 4, 4, { response = "slide", data = "mover" })
      world:insert(-10, 5, 50, 5, { static = true, data = "floor" })
      world:step(1)
      view.draw(world)
      assert.same({ 2, 5, 2, -13 }, lines[1])
      local _, _, rows = world:move(mover, 8, 9)
      lines = {}
      view.draw(world, { hits = { [mover] = rows } })
      assert.same({ 2, 5, 2, -13 }, lines[4])
      lines = {}
      view.draw(world, { box = true })
      assert.same({}, lines)
    end
  end)

  it("draws what a walker stands on, and what it has met", function()
    for _, results in ipairs({ "box", "id", "data" }) do
      local world = broadside.newWorld({ results = results })
      local box = world:insert(0, 0, 4, 4, { data = "hero" })
      world:insert(-10, 4, 50, 5, { static = true, data = "floor" })
      local walker = { box = box, onFloor = false }
      local function draw()
        lines, rects = {}, {}
        return view.draw(world, { box = true, walkers = { walker } })
      end
      assert.equal(2, draw())
      assert.same({}, lines)
      local _, _, rows = world:move(box, 0, 9)
      walker.onFloor, walker.floor, walker.hits = true, rows[1].other, rows
      walker.floorNx, walker.floorNy = 0, -1
      draw()
      assert.same({ 2, 4, 2, -14 }, lines[1]) -- the normal of the hit
      assert.same({ 7, 4, -3, 4 }, lines[4]) -- the floor
      assert.same({ 2, 4, 2, -14 }, lines[5])
      assert.equal(view.colors.floor[1], rects[#rects].color)
      assert.same({ -10, 4, 50, 5 }, { rects[#rects][2], rects[#rects][3], rects[#rects][4],
        rects[#rects][5] })
      world:remove(box)
      draw()
      assert.same({}, lines)
    end
  end)

  it("draws the kinds that are asked for, each in its colour", function()
    local world = newWorld(100)
    local list, n = world:debugRects()
    local fat = 0
    for i = 1, 5 * n, 5 do
      fat = fat + (list[i] == "fat" and 1 or 0)
    end
    assert.is_true(fat > 0)
    assert.equal(fat, view.draw(world, { fat = true }))
    assert.equal(fat, #rects)
    assert.equal(0, count("fill"))
    for _, rect in ipairs(rects) do
      assert.equal(view.colors.fat[1], rect.color)
    end
    assert.equal(0, view.draw(world, {}))
  end)

  it("draws circles and polygons, and the boxes around them", function()
    local world = broadside.newWorld({ backend = "brute" })
    world:insert(0, 0, 1, 1)
    world:insertCircle(1, 2, 3)
    world:insertPolygon({ 0, 0, 4, 0, 0, 4 })
    assert.equal(5, view.draw(world))
    assert.same({
      { "circle", "fill", 1, 2, 3 }, { "circle", "line", 1, 2, 3 },
      { "polygon", "fill", 0, 0, 4, 0, 0, 4 }, { "polygon", "line", 0, 0, 4, 0, 0, 4 },
    }, outlines)
    assert.equal(3, view.draw(world, { box = true }))
    assert.equal(4, #outlines)
    assert.equal(2, view.draw(world, { shape = true }))
    assert.equal(8, #outlines)
    assert.same({ color = { 0.1, 0.2, 0.3, 0.4 }, width = 3, style = "smooth" }, state)
  end)

  it("draws lines of one pixel under any transform", function()
    scale = 40
    view.draw(newWorld(1))
    assert.is_true(math.abs(rects[1].width - 1 / 40) < 1e-12)
  end)

  it("leaves colour, line width and style as they were", function()
    view.draw(newWorld(3))
    assert.same({ color = { 0.1, 0.2, 0.3, 0.4 }, width = 3, style = "smooth" }, state)
  end)

  it("says what it cannot draw, and changes nothing then", function()
    local world = newWorld(3)
    local hero = require("broadside.walker").new(world, world:insert(0, -10, 4, 4))
    world:insert(-50, 0, 100, 4)
    hero:walk(0, 60, 0.5)
    assert.is_true(hero.onFloor)
    local space = broadside.newWorld({ dim = 3 })
    space:insert(0, 0, 0, 1, 1, 1)
    for _, call in ipairs({
      { "bad argument #1 to 'draw' (2D World expected, got nil)" },
      { "bad argument #1 to 'draw' (2D World expected, got World (3D, 1 boxes))", space },
      { "bad argument #1 to 'draw' (2D World expected, got table)", {} },
      { "bad argument #1 to 'draw' (2D World expected, got file (", io.stdout },
      { "bad argument #2 to 'draw' (table expected, got 'box')", world, "box" },
      { "bad argument #1 to 'draw' (2D World expected, got Pool (2D, 0 of 1 movers))",
        broadside.newPool({ capacity = 1 }) },
      { "bad argument #2 to 'draw' (unknown kind 'boxes'; known: box, shape, hit, fat, node, "
        .. "cell, hits, walkers)", world, { boxes = true } },
      { "bad argument #2 to 'draw' (option 'walkers': table expected, got boolean)", world,
        { walkers = true } },
      { "bad argument #2 to 'draw' (option 'walkers': list expected, got one walker; write "
        .. "walkers = { walker })", world, { walkers = hero } },
      { "bad argument #2 to 'draw' (option 'walkers': walker expected, got userdata)", world,
        { walkers = { hero, hero.box } } },
      { "bad argument #2 to 'draw' (option 'walkers': walker expected, got table)", world,
        { walkers = { {} } } },
      { "bad argument #2 to 'draw' (option 'hits': table expected, got number)", world,
        { hits = 1 } },
      { "bad argument #2 to 'draw' (option 'hits': rows expected, got number)", world,
        { hits = { [hero.box] = 1 } } },
      { "bad argument #2 to 'draw' (option 'hits': rows by box expected, got rows; write hits = "
        .. "{ [box] = rows })", world, { hits = hero.hits } },
    }) do
      local done, message = pcall(function() view.draw(call[2], call[3]) end)
      assert.is_false(done)
      assert.truthy(message:find("debug_spec.lua:%d+: "), message)
      assert.truthy(message:find(call[1], 1, true), message)
      assert.same({ color = { 0.1, 0.2, 0.3, 0.4 }, width = 3, style = "smooth" }, state)
    end
    assert.equal(0, #rects)
    assert.equal(0, view.draw(broadside.newWorld()))
  end)

  it("makes no garbage", function()
    local world = newWorld(100)
    world:insertCircle(1, 2, 3)
    world:insertPolygon({ 0, 0, 4, 0, 0, 4 })
    local sensor = world:insert(5, 5, 9, 9, { sensor = true, oneWay = { 0, 1 }, data = "sensor" })
    local _, _, rows = world:move(sensor, 9, 9)
    local opts = { box = true, shape = true, hit = true, fat = true, node = true, cell = true,
      hits = { [sensor] = rows }, walkers = { { box = sensor, onFloor = true, floor = "sensor",
        floorNx = 0, floorNy = 1 } } }
    rects = nil
    assert.equal(0, garbageOf(function()
      view.draw(world)
      view.draw(world, opts)
    end, 50))
  end)
end)
