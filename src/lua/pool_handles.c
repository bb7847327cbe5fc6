#include "pool_handles.h"

#include "memory.h"

void bsl_check_pool_open(lua_State *L, const bsl_pool *pool) {
    if (pool->core == NULL) {
        bsl_fail(L, "pool is closed");
    }
}

void bsl_check_pool_not_busy(lua_State *L, const bsl_pool *pool) {
    if (pool->busy > 0) {
        bsl_fail(L, "pool is busy: a filter function must not change it");
    }
}

bsl_pool *bsl_self_pool(lua_State *L) {
    bsl_pool *pool = bsl_to_pool(L, 1);
    if (pool == NULL) {
        bsl_not_self(L, "Pool");
    }
    bsl_check_pool_open(L, pool);
    return pool;
}

bsl_pool *bsl_self_free_pool(lua_State *L) {
    bsl_pool *pool = bsl_self_pool(L);
    bsl_check_pool_not_busy(L, pool);
    return pool;
}

void bsl_tell_pool(lua_State *L, bsl_pool *pool) {
    if (pool->core != NULL) {
        bsl_tell_if_due(L, &pool->account, bs_pool_memory(pool->core));
    }
}

/* --- models --------------------------------------------------------------------------------- */

static bool refers_to_models(const bsl_pool *pool) {
    return pool->core != NULL && bs_pool_refers_to_models(pool->core);
}

static bool is_kept(lua_State *L, int store, int index) {
    bsl_push_table(L, store, BSL_POOL_MODELS);
    lua_pushvalue(L, index);
    lua_rawget(L, -2);
    bool kept = lua_toboolean(L, -1) != 0;
    lua_pop(L, 2);
    return kept;
}

/*
 * A pool in which nothing refers to a Model any more begins a new list of them: otherwise one that
 * is given ever new Models would keep them all.
 */
void bsl_keep_model(lua_State *L, const bsl_pool *pool, int store, int index) {
    if (!is_kept(L, store, index) && !refers_to_models(pool)) {
        lua_newtable(L); /* may run Lua code, and that may spawn */
        if (refers_to_models(pool)) {
            lua_pop(L, 1);
        } else {
            lua_rawseti(L, store, BSL_POOL_MODELS);
        }
    }
    bsl_push_table(L, store, BSL_POOL_MODELS);
    lua_pushvalue(L, index);
    lua_pushboolean(L, 1);
    lua_rawset(L, -3);
    lua_pop(L, 1);
}
