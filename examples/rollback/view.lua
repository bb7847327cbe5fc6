-- The duel in LÖVE. At the top is what the machine of player 1 shows, at the bottom that of player
-- 2, and between them the network. Outlines are the last certain state, from which the rest is
-- predicted.
--
-- Sliders make the network worse. N plays against another window, or against peer.lua.

local drawing = require("rollback.drawing")
local duel = require("rollback.simulation")
local look = require("support.look")
local match = require("rollback.match")
local recorder = require("rollback.recorder")
local rollback = require("rollback.rollback")
local udp = require("rollback.udp")

local STRIP = 64 -- the height of the strip that shows the network
local IDLE = 8 * 60 -- frames without a key until the robot takes over
local ONLINE_SEED = 7 -- both processes begin with the same game

local view = { title = "rollback", width = duel.WIDTH, height = 2 * duel.HEIGHT + STRIP,
  hasControls = true }

local KEYS = {
  { left = "a", right = "d", jump = "w", shoot = "f", throw = "g" },
  { left = "left", right = "right", jump = "up", shoot = "k", throw = "l" },
}

local SLIDERS = { -- the value is `scale` times what is shown; most and step are as shown
  { name = "latency", unit = "ms", scale = 1000, most = 400, step = 10, value = 0.1 },
  { name = "jitter", unit = "ms", scale = 1000, most = 100, step = 5, value = 0.01 },
  { name = "loss", unit = "%", scale = 100, most = 50, step = 1, value = 0.1 },
  { name = "delay", unit = "frames", scale = 1, most = rollback.MOST_DELAY, step = 1, value = 2 },
}

local played, link -- the match; the link to another process, or nil
local seed, time, chosen, dragged
local idle -- frames since a player last pressed a key
local eyes -- what is remembered about each machine's picture: see watch
local problem -- why there is no other process

-- the match ---------------------------------------------------------------------------------------

local function readKeys(player)
  local keys, isDown, input = KEYS[player], love.keyboard.isDown, 0
  for button, key in pairs(keys) do
    input = input + (isDown(key) and duel[button:upper()] or 0)
  end
  return input
end

-- The keys of a player, or the robot while nobody presses them.
local function newPilot(player, robot)
  return function(game)
    local input = readKeys(player)
    idle[player] = input ~= 0 and 0 or idle[player] + 1
    return idle[player] > IDLE and robot(game) or input
  end
end

local function newEye()
  return { -- by player
    places = { {}, {} }, offsets = { { dx = 0, dy = 0 }, { dx = 0, dy = 0 } }, mistakes = {},
    depth = 0, flash = 0, -- how far it went back, and 1 when it has just done so
  }
end

local function apply()
  for i = 1, played.network and 3 or 0 do
    played.network[SLIDERS[i].name] = SLIDERS[i].value
  end
  for _, session in pairs(played.machines) do
    session.delay = SLIDERS[4].value
  end
end

local function begin(newPlayed, ownSeed)
  local session = newPlayed.machines[1] or newPlayed.machines[2]
  view.record = recorder.listen(session, ownSeed)
  played, eyes, idle = newPlayed, { newEye(), newEye() }, { IDLE, IDLE }
  for player in pairs(played.machines) do
    played.pilots[player] = newPilot(player, played.pilots[player])
  end
  view.game = session.game
  apply()
end

local function restart()
  if link then
    link:close()
  end
  link, problem = nil, nil
  begin(match.new({ seed = seed }), seed)
end

local function goOnline()
  restart()
  for player = 1, 2 do
    link, problem = udp.newLink(player)
    if link then
      begin(match.join(player, link, { seed = ONLINE_SEED }), ONLINE_SEED)
      return
    end
  end
end

function view.load(newSeed)
  seed, time, chosen = newSeed, 0, 1
  drawing.load()
  restart()
end

-- what is seen ------------------------------------------------------------------------------------

-- After a rollback a player may be elsewhere than it was shown. It is moved there gradually, and a
-- red shade is left where it was shown.
local function watch(session, eye)
  eye.depth = session.depth > 0 and session.depth or eye.depth
  eye.flash = session.depth > 0 and 1 or eye.flash * 0.85
  for i = #eye.mistakes, 1, -1 do
    local mistake = eye.mistakes[i]
    mistake.alpha = mistake.alpha - 0.06
    if mistake.alpha <= 0 then
      table.remove(eye.mistakes, i)
    end
  end
  for i, player in ipairs(session.game.players) do
    local x, y = player.box:getRect()
    local vx, vy = player.box:getVelocity()
    local place, offset = eye.places[i], eye.offsets[i]
    local dx, dy = (place.x or x) - x, (place.y or y) - y -- the offset from where it should be now
    local isJump = session.depth > 0 and dx * dx + dy * dy > 9
    offset.dx = 0.8 * (offset.dx + (isJump and dx or 0))
    offset.dy = 0.8 * (offset.dy + (isJump and dy or 0))
    if isJump then
      table.insert(eye.mistakes, { x = x + dx, y = y + dy, alpha = 1 })
    end
    place.x, place.y = x + vx, y + vy
  end
