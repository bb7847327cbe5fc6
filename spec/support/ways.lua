-- The methods that LuaJIT's FFI answers, and the ordinary ones, side by side. Elsewhere the switch
-- stays as it was.

local broadside = require("broadside")
local compat = require("spec.support.compat")

local unpack, pack = compat.unpack, compat.pack

local ways = {}

ways.wasOn = broadside.useFFI()
ways.hasFFI = broadside.useFFI(true)

-- Of a World, and then of a Box.
ways.NAMES = { "move", "check", "touching", "segmentCast", "update", "getRect", "setRect" }

local function methods()
  local world = broadside.newWorld()
  local box = world:insert(0, 0, 1, 1)
  local found = {}
  for i, name in ipairs(ways.NAMES) do
    found[name] = i <= 5 and world[name] or box[name]
  end
  return found
end

ways.fast = methods()
broadside.useFFI(false)
ways.ordinary = methods()
broadside.useFFI(ways.wasOn)

-- A Box is told by its id, and has to be the one that its world has for that.
local function tellBox(box)
  local id = box:getId()
  return "Box " .. id .. (rawequal(box:getWorld():getBox(id), box) and "" or ", another one")
end

-- What a value is in any world.
function ways.plain(value, depth)
  depth = depth or 0
  if type(value) == "userdata" and getmetatable(value) == "Box" then
    local ok, told = pcall(tellBox, value)
    return ok and told or "no Box"
  elseif type(value) == "table" and depth < 4 then
    local copy = {}
    for k, v in next, value do
      copy[k] = ways.plain(v, depth + 1)
    end
    return copy
  elseif type(value) == "table" or type(value) == "userdata" then
    return type(value)
  end
  return value == value and value or "nan"
end

-- In a function of its own, so that errors name the same line for both. Not a tail call.
function ways.call(method, args)
  local results = pack(method(unpack(args, 1, args.n)))
  return results
end

-- What a call with these arguments returns, or the error that it raises, as plain values.
function ways.tell(method, args)
  local ok, results = pcall(ways.call, method, args)
  if not ok then
    return { "error", (tostring(results):gsub("0x%x+", "address")) }
  end
  return ways.plain(results)
end

-- From now on nothing is compiled, nor runs that has been. Hooks see each instruction.
function ways.interpret()
  local jit = rawget(_G, "jit")
  jit.off()
  jit.flush()
end

return ways
