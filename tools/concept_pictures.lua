-- Draws the pictures of the pages about concepts and of doc/bodies.md. Each is a small world that
-- the library plays.
--
--     lua tools/concept_pictures.lua FOLDER
--
-- As a module it returns the function that makes a picture, and the names of all.

local broadside = require("broadside")

local pictures = {
  names = { "box", "responses", "layers", "contacts", "shapes", "bodies-mass", "bodies-bounce",
    "bodies-friction" },
}

local DRAW = {}

local PAPER, INK, WALL, HERO, CRATE, COIN, GREEN =
  "#f6f7fa", "#3b4658", "#8a97ab", "#d92c3a", "#c98a3a", "#d8a21c", "#1f9d45"
local SOLID, GHOST = 'fill="%s"', 'fill="%s" fill-opacity="0.25"'
local DASHED = 'fill="none" stroke="%s" stroke-dasharray="4 3"'

-- --- lines of SVG --------------------------------------------------------------------------------

local function newSheet(width, height)
  local sheet = { lines = {} }
  function sheet.put(format, ...)
    table.insert(sheet.lines, format:format(...))
  end
  sheet.put('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d">',
    width, height, width, height)
  sheet.put('<rect width="100%%" height="100%%" fill="%s"/>', PAPER)
  return sheet
end

local function text(sheet, x, y, words, style)
  sheet.put('<text x="%g" y="%g" font-family="monospace" font-size="12" %s>%s</text>', x, y,
    style or ('fill="%s"'):format(INK), words)
end

local function rect(sheet, style, color, x, y, w, h)
  sheet.put('<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" %s/>', x, y, w, h,
    style:format(color, color))
end

local function box(sheet, style, color, of)
  local kind, x, y, r = of:getShape()
  if kind == "circle" then
    sheet.put('<circle cx="%.1f" cy="%.1f" r="%.1f" %s/>', x, y, r, style:format(color))
  else
    rect(sheet, style, color, of:getRect())
  end
end

local function line(sheet, color, x1, y1, x2, y2, more)
  sheet.put('<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s" stroke-width="1.5" %s/>', x1,
    y1, x2, y2, color, more or "")
end

local function arrow(sheet, color, x1, y1, x2, y2)
  local length = math.sqrt((x2 - x1) ^ 2 + (y2 - y1) ^ 2)
  local dx, dy = 6 * (x2 - x1) / length, 6 * (y2 - y1) / length
  line(sheet, color, x1, y1, x2, y2)
  sheet.put('<polygon points="%.1f,%.1f %.1f,%.1f %.1f,%.1f" fill="%s"/>', x2, y2,
    x2 - dx - dy / 2, y2 - dy + dx / 2, x2 - dx + dy / 2, y2 - dy - dx / 2, color)
end

-- Begins a frame with a title; what follows is relative to its corner.
local function frame(sheet, x, y, title)
  sheet.put('<g transform="translate(%g %g)">', x, y)
  text(sheet, 0, -8, title)
end

local function finish(sheet)
  sheet.put("</svg>\n")
  return table.concat(sheet.lines, "\n")
end

-- --- doc/boxes.md --------------------------------------------------------------------------------

function DRAW.box()
  local sheet = newSheet(420, 170)
  frame(sheet, 40, 30, "0, 0")
  arrow(sheet, INK, 0, 0, 300, 0)
  arrow(sheet, INK, 0, 0, 0, 120)
  text(sheet, 306, 4, "x")
  text(sheet, -4, 134, "y")
  local of = broadside.newWorld():insert(110, 30, 140, 70)
  box(sheet, GHOST, HERO, of)
  box(sheet, DASHED, HERO, of)
  sheet.put('<circle cx="110" cy="30" r="3.5" fill="%s"/>', HERO)
  text(sheet, 78, 24, "x, y")
  text(sheet, 176, 94, "w")
  text(sheet, 236, 68, "h")
  arrow(sheet, INK, 170, 90, 114, 90)
  arrow(sheet, INK, 186, 90, 246, 90)
  arrow(sheet, INK, 240, 56, 240, 34)
  arrow(sheet, INK, 240, 74, 240, 96)
  sheet.put("</g>")
  return finish(sheet)
end

