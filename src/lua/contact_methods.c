/*
 * contact_methods.c: a World's methods contacts and collectContacts, listeners (Contacts), and a
 * Box's method contacts. They compare what is in contact with what they reported last.
 *
 * A contact also ends when a box is removed, and then the removed box is returned. So if a contact
 * with a box has ever been reported, its removal (world_boxes_methods.c) keeps what is returned for
 * it in a table of the store, by id. A call that reports ends drops what nobody needs any more. A
 * loop has what its ends return in a table of its cursor, so that its body cannot change them.
 *
 * The core takes the contacts as reported only when everything that the answer needs has been made.
 */
#include "cursor.h"
#include "memory.h"
#include "module.h"
#include "results.h"

#include <stdio.h>

/* --- removed boxes -------------------------------------------------------------------------- */

bool bsl_push_gone(lua_State *L, int store, bs_id id) {
    lua_rawgeti(L, store, BSL_GONE);
    bsl_push_id(L, id);
    lua_rawget(L, -2);
    lua_remove(L, -2);
    return !lua_isnil(L, -1);
}

void bsl_keep_gone(lua_State *L, bsl_world *w, int store, bs_id id) {
    const int value = lua_gettop(L);
    const bool is_new = !bsl_push_gone(L, store, id);
    if (is_new) {
        bsl_reserve(L, &w->account, &w->gone_ids, (w->gone + 1) * sizeof id);
    }
    lua_rawgeti(L, store, BSL_GONE);
    bsl_push_id(L, id);
    lua_pushvalue(L, value);
    lua_rawset(L, -3); /* A finaliser may run, and remove other boxes. */
    if (is_new) {
        bs_id *ids = bsl_reserve(L, &w->account, &w->gone_ids, (w->gone + 1) * sizeof id);
        ids[w->gone++] = id;
    }
    w->unswept = true;
    lua_settop(L, value - 1);
}

static bool has_id(const bs_id_list *list, bs_id id) {
    size_t low = 0;
    for (size_t high = list->n; low < high;) {
        const size_t middle = low + (high - low) / 2;
        if (list->at[middle] < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < list->n && list->at[low] == id;
}

/* Drops what is kept for removed boxes that are not in the list. Cannot fail. */
static void sweep(lua_State *L, bsl_world *w, int store, const bs_id_list *needed) {
    bs_id *ids = w->gone_ids.at;
    size_t kept = 0;
    lua_rawgeti(L, store, BSL_GONE);
    for (size_t i = 0; i < w->gone; i++) {
        if (has_id(needed, ids[i])) {
            ids[kept++] = ids[i];
        } else {
            bsl_push_id(L, ids[i]);
            lua_pushnil(L);
            lua_rawset(L, -3);
        }
    }
    lua_pop(L, 1);
    w->gone = kept;
}

/* Pushes what is returned for a box of a contact. A box of one that has ended may be removed. */
static void push_box(lua_State *L, const bsl_world *w, int store, bs_id id) {
    if (w->results == BSL_RESULTS_ID) {
        bsl_push_id(L, id);
    } else if (bsl_is_live(w, id)) {
        bsl_push_result(L, w, store, bs_id_index(id));
    } else {
        (void)bsl_push_gone(L, store, id);
    }
}

/* --- what is asked -------------------------------------------------------------------------- */

/* Whose contacts are handed out: the world's, or a listener's. */
typedef struct source {
    bsl_world *w;
    bs_which which;
    const bs_listener *listener; /* NULL: the world */
    size_t n, ends;              /* how many are found, and how many of these have ended */
    bs_contacts found;           /* the world's ... */
    const bs_contact_list *told; /* ... or the listener's, and the next one */
    size_t at;
    const bs_id_list *needed; /* the removed boxes that others still report; NULL: no sweep */
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
    if (s->listener != NULL) {
        if (s->listener->who >= BS_LEAST_ID && !bsl_is_live(w, s->listener->who)) {
            bsl_bad_self(L, "box was removed"); /* since the arguments were read */
        }
        bsl_check_status(L, bs_world_listen(w->core, *s->listener, &s->told, &s->ends));
        s->n = s->told->n;
        for (size_t i = s->ends; s->which == BS_CHANGES && i < s->told->n; i++) {
            s->n -= s->told->at[i].phase == BS_STAY;
        }
    } else {
        bsl_check_status(L, bs_world_contacts(w->core, s->which, &s->found));
        s->n = bs_world_count_contacts(w->core, s->found, &s->ends);
    }
    s->needed = NULL;
    if (w->gone > 0 && (w->unswept || s->ends > 0)) {
        bsl_check_status(L, bs_world_list_gone(w->core, s->listener, &s->needed));
    }
}

/* The next contact; false after the last one. A copy of the source goes through them once more. */
static bool next(source *s, bs_contact *c) {
    if (s->listener == NULL) {
        return bs_world_next_contact(s->w->core, &s->found, c);
    }
    while (s->at < s->told->n) {
        *c = s->told->at[s->at++];
        if (s->which == BS_ALL_CONTACTS || c->phase != BS_STAY) {
            return true;
        }
    }
    return false;
}

/* Marks the contacts as reported: the next call compares with them. Cannot fail. */
static void mark_reported(lua_State *L, source s, int store) {
    bsl_world *w = s.w;
    bs_contact c;
    if (s.needed != NULL) {
        sweep(L, w, store, s.needed);
        w->unswept = false;
    }
    s.which = s.found.which = BS_CHANGES;
    while (w->results != BSL_RESULTS_ID && next(&s, &c)) {
        if (c.phase == BS_BEGIN) {
            bsl_touch(L, w, store, c.a);
            bsl_touch(L, w, store, c.b);
        }
    }
    if (s.listener == NULL) {
        bs_world_contacts_done(w->core);
    } else {
        bs_world_listened(w->core, *s.listener);
    }
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
            push_box(L, w, BSL_LOOP_STORE, id);
        }
    }
    return 3;
}

