/* world_boxes_methods.c: a World's methods that insert, remove, move and read boxes. */
#include "cursor.h"
#include "filters.h"
#include "memory.h"
#include "module.h"

enum { RECT = 2 * DIM };

/* --- options -------------------------------------------------------------------------------- */

/* The reader of the option `key`: the name under which the data get the box. */
static const char *read_key(lua_State *L, void *field) {
    (void)field;
    return lua_type(L, -1) == LUA_TSTRING ? NULL : "name";
}

static const bsl_option insert_option_rows[] = {
    {"static", bsl_read_boolean, offsetof(bs_props, is_static), NULL},
    {"layer", bsl_read_mask, offsetof(bs_props, layers.layer), NULL},
    {"mask", bsl_read_mask, offsetof(bs_props, layers.mask), NULL},
    {"data", bsl_read_any, 0, NULL},
    {"key", read_key, 0, NULL},
    BSL_VECTOR_ROWS("vx", "vy", "vz", bsl_read_number, bs_props, velocity),
    BSL_VECTOR_ROWS("ax", "ay", "az", bsl_read_number, bs_props, acceleration),
    {NULL, NULL, 0, bsl_property_options},
};

/* Reads the options at `arg`. Pushes the key and the data, or nil where one is not given. */
static bs_props check_props(lua_State *L, int arg) {
    bs_props props = bs_props_default();
    bsl_check_options(L, arg, insert_option_rows, &props);
    bsl_push_option(L, arg, "key");
    bsl_push_option(L, arg, "data");
    if (!lua_isnil(L, -2) && !lua_istable(L, -1)) {
        bsl_expected(L, bsl_where_option(arg, "data"), lua_gettop(L), "table for the key");
    }
    return props;
}

/* --- one box -------------------------------------------------------------------------------- */

/* The Box at the top of the stack holds the data that its box has when it is removed. */
static void leave_data(lua_State *L, bsl_box *box, int store, uint32_t index) {
    const int handle = lua_gettop(L);
    lua_rawgeti(L, store, BSL_DATA);
    const bool has_data = bsl_rawgeti(L, -1, (int)index + 1) != LUA_TNIL;
    if (has_data && !box->left) {
        lua_createtable(L, 2, 0);
        lua_pushvalue(L, store);
        lua_rawseti(L, -2, BSL_LEFT_STORE);
        bsl_set_uservalue(L, handle);
        box->left = true;
    }
    if (box->left) {
        bsl_get_uservalue(L, handle);
        lua_pushvalue(L, handle + 2);
        lua_rawseti(L, -2, BSL_LEFT_DATA);
    }
    lua_settop(L, handle);
}

/* The handle of a box that is to be removed keeps the data, and may come back. May run Lua code. */
static void remember(lua_State *L, const bsl_world *w, int store, uint32_t index) {
    if (bsl_rawgeti(L, store, BSL_BOXES + (int)index) == LUA_TUSERDATA) {
        bsl_keep_former(L, store);
        leave_data(L, bsl_to_box(L, -1), store, index);
        bsl_check_open(L, w);
    }
    lua_pop(L, 1);
}

/* Drops the Box and the data of an index; its slot keeps room, by `false`. Cannot fail. */
static void forget(lua_State *L, bsl_world *w, int store, uint32_t index) {
    if (bsl_rawgeti(L, store, BSL_BOXES + (int)index) == LUA_TUSERDATA) {
        lua_pushboolean(L, 0);
        lua_rawseti(L, store, BSL_BOXES + (int)index);
    }
    lua_pop(L, 1);
    if (index < w->stored) {
        lua_rawgeti(L, store, BSL_DATA);
        if (bsl_rawgeti(L, -1, (int)index + 1) != LUA_TNIL) {
            lua_pushnil(L);
            lua_rawseti(L, -3, (int)index + 1);
            w->data = ++w->data_versions;
        }
        lua_pop(L, 2);
    }
}

