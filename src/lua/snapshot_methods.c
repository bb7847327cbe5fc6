/*
 * snapshot_methods.c: Snapshots of Worlds, and a World's methods snapshot and restore.
 *
 *      Snapshot ---user value--> table: the World's store, the data of the boxes, and what contacts
 *                                will return for removed boxes when they end
 *
 * If a restore brings a removed box back, its Box becomes valid again. So from the first Snapshot
 * on, the store keeps the Boxes of removed boxes, weakly and by id (BSL_FORMER). If a Box has been
 * collected, restore makes a new one.
 *
 * Making things may run finalisers, which may change the world. So restore first makes all that it
 * needs, in rounds; then it restores the core; then it publishes the result, which takes no memory.
 * In this file "now" is the world before restore, and "then" is the state in the Snapshot.
 */
#include "filters.h"
#include "memory.h"
#include "module.h"
#include "saved.h"

#include <string.h>

typedef struct snapshot {
    bsl_saved saved;
    bsl_buffer changes; /* of uint32_t: indices at which the world has another box now */
    uint64_t data;      /* the version of its copy of the data */
    uint32_t stored;    /* the copy has nothing for indices from here on */
    uint32_t spare;     /* the same for the spare table */
} snapshot;

/* Items of the user value. */
enum { STORE = 1, DATA, SPARE, GONE, MADE };

/* --- handles -------------------------------------------------------------------------------- */

static bs_status encode(bsl_saved *s) {
    return bs_snapshot_encode(s->core, &s->heap, &s->bytes);
}

static const bsl_saved_kind kind = {
    .class = BSL_SNAPSHOT_META,
    .size = sizeof(snapshot),
    .magic = BSL_SNAPSHOT_MAGIC,
    .name = "Snapshot",
    .owner = "world",
    .encode = encode,
};

static int gc(lua_State *L) {
    bs_snapshot *core = bsl_close_saved(L, &kind);
    if (core != NULL) {
        bsl_release(L, &((snapshot *)lua_touserdata(L, 1))->changes);
        bs_snapshot_free(core);
    }
    return 0;
}

static void tell(lua_State *L, bsl_saved *s) {
    if (s->core != NULL) {
        bsl_tell_if_due(L, &s->account, bs_snapshot_memory(s->core) + s->heap.used);
    }
}

/* Pushes a new Snapshot of that world, whose store is at `store`. May run Lua code. */
static bsl_saved *new_snapshot(lua_State *L, const bsl_world *w, int store) {
    bsl_saved *s = bsl_new_saved(L, &kind, w);
    int self = lua_gettop(L);
    lua_createtable(L, MADE, 0);
    for (int key = STORE; key <= MADE; key++) {
        if (key == STORE) {
            lua_pushvalue(L, store);
        } else {
            lua_newtable(L);
        }
        lua_rawseti(L, self + 1, key);
    }
    bsl_set_uservalue(L, self);
    lua_settop(L, self);
    s->core = bs_snapshot_new(s->heap.resize, s->heap.host);
    bsl_check_room(L, s->core != NULL);
    return s;
}

/* Puts removed Boxes whose contacts are still to end into the table at the top of the stack. */
static void copy_gone(lua_State *L, int store) {
    int former = lua_gettop(L);
    lua_rawgeti(L, store, BSL_GONE);
    lua_pushnil(L);
    while (lua_next(L, former + 1) != 0) {
        const bsl_box *box = bsl_to_box(L, -1);
        /* Otherwise it is the data of the box. */
        if (box != NULL && box->id == (bs_id)lua_tonumber(L, -2)) {
            lua_pushvalue(L, -2);
            lua_insert(L, -2);
            lua_rawset(L, former);
        } else {
            lua_pop(L, 1);
        }
    }
    lua_settop(L, former);
}

