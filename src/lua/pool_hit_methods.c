/* pool_hit_methods.c: a Pool's loops over its movers, and over what they have hit. */
#include "cursor.h"
#include "filters.h"
#include "module.h"

/* --- movers --------------------------------------------------------------------------------- */

static int push_mover(lua_State *L, const bsl_cursor *cursor, const void *item) {
    const bs_pool *core = cursor->pool->core;
    bs_id id = *(const bs_id *)item;
    uint32_t mover;
    double position[DIM];
    if (bs_pool_find(core, id, &mover) != BS_FOUND) {
        return 0;
    }
    bs_pool_place(core, mover, position);
    bsl_push_id(L, id);
    return 1 + bsl_push_numbers(L, position, DIM);
}

/*
 * pool:each() -> iterator of id, x, y: the movers at the time of the call, in their order, except
 * those that the loop frees. A position is that at the time when the loop comes to the mover. O(n)
 */
static int each(lua_State *L) {
    static const bsl_loop loop = {sizeof(bs_id), push_mover};
    bsl_pool *pool = bsl_self_pool(L);
    bsl_cursor *cursor = bsl_new_cursor(L, bsl_push_store(L, 1), NULL, pool);
    uint32_t n = bs_pool_count(pool->core);
    bs_id *ids = bsl_reserve_items(L, cursor, n, sizeof *ids);
    for (uint32_t i = 0; i < n; i++) {
        ids[i] = bs_pool_id(pool->core, i);
    }
    return bsl_open_cursor(L, cursor, &loop, n);
}

/* --- hits ----------------------------------------------------------------------------------- */

/* Pushes id, box, t, x, y, nx, ny; without the box in a loop that has no World. */
static int push_hit(lua_State *L, const bsl_cursor *cursor, const void *item) {
    const bsl_world *w = cursor->world;
    const bs_pool_hit *hit = item;
    uint32_t mover;
    (void)bs_pool_find(cursor->pool->core, hit->mover, &mover);
    if (mover == BS_NO_BOX || (w != NULL && !bsl_is_live(w, hit->box))) {
        return 0;
    }
    bsl_push_id(L, hit->mover);
    if (w != NULL) {
        bsl_push_result(L, w, BSL_LOOP_MORE, bs_id_index(hit->box));
    }
    lua_pushnumber(L, hit->touch.t);
    bsl_push_numbers(L, hit->place, DIM);
    bsl_push_numbers(L, hit->touch.normal, DIM);
    return lua_gettop(L);
}

static const bsl_loop hits_loop = {sizeof(bs_pool_hit), push_hit};

/* --- hits in a world ------------------------------------------------------------------------ */

typedef struct search {
    bsl_call call;
    bsl_pool *pool;
    bs_filter filter;
    bool all;          /* all hits, not only the first */
    size_t before;     /* how many hits the pool's list had, of calls that this one is within */
    size_t met_before; /* and how many meets */
    bs_status status;
} search;

/* Adds the hits to the pool's list, and what was met, if all hits are wanted, to its other list. */
static void find(lua_State *L, void *context) {
    search *s = context;
    bsl_world *w = s->call.w;
    (void)L;
    bsl_pool *pool = s->pool;
    bs_hits *every = s->filter.accepts != NULL ? s->filter.hits : &w->hits;
    bs_piercing piercing = {.world = w->number, .every = every, .met = &pool->met};
    s->status = bs_pool_hits_world(pool->core, w->core, &s->filter, s->all ? &piercing : NULL,
                                   &pool->heap, &pool->hits);
}

/* Ends a call: removes what it met from the pool's list, and remembers it if all has gone well. */
static bs_status remember(search *s) {
    bs_pool_meets *met = &s->pool->met;
    const size_t n = met->n - s->met_before;
    met->n = s->met_before;
    if (s->status != BS_OK || !s->all) {
        return s->status;
    }
    return bs_pool_remember(s->pool->core, s->call.w->number, n > 0 ? met->at + met->n : NULL, n);
}

/* Finds the hits, and asks the function, with both the world and the pool locked. */
static void find_locked(lua_State *L, search *s) {
    s->pool->busy++;
    bool done = bsl_run_locked(L, &s->call, find, s);
    s->pool->busy--;
    if (!done) {
        s->pool->hits.n = s->before;
        s->pool->met.n = s->met_before;
        lua_error(L);
    }
}

/* Removes the hits of a call from the pool's list, and opens a loop over them. Returns 1. */
static int open_loop(lua_State *L, bsl_pool *pool, size_t before, bs_status status,
                     bsl_cursor *cursor) {
    const size_t n = pool->hits.n - before;
    pool->hits.n = before;
    bsl_check_status(L, status);
    return bsl_open_copy(L, cursor, &hits_loop, n > 0 ? pool->hits.at + before : NULL, n);
}

