/*
 * snapshot_methods.c: Snapshots of Worlds, and a World's methods snapshot and restore.
 *
 *      Snapshot ---user value--> table: the World's store, and the data of the boxes
 *
 * If a restore brings a removed box back, its Box becomes valid again. So from the first Snapshot
 * on, the store keeps the Boxes of removed boxes, weakly and by id (BSL_FORMER). If a Box has been
 * collected, restore makes a new one.
 *
 * Data are copied only if they have changed: each state of them has a number. The store has one
 * spare table, which takes the copy, and then changes places with the table that the copy replaces.
 *
 * A removed box whose contacts are still to end has its Box and data, and is treated as the others.
 *
 * In this file "current" is the world before restore, and "saved" is the state in the Snapshot.
 */
#include "filters.h"
#include "memory.h"
#include "module.h"
#include "results.h"
#include "saved.h"

/* --- Boxes and data ------------------------------------------------------------------------- */

/* Makes the world keep removed Boxes from now on, weakly. May run Lua code. */
static void begin_to_remember(lua_State *L, const bsl_world *w, int store) {
    if (bsl_rawgeti(L, store, BSL_FORMER) != LUA_TTABLE) {
        bsl_push_weak_table(L, "v");
        lua_rawseti(L, store, BSL_FORMER);
        for (uint32_t i = 0; w->core != NULL && i < bs_world_indices(w->core); i++) {
            if (!bs_world_alive(w->core, i)) { /* its contacts are still to end, or it has no Box */
                lua_rawgeti(L, store, BSL_BOXES + (int)i);
                bsl_keep_former(L, store);
                lua_pop(L, 1);
            }
        }
    }
    lua_pop(L, 1);
}

/* Makes the table at `to` a copy of the data in the table at `from`. */
static void copy_data(lua_State *L, const bsl_world *w, int from, int to) {
    for (int i = 1; i <= (int)w->stored; i++) {
        bool has = bsl_rawgeti(L, from, i) != LUA_TNIL;
        bool had = bsl_rawgeti(L, to, i) != LUA_TNIL;
        lua_pop(L, 1);
        if (has || had) {
            lua_rawseti(L, to, i);
        } else {
            lua_pop(L, 1);
        }
    }
}

/* --- taking --------------------------------------------------------------------------------- */

/*
 * world:snapshot(reuse?) -> Snapshot: the state of the world. If `reuse` is a Snapshot of this
 * world, it is overwritten and returned, so a frame makes no garbage. O(n)
 */
static int take(lua_State *L) {
    enum { STORE = 3, ITEMS, DATA, SPARE };
    bsl_world *w = bsl_self_world(L);
    lua_settop(L, 2);
    (void)bsl_push_store(L, 1);
    begin_to_remember(L, w, STORE);
    bsl_saved *s = bsl_check_reuse(L, BSL_SNAPSHOT_CLASS, w, STORE);
    bsl_check_open(L, w);
    bsl_get_uservalue(L, 2);
    lua_rawgeti(L, STORE, BSL_DATA);
    lua_rawgeti(L, STORE, BSL_SPARE);
    if (s->data != w->data) {
        copy_data(L, w, DATA, SPARE);
    }
    bsl_check_status(L, bs_snapshot_take(s->core, w->core));
    if (s->data != w->data) {
        lua_rawgeti(L, ITEMS, BSL_SAVED_DATA);
        lua_rawseti(L, STORE, BSL_SPARE);
        lua_pushvalue(L, SPARE);
        lua_rawseti(L, ITEMS, BSL_SAVED_DATA);
        s->data = w->data;
    }
    lua_settop(L, 2);
    bsl_tell_held(L, &s->account, bs_snapshot_memory(s->core));
    return 1;
}

/* --- restoring: what it needs --------------------------------------------------------------- */

/*
 * Stack indices of a call of restore. DATA is the table of the saved data. CHANGES is a table: the
 * index of each box that is another one in both states, and its saved Box, or `false` if there is
 * none. Both change places with what is in the store (exchange).
 */
enum { SNAPSHOT = 2, ASKED, ALL, STORE, ITEMS, CHANGES, DATA };
enum { CHANGE = 2 };

typedef struct restoring {
    bsl_world *w;
    bsl_saved *s;
    uint64_t data; /* the version of DATA */
    int n;         /* items in CHANGES */
    bool is_bytes; /* They have no data. */
    bool all;      /* No box keeps its data. */
} restoring;

/* Pushes a Box of that id, whose box may be removed. May run Lua code. */
static void push_any_box(lua_State *L, bsl_world *w, bs_id id) {
    if (!bsl_push_former(L, STORE, id)) {
        bsl_new_box(L, w, STORE, id);
        bsl_keep_former(L, STORE);
    }
}

