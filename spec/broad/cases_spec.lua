-- Bugs that other libraries had. Each is a case for every back end. The comment above a case names
-- the thread that reports the bug.

local broadside = require("broadside")
local collect = require("spec.support.collect")
local compat = require("spec.support.compat")
local expect = require("spec.support.expect")
local random = require("spec.support.random")
local scene = require("spec.support.scene")

local most = compat.maxDouble

describe("many boxes", function()
  -- erincatto/box2d#54, jrouwe/JoltPhysics#1235: a stack overflow. Box2D: a query with a stack of
  -- 1,024 nodes silently drops subtrees when the stack is full
  it("of 3,000 in a row: queries, rays and pairs complete", function()
    scene.eachBackend(function(s)
      local n = 3000
      for i = 1, n do
        s:insert({ 3 * i, 0, 4, 4 })
      end
      assert.equal(n - 1, s.world:countPairs())
      assert.equal(n, #s:queryRect({ -1e6, -1e6, 2e6, 2e6 }))
      assert.equal(n, #s:querySegment({ 0, 2 }, { 1e6, 2 }))
      assert.equal(n, #s:querySegment({ 1e6, 2 }, { 0, 2 }))
      assert.equal(n, #s:nearest({ 0, 0 }, n))
      assert.equal(n, #s:queryCircle({ 0, 0 }, 1e6))
      local _, t = s:segmentCast({ 1048576, 2 }, { 0, 2 })
      assert.equal((1048576 - 9004) / 1048576, t)
    end)
  end)

  -- The same in the worst order for a tree: each box is larger than all before it.
  it("of 2,000 around each other: all of them are found", function()
    scene.eachBackend(function(s)
      local n = 2000
      for i = 1, n do
        s:insert({ -i, -i, 2 * i, 2 * i })
      end
      assert.equal(n * (n - 1) / 2, s.world:countPairs())
      assert.equal(n, #s:queryPoint({ 0, 0 }))
      assert.equal(n - 99, #s:queryPoint({ 99.5, 0 }))
    end)
  end)

  it("of 6,000 in one place: when most of them leave, each is found where it is", function()
    scene.eachBackend(function(s)
      local n, boxes = 6000, {}
      for i = 1, n do
        boxes[i] = s:insert({ 0, 0, 4, 4 })
      end
      assert.equal(n, #s:querySegment({ -9, 2 }, { 9, 2 }))
      for i = 1, n do
        if i % 6 == 0 then
          s.world:remove(boxes[i])
        elseif i % 6 > 1 then
          s:update(boxes[i], { 10 * i, 0 })
        end
      end
      s:insert({ 0, 0, 4, 4 })
      assert.equal(n / 6 + 1, #s:querySegment({ -9, 2 }, { 9, 2 }))
      assert.equal(n / 6 * 5 + 1, #s:querySegment({ -9, 2 }, { 1e6, 2 }))
      for _, i in ipairs({ 2, 2999, 5999 }) do
        assert.same({ boxes[i] }, s:queryRect({ 10 * i, 0, 1, 1 }))
      end
      assert.same({}, s:queryRect({ 60, 0, 1, 1 }))
      assert.equal((n / 6 + 1) * (n / 6) / 2, s.world:countPairs())
    end)
  end)

  -- Chipmunk: the sweep reads past its table when it is full, at 32 objects, and misses pairs
  it("as they grow one by one: no pair is missed at any count", function()
    scene.eachBackend(function(s)
      for i = 1, 150 do
        s:insert({ 3 * i, 0, 4, 4 })
        assert.equal(i - 1, s.world:countPairs())
        assert.equal(i, #s:queryRect({ -1e6, -1e6, 2e6, 2e6 }))
      end
    end)
  end)

  -- The Defold AABB extension cuts every list at 32 results
  it("in one list are not cut off", function()
    scene.eachBackend(function(s)
      local list = {}
      for i = 1, 1000 do
        list[i] = s:insert({ 0, 0, 10, 10 })
      end
      expect.boxes(list, s:queryRect({ 0, 0, 1, 1 }))
      expect.boxes(list, s:queryPoint({ 5, 5 }))
      expect.boxes(list, s:queryCircle({ 5, 5 }, 1))
      expect.boxes(list, s:querySegment({ -1, 5 }, { 11, 5 }))
      expect.boxes(list, s:nearest({ 5, 5 }, 1000))
      assert.equal(999, #s:queryBox(list[1]))
      assert.equal(1000 * 999 / 2, s.world:countPairs())
    end)
  end)
end)

describe("a cast", function()
  -- erincatto/box2d#65
  it("that starts inside a box that is filtered out finds the next one", function()
    scene.each(function(s)
      local around = s:insert({ -10, -10, 20, 20 }, { layer = 2 })
      local inner = s:insert({ -5, -5, 10, 10 }, { layer = 2 })
      local wall = s:insert({ 50, -5, 10, 10 })
      for _, filter in ipairs({ 1, function(box)
        return box ~= around and box ~= inner
      end }) do
        expect.hit(wall, 0.5, { -1, 0 }, s:segmentCast({ 0, 0 }, { 100, 0 }, filter))
        expect.hit(wall, 0.5, { -1, 0 }, s:sweepRect({ -1, -1, 1, 2 }, { 100, 0 }, filter))
      end
      expect.hit(inner, 0, { 0, 0 }, s:segmentCast({ 0, 0 }, { 100, 0 }, around))
      inner:remove()
      expect.hit(wall, 0.5, { -1, 0 }, s:segmentCast({ 0, 0 }, { 100, 0 }, around))
    end)
  end)

  -- selimanac/defold-daabbcc#9, orx/orx#46
  it("of no length hits only what it starts inside of", function()
    scene.each(function(s)
      local box = s:insert({ 0, 0, 4, 4 })
      expect.hit(box, 0, { 0, 0 }, s:segmentCast({ 1, 1 }, { 1, 1 }))
      expect.boxes({ box }, s:querySegment({ 1, 1 }, { 1, 1 }))
      expect.hit(box, 0, { 0, 0 }, s:sweepRect({ 1, 1, 1, 1 }, { 0, 0 }))
      for _, p in ipairs({ { 0, 0 }, { 0, 2 }, { 4, 4 }, { 4, 2 }, { 5, 5 } }) do
        expect.miss(s:segmentCast(p, p))
        expect.boxes({}, s:querySegment(p, p))
        expect.miss(s:sweepRect({ p[1], p[2], 0, 0 }, { 0, 0 }))
      end
      expect.miss(s:sweepRect({ 4, 0, 4, 4 }, { 0, 0 }))
    end)
  end)

  -- noonat/intersect#9, svenstaro/bvh#140: 0 times infinity
  it("from a slab's plane, with no motion on that axis, is no hit", function()
    scene.each(function(s)
      s:insert({ 0, 0, 4, 4 })
      for _, zero in ipairs({ 0, -0.0 }) do
        expect.miss(s:segmentCast({ 0, -5 }, { 0 + zero, 9 }))
        expect.miss(s:segmentCast({ 4, -5 }, { 4 + zero, 9 }))
        expect.miss(s:sweepRect({ 0, -5, 0, 0 }, { zero, 99 }))
        expect.miss(s:sweepRect({ 4, -5, 2, 2 }, { zero, 99 }))
        expect.miss(s:sweepRect({ -2, -5, 2, 2 }, { zero, 99 }))
      end
    end)
  end)

  -- jbikker/tinybvh#286
  it("inside a face's plane is no hit, whichever way it runs", function()
    scene.each(function(s)
      s:insert({ 0, 0, 4, 4 })
      expect.miss(s:segmentCast({ -5, 0 }, { 9, 0 }))
      expect.miss(s:segmentCast({ 1, 0 }, { 3, 0 }))
      expect.miss(s:segmentCast({ 0, 0 }, { 4, 0 }))
      expect.miss(s:segmentCast({ 3, 4 }, { -9, 4 }))
      expect.boxes({}, s:querySegment({ -5, 4 }, { 9, 4 }))
    end)
  end)

  -- jrouwe/JoltPhysics#1554
  it("that makes contact exactly at t = 1 has hit nothing, and all calls agree", function()
    scene.each(function(s)
      local mover = s:insert({ 0, 0, 2, 2 })
      local wall = s:insert({ 5, 0, 2, 2 })
      expect.miss(s:sweep(mover, { 3, 0 }))
      expect.miss(s:sweepRect({ 0, 0, 2, 2 }, { 3, 0 }, mover))
      expect.miss(s:segmentCast({ 2, 1 }, { 5, 1 }))
      expect.boxes({ mover }, s:querySegment({ 1, 1 }, { 5, 1 }))
      assert.is_nil((broadside.sweep(0, 0, 2, 2, 3, 0, 5, 0, 2, 2, 0, 0)))
      assert.is_nil((broadside.segment(2, 1, 5, 1, 5, 0, 2, 2)))
      s:update(mover, { 3, 0 })
      expect.boxes({}, s:queryBox(mover))
      assert.equal(0, s.world:countPairs())
      -- One unit in the last place farther is a hit.
      local further = 3 + 2 ^ -50
      s:update(mover, { 0, 0 })
      expect.hit(wall, 3 / further, { -1, 0 }, s:sweep(mover, { further, 0 }))
      expect.hit(wall, 3 / further, { -1, 0 }, s:sweepRect({ 0, 0, 2, 2 }, { further, 0 }, mover))
    end)
  end)

  -- RandyGaul/cute_headers#31; Box2D misses a start inside
  it("that starts inside has t = 0, never less", function()
    scene.each(function(s)
      local box = s:insert({ 0, 0, 4, 4 })
      local mover = s:insert({ 1, 1, 1, 1 })
      for x = -2, 2 do
        for y = -2, 2 do
          local v = { x * 3, y * 3 }
          expect.hit(box, 0, { 0, 0 }, s:sweep(mover, v))
          expect.hit(box, 0, { 0, 0 }, s:sweepRect({ 3, 3, 9, 9 }, v, mover))
          expect.hit(box, 0, { 0, 0 }, s:segmentCast({ 3, 3 }, { 3 + v[1], 3 + v[2] }))
        end
      end
    end)
  end)

  -- erincatto/box3d#32
  it("from rest against a wall, moving away, is no hit", function()
    scene.each(function(s)
      local mover = s:insert({ 0, 0, 4, 4 })
      s:insert({ 4, -50, 4, 100 })
      for _, v in ipairs({ { -1, 0 }, { -1e-300, 0 }, { -1e300, 0 }, { -1, 5 }, { -1, -5 } }) do
        expect.miss(s:sweep(mover, v))
      end
      expect.miss(s:segmentCast({ 4, 1 }, { 3, 1 }, mover))
    end)
  end)

  -- mcbookshelf/bookshelf#487
  it("from rest on a floor, sliding sideways, is no hit", function()
    scene.each(function(s)
      local mover = s:insert({ 0, 0, 4, 4 })
      local floor = s:insert({ -50, 4, 100, 4 })
      expect.miss(s:sweep(mover, { 30, 0 }))
      expect.miss(s:sweep(mover, { -30, 0 }))
      expect.miss(s:sweep(mover, { 1e-300, 0 }))
      expect.hit(floor, 0, { 0, -1 }, s:sweep(mover, { 30, 1e-9 }))
      expect.miss(s:sweep(mover, { 30, -1e-9 }))
    end)
  end)

  it("from rest at a place that is no round number, sliding sideways, is no hit", function()
    for _, backend in ipairs(scene.backends) do
      local world = broadside.newWorld({ backend = backend })
      local mover, rested = world:insert(0, 0, 4, 4), 0
      local floor = world:insert(-50, 0, 100, 4)
      for i = 1, 200 do
        local y = i / 7 + i * i
        world:update(floor, -50, y)
        world:update(mover, 0, y - 4)
        if y - 4 + 4 == y then
          rested = rested + 1
          expect.miss(world:sweep(mover, 30, 0))
          expect.hit(floor, 0, { 0, -1 }, (function(other, t, ...)
            return other, t, { ... }
          end)(world:sweep(mover, 30, 1e-9)))
        end
      end
      assert.is_true(rested > 50)
    end
  end)

  -- kikito/bump.lua#33, #48; cxong/cdogs-sdl#215
  it("exactly corner to corner enters on the lower axis, and past a corner is no hit", function()
    scene.each(function(s)
      local mover = s:insert({ 0, 0, 2, 2 })
      local wall = s:insert({ 4, 4, 2, 2 })
      local normal = s:tie({ -1, 0 }, { 0, -1 })
      expect.hit(wall, 0.5, normal, s:sweep(mover, { 4, 4 }))
      expect.miss(s:sweep(mover, { 2, 2 }))
      expect.hit(wall, 0.25, normal, s:sweep(mover, { 8, 8 }))
      -- From touching corners
      s:update(mover, { 2, 2 })
      expect.hit(wall, 0, normal, s:sweep(mover, { 1, 1 }))
      expect.miss(s:sweep(mover, { 1, -1 }))
      expect.miss(s:sweep(mover, { 1, 0 }))
      expect.miss(s:sweep(mover, { 0, 1 }))
      expect.miss(s:sweep(mover, { -1, -1 }))
      -- Past the corner of the wall, diagonally
      s:update(mover, { 0, 4 })
      expect.miss(s:sweep(mover, { 4, 4 }))
      expect.miss(s:sweep(mover, { 2, 2 }))
      expect.miss(s:sweep(mover, { 4, -4 }))
    end)
  end)

  -- kikito/bump.lua#47
  it("along a floor of 1x1 tiles does not snag at the seams", function()
    scene.eachBackend(function(s)
      for i = -20, 60 do
        s:insert({ i, 10, 1, 1 }, { static = true })
      end
      local mover = s:insert({ 0, 8, 1, 2 })
      for i = 0, 120 do
        local x = i / 8 - 3
        s:update(mover, { x, 8 })
        for _, dx in ipairs({ 0.25, 1, -1, 7, -7.125, 40 }) do
          expect.miss(s:sweep(mover, { dx, 0 }))
        end
        local push, n = s:resolve(mover)
        assert.same({ 0, 0 }, push)
        assert.equal(0, n)
      end
    end)
  end)

  -- The same for a box that is pressed or falls onto the floor. (Not exactly at a seam: there two
  -- tiles are entered at the same time, and the lower axis decides.)
  it("down onto a floor of 1x1 tiles hits its top, never the side of a tile", function()
    scene.eachBackend(function(s)
      for i = -60, 60 do
        s:insert({ i, 10, 1, 1 }, { static = true })
      end
      local mover = s:insert({ 0, 8, 1, 2 })
      for i = 0, 120 do
        local x = i / 8 - 3 + 1 / 64
        for _, dx in ipairs({ 0.25, 1, -1, 7, -7.125, 40 }) do
          s:update(mover, { x, 8 })
          local hit, t, normal = s:sweep(mover, { dx, 0.5 })
          assert(hit and t == 0 and normal[1] == 0 and normal[2] == -1)
          s:update(mover, { x, 7 })
          hit, t, normal = s:sweep(mover, { dx, 2 })
          assert(hit and t == 0.5 and normal[1] == 0 and normal[2] == -1)
        end
      end
    end)
  end)

  -- kikito/bump.lua#37
  it("that starts overlapping does not teleport: t = 0, and resolve takes the least way", function()
    scene.each(function(s)
      local mover = s:insert({ 0, 0, 4, 4 })
      local wall = s:insert({ 3.5, -50, 40, 100 })
      for _, v in ipairs({ { 0, 30 }, { 30, 0 }, { -30, 0 }, { 5, -5 } }) do
        expect.hit(wall, 0, { 0, 0 }, s:sweep(mover, v))
      end
      local push, n = s:resolve(mover)
      assert.same({ -0.5, 0 }, push)
      assert.equal(1, n)
      expect.miss(s:sweep(mover, { 0, 30 }))
    end)
  end)

  -- bulletphysics/bullet3#4464
  it("with its ends swapped agrees on whether there is a hit", function()
    for dim = 2, 3 do
      for _, backend in ipairs(scene.backends) do
        local world = broadside.newWorld({ dim = dim, backend = backend, results = "id" })
        local rng = random.new(7)
        for _ = 1, 60 do
          local flat = {}
          for i = 1, 2 * dim do
            flat[i] = rng:int(i <= dim and -20 or 1, i <= dim and 20 or 4)
          end
          world:insert(compat.unpack(flat))
        end
        local there, back = {}, {}
        for _ = 1, 300 do
          local a, b = {}, {}
          for i = 1, dim do
            a[i], b[i] = rng:int(-24, 24), rng:int(-24, 24)
          end
          world:querySegment(compat.values(compat.concat(a, b), nil, there))
          world:querySegment(compat.values(compat.concat(b, a), nil, back))
          table.sort(there)
          table.sort(back)
          assert.same(there, back)
          local forth = world:segmentCast(compat.unpack(compat.concat(a, b)))
          assert.equal(forth ~= nil, world:segmentCast(compat.unpack(compat.concat(b, a))) ~= nil)
        end
      end
    end
  end)

  -- HC: a ray towards +x finds nothing
  it("finds a box in every direction", function()
    scene.each(function(s)
      for x = -1, 1 do
        for y = -1, 1 do
          if x ~= 0 or y ~= 0 then
            local box = s:insert({ 10 * x - 2, 10 * y - 2, 4, 4 })
            assert.is_true(rawequal(box, (s:segmentCast({ 0, 0 }, { 20 * x, 20 * y }))))
            assert.is_true(rawequal(box, (s:sweepRect({ -1, -1, 2, 2 }, { 20 * x, 20 * y }))))
          end
        end
      end
    end)
  end)

  -- Box2D's ray cast against AABBs misses a box of 1e-8
  it("sees a box of 1e-8", function()
    scene.each(function(s)
      local box = s:insert({ 0, 0, 1e-8, 1e-8 })
      expect.hit(box, 0.5, { -1, 0 }, s:segmentCast({ -1, 5e-9 }, { 1, 5e-9 }))
      expect.hit(box, 0, { 0, 0 }, s:segmentCast({ 5e-9, 5e-9 }, { 1, 5e-9 }))
    end)
  end)

  -- bump.lua: a bounce ends inside a wall in 16% of moves
  it("that is followed by a reflection never ends inside a wall", function()
    scene.eachBackend(function(s)
      for i = 0, 15 do
        for _, rect in ipairs({ { i, 0 }, { i, 15 }, { 0, i }, { 15, i } }) do
          s:insert({ rect[1] * 16, rect[2] * 16, 16, 16 }, { static = true })
        end
      end
      local rng = random.new(9)
      for _ = 1, 300 do
        local x, y = 16 + rng:int(0, 200), 16 + rng:int(0, 200)
        local v = { rng:pick({ -64, 64 }), rng:pick({ -64, 64, 0 }) }
        local left = 1
        for _ = 1, 20 do
          local rect = { x, y, 8, 8 }
          local hit, t, normal = s:sweepRect(rect, { v[1] * left, v[2] * left })
          if not hit then
            x, y = x + v[1] * left, y + v[2] * left
            break
          end
          x, y = x + v[1] * left * t, y + v[2] * left * t
          left = left * (1 - t)
          -- Without a normal, rounding has left the box slightly inside.
          if normal[1] == 0 and normal[2] == 0 then
            break
          end
          v = { broadside.reflect(v[1], v[2], normal[1], normal[2]) }
        end
        -- What rounding may have left is far below a thousandth.
        local shrunk = { x + 1e-3, y + 1e-3, 8 - 2e-3, 8 - 2e-3 }
        expect.boxes({}, s:queryRect(shrunk))
      end
    end)
  end)
end)

describe("symmetry", function()
  -- piqnt/planck.js#309
  it("holds: a random scene answers alike with axes swapped and mirrored", function()
    local function answers(s)
      local rng, names, list = random.new(10), {}, {}
      for i = 1, 40 do
        local box = s:insert({ rng:int(-20, 20), rng:int(-20, 20), rng:int(1, 5), rng:int(1, 5) })
        names[box] = i
      end
      list[1] = collect.pairNames(s.world, names)
      for i = 1, 25 do
        local a, b = { rng:int(-25, 25), rng:int(-25, 25) }, { rng:int(-25, 25), rng:int(-25, 25) }
        local hit, t = s:segmentCast(a, b)
        local swept, at = s:sweepRect({ a[1], a[2], 3, 2 }, { b[1], b[2] })
        local query, near, ids = s:querySegment(a, b), s:nearest(a, 4), {}
        for j, box in ipairs(query) do
          ids[j] = names[box]
        end
        for j, box in ipairs(near) do
          ids[#query + j] = names[box]
        end
        list[i + 1] = ("%s %.17g %s %.17g %s"):format(tostring(names[hit]), t or -1,
          tostring(names[swept]), at or -1, table.concat(ids, ","))
      end
      return table.concat(list, "\n")
    end
    local expected
    scene.each(function(s)
      local got = answers(s)
      expected = expected or got
      assert.equal(expected, got)
    end)
  end)
end)

describe("huge and hopeless numbers", function()
  -- dimforge/rapier#77, #396; bump.lua never returns for a box 1e9 wide or a segment 1e9 long;
  -- slembcke/Chipmunk2D#254, prime31/Nez#273: a walk through a grid that never ends
  local COORDS = { 0, 1, -1e9, 1e19, -1e19, 1e38, -1e38, 1e39, 1e150, -1e300, most, -most }

  it("never hang a call, and back ends agree on them", function()
    for dim = 2, 3 do
      local answers = {}
      local grid = broadside.newGrid({ cellSize = 1 })
      for _, backend in ipairs({ "brute", "sweep", "grid", "tree", "auto", grid }) do
        local world = broadside.newWorld({ dim = dim, backend = backend, results = "id" })
        local ids, said = {}, {}
        local function say(...)
          for i = 1, select("#", ...) do
            local value = select(i, ...)
            if type(value) == "table" then
              say(compat.unpack(value))
            else
              said[#said + 1] = tostring(ids[value] or value)
            end
          end
        end
        for i, x in ipairs(COORDS) do
          for j, w in ipairs({ 1, 1e9, 1e19, 1e39, 1e307, most / 2, most }) do
            local ok, id = pcall(world.insert, world, compat.unpack(
              dim == 2 and { x, j, w, 1 } or { x, j, 0, w, 1, 1 }))
            if ok then
              ids[id] = "#" .. i .. "," .. j
            end
          end
        end
        say(world:countPairs())
        for _, x in ipairs(COORDS) do
          for _, y in ipairs({ 0.5, 3.5, x }) do
            local p = dim == 2 and { x, y } or { x, y, 0.5 }
            local q = dim == 2 and { -x, y } or { -x, y, 0.5 }
            local zero = dim == 2 and { 0, 0 } or { 0, 0, 0 }
            say(world:queryPoint(compat.unpack(p)))
            say(world:queryCircle(compat.values(p, 1e19)))
            say(world:queryRect(compat.unpack(compat.concat(p, zero))))
            say(world:nearest(compat.values(p, 3)))
            -- Some of these segments have an infinite length. All back ends must agree to refuse or
            -- to answer them.
            say(pcall(world.segmentCast, world, compat.unpack(compat.concat(p, q))))
            say(pcall(world.querySegment, world, compat.unpack(compat.concat(p, q))))
            say(pcall(world.sweepRect, world,
              compat.unpack(compat.concat(compat.concat(p, zero), q))))
          end
        end
        answers[#answers + 1] = table.concat(said, " "):gsub("[%w_/%.]*:%d+: ", "")
      end
      for i = 2, #answers do
        assert.equal(answers[1], answers[i], "back end " .. i)
      end
    end
  end)

  it("of 1e9 and more are as good as any others", function()
    scene.each(function(s)
      local wide = s:insert({ -1e9, 0, 2e9, 1 })
      local small = s:insert({ 5, 0.25, 1, 1 })
      local far = s:insert({ 1e19, 0, 1e18, 1 })
      expect.boxes({ wide, small }, s:queryPoint({ 5.5, 0.5 }))
      expect.boxes({ far }, s:queryPoint({ 1.05e19, 0.5 }))
      assert.equal(1, s.world:countPairs())
      expect.hit(small, (5 + 1e9) / 2e9, { -1, 0 },
        s:segmentCast({ -1e9, 0.5 }, { 1e9, 0.5 }, wide))
      expect.boxes({ far, wide }, s:querySegment({ 1.05e19, 0.5 }, { -1e19, 0.5 }))
    end)
  end)

  -- DanielChappuis/reactphysics3d#440
  it("far from the origin: a box that creeps along is always found", function()
    scene.eachBackend(function(s)
      for _, base in ipairs({ 1e6, 1e9, 16777216, 1e12, 2 ^ 52 }) do
        local mover = s:insert({ base, 0, 1, 1 })
        local wall = s:insert({ base + 100, 0, 1, 1 })
        for i = 1, 120 do
          s:update(mover, { base + i, 0 })
          expect.boxes({ mover }, s:queryRect({ base + i, 0, 1, 1 }, wall))
          assert.equal(i == 100 and 1 or 0, s.world:countPairs())
          expect.boxes({}, s:queryRect({ base + i + 1, 0, 1, 1 }, wall))
        end
        s.world:clear()
      end
    end)
  end)

  -- slembcke/Chipmunk2D#254, prime31/Nez#273
  it("in a grid that is churned without end: every call returns", function()
    for _, cellSize in ipairs({ 1e-3, 1, 1e6 }) do
      local world = broadside.newWorld({
        backend = broadside.newGrid({ cellSize = cellSize }), results = "id",
      })
      local rng, ids = random.new(12), {}
      for i = 1, 2000 do
        local scale = 10 ^ rng:int(-3, 12)
        if #ids > 100 then
          local at = rng:int(1, #ids)
          world:remove(ids[at])
          ids[at] = ids[#ids]
          ids[#ids] = nil
        end
        ids[#ids + 1] = world:insert(rng:real(-1, 1) * scale, rng:real(-1, 1) * scale,
          rng:unit() * scale + 1e-9, rng:unit() * scale + 1e-9)
        if i % 10 == 0 then
          world:countPairs()
        end
        world:segmentCast(rng:real(-1, 1) * scale, rng:real(-1, 1) * scale,
          rng:real(-1, 1) * scale, rng:real(-1, 1) * scale)
        -- Exactly along the borders of cells, and through their corners
        world:segmentCast(-3 * cellSize, -3 * cellSize, 5 * cellSize, 5 * cellSize)
        world:segmentCast(0, 0, 0, 1e9)
        world:segmentCast(-1e9, cellSize, 1e9, cellSize)
      end
      assert.equal(#ids, world:count())
    end
  end)
end)

describe("a sweep of a box that is many cells wide", function()
  it("ends at once where it has not reached the cells on one axis yet", function()
    local world = broadside.newWorld({ dim = 3, backend = broadside.newGrid({ cellSize = 1 }) })
    local near = world:insert(0, 0, 0, 1, 1, 1)
    world:insert(200000, 200000, 200000, 1, 1, 1)
    local wide = world:insert(-10, 0, 0, 1, 60000, 60000)
    assert.is_nil((world:sweep(wide, 5, 0, 0)))
    local other, t = world:sweep(wide, 20, 0, 0)
    assert.equal(near, other)
    assert.equal(0.45, t)
  end)
end)

describe("the last box of many", function()
  it("is found after it has jumped away and all others were removed", function()
    scene.eachBackend(function(s)
      local all = {}
      for i = 1, 40 do
        all[i] = s:insert({ 10 * i, 0, 5, 5 })
      end
      assert.equal(40, #s:queryRect({ 0, 0, 1000, 10 }))
      s:update(all[1], { 1e6, 1e6 })
      for i = 2, 40 do
        all[i]:remove()
      end
      assert.equal(1, #s:queryRect({ 1e6 + 1, 1e6 + 1, 1, 1 }))
      assert.equal(0, #s:queryRect({ 0, 0, 1000, 10 }))
    end)
  end)
end)
