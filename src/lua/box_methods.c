/* box_methods.c: the methods of Box. All but isRemoved refuse a box that was removed. */
#include "handles.h"
#include "module.h"

#include <stdio.h>

/* --- position ------------------------------------------------------------------------------- */

/* box:getRect() -> x, y, w, h */
static int get_rect(lua_State *L) {
    bsl_self s = bsl_self_box(L);
    return bsl_push_rect(L, bs_world_rect(s.core, s.box));
}

/* box:setRect(x, y, w?, h?): sizes that are left out stay. O(log n) */
static int set_rect(lua_State *L) {
    bsl_self s = bsl_self_free_box(L);
    bs_rect rect = *bs_world_rect(s.core, s.box);
    bsl_check_position_of(L, s.w, s.box, 2, &rect);
    bs_world_update(s.core, s.box, &rect);
    return 0;
}

/* box:getCenter() -> x, y */
static int get_center(lua_State *L) {
    bsl_self s = bsl_self_box(L);
    const bs_rect *rect = bs_world_rect(s.core, s.box);
    for (int k = 0; k < DIM; k++) {
        lua_pushnumber(L, rect->pos[k] + rect->size[k] / 2);
    }
    return DIM;
}

/* box:setCenter(x, y): moves the box. O(log n) */
static int set_center(lua_State *L) {
    bsl_self s = bsl_self_free_box(L);
    bs_rect rect = *bs_world_rect(s.core, s.box);
    for (int k = 0; k < DIM; k++) {
        rect.pos[k] = bsl_check_number(L, 2 + k) - rect.size[k] / 2;
        bsl_check_far(L, bsl_where_arg(2 + k), &rect, k);
    }
    bs_world_update(s.core, s.box, &rect);
    return 0;
}

/* --- motion --------------------------------------------------------------------------------- */

#define VECTOR_METHODS(name)                                                                       \
    static int get_##name(lua_State *L) {                                                          \
        bsl_self s = bsl_self_box(L);                                                              \
        double v[DIM];                                                                             \
        bs_world_##name(s.core, s.box, v);                                                         \
        return bsl_push_numbers(L, v, DIM);                                                        \
    }                                                                                              \
    static int set_##name(lua_State *L) {                                                          \
        bsl_self s = bsl_self_free_box(L);                                                         \
        double v[DIM];                                                                             \
        bsl_check_vector(L, 2, v);                                                                 \
        bsl_check_status(L, bs_world_set_##name(s.core, s.box, v));                                \
        return 0;                                                                                  \
    }

/* box:getVelocity() -> vx, vy; box:setVelocity(vx, vy) */
VECTOR_METHODS(velocity)
/* box:getAcceleration() -> ax, ay; box:setAcceleration(ax, ay): gravity is added to it. */
VECTOR_METHODS(acceleration)

/* --- data, kind, filter --------------------------------------------------------------------- */

/* box:getData() -> its data, or nil; of a removed box those that it had when it was removed */
static int get_data(lua_State *L) {
    const bsl_box *box = bsl_any_self_box(L);
    bsl_check_open(L, box->world);
    if (bsl_is_live(box->world, box->id)) {
        lua_rawgeti(L, bsl_push_box_store(L, 1), BSL_DATA);
        lua_rawgeti(L, -1, (int)bs_id_index(box->id) + 1);
    } else if (box->left) {
        bsl_get_uservalue(L, 1);
        lua_rawgeti(L, -1, BSL_LEFT_DATA);
    } else {
        lua_pushnil(L);
    }
    return 1;
}

/* box:setData(v): any value; nil removes the data. */
static int set_data(lua_State *L) {
    bsl_self s = bsl_self_free_box(L);
    if (lua_isnone(L, 2)) {
        bsl_bad_arg(L, 2, "value");
    }
    int store = bsl_push_box_store(L, 1);
    lua_pushvalue(L, 2);
    bsl_set_data(L, s.w, store, s.box);
    return 0;
}

/* box:isStatic() -> bool */
static int is_static(lua_State *L) {
    bsl_self s = bsl_self_box(L);
    lua_pushboolean(L, bs_world_is_static(s.core, s.box));
    return 1;
}

/*
 * box:isAwake() -> bool: false if the next step leaves it out. A static box never is awake; a body
 * is, until it is at rest with all that it presses on; a box without a response while it flies.
 * O(1)
 */
static int is_awake(lua_State *L) {
    bsl_self s = bsl_self_box(L);
    lua_pushboolean(L, bs_world_is_awake(s.core, s.box));
    return 1;
}

/* box:setStatic(bool): two static boxes make no pair. O(log n) */
static int set_static(lua_State *L) {
    bsl_self s = bsl_self_free_box(L);
    bs_world_set_static(s.core, s.box, bsl_check_boolean(L, 2));
    return 0;
}

/* box:getFilter() -> layer, mask: as integers >= 0 */
static int get_filter(lua_State *L) {
    bsl_self s = bsl_self_box(L);
    bs_layers layers = bs_world_layers(s.core, s.box);
    bsl_push_id(L, layers.layer); /* here an integer may have only 32 bits, one of them the sign */
    bsl_push_id(L, layers.mask);
    return 2;
}

