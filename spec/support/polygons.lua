-- Plain answers about polygons of any form, for tests.

local polygons = {}

-- The area of a polygon with corners {x1, y1, ...}, by the shoelace formula.
function polygons.areaOf(corners)
  local area, n = 0, #corners
  for i = 1, n, 2 do
    local j = (i + 1) % n + 1
    area = area + corners[i] * corners[j + 1] - corners[j] * corners[i + 1]
  end
  return math.abs(area) / 2
end

-- Returns whether a point is in a polygon, by counting how many sides a ray from it crosses.
function polygons.isInside(corners, x, y)
  local isIn, n = false, #corners
  for i = 1, n, 2 do
    local j = (i + 1) % n + 1
    local x1, y1, x2, y2 = corners[i], corners[i + 1], corners[j], corners[j + 1]
    if (y1 > y) ~= (y2 > y) and x < x1 + (y - y1) / (y2 - y1) * (x2 - x1) then
      isIn = not isIn
    end
  end
  return isIn
end

return polygons
