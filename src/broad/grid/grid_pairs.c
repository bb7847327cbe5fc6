/*
 * grid_pairs.c: pairs and rectangles. Each is reported in one of the cells where it is found
 * (grid.h).
 */
#include "grid.h"

/* --- rectangles ------------------------------------------------------------------------------ */

/* A query. */
typedef struct grid_asked {
    const bs_rect *rect;
    bs_bounds bounds;    /* The bounds of the rectangle. */
    int32_t first[DIM];  /* The least cell that it reaches into. */
    bs_grid_range range; /* The cells with boxes among those that it reaches into. */
} grid_asked;

/* Begins a query. Returns false if it reaches into no cell with boxes. */
static bool grid_ask(grid_asked *q, const bs_grid *g, const bs_rect *r) {
    bool any = g->entries > 0;
    q->rect = r;
    q->bounds = bs_bounds_of(r);
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        int32_t last = bs_grid_cell(g, k, q->bounds.hi[k]);
        q->first[k] = bs_grid_cell(g, k, q->bounds.lo[k]);
        q->range.lo[k] = q->first[k] > g->lo[k] ? q->first[k] : g->lo[k];
        q->range.hi[k] = last < g->hi[k] ? last : g->hi[k];
        any &= q->range.lo[k] <= q->range.hi[k];
    }
    return any;
}

/*
 * Appends the boxes of a block that overlap the rectangle and are reported in its cell: on each
 * axis the box or the rectangle begins there.
 */
static inline bool grid_query_block(const bs_grid *g, uint32_t block, const grid_asked *q,
                                    bs_list *out) {
    const bs_grid_block *b = &g->block[block];
    unsigned told = BS_ALL_LANES;
    if (!bs_list_reserve(g->base.heap, out, BS_LANES)) {
        return false;
    }
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        unsigned rect_begins = b->cell[k] == q->first[k] ? BS_ALL_LANES : 0;
        told &= b->cell[k] >= q->first[k] ? b->begins[k] | rect_begins : 0;
    }
    told &= bs_block_overlap(&b->boxes, g->base.boxes, q->rect, &q->bounds);
    bs_append(out, b->boxes.id, told);
    return true;
}

/* Appends the boxes in cells that overlap a rectangle. */
static bool grid_query_cells(const bs_grid *g, const bs_rect *r, bs_list *out) {
    grid_asked q;
    if (!grid_ask(&q, g, r)) {
        return true;
    }
    double cells = 1;
    for (int k = 0; k < DIM; k++) {
        cells *= (double)q.range.hi[k] - q.range.lo[k] + 1;
    }
    if (cells > g->used) { /* There are fewer blocks than cells. */
        for (uint32_t block = 1; block < g->used; block++) {
            if (g->block[block].count > 0 && !grid_query_block(g, block, &q, out)) {
                return false;
            }
        }
        return true;
    }
    int32_t cell[DIM];
    memcpy(cell, q.range.lo, sizeof cell);
    do {
        for (uint32_t block = g->head[bs_grid_bucket(g, cell)]; block != 0;
             block = g->block[block].next) {
            if (bs_grid_is_of(&g->block[block], cell) && !grid_query_block(g, block, &q, out)) {
                return false;
            }
        }
    } while (bs_grid_next_cell(&q.range, cell));
    return true;
}

bool bs_grid_query(bs_backend *backend, const bs_rect *r, bs_list *out) {
    bs_grid *g = bs_grid_of(backend);
    return grid_query_cells(g, r, out) &&
           (g->rest->count == 0 || bs_backend_query(bs_grid_rest(g), r, out));
}

/* --- pairs ----------------------------------------------------------------------------------- */

/*
 * Appends the pairs of two blocks of a cell, or of a block with itself, that are reported in it: on
 * each axis one of the two boxes begins there. Room must have been reserved.
 */
BS_HOT void grid_join_blocks(const bs_grid *g, const bs_grid_block *a, const bs_grid_block *b,
                             bs_pairs *out) {
    const bs_boxes boxes = *g->base.boxes; /* A copy, as stores might change the other. */
    assert(bs_grid_is_of(a, b->cell));
    for (unsigned lane = 0; lane < a->count; lane++) {
        const float *one = bs_block_lane(&a->boxes, (int)lane);
        unsigned told = a == b ? BS_ALL_LANES & ~1u << lane : BS_ALL_LANES;
#pragma GCC unroll 3
        for (int k = 0; k < DIM; k++) {
            told &= b->begins[k] | -(a->begins[k] >> lane & 1u);
        }
        const uint32_t box = *bs_lane_id(one);
        told &=
            bs_overlaps(bs_block_apart_lane(&b->boxes, one), b->boxes.id, &boxes, &boxes.rect[box]);
        bs_append_pairs(out, box, b->boxes.id, told);
    }
}

/* Joins a block with itself and with the following blocks of its cell. */
static bool grid_join_block(const bs_grid *g, uint32_t a, bs_pairs *out) {
    for (uint32_t b = a; b != 0; b = g->block[b].next) {
        if (!bs_grid_is_of(&g->block[b], g->block[a].cell)) {
            continue;
        }
        if (!bs_pairs_reserve(g->base.heap, out, BS_LANES * BS_LANES)) {
            return false;
        }
        bs_pairs to = *out; /* A copy, so that its count can stay in a register. */
        grid_join_blocks(g, &g->block[a], &g->block[b], &to);
        out->n = to.n;
    }
    return true;
}

/* Joins resting boxes with each other and with those in cells. */
static bool grid_join_rest(bs_grid *g, bs_pairs *out) {
    bs_heap *heap = g->base.heap;
    bs_list *found = &g->base.found;
    bool done = bs_backend_pairs(bs_grid_rest(g), out);
    for (uint32_t box = 0; done && box < g->place_cap; box++) {
        if (g->rests[box] != BS_NO_SET) {
            found->n = 0;
            done = grid_query_cells(g, &g->base.boxes->rect[box], found) &&
                   bs_pairs_reserve(heap, out, found->n);
            for (size_t i = 0; done && i < found->n; i++) {
                out->at[out->n++] = bs_pair_of(box, found->at[i]);
            }
        }
    }
    return done;
}

bool bs_grid_pairs(bs_backend *backend, bs_pairs *out) {
    bs_grid *g = bs_grid_of(backend);
    for (uint32_t block = 1; block < g->used; block++) {
        if (g->block[block].count > 0 && !grid_join_block(g, block, out)) {
            return false;
        }
    }
    return g->rest->count == 0 || grid_join_rest(g, out);
}
