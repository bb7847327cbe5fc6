-- Tests the oracle of shapes: cases computed by hand.

local expect = require("spec.support.expect")
local shapes = require("spec.support.shape_oracle")

local box, polygon = shapes.box, shapes.polygon

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
  end)

  it("of points", function()
    expect.near(-1, shapes.distance({ 1, 1 }, triangle()))
    expect.near(2 * root2, shapes.distance({ 4, 4 }, triangle()))
    expect.near(5, shapes.distance({ -3, -4 }, triangle()))
    expect.near(0, shapes.distance({ 2, 2 }, triangle()))
  end)

  it("of polygons", function()
    -- From its corner 3, 3 to the line x + y = 4.
    distance(root2, triangle(), box({ 3, 3 }, { 2, 2 }))
    distance(0, triangle(), polygon({ 2, 2, 5, 2, 2, 5 }))
    distance(-root2 / 2, triangle(), polygon({ 1.5, 1.5, 5, 1.5, 1.5, 5 }))
    distance(-root2 / 2, triangle(), polygon({ 1.5, 5, 5, 1.5, 1.5, 1.5 }))
  end)
end)
