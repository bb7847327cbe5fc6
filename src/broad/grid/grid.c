/* grid.c: the table of functions of the grid, and its figures. It relies on grid.h. */
#include "grid.h"

/* --- making and ending ----------------------------------------------------------------------- */

static bs_backend *grid_create(const bs_backend *base, const bs_settings *settings);

static void grid_destroy(bs_backend *backend) {
    bs_grid *g = bs_grid_of(backend);
    bs_heap *heap = backend->heap;
    bs_backend_free(g->rest);
    bs_list_free(heap, &g->order);
    bs_array_free(heap, &g->rests, &g->rests_cap, sizeof *g->rests);
    bs_array_free(heap, &g->place, &g->place_cap, sizeof *g->place);
    bs_array_free(heap, &g->head, &g->head_cap, sizeof *g->head);
    bs_array_free(heap, &g->block, &g->block_cap, sizeof *g->block);
    bs_heap_free(heap, g, sizeof *g);
}

/* --- figures --------------------------------------------------------------------------------- */

static double grid_edge(const bs_grid *g) {
    return g->fixed > 0 ? g->fixed : g->tuning.count > 0 ? 1 / (double)g->inverse : 0;
}

static void grid_stats(const bs_backend *backend, bs_stats *out) {
    const bs_grid *g = (const bs_grid *)backend;
    out->boxes = backend->count;
    out->cell_size = grid_edge(g);
    out->cells = g->cells;
    out->resting = g->rest->count;
    out->nodes = g->in_use;
    out->rebuilds = g->rebuilds;
}

/* The cells with boxes. */
static bool grid_pictures(bs_backend *backend, bs_pictures *out) {
    const bs_grid *g = bs_grid_of(backend);
    for (uint32_t block = 1; block < g->used; block++) {
        const bs_grid_block *b = &g->block[block];
        bs_rect r;
        for (int k = 0; k < DIM; k++) {
            r.pos[k] = (double)g->origin[k] + b->cell[k] / (double)g->inverse;
            r.size[k] = 1 / (double)g->inverse;
        }
        if (b->count > 0 && bs_grid_find(g, b->cell) == block &&
            !bs_pictures_add(backend->heap, out, BS_PICTURE_CELL, &r)) {
            return false;
        }
    }
    return true;
}

const bs_backend_type BS_VARIANT(bs_grid_type) = {
    .name = "grid",
    .lists_all = true,
    .create = grid_create,
    .destroy = grid_destroy,
    .build = bs_grid_build,
    .sync = bs_grid_sync,
    .pairs = bs_grid_pairs,
    .query = bs_grid_query,
    .cast = bs_grid_cast,
    .stats = grid_stats,
    .pictures = grid_pictures,
};

static bs_backend *grid_create(const bs_backend *base, const bs_settings *settings) {
    bs_grid *g = bs_heap_new(base->heap, sizeof *g);
    if (g == NULL) {
        return NULL;
    }
    g->base = *base;
    g->fixed = settings->cell_size;
    g->rest = bs_backend_new(bs_backend_find("tree"), base->heap, &g->rest_boxes, BS_GRID_RESTS, 0,
                             settings);
    if (g->rest == NULL) {
        bs_heap_free(base->heap, g, sizeof *g);
        return NULL;
    }
    return &g->base;
}
