-- Where both areas are in a picture, side by side, each with its strip beyond the edge; and the
-- picture as SVG.

local town = require("area.town")

local picture = { GAP = 24, MARGIN = 12, COLORS = { "#2f7ed8", "#e08a1e" } } -- by where one began

local HALF = town.EDGE + town.STRIP -- what is shown of an area
picture.WIDTH = 2 * HALF + picture.GAP + 2 * picture.MARGIN
picture.HEIGHT = town.HEIGHT + 2 * picture.MARGIN

-- How far to the right the town is drawn for an area, and which part of it: from x to x + w.
function picture.place(side)
  local x = side == 1 and 0 or town.EDGE - town.STRIP
  return picture.MARGIN + (side == 1 and 0 or HALF + picture.GAP - x), x, HALF
end

-- Calls f(x1, y1, x2, y2) from each who sees to each who is seen.
function picture.eachSight(shown, f)
  for _, actor in pairs(shown.actors) do
    for name in pairs(actor.known) do
      local other = shown.actors[name] or shown.ghosts[name]
      if other then
        local r, s = actor.size / 2, other.size / 2
        f(actor.x + r, actor.y + r, other.x + s, other.y + s)
      end
    end
  end
end

local RECT = '<rect x="%g" y="%g" width="%g" height="%g" fill="%s"/>'
local CIRCLE = '<circle cx="%.2f" cy="%.2f" r="%g" %s/>'
local LINE = "M%.2f %.2fL%.2f %.2f"

local function addSide(lines, side, shown)
  local shift, left, w = picture.place(side)
  local function add(format, ...)
    table.insert(lines, format:format(...))
  end
  add('<svg x="%g" y="%g" width="%g" height="%g" viewBox="%g 0 %g %g">', shift + left,
    picture.MARGIN, w, town.HEIGHT, left, w, town.HEIGHT)
  add(RECT, left, 0, w, town.HEIGHT, "#f6f4ee")
  add(RECT, side == 1 and town.EDGE or left, 0, town.STRIP, town.HEIGHT, "#dfe6ee")
  for i = 1, #town.WALLS, 4 do
    add(RECT, town.WALLS[i], town.WALLS[i + 1], town.WALLS[i + 2], town.WALLS[i + 3], "#8a8296")
  end
  local sights = {}
  picture.eachSight(shown, function(...)
    table.insert(sights, LINE:format(...))
  end)
  table.sort(sights)
  add('<path d="%s" stroke="#2c9a4b" stroke-opacity="0.5"/>', table.concat(sights))
  for what, style in pairs({ actors = 'fill="%s"', ghosts = 'fill="none" stroke="#556"' }) do
    for _, actor in pairs(shown[what]) do
      local r = actor.size / 2
      add(CIRCLE, actor.x + r, actor.y + r, r, style:format(picture.COLORS[actor.data.home]))
    end
  end
  add("</svg>")
end

-- pictures: of both areas, as eyes.lua has them.
function picture.svg(pictures)
  local lines = { ('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d">'):format(
    picture.WIDTH, picture.HEIGHT), RECT:format(0, 0, picture.WIDTH, picture.HEIGHT, "#ffffff") }
  addSide(lines, 1, pictures[1])
  addSide(lines, 2, pictures[2])
  table.insert(lines, "</svg>\n")
  return table.concat(lines, "\n")
end

return picture
