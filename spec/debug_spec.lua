-- broadside.debug: what it draws, with a stand-in for the graphics of LÖVE.

local broadside = require("broadside")
local garbageOf = require("spec.support.garbage")

describe("broadside.debug", function()
  local view, state, rects, outlines, scale

  -- Functions that are made once: what makes garbage then is the view.
  local function newGraphics()
    state = { color = { 0.1, 0.2, 0.3, 0.4 }, width = 3, style = "smooth" }
    rects, outlines = {}, {}
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
      getLineWidth = function()
        return state.width
      end,
      setLineWidth = function(width)
        state.width = width
      end,
      getLineStyle = function()
        return state.style
      end,
      setLineStyle = function(style)
        state.style = style
      end,
      transformPoint = function(x, y)
        return 5 - scale * y, 7 + scale * x -- turned, too
      end,
      rectangle = function(mode, x, y, w, h)
        if rects then
          table.insert(rects, { mode, x, y, w, h, width = state.width, color = state.color[1] })
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

  it("draws every row of debugRects, and tells how many", function()
    local world = newWorld(100)
    local _, n = world:debugRects()
    assert.is_true(n > 110) -- boxes, and what the tree is made of
    assert.equal(n, view.draw(world))
    assert.equal(n, count("line"))
    assert.equal(100, count("fill"))
    assert.same({ 10, 20, 5, 6 }, { rects[1][2], rects[1][3], rects[1][4], rects[1][5] })
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
    local space = broadside.newWorld({ dim = 3 })
    space:insert(0, 0, 0, 1, 1, 1)
    for _, call in ipairs({
      { "bad argument #1 to 'draw' (2D World expected, got nil)" },
      { "bad argument #1 to 'draw' (2D World expected, got a 3D World)", space },
      { "bad argument #1 to 'draw' (2D World expected, got table)", {} },
      { "bad argument #1 to 'draw' (2D World expected, got userdata)", io.stdout },
      { "bad argument #2 to 'draw' (table expected, got string)", world, "box" },
      { "bad argument #1 to 'draw' (2D World expected, got Pool)",
        broadside.newPool({ capacity = 1 }) },
      { "bad argument #2 to 'draw' (unknown kind 'boxes'; known: box, shape, fat, node, cell)",
        world, { boxes = true } },
    }) do
      local done, message = pcall(function()
        view.draw(call[2], call[3])
      end)
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
    rects = nil
    assert.equal(0, garbageOf(function()
      view.draw(world)
    end, 50))
  end)
end)
