/* memory.c: reports what worlds and pools hold to the collector, and closes what that does not. */
#include "memory.h"

#include <assert.h>
#include <string.h>

/* --- the ledger ----------------------------------------------------------------------------- */

/* Calls the finaliser of the value at a stack index, if it has one. */
static void finalise(lua_State *L, int index) {
    int top = lua_gettop(L);
    if (luaL_getmetafield(L, index, "__gc")) {
        lua_pushvalue(L, index);
        lua_pcall(L, 1, 0, 0);
    }
    lua_settop(L, top);
}

/* Calls the finalisers of all keys and values of the table at the top of the stack. */
static void finalise_all(lua_State *L) {
    int table = lua_gettop(L);
    lua_pushnil(L);
    while (lua_next(L, table) != 0) {
        finalise(L, table + 1);
        finalise(L, table + 2);
        lua_pop(L, 1);
    }
}

static void free_block(bsl_ledger *ledger, bsl_link *link) {
    link->before->after = link->after;
    link->after->before = link->before;
    ledger->resize(ledger->host, link, link->size, 0);
}

/*
 * The ledger's finaliser. It may call a finaliser for the second time, which then does nothing.
 * What is left then belongs to objects that Lua has freed without calling theirs.
 */
static int gc(lua_State *L) {
    bsl_ledger *ledger = bsl_block(L, 1, BSL_LEDGER_CLASS);
    if (ledger == NULL) {
        return 0;
    }
    ledger->closed = true;
    bsl_get_uservalue(L, 1);
    finalise_all(L);
    lua_getmetatable(L, 1);
    finalise_all(L);
    while (ledger->blocks.after != &ledger->blocks) {
        free_block(ledger, ledger->blocks.after);
    }
    return 0;
}

/*
 * The ledger refers weakly, in its user value, to all that may hold memory. They are keys: Lua
 * takes values out before it calls their finalisers, and keys when it frees them.
 */
static bsl_ledger *make_ledger(lua_State *L) {
    bsl_ledger *ledger = bsl_new_userdata(L, sizeof *ledger);
    memset(ledger, 0, sizeof *ledger);
    ledger->magic = BSL_MAGIC(BSL_LEDGER_CLASS);
    ledger->resize = lua_getallocf(L, &ledger->host);
    ledger->blocks.before = ledger->blocks.after = &ledger->blocks;
    bsl_push_weak_table(L, "k");
    bsl_set_uservalue(L, -2);
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, gc);
    lua_setfield(L, -2, "__gc");
    lua_setmetatable(L, -2);
    return ledger;
}

bsl_ledger *bsl_push_ledger(lua_State *L) {
    static const char name[] = "broadside.Ledger";
    lua_getfield(L, LUA_REGISTRYINDEX, name);
    bsl_ledger *ledger = bsl_block(L, -1, BSL_LEDGER_CLASS);
    if (ledger == NULL) {
        lua_pop(L, 1);
        ledger = make_ledger(L);
        lua_pushvalue(L, -1);
        lua_setfield(L, LUA_REGISTRYINDEX, name);
    }
    return ledger;
}

bsl_ledger *bsl_own(lua_State *L, int index) {
    bsl_ledger *ledger = bsl_push_ledger(L);
    if (ledger->closed) {
        bsl_fail(L, "the Lua state is being closed");
    }
    bsl_get_uservalue(L, -1);
    lua_pushvalue(L, index);
    lua_pushboolean(L, 1);
    lua_rawset(L, -3);
    lua_pop(L, 2);
    return ledger;
}

/* --- what the versions of Lua can be told --------------------------------------------------- */

enum { MOST_AT_ONCE = 1 << 20 }; /* kilobytes: a step of this size ends any cycle */

#if LUA_VERSION_NUM < 502

/* The option of lua_gc in LuaJIT 2.1. Lua 5.1 answers -1, as to all that it does not know. */
#define IS_RUNNING 9

static bool is_stopped(lua_State *L) {
    return lua_gc(L, IS_RUNNING, 0) == 0;
}

/*
 * In Lua 5.1 a step would start a collector that the script has stopped, and there is no way to ask
 * whether it is stopped. A block of garbage of that size has the right effect in both cases. Nobody
 * touches its memory.
 */
static bool step(lua_State *L, int kilobytes) {
    enum { AT_MOST = 64 << 10 };
    if (lua_gc(L, IS_RUNNING, 0) > 0) {
        return lua_gc(L, LUA_GCSTEP, kilobytes) != 0;
    }
    lua_newuserdata(L, (size_t)(kilobytes < AT_MOST ? kilobytes : AT_MOST) << 10);
    lua_pop(L, 1);
    return true;
}

#else

static bool is_stopped(lua_State *L) {
    return lua_gc(L, LUA_GCISRUNNING, 0) <= 0; /* -1 within a finaliser */
}

