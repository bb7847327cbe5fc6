-- The sandbox without its window: boxes to draw, drag and drop; segments to cast and boxes to
-- sweep, with all that they hit. Lengths are pixels, times are seconds, and y points down.

local broadside = require("broadside")

local sandbox = {
  WIDTH = 860,
  HEIGHT = 640,
  LEAST = 6, -- smaller boxes are not made
  SWEPT_W = 44, -- the box that is swept
  SWEPT_H = 30,
  GRAVITY = 900,
  STEP = 1 / 60,
}

local STATIC, DYNAMIC = 1, 2 -- layers

-- x, y, w, h of what is there at first.
local STATIC_BOXES = {
  { 60, 560, 740, 30 }, { 60, 420, 150, 24 }, { 330, 330, 26, 120 }, { 520, 440, 190, 24 },
  { 640, 150, 40, 170 }, { 180, 130, 130, 26 },
}
local DYNAMIC_BOXES = {
  { 90, 370, 50, 50 }, { 125, 330, 40, 48 }, { 400, 390, 60, 44 }, { 440, 350, 44, 52 },
  { 560, 250, 70, 36 }, { 610, 274, 60, 40 }, { 240, 240, 46, 46 }, { 450, 120, 54, 34 },
}

local Game = {}
Game.__index = Game

function sandbox.newGame(backend)
  local game = setmetatable({
    world = broadside.newWorld({ backend = backend or "auto" }),
    pairs = {}, -- {a1, b1, ...}
    pairCount = 0,
    probe = nil, -- "segment" or "sweep"
    x1 = 0, y1 = 0, x2 = 0, y2 = 0, -- from where to where
    hits = {}, -- {{box =, t =, x =, y =, nx =, ny =}, ...} by t
    found = {},
    falling = false,
    time = 0, -- what update() has not yet played
  }, Game)
  for _, rect in ipairs(STATIC_BOXES) do
    game:insert(rect[1], rect[2], rect[3], rect[4], true)
  end
  for _, rect in ipairs(DYNAMIC_BOXES) do
    game:insert(rect[1], rect[2], rect[3], rect[4], false)
  end
  game:look()
  return game
end

function Game:insert(x, y, w, h, isStatic)
  local layer = isStatic and STATIC or DYNAMIC
  return self.world:insert(x, y, w, h, { static = isStatic, layer = layer })
end

-- editing -----------------------------------------------------------------------------------------

-- A box between two corners, whichever; nil if it would be too small.
function Game:draw(x1, y1, x2, y2, isStatic)
  local x, y, w, h = broadside.bounds({ x1, y1, x2, y2 })
  if w < sandbox.LEAST or h < sandbox.LEAST then
    return nil
  end
  return self:insert(x, y, w, h, isStatic)
end

-- The box at a point that was inserted last: it is drawn on top.
function Game:pick(x, y)
  local found, n = self.world:queryPoint(x, y, nil, self.found)
  return found[n]
end

-- probes ------------------------------------------------------------------------------------------

-- kind: "segment", "sweep", or nil for none.
function Game:setProbe(kind, x1, y1, x2, y2)
  self.probe, self.x1, self.y1, self.x2, self.y2 = kind, x1 or 0, y1 or 0, x2 or 0, y2 or 0
end

local function addHit(hits, box, t, x, y, nx, ny)
  table.insert(hits, { box = box, t = t, x = x, y = y, nx = nx, ny = ny })
end

-- Every box on the way, and where the segment enters it.
function Game:castSegment()
  local x1, y1, x2, y2 = self.x1, self.y1, self.x2, self.y2
  local found = self.world:querySegment(x1, y1, x2, y2, nil, self.found)
  for _, box in ipairs(found) do
    local t, nx, ny = broadside.segment(x1, y1, x2, y2, box:getRect())
    addHit(self.hits, box, t, x1 + (x2 - x1) * t, y1 + (y2 - y1) * t, nx, ny)
  end
end

-- The first box that the swept box meets; x, y is where its corner is then.
function Game:castSweep()
  local x, y = self.x1 - sandbox.SWEPT_W / 2, self.y1 - sandbox.SWEPT_H / 2
  local dx, dy = self.x2 - self.x1, self.y2 - self.y1
  local box, t, nx, ny = self.world:sweepRect(x, y, sandbox.SWEPT_W, sandbox.SWEPT_H, dx, dy)
  if box then
    addHit(self.hits, box, t, x + dx * t, y + dy * t, nx, ny)
  end
end

-- What the probe hits now, and which boxes overlap.
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

-- Whether dynamic boxes fall.
function Game:setFalling(falling)
  self.falling = falling
  self.world:setGravity(0, falling and sandbox.GRAVITY or 0)
end

-- The world moves the boxes, then each is pushed out of the static ones; what it hit stops it.
function Game:fall()
  self.world:step(sandbox.STEP)
  for box in self.world:boxes() do
    local dx, dy = 0, 0
    if not box:isStatic() then
      dx, dy = self.world:resolve(box, STATIC)
    end
    if dx ~= 0 or dy ~= 0 then
      local vx, vy = box:getVelocity()
      box:setVelocity(dx == 0 and vx or 0, dy == 0 and vy or 0)
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