/* Adds a change. Makes the saved Box if need be, and a slot for it in the store. */
static void add_change(lua_State *L, restoring *r, uint32_t index) {
    const int slot = BSL_BOXES + (int)index;
    const bs_id id = bs_snapshot_id(r->s->core, index);
    lua_pushinteger(L, (lua_Integer)index);
    lua_rawseti(L, CHANGES, ++r->n);
    if (bsl_rawgeti(L, STORE, slot) == LUA_TNIL) {
        lua_pushboolean(L, 0);
        lua_rawseti(L, STORE, slot);
    }
    bsl_keep_former(L, STORE);
    lua_pop(L, 1);
    if (id != 0 && r->w->results != BSL_RESULTS_ID) {
        push_any_box(L, r->w, id);
    } else if (id == 0 || !bsl_push_former(L, STORE, id)) {
        lua_pushboolean(L, 0);
    }
    lua_rawseti(L, CHANGES, ++r->n);
}

/*
 * Lists the changes, and makes the Boxes that are missing. That may run finalisers, which may
 * change the world. So it repeats until nothing has changed meanwhile.
 */
static void prepare(lua_State *L, restoring *r) {
    bsl_world *w = r->w;
    const uint32_t saved = bs_snapshot_indices(r->s->core);
    uint64_t changes;
    do {
        bsl_check_open(L, w);
        changes = w->changes;
        r->n = 0;
        uint32_t current = bs_world_indices(w->core);
        for (uint32_t i = 0;
             (i = bs_snapshot_change(r->s->core, w->core, i)) < current || i < saved;) {
            add_change(L, r, i++);
        }
    } while (w->changes != changes);
}

/*
 * Pushes a table of the saved data. A string has none: boxes that exist now keep theirs, unless all
 * are asked for.
 */
static void push_data(lua_State *L, restoring *r) {
    bsl_world *w = r->w;
    const int current = DATA + 1;
    lua_rawgeti(L, ITEMS, BSL_SAVED_DATA);
    lua_rawgeti(L, STORE, BSL_DATA);
    r->data = r->is_bytes ? ++w->data_versions : r->s->data;
    if (r->is_bytes && !r->all) {
        copy_data(L, w, current, DATA);
        for (int k = 1; k < r->n; k += CHANGE) {
            lua_rawgeti(L, CHANGES, k);
            size_t index = (size_t)lua_tonumber(L, -1);
            lua_pop(L, 1);
            bsl_erase(L, DATA, index, index + 1);
        }
    } else if (r->data == w->data) {
        lua_pushvalue(L, current);
        lua_replace(L, DATA);
    } else if (!r->is_bytes) {
        lua_rawgeti(L, STORE, BSL_SPARE);
        copy_data(L, w, DATA, current + 1);
        lua_replace(L, DATA);
    }
    lua_settop(L, DATA);
}

/* --- restoring: data for new boxes ---------------------------------------------------------- */

/*
 * A function that is asked for data must find the restored world. If it raises an error, nothing
 * may have changed, and undoing must not take memory. So another core is restored, which takes the
 * place of the World's core while the function is asked.
 */

/* Makes a core with the restored state. */
static bs_world *new_core(lua_State *L, const restoring *r) {
    const bsl_world *w = r->w;
    bs_world *core = bs_world_new(bsl_resize, w->account.ledger, bs_world_backend(w->core),
                                  &w->backend->settings);
    bsl_check_room(L, core != NULL);
    if (bs_world_restore(core, r->s->core) != BS_OK) {
        bs_world_free(core);
        bsl_no_memory(L);
    }
    return core;
}

typedef struct asking {
    bsl_call call;
    bool all;
} asking;

/* Within bsl_run_locked: asks for the data of all boxes, or of those that are new. */
static void ask_for_data(lua_State *L, void *context) {
    asking *a = context;
    bsl_call *c = &a->call;
    bsl_world *w = c->w;
    bsl_check_status(L, bs_world_list(w->core, &c->list));
    for (size_t i = 0; i < c->list.n; i++) {
        uint32_t box = c->list.at[i];
        uint32_t before;
        if (a->all ||
            bs_world_find(w->before_restore, bs_world_id(w->core, box), &before) != BS_FOUND) {
            lua_pushvalue(L, c->filter);
            bsl_push_result(L, w, c->store, box);
            lua_call(L, 1, 1);
            bsl_set_data(L, w, c->store, box);
        }
    }
}

/* Asks while the World has that core. False: an error was raised, which is at the top. */
static bool ask_in(lua_State *L, const restoring *r, bs_world *core) {
    bsl_world *w = r->w;
    asking a = {.call = {.w = w, .filter = ASKED, .store = STORE}, .all = r->all};
    bsl_free_lists(w);
    w->before_restore = w->core;
    w->core = core;
    bool done = bsl_run_locked(L, &a.call, ask_for_data, &a);
    bsl_free_lists(w);
    w->core = w->before_restore;
    w->before_restore = NULL;
    bs_world_free(core);
    return done;
}

