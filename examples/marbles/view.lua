-- The marbles in LÖVE: the board, and below it how many have come to each bin.

local debugView = require("broadside.debug")
local look = require("support.look")
local marbles = require("marbles.simulation")

local BACKENDS = { "auto", "brute", "sweep", "grid", "tree" }
local COLORS = { "dynamic", "pair", "normal", "hit", "other" }
local BAR = marbles.HEIGHT - marbles.FLOOR - 16 -- how high the highest bin is drawn

local unpack = table.unpack or unpack

local view = { title = "marbles", width = marbles.WIDTH, height = marbles.HEIGHT }

local backend, showDebug, paused, milliseconds
local rects, shapes = {}, {} -- what the world tells, used again and again

function view.load(seed)
  backend, showDebug, paused, milliseconds = 1, false, false, 0
  view.game = marbles.newGame(seed)
end

-- One step a frame, with what it costs.
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
    view.game = marbles.newGame(os.time(), BACKENDS[backend])
  end
end

-- The pegs are few: each is asked for its shape.
local function drawBoard()
  look.setColor("static")
  local list, n = view.game.world:debugShapes(shapes)
  local at = 1
  for _ = 1, n do
    if list[at] == "circle" then
      if list[at + 3] == marbles.PEG_RADIUS then
        love.graphics.circle("fill", list[at + 1], list[at + 2], list[at + 3])
      end
      at = at + 4
    else
      local corners = list[at + 1]
      love.graphics.polygon("fill", unpack(list, at + 2, at + 1 + 2 * corners))
      at = at + 2 + 2 * corners
    end
  end
end

local function drawMarbles()
  local game, r = view.game, marbles.RADIUS
  local list, n = game.world:getRects(game.marbles, rects)
  for k, color in ipairs(COLORS) do
    look.setColor(color)
    for i = k, n, #COLORS do
      love.graphics.circle("fill", list[4 * i - 3] + r, list[4 * i - 2] + r, r, 12)
    end
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
    look.box("pair", (i - 1) * w + 1, marbles.HEIGHT - h, w - 2, h)
  end
end

function view.draw()
  drawBins()
  drawBoard()
  drawMarbles()
  if showDebug then
    debugView.draw(view.game.world)
  end
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
