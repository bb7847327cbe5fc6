-- Draws what moves in the platformer. Each picture fits its box.

local palette = require("platformer.palette")

local actors = {}

local set = palette.set
local graphics = love.graphics

-- Draws an eye that looks along dx, dy.
local function drawEye(x, y, size, dx, dy)
  set(palette.white)
  graphics.ellipse("fill", x, y, size * 0.85, size)
  set(palette.ink)
  graphics.circle("fill", x + dx * size * 0.38, y + dy * size * 0.38, size * 0.52)
end

-- the player --------------------------------------------------------------------------------------

local function drawScarf(pose, w, h)
  local back = -pose.facing
  local fly = math.min(math.abs(pose.vx) / 210, 1)
  local points = {}
  for i = 0, 4 do
    local x = back * (w * 0.38 + i * (2.5 + 2.6 * fly))
    local wave = math.sin(pose.time * 11 - i * 1.1) * (0.6 + i * 0.7)
    local y = -h * 0.46 + (1 - fly) * i * 2.8 + wave - pose.vy * 0.006 * i
    points[2 * i + 1], points[2 * i + 2] = x, y
  end
  set(palette.scarf)
  graphics.setLineWidth(5)
  graphics.line(points)
  graphics.setLineWidth(1)
end

local function drawFeet(pose, w)
  set(palette.playerDark)
  for side = -1, 1, 2 do
    local x, y = side * w * 0.3, pose.vy < 0 and -1 or -3
    if pose.grounded then
      local phase = pose.walked / 9 + (side > 0 and math.pi or 0)
      x = side * w * 0.24 + pose.stride * 4 * math.sin(phase)
      y = -pose.stride * math.max(0, 4 * math.cos(phase))
    end
    graphics.rectangle("fill", x - 5, y - 6, 10, 6, 3, 3)
  end
end

-- pose: facing (-1 or 1), vx, vy, grounded, walked (pixels), stride (0..1), time, blink (bool),
-- stretch (above 1: tall and thin). x, y is the middle of the feet.
function actors.drawPlayer(pose, x, y, w, h)
  graphics.push()
  graphics.translate(x, y)
  graphics.scale(1 / pose.stretch, pose.stretch)
  graphics.shear(-pose.vx / 2600, 0)
  drawScarf(pose, w, h)
  drawFeet(pose, w)
  local bob = pose.grounded and pose.stride * math.abs(math.sin(pose.walked / 9)) * 1.5 or 0
  graphics.translate(0, -bob)
  set(palette.playerDark)
  graphics.rectangle("fill", -w / 2, -h, w, h - 3, 8, 8)
  set(palette.player)
  graphics.rectangle("fill", -w / 2, -h, w, h - 6, 8, 8)
  set(palette.playerLight)
  graphics.rectangle("fill", -w / 2 + 4, -h + 2.5, w - 8, 3, 1.5, 1.5)
  set(palette.scarf)
  graphics.rectangle("fill", -w / 2 - 1, -h * 0.5, w + 2, 5, 2.5, 2.5)
  local eyeY, look = -h * 0.69, pose.facing
  if pose.blink then
    set(palette.ink)
    graphics.rectangle("fill", look * 5.2 - 8, eyeY, 6, 2)
    graphics.rectangle("fill", look * 5.2 + 2, eyeY, 6, 2)
  else
    local gaze = math.max(-1, math.min(1, pose.vy / 400))
    drawEye(look * 4.4 - 4.6, eyeY, 4.6, look, gaze)
    drawEye(look * 4.4 + 4.6, eyeY, 4.6, look, gaze)
  end
  graphics.pop()
end

-- enemies -----------------------------------------------------------------------------------------

