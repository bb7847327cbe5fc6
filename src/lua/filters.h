/*
 * filters.h: reads the optional filter argument. For queries and casts it says which boxes count
 * (bs_filter). For calls that move boxes it also gives the response to each box (bs_rules).
 *
 * Filters are read without asking Lua for memory. Boxes are read before them, and a finaliser might
 * remove these. Masks and Boxes are passed to the core. Filter functions are called here, about
 * exact answers, while the world is locked. So a query with a function first makes its list, and
 * then goes through it.
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

/* Runs the body so only if the filter is a function. */
static inline void bsl_run(lua_State *L, bsl_call *c, bsl_body body, void *context) {
    if (bsl_asks(L, c)) {
        bsl_run_asking(L, c, body, context);
    } else {
        body(L, context);
    }
}

/* Frees the lists of running calls when the state is closed. */
void bsl_free_calls(bsl_world *w);

/* --- of queries and casts ------------------------------------------------------------------- */

/* Reads the filter, which is not absent. */
bs_filter bsl_read_filter(lua_State *L, bsl_call *c);

/* Reads the filter. If it is absent, all boxes count. If it is a function, bsl_ask is the host. */
static inline bs_filter bsl_check_filter(lua_State *L, bsl_call *c) {
    return bsl_is_absent(L, c->filter) ? bs_filter_all : bsl_read_filter(L, c);
}

/*
 * Whether the function of a call accepts the box. It is also told the id of a mover, unless that is
 * 0. Within bsl_run_locked alone; runs Lua code.
 */
bool bsl_ask(void *call, bs_id mover, uint32_t box);

/* --- of movement ---------------------------------------------------------------------------- */

/* The response whose name is at the top of the stack, or BS_RESPONSES. */
unsigned bsl_find_response(lua_State *L);

/*
 * Reads the filter. If it is absent, the box slides along every box that it can make a pair with.
 * If it is a function, the rules ask it, within bsl_run_locked. has_out: the call takes a list for
 * results, which may be here by mistake.
 */
bs_rules bsl_check_rules(lua_State *L, bsl_call *c, bool has_out);

#pragma GCC visibility pop

#endif
