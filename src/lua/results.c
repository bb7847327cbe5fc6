#include "results.h"

#include <limits.h>

int bsl_check_out(lua_State *L, int arg) {
    if (bsl_is_absent(L, arg)) {
        return 0;
    }
    bsl_check_table(L, arg);
    return arg;
}

int bsl_new_out(lua_State *L, size_t n) {
    enum { AT_MOST = 1 << 26 }; /* beyond, tables grow by themselves */
    lua_createtable(L, n < AT_MOST ? (int)n : AT_MOST, 0);
    return lua_gettop(L);
}

/* Without metamethods: but a table with few keys, far from each other, may have any length. */
size_t bsl_out_length(lua_State *L, int out, bool given, size_t n) {
    const size_t most = INT_MAX - 1;
    size_t length = given ? bsl_length(L, out) : n;
    bsl_check_room(L, n <= most && length <= most);
    return length;
}

/* --- writers for w->list -------------------------------------------------------------------- */

static void put_ids(lua_State *L, const bsl_world *w, int store, int out, size_t from, size_t to) {
    enum { SOME = 64 };
    (void)store;
    bs_id ids[SOME];
    for (size_t i = from, end; i < to;) {
        end = to - i < SOME ? to : i + SOME;
        bs_world_ids(w->core, w->list.at + i, end - i, ids);
        for (const bs_id *id = ids; i < end; i++, id++) {
            bsl_push_id(L, *id);
            lua_rawseti(L, out, (int)i + 1);
        }
    }
}

/* Where results are not ids the store has the Box of every live box. */
static void push_box(lua_State *L, int store, uint32_t index) {
    if (bsl_rawgeti(L, store, (int)index + 1) != LUA_TUSERDATA) {
        bsl_fail(L, "the store is damaged");
    }
}

static void put_boxes(lua_State *L, const bsl_world *w, int store, int out, size_t from,
                      size_t to) {
    for (size_t i = from; i < to; i++) {
        push_box(L, store, w->list.at[i]);
        lua_rawseti(L, out, (int)i + 1);
    }
}

static void put_data(lua_State *L, const bsl_world *w, int store, int out, size_t from, size_t to) {
    int data = bsl_push_data(L, store);
    for (size_t i = from; i < to; i++) {
        if (bsl_rawgeti(L, data, (int)w->list.at[i] + 1) == LUA_TNIL) {
            lua_pop(L, 1);
            push_box(L, store, w->list.at[i]);
        }
        lua_rawseti(L, out, (int)i + 1);
    }
    lua_pop(L, 1);
}

static bsl_put results_writer(const bsl_world *w) {
    switch (w->results) {
    case BSL_RESULTS_ID:
        return put_ids;
    case BSL_RESULTS_DATA:
        return put_data;
    case BSL_RESULTS_BOX:
        break;
    }
    return put_boxes;
}

/* Making room for a nil could fail: what is nil already is not touched. */
void bsl_erase(lua_State *L, int out, size_t from, size_t to) {
    for (size_t i = from; i < to; i++) {
        bool is_nil = bsl_rawgeti(L, out, (int)i + 1) == LUA_TNIL;
        lua_pop(L, 1);
        if (!is_nil) {
            lua_pushnil(L);
            lua_rawseti(L, out, (int)i + 1);
        }
    }
}

/* --- writing -------------------------------------------------------------------------------- */

typedef struct tail {
    bsl_put put;
    size_t from;
    size_t to;
} tail;

/* The table and the store are at stack indices 2 and 3. */
static void put_tail(lua_State *L, bsl_world *w, void *context) {
    const tail *t = context;
    t->put(L, w, 3, 2, t->from, t->to);
}

/* What lies behind the table's end comes first: only that can fail, and it can be taken back. */
static void write_tail(lua_State *L, bsl_world *w, int store, int out, tail *t) {
    lua_pushvalue(L, out);
    lua_pushvalue(L, store);
    if (!bsl_protect(L, w, store, put_tail, t, 2)) {
        bsl_erase(L, out, t->from, t->to);
        lua_error(L);
    }
}

void bsl_write(lua_State *L, bsl_world *w, int store, int out, bool given, bsl_put put, size_t n) {
    size_t length = bsl_out_length(L, out, given, n);
    if (n > length) {
        tail t = {put, length, n};
        write_tail(L, w, store, out, &t);
    }
    put(L, w, store, out, 0, n < length ? n : length);
    bsl_erase(L, out, n, length);
}

void bsl_write_results(lua_State *L, bsl_world *w, int store, int out, bool given) {
    bsl_write(L, w, store, out, given, results_writer(w), w->list.n);
}

int bsl_return_list(lua_State *L, int out, size_t n) {
    lua_pushvalue(L, out);
    lua_pushinteger(L, (lua_Integer)n);
    return 2;
}

void bsl_set_count(lua_State *L, const char *key, uint64_t n) {
    bsl_push_id(L, n); /* an integer where there are such, and as large */
    lua_setfield(L, -2, key);
}

void bsl_set_number(lua_State *L, const char *key, double x) {
    lua_pushnumber(L, x);
    lua_setfield(L, -2, key);
}
