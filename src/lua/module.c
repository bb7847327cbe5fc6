/* module.c: opens the module, and makes its table and classes from the lists of module.h. */
#include "cursor.h"
#include "hints.h"
#include "memory.h"
#include "module.h"
#include "results.h"

#include <string.h>

#if DIM == 2
#define SUFFIX ""
#else
#define SUFFIX "3"
#endif

const bsl_group bsl_groups[] = {
    {NULL, bsl_world_functions, 2, ""}, /* functions of init.lua call these */
    {NULL, bsl_pool_functions, 2, ""},
    {NULL, bsl_emitter_functions, 2, ""},
    {NULL, bsl_backend_functions, 1, ""},
    {NULL, bsl_geometry_functions, 1, SUFFIX},
    {BSL_WORLD_META, bsl_world_methods, 1, ""},
    {BSL_WORLD_META, bsl_boxes_methods, 1, ""},
    {BSL_WORLD_META, bsl_pair_methods, 1, ""},
    {BSL_WORLD_META, bsl_step_methods, 1, ""},
    {BSL_WORLD_META, bsl_contact_methods, 1, ""},
    {BSL_WORLD_META, bsl_query_methods, 1, ""},
    {BSL_WORLD_META, bsl_cast_methods, 1, ""},
    {BSL_WORLD_META, bsl_resolve_methods, 1, ""},
    {BSL_WORLD_META, bsl_move_methods, 1, ""},
    {BSL_WORLD_META, bsl_place_methods, 1, ""},
    {BSL_WORLD_META, bsl_shape_methods, 1, ""},
    {BSL_BOX_META, bsl_box_methods, 1, ""},
    {BSL_BOX_META, bsl_property_methods, 1, ""},
    {BSL_BOX_META, bsl_outline_methods, 1, ""},
    {BSL_WORLD_META, bsl_world_snapshots, 1, ""},
    {BSL_SNAPSHOT_META, bsl_snapshot_methods, 1, ""},
    {BSL_CURSOR_META, bsl_cursor_methods, 1, ""},
    {BSL_BACKEND_META, bsl_backend_methods, 1, ""},
    {BSL_POOL_META, bsl_pool_methods, 1, ""},
    {BSL_POOL_META, bsl_hit_methods, 1, ""},
    {BSL_POOL_META, bsl_pool_emitters, 1, ""},
    {BSL_EMITTER_META, bsl_emitter_methods, 1, ""},
    {BSL_MODEL_META, bsl_model_methods, 1, ""},
    {BSL_POOL_META, bsl_pool_snapshots, 1, ""},
    {BSL_POOL_SNAPSHOT_META, bsl_pool_snapshot_methods, 1, ""},
    {NULL, NULL, 0, NULL},
};

/* Adds functions to the table of functions or methods, and metamethods to the other one. */
static void set_functions(lua_State *L, const luaL_Reg *row, int methods, int metamethods) {
    for (; row->name != NULL; row++) {
        lua_pushcfunction(L, row->func);
        lua_setfield(L, strncmp(row->name, "__", 2) == 0 ? metamethods : methods, row->name);
    }
}

/* Sets a field of the table at `index` to the function that raises errors about unknown names. */
static void set_no_field(lua_State *L, int index, const char *field, const char *class,
                         const char *type) {
    lua_pushstring(L, class);
    lua_pushstring(L, type);
    lua_pushcclosure(L, bsl_no_field, 2);
    lua_setfield(L, index, field);
}

/*
 * The methods are in a plain table, for fast access. Its metatable raises the error about unknown
 * names.
 */
static void set_methods(lua_State *L, int methods, int metatable, const char *class,
                        const char *type) {
    lua_newtable(L);
    set_no_field(L, lua_gettop(L), "__index", class, type);
    lua_setmetatable(L, methods);
    set_no_field(L, metatable, "__newindex", class, type);
    lua_pushvalue(L, methods);
    lua_setfield(L, metatable, "__index");
}

/*
 * getmetatable returns `type`, so scripts cannot reach the metatable. A class is registered only
 * when it is complete: if there is no memory to load the module, it can be loaded again later.
 */
static void make_class(lua_State *L, const char *class, const char *type) {
    int top = lua_gettop(L);
    lua_getfield(L, LUA_REGISTRYINDEX, class);
    if (lua_isnil(L, -1)) {
        lua_newtable(L);
        lua_newtable(L);
        for (const bsl_group *group = bsl_groups; group->functions != NULL; group++) {
            if (group->class != NULL && strcmp(group->class, class) == 0) {
                set_functions(L, group->functions, top + 3, top + 2);
            }
        }
        set_methods(L, top + 3, top + 2, class, type);
        lua_settop(L, top + 2);
        lua_pushstring(L, class);
        lua_setfield(L, top + 2, "__name");
        lua_pushstring(L, type);
        lua_setfield(L, top + 2, "__metatable");
        lua_setfield(L, LUA_REGISTRYINDEX, class);
    }
    lua_settop(L, top);
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
#else
static void stay_loaded(lua_State *L) {
    (void)L;
}
#endif

/* loader.lua looks for this string in the file of a library that does not load. */
#if defined(__ANDROID__)
static const char built_for[] __attribute__((used)) = "Broadside for " LUA_VERSION " on Android";
#else
static const char built_for[] __attribute__((used)) = "Broadside for " LUA_VERSION;
#endif

static int open(lua_State *L) {
#if LUA_VERSION_NUM >= 502
    luaL_checkversion(L);
#endif
    stay_loaded(L);
    bsl_prepare_protect(L);
    bsl_prepare_lists(L);
    bsl_push_ledger(L);
    lua_pop(L, 1);
    make_class(L, BSL_WORLD_META, "World");
    make_class(L, BSL_BOX_META, "Box");
    make_class(L, BSL_CURSOR_META, "Cursor");
    make_class(L, BSL_BACKEND_META, "Backend");
    make_class(L, BSL_POOL_META, "Pool");
    make_class(L, BSL_EMITTER_META, "Emitter");
    make_class(L, BSL_MODEL_META, "Model");
    make_class(L, BSL_SNAPSHOT_META, "Snapshot");
    make_class(L, BSL_POOL_SNAPSHOT_META, "Snapshot");
    lua_newtable(L);
    for (const bsl_group *group = bsl_groups; group->functions != NULL; group++) {
        if (group->class == NULL) {
            set_functions(L, group->functions, lua_gettop(L), 0);
        }
    }
    lua_pushvalue(L, -1);
    lua_setfield(L, LUA_REGISTRYINDEX, BSL_MODULE);
    return 1;
}

#if DIM == 2
BSL_EXPORT int luaopen_broadside_d2(lua_State *L);
int luaopen_broadside_d2(lua_State *L) {
    return open(L);
}
#else
BSL_EXPORT int luaopen_broadside_d3(lua_State *L);
int luaopen_broadside_d3(lua_State *L) {
    return open(L);
}
#endif
