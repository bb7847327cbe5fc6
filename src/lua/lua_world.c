/* lua_world.c: making and ending Worlds, and what concerns a World as a whole. */
#include "cursor.h"
#include "lua_backend.h"
#include "memory.h"
#include "module.h"
#include "rows.h"
#include "rules.h"

#include <stdio.h>
#include <string.h>

/* --- newWorld ------------------------------------------------------------------------------- */

typedef struct world_options {
    bsl_results results;
    double gravity[DIM];
    bool has_backend;
} world_options;

static const char *read_backend(lua_State *L, void *field) {
    *(bool *)field = true;
    bool usable = lua_type(L, -1) == LUA_TSTRING || bsl_to_backend(L, -1) != NULL;
    return usable ? NULL : "name of a back end or Backend"; /* which one is looked up later */
}

static const char *read_gravity(lua_State *L, void *field) {
    return bsl_read_numbers(L, DIM, field);
}

static const char *read_results(lua_State *L, void *field) {
    static const char *const names[] = {"box", "id", "data"}; /* in the order of bsl_results */
    const char *name = bsl_to_name(L, -1);
    for (int i = 0; i < 3; i++) {
        if (strcmp(name, names[i]) == 0) {
            *(bsl_results *)field = (bsl_results)i;
            return NULL;
        }
    }
    return "\"box\", \"id\" or \"data\"";
}

static const bsl_option world_option_rows[] = {
    {"backend", read_backend, offsetof(world_options, has_backend), NULL},
    {"dim", bsl_read_dim, 0, NULL},
    {"gravity", read_gravity, offsetof(world_options, gravity), NULL},
    {"results", read_results, offsetof(world_options, results), NULL},
    {NULL, NULL, 0, NULL},
};

/* Pops the value at the top of the stack into the store. */
static void keep(lua_State *L, int store, int key) {
    lua_rawseti(L, store, key);
}

static void keep_metatable(lua_State *L, int store, int key, const char *name) {
    lua_getfield(L, LUA_REGISTRYINDEX, name);
    keep(L, store, key);
}

/* Strings that are pushed while nothing may run Lua code, as making them could. */
static const char *const shape_names[] = {"box", "fat", "node", "cell"}; /* as bs_shape_kind */
static const char *const phase_names[] = {"begin", "stay", "end"};       /* as bs_phase */

static void keep_names(lua_State *L, int store, int key, const char *const *names, int n) {
    for (int i = 0; i < n; i++) {
        lua_pushstring(L, names[i]);
        keep(L, store, key - i);
    }
}

/* Pushes the store of the World at stack index `world`. */
static int make_store(lua_State *L, int world) {
    lua_createtable(L, 0, 64);
    int store = lua_gettop(L);
    lua_pushvalue(L, world);
    keep(L, store, BSL_STORE_WORLD);
    lua_newtable(L);
    keep(L, store, BSL_STORE_DATA);
    keep_metatable(L, store, BSL_STORE_BOX_META, BSL_BOX_META);
    keep_metatable(L, store, BSL_STORE_CURSOR_META, BSL_CURSOR_META);
    bsl_keep_function(L, store, BSL_STORE_PROTECTED, bsl_protected);
    bsl_keep_function(L, store, BSL_STORE_NEXT_BOX, bsl_next_box);
    bsl_keep_function(L, store, BSL_STORE_NEXT_PAIR, bsl_next_pair);
    bsl_keep_function(L, store, BSL_STORE_NEXT_CONTACT, bsl_next_contact);
    bsl_keep_function(L, store, BSL_STORE_NEXT_HIT, bsl_next_step_hit);
    keep_names(L, store, BSL_STORE_SHAPE, shape_names, 4);
    keep_names(L, store, BSL_STORE_PHASE, phase_names, 3);
    bsl_push_names(L);
    keep(L, store, BSL_STORE_NAMES);
    lua_pushboolean(L, 0); /* so that setting it takes no memory */
    keep(L, store, BSL_STORE_GONE);
    bsl_make_idle(L, store, BSL_STORE_IDLE);
    lua_pushvalue(L, store);
    bsl_set_uservalue(L, world);
    return store;
}

/* Pushes the Backend that the options name, and checks it. */
static const bs_backend_type *push_backend(lua_State *L, bool is_given) {
    const bs_backend_type *type;
    if (is_given) {
        lua_pushliteral(L, "backend");
        lua_rawget(L, 1);
    } else {
        lua_pushliteral(L, "auto");
    }
    bsl_backend_at(L, NULL, bsl_place_option(1, "backend"), lua_gettop(L), &type);
    return type;
}

/*
 * The World is made closed and complete before it gets a core: an error on the way, also of a
 * finaliser that runs meanwhile, leaves nothing behind. The Backend is looked at last, as such a
 * finaliser could have used it.
 */
