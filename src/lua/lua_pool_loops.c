/* lua_pool_loops.c: Pool's iterators: over movers, and over what they have hit. */
#include "filters.h"
#include "memory.h"
#include "module.h"
#include "volley.h"

/* --- movers --------------------------------------------------------------------------------- */

int bsl_next_mover(lua_State *L) {
    bsl_volley *volley = bsl_check_volley(L);
    const bs_pool *core = volley->pool->core;
    while (volley->at < volley->n) {
        bs_id id = volley->ids[volley->at++];
        uint32_t mover;
        if (bs_pool_find(core, id, &mover) == BS_FOUND) {
            double place[DIM];
            bs_pool_place(core, mover, place);
            bsl_push_id(L, id);
            bsl_push_numbers(L, place, DIM);
            return 1 + DIM;
        }
    }
    return bsl_end_loop(L, volley);
}

/*
 * pool:each() -> iterator of id, x, y: the movers as they are at the call, in their order, except
 * those that the loop frees; their places as they are when it comes to them. O(n)
 */
static int each(lua_State *L) {
    bsl_pool *pool = bsl_self_pool(L);
    int store = bsl_push_store(L, 1);
    bsl_rawgeti(L, store, BSL_POOL_NEXT_MOVER);
    bsl_volley *volley = bsl_new_volley(L, pool, store);
    size_t before = volley->heap.used;
    size_t n = bs_pool_count(pool->core);
    bsl_check_room(
        L, bs_array_reserve(&volley->heap, &volley->ids, &volley->ids_cap, n, sizeof *volley->ids));
    for (size_t i = 0; i < n; i++) {
        volley->ids[i] = bs_pool_id(pool->core, (uint32_t)i);
    }
    volley->n = n;
    bsl_tell_volley(L, volley, before);
    return 2;
}

/* --- hits in a world ------------------------------------------------------------------------ */

/* id, box, t, x, y, nx, ny */
int bsl_next_hit(lua_State *L) {
    bsl_volley *volley = bsl_check_volley(L);
    bsl_world *w = volley->world;
    while (w != NULL && volley->at < volley->hits.n) {
        bs_pool_hit hit = volley->hits.at[volley->at++]; /* pushing may run Lua code */
        uint32_t mover;
        bsl_check_open(L, w);
        if (bs_pool_find_flown(volley->pool->core, hit.mover, &mover) && bsl_is_live(w, hit.box)) {
            w->calls++;
            bsl_push_id(L, hit.mover);
            bsl_push_result(L, w, 3, hit.box);
            lua_pushnumber(L, hit.touch.t);
            bsl_push_numbers(L, hit.place, DIM);
            bsl_push_numbers(L, hit.touch.normal, DIM);
            return 3 + 2 * DIM;
        }
    }
    return bsl_end_loop(L, volley);
}

/* What a search with a filter function needs to know. */
typedef struct search {
    bsl_pool *pool;
    bsl_volley *volley;
    bsl_cursor *cursor;
    bs_filter filter;
} search;

static void search_with_function(lua_State *L, bsl_world *w, void *context) {
    const search *s = context;
    bsl_check_pool_open(L, s->pool);
    const bs_pool *core = s->pool->core;
    uint32_t most = bs_pool_capacity(core);
    uint32_t i = bs_pool_next_flown(core, 0);
    for (; i < most; i = bs_pool_next_flown(core, i + 1)) {
        bsl_cast c = {.filter = s->filter};
        bs_pool_way(core, i, &c.from, c.motion);
        c.filter.also = bs_pool_mask(core, i);
        bsl_cast_asking(L, w, &c, bs_pool_id(core, i), s->cursor);
        bsl_check_pool_open(L, s->pool); /* the debug library can call a finaliser */
        if (c.hit.box != BS_NO_BOX) {
            bs_id box = bs_world_id(w->core, c.hit.box);
            bsl_check_room(
                L, bs_pool_add_hit(core, i, box, &c.hit.touch, &s->volley->heap, &s->volley->hits));
        }
    }
}

/* Runs the search with the world and the pool locked. Errors pass through. */
static void ask_function(lua_State *L, bsl_world *w, int world_store, int function, search *s) {
    s->cursor = bsl_new_cursor(L, w, world_store, 0);
    int cursor = lua_gettop(L);
    bsl_check_pool_open(L, s->pool);
    lua_pushvalue(L, function);
    lua_pushvalue(L, world_store);
    w->busy++;
    s->pool->busy++;
    bool done = bsl_protect(L, w, world_store, search_with_function, s, 2);
    w->busy--;
    s->pool->busy--;
    if (!done) {
        lua_error(L);
    }
    bsl_check_open(L, w);
    bsl_free_cursor(L, w, world_store, cursor);
    lua_settop(L, cursor - 1);
}

