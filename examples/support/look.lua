-- The look that all examples share: colours, skies, light, fonts, and the panel over the game.

local look = {}

look.PANEL = 264 -- the panel's width
local MARGIN = 18

look.colors = {
  background = { 0.070, 0.060, 0.150 },
  grid = { 0.230, 0.200, 0.400 },
  panel = { 0.100, 0.078, 0.210 },
  edge = { 0.300, 0.250, 0.470 },
  text = { 0.950, 0.941, 0.985 },
  faint = { 0.720, 0.690, 0.840 },
  static = { 0.470, 0.440, 0.660 },
  dynamic = { 0.318, 0.659, 0.965 },
  hit = { 0.980, 0.388, 0.267 },
  pair = { 1.000, 0.816, 0.369 },
  normal = { 0.467, 0.906, 0.561 },
  other = { 0.753, 0.557, 0.976 },
}

local fonts

local function font(name)
  fonts = fonts or {
    huge = love.graphics.newFont(44),
    title = love.graphics.newFont(24),
    text = love.graphics.newFont(14),
    small = love.graphics.newFont(12),
  }
  return fonts[name]
end

-- Lets what is in a list grow older, and takes out what is older than that.
function look.age(list, dt, most)
  for i = #list, 1, -1 do
    list[i].age = list[i].age + dt
    if list[i].age > most then
      table.remove(list, i)
    end
  end
end

-- Sets a colour by its name, or any {r, g, b}, and its opacity.
function look.setColor(color, alpha)
  color = look.colors[color] or color
  love.graphics.setColor(color[1], color[2], color[3], alpha or 1)
end

function look.print(text, x, y, color, size)
  love.graphics.setFont(font(size or "text"))
  look.setColor(color or "text")
  love.graphics.print(text, math.floor(x), math.floor(y))
end

-- Prints a text with its middle at x.
function look.center(text, x, y, color, size)
  look.print(text, x - font(size or "text"):getWidth(text) / 2, y, color, size)
end

-- Prints a note in the game, on its own background.
function look.label(text, x, y)
  love.graphics.setFont(font("small"))
  look.setColor("background", 0.8)
  love.graphics.rectangle("fill", x - 4, y - 1, font("small"):getWidth(text) + 8, 17, 3, 3)
  look.print(text, x, y, "text", "small")
end

-- Draws a box: filled, with an outline of the same colour.
function look.box(color, x, y, w, h, alpha)
  look.setColor(color, 0.55 * (alpha or 1))
  love.graphics.rectangle("fill", x, y, w, h)
  look.setColor(color, alpha)
  love.graphics.rectangle("line", x, y, w, h)
end

-- The background of the game: colours from top to bottom.
local SKIES = {
  evening = { { 0.114, 0.094, 0.267 }, { 0.482, 0.251, 0.522 } },
  night = { { 0.035, 0.031, 0.094 }, { 0.165, 0.102, 0.310 } },
  room = { { 0.150, 0.115, 0.290 }, { 0.095, 0.075, 0.200 } },
}
local skies = {} -- meshes of size 1 by 1

function look.sky(name, width, height)
  local top, bottom = SKIES[name][1], SKIES[name][2]
  skies[name] = skies[name] or love.graphics.newMesh({
    { 0, 0, 0, 0, top[1], top[2], top[3] }, { 1, 0, 0, 0, top[1], top[2], top[3] },
    { 1, 1, 0, 0, bottom[1], bottom[2], bottom[3] },
    { 0, 1, 0, 0, bottom[1], bottom[2], bottom[3] },
  }, "fan", "static")
  love.graphics.setColor(1, 1, 1)
  love.graphics.draw(skies[name], 0, 0, 0, width, height)
end

-- A number 0..1 that looks random and is always the same for x, y.
local function noise(x, y)
  local value = math.sin(x * 127.1 + y * 311.7) * 43758.5453
  return value - math.floor(value)
end

-- Draws stars that have moved down by `down` pixels, the near ones faster.
function look.stars(width, height, down)
  for i = 1, 90 do
    local near = noise(i, 3)
    local y = (noise(i, 2) * height + down * (0.2 + 0.8 * near)) % height
    look.setColor("text", 0.15 + 0.5 * near)
    love.graphics.rectangle("fill", noise(i, 1) * width, y, 1 + near, 1 + near)
  end
