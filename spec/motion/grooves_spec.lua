-- Grooves in three dimensions: creases between two sides, and pits between three. Where a ball
-- comes to rest in one follows from the distances between middles. Scenes are turned to all axes,
-- scaled, and moved, so that their numbers are not round.

local broadside = require("broadside")
local random = require("spec.support.random")

local ORDERS = { { 1, 2, 3 }, { 2, 3, 1 }, { 3, 1, 2 }, { 2, 1, 3 }, { 1, 3, 2 }, { 3, 2, 1 } }

-- A scene in which down is the second axis.
local Scene = {}
Scene.__index = Scene

local function newScene(rng)
  local s = setmetatable({ order = rng:pick(ORDERS), sign = {}, off = {} }, Scene)
  s.scale = 10 ^ rng:real(-1, 2)
  for k = 1, 3 do
    s.sign[k], s.off[k] = rng:pick({ -1, 1 }), rng:real(-50, 50) * s.scale
  end
  s.world = broadside.newWorld({ dim = 3 })
  return s
end

function Scene:vector(v)
  local out = {}
  for k = 1, 3 do
    out[k] = v[self.order[k]] * self.sign[k] * self.scale
  end
  return out
end

function Scene:point(p)
  local out = self:vector(p)
  for k = 1, 3 do
    out[k] = out[k] + self.off[k]
  end
  return out
end

function Scene:back(x, y, z)
  local at, out = { x, y, z }, {}
  for k = 1, 3 do
    out[self.order[k]] = (at[k] - self.off[k]) / self.scale * self.sign[k]
  end
  return out
end

function Scene:ball(p, r, opts)
  local at = self:point(p)
  return self.world:insertCircle(at[1], at[2], at[3], r * self.scale, opts or { static = true })
end

function Scene:box(lo, hi)
  local a, b = self:point(lo), self:point(hi)
  local r = {}
  for k = 1, 3 do
    r[k], r[k + 3] = math.min(a[k], b[k]), math.abs(a[k] - b[k])
  end
  self.world:insert(r[1], r[2], r[3], r[4], r[5], r[6], { static = true })
end

function Scene:centre(ball)
  return self:back(ball:getCenter())
end

-- Moves a ball by a vector of the scene. It never comes into anything.
function Scene:move(ball, v)
  local by = self:vector(v)
  local x, y, z = ball:getRect()
  self.world:move(ball, x + by[1], y + by[2], z + by[3])
  assert.equal(0, self.world:countPairs())
  return self:centre(ball)
end

local function near(expected, got, where)
  for k = 1, 3 do
    assert.is_true(math.abs(expected[k] - got[k]) <= 1e-6,
      ("%s: %.12g, %.12g, %.12g expected, got %.12g, %.12g, %.12g"):format(where, expected[1],
        expected[2], expected[3], got[1], got[2], got[3]))
  end
end

-- Three balls at the corners of a triangle around 0, 0. Returns how high a ball of radius r lies.
local function pit(s, rng, r)
  local around, radius, angle = rng:real(1, 1.6), rng:real(0.9, 1.5), rng:real(0, 7)
  radius = math.max(radius, around - r / 2) -- It does not fall through between them.
  for i = 0, 2 do
    local a = angle + i * 2 * math.pi / 3
    s:ball({ around * math.cos(a), 0, around * math.sin(a) }, radius)
  end
  return -math.sqrt((radius + r) ^ 2 - around ^ 2)
end

describe("a ball in a groove", function()
  it("between two edges keeps all of its way along them, however it is pressed in", function()
    for _, seed in ipairs(random.seeds(60)) do
      local rng = random.new(seed)
      local s, half = newScene(rng), rng:real(0.1, 0.9)
      s:box({ -9, 0, -60 }, { -half, 3, 60 })
      s:box({ half, 0, -60 }, { 9, 3, 60 })
      local ball = s:ball({ 0, -1.5, 0 }, 1, {})
      local height = -math.sqrt(1 - half * half)
      near({ 0, height, 0 }, s:move(ball, { 0, 5, 0 }), "seed " .. seed)
      local z = 0
      for _ = 1, 20 do
        local along = rng:real(-3, 3)
        z = z + along
        local across = rng:real(-0.3, 0.3) * math.sqrt(1 - half * half)
        near({ 0, height, z }, s:move(ball, { across * half, rng:real(0.5, 2), along }),
          "seed " .. seed)
      end
    end
  end)

  it("between three balls comes to rest at the bottom, and stays", function()
    for _, seed in ipairs(random.seeds(60)) do
      local rng = random.new(seed)
      local s, r = newScene(rng), rng:real(0.5, 1.2)
      local height = pit(s, rng, r)
      local ball = s:ball({ rng:real(-0.2, 0.2), height - 1, rng:real(-0.2, 0.2) }, r, {})
      for _ = 1, 400 do
        s:move(ball, { 0, 0.3, 0 })
      end
      near({ 0, height, 0 }, s:centre(ball), "seed " .. seed)
      for _ = 1, 20 do -- It leans less than the sides do.
        s:move(ball, { rng:real(-0.02, 0.02), 0.3, rng:real(-0.02, 0.02) })
      end
      local at = s:centre(ball)
      assert.is_true(math.abs(at[1]) + math.abs(at[2] - height) + math.abs(at[3]) < 0.05)
    end
  end)

  it("comes to rest there as a body, too", function()
    for _, seed in ipairs(random.seeds(30)) do
      local rng = random.new(seed)
      local s, r = newScene(rng), rng:real(0.5, 1.2)
      local height, g = pit(s, rng, r), s:vector({ 0, 60, 0 })
      s.world:setGravity(g[1], g[2], g[3])
      local ball = s:ball({ rng:real(-0.2, 0.2), height - 0.5, rng:real(-0.2, 0.2) }, r,
        { response = "slide", damping = 3 })
      for _ = 1, 1200 do
        s.world:step(1 / 60)
        assert.equal(0, s.world:countPairs())
      end
      near({ 0, height, 0 }, s:centre(ball), "seed " .. seed)
    end
  end)

  it("between two balls and a wall ends where all three hold it", function()
    for _, seed in ipairs(random.seeds(60)) do
      local rng = random.new(seed)
      local s, r = newScene(rng), rng:real(0.5, 1.2)
      local radius, half = rng:real(1, 2), rng:real(0.4, 0.9)
      s:ball({ -half, 0, radius }, radius)
      s:ball({ half, 0, radius }, radius)
      s:box({ -9, -9, -3 }, { 9, 9, 0 })
      -- Its middle is r from the wall, and above the middle between the balls.
      local height = -math.sqrt((radius + r) ^ 2 - half ^ 2 - (radius - r) ^ 2)
      local ball = s:ball({ rng:real(-0.05, 0.05), height - 1, r + 0.1 }, r, {})
      for _ = 1, 400 do
        s:move(ball, { 0, 0.3, -0.3 })
      end
      near({ 0, height, r }, s:centre(ball), "seed " .. seed)
    end
  end)
end)
