/*
 * grid_cast.c: what a moving box, or point, may meet: cell by cell.
 *
 * First the cells that the box touches at the start; then, whenever its front enters the next cell
 * along an axis, those beyond that side: from its back to its front along the other axes. For a
 * point that is the walk of Amanatides and Woo, "A fast voxel traversal algorithm for ray tracing",
 * 1987. So cells come in the order in which they are touched; the walk ends after the first hit.
 *
 *      +---+---+---+---+
 *      |   |   | 3 |   |      1: the start's cells
 *      +---+---+---+---+      2: entered along x
 *      | 1 | 2 | 3 |   |      3: entered along x, and touched along y, too
 *      +---+---+---+---+
 *
 * The walk is in doubles. A box is filed by its bounds as floats, which may be in the next cell if
 * they are near its side: so what moves is padded by more than that.
 */
#include "grid.h"

#include <stdlib.h>

enum { CELLS_ALWAYS = 64 }; /* so many are walked through, however few blocks there are */

/*
 * A walk, in cells. They are counted from the outermost ones in use, on each axis in the direction
 * of the motion: so all motion is upward.
 */
typedef struct grid_walk {
    double back[DIM];     /* the side of what moves that leaves cells, at the start, padded */
    double front[DIM];    /* the side that enters cells, at the start, padded */
    double motion[DIM];   /* >= 0 */
    double most[DIM];     /* the last cell in use */
    uint32_t stride[DIM]; /* from a cell's bucket to that of the next one */
    uint32_t start;       /* the bucket of cell 0 */
    int32_t lead[DIM];    /* the cell that the front is in now; -1: not yet in one in use */
    double next[DIM];     /* when the front enters the next cell in use; infinite: never */
    double pace[DIM];     /* the time that a cell takes */
} grid_walk;

/* Turns an axis around if the motion goes down: without a branch, as directions vary. */
static inline void grid_turn_axis(grid_walk *w, const bs_grid *g, int k) {
    const int32_t highest = g->hi[k] - g->lo[k];
    const int32_t down = w->motion[k] < 0;
    const double sign = 1 - 2 * down;
    const double end = (double)down * (highest + 1);
    const double a = w->back[k] * sign + end;
    const double b = w->front[k] * sign + end;
    w->back[k] = bs_min(a, b);
    w->front[k] = bs_max(a, b);
    w->motion[k] = fabs(w->motion[k]);
    w->most[k] = highest;
    w->stride[k] = (g->stride[k] ^ (uint32_t)-down) + (uint32_t)down; /* or minus that */
    w->start += (uint32_t)(g->lo[k] + highest * down) * g->stride[k];
}

/*
 * The sides are padded by what bounds as floats may be off, in cells, and by what doubles are off
 * that come from far away. False: too far away to be reckoned with.
 */
static inline bool grid_begin_walk(grid_walk *w, const bs_grid *g, const bs_cast *c) {
    const bs_axes inverse = bs_axes_set((double)g->inverse);
    double cells_from[DIM];
    double cells_around[DIM];
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        cells_from[k] = g->origin_cells[k] + g->lo[k];
        cells_around[k] = fabs(g->origin_cells[k]) + abs(g->lo[k]) + abs(g->hi[k]) + 1;
    }
    const bs_axes shift = bs_axes_load(cells_from);
    bs_axes pos = bs_axes_load(c->from->pos);
    bs_axes end = bs_axes_add(pos, bs_axes_load(c->from->size));
    bs_axes lo = bs_axes_sub(bs_axes_mul(pos, inverse), shift);
    bs_axes hi = bs_axes_sub(bs_axes_mul(end, inverse), shift);
    bs_axes motion = bs_axes_mul(bs_axes_load(c->motion), inverse);
    bs_axes away = bs_axes_add(bs_axes_abs(lo), bs_axes_abs(hi));
    bs_axes pad = bs_axes_mul(bs_axes_load(cells_around), bs_axes_set(0x1p-21));
    pad = bs_axes_add(pad, bs_axes_mul(away, bs_axes_set(0x1p-40)));
    bs_axes_store(w->back, bs_axes_sub(lo, pad));
    bs_axes_store(w->front, bs_axes_add(hi, pad));
    bs_axes_store(w->motion, motion);
    w->start = 0;
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        grid_turn_axis(w, g, k);
    }
    bs_axes sum = bs_axes_add(away, bs_axes_abs(motion));
    return bs_axes_less(sum, bs_axes_set(0x1p200)) == BS_AXES_ALL;
}

