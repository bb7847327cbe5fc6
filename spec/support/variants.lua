-- One scene in many variants: turned to any of the four sides, mirrored, larger or smaller, and
-- elsewhere. A scene is written in its own numbers, with y downwards; a variant puts it into a
-- world, where its numbers are no longer round. Also finds what overlaps by arithmetic of its own.

local broadside = require("broadside")
local walker = require("broadside.walker")

local variants = {}

local Variant = {}
Variant.__index = Variant

local COSINE, SINE = { [0] = 1, 0, -1, 0 }, { [0] = 0, 1, 0, -1 }

-- The variant that changes nothing.
function variants.plain()
  return { quarter = 0, mirror = 1, scale = 1, x = 0, y = 0 }
end

function variants.random(rng)
  local far = rng:pick({ 0, 1, 1e3, 1e6 })
  return { quarter = rng:int(0, 3), mirror = rng:pick({ -1, 1 }), scale = 10 ^ rng:real(-2, 3),
    x = rng:real(-far, far), y = rng:real(-far, far) }
end

function variants.describe(v)
  return ("quarter %d, mirror %d, scale %g, at %g, %g"):format(v.quarter, v.mirror, v.scale, v.x,
    v.y)
end

-- Makes a world for a variant, and what puts a scene into it.
function variants.new(v)
  local s = setmetatable({ world = broadside.newWorld(), v = v, pieces = {} }, Variant)
  s.scale = v.scale
  s.up = { s:turn(0, -1) }
  s.up[1], s.up[2] = s.up[1] + 0, s.up[2] + 0
  return s
end

function Variant:turn(x, y)
  local cosine, sine = COSINE[self.v.quarter], SINE[self.v.quarter]
  x = x * self.v.mirror
  return cosine * x - sine * y, sine * x + cosine * y
end

function Variant:vector(x, y)
  local dx, dy = self:turn(x, y)
  return dx * self.scale, dy * self.scale
end

function Variant:point(x, y)
  local dx, dy = self:vector(x, y)
  return self.v.x + dx, self.v.y + dy
end

function Variant:back(x, y, isVector)
  local v = self.v
  if not isVector then x, y = x - v.x, y - v.y end
  local cosine, sine = COSINE[v.quarter], SINE[v.quarter]
  return (cosine * x + sine * y) / v.scale * v.mirror, (cosine * y - sine * x) / v.scale
end

function Variant:rect(x, y, w, h)
  local x1, y1 = self:point(x, y)
  local x2, y2 = self:point(x + w, y + h)
  return math.min(x1, x2), math.min(y1, y2), math.abs(x2 - x1), math.abs(y2 - y1)
end

-- What inserts pieces. Those that are static, and have no one-way side, must not be overlapped.
function Variant:box(x, y, w, h, opts)
  local left, top, width, height = self:rect(x, y, w, h)
  local box = self.world:insert(left, top, width, height, opts or { static = true })
  if not (opts and opts.oneWay) then self.pieces[#self.pieces + 1] = box end
  return box
end

function Variant:polygon(flat, opts)
  local points = {}
  for i = 1, #flat, 2 do
    points[i], points[i + 1] = self:point(flat[i], flat[i + 1])
  end
  return self.world:insertPolygon(points, opts or { static = true })
end

-- Bodies of a kind whose feet are at x, y. Circles have one size; the bevelled have polygons' feet.
function Variant:body(kind, x, y, w, h)
  if kind == "circle" then
    local middleX, middleY = self:point(x, y - w / 2)
    return self.world:insertCircle(middleX, middleY, w / 2 * self.scale)
  elseif kind == "bevelled" then
    local l, r, t, b = x - w / 2, x + w / 2, y - h, y
    return self:polygon({ l, t, r, t, r, b - w / 8, r - w / 8, b, l + w / 8, b, l, b - w / 8 }, {})
  end
  local left, top, width, height = self:rect(x - w / 2, y - h, w, h)
  return self.world:insert(left, top, width, height)
end

-- Puts a body's feet to a place, without changing its sizes.
function Variant:put(box, x, y)
  local _, _, w, h = self:place(box)
  local left, top = self:rect(x - w / 2, y - h, w, h)
  self.world:update(box, left, top)
end

-- The middle of a body's lower side in the scene's numbers, and its sizes.
function Variant:feet(box)
  local x, y, w, h = self:place(box)
  return x + w / 2, y + h
end

-- The upper left corner of a box in the scene's numbers, and its sizes.
function Variant:place(box)
  local x, y, w, h = box:getRect()
  local x1, y1 = self:back(x, y)
  local x2, y2 = self:back(x + w, y + h)
  return math.min(x1, x2), math.min(y1, y2), math.abs(x2 - x1), math.abs(y2 - y1)
end

-- Moves a box by a way until something stops it.
function Variant:moveBy(box, x, y)
  local left, top = box:getRect()
  local dx, dy = self:vector(x, y)
  self.world:move(box, left + dx, top + dy)
end

-- Makes a walker. Lengths in opts are the scene's.
function Variant:walker(box, opts)
  for _, name in ipairs({ "snap", "stepHeight", "nudge" }) do
    opts[name] = opts[name] and opts[name] * self.scale
  end
  opts.up = self.up
  return walker.new(self.world, box, opts)
end

-- Walks for a frame. The speed that remains is kept in s.vx and s.vy. Gravity is 1000.
function Variant:walk(hero, vx, vy, dt)
  local x, y = hero:walk(select(1, self:vector(vx, vy)), select(2, self:vector(vx, vy)), dt)
  self.vx, self.vy = self:back(x, y, true)
end

-- A piece that a box overlaps by arithmetic on the two rectangles, or nil.
function Variant:overlapped(box)
  local x, y, w, h = box:getRect()
  for _, piece in ipairs(self.pieces) do
    local x2, y2, w2, h2 = piece:getRect()
    if x < x2 + w2 and x2 < x + w and y < y2 + h2 and y2 < y + h then return piece end
  end
end

return variants
