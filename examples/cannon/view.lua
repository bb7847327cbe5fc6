-- The cannon game in LÖVE: the mouse aims, a click fires.

local cannon = require("cannon.simulation")
local debugView = require("broadside.debug")
local look = require("support.look")

local SCALE = 100 -- pixels per metre
local BACKENDS = { "auto", "brute", "sweep", "grid", "tree" }
local TRAIL = 50 -- points
local FLASH = 0.7 -- seconds that a hit is to be seen

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

-- Adds where the balls are now, and forgets the trails of balls that are gone.
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
  for i = #flashes, 1, -1 do
    flashes[i].age = flashes[i].age + dt
    if flashes[i].age > FLASH then
      table.remove(flashes, i)
    end
  end
end

local function drawBoxes()
  for box in view.game.world:boxes() do
    local x, y, w, h = box:getRect()
    if box:isStatic() then
      look.box("static", x, y, w, h)
    else
      look.setColor("dynamic")
      love.graphics.circle("fill", x + w / 2, y + h / 2, w / 2)
    end
  end
end

local function drawTrails()
  look.setColor("dynamic", 0.45)
  for _, trail in pairs(trails) do
    if #trail >= 4 then
      love.graphics.line(trail)
    end
  end
end

local function drawFlashes()
  local size = cannon.TARGET_SIZE
  for _, flash in ipairs(flashes) do
    local grown = 0.3 * flash.age / FLASH
    look.box("hit", flash.x - grown, flash.y - grown, size + 2 * grown, size + 2 * grown,
      1 - flash.age / FLASH)
  end
end

local function drawCannon()
  local game = view.game
  local distance = math.sqrt(game.aimX ^ 2 + game.aimY ^ 2)
  if distance > 0 then
    look.setColor("faint")
    love.graphics.setLineWidth(0.25)
    love.graphics.line(0, 0, 0.6 * game.aimX / distance, 0.6 * game.aimY / distance)
    love.graphics.setLineWidth(1.5 / SCALE)
    love.graphics.circle("line", game.aimX, game.aimY, 0.12)
  end
  look.setColor("faint")
  love.graphics.circle("fill", 0, 0, 0.32)
end

function view.draw()
  look.grid(view.width, view.height, SCALE)
  love.graphics.translate(0, view.height)
  love.graphics.scale(SCALE, -SCALE) -- metres, and y up
  love.graphics.setLineWidth(1.5 / SCALE)
  drawTrails()
  drawBoxes()
  drawFlashes()
  drawCannon()
  if showDebug then
    debugView.draw(view.game.world)
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
  look.legend("static", "target: static")
  look.legend("dynamic", "ball: dynamic", "dot")
  look.legend("hit", "hit")
  look.keys({ "mouse", "aim, click to fire", "B", "next back end", "D", "what it has built", "R",
    "restart", "Esc", "leave" })
end

return view
