/* data.c: finds the memory of an object such as LÖVE's Data, to write floats to it. */
#include "results.h"

static _Noreturn void no_data(lua_State *L, int arg) {
    bsl_bad_arg(L, arg, "Data with getPointer and getSize");
}

/*
 * Whether the C function at the top of the stack can be trusted to be a method of a Data. A script
 * can make C functions only by coroutine.wrap or gmatch. These have the script's values as
 * upvalues, or, in LuaJIT, no address. LÖVE keeps the methods of all its Data in a table that
 * scripts cannot reach, because it is no object's metatable. So in LÖVE there is only one function
 * of each name.
 */
static bool is_its_own(lua_State *L, const char *name) {
    int top = lua_gettop(L);
    lua_CFunction function = lua_tocfunction(L, top);
    bool is_plain = function != NULL;
    for (int i = 1; is_plain && lua_getupvalue(L, top, i) != NULL; i++) {
        is_plain = lua_type(L, -1) == LUA_TNUMBER;
        lua_pop(L, 1);
    }
    lua_getfield(L, LUA_REGISTRYINDEX, "Data");
    bsl_push_option(L, lua_gettop(L), name);
    lua_CFunction genuine = lua_tocfunction(L, -1);
    lua_settop(L, top);
    return is_plain && (genuine == NULL || genuine == function);
}

/* Calls the method of that name, without arguments, of the object at `arg`. */
static void call_method(lua_State *L, int arg, const char *name) {
    lua_getfield(L, arg, name);
    if (!lua_isfunction(L, -1)) {
        no_data(L, arg);
    }
    if (!lua_iscfunction(L, -1)) {
        bsl_bad(L, bsl_where_arg(arg), "Data whose %s is a C function expected", name);
    }
    if (!is_its_own(L, name)) {
        bsl_bad(L, bsl_where_arg(arg), "Data with a %s of its own expected", name);
    }
    lua_pushvalue(L, arg);
    lua_call(L, 1, 1);
}

/*
 * The pointer and the size must come from one object and from its own C functions. So a script
 * cannot make this write to memory that does not exist, except with the debug library or pointers
 * of its own. Userdata of newproxy in Lua 5.1 and LuaJIT have methods that a script chooses, but
 * they are empty.
 */
float *bsl_check_data(lua_State *L, int arg, double *bytes) {
    int top = lua_gettop(L);
    const uint64_t *magic = lua_touserdata(L, arg);
    const size_t length = lua_type(L, arg) == LUA_TUSERDATA ? bsl_length(L, arg) : 0;
    /* Our own userdata are no Data, and raise errors of their own about missing fields. */
    const bool is_ours = length >= sizeof *magic && *magic >> 8 == BSL_MAGIC(0) >> 8;
    if (length == 0 || is_ours || !luaL_getmetafield(L, arg, "__index")) {
        no_data(L, arg);
    }
    call_method(L, arg, "getPointer");
    call_method(L, arg, "getSize");
    float *memory = lua_touserdata(L, -2);
    *bytes = lua_type(L, -1) == LUA_TNUMBER ? lua_tonumber(L, -1) : 0;
    bool usable = lua_islightuserdata(L, -2) && memory != NULL && *bytes > 0 &&
                  (uintptr_t)memory % sizeof *memory == 0;
    if (!usable) {
        bsl_bad(L, bsl_where_arg(arg), "Data whose memory floats can be written to expected");
    }
    lua_settop(L, top);
    return memory;
}

void bsl_check_data_size(lua_State *L, int arg, double bytes, size_t need) {
    if (!(bytes >= (double)need)) {
        bsl_bad(L, bsl_where_arg(arg), "Data of %zu bytes or more expected, got %.14g", need,
                bytes);
    }
}
