/* lua_world_casts.c: World's methods that ask for the first box on a way. */
#include "filters.h"
#include "memory.h"
#include "module.h"

typedef struct cast {
    bs_rect from;
    double motion[DIM];
    bs_filter filter;
    bs_hit hit;         /* the answer: BS_NO_BOX if there is none */
    bsl_cursor *cursor; /* with a filter function */
} cast;

/* --- with a filter function ----------------------------------------------------------------- */

/* All boxes met, in order, but for the first one. */
static bool accept_another(lua_State *L, bsl_world *w, cast *c) {
    bsl_check_status(L, bs_world_cast_all(w->core, &c->from, c->motion, &c->filter, &w->hits));
    bsl_fill_cursor_with_hits(L, c->cursor, &w->hits);
    for (size_t i = 1; i < c->cursor->n; i++) {
        bs_id id = c->cursor->ids[i];
        if (bsl_ask(L, w, id)) {
            c->hit.box = bsl_index_of(id);
            return true;
        }
    }
    return false;
}

/* Most often the first box will do, and finding that one alone is cheap. */
static void find_accepted(lua_State *L, bsl_world *w, void *context) {
    cast *c = context;
    bsl_check_status(L, bs_world_cast(w->core, &c->from, c->motion, &c->filter, &c->hit));
    if (c->hit.box == BS_NO_BOX || bsl_ask(L, w, bs_world_id(w->core, c->hit.box))) {
        return;
    }
    if (!accept_another(L, w, c)) {
        c->hit.box = BS_NO_BOX;
        return;
    }
    /* the core found it by the same rule */
    bs_sweep(&c->from, c->motion, bs_world_rect(w->core, c->hit.box), NULL, &c->hit.touch);
}

/* --- casting -------------------------------------------------------------------------------- */

/*
 * Reads the filter at `arg` and finds the first box; the store is at the top of the stack then.
 * `self` is the box at argument 2, or BS_NO_BOX.
 */
static bool find(lua_State *L, bsl_world *w, cast *c, int arg, uint32_t self) {
    bsl_filter filter = bsl_check_filter(L, w, arg);
    c->filter = filter.core;
    c->filter.self = self;
    int store = bsl_push_store(L, 1);
    if (filter.function == 0) {
        bsl_check_status(L, bs_world_cast(w->core, &c->from, c->motion, &c->filter, &c->hit));
        return c->hit.box != BS_NO_BOX;
    }
    c->hit.box = BS_NO_BOX;
    c->cursor = bsl_new_cursor(L, w, store);
    if (self != BS_NO_BOX) { /* again: a finaliser may have moved or removed it */
        c->filter.self = bsl_check_box(L, w, 2);
        c->from = *bs_world_rect(w->core, c->filter.self);
    }
    bsl_run_filter(L, w, store, &filter, find_accepted, c);
    bsl_free_cursor(L, w, store, store + 1);
    lua_settop(L, store);
    return c->hit.box != BS_NO_BOX;
}

static int return_nothing(lua_State *L, bsl_world *w) {
    lua_pushnil(L);
    bsl_tell(L, w); /* a back end may have made itself a structure for casts */
    return 1;
}

/* other, t, nx, ny */
static int return_hit(lua_State *L, bsl_world *w, const cast *c) {
    int store = lua_gettop(L);
    bsl_push_result(L, w, store, bs_world_id(w->core, c->hit.box));
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
    cast c; /* the rest is set as it is needed: to zero it all would take 4 ns */
    c.from = (bs_rect){{0}, {0}};
    double end[DIM];
    double point[DIM];
    bsl_check_vector(L, 2, c.from.pos);
    bsl_check_vector(L, 2 + DIM, end);
    bsl_check_motion(L, 2 + DIM, c.from.pos, end, c.motion);
    if (!find(L, w, &c, 2 + 2 * DIM, BS_NO_BOX)) {
        return return_nothing(L, w);
    }
    int store = lua_gettop(L);
    bs_segment_point(c.from.pos, end, c.hit.touch.t, point);
    bsl_push_result(L, w, store, bs_world_id(w->core, c.hit.box));
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
    cast c;
    c.from = *bs_world_rect(w->core, box);
    bsl_check_vector(L, 3, c.motion);
    return find(L, w, &c, 3 + DIM, box) ? return_hit(L, w, &c) : return_nothing(L, w);
}

/* world:sweepRect(x, y, w, h, dx, dy, filter?) -> other, t, nx, ny, or nil. Sizes may be 0. */
static int sweep_rect(lua_State *L) {
    bsl_world *w = bsl_self_world(L);
    cast c;
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
