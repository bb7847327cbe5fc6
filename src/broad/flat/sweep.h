/*
 * sweep.h: boxes sorted on one axis, in blocks of eight; only for sweep.c and its tests. It relies
 * on block.h.
 *
 *      block     0                 1                 2        |  3
 *      least     0 1 1 x 4 5 5 6   6 7 9 9 9 9 9 9   9 + + +  |  4 0 8 + + + + +
 *      far       14                31                12       |
 *
 * The blocks of the order are sorted by the boxes' least bounds on the axis, also across blocks. A
 * box that overlaps another one, and does not begin before it, is in the same block or in the next
 * ones, up to the first that begins behind the other's end. `far` says how far the boxes of each
 * block reach, so that blocks that end before something are left out. The tail comes behind the
 * order: blocks of boxes that have no place in it yet; in a brute, which has no order, all boxes.
 *
 * A dead lane (x) is what a box leaves behind in the order: it keeps its least bound on the axis
 * but overlaps nothing. Empty lanes (+) fill up the last block of the order, and that of the tail.
 */
#ifndef BS_SWEEP_H
#define BS_SWEEP_H

#include "broad/backend.h"
#include "broad/block_cast.h"
#include "broad/due.h"
#include "base/order.h"

#pragma GCC visibility push(hidden)

#define BS_SWEEP_NOBODY UINT32_MAX /* The id of a dead or empty lane. */

typedef struct bs_sweeper {
    bs_backend base;
    bs_block *block; /* The order, then the tail. */
    size_t block_cap;
    float *far; /* By block of the order: no box in it reaches farther on the axis. */
    size_t far_cap;
    uint32_t *position; /* By box: its lane is position % 8 of block position / 8. */
    size_t position_cap;
    size_t ordered; /* The number of blocks of the order. */
    size_t tail;    /* The number of boxes in the tail. */
    bool sorted;    /* It is not a brute. */
    int fixed_axis; /* The axis that the user has chosen, or -1. */
    int axis;       /* The axis that is sorted. */
    size_t rebuilds;
    bs_keyed *item; /* For sorting: one for each box, and as many for scratch. */
    size_t item_cap;
} bs_sweeper;

static inline bs_sweeper *bs_sweep_of(bs_backend *backend) {
    return (bs_sweeper *)backend;
}

#pragma GCC visibility pop

#endif
