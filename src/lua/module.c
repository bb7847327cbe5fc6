/* module.c: opens the module, and makes its table and classes from the lists of module.h. */
#include "memory.h"
#include "module.h"
#include "results.h"

#include <string.h>

#if DIM == 2
#define OPEN luaopen_broadside_d2
#else
#define OPEN luaopen_broadside_d3
#endif

const bsl_group bsl_groups[] = {
#define GROUP(class, list, level, suffix) {class, list, level, suffix},
    BSL_GROUPS(GROUP)
#undef GROUP
        {BSL_NO_CLASS, NULL, 0, NULL},
};

const struct bsl_class_names bsl_classes[] = {
#define CLASS(id, name, type) {"broadside." name, type},
    BSL_CLASSES(CLASS)
#undef CLASS
};

/* Adds the functions of a class to the table at `methods`, and its metamethods to the other one. */
static void set_functions(lua_State *L, bsl_class class, int methods, int metamethods) {
    for (const bsl_group *group = bsl_groups; group->functions != NULL; group++) {
        const luaL_Reg *row = group->functions;
        for (; group->class == class && row->name != NULL; row++) {
            lua_pushcfunction(L, row->func);
            lua_setfield(L, strncmp(row->name, "__", 2) == 0 ? metamethods : methods, row->name);
        }
    }
}

/*
 * Pushes the metatable of a class. The methods are in a plain table, for fast access. A class is
 * registered only when it is complete: if there is no memory to load the module, it can be loaded
 * again later.
 */
static void push_class(lua_State *L, bsl_class class) {
    const struct bsl_class_names *names = &bsl_classes[class];
    int metatable = lua_gettop(L) + 1;
    lua_getfield(L, LUA_REGISTRYINDEX, names->name);
    if (!lua_isnil(L, -1)) {
        return;
    }
    lua_pop(L, 1);
    lua_newtable(L);
    lua_newtable(L);
    set_functions(L, class, metatable + 1, metatable);
    lua_setfield(L, metatable, "__index");
    lua_pushstring(L, names->name);
    lua_setfield(L, metatable, "__name");
    lua_pushstring(L, names->type);
    lua_setfield(L, metatable, "__metatable");
    lua_pushvalue(L, metatable);
    lua_setfield(L, LUA_REGISTRYINDEX, names->name);
}

#if LUA_VERSION_NUM < 502
/*
 * When a state is closed, Lua 5.1 and LuaJIT unload this module before they call the finalisers of
 * older objects, which may use our objects. They do so by a handle in the registry. Without that
 * handle, the module stays until the process ends. (The same happens to any other module of that
 * name, because the folder of this one can have any name.)
 */
static void stay_loaded(lua_State *L) {
    static const char prefix[] = "LOADLIB: ";
    lua_pushnil(L);
    while (lua_next(L, LUA_REGISTRYINDEX) != 0) {
        const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
        void **handle = lua_touserdata(L, -1);
        if (handle != NULL && strncmp(key, prefix, sizeof prefix - 1) == 0 &&
            strstr(key, DIM == 2 ? "d2." : "d3.") != NULL) {
            *handle = NULL;
        }
        lua_pop(L, 1);
    }
}
#endif

/* loader.lua looks for this string in the file of a library that does not load. */
#if defined(__ANDROID__)
static const char built_for[] __attribute__((used)) = "Broadside for " LUA_VERSION " on Android";
#else
static const char built_for[] __attribute__((used)) = "Broadside for " LUA_VERSION;
#endif

BSL_EXPORT int OPEN(lua_State *L);
int OPEN(lua_State *L) {
#if LUA_VERSION_NUM >= 502
    luaL_checkversion(L);
#else
    stay_loaded(L);
#endif
    bsl_prepare_protect(L);
    bsl_push_ledger(L);
    lua_pop(L, 1);
    lua_newtable(L);
    set_functions(L, BSL_NO_CLASS, lua_gettop(L), 0);
    lua_createtable(L, BSL_NO_CLASS, 0); /* with them hints.lua makes unknown names an error */
    for (int i = 0; i < BSL_NO_CLASS; i++) {
        push_class(L, (bsl_class)i);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "classes");
    bsl_prepare_lists(L);
    lua_setfield(L, -2, "rows");
    lua_pushvalue(L, -1);
    lua_setfield(L, LUA_REGISTRYINDEX, BSL_MODULE);
    return 1;
}
