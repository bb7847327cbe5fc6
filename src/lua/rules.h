/*
 * rules.h: the filters of calls that move boxes: which boxes are met, and what comes of it.
 *
 * Masks, tables of masks and Boxes go to the core. A function is asked here, once for each box that
 * would be met, while the world is locked.
 */
#ifndef BSL_RULES_H
#define BSL_RULES_H

#include "filters.h"

#pragma GCC visibility push(hidden)

typedef struct bsl_rules {
    bs_rules core;
    int function; /* its stack index, or 0 */
} bsl_rules;

/* The filter at `arg`; without one, the box slides along all that it could make a pair with. */
bsl_rules bsl_check_rules(lua_State *L, const bsl_world *w, int arg);

/*
 * A normal along an axis as numbers -1, 0, 1. If it is none: returns what was expected of the
 * number on *axis instead; else NULL.
 */
const char *bsl_to_one_way(const double normal[DIM], signed char one_way[DIM], int *axis);

/* Where a box is to go, by the numbers from `first` on: its sides and its way are finite. */
bs_rect bsl_check_goal(lua_State *L, const bs_rect *from, int first);
_Noreturn void bsl_bad_way(lua_State *L, bsl_place place, const bs_rect *from, const bs_rect *to,
                           int axis);

static inline void bsl_check_way(lua_State *L, bsl_place place, const bs_rect *from,
                                 const bs_rect *to, int axis) {
    if (!isfinite(bs_far(to, axis)) || !isfinite(to->pos[axis] - from->pos[axis])) {
        bsl_bad_way(L, place, from, to, axis);
    }
}

/* The names of responses, by bs_response. */
extern const char *const bsl_response_names[BS_RESPONSES];

/* The response of that name at the top of the stack, or NULL and what was expected. */
const char *bsl_read_response(lua_State *L, void *field);
/* Likewise a number 0 .. 1, into a double, and a table with a normal, into signed char[DIM]. */
const char *bsl_read_bounce(lua_State *L, void *field);
const char *bsl_read_one_way(lua_State *L, void *field);

/*
 * Within the frame of bsl_protect_asking: what the function says of a box that another one would
 * meet. Runs Lua code.
 */
bs_response bsl_ask_response(lua_State *L, bsl_world *w, bs_id self, bs_id other);

/*
 * The table at `arg`, or a new one: its stack index. Nothing else is behind `arg` then. What is
 * neither a table nor absent is told with the other arguments. May run Lua code.
 */
int bsl_push_out(lua_State *L, int arg);

/* That the table for results at `arg`, if there is one, is not that with masks at `filter`. */
void bsl_check_move_out(lua_State *L, int arg, int filter);

/*
 * Runs `body` with the world locked, as bsl_protect does; the filter function (0: none), the
 * world's store and the table for results are at stack indices BSL_ASK_FUNCTION, BSL_ASK_STORE and
 * BSL_ASK_OUT of its frame. False: it raised an error, which is at the top of the stack.
 */
enum { BSL_ASK_OUT = BSL_ASK_STORE + 1 };
bool bsl_protect_asking(lua_State *L, bsl_world *w, int store, int function, int out, bsl_body body,
                        void *context);

#pragma GCC visibility pop

#endif
