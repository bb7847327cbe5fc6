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

bool bsl_ask(lua_State *L, bsl_world *w, bs_id id) {
    lua_pushvalue(L, BSL_ASK_FUNCTION);
    bsl_push_result(L, w, BSL_ASK_STORE, id);
    lua_call(L, 1, 1);
    bool accepted = lua_toboolean(L, -1) != 0;
    lua_pop(L, 1);
    bsl_check_open(L, w); /* the debug library can call a finaliser */
    return accepted;
}
