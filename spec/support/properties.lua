-- The properties of boxes that have a row in include/broadside/conduct.h, with values to try.
--
-- properties.options: { option =, kind =, expected = (what messages expect), usual = (that of a new
--     box), good =, bad = (lists of values) }. A side is given for 2D.
-- properties.methods: { getter =, setter =, options = (those that they read and set), usual =,
--     good = (lists of what the getter returns, and the setter takes) }

local compat = require("spec.support.compat")
local rows = require("tools.properties")

local huge, nan = compat.huge, compat.nan

local AMOUNT = { "number >= 0", { 0.5, 0, 3, 1e300, compat.minDouble },
  { -0.5, -huge, huge, nan, "1", {} } }

-- What messages expect, good values and bad ones.
local KINDS = {
  NUMBER = { "finite number", { 0.5, 0, -2, 1e300 }, { huge, -huge, nan, "1", true } },
  AMOUNT = AMOUNT,
  KEPT = AMOUNT,
  POSITIVE = { "number > 0", { 0.5, 3, huge, compat.minDouble }, { 0, -0.5, -huge, nan, "1", {} } },
  AMOUNTS = { "number >= 0, or a list of them,", { 0.5, { 3, 0 }, 0, { 0, 1e300 } },
    { -0.5, -huge, huge, nan, "1", true } },
  LIMITS = { "number > 0, or a list of them,", { 0.5, { huge, 3 }, 3, huge, { 1e-300, 7 } },
    { 0, -0.5, -huge, nan, "1", true } },
  REACTION = { [["slide", "touch", "bounce" or "cross"]], { "slide", "touch", "bounce", "cross" },
    { "bump", "pass", "", 5, false, {} } },
  SIDE = { [["up", "down", "left" or "right", or table of 2 finite numbers,]],
    { { 0, -1 }, { 1, 0 } }, { 1, "upwards", true } },
  FLAG = { "boolean", { true, false }, { 1, "false" } },
}

-- What C's defaults that are no numbers are in Lua. Those that are left out are nil.
local USUAL = { BS_NO_DRAG = 0, BS_NO_LIMIT = huge, ["false"] = false }

local function usualOf(row)
  if USUAL[row.usual] ~= nil then
    return USUAL[row.usual]
  end
  return tonumber(row.usual)
end

local properties = { options = {}, methods = {} }

-- The numbers of a side are arguments of their own.
local function add(list, option, value)
  return compat.concat(list, option.kind == "SIDE" and value or { value })
end

-- The n-th of the good values of each option, one behind the other.
local function arguments(options, n)
  local list = {}
  for _, option in ipairs(options) do
    list = add(list, option, option.good[(n - 1) % #option.good + 1])
  end
  return list
end

for _, row in ipairs(rows) do
  local kind = assert(KINDS[row.kind], row.kind)
  local option = { option = row.option, kind = row.kind, expected = kind[1], good = kind[2],
    bad = kind[3], usual = usualOf(row) }
  table.insert(properties.options, option)
  if not row.goesAlong then
    table.insert(properties.methods, { getter = row.getter, setter = row.setter, options = {},
      usual = {}, good = {} })
  end
  local method = properties.methods[#properties.methods]
  table.insert(method.options, option)
  method.usual = add(method.usual, option, option.usual)
end

for _, method in ipairs(properties.methods) do
  for n = 1, #method.options[1].good do
    method.good[n] = arguments(method.options, n)
  end
end

-- What messages say that they got. Some show strings.
function properties.describe(value, expected)
  if type(value) == "number" then
    return value ~= value and "nan" or (("%.14g"):format(value))
  end
  local isShown = type(value) == "string" and expected:find('"', 1, true)
  return isShown and "'" .. value .. "'" or type(value)
end

return properties