-- --- doc/moving.md -------------------------------------------------------------------------------

local SIDE = 26 -- of the box that moves

local function addFloor(world)
  return world:insert(0, 92, 170, 18, { static = true, layer = 2 }), WALL
end

-- What the box meets, and its goal. The box begins at 8, 10.
local RESPONSES = {
  { "slide", addFloor, 120, 110 },
  { "touch", addFloor, 120, 110 },
  { "bounce", addFloor, 120, 110 },
  { "cross", function(world)
    return world:insertCircle(80, 60, 10, { static = true, layer = 2 }), COIN
  end, 130, 78 },
  { "push", function(world)
    addFloor(world):setFilter(4, 0xffffffff)
    return world:insert(66, 66, 26, 26, { layer = 2 }), CRATE
  end, 80, 66, 8, 66 },
}

function DRAW.responses()
  local sheet = newSheet(3 * 184 + 6, 294)
  for i, row in ipairs(RESPONSES) do
    local world = broadside.newWorld()
    local other, color = row[2](world)
    local mover = world:insert(row[5] or 8, row[6] or 10, SIDE, SIDE)
    frame(sheet, 10 + (i - 1) % 3 * 184, i > 3 and 174 or 30, row[1])
    rect(sheet, 'fill="#ffffff" stroke="#dde2ea"', "", 0, 0, 170, 110)
    for of in world:boxes() do
      if of ~= mover then
        local isCrate = of == other and row[1] == "push"
        box(sheet, isCrate and GHOST or SOLID, of == other and color or WALL, of)
      end
    end
    box(sheet, DASHED, HERO, mover)
    local x, y = mover:getCenter()
    local endX, endY, hits, n = world:move(mover, row[3], row[4], { [row[1]] = 2 })
    if row[1] == "push" then
      box(sheet, SOLID, color, other)
    end
    box(sheet, GHOST, HERO, mover)
    for k = 1, n do
      local toX, toY = hits[k].x + SIDE / 2, hits[k].y + SIDE / 2
      if row[1] ~= "push" then
        line(sheet, INK, x, y, toX, toY)
        x, y = toX, toY
      end
    end
    if endX + SIDE / 2 ~= x or endY + SIDE / 2 ~= y then
      arrow(sheet, INK, x, y, endX + SIDE / 2, endY + SIDE / 2)
    end
    sheet.put("</g>")
  end
  return finish(sheet)
end

-- --- doc/layers.md -------------------------------------------------------------------------------

local ALL = 0xffffffff
local KINDS = {
  { "wall", WALL, 1, ALL, true }, { "hero", HERO, 2, ALL }, { "enemy", CRATE, 4, 1 + 2 },
  { "coin", COIN, 8, 2, true },
}

-- Whether two boxes of these kinds make a pair, if they overlap.
local function makePair(a, b)
  local world = broadside.newWorld()
  for _, kind in ipairs({ a, b }) do
    world:insert(0, 0, 1, 1, { layer = kind[3], mask = kind[4], static = kind[5] })
  end
  return world:countPairs() > 0
end

function DRAW.layers()
  local sheet = newSheet(640, 250)
  frame(sheet, 20, 66, "")
  for i, a in ipairs(KINDS) do
    local y = (i - 1) * 44
    rect(sheet, SOLID, a[2], 0, y + 10, 20, 20)
    text(sheet, 30, y + 17, a[1])
    text(sheet, 30, y + 32, ("layer %d, mask %s"):format(a[3], a[4] == ALL and "all" or
      a[4] == 3 and "1 + 2" or a[4]))
    rect(sheet, SOLID, a[2], 260 + (i - 1) * 90, -44, 20, 20)
    text(sheet, 255 + (i - 1) * 90, -10, a[1])
    for k, b in ipairs(KINDS) do
      local x, isPair = 250 + (k - 1) * 90, makePair(a, b)
      rect(sheet, 'fill="%s" fill-opacity="0.25" stroke="#ffffff"', isPair and GREEN or "#ffffff",
        x, y, 90, 44)
      text(sheet, x + 20, y + 26, isPair and "pair" or "-")
    end
  end
  sheet.put("</g>")
  return finish(sheet)
end

-- --- doc/contacts.md -----------------------------------------------------------------------------

