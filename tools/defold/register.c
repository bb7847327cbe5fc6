/*
 * register.c: makes Broadside an extension of Defold: require("broadside.d2") and d3 open the
 * modules that are compiled into the engine.
 */
/* The header defines a variable of this name. Other extensions in C would define it, too. */
#define ExtensionDescBufferSize BroadsideDescBufferSize
#include <dmsdk/extension/extension.h>
#include <dmsdk/lua/lauxlib.h>
#include <dmsdk/lua/lua.h>

int luaopen_broadside_d2(lua_State *L);
int luaopen_broadside_d3(lua_State *L);
void Broadside(void);

static ExtensionResult initialize(ExtensionParams *params) {
    lua_State *L = params->m_L;
    lua_getglobal(L, "package");
    lua_getfield(L, -1, "preload");
    lua_pushcfunction(L, luaopen_broadside_d2);
    lua_setfield(L, -2, "broadside.d2");
    lua_pushcfunction(L, luaopen_broadside_d3);
    lua_setfield(L, -2, "broadside.d3");
    lua_pop(L, 2);
    return EXTENSION_RESULT_OK;
}

static ExtensionResult finalize(ExtensionParams *params) {
    (void)params;
    return EXTENSION_RESULT_OK;
}

/* The engine calls this function by its name in ext.manifest. */
void Broadside(void) {
    static union {
        char bytes[256];
        double aligned;
    } description;
    ExtensionRegister(&description, sizeof description, "Broadside", NULL, NULL, initialize,
                      finalize, NULL, NULL);
}
