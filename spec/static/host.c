/*
 * host.c: a program that contains Broadside in 2D and in 3D, and runs a script.
 *
 *     host SCRIPT [ARGUMENT...]
 *
 * It shows what a game has to do on systems that cannot load libraries: phones, WebAssembly,
 * consoles.
 */
#include <stdio.h>

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

int luaopen_broadside_d2(lua_State *L);
int luaopen_broadside_d3(lua_State *L);

/* Makes require(name) call that function. */
static void preload(lua_State *L, const char *name, lua_CFunction open) {
    lua_getglobal(L, "package");
    lua_getfield(L, -1, "preload");
    lua_pushcfunction(L, open);
    lua_setfield(L, -2, name);
    lua_pop(L, 2);
}

int main(int argc, char **argv) {
    lua_State *L = luaL_newstate();
    if (L == NULL || argc < 2) {
        fprintf(stderr, "usage: host SCRIPT [ARGUMENT...]\n");
        return 2;
    }
    luaL_openlibs(L);
    preload(L, "broadside.d2", luaopen_broadside_d2);
    preload(L, "broadside.d3", luaopen_broadside_d3);
    int failed = luaL_loadfile(L, argv[1]) != 0;
    if (!failed) {
        for (int i = 2; i < argc; i++) {
            lua_pushstring(L, argv[i]);
        }
        failed = lua_pcall(L, argc - 2, 0, 0) != 0;
    }
    if (failed) {
        fprintf(stderr, "%s\n", lua_tostring(L, -1));
    }
    lua_close(L);
    return failed;
}