/* --- restoring ------------------------------------------------------------------------------ */

/* The saved Boxes and data change places with the current ones, in the store. Cannot fail. */
static void exchange(lua_State *L, restoring *r) {
    bsl_world *w = r->w;
    const uint64_t data = w->data;
    for (int k = 1; k < r->n; k += CHANGE) {
        lua_rawgeti(L, CHANGES, k);
        int slot = BSL_BOXES + (int)lua_tonumber(L, -1);
        lua_pop(L, 1);
        lua_rawgeti(L, CHANGES, k + 1);
        lua_rawgeti(L, STORE, slot);
        lua_rawseti(L, CHANGES, k + 1);
        lua_rawseti(L, STORE, slot);
    }
    lua_pushvalue(L, DATA);
    lua_rawgeti(L, STORE, BSL_DATA);
    lua_replace(L, DATA);
    lua_rawseti(L, STORE, BSL_DATA);
    w->data = r->data;
    r->data = data;
    w->changes++;
}

/*
 * Restores the World; `other` is the core in which to ask, or NULL. If that fails, the world is as
 * it was. Nothing but that function runs Lua code.
 */
static void restore_state(lua_State *L, restoring *r, bs_world *other) {
    bsl_world *w = r->w;
    exchange(L, r);
    bool asked = other == NULL || ask_in(L, r, other);
    if (!asked || bs_world_restore(w->core, r->s->core) != BS_OK) {
        exchange(L, r);
        if (asked) {
            bsl_no_memory(L);
        }
        lua_error(L);
    }
    if (r->data != w->data) { /* otherwise both are one table */
        lua_pushvalue(L, DATA);
        lua_rawseti(L, STORE, BSL_SPARE);
    }
    for (int k = 1; k <= r->n; k++) { /* so that it holds no Boxes */
        lua_pushnil(L);
        lua_rawseti(L, CHANGES, k);
    }
}

/* Replaces the string by a new Snapshot with its bytes. May run Lua code. */
static void read_bytes(lua_State *L, const bsl_world *w) {
    size_t n;
    const char *bytes = lua_tolstring(L, SNAPSHOT, &n);
    const char *problem = NULL;
    bsl_saved *s = bsl_new_saved(L, BSL_SNAPSHOT_CLASS, w, STORE);
    bs_status status = bs_snapshot_decode(s->core, bytes, n, &problem);
    bsl_replace_string(L, status, problem);
}

/*
 * world:restore(snapshot or string, f?, all?): restores the state at which the Snapshot was taken:
 * boxes, their ids, order, data, and contacts. A string holds no data. Boxes that exist now keep
 * theirs; each other box gets what f(box) returns, if f is given. With `all` = true no box keeps
 * its data, and f is called for every box. f finds the restored world, and must not change it. A
 * Snapshot must be of this world. A string may be of any world of the same dim. O(n)
 */
static int restore(lua_State *L) {
    bsl_world *w = bsl_self_free_world(L);
    const bool is_bytes = lua_type(L, SNAPSHOT) == LUA_TSTRING;
    bsl_check_room(L, lua_checkstack(L, DATA + LUA_MINSTACK) != 0);
    if (!is_bytes) {
        bsl_check_saved(L, BSL_SNAPSHOT_CLASS, w, true);
    }
    const bool asks = is_bytes && !bsl_is_absent(L, ASKED);
    if (!bsl_is_absent(L, ASKED) && !lua_isfunction(L, ASKED)) {
        bsl_bad_arg(L, ASKED, "function");
    }
    const bool all = !bsl_is_absent(L, ALL) && bsl_check_boolean(L, ALL);
    if (!is_bytes && (!bsl_is_absent(L, ASKED) || all)) {
        bsl_bad(L, bsl_where_arg(bsl_is_absent(L, ASKED) ? ALL : ASKED),
                "a Snapshot has the data; this is for strings");
    }
    lua_settop(L, ALL);
    (void)bsl_push_store(L, 1);
    begin_to_remember(L, w, STORE);
    if (is_bytes) {
        read_bytes(L, w);
    }
    restoring r = {.w = w, .s = lua_touserdata(L, SNAPSHOT), .is_bytes = is_bytes, .all = all};
    bsl_get_uservalue(L, SNAPSHOT);
    lua_rawgeti(L, STORE, BSL_SCRATCH);
    prepare(L, &r);
    push_data(L, &r);
    restore_state(L, &r, asks ? new_core(L, &r) : NULL);
    bsl_tell(L, w);
    return 0;
}

const luaL_Reg bsl_world_snapshot_methods[] = {
    {"snapshot", take},
    {"restore", restore},
    {NULL, NULL},
};
