/*
 * compat.h: hides what differs between Lua 5.1 (LuaJIT, LÖVE), 5.2, 5.3 and 5.4. Apart from it,
 * only memory.c and module.c ask for the version. For 5.1 it uses nothing that only LuaJIT has, so
 * one binary serves both.
 */
#ifndef BSL_COMPAT_H
#define BSL_COMPAT_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lauxlib.h>
#include <lua.h>

#include "names.h"

_Static_assert(sizeof(lua_Number) == sizeof(double), "Lua's numbers must be doubles");

/* The host sees only the entry point of a module. */
#if defined(_WIN32)
#define BSL_EXPORT __declspec(dllexport)
#else
#define BSL_EXPORT __attribute__((visibility("default")))
#endif

/* The length of a userdata or table, without metamethods. */
static inline size_t bsl_length(lua_State *L, int index) {
#if LUA_VERSION_NUM < 502
    return lua_objlen(L, index);
#else
    return (size_t)lua_rawlen(L, index);
#endif
}

/* Pushes t[n], without metamethods, and returns its type. */
static inline int bsl_rawgeti(lua_State *L, int t, int n) {
#if LUA_VERSION_NUM < 503
    lua_rawgeti(L, t, n);
    return lua_type(L, -1);
#else
    return lua_rawgeti(L, t, n);
#endif
}

/* Makes userdata with one user value. In 5.1 that is its environment; here it is always a table. */
static inline void *bsl_new_userdata(lua_State *L, size_t size) {
#if LUA_VERSION_NUM < 504
    return lua_newuserdata(L, size);
#else
    return lua_newuserdatauv(L, size, 1);
#endif
}

/* Pushes the user value of the userdata at index. */
static inline void bsl_get_uservalue(lua_State *L, int index) {
#if LUA_VERSION_NUM < 502
    lua_getfenv(L, index);
#else
    lua_getuservalue(L, index);
#endif
}

/* Pops a table and makes it the user value of the userdata at index. */
static inline void bsl_set_uservalue(lua_State *L, int index) {
#if LUA_VERSION_NUM < 502
    lua_setfenv(L, index);
#else
    lua_setuservalue(L, index);
#endif
}

/* Ids need more than 32 bits. Integers before 5.3 may have no more than 32. */
static inline void bsl_push_id(lua_State *L, uint64_t id) {
#if LUA_VERSION_NUM < 503
    /* Converting a signed integer takes one instruction. */
    lua_pushnumber(L, (lua_Number)(int64_t)id);
#else
    lua_pushinteger(L, (lua_Integer)id);
#endif
}

/* True if it is a number (not a string) without a fraction, and fits. Otherwise *out is 0. */
static inline bool bsl_to_integer(lua_State *L, int index, int64_t *out) {
    *out = 0;
    if (lua_type(L, index) != LUA_TNUMBER) {
        return false;
    }
#if LUA_VERSION_NUM < 503
    double x = lua_tonumber(L, index);
    bool fits = x >= -0x1p63 && x < 0x1p63 && (lua_Number)(int64_t)x == x;
    *out = fits ? (int64_t)x : 0;
    return fits;
#else
    int fits;
    *out = (int64_t)lua_tointegerx(L, index, &fits);
    return fits != 0;
#endif
}

/*
 * Makes room for n values, so that the stack need not grow in the call that follows: Lua 5.3 and
 * 5.4 collect garbage when it grows. False if there is no memory.
 */
static inline bool bsl_reserve_stack(lua_State *L, int n) {
#if LUA_VERSION_NUM < 502
    (void)L;
    (void)n;
    return true; /* growing does not collect there, and lua_checkstack would raise an error */
#else
    return lua_checkstack(L, n) != 0;
#endif
}

/* Lua 5.2 may collect garbage at any call of a C function. Stops that; true if it was running. */
static inline bool bsl_pause_collector(lua_State *L) {
#if LUA_VERSION_NUM == 502
    return lua_gc(L, LUA_GCISRUNNING, 0) != 0 && lua_gc(L, LUA_GCSTOP, 0) == 0;
#else
    (void)L;
    return false;
#endif
}

static inline void bsl_resume_collector(lua_State *L, bool paused) {
    if (paused) {
        lua_gc(L, LUA_GCRESTART, 0);
    }
}

#ifndef LUA_OK
#define LUA_OK 0
#endif

#endif
