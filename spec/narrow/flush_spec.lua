-- Where casts and movers hit: on the face to the last bit, and never inside, so that the next way
-- from there begins outside. Properties of random hits, in 2D and 3D, near and far, small and
-- large, on every back end. No place is computed as the code does it.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local flush = require("spec.support.flush")
local oracle = require("spec.support.oracle")
local random = require("spec.support.random")

local unpack, values = compat.unpack, compat.values

local BACKENDS = { "brute", "sweep", "grid", "tree", "auto" }

-- Scenes: how far from the origin they are, and how large.
local SCENES = {
  { at = 0, size = 1 }, { at = 1e6, size = 1 }, { at = -1e6, size = 0.1 }, { at = 1e15, size = 4 },
  { at = -1e15, size = 1000 }, { at = 0, size = 1e-9 }, { at = 0, size = 1e-200 },
  { at = 0, size = 1e12 }, { at = 0, size = 1e200 },
}

-- A vector of numbers from -1 to 1, times size; some are 0.
local function anyVector(rng, dim, size)
  local v = {}
  for i = 1, dim do
    v[i] = rng:chance(0.1) and 0.0 or rng:real(-size, size)
  end
  return v
end

local function plus(a, b)
  local sum = {}
  for i = 1, #a do
    sum[i] = a[i] + b[i]
  end
  return sum
end

local function minus(a, b)
  local difference = {}
  for i = 1, #a do
    difference[i] = a[i] - b[i]
  end
  return difference
end

local function dot(a, b)
  local sum = 0
  for i = 1, #a do
    sum = sum + a[i] * b[i]
  end
  return sum
end

-- A world of boxes with sides of 1 to 9 times size, as scene.boxes: {[id] = shape of the oracle}.
local function newScene(dim, kind, seed)
  local rng = random.new(seed)
  local scene = { rng = rng, dim = dim, boxes = {}, size = kind.size, at = kind.at,
    world = broadside.newWorld({ dim = dim, results = "id", backend = rng:pick(BACKENDS) }) }
  for _ = 1, 8 do
    local lo, extent = {}, {}
    for i = 1, dim do
      lo[i] = kind.at + rng:real(-20, 20) * kind.size
      extent[i] = rng:real(1, 9) * kind.size
    end
    local id = scene.world:insert(values(compat.concat(lo, extent), { static = rng:chance(0.5) }))
    scene.boxes[id] = oracle.shape(lo, extent)
  end
  function scene.place()
    local p = {}
    for i = 1, dim do
      p[i] = kind.at + rng:real(-30, 30) * kind.size
    end
    return p
  end
  return scene
end

local function eachScene(f)
  for dim = 2, 3 do
    for _, kind in ipairs(SCENES) do
      for _, seed in ipairs(random.seeds(4)) do
        f(newScene(dim, kind, seed), ("%dD, at %g, size %g, seed %d"):format(dim, kind.at,
          kind.size, seed))
      end
    end
  end
end

-- box, point, normal
local function cast(world, from, to, filter)
  local dim = #from
  local got = { world:segmentCast(values(compat.concat(from, to), filter)) }
  return got[1], { unpack(got, 2, 1 + dim) }, { unpack(got, 2 + dim, 1 + 2 * dim) }
end

