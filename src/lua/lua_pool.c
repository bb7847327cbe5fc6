/* lua_pool.c: making and ending Pools, movers, and time. */
#include "data.h"
#include "memory.h"
#include "module.h"
#include "pool_handles.h"
#include "results.h"

#include <stdio.h>
#include <string.h>

/* --- handles -------------------------------------------------------------------------------- */

void bsl_check_pool_open(lua_State *L, const bsl_pool *pool) {
    if (pool->core == NULL) {
        bsl_fail(L, "pool is closed");
    }
}

void bsl_check_pool_not_busy(lua_State *L, const bsl_pool *pool) {
    if (pool->busy > 0) {
        bsl_fail(L, "pool is busy: a filter function must not change it");
    }
}

bsl_pool *bsl_self_pool(lua_State *L) {
    bsl_pool *pool = bsl_to_pool(L, 1);
    if (pool == NULL) {
        bsl_not_self(L, "Pool");
    }
    bsl_check_pool_open(L, pool);
    return pool;
}

bsl_pool *bsl_self_free_pool(lua_State *L) {
    bsl_pool *pool = bsl_self_pool(L);
    bsl_check_pool_not_busy(L, pool);
    return pool;
}

int bsl_push_pool_store(lua_State *L, int index) {
    bsl_get_uservalue(L, index);
    if (!lua_istable(L, -1)) {
        bsl_fail(L, "the pool's store is damaged");
    }
    return lua_gettop(L);
}

void bsl_tell_pool(lua_State *L, bsl_pool *pool) {
    if (pool->core != NULL) {
        bsl_tell_if_due(L, &pool->account, bs_pool_memory(pool->core));
    }
}

static bool refers_to_models(const bsl_pool *pool) {
    return pool->core != NULL &&
           (bs_pool_count(pool->core) > 0 || bs_pool_emitters(pool->core) > 0);
}

static bool is_kept(lua_State *L, int store, int index) {
    bsl_rawgeti(L, store, BSL_POOL_MODELS);
    lua_pushvalue(L, index);
    lua_rawget(L, -2);
    bool kept = lua_toboolean(L, -1) != 0;
    lua_pop(L, 2);
    return kept;
}

/*
 * A pool in which nothing refers to a Model any more begins a new list of them: otherwise one that
 * is given ever new Models would keep them all.
 */
void bsl_keep_model(lua_State *L, const bsl_pool *pool, int store, int index) {
    if (!is_kept(L, store, index) && !refers_to_models(pool)) {
        lua_newtable(L); /* may run Lua code, and that may spawn */
        if (refers_to_models(pool)) {
            lua_pop(L, 1);
        } else {
            lua_rawseti(L, store, BSL_POOL_MODELS);
        }
    }
    bsl_rawgeti(L, store, BSL_POOL_MODELS);
    lua_pushvalue(L, index);
    lua_pushboolean(L, 1);
    lua_rawset(L, -3);
    lua_pop(L, 1);
}

/* --- newPool -------------------------------------------------------------------------------- */

typedef struct pool_options {
    bs_pool_settings settings;
    int64_t capacity;
} pool_options;

static const char *read_capacity(lua_State *L, const bsl_option *option, void *target) {
    (void)option;
    return bsl_read_integer(L, 1, BS_MOST_MOVERS, "integer from 1 to 67108863",
                            &((pool_options *)target)->capacity);
}

static const char *read_size(lua_State *L, const bsl_option *option, void *target) {
    return bsl_read_size(L, &((pool_options *)target)->settings.size[option->axis]);
}

static const char *read_mask(lua_State *L, const bsl_option *option, void *target) {
    (void)option;
    return bsl_read_mask(L, &((pool_options *)target)->settings.mask);
}

static const char *read_bounds(lua_State *L, const bsl_option *option, void *target) {
    const char *wrong = DIM == 2 ? "table of 4 finite numbers" : "table of 6 finite numbers";
    bs_pool_settings *settings = &((pool_options *)target)->settings;
    double flat[2 * DIM] = {0};
    (void)option;
    const char *mistake = bsl_read_numbers(L, 2 * DIM, wrong, flat);
    if (mistake != NULL) {
        return mistake;
    }
    memcpy(settings->bounds.pos, flat, sizeof settings->bounds.pos);
    memcpy(settings->bounds.size, flat + DIM, sizeof settings->bounds.size);
    settings->bounded = true;
    return bs_rect_is_box(&settings->bounds) ? NULL : "sizes > 0 and finite far sides";
}