static bsl_world *make_world(lua_State *L, const world_options *options) {
    bsl_world *w = bsl_new_userdata(L, sizeof *w);
    memset(w, 0, sizeof *w);
    w->magic = BSL_WORLD_MAGIC;
    w->results = options->results;
    int world = lua_gettop(L);
    bsl_set_metatable(L, BSL_WORLD_META);
    bsl_own(L, world);
    int store = make_store(L, world);
    w->account.ledger = bsl_push_ledger(L);
    keep(L, store, BSL_STORE_LEDGER);
    const bs_backend_type *type = push_backend(L, options->has_backend);
    int backend = lua_gettop(L);
    lua_pushvalue(L, backend);
    keep(L, store, BSL_STORE_BACKEND);
    void *host;
    bs_realloc resize = lua_getallocf(L, &host);
    w->core = bs_world_new(resize, host, type, &bsl_to_backend(L, backend)->settings);
    bsl_check_room(L, w->core != NULL);
    bsl_attach_backend(L, world, backend);
    bs_world_set_gravity(w->core, options->gravity);
    lua_settop(L, world);
    return w;
}

/*
 * newWorld(opts?) -> World; opts: backend, gravity, dim, results. init.lua picks the module by dim.
 */
static int new_world(lua_State *L) {
    world_options options;
    memset(&options, 0, sizeof options);
    bsl_check_options(L, 1, world_option_rows, &options);
    bsl_world *w = make_world(L, &options);
    bsl_tell_now(L, &w->account, bs_world_memory(w->core));
    return 1;
}

/* --- ending --------------------------------------------------------------------------------- */

static void free_scratch(bsl_world *w) {
    bs_heap *heap = bs_world_heap(w->core);
    bs_list_free(heap, &w->list);
    bs_array_free(heap, &w->hits.at, &w->hits.cap, sizeof *w->hits.at);
    bs_array_free(heap, &w->shapes.at, &w->shapes.cap, sizeof *w->shapes.at);
    bs_array_free(heap, &w->contacts.at, &w->contacts.cap, sizeof *w->contacts.at);
    bs_array_free(heap, &w->rects, &w->rects_cap, sizeof *w->rects);
}

static void free_core(bsl_world *w) {
    bs_heap *heap = bs_world_heap(w->core);
    free_scratch(w);
    bs_array_free(heap, &w->touched, &w->touched_cap, sizeof *w->touched);
    bs_world *core = w->core;
    bsl_tell_end(&w->account);
    w->core = NULL;
    bs_world_free(core);
}

/* Its Backend may outlive it and be used again. */
static void release_backend(lua_State *L, const bsl_world *w) {
    bsl_get_uservalue(L, 1);
    if (lua_istable(L, -1)) {
        bsl_rawgeti(L, -1, BSL_STORE_BACKEND);
        bsl_detach_backend(L, w, lua_gettop(L));
    }
    lua_settop(L, 1);
}

static int gc(lua_State *L) {
    bsl_world *w = bsl_to_world(L, 1);
    if (w != NULL && w->core != NULL) {
        w->calls++;
        release_backend(L, w);
        free_core(w);
    }
    return 0;
}

/* --- counts and figures --------------------------------------------------------------------- */

/* world:count() -> n; also #world. O(1) */
static int count(lua_State *L) {
    bsl_world *w = bsl_self_world(L);
    lua_pushinteger(L, (lua_Integer)bs_world_count(w->core));
    return 1;
}

static int to_string(lua_State *L) {
    bsl_world *w = bsl_to_world(L, 1);
    char text[64];
    if (w == NULL) {
        bsl_not_self(L, "World");
    }
    if (w->core == NULL) {
        lua_pushliteral(L, "World (closed)");
        return 1;
    }
    snprintf(text, sizeof text, "World (%dD, %lu boxes)", DIM,
             (unsigned long)bs_world_count(w->core));
    lua_pushstring(L, text);
    return 1;
}

/*
 * world:stats() -> {backend =, boxes =, dynamic =, static =, memory = (bytes), ...}: the rest are
 * the back end's own figures. O(nodes)
 */
static int stats(lua_State *L) {
    bsl_world *w = bsl_self_world(L);
    bsl_figures figures;
    bsl_gather_figures(L, 1, &figures);
    bsl_push_figures(L, bs_backend_name(bs_world_backend(w->core)), &figures);
    return 1;
}

/* --- gravity and time ----------------------------------------------------------------------- */

/* world:setGravity(gx, gy) */
static int set_gravity(lua_State *L) {
    bsl_world *w = bsl_self_free_world(L);
    double gravity[DIM];
    bsl_check_vector(L, 2, gravity);
    bs_world_set_gravity(w->core, gravity);
    return 0;
}

