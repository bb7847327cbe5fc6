/*
 * lua_world_queries.c: World's methods that ask for lists of boxes.
 *
 * Each reads its arguments into a `query`, which `run` runs into the world's scratch list and
 * `answer` hands out.
 */
#include "filters.h"
#include "memory.h"
#include "module.h"
#include "results.h"

typedef enum kind { RECT, CIRCLE, SWEEP, NEAREST } kind;

typedef struct query {
    kind kind;
    bs_rect rect;       /* RECT; SWEEP: where it starts; its corner is the point of the others */
    double motion[DIM]; /* SWEEP */
    double radius;      /* CIRCLE; NEAREST: the largest distance */
    size_t k;           /* NEAREST: how many */
    bool about_box;     /* the rect is that of the box at argument 2, which does not count */
    int filter_arg;     /* the filter's stack index */
    bs_filter filter;
} query;

/* --- asking the core ------------------------------------------------------------------------ */

static bs_status run_sweep(bsl_world *w, const query *q) {
    if (bs_world_cast_all(w->core, &q->rect, q->motion, &q->filter, &w->hits) != BS_OK) {
        return BS_NO_MEMORY;
    }
    w->list.n = 0;
    if (!bs_list_reserve(bs_world_heap(w->core), &w->list, w->hits.n)) {
        return BS_NO_MEMORY;
    }
    for (size_t i = 0; i < w->hits.n; i++) {
        w->list.at[i] = w->hits.at[i].box;
    }
    w->list.n = w->hits.n;
    return BS_OK;
}

static bs_status run_kind(bsl_world *w, const query *q) {
    switch (q->kind) {
    case RECT:
        return bs_world_query(w->core, &q->rect, &q->filter, &w->list);
    case CIRCLE:
        return bs_world_query_circle(w->core, q->rect.pos, q->radius, &q->filter, &w->list);
    case SWEEP:
        return run_sweep(w, q);
    case NEAREST:
        break;
    }
    return bs_world_nearest(w->core, q->rect.pos, q->k, &q->filter, q->radius, &w->list);
}

/* Into w->list. */
static void run(lua_State *L, bsl_world *w, const query *q) {
    bsl_check_status(L, run_kind(w, q));
}

/* --- with a filter function ----------------------------------------------------------------- */

typedef struct filtered {
    query query;
    bsl_cursor *cursor; /* first the accepted ids, then those to be asked about */
    size_t accepted;
} filtered;

/* Asks about all ids of the cursor from `from` on, until k are accepted. */
static void ask_from(lua_State *L, bsl_world *w, filtered *f, size_t from, size_t k) {
    bsl_cursor *cursor = f->cursor;
    for (size_t i = from; i < cursor->n && f->accepted < k; i++) {
        bs_id id = cursor->ids[i];
        if (bsl_ask(L, w, id, 0)) {
            cursor->ids[f->accepted++] = id;
        }
    }
}

static void ask_all(lua_State *L, bsl_world *w, void *context) {
    filtered *f = context;
    run(L, w, &f->query);
    bsl_fill_cursor(L, f->cursor, &w->list, 0);
    ask_from(L, w, f, 0, SIZE_MAX);
}

/* The core does not know how many will be refused: it is asked for more until there are enough. */
static void ask_nearest(lua_State *L, bsl_world *w, void *context) {
    filtered *f = context;
    size_t wanted = f->query.k;
    for (size_t asked = 0; f->accepted < wanted; asked = f->cursor->n) {
        run(L, w, &f->query);
        if (w->list.n <= asked) {
            return; /* there are no more */
        }
        bsl_fill_cursor(L, f->cursor, &w->list, asked);
        ask_from(L, w, f, asked, wanted);
        f->query.k = f->query.k < SIZE_MAX / 4 ? f->query.k * 2 + 8 : f->query.k;
    }
}

/* The accepted ones, into w->list. They are all still there: the world was locked. */
static void list_accepted(lua_State *L, bsl_world *w, const filtered *f) {
    w->list.n = 0;
    bsl_check_room(L, bs_list_reserve(bs_world_heap(w->core), &w->list, f->accepted));
    for (size_t i = 0; i < f->accepted; i++) {
        w->list.at[i] = bsl_index_of(f->cursor->ids[i]);
    }
    w->list.n = f->accepted;
}

static void run_filtered(lua_State *L, bsl_world *w, int store, const query *q,
                         const bsl_filter *filter, bsl_cursor *cursor) {
    filtered f = {.query = *q, .cursor = cursor};
    bsl_run_filter(L, w, store, filter, q->kind == NEAREST ? ask_nearest : ask_all, &f);
    list_accepted(L, w, &f);
    bsl_free_cursor(L, w, store, lua_gettop(L));
    lua_pop(L, 1);
}

/* --- answering ------------------------------------------------------------------------------ */

/* Reads what Lua code can change: where a box is, and whether those that are named are there. */
static bsl_filter check_boxes(lua_State *L, const bsl_world *w, query *q) {
    uint32_t self = BS_NO_BOX;
    if (q->about_box) {
        self = bsl_check_box(L, w, 2);
        q->rect = *bs_world_rect(w->core, self);
    }
    bsl_filter filter = bsl_check_filter(L, w, q->filter_arg);
    q->filter = filter.core;
    q->filter.self = self;
    return filter;
}

