/* lua_model.c: Models, the patterns of emitters, and what Models and movers have in common. */
#include "module.h"
#include "pool_handles.h"

#include <string.h>

/* --- traits --------------------------------------------------------------------------------- */

void bsl_no_traits(bsl_traits *traits) {
    memset(traits, 0, sizeof *traits);
    for (int k = 0; k < DIM; k++) {
        traits->size[k] = (double)NAN;
        traits->acceleration[k] = (double)NAN;
    }
}

static const char *read_positive(lua_State *L, void *field) {
    return bsl_read_integer(L, 1, INT32_MAX, field);
}

static const char *read_tag(lua_State *L, void *field) {
    bsl_traits *traits = field;
    traits->has_tag = true;
    return bsl_to_integer(L, -1, &traits->tag) ? NULL : "integer";
}

static const char *read_mask(lua_State *L, void *field) {
    bsl_traits *traits = field;
    traits->has_mask = true;
    return bsl_read_mask(L, &traits->mask);
}

const bsl_option bsl_trait_rows[] = {
    {"w", bsl_read_size, offsetof(bsl_traits, size[0]), NULL},
    {"h", bsl_read_size, offsetof(bsl_traits, size[1]), NULL},
#if DIM == 3
    {"d", bsl_read_size, offsetof(bsl_traits, size[2]), NULL},
#endif
    {"ax", bsl_read_number, offsetof(bsl_traits, acceleration[0]), NULL},
    {"ay", bsl_read_number, offsetof(bsl_traits, acceleration[1]), NULL},
#if DIM == 3
    {"az", bsl_read_number, offsetof(bsl_traits, acceleration[2]), NULL},
#endif
    {"life", read_positive, offsetof(bsl_traits, life), NULL},
    {"tag", read_tag, 0, NULL},
    {"mask", read_mask, 0, NULL},
    {NULL, NULL, 0, NULL},
};

/* --- patterns ------------------------------------------------------------------------------- */

typedef struct pattern_options {
    bs_pattern pattern; /* comes first: rows tell where its fields are in itself */
    bool has_model;
} pattern_options;

static const char *read_delay(lua_State *L, void *field) {
    return bsl_read_integer(L, 0, INT32_MAX, field);
}

static const char *read_count(lua_State *L, void *field) {
    return bsl_read_integer(L, INT32_MIN, INT32_MAX, field);
}

/* The most also bounds the work that one firing takes, and what is counted as dropped. */
static const char *read_ways(lua_State *L, void *field) {
    return bsl_read_integer(L, 1, 65535, field);
}

const char *bsl_read_model(lua_State *L, void *field) {
    *(bool *)field = true;
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
    {"x", bsl_read_number, offsetof(bs_pattern, offset[0]), NULL},
    {"y", bsl_read_number, offsetof(bs_pattern, offset[1]), NULL},
#if DIM == 3
    {"z", bsl_read_number, offsetof(bs_pattern, offset[2]), NULL},
#endif
    {"angle", bsl_read_number, offsetof(bs_pattern, angle), NULL},
    {"speed", bsl_read_number, offsetof(bs_pattern, speed), NULL},
    {"delay", read_delay, offsetof(bs_pattern, delay), NULL},
    {"cycle", read_positive, offsetof(bs_pattern, cycle), NULL},
    {"count", read_count, offsetof(bs_pattern, count), NULL},
    {"nway", read_ways, offsetof(bs_pattern, nway), NULL},
    {"nwayAngle", bsl_read_number, offsetof(bs_pattern, nway_angle), NULL},
    {"circle", read_ways, offsetof(bs_pattern, circle), NULL},
    {"circleOdd", bsl_read_boolean, offsetof(bs_pattern, circle_odd), NULL},
    {NULL, NULL, 0, NULL},
};

static const bsl_option own_rows[] = {
    {"model", bsl_read_model, offsetof(pattern_options, has_model), NULL},
    {NULL, NULL, 0, pattern_rows},
};

static const bsl_option carried_rows[] = {
    {"relative", bsl_read_boolean, offsetof(bs_pattern, relative), NULL},
    {"model", read_carried_model, offsetof(pattern_options, has_model), NULL},
    {NULL, NULL, 0, pattern_rows},
};

