/* backend.h: Backend userdata: a kind of back end with its settings, before and while in use. */
#ifndef BSL_BACKEND_H
#define BSL_BACKEND_H

#include "handles.h"

#pragma GCC visibility push(hidden)

/*
 * The back end that the name or Backend at stack index `value` means. Puts its Backend, a new one
 * for a name, in that place, and gives the core's type. Raises if there is none of that name, if it
 * does not suit the number of axes, or if it belongs to another world than `w` (which may be NULL).
 * May run Lua code.
 */
bsl_backend *bsl_backend_at(lua_State *L, const bsl_world *w, bsl_place place, int value,
                            const bs_backend_type **type);

/* The figures of a bsl_world; zeros if it is closed. */
void bsl_gather_figures(const void *world, bsl_figures *out);

/* Pushes a table of a back end's figures, with its name. */
void bsl_push_figures(lua_State *L, const char *name, const bsl_figures *figures);

#pragma GCC visibility pop

#endif
