/* step_methods.c: a World's methods that run a step, and tell what hit what in it. */
#include "cursor.h"
#include "memory.h"
#include "module.h"

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

const luaL_Reg bsl_step_methods[] = {{"step", step}, {"hits", hits}, {NULL, NULL}};
