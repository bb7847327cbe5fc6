-- The cellar in LÖVE: the arrows or W, A, S, D walk, K saves, L loads. While nobody plays, the
-- robot does. The hero carries a light, which goes around corners as the ghosts do.

local debugView = require("broadside.debug")
local look = require("support.look")
local play = require("broadside.play")
local robot = require("topdown.robot")
local topdown = require("topdown.simulation")

local TILE, FILE = topdown.TILE, "topdown-save"
local IDLE, APPLAUSE = 20, 5 -- seconds until the robot plays, and until a new game
local DARK, FAR = 0.34, 16 -- the least light; cells until it is dark
local BRICK, STONE, WOOD = { 0.42, 0.36, 0.62 }, { 0.30, 0.26, 0.42 }, { 0.62, 0.42, 0.28 }

local view = { title = "topdown", width = topdown.WIDTH, height = topdown.HEIGHT }

local played, light, idle, applause, time, showDebug
local facingX, facingY = 1, 0

local function walk(p, x, y)
  if x ~= 0 or y ~= 0 then
    facingX, facingY = x, y
  end
  p:set("x", x)
  p:set("y", y)
end

-- The robot thinks before each step: a slow frame has several.
local function askRobot(p)
  walk(p, view.pilot(p.game))
end

local function restart(isRobot)
  view.game, view.pilot = topdown.newGame(), isRobot and robot.new() or nil
  played = play.new(view.game, { inputs = topdown.INPUTS, before = isRobot and askRobot or nil })
  light, idle, applause, time = {}, 0, 0, time or 0
end

function view.load()
  time, showDebug = 0, false
  restart(true)
end

local function control(dt)
  local isDown = love.keyboard.isDown
  local x = (isDown("right", "d") and 1 or 0) - (isDown("left", "a") and 1 or 0)
  local y = (isDown("down", "s") and 1 or 0) - (isDown("up", "w") and 1 or 0)
  local isTouched = x ~= 0 or y ~= 0
  idle = isTouched and 0 or idle + dt
  if view.pilot and isTouched or not view.pilot and idle > IDLE then
    restart(not isTouched)
  end
  if not view.pilot then
    walk(played, x, y)
  end
end

function view.update(dt)
  time = time + dt
  control(dt)
  played:update(dt)
  applause = view.game.isWon and applause + dt or 0
  if applause > APPLAUSE then
    restart(view.pilot ~= nil)
  end
end

function view.keypressed(key)
  if key == "r" or key == "p" then
    restart(key == "p" or view.pilot ~= nil)
  elseif key == "tab" then
    showDebug = not showDebug
  elseif key == "k" then
    love.filesystem.write(FILE, view.game:save())
  elseif key == "l" and love.filesystem.read(FILE) then
    restart(false)
    view.game:load(love.filesystem.read(FILE))
  end
end

-- The light of a cell: that of the brightest around it, so that walls are lit, too.
local function updateLight(columns, rows)
  for row = 1, rows do
    for column = 1, columns do
      local least, number = FAR, (row - 1) * columns + column
      for y = math.max(1, row - 1), math.min(rows, row + 1) do
        for x = math.max(1, column - 1), math.min(columns, column + 1) do
          local steps = view.game.ways[(y - 1) * columns + x] or -1
          least = steps >= 0 and math.min(least, steps) or least
        end
      end
      local old = light[number] or DARK
      light[number] = old + (math.max(DARK, 1 - least / FAR) - old) * 0.08
    end
  end
end

local function drawMap()
  local columns, rows = view.game.map:size()
  updateLight(columns, rows)
  for row = 1, rows do
    for column = 1, columns do
      local x, y = view.game.map:toWorld(column, row)
      local isWall = view.game.map:get(column, row) == "#"
      local s = light[(row - 1) * columns + column] * ((column + row) % 2 == 0 and 1 or 0.93)
      local color = isWall and BRICK or STONE
      love.graphics.setColor(color[1] * s, color[2] * s, color[3] * s)
      love.graphics.rectangle("fill", x, y, TILE, TILE)
      if isWall and row < rows and view.game.map:get(column, row + 1) ~= "#" then
        look.setColor("background", 0.45)
        love.graphics.rectangle("fill", x, y + TILE - 12, TILE, 12)
      end
    end
  end
end

local function drawKey(x, y, size)
  look.setColor("pair")
  love.graphics.setLineWidth(3)
  love.graphics.circle("line", x - size / 2, y, size / 2)
  love.graphics.line(x, y, x + size, y, x + size, y + size / 2)
