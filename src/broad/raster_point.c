/*
 * raster_point.c: what a moving point may meet, cell by cell.
 *
 * A point is in one cell after the other: Amanatides and Woo, "A fast voxel traversal algorithm for
 * ray tracing", 1987.
 *
 * Rounding: times are floats, and right to 2^-22 of the longest time that counts, 1, and of the
 * time in a cell. As there are less than POINT_CELLS cells, that is less than BS_RASTER_MARGIN.
 */
#include "raster_walk.h"

enum { POINT_CELLS = 256 }; /* in a longer path: another structure, or slabs (raster_box.c) */

/* How a point goes through the cells. */
typedef struct point_walk {
    bs_axes low;        /* when it is a step below the cell that it is in, perhaps < 0, and ... */
    bs_axes end;        /* ... when it leaves that cell, by axis */
    bs_axes pace[DIM];  /* by axis, the time that its next cell takes: 0 on the other axes */
    int32_t left[DIM];  /* by axis, how many cells are ahead */
    uint64_t step[DIM]; /* what the next cell adds to the key, by axis */
    uint64_t key;
} point_walk;

/* Begins what depends on directions: without branches, as they cannot be predicted. */
BS_HOT void point_begin_axis(point_walk *p, int k, const bs_raster *r, size_t back) {
    p->step[k] = (r->unit[k] ^ -(uint64_t)back) + back; /* or minus that */
}

BS_HOT void point_begin_times(point_walk *p, bs_raster_test *test, bs_axes from_cell,
                              bs_axes motion, unsigned back) {
    float steps[DIM];
    bs_axes pace = bs_raster_pace(motion);
    bs_axes step = bs_axes_mul(pace, bs_axes_set(1.0 / BS_RASTER_STEPS));
    bs_axes length = bs_axes_abs(pace);
    bs_axes low = bs_axes_mul(from_cell, pace);
    p->low = bs_axes_sub(low, step);
    p->end = bs_axes_add(low, bs_axes_max(pace, bs_axes_set(0)));
    bs_axes_floats(steps, step);
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        p->pace[k] = bs_axes_only(length, k);
        bs_raster_begin_test(test, k, (size_t)k, back >> k & 1, steps[k]);
    }
}

/* False: it starts outside of all cells, or goes through too many. */
BS_HOT bool point_begin(point_walk *p, bs_raster_test *test, const bs_raster *r, const bs_cast *c) {
    const bs_axes inverse = bs_axes_set(r->inverse);
    bs_axes given = bs_axes_load(c->motion);
    bs_axes at = bs_axes_mul(bs_axes_load(c->from->pos), inverse);
    bs_axes motion = bs_axes_mul(given, inverse);
    unsigned near = bs_axes_less(bs_axes_abs(at), bs_axes_set(BS_RASTER_SIDE));
    unsigned is_short = bs_axes_less(bs_axes_abs(motion), bs_axes_set((double)POINT_CELLS / DIM));
    if ((near & is_short) != BS_AXES_ALL) {
        return false;
    }
    int32_t cell[DIM];
    bs_axes_floors(cell, at);
    unsigned back = bs_axes_signs(given);
    int32_t outside = 0; /* < 0 if one of these is */
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        int32_t below = cell[k] - r->lo[k];
        int32_t above = r->hi[k] - cell[k];
        p->left[k] = (back >> k & 1) != 0 ? below : above;
        outside |= below | above;
        point_begin_axis(p, k, r, back >> k & 1);
    }
    if (outside < 0) {
        return false;
    }
    point_begin_times(p, test, bs_axes_sub(bs_axes_of_ints(cell), at), motion, back);
    p->key = bs_raster_key(r, cell);
    return true;
}

/*
 * Turns to the cell that the point is in now; returns the axis along which, and tells the time when
 * it will leave it.
 */
BS_HOT int point_enter(const point_walk *p, bs_raster_test *test, double *next) {
    float low[DIM];
    bs_axes_floats(low, p->low);
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        test->front[k] = bs_f8_set(low[k]);
        test->back[k] = test->front[k];
    }
    return bs_axes_least(p->end, next);
}

BS_HOT void point_step(point_walk *p, int k) {
    p->low = bs_axes_add(p->low, p->pace[k]);
    p->end = bs_axes_add(p->end, p->pace[k]);
    p->key += p->step[k];
}

/*
 * Near a side, the point may be taken for being in the wrong cell; but what is near a side is filed
 * beyond it, too.
 */
BS_LINED bool bs_raster_cast_point(bs_raster *r, bs_cast *c) {
    point_walk p;
    bs_raster_test test;
    if (!point_begin(&p, &test, r, c)) {
        return bs_raster_cast_box(r, c);
    }
    bs_raster_walk walk = bs_raster_walk_begin(r, c);
    for (;;) {
        double next;
        int k = point_enter(&p, &test, &next);
        bs_raster_visit_cell(&walk, p.key, &test, false);
        bs_raster_decide(&walk);
        if (next > (double)c->limit || --p.left[k] < 0) {
            break; /* no box is beyond */
        }
        point_step(&p, k);
    }
    bs_raster_walk_end(&walk);
    return true;
}
