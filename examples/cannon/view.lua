-- The cannon game in LÖVE: the mouse aims, a click fires.

local cannon = require("cannon.simulation")
local debugView = require("broadside.debug")
local look = require("support.look")

local SCALE = 100 -- pixels per metre
local BACKENDS = { "auto", "brute", "sweep", "grid", "tree" }
local SEEN = { box = true, shape = true, fat = true, node = true, cell = true }
local TRAIL = 50 -- points
local FLASH = 0.7 -- seconds for which a hit is shown

local atan2 = math.atan2 or math.atan -- math.atan of Lua 5.4 takes both arguments

local view = { title = "cannon", width = cannon.WIDTH * SCALE, height = cannon.HEIGHT * SCALE }

local backend, showDebug
local flashes -- {{x =, y =, age =}, ...}
local trails -- of each ball: {x1, y1, x2, y2, ...}

local function restart(seed)
  view.game = cannon.newGame(seed, BACKENDS[backend])
  flashes, trails = {}, {}
  view.game.onHit = function(_, target)
    table.insert(flashes, { x = target.x, y = target.y, age = 0 })
  end
end

function view.load(seed)
  backend, showDebug = 1, false
  restart(seed)
end

function view.mousemoved(x, y)
  view.game:aim(math.min(x, view.width) / SCALE, cannon.HEIGHT - y / SCALE)
end

function view.mousepressed(x, y, button)
  if button == 1 then
    view.mousemoved(x, y)
    view.game:fire()
  end
end

function view.keypressed(key)
  if key == "r" then
    restart(os.time())
  elseif key == "b" then
    backend = backend % #BACKENDS + 1
    view.game.world:setBackend(BACKENDS[backend])
  elseif key == "d" then
    showDebug = not showDebug
  end
end

-- Adds the places of the balls, and forgets the trails of balls that are gone.
local function updateTrails()
  local old = trails
  trails = {}
  for _, ball in ipairs(view.game.balls) do
    local trail, x, y = old[ball] or {}, ball:getCenter()
    table.insert(trail, x)
    table.insert(trail, y)
    if #trail > 2 * TRAIL then
      table.remove(trail, 1)
      table.remove(trail, 1)
    end
    trails[ball] = trail
  end
end

function view.update(dt)
  view.game:update(dt)
  updateTrails()
  look.age(flashes, dt, FLASH)
end

local GRASS = { { 0.255, 0.180, 0.420 }, { 0.180, 0.130, 0.330 }, { 0.130, 0.100, 0.260 } }
local CRATE, PLANK, IRON = { 0.773, 0.522, 0.314 }, { 0.490, 0.294, 0.227 }, { 0.16, 0.15, 0.25 }
local BALLOONS = { "hit", "pair", "normal", "dynamic", "other" }

-- Draws a crate, and the balloon from which it hangs. Here y points down, and lengths are pixels.
local function drawTarget(x, y, size, color)
  local middle = x + size / 2
  look.setColor("text", 0.5)
  love.graphics.setLineWidth(1)
  love.graphics.line(middle, y - 14, middle, y)
  look.setColor(color)
  love.graphics.ellipse("fill", middle, y - 34, 17, 21)
  love.graphics.polygon("fill", middle, y - 15, middle - 5, y - 10, middle + 5, y - 10)
  look.setColor("text", 0.45)
  love.graphics.ellipse("fill", middle - 6, y - 42, 4, 6)
  look.setColor(PLANK)
  love.graphics.rectangle("fill", x, y, size, size, 3, 3)
  look.setColor(CRATE)
  for plank = 0, 2 do
    love.graphics.rectangle("fill", x + 3, y + 4 + plank * (size - 6) / 3, size - 6,
      (size - 6) / 3 - 3)
  end
  look.setColor(PLANK)
  love.graphics.rectangle("fill", x + 8, y, 5, size)
  love.graphics.rectangle("fill", x + size - 13, y, 5, size)
end

local function drawBall(x, y, r)
  look.setColor(IRON)
  love.graphics.circle("fill", x, y, r)
  look.setColor("faint")
  love.graphics.circle("fill", x - r / 3, y - r / 3, r / 3)
end

