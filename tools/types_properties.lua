-- Writes the section of properties in the annotations of boxes, by the rows of
-- include/broadside/conduct.h: `make types`.
--
--     lua tools/types_properties.lua types/library/broadside/2d.lua > 2d.lua
--
-- As a module it returns the function that converts the text.

local rows = require("tools.properties")

local HEAD = "-- Properties of boxes " .. ("-"):rep(77) .. "\n"
local ABOUT = "-- Made by `make types` from include/broadside/conduct.h.\n\n"

-- The types of options and arguments, and what is said of their range.
local KINDS = {
  NUMBER = { "number" },
  AMOUNT = { "number", ">= 0" },
  KEPT = { "number", ">= 0" },
  AMOUNTS = { "number|number[]", ">= 0; a list has one for each axis" },
  LIMITS = { "number|number[]", "> 0, perhaps math.huge; a list has one for each axis" },
  POSITIVE = { "number", "> 0, perhaps math.huge" },
  REACTION = { "broadside.Response" },
  SIDE = { 'number[]|"up"|"down"|"left"|"right"', "{nx, ny}" },
  FLAG = { "boolean" },
}

-- How defaults that are no numbers read in Lua. The others are none, or false.
local USUAL = { BS_BOUNCE_UNSET = "1 with the response bounce, else 0", BS_NO_DRAG = "0",
  BS_NO_LIMIT = "math.huge" }

local function fieldOf(row)
  local type, range = KINDS[row.kind][1], KINDS[row.kind][2]
  local usual = tonumber(row.usual) and row.usual or USUAL[row.usual]
  return ("---@field %s? %s %s%s%s"):format(row.option, type, range and range .. ": " or "",
    row.text, usual and ("; %s, if it is left out"):format(usual) or "")
end

-- The values of a method: name, type, whether it may be nil, range.
local function valuesOf(group)
  if group[1].kind == "SIDE" then
    return { { "nx", "number", true, "-1, 0 or 1" }, { "ny", "number", true, "-1, 0 or 1" } }
  end
  local values = {}
  for i, row in ipairs(group) do
    values[i] = { row.option, KINDS[row.kind][1], row.kind == "REACTION" or row.kind == "KEPT",
      KINDS[row.kind][2] }
  end
  return values
end

local function upper(text)
  return (text:gsub("^%l", string.upper))
end

local function addMethods(lines, group)
  local texts, names, values = {}, {}, valuesOf(group)
  for i, row in ipairs(group) do
    texts[i] = row.text
  end
  local text = table.concat(texts, ", and ")
  table.insert(lines, "---" .. upper(text) .. ".")
  for i, value in ipairs(values) do
    names[i] = value[1]
    table.insert(lines, ("---@return %s%s %s"):format(value[2], value[3] and "?" or "", value[1]))
  end
  table.insert(lines, ("function Box:%s() end\n"):format(group[1].getter))
  table.insert(lines, "---Sets " .. text .. ".")
  for _, value in ipairs(values) do
    local line = ("---@param %s%s %s %s"):format(value[1], value[3] and "?" or "", value[2],
      value[4] or "")
    table.insert(lines, (line:gsub(" $", "")))
  end
  table.insert(lines, ("function Box:%s(%s) end\n"):format(group[1].setter,
    table.concat(names, ", ")))
end

-- Rows that are read and set together.
local function groups()
  local list = {}
  for _, row in ipairs(rows) do
    table.insert(row.goesAlong and list[#list] or list, row.goesAlong and row or { row })
  end
  return list
end

local function section()
  local lines = {
    "---What boxes are given as options or by methods.", "---@class broadside.Properties",
  }
  for _, row in ipairs(rows) do
    table.insert(lines, fieldOf(row))
  end
  table.insert(lines, "")
  for _, group in ipairs(groups()) do
    addMethods(lines, group)
  end
  return HEAD .. ABOUT .. table.concat(lines, "\n") .. "\n"
end

local function convert(text)
  local from = assert(text:find(HEAD, 1, true), "no section of properties")
  local to = assert(text:find("\n%-%- [^\n]* %-%-%-+\n", from + #HEAD))
  return text:sub(1, from - 1) .. section() .. text:sub(to + 1)
end

require("tools.converter")(convert, ...)

return convert
