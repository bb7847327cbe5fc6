/*
 * data.c: love.data.newByteData. It makes the memory that Broadside writes rows to, for
 * broadside.draw.
 */
#include "program.h"

#include <string.h>

static const char DATA[] = "web.ByteData";

static int get_pointer(lua_State *L) {
    lua_pushlightuserdata(L, luaL_checkudata(L, 1, DATA));
    return 1;
}

static int get_size(lua_State *L) {
    luaL_checkudata(L, 1, DATA);
    lua_pushinteger(L, (lua_Integer)lua_rawlen(L, 1));
    return 1;
}

static int new_byte_data(lua_State *L) {
    lua_Integer size = luaL_checkinteger(L, 1);
    luaL_argcheck(L, size > 0, 1, "size > 0 expected");
    memset(lua_newuserdatauv(L, (size_t)size, 0), 0, (size_t)size);
    luaL_setmetatable(L, DATA);
    return 1;
}

int web_open_data(lua_State *L) {
    static const luaL_Reg methods[] = {
        {"getPointer", get_pointer},
        {"getSize", get_size},
        {NULL, NULL},
    };
    luaL_newmetatable(L, DATA);
    luaL_newlib(L, methods);
    lua_setfield(L, -2, "__index");
    lua_newtable(L);
    lua_pushcfunction(L, new_byte_data);
    lua_setfield(L, -2, "newByteData");
    return 1;
}
