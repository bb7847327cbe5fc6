/*
 * results.h: results written into tables: lists, and fields.
 *
 * A table that the caller passes is either filled completely, with nothing of what stood behind the
 * end left in it, or, if there is not enough memory for it to grow, as it was.
 */
#ifndef BSL_RESULTS_H
#define BSL_RESULTS_H

#include "handles.h"

#pragma GCC visibility push(hidden)

/* An optional table for results at `arg`: its stack index, or 0 if there is none. */
int bsl_check_out(lua_State *L, int arg);

/* Pushes a table with room for n values. May run Lua code. */
int bsl_new_out(lua_State *L, size_t n);

/*
 * How many items the table for n values has now; `given`: one of the caller's. Raises "not enough
 * memory" if there are more of either than keys can count here, which are ints.
 */
size_t bsl_out_length(lua_State *L, int out, bool given, size_t n);

/*
 * Writes values number from + 1 ... to of a list into the table at `out`. Must not run Lua code,
 * and raises only without memory. `list` is a scratch list of the world.
 */
typedef void (*bsl_put)(lua_State *L, const bsl_world *w, int store, int out, size_t from,
                        size_t to);

/* Writes n values; `given`: into a table of the caller's. */
void bsl_write(lua_State *L, bsl_world *w, int store, int out, bool given, bsl_put put, size_t n);

/* What the world hands out for the boxes in w->list. */
void bsl_write_results(lua_State *L, bsl_world *w, int store, int out, bool given);

/* Clears items from + 1 ... to of a table, as far as there are any. Cannot fail. */
void bsl_erase(lua_State *L, int out, size_t from, size_t to);

/* Pushes the two results of every function with lists: the table, and how many items it has. */
int bsl_return_list(lua_State *L, int out, size_t n);

/* Sets a field of the table at the top of the stack. May run Lua code. */
void bsl_set_count(lua_State *L, const char *key, uint64_t n);
void bsl_set_number(lua_State *L, const char *key, double x);

#pragma GCC visibility pop

#endif