end

function view.update(dt)
  time = time + dt
  played:update(dt, function()
    for player, session in pairs(played.machines) do
      watch(session, eyes[player])
    end
  end)
end

-- hands -------------------------------------------------------------------------------------------

local function change(slider, shown)
  slider.value = math.max(0, math.min(slider.most, shown)) / slider.scale
  apply()
end

-- The slider at a point, or nil.
local function sliderAt(x, y)
  for i, slider in ipairs(SLIDERS) do
    if slider.x and x > slider.x - 10 and x < slider.x + slider.w + 10 and y >= slider.y
      and y < slider.y + 36 then
      return i
    end
  end
end

function view.mousemoved(x)
  local slider = SLIDERS[dragged]
  if slider then
    local steps = slider.most / slider.step * (x - slider.x) / slider.w
    change(slider, math.floor(steps + 0.5) * slider.step)
  end
end

function view.mousepressed(x, y)
  dragged = sliderAt(x, y)
  chosen = dragged or chosen
  view.mousemoved(x)
end

function view.mousereleased()
  dragged = nil
end

local ACTIONS = {
  r = restart,
  n = goOnline,
  x = function()
    if played.network then
      played.network:forge(2)
    end
  end,
  ["-"] = -1, ["kp-"] = -1, ["+"] = 1, ["="] = 1, ["kp+"] = 1,
}

function view.keypressed(key)
  local action = ACTIONS[key]
  if SLIDERS[tonumber(key)] then
    chosen = tonumber(key)
  elseif type(action) == "number" then
    local slider = SLIDERS[chosen]
    change(slider, math.floor(slider.value * slider.scale + action * slider.step + 0.5))
  elseif action then
    action()
  end
end

-- drawing -----------------------------------------------------------------------------------------

-- Draws a square for each frame that is not certain yet. Frames that have just been played again
-- are red.
local function drawFrames(session, eye, x, y)
  local ahead = session.frame - session.confirmed
  for i = 1, rollback.WINDOW do
    local isAgain = i <= eye.depth and eye.flash > 0.8
    look.setColor(i > ahead and "panel" or isAgain and "hit" or "pair", i > ahead and 0.7 or 1)
    love.graphics.rectangle("fill", x + 7 * i, y, 5, 8)
  end
end

local function drawLabel(player, session, eye)
  look.setColor("background", 0.72)
  love.graphics.rectangle("fill", 192, 5, 452, 22, 11, 11)
  look.setColor(drawing.PLAYERS[player])
  love.graphics.circle("fill", 204, 16, 5)
  look.print(("machine %d"):format(player), 214, 8, "text", "small")
  drawFrames(session, eye, 276, 12)
  local name = idle[player] > IDLE and "robot" or "you"
  local isSame = session.agreed == session.checkFrame and not session.desync
  look.print(("frame %d: %s"):format(session.checkFrame, session.checkHash), 500, 8,
    session.desync and "hit" or isSame and "normal" or "faint", "small")
  local x, y = session.game.players[player].box:getCenter()
  look.center(name, x, y - 36, drawing.PLAYERS[player], "small")
end

local function drawMachine(player, session)
  local eye, certain = eyes[player], session:getConfirmed()
  drawing.game(session.game, time, eye.offsets)
  for _, mistake in ipairs(eye.mistakes) do
    drawing.mistake(mistake.x, mistake.y, mistake.alpha)
  end
  for i = 1, certain and 2 or 0 do
    local saved, x, y = certain.players[i], session.game.players[i].box:getRect()
    drawing.ghost(i, saved.x, saved.y, x + eye.offsets[i].dx, y + eye.offsets[i].dy)
  end
  drawLabel(player, session, eye)
end

local function drawAbsent(player)
  look.center(("The machine of player %d is another process:"):format(player), view.width / 2,
    120, "text", "title")
  look.center("press N in a second window, or type", view.width / 2, 160, "faint")
  look.center(("lua5.4 examples/rollback/peer.lua %d"):format(player), view.width / 2, 184, "pair")
  look.center(("nothing was heard from it for %.0f s"):format(link:silence()), view.width / 2, 220,
    link:silence() > 3 and "hit" or "faint")
