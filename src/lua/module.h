/* module.h: the lists of functions and methods, each in the file that is named after it. */
#ifndef BSL_MODULE_H
#define BSL_MODULE_H

#include "compat.h"

#include "broadside/geometry.h"

#pragma GCC visibility push(hidden)

extern const luaL_Reg bsl_world_functions[];       /* newWorld (lua_world.c) */
extern const luaL_Reg bsl_world_methods[];         /* lua_world.c */
extern const luaL_Reg bsl_world_metamethods[];     /* lua_world.c */
extern const luaL_Reg bsl_world_box_methods[];     /* lua_world_boxes.c */
extern const luaL_Reg bsl_world_list_methods[];    /* lua_world_lists.c */
extern const luaL_Reg bsl_world_pair_methods[];    /* lua_world_pairs.c */
extern const luaL_Reg bsl_world_contact_methods[]; /* lua_world_contacts.c */
extern const luaL_Reg bsl_world_query_methods[];   /* lua_world_queries.c */
extern const luaL_Reg bsl_world_cast_methods[];    /* lua_world_casts.c */
extern const luaL_Reg bsl_world_resolve_methods[]; /* lua_world_resolve.c */
extern const luaL_Reg bsl_world_move_methods[];    /* lua_world_move.c */
extern const luaL_Reg bsl_world_push_methods[];    /* lua_world_push.c */
extern const luaL_Reg bsl_world_place_methods[];   /* lua_world_places.c */
extern const luaL_Reg bsl_world_hit_methods[];     /* lua_world_hits.c */
extern const luaL_Reg bsl_box_methods[];           /* lua_box.c */
extern const luaL_Reg bsl_box_metamethods[];       /* lua_box.c */
extern const luaL_Reg bsl_backend_functions[];     /* newTree ... (lua_backend.c) */
extern const luaL_Reg bsl_backend_methods[];       /* lua_backend.c */
extern const luaL_Reg bsl_backend_metamethods[];   /* lua_backend.c */
extern const luaL_Reg bsl_geometry_functions[];    /* overlap ... (lua_geometry.c) */
extern const luaL_Reg bsl_pool_functions[];        /* newPool (lua_pool.c) */
extern const luaL_Reg bsl_pool_methods[];          /* lua_pool.c */
extern const luaL_Reg bsl_pool_metamethods[];      /* lua_pool.c */
extern const luaL_Reg bsl_pool_mover_methods[];    /* lua_pool_movers.c */
extern const luaL_Reg bsl_pool_loop_methods[];     /* lua_pool_loops.c */
extern const luaL_Reg bsl_pool_emitter_methods[];  /* newEmitter (lua_emitter.c) */
extern const luaL_Reg bsl_emitter_methods[];       /* lua_emitter.c */
extern const luaL_Reg bsl_emitter_metamethods[];   /* lua_emitter.c */
extern const luaL_Reg bsl_model_functions[];       /* newModel (lua_model.c) */
extern const luaL_Reg bsl_model_metamethods[];     /* lua_model.c */

/* Iterators, which worlds hand out from their stores. */
int bsl_next_box(lua_State *L);
int bsl_next_pair(lua_State *L);
int bsl_next_contact(lua_State *L);
int bsl_next_step_hit(lua_State *L);

/* Names of metatables in the registry. Backends are the same in 2D and 3D. */
#if DIM == 2
#define BSL_WORLD_META "broadside.World"
#define BSL_BOX_META "broadside.Box"
#define BSL_CURSOR_META "broadside.Cursor"
#define BSL_POOL_META "broadside.Pool"
#define BSL_EMITTER_META "broadside.Emitter"
#define BSL_MODEL_META "broadside.Model"
#define BSL_VOLLEY_META "broadside.Volley"
#else
#define BSL_WORLD_META "broadside.World3"
#define BSL_BOX_META "broadside.Box3"
#define BSL_CURSOR_META "broadside.Cursor3"
#define BSL_POOL_META "broadside.Pool3"
#define BSL_EMITTER_META "broadside.Emitter3"
#define BSL_MODEL_META "broadside.Model3"
#define BSL_VOLLEY_META "broadside.Volley3"
#endif
#define BSL_BACKEND_META "broadside.Backend"
#define BSL_WEAK_META "broadside.Weak" /* of tables that refer weakly to what they hold */

/* Gives the userdata at the top of the stack a metatable from the registry. */
void bsl_set_metatable(lua_State *L, const char *name);

#pragma GCC visibility pop

#endif
