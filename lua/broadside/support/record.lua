-- The text of a record of play: see play.lua.
--
--     broadside.play 1
--     dt 0.016666666666666666
--     every 60                 steps between hashes
--     inputs left right jump
--     0 # 8f3a60c1             the hash of the start
--     1 right on               an input, from step 1 on
--     60 # 17d2b904            the hash after step 60
--     end 60 5c1e99a0          the number of steps, and a checksum
--
-- Write - for the checksum to edit a record by hand.

local record = {}

local HEAD = "broadside.play 1\ndt %.17g\nevery %.0f\ninputs %s\n"
local HEAD_PATTERN = "^broadside%.play 1\ndt (%S+)\nevery (%d+)\ninputs ([^\n]*)\n()"
local END_PATTERN = "()end (%d+)() (%S+)\n?$"

-- The most steps that are replayed: nobody plays for weeks, but a damaged record might say so.
local MOST = 100000000

--- Eight hexadecimal digits that depend on all of a text. The arithmetic is exact in doubles.
function record.digest(text)
  local sum = 5381
  for i = 1, #text do
    sum = (sum * 65599 + text:byte(i)) % 4294967291 -- the largest prime number below 2^32
  end
  return ("%08x"):format(sum)
end

--- How a record shows the value of an input.
function record.show(value)
  return type(value) == "number" and ("%.17g"):format(value) or value and "on" or "off"
end

--- The value that is shown; nil if none is.
function record.value(shown)
  local number = tonumber(shown)
  if number then
    return number - number == 0 and number + 0.0 or nil -- LuaJIT knows inf and nan
  end
  if shown == "on" or shown == "off" then return shown == "on" end
  return nil
end

--- Whether a value is a list of names that a record can have, each once.
function record.areNames(value)
  local isRight, isThere = type(value) == "table", {}
  for _, name in ipairs(isRight and value or {}) do
    isRight = isRight and type(name) == "string" and not isThere[name] and name:find("^[%w_]%S*$")
    isThere[isRight and name or ""] = true
  end
  return isRight
end

--- body: the lines between head and end.
function record.write(dt, every, inputs, body, steps)
  local text = HEAD:format(dt, every, table.concat(inputs, " ")) .. body .. ("end %d"):format(steps)
  return ("%s %s\n"):format(text, record.digest(text))
end

--- Returns options of play.new, the body and the number of steps; or nil and what is wrong.
function record.read(text)
  text = text:gsub("\r", "")
  local dt, every, list, first = text:match(HEAD_PATTERN)
  local stop, steps, after, sum = text:match(END_PATTERN)
  if not (tonumber(dt) and stop) then
    return nil, "no record, or it is cut off"
  elseif tonumber(steps) > MOST then
    return nil, ("record of at most %d steps expected, got %s"):format(MOST, steps)
  elseif sum ~= "-" and sum ~= record.digest(text:sub(1, after - 1)) then
    return nil, "damaged record: its checksum is wrong"
  end
  local inputs = {}
  for name in list:gmatch("%S+") do
    inputs[#inputs + 1] = name
  end
  return { dt = tonumber(dt), every = tonumber(every), inputs = inputs },
    text:sub(first, stop - 1), tonumber(steps)
end

return record
