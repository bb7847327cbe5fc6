-- Tests the oracle of shapes: cases computed by hand, and random samples.

local expect = require("spec.support.expect")
local random = require("spec.support.random")
local shapes = require("spec.support.shape_oracle")

local box, circle, polygon = shapes.box, shapes.circle, shapes.polygon

-- A right triangle with legs of 4 along the axes, and the right angle at 0, 0.
local function triangle()
  return polygon({ 0, 0, 4, 0, 0, 4 })
end

describe("the oracle of shapes: the signed distance", function()
  local root2 = math.sqrt(2)

  local function distance(expected, a, b)
    expect.near(expected, shapes.gap(a, b))
    expect.near(expected, shapes.gap(b, a))
  end

  it("of boxes", function()
    distance(1, box({ 0, 0 }, { 2, 2 }), box({ 3, 0 }, { 2, 2 }))
    distance(5, box({ 0, 0 }, { 2, 2 }), box({ 5, 6 }, { 2, 2 }))
    distance(-0.5, box({ 0, 0 }, { 2, 2 }), box({ 1.5, -5 }, { 2, 20 }))
    distance(0, box({ 0, 0 }, { 2, 2 }), box({ 2, 1 }, { 2, 2 }))
    distance(-5, box({ 0, 0 }, { 10, 10 }), box({ 5, 5 }, { 0, 0 }))
    distance(13, box({ 0, 0, 0 }, { 1, 1, 1 }), box({ 4, 5, 13 }, { 1, 1, 1 }))
    distance(-1, box({ 0, 0, 0 }, { 3, 3, 3 }), box({ 2, 1, 1 }, { 9, 1, 1 }))
  end)

  it("of circles and spheres", function()
    distance(2, circle({ 0, 0 }, 1), circle({ 3, 4 }, 2))
    distance(-3, circle({ 0, 0 }, 4), circle({ 3, 4 }, 4))
    distance(-3, circle({ 1, 1 }, 1), circle({ 1, 1 }, 2))
    distance(4, circle({ 0, 0, 0 }, 1), circle({ 2, 3, 6 }, 2))
  end)

  it("of circles and boxes: at a face, at a corner, inside", function()
    distance(1, circle({ 5, 1 }, 2), box({ 0, 0 }, { 2, 2 }))
    distance(4, circle({ 5, 6 }, 1), box({ 0, 0 }, { 2, 2 }))
    distance(-2, circle({ 1.5, 1 }, 1.5), box({ 0, 0 }, { 2, 2 }))
    distance(2, circle({ 4, 4, 3 }, 1), box({ 0, 0, 0 }, { 2, 2, 2 }))
    distance(-1.5, circle({ 1, 1, 1.5 }, 1), box({ 0, 0, 0 }, { 2, 2, 2 }))
  end)

  it("of polygons", function()
    -- From its corner 3, 3 to the line x + y = 4.
    distance(root2, triangle(), box({ 3, 3 }, { 2, 2 }))
    distance(3 * root2 - 1, triangle(), circle({ 5, 5 }, 1))
    distance(3, triangle(), circle({ 8, 0 }, 1))
    distance(-1, triangle(), circle({ 1, 0.5 }, 0.5))
    distance(0, triangle(), polygon({ 2, 2, 5, 2, 2, 5 }))
    distance(-root2 / 2, triangle(), polygon({ 1.5, 1.5, 5, 1.5, 1.5, 5 }))
    distance(-root2 / 2, triangle(), polygon({ 1.5, 5, 5, 1.5, 1.5, 1.5 }))
  end)

  it("along a normal", function()
    expect.near(1, shapes.gapAlong(box({ 3, 0 }, { 2, 2 }), box({ 0, 0 }, { 2, 2 }), { 1, 0 }))
    expect.near(-5, shapes.gapAlong(box({ 3, 0 }, { 2, 2 }), box({ 0, 0 }, { 2, 2 }), { -1, 0 }))
    expect.near(3 * root2 - 1,
      shapes.gapAlong(circle({ 5, 5 }, 1), triangle(), { 1 / root2, 1 / root2 }))
    expect.near(1, shapes.gapAlong(circle({ 0, 0, 5 }, 2), box({ 0, 0, 0 }, { 2, 2, 2 }),
      { 0, 0, 1 }))
  end)
end)

