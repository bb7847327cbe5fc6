-- The platformer in LÖVE: arrows or A and D run, space jumps; a gamepad also works. While nobody
-- plays, the robot does. What moves is drawn between its last two places, so that it does not shake
-- on screens that are faster than the steps.

local debugView = require("broadside.debug")
local play = require("broadside.play")

local actors = require("platformer.actors")
local level = require("platformer.level")
local look = require("support.look")
local palette = require("platformer.palette")
local particles = require("platformer.particles")
local platformer = require("platformer.simulation")
local robot = require("platformer.robot")
local scenery = require("platformer.scenery")

local IDLE = 20 -- seconds without a key until the robot takes over
local HISTORY = 600 -- steps that backspace can take back
local APPLAUSE = 5 -- seconds from the goal to a new game
local SQUASH = { land = 0.72, jump = 1.3, stomp = 1.3, start = 0.6 }

local view = { title = "platformer", width = platformer.WIDTH, height = platformer.HEIGHT }

local played -- the play of view.game
local camera, shake
local time -- the time that is drawn
local idle, applause
local pose -- the player's pose: see actors.drawPlayer
local fallen -- enemies that were jumped on: {{x =, y =, age =}, ...}
local shown -- coins in the display, which grow when the number changes
local showDebug = false
local places = {} -- the result of a query; the same table each time

-- events ------------------------------------------------------------------------------------------

local function onEvent(name, x, y)
  particles.burst(name, x, y)
  pose.stretch = SQUASH[name] or pose.stretch
  if name == "stomp" then
    table.insert(fallen, { x = x, y = y, age = 0 })
  elseif name == "coin" then
    shown = 1
  elseif name == "die" then
    shake = 8
  elseif name == "thud" and math.abs(x - camera - view.width / 2) < view.width / 2 then
    shake = math.max(shake, 4)
  end
end

-- The robot thinks before each step: a slow frame has several.
local function askRobot(p)
  local direction, jump = view.pilot(p.game)
  p:set("direction", direction)
  p:set("jump", jump)
end

local function restart(isRobot)
  local game = platformer.newGame()
  game.onEvent = onEvent
  view.game, view.pilot = game, isRobot and robot.new() or nil
  played = play.new(game, { dt = platformer.STEP, inputs = platformer.INPUTS,
    history = isRobot and 0 or HISTORY, before = isRobot and askRobot or nil })
  camera, shake, idle, applause, shown = 0, 0, 0, 0, 0
  pose = {
    facing = 1, vx = 0, vy = 0, grounded = true, walked = 0, stride = 0, stretch = 1, time = time,
    blink = false,
  }
  fallen = {}
  particles.load(game.world)
end

function view.load()
  time = 0
  scenery.load(view.width, view.height)
  restart(true)
end

-- the player's hands ------------------------------------------------------------------------------

local function gamepad()
  local pad = love.joystick and love.joystick.getJoysticks()[1]
  return pad and pad:isGamepad() and pad or nil
end

-- Returns -1, 0 or 1, and whether to jump.
local function readHands()
  local isDown, pad = love.keyboard.isDown, gamepad()
  local direction = (isDown("right", "d") and 1 or 0) - (isDown("left", "a") and 1 or 0)
  local jump = isDown("space", "up") or isDown("w")
  if pad then
    local lean = pad:getGamepadAxis("leftx")
    local left = pad:isGamepadDown("dpleft") or lean < -0.3
    local right = pad:isGamepadDown("dpright") or lean > 0.3
    direction = direction ~= 0 and direction or (right and 1 or 0) - (left and 1 or 0)
    jump = jump or pad:isGamepadDown("a")
  end
  return direction, jump
end

