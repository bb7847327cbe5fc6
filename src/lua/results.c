/* results.c: writes lists and rows into tables that scripts own and pass again. */
#include "results.h"

#include "memory.h"

#include <limits.h>

/* --- lists ---------------------------------------------------------------------------------- */

void bsl_push_out(lua_State *L, int arg, size_t n) {
    enum { AT_MOST = 1 << 26 }; /* beyond, tables grow by themselves */
    if (!bsl_is_absent(L, arg)) {
        return;
    }
    if (lua_gettop(L) < arg) {
        lua_settop(L, arg);
    }
    lua_createtable(L, n < AT_MOST ? (int)n : AT_MOST, 0);
    lua_replace(L, arg);
}

/* Keys in the registry, as in handles.c, of the metatables of lists of boxes and of rows. */
enum { LIST_CLASS = -0xb50ad70 - DIM, ROW_CLASS = -0xb50ad90 - DIM };

static int not_an_iterator(lua_State *L) {
    return luaL_error(L, "the results are a table; write "
                         "'for i, box in ipairs(world:queryRect(...)) do'");
}

void bsl_prepare_lists(lua_State *L) {
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, not_an_iterator);
    lua_setfield(L, -2, "__call");
    lua_rawseti(L, LUA_REGISTRYINDEX, LIST_CLASS);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_rawseti(L, LUA_REGISTRYINDEX, ROW_CLASS);
}

void bsl_explain_list(lua_State *L, int list) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, LIST_CLASS);
    lua_setmetatable(L, list);
}

/* Without metamethods: but a table with few keys, far from each other, may have any length. */
bsl_out bsl_open_out(lua_State *L, int table, size_t n) {
    const size_t most = INT_MAX - 1;
    const bsl_out out = {table, 0, bsl_length(L, table)};
    bsl_check_room(L, n <= most && out.length <= most);
    return out;
}

/* Makes an item nil. Room for a nil might not be had: what is nil is not touched. False: it was. */
static bool erase_item(lua_State *L, int table, int item) {
    bool was_nil = bsl_rawgeti(L, table, item) == LUA_TNIL;
    lua_pop(L, 1);
    if (!was_nil) {
        lua_pushnil(L);
        lua_rawseti(L, table, item);
    }
    return !was_nil;
}

void bsl_erase(lua_State *L, int table, size_t from, size_t to) {
    for (size_t i = from; i < to; i++) {
        (void)erase_item(L, table, (int)i + 1);
    }
}

void bsl_close_out(lua_State *L, const bsl_out *out) {
    int n = out->n;
    while (n < (int)out->length && erase_item(L, out->table, n + 1)) {
        n++;
    }
}

int bsl_key_type(lua_State *L, int value) {
    const int top = lua_gettop(L);
    int type = LUA_TNONE;
    if (lua_istable(L, value)) {
        lua_pushnil(L);
        type = lua_next(L, value) != 0 ? lua_type(L, top + 1) : LUA_TNIL;
    }
    lua_settop(L, top);
    return type;
}

void bsl_write_boxes(lua_State *L, const bsl_world *w, int store, int table, const uint32_t *boxes,
                     size_t n) {
    bsl_out out = bsl_open_out(L, table, n);
    for (size_t i = 0; i < n; i++) {
        bsl_push_result(L, w, store, boxes[i]);
        bsl_append(L, &out);
    }
    bsl_close_out(L, &out);
}

int bsl_return_list(lua_State *L, bsl_world *w, int table, size_t n) {
    lua_pushvalue(L, table);
    lua_pushinteger(L, (lua_Integer)n);
    bsl_tell(L, w);
    return 2;
}

/* --- rows ----------------------------------------------------------------------------------- */

/* A field of rows, what it holds, and where that is in the struct that a row is made of. */
typedef struct field {
    bsl_name name;
    enum { OTHER, RESPONSE, NUMBER, BOOLEAN } type;
    size_t offset;
} field;

