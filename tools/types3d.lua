-- Makes the 3D half of the annotations from the 2D half: `make types`.
--
--     lua tools/types3d.lua types/library/broadside/2d.lua > types/library/broadside/3d.lua
--
-- Every x, y becomes x, y, z, and every w, h becomes w, h, d; classes get a 3 behind their names.
-- As a module it returns the function that converts the text.

-- The names that the file defines. They differ in 3D.
local function ownTypes(text)
  local own = {}
  for tag, name in text:gmatch("%-%-%-@(%l+) (broadside%.%u%w*)") do
    own[name] = (tag == "class" or tag == "alias") or own[name]
  end
  return own
end

-- Extends x, y and x1, y1 and nx, ny ... in lists of names. Iterators return as many more numbers.
local function addAxes(line)
  local added
  line, added = line:gsub("%f[%w](%l*)x(%d?), %1y%2%f[%W]", "%1x%2, %1y%2, %1z%2")
  line = line:gsub("%f[%w](%l?)w(%d?), %1h%2%f[%W]", "%1w%2, %1h%2, %1d%2")
  return (line:gsub(" iterator of ", (", number"):rep(added) .. "%0"))
end

local NEXT = { y = "z", h = "d" }
local ABOUT_ONE_AXIS = {
  "^(%-%-%-@param %l?%l?)([yh])(%d?%??%f[^%w?].*)$",
  "^(%-%-%-@field %l?)([yh])(%d?%??%f[^%w?].*)$",
  "^(%-%-%-@return number %l?)([yh])(%f[^%w].*)$",
}

-- A line about the last axis alone is followed by one about the next axis.
local function addLine(lines, line)
  table.insert(lines, line)
  for _, pattern in ipairs(ABOUT_ONE_AXIS) do
    local before, axis, after = (line .. " "):match(pattern)
    if before then
      table.insert(lines, ((before .. NEXT[axis] .. after):gsub(" $", "")))
      return
    end
  end
end

-- In 3D a quaternion turns things.
local function addQuaternion(lines)
  for _, axis in ipairs({ "x", "y", "z", "w" }) do
    local absent = axis == "w" and " of any length but 0; no turn, if all four are left out" or ""
    table.insert(lines, "---@param q" .. axis .. "? number of a quaternion" .. absent)
  end
end

local WORDS = {
  { "^function broadside%.(%l+)", "function broadside.%13" },
  { ", angle, sx", ", qx, qy, qz, qw, sx" },
  { "^%-%- The 2D half.*$", "-- The 3D half. `make types` makes this file from 2d.lua." },
  { "2D", "3D" },
  { "dim%? 2", "dim 3" },
  { "five floats", "seven floats" },
  { "four floats", "six floats" },
}

local function convertLine(line, own)
  line = line:gsub("broadside%.%u%w*", function(name)
    return own[name] and name .. "3" or name
  end)
  line = addAxes(line)
  for _, words in ipairs(WORDS) do
    line = line:gsub(words[1], words[2])
  end
  return line
end

local function convert(text)
  local own, source, lines = ownTypes(text), {}, {}
  for line in text:gmatch("([^\n]*)\n") do
    table.insert(source, line)
  end
  for i, line in ipairs(source) do
    local turns = line:find("^%-%-%-@param angle%?") and source[i + 1]:find("^%-%-%-@param sx")
    if turns then
      addQuaternion(lines)
    else
      addLine(lines, convertLine(line, own))
    end
  end
  return table.concat(lines, "\n") .. "\n"
end

require("tools.converter")(convert, ...)

return convert
