/*
 * contacts.c: a World's method contacts, the pairs against those of the call before.
 *
 * The end of a contact may be that of a box, which is then handed out although it was removed. So
 * removals (boxes.c) remember, in a table of the store, what is handed out of boxes that touched at
 * the last call: a bit says which. The next call takes what it needs of it into a table of its
 * cursor, and begins a new one. So what the body of a loop does changes no end that is to come.
 */
#include "cursor.h"
#include "memory.h"
#include "module.h"

#include <string.h>

/* Pushes an item of the table at stack index `values`, which lets go of it. */
static void take_value(lua_State *L, int values, int key) {
    lua_rawgeti(L, values, key);
    lua_pushboolean(L, 0);
    lua_rawseti(L, values, key);
}

static int push_contact(lua_State *L, const bsl_cursor *cursor, const void *item) {
    const bs_contact *contact = item;
    const bsl_world *w = cursor->world;
    const int store = BSL_CURSOR_TABLE + 1;
    bool ended = contact->phase == BS_END;
    if (!ended && !(bsl_is_live(w, contact->a) && bsl_is_live(w, contact->b))) {
        return 0;
    }
    lua_rawgeti(L, BSL_CURSOR_TABLE, BSL_CURSOR_STORE);
    bsl_push_name(L, store, BSL_PHASE_NAMES + (int)contact->phase);
    if (ended && w->results == BSL_RESULTS_ID) {
        bsl_push_id(L, contact->a);
        bsl_push_id(L, contact->b);
    } else if (ended) {
        lua_rawgeti(L, BSL_CURSOR_TABLE, BSL_CURSOR_MORE);
        take_value(L, store + 2, (int)contact->a);
        take_value(L, store + 2, (int)contact->b);
        lua_remove(L, store + 2);
    } else {
        bsl_push_result(L, w, store, bsl_index_of(contact->a));
        bsl_push_result(L, w, store, bsl_index_of(contact->b));
    }
    return 3;
}

/*
 * Pushes the table of the cursor at the top of the stack, with room for two values for each contact
 * that may end; returns its stack index.
 */
static int push_values(lua_State *L, const bsl_world *w) {
    int cursor = lua_gettop(L);
    bsl_get_uservalue(L, cursor);
    if (bsl_rawgeti(L, -1, BSL_CURSOR_MORE) != LUA_TTABLE) {
        lua_pop(L, 1);
        lua_newtable(L);
        lua_pushvalue(L, -1);
        lua_rawseti(L, -3, BSL_CURSOR_MORE);
    }
    size_t needed = w->results == BSL_RESULTS_ID ? 0 : 2 * w->touching;
    for (size_t i = bsl_length(L, -1); i < needed; i++) {
        lua_pushboolean(L, 0);
        lua_rawseti(L, -2, (int)i + 1);
    }
    lua_remove(L, cursor + 1);
    return cursor + 1;
}

/* After the core has compared, nothing may fail: so there is room for all before. */
static void reserve(lua_State *L, bsl_world *w, bsl_cursor *cursor) {
    const bs_pairs *found;
    bsl_check_status(L, bs_world_pairs(w->core, &found));
    bsl_reserve_items(L, cursor, &w->account, found->n + w->touching, sizeof(bs_contact));
    size_t before = w->touched.size;
    uint8_t *bits = bsl_reserve(L, &w->account, &w->touched, bs_world_indices(w->core) / 8 + 1);
    memset(bits + before, 0, w->touched.size - before);
}

/* Pushes what is handed out for a box of a contact that has ended; it may be gone. */
static void push_ended(lua_State *L, const bsl_world *w, int store, int gone, bs_id id) {
    if (bsl_is_live(w, id)) {
        bsl_push_result(L, w, store, bsl_index_of(id));
    } else {
        bsl_push_id(L, id);
        lua_rawget(L, gone);
    }
}

/* Boxes of contacts that go on are touched now; what has ended goes into the table of values. */
static void sort_out(lua_State *L, bsl_world *w, bsl_cursor *cursor, int store, int gone,
                     int values) {
    bs_contact *contacts = cursor->items.at;
    uint8_t *bits = w->touched.at;
    int ended = 0;
    w->touching = 0;
    memset(bits, 0, w->touched.size);
    for (size_t i = 0; i < w->contacts.n; i++) {
        bs_id *ids[] = {&contacts[i].a, &contacts[i].b};
        bool ends = contacts[i].phase == BS_END;
        w->touching += !ends;
        for (int k = 0; k < 2; k++) {
            uint32_t index = bsl_index_of(*ids[k]);
            if (!ends) {
                bits[index / 8] |= (uint8_t)(1u << index % 8);
            } else if (w->results != BSL_RESULTS_ID) {
                push_ended(L, w, store, gone, *ids[k]);
                lua_rawseti(L, values, ++ended);
                *ids[k] = (bs_id)ended; /* the place there */
            }
        }
    }
}

/*
 * world:contacts() -> iterator of phase, a, b: "begin", "stay" or "end", compared with the previous
 * call. Ends are told of removed boxes too; the other phases pass over what the loop removes.
 * Ordered by insertion of a, then of b. O(n log n + p)
 */
static int contacts(lua_State *L) {
    static const bsl_loop loop = {sizeof(bs_contact), push_contact};
    bsl_world *w = bsl_self_free_world(L);
    int store = bsl_push_store(L, 1);
    bsl_cursor *cursor = bsl_new_cursor(L, store, w, NULL);
    int values = push_values(L, w);
    int gone = values + 1;
    lua_rawgeti(L, store, BSL_GONE);
    if (w->gone >
        0) { /* a new one: to empty the old one would take as long as when it was largest */
        lua_newtable(L);
    }
    bsl_check_open(L, w);
    reserve(L, w, cursor);
    bsl_check_status(L, bs_world_contacts(w->core, &w->contacts));
    bsl_copy_items(L, cursor, &w->account, w->contacts.at, w->contacts.n, sizeof *w->contacts.at);
    sort_out(L, w, cursor, store, gone, values);
    bsl_open_cursor(cursor, &loop, w, NULL, w->contacts.n);
    if (lua_gettop(L) > gone) {
        bsl_keep(L, store, BSL_GONE);
        w->gone = 0;
    }
    lua_settop(L, values - 1);
    bsl_tell(L, w);
    return 2;
}

const luaL_Reg bsl_contact_methods[] = {{"contacts", contacts}, {NULL, NULL}};
