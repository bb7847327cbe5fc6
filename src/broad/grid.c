/*
 * grid.c: a loose hierarchical hash grid.
 *
 * Every box is in exactly one cell: of the level that its largest size asks for, and there of the
 * cell that its least corner is in. So a pair is found in one way only, nothing has to be sorted
 * out, and a box that moves changes one place. It reaches out of its cell, by less than a cell's
 * edge: who looks for boxes looks so much farther on the low side ("loose"). Hierarchical grids:
 * Ericson, "Real-time collision detection", 2005, 7.2; loose cells: Ulrich, "Loose octrees", 2000.
 *
 * Changes O(1) each. Queries and casts go through the cells that they touch, or through all blocks
 * if those are fewer. Pairs O(n) plus what they find, if cells hold few boxes each.
 */
#include "grid_parts.h"

/* --- questions ------------------------------------------------------------------------------ */

static bool grid_list(const bs_backend *backend, bs_list *out) {
    const bs_grid *g = (const bs_grid *)backend;
    if (!bs_list_reserve(backend->heap, out, backend->count)) {
        return false;
    }
    for (uint32_t block = 1; block < g->used; block++) {
        for (int lane = 0; lane < g->link[block].count; lane++) {
            out->at[out->n++] = g->block[block].id[lane];
        }
    }
    for (size_t i = 0; i < g->pending.n; i++) {
        out->at[out->n++] = g->pending.at[i];
    }
    assert(out->n >= backend->count && out->n <= out->cap);
    return true;
}

typedef struct grid_question {
    const bs_rect *r;
    bs_bounds bounds;
    bs_list *out;
} grid_question;

static inline bool grid_query_block(const bs_grid *g, uint32_t block, const grid_question *q) {
    assert(block != BS_GRID_NONE && block < g->used && g->link[block].count > 0);
    bs_list *out = q->out;
    if (!bs_list_reserve(g->base.heap, out, BS_LANES)) {
        return false;
    }
    const bs_block *b = &g->block[block];
    bs_append(out, b->id, bs_block_overlap(b, g->base.boxes, q->r, &q->bounds));
    return true;
}

static bool grid_query_range(const bs_grid *g, int level, const bs_grid_range *range,
                             const grid_question *q) {
    bs_grid_walk w;
    bs_grid_walk_begin(&w, level, range);
    uint32_t found[BS_GRID_SOME];
    for (int n; (n = bs_grid_walk_next(g, &w, found)) > 0;) {
        for (int i = 0; i < n; i++) {
            uint32_t block = found[i];
            do {
                if (!grid_query_block(g, block, q)) {
                    return false;
                }
            } while ((block = g->link[block].next) != BS_GRID_NONE);
        }
    }
    return true;
}

/* All blocks of a set of levels. */
static bool grid_query_levels(const bs_grid *g, unsigned levels, const grid_question *q) {
    assert((levels & ~g->levels) == 0);
    for (uint32_t block = 1; levels != 0 && block < g->used; block++) {
        bool meant = g->link[block].count > 0 && (levels >> g->link[block].level & 1) != 0;
        if (meant && !grid_query_block(g, block, q)) {
            return false;
        }
    }
    return true;
}

static bool grid_query(bs_backend *backend, const bs_rect *r, bs_list *out) {
    bs_grid *g = bs_grid_of(backend);
    if (!bs_grid_sync(g)) {
        return false;
    }
    assert(bs_grid_is_synced(g));
    grid_question q = {r, bs_bounds_of(r), out};
    double far[DIM];
    for (int k = 0; k < DIM; k++) {
        far[k] = bs_far(r, k);
    }
    unsigned rest = 0;
    for (unsigned levels = g->levels; levels != 0; levels &= levels - 1) {
        int level = bs_first_lane(levels);
        bs_grid_range range;
        if (!bs_grid_range_of(&g->level[level], r->pos, far, &range)) {
            continue;
        }
        if (bs_grid_range_cells(&range) > g->used) {
            rest |= 1u << level;
        } else if (!grid_query_range(g, level, &range, &q)) {
            return false;
        }
    }
    return grid_query_levels(g, rest, &q);
}

/* --- figures and pictures ------------------------------------------------------------------- */

