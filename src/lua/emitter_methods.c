/* emitter_methods.c: Models, the patterns of emitters, and the Emitters of a Pool. */
#include "memory.h"
#include "module.h"
#include "results.h"

#include <string.h>

/* --- readers -------------------------------------------------------------------------------- */

const char *bsl_read_steps(lua_State *L, void *field) {
    return bsl_read_integer(L, 1, INT32_MAX, field);
}

static const char *read_delay(lua_State *L, void *field) {
    return bsl_read_integer(L, 0, INT32_MAX, field);
}

static const char *read_count(lua_State *L, void *field) {
    return bsl_read_integer(L, INT32_MIN, INT32_MAX, field);
}

/* This limit also bounds the work of one firing, and the number of movers that it can drop. */
static const char *read_ways(lua_State *L, void *field) {
    return bsl_read_integer(L, 1, 65535, field);
}

const char *bsl_read_tag(lua_State *L, void *field) {
    return bsl_to_integer(L, -1, field) ? NULL : "integer";
}

/* --- patterns ------------------------------------------------------------------------------- */

const char *bsl_read_model(lua_State *L, void *field) {
    (void)field;
    return bsl_to_model(L, -1) != NULL ? NULL : DIM == 2 ? "2D Model" : "3D Model";
}

static const char *read_carried_model(lua_State *L, void *field) {
    bool is_self = strcmp(bsl_to_name(L, -1), "self") == 0;
    if (bsl_read_model(L, field) == NULL || is_self) {
        return NULL;
    }
    return DIM == 2 ? "2D Model or \"self\"" : "3D Model or \"self\"";
}

static const bsl_option pattern_rows[] = {
    BSL_VECTOR_ROWS("x", "y", "z", bsl_read_number, bs_pattern, offset),
    {"angle", bsl_read_number, offsetof(bs_pattern, angle), NULL},
    {"speed", bsl_read_number, offsetof(bs_pattern, speed), NULL},
    {"delay", read_delay, offsetof(bs_pattern, delay), NULL},
    {"cycle", bsl_read_steps, offsetof(bs_pattern, cycle), NULL},
    {"count", read_count, offsetof(bs_pattern, count), NULL},
    {"nway", read_ways, offsetof(bs_pattern, nway), NULL},
    {"nwayAngle", bsl_read_number, offsetof(bs_pattern, nway_angle), NULL},
    {"circle", read_ways, offsetof(bs_pattern, circle), NULL},
    {"circleOdd", bsl_read_boolean, offsetof(bs_pattern, circle_odd), NULL},
    {NULL, NULL, 0, NULL},
};

/* Of an emitter of the pool itself. */
static const bsl_option own_rows[] = {
    {"model", bsl_read_model, 0, NULL},
    {NULL, NULL, 0, pattern_rows},
};

/* Of an emitter that movers carry. */
static const bsl_option carried_rows[] = {
    {"relative", bsl_read_boolean, offsetof(bs_pattern, relative), NULL},
    {"model", read_carried_model, 0, NULL},
    {NULL, NULL, 0, pattern_rows},
};

/* Reads an emitter's pattern, without its Model, and pushes that, "self" or nil. */
static void check_pattern(lua_State *L, bsl_where where, int table, const bsl_option *rows,
                          bs_pattern *out) {
    *out = bs_pattern_default();
    bsl_check_options_at(L, where, table, rows, out);
    bsl_push_option(L, table, "model");
}

/* --- Models --------------------------------------------------------------------------------- */

/* One spec instead of a list of specs looks like an empty list that has fields. */
static const char *read_emitters(lua_State *L, void *field) {
    (void)field;
    if (!lua_istable(L, -1)) {
        return "table";
    }
    bool is_spec = bsl_length(L, -1) == 0 && bsl_key_type(L, lua_gettop(L)) != LUA_TNIL;
    return is_spec ? "list of tables, {{...}, ...}," : NULL;
}

static const char *read_mask(lua_State *L, void *field) {
    bs_model *model = field;
    model->has_mask = true;
    return bsl_read_mask(L, &model->mask);
}

static const bsl_option model_rows[] = {
    {"speed", bsl_read_number, offsetof(bs_model, speed), NULL},
    {"emitters", read_emitters, 0, NULL},
    {"dim", bsl_read_dim, 0, NULL},
    BSL_VECTOR_ROWS("w", "h", "d", bsl_read_size, bs_model, size),
    BSL_VECTOR_ROWS("ax", "ay", "az", bsl_read_number, bs_model, acceleration),
    {"life", bsl_read_steps, offsetof(bs_model, life), NULL},
    {"tag", bsl_read_tag, offsetof(bs_model, tag), NULL},
    {"mask", read_mask, 0, NULL},
    {NULL, NULL, 0, NULL},
};

