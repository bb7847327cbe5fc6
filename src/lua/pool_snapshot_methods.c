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

/*
 * pool:snapshot(reuse?) -> Snapshot: the state of the pool. If `reuse` is a Snapshot of this pool,
 * it is overwritten and returned, so a frame makes no garbage. O(n)
 */
static int take(lua_State *L) {
    bsl_pool *pool = bsl_self_pool(L);
    lua_settop(L, 2);
    int store = bsl_push_store(L, 1);
    bsl_saved *s = bsl_check_reuse(L, BSL_POOL_SNAPSHOT_CLASS, pool, store);
    bsl_check_pool_open(L, pool);
    bsl_check_status(L, bs_pool_snapshot_take(s->core, pool->core));
    bsl_get_uservalue(L, 2);
    lua_rawgeti(L, store, BSL_MODELS);
    lua_rawseti(L, -2, BSL_SAVED_MODELS);
    lua_settop(L, 2);
    bsl_tell_held(L, &s->account, bs_pool_snapshot_memory(s->core));
    return 1;
}

/* Replaces the string at stack index 2 by a new Snapshot with its bytes. May run Lua code. */
static void read_bytes(lua_State *L, const bsl_pool *pool, int store) {
    size_t n;
    const char *bytes = lua_tolstring(L, 2, &n);
    const char *problem = NULL;
    bsl_saved *s = bsl_new_saved(L, BSL_POOL_SNAPSHOT_CLASS, pool, store);
    int self = lua_gettop(L);
    lua_newtable(L);
    void *models = bsl_new_userdata(L, bs_pool_models_size(bytes, n) + 1);
    lua_pushboolean(L, 1);
    lua_rawset(L, self + 1);
    bsl_get_uservalue(L, self);
    lua_pushvalue(L, self + 1);
    lua_rawseti(L, -2, BSL_SAVED_MODELS);
    lua_settop(L, self);
    bs_status status = bs_pool_snapshot_decode(s->core, bytes, n, models, &problem);
    bsl_replace_string(L, status, problem);
    bsl_check_pool_open(L, pool);
    unsigned have = bs_pool_snapshot_capacity(s->core);
    unsigned want = bs_pool_capacity(pool->core);
    if (have != want) {
        bsl_bad(L, bsl_where_arg(2), "this string is of a pool for %u movers, not for %u", have,
                want);
    }
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
        bsl_check_saved(L, BSL_POOL_SNAPSHOT_CLASS, pool, true);
    }
    lua_settop(L, 2);
    int store = bsl_push_store(L, 1);
    if (is_bytes) {
        read_bytes(L, pool, store);
    }
    const bsl_saved *s = lua_touserdata(L, 2);
    bsl_check_status(L, bs_pool_restore(pool->core, s->core));
    bsl_get_uservalue(L, 2);
    lua_rawgeti(L, -1, BSL_SAVED_MODELS);
    lua_rawseti(L, store, BSL_MODELS);
    bsl_tell_pool(L, pool);
    return 0;
}

const luaL_Reg bsl_pool_snapshot_methods[] = {
    {"snapshot", take},
    {"restore", restore},
    {NULL, NULL},
};
