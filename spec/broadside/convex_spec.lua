-- broadside.convex: cuts polygons of any form into convex ones, which must cover the same points.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local convex = require("broadside.convex")
local effort = require("spec.support.effort")
local polygons = require("spec.support.polygons")
local random = require("spec.support.random")

-- A polygon around 0, 0 that does not intersect itself. Some of its corners point inward.
local function randomStar(rng, isWhole)
  local corners, n = {}, rng:int(3, 24)
  for i = 1, n do
    local angle = 2 * math.pi * (i - 1 + 0.9 * rng:unit()) / n
    local r = rng:int(1, 20) + 0.5
    corners[2 * i - 1], corners[2 * i] = r * math.cos(angle), r * math.sin(angle)
    if isWhole then
      corners[2 * i - 1] = math.floor(4 * corners[2 * i - 1] + 0.5)
      corners[2 * i] = math.floor(4 * corners[2 * i] + 0.5)
    end
  end
  return corners
end

describe("broadside.convex", function()
  it("leaves a convex polygon whole", function()
    local cut = convex.cut({ 0, 0, 9, 0, 9, 9, 0, 9 })
    assert.equal(1, #cut)
    assert.equal(81, polygons.areaOf(cut[1]))
    assert.equal(8, #cut[1])
  end)

  it("cuts an L into two, whichever way round, with corners along its sides", function()
    local L = { 0, 0, 15, 0, 30, 0, 30, 10, 10, 10, 10, 30, 0, 30 }
    local turned = {}
    for i = 1, #L, 2 do
      turned[#L - i], turned[#L - i + 1] = L[i], L[i + 1]
    end
    for _, corners in ipairs({ L, turned }) do
      local cut = convex.cut(corners)
      assert.equal(2, #cut)
      assert.equal(500, polygons.areaOf(cut[1]) + polygons.areaOf(cut[2]))
    end
  end)

  it("cuts what has more corners than a box may have", function()
    local corners = {}
    for i = 1, 40 do
      corners[2 * i - 1] = 100 * math.cos(i * math.pi / 20)
      corners[2 * i] = 100 * math.sin(i * math.pi / 20)
    end
    local cut, area = convex.cut(corners), 0
    assert.is_true(#cut >= 3 and #cut <= 4)
    for _, piece in ipairs(cut) do
      assert.is_true(#piece <= 32)
      area = area + polygons.areaOf(piece)
    end
    assert.near(polygons.areaOf(corners), area, 1e-9)
  end)

  it("gives nothing for what crosses itself or has no area", function()
    assert.is_nil(convex.cut({ 0, 0, 9, 9, 9, 0, 0, 9 }))
    assert.is_nil(convex.cut({ 0, 0, 9, 0, 18, 0 }))
    assert.is_nil(convex.cut({ 0, 0, 9, 0 }))
    assert.is_nil(convex.cut({}))
  end)

  -- Every point inside a piece must be in the polygon. The areas must be equal, so the pieces cover
  -- all of it.
  local function check(rng, corners)
    local cut = convex.cut(corners)
    assert.is_not_nil(cut)
    local world, area = broadside.newWorld(), 0
    for _, piece in ipairs(cut) do
      world:insertPolygon(piece)
      area = area + polygons.areaOf(piece)
    end
    assert.near(polygons.areaOf(corners), area, 1e-9 * area)
    for _ = 1, 30 do
      local x, y = rng:real(-22, 22), rng:real(-22, 22)
      if select(2, world:queryPoint(x, y)) > 0 then
        assert.is_true(polygons.isInside(corners, x, y))
      end
    end
  end

  it("covers what random polygons do", function()
    local rng = random.new(4)
    for _ = 1, compat.rounds(150) do
      check(rng, randomStar(rng, false))
    end
  end)

  it("covers what random polygons of whole numbers do, with corners on their sides", function()
    local rng, cutAll = random.new(5), 0
    for _ = 1, compat.rounds(150) do
      local corners = randomStar(rng, true)
      if convex.cut(corners) then -- after rounding, its sides may intersect
        check(rng, corners)
        cutAll = cutAll + 1
      end
    end
    assert.is_true(cutAll >= compat.rounds(150) / 2)
  end)

  -- Polygons with n corners: a star, a comb, a spiral, a strip with corners along its sides, and
  -- one that intersects itself everywhere.
  local LARGE = {
    star = function(n, i)
      local r, angle = i % 2 == 0 and 10 or 20, 2 * math.pi * i / n
      return r * math.cos(angle), r * math.sin(angle)
    end,
    comb = function(n, i)
      if i > n - 2 then
        return i == n and 0 or 2 * n, -1
      end
      return i + i % 2 * 0.25, math.floor(i / 2) % 2 * 50
    end,
    spiral = function(n, i)
      local turns = i <= n / 2 and i or n + 1 - i
      local r = turns + (i <= n / 2 and 10 or 7)
      return r * math.cos(0.3 * turns), r * math.sin(0.3 * turns)
    end,
    strip = function(n, i) return i <= n / 2 and i or n + 1 - i, i <= n / 2 and 0 or 5 end,
    crossed = function(_, i) return i * i % 7, i * 5 % 11 end,
  }

  for name, corner in pairs(LARGE) do
    it("cuts 500 corners with work for their square at most: a " .. name, function()
      local corners, n = {}, 500
      for i = 1, n do
        corners[2 * i - 1], corners[2 * i] = corner(n, i)
      end
      local pieces = effort.limit(40 * n * n, convex.cut, corners)
      local area = 0
      for _, piece in ipairs(pieces or {}) do
        area = area + polygons.areaOf(piece)
      end
      if name == "crossed" then
        assert.is_nil(pieces)
      else
        assert.near(polygons.areaOf(corners), area, 1e-9 * area)
      end
    end)
  end
end)