/* Lists the contacts. Runs no Lua code. */
static void list_contacts(lua_State *L, source s, int store, int values, bs_contact *to) {
    bs_contact c;
    int ended = 0;
    for (; next(&s, &c); *to++ = c) {
        for (int k = 0; c.phase == BS_END && k < 2; k++) {
            bs_id *id = k == 0 ? &c.a : &c.b;
            push_box(L, s.w, store, *id);
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
    list_contacts(L, *s, store, values, items);
    mark_reported(L, *s, store);
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
static void write_contacts(lua_State *L, source s) {
    bsl_out out = bsl_open_out(L, OUT, 3 * s.n);
    bs_contact c;
    while (next(&s, &c)) {
        bsl_push_name(L, STORE, BSL_PHASE_NAMES + (int)c.phase);
        bsl_append(L, &out);
        push_box(L, s.w, STORE, c.a);
        bsl_append(L, &out);
        push_box(L, s.w, STORE, c.b);
        bsl_append(L, &out);
    }
    assert((size_t)out.n == 3 * s.n);
    bsl_close_out(L, &out);
}

/* Reads `which`, and fills the list at OUT. Returns 2. */
static int list_all(lua_State *L, source *s) {
    const bs_pairs *found = NULL;
    s->which = check_which(L, true);
    if (s->which == BS_ALL_CONTACTS && s->listener == NULL && !lua_istable(L, OUT)) {
        bsl_check_status(L, bs_world_pairs(s->w->core, &found)); /* about as many contacts */
    }
    bsl_push_out(L, OUT, found != NULL ? 3 * found->n : 0);
    lua_settop(L, OUT);
    bsl_check_table(L, OUT);
    (void)bsl_push_store(L, 1);
    ask(L, s);
    write_contacts(L, *s);
    mark_reported(L, *s, STORE);
    return bsl_return_list(L, s->w, OUT, s->n);
}

/* world:collectContacts(which?, out?) -> out, n: as contacts(which), {phase1, a1, b1, ...}. */
static int collect_contacts(lua_State *L) {
    source s = {.w = bsl_self_free_world(L)};
    return list_all(L, &s);
}

/* --- listeners ------------------------------------------------------------------------------ */

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
    bsl_listener *listener = bsl_new(L, BSL_CONTACTS_META, sizeof *listener, BSL_CONTACTS_MAGIC);
    bsl_check_open(L, w);
    (void)bsl_push_store(L, 1);
    bsl_set_uservalue(L, -2);
    core.who = ++w->listeners;
    listener->world = w;
    listener->core = core;
    return 1;
}

static bsl_listener *any_self_listener(lua_State *L) {
    return bsl_check_self(L, sizeof(bsl_listener), BSL_CONTACTS_MAGIC, "Contacts");
}

/* Checks self for a method that changes what it remembers. */
static source self_listener(lua_State *L) {
    const bsl_listener *self = any_self_listener(L);
    bsl_check_open(L, self->world);
    bsl_begin_change(L, self->world);
    return (source){.w = self->world, .listener = &self->core};
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
    const bsl_listener *self = any_self_listener(L);
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
    bs_listener listener = {bs_world_id(self.core, self.box), UINT32_MAX};
    source s = {.w = self.w, .which = check_which(L, false), .listener = &listener};
    if (!bsl_is_absent(L, MASK)) {
        listener.mask = bsl_check_mask(L, MASK);
    }
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
