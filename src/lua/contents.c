#include "contents.h"

#include "rules.h"

#include <string.h>

/* --- options -------------------------------------------------------------------------------- */

typedef struct insert_options {
    bs_props props;
    bool has_data;
} insert_options;

static const char *read_data(lua_State *L, void *field) {
    (void)L;
    *(bool *)field = true; /* any value will do */
    return NULL;
}

static const bsl_option insert_option_rows[] = {
    {"static", bsl_read_boolean, offsetof(insert_options, props.is_static), NULL},
    {"layer", bsl_read_mask, offsetof(insert_options, props.layers.layer), NULL},
    {"mask", bsl_read_mask, offsetof(insert_options, props.layers.mask), NULL},
    {"data", read_data, offsetof(insert_options, has_data), NULL},
    {"response", bsl_read_response, offsetof(insert_options, props.conduct.response), NULL},
    {"bounce", bsl_read_bounce, offsetof(insert_options, props.conduct.bounce), NULL},
    {"oneWay", bsl_read_one_way, offsetof(insert_options, props.conduct.one_way), NULL},
    {"vx", bsl_read_number, offsetof(insert_options, props.velocity[0]), NULL},
    {"vy", bsl_read_number, offsetof(insert_options, props.velocity[1]), NULL},
    {"ax", bsl_read_number, offsetof(insert_options, props.acceleration[0]), NULL},
    {"ay", bsl_read_number, offsetof(insert_options, props.acceleration[1]), NULL},
#if DIM == 3
    {"vz", bsl_read_number, offsetof(insert_options, props.velocity[2]), NULL},
    {"az", bsl_read_number, offsetof(insert_options, props.acceleration[2]), NULL},
#endif
    {NULL, NULL, 0, NULL},
};

bool bsl_check_props(lua_State *L, int arg, bs_props *props) {
    insert_options options = {bs_props_default(), false};
    bsl_check_options(L, arg, insert_option_rows, &options);
    *props = options.props;
    if (options.has_data) {
        lua_pushliteral(L, "data");
        lua_rawget(L, arg);
    } else {
        lua_pushnil(L);
    }
    return !lua_isnil(L, -1);
}

/* --- one box -------------------------------------------------------------------------------- */

static uint32_t insert_into_core(lua_State *L, bsl_world *w, const bs_rect *rect,
                                 const bs_props *props) {
    uint32_t index;
    bsl_check_status(L, bs_world_insert(w->core, rect, props, &index));
    return index;
}

/* The store is at stack index 2, the Box (or an id, which needs no place) at 3, the data at 4. */
static void publish(lua_State *L, bsl_world *w, void *context) {
    uint32_t index = *(const uint32_t *)context;
    bsl_set_data(L, w, 2, index);
    if (lua_isuserdata(L, 3)) {
        bsl_use_key(w, index);
        lua_rawseti(L, 2, (int)index + 1);
    }
}

/* The Box or id is at the top of the stack. */
static void publish_or_remove(lua_State *L, bsl_world *w, int store, int data, uint32_t index) {
    lua_pushvalue(L, store);
    lua_pushvalue(L, -2);
    lua_pushvalue(L, data);
    if (!bsl_protect(L, w, store, publish, &index, 3)) {
        bsl_remove(L, w, store, index);
        lua_error(L);
    }
}

/* True if setting the key of that index in the store takes no memory. */
static bool has_key(lua_State *L, int store, uint32_t index) {
    bool has = bsl_rawgeti(L, store, (int)index + 1) != LUA_TNIL;
    lua_pop(L, 1);
    return has;
}

static void insert_with_box(lua_State *L, bsl_world *w, const bs_rect *rect, const bs_props *props,
                            int data) {
    int store = bsl_push_store(L, 1);
    bsl_box *box = bsl_new_box(L, w, store, 0);
    bsl_check_open(L, w);
    uint32_t index = insert_into_core(L, w, rect, props);
    box->id = bs_world_id(w->core, index);
    if (lua_isnil(L, data) && has_key(L, store, index)) {
        lua_pushvalue(L, -1);
        lua_rawseti(L, store, (int)index + 1);
    } else {
        publish_or_remove(L, w, store, data, index);
    }
}

