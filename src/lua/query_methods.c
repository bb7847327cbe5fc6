/*
 * query_methods.c: a World's methods that return lists of boxes, or the first box on a way.
 *
 * Those that return lists read their arguments, let the core list what it finds in the world's
 * scratch list, and leave the rest to `answer`.
 */
#include "filters.h"
#include "memory.h"
#include "module.h"

typedef struct query {
    bsl_call call;
    bs_filter filter;
    int out;       /* the table for results */
    int distances; /* the table for distances from the point, or 0 */
    double point[DIM];
    double max_distance; /* nearest: the largest distance that counts */
    size_t k;            /* nearest: how many boxes are wanted; otherwise SIZE_MAX */
    const bs_list *found;
    bs_way way; /* of a cast, and what it has hit */
    bs_hit hit;
} query;

/* --- answering ------------------------------------------------------------------------------ */

static void write(lua_State *L, query *q, const bs_list *found) {
    const bsl_call *c = &q->call;
    q->found = found;
    bsl_write_boxes(L, c->w, c->store, q->out, found->at, found->n);
    if (q->distances != 0) {
        bsl_out out = bsl_open_out(L, q->distances, found->n);
        for (size_t i = 0; i < found->n; i++) {
            lua_pushnumber(L, bs_world_distance(c->w->core, found->at[i], q->point));
            bsl_append(L, &out);
        }
        bsl_close_out(L, &out);
    }
}

static void find_nearest(lua_State *L, const query *q, size_t k) {
    bsl_world *w = q->call.w;
    bsl_check_status(L,
                     bs_world_nearest(w->core, q->point, k, &q->filter, q->max_distance, &w->list));
}

/* Adds the next ones of the k nearest boxes to the call's own list. */
static void find_more(lua_State *L, query *q, size_t k) {
    bs_heap *heap = bs_world_heap(q->call.w->core);
    const bs_list *found = &q->call.w->list;
    bs_list *own = &q->call.list;
    find_nearest(L, q, k);
    bsl_check_room(L, bs_array_reserve(heap, &own->at, &own->cap, found->n, sizeof *own->at));
    for (; own->n < found->n; own->n++) {
        own->at[own->n] = found->at[own->n];
    }
}

/*
 * Keeps the boxes that the function accepts. The core does not know how many of the nearest boxes
 * it will refuse, so it is asked for more until there are enough.
 */
static void ask(lua_State *L, void *context) {
    query *q = context;
    bs_list *own = &q->call.list;
    size_t accepted = 0;
    size_t asked = 0;
    for (size_t k = q->k;; find_more(L, q, k)) {
        for (; asked < own->n && accepted < q->k; asked++) {
            if (bsl_ask(&q->call, 0, own->at[asked])) {
                own->at[accepted++] = own->at[asked];
            }
        }
        if (accepted == q->k || own->n < k) { /* the core has no more */
            break;
        }
        k = 2 * k + 8;
    }
    own->n = accepted;
    write(L, q, own);
}

/* Returns what is in the world's list. The arguments have been read up to the table for results. */
static int answer(lua_State *L, query *q) {
    bsl_call *c = &q->call;
    bsl_check_table(L, q->out);
    if (q->distances != 0) {
        bsl_check_table(L, q->distances);
        if (lua_rawequal(L, q->distances, q->out)) {
            bsl_bad(L, bsl_where_arg(q->distances), "another table than out expected");
        }
    }
    bsl_args_done(L, c, q->distances != 0 ? q->distances : q->out);
    if (bsl_asks(L, c)) {
        bsl_run_asking(L, c, ask, q);
    } else {
        write(L, q, &c->w->list);
    }
    return bsl_return_list(L, c->w, q->out, q->found->n);
}

/* --- arguments ------------------------------------------------------------------------------ */

/* Begins a query. `required` counts the arguments that must be given, self included. */
static void begin_at(lua_State *L, query *q, int required, int filter, int out) {
    bsl_begin(&q->call, bsl_self_world(L), filter);
    if (bsl_make_out(L, q->call.w, required, out)) {
        bsl_explain_list(L, out);
    }
    q->out = out;
    q->distances = 0;
    q->k = SIZE_MAX;
}