size_t bsl_count_free(const bsl_world *w) {
    size_t n;
    (void)bs_world_free_indices(w->core, &n);
    return n;
}

void bsl_forget_freed(lua_State *L, bsl_world *w, int store, size_t before) {
    size_t n;
    const uint32_t *indices = bs_world_free_indices(w->core, &n);
    for (size_t i = before; i < n; i++) {
        forget(L, w, store, indices[i]);
    }
}

void bsl_remove(lua_State *L, bsl_world *w, int store, uint32_t index) {
    const bs_id id = bs_world_id(w->core, index);
    remember(L, w, store, index);
    if (bsl_is_live(w, id)) { /* otherwise a finaliser has removed it */
        const size_t before = bsl_count_free(w);
        bs_world_remove(w->core, index);
        bsl_forget_freed(L, w, store, before);
    }
}

/*
 * Takes back an insertion. A list of the call that fails may hold a Box of it. That is of no box
 * from now on, unless it was one before. Cannot fail.
 */
static void take_back(lua_State *L, bsl_world *w, int store, uint32_t index) {
    const int top = lua_gettop(L);
    if (bsl_rawgeti(L, store, BSL_BOXES + (int)index) == LUA_TUSERDATA) {
        bsl_box *box = bsl_to_box(L, -1);
        if (!bsl_push_former(L, store, box->id)) {
            box->id = 0;
        }
    }
    lua_settop(L, top);
    forget(L, w, store, index);
    bs_world_take_back(w->core, index);
}

/* A call that inserts boxes. */
typedef struct batch {
    bsl_world *w;
    int store; /* stack indices */
    int data;
    bs_props props;
    uint32_t *boxes; /* the first `done` of them have been inserted */
    size_t n;
    size_t done;
} batch;

/* Pushes a new Box for a box that is to be inserted, or nil in a world of ids. May run Lua code. */
static void push_handle(lua_State *L, bsl_world *w, int store) {
    if (w->results == BSL_RESULTS_ID) {
        lua_pushnil(L);
    } else {
        bsl_new_box(L, w, store, 0);
    }
}

/*
 * Inserts a box. The Box that was made for it is at the top of the stack, or nil. What `insert`
 * returns takes its place. The Box and the data are kept first, because that may fail: so an error,
 * which is one for want of memory, changes nothing.
 */
static void insert_one(lua_State *L, batch *b, const bs_shape *shape) {
    bsl_world *w = b->w;
    const int handle = lua_gettop(L);
    const bs_id id = bs_world_next_id(w->core);
    uint32_t index = bs_id_index(id);
    if (w->results != BSL_RESULTS_ID) {
        if (bsl_push_former(L, b->store, id)) {
            lua_replace(L, handle);
        }
        bsl_to_box(L, handle)->id = id;
        lua_pushvalue(L, handle);
        lua_rawseti(L, b->store, BSL_BOXES + (int)index);
    }
    if (!lua_isnil(L, b->data)) {
        lua_pushvalue(L, b->data);
        bsl_set_data(L, w, b->store, index);
    }
    if (bs_world_insert(w->core, shape, &b->props, &index) != BS_OK) {
        forget(L, w, b->store, index);
        bsl_no_memory(L);
    }
    b->boxes[b->done++] = index;
    if (w->results == BSL_RESULTS_ID) {
        bsl_push_id(L, id);
        lua_replace(L, handle);
    }
}

/*
 * Runs the rest of the call, which may fail. If it does, removes the boxes again. The last one goes
 * first, so that the core hands out its free indices in the same order again.
 */
static void finish_or_undo(lua_State *L, batch *b, bsl_body rest) {
    bool paused = bsl_pause_collector(L);
    bool done = bsl_protect(L, rest, b);
    bsl_resume_collector(L, paused);
    if (!done) {
        while (b->done-- > 0) {
            take_back(L, b->w, b->store, b->boxes[b->done]);
        }
        lua_error(L);
    }
}

