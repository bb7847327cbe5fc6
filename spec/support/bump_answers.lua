-- Answers of bump.lua's calls as text, and as checksums of it. The text is the same under every
-- Lua, with or without integers.

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

--- All results of a call, packed by compat.pack. Returning nil and returning nothing count as the
-- same.
function answers.full(packed, serialOf)
  local texts = {}
  if packed.n == 1 and packed[1] == nil then
    return ""
  end
  for i = 1, packed.n do
    texts[i] = full(packed[i], serialOf)
  end
  return table.concat(texts, " ")
end

--- Four hexadecimal digits for each row of bumpCalls.run. They depend on all answers up to this
-- one, so the first digits that differ are those of the first answer that does. The arithmetic is
-- exact in doubles.
function answers.digits(rows)
  local list, sum = {}, 5381
  for i, row in ipairs(rows) do
    for k = 1, #row.full do
      sum = (sum * 65599 + row.full:byte(k)) % 16777216
    end
    sum = (sum * 65599 + 10) % 16777216
    list[i] = ("%04x"):format(math.floor(sum / 256))
  end
  return list
end

return answers
