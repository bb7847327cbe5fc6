/* lua_world_lists.c: World's methods about many boxes at once. */
#include "contents.h"
#include "cursor.h"
#include "data.h"
#include "memory.h"
#include "module.h"
#include "results.h"

enum { RECT_ITEMS = 2 * DIM };

/* --- insertMany ----------------------------------------------------------------------------- */

typedef struct batch {
    bsl_cursor *cursor; /* the ids of the boxes that were inserted */
    size_t length;      /* of the caller's table; of a new one: n */
    bool has_data;
} batch;

/* Stack indices of the protected frame, behind the World. */
enum { BATCH_OUT = 2, BATCH_STORE, BATCH_DATA };

/*
 * A finaliser that runs meanwhile may remove a box again: then its Box is made for the list alone.
 */
static void push_inserted(lua_State *L, bsl_world *w, bs_id id) {
    bsl_check_open(L, w);
    if (w->results == BSL_RESULTS_ID) {
        bsl_push_id(L, id);
    } else {
        bsl_push_box(L, w, BATCH_STORE, id);
    }
}

static void write_batch(lua_State *L, bsl_world *w, const batch *b, size_t from, size_t to) {
    for (size_t i = from; i < to; i++) {
        push_inserted(L, w, b->cursor->ids[i]);
        lua_rawseti(L, BATCH_OUT, (int)i + 1);
    }
}

/* What can fail after the insertion: Boxes, data, and the caller's table, its new part first. */
static void publish_batch(lua_State *L, bsl_world *w, void *context) {
    const batch *b = context;
    size_t n = b->cursor->n;
    for (size_t i = 0; i < n; i++) {
        push_inserted(L, w, b->cursor->ids[i]);
        lua_pop(L, 1);
        bsl_check_open(L, w);
        if (b->has_data && bsl_is_live(w, b->cursor->ids[i])) {
            lua_pushvalue(L, BATCH_DATA);
            bsl_set_data(L, w, BATCH_STORE, bsl_index_of(b->cursor->ids[i]));
        }
    }
    write_batch(L, w, b, n < b->length ? n : b->length, n);
    write_batch(L, w, b, 0, n < b->length ? n : b->length);
}

/* The last one first: so the core's free indices are handed out in the same order again. */
static void remove_batch(lua_State *L, bsl_world *w, int store, const bsl_cursor *cursor) {
    for (size_t i = cursor->n; w->core != NULL && i-- > 0;) {
        if (bsl_is_live(w, cursor->ids[i])) {
            bsl_remove(L, w, store, bsl_index_of(cursor->ids[i]));
        }
    }
}

/* All of the boxes in the table at index 2, or none. They have been checked. */
static void insert_batch(lua_State *L, bsl_world *w, const bs_props *props, size_t n,
                         bsl_cursor *cursor) {
    bsl_reserve_cursor(L, cursor, n);
    bs_status status = bs_world_reserve(w->core, (uint32_t)n);
    for (size_t i = 0; status == BS_OK && i < n; i++) {
        bs_rect rect = bsl_rect_item(L, 2, i * RECT_ITEMS);
        uint32_t index;
        status = bs_world_insert(w->core, &rect, props, &index);
        if (status == BS_OK) {
            cursor->ids[cursor->n++] = bs_world_id(w->core, index);
        }
    }
    if (status != BS_OK) {
        while (cursor->n > 0) {
            bs_world_remove(w->core, bsl_index_of(cursor->ids[--cursor->n]));
        }
        bsl_no_memory(L);
    }
}

static void check_batch(lua_State *L, size_t n) {
    for (size_t i = 0; i < n; i++) {
        bsl_rect_item(L, 2, i * RECT_ITEMS);
    }
}

/*
 * world:insertMany(flat, opts?, out?) -> out, n; flat: {x1, y1, w1, h1, x2, ...}. All of them, or
 * an error and none. The options are for each of them. O(n log n)
 */
static int insert_many(lua_State *L) {
    bsl_world *w = bsl_self_free_world(L);
    bs_props props;
    size_t n = bsl_check_groups(L, 2, RECT_ITEMS);
    bool given = bsl_check_out(L, 4) != 0;
    lua_settop(L, 4);
    batch b = {.has_data = bsl_check_props(L, 3, &props)}; /* the data are at 5 */
    int store = bsl_push_store(L, 1);
    int out = given ? 4 : bsl_new_out(L, n);
    b.cursor = bsl_new_cursor(L, w, store, 0);
    int cursor = lua_gettop(L);
    b.length = bsl_out_length(L, out, given, n);
    check_batch(L, n); /* nothing runs Lua code from here to the insertion */
    insert_batch(L, w, &props, n, b.cursor);
    lua_pushvalue(L, out);
    lua_pushvalue(L, store);
    lua_pushvalue(L, 5);
    if (!bsl_protect(L, w, store, publish_batch, &b, 3)) {
        bsl_erase(L, out, b.length, n);
        remove_batch(L, w, store, b.cursor);
        lua_error(L);
    }
    bsl_erase(L, out, n, b.length);
    bsl_free_cursor(L, w, store, cursor);
    bsl_return_list(L, out, n);
    bsl_tell(L, w);
    return 2;
}

/* --- updateMany ----------------------------------------------------------------------------- */

