-- Worlds of thousands of boxes, in which back ends split, rebuild and grow: all must answer as
-- `brute` does.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local random = require("spec.support.random")

local concat, unpack, values = compat.concat, compat.unpack, compat.values

local NAMES = { "brute", "sweep", "grid", "tree", "auto" }

-- Flat rects of boxes of 5 to 30 (and a few of 300) in random places in a square or cube with that
-- side.
local function scatter(rng, count, dim, side)
  local flat = {}
  for _ = 1, count do
    for _ = 1, dim do
      flat[#flat + 1] = rng:real(-side / 2, side / 2)
    end
    for _ = 1, dim do
      flat[#flat + 1] = rng:chance(0.01) and rng:real(100, 300) or rng:real(5, 30)
    end
  end
  return flat
end

-- Worlds on all back ends with the same boxes, which have the same ids: { dim =, rng =, ids =,
-- side =, world, ... }.
local Worlds = {}
Worlds.__index = Worlds

local function newWorlds(dim, side)
  local self = setmetatable({ dim = dim, side = side, rng = random.new(dim), ids = {} }, Worlds)
  for i, name in ipairs(NAMES) do
    self[i] = broadside.newWorld({ backend = name, dim = dim, results = "id" })
  end
  return self
end

function Worlds:insert(count, opts)
  local flat, first = scatter(self.rng, count, self.dim, self.side), nil
  for _, world in ipairs(self) do
    local ids = world:insertMany(flat, opts)
    first = first or ids
    assert.same(first, ids)
  end
  self.ids = concat(self.ids, first)
end

-- Moves a share of the boxes, all at once or one by one, with questions in between.
function Worlds:move(share, isSingle)
  local ids, flat = {}, {}
  for _, id in ipairs(self.ids) do
    if self.rng:chance(share) then
      ids[#ids + 1] = id
      for _ = 1, self.dim do
        flat[#flat + 1] = self.rng:real(-self.side / 2, self.side / 2)
      end
    end
  end
  for i, id in ipairs(isSingle and ids or {}) do
    for _, world in ipairs(self) do
      world:update(id, unpack(flat, self.dim * (i - 1) + 1, self.dim * i))
    end
    self:check()
  end
  for _, world in ipairs(isSingle and {} or self) do
    world:updateMany(ids, flat)
  end
end

function Worlds:remove(share)
  for i = #self.ids, 1, -1 do
    if self.rng:chance(share) then
      local id = table.remove(self.ids, i)
      for _, world in ipairs(self) do
        world:remove(id)
      end
    end
  end
end

-- Gives all but `brute` another back end.
function Worlds:swap()
  for i = 2, #self do
    self[i]:setBackend(NAMES[self.rng:int(2, #NAMES)])
  end
end

-- Asks all worlds the same questions.
function Worlds:check()
  local p, q, size, expected = {}, {}, {}, nil
  for axis = 1, self.dim do
    p[axis], q[axis] = self.rng:real(-self.side / 2, self.side / 2), self.rng:real(-300, 300)
    size[axis] = self.rng:real(0, 100)
  end
  for i, world in ipairs(self) do
    local got = { (world:queryRect(unpack(concat(p, size)))), (world:nearest(values(p, 5))),
      (world:querySegment(unpack(concat(p, q)))), { world:segmentCast(unpack(concat(p, q))) },
      { world:sweepRect(unpack(concat(concat(p, size), q))) } }
    expected = expected or got
    assert.same(expected, got, NAMES[i])
  end
end

-- The pairs as numbers that are made from the boxes' places in the list, sorted.
function Worlds:pairKeys(world)
  local place, keys = {}, {}
  for i, id in ipairs(self.ids) do
    place[id] = i
  end
  local out, n = world:collectPairs()
  for i = 1, n do
    local a, b = place[out[2 * i - 1]], place[out[2 * i]]
    assert(a < b, "the box inserted first comes first")
    keys[i] = a * #self.ids + b
  end
  table.sort(keys)
  return keys
end

function Worlds:checkPairs()
  local expected
  for number, world in ipairs(self) do
    local got = self:pairKeys(world)
    expected = expected or got
    assert.equal(#expected, #got, NAMES[number])
    for i = 1, #expected do
      if expected[i] ~= got[i] then
        error(("pair %d of %s differs from brute"):format(i, NAMES[number]))
      end
    end
  end
  return #expected
end

for dim = 2, 3 do
  local side = dim == 2 and 1400 or 220

  describe(("large worlds in %dD"):format(dim), function()
    it("stay right while they grow, move, shrink, and change their back ends", function()
      local worlds = newWorlds(dim, side)
      for round = 1, 4 do
        worlds:insert(compat.share(1200), { static = round == 2 })
        worlds:checkPairs()
        worlds:move(0.5)
        worlds:check()
        worlds:move(0.02, true)
        worlds:checkPairs()
        worlds:remove(0.3)
        worlds:checkPairs()
        worlds:swap()
        worlds:check()
      end
      for share = 0.5, 1, 0.25 do
        worlds:remove(share)
        worlds:checkPairs()
        worlds:check()
      end
      assert.equal(0, #worlds.ids)
    end)

    it("stay right when some dozens of boxes change at a time", function()
      local worlds = newWorlds(dim, side / 2)
      worlds:insert(1100)
      worlds:insert(200, { static = true })
      for _ = 1, compat.share(8) do
        worlds:checkPairs()
        worlds:move(0.02)
        worlds:remove(0.002)
        worlds:insert(3)
      end
    end)

    it("have the same pairs with so many boxes that memory is prefetched (FAR in build.c)",
      function()
        local worlds = newWorlds(dim, dim == 2 and 3600 or 560)
        worlds:insert(17000)
        assert.is_true(worlds:checkPairs() > 1000)
        worlds:move(1)
        assert.is_true(worlds:checkPairs() > 1000)
      end)
  end)
end

describe("the worst cases", function()
  -- Their numbers of pairs are known.
  local function crowd(name, count, dim, placeOf)
    local world = broadside.newWorld({ backend = name, dim = dim })
    local size = dim == 2 and { 10, 10 } or { 10, 10, 10 }
    for i = 1, count do
      world:insert(values(compat.concat(placeOf(i), size)))
    end
    return world:countPairs()
  end

  for _, name in ipairs(NAMES) do
    it("count every pair of a crowd: " .. name, function()
      local n = 1024
      assert.equal(n * (n - 1) / 2, crowd(name, n, 2, function() return { 100, 100 } end))
      assert.equal(2 * (n / 2) * (n / 2 - 1) / 2, crowd(name, n, 2, function(i)
        return { i % 2 * 100, 7 }
      end))
      -- A row of boxes of 10 whose starts are 5 apart, so each only overlaps the next one.
      assert.equal(n - 1, crowd(name, n, 2, function(i) return { 5 * i, 3 } end))
      assert.equal(n - 1, crowd(name, n, 2, function(i) return { 3, 5 * i } end))
      assert.equal(n - 1, crowd(name, n, 3, function(i) return { 3, 3, 5 * i } end))
    end)
  end
end)
