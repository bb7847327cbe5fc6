/*
 * brute.c: all against all, eight at a time.
 *
 * No structure at all: blocks of eight boxes, densely filled, in the order of insertion as far as
 * removals leave it. Nothing to build and nothing to keep: the best there is for some dozens of
 * boxes, and the honest baseline beyond. Pairs O(n^2 / 8), queries and casts O(n / 8), changes
 * O(1).
 */
#include <assert.h>

#include "join.h"

typedef struct brute {
    bs_backend base;
    bs_block *block; /* position p of a box: lane p % 8 of block p / 8 */
    size_t block_cap;
    uint32_t *position; /* by box index */
    size_t position_cap;
} brute;

static brute *brute_of(bs_backend *backend) {
    return (brute *)backend;
}

static size_t brute_blocks(const brute *b) {
    return (b->base.count + BS_LANES - 1) / BS_LANES;
}

static bs_backend *brute_create(bs_heap *heap, const bs_boxes *boxes, const bs_settings *settings);

static void brute_destroy(bs_backend *backend) {
    brute *b = brute_of(backend);
    bs_heap *heap = backend->heap;
    bs_array_free(heap, &b->block, &b->block_cap, sizeof *b->block);
    bs_array_free(heap, &b->position, &b->position_cap, sizeof *b->position);
    bs_heap_free(heap, b, sizeof *b);
}

static void brute_set(brute *b, size_t position, uint32_t box) {
    assert(position / BS_LANES < b->block_cap && box < b->base.boxes->cap);
    bs_bounds bounds = bs_bounds_of(&b->base.boxes->rect[box]);
    bs_block_set(&b->block[position / BS_LANES], (int)(position % BS_LANES), bounds, box);
}

static bool brute_insert(bs_backend *backend, uint32_t box) {
    assert(box < backend->boxes->cap);
    brute *b = brute_of(backend);
    size_t position = backend->count;
    if (!bs_array_reserve(backend->heap, &b->block, &b->block_cap, position / BS_LANES + 1,
                          sizeof *b->block) ||
        !bs_array_reserve(backend->heap, &b->position, &b->position_cap, (size_t)box + 1,
                          sizeof *b->position)) {
        return false;
    }
    if (position % BS_LANES == 0) {
        bs_block_clear(&b->block[position / BS_LANES]);
    }
    brute_set(b, position, box);
    assert(box < b->position_cap && position < UINT32_MAX);
    b->position[box] = (uint32_t)position;
    backend->count++;
    return true;
}

/* The last box takes the place of the removed one. */
static void brute_remove(bs_backend *backend, uint32_t box) {
    brute *b = brute_of(backend);
    assert(backend->count > 0 && box < b->position_cap);
    size_t hole = b->position[box];
    assert(hole < backend->count && b->block[hole / BS_LANES].id[hole % BS_LANES] == box);
    size_t last = --backend->count;
    bs_block *from = &b->block[last / BS_LANES];
    int lane = (int)(last % BS_LANES);
    uint32_t moved = from->id[lane];
    bs_block_set(&b->block[hole / BS_LANES], (int)(hole % BS_LANES), bs_block_get(from, lane),
                 moved);
    b->position[moved] = (uint32_t)hole;
    bs_block_clear_lane(from, lane);
}

static void brute_update(bs_backend *backend, const uint32_t *boxes, size_t n) {
    brute *b = brute_of(backend);
    for (size_t i = 0; i < n; i++) {
        assert(boxes[i] < b->position_cap && b->position[boxes[i]] < backend->count);
        brute_set(b, b->position[boxes[i]], boxes[i]);
    }
}

