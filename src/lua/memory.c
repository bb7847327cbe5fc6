#include "memory.h"

/*
 * Finalisers that the collector runs may raise errors, which before Lua 5.4 come out of the step.
 * What they say is dropped, as Lua 5.4 does: the call that happened to tell has done its work.
 */
#if LUA_VERSION_NUM < 502

/* LuaJIT 2.1 knows whether the collector runs; Lua 5.1 answers -1 to what it does not know. */
#define IS_RUNNING 9

/*
 * In Lua 5.1 a step would start a collector that the script has stopped, and nothing tells whether
 * it has. A block of garbage of that size has the right effect in either case; nobody touches its
 * memory.
 */
static int spend(lua_State *L) {
    enum { AT_MOST = 64 << 10 };
    const int *kilobytes = lua_touserdata(L, 1);
    if (lua_gc(L, IS_RUNNING, 0) >= 0) {
        lua_gc(L, LUA_GCSTEP, *kilobytes);
    } else {
        lua_newuserdata(L, (size_t)(*kilobytes < AT_MOST ? *kilobytes : AT_MOST) << 10);
    }
    return 0;
}

static bool is_stopped(lua_State *L) {
    return lua_gc(L, IS_RUNNING, 0) == 0;
}

static void protected_spend(lua_State *L, int kilobytes) {
    if (lua_cpcall(L, spend, &kilobytes) != BSL_OK) {
        lua_pop(L, 1);
    }
}

#else

static int spend(lua_State *L) {
    lua_gc(L, LUA_GCSTEP, (int)lua_tointeger(L, 1));
    return 0;
}

static bool is_stopped(lua_State *L) {
    return lua_gc(L, LUA_GCISRUNNING, 0) == 0; /* also within finalisers */
}

static void protected_spend(lua_State *L, int kilobytes) {
    lua_pushcfunction(L, spend);
    lua_pushinteger(L, kilobytes);
    if (lua_pcall(L, 1, 0, 0) != BSL_OK) {
        lua_pop(L, 1);
    }
}

#endif

void bsl_tell_now(lua_State *L, bsl_world *w) {
    enum { AT_MOST = 1 << 20 };
    size_t held = bs_world_memory(w->core);
    size_t grown = (held > w->told ? held - w->told : 0) + w->untold;
    if (is_stopped(L)) {
        return; /* it will be told when it runs again */
    }
    w->told = held;
    w->untold = 0;
    size_t kilobytes = grown >> 10;
    if (kilobytes > 0) {
        protected_spend(L, kilobytes < AT_MOST ? (int)kilobytes : AT_MOST);
    }
}
