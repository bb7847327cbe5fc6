-- The sandbox without its window: boxes, circles and polygons to draw, drag and drop; segments to
-- cast and shapes to sweep, with everything that they hit. Lengths are pixels, times are seconds,
-- and y points down.

local broadside = require("broadside")

local sandbox = {
  WIDTH = 860,
  HEIGHT = 640,
  SHAPES = { "box", "circle", "polygon" },
  LEAST = 6, -- smaller boxes are not made
  SWEPT_W = 44, -- the rectangle of the swept shape
  SWEPT_H = 30,
  GRAVITY = 900,
  STEP = 1 / 60,
}

local STATIC, DYNAMIC = 1, 2 -- layers

-- x, y, w, h of the first boxes.
local STATIC_BOXES = {
  { 60, 560, 740, 30 }, { 60, 420, 150, 24 }, { 330, 330, 26, 120 }, { 520, 440, 190, 24 },
  { 640, 150, 40, 170 }, { 180, 130, 130, 26 },
}
local DYNAMIC_BOXES = {
  { 90, 370, 50, 50 }, { 125, 330, 40, 48 }, { 400, 390, 60, 44 }, { 440, 350, 44, 52 },
  { 560, 250, 70, 36 }, { 610, 274, 60, 40 }, { 240, 240, 46, 46 }, { 450, 120, 54, 34 },
}

local STATIC_CIRCLES = { { 300, 240, 36 } } -- x, y, r
local DYNAMIC_CIRCLES = { { 420, 250, 26 }, { 690, 80, 20 } }
local STATIC_POLYGONS = { { 60, 560, 60, 500, 200, 560 }, { 800, 560, 660, 560, 800, 470 } }
local DYNAMIC_POLYGONS = { { 260, 480, 290, 460, 320, 480, 310, 515, 270, 515 } }

-- The corners of a drawn polygon, within a rectangle of size 1.
local HEXAGON = { 0.25, 0, 0.75, 0, 1, 0.5, 0.75, 1, 0.25, 1, 0, 0.5 }

local Game = {}
Game.__index = Game

function sandbox.newGame(backend)
  local game = setmetatable({
    world = broadside.newWorld({ backend = backend or "auto" }),
    pairs = {}, -- {a1, b1, ...}
    pairCount = 0,
    probe = nil, -- "segment" or "sweep"
    x1 = 0, y1 = 0, x2 = 0, y2 = 0, -- from the first point to the second
    hits = {}, -- {{box =, t =, x =, y =, nx =, ny =}, ...} by t
    found = {},
    falling = false,
    time = 0, -- what update() has not played yet
  }, Game)
  game:insertAll(STATIC_BOXES, STATIC_CIRCLES, STATIC_POLYGONS, true)
  game:insertAll(DYNAMIC_BOXES, DYNAMIC_CIRCLES, DYNAMIC_POLYGONS, false)
  game:look()
  return game
end

local function optionsOf(isStatic)
  return { static = isStatic, layer = isStatic and STATIC or DYNAMIC }
end

function Game:insertAll(boxes, circles, polygons, isStatic)
  local opts = optionsOf(isStatic)
  for _, rect in ipairs(boxes) do
    self.world:insert(rect[1], rect[2], rect[3], rect[4], opts)
  end
  for _, circle in ipairs(circles) do
    self.world:insertCircle(circle[1], circle[2], circle[3], opts)
  end
  for _, corners in ipairs(polygons) do
    self.world:insertPolygon(corners, opts)
  end
end

-- The outline of a shape within a rectangle: the rectangle itself as x, y, w, h; the circle in its
-- middle as x, y, r; or a hexagon as a list of corners.
function sandbox.outline(shape, x, y, w, h)
  if shape == "circle" then
    return x + w / 2, y + h / 2, math.min(w, h) / 2
  elseif shape == "polygon" then
    local corners = {}
    for i = 1, #HEXAGON, 2 do
      corners[i], corners[i + 1] = x + w * HEXAGON[i], y + h * HEXAGON[i + 1]
    end
    return corners
  end
  return x, y, w, h
end

