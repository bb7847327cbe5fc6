/*
 * contact_methods.c: a World's methods contacts and collectContacts. They compare the pairs with
 * those of the call before.
 *
 * A contact also ends when a box is removed, and then the removed box is returned. So removals
 * (world_boxes_methods.c) keep, in a table of the store, what is returned for a box if a contact
 * with it has ever been reported. The next call takes what it needs from that table (a loop copies
 * it into a table of its cursor), and begins a new one. So the body of a loop cannot change the
 * ends that are still to come.
 *
 * The core takes the contacts as reported only when everything that the answer needs has been made.
 */
#include "cursor.h"
#include "memory.h"
#include "module.h"
#include "results.h"

#include <string.h>

/* Pushes an item of the table at stack index `values`, and drops it from the table. */
static void take_value(lua_State *L, int values, int key) {
    lua_rawgeti(L, values, key);
    lua_pushboolean(L, 0);
    lua_rawseti(L, values, key);
}

/* An item of a loop: two ids, the second with the phase. Ids of ends are keys of the values. */
typedef struct item {
    uint64_t a;
    uint64_t b;
} item;
enum { PHASE_SHIFT = 62 };

static item item_of(const bs_contact *c) {
    assert(c->a >> PHASE_SHIFT == 0 && c->b >> PHASE_SHIFT == 0);
    return (item){c->a, c->b | (uint64_t)c->phase << PHASE_SHIFT};
}

static bs_contact contact_of(const item *i) {
    const uint64_t id = ((uint64_t)1 << PHASE_SHIFT) - 1;
    return (bs_contact){(bs_phase)(i->b >> PHASE_SHIFT), i->a, i->b & id};
}

static int push_contact(lua_State *L, const bsl_cursor *cursor, const void *at) {
    const bs_contact contact = contact_of(at);
    const bsl_world *w = cursor->world;
    const int store = BSL_CURSOR_TABLE + 1;
    bool ended = contact.phase == BS_END;
    if (!ended && !(bsl_is_live(w, contact.a) && bsl_is_live(w, contact.b))) {
        return 0;
    }
    lua_rawgeti(L, BSL_CURSOR_TABLE, BSL_CURSOR_STORE);
    bsl_push_name(L, store, BSL_PHASE_NAMES + (int)contact.phase);
    if (ended && w->results == BSL_RESULTS_ID) {
        bsl_push_id(L, contact.a);
        bsl_push_id(L, contact.b);
    } else if (ended) {
        lua_rawgeti(L, BSL_CURSOR_TABLE, BSL_CURSOR_MORE);
        take_value(L, store + 2, (int)contact.a);
        take_value(L, store + 2, (int)contact.b);
        lua_remove(L, store + 2);
    } else {
        bsl_push_result(L, w, store, bs_id_index(contact.a));
        bsl_push_result(L, w, store, bs_id_index(contact.b));
    }
    return 3;
}

/* --- what both need ------------------------------------------------------------------------- */

/* Reads which contacts are wanted. */
static bs_which check_which(lua_State *L, int arg) {
    static const char *const names[] = {"all", "changes"};
    if (bsl_is_absent(L, arg)) {
        return BS_ALL_CONTACTS;
    }
    int which = bsl_find_name(L, arg, names, 2);
    if (which == 2) {
        bsl_bad_arg(L, arg, "\"all\" or \"changes\"");
    }
    return (bs_which)which;
}

/* Whether the store has values for removed boxes. */
static bool has_gone(lua_State *L, int store) {
    lua_rawgeti(L, store, BSL_GONE);
    bool has = bsl_has_items(L, lua_gettop(L));
    lua_pop(L, 1);
    return has;
}

/*
 * Compares the pairs, returns how many contacts there are to hand out, and makes all that the
 * answer needs: in the table at `values`, unless that is 0, room for the two values of each contact
 * that has ended; and at the top of the stack the table for boxes that will be removed from now on.
 * That is a new one if the present table holds any: to empty that would take as long as when it was
 * largest. Making it may run finalisers, which may change everything. So this repeats until nothing
 * has changed meanwhile, but makes it only once.
 */
