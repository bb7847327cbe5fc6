-- The folders are the architecture. A file may include the public headers, headers of its own
-- folder, and of those before it in this list, but none of a later one. The binding may only
-- include the public headers.
local folders = { "base", "simd", "narrow", "broad", "world", "motion", "step", "pool", "lua" }

-- Only the binding may include these.
local lua_headers = {
  ["lua.h"] = true,
  ["lauxlib.h"] = true,
  ["lualib.h"] = true,
  ["luaconf.h"] = true,
  ["lua.hpp"] = true,
  ["luajit.h"] = true,
}

local lfs = require("lfs")

local function exists(path)
  return lfs.attributes(path, "mode") == "file"
end

-- The sources in a folder and in its subfolders.
local function sources(folder, found)
  found = found or {}
  for name in lfs.dir(folder) do
    local path = folder .. "/" .. name
    if name:match("%.[ch]$") then
      found[#found + 1] = path
    elseif not name:match("^%.") and lfs.attributes(path, "mode") == "directory" then
      sources(path, found)
    end
  end
  return found
end

-- The path of the file that #include "name" finds from a file in that folder.
local function resolve(folder, name)
  for _, place in ipairs({ folder .. "/", "include/", "src/" }) do
    if exists(place .. name) then
      return place .. name
    end
  end
end

-- The includes of a file, in order. The path is nil for system headers.
local function includes(path)
  local folder = path:match("^(.*)/")
  local list, number = {}, 0
  for text in io.lines(path) do
    number = number + 1
    local open, name = text:match('^%s*#%s*include%s*([<"])([^>"]+)')
    if open then
      list[#list + 1] = {
        name = name,
        is_ours = open == '"' and not lua_headers[name],
        path = open == '"' and resolve(folder, name) or nil,
        where = ("%s:%d includes %s"):format(path, number, name),
      }
    end
  end
  return list
end

-- The rank is 0 for public headers, else the place in the list above.
local function rank_of(path)
  if path:match("^include/broadside/[^/]+$") then
    return 0
  end
  for rank, folder in ipairs(folders) do
    if path:match("^src/" .. folder .. "/") then
      return rank
    end
  end
end

describe("includes", function()
  local files = sources("include/broadside")
  for _, folder in ipairs(folders) do
    for _, path in ipairs(sources("src/" .. folder)) do
      files[#files + 1] = path
    end
  end

  local function each(check)
    for _, path in ipairs(files) do
      for _, include in ipairs(includes(path)) do
        check(path, include)
      end
    end
  end

  it("are read from all folders that there are", function()
    local listed = {}
    for _, folder in ipairs(folders) do
      listed[folder] = true
    end
    for name in lfs.dir("src") do
      assert.is_true(listed[name] or name == "." or name == "..", "src/" .. name)
    end
    assert.is_true(#files > 60)
  end)

  it("name files that are there", function()
    each(function(_, include)
      assert.is_truthy(include.path or not include.is_ours, include.where)
    end)
  end)

  it("of Lua's headers are only in the binding", function()
    each(function(path, include)
      local name = include.name:match("[^/]+$")
      assert.is_true(not lua_headers[name] or path:match("^src/lua/") ~= nil, include.where)
    end)
  end)

  it("point to the left", function()
    each(function(path, include)
      if include.path then
        local own, other = rank_of(path), rank_of(include.path)
        assert.is_true(other ~= nil and other <= own, include.where)
        assert.is_true(own < #folders or other == 0 or other == own, include.where)
      end
    end)
  end)

  it("show the world nothing of how back ends test boxes", function()
    local seen = {}
    local function walk(path)
      seen[path] = true
      assert.is_nil(path:match("/simd/") or path:match("/block"), path .. " is in sight of worlds")
      for _, include in ipairs(includes(path)) do
        if include.path and not seen[include.path] then
          walk(include.path)
        end
      end
    end
    walk("src/world/world_parts.h")
    assert.is_true(seen["src/broad/backend.h"] and seen["src/broad/cast.h"])
  end)

  it("make no circle", function()
    local state = {}
    local function walk(path, trail)
      trail = trail .. " -> " .. path
      assert.is_not_equal("open", state[path], "circle:" .. trail)
      if not state[path] then
        state[path] = "open"
        for _, include in ipairs(includes(path)) do
          if include.path then
            walk(include.path, trail)
          end
        end
        state[path] = "done"
      end
    end
    for _, path in ipairs(files) do
      walk(path, "")
    end
  end)
end)

-- C may evaluate the values of an initializer list in any order. So no list may read bytes twice
-- that come one after the other, as all functions do that visit data with a coder.
describe("an initializer list", function()
  local function readings(list)
    local n = 0
    for name in list:gmatch("([%w_]+)%s*%(") do
      n = n + ((name:match("^visit_") or name:match("^bs_code")) and 1 or 0)
    end
    return n
  end

  it("reads at most one thing", function()
    for _, path in ipairs(sources("src")) do
      local file = assert(io.open(path))
      for list in file:read("*a"):gmatch("=%s*(%b{})") do
        assert.is_true(readings(list) < 2, path .. ": " .. list)
      end
      file:close()
    end
  end)
end)

describe("the picture of the architecture", function()
  it("shows who includes whom", function()
    local file = assert(io.open("doc/pictures/architecture.svg"))
    assert.equal(require("tools.architecture_picture")(), file:read("*a"), "make drawings")
    file:close()
  end)
end)
