-- Everything that can be read from a world, as one string. Two dumps are equal if nothing has
-- changed.

local compat = require("spec.support.compat")
local properties = require("spec.support.properties")

local unpack = compat.unpack

local function numbers(...)
  local list = {}
  for i = 1, select("#", ...) do
    local value = select(i, ...)
    list[i] = type(value) == "number" and ("%.17g"):format(value) or tostring(value)
  end
  return table.concat(list, ",")
end

local function boxLine(box)
  local kind, first, second, third, fourth = box:getShape()
  local parts = {
    kind, type(first) == "table" and numbers(unpack(first))
      or numbers(first, second, third, fourth),
    numbers(box:getId()), numbers(box:getRect()), numbers(box:getVelocity()),
    numbers(box:getAcceleration()), numbers(box:getFilter()), tostring(box:isStatic()),
    tostring(box:getData()),
  }
  for _, method in ipairs(properties.methods) do
    parts[#parts + 1] = numbers(box[method.getter](box))
  end
  return table.concat(parts, " ")
end

-- The pairs by the boxes' names, sorted.
local function pairLines(world)
  local lines = {}
  for a, b in world:pairs() do
    lines[#lines + 1] = tostring(a) .. "-" .. tostring(b)
  end
  table.sort(lines)
  return table.concat(lines, "\n")
end

return function(world)
  local lines = { world:getBackend():getName(), numbers(world:getGravity()), numbers(#world) }
  for box in world:boxes() do
    lines[#lines + 1] = boxLine(box)
  end
  lines[#lines + 1] = pairLines(world)
  return table.concat(lines, "\n")
end