static size_t prepare(lua_State *L, bsl_world *w, bs_which which, int store, int values,
                      bs_contacts *contacts) {
    const int next = lua_gettop(L) + 1;
    uint64_t changes;
    size_t n, ends;
    lua_pushnil(L);
    do {
        bsl_check_open(L, w);
        changes = w->changes;
        bsl_check_status(L, bs_world_contacts(w->core, which, contacts));
        n = bs_world_count_contacts(w->core, *contacts, &ends);
        size_t needed = values != 0 && w->results != BSL_RESULTS_ID ? 2 * ends : 0;
        for (size_t i = needed > 0 ? bsl_length(L, values) : 0; i < needed; i++) {
            lua_pushboolean(L, 0);
            lua_rawseti(L, values, (int)i + 1);
        }
        if (lua_isnil(L, next) && has_gone(L, store)) {
            lua_newtable(L);
            lua_replace(L, next);
        }
    } while (w->changes != changes);
    if (lua_isnil(L, next)) {
        lua_rawgeti(L, store, BSL_GONE);
        lua_replace(L, next);
    }
    return n;
}

/*
 * Marks the contacts as reported: the next call compares with them. The table at the top of the
 * stack takes the place of the one for removed boxes. Cannot fail.
 */
static void mark_reported(lua_State *L, bsl_world *w, int store, bs_contacts contacts) {
    bs_contact c;
    bsl_keep(L, store, BSL_GONE);
    contacts.which = BS_CHANGES;
    while (w->results != BSL_RESULTS_ID && bs_world_next_contact(w->core, &contacts, &c)) {
        if (c.phase == BS_BEGIN) {
            bsl_touch(L, w, store, c.a);
            bsl_touch(L, w, store, c.b);
        }
    }
    bs_world_contacts_done(w->core);
}

/* Pushes what is returned for a box of a contact that has ended. The box may have been removed. */
static void push_ended(lua_State *L, const bsl_world *w, int store, int gone, bs_id id) {
    if (w->results == BSL_RESULTS_ID) {
        bsl_push_id(L, id);
    } else if (bsl_is_live(w, id)) {
        bsl_push_result(L, w, store, bs_id_index(id));
    } else {
        bsl_push_id(L, id);
        lua_rawget(L, gone);
    }
}

/* --- a loop --------------------------------------------------------------------------------- */

/* Pushes the table of values of the cursor at the top of the stack, and returns its stack index. */
static int push_values(lua_State *L) {
    int cursor = lua_gettop(L);
    bsl_get_uservalue(L, cursor);
    if (bsl_rawgeti(L, -1, BSL_CURSOR_MORE) != LUA_TTABLE) {
        lua_pop(L, 1);
        lua_newtable(L);
        lua_pushvalue(L, -1);
        lua_rawseti(L, -3, BSL_CURSOR_MORE);
    }
    lua_remove(L, cursor + 1);
    return cursor + 1;
}

/*
 * Lists the contacts. What ended ones return goes into the table of values, and its places replace
 * their ids.
 */
static void list_contacts(lua_State *L, const bsl_world *w, int store, int values,
                          bs_contacts contacts, item *to) {
    bs_contact c;
    int ended = 0;
    lua_rawgeti(L, store, BSL_GONE);
    const int gone = lua_gettop(L);
    while (bs_world_next_contact(w->core, &contacts, &c)) {
        if (c.phase == BS_END && w->results != BSL_RESULTS_ID) {
            for (int k = 0; k < 2; k++) {
                bs_id *id = k == 0 ? &c.a : &c.b;
                push_ended(L, w, store, gone, *id);
                lua_rawseti(L, values, ++ended);
                *id = (bs_id)ended;
            }
        }
        *to++ = item_of(&c);
    }
    lua_settop(L, gone - 1);
}

