/* cursor.c: makes, opens and reuses the cursors of loops, and has their iterator. */
#include "cursor.h"

#include "memory.h"
#include "module.h"

#include <string.h>

/* Empties the cursor, which keeps its memory. */
static void empty(bsl_cursor *cursor) {
    *cursor =
        (bsl_cursor){.magic = cursor->magic, .items = cursor->items, .ledger = cursor->ledger};
}

static int gc(lua_State *L) {
    bsl_cursor *cursor = bsl_block(L, 1, BSL_CURSOR_CLASS);
    if (cursor != NULL) {
        empty(cursor);
        bsl_release(cursor->ledger, &cursor->items);
    }
    return 0;
}

void bsl_drop_cursor(lua_State *L, int store) {
    lua_pushboolean(L, 0);
    lua_rawseti(L, store, BSL_IDLE);
}

const luaL_Reg bsl_cursor_methods[] = {{"__gc", gc}, {NULL, NULL}};

static void check_open(lua_State *L, const bsl_world *w, const bsl_pool *pool) {
    if (pool != NULL) {
        bsl_check_pool_open(L, pool);
    }
    if (w != NULL) {
        bsl_check_open(L, w);
    }
}

/* The iterator. A script may also call it outside of a loop. */
static int next(lua_State *L) {
    bsl_cursor *cursor = lua_touserdata(L, lua_upvalueindex(BSL_CURSOR));
    lua_settop(L, 0);
    if (cursor->loop == NULL) {
        lua_pushnil(L);
        return 1;
    }
    check_open(L, cursor->world, cursor->pool);
    while (cursor->at < cursor->n) {
        size_t size = cursor->loop->size;
        int pushed = cursor->loop->push(L, cursor, (char *)cursor->items.at + size * cursor->at++);
        if (pushed > 0) {
            return pushed;
        }
    }
    if (cursor->pool != NULL) { /* what the loop referred to besides its store may be collected */
        lua_pushboolean(L, 0);
        lua_replace(L, BSL_LOOP_MORE);
    }
    bsl_free_cursor(L, cursor, BSL_LOOP_STORE, lua_upvalueindex(BSL_CURSOR_NEXT));
    lua_pushnil(L);
    return 1;
}

/* Pushes a new iterator with its cursor. */
static void make(lua_State *L, int store) {
    bsl_cursor *cursor = bsl_new(L, BSL_CURSOR_CLASS, sizeof *cursor);
    cursor->ledger = bsl_own(L, lua_gettop(L));
    lua_pushvalue(L, store);
    lua_pushboolean(L, 0);
    lua_pushboolean(L, 0);
    lua_pushcclosure(L, next, BSL_CURSOR_NEXT);
    lua_pushvalue(L, -1);
    (void)lua_setupvalue(L, -2, BSL_CURSOR_NEXT);
}

bsl_cursor *bsl_new_cursor(lua_State *L, int store, bsl_world *w, bsl_pool *pool) {
    if (bsl_rawgeti(L, store, BSL_IDLE) == LUA_TFUNCTION) {
        bsl_drop_cursor(L, store);
    } else {
        lua_pop(L, 1);
        make(L, store);
    }
    (void)lua_getupvalue(L, -1, BSL_CURSOR);
    bsl_cursor *cursor = lua_touserdata(L, -1);
    lua_pop(L, 1);
    check_open(L, w, pool);
    assert(cursor->loop == NULL);
    cursor->world = w;
    cursor->pool = pool;
    cursor->changes = w != NULL ? w->changes : 0;
    return cursor;
}

int bsl_open_cursor(lua_State *L, bsl_cursor *cursor, const bsl_loop *loop, size_t n) {
    bsl_pool *pool = cursor->pool;
    assert(n * loop->size <= cursor->items.size);
    cursor->loop = loop;
    cursor->n = n;
    if (pool != NULL) {
        bsl_tell_pool(L, pool);
    } else {
        bsl_tell(L, cursor->world);
    }
    return 1;
}

int bsl_open_copy(lua_State *L, bsl_cursor *cursor, const bsl_loop *loop, const void *items,
                  size_t n) {
    void *at = bsl_reserve_items(L, cursor, n, loop->size);
    if (n > 0) {
        memcpy(at, items, n * loop->size);
    }
    return bsl_open_cursor(L, cursor, loop, n);
}

void bsl_free_cursor(lua_State *L, bsl_cursor *cursor, int store, int index) {
    empty(cursor);
    lua_pushvalue(L, index);
    lua_rawseti(L, store, BSL_IDLE);
}

void *bsl_reserve_items(lua_State *L, bsl_cursor *cursor, size_t n, size_t size) {
    assert(cursor->loop == NULL);
    bsl_account *account = cursor->pool != NULL ? &cursor->pool->account : &cursor->world->account;
    return bsl_reserve(L, account, &cursor->items, n * size);
}
