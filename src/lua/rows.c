#include "rows.h"

const char *const bsl_field_names[BSL_FIELDS] = {
    "other", "response", "t", "x", "y", "z", "nx", "ny", "nz", "overlap", "crushed", "carried"};

static const bsl_field collision_fields[] = {
    BSL_OTHER,   BSL_RESPONSE, BSL_T, BSL_X, BSL_Y,
#if DIM == 3
    BSL_Z,
#endif
    BSL_NX,      BSL_NY,
#if DIM == 3
    BSL_NZ,
#endif
    BSL_OVERLAP,
};
static const bsl_field pushed_fields[] = {
    BSL_OTHER,   BSL_X, BSL_Y, BSL_CRUSHED,
#if DIM == 3
    BSL_Z,
#endif
    BSL_CARRIED,
};

const bsl_layout bsl_collision_layout = {collision_fields,
                                         sizeof collision_fields / sizeof *collision_fields};
const bsl_layout bsl_pushed_layout = {pushed_fields, sizeof pushed_fields / sizeof *pushed_fields};

/* --- making rows ---------------------------------------------------------------------------- */

static void push_field_name(lua_State *L, int store, bsl_field field) {
    bsl_rawgeti(L, store, BSL_STORE_FIELD - (int)field);
}

/* True if the value at the top of the stack is a row of that kind; pops it. */
static bool is_row(lua_State *L, int store, const bsl_layout *layout) {
    bool is = lua_istable(L, -1);
    for (int i = layout->n - 2; is && i < layout->n; i++) {
        push_field_name(L, store, layout->fields[i]);
        lua_rawget(L, -2);
        is = !lua_isnil(L, -1);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return is;
}

/* True if the table keeps a row of that kind and number. */
static bool has_row(lua_State *L, int store, int out, size_t row, const bsl_layout *layout) {
    bsl_rawgeti(L, out, -(int)row);
    return is_row(L, store, layout);
}

bool bsl_has_rows(lua_State *L, int store, int out, size_t n, const bsl_layout *layout) {
    for (size_t i = 1; i <= n; i++) {
        if (!has_row(L, store, out, i, layout)) {
            return false;
        }
    }
    return true;
}

/* Makes one whose fields are all there, so that setting them takes no memory. */
static void make_row(lua_State *L, int store, int out, size_t row, const bsl_layout *layout) {
    lua_createtable(L, 0, layout->n);
    for (int i = 0; i < layout->n; i++) {
        push_field_name(L, store, layout->fields[i]);
        lua_pushboolean(L, 0);
        lua_rawset(L, -3);
    }
    lua_rawseti(L, out, -(int)row);
}

/* The collector would take rows from a weak table while others are made, again and again. */
static void check_not_weak(lua_State *L, int out) {
    if (luaL_getmetafield(L, out, "__mode") != 0) {
        bsl_fail(L, "the table for results must not be weak");
    }
}

void bsl_make_rows(lua_State *L, const bsl_world *w, int store, int out, size_t n,
                   const bsl_layout *layout) {
    (void)bsl_out_length(L, out, true, n); /* rows are numbered by int */
    check_not_weak(L, out);
    for (size_t i = 1; i <= n; i++) {
        if (!has_row(L, store, out, i, layout)) {
            make_row(L, store, out, i, layout);
        }
    }
    bsl_check_open(L, w); /* a finaliser may have run */
    if (!bsl_has_rows(L, store, out, n, layout)) {
        bsl_fail(L, "the table for results was changed while rows were made for it");
    }
}

/* --- filling rows --------------------------------------------------------------------------- */

/* The rows that the table keeps, as its list. */
static void put_rows(lua_State *L, const bsl_world *w, int store, int out, size_t from, size_t to) {
    (void)w;
    (void)store;
    for (size_t i = from + 1; i <= to; i++) {
        bsl_rawgeti(L, out, -(int)i);
        lua_rawseti(L, out, (int)i);
    }
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

void bsl_write_collisions(lua_State *L, bsl_world *w, int store, int out,
                          const bs_collisions *met) {
    bsl_write(L, w, store, out, true, put_rows, met->n);
    for (size_t i = 0; i < met->n; i++) {
        const bs_collision *c = &met->at[i];
        bsl_rawgeti(L, out, (int)i + 1);
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
}

void bsl_write_pushed(lua_State *L, bsl_world *w, int store, int out, const bs_pushed *rows,
                      size_t n) {
    bsl_write(L, w, store, out, true, put_rows, n);
    for (size_t i = 0; i < n; i++) {
        bsl_rawgeti(L, out, (int)i + 1);
        set_other(L, w, store, rows[i].id);
        for (int k = 0; k < DIM; k++) {
            set_number(L, store, (bsl_field)(BSL_X + k), rows[i].place[k]);
        }
        set_boolean(L, store, BSL_CRUSHED, rows[i].crushed);
        set_boolean(L, store, BSL_CARRIED, rows[i].carried);
        lua_pop(L, 1);
    }
}
