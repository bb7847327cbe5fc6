/*
 * contact_methods.c: a World's methods contacts and collectContacts, listeners (Contacts), and a
 * Box's method contacts. They compare what is in contact with what they reported last.
 *
 * A contact also ends when a box is removed, and then the removed box is returned. Its Box and data
 * stay at its index, which gets no other box before all have reported the end. A loop has what
 * its ends return in a table of its cursor, as its body may remove them from the store.
 *
 * The core takes the contacts as reported only when everything that the answer needs has been made.
 */
#include "cursor.h"
#include "memory.h"
#include "module.h"
#include "results.h"

#include <stdio.h>

/* --- what is asked -------------------------------------------------------------------------- */

/* Whose contacts are handed out: the world's, or a listener's. */
typedef struct source {
    bsl_world *w;
    bs_listener listener; /* 0: the world */
    bs_which which;
    bs_contacts found;
    size_t n; /* how many these are */
} source;

enum { WHICH = 2, OUT, STORE };

/* Reads which contacts are wanted. has_out: the list for results may be here by mistake. */
static bs_which check_which(lua_State *L, bool has_out) {
    static const char *const names[] = {"all", "changes"};
    if (bsl_is_absent(L, WHICH)) {
        return BS_ALL_CONTACTS;
    }
    if (has_out && lua_istable(L, WHICH)) {
        bsl_bad(L, bsl_where_arg(WHICH),
                "\"all\" or \"changes\" expected, got table; out comes after which");
    }
    int which = bsl_find_name(L, WHICH, names, 2);
    if (which == 2) {
        bsl_bad_arg(L, WHICH, "\"all\" or \"changes\"");
    }
    return (bs_which)which;
}

/* Finds the contacts, before anything else that the answer needs is made. */
static void ask(lua_State *L, source *s) {
    bsl_world *w = s->w;
    bsl_check_open(L, w);
    if (s->listener.who >= BS_LEAST_ID && !bsl_is_live(w, s->listener.who)) {
        bsl_bad_self(L, "box was removed"); /* since the arguments were read */
    }
    bsl_check_status(L, s->listener.who != 0
                            ? bs_world_listen(w->core, s->listener, s->which, &s->found)
                            : bs_world_contacts(w->core, s->which, &s->found));
    s->n = bs_world_count_contacts(w->core, s->found);
}

/* Marks the contacts as reported: the next call compares with them. Cannot fail. */
static void mark_reported(lua_State *L, const source *s, int store) {
    const size_t before = bsl_count_free(s->w);
    bs_world_contacts_done(s->w->core, s->found);
    bsl_forget_freed(L, s->w, store, before);
}

/* --- a loop --------------------------------------------------------------------------------- */

/*
 * An item of a loop is a contact. If it has ended, what it returns is in the table of values, and
 * the item has the places there instead of the ids.
 */
static int push_contact(lua_State *L, const bsl_cursor *cursor, const void *at) {
    const bs_contact *c = at;
    const bsl_world *w = cursor->world;
    const bool ended = c->phase == BS_END;
    if (!ended && !(bsl_is_live(w, c->a) && bsl_is_live(w, c->b))) {
        return 0;
    }
    bsl_push_name(L, BSL_LOOP_STORE, BSL_PHASE_NAMES + (int)c->phase);
    for (int k = 0; k < 2; k++) {
        const bs_id id = k == 0 ? c->a : c->b;
        if (ended) {
            lua_rawgeti(L, BSL_LOOP_MORE, (int)id);
            lua_pushboolean(L, 0); /* the table holds it no longer */
            lua_rawseti(L, BSL_LOOP_MORE, (int)id);
        } else {
            bsl_push_result(L, w, BSL_LOOP_STORE, bs_id_index(id));
        }
    }
    return 3;
}