static const char *read_dim(lua_State *L, const bsl_option *option, void *target) {
    int64_t dim;
    (void)option;
    (void)target;
    return bsl_to_integer(L, -1, &dim) && dim == DIM ? NULL : "2 or 3"; /* see init.lua */
}

static const bsl_option pool_rows[] = {
    {"capacity", read_capacity, 0}, BSL_SIZE_ROWS(read_size), {"bounds", read_bounds, 0},
    {"mask", read_mask, 0},         {"dim", read_dim, 0},     {NULL, NULL, 0},
};

static void keep_function(lua_State *L, int store, int key, lua_CFunction function) {
    lua_pushcfunction(L, function);
    lua_rawseti(L, store, key);
}

static int append_places(lua_State *L);

/* Pushes the store of the Pool at stack index `self`. */
static void make_store(lua_State *L, bsl_pool *pool, int self) {
    lua_createtable(L, BSL_POOL_FREE_VOLLEY + BSL_FREE_VOLLEYS, 0);
    int store = lua_gettop(L);
    lua_pushvalue(L, self);
    lua_rawseti(L, store, BSL_POOL_SELF);
    pool->account.ledger = bsl_push_ledger(L);
    lua_rawseti(L, store, BSL_POOL_LEDGER);
    lua_newtable(L);
    lua_rawseti(L, store, BSL_POOL_MODELS);
    lua_getfield(L, LUA_REGISTRYINDEX, BSL_EMITTER_META);
    lua_rawseti(L, store, BSL_POOL_EMITTER_META);
    lua_getfield(L, LUA_REGISTRYINDEX, BSL_VOLLEY_META);
    lua_rawseti(L, store, BSL_POOL_VOLLEY_META);
    keep_function(L, store, BSL_POOL_NEXT_MOVER, bsl_next_mover);
    keep_function(L, store, BSL_POOL_NEXT_HIT, bsl_next_hit);
    keep_function(L, store, BSL_POOL_NEXT_TOUCH, bsl_next_touch);
    keep_function(L, store, BSL_POOL_APPEND_PLACES, append_places);
    for (int i = 0; i < BSL_FREE_VOLLEYS; i++) {
        lua_pushboolean(L, 0);
        lua_rawseti(L, store, BSL_POOL_FREE_VOLLEY + i);
    }
    bsl_set_uservalue(L, self);
}

/*
 * newPool{capacity, w?, h?, bounds?, mask?, dim?} -> Pool: all memory is taken here. O(capacity)
 */
static int new_pool(lua_State *L) {
    pool_options options;
    memset(&options, 0, sizeof options);
    options.settings.mask = UINT32_MAX;
    bsl_check_options_at(L, bsl_place_arg(1), 1, pool_rows, &options);
    if (options.capacity == 0) {
        bsl_bad(L, bsl_place_option(1, "capacity"),
                "integer from 1 to 67108863 expected, got no value");
    }
    options.settings.capacity = (uint32_t)options.capacity;
    bsl_pool *pool = bsl_new_userdata(L, sizeof *pool);
    memset(pool, 0, sizeof *pool);
    pool->magic = BSL_POOL_MAGIC;
    int self = lua_gettop(L);
    bsl_set_metatable(L, BSL_POOL_META);
    bsl_own(L, self);
    make_store(L, pool, self);
    void *host;
    bs_realloc resize = lua_getallocf(L, &host);
    pool->core = bs_pool_new(resize, host, &options.settings);
    bsl_check_room(L, pool->core != NULL);
    bsl_tell_pool(L, pool);
    return 1;
}

static int gc(lua_State *L) {
    bsl_pool *pool = bsl_to_pool(L, 1);
    if (pool != NULL && pool->core != NULL) {
        bs_pool *core = pool->core;
        bsl_tell_end(&pool->account);
        pool->core = NULL;
        bs_pool_free(core);
    }
    return 0;
}

static int to_string(lua_State *L) {
    const bsl_pool *pool = bsl_to_pool(L, 1);
    char text[64];
    if (pool == NULL) {
        bsl_not_self(L, "Pool");
    }
    if (pool->core == NULL) {
        lua_pushliteral(L, "Pool (closed)");
        return 1;
    }
    snprintf(text, sizeof text, "Pool (%dD, %lu of %lu movers)", DIM,
             (unsigned long)bs_pool_count(pool->core), (unsigned long)bs_pool_capacity(pool->core));
    lua_pushstring(L, text);
    return 1;
}

