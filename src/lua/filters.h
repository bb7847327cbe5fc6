/*
 * filters.h: the optional argument that says which boxes count: of queries and casts (bs_filter),
 * and of calls that move boxes, where it also says what comes of meeting one (bs_rules).
 *
 * Masks and Boxes go to the core. Functions are asked here, about exact answers, while the world is
 * locked; so a query with a function first makes its list and then goes through it.
 */
#ifndef BSL_FILTERS_H
#define BSL_FILTERS_H

#include "memory.h"
#include "results.h"

#pragma GCC visibility push(hidden)

/* A call that takes a filter: where things stand on the stack. */
typedef struct bsl_call {
    bsl_world *w;
    int filter;             /* the argument, which comes last but for the table for results */
    int out;                /* the table for results; 0: the call takes none */
    int last;               /* the last argument: mostly one of these two */
    bool made;              /* that is a new one */
    bool asks;              /* the filter is a function */
    int store;              /* the world's, once the arguments have been read */
    bs_list list;           /* while it runs locked: what a filter function is asked about, */
    bs_hits hits;           /* in lists that calls from within it leave alone */
    struct bsl_call *outer; /* the one whose filter function has made this call, or NULL */
} bsl_call;

/*
 * Makes the table for results where there is none, before the arguments are read. `required`: how
 * many must be given: if there are fewer, reading them will raise an error. May run Lua code.
 */
static inline void bsl_begin(lua_State *L, bsl_call *c, bsl_world *w, int required, int filter,
                             int out) {
    enum { FEW = 16 }; /* a new table has room for as many as the last answer, but not too many */
    c->w = w;
    c->filter = filter;
    c->out = out;
    c->last = out != 0 ? out : filter;
    c->made = false;
    if (out != 0 && bsl_is_absent(L, out)) {
        c->made = bsl_push_out(L, required, out, w->list.n < FEW ? w->list.n : FEW);
        bsl_check_open(L, w);
    }
}

/* All arguments have been read. */
static inline void bsl_ready(lua_State *L, bsl_call *c) {
    lua_settop(L, c->last);
    c->asks = lua_isfunction(L, c->filter);
    c->store = bsl_push_store(L, 1);
}

/*
 * Runs `body` as bsl_protect does, with the world locked: what may ask a filter function. False:
 * it raised an error, which is at the top of the stack.
 */
bool bsl_run_locked(lua_State *L, bsl_call *c, bsl_body body, void *context);

/* The same; errors pass through. */
void bsl_run_asking(lua_State *L, bsl_call *c, bsl_body body, void *context);

/*
 * Within it: the call's own list gets the boxes of the other one from `from` on, at the same
 * places.
 */
void bsl_own_list(lua_State *L, bsl_call *c, const bs_list *list, size_t from);

/* Frees the lists of calls that are running, as the state is being closed. */
void bsl_free_calls(bsl_world *w);

/* --- of queries and casts ------------------------------------------------------------------- */

/* The filter at `arg`, which is not absent. */
bs_filter bsl_read_filter(lua_State *L, const bsl_world *w, int arg);

/* The filter at `arg`; without one, or with a function, all boxes count. */
static inline bs_filter bsl_check_filter(lua_State *L, const bsl_world *w, int arg) {
    return bsl_is_absent(L, arg) ? bs_filter_all : bsl_read_filter(L, w, arg);
}

/*
 * Within bsl_run_locked: whether the function accepts the box, for the mover of that id (0: for
 * none, then it is not told of one). Runs Lua code.
 */
bool bsl_ask(lua_State *L, const bsl_call *c, uint32_t box, bs_id mover);

/* A way through the world, and what is met on it first: BS_NO_BOX if there is nothing. */
typedef struct bsl_cast {
    bs_shape from;
    double motion[DIM];
    bs_filter filter;
    bs_hit hit;
} bsl_cast;

/* All on the way, into the call's own list of hits: those that are to be asked about. */
void bsl_cast_all(lua_State *L, bsl_call *c, const bsl_cast *cast);
/* Within bsl_run_locked: the first box on the way that the function accepts. */
void bsl_cast_asking(lua_State *L, bsl_call *c, bsl_cast *cast, bs_id mover);

/* --- of movement ---------------------------------------------------------------------------- */

/*
 * Sets what becomes of boxes that no mask names: of the responses that are `true` in a table of
 * masks it is the one whose mask would be asked first.
 */
static inline void bsl_set_to_pairs(bs_rules *rules, const bool is_true[BS_RESPONSES]) {
    static const uint8_t last_to_first[] = {BS_CROSS, BS_SLIDE, BS_PUSH, BS_BOUNCE, BS_TOUCH};
    for (size_t i = 0; i < sizeof last_to_first; i++) {
        if (is_true[last_to_first[i]]) {
            rules->to_pairs = (bs_response)last_to_first[i];
        }
    }
}

/* The filter at `arg`; without one, the box slides along all that it could make a pair with. */
bs_rules bsl_check_rules(lua_State *L, const bsl_world *w, int arg);

/* A box's own response, of that name, at the top of the stack. NULL, or what was expected. */
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
 * Within bsl_run_locked: what the function says of a box that another one would meet. Runs Lua
 * code.
 */
bs_response bsl_ask_response(lua_State *L, const bsl_call *c, uint32_t self, uint32_t other);

#pragma GCC visibility pop

#endif