/* Lists the contacts. Runs no Lua code. */
static void list_contacts(lua_State *L, const source *s, int store, int values, bs_contact *to) {
    bs_contacts left = s->found;
    int ended = 0;
    for (bs_contact c; bs_world_next_contact(s->w->core, &left, &c); *to++ = c) {
        for (int k = 0; c.phase == BS_END && k < 2; k++) {
            bs_id *id = k == 0 ? &c.a : &c.b;
            bsl_push_result(L, s->w, store, bs_id_index(*id));
            lua_rawseti(L, values, ++ended);
            *id = (bs_id)ended;
        }
    }
}

static const bsl_loop pairs_loop = {sizeof(bs_contact), push_contact};

/* Pushes the iterator of a loop over them. The store is at `store`. Returns 1. */
static int loop_over(lua_State *L, source *s, const bsl_loop *loop, int store) {
    bsl_cursor *cursor = bsl_new_cursor(L, store, s->w, NULL);
    (void)lua_getupvalue(L, store + 1, BSL_CURSOR_MORE);
    const int values = lua_gettop(L);
    if (!lua_istable(L, values)) {
        lua_newtable(L);
        lua_replace(L, values);
        lua_pushvalue(L, values);
        (void)lua_setupvalue(L, store + 1, BSL_CURSOR_MORE);
    }
    ask(L, s);
    bs_contact *items = bsl_reserve_items(L, cursor, s->n, sizeof *items);
    list_contacts(L, s, store, values, items);
    mark_reported(L, s, store);
    lua_settop(L, values - 1);
    return bsl_open_cursor(L, cursor, loop, s->n);
}

/*
 * world:contacts(which?) -> iterator of phase, a, b. The phase is "begin", "stay" or "end",
 * compared with the previous call. which: "all", or "changes", which leaves out "stay". Ends
 * include those of removed boxes; other phases skip boxes that the loop removes. Ordered by
 * insertion of a, then of b. O(n log n + p). If few boxes have changed: O(r log r) for the pairs of
 * recently changed boxes, and a look at each other pair
 */
static int contacts(lua_State *L) {
    source s = {.w = bsl_self_free_world(L)};
    s.which = check_which(L, false);
    return loop_over(L, &s, &pairs_loop, bsl_push_store(L, 1));
}

/* --- a list --------------------------------------------------------------------------------- */

/* Writes the contacts. Runs no Lua code. */
static void write_contacts(lua_State *L, const source *s) {
    bsl_out out = bsl_open_out(L, OUT, 3 * s->n);
    bs_contacts left = s->found;
    for (bs_contact c; bs_world_next_contact(s->w->core, &left, &c);) {
        bsl_push_name(L, STORE, BSL_PHASE_NAMES + (int)c.phase);
        bsl_append(L, &out);
        bsl_push_result(L, s->w, STORE, bs_id_index(c.a));
        bsl_append(L, &out);
        bsl_push_result(L, s->w, STORE, bs_id_index(c.b));
        bsl_append(L, &out);
    }
    assert((size_t)out.n == 3 * s->n);
    bsl_close_out(L, &out);
}

/* Reads `which`, and fills the list at OUT. Returns 2. */
static int list_all(lua_State *L, source *s) {
    const bs_pairs *found = NULL;
    s->which = check_which(L, true);
    if (s->which == BS_ALL_CONTACTS && s->listener.who == 0 && !lua_istable(L, OUT)) {
        bsl_check_status(L, bs_world_pairs(s->w->core, &found)); /* about as many contacts */
    }
    bsl_push_out(L, OUT, found != NULL ? 3 * found->n : 0);
    lua_settop(L, OUT);
    bsl_check_table(L, OUT);
    (void)bsl_push_store(L, 1);
    ask(L, s);
    write_contacts(L, s);
    mark_reported(L, s, STORE);
    return bsl_return_list(L, s->w, OUT, s->n);
}

/* world:collectContacts(which?, out?) -> out, n: as contacts(which), {phase1, a1, b1, ...}. */
static int collect_contacts(lua_State *L) {
    source s = {.w = bsl_self_free_world(L)};
    return list_all(L, &s);
}

/* --- listeners ------------------------------------------------------------------------------ */

