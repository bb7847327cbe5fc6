-- One-way boxes beside each other are one. So whoever moves among them comes to where it would come
-- to if they were one box.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local random = require("spec.support.random")
local scenes = require("spec.support.motion_scenes")
local tiles = require("broadside.tiles")

local values = compat.values

-- A row along the first axis, in 3D a floor of rows; the second axis points out of their faces,
-- which are at 0. Returns the planks, and the one box that they come to.
local function anyRow(rng, dim)
  local thick, planks = rng:real(0.5, 6), {}
  local function cuts(axis)
    local list = { rng:real(-9, -3) }
    for i = 1, dim == 2 and rng:int(2, 6) or axis do
      list[i + 1] = list[i] + rng:pick({ 0.3, 2, 5 }) * rng:real(0.5, 1)
    end
    return list
  end
  local along, across = cuts(1), dim == 3 and cuts(2) or { 0, 0 }
  local function box(a, b, c, d)
    local deep = dim == 3
    return { "box", { a, -thick, deep and c or nil }, { b - a, thick, deep and d - c or nil } }
  end
  for i = 1, #along - 1 do
    for j = 1, #across - 1 do
      local plank = box(along[i], along[i + 1], across[j], across[j + 1])
      table.insert(planks, math.floor(rng:real(1, #planks + 2)), plank)
    end
  end
  return planks, { box(along[1], along[#along], across[1], across[#across]) }
end

-- Half of all movers are in the row with less than a half, where corners would be in their way.
local function anyMover(rng, dim)
  local size, kind = rng:real(0.3, 5), rng:int(1, 4)
  local high = rng:pick({ size * rng:real(0.4, 1), rng:real(-6, 6) })
  local at = { rng:real(-12, 12), high, dim == 3 and rng:real(-9, 3) or nil }
  if kind == 1 then
    return { "box", at, { size, rng:real(0.1, 5), dim == 3 and rng:real(0.1, 5) or nil } }
  elseif kind == 2 and dim == 2 then
    return { "polygon", random.polygon(rng, at[1], at[2], rng:real(0.5, 5), size) }
  end
  return { "circle", at, size }
end

local function anyPlacement(rng, dim)
  local changes = { order = { 1, 2, 3 }, sign = {}, offset = {}, scale = 2 ^ rng:int(-60, 60) }
  changes.order[4 - dim] = nil
  changes.order = dim == 2 and rng:pick({ { 1, 2 }, { 2, 1 } })
    or rng:pick({ { 1, 2, 3 }, { 2, 3, 1 }, { 3, 1, 2 }, { 2, 1, 3 } })
  local far = rng:pick({ 0, 0, 1e3, 1e6 }) * changes.scale
  for axis = 1, dim do
    changes.sign[axis] = rng:pick({ -1, 1 })
    changes.offset[axis] = rng:real(-far, far)
  end
  return scenes.placement(dim, changes), far + 30 * changes.scale
end

-- A world with such boxes and the mover. opts: of the boxes.
local function build(boxes, mover, dim, placement, opts)
  local up = scenes.vectorIn(placement, { 0, 1, dim == 3 and 0 or nil })
  for axis = 1, dim do
    up[axis] = up[axis] / placement.scale
  end
  opts.oneWay = up
  local w = { world = broadside.newWorld({ dim = dim }), planks = {} }
  for i, box in ipairs(boxes) do
    w.planks[i] = scenes.insert(w.world, placement, box, opts)
  end
  w.mover = scenes.insert(w.world, placement, mover, { response = "slide" })
  return w
end

local function goalOf(w, dim, way)
  local goal = scenes.placeOf(w.mover, dim)
  for axis = 1, dim do
    goal[axis] = goal[axis] + way[axis]
  end
  return goal
end

-- Each moves the mover by a way, or the planks against it. Returns where the mover comes to, and,
-- if the planks move, relative to them.
local CALLS = {
  move = function(w, dim, way) w.world:move(w.mover, values(goalOf(w, dim, way))) end,
  check = function(w, dim, way)
    local answer = { w.world:check(w.mover, values(goalOf(w, dim, way))) }
    w.world:update(w.mover, compat.unpack(answer, 1, dim))
  end,
  moveMany = function(w, dim, way) w.world:moveMany({ w.mover }, goalOf(w, dim, way)) end,
  step = function(w, _, way)
    w.mover:setVelocity(values(way))
    w.world:step(1)
  end,
  pushMany = function(w, dim, way)
    local back = {}
    for axis = 1, dim do
      back[axis] = -way[axis]
    end
    w.world:pushMany(w.planks, values(back))
  end,
}

local function check(name, dim)
  for _, seed in ipairs(random.seeds(dim == 2 and 400 or 150)) do
    local rng = random.new(seed)
    local planks, one = anyRow(rng, dim)
    local mover = anyMover(rng, dim)
    local placement, largest = anyPlacement(rng, dim)
    local up = rng:pick({ 0, rng:real(-9, 9) })
    local way = scenes.vectorIn(placement,
      { rng:real(-15, 15), up, dim == 3 and rng:real(-15, 15) or nil })
    local places = {}
    for i, boxes in ipairs({ planks, one }) do
      local w = build(boxes, mover, dim, placement, { static = name ~= "pushMany" })
      CALLS[name](w, dim, way)
      places[i] = scenes.placeOf(w.mover, dim)
    end
    for axis = 1, dim do
      local off = math.abs(places[1][axis] - places[2][axis]) / largest
      assert(off < 1e-9, ("seed %d, %s, a %s: off by %g"):format(seed, name, mover[1], off))
    end
  end
end

describe("a row of one-way boxes", function()
  for name in pairs(CALLS) do
    for dim = 2, 3 do
      it(("is one box in %s, in %dD"):format(name, dim), function()
        check(name, dim)
      end)
    end
  end

  -- It overlaps the row, and so it may go anywhere.
  it("neither stops, nor pushes, nor is pushed by a platform that is in it", function()
    for _, seed in ipairs(random.seeds(300)) do
      local rng = random.new(seed)
      local planks = anyRow(rng, 2)
      local mover, placement = anyMover(rng, 2), (anyPlacement(rng, 2))
      local w = build(planks, mover, 2, placement, {})
      local way = scenes.vectorIn(placement, { rng:real(-15, 15), rng:real(-0.5, 0.5) })
      local was = #w.world:queryBox(w.mover) > 0
      local goal = goalOf(w, 2, way)
      local _, _, _, n = w.world:push(w.mover, goal[1], goal[2])
      assert(not was or n == 0, seed)
    end
  end)

  it("of tiles is left to all sides by a circle in it", function()
    for _, d in ipairs({ { 6, 4 }, { 6, 0 }, { 6, -0.5 }, { -6, 4 }, { -6, 0 }, { 40, -2 } }) do
      local w = broadside.newWorld()
      tiles.newMap(w, ("="):rep(40), { ["="] = { oneWay = { 0, -1 } } }, { w = 16, y = 100 })
      for _, x0 in ipairs({ 504, 520 }) do
        local c = w:insertCircle(x0, 95, 9)
        local x, y = c:getRect()
        local ex, ey, _, n = w:move(c, x + d[1], y + d[2])
        assert.same({ x + d[1], y + d[2], 0 }, { ex, ey, n })
        c:remove()
      end
    end
  end)

  it("has no seam beside a solid box that the mover is in", function()
    local w = broadside.newWorld()
    w:insert(-50, 100, 50, 10)
    w:insert(0, 100, 50, 10, { oneWay = { 0, -1 } })
    local c = w:insertCircle(-5, 95, 9)
    assert.same({ 1, 86 }, { compat.unpack({ w:move(c, 1, 86) }, 1, 2) })
  end)
end)

describe("a corner of a one-way box", function()
  -- A circle of 9 around -20, 95 is in a plank whose top is at 100 and which ends at 4. It moves
  -- towards the corner of another one to the right of it, and meets that 7 or 8 before.
  local function stops(opts)
    local w = broadside.newWorld()
    w:insert(-50, 100, 54, 10, opts.first or { oneWay = { 0, -1 } })
    local gap, step = opts.gap or 0, opts.step or 0
    w:insert(4 + gap, 100 - step, 50, 10, { oneWay = { 0, -1 } })
    local x, _, _, n = w:move(w:insertCircle(-20, 95, 9), 1 + gap, 86, opts.filter)
    assert.equal(x ~= 1 + gap, n > 0)
    return n > 0
  end

  it("stops a circle if there is a gap between the two", function()
    assert.is_false(stops({}))
    assert.is_false(stops({ gap = 1e-12 }))
    assert.is_true(stops({ gap = 1e-6 }))
    assert.is_true(stops({ gap = 1 }))
  end)

  it("stops a circle if it is higher than the plank that it is in", function()
    assert.is_false(stops({ step = 1e-12 }))
    assert.is_true(stops({ step = 1e-6 }))
    assert.is_true(stops({ step = 0.25 }))
  end)

  it("stops a circle if what is beside it is not there for the circle", function()
    assert.is_true(stops({ first = { layer = 2, oneWay = { 0, -1 } }, filter = 1 }))
    assert.is_true(stops({ first = { sensor = true, oneWay = { 0, -1 } } }))
    assert.is_true(stops({ first = { oneWay = { 1, 0 } } }))
    assert.is_false(stops({ filter = 1 }))
  end)

  it("is not asked about where it is none", function()
    for gap = 0, 1 do
      local asked = {}
      stops({ gap = gap, filter = function(_, other)
        asked[#asked + 1] = (other:getRect())
        return "slide"
      end })
      assert.same(gap == 1 and { 5 } or {}, asked)
    end
  end)
end)

-- Ramps of one-way polygons are rows, too.
describe("a ramp of one-way polygons", function()
  it("does not stop a circle in it, at no bend", function()
    local ramps = { { 0, 10, 20 }, { 0, 10, 10 }, { 10, 10, 0 }, { 20, 0, 20 }, { 0, 9, 0 } }
    for _, heights in ipairs(ramps) do
      local w = broadside.newWorld()
      for i = 1, 2 do
        local x = 30 * i
        w:insertPolygon({ x, 50 - heights[i], x + 30, 50 - heights[i + 1], x + 30, 99, x, 99 },
          { oneWay = { 0, -1 } })
      end
      local y = 50 - heights[2] - 5 -- A circle above that is in the ramp, at each of these bends.
      local x, _, _, n = w:move(w:insertCircle(50, y, 8), 62, y - 8)
      assert.same({ 62, 0 }, { x, n })
    end
  end)
end)
