/* lua_world_pairs.c: World's methods about pairs of boxes that overlap. */
#include "cursor.h"
#include "memory.h"
#include "module.h"
#include "results.h"

static const bs_pairs *find_pairs(lua_State *L, bsl_world *w) {
    const bs_pairs *found;
    bsl_check_open(L, w);
    bsl_check_status(L, bs_world_pairs(w->core, &found));
    return found;
}

/* Pushes a cursor over the pairs as they are now. */
static bsl_cursor *push_pairs(lua_State *L, bsl_world *w, int store) {
    bsl_cursor *cursor = bsl_new_cursor(L, w, store, BSL_STORE_NEXT_PAIR);
    const bs_pairs *found = find_pairs(L, w);
    bsl_reserve_cursor(L, cursor, 2 * found->n);
    for (size_t i = 0; i < found->n; i++) {
        cursor->ids[2 * i] = bs_world_id(w->core, found->at[i].a);
        cursor->ids[2 * i + 1] = bs_world_id(w->core, found->at[i].b);
    }
    cursor->n = 2 * found->n;
    return cursor;
}

/* Pushes what is handed out for the next pair; false: there is none. */
static bool push_next(lua_State *L, bsl_cursor *cursor, int cursor_index, int store) {
    bsl_world *w = cursor->world;
    const bs_id *pair = bsl_next(L, cursor, cursor_index, store, 2);
    if (pair == NULL) {
        return false;
    }
    bs_id a = pair[0]; /* pushing may run Lua code, which may use the cursor again */
    bs_id b = pair[1];
    bsl_push_result(L, w, store, a);
    bsl_check_open(L, w);
    bsl_push_result(L, w, store, b);
    return true;
}

int bsl_next_pair(lua_State *L) {
    bsl_cursor *cursor = bsl_check_cursor(L, BSL_STORE_NEXT_PAIR);
    if (push_next(L, cursor, 1, 2)) {
        return 2;
    }
    lua_pushnil(L);
    return 1;
}

/*
 * world:pairs() -> iterator of a, b: the pairs as they are at the call, except those of boxes that
 * the loop removes. The box inserted first comes first. O(n log n + p) for what has moved
 */
static int pairs(lua_State *L) {
    bsl_world *w = bsl_self_world(L);
    int store = bsl_push_store(L, 1);
    bsl_rawgeti(L, store, BSL_STORE_NEXT_PAIR);
    push_pairs(L, w, store);
    bsl_tell(L, w);
    return 2;
}

/* world:eachPair(f): calls f(a, b) for each pair, as a loop over pairs() does. */
static int each_pair(lua_State *L) {
    bsl_world *w = bsl_self_world(L);
    if (!lua_isfunction(L, 2)) {
        bsl_expected(L, bsl_place_arg(2), 2, "function");
    }
    int store = bsl_push_store(L, 1);
    bsl_cursor *cursor = push_pairs(L, w, store);
    int cursor_index = lua_gettop(L);
    for (;;) {
        lua_pushvalue(L, 2);
        if (!push_next(L, cursor, cursor_index, store)) {
            break;
        }
        lua_call(L, 2, 0);
        bsl_check_open(L, w);
    }
    bsl_tell(L, w);
    return 0;
}

/* world:countPairs() -> n */
static int count_pairs(lua_State *L) {
    bsl_world *w = bsl_self_world(L);
    size_t n = find_pairs(L, w)->n;
    lua_pushinteger(L, (lua_Integer)n);
    bsl_tell(L, w);
    return 1;
}

/* The pairs as a list of boxes, two for each. */
static void list_pairs(lua_State *L, bsl_world *w) {
    const bs_pairs *found = find_pairs(L, w);
    w->list.n = 0;
    bsl_check_room(L, bs_list_reserve(bs_world_heap(w->core), &w->list, 2 * found->n));
    for (size_t i = 0; i < found->n; i++) {
        w->list.at[2 * i] = found->at[i].a;
        w->list.at[2 * i + 1] = found->at[i].b;
    }
    w->list.n = 2 * found->n;
}

/* world:collectPairs(out?) -> out, n; out = {a1, b1, a2, b2, ...} */
static int collect_pairs(lua_State *L) {
    bsl_world *w = bsl_self_world(L);
    int out = bsl_check_out(L, 2);
    bool given = out != 0;
    int store = bsl_push_store(L, 1);
    list_pairs(L, w);
    if (!given) {
        uint64_t calls = w->calls;
        out = bsl_new_out(L, w->list.n);
        if (calls != w->calls) { /* a finaliser has used the world: the list is not ours any more */
            list_pairs(L, w);
        }
    }
    size_t n = w->list.n / 2;
    bsl_write_results(L, w, store, out, given);
    bsl_return_list(L, out, n);
    bsl_tell(L, w);
    return 2;
}

const luaL_Reg bsl_world_pair_methods[] = {
    {"pairs", pairs},
    {"eachPair", each_pair},
    {"countPairs", count_pairs},
    {"collectPairs", collect_pairs},
    {NULL, NULL},
};