bool bsl_check_pattern(lua_State *L, bsl_place place, int table, bool own, bs_pattern *out) {
    pattern_options options = {bs_pattern_default(), false};
    bsl_check_options_at(L, place, table, own ? own_rows : carried_rows, &options);
    *out = options.pattern;
    if (options.has_model) {
        lua_pushliteral(L, "model");
        lua_rawget(L, table);
    } else {
        lua_pushnil(L);
    }
    return lua_type(L, -1) == LUA_TSTRING; /* no other string has passed */
}

/* --- Models --------------------------------------------------------------------------------- */

typedef struct model_options {
    bsl_traits traits;
    double speed;
    bool has_emitters;
} model_options;

static const char *read_emitters(lua_State *L, void *field) {
    *(bool *)field = true;
    return lua_istable(L, -1) ? NULL : "table";
}

static const bsl_option model_rows[] = {
    {"speed", bsl_read_number, offsetof(model_options, speed), NULL},
    {"emitters", read_emitters, offsetof(model_options, has_emitters), NULL},
    {"dim", bsl_read_dim, 0, NULL},
    {NULL, NULL, 0, bsl_trait_rows},
};

static void set_core(bs_model *core, const model_options *options) {
    const bsl_traits *traits = &options->traits;
    *core = bs_model_default();
    core->speed = options->speed;
    core->life = traits->life;
    core->tag = traits->tag;
    core->mask = traits->mask;
    core->has_mask = traits->has_mask;
    for (int k = 0; k < DIM; k++) {
        core->size[k] = isnan(traits->size[k]) ? -1 : traits->size[k];
        core->acceleration[k] = isnan(traits->acceleration[k]) ? 0 : traits->acceleration[k];
    }
}

/*
 * Reads pattern number i + 1; the list is at stack index `list`. Its Model goes into the table at
 * `kept` before anything refers to it.
 */
static void read_pattern(lua_State *L, bsl_model *model, int list, int kept, uint32_t i) {
    bs_pattern pattern;
    bsl_rawgeti(L, list, (int)i + 1);
    bsl_place place = {1, NULL, (size_t)i + 1, "emitters"};
    bool is_self = bsl_check_pattern(L, place, lua_gettop(L), false, &pattern);
    const bsl_model *other = bsl_to_model(L, -1);
    if (is_self) {
        pattern.model = &model->core;
    } else if (other != NULL) {
        pattern.model = &other->core;
    }
    lua_rawseti(L, kept, (int)i + 1);
    lua_pop(L, 1);
    model->pattern[i] = pattern;
}

/*
 * newModel{speed?, w?, h?, ax?, ay?, life?, tag?, mask?, emitters = {spec, ...}?, dim?} -> Model: a
 * prototype of movers. Specs are those of newEmitter, with x, y from the mover; relative = true
 * counts the angle from its direction of flight, and model = "self" fires more of the same.
 */
static int new_model(lua_State *L) {
    model_options options;
    memset(&options, 0, sizeof options);
    bsl_no_traits(&options.traits);
    bsl_check_options(L, 1, model_rows, &options);
    lua_settop(L, 1);
    if (options.has_emitters) {
        lua_pushliteral(L, "emitters");
        lua_rawget(L, 1);
    } else {
        lua_newtable(L);
    }
    bsl_check_table(L, 2);
    size_t n = bsl_length(L, 2);
    if (n > INT32_MAX / sizeof(bs_pattern)) {
        bsl_bad(L, bsl_place_option(1, "emitters"), "too many emitters");
    }
    size_t size = sizeof(bsl_model) + n * sizeof(bs_pattern);
    bsl_model *model = bsl_new_userdata(L, size);
    memset(model, 0, size);
    model->magic = BSL_MODEL_MAGIC;
    set_core(&model->core, &options);
    model->core.emitters = (uint32_t)n;
    model->core.emitter = model->pattern;
    bsl_set_metatable(L, BSL_MODEL_META);
    lua_newtable(L);
    lua_pushvalue(L, 4);
    bsl_set_uservalue(L, 3);
    for (uint32_t i = 0; i < n; i++) {
        read_pattern(L, model, 2, 4, i);
    }
    lua_settop(L, 3);
    return 1;
}

static int to_string(lua_State *L) {
    const bsl_model *model = bsl_to_model(L, 1);
    if (model == NULL) {
        bsl_not_self(L, "Model");
    }
    lua_pushfstring(L, "Model (%dD, %d emitters)", DIM, (int)model->core.emitters);
    return 1;
}

const luaL_Reg bsl_model_functions[] = {{"newModel", new_model}, {NULL, NULL}};

const luaL_Reg bsl_model_metamethods[] = {{"__tostring", to_string}, {NULL, NULL}};
