-- A hero to copy: it runs, jumps (a little late or early, too), jumps off walls, dashes, crouches,
-- climbs ladders, and drops through one-way boxes. Lengths are pixels, times are seconds.
--
--     local hero = require("hero").new(world, world:insert(x, y, 12, 24, { layer = 2 }))
--     hero:step(dt, input) -- input: direction (-1, 0 or 1), up, down, jump and dash, while held
--
-- Walls are on layer 1, ladders on layer 4. hero.state is all that a save needs besides the walker.

local walker = require("broadside.walker")

local WALL, LADDER = 1, 4
local HIGH, LOW = 24, 12 -- how tall it is: standing, crouching
local RUN, CREEP, CLIMB, FASTEST_FALL, SLIDE = 120, 50, 80, 400, 60 -- speeds; SLIDE: down a wall
local GRAVITY, JUMP, SHORT_JUMP = 900, 310, 100
local COYOTE, BUFFER, GRACE = 0.1, 0.1, 0.1 -- how late off a ledge, how early, how late off a wall
local PUSH = 0.15 -- how long a jump off a wall goes away from it, whatever the keys say
local DASH, DASH_TIME = 360, 0.15
local NEVER = 1000 -- seconds

local Hero = {}
Hero.__index = Hero

local function newHero(world, box)
  local filter = { slide = WALL, cross = LADDER }
  return setmetatable({ world = world, box = box, found = {},
    walker = walker.new(world, box, { filter = filter, stepHeight = 4, nudge = 4 }),
    state = { vx = 0, vy = 0, facing = 1, isClimbing = false, canDash = true, side = 0,
      heldJump = false, heldDash = false, sinceJump = NEVER, sinceWall = NEVER, push = 0,
      dash = 0 },
  }, Hero)
end

-- Crouches while `down` is held on a floor; stands up when there is room.
function Hero:crouch(down)
  local x, y, w, h = self.box:getRect()
  if down and h == HIGH and self.walker.onFloor then
    self.box:setRect(x, y + HIGH - LOW, w, LOW)
  elseif not down and h == LOW
    and self.world:canFit(self.box, x, y + LOW - HIGH, w, HIGH, self.walker.filter) then
    self.box:setRect(x, y + LOW - HIGH, w, HIGH)
  end
end

-- Whether it is on a ladder now. It grabs one by up or down, and lets go by a jump.
function Hero:isOnLadder(input, jump)
  local x, y, w, h = self.box:getRect()
  local reach = input.down and 4 or 0 -- from its top the ladder is below the feet
  local _, n = self.world:queryRect(x, y, w, h + reach, LADDER, self.found)
  return n > 0 and not jump and (self.state.isClimbing or input.up or input.down) or false
end

function Hero:climb(dt, input)
  local s = self.state
  if input.down then self.walker:drop() end
  s.vx, s.vy, s.dash, s.canDash = 0, 0, 0, true
  self.walker:walk(input.direction * RUN / 2,
    (input.down and CLIMB or 0) - (input.up and CLIMB or 0), dt)
end

-- Jumps, off the floor or a wall, if the button went down not long ago.
function Hero:jump(input)
  local s, w = self.state, self.walker
  if s.sinceJump >= BUFFER then return end
  if input.down and w.onFloor and w.floor:getOneWay() then
    w:drop()
  elseif w.airTime < COYOTE then
    s.vy = w.platformVy - JUMP
  elseif s.sinceWall < GRACE then
    s.vx, s.vy, s.push, s.facing = -s.side * RUN, -JUMP, PUSH, -s.side
  else
    return -- it is still wanted
  end
  s.sinceJump, s.sinceWall, w.airTime, s.dash = NEVER, NEVER, NEVER, 0
end

-- The velocity that the keys and gravity make.
function Hero:steer(dt, input)
  local s, h = self.state, select(4, self.box:getRect())
  if s.push == 0 then
    s.vx = input.direction * (h == LOW and self.walker.onFloor and CREEP or RUN)
    s.facing = input.direction ~= 0 and input.direction or s.facing
  end
  s.vy = math.min(s.vy + GRAVITY * dt, FASTEST_FALL)
  if not input.jump then s.vy = math.max(s.vy, -SHORT_JUMP) end
  local isSliding = self.walker.onWall ~= 0 and input.direction == self.walker.onWall
  if isSliding then s.vy = math.min(s.vy, SLIDE) end
  if s.dash > 0 then s.vx, s.vy = s.facing * DASH, 0 end
end

-- Plays one step.
function Hero:step(dt, input)
  local s, w = self.state, self.walker
  local jump, dash = input.jump and not s.heldJump, input.dash and not s.heldDash
  s.heldJump, s.heldDash = input.jump or false, input.dash or false
  s.sinceJump, s.sinceWall = jump and 0 or s.sinceJump + dt, s.sinceWall + dt
  s.push, s.dash = math.max(0, s.push - dt), math.max(0, s.dash - dt)
  if jump and s.isClimbing then w.airTime = 0 end -- off the ladder, as off a floor
  s.isClimbing = self:isOnLadder(input, jump)
  if s.isClimbing then
    self:climb(dt, input)
    return
  end
  self:crouch(input.down)
  if dash and s.canDash then s.dash, s.canDash = DASH_TIME, false end
  self:jump(input)
  self:steer(dt, input)
  s.vx, s.vy = w:walk(s.vx, s.vy, dt)
  if w.onWall ~= 0 and not w.onFloor then s.side, s.sinceWall = w.onWall, 0 end
  s.canDash = s.canDash or w.onFloor or w.onWall ~= 0
end

return { new = newHero }
