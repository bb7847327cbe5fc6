/*
 * grid_cast.c: which boxes a moving box, or point, may meet, cell by cell. It relies on grid.h.
 *
 * First come the cells that the box touches at the start. Whenever its front enters the next cell
 * along an axis, the cells beyond that side follow, from its back to its front along the other
 * axes. For a point this is the walk of Amanatides and Woo, "A fast voxel traversal algorithm for
 * ray tracing", 1987. So cells come in the order in which they are touched, and the walk ends after
 * the first hit.
 *
 *      +---+---+---+---+
 *      |   |   | 3 |   |      1: the start's cells
 *      +---+---+---+---+      2: entered along x
 *      | 1 | 2 | 3 |   |      3: entered along x, and touched along y, too
 *      +---+---+---+---+
 *
 * The walk is in doubles. A box is filed by its bounds as floats, which may be in the next cell if
 * they are near its side. So the moving box is padded by more than that.
 */
#include "grid.h"

enum { CELLS_ALWAYS = 64 }; /* The walk takes so many, however few blocks there are. */

/*
 * A walk, in cells. On each axis cells are counted in the direction of the motion, from the first
 * one in use. So all motion is upward.
 */
typedef struct grid_walk {
    double back[DIM];     /* The side of the moving box that leaves cells, at the start, padded. */
    double front[DIM];    /* The side that enters cells, at the start, padded. */
    double motion[DIM];   /* How many cells it goes, >= 0. */
    double pace[DIM];     /* The time that a cell takes. */
    double next[DIM];     /* When the front enters the next cell in use; infinite: never. */
    int32_t lead[DIM];    /* The cell that the front is in now; -1 before the first one in use. */
    int32_t tail[DIM];    /* The first cell to be visited; beyond `last` if there is none. */
    int32_t last[DIM];    /* The last cell in use. */
    uint32_t stride[DIM]; /* From a cell's bucket to that of the next one. */
    uint32_t start;       /* The bucket of cell 0. */
} grid_walk;

/* When the front enters the cell behind the one that it is in. */
static inline double grid_next(const grid_walk *w, int k) {
    double next = (w->lead[k] + 1 - w->front[k]) * w->pace[k];
    return w->lead[k] < w->last[k] ? next : HUGE_VAL;
}

/* The first cell that is touched at time t. */
static inline int32_t grid_tail(const grid_walk *w, int k, double t) {
    double back = w->back[k] + w->motion[k] * t;
    return (int32_t)bs_min(bs_max(back, 0), w->last[k] + 1);
}

/*
 * Turns an axis around if the motion goes down, and finds the first cells. It has no branch, as
 * directions vary. Returns false if no cell in use is touched.
 */
static inline bool grid_begin_axis(grid_walk *w, const bs_grid *g, int k, double from_middle,
                                   double reach) {
    const uint32_t down = signbit(w->motion[k]) != 0;
    const double middle = copysign(1, w->motion[k]) * from_middle + g->half[k];
    w->back[k] = middle - reach;
    w->front[k] = middle + reach;
    w->motion[k] = fabs(w->motion[k]);
    w->pace[k] = 1 / w->motion[k];
    w->last[k] = g->hi[k] - g->lo[k];
    w->stride[k] = (g->stride[k] ^ -down) + down; /* Negated if `down`. */
    w->start += ((uint32_t)g->lo[k] + (uint32_t)w->last[k] * down) * g->stride[k];
    /* Cut off at 0 or above, which is rounding down. */
    w->lead[k] = (int32_t)bs_min(bs_max(w->front[k] + 1, 0), w->last[k] + 1) - 1;
    w->next[k] = grid_next(w, k);
    w->tail[k] = grid_tail(w, k, 0);
    return w->back[k] < w->last[k] + 1 && w->front[k] + w->motion[k] >= 0;
}

/*
 * The sides are padded by what bounds as floats may be off, in cells, and by the rounding of
 * doubles far away. *touches says whether a cell in use is touched. Returns false if the way is too
 * far away for this arithmetic.
 */
static inline bool grid_begin_walk(grid_walk *w, const bs_grid *g, const bs_cast *c,
                                   bool *touches) {
    const double inverse = (double)g->inverse;
    bool near = true;
    w->start = 0;
    *touches = true;
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        double half = c->from->size[k] * 0.5 * inverse;
        double from_middle = c->from->pos[k] * inverse + half - g->middle[k];
        double away = fabs(from_middle) + half;
        w->motion[k] = c->motion[k] * inverse;
        near &= away + fabs(w->motion[k]) < 0x1p200;
        *touches &= grid_begin_axis(w, g, k, from_middle, half + (g->pad[k] + away * 0x1p-40));
    }
    return near;
}

