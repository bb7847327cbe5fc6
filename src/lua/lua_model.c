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

const char *bsl_read_trait_size(lua_State *L, const bsl_option *option, void *target) {
    return bsl_read_size(L, &((bsl_traits *)target)->size[option->axis]);
}

const char *bsl_read_trait_acceleration(lua_State *L, const bsl_option *option, void *target) {
    return bsl_read_number(L, &((bsl_traits *)target)->acceleration[option->axis]);
}

const char *bsl_read_trait_life(lua_State *L, const bsl_option *option, void *target) {
    (void)option;
    return bsl_read_integer(L, 1, INT32_MAX, "integer from 1 to 2147483647",
                            &((bsl_traits *)target)->life);
}

const char *bsl_read_trait_tag(lua_State *L, const bsl_option *option, void *target) {
    (void)option;
    ((bsl_traits *)target)->has_tag = true;
    return bsl_read_integer(L, INT64_MIN, INT64_MAX, "integer", &((bsl_traits *)target)->tag);
}

const char *bsl_read_trait_mask(lua_State *L, const bsl_option *option, void *target) {
    (void)option;
    ((bsl_traits *)target)->has_mask = true;
    return bsl_read_mask(L, &((bsl_traits *)target)->mask);
}

/* --- patterns ------------------------------------------------------------------------------- */

typedef struct pattern_options {
    bs_pattern pattern;
    bool has_model;
    bool is_self;
} pattern_options;

/* Also bounds the work that one firing takes, and what is counted as dropped. */
enum { MOST_WAYS = 65535 };

static const char *read_offset(lua_State *L, const bsl_option *option, void *target) {
    return bsl_read_number(L, &((pattern_options *)target)->pattern.offset[option->axis]);
}

static const char *read_angle(lua_State *L, const bsl_option *option, void *target) {
    (void)option;
    return bsl_read_number(L, &((pattern_options *)target)->pattern.angle);
}

static const char *read_speed(lua_State *L, const bsl_option *option, void *target) {
    (void)option;
    return bsl_read_number(L, &((pattern_options *)target)->pattern.speed);
}

static const char *read_nway_angle(lua_State *L, const bsl_option *option, void *target) {
    (void)option;
    return bsl_read_number(L, &((pattern_options *)target)->pattern.nway_angle);
}

static const char *read_delay(lua_State *L, const bsl_option *option, void *target) {
    int64_t value;
    (void)option;
    const char *wrong = bsl_read_integer(L, 0, INT32_MAX, "integer from 0 to 2147483647", &value);
    ((pattern_options *)target)->pattern.delay = (uint32_t)value;
    return wrong;
}

static const char *read_cycle(lua_State *L, const bsl_option *option, void *target) {
    int64_t value;
    (void)option;
    const char *wrong = bsl_read_integer(L, 1, INT32_MAX, "integer from 1 to 2147483647", &value);
    ((pattern_options *)target)->pattern.cycle = (uint32_t)value;
    return wrong;
}

static const char *read_count(lua_State *L, const bsl_option *option, void *target) {
    int64_t value;
    (void)option;
    const char *wrong =
        bsl_read_integer(L, INT32_MIN, INT32_MAX, "integer from -2147483648 to 2147483647", &value);
    ((pattern_options *)target)->pattern.count = wrong == NULL ? (int32_t)value : 0;
    return wrong;
}

static const char *read_ways(lua_State *L, uint32_t *ways) {
    int64_t value;
    const char *wrong = bsl_read_integer(L, 1, MOST_WAYS, "integer from 1 to 65535", &value);
    *ways = (uint32_t)value;
    return wrong;
}

static const char *read_nway(lua_State *L, const bsl_option *option, void *target) {
    (void)option;
    return read_ways(L, &((pattern_options *)target)->pattern.nway);
}

static const char *read_circle(lua_State *L, const bsl_option *option, void *target) {
    (void)option;
    return read_ways(L, &((pattern_options *)target)->pattern.circle);
}