-- Ways of all lengths that lead off along the normal: `way` mirrored, and others.
local function waysOff(rng, way, normal)
  local list = { oracle.reflect(way, normal) }
  for _ = 1, 4 do
    local v = anyVector(rng, #way, 10 ^ rng:int(-3, 3) * math.max(unpack(way)))
    local off = dot(v, normal) < 0 and oracle.reflect(v, normal) or v
    list[#list + 1] = dot(off, normal) > 0 and off or nil
  end
  return list
end

local function only(id)
  return function(other) return other == id end
end

-- Asserts that no segment that leads off from a hit meets that box.
local function expectToLeave(scene, name, id, point, way, normal)
  for _, off in ipairs(waysOff(scene.rng, way, normal)) do
    assert.is_nil((cast(scene.world, point, plus(point, off), only(id))), name)
  end
end

describe("the point of a segment cast", function()
  it("is on the face, to the last bit, and what leads off from there leaves", function()
    local hits = 0
    eachScene(function(scene, name)
      for _ = 1, 30 do
        local from, to = scene.place(), scene.place()
        local id, point, normal = cast(scene.world, from, to)
        local axis, sign = flush.axisOf(id and normal or {})
        if axis then
          local box = scene.boxes[id]
          hits = hits + 1
          assert.equal(sign < 0 and box.lo[axis] or box.hi[axis], point[axis], name)
          for i = 1, scene.dim do
            assert.is_true(box.lo[i] <= point[i] and point[i] <= box.hi[i], name)
          end
          expectToLeave(scene, name, id, point, minus(to, from), normal)
        elseif id then
          assert.same(from, point, name) -- inside
        end
      end
    end)
    assert.is_true(hits > 50, hits)
  end)

  it("is on the face where rounding at a corner, or of a long way, would miss it", function()
    local world = broadside.newWorld()
    local box = world:insert(0, 0, 0.7, 0.7)
    for i = 1, 200 do
      local far = 10 ^ (i % 16)
      for _, sign in ipairs({ -1, 1 }) do
        -- To the corner, and to the middle of the left face.
        for _, y in ipairs({ 0, 0.35 }) do
          local met, x2, y2, nx = world:segmentCast(-far, y - sign * i / 7 * far, far + 1.4,
            y + sign * i / 7 * (far + 1.4))
          if met and nx ~= 0 then
            assert.equal(box, met)
            assert.equal(nx < 0 and 0 or 0.7, x2)
            assert.is_true(0 <= y2 and y2 <= 0.7)
          end
        end
      end
    end
  end)
end)

-- Movers --------------------------------------------------------------------------------------

-- A pool with one mover, which flies for one step.
local function flyOne(dim, place, way, extent)
  local pool = broadside.newPool({ dim = dim, capacity = 1 })
  pool:spawn(values(compat.concat(place, way), { w = extent[1], h = extent[2], d = extent[3] }))
  pool:step(1)
  return pool
end

-- { t, place, normal } of the first row of an iterator; `skip` values come before.
local function firstRow(dim, skip, f, state)
  local row = { f(state) }
  return row[1] and { place = { unpack(row, skip + 1, skip + dim) },
    normal = { unpack(row, skip + dim + 1, skip + 2 * dim) }, box = skip == 3 and row[2] or nil }
end

describe("the place of a mover's hit", function()
  it("is flush with the face, and what leads off from there leaves", function()
    local hits = 0
    eachScene(function(scene, name)
      local dim, rng = scene.dim, scene.rng
      for _ = 1, 30 do
        local from, extent = scene.place(), {}
        local way = anyVector(rng, dim, 40 * scene.size)
        for i = 1, dim do
          extent[i] = rng:pick({ 0, 0.3, 1, rng:real(0, 20) }) * scene.size
        end
        local pool = flyOne(dim, from, way, extent)
        local hit = firstRow(dim, 3, pool:hits(scene.world))
        local axis, sign = flush.axisOf(hit and hit.normal or {})
        if axis then
          local box = scene.boxes[hit.box]
          hits = hits + 1
          assert.is_true(flush.isFlush(hit.place[axis], extent[axis], box, axis, sign), name)
          for _, rows in ipairs({ { pool:hitsBox(scene.world:getBox(hit.box)) },
            { pool:hitsRect(unpack(oracle.toFlat(box))) } }) do
            assert.same(hit.place, firstRow(dim, 2, unpack(rows)).place, name)
          end
          for _, off in ipairs(waysOff(rng, way, hit.normal)) do
            local next = flyOne(dim, hit.place, off, extent)
            assert.is_nil(firstRow(dim, 3, next:hits(scene.world, only(hit.box))), name)
          end
        elseif hit then
          assert.same(from, hit.place, name) -- inside
        end
      end
    end)
    assert.is_true(hits > 50, hits)
  end)

  it("is flush with a rectangle that moves, where that was then", function()
    for dim = 2, 3 do
      for _, seed in ipairs(random.seeds(300)) do
        local rng = random.new(seed)
        local lo, extent, size = anyVector(rng, dim, 50), {}, {}
        for i = 1, dim do
          extent[i], size[i] = rng:real(1, 9), rng:pick({ 0, 0.3, 4 })
        end
        local motion = anyVector(rng, dim, 20)
        local pool = flyOne(dim, anyVector(rng, dim, 50), anyVector(rng, dim, 90), size)
        local row = { pool:hitsRect(values(compat.concat(lo, extent), unpack(motion))) }
        local id, t = row[1](row[2])
        if id then
          local hit = firstRow(dim, 2, pool:hitsRect(values(compat.concat(lo, extent),
            unpack(motion))))
          local axis, sign = flush.axisOf(hit.normal)
          if axis then
            local then_ = {}
            for i = 1, dim do
              then_[i] = lo[i] - motion[i] + motion[i] * t
            end
            assert.is_true(flush.isFlush(hit.place[axis], size[axis],
              oracle.shape(then_, extent), axis, sign), seed)
          end
        end
      end
    end
  end)

  -- Bullets between two walls across an axis, reflected each time that they hit.
  local function flyToAndFro(dim, axis, width, speed)
    local function vector(along, across)
      local v = { across, across, across }
      v[axis] = along
      return { unpack(v, 1, dim) }
    end
    local world = broadside.newWorld({ dim = dim })
    for _, at in ipairs({ 100, -10 }) do
      world:insert(values(compat.concat(vector(at, -500), vector(10, 1000))))
    end
    local pool, turns = broadside.newPool({ dim = dim, capacity = 1 }), 0
    local id = pool:spawn(values(compat.concat(vector(50, 0), vector(speed, 1)),
      { w = width, h = width, d = dim == 3 and width or nil }))
    for _ = 1, 200 do
      pool:step(1)
      local hit = firstRow(dim, 3, pool:hits(world))
      if hit then
        assert.is_not_nil((flush.axisOf(hit.normal)))
        local v = oracle.reflect({ select(dim + 1, pool:get(id)) }, hit.normal)
        pool:set(id, values(compat.concat(hit.place, v)))
        turns = turns + 1
      end
      assert.is_true(math.abs((select(axis, pool:get(id))) - 50) <= 50)
    end
    return turns
  end

  it("lets bullets fly to and fro for ever", function()
    for _, width in ipairs({ 0, 0.1, 0.3, 1 / 3, 4, 1e-9 }) do
      for _, speed in ipairs({ 37.3, 3.1, 70.7 }) do
        for axis = 1, 3 do
          assert.is_true(flyToAndFro(axis == 3 and 3 or 2, axis, width, speed) > 4)
        end
      end
    end
  end)
end)

-- Inner corners -------------------------------------------------------------------------------

-- A mover, or a point, that meets a wall across each axis at the same time, up to rounding. The
-- walls are inserted in any order. Each has two halves whose faces may be an ulp or two apart.
local function newCorner(dim, seed, isPoint)
  local rng = random.new(seed)
  local at = rng:pick({ 0, 0, 1e4, -1e6 })
  local scene = { dim = dim, from = {}, way = {}, extent = {}, boxes = {},
    world = broadside.newWorld({ dim = dim, results = "id", backend = rng:pick(BACKENDS) }) }
  local far, face, slanted = rng:real(0.1, 150), {}, rng:chance(0.5)
  for i = 1, dim do
    local sign, part = rng:pick({ -1, 1 }), slanted and rng:real(0.1, 3) or 1
    face[i] = { at = at + rng:pick({ rng:real(-50, 50), rng:int(-50, 50) }), sign = sign }
    scene.extent[i] = isPoint and 0 or rng:pick({ 0, 0.3, 0.3, rng:real(0, 5) })
    scene.from[i] = face[i].at - sign * (scene.extent[i] / 2 + far * part)
    scene.way[i] = sign * far * part * rng:pick(slanted and { 1.5, 2 } or { 1.1, 7 / 3 })
  end
  if not slanted then -- The same on each axis.
    for i = 2, dim do
      scene.way[i] = math.abs(scene.way[1]) * face[i].sign
    end
  end
  for _, wall in ipairs(rng:pick({ { 1, 2, 3 }, { 3, 2, 1 }, { 2, 3, 1 } })) do
    for _, half in ipairs({ -1, 1 }) do
      local across, lo, size = wall % dim + 1, {}, {}
      for i = 1, dim do
        local under = scene.extent[i] > 0 and scene.extent[i] / 2 or 1 -- where the halves meet
        local middle = face[i].at - face[i].sign * under
        lo[i], size[i] = middle - 500, 1000
        if i == wall then
          local shifted = face[i].at * (1 + rng:pick({ 0, 0, 0, 1, 2 }) * 2 ^ -52)
          size[i] = 10
          lo[i] = face[i].sign > 0 and shifted or shifted - 10
        elseif i == across then
          lo[i], size[i] = half < 0 and lo[i] or middle, 500
        end
      end
      if wall <= dim then
        local id = scene.world:insert(values(compat.concat(lo, size),
          { static = rng:chance(0.5) }))
        scene.boxes[id] = oracle.shape(lo, size)
      end
    end
  end
  return scene
end

-- Asserts that something which began outside of all boxes is outside of them there, except those
-- that it has come through.
local function expectOutside(scene, seed, centre, extent, through)
  local lo = {}
  for i = 1, scene.dim do
    lo[i] = centre[i] - extent[i] / 2
  end
  local shape = oracle.shape(lo, extent)
  for id, box in pairs(scene.boxes) do
    assert.is_false(not through[id] and oracle.overlap(shape, box), seed)
  end
end

local function eachCorner(rounds, isPoint, f)
  for dim = 2, 3 do
    for _, seed in ipairs(random.seeds(rounds)) do
      f(newCorner(dim, seed, isPoint), seed)
    end
  end
end

describe("in an inner corner, where two walls are met at once,", function()
  it("a mover is outside of both", function()
    local hits = 0
    eachCorner(1500, false, function(scene, seed)
      local pool = flyOne(scene.dim, scene.from, scene.way, scene.extent)
      local function isAny()
        return true
      end
      for _, rows in ipairs({ { pool:hits(scene.world) }, { pool:hits(scene.world, isAny) } }) do
        local hit = firstRow(scene.dim, 3, unpack(rows))
        hits = hits + 1
        expectOutside(scene, seed, hit.place, scene.extent, {})
      end
    end)
    assert.is_true(hits > 50, hits)
  end)

  it("a mover that pierces is outside of what it has still to pierce", function()
    eachCorner(300, false, function(scene, seed)
      local dim = scene.dim
      local pool = flyOne(dim, scene.from, scene.way, scene.extent)
      local through = {}
      for _, id, _, x, y, z in pool:hits(scene.world, nil, true) do
        through[id] = next(through) and true or nil
        expectOutside(scene, seed, { x, y, z }, scene.extent, through)
        through[id] = true
      end
      assert.is_not_nil(next(through), seed)
    end)
  end)

  it("a mover that ignores one of them is outside of the others", function()
    eachCorner(300, false, function(scene, seed)
      local pool = flyOne(scene.dim, scene.from, scene.way, scene.extent)
      local ignored = next(scene.boxes)
      local hit = firstRow(scene.dim, 3, pool:hits(scene.world, function(id)
        return id ~= ignored
      end))
      expectOutside(scene, seed, hit.place, scene.extent, { [ignored] = true })
    end)
  end)

  it("the point of a segment is outside of both", function()
    eachCorner(1500, true, function(scene, seed)
      local id, point = cast(scene.world, scene.from, plus(scene.from, scene.way))
      assert.is_not_nil(id, seed)
      expectOutside(scene, seed, point, scene.extent, {})
    end)
  end)
end)

-- Circles and polygons ------------------------------------------------------------------------

local function insertShape(world, rng, dim, place, size)
  if dim == 3 or rng:chance(0.5) then
    return world:insertCircle(values(place, rng:real(0.1, 5) * size))
  end
  return world:insertPolygon(random.polygon(rng, place[1], place[2], rng:real(1, 5) * size,
    rng:real(1, 5) * size))
end

-- A scene of one shape; it may be near or far, small or large.
local function newShape(dim, seed)
  local rng = random.new(seed)
  local at, size = rng:pick({ 0, 0, 1e4, -1e6 }), rng:pick({ 1, 1, 1e-3, 100, 1e150 })
  local scene = { rng = rng, dim = dim, size = size,
    near = 1e-13 * (math.abs(at) + 40 * size), world = broadside.newWorld({ dim = dim,
      results = "id", backend = rng:pick(BACKENDS) }) }
  function scene.place(most)
    local p = anyVector(rng, dim, most * size)
    for i = 1, dim do
      p[i] = p[i] + at
    end
    return p
  end
  scene.shape = insertShape(scene.world, rng, dim, scene.place(3), size)
  return scene
end

-- How many of the world's boxes overlap a mover there, whose sides are moved outward by so much.
local function countAt(scene, centre, extent, by)
  local lo, size = {}, {}
  for i = 1, scene.dim do
    lo[i], size[i] = centre[i] - extent[i] / 2 - by, extent[i] + 2 * by
  end
  return (select(2, scene.world:queryRect(unpack(compat.concat(lo, size)))))
end

-- Asserts that it is beside the shape: not in it, and so near that rounding explains the rest.
local function expectBeside(scene, seed, centre, extent)
  assert.equal(0, countAt(scene, centre, extent, 0), seed)
  assert.equal(1, countAt(scene, centre, extent, scene.near), seed)
end

describe("beside a slanted or round side", function()
  it("a segment's point is outside, and what leads off from there leaves", function()
    for _, seed in ipairs(random.seeds(400)) do
      for dim = 2, 3 do
        local scene, point_ = newShape(dim, seed), { 0, 0, 0 }
        local from, to = scene.place(scene.rng:pick({ 20, 20, 1e7 })), scene.place(5)
        local id, point, normal = cast(scene.world, from, to)
        if id and dot(normal, normal) == 0 then
          assert.same(from, point)
        elseif id then
          expectBeside(scene, seed, point, point_)
          expectToLeave(scene, seed, id, point, minus(to, from), normal)
        end
      end
    end
  end)

  it("a mover is outside, and what leads off from there leaves", function()
    for _, seed in ipairs(random.seeds(400)) do
      for dim = 2, 3 do
        local scene, extent = newShape(dim, seed), {}
        local rng = scene.rng
        for i = 1, dim do
          extent[i] = rng:pick({ 0, 0.3, 1, rng:real(0, 5) }) * scene.size
        end
        local from, to = scene.place(scene.rng:pick({ 20, 20, 1e7 })), scene.place(5)
        local way = minus(to, from)
        local pool = flyOne(dim, from, way, extent)
        local hit = firstRow(dim, 3, pool:hits(scene.world))
        if hit and dot(hit.normal, hit.normal) == 0 then
          assert.same(from, hit.place)
        elseif hit then
          expectBeside(scene, seed, hit.place, extent)
          assert.same(hit.place,
            firstRow(dim, 2, pool:hitsBox(scene.world:getBox(hit.box))).place)
          for _, off in ipairs(waysOff(rng, way, hit.normal)) do
            local next = flyOne(dim, hit.place, off, extent)
            assert.is_nil(firstRow(dim, 3, next:hits(scene.world)), seed)
          end
        end
      end
    end
  end)
end)

-- A box has a polygon behind its lower face, whose own lower edge leans by 1e-8: so little that its
-- normal is rounded to that of a level edge. The polygon's rectangle begins at y = 0, before the
-- box, but there where the box is the edge is behind it.
describe("before an edge that leans by next to nothing", function()
  local FACE = 3e-9

  local function each(f)
    for _, backend in ipairs(BACKENDS) do
      local world = broadside.newWorld({ results = "id", backend = backend })
      world:insertPolygon({ 0, 1e-8, 1, 0, 1, 10, 0, 10 })
      f(world, world:insert(0.2, FACE, 0.2, 1))
    end
  end

  it("a segment's point is on the face that it meets, to the last bit", function()
    each(function(world, box)
      local id, x, y = world:segmentCast(0.3, -5, 0.3, 5)
      assert.same({ box, 0.3, FACE }, { id, x, y })
    end)
  end)

  it("a mover is on the face that it meets, to the last bit, also if it pierces", function()
    each(function(world, box)
      local pool = flyOne(2, { 0.3, -5 }, { 0, 10 }, { 0, 0 })
      for _, all in ipairs({ false, true }) do
        local f, state = pool:hits(world, nil, all)
        local row = { f(state) }
        assert.same({ box, 0.3, FACE }, { row[2], row[4], row[5] })
      end
    end)
  end)
end)
