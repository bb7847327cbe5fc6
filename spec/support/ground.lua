-- Grounds for walkers: an outline {x1, y1, x2, y2, ...} from left to right, y downwards, as boxes
-- and polygons. Also computes where a box stands on it and how long its way over it is, by
-- arithmetic without casts. Scenes can be turned by quarters, so that any side may be down.

local broadside = require("broadside")
local walker = require("broadside.walker")

local ground = {}

local DEPTH = 2000

-- A random outline from x, 0: faces of up to 45 degrees, some of them short, some level.
function ground.random(rng, x, length)
  local outline, y, last = { x, 0 }, 0, x + length
  while x < last do
    local run = rng:chance(0.5) and rng:real(1, 8) or rng:real(8, 60)
    local slope = rng:chance(0.3) and 0 or math.tan(math.rad(rng:real(-45, 45)))
    x, y = x + run, y + run * slope
    outline[#outline + 1], outline[#outline + 2] = x, y
  end
  return outline
end

-- Inserts its pieces, in a random order.
function ground.insert(scene, outline, rng)
  local order = {}
  for i = 1, #outline - 3, 2 do
    table.insert(order, rng:int(1, #order + 1), i)
  end
  for _, i in ipairs(order) do
    local x1, y1, x2, y2 = outline[i], outline[i + 1], outline[i + 2], outline[i + 3]
    if y1 == y2 then
      scene:box(x1, y1, x2 - x1, DEPTH - y1)
    else
      scene:polygon({ x1, y1, x2, y2, x2, DEPTH, x1, DEPTH })
    end
  end
end

local function levelAt(outline, x)
  for i = 1, #outline - 3, 2 do
    local x1, y1, x2, y2 = outline[i], outline[i + 1], outline[i + 2], outline[i + 3]
    if x <= x2 then
      return y1 + (y2 - y1) * (x - x1) / (x2 - x1)
    end
  end
end

-- The level at which the lower side of a box from x to x + w comes to rest.
function ground.levelUnder(outline, x, w)
  local level = math.min(levelAt(outline, x), levelAt(outline, x + w))
  for i = 1, #outline, 2 do
    if outline[i] > x and outline[i] < x + w then
      level = math.min(level, outline[i + 1])
    end
  end
  return level
end

-- Between two places at which no corner of the ground passes a corner of the box, three levels
-- matter: the ground under its left end, the ground under its right end, and the highest corner in
-- between.
local function addCrossings(outline, w, a, b, cuts)
  local top = math.huge
  for i = 1, #outline, 2 do
    if outline[i] > (a + b) / 2 and outline[i] < (a + b) / 2 + w then
      top = math.min(top, outline[i + 1])
    end
  end
  local lines = {
    { levelAt(outline, a), levelAt(outline, b) },
    { levelAt(outline, a + w), levelAt(outline, b + w) }, { top, top },
  }
  for i = 1, 3 do
    for j = i + 1, 3 do
      local before, after = lines[i][1] - lines[j][1], lines[i][2] - lines[j][2]
      if before * after < 0 then
        cuts[#cuts + 1] = a + (b - a) * before / (before - after)
      end
    end
  end
end

-- The length of the way of a box of width w, from x1 to x2.
function ground.lengthBetween(outline, x1, x2, w)
  local ends = { math.min(x1, x2), math.max(x1, x2) }
  for i = 1, #outline, 2 do
    for _, x in ipairs({ outline[i], outline[i] - w }) do
      if x > math.min(x1, x2) and x < math.max(x1, x2) then
        ends[#ends + 1] = x
      end
    end
  end
  table.sort(ends)
  local cuts, length = {}, 0
  for i = 1, #ends - 1 do
    cuts[#cuts + 1] = ends[i]
    addCrossings(outline, w, ends[i], ends[i + 1], cuts)
  end
  cuts[#cuts + 1] = ends[#ends]
  table.sort(cuts)
  for i = 1, #cuts - 1 do
    local dx = cuts[i + 1] - cuts[i]
    local dy = ground.levelUnder(outline, cuts[i + 1], w) - ground.levelUnder(outline, cuts[i], w)
    length = length + math.sqrt(dx * dx + dy * dy)
  end
  return length
end

-- Scenes ------------------------------------------------------------------------------------------
-- Numbers are in the scene's own directions, in which down is down, even if it is turned.

local Scene = {}
Scene.__index = Scene

local TURNS = {
  [0] = function(x, y) return x, y end,
  function(x, y) return -y, x end,
  function(x, y) return -x, -y end,
  function(x, y) return y, -x end,
}

function ground.newScene(quarter, opts)
  local scene = setmetatable({ turn = TURNS[quarter % 4], back = TURNS[-quarter % 4] }, Scene)
  scene.world = broadside.newWorld(opts)
  scene.up = { scene.turn(0, -1) }
  return scene
end

function Scene:rect(x, y, w, h)
  local x1, y1 = self.turn(x, y)
  local x2, y2 = self.turn(x + w, y + h)
  return math.min(x1, x2), math.min(y1, y2), math.abs(x2 - x1), math.abs(y2 - y1)
end

function Scene:points(flat)
  local out = {}
  for i = 1, #flat, 2 do
    out[i], out[i + 1] = self.turn(flat[i], flat[i + 1])
  end
  return out
end

-- Boxes are static unless opts says otherwise.
local STATIC = { static = true }

function Scene:box(x, y, w, h, opts)
  local left, top, width, height = self:rect(x, y, w, h)
  return self.world:insert(left, top, width, height, opts or STATIC)
end

function Scene:polygon(flat, opts)
  return self.world:insertPolygon(self:points(flat), opts or STATIC)
end

-- Bodies of a kind, w wide and h high, whose feet are at x, y. Circles have one size.
ground.bodies = {
  box = function(scene, x, y, w, h) return scene:box(x - w / 2, y - h, w, h, {}) end,
  circle = function(scene, x, y, w)
    local middleX, middleY = scene.turn(x, y - w / 2)
    return scene.world:insertCircle(middleX, middleY, w / 2)
  end,
  polygon = function(scene, x, y, w, h)
    local l, r, t, b = x - w / 2, x + w / 2, y - h, y
    return scene:polygon({ x, t, r, t + h / 3, r - w / 4, b, l + w / 4, b, l, t + h / 3 }, {})
  end,
}

function Scene:walker(box, opts)
  opts = opts or {}
  opts.up = self.up
  local w = walker.new(self.world, box, opts)
  self.hero, self.body, self.vx, self.vy = w, w.box, 0, 0
  return w
end

-- Walks for one frame. The velocity that remains is kept, as in games.
function Scene:walk(vx, vy, dt)
  local worldX, worldY = self.turn(vx, vy)
  self.vx, self.vy = self.back(self.hero:walk(worldX, worldY, dt or 1 / 60))
end

-- Runs frames at a speed, with gravity.
function Scene:run(frames, vx, each)
  for i = 1, frames do
    self:walk(vx, self.vy + 1000 / 60)
    if each then each(i) end
  end
end

-- Lets the body fall until it stands.
function Scene:land()
  for _ = 1, 600 do
    self:run(1, 0)
    if self.hero.onFloor then return end
  end
  error("it does not land")
end

-- The upper left corner of the body's rectangle in the scene, and its sizes.
function Scene:place(box)
  local x, y, w, h = (box or self.body):getRect()
  local x1, y1 = self.back(x, y)
  local x2, y2 = self.back(x + w, y + h)
  return math.min(x1, x2), math.min(y1, y2), math.abs(x2 - x1), math.abs(y2 - y1)
end

-- The side on which a wall is, as seen in the scene.
function Scene:wall()
  local along = self.hero.onWall
  local x, y = self.back(self.up[1] == 0 and along or 0, self.up[1] == 0 and 0 or along)
  return x + y
end

return ground
