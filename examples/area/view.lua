-- Both areas in LÖVE, side by side, each with the strip beyond its edge in which it has ghosts.
-- They are in this process, with a bad network between them; or, by N, they are the processes that
-- server.lua runs. 1 and 2 kill an area, or let it go on from its last snapshot.

local eyes = require("area.eyes")
local look = require("support.look")
local pair = require("area.pair")
local picture = require("area.picture")
local town = require("area.town")

local COLORS = { "dynamic", "pair" } -- by where one began
local LINGER = 1 -- seconds until a process that is not heard counts as gone

local view = { title = "area", width = picture.WIDTH, height = picture.HEIGHT,
  hasControls = true }

local played, remote -- the areas of this process; eyes for those of others, or nil
local problem -- why there are none
local shown -- pictures of both
local frame

local function restart(seed)
  if remote then
    remote:close()
  end
  played, remote, problem, shown, frame = pair.new(seed), nil, nil, {}, 0
  view.game = { world = played.areas[1].area.world, ticks = 0, deaths = 0 }
end

view.load = restart

local function goOnline()
  if not remote then
    remote, problem = eyes.new()
    shown = {}
  end
end

local function readOwn()
  for side = 1, 2 do
    local own = played.areas[side]
    if own then
      shown[side] = eyes.picture(own.tick, own:records())
      view.game.ticks = math.max(view.game.ticks, own.tick)
    end
  end
  view.game.world = played.areas[1] and played.areas[1].area.world or view.game.world
  view.game.deaths = played.deaths
end

function view.update(dt)
  frame = frame + 1
  if remote and frame % 3 == 0 then
    remote:update()
    shown = remote.pictures
  elseif not remote then
    played:update(dt)
    readOwn()
  end
end

function view.keypressed(key)
  local side = tonumber(key)
  if (side == 1 or side == 2) and not remote then
    if played.areas[side] then
      played:kill(side)
    else
      played:start(side)
    end
  elseif key == "n" then
    goOnline()
  elseif key == "r" then
    restart(os.time())
  end
end

-- pictures ----------------------------------------------------------------------------------------

local function drawTown(side, left, w)
  look.setColor("panel")
  love.graphics.rectangle("fill", left, 0, w, town.HEIGHT)
  look.setColor("grid", 0.6)
  love.graphics.rectangle("fill", side == 1 and town.EDGE or left, 0, town.STRIP, town.HEIGHT)
  for i = 1, #town.WALLS, 4 do
    local x, y, wallW, h = town.WALLS[i], town.WALLS[i + 1], town.WALLS[i + 2], town.WALLS[i + 3]
    local from, to = math.max(x, left), math.min(x + wallW, left + w)
    if from < to then
      look.block("static", from, y, to - from, h)
    end
  end
end

local function drawPeople(side)
  look.setColor("normal", 0.45)
  love.graphics.setLineWidth(1)
  picture.eachSight(shown[side], love.graphics.line)
  for _, ghost in pairs(shown[side].ghosts) do
    look.setColor("faint")
    love.graphics.circle("line", ghost.x + ghost.size / 2, ghost.y + ghost.size / 2, ghost.size / 2)
  end
  for _, actor in pairs(shown[side].actors) do
    look.setColor(COLORS[actor.data.home])
    love.graphics.circle("fill", actor.x + actor.size / 2, actor.y + actor.size / 2, actor.size / 2)
  end
end

local function isGone(side)
  if remote then
    return not remote.heard[side] or remote.time() - remote.heard[side] > LINGER
  end
  return not played.areas[side]
end

local function drawSide(side)
  local shift, left, w = picture.place(side)
  love.graphics.push()
  love.graphics.translate(shift, picture.MARGIN)
  drawTown(side, left, w)
  if shown[side] then
    drawPeople(side)
    look.label(("area %d, tick %d"):format(side, shown[side].tick), left + 12, town.HEIGHT - 24)
  end
  if isGone(side) then
    look.setColor("background", 0.7)
    love.graphics.rectangle("fill", left, 0, w, town.HEIGHT)
    look.center(("area %d is not there"):format(side), left + w / 2, 240, "hit", "title")
    look.center(remote and ("lua5.4 examples/area/server.lua %d"):format(side)
      or ("%d: it comes back"):format(side), left + w / 2, 280, "faint")
  end
  love.graphics.pop()
end

function view.draw()
  drawSide(1)
  drawSide(2)
end

function view.panel()
  look.panel(view.width + look.PANEL, view.height, "area",
    problem or "Two areas of a server are one world. An actor that walks over the edge goes on in "
      .. "the other area, and all see across.")
  look.row("areas", remote and "other processes" or "in this process")
  look.row("deaths", remote and "-" or view.game.deaths)
  for side = 1, 2 do
    local own = not remote and played.areas[side]
    look.space()
    look.row(("tick of area %d"):format(side), shown[side] and shown[side].tick or "-")
    look.row("packets too late", own and own.late or "-")
  end
  look.space()
  look.legend("dynamic", "began in area 1", "dot")
  look.legend("pair", "began in area 2", "dot")
  look.legend("faint", "ghosts: from the other area", "dot")
  look.legend("normal", "who sees whom", "line")
  look.keys({ "1 2", "kill an area, or start it", "N", "processes of server.lua", "R", "restart" })
end

return view
