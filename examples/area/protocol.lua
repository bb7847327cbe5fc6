-- What goes from one area to another, into a file, and to whoever looks on: text that is refused
-- when it is cut, damaged, or of another version.
--
-- A packet has a header: `BSA`, a version, the length of what follows, and its checksum. Then there
-- are lines: the head, and records. The checksum is Adler-32: it finds any two bytes that are wrong
-- in a packet below 64 KB, and needs no operators that only some versions of Lua have. It is no
-- signature. It protects from accidents; against people the areas need a network of their own.
--
-- Numbers have 17 digits, so that they are the same ones when they are read.

local protocol = { VERSION = 1, MOST = 1200 } -- bytes in a packet, which no network cuts

local HEADER = "BSA%02x%08x%08x\n"
local HEADER_LENGTH = 22

-- the envelope ------------------------------------------------------------------------------------

-- Eight bytes at a time: a is 1 and the sum of all bytes, b the sum of all values of a.
local function checksum(text)
  local a, b, i = 1, 0, 1
  while i + 7 <= #text do
    local c, d, e, f, g, h, j, k = text:byte(i, i + 7)
    b = b + 8 * (a + c) + 7 * d + 6 * e + 5 * f + 4 * g + 3 * h + 2 * j + k
    a = a + c + d + e + f + g + h + j + k
    i = i + 8
    if i % 4096 == 1 then -- so that b stays small
      a, b = a % 65521, b % 65521
    end
  end
  for at = i, #text do
    a = a + text:byte(at)
    b = b + a
  end
  return b % 65521 * 65536 + a % 65521
end

local function headerOf(body)
  return HEADER:format(protocol.VERSION, #body, checksum(body))
end

function protocol.seal(body)
  return headerOf(body) .. body
end

-- Returns what was sealed, or nil and why it is refused.
function protocol.open(packet)
  local header, body = packet:sub(1, HEADER_LENGTH), packet:sub(HEADER_LENGTH + 1)
  local version, length = header:match("^BSA(%x%x)(%x%x%x%x%x%x%x%x)%x%x%x%x%x%x%x%x\n$")
  if not version then
    return nil, "no header"
  elseif tonumber(version, 16) ~= protocol.VERSION then
    return nil, "another version"
  elseif tonumber(length, 16) ~= #body then
    return nil, "cut"
  elseif header ~= headerOf(body) then
    return nil, "damaged"
  end
  return body
end

-- numbers and names -------------------------------------------------------------------------------

local function write(number)
  return ("%.17g"):format(number)
end

local function read(word)
  local number = word and word:find("^%-?%d[%d.e+-]*$") and tonumber(word)
  return number and number - number == 0 and number or nil
end

local function isWhole(number)
  return number and number >= 0 and number % 1 == 0 and number < 2 ^ 53
end

local function split(text)
  local words = {}
  for word in text:gmatch("%S+") do
    table.insert(words, word)
  end
  return words
end

-- packets -----------------------------------------------------------------------------------------

local FIELDS = { "number", "part", "parts", "has", "saved" }

-- head: kind (a word), number (the tick), part of parts, has (the tick that the sender has done),
-- saved (the one that it will not go back from). records: lines.
function protocol.encode(head, records)
  local words = { head.kind }
  for _, field in ipairs(FIELDS) do
    table.insert(words, ("%.0f"):format(head[field] or 0))
  end
  return protocol.seal(table.concat(words, " ") .. "\n" .. table.concat(records, "\n"))
end

-- Returns the head and the records, or nil and why the packet is refused.
function protocol.decode(packet)
  local body, problem = protocol.open(packet)
  if not body then
    return nil, problem
  end
  local first, rest = body:match("^([^\n]*)\n(.*)$")
  local words = split(first or "")
  local head, records = { kind = words[1] }, {}
  for i, field in ipairs(FIELDS) do
    head[field] = read(words[i + 1])
    if not isWhole(head[field]) then
      return nil, "no head"
    end
  end
  if head.part < 1 or head.part > head.parts then
    return nil, "no head"
  end
  for line in rest:gmatch("[^\n]+") do
    table.insert(records, line)
  end
  return head, records
end

-- Records in groups, each of which a packet has room for.
function protocol.pack(records)
  local parts, size = { {} }, 0
  for _, record in ipairs(records) do
    size = size + #record + 1
    if size > protocol.MOST - 100 and #parts[#parts] > 0 then
      table.insert(parts, {})
      size = #record + 1
    end
    table.insert(parts[#parts], record)
  end
  return parts
end

-- records -----------------------------------------------------------------------------------------

local NUMBERS = { "x", "y", "size", "vx", "vy", "sight", "reach" }
local GHOST_NUMBERS = 3

-- what: "actor", "ghost", or another word. actor: a name, the numbers above (of a ghost the first
-- three), data (numbers by names), and known, {[name] = true}.
function protocol.write(what, actor)
  local words = { what, actor.name }
  for i = 1, actor.sight and #NUMBERS or GHOST_NUMBERS do
    table.insert(words, write(actor[NUMBERS[i]]))
  end
  local more = {}
  for key, value in pairs(actor.data or {}) do
    table.insert(more, key .. "=" .. write(value))
  end
  for name in pairs(actor.known or {}) do
    table.insert(more, "+" .. name)
  end
  table.sort(more) -- the same actor is the same record
  table.insert(words, more[1] and table.concat(more, " "))
  return table.concat(words, " ")
end

local function readMore(actor, words, first)
  for i = first, #words do
    local key, value = words[i]:match("^([%a_]+)=(.*)$")
    local name = words[i]:match("^%+([%w_]+)$")
    if key then
      actor.data[key] = read(value)
    elseif name then
      actor.known[name] = true
    end
    if not name and not (key and actor.data[key]) then
      return nil
    end
  end
  return actor
end

-- Returns what, and such an actor; or nil.
function protocol.read(record)
  local words = split(record)
  local what, actor = words[1], { name = words[2], data = {}, known = {} }
  local count = what == "ghost" and GHOST_NUMBERS or #NUMBERS
  for i = 1, count do
    actor[NUMBERS[i]] = read(words[i + 2])
    if not actor[NUMBERS[i]] then
      return nil
    end
  end
  local isRight = actor.name:find("^[%w_]+$") and actor.size > 0
    and (not actor.sight or 0 < actor.sight and actor.sight <= actor.reach)
  if not isRight or not readMore(actor, words, count + 3) then
    return nil
  end
  return what, actor
end

return protocol
