-- The module's plain functions: overlap, sweep, segment, separation, reflect, bounds, transform.
-- Each also exists with a 3 at its end, for 3D.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local expect = require("spec.support.expect")
local oracle = require("spec.support.oracle")
local plane = require("spec.support.plane")
local random = require("spec.support.random")

local unpack = compat.unpack
local vector, rect = plane.vector, plane.rect

local suffix = { [2] = "", [3] = "3" }

-- Calls the function of that name for that number of axes; its arguments are the items of the
-- lists.
local function call(name, dim, ...)
  local args = {}
  for _, list in ipairs({ ... }) do
    args = compat.concat(args, list)
  end
  return broadside[name .. suffix[dim]](unpack(args))
end

for dim = 2, 3 do
  local function R(...)
    return rect(dim, ...)
  end
  local function V(...)
    return vector(dim, ...)
  end

  describe(("overlap in %dD"):format(dim), function()
    it("is true where interiors meet", function()
      assert.is_true(call("overlap", dim, R(0, 0, 2, 2), R(1, 1, 2, 2)))
      assert.is_true(call("overlap", dim, R(0, 0, 9, 9), R(4, 4, 1, 1)))
      assert.is_true(call("overlap", dim, R(4, 4, 1, 1), R(0, 0, 9, 9)))
      assert.is_true(call("overlap", dim, R(0, 0, 1, 1), R(0, 0, 1, 1)))
    end)

    it("is false where boxes only touch", function()
      assert.is_false(call("overlap", dim, R(0, 0, 2, 2), R(2, 0, 2, 2)))
      assert.is_false(call("overlap", dim, R(0, 0, 2, 2), R(0, 2, 2, 2)))
      assert.is_false(call("overlap", dim, R(0, 0, 2, 2), R(2, 2, 2, 2)))
      assert.is_false(call("overlap", dim, R(0, 0, 2, 2), R(-2, -2, 2, 2)))
    end)

    it("is false where they are apart on any one axis", function()
      assert.is_false(call("overlap", dim, R(0, 0, 2, 2), R(5, 0, 2, 2)))
      assert.is_false(call("overlap", dim, R(0, 0, 2, 2), R(0, 5, 2, 2)))
    end)

    it("rounds x + w once, as doubles do", function()
      -- 0.1 + 0.2 is a little more than 0.3.
      assert.is_true(call("overlap", dim, R(0.1, 0, 0.2, 1), R(0.3, 0, 1, 1)))
      -- 1e16 + 1 is rounded to 1e16, so the box has no interior that could overlap the other.
      assert.is_false(call("overlap", dim, R(1e16, 0, 1, 1), R(1e16, 0, 2, 1)))
    end)
  end)

  describe(("sweep in %dD"):format(dim), function()
    local still = V(0, 0)

    local function sweep(a, va, b, vb)
      return { call("sweep", dim, a, va, b, vb or still) }
    end

    it("gives the time and the normal against the motion", function()
      assert.same({ 0.75, unpack(V(-1, 0)) }, sweep(R(0, 0, 2, 2), V(4, 0), R(5, 0, 2, 2)))
      assert.same({ 0.75, unpack(V(1, 0)) }, sweep(R(5, 0, 2, 2), V(-4, 0), R(0, 0, 2, 2)))
      assert.same({ 0.75, unpack(V(0, -1)) }, sweep(R(0, 0, 2, 2), V(0, 4), R(0, 5, 2, 2)))
      assert.same({ 0.75, unpack(V(0, 1)) }, sweep(R(0, 5, 2, 2), V(0, -4), R(0, 0, 2, 2)))
    end)

    it("lets both boxes move", function()
      local expected = { 0.75, unpack(V(-1, 0)) }
      assert.same(expected, sweep(R(0, 0, 2, 2), V(2, 5), R(5, 0, 2, 2), V(-2, 5)))
      assert.same(expected, sweep(R(0, 0, 2, 2), V(0, 0), R(5, 0, 2, 2), V(-4, 0)))
      assert.same({}, sweep(R(0, 0, 2, 2), V(9, 9), R(5, 0, 2, 2), V(9, 9)))
    end)

    it("gives nil where nothing is hit in time", function()
      assert.same({}, sweep(R(0, 0, 2, 2), V(2, 0), R(5, 0, 2, 2)))
      assert.same({}, sweep(R(0, 0, 2, 2), V(3, 0), R(5, 0, 2, 2)))
      assert.same({}, sweep(R(0, 0, 2, 2), V(-9, 0), R(5, 0, 2, 2)))
      assert.same({}, sweep(R(0, 0, 2, 2), V(9, 0), R(5, 2, 2, 2)))
      assert.is_nil((call("sweep", dim, R(0, 0, 2, 2), V(2, 0), R(5, 0, 2, 2), V(0, 0))))
    end)

    it("with velocities whose difference is beyond the doubles", function()
      local fast, wall = 1.7e308, R(1e308, 0, 1e307, 1)
      local t, nx = unpack(sweep(R(0, 0, 1, 1), V(fast, 0), wall, V(-fast, 0)))
      assert.equal(1e308 / 2 / fast, t)
      assert.equal(-1, nx)
      -- They meet along y after they part along x. Halves of these numbers would be rounded.
      local least = 2 ^ -1074
      wall = R(1e307, least, 1e307, 1)
      assert.same({}, sweep(R(0, -1, 1, 1), V(fast, 3 * least), wall, V(-fast, 0)))
    end)

    it("starts inside at 0 with no normal", function()
      local expected = { 0, unpack(V(0, 0)) }
      assert.same(expected, sweep(R(0, 0, 2, 2), V(4, 0), R(1, 1, 2, 2)))
      assert.same(expected, sweep(R(0, 0, 2, 2), V(-4, 3), R(1, 1, 2, 2)))
      assert.same(expected, sweep(R(0, 0, 2, 2), V(0, 0), R(1, 1, 2, 2)))
    end)

    it("hits what it touches only when it moves inward", function()
      assert.same({ 0, unpack(V(-1, 0)) }, sweep(R(0, 0, 2, 2), V(1, 0), R(2, 0, 2, 2)))
      assert.same({}, sweep(R(0, 0, 2, 2), V(-1, 0), R(2, 0, 2, 2)))
      assert.same({}, sweep(R(0, 0, 2, 2), V(0, 1), R(2, 0, 2, 2)))
      assert.same({}, sweep(R(0, 0, 2, 2), V(0, 0), R(2, 0, 2, 2)))
    end)

    it("gives the lower axis where two are entered at once", function()
      assert.same({ 0.25, unpack(V(-1, 0)) }, sweep(R(0, 0, 1, 1), V(4, 4), R(2, 2, 1, 1)))
    end)

    it("takes speeds from denormal to huge", function()
      local least = compat.minDouble
      assert.same({ 0, unpack(V(-1, 0)) }, sweep(R(0, 0, 2, 2), V(least, 0), R(2, 0, 2, 2)))
      assert.same({}, sweep(R(0, 0, 2, 2), V(-least, 0), R(2, 0, 2, 2)))
      assert.same({}, sweep(R(0, 0, 2, 2), V(least, 0), R(5, 0, 2, 2)))
      assert.same({ 3 / 1e300, unpack(V(-1, 0)) },
        sweep(R(0, 0, 2, 2), V(1e300, 0), R(5, 0, 2, 2)))
      assert.same({ 0.5, unpack(V(-1, 0)) },
        sweep(R(0, 0, least, 1), V(4 * least, 0), R(3 * least, 0, least, 1)))
    end)

    it("answers with a time between 0 and 1, or nil, when even the relative speed is infinite",
      function()
        local most = compat.maxDouble
        for _, b in ipairs({ R(5, 0, 2, 2), R(2, 0, 2, 2), R(1, 1, 2, 2), R(-1e308, 0, 1, 2) }) do
          local t = sweep(R(0, 0, 2, 2), V(most, 0), b, V(-most, 0))[1]
          assert.is_true(t == nil or t >= 0 and t <= 1, tostring(t))
        end
      end)
  end)

  describe(("segment in %dD"):format(dim), function()
    local function segment(from, to, box)
      return { call("segment", dim, from, to, box) }
    end

    it("gives the time and the normal of the entry", function()
      assert.same({ 0.5, unpack(V(-1, 0)) }, segment(V(0, 1), V(8, 1), R(4, 0, 2, 2)))
      assert.same({ 0.25, unpack(V(1, 0)) }, segment(V(8, 1), V(0, 1), R(4, 0, 2, 2)))
      assert.same({ 0.5, unpack(V(0, -1)) }, segment(V(1, 0), V(1, 8), R(0, 4, 2, 2)))
    end)

    it("starts inside at 0 with no normal", function()
      assert.same({ 0, unpack(V(0, 0)) }, segment(V(5, 1), V(8, 1), R(4, 0, 2, 2)))
      assert.same({ 0, unpack(V(0, 0)) }, segment(V(5, 1), V(5, 1), R(4, 0, 2, 2)))
    end)

    it("does not hit what it grazes", function()
      assert.same({}, segment(V(0, 0), V(8, 0), R(4, 0, 2, 2)))
      assert.same({}, segment(V(0, 2), V(8, 2), R(4, 0, 2, 2)))
      assert.same({}, segment(V(2, 0), V(4, 2), R(2, 2, 2, 2)))
      assert.same({}, segment(V(4, 1), V(4, 1), R(4, 0, 2, 2)))
      assert.same({}, segment(V(4, -1), V(4, 9), R(4, 0, 2, 2)))
    end)

    it("does not hit what it only reaches", function()
      assert.same({}, segment(V(0, 1), V(4, 1), R(4, 0, 2, 2)))
    end)
  end)

  describe(("separation in %dD"):format(dim), function()
    local function separation(a, b)
      return { call("separation", dim, a, b) }
    end

    it("is the least push that parts the first from the second", function()
      assert.same(V(-1, 0), separation(R(0, 0, 4, 4), R(3, 0, 4, 4)))
      assert.same(V(1, 0), separation(R(3, 0, 4, 4), R(0, 0, 4, 4)))
      assert.same(V(0, -2), separation(R(0, 0, 9, 4), R(3, 2, 9, 9)))
      assert.same(V(0, 2), separation(R(3, 2, 9, 9), R(0, 0, 9, 4)))
    end)

    it("is nil where they do not overlap", function()
      assert.same({}, separation(R(0, 0, 4, 4), R(4, 0, 4, 4)))
      assert.same({}, separation(R(0, 0, 4, 4), R(9, 9, 4, 4)))
    end)

    it("goes all the way out of what surrounds it", function()
      assert.same(V(-3, 0), separation(R(2, 4, 1, 1), R(0, 0, 9, 9)))
    end)

    it("takes the lower axis and the negative direction in a tie", function()
      assert.same(V(-1, 0), separation(R(0, 0, 4, 4), R(3, 3, 4, 4)))
      assert.same(V(1, 0), separation(R(3, 3, 4, 4), R(0, 0, 4, 4)))
      assert.same(V(-2, 0), separation(R(0, 0, 2, 2), R(0, 0, 2, 2)))
    end)
  end)

  describe(("reflect in %dD"):format(dim), function()
    it("turns a direction round at a wall", function()
      assert.same(V(-3, 4), { call("reflect", dim, V(3, 4), V(-1, 0)) })
      assert.same(V(3, -4), { call("reflect", dim, V(3, 4), V(0, 1)) })
      assert.same(V(3, 4), { call("reflect", dim, V(3, 4), V(0, 0)) })
    end)

    it("keeps the length about a slanted normal", function()
      local s = math.sqrt(0.5)
      expect.allNear(V(-4, -3), { call("reflect", dim, V(3, 4), V(s, s)) })
    end)
  end)

  describe(("bounds in %dD"):format(dim), function()
    local function flat(...)
      local list = {}
      for _, p in ipairs({ ... }) do
        list = compat.concat(list, V(unpack(p)))
      end
      return list
    end

    it("is the box around the points", function()
      local got = { call("bounds", dim, { flat({ 3, 1 }, { -2, 4 }, { 0, 9 }) }) }
      assert.same(dim == 2 and { -2, 1, 5, 8 } or { -2, 1, 0, 5, 8, 0 }, got)
    end)

    it("has no size around one point", function()
      local got = { call("bounds", dim, { flat({ 3, 1 }) }) }
      assert.same(dim == 2 and { 3, 1, 0, 0 } or { 3, 1, 0, 0, 0, 0 }, got)
    end)

    it("does not depend on the order of the points", function()
      local forth = { call("bounds", dim, { flat({ 3, 1 }, { -2, 4 }, { 0, 9 }) }) }
      local back = { call("bounds", dim, { flat({ 0, 9 }, { -2, 4 }, { 3, 1 }) }) }
      assert.same(forth, back)
    end)
  end)

  describe(("the plain functions in %dD"):format(dim), function()
    -- Calls case for many pairs of boxes with each kind of random numbers.
    local function eachCase(case)
      for _, kind in ipairs(random.kinds) do
        local rng = random.new(dim)
        local coord, size = kind.make(rng)
        for i = 1, compat.rounds(300) do
          local a = oracle.shape(random.rect(coord, size, dim))
          local b = oracle.shape(random.rect(coord, size, dim))
          local message = ("kind '%s', case %d"):format(kind.name, i)
          case(oracle.toFlat(a), oracle.toFlat(b), a, b, rng, message)
        end
      end
    end

    it("agree with the oracle on overlap and separation", function()
      eachCase(function(flatA, flatB, a, b, _, message)
        assert.equal(oracle.overlap(a, b), call("overlap", dim, flatA, flatB), message)
        local push = oracle.separation(a, b)
        assert.same(push or {}, { call("separation", dim, flatA, flatB) }, message)
      end)
    end)

    it("agree with the oracle on sweeps and segments", function()
      eachCase(function(flatA, flatB, a, b, rng, message)
        local v, still = {}, {}
        for i = 1, dim do
          v[i] = rng:pick({ b.lo[i] - a.hi[i], b.hi[i] - a.lo[i], 0 }) * rng:pick({ 0.5, 1, 2 })
          if not compat.isFinite(v[i]) then
            v[i] = 1.0
          end
          still[i] = 0
        end
        local t, normal = oracle.sweep(a, v, b)
        assert.same(t and { t, unpack(normal) } or {},
          { call("sweep", dim, flatA, v, flatB, still) }, message)
        local to = {}
        for i = 1, dim do
          to[i] = compat.isFinite(b.hi[i] - a.lo[i]) and b.hi[i] or a.lo[i]
        end
        t, normal = oracle.segment(a.lo, to, b)
        assert.same(t and { t, unpack(normal) } or {},
          { call("segment", dim, a.lo, to, flatB) }, message)
      end)
    end)

    it("agree with the oracle on reflections", function()
      eachCase(function(_, _, a, _, rng, message)
        local normal = V(rng:pick({ -1, 0, 1 }), 0)
        for i = 1, dim do
          if not compat.isFinite(a.lo[i] * 4) then
            return
          end
        end
        assert.same(oracle.reflect(a.lo, normal), { call("reflect", dim, a.lo, normal) }, message)
      end)
    end)
  end)