static bool brute_pairs(bs_backend *backend, bs_pairs *out) {
    const brute *b = brute_of(backend);
    size_t blocks = brute_blocks(b);
    for (size_t i = 0; i < blocks; i++) {
        const bs_block *a = &b->block[i];
        if (!bs_join_blocks(backend, a, a + 1, blocks - i - 1, out) ||
            !bs_pairs_reserve(backend->heap, out, BS_SELF_PAIRS)) {
            return false;
        }
        bs_block_self_pairs(a, backend->boxes, out);
    }
    return true;
}

static bool brute_cross(bs_backend *backend, bs_backend *other, bs_pairs *out) {
    const brute *b = brute_of(backend);
    const brute *c = brute_of(other);
    assert(b != c && backend->boxes == other->boxes);
    for (size_t i = 0; i < brute_blocks(b); i++) {
        if (!bs_join_blocks(backend, &b->block[i], c->block, brute_blocks(c), out)) {
            return false;
        }
    }
    return true;
}

static bool brute_list(const bs_backend *backend, bs_list *out) {
    const brute *b = (const brute *)backend;
    if (!bs_list_reserve(backend->heap, out, backend->count)) {
        return false;
    }
    assert(out->n + backend->count <= out->cap);
    for (size_t p = 0; p < backend->count; p++) {
        out->at[out->n++] = b->block[p / BS_LANES].id[p % BS_LANES];
    }
    return true;
}

static bool brute_query(bs_backend *backend, const bs_rect *r, bs_list *out) {
    const brute *b = brute_of(backend);
    bs_bounds q = bs_bounds_of(r);
    assert(brute_blocks(b) <= b->block_cap);
    for (size_t i = 0; i < brute_blocks(b); i++) {
        if (!bs_list_reserve(backend->heap, out, BS_LANES)) {
            return false;
        }
        const bs_block *block = &b->block[i];
        bs_append(out, block->id, bs_block_overlap(block, backend->boxes, r, &q));
    }
    return true;
}

static bool brute_cast(bs_backend *backend, bs_cast *cast) {
    const brute *b = brute_of(backend);
    for (size_t i = 0; i < brute_blocks(b); i++) {
        bs_cast_visit_block(cast, &b->block[i]);
    }
    return true;
}

static void brute_stats(const bs_backend *backend, bs_stats *out) {
    out->boxes = backend->count;
}

static bool brute_pictures(bs_backend *backend, bs_pictures *out) {
    (void)backend;
    (void)out;
    return true;
}

static const char *brute_check(const bs_backend *backend) {
    const brute *b = (const brute *)backend;
    for (size_t p = 0; p < brute_blocks(b) * BS_LANES; p++) {
        const bs_block *block = &b->block[p / BS_LANES];
        int lane = (int)(p % BS_LANES);
        bs_bounds want = bs_bounds_empty();
        if (p < backend->count) {
            if (b->position[block->id[lane]] != p) {
                return "brute: a box is not where its position says";
            }
            want = bs_bounds_of(&backend->boxes->rect[block->id[lane]]);
        }
        bs_bounds have = bs_block_get(block, lane);
        if (!bs_bounds_contain(&want, &have) || !bs_bounds_contain(&have, &want)) {
            return "brute: a lane has other bounds than its box";
        }
    }
    return NULL;
}

const bs_backend_type BS_VARIANT(bs_brute_type) = {
    .name = "brute",
    .create = brute_create,
    .destroy = brute_destroy,
    .insert = brute_insert,
    .remove = brute_remove,
    .update = brute_update,
    .pairs = brute_pairs,
    .cross = brute_cross,
    .list = brute_list,
    .query = brute_query,
    .cast = brute_cast,
    .stats = brute_stats,
    .pictures = brute_pictures,
    .check = brute_check,
};

static bs_backend *brute_create(bs_heap *heap, const bs_boxes *boxes, const bs_settings *settings) {
    (void)settings;
    brute *b = bs_heap_new(heap, sizeof *b);
    if (b == NULL) {
        return NULL;
    }
    b->base = (bs_backend){&BS_VARIANT(bs_brute_type), heap, boxes, 0};
    return &b->base;
}