function DRAW.contacts()
  local sheet = newSheet(3 * 244 + 10, 170)
  local world = broadside.newWorld()
  frame(sheet, 10, 30, "a hit: it moved and met a wall")
  rect(sheet, 'fill="#ffffff" stroke="#dde2ea"', "", 0, 0, 230, 130)
  local wall = world:insert(170, 0, 24, 130, { static = true })
  local mover = world:insert(20, 30, 36, 36)
  box(sheet, SOLID, WALL, wall)
  box(sheet, DASHED, HERO, mover)
  local _, _, hits = world:move(mover, 300, 70, { touch = ALL })
  box(sheet, GHOST, HERO, mover)
  arrow(sheet, INK, 38, 48, hits[1].x + 18, hits[1].y + 18)
  local y = hits[1].y + 30
  arrow(sheet, GREEN, 170, y, 170 + 60 * hits[1].nx, y + 60 * hits[1].ny)
  text(sheet, 84, y + 18, "normal", ('fill="%s"'):format(GREEN))
  sheet.put("</g>")

  frame(sheet, 254, 30, "a pair: they overlap now")
  rect(sheet, 'fill="#ffffff" stroke="#dde2ea"', "", 0, 0, 230, 130)
  local a, b = world:insert(50, 20, 80, 60), world:insert(100, 50, 70, 60)
  box(sheet, GHOST, COIN, a)
  box(sheet, GHOST, HERO, b)
  rect(sheet, 'fill="%s" fill-opacity="0.5"', GREEN, 100, 50, 30, 30)
  assert(#world:queryBox(a) == 1)
  sheet.put("</g>")

  frame(sheet, 498, 30, "touching: a common border")
  rect(sheet, 'fill="#ffffff" stroke="#dde2ea"', "", 0, 0, 230, 130)
  world = broadside.newWorld()
  local floor = world:insert(0, 100, 230, 30, { static = true })
  local hero = world:insert(90, 64, 36, 36)
  box(sheet, SOLID, WALL, floor)
  box(sheet, SOLID, HERO, hero)
  line(sheet, GREEN, 90, 100, 126, 100, 'stroke-linecap="round" style="stroke-width:4"')
  assert(world:touching(hero, 0, 1) == floor and world:countPairs() == 0)
  sheet.put("</g>")
  return finish(sheet)
end

-- --- doc/shapes.md -------------------------------------------------------------------------------

-- The title, a function that inserts what is hit and returns what moves, and the goal.
local HITS = {
  { "a slope: the normal of its side", function(world)
    world:insertPolygon({ 10, 120, 220, 120, 220, 50 }, { static = true })
    return world:insert(120, 8, 30, 30)
  end, 120, 90 },
  { "a corner, by a circle: through its centre", function(world)
    world:insert(110, 70, 120, 60, { static = true })
    return world:insertCircle(92, 20, 20)
  end, 72, 90 },
}

function DRAW.shapes()
  local sheet = newSheet(3 * 324 + 6, 170)
  for i, row in ipairs(HITS) do
    local world = broadside.newWorld()
    local mover = row[2](world)
    frame(sheet, 10 + (i - 1) * 324, 30, row[1])
    rect(sheet, 'fill="#ffffff" stroke="#dde2ea"', "", 0, 0, 310, 130)
    for of in world:boxes() do
      if of ~= mover and of:getShape() == "polygon" then
        local _, corners = of:getShape()
        local points = table.concat(corners, " "):gsub("%.0", "")
        sheet.put('<polygon points="%s" fill="%s"/>', points, WALL)
      elseif of ~= mover then
        box(sheet, SOLID, WALL, of)
      end
    end
    box(sheet, DASHED, HERO, mover)
    local _, _, hits = world:move(mover, row[3], row[4], { touch = 1 })
    box(sheet, GHOST, HERO, mover)
    local x, y = mover:getCenter()
    local nx, ny = hits[1].nx, hits[1].ny
    arrow(sheet, GREEN, x, y, x + 44 * nx, y + 44 * ny)
    text(sheet, x + 44 * nx - 50, y + 44 * ny + 4, "normal", ('fill="%s"'):format(GREEN))
    sheet.put("</g>")
  end
  local world = broadside.newWorld()
  local wall = world:insert(0, 80, 150, 50, { static = true })
  local ball = world:insertCircle(40, 62, 18)
  frame(sheet, 10 + 2 * 324, 30, "a slide follows the corner")
  rect(sheet, 'fill="#ffffff" stroke="#dde2ea"', "", 0, 0, 310, 130)
  box(sheet, SOLID, WALL, wall)
  for step = 0, 20 do
    if step % 2 == 0 then
      box(sheet, GHOST, HERO, ball)
    end
    local x, y = ball:getRect()
    world:move(ball, x + 8, y + 8)
  end
  sheet.put("</g>")
  return finish(sheet)
end

-- --- doc/bodies.md -------------------------------------------------------------------------------

DRAW["bodies-mass"] = function()
  local sheet = newSheet(640, 214)
  local ROWS = { { 1, "mass 1 meets mass 1" }, { 3, "mass 3 meets mass 1" },
    { math.huge, "infinite mass meets mass 1" } }
  for i, row in ipairs(ROWS) do
    local world = broadside.newWorld()
    local r = row[1] == 1 and 10 or row[1] == 3 and 15 or 18
    local heavy = world:insertCircle(60, 20, r, { response = "bounce", vx = 120, mass = row[1] })
    local light = world:insertCircle(260, 20, 10, { response = "bounce" })
    frame(sheet, 10, 28 + (i - 1) * 64, row[2])
    rect(sheet, 'fill="#ffffff" stroke="#dde2ea"', "", 0, 0, 620, 40)
    for step = 0, 150 do
      if step % 30 == 0 then
        local style = step == 150 and SOLID or GHOST
        box(sheet, style, INK, heavy)
        box(sheet, style, HERO, light)
      end
      world:step(1 / 60)
    end
    sheet.put("</g>")
  end
  return finish(sheet)
end

DRAW["bodies-bounce"] = function()
  local sheet = newSheet(640, 190)
  for i, bounce in ipairs({ 1, 0.5, 0 }) do
    local world = broadside.newWorld({ gravity = { 0, 400 } })
    local floor = world:insert(0, 130, 200, 10, { static = true })
    local ball = world:insertCircle(12, 30, 8, { response = "bounce", bounce = bounce, vx = 70 })
    frame(sheet, 10 + (i - 1) * 210, 34, ("bounce = %g"):format(bounce))
    rect(sheet, 'fill="#ffffff" stroke="#dde2ea"', "", 0, 0, 200, 140)
    box(sheet, SOLID, WALL, floor)
    for step = 0, 144 do
      if step % 6 == 0 then
        box(sheet, step == 144 and SOLID or GHOST, HERO, ball)
      end
      world:step(1 / 60)
    end
    sheet.put("</g>")
  end
  return finish(sheet)
end

DRAW["bodies-friction"] = function()
  local sheet = newSheet(640, 160)
  local world = broadside.newWorld({ gravity = { 0, 400 } })
  frame(sheet, 10, 16, "")
  for i, friction in ipairs({ 0.2, 0.3, 0.5 }) do
    local y = (i - 1) * 46
    local floor = world:insert(0, y + 26, 620, 8, { static = true })
    local crate = world:insert(10, y + 6, 20, 20,
      { response = "slide", vx = 200, friction = friction })
    box(sheet, SOLID, WALL, floor)
    for step = 0, 300 do
      if step % 12 == 0 and crate:getVelocity() > 0 then
        box(sheet, GHOST, CRATE, crate)
      end
      world:step(1 / 60)
    end
    box(sheet, SOLID, CRATE, crate)
    local x = crate:getRect()
    text(sheet, x + 28, y + 20, ("friction = %g: it stops after %.0f"):format(friction, x - 10))
  end
  sheet.put("</g>")
  return finish(sheet)
end

-- -------------------------------------------------------------------------------------------------

--- The picture of that name, as a text.
function pictures.draw(name)
  return DRAW[name]()
end

local folder = ...
if folder and folder ~= "tools.concept_pictures" then
  for _, name in ipairs(pictures.names) do
    local file = assert(io.open(folder .. "/" .. name .. ".svg", "wb"))
    file:write(pictures.draw(name))
    file:close()
  end
end

return pictures
