#include "args.h"
#include "cursor.h"
#include "memory.h"
#include "module.h"
#include "volley.h"

#include <string.h>

#if DIM == 2
#define SUFFIX ""
#else
#define SUFFIX "3"
#endif

const bsl_group bsl_groups[] = {
    {bsl_world_functions, 0, 2, ""}, /* called by newWorld in init.lua */
    {bsl_backend_functions, 0, 1, ""},     {bsl_geometry_functions, 0, 1, SUFFIX},
    {bsl_world_methods, 1, 1, ""},         {bsl_world_metamethods, 1, 1, ""},
    {bsl_world_box_methods, 1, 1, ""},     {bsl_world_list_methods, 1, 1, ""},
    {bsl_world_pair_methods, 1, 1, ""},    {bsl_world_contact_methods, 1, 1, ""},
    {bsl_world_query_methods, 1, 1, ""},   {bsl_world_cast_methods, 1, 1, ""},
    {bsl_world_resolve_methods, 1, 1, ""}, {bsl_world_move_methods, 1, 1, ""},
    {bsl_world_push_methods, 1, 1, ""},    {bsl_world_place_methods, 1, 1, ""},
    {bsl_world_hit_methods, 1, 1, ""},     {bsl_box_methods, 1, 1, ""},
    {bsl_box_metamethods, 1, 1, ""},       {bsl_backend_methods, 1, 1, ""},
    {bsl_backend_metamethods, 1, 1, ""},   {bsl_pool_functions, 0, 2, ""}, /* as newWorld */
    {bsl_model_functions, 0, 2, ""},       {bsl_pool_methods, 1, 1, ""},
    {bsl_pool_metamethods, 1, 1, ""},      {bsl_pool_mover_methods, 1, 1, ""},
    {bsl_pool_loop_methods, 1, 1, ""},     {bsl_pool_emitter_methods, 1, 1, ""},
    {bsl_emitter_methods, 1, 1, ""},       {bsl_emitter_metamethods, 1, 1, ""},
    {bsl_model_metamethods, 1, 1, ""},     {NULL, 0, 0, NULL},
};

static const luaL_Reg *const world_methods[] = {
    bsl_world_methods,
    bsl_world_box_methods,
    bsl_world_list_methods,
    bsl_world_pair_methods,
    bsl_world_contact_methods,
    bsl_world_query_methods,
    bsl_world_cast_methods,
    bsl_world_resolve_methods,
    bsl_world_move_methods,
    bsl_world_push_methods,
    bsl_world_place_methods,
    bsl_world_hit_methods,
    NULL,
};
static const luaL_Reg *const box_methods[] = {bsl_box_methods, NULL};
static const luaL_Reg *const backend_methods[] = {bsl_backend_methods, NULL};
static const luaL_Reg *const pool_methods[] = {bsl_pool_methods, bsl_pool_mover_methods,
                                               bsl_pool_loop_methods, bsl_pool_emitter_methods,
                                               NULL};
static const luaL_Reg *const emitter_methods[] = {bsl_emitter_methods, NULL};
static const luaL_Reg *const no_methods[] = {NULL};

void bsl_set_metatable(lua_State *L, const char *name) {
    lua_getfield(L, LUA_REGISTRYINDEX, name);
    if (!lua_istable(L, -1)) {
        bsl_fail(L, "the registry is damaged");
    }
    lua_setmetatable(L, -2);
}

/* Pushes the table that the registry has of that name; false, and nothing, if it has none. */
static bool push_registered(lua_State *L, const char *name) {
    lua_getfield(L, LUA_REGISTRYINDEX, name);
    if (lua_istable(L, -1)) {
        return true;
    }
    lua_pop(L, 1);
    return false;
}

/*
 * `type` is what getmetatable answers, so that scripts cannot reach the metatable. It is registered
 * when it is complete: a module that could not be loaded for want of memory can be loaded again.
 */
static void make_class(lua_State *L, const char *name, const char *type,
                       const luaL_Reg *const *methods, const luaL_Reg *metamethods) {
    if (!push_registered(L, name)) {
        lua_newtable(L);
        bsl_set_functions(L, metamethods);
        lua_newtable(L);
        for (; *methods != NULL; methods++) {
            bsl_set_functions(L, *methods);
        }
        lua_setfield(L, -2, "__index");
        lua_pushstring(L, name);
        lua_setfield(L, -2, "__name");
        lua_pushstring(L, type);
        lua_setfield(L, -2, "__metatable");
        lua_pushvalue(L, -1);
        lua_setfield(L, LUA_REGISTRYINDEX, name);
    }
    lua_pop(L, 1);
}

static void make_weak_metatable(lua_State *L) {
    if (!push_registered(L, BSL_WEAK_META)) {
        lua_newtable(L);
        lua_pushliteral(L, "v");
        lua_setfield(L, -2, "__mode");
        lua_pushvalue(L, -1);
        lua_setfield(L, LUA_REGISTRYINDEX, BSL_WEAK_META);
    }
    lua_pop(L, 1);
}

#if LUA_VERSION_NUM < 502
/*
 * When a state is closed, Lua 5.1 and LuaJIT unload this module before they call the finalisers of
 * objects that are older than it; and those may use our objects. Without the handle that package
 * keeps for that, the module stays until the process ends.
 */
static void stay_loaded(lua_State *L) {
    static const char prefix[] = "LOADLIB: ";
    lua_pushnil(L);
    while (lua_next(L, LUA_REGISTRYINDEX) != 0) {
        const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
        void **handle = bsl_block(L, -1, sizeof *handle);
        const char *folder = strstr(key, "broadside");
        if (handle != NULL && strncmp(key, prefix, sizeof prefix - 1) == 0 && folder != NULL &&
            strstr(folder, DIM == 2 ? "d2." : "d3.") != NULL) {
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

static int open(lua_State *L) {
    stay_loaded(L);
    make_weak_metatable(L);
    bsl_push_ledger(L);
    lua_pop(L, 1);
    make_class(L, BSL_WORLD_META, "World", world_methods, bsl_world_metamethods);
    make_class(L, BSL_BOX_META, "Box", box_methods, bsl_box_metamethods);
    make_class(L, BSL_CURSOR_META, "Cursor", no_methods, bsl_cursor_metamethods);
    make_class(L, BSL_BACKEND_META, "Backend", backend_methods, bsl_backend_metamethods);
    make_class(L, BSL_POOL_META, "Pool", pool_methods, bsl_pool_metamethods);
    make_class(L, BSL_EMITTER_META, "Emitter", emitter_methods, bsl_emitter_metamethods);
    make_class(L, BSL_MODEL_META, "Model", no_methods, bsl_model_metamethods);
    make_class(L, BSL_VOLLEY_META, "Volley", no_methods, bsl_volley_metamethods);
    lua_newtable(L);
    bsl_set_functions(L, bsl_world_functions);
    bsl_set_functions(L, bsl_pool_functions);
    bsl_set_functions(L, bsl_model_functions);
    bsl_set_functions(L, bsl_backend_functions);
    bsl_set_functions(L, bsl_geometry_functions);
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
