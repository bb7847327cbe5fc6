-- Tables as strings: see save.pack. A string has three parts:
--
--     broadside.save 1\n       the head, with the version of the format
--     value                    the table
--     8f3a60c1                 a checksum of all before it
--
-- A value begins with a letter:
--
--     y n                      true and false
--     i-12;                    an integer
--     d........                another number: IEEE 754 in 8 bytes, the least significant first
--     s5:hello                 a string after its length
--     t2:1:...                 a table: how long its list is, and how many fields it has besides;
--                              then the values of the list, then each key and its value
--
-- Keys are sorted, so equal tables are equal strings. To change the format, add a version: strings
-- of older versions stay readable (spec/data/saves has some).

local root = ((...) or ""):match("^(.+)[./\\]%w+[./\\]") or "broadside"
local arguments = require(root .. ".support.arguments")
local fields = require(root .. ".support.fields")
local lists = require(root .. ".support.lists")
local record = require(root .. ".support.record")

local packing = {}

local VERSION, CHECKSUM = 1, 8
local HEAD = "broadside.save %d\n"

-- How deep tables are nested, and how many bytes a string has, at most. So nothing that is packed
-- or read takes very long, or uses up the stack.
local MOST_DEPTH, MOST_BYTES = 200, 2 ^ 26

-- Every whole number up to this is a double.
local EXACT = 2 ^ 53

local abs, byte, char, floor, match = math.abs, string.byte, string.char, math.floor, string.match
local describe, fail, try = arguments.describe, arguments.fail, arguments.try

-- Numbers -----------------------------------------------------------------------------------------

-- Powers of 2 by their exponent, made by exact arithmetic: a C library's pow may round.
local LEAST, GREATEST = -1074, 1023
local POWER = { [0] = 1.0 }
for e = 1, GREATEST do
  POWER[e] = 2 * POWER[e - 1]
end
for e = -1, LEAST, -1 do
  POWER[e] = POWER[e + 1] / 2
end

-- The exponent field and the fraction of a double that is not negative.
local function partsOf(x)
  if x ~= x then
    return 2047, POWER[51]
  elseif x == math.huge then
    return 2047, 0
  elseif x < POWER[-1022] then
    return 0, x / POWER[LEAST]
  end
  local e = math.min(floor(math.log(x) / math.log(2)), GREATEST) -- rounded, and so off by one
  e = x < POWER[e] and e - 1 or x >= (POWER[e + 1] or math.huge) and e + 1 or e
  return e + 1023, x / POWER[e - 52] - POWER[52]
end

local function writeDouble(x)
  local sign = (x < 0 or x == 0 and 1 / x < 0) and 128 or 0
  local e, fraction = partsOf(abs(x))
  local b = {}
  for i = 1, 6 do
    b[i] = fraction % 256
    fraction = (fraction - b[i]) / 256
  end
  return "d" .. char(b[1], b[2], b[3], b[4], b[5], b[6], e % 16 * 16 + fraction,
    sign + floor(e / 16))
end

local function readDouble(text, at)
  local fraction, b7, b8 = 0, byte(text, at + 6, at + 7)
  for i = at + 6, at, -1 do
    fraction = 256 * fraction + (i == at + 6 and b7 % 16 or byte(text, i))
  end
  local e, x = b8 % 128 * 16 + floor(b7 / 16), fraction * POWER[LEAST]
  if e == 2047 then
    x = fraction == 0 and math.huge or 0 / 0
  elseif e > 0 then
    x = (fraction + POWER[52]) * POWER[e - 1075]
  end
  return b8 < 128 and x or -x
end

-- Lua 5.3 and later tell integers from other numbers. In the others, whole numbers are integers.
local typeOf = math.type or function(x)
  return x % 1 == 0 and abs(x) <= EXACT and (x ~= 0 or 1 / x > 0) and "integer" or "float"
end
local INTEGER = math.type and "i%d;" or "i%.0f;"

local function writeNumber(x)
  return typeOf(x) == "integer" and INTEGER:format(x) or writeDouble(x)
end

-- The same in each Lua: a number may be -0 or 1.0 in one, and 0 or 1 in another.
local function writeForHash(x)
  local isLong = typeOf(x) == "integer" and not (x >= -EXACT and x <= EXACT)
  return isLong and INTEGER:format(x) or writeDouble(x + 0.0)
end

-- Writing -----------------------------------------------------------------------------------------

-- Whether a text comes before another one, by their bytes. (`<` asks the locale.)
local function isBefore(a, b)
  for i = 1, math.min(#a, #b) do
    local x, y = byte(a, i), byte(b, i)
    if x ~= y then return x < y end
  end
  return #a < #b
end

-- Booleans come first, then numbers, then strings.
local function compareKeys(a, b)
  local kind, other = type(a), type(b)
  if kind ~= other then
    return kind < other
  elseif kind == "string" then
    return isBefore(a, b)
  elseif kind == "boolean" then
    return not a and b
  end
  return a < b
end

-- w: what is written; path: the keys that lead to the value, the first `depth` of them.
local function refuse(w, depth, text)
  local names = {}
  for i = 1, math.min(depth, 8) do
    local key = w.path[i]
    names[i] = type(key) == "string" and (i > 1 and "." or "") .. key:sub(1, 30)
      or "[" .. tostring(key) .. "]"
  end
  local place = #names > 0 and ("field '%s%s': "):format(table.concat(names), depth > 8 and "..." or
    "") or ""
  fail(place .. text)
end

