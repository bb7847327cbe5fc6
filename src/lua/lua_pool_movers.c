/* lua_pool_movers.c: Pool's methods about single movers. */
#include "module.h"
#include "pool_handles.h"

#include <string.h>

/* --- spawn ---------------------------------------------------------------------------------- */

typedef struct spawn_options {
    bsl_traits traits;
    bool has_model;
} spawn_options;

static const bsl_option spawn_rows[] = {
    {"model", bsl_read_model, offsetof(spawn_options, has_model), NULL},
    {NULL, NULL, 0, bsl_trait_rows},
};

/* What the options say goes before what the shot has from its model and the pool. */
static void apply_traits(bs_shot *shot, const bsl_traits *traits) {
    for (int k = 0; k < DIM; k++) {
        shot->size[k] = isnan(traits->size[k]) ? shot->size[k] : traits->size[k];
        shot->acceleration[k] =
            isnan(traits->acceleration[k]) ? shot->acceleration[k] : traits->acceleration[k];
    }
    shot->life = traits->life > 0 ? traits->life : shot->life;
    shot->tag = traits->has_tag ? traits->tag : shot->tag;
    shot->mask = traits->has_mask ? traits->mask : shot->mask;
}

/* Reads the options at `arg`, keeps a Model with emitters, and begins the shot. */
static bs_shot check_shot(lua_State *L, const bsl_pool *pool, int arg) {
    spawn_options options;
    const bs_model *model = NULL;
    options.has_model = false;
    bsl_no_traits(&options.traits);
    bsl_check_options(L, arg, spawn_rows, &options);
    if (options.has_model) {
        lua_pushliteral(L, "model");
        lua_rawget(L, arg);
        int index = lua_gettop(L);
        const bsl_model *given = bsl_to_model(L, index);
        model = given != NULL ? &given->core : NULL;
        if (model != NULL && model->emitters > 0) { /* else the mover does not refer to it */
            bsl_keep_model(L, pool, bsl_push_store(L, 1), index);
            bsl_check_pool_open(L, pool);
        }
    }
    bs_shot shot = bs_pool_shot(pool->core, model);
    apply_traits(&shot, &options.traits);
    return shot;
}

/* An error, unless `axis` is DIM, about a mover's place, which is at `arg`. */
static void check_place(lua_State *L, int arg, int axis) {
    if (axis < DIM) {
        bsl_expected(L, bsl_place_arg(arg + axis), arg + axis,
                     "a place where the mover's sides are finite");
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
    check_place(L, 2, bs_shot_bad_axis(place, shot.size));
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

/* An error about the id at `arg`, which no mover has. */
static _Noreturn void bad_mover(lua_State *L, int arg, bs_id id, bs_found found) {
    if (found == BS_REMOVED) {
        bsl_bad(L, bsl_place_arg(arg), "mover was freed");
    }
    bsl_bad_id(L, bsl_place_arg(arg), "mover", (int64_t)id);
}

/* The index of the live mover whose id is at `arg`; an error if it is not there. */
static uint32_t check_mover(lua_State *L, const bsl_pool *pool, int arg) {
    uint32_t mover;
    bs_id id = check_id(L, arg);
    bs_found found = bs_pool_find(pool->core, id, &mover);
    if (found != BS_FOUND) {
        bad_mover(L, arg, id, found);
    }
    return mover;
}

/* The same of one that is live, or ended in the last step. */
static uint32_t check_flown(lua_State *L, const bsl_pool *pool, int arg) {
    uint32_t mover;
    bs_id id = check_id(L, arg);
    if (!bs_pool_find_flown(pool->core, id, &mover)) {
        bad_mover(L, arg, id, bs_pool_find(pool->core, id, &mover));
    }
    return mover;
}

/*
 * pool:free(id) -> bool: false if it is free already. One that ended in the last step is, but from
 * now on hits nothing any more, as if it had been freed in the loop that saw it. O(1)
 */
static int free_mover(lua_State *L) {
    const bsl_pool *pool = bsl_self_free_pool(L);
    uint32_t mover;
    bs_id id = check_id(L, 2);
    bool found = bs_pool_find(pool->core, id, &mover) == BS_FOUND;
    if (found) {
        bs_pool_remove(pool->core, mover);
    } else if (bs_pool_find_flown(pool->core, id, &mover)) {
        bs_pool_forget(pool->core, mover);
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

/* pool:get(id) -> x, y, vx, vy: also of one that ended in the last step, where it did */
static int get(lua_State *L) {
    const bsl_pool *pool = bsl_self_pool(L);
    uint32_t mover = check_flown(L, pool, 2);
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
    check_place(L, 3, bs_pool_set(pool->core, mover, place, velocity));
    return 0;
}

/* pool:getTag(id) -> integer: also of one that ended in the last step */
static int get_tag(lua_State *L) {
    const bsl_pool *pool = bsl_self_pool(L);
    int64_t tag = bs_pool_tag(pool->core, check_flown(L, pool, 2));
    bsl_push_id(L, (uint64_t)tag); /* both are 64 bits */
    return 1;
}

const luaL_Reg bsl_pool_mover_methods[] = {
    {"spawn", spawn}, {"free", free_mover}, {"isAlive", is_alive}, {"get", get},
    {"set", set},     {"getTag", get_tag},  {NULL, NULL},
};