end

-- Draws a range of hills along the bottom.
function look.hills(width, bottom, height, wave, phase, color)
  look.setColor(color)
  for x = 0, width - 1, 2 do
    local s = math.sin(x / wave + phase) + 0.5 * math.sin(2.3 * x / wave + 2 * phase)
    local top = height * (0.6 + 0.27 * s)
    love.graphics.rectangle("fill", x, bottom - top, 2, top)
  end
end

local light -- an image: white, fading out around its middle

function look.light()
  if not light then
    local size = 64
    local data = love.image.newImageData(size, size)
    data:mapPixel(function(x, y)
      local dx, dy = (x + 0.5) / size - 0.5, (y + 0.5) / size - 0.5
      local s = math.max(0, 1 - 2 * math.sqrt(dx * dx + dy * dy))
      return 1, 1, 1, s * s
    end)
    light = love.graphics.newImage(data)
  end
  return light
end

-- Draws light around a point, which is added to the picture.
function look.glow(color, x, y, r, alpha)
  love.graphics.setBlendMode("add")
  look.setColor(color, alpha)
  love.graphics.draw(look.light(), x - r, y - r, 0, r / 32, r / 32)
  love.graphics.setBlendMode("alpha")
end

-- Draws two eyes around x, y, which look along dx, dy.
function look.eyes(x, y, size, dx, dy)
  local length = math.max(1e-9, math.sqrt(dx * dx + dy * dy))
  dx, dy = 0.3 * size * dx / length, 0.3 * size * dy / length
  for side = -1, 1, 2 do
    look.setColor("text")
    love.graphics.circle("fill", x + 1.3 * side * size, y, size)
    look.setColor("background")
    love.graphics.circle("fill", x + 1.3 * side * size + dx, y + dy, 0.55 * size)
  end
end

-- Draws a block with a lit top and a dark bottom.
function look.block(color, x, y, w, h)
  look.setColor(color)
  love.graphics.rectangle("fill", x, y, w, h, 3, 3)
  look.setColor("text", 0.22)
  love.graphics.rectangle("fill", x, y, w, 3, 2, 2)
  look.setColor("background", 0.35)
  love.graphics.rectangle("fill", x, y + h - 4, w, 4, 2, 2)
end

-- Draws lines behind the game, `step` apart.
function look.grid(width, height, step)
  look.setColor("grid", 0.35)
  love.graphics.setLineWidth(1)
  for x = step + 0.5, width - 1, step do
    love.graphics.line(x, 0, x, height)
  end
  for row = step + 0.5, height - 1, step do
    love.graphics.line(0, row, width, row)
  end
end

-- Draws a line with a head at its end.
function look.arrow(color, x1, y1, x2, y2, size)
  local dx, dy = x2 - x1, y2 - y1
  local length = math.sqrt(dx * dx + dy * dy)
  look.setColor(color)
  if length == 0 then
    return
  end
  dx, dy = dx / length * size, dy / length * size
  love.graphics.line(x1, y1, x2 - dx, y2 - dy)
  love.graphics.polygon("fill", x2, y2, x2 - dx - dy / 2, y2 - dy + dx / 2,
    x2 - dx + dy / 2, y2 - dy - dx / 2)
end

-- Shows the state of the game at the top: {"coins", "7", ...}
function look.display(list)
  local x = 16
  for i = 1, #list - 1, 2 do
    local name, value = list[i], tostring(list[i + 1])
    local nameW, valueW = font("text"):getWidth(name), font("title"):getWidth(value)
    look.setColor("background", 0.8)
    love.graphics.rectangle("fill", x, 14, nameW + valueW + 38, 34, 17, 17)
    look.print(value, x + 15, 16, "text", "title")
    look.print(name, x + valueW + 23, 23, "faint")
    x = x + nameW + valueW + 48
  end
end

-- Shows a key and its meaning, at the lower right.
function look.hint(key, meaning, width, height)
  local keyW, w = font("small"):getWidth(key) + 12, font("small"):getWidth(meaning)
  look.setColor("background", 0.8)
  love.graphics.rectangle("fill", width - keyW - w - 26, height - 30, keyW + w + 18, 22, 11, 11)
  look.print(key, width - keyW - w - 16, height - 26, "text", "small")
  look.print(meaning, width - w - 20, height - 26, "faint", "small")
