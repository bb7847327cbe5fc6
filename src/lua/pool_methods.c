/* pool_methods.c: how Pools are made and closed; their steps, movers and drawing. */
#include "cursor.h"
#include "memory.h"
#include "module.h"
#include "results.h"

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
    int k = 0; /* at the end: the first axis that is wrong */
    while (k < DIM - 1 && settings->bounds.size[k] > 0 && isfinite(bs_far(&settings->bounds, k))) {
        k++;
    }
    double size = settings->bounds.size[k];
    lua_pushnumber(L, size > 0 ? bs_far(&settings->bounds, k) : size);
    return size > 0 ? "finite far sides" : "sizes > 0";
}

static const bsl_option pool_rows[] = {
    {"capacity", read_capacity, offsetof(bs_pool_settings, capacity), NULL},
    BSL_VECTOR_ROWS("w", "h", "d", bsl_read_size, bs_pool_settings, size),
    {"bounds", read_bounds, 0, NULL},
    {"mask", bsl_read_mask, offsetof(bs_pool_settings, mask), NULL},
    {"dim", bsl_read_dim, 0, NULL},
    {NULL, NULL, 0, NULL},
};

/* Movers with a width but no height would be lines. A game that wants these says h = 0. */
static void check_sizes(lua_State *L) {
    bsl_push_option(L, 1, "w");
    bsl_push_option(L, 1, "h");
    bool has_w = !lua_isnil(L, -2);
    bool has_h = !lua_isnil(L, -1);
    if (has_w != has_h) {
        bsl_bad(L, bsl_where_option(1, has_w ? "h" : "w"),
                "size >= 0 expected beside '%s', got no value", has_w ? "w" : "h");
    }
    lua_pop(L, 2);
}

/* newPool{capacity, w?, h?, bounds?, mask?, dim?} -> Pool: takes all its memory. O(capacity) */
static int new_pool(lua_State *L) {
    bs_pool_settings settings;
    memset(&settings, 0, sizeof settings);
    settings.mask = UINT32_MAX;
    bsl_check_options_at(L, bsl_where_arg(1), 1, pool_rows, &settings);
    if (settings.capacity == 0) {
        bsl_bad(L, bsl_where_option(1, "capacity"),
                "integer from 1 to 67108863 expected, got no value");
    }
    check_sizes(L);
    bsl_pool *pool = bsl_new(L, BSL_POOL_CLASS, sizeof *pool);
    int store = bsl_make_store(L, BSL_EMITTER_CLASS, &pool->account);
    lua_newtable(L);
    lua_rawseti(L, store, BSL_MODELS);
    pool->heap = (bs_heap){.resize = bsl_resize, .host = pool->account.ledger};
    pool->core = bs_pool_new(pool->heap.resize, pool->heap.host, &settings);
    bsl_check_room(L, pool->core != NULL);
    lua_settop(L, store - 1);
    bsl_tell_pool(L, pool);
    return 1;
}

static void free_lists(bsl_pool *pool) {
    bs_array_free(&pool->heap, &pool->hits.at, &pool->hits.cap, sizeof *pool->hits.at);
    bs_array_free(&pool->heap, &pool->met.at, &pool->met.cap, sizeof *pool->met.at);
}

static int gc(lua_State *L) {
    bsl_pool *pool = bsl_block(L, 1, BSL_POOL_CLASS);
    if (pool != NULL && pool->core != NULL &&
        !bsl_outlives_finaliser(L, &pool->account, pool->busy > 0)) {
        free_lists(pool);
        bsl_tell_end(&pool->account);
        bs_pool_free(pool->core);
        pool->core = NULL;
    }
    return 0;
}

