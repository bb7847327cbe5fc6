-- Dust, sparks and confetti for the platformer: movers of a pool, which bounce off the ground.

local broadside = require("broadside")
local draw = require("broadside.draw")

local level = require("platformer.level")
local palette = require("platformer.palette")

local particles = {}

local COLORS = { palette.stone, palette.coin, palette.enemy, palette.player, palette.grass,
  palette.scarf, palette.coinLight, palette.white }
local STYLE = { w = 4 } -- of a particle, by its tag (broadside.draw)
for tag, color in ipairs(COLORS) do
  STYLE[tag] = { color = color }
end
STYLE[1] = { w = 6, color = { COLORS[1][1], COLORS[1][2], COLORS[1][3], 0.8 } } -- dust
local CONFETTI = { 2, 4, 5, 6, 8 }

-- The particles of each event: how many, how fast (pixels a step), upwards, for how many steps, how
-- large, from how far below the middle (dust begins on the ground, and not in it); and their
-- colours.
local BURSTS = {
  land = { count = 8, speed = 1.5, up = 0.5, life = 22, size = 4, below = 13, tags = { 1, 8 } },
  jump = { count = 6, speed = 1, up = 0.2, life = 18, size = 4, below = 13, tags = { 1, 8 } },
  coin = { count = 14, speed = 2.6, up = 1, life = 28, size = 3, below = 0, tags = { 2, 7 } },
  stomp = { count = 16, speed = 3, up = 1.5, life = 30, size = 4, below = 4, tags = { 3, 6, 7 } },
  die = { count = 34, speed = 4, up = 2, life = 44, size = 5, below = 0, tags = { 4, 6, 8 } },
  start = { count = 12, speed = 2, up = 1, life = 20, size = 3, below = 0, tags = { 4, 8 } },
  thud = { count = 18, speed = 3, up = 0.8, life = 26, size = 5, below = 29.5, tags = { 1, 8 } },
  checkpoint = { count = 26, speed = 3, up = 2, life = 50, size = 4, below = 0, tags = CONFETTI },
  goal = { count = 120, speed = 5, up = 5, life = 140, size = 5, below = 0, tags = CONFETTI },
}

local pool, world

function particles.load(gameWorld)
  world = gameWorld
  pool = broadside.newPool({ capacity = 800, mask = level.SOLID,
    bounds = { 0, -200, level.WIDTH, level.HEIGHT + 200 } })
end

function particles.burst(name, x, y)
  local burst = BURSTS[name]
  for i = 1, burst.count do
    local angle, speed = 2 * math.pi * math.random(), burst.speed * (0.3 + 0.7 * math.random())
    pool:spawn(x, y + burst.below, speed * math.cos(angle), speed * math.sin(angle) - burst.up, {
      ay = 0.14,
      life = math.ceil(burst.life * (0.5 + math.random() / 2)),
      w = burst.size,
      h = burst.size,
      tag = burst.tags[i % #burst.tags + 1],
    })
  end
end

function particles.update()
  pool:step(1)
  for id, _, _, x, y, nx, ny in pool:hits(world) do
    local _, _, vx, vy = pool:get(id)
    vx, vy = broadside.reflect(vx, vy, nx, ny)
    pool:set(id, x, y, 0.5 * vx, 0.5 * vy)
  end
end

function particles.draw()
  palette.set(palette.white)
  draw.pool(pool, STYLE)
end

return particles
