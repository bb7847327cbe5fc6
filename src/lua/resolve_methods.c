/* resolve_methods.c: a World's method that pushes a box out of everything that it overlaps. */
#include "filters.h"
#include "memory.h"
#include "module.h"

/*
 * The filter function is asked about each box once. Its answers are in a table of the store, by box
 * index + 1. An answer becomes false when the box has pushed.
 */
typedef struct resolving {
    bsl_call call;
    bs_filter filter; /* its `self` is the box */
    bs_rect rect;     /* where the box is now */
    uint32_t pushes;
} resolving;

enum { BOX = 2, FILTER, STORE, ANSWERS }; /* stack indices */

static void set_answer(lua_State *L, uint32_t box, bool accepted) {
    lua_pushboolean(L, accepted);
    lua_rawseti(L, ANSWERS, (int)box + 1);
}

/* Finds the boxes that overlap its shape there, in the call's own list. */
static bs_list *query(lua_State *L, resolving *r) {
    bs_world *core = r->call.w->core;
    bs_list *list = &r->call.list;
    bs_shape shape;
    bs_world_shape_at(core, r->filter.self, &r->rect, &shape);
    bsl_check_status(L, bs_world_query(core, &shape, &r->filter, list));
    bs_world_drop_sensors(core, r->filter.self, list);
    return list;
}

/* Asks about the boxes in the way for which there is no answer yet. */
static void ask_unknown(lua_State *L, resolving *r) {
    const bs_list *list = query(L, r);
    for (size_t i = 0; i < list->n; i++) {
        if (bsl_rawgeti(L, ANSWERS, (int)list->at[i] + 1) == LUA_TNIL) {
            set_answer(L, list->at[i], bsl_ask(L, &r->call, list->at[i], 0));
        }
        lua_pop(L, 1);
    }
}

/* Finds the boxes in the way that were accepted and have not pushed yet. */
static const bs_list *find_solid(lua_State *L, resolving *r) {
    bs_list *list = query(L, r);
    size_t n = 0;
    for (size_t i = 0; i < list->n; i++) {
        lua_rawgeti(L, ANSWERS, (int)list->at[i] + 1);
        list->at[n] = list->at[i];
        n += lua_toboolean(L, -1) != 0;
        lua_pop(L, 1);
    }
    list->n = n;
    return list;
}

/* As bs_world_resolve, but asks about each box that comes in the way. */
static void push_out(lua_State *L, void *context) {
    resolving *r = context;
    for (;;) {
        ask_unknown(L, r);
        uint32_t left =
            bs_world_push_out(r->call.w->core, r->filter.self, &r->rect, find_solid(L, r));
        if (left == BS_NO_BOX) {
            return;
        }
        set_answer(L, left, false);
        r->pushes++;
    }
}

static void resolve_asking(lua_State *L, resolving *r, double push[DIM]) {
    bs_world *core = r->call.w->core;
    const bs_rect before = r->rect;
    lua_rawgeti(L, STORE, BSL_SCRATCH);
    bsl_erase(L, ANSWERS, 0, bs_world_indices(core));
    bsl_run_asking(L, &r->call, push_out, r);
    for (int k = 0; k < DIM; k++) {
        push[k] = r->rect.pos[k] - before.pos[k];
    }
    bs_world_update(core, r->filter.self, &r->rect);
}

/*
 * world:resolve(box, filter?) -> dx, dy, n: pushes the box out of those that it overlaps, by n
 * pushes, at most one out of each box. It takes one push out of all of them if that is no longer
 * than several, the least overlap first. Costs one query for each push
 */
static int resolve(lua_State *L) {
    resolving r;
    double push[DIM];
    bsl_begin(&r.call, bsl_self_free_world(L), FILTER);
    bsl_world *w = r.call.w;
    uint32_t box = bsl_check_box(L, w, BOX);
    r.filter = bsl_check_filter(L, w, FILTER);
    r.filter.self = box;
    r.rect = *bs_world_rect(w->core, box);
    r.pushes = 0;
    bsl_args_done(L, &r.call, FILTER);
    if (bsl_asks(L, &r.call)) {
        resolve_asking(L, &r, push);
    } else {
        bsl_check_status(L, bs_world_resolve(w->core, box, &r.filter, push, &r.pushes));
    }
    bsl_push_numbers(L, push, DIM);
    lua_pushinteger(L, (lua_Integer)r.pushes);
    bsl_tell(L, w);
    return DIM + 1;
}

const luaL_Reg bsl_resolve_methods[] = {{"resolve", resolve}, {NULL, NULL}};
