-- Frames: where things of a map of Tiled's are drawn, turned, flipped and scaled.
--
-- A frame {a, b, c, d, e, f} maps the point x, y to a x + b y + e, c x + d y + f. A shape in a
-- frame is { rect = {x, y, w, h} }, { circle = {x, y, r} } or { polygon = {x1, y1, ...} }.

local root = ((...) or ""):match("^(.+)[./\\]%w+[./\\]") or "broadside"
local transform = require(root).transform

local frames = {}

-- An ellipse with two radii becomes a polygon with the largest allowed number of corners.
local CORNERS = 16

--- Where a frame puts a point.
function frames.place(m, x, y)
  return m[1] * x + m[2] * y + m[5], m[3] * x + m[4] * y + m[6]
end

--- The frame that applies n, and then m.
function frames.compose(m, n)
  local x, y = frames.place(m, n[5], n[6])
  return {
    m[1] * n[1] + m[2] * n[3], m[1] * n[2] + m[2] * n[4],
    m[3] * n[1] + m[4] * n[3], m[3] * n[2] + m[4] * n[4], x, y,
  }
end

-- The cosine and sine of an angle. Quarters of a turn are exact. The others are the same on every
-- machine, unlike those of C libraries, which differ in the last bit.
local function direction(degrees)
  degrees = math.fmod(degrees, 360)
  local quarters = math.floor(degrees / 90 + 0.5)
  local radians = (degrees - 90 * quarters) * (math.pi / 180)
  local cosine, sine = transform(1, 0, 0, 0, 0, 0, radians)
  for _ = 1, quarters % 4 do
    cosine, sine = -sine, cosine
  end
  return cosine, sine
end

--- A frame that turns clockwise, as y points down, and then moves.
function frames.turn(degrees, x, y)
  local cosine, sine = direction(degrees)
  return { cosine, -sine, sine, cosine, x, y }
end

--- Where a frame puts corners {x1, y1, ...}.
function frames.corners(m, corners)
  local placed = {}
  for i = 1, #corners, 2 do
    placed[i], placed[i + 1] = frames.place(m, corners[i], corners[i + 1])
  end
  return placed
end

--- A rectangle from 0, 0 to w, h. It becomes a polygon if it is turned by other than quarters.
function frames.rect(m, w, h)
  if m[2] ~= 0 and m[1] ~= 0 then
    return { polygon = frames.corners(m, { 0, 0, w, 0, w, h, 0, h }) }
  end
  local x1, y1 = frames.place(m, 0, 0)
  local x2, y2 = frames.place(m, w, h)
  if m[1] == 0 then w, h = h, w end
  return { rect = { math.min(x1, x2), math.min(y1, y2), w * math.abs(m[1] + m[2]),
    h * math.abs(m[3] + m[4]) } }
end

--- An ellipse within 0, 0 and w, h. Turned and scaled, it has a centre and two half diameters.
function frames.ellipse(m, w, h)
  local x, y = frames.place(m, w / 2, h / 2)
  local ux, uy, vx, vy = m[1] * w / 2, m[3] * w / 2, m[2] * h / 2, m[4] * h / 2
  local uu, vv, uv = ux * ux + uy * uy, vx * vx + vy * vy, ux * vx + uy * vy
  if math.abs(uu - vv) <= 1e-9 * uu and math.abs(uv) <= 1e-9 * uu then
    return { circle = { x, y, math.sqrt(uu) } }
  end
  local corners = {}
  for i = 0, CORNERS - 1 do
    local cosine, sine = direction(360 * i / CORNERS)
    corners[2 * i + 1] = x + ux * cosine + vx * sine
    corners[2 * i + 2] = y + uy * cosine + vy * sine
  end
  return { polygon = corners }
end

--- The side, one of four, where a frame turns it to.
function frames.turnSide(m, side)
  local sign = m[1] * m[4] < m[2] * m[3] and -1 or 1
  local nx = sign * (m[4] * side[1] - m[3] * side[2])
  local ny = sign * (m[1] * side[2] - m[2] * side[1])
  if math.abs(nx) > math.abs(ny) then return { nx > 0 and 1 or -1, 0 } end
  return { 0, ny > 0 and 1 or -1 }
end

return frames
