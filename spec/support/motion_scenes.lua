-- Random scenes for the laws of movement: some boxes, circles and polygons, one more of these that
-- moves among them, and its goal. A scene is plain data. It is built through a placement, which
-- scales, mirrors, turns and moves it, so that two worlds can be compared.
--
-- A law must hold by itself: nothing here computes where a move ends.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local random = require("spec.support.random")

local unpack, values = compat.unpack, compat.values

local scenes = {}

-- The layer of a thing says how it responds. A sensor is crossed, whatever its layer asks for.
scenes.LAYER = { slide = 1, bounce = 2, touch = 4, cross = 8, none = 16, sensor = 7 }
local FILTER = { slide = 1, bounce = 2, touch = 4, cross = 8 }

local function vector(dim, f)
  local v = {}
  for axis = 1, dim do
    v[axis] = f(axis)
  end
  return v
end

-- Things -----------------------------------------------------------------------------------------
-- { "box", lo, size }, { "circle", centre, r }, { "polygon", corners }; with `met`: its response.

-- Kinds of coordinates. `even`: two things tie only by chance.
scenes.kinds = {
  { name = "anywhere", even = true, make = function(rng)
    return function() return rng:real(-10, 10) end, function() return rng:real(0.5, 5) end
  end },
  { name = "whole numbers", make = function(rng)
    return function() return rng:int(-8, 8) end, function() return rng:int(1, 4) end
  end },
  { name = "tiles", make = function(rng)
    return function() return rng:int(-6, 6) * 1.6 end, function() return 1.6 end
  end },
  { name = "small and large", even = true, make = function(rng)
    return function() return rng:real(-10, 10) end,
      function() return math.exp(rng:real(math.log(0.02), math.log(12))) end
  end },
  { name = "a million away", even = true, far = 1e6, make = function(rng)
    return function(axis) return 1e6 * (axis - 2.5) + rng:real(-10, 10) end,
      function() return rng:real(0.5, 5) end
  end },
}

local function anyThing(rng, dim, coord, size)
  local what = rng:int(1, 3)
  local at = vector(dim, coord)
  if what == 1 then
    return { "box", at, vector(dim, size) }
  elseif what == 2 or dim == 3 then
    return { "circle", at, size() / 2 }
  end
  return { "polygon", random.polygon(rng, at[1], at[2], size() / 2, size() / 2) }
end

local function anyResponse(rng, mixed, all)
  return mixed and rng:pick({ "slide", "slide", "touch", "bounce", "cross" }) or all
end

-- Makes a scene. opts: boxes = true (no shapes), response (of all), free = true (overlaps nothing)
function scenes.any(rng, dim, kind, opts)
  local coord, size = kind.make(rng)
  local plain = opts.boxes or rng:chance(0.2)
  local function thing()
    return plain and { "box", vector(dim, coord), vector(dim, size) }
      or anyThing(rng, dim, coord, size)
  end
  local response = opts.response or rng:pick({ "slide", "slide", "bounce", "touch" })
  local mixed = not opts.response and rng:chance(0.25)
  local s = { dim = dim, kind = kind, things = {}, mover = thing(), bounce = 1 }
  s.bounce = rng:pick({ 1, 1, 0.5, 0 })
  s.motion = vector(dim, function()
    return rng:chance(0.15) and 0 or kind.even and rng:real(-15, 15) or rng:int(-15, 15)
  end)
  for i = 1, rng:int(1, 12) do
    s.things[i] = thing()
    s.things[i].met = anyResponse(rng, mixed, response)
  end
  if opts.free or rng:chance(0.7) then
    scenes.free(s)
  end
  return s
end

-- Placements -------------------------------------------------------------------------------------
-- Axis i of the world is axis order[i] of the scene, times sign[i] times scale, plus offset[i].

function scenes.placement(dim, changes)
  changes = changes or {}
  return {
    scale = changes.scale or 1,
    order = changes.order or vector(dim, function(axis) return axis end),
    sign = changes.sign or vector(dim, function() return 1 end),
    offset = changes.offset or vector(dim, function() return 0 end),
  }
end

