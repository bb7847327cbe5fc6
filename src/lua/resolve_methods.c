/* resolve_methods.c: a World's method that pushes a box out of everything that it overlaps. */
#include "filters.h"
#include "memory.h"
#include "module.h"

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

const luaL_Reg bsl_resolve_methods[] = {{"resolve", resolve}, {NULL, NULL}};
