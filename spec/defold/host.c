/*
 * host.c: a stand-in for Defold's engine. It contains the extension, and runs a script.
 *
 *     host SCRIPT ARGUMENT
 */
#include <stdio.h>

#include <dmsdk/extension/extension.h>
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

void Broadside(void);

static FExtensionInitialize registered;

void ExtensionRegister(void *desc, uint32_t size, const char *name, void *app_initialize,
                       void *app_finalize, FExtensionInitialize initialize,
                       FExtensionInitialize finalize, FExtensionInitialize update, void *on_event) {
    (void)desc, (void)size, (void)name, (void)app_initialize, (void)app_finalize;
    (void)finalize, (void)update, (void)on_event;
    registered = initialize;
}

int main(int argc, char **argv) {
    lua_State *L = luaL_newstate();
    if (L == NULL || argc != 3) {
        fprintf(stderr, "usage: host SCRIPT ARGUMENT\n");
        return 2;
    }
    luaL_openlibs(L);
    Broadside();
    ExtensionParams params = {NULL, L};
    int failed = registered(&params) != EXTENSION_RESULT_OK || luaL_loadfile(L, argv[1]) != 0;
    lua_pushstring(L, argv[2]);
    failed = failed || lua_pcall(L, 1, 0, 0) != 0;
    if (failed) {
        fprintf(stderr, "%s\n", lua_tostring(L, -1));
    }
    lua_close(L);
    return failed;
}
