/* lua_backend.h: Backend userdata: a kind of back end with its settings, before and while in use. */
#ifndef BSL_LUA_BACKEND_H
#define BSL_LUA_BACKEND_H

#include "handles.h"

#if defined(__GNUC__)
#pragma GCC visibility push(hidden)
#endif

/*
 * The back end that the name or Backend at stack index `value` means. Pushes its Backend, a new one
 * for a name, and gives the core's type. Raises if there is none of that name, if it does not suit
 * the number of axes, or if it belongs to another world than `w` (which may be NULL). May run Lua.
 */
bsl_backend *bsl_backend_at(lua_State *L, const bsl_world *w, bsl_place place, int value,
                            const bs_backend_type **type);

/* The Backend at stack index `index` now belongs to the world, or to none any more. Cannot fail. */
void bsl_attach_backend(lua_State *L, bsl_world *w, int store, int index);
void bsl_detach_backend(lua_State *L, const bsl_world *w, int index);

/* Pushes a table of a back end's figures, with its name. */
void bsl_push_figures(lua_State *L, const char *name, const bsl_figures *figures);

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#endif
