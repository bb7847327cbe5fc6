/*
 * raster_walk.h: testing the boxes of one cell against what moves through it; only for
 * raster_point.c and raster_box.c.
 *
 * Times are fractions of the motion. A bound is met when the front or the back of what moves is a
 * step below the cell, plus the bound's step times the time of a step. All boxes of a cell (a box:
 * of a slab of cells) are tested, and only then the walk looks at the result: whether one is met
 * cannot be predicted, so this is not asked for each block.
 *
 * Bounds are a little too wide, which has room for the rounding of times: so what is met here may
 * be met. Nearly all of that is: it is decided at once, as then the walk mostly ends.
 */
#ifndef BS_RASTER_WALK_H
#define BS_RASTER_WALK_H

#include "raster.h"

typedef struct bs_raster_test {
    size_t near[DIM], far[DIM]; /* where in a block the bounds are that are met first and last */
    bs_f8 pace[DIM];            /* the time of a step, < 0 on the way back */
    bs_f8 front[DIM];           /* when the front is a step below the cell, and ... */
    bs_f8 back[DIM];            /* ... when the back is */
} bs_raster_test;

/* The time that a cell takes, with the sign of the motion (in cells). */
BS_HOT bs_axes bs_raster_pace(bs_axes motion) {
    /* Without motion all times are very early or very late, which is as it should be. */
    bs_axes pace = bs_axes_div(bs_axes_set(1), motion);
    return bs_axes_max(bs_axes_min(pace, bs_axes_set(0x1p100)), bs_axes_set(-0x1p100));
}

/*
 * Sets what does not depend on the cell, for the i-th axis of a path, which is `axis` of the world.
 * `back` is 1 if the motion has a minus sign, else 0: that is known sooner than the pace is.
 */
BS_HOT void bs_raster_begin_test(bs_raster_test *test, int i, size_t axis, size_t back,
                                 float pace_of_step) {
    test->near[i] = (axis + DIM * back) * BS_LANES;
    test->far[i] = (2 * axis + DIM) * BS_LANES - test->near[i];
    test->pace[i] = bs_f8_set(pace_of_step);
}

/*
 * Gathers the boxes of a block, all but `skip`, that may be met before `limit`. A point cannot meet
 * the bounds of an empty lane, something `wide` can.
 */
BS_HOT void bs_raster_visit_block(const bs_raster *r, uint32_t block, const bs_raster_test *test,
                                  bool wide, bs_f8 limit, bs_u8 skip, bs_cast *c) {
    const bs_raster_block *b = &r->block[block];
    const uint8_t *bounds = &b->bound[0][0];
    bs_f8 enter = bs_f8_set(0);
    bs_f8 leave = limit;
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        bs_f8 near = bs_f8_mul(bs_f8_bytes(bounds + test->near[k]), test->pace[k]);
        bs_f8 far = bs_f8_mul(bs_f8_bytes(bounds + test->far[k]), test->pace[k]);
        enter = bs_f8_max(bs_f8_add(near, test->front[k]), enter);
        leave = bs_f8_min(bs_f8_add(far, test->back[k]), leave);
    }
    unsigned mask = bs_f8_le(enter, leave);
    if (wide) {
        mask &= bs_raster_lanes(&r->link[block]) & ~bs_u8_same(bs_u8_load(b->id), skip);
    }
    bs_raster_fetch(r, b, mask);
    bs_cast_gather(c, b->id, enter, mask);
}

/*
 * Gathers the boxes of the cell that may be met. Where it has none, the block that is nowhere is
 * looked at, and passed over as one of another cell.
 */
BS_HOT void bs_raster_visit_cell(bs_raster *r, uint64_t key, const bs_raster_test *test, bool wide,
                                 bs_cast *c) {
    const bs_f8 limit = bs_f8_set(c->limit);
    const bs_u8 skip = bs_u8_set(c->skip);
    uint32_t block = r->head[bs_raster_bucket(r, key)];
    do {
        r->visited++;
        if (__builtin_expect(r->link[block].cell == key, 1)) {
            bs_raster_visit_block(r, block, test, wide, limit, skip, c);
        }
        block = r->link[block].next;
    } while (block != BS_RASTER_NONE);
}

#endif