/* world:getGravity() -> gx, gy */
static int get_gravity(lua_State *L) {
    bsl_world *w = bsl_self_world(L);
    double gravity[DIM];
    bs_world_gravity(w->core, gravity);
    bsl_push_numbers(L, gravity, DIM);
    return DIM;
}

/*
 * world:step(dt): velocities += (gravity + acceleration) * dt, then positions, of dynamic boxes.
 * One that would not stay finite keeps place and velocity. O(n)
 */
static int step(lua_State *L) {
    bsl_world *w = bsl_self_free_world(L);
    double dt = bsl_check_number(L, 2);
    bsl_check_status(L, bs_world_step(w->core, dt));
    bsl_tell(L, w);
    return 0;
}

/*
 * world:trim(): gives back memory that is not needed now; nothing else changes. Never fails. See
 * bs_world_trim. O(n log n)
 */
static int trim(lua_State *L) {
    bsl_world *w = bsl_self_free_world(L);
    bsl_trim_cursors(L, bsl_push_store(L, 1));
    free_scratch(w);
    bs_world_trim(w->core);
    bsl_tell_now(L, &w->account, bs_world_memory(w->core));
    return 0;
}

/* --- back ends ------------------------------------------------------------------------------ */

/* world:getBackend() -> Backend: the same one until setBackend. */
static int get_backend(lua_State *L) {
    bsl_self_world(L);
    bsl_rawgeti(L, bsl_push_store(L, 1), BSL_STORE_BACKEND);
    return 1;
}

/*
 * world:setBackend(name or Backend): contents and answers stay. Raises if the Backend belongs to
 * another world; the old one belongs to none afterwards. O(n log n)
 */
static int set_backend(lua_State *L) {
    bsl_world *w = bsl_self_free_world(L);
    const bs_backend_type *type;
    if (lua_gettop(L) > 2) {
        lua_settop(L, 2);
    }
    bsl_backend *backend = bsl_backend_at(L, w, bsl_place_arg(2), 2, &type);
    bsl_check_open(L, w);
    if (bsl_backend_owner(L, 3) == w) {
        return 0;
    }
    int store = bsl_push_store(L, 1);
    bsl_rawgeti(L, store, BSL_STORE_BACKEND);
    bsl_check_status(L, bs_world_set_backend(w->core, type, &backend->settings));
    bsl_detach_backend(L, w, 5);
    bsl_attach_backend(L, 1, 3);
    lua_pushvalue(L, 3);
    keep(L, store, BSL_STORE_BACKEND);
    bsl_tell(L, w);
    return 0;
}

/* --- pictures ------------------------------------------------------------------------------- */

enum { ROW = 1 + 2 * DIM }; /* kind, corner, size */

static void put_shapes(lua_State *L, const bsl_world *w, int store, int out, size_t from,
                       size_t to) {
    for (size_t i = from; i < to; i++) {
        const bs_shape *shape = &w->shapes.at[i / ROW];
        int column = (int)(i % ROW);
        if (column == 0) {
            bsl_rawgeti(L, store, BSL_STORE_SHAPE - (int)shape->kind);
        } else if (column <= DIM) {
            lua_pushnumber(L, shape->rect.pos[column - 1]);
        } else {
            lua_pushnumber(L, shape->rect.size[column - 1 - DIM]);
        }
        lua_rawseti(L, out, (int)i + 1);
    }
}

/*
 * world:debugRects(out?) -> out, n: {kind, x, y, w, h, ...}, n rows; kinds "box", "fat", "node" and
 * "cell". Boxes in insertion order, then what the back end shows.
 */
static int debug_rects(lua_State *L) {
    bsl_world *w = bsl_self_world(L);
    int out = bsl_check_out(L, 2);
    bool given = out != 0;
    int store = bsl_push_store(L, 1);
    out = given ? out : bsl_new_out(L, 0);
    bsl_check_open(L, w);
    bsl_check_status(L, bs_world_shapes(w->core, &w->shapes));
    size_t n = w->shapes.n;
    bsl_write(L, w, store, out, given, put_shapes, n * ROW);
    bs_array_free(bs_world_heap(w->core), &w->shapes.at, &w->shapes.cap, sizeof *w->shapes.at);
    return bsl_return_list(L, out, n);
}

const luaL_Reg bsl_world_functions[] = {{"newWorld", new_world}, {NULL, NULL}};

const luaL_Reg bsl_world_methods[] = {
    {"count", count},
    {"stats", stats},
    {"setGravity", set_gravity},
    {"getGravity", get_gravity},
    {"step", step},
    {"trim", trim},
    {"getBackend", get_backend},
    {"setBackend", set_backend},
    {"debugRects", debug_rects},
    {NULL, NULL},
};

const luaL_Reg bsl_world_metamethods[] = {
    {"__gc", gc}, {"__len", count}, {"__tostring", to_string}, {NULL, NULL}};
