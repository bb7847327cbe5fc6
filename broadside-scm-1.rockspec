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
  "src/auto.c",
  "src/backends.c",
  "src/backends_avx2.c",
  "src/brute.c",
  "src/cast.c",
  "src/emitter.c",
  "src/geometry.c",
  "src/grid.c",
  "src/grid_build.c",
  "src/grid_cast.c",
  "src/grid_cells.c",
  "src/grid_change.c",
  "src/grid_join.c",
  "src/heap.c",
  "src/order.c",
  "src/pool.c",
  "src/pool_emitters.c",
  "src/pool_hits.c",
  "src/pool_step.c",
  "src/raster.c",
  "src/raster_box.c",
  "src/raster_build.c",
  "src/raster_cast.c",
  "src/raster_point.c",
  "src/sweep.c",
  "src/tree.c",
  "src/tree_build.c",
  "src/tree_change.c",
  "src/tree_search.c",
  "src/world.c",
  "src/world_cast.c",
  "src/world_contacts.c",
  "src/world_motion.c",
  "src/world_move.c",
  "src/world_pairs.c",
  "src/world_place.c",
  "src/world_push.c",
  "src/world_query.c",
  "src/world_resolve.c",
  "src/world_step.c",
  "src/world_transform.c",
  "src/lua/args.c",
  "src/lua/backend.c",
  "src/lua/box.c",
  "src/lua/boxes.c",
  "src/lua/casts.c",
  "src/lua/contacts.c",
  "src/lua/cursor.c",
  "src/lua/data.c",
  "src/lua/emitter.c",
  "src/lua/filters.c",
  "src/lua/geometry.c",
  "src/lua/handles.c",
  "src/lua/hits.c",
  "src/lua/memory.c",
  "src/lua/module.c",
  "src/lua/move.c",
  "src/lua/pairs.c",
  "src/lua/places.c",
  "src/lua/pool.c",
  "src/lua/queries.c",
  "src/lua/resolve.c",
  "src/lua/results.c",
  "src/lua/world.c",
}

build = {
  type = "builtin",
  modules = {
    ["broadside"] = "lua/broadside/init.lua",
    ["broadside.bump"] = "lua/broadside/bump.lua",
    ["broadside.debug"] = "lua/broadside/debug.lua",
    ["broadside.d2"] = { sources = sources, defines = { "DIM=2", "NDEBUG" }, libraries = { "m" } },
    ["broadside.d3"] = { sources = sources, defines = { "DIM=3", "NDEBUG" }, libraries = { "m" } },
  },
}
test = {
  type = "command",
  script = "tools/rocktest.lua",
}