end

-- Draws a packet, which flies to the right at the top, to the left below.
local function drawPacket(packet, now)
  local s = math.min(1, (now - packet.sent) / math.max(packet.due - packet.sent, 0.001))
  local x1, x2, y = 60, view.width - 60, 20
  if packet.to == 1 then
    x1, x2, y = x2, x1, 44
  end
  local x = x1 + (x2 - x1) * s
  if packet.isLost then
    if s > 0.5 then
      look.setColor("hit", 1.6 - 1.6 * s)
      x, y = (x1 + x2) / 2, y + 30 * (s - 0.5)
      love.graphics.setLineWidth(2)
      love.graphics.line(x - 4, y - 4, x + 4, y + 4)
      love.graphics.line(x - 4, y + 4, x + 4, y - 4)
      return
    end
  end
  look.setColor(drawing.PLAYERS[3 - packet.to])
  love.graphics.rectangle("fill", x - 5, y - 4, 10, 8, 2, 2)
end

local function drawNetwork()
  look.setColor("background")
  love.graphics.rectangle("fill", 0, 0, view.width, STRIP)
  look.setColor("grid")
  love.graphics.setLineWidth(1)
  love.graphics.line(60, 20, view.width - 60, 20)
  love.graphics.line(60, 44, view.width - 60, 44)
  for player = 1, 2 do
    local x = player == 1 and 30 or view.width - 30
    look.setColor(drawing.PLAYERS[player])
    love.graphics.rectangle("line", x - 17, 13, 34, 26, 4, 4)
    love.graphics.rectangle("fill", x - 9, 43, 18, 4, 2, 2)
    look.center(tostring(player), x, 17, drawing.PLAYERS[player])
  end
  if played.network then
    for _, packet in ipairs(played.network.flying) do
      drawPacket(packet, played.network.now)
    end
  else
    look.center(("UDP on %s"):format(udp.ADDRESS), view.width / 2, 23, "faint")
  end
end

local function drawDesync()
  for _, session in pairs(played.machines) do
    if session.desync then
      look.setColor("background", 0.85)
      love.graphics.rectangle("fill", view.width / 2 - 250, STRIP / 2 - 24, 500, 48, 24, 24)
      look.center(("The two games differ since frame %d"):format(session.desync), view.width / 2,
        STRIP / 2 - 15, "hit", "title")
      return
    end
  end
end

function view.draw()
  for player = 1, 2 do
    love.graphics.push()
    love.graphics.translate(0, (player - 1) * (duel.HEIGHT + STRIP))
    if played.machines[player] then
      drawMachine(player, played.machines[player])
    else
      drawAbsent(player)
    end
    love.graphics.pop()
  end
  love.graphics.push()
  love.graphics.translate(0, duel.HEIGHT)
  drawNetwork()
  drawDesync()
  love.graphics.pop()
end

local function drawSliders()
  for i, slider in ipairs(SLIDERS) do
    local shown = slider.value * slider.scale
    slider.x = nil
    if played.network or i == 4 then -- a real network cannot be changed
      slider.x, slider.y, slider.w = look.slider(("%d  %s"):format(i, slider.name),
        ("%.0f %s"):format(shown, slider.unit), shown / slider.most, i == chosen)
    end
  end
end

local function drawFigures()
  local session = played.machines[1] or played.machines[2]
  look.row("frame", session.frame)
  look.row("rollbacks", session.rollbacks)
  look.row("frames played again", session.replayed)
  look.row("at most at once", session.deepest)
  look.row("frames waited", session.waits)
  look.row(session.desync and "hashes differ at frame" or "hashes equal up to frame",
    session.desync or session.agreed)
end

function view.panel()
  look.panel(view.width + look.PANEL, view.height, "rollback",
    problem or "Two machines play one game. Nobody waits for the network: what it brings too late "
      .. "is played again.")
  drawSliders()
  drawFigures()
  look.space()
  look.legend("text", "outlines: what is certain", "line")
  look.legend("pair", "frames that are not certain")
  look.legend("hit", "shown wrongly, played again")
  look.keys({ "ADW F G", "player 1: shoot, throw", "arrows K L", "player 2", "1-4 - +",
    "sliders, or the mouse", "N", "another process", "X", "forge an input", "R", "restart", "F5",
    "write a record" })
end

return view
