/* cast_methods.c: a World's methods that find the first box on a way. */
#include "filters.h"
#include "memory.h"
#include "module.h"

typedef struct query {
    bsl_call call;
    bs_way way;
    bs_filter filter;
    bs_hit hit;
} query;

static void cast(lua_State *L, void *context) {
    query *q = context;
    bsl_check_status(L, bs_world_cast(q->call.w->core, &q->way, &q->filter, &q->hit));
}

/*
 * Reads the filter, finds the first box, and pushes what the world returns for it. If there is
 * none, pushes nil and returns false. `self` is the box that is swept, or BS_NO_BOX.
 */
static inline bool find(lua_State *L, query *q, uint32_t self) {
    q->filter = bsl_check_filter(L, &q->call);
    q->filter.self = self;
    bsl_args_done(L, &q->call, q->call.filter);
    bsl_run(L, &q->call, cast, q);
    if (q->hit.box == BS_NO_BOX) {
        lua_pushnil(L);
        return false;
    }
    bsl_push_result(L, q->call.w, q->call.store, q->hit.box);
    return true;
}

/* Returns other, t, nx, ny; or nil. */
static int return_hit(lua_State *L, query *q, uint32_t self) {
    int pushed = 1;
    if (find(L, q, self)) {
        lua_pushnumber(L, q->hit.touch.t);
        pushed = 2 + bsl_push_numbers(L, q->hit.touch.normal, DIM);
    }
    bsl_tell(L, q->call.w); /* the back end may have built a structure for casts */
    return pushed;
}

/*
 * world:segmentCast(x1, y1, x2, y2, filter?) -> box, x, y, nx, ny, t, or nil: the first box that
 * the segment hits. Of several at the same t, the one inserted first. About O(log n)
 */
static int segment_cast(lua_State *L) {
    query q = {.way.shape = NULL};
    bsl_begin(&q.call, bsl_self_world(L), 2 + 2 * DIM);
    double end[DIM];
    int pushed = 1;
    bsl_check_segment(L, 2, &q.way.from, end, q.way.motion);
    if (find(L, &q, BS_NO_BOX)) {
        double point[DIM];
        bs_world_segment_point(q.call.w->core, q.way.from.pos, end, &q.hit, point);
        bsl_push_numbers(L, point, DIM);
        bsl_push_numbers(L, q.hit.touch.normal, DIM);
        lua_pushnumber(L, q.hit.touch.t);
        pushed = 2 + 2 * DIM;
    }
    bsl_tell(L, q.call.w);
    return pushed;
}

/* world:sweep(box, dx, dy, filter?) -> other, t, nx, ny, or nil: the first box that it hits. */
static int sweep(lua_State *L) {
    query q;
    bsl_begin(&q.call, bsl_self_world(L), 3 + DIM);
    bs_shape shape;
    const uint32_t box = bsl_check_box_shape(L, q.call.w, 2, &shape);
    q.way.from = shape.rect;
    q.way.shape = &shape;
    bsl_check_vector(L, 3, q.way.motion);
    return return_hit(L, &q, box);
}

/* world:sweepRect(x, y, w, h, dx, dy, filter?) -> other, t, nx, ny, or nil. Sizes may be 0. */
static int sweep_rect(lua_State *L) {
    query q;
    bsl_begin(&q.call, bsl_self_world(L), 2 + 3 * DIM);
    q.way.from = bsl_check_rect(L, 2, BSL_QUERY);
    q.way.shape = NULL;
    bsl_check_vector(L, 2 + 2 * DIM, q.way.motion);
    return return_hit(L, &q, BS_NO_BOX);
}

const luaL_Reg bsl_cast_methods[] = {
    {"segmentCast", segment_cast},
    {"sweep", sweep},
    {"sweepRect", sweep_rect},
    {NULL, NULL},
};
