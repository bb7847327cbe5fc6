/*
 * raster_point.c: what a moving point may meet, cell by cell.
 *
 * A point is in one cell after the other: Amanatides and Woo, "A fast voxel traversal algorithm for
 * ray tracing", 1987. In a cell all boxes are tested, and only then the walk looks at the result:
 * whether a box is met cannot be predicted, so there is one such question for each cell, and none
 * for each block.
 *
 * Rounding: bounds are off by half a step. Times are floats, and right to 2^-22 of the longest time
 * that counts, 1, and of the time in a cell: as there are less than POINT_CELLS cells, that is less
 * than a sixteenth of a step. So times are taken earlier by the sum to tell what may be met, and
 * later to tell what is met for certain.
 */
#include "raster.h"

enum { POINT_CELLS = 256 }; /* in a longer path: another structure, or slabs (raster_cast.c) */

/* How a point goes through the cells along one axis; times are fractions of the motion. */
typedef struct point_axis {
    double low;     /* when it is at the low side of the cell that it is in, perhaps < 0, and ... */
    double to_next; /* ... how long after that it enters the next one */
    double pace;    /* the time that a cell takes */
    float slack;    /* the time for all that bounds may be off */
    int32_t step;   /* to the next cell: 1 or -1; ... */
    uint64_t key;   /* ... what that adds to the key, and ... */
    uint32_t stride; /* ... to the bucket */
} point_axis;

/* How the blocks of a cell are tested, by axis. */
typedef struct point_test {
    size_t near[DIM], far[DIM]; /* where in a block the bounds are that are met first and last */
    bs_f8 pace[DIM];            /* the time that a step takes, < 0 on the way back */
    bs_f8 early[DIM];           /* when the point is at the cell's low side, at the earliest */
    bs_f8 late[DIM];            /* and at the latest */
} point_test;

BS_HOT void point_begin_axis(int k, const bs_raster *r, const bs_cast *c, point_axis *axis,
                             point_test *test, int32_t *cell) {
    double at = c->from.pos[k] * r->inverse;
    double motion = c->motion[k] * r->inverse;
    /* Without motion all times are very early or very late, which is as it should be. */
    double pace = copysign(bs_min(1 / fabs(motion), 0x1p100), motion);
    float pace_of_step = (float)pace * (1.0f / BS_RASTER_STEPS);
    uint32_t back = pace < 0; /* a number, not a branch */
    *cell = bs_raster_floor(at);
    axis->low = (*cell - at) * pace;
    axis->to_next = bs_max(pace, 0);
    axis->pace = fabs(pace);
    axis->slack = fabsf(pace_of_step) * (float)BS_RASTER_SLACK;
    axis->step = 1 - 2 * (int32_t)back;
    axis->key = (uint64_t)axis->step << k * BS_RASTER_KEY_BITS;
    axis->stride = (uint32_t)axis->step * r->stride[k];
    test->near[k] = ((size_t)k + DIM * back) * BS_LANES;
    test->far[k] = (size_t)(2 * k + DIM) * BS_LANES - test->near[k];
    test->pace[k] = bs_f8_set(pace_of_step);
}

/* Turns to the cell that the point is in now; returns the axis along which it will leave it. */
BS_HOT int point_enter(const point_axis axis[DIM], point_test *test, double *next) {
    int first = 0;
    *next = HUGE_VAL;
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        float low = (float)axis[k].low;
        test->early[k] = bs_f8_set(low - axis[k].slack);
        test->late[k] = bs_f8_set(low + axis[k].slack);
        double end = axis[k].low + axis[k].to_next;
        first = end < *next ? k : first;
        *next = bs_min(end, *next);
    }
    return first;
}

/*
 * Gathers the boxes of a block that may be met before `limit`, of a block of another cell none. By
 * lane, the lesser of `least` and of a time when the box is met for certain. Nothing meets the
 * bounds of an empty lane.
 */
BS_HOT bs_f8 point_visit_block(const bs_raster *r, uint32_t block, uint64_t key,
                               const point_test *test, bs_f8 limit, bs_f8 least, bs_cast *c) {
    const bs_raster_block *b = &r->block[block];
    const uint8_t *bounds = &b->bound[0][0];
    const float start = r->link[block].cell == key ? 0 : FLT_MAX;
    bs_f8 enter = bs_f8_set(start);
    bs_f8 leave = limit;
    bs_f8 enter_surely = bs_f8_set(start + bs_cast_limit(0));
    bs_f8 leave_surely = bs_f8_set(FLT_MAX);
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        bs_f8 near = bs_f8_mul(bs_f8_bytes(bounds + test->near[k]), test->pace[k]);
        bs_f8 far = bs_f8_mul(bs_f8_bytes(bounds + test->far[k]), test->pace[k]);
        enter = bs_f8_max(bs_f8_add(near, test->early[k]), enter);
        leave = bs_f8_min(bs_f8_add(far, test->late[k]), leave);
        enter_surely = bs_f8_max(bs_f8_add(near, test->late[k]), enter_surely);
        leave_surely = bs_f8_min(bs_f8_add(far, test->early[k]), leave_surely);
    }
    unsigned mask = bs_f8_le(enter, leave);
    bs_raster_fetch(r, b, mask);
    enter_surely = bs_f8_unless(enter_surely, b->id, c->skip);
    bs_cast_gather(c, b->id, enter, mask);
    return bs_f8_min(bs_f8_where_le(enter_surely, leave_surely), least);
}

/* All boxes of the cell. Where it has none, the block that is nobody's is looked at. */
BS_HOT void point_visit_cell(bs_raster *r, uint32_t bucket, uint64_t key, const point_test *test,
                             bs_cast *c) {
    const bs_f8 limit = bs_f8_set(c->limit);
    bs_f8 least = bs_f8_set(FLT_MAX);
    uint32_t block = r->head[bucket];
    do {
        r->visited++;
        least = point_visit_block(r, block, key, test, limit, least, c);
        block = r->link[block].next;
    } while (block != BS_RASTER_NONE);
    float surely = bs_f8_least(least);
    c->limit = c->sure && surely < c->limit ? surely : c->limit;
}

/*
 * Near a side, the point may be taken for being in the wrong cell; but what is near a side is filed
 * beyond it, too.
 */
bool bs_raster_cast_point(bs_raster *r, bs_cast *c) {
    point_axis axis[DIM];
    point_test test;
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
        double next;                             /* the time when the next cell is entered, ... */
        int k = point_enter(axis, &test, &next); /* ... and along which axis */
        point_visit_cell(r, bucket, key, &test, c);
        if (next > (double)c->limit) {
            return true;
        }
        cell[k] += axis[k].step;
        if (cell[k] < r->lo[k] || cell[k] > r->hi[k]) {
            return true; /* no box is beyond */
        }
        axis[k].low += axis[k].pace;
        key += axis[k].key;
        bucket = (bucket + axis[k].stride) & r->mask;
    }
}
