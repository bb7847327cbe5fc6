/* world.c: the boxes of a world: ids, places, layers and back ends; their order. */
#include "world_parts.h"

#include "simd/simd.h"

#include <math.h>
#include <string.h>

/* --- making and ending ---------------------------------------------------------------------- */

bs_props bs_props_default(void) {
    return (bs_props){.layers = {1, UINT32_MAX}, .conduct = bs_usual_conduct};
}

static void destroy_parts(bs_backend *part[BS_PARTS]) {
    for (int i = 0; i < BS_PARTS; i++) {
        if (part[i] != NULL) {
            bs_backend_free(part[i]);
        }
    }
}

/* Both parts, with the boxes of the world, or neither. */
static bool create_parts(bs_world *w, const bs_backend_type *type, const bs_settings *settings,
                         bs_backend *part[BS_PARTS]) {
    for (int i = 0; i < BS_PARTS; i++) {
        size_t count = w->part[i] != NULL ? w->part[i]->count : 0;
        uint8_t set = i == BS_STATIC ? BS_ALIVE | BS_IS_STATIC : BS_ALIVE;
        part[i] = bs_backend_new(type, &w->heap, &w->boxes, set, count, settings);
    }
    if (part[BS_DYNAMIC] == NULL || part[BS_STATIC] == NULL) {
        destroy_parts(part);
        return false;
    }
    return true;
}

bs_world *bs_world_new(bs_realloc resize, void *host, const bs_backend_type *type,
                       const bs_settings *settings) {
    assert(resize != NULL && type != NULL && settings->axis >= 0 && settings->axis <= DIM);
    bs_heap heap = {resize, host, 0};
    bs_world *w = bs_heap_new(&heap, sizeof *w);
    if (w == NULL) {
        return NULL;
    }
    w->heap = heap;
    w->settings = *settings;
    if (!create_parts(w, type, settings, w->part)) {
        bs_heap_free(&heap, w, sizeof *w);
        return NULL;
    }
    return w;
}

void bs_world_free(bs_world *w) {
    destroy_parts(w->part);
    bs_shapes_free(w);
    if (w->movement != NULL) {
        w->movement->free(w);
    }
    if (w->free_bodies != NULL) {
        w->free_bodies(w);
    }
    bs_columns_free(w);
    bs_heap last = w->heap;
    bs_heap_free(&last, w, sizeof *w);
    assert(last.used == 0); /* nothing leaked */
}

const bs_backend_type *bs_world_backend(const bs_world *w) {
    return w->part[BS_DYNAMIC]->type;
}

bs_status bs_world_set_backend(bs_world *w, const bs_backend_type *type,
                               const bs_settings *settings) {
    assert(type != NULL && settings->axis >= 0 && settings->axis <= DIM);
    bs_backend *part[BS_PARTS];
    if (!create_parts(w, type, settings, part)) {
        return BS_NO_MEMORY;
    }
    destroy_parts(w->part);
    memcpy(w->part, part, sizeof part);
    w->settings = *settings;
    return BS_OK;
}

void bs_world_stats(const bs_world *w, bs_stats *dynamic_part, bs_stats *static_part) {
    memset(dynamic_part, 0, sizeof *dynamic_part);
    memset(static_part, 0, sizeof *static_part);
    w->part[BS_DYNAMIC]->type->stats(w->part[BS_DYNAMIC], dynamic_part);
    w->part[BS_STATIC]->type->stats(w->part[BS_STATIC], static_part);
}

size_t bs_world_memory(const bs_world *w) {
    return w->heap.used;
}

bs_heap *bs_world_heap(bs_world *w) {
    return &w->heap;
}

/* --- indices and ids ------------------------------------------------------------------------ */

uint32_t bs_world_count(const bs_world *w) {
    return w->state.count;
}

uint32_t bs_world_indices(const bs_world *w) {
    return w->ids.used;
}

bool bs_world_alive(const bs_world *w, uint32_t box) {
    return box < w->ids.used && (w->flags[box] & BS_ALIVE) != 0;
}

bs_id bs_world_id(const bs_world *w, uint32_t box) {
    assert(bs_world_id_at(w, box) != 0);
    return bs_ids_id(&w->ids, box);
}