/* Reads pattern i + 1 of the list at LIST. KEPT has its Model before anything refers to it. */
enum { LIST = 2, MODEL, KEPT };
static void read_pattern(lua_State *L, bsl_model *model, uint32_t i) {
    bs_pattern pattern;
    bsl_rawgeti(L, LIST, (int)i + 1);
    bsl_where where = {1, NULL, (size_t)i + 1, "emitters"};
    check_pattern(L, where, KEPT + 1, carried_rows, &pattern);
    const bsl_model *other = bsl_to_model(L, -1);
    if (other != NULL) {
        pattern.model = &other->core;
    } else if (!lua_isnil(L, -1)) { /* "self": the checks refuse all other values */
        pattern.model = &model->core;
    }
    lua_rawseti(L, KEPT, (int)i + 1);
    lua_pop(L, 1);
    model->pattern[i] = pattern;
}

/*
 * newModel{speed?, w?, h?, ax?, ay?, life?, tag?, mask?, emitters = {spec, ...}?, dim?} -> Model: a
 * prototype of movers. Specs are as for newEmitter, but x, y are relative to the mover. With
 * relative = true the angle counts from the mover's direction of flight. With model = "self" it
 * fires more of the same model.
 */
static int new_model(lua_State *L) {
    bs_model core = bs_model_default();
    bsl_check_options(L, 1, model_rows, &core);
    lua_settop(L, 1);
    bsl_push_option(L, 1, "emitters");
    /* It is no table if a finaliser has changed it. */
    size_t n = lua_istable(L, LIST) ? bsl_length(L, LIST) : 0;
    if (n > INT32_MAX / sizeof(bs_pattern)) {
        bsl_bad(L, bsl_where_option(1, "emitters"), "too many emitters");
    }
    size_t size = sizeof(bsl_model) + n * sizeof(bs_pattern);
    bsl_model *model = bsl_new(L, BSL_MODEL_CLASS, size);
    model->core = core;
    model->core.emitters = (uint32_t)n;
    model->core.emitter = model->pattern;
    lua_newtable(L);
    lua_pushvalue(L, KEPT);
    bsl_set_uservalue(L, MODEL);
    for (uint32_t i = 0; i < n; i++) {
        read_pattern(L, model, i);
    }
    bs_model_seal(&model->core);
    lua_settop(L, MODEL);
    return 1;
}

/* Whether the table of Models in the store has the Model at `index`. */
static bool has_model(lua_State *L, int store, int index) {
    lua_rawgeti(L, store, BSL_MODELS);
    lua_pushvalue(L, index);
    lua_rawget(L, -2);
    bool has = !lua_isnil(L, -1);
    lua_pop(L, 2);
    return has;
}

/*
 * Begins a new table of Models if nothing in the pool refers to a Model any more: otherwise a pool
 * that is given ever new Models would keep them all. Snapshots may keep the old table.
 */
static void begin_models(lua_State *L, const bsl_pool *pool, int store) {
    if (!bs_pool_refers_to_models(pool->core)) {
        lua_newtable(L); /* this may run finalisers, which may use the pool */
        bsl_check_pool_open(L, pool);
        if (!bs_pool_refers_to_models(pool->core)) {
            lua_pushvalue(L, -1);
            lua_rawseti(L, store, BSL_MODELS);
        }
        lua_pop(L, 1);
    }
}

const bs_model *bsl_keep_model(lua_State *L, const bsl_pool *pool, int store, int index) {
    const bsl_model *model = bsl_to_model(L, index);
    if (model != NULL && !has_model(L, store, index)) {
        begin_models(L, pool, store);
        lua_rawgeti(L, store, BSL_MODELS);
        lua_pushvalue(L, index);
        lua_pushboolean(L, 1);
        lua_rawset(L, -3);
        lua_pop(L, 1);
    }
    return model != NULL ? &model->core : NULL;
}

static int model_to_string(lua_State *L) {
    const bsl_model *model = bsl_check_self(L, BSL_MODEL_CLASS);
    lua_pushfstring(L, "Model (%dD, %d emitters)", DIM, (int)model->core.emitters);
    return 1;
}

/* --- Emitters ------------------------------------------------------------------------------- */

