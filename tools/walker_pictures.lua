-- Draws the pictures of doc/walker.md: for each option of a walker two simulated walks that differ
-- in it.
--
--     lua tools/walker_pictures.lua FOLDER
--
-- As a module it returns the function that makes a picture, and the names of all options.

local broadside = require("broadside")
local walker = require("broadside.walker")

local pictures = {}

local WIDTH, HEIGHT = 300, 130 -- of each of the two halves
local GROUND, FREE = { static = true }, {}

-- The scene of each option: two titles, two values of the option, where the walker begins, and its
-- speed. build(world, opts) inserts the boxes; it may add to `opts`, which are the walker's.
-- `jumps` and `drops` list the frames with an upward speed or a drop.
local SCENES = {}

local function floor(world)
  world:insert(0, 110, WIDTH, 20, GROUND)
end

SCENES.maxSlope = {
  titles = { "maxSlope = 46 degrees", "maxSlope = 20 degrees" },
  values = { math.rad(46), math.rad(20) }, x = 10, y = 78, vx = 120, frames = 110,
  build = function(world)
    floor(world)
    world:insertPolygon({ 70, 110, 150, 64, 150, 110 }, GROUND)
    world:insert(150, 64, 150, 46, GROUND)
  end,
}

SCENES.snap = {
  titles = { "snap = 8", "snap = 0" }, values = { 8, 0 }, x = 10, y = 18, vx = 190, frames = 80,
  build = function(world)
    world:insert(0, 50, 60, 80, GROUND)
    world:insertPolygon({ 60, 50, 150, 110, 60, 110 }, GROUND)
    floor(world)
  end,
}

SCENES.stepHeight = {
  titles = { "stepHeight = 10", "stepHeight = 0" }, values = { 10, 0 }, x = 10, y = 78, vx = 120,
  frames = 110,
  build = function(world)
    floor(world)
    for i = 1, 5 do
      world:insert(60 + 28 * i, 110 - 9 * i, WIDTH - 60 - 28 * i, 9, GROUND)
    end
  end,
}

SCENES.nudge = {
  titles = { "nudge = 8", "nudge = 0" }, values = { 8, 0 }, x = 64, y = 78, vx = 0, frames = 34,
  jumps = { [4] = 400 },
  build = function(world)
    floor(world)
    world:insert(77, 20, 120, 30, GROUND)
  end,
}

SCENES.constantSpeed = {
  titles = { "constantSpeed = true", "constantSpeed = false" }, values = { true, false }, x = 10,
  y = 78, vx = 120, frames = 118,
  build = function(world)
    floor(world)
    world:insertPolygon({ 70, 110, 150, 34, 230, 110 }, GROUND)
  end,
}

SCENES.up = {
  titles = { "up = { 0, -1 }", "up = { 0, 1 }" }, values = { { 0, -1 }, { 0, 1 } }, x = 10, y = 50,
  vx = 120, frames = 120,
  build = function(world)
    floor(world)
    world:insert(0, 0, WIDTH, 12, GROUND)
    world:insertPolygon({ 120, 110, 160, 86, 200, 110 }, GROUND)
    world:insertPolygon({ 120, 12, 160, 36, 200, 12 }, GROUND)
  end,
}

SCENES.filter = {
  titles = { "filter = { slide = WALL, push = CRATE }", "filter = { slide = WALL + CRATE }" },
  values = { { slide = 1, push = 2 }, { slide = 3 } }, x = 10, y = 78, vx = 120, frames = 90,
  build = function(world)
    floor(world)
    world:insert(260, 60, 40, 50, GROUND)
    world:insert(90, 84, 26, 26, { layer = 2 })
  end,
}

pictures.names = { "maxSlope", "snap", "stepHeight", "nudge", "constantSpeed", "up", "filter" }

local RECT = '<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" %s/>'

local function drawBox(box, style)
  local kind, corners = box:getShape()
  if kind == "polygon" then
    local points = {}
    for i, value in ipairs(corners) do
      points[i] = ("%.1f"):format(value)
    end
    return ('<polygon points="%s" %s/>'):format(table.concat(points, " "), style)
  end
  local x, y, w, h = box:getRect()
  return RECT:format(x, y, w, h, style)
end

pictures.drawBox = drawBox

-- Walks, and adds a ghost for each sixth frame: filled if it stands, an outline in the air.
local function walk(scene, hero, add)
  local up = hero.up
  local speed = 0
  for frame = 0, scene.frames do
    local jump = scene.jumps and scene.jumps[frame]
    speed = jump and jump or speed - 1000 / 60
    local vx, vy = hero:walk(scene.vx + up[1] * speed, up[2] * speed, 1 / 60)
    speed = vx * up[1] + vy * up[2]
    if frame % 6 == 0 or frame == scene.frames then
      local last = frame == scene.frames
      add(drawBox(hero.box, ('fill="%s" fill-opacity="%.2f" stroke="#d92c3a" stroke-opacity="%.2f"')
        :format(hero.onFloor and "#d92c3a" or "none", last and 0.8 or 0.22, last and 1 or 0.5)))
    end
  end
end

--- The picture of a option, as a text.
function pictures.draw(name)
  local scene, lines = SCENES[name], {}
  local function add(line)
    table.insert(lines, line)
  end
  add(('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d">')
    :format(2 * WIDTH + 20, HEIGHT + 24, 2 * WIDTH + 20, HEIGHT + 24))
  add('<rect width="100%" height="100%" fill="#f6f7fa"/>')
  for half = 1, 2 do
    local world = broadside.newWorld()
    scene.build(world)
    local body = world:insert(scene.x, scene.y, 18, 32, FREE)
    local hero = walker.new(world, body, { [name] = scene.values[half] })
    add(('<g transform="translate(%d 24)">'):format((half - 1) * (WIDTH + 20)))
    add(('<text x="4" y="-8" font-family="monospace" font-size="12" fill="#3b4658">%s</text>')
      :format(scene.titles[half]))
    walk(scene, hero, add)
    for box in world:boxes() do
      if box ~= body then
        add(drawBox(box, ('fill="%s"'):format(box:isStatic() and "#8a97ab" or "#c98a3a")))
      end
    end
    add("</g>")
  end
  add("</svg>\n")
  return table.concat(lines, "\n")
end

local folder = ...
if folder and folder ~= "tools.walker_pictures" then
  for _, name in ipairs(pictures.names) do
    local file = assert(io.open(folder .. "/walker-" .. name .. ".svg", "wb"))
    file:write(pictures.draw(name))
    file:close()
  end
end

return pictures
