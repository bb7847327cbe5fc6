/*
 * volley.h: lists of movers, or of what they have hit, that outlive calls. Pool's loops go through
 * them as World's go through cursors (cursor.h).
 */
#ifndef BSL_VOLLEY_H
#define BSL_VOLLEY_H

#include "pool_handles.h"

#pragma GCC visibility push(hidden)

extern const luaL_Reg bsl_volley_metamethods[];

/* Pushes an empty volley. May run Lua code; raises if that has closed the pool. */
bsl_volley *bsl_new_volley(lua_State *L, bsl_pool *pool, int store);

/* Sets the World's store in the table of the volley at `index`; `store` 0: none. */
void bsl_set_world_store(lua_State *L, int index, int store);

/*
 * What the volley holds counts as memory of its pool; `before`: its heap's when it was taken. May
 * run Lua code.
 */
void bsl_tell_volley(lua_State *L, const bsl_volley *volley, size_t before);

/* Gives back what volleys hold that wait in the Pool's store to be used again. */
void bsl_trim_volleys(lua_State *L, int store);

/* The volley at stack index 1 of an iterator; the two stores are then at 2 and 3 (or nil). */
bsl_volley *bsl_check_volley(lua_State *L);

/* Gives it back to the store, unless that has enough, and pushes the nil that ends the loop. */
int bsl_end_loop(lua_State *L, bsl_volley *volley);

#pragma GCC visibility pop

#endif
