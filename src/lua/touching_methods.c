/*
 * touching_methods.c: a World's methods that find what a box rests on and where it would fit, and
 * push it out of what it overlaps.
 */
#include "filters.h"
#include "memory.h"
#include "module.h"

typedef struct asking {
    bsl_call call;
    bs_rules rules;
    uint32_t self;
    uint32_t found; /* or BS_NO_BOX */
    bool as_id;     /* return its id, whatever the world's results are */
} asking;

static void ask_until_solid(lua_State *L, void *context) {
    asking *a = context;
    (void)L;
    const bs_list *list = &a->call.list;
    for (size_t i = 0; i < list->n && a->found == BS_NO_BOX; i++) {
        if (bs_is_solid_response(a->rules.ask(&a->call, a->self, list->at[i]))) {
            a->found = list->at[i];
        }
    }
}

/* Pushes the first solid box of the world's list. If there is none: pushes nil, returns false. */
static bool push_solid(lua_State *L, asking *a) {
    bsl_call *c = &a->call;
    const bs_list *list = &c->w->list;
    a->found = BS_NO_BOX;
    bsl_args_done(L, c, c->filter);
    if (bsl_asks(L, c)) {
        bsl_run_asking(L, c, ask_until_solid, a);
    } else if (list->n > 0) {
        a->found = list->at[0];
    }
    if (a->found == BS_NO_BOX) {
        lua_pushnil(L);
    } else if (a->as_id) {
        bsl_push_id(L, bs_world_id(c->w->core, a->found));
    } else {
        bsl_push_result(L, c->w, c->store, a->found);
    }
    bsl_tell(L, c->w);
    return a->found != BS_NO_BOX;
}

/* The axis along which the vector at `arg` points; *up: whether in its positive direction. */
static int check_side(lua_State *L, int arg, bool *up) {
    int axis = DIM;
    for (int k = 0; k < DIM; k++) {
        double d = bsl_check_number(L, arg + k);
        if (d != 0 && axis < DIM) {
            bsl_bad(L, bsl_where_arg(arg + k), "0 expected, as the side is named before, got %.14g",
                    d);
        }
        if (d != 0) {
            axis = k;
            *up = d > 0;
        }
    }
    if (axis == DIM) {
        bsl_bad(L, bsl_where_arg(arg + DIM - 1), "number other than 0 expected, got 0");
    }
    return axis;
}

/*
 * world:touching(box, dx, dy, filter?, asId?) -> other or nil: the box that it rests flush against
 * on the side towards dx, dy, one of which is not 0. Of several, the one inserted first. `asId`
 * makes it return the id, whatever the world's results are. O(log n + k)
 */
static int touching(lua_State *L) {
    enum { BOX = 2, SIDE, FILTER = SIDE + DIM, AS_ID };
    asking a;
    bool up = false;
    bsl_begin(&a.call, bsl_self_world(L), FILTER);
    bsl_world *w = a.call.w;
    a.self = bsl_check_box(L, w, BOX);
    int axis = check_side(L, SIDE, &up);
    a.rules = bsl_check_rules(L, &a.call, false);
    a.as_id = !bsl_is_absent(L, AS_ID) && bsl_check_boolean(L, AS_ID);
    bsl_check_status(L, bs_world_touching(w->core, a.self, axis, up, &a.rules, &w->list));
    (void)push_solid(L, &a);
    return 1;
}

/*
 * world:canFit(box, x, y, w?, h?, filter?) -> bool, other: whether that place is free, and
 * otherwise the box that is in the way. Of several, the one inserted first. O(log n + k)
 */
static int can_fit(lua_State *L) {
    enum { BOX = 2, POSITION, SIZE = POSITION + DIM, FILTER = SIZE + DIM };
    asking a;
    bsl_begin(&a.call, bsl_self_world(L), FILTER);
    bsl_world *w = a.call.w;
    a.self = bsl_check_box(L, w, BOX);
    bs_rect rect = *bs_world_rect(w->core, a.self);
    bsl_check_position_of(L, w, a.self, POSITION, &rect);
    a.rules = bsl_check_rules(L, &a.call, false);
    a.as_id = false;
    bsl_check_status(L, bs_world_blocking(w->core, a.self, &rect, &a.rules, &w->list));
    lua_pushboolean(L, !push_solid(L, &a));
    lua_insert(L, -2);
    return 2;
}

/* --- resolve -------------------------------------------------------------------------------- */

/* The filter function is asked about each box once: ANSWERS has its answers by box index + 1. */
typedef struct resolving {
    bsl_call call;
    uint32_t box;
    bs_filter filter;
    double push[DIM];
    uint32_t pushes;
} resolving;

enum { BOX = 2, FILTER, STORE, ANSWERS }; /* stack indices */

static bool accepts(void *host, bs_id mover, uint32_t box) {
    resolving *r = host;
    lua_State *L = r->call.L;
    int top = lua_gettop(L);
    if (bsl_rawgeti(L, ANSWERS, (int)box + 1) == LUA_TNIL) {
        lua_pushboolean(L, bsl_ask(&r->call, mover, box));
        lua_pushvalue(L, -1);
        lua_rawseti(L, ANSWERS, (int)box + 1);
    }
    bool accepted = lua_toboolean(L, -1) != 0;
    lua_settop(L, top);
    return accepted;
}

static void run(lua_State *L, void *context) {
    resolving *r = context;
    bsl_check_status(L, bs_world_resolve(r->call.w->core, r->box, &r->filter, r->push, &r->pushes));
}

/*
 * world:resolve(box, filter?) -> dx, dy, n: pushes the box out of those that it overlaps, by n
 * pushes, at most one out of each box. It takes one push out of all of them if that is no longer
 * than several, the least overlap first. Costs one query for each push
 */
static int resolve(lua_State *L) {
    resolving r;
    bsl_begin(&r.call, bsl_self_free_world(L), FILTER);
    bsl_world *w = r.call.w;
    r.box = bsl_check_box(L, w, BOX);
    r.filter = bsl_check_filter(L, &r.call);
    bsl_args_done(L, &r.call, FILTER);
    if (bsl_asks(L, &r.call)) {
        lua_rawgeti(L, STORE, BSL_SCRATCH);
        bsl_erase(L, ANSWERS, 0, bs_world_indices(w->core));
        r.filter.accepts = accepts;
        r.filter.host = &r;
    }
    bsl_run(L, &r.call, run, &r);
    bsl_push_numbers(L, r.push, DIM);
    lua_pushinteger(L, (lua_Integer)r.pushes);
    bsl_tell(L, w);
    return DIM + 1;
}

const luaL_Reg bsl_touching_methods[] = {
    {"touching", touching}, {"canFit", can_fit}, {"resolve", resolve}, {NULL, NULL}};
