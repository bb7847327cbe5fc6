-- What rests on a platform goes with it as if it were painted on it, whoever rests on whom, and
-- stands beside whom.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local random = require("spec.support.random")
local scene = require("spec.support.scene")
local scenes = require("spec.support.motion_scenes")

local values = compat.values

-- Gravity is against the second axis. A platform is a row of boxes, some a little higher or lower
-- than others; a heap has been dropped onto it, one thing after the other.
local function anyThing(rng, dim, unit, shapes, above)
  local size = rng:int(4, 20)
  local at = { rng:int(-5, 95) * unit, above * unit, dim == 3 and rng:int(-5, 30) * unit or nil }
  local kind = shapes and rng:int(1, 3) or 1
  if kind == 2 then
    return { "circle", at, size / 2 * unit }
  elseif kind == 3 and dim == 2 then
    local x, y, wide = at[1], at[2], size * unit
    return { "polygon",
      { x, y, x + wide, y, x + wide * rng:unit(), y + rng:int(2, 12) * unit } }
  end
  local function side()
    return rng:int(4, 20) * unit
  end
  return { "box", at, { side(), side(), dim == 3 and side() or nil } }
end

local function anyPlacement(rng, dim)
  local order = dim == 2 and rng:pick({ { 1, 2 }, { 2, 1 } })
    or rng:pick({ { 1, 2, 3 }, { 2, 3, 1 }, { 3, 1, 2 } })
  local far = rng:pick({ 0, 0, 1e5 })
  local changes = { order = order, sign = {}, offset = {}, scale = 2 ^ rng:int(-30, 30) }
  for axis = 1, dim do
    changes.sign[axis] = rng:pick({ -1, 1 })
    changes.offset[axis] = rng:real(-far, far) * changes.scale
  end
  return scenes.placement(dim, changes), (far + 1000) * changes.scale
end

local function anyPlatform(rng, dim, world, placement, unit)
  local parts = {}
  for i = 1, rng:int(1, 3) do
    local low = rng:pick({ -10, -10, -7, -17 }) * unit
    local at = { (40 * i - 40) * unit + rng:pick({ 0, 0, 0.5 }), low }
    local size = { 40 * unit, 10 * unit }
    if dim == 3 then
      at[3], size[3] = 0, 40 * unit
    end
    parts[i] = scenes.insert(world, placement, { "box", at, size })
  end
  return parts
end

local function drop(world, placement, dim, thing, unit)
  local box = scenes.insert(world, placement, thing)
  local goal = scenes.placeOf(box, dim)
  for axis, by in ipairs(scenes.vectorIn(placement, { 0, -1e5 * unit, dim == 3 and 0 or nil })) do
    goal[axis] = goal[axis] + by
  end
  world:move(box, values(goal))
  return box
end

-- How many boxes the boxes of the heap overlap.
local function countOverlaps(heap)
  local count = 0
  for _, box in ipairs(heap) do
    count = count + select(2, box:getWorld():queryBox(box))
  end
  return count
end

