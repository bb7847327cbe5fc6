-- Compares the distances from queryCircle and nearest with plain arithmetic.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local expect = require("spec.support.expect")
local random = require("spec.support.random")

local unpack, values, concat = compat.unpack, compat.values, compat.concat

-- The distance from a point to the box {lo, hi}.
local function toBox(point, lo, hi)
  local square = 0
  for axis, x in ipairs(point) do
    local d = math.max(lo[axis] - x, x - hi[axis], 0)
    square = square + d * d
  end
  return math.sqrt(square)
end

local function toCircle(point, centre, r)
  return math.max(0, toBox(point, centre, centre) - r)
end

-- The distance to a convex polygon with corners in either orientation: 0 inside, otherwise that to
-- its nearest side.
local function toPolygon(point, flat)
  local best, left, right = math.huge, 0, 0
  local x, y, n = point[1], point[2], #flat
  for i = 1, n, 2 do
    local ax, ay = flat[i], flat[i + 1]
    local bx, by = flat[i + 1 < n and i + 2 or 1], flat[i + 1 < n and i + 3 or 2]
    local dx, dy = bx - ax, by - ay
    local t = ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)
    t = math.max(0, math.min(1, t))
    best = math.min(best, toBox(point, { ax + t * dx, ay + t * dy }, { ax + t * dx, ay + t * dy }))
    local side = dx * (y - ay) - dy * (x - ax)
    left, right = left + (side > 0 and 1 or 0), right + (side < 0 and 1 or 0)
  end
  return (left == 0 or right == 0) and 0 or best
end

local function place(rng, dim)
  local p = {}
  for axis = 1, dim do
    p[axis] = rng:real(-20, 20)
  end
  return p
end

-- A random world with all shapes; `far[id]` returns the distance from a point.
local function newScene(seed, dim)
  local rng = random.new(seed)
  local world = broadside.newWorld({ dim = dim, results = "id",
    backend = rng:pick({ "brute", "sweep", "grid", "tree", "auto" }) })
  local far = {}
  for i = 1, 40 do
    local p, hi = place(rng, dim), {}
    if i % 3 == 0 then
      local r = rng:real(0.5, 3)
      far[world:insertCircle(values(p, r))] = function(from) return toCircle(from, p, r) end
    elseif i % 3 == 1 and dim == 2 then
      local x, y, s = p[1], p[2], rng:real(1, 4)
      local flat = { x, y, x + s, y + 1, x + s / 2, y + s, x - 0.5, y + s / 2 }
      far[world:insertPolygon(flat)] = function(from) return toPolygon(from, flat) end
    else
      local size = {}
      for axis = 1, dim do
        size[axis] = rng:real(0.5, 4)
        hi[axis] = p[axis] + size[axis]
      end
      far[world:insert(values(concat(p, size)))] = function(from) return toBox(from, p, hi) end
    end
  end
  return world, far, rng
end

local function near(a, b)
  return math.abs(a - b) <= 1e-12 * math.max(1, math.abs(b)) * 40
end

for dim = 2, 3 do
  describe(("distances in %dD"):format(dim), function()
    it("are those of plain arithmetic, in the order of the boxes", function()
      local out, distances = {}, {}
      for _, seed in ipairs(random.seeds(60)) do
        local world, far, rng = newScene(seed, dim)
        local p, r = place(rng, dim), rng:real(0, 25)
        local got, n = world:queryCircle(values(p, r, nil, out, distances))
        assert.equal(out, got)
        assert.equal(n, #distances)
        for i = 1, n do
          assert.is_true(near(distances[i], far[out[i]](p)) and distances[i] <= r)
        end
        local _, k = world:nearest(values(p, 12, nil, r, out, distances))
        assert.equal(k, #distances)
        for i = 1, k do
          assert.is_true(near(distances[i], far[out[i]](p)) and distances[i] <= r)
          assert.is_true(i == 1 or distances[i - 1] <= distances[i])
        end
      end
    end)

    it("are those of what a filter function accepts", function()
      for _, seed in ipairs(random.seeds(10)) do
        local world, far, rng = newScene(seed, dim)
        local p = place(rng, dim)
        local function even(box)
          return box % 2 == 0
        end
        for _, name in ipairs({ "queryCircle", "nearest" }) do
          local args = name == "queryCircle" and concat(p, { 99, even })
            or concat(p, { 30, even, math.huge })
          local distances = {}
          args[#args + 2] = distances
          local out, n = world[name](world, unpack(args, 1, dim + (name == "nearest" and 5 or 4)))
          assert.is_true(n > 5 and n == #distances and n == #out)
          for i = 1, n do
            assert.is_true(out[i] % 2 == 0 and near(distances[i], far[out[i]](p)))
          end
        end
      end
    end)

    it("are exact where they are whole, and at any scale", function()
      for _, scale in ipairs({ 1, 2 ^ 600, 2 ^ -600, 2 ^ 1000, 2 ^ -1000 }) do
        local world = broadside.newWorld({ dim = dim })
        local lo, size = { 3 * scale, 4 * scale, 0 }, { scale, scale, scale }
        world:insert(values(concat({ unpack(lo, 1, dim) }, { unpack(size, 1, dim) })))
        local centre = { -5 * scale, -12 * scale, scale / 2 }
        world:insertCircle(values({ unpack(centre, 1, dim) }, scale))
        local _, distances = {}, {}
        world:nearest(values(dim == 2 and { 0, 0 } or { 0, 0, scale / 2 }, 5, nil, nil, nil,
          distances))
        assert.same({ 5 * scale, 12 * scale }, distances)
        world:nearest(values({ unpack(centre, 1, dim) }, 1, nil, nil, nil, distances))
        assert.same({ 0 }, distances)
      end
    end)
  end)
end

describe("the table for distances", function()
  it("is cleared behind the end, and is another one than that for boxes", function()
    local world = broadside.newWorld()
    local box = world:insert(0, 0, 1, 1)
    local distances = { 9, 9, 9 }
    local out, n = world:queryCircle(4, 0.5, 5, nil, nil, distances)
    assert.same({ { box }, 1, { 3 } }, { { out[1] }, n, distances })
    for i, name in ipairs({ "queryCircle", "nearest" }) do
      local args = i == 1 and { 4, 0, 5, nil, out, out } or { 4, 0, 1, nil, nil, out, out }
      expect.message(("bad argument #%d to '%s' (another table than out expected)"):format(5 + i,
        name), world[name], world, unpack(args, 1, 5 + i))
      assert.equal(box, out[1])
    end
    world:nearest(50, 50, 5, nil, 1, nil, distances)
    assert.same({}, distances)
  end)
end)
