/*
 * pool_snapshot.c: Snapshots of Pools, and a Pool's methods that take them and go back to them.
 *
 *      Snapshot ---user value--> table: the Pool's store, and what it refers to of Models
 *
 * It refers to Models as its Pool does: so both have one table of them, and going back gives the
 * Pool that of the Snapshot. Models that bytes bring along are a block of memory in such a table.
 */
#include "memory.h"
#include "module.h"
#include "results.h"

#include "broadside/pool_snapshot.h"

typedef struct snapshot {
    uint64_t magic;
    bsl_account account;
    bs_heap heap;
    bs_pool_snapshot *core; /* NULL: closed */
    const bsl_pool *pool;   /* of which it is */
    bs_bytes bytes;         /* of the last getString or getHash; empty in between */
} snapshot;

/* Items of the user value. */
enum { STORE = 1, MODELS };

static snapshot *to_snapshot(lua_State *L, int index) {
    return bsl_block(L, index, sizeof(snapshot), BSL_POOL_SNAPSHOT_MAGIC);
}

static snapshot *self_snapshot(lua_State *L) {
    snapshot *s = to_snapshot(L, 1);
    if (s == NULL) {
        bsl_not_self(L, "Snapshot");
    }
    if (s->core == NULL) {
        bsl_fail(L, "snapshot is closed");
    }
    return s;
}

static int gc(lua_State *L) {
    snapshot *s = to_snapshot(L, 1);
    if (s != NULL && s->core != NULL) {
        bs_pool_snapshot *core = s->core;
        bs_array_free(&s->heap, &s->bytes.at, &s->bytes.cap, 1);
        bsl_tell_end(&s->account);
        s->core = NULL;
        bs_pool_snapshot_free(core);
    }
    return 0;
}

/* Pushes a new one of that Pool, whose store is at `store`. May run Lua code. */
static snapshot *new_snapshot(lua_State *L, const bsl_pool *pool, int store) {
    snapshot *s = bsl_new(L, BSL_POOL_SNAPSHOT_META, sizeof *s, BSL_POOL_SNAPSHOT_MAGIC);
    int self = lua_gettop(L);
    bsl_own(L, self);
    s->pool = pool;
    s->account.ledger = bsl_push_ledger(L);
    s->heap.resize = lua_getallocf(L, &s->heap.host);
    lua_createtable(L, MODELS, 0);
    lua_pushvalue(L, store);
    lua_rawseti(L, -2, STORE);
    lua_rawgeti(L, store, BSL_MODELS);
    lua_rawseti(L, -2, MODELS);
    bsl_set_uservalue(L, self);
    lua_settop(L, self);
    s->core = bs_pool_snapshot_new(s->heap.resize, s->heap.host);
    bsl_check_room(L, s->core != NULL);
    return s;
}

/* The Snapshot at stack index 2, which is of that Pool. */
static snapshot *check_snapshot(lua_State *L, const bsl_pool *pool, const char *what,
                                const char *other) {
    snapshot *s = to_snapshot(L, 2);
    if (s == NULL || s->core == NULL) {
        bsl_bad_arg(L, 2, what);
    }
    if (s->pool != pool) {
        bsl_bad(L, bsl_place_arg(2), "%s", other);
    }
    bsl_check_pool_open(L, pool);
    return s;
}

/*
 * pool:snapshot(reuse?) -> Snapshot: the pool as it is now. `reuse`: a Snapshot of this pool, which
 * is written over and returned: then a frame makes no garbage. O(n)
 */
