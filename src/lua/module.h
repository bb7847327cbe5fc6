/* module.h: declares the lists of functions and methods, which are in the files named beside. */
#ifndef BSL_MODULE_H
#define BSL_MODULE_H

#include "compat.h"

#include "broadside/geometry.h"

#pragma GCC visibility push(hidden)

/* Functions of the module. */
extern const luaL_Reg bsl_world_functions[];    /* newWorld */
extern const luaL_Reg bsl_pool_functions[];     /* newPool */
extern const luaL_Reg bsl_emitter_functions[];  /* newModel */
extern const luaL_Reg bsl_backend_functions[];  /* newTree ... */
extern const luaL_Reg bsl_geometry_functions[]; /* overlap ... */

/* Methods and metamethods. The names of metamethods begin with two underscores. */

/* Of a World. */
extern const luaL_Reg bsl_world_methods[];          /* world_methods.c */
extern const luaL_Reg bsl_world_boxes_methods[];    /* world_boxes_methods.c */
extern const luaL_Reg bsl_shape_methods[];          /* shape_methods.c */
extern const luaL_Reg bsl_pair_methods[];           /* pair_methods.c */
extern const luaL_Reg bsl_contact_methods[];        /* contact_methods.c */
extern const luaL_Reg bsl_query_methods[];          /* query_methods.c */
extern const luaL_Reg bsl_cast_methods[];           /* cast_methods.c */
extern const luaL_Reg bsl_move_methods[];           /* move_methods.c */
extern const luaL_Reg bsl_touching_methods[];       /* touching_methods.c */
extern const luaL_Reg bsl_resolve_methods[];        /* resolve_methods.c */
extern const luaL_Reg bsl_step_methods[];           /* step_methods.c */
extern const luaL_Reg bsl_world_snapshot_methods[]; /* snapshot_methods.c */

/* Of a Box. */
extern const luaL_Reg bsl_box_methods[];         /* box_methods.c */
extern const luaL_Reg bsl_property_methods[];    /* property_methods.c */
extern const luaL_Reg bsl_box_shape_methods[];   /* shape_methods.c */
extern const luaL_Reg bsl_box_contact_methods[]; /* contact_methods.c */

/* Of a Pool. */
extern const luaL_Reg bsl_pool_methods[];          /* pool_methods.c */
extern const luaL_Reg bsl_pool_hit_methods[];      /* pool_hit_methods.c */
extern const luaL_Reg bsl_pool_emitter_methods[];  /* emitter_methods.c */
extern const luaL_Reg bsl_pool_snapshot_methods[]; /* pool_snapshot_methods.c */

/* Of the other classes. */
extern const luaL_Reg bsl_listener_methods[];         /* contact_methods.c: of Contacts */
extern const luaL_Reg bsl_backend_methods[];          /* backend_methods.c */
extern const luaL_Reg bsl_emitter_methods[];          /* emitter_methods.c */
extern const luaL_Reg bsl_model_methods[];            /* emitter_methods.c */
extern const luaL_Reg bsl_snapshot_methods[];         /* snapshot_methods.c: of a World's */
extern const luaL_Reg bsl_snapshot_of_pool_methods[]; /* pool_snapshot_methods.c: of a Pool's */

/* Names in the registry. All but one are of metatables. Backends are the same in 2D and 3D. */
#if DIM == 2
#define BSL_META(name) "broadside." name
#else
#define BSL_META(name) "broadside." name "3"
#endif
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
