/* world_methods.c: how Worlds are made and closed, and methods that concern a World as a whole. */
#include "cursor.h"
#include "filters.h"
#include "module.h"

#include <string.h>

/* --- newWorld ------------------------------------------------------------------------------- */

typedef struct world_options {
    bsl_results results;
    double gravity[DIM];
} world_options;

static const char *read_gravity(lua_State *L, void *field) {
    return bsl_read_numbers(L, DIM, field);
}

static const char *read_results(lua_State *L, void *field) {
    static const char *const names[] = {"box", "id", "data"}; /* in the order of bsl_results */
    int found = bsl_find_name(L, -1, names, 3);
    *(bsl_results *)field = (bsl_results)found;
    return found < 3 ? NULL : "\"box\", \"id\" or \"data\"";
}

static const bsl_option world_option_rows[] = {
    {"backend", bsl_read_any, 0, NULL},
    {"dim", bsl_read_dim, 0, NULL},
    {"gravity", read_gravity, offsetof(world_options, gravity), NULL},
    {"results", read_results, offsetof(world_options, results), NULL},
    {NULL, NULL, 0, NULL},
};

/* Makes the store, with what only Worlds have. */
static int make_store(lua_State *L, bsl_world *w) {
    int store = bsl_make_store(L, BSL_BOX_CLASS, &w->account);
    for (int key = BSL_DATA; key <= BSL_SCRATCH; key++) {
        lua_newtable(L);
        lua_rawseti(L, store, key);
    }
    lua_pushboolean(L, 0);
    lua_rawseti(L, store, BSL_ROWS);
    for (int i = 0; i < BSL_NAMES; i++) {
        lua_pushstring(L, bsl_names[i]);
        lua_rawseti(L, store, BSL_FIRST_NAME + i);
    }
    return store;
}

/*
 * newWorld(opts?) -> World; opts: backend, gravity, dim, results. init.lua picks the module by dim.
 *
 * The World is made first, closed but otherwise complete, and then gets a core. So an error on the
 * way leaves nothing behind. The Backend is read last, because a finaliser could use it before.
 */
static int new_world(lua_State *L) {
    world_options options;
    memset(&options, 0, sizeof options);
    bsl_check_options(L, 1, world_option_rows, &options);
    bsl_world *w = bsl_new(L, BSL_WORLD_CLASS, sizeof *w);
    int store = make_store(L, w);
    w->results = options.results;
    w->number = ++w->account.ledger->worlds;
    bsl_push_option(L, 1, "backend");
    if (lua_isnil(L, -1)) {
        lua_pop(L, 1);
        lua_pushliteral(L, "auto");
    }
    int value = lua_gettop(L);
    bsl_backend *backend = bsl_backend_at(L, NULL, bsl_where_option(1, "backend"), value);
    lua_rawseti(L, store, BSL_BACKEND);
    w->core = bs_world_new(bsl_resize, w->account.ledger, bs_backend_find(backend->name),
                           &backend->settings);
    bsl_check_room(L, w->core != NULL);
    bsl_attach_backend(w, backend);
    bs_world_set_gravity(w->core, options.gravity);
    lua_settop(L, store - 1);
    bsl_tell(L, w);
    return 1;
}

/* --- ending --------------------------------------------------------------------------------- */

void bsl_free_lists(bsl_world *w) {
    bs_heap *heap = bs_world_heap(w->core);
    bs_list_free(heap, &w->list);
    bs_array_free(heap, &w->hits.at, &w->hits.cap, sizeof *w->hits.at);
    bs_array_free(heap, &w->pictures.at, &w->pictures.cap, sizeof *w->pictures.at);
    bsl_release(w->account.ledger, &w->boxes);
    bsl_release(w->account.ledger, &w->rects);
    bsl_release(w->account.ledger, &w->except_room);
    bsl_release(w->account.ledger, &w->moves);
}

/* The Backend may outlive the World and be used again. */
static int gc(lua_State *L) {
    bsl_world *w = bsl_to_world(L, 1);
    if (w == NULL || w->core == NULL ||
        bsl_outlives_finaliser(L, &w->account, w->running != NULL)) {
        return 0;
    }
    bsl_free_calls(w);
    bsl_free_lists(w);
    bsl_tell_end(&w->account);
    w->backend->world = NULL;
    bs_world_free(w->core);
    w->core = NULL;
    if (w->before_restore != NULL) {
        bs_world_free(w->before_restore);
    }
    return 0;
}

/* --- counts and figures --------------------------------------------------------------------- */

/* world:count() -> n; also #world. O(1) */
static int count(lua_State *L) {
    lua_pushinteger(L, (lua_Integer)bs_world_count(bsl_self_world(L)->core));
    return 1;
}

static int to_string(lua_State *L) {
    const bsl_world *w = bsl_any_self_world(L);
    if (w->core == NULL) {
        lua_pushliteral(L, "World (closed)");
    } else {
        lua_pushfstring(L, "World (%dD, %d boxes)", DIM, (int)bs_world_count(w->core));
    }
    return 1;
}

/*
 * world:stats() -> {backend =, boxes =, dynamic =, static =, memory = (bytes), ...}: the rest are
 * the back end's own figures. O(nodes)
 */
static int stats(lua_State *L) {
    const bsl_backend *backend = bsl_self_world(L)->backend;
    return backend->push_figures(L, backend);
}

/* --- gravity and time ----------------------------------------------------------------------- */

/* world:setGravity(gx, gy) */
static int set_gravity(lua_State *L) {
    const bsl_world *w = bsl_self_free_world(L);
    double gravity[DIM];
    bsl_check_vector(L, 2, gravity);
    bs_world_set_gravity(w->core, gravity);
    return 0;
}

