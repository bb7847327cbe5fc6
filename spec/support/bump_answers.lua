-- Answers of bump.lua's calls as text: in full, or in short with a checksum of the full text. The
-- text is the same under every Lua, with or without integers.

local compat = require("spec.support.compat")

if compat.isLuaJIT then
  jit.off(true, true) -- as in bump_calls.lua
end

local answers = {}

-- A number to the last digit. Both zeros are equal, and a NaN has no sign.
local function number(value)
  if value ~= value then
    return "nan"
  end
  return ("%.17g"):format(value == 0 and 0 or value)
end

-- A number with three decimal places. It is rounded here, because LuaJIT's "%.3f" rounds halves up,
-- and Lua's does not: 0.0625 would become another text.
local function shortNumber(value)
  return ("%.14g"):format(math.floor(value * 1000 + 0.5) / 1000)
end

local full

local function fields(t, serialOf)
  local list = {}
  for key, value in pairs(t) do
    list[#list + 1] = ("%s=%s"):format(tostring(key), full(value, serialOf))
  end
  table.sort(list)
  return "{" .. table.concat(list, " ") .. "}"
end

-- A value with everything in it. An item is shown by its number in the order of adding.
function full(value, serialOf)
  local serial = value ~= nil and serialOf(value)
  if serial then
    return "@" .. number(serial)
  elseif type(value) == "number" then
    return number(value)
  elseif type(value) == "function" then
    return "a function"
  elseif type(value) == "table" then
    return value.cellSize and "the world" or fields(value, serialOf)
  end
  return tostring(value)
end

local SIDES = { ["-1 0"] = "<", ["1 0"] = ">", ["0 -1"] = "^", ["0 1"] = "v" }

local function side(normal)
  local text = number(normal.x) .. " " .. number(normal.y)
  return SIDES[text] or "(" .. text .. ")"
end

local short

local function shortList(list, serialOf)
  local texts = {}
  for i, value in ipairs(list) do
    texts[i] = short(value, serialOf)
  end
  return "[" .. table.concat(texts, " ") .. "]"
end

-- What a reader looks for first: of a collision, the item that is hit, the response, the side, the
-- time and the place.
function short(value, serialOf)
  if type(value) == "number" and not serialOf(value) then
    return shortNumber(value)
  elseif type(value) ~= "table" or serialOf(value) then
    return full(value, serialOf)
  elseif value.otherRect then
    return ("%s%s%s%s:%s,%s"):format(value.other == nil and "" or full(value.other, serialOf),
      tostring(value.type or ""), side(value.normal), shortNumber(value.ti),
      shortNumber(value.touch.x), shortNumber(value.touch.y))
  elseif value.ti1 then
    return ("%s:%s,%s"):format(full(value.item, serialOf), shortNumber(value.ti1),
      shortNumber(value.ti2))
  end
  return shortList(value, serialOf)
end

-- Returning nil and returning nothing count as the same.
local function join(packed, toText, serialOf)
  local texts = {}
  if packed.n == 1 and packed[1] == nil then
    return ""
  end
  for i = 1, packed.n do
    texts[i] = toText(packed[i], serialOf)
  end
  return table.concat(texts, " ")
end

--- All results of a call, packed by compat.pack.
function answers.full(packed, serialOf)
  return join(packed, full, serialOf)
end

--- The same in short.
function answers.short(packed, serialOf)
  return join(packed, short, serialOf)
end

-- Six hexadecimal digits that depend on the whole text. The arithmetic is exact in doubles.
local function checksum(text)
  local sum = 5381
  for i = 1, #text do
    sum = (sum * 65599 + text:byte(i)) % 16777216
  end
  return ("%06x"):format(sum)
end

--- The line for a row of bumpCalls.run in recorded answers: six digits by which the full answer is
-- compared, and the short answer for readers.
function answers.record(row)
  return checksum(row.full) .. (row.short ~= "" and " " .. row.short or "")
end

return answers
