-- Worlds of thousands of boxes, in which back ends split, rebuild and grow.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local lockstep = require("spec.support.lockstep")
local random = require("spec.support.random")
local walk = require("spec.support.walk")

local values = compat.values

local function rectsOf(ls, count)
  local rects = {}
  for i = 1, count do
    local lo, size = random.rect(ls.coord, ls.size, ls.dim)
    rects[i] = { lo, size }
  end
  return rects
end

-- Makes boxes of 5 to 30 (and a few of 300) in random places in a square or cube with that side.
local function scattered(side)
  return {
    name = "scattered over " .. side,
    make = function(rng)
      return function()
        return rng:real(-side / 2, side / 2)
      end, function()
        return rng:chance(0.01) and rng:real(100, 300) or rng:real(5, 30)
      end
    end,
  }
end

local function moveSome(ls, share)
  local boxes, places = {}, {}
  for _, box in ipairs(ls.truth.boxes) do
    if ls.rng:chance(share) then
      local place = {}
      for axis = 1, ls.dim do
        place[axis] = box.lo[axis] + ls.rng:real(-40, 40)
      end
      boxes[#boxes + 1], places[#places + 1] = box, place
    end
  end
  ls:updateMany(boxes, places)
end

local function singleUpdates(ls, count)
  for _ = 1, count do
    local box = ls:anyBox()
    ls:update(box, (random.rect(ls.coord, ls.size, ls.dim)))
    ls:checkQueryBox(box)
    ls:checkSegmentCast(walk.segment(ls))
  end
end

-- Changes something about a single box that the list of pairs depends on.
local function changeOne(ls)
  local what = ls.rng:int(1, 10)
  local box = ls:anyBox()
  if what == 1 then
    ls:remove(box)
  elseif what == 2 then
    ls:insert(random.rect(ls.coord, ls.size, ls.dim))
  elseif what == 3 then
    ls:setStatic(box, ls.rng:chance(0.5))
  elseif what == 4 then
    ls:setFilter(box, ls.rng:int(1, 3), ls.rng:int(1, 3))
  else
    ls:update(box, (random.rect(ls.coord, ls.size, ls.dim)))
  end
end

local function removeShare(ls, share)
  for _, box in ipairs(compat.copy(ls.truth.boxes)) do
    if ls.rng:chance(share) then
      ls:remove(box)
    end
  end
end

local SIZES = { [2] = { count = 3000, side = 1400 }, [3] = { count = 2000, side = 220 } }

for dim = 2, 3 do
  describe(("large worlds in %dD"):format(dim), function()
    local count = SIZES[dim].count

    it("stay right through mass moves, single moves and removals", function()
      local ls = lockstep.new({ dim = dim, seed = 1, kind = scattered(SIZES[dim].side) })
      ls:insertMany(rectsOf(ls, count))
      ls:checkPairs()
      walk.query(ls, 10)
      moveSome(ls, 0.5)
      walk.cast(ls, 20)
      singleUpdates(ls, compat.rounds(100))
      removeShare(ls, 0.5)
      walk.query(ls, 10)
      ls:checkPairs()
      ls:checkContents()
    end)

    it("stay right while they grow box by box and shrink to nothing", function()
      local ls = lockstep.new({ dim = dim, seed = 2, kind = scattered(SIZES[dim].side) })
      for i, rect in ipairs(rectsOf(ls, compat.share(count))) do
        ls:insert(rect[1], rect[2], i % 5 == 0 and { static = true } or nil)
        if i % 100 == 0 then
          walk.query(ls)
          walk.cast(ls)
        end
      end
      while ls:count() > 0 do
        ls:remove(ls:anyBox())
        if ls:count() % 100 == 0 then
          walk.query(ls)
          walk.cast(ls)
        end
      end
      ls:checkPairs()
      ls:checkContents()
    end)

    it("stay right when some dozens of boxes change at a time", function()
      local ls = lockstep.new({ dim = dim, seed = 4, kind = scattered(SIZES[dim].side / 2) })
      ls:insertMany(rectsOf(ls, 1100))
      ls:insertMany(rectsOf(ls, 200), { static = true })
      ls:checkPairs()
      for _ = 1, compat.share(8) do
        for _ = 1, ls.rng:int(16, 45) do
          changeOne(ls)
        end
        ls:checkPairs()
      end
      ls:checkContents()
    end)

    it("stay right when the back end is swapped again and again", function()
      local ls = lockstep.new({ dim = dim, seed = 3, kind = scattered(SIZES[dim].side) })
      ls:insertMany(rectsOf(ls, 600))
      for _ = 1, compat.share(8) do
        ls:setBackends()
        walk.cast(ls)
        moveSome(ls, 0.2)
        ls:checkPairs()
        walk.query(ls)
        ls:checkContacts()
      end
    end)
  end)
end

-- There is no oracle here: all back ends must answer as `brute` does.
describe("very large worlds", function()
  -- Makes a world of `count` boxes for each back end. All have the same boxes, and results = "id".
  local function worldsOf(count, dim, side)
    local rng = random.new(count + dim)
    local coord, size = scattered(side).make(rng)
    local flat = {}
    for _ = 1, count do
      local lo, extent = random.rect(coord, size, dim)
      for _, value in ipairs(compat.concat(lo, extent)) do
        flat[#flat + 1] = value
      end
    end
    local worlds = {}
    for _, name in ipairs({ "brute", "sweep", "grid", "tree", "auto" }) do
      local world = broadside.newWorld({ backend = name, dim = dim, results = "id" })
      local ids = world:insertMany(flat)
      worlds[#worlds + 1] = { name = name, world = world, ids = ids }
    end
    return worlds, rng
  end

  -- The pairs as numbers that are made from the boxes' places in their lists, sorted.
  local function pairKeys(entry)
    local place, keys = {}, {}
    for i, id in ipairs(entry.ids) do
      place[id] = i
    end
    local out, n = entry.world:collectPairs()
    for i = 1, n do
      local a, b = place[out[2 * i - 1]], place[out[2 * i]]
      assert(a < b, "the box inserted first comes first")
      keys[i] = a * #entry.ids + b
    end
    table.sort(keys)
    return keys
  end

  local function assertSamePairs(worlds)
    local expected = pairKeys(worlds[1])
    assert.is_true(#expected > 1000)
    for i = 2, #worlds do
      local got = pairKeys(worlds[i])
      assert.equal(#expected, #got, worlds[i].name)
      for j = 1, #expected do
        if expected[j] ~= got[j] then
          error(("pair %d of %s differs from brute"):format(j, worlds[i].name))
        end
      end
    end
  end

  for dim = 2, 3 do
    it(("have the same pairs on every back end, before and after moves, in %dD"):format(dim),
      function()
        -- So many boxes that memory is prefetched (FAR in build.c).
        local worlds, rng = worldsOf(17000, dim, dim == 2 and 3600 or 560)
        assertSamePairs(worlds)
        local flat = {}
        for i = 1, #worlds[1].ids * dim do
          flat[i] = rng:real(-1800, 1800) / (dim == 2 and 1 or 6)
        end
        for _, entry in ipairs(worlds) do
          entry.world:updateMany(entry.ids, flat)
        end
        assertSamePairs(worlds)
      end)
  end

  -- The worst cases. Their numbers of pairs are known.
  local function crowd(name, count, dim, placeOf)
    local world = broadside.newWorld({ backend = name, dim = dim })
    local size = dim == 2 and { 10, 10 } or { 10, 10, 10 }
    for i = 1, count do
      world:insert(values(compat.concat(placeOf(i), size)))
    end
    return world:countPairs()
  end

  for _, name in ipairs({ "brute", "sweep", "grid", "tree", "auto" }) do
    it("count every pair of a crowd: " .. name, function()
      local n = 1024
      assert.equal(n * (n - 1) / 2, crowd(name, n, 2, function()
        return { 100, 100 }
      end))
      assert.equal(2 * (n / 2) * (n / 2 - 1) / 2, crowd(name, n, 2, function(i)
        return { i % 2 * 100, 7 }
      end))
      -- A row of boxes of 10 whose starts are 5 apart, so each only overlaps the next one.
      assert.equal(n - 1, crowd(name, n, 2, function(i)
        return { 5 * i, 3 }
      end))
      assert.equal(n - 1, crowd(name, n, 2, function(i)
        return { 3, 5 * i }
      end))
      assert.equal(n - 1, crowd(name, n, 3, function(i)
        return { 3, 3, 5 * i }
      end))
    end)
  end
end)
