/*
 * contents.h: boxes come and go, in the core and in the store at once.
 *
 * The order matters: a call that raises has changed nothing. So a Box is made before its box is
 * inserted, and what can still fail afterwards runs protected: then the box is taken out again.
 * Removals first do what can fail.
 */
#ifndef BSL_CONTENTS_H
#define BSL_CONTENTS_H

#include "handles.h"

#pragma GCC visibility push(hidden)

/* Reads the options at `arg` and pushes the data among them, or nil. True: there are data. */
bool bsl_check_props(lua_State *L, int arg, bs_props *props);

/*
 * Inserts one box and pushes what is handed out for it, its Box or its id. The data, or nil, are at
 * stack index `data`.
 */
void bsl_insert(lua_State *L, bsl_world *w, const bs_rect *rect, const bs_props *props, int data);

/* Removes one box, or all. */
void bsl_remove(lua_State *L, bsl_world *w, int store, uint32_t index);
void bsl_clear(lua_State *L, bsl_world *w, int store);

#pragma GCC visibility pop

#endif