/* True if the step ended a cycle. */
static bool step(lua_State *L, int kilobytes) {
    return lua_gc(L, LUA_GCSTEP, kilobytes) != 0;
}

#endif

/* Keeps the owner in the ledger's metatable, as nothing else may refer to it. */
bool bsl_outlives_finaliser(lua_State *L, const bsl_account *account, bool running) {
    if (!running || account->ledger->closed) {
        return false;
    }
    (void)bsl_push_ledger(L);
    lua_getmetatable(L, -1);
    lua_pushvalue(L, 1);
    (void)luaL_ref(L, -2);
    return true;
}

/* --- telling -------------------------------------------------------------------------------- */

/*
 * A step does for C's memory what an allocation does for Lua's. But in the generational mode of Lua
 * 5.4, a step ends no cycle and collects only young objects. So a full collection runs when half of
 * all memory has been reported since a cycle ended. That is a pause of 200%, Lua's default.
 */
static int spend(lua_State *L) {
    enum { FEW = 8 << 20 };
    bsl_ledger *ledger = lua_touserdata(L, 1);
    const int kilobytes = ledger->kilobytes;
    ledger->debt = step(L, kilobytes) ? 0 : ledger->debt + ((size_t)kilobytes << 10);
    const size_t all = ledger->in_use + ((size_t)lua_gc(L, LUA_GCCOUNT, 0) << 10);
    if (ledger->debt > FEW && ledger->debt > all / 2) {
        lua_gc(L, LUA_GCCOLLECT, 0);
        ledger->debt = 0;
    }
    return 0;
}

/*
 * Finalisers that the collector runs may raise errors. Before Lua 5.4, these pass out of the step.
 * They are dropped, as Lua 5.4 drops them: the call that happened to report has done its work.
 */
static void spend_protected(lua_State *L, bsl_ledger *ledger) {
#if LUA_VERSION_NUM < 502
    int status = lua_cpcall(L, spend, ledger);
#else
    lua_pushcfunction(L, spend);
    lua_pushlightuserdata(L, ledger);
    int status = lua_pcall(L, 1, 0, 0);
#endif
    if (status != LUA_OK) {
        lua_pop(L, 1);
    }
}

void bsl_report(lua_State *L, bsl_account *account, size_t held) {
    bsl_ledger *ledger = account->ledger;
    size_t growth = (held > account->reported ? held - account->reported : 0) + account->unreported;
    size_t kilobytes = growth >> 10;
    if (is_stopped(L)) {
        return; /* it is reported when the collector runs again */
    }
    assert(ledger->in_use >= account->reported);
    ledger->in_use += held - account->reported;
    account->reported = held;
    account->unreported = 0;
    if (kilobytes > 0) {
        ledger->kilobytes = kilobytes < MOST_AT_ONCE ? (int)kilobytes : MOST_AT_ONCE;
        spend_protected(L, ledger);
    }
}

/* --- blocks --------------------------------------------------------------------------------- */

void *bsl_resize(void *host, void *block, size_t old_size, size_t new_size) {
    bsl_ledger *ledger = host;
    bsl_link *link = block != NULL ? (bsl_link *)block - 1 : NULL;
    assert(link == NULL || link->size == old_size + sizeof *link);
    (void)old_size;
    if (new_size == 0) {
        if (link != NULL) {
            free_block(ledger, link);
        }
        return NULL;
    }
    size_t size = new_size + sizeof *link;
    bsl_link *at = size < new_size
                       ? NULL
                       : ledger->resize(ledger->host, link, link != NULL ? link->size : 0, size);
    if (at == NULL) {
        return NULL;
    }
    if (link == NULL) {
        at->before = &ledger->blocks;
        at->after = ledger->blocks.after;
    }
    at->size = size;
    at->before->after = at; /* it is new, or has moved */
    at->after->before = at;
    return at + 1;
}

/* --- buffers -------------------------------------------------------------------------------- */

void *bsl_reserve(lua_State *L, bsl_account *account, bsl_buffer *buffer, size_t size) {
    if (size <= buffer->size) {
        return buffer->at;
    }
    /* A buffer lives long, so it must not waste half. */
    size_t grown = buffer->size + buffer->size / 8;
    size = size > grown ? size : grown;
    void *at = bsl_resize(account->ledger, buffer->at, buffer->size, size);
    bsl_check_room(L, at != NULL);
    account->unreported += size - buffer->size;
    *buffer = (bsl_buffer){at, size};
    return at;
}

void bsl_release(bsl_ledger *ledger, bsl_buffer *buffer) {
    bsl_resize(ledger, buffer->at, buffer->size, 0);
    *buffer = (bsl_buffer){NULL, 0};
}
