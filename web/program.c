/*
 * program.c: Lua with Broadside in a page. JavaScript passes files in, runs a chunk, and calls the
 * handlers that the chunk has set.
 *
 * A program has limited memory, and limited time for each call. If it exceeds one of them, it gets
 * a Lua error that it cannot catch with pcall.
 */
#include "program.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <emscripten.h>
#include <lualib.h>

int luaopen_broadside_d2(lua_State *L);
int luaopen_broadside_d3(lua_State *L);

enum { BETWEEN = 100000 }; /* how many calls and jumps there are between two looks at the clock */

static lua_State *state;
static double used, most; /* in bytes */
static double deadline;   /* in milliseconds */
static double allowed;    /* milliseconds for a call, or 0 for no limit */

static void *resize(void *host, void *block, size_t before, size_t size) {
    (void)host;
    before = block != NULL ? before : 0;
    if (size == 0) {
        free(block);
        used -= (double)before;
        return NULL;
    }
    if (size > before && used + (double)(size - before) > most) {
        return NULL;
    }
    void *moved = realloc(block, size);
    if (moved != NULL) {
        used += (double)size - (double)before;
    }
    return moved;
}

static void stop(lua_State *L, lua_Debug *at) {
    lua_getinfo(L, "Sl", at);
    lua_pushfstring(L, "%s:%d: stopped: this ran for more than %d s without an end", at->short_src,
                    at->currentline, (int)(allowed / 1000));
    lua_error(L);
}

/* Lua's interpreter counts this down, see lvm.sed. When it is below zero, it looks at the clock. */
int web_left = BETWEEN;

/*
 * When the time is over, each further instruction raises an error, so that a loop around pcall
 * ends, too.
 */
void web_look(lua_State *L) {
    bool is_late = allowed > 0 && emscripten_get_now() > deadline;
    web_left = is_late ? 0 : BETWEEN;
    if (is_late) {
        lua_sethook(L, stop, LUA_MASKCOUNT, 1);
    }
}

static void preload(lua_State *L, const char *name, lua_CFunction open) {
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
    lua_pushcfunction(L, open);
    lua_setfield(L, -2, name);
    lua_pop(L, 1);
}

static int now(lua_State *L) {
    lua_pushnumber(L, emscripten_get_now() / 1000);
    return 1;
}

static int bytes_used(lua_State *L) {
    lua_pushnumber(L, used);
    return 1;
}

/*
 * A page has no files, processes or environment. So there is no io, and only the functions of os
 * that need none of these.
 */
static void open_libraries(lua_State *L) {
    static const luaL_Reg libraries[] = {
        {LUA_GNAME, luaopen_base},          {LUA_LOADLIBNAME, luaopen_package},
        {LUA_COLIBNAME, luaopen_coroutine}, {LUA_TABLIBNAME, luaopen_table},
        {LUA_STRLIBNAME, luaopen_string},   {LUA_MATHLIBNAME, luaopen_math},
        {LUA_UTF8LIBNAME, luaopen_utf8},    {LUA_DBLIBNAME, luaopen_debug},
        {LUA_OSLIBNAME, luaopen_os},        {NULL, NULL},
    };
    for (const luaL_Reg *library = libraries; library->name != NULL; library++) {
        luaL_requiref(L, library->name, library->func, 1);
        lua_pop(L, 1);
    }
    static const char *const missing[] = {"execute", "exit",    "getenv",   "remove",
                                          "rename",  "tmpname", "setlocale"};
    lua_getglobal(L, LUA_OSLIBNAME);
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++) {
        lua_pushnil(L);
        lua_setfield(L, -2, missing[i]);
    }
    lua_pop(L, 1);
}

