/*
 * grid_change.c: inserting, removing and moving single boxes.
 *
 * What is inserted is only noted; grid_build.c files it before the next question, as by then it may
 * be so much that all is better made anew. A box that has moved within its cell, which is asked
 * without looking that up, gets new bounds where it is; else it is filed anew.
 */
#include "grid_parts.h"

bool bs_grid_insert(bs_backend *backend, uint32_t box) {
    bs_grid *g = bs_grid_of(backend);
    assert(box < backend->boxes->cap && g->pending.n < BS_GRID_PENDING);
    if (!bs_array_reserve(backend->heap, &g->place, &g->place_cap, (size_t)box + 1,
                          sizeof *g->place) ||
        !bs_list_add(backend->heap, &g->pending, box)) {
        return false;
    }
    g->place[box] = BS_GRID_PENDING | (uint32_t)(g->pending.n - 1);
    backend->count++;
    assert(bs_grid_is_pending(g, box) && g->pending.n <= backend->count);
    return true;
}

void bs_grid_remove(bs_backend *backend, uint32_t box) {
    bs_grid *g = bs_grid_of(backend);
    assert(backend->count > 0 && box < g->place_cap);
    uint32_t place = g->place[box];
    if ((place & BS_GRID_PENDING) != 0) {
        assert(bs_grid_is_pending(g, box));
        uint32_t last = g->pending.at[--g->pending.n];
        g->pending.at[place & ~BS_GRID_PENDING] = last;
        g->place[last] = place;
    } else {
        bs_grid_unfile(g, box);
    }
    backend->count--;
}

/*
 * True if the box still belongs to its cell, is no larger than the level reaches (so not too large
 * for it, either), and has bounds that are finite as floats. Never in a clamped cell.
 */
static inline bool grid_stays(const bs_grid *g, const bs_grid_link *link, const bs_rect *r) {
    assert(link->level < BS_GRID_LEVELS && link->count > 0);
    const bs_grid_level *l = &g->level[link->level];
    if (!(bs_grid_size(r) > l->stay)) {
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
static void grid_move(bs_grid *g, uint32_t box) {
    if (bs_grid_reserve_block(g)) {
        bs_grid_unfile(g, box);
        bs_grid_file(g, box);
    } else {
        uint32_t place = g->place[box];
        bs_bounds bounds = bs_bounds_of(&g->base.boxes->rect[box]);
        bs_block_set(&g->block[place / BS_LANES], (int)(place % BS_LANES), bounds, box);
        g->stale = true;
    }
}

/* Asks for what the update of one of the next boxes needs: there are `left` from boxes[0] on. */
BS_HOT void grid_fetch(const bs_grid *g, const uint32_t *boxes, size_t left) {
    if (left > 2 * BS_AHEAD) {
        bs_fetch_ahead(&g->place[boxes[2 * BS_AHEAD]]);
        uint32_t place = g->place[boxes[BS_AHEAD]];
        if ((place & BS_GRID_PENDING) == 0) {
            bs_fetch_ahead(&g->link[place / BS_LANES]);
            bs_block_fetch_ahead(&g->block[place / BS_LANES]);
        }
    }
}

void bs_grid_update(bs_backend *backend, const uint32_t *boxes, size_t n) {
    bs_grid *g = bs_grid_of(backend);
    bool far = backend->count >= BS_BOXES_FAR;
    for (size_t i = 0; i < n; i++) {
        uint32_t box = boxes[i];
        if (far) {
            grid_fetch(g, boxes + i, n - i);
        }
        assert(box < g->place_cap);
        uint32_t place = g->place[box];
        if ((place & BS_GRID_PENDING) != 0) {
            continue;
        }
        assert(bs_grid_is_filed(g, box));
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
