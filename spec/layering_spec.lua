-- The core's includes point one way: up this table. A .c file may also include headers of its own
-- layer. "heap" stands for heap.h and heap.c; a file that is not in the table fails.
local layers = {
  { "dim" },
  { "heap", "order", "places", "variant" },
  { "doubles", "emitter", "lanes" },
  { "axes" },
  { "geometry.h", "simd_avx2", "simd_neon", "simd_plain", "simd_sse2" },
  { "meet" },
  { "geometry.c" },
  { "simd" },
  { "boxes" },
  { "block" },
  { "block_load" },
  { "cast" },
  { "backend" },
  { "grid.h", "sweep.h", "join", "tree.h" },
  {
    "brute", "grid.c", "grid_cast", "grid_fill", "grid_pairs", "sweep.c", "tree.c", "tree_build",
    "tree_change", "tree_search",
  },
  { "backends" },
  { "auto", "backends_avx2" },
  { "world.h" },
  { "world_parts" },
  {
    "world.c", "world_cast", "world_contacts", "world_motion", "world_move",
    "world_pairs", "world_place", "world_push", "world_query", "world_resolve", "world_step",
    "world_transform",
  },
  { "pool.h" },
  { "pool.c", "pool_parts", "pool_emitters", "pool_hits", "pool_step" },
}

-- Only files of the binding, in src/lua, may include these.
local lua_headers = {
  ["lua.h"] = true,
  ["lauxlib.h"] = true,
  ["lualib.h"] = true,
  ["luaconf.h"] = true,
  ["lua.hpp"] = true,
  ["luajit.h"] = true,
}

local lfs = require("lfs")

local function sources(folder)
  local found = {}
  for name in lfs.dir(folder) do
    if name:match("%.[ch]$") then
      found[#found + 1] = folder .. "/" .. name
    end
  end
  table.sort(found)
  return found
end

-- "src/lua/x.c" and "../world.h" give "src/world.h".
local function resolve(from, name)
  local path = from:match("^(.*)/") .. "/" .. name
  local count
  repeat
    path, count = path:gsub("[^/.]+/%.%./", "", 1)
  until count == 0
  return path
end

-- What a file includes, in order; path is nil for <name>. A file is read once.
local cache = {}
local function includes(path)
  if not cache[path] then
    local list, number = {}, 0
    for text in io.lines(path) do
      number = number + 1
      local open, name = text:match('^%s*#%s*include%s*([<"])([^>"]+)')
      if open then
        list[#list + 1] = {
          name = name,
          path = open == '"' and resolve(path, name) or nil,
          where = path .. ":" .. number,
        }
      end
    end
    cache[path] = list
  end
  return cache[path]
end

local number_of = {}
for number, names in ipairs(layers) do
  for _, name in ipairs(names) do
    assert(not number_of[name], name .. " is in the table twice")
    number_of[name] = number
  end
end

-- The number of a file's layer; nil for one that is in none, or not in the core.
local function layer_of(path)
  local file, stem = path:match("^src/(([^/]+)%.[ch])$")
  return number_of[file] or number_of[stem]
end

local function may_include(from, to)
  local own, other = layer_of(from), layer_of(to)
  if not (own and other) then
    return false
  end
  return other < own or (other == own and from:match("%.c$") and to:match("%.h$"))
end

describe("includes", function()
  local core, binding = sources("src"), sources("src/lua")

  it("are read", function()
    assert.is_true(#core > 0 and #binding > 0)
  end)

  it("find Lua's headers in the binding alone", function()
    for _, path in ipairs(core) do
      for _, include in ipairs(includes(path)) do
        local name = include.name:match("[^/]+$")
        assert.is_nil(lua_headers[name], include.where .. " includes " .. include.name)
      end
    end
  end)

  it("never lead from the core to the binding", function()
    for _, path in ipairs(core) do
      for _, include in ipairs(includes(path)) do
        local own = not include.path or include.path:match("^src/[^/]+$")
        assert.is_truthy(own, include.where .. " includes " .. include.name)
      end
    end
  end)

  it("name files that are there", function()
    for _, list in ipairs({ core, binding }) do
      for _, path in ipairs(list) do
        for _, include in ipairs(includes(path)) do
          local found = not include.path
            or lua_headers[include.name]
            or lfs.attributes(include.path, "mode") == "file"
          assert.is_truthy(found, include.where .. " includes " .. include.name)
        end
      end
    end
  end)

  it("know every file of the core", function()
    for _, path in ipairs(core) do
      assert.is_number(layer_of(path), path .. " is in no layer of this spec")
    end
  end)

  it("point up the table of layers", function()
    for _, path in ipairs(core) do
      for _, include in ipairs(includes(path)) do
        local allowed = not include.path or may_include(path, include.path)
        assert.is_truthy(allowed, include.where .. " includes " .. include.name)
      end
    end
  end)

  it("make no circle, in the core or in the binding", function()
    local state = {}
    local function walk(path, trail)
      trail = trail .. " -> " .. path
      assert.is_not_equal("open", state[path], "circle:" .. trail)
      if not state[path] then
        state[path] = "open"
        for _, include in ipairs(includes(path)) do
          if include.path and lfs.attributes(include.path, "mode") == "file" then
            walk(include.path, trail)
          end
        end
        state[path] = "done"
      end
    end
    for _, list in ipairs({ core, binding }) do
      for _, path in ipairs(list) do
        walk(path, "")
      end
    end
  end)
end)