-- The first key that is pressed begins a new game for the player. Returns the time to play:
-- backspace makes it negative.
local function control(dt)
  local direction, jump = readHands()
  local isTouched = direction ~= 0 or jump
  idle = isTouched and 0 or idle + dt
  if view.pilot and isTouched then
    restart(false)
  elseif not view.pilot and idle > IDLE then
    restart(true)
  end
  if view.pilot then
    return dt
  elseif love.keyboard.isDown("backspace") then
    idle = 0
    return -dt
  end
  played:set("direction", direction)
  played:set("jump", jump)
  return dt
end

function view.keypressed(key)
  if key == "r" then
    restart(view.pilot ~= nil)
  elseif key == "p" then
    restart(true)
  elseif key == "tab" then
    showDebug = not showDebug
  end
end

-- What has been played since the game began, for a test.
function view.record()
  return played:record()
end

-- time --------------------------------------------------------------------------------------------

-- Where an entity is between the last two steps.
local function placeOf(entity)
  local x, y, w, h = entity.box:getRect()
  local lastX, lastY = entity.lastX or x, entity.lastY or y
  return lastX + (x - lastX) * played.alpha, lastY + (y - lastY) * played.alpha, w, h
end

local function updatePose(dt)
  local player = view.game.player
  local speed = math.abs(player.vx)
  if speed > 20 then
    pose.facing = player.vx > 0 and 1 or -1
  end
  pose.vx, pose.vy, pose.grounded = player.vx, player.vy, player.walker.onFloor
  pose.walked = pose.walked + player.vx * dt
  pose.stride = math.min(speed / 120, 1)
  pose.stretch = pose.stretch + (1 - pose.stretch) * math.min(1, 11 * dt)
  pose.time, pose.blink = time, time % 3.1 < 0.13
end

local function updateCamera(dt)
  local x, _, w = placeOf(view.game.player)
  local goal = x + w / 2 - view.width * 0.42 + pose.facing * 50
  camera = camera + (goal - camera) * math.min(1, 4 * dt)
  camera = math.max(0, math.min(level.WIDTH - view.width, camera))
  shake = math.max(0, shake - 24 * dt)
  shown = math.max(0, shown - 5 * dt)
end

function view.update(dt)
  time = time + dt
  local toPlay = control(dt) -- this may begin another play
  played:update(toPlay)
  particles.update()
  updatePose(dt)
  updateCamera(dt)
  look.age(fallen, dt, 0.5)
  applause = view.game.isWon and applause + dt or 0
  if applause > APPLAUSE then
    restart(view.pilot ~= nil)
  end
end

-- drawing -----------------------------------------------------------------------------------------

local DRAW = {
  coin = function(_, x, y, w)
    local bob = 2 * math.sin(time * 3 + x * 0.03)
    actors.drawCoin(x + w / 2, y + w / 2 + bob, w / 2, time * 4 + x * 0.02)
  end,
  checkpoint = function(thing, x, y, w, h)
    thing.raised = (thing.raised or 0) + ((thing.isReached and 1 or 0) - (thing.raised or 0)) * 0.1
    actors.drawFlag(x + w / 2, y + h, 76, palette.player, thing.raised, time)
  end,
  goal = function(_, x, y, w, h)
    actors.drawFlag(x + w / 2, y + h, h + 30, palette.scarf, 1, time)
  end,
}

-- Draws what is in sight, behind the bodies.
local function drawThings()
  local game = view.game
  for _, platform in ipairs(game.platforms) do
    if platform.kind == "lift" then
      local _, _, w = platform.box:getRect()
      actors.drawRails(platform, w)
    end
  end
  local _, n = game.world:queryRect(camera - 60, 0, view.width + 120, view.height, level.THING,
    places)
  for i = 1, n do
    DRAW[places[i].kind](places[i], places[i].box:getRect())
  end
end

