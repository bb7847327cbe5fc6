-- Writes the section of responses in the annotations of the module, by the rows of
-- include/broadside/conduct.h: `make types`.
--
--     lua tools/types_responses.lua types/library/broadside.lua > broadside.lua
--
-- As a module it returns the function that converts the text.

local rows = require("tools.responses")

local HEAD = "-- Responses " .. ("-"):rep(87) .. "\n"
local END = "-- " .. ("-"):rep(97) .. "\n"
local TRUE = "`true`: all other boxes that could make a pair with the box"
local BOX = "broadside.Box|broadside.Box3|integer"

local function alias(lines, name, first, ofBodies)
  local names = { first }
  for _, row in ipairs(rows) do
    if row.ofBodies == ofBodies then
      table.insert(lines, ("---%s: %s."):format(row.name, row.text))
      table.insert(names, ('"%s"'):format(row.name))
    end
  end
  table.insert(lines, ("---@alias broadside.%s %s\n"):format(name, table.concat(names, "|")))
end

-- The names in the order in which masks count.
local function inOrder()
  local names = {}
  for _, row in ipairs(rows) do
    names[row.order] = row.name
  end
  return table.concat(names, ", ", 1, #names - 1) .. " and " .. names[#names]
end

local function section()
  local lines = { "-- Made by `make types` from include/broadside/conduct.h.\n",
    "---What a moving box does when it hits another one." }
  alias(lines, "Response", nil, true)
  table.insert(lines, "---The same for a box that is moved to a goal.")
  alias(lines, "MoveResponse", "broadside.Response", false)
  table.insert(lines, "---The layers that each response is for: 32 bits; 0, if one is left out. "
    .. "A box gets the first of\n---" .. inOrder() .. " whose mask has a bit of its layer, or else "
    .. "it is ignored.")
  table.insert(lines, "---@class broadside.ResponseMasks")
  for _, row in ipairs(rows) do
    table.insert(lines, ("---@field %s? integer|true %s"):format(row.name, TRUE))
  end
  table.insert(lines, ("---@field except? %s|(%s)[] boxes that are left out"):format(BOX, BOX))
  return HEAD .. table.concat(lines, "\n") .. "\n\n" .. END
end

local function convert(text)
  local from = assert(text:find(HEAD, 1, true), "no section of responses")
  local _, to = assert(text:find(END, from, true))
  return text:sub(1, from - 1) .. section() .. text:sub(to + 1)
end

require("tools.converter")(convert, ...)

return convert
