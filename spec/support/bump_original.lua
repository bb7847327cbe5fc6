-- bump.lua itself, if the environment variable BUMP_LUA or an argument names its file.
--
-- bump.lua leaves some orders to the hashes of items, or to how table.sort treats ties. Here it is
-- loaded with a `pairs` and a `table.sort` of ours, so that it follows the order of adding.

local bumpCalls = require("spec.support.bump_calls")

local original = {}

local serialOf = bumpCalls.serialOf

local function pairsBySerial(t)
  local keys, i = {}, 0
  for key in pairs(t) do
    keys[#keys + 1] = key
  end
  table.sort(keys, function(a, b) return (serialOf(a) or 0) < (serialOf(b) or 0) end)
  return function()
    i = i + 1
    return keys[i], t[keys[i]]
  end
end

-- The item that a collision, or a row of a segment query, is about.
local function serialOfRow(row)
  local item = row.item
  if row.otherRect then
    item = row.other
  end
  return serialOf(item)
end

local function sortBySerial(list, isLess)
  table.sort(list, function(a, b)
    return isLess(a, b) or not isLess(b, a) and serialOfRow(a) < serialOfRow(b)
  end)
end

-- The release with the tag v3.1.7 is older than the file of the same version that bump.lua's README
-- tells games to copy. This tests for that file: it pushes out what overlaps, slides, and does not
-- move.
local function isRelease(library)
  local world = library.newWorld()
  world:add("wall", 0, 0, 10, 10)
  world:add("ball", 8, 0, 10, 10)
  return world:move("ball", 8, 0) ~= 8
end

--- Loads bump.lua 3.1.7. Also returns the options with which worlds of broadside.bump answer alike.
function original.load(path)
  local env = setmetatable({
    pairs = pairsBySerial,
    table = setmetatable({ sort = sortBySerial }, { __index = table }),
  }, { __index = _G })
  local chunk
  if setfenv then
    chunk = setfenv(assert(loadfile(path)), env)
  else
    chunk = assert(loadfile(path, "t", env))
  end
  local library = chunk()
  assert(library._VERSION == "bump v3.1.7", "this is not bump.lua 3.1.7")
  bumpCalls.forgetItems()
  return library, isRelease(library) and { slide = "3.1.7" } or nil
end

return original
