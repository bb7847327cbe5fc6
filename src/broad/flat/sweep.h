/*
 * sweep.h: boxes sorted on one axis, in blocks of eight; only for sweep.c and its tests.
 *
 *      block     0                 1                 2        |  3
 *      least     0 1 1 x 4 5 5 6   6 7 9 9 9 9 9 9   9 + + +  |  4 0 8 + + + + +
 *      far       14                31                12       |
 *
 * The blocks of the order are sorted by the boxes' least bounds on the axis, across blocks too:
 * what overlaps a box, and does not begin before it, is in its own block or in the next ones, up
 * to the first that begins behind its end. `far` says of each block how far its boxes reach, so
 * that what begins before something can be left out block by block. Behind the order comes the
 * tail: blocks of boxes that have no place in it yet; all of them in a brute, which has no order.
 *
 * A dead lane (x) is what a box leaves behind in the order: it keeps its least bound on the axis
 * but meets nothing. Empty lanes (+) fill up the last block of the order, and that of the tail.
 */
#ifndef BS_SWEEP_H
#define BS_SWEEP_H

#include "broad/backend.h"
#include "base/order.h"

#pragma GCC visibility push(hidden)

#define BS_SWEEP_NOBODY UINT32_MAX /* the id of a lane that is dead or empty */

typedef struct bs_sweeper {
    bs_backend base;
    bs_block *block; /* the order, then the tail */
    size_t block_cap;
    float *far; /* by block of the order: no box in it reaches farther on the axis */
    size_t far_cap;
    uint32_t *position; /* by box: its lane is position % 8 of block position / 8 */
    size_t position_cap;
    size_t ordered; /* blocks of the order */
    size_t tail;    /* boxes in the tail */
    bool sorted;    /* false: this is a brute */
    int fixed_axis; /* the axis that the user has chosen, or -1 */
    int axis;       /* the axis that is sorted */
    bool stale;     /* boxes have moved, and their lanes have not: the order must be made anew */
    size_t rebuilds;
    bs_keyed *item; /* for sorting: one for each box, and scratch for as many */
    size_t item_cap;
} bs_sweeper;

static inline bs_sweeper *bs_sweep_of(bs_backend *backend) {
    return (bs_sweeper *)backend;
}

#pragma GCC visibility pop

#endif
