/*
 * cast.h: a box (or a point) that moves through a world in a straight line.
 *
 * A back end finds the boxes that may be met; the world, which knows what a hit means, decides each
 * one exactly in doubles (bs_sweep) and says up to where along the motion anything still matters.
 * So the float tests here may let too much through, but never lose a hit: distances are widened by
 * more than all that rounding can take away.
 */
#ifndef BS_CAST_H
#define BS_CAST_H

#include "block.h"

#pragma GCC visibility push(hidden)

typedef struct bs_cast {
    bs_rect from;
    double motion[DIM];
    bs_rect path;          /* around the whole motion, or its finite part */
    bs_bounds path_bounds; /* the same as floats, a little wider */
    bs_bounds start;       /* `from` as floats, a little wider */
    float inverse[DIM];    /* 1 / motion */
    bool timed[DIM];       /* false: motion too small or too large for times in float */
    float limit;           /* only what is met at t <= limit still matters; the world lowers it */

    /* Called for each box that may be met; sets `limit`. */
    void (*visit)(struct bs_cast *cast, uint32_t box);
} bs_cast;

/* Prepares a cast over the whole motion: limit = 1. */
void bs_cast_begin(bs_cast *cast, const bs_rect *from, const double motion[DIM],
                   void (*visit)(bs_cast *, uint32_t));

/* t as a limit, rounded up by more than the float tests can be off. */
static inline float bs_cast_limit(double t) {
    return (float)t * (1 + 0x1p-20f) + 1e-30f;
}

/*
 * The lanes of b that the moving box may meet at t <= limit, and lower bounds of those times.
 * The slab test on eight boxes at once.
 */
BS_HOT unsigned bs_cast_block(const bs_cast *c, const bs_block *b, bs_f8 *times) {
    bs_f8 enter = bs_f8_set(0);
    bs_f8 leave = bs_f8_set(FLT_MAX);
    unsigned mask = BS_ALL_LANES;
    for (int k = 0; k < DIM; k++) {
        bs_f8 lo = bs_f8_load(b->lo[k]);
        bs_f8 hi = bs_f8_load(b->hi[k]);
        if (!c->timed[k]) {
            mask &= bs_f8_le(lo, bs_f8_set(c->path_bounds.hi[k]));
            mask &= bs_f8_le(bs_f8_set(c->path_bounds.lo[k]), hi);
            continue;
        }
        bs_f8 inverse = bs_f8_set(c->inverse[k]);
        bs_f8 ahead = bs_f8_mul(bs_f8_sub(lo, bs_f8_set(c->start.hi[k])), inverse);
        bs_f8 behind = bs_f8_mul(bs_f8_sub(hi, bs_f8_set(c->start.lo[k])), inverse);
        bool forward = c->inverse[k] > 0;
        enter = bs_f8_max(enter, forward ? ahead : behind);
        leave = bs_f8_min(leave, forward ? behind : ahead);
    }
    enter = bs_f8_mul(enter, bs_f8_set(1 - 0x1p-20f));
    *times = enter;
    mask &= bs_f8_le(enter, bs_f8_add(leave, bs_f8_set(1e-30f)));
    return mask & bs_f8_le(enter, bs_f8_set(c->limit));
}

/* Visits the boxes of one block that may be met, in the order of their lanes. */
static inline void bs_cast_visit_block(bs_cast *c, const bs_block *b) {
    bs_f8 times;
    for (unsigned mask = bs_cast_block(c, b, &times); mask != 0; mask &= mask - 1) {
        c->visit(c, b->id[bs_first_lane(mask)]);
    }
}

#pragma GCC visibility pop

#endif