/* Sets the key of the data, which is below them, to what is at the top of the stack. */
static void set_key(lua_State *L, void *context) {
    const batch *b = context;
    const int handle = lua_gettop(L);
    lua_pushvalue(L, b->data - 1);
    lua_pushvalue(L, handle);
    lua_rawset(L, b->data);
}

int bsl_insert(lua_State *L, bsl_world *w, int options, const bs_shape *shape) {
    uint32_t index;
    lua_settop(L, options);
    int store = bsl_push_store(L, 1);
    batch b = {.w = w, .store = store, .boxes = &index};
    push_handle(L, w, store);
    b.props = check_props(L, options);
    b.data = lua_gettop(L);
    lua_pushvalue(L, store + 1);
    bsl_check_open(L, w);
    insert_one(L, &b, shape);
    if (!lua_isnil(L, b.data - 1)) {
        finish_or_undo(L, &b, set_key);
    }
    bsl_tell(L, w);
    return 1;
}

/*
 * world:insert(x, y, w, h, opts?) -> Box, or the id if results = "id"; opts: static, layer, mask,
 * data, key, response, bounce, oneWay, sensor, gravityScale, vx, vy, ax, ay. `key` names the field
 * of data that gets the result, without metamethods. O(log n)
 */
static int insert(lua_State *L) {
    bsl_world *w = bsl_self_free_world(L);
    bs_rect rect = bsl_check_rect(L, 2, BSL_BOX);
    bs_shape shape;
    bs_shape_set_box(&shape, &rect);
    return bsl_insert(L, w, 2 + RECT, &shape);
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
    int store = bsl_push_store(L, 1);
    for (uint32_t i = 0; i < bs_world_indices(w->core); i++) {
        if (bs_world_alive(w->core, i)) {
            remember(L, w, store, i);
        }
    }
    const size_t before = bsl_count_free(w);
    bs_world_clear(w->core);
    bsl_forget_freed(L, w, store, before);
    return 0;
}

/* world:update(box, x, y, w?, h?): moves a box; sizes that are left out stay. O(log n) */
static int update(lua_State *L) {
    bsl_world *w = bsl_self_free_world(L);
    if (lua_gettop(L) == 2 && lua_type(L, 2) == LUA_TNUMBER) { /* As love.physics has it. */
        bsl_bad(L, bsl_where_arg(2),
                "Box, x and y expected, got a number alone; "
                "a step is world:step(dt)");
    }
    uint32_t box = bsl_check_box(L, w, 2);
    bs_rect rect = *bs_world_rect(w->core, box);
    bsl_check_position_of(L, w, box, 3, &rect);
    bs_world_update(w->core, box, &rect);
    return 0;
}

/* world:has(box) -> bool: false for removed boxes and boxes of other worlds. O(1) */
static int has(lua_State *L) {
    const bsl_world *w = bsl_self_world(L);
    lua_pushboolean(L, bsl_has_box(L, w, 2));
    return 1;
}

/* world:getBox(id) -> Box: the same one at each call. O(1) */
static int get_box(lua_State *L) {
    bsl_world *w = bsl_self_world(L);
    uint32_t box = bsl_check_box(L, w, 2);
    bsl_push_box(L, w, bsl_push_store(L, 1), bs_world_id(w->core, box));
    return 1;
}

/* --- insertMany ----------------------------------------------------------------------------- */

enum { FLAT = 2, MANY_OPTIONS, OUT, DATA, STORE, MADE };

/* Pushes a table of what is to be inserted, or nil in a world of ids. */
static void push_handles(lua_State *L, bsl_world *w, size_t n) {
    if (w->results == BSL_RESULTS_ID) {
        lua_pushnil(L);
        return;
    }
    lua_createtable(L, (int)n, 0);
    for (size_t i = 0; i < n; i++) {
        push_handle(L, w, STORE);
        lua_rawseti(L, MADE, (int)i + 1);
    }
}

