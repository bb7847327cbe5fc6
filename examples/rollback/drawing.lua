-- The picture of the duel: an arena at night, drawn only from the state of a game.

local arena = require("rollback.arena")
local duel = require("rollback.simulation")
local look = require("support.look")

local drawing = {}

local graphics = love.graphics
local TILE = arena.TILE

drawing.PLAYERS = { { 0.30, 0.80, 0.98 }, { 1.00, 0.58, 0.30 } }
local PLAYER_DARK = { { 0.10, 0.36, 0.60 }, { 0.62, 0.25, 0.12 } }
local STONE, STONE_DARK, STONE_LIGHT = { 0.22, 0.25, 0.38 }, { 0.15, 0.17, 0.28 },
  { 0.44, 0.52, 0.72 }
local WOOD, WOOD_DARK, WOOD_LIGHT = { 0.72, 0.48, 0.27 }, { 0.42, 0.26, 0.16 },
  { 0.90, 0.68, 0.42 }
local METAL, METAL_DARK = { 0.62, 0.68, 0.82 }, { 0.30, 0.34, 0.48 }
local INK, WHITE, HEART = { 0.07, 0.07, 0.14 }, { 1, 1, 1 }, { 0.98, 0.33, 0.42 }
local WARNING = { 1.00, 0.80, 0.30 }
local SKY = { { 0.06, 0.06, 0.17 }, { 0.20, 0.14, 0.36 }, { 0.47, 0.22, 0.42 } }

local function set(color, alpha)
  graphics.setColor(color[1], color[2], color[3], alpha or 1)
end

-- A number 0..1 that looks random and is always the same for x, y.
local function noise(x, y)
  local value = math.sin(x * 127.1 + y * 311.7) * 43758.5453
  return value - math.floor(value)
end

-- what stands still -------------------------------------------------------------------------------

local sky

