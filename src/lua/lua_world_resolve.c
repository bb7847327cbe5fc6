/* lua_world_resolve.c: World's method that pushes a box out of all that it overlaps. */
#include "filters.h"
#include "memory.h"
#include "module.h"

#include <string.h>

typedef struct resolving {
    bs_filter filter;
    bs_rect rect; /* where the box has come to */
    uint32_t pushes;
    bsl_cursor *known; /* ids of the boxes met so far, each asked about once, with what is known */
    size_t room;       /* behind as many ids the cursor has twice as many slots; a power of two */
} resolving;

/* Above the bits of an id. */
static const bs_id ACCEPTED = (bs_id)1 << 62;
static const bs_id PUSHED = (bs_id)1 << 63;

static bs_id plain(bs_id known) {
    return known & ~(ACCEPTED | PUSHED);
}

/* --- what is known -------------------------------------------------------------------------- */

/*
 * A box may have thousands in its way, and all are looked up for each push: so the places of ids,
 * counted from 1, are hashed.
 */
static bs_id *slot_of(const resolving *r, bs_id id) {
    bs_id *slots = r->known->ids + r->room;
    size_t mask = 2 * r->room - 1;
    size_t i = (size_t)(id * 0x9e3779b97f4a7c15u >> 32) & mask; /* 2^64 / golden ratio */
    while (slots[i] != 0 && plain(r->known->ids[slots[i] - 1]) != id) {
        i = (i + 1) & mask;
    }
    return &slots[i];
}

/* NULL: it is not known. */
static bs_id *find_known(const resolving *r, bs_id id) {
    bs_id place = *slot_of(r, id);
    return place != 0 ? &r->known->ids[place - 1] : NULL;
}

static void add_known(resolving *r, bs_id id) {
    bs_id *slot = slot_of(r, id);
    if (*slot == 0) {
        r->known->ids[r->known->n] = id;
        *slot = ++r->known->n;
    }
}

/* Room for so many more. Raises without memory. */
static void reserve_known(lua_State *L, resolving *r, size_t more) {
    size_t room = r->room > 0 ? r->room : 8;
    while (room < r->known->n + more) {
        room *= 2;
    }
    if (room == r->room) {
        return;
    }
    bsl_reserve_cursor(L, r->known, 3 * room);
    r->room = room;
    memset(r->known->ids + room, 0, 2 * room * sizeof *r->known->ids);
    for (size_t i = 0; i < r->known->n; i++) {
        *slot_of(r, plain(r->known->ids[i])) = i + 1;
    }
}

/* --- pushing -------------------------------------------------------------------------------- */

static void query(lua_State *L, bsl_world *w, const resolving *r) {
    bsl_check_status(L, bs_world_query(w->core, &r->rect, &r->filter, &w->list));
}

/* Asks about the boxes in w->list that are not known yet. */
static void ask_unknown(lua_State *L, bsl_world *w, resolving *r) {
    size_t before = r->known->n;
    reserve_known(L, r, w->list.n);
    for (size_t i = 0; i < w->list.n; i++) {
        add_known(r, bs_world_id(w->core, w->list.at[i]));
    }
    for (size_t i = before; i < r->known->n; i++) {
        if (bsl_ask(L, w, r->known->ids[i], 0)) {
            r->known->ids[i] |= ACCEPTED;
        }
    }
}

/* Takes from w->list what was not accepted, or has pushed the box already. */
static void drop_others(bsl_world *w, const resolving *r) {
    size_t n = 0;
    for (size_t i = 0; i < w->list.n; i++) {
        const bs_id *known = find_known(r, bs_world_id(w->core, w->list.at[i]));
        w->list.at[n] = w->list.at[i];
        n += known != NULL && (*known & ACCEPTED) != 0 && (*known & PUSHED) == 0;
    }
    w->list.n = n;
}

/* As bs_world_resolve does it, with a question about each box that comes in the way. */
static void push_out(lua_State *L, bsl_world *w, void *context) {
    resolving *r = context;
    for (;;) {
        query(L, w, r);
        ask_unknown(L, w, r);
        query(L, w, r); /* the function may have made queries of its own */
        drop_others(w, r);
        uint32_t left = bs_world_push_out(w->core, &r->rect, &w->list);
        if (left == BS_NO_BOX) {
            return;
        }
        *find_known(r, bs_world_id(w->core, left)) |= PUSHED;
        r->pushes++;
    }
}

static void resolve_filtered(lua_State *L, bsl_world *w, const bsl_filter *filter, double push[DIM],
                             uint32_t *n) {
    int store = bsl_push_store(L, 1);
    bsl_cursor *known = bsl_new_cursor(L, w, store, 0);
    uint32_t box = bsl_check_box(L, w, 2); /* now: a finaliser may have moved or removed it */
    bs_rect before = *bs_world_rect(w->core, box);
    resolving r = {.filter = filter->core, .rect = before, .known = known};
    r.filter.self = box;
    bsl_run_filter(L, w, store, filter, push_out, &r);
    for (int k = 0; k < DIM; k++) {
        push[k] = r.rect.pos[k] - before.pos[k];
    }
    *n = r.pushes;
    bs_world_update(w->core, box, &r.rect);
    bsl_free_cursor(L, w, store, store + 1);
}

/*
 * world:resolve(box, filter?) -> dx, dy, n: pushes the box out of those it overlaps, each at most
 * once; n pushes. By one push where that is no longer than several, the least overlap first. One
 * query a push
 */
static int resolve(lua_State *L) {
    bsl_world *w = bsl_self_free_world(L);
    uint32_t box = bsl_check_box(L, w, 2);
    bsl_filter filter = bsl_check_filter(L, w, 3);
    double push[DIM];
    uint32_t n;
    if (filter.function != 0) {
        resolve_filtered(L, w, &filter, push, &n);
    } else {
        bsl_check_status(L, bs_world_resolve(w->core, box, &filter.core, push, &n));
    }
    bsl_push_numbers(L, push, DIM);
    lua_pushinteger(L, (lua_Integer)n);
    bsl_tell(L, w);
    return DIM + 1;
}

const luaL_Reg bsl_world_resolve_methods[] = {{"resolve", resolve}, {NULL, NULL}};
