/* module.h: lists what Lua can call: the functions of the module, and the methods of each class. */
#ifndef BSL_MODULE_H
#define BSL_MODULE_H

#include "compat.h"

#include "broadside/geometry.h"

#pragma GCC visibility push(hidden)

/*
 * A row has a class, or NULL for functions of the module; a list, which is in the file of its name;
 * whose line an error names: 1 for the caller, 2 for the caller's caller, as functions of init.lua
 * call some; and what the published names of the functions end with. The names of metamethods begin
 * with two underscores.
 */
#define BSL_GROUPS(ROW)                                                                            \
    ROW(NULL, bsl_world_functions, 2, "")                                                          \
    ROW(NULL, bsl_pool_functions, 2, "")                                                           \
    ROW(NULL, bsl_emitter_functions, 2, "")                                                        \
    ROW(NULL, bsl_backend_functions, 1, "")                                                        \
    ROW(NULL, bsl_geometry_functions, 1, BSL_SUFFIX)                                               \
    ROW(BSL_WORLD_META, bsl_world_methods, 1, "")                                                  \
    ROW(BSL_WORLD_META, bsl_world_boxes_methods, 1, "")                                            \
    ROW(BSL_WORLD_META, bsl_pair_methods, 1, "")                                                   \
    ROW(BSL_WORLD_META, bsl_contact_methods, 1, "")                                                \
    ROW(BSL_WORLD_META, bsl_query_methods, 1, "")                                                  \
    ROW(BSL_WORLD_META, bsl_move_methods, 1, "")                                                   \
    ROW(BSL_WORLD_META, bsl_touching_methods, 1, "")                                               \
    ROW(BSL_WORLD_META, bsl_shape_methods, 1, "")                                                  \
    ROW(BSL_WORLD_META, bsl_world_snapshot_methods, 1, "")                                         \
    ROW(BSL_BOX_META, bsl_box_methods, 1, "")                                                      \
    ROW(BSL_BOX_META, bsl_property_methods, 1, "")                                                 \
    ROW(BSL_BOX_META, bsl_box_shape_methods, 1, "")                                                \
    ROW(BSL_BOX_META, bsl_box_contact_methods, 1, "")                                              \
    ROW(BSL_SNAPSHOT_META, bsl_saved_methods, 1, "")                                               \
    ROW(BSL_CONTACTS_META, bsl_listener_methods, 1, "")                                            \
    ROW(BSL_CURSOR_META, bsl_cursor_methods, 1, "")                                                \
    ROW(BSL_BACKEND_META, bsl_backend_methods, 1, "")                                              \
    ROW(BSL_POOL_META, bsl_pool_methods, 1, "")                                                    \
    ROW(BSL_POOL_META, bsl_pool_hit_methods, 1, "")                                                \
    ROW(BSL_POOL_META, bsl_pool_emitter_methods, 1, "")                                            \
    ROW(BSL_POOL_META, bsl_pool_snapshot_methods, 1, "")                                           \
    ROW(BSL_POOL_SNAPSHOT_META, bsl_saved_pool_methods, 1, "")                                     \
    ROW(BSL_EMITTER_META, bsl_emitter_methods, 1, "")                                              \
    ROW(BSL_MODEL_META, bsl_model_methods, 1, "")

#define DECLARED(class, list, ...) extern const luaL_Reg list[];
BSL_GROUPS(DECLARED)
#undef DECLARED

/* Names in the registry. All but one are of metatables. Backends are the same in 2D and 3D. */
#if DIM == 2
#define BSL_SUFFIX ""
#else
#define BSL_SUFFIX "3"
#endif
#define BSL_META(name) "broadside." name BSL_SUFFIX
#define BSL_MODULE BSL_META("Module") /* the module's own table */
#define BSL_WORLD_META BSL_META("World")
#define BSL_BOX_META BSL_META("Box")
#define BSL_CURSOR_META BSL_META("Cursor")
#define BSL_CONTACTS_META BSL_META("Contacts")
#define BSL_POOL_META BSL_META("Pool")
#define BSL_EMITTER_META BSL_META("Emitter")
#define BSL_MODEL_META BSL_META("Model")
#define BSL_SNAPSHOT_META BSL_META("Snapshot")
#define BSL_POOL_SNAPSHOT_META BSL_META("PoolSnapshot")
#define BSL_BACKEND_META "broadside.Backend"

#pragma GCC visibility pop

#endif
