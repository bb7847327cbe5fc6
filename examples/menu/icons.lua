-- A small picture of each example for its card in the menu, at time t. It is drawn on SIZE by SIZE
-- units.

local look = require("support.look")

local icons = {}

local SIZE = 92

local rectangle = love.graphics.rectangle
local circle = love.graphics.circle

local function fill(color, draw, ...)
  look.setColor(color)
  draw("fill", ...)
end

local DRAW = {
  barrage = function(t)
    for i = 1, 60 do
      local far = (i * 1.6 + 14 * t) % 64
      local angle = 0.55 * i + t
      local color = i % 3 == 0 and "pair" or i % 3 == 1 and "hit" or "other"
      look.glow(color, SIZE / 2 + far * math.cos(angle), SIZE / 3 + far * math.sin(angle), 7, 1)
    end
    fill("dynamic", love.graphics.polygon, 40, 84, 46, 66, 52, 84)
  end,
  platformer = function(t)
    look.glow("pair", 62, 40, 60, 0.5)
    fill({ 1, 0.886, 0.651 }, circle, 62, 40, 16)
    fill({ 0.318, 0.227, 0.400 }, rectangle, 0, 70, 56, 22)
    fill({ 0.310, 0.749, 0.545 }, rectangle, 0, 68, 56, 6, 2, 2)
    local y = 44 - 18 * math.abs(math.sin(3 * t))
    fill("dynamic", rectangle, 20, y, 20, 22, 5, 5)
    look.eyes(31, y + 8, 3.4, 1, 0.3)
    fill("pair", circle, 74, 70, 6)
  end,
  topdown = function(t)
    fill({ 0.300, 0.260, 0.420 }, rectangle, 0, 0, SIZE, SIZE)
    fill({ 0.420, 0.360, 0.620 }, rectangle, 0, 0, SIZE, 20)
    fill({ 0.420, 0.360, 0.620 }, rectangle, 36, 40, 20, 20)
    fill({ 0.620, 0.420, 0.280 }, rectangle, 62, 62, 22, 22, 2, 2)
    for i, color in ipairs({ "dynamic", "hit" }) do -- they run around the pillar
      local angle = t - 1.3 * (i - 1)
      local x, y = 46 + 26 * math.cos(angle), 52 + 24 * math.sin(angle)
      look.glow(i == 1 and "pair" or "hit", x, y, 26, 0.6)
      fill(color, circle, x, y, 9)
      look.eyes(x, y, 2.8, -math.sin(angle), math.cos(angle))
    end
  end,
  cannon = function(t)
    fill({ 0.490, 0.294, 0.227 }, rectangle, 60, 40, 22, 22, 2, 2)
    fill({ 0.773, 0.522, 0.314 }, rectangle, 63, 43, 16, 16)
    fill("hit", love.graphics.ellipse, 71, 22, 9, 11)
    for i = 0, 5 do
      local s = (i + t * 2 % 1) / 6
      look.setColor("text", s)
      circle("fill", 70 * s, 92 - 76 * s + 46 * s * s, 2 + 2 * s)
    end
    fill("static", circle, 0, SIZE, 20)
  end,
  bounce = function(t)
    fill({ 0.330, 0.270, 0.520 }, rectangle, 0, 0, SIZE, 14)
    local s = math.abs(t % 2 - 1)
    fill("dynamic", rectangle, 6, 60, 22, 22, 6, 6)
    look.eyes(17, 70, 3.6, 1, -1)
    fill("hit", rectangle, 64, 60, 22, 22, 6, 6)
    look.eyes(75, 70, 3.6, -1, -1)
    local x, y = 17 + 58 * s, 20 + 84 * math.abs(s - 0.5)
    look.glow("pair", x, y, 20, 0.8)
    fill("text", circle, x, y, 4)
  end,
  rollback = function(t)
    look.setColor("background")
    love.graphics.setLineWidth(3)
    love.graphics.line(0, SIZE / 2, SIZE, SIZE / 2)
    for half = 0, 1 do
      local x = 34 + 22 * math.sin(2 * t - half)
      fill("static", rectangle, 0, 38 + 46 * half, SIZE, 8)
      fill("dynamic", rectangle, x, 20 + 46 * half, 18, 18, 5, 5)
      look.eyes(x + 9, 27 + 46 * half, 3, math.cos(2 * t - half), 0)
    end
  end,
  swarm = function(t)
    for i = 1, 90 do
      local x = (i * 37 + 9 * t * math.cos(i)) % SIZE
      local y = (i * 53 + 9 * t * math.sin(i)) % SIZE
      fill(i % 4 == 0 and "pair" or "dynamic", rectangle, x, y, 4, 4)
    end
  end,
  marbles = function(t)
    local colors = { "dynamic", "pair", "normal", "hit", "other" }
    for row = 0, 5 do
      for column = 0, 5 do
        fill("static", circle, 18 * column + row % 2 * 9, 12 + 15 * row, 3)
      end
    end
    for i = 1, 20 do
      local y = (i * 29 + 40 * t) % (SIZE + 10) - 5
      fill(colors[i % 5 + 1], circle, SIZE / 2 + (y / 2) * math.sin(i * 2.1), y, 4)
    end
  end,
  billiards = function(t)
    fill({ 0.290, 0.170, 0.150 }, rectangle, 0, 0, SIZE, SIZE)
    fill({ 0.090, 0.330, 0.330 }, rectangle, 10, 10, 72, 72)
    fill("background", circle, 10, 10, 10)
    fill("background", circle, 82, 10, 10)
    local s = t % 2
    local rolled = math.max(0, s - 0.6)
    local colors = { "pair", "hit", "dynamic", "other", "normal", "text" }
    for row = 0, 2 do
      for i = 0, row do
        local aside = 2 * i - row
        fill(colors[row * (row + 1) / 2 + i + 1], circle, 46 + 6.5 * aside * (1 + 3 * rolled),
          40 - 11 * row * (1 + rolled), 6)
      end
    end
    fill("text", circle, 46, 76 - 38 * math.min(s, 0.6), 6)
  end,
  pinball = function(t)
    for i, place in ipairs({ { 26, 24 }, { 66, 24 }, { 46, 46 } }) do
      local shine = math.max(0, math.sin(3 * t + 2 * i))
      look.glow("hit", place[1], place[2], 24, shine)
      fill("hit", circle, place[1], place[2], 10)
      fill("text", circle, place[1], place[2], 6)
    end
    local up = 8 * math.max(0, math.sin(3 * t))
    fill("dynamic", love.graphics.polygon, 6, 72 - up, 38, 82 - up, 38, 92, 6, 92)
    fill("dynamic", love.graphics.polygon, 86, 72 - up, 54, 82 - up, 54, 92, 86, 92)
    fill("pair", circle, 46 + 30 * math.sin(2 * t), 60 - 10 * math.cos(4 * t), 5)
  end,
  jar = function(t)
    look.setColor("text")
    love.graphics.setLineWidth(4)
    love.graphics.line(14, 22, 14, 84, 78, 84, 78, 22)
    for _, ball in ipairs({ { 32, 66, 16, "dynamic" }, { 62, 68, 14, "normal" },
      { 56, 46, 8, "hit" }, { 46, 6 + 30 * (t % 1), 8, "hit" } }) do
      fill(ball[4], circle, ball[1], ball[2], ball[3])
      look.eyes(ball[1], ball[2], 0.24 * ball[3], 0, 1)
    end
  end,
  dig = function(t)
    for row = 2, 5 do
      for column = 0, 5 do
        local isDug = row == 3 and column < 4 * (t % 1) + 1
        fill(isDug and "background" or { 0.430, 0.290, 0.270 }, rectangle, 16 * column, 16 * row,
          15, 15)
      end
    end
    fill("pair", circle, 72, 56, 3)
    fill("pair", circle, 24, 88, 3)
    fill("dynamic", rectangle, 4 + 56 * (t % 1), 49, 10, 13, 3, 3)
    fill("hit", love.graphics.polygon, 50, 18, 60, 12 + 6 * math.sin(9 * t), 60, 20)
    fill("hit", love.graphics.polygon, 78, 18, 68, 12 + 6 * math.sin(9 * t), 68, 20)
    fill("hit", circle, 64, 17, 6)
  end,
  rooms = function(t)
    local step = t % 3
    fill("background", rectangle, 6, 30, 38, 40)
    fill("background", rectangle, 48, 30, 38, 40)
    fill("background", rectangle, 44, 54, 4, 16)
    fill("static", rectangle, 62, 50, 18, 4)
    if step < 2 then
      fill("pair", circle, 72, 44, 4)
    end
    fill("dynamic", rectangle, 10 + 34 * math.min(step, 1.5), 56, 9, 14, 3, 3)
  end,
  sandbox = function(t)
    fill("static", rectangle, 8, 66, 76, 12)
    fill("dynamic", rectangle, 14, 14, 24, 20)
    fill("hit", circle, 60, 30, 13)
    fill("other", love.graphics.polygon, 44, 66, 84, 66, 84, 44)
    look.arrow("text", 6, 6, 60 + 6 * math.sin(t), 84, 8)
  end,
}

-- Draws the picture of an example at x, y, `size` pixels wide and high.
function icons.draw(name, x, y, size, t)
  love.graphics.push()
  love.graphics.translate(x, y)
  love.graphics.scale(size / SIZE)
  love.graphics.setScissor(x, y, size, size)
  look.sky(name == "barrage" and "night" or "evening", SIZE, SIZE)
  DRAW[name](t)
  love.graphics.setScissor()
  love.graphics.pop()
end

return icons