function scenes.vectorIn(p, v)
  return vector(#v, function(i) return p.sign[i] * v[p.order[i]] * p.scale end)
end

local function pointIn(p, v)
  local out = scenes.vectorIn(p, v)
  for i = 1, #out do
    out[i] = out[i] + p.offset[i]
  end
  return out
end

local function insertBox(world, p, thing, opts)
  local far = vector(#thing[2], function(i) return thing[2][i] + thing[3][i] end)
  local a, b = pointIn(p, thing[2]), pointIn(p, far)
  local lo = vector(#a, function(i) return math.min(a[i], b[i]) end)
  local size = vector(#a, function(i) return thing[3][p.order[i]] * p.scale end)
  return world:insert(values(compat.concat(lo, size), opts))
end

local function insertPolygon(world, p, thing, opts)
  local flat = {}
  for i = 1, #thing[2], 2 do
    local corner = pointIn(p, { thing[2][i], thing[2][i + 1] })
    flat[i], flat[i + 1] = corner[1], corner[2]
  end
  return world:insertPolygon(flat, opts)
end

function scenes.insert(world, p, thing, opts)
  if thing[1] == "box" then
    return insertBox(world, p, thing, opts)
  elseif thing[1] == "polygon" then
    return insertPolygon(world, p, thing, opts)
  end
  local centre = pointIn(p, thing[2])
  centre[#centre + 1] = thing[3] * p.scale
  return world:insertCircle(values(centre, opts))
end

-- Removes the things that the mover overlaps at the start.
function scenes.free(s)
  local world, p = broadside.newWorld({ dim = s.dim, results = "data" }), scenes.placement(s.dim)
  for _, thing in ipairs(s.things) do
    scenes.insert(world, p, thing, { data = thing })
  end
  local inside = {}
  for _, thing in ipairs((world:queryBox(scenes.insert(world, p, s.mover)))) do
    inside[thing] = true
  end
  for i = #s.things, 1, -1 do
    if inside[s.things[i]] then
      table.remove(s.things, i)
    end
  end
end

-- Runs -------------------------------------------------------------------------------------------

local function overlapped(run)
  local set = {}
  for _, box in ipairs((run.world:queryBox(run.box, 7))) do
    set[box] = true
  end
  return set
end

local function rowOf(hit, dim)
  local normal, place = { hit.nx, hit.ny, hit.nz }, { hit.x, hit.y, hit.z }
  assert(#normal == dim and #place == dim)
  return {
    index = hit.other:getData(), other = hit.other, response = hit.response, t = hit.t,
    overlap = hit.overlap, normal = normal, place = place,
  }
end

-- Makes a world with the scene. bystanders: things that are crossed, sensors, or not hit.
function scenes.build(s, p, bystanders, backend)
  local run = { world = broadside.newWorld({ dim = s.dim, backend = backend }), scene = s }
  local both = bystanders or {}
  for i = 1, math.max(#s.things, #both) do -- so that there are bystanders before and after things
    local other = both[i]
    if other then
      scenes.insert(run.world, p, other,
        { data = 0, layer = scenes.LAYER[other.met], sensor = other.met == "sensor" })
    end
    local thing = s.things[i]
    if thing then
      scenes.insert(run.world, p, thing,
        { data = i, layer = scenes.LAYER[thing.met], static = true })
    end
  end
  run.box = scenes.insert(run.world, p, s.mover, { bounce = s.bounce })
  return run
end

-- The place of a box: its near corner.
function scenes.placeOf(box, dim)
  local rect = { box:getRect() }
  return vector(dim, function(axis) return rect[axis] end)
end

-- Moves the box of a run to a goal. Returns `place` and `rows`, without rows of bystanders.
function scenes.move(run, goal)
  local dim = run.scene.dim
  local answer = { run.world:move(run.box, values(goal, FILTER)) }
  run.goal = goal
  run.place = vector(dim, function(axis) return answer[axis] end)
  run.rows = {}
  for i = 1, answer[dim + 2] do
    local row = rowOf(answer[dim + 1][i], dim)
    if row.index > 0 then
      run.rows[#run.rows + 1] = row
    end
  end
  return run
end

function scenes.run(s, p, bystanders, backend)
  local run = scenes.build(s, p, bystanders, backend)
  run.start = scenes.placeOf(run.box, s.dim)
  run.before = overlapped(run)
  local motion = scenes.vectorIn(p, s.motion)
  scenes.move(run, vector(s.dim, function(axis) return run.start[axis] + motion[axis] end))
  run.after = overlapped(run)
  return run
end

-- The greatest coordinate around, to which rounding is relative.
function scenes.largest(run)
  local largest = 0
  for box in run.world:boxes() do
    for _, x in ipairs({ box:getRect() }) do
      largest = math.max(largest, math.abs(x))
    end
  end
  for _, x in ipairs(run.goal or {}) do
    largest = math.max(largest, math.abs(x))
  end
  return largest
end

-- Telling ----------------------------------------------------------------------------------------

local function number(x)
  return ("%.17g"):format(x)
end

local function flat(list)
  local out = {}
  for i, x in ipairs(list) do
    out[i] = number(x)
  end
  return table.concat(out, ", ")
end

local function insertion(s, thing, opts)
  if thing[1] == "polygon" then
    return ("w:insertPolygon({%s}, %s)"):format(flat(thing[2]), opts)
  elseif thing[1] == "circle" then
    return ("w:insertCircle(%s, %s, %s)"):format(flat(thing[2]), number(thing[3]), opts)
  end
  assert(s.dim == #thing[3])
  return ("w:insert(%s, %s, %s)"):format(flat(thing[2]), flat(thing[3]), opts)
end

-- The scene as Lua code that plays it.
function scenes.code(s)
  local lines = { ("local w = require('broadside').newWorld({ dim = %d })"):format(s.dim) }
  for i, thing in ipairs(s.things) do
    lines[#lines + 1] = insertion(s, thing,
      ("{ data = %d, layer = %d, static = true }"):format(i, scenes.LAYER[thing.met]))
  end
  lines[#lines + 1] = "local box = " .. insertion(s, s.mover, ("{ bounce = %g }"):format(s.bounce))
  lines[#lines + 1] = "local p = { box:getRect() }"
  local goal = {}
  for axis, by in ipairs(s.motion) do
    goal[axis] = ("p[%d] + %s"):format(axis, number(by))
  end
  lines[#lines + 1] = ("print(w:move(box, %s, { slide = 1, bounce = 2, touch = 4, cross = 8 }))")
    :format(table.concat(goal, ", "))
  return table.concat(lines, "\n")
end

-- Checks a law for many scenes. A scene for which it fails is shown as code that plays it, after
-- everything has been left out that is not needed. law(scene, rng) returns nil, or what is wrong.
function scenes.each(dim, kind, opts, count, law)
  for _, seed in ipairs(random.seeds(count)) do
    local s = scenes.any(random.new(seed * 16 + dim), dim, kind, opts)
    local wrong = law(s, random.new(seed))
    if wrong then
      for i = #s.things, 1, -1 do
        local thing = table.remove(s.things, i)
        local still = law(s, random.new(seed))
        wrong = still or wrong
        if not still then
          table.insert(s.things, i, thing)
        end
      end
      error(("%s, seed %d: %s\n%s"):format(kind.name, seed, wrong, scenes.code(s)), 0)
    end
  end
end

scenes.unpack = unpack

return scenes
