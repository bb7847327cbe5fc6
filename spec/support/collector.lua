-- Puts the collector into states that specs rarely meet by themselves, for a whole run of specs.
-- tools/specs.lua loads this if BROADSIDE_COLLECTOR is set:
--
--     callback     a full collection in each function that the library calls
--     step         stopped, except for one step at each call of the library: so calls find it
--                  marking, sweeping, and calling finalisers
--     incremental, generational     that mode of Lua 5.4 (whose interpreter begins with the latter)

local state = os.getenv("BROADSIDE_COLLECTOR")

local broadside = require("broadside")

-- All functions of the library that Lua can call.
local ours = {}

local function note(list)
  for _, value in pairs(list) do
    if type(value) == "function" then
      ours[value] = true
    end
  end
end

local function noteAll()
  for _, module in ipairs({ "broadside.d2", "broadside.d3" }) do
    note(package.loaded[module])
  end
  for dim = 2, 3 do
    local world = broadside.newWorld({ dim = dim })
    local pool = broadside.newPool({ dim = dim, capacity = 1 })
    for _, object in ipairs({ world, world:getBackend(), pool, pool:newEmitter() }) do
      note(debug.getmetatable(object).__index)
    end
    local n = dim == 2 and { 0, 0, 1, 1 } or { 0, 0, 0, 1, 1, 1 }
    note(debug.getmetatable(world:insert((table.unpack or rawget(_G, "unpack"))(n))).__index)
    for _, name in ipairs({ "pairs", "boxes", "contacts" }) do
      note({ world[name](world) })
    end
    note({ pool:each() })
  end
end

-- Sets a hook in this coroutine and in all later ones.
local function hook(f)
  local create, wrap = coroutine.create, coroutine.wrap
  debug.sethook(f, "c")
  rawset(coroutine, "create", function(body)
    local co = create(body)
    debug.sethook(co, f, "c")
    return co
  end)
  rawset(coroutine, "wrap", function(body)
    return wrap(function(...)
      debug.sethook(f, "c")
      return body(...)
    end)
  end)
end

local start = {}

function start.callback()
  noteAll()
  hook(function()
    local caller = debug.getinfo(3, "f")
    if caller and ours[caller.func] then
      collectgarbage()
    end
  end)
end

function start.step()
  noteAll()
  start.incremental()
  collectgarbage("stop")
  hook(function()
    if ours[debug.getinfo(2, "f").func] then
      collectgarbage("step", 0)
    end
  end)
end

function start.incremental()
  if _VERSION == "Lua 5.4" then
    collectgarbage("incremental")
  end
end

function start.generational()
  collectgarbage("generational")
end

start[state]()
