--- Broadside: worlds of boxes, circles and polygons for games, in 2D and 3D.
--
-- The worlds are in C: broadside.d2 and broadside.d3 are compiled from the same sources, for two
-- and for three axes. This file puts both behind one module. The arguments, results and errors of
-- each function are described above it in the files of src/lua; doc/api.md lists them all.

local VERSION = "Broadside 0.1.0"

-- The name by which this was required. The other files of the folder are required by it, too.
local required = ((...) or "broadside"):gsub("[./\\]init$", "")
local fields = require(required .. ".support.fields")
local loader = require(required .. ".support.loader")

local has2D, d2 = loader.load("d2")
if not has2D then error(d2, 0) end

-- There is only one Broadside in a Lua state, whatever names it is required by, so its worlds work
-- together.
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

local hints = require(required .. ".support.hints")
local pieces = require(required .. ".support.pieces")
pieces.add(d2, 2)
hints.guard(d2, 2)
if has3D then
  pieces.add(d3, 3)
  hints.guard(d3, 3)
end

-- A back end does not know the number of axes before it belongs to a world.
for _, name in ipairs({ "newBrute", "newSweep", "newGrid", "newTree", "newAuto" }) do
  broadside[name] = d2[name]
end

-- Replaces the 3D functions in an installation without that half.
local function missing3D()
  error("3D is not available: " .. d3, 2)
end

for _, name in ipairs({
  "overlap", "sweep", "segment", "separation", "reflect", "bounds", "transform",
}) do
  broadside[name] = d2[name]
  broadside[name .. "3"] = has3D and d3[name] or missing3D
end

-- Both halves have these: opts.dim says which is meant. They pass on all arguments, or none, so
-- errors tell nil from no value. No tail call hides the line that called them from errors.
for _, name in ipairs({ "newWorld", "newPool", "newModel" }) do
  broadside[name] = function(...)
    local opts, half = ..., d2
    if type(opts) == "table" and rawget(opts, "dim") == 3 then
      if not has3D then error("3D is not available: " .. d3, 2) end
      half = d3
    end
    local made = half[name](...)
    return made
  end
end

--- Gives names to layers: a list of up to 32 names -> {wall = 1, hero = 2, coin = 4, ...}.
broadside.layers = require(required .. ".support.layers")

-- Names that people look for here, in small letters, and where they are.
local ELSEWHERE = {
  new = "broadside.newWorld", box = "world:insert", newbox = "world:insert",
  circle = "world:insertCircle", newcircle = "world:insertCircle",
  polygon = "world:insertPolygon", newpolygon = "world:insertPolygon",
  emitter = "pool:newEmitter", newemitter = "pool:newEmitter",
}
for _, name in ipairs({
  "bump", "debug", "draw", "ldtk", "play", "save", "tiled", "tiles", "walker",
}) do
  ELSEWHERE[name] = ("require(\"%s.%s\")"):format(required, name)
end

local function find(word)
  for name in fields(broadside) do
    if name:lower() == word then return "broadside." .. name end
  end
  return nil
end

-- Raises an error for a name that has other capitals, lacks "new", or is elsewhere, as in
-- `broadside.World()`. Other unknown names are nil, so that one can ask whether a version has them.
setmetatable(broadside, { __index = function(_, name)
  local word = type(name) == "string" and name:lower() or ""
  local use = find(word) or find("new" .. word) or ELSEWHERE[word]
  if use then error(("broadside has no '%s'; use %s"):format(name, use), 2) end
  return nil
end })

d2.broadside = broadside
return broadside
