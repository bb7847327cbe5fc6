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
    bsl_open_cursor(cursor, &loop, n);
    bsl_tell_pool(L, pool);
    return 2;
}

/* --- hits in a world ------------------------------------------------------------------------ */

/* Pushes id, box, t, x, y, nx, ny. */
static int push_hit(lua_State *L, const bsl_cursor *cursor, const void *item) {
    const bsl_world *w = cursor->world;
    const bs_pool_hit *hit = item;
    uint32_t mover;
    (void)bs_pool_find(cursor->pool->core, hit->mover, &mover);
    if (mover == BS_NO_BOX || !bsl_is_live(w, hit->box)) {
        return 0;
    }
    bsl_push_id(L, hit->mover);
    lua_rawgeti(L, BSL_CURSOR_TABLE, BSL_CURSOR_MORE);
    bsl_push_result(L, w, BSL_CURSOR_TABLE + 2, bs_id_index(hit->box));
    lua_replace(L, BSL_CURSOR_TABLE + 2);
    lua_pushnumber(L, hit->touch.t);
    bsl_push_numbers(L, hit->place, DIM);
    return 3 + DIM + bsl_push_numbers(L, hit->touch.normal, DIM);
}

/* The state of a search with a filter function. */
typedef struct search {
    bsl_call call;
    bsl_pool *pool;
    bs_filter filter;
    bool all;          /* all hits, not only the first */
    bsl_cursor *found; /* the hits; it is not open */
    size_t n;          /* how many hits it has */
} search;

static void add_hit(lua_State *L, search *s, uint32_t mover, const bs_hit *hit) {
    bs_pool_hit *hits = bsl_reserve_items(L, s->found, s->n + 1, sizeof *hits);
    hits[s->n++] = bs_pool_hit_of(s->pool->core, mover, s->call.w->core, hit);
}

/* Adds all new hits of a mover that the function accepts. */
static void search_all(lua_State *L, search *s, uint32_t mover, const bsl_cast *cast) {
    const bs_hits *met = &s->call.hits;
    bs_id id = bs_pool_id(s->pool->core, mover);
    bsl_cast_all(L, &s->call, cast);
    for (size_t i = 0; i < met->n; i++) {
        if (!bs_pool_hit_is_old(s->pool->core, mover, &met->at[i].touch) &&
            bsl_ask(L, &s->call, met->at[i].box, id)) {
            add_hit(L, s, mover, &met->at[i]);
        }
    }
}

static void search_first(lua_State *L, search *s, uint32_t mover, bsl_cast *cast) {
    bsl_cast_asking(L, &s->call, cast, bs_pool_id(s->pool->core, mover));
    if (cast->hit.box != BS_NO_BOX) {
        add_hit(L, s, mover, &cast->hit);
    }
}

static void search_with_function(lua_State *L, void *context) {
    search *s = context;
    const bs_pool *core = s->pool->core;
    uint32_t most = bs_pool_capacity(core);
    uint32_t i = bs_pool_next_flown(core, 0);
    for (; i < most; i = bs_pool_next_flown(core, i + 1)) {
        bsl_cast c = {.way = bs_pool_way(core, i), .filter = s->filter};
        c.filter.also = bs_pool_mask(core, i);
        if (s->all) {
            search_all(L, s, i, &c);
        } else {
            search_first(L, s, i, &c);
        }
    }
}

/* Runs the search with both the world and the pool locked. */
static void ask_function(lua_State *L, search *s) {
    s->pool->busy++;
    bool done = bsl_run_locked(L, &s->call, search_with_function, s);
    s->pool->busy--;
    if (!done) {
        lua_error(L);
    }
}

/* Reads the World at `arg`. */
static bsl_world *check_world(lua_State *L, int arg) {
    bsl_world *w = bsl_to_world(L, arg);
    if (w == NULL) {
        bsl_bad_arg(L, arg, DIM == 2 ? "2D World" : "3D World");
    }
    bsl_check_open(L, w);
    return w;
}