static void grid_stats(const bs_backend *backend, bs_stats *out) {
    const bs_grid *g = (const bs_grid *)backend;
    assert(g->in_use < g->used && g->cells <= g->in_use && g->levels >> BS_GRID_LEVELS == 0);
    out->boxes = backend->count;
    out->nodes = g->in_use;
    out->cells = g->cells;
    out->cell_size = g->level[0].edge;
    out->levels = bs_count_lanes(g->levels);
    out->rebuilds = g->rebuilds;
}

/* The cells in use; not the last level's, which has no bounds. */
static bool grid_shapes(bs_backend *backend, bs_shapes *out) {
    bs_grid *g = bs_grid_of(backend);
    if (!bs_grid_sync(g)) {
        return false;
    }
    for (uint32_t block = 1; block < g->used; block++) {
        const bs_grid_link *link = &g->link[block];
        if (!link->first || link->level == BS_GRID_HUGE) {
            continue;
        }
        assert(link->count > 0 && link->level < BS_GRID_HUGE);
        bs_rect cell;
        for (int k = 0; k < DIM; k++) {
            cell.size[k] = g->level[link->level].edge;
            cell.pos[k] = link->cell[k] * cell.size[k];
        }
        if (!bs_shapes_add(backend->heap, out, BS_SHAPE_CELL, &cell)) {
            return false;
        }
    }
    return true;
}

/* --- checking ------------------------------------------------------------------------------- */

/* A box in a lane of a block. */
static const char *grid_check_box(const bs_grid *g, uint32_t block, int lane) {
    const bs_grid_link *link = &g->link[block];
    uint32_t box = g->block[block].id[lane];
    const bs_rect *r = &g->base.boxes->rect[box];
    if (g->place[box] != block * BS_LANES + (uint32_t)lane) {
        return "grid: a box is not where its place says";
    }
    bs_bounds have = bs_block_get(&g->block[block], lane);
    bs_bounds want = bs_bounds_of(r);
    if (memcmp(&have, &want, sizeof have) != 0) {
        return "grid: a lane has other bounds than its box";
    }
    if (g->stale) {
        return NULL;
    }
    int32_t cell[DIM];
    bool right = bs_grid_is_cell(link, bs_grid_cell_of(g, r, cell), cell);
    for (int k = 0; k < DIM; k++) {
        right &= r->size[k] <= g->level[link->level].reach[k];
    }
    return right ? NULL : "grid: a box is in a wrong cell";
}

static const char *grid_check_block(const bs_grid *g, uint32_t block) {
    const bs_grid_link *link = &g->link[block];
    const bs_bounds empty = bs_bounds_empty();
    for (int lane = 0; lane < BS_LANES; lane++) {
        bs_bounds have = bs_block_get(&g->block[block], lane);
        if (lane < link->count) {
            const char *broken = grid_check_box(g, block, lane);
            if (broken != NULL) {
                return broken;
            }
        } else if (memcmp(&have, &empty, sizeof have) != 0) {
            return "grid: an unused lane is not empty";
        }
    }
    if (link->count > BS_LANES || (!link->first && link->count % BS_LANES != 0)) {
        return "grid: a block is not filled as it should be";
    }
    return NULL;
}

/* A cell, given its first block; adds up its blocks and boxes. */
static const char *grid_check_cell(const bs_grid *g, uint32_t first, size_t *blocks,
                                   size_t *boxes) {
    const bs_grid_link *link = &g->link[first];
    if (link->count == 0 || link->level >= BS_GRID_LEVELS || (g->levels >> link->level & 1) == 0) {
        return "grid: a cell in use is empty or of no level";
    }
    const bs_grid_level *l = &g->level[link->level];
    for (int k = 0; k < DIM; k++) {
        if (link->cell[k] < l->lo[k] || link->cell[k] > l->hi[k]) {
            return "grid: a cell is outside of its level's range";
        }
    }
    if (bs_grid_find(g, bs_grid_bucket(g, link->level, link->cell), link->level, link->cell) !=
        first) {
        return "grid: a cell is not found";
    }
    for (uint32_t block = first; block != BS_GRID_NONE; block = g->link[block].next) {
        const bs_grid_link *own = &g->link[block];
        if (!bs_grid_is_cell(own, link->level, link->cell) || own->first != (block == first)) {
            return "grid: a block is in another cell's list";
        }
        if (++*blocks > g->in_use) {
            return "grid: a cell's blocks form a circle";
        }
        *boxes += own->count;
    }
    return NULL;
}

