/*
 * filters.h: reads the optional filter argument. For queries and casts it says which boxes count
 * (bs_filter). For calls that move boxes it also gives the response to each box (bs_rules).
 *
 * Masks and Boxes are passed to the core. Filter functions are called here, about exact answers,
 * while the world is locked. So a query with a function first makes its list, and then goes through
 * it.
 */
#ifndef BSL_FILTERS_H
#define BSL_FILTERS_H

#include "memory.h"
#include "results.h"

#pragma GCC visibility push(hidden)

/* A call that takes a filter, and the stack indices of what it asks with. */
typedef struct bsl_call {
    lua_State *L; /* once the arguments have been read */
    bsl_world *w;
    int filter;
    int store;    /* the store of the world, once the arguments have been read */
    bs_list list; /* while the call runs locked: the world's scratch lists, which calls from */
    bs_hits hits; /* within it leave alone; the world has empty ones instead */
    struct bsl_call *outer; /* the call whose filter function has made this one, or NULL */
} bsl_call;

static inline void bsl_begin(bsl_call *c, bsl_world *w, int filter) {
    c->w = w;
    c->filter = filter;
}

/*
 * Makes the table for results if none is given, before the arguments are read, and returns true. If
 * fewer than `required` arguments are given, it makes none: reading them will raise an error. May
 * run Lua code.
 */
static inline bool bsl_make_out(lua_State *L, const bsl_world *w, int required, int out) {
    /* A new table has room for as many results as the last one had, up to this. */
    enum { FEW = 16 };
    bool made = bsl_is_absent(L, out) && lua_gettop(L) >= required;
    if (made) {
        bsl_push_out(L, out, w->list.n < FEW ? w->list.n : FEW);
        bsl_check_open(L, w);
    }
    return made;
}

/* To be called when all arguments have been read; the last one is at `last`. */
static inline void bsl_args_done(lua_State *L, bsl_call *c, int last) {
    lua_settop(L, last);
    c->L = L;
    c->store = bsl_push_store(L, 1);
}

/* Whether the filter is a function. */
static inline bool bsl_asks(lua_State *L, const bsl_call *c) {
    return lua_isfunction(L, c->filter);
}

/*
 * Runs `body` as bsl_protect does, with the world locked, so that it may ask a filter function.
 * False: it raised an error, which is at the top of the stack. Then all boxes are where they were.
 */
bool bsl_run_locked(lua_State *L, bsl_call *c, bsl_body body, void *context);

/* The same, but raises the error again. */
void bsl_run_asking(lua_State *L, bsl_call *c, bsl_body body, void *context);

/* Frees the lists of running calls when the state is closed. */
void bsl_free_calls(bsl_world *w);

/* --- of queries and casts ------------------------------------------------------------------- */

/* Reads the filter at `arg`, which is not absent. */
bs_filter bsl_read_filter(lua_State *L, const bsl_world *w, int arg);

/* Reads the filter at `arg`. If it is absent or a function, all boxes count. */
static inline bs_filter bsl_check_filter(lua_State *L, const bsl_world *w, int arg) {
    return bsl_is_absent(L, arg) ? bs_filter_all : bsl_read_filter(L, w, arg);
}

/*
 * Within bsl_run_locked: whether the function accepts the box. It is also told the id of a mover,
 * unless that is 0. Runs Lua code.
 */
bool bsl_ask(lua_State *L, const bsl_call *c, uint32_t box, bs_id mover);

/* A cast through the world, and its first hit; its box is BS_NO_BOX if there is none. */
typedef struct bsl_cast {
    bs_way way;
    bs_filter filter;
    bs_hit hit;
} bsl_cast;

/* Finds all boxes that the cast hits, and puts them into the call's own list, to be asked about. */
void bsl_cast_all(lua_State *L, bsl_call *c, const bsl_cast *cast);
/* Within bsl_run_locked: finds the first box on the way that the function accepts. */
void bsl_cast_asking(lua_State *L, bsl_call *c, bsl_cast *cast, bs_id mover);

/* --- of movement ---------------------------------------------------------------------------- */

/*
 * Reads the filter. If it is absent, the box slides along every box that it can make a pair with.
 * If it is a function, the rules ask it, within bsl_run_locked.
 */
bs_rules bsl_check_rules(lua_State *L, bsl_call *c);

#pragma GCC visibility pop

#endif
