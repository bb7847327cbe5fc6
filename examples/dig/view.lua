-- The digging game in LÖVE: A and D or the arrows walk, W jumps, the mouse digs and builds.

local dig = require("dig.simulation")
local look = require("support.look")

local TILE = dig.TILE
local COLORS = {
  d = { 0.430, 0.290, 0.270 }, w = { 0.500, 0.480, 0.640 }, o = { 0.430, 0.290, 0.270 },
  R = { 0.200, 0.170, 0.300 },
}
local DARK = { 0.060, 0.045, 0.110 }

local view = { title = "dig", width = dig.WIDTH, height = dig.HEIGHT }

local pointerX, pointerY, areBoxesShown, seed

function view.load(number)
  seed = number
  pointerX, pointerY, areBoxesShown = view.width / 2, view.height / 2, false
  view.game = dig.newGame(seed)
end

local function readKeys()
  local isLeft, isRight = love.keyboard.isDown("left", "a"), love.keyboard.isDown("right", "d")
  view.game:walk((isRight and 1 or 0) - (isLeft and 1 or 0))
  if love.keyboard.isDown("up", "w") then
    view.game:jump()
  end
end

function view.update(dt)
  readKeys()
  view.game:update(dt)
end

function view.mousemoved(x, y)
  pointerX, pointerY = x, y
end

function view.mousepressed(x, y, button)
  view.mousemoved(x, y)
  if button == 1 then
    view.game:dig(x, y)
  else
    view.game:build(x, y)
  end
end

function view.keypressed(key)
  if key == "r" then
    seed = seed + 1
    view.game = dig.newGame(seed)
  elseif key == "e" then
    view.game:build(pointerX, pointerY)
  elseif key == "z" then
    view.game:rewind()
  elseif key == "tab" then
    areBoxesShown = not areBoxesShown
  end
end

local function drawCell(column, row, symbol)
  local x, y = view.game.map:toWorld(column, row)
  if symbol == " " then
    look.setColor(DARK, math.min(0.75, math.max(0, (row - 8) / 8)))
    love.graphics.rectangle("fill", x, y, TILE, TILE)
    return
  end
  look.setColor(COLORS[symbol])
  love.graphics.rectangle("fill", x, y, TILE, TILE)
  look.setColor("background", 0.25)
  love.graphics.rectangle("fill", x + (7 * column + 5 * row) % 14, y + (5 * column + 9 * row) % 16,
    6, 4)
  if view.game.map:get(column, row - 1) == " " then
    look.setColor(symbol == "d" and "normal" or "text", symbol == "d" and 0.75 or 0.25)
    love.graphics.rectangle("fill", x, y, TILE, 4)
  end
  if symbol == "o" then
    look.setColor("pair")
    for i = 0, 2 do
      love.graphics.circle("fill", x + 6 + 6 * i, y + 8 + 7 * (i % 2), 3)
    end
  end
end

local function drawMap()
  local columns, rows = view.game.map:size()
  for row = 1, rows do
    for column = 1, columns do
      drawCell(column, row, view.game.map:get(column, row))
    end
  end
end

-- Draws the boxes of the map. A few of them cover many cells.
local function drawBoxes()
  love.graphics.setLineWidth(1)
  for box in view.game.world:boxes() do
    local x, y, w, h = box:getRect()
    look.setColor("text", 0.8)
    love.graphics.rectangle("line", x + 0.5, y + 0.5, w - 1, h - 1)
  end
end

local function drawMiner()
  local x, y, w, h = view.game.miner:getRect()
  look.glow("pair", x + w / 2, y + h / 2, 130, 0.35)
  look.setColor("dynamic")
  love.graphics.rectangle("fill", x, y, w, h, 5, 5)
  look.setColor("pair")
  love.graphics.rectangle("fill", x - 1, y - 2, w + 2, 6, 3, 3)
  look.eyes(x + w / 2, y + 9, 3, pointerX - x - w / 2, pointerY - y - 9)
end

local function drawBats()
  for i, bat in ipairs(view.game.bats) do
    local x, y, w, h = bat:getRect()
    local flap = 5 * ((view.game.steps + 5 * i) % 16 < 8 and 1 or -1)
    look.setColor("hit")
    love.graphics.polygon("fill", x + w / 2, y + h / 2, x - 7, y + h / 2 - flap, x + 2, y + h)
    love.graphics.polygon("fill", x + w / 2, y + h / 2, x + w + 7, y + h / 2 - flap, x + w - 2,
      y + h)
    love.graphics.rectangle("fill", x, y, w, h, 4, 4)
    local minerX, minerY = view.game.miner:getCenter()
    look.eyes(x + w / 2, y + 4, 2.4, minerX - x, minerY - y)
  end
end

-- Draws the line of sight, and the cell that a click would dig or build.
local function drawAim()
  local game = view.game
  local x, y = game.miner:getCenter()
  local column, row, isSoft = game:findDig(pointerX, pointerY)
  local color = isSoft and "pair" or "hit"
  if not column then
    column, row = game:findBuild(pointerX, pointerY)
    color = "normal"
  end
  love.graphics.setLineWidth(1)
  look.setColor("text", 0.3)
  love.graphics.line(x, y, pointerX, pointerY)
  if column then
    local cellX, cellY, w, h = game.map:toWorld(column, row)
    love.graphics.setLineWidth(2)
    look.setColor(color)
    love.graphics.rectangle("line", cellX + 1, cellY + 1, w - 2, h - 2)
  end
end

function view.draw()
  look.sky("evening", view.width, view.height)
  drawMap()
  drawMiner()
  drawBats()
  drawAim()
  if areBoxesShown then
    drawBoxes()
  end
end

function view.display()
  look.display({ "gold", view.game.gold, "caught", view.game.caught })
end

function view.panel()
  local game = view.game
  look.panel(view.width, view.height, "dig",
    "Dig for gold, and wall out the bats, who know the shortest way.")
  look.row("gold", game.gold)
  look.row("dug", game.dug)
  look.row("built", game.built)
  look.row("caught", game.caught)
  look.row("boxes", game.world:count())
  look.space()
  look.legend("pair", "what a click digs")
  look.legend("normal", "where you can build")
  look.keys({ "A D", "or arrows: walk", "W", "or up: jump", "click", "dig", "E",
    "or right click: build", "Z", "back in time", "Tab", "boxes", "R", "another hill", "Esc",
    "leave" })
end

return view
