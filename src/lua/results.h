/*
 * results.h: results written into tables: lists, rows with named fields, fields; and into memory.
 *
 * A table that the caller passes is filled completely, with nothing of what stood behind the end
 * left in it. What it has after an error for want of memory is not specified.
 *
 * A list of rows that is passed again keeps its rows, also those that a call does not need, behind
 * its metatable: row i is the list's item i, and each kind of rows has its own. So no call makes
 * garbage once its list has been used.
 */
#ifndef BSL_RESULTS_H
#define BSL_RESULTS_H

#include "handles.h"

#pragma GCC visibility push(hidden)

/* --- lists ---------------------------------------------------------------------------------- */

/*
 * Where no table for results is given at `arg`, a new one, with room for n values, takes that
 * place: then true. May run Lua code. Nothing is behind `arg` then. If fewer than `required`
 * arguments are given, what reads them will raise an error, and nothing happens here. What is
 * neither a table nor absent is left to bsl_check_table.
 */
bool bsl_push_out(lua_State *L, int required, int arg, size_t n);

/*
 * `for box in world:queryRect(...)` calls the list as if it were an iterator. New lists of boxes
 * get a metatable that says how to write the loop, at 4% of what a small query costs. The other
 * function makes a Lua state ready for it, and for rows.
 */
void bsl_explain_list(lua_State *L, int list);
void bsl_prepare_lists(lua_State *L);

/*
 * Pushes value number i, from 0, of the list at `source`. Must not run Lua code, and raises only
 * without memory. `store`: where the world's store stands.
 */
typedef void (*bsl_item)(lua_State *L, const void *source, int store, size_t i);

/* Writes n values. Runs no Lua code, and raises only without memory. */
void bsl_write(lua_State *L, int store, int out, bsl_item item, const void *source, size_t n);

/* What the world hands out for n boxes. */
void bsl_write_boxes(lua_State *L, const bsl_world *w, int store, int out, const uint32_t *boxes,
                     size_t n);

/* How far the boxes are from a point. */
void bsl_write_distances(lua_State *L, const bsl_world *w, int out, const double point[DIM],
                         const bs_list *boxes);

/*
 * How many items the table for n values has now. Raises "not enough memory" if there are more of
 * either than keys can count here, which are ints.
 */
size_t bsl_out_length(lua_State *L, int out, size_t n);

/* Clears items from + 1 ... to of a table, as far as there are any. Cannot fail. */
void bsl_erase(lua_State *L, int out, size_t from, size_t to);

/* Pushes the two results of every function with lists: the table, and how many items it has. */
int bsl_return_list(lua_State *L, int out, size_t n);

/* --- rows ----------------------------------------------------------------------------------- */

/* That the table for rows at `out` is not weak: rows would go while others are made. */
void bsl_check_not_weak(lua_State *L, int out);

/* What a moving box has met; and what a platform has pushed or carried. */
typedef enum bsl_row_kind { BSL_COLLISIONS, BSL_PUSHED } bsl_row_kind;

/*
 * A list keeps its rows in its metatable, which goes with it; where that is somebody else's, the
 * world keeps those of the list that was the last one. BSL_OWNER is the key of the list that such a
 * table is of: metatables can be copied. Row i, from 1, is at bsl_kept_at: kinds are told apart,
 * and 2D and 3D.
 */
enum { BSL_OWNER = 1, BSL_ROW_STEP = 4 };

static inline int bsl_kept_at(size_t i, bsl_row_kind kind) {
    return BSL_ROW_STEP * (int)i + 2 * (DIM - 2) + (int)kind;
}

/* Pushes the metatable of rows. */
void bsl_push_row_class(lua_State *L);

/* True if the table keeps n rows of that kind. */
bool bsl_has_rows(lua_State *L, int store, int out, size_t n, bsl_row_kind kind);

/* Makes those that it does not keep. May run Lua code; where it raises, the list is as it was. */
void bsl_make_rows(lua_State *L, int store, int out, size_t n, bsl_row_kind kind);

/* Makes the first rows that the table keeps its list, and fills them. */
void bsl_write_collisions(lua_State *L, const bsl_world *w, int store, int out,
                          const bs_collisions *met);
void bsl_write_pushed(lua_State *L, const bsl_world *w, int store, int out, const bs_pushed *rows,
                      size_t n);

/* --- memory (data.c) ------------------------------------------------------------------------ */

/*
 * The memory of the Data at `arg`, and its size in bytes: an object for drawing, such as LÖVE's,
 * with methods getPointer and getSize that are C functions. Calls these, and so may run Lua code.
 */
float *bsl_check_data(lua_State *L, int arg, double *bytes);

/* That so many bytes are as much as `need`. */
void bsl_check_data_size(lua_State *L, int arg, double bytes, size_t need);

/* --- fields --------------------------------------------------------------------------------- */

/* Sets a field of the table at the top of the stack. May run Lua code. */
void bsl_set_count(lua_State *L, const char *key, uint64_t n);
void bsl_set_number(lua_State *L, const char *key, double x);

#pragma GCC visibility pop

#endif
