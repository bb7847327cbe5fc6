#include "filters.h"

bsl_filter bsl_read_filter(lua_State *L, const bsl_world *w, int arg) {
    bsl_filter filter = {bs_filter_all, 0};
    switch (lua_type(L, arg)) {
    case LUA_TNUMBER:
        filter.core.mask = bsl_check_mask(L, arg);
        break;
    case LUA_TFUNCTION:
        filter.function = arg;
        break;
    default:
        if (bsl_to_box(L, arg) == NULL) {
            bsl_expected(L, bsl_place_arg(arg), arg, "mask, Box or function");
        }
        filter.core.ignore = bsl_check_box(L, w, arg);
    }
    return filter;
}

void bsl_run_filter(lua_State *L, bsl_world *w, int store, const bsl_filter *filter, bsl_body body,
                    void *context) {
    lua_pushvalue(L, filter->function);
    lua_pushvalue(L, store);
    w->busy++;
    bool done = bsl_protect(L, w, store, body, context, 2);
    w->busy--;
    if (!done) {
        lua_error(L);
    }
    bsl_check_open(L, w);
}

bool bsl_ask(lua_State *L, bsl_world *w, bs_id id, bs_id mover) {
    lua_pushvalue(L, BSL_ASK_FUNCTION);
    bsl_push_result(L, w, BSL_ASK_STORE, id);
    if (mover != 0) {
        bsl_push_id(L, mover);
    }
    lua_call(L, mover != 0 ? 2 : 1, 1);
    bool accepted = lua_toboolean(L, -1) != 0;
    lua_pop(L, 1);
    bsl_check_open(L, w); /* the debug library can call a finaliser */
    return accepted;
}

/* The first of the boxes met, but for the very first one, that is accepted; or BS_NO_BOX. */
static uint32_t find_another(lua_State *L, bsl_world *w, const bsl_cast *cast, bs_id mover,
                             bsl_cursor *cursor) {
    bsl_check_status(
        L, bs_world_cast_all(w->core, &cast->from, cast->motion, &cast->filter, &w->hits));
    bsl_fill_cursor_with_hits(L, cursor, &w->hits);
    for (size_t i = 1; i < cursor->n; i++) {
        if (bsl_ask(L, w, cursor->ids[i], mover)) {
            return bsl_index_of(cursor->ids[i]);
        }
    }
    return BS_NO_BOX;
}

/* Most often the first box will do, and finding that one alone is cheap. */
void bsl_cast_asking(lua_State *L, bsl_world *w, bsl_cast *cast, bs_id mover, bsl_cursor *cursor) {
    bs_hit *hit = &cast->hit;
    bsl_check_status(L, bs_world_cast(w->core, &cast->from, cast->motion, &cast->filter, hit));
    if (hit->box == BS_NO_BOX || bsl_ask(L, w, bs_world_id(w->core, hit->box), mover)) {
        return;
    }
    hit->box = find_another(L, w, cast, mover, cursor);
    if (hit->box != BS_NO_BOX) { /* the core found it by the same rule */
        bs_sweep(&cast->from, cast->motion, bs_world_rect(w->core, hit->box), NULL, &hit->touch);
    }
}