function Game:insert(x, y, w, h, isStatic, shape)
  local opts = optionsOf(isStatic)
  if shape == "circle" then
    local centreX, centreY, r = sandbox.outline(shape, x, y, w, h)
    return self.world:insertCircle(centreX, centreY, r, opts)
  elseif shape == "polygon" then
    return self.world:insertPolygon(sandbox.outline(shape, x, y, w, h), opts)
  end
  return self.world:insert(x, y, w, h, opts)
end

-- editing -----------------------------------------------------------------------------------------

-- Adds a shape between any two opposite corners; nil if it would be too small.
function Game:draw(x1, y1, x2, y2, isStatic, shape)
  local x, y, w, h = broadside.bounds({ x1, y1, x2, y2 })
  if w < sandbox.LEAST or h < sandbox.LEAST then
    return nil
  end
  return self:insert(x, y, w, h, isStatic, shape)
end

-- The box at a point that was inserted last, because it is drawn on top.
function Game:pick(x, y)
  local found, n = self.world:queryPoint(x, y, nil, self.found)
  return found[n]
end

-- probes ------------------------------------------------------------------------------------------

-- kind: "segment", "sweep", or nil for none; shape: that of the swept shape.
function Game:setProbe(kind, x1, y1, x2, y2, shape)
  self.probe, self.x1, self.y1, self.x2, self.y2 = kind, x1 or 0, y1 or 0, x2 or 0, y2 or 0
  self.swept = shape or "box"
end

local function addHit(hits, box, t, x, y, nx, ny)
  table.insert(hits, { box = box, t = t, x = x, y = y, nx = nx, ny = ny })
end

-- Finds every box on the way, and where the segment enters it.
function Game:castSegment()
  local x1, y1, x2, y2 = self.x1, self.y1, self.x2, self.y2
  local found = self.world:querySegment(x1, y1, x2, y2, nil, self.found)
  for _, box in ipairs(found) do
    local _, x, y, nx, ny, t = self.world:segmentCast(x1, y1, x2, y2, function(other)
      return other == box
    end)
    addHit(self.hits, box, t, x, y, nx, ny)
  end
end

-- Finds the first box that the swept shape hits; x, y is then the place of its corner. A circle or
-- polygon is inserted for the sweep, and removed afterwards.
function Game:castSweep()
  local x, y = self.x1 - sandbox.SWEPT_W / 2, self.y1 - sandbox.SWEPT_H / 2
  local dx, dy = self.x2 - self.x1, self.y2 - self.y1
  local swept = self:insert(x, y, sandbox.SWEPT_W, sandbox.SWEPT_H, false, self.swept)
  local box, t, nx, ny = self.world:sweep(swept, dx, dy)
  swept:remove()
  if box then
    addHit(self.hits, box, t, x + dx * t, y + dy * t, nx, ny)
  end
end

-- Finds what the probe hits now, and which boxes overlap.
function Game:look()
  self.hits = {}
  if self.probe == "segment" then
    self:castSegment()
  elseif self.probe == "sweep" then
    self:castSweep()
  end
  local _, n = self.world:collectPairs(self.pairs)
  self.pairCount = n
end

-- time --------------------------------------------------------------------------------------------

-- Sets whether dynamic boxes fall.
function Game:setFalling(falling)
  self.falling = falling
  self.world:setGravity(0, falling and sandbox.GRAVITY or 0)
end

-- A box that has been pushed out by dx, dy goes on along the surface.
local function slide(box, dx, dy)
  local vx, vy = box:getVelocity()
  local into = (vx * dx + vy * dy) / (dx * dx + dy * dy)
  if into < 0 then
    box:setVelocity(vx - into * dx, vy - into * dy)
  end
end

-- The world moves the boxes, then each is pushed out of the static ones.
function Game:fall()
  self.world:step(sandbox.STEP)
  for box in self.world:boxes() do
    local dx, dy = 0, 0
    if not box:isStatic() then
      dx, dy = self.world:resolve(box, STATIC)
    end
    if dx ~= 0 or dy ~= 0 then
      slide(box, dx, dy)
    end
    local _, y = box:getRect()
    if y > 2 * sandbox.HEIGHT then
      box:remove()
    end
  end
end

-- Plays dt seconds in steps of equal length.
function Game:update(dt)
  self.time = self.time + math.min(dt, 0.25)
  while self.time >= sandbox.STEP do
    self.time = self.time - sandbox.STEP
    if self.falling then
      self:fall()
    end
  end
  self:look()
end

return sandbox
