-- Random programs of mixed work, in 2D or 3D, for tests of determinism. They are the same on every
-- Lua.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local random = require("spec.support.random")

local unpack, concat, values = compat.unpack, compat.concat, compat.values

local program = {}

-- Numbers --------------------------------------------------------------------------------------

local SCALES = { 1, 1, 0.5, 0.37, 1e9, 1e19, 1e300, 1e-9, 1e-300, compat.minDouble }

-- Makes coordinates of one scale, some of them with all their digits.
local function numbers(rng, dim)
  local scale = rng:pick(SCALES)
  local draw = {}
  function draw.vector()
    local list = {}
    for i = 1, dim do
      list[i] = (rng:chance(0.7) and rng:int(-12, 12) or rng:real(-12, 12)) * scale
    end
    return list
  end
  function draw.size()
    local list = {}
    for i = 1, dim do
      list[i] = rng:int(1, 5) * scale
    end
    return list
  end
  function draw.length()
    return rng:int(0, 9) * scale
  end
  return draw
end

-- Worlds ---------------------------------------------------------------------------------------

local BACKENDS = { "brute", "sweep", "grid", "tree", "auto" }

local RESPONSES = { "slide", "touch", "bounce", "cross" }
local ONE_WAY = { nil, { 0, -1 }, { 0, -1, 0 } }

local function anyBox(job)
  return job.rng:pick(job.ids)
end

local function anyFilter(job)
  local what = job.rng:int(1, 6)
  if what == 1 then
    return job.rng:pick({ 1, 2, 3, 4294967295 })
  elseif what == 2 then
    return function(id) return id % 3 ~= 0 end
  end
  return nil
end

-- Rules for a move: a mask, masks by response, a function, or nil.
local function anyRules(job)
  local what = job.rng:int(1, 5)
  if what == 1 then
    return job.rng:pick({ 1, 2, 3 })
  elseif what == 2 then
    return { slide = 1, bounce = 2, cross = job.rng:int(0, 3) }
  elseif what == 3 then
    return function(_, other) return RESPONSES[other % 5 + 1] end
  end
  return nil
end

local function sayWay(job, ...)
  local coordinates = { ... }
  local n = table.remove(coordinates)
  local hits = table.remove(coordinates)
  job.say(n, coordinates)
  for i = 1, n do
    local hit = hits[i]
    job.say(hit.other, hit.response, hit.t, hit.overlap, hit.crushed, hit.carried)
    job.say(hit.x, hit.y, hit.z, hit.nx, hit.ny, hit.nz)
  end
end

local changes = {}

