/*
 * lua_backend.h: Backend userdata: a kind of back end with its settings, before and while in use.
 */
#ifndef BSL_LUA_BACKEND_H
#define BSL_LUA_BACKEND_H

#include "handles.h"

#pragma GCC visibility push(hidden)

/*
 * The back end that the name or Backend at stack index `value` means. Pushes its Backend, a new one
 * for a name, and gives the core's type. Raises if there is none of that name, if it does not suit
 * the number of axes, or if it belongs to another world than `w` (which may be NULL). May run Lua.
 */
bsl_backend *bsl_backend_at(lua_State *L, const bsl_world *w, bsl_place place, int value,
                            const bs_backend_type **type);

/* The World that the Backend at stack index `index` belongs to, or NULL. */
const void *bsl_backend_owner(lua_State *L, int index);

/* The Backend at stack index `index` now belongs to the World, or not any more. Cannot fail. */
void bsl_attach_backend(lua_State *L, int world, int index);
void bsl_detach_backend(lua_State *L, const bsl_world *w, int index);

/*
 * The figures of the World at stack index `world`; zeros if it is none (of this module), or closed.
 */
void bsl_gather_figures(lua_State *L, int world, bsl_figures *out);

/* Pushes a table of a back end's figures, with its name. */
void bsl_push_figures(lua_State *L, const char *name, const bsl_figures *figures);

#pragma GCC visibility pop

#endif