/* The fields of each kind, in the order in which they are made; no other kind has the last one. */
static const field collision_fields[] = {
    {BSL_OTHER, OTHER, offsetof(bs_collision, box)},
    {BSL_RESPONSE, RESPONSE, offsetof(bs_collision, response)},
    {BSL_T, NUMBER, offsetof(bs_collision, t)},
    {BSL_X, NUMBER, offsetof(bs_collision, place[0])},
    {BSL_Y, NUMBER, offsetof(bs_collision, place[1])},
#if DIM == 3
    {BSL_Z, NUMBER, offsetof(bs_collision, place[2])},
#endif
    {BSL_NX, NUMBER, offsetof(bs_collision, normal[0])},
    {BSL_NY, NUMBER, offsetof(bs_collision, normal[1])},
#if DIM == 3
    {BSL_NZ, NUMBER, offsetof(bs_collision, normal[2])},
#endif
    {BSL_OVERLAP, BOOLEAN, offsetof(bs_collision, overlap)},
};
static const field pushed_fields[] = {
    {BSL_OTHER, OTHER, offsetof(bs_pushed, box)},
    {BSL_X, NUMBER, offsetof(bs_pushed, place[0])},
    {BSL_Y, NUMBER, offsetof(bs_pushed, place[1])},
#if DIM == 3
    {BSL_Z, NUMBER, offsetof(bs_pushed, place[2])},
#endif
    {BSL_CRUSHED, BOOLEAN, offsetof(bs_pushed, crushed)},
    {BSL_CARRIED, BOOLEAN, offsetof(bs_pushed, carried)},
};
static const struct layout {
    const field *fields;
    int n;
    size_t size; /* of the struct */
} layouts[] = {
    {collision_fields, sizeof collision_fields / sizeof *collision_fields, sizeof(bs_collision)},
    {pushed_fields, sizeof pushed_fields / sizeof *pushed_fields, sizeof(bs_pushed)},
};

/*
 * A list keeps its rows in its metatable, which is collected with it. Metatables can be copied, so
 * OWNER holds the list that the rows belong to. If the list has a metatable of another owner, the
 * world keeps the rows in a weak table by list.
 */
enum { OWNER = 1, STEP = 4 };

/* The key of row i (from 1), by its kind and its number of axes. */
static int kept_at(size_t i, bsl_row_kind kind) {
    return STEP * (int)i + 2 * (DIM - 2) + (int)kind;
}

/* Pushes the table of the list's rows and returns its index; 0, and nothing is pushed: none. */
static int push_rows(lua_State *L, int store, int out) {
    if (lua_getmetatable(L, out)) {
        lua_rawgeti(L, -1, OWNER);
        const bool is_owner = lua_rawequal(L, -1, out) != 0;
        lua_pop(L, is_owner ? 1 : 2);
        if (is_owner) {
            return lua_gettop(L);
        }
    }
    if (bsl_rawgeti(L, store, BSL_ROWS) == LUA_TTABLE) {
        lua_pushvalue(L, out);
        lua_rawget(L, -2);
        lua_remove(L, -2);
    }
    if (lua_istable(L, -1)) {
        return lua_gettop(L);
    }
    lua_pop(L, 1);
    return 0;
}

/* Whether a list may get another metatable: it has none, or that of a list of boxes. */
static bool may_get_metatable(lua_State *L, int out) {
    if (!lua_getmetatable(L, out)) {
        return true;
    }
    lua_rawgeti(L, LUA_REGISTRYINDEX, LIST_CLASS);
    bool may = lua_rawequal(L, -1, -2) != 0;
    lua_pop(L, 2);
    return may;
}

/* The world keeps it. May run Lua code. */
static void keep_in_world(lua_State *L, int store, int out) {
    const int rows = lua_gettop(L);
    if (bsl_rawgeti(L, store, BSL_ROWS) != LUA_TTABLE) {
        lua_pop(L, 1);
        bsl_push_weak_table(L, "k");
        lua_pushvalue(L, -1);
        lua_rawseti(L, store, BSL_ROWS);
    }
    lua_pushvalue(L, out);
    lua_pushvalue(L, rows);
    lua_rawset(L, -3);
    lua_settop(L, rows);
}