/*
 * pool:hits(world, filter?, all?) -> iterator of id, box, t, x, y, nx, ny: the first box that each
 * mover hit in its last step; or all such boxes, by t. In the order of the movers at the time of
 * the call, followed by the movers that ended in that step. Skips what the loop frees or removes. A
 * filter function is called as f(box, id). Costs one cast for each mover
 */
static int hits(lua_State *L) {
    static const bsl_loop loop = {sizeof(bs_pool_hit), push_hit};
    enum { WORLD = 2, FILTER, ALL, WORLD_STORE, STORE };
    bsl_pool *pool = bsl_self_pool(L);
    bsl_world *w = check_world(L, WORLD);
    search s = {.pool = pool, .call = {.w = w, .filter = FILTER, .store = WORLD_STORE}};
    /* A filter may be passed with its mask behind it, which is no boolean. */
    s.all = lua_isboolean(L, ALL) && lua_toboolean(L, ALL);
    lua_settop(L, ALL);
    (void)bsl_push_store(L, WORLD);
    (void)bsl_push_store(L, 1);
    s.found = bsl_new_cursor(L, STORE, w, pool);
    s.filter = bsl_check_filter(L, w, FILTER);
    bsl_get_uservalue(L, -1);
    lua_pushvalue(L, WORLD_STORE);
    lua_rawseti(L, -2, BSL_CURSOR_MORE); /* so the cursor keeps the World alive */
    lua_pop(L, 1);
    if (lua_isfunction(L, FILTER)) {
        ask_function(L, &s);
        bsl_open_cursor(s.found, &loop, s.n);
    } else {
        pool->hits.n = 0;
        bsl_check_status(L, bs_pool_hits_world(pool->core, w->core, &s.filter,
                                               s.all ? &w->hits : NULL, &pool->heap, &pool->hits));
        bsl_open_copy(L, s.found, &loop, pool->hits.at, pool->hits.n);
    }
    bsl_tell_pool(L, pool);
    return 2;
}

/* --- hits with one box ---------------------------------------------------------------------- */

/* Pushes id, t, x, y, nx, ny. */
static int push_touch(lua_State *L, const bsl_cursor *cursor, const void *item) {
    const bs_pool_hit *hit = item;
    uint32_t mover;
    (void)bs_pool_find(cursor->pool->core, hit->mover, &mover);
    if (mover == BS_NO_BOX) {
        return 0;
    }
    bsl_push_id(L, hit->mover);
    lua_pushnumber(L, hit->touch.t);
    bsl_push_numbers(L, hit->place, DIM);
    return 2 + DIM + bsl_push_numbers(L, hit->touch.normal, DIM);
}

/* Finds the hits with a shape, which has moved by the vector at `arg` if that is given. */
static int touches(lua_State *L, bsl_pool *pool, const bs_shape *shape, int arg, uint64_t layer) {
    static const bsl_loop loop = {sizeof(bs_pool_hit), push_touch};
    double motion[DIM];
    bs_rect from = shape->rect;
    for (int k = 0; k < DIM; k++) {
        motion[k] = bsl_opt_number(L, arg + k, 0);
        from.pos[k] -= motion[k];
        bsl_check_far(L, bsl_where_arg(arg + k), &from, k);
    }
    bsl_cursor *cursor = bsl_new_cursor(L, bsl_push_store(L, 1), NULL, pool);
    pool->hits.n = 0;
    bsl_check_status(L,
                     bs_pool_hits_box(pool->core, shape, motion, layer, &pool->heap, &pool->hits));
    bsl_open_copy(L, cursor, &loop, pool->hits.at, pool->hits.n);
    bsl_tell_pool(L, pool);
    return 2;
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
    uint32_t index = bsl_check_box(L, box->world, 2);
    bs_shape shape;
    bs_world_shape(box->world->core, index, &shape);
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
