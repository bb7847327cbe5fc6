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

/* What a walk keeps at hand. */
typedef struct bs_raster_walk {
    bs_raster *r;
    bs_cast *c;
    size_t waiting; /* as in *c, and there only while others ask for it */
    uint32_t one;   /* of those that wait, the one gathered last */
    uint32_t visited;
} bs_raster_walk;

BS_HOT bs_raster_walk bs_raster_walk_begin(bs_raster *r, bs_cast *c) {
    return (bs_raster_walk){r, c, c->waiting, c->wait[0].a, 0};
}

BS_HOT void bs_raster_walk_end(const bs_raster_walk *w) {
    w->c->waiting = w->waiting;
    w->r->visited = w->visited;
}

/* Decides what waits, where that is more than one box, or not any box counts. */
BS_COLD void raster_decide_many(bs_cast *c, size_t waiting) {
    c->waiting = waiting;
    bs_cast_decide(c);
}

/* Decides what waits. */
BS_HOT void bs_raster_decide(bs_raster_walk *w) {
    bs_cast *c = w->c;
    if (w->waiting == 1 && c->visit == NULL) { /* mostly, where boxes are sparse */
        bs_cast_meet(c, w->one);
    } else if (w->waiting > 0) {
        raster_decide_many(c, w->waiting);
    }
    w->waiting = 0;
}

/* Lets boxes of a block, those in `mask`, wait. */
BS_HOT void bs_raster_gather(bs_raster_walk *w, const bs_raster_block *b, bs_f8 times,
                             unsigned mask) {
    bs_cast *c = w->c;
    uint32_t last = b->id[bs_last_lane(mask | 1)];
    w->one = mask != 0 ? last : w->one;
    bs_boxes_fetch(w->r->boxes->rect, last); /* it may be asked for its exact place soon */
    bs_pairs wait = {c->wait, w->waiting, sizeof c->wait / sizeof *c->wait};
    bs_append_both(&wait, bs_u8_load(b->id), bs_u8_bits(times), mask);
    w->waiting = wait.n;
    if (__builtin_expect(wait.n > BS_CAST_ROOM, 0)) {
        raster_decide_many(c, wait.n);
        w->waiting = 0;
    }
}

/*
 * Gathers the boxes of a block, all but `skip`, that may be met before `limit`. A point cannot meet
 * the bounds of an empty lane, something `wide` can.
 */
BS_HOT void bs_raster_visit_block(bs_raster_walk *w, uint32_t block, const bs_raster_test *test,
                                  bool wide, bs_f8 limit, bs_u8 skip) {
    const bs_raster_block *b = &w->r->block[block];
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
        mask &= ~(bs_raster_empty_lanes(b) | bs_u8_same(bs_u8_load(b->id), skip));
    }
    bs_raster_gather(w, b, enter, mask);
}

/* Gathers the boxes of the cell that may be met. */
BS_HOT void bs_raster_visit_cell(bs_raster_walk *w, uint64_t key, const bs_raster_test *test,
                                 bool wide) {
    const bs_raster *r = w->r;
    const bs_f8 limit = bs_f8_set(w->c->limit);
    const bs_u8 skip = bs_u8_set(w->c->skip);
    uint32_t block = bs_raster_bucket(r, key);
    do {
        w->visited++;
        if (bs_raster_is_of(r, block, key)) {
            bs_raster_visit_block(w, block, test, wide, limit, skip);
        }
        block = r->next[block];
    } while (block != BS_RASTER_NONE);
}

#endif