/* --- spawn ---------------------------------------------------------------------------------- */

typedef struct spawn_options {
    bsl_traits traits;
    bool has_model;
} spawn_options;

static const char *read_model(lua_State *L, const bsl_option *option, void *target) {
    (void)option;
    ((spawn_options *)target)->has_model = true;
    return bsl_to_model(L, -1) != NULL ? NULL : DIM == 2 ? "2D Model" : "3D Model";
}

static const bsl_option spawn_rows[] = {BSL_TRAIT_ROWS, {"model", read_model, 0}, {NULL, NULL, 0}};

/* What the options say goes before what the shot has from its model and the pool. */
static void apply_traits(bs_shot *shot, const bsl_traits *traits) {
    for (int k = 0; k < DIM; k++) {
        shot->size[k] = isnan(traits->size[k]) ? shot->size[k] : traits->size[k];
        shot->acceleration[k] =
            isnan(traits->acceleration[k]) ? shot->acceleration[k] : traits->acceleration[k];
    }
    shot->life = traits->life > 0 ? (uint32_t)traits->life : shot->life;
    shot->tag = traits->has_tag ? traits->tag : shot->tag;
    shot->mask = traits->has_mask ? traits->mask : shot->mask;
}

/* Reads the options at `arg`, keeps the Model, and begins the shot. */
static bs_shot check_shot(lua_State *L, const bsl_pool *pool, int arg) {
    spawn_options options;
    const bs_model *model = NULL;
    options.has_model = false;
    bsl_no_traits(&options.traits);
    bsl_check_options(L, arg, spawn_rows, &options);
    if (options.has_model) {
        int store = bsl_push_pool_store(L, 1);
        lua_pushliteral(L, "model");
        lua_rawget(L, arg);
        if (bsl_to_model(L, -1) != NULL) {
            model = &bsl_to_model(L, -1)->core;
            bsl_keep_model(L, pool, store, lua_gettop(L));
            bsl_check_pool_open(L, pool);
        }
    }
    bs_shot shot = bs_pool_shot(pool->core, model);
    apply_traits(&shot, &options.traits);
    return shot;
}

/* That the box around a mover's place is finite; the place is at `arg`. */
static void check_place(lua_State *L, int arg, const bs_shot *shot) {
    if (!bs_shot_is_valid(shot)) {
        bsl_bad(L, bsl_place_arg(arg), "a place where the mover's sides are finite expected");
    }
}

/*
 * pool:spawn(x, y, vx, vy, opts?) -> id, or nil when full; opts: model, ax, ay, life, w, h, tag,
 * mask. x, y is the centre. It moves from the next step on. O(1)
 */
static int spawn(lua_State *L) {
    bsl_pool *pool = bsl_self_free_pool(L);
    double place[DIM];
    double velocity[DIM];
    bsl_check_vector(L, 2, place);
    bsl_check_vector(L, 2 + DIM, velocity);
    bs_shot shot = check_shot(L, pool, 2 + 2 * DIM);
    memcpy(shot.place, place, sizeof shot.place);
    memcpy(shot.velocity, velocity, sizeof shot.velocity);
    check_place(L, 2, &shot);
    bs_id id = bs_pool_spawn(pool->core, &shot);
    if (id == 0) {
        lua_pushnil(L);
    } else {
        bsl_push_id(L, id);
    }
    return 1;
}

/* --- one mover ------------------------------------------------------------------------------ */

/* The id at `arg`, as it stands there. */
static bs_id check_id(lua_State *L, int arg) {
    int64_t id;
    if (!bsl_to_integer(L, arg, &id)) {
        bsl_expected(L, bsl_place_arg(arg), arg, "id");
    }
    return (bs_id)id; /* negative numbers become ids that never were */
}

/* The index of the mover whose id is at `arg`; an error if it is not there. */
static uint32_t check_mover(lua_State *L, const bsl_pool *pool, int arg) {
    uint32_t mover = 0;
    switch (bs_pool_find(pool->core, check_id(L, arg), &mover)) {
    case BS_FOUND:
        break;
    case BS_REMOVED:
        bsl_bad(L, bsl_place_arg(arg), "mover was freed");
    case BS_NEVER:
        bsl_bad(L, bsl_place_arg(arg), "no mover has the id %.14g", lua_tonumber(L, arg));
    }
    return mover;
}