function changes.insert(job)
  local rng, draw = job.rng, job.draw
  for _ = 1, rng:pick({ 1, 4, 30 }) do
    local opts = { static = rng:chance(0.3), layer = rng:pick({ 1, 1, 2, 3 }) }
    if rng:chance(0.4) then
      opts.vx, opts.ay = draw.length(), -draw.length()
    end
    if rng:chance(0.3) then
      opts.response, opts.bounce = rng:pick(RESPONSES), rng:pick({ 1, 0.5, 0 })
      opts.oneWay = rng:chance(0.3) and ONE_WAY[job.dim] or nil
      opts.sensor, opts.gravityScale = rng:chance(0.1), rng:pick({ 1, 1, 0, 0.5 })
    end
    job.ids[#job.ids + 1] = job.world:insert(values(concat(draw.vector(), draw.size()), opts))
  end
end

function changes.remove(job)
  local last = #job.ids
  if last > 1 then
    local i = job.rng:int(1, last)
    job.world:remove(job.ids[i])
    job.ids[i] = job.ids[last]
    job.ids[last] = nil
  end
end

function changes.update(job)
  job.world:update(anyBox(job), unpack(job.draw.vector()))
end

function changes.updateMany(job)
  local flat = {}
  for i = 1, #job.ids do
    local place = job.draw.vector()
    for k = 1, job.dim do
      flat[(i - 1) * job.dim + k] = place[k]
    end
  end
  job.world:updateMany(job.ids, flat)
end

function changes.setFilter(job)
  local box = job.world:getBox(anyBox(job))
  box:setFilter(job.rng:int(0, 3), job.rng:pick({ 1, 3, 4294967295 }))
  box:setStatic(job.rng:chance(0.3))
end

function changes.step(job)
  job.world:setGravity(unpack(job.draw.vector()))
  job.world:step(job.rng:pick({ 1, 0.25, 1 / 60 }))
  for box, other, response, t, nx, ny, nz, speed, impulse, x, y, z in job.world:hits() do
    job.say(box, other, response, t, nx, ny, nz, speed, impulse, x, y, z)
  end
end

function changes.setConduct(job)
  local rng = job.rng
  local box = job.world:getBox(anyBox(job))
  box:setResponse(rng:chance(0.8) and rng:pick(RESPONSES) or nil)
  box:setBounce(rng:pick({ 1, 0.9, 0 }))
  box:setSensor(rng:chance(0.1))
  box:setGravityScale(rng:pick({ 1, 1, 0, 0.5 }))
  box:setOneWay(unpack(rng:chance(0.3) and ONE_WAY[job.dim] or {}))
end

function changes.move(job)
  for _ = 1, 4 do
    local way = concat({ anyBox(job) }, job.draw.vector())
    sayWay(job, job.world:move(values(way, anyRules(job), job.hits)))
  end
end

function changes.moveMany(job)
  local goals = {}
  for _ = 1, #job.ids do
    goals = concat(goals, job.draw.vector())
  end
  job.say(job.world:moveMany(job.ids, goals, anyRules(job), job.out))
end

function changes.push(job)
  local way = concat({ anyBox(job) }, job.draw.vector())
  sayWay(job, job.world:push(values(way, anyRules(job), job.hits)))
end

function changes.setBackend(job)
  job.world:setBackend(job.rng:pick(BACKENDS))
end

-- Any angle, or in 3D any quaternion.
local function anyTurn(job)
  local rng = job.rng
  if job.dim == 2 then
    return { rng:real(-1, 1) * rng:pick({ 4, 1000, 1e6, 1e300 }) }
  end
  return { rng:real(-1, 1), rng:real(-1, 1), rng:real(-1, 1), rng:real(0.1, 1) }
end

function changes.transform(job)
  local rng, box = job.rng, job.world:getBox(anyBox(job))
  local opts = concat(job.draw.vector(), rng:chance(0.7) and anyTurn(job) or {})
  local ok = pcall(box.setTransform, box, unpack(opts)) -- the box may have no finite place then
  job.say(ok, box:getRect())
end

-- A circle needs equal sizes, and not all corners make a polygon. Otherwise this is an error.
function changes.setShape(job)
  local box, draw = job.world:getBox(anyBox(job)), job.draw
  local kind = job.rng:pick({ "box", "circle", "circle", "polygon", "polygon" })
  local corners = concat(draw.vector(), concat(draw.vector(), draw.vector()))
  job.say((pcall(box.setShape, box, kind, kind == "circle" and draw.length() or corners)))
  for _, value in ipairs((job.world:debugShapes(job.out))) do
    job.say(value)
  end
end

function changes.resolve(job)
  job.say(job.world:resolve(anyBox(job)))
end

local questions = {}

-- Reports pairs in the order of the back end, or sorted, if the job says so.
function questions.pairs(job)
  local out, n = job.world:collectPairs(job.out)
  if not job.sortsPairs then
    job.say(out, n)
    return
  end
  local list = {}
  for i = 1, n do
    list[i] = { out[2 * i - 1], out[2 * i] }
  end
  table.sort(list, function(p, q) return p[1] < q[1] or p[1] == q[1] and p[2] < q[2] end)
  for _, pair in ipairs(list) do
    job.say(pair)
  end
end

function questions.contacts(job)
  for phase, p, q in job.world:contacts() do
    job.say(phase, p, q)
  end
end

function questions.queryRect(job)
  local rect = concat(job.draw.vector(), job.draw.size())
  job.say(job.world:queryRect(values(rect, anyFilter(job), job.out)))
end

function questions.queryCircle(job)
  local circle = concat(job.draw.vector(), { job.draw.length() })
  job.say(job.world:queryCircle(values(circle, anyFilter(job), job.out)))
end

function questions.nearest(job)
  local point = concat(job.draw.vector(), { job.rng:int(1, 6) })
  job.say(job.world:nearest(values(point, anyFilter(job), nil, job.out)))
end

function questions.segments(job)
  local segment = concat(job.draw.vector(), job.draw.vector())
  job.say(job.world:segmentCast(values(segment, anyFilter(job))))
  job.say(job.world:querySegment(values(segment, anyFilter(job), job.out)))
end

function questions.sweep(job)
  job.say(job.world:sweep(anyBox(job), values(job.draw.vector(), anyFilter(job))))
end

function questions.check(job)
  local way = concat({ anyBox(job) }, job.draw.vector())
  sayWay(job, job.world:check(values(way, anyRules(job), job.hits)))
end

function questions.places(job)
  local side = { 0, 0, job.dim == 3 and 0 or nil }
  side[job.rng:int(1, job.dim)] = job.rng:pick({ -1, 1 })
  job.say(job.world:touching(anyBox(job), values(side, anyRules(job))))
  local place = concat(job.draw.vector(), job.draw.size())
  local box, rules = anyBox(job), anyRules(job)
  -- A circle needs equal sizes. The text of the error is not reported.
  local ok, fits, other = pcall(job.world.canFit, job.world, box, values(place, rules))
  job.say(ok, ok and fits, ok and other)
end

function questions.contents(job)
  job.say(job.world:getRects(job.ids, job.out))
end

-- Pools ----------------------------------------------------------------------------------------

local function newPool(job)
  local dim = job.dim
  local seed = broadside.newModel({ dim = dim, speed = 1, life = 4 })
  local model = broadside.newModel({
    dim = dim, speed = 2, ax = 0.5, life = 9,
    emitters = { { delay = 1, cycle = 2, count = 3, model = seed, relative = true, angle = 2,
      nway = 2, nwayAngle = 0.3 } },
  })
  local depth = dim == 3 and 1 or nil
  local pool = broadside.newPool({ dim = dim, capacity = 100, w = 1, h = 1, d = depth })
  local angle = job.rng:real(-1, 1) * job.rng:pick({ 4, 1e6, 1e300 })
  pool:newEmitter({ cycle = 3, nway = 2, nwayAngle = 0.1, circle = 3, angle = angle,
    model = model })
  return pool
end

function changes.spawn(job)
  job.pool:spawn(values(concat(job.draw.vector(), job.draw.vector()), { life = 5 }))
end

function changes.pool(job)
  job.say(job.pool:step(job.rng:pick({ 1, 0.25 })))
  job.say(job.pool:collect(job.out))
  for id, box, t, x, y in job.pool:hits(job.world) do
    job.say(id, box, t, x, y)
  end
  local rect = concat(job.draw.vector(), job.draw.size())
  for id, t in job.pool:hitsRect(unpack(rect)) do
    job.say(id, t)
  end
end

-- All of it ------------------------------------------------------------------------------------

program.backends = BACKENDS

local function sorted(list)
  local names = {}
  for name in pairs(list) do
    names[#names + 1] = name
  end
  table.sort(names)
  return names
end

local QUESTIONS, CHANGES, CHANGES_OF_WORLDS = sorted(questions), sorted(changes), {}
for _, name in ipairs(CHANGES) do
  if name ~= "pool" and name ~= "spawn" then
    CHANGES_OF_WORLDS[#CHANGES_OF_WORLDS + 1] = name
  end
end

-- A program with a world that has some boxes, and a pool. It calls `say` with every answer.
function program.new(dim, backend, seed, say, hasPool)
  local rng = random.new(seed)
  local job = { dim = dim, rng = rng, draw = numbers(rng, dim), ids = {}, out = {}, hits = {},
    say = say }
  job.world = broadside.newWorld({ dim = dim, backend = backend, results = "id" })
  job.pool = hasPool and newPool(job)
  changes.insert(job)
  return job
end

-- Makes a change, and asks a question.
function program.turn(job)
  changes[job.rng:pick(job.pool and CHANGES or CHANGES_OF_WORLDS)](job)
  questions[job.rng:pick(QUESTIONS)](job)
end

return program