/* Makes the world keep removed Boxes from now on, weakly. May run Lua code. */
static void begin_to_remember(lua_State *L, bsl_world *w, int store) {
    if (!w->remembers) {
        lua_newtable(L);
        lua_createtable(L, 0, 1);
        lua_pushliteral(L, "v");
        lua_setfield(L, -2, "__mode");
        lua_setmetatable(L, -2);
        copy_gone(L, store);
        bsl_keep(L, store, BSL_FORMER);
        w->remembers = true;
    }
}

/* --- data ----------------------------------------------------------------------------------- */

/*
 * Makes the table at `to`, whose items end at `end`, a copy of the first n items of the one at
 * `from`.
 */
static void copy_data(lua_State *L, int from, int to, uint32_t n, uint32_t end) {
    for (int i = 1; i <= (int)n; i++) {
        bool has = bsl_rawgeti(L, from, i) != LUA_TNIL;
        bool had = bsl_rawgeti(L, to, i) != LUA_TNIL;
        lua_pop(L, 1);
        if (has || had) {
            lua_rawseti(L, to, i);
        } else {
            lua_pop(L, 1);
        }
    }
    bsl_erase(L, to, n, end > n ? end : n);
}

/*
 * Pushes items `first` to `last` of the user value of the Snapshot at `index`; returns the stack
 * index of the first.
 */
static int push_items(lua_State *L, int index, int first, int last) {
    bsl_get_uservalue(L, index);
    int items = lua_gettop(L);
    for (int key = first; key <= last; key++) {
        lua_rawgeti(L, items, key);
    }
    return items + 1;
}

/*
 * Copies the data of the world into the spare table of the Snapshot at `index`. They are swapped
 * when everything has succeeded.
 */
static void copy_from_world(lua_State *L, const bsl_world *w, snapshot *s, int index, int store) {
    int data = push_items(L, index, DATA, SPARE);
    lua_rawgeti(L, store, BSL_DATA);
    copy_data(L, data + 2, data + 1, w->stored, s->spare);
    s->spare = w->stored;
    lua_settop(L, data - 2);
}

static void swap_data(lua_State *L, snapshot *s, int index) {
    int data = push_items(L, index, DATA, SPARE);
    uint32_t stored = s->stored;
    lua_rawseti(L, data - 1, DATA);
    lua_rawseti(L, data - 1, SPARE);
    s->stored = s->spare;
    s->spare = stored;
    lua_settop(L, data - 2);
}

/* --- taking --------------------------------------------------------------------------------- */

/*
 * world:snapshot(reuse?) -> Snapshot: the state of the world. If `reuse` is a Snapshot of this
 * world, it is overwritten and returned, so a frame makes no garbage. O(n)
 */
static int take(lua_State *L) {
    bsl_world *w = bsl_self_world(L);
    lua_settop(L, 2);
    int store = bsl_push_store(L, 1);
    begin_to_remember(L, w, store);
    if (bsl_is_absent(L, 2)) {
        (void)new_snapshot(L, w, store);
        lua_replace(L, 2);
    }
    snapshot *s = (snapshot *)bsl_check_saved(L, &kind, w, false);
    bsl_check_open(L, w);
    bool other_data = s->data != w->data;
    if (other_data) {
        copy_from_world(L, w, s, 2, store);
    }
    bsl_check_status(L, bs_snapshot_take(s->saved.core, w->core));
    if (other_data) {
        swap_data(L, s, 2);
        s->data = w->data;
    }
    int items = push_items(L, 2, GONE, GONE) - 1;
    lua_rawgeti(L, store, BSL_GONE);
    lua_rawseti(L, items, GONE);
    lua_settop(L, 2);
    tell(L, &s->saved);
    return 1;
}

/* --- going back: what it needs -------------------------------------------------------------- */

/* The state of a call of restore. The indices are stack indices. */
typedef struct going {
    bsl_world *w;
    snapshot *s;
    int store, former, made, gone;
    size_t boxes; /* how many Boxes the table at `made` keeps alive */
    uint32_t n;   /* one above the largest index now or then */
    bool is_bytes;
    const uint32_t *changes; /* the indices at which there is another box now than then */
    size_t changed;
    bsl_core other; /* while data is asked for: the core that the World does not use */
} going;