static int take(lua_State *L) {
    bsl_pool *pool = bsl_self_pool(L);
    lua_settop(L, 2);
    int store = bsl_push_store(L, 1);
    if (bsl_is_absent(L, 2)) {
        (void)new_snapshot(L, pool, store);
        lua_replace(L, 2);
    }
    snapshot *s = check_snapshot(L, pool, "Snapshot of a Pool", "Snapshot of another pool");
    bsl_check_status(L, bs_pool_snapshot_take(s->core, pool->core));
    bsl_get_uservalue(L, 2);
    lua_rawgeti(L, store, BSL_MODELS);
    lua_rawseti(L, -2, MODELS);
    pool->shares_models = true;
    lua_settop(L, 2);
    bsl_tell_if_due(L, &s->account, bs_pool_snapshot_memory(s->core));
    return 1;
}

/* A new Snapshot of the bytes at stack index 2 takes their place. May run Lua code. */
static void read_bytes(lua_State *L, const bsl_pool *pool, int store) {
    size_t n;
    const char *bytes = lua_tolstring(L, 2, &n);
    const char *problem = NULL;
    snapshot *s = new_snapshot(L, pool, store);
    int self = lua_gettop(L);
    lua_newtable(L);
    void *models = bsl_new_userdata(L, bs_pool_models_size(bytes, n) + 1);
    lua_pushboolean(L, 1);
    lua_rawset(L, self + 1);
    bsl_get_uservalue(L, self);
    lua_pushvalue(L, self + 1);
    lua_rawseti(L, -2, MODELS);
    bsl_check_status(L, bs_pool_snapshot_decode(s->core, bytes, n, models, &problem));
    if (problem != NULL) {
        bsl_bad(L, bsl_place_arg(2), "this string %s", problem);
    }
    bsl_check_pool_open(L, pool);
    unsigned have = bs_pool_snapshot_capacity(s->core);
    unsigned want = bs_pool_capacity(pool->core);
    if (have != want) {
        bsl_bad(L, bsl_place_arg(2), "this string is of a pool for %u movers, not for %u", have,
                want);
    }
    lua_settop(L, self);
    lua_replace(L, 2);
}

/*
 * pool:restore(snapshot or string): the pool is as it was when the Snapshot was taken: movers,
 * their ids and order, those that had just ended, emitters with what is left of their counts,
 * settings. A Snapshot is of this pool; a string may be of any of the same capacity and dim. O(n)
 */
static int restore(lua_State *L) {
    bsl_pool *pool = bsl_self_free_pool(L);
    lua_settop(L, 2);
    int store = bsl_push_store(L, 1);
    if (lua_type(L, 2) == LUA_TSTRING) {
        read_bytes(L, pool, store);
    }
    const snapshot *s = check_snapshot(L, pool, "Snapshot of a Pool or string",
                                       "Snapshot of another pool: its string can be restored");
    bsl_check_status(L, bs_pool_restore(pool->core, s->core));
    bsl_get_uservalue(L, 2);
    lua_rawgeti(L, -1, MODELS);
    bsl_keep(L, store, BSL_MODELS);
    pool->shares_models = true;
    bsl_tell_pool(L, pool);
    return 0;
}

/* --- bytes ---------------------------------------------------------------------------------- */

static snapshot *encode(lua_State *L) {
    snapshot *s = self_snapshot(L);
    bsl_check_status(L, bs_pool_snapshot_encode(s->core, &s->heap, &s->bytes));
    return s;
}

/* snapshot:getString() -> string: the same bytes on every platform. O(n) */
static int get_string(lua_State *L) {
    snapshot *s = encode(L);
    return bsl_push_bytes(L, &s->heap, &s->bytes);
}

/* snapshot:getHash() -> 16 hex digits, which depend on the state alone. O(n) */
static int get_hash(lua_State *L) {
    snapshot *s = encode(L);
    return bsl_push_hash(L, &s->heap, &s->bytes);
}

const luaL_Reg bsl_pool_snapshots[] = {
    {"snapshot", take},
    {"restore", restore},
    {NULL, NULL},
};

const luaL_Reg bsl_pool_snapshot_methods[] = {
    {"getString", get_string},
    {"getHash", get_hash},
    {"__gc", gc},
    {NULL, NULL},
};
