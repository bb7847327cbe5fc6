--- scenes.lua: the boxes of ../scenes.c and how they move, made by the same generator.
--
-- All coordinates, sizes and velocities are multiples of 1/256, so every library sees the same
-- boxes.

local scenes = {}

local floor, sqrt = math.floor, math.sqrt
local STEP = 1 / 256
local AREA_PER_BOX = 600 * 400 / 1024
local FIXED_SIDE = 32

--- Workloads by name. With an area per box the world is as large as that needs; without, it has the
-- size w x h. `cells` are the cell sizes that suit bump.lua and shash best (24 and 32 by default).
scenes.specs = {
  S2 = { n = 1024, w = 600, h = 400, moving = 0.5, what = "half move" },
  S3 = { n = 1024, w = 600, h = 400, moving = 1, what = "all move" },
  S10 = { n = 8192, area = AREA_PER_BOX, moving = 0.5, what = "8,192, half move" },
  S13 = {
    n = 22000, fixed = 2000, w = 2400, h = 1600, least = 4, greatest = 4, moving = 1, speed = 40,
    cells = { 32, 32 }, what = "20,000 movers, 2,000 blocks",
  },
  dense5k = { n = 5000, area = AREA_PER_BOX, moving = 0.5, what = "5,000 boxes, dense" },
  sparse5k = {
    n = 5000, area = 10 * AREA_PER_BOX, moving = 0.5, cells = { 32, 64 },
    what = "5,000 boxes, sparse",
  },
  dense100k = { n = 100000, area = AREA_PER_BOX, moving = 0.5, what = "100,000 boxes, dense" },
}

local Scene = {}
Scene.__index = Scene

--- A number in the open interval (0, 1). Its products are exact in a double.
function Scene:random()
  self.state = self.state * 48271 % 2147483647
  return self.state / 2147483647
end

--- A multiple of 1/256 in [lo, hi).
function Scene:between(lo, hi)
  return lo + floor(self:random() * (hi - lo) / STEP) * STEP
end

local function drawBox(scene, i)
  local isFixed = i <= scene.fixed
  local w = isFixed and FIXED_SIDE or scene:between(scene.least, scene.greatest)
  local h = isFixed and FIXED_SIDE or scene:between(scene.least, scene.greatest)
  scene.w[i], scene.h[i] = w, h
  scene.x[i] = scene:between(0, scene.width - w)
  scene.y[i] = scene:between(0, scene.height - h)
  scene.vx[i] = scene:between(-scene.speed, scene.speed)
  scene.vy[i] = scene:between(-scene.speed, scene.speed)
end

--- A new scene: boxes 1 to n in x, y, w, h; `movers` are the indices of those that move.
function scenes.new(name, seed)
  local spec = scenes.specs[name]
  local scene = setmetatable({
    name = name, what = spec.what, n = spec.n, fixed = spec.fixed or 0, speed = spec.speed or 2,
    least = spec.least or 5, greatest = spec.greatest or 30, width = spec.w, height = spec.h,
    cells = spec.cells or { 24, 32 },
    state = seed % 2147483646.0 + 1.0,
    x = {}, y = {}, w = {}, h = {}, vx = {}, vy = {}, movers = {},
  }, Scene)
  if spec.area then
    local height = sqrt(spec.area * spec.n / 1.5)
    scene.width, scene.height = floor(1.5 * height), floor(height)
  end
  for _ = 1, 16 do
    scene:random()
  end
  for i = 1, scene.n do
    drawBox(scene, i)
    if i > scene.fixed and floor(i * spec.moving) > floor((i - 1) * spec.moving) then
      scene.movers[#scene.movers + 1] = i
    end
  end
  return scene
end

--- The next place of a box on an axis, and its velocity. It turns at the walls.
local function bounce(at, v, size, limit)
  local to = at + v
  if to < 0 or to + size > limit then
    return at - v, -v
  end
  return to, v
end

--- Moves the boxes on. Returns the new places of the movers: {x1, y1, x2, y2, ...}.
function Scene:advance(out)
  local x, y, vx, vy = self.x, self.y, self.vx, self.vy
  out = out or {}
  for k, i in ipairs(self.movers) do
    x[i], vx[i] = bounce(x[i], vx[i], self.w[i], self.width)
    y[i], vy[i] = bounce(y[i], vy[i], self.h[i], self.height)
    out[2 * k - 1], out[2 * k] = x[i], y[i]
  end
  return out
end

--- Makes n segments of that length within the world: {x1, y1, x2, y2, ...}.
function Scene:ways(n, length, size)
  local ways = {}
  while #ways < 4 * n do
    local angle = self:random() * 2 * math.pi
    local x, y = self:between(0, self.width - size), self:between(0, self.height - size)
    local x2, y2 = x + length * math.cos(angle), y + length * math.sin(angle)
    if x2 >= 0 and y2 >= 0 and x2 + size <= self.width and y2 + size <= self.height then
      local k = #ways
      ways[k + 1], ways[k + 2], ways[k + 3], ways[k + 4] = x, y, x2, y2
    end
  end
  return ways
end

--- Makes n squares: {x1, y1, w1, h1, ...}.
function Scene:squares(n, side)
  local list = {}
  for k = 1, 4 * n, 4 do
    list[k], list[k + 1] = self:between(0, self.width - side), self:between(0, self.height - side)
    list[k + 2], list[k + 3] = side, side
  end
  return list
end

return scenes
