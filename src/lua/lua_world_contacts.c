/*
 * lua_world_contacts.c: World's method contacts, the pairs against those of the call before.
 *
 * The end of a contact may be that of a box, which is then handed out although it was removed. So
 * removals remember, in a table of the store, what contacts will hand out of boxes that a call has
 * named (contents.c). A call starts a new table, unless nothing is in the present one.
 * Each table leads to the next, so that a loop which holds the one that was there at its call finds
 * what was removed at any time since; and what no loop can come to any more is collected.
 *
 *      store --BSL_STORE_GONE--> newest table
 *      cursor --user value--> table --GONE_NEXT--> ... --> newest table
 */
#include "cursor.h"
#include "memory.h"
#include "module.h"

#include <string.h>

enum { GROUP = 3 }; /* of ids in a cursor: the phase, a, b */

/* --- what was removed ----------------------------------------------------------------------- */

/* Keys besides ids. */
enum { GONE_STORE = -1, GONE_NEXT = -2 };

/* Pushes the newest table; if that has something in it or is none, a new one. May run Lua code. */
static void push_unused(lua_State *L, const bsl_world *w, int store) {
    if (bsl_rawgeti(L, store, BSL_STORE_GONE) == LUA_TTABLE && !w->has_gone) {
        return;
    }
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushvalue(L, store);
    lua_rawseti(L, -2, GONE_STORE);
    lua_pushboolean(L, 0); /* a place for the next one */
    lua_rawseti(L, -2, GONE_NEXT);
}

/* True if the table at stack index `gone` was not the newest one yet. */
static bool is_new(lua_State *L, int store, int gone) {
    bsl_rawgeti(L, store, BSL_STORE_GONE);
    bsl_rawgeti(L, gone, GONE_NEXT);
    bool is_new = !lua_rawequal(L, -2, gone) && !lua_istable(L, -1);
    lua_pop(L, 2);
    return is_new;
}

/*
 * The cursor at stack index `index` gets the newest table, and the one at stack index `gone` takes
 * its place, unless a finaliser has seen to that meanwhile. Cannot fail.
 */
static void start_gone(lua_State *L, bsl_world *w, int store, int gone, int index) {
    bool renews = is_new(L, store, gone);
    if (bsl_rawgeti(L, store, BSL_STORE_GONE) != LUA_TTABLE) {
        lua_pop(L, 1);
        lua_pushvalue(L, gone);
    } else if (renews) {
        lua_pushvalue(L, gone);
        lua_rawseti(L, -2, GONE_NEXT);
    }
    bsl_set_uservalue(L, index);
    bsl_to_cursor(L, index)->has_gone = true;
    if (renews) {
        w->has_gone = false;
        lua_pushvalue(L, gone);
        lua_rawseti(L, store, BSL_STORE_GONE);
    }
}

/* Pushes what is remembered of a removed box; false, and nothing is pushed, if nothing is. */
static bool push_gone(lua_State *L, int gone, bs_id id) {
    lua_pushvalue(L, gone);
    while (lua_istable(L, -1)) {
        bsl_push_id(L, id);
        lua_rawget(L, -2);
        if (!lua_isnil(L, -1)) {
            lua_replace(L, -2);
            return true;
        }
        lua_pop(L, 1);
        bsl_rawgeti(L, -1, GONE_NEXT);
        lua_replace(L, -2);
    }
    lua_pop(L, 1);
    return false;
}

/* Pushes what is handed out for a box that may be gone. */
static void push_contact(lua_State *L, bsl_world *w, int gone, int store, bs_id id) {
    bsl_check_open(L, w);
    if (bsl_is_live(w, id) || !push_gone(L, gone, id)) {
        bsl_push_result(L, w, store, id);
    }
}

/* --- the call ------------------------------------------------------------------------------- */

/*
 * Removals look at the bits of all boxes that any call has named: a loop of an earlier one may
 * still come to them. Cannot fail: there is room.
 */
static void mark_touched(bsl_world *w) {
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
                                       bs_world_indices(w->core) / 8 + 1, 1));
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
    enum { GONE = 2, STORE };
    bsl_cursor *cursor = bsl_check_cursor(L, BSL_STORE_NEXT_CONTACT);
    bsl_world *w = cursor->world;
    bs_id group[GROUP];
    if (!cursor->has_gone) {
        return 0; /* it has ended */
    }
    bsl_push_table(L, GONE, GONE_STORE);
    if (!next(w, cursor, group)) {
        bsl_free_cursor(L, w, STORE, 1);
        return 0;
    }
    bsl_rawgeti(L, STORE, BSL_STORE_PHASE - (int)group[0]);
    push_contact(L, w, GONE, STORE, group[1]);
    push_contact(L, w, GONE, STORE, group[2]);
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
    push_unused(L, w, store);
    int gone = lua_gettop(L);
    bsl_rawgeti(L, store, BSL_STORE_NEXT_CONTACT);
    bsl_cursor *cursor = bsl_new_cursor(L, w, store, BSL_STORE_NEXT_CONTACT);
    int index = lua_gettop(L);
    reserve(L, w, cursor);
    bsl_check_status(L, bs_world_contacts(w->core, &w->contacts));
    start_gone(L, w, store, gone, index); /* nothing fails any more */
    fill(w, cursor);
    mark_touched(w);
    bsl_tell(L, w);
    return 2;
}

const luaL_Reg bsl_world_contact_methods[] = {{"contacts", contacts}, {NULL, NULL}};
