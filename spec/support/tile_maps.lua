-- Tile maps of random symbols, and whether boxes cover their cells to the last bit.

local assert = require("luassert")

local maps = {}

function maps.random(rng, rows, columns, symbols)
  local map = {}
  for row = 1, rows do
    map[row] = {}
    for column = 1, columns do
      map[row][column] = rng:pick(symbols)
    end
  end
  return map
end

-- The sides of cells, computed as for single ones, by number.
local function sidesOf(n, origin, size)
  local near, far = {}, {}
  for i = 1, n do
    local at = origin + (i - 1) * size
    near[at], far[at + size] = i, i
  end
  return near, far
end

-- Asserts that the rects {x, y, w, h} begin and end where cells do, to the last bit, and cover each
-- cell of 1 once, and no other cell. Overwrites the map. Returns the number of cells of 1.
function maps.expectCovered(map, opts, rects)
  local nearX, farX = sidesOf(#map[1], opts.x, opts.w)
  local nearY, farY = sidesOf(#map, opts.y, opts.h)
  local cells, wrong = 0, 0
  for _, rect in ipairs(rects) do
    for row = nearY[rect[2]], farY[rect[2] + rect[4]] do
      for column = nearX[rect[1]], farX[rect[1] + rect[3]] do
        wrong = wrong + (map[row][column] == 1 and 0 or 1)
        map[row][column], cells = 2, cells + 1
      end
    end
  end
  for _, line in ipairs(map) do
    for _, symbol in ipairs(line) do
      wrong = wrong + (symbol == 1 and 1 or 0)
    end
  end
  assert.equal(0, wrong)
  return cells
end

return maps
