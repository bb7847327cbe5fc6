-- Draws what does not move in the platformer: the sky, the hills in the background, and the tiles.

local level = require("platformer.level")
local palette = require("platformer.palette")

local scenery = {}

local TILE, rows = level.TILE, level.rows
local STRIP = 12 -- the width of a slice of a hill
local set, mix, noise = palette.set, palette.mix, palette.noise

local sky, ground -- meshes
local ridges -- {{mesh =, far =}, ...}: far is how slowly it passes, 0..1

-- the sky and the hills ---------------------------------------------------------------------------

local function vertex(x, y, color)
  return { x, y, 0, 0, color[1], color[2], color[3], 1 }
end

local function newSky(width, height)
  local vertices = {}
  local stops = { { 0, palette.skyTop }, { 0.4, palette.skyHigh }, { 0.72, palette.skyLow },
    { 0.92, palette.horizon }, { 1, palette.horizon } }
  for _, stop in ipairs(stops) do
    table.insert(vertices, vertex(0, stop[1] * height, stop[2]))
    table.insert(vertices, vertex(width, stop[1] * height, stop[2]))
  end
  return love.graphics.newMesh(vertices, "strip", "static")
end

-- A wave of straight lines between -1 and 1.
local function zigzag(x)
  return math.abs(x % 2 - 1) * 2 - 1
end

local SHAPES = {
  mountains = function(x)
    return 300 + 54 * zigzag(x / 190) + 26 * zigzag(x / 83 + 0.3) + 9 * zigzag(x / 31)
  end,
  hills = function(x)
    return 372 + 34 * math.sin(x / 170) + 16 * math.sin(x / 71 + 1)
  end,
  woods = function(x)
    return 452 + 16 * math.sin(x / 140 + 2) + 9 * math.sin(x / 53)
  end,
}

local function newRidge(name, far, width, height)
  local vertices, colors = {}, palette[name]
  local length = width + (level.WIDTH - width) * (1 - far) + STRIP
  for x = 0, length, STRIP do
    table.insert(vertices, vertex(x, SHAPES[name](x), colors[1]))
    table.insert(vertices, vertex(x, height + 60, colors[2]))
  end
  return { name = name, far = far, mesh = love.graphics.newMesh(vertices, "strip", "static") }
end

local function drawStars(width, time)
  for i = 1, 60 do
    local x, y = noise(i, 1) * width, noise(i, 2) ^ 1.5 * 210
    local glow = 0.35 + 0.35 * math.sin(time * (0.5 + noise(i, 3)) + i)
    set(palette.white, glow * (1 - y / 230))
    local size = noise(i, 4) > 0.8 and 2 or 1
    love.graphics.rectangle("fill", math.floor(x), math.floor(y), size, size)
  end
end

local function drawSun(x, y)
  for i = 5, 1, -1 do
    set(palette.sun, 0.07)
    love.graphics.circle("fill", x, y, 46 + 17 * i)
  end
  set(palette.sun)
  love.graphics.circle("fill", x, y, 46)
end

local function drawCloud(x, y, size, glow)
  set(mix(palette.skyHigh, palette.cloud, glow))
  love.graphics.rectangle("fill", x - 2 * size, y, 4 * size, 0.6 * size, 0.3 * size, 0.3 * size)
  love.graphics.ellipse("fill", x - 0.7 * size, y, 0.8 * size, 0.55 * size)
  love.graphics.ellipse("fill", x + 0.5 * size, y - 0.1 * size, 1 * size, 0.75 * size)
end

local function drawClouds(width, camera, time)
  for i = 1, 6 do
    local size = 18 + 22 * noise(i, 7)
    local span = width + 8 * size
    local x = (noise(i, 8) * span + time * (3 + size / 8) - camera * 0.08) % span - 4 * size
    drawCloud(x, 60 + 22 * i, size, 0.08 + 0.05 * i)
  end
end

-- Draws a fir whose foot is at x, y.
local function drawFir(x, y, height)
  for i = 0, 2 do
    local top, half = y - height + i * height * 0.24, height * (0.13 + 0.06 * i)
    love.graphics.polygon("fill", x, top, x - half, top + height * 0.46, x + half,
      top + height * 0.46)
  end
end

local function drawFirs(ridge, from, to)
  set(palette.woods[1])
  for i = math.floor(from / 26), math.ceil(to / 26) do
    local x = i * 26 + 16 * noise(i, 11)
    if noise(i, 12) > 0.25 then
      drawFir(x, SHAPES[ridge.name](x) + 8, 38 + 44 * noise(i, 13))
    end
  end
end

function scenery.drawBackground(width, camera, time)
  set(palette.white)
  love.graphics.draw(sky)
  drawStars(width, time)
  drawSun(width * 0.7 - camera * 0.05, 292)
  drawClouds(width, camera, time)
  for _, ridge in ipairs(ridges) do
    local shift = camera * (1 - ridge.far)
    love.graphics.push()
    love.graphics.translate(-shift, 0)
    if ridge.name == "woods" then
      drawFirs(ridge, shift - 40, shift + width + 40)
    end
    set(palette.white)
    love.graphics.draw(ridge.mesh)
    love.graphics.pop()
  end
