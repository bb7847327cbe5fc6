-- Cases worked out by hand, on every back end: what platforms with shapes push and carry, and long
-- ways that leave the rectangle around their start and goal. y points downwards.

local broadside = require("broadside")

local BACKENDS = { "brute", "sweep", "grid", "tree", "auto" }

local function near(expected, actual)
  assert.is_true(math.abs(expected - actual) < 1e-9,
    ("expected %.17g, got %.17g"):format(expected, actual))
end

-- A world on each back end, with gravity downwards.
local function each(test)
  for _, name in ipairs(BACKENDS) do
    test(broadside.newWorld({ backend = name, gravity = { 0, 10 } }))
  end
end

-- Asserts where the box is, and what its row says.
local function expectRow(rows, box, x, y, crushed, carried)
  for _, row in ipairs(rows) do
    if row.other == box then
      near(x, row.x)
      near(y, row.y)
      assert.equal(crushed, row.crushed)
      assert.equal(carried, row.carried)
      near(x, (box:getRect()))
      return
    end
  end
  error("the box has no row")
end

describe("a push with shapes", function()
  it("carries what rests on it, up, down and to the side", function()
    each(function(w)
      local platform = w:insert(0, 10, 10, 1)
      local ball = w:insertCircle(5, 9, 1)
      local tent = w:insertPolygon({ 1, 10, 3, 10, 2, 8 })
      local crate = w:insert(7, 9, 1, 1)
      local x, y = 0, 10
      for _, way in ipairs({ { 3, 0 }, { 0, -2 }, { 1, 3 }, { -2, 1 }, { 0, -1 } }) do
        x, y = x + way[1], y + way[2]
        local _, _, rows, n = w:push(platform, x, y)
        assert.equal(3, n)
        expectRow(rows, ball, x + 4, y - 2, false, true)
        expectRow(rows, tent, x + 1, y - 2, false, true)
        expectRow(rows, crate, x + 7, y - 1, false, true)
      end
      assert.equal(0, w:countPairs())
    end)
  end)

  it("carries what rests on its slope, and leaves it there", function()
    each(function(w)
      local wedge = w:insertPolygon({ 0, 10, 4, 10, 4, 6 })
      local crate = w:insert(1, 7, 1, 1) -- with its lower right corner on the middle of the slope
      local _, _, rows = w:push(wedge, 1, 4)
      expectRow(rows, crate, 2, 5, false, true)
    end)
  end)

  it("moves what a slanted side meets along its normal, by as much as it must", function()
    each(function(w)
      local wedge = w:insertPolygon({ 0, 10, 4, 10, 0, 6 })
      local ball = w:insertCircle(6, 9, 1)
      -- The slope is y = x + 6, and the ball's centre is 3 / sqrt(2) away from it. The wedge goes 3
      -- to the right, which is 3 / sqrt(2) along the normal. So the ball goes 1 along the normal.
      local _, _, rows = w:push(wedge, 3, 6)
      expectRow(rows, ball, 5 + math.sqrt(0.5), 8 - math.sqrt(0.5), false, false)
      assert.equal(0, w:countPairs())
    end)
  end)

  it("pushes a row of balls, each by the one before", function()
    each(function(w)
      local ram = w:insert(0, 0, 2, 2)
      local a, b, c = w:insertCircle(4, 1, 1), w:insertCircle(7, 1, 1), w:insertCircle(10, 1, 1)
      local _, _, rows = w:push(ram, 6, 0)
      expectRow(rows, a, 8, 0, false, false)
      expectRow(rows, b, 10, 0, false, false)
      expectRow(rows, c, 12, 0, false, false)
      assert.equal(0, w:countPairs())
    end)
  end)

  it("crushes what a wall holds, and not what it has gone right through", function()
    each(function(w)
      w:insert(15, -5, 1, 10, { static = true })
      local ram, ball = w:insertCircle(0, 0, 1), w:insertCircle(5, 0, 1)
      local _, _, rows = w:push(ram, 13, -1)
      expectRow(rows, ball, 13, -1, true, false)
      _, _, rows = w:push(w:insertCircle(0, 0, 1), 40, -1)
      expectRow(rows, ball, 13, -1, false, false)
    end)
  end)
end)

