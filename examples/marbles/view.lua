-- The marbles in LÖVE: the board, and below it how many have come to each bin. Pegs and marbles are
-- drawn by one call for each colour.

local debugView = require("broadside.debug")
local draw = require("broadside.draw")
local look = require("support.look")
local marbles = require("marbles.simulation")

local BACKENDS = { "auto", "brute", "sweep", "grid", "tree" }
local COLORS = { "dynamic", "pair", "normal", "hit", "other" }
local BAR = marbles.HEIGHT - marbles.FLOOR - 16 -- the height of the highest bin

local view = { title = "marbles", width = marbles.WIDTH, height = marbles.HEIGHT }

local backend, showDebug, paused, milliseconds
local funnel -- polygons: {{x1, y1, ...}, ...}
local byColor -- ids of marbles, by colour

-- The funnel consists of all boxes with corners.
local function readFunnel(world)
  local polygons = {}
  for box in world:boxes() do
    local kind, corners = world:getBox(box):getShape()
    if kind == "polygon" then
      table.insert(polygons, corners)
    end
  end
  return polygons
end

local function restart(seed)
  view.game = marbles.newGame(seed, BACKENDS[backend])
  funnel, byColor = readFunnel(view.game.world), {}
  for k = 1, #COLORS do
    byColor[k] = {}
  end
end

function view.load(seed)
  backend, showDebug, paused, milliseconds = 1, false, false, 0
  restart(seed)
end

-- Gives each new marble the next colour.
local function colorMarbles()
  local last = byColor[#COLORS]
  local known = #COLORS * #last
  for i = known + 1, #view.game.marbles do
    byColor[(i - 1) % #COLORS + 1][math.floor((i - 1) / #COLORS) + 1] = view.game.marbles[i]
  end
end

-- Plays one step for each frame, and measures its time.
function view.update()
  if not paused then
    local start = love.timer.getTime()
    view.game:step()
    milliseconds = 0.95 * milliseconds + 0.05 * 1000 * (love.timer.getTime() - start)
  end
end

function view.keypressed(key)
  local number = tonumber(key)
  if number and BACKENDS[number] then
    backend = number
    view.game.world:setBackend(BACKENDS[number])
  elseif key == "d" then
    showDebug = not showDebug
  elseif key == "space" then
    paused = not paused
  elseif key == "r" then
    restart(os.time())
  end
end

local function drawBoard()
  look.setColor("static")
  draw.boxes(view.game.world, view.game.pegs, "circle")
  for _, corners in ipairs(funnel) do
    look.setColor({ 0.33, 0.27, 0.52 })
    love.graphics.polygon("fill", corners)
    look.setColor("faint")
    love.graphics.setLineWidth(2)
    love.graphics.polygon("line", corners)
  end
end

local function drawMarbles()
  colorMarbles()
  for k, color in ipairs(COLORS) do
    look.setColor(color)
    draw.boxes(view.game.world, byColor[k], "circle")
  end
end

local function drawBins()
  local most, w = 1, marbles.WIDTH / marbles.BINS
  for _, count in ipairs(view.game.bins) do
    most = math.max(most, count)
  end
  look.setColor("edge")
  love.graphics.line(0, marbles.FLOOR, marbles.WIDTH, marbles.FLOOR)
  for i, count in ipairs(view.game.bins) do
    local h = BAR * count / most
    local x, y = (i - 1) * w + 1.5, marbles.HEIGHT - h
    look.setColor("hit", 0.9)
    love.graphics.rectangle("fill", x, y, w - 3, h, 3, 3)
    look.setColor("pair")
    love.graphics.rectangle("fill", x, y, w - 3, math.min(h, 6), 3, 3)
  end
end

function view.draw()
  look.sky("night", view.width, view.height)
  look.stars(view.width, marbles.FLOOR, 0)
  look.glow("pair", marbles.WIDTH / 2, 110, 260, 0.35)
  drawBins()
  drawBoard()
  drawMarbles()
  if showDebug then
    debugView.draw(view.game.world)
  end
end

function view.display()
  local game = view.game
  look.display({ "marbles", #game.marbles, "bounces", game.bounces, "ms",
    ("%.1f"):format(milliseconds) })
end

function view.panel()
  local game = view.game
  look.panel(view.width, view.height, "marbles",
    "Circles that fall through pegs by world:step, with the response \"bounce\".")
  look.row("marbles", #game.marbles)
  look.row("pegs", #game.pegs)
  look.row("bounces in the last step", game.bounces)
  look.row("counted", game.counted)
  look.row("step, milliseconds", ("%.2f"):format(milliseconds))
  look.row("back end", BACKENDS[backend])
  look.space()
  look.legend("static", "pegs and funnel", "dot")
  look.legend("pair", "how many came to each bin")
  look.keys({ "1 - 5", "switch the back end", "D", "debug view", "Space", "pause", "R", "restart",
    "Esc", "leave" })
end

return view
