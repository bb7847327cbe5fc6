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
  "src/base/bytes.c",
  "src/base/geometry.c",
  "src/base/heap.c",
  "src/base/order.c",
  "src/narrow/meet.c",
  "src/narrow/narrow.c",
  "src/narrow/polygon.c",
  "src/narrow/round.c",
  "src/narrow/shape.c",
  "src/broad/auto.c",
  "src/broad/backends.c",
  "src/broad/backends_avx2.c",
  "src/broad/backends_baseline.c",
  "src/broad/cast.c",
  "src/world/cast.c",
  "src/world/contacts.c",
  "src/world/encode.c",
  "src/world/glide.c",
  "src/world/motion.c",
  "src/world/move.c",
  "src/world/pairs.c",
  "src/world/place.c",
  "src/world/push.c",
  "src/world/query.c",
  "src/world/resolve.c",
  "src/world/saved_shapes.c",
  "src/world/shape.c",
  "src/world/snapshot.c",
  "src/world/step.c",
  "src/world/transform.c",
  "src/world/trim.c",
  "src/world/world.c",
  "src/pool/decode.c",
  "src/pool/emitters.c",
  "src/pool/encode.c",
  "src/pool/hits.c",
  "src/pool/models.c",
  "src/pool/pattern.c",
  "src/pool/pool.c",
  "src/pool/snapshot.c",
  "src/pool/step.c",
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
  "src/lua/hints.c",
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
  "src/lua/shapes.c",
  "src/lua/snapshot.c",
  "src/lua/world.c",
}

build = {
  type = "builtin",
  modules = {
    ["broadside"] = "lua/broadside/init.lua",
    ["broadside.bump"] = "lua/broadside/bump.lua",
    ["broadside.convex"] = "lua/broadside/convex.lua",
    ["broadside.debug"] = "lua/broadside/debug.lua",
    ["broadside.draw"] = "lua/broadside/draw.lua",
    ["broadside.level"] = "lua/broadside/level.lua",
    ["broadside.loader"] = "lua/broadside/loader.lua",
    ["broadside.tiled"] = "lua/broadside/tiled.lua",
    ["broadside.tiles"] = "lua/broadside/tiles.lua",
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