end

describe("transform", function()
  local function transform(...)
    return { broadside.transform(...) }
  end

  it("moves", function()
    assert.same({ 11, 22, 3, 4 }, transform(1, 2, 3, 4, 10, 20))
  end)

  it("scales about the origin before it moves", function()
    assert.same({ 12, 26, 6, 12 }, transform(1, 2, 3, 4, 10, 20, 0, 2, 3))
  end)

  it("mirrors with a negative scale", function()
    assert.same({ 6, 22, 3, 4 }, transform(1, 2, 3, 4, 10, 20, 0, -1, 1))
  end)

  it("turns about the origin after it scales", function()
    expect.allNear({ 4, 21, 6, 3 }, transform(1, 2, 3, 3, 14, 20, math.pi / 2, 1, 2))
  end)

  it("gives the box around a turned box", function()
    local s = math.sqrt(2)
    expect.allNear({ -s, -s, 2 * s, 2 * s }, transform(-1, -1, 2, 2, 0, 0, math.pi / 4))
    expect.allNear({ 10 - s, 20 - s, 2 * s, 2 * s }, transform(-1, -1, 2, 2, 10, 20, -math.pi / 4))
  end)
end)

describe("transform3", function()
  local function transform3(...)
    return { broadside.transform3(...) }
  end

  local half = math.sqrt(0.5)

  it("moves", function()
    assert.same({ 11, 22, 33, 4, 5, 6 }, transform3(1, 2, 3, 4, 5, 6, 10, 20, 30))
  end)

  it("scales about the origin before it moves", function()
    assert.same({ 12, 26, 42, 8, 15, 24 },
      transform3(1, 2, 3, 4, 5, 6, 10, 20, 30, 0, 0, 0, 1, 2, 3, 4))
  end)

  it("turns by a unit quaternion about each axis", function()
    -- A quarter turn about z takes x to y, one about x takes y to z, and one about y takes z to x.
    expect.allNear({ -7, 1, 3, 5, 4, 6 }, transform3(1, 2, 3, 4, 5, 6, 0, 0, 0, 0, 0, half, half))
    expect.allNear({ 1, -9, 2, 4, 6, 5 }, transform3(1, 2, 3, 4, 5, 6, 0, 0, 0, half, 0, 0, half))
    expect.allNear({ 3, 2, -5, 6, 5, 4 }, transform3(1, 2, 3, 4, 5, 6, 0, 0, 0, 0, half, 0, half))
  end)
end)
