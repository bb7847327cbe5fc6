-- The platformer's colours: an evening.

local function color(hex)
  local r, g, b = hex:match("^#(%x%x)(%x%x)(%x%x)$")
  return { tonumber(r, 16) / 255, tonumber(g, 16) / 255, tonumber(b, 16) / 255 }
end

local palette = {
  skyTop = color("#1d1844"),
  skyHigh = color("#46307c"),
  skyLow = color("#b3528a"),
  horizon = color("#ffb27a"),
  sun = color("#ffe2a6"),
  cloud = color("#f7a99b"),
  mountains = { color("#6d4690"), color("#d97f86") }, -- above, below
  hills = { color("#4a3480"), color("#93527f") },
  woods = { color("#2c2259"), color("#4d3270") },
  earth = color("#513a66"),
  deep = color("#2b2046"),
  stone = color("#6a4f7e"),
  edge = color("#7d6192"),
  grass = color("#4fbf8b"),
  grassLight = color("#a4f2ac"),
  grassDark = color("#2a8377"),
  wood = color("#c58550"),
  woodLight = color("#f0bd80"),
  woodDark = color("#7d4b3a"),
  metal = color("#8e9cc2"),
  metalLight = color("#d6def4"),
  metalDark = color("#4f5a86"),
  shadow = color("#1a1436"),
  coin = color("#ffcf4f"),
  coinLight = color("#fff4bd"),
  coinDark = color("#d48a26"),
  player = color("#45b8f2"),
  playerLight = color("#aee9ff"),
  playerDark = color("#2470b8"),
  scarf = color("#ff5a6a"),
  enemy = color("#e2476f"),
  enemyLight = color("#ff93a2"),
  enemyDark = color("#8f2553"),
  white = color("#ffffff"),
  ink = color("#221a3e"),
}

-- A colour between two: s = 0 gives the first.
function palette.mix(a, b, s)
  return { a[1] + (b[1] - a[1]) * s, a[2] + (b[2] - a[2]) * s, a[3] + (b[3] - a[3]) * s }
end

function palette.set(value, alpha)
  love.graphics.setColor(value[1], value[2], value[3], alpha or 1)
end

-- A number 0..1 that looks random and is always the same for x, y.
function palette.noise(x, y)
  local value = math.sin(x * 127.1 + y * 311.7) * 43758.5453
  return value - math.floor(value)
end

return palette