-- flat: the part of its height that is left, 0..1.
function actors.drawEnemy(x, y, w, h, direction, time, flat)
  local step = math.sin(time * 12 + x * 0.1)
  graphics.push()
  graphics.translate(x + w / 2, y + h)
  graphics.scale(1 + 0.4 * (1 - flat), flat)
  set(palette.enemyDark)
  for side = -1, 1, 2 do
    local lift = math.max(0, side * step) * 3
    graphics.rectangle("fill", side * 7 - 5.5 + direction, -6 - lift, 11, 6, 3, 3)
  end
  local swell = 0.8 * math.sin(time * 6 + x * 0.05)
  set(palette.enemyDark)
  graphics.rectangle("fill", -w / 2, -h, w, h - 3, 11, 11)
  set(palette.enemy)
  graphics.rectangle("fill", -w / 2, -h - swell, w, h - 7 + swell, 11, 11)
  set(palette.enemyLight)
  graphics.ellipse("fill", -direction * 5, -h + 4 - swell, 4.5, 1.8)
  for side = -1, 1, 2 do -- horns
    set(palette.coinLight)
    graphics.polygon("fill", side * 5, -h + 1 - swell, side * 10, -h + 3 - swell, side * 11,
      -h - 6 - swell)
  end
  drawEye(direction * 4 - 5, -h * 0.55, 4.6, direction, 0.2)
  drawEye(direction * 4 + 5, -h * 0.55, 4.6, direction, 0.2)
  set(palette.enemyDark) -- the brows
  graphics.setLineWidth(2.5)
  graphics.line(direction * 4 - 9.5, -h * 0.82, direction * 4 - 1.5, -h * 0.68)
  graphics.line(direction * 4 + 9.5, -h * 0.82, direction * 4 + 1.5, -h * 0.68)
  graphics.pop()
end

-- coins and flags ---------------------------------------------------------------------------------

function actors.drawCoin(x, y, radius, angle)
  local turn = math.cos(angle)
  local half = math.max(1.6, math.abs(turn) * radius)
  set(palette.coin, 0.16)
  graphics.circle("fill", x, y, radius * 1.7)
  set(palette.coinDark)
  graphics.ellipse("fill", x + 1.2 * (turn > 0 and 1 or -1), y, half, radius)
  set(palette.coin)
  graphics.ellipse("fill", x, y, half, radius)
  if half > 4 then
    set(palette.coinDark)
    graphics.ellipse("fill", x, y, half * 0.62, radius * 0.66)
    set(palette.coinLight)
    graphics.ellipse("fill", x - half * 0.12, y - 1, half * 0.5, radius * 0.55)
  else
    set(palette.coinLight)
    graphics.rectangle("fill", x - 0.7, y - radius * 0.7, 1.4, radius * 1.4)
  end
end

-- Draws a pole whose foot is at x, y. raised: 0..1.
function actors.drawFlag(x, y, height, color, raised, time)
  set(palette.shadow, 0.35)
  graphics.ellipse("fill", x, y, 11, 3)
  set(palette.metalDark)
  graphics.rectangle("fill", x - 2.5, y - height, 5, height)
  set(palette.metalLight)
  graphics.rectangle("fill", x - 2.5, y - height, 2, height)
  set(palette.coin)
  graphics.circle("fill", x, y - height, 5)
  local top = y - 34 - raised * (height - 44)
  for i = 0, 6 do -- in slices, so that it waves
    local left, slice = x + 2 + 6 * i, 6
    local y1 = top + 2.2 * math.sin(time * 5 - i * 0.8) * i / 6
    local y2 = top + 2.2 * math.sin(time * 5 - (i + 1) * 0.8) * (i + 1) / 6
    local shade = 0.85 + 0.15 * math.sin(time * 5 - i * 0.8)
    graphics.setColor(color[1] * shade, color[2] * shade, color[3] * shade)
    graphics.polygon("fill", left, y1 + i * 1.6, left + slice, y2 + (i + 1) * 1.6, left + slice,
      y2 + 26 - (i + 1) * 1.6, left, y1 + 26 - i * 1.6)
  end
end

-- platforms ---------------------------------------------------------------------------------------

local function drawWheel(x, y, angle)
  set(palette.metalDark)
  graphics.circle("fill", x, y, 9)
  set(palette.metal)
  graphics.circle("fill", x, y, 6.5)
  set(palette.metalDark)
  graphics.setLineWidth(2)
  for i = 0, 2 do
    local dx, dy = 6 * math.cos(angle + i * math.pi / 3), 6 * math.sin(angle + i * math.pi / 3)
    graphics.line(x - dx, y - dy, x + dx, y + dy)
  end
  set(palette.metalLight)
  graphics.circle("fill", x, y, 2)
end

