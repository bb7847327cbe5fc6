rockspec_format = "3.0"
package = "broadside"
version = "scm-1"
source = {
  url = "git+https://github.com/broadside-lua/broadside.git",
}
description = {
  summary = "AABB collision worlds for games and simulations",
  detailed = [[
Worlds of axis-aligned boxes in 2D and 3D: pairs, queries, casts, motion, and pools of projectiles.
The hot loops are C, the game is Lua: 5.1 to 5.4, LuaJIT and LÖVE.]],
  homepage = "https://github.com/broadside-lua/broadside",
  license = "MIT",
}
dependencies = {
  "lua >= 5.1, < 5.5",
}

-- One source for both: what differs is DIM. spec/packaging_spec.lua compares this with the folders.
local sources = {
  "src/base/geometry.c",
  "src/base/heap.c",
  "src/base/order.c",
  "src/broad/auto.c",
  "src/broad/backends.c",
  "src/broad/backends_avx2.c",
  "src/broad/backends_baseline.c",
  "src/broad/cast.c",
  "src/broad/meet.c",
  "src/world/cast.c",
  "src/world/contacts.c",
  "src/world/motion.c",
  "src/world/move.c",
  "src/world/pairs.c",
  "src/world/place.c",
  "src/world/push.c",
  "src/world/query.c",
  "src/world/resolve.c",
  "src/world/step.c",
  "src/world/transform.c",
  "src/world/trim.c",
  "src/world/world.c",
  "src/pool/emitters.c",
  "src/pool/hits.c",
  "src/pool/pattern.c",
  "src/pool/pool.c",
  "src/pool/step.c",
  "src/lua/args.c",
  "src/lua/contents.c",
  "src/lua/cursor.c",
  "src/lua/data.c",
  "src/lua/filters.c",
  "src/lua/handles.c",
  "src/lua/lua_backend.c",
  "src/lua/lua_box.c",
  "src/lua/lua_emitter.c",
  "src/lua/lua_geometry.c",
  "src/lua/lua_model.c",
  "src/lua/lua_pool.c",
  "src/lua/lua_pool_loops.c",
  "src/lua/lua_pool_movers.c",
  "src/lua/lua_world.c",
  "src/lua/lua_world_boxes.c",
  "src/lua/lua_world_casts.c",
  "src/lua/lua_world_contacts.c",
  "src/lua/lua_world_hits.c",
  "src/lua/lua_world_lists.c",
  "src/lua/lua_world_move.c",
  "src/lua/lua_world_pairs.c",
  "src/lua/lua_world_places.c",
  "src/lua/lua_world_push.c",
  "src/lua/lua_world_queries.c",
  "src/lua/lua_world_resolve.c",
  "src/lua/memory.c",
  "src/lua/module.c",
  "src/lua/pool_handles.c",
  "src/lua/results.c",
  "src/lua/rows.c",
  "src/lua/rules.c",
  "src/lua/volley.c",
}

build = {
  type = "builtin",
  modules = {
    ["broadside"] = "lua/broadside/init.lua",
    ["broadside.bump"] = "lua/broadside/bump.lua",
    ["broadside.debug"] = "lua/broadside/debug.lua",
    ["broadside.d2"] = {
      sources = sources,
      defines = { "DIM=2", "NDEBUG" },
      incdirs = { "include", "src" },
      libraries = { "m" },
    },
    ["broadside.d3"] = {
      sources = sources,
      defines = { "DIM=3", "NDEBUG" },
      incdirs = { "include", "src" },
      libraries = { "m" },
    },
  },
}
test = {
  type = "command",
  script = "tools/rocktest.lua",
}
