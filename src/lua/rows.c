#include "rows.h"

#include <assert.h>

const char *const bsl_field_names[BSL_FIELDS] = {
    "other", "response", "t", "x", "y", "z", "nx", "ny", "nz", "overlap", "crushed", "carried"};

static const bsl_field collision_fields[] = {
    BSL_OTHER,   BSL_RESPONSE, BSL_T, BSL_X, BSL_Y, BSL_NX, BSL_NY,
#if DIM == 3
    BSL_Z,       BSL_NZ,
#endif
    BSL_OVERLAP,
};
static const bsl_field pushed_fields[] = {
    BSL_OTHER,   BSL_X,       BSL_Y,
#if DIM == 3
    BSL_Z,
#endif
    BSL_CRUSHED, BSL_CARRIED,
};

const bsl_layout bsl_collision_layout = {collision_fields,
                                         sizeof collision_fields / sizeof *collision_fields, 0};
const bsl_layout bsl_pushed_layout = {pushed_fields, sizeof pushed_fields / sizeof *pushed_fields,
                                      1};

/* Where a list keeps a row of that kind. */
static int kept_at(int row, const bsl_layout *layout) {
    return -(2 * row + layout->kind);
}

/* --- making rows ---------------------------------------------------------------------------- */

static void push_field_name(lua_State *L, int store, bsl_field field) {
    bsl_rawgeti(L, store, BSL_STORE_FIELD - (int)field);
}

/* True if the table keeps a row of that kind and number. */
static bool has_row(lua_State *L, int store, int out, int row, const bsl_layout *layout) {
    bool has = bsl_rawgeti(L, out, kept_at(row, layout)) == LUA_TTABLE;
    if (has) {
        push_field_name(L, store, layout->fields[layout->n - 1]);
        lua_rawget(L, -2);
        has = !lua_isnil(L, -1);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return has;
}

bool bsl_has_rows(lua_State *L, int store, int out, size_t n, const bsl_layout *layout) {
    for (size_t i = 1; i <= n; i++) {
        if (!has_row(L, store, out, (int)i, layout)) {
            return false;
        }
    }
    return true;
}

/* Makes one whose fields are all there, so that setting them takes no memory. */
static void make_row(lua_State *L, int store, int out, int row, const bsl_layout *layout) {
    lua_createtable(L, 0, layout->n);
    for (int i = 0; i < layout->n; i++) {
        push_field_name(L, store, layout->fields[i]);
        lua_pushboolean(L, 0);
        lua_rawset(L, -3);
    }
    lua_pushvalue(L, -1);
    lua_rawseti(L, out, row);
    lua_rawseti(L, out, kept_at(row, layout));
}

typedef struct making {
    const bsl_layout *layout;
    size_t n;
} making;

/* The table and the store are at stack indices 2 and 3. */
static void make_missing_rows(lua_State *L, bsl_world *w, void *context) {
    const making *m = context;
    (void)w;
    for (size_t i = 1; i <= m->n; i++) {
        if (!has_row(L, 3, 2, (int)i, m->layout)) {
            make_row(L, 3, 2, (int)i, m->layout);
        }
    }
}

void bsl_make_rows(lua_State *L, bsl_world *w, int store, int out, size_t n,
                   const bsl_layout *layout) {
    making m = {layout, n};
    size_t before = bsl_out_length(L, out, true, n);
    lua_pushvalue(L, out);
    lua_pushvalue(L, store);
    if (!bsl_protect(L, w, store, make_missing_rows, &m, 2)) {
        bsl_erase(L, out, before, n);
        lua_error(L);
    }
}

/* --- filling rows --------------------------------------------------------------------------- */

/* Pushes row number i, which is item i of the list from now on. */
static void push_row(lua_State *L, int out, size_t i, const bsl_layout *layout) {
    bsl_rawgeti(L, out, kept_at((int)i, layout));
    lua_pushvalue(L, -1);
    lua_rawseti(L, out, (int)i);
}

/* Sets a field of the row below it to the value at the top of the stack, and pops that. */
static void set_field(lua_State *L, int store, bsl_field field) {
    push_field_name(L, store, field);
    lua_insert(L, -2);
    lua_rawset(L, -3);
}

static void set_number(lua_State *L, int store, bsl_field field, double x) {
    push_field_name(L, store, field);
    lua_pushnumber(L, x);
    lua_rawset(L, -3);
}

static void set_boolean(lua_State *L, int store, bsl_field field, bool b) {
    push_field_name(L, store, field);
    lua_pushboolean(L, b);
    lua_rawset(L, -3);
}

/* What the world hands out for a live box: no Lua code runs. */
static void set_other(lua_State *L, const bsl_world *w, int store, bs_id id) {
    if (w->results == BSL_RESULTS_ID) {
        bsl_push_id(L, id);
    } else if (!bsl_push_stored_result(L, w, store, bsl_index_of(id))) {
        bsl_fail(L, "the store is damaged");
    }
    set_field(L, store, BSL_OTHER);
}

/* Takes the rows behind the n-th from the list: it keeps them elsewhere. */
static void end_rows(lua_State *L, int out, size_t n) {
    bsl_erase(L, out, n, bsl_out_length(L, out, true, n));
}

void bsl_write_collisions(lua_State *L, const bsl_world *w, int store, int out,
                          const bs_collisions *met) {
    for (size_t i = 0; i < met->n; i++) {
        const bs_collision *c = &met->at[i];
        push_row(L, out, i + 1, &bsl_collision_layout);
        set_other(L, w, store, c->id);
        bsl_rawgeti(L, store, BSL_STORE_RESPONSE - (int)c->response);
        set_field(L, store, BSL_RESPONSE);
        set_number(L, store, BSL_T, c->t);
        for (int k = 0; k < DIM; k++) {
            set_number(L, store, (bsl_field)(BSL_X + k), c->place[k]);
            set_number(L, store, (bsl_field)(BSL_NX + k), c->normal[k]);
        }
        set_boolean(L, store, BSL_OVERLAP, c->overlap);
        lua_pop(L, 1);
    }
    end_rows(L, out, met->n);
}

void bsl_write_pushed(lua_State *L, const bsl_world *w, int store, int out, const bs_pushed *rows,
                      size_t n) {
    for (size_t i = 0; i < n; i++) {
        push_row(L, out, i + 1, &bsl_pushed_layout);
        set_other(L, w, store, rows[i].id);
        for (int k = 0; k < DIM; k++) {
            set_number(L, store, (bsl_field)(BSL_X + k), rows[i].place[k]);
        }
        set_boolean(L, store, BSL_CRUSHED, rows[i].crushed);
        set_boolean(L, store, BSL_CARRIED, rows[i].carried);
        lua_pop(L, 1);
    }
    end_rows(L, out, n);
}