/* Pushes the Box of that id from the table of former Boxes and returns true, or pushes nothing. */
static bool push_kept(lua_State *L, int former, bs_id id) {
    bsl_push_id(L, id);
    lua_rawget(L, former);
    if (lua_type(L, -1) == LUA_TUSERDATA) {
        return true;
    }
    lua_pop(L, 1);
    return false;
}

/*
 * Makes sure that there is a Box of that id, whose box may be removed. True if it had to make one.
 */
static bool make_box(lua_State *L, going *g, bs_id id) {
    if (push_kept(L, g->former, id)) {
        lua_pop(L, 1);
        return false;
    }
    bsl_box *box = bsl_new_item(L, g->store, sizeof *box, BSL_BOX_MAGIC);
    box->world = g->w;
    box->id = id;
    bsl_push_id(L, id);
    lua_pushvalue(L, -2);
    lua_rawset(L, g->former);
    lua_rawseti(L, g->made, (int)++g->boxes);
    return true;
}

/* The id of the box at that index now, or 0. */
static bs_id id_now(const bsl_world *w, uint32_t index) {
    return bs_world_alive(w->core, index) ? bs_world_id(w->core, index) : 0;
}

static bs_id id_then(const snapshot *s, uint32_t index) {
    return index < bs_snapshot_indices(s->saved.core) ? bs_snapshot_id(s->saved.core, index) : 0;
}

/* Lists all indices at which the box now differs from the one then, or is missing on one side. */
static void list_changes(lua_State *L, going *g) {
    uint32_t then = bs_snapshot_indices(g->s->saved.core);
    g->n = bs_world_indices(g->w->core);
    g->n = g->n > then ? g->n : then;
    uint32_t *changes =
        bsl_reserve(L, &g->s->saved.account, &g->s->changes, g->n * sizeof *changes);
    g->changes = changes;
    g->changed = 0;
    for (uint32_t i = 0; (i = bs_snapshot_change(g->s->saved.core, g->w->core, i)) < g->n; i++) {
        changes[g->changed++] = i;
    }
}

/* Makes a place in the store for the Box of that index. */
static void make_place(lua_State *L, const going *g, uint32_t index) {
    bool has = bsl_rawgeti(L, g->store, BSL_BOXES + (int)index) != LUA_TNIL;
    lua_pop(L, 1);
    if (!has) {
        lua_pushboolean(L, 0);
        bsl_keep(L, g->store, BSL_BOXES + (int)index);
    }
}

/* Keeps the Box of a box that restore will remove, as the script may ask for it afterwards. */
static void keep_former(lua_State *L, const going *g, uint32_t index, bs_id id) {
    if (bsl_rawgeti(L, g->store, BSL_BOXES + (int)index) == LUA_TUSERDATA) {
        bsl_push_id(L, id);
        lua_insert(L, -2);
        lua_rawset(L, g->former);
    } else {
        lua_pop(L, 1);
    }
}

/*
 * Makes Boxes for contacts that are still to end and whose boxes are removed: a string cannot hold
 * them. True if it had to make one.
 */
static bool make_gone(lua_State *L, going *g) {
    bool made = false;
    for (size_t i = 0; i < bs_snapshot_contacts(g->s->saved.core); i++) {
        bs_contact contact = bs_snapshot_contact(g->s->saved.core, i);
        const bs_id ids[] = {contact.a, contact.b};
        for (int k = 0; k < 2; k++) {
            if (id_then(g->s, bs_id_index(ids[k])) != ids[k]) {
                made |= make_box(L, g, ids[k]);
                bsl_push_id(L, ids[k]);
                if (push_kept(L, g->former, ids[k])) {
                    lua_rawset(L, g->gone);
                } else {
                    lua_pop(L, 1);
                }
            }
        }
    }
    return made;
}

/*
 * Makes the Boxes and places that are missing. That may run finalisers, which may change the world.
 * So it repeats until nothing had to be made.
 */