end

-- Draws a thing in the box x, y, w, h.
local DRAW = {
  door = function(x, y, w, h)
    look.block(WOOD, x, y, w, h)
    look.setColor("pair")
    love.graphics.circle("fill", x + w / 2, y + h / 2, 5)
  end,
  gate = function(x, y, w, h)
    for i = 0, 3 do
      look.block("static", x + w / 2 - 3, y + i * h / 4, 6, h / 4)
    end
  end,
  open = function(x, y, w, h)
    look.setColor("static", 0.4)
    love.graphics.rectangle("fill", x + w / 2 - 3, y, 6, 4)
    love.graphics.rectangle("fill", x + w / 2 - 3, y + h - 4, 6, 4)
  end,
  crate = function(x, y, w, h)
    look.block(WOOD, x, y, w, h)
    look.setColor("background", 0.35)
    love.graphics.setLineWidth(2)
    love.graphics.line(x + 5, y + 5, x + w - 5, y + h - 6)
    love.graphics.line(x + w - 5, y + 5, x + 5, y + h - 6)
  end,
  key = function(x, y, w)
    look.glow("pair", x + w / 2, y + w / 2, 40, 0.5)
    drawKey(x + 6, y + 7 + 2 * math.sin(4 * time), 9)
  end,
  lamp = function(x, y, w, _, box)
    local isLit = view.game.lit == box:getId()
    look.glow(isLit and "normal" or "static", x + w / 2, y + w / 2, isLit and 90 or 40, 0.6)
    look.setColor(isLit and "normal" or "static")
    love.graphics.circle("fill", x + w / 2, y + w / 2, 6)
  end,
  chest = function(x, y, w, h)
    look.glow("pair", x + w / 2, y + h / 2, 70, view.game.isWon and 1 or 0.3)
    look.block(WOOD, x, y, w, h)
    look.setColor("pair")
    love.graphics.rectangle("fill", x, y + 7, w, 3)
    love.graphics.rectangle("fill", x + w / 2 - 3, y + 5, 6, 8)
  end,
  ghost = function(x, y, w)
    local heroX, heroY = view.game.hero.box:getCenter()
    local float = 2 * math.sin(5 * time + x * 0.05)
    look.glow("hit", x + w / 2, y + w / 2, 46, 0.5)
    look.setColor("hit")
    love.graphics.circle("fill", x + w / 2, y + 9 + float, 11)
    love.graphics.rectangle("fill", x, y + 9 + float, w, 10)
    look.eyes(x + w / 2, y + 9 + float, 3.2, heroX - x, heroY - y)
  end,
  hero = function(x, y, w)
    look.glow("pair", x + w / 2, y + w / 2, 150, 0.35)
    look.setColor("dynamic")
    love.graphics.circle("fill", x + w / 2, y + w / 2, w / 2)
    look.eyes(x + w / 2 + 3 * facingX, y + w / 2 + 2 * facingY, 3.2, facingX, facingY)
  end,
}

function view.draw()
  drawMap()
  for _, plate in ipairs(view.game.plates) do -- below the crate
    local x, y, w, h = plate:getRect()
    look.box("normal", x - 3, y - 3, w + 6, h + 6, 0.7)
  end
  for box in view.game.world:boxes() do
    local draw = DRAW[topdown.kinds[box:getFilter()]]
    if draw then
      local x, y, w, h = box:getRect()
      draw(x, y, w, h, box)
    end
  end
  if showDebug then
    debugView.draw(view.game.world)
  end
  if view.game.isWon then
    look.center("The chest is yours!", view.width / 2, view.height / 2 - 30, "pair", "huge")
  elseif view.pilot then
    look.center("The robot plays: press an arrow key to play yourself", view.width / 2, 6)
  end
end

function view.display()
  look.display({ "keys", view.game.keys, "caught", view.game.caught })
end

function view.record()
  return played:record()
end

function view.panel()
  look.panel(view.width, view.height, "topdown",
    "Find two keys and the chest. A gate is open while its plate is pressed. Lamps save.")
  look.row("keys", view.game.keys)
  look.row("caught", view.game.caught)
  look.row("boxes", view.game.world:count())
  look.keys({ "arrows", "or W A S D: walk, push", "K", "save", "L", "load", "Tab",
    "what the world sees", "P", "the robot plays", "R", "restart", "F5", "write a record", "Esc",
    "leave" })
end

return view
