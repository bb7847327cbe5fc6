-- What specs of bodies share: steps, rooms, sums over all bodies, and all that can be seen of a
-- world as text.

local compat = require("spec.support.compat")

local bodies = {}

bodies.DT = 1 / 60
bodies.BACKENDS = { "brute", "sweep", "grid", "tree", "auto" }

function bodies.near(expected, got, tolerance, what)
  local isNear = math.abs(expected - got) <= (tolerance or 1e-9)
  if not isNear then
    error(("%s%.17g expected, got %.17g"):format(what and what .. ": " or "", expected, got), 2)
  end
end

-- Steps n times. `each(i)` is called after each step, and ends the loop if it returns true.
function bodies.steps(world, n, each, dt)
  for i = 1, n do
    world:step(dt or bodies.DT)
    if each and each(i) then
      return i
    end
  end
end

-- The same, and nobody may overlap at any time.
function bodies.stepsApart(world, n, each, dt)
  return bodies.steps(world, n, function(i)
    local count = world:countPairs()
    if count > 0 then
      error(("%d overlap after step %d"):format(count, i), 0)
    end
    return each and each(i)
  end, dt)
end

-- A floor at y = 0 under everything, or a shaft with walls at x = 0 and x = width.
function bodies.floor(world, opts)
  opts = opts or {}
  opts.static = true
  return world:insert(-5000, 0, 10000, 50, opts)
end

function bodies.shaft(world, width, opts)
  opts = opts or {}
  opts.static = true
  world:insert(-50, 0, width + 100, 50, opts)
  world:insert(-50, -3000, 50, 3000, opts)
  world:insert(width, -3000, 50, 3000, opts)
end

-- The momentum (a list by axis) and the energy of motion.
function bodies.sums(list)
  local momentum, energy = { 0, 0, 0 }, 0
  for _, body in ipairs(list) do
    local m = body:getMass()
    for axis, v in ipairs({ body:getVelocity() }) do
      momentum[axis] = momentum[axis] + m * v
      energy = energy + m * v * v / 2
    end
  end
  return momentum, energy
end

function bodies.isAtRest(body)
  for _, v in ipairs({ body:getVelocity() }) do
    if v ~= 0 then
      return false
    end
  end
  return true
end

function bodies.allAtRest(list)
  for _, body in ipairs(list) do
    if not bodies.isAtRest(body) then
      return false
    end
  end
  return true
end

-- How many of a list are awake.
function bodies.countAwake(list)
  local n = 0
  for _, body in ipairs(list) do
    n = n + (body:isAwake() and 1 or 0)
  end
  return n
end

local function hex(...)
  local words = compat.pack(...)
  for i = 1, words.n do
    words[i] = ("%.17g"):format(words[i])
  end
  return table.concat(words, " ")
end

-- All bits of where the bodies of a list are and how fast they are, a line each.
function bodies.bits(list)
  local lines = {}
  for i, body in ipairs(list) do
    lines[i] = hex(body:getRect()) .. " | " .. hex(body:getVelocity())
  end
  return lines
end

-- The hits of the last step as text, with the indices of the bodies of a list.
function bodies.hits(world, list)
  local index, lines = {}, {}
  for i, body in ipairs(list) do
    index[body] = i
  end
  for box, other, response, t, nx, ny, a, b, c, d in world:hits() do
    local numbers = d and { t, nx, ny, a, b, c, d } or { t, nx, ny, a, b }
    lines[#lines + 1] = ("%s %s %s %s"):format(tostring(index[box]), tostring(index[other]),
      response, hex(compat.unpack(numbers)))
  end
  return lines
end

-- The first line in which two lists differ, or nil.
function bodies.difference(a, b)
  for i = 1, math.max(#a, #b) do
    if a[i] ~= b[i] then
      return ("row %d: %s is not %s"):format(i, tostring(a[i]), tostring(b[i]))
    end
  end
end

-- A list in random order, and for each place the index that it had.
function bodies.shuffled(rng, n)
  local order = {}
  for i = 1, n do
    order[i] = i
  end
  for i = n, 2, -1 do
    local k = rng:int(1, i)
    order[i], order[k] = order[k], order[i]
  end
  return order
end

-- The distance of two balls' sides.
function bodies.gap(a, b)
  local ax, ay = a:getCenter()
  local bx, by = b:getCenter()
  local _, _, aw = a:getRect()
  local _, _, bw = b:getRect()
  return math.sqrt((ax - bx) ^ 2 + (ay - by) ^ 2) - (aw + bw) / 2
end

return bodies