end

-- the panel ---------------------------------------------------------------------------------------

-- Each item is drawn below the one before; keys are drawn at the bottom.
local left, y, height

-- The panel's right side is at x, the right side of the game.
function look.panel(x, panelHeight, title, text)
  x = x - look.PANEL
  left, y, height = x + MARGIN, MARGIN, panelHeight
  look.setColor("panel", 0.93)
  love.graphics.rectangle("fill", x, 0, look.PANEL, height)
  look.setColor("edge")
  love.graphics.setLineWidth(1)
  love.graphics.line(x + 0.5, 0, x + 0.5, height)
  look.print(title, left, y - 4, "text", "title")
  y = y + 34
  love.graphics.setFont(font("text"))
  look.setColor("faint")
  local wrapped = look.PANEL - 2 * MARGIN
  local _, lines = font("text"):getWrap(text, wrapped)
  love.graphics.printf(text, left, y, wrapped)
  y = y + #lines * font("text"):getHeight() + 12
end

-- Shows a name on the left and a value on the right.
function look.row(name, value)
  local right = left + look.PANEL - 2 * MARGIN
  value = tostring(value)
  look.print(name, left, y, "faint")
  look.print(value, right - font("text"):getWidth(value), y)
  y = y + 21
end

-- Shows the meaning of a colour. style: "box" (the default), "line" or "dot".
function look.legend(color, meaning, style)
  love.graphics.setLineWidth(1)
  if style == "line" then
    look.setColor(color)
    love.graphics.setLineWidth(2)
    love.graphics.line(left, y + 9, left + 15, y + 9)
  elseif style == "dot" then
    look.setColor(color)
    love.graphics.circle("fill", left + 8, y + 9, 4)
  else
    look.box(color, left + 0.5, y + 3.5, 15, 11)
  end
  look.print(meaning, left + 26, y, "faint")
  y = y + 21
end

-- Shows a row with a bar below it. s: the filled part of the bar, 0..1. Returns the x, y and width
-- of the area for the mouse, which is 36 high.
function look.slider(name, value, s, isChosen)
  local top, w = y, look.PANEL - 2 * MARGIN
  look.row(name, value)
  look.setColor("background")
  love.graphics.rectangle("fill", left, y + 1, w, 6, 3, 3)
  look.setColor("dynamic", isChosen and 1 or 0.6)
  love.graphics.rectangle("fill", left, y + 1, w * s, 6, 3, 3)
  love.graphics.circle("fill", left + w * s, y + 4, isChosen and 8 or 6)
  y = y + 17
  return left, top, w
end

function look.space()
  y = y + 10
end

-- values: a ring of numbers, the oldest at values.first. The graph is as high as twice their mean,
-- or as values.least if that is more; higher values are cut off. now: the text beside the name.
function look.graph(name, now, values, color)
  local w, h = look.PANEL - 2 * MARGIN, 34
  look.row(name, now)
  look.setColor("background")
  love.graphics.rectangle("fill", left, y, w, h)
  local n, sum = #values, 0
  for i = 1, n do
    sum = sum + values[i]
  end
  local most = math.max(values.least, 2 * sum / n)
  look.setColor(color)
  for i = 1, n do
    local value = math.min(values[(values.first + i - 2) % n + 1], most)
    local bar = math.floor(value / most * (h - 2) + 0.5)
    love.graphics.rectangle("fill", left + (i - 1) * w / n, y + h - bar, w / n, bar)
  end
  y = y + h + 9
end

-- Shows keys and their meanings: {"R", "restart", ...}, from the bottom up.
function look.keys(list)
  local bottom = height - MARGIN - 22
  for i = #list - 1, 1, -2 do
    local key, meaning = list[i], list[i + 1]
    local w = font("small"):getWidth(key) + 14
    look.setColor("edge")
    love.graphics.rectangle("fill", left, bottom, w, 20, 4, 4)
    look.print(key, left + 7, bottom + 3, "text", "small")
    look.print(meaning, left + w + 9, bottom + 1, "faint")
    bottom = bottom - 26
  end
end

return look
