-- The menu: a card for each example, and a small swarm that flies behind them.

local look = require("support.look")
local stage = require("support.stage")
local swarm = require("swarm.simulation")

local EXAMPLES = {
  { "platformer", "Run, jump, ride and be crushed: move, push, one-way boxes." },
  { "cannon", "Aim, fire, hit the targets: sweeps, layers, gravity." },
  { "bounce", "Throw a ball off the walls: move and step with responses." },
  { "barrage", "Dodge bullets that fire bullets: pools, emitters, models." },
  { "rollback", "Two machines, a bad network, one game: snapshots." },
  { "swarm", "10,000 boxes and all their pairs, on every back end, live." },
  { "marbles", "2,000 circles fall through pegs: shapes, step with bounces." },
  { "sandbox", "Draw shapes, cast segments, sweep boxes, see what they hit." },
}
local LEFT, TOP, CARD_W, CARD_H, GAP = 60, 36, 560, 62, 10
local FLYING = 1200

local view = { title = "examples", width = swarm.WIDTH, height = 640 }

local chosen

function view.load()
  chosen = 1
  view.game = swarm.newGame(3, "auto", FLYING)
end

function view.update()
  view.game:step()
end

local function open()
  stage.show(require(EXAMPLES[chosen][1] .. ".view"), function()
    stage.show(view, love.event.quit)
  end)
end

-- The number of the card at a point, or nil.
local function cardAt(x, y)
  local row = math.floor((y - TOP) / (CARD_H + GAP)) + 1
  local isInside = x >= LEFT and x < LEFT + CARD_W and (y - TOP) % (CARD_H + GAP) < CARD_H
  return isInside and EXAMPLES[row] and row or nil
end

function view.mousemoved(x, y)
  chosen = cardAt(x, y) or chosen
end

function view.mousepressed(x, y)
  view.mousemoved(x, y)
  if cardAt(x, y) then
    open()
  end
end

function view.keypressed(key)
  if key == "down" then
    chosen = chosen % #EXAMPLES + 1
  elseif key == "up" then
    chosen = (chosen - 2) % #EXAMPLES + 1
  elseif key == "return" or key == "space" or key == "kpenter" then
    open()
  elseif EXAMPLES[tonumber(key)] then
    chosen = tonumber(key)
    open()
  end
end

local function drawSwarm()
  local game = view.game
  look.setColor("static", 0.35)
  for _, block in ipairs(game.blocks) do
    love.graphics.rectangle("fill", block:getRect())
  end
  look.setColor("dynamic", 0.7)
  for _, box in ipairs(game.movers) do
    love.graphics.rectangle("fill", box:getRect())
  end
  look.setColor("pair")
  for i = 2, 2 * game.pairCount, 2 do -- the second of a pair was inserted later: it is no block
    love.graphics.rectangle("fill", game.pairs[i]:getRect())
  end
end

local function drawCard(row, example)
  local y = TOP + (row - 1) * (CARD_H + GAP)
  local isChosen = row == chosen
  look.setColor("panel", 0.94)
  love.graphics.rectangle("fill", LEFT, y, CARD_W, CARD_H, 6, 6)
  look.setColor(isChosen and "dynamic" or "edge")
  love.graphics.setLineWidth(isChosen and 2 or 1)
  love.graphics.rectangle("line", LEFT, y, CARD_W, CARD_H, 6, 6)
  look.print(example[1], LEFT + 24, y + 7, "text", "title")
  look.print(example[2], LEFT + 24, y + 38, isChosen and "text" or "faint")
end

function view.draw()
  drawSwarm()
  for row, example in ipairs(EXAMPLES) do
    drawCard(row, example)
  end
end

function view.panel()
  look.panel(view.width, view.height, "Broadside",
    "Axis-aligned box collisions for Lua, in C. Choose an example.")
  look.row("boxes behind the cards", view.game.world:count())
  look.row("pairs", view.game.pairCount)
  look.keys({ "arrows", "choose", "Enter", "or click: play", "1 - 8", "play at once", "Esc",
    "quit" })
end

return view
