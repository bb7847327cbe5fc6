-- Cells of a Map by number: what calls say of wrong ones, where they begin, and in which one a
-- place is.

local level = require((((...) or ""):match("^(.+)[./\\]") or "broadside") .. ".level")

local cells = {}

local floor = math.floor

--- Raises an error at the line that has called the method that calls this.
function cells.refuse(call, arg, text)
  error(("bad argument #%d to '%s' (%s)"):format(arg, call, text), 3)
end

-- Returns nil, or what is wrong with the number of a column or a row.
local function complaintOfNumber(value, most, name)
  if type(value) == "number" and value >= 1 and value <= most and value % 1 == 0 then
    return nil
  end
  return ("%s from 1 to %d expected, got %s"):format(name, most, level.describe(value))
end

--- Returns nil, or which argument of a cell is wrong, and what is wrong with it.
function cells.complaintOfCell(map, column, row)
  local complaint = complaintOfNumber(column, map.columns, "column")
  if complaint then
    return 1, complaint
  end
  complaint = complaintOfNumber(row, map.rows, "row")
  return complaint and 2, complaint
end

--- Returns nil, or which of some numbers is not finite, and what is wrong with it.
function cells.complaintOfNumbers(...)
  for i = 1, select("#", ...) do
    local value = select(i, ...)
    if not level.isFinite(value) then
      return i, "finite number expected, got " .. level.describe(value)
    end
  end
  return nil
end

--- Where cells begin along an axis, and where the one after the last would.
function cells.nearSides(origin, size, count)
  local near = {}
  for i = 1, count + 1 do
    near[i] = origin + (i - 1) * size
  end
  return near
end

-- The same where there is no map. i: the number as a quotient tells it, which may be the next one.
-- Far off, no double is between two numbers.
local function outside(origin, size, place, i)
  if place < origin + (i - 1) * size then
    return i - 1
  end
  return place >= origin + i * size and i + 1 or i
end

--- The number of the cell along an axis in which a place is: each ends where the next one begins.
-- near: where they begin. Outside of the map it is less than 1, or more than there are.
function cells.at(near, origin, size, place)
  local count, i = #near - 1, floor((place - origin) / size) + 1
  if place < origin or place >= near[count + 1] then
    return outside(origin, size, place, i)
  end
  i = math.max(1, math.min(count, i))
  while place < near[i] do
    i = i - 1
  end
  while place >= near[i + 1] do
    i = i + 1
  end
  return i
end

return cells
