-- The barrage game in LÖVE: dodge with the arrow keys or WASD.
--
-- Two calls of broadside.draw draw all bullets: one their light, the other their cores.

local barrage = require("barrage.simulation")
local draw = require("broadside.draw")
local look = require("support.look")

local FLASH = 0.4 -- seconds

local view = { title = "barrage", width = barrage.WIDTH, height = barrage.HEIGHT }

local COLORS = {
  [barrage.SHARD] = { 1.00, 0.45, 0.25 }, [barrage.PETAL] = { 1.00, 0.30, 0.75 },
  [barrage.SHELL] = { 1.00, 0.80, 0.25 }, [barrage.NEEDLE] = { 0.30, 0.95, 0.85 },
}
local SIZES = { -- of the cores: along the flight, and across
  [barrage.SHARD] = { 8, 6 }, [barrage.PETAL] = { 11, 7 }, [barrage.SHELL] = { 17, 17 },
  [barrage.NEEDLE] = { 20, 3 },
}

local lights, cores = { turned = true }, { turned = true, shape = "circle" } -- styles

local hitsSeen, flash

local function makeStyles()
  lights.texture = look.light()
  for tag, color in pairs(COLORS) do
    local w, h = SIZES[tag][1], SIZES[tag][2]
    lights[tag] = { w = 2.2 * w + 8, h = 2.2 * h + 8, color = color }
    cores[tag] = { w = w, h = h,
      color = { 0.4 + 0.6 * color[1], 0.4 + 0.6 * color[2], 0.4 + 0.6 * color[3] } }
  end
end

local function restart()
  view.game = barrage.newGame()
  hitsSeen, flash = 0, 0
end

function view.load()
  makeStyles()
  restart()
end

-- Returns -1, 0 or 1, from two keys for each direction.
local function axis(less, lessToo, more, moreToo)
  local value = 0
  if love.keyboard.isDown(less, lessToo) then value = value - 1 end
  if love.keyboard.isDown(more, moreToo) then value = value + 1 end
  return value
end

function view.update(dt)
  view.game:walk(axis("left", "a", "right", "d"), axis("up", "w", "down", "s"))
  view.game:update(dt)
  flash = view.game.hits > hitsSeen and FLASH or math.max(0, flash - dt)
  hitsSeen = view.game.hits
end

function view.keypressed(name)
  if name == "r" then
    restart()
  end
end

-- Draws a part of a ship, 40 by 40 pixels around x, y, whose bow points up (1) or down (-1).
local function drawShip(color, wings, x, y, up, size)
  look.glow(color, x, y + 16 * size * up, 26 * size, 0.5 + 0.1 * math.sin(view.game.steps / 3))
  look.setColor(wings)
  love.graphics.polygon("fill", x - 19 * size, y + 13 * size * up, x, y - 4 * size * up,
    x + 19 * size, y + 13 * size * up, x, y + 7 * size * up)
  look.setColor(color)
  love.graphics.polygon("fill", x - 8 * size, y + 11 * size * up, x, y - 19 * size * up,
    x + 8 * size, y + 11 * size * up)
end

local function drawPlayer(box)
  local x, y = box:getCenter()
  drawShip("dynamic", "static", x, y, 1, 1)
  if flash > 0 then
    look.glow("hit", x, y, 60 + 200 * flash, flash / FLASH)
  end
  look.glow("text", x, y, 16, 0.7)
  look.setColor("text")
  love.graphics.rectangle("fill", box:getRect()) -- the only part of you that can be hit
end

local function drawBoss(box)
  local x, y, w, h = box:getRect()
  drawShip("other", "hit", x + w / 2, y + h / 2, -1, 2.4)
  look.setColor({ 0.36, 0.20, 0.56 })
  love.graphics.rectangle("fill", x, y, w, h, 12, 12)
  look.setColor("other")
  love.graphics.setLineWidth(3)
  love.graphics.rectangle("line", x, y, w, h, 12, 12)
  local playerX, playerY = view.game.player:getCenter()
  look.eyes(x + w / 2, y + h / 2 - 2, 8, playerX - x - w / 2, playerY - y - h / 2)
end

local function drawBoxes()
  local game = view.game
  for box in game.world:boxes() do
    if box == game.player then
      drawPlayer(box)
    elseif box == game.boss then
      drawBoss(box)
    else
      look.block("static", box:getRect())
    end
  end
end

local function drawBullets()
  love.graphics.setBlendMode("add")
  love.graphics.setColor(1, 1, 1, 0.7)
  draw.pool(view.game.bullets, lights)
  love.graphics.setBlendMode("alpha")
  love.graphics.setColor(1, 1, 1)
  draw.pool(view.game.bullets, cores)
end

function view.draw()
  look.sky("night", view.width, view.height)
  look.stars(view.width, view.height, view.game.steps)
  drawBoxes()
  drawBullets()
end

function view.display()
  local game = view.game
  look.display({ "bullets", game.bullets:count(), "hits on the boss", game.score, "on you",
    game.hits })
end

function view.panel()
  local game = view.game
  look.panel(view.width, view.height, "barrage",
    "Dodge. Bullets fire bullets; a pool steps, hits and draws them all.")
  look.row("bullets", game.bullets:count())
  look.row("fired so far", game.bullets:stats().spawned)
  look.row("hits taken", game.hits)
  look.row("hits scored", game.score)
  look.space()
  look.legend("dynamic", "you: the dot alone is hit", "dot")
  look.legend("other", "the boss")
  look.legend("static", "wall: static")
  look.legend(COLORS[barrage.SHELL], "shell, bursts into petals", "line")
  look.legend(COLORS[barrage.PETAL], "petal, splits into shards", "line")
  look.legend(COLORS[barrage.SHARD], "shard", "line")
  look.legend(COLORS[barrage.NEEDLE], "needle: yours", "line")
  look.keys({ "arrows", "or WASD: move", "R", "restart", "Esc", "leave" })
end

return view