static void prepare(lua_State *L, going *g) {
    const bsl_world *w = g->w;
    bool needs_boxes = w->results != BSL_RESULTS_ID;
    bool again;
    do {
        again = false;
        bsl_check_open(L, w);
        list_changes(L, g);
        for (size_t k = 0; k < g->changed; k++) {
            uint32_t i = g->changes[k];
            bs_id before = id_now(w, i);
            bs_id after = id_then(g->s, i);
            make_place(L, g, i);
            if (before != 0) {
                keep_former(L, g, i, before);
            }
            if (after != 0 && needs_boxes) {
                again |= make_box(L, g, after);
            }
        }
        if (g->is_bytes && needs_boxes) {
            again |= make_gone(L, g);
        }
    } while (again);
}

/* --- going back: making it known ------------------------------------------------------------ */

/* Puts the Box of that id into the store at that index, or `false` if the id is 0. */
static void publish_box(lua_State *L, const going *g, uint32_t index, bs_id id) {
    if (id == 0 || !push_kept(L, g->former, id)) {
        lua_pushboolean(L, 0);
    }
    bsl_keep(L, g->store, BSL_BOXES + (int)index);
}

/*
 * If the Snapshot comes from a string, drops the data of changed boxes from the table of data at
 * that stack index.
 */
static void drop_data(lua_State *L, const going *g, int data) {
    for (size_t k = 0; k < g->changed && g->is_bytes; k++) {
        bsl_erase(L, data, g->changes[k], (size_t)g->changes[k] + 1);
        g->w->data = ++g->w->data_versions;
    }
}

/* Puts the Boxes of the Snapshot into the store. */
static void publish_boxes(lua_State *L, const going *g) {
    for (size_t k = 0; k < g->changed; k++) {
        publish_box(L, g, g->changes[k], id_then(g->s, g->changes[k]));
    }
    if (g->n > 0) {
        bsl_use_key(g->w, g->n - 1);
    }
}

/* Exchanges the data of the world for those of the Snapshot, a copy of which is in SPARE. */
static void publish_data(lua_State *L, const going *g, int index) {
    bsl_world *w = g->w;
    int spare = push_items(L, index, SPARE, SPARE);
    uint32_t stored = w->stored;
    lua_rawgeti(L, g->store, BSL_DATA);
    lua_rawseti(L, spare - 1, SPARE);
    bsl_keep(L, g->store, BSL_DATA);
    w->stored = stored > g->s->spare ? stored : g->s->spare;
    g->s->spare = stored;
    w->data = g->s->data;
    lua_settop(L, spare - 2);
}

/* Sets which boxes have to be remembered when they are removed (contact_methods.c). */
static void publish_contacts(lua_State *L, const going *g) {
    bsl_world *w = g->w;
    uint32_t *counts = w->touched.at;
    memset(counts, 0, w->touched.size);
    w->touching = bs_snapshot_contacts(g->s->saved.core);
    for (size_t i = 0; i < w->touching; i++) {
        bs_contact contact = bs_snapshot_contact(g->s->saved.core, i);
        const bs_id ids[] = {contact.a, contact.b};
        for (int k = 0; k < 2; k++) {
            uint32_t box = bs_id_index(ids[k]);
            counts[box] += id_then(g->s, box) == ids[k];
        }
    }
    lua_pushnil(L);
    w->gone = lua_next(L, g->gone) != 0;
    lua_settop(L, g->made);
    lua_pushvalue(L, g->gone);
    bsl_keep(L, g->store, BSL_GONE);
}

/* --- going back: data for new boxes --------------------------------------------------------- */

/*
 * A function that is asked for data must find the restored world. If it raises an error, nothing
 * may have changed, and undoing must not take memory. So another core is restored first. It takes
 * the place of the World's core, and the store is set to match, while the world is locked.
 */

/* Puts the table at the top of the stack into the store, and pushes the one that was there. */
static void swap_kept(lua_State *L, int store, int key) {
    lua_rawgeti(L, store, key);
    lua_insert(L, -2);
    bsl_keep(L, store, key);
}

enum { ASKED = 3 }; /* the argument with the function */

