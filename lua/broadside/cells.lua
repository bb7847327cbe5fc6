-- The cells of a Map by number: errors about wrong numbers, where cells begin, and the cell at a
-- place.

local level = require((((...) or ""):match("^(.+)[./\\]") or "broadside") .. ".level")

local cells = {}

local floor = math.floor

--- Raises an error at the line that called the method, which calls this.
function cells.refuse(call, arg, text)
  error(("bad argument #%d to '%s' (%s)"):format(arg, call, text), 3)
end

--- All Maps; false for those that were removed. Each method looks up its self.
cells.isMap = setmetatable({}, { __mode = "k" })

--- Raises an error about what is not a Map, at the line that called the method, which calls this.
function cells.refuseSelf(self, call)
  if cells.isMap[self] == false then
    error("map was removed", 3)
  end
  error(("bad self to '%s' (Map expected, got %s; call it with ':')"):format(call, type(self)), 3)
end

-- Returns nil, or what is wrong with a column or row number.
local function complaintOfNumber(value, most, name)
  if type(value) == "number" and value >= 1 and value <= most and value % 1 == 0 then
    return nil
  end
  return ("%s from 1 to %d expected, got %s"):format(name, most, level.describe(value))
end

--- Returns nil, or the argument of a cell that is wrong, and what is wrong with it.
function cells.complaintOfCell(map, column, row)
  local complaint = complaintOfNumber(column, map.columns, "column")
  if complaint then
    return 1, complaint
  end
  complaint = complaintOfNumber(row, map.rows, "row")
  return complaint and 2, complaint
end

--- Returns nil, or which of these numbers is not finite, and what is wrong with it.
function cells.complaintOfNumbers(...)
  for i = 1, select("#", ...) do
    local value = select(i, ...)
    if not level.isFinite(value) then
      return i, "finite number expected, got " .. level.describe(value)
    end
  end
  return nil
end

--- Lists where cells begin along an axis, and where the one after the last would begin.
function cells.nearSides(origin, size, count)
  local near = {}
  for i = 1, count + 1 do
    near[i] = origin + (i - 1) * size
  end
  return near
end

-- The same for a cell outside of the map. i: its number by a division, which rounding may have
-- raised by one. Far from the origin there may be no double between two neighbouring numbers.
local function outside(origin, size, place, i)
  if place < origin + (i - 1) * size then
    return i - 1
  end
  return place >= origin + i * size and i + 1 or i
end

--- The number of the cell along an axis that contains a place. Each cell ends where the next one
-- begins. near: where they begin. Outside of the map the number is less than 1, or more than there
-- are cells.
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
