/*
 * query_methods.c: a World's methods that return lists of boxes.
 *
 * Each of them reads its arguments into a `query`. `run` then runs it into the world's scratch
 * list, and `answer` returns the list.
 */
#include "filters.h"
#include "memory.h"
#include "module.h"

typedef enum kind { SHAPE, CIRCLE, SWEEP, NEAREST } kind;

typedef struct query {
    bsl_call call;
    kind kind;
    bs_shape shape;    /* SHAPE; SWEEP: the shape that moves */
    bs_way way;        /* SWEEP */
    double point[DIM]; /* CIRCLE; NEAREST */
    double radius;     /* CIRCLE; NEAREST: the largest distance that counts */
    size_t k;          /* NEAREST: how many boxes */
    bs_filter filter;
    int distances; /* the last argument, a table for distances from the point; 0 if there is none */
    size_t n;      /* how many boxes it has found */
} query;

/* --- asking the core ------------------------------------------------------------------------ */

static bs_status run_sweep(bsl_world *w, const query *q) {
    bs_list *list = &w->list;
    bs_hits *hits = &w->hits;
    if (bs_world_cast_all(w->core, &q->way, &q->filter, hits) != BS_OK ||
        !bs_array_reserve(bs_world_heap(w->core), &list->at, &list->cap, hits->n,
                          sizeof *list->at)) {
        return BS_NO_MEMORY;
    }
    list->n = hits->n;
    for (size_t i = 0; i < list->n; i++) {
        list->at[i] = hits->at[i].box;
    }
    return BS_OK;
}

static bs_status run_kind(bsl_world *w, const query *q) {
    switch (q->kind) {
    case SHAPE:
        return bs_world_query(w->core, &q->shape, &q->filter, &w->list);
    case CIRCLE:
        return bs_world_query_circle(w->core, q->point, q->radius, &q->filter, &w->list);
    case SWEEP:
        return run_sweep(w, q);
    case NEAREST:
        break;
    }
    return bs_world_nearest(w->core, q->point, q->k, &q->filter, q->radius, &w->list);
}

/* Runs the query into the world's scratch list. */
static void run(lua_State *L, const query *q) {
    bsl_check_status(L, run_kind(q->call.w, q));
}

/* --- answering ------------------------------------------------------------------------------ */

static void write(lua_State *L, query *q, const bs_list *list) {
    const bsl_call *c = &q->call;
    q->n = list->n;
    bsl_write_boxes(L, c->w, c->store, c->out, list->at, list->n);
    if (q->distances != 0) {
        bsl_write_distances(L, c->w, q->distances, q->point, list);
    }
}

/*
 * Asks about the boxes of the world's list from number `from` on, until k are accepted. The
 * accepted ones come first in the call's own list, which has some already. Returns their number.
 */
static size_t ask_from(lua_State *L, bsl_call *c, size_t accepted, size_t from, size_t k) {
    bs_list *own = &c->list;
    bsl_own_list(L, c, &c->w->list, from);
    for (size_t i = from; i < own->n && accepted < k; i++) {
        if (bsl_ask(L, c, own->at[i], 0)) {
            own->at[accepted++] = own->at[i];
        }
    }
    return accepted;
}

/*
 * The core does not know how many of the nearest boxes the function will refuse. So it is asked for
 * more until there are enough.
 */
static void ask(lua_State *L, void *context) {
    query *q = context;
    bsl_call *c = &q->call;
    size_t wanted = q->kind == NEAREST ? q->k : SIZE_MAX;
    size_t accepted = 0;
    size_t asked = 0;
    run(L, q);
    while (accepted < wanted && asked < c->w->list.n) {
        accepted = ask_from(L, c, accepted, asked, wanted);
        asked = c->list.n;
        if (q->kind != NEAREST) {
            break;
        }
        q->k = q->k < SIZE_MAX / 4 ? q->k * 2 + 8 : q->k;
        run(L, q);
    }
    c->list.n = accepted;
    write(L, q, &c->list);
}

static void check_distances(lua_State *L, const query *q) {
    bsl_check_table(L, q->distances);
    if (lua_rawequal(L, q->distances, q->call.out)) {
        bsl_bad(L, bsl_place_arg(q->distances), "another table than out expected");
    }
}

/* Runs the query. Its arguments have been read up to the table for results. */
static int answer(lua_State *L, query *q) {
    bsl_call *c = &q->call;
    bsl_check_table(L, c->out);
    if (q->distances != 0) {
        check_distances(L, q);
    }
    bsl_ready(L, c);
    if (c->asks) {
        bsl_run_asking(L, c, ask, q);
    } else {
        run(L, q);
        write(L, q, &c->w->list);
    }
    bsl_return_list(L, c->out, q->n);
    bsl_tell(L, c->w);
    return 2;
}

/*
 * Begins a query with a filter and a table for results. `required` counts the arguments that must
 * be given, self included.
 */
static void begin_with(lua_State *L, query *q, kind wanted, int required, int filter, int out) {
    bsl_begin(L, &q->call, bsl_self_world(L), required, filter, out);
    if (q->call.made) {
        bsl_explain_list(L, out);
    }
    q->kind = wanted;
    q->distances = 0;
}

/*
 * As begin_with, for a query that can measure distances: a table for them may be given behind the
 * one for results. If so, and the one for results is absent, it is made first.
 */
static void begin_measured(lua_State *L, query *q, kind wanted, int required, int filter, int out) {
    bool measures = !bsl_is_absent(L, out + 1);
    if (measures && bsl_is_absent(L, out)) {
        lua_newtable(L);
        bsl_explain_list(L, lua_gettop(L));
        lua_replace(L, out);
    }
    begin_with(L, q, wanted, required, filter, out);
    if (measures) {
        q->distances = q->call.last = out + 1;
    }
}

