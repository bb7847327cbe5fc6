#include "volley.h"

#include "memory.h"

#include <string.h>

/* The user value of a volley: a table of two stores. */
enum { POOL_STORE = 1, WORLD_STORE = 2 };

static void empty(bsl_volley *volley) {
    bs_array_free(&volley->heap, &volley->ids, &volley->ids_cap, sizeof *volley->ids);
    bs_array_free(&volley->heap, &volley->hits.at, &volley->hits.cap, sizeof *volley->hits.at);
    volley->hits.n = 0;
    volley->n = 0;
    volley->at = 0;
}

static int gc(lua_State *L) {
    bsl_volley *volley = bsl_to_volley(L, 1);
    if (volley != NULL) {
        empty(volley);
    }
    return 0;
}

void bsl_trim_volleys(lua_State *L, int store) {
    for (int i = 0; i < BSL_IDLE; i++) {
        bsl_rawgeti(L, store, BSL_POOL_IDLE + i);
        bsl_volley *volley = bsl_to_volley(L, -1);
        if (volley != NULL) {
            empty(volley);
        }
        lua_pop(L, 1);
    }
}

const luaL_Reg bsl_volley_metamethods[] = {{"__gc", gc}, {NULL, NULL}};

/* Pushes a volley that is used again; NULL, and nothing is pushed, if there is none. */
static bsl_volley *reuse(lua_State *L, const bsl_pool *pool, int store) {
    if (!bsl_take_idle(L, store, BSL_POOL_IDLE)) {
        return NULL;
    }
    bsl_volley *volley = bsl_to_volley(L, -1);
    if (volley == NULL || volley->pool != pool) { /* only the debug library can do that */
        lua_pop(L, 1);
        return NULL;
    }
    return volley;
}

static bsl_volley *make(lua_State *L, bsl_pool *pool, int store) {
    bsl_volley *volley = bsl_new_userdata(L, sizeof *volley);
    memset(volley, 0, sizeof *volley);
    volley->magic = BSL_VOLLEY_MAGIC;
    volley->pool = pool;
    volley->heap.resize = lua_getallocf(L, &volley->heap.host);
    lua_createtable(L, 2, 0);
    lua_pushvalue(L, store);
    lua_rawseti(L, -2, POOL_STORE);
    lua_pushboolean(L, 0);
    lua_rawseti(L, -2, WORLD_STORE);
    bsl_set_uservalue(L, -2);
    bsl_push_table(L, store, BSL_POOL_VOLLEY_META);
    lua_setmetatable(L, -2);
    bsl_own(L, lua_gettop(L));
    return volley;
}

bsl_volley *bsl_new_volley(lua_State *L, bsl_pool *pool, int store) {
    bsl_volley *volley = reuse(L, pool, store);
    if (volley == NULL) {
        volley = make(L, pool, store);
    }
    bsl_check_pool_open(L, pool);
    volley->is_free = false;
    volley->world = NULL;
    volley->hits.n = 0;
    volley->n = 0;
    volley->at = 0;
    return volley;
}

void bsl_set_world_store(lua_State *L, int index, int store) {
    bsl_get_uservalue(L, index);
    if (lua_istable(L, -1)) {
        if (store != 0) {
            lua_pushvalue(L, store);
        } else {
            lua_pushboolean(L, 0);
        }
        lua_rawseti(L, -2, WORLD_STORE);
    }
    lua_pop(L, 1);
}

void bsl_tell_volley(lua_State *L, const bsl_volley *volley, size_t before) {
    volley->pool->account.untold += volley->heap.used - before;
    bsl_tell_pool(L, volley->pool);
}

bsl_volley *bsl_check_volley(lua_State *L) {
    bsl_volley *volley = bsl_to_volley(L, 1);
    if (volley == NULL) {
        bsl_fail(L, "this iterator works in the loop that it was made for alone");
    }
    bsl_check_pool_open(L, volley->pool);
    lua_settop(L, 1);
    bsl_push_store(L, 1);
    if (volley->world != NULL) {
        bsl_push_table(L, 2, WORLD_STORE);
    } else {
        lua_pushnil(L);
    }
    bsl_push_table(L, 2, POOL_STORE);
    lua_replace(L, 2);
    return volley;
}

int bsl_end_loop(lua_State *L, bsl_volley *volley) {
    bsl_set_world_store(L, 1, 0);
    volley->world = NULL;
    volley->hits.n = 0;
    volley->n = 0;
    volley->at = 0;
    volley->is_free = volley->is_free || bsl_leave_idle(L, 2, BSL_POOL_IDLE, 1);
    lua_pushnil(L);
    return 1;
}
