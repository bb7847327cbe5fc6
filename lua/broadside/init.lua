--- Broadside: AABB collision worlds for games and simulations, in 2D and 3D.
--
-- The worlds are C: broadside.d2 and broadside.d3 are the same sources compiled for two and for
-- three axes. This file puts both behind one module. What each function takes, gives and raises is
-- said above it in the files of src/lua; doc/api.md lists them all.

local VERSION = "Broadside 0.1.0"

-- The name that this was required by: the other files of the folder are required by it, too.
local required = ((...) or "broadside"):gsub("[./\\]init$", "")
local loader = require(required .. ".loader")

local has2D, d2 = loader.load("d2")
if not has2D then
  error(d2, 0)
end

-- There is one Broadside in a Lua state, whatever names it is required by, so that worlds of all
-- of them go together.
if d2.broadside then
  local first = d2.broadside._VERSION
  if first ~= VERSION then
    error(("%s is in use: %s, required as '%s', cannot be used beside it; keep one of them")
      :format(first, VERSION, required), 0)
  end
  return d2.broadside
end
local has3D, d3 = loader.load("d3")

local broadside = { _VERSION = VERSION }

-- What the halves say of names that are not there.
d2.hint = require(required .. ".hints")
if has3D then
  d3.hint = d2.hint
end

-- Back ends do not know the number of axes before they belong to a world.
for _, name in ipairs({ "newBrute", "newSweep", "newGrid", "newTree", "newAuto" }) do
  broadside[name] = d2[name]
end

-- What a 3D function does in an installation of which that half is missing.
local function missing3D()
  error("3D is not available: " .. d3, 2)
end

for _, name in ipairs({
  "overlap", "sweep", "segment", "separation", "reflect", "bounds", "transform",
}) do
  broadside[name] = d2[name]
  broadside[name .. "3"] = has3D and d3[name] or missing3D
end

-- The half that opts.dim asks for.
local function halfFor(opts)
  if type(opts) == "table" and rawget(opts, "dim") == 3 then
    if not has3D then
      error("3D is not available: " .. d3, 3)
    end
    return d3
  end
  return d2
end

-- None of these ends with a tail call: errors name the line that called the function.

--- Makes a world.
-- opts: backend (name or Backend, "auto"), gravity ({gx, gy}), dim (2 or 3), results ("box", "id"
-- or "data").
function broadside.newWorld(opts)
  local world = halfFor(opts).newWorld(opts)
  return world
end

--- Makes a pool of movers.
-- opts: capacity, w, h, bounds ({x, y, w, h}), mask, dim (2 or 3).
function broadside.newPool(opts)
  local pool = halfFor(opts).newPool(opts)
  return pool
end

--- Makes a model, a prototype of movers.
-- opts: speed, w, h, ax, ay, life, tag, mask, emitters (a list of specs), dim (2 or 3).
function broadside.newModel(opts)
  local model = halfFor(opts).newModel(opts)
  return model
end

-- What ffi.lua needs is for nobody else.
local jit = rawget(_G, "jit")
local fast, usesFFI, switch = jit and d2.fast, false, nil
d2.fast = nil

-- LuaJIT's FFI is looked for when it is first wanted: LuaJIT crashes if memory runs out just then.
local function loadSwitch()
  local isThere, ffi = pcall(require, "ffi")
  local parts = isThere and type(ffi) == "table" and ffi.cast and fast()
  return parts and require(required .. ".ffi")(ffi, parts)
end

--- Tells whether the calls that games make most go by LuaJIT's FFI; a boolean turns that on or off.
-- Answers and errors are the same. At first it is on where there is FFI, and the compiler is on;
-- without FFI it is off and stays so.
function broadside.useFFI(on)
  if on ~= nil and type(on) ~= "boolean" then
    error(("bad argument #1 to 'useFFI' (boolean expected, got %s)"):format(type(on)), 2)
  end
  switch = switch or on and fast and loadSwitch()
  if switch and on ~= nil then
    usesFFI = on
    switch(on)
  end
  return usesFFI
end
broadside.useFFI(jit and jit.status() or false)

-- What is looked for here, in small letters, and where it is.
local ELSEWHERE = {
  new = "broadside.newWorld", box = "world:insert", newbox = "world:insert",
  circle = "world:insertCircle", newcircle = "world:insertCircle",
  polygon = "world:insertPolygon", newpolygon = "world:insertPolygon",
  emitter = "pool:newEmitter", newemitter = "pool:newEmitter",
}
for _, name in ipairs({ "bump", "debug", "draw", "ldtk", "tiled", "tiles", "walker" }) do
  ELSEWHERE[name] = ("require(\"%s.%s\")"):format(required, name)
end

-- The function whose name is that in small letters.
local function find(word)
  for name in next, broadside do
    if name:lower() == word then
      return "broadside." .. name
    end
  end
  return nil
end

-- A name in other letters, without "new", or of something elsewhere is told: `broadside.World()`.
-- Others are nil, so that one can ask whether a version has them.
setmetatable(broadside, { __index = function(_, name)
  local word = type(name) == "string" and name:lower() or ""
  local use = find(word) or find("new" .. word) or ELSEWHERE[word]
  if use then
    error(("broadside has no '%s'; use %s"):format(name, use), 2)
  end
  return nil
end })

d2.broadside = broadside
return broadside
