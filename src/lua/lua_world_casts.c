/* lua_world_casts.c: World's methods that ask for the first box on a way. */
#include "filters.h"
#include "memory.h"
#include "module.h"

typedef struct asked {
    bsl_cast *cast;
    bsl_cursor *cursor;
} asked;

static void cast_asking(lua_State *L, bsl_world *w, void *context) {
    const asked *a = context;
    bsl_cast_asking(L, w, a->cast, 0, a->cursor);
}

/* --- casting -------------------------------------------------------------------------------- */

/* Reads the filter at `arg`, finds the first box. `self` is the box at argument 2, or BS_NO_BOX. */
static bool find(lua_State *L, bsl_world *w, bsl_cast *c, int arg, uint32_t self) {
    bsl_filter filter = bsl_check_filter(L, w, arg);
    c->filter = filter.core;
    c->filter.self = self;
    if (filter.function == 0) {
        bsl_check_status(L, bs_world_cast(w->core, &c->from, c->motion, &c->filter, &c->hit));
        return c->hit.box != BS_NO_BOX;
    }
    int store = bsl_push_store(L, 1);
    c->hit.box = BS_NO_BOX;
    asked a = {c, bsl_new_cursor(L, w, store, 0)};
    if (self != BS_NO_BOX) { /* again: a finaliser may have moved or removed it */
        c->filter.self = bsl_check_box(L, w, 2);
        c->from = *bs_world_rect(w->core, c->filter.self);
    }
    bsl_run_filter(L, w, store, &filter, cast_asking, &a);
    bsl_free_cursor(L, w, store, store + 1);
    lua_settop(L, store);
    return c->hit.box != BS_NO_BOX;
}

static int return_nothing(lua_State *L, bsl_world *w) {
    lua_pushnil(L);
    bsl_tell(L, w); /* a back end may have made itself a structure for casts */
    return 1;
}

static void push_found(lua_State *L, bsl_world *w, const bsl_cast *c) {
    int store = w->results == BSL_RESULTS_ID ? 0 : bsl_push_store(L, 1); /* ids need none */
    bsl_push_result(L, w, store, bs_world_id(w->core, c->hit.box));
}

/* other, t, nx, ny */
static int return_hit(lua_State *L, bsl_world *w, const bsl_cast *c) {
    push_found(L, w, c);
    lua_pushnumber(L, c->hit.touch.t);
    bsl_push_numbers(L, c->hit.touch.normal, DIM);
    bsl_tell(L, w);
    return 2 + DIM;
}

/* --- methods -------------------------------------------------------------------------------- */

/*
 * world:segmentCast(x1, y1, x2, y2, filter?) -> box, x, y, nx, ny, t, or nil: the first box on the
 * way, ties by insertion. O(log n) or so
 */
static int segment_cast(lua_State *L) {
    bsl_world *w = bsl_self_world(L);
    bsl_cast c; /* the rest is set as it is needed: to zero it all would take 4 ns */
    c.from = (bs_rect){{0}, {0}};
    double end[DIM];
    double point[DIM];
    bsl_check_vector(L, 2, c.from.pos);
    bsl_check_vector(L, 2 + DIM, end);
    bsl_check_motion(L, 2 + DIM, c.from.pos, end, c.motion);
    if (!find(L, w, &c, 2 + 2 * DIM, BS_NO_BOX)) {
        return return_nothing(L, w);
    }
    bs_segment_point(c.from.pos, end, c.hit.touch.t, point);
    push_found(L, w, &c);
    bsl_push_numbers(L, point, DIM);
    bsl_push_numbers(L, c.hit.touch.normal, DIM);
    lua_pushnumber(L, c.hit.touch.t);
    bsl_tell(L, w);
    return 2 + 2 * DIM;
}

/*
 * world:sweep(box, dx, dy, filter?) -> other, t, nx, ny, or nil: the first box that it would meet.
 */
static int sweep(lua_State *L) {
    bsl_world *w = bsl_self_world(L);
    uint32_t box = bsl_check_box(L, w, 2);
    bsl_cast c;
    c.from = *bs_world_rect(w->core, box);
    bsl_check_vector(L, 3, c.motion);
    return find(L, w, &c, 3 + DIM, box) ? return_hit(L, w, &c) : return_nothing(L, w);
}

/* world:sweepRect(x, y, w, h, dx, dy, filter?) -> other, t, nx, ny, or nil. Sizes may be 0. */
static int sweep_rect(lua_State *L) {
    bsl_world *w = bsl_self_world(L);
    bsl_cast c;
    c.from = bsl_check_rect(L, 2, BSL_QUERY);
    bsl_check_vector(L, 2 + 2 * DIM, c.motion);
    return find(L, w, &c, 2 + 3 * DIM, BS_NO_BOX) ? return_hit(L, w, &c) : return_nothing(L, w);
}

const luaL_Reg bsl_world_cast_methods[] = {
    {"segmentCast", segment_cast},
    {"sweep", sweep},
    {"sweepRect", sweep_rect},
    {NULL, NULL},
};
