/*
 * grid.c: a loose hierarchical hash grid.
 *
 * Every box is in exactly one cell: of the level that its largest size asks for, and there of the
 * cell that its least corner is in. So a pair is found in one way only, nothing has to be sorted
 * out, and a box that moves changes one place. It reaches out of its cell, by less than a cell's
 * edge: who looks for boxes looks so much farther on the low side ("loose"). Hierarchical grids:
 * Ericson, "Real-time collision detection", 2005, 7.2; loose cells: Ulrich, "Loose octrees", 2000.
 *
 *      grid_cells.h    cells, and how boxes are filed in them
 *      grid_build.h    making all anew; the size of cells
 *      grid_join.h     pairs
 *      grid_cast.h     casts
 *
 * Changes O(1) each. Queries and casts go through the cells that they touch, or through all blocks
 * if those are fewer. Pairs O(n) plus what they find, if cells hold few boxes each.
 */
#include "grid_build.h"
#include "grid_cast.h"
#include "grid_cells.h"
#include "grid_join.h"

/* --- changes -------------------------------------------------------------------------------- */

static bool grid_insert(bs_backend *backend, uint32_t box) {
    grid *g = grid_of(backend);
    assert(box < backend->boxes->cap && g->pending.n < GRID_PENDING);
    if (!bs_array_reserve(backend->heap, &g->place, &g->place_cap, (size_t)box + 1,
                          sizeof *g->place) ||
        !bs_list_add(backend->heap, &g->pending, box)) {
        return false;
    }
    g->place[box] = GRID_PENDING | (uint32_t)(g->pending.n - 1);
    backend->count++;
    assert(grid_is_pending(g, box) && g->pending.n <= backend->count);
    return true;
}

static void grid_remove(bs_backend *backend, uint32_t box) {
    grid *g = grid_of(backend);
    assert(backend->count > 0 && box < g->place_cap);
    uint32_t place = g->place[box];
    if ((place & GRID_PENDING) != 0) {
        assert(grid_is_pending(g, box));
        uint32_t last = g->pending.at[--g->pending.n];
        g->pending.at[place & ~GRID_PENDING] = last;
        g->place[last] = place;
    } else {
        grid_unfile(g, box);
    }
    backend->count--;
}

/*
 * True if the box still belongs to its cell, is no larger than the level reaches (so not too large
 * for it, either), and has bounds that are finite as floats. Never in a clamped cell.
 */
static inline bool grid_stays(const grid *g, const grid_link *link, const bs_rect *r) {
    assert(link->level < GRID_LEVELS && link->count > 0);
    const grid_level *l = &g->level[link->level];
    if (!(grid_size(r) > l->stay)) {
        return false;
    }
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        double x = r->pos[k] * l->inverse;
        double cell = link->cell[k];
        if (!(x >= cell) || !(x < cell + 1) || !(r->size[k] <= l->reach[k])) {
            return false;
        }
    }
    return true;
}

/* Files a box anew; without memory for that it stays where it is for the time being. */
static void grid_move(grid *g, uint32_t box) {
    if (grid_reserve_block(g)) {
        grid_unfile(g, box);
        grid_file(g, box);
    } else {
        uint32_t place = g->place[box];
        bs_bounds bounds = bs_bounds_of(&g->base.boxes->rect[box]);
        bs_block_set(&g->block[place / BS_LANES], (int)(place % BS_LANES), bounds, box);
        g->stale = true;
    }
}

static void grid_update(bs_backend *backend, const uint32_t *boxes, size_t n) {
    grid *g = grid_of(backend);
    for (size_t i = 0; i < n; i++) {
        uint32_t box = boxes[i];
        assert(box < g->place_cap);
        uint32_t place = g->place[box];
        if ((place & GRID_PENDING) != 0) {
            continue;
        }
        assert(grid_is_filed(g, box));
        const bs_rect *r = &backend->boxes->rect[box];
        if (!grid_stays(g, &g->link[place / BS_LANES], r)) {
            grid_move(g, box);
            continue;
        }
        bs_block *block = &g->block[place / BS_LANES];
#pragma GCC unroll 3
        for (int k = 0; k < DIM; k++) { /* as bs_round, without asking whether they are finite */
            block->lo[k][place % BS_LANES] = (float)r->pos[k] + 0.0f;
            block->hi[k][place % BS_LANES] = (float)bs_far(r, k) + 0.0f;
            assert(isfinite(block->lo[k][place % BS_LANES]));
            assert(isfinite(block->hi[k][place % BS_LANES]));
        }
    }
}

