/*
 * block_cast.h: which of eight boxes a cast may meet. It relies on block.h and cast.h.
 *
 * This is the slab test, in floats. It may let too many boxes through, but never loses a hit:
 * distances are widened by more than all rounding. Nobody can predict whether a block holds a hit,
 * and a wrong guess costs more than the test. So where many blocks are tested in a row, the boxes
 * that pass are gathered without a branch, and decided after all of them, the nearest first.
 */
#ifndef BS_BLOCK_CAST_H
#define BS_BLOCK_CAST_H

#include "block.h"
#include "cast.h"

#pragma GCC visibility push(hidden)

static_assert((int)BS_CAST_WAIT >= (int)BS_CAST_ROOM + 2 * (int)BS_LANES, "stores may run over");

/* What tests on blocks need, eight times, so that it can stay in registers from block to block. */
typedef struct bs_cast8 {
    size_t near[DIM], far[DIM];
    bs_f8 enter[DIM], leave[DIM], inverse[DIM];
    bs_f8 limit;
    bs_u8 skip;
} bs_cast8;

BS_HOT bs_cast8 bs_cast8_of(const bs_cast *c) {
    bs_cast8 test;
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        test.near[k] = c->axis[k].near;
        test.far[k] = c->axis[k].far;
        test.enter[k] = bs_f8_set(c->axis[k].enter);
        test.leave[k] = bs_f8_set(c->axis[k].leave);
        test.inverse[k] = bs_f8_set(c->axis[k].inverse);
    }
    test.limit = bs_f8_set(c->limit);
    test.skip = bs_u8_set(c->skip);
    return test;
}

/* When eight boxes are met, or earlier, and when they are left, or later. */
typedef struct bs_times8 {
    bs_f8 enter, leave;
} bs_times8;

/* The slab test on eight boxes: what is entered before it is left may be met within the limit. */
BS_HOT bs_times8 bs_cast8_test(const bs_cast8 *test, const bs_block *b) {
    const float *bounds = bs_block_lane(b, 0);
    bs_times8 t = {bs_f8_set(0), bs_f8_set(FLT_MAX)};
#pragma GCC unroll 3
    for (int k = 0; k < DIM; k++) {
        bs_f8 near = bs_f8_sub(bs_f8_load(bounds + test->near[k]), test->enter[k]);
        bs_f8 far = bs_f8_sub(bs_f8_load(bounds + test->far[k]), test->leave[k]);
        t.enter = bs_f8_max(bs_f8_mul(near, test->inverse[k]), t.enter); /* 0 instead of -0. */
        t.leave = bs_f8_min(bs_f8_mul(far, test->inverse[k]), t.leave);
    }
    t.enter = bs_f8_mul(t.enter, bs_f8_set(1 - 0x1p-20f));
    t.leave = bs_f8_min(bs_f8_add(t.leave, bs_f8_set(1e-30f)), test->limit);
    return t;
}

/* The lanes of b that may be met within the limit, and when at the earliest; FLT_MAX for others. */
BS_HOT unsigned bs_cast_block(const bs_cast *c, const bs_block *b, bs_f8 *times) {
    const bs_cast8 test = bs_cast8_of(c);
    bs_times8 t = bs_cast8_test(&test, b);
    *times = bs_f8_where_le(t.enter, t.leave);
    return bs_f8_le(t.enter, t.leave);
}

/* An empty list of boxes that wait for a decision. No more than BS_CAST_ROOM may wait. */
BS_HOT bs_pairs bs_cast_wait(bs_cast *c) {
    return (bs_pairs){c->wait, 0, sizeof c->wait / sizeof *c->wait};
}

/* Appends the lanes of `mask` whose boxes count to those that wait. Eight more must have room. */
BS_HOT void bs_cast8_append(const bs_cast8 *test, const bs_block *b, bs_f8 times, unsigned mask,
                            bs_pairs *wait) {
    const bs_u8 id = bs_u8_load(b->id);
    bs_append_both(wait, id, bs_u8_bits(times), mask & ~bs_u8_same(id, test->skip));
}

/*
 * Decides the n > 0 boxes that wait: first the one that seems nearest, then those that still
 * matter.
 */
void bs_cast_decide(bs_cast *cast, size_t n);

/* Decides the boxes of one block that may be met; mostly there are none. */
BS_HOT void bs_cast_visit_block(bs_cast *c, const bs_block *b) {
    const bs_cast8 test = bs_cast8_of(c);
    bs_times8 t = bs_cast8_test(&test, b);
    unsigned mask = bs_f8_le(t.enter, t.leave);
    if (mask != 0) {
        bs_pairs wait = bs_cast_wait(c);
        bs_cast8_append(&test, b, t.enter, mask, &wait);
        if (wait.n > 0) {
            bs_cast_decide(c, wait.n);
        }
    }
}

#pragma GCC visibility pop

#endif
