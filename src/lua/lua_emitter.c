/* lua_emitter.c: Emitters of a Pool. One that has fired for the last time may still be asked. */
#include "module.h"
#include "pool_handles.h"

/* --- making --------------------------------------------------------------------------------- */

/*
 * pool:newEmitter{x?, y?, angle?, speed?, delay?, cycle?, count?, nway?, nwayAngle?, circle?,
 * circleOdd?, model?} -> Emitter: fires in the step after `delay` others, then every `cycle` steps,
 * `count` times (< 0: endless). It goes on without its Emitter being held.
 */
static int new_emitter(lua_State *L) {
    bsl_pool *pool = bsl_self_free_pool(L);
    bs_pattern pattern = bs_pattern_default();
    lua_settop(L, 2);
    int store = bsl_push_store(L, 1);
    if (bsl_is_absent(L, 2)) {
        lua_pushnil(L);
    } else {
        bsl_check_pattern(L, bsl_place_arg(2), 2, true, &pattern);
    }
    int model = lua_gettop(L);
    bsl_emitter *emitter = bsl_new_userdata(L, sizeof *emitter);
    *emitter = (bsl_emitter){BSL_EMITTER_MAGIC, pool, 0};
    bsl_push_table(L, store, BSL_POOL_EMITTER_META);
    lua_setmetatable(L, -2);
    lua_pushvalue(L, store);
    bsl_set_uservalue(L, -2);
    if (bsl_to_model(L, model) != NULL) {
        pattern.model = &bsl_to_model(L, model)->core;
        bsl_keep_model(L, pool, store, model);
    }
    bsl_check_pool_open(L, pool);
    emitter->number = bs_pool_add_emitter(pool->core, &pattern);
    bsl_check_room(L, emitter->number != 0);
    bsl_tell_pool(L, pool);
    return 1;
}

/* --- methods -------------------------------------------------------------------------------- */

static const bsl_emitter *self_emitter(lua_State *L) {
    const bsl_emitter *emitter = bsl_to_emitter(L, 1);
    if (emitter == NULL) {
        bsl_not_self(L, "Emitter");
    }
    bsl_check_pool_open(L, emitter->pool);
    return emitter;
}

/* The pattern to be changed; NULL: it has ended, and nothing is to be done. */
static bs_pattern *self_pattern(lua_State *L) {
    const bsl_emitter *emitter = self_emitter(L);
    bsl_check_pool_not_busy(L, emitter->pool);
    return bs_pool_emitter(emitter->pool->core, emitter->number);
}

/* emitter:setPosition(x, y) */
static int set_position(lua_State *L) {
    double place[DIM];
    bs_pattern *pattern = self_pattern(L);
    bsl_check_vector(L, 2, place);
    for (int k = 0; pattern != NULL && k < DIM; k++) {
        pattern->offset[k] = place[k];
    }
    return 0;
}

/* emitter:setAngle(a) */
static int set_angle(lua_State *L) {
    bs_pattern *pattern = self_pattern(L);
    double angle = bsl_check_number(L, 2);
    if (pattern != NULL) {
        pattern->angle = angle;
    }
    return 0;
}

/* emitter:getCount() -> n: how often it will still fire; -1: endless */
static int get_count(lua_State *L) {
    const bsl_emitter *emitter = self_emitter(L);
    lua_pushinteger(L, bs_pool_emitter_left(emitter->pool->core, emitter->number));
    return 1;
}

/* emitter:isActive() -> bool: it will fire again */
static int is_active(lua_State *L) {
    const bsl_emitter *emitter = self_emitter(L);
    lua_pushboolean(L, bs_pool_emitter_left(emitter->pool->core, emitter->number) != 0);
    return 1;
}

/* emitter:stop(): for good. What it has fired flies on. */
static int stop(lua_State *L) {
    const bsl_emitter *emitter = self_emitter(L);
    bsl_check_pool_not_busy(L, emitter->pool);
    bs_pool_stop_emitter(emitter->pool->core, emitter->number);
    return 0;
}

static int to_string(lua_State *L) {
    const bsl_emitter *emitter = bsl_to_emitter(L, 1);
    if (emitter == NULL) {
        bsl_not_self(L, "Emitter");
    }
    const bs_pool *core = emitter->pool->core;
    bool active = core != NULL && bs_pool_emitter_left(core, emitter->number) != 0;
    lua_pushstring(L, active ? "Emitter (active)" : "Emitter (ended)");
    return 1;
}

const luaL_Reg bsl_pool_emitter_methods[] = {{"newEmitter", new_emitter}, {NULL, NULL}};

const luaL_Reg bsl_emitter_methods[] = {
    {"setPosition", set_position}, {"setAngle", set_angle}, {"getCount", get_count},
    {"isActive", is_active},       {"stop", stop},          {NULL, NULL},
};

const luaL_Reg bsl_emitter_metamethods[] = {{"__tostring", to_string}, {NULL, NULL}};
