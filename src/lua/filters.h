/*
 * filters.h: the optional argument that says which boxes count: of queries and casts (bs_filter),
 * and of calls that move boxes, where it also says what comes of meeting one (bs_rules).
 *
 * Masks and Boxes go to the core. Functions are asked here, about exact answers, while the world is
 * locked; so a query with a function first makes its list and then goes through it.
 */
#ifndef BSL_FILTERS_H
#define BSL_FILTERS_H

#include "cursor.h"
#include "results.h"

#pragma GCC visibility push(hidden)

/* A call that takes a filter: where things stand on the stack. */
typedef struct bsl_call {
    bsl_world *w;
    int filter;         /* the argument */
    int out;            /* the table for results; 0: the call takes none */
    bool given;         /* the caller gave that table */
    int store;          /* the world's; 0: it is not pushed, as there is no filter function */
    bsl_cursor *cursor; /* NULL, or scratch for a filter function, behind the store */
} bsl_call;

/* What bsl_begin does where something has to be made. */
void bsl_make_ready(lua_State *L, bsl_call *c);

/*
 * Makes what the call needs, before its arguments are read. `required`: how many must be given: if
 * there are fewer, reading them will raise an error. May run Lua code.
 */
static inline bsl_call bsl_begin(lua_State *L, bsl_world *w, int required, int filter, int out) {
    bsl_call c = {w, filter, out, true, 0, NULL};
    bool asks = lua_type(L, filter) == LUA_TFUNCTION;
    if (asks || (out != 0 && bsl_is_absent(L, out) && lua_gettop(L) >= required)) {
        bsl_make_ready(L, &c);
    }
    return c;
}

/* The same with a cursor, if the filter is a function. */
static inline bsl_call bsl_begin_asking(lua_State *L, bsl_world *w, int required, int filter,
                                        int out) {
    bsl_call c = bsl_begin(L, w, required, filter, out);
    if (c.store != 0) {
        c.cursor = bsl_new_cursor(L, c.store, w, NULL, NULL);
    }
    return c;
}

/* Where the world's store stands, for results; 1 in a world of ids, which needs none. */
static inline int bsl_result_store(lua_State *L, const bsl_call *c) {
    return c->store != 0 ? c->store : c->w->results == BSL_RESULTS_ID ? 1 : bsl_push_store(L, 1);
}

/* Gives the cursor back, if there is one, and pops what is behind the store. */
void bsl_end_asking(lua_State *L, const bsl_call *c);

/*
 * Runs `body` with the world locked, as bsl_protect does; the filter, the world's store and the
 * table for results are at these stack indices of its frame.
 */
enum { BSL_ASK_FUNCTION = BSL_FRAME, BSL_ASK_STORE, BSL_ASK_OUT };
bool bsl_run_locked(lua_State *L, const bsl_call *c, bsl_body body, void *context);

/* The same; errors pass through. */
void bsl_run_asking(lua_State *L, const bsl_call *c, bsl_body body, void *context);

/* --- of queries and casts ------------------------------------------------------------------- */

/* The filter at `arg`, which is not absent. */
bs_filter bsl_read_filter(lua_State *L, const bsl_world *w, int arg);

/* The filter at `arg`; without one, or with a function, all boxes count. */
static inline bs_filter bsl_check_filter(lua_State *L, const bsl_world *w, int arg) {
    return bsl_is_absent(L, arg) ? bs_filter_all : bsl_read_filter(L, w, arg);
}

/*
 * Within the frame of bsl_run_locked: whether the function accepts the box, for the mover of that
 * id (0: for none, then it is not told of one). Runs Lua code.
 */
bool bsl_ask(lua_State *L, const bsl_world *w, uint32_t box, bs_id mover);

/* A way through the world, and what is met on it first: BS_NO_BOX if there is nothing. */
typedef struct bsl_cast {
    bs_shape from;
    double motion[DIM];
    bs_filter filter;
    bs_hit hit;
} bsl_cast;

/* Within that frame: the first box on the way that the function accepts. The cursor is scratch. */
void bsl_cast_asking(lua_State *L, bsl_world *w, bsl_cast *cast, bs_id mover, bsl_cursor *cursor);

/* --- of movement ---------------------------------------------------------------------------- */

/* The filter at `arg`; without one, the box slides along all that it could make a pair with. */
bs_rules bsl_check_rules(lua_State *L, const bsl_world *w, int arg);

/* The response of that name at the top of the stack, or NULL and what was expected. */
const char *bsl_read_response(lua_State *L, void *field);
/* A number 0 .. 1, into a double, and a table with a normal, into signed char[DIM]. */
const char *bsl_read_bounce(lua_State *L, void *field);
const char *bsl_read_one_way(lua_State *L, void *field);

/*
 * A normal along an axis as numbers -1, 0, 1. If it is none: returns what was expected of the
 * number on *axis instead; else NULL.
 */
const char *bsl_to_one_way(const double normal[DIM], signed char one_way[DIM], int *axis);

/*
 * Within the frame of bsl_run_locked: what the function says of a box that another one would meet.
 * Runs Lua code.
 */
bs_response bsl_ask_response(lua_State *L, const bsl_world *w, uint32_t self, uint32_t other);

#pragma GCC visibility pop

#endif