/* The World at `arg`. */
static bsl_world *check_world(lua_State *L, int arg) {
    bsl_world *w = bsl_to_world(L, arg);
    if (w == NULL) {
        bsl_expected(L, bsl_place_arg(arg), arg, DIM == 2 ? "2D World" : "3D World");
    }
    bsl_check_open(L, w);
    w->calls++;
    return w;
}

/*
 * pool:hits(world, filter?) -> iterator of id, box, t, x, y, nx, ny: the first box that each mover
 * met in its last step, in the order of the movers, as it is at the call, then for those that ended
 * in that step. What the loop frees and removes is passed over. A filter function is called as
 * f(box, id). One cast for each mover
 */
static int hits(lua_State *L) {
    bsl_pool *pool = bsl_self_pool(L);
    bsl_world *w = check_world(L, 2);
    (void)bsl_check_filter(L, w, 3);
    lua_settop(L, 3);
    int store = bsl_push_store(L, 1);
    int world_store = bsl_push_store(L, 2);
    bsl_rawgeti(L, store, BSL_POOL_NEXT_HIT);
    bsl_volley *volley = bsl_new_volley(L, pool, store);
    int index = lua_gettop(L);
    bsl_check_open(L, w);
    /* again: a finaliser may have removed the Box in it */
    bsl_filter filter = bsl_check_filter(L, w, 3);
    size_t before = volley->heap.used;
    if (filter.function == 0) {
        bsl_check_status(
            L, bs_pool_hits_world(pool->core, w->core, &filter.core, &volley->heap, &volley->hits));
    } else {
        search s = {.pool = pool, .volley = volley, .filter = filter.core};
        ask_function(L, w, world_store, filter.function, &s);
    }
    volley->world = w;
    bsl_set_world_store(L, index, world_store);
    bsl_tell_volley(L, volley, before);
    return 2;
}

/* --- hits with one box ---------------------------------------------------------------------- */

/* id, t, x, y, nx, ny */
int bsl_next_touch(lua_State *L) {
    bsl_volley *volley = bsl_check_volley(L);
    while (volley->at < volley->hits.n) {
        const bs_pool_hit *hit = &volley->hits.at[volley->at++];
        uint32_t mover;
        if (bs_pool_find_flown(volley->pool->core, hit->mover, &mover)) {
            bsl_push_id(L, hit->mover);
            lua_pushnumber(L, hit->touch.t);
            bsl_push_numbers(L, hit->place, DIM);
            bsl_push_numbers(L, hit->touch.normal, DIM);
            return 2 + 2 * DIM;
        }
    }
    return bsl_end_loop(L, volley);
}

/* Hits with a rect that has moved by the numbers at `arg`, or has not. */
static int touches(lua_State *L, bsl_pool *pool, const bs_rect *rect, int arg, uint64_t layer) {
    double motion[DIM];
    bs_rect from = *rect;
    for (int k = 0; k < DIM; k++) {
        motion[k] = bsl_opt_number(L, arg + k, 0);
        from.pos[k] -= motion[k];
        bsl_check_far(L, bsl_place_arg(arg + k), &from, k);
    }
    int store = bsl_push_store(L, 1);
    bsl_rawgeti(L, store, BSL_POOL_NEXT_TOUCH);
    bsl_volley *volley = bsl_new_volley(L, pool, store);
    size_t before = volley->heap.used;
    bsl_check_status(
        L, bs_pool_hits_rect(pool->core, rect, motion, layer, &volley->heap, &volley->hits));
    bsl_tell_volley(L, volley, before);
    return 2;
}

/*
 * pool:hitsBox(box, dx?, dy?) -> iterator of id, t, x, y, nx, ny: the movers that met a Box in
 * their last step, in the order of the movers, then those that ended in it. dx, dy is how the Box
 * itself has moved meanwhile to where it is now. Only movers whose mask has a bit of its layer.
 * O(n)
 */
static int hits_box(lua_State *L) {
    bsl_pool *pool = bsl_self_pool(L);
    const bsl_box *box = bsl_to_box(L, 2);
    if (box == NULL) {
        bsl_expected(L, bsl_place_arg(2), 2, DIM == 2 ? "2D Box" : "3D Box");
    }
    bsl_check_open(L, box->world);
    uint32_t index = bsl_check_box(L, box->world, 2);
    bs_rect rect = *bs_world_rect(box->world->core, index);
    return touches(L, pool, &rect, 3, bs_world_layers(box->world->core, index).layer);
}

/* pool:hitsRect(x, y, w, h, dx?, dy?): the same for a rectangle; all movers. */
static int hits_rect(lua_State *L) {
    bsl_pool *pool = bsl_self_pool(L);
    bs_rect rect = bsl_check_rect(L, 2, BSL_QUERY);
    return touches(L, pool, &rect, 2 + 2 * DIM, BS_ANY_LAYER);
}

const luaL_Reg bsl_pool_loop_methods[] = {
    {"each", each}, {"hits", hits}, {"hitsBox", hits_box}, {"hitsRect", hits_rect}, {NULL, NULL},
};