/* Within bsl_run_locked: asks for the data of each box that the World's own core does not have. */
static void ask_for_data(lua_State *L, void *context) {
    bsl_call *c = context;
    bsl_world *w = c->w;
    bsl_check_status(L, bs_world_list(w->core, &c->list));
    for (size_t i = 0; i < c->list.n; i++) {
        uint32_t box = c->list.at[i];
        bs_world *own = w->aside->core;
        if (!bs_world_alive(own, box) || bs_world_id(own, box) != bs_world_id(w->core, box)) {
            lua_pushvalue(L, c->filter);
            bsl_push_result(L, w, c->store, box);
            lua_call(L, 1, 1);
            bsl_set_data(L, w, c->store, box);
        }
    }
}

/* Makes a core with the restored state. */
static void make_other_core(lua_State *L, going *g) {
    void *host;
    bs_realloc resize = lua_getallocf(L, &host);
    g->other.core =
        bs_world_new(resize, host, bs_world_backend(g->w->core), &g->w->backend->settings);
    bsl_check_room(L, g->other.core != NULL);
    if (bs_world_restore(g->other.core, g->s->saved.core) != BS_OK) {
        bsl_free_core(&g->other);
        bsl_no_memory(L);
    }
}

/* Exchanges the World's core for the other one, and puts the Boxes of that core into the store. */
static void swap_worlds(lua_State *L, going *g) {
    bsl_swap_core(g->w, &g->other);
    for (size_t k = 0; k < g->changed; k++) {
        publish_box(L, g, g->changes[k], id_now(g->w, g->changes[k]));
    }
    g->w->removals++;
}

/* Keeps the present Boxes alive while those of the Snapshot are in their places. */
static void hold_boxes(lua_State *L, going *g) {
    for (size_t k = 0; k < g->changed; k++) {
        lua_rawgeti(L, g->store, BSL_BOXES + (int)g->changes[k]);
        lua_rawseti(L, g->made, (int)++g->boxes);
    }
}

/*
 * Asks while the World has the other core and the tables of the Snapshot. False: the function
 * raised an error, which is at the top of the stack.
 */
static bool ask_in_other_core(lua_State *L, going *g) {
    bsl_world *w = g->w;
    bsl_call c = {.w = w, .filter = ASKED, .store = g->store};
    swap_worlds(L, g);
    w->aside = &g->other;
    w->data = ++w->data_versions;
    bool done = bsl_run_locked(L, &c, ask_for_data, &c);
    w->aside = NULL;
    swap_worlds(L, g);
    bsl_free_core(&g->other);
    return done;
}

/*
 * Restores the World. Its store gets a copy of the data, to which the function's results for new
 * boxes are added.
 */
static void go_back_asking(lua_State *L, going *g) {
    bsl_world *w = g->w;
    const uint64_t version = w->data;
    const int top = lua_gettop(L);
    lua_rawgeti(L, g->store, BSL_DATA);
    int data = push_items(L, 2, DATA, DATA);
    copy_data(L, top + 1, data, w->stored, 0);
    drop_data(L, g, data);
    hold_boxes(L, g);
    make_other_core(L, g);
    lua_settop(L, data);
    swap_kept(L, g->store, BSL_DATA);
    lua_pushvalue(L, g->gone);
    swap_kept(L, g->store, BSL_GONE);
    bool done = ask_in_other_core(L, g);
    bool back = done && bs_world_restore(w->core, g->s->saved.core) == BS_OK;
    lua_pushvalue(L, data + 1);
    bsl_keep(L, g->store, BSL_GONE);
    if (!back) {
        lua_pushvalue(L, data);
        bsl_keep(L, g->store, BSL_DATA);
        w->data = version;
        if (!done) {
            lua_error(L);
        }
        bsl_no_memory(L);
    }
    w->data = ++w->data_versions;
    lua_settop(L, top);
}