/* pool:free(id) -> bool: false, and nothing happens, if it is free already. O(1) */
static int free_mover(lua_State *L) {
    const bsl_pool *pool = bsl_self_free_pool(L);
    uint32_t mover;
    bool found = bs_pool_find(pool->core, check_id(L, 2), &mover) == BS_FOUND;
    if (found) {
        bs_pool_remove(pool->core, mover);
    }
    lua_pushboolean(L, found);
    return 1;
}

/* pool:isAlive(id) -> bool */
static int is_alive(lua_State *L) {
    const bsl_pool *pool = bsl_self_pool(L);
    uint32_t mover;
    lua_pushboolean(L, bs_pool_find(pool->core, check_id(L, 2), &mover) == BS_FOUND);
    return 1;
}

/* pool:get(id) -> x, y, vx, vy */
static int get(lua_State *L) {
    const bsl_pool *pool = bsl_self_pool(L);
    uint32_t mover = check_mover(L, pool, 2);
    double numbers[2 * DIM];
    bs_pool_place(pool->core, mover, numbers);
    bs_pool_velocity(pool->core, mover, numbers + DIM);
    bsl_push_numbers(L, numbers, 2 * DIM);
    return 2 * DIM;
}

/* pool:set(id, x, y, vx, vy): puts it there, which hits nothing on the way. */
static int set(lua_State *L) {
    const bsl_pool *pool = bsl_self_free_pool(L);
    uint32_t mover = check_mover(L, pool, 2);
    double place[DIM];
    double velocity[DIM];
    bsl_check_vector(L, 3, place);
    bsl_check_vector(L, 3 + DIM, velocity);
    if (!bs_pool_set(pool->core, mover, place, velocity)) {
        bsl_bad(L, bsl_place_arg(3), "a place where the mover's sides are finite expected");
    }
    return 0;
}

/* pool:getTag(id) -> integer */
static int get_tag(lua_State *L) {
    const bsl_pool *pool = bsl_self_pool(L);
    int64_t tag = bs_pool_tag(pool->core, check_mover(L, pool, 2));
#if LUA_VERSION_NUM < 503
    lua_pushnumber(L, (lua_Number)tag);
#else
    lua_pushinteger(L, (lua_Integer)tag);
#endif
    return 1;
}

/* --- all movers ----------------------------------------------------------------------------- */

/* pool:count() -> n; also #pool. O(1) */
static int count(lua_State *L) {
    lua_pushinteger(L, (lua_Integer)bs_pool_count(bsl_self_pool(L)->core));
    return 1;
}

/* pool:capacity() -> n */
static int capacity(lua_State *L) {
    lua_pushinteger(L, (lua_Integer)bs_pool_capacity(bsl_self_pool(L)->core));
    return 1;
}

/* pool:clear(): frees all movers; emitters go on. O(n) */
static int clear(lua_State *L) {
    bs_pool_clear(bsl_self_free_pool(L)->core);
    return 0;
}

/* pool:step(dt) -> freed, spawned. O(n); see pool.h for the order of what happens. */
static int step(lua_State *L) {
    const bsl_pool *pool = bsl_self_free_pool(L);
    bs_pool_change change = bs_pool_step(pool->core, bsl_check_number(L, 2));
    lua_pushinteger(L, (lua_Integer)change.freed);
    lua_pushinteger(L, (lua_Integer)change.spawned);
    return 2;
}

static void set_figure(lua_State *L, const char *key, double n) {
    lua_pushnumber(L, n);
    lua_setfield(L, -2, key);
}

static void set_count(lua_State *L, const char *key, size_t n) {
    lua_pushinteger(L, (lua_Integer)n);
    lua_setfield(L, -2, key);
}

/*
 * pool:stats() -> {count =, capacity =, emitters =, memory = (bytes), spawned =, freed =,
 * dropped =}: the last three since the pool was made
 */