/* As begin_at: the filter follows the required arguments, and the table for results follows it. */
static void begin(lua_State *L, query *q, int filter) {
    begin_at(L, q, filter - 1, filter, filter + 1);
}

/* Reads the centre of a query that can measure distances. The table for them is behind `out`. */
static void check_centre(lua_State *L, query *q) {
    bsl_check_vector(L, 2, q->point);
    q->distances = bsl_is_absent(L, q->out + 1) ? 0 : q->out + 1;
}

/* Reads the filter. `self` is a box that does not count, or BS_NO_BOX. */
static void check_filter(lua_State *L, query *q, uint32_t self) {
    if (lua_istable(L, q->call.filter) && bsl_key_type(L, q->call.filter) != LUA_TSTRING) {
        bsl_bad(L, bsl_where_arg(q->call.filter),
                "mask, Box or function expected, got table; out comes after filter");
    }
    q->filter = bsl_check_filter(L, &q->call);
    q->filter.self = self;
}

/* Reads the filter, and answers with the boxes that overlap the shape. */
static int overlapping(lua_State *L, query *q, const bs_shape *shape, uint32_t self) {
    bsl_world *w = q->call.w;
    check_filter(L, q, self);
    bsl_check_status(L, bs_world_query(w->core, shape, &q->filter, &w->list));
    return answer(L, q);
}

/* Reads the filter, and answers with the boxes on the way. */
static int on_the_way(lua_State *L, query *q, const bs_way *way, uint32_t self) {
    bsl_world *w = q->call.w;
    bs_list *list = &w->list;
    const bs_hits *hits = &w->hits;
    check_filter(L, q, self);
    bsl_check_status(L, bs_world_cast_all(w->core, way, &q->filter, &w->hits));
    bsl_check_room(L, bs_array_reserve(bs_world_heap(w->core), &list->at, &list->cap, hits->n,
                                       sizeof *list->at));
    for (list->n = 0; list->n < hits->n; list->n++) {
        list->at[list->n] = hits->at[list->n].box;
    }
    return answer(L, q);
}

/* --- methods: results in insertion order ---------------------------------------------------- */

/* world:queryRect(x, y, w, h, filter?, out?) -> out, n: the boxes that overlap it; w, h >= 0. */
static int query_rect(lua_State *L) {
    query q;
    begin(L, &q, 2 + 2 * DIM);
    bs_rect rect = bsl_check_rect(L, 2, BSL_QUERY);
    bs_shape shape;
    bs_shape_set_box(&shape, &rect);
    return overlapping(L, &q, &shape, BS_NO_BOX);
}

/*
 * world:queryPoint(x, y, filter?, out?) -> out, n: the boxes that hold the point. Near sides are in
 * a box, far sides are not: x <= px < x + w.
 */
static int query_point(lua_State *L) {
    query q;
    double point[DIM];
    begin(L, &q, 2 + DIM);
    bsl_world *w = q.call.w;
    bsl_check_vector(L, 2, point);
    check_filter(L, &q, BS_NO_BOX);
    bsl_check_status(L, bs_world_query_point(w->core, point, &q.filter, &w->list));
    return answer(L, &q);
}

/*
 * world:queryCircle(x, y, r, filter?, out?, distances?) -> out, n: the boxes nearer than r; in 3D
 * it is a ball. `distances` gets their distances from the centre.
 */
static int query_circle(lua_State *L) {
    query q;
    begin(L, &q, 3 + DIM);
    bsl_world *w = q.call.w;
    check_centre(L, &q);
    double radius = bsl_check_number(L, 2 + DIM);
    if (!(radius >= 0)) {
        bsl_bad_arg(L, 2 + DIM, "radius >= 0");
    }
    check_filter(L, &q, BS_NO_BOX);
    bsl_check_status(L, bs_world_query_circle(w->core, q.point, radius, &q.filter, &w->list));
    return answer(L, &q);
}

/*
 * world:queryPolygon(corners, filter?, out?) -> out, n: the boxes that overlap a convex polygon
 * of 3 to 16 corners {x1, y1, ...}, in either winding order; only in 2D.
 */
static int query_polygon(lua_State *L) {
    query q;
    bs_shape shape;
    begin(L, &q, 3);
    bsl_check_polygon(L, 2, &shape);
    return overlapping(L, &q, &shape, BS_NO_BOX);
}

