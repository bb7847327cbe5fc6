-- Four machines in one window play one game over a bad network: the host, a guest, one who comes
-- late, and a spectator. Robots play until you do, with the arrow keys.

local look = require("support.look")
local network = require("rollback.network")
local party = require("rollback.party")
local rules = require("party.game")

local NAMES = { "host", "guest", "guest, late", "spectator" }
local LATE, STRAY = { [3] = 240, [4] = 360 }, { 0.04, 0.12 } -- frames; seconds of each packet
local COLORS = { wall = "static", ball = "pair", "dynamic", "hit", "normal" }

local view = { title = "party", width = 900, height = 620 }

local machines, nets, frame

function view.load()
  machines, nets, frame = { party.newHost(rules.newGame(), 3) }, {}, 0
  view.machines, view.game = machines, machines[1].game
  for i = 2, #NAMES do
    nets[i] = network.new({ latency = STRAY[1], jitter = STRAY[2], loss = 0.1, seed = i })
    machines[i] = party.newGuest(rules.newGame(), nets[i].links[2], 3, i < 4 and i or nil)
  end
end

-- A robot runs to the ball, and jumps now and then.
local function think(i, game)
  local x, ballX = game.heroes[i].box:getCenter(), game.ball:getCenter()
  return (x < ballX and rules.RIGHT or rules.LEFT) + (frame % (50 + 9 * i) == 0 and rules.JUMP or 0)
end

local function readKeys()
  local isDown = love.keyboard.isDown
  return (isDown("left") and rules.LEFT or 0) + (isDown("right") and rules.RIGHT or 0)
    + (isDown("up") and rules.JUMP or 0)
end

-- Steps have a fixed length; a window that is slower than 60 frames a second is slower here.
function view.update()
  frame = frame + 1
  view.isHuman = view.isHuman or readKeys() > 0
  for i, machine in ipairs(machines) do
    if i > 1 and frame == (LATE[i] or 1) then
      machines[1]:add(nets[i].links[1], machine.place)
    end
    local isPlayer = machine.place ~= nil
    machine:update(isPlayer and (i == 1 and view.isHuman and readKeys() or think(i, machine.game)))
    if nets[i] then nets[i]:advance(1 / 60) end
  end
end

function view.keypressed(key)
  if key == "r" or key == "p" then
    view.isHuman = key == "r" and view.isHuman
    view.load()
  end
end

function view.draw()
  look.sky("evening", view.width, view.height)
  for i, machine in ipairs(machines) do
    love.graphics.push()
    love.graphics.translate(30 + (i - 1) % 2 * 440, 50 + math.floor((i - 1) / 2) * 290)
    for box in machine.game.world:boxes() do
      local x, y, w, h = box:getRect()
      look.setColor(COLORS[box:getData()])
      love.graphics.rectangle("fill", x, y, w, h, box == machine.game.ball and w / 2 or 0)
    end
    look.label(("%s: frame %d, certain to %d, went back %d times"):format(NAMES[i], machine.frame,
      machine.confirmed, machine.rollbacks), 0, -28)
    love.graphics.pop()
  end
end

function view.panel()
  look.panel(view.width, view.height, "party", "One game on four machines (rollback/party.lua).")
  look.row("kicks", table.concat(view.game.state.kicks, ", "))
  look.keys({ "arrows", "play on the host", "R", "restart", "P", "robots play", "Esc", "leave" })
end

return view
