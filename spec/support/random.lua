-- Random numbers that are the same on every Lua, and the kinds of coordinates of random worlds.

local compat = require("spec.support.compat")

local random = {}

-- Two multiplicative generators combined (L'Ecuyer 1988), in plain doubles.
local Random = {}
Random.__index = Random

local MODULUS_A, MODULUS_B = 2147483563.0, 2147483399.0

function random.new(seed)
  local rng = setmetatable({
    a = (seed * 48271) % (MODULUS_A - 1) + 1.0,
    b = (seed * 69621 + 12345) % (MODULUS_B - 1) + 1.0,
  }, Random)
  for _ = 1, 8 do
    rng:draw()
  end
  return rng
end

function Random:draw()
  self.a = (self.a * 40014) % MODULUS_A
  self.b = (self.b * 40692) % MODULUS_B
  return (self.a - self.b) % (MODULUS_A - 1)
end

-- A double in [0, 1) with all of its digits.
function Random:unit()
  return (self:draw() + self:draw() / MODULUS_A) / MODULUS_A
end

-- A double in [lo, hi).
function Random:real(lo, hi)
  return lo + (hi - lo) * self:unit()
end

-- A whole number in [lo, hi], as a float.
function Random:int(lo, hi)
  return lo + math.floor(self:unit() * (hi - lo + 1)) + 0.0
end

function Random:chance(probability)
  return self:unit() < probability
end

function Random:pick(list)
  return list[1 + math.floor(self:unit() * #list)]
end

-- A value by weight, from a list of { weight, value }.
function Random:weighted(list)
  local total = 0
  for _, entry in ipairs(list) do
    total = total + entry[1]
  end
  local at = self:unit() * total
  for _, entry in ipairs(list) do
    at = at - entry[1]
    if at < 0 then
      return entry[2]
    end
  end
  return list[#list][2]
end

-- Kinds of coordinates ------------------------------------------------------------------------
-- make(rng) returns coord(axis) and size(axis), which make the numbers of one world.

random.kinds = {}

local function kind(name, make)
  random.kinds[#random.kinds + 1] = { name = name, make = make }
end

kind("small integers that tie", function(rng)
  return function()
    return rng:int(-6, 6)
  end, function() return rng:int(1, 4) end
end)

kind("halves", function(rng)
  return function()
    return rng:int(-40, 40) / 2
  end, function() return rng:int(1, 20) / 2 end
end)

kind("touching tiles", function(rng)
  return function()
    return rng:int(0, 7) * 16
  end, function() return 16.0 end
end)

kind("any doubles", function(rng)
  return function()
    return rng:real(-100, 100)
  end, function() return rng:real(1, 30) end
end)

-- Neighbours are the same float32 here.
kind("far away", function(rng)
  local base = rng:pick({ 1e9, -1e9, 16777216, -33554432, 1e6 + 0.1 })
  local unit = rng:pick({ 1, 0.37 })
  return function()
    return base + rng:int(-6, 6) * unit
  end, function() return rng:int(1, 4) * unit end
end)

-- Gaps and overlaps of a single unit in the last place.
kind("one ulp apart", function(rng)
  local ulp = 2 ^ -43
  return function()
    return 1000 + rng:int(0, 1) + rng:int(-2, 2) * ulp
  end, function() return 1 + rng:int(-1, 1) * ulp end
end)

local TINY = { 1e-9, 1e-30, 1e-40, 1e-45, 1e-150, 1e-300, compat.minDouble }

kind("tiny", function(rng)
  local scale = rng:pick(TINY)
  local function unit()
    return rng:chance(0.8) and scale or rng:pick(TINY)
  end
  return function()
    return rng:int(-6, 6) * unit()
  end, function() return rng:int(1, 4) * unit() end
end)

kind("sizes 1 to 300", function(rng)
  return function()
    return rng:real(-500, 500)
  end, function() return math.exp(rng:real(0, math.log(300))) end
end)

kind("all in the same place", function(rng)
  local x, w = rng:real(-50, 50), rng:real(1, 5)
  return function()
    return rng:chance(0.9) and x or x + rng:int(-2, 2)
  end, function() return w end
end)

-- Boxes share a coordinate on one axis.
local function sharedAxis(shared)
  return function(rng)
    local x = rng:int(-100, 100)
    return function(axis)
      return axis == shared and x or rng:int(0, 300)
    end, function() return rng:int(5, 30) end
  end
end

kind("same x", sharedAxis(1))
kind("same y", sharedAxis(2))

kind("huge", function(rng)
  local function scale()
    return rng:pick({ 1, 1e19, 1e19, 1e38, 1e300, 1e307 })
  end
  return function()
    return rng:chance(0.05) and rng:pick({ -1.7e308, 1.7e308, compat.maxDouble, -compat.maxDouble })
      or rng:int(-6, 6) * scale()
  end, function() return rng:int(1, 4) * scale() end
end)

kind("a mixture", function(rng)
  local coords, sizes = {}, {}
  for i = 1, #random.kinds - 1 do
    coords[i], sizes[i] = random.kinds[i].make(rng)
  end
  local favourite = rng:int(1, #coords)
  local function any()
    return rng:chance(0.7) and favourite or rng:int(1, #coords)
  end
  return function(axis)
    return coords[any()](axis)
  end, function(axis) return sizes[any()](axis) end
end)

-- A place and a size of a kind such that the far corner is finite.
function random.rect(coord, size, dim)
  while true do
    local lo, extent, finite = {}, {}, true
    for axis = 1, dim do
      lo[axis], extent[axis] = coord(axis), size(axis)
      finite = finite and compat.isFinite(lo[axis] + extent[axis])
    end
    if finite then
      return lo, extent
    end
  end
end

-- The corners of a convex polygon around a place: up to 16 points of an ellipse, in either winding
-- order.
function random.polygon(rng, x, y, rx, ry, corners)
  local n = corners or rng:pick({ 3, 3, 4, 4, 5, 6, 8, 12, 16 })
  local first, turn, flat = rng:real(0, 2 * math.pi), rng:pick({ -1, 1 }), {}
  for i = 0, n - 1 do
    -- Each corner is in a sector of its own, and so far from the others that no three are on a
    -- line.
    local angle = first + turn * 2 * math.pi * (i + rng:real(0, 0.7)) / n
    flat[#flat + 1] = x + rx * math.cos(angle)
    flat[#flat + 1] = y + ry * math.sin(angle)
  end
  return flat
end

-- The seeds of a loop. BROADSIDE_SEED moves the first one. LuaJIT has other seeds than Lua, so the
-- two together test twice as many worlds.
function random.seeds(count)
  local first = tonumber(os.getenv("BROADSIDE_SEED") or "1") or 1
  first = compat.isLuaJIT and first + 1000000 or first
  local list = {}
  for i = 1, compat.rounds(count) do
    list[i] = first + i - 1
  end
  return list
end

return random