static int stats(lua_State *L) {
    const bs_pool *core = bsl_self_pool(L)->core;
    bs_pool_totals totals = bs_pool_stats(core);
    size_t figures[] = {bs_pool_count(core), bs_pool_capacity(core), bs_pool_emitters(core),
                        bs_pool_memory(core)};
    lua_createtable(L, 0, 7);
    set_count(L, "count", figures[0]);
    set_count(L, "capacity", figures[1]);
    set_count(L, "emitters", figures[2]);
    set_count(L, "memory", figures[3]);
    set_figure(L, "spawned", (double)totals.spawned);
    set_figure(L, "freed", (double)totals.freed);
    set_figure(L, "dropped", (double)totals.dropped);
    return 1;
}

/* --- drawing -------------------------------------------------------------------------------- */

/* Items from + 1 ... to of {x1, y1, x2, ...}. Cannot run Lua code. */
static void put_places(lua_State *L, const bs_pool *core, int out, size_t from, size_t to) {
    for (size_t i = from; i < to; i++) {
        double place[DIM];
        bs_pool_place(core, (uint32_t)(i / DIM), place);
        lua_pushnumber(L, place[i % DIM]);
        lua_rawseti(L, out, (int)i + 1);
    }
}

/* Runs protected: the Pool, the table, and how many items it has room for already. */
static int append_places(lua_State *L) {
    const bsl_pool *pool = bsl_to_pool(L, 1);
    if (pool != NULL && pool->core != NULL && lua_istable(L, 2)) {
        size_t items = (size_t)bs_pool_count(pool->core) * DIM;
        put_places(L, pool->core, 2, (size_t)lua_tointeger(L, 3), items);
    }
    return 0;
}

/* What lies behind the table's end comes first: only that can fail, and it can be taken back. */
static void grow_places(lua_State *L, int out, size_t from, size_t to) {
    bsl_rawgeti(L, bsl_push_pool_store(L, 1), BSL_POOL_APPEND_PLACES);
    lua_pushvalue(L, 1);
    lua_pushvalue(L, out);
    lua_pushinteger(L, (lua_Integer)from);
    if (lua_pcall(L, 3, 0, 0) != BSL_OK) {
        bsl_erase(L, out, from, to);
        lua_error(L);
    }
}

/* pool:collect(out?) -> out, n; out = {x1, y1, x2, y2, ...}, n movers, in their order. O(n) */
static int collect(lua_State *L) {
    const bsl_pool *pool = bsl_self_pool(L);
    int out = bsl_check_out(L, 2);
    bool given = out != 0;
    out = given ? out : bsl_new_out(L, (size_t)bs_pool_count(pool->core) * DIM);
    bsl_check_pool_open(L, pool);
    size_t n = bs_pool_count(pool->core);
    size_t items = n * DIM;
    size_t length = bsl_out_length(L, out, given, items);
    if (items > length) {
        grow_places(L, out, length, items);
        bsl_check_pool_open(L, pool);
        if (bs_pool_count(pool->core) < n) { /* a finaliser has freed some */
            length = items;
            n = bs_pool_count(pool->core);
            items = n * DIM;
        }
    }
    put_places(L, pool->core, out, 0, items < length ? items : length);
    bsl_erase(L, out, items, length);
    return bsl_return_list(L, out, n);
}

/*
 * pool:write(data) -> n: writes a row of floats for each mover, x, y, vx, vy and the tag, into the
 * memory of an object with getPointer and getSize, as LÖVE's Data. Raises if it is too small. O(n)
 */
static int write(lua_State *L) {
    const bsl_pool *pool = bsl_self_pool(L);
    double bytes;
    float *memory = bsl_check_data(L, 2, &bytes);
    bsl_check_pool_open(L, pool);
    size_t n = bs_pool_count(pool->core);
    bsl_check_data_size(L, 2, bytes, n * BS_ROW_FLOATS * sizeof *memory);
    bs_pool_write(pool->core, memory);
    lua_pushinteger(L, (lua_Integer)n);
    return 1;
}

const luaL_Reg bsl_pool_functions[] = {{"newPool", new_pool}, {NULL, NULL}};

const luaL_Reg bsl_pool_methods[] = {
    {"spawn", spawn}, {"free", free_mover}, {"isAlive", is_alive}, {"get", get},
    {"set", set},     {"getTag", get_tag},  {"count", count},      {"capacity", capacity},
    {"clear", clear}, {"step", step},       {"stats", stats},      {"collect", collect},
    {"write", write}, {NULL, NULL},
};

const luaL_Reg bsl_pool_metamethods[] = {
    {"__gc", gc}, {"__len", count}, {"__tostring", to_string}, {NULL, NULL}};