/* --- questions ------------------------------------------------------------------------------ */

static bool grid_pairs(bs_backend *backend, bs_pairs *out) {
    grid *g = grid_of(backend);
    return grid_sync(g) && grid_join_grids(g, g, true, out);
}

static bool grid_cross(bs_backend *backend, bs_backend *other, bs_pairs *out) {
    grid *a = grid_of(backend);
    grid *b = grid_of(other);
    assert(a != b && backend->boxes == other->boxes);
    return grid_sync(a) && grid_sync(b) && grid_join_grids(a, b, true, out) &&
           grid_join_grids(b, a, false, out);
}

static bool grid_list(const bs_backend *backend, bs_list *out) {
    const grid *g = (const grid *)backend;
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

static inline bool grid_query_block(const grid *g, uint32_t block, const grid_question *q) {
    assert(block != GRID_NONE && block < g->used && g->link[block].count > 0);
    bs_list *out = q->out;
    if (out->n + 2 * BS_LANES > out->cap && !bs_list_reserve(g->base.heap, out, BS_LANES)) {
        return false;
    }
    const bs_block *b = &g->block[block];
    bs_append(out, b->id, bs_block_overlap(b, g->base.boxes, q->r, &q->bounds));
    return true;
}

static bool grid_query_range(const grid *g, int level, const grid_range *range,
                             const grid_question *q) {
    grid_walk w;
    grid_walk_begin(&w, level, range);
    uint32_t found[GRID_SOME];
    for (int n; (n = grid_walk_next(g, &w, found)) > 0;) {
        for (int i = 0; i < n; i++) {
            uint32_t block = found[i];
            do {
                if (!grid_query_block(g, block, q)) {
                    return false;
                }
            } while ((block = g->link[block].next) != GRID_NONE);
        }
    }
    return true;
}

/* All blocks of a set of levels. */
static bool grid_query_levels(const grid *g, unsigned levels, const grid_question *q) {
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
    grid *g = grid_of(backend);
    if (!grid_sync(g)) {
        return false;
    }
    assert(grid_is_synced(g));
    grid_question q = {r, bs_bounds_of(r), out};
    double far[DIM];
    for (int k = 0; k < DIM; k++) {
        far[k] = bs_far(r, k);
    }
    unsigned rest = 0;
    for (unsigned levels = g->levels; levels != 0; levels &= levels - 1) {
        int level = bs_first_lane(levels);
        grid_range range;
        if (!grid_range_of(&g->level[level], r->pos, far, &range)) {
            continue;
        }
        if (grid_range_cells(&range) > g->used) {
            rest |= 1u << level;
        } else if (!grid_query_range(g, level, &range, &q)) {
            return false;
        }
    }
    return grid_query_levels(g, rest, &q);
}

static bool grid_cast(bs_backend *backend, bs_cast *cast) {
    grid *g = grid_of(backend);
    if (!grid_sync(g)) {
        return false;
    }
    grid_visit_cast(g, cast);
    return true;
}

/* --- figures and pictures ------------------------------------------------------------------- */

static void grid_stats(const bs_backend *backend, bs_stats *out) {
    const grid *g = (const grid *)backend;
    assert(g->in_use < g->used && g->cells <= g->in_use && g->levels >> GRID_LEVELS == 0);
    out->boxes = backend->count;
    out->nodes = g->in_use;
    out->cells = g->cells;
    out->cell_size = g->level[0].edge;
    out->levels = bs_count_lanes(g->levels);
    out->rebuilds = g->rebuilds;
}

/* The cells in use; not the last level's, which has no bounds. */
static bool grid_shapes(bs_backend *backend, bs_shapes *out) {
    grid *g = grid_of(backend);
    if (!grid_sync(g)) {
        return false;
    }
    for (uint32_t block = 1; block < g->used; block++) {
        const grid_link *link = &g->link[block];
        if (!link->first || link->level == GRID_HUGE) {
            continue;
        }
        assert(link->count > 0 && link->level < GRID_HUGE);
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
static const char *grid_check_box(const grid *g, uint32_t block, int lane) {
    const grid_link *link = &g->link[block];
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
    bool right = grid_is_cell(link, grid_cell_of(g, r, cell), cell);
    for (int k = 0; k < DIM; k++) {
        right &= r->size[k] <= g->level[link->level].reach[k];
    }
    return right ? NULL : "grid: a box is in a wrong cell";
}

static const char *grid_check_block(const grid *g, uint32_t block) {
    const grid_link *link = &g->link[block];
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
static const char *grid_check_cell(const grid *g, uint32_t first, size_t *blocks, size_t *boxes) {
    const grid_link *link = &g->link[first];
    if (link->count == 0 || link->level >= GRID_LEVELS || (g->levels >> link->level & 1) == 0) {
        return "grid: a cell in use is empty or of no level";
    }
    const grid_level *l = &g->level[link->level];
    for (int k = 0; k < DIM; k++) {
        if (link->cell[k] < l->lo[k] || link->cell[k] > l->hi[k]) {
            return "grid: a cell is outside of its level's range";
        }
    }
    if (grid_find(g, grid_bucket(g, link->level, link->cell), link->level, link->cell) != first) {
        return "grid: a cell is not found";
    }
    for (uint32_t block = first; block != GRID_NONE; block = g->link[block].next) {
        const grid_link *own = &g->link[block];
        if (!grid_is_cell(own, link->level, link->cell) || own->first != (block == first)) {
            return "grid: a block is in another cell's list";
        }
        if (++*blocks > g->in_use) {
            return "grid: a cell's blocks form a circle";
        }
        *boxes += own->count;
    }
    return NULL;
}

static const char *grid_check_counts(const grid *g, const size_t cells[GRID_LEVELS],
                                     const size_t boxes[GRID_LEVELS], size_t blocks) {
    size_t all_cells = 0;
    size_t all_boxes = g->pending.n;
    for (int i = 0; i < GRID_LEVELS; i++) {
        if (cells[i] != g->level[i].cells || boxes[i] != g->level[i].boxes ||
            (cells[i] > 0) != (g->levels >> i & 1)) {
            return "grid: a level's count is wrong";
        }
        all_cells += cells[i];
        all_boxes += boxes[i];
    }
    size_t unused = 0;
    for (uint32_t block = g->free; block != GRID_NONE; block = g->link[block].next) {
        if (g->link[block].count > 0 || ++unused > g->used) {
            return "grid: the list of free blocks is broken";
        }
    }
    bool right = all_cells == g->cells && all_boxes == g->base.count && blocks == g->in_use &&
                 blocks + unused + 1 == g->used;
    return right ? NULL : "grid: a count is wrong";
}

static const char *grid_check_pending(const grid *g) {
    for (size_t i = 0; i < g->pending.n; i++) {
        if (g->place[g->pending.at[i]] != (GRID_PENDING | (uint32_t)i)) {
            return "grid: a pending box does not know its place";
        }
    }
    if (g->head_cap == 0) {
        return NULL;
    }
    const grid_link *none = &g->link[GRID_NONE];
    bool unused = none->level == UINT8_MAX && !none->first && none->count == 0 &&
                  none->next == GRID_NONE && none->next_cell == GRID_NONE;
    return unused ? NULL : "grid: block 0 is in use";
}

static const char *grid_check(const bs_backend *backend) {
    const grid *g = (const grid *)backend;
    size_t cells[GRID_LEVELS] = {0};
    size_t boxes[GRID_LEVELS] = {0};
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
    grid *g = grid_of(backend);
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
    .insert = grid_insert,
    .remove = grid_remove,
    .update = grid_update,
    .pairs = grid_pairs,
    .cross = grid_cross,
    .list = grid_list,
    .query = grid_query,
    .cast = grid_cast,
    .stats = grid_stats,
    .shapes = grid_shapes,
    .check = grid_check,
};

static bs_backend *grid_create(bs_heap *heap, const bs_boxes *boxes, const bs_settings *settings) {
    grid *g = bs_heap_new(heap, sizeof *g);
    if (g == NULL) {
        return NULL;
    }
    g->base = (bs_backend){&BS_VARIANT(bs_grid_type), heap, boxes, 0};
    g->used = 1;
    for (int i = 0; i < GRID_LEVELS; i++) {
        grid_reset_level(&g->level[i]);
    }
    assert(settings->cell_size >= 0);
    if (settings->cell_size > 0) {
        g->fixed = grid_clamp_edge(settings->cell_size);
        grid_set_edge(g, g->fixed);
    }
    return &g->base;
}