/* Makes the global `web`, which love.lua and the page's other chunks use. */
static void open_web(lua_State *L) {
    lua_newtable(L);
    lua_newtable(L);
    lua_setfield(L, -2, "files");
    lua_newtable(L);
    lua_setfield(L, -2, "handlers");
    lua_pushcfunction(L, now);
    lua_setfield(L, -2, "now");
    lua_pushcfunction(L, bytes_used);
    lua_setfield(L, -2, "used");
    lua_setglobal(L, "web");
}

static int open_all(lua_State *L) {
    open_libraries(L);
    preload(L, "broadside.d2", luaopen_broadside_d2);
    preload(L, "broadside.d3", luaopen_broadside_d3);
    preload(L, "web.graphics", web_open_graphics);
    preload(L, "web.data", web_open_data);
    open_web(L);
    return 0;
}

static int with_traceback(lua_State *L) {
    const char *text = luaL_tolstring(L, 1, NULL);
    luaL_traceback(L, L, text, 1);
    return 1;
}

/*
 * Calls the function below n arguments. Leaves its result, or an error message, on the stack as a
 * string.
 */
static int call(lua_State *L, int n) {
    int base = lua_gettop(L) - n;
    lua_pushcfunction(L, with_traceback);
    lua_insert(L, base);
    deadline = emscripten_get_now() + allowed;
    web_left = BETWEEN;
    int failed = lua_pcall(L, n, 1, base) != LUA_OK;
    lua_sethook(L, NULL, 0, 0);
    lua_remove(L, base);
    return failed;
}

static int finish(lua_State *L, int failed) {
    lua_setfield(L, LUA_REGISTRYINDEX, "web.message");
    return failed;
}

/* Starts Lua again, with memory for `bytes`, and `milliseconds` for each call. */
EMSCRIPTEN_KEEPALIVE int web_start(double bytes, double milliseconds) {
    if (state != NULL) {
        lua_close(state);
    }
    used = 0;
    most = bytes;
    allowed = milliseconds;
    state = lua_newstate(resize, NULL);
    if (state == NULL) {
        return 1;
    }
    lua_pushcfunction(state, open_all);
    return finish(state, call(state, 0));
}

/* Allocates memory to which JavaScript writes text. */
EMSCRIPTEN_KEEPALIVE char *web_room(size_t size) {
    return malloc(size);
}

EMSCRIPTEN_KEEPALIVE void web_free(void *block) {
    free(block);
}

EMSCRIPTEN_KEEPALIVE void web_put(const char *path, const char *text, size_t length) {
    lua_getglobal(state, "web");
    lua_getfield(state, -1, "files");
    lua_pushlstring(state, text, length);
    lua_setfield(state, -2, path);
    lua_pop(state, 2);
}

/* Runs a chunk. Returns 1 if it fails. */
EMSCRIPTEN_KEEPALIVE int web_run(const char *name, const char *text, size_t length) {
    lua_settop(state, 0);
    if (luaL_loadbuffer(state, text, length, name) != LUA_OK) {
        return finish(state, 1);
    }
    return finish(state, call(state, 0));
}

/* Calls web.handlers[name](text, a, b, c, d) if there is such a handler. */
EMSCRIPTEN_KEEPALIVE int web_call(const char *name, const char *text, double a, double b, double c,
                                  double d) {
    lua_settop(state, 0);
    lua_getglobal(state, "web");
    lua_getfield(state, -1, "handlers");
    if (lua_getfield(state, -1, name) != LUA_TFUNCTION) {
        return 0;
    }
    lua_pushstring(state, text);
    lua_pushnumber(state, a);
    lua_pushnumber(state, b);
    lua_pushnumber(state, c);
    lua_pushnumber(state, d);
    return finish(state, call(state, 5));
}

/* The result of the last call, or its error message. */
EMSCRIPTEN_KEEPALIVE const char *web_message(void) {
    lua_settop(state, 0);
    lua_getfield(state, LUA_REGISTRYINDEX, "web.message");
    const char *text = lua_tostring(state, -1);
    return text != NULL ? text : "";
}