local function drawPlatforms()
  for _, platform in ipairs(view.game.platforms) do
    local x, y, w, h = placeOf(platform)
    if platform.kind == "lift" then
      actors.drawLift(x, y, w, h)
    else
      local isAbout = platform.along == 0 and (view.game.steps / 60 + platform.delay) % 3 > 1
      local jitter = isAbout and math.sin(time * 90) * 1.2 or 0
      local fury = (isAbout or platform.along > 0.5) and 1 or 0
      actors.drawCrusher(x + jitter, y, w, h, platform.fromY, fury)
    end
  end
end

local function drawBodies()
  local game = view.game
  for _, enemy in ipairs(game.enemies) do
    local x, y, w, h = placeOf(enemy)
    actors.drawEnemy(x, y, w, h, enemy.vx > 0 and 1 or -1, time, 1)
  end
  for _, enemy in ipairs(fallen) do
    actors.drawEnemy(enemy.x - 13, enemy.y - 12, 26, 24, 1, 0,
      math.max(0.02, 0.35 - 0.7 * enemy.age))
  end
  if game.pause == 0 then
    local x, y, w, h = placeOf(game.player)
    actors.drawPlayer(pose, x + w / 2, y + h, w, h)
  end
end

local function drawDisplay()
  local game = view.game
  palette.set(palette.shadow, 0.55)
  love.graphics.rectangle("fill", 16, 14, 132, 34, 17, 17)
  love.graphics.rectangle("fill", view.width - 118, 14, 102, 34, 17, 17)
  actors.drawCoin(38, 31, 10 + 4 * shown, time * 4)
  look.print(("%d / %d"):format(game.coins, game.coinsInAll), 58, 17, "text", "title")
  local seconds = game.steps * platformer.STEP
  look.print(("%d:%04.1f"):format(math.floor(seconds / 60), seconds % 60), view.width - 102, 17,
    "text", "title")
end

local function drawBanner(text, color)
  local w = 14 * #text + 60
  palette.set(palette.shadow, 0.7)
  love.graphics.rectangle("fill", (view.width - w) / 2, 92, w, 56, 28, 28)
  palette.set(color)
  love.graphics.setLineWidth(2)
  love.graphics.rectangle("line", (view.width - w) / 2, 92, w, 56, 28, 28)
  look.center(text, view.width / 2, 105, "text", "title")
end

function view.draw()
  local left = math.floor(camera + 0.5)
  scenery.drawBackground(view.width, left, time)
  love.graphics.push()
  love.graphics.translate(-left, math.floor(shake * math.sin(time * 70) + 0.5))
  drawThings()
  drawPlatforms()
  scenery.drawTiles(view.width, left, time)
  drawBodies()
  particles.draw()
  if showDebug then
    debugView.draw(view.game.world)
  end
  love.graphics.pop()
  drawDisplay()
  if view.game.isWon then
    drawBanner("You made it!", palette.coin)
  elseif view.pilot and time % 1.6 < 1.1 then
    palette.set(palette.shadow, 0.55)
    love.graphics.rectangle("fill", view.width / 2 - 200, 18, 400, 27, 13, 13)
    look.center("The robot plays: press an arrow key to play yourself", view.width / 2, 23, "text")
  end
end

function view.panel()
  local game = view.game
  look.panel(view.width, view.height, "platformer",
    "Run and jump to the flag. Bodies go by broadside.walker, platforms by world:push.")
  look.row("coins", game.coins .. " of " .. game.coinsInAll)
  look.row("deaths", game.deaths)
  look.row("boxes", game.world:count())
  look.space()
  look.legend(palette.player, "walker: you")
  look.legend(palette.enemy, "walker: enemies")
  look.legend(palette.metal, "push: lifts, crushers")
  look.legend(palette.wood, "solid from above: oneWay")
  look.legend(palette.coin, "crossed and told of", "dot")
  look.keys({ "arrows", "or A, D: run", "space", "jump, held: higher", "Tab",
    "what the world sees", "P", "the robot plays", "R", "restart", "Backspace", "back in time",
    "F5", "write a record", "Esc",
    "leave" })
end

return view
