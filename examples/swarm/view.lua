-- The swarm in LÖVE: keys change the back end while it runs, and show what it has built.

local debugView = require("broadside.debug")
local draw = require("broadside.draw")
local look = require("support.look")
local swarm = require("swarm.simulation")

local BACKENDS = { "auto", "brute", "sweep", "grid", "tree" }
local HISTORY = 76 -- frames in a graph

-- The overlays that D switches through: kinds that are drawn over the boxes, and a name for them.
local OVERLAYS = {
  { name = "nothing" },
  { name = "nodes and cells", kinds = { node = true, cell = true } },
  { name = "fat boxes", kinds = { fat = true } },
  { name = "all", kinds = { fat = true, node = true, cell = true } },
}

local view = { title = "swarm", width = swarm.WIDTH, height = swarm.HEIGHT }

local backend, overlay, paused
local times, pairCounts, garbage
local inside = {} -- the result of a query

-- A ring of numbers for look.graph; the graph is at least as high as `least`.
local function newHistory(least)
  local values = { first = 1, last = 0, least = least }
  for i = 1, HISTORY do
    values[i] = 0
  end
  return values
end

local function record(values, value)
  values[values.first] = value
  values.first = values.first % HISTORY + 1
  values.last = value
end

function view.load(seed)
  backend, overlay, paused = 1, 1, false
  view.game = swarm.newGame(seed)
  times, pairCounts, garbage = newHistory(2), newHistory(100), newHistory(8)
end

local function readPointer()
  local x, y = love.mouse.getPosition()
  if love.mouse.isDown(1) and x < view.width then
    view.game:push(x, y)
  else
    view.game:push()
  end
end

-- Plays one step for each frame, and measures its time.
function view.update()
  readPointer()
  if paused then
    return
  end
  local kilobytes, start = collectgarbage("count"), love.timer.getTime()
  view.game:step()
  record(times, 1000 * (love.timer.getTime() - start))
  record(garbage, math.max(0, collectgarbage("count") - kilobytes))
  record(pairCounts, view.game.pairCount)
end

local function setBackend(number)
  backend = number
  view.game:setBackend(BACKENDS[number])
end

function view.keypressed(key)
  local number = tonumber(key)
  if number and BACKENDS[number] then
    setBackend(number)
  elseif key == "d" then
    overlay = overlay % #OVERLAYS + 1
  elseif key == "space" then
    paused = not paused
  elseif key == "r" then
    view.game = swarm.newGame(os.time(), BACKENDS[backend])
  end
end

local function drawBoxes(color, alpha, boxes)
  look.setColor(color, alpha)
  draw.boxes(view.game.world, boxes)
end

-- Blocks keep their colour even if they are in a pair, because the other box is drawn over them.
local function drawBlocks()
  local world = view.game.world
  for _, block in ipairs(view.game.blocks) do
    look.block("static", block:getRect())
    drawBoxes("pair", 1, (world:queryBox(block, swarm.MOVER, inside)))
  end
end

function view.draw()
  local game = view.game
  look.sky("night", view.width, view.height)
  drawBoxes("dynamic", 1, game.movers)
  drawBoxes("pair", 1, game.pairs)
  drawBlocks()
  if game.pushX then
    drawBoxes("hit", 1, game.touched)
    look.glow("hit", game.pushX, game.pushY, 1.3 * swarm.REACH, 0.6)
    look.setColor("hit", 0.8)
    love.graphics.setLineWidth(2)
    love.graphics.circle("line", game.pushX, game.pushY, swarm.REACH)
  end
  if OVERLAYS[overlay].kinds then
    debugView.draw(game.world, OVERLAYS[overlay].kinds)
  end
end

function view.display()
  look.display({ "boxes", view.game.world:count(), "pairs", pairCounts.last, "ms",
    ("%.2f"):format(times.last), "back end", BACKENDS[backend] })
end

function view.panel()
  local game = view.game
  look.panel(view.width, view.height, "swarm",
    ("%d boxes; every frame finds all pairs that overlap."):format(game.world:count()))
  look.graph("step, milliseconds", ("%.2f"):format(times.last), times, "normal")
  look.graph("pairs", pairCounts.last, pairCounts, "pair")
  look.graph("garbage, kilobytes", ("%.1f"):format(garbage.last), garbage, "hit")
  look.row("back end", BACKENDS[backend])
  look.row("drawn over it", OVERLAYS[overlay].name)
  look.space()
  look.legend("static", "static")
  look.legend("dynamic", "dynamic")
  look.legend("pair", "pair: they overlap")
  look.legend("hit", "within reach of the pointer")
  local colors = debugView.colors
  local kinds = OVERLAYS[overlay].kinds or {}
  for _, kind in ipairs({ "cell", "node", "fat" }) do
    if kinds[kind] then
      look.legend(colors[kind], kind == "fat" and "fat box" or kind, "line")
    end
  end
  look.keys({ "1 - 5", "switch the back end", "D", "draw the back end", "mouse", "push",
    "Space", "pause", "R", "restart", "Esc", "leave" })
end

return view
