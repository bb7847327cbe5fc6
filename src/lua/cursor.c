#include "cursor.h"
#include "memory.h"

#include <assert.h>

static void empty(bsl_cursor *cursor) {
    bs_array_free(&cursor->heap, &cursor->ids, &cursor->cap, sizeof *cursor->ids);
    cursor->n = 0;
    cursor->at = 0;
}

static int gc(lua_State *L) {
    bsl_cursor *cursor = bsl_to_cursor(L, 1);
    if (cursor != NULL) {
        empty(cursor);
    }
    return 0;
}

void bsl_trim_cursors(lua_State *L, int store) {
    for (int i = 0; i < BSL_IDLE; i++) {
        bsl_rawgeti(L, store, BSL_STORE_IDLE + i);
        bsl_cursor *cursor = bsl_to_cursor(L, -1);
        if (cursor != NULL) {
            empty(cursor);
        }
        lua_pop(L, 1);
    }
}

const luaL_Reg bsl_cursor_metamethods[] = {{"__gc", gc}, {NULL, NULL}};

/* Pushes a cursor that is used again; NULL, and nothing is pushed, if there is none. */
static bsl_cursor *reuse(lua_State *L, const bsl_world *w, int store) {
    if (!bsl_take_idle(L, store, BSL_STORE_IDLE)) {
        return NULL;
    }
    bsl_cursor *cursor = bsl_to_cursor(L, -1);
    if (cursor == NULL || cursor->world != w) { /* only the debug library can do that */
        lua_pop(L, 1);
        return NULL;
    }
    return cursor;
}

static bsl_cursor *make(lua_State *L, bsl_world *w, int store) {
    bsl_cursor *cursor = bsl_new_userdata(L, sizeof *cursor);
    *cursor = (bsl_cursor){.magic = BSL_CURSOR_MAGIC, .world = w};
    cursor->heap.resize = lua_getallocf(L, &cursor->heap.host);
    lua_pushvalue(L, store);
    bsl_set_uservalue(L, -2);
    bsl_push_table(L, store, BSL_STORE_CURSOR_META);
    lua_setmetatable(L, -2);
    bsl_own(L, lua_gettop(L));
    return cursor;
}

bsl_cursor *bsl_new_cursor(lua_State *L, bsl_world *w, int store, int loop) {
    bsl_cursor *cursor = reuse(L, w, store);
    if (cursor == NULL) {
        cursor = make(L, w, store);
    }
    bsl_check_open(L, w);
    cursor->loop = loop;
    cursor->is_free = false;
    cursor->has_gone = false;
    cursor->n = 0;
    cursor->at = 0;
    cursor->removals = w->removals;
    return cursor;
}

void bsl_free_cursor(lua_State *L, bsl_world *w, int store, int index) {
    bsl_cursor *cursor = bsl_to_cursor(L, index);
    assert(cursor != NULL && cursor->world == w);
    (void)w;
    cursor->n = 0;
    cursor->at = 0;
    if (cursor->has_gone) {
        cursor->has_gone = false;
        lua_pushvalue(L, store);
        bsl_set_uservalue(L, index);
    }
    cursor->is_free = cursor->is_free || bsl_leave_idle(L, store, BSL_STORE_IDLE, index);
}

void bsl_reserve_cursor(lua_State *L, bsl_cursor *cursor, size_t n) {
    size_t before = cursor->heap.used;
    bsl_check_room(
        L, bs_array_reserve(&cursor->heap, &cursor->ids, &cursor->cap, n, sizeof *cursor->ids));
    cursor->world->account.untold += cursor->heap.used - before;
}

void bsl_fill_cursor(lua_State *L, bsl_cursor *cursor, const bs_list *list, size_t from) {
    const bs_world *core = cursor->world->core;
    bsl_reserve_cursor(L, cursor, list->n);
    bs_world_ids(core, list->at + from, list->n - from, cursor->ids + from);
    cursor->n = list->n;
}

void bsl_fill_cursor_with_hits(lua_State *L, bsl_cursor *cursor, const bs_hits *hits) {
    bsl_reserve_cursor(L, cursor, hits->n);
    for (size_t i = 0; i < hits->n; i++) {
        cursor->ids[i] = bs_world_id(cursor->world->core, hits->at[i].box);
    }
    cursor->n = hits->n;
}

bsl_cursor *bsl_check_cursor(lua_State *L, int loop) {
    bsl_cursor *cursor = bsl_to_cursor(L, 1);
    if (cursor == NULL || cursor->loop != loop) {
        bsl_fail(L, "this iterator works in the loop that it was made for alone");
    }
    bsl_check_open(L, cursor->world);
    cursor->world->calls++;
    lua_settop(L, 1);
    bsl_push_store(L, 1);
    return cursor;
}

static bool are_live(const bsl_world *w, const bs_id *ids, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (!bsl_is_live(w, ids[i])) {
            return false;
        }
    }
    return true;
}

const bs_id *bsl_next(lua_State *L, bsl_cursor *cursor, int index, int store, size_t n) {
    bsl_world *w = cursor->world;
    while (cursor->n - cursor->at >= n) {
        const bs_id *group = cursor->ids + cursor->at;
        cursor->at += n;
        if (cursor->removals == w->removals || are_live(w, group, n)) {
            return group;
        }
    }
    bsl_free_cursor(L, w, store, index);
    return NULL;
}