static int to_string(lua_State *L) {
    const bsl_pool *pool = bsl_any_self_pool(L);
    if (pool->core == NULL) {
        lua_pushliteral(L, "Pool (closed)");
    } else {
        lua_pushfstring(L, "Pool (%dD, %d of %d movers)", DIM, (int)bs_pool_count(pool->core),
                        (int)bs_pool_capacity(pool->core));
    }
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

/* pool:clear(): frees all movers; emitters stay. O(n) */
static int clear(lua_State *L) {
    bs_pool_clear(bsl_self_free_pool(L)->core);
    return 0;
}

/* pool:step(dt) -> freed, spawned. O(n); pool.h has the order of events. */
static int step(lua_State *L) {
    const bsl_pool *pool = bsl_self_free_pool(L);
    bs_pool_change change = bs_pool_step(pool->core, bsl_check_time(L, 2));
    lua_pushinteger(L, (lua_Integer)change.freed);
    lua_pushinteger(L, (lua_Integer)change.spawned);
    return 2;
}

/* pool:trim(): frees memory that is not needed now. Never fails. See bs_pool_trim. */
static int trim(lua_State *L) {
    bsl_pool *pool = bsl_self_free_pool(L);
    bsl_drop_cursor(L, bsl_push_store(L, 1));
    free_lists(pool);
    bs_pool_trim(pool->core);
    bsl_tell_pool(L, pool);
    return 0;
}

/*
 * pool:stats() -> {count =, capacity =, emitters =, memory = (bytes), spawned =, freed =, dropped
 * =}: the last three count from when the pool was made
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

/* --- spawn ---------------------------------------------------------------------------------- */

/* The options override what the shot takes from its model and the pool. */
static const bsl_option spawn_rows[] = {
    {"model", bsl_read_model, 0, NULL},
    BSL_VECTOR_ROWS("w", "h", "d", bsl_read_size, bs_shot, size),
    BSL_VECTOR_ROWS("ax", "ay", "az", bsl_read_number, bs_shot, acceleration),
    {"life", bsl_read_steps, offsetof(bs_shot, life), NULL},
    {"tag", bsl_read_tag, offsetof(bs_shot, tag), NULL},
    {"mask", bsl_read_mask, offsetof(bs_shot, mask), NULL},
    {NULL, NULL, 0, NULL},
};

/* Reads the options at `arg` and makes the shot. Keeps a Model that has emitters. */
static bs_shot check_shot(lua_State *L, bsl_pool *pool, int arg) {
    if (bsl_is_absent(L, arg)) {
        return bs_pool_shot(pool->core, NULL);
    }
    bsl_push_option(L, arg, "model");
    bsl_check_pool_open(L, pool);
    const int index = lua_gettop(L);
    const bsl_model *model = bsl_to_model(L, index);
    if (model != NULL && model->core.emitters > 0) { /* otherwise the mover does not refer to it */
        (void)bsl_keep_model(L, pool, bsl_push_store(L, 1), index);
    }
    bs_shot shot = bs_pool_shot(pool->core, model != NULL ? &model->core : NULL);
    bsl_check_options(L, arg, spawn_rows, &shot);
    return shot;
}

/* Raises an error about a mover's place, which is at `arg`, unless `axis` is DIM. */
static void check_position(lua_State *L, int arg, int axis) {
    if (axis < DIM) {
        bsl_bad_arg(L, arg + axis, "a position where the mover's sides are finite");
    }
}

/*
 * pool:spawn(x, y, vx, vy, opts?) -> id, or nil if the pool is full; opts: model, ax, ay, life, w,
 * h, tag, mask. x, y is the centre. The mover moves from the next step on. O(1)
 */
static int spawn(lua_State *L) {
    bsl_pool *pool = bsl_self_free_pool(L);
    double position[DIM];
    double velocity[DIM];
    bsl_check_vector(L, 2, position);
    bsl_check_vector(L, 2 + DIM, velocity);
    bs_shot shot = check_shot(L, pool, 2 + 2 * DIM);
    memcpy(shot.place, position, sizeof shot.place);
    memcpy(shot.velocity, velocity, sizeof shot.velocity);
    check_position(L, 2, bs_shot_bad_axis(position, shot.size));
    bs_id id = bs_pool_spawn(pool->core, &shot);
    if (id == 0) {
        lua_pushnil(L);
    } else {
        bsl_push_id(L, id);
    }
    return 1;
}

/* --- one mover ------------------------------------------------------------------------------ */

/* Reads the id at `arg`. It may be the id of no mover. */
static bs_id check_id(lua_State *L, int arg) {
    int64_t id;
    if (!bsl_to_integer(L, arg, &id)) {
        bsl_bad_arg(L, arg, "id");
    }
    return (bs_id)id; /* a negative number becomes an id that no mover ever has */
}

/* The index of the mover whose id is at `arg`. It is live, or ended in the last step. */
static uint32_t check_flown(lua_State *L, const bsl_pool *pool, int arg) {
    uint32_t mover;
    bs_id id = check_id(L, arg);
    bs_found found = bs_pool_find(pool->core, id, &mover);
    if (mover == BS_NO_BOX && found == BS_REMOVED) {
        bsl_bad(L, bsl_where_arg(arg), "mover was freed");
    } else if (mover == BS_NO_BOX) {
        bsl_bad_id(L, bsl_where_arg(arg), "mover", (int64_t)id);
    }
    return mover;
}

/*
 * pool:free(id) -> bool: false if it is free already. A mover that ended in the last step is free;
 * but from now on it is in no hits, as if it had been freed in the loop that reported it. O(1)
 */
static int free_mover(lua_State *L) {
    const bsl_pool *pool = bsl_self_free_pool(L);
    uint32_t mover;
    bs_id id = check_id(L, 2);
    lua_pushboolean(L, bs_pool_find(pool->core, id, &mover) == BS_FOUND);
    if (mover != BS_NO_BOX) {
        bs_pool_remove(pool->core, mover);
    }
    return 1;
}

/* pool:isAlive(id) -> bool */
static int is_alive(lua_State *L) {
    const bsl_pool *pool = bsl_self_pool(L);
    uint32_t mover;
    lua_pushboolean(L, bs_pool_find(pool->core, check_id(L, 2), &mover) == BS_FOUND);
    return 1;
}

/* pool:get(id) -> x, y, vx, vy. For a mover that ended in the last step: where it ended */
static int get(lua_State *L) {
    const bsl_pool *pool = bsl_self_pool(L);
    uint32_t mover = check_flown(L, pool, 2);
    double numbers[2 * DIM];
    bs_pool_place(pool->core, mover, numbers);
    bs_pool_velocity(pool->core, mover, numbers + DIM);
    return bsl_push_numbers(L, numbers, 2 * DIM);
}

/*
 * pool:set(id, x, y, vx, vy): puts the mover there without hits on the way. Does nothing for a
 * mover that ended in the last step, so a loop over hits need not check.
 */
static int set(lua_State *L) {
    const bsl_pool *pool = bsl_self_free_pool(L);
    uint32_t mover = check_flown(L, pool, 2);
    double position[DIM];
    double velocity[DIM];
    bsl_check_vector(L, 3, position);
    bsl_check_vector(L, 3 + DIM, velocity);
    if (mover < bs_pool_count(pool->core)) {
        check_position(L, 3, bs_pool_set(pool->core, mover, position, velocity));
    }
    return 0;
}

/* pool:getTag(id) -> integer. Also for a mover that ended in the last step */
static int get_tag(lua_State *L) {
    const bsl_pool *pool = bsl_self_pool(L);
    int64_t tag = bs_pool_tag(pool->core, check_flown(L, pool, 2));
    bsl_push_id(L, (uint64_t)tag); /* both are 64 bits */
    return 1;
}

/* --- drawing -------------------------------------------------------------------------------- */

/* pool:collect(out?) -> out, n; out = {x1, y1, x2, y2, ...}: the n movers in their order. O(n) */
static int collect(lua_State *L) {
    enum { OUT = 2 };
    const bsl_pool *pool = bsl_self_pool(L);
    bsl_push_out(L, OUT, (size_t)bs_pool_count(pool->core) * DIM);
    bsl_check_table(L, OUT);
    bsl_check_pool_open(L, pool);
    const uint32_t n = bs_pool_count(pool->core);
    bsl_out out = bsl_open_out(L, OUT, (size_t)n * DIM);
    for (uint32_t i = 0; i < n; i++) {
        double position[DIM];
        bs_pool_place(pool->core, i, position);
        bsl_append_numbers(L, &out, position, DIM);
    }
    bsl_close_out(L, &out);
    lua_pushvalue(L, OUT);
    lua_pushinteger(L, (lua_Integer)n);
    return 2;
}

/*
 * pool:write(data) -> n: writes a row of floats, x, y, vx, vy and the tag, for each mover. It
 * writes into the memory of an object with getPointer and getSize, such as LÖVE's Data. Raises an
 * error if that is too small. O(n)
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
    {"count", count},
    {"capacity", capacity},
    {"clear", clear},
    {"step", step},
    {"trim", trim},
    {"stats", stats},
    {"spawn", spawn},
    {"free", free_mover},
    {"isAlive", is_alive},
    {"get", get},
    {"set", set},
    {"getTag", get_tag},
    {"collect", collect},
    {"write", write},
    {"__gc", gc},
    {"__len", count},
    {"__tostring", to_string},
    {NULL, NULL},
};
