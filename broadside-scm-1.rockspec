rockspec_format = "3.0"
package = "broadside"
version = "scm-1"
-- The project has no public address yet. `homepage` in the description will be the one place that names it:
-- the pages of `make docs` read it there. LuaRocks wants to be told where sources come from, but neither
-- `luarocks make` nor the source rock (`make dist`) looks there, as they have them.
source = {
  url = "git+file://broadside",
}
description = {
  summary = "AABB collision worlds for games and simulations",
  detailed = [[
Worlds of axis-aligned boxes in 2D and 3D: pairs, queries, casts, motion, and pools of projectiles.
The hot loops are C, the game is Lua: 5.1 to 5.4, LuaJIT and LÖVE.]],
  license = "MIT",
}
dependencies = {
  "lua >= 5.1, < 5.5",
}

-- One source for both: what differs is DIM. spec/packaging_spec.lua compares this with the folders.
local sources = {
  "src/base/angles.c",
  "src/base/bytes.c",
  "src/base/geometry.c",
  "src/base/heap.c",
  "src/base/order.c",
  "src/base/table.c",
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
  "src/world/births.c",
  "src/world/cast.c",
  "src/world/conduct.c",
  "src/world/contacts.c",
  "src/world/decode.c",
  "src/world/encode.c",
  "src/world/pairs.c",
  "src/world/query.c",
  "src/world/saved_shapes.c",
  "src/world/shape.c",
  "src/world/snapshot.c",
  "src/world/transform.c",
  "src/world/trim.c",
  "src/world/velocity.c",
  "src/world/world.c",
  "src/motion/contact.c",
  "src/motion/move.c",
  "src/motion/obstacles.c",
  "src/motion/push.c",
  "src/motion/resolve.c",
  "src/motion/rest.c",
  "src/motion/rules.c",
  "src/motion/step.c",
  "src/motion/way.c",
  "src/pool/decode.c",
  "src/pool/emitters.c",
  "src/pool/encode.c",
  "src/pool/hits.c",
  "src/pool/models.c",
  "src/pool/pattern.c",
  "src/pool/pool.c",
  "src/pool/read_models.c",
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
  "src/lua/pool_snapshot.c",
  "src/lua/queries.c",
  "src/lua/resolve.c",
  "src/lua/results.c",
  "src/lua/saved.c",
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
