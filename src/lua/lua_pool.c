/* lua_pool.c: making and ending Pools, time, and what concerns all movers. */
#include "data.h"
#include "memory.h"
#include "module.h"
#include "pool_handles.h"
#include "results.h"

#include <stdio.h>
#include <string.h>

/* --- newPool -------------------------------------------------------------------------------- */

static const char *read_capacity(lua_State *L, void *field) {
    return bsl_read_integer(L, 1, BS_MOST_MOVERS, field);
}

static const char *read_bounds(lua_State *L, void *field) {
    bs_pool_settings *settings = field;
    double flat[2 * DIM];
    const char *wrong = bsl_read_numbers(L, 2 * DIM, flat);
    if (wrong != NULL) {
        return wrong;
    }
    settings->bounded = true;
    memcpy(settings->bounds.pos, flat, sizeof settings->bounds.pos);
    memcpy(settings->bounds.size, flat + DIM, sizeof settings->bounds.size);
    if (bs_rect_is_box(&settings->bounds)) {
        return NULL;
    }
    int k = 0; /* the first axis that is wrong */
    while (k < DIM - 1 && settings->bounds.size[k] > 0 && isfinite(bs_far(&settings->bounds, k))) {
        k++;
    }
    double size = settings->bounds.size[k];
    lua_pushnumber(L, size > 0 ? bs_far(&settings->bounds, k) : size);
    return size > 0 ? "finite far sides" : "sizes > 0";
}

static const bsl_option pool_rows[] = {
    {"capacity", read_capacity, offsetof(bs_pool_settings, capacity), NULL},
    {"w", bsl_read_size, offsetof(bs_pool_settings, size[0]), NULL},
    {"h", bsl_read_size, offsetof(bs_pool_settings, size[1]), NULL},
#if DIM == 3
    {"d", bsl_read_size, offsetof(bs_pool_settings, size[2]), NULL},
#endif
    {"bounds", read_bounds, 0, NULL},
    {"mask", bsl_read_mask, offsetof(bs_pool_settings, mask), NULL},
    {"dim", bsl_read_dim, 0, NULL},
    {NULL, NULL, 0, NULL},
};

static int append_places(lua_State *L);

/* Pushes the store of the Pool at stack index `self`. */
static void make_store(lua_State *L, bsl_pool *pool, int self) {
    lua_createtable(L, BSL_POOL_IDLE + BSL_IDLE, 0);
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
    bsl_keep_function(L, store, BSL_POOL_NEXT_MOVER, bsl_next_mover);
    bsl_keep_function(L, store, BSL_POOL_NEXT_HIT, bsl_next_hit);
    bsl_keep_function(L, store, BSL_POOL_NEXT_TOUCH, bsl_next_touch);
    bsl_keep_function(L, store, BSL_POOL_APPEND_PLACES, append_places);
    bsl_make_idle(L, store, BSL_POOL_IDLE);
    bsl_set_uservalue(L, self);
}

/*
 * newPool{capacity, w?, h?, bounds?, mask?, dim?} -> Pool: all memory is taken here. O(capacity)
 */
static int new_pool(lua_State *L) {
    bs_pool_settings settings;
    memset(&settings, 0, sizeof settings);
    settings.mask = UINT32_MAX;
    bsl_check_options_at(L, bsl_place_arg(1), 1, pool_rows, &settings);
    if (settings.capacity == 0) {
        bsl_bad(L, bsl_place_option(1, "capacity"),
                "integer from 1 to 67108863 expected, got no value");
    }
    bsl_pool *pool = bsl_new_userdata(L, sizeof *pool);
    memset(pool, 0, sizeof *pool);
    pool->magic = BSL_POOL_MAGIC;
    int self = lua_gettop(L);
    bsl_set_metatable(L, BSL_POOL_META);
    bsl_own(L, self);
    make_store(L, pool, self);
    void *host;
    bs_realloc resize = lua_getallocf(L, &host);
    pool->core = bs_pool_new(resize, host, &settings);
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
    bsl_set_count(L, "count", figures[0]);
    bsl_set_count(L, "capacity", figures[1]);
    bsl_set_count(L, "emitters", figures[2]);
    bsl_set_count(L, "memory", figures[3]);
    bsl_set_count(L, "spawned", totals.spawned);
    bsl_set_count(L, "freed", totals.freed);
    bsl_set_count(L, "dropped", totals.dropped);
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

/*
 * Runs protected: the Pool, the table, how many items it has room for already, and whether the
 * collector was paused until now.
 */
static int append_places(lua_State *L) {
    bsl_resume_collector(L, lua_toboolean(L, 4) != 0);
    const bsl_pool *pool = bsl_to_pool(L, 1);
    if (pool != NULL && pool->core != NULL && lua_istable(L, 2)) {
        size_t items = (size_t)bs_pool_count(pool->core) * DIM;
        put_places(L, pool->core, 2, (size_t)lua_tointeger(L, 3), items);
    }
    return 0;
}

/* What lies behind the table's end comes first: only that can fail, and it can be taken back. */
static void grow_places(lua_State *L, int out, size_t from, size_t to) {
    bsl_check_room(L, bsl_reserve_stack(L, LUA_MINSTACK)); /* so that no Lua code runs before */
    bsl_rawgeti(L, bsl_push_store(L, 1), BSL_POOL_APPEND_PLACES);
    lua_pushvalue(L, 1);
    lua_pushvalue(L, out);
    lua_pushinteger(L, (lua_Integer)from);
    bool paused = bsl_pause_collector(L);
    lua_pushboolean(L, paused);
    bool done = lua_pcall(L, 4, 0, 0) == BSL_OK;
    if (!done) {
        bsl_resume_collector(L, paused); /* it may not have begun */
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
    {"count", count}, {"capacity", capacity}, {"clear", clear}, {"step", step},
    {"stats", stats}, {"collect", collect},   {"write", write}, {NULL, NULL},
};

const luaL_Reg bsl_pool_metamethods[] = {
    {"__gc", gc}, {"__len", count}, {"__tostring", to_string}, {NULL, NULL}};