/*
 * pool:hits(world, filter?, all?) -> iterator of id, box, t, x, y, nx, ny: the first box that each
 * mover hit in its last step; or all such boxes, by t, each once until it has not been met for a
 * whole step. In the order of the movers at the time of the call, followed by the movers that ended
 * in that step. Skips what the loop frees or removes. A filter function is called as f(box, id).
 * Costs one cast for each mover
 */
static int hits(lua_State *L) {
    enum { WORLD = 2, FILTER, ALL, WORLD_STORE, STORE, ITERATOR };
    bsl_pool *pool = bsl_self_pool(L);
    bsl_world *w = bsl_to_world(L, WORLD);
    if (w == NULL) {
        bsl_bad_arg(L, WORLD, DIM == 2 ? "2D World" : "3D World");
    }
    bsl_check_open(L, w);
    search s = {.pool = pool, .call = {.L = L, .w = w, .filter = FILTER, .store = WORLD_STORE}};
    /* The mask that box:getFilter() passes behind the layer is no boolean, and means nothing. */
    const bool is_given = !bsl_is_absent(L, ALL) && lua_type(L, ALL) != LUA_TNUMBER;
    s.all = is_given && bsl_check_boolean(L, ALL);
    lua_settop(L, ALL);
    (void)bsl_push_store(L, WORLD);
    (void)bsl_push_store(L, 1);
    bsl_cursor *cursor = bsl_new_cursor(L, STORE, w, pool);
    s.filter = bsl_check_filter(L, &s.call);
    lua_pushvalue(L, WORLD_STORE);
    (void)lua_setupvalue(L, ITERATOR, BSL_CURSOR_MORE); /* so it keeps the World alive */
    s.before = pool->hits.n;
    s.met_before = pool->met.n;
    if (bsl_asks(L, &s.call)) {
        find_locked(L, &s);
    } else {
        find(L, &s);
    }
    return open_loop(L, pool, s.before, remember(&s), cursor);
}

/* --- hits with one box ---------------------------------------------------------------------- */

/* Finds the hits with a shape, which has moved by the vector at `arg` if that is given. */
static int touches(lua_State *L, bsl_pool *pool, const bs_shape *shape, int arg, uint64_t layer) {
    double motion[DIM];
    bs_rect from = shape->rect;
    for (int k = 0; k < DIM; k++) {
        motion[k] = bsl_opt_number(L, arg + k, 0);
        from.pos[k] -= motion[k];
        bsl_check_far(L, bsl_where_arg(arg + k), &from, k);
    }
    bsl_cursor *cursor = bsl_new_cursor(L, bsl_push_store(L, 1), NULL, pool);
    const size_t before = pool->hits.n;
    bs_status status = bs_pool_hits_box(pool->core, shape, motion, layer, &pool->heap, &pool->hits);
    return open_loop(L, pool, before, status, cursor);
}

/*
 * pool:hitsBox(box, dx?, dy?) -> iterator of id, t, x, y, nx, ny: the movers that hit a Box in
 * their last step, in their order, followed by those that ended in it. dx, dy is the motion of the
 * Box in that time, which ended where it is now. Only movers whose mask has a bit of its layer
 * count. O(n)
 */
static int hits_box(lua_State *L) {
    bsl_pool *pool = bsl_self_pool(L);
    const bsl_box *box = bsl_to_box(L, 2);
    if (box == NULL) {
        bsl_bad_arg(L, 2, DIM == 2 ? "2D Box" : "3D Box");
    }
    bsl_check_open(L, box->world);
    bs_shape shape;
    const uint32_t index = bsl_check_box_shape(L, box->world, 2, &shape);
    return touches(L, pool, &shape, 3, bs_world_layers(box->world->core, index).layer);
}

/* pool:hitsRect(x, y, w, h, dx?, dy?): as hitsBox, for a rectangle; all movers count. */
static int hits_rect(lua_State *L) {
    bsl_pool *pool = bsl_self_pool(L);
    bs_rect rect = bsl_check_rect(L, 2, BSL_QUERY);
    bs_shape shape;
    bs_shape_set_box(&shape, &rect);
    return touches(L, pool, &shape, 2 + 2 * DIM, BS_ANY_LAYER);
}

const luaL_Reg bsl_pool_hit_methods[] = {
    {"each", each}, {"hits", hits}, {"hitsBox", hits_box}, {"hitsRect", hits_rect}, {NULL, NULL},
};
