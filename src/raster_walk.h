/*
 * raster_walk.h: testing the boxes of one cell against what moves through it; only for
 * raster_point.c and raster_box.c.
 *
 * Times are fractions of the motion. A bound is met when the front or the back of what moves is at
 * the cell's low side, plus the bound's step times the time of a step. In a cell all boxes are
 * tested, and only then the walk looks at the result: whether a box is met cannot be predicted, so
 * there is one such question for each cell, and none for each block.
 *
 * Bounds are off by half a step. So times are taken earlier by a little more to tell what may be
 * met, and later to tell what is met for certain.
 */
#ifndef BS_RASTER_WALK_H
#define BS_RASTER_WALK_H

#include "raster.h"

typedef struct bs_raster_test {
    size_t near[DIM], far[DIM]; /* where in a block the bounds are that are met first and last */
    bs_f8 pace[DIM];            /* the time of a step, < 0 on the way back */
    /* When the front is at the cell's low side, at the earliest and at the latest, and ... */
    bs_f8 front_early[DIM], front_late[DIM];
    bs_f8 back_early[DIM], back_late[DIM]; /* ... when the back is; of a point not set */
} bs_raster_test;

/* The time that a cell takes, with the sign of the motion (in cells). */
BS_HOT double bs_raster_pace(double motion) {
    /* Without motion all times are very early or very late, which is as it should be. */
    return copysign(bs_min(1 / fabs(motion), 0x1p100), motion);
}

/* Sets what does not depend on the cell; returns the time of a step, > 0. */
BS_HOT float bs_raster_begin_test(bs_raster_test *test, int k, double pace) {
    float pace_of_step = (float)pace * (1.0f / BS_RASTER_STEPS);
    size_t back = pace < 0; /* a number, not a branch */
    test->near[k] = ((size_t)k + DIM * back) * BS_LANES;
    test->far[k] = (size_t)(2 * k + DIM) * BS_LANES - test->near[k];
    test->pace[k] = bs_f8_set(pace_of_step);
    return fabsf(pace_of_step);
}

/*
 * Gathers the boxes of a block that may be met before `limit`. By lane, the lesser of `least` and
 * of a time when the box is met for certain. A point cannot meet the bounds of an empty lane,
 * something `wide` can.
 */
BS_HOT bs_f8 bs_raster_visit_block(const bs_raster *r, uint32_t block, const bs_raster_test *test,
                                   bool wide, bs_f8 limit, bs_f8 least, bs_cast *c) {
    const bs_raster_block *b = &r->block[block];
    const uint8_t *bounds = &b->bound[0][0];
    const bs_f8 *back_early = wide ? test->back_early : test->front_early;
    const bs_f8 *back_late = wide ? test->back_late : test->front_late;
    bs_f8 enter = bs_f8_set(0);
    bs_f8 leave = limit;
    bs_f8 enter_surely = bs_f8_set(bs_cast_limit(0));
    bs_f8 leave_surely = bs_f8_set(FLT_MAX);
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        bs_f8 near = bs_f8_mul(bs_f8_bytes(bounds + test->near[k]), test->pace[k]);
        bs_f8 far = bs_f8_mul(bs_f8_bytes(bounds + test->far[k]), test->pace[k]);
        enter = bs_f8_max(bs_f8_add(near, test->front_early[k]), enter);
        leave = bs_f8_min(bs_f8_add(far, back_late[k]), leave);
        enter_surely = bs_f8_max(bs_f8_add(near, test->front_late[k]), enter_surely);
        leave_surely = bs_f8_min(bs_f8_add(far, back_early[k]), leave_surely);
    }
    unsigned mask = bs_f8_le(enter, leave);
    enter_surely = bs_f8_unless(enter_surely, b->id, c->skip);
    if (wide) {
        mask &= bs_raster_lanes(&r->link[block]);
        enter_surely = bs_f8_unless(enter_surely, b->id, BS_RASTER_NOBODY);
    }
    bs_raster_fetch(r, b, mask);
    bs_cast_gather(c, b->id, enter, mask);
    return bs_f8_min(bs_f8_where_le(enter_surely, leave_surely), least);
}

/*
 * All boxes of the cell. By lane, a time when a box is met for certain, or FLT_MAX. Where the cell
 * has none, the block that is nowhere is looked at, and passed over as one of another cell.
 */
BS_HOT bs_f8 bs_raster_visit_cell(bs_raster *r, uint32_t bucket, uint64_t key,
                                  const bs_raster_test *test, bool wide, bs_cast *c) {
    const bs_f8 limit = bs_f8_set(c->limit);
    bs_f8 least = bs_f8_set(FLT_MAX);
    uint32_t block = r->head[bucket];
    do {
        r->visited++;
        if (__builtin_expect(r->link[block].cell == key, 1)) {
            least = bs_raster_visit_block(r, block, test, wide, limit, least, c);
        }
        block = r->link[block].next;
    } while (block != BS_RASTER_NONE);
    return least;
}

/* Lowers the limit, if it may fall, to the least of these times. */
BS_HOT void bs_raster_lower_limit(bs_cast *c, bs_f8 times) {
    if (c->sure) {
        float least = bs_f8_least(times);
        c->limit = least < c->limit ? least : c->limit;
    }
}

#endif
