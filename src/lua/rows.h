/*
 * rows.h: lists of rows with named fields, such as what a moving box has met.
 *
 * A list that is passed again keeps its rows, also those that a call does not need: row i is the
 * list's item i and, for good, a negative item, of which each kind of rows has its own. So no call
 * makes garbage once its list has been used.
 */
#ifndef BSL_ROWS_H
#define BSL_ROWS_H

#include "results.h"

#pragma GCC visibility push(hidden)

/* Fields, in the order of their names in the store (BSL_STORE_FIELD). */
typedef enum bsl_field {
    BSL_OTHER,
    BSL_RESPONSE,
    BSL_T,
    BSL_X,
    BSL_Y,
    BSL_Z,
    BSL_NX,
    BSL_NY,
    BSL_NZ,
    BSL_OVERLAP,
    BSL_CRUSHED,
    BSL_CARRIED,
    BSL_FIELDS
} bsl_field;

extern const char *const bsl_field_names[BSL_FIELDS];

/* The fields of a kind of rows; the last one is of no other kind. */
typedef struct bsl_layout {
    const bsl_field *fields;
    int n;
    int kind; /* 0 or 1: row i is kept as item -(2 i + kind) */
} bsl_layout;

extern const bsl_layout bsl_collision_layout;
extern const bsl_layout bsl_pushed_layout;

/* True if the table has n rows of that kind, perhaps among those that it keeps. */
bool bsl_has_rows(lua_State *L, int store, int out, size_t n, const bsl_layout *layout);

/* Sees to that. May run Lua code; if it raises the table is as it was. */
void bsl_make_rows(lua_State *L, bsl_world *w, int store, int out, size_t n,
                   const bsl_layout *layout);

/*
 * Fills the first n rows of the table, which has them, and takes those behind from its list.
 */
void bsl_write_collisions(lua_State *L, const bsl_world *w, int store, int out,
                          const bs_collisions *met);
void bsl_write_pushed(lua_State *L, const bsl_world *w, int store, int out, const bs_pushed *rows,
                      size_t n);

#pragma GCC visibility pop

#endif
