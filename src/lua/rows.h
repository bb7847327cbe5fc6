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

/* The fields of rows. */
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

/* Pushes a table of names, for the store: pushing them from there makes no strings. */
void bsl_push_names(lua_State *L);

/* Pushes the name of a response. */
void bsl_push_response(lua_State *L, int store, bs_response response);

/* The fields of a kind of rows; no other kind, of 2D or 3D, has both of the last two. */
typedef struct bsl_layout {
    const bsl_field *fields;
    int n;
    int kind; /* 0 or 1: row i is kept as item -(2 i + kind) */
} bsl_layout;

extern const bsl_layout bsl_collision_layout;
extern const bsl_layout bsl_pushed_layout;

/* True if the table keeps n rows of that kind. */
bool bsl_has_rows(lua_State *L, int store, int out, size_t n, const bsl_layout *layout);

/*
 * Sees to that. May run Lua code; the world is open afterwards. Where it raises, the table's list is
 * as it was.
 */
void bsl_make_rows(lua_State *L, const bsl_world *w, int store, int out, size_t n,
                   const bsl_layout *layout);

/*
 * Makes the first n rows that the table keeps its list, and fills them. Runs no Lua code. Without
 * memory it raises, and the list is as it was.
 */
void bsl_write_collisions(lua_State *L, bsl_world *w, int store, int out, const bs_collisions *met);
void bsl_write_pushed(lua_State *L, bsl_world *w, int store, int out, const bs_pushed *rows,
                      size_t n);

#pragma GCC visibility pop

#endif