-- Draws two rails with sleepers, and a wheel at each end.
function actors.drawRails(lift, w)
  local x1, y1 = lift.fromX + w / 2, lift.fromY + 8
  local x2, y2 = lift.toX + w / 2, lift.toY + 8
  local dx, dy = x2 - x1, y2 - y1
  local length = math.sqrt(dx * dx + dy * dy)
  local sideX, sideY = -dy / length * 4, dx / length * 4
  set(palette.metalDark, 0.9)
  graphics.setLineWidth(2)
  for i = 0, length, 12 do
    local x, y = x1 + dx * i / length, y1 + dy * i / length
    graphics.line(x - sideX, y - sideY, x + sideX, y + sideY)
  end
  set(palette.metal, 0.9)
  graphics.line(x1 - sideX, y1 - sideY, x2 - sideX, y2 - sideY)
  graphics.line(x1 + sideX, y1 + sideY, x2 + sideX, y2 + sideY)
  local angle = lift.along * length / 9
  drawWheel(x1, y1, angle)
  drawWheel(x2, y2, angle)
end

function actors.drawLift(x, y, w, h)
  set(palette.shadow, 0.35)
  graphics.rectangle("fill", x + 4, y + h, w - 8, 4, 2, 2)
  set(palette.metalDark)
  graphics.polygon("fill", x + w / 2 - 18, y + h - 1, x + w / 2 + 18, y + h - 1, x + w / 2 + 9,
    y + h + 9, x + w / 2 - 9, y + h + 9)
  set(palette.metalDark)
  graphics.rectangle("fill", x, y, w, h, 4, 4)
  set(palette.metal)
  graphics.rectangle("fill", x, y, w, h - 3, 4, 4)
  set(palette.metalLight)
  graphics.rectangle("fill", x + 2, y, w - 4, 2.5)
  for i = 0, 7 do
    set(i % 2 == 0 and palette.coin or palette.ink)
    local left = x + 12 + i * (w - 24) / 8
    graphics.polygon("fill", left + 2, y + 4, left + 2 + (w - 24) / 8, y + 4,
      left - 1 + (w - 24) / 8, y + 8, left - 1, y + 8)
  end
  set(palette.ink)
  graphics.circle("fill", x + 6, y + 6, 1.6)
  graphics.circle("fill", x + w - 6, y + 6, 1.6)
end

local function drawChain(x, from, to)
  for y = to - 10, from - 12, -12 do
    set(palette.metalDark)
    graphics.rectangle("fill", x - 4, y, 8, 12, 4, 4)
    set(palette.metal)
    graphics.rectangle("fill", x - 1.5, y - 4, 3, 12, 1.5, 1.5)
  end
end

-- fury: 0..1, while it falls.
function actors.drawCrusher(x, y, w, h, ceiling, fury)
  local teeth = 13
  drawChain(x + 14, ceiling, y)
  drawChain(x + w - 14, ceiling, y)
  for i = 0, 4 do -- the teeth
    local left, tooth = x + 2 + i * (w - 4) / 5, (w - 4) / 5
    set(palette.metalLight)
    graphics.polygon("fill", left, y + h - teeth, left + tooth / 2, y + h - teeth,
      left + tooth / 2, y + h)
    set(palette.metal)
    graphics.polygon("fill", left + tooth / 2, y + h - teeth, left + tooth, y + h - teeth,
      left + tooth / 2, y + h)
  end
  local bottom = h - teeth + 1
  set(palette.ink)
  graphics.rectangle("fill", x, y, w, bottom, 5, 5)
  set(palette.metalDark)
  graphics.rectangle("fill", x + 2, y + 2, w - 4, bottom - 4, 4, 4)
  set(palette.metal)
  graphics.rectangle("fill", x + 2, y + 2, w - 4, 5, 3, 3)
  for i = 0, 5 do
    local left, stripe = x + 3 + i * (w - 6) / 6, (w - 6) / 6
    set(i % 2 == 0 and palette.coin or palette.ink)
    graphics.polygon("fill", left + 3, y + bottom - 10, left + 3 + stripe - 3, y + bottom - 10,
      left + stripe - 3, y + bottom - 3, left, y + bottom - 3)
  end
  for side = -1, 1, 2 do
    local eyeX, eyeY = x + w / 2 + side * 13, y + 24
    set(palette.ink)
    graphics.circle("fill", eyeX, eyeY, 8)
    graphics.setColor(1, 0.75 - 0.5 * fury, 0.3 - 0.1 * fury)
    graphics.circle("fill", eyeX, eyeY, 4 + 1.5 * fury)
    set(palette.metalDark)
    graphics.polygon("fill", eyeX - side * 11, eyeY - 1, eyeX + side * 10, eyeY - 10,
      eyeX - side * 11, eyeY - 10)
  end
end

return actors
