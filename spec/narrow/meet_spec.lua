-- What circles and polygons overlap and hit: pairs, contacts, queries and casts with expected
-- results found by hand, in every symmetry and on every back end. In 3D, circles are spheres, and
-- the other shapes are long columns.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local expect = require("spec.support.expect")
local scene = require("spec.support.scene")

local unpack, values = compat.unpack, compat.values
local root2 = math.sqrt(2)

-- The names of the boxes in a list, in its order, from s.names.
local function named(s, list)
  local names = {}
  for i, box in ipairs(list) do
    names[i] = s.names[box]
  end
  return table.concat(names, " ")
end

local function pairsOf(s)
  local names = {}
  for _, pair in ipairs(s:pairs()) do
    names[#names + 1] = s.names[pair[1]] .. s.names[pair[2]]
  end
  table.sort(names)
  return table.concat(names, " ")
end

-- Inserts boxes {x, y, w, h}, circles {{x, y}, r} and polygons of at least six numbers, by name, in
-- the given order.
local function insert(s, list, opts)
  s.names = s.names or {}
  local boxes = {}
  for _, entry in ipairs(list) do
    local name, form = entry[1], entry[2]
    local box
    if type(form[1]) == "table" then
      box = s:insertCircle(form[1], form[2], opts)
    elseif #form == 4 then
      box = s:insert(form, opts)
    else
      box = s:insertPolygon(form, opts)
    end
    s.names[box], boxes[name] = name, box
  end
  return boxes
end

-- Runs `circles`, with circles and boxes, in 2D and 3D, and `all`, with all shapes, in 2D.
local function both(circles, all)
  scene.each(circles)
  scene.eachOf(2, all or circles)
end

describe("pairs of shapes", function()
  it("are those whose interiors meet, not those of their rectangles", function()
    both(function(s)
      insert(s, {
        { "a", { { 0, 0 }, 5 } },
        { "b", { 3, 4, 2, 2 } }, -- its corner 3, 4 is exactly at distance 5
        { "c", { -4.9, -4.9, 1, 1 } }, -- only inside the rectangle
        { "d", { 2.75, -6, 2, 2 } }, -- its corner 2.75, -4 is inside
        { "e", { { -6, 8 }, 5 } }, -- 10 apart
        { "f", { { -6, 8 }, 5.25 } },
        { "g", { { -0.5, 0.5 }, 1 } }, -- wholly inside
      })
      assert.equal("ad af ag ef", pairsOf(s))
      assert.equal(4, s.world:countPairs())
    end, function(s)
      insert(s, {
        { "a", { { 0, 0 }, 5 } },
        { "b", { 8, 0, 8, 8, 0, 8 } }, -- 8 / root 2 away
        { "c", { -7, 0, 0, -7, -7, -7 } }, -- 7 / root 2
        { "d", { 20, 0, 28, 0, 28, 8 } },
        { "e", { 20, 1, 27, 8, 20, 8 } }, -- along the long side of d, above it
        { "f", { 20, -1, 28, 8, 20, 8 } }, -- reaches below it
        { "g", { 20, 4, 2, 2 } },
        { "h", { 26, 1, 1, 1 } },
      })
      assert.equal("ac df dh ef eg fg", pairsOf(s))
    end)
  end)

  it("begin, stay and end", function()
    scene.each(function(s)
      local a = s:insertCircle({ 0, 0 }, 5)
      local b = s:insert({ 3.25, 4.25, 2, 2 })
      local function phases()
        local list = {}
        for phase, p, q in s.world:contacts() do
          assert.is_true(rawequal(p, a) and rawequal(q, b))
          list[#list + 1] = phase
        end
        return table.concat(list)
      end
      assert.equal("", phases())
      s:update(b, { 2.75, 3.75 })
      assert.equal("begin", phases())
      s:update(b, { 2.5, 3.75 })
      assert.equal("stay", phases())
      s:update(b, { 4, 4 })
      assert.equal("end", phases())
      s:update(b, { 2, 2 })
      assert.equal("begin", phases())
      a:setShape("circle", 2)
      assert.equal("end", phases())
      a:setShape("box") -- its rectangle stays the same
      assert.equal("", phases())
      a:setShape("circle", 5)
      assert.equal("begin", phases())
      a:setShape("box")
      assert.equal("stay", phases())
      b:remove()
      assert.equal("end", phases())
    end)
  end)

  it("of static shapes are none", function()
    scene.each(function(s)
      insert(s, { { "a", { { 0, 0 }, 5 } }, { "b", { { 1, 1 }, 5 } } }, { static = true })
      insert(s, { { "c", { { 2, 2 }, 1 } } })
      assert.equal("ac bc", pairsOf(s))
    end)
  end)
end)

describe("queries of shapes", function()
  local function circles(s)
    return insert(s, {
      { "a", { { 0, 0 }, 5 } },
      { "b", { 3, 4, 2, 2 } },
      { "c", { { 10, 0 }, 2 } },
    })
  end

  local function polygons(s)
    return insert(s, {
      { "a", { 0, 0, 8, 0, 0, 8 } },
      { "b", { 8, 1, 8, 8, 1, 8 } },
      { "c", { { 4, -2 }, 1 } },
    })
  end

  it("queryRect", function()
    both(function(s)
      circles(s)
      assert.equal("a", named(s, s:queryRect({ -4, -4, 1.5, 1.5 })))
      assert.equal("", named(s, s:queryRect({ -5, -5, 1.25, 1.25 })))
      -- The rectangle ends where the circle begins.
      assert.equal("", named(s, s:queryRect({ -9, -3, 5, 0 })))
      assert.equal("a", named(s, s:queryRect({ -9, -3, 5.25, 0 })))
      assert.equal("a b c", named(s, s:queryRect({ -50, -50, 100, 100 })))
      assert.equal("c", named(s, s:queryRect({ 9, -1, 0.5, 0.5 }, s:queryPoint({ 0, 0 })[1])))
    end, function(s)
      polygons(s)
      assert.equal("a", named(s, s:queryRect({ 3.75, 3.75, 0.5, 0.5 })))
      assert.equal("a b", named(s, s:queryRect({ 3.75, 3.75, 1, 1 })))
      assert.equal("b", named(s, s:queryRect({ 4.25, 4.25, 1, 1 })))
      assert.equal("", named(s, s:queryRect({ 8.5, 0, 1, 9 })))
    end)
  end)

  it("queryPoint", function()
    both(function(s)
      circles(s)
      assert.equal("a", named(s, s:queryPoint({ 3, 3.75 })))
      assert.equal("", named(s, s:queryPoint({ -5, 0 })))
      assert.equal("", named(s, s:queryPoint({ -4, 4 })))
      assert.equal("c", named(s, s:queryPoint({ 10, 0 })))
    end, function(s)
      polygons(s)
      assert.equal("a", named(s, s:queryPoint({ 3.75, 4 })))
      assert.equal("", named(s, s:queryPoint({ 4.25, 4.25 })))
      assert.equal("b", named(s, s:queryPoint({ 4.75, 4.75 })))
      assert.equal("", named(s, s:queryPoint({ 0, 4 })))
    end)
  end)

  it("queryCircle", function()
    both(function(s)
      circles(s)
      assert.equal("a", named(s, s:queryCircle({ -6, -8 }, 5.25)))
      assert.equal("", named(s, s:queryCircle({ -6, -8 }, 5)))
      assert.equal("", named(s, s:queryCircle({ -6, -8 }, 4.75)))
      assert.equal("a c", named(s, s:queryCircle({ 6.5, 0 }, 1.75)))
      assert.equal("a", named(s, s:queryCircle({ 1, 1 }, 0)))
      assert.equal("a", named(s, s:queryCircle({ 1, 1 }, 0.25)))
    end, function(s)
      polygons(s)
      assert.equal("a", named(s, s:queryCircle({ 2, 2 }, 0.5)))
      assert.equal("", named(s, s:queryCircle({ 4.25, 4.25 }, 0.5 / root2 - 1e-6)))
      assert.equal("a b", named(s, s:queryCircle({ 4.25, 4.25 }, 0.5 / root2 + 1e-6)))
      assert.equal("a", named(s, s:queryCircle({ -3, -4 }, 5.125)))
    end)
  end)

  it("queryBox, from both sides", function()
    both(function(s)
      local boxes = circles(s)
      local d = s:insertCircle({ 8, 0 }, 3.25)
      s.names[d] = "d"
      assert.equal("a c", named(s, s:queryBox(d)))
      assert.equal("d", named(s, s:queryBox(boxes.a)))
      assert.equal("", named(s, s:queryBox(boxes.b)))
    end, function(s)
      local boxes = polygons(s)
      local d = s:insertPolygon({ 4, 2, 6, 4, 4, 6, 2, 4 }) -- a rotated square
      s.names[d] = "d"
      assert.equal("a b", named(s, s:queryBox(d)))
      assert.equal("d", named(s, s:queryBox(boxes.a)))
      assert.equal("", named(s, s:queryBox(boxes.c)))
    end)
  end)

  it("nearest, by the distance to the shape", function()
    both(function(s)
      insert(s, {
        { "a", { { 30, 40 }, 20 } }, -- 30 away
        { "b", { -29, -1, 1, 2 } }, -- 28
        { "c", { { 0, -30 }, 1 } }, -- 29
        { "d", { { 1, 0 }, 3 } }, -- around it
        { "e", { { 0, 1 }, 3 } },
      })
      assert.equal("d", named(s, s:nearest({ 0, 0 })))
      assert.equal("d e b c a", named(s, s:nearest({ 0, 0 }, 9)))
      assert.equal("d e b c", named(s, s:nearest({ 0, 0 }, 9, nil, 29.5)))
      assert.equal("d e b", named(s, s:nearest({ 0, 0 }, 9, nil, 28)))
      assert.equal("a", named(s, s:nearest({ 36, 48 }, 1)))
    end, function(s)
      insert(s, {
        { "a", { 8, 0, 8, 8, 0, 8 } }, -- 8 / root 2, but its rectangle is at distance 0
        { "b", { 0, -5, 1, -7, -1, -7 } }, -- 5, at a corner
        { "c", { -5.5, 0, -5.5, 1, -7, -1 } }, -- 5.5
      })
      assert.equal("b c a", named(s, s:nearest({ 0, 0 }, 3)))
      assert.equal("b c", named(s, s:nearest({ 0, 0 }, 3, nil, 5.625)))
      assert.equal("a", named(s, s:nearest({ 7, 7 }, 3, nil, 0)))
    end)
  end)
end)

-- Asserts that a hit is { name, t, nx, ny }, or that there is none if `expected` is nil. Numbers
-- may differ by rounding.
local function expectHit(expected, s, box, t, normal)
  if not expected then
    assert.is_nil(box)
    return
  end
  assert.equal(expected[1], s.names[box])
  expect.near(expected[2], t)
  expect.near(expected[3], normal[1])
  expect.near(expected[4], normal[2])
end

describe("casts at shapes", function()
  it("segmentCast meets a circle where it is", function()
    scene.each(function(s)
      insert(s, { { "a", { { 0, 0 }, 5 } } })
      local function cast(expected, from, to)
        local box, t, normal, point = s:segmentCast(from, to)
        expectHit(expected, s, box, t, normal)
        if expected then
          expect.near(from[1] + (to[1] - from[1]) * expected[2], point[1])
          expect.near(from[2] + (to[2] - from[2]) * expected[2], point[2])
        end
      end
      cast({ "a", 0.25, -1, 0 }, { -10, 0 }, { 10, 0 })
      cast({ "a", 0.3, -0.8, 0.6 }, { -10, 3 }, { 10, 3 })
      cast({ "a", 0.5, 0.6, 0.8 }, { 6, 8 }, { 0, 0 })
      cast(nil, { -10, 5 }, { 10, 5 }) -- grazes the circle
      cast(nil, { -10, 5.25 }, { 10, 5.25 })
      cast(nil, { -4.75, 4.75 }, { -4.5, 4.5 }) -- in the corner of the rectangle
      cast(nil, { -10, 0 }, { -5, 0 }) -- ends at the circle
      cast({ "a", 0, 0, 0 }, { 1, 1 }, { 10, 10 }) -- from inside
      cast({ "a", 0, 0, 0 }, { 1, 1 }, { 1, 1 })
      cast(nil, { 5, 0 }, { 9, 0 }) -- from its edge, outwards
      cast({ "a", 0, 1, 0 }, { 5, 0 }, { -9, 0 })
      cast(nil, { 5, 0 }, { 5, 3 }) -- along its edge
    end)
  end)

  it("segmentCast meets a polygon at its edges and corners", function()
    scene.eachOf(2, function(s)
      insert(s, { { "a", { 0, 0, 8, 0, 0, 8 } } })
      local function cast(expected, from, to)
        local box, t, normal = s:segmentCast(from, to)
        expectHit(expected, s, box, t, normal)
      end
      cast({ "a", 0.5, 1 / root2, 1 / root2 }, { 8, 8 }, { 0, 0 })
      cast({ "a", 0.25, -1, 0 }, { -2, 1 }, { 6, 1 })
      cast({ "a", 0.75, 1 / root2, 1 / root2 }, { 6, 8 }, { 6, 0 })
      cast(nil, { 8, -1 }, { 8, 1 }) -- past a corner
      cast(nil, { 9 + 1e-6, -1 }, { -1, 9 + 1e-6 }) -- along an edge
      cast(nil, { 7, 7 }, { 5, 5 }) -- only in the rectangle
      cast({ "a", 0, 0, 0 }, { 1, 1 }, { 9, 9 })
      cast(nil, { 4, 0 }, { 4, -1 })
      cast({ "a", 0, 0, -1 }, { 4, 0 }, { 4, 1 })
    end)
  end)

  it("meets a corner with a normal between those of its edges", function()
    scene.eachOf(2, function(s)
      insert(s, { { "a", { 0, 0, 8, 0, 8, 8, 0, 8 } } })
      local _, t, n = s:segmentCast({ -2, -1 }, { 2, 1 })
      expect.near(0.5, t)
      expect.near(1, n[1] * n[1] + n[2] * n[2])
      assert.is_true(n[1] <= 0 and n[2] <= 0)
    end)
  end)

  it("querySegment finds all, by t", function()
    both(function(s)
      insert(s, {
        { "a", { { 20, 0 }, 5 } }, -- at 15
        { "b", { { 10, 3 }, 5 } }, -- at 6
        { "c", { { 10, -5 }, 5 } }, -- grazed
        { "d", { 14, -1, 1, 2 } },
        { "e", { { 0, 0 }, 1 } }, -- from inside
      })
      assert.equal("e b d a", named(s, s:querySegment({ 0, 0 }, { 40, 0 })))
      assert.equal("a d b e", named(s, s:querySegment({ 40, 0 }, { 0, 0 })))
    end, function(s)
      insert(s, {
        { "a", { 10, -4, 18, 4, 10, 4 } }, -- at 10, as far as 14
        { "b", { 9, 4, 17, -4, 9, -4 } }, -- at 9, as far as 13
        { "c", { 11, 0, 12, 1, 11, 2 } }, -- touched with a corner
      })
      assert.equal("b a", named(s, s:querySegment({ 0, 0 }, { 40, 0 })))
      assert.equal("a b", named(s, s:querySegment({ 40, 0 }, { 0, 0 })))
    end)
  end)
end)

describe("sweeps of shapes", function()
  it("sweep: a circle meets faces, corners and circles", function()
    scene.each(function(s)
      local boxes = insert(s, { { "a", { { 0, 0 }, 5 } }, { "b", { 9, 4, 9, 9 } } })
      expectHit({ "b", 0.6, -0.6, -0.8 }, s, s:sweep(boxes.a, { 10, 0 }))
      expectHit({ "b", 0.2, -1, 0 }, s, s:sweep(boxes.a, { 20, 30 }))
      expectHit(nil, s, s:sweep(boxes.a, { 5, 0 }))
      expectHit(nil, s, s:sweep(boxes.a, { 10, -2 })) -- 5.7 from the corner
      expectHit({ "a", 0.6, 0.6, 0.8 }, s, s:sweep(boxes.b, { -10, 0 }))
      boxes.b:remove()
      boxes.a:setShape("circle", 2)
      insert(s, { { "c", { { 5, 4 }, 3 } } })
      expectHit({ "c", 0.2, -0.6, -0.8 }, s, s:sweep(boxes.a, { 10, 0 }))
      expectHit(nil, s, s:sweep(boxes.a, { 1.75, 0 }))
      expectHit(nil, s, s:sweep(boxes.a, { 10, -5 }))
      s:update(boxes.a, { 1, 0 })
      expectHit({ "c", 0, 0, 0 }, s, s:sweep(boxes.a, { 10, 0 }))
    end)
  end)

  it("sweep: a box meets a circle with its corner and with its side", function()
    scene.each(function(s)
      local boxes = insert(s, { { "a", { -10, 3, 2, 2 } }, { "b", { { 0, 0 }, 5 } } })
      expectHit({ "b", 0.4, -0.8, 0.6 }, s, s:sweep(boxes.a, { 10, 0 }))
      s:update(boxes.a, { -10, -1 })
      expectHit({ "b", 0.25, -1, 0 }, s, s:sweep(boxes.a, { 12, 0 }))
      s:update(boxes.a, { -10, 5.25 })
      expectHit(nil, s, s:sweep(boxes.a, { 20, 0 }))
    end)
  end)

  it("sweep: polygons meet boxes, circles and polygons", function()
    scene.eachOf(2, function(s)
      local boxes = insert(s, {
        { "a", { 0, 0, 4, 0, 0, 4 } },
        { "b", { 4, 4, 1, 1 } },
        { "c", { 10, 0, 11, 1, 10, 2, 9, 1 } },
        { "d", { { 50, 50 }, root2 } },
      })
      expectHit({ "a", 0.25, 1 / root2, 1 / root2 }, s, s:sweep(boxes.b, { -8, -8 }))
      expectHit({ "b", 0.25, -1 / root2, -1 / root2 }, s, s:sweep(boxes.a, { 8, 8 }))
      expectHit({ "a", 0.75, 1 / root2, 1 / root2 }, s, s:sweep(boxes.c, { -8, 0 }))
      s:update(boxes.b, { 90, 90 })
      s:update(boxes.d, { 5 - root2, 5 - root2 })
      expectHit({ "a", 0.5, 1 / root2, 1 / root2 }, s, s:sweep(boxes.d, { -4, -4 }))
    end)
  end)

  it("shapes met with a face come before those met at a corner at the same time", function()
    local function square(isPolygon, x, y, w, h)
      return isPolygon and { x, y, x + w, y, x + w, y + h, x, y + h } or { x, y, w, h }
    end
    scene.eachOf(2, function(s)
      for forms = 0, 15 do
        local isPolygon = {}
        for i = 1, 4 do
          isPolygon[i] = math.floor(forms / 2 ^ (i - 1)) % 2 == 1
        end
        local boxes = insert(s, {
          { "mover", square(isPolygon[1], 0, 0, 1, 1) },
          -- The last edge of the polygon is entered before those that tie.
          { "corner", isPolygon[2] and { 3, 3.5, 3, 3, 4, 3, 4, 4, 3.25, 4 } or { 3, 3, 1, 1 } },
          { "x", square(isPolygon[3], 3, 1, 1, 1.5) },
          { "y", square(isPolygon[4], 2.5, 3, 0.5, 1) },
          { "slanted", { 2.5, 3.5, 3.5, 2.5, 4.5, 4.5 } },
        })
        assert.equal("x y slanted corner", named(s, s:querySweep(boxes.mover, { 4, 4 })))
        for _, box in pairs(boxes) do
          box:remove()
        end
      end
    end)
  end)

  it("sweepRect meets shapes as a box does", function()
    both(function(s)
      insert(s, { { "b", { { 0, 0 }, 5 } } })
      expectHit({ "b", 0.4, -0.8, 0.6 }, s, s:sweepRect({ -10, 3, 2, 2 }, { 10, 0 }))
      expectHit({ "b", 0.3, -0.8, 0.6 }, s, s:sweepRect({ -10, 3, 0, 0 }, { 20, 0 }))
      expectHit(nil, s, s:sweepRect({ -4.75, -4.75, 0.5, 0.5 }, { 0.25, 0.25 }))
      -- A rect without height.
      expectHit({ "b", 0.5, 0, -1 }, s, s:sweepRect({ -1, -10, 2, 0 }, { 0, 10 }))
      -- The rect rests on it.
      expectHit({ "b", 0, 0, -1 }, s, s:sweepRect({ -1, -5, 2, 0 }, { 4, 10 }))
    end, function(s)
      insert(s, { { "a", { 0, 0, 4, 0, 0, 4 } } })
      expectHit({ "a", 0.25, 1 / root2, 1 / root2 }, s, s:sweepRect({ 4, 4, 1, 1 }, { -8, -8 }))
      expectHit(nil, s, s:sweepRect({ 4, 4, 1, 1 }, { -1.75, -1.75 }))
    end)
  end)

  it("querySweep finds all on the way, by t", function()
    scene.each(function(s)
      local boxes = insert(s, {
        { "a", { { 0, 0 }, 1 } },
        { "b", { { 20, 0 }, 5 } }, -- at 14
        { "c", { { 10, 4 }, 4 } }, -- at 7
        { "d", { 13, -1, 1, 1 } }, -- at 12
        { "e", { { 0, 1.5 }, 1 } }, -- behind the start
        { "f", { { 10, -4.25 }, 3 } }, -- too far
      })
      assert.equal("e c d b", named(s, s:querySweep(boxes.a, { 40, 0 })))
      assert.equal("e c d", named(s, s:querySweep(boxes.a, { 13.5, 0 })))
      assert.equal("", named(s, s:querySweep(boxes.f, { -10, 0 })))
      assert.equal("c", named(s, s:querySweep(boxes.f, { 0, 2 })))
    end)
  end)

  it("hits of pools: movers without and with a size", function()
    for dim = 2, 3 do
      for _, backend in ipairs(scene.backends) do
        local s = scene.new(dim, backend, scene.symmetries(dim)[1])
        local a = insert(s, { { "a", { { 0, 0 }, 5 } } }).a
        local function hits(from, v, w)
          local pool = broadside.newPool({ dim = dim, capacity = 4, w = w, h = w })
          local id = pool:spawn(values(compat.concat(s:vector(from), s:vector(v))))
          pool:step(1)
          local list = {}
          for mover, box, t, x, y, z, nx, ny in pool:hits(s.world) do
            assert.equal(id, mover)
            assert.is_true(rawequal(a, box))
            if dim == 2 then
              nx, ny = z, nx
            end
            list = { t, x, y, nx, ny }
          end
          return list
        end
        local function hitsBox(from, v, w, motion)
          local pool = broadside.newPool({ dim = dim, capacity = 4, w = w, h = w })
          pool:spawn(values(compat.concat(s:vector(from), s:vector(v))))
          pool:step(1)
          local list = {}
          for _, t, x, y, z, nx, ny in pool:hitsBox(a, unpack(s:vector(motion))) do
            if dim == 2 then
              nx, ny = z, nx
            end
            list = { t, x, y, nx, ny }
          end
          return list
        end
        expect.allNear({ 0.3, -4, 3, -0.8, 0.6 }, hitsBox({ -10, 3 }, { 20, 0 }, 0, { 0, 0 }))
        assert.same({}, hitsBox({ -10, 5.25 }, { 20, 0 }, 0, { 0, 0 }))
        expect.allNear({ 0.25, -5, 4, -0.8, 0.6 }, hitsBox({ -10, 4 }, { 20, 0 }, 2, { 0, 0 }))
        -- The circle itself has come from 10 to 0.
        expect.allNear({ 0.9, -3, 3, -0.8, 0.6 }, hitsBox({ -12, 3 }, { 10, 0 }, 0, { -10, 0 }))
        expect.allNear({ 0.3, -4, 3, -0.8, 0.6 }, hits({ -10, 3 }, { 20, 0 }, 0))
        assert.same({}, hits({ -10, 5.25 }, { 20, 0 }, 0))
        expect.allNear({ 0.25, -5, 4, -0.8, 0.6 }, hits({ -10, 4 }, { 20, 0 }, 2))
        assert.same({}, hits({ -10, 6.25 }, { 20, 0 }, 2))
      end
    end
  end)
end)