static const char *grid_check_counts(const bs_grid *g, const size_t cells[BS_GRID_LEVELS],
                                     const size_t boxes[BS_GRID_LEVELS], size_t blocks) {
    size_t all_cells = 0;
    size_t all_boxes = g->pending.n;
    for (int i = 0; i < BS_GRID_LEVELS; i++) {
        if (cells[i] != g->level[i].cells || boxes[i] != g->level[i].boxes ||
            (cells[i] > 0) != (g->levels >> i & 1)) {
            return "grid: a level's count is wrong";
        }
        all_cells += cells[i];
        all_boxes += boxes[i];
    }
    size_t unused = 0;
    for (uint32_t block = g->free; block != BS_GRID_NONE; block = g->link[block].next) {
        if (g->link[block].count > 0 || ++unused > g->used) {
            return "grid: the list of free blocks is broken";
        }
    }
    bool right = all_cells == g->cells && all_boxes == g->base.count && blocks == g->in_use &&
                 blocks + unused + 1 == g->used;
    return right ? NULL : "grid: a count is wrong";
}

static const char *grid_check_pending(const bs_grid *g) {
    for (size_t i = 0; i < g->pending.n; i++) {
        if (g->place[g->pending.at[i]] != (BS_GRID_PENDING | (uint32_t)i)) {
            return "grid: a pending box does not know its place";
        }
    }
    if (g->head_cap == 0) {
        return NULL;
    }
    const bs_grid_link *none = &g->link[BS_GRID_NONE];
    bool unused = none->level == UINT8_MAX && !none->first && none->count == 0 &&
                  none->next == BS_GRID_NONE && none->next_cell == BS_GRID_NONE;
    return unused ? NULL : "grid: block 0 is in use";
}

static const char *grid_check(const bs_backend *backend) {
    const bs_grid *g = (const bs_grid *)backend;
    size_t cells[BS_GRID_LEVELS] = {0};
    size_t boxes[BS_GRID_LEVELS] = {0};
    size_t blocks = 0;
    for (uint32_t block = 1; block < g->used; block++) {
        const char *broken = grid_check_block(g, block);
        if (broken == NULL && g->link[block].first) {
            int level = g->link[block].level;
            cells[level]++;
            broken = grid_check_cell(g, block, &blocks, &boxes[level]);
        }
        if (broken != NULL) {
            return broken;
        }
    }
    const char *broken = grid_check_counts(g, cells, boxes, blocks);
    return broken != NULL ? broken : grid_check_pending(g);
}

/* --- making and ending ---------------------------------------------------------------------- */

static void grid_destroy(bs_backend *backend) {
    bs_grid *g = bs_grid_of(backend);
    bs_heap *heap = backend->heap;
    bs_array_free(heap, &g->block, &g->block_cap, sizeof *g->block);
    bs_array_free(heap, &g->link, &g->link_cap, sizeof *g->link);
    bs_array_free(heap, &g->head, &g->head_cap, sizeof *g->head);
    bs_array_free(heap, &g->place, &g->place_cap, sizeof *g->place);
    bs_list_free(heap, &g->pending);
    bs_heap_free(heap, g, sizeof *g);
}

static bs_backend *grid_create(bs_heap *heap, const bs_boxes *boxes, const bs_settings *settings);

const bs_backend_type BS_VARIANT(bs_grid_type) = {
    .name = "grid",
    .create = grid_create,
    .destroy = grid_destroy,
    .insert = bs_grid_insert,
    .remove = bs_grid_remove,
    .update = bs_grid_update,
    .pairs = bs_grid_pairs,
    .cross = bs_grid_cross,
    .list = grid_list,
    .query = grid_query,
    .cast = bs_grid_cast,
    .stats = grid_stats,
    .shapes = grid_shapes,
    .check = grid_check,
};

static bs_backend *grid_create(bs_heap *heap, const bs_boxes *boxes, const bs_settings *settings) {
    bs_grid *g = bs_heap_new(heap, sizeof *g);
    if (g == NULL) {
        return NULL;
    }
    g->base = (bs_backend){&BS_VARIANT(bs_grid_type), heap, boxes, 0};
    g->used = 1;
    for (int i = 0; i < BS_GRID_LEVELS; i++) {
        bs_grid_reset_level(&g->level[i]);
    }
    assert(settings->cell_size >= 0);
    if (settings->cell_size > 0) {
        bs_grid_fix_edge(g, settings->cell_size);
    }
    return &g->base;
}