/* world:getGravity() -> gx, gy */
static int get_gravity(lua_State *L) {
    double gravity[DIM];
    bs_world_gravity(bsl_self_world(L)->core, gravity);
    return bsl_push_numbers(L, gravity, DIM);
}

/*
 * world:step(dt): moves all dynamic boxes at the same time, by their velocities; those with a
 * response collide. A box whose result would not be finite keeps its place and velocity. O(n), and
 * O(log n) for each two that meet.
 */
static int step(lua_State *L) {
    bsl_world *w = bsl_self_free_world(L);
    bsl_check_status(L, bs_world_step(w->core, bsl_check_time(L, 2)));
    bsl_tell(L, w);
    return 0;
}

static int push_hit(lua_State *L, const bsl_cursor *cursor, const void *item) {
    const bs_step_hit *hit = item;
    const bsl_world *w = cursor->world;
    const int store = BSL_LOOP_STORE;
    if (!bsl_is_live(w, hit->box) || !bsl_is_live(w, hit->other)) {
        return 0;
    }
    bsl_push_result(L, w, store, bs_id_index(hit->box));
    bsl_push_result(L, w, store, bs_id_index(hit->other));
    bsl_push_name(L, store, BSL_RESPONSE_NAMES + (int)hit->response);
    lua_pushnumber(L, hit->t);
    bsl_push_numbers(L, hit->normal, DIM);
    lua_pushnumber(L, hit->speed);
    lua_pushnumber(L, hit->impulse);
    bsl_push_numbers(L, hit->place, DIM);
    return 6 + 2 * DIM;
}

/*
 * world:hits() -> iterator of box, other, response, t, nx, ny, speed, impulse, x, y: each two that
 * met in the last step, once, by box in the order of insertion, and then by t. x, y is the place
 * where they touched. The list is made at the call; the loop skips boxes that have been removed
 * since. O(n)
 */
static int hits(lua_State *L) {
    static const bsl_loop loop = {sizeof(bs_step_hit), push_hit};
    bsl_world *w = bsl_self_world(L);
    bsl_cursor *cursor = bsl_new_cursor(L, bsl_push_store(L, 1), w, NULL);
    const bs_step_hits *found = bs_world_step_hits(w->core);
    return bsl_open_copy(L, cursor, &loop, found->at, found->n);
}

/* world:trim(): frees memory that is not needed now (bs_world_trim). Never fails. O(n log n) */
static int trim(lua_State *L) {
    bsl_world *w = bsl_self_free_world(L);
    bsl_drop_cursor(L, bsl_push_store(L, 1));
    bsl_free_lists(w);
    bs_world_trim(w->core);
    bsl_tell(L, w);
    return 0;
}

/* --- back ends ------------------------------------------------------------------------------ */

/* world:getBackend() -> Backend: the same one until setBackend is called. */
static int get_backend(lua_State *L) {
    bsl_self_world(L);
    lua_rawgeti(L, bsl_push_store(L, 1), BSL_BACKEND);
    return 1;
}

/*
 * world:setBackend(name or Backend): keeps the boxes, and all answers stay the same. Raises an
 * error if the Backend belongs to another world. The old one then belongs to none. O(n log n)
 */
static int set_backend(lua_State *L) {
    bsl_world *w = bsl_self_free_world(L);
    bsl_backend *backend = bsl_backend_at(L, w, bsl_where_arg(2), 2);
    bsl_check_open(L, w);
    if (backend == w->backend) {
        return 0;
    }
    const bs_backend_type *type = bs_backend_find(backend->name);
    bsl_check_status(L, bs_world_set_backend(w->core, type, &backend->settings));
    bsl_attach_backend(w, backend);
    int store = bsl_push_store(L, 1);
    lua_pushvalue(L, 2);
    lua_rawseti(L, store, BSL_BACKEND);
    bsl_tell(L, w);
    return 0;
}

/* --- pictures ------------------------------------------------------------------------------- */

/*
 * world:debugRects(out?) -> out, n: {kind, x, y, w, h, ...}, n rows. Kinds are "box", "fat", "node"
 * and "cell". Boxes come first, in insertion order, then what the back end shows.
 */
static int debug_rects(lua_State *L) {
    bsl_world *w = bsl_self_world(L);
    bsl_push_out(L, 2, 0);
    bsl_check_table(L, 2);
    bsl_check_open(L, w);
    bsl_check_status(L, bs_world_pictures(w->core, &w->pictures));
    const size_t n = w->pictures.n;
    const int store = bsl_push_store(L, 1);
    bsl_out out = bsl_open_out(L, 2, n * (1 + 2 * DIM));
    for (size_t i = 0; i < n; i++) {
        bsl_push_name(L, store, BSL_PICTURE_NAMES + (int)w->pictures.at[i].kind);
        bsl_append(L, &out);
        bsl_append_rect(L, &out, &w->pictures.at[i].rect);
    }
    bsl_close_out(L, &out);
    bs_array_free(bs_world_heap(w->core), &w->pictures.at, &w->pictures.cap,
                  sizeof *w->pictures.at);
    return bsl_return_list(L, w, 2, n);
}

const luaL_Reg bsl_world_functions[] = {{"newWorld", new_world}, {NULL, NULL}};

const luaL_Reg bsl_world_methods[] = {
    {"count", count},
    {"stats", stats},
    {"getGravity", get_gravity},
    {"setGravity", set_gravity},
    {"step", step},
    {"hits", hits},
    {"trim", trim},
    {"getBackend", get_backend},
    {"setBackend", set_backend},
    {"debugRects", debug_rects},
    {"__gc", gc},
    {"__len", count},
    {"__tostring", to_string},
    {NULL, NULL},
};