/* A Contacts. Its user value is the store of the world. */
typedef struct contacts_handle {
    uint64_t magic;
    bsl_world *world;
    bs_listener core;
} contacts_handle;

static const bsl_option listener_rows[] = {
    {"mask", bsl_read_mask, offsetof(bs_listener, mask), NULL},
    {NULL, NULL, 0, NULL},
};

/*
 * world:newContacts(opts?) -> Contacts: a listener with a memory of its own, which the world keeps.
 * opts: mask: contacts in which one of the two has a layer of it; by default all. Contacts are
 * overlaps, and boxes that are flush, of which one, a dynamic one, rests against the other. O(1)
 */
static int new_contacts(lua_State *L) {
    bsl_world *w = bsl_self_world(L);
    bs_listener core = {0, UINT32_MAX};
    bsl_check_options(L, 2, listener_rows, &core);
    contacts_handle *listener = bsl_new(L, BSL_CONTACTS_CLASS, sizeof *listener);
    bsl_check_open(L, w);
    (void)bsl_push_store(L, 1);
    bsl_set_uservalue(L, -2);
    core.who = ++w->listeners;
    listener->world = w;
    listener->core = core;
    return 1;
}

static contacts_handle *any_self_listener(lua_State *L) {
    return bsl_check_self(L, BSL_CONTACTS_CLASS);
}

/* Checks self for a method that changes what it remembers. */
static source self_listener(lua_State *L) {
    const contacts_handle *self = any_self_listener(L);
    bsl_check_open(L, self->world);
    bsl_begin_change(L, self->world);
    return (source){.w = self->world, .listener = self->core};
}

/*
 * contacts:each(which?) -> iterator of phase, a, b: as world:contacts, but the ends come first.
 * A query around each box of the mask, or around each dynamic one, if these are fewer
 */
static int each(lua_State *L) {
    source s = self_listener(L);
    s.which = check_which(L, false);
    return loop_over(L, &s, &pairs_loop, bsl_push_store(L, 1));
}

/* contacts:collect(which?, out?) -> out, n: as each(which), {phase1, a1, b1, ...}. */
static int collect(lua_State *L) {
    source s = self_listener(L);
    return list_all(L, &s);
}

static int to_string(lua_State *L) {
    const contacts_handle *self = any_self_listener(L);
    char text[64];
    snprintf(text, sizeof text, "Contacts (%dD, mask %lu)", DIM, (unsigned long)self->core.mask);
    lua_pushstring(L, text);
    return 1;
}

/* --- of one box ----------------------------------------------------------------------------- */

static int push_other(lua_State *L, const bsl_cursor *cursor, const void *at) {
    const int pushed = push_contact(L, cursor, at);
    if (pushed > 0) {
        lua_remove(L, -2); /* the box itself */
        return pushed - 1;
    }
    return 0;
}

/*
 * box:contacts(which?, mask?) -> iterator of phase, other: the contacts of this box, as those of a
 * listener, with boxes that have a layer of the mask; by default all. Each box remembers them for
 * each mask by itself. O(log n + k)
 */
static int box_contacts(lua_State *L) {
    static const bsl_loop others_loop = {sizeof(bs_contact), push_other};
    enum { MASK = WHICH + 1 };
    const bsl_self self = bsl_self_free_box(L);
    source s = {.w = self.w, .which = check_which(L, false)};
    s.listener.who = bs_world_id(self.core, self.box);
    s.listener.mask = bsl_is_absent(L, MASK) ? UINT32_MAX : bsl_check_mask(L, MASK);
    return loop_over(L, &s, &others_loop, bsl_push_box_store(L, 1));
}

const luaL_Reg bsl_contact_methods[] = {
    {"contacts", contacts},
    {"collectContacts", collect_contacts},
    {"newContacts", new_contacts},
    {NULL, NULL},
};

const luaL_Reg bsl_listener_methods[] = {
    {"each", each},
    {"collect", collect},
    {"__tostring", to_string},
    {NULL, NULL},
};

const luaL_Reg bsl_box_contact_methods[] = {{"contacts", box_contacts}, {NULL, NULL}};
