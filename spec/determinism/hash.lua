-- A hash of numbers that is the same on every Lua. All of its arithmetic is exact in doubles.
-- Numbers are split into parts by multiplications with powers of two, which are exact as well.

local hash = {}

local POWERS, up, down = {}, {}, {}
do
  local power = 1
  for i = 0, 9 do -- 2^1, 2^2, 2^4, ... 2^512
    POWERS[10 - i] = power
    up[power], down[power] = 1.0, 1.0
    for _ = 1, power do
      up[power], down[power] = up[power] * 2, down[power] / 2
    end
    power = power * 2
  end
end

local a, b = 1.0, 2.0

-- Mixes in a whole number below 2^28.
local function mix(n)
  a = (a * 16807 + n) % 2147483647.0
  b = (b * 48271 + n) % 2147483629.0
end

-- Splits x > 0 into x = m * 2^e with 1 <= m < 2.
local function take_apart(x)
  local e = 0
  if x < 1 and x * up[512] < down[256] * down[128] then
    x, e = x * up[128], -128 -- close to the largest double
  end
  for _, p in ipairs(POWERS) do
    if x >= up[p] then
      x, e = x * down[p], e + p
    elseif x < down[p] * 2 then
      x, e = x * up[p], e - p
    end
  end
  return x, e
end

function hash.number(x)
  x = x + 0.0
  local sign = (x < 0 or (x == 0 and 1 / x < 0)) and 1 or 0
  if x - x ~= 0 or x == 0 then
    mix((x ~= x and 3 or x == 0 and 1 or 2) * 2 + sign)
    return
  end
  local m, e = take_apart(x < 0 and -x or x)
  local high = math.floor(m * 67108864)
  mix(4096 + 2 * (e + 1500) + sign)
  mix(high)
  mix((m * 67108864 - high) * 67108864)
end

-- Mixes in any number of numbers, strings, booleans, nil, and lists of these.
function hash.values(...)
  local n = select("#", ...)
  mix(n)
  for i = 1, n do
    local value = (select(i, ...))
    if type(value) == "number" then
      hash.number(value)
    elseif type(value) == "table" then
      mix(#value)
      for j = 1, #value do
        hash.number(value[j])
      end
    else
      local text = tostring(value)
      for j = 1, #text do
        mix(text:byte(j))
      end
    end
  end
end

function hash.result()
  return ("%.0f-%.0f"):format(a, b)
end

return hash