/* Gathers the boxes of one block that may be met, without a branch. */
BS_HOT void grid_gather(const bs_cast8 *test, const bs_block *b, bs_pairs *wait) {
    bs_times8 t = bs_cast8_test(test, b);
    unsigned mask = bs_f8_le(t.enter, t.leave);
    bs_cast8_append(test, b, t.enter, mask, wait);
}

/* Gathers the boxes in a row of cells along axis 0. An empty cell has an empty block, as a branch
 * for it could not be predicted. */
BS_HOT void grid_visit_row(const grid_walk *w, const bs_grid *g, uint32_t bucket, bs_cast8 *test,
                           bs_cast *c, bs_pairs *wait) {
    for (int32_t x = w->tail[0]; x <= w->lead[0]; x++) {
        uint32_t block = g->head[bucket & g->mask];
        do {
            grid_gather(test, &g->block[block].boxes, wait);
            if (__builtin_expect(wait->n > BS_CAST_ROOM, 0)) {
                bs_cast_decide(c, wait->n);
                wait->n = 0;
            }
            block = g->block[block].next;
        } while (block != 0);
        bucket += w->stride[0];
    }
}

/* Decides the boxes in the cells from `tail` to `lead`. */
BS_HOT void grid_visit(const grid_walk *w, const bs_grid *g, bs_cast8 *test, bs_cast *c) {
    bs_pairs wait = bs_cast_wait(c);
    const int32_t first_z = DIM == 3 ? w->tail[DIM - 1] : 0;
    const int32_t last_z = DIM == 3 ? w->lead[DIM - 1] : 0;
    for (int32_t z = first_z; z <= last_z; z++) {
        for (int32_t y = w->tail[1]; y <= w->lead[1]; y++) {
            uint32_t bucket = w->start + (uint32_t)w->tail[0] * w->stride[0] +
                              (uint32_t)y * w->stride[1] +
                              (DIM == 3 ? (uint32_t)z * w->stride[DIM - 1] : 0);
            grid_visit_row(w, g, bucket, test, c, &wait);
        }
    }
    if (wait.n > 0) {
        bs_cast_decide(c, wait.n);
        test->limit = bs_f8_set(c->limit);
    }
}

/* The axis along which a cell is entered next, and when. Of two, it is the lower one. */
static inline int grid_next_axis(const grid_walk *w, double *t) {
    int axis = 0;
    *t = w->next[0];
#pragma GCC unroll 2
    for (int k = 1; k < DIM; k++) {
        axis = w->next[k] < *t ? k : axis;
        *t = bs_min(w->next[k], *t);
    }
    return axis;
}

/* Walks. Returns false if it gave up, as there are more cells on the way than blocks. */
static bool grid_walk_through(grid_walk *w, const bs_grid *g, bs_cast *c) {
    bs_cast8 test = bs_cast8_of(c);
    uint64_t cells = 0;
    double t = 0;
    for (;;) {
        uint64_t visited = 1;
#pragma GCC unroll 3
        for (int k = 0; k < DIM; k++) {
            int32_t wide =
                w->lead[k] - w->tail[k] + 1; /* 0 if it is not yet in the cells on that axis. */
            visited *= (uint64_t)(wide > 0 ? wide : 0);
        }
        cells += visited + 1;
        if (cells > CELLS_ALWAYS + (uint64_t)g->used) {
            return false;
        }
        if (visited > 0) {
            grid_visit(w, g, &test, c);
        }
        const int axis = grid_next_axis(w, &t);
        if (t > (double)c->limit) {
            return true;
        }
        w->lead[axis]++;
        w->next[axis] = grid_next(w, axis);
#pragma GCC unroll 3
        for (int k = 0; k < DIM; k++) {
            w->tail[k] = grid_tail(w, k, t);
        }
        w->tail[axis] = w->lead[axis];
    }
}

BS_LINED bool bs_grid_cast(bs_backend *backend, bs_cast *c) {
    bs_grid *g = bs_grid_of(backend);
    grid_walk w;
    bool touches;
    if (g->rest->count > 0 && !bs_backend_cast(bs_grid_rest(g), c)) {
        return false;
    }
    if (g->entries == 0) {
        return true;
    }
    bool near = grid_begin_walk(&w, g, c, &touches);
    if (near && (!touches || grid_walk_through(&w, g, c))) {
        return true;
    }
    for (uint32_t block = 1; block < g->used; block++) {
        bs_cast_visit_block(c, &g->block[block].boxes);
    }
    return true;
}
