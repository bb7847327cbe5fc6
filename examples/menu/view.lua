-- The menu: a card for each example, and a small swarm that flies behind the cards.

local draw = require("broadside.draw")
local icons = require("menu.icons")
local look = require("support.look")
local stage = require("support.stage")
local swarm = require("swarm.simulation")

local EXAMPLES = {
  { "barrage", "Dodge bullets that fire bullets.", "For bosses, and thousands of shots." },
  { "platformer", "Run, jump, ride, do not get crushed.", "For heroes, slopes, lifts, coins." },
  { "topdown", "Find keys, push, outrun ghosts.", "For games seen from above." },
  { "cannon", "Aim, fire, hit the crates.", "For what is thrown, and fast." },
  { "bounce", "Throw a ball off the walls.", "For balls, and walls that stop some." },
  { "rollback", "Duel over a bad network.", "For two players, two machines." },
  { "swarm", "10,000 boxes fly around.", "For crowds: who touches whom." },
  { "marbles", "2,000 marbles fall through pegs.", "For round things that bounce and roll." },
  { "billiards", "Pull, let go, sink them all.", "For balls that push each other." },
  { "pinball", "Flip, and keep the balls in play.", "For bumpers, belts, springs, lifts." },
  { "jar", "Drop balls, let equal ones merge.", "For heaps, and balls that grow." },
  { "dig", "Dig for gold, wall out the bats.", "For maps that change in the game." },
  { "sandbox", "Draw shapes, shoot rays at them.", "For a look at what is hit, and where." },
  { "rooms", "Find the boots, save, dash on.", "For rooms with doors, and saves." },
}
local LEFT, TOP, CARD_W, CARD_H, GAP, COLUMNS = 24, 108, 400, 72, 5, 2
local FLYING = 1200

local view = { title = "examples", width = swarm.WIDTH, height = 652 }

local chosen, time

function view.load()
  chosen, time = 1, 0
  view.game = swarm.newGame(3, "auto", FLYING)
end

function view.update(dt)
  time = time + dt
  view.game:step()
end

local function open()
  stage.show(require(EXAMPLES[chosen][1] .. ".view"), function()
    stage.show(view, love.event.quit)
  end)
end

-- The place of a card.
local function placeOf(number)
  return LEFT + (number - 1) % COLUMNS * (CARD_W + GAP),
    TOP + math.floor((number - 1) / COLUMNS) * (CARD_H + GAP)
end

-- The number of the card at a point, or nil.
local function cardAt(x, y)
  for number = 1, #EXAMPLES do
    local left, top = placeOf(number)
    if x >= left and x < left + CARD_W and y >= top and y < top + CARD_H then
      return number
    end
  end
  return nil
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

local STEPS = { down = COLUMNS, up = -COLUMNS, right = 1, left = -1 }

function view.keypressed(key)
  if STEPS[key] then
    chosen = (chosen - 1 + STEPS[key]) % #EXAMPLES + 1
  elseif key == "return" or key == "space" or key == "kpenter" then
    open()
  elseif EXAMPLES[tonumber(key)] then
    chosen = tonumber(key)
    open()
  end
end

local function drawSwarm()
  local game = view.game
  look.setColor("dynamic", 0.7)
  draw.boxes(game.world, game.movers)
  look.setColor("pair")
  draw.boxes(game.world, game.pairs)
  look.setColor("edge") -- blocks are in pairs, too
  draw.boxes(game.world, game.blocks)
end

local function drawCard(number, example)
  local x, y = placeOf(number)
  local isChosen = number == chosen
  look.setColor(isChosen and "edge" or "panel", 0.92)
  love.graphics.rectangle("fill", x, y, CARD_W, CARD_H, 10, 10)
  icons.draw(example[1], x + 8, y + 2, CARD_H - 4, isChosen and time or 0.4)
  look.setColor(isChosen and "pair" or "edge")
  love.graphics.setLineWidth(isChosen and 2 or 1)
  love.graphics.rectangle("line", x, y, CARD_W, CARD_H, 10, 10)
  look.print(example[1], x + 110, y + 2, "text", "title")
  look.print(example[2], x + 110, y + 31, isChosen and "text" or "faint")
  look.print(example[3], x + 110, y + 50, isChosen and "text" or "faint")
end

function view.draw()
  look.sky("evening", view.width, view.height)
  drawSwarm()
  look.print("Broadside", LEFT, 16, "text", "huge")
  look.print("Run, jump, shoot, bounce: collisions and movement for games in Lua. Choose a game.",
    LEFT + 2, 74, "text")
  for number, example in ipairs(EXAMPLES) do
    drawCard(number, example)
  end
end

function view.panel()
  look.panel(view.width, view.height, "Broadside", "Behind the cards flies a swarm.")
  look.row("boxes", view.game.world:count())
  look.row("pairs", view.game.pairCount)
  look.keys({ "arrows", "choose", "Enter", "or click: play", "1 - 9", "play at once", "Esc",
    "quit" })
end

return view
