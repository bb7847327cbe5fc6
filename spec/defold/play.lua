-- Usage: host play.lua PROJECT
-- Plays Broadside in a Defold project. As in Defold, only modules can be loaded whose full names
-- other modules have in calls of require, starting with the script. Modules whose names are
-- computed at run time are not included.

local project = ...

local function read(path)
  local file = io.open(path, "rb")
  local contents = file and file:read("*a")
  if file then
    file:close()
  end
  return contents
end

-- The sources of the modules in a list, and of those that they require, by name.
local function collect(names, found)
  for _, name in ipairs(names) do
    local source = not found[name] and read(project .. "/" .. name:gsub("%.", "/") .. ".lua")
    if source then
      found[name] = source
      local named = {}
      for other in source:gmatch("require%s*%(?%s*[\"']([%w_.]+)[\"']") do
        named[#named + 1] = other
      end
      collect(named, found)
    end
  end
  return found
end

local scripts = { "broadside", "broadside.bump", "broadside.convex", "broadside.ldtk",
  "broadside.play", "broadside.save", "broadside.tiled", "broadside.tiles", "broadside.walker" }
local modules = collect(scripts, {})

package.path, package.cpath = "", ""
table.insert(package.loaders, 2, function(name)
  local path = name:gsub("%.", "/") .. ".lua"
  local source = modules[name:gsub("/", ".")] or name:find("^spec%.") and read(path)
  return source and assert(loadstring(source, "@" .. path)) or "\n\tno module " .. name
end)
for _, name in ipairs(scripts) do
  assert(require(name), name)
end
assert(loadstring(read("spec/static/play.lua")))()
assert(loadstring(read("spec/determinism/work.lua")))() -- prints the hash of its answers