bs_found bs_world_find(const bs_world *w, bs_id id, uint32_t *box) {
    assert(box != NULL);
    uint32_t index;
    bs_found found = bs_ids_find(&w->ids, id, &index);
    if (found == BS_FOUND && bs_world_alive(w, index)) {
        *box = index;
        return BS_FOUND;
    }
    bool in_history = w->peak > 0 && (index < w->ids.used || index < w->peak) &&
                      id >= BS_LEAST_ID && id < BS_IDS_END; /* Perhaps in one that was given up. */
    bool waits = found == BS_FOUND && bs_world_is_mentioned(w, index);
    return found == BS_REMOVED || waits || in_history ? BS_REMOVED : BS_NEVER;
}

const uint32_t *bs_world_free_indices(const bs_world *w, size_t *n) {
    *n = w->ids.idle;
    return w->ids.free;
}

/* Room for boxes whose indices are below `need`. */
static bool reserve_indices(bs_world *w, size_t need) {
    return need < (size_t)1 << BS_INDEX_BITS && bs_world_reserve_room(w, need);
}

bs_status bs_world_reserve(bs_world *w, uint32_t n) {
    size_t need = n > w->ids.idle ? (size_t)w->ids.used + (n - w->ids.idle) : 0;
    return reserve_indices(w, need) ? BS_OK : BS_NO_MEMORY;
}

bs_id bs_world_next_id(const bs_world *w) {
    uint32_t index = bs_ids_next(&w->ids);
    return index < w->ids.used ? bs_ids_id(&w->ids, index) : BS_LEAST_ID | index;
}

/* --- boxes ---------------------------------------------------------------------------------- */

bool bs_layers_are_default(bs_layers layers) {
    return layers.layer == 1 && layers.mask == UINT32_MAX;
}

/* The layers of a dynamic box are noted: see bs_world's `any`. */
static void note_layers(bs_world *w, uint32_t box) {
    if (!bs_world_is_static(w, box)) {
        w->state.any.layer |= w->layers[box].layer;
        w->state.any.mask |= w->layers[box].mask;
    }
}

bool bs_props_rest(const bs_props *props) {
    const double rest[DIM] = {0}; /* Bit for bit: -0 reads back. */
    return memcmp(props->velocity, rest, sizeof rest) == 0 &&
           memcmp(props->acceleration, rest, sizeof rest) == 0;
}

bs_props bs_props_of(const bs_world *w, uint32_t box) {
    bs_props props = {.layers = w->layers[box], .is_static = bs_world_is_static(w, box)};
    bs_world_velocity(w, box, props.velocity);
    bs_world_acceleration(w, box, props.acceleration);
    props.conduct = *bs_world_conduct(w, box);
    return props;
}

bool bs_props_reserve(bs_world *w, const bs_props *props) {
    return (bs_props_rest(props) || bs_column_make(w, BS_MOTION)) &&
           (bs_conduct_unusual(&props->conduct) == 0 || bs_column_make(w, BS_CONDUCT));
}

void bs_box_put(bs_world *w, uint32_t index, const bs_props *props) {
    if (w->state.count == 0) {
        w->state.recycled = false;
        w->state.any = (bs_layers){0, 0};
    } else if (index < w->state.last) {
        w->state.recycled = true;
    }
    w->state.last = w->state.count == 0 || index > w->state.last ? index : w->state.last;
    w->state.count++;
    w->born[index] = w->state.births++;
    w->flags[index] |= (uint8_t)(BS_ALIVE | (props->is_static ? BS_IS_STATIC : 0));
    w->layers[index] = props->layers;
    w->state.layered += !bs_layers_are_default(props->layers);
    note_layers(w, index);
    if (w->motion != NULL) {
        memcpy(w->motion[index].velocity, props->velocity, sizeof props->velocity);
        memcpy(w->motion[index].acceleration, props->acceleration, sizeof props->acceleration);
    }
    if (w->conduct != NULL) {
        bs_conduct_put(w, index, &props->conduct);
    }
}

bs_status bs_world_insert(bs_world *w, const bs_shape *shape, const bs_props *props,
                          uint32_t *box) {
    assert(bs_rect_is_box(&shape->rect));
    uint32_t index = bs_ids_next(&w->ids);
    bs_kept_shape *kept = NULL;
    if (!reserve_indices(w, (size_t)index + 1) || !bs_props_reserve(w, props) ||
        !bs_shape_make(w, shape, &kept)) {
        return BS_NO_MEMORY;
    }
    w->rect[index] = shape->rect;
    if (index == w->ids.used) { /* It is new. */
        w->flags[index] = BS_RESTLESS;
    }
    bs_ids_take(&w->ids);
    bs_box_put(w, index, props);
    bs_shape_put(w, index, kept);
    bs_backend_came(bs_part_of(w, index), index);
    bs_world_touch(w, index);
    *box = index;
    return BS_OK;
}

