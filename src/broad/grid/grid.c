/* grid.c: the table of functions of the grid: changes and figures. It relies on grid.h. */
#include "grid.h"

/* --- making and changing --------------------------------------------------------------------- */

static bs_backend *grid_create(bs_heap *heap, const bs_boxes *boxes, const bs_settings *settings);

static void grid_destroy(bs_backend *backend) {
    bs_grid *g = bs_grid_of(backend);
    bs_heap *heap = backend->heap;
    g->rest->type->destroy(g->rest);
    bs_list_free(heap, &g->held);
    bs_list_free(heap, &g->changed);
    bs_array_free(heap, &g->place, &g->place_cap, sizeof *g->place);
    bs_array_free(heap, &g->head, &g->head_cap, sizeof *g->head);
    bs_array_free(heap, &g->block, &g->block_cap, sizeof *g->block);
    bs_heap_free(heap, g, sizeof *g);
}

/* Makes room for a box, and for each box up to it among the changes. */
static bool grid_reserve(bs_grid *g, uint32_t box) {
    bs_heap *heap = g->base.heap;
    size_t need = (size_t)box + 1;
    size_t known = g->place_cap;
    if (!bs_list_reserve(heap, &g->held, 1) ||
        !bs_list_reserve(heap, &g->changed, need > g->changed.n ? need - g->changed.n : 0) ||
        !bs_array_reserve(heap, &g->place, &g->place_cap, need, sizeof *g->place)) {
        return false;
    }
    memset(g->place + known, 0, (g->place_cap - known) * sizeof *g->place);
    return true;
}

static void grid_note(bs_grid *g, uint32_t box) {
    if ((g->place[box].state & BS_GRID_CHANGED) == 0) {
        assert(g->changed.n < g->changed.cap);
        g->changed.at[g->changed.n++] = box;
        g->place[box].state |= BS_GRID_CHANGED;
    }
}

static bool grid_insert(bs_backend *backend, uint32_t box) {
    bs_grid *g = bs_grid_of(backend);
    assert(box < backend->boxes->cap);
    if (!grid_reserve(g, box)) {
        return false;
    }
    assert((g->place[box].state & BS_GRID_HELD) == 0);
    g->place[box].state |= BS_GRID_HELD;
    g->place[box].position = (uint32_t)g->held.n;
    g->held.at[g->held.n++] = box;
    backend->count++;
    grid_note(g, box);
    return true;
}

/* The last held box gets its position. */
static void grid_remove(bs_backend *backend, uint32_t box) {
    bs_grid *g = bs_grid_of(backend);
    assert(backend->count > 0 && (g->place[box].state & BS_GRID_HELD) != 0);
    uint32_t position = g->place[box].position;
    uint32_t last = g->held.at[--g->held.n];
    g->held.at[position] = last;
    g->place[last].position = position;
    g->place[box].state &= (uint8_t)~BS_GRID_HELD;
    backend->count--;
    grid_note(g, box);
}

static void grid_update(bs_backend *backend, const uint32_t *boxes, size_t n) {
    bs_grid *g = bs_grid_of(backend);
    for (size_t i = 0; i < n; i++) {
        assert((g->place[boxes[i]].state & BS_GRID_HELD) != 0);
        grid_note(g, boxes[i]);
    }
}

static bool grid_list(const bs_backend *backend, bs_list *out) {
    const bs_grid *g = (const bs_grid *)backend;
    if (!bs_list_reserve(backend->heap, out, g->held.n)) {
        return false;
    }
    for (size_t i = 0; i < g->held.n; i++) {
        out->at[out->n++] = g->held.at[i];
    }
    return true;
}

/* --- figures --------------------------------------------------------------------------------- */

static double grid_edge(const bs_grid *g) {
    return g->fixed > 0 ? g->fixed : g->tuned > 0 ? 1 / (double)g->inverse : 0;
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
    bs_grid *g = bs_grid_of(backend);
    if (!bs_grid_sync(g)) {
        return false;
    }
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
    .create = grid_create,
    .destroy = grid_destroy,
    .insert = grid_insert,
    .remove = grid_remove,
    .update = grid_update,
    .pairs = bs_grid_pairs,
    .cross = bs_grid_cross,
    .list = grid_list,
    .query = bs_grid_query,
    .cast = bs_grid_cast,
    .stats = grid_stats,
    .pictures = grid_pictures,
};

static bs_backend *grid_create(bs_heap *heap, const bs_boxes *boxes, const bs_settings *settings) {
    bs_grid *g = bs_heap_new(heap, sizeof *g);
    if (g == NULL) {
        return NULL;
    }
    g->base = (bs_backend){&BS_VARIANT(bs_grid_type), heap, boxes, 0};
    g->fixed = settings->cell_size;
    g->rest = bs_backend_find("tree")->create(heap, boxes, settings);
    if (g->rest == NULL) {
        bs_heap_free(heap, g, sizeof *g);
        return NULL;
    }
    return &g->base;
}