end

-- tiles -------------------------------------------------------------------------------------------

local function symbol(column, row)
  row = math.min(row, #rows)
  if row < 1 then
    return rows[1]:sub(column, column)
  end
  if column < 1 or column > #rows[row] then
    return "#"
  end
  return rows[row]:sub(column, column)
end

local function isGround(column, row)
  return symbol(column, row) == "#"
end

-- Whether the side of a tile that faces this cell is hidden.
local function isCovered(column, row)
  return isGround(column, row) or symbol(column, row):find("[/\\]") ~= nil
end

-- How many tiles deep in the ground the corner between four tiles is: 0 to 4. It is the upper left
-- corner of the tile.
local function depthOf(column, row)
  for reach = 1, 4 do
    for i = -reach, reach - 1 do
      if not (isGround(column + i, row - reach) and isGround(column + i, row + reach - 1)
        and isGround(column - reach, row + i) and isGround(column + reach - 1, row + i)) then
        return reach - 1
      end
    end
  end
  return 4
end

-- Makes one mesh of all ground, which is darker in the depth.
local function newGround()
  local vertices = {}
  local function add(column, row)
    table.insert(vertices, vertex((column - 1) * TILE, (row - 1) * TILE,
      mix(palette.earth, palette.deep, depthOf(column, row) / 4)))
  end
  for column = 1, level.WIDTH / TILE do
    for row = 1, #rows do
      if isGround(column, row) then
        add(column, row)
        add(column + 1, row)
        add(column + 1, row + 1)
        add(column, row)
        add(column + 1, row + 1)
        add(column, row + 1)
      end
    end
  end
  return love.graphics.newMesh(vertices, "triangles", "static")
end

local function drawStones(column, row, x, y)
  for i = 1, 2 do
    if noise(column * 3 + i, row) > 0.5 then
      local w, h = 5 + 8 * noise(column, row + i), 3 + 3 * noise(row, column + i)
      love.graphics.rectangle("fill", x + 3 + (TILE - w - 6) * noise(column + i, row * 7),
        y + 10 + 16 * noise(column * 5, row + i), w, h, 2, 2)
    end
  end
end

local function drawSides(column, row, x, y)
  if not isCovered(column - 1, row) then
    set(palette.edge, 0.9)
    love.graphics.rectangle("fill", x, y, 3, TILE)
  end
  if not isCovered(column + 1, row) then
    set(palette.shadow, 0.45)
    love.graphics.rectangle("fill", x + TILE - 5, y, 5, TILE)
  end
  if not isGround(column, row + 1) then
    set(palette.shadow, 0.55)
    love.graphics.rectangle("fill", x, y + TILE - 6, TILE, 6)
  end
end

-- Draws vines, which hang from ceilings.
local function drawVines(column, row, x, y, time)
  love.graphics.setLineWidth(2)
  for i = 0, 2 do
    local chance = noise(column * 9 + i, row + 40)
    if chance > 0.5 then
      local left, length = x + 5 + i * 10, 34 * chance - 8
      local sway = 2.5 * math.sin(time * 1.3 + left * 0.07)
      set(chance > 0.8 and palette.grass or palette.grassDark)
      love.graphics.line(left, y, left + sway * 0.3, y + length / 2, left + sway, y + length)
      love.graphics.circle("fill", left + sway, y + length, 2.5)
      love.graphics.ellipse("fill", left + sway * 0.3 + 2, y + length / 2, 2.5, 1.5)
    end
  end
end

local function drawTufts(column, row, x, y, time)
  for i = 1, 3 do
    local chance = noise(column * 7 + i, row + 3)
    if chance > 0.45 then
      local foot = x + 4 + 24 * noise(column + i, row + 9)
      local bend = 1.5 * math.sin(time * 1.7 + foot * 0.05)
      set(chance > 0.75 and palette.grassLight or palette.grass)
      love.graphics.polygon("fill", foot - 2, y + 1, foot + 2, y + 1, foot + bend,
        y - 4 - 5 * chance)
    end
  end
end

local FLOWERS = { "scarf", "coin", "white" }

local function drawFlower(column, row, x, y, time)
  if noise(column * 13, row) > 0.22 then
    return
  end
  local foot, height = x + 8 + 14 * noise(column, row * 3), 10 + 6 * noise(column, 5)
  local bend = 1.8 * math.sin(time * 1.4 + foot * 0.04)
  set(palette.grassDark)
  love.graphics.setLineWidth(1.5)
  love.graphics.line(foot, y, foot + bend, y - height)
  set(palette[FLOWERS[math.floor(noise(column, 21) * 3) + 1]])
  for i = 0, 3 do
    local angle = i * math.pi / 2 + 0.6
    love.graphics.circle("fill", foot + bend + 2.4 * math.cos(angle),
      y - height + 2.4 * math.sin(angle), 2.1)
  end
  set(palette.coinLight)
  love.graphics.circle("fill", foot + bend, y - height, 1.5)
end

-- Where grass ends, it is round and reaches a little over the edge.
local function drawGrass(column, row, x, y)
  local left = isGround(column - 1, row) and (isGround(column - 1, row - 1) and 0 or 1) or 3
  local right = isGround(column + 1, row) and (isGround(column + 1, row - 1) and 0 or 1) or 3
  local function blade(top, height)
    love.graphics.rectangle("fill", x, top, TILE, height)
    love.graphics.rectangle("fill", x - left, top, TILE / 2, height, left, left)
    love.graphics.rectangle("fill", x + TILE / 2 + right, top, TILE / 2, height, right, right)
  end
  set(palette.grassDark)
  blade(y, 8)
  for i = 0, 3 do
    local drop = 2 + 4 * noise(column * 4 + i, row)
    love.graphics.rectangle("fill", x + i * 8, y + 2, 8, 6 + drop, 3, 3)
  end
  set(palette.grass)
  blade(y - 1, 7)
  set(palette.grassLight)
  left, right = left == 3 and 1 or left, right == 3 and 1 or right
  love.graphics.rectangle("fill", x - left, y - 1, TILE + left + right, 2)
end

local function drawGround(column, row, x, y, time)
  set(palette.stone, 0.4 - 0.07 * depthOf(column, row))
  drawStones(column, row, x, y)
  drawSides(column, row, x, y)
  if not isGround(column, row + 1) then
    drawVines(column, row, x, y + TILE, time)
  end
  if symbol(column, row - 1) == "^" then
    set(palette.edge)
    love.graphics.rectangle("fill", x, y, TILE, 3)
  elseif not isCovered(column, row - 1) then
    drawFlower(column, row, x, y, time)
    drawTufts(column, row, x, y, time)
    drawGrass(column, row, x, y)
  end
end

-- Draws half a tile of earth, with grass along its slope. rises: 1 to the right, -1 to the left.
local function drawSlope(x, y, rises)
  local low, high = rises > 0 and x or x + TILE, rises > 0 and x + TILE or x
  set(palette.earth)
  love.graphics.polygon("fill", low, y + TILE, high, y, high, y + TILE)
  for _, strip in ipairs({ { "grassDark", 2, 8 }, { "grass", -1, 6 }, { "grassLight", -1, 1 } }) do
    set(palette[strip[1]])
    love.graphics.polygon("fill", low, y + TILE + strip[2], high, y + strip[2],
      high, y + strip[3], low, y + TILE + strip[3])
  end
end

-- Draws planks on brackets.
local function drawLedge(column, row, x, y)
  set(palette.shadow, 0.3)
  love.graphics.rectangle("fill", x, y + 10, TILE, 3)
  set(palette.wood)
  love.graphics.rectangle("fill", x, y, TILE, 10)
  set(palette.woodLight)
  love.graphics.rectangle("fill", x, y, TILE, 3)
  set(palette.woodDark)
  love.graphics.rectangle("fill", x, y + 8, TILE, 2)
  love.graphics.rectangle("fill", x + TILE - 1, y, 1, 10)
  love.graphics.circle("fill", x + 6, y + 5.5, 1.2)
  love.graphics.circle("fill", x + TILE - 7, y + 5.5, 1.2)
  local isEnd = symbol(column - 1, row) ~= "=" or symbol(column + 1, row) ~= "="
  if isEnd then
    local side = symbol(column - 1, row) ~= "=" and x + 5 or x + TILE - 5
    love.graphics.polygon("fill", side - 5, y + 10, side + 5, y + 10, side, y + 19)
  end
end

local function drawSpikes(x, y)
  for i = 0, 2 do
    local left, w = x + i * TILE / 3, TILE / 3
    local top = y + 13 + (i == 1 and 0 or 3)
    set(palette.metalLight)
    love.graphics.polygon("fill", left, y + TILE, left + w / 2, top, left + w / 2, y + TILE)
    set(palette.metal)
    love.graphics.polygon("fill", left + w / 2, y + TILE, left + w / 2, top, left + w, y + TILE)
  end
  set(palette.shadow, 0.4)
  love.graphics.rectangle("fill", x, y + TILE - 4, TILE, 4)
end

function scenery.load(width, height)
  sky, ground = newSky(width, height), newGround()
  ridges = {
    newRidge("mountains", 0.9, width, height),
    newRidge("hills", 0.75, width, height),
    newRidge("woods", 0.5, width, height),
  }
end

-- Draws only the columns that are in sight.
function scenery.drawTiles(width, camera, time)
  set(palette.white)
  love.graphics.draw(ground)
  local first, last = math.floor(camera / TILE) + 1, math.ceil((camera + width) / TILE)
  for column = first, math.min(last, level.WIDTH / TILE) do
    for row = 1, #rows do
      local kind = symbol(column, row)
      local x, y = (column - 1) * TILE, (row - 1) * TILE
      if kind == "#" then
        drawGround(column, row, x, y, time)
      elseif kind == "/" or kind == "\\" then
        drawSlope(x, y, kind == "/" and 1 or -1)
      elseif kind == "=" then
        drawLedge(column, row, x, y)
      elseif kind == "^" then
        drawSpikes(x, y)
      end
    end
  end
end

return scenery