local function newSky()
  local vertices = {}
  for i, color in ipairs(SKY) do
    local y = (i - 1) / (#SKY - 1) * duel.HEIGHT
    table.insert(vertices, { 0, y, 0, 0, color[1], color[2], color[3], 1 })
    table.insert(vertices, { duel.WIDTH, y, 0, 0, color[1], color[2], color[3], 1 })
  end
  return graphics.newMesh(vertices, "strip", "static")
end

local function drawTowers()
  for i = 0, 16 do
    local w, h = 34 + 26 * noise(i, 1), 60 + 130 * noise(i, 2)
    local x = i * 50 - 10 + 12 * noise(i, 3)
    set({ 0.13, 0.11, 0.27 }, 0.85)
    graphics.rectangle("fill", x, duel.HEIGHT - h, w, h)
    for row = 0, math.floor(h / 18) - 2 do
      for column = 0, 1 do
        if noise(i * 9 + column, row) > 0.62 then
          set(WARNING, 0.35)
          graphics.rectangle("fill", x + 8 + column * 14, duel.HEIGHT - h + 8 + row * 18, 5, 7)
        end
      end
    end
  end
end

local function drawSky(time)
  set(WHITE)
  graphics.draw(sky)
  for i = 1, 50 do
    set(WHITE, (0.3 + 0.3 * math.sin(time * (0.5 + noise(i, 5)) + i)) * noise(i, 6))
    graphics.rectangle("fill", noise(i, 7) * duel.WIDTH, noise(i, 8) * 200, 2, 2)
  end
  set({ 0.96, 0.90, 0.80 }, 0.10)
  graphics.circle("fill", 606, 88, 46)
  set({ 0.96, 0.90, 0.80 })
  graphics.circle("fill", 606, 88, 30)
  drawTowers()
end

local function isWall(column, row)
  local line = arena.rows[row]
  local symbol = line and line:sub(column, column) or "#"
  return symbol == "" or symbol:find("[#<>]") ~= nil
end

local function drawWall(column, row, x, y)
  set(STONE)
  graphics.rectangle("fill", x, y, TILE, TILE)
  set(STONE_DARK)
  for i = 0, 1 do -- bricks
    graphics.rectangle("fill", x, y + 14 + 16 * i, TILE, 2)
    graphics.rectangle("fill", x + (i == 0 and 10 or 24), y + 16 * i, 2, 15)
  end
  if noise(column, row) > 0.6 then
    set(STONE_LIGHT, 0.16)
    graphics.rectangle("fill", x + 12, y + 2, 18, 11)
  end
  if not isWall(column, row - 1) then
    set(STONE_LIGHT)
    graphics.rectangle("fill", x, y, TILE, 4)
  end
  if not isWall(column, row + 1) then
    set(INK, 0.6)
    graphics.rectangle("fill", x, y + TILE - 4, TILE, 4)
  end
end

local function drawCannon(x, y, side)
  set(METAL_DARK)
  graphics.circle("fill", x + TILE / 2 + side * 8, y + TILE / 2, 12)
  graphics.rectangle("fill", side > 0 and x + TILE / 2 or x - 8, y + 9, TILE / 2 + 8, 14, 3, 3)
  set(METAL)
  graphics.rectangle("fill", side > 0 and x + TILE + 3 or x - 8, y + 7, 5, 18, 2, 2)
  set(WARNING)
  graphics.circle("fill", x + TILE / 2 + side * 8, y + TILE / 2, 4)
end

local function drawPlank(x, y)
  set(WOOD)
  graphics.rectangle("fill", x, y, TILE, 9)
  set(WOOD_LIGHT)
  graphics.rectangle("fill", x, y, TILE, 3)
  set(WOOD_DARK)
  graphics.rectangle("fill", x, y + 7, TILE, 2)
  graphics.rectangle("fill", x + TILE - 1, y, 1, 9)
end

local function drawTiles()
  for row, line in ipairs(arena.rows) do
    for column = 1, #line do
      local symbol, x, y = line:sub(column, column), (column - 1) * TILE, (row - 1) * TILE
      if isWall(column, row) then
        drawWall(column, row, x, y)
      elseif symbol == "=" then
        drawPlank(x, y)
      end
      if symbol == ">" or symbol == "<" then
        drawCannon(x, y, symbol == ">" and 1 or -1)
      end
    end
  end
end

-- what moves --------------------------------------------------------------------------------------

local function drawHeart(x, y, size, color)
  set(color)
  graphics.circle("fill", x - size * 0.45, y - size * 0.25, size * 0.52)
  graphics.circle("fill", x + size * 0.45, y - size * 0.25, size * 0.52)
  graphics.polygon("fill", x - size * 0.92, y, x + size * 0.92, y, x, y + size)
end

local function drawLift(lift)
  local x, y, w, h = lift.box:getRect()
  set(METAL_DARK, 0.5)
  graphics.rectangle("fill", x + w / 2 - 2, TILE, 4, y - TILE)
  set(METAL_DARK)
  graphics.rectangle("fill", x, y, w, h, 4, 4)
  set(METAL)
  graphics.rectangle("fill", x, y, w, 5, 3, 3)
  set(WARNING)
  for i = 0, 5 do
    graphics.polygon("fill", x + 6 + i * 15, y + 10, x + 12 + i * 15, y + 10, x + 15 + i * 15,
      y + 6, x + 9 + i * 15, y + 6)
  end
end

local function drawCrate(x, y, w, h)
  set(WOOD_DARK)
  graphics.rectangle("fill", x, y, w, h, 3, 3)
  set(WOOD)
  graphics.rectangle("fill", x + 2, y + 2, w - 4, h - 4, 2, 2)
  set(WOOD_DARK)
  graphics.setLineWidth(3)
  graphics.line(x + 5, y + 5, x + w - 5, y + h - 5)
  graphics.line(x + w - 5, y + 5, x + 5, y + h - 5)
  set(WOOD_LIGHT)
  graphics.setLineWidth(2)
  graphics.rectangle("line", x + 2.5, y + 2.5, w - 5, h - 5)
end

-- dx, dy: the offset from its box at which it is drawn.
local function drawPlayer(player, time, dx, dy)
  local x, y, w, h = player.box:getRect()
  local vx = player.box:getVelocity()
  local color, dark, facing = drawing.PLAYERS[player.number], PLAYER_DARK[player.number],
    player.facing
  local stride = player.grounded and math.abs(vx) > 0.5 and math.sin(x * 0.22) or 0
  graphics.push()
  graphics.translate(x + w / 2 + dx, y + h + dy)
  set(dark) -- feet
  graphics.rectangle("fill", -9 + 3 * stride, -6 - 2 * math.max(0, stride), 8, 6, 3, 3)
  graphics.rectangle("fill", 1 - 3 * stride, -6 - 2 * math.max(0, -stride), 8, 6, 3, 3)
  graphics.rectangle("fill", -w / 2, -h, w, h - 4, 8, 8)
  set(player.hurt > 0 and WHITE or color)
  graphics.rectangle("fill", -w / 2, -h, w, h - 7, 8, 8)
  set(INK) -- the visor, with eyes
  graphics.rectangle("fill", -8 + 3 * facing, -h + 6, 16, 9, 4, 4)
  set(WHITE)
  graphics.rectangle("fill", -4 + 4 * facing, -h + 8, 3, 5, 1, 1)
  graphics.rectangle("fill", 2 + 4 * facing, -h + 8, 3, 5, 1, 1)
  set(METAL_DARK) -- the gun
  graphics.rectangle("fill", facing > 0 and 4 or -18, -h / 2 - 1, 14, 6, 2, 2)
  set(player.reload > 10 and WARNING or METAL)
  graphics.rectangle("fill", facing > 0 and 13 or -18, -h / 2, 5, 4)
  if player.shield > 0 then
    set(color, 0.25 + 0.15 * math.sin(time * 12))
    graphics.circle("line", 0, -h / 2, 24)
    graphics.circle("fill", 0, -h / 2, 24)
  end
  graphics.pop()
end

local SHOTS = { -- by tag: the colour, width, height, opacity
  [duel.BOLT] = { WARNING, 12, 6 },
  [duel.SPARK] = { { 1.00, 0.90, 0.60 }, 2, 2 },
  [duel.SMOKE] = { { 0.70, 0.70, 0.80 }, 4, 4, 0.35 },
}
for i = 1, 2 do
  SHOTS[duel.SHOT[i]] = { drawing.PLAYERS[i], 12, 4 }
  SHOTS[duel.GRENADE[i]] = { drawing.PLAYERS[i], 8, 8 }
  SHOTS[duel.FRAGMENT[i]] = { drawing.PLAYERS[i], 6, 3 }
end

local function drawShots(bullets)
  for id, x, y in bullets:each() do
    local shot = SHOTS[bullets:getTag(id)]
    local w, h = shot[2], shot[3]
    if w > 4 then -- light around it
      set(shot[1], 0.22)
      graphics.ellipse("fill", x, y, w * 1.1, h * 1.6)
    end
    set(shot[1], shot[4])
    graphics.rectangle("fill", x - w / 2, y - h / 2, w, h, h / 2, h / 2)
    if w > 6 then
      set(WHITE, 0.9)
      graphics.rectangle("fill", x - w / 4, y - h / 4, w / 2, h / 2, h / 4, h / 4)
    end
  end
end

-- all of it ---------------------------------------------------------------------------------------

function drawing.load()
  sky = newSky()
end

local function drawScore(player)
  local side = player.number == 1 and 1 or -1
  local x = player.number == 1 and 56 or duel.WIDTH - 56
  look.center(tostring(player.score), x - 30 * side, 1, drawing.PLAYERS[player.number], "title")
  for i = 1, duel.HEALTH do
    drawHeart(x + side * (i - 1) * 20, 15, 8, i <= player.health and HEART or STONE_DARK)
  end
end

-- offsets: {dx, dy} for each player: the offset from its box at which it is drawn.
function drawing.game(game, time, offsets)
  drawSky(time)
  drawLift(game.lift)
  drawTiles()
  for box in game.world:boxes() do
    local kind = box:getData().kind
    if kind == "crate" then
      drawCrate(box:getRect())
    elseif kind == "heart" then
      local x, y = box:getCenter()
      drawHeart(x, y + 2 * math.sin(time * 4), 9, HEART)
    end
  end
  drawShots(game.bullets)
  for i, player in ipairs(game.players) do
    drawPlayer(player, time, offsets[i].dx, offsets[i].dy)
    drawScore(player)
  end
end

-- Draws the outline of a player whose corner is at x, y, and a line from there to where it is
-- drawn.
function drawing.ghost(number, x, y, toX, toY)
  set(drawing.PLAYERS[number], 0.75)
  graphics.setLineWidth(1.5)
  graphics.rectangle("line", x, y, arena.PLAYER_W, arena.PLAYER_H, 8, 8)
  set(drawing.PLAYERS[number], 0.35)
  graphics.line(x + arena.PLAYER_W / 2, y + arena.PLAYER_H / 2, toX + arena.PLAYER_W / 2,
    toY + arena.PLAYER_H / 2)
end

-- Draws a shade where a player was drawn by a wrong prediction.
function drawing.mistake(x, y, alpha)
  set(HEART, 0.6 * alpha)
  graphics.rectangle("fill", x, y, arena.PLAYER_W, arena.PLAYER_H, 8, 8)
end

return drawing