/* A list with holes may have any length, so it is refused before anything is made for its items. */
static void check_rects(lua_State *L, size_t n) {
    for (size_t i = 0; i < n; i++) {
        (void)bsl_rect_item(L, FLAT, i * RECT);
    }
}

/* Inserts all boxes of the table at FLAT. This holds all that can fail. */
static void insert_all(lua_State *L, void *context) {
    batch *b = context;
    bsl_out out = bsl_open_out(L, OUT, b->n);
    b->boxes = bsl_reserve(L, &b->w->account, &b->w->boxes, b->n * sizeof *b->boxes);
    bsl_check_status(L, bs_world_reserve(b->w->core, (uint32_t)b->n));
    while (b->done < b->n) {
        bs_rect rect = bsl_rect_item(L, FLAT, b->done * RECT);
        bs_shape shape;
        bs_shape_set_box(&shape, &rect);
        if (lua_istable(L, MADE)) {
            lua_rawgeti(L, MADE, out.n + 1);
        } else {
            lua_pushnil(L);
        }
        insert_one(L, b, &shape);
        bsl_append(L, &out);
    }
    bsl_close_out(L, &out);
}

/*
 * world:insertMany(flat, opts?, out?) -> out, n; flat: {x1, y1, w1, h1, x2, ...}. Inserts all
 * boxes, or raises an error and inserts none. The options are for each box, without key. O(n log n)
 */
static int insert_many(lua_State *L) {
    bsl_world *w = bsl_self_free_world(L);
    batch b = {.w = w, .store = STORE, .data = DATA, .n = bsl_check_groups(L, FLAT, RECT)};
    check_rects(L, b.n);
    bsl_push_out(L, OUT, b.n);
    lua_settop(L, OUT);
    b.props = check_props(L, MANY_OPTIONS);
    if (!lua_isnil(L, -2)) {
        bsl_bad(L, bsl_where_option(MANY_OPTIONS, "key"),
                "one table has room for one box; insert them one by one");
    }
    lua_remove(L, -2); /* the key, from below the data */
    bsl_check_table(L, OUT);
    (void)bsl_push_store(L, 1);
    push_handles(L, w, b.n);
    bsl_check_open(L, w);
    finish_or_undo(L, &b, insert_all);
    return bsl_return_list(L, w, OUT, b.n);
}

/* --- many boxes ----------------------------------------------------------------------------- */

const bs_rect *bsl_check_positions(lua_State *L, bsl_world *w, int arg, const uint32_t *boxes,
                                   size_t n) {
    size_t given = bsl_check_groups(L, arg, 1);
    if (given != n * DIM) {
        bsl_bad(L, bsl_where_arg(arg), "%zu numbers expected for %zu boxes, got %zu", n * DIM, n,
                given);
    }
    bs_rect *rects = bsl_reserve(L, &w->account, &w->rects, n * sizeof *rects);
    for (size_t i = 0; i < n; i++) {
        rects[i] = *bs_world_rect(w->core, boxes[i]);
        bsl_corner_item(L, arg, i * DIM, &rects[i]);
    }
    return rects;
}

/*
 * world:updateMany(boxes, flat); flat: {x1, y1, x2, y2, ...}. Moves all boxes, which keep their
 * sizes; or raises an error and moves none. O(n log n)
 */
static int update_many(lua_State *L) {
    bsl_world *w = bsl_self_free_world(L);
    size_t n;
    const uint32_t *boxes = bsl_check_boxes(L, w, 2, &n);
    bs_world_update_many(w->core, boxes, bsl_check_positions(L, w, 3, boxes, n), n);
    bsl_tell(L, w);
    return 0;
}

