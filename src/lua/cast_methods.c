/* cast_methods.c: a World's methods that find the first box on a way. */
#include "filters.h"
#include "memory.h"
#include "module.h"

typedef struct query {
    bsl_call call;
    bsl_cast cast;
} query;

static void ask(lua_State *L, void *context) {
    query *q = context;
    bsl_cast_asking(L, &q->call, &q->cast, 0);
}

/*
 * Reads the filter, finds the first box, and pushes what the world returns for it. If there is
 * none, pushes nil and returns false. `self` is the box that is swept, or BS_NO_BOX.
 */
static inline bool find(lua_State *L, query *q, uint32_t self) {
    bsl_world *w = q->call.w;
    bsl_cast *c = &q->cast;
    c->filter = bsl_check_filter(L, w, q->call.filter);
    c->filter.self = self;
    c->hit.box = BS_NO_BOX;
    bsl_args_done(L, &q->call, q->call.filter);
    if (bsl_asks(L, &q->call)) {
        bsl_run_asking(L, &q->call, ask, q);
    } else {
        bsl_check_status(L, bs_world_cast(w->core, &c->way, &c->filter, &c->hit));
    }
    if (c->hit.box == BS_NO_BOX) {
        lua_pushnil(L);
        return false;
    }
    bsl_push_result(L, w, q->call.store, c->hit.box);
    return true;
}

/* Returns other, t, nx, ny; or nil. */
static int return_hit(lua_State *L, query *q, uint32_t self) {
    int pushed = 1;
    if (find(L, q, self)) {
        lua_pushnumber(L, q->cast.hit.touch.t);
        pushed = 2 + bsl_push_numbers(L, q->cast.hit.touch.normal, DIM);
    }
    bsl_tell(L, q->call.w); /* the back end may have built a structure for casts */
    return pushed;
}

/*
 * world:segmentCast(x1, y1, x2, y2, filter?) -> box, x, y, nx, ny, t, or nil: the first box that
 * the segment hits. Of several at the same t, the one inserted first. About O(log n)
 */
static int segment_cast(lua_State *L) {
    query q = {.cast.way.shape = NULL};
    bsl_begin(&q.call, bsl_self_world(L), 2 + 2 * DIM);
    bsl_cast *c = &q.cast;
    double end[DIM];
    int pushed = 1;
    bsl_check_vector(L, 2, c->way.from.pos);
    bsl_check_motion(L, 2 + DIM, c->way.from.pos, end, c->way.motion);
    if (find(L, &q, BS_NO_BOX)) {
        double point[DIM];
        bs_world_segment_point(q.call.w->core, c->way.from.pos, end, &c->hit, point);
        bsl_push_numbers(L, point, DIM);
        bsl_push_numbers(L, c->hit.touch.normal, DIM);
        lua_pushnumber(L, c->hit.touch.t);
        pushed = 2 + 2 * DIM;
    }
    bsl_tell(L, q.call.w);
    return pushed;
}

/*
 * world:sweep(box, dx, dy, filter?) -> other, t, nx, ny, or nil: the first box that it would hit.
 */
static int sweep(lua_State *L) {
    query q;
    bsl_begin(&q.call, bsl_self_world(L), 3 + DIM);
    uint32_t box = bsl_check_box(L, q.call.w, 2);
    bs_shape shape;
    bs_world_shape(q.call.w->core, box, &shape);
    q.cast.way.from = shape.rect;
    q.cast.way.shape = &shape;
    bsl_check_vector(L, 3, q.cast.way.motion);
    return return_hit(L, &q, box);
}

/* world:sweepRect(x, y, w, h, dx, dy, filter?) -> other, t, nx, ny, or nil. Sizes may be 0. */
static int sweep_rect(lua_State *L) {
    query q;
    bsl_begin(&q.call, bsl_self_world(L), 2 + 3 * DIM);
    q.cast.way.from = bsl_check_rect(L, 2, BSL_QUERY);
    q.cast.way.shape = NULL;
    bsl_check_vector(L, 2 + 2 * DIM, q.cast.way.motion);
    return return_hit(L, &q, BS_NO_BOX);
}

const luaL_Reg bsl_cast_methods[] = {
    {"segmentCast", segment_cast},
    {"sweep", sweep},
    {"sweepRect", sweep_rect},
    {NULL, NULL},
};
