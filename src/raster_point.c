/*
 * raster_point.c: what a moving point may meet, cell by cell.
 *
 * A point is in one cell after the other: Amanatides and Woo, "A fast voxel traversal algorithm for
 * ray tracing", 1987.
 *
 * Rounding: times are floats, and right to 2^-22 of the longest time that counts, 1, and of the
 * time in a cell. As there are less than POINT_CELLS cells, that is less than a sixteenth of a
 * step, which BS_RASTER_SLACK has room for.
 */
#include "raster_walk.h"

enum { POINT_CELLS = 256 }; /* in a longer path: another structure, or slabs (raster_box.c) */

/* How a point goes through the cells along one axis. */
typedef struct point_axis {
    double low;   /* when it is at the low side of the cell that it is in, perhaps < 0, and ... */
    double end;   /* ... when it leaves that cell */
    double pace;  /* the time that a cell takes */
    uint64_t key; /* what the next cell adds to the key, and ... */
    uint32_t stride; /* ... to the bucket */
    int32_t step;    /* to the next cell: 1 or -1 */
    float slack;     /* the time for all that bounds may be off */
} point_axis;

BS_HOT void point_begin_axis(int k, const bs_raster *r, const bs_cast *c, point_axis *axis,
                             bs_raster_test *test, int32_t *cell) {
    double at = c->from.pos[k] * r->inverse;
    double pace = bs_raster_pace(c->motion[k] * r->inverse);
    size_t back = signbit(c->motion[k]) != 0; /* a number, not a branch */
    *cell = bs_raster_floor(at);
    axis->low = (*cell - at) * pace;
    axis->end = (*cell - at + (1 - (int)back)) * pace;
    axis->pace = fabs(pace);
    axis->slack = bs_raster_begin_test(test, k, (size_t)k, back, pace) * (float)BS_RASTER_SLACK;
    axis->step = 1 - 2 * (int32_t)back;
    axis->key = (uint64_t)axis->step << k * BS_RASTER_KEY_BITS;
    axis->stride = (uint32_t)axis->step * r->stride[k];
}

/*
 * Turns to the cell that the point is in now; returns the axis along which, and tells the time when
 * it will leave it.
 */
BS_HOT int point_enter(const point_axis axis[DIM], bs_raster_test *test, double *next) {
    int first = 0;
    *next = axis[0].end;
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        float low = (float)axis[k].low;
        test->front[k] = bs_f8_set(low - axis[k].slack);
        test->back[k] = bs_f8_set(low + axis[k].slack);
        first = axis[k].end < *next ? k : first;
        *next = bs_min(axis[k].end, *next);
    }
    return first;
}

/*
 * Near a side, the point may be taken for being in the wrong cell; but what is near a side is filed
 * beyond it, too.
 */
bool bs_raster_cast_point(bs_raster *r, bs_cast *c) {
    point_axis axis[DIM];
    bs_raster_test test;
    int32_t cell[DIM];
    double cells = 0;
    bool near = true;
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        double at = c->from.pos[k] * r->inverse;
        near &= at >= r->lo[k];
        near &= at - 1 < r->hi[k];
        cells += fabs(c->motion[k] * r->inverse);
    }
    if (!near || !(cells < POINT_CELLS)) {
        return false;
    }
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        point_begin_axis(k, r, c, &axis[k], &test, &cell[k]);
    }
    uint32_t bucket = bs_raster_bucket(r, cell);
    uint64_t key = bs_raster_key(cell);
    for (;;) {
        double next;
        int k = point_enter(axis, &test, &next);
        bs_raster_visit_cell(r, bucket, key, &test, false, c);
        bs_cast_decide(c);
        if (next > (double)c->limit) {
            return true;
        }
        cell[k] += axis[k].step;
        if (cell[k] < r->lo[k] || cell[k] > r->hi[k]) {
            return true; /* no box is beyond */
        }
        axis[k].low += axis[k].pace;
        axis[k].end += axis[k].pace;
        key += axis[k].key;
        bucket = (bucket + axis[k].stride) & r->mask;
    }
}
