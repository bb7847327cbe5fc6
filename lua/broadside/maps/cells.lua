-- The cells of a Map: checks of Maps and of numbers, and the cell at a place.

local root = ((...) or ""):match("^(.+)[./\\]%w+[./\\]") or "broadside"
local arguments = require(root .. ".support.arguments")

local cells = {}

local floor = math.floor

--- All Maps; false for those that were removed.
local isMap = setmetatable({}, { __mode = "k" })
cells.isMap = isMap

--- Checks the self of a method.
function cells.checkMap(map, call)
  if isMap[map] == false then
    arguments.raise("map was removed")
  elseif not isMap[map] then
    arguments.refuseSelf(map, call, "Map")
  end
end

local function checkNumber(call, arg, value, most, name)
  if type(value) ~= "number" or value < 1 or value > most or value % 1 ~= 0 then
    arguments.check(false, call, arg, ("%s from 1 to %d"):format(name, most), value)
  end
end

--- Checks the first two arguments of a call, which must be a cell of the map.
function cells.checkCell(map, call, column, row)
  checkNumber(call, 1, column, map.columns, "column")
  checkNumber(call, 2, row, map.rows, "row")
end

--- The number of the cell along an axis that contains a place, also outside of the map. Each cell
-- ends where the next one begins. Very far from the origin, the next number is the same double.
function cells.at(origin, size, place)
  local i = floor((place - origin) / size) + 1
  while place < origin + (i - 1) * size and i - 1 < i do
    i = i - 1
  end
  while place >= origin + i * size and i + 1 > i do
    i = i + 1
  end
  return i
end

return cells