/* Where the boxes of w->list go, by the table at `arg`: into w->rects, which has room for them. */
static void check_places(lua_State *L, bsl_world *w, int arg) {
    enum { SOME = BSL_ITEMS / DIM };
    for (size_t i = 0; i < w->list.n; i += SOME) {
        size_t some = w->list.n - i < SOME ? w->list.n - i : SOME;
        int first = bsl_push_items(L, arg, i * DIM, some * DIM);
        int value = first;
        for (size_t k = i; k < i + some; k++, value += DIM) {
            w->rects[k] = *bs_world_rect(w->core, w->list.at[k]);
            bsl_corner_at(L, arg, k * DIM, value, &w->rects[k]);
        }
        lua_settop(L, first - 1);
    }
}

/*
 * world:updateMany(boxes, flat); flat: {x1, y1, x2, y2, ...}. All of them move and keep their
 * sizes, or an error and none. O(n log n)
 */
static int update_many(lua_State *L) {
    bsl_world *w = bsl_self_free_world(L);
    bsl_check_boxes(L, w, 2);
    size_t n = w->list.n;
    size_t given = bsl_check_groups(L, 3, 1);
    if (given != n * DIM) {
        bsl_bad(L, bsl_place_arg(3), "%zu numbers expected for %zu boxes, got %zu", n * DIM, n,
                given);
    }
    bsl_check_room(
        L, bs_array_reserve(bs_world_heap(w->core), &w->rects, &w->rects_cap, n, sizeof *w->rects));
    check_places(L, w, 3);
    bs_world_update_many(w->core, w->list.at, w->rects, n);
    bsl_tell(L, w);
    return 0;
}

/* --- reading -------------------------------------------------------------------------------- */

static void put_rects(lua_State *L, const bsl_world *w, int store, int out, size_t from,
                      size_t to) {
    (void)store;
    for (size_t i = from; i < to; i++) {
        const bs_rect *rect = bs_world_rect(w->core, w->list.at[i / RECT_ITEMS]);
        size_t column = i % RECT_ITEMS;
        lua_pushnumber(L, column < DIM ? rect->pos[column] : rect->size[column - DIM]);
        lua_rawseti(L, out, (int)i + 1);
    }
}

/* world:getRects(boxes, out?) -> out, n; out = {x1, y1, w1, h1, ...}. O(n) */
static int get_rects(lua_State *L) {
    bsl_world *w = bsl_self_world(L);
    size_t n = bsl_check_groups(L, 2, 1);
    int out = bsl_check_out(L, 3);
    bool given = out != 0;
    int store = bsl_push_store(L, 1);
    out = given ? out : bsl_new_out(L, n * RECT_ITEMS);
    bsl_check_open(L, w);
    bsl_check_boxes(L, w, 2);
    n = w->list.n;
    bsl_write(L, w, store, out, given, put_rects, n * RECT_ITEMS);
    return bsl_return_list(L, out, n);
}

/*
 * world:writeRects(data, boxes?) -> n: writes a row of floats for each box, x, y, w, h, into the
 * memory of an object with getPointer and getSize, as LÖVE's Data. Without boxes: of all, in
 * insertion order. Raises if the memory is too small; then nothing is written. O(n)
 */
static int write_rects(lua_State *L) {
    bsl_world *w = bsl_self_world(L);
    double bytes;
    float *row = bsl_check_data(L, 2, &bytes);
    bsl_check_open(L, w);
    if (bsl_is_absent(L, 3)) {
        bsl_check_status(L, bs_world_list(w->core, &w->list));
    } else {
        bsl_check_boxes(L, w, 3);
    }
    size_t n = w->list.n;
    bsl_check_data_size(L, 2, bytes, n * RECT_ITEMS * sizeof *row);
    for (size_t i = 0; i < n; i++, row += RECT_ITEMS) {
        const bs_rect *rect = bs_world_rect(w->core, w->list.at[i]);
        for (int k = 0; k < DIM; k++) {
            row[k] = (float)rect->pos[k];
            row[DIM + k] = (float)rect->size[k];
        }
    }
    lua_pushinteger(L, (lua_Integer)n);
    return 1;
}

/* --- boxes ---------------------------------------------------------------------------------- */

/* A world of ids makes Boxes as they are asked for. */
int bsl_next_box(lua_State *L) {
    const int store = 2;
    bsl_cursor *cursor = bsl_check_cursor(L, BSL_STORE_NEXT_BOX);
    const bs_id *id = bsl_next(L, cursor, 1, store, 1);
    if (id == NULL) {
        lua_pushnil(L);
    } else {
        bsl_push_box(L, cursor->world, store, *id);
    }
    return 1;
}

/*
 * world:boxes() -> iterator of Box, in insertion order: those that are there at the call, except
 * the ones that the loop removes. O(n)
 */
static int boxes(lua_State *L) {
    bsl_world *w = bsl_self_world(L);
    int store = bsl_push_store(L, 1);
    bsl_rawgeti(L, store, BSL_STORE_NEXT_BOX);
    bsl_cursor *cursor = bsl_new_cursor(L, w, store, BSL_STORE_NEXT_BOX);
    bsl_check_status(L, bs_world_list(w->core, &w->list));
    bsl_fill_cursor(L, cursor, &w->list, 0);
    bsl_tell(L, w);
    return 2;
}

const luaL_Reg bsl_world_list_methods[] = {
    {"insertMany", insert_many},
    {"updateMany", update_many},
    {"getRects", get_rects},
    {"writeRects", write_rects},
    {"boxes", boxes},
    {NULL, NULL},
};