/* Sets the layer and the mask to those arguments; where one is 0, it stays as it is. */
static int set_layers(lua_State *L, int layer, int mask) {
    bsl_self s = bsl_self_free_box(L);
    bs_layers layers = bs_world_layers(s.core, s.box);
    layers.layer = layer != 0 ? bsl_check_mask(L, layer) : layers.layer;
    layers.mask = mask != 0 ? bsl_check_mask(L, mask) : layers.mask;
    bs_world_set_layers(s.core, s.box, layers);
    return 0;
}

/* box:setFilter(layer, mask): 32-bit integers. O(log n) */
static int set_filter(lua_State *L) {
    return set_layers(L, 2, 3);
}

/* box:setLayer(layer): the mask stays. O(log n) */
static int set_layer(lua_State *L) {
    return set_layers(L, 2, 0);
}

/* box:setMask(mask): the layer stays. O(log n) */
static int set_mask(lua_State *L) {
    return set_layers(L, 0, 2);
}

/* --- object space --------------------------------------------------------------------------- */

/* box:setObjectRect(x, y, w, h): the rect for setTransform; a circle needs w = h. Moves nothing. */
static int set_object_rect(lua_State *L) {
    bsl_self s = bsl_self_free_box(L);
    bs_rect rect = bsl_check_rect(L, 2, BSL_BOX);
    bsl_check_equal(L, s.w, s.box, 2 + DIM, "sizes", rect.size);
    bsl_check_status(L, bs_world_set_object_rect(s.core, s.box, &rect));
    return 0;
}

/*
 * box:setTransform(x, y, angle?, sx?, sy?): scales, turns and moves the object rect, and makes the
 * result the box's rect. A box without an object rect first takes its present rect as that. In 3D:
 * x, y, z, qx?, qy?, qz?, qw?, sx?, sy?, sz?. Raises an error if the result is no box. O(log n)
 */
static int set_transform(lua_State *L) {
    bsl_self s = bsl_self_free_box(L);
    bs_transform tr = bsl_check_transform(L, 2);
    bs_rect rect;
    bsl_check_status(L, bs_world_transform(s.core, s.box, &tr, &rect));
    if (!bs_rect_is_box(&rect)) {
        bsl_check_equal(L, s.w, s.box, 2 + DIM + BSL_ROTATION_ARGS, "scales", tr.scale);
        bsl_check_result(L, &rect, true, "would not give a box");
    }
    return 0;
}

/* box:setRotates(bool): whether setTransform turns the box. At first it does. */
static int set_rotates(lua_State *L) {
    bsl_self s = bsl_self_free_box(L);
    bs_world_set_rotates(s.core, s.box, bsl_check_boolean(L, 2));
    return 0;
}

/* --- the box itself ------------------------------------------------------------------------- */

/* box:getId() -> id: an integer that a double holds exactly */
static int get_id(lua_State *L) {
    bsl_self s = bsl_self_box(L);
    bsl_push_id(L, bs_world_id(s.core, s.box));
    return 1;
}

/* box:getWorld() -> World */
static int get_world(lua_State *L) {
    (void)bsl_self_box(L);
    lua_rawgeti(L, bsl_push_box_store(L, 1), BSL_SELF);
    return 1;
}

/* box:remove(). O(log n) */
static int remove_box(lua_State *L) {
    bsl_self s = bsl_self_free_box(L);
    bsl_remove(L, s.w, bsl_push_box_store(L, 1), s.box);
    return 0;
}

/* box:isRemoved() -> bool: a removed box has this method, and getData */
static int is_removed(lua_State *L) {
    const bsl_box *box = bsl_any_self_box(L);
    bsl_check_open(L, box->world);
    lua_pushboolean(L, !bsl_is_live(box->world, box->id));
    return 1;
}

static int to_string(lua_State *L) {
    const bsl_box *box = bsl_any_self_box(L);
    bool live = box->world->core != NULL && bsl_is_live(box->world, box->id);
    char text[64];
    snprintf(text, sizeof text, live ? "Box (id %llu)" : "Box (id %llu, removed)",
             (unsigned long long)box->id);
    lua_pushstring(L, text);
    return 1;
}

const luaL_Reg bsl_box_methods[] = {
    {"getRect", get_rect},
    {"setRect", set_rect},
    {"getCenter", get_center},
    {"setCenter", set_center},
    {"getVelocity", get_velocity},
    {"setVelocity", set_velocity},
    {"getAcceleration", get_acceleration},
    {"setAcceleration", set_acceleration},
    {"getData", get_data},
    {"setData", set_data},
    {"isAwake", is_awake},
    {"isStatic", is_static},
    {"setStatic", set_static},
    {"getFilter", get_filter},
    {"setFilter", set_filter},
    {"setLayer", set_layer},
    {"setMask", set_mask},
    {"setObjectRect", set_object_rect},
    {"setTransform", set_transform},
    {"setRotates", set_rotates},
    {"getId", get_id},
    {"getWorld", get_world},
    {"remove", remove_box},
    {"isRemoved", is_removed},
    {"__tostring", to_string},
    {NULL, NULL},
};