/* Sets when the front enters cells. False: it touches no cell in use. */
static inline bool grid_begin_steps(grid_walk *w) {
    bool any = true;
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        /* Cut off at 0 or above, which is rounding down. */
        double lead = bs_min(bs_max(w->front[k] + 1, 0), w->most[k] + 1);
        w->lead[k] = (int32_t)lead - 1;
        w->pace[k] = 1 / w->motion[k];
        double next = (w->lead[k] + 1 - w->front[k]) * w->pace[k];
        w->next[k] = w->lead[k] < w->most[k] ? next : HUGE_VAL;
        any &= w->back[k] < w->most[k] + 1 && w->front[k] + w->motion[k] >= 0;
    }
    return any;
}

/* The first cell, along an axis, that is touched at time t; behind the last one in use: none is. */
static inline int32_t grid_tail(const grid_walk *w, int k, double t) {
    double back = w->back[k] + w->motion[k] * t;
    return (int32_t)bs_min(bs_max(back, 0), w->most[k] + 1);
}

/* True if the walk is through more cells than there are blocks. */
static inline bool grid_is_long(const grid_walk *w, const bs_grid *g) {
    double all = 1;
    double steps[DIM];
    double width[DIM];
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        steps[k] = bs_min(w->front[k] - w->back[k] + w->motion[k], w->most[k]) + 1;
        width[k] = bs_min(w->front[k] - w->back[k] + 2, w->most[k] + 1);
        all *= steps[k];
    }
    if (all <= CELLS_ALWAYS) { /* mostly */
        return false;
    }
    double cells = 0;
    for (int k = 0; k < DIM; k++) {
        double face = steps[k];
        for (int j = 0; j < DIM; j++) {
            face *= j != k ? width[j] : 1;
        }
        cells += face;
    }
    return cells > CELLS_ALWAYS + (double)g->used;
}

/* Visits the cells from `tail` to `lead`, in a row along axis 0, of rows along the others. */
BS_HOT void grid_visit(const grid_walk *w, const bs_grid *g, const int32_t tail[DIM], bs_cast *c) {
    const bs_cast8 test = bs_cast8_of(c);
    bs_pairs wait = bs_cast_wait(c);
    int32_t cell[3] = {0};
    for (cell[2] = DIM == 3 ? tail[DIM - 1] : 0; cell[2] <= (DIM == 3 ? w->lead[DIM - 1] : 0);
         cell[2]++) {
        for (cell[1] = tail[1]; cell[1] <= w->lead[1]; cell[1]++) {
            uint32_t bucket = w->start + (uint32_t)tail[0] * w->stride[0] +
                              (uint32_t)cell[1] * w->stride[1] +
                              (DIM == 3 ? (uint32_t)cell[2] * w->stride[DIM - 1] : 0);
            for (cell[0] = tail[0]; cell[0] <= w->lead[0]; cell[0]++) {
                uint32_t block = g->head[bucket & g->mask];
                do { /* an empty cell, too, has a block: whether it has one cannot be predicted */
                    bs_cast8_gather(&test, &g->block[block].boxes, c->boxes->rect, &wait);
                    if (__builtin_expect(wait.n > BS_CAST_ROOM, 0)) {
                        bs_cast_decide(c, wait.n);
                        wait.n = 0;
                    }
                    block = g->block[block].next;
                } while (block != 0);
                bucket += w->stride[0];
            }
        }
    }
    bs_cast_decide(c, wait.n);
}

static void grid_walk_through(grid_walk *w, const bs_grid *g, bs_cast *c) {
    int32_t tail[DIM];
    double t = 0;
    for (int k = 0; k < DIM; k++) {
        tail[k] = grid_tail(w, k, 0);
    }
    for (;;) {
        grid_visit(w, g, tail, c);
        const int axis = bs_axes_least(bs_axes_load(w->next), &t);
        if (t > (double)c->limit) {
            return;
        }
        w->lead[axis]++;
        w->next[axis] = w->lead[axis] < w->most[axis] ? w->next[axis] + w->pace[axis] : HUGE_VAL;
#pragma GCC unroll 3
        for (int k = 0; k < DIM; k++) {
            tail[k] = grid_tail(w, k, t);
        }
        tail[axis] = w->lead[axis];
    }
}

BS_LINED bool bs_grid_cast(bs_backend *backend, bs_cast *c) {
    bs_grid *g = bs_grid_of(backend);
    grid_walk w;
    if (!bs_grid_sync(g) || (g->rest->count > 0 && !g->rest->type->cast(g->rest, c))) {
        return false;
    }
    if (g->entries == 0) {
        return true;
    }
    bs_cast_prepare(c);
    bool near = grid_begin_walk(&w, g, c);
    if (near && !grid_is_long(&w, g)) {
        if (grid_begin_steps(&w)) {
            grid_walk_through(&w, g, c);
        }
        return true;
    }
    for (uint32_t block = 1; block < g->used; block++) {
        bs_cast_visit_block(c, &g->block[block].boxes);
    }
    return true;
}