describe("the oracle of shapes: the first contact", function()
  local function contact(t, a, v, b)
    local got = shapes.sweep(a, v, b)
    if not t then
      assert.is_nil(got)
    else
      expect.near(t, got)
    end
  end

  it("of moving shapes", function()
    contact(0.5, box({ 0, 0 }, { 1, 1 }), { 4, 0 }, box({ 3, 0 }, { 1, 1 }))
    contact(nil, box({ 0, 0 }, { 1, 1 }), { 4, 0 }, box({ 3, 1 }, { 1, 1 }))
    contact(nil, box({ 0, 0 }, { 1, 1 }), { 2, 0 }, box({ 3, 0 }, { 1, 1 }))
    contact(0, box({ 0, 0 }, { 1, 1 }), { 2, 0 }, box({ 0.5, 0 }, { 1, 1 }))
    contact(0.3, circle({ 0, 0 }, 1), { 10, 0 }, circle({ 5, 0 }, 1))
    contact(0.2, circle({ 0, 0 }, 2), { 10, 0 }, circle({ 5, 4 }, 3)) -- 3, 4, 5
    contact(nil, circle({ 0, 0 }, 2), { 10, 0 }, circle({ 5, 5 }, 3))
    contact(0.6, circle({ 0, 0 }, 5), { 10, 0 }, box({ 9, 4 }, { 9, 9 })) -- at the corner 9, 4
    contact(0.6, circle({ 0, 0, 2 }, 5), { 10, 0, 0 }, box({ 9, 4, 0 }, { 9, 9, 9 }))
    contact(0.25, box({ 4, 4 }, { 1, 1 }), { -8, -8 }, triangle())
    contact(0.75, circle({ 0, 8 }, 0), { 4, -8 }, polygon({ 1, 2, 5, 2, 5, 0 }))
  end)
end)

describe("the oracle of shapes: the least push", function()
  it("of shapes that overlap", function()
    local root2 = math.sqrt(2)
    local push, depth = shapes.separation(circle({ 0, 0 }, 3), circle({ 3, 4 }, 3))
    expect.allNear({ -0.6, -0.8, 1 }, { push[1], push[2], depth })
    push, depth = shapes.separation(box({ 1.5, 1.5 }, { 3, 3 }), triangle())
    expect.allNear({ 0.5, 0.5, root2 / 2 }, { push[1], push[2], depth })
    push, depth = shapes.separation(circle({ 1, 2.25, 1 }, 0.5), box({ 0, 0, 0 }, { 2, 2, 2 }))
    expect.allNear({ 0, 0.25, 0, 0.25 }, { push[1], push[2], push[3], depth })
    assert.is_nil(shapes.separation(circle({ 0, 0 }, 1), circle({ 3, 4 }, 2)))
  end)
end)

-- Random points within a shape.
local function within(rng, shape)
  local p = {}
  repeat
    for axis = 1, shape.dim do
      local lo, hi = shapes.extent(shape, axis)
      p[axis] = rng:real(lo, hi)
    end
    local inside = shapes.distance(p, shape) == 0
  until inside
  return p
end

local function anyShape(rng, dim)
  local c = {}
  for axis = 1, dim do
    c[axis] = rng:real(-6, 6)
  end
  local what = rng:int(1, dim == 2 and 3 or 2)
  if what == 1 then
    return circle(c, rng:real(0.5, 4))
  elseif what == 2 then
    return box(c, { rng:real(0.5, 6), rng:real(0.5, 6), dim == 3 and rng:real(0.5, 6) or nil })
  end
  return polygon(random.polygon(rng, c[1], c[2], rng:real(0.5, 4), rng:real(0.5, 4)))
end

local function anyDirection(rng, dim)
  local n, l = {}, 0
  for axis = 1, dim do
    n[axis] = rng:real(-1, 1)
    l = l + n[axis] * n[axis]
  end
  for axis = 1, dim do
    n[axis] = n[axis] / math.sqrt(l)
  end
  return n
end

describe("the oracle of shapes beside samples", function()
  for dim = 2, 3 do
    it(("measures no more than points are apart, and no less than any line in %dD"):format(dim),
      function()
        local rng = random.new(dim)
        for _ = 1, 300 do
          local a, b = anyShape(rng, dim), anyShape(rng, dim)
          local gap = shapes.gap(a, b)
          for _ = 1, 10 do
            local p, q, d = within(rng, a), within(rng, b), 0
            for axis = 1, dim do
              d = d + (p[axis] - q[axis]) ^ 2
            end
            assert.is_true(gap <= math.sqrt(d))
            assert.is_true(gap >= shapes.gapAlong(a, b, anyDirection(rng, dim)) - 1e-12)
          end
        end
      end)

    it(("pushes just as far as it has to in %dD"):format(dim), function()
      local rng, pushed = random.new(dim), 0
      for _ = 1, 300 do
        local a, b = anyShape(rng, dim), anyShape(rng, dim)
        local push, depth = shapes.separation(a, b)
        if push then
          pushed = pushed + 1
          expect.near(0, shapes.gap(shapes.moved(a, push), b))
          expect.near(shapes.gap(a, b), -depth)
        end
      end
      assert.is_true(pushed > 30)
    end)

    it(("finds a contact before each sample that overlaps in %dD"):format(dim), function()
      local rng, met = random.new(dim), 0
      for _ = 1, 200 do
        local a, b, v = anyShape(rng, dim), anyShape(rng, dim), anyDirection(rng, dim)
        for axis = 1, dim do
          v[axis] = v[axis] * 12
        end
        local t = shapes.sweep(a, v, b)
        for i = 0, 50 do
          local w = {}
          for axis = 1, dim do
            w[axis] = v[axis] * i / 50
          end
          local overlap = shapes.gap(shapes.moved(a, w), b) < 0
          assert.is_true(not overlap or t ~= nil and t <= i / 50)
        end
        met = met + (t and 1 or 0)
      end
      assert.is_true(met > 30)
    end)
  end
end)
