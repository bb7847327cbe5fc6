-- What differs between Lua 5.1 to 5.4 and LuaJIT, and numbers that specs need.

local compat = {}

compat.unpack = table.unpack or rawget(_G, "unpack")
compat.isLuaJIT = rawget(_G, "jit") ~= nil
compat.nan = 0 / 0
compat.huge = math.huge
-- The largest double, 2^1024 - 2^971.
compat.maxDouble = 1.7976931348623157e308
-- The smallest double above zero, 2^-1074.
compat.minDouble = 4.9406564584124654e-324

function compat.pack(...)
  return { n = select("#", ...), ... }
end

-- Whether two 32-bit masks, signed or unsigned, share a bit.
function compat.shareBit(a, b)
  a, b = a % 4294967296, b % 4294967296
  while a > 0 and b > 0 do
    if a % 2 == 1 and b % 2 == 1 then
      return true
    end
    a, b = math.floor(a / 2), math.floor(b / 2)
  end
  return false
end

function compat.isFinite(x)
  return x - x == 0
end

-- The next double above x, and the next one below (Rump, Zimmermann, Boldo, Melquiond 2009).
function compat.nextUp(x)
  return x + (math.abs(x) * (2 ^ -53 * (1 + 2 ^ -52)) + compat.minDouble)
end

function compat.nextDown(x)
  return -compat.nextUp(-x)
end

-- How many times a loop over random worlds runs. BROADSIDE_ROUNDS multiplies n; it runs at least
-- once.
function compat.rounds(n)
  local factor = tonumber(os.getenv("BROADSIDE_ROUNDS") or "1") or 1
  return math.max(1, math.floor(n * factor))
end

-- The same for a loop over n cases that are all there are: a factor above 1 does not add more.
function compat.share(n)
  return math.min(n, compat.rounds(n))
end

-- The numbers of a list, followed by any other values: `world:insert(values(rect, opts))`.
function compat.values(list, ...)
  local args, n, more = {}, #list, select("#", ...)
  for i = 1, n do
    args[i] = list[i]
  end
  for i = 1, more do
    args[n + i] = (select(i, ...))
  end
  return compat.unpack(args, 1, n + more)
end

-- Loads code whose globals are those of a table.
function compat.loadIn(code, environment)
  local setEnvironment = rawget(_G, "setfenv")
  if setEnvironment then
    return setEnvironment(assert(rawget(_G, "loadstring")(code)), environment)
  end
  return assert(load(code, nil, "t", environment))
end

function compat.copy(list)
  local out = {}
  for i, value in ipairs(list) do
    out[i] = value
  end
  return out
end

-- Collects as often as needed, so that objects that finalisers release are collected, too.
function compat.collectAll()
  for _ = 1, 4 do
    collectgarbage()
  end
end

-- Two lists, one after the other.
function compat.concat(a, b)
  local out = compat.copy(a)
  for _, value in ipairs(b) do
    out[#out + 1] = value
  end
  return out
end

return compat
