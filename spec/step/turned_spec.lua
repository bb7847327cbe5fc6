-- Bodies with friction meet in a room that no number of is round. The same room, mirrored or turned
-- by a quarter, rounds otherwise; no contact may depend on that.

local broadside = require("broadside")
local random = require("spec.support.random")

local STEPS = 12
-- In these, two that are flush pass by each other, go on together, or part beside a third one.
local ROOMS = { 108, 119, 135, 558, 749, 935, 1078, 1100, 1254 }
local WALLS = { { -30, 9, 60, 5 }, { -30, -14, 60, 5 }, { -14, -30, 5, 60 }, { 9, -30, 5, 60 } }

-- Balls and boxes that do not overlap, some flush with others after a few steps.
local function draw(seed)
  local rng, probe, rows = random.new(seed), broadside.newWorld(), {}
  for i = 1, rng:int(6, 14) do
    local x, y, r
    repeat
      x, y, r = rng:real(-6, 6), rng:real(-6, 6), rng:real(0.3, 1.2)
    until select(2, probe:queryRect(x - r, y - r, 2 * r, 2 * r)) == 0
    probe:insert(x - r, y - r, 2 * r, 2 * r)
    rows[i] = { x = x, y = y, r = r, vx = rng:real(-20, 20), vy = rng:real(-20, 20),
      mass = rng:real(0.1, 9), friction = rng:pick({ 0, 0.3 }), kind = rng:int(1, 3) }
  end
  return { rows = rows, gx = rng:real(-30, 30), gy = rng:real(-30, 30) }
end

-- The centres at the end, as they are where `turn` has put them.
local function play(room, turn)
  local world, list, out = broadside.newWorld({ gravity = { turn(room.gx, room.gy) } }), {}, {}
  for i, row in ipairs(room.rows) do
    local x, y = turn(row.x, row.y)
    local vx, vy = turn(row.vx, row.vy)
    local opts = { response = row.kind == 1 and "bounce" or "slide", mass = row.mass,
      friction = row.friction, vx = vx, vy = vy }
    list[i] = row.kind == 3 and world:insert(x - row.r, y - row.r, 2 * row.r, 2 * row.r, opts) or
      world:insertCircle(x, y, row.r, opts)
  end
  for _, wall in ipairs(WALLS) do
    local x1, y1 = turn(wall[1], wall[2])
    local x2, y2 = turn(wall[1] + wall[3], wall[2] + wall[4])
    world:insert(math.min(x1, x2), math.min(y1, y2), math.abs(x2 - x1), math.abs(y2 - y1),
      { static = true })
  end
  for _ = 1, STEPS do
    world:step(1 / 60)
  end
  for i, box in ipairs(list) do
    out[i] = { box:getCenter() }
  end
  return out
end

local function expectSame(turn)
  for i = 1, 40 do
    local seed = ROOMS[i] or i
    local room = draw(seed)
    local plain = play(room, function(x, y) return x, y end)
    for k, at in ipairs(play(room, turn)) do
      local x, y = turn(plain[k][1], plain[k][2])
      assert.is_true(math.abs(x - at[1]) + math.abs(y - at[2]) < 1e-6,
        ("room %d, body %d"):format(seed, k))
    end
  end
end

describe("a room of bodies goes the same way", function()
  it("mirrored", function() expectSame(function(x, y) return -x, y end) end)
  it("turned by a quarter", function() expectSame(function(x, y) return -y, x end) end)
end)
