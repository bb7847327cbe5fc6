-- Who is pressed into a corner, or before a gap, by the same wish in each frame ends at one place,
-- and is never led against the wish. The corners are blunt and sharp, between sides of all kinds.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local random = require("spec.support.random")
local walker = require("broadside.walker")

local unpack = compat.unpack

local FRAMES, LAST = 300, 12 -- In the last ones it rests.

-- Vectors ----------------------------------------------------------------------------------------

local function dot(a, b)
  local sum = 0
  for k = 1, #a do
    sum = sum + a[k] * b[k]
  end
  return sum
end

-- a + b * by
local function plus(a, b, by)
  local out = {}
  for k = 1, #a do
    out[k] = a[k] + b[k] * by
  end
  return out
end

local function unit(a)
  return plus(a, a, 1 / math.sqrt(dot(a, a)) - 1)
end

local function turned(v, angle)
  local c, s = math.cos(angle), math.sin(angle)
  return { c * v[1] - s * v[2], s * v[1] + c * v[2] }
end

local function anyUnit(rng, dim)
  local v = {}
  for k = 1, dim do
    v[k] = rng:real(-1, 1)
  end
  return dot(v, v) > 0.01 and unit(v) or anyUnit(rng, dim)
end

-- A unit vector along an axis.
local function anyAxis(rng, dim)
  local v, axis = {}, rng:int(1, dim)
  for k = 1, dim do
    v[k] = k == axis and rng:pick({ -1, 1 }) or 0
  end
  return v
end

-- Turned away from a unit vector by that angle, anywhere around it.
local function askew(rng, v, angle)
  if #v == 2 then
    return turned(v, rng:pick({ -1, 1 }) * angle)
  end
  local w = anyUnit(rng, 3)
  local across = plus(w, v, -dot(w, v))
  if dot(across, across) < 0.01 then
    return askew(rng, v, angle)
  end
  return plus(plus(v, v, math.cos(angle) - 1), unit(across), math.sin(angle))
end

local function anyAngle(rng, lo, hi)
  local degrees = rng:chance(0.4) and 15 * rng:int(math.ceil(lo / 15), math.floor(hi / 15))
    or rng:real(lo, hi)
  return math.rad(degrees)
end

-- Scenes -----------------------------------------------------------------------------------------
-- A thing is { "box", lo, size }, { "circle", centre, r } or { "polygon", list of points }.

local function ring(centre, r, n, angle)
  local points = {}
  for i = 1, n do
    points[i] = plus(centre, turned({ r, 0 }, angle + 2 * math.pi * i / n), 1)
  end
  return { "polygon", points }
end

local function boxAround(centre, extent)
  return { "box", plus(centre, extent, -0.5), extent }
end

local function anyThing(rng, centre, r)
  local kind = rng:int(1, 3)
  if kind == 1 then
    local extent = {}
    for k = 1, #centre do
      extent[k] = rng:real(0.7, 1.4) * r
    end
    return boxAround(centre, extent)
  elseif kind == 2 and #centre == 2 then
    return ring(centre, r, rng:int(3, 8), rng:chance(0.3) and 0 or rng:real(0, 7))
  end
  return { "circle", centre, r }
end

-- A wide side with that normal through a point: straight, or a large circle.
local function side(rng, at, normal)
  local isUpright = true
  for k = 1, #normal do
    isUpright = isUpright and (normal[k] == 0 or math.abs(normal[k]) == 1)
  end
  local wide = rng:real(20, 60)
  if isUpright and rng:chance(0.6) then
    local extent = {}
    for k = 1, #normal do
      extent[k] = normal[k] == 0 and 2 * wide or wide
    end
    return boxAround(plus(at, normal, -wide / 2), extent)
  elseif #normal == 2 and rng:chance(0.7) then
    local along, points = { -normal[2], normal[1] }, {}
    for i, by in ipairs({ wide, -wide }) do
      points[i] = plus(at, along, by)
      points[5 - i] = plus(points[i], normal, -wide / 2)
    end
    return { "polygon", points }
  end
  return { "circle", plus(at, normal, -wide), wide }
end

