-- A box that is as wide as a gap goes through it. The gaps are pits and corridors of any size,
-- anywhere, between sides of all kinds, and the box comes there in several ways.

local broadside = require("broadside")
local random = require("spec.support.random")

-- Sides ------------------------------------------------------------------------------------------
-- A pit lies between x = lo and hi, from y = top downwards (y grows down). A side of it reaches
-- from lo to hi, and from y = from to y = to.

local DEPTH = 6 -- of a pit, in widths

local SIDES = {
  box = function(pit, lo, hi, from, to) pit.world:insert(lo, from, hi - lo, to - from) end,
  tiles = function(pit, lo, hi, from, to)
    for y = from, to - pit.width / 2, pit.width do
      pit.world:insert(lo, y, hi - lo, pit.width)
    end
  end,
  polygon = function(pit, lo, hi, from, to)
    pit.world:insertPolygon({ lo, from, hi, from, hi, to, lo, to })
  end,
  -- The side of the pit is the upright back of a slope, which rises towards the pit.
  slope = function(pit, lo, hi, from, to)
    if hi <= pit.lo then
      pit.world:insertPolygon({ lo, to, hi, from, hi, to })
    else
      pit.world:insertPolygon({ lo, from, hi, to, lo, to })
    end
  end,
  -- Round pegs, one below the other.
  pegs = function(pit, lo, hi, from, to)
    local r = pit.width * 1.5
    local x = hi <= pit.lo and pit.lo - r or pit.hi + r
    for y = from + r, to, 2 * r do
      pit.world:insertCircle(x, y, r)
    end
    assert(lo < hi)
  end,
}

local KINDS = { "box", "tiles", "polygon", "slope", "pegs" }

-- Where the gap really begins and ends, after rounding.
local function gapOf(pit)
  local lo, hi = -math.huge, math.huge
  for box in pit.world:boxes() do
    local x, _, w = box:getRect()
    if x < pit.lo then
      lo = math.max(lo, x + w)
    else
      hi = math.min(hi, x)
    end
  end
  return lo, hi
end