-- Pushes the platform, and asserts that all in the heap have gone with it. False if not all in the
-- heap rest there.
local function expectCarried(parts, heap, dim, way, tolerance, seed)
  local before = {}
  for i, box in ipairs(heap) do
    before[i] = scenes.placeOf(box, dim)
  end
  local overlaps = countOverlaps(heap)
  local rows, n = parts[1]:getWorld():pushMany(parts, values(way))
  local crushed, carried = 0, 0
  for i = 1, n do
    crushed = crushed + (rows[i].crushed and 1 or 0)
    carried = carried + (rows[i].carried and 1 or 0)
  end
  if carried < #heap then
    return false
  end
  assert.same({ seed, 0 }, { seed, crushed })
  assert.is_true(countOverlaps(heap) <= overlaps, seed) -- rounding brings nobody into another
  for i, box in ipairs(heap) do
    for axis, at in ipairs(scenes.placeOf(box, dim)) do
      local off = math.abs(at - before[i][axis] - way[axis])
      assert(off < tolerance, ("seed %d: box %d of %d is off by %g"):format(seed, i, #heap, off))
    end
  end
  return true
end

describe("what rests on a platform", function()
  -- The third of these went twice as far to the side as the lift.
  it("goes with a lift that moves on both axes", function()
    scene.each(function(s)
      s:setGravity({ 0, 10 })
      local lift, crates, goals = s:insert({ 0, 100, 100, 10 }), {}, {}
      for i, at in ipairs({ { 73, 84 }, { 52, 84 }, { 57, 68 }, { 69, 52 } }) do
        crates[i] = s:insert({ at[1], at[2], 16, 16 })
        goals[i] = { at[1] - 4, at[2] - 3, 16, 16 }
      end
      assert.equal(4, #s:push(lift, { -4, 97 }))
      for i, crate in ipairs(crates) do
        assert.same(goals[i], s:getRect(crate))
      end
    end)
  end)

  it("keeps its place in a heap, in every frame, in free space", function()
    local whole, seeds = 0, random.seeds(500)
    for _, seed in ipairs(seeds) do
      local rng = random.new(seed)
      local dim, unit, shapes = rng:pick({ 2, 2, 3 }), rng:pick({ 1, 0.1, 1 / 3 }), rng:chance(0.5)
      local placement, largest = anyPlacement(rng, dim)
      local gravity = scenes.vectorIn(placement, { 0, -10, dim == 3 and 0 or nil })
      local world = broadside.newWorld({ dim = dim, gravity = gravity })
      local parts, heap = anyPlatform(rng, dim, world, placement, unit), {}
      for i = 1, rng:int(2, 16) do
        local thing = anyThing(rng, dim, unit, shapes, 100 + 60 * i)
        heap[i] = drop(world, placement, dim, thing, unit)
      end
      -- Those that have fallen past it are far below.
      for i = #heap, 1, -1 do
        local place = scenes.placeOf(heap[i], dim)
        for axis = 1, dim do
          if math.abs(place[axis] - placement.offset[axis]) > 1e4 * unit * placement.scale then
            table.remove(heap, i):remove()
            break
          end
        end
      end
      for _ = 1, 4 do
        local function part()
          local by = rng:pick({ rng:real(-20, 20), rng:int(-20, 20), 0 })
          return by * unit
        end
        local way = scenes.vectorIn(placement, { part(), part(), dim == 3 and part() or nil })
        if not expectCarried(parts, heap, dim, way, 1e-9 * largest, seed) then
          break
        end
        whole = whole + 1
      end
    end
    assert.is_true(whole > 3 * #seeds)
  end)

  -- Row by row: the last one of each is held after 1, and so are those behind it.
  it("goes by itself where something holds it, and the rest of the heap goes on", function()
    scene.each(function(s)
      s:setGravity({ 0, -1 })
      local lift = s:insert({ 0, -2, 40, 2 })
      local free, held = {}, {}
      for i = 0, 2 do
        free[i], held[i] = s:insert({ 2 * i, 0, 2, 2 }), s:insert({ 20 + 2 * i, 0, 2, 2 })
      end
      local top, other = s:insert({ 2, 2, 2, 2 }), s:insert({ 24, 2, 2, 2 })
      s:insert({ 27, 0, 2, 2 }, { static = true })
      local rows = s:push(lift, { 5, -2 })
      assert.equal(8, #rows)
      for i = 0, 2 do
        assert.same({ 2 * i + 5, 0, 2, 2 }, s:getRect(free[i]))
        assert.same({ 20 + 2 * i + 1, 0, 2, 2 }, s:getRect(held[i]))
      end
      assert.same({ 7, 2, 2, 2 }, s:getRect(top))
      assert.same({ 25, 2, 2, 2 }, s:getRect(other))
    end)
  end)

  it("pushes ahead what does not rest there", function()
    scene.each(function(s)
      s:setGravity({ 0, -1 })
      local lift = s:insert({ 0, -2, 10, 2 })
      local rider, top = s:insert({ 6, 0, 4, 2 }), s:insert({ 6, 2, 2, 2 })
      local beside = s:insert({ 11, 0, 4, 2 })
      local rows = s:push(lift, { 5, -2 })
      assert.equal(3, #rows)
      assert.same({ 11, 0, 4, 2 }, s:getRect(rider))
      assert.same({ 11, 2, 2, 2 }, s:getRect(top))
      assert.same({ 15, 0, 4, 2 }, s:getRect(beside))
    end)
  end)

  -- They overlap, and still do; a move of one alone could not go deeper into the other.
  it("overlaps what it has overlapped, by as much", function()
    scene.each(function(s)
      s:setGravity({ 0, -1 })
      local lift = s:insert({ 0, -2, 30, 2 })
      local a, b = s:insert({ 2, 0, 4, 4 }), s:insert({ 4, 0, 8, 3 })
      for _, way in ipairs({ { 5, 3 }, { -7, -4 }, { 0, 6 } }) do
        local ra, rb, rl = s:getRect(a), s:getRect(b), s:getRect(lift)
        s:push(lift, { rl[1] + way[1], rl[2] + way[2] })
        assert.same({ ra[1] + way[1], ra[2] + way[2], 4, 4 }, s:getRect(a))
        assert.same({ rb[1] + way[1], rb[2] + way[2], 8, 3 }, s:getRect(b))
      end
    end)
  end)

  -- The box that rounding has put into another one can only go back once a third one has gone.
  it("does not settle into what is as thin as rounding, and goes by itself", function()
    for _, backend in ipairs(scene.backends) do
      local world = broadside.newWorld({ backend = backend, gravity = { 0, -10 } })
      local platform = world:insert(0, -100, 20, 100)
      local thin = world:insert(1, 0, 1, 2 ^ -50)
      local box = world:insert(0, 2 ^ -49, 10, 10) -- flush, as the platform's height is rounded
      local _, _, rows, n = world:push(platform, 1, -100)
      assert.equal(2, n)
      for i = 1, n do
        assert.same({ true, false }, { rows[i].carried, rows[i].crushed })
      end
      assert.equal(0, world:countPairs())
      assert.equal(2, (thin:getRect()))
      assert.same({ 1, 2 ^ -50, 10, 10 }, { box:getRect() })
    end
  end)

  it("are not in each other by rounding, in a pile", function()
    local world = broadside.newWorld({ gravity = { 0.15273194046604244, -0.46411967635000506 } })
    local x, boxes = -14.577487821583734, {}
    for i, place in ipairs({ { 1, 21, 1, 4 }, { 3, 18, 2, 4 }, { 4, 22, 4, 1 }, { 2, 20, 2, 4 },
      { 5, 18, 1, 4 }, { 0, 22, 4, 2 }, { 0, 23, 3, 3 }, { 6, 16, 1, 3 } }) do
      boxes[i] = world:insert(x + place[1], 0.07470423345513 + place[2], place[3], place[4])
    end
    local before = {}
    for a, b in world:pairs() do
      before[a:getId() .. " " .. b:getId()] = true
    end
    world:push(boxes[8], -4.5774878215837349, 16.07470423345513)
    for a, b in world:pairs() do
      assert.is_true(a == boxes[8] or b == boxes[8] or before[a:getId() .. " " .. b:getId()]
        or before[b:getId() .. " " .. a:getId()] or false)
    end
  end)
end)