-- The sides of a corner around `wish`.
local function wedge(rng, wish, things, first)
  local dim = #wish
  for i = 1, rng:int(2, dim + 1) do
    local normal = i == 1 and first or askew(rng, plus(wish, wish, -2), anyAngle(rng, 3, 75))
    local at = plus(wish, anyUnit(rng, dim), rng:real(0, 1))
    things[#things + 1] = side(rng, at, normal)
  end
end

-- Things beside a gap that is narrower than 1.
local function gap(rng, wish, things)
  local wide = rng:real(0, 0.9)
  for i = 1, #wish == 2 and 2 or rng:int(3, 4) do
    local r = rng:real(0.3, 3)
    local across = #wish == 2 and turned(wish, (i - 1.5) * math.pi)
      or askew(rng, wish, math.pi / 2)
    local centre = plus(plus(wish, across, wide / 2 + r), wish, rng:real(-0.3, 0.3))
    things[#things + 1] = anyThing(rng, centre, r)
  end
end

local function anyScene(seed, dim)
  local rng = random.new(seed)
  local s = { dim = dim, things = {}, seed = seed, scale = 10 ^ rng:real(-2, 3), at = {} }
  local far = rng:pick({ 0, 0, 1, 1000, 1e6 / s.scale })
  for k = 1, dim do
    s.at[k] = rng:real(-far, far)
  end
  local first = rng:chance(0.5) and anyAxis(rng, dim) or anyUnit(rng, dim)
  s.wish = askew(rng, plus(first, first, -2), anyAngle(rng, 0, 75))
  if rng:chance(0.6) then
    wedge(rng, s.wish, s.things, first)
  else
    gap(rng, s.wish, s.things)
  end
  for _ = 1, rng:pick({ 0, 0, 1, 2 }) do
    s.things[#s.things + 1] = anyThing(rng, anyUnit(rng, dim), rng:real(0.1, 2))
  end
  local from = plus(s.wish, anyUnit(rng, dim), rng:real(0, 0.5))
  s.mover = anyThing(rng, plus(from, s.wish, -rng:real(1, 2)), rng:real(0.5, 1))
  s.length = 10 ^ rng:real(-1, 0.5)
  return s
end

-- Inserts a thing, moved on by `by`.
local function insert(world, s, thing, opts, by)
  local function place(p)
    return plus(s.at, plus(p, by or p, by and 1 or 0), 1)
  end
  local function scaled(p)
    return plus(p, p, s.scale - 1)
  end
  local args = {}
  local function add(p)
    for k = 1, #p do
      args[#args + 1] = p[k]
    end
  end
  local kind = thing[1]
  if kind == "box" then
    add(scaled(place(thing[2])))
    add(scaled(thing[3]))
    args[#args + 1] = opts
    return world:insert(unpack(args))
  elseif kind == "circle" then
    add(scaled(place(thing[2])))
    args[#args + 1] = thing[3] * s.scale
    args[#args + 1] = opts
    return world:insertCircle(unpack(args))
  end
  for _, p in ipairs(thing[2]) do
    add(scaled(place(p)))
  end
  return world:insertPolygon(args, opts)
end

-- A world, and its mover outside of all sides, or nil.
local function build(s, opts, worldOpts)
  local world = broadside.newWorld(worldOpts or { dim = s.dim })
  for _, thing in ipairs(s.things) do
    insert(world, s, thing, { static = true })
  end
  local by = plus(s.wish, s.wish, -1)
  for _ = 1, 40 do
    local box = insert(world, s, s.mover, opts, by)
    if #world:queryBox(box) == 0 then
      return world, box
    end
    box:remove()
    by = plus(by, s.wish, -0.5)
  end
end

local function placeOf(box, dim)
  local a = { box:getRect() }
  for k = #a, dim + 1, -1 do
    a[k] = nil
  end
  return a
end

-- Ways to press ----------------------------------------------------------------------------------

local function goalOf(s, box, motion)
  return plus(placeOf(box, s.dim), motion, 1)
end

local PRESS = {
  move = function(s, world, box, motion)
    world:move(box, unpack(goalOf(s, box, motion)))
  end,
  moveMany = function(s, world, box, motion)
    world:moveMany({ box }, goalOf(s, box, motion))
  end,
  step = function(_, world, box, motion)
    box:setVelocity(unpack(motion))
    world:step(1)
  end,
  topDown = function(_, world, box, motion)
    walker.topDown(world, box):walk(motion[1], motion[2], 1)
  end,
}

-- The places of all frames.
local function pressed(s, world, box, press)
  local motion, places = plus(s.wish, s.wish, s.length * s.scale - 1), { placeOf(box, s.dim) }
  for i = 1, FRAMES do
    press(s, world, box, motion)
    places[i + 1] = placeOf(box, s.dim)
  end
  return places
end

local function largest(s, places)
  local most = 0
  for _, p in ipairs(places) do
    for k = 1, s.dim do
      most = math.max(most, math.abs(p[k]))
    end
  end
  return most
end

-- In how many of the last frames it moves otherwise than in the one before, by more than that.
local function unevenFrames(places, by)
  local n = 0
  for i = #places - LAST, #places - 1 do
    local change = plus(plus(places[i - 1], places[i + 1], 1), places[i], -2)
    n = n + (dot(change, change) > by * by and 1 or 0)
  end
  return n
end

-- A direction in which a box that rests can go with the wish, or nil.
local function wayOn(s, world, box)
  local rng, place, step = random.new(s.seed), placeOf(box, s.dim), 1e-3 * s.scale
  for _ = 1, 60 do
    local to = anyUnit(rng, s.dim)
    local goal = plus(place, to, step)
    goal[s.dim + 1] = { touch = true }
    local went = { world:check(box, unpack(goal)) }
    went = plus({ went[1], went[2], s.dim == 3 and went[3] or nil }, place, -1)
    if dot(to, s.wish) > 0.05 and dot(went, went) > (step / 10) ^ 2 then
      return table.concat(to, ", ")
    end
  end
end

-- Asserts the laws of one scene. Returns whether it has come to rest; if not, it goes on.
local function expectLaws(s, world, box, places)
  local rounding = largest(s, places) * 2 ^ -38 + 1e-9 * s.scale
  local function expect(truth, what, by)
    assert(truth, ("seed %d, %dD: %s %s"):format(s.seed, s.dim, what, by))
  end
  for i = 2, #places do
    local along = dot(plus(places[i], places[i - 1], -1), s.wish)
    expect(along >= -rounding, "is led against the wish by", along / s.scale)
  end
  expect(#world:queryBox(box) == 0, "overlaps", #places)
  local moved = plus(places[#places], places[#places - LAST], -1)
  local length = math.sqrt(dot(moved, moved))
  if length <= 1e-6 * s.scale + rounding then
    local way = wayOn(s, world, box)
    expect(way == nil, "rests, and could go on by", way)
    return true
  end
  return false, length
end

-- Presses in many scenes. In 50 and more the share of those in which it comes to rest shows whether
-- the scenes are corners at all; in a dozen it may be anything.
local function expectLawsOfMany(dim, name, share)
  local rests, n = 0, 0
  for _, seed in ipairs(random.seeds(60)) do
    local s = anyScene(seed, dim)
    local world, box = build(s, name == "step" and { response = "slide" } or nil)
    if world then
      local places = pressed(s, world, box, PRESS[name])
      local isAtRest, length = expectLaws(s, world, box, places)
      n, rests = n + 1, rests + (isAtRest and 1 or 0)
      -- On the flat it goes on evenly, but for what it passes.
      assert(isAtRest or dim == 3 or unevenFrames(places, 0.1 * length / LAST) <= 4, seed)
    end
  end
  assert(n < 50 or rests > share * n, rests / n)
end

describe("who is pressed by one wish", function()
  for name in pairs(PRESS) do
    it("is never led against it, and rests where nothing leads on: " .. name, function()
      expectLawsOfMany(2, name, 0.5)
      if name ~= "topDown" then
        expectLawsOfMany(3, name, 0.1)
      end
    end)
  end

  it("ends where it would without bystanders", function()
    for dim = 2, 3 do
      for _, seed in ipairs(random.seeds(20)) do
        local s = anyScene(seed, dim)
        local world, box = build(s)
        local other, twin = build(s)
        local rng = random.new(seed)
        for _ = 1, world and 6 or 0 do
          local thing = anyThing(rng, plus(s.wish, anyUnit(rng, dim), 1), rng:real(0.1, 2))
          insert(other, s, thing, rng:pick({ { sensor = true }, { mask = 0 }, { layer = 0 } }))
        end
        assert.same(world and pressed(s, world, box, PRESS.move),
          other and pressed(s, other, twin, PRESS.move), seed)
      end
    end
  end)

  it("rests in the corner of 120 degrees that it is pressed into", function()
    local world = broadside.newWorld()
    world:insertPolygon({ 0, 0, 0, 300, -100, 300, -100, 0 }, { static = true })
    world:insertPolygon({ 0, 0, 173, -100, 173, -300, 0, -300 }, { static = true })
    local box = world:insert(40, 10, 16, 16)
    for _ = 1, 300 do
      local x, y = box:getRect()
      world:move(box, x - 52 / 60, y - 30 / 60)
    end
    local x, y = box:getRect()
    assert.is_true(math.abs(x) < 1e-9 and math.abs(y) < 1e-9)
  end)

  it("rests between the corners of a gap that is narrower than a circle", function()
    local world = broadside.newWorld()
    world:insert(-32, 40, 29, 16, { static = true })
    world:insert(3, 40, 29, 16, { static = true })
    local ball = world:insertCircle(0.5, 0, 8)
    for _ = 1, 200 do
      local x, y = ball:getRect()
      world:move(ball, x, y + 80 / 60)
    end
    local x, y = ball:getCenter()
    assert.is_true(math.abs(x) < 1e-9 and math.abs(y - (40 - math.sqrt(55))) < 1e-9)
  end)
end)