void bs_world_remove(bs_world *w, uint32_t box) {
    assert(bs_world_alive(w, box));
    bs_heard_forget(w, bs_world_id(w, box));
    bs_backend_left(bs_part_of(w, box), box);
    w->state.layered -= !bs_layers_are_default(w->layers[box]);
    bs_shape_drop(w, box);
    if (w->conduct != NULL) {
        bs_conduct_put(w, box, &bs_usual_conduct);
    }
    w->flags[box] &= BS_CHANGED | BS_RESTLESS;
    w->state.count--;
    if (!bs_world_is_mentioned(w, box)) {
        bs_ids_give_back(&w->ids, box);
    }
    bs_world_touch(w, box);
    if (w->rest != NULL) {
        w->rest[box] = (bs_rest){0};
    }
}

void bs_world_take_back(bs_world *w, uint32_t box) {
    bs_world_remove(w, box);
    bs_ids_reuse(&w->ids, box);
}

/* Downwards, so that the free list hands the indices out upwards again. */
void bs_world_clear(bs_world *w) {
    for (uint32_t box = w->ids.used; box-- > 0;) {
        if (bs_world_alive(w, box)) {
            bs_world_remove(w, box);
        }
    }
}

void bs_world_update(bs_world *w, uint32_t box, const bs_rect *rect) {
    assert(bs_world_alive(w, box) && bs_rect_is_box(rect));
    if (memcmp(&w->rect[box], rect, sizeof *rect) == 0) {
        return;
    }
    bs_world_stir(w, box); /* Where it was, too. */
    w->rect[box] = *rect;
    bs_backend_moved(bs_part_of(w, box), &box, 1);
    bs_world_touch(w, box);
}

/* True if the first boxes of the list all move, and are more than are worth being noted. */
static bool many_move(const bs_world *w, const uint32_t *boxes, const bs_rect *rects, size_t n) {
    size_t most = bs_world_most_noted(w);
    if (n <= most) {
        return false;
    }
    for (size_t i = 0; i <= most; i++) {
        assert(bs_world_alive(w, boxes[i]));
        if (memcmp(&w->rect[boxes[i]], &rects[i], sizeof *rects) == 0) {
            return false;
        }
    }
    return true;
}

void bs_world_update_many(bs_world *w, const uint32_t *boxes, const bs_rect *rects, size_t n) {
    bs_rect *rect = w->rect;
    bool changed = !w->all_changed && many_move(w, boxes, rects, n);
    for (size_t i = 0; w->sleepers > 0 && i < n; i++) {
        bs_world_stir(w, boxes[i]);
    }
    w->all_changed |= changed;
    size_t i = 0;
    for (; i < n && !(w->all_changed && changed && w->sleepers == 0); i++) {
        assert(bs_world_alive(w, boxes[i]) && bs_rect_is_box(&rects[i]));
        if (memcmp(&rect[boxes[i]], &rects[i], sizeof *rects) != 0) {
            rect[boxes[i]] = rects[i];
            bs_world_touch(w, boxes[i]);
            changed = true;
        }
    }
    for (; i < n; i++) { /* so much has changed that it need not be known what */
        assert(bs_world_alive(w, boxes[i]) && bs_rect_is_box(&rects[i]));
        rect[boxes[i]] = rects[i];
    }
    if (!changed) {
        return;
    }
    if (w->part[BS_STATIC]->count == 0 || (bs_any_flags(w, boxes, n) & BS_IS_STATIC) == 0) {
        bs_backend_moved(w->part[BS_DYNAMIC], boxes, n);
        return;
    }
    size_t end;
    for (i = 0; i < n; i = end) { /* runs of boxes of one part */
        bs_backend *part = bs_part_of(w, boxes[i]);
        for (end = i + 1; end < n && bs_part_of(w, boxes[end]) == part;) {
            end++;
        }
        bs_backend_moved(part, boxes + i, end - i);
    }
}

const bs_rect *bs_world_rect(const bs_world *w, uint32_t box) {
    assert(bs_world_alive(w, box));
    return &w->rect[box];
}

bool bs_world_is_static(const bs_world *w, uint32_t box) {
    assert(bs_world_alive(w, box));
    return (w->flags[box] & BS_IS_STATIC) != 0;
}

