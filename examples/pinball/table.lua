-- The pinball table: all parts that stand still, as a list. A part is { kind =, opts =, points =
-- what a hit counts, and a shape: rect = {x, y, w, h}, circle = {x, y, r} or corners = {x1, y1,
-- ...} }.

local R = 9 -- of a ball
local LEFT, RIGHT, TOP = 24, 492, 20 -- the field
local LANE = 526 -- the right side of the lane in which balls are launched
local MIDDLE = (LEFT + RIGHT) / 2
-- The belt below the table takes lost balls to the lift. Where one ball lies on the lift, the next
-- one does not yet.
local BELT_Y, LIFT = 676, 508

local parts = {}

local function add(kind, shape, opts, points)
  opts = opts or {}
  opts.static = true
  local part = { kind = kind, opts = opts, points = points }
  for name, value in pairs(shape) do
    part[name] = value
  end
  parts[#parts + 1] = part
end

local function mirror(corners)
  local mirrored = {}
  for i = 1, #corners, 2 do
    mirrored[i], mirrored[i + 1] = 2 * MIDDLE - corners[i], corners[i + 1]
  end
  return mirrored
end

local function addBoth(kind, corners, opts, points)
  add(kind, { corners = corners }, opts, points)
  add(kind, { corners = mirror(corners) }, opts, points)
end

-- The room. Behind its walls nobody looks.
add("wall", { rect = { -40, -40, LEFT + 40, 800 } })
add("wall", { rect = { LANE, -40, 64, 800 } })
add("wall", { rect = { LEFT, -40, LANE - LEFT, TOP + 40 } })
add("wall", { rect = { RIGHT, 160, 8, 490 } }) -- between the field and the lane

-- The arcs in the upper corners, of straight pieces. Places are whole numbers, as the last bit of a
-- sine is not the same on every machine.
local function whole(value)
  return math.floor(value + 0.5)
end
for _, arc in ipairs({ { LANE - 130, 150, 0 }, { LEFT + 130, 150, -math.pi / 2 } }) do
  for i = 0, 5 do
    local corners = {}
    for k, at in ipairs({ { i, 130 }, { i + 1, 130 }, { i + 1, 190 }, { i, 190 } }) do
      local angle = arc[3] - at[1] * math.pi / 12
      corners[2 * k - 1] = whole(arc[1] + at[2] * math.cos(angle))
      corners[2 * k] = whole(arc[2] + at[2] * math.sin(angle))
    end
    add("wall", { corners = corners })
  end
end

-- A gate at the end of the lane: balls come out, and none goes in.
add("gate", { corners = { RIGHT + 4, 160, LANE, 132, LANE, 136, RIGHT + 4, 164 } },
  { oneWay = { 0, -1 } })

-- A bounce above 1 gives back more than it got.
for _, place in ipairs({ { 194, 225 }, { 322, 225 }, { 258, 305 } }) do
  add("bumper", { circle = { place[1], place[2], 24 } }, { bounce = 1.6 }, 50)
end
addBoth("sling", { 84, 385, 136, 496, 84, 465 }, { bounce = 1.25 }, 10)

-- Who rolls over all three sensors gets another ball.
for i = -1, 1 do
  add("light", { rect = { MIDDLE + 72 * i - 8, 112, 16, 16 } }, { sensor = true }, 100)
end
for i = -1, 2 do
  add("wall", { rect = { MIDDLE + 72 * i - 39, 100, 6, 40 } })
end

-- Targets vanish when they are hit, and come back when all have.
for i = 0, 2 do
  add("target", { rect = { LEFT, 250 + 36 * i, 8, 28 } }, {}, 250)
end

-- A static box with a velocity is a belt.
add("belt", { rect = { 395, 335, 70, 12 } }, { vx = -160, friction = 0.6 })
add("belt", { rect = { LEFT, BELT_Y, LIFT - LEFT, 20 } }, { vx = 120, friction = 0.6 })

-- The ways down to the flippers.
addBoth("wall", { LEFT, 470, 150, 545, 150, 575, LEFT, 575 })

return {
  WIDTH = 560,
  HEIGHT = 720,
  RADIUS = R,
  LANE = RIGHT + 8, -- its left side
  LIFT = { LIFT, BELT_Y, LANE - LIFT },
  LOST_Y = 640, -- a ball below is lost
  parts = parts,
  -- The flippers, as polygons: what lies near their tips goes more to the side.
  flippers = {
    { 150, 541, 196, 555, 241, 586, 241, 635, 150, 635 },
    mirror({ 150, 541, 196, 555, 241, 586, 241, 635, 150, 635 }),
  },
}
