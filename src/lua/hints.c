/* hints.c: raises errors about unknown names; hints.lua has the words. */
#include "hints.h"

#include "handles.h"
#include "module.h"

#include <string.h>

void bsl_add_name(lua_State *L, const char *name) {
    lua_pushstring(L, name);
    lua_rawseti(L, -2, (int)bsl_length(L, -2) + 1);
}

void bsl_push_hint(lua_State *L, const char *kind, const char *name, bool is_set) {
    int names = lua_gettop(L);
    lua_getfield(L, LUA_REGISTRYINDEX, BSL_MODULE);
    bsl_push_option(L, lua_gettop(L), "hint");
    if (lua_isfunction(L, -1)) {
        lua_pushstring(L, kind);
        lua_pushstring(L, name);
        lua_pushvalue(L, names);
        lua_pushboolean(L, is_set);
        lua_call(L, 4, 1);
    } else {
        lua_pushliteral(L, "");
    }
    lua_replace(L, names);
    lua_settop(L, names);
}

/* Pushes the list of the methods of a class. */
static void push_methods(lua_State *L, const char *class) {
    lua_newtable(L);
    for (const bsl_group *group = bsl_groups; group->functions != NULL; group++) {
        bool is_of_it = group->class != NULL && strcmp(group->class, class) == 0;
        for (const luaL_Reg *row = group->functions; is_of_it && row->name != NULL; row++) {
            if (strncmp(row->name, "__", 2) != 0) {
                bsl_add_name(L, row->name);
            }
        }
    }
}

/* Pushes the list of the fields of rows. */
static void push_fields(lua_State *L) {
    lua_newtable(L);
    for (int i = BSL_OTHER; i < BSL_NAMES; i++) {
        if (DIM == 3 || (i != BSL_Z && i != BSL_NZ)) {
            bsl_add_name(L, bsl_names[i]);
        }
    }
}

/*
 * Pushes the position of the line that asks for the field. In Lua 5.3 and 5.4 ipairs may ask, which
 * has no line; then it is the line that calls ipairs.
 */
static void push_where(lua_State *L) {
    luaL_where(L, 1);
    if (bsl_length(L, -1) == 0) {
        lua_pop(L, 1);
        luaL_where(L, 2);
    }
}

int bsl_no_field(lua_State *L) {
    enum { KEY = 2, VALUE, SHOWN = 60 };
    const char *class = lua_tostring(L, lua_upvalueindex(1));
    const char *type = lua_tostring(L, lua_upvalueindex(2));
    bool is_name = lua_type(L, KEY) == LUA_TSTRING;
    bool is_set = !lua_isnone(L, VALUE);
    const char *name =
        is_name ? bsl_to_name(L, KEY) : lua_pushfstring(L, "[%s]", luaL_typename(L, KEY));
    int first = lua_gettop(L) + 1;
    push_where(L);
    lua_pushfstring(L, is_name ? "%s has no '" : "%s has no ", type);
    lua_pushlstring(L, name, strlen(name) < SHOWN ? strlen(name) : SHOWN);
    lua_pushfstring(L, is_name ? "'%s" : "%s", is_set ? " to set" : "");
    if (class != NULL) {
        push_methods(L, class);
    } else {
        push_fields(L);
    }
    bsl_push_hint(L, type, name, is_set);
    lua_concat(L, lua_gettop(L) - first + 1);
    return lua_error(L);
}

int bsl_no_hit_field(lua_State *L) {
    const char *name = bsl_to_name(L, 2);
    if (lua_type(L, 2) != LUA_TSTRING) {
        return 0;
    }
    for (int i = BSL_OTHER; i < BSL_NAMES; i++) {
        if (strcmp(name, bsl_names[i]) == 0) {
            return 0;
        }
    }
    return bsl_no_field(L);
}
