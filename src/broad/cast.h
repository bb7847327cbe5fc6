/*
 * cast.h: a box (or a point) that moves through a world in a straight line. It relies on blocks
 * (block.h) and on the exact arithmetic of meet.h.
 *
 * A back end finds the boxes that may be met, by the slab test on blocks, in floats. That test may
 * let too many through, but never loses a hit: distances are widened by more than all rounding.
 * Boxes that pass are decided exactly in doubles (meet.h), the nearest first: here if any box
 * counts, otherwise by the world, which knows what a hit means. Each hit lowers the limit beyond
 * which nothing matters.
 *
 * Nobody can predict whether a block holds a hit, and a wrong guess costs more than the test. So
 * where many blocks are tested in a row, the boxes that pass are gathered without a branch, and
 * decided after all of them.
 */
#ifndef BS_CAST_H
#define BS_CAST_H

#include <assert.h>

#include "block.h"
#include "narrow/meet.h"

#pragma GCC visibility push(hidden)

#define BS_CAST_NONE UINT32_MAX
enum { BS_CAST_ROOM = 32 }; /* So many boxes may wait for a decision. */

/*
 * How one axis of a block is tested, in the direction of the motion, which is asked for only once.
 */
typedef struct bs_cast_axis {
    size_t near;   /* The offset in a block of the bounds that are met first. */
    size_t far;    /* The offset in a block of the bounds that are left last. */
    float enter;   /* The side of the moving box that meets the near bounds, widened. */
    float leave;   /* The side of the moving box that leaves the far bounds, widened. */
    float inverse; /* 1 / motion. */
} bs_cast_axis;

typedef struct bs_cast {
    const bs_rect *from;    /* The moving box at the start. */
    const double *motion;   /* Its motion. */
    bs_cast_axis axis[DIM]; /* How blocks are tested. */

    const bs_boxes *boxes; /* The exact boxes. */
    uint32_t first;        /* The box met first so far, or BS_CAST_NONE. */
    bs_entry entry;        /* How that one is met. */
    float limit;           /* Only what is met at t <= limit still matters; it falls with hits. */
    uint32_t skip;         /* A box that does not count, or BS_CAST_NONE. */
    const uint64_t *born;  /* By box: the lesser was inserted before; NULL if indices say so. */

    /*
     * Called for each box that may be met. If NULL, any box but `skip` counts, for the first hit.
     */
    void (*visit)(struct bs_cast *cast, uint32_t box);

    /* Boxes that wait for a decision, with the bits of a time before which they are not met. */
    bs_pair wait[BS_CAST_ROOM + 2 * BS_LANES];
} bs_cast;

/* t as a limit, rounded up by more than the float tests can be off. */
static inline float bs_cast_limit(double t) {
    assert(t >= 0 && t <= 1);
    return (float)t * (1 + 0x1p-20f) + 1e-30f;
}

/*
 * Begins a cast over the whole motion, with limit = 1. Without `visit` it finds the first hit. It
 * keeps the pointers that it is given.
 */
void bs_cast_begin(bs_cast *cast, const bs_boxes *boxes, const bs_rect *from,
                   const double motion[DIM], void (*visit)(bs_cast *, uint32_t));

/*
 * Notes that a box is met at t, if that is before the first hit so far, which is of another box: by
 * the lesser t, then a face before an edge or corner, then the box inserted first.
 */
static inline bool bs_cast_is_first(bs_cast *c, uint32_t box, double t, bool corner) {
    bool sooner = t < c->entry.t;
    if (t == c->entry.t && corner == c->entry.corner) {
        sooner = c->born != NULL ? c->born[box] < c->born[c->first] : box < c->first;
    } else if (t == c->entry.t) {
        sooner = c->entry.corner;
    }
    if (sooner) {
        c->first = box;
        c->entry.t = t;
        c->entry.corner = corner;
        c->limit = bs_cast_limit(t);
    }
    return sooner;
}

/* Decides whether a box is the first one met so far. */
void bs_cast_meet(bs_cast *cast, uint32_t box);

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
