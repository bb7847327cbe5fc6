-- Worlds as text, and the assertions for busted that show them.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local expect = require("spec.support.expect")
local play = require("broadside.play")
local walker = require("broadside.walker")

local STATIC = { static = true }

-- A picture without the blanks at the ends of lines, as a list of lines.
local function linesOf(text)
  local lines = {}
  for line in (text .. "\n"):gmatch("([^\n]*)\n") do
    table.insert(lines, (line:gsub(" +$", "")))
  end
  return lines
end

local function drawn(world, columns, rows, sign)
  return linesOf(play.picture(world, { columns = columns, rows = rows,
    view = { 0, 0, columns, rows }, sign = sign }))
end

describe("The picture of a world", function()
  local world

  before_each(function()
    world = broadside.newWorld()
  end)

  it("shows each kind of box by a sign", function()
    world:insert(0, 4, 10, 1, STATIC)
    world:insert(4, 2, 3, 1, { static = true, oneWay = { 0, -1 } })
    world:insert(8, 1, 1, 2, { static = true, sensor = true })
    world:insert(1, 2, 1, 2)
    world:insert(4, 0, 2, 1, { oneWay = { 0, -1 } })
    assert.same({
      "    ==",
      "        .",
      " @  === .",
      " @",
      "##########" }, drawn(world, 10, 5))
  end)

  it("shows shapes by their own sides", function()
    world:insertPolygon({ 0, 6, 6, 0, 6, 6 }, STATIC)
    world:insertCircle(11, 3, 3, STATIC)
    world:insertPolygon({ 16, 6, 22, 0, 22.4, 0.4, 16.4, 6.4 })
    -- A slanted or round box has the cells whose middle is within its rectangle, and of which 0.6
    -- by 0.6 in the middle overlap it. So the slope has those with x + y > 6 at the lower right.
    assert.same({
      "     #   ####        @",
      "    ##  ######      @@",
      "   ###  ######     @@",
      "  ####  ######    @@",
      " #####  ######   @@",
      "######   ####   @@" }, drawn(world, 24, 6))
  end)

  it("shows what is smaller than a cell, and leaves gaps open", function()
    world:insert(0.4, 0.8, 5, 0.1, STATIC)
    world:insertCircle(7.9, 0.9, 0.05, STATIC)
    world:insertPolygon({ 9, 0.1, 9.1, 0.1, 9.1, 0.2 }, STATIC)
    world:insert(0.3, 2.3, 3, 1) -- the gap between these two is a cell wide
    world:insert(4.3, 2.3, 3, 1)
    assert.same({ "#####  # #", "", "@@@ @@@" }, drawn(world, 10, 3))
  end)

  it("shows who moves before what stands, and sensors last", function()
    world:insert(1, 0, 1, 1)
    world:insert(0, 0, 4, 1, STATIC)
    world:insert(0, 0, 6, 1, { static = true, sensor = true })
    assert.same({ "#@##.." }, drawn(world, 6, 1))
  end)

  it("asks for signs, of one character", function()
    world:insert(0, 0, 1, 1, { data = "hero" })
    world:insert(2, 0, 1, 1, { data = "é" })
    world:insert(4, 0, 1, 1, { data = "" })
    world:insert(6, 0, 1, 1)
    assert.same({ "h é   @" }, drawn(world, 7, 1, function(box) return box:getData() end))
    for _, results in ipairs({ "id", "data" }) do
      local other = broadside.newWorld({ results = results })
      other:insertCircle(1.5, 0.5, 0.5, { data = "x" })
      other:insert(0, 0, 3, 1, { static = true, sensor = true })
      assert.same({ ".x." }, drawn(other, 3, 1, function(box) return box:getData() end))
    end
  end)

  it("has 24 rows of 80, in which are all boxes", function()
    world:insert(-100, 50, 10, 10, STATIC)
    world:insert(700, 510, 20, 40)
    local lines = {}
    for line in play.picture(world):gmatch("[^\n]+") do
      table.insert(lines, line)
      assert.equal(80, #line)
    end
    assert.equal(24, #lines)
    assert.equal("#" .. (" "):rep(79), lines[1]) -- a cell is 10.25 by 20.83
    assert.equal((" "):rep(78) .. "@@", lines[23])
    assert.equal((" "):rep(78) .. "@@", lines[24])
    assert.equal((" "):rep(6), play.picture(broadside.newWorld(), { columns = 6, rows = 1 }))
  end)

  it("comes for any place of boxes and view", function()
    for _, size in ipairs({ 1e-300, 1, 1e300 }) do
      for _, at in ipairs({ -1e307, 0, 1e307 }) do
        local own = broadside.newWorld()
        own:insert(at, at, size, size)
        own:insertCircle(-at, at, size)
        play.picture(own)
        play.picture(own, { view = { at, -at, size, 1 } })
      end
    end
  end)

  it("refuses wrong options", function()
    for _, case in ipairs({
      { 1, "picture", "2D World expected, got nil" },
      { 1, "picture", "2D World expected", broadside.newWorld({ dim = 3 }) },
      { 2, "picture", "table expected, got 5", world, 5 },
      { 2, "picture", "unknown option 'width'; known: columns, rows, view, sign", world,
        { width = 5 } },
      { 2, "picture", "option 'columns': integer >= 1 expected, got 0", world, { columns = 0 } },
      { 2, "picture", "option 'rows': integer >= 1 expected, got 1.5", world, { rows = 1.5 } },
      { 2, "picture", "option 'view': {x, y, w, h} with w and h > 0", world,
        { view = { 0, 0, 0, 1 } } },
      { 2, "picture", "option 'view'", world, { view = { 0, 0, 1 } } },
      { 2, "picture", "option 'view'", world, { view = { 0, "x", 1, 1 } } },
      { 2, "picture", "option 'view'", world, { view = { 0, 0, 1, -1 } } },
      { 2, "picture", "option 'sign': function expected, got 'x'", world, { sign = "x" } },
    }) do
      expect.badArgument(case[1], case[2], case[3], play.picture, compat.unpack(case, 4, 5))
    end
  end)
end)

describe("Assertions of busted", function()
  it("need the assert of busted", function()
    expect.badArgument(1, "assertions", "assert of busted expected, got table", play.assertions, {})
    expect.badArgument(1, "assertions", "assert of busted expected, got function", play.assertions,
      _G.assert == assert and print or _G.assert)
  end)

  local world, floor

  -- Errors of busted are tables.
  local function refused(text, f)
    return tostring(expect.refused(text, f).message)
  end

  setup(function()
    play.assertions(assert)
  end)

  before_each(function()
    world = broadside.newWorld()
    floor = world:insert(0, 100, 200, 20, STATIC)
  end)

  it("no_overlap holds for what touches, and for sensors and one-way boxes", function()
    world:insert(0, 0, 20, 20, { sensor = true })
    world:insert(10, 60, 40, 10, { static = true, oneWay = { 0, -1 } })
    world:insert(60, 60, 40, 10, { oneWay = { 0, -1 } })
    local hero = world:insert(20, 80, 20, 20)
    world:insert(190, 90, 20, 20, { mask = 0 }) -- it meets nobody
    assert.no_overlap(world)
    for _, place in ipairs({ { 10, 10 }, { 20, 55 }, { 70, 55 }, { 195, 79 } }) do
      hero:setRect(place[1], place[2])
      assert.no_overlap(world)
    end
    hero:setRect(20, 81)
    assert.is_not.no_overlap(world)
    local message = refused("the box at 20, 81 overlaps the one at 0, 100",
      function() assert.no_overlap(world) end)
    assert.truthy(message:find("XX", 1, true) and message:find("###", 1, true))
    floor:setStatic(false)
    world:insert(210, 90, 20, 20, STATIC)
    hero:setRect(0, 0)
    assert.no_overlap(world)
    floor:setRect(20, 100)
    assert.is_not.no_overlap(world)
    expect.refused("bad argument #1 to 'no_overlap' (2D World expected, got 5)",
      function() assert.no_overlap(5) end)
  end)

  it("no_overlap names the other box, whatever the world's results are", function()
    for _, results in ipairs({ "box", "id", "data" }) do
      local own = broadside.newWorld({ results = results })
      own:insert(5, 6, 7, 8, { static = true, data = { kind = "wall" } })
      own:insert(0, 0, 10, 10, { data = { kind = "hero" } })
      refused("the box at 0, 0 overlaps the one at 5, 6", function() assert.no_overlap(own) end)
    end
  end)

  it("no_overlap sees shapes, and worlds with any results", function()
    for _, results in ipairs({ "box", "id", "data" }) do
      local own = broadside.newWorld({ results = results })
      own:insertPolygon({ 0, 100, 100, 0, 100, 100 }, STATIC)
      own:insertCircle(20, 20, 20)
      assert.no_overlap(own)
      own:insertCircle(45, 45, 10)
      assert.is_not.no_overlap(own)
    end
  end)

  it("at compares places, to a millionth or as near as it is told", function()
    local box = world:insert(0.1, -5, 10, 10)
    assert.at(box, 0.1, -5)
    assert.at(box, 0.1 + 1e-7, -5)
    assert.is_not.at(box, 0.1 + 1e-5, -5)
    assert.is_not.at(box, 0.1, -4)
    assert.at(box, 0.6, -5.5, 0.5)
    assert.is_not.at(box, 0.1, -5.6, 0.5)
    local message = refused("the box is at 0.10000000000000001, -5; asked for 1, 2, within "
      .. "1e-06\n", function() assert.at(box, 1, 2) end)
    assert.truthy(message:find("XX", 1, true))
    expect.refused("bad argument #3 to 'at' (finite number expected, got nil",
      function() assert.at(box, 1) end)
    expect.refused("bad argument #1 to 'at' (Box expected, got 1)", function() assert.at(1, 2) end)
    expect.refused("asked for 0, -5, within 0.5", function() assert.is_not.at(box, 0, -5, 0.5) end)
  end)

  it("on_floor asks a walker", function()
    local hero = walker.new(world, world:insert(50, 60, 20, 30))
    hero:walk(0, 60, 1 / 60)
    assert.is_not.on_floor(hero)
    local message = refused("the walker is at 50, 61, in the air for ",
      function() assert.on_floor(hero) end)
    assert.truthy(message:find("XX", 1, true) and message:find("###", 1, true))
    hero:walk(0, 6000, 1 / 60)
    assert.on_floor(hero)
    local done, problem = pcall(function() assert.on_floor(hero.box) end)
    assert.is_false(done)
    assert.truthy(tostring(problem):find("^%S*picture_spec.lua:%d+: bad argument #1 to 'on_floor' "
      .. "%(walker expected, got Box"), problem)
    expect.refused("the walker is at 50, 70, on the floor", function()
      assert.is_not.on_floor(hero)
    end)
  end)
end)
