-- Compares random transforms with plain arithmetic. It scales, rotates and moves each corner by
-- itself; the result is the rect around them. A quaternion q rotates a point v to q v q* / |q|^2.

local broadside = require("broadside")
local compat = require("spec.support.compat")
local random = require("spec.support.random")

local values = compat.values

-- The product of two quaternions x, y, z, w (Hamilton's rules).
local function product(p, q)
  return {
    p[4] * q[1] + p[1] * q[4] + p[2] * q[3] - p[3] * q[2],
    p[4] * q[2] - p[1] * q[3] + p[2] * q[4] + p[3] * q[1],
    p[4] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[4],
    p[4] * q[4] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
  }
end

local function turnedBy(q, v)
  local square = q[1] * q[1] + q[2] * q[2] + q[3] * q[3] + q[4] * q[4]
  local turned = product(product(q, { v[1], v[2], v[3], 0 }), { -q[1], -q[2], -q[3], q[4] })
  return { turned[1] / square, turned[2] / square, turned[3] / square }
end

local function turnedByAngle(angle, v)
  local c, s = math.cos(angle), math.sin(angle)
  return { c * v[1] - s * v[2], s * v[1] + c * v[2] }
end

-- The corners of a rect x, y, w, h (or x, y, z, w, h, d).
local function corners(rect)
  local dim, list = #rect / 2, {}
  for bits = 0, 2 ^ dim - 1 do
    local corner = {}
    for k = 1, dim do
      local far = math.floor(bits / 2 ^ (k - 1)) % 2
      corner[k] = rect[k] + far * rect[dim + k]
    end
    list[#list + 1] = corner
  end
  return list
end

local function transformed(rect, move, turn, scale)
  local dim = #move
  local lo, hi = {}, {}
  for _, corner in ipairs(corners(rect)) do
    for k = 1, dim do
      corner[k] = corner[k] * scale[k]
    end
    corner = turn(corner)
    for k = 1, dim do
      local at = corner[k] + move[k]
      lo[k] = math.min(lo[k] or at, at)
      hi[k] = math.max(hi[k] or at, at)
    end
  end
  for k = 1, dim do
    lo[dim + k] = hi[k] - lo[k]
  end
  return lo
end

-- Asserts that they are equal up to rounding. All numbers here are below 1e4.
local function expectRect(expected, got, message)
  assert.equal(#expected, #got)
  for i = 1, #expected do
    assert.is_true(math.abs(expected[i] - got[i]) < 1e-9,
      ("%s: %.17g expected as number %d, got %.17g"):format(message, expected[i], i, got[i]))
  end
end

local function anyRect(rng, dim)
  local rect = {}
  for k = 1, dim do
    rect[k], rect[dim + k] = rng:real(-50, 50), rng:real(0.1, 20)
  end
  return rect
end

-- Returns the scales to pass, and the scale for each axis: scales that are left out are the same as
-- the first one, which is 1 if it is left out.
local function anyScales(rng, dim)
  local given, scale = {}, {}
  local n = rng:int(0, dim)
  for k = 1, n do
    given[k] = (rng:chance(0.3) and -1 or 1) * rng:real(0.2, 5)
  end
  for k = 1, dim do
    scale[k] = given[k] or given[1] or 1
  end
  return given, scale
end

local function anyMove(rng, dim)
  local move = {}
  for k = 1, dim do
    move[k] = rng:real(-100, 100)
  end
  return move
end

-- Some components may be 0, and the length is arbitrary.
local function anyQuaternion(rng)
  local q, length = { 0, 0, 0, 0 }, rng:pick({ 1, 0.001, 1000, 1e-200, 1e200 })
  local shape = rng:int(1, 15)
  for i = 1, 4 do
    if math.floor(shape / 2 ^ (i - 1)) % 2 == 1 then
      q[i] = rng:real(-1, 1)
    end
  end
  local scaled = {}
  for i = 1, 4 do
    scaled[i] = q[i] * length
  end
  return q, scaled
end

-- The arguments that follow the rect, and a function that rotates a point.
local function anyTransform(rng, dim)
  local move = anyMove(rng, dim)
  local given, scale = anyScales(rng, dim)
  local turn, arguments
  if dim == 2 then
    local angle = rng:chance(0.2) and 0 or rng:real(-7, 7)
    arguments = compat.concat(move, { angle })
    turn = function(v) return turnedByAngle(angle, v) end
  else
    local q, scaled = anyQuaternion(rng)
    arguments = compat.concat(move, scaled)
    turn = function(v) return turnedBy(q, v) end
  end
  return compat.concat(arguments, given), move, turn, scale
end

for dim = 2, 3 do
  describe(("transforms against plain arithmetic in %dD"):format(dim), function()
    local function each(check)
      for _, seed in ipairs(random.seeds(1)) do
        local rng = random.new(seed)
        for i = 1, 500 do
          local rect = anyRect(rng, dim)
          local arguments, move, turn, scale = anyTransform(rng, dim)
          local expected = transformed(rect, move, turn, scale)
          check(rect, arguments, expected, ("seed %d, number %d"):format(seed, i), rng)
        end
      end
    end

    it("are those of transform", function()
      local transform = dim == 2 and broadside.transform or broadside.transform3
      each(function(rect, arguments, expected, message)
        expectRect(expected, { transform(values(compat.concat(rect, arguments))) }, message)
      end)
    end)

    it("are those of setTransform, of the object rect or of the first one", function()
      local world = broadside.newWorld({ dim = dim })
      each(function(rect, arguments, expected, message, rng)
        local box = world:insert(values(rng:chance(0.5) and rect or anyRect(rng, dim)))
        box:setObjectRect(values(rect))
        box:setTransform(values(arguments))
        expectRect(expected, { box:getRect() }, message)
        box:remove()
      end)
      each(function(rect, arguments, expected, message)
        local box = world:insert(values(rect))
        box:setTransform(values(arguments))
        expectRect(expected, { box:getRect() }, message)
        box:remove()
      end)
    end)
  end)
end