void bs_world_set_static(bs_world *w, uint32_t box, bool is_static) {
    assert(bs_world_alive(w, box));
    if (bs_world_is_static(w, box) == is_static) {
        return;
    }
    bs_backend_left(bs_part_of(w, box), box);
    w->flags[box] ^= BS_IS_STATIC;
    bs_backend_came(bs_part_of(w, box), box);
    note_layers(w, box);
    bs_world_touch(w, box);
}

bs_layers bs_world_layers(const bs_world *w, uint32_t box) {
    assert(bs_world_alive(w, box));
    return w->layers[box];
}

void bs_world_set_layers(bs_world *w, uint32_t box, bs_layers layers) {
    assert(bs_world_alive(w, box));
    w->state.layered -= !bs_layers_are_default(w->layers[box]);
    w->state.layered += !bs_layers_are_default(layers);
    w->layers[box] = layers;
    note_layers(w, box);
    bs_world_touch(w, box);
}

/* --- order ---------------------------------------------------------------------------------- */

enum { FEW = 64 }; /* a multiple of BS_LANES */
static_assert((int)FEW % (int)BS_LANES == 0, "ranks come by whole vectors");

#define LAST_BYTE 0x7f
#define LAST_KEY 0x7f7f7f7fu /* behind all others */

/*
 * Puts each box where as many come before it as have lower keys: n * n comparisons, eight at a
 * time, and hardly a branch that could be mispredicted. Whole vectors are sorted: what fills up the
 * last one stays behind the boxes, where the list has room for that.
 */
static void sort_few(const bs_world *w, bs_list *list) {
    uint32_t box[FEW + BS_LANES];
    uint32_t born[FEW + BS_LANES];
    uint32_t rank[FEW];
    const uint32_t *key = box;
    size_t n = list->n;
    assert(n <= FEW && list->cap - n >= BS_OVERRUN);
    for (size_t i = 0; i < n; i += BS_LANES) {
        memcpy(box + i, list->at + i, BS_LANES * sizeof *box);
    }
    memset(box + n, LAST_BYTE, BS_LANES * sizeof *box);
    if (w->state.recycled) {
        key = born;
        for (size_t i = 0; i < n; i++) {
            born[i] = (uint32_t)w->born[box[i]];
        }
        memset(born + n, LAST_BYTE, BS_LANES * sizeof *born);
    }
    bs_ranks(key, rank, n);
    for (size_t i = 0; i < n; i += BS_LANES) {
#pragma GCC unroll 8
        for (size_t lane = 0; lane < BS_LANES; lane++) {
            assert(rank[i + lane] <= n);
            list->at[rank[i + lane]] = box[i + lane];
        }
    }
}

static uint64_t order_of(const void *world, uint32_t box) {
    return bs_world_order(world, box);
}

bool bs_world_sort(bs_world *w, bs_list *list) {
    if (list->n <= FEW && w->state.births <= LAST_KEY) {
        if (list->n > 1) {
            sort_few(w, list);
        }
        return true;
    }
    return bs_world_sort_by(w, list, order_of, w);
}

bs_status bs_world_list(bs_world *w, bs_list *out) {
    out->n = 0;
    if (!bs_list_reserve(&w->heap, out, w->state.count)) {
        return BS_NO_MEMORY;
    }
    for (uint32_t box = 0; box < w->ids.used; box++) {
        if (bs_world_alive(w, box)) {
            out->at[out->n++] = box;
        }
    }
    assert(out->n == w->state.count);
    return !w->state.recycled || bs_world_sort(w, out) ? BS_OK : BS_NO_MEMORY;
}

/* --- pictures -------------------------------------------------------------------------------- */

static bool add_boxes(bs_world *w, const bs_list *boxes, bs_pictures *out) {
    bool done = true;
    for (size_t i = 0; done && i < boxes->n; i++) {
        done = bs_pictures_add(&w->heap, out, BS_PICTURE_BOX, &w->rect[boxes->at[i]]);
    }
    return done;
}

bs_status bs_world_pictures(bs_world *w, bs_pictures *out) {
    out->n = 0;
    bs_list boxes = {0};
    bool done = bs_world_list(w, &boxes) == BS_OK && add_boxes(w, &boxes, out);
    bs_list_free(&w->heap, &boxes);
    for (int i = 0; done && i < BS_PARTS; i++) {
        done = bs_backend_pictures(w->part[i], out);
    }
    return done ? BS_OK : BS_NO_MEMORY;
}