local function drawBoxes()
  for box in view.game.world:boxes() do
    local x, y, w, h = box:getRect()
    x, y, w = SCALE * x, view.height - SCALE * (y + h), SCALE * w
    if box:isStatic() then
      drawTarget(x, y, w, BALLOONS[math.floor(7 * x) % #BALLOONS + 1])
    else
      drawBall(x + w / 2, y + w / 2, w / 2)
    end
  end
end

-- Draws smoke, which spreads and fades.
local function drawTrails()
  for _, trail in pairs(trails) do
    for i = 1, #trail - 2, 4 do
      local s = i / #trail
      look.setColor("text", 0.4 * s * s)
      love.graphics.circle("fill", SCALE * trail[i], view.height - SCALE * trail[i + 1],
        4 + 9 * (1 - s))
    end
  end
end

-- Draws a crate that bursts.
local function drawFlashes()
  local size = SCALE * cannon.TARGET_SIZE
  for _, flash in ipairs(flashes) do
    local s = flash.age / FLASH
    local x, y = SCALE * flash.x + size / 2, view.height - SCALE * flash.y - size / 2
    look.glow("pair", x, y, 70 + 60 * s, 1 - s)
    look.setColor(CRATE, 1 - s)
    for i = 1, 9 do
      local angle, far = 2.4 * i, (20 + 60 * s) * (0.5 + i % 4 / 4)
      love.graphics.rectangle("fill", x + far * math.cos(angle) - 5,
        y + far * math.sin(angle) + 90 * s * s - 3, 11, 7)
    end
  end
end

local function drawCannon()
  local game = view.game
  local x, y = SCALE * game.aimX, view.height - SCALE * game.aimY
  local angle = atan2(game.aimY, game.aimX)
  look.setColor("text", 0.8)
  love.graphics.setLineWidth(2)
  love.graphics.circle("line", x, y, 12)
  love.graphics.line(x - 18, y, x - 6, y)
  love.graphics.line(x + 6, y, x + 18, y)
  love.graphics.push()
  love.graphics.translate(0, view.height)
  love.graphics.rotate(-angle)
  look.setColor(IRON)
  love.graphics.polygon("fill", -20, -19, 70, -14, 70, 14, -20, 19)
  look.setColor("static")
  love.graphics.rectangle("fill", 62, -17, 9, 34, 2, 2)
  love.graphics.rectangle("fill", 36, -17, 5, 34)
  love.graphics.pop()
  look.setColor(PLANK)
  love.graphics.circle("fill", 0, view.height, 36)
  look.setColor(CRATE)
  love.graphics.circle("fill", 0, view.height, 27)
end

local function drawBackground()
  look.sky("evening", view.width, view.height)
  look.stars(view.width, view.height / 2, 0)
  look.glow("pair", 700, 330, 330, 0.5)
  look.setColor({ 1, 0.886, 0.651 })
  love.graphics.circle("fill", 700, 330, 62)
  look.hills(view.width, view.height, 190, 130, 1, GRASS[1])
  look.hills(view.width, view.height, 120, 80, 4, GRASS[2])
  look.hills(view.width, view.height, 46, 50, 2, GRASS[3])
end

function view.draw()
  drawBackground()
  drawTrails()
  drawBoxes()
  drawFlashes()
  drawCannon()
  if showDebug then
    love.graphics.translate(0, view.height)
    love.graphics.scale(SCALE, -SCALE) -- from here on: metres, and y up
    debugView.draw(view.game.world, SEEN)
  end
end

function view.display()
  local game = view.game
  look.display({ "hits", game.score .. " / " .. cannon.TARGETS, "shots", game.shots })
  if game:isWon() then
    look.center("All targets hit!", view.width / 2, 100, "text", "title")
  end
end

function view.panel()
  local game = view.game
  look.panel(view.width, view.height, "cannon", game:isWon() and "All targets hit!"
    or "Hit the targets. Sweeps find what a fast ball flies through.")
  look.row("targets hit", game.score .. " of " .. cannon.TARGETS)
  look.row("shots", game.shots)
  look.row("back end", game.world:getBackend():getName())
  look.space()
  look.legend(CRATE, "target: static")
  look.legend(IRON, "ball: dynamic", "dot")
  look.keys({ "mouse", "aim, click to fire", "B", "next back end", "D", "what it has built", "R",
    "restart", "Esc", "leave" })
end

return view
