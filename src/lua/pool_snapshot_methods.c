/*
 * pool_snapshot_methods.c: Snapshots of Pools, and a Pool's methods snapshot and restore.
 *
 *      Snapshot ---user value--> table: the Pool's store, and the table of Models
 *
 * A Snapshot refers to the same Models as its Pool. So both share one table of them, and restore
 * gives the Snapshot's table to the Pool. Models that were read from a string are one block of
 * memory in such a table.
 */
#include "memory.h"
#include "module.h"
#include "saved.h"

#include "broadside/pool.h"

static bs_status encode(bsl_saved *s) {
    return bs_pool_snapshot_encode(s->core, &s->heap, &s->bytes);
}

static void free_core(void *core) {
    bs_pool_snapshot_free(core);
}

static const bsl_saved_kind kind = {
    .class = BSL_POOL_SNAPSHOT_META,
    .name = "Snapshot of a Pool",
    .owner = "pool",
    .encode = encode,
    .free = free_core,
};

/* Pushes a new Snapshot of that Pool, whose store is at `store`. May run Lua code. */
static bsl_saved *new_snapshot(lua_State *L, const bsl_pool *pool, int store) {
    bsl_saved *s = bsl_new_saved(L, &kind, pool, store);
    s->core = bs_pool_snapshot_new(s->heap.resize, s->heap.host);
    bsl_check_room(L, s->core != NULL);
    return s;
}

/*
 * pool:snapshot(reuse?) -> Snapshot: the state of the pool. If `reuse` is a Snapshot of this pool,
 * it is overwritten and returned, so a frame makes no garbage. O(n)
 */
static int take(lua_State *L) {
    bsl_pool *pool = bsl_self_pool(L);
    lua_settop(L, 2);
    int store = bsl_push_store(L, 1);
    if (bsl_is_absent(L, 2)) {
        (void)new_snapshot(L, pool, store);
        lua_replace(L, 2);
    }
    bsl_saved *s = bsl_check_saved(L, &kind, pool, false);
    bsl_check_pool_open(L, pool);
    bsl_check_status(L, bs_pool_snapshot_take(s->core, pool->core));
    bsl_get_uservalue(L, 2);
    lua_rawgeti(L, store, BSL_MODELS);
    lua_rawseti(L, -2, BSL_SAVED_MODELS);
    pool->shares_models = true;
    lua_settop(L, 2);
    bsl_tell_held(L, &s->account, bs_pool_snapshot_memory(s->core));
    return 1;
}

/* Replaces the string at stack index 2 by a new Snapshot with its bytes. May run Lua code. */
static void read_bytes(lua_State *L, const bsl_pool *pool, int store) {
    size_t n;
    const char *bytes = lua_tolstring(L, 2, &n);
    const char *problem = NULL;
    bsl_saved *s = new_snapshot(L, pool, store);
    int self = lua_gettop(L);
    lua_newtable(L);
    void *models = bsl_new_userdata(L, bs_pool_models_size(bytes, n) + 1);
    lua_pushboolean(L, 1);
    lua_rawset(L, self + 1);
    bsl_get_uservalue(L, self);
    lua_pushvalue(L, self + 1);
    lua_rawseti(L, -2, BSL_SAVED_MODELS);
    bsl_check_status(L, bs_pool_snapshot_decode(s->core, bytes, n, models, &problem));
    if (problem != NULL) {
        bsl_bad(L, bsl_where_arg(2), "this string %s", problem);
    }
    bsl_check_pool_open(L, pool);
    unsigned have = bs_pool_snapshot_capacity(s->core);
    unsigned want = bs_pool_capacity(pool->core);
    if (have != want) {
        bsl_bad(L, bsl_where_arg(2), "this string is of a pool for %u movers, not for %u", have,
                want);
    }
    lua_settop(L, self);
    lua_replace(L, 2);
}

/*
 * pool:restore(snapshot or string): restores the state at which the Snapshot was taken: movers,
 * their ids and order, those that had just ended, what had been met by those that pierce, emitters
 * with their remaining counts, settings. A Snapshot must be of this pool. A string may be of any
 * pool of the same capacity and dim. O(n)
 */
static int restore(lua_State *L) {
    bsl_pool *pool = bsl_self_free_pool(L);
    const bool is_bytes = lua_type(L, 2) == LUA_TSTRING;
    if (!is_bytes) {
        bsl_check_saved(L, &kind, pool, true);
    }
    lua_settop(L, 2);
    int store = bsl_push_store(L, 1);
    if (is_bytes) {
        read_bytes(L, pool, store);
    }
    const bsl_saved *s = bsl_to_saved(L, 2, &kind);
    bsl_check_status(L, bs_pool_restore(pool->core, s->core));
    bsl_get_uservalue(L, 2);
    lua_rawgeti(L, -1, BSL_SAVED_MODELS);
    bsl_keep(L, store, BSL_MODELS);
    pool->shares_models = true;
    bsl_tell_pool(L, pool);
    return 0;
}

/* --- what it is ----------------------------------------------------------------------------- */

/* snapshot:getString() -> string: the same bytes on every platform. O(n) */
static int get_string(lua_State *L) {
    return bsl_push_saved_string(L, &kind);
}

/* snapshot:getHash() -> 16 hex digits. They depend on the state only. O(n) */
static int get_hash(lua_State *L) {
    return bsl_push_saved_hash(L, &kind);
}

const luaL_Reg bsl_pool_snapshot_methods[] = {
    {"snapshot", take},
    {"restore", restore},
    {NULL, NULL},
};

static int to_string(lua_State *L) {
    const bsl_saved *s = bsl_to_saved(L, 1, &kind);
    if (s == NULL) {
        bsl_not_self(L, "Snapshot");
    }
    if (s->core == NULL) {
        lua_pushliteral(L, "PoolSnapshot (closed)");
    } else {
        lua_pushfstring(L, "PoolSnapshot (%dD, capacity %d)", DIM,
                        (int)bs_pool_snapshot_capacity(s->core));
    }
    return 1;
}

const luaL_Reg bsl_snapshot_of_pool_methods[] = {
    {"__tostring", to_string},
    {"getString", get_string},
    {"getHash", get_hash},
    {"__gc", bsl_close_saved},
    {NULL, NULL},
};
