/*
 * lua_world_contacts.c: World's method contacts, the pairs against those of the call before.
 *
 * The end of a contact may be that of a box, which is then handed out although it was removed. So
 * removals remember, in the store's table `gone`, what contacts will hand out of boxes that the
 * last call has named (contents.c). Each call starts a new table and keeps the one before for its
 * loop.
 */
#include "cursor.h"
#include "memory.h"
#include "module.h"

#include <string.h>

enum { GROUP = 3 }; /* of ids in a cursor: the phase, a, b */

/* --- what was removed ----------------------------------------------------------------------- */

/*
 * Pushes a new table `gone`, or nil if nothing is in the present one, which will then do. May run
 * Lua code.
 */
static void push_new_gone(lua_State *L, int store) {
    if (bsl_rawgeti(L, store, BSL_STORE_GONE) == LUA_TTABLE) {
        lua_pushnil(L);
        if (lua_next(L, -2) == 0) {
            lua_pop(L, 1);
            lua_pushnil(L);
            return;
        }
        lua_pop(L, 2);
    }
    lua_pop(L, 1);
    lua_newtable(L);
}

/* The present table becomes the one before; that at stack index `gone`, if any, takes its place. */
static void start_gone(lua_State *L, int store, int gone) {
    if (lua_istable(L, gone)) {
        bsl_rawgeti(L, store, BSL_STORE_GONE);
        lua_pushvalue(L, gone);
        lua_rawseti(L, store, BSL_STORE_GONE);
    } else {
        lua_pushboolean(L, 0);
    }
    lua_rawseti(L, store, BSL_STORE_GONE_BEFORE);
}

/* Pushes what is remembered of a removed box; false, and nothing is pushed, if nothing is. */
static bool push_gone(lua_State *L, int store, bs_id id) {
    for (int key = BSL_STORE_GONE; key >= BSL_STORE_GONE_BEFORE; key--) {
        if (bsl_rawgeti(L, store, key) == LUA_TTABLE) {
            bsl_push_id(L, id);
            lua_rawget(L, -2);
            lua_replace(L, -2);
            if (!lua_isnil(L, -1)) {
                return true;
            }
        }
        lua_pop(L, 1);
    }
    return false;
}

/* Pushes what is handed out for a box that may be gone. */
static void push_contact(lua_State *L, bsl_world *w, int store, bs_id id) {
    bsl_check_open(L, w);
    if (w->results == BSL_RESULTS_ID) {
        bsl_push_id(L, id);
    } else if (bsl_is_live(w, id)) {
        bsl_push_result(L, w, store, bsl_index_of(id));
    } else if (!push_gone(L, store, id)) {
        bsl_push_box(L, w, store, id);
    }
}

/* --- the call ------------------------------------------------------------------------------- */

/* Removals look at the bits of all boxes that are named now. Cannot fail: there is room. */
static void mark_touched(bsl_world *w) {
    memset(w->touched, 0, w->touched_cap);
    for (size_t i = 0; i < w->contacts.n; i++) {
        const bs_id ids[] = {w->contacts.at[i].a, w->contacts.at[i].b};
        for (int k = 0; k < 2; k++) {
            uint32_t index = bsl_index_of(ids[k]);
            if (bsl_is_live(w, ids[k])) {
                w->touched[index / 8] |= (uint8_t)(1u << index % 8);
            }
        }
    }
}

/* After the core has compared, nothing may fail: so there is room for all before. */
static void reserve(lua_State *L, bsl_world *w, bsl_cursor *cursor) {
    const bs_pairs *found;
    bsl_check_status(L, bs_world_pairs(w->core, &found));
    bsl_reserve_cursor(L, cursor, GROUP * (found->n + w->touching));
    size_t before = w->touched_cap;
    bsl_check_room(L, bs_array_reserve(bs_world_heap(w->core), &w->touched, &w->touched_cap,
                                       w->indices / 8 + 1, 1));
    memset(w->touched + before, 0, w->touched_cap - before);
}

static void fill(bsl_world *w, bsl_cursor *cursor) {
    w->touching = 0;
    for (size_t i = 0; i < w->contacts.n; i++) {
        const bs_contact *contact = &w->contacts.at[i];
        bs_id *group = cursor->ids + GROUP * i;
        group[0] = (bs_id)contact->phase;
        group[1] = contact->a;
        group[2] = contact->b;
        w->touching += contact->phase != BS_END;
    }
    cursor->n = GROUP * w->contacts.n;
}

/* The next contact, except those that go on but whose boxes have been removed; false: none. */
static bool next(const bsl_world *w, bsl_cursor *cursor, bs_id group[GROUP]) {
    while (cursor->n - cursor->at >= GROUP) {
        memcpy(group, cursor->ids + cursor->at, GROUP * sizeof *group);
        cursor->at += GROUP;
        if (group[0] == BS_END || cursor->removals == w->removals ||
            (bsl_is_live(w, group[1]) && bsl_is_live(w, group[2]))) {
            return true;
        }
    }
    return false;
}

int bsl_next_contact(lua_State *L) {
    int store;
    bsl_cursor *cursor = bsl_check_cursor(L, &store);
    bsl_world *w = cursor->world;
    bs_id group[GROUP];
    if (!next(w, cursor, group)) {
        bsl_free_cursor(L, w, store, 1);
        lua_pushnil(L);
        return 1;
    }
    bsl_rawgeti(L, store, BSL_STORE_PHASE - (int)group[0]);
    push_contact(L, w, store, group[1]);
    push_contact(L, w, store, group[2]);
    return 3;
}

/*
 * world:contacts() -> iterator of phase, a, b: "begin", "stay" or "end", compared with the previous
 * call. Ends are told of removed boxes too; the other phases pass over what the loop removes.
 * Ordered by insertion of a, then of b. O(n log n + p)
 */
static int contacts(lua_State *L) {
    bsl_world *w = bsl_self_free_world(L);
    int store = bsl_push_store(L, 1);
    push_new_gone(L, store);
    bsl_rawgeti(L, store, BSL_STORE_NEXT_CONTACT);
    bsl_cursor *cursor = bsl_new_cursor(L, w, store);
    bsl_check_open(L, w);
    reserve(L, w, cursor);
    bsl_check_status(L, bs_world_contacts(w->core, &w->contacts));
    start_gone(L, store, store + 1); /* nothing fails any more */
    fill(w, cursor);
    mark_touched(w);
    bsl_tell(L, w);
    return 2;
}

const luaL_Reg bsl_world_contact_methods[] = {{"contacts", contacts}, {NULL, NULL}};