/*
 * world:contacts(which?) -> iterator of phase, a, b. The phase is "begin", "stay" or "end",
 * compared with the previous call. which: "all", or "changes", which leaves out "stay". Ends
 * include those of removed boxes; other phases skip boxes that the loop removes. Ordered by
 * insertion of a, then of b. O(n log n + p). If few boxes have changed: O(r log r) for the pairs of
 * recently changed boxes, and a look at each other pair
 */
static int contacts(lua_State *L) {
    static const bsl_loop loop = {sizeof(item), push_contact};
    bsl_world *w = bsl_self_free_world(L);
    bs_which which = check_which(L, 2);
    int store = bsl_push_store(L, 1);
    bsl_cursor *cursor = bsl_new_cursor(L, store, w, NULL);
    int values = push_values(L);
    bs_contacts contacts;
    const size_t n = prepare(L, w, which, store, values, &contacts);
    item *items = bsl_reserve_items(L, cursor, n, sizeof *items);
    list_contacts(L, w, store, values, contacts, items);
    bsl_open_cursor(cursor, &loop, n);
    mark_reported(L, w, store, contacts);
    lua_settop(L, values - 1);
    bsl_tell(L, w);
    return 2;
}

/* --- a list --------------------------------------------------------------------------------- */

enum { WHICH = 2, OUT, STORE, NEXT, GONE };

/* Pushes what is returned for a box of a contact. */
static void push_box(lua_State *L, const bsl_world *w, bs_phase phase, bs_id id) {
    if (phase == BS_END) {
        push_ended(L, w, STORE, GONE, id);
    } else {
        bsl_push_result(L, w, STORE, bs_id_index(id));
    }
}

/* Writes the n contacts. Runs no Lua code. */
static void write_contacts(lua_State *L, const bsl_world *w, bs_contacts contacts, size_t n) {
    const size_t length = bsl_out_length(L, OUT, 3 * n);
    bs_contact c;
    int at = 0;
    lua_rawgeti(L, STORE, BSL_GONE);
    while (bs_world_next_contact(w->core, &contacts, &c)) {
        bsl_push_name(L, STORE, BSL_PHASE_NAMES + (int)c.phase);
        lua_rawseti(L, OUT, ++at);
        push_box(L, w, c.phase, c.a);
        lua_rawseti(L, OUT, ++at);
        push_box(L, w, c.phase, c.b);
        lua_rawseti(L, OUT, ++at);
    }
    assert((size_t)at == 3 * n);
    bsl_end_list(L, OUT, 3 * n, length);
    lua_settop(L, NEXT);
}

/* The most contacts that are there now, unless the table is there: as many as there are pairs. */
static size_t expect_contacts(lua_State *L, bsl_world *w, bs_which which) {
    const bs_pairs *found;
    if (which == BS_CHANGES || lua_istable(L, OUT)) {
        return 0;
    }
    bsl_check_status(L, bs_world_pairs(w->core, &found));
    return found->n;
}

/* world:collectContacts(which?, out?) -> out, n: as contacts(which), {phase1, a1, b1, ...}. */
static int collect_contacts(lua_State *L) {
    bsl_world *w = bsl_self_free_world(L);
    if (lua_istable(L, WHICH)) {
        bsl_bad(L, bsl_where_arg(WHICH),
                "\"all\" or \"changes\" expected, got table; out comes after which");
    }
    bs_contacts found;
    bs_which which = check_which(L, WHICH);
    bsl_push_out(L, OUT, 3 * expect_contacts(L, w, which));
    lua_settop(L, OUT);
    bsl_check_table(L, OUT);
    (void)bsl_push_store(L, 1);
    const size_t n = prepare(L, w, which, STORE, 0, &found);
    write_contacts(L, w, found, n);
    mark_reported(L, w, STORE, found);
    bsl_return_list(L, OUT, n);
    bsl_tell(L, w);
    return 2;
}

const luaL_Reg bsl_contact_methods[] = {
    {"contacts", contacts},
    {"collectContacts", collect_contacts},
    {NULL, NULL},
};