static void insert_with_id(lua_State *L, bsl_world *w, const bs_rect *rect, const bs_props *props,
                           int data) {
    int store = lua_isnil(L, data) ? 0 : bsl_push_store(L, 1);
    uint32_t index = insert_into_core(L, w, rect, props);
    bsl_push_id(L, bs_world_id(w->core, index));
    if (store != 0) {
        publish_or_remove(L, w, store, data, index);
    }
}

void bsl_insert(lua_State *L, bsl_world *w, const bs_rect *rect, const bs_props *props, int data) {
    if (w->results == BSL_RESULTS_ID) {
        insert_with_id(L, w, rect, props, data);
    } else {
        insert_with_box(L, w, rect, props, data);
    }
}

/* --- removal -------------------------------------------------------------------------------- */

/*
 * Keeps what contacts will hand out of the box, if its bit is set. In worlds of ids that is the id,
 * which stays.
 */
static void remember(lua_State *L, bsl_world *w, int store, uint32_t index) {
    bool touched = index / 8 < w->touched_cap && (w->touched[index / 8] >> index % 8 & 1) != 0;
    if (!touched || w->results == BSL_RESULTS_ID) {
        return;
    }
    int top = lua_gettop(L);
    if (bsl_rawgeti(L, store, BSL_STORE_GONE) == LUA_TTABLE) {
        bsl_push_id(L, bs_world_id(w->core, index));
        if (bsl_push_stored_result(L, w, store, index)) {
            lua_rawset(L, top + 1);
            w->has_gone = true;
        }
    }
    lua_settop(L, top);
}

/* The index may be used again, by a box that contacts have not named yet. */
static void clear_touched(bsl_world *w, uint32_t index) {
    if (index / 8 < w->touched_cap) {
        w->touched[index / 8] &= (uint8_t) ~(1u << index % 8);
    }
}

/* Sets t[index + 1] to nil if it is anything else: some versions would make room for a nil. */
static void erase_key(lua_State *L, int t, uint32_t index) {
    bool has = bsl_rawgeti(L, t, (int)index + 1) != LUA_TNIL;
    lua_pop(L, 1);
    if (has) {
        lua_pushnil(L);
        lua_rawseti(L, t, (int)index + 1);
    }
}

/*
 * The store keeps `false` in place of the Box: setting such a key again cannot fail for want of
 * memory, which spares the next insertion a protected call.
 */
static void forget(lua_State *L, bsl_world *w, int store, uint32_t index) {
    if (index >= w->stored) {
        return;
    }
    if (bsl_rawgeti(L, store, (int)index + 1) == LUA_TUSERDATA) {
        lua_pushboolean(L, 0);
        lua_rawseti(L, store, (int)index + 1);
    }
    erase_key(L, bsl_push_data(L, store), index);
    lua_pop(L, 2);
}

void bsl_remove(lua_State *L, bsl_world *w, int store, uint32_t index) {
    remember(L, w, store, index);
    forget(L, w, store, index);
    clear_touched(w, index);
    bs_world_remove(w->core, index);
    w->removals++;
}

void bsl_clear(lua_State *L, bsl_world *w, int store) {
    int data = bsl_push_data(L, store);
    for (uint32_t index = 0; index < bs_world_indices(w->core); index++) {
        if (bs_world_alive(w->core, index)) {
            remember(L, w, store, index);
        }
    }
    for (uint32_t index = 0; index < w->stored; index++) {
        erase_key(L, store, index);
        erase_key(L, data, index);
    }
    lua_pop(L, 1);
    w->stored = 0;
    if (w->touched != NULL) {
        memset(w->touched, 0, w->touched_cap);
    }
    bs_world_clear(w->core);
    w->removals++;
}