/* world:getRects(boxes, out?) -> out, n; out = {x1, y1, w1, h1, ...}. O(n) */
static int get_rects(lua_State *L) {
    enum { BOXES = 2, RECTS };
    bsl_world *w = bsl_self_world(L);
    size_t n;
    const uint32_t *boxes = bsl_check_boxes(L, w, BOXES, &n);
    if (bsl_is_absent(L, RECTS)) {
        bsl_push_out(L, RECTS, n * RECT); /* May run Lua code. */
        bsl_check_open(L, w);
        boxes = bsl_check_boxes(L, w, BOXES, &n);
    }
    bsl_check_table(L, RECTS);
    bsl_out out = bsl_open_out(L, RECTS, n * RECT);
    for (size_t i = 0; i < n; i++) {
        bsl_append_rect(L, &out, bs_world_rect(w->core, boxes[i]));
    }
    bsl_close_out(L, &out);
    return bsl_return_list(L, w, RECTS, n);
}

/*
 * world:writeRects(data, boxes?) -> n: writes a row of floats, x, y, w, h, for each box, or for all
 * boxes in insertion order. It writes into the memory of an object with getPointer and getSize,
 * such as LÖVE's Data. Raises an error, and writes nothing, if the memory is too small. O(n)
 */
static int write_rects(lua_State *L) {
    enum { OBJECT = 2, BOXES };
    bsl_world *w = bsl_self_world(L);
    double bytes;
    float *row = bsl_check_data(L, OBJECT, &bytes);
    const uint32_t *boxes;
    size_t n;
    bsl_check_open(L, w);
    if (bsl_is_absent(L, BOXES)) {
        bsl_check_status(L, bs_world_list(w->core, &w->list));
        boxes = w->list.at;
        n = w->list.n;
    } else {
        boxes = bsl_check_boxes(L, w, BOXES, &n);
    }
    bsl_check_data_size(L, OBJECT, bytes, n * RECT * sizeof *row);
    for (size_t i = 0; i < n; i++, row += RECT) {
        const bs_rect *rect = bs_world_rect(w->core, boxes[i]);
        for (int k = 0; k < DIM; k++) {
            row[k] = (float)rect->pos[k];
            row[DIM + k] = (float)rect->size[k];
        }
    }
    lua_pushinteger(L, (lua_Integer)n);
    return 1;
}

/* In a world of ids, a Box is made only now, when the loop comes to it. */
static int push_next_box(lua_State *L, const bsl_cursor *cursor, const void *item) {
    bs_id id = *(const bs_id *)item;
    if (!bsl_is_live(cursor->world, id)) {
        return 0;
    }
    bsl_push_box(L, cursor->world, BSL_LOOP_STORE, id);
    return 1;
}

/*
 * world:boxes() -> iterator of Box, in insertion order: the boxes that exist at the call, except
 * those that the loop removes. O(n)
 */
static int boxes(lua_State *L) {
    static const bsl_loop loop = {sizeof(bs_id), push_next_box};
    bsl_world *w = bsl_self_world(L);
    bsl_cursor *cursor = bsl_new_cursor(L, bsl_push_store(L, 1), w, NULL);
    bsl_check_status(L, bs_world_list(w->core, &w->list));
    bs_id *ids = bsl_reserve_items(L, cursor, w->list.n, sizeof *ids);
    for (size_t i = 0; i < w->list.n; i++) {
        ids[i] = bs_world_id(w->core, w->list.at[i]);
    }
    return bsl_open_cursor(L, cursor, &loop, w->list.n);
}

const luaL_Reg bsl_world_boxes_methods[] = {
    {"insert", insert},
    {"remove", remove_box},
    {"clear", clear},
    {"update", update},
    {"has", has},
    {"getBox", get_box},
    {"insertMany", insert_many},
    {"updateMany", update_many},
    {"getRects", get_rects},
    {"writeRects", write_rects},
    {"boxes", boxes},
    {NULL, NULL},
};
