/*
 * cursor.h: lists of ids that outlive calls.
 *
 * A loop must not be disturbed by what its body does to the world, and the questions of a filter
 * function not by its answers' own queries. So both go through a copy, which a userdata owns: an
 * error or a loop that is broken off leaks nothing, the collector finds it. A finished cursor goes
 * back to the store, so that a steady frame makes no garbage.
 */
#ifndef BSL_CURSOR_H
#define BSL_CURSOR_H

#include "handles.h"

#include <string.h>

#pragma GCC visibility push(hidden)

extern const luaL_Reg bsl_cursor_metamethods[];

/*
 * Pushes an empty cursor; `loop`: the store's key of the iterator that goes through it, or 0. May
 * run Lua code; raises if that has closed the world.
 */
bsl_cursor *bsl_new_cursor(lua_State *L, bsl_world *w, int store, int loop);

/* Gives the finished cursor at `index` back to the store, unless that has enough. */
void bsl_free_cursor(lua_State *L, bsl_world *w, int store, int index);

/* Gives back what cursors hold that wait in the store to be used again. */
void bsl_trim_cursors(lua_State *L, int store);

/* Room for n ids. Raises without memory. */
void bsl_reserve_cursor(lua_State *L, bsl_cursor *cursor, size_t n);

/* The ids of `list`, from `from` on, behind the first `from` ones of the cursor. */
void bsl_fill_cursor(lua_State *L, bsl_cursor *cursor, const bs_list *list, size_t from);

/* The ids of the boxes hit. */
void bsl_fill_cursor_with_hits(lua_State *L, bsl_cursor *cursor, const bs_hits *hits);

/*
 * The cursor at stack index 1 of an iterator of that key; its user value, which is the store unless
 * `has_gone` is set, is then at index 2. Raises if it is something else, another iterator's, or if
 * the world is closed.
 */
bsl_cursor *bsl_check_cursor(lua_State *L, int loop);

/*
 * Moves the cursor, which is at stack index `index`, on to the next group of n ids whose boxes are
 * all still there, and returns it; NULL at the end, when the cursor is given back. The group is
 * valid until anything runs Lua code.
 */
const bs_id *bsl_next(lua_State *L, bsl_cursor *cursor, int index, int store, size_t n);

/* A number as a cursor keeps it among ids: by its bits; and back. */
static inline bs_id bsl_bits_of(double x) {
    bs_id bits;
    static_assert(sizeof bits == sizeof x, "a number takes the room of an id");
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double bsl_number_of(bs_id bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

#pragma GCC visibility pop

#endif