/* Replaces the string at stack index 2 by a new Snapshot with its bytes. */
static void read_bytes(lua_State *L, bsl_world *w, int store) {
    size_t n;
    const char *bytes = lua_tolstring(L, 2, &n);
    const char *problem = NULL;
    bsl_saved *s = new_snapshot(L, w, store);
    bsl_check_status(L, bs_snapshot_decode(s->core, bytes, n, &problem));
    if (problem != NULL) {
        bsl_bad(L, bsl_place_arg(2), "this string %s", problem);
    }
    lua_replace(L, 2);
}

/*
 * world:restore(snapshot or string, f?): restores the state at which the Snapshot was taken: boxes,
 * their ids, order, data, and contacts. A string holds no data. Boxes that exist now keep theirs;
 * each other box gets what f(box) returns, if f is given. f finds the restored world, and must not
 * change it. A Snapshot must be of this world. A string may be of any world of the same dim. O(n)
 */
static int restore(lua_State *L) {
    bsl_world *w = bsl_self_free_world(L);
    going g = {.w = w, .is_bytes = lua_type(L, 2) == LUA_TSTRING};
    if (!g.is_bytes) {
        bsl_check_saved(L, &kind, w, true);
    }
    bool asks = !bsl_is_absent(L, ASKED);
    if (asks && !lua_isfunction(L, ASKED)) {
        bsl_bad_arg(L, ASKED, "function");
    }
    lua_settop(L, ASKED);
    g.store = bsl_push_store(L, 1);
    begin_to_remember(L, w, g.store);
    if (g.is_bytes) {
        read_bytes(L, w, g.store);
    }
    g.s = (snapshot *)bsl_to_saved(L, 2, &kind);
    lua_rawgeti(L, g.store, BSL_FORMER);
    g.former = lua_gettop(L);
    g.gone = push_items(L, 2, GONE, MADE);
    g.made = g.gone + 1;
    prepare(L, &g);
    bool other_data = !g.is_bytes && g.s->data != w->data;
    if (other_data) {
        int data = push_items(L, 2, DATA, SPARE);
        copy_data(L, data, data + 1, g.s->stored, g.s->spare);
        g.s->spare = g.s->stored;
        lua_settop(L, g.made);
    }
    bsl_reserve_counts(L, w, g.n);
    if (g.is_bytes && asks) {
        go_back_asking(L, &g);
    } else {
        bsl_check_status(L, bs_world_restore(w->core, g.s->saved.core));
        lua_rawgeti(L, g.store, BSL_DATA);
        drop_data(L, &g, lua_gettop(L));
        lua_settop(L, g.made);
    }
    publish_boxes(L, &g);
    if (other_data) {
        publish_data(L, &g, 2);
    }
    publish_contacts(L, &g);
    bsl_erase(L, g.made, 0, g.boxes);
    w->removals++;
    bsl_tell(L, w);
    return 0;
}

/* --- what it is ----------------------------------------------------------------------------- */

/* snapshot:getString() -> string: the same bytes on every platform. O(n log n) */
static int get_string(lua_State *L) {
    return bsl_push_saved_string(L, &kind);
}

/*
 * snapshot:getHash() -> 16 hex digits. They depend on the state only, not on how the world got
 * there. O(n log n)
 */
static int get_hash(lua_State *L) {
    return bsl_push_saved_hash(L, &kind);
}

const luaL_Reg bsl_world_snapshots[] = {
    {"snapshot", take},
    {"restore", restore},
    {NULL, NULL},
};

static int to_string(lua_State *L) {
    const bsl_saved *s = bsl_to_saved(L, 1, &kind);
    if (s == NULL) {
        bsl_not_self(L, "Snapshot");
    }
    if (s->core == NULL) {
        lua_pushliteral(L, "Snapshot (closed)");
    } else {
        lua_pushfstring(L, "Snapshot (%dD, %d boxes)", DIM, (int)bs_snapshot_count(s->core));
    }
    return 1;
}

const luaL_Reg bsl_snapshot_methods[] = {
    {"getString", get_string},
    {"getHash", get_hash},
    {"__tostring", to_string},
    {"__gc", gc},
    {NULL, NULL},
};