-- The normal of such an edge is rounded to that of a level one. It rises by up to a hundredth of
-- what is allowed, to the right, or falls as much.
describe("a long edge that leans by next to nothing", function()
  local WIDE, LEANS = 1000, { 1e-8, 5e-9, 1e-9, 1e-10, -1e-10, -1e-9, -5e-9, -1e-8 }

  local function eachPlace(f)
    for _, lean in ipairs(LEANS) do
      for _, x in ipairs({ 1, 500, 990 }) do
        f(lean, x)
      end
    end
  end

  -- How far the lower side of a box from x to x + 2 is above the edge of a polygon at y = top.
  local function gap(lean, top, x, bottom)
    return math.min(top - lean * x, top - lean * (x + 2)) - bottom
  end

  it("pushes a box to where the edge is there", function()
    eachPlace(function(lean, x)
      each(function(w)
        local floor = w:insertPolygon({ 0, 0, WIDE, -lean * WIDE, WIDE, 100, 0, 100 })
        local box = w:insert(x, -5, 2, 2)
        w:push(floor, 0, select(2, floor:getRect()) - 4)
        local _, top = floor:getRect()
        near(0, gap(lean, top + math.max(lean, 0) * WIDE, x, select(2, box:getRect()) + 2))
        assert.equal(0, w:countPairs())
      end)
    end)
  end)

  it("is pushed by a box to where it is beside that", function()
    eachPlace(function(lean, x)
      each(function(w)
        local lid = w:insertPolygon({ 0, 0, WIDE, -lean * WIDE, WIDE, 100, 0, 100 })
        local box = w:insert(x, -5, 2, 2)
        w:push(box, x, 0)
        local _, top = lid:getRect()
        near(0, gap(lean, top + math.max(lean, 0) * WIDE, x, 2))
        assert.equal(0, w:countPairs())
      end)
    end)
  end)
end)

describe("a long way", function()
  it("meets what is far above its goal, once a slope has led it there", function()
    each(function(w)
      w:insertPolygon({ 2, 1, 102, 1, 102, -99 }, { static = true }) -- one up for one along
      local ceiling = w:insert(0, -40, 200, 10, { static = true })
      for i = 1, 50 do
        w:insert(20 * i, -200 - 20 * i, 1, 1, { static = true })
      end
      local box = w:insert(0, 0, 1, 1)
      local x, y, rows = w:move(box, 101, 0)
      assert.equal(2, #rows)
      assert.equal(ceiling, rows[2].other)
      assert.equal(-30, y) -- flush with the ceiling ...
      near(31, x) -- ... in the wedge between the two
      assert.equal(0, #w:queryBox(box))
    end)
  end)

  it("meets what a bounce sends it to", function()
    each(function(w)
      w:insertPolygon({ 10, -10, 10, 10, 30, 10 }, { static = true }) -- its left side is upright
      w:insertCircle(-20, 0, 2, { static = true })
      local ball = w:insertCircle(0, 0, 1)
      local x, y, rows = w:move(ball, 99, -1, { bounce = -1 })
      -- It goes 9 to the wall, and then 26 between wall and ball, three times.
      assert.equal(4, #rows)
      near(-1 - 17 + (100 - 9 - 3 * 26), x)
      near(-1, y)
    end)
  end)

  it("pushes on past what has gone out of the way, though rounding says that they meet", function()
    -- The wedge slides off another one along x. The ball that it has pushed stands where it must
    -- go, flush but for rounding, which says on one of the two sides that they meet at the end.
    local function push(w, side)
      local function wedge(x, y)
        w:insertPolygon({ side * x, y + 40, side * (x + 80), y, side * (x + 80), y + 50,
          side * x, y + 50 })
      end
      wedge(-17.453417226754041, -41.46363346878298)
      wedge(12.221750167497724, -57.75859324238278)
      local x = side * -15.857610516534404 - (side < 0 and 45.1875 or 0)
      local platform = w:insert(x, -54.531035575116846, 45.1875, 27.9375)
      local ball = w:insertCircle(side * 102.22175016749773, -14.8125, 10)
      w:push(platform, x - side * 0.0232679459, -54.531035575116846 + 0.468762747)
      return side * (ball:getRect() + 10)
    end
    for _, name in ipairs(BACKENDS) do
      local right = push(broadside.newWorld({ backend = name }), 1)
      near(right, push(broadside.newWorld({ backend = name }), -1))
      near(102.574262366098, right)
    end
  end)
end)
