/* lua_world_boxes.c: World's methods about single boxes. */
#include "contents.h"
#include "memory.h"
#include "module.h"

enum { RECT_ARGS = 2 * DIM };

/*
 * world:insert(x, y, w, h, opts?) -> Box, or the id where results = "id"; opts: static, layer,
 * mask, data, vx, vy, ax, ay. O(log n)
 */
static int insert(lua_State *L) {
    bsl_world *w = bsl_self_free_world(L);
    bs_rect rect = bsl_check_rect(L, 2, BSL_BOX);
    bs_props props;
    bsl_check_props(L, 2 + RECT_ARGS, &props);
    bsl_check_open(L, w);
    bsl_insert(L, w, &rect, &props, lua_gettop(L));
    bsl_tell(L, w);
    return 1;
}

/* world:remove(box). O(log n) */
static int remove_box(lua_State *L) {
    bsl_world *w = bsl_self_free_world(L);
    uint32_t box = bsl_check_box(L, w, 2);
    bsl_remove(L, w, bsl_push_store(L, 1), box);
    return 0;
}

/* world:clear(): removes all boxes. O(n) */
static int clear(lua_State *L) {
    bsl_world *w = bsl_self_free_world(L);
    bsl_clear(L, w, bsl_push_store(L, 1));
    return 0;
}

/* world:update(box, x, y, w?, h?): moves a box; its sizes stay if they are left out. O(log n) */
static int update(lua_State *L) {
    bsl_world *w = bsl_self_free_world(L);
    uint32_t box = bsl_check_box(L, w, 2);
    bs_rect rect = *bs_world_rect(w->core, box);
    bsl_check_place(L, 3, &rect);
    bs_world_update(w->core, box, &rect);
    return 0;
}

/* world:has(box) -> bool: false for removed boxes and those of other worlds. O(1) */
static int has(lua_State *L) {
    bsl_world *w = bsl_self_world(L);
    lua_pushboolean(L, bsl_has_box(L, w, 2));
    return 1;
}

/* world:getBox(id) -> Box: always the same one. O(1) */
static int get_box(lua_State *L) {
    bsl_world *w = bsl_self_world(L);
    uint32_t box = bsl_check_box(L, w, 2);
    bsl_push_box(L, w, bsl_push_store(L, 1), bs_world_id(w->core, box));
    return 1;
}

const luaL_Reg bsl_world_box_methods[] = {
    {"insert", insert}, {"remove", remove_box}, {"clear", clear}, {"update", update},
    {"has", has},       {"getBox", get_box},    {NULL, NULL},
};