-- From where the box may walk to the pit, in widths. Slopes are too steep for that.
local function banks(pit)
  local from = { 0 }
  if pit.left ~= "slope" then
    from[#from + 1] = -1.7
  end
  if pit.right ~= "slope" then
    from[#from + 1] = 1.7
  end
  return from
end

local function anyPit(rng)
  local pit = { world = broadside.newWorld() }
  pit.width = rng:pick({ 16, 1, 0.1, 7.7, 1 / 3, 1000 })
  pit.lo = rng:pick({ 0, 1000.1, 1e5 + 0.3, -1e7, 12345.678 }) * pit.width
  pit.hi = pit.lo + pit.width
  pit.top = pit.lo / 3
  local thick = 3 * pit.width
  local bottom = pit.top + DEPTH * pit.width
  pit.left, pit.right = rng:pick(KINDS), rng:pick(KINDS)
  pit.steps = rng:pick({ 0.05, 0.3, 0.77 }) * pit.width
  SIDES[pit.left](pit, pit.lo - thick, pit.lo, pit.top, bottom)
  SIDES[pit.right](pit, pit.hi, pit.hi + thick, pit.top, bottom)
  return pit
end

-- A box, circle or polygon that is as wide as the gap.
local function insertMover(rng, pit, lo, y, kinds)
  local w, what = pit.width, rng:int(1, kinds or 3)
  local box = pit.world:insert(lo, y, w, w)
  if what == 2 then
    box:setShape("circle", w / 2)
  elseif what == 3 then
    box:setShape("polygon",
      { lo, y + w / 2, lo + w / 2, y, lo + w, y + w / 2, lo + w / 2, y + w })
  end
  return box
end

-- Ways to go there -------------------------------------------------------------------------------
-- Each is repeated until the box is at the bottom of the pit, or has stood still three times.

local function clamp(x, most)
  return math.max(-most, math.min(most, x))
end

local WAYS = {
  { name = "walks, then falls", go = function(pit, box, x, y)
    pit.world:move(box, x + clamp(pit.lo - x, pit.steps), y)
    x, y = box:getRect()
    pit.world:move(box, x, y + pit.steps)
  end },
  { name = "walks and is pressed down", go = function(pit, box, x, y)
    pit.world:move(box, x + clamp(pit.lo - x, pit.steps), y + pit.steps)
  end },
  { name = "falls in one go", above = true, go = function(pit, box, x, y)
    pit.world:move(box, x, y + 40 * pit.width)
  end },
}

local function finish(pit, box, way)
  local bottom = pit.top + DEPTH * pit.width
  local still = 0
  repeat
    local x, y = box:getRect()
    way.go(pit, box, x, y)
    local x2, y2 = box:getRect()
    still = (x2 == x and y2 == y) and still + 1 or 0
  until y2 > bottom or still == 3
  return still < 3
end

local function describePit(pit, box, way)
  local x, y = box:getRect()
  return ("a %s %s into a gap between %s and %s, %g wide, at %g: gets to %g %g, by %g"):format(
    box:getShape(), way.name, pit.left, pit.right, pit.width, pit.lo, (x - pit.lo) / pit.width,
    (y - pit.top) / pit.width, pit.steps / pit.width)
end

describe("a box, circle or polygon as wide as a gap", function()
  it("falls through it, however it comes there", function()
    local passes = 0
    for _, seed in ipairs(random.seeds(60)) do
      local rng = random.new(seed)
      local pit, way = anyPit(rng), rng:pick(WAYS)
      local lo, hi = gapOf(pit)
      if lo + pit.width <= hi then -- so it is as doubles
        local from = way.above and 0 or rng:pick(banks(pit))
        local box = insertMover(rng, pit, lo + from * pit.width, pit.top - 2 * pit.width)
        pit.lo = lo
        assert(finish(pit, box, way), describePit(pit, box, way))
        passes = passes + 1
      end
    end
    assert.is_true(passes > 0)
  end)

  -- The far side is higher. The box is pressed against it, and comes down along it.
  it("falls through it along its far side", function()
    for _, seed in ipairs(random.seeds(40)) do
      local rng = random.new(seed)
      local pit = anyPit(rng)
      local wall = rng:pick({ "box", "tiles", "polygon" })
      local near = select(2, gapOf(pit))
      SIDES[wall](pit, near, near + 3 * pit.width, pit.top - 4 * pit.width, pit.top)
      local lo, hi = gapOf(pit)
      if lo + pit.width <= hi then
        local from = pit.left == "slope" and -0.5 or -1.7
        local kinds = pit.right == "pegs" and 1 or 3 -- others stick between wall and peg
        local box = insertMover(rng, pit, lo + from * pit.width, pit.top - 2 * pit.width, kinds)
        local way = { name = "slides along " .. wall, go = function(_, _, x, y)
          pit.world:move(box, x + pit.steps, y + pit.steps)
        end }
        assert(finish(pit, box, way), describePit(pit, box, way))
      end
    end
  end)
end)

-- The box slides down a wall above the pegs, and is then pressed against the pegs. Where the first
-- peg is widest, the box is between two parallel sides, of which one is round.
describe("a box as wide as the gap between a wall and pegs", function()
  it("falls through it, pressed to the pegs", function()
    for _, way in ipairs({ 1, -1 }) do
      local world = broadside.newWorld()
      world:insert(way > 0 and -3 or 0, 0, 3, 6, { static = true })
      world:insert(way > 0 and 1 or -4, -4, 3, 4, { static = true })
      for y = 1.5, 4.5, 3 do
        world:insertCircle(way * 2.5, y, 1.5, { static = true })
      end
      local box = world:insert(way > 0 and -1.5 or 0.5, -2, 1, 1)
      for _ = 1, 40 do
        local x, y = box:getRect()
        world:move(box, x + way / 2, y + 0.5)
      end
      assert.is_true(select(2, box:getRect()) >= 6)
    end
  end)
end)

-- The two tips pass each other exactly. Rounding may put one into the other by a little.
describe("a diamond that passes a point by its own", function()
  it("is not stopped", function()
    local w = 1 / 3
    for _, seed in ipairs(random.seeds(60)) do
      local rng = random.new(seed)
      local world = broadside.newWorld()
      local at, half, steps = rng:real(0, 1), rng:real(0.05, 0.25), rng:int(3, 16)
      world:insertPolygon({ at, -w, at - half, -w - 1, at + half, -w - 1 })
      local box = world:insertPolygon({ -1, -w / 2, -1 + w / 2, -w, -1 + w, -w / 2, -1 + w / 2, 0 })
      for _ = 1, steps do
        world:move(box, box:getRect() + 3.2 / steps, -w)
      end
      local x, y = box:getRect()
      assert.is_true(math.abs(x - 2.2) < 1e-9 and math.abs(y + w) < 1e-9)
    end
  end)
end)

-- 3D ---------------------------------------------------------------------------------------------

-- A shaft along z, whose four sides are boxes or spheres.
local function anyShaft(rng)
  local w = rng:pick({ 16, 1, 0.1, 7.7, 1 / 3 })
  local x, y = rng:pick({ 0, 1000.1, -1e6 }) * w, rng:pick({ 0, 333.3, 1e6 }) * w
  local world = broadside.newWorld({ dim = 3 })
  local r = 2 * w
  for _, side in ipairs({ { -1, 0 }, { 1, 0 }, { 0, -1 }, { 0, 1 } }) do
    if rng:chance(0.5) then
      local lo = { side[1] < 0 and x - r or x, side[2] < 0 and y - r or y }
      lo[1] = side[1] > 0 and x + w or lo[1]
      lo[2] = side[2] > 0 and y + w or lo[2]
      world:insert(lo[1], lo[2], 0, side[1] ~= 0 and r or w, side[2] ~= 0 and r or w, 4 * w)
    else
      world:insertCircle(x + w / 2 + side[1] * (r + w / 2), y + w / 2 + side[2] * (r + w / 2), r, r)
    end
  end
  return world, x, y, w
end

describe("a box or sphere as wide as a shaft", function()
  it("falls through it", function()
    for _, seed in ipairs(random.seeds(40)) do
      local rng = random.new(seed)
      local world, x, y, w = anyShaft(rng)
      local box = world:insert(x, y, -3 * w, w, w, w)
      if rng:chance(0.5) then
        box:setShape("circle", w / 2)
      end
      local step = rng:pick({ 0.3, 1.7, 20 }) * w
      for _ = 1, math.ceil(10 * w / step) do
        local _, _, z = box:getRect()
        world:move(box, x, y, z + step)
      end
      local _, _, z = box:getRect()
      assert(z > 4 * w, ("stays at %g, %g: a %s, %g wide, at %g %g"):format(z / w, seed,
        box:getShape(), w, x, y))
    end
  end)
end)