/* As push_rows, but makes the table if there is none. May run Lua code. */
static int make_rows(lua_State *L, int store, int out) {
    int rows = push_rows(L, store, out);
    if (rows != 0) {
        return rows;
    }
    lua_newtable(L);
    rows = lua_gettop(L);
    if (may_get_metatable(L, out)) {
        lua_pushvalue(L, out);
        lua_rawseti(L, rows, OWNER);
        lua_pushvalue(L, rows);
        lua_setmetatable(L, out);
    } else {
        keep_in_world(L, store, out);
    }
    return rows;
}

/* Pushes a row with all its fields, so that setting them takes no memory. May run Lua code. */
static void push_new_row(lua_State *L, int store, const struct layout *layout) {
    lua_createtable(L, 0, layout->n);
    for (int k = 0; k < layout->n; k++) {
        bsl_push_name(L, store, (int)layout->fields[k].name);
        lua_pushboolean(L, 0);
        lua_rawset(L, -3);
    }
    lua_rawgeti(L, LUA_REGISTRYINDEX, ROW_CLASS);
    lua_setmetatable(L, -2);
}

void bsl_make_rows(lua_State *L, int store, int out, size_t n, bsl_row_kind kind) {
    int rows = make_rows(L, store, out);
    for (size_t i = 1; i <= n; i++) {
        if (bsl_rawgeti(L, rows, kept_at(i, kind)) != LUA_TTABLE) {
            push_new_row(L, store, &layouts[kind]);
            lua_rawseti(L, rows, kept_at(i, kind));
        }
        lua_settop(L, rows);
    }
    lua_settop(L, rows - 1);
}

static void push_value(lua_State *L, const bsl_world *w, int store, const field *f,
                       const void *at) {
    switch (f->type) {
    case OTHER:
        bsl_push_result(L, w, store, *(const uint32_t *)at);
        break;
    case RESPONSE:
        bsl_push_name(L, store, BSL_RESPONSE_NAMES + (int)*(const bs_response *)at);
        break;
    case NUMBER:
        lua_pushnumber(L, *(const double *)at);
        break;
    case BOOLEAN:
        lua_pushboolean(L, *(const bool *)at);
        break;
    }
}

/* Sets the fields of the row at the top of the stack. */
static void fill(lua_State *L, const bsl_world *w, int store, const struct layout *layout,
                 const char *from) {
    for (int k = 0; k < layout->n; k++) {
        const field *f = &layout->fields[k];
        bsl_push_name(L, store, (int)f->name);
        push_value(L, w, store, f, from + f->offset);
        lua_rawset(L, -3);
    }
}

bool bsl_write_rows(lua_State *L, const bsl_world *w, int store, int table, const void *of,
                    size_t n, bsl_row_kind kind) {
    const struct layout *layout = &layouts[kind];
    const char *from = of;
    int top = lua_gettop(L);
    bsl_out out = bsl_open_out(L, table, n);
    int rows = n > 0 ? push_rows(L, store, table) : 0;
    bool has = rows != 0 || n == 0;
    for (size_t i = 1; has && i <= n; i++, from += layout->size) {
        has = bsl_rawgeti(L, rows, kept_at(i, kind)) == LUA_TTABLE;
        if (has) {
            fill(L, w, store, layout, from);
            bsl_append(L, &out);
        }
    }
    lua_settop(L, top);
    if (has) {
        bsl_close_out(L, &out);
    }
    return has;
}

/* --- fields --------------------------------------------------------------------------------- */

void bsl_set_count(lua_State *L, const char *key, uint64_t n) {
    bsl_push_id(L, n); /* an integer where there are such, and as large */
    lua_setfield(L, -2, key);
}

void bsl_set_number(lua_State *L, const char *key, double x) {
    lua_pushnumber(L, x);
    lua_setfield(L, -2, key);
}
