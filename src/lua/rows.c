#include "rows.h"

#include "rules.h"

/* --- names ---------------------------------------------------------------------------------- */

static const char *const field_names[BSL_FIELDS] = {
    "other", "response", "t", "x", "y", "z", "nx", "ny", "nz", "overlap", "crushed", "carried"};

/* Where in the table of names: counted from 1, so that they are an array. */
static int response_key(bs_response response) {
    return 1 + (int)response;
}

static int field_key(bsl_field field) {
    return 1 + BS_RESPONSES + (int)field;
}

void bsl_push_names(lua_State *L) {
    lua_createtable(L, BS_RESPONSES + BSL_FIELDS, 0);
    for (int i = 0; i < BS_RESPONSES; i++) {
        lua_pushstring(L, bsl_response_names[i]);
        lua_rawseti(L, -2, response_key((bs_response)i));
    }
    for (int i = 0; i < BSL_FIELDS; i++) {
        lua_pushstring(L, field_names[i]);
        lua_rawseti(L, -2, field_key((bsl_field)i));
    }
}

void bsl_push_response(lua_State *L, int store, bs_response response) {
    bsl_push_table(L, store, BSL_STORE_NAMES);
    lua_rawgeti(L, -1, response_key(response));
    lua_replace(L, -2);
}

/* Pushes the table of names; returns its stack index. */
static int push_names(lua_State *L, int store) {
    bsl_push_table(L, store, BSL_STORE_NAMES);
    return lua_gettop(L);
}

static void push_field(lua_State *L, int names, bsl_field field) {
    lua_rawgeti(L, names, field_key(field));
}

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
                                         sizeof collision_fields / sizeof *collision_fields, 0};
const bsl_layout bsl_pushed_layout = {pushed_fields, sizeof pushed_fields / sizeof *pushed_fields,
                                      1};

/* Where a list keeps a row of that kind. */
static int kept_at(size_t row, const bsl_layout *layout) {
    return -(2 * (int)row + layout->kind);
}

/* --- making rows ---------------------------------------------------------------------------- */

/* True if the table keeps a row of that kind and number. */
static bool has_row(lua_State *L, int names, int out, size_t row, const bsl_layout *layout) {
    bool has = bsl_rawgeti(L, out, kept_at(row, layout)) == LUA_TTABLE;
    for (int i = layout->n - 2; has && i < layout->n; i++) {
        push_field(L, names, layout->fields[i]);
        lua_rawget(L, -2);
        has = !lua_isnil(L, -1);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return has;
}

bool bsl_has_rows(lua_State *L, int store, int out, size_t n, const bsl_layout *layout) {
    int names = push_names(L, store);
    bool has = true;
    for (size_t i = 1; has && i <= n; i++) {
        has = has_row(L, names, out, i, layout);
    }
    lua_pop(L, 1);
    return has;
}

/* Makes one whose fields are all there, so that setting them takes no memory. */
static void make_row(lua_State *L, int names, int out, size_t row, const bsl_layout *layout) {
    lua_createtable(L, 0, layout->n);
    for (int i = 0; i < layout->n; i++) {
        push_field(L, names, layout->fields[i]);
        lua_pushboolean(L, 0);
        lua_rawset(L, -3);
    }
    lua_rawseti(L, out, kept_at(row, layout));
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
    int names = push_names(L, store);
    for (size_t i = 1; i <= n; i++) {
        if (!has_row(L, names, out, i, layout)) {
            make_row(L, names, out, i, layout);
        }
    }
    lua_pop(L, 1);
    bsl_check_open(L, w); /* a finaliser may have run */
    if (!bsl_has_rows(L, store, out, n, layout)) {
        bsl_fail(L, "the table for results was changed while rows were made for it");
    }
}

/* --- filling rows --------------------------------------------------------------------------- */

/* The rows of a kind that the table keeps, as its list. */
static void put_rows(lua_State *L, int out, size_t from, size_t to, const bsl_layout *layout) {
    for (size_t i = from + 1; i <= to; i++) {
        bsl_rawgeti(L, out, kept_at(i, layout));
        lua_rawseti(L, out, (int)i);
    }
}

static void put_collisions(lua_State *L, const bsl_world *w, int store, int out, size_t from,
                           size_t to) {
    (void)w;
    (void)store;
    put_rows(L, out, from, to, &bsl_collision_layout);
}

static void put_pushed(lua_State *L, const bsl_world *w, int store, int out, size_t from,
                       size_t to) {
    (void)w;
    (void)store;
    put_rows(L, out, from, to, &bsl_pushed_layout);
}

static void set_number(lua_State *L, int names, bsl_field field, double x) {
    push_field(L, names, field);
    lua_pushnumber(L, x);
    lua_rawset(L, -3);
}

static void set_boolean(lua_State *L, int names, bsl_field field, bool b) {
    push_field(L, names, field);
    lua_pushboolean(L, b);
    lua_rawset(L, -3);
}

/* What the world hands out for a live box: no Lua code runs. */
static void set_other(lua_State *L, const bsl_world *w, int store, int names, bs_id id) {
    push_field(L, names, BSL_OTHER);
    if (w->results == BSL_RESULTS_ID) {
        bsl_push_id(L, id);
    } else if (!bsl_push_stored_result(L, w, store, bsl_index_of(id))) {
        bsl_fail(L, "the store is damaged");
    }
    lua_rawset(L, -3);
}

static void set_response(lua_State *L, int names, bs_response response) {
    push_field(L, names, BSL_RESPONSE);
    lua_rawgeti(L, names, response_key(response));
    lua_rawset(L, -3);
}

void bsl_write_collisions(lua_State *L, bsl_world *w, int store, int out,
                          const bs_collisions *met) {
    bsl_write(L, w, store, out, true, put_collisions, met->n);
    int names = push_names(L, store);
    for (size_t i = 0; i < met->n; i++) {
        const bs_collision *c = &met->at[i];
        bsl_rawgeti(L, out, (int)i + 1);
        set_other(L, w, store, names, c->id);
        set_response(L, names, c->response);
        set_number(L, names, BSL_T, c->t);
        for (int k = 0; k < DIM; k++) {
            set_number(L, names, (bsl_field)(BSL_X + k), c->place[k]);
            set_number(L, names, (bsl_field)(BSL_NX + k), c->normal[k]);
        }
        set_boolean(L, names, BSL_OVERLAP, c->overlap);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

void bsl_write_pushed(lua_State *L, bsl_world *w, int store, int out, const bs_pushed *rows,
                      size_t n) {
    bsl_write(L, w, store, out, true, put_pushed, n);
    int names = push_names(L, store);
    for (size_t i = 0; i < n; i++) {
        bsl_rawgeti(L, out, (int)i + 1);
        set_other(L, w, store, names, rows[i].id);
        for (int k = 0; k < DIM; k++) {
            set_number(L, names, (bsl_field)(BSL_X + k), rows[i].place[k]);
        }
        set_boolean(L, names, BSL_CRUSHED, rows[i].crushed);
        set_boolean(L, names, BSL_CARRIED, rows[i].carried);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}