static const char *read_circle_odd(lua_State *L, const bsl_option *option, void *target) {
    (void)option;
    return bsl_read_boolean(L, &((pattern_options *)target)->pattern.circle_odd);
}

static const char *read_relative(lua_State *L, const bsl_option *option, void *target) {
    (void)option;
    return bsl_read_boolean(L, &((pattern_options *)target)->pattern.relative);
}

/* The Model itself is taken later, when it is on the stack. */
static const char *read_model(lua_State *L, const bsl_option *option, void *target) {
    (void)option;
    ((pattern_options *)target)->has_model = true;
    return bsl_to_model(L, -1) != NULL ? NULL : DIM == 2 ? "2D Model" : "3D Model";
}

static const char *read_carried_model(lua_State *L, const bsl_option *option, void *target) {
    pattern_options *options = target;
    options->is_self = lua_type(L, -1) == LUA_TSTRING && strcmp(lua_tostring(L, -1), "self") == 0;
    if (options->is_self) {
        return NULL;
    }
    const char *wrong = DIM == 2 ? "2D Model or \"self\"" : "3D Model or \"self\"";
    return read_model(L, option, target) == NULL ? NULL : wrong;
}

#if DIM == 2
#define OFFSET_ROWS                                                                                \
    {"x", read_offset, 0}, {                                                                       \
        "y", read_offset, 1                                                                        \
    }
#else
#define OFFSET_ROWS                                                                                \
    {"x", read_offset, 0}, {"y", read_offset, 1}, {                                                \
        "z", read_offset, 2                                                                        \
    }
#endif

#define PATTERN_ROWS                                                                               \
    OFFSET_ROWS, {"angle", read_angle, 0}, {"speed", read_speed, 0}, {"delay", read_delay, 0},     \
        {"cycle", read_cycle, 0}, {"count", read_count, 0}, {"nway", read_nway, 0},                \
        {"nwayAngle", read_nway_angle, 0}, {"circle", read_circle, 0}, {                           \
        "circleOdd", read_circle_odd, 0                                                            \
    }

static const bsl_option own_rows[] = {PATTERN_ROWS, {"model", read_model, 0}, {NULL, NULL, 0}};

static const bsl_option carried_rows[] = {PATTERN_ROWS,
                                          {"relative", read_relative, 0},
                                          {"model", read_carried_model, 0},
                                          {NULL, NULL, 0}};

bool bsl_check_pattern(lua_State *L, bsl_place place, int table, bool own, bs_pattern *out) {
    pattern_options options = {bs_pattern_default(), false, false};
    bsl_check_options_at(L, place, table, own ? own_rows : carried_rows, &options);
    *out = options.pattern;
    if (options.has_model) {
        lua_pushliteral(L, "model");
        lua_rawget(L, table);
    } else {
        lua_pushnil(L);
    }
    return options.is_self;
}

/* --- Models --------------------------------------------------------------------------------- */

typedef struct model_options {
    bsl_traits traits;
    double speed;
    bool has_emitters;
} model_options;

static const char *read_model_speed(lua_State *L, const bsl_option *option, void *target) {
    (void)option;
    return bsl_read_number(L, &((model_options *)target)->speed);
}

static const char *read_emitters(lua_State *L, const bsl_option *option, void *target) {
    (void)option;
    ((model_options *)target)->has_emitters = true;
    return lua_istable(L, -1) ? NULL : "table";
}

static const char *read_dim(lua_State *L, const bsl_option *option, void *target) {
    int64_t dim;
    (void)option;
    (void)target;
    return bsl_to_integer(L, -1, &dim) && dim == DIM ? NULL : "2 or 3"; /* see init.lua */
}

static const bsl_option model_rows[] = {BSL_TRAIT_ROWS,
                                        {"speed", read_model_speed, 0},
                                        {"emitters", read_emitters, 0},
                                        {"dim", read_dim, 0},
                                        {NULL, NULL, 0}};

static void set_core(bs_model *core, const model_options *options) {
    const bsl_traits *traits = &options->traits;
    *core = bs_model_default();
    core->speed = options->speed;
    core->life = (uint32_t)traits->life;
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
