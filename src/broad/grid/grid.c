/* grid.c: the table of functions of the grid: changes and figures. It relies on grid.h. */
#include "grid.h"

/* --- making and changing --------------------------------------------------------------------- */

static bs_backend *grid_create(const bs_backend *base, const bs_settings *settings);

static void grid_destroy(bs_backend *backend) {
    bs_grid *g = bs_grid_of(backend);
    bs_heap *heap = backend->heap;
    bs_backend_free(g->rest);
    bs_list_free(heap, &g->held);
    bs_list_free(heap, &g->changed);
    bs_array_free(heap, &g->rests, &g->rests_cap, sizeof *g->rests);
    bs_array_free(heap, &g->place, &g->place_cap, sizeof *g->place);
    bs_array_free(heap, &g->head, &g->head_cap, sizeof *g->head);
    bs_array_free(heap, &g->block, &g->block_cap, sizeof *g->block);
    bs_heap_free(heap, g, sizeof *g);
}

/* Makes room for boxes below `reach`, and for each of them among the changes. */
static bool grid_reserve(bs_grid *g, size_t reach) {
    bs_heap *heap = g->base.heap;
    size_t known = g->place_cap;
    size_t need = reach > known ? reach : known;
    if (!bs_list_reserve(heap, &g->held, need > g->held.n ? need - g->held.n : 0) ||
        !bs_list_reserve(heap, &g->changed, need > g->changed.n ? need - g->changed.n : 0) ||
        !bs_array_reserve(heap, &g->rests, &g->rests_cap, need, sizeof *g->rests) ||
        !bs_array_reserve(heap, &g->place, &g->place_cap, need, sizeof *g->place)) {
        return false;
    }
    for (size_t box = known; box < g->place_cap; box++) {
        g->place[box] = (bs_grid_place){.state = 0};
        g->rests[box] = BS_NO_SET;
    }
    return true;
}

static void grid_note(bs_grid *g, uint32_t box) {
    if ((g->place[box].state & BS_GRID_CHANGED) == 0) {
        assert(g->changed.n < g->changed.cap);
        g->changed.at[g->changed.n++] = box;
        g->place[box].state |= BS_GRID_CHANGED;
    }
}

/* Notes a box that has come or left. Of those held the last one gets a free position. */
static void grid_look_at(bs_grid *g, uint32_t box) {
    if (box >= g->place_cap) { /* It came and left. */
        return;
    }
    bs_grid_place *p = &g->place[box];
    const bool holds = bs_backend_holds(&g->base, box);
    const bool held = (p->state & BS_GRID_HELD) != 0;
    if (holds && !held) {
        p->state |= BS_GRID_HELD;
        p->position = (uint32_t)g->held.n;
        g->held.at[g->held.n++] = box;
    } else if (!holds && held) {
        uint32_t last = g->held.at[--g->held.n];
        g->held.at[p->position] = last;
        g->place[last].position = p->position;
        p->state &= (uint8_t)~BS_GRID_HELD;
    }
    if (holds || held) {
        grid_note(g, box);
    }
}

static bool grid_build(bs_backend *backend) {
    bs_grid *g = bs_grid_of(backend);
    if (!grid_reserve(g, bs_backend_reach(backend, NULL))) {
        return false;
    }
    for (uint32_t box = 0; box < g->place_cap; box++) {
        grid_look_at(g, box);
    }
    return true;
}

static bool grid_sync(bs_backend *backend, const bs_changes *changes) {
    bs_grid *g = bs_grid_of(backend);
    if (!grid_reserve(g, bs_backend_reach(backend, changes))) {
        return false;
    }
    for (size_t i = 0; i < changes->replaced.n; i++) {
        grid_look_at(g, changes->replaced.at[i]);
    }
    const bs_list *moved = changes->all_moved ? &g->held : &changes->moved;
    for (size_t i = 0; i < moved->n; i++) {
        if (bs_backend_holds(&g->base, moved->at[i])) {
            grid_note(g, moved->at[i]);
        }
    }
    return true;
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
    bs_grid *g = bs_grid_of(backend);
    if (!bs_grid_is_filed(g)) {
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
    .lists_all = true,
    .create = grid_create,
    .destroy = grid_destroy,
    .build = grid_build,
    .sync = grid_sync,
    .pairs = bs_grid_pairs,
    .cross = bs_grid_cross,
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