/* An Emitter. Its user value is the store of the pool. */
typedef struct emitter_handle {
    uint64_t magic;
    bsl_pool *pool;
    uint64_t number;
} emitter_handle;

/*
 * pool:newEmitter{x?, y?, angle?, speed?, delay?, cycle?, count?, nway?, nwayAngle?, circle?,
 * circleOdd?, model?} -> Emitter: skips `delay` steps and fires in the next one, then every `cycle`
 * steps, `count` times in all (endlessly if < 0). It goes on firing even if the script drops the
 * Emitter.
 */
static int new_emitter(lua_State *L) {
    enum { OPTIONS = 2, STORE, EMITTER };
    bsl_pool *pool = bsl_self_free_pool(L);
    bs_pattern pattern = bs_pattern_default();
    lua_settop(L, OPTIONS);
    (void)bsl_push_store(L, 1);
    emitter_handle *emitter = bsl_new_item(L, STORE, BSL_EMITTER_CLASS, sizeof *emitter);
    emitter->pool = pool;
    if (!lua_isnil(L, OPTIONS)) {
        check_pattern(L, bsl_where_arg(OPTIONS), OPTIONS, own_rows, &pattern);
        bsl_check_pool_open(L, pool);
        pattern.model = bsl_keep_model(L, pool, STORE, lua_gettop(L));
    }
    emitter->number = bs_pool_add_emitter(pool->core, &pattern);
    bsl_check_room(L, emitter->number != 0);
    lua_settop(L, EMITTER);
    bsl_tell_pool(L, pool);
    return 1;
}

/* --- methods of Emitters -------------------------------------------------------------------- */

static const emitter_handle *any_self_emitter(lua_State *L) {
    return bsl_check_self(L, BSL_EMITTER_CLASS);
}

static const emitter_handle *self_emitter(lua_State *L) {
    const emitter_handle *emitter = any_self_emitter(L);
    bsl_check_pool_open(L, emitter->pool);
    return emitter;
}

/* Checks self for a setter, and returns its pattern; NULL if the emitter has ended. */
static bs_pattern *self_pattern(lua_State *L) {
    const emitter_handle *emitter = self_emitter(L);
    bsl_check_pool_not_busy(L, emitter->pool);
    return bs_pool_emitter(emitter->pool->core, emitter->number);
}

/* emitter:setPosition(x, y) */
static int set_position(lua_State *L) {
    double position[DIM];
    bs_pattern *pattern = self_pattern(L);
    bsl_check_vector(L, 2, position);
    for (int k = 0; pattern != NULL && k < DIM; k++) {
        pattern->offset[k] = position[k];
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

/* emitter:getCount() -> n: how many times it will still fire; -1 if endlessly */
static int get_count(lua_State *L) {
    const emitter_handle *emitter = self_emitter(L);
    lua_pushinteger(L, bs_pool_emitter_left(emitter->pool->core, emitter->number));
    return 1;
}

/* emitter:isActive() -> bool: whether it will fire again */
static int is_active(lua_State *L) {
    const emitter_handle *emitter = self_emitter(L);
    lua_pushboolean(L, bs_pool_emitter_left(emitter->pool->core, emitter->number) != 0);
    return 1;
}

/* emitter:stop(): stops it for good. The movers that it has fired go on. */
static int stop(lua_State *L) {
    const emitter_handle *emitter = self_emitter(L);
    bsl_check_pool_not_busy(L, emitter->pool);
    bs_pool_stop_emitter(emitter->pool->core, emitter->number);
    return 0;
}

static int emitter_to_string(lua_State *L) {
    const emitter_handle *emitter = any_self_emitter(L);
    const bs_pool *core = emitter->pool->core;
    bool active = core != NULL && bs_pool_emitter_left(core, emitter->number) != 0;
    lua_pushstring(L, active ? "Emitter (active)" : "Emitter (ended)");
    return 1;
}

const luaL_Reg bsl_emitter_functions[] = {{"newModel", new_model}, {NULL, NULL}};

const luaL_Reg bsl_model_methods[] = {{"__tostring", model_to_string}, {NULL, NULL}};

const luaL_Reg bsl_pool_emitter_methods[] = {{"newEmitter", new_emitter}, {NULL, NULL}};

const luaL_Reg bsl_emitter_methods[] = {
    {"setPosition", set_position},
    {"setAngle", set_angle},
    {"getCount", get_count},
    {"isActive", is_active},
    {"stop", stop},
    {"__tostring", emitter_to_string},
    {NULL, NULL},
};