/*
 * Begins a query whose filter follows the required arguments, and is followed by the table for
 * results.
 */
static void begin(lua_State *L, query *q, kind wanted, int filter) {
    begin_with(L, q, wanted, filter - 1, filter, filter + 1);
}

/* Reads the filter. `self` is a box that does not count, or BS_NO_BOX. */
static void check_filter(lua_State *L, query *q, uint32_t self) {
    q->filter = bsl_check_filter(L, q->call.w, q->call.filter);
    q->filter.self = self;
}

/* Reads the filter, which is the last argument before the table for results, and runs the query. */
static int filter_and_answer(lua_State *L, query *q, uint32_t self) {
    check_filter(L, q, self);
    return answer(L, q);
}

/* --- methods: results in insertion order ---------------------------------------------------- */

/*
 * world:queryRect(x, y, w, h, filter?, out?) -> out, n: the boxes that overlap it. Sizes may be 0.
 */
static int query_rect(lua_State *L) {
    query q;
    begin(L, &q, SHAPE, 2 + 2 * DIM);
    bs_rect rect = bsl_check_rect(L, 2, BSL_QUERY);
    bs_shape_set_box(&q.shape, &rect);
    return filter_and_answer(L, &q, BS_NO_BOX);
}

/* world:queryPoint(x, y, filter?, out?) -> out, n: the boxes whose interior has the point. */
static int query_point(lua_State *L) {
    query q;
    begin(L, &q, SHAPE, 2 + DIM);
    bs_rect point = {{0}, {0}};
    bsl_check_vector(L, 2, point.pos);
    bs_shape_set_box(&q.shape, &point);
    return filter_and_answer(L, &q, BS_NO_BOX);
}

/*
 * world:queryCircle(x, y, r, filter?, out?, distances?) -> out, n: the boxes nearer than r; in 3D
 * it is a ball. `distances` gets their distances from the centre.
 */
static int query_circle(lua_State *L) {
    enum { FILTER = 3 + DIM };
    query q;
    begin_measured(L, &q, CIRCLE, FILTER - 1, FILTER, FILTER + 1);
    bsl_check_vector(L, 2, q.point);
    q.radius = bsl_check_number(L, 2 + DIM);
    if (!(q.radius >= 0)) {
        bsl_bad_arg(L, 2 + DIM, "radius >= 0");
    }
    return filter_and_answer(L, &q, BS_NO_BOX);
}

/* world:queryBox(box, filter?, out?) -> out, n: the other boxes that overlap it. */
static int query_box(lua_State *L) {
    query q;
    begin(L, &q, SHAPE, 3);
    uint32_t box = bsl_check_box(L, q.call.w, 2);
    bs_world_shape(q.call.w->core, box, &q.shape);
    return filter_and_answer(L, &q, box);
}

/* --- methods: results in an order of their own ---------------------------------------------- */

/* world:querySegment(x1, y1, x2, y2, filter?, out?) -> out, n: all boxes that it hits, by t. */
static int query_segment(lua_State *L) {
    query q;
    begin(L, &q, SWEEP, 2 + 2 * DIM);
    double end[DIM];
    q.way = (bs_way){.shape = NULL};
    bsl_check_vector(L, 2, q.way.from.pos);
    bsl_check_motion(L, 2 + DIM, q.way.from.pos, end, q.way.motion);
    return filter_and_answer(L, &q, BS_NO_BOX);
}

/*
 * world:querySweep(box, dx, dy, filter?, out?) -> out, n: all boxes that it hits on its way, by t.
 */
static int query_sweep(lua_State *L) {
    query q;
    begin(L, &q, SWEEP, 3 + DIM);
    uint32_t box = bsl_check_box(L, q.call.w, 2);
    bs_world_shape(q.call.w->core, box, &q.shape);
    q.way.from = q.shape.rect;
    q.way.shape = &q.shape;
    bsl_check_vector(L, 3, q.way.motion);
    return filter_and_answer(L, &q, box);
}

/* Reads how many boxes are wanted, which is 1 if it is left out. */
static size_t check_k(lua_State *L, int arg) {
    int64_t k;
    if (bsl_is_absent(L, arg)) {
        return 1;
    }
    if (!bsl_to_integer(L, arg, &k) || k < 0) {
        bsl_bad_arg(L, arg, "integer >= 0");
    }
    return (uint64_t)k < SIZE_MAX ? (size_t)k : SIZE_MAX;
}

/* Reads the largest distance. It may be infinite, which is the default. */
static double check_distance(lua_State *L, int arg) {
    double distance = HUGE_VAL;
    if (!bsl_is_absent(L, arg)) {
        distance = lua_tonumber(L, arg);
        if (lua_type(L, arg) != LUA_TNUMBER || !(distance >= 0)) {
            bsl_bad_arg(L, arg, "number >= 0");
        }
    }
    return distance;
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
    begin_measured(L, &q, NEAREST, K - 1, FILTER, OUT);
    bsl_check_vector(L, 2, q.point);
    q.k = check_k(L, K);
    check_filter(L, &q, BS_NO_BOX);
    q.radius = check_distance(L, DISTANCE);
    return answer(L, &q);
}

const luaL_Reg bsl_query_methods[] = {
    {"queryRect", query_rect},
    {"queryPoint", query_point},
    {"queryCircle", query_circle},
    {"queryBox", query_box},
    {"querySegment", query_segment},
    {"querySweep", query_sweep},
    {"nearest", nearest},
    {NULL, NULL},
};
