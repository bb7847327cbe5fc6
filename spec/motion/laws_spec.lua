-- Laws of movement: what must be true of any way. This needs no oracle.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local random = require("spec.support.random")
local scenes = require("spec.support.motion_scenes")

-- The largest rounding, as a share of the greatest coordinate around. It is BS_RESTING in
-- narrow/tolerances.h.
local ROUNDING = 2 ^ -40

local function each(count, opts, law)
  for dim = 2, 3 do
    for _, kind in ipairs(scenes.kinds) do
      if not opts.even or kind.even then
        scenes.each(dim, kind, opts, count, law)
      end
    end
  end
end

local function dot(a, b)
  local sum = 0
  for axis = 1, #a do
    sum = sum + a[axis] * b[axis]
  end
  return sum
end

local function distance(a, b)
  local square = 0
  for axis = 1, #a do
    square = square + (a[axis] - b[axis]) ^ 2
  end
  return math.sqrt(square)
end

local function list(v)
  local out = {}
  for axis, x in ipairs(v) do
    out[axis] = ("%.17g"):format(x)
  end
  return "(" .. table.concat(out, ", ") .. ")"
end

local function isSolid(row)
  return row.response ~= "cross"
end

-- Two runs ---------------------------------------------------------------------------------------

-- How run b differs, in any bit, from run a with all lengths times `scale`; nil if it does not.
local function difference(a, b, scale)
  for axis, x in ipairs(a.place) do
    if x * scale ~= b.place[axis] then
      return ("ends at %s, not at %s"):format(list(b.place), list(a.place))
    end
  end
  if #a.rows ~= #b.rows then
    return ("meets %d, not %d"):format(#b.rows, #a.rows)
  end
  for i, row in ipairs(a.rows) do
    local other = b.rows[i]
    local same = row.index == other.index and row.response == other.response and row.t == other.t
      and row.overlap == other.overlap
    for axis, x in ipairs(row.place) do
      same = same and x * scale == other.place[axis] and row.normal[axis] == other.normal[axis]
    end
    if not same then
      return ("row %d differs"):format(i)
    end
  end
end

-- How run b, seen through a placement, differs from a by more than `tolerance`; nil if it does not.
local function roughDifference(a, b, p, tolerance)
  local ways = {}
  for axis, x in ipairs(a.place) do
    ways[axis] = x - a.start[axis]
  end
  local wanted = scenes.vectorIn(p, ways)
  for axis, x in ipairs(wanted) do
    if math.abs(b.place[axis] - b.start[axis] - x) > tolerance then
      return ("ends off by %g on axis %d"):format(b.place[axis] - b.start[axis] - x, axis)
    end
  end
end

local function anySymmetry(rng, dim)
  local order, sign = {}, {}
  for axis = 1, dim do
    sign[axis] = rng:pick({ -1, 1 })
    table.insert(order, rng:int(1, #order + 1), axis)
  end
  return { order = order, sign = sign }
end

-- How far two ways that differ by rounding may end apart. Each bounce off a round side multiplies
-- the difference.
local function apart(run, far)
  local bounces = 0
  for _, row in ipairs(run.rows) do
    bounces = bounces + (row.response == "bounce" and 1 or 0)
  end
  return bounces <= 3 and (1e-9 * 10 ^ bounces) * far or math.huge
end

describe("the same scene", function()
  it("times a power of two has the same answer times it, bit for bit", function()
    each(20, {}, function(s, rng)
      local a = scenes.run(s, scenes.placement(s.dim))
      local scale = rng:pick({ 2 ^ -200, 2 ^ -20, 2 ^ -3, 2, 2 ^ 13, 2 ^ 200 })
      local b = scenes.run(s, scenes.placement(s.dim, { scale = scale }))
      return difference(a, b, scale)
    end)
  end)

  it("mirrored or turned by quarters has the same answer", function()
    each(30, { even = true }, function(s, rng)
      local a = scenes.run(s, scenes.placement(s.dim))
      local p = scenes.placement(s.dim, anySymmetry(rng, s.dim))
      return roughDifference(a, scenes.run(s, p), p, apart(a, s.kind.far or 1))
    end)
  end)

  it("elsewhere has the same answer", function()
    each(30, { even = true }, function(s, rng)
      local a = scenes.run(s, scenes.placement(s.dim))
      local offset = {}
      for axis = 1, s.dim do
        offset[axis] = rng:pick({ 0, 100.1, -1000 / 3, 12345.678 })
      end
      local p = scenes.placement(s.dim, { offset = offset })
      return roughDifference(a, scenes.run(s, p), p, apart(a, s.kind.far or 1e4))
    end)
  end)

  it("on another back end has the same answer, bit for bit", function()
    each(5, {}, function(s, rng)
      local p = scenes.placement(s.dim)
      local backend = rng:pick({ "brute", "sweep", "grid", "tree" })
      return difference(scenes.run(s, p), scenes.run(s, p, nil, backend), 1)
    end)
  end)

  it("with what is crossed, a sensor or not met has the same answer, bit for bit", function()
    each(30, {}, function(s, rng)
      local p = scenes.placement(s.dim)
      local others = scenes.any(rng, s.dim, s.kind, { response = "cross" }).things
      for _, thing in ipairs(others) do
        thing.met = rng:pick({ "cross", "none", "sensor" })
      end
      return difference(scenes.run(s, p), scenes.run(s, p, others), 1)
    end)
  end)
end)

-- A scene that once broke a law.
describe("a sphere that slides along the crease of two others", function()
  it("ends at the same place, whichever of them it has met last", function()
    local s = {
      dim = 3, bounce = 1, motion = { -5.3510774901697058, 10.630726415612855, 8.7204488372042057 },
      mover = { "circle", { 1.9261124397320941, 5.2819301161324823, 3.9530582168526092 },
        2.4538617403279388 },
      things = {
        { "circle", { -0.22301903281965174, 8.0866904456877258, 5.801136812609224 },
          0.9142740466724264, met = "slide" },
        { "circle", { 1.9820158447766438, 3.6280993833053756, 9.0176404894180919 },
          2.0360507759082722, met = "slide" },
      },
    }
    local a = scenes.run(s, scenes.placement(3))
    for _, x in ipairs({ 1, 100.1, 1000 / 3, 12345.678 }) do
      local p = scenes.placement(3, { offset = { x, 0, -x } })
      assert.is_nil(roughDifference(a, scenes.run(s, p), p, 1e-8))
    end
  end)
end)

-- One run ----------------------------------------------------------------------------------------

describe("a way", function()
  -- In bump.lua a bounce ends inside a wall in 16% of moves of 100 pixels.
  it("ends in nothing that the box was not in at the start", function()
    each(30, {}, function(s)
      local run = scenes.run(s, scenes.placement(s.dim))
      for other in pairs(run.after) do
        if not run.before[other] then
          return "it is in " .. other:getData()
        end
      end
    end)
  end)

  it("of a box meets first what its sweep meets first, to the last bit", function()
    each(30, { boxes = true, free = true }, function(s)
      local p, way = scenes.placement(s.dim), {}
      local run = scenes.run(s, p)
      for axis, x in ipairs(run.start) do
        way[axis] = run.goal[axis] - x
      end
      way[s.dim + 1] = 15 -- the layers of all that is met
      local swept = scenes.build(s, p)
      local got = { swept.world:sweep(swept.box, scenes.unpack(way, 1, s.dim + 1)) }
      local row = run.rows[1] or { normal = {} }
      local same = row.t == got[2] and row.index == (got[1] and got[1]:getData())
      for axis = 1, s.dim do
        same = same and row.normal[axis] == got[axis + 2]
      end
      if not same and row.t ~= 1 then -- by rounding, where no time tells of it
        return ("meets %s first, not %s"):format(tostring(row.index), tostring(got[1]))
      end
    end)
  end)

  it("meets in the order of time, each box once but for bounces", function()
    each(20, {}, function(s)
      local run, seen, last = scenes.run(s, scenes.placement(s.dim)), {}, 0
      for i, row in ipairs(run.rows) do
        if row.t < last or row.t > 1 then
          return ("row %d is met at %g, after %g"):format(i, row.t, last)
        end
        if seen[row.index] then
          return ("row %d was told before"):format(i)
        end
        last, seen[row.index] = row.t, true
        seen = row.response == "bounce" and {} or seen
      end
    end)
  end)

  it("tells a box once, though what is round turns the way to another side of it", function()
    local s = {
      dim = 3, bounce = 0,
      motion = { -3.4463838727416167, -8.2427792684597847, 8.5412000158884531 },
      mover = { "box", { -7.2418324152626043, 4.5681806214164133, -4.4541526251160803 },
        { 2.6427305898568303, 4.5222410524499717, 3.139762351621084 } },
      things = {
        { "box", { -9.2319177445089906, 4.6679430882407082, -5.5230250213897145 },
          { 1.5451168707827119, 4.8825820068293382, 4.9465345465559558 }, met = "slide" },
        { "circle", { -3.5839236817631281, 7.9603110081094144, 1.0712674638616289 },
          2.0802342222969115, met = "slide" },
      },
    }
    local told = {}
    for i, row in ipairs(scenes.run(s, scenes.placement(3)).rows) do
      told[i] = row.index
    end
    assert.same({ 2, 1 }, told)
  end)

  -- In a corner a box bounces off each side once, or several times if the angle is acute.
  it("bounces no more than a few times at one instant", function()
    each(30, { response = "bounce" }, function(s)
      local run, count, last = scenes.run(s, scenes.placement(s.dim)), 0, -1
      for _, row in ipairs(run.rows) do
        count = row.t == last and count + 1 or 1
        last = row.t
        if count > 2 * s.dim then
          return ("%d times at %g"):format(count, last)
        end
      end
      -- Among tiles a gap may be wider than the box by rounding. Bounces in there take no time.
      local quick = #run.rows == 16 and run.rows[16].t - run.rows[8].t < 1e-6
      if quick and s.kind.name ~= "tiles" then
        return "ends by the number of bounces"
      end
    end)
  end)

  it("is no longer than the motion", function()
    each(20, {}, function(s)
      local run = scenes.run(s, scenes.placement(s.dim))
      local length, at = 0, run.start
      for _, row in ipairs(run.rows) do
        length, at = length + distance(at, row.place), row.place
      end
      length = length + distance(at, run.place)
      local most = math.sqrt(dot(s.motion, s.motion))
      if length > most + scenes.largest(run) * ROUNDING * (1 + #run.rows) then
        return ("it is longer by %g"):format(length - most)
      end
    end)
  end)

  -- A shape may go around another one, and rows do not tell of that. So such ways are left out.
  it("ends exactly at its goal on each axis on which nothing stopped the box", function()
    each(20, {}, function(s)
      local run = scenes.run(s, scenes.placement(s.dim))
      local met, shaped = {}, false
      for _, row in ipairs(run.rows) do
        for axis, x in ipairs(row.normal) do
          met[axis] = met[axis] or (isSolid(row) and x ~= 0)
        end
        shaped = shaped or (isSolid(row) and row.other:getShape() ~= "box")
        shaped = shaped or row.response == "touch" or row.response == "bounce"
      end
      shaped = shaped or (#run.rows > 0 and run.box:getShape() ~= "box")
      for axis, x in ipairs(run.goal) do
        if not shaped and not met[axis] and run.place[axis] ~= x then
          return ("ends off by %g on axis %d"):format(run.place[axis] - x, axis)
        end
      end
    end)
  end)

  it("to the same goal again leads no nearer to what it has touched", function()
    each(20, { response = "touch", free = true }, function(s)
      local run = scenes.run(s, scenes.placement(s.dim))
      local place, last = run.place, run.rows[#run.rows]
      scenes.move(run, run.goal)
      local nearer = 0
      for axis, x in ipairs(last and last.normal or {}) do
        nearer = nearer + (place[axis] - run.place[axis]) * x
      end
      if math.abs(nearer) > scenes.largest(run) * 2 ^ -46 then
        return ("it comes nearer by %g"):format(nearer)
      end
    end)
  end)
end)

-- Faces an ulp apart -----------------------------------------------------------------------------

describe("faces that rounding puts beside each other", function()
  -- Where the way ends above floors at these heights. `turned` makes walls of them.
  local function ends(way, heights, rule, bystander, turned)
    local world = broadside.newWorld()
    local function place(x, y)
      return turned and y or x, turned and x or y
    end
    local function insert(x, y, w, h, opts)
      local left, top = place(x, y)
      local width, height = place(w, h)
      return world:insert(left, top, width, height, opts)
    end
    for i, height in ipairs(heights) do
      insert(-20 + 3 * i, height, 60, 5, { static = true })
    end
    local box = insert(way.x, way.y, way.w, way.h)
    box:setBounce(0.5)
    local goalX, goalY = place(way.goalX, way.goalY)
    local ring = bystander and world:insertCircle(goalX, goalY, 1)
    local x, y = world:check(box, goalX, goalY, function(_, other)
      return other == ring and "cross" or rule
    end)
    return place(x, y)
  end

  it("are one floor to what lands on them", function()
    local rng = random.new(1)
    for _ = 1, compat.rounds(150) do
      local height = rng:real(-60, 60)
      local step = rng:int(0, 3) * 2 ^ -52 * math.abs(height)
      local way = { x = rng:real(-5, 5), w = rng:int(1, 12) / 2, h = rng:int(1, 12) / 2 }
      way.y, way.goalX, way.goalY = height - way.h - rng:real(0, 40), rng:real(-5, 5), height + 4
      local turned, bystander = rng:chance(0.5), rng:chance(0.5)
      for _, rule in ipairs({ "slide", "touch", "bounce" }) do
        local x, y = ends(way, { height }, rule, bystander, turned)
        for _, heights in ipairs({ { height, height - step }, { height - step, height } }) do
          local otherX, otherY = ends(way, heights, rule, bystander, turned)
          assert.is_true(math.abs(x - otherX) < 1e-11 and math.abs(y - otherY) < 1e-11,
            ("%s ends at %g, %g instead of %g, %g"):format(rule, otherX, otherY, x, y))
        end
      end
    end
  end)
end)

-- Bounces ----------------------------------------------------------------------------------------

describe("a bounce at factor 1", function()
  it("keeps all speed between a wall and a peg that meet at an acute angle", function()
    local world = broadside.newWorld()
    world:insert(10, -12, 2, 24, { static = true })
    world:insertCircle(5, -3, 1.5, { static = true })
    local ball = world:insertCircle(8, 4, 2, { response = "bounce", vy = -16 })
    local start = { 6, 2 }
    local x, y, hits, n = world:check(ball, 6, -14, { bounce = 1 })
    assert.equal(2, n)
    local corner = { hits[1].x, hits[1].y }
    local length = distance(start, corner) + distance(corner, { x, y })
    assert.is_true(math.abs(length - 16) < 1e-9)
    world:step(1)
    local vx, vy = ball:getVelocity()
    assert.is_true(math.abs(vx * vx + vy * vy - 256) < 1e-9)
  end)

  -- Rounding may make the gap a little wider than the box, which would take many bounces.
  it("goes on along two walls between which it just fits, at any scale", function()
    for _, scale in ipairs({ 1, 0.37, 0.1, 1 / 3 }) do
      for i = 1, 40 do
        local world, at = broadside.newWorld(), i * scale
        world:insert(at - 2 * scale, 0, 2 * scale, 30 * scale)
        world:insert(at + 3 * scale, 0, 2 * scale, 30 * scale)
        local box = world:insert(at, scale, 3 * scale, 3 * scale)
        if #world:queryBox(box) == 0 then
          local _, y = world:check(box, at + 5 * scale, 20 * scale, { bounce = 1 })
          assert.equal(20 * scale, y)
        end
      end
    end
  end)
end)

-- Rest -------------------------------------------------------------------------------------------

-- False if the two meet only at an edge or corner of both. Nothing rests on that.
local function isBeside(run, row)
  local a, b = { run.box:getRect() }, { row.other:getRect() }
  local dim, beside = run.scene.dim, true
  for axis, x in ipairs(row.normal) do
    local deep = math.min(a[axis] + a[axis + dim] - b[axis], b[axis] + b[axis + dim] - a[axis])
    beside = beside and (x ~= 0 or deep > scenes.largest(run) * ROUNDING)
  end
  return beside
end

-- The rows of what stopped the box where its way ended.
local function restingRows(run)
  local rows = {}
  for _, row in ipairs(run.rows) do
    local solid = isSolid(row) and row.response ~= "bounce" and not row.overlap
    if solid and distance(row.place, run.place) == 0 and isBeside(run, row) then
      rows[#rows + 1] = row
    end
  end
  return rows
end

describe("where a way has ended at a side", function()
  it("pressing on is no motion", function()
    each(30, { response = "slide" }, function(s, rng)
      local run = scenes.run(s, scenes.placement(s.dim))
      local place, tolerance = run.place, scenes.largest(run) * ROUNDING
      for _, row in ipairs(restingRows(run)) do
        local goal, far = {}, rng:pick({ 1e-3, 1, 100 })
        for axis, x in ipairs(place) do
          goal[axis] = x - row.normal[axis] * far
        end
        scenes.move(run, goal)
        if distance(place, run.place) > tolerance * math.max(1, far) then
          return ("it goes on by %g"):format(distance(place, run.place))
        end
      end
    end)
  end)

  it("touching tells what the box rests on", function()
    each(30, {}, function(s)
      local run = scenes.run(s, scenes.placement(s.dim))
      for _, row in ipairs(restingRows(run)) do
        for axis, x in ipairs(row.normal) do
          local side = { 0, 0, 0 }
          side[axis] = x > 0 and -1 or 1
          side[run.scene.dim + 1] = function(_, other) return other == row.other and "slide" end
          local other = run.world:touching(run.box, scenes.unpack(side, 1, s.dim + 1))
          if math.abs(x) > 0.51 and other ~= row.other then
            return ("does not touch %d on axis %d"):format(row.index, axis)
          end
        end
      end
    end)
  end)
end)