/* world:queryBox(box, filter?, out?) -> out, n: the other boxes that overlap it. */
static int query_box(lua_State *L) {
    query q;
    begin(L, &q, 3);
    bs_shape shape;
    const uint32_t box = bsl_check_box_shape(L, q.call.w, 2, &shape);
    return overlapping(L, &q, &shape, box);
}

/* --- methods: results in an order of their own ---------------------------------------------- */

/* world:querySegment(x1, y1, x2, y2, filter?, out?) -> out, n: all boxes that it hits, by t. */
static int query_segment(lua_State *L) {
    query q;
    begin(L, &q, 2 + 2 * DIM);
    double end[DIM];
    bs_way way = {.shape = NULL};
    bsl_check_segment(L, 2, &way.from, end, way.motion);
    return on_the_way(L, &q, &way, BS_NO_BOX);
}

/* world:querySweep(box, dx, dy, filter?, out?) -> out, n: all boxes on its way, by t. */
static int query_sweep(lua_State *L) {
    query q;
    begin(L, &q, 3 + DIM);
    bs_shape shape;
    const uint32_t box = bsl_check_box_shape(L, q.call.w, 2, &shape);
    bs_way way = {.from = shape.rect, .shape = &shape};
    bsl_check_vector(L, 3, way.motion);
    return on_the_way(L, &q, &way, box);
}

/*
 * world:nearest(x, y, k?, filter?, maxDistance?, out?, distances?) -> out, n: the k (1) nearest
 * boxes, nearest first. At equal distances the one inserted first comes first. Inside a box the
 * distance is 0. A box exactly at maxDistance counts. `distances` gets the distances, in this
 * order.
 */
static int nearest(lua_State *L) {
    enum { K = 2 + DIM, FILTER, DISTANCE, OUT };
    query q;
    begin_at(L, &q, K - 1, FILTER, OUT);
    check_centre(L, &q);
    int64_t k = 1;
    if (!bsl_is_absent(L, K) && (!bsl_to_integer(L, K, &k) || k < 0)) {
        bsl_bad_arg(L, K, "integer >= 0");
    }
    q.k = (uint64_t)k < SIZE_MAX ? (size_t)k : SIZE_MAX;
    check_filter(L, &q, BS_NO_BOX);
    q.max_distance = HUGE_VAL;
    if (!bsl_is_absent(L, DISTANCE)) { /* It may be infinite. */
        q.max_distance = lua_tonumber(L, DISTANCE);
        if (lua_type(L, DISTANCE) != LUA_TNUMBER || !(q.max_distance >= 0)) {
            bsl_bad_arg(L, DISTANCE, "number >= 0");
        }
    }
    find_nearest(L, &q, q.k);
    return answer(L, &q);
}

/* --- methods: the first box on a way -------------------------------------------------------- */

static void cast(lua_State *L, void *context) {
    query *q = context;
    bsl_check_status(L, bs_world_cast(q->call.w->core, &q->way, &q->filter, &q->hit));
}

/*
 * Reads the filter, finds the first box, and pushes what the world returns for it. If there is
 * none, pushes nil and returns false. `self` is the box that is swept, or BS_NO_BOX.
 */
static inline bool find_first(lua_State *L, query *q, uint32_t self) {
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
    if (find_first(L, q, self)) {
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
    query q;
    q.way.shape = NULL;
    bsl_begin(&q.call, bsl_self_world(L), 2 + 2 * DIM);
    double end[DIM];
    int pushed = 1;
    bsl_check_segment(L, 2, &q.way.from, end, q.way.motion);
    if (find_first(L, &q, BS_NO_BOX)) {
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

const luaL_Reg bsl_query_methods[] = {
    {"queryRect", query_rect},     {"queryPoint", query_point},
    {"queryCircle", query_circle}, {"queryPolygon", query_polygon},
    {"queryBox", query_box},       {"querySegment", query_segment},
    {"querySweep", query_sweep},   {"nearest", nearest},
    {"segmentCast", segment_cast}, {"sweep", sweep},
    {"sweepRect", sweep_rect},     {NULL, NULL},
};
