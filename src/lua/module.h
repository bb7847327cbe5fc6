/* module.h: the classes of userdata, and the lists of what Lua can call. */
#ifndef BSL_MODULE_H
#define BSL_MODULE_H

#include "compat.h"

#include "broadside/geometry.h"

#pragma GCC visibility push(hidden)

#if DIM == 2
#define BSL_SUFFIX ""
#else
#define BSL_SUFFIX "3"
#endif
#define BSL_MODULE "broadside.Module" BSL_SUFFIX /* the module's own table, in the registry */

/*
 * The classes of userdata: the name of the metatable in the registry, and what getmetatable
 * returns, so that scripts cannot reach it. Backends are the same in 2D and 3D.
 */
#define BSL_CLASSES(ROW)                                                                           \
    ROW(WORLD, "World" BSL_SUFFIX, "World")                                                        \
    ROW(BOX, "Box" BSL_SUFFIX, "Box")                                                              \
    ROW(CONTACTS, "Contacts" BSL_SUFFIX, "Contacts")                                               \
    ROW(CURSOR, "Cursor" BSL_SUFFIX, "Cursor")                                                     \
    ROW(POOL, "Pool" BSL_SUFFIX, "Pool")                                                           \
    ROW(EMITTER, "Emitter" BSL_SUFFIX, "Emitter")                                                  \
    ROW(MODEL, "Model" BSL_SUFFIX, "Model")                                                        \
    ROW(SNAPSHOT, "Snapshot" BSL_SUFFIX, "Snapshot")                                               \
    ROW(POOL_SNAPSHOT, "PoolSnapshot" BSL_SUFFIX, "Snapshot")                                      \
    ROW(BACKEND, "Backend", "Backend")

typedef enum bsl_class {
#define CLASS(id, ...) BSL_##id##_CLASS,
    BSL_CLASSES(CLASS)
#undef CLASS
        BSL_NO_CLASS, /* functions of the module */
    BSL_LEDGER_CLASS
} bsl_class;

extern const struct bsl_class_names {
    const char *name;
    const char *type;
} bsl_classes[]; /* in module.c */

/*
 * A row has a class, or none for functions of the module; a list, which is in the file of its name;
 * whose line an error names: 1 for the caller, 2 for the caller's caller, as functions of init.lua
 * call some; and what the published names of the functions end with. The names of metamethods begin
 * with two underscores.
 */
#define BSL_GROUPS(ROW)                                                                            \
    ROW(BSL_NO_CLASS, bsl_world_functions, 2, "")                                                  \
    ROW(BSL_NO_CLASS, bsl_pool_functions, 2, "")                                                   \
    ROW(BSL_NO_CLASS, bsl_emitter_functions, 2, "")                                                \
    ROW(BSL_NO_CLASS, bsl_backend_functions, 1, "")                                                \
    ROW(BSL_NO_CLASS, bsl_geometry_functions, 1, BSL_SUFFIX)                                       \
    ROW(BSL_WORLD_CLASS, bsl_world_methods, 1, "")                                                 \
    ROW(BSL_WORLD_CLASS, bsl_world_boxes_methods, 1, "")                                           \
    ROW(BSL_WORLD_CLASS, bsl_pair_methods, 1, "")                                                  \
    ROW(BSL_WORLD_CLASS, bsl_contact_methods, 1, "")                                               \
    ROW(BSL_WORLD_CLASS, bsl_query_methods, 1, "")                                                 \
    ROW(BSL_WORLD_CLASS, bsl_move_methods, 1, "")                                                  \
    ROW(BSL_WORLD_CLASS, bsl_touching_methods, 1, "")                                              \
    ROW(BSL_WORLD_CLASS, bsl_shape_methods, 1, "")                                                 \
    ROW(BSL_WORLD_CLASS, bsl_world_snapshot_methods, 1, "")                                        \
    ROW(BSL_BOX_CLASS, bsl_box_methods, 1, "")                                                     \
    ROW(BSL_BOX_CLASS, bsl_property_methods, 1, "")                                                \
    ROW(BSL_BOX_CLASS, bsl_box_shape_methods, 1, "")                                               \
    ROW(BSL_BOX_CLASS, bsl_box_contact_methods, 1, "")                                             \
    ROW(BSL_SNAPSHOT_CLASS, bsl_saved_methods, 1, "")                                              \
    ROW(BSL_CONTACTS_CLASS, bsl_listener_methods, 1, "")                                           \
    ROW(BSL_CURSOR_CLASS, bsl_cursor_methods, 1, "")                                               \
    ROW(BSL_BACKEND_CLASS, bsl_backend_methods, 1, "")                                             \
    ROW(BSL_POOL_CLASS, bsl_pool_methods, 1, "")                                                   \
    ROW(BSL_POOL_CLASS, bsl_pool_hit_methods, 1, "")                                               \
    ROW(BSL_POOL_CLASS, bsl_pool_emitter_methods, 1, "")                                           \
    ROW(BSL_POOL_CLASS, bsl_pool_snapshot_methods, 1, "")                                          \
    ROW(BSL_POOL_SNAPSHOT_CLASS, bsl_saved_pool_methods, 1, "")                                    \
    ROW(BSL_EMITTER_CLASS, bsl_emitter_methods, 1, "")                                             \
    ROW(BSL_MODEL_CLASS, bsl_model_methods, 1, "")

#define DECLARED(class, list, ...) extern const luaL_Reg list[];
BSL_GROUPS(DECLARED)
#undef DECLARED

typedef struct bsl_group {
    bsl_class class;
    const luaL_Reg *functions;
    int level;
    const char *suffix;
} bsl_group;

extern const bsl_group bsl_groups[]; /* the last one has no functions */

#pragma GCC visibility pop

#endif
