/*
 * filters.h: the optional argument of queries and casts that says which boxes count.
 *
 * Masks and Boxes go to the core. Functions are asked here, about exact hits, while the world is
 * locked; so a query with a function first makes its list and then goes through it.
 */
#ifndef BSL_FILTERS_H
#define BSL_FILTERS_H

#include "cursor.h"

#pragma GCC visibility push(hidden)

typedef struct bsl_filter {
    bs_filter core;
    int function; /* its stack index, or 0 */
} bsl_filter;

/* The filter at `arg`, which is not absent. */
bsl_filter bsl_read_filter(lua_State *L, const bsl_world *w, int arg);

/* The filter at `arg`; without one, all boxes count. */
static inline bsl_filter bsl_check_filter(lua_State *L, const bsl_world *w, int arg) {
    if (bsl_is_absent(L, arg)) {
        return (bsl_filter){bs_filter_all, 0};
    }
    return bsl_read_filter(L, w, arg);
}

/*
 * Runs `body` with the world locked, as bsl_protect does; the filter function and the world's store
 * are at stack indices BSL_ASK_FUNCTION and BSL_ASK_STORE of its frame. Errors pass through.
 */
enum { BSL_ASK_FUNCTION = 2, BSL_ASK_STORE = 3 };
void bsl_run_filter(lua_State *L, bsl_world *w, int store, const bsl_filter *filter, bsl_body body,
                    void *context);

/*
 * Within that frame: whether the function accepts the box, for the mover of that id (0: for none,
 * then it is not told of one). Runs Lua code.
 */
bool bsl_ask(lua_State *L, bsl_world *w, bs_id id, bs_id mover);

/* A way through the world, and what is met on it first: BS_NO_BOX if there is nothing. */
typedef struct bsl_cast {
    bs_rect from;
    double motion[DIM];
    bs_filter filter;
    bs_hit hit;
} bsl_cast;

/* Within that frame: the first box on the way that the function accepts. The cursor is scratch. */
void bsl_cast_asking(lua_State *L, bsl_world *w, bsl_cast *cast, bs_id mover, bsl_cursor *cursor);

#pragma GCC visibility pop

#endif