/* Runs the query; the table for results is at `out_arg`, if any. */
static int answer(lua_State *L, bsl_world *w, query *q, int out_arg) {
    bsl_filter filter = check_boxes(L, w, q);
    int out = bsl_check_out(L, out_arg);
    bool given = out != 0;
    int store = bsl_push_store(L, 1);
    if (filter.function != 0) {
        out = given ? out : bsl_new_out(L, 0);
        bsl_cursor *cursor = bsl_new_cursor(L, w, store, 0);
        filter = check_boxes(L, w, q); /* again: a finaliser may have run */
        run_filtered(L, w, store, q, &filter, cursor);
    } else {
        run(L, w, q);
    }
    if (out == 0) {
        uint64_t calls = w->calls;
        out = bsl_new_out(L, w->list.n);
        if (calls != w->calls) { /* a finaliser has used the world: the list is not ours any more */
            bsl_check_open(L, w);
            check_boxes(L, w, q);
            run(L, w, q);
        }
    }
    size_t n = w->list.n;
    bsl_write_results(L, w, store, out, given);
    bsl_return_list(L, out, n);
    bsl_tell(L, w);
    return 2;
}

static query new_query(kind wanted, int filter_arg) {
    return (query){.kind = wanted, .filter_arg = filter_arg};
}

/* A rect without size. */
static bs_rect check_point(lua_State *L, int first) {
    bs_rect rect = {{0}, {0}};
    bsl_check_vector(L, first, rect.pos);
    return rect;
}

/* --- methods: results in insertion order ---------------------------------------------------- */

/*
 * world:queryRect(x, y, w, h, filter?, out?) -> out, n: the boxes that overlap it. Sizes may be 0.
 */
static int query_rect(lua_State *L) {
    bsl_world *w = bsl_self_world(L);
    query q = new_query(RECT, 2 + 2 * DIM);
    q.rect = bsl_check_rect(L, 2, BSL_QUERY);
    return answer(L, w, &q, q.filter_arg + 1);
}

/* world:queryPoint(x, y, filter?, out?) -> out, n: the boxes that it is strictly inside of. */
static int query_point(lua_State *L) {
    bsl_world *w = bsl_self_world(L);
    query q = new_query(RECT, 2 + DIM);
    q.rect = check_point(L, 2);
    return answer(L, w, &q, q.filter_arg + 1);
}

/* world:queryCircle(x, y, r, filter?, out?) -> out, n: the boxes nearer than r; a ball in 3D. */
static int query_circle(lua_State *L) {
    bsl_world *w = bsl_self_world(L);
    query q = new_query(CIRCLE, 3 + DIM);
    q.rect = check_point(L, 2);
    q.radius = bsl_check_length(L, 2 + DIM, "radius >= 0");
    return answer(L, w, &q, q.filter_arg + 1);
}

/* world:queryBox(box, filter?, out?) -> out, n: the other boxes that overlap it. */
static int query_box(lua_State *L) {
    bsl_world *w = bsl_self_world(L);
    query q = new_query(RECT, 3);
    q.about_box = true;
    return answer(L, w, &q, q.filter_arg + 1);
}

/* --- methods: results in an order of their own ---------------------------------------------- */

/* world:querySegment(x1, y1, x2, y2, filter?, out?) -> out, n: all boxes hit, by t. */
static int query_segment(lua_State *L) {
    bsl_world *w = bsl_self_world(L);
    query q = new_query(SWEEP, 2 + 2 * DIM);
    double end[DIM];
    q.rect = check_point(L, 2);
    bsl_check_vector(L, 2 + DIM, end);
    bsl_check_motion(L, 2 + DIM, q.rect.pos, end, q.motion);
    return answer(L, w, &q, q.filter_arg + 1);
}

/* world:querySweep(box, dx, dy, filter?, out?) -> out, n: all that it meets on its way, by t. */
static int query_sweep(lua_State *L) {
    bsl_world *w = bsl_self_world(L);
    query q = new_query(SWEEP, 3 + DIM);
    q.about_box = true;
    (void)bsl_check_box(L, w, 2); /* mistakes are told from left to right */
    bsl_check_vector(L, 3, q.motion);
    return answer(L, w, &q, q.filter_arg + 1);
}

/* How many are wanted: 1 if that is left out. */
static size_t check_k(lua_State *L, int arg) {
    int64_t k;
    if (bsl_is_absent(L, arg)) {
        return 1;
    }
    if (!bsl_to_integer(L, arg, &k) || k < 0) {
        bsl_expected(L, bsl_place_arg(arg), arg, "integer >= 0");
    }
    return (uint64_t)k < SIZE_MAX ? (size_t)k : SIZE_MAX;
}

/* May be infinite, which is what leaving it out means. */
static double check_distance(lua_State *L, int arg) {
    double distance = HUGE_VAL;
    if (!bsl_is_absent(L, arg)) {
        distance = lua_tonumber(L, arg);
        if (lua_type(L, arg) != LUA_TNUMBER || !(distance >= 0)) {
            bsl_expected(L, bsl_place_arg(arg), arg, "number >= 0");
        }
    }
    return distance;
}

/*
 * world:nearest(x, y, k?, filter?, maxDistance?, out?) -> out, n: the k (1) nearest boxes, nearest
 * first, ties by insertion. The distance is 0 inside; maxDistance itself still counts.
 */
static int nearest(lua_State *L) {
    bsl_world *w = bsl_self_world(L);
    query q = new_query(NEAREST, 3 + DIM);
    q.rect = check_point(L, 2);
    q.k = check_k(L, 2 + DIM);
    (void)bsl_check_filter(L, w, q.filter_arg); /* mistakes are told from left to right */
    q.radius = check_distance(L, 4 + DIM);
    return answer(L, w, &q, 5 + DIM);
}

const luaL_Reg bsl_world_query_methods[] = {
    {"queryRect", query_rect},
    {"queryPoint", query_point},
    {"queryCircle", query_circle},
    {"queryBox", query_box},
    {"querySegment", query_segment},
    {"querySweep", query_sweep},
    {"nearest", nearest},
    {NULL, NULL},
};
