/* pair_methods.c: a World's methods about pairs of boxes that overlap. */
#include "cursor.h"
#include "memory.h"
#include "module.h"
#include "results.h"

typedef struct pair {
    bs_id a;
    bs_id b;
} pair;

/* Whether both boxes still exist. `changes`: the world's count when the pair was listed. */
static bool is_there(const bsl_world *w, const pair *p, uint64_t changes) {
    return changes == w->changes || (bsl_is_live(w, p->a) && bsl_is_live(w, p->b));
}

/* Pushes what the world returns for two live boxes. */
static void push_both(lua_State *L, const bsl_world *w, int store, const pair *p) {
    bsl_push_result(L, w, store, bs_id_index(p->a));
    bsl_push_result(L, w, store, bs_id_index(p->b));
}

static int push_pair(lua_State *L, const bsl_cursor *cursor, const void *item) {
    const bsl_world *w = cursor->world;
    if (!is_there(w, item, cursor->changes)) {
        return 0;
    }
    push_both(L, w, BSL_LOOP_STORE, item);
    return 2;
}

static const bs_pairs *find_pairs(lua_State *L, bsl_world *w) {
    const bs_pairs *found;
    bsl_check_status(L, bs_world_pairs(w->core, &found));
    return found;
}

/* Lists all pairs in the cursor, which is not open, and returns their number. */
static size_t list_pairs(lua_State *L, bsl_world *w, bsl_cursor *cursor) {
    const bs_pairs *found = find_pairs(L, w);
    pair *list = bsl_reserve_items(L, cursor, found->n, sizeof *list);
    for (size_t i = 0; i < found->n; i++) {
        list[i].a = bs_world_id(w->core, found->at[i].a);
        list[i].b = bs_world_id(w->core, found->at[i].b);
    }
    return found->n;
}

/*
 * world:pairs() -> iterator of a, b: the pairs at the time of the call, except those of boxes that
 * the loop removes. Of the two boxes, the one inserted first is a. O(n log n + p) for boxes that
 * have moved
 */
static int pairs(lua_State *L) {
    static const bsl_loop loop = {sizeof(pair), push_pair};
    bsl_world *w = bsl_self_world(L);
    bsl_cursor *cursor = bsl_new_cursor(L, bsl_push_store(L, 1), w, NULL);
    return bsl_open_cursor(L, cursor, &loop, list_pairs(L, w, cursor));
}

/*
 * Each call of eachPair within another one takes some of the C stack, which LuaJIT does not limit.
 * Only so many levels are looked at, as LuaJIT finds each one from the first on.
 */
static void check_depth(lua_State *L, lua_CFunction each_pair) {
    enum { MOST = 100, LEVELS = 1000 };
    lua_Debug caller;
    int within = 0;
    bool deep = lua_getstack(L, MOST, &caller) != 0;
    for (int i = 1; deep && i < LEVELS && within < MOST && lua_getstack(L, i, &caller); i++) {
        lua_getinfo(L, "f", &caller);
        within += lua_tocfunction(L, -1) == each_pair;
        lua_pop(L, 1);
    }
    if (within == MOST) {
        bsl_fail(L, "more than 100 calls of eachPair within each other");
    }
}

/*
 * world:eachPair(f): calls f(a, b) for each pair, as a loop over pairs() does. The cursor only
 * holds the list and is never opened, so f cannot disturb it by an iterator.
 */
static int each_pair(lua_State *L) {
    bsl_world *w = bsl_self_world(L);
    if (!lua_isfunction(L, 2)) {
        bsl_bad_arg(L, 2, "function");
    }
    check_depth(L, each_pair);
    int store = bsl_push_store(L, 1);
    bsl_cursor *cursor = bsl_new_cursor(L, store, w, NULL);
    const size_t n = list_pairs(L, w, cursor);
    const uint64_t changes = w->changes;
    for (size_t i = 0; i < n; i++) {
        const pair *p = (const pair *)cursor->items.at + i;
        if (is_there(w, p, changes)) {
            lua_pushvalue(L, 2);
            push_both(L, w, store, p);
            lua_call(L, 2, 0);
            /* A finaliser may call this, and f may run a collection that closes the world. */
            bsl_check_open(L, w);
        }
    }
    bsl_free_cursor(L, cursor, store, lua_gettop(L));
    bsl_tell(L, w);
    return 0;
}

/* world:countPairs() -> n */
static int count_pairs(lua_State *L) {
    bsl_world *w = bsl_self_world(L);
    lua_pushinteger(L, (lua_Integer)find_pairs(L, w)->n);
    bsl_tell(L, w);
    return 1;
}

/* world:collectPairs(out?) -> out, n; out = {a1, b1, a2, b2, ...} */
static int collect_pairs(lua_State *L) {
    static_assert(sizeof(bs_pair) == 2 * sizeof(uint32_t), "a list of pairs is one of boxes");
    bsl_world *w = bsl_self_world(L);
    size_t expected = lua_istable(L, 2) ? 0 : find_pairs(L, w)->n;
    bsl_push_out(L, 2, 2 * expected);
    bsl_check_table(L, 2);
    bsl_check_open(L, w);
    const bs_pairs *found = find_pairs(L, w);
    size_t n = found->n;
    const void *boxes = found->at; /* NULL if there has never been a pair */
    bsl_write_boxes(L, w, bsl_push_store(L, 1), 2, boxes, 2 * n);
    return bsl_return_list(L, w, 2, n);
}

const luaL_Reg bsl_pair_methods[] = {
    {"pairs", pairs},
    {"eachPair", each_pair},
    {"countPairs", count_pairs},
    {"collectPairs", collect_pairs},
    {NULL, NULL},
};
