/*
 * results.h: writes results into tables (lists, rows with named fields, fields) and into memory.
 *
 * A table that the caller passes holds the results and nothing else: what stood behind the last one
 * is erased. After an error for want of memory its contents are unspecified.
 *
 * A list of rows that is passed again keeps its rows in its metatable, also the rows that a call
 * does not need. Row i is item i of the list, and each kind has its own rows. So a list that has
 * been used before takes a call without garbage.
 */
#ifndef BSL_RESULTS_H
#define BSL_RESULTS_H

#include "handles.h"

#pragma GCC visibility push(hidden)

/* --- lists ---------------------------------------------------------------------------------- */

/*
 * Puts a new table, with room for n values, at `arg` if no table for results is given there. May
 * run Lua code. A value that is neither a table nor absent is left to bsl_check_table.
 */
void bsl_push_out(lua_State *L, int arg, size_t n);

/*
 * `for box in world:queryRect(...)` calls the list as if it were an iterator. So new lists of boxes
 * get a metatable whose error explains how to write the loop. It costs 4% of a small query. The
 * second function prepares a Lua state for it, and pushes the metatable of rows.
 */
void bsl_explain_list(lua_State *L, int list);
void bsl_prepare_lists(lua_State *L);

/* A table for results that is being filled. Runs no Lua code; fails only if there is no memory. */
typedef struct bsl_out {
    int table;     /* its stack index */
    int n;         /* how many items it has got */
    size_t length; /* its length before that */
} bsl_out;

/* Begins with a table that gets n items. These, and those that it has, must have int keys. */
bsl_out bsl_open_out(lua_State *L, int table, size_t n);

/* Pops a value and appends it. */
static inline void bsl_append(lua_State *L, bsl_out *out) {
    lua_rawseti(L, out->table, ++out->n);
}

static inline void bsl_append_numbers(lua_State *L, bsl_out *out, const double *numbers, int n) {
    for (int i = 0; i < n; i++) {
        lua_pushnumber(L, numbers[i]);
        bsl_append(L, out);
    }
}

static inline void bsl_append_rect(lua_State *L, bsl_out *out, const bs_rect *rect) {
    bsl_append_numbers(L, out, rect->pos, DIM);
    bsl_append_numbers(L, out, rect->size, DIM);
}

/*
 * Clears what stood behind the last item, up to the first nil, however long Lua says that the table
 * is: keys far from each other may make it seem very long. Cannot fail.
 */
void bsl_close_out(lua_State *L, const bsl_out *out);

/* Writes what the world returns for n boxes. */
void bsl_write_boxes(lua_State *L, const bsl_world *w, int store, int table, const uint32_t *boxes,
                     size_t n);

/* Clears items from + 1 ... to of a table, if it has any. Cannot fail. */
void bsl_erase(lua_State *L, int table, size_t from, size_t to);

/*
 * The type of the first key of the value at a stack index; LUA_TNIL if it is an empty table,
 * LUA_TNONE if it is no table. It takes as long as when the table held most.
 */
int bsl_key_type(lua_State *L, int value);

/* Ends a call that returns a list: tells what the world holds, and returns the table and n. */
int bsl_return_list(lua_State *L, bsl_world *w, int table, size_t n);

/* --- rows ----------------------------------------------------------------------------------- */

/* What a moving box has hit, or what a platform has pushed or carried. */
typedef enum bsl_row_kind { BSL_COLLISIONS, BSL_PUSHED } bsl_row_kind;

/*
 * Makes the first n rows that the table keeps its items, and fills them from n bs_collision, or
 * bs_pushed. Runs no Lua code. False: the table keeps too few rows, and may have new items.
 */
bool bsl_write_rows(lua_State *L, const bsl_world *w, int store, int table, const void *of,
                    size_t n, bsl_row_kind kind);

/* Makes the missing ones of n rows. May run Lua code. */
void bsl_make_rows(lua_State *L, int store, int out, size_t n, bsl_row_kind kind);

/* --- memory (data.c) ------------------------------------------------------------------------ */

/*
 * The memory of the Data at `arg`, and its size in bytes. A Data is an object for drawing, such as
 * LÖVE's, whose methods getPointer and getSize are C functions. Calls them, so it may run Lua code.
 */
float *bsl_check_data(lua_State *L, int arg, double *bytes);

/* Raises an error if `bytes` is less than `need`. */
void bsl_check_data_size(lua_State *L, int arg, double bytes, size_t need);

/* --- fields --------------------------------------------------------------------------------- */

/* Sets a field of the table at the top of the stack. May run Lua code. */
void bsl_set_count(lua_State *L, const char *key, uint64_t n);
void bsl_set_number(lua_State *L, const char *key, double x);

#pragma GCC visibility pop

#endif