local function add(w, depth, piece)
  w.bytes = w.bytes + #piece
  if w.bytes > MOST_BYTES then refuse(w, depth, ("more than %d bytes"):format(MOST_BYTES)) end
  w[#w + 1] = piece
end

local IS_KEY = { boolean = true, number = true, string = true }

local writeValue

-- The length of the list of a table, and its other keys, sorted.
local function keysOf(w, t, depth)
  local n, keys = lists.length(t), {}
  for key in fields(t) do
    local isItem = type(key) == "number" and key >= 1 and key <= n and key % 1 == 0
    if not isItem then
      if not IS_KEY[type(key)] then
        refuse(w, depth, "keys that are numbers, booleans or strings expected, got " ..
          describe(key))
      end
      keys[#keys + 1] = key
    end
  end
  table.sort(keys, compareKeys)
  return n, keys
end

local function writeTable(w, t, depth)
  if depth > MOST_DEPTH then
    refuse(w, depth, ("tables nested more than %d deep, or one that contains itself")
      :format(MOST_DEPTH))
  end
  local n, keys = keysOf(w, t, depth)
  add(w, depth, ("t%d:%d:"):format(n, #keys))
  for i = 1, n do
    w.path[depth + 1] = i
    writeValue(w, rawget(t, i), depth + 1)
  end
  for _, key in ipairs(keys) do
    w.path[depth + 1] = key
    writeValue(w, key, depth + 1)
    writeValue(w, rawget(t, key), depth + 1)
  end
end

function writeValue(w, value, depth)
  local kind = type(value)
  if kind == "table" then
    writeTable(w, value, depth)
  elseif kind == "number" then
    add(w, depth, w.writeNumber(value))
  elseif kind == "string" then
    add(w, depth, ("s%d:"):format(#value))
    add(w, depth, value)
  elseif kind == "boolean" then
    add(w, depth, value and "y" or "n")
  else
    refuse(w, depth, "number, boolean, string or table expected, got " .. describe(value))
  end
end

local function write(value, numbers)
  local w = { path = {}, bytes = 0, writeNumber = numbers }
  writeValue(w, value, 0)
  return table.concat(w)
end

--- The string of a value; nil and a complaint if it has anything that strings cannot have.
function packing.write(value)
  local body, complaint = try(write, value, writeNumber)
  if not body then return nil, complaint end
  local text = HEAD:format(VERSION) .. body
  return text .. record.digest(text)
end

--- A text that is the same in each Lua, and differs if values differ. Errors as with write.
function packing.writeForHash(value)
  return try(write, value, writeForHash)
end

-- Reading -----------------------------------------------------------------------------------------

local function damaged(format, ...)
  fail("damaged save: " .. format, ...)
end

-- A count, of things that have at least a byte each. Returns it and where the next thing begins.
local function readCount(text, at, last)
  local digits, after = match(text, "^(%d+):()", at)
  local n = tonumber(digits)
  if not n or #digits > 9 or n > last - after + 1 then
    damaged("no count, or too large, at byte %d", at)
  end
  return n, after
end

local function readInteger(text, at)
  local digits, after = match(text, "^(-?[1-9]%d*);()", at)
  if not digits then digits, after = match(text, "^(0);()", at) end
  local n = digits and #digits <= 20 and tonumber(digits)
  if not n then
    damaged("no integer at byte %d", at)
  elseif typeOf(n) ~= "integer" then
    fail("integer %s cannot be exact in this Lua", digits)
  end
  return n, after
end

local readValue

local function readTable(text, at, last, depth)
  if depth > MOST_DEPTH then fail("tables nested more than %d deep", MOST_DEPTH) end
  local t, n, afterN = {}, readCount(text, at, last)
  local count, first = readCount(text, afterN, last)
  at = first
  for i = 1, n do
    t[i], at = readValue(text, at, last, depth + 1)
  end
  for _ = 1, count do
    local key, after = readValue(text, at, last, depth + 1)
    if type(key) == "table" or key ~= key or t[key] ~= nil then
      damaged("no key, or one that was there before, at byte %d", at)
    end
    t[key], at = readValue(text, after, last, depth + 1)
  end
  return t, at
end

-- Returns the value at a byte, and where the next thing begins. last: the last byte of values.
function readValue(text, at, last, depth)
  local kind = at <= last and text:sub(at, at) or ""
  if kind == "y" or kind == "n" then
    return kind == "y", at + 1
  elseif kind == "i" then
    return readInteger(text, at + 1)
  elseif kind == "d" and at + 8 <= last then
    return readDouble(text, at + 1), at + 9
  elseif kind == "s" then
    local n, start = readCount(text, at + 1, last)
    return text:sub(start, start + n - 1), start + n
  elseif kind == "t" then
    return readTable(text, at + 1, last, depth)
  end
  return damaged("no value at byte %d", at)
end

local function readBody(text, at, last)
  local value, after = readValue(text, at, last, 0)
  if after ~= last + 1 or type(value) ~= "table" then
    damaged("%s at byte %d", type(value) == "table" and "more after its end" or "no table", after)
  end
  return value
end

-- What reads each version: a function(text, first byte, last byte).
local READERS = { [1] = readBody }

--- The table of a string from anywhere; nil and a complaint if there is none.
function packing.read(text)
  local version, first = match(text, "^broadside%.save (%d+)\n()")
  if not version then
    return nil, "no save of Broadside, or its beginning is damaged"
  elseif #text > MOST_BYTES + 100 then
    return nil, ("save of %d bytes; at most %d are read"):format(#text, MOST_BYTES)
  end
  local reader = READERS[#version < 10 and tonumber(version)]
  if not reader then
    return nil, ("save of version %s; this Broadside reads versions up to %d"):format(
      version:sub(1, 10), VERSION)
  elseif record.digest(text:sub(1, -CHECKSUM - 1)) ~= text:sub(-CHECKSUM) then
    return nil, "damaged save: it is cut off, or its checksum is wrong"
  end
  return try(reader, text, first, #text - CHECKSUM)
end

return packing
